//! An engine that is told of graph constraints only where its models break them.
//!
//! In: an engine, and the constraints that its clauses leave out. Out: an engine whose models keep them. It goes on from a
//! broken model where the inner engine can, and asks again where not.

use super::{EngineAnswer, SatEngine};
use crate::encode::cuts::Lazy;
use crate::encode::{Lit, Sink};
use crate::shared::Budget;

/// A [`SatEngine`] around another.
pub struct Cutting<'e> {
    engine: &'e mut dyn SatEngine,
    lazy: &'e [Lazy],
    /// Cuts that the engine may forget: told again before the next question.
    cuts: Vec<Vec<Lit>>,
}

impl<'e> Cutting<'e> {
    /// The engine has the clauses that leave `lazy` out.
    pub fn new(engine: &'e mut dyn SatEngine, lazy: &'e [Lazy]) -> Cutting<'e> {
        Cutting { engine, lazy, cuts: Vec::new() }
    }

    fn remember(&mut self) {
        for cut in self.cuts.drain(..) {
            self.engine.clause(&cut);
        }
    }

    /// Cuts until a model keeps everything.
    fn whole(&mut self, mut answer: EngineAnswer, assumptions: &[Lit], budget: &Budget) -> EngineAnswer {
        while answer == EngineAnswer::Sat {
            let mut cuts = Vec::new();
            for lazy in self.lazy {
                lazy.cuts(|lit| self.engine.value(lit), &mut cuts);
            }
            if cuts.is_empty() {
                break;
            }
            answer = match self.engine.go_on(&cuts, budget) {
                Some(answer) => {
                    self.cuts.append(&mut cuts);
                    answer
                }
                None => {
                    cuts.iter().for_each(|cut| self.engine.clause(cut));
                    self.engine.solve(assumptions, budget)
                }
            };
        }
        answer
    }
}

impl Sink for Cutting<'_> {
    fn clause(&mut self, lits: &[Lit]) {
        self.engine.clause(lits);
    }
}

impl SatEngine for Cutting<'_> {
    fn reserve(&mut self, vars: u32) {
        self.engine.reserve(vars);
    }

    fn vars(&self) -> u32 {
        self.engine.vars()
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> EngineAnswer {
        self.remember();
        let answer = self.engine.solve(assumptions, budget);
        self.whole(answer, assumptions, budget)
    }

    fn value(&mut self, lit: Lit) -> bool {
        self.engine.value(lit)
    }

    fn failed(&mut self, lit: Lit) -> bool {
        self.engine.failed(lit)
    }

    fn first_answer(&mut self, answer: &[Lit], assumptions: &[Lit], budget: &Budget) -> Option<EngineAnswer> {
        self.remember();
        let first = self.engine.first_answer(answer, assumptions, budget)?;
        Some(self.whole(first, assumptions, budget))
    }

    fn next_answer(&mut self, budget: &Budget) -> Option<EngineAnswer> {
        let next = self.engine.next_answer(budget)?;
        Some(self.whole(next, &[], budget))
    }
}
