//! An engine whose models satisfy lazy graph constraints.
//!
//! In: an engine, and the constraints. If the engine supports lazy constraints, they are attached to it. Any other
//! engine runs repeatedly: while its model violates a constraint, cuts that exclude the model are added as clauses.

use super::{EngineAnswer, Keep, SatEngine};
use crate::encode::cuts::{Cut, Lazy};
use crate::encode::{Lit, Sink};
use crate::shared::{Budget, Stop};
use std::ops::DerefMut;
use std::rc::Rc;

/// A [`SatEngine`] around another, which it owns or borrows.
pub struct Cutting<E> {
    engine: E,
    /// The constraints that the engine does not support itself.
    lazy: Rc<[Lazy]>,
    /// The cuts of these constraints, if they are to be kept.
    kept: Option<Vec<(usize, Cut)>>,
}

impl<'x, E: DerefMut<Target = dyn SatEngine + 'x>> Cutting<E> {
    /// `engine` has the clauses of a formula that omits the constraints `lazy`.
    pub fn new(mut engine: E, lazy: &Rc<[Lazy]>) -> Cutting<E> {
        // a cut may have variables that are in no clause: the engine must not reuse them
        let literals = lazy.iter().flat_map(Lazy::literals);
        engine.reserve(literals.map(Lit::unsigned_abs).max().unwrap_or(0));
        let lazy = if engine.attach_lazy(lazy) { Rc::default() } else { lazy.clone() };
        Cutting { engine, lazy, kept: None }
    }
}

impl<'x, E: DerefMut<Target = dyn SatEngine + 'x>> Sink for Cutting<E> {
    fn clause(&mut self, lits: &[Lit]) {
        self.engine.clause(lits);
    }
}

impl<'x, E: DerefMut<Target = dyn SatEngine + 'x>> SatEngine for Cutting<E> {
    fn reserve(&mut self, vars: u32) {
        self.engine.reserve(vars);
    }

    fn vars(&self) -> u32 {
        self.engine.vars()
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> EngineAnswer {
        loop {
            let answer = self.engine.solve(assumptions, budget);
            if answer != EngineAnswer::Sat {
                return answer;
            }
            let mut cuts: Vec<(usize, Cut)> = Vec::new();
            for (at, lazy) in self.lazy.iter().enumerate() {
                let mut own = Vec::new();
                lazy.cuts(|lit| Some(self.engine.value(lit)), &mut own);
                cuts.extend(own.into_iter().map(|cut| (at, cut)));
            }
            if cuts.is_empty() {
                return answer;
            }
            cuts.iter().for_each(|(_, cut)| self.engine.clause(&cut.lits));
            if let Some(kept) = &mut self.kept {
                kept.extend(cuts);
            }
        }
    }

    fn value(&mut self, lit: Lit) -> bool {
        self.engine.value(lit)
    }

    fn failed(&mut self, lit: Lit) -> bool {
        self.engine.failed(lit)
    }

    fn first_answer(&mut self, answer: &[Lit], assumptions: &[Lit], budget: &Budget) -> Option<EngineAnswer> {
        // the engine's own enumeration ignores the lazy constraints
        if self.lazy.is_empty() { self.engine.first_answer(answer, assumptions, budget) } else { None }
    }

    fn next_answer(&mut self, budget: &Budget) -> Option<EngineAnswer> {
        self.engine.next_answer(budget)
    }

    fn probe(&mut self, lits: &[Lit], budget: &Budget) -> Result<(), Stop> {
        self.engine.probe(lits, budget)
    }

    fn keep_cuts(&mut self, which: Keep) {
        self.kept.get_or_insert_default();
        self.engine.keep_cuts(which);
    }

    fn take_cuts(&mut self) -> Vec<(usize, Cut)> {
        let mut cuts = self.kept.as_mut().map(std::mem::take).unwrap_or_default();
        cuts.extend(self.engine.take_cuts());
        cuts
    }
}
