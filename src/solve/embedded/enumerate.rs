//! All models of an engine's clauses, each projection to some literals once.
//!
//! In: an engine, the literals that tell answers apart. Out: one answer a call.
//!
//! An engine with a way of its own ([`SatEngine::first_answer`]) goes it. With any other, a found answer is excluded by a blocking clause. So that a million answers do not mean a million clauses, the space
//! is split: once a cube (a conjunction of answer literals) holds [`SPLIT`] blocking clauses, they are retired, the cube
//! is cut in two by the literal that halves the answers found in it, and each half is given the clauses of its own
//! answers. So at most `2 * SPLIT` clauses are alive for each literal that was cut by, however many answers there are.

use super::{EngineAnswer, SatEngine};
use crate::encode::Lit;
use crate::shared::{Budget, Stop};

/// Answers found in a cube before it is cut in two.
const SPLIT: usize = 256;

/// What the next look for an answer gave.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// A new answer; the engine holds its model until the next call.
    Answer,
    /// There are no others.
    Exhausted,
    /// The budget ended.
    Stopped(Stop),
}

/// Yields the models of an engine, projected; use it instead of adding blocking clauses.
pub struct Enumerator {
    answer: Vec<Lit>,
    /// Cubes not searched yet, the top is the current one.
    cubes: Vec<Cube>,
    /// The last answer, in the order of `answer`.
    last: Vec<bool>,
    pending: bool,
    way: Way,
    over: bool,
}

/// Who keeps answers from coming again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    NotBegun,
    Blocking,
    Native,
}

struct Cube {
    /// What holds in it, besides its guard; all of them assumptions.
    lits: Vec<Lit>,
    /// Answers found in it before, to be blocked when it is entered.
    found: Vec<Vec<bool>>,
    /// The literal that switches its blocking clauses on; 0 before it is entered.
    guard: Lit,
}

impl Enumerator {
    /// Enumerates the models in which `assumptions` hold, distinct in the literals `answer`.
    pub fn new(answer: Vec<Lit>, assumptions: &[Lit]) -> Enumerator {
        let whole = Cube { lits: assumptions.to_vec(), found: Vec::new(), guard: 0 };
        Enumerator {
            answer,
            cubes: vec![whole],
            last: Vec::new(),
            pending: false,
            way: Way::NotBegun,
            over: false,
        }
    }

    /// Does the engine keep answers from coming again, without blocking clauses?
    pub fn is_native(&self) -> bool {
        self.way == Way::Native
    }

    /// The last answer, literal by literal in the order given.
    pub fn last(&self) -> &[bool] {
        &self.last
    }

    /// Looks for an answer that was not given yet.
    pub fn next(&mut self, engine: &mut dyn SatEngine, budget: &Budget) -> Next {
        let found = match self.way {
            _ if self.over => EngineAnswer::Unsat,
            Way::NotBegun => {
                let first = engine.first_answer(&self.answer, &self.cubes[0].lits, budget);
                self.way = if first.is_some() { Way::Native } else { Way::Blocking };
                first.unwrap_or_else(|| self.search(engine, budget))
            }
            Way::Native => engine.next_answer(budget).unwrap_or(EngineAnswer::Unsat),
            Way::Blocking => self.search(engine, budget),
        };
        match found {
            EngineAnswer::Sat => {
                self.last.clear();
                self.last.extend(self.answer.iter().map(|lit| engine.value(*lit)));
                self.pending = true;
                Next::Answer
            }
            EngineAnswer::Unsat => {
                self.over = true;
                Next::Exhausted
            }
            EngineAnswer::Unknown(stop) => Next::Stopped(stop),
        }
    }

    /// Looks through the cubes.
    fn search(&mut self, engine: &mut dyn SatEngine, budget: &Budget) -> EngineAnswer {
        if std::mem::take(&mut self.pending) {
            self.exclude_last(engine);
        }
        while let Some(cube) = self.cubes.last_mut() {
            if cube.guard == 0 {
                // a literal that occurs in no clause is no room for a guard
                let lits = self.answer.iter().chain(&cube.lits);
                engine.reserve(lits.map(|lit| lit.unsigned_abs()).max().unwrap_or(0));
                cube.guard = engine.fresh();
                for values in &cube.found {
                    block(engine, cube.guard, &self.answer, values);
                }
                cube.lits.push(cube.guard);
            }
            match engine.solve(&cube.lits, budget) {
                EngineAnswer::Unsat => {
                    engine.clause(&[-cube.guard]);
                    self.cubes.pop();
                }
                other => return other,
            }
        }
        EngineAnswer::Unsat
    }

    fn exclude_last(&mut self, engine: &mut dyn SatEngine) {
        let Some(cube) = self.cubes.last_mut() else { return };
        if self.answer.is_empty() {
            // All models are one answer.
            self.cubes.clear();
            return;
        }
        cube.found.push(self.last.clone());
        if cube.found.len() < SPLIT {
            block(engine, cube.guard, &self.answer, &self.last);
            return;
        }
        // Distinct answers differ in some literal, so both halves are smaller than the whole.
        let half = cube.found.len() / 2;
        let imbalance = |i: &usize| cube.found.iter().filter(|values| values[*i]).count().abs_diff(half);
        let at = (0..self.answer.len()).min_by_key(imbalance).expect("an answer has literals");
        let Cube { mut lits, found, guard } = self.cubes.pop().expect("the current cube");
        engine.clause(&[-guard]);
        lits.pop();
        let (with, without): (Vec<_>, Vec<_>) = found.into_iter().partition(|values| values[at]);
        for (lit, found) in [(self.answer[at], with), (-self.answer[at], without)] {
            let lits = lits.iter().copied().chain([lit]).collect();
            self.cubes.push(Cube { lits, found, guard: 0 });
        }
    }
}

/// Excludes one answer where the guard holds.
fn block(engine: &mut dyn SatEngine, guard: Lit, answer: &[Lit], values: &[bool]) {
    let mut clause: Vec<Lit> = Vec::with_capacity(answer.len() + 1);
    clause.push(-guard);
    clause.extend(answer.iter().zip(values).map(|(lit, value)| if *value { -lit } else { *lit }));
    engine.clause(&clause);
}
