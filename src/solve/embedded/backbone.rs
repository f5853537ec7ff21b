//! Which literals are the same in every model.
//!
//! In: an engine, literals. Out: for each what is known of it. One model leaves every literal as a candidate for the value it
//! has there; then a model is asked for in which some candidate differs, by one clause of them all, and all that differ are
//! crossed out; where there is none, what is left is proven (Janota, Lynce, Marques-Silva, AI Communications 28, 2015,
//! algorithms 4 and 7). Candidates come in chunks, so that a budget that ends early leaves much proven.

use super::{EngineAnswer, SatEngine};
use crate::encode::Lit;
use crate::shared::{Budget, Stop};

/// What is known of a literal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Truth {
    /// Proven: it has this value in every model.
    Always(bool),
    /// There are models of both kinds.
    Varies,
    /// It had this value in every model seen before the budget ended.
    SoFar(bool),
}

/// Candidates in one clause: long ones find more differences a call, short ones are easier to refute.
const CHUNK: usize = 256;

/// Finds out about each of `lits`; `None` if there is no model. `tell` hears how many are still to be decided. A budget that
/// ends midway leaves [`Truth::SoFar`]; [`Stop`] only if not even one model is known.
pub fn backbone(
    engine: &mut dyn SatEngine,
    lits: &[Lit],
    budget: &Budget,
    tell: &mut dyn FnMut(usize),
) -> Result<Option<Vec<Truth>>, Stop> {
    // a literal that occurs in no clause is no room for a guard
    engine.reserve(lits.iter().map(|lit| lit.unsigned_abs()).max().unwrap_or(0));
    match engine.solve(&[], budget) {
        EngineAnswer::Sat => {}
        EngineAnswer::Unsat => return Ok(None),
        EngineAnswer::Unknown(stop) => return Err(stop),
    }
    let mut truths: Vec<Truth> = lits.iter().map(|lit| Truth::SoFar(engine.value(*lit))).collect();
    // by position, the last are looked at first
    let mut open: Vec<usize> = (0..lits.len()).rev().collect();
    while !open.is_empty() {
        tell(open.len());
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
