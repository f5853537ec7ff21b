//! All models of an engine's clauses, each projection to the answer literals once.
//!
//! In: an engine, the answer literals. Out: one answer a call.
//!
//! An engine that enumerates by itself ([`SatEngine::first_answer`]) does so. With any other, a blocking clause
//! excludes each answer. To avoid a million clauses for a million answers, the space is split into cubes
//! (conjunctions of answer literals). Once a cube has [`SPLIT`] blocking clauses, they are retired, and the cube is
//! split by the literal that best halves the answers found in it; each half gets the blocking clauses of its own
//! answers. So at most `2 * SPLIT` clauses are active for each split literal, for any number of answers.

use super::{EngineAnswer, SatEngine};
use crate::encode::Lit;
use crate::shared::{Budget, Stop};

/// Answers found in a cube before it is split.
const SPLIT: usize = 256;

/// The result of looking for the next answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// A new answer; the engine holds its model until the next call.
    Answer,
    /// There is no further answer.
    Exhausted,
    /// The budget ended.
    Stopped(Stop),
}

/// Enumerates the projected models of an engine; use it instead of adding blocking clauses.
pub struct Enumerator {
    answer: Vec<Lit>,
    /// Cubes not exhausted yet; the top is the current one.
    cubes: Vec<Cube>,
    /// The last answer, in the order of `answer`.
    last: Vec<bool>,
    pending: bool,
    way: Way,
    over: bool,
}

/// What prevents repeated answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Way {
    NotBegun,
    Blocking,
    Native,
}

struct Cube {
    /// The literals of the cube, without its guard; all of them are assumptions.
    lits: Vec<Lit>,
    /// Answers found before the split, to be blocked when the search enters the cube.
    found: Vec<Vec<bool>>,
    /// The literal that enables its blocking clauses; 0 before the search enters the cube.
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

    /// Does the engine prevent repeated answers by itself, without blocking clauses?
    pub fn is_native(&self) -> bool {
        self.way == Way::Native
    }

    /// The last answer: a value for each answer literal.
    pub fn last(&self) -> &[bool] {
        &self.last
    }

    /// Looks for a new answer.
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

    /// Searches the cubes.
    fn search(&mut self, engine: &mut dyn SatEngine, budget: &Budget) -> EngineAnswer {
        if std::mem::take(&mut self.pending) {
            self.exclude_last(engine);
        }
        while let Some(cube) = self.cubes.last_mut() {
            if cube.guard == 0 {
                // a guard must be a new variable, even if one of these is in no clause
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
            // Without answer literals, all models are one answer.
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

/// Excludes an answer under a guard.
fn block(engine: &mut dyn SatEngine, guard: Lit, answer: &[Lit], values: &[bool]) {
    let mut clause: Vec<Lit> = Vec::with_capacity(answer.len() + 1);
    clause.push(-guard);
    clause.extend(answer.iter().zip(values).map(|(lit, value)| if *value { -lit } else { *lit }));
    engine.clause(&clause);
}
