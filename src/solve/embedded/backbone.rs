//! Backbone: the literals with the same value in every model.
//!
//! In: an engine, literals. Out: the [`Truth`] of each. The first model makes each literal a candidate for its value
//! there. Then one clause over the candidates requires a model in which some candidate differs; all that differ in it
//! are removed. If there is no such model, the remaining candidates are proven (Janota, Lynce, Marques-Silva, AI
//! Communications 28, 2015, algorithms 4 and 7). Candidates are split into chunks, so that an early end of the budget
//! leaves many of them proven.

use super::{EngineAnswer, SatEngine};
use crate::encode::Lit;
use crate::shared::{Budget, Stop};

/// The result for a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// Proven: it has this value in every model.
    Always(bool),
    /// There are models with both values.
    Varies,
    /// It has this value in every model found before the budget ended.
    SoFar(bool),
}

/// Candidates per clause: longer clauses find more differences per call, shorter ones are easier to refute.
const CHUNK: usize = 256;

/// Classifies each of `lits`; `None` if there is no model. `report` gets the number of undecided literals. If the
/// budget ends midway, undecided ones are [`Truth::SoFar`]; [`Stop`] only if no model was found.
pub fn backbone(
    engine: &mut dyn SatEngine,
    lits: &[Lit],
    budget: &Budget,
    report: &mut dyn FnMut(usize),
) -> Result<Option<Vec<Truth>>, Stop> {
    // a guard must be a new variable, even if one of these is in no clause
    engine.reserve(lits.iter().map(|lit| lit.unsigned_abs()).max().unwrap_or(0));
    match engine.solve(&[], budget) {
        EngineAnswer::Sat => {}
        EngineAnswer::Unsat => return Ok(None),
        EngineAnswer::Unknown(stop) => return Err(stop),
    }
    let mut truths: Vec<Truth> = lits.iter().map(|lit| Truth::SoFar(engine.value(*lit))).collect();
    // positions in `lits`, taken from the end
    let mut open: Vec<usize> = (0..lits.len()).rev().collect();
    while !open.is_empty() {
        report(open.len());
        let chunk = open.len().saturating_sub(CHUNK);
        let guard = engine.fresh();
        let as_seen = |at: &usize| if truths[*at] == Truth::SoFar(true) { lits[*at] } else { -lits[*at] };
        let seen: Vec<Lit> = open[chunk..].iter().map(as_seen).collect();
        let clause: Vec<Lit> = seen.iter().map(|lit| -lit).chain([-guard]).collect();
        engine.clause(&clause);
        match engine.solve(&[guard], budget) {
            EngineAnswer::Unknown(_) => break,
            EngineAnswer::Unsat => {
                for at in open.drain(chunk..) {
                    truths[at] = Truth::Always(truths[at] == Truth::SoFar(true));
                }
                seen.iter().for_each(|lit| engine.clause(&[*lit]));
            }
            EngineAnswer::Sat => {
                open.retain(|at| {
                    let same = truths[*at] == Truth::SoFar(engine.value(lits[*at]));
                    if !same {
                        truths[*at] = Truth::Varies;
                    }
                    same
                });
            }
        }
        engine.clause(&[-guard]);
    }
    Ok(Some(truths))
}
