//! A minimal core: assumptions that cannot hold together, reduced to as few as possible.
//!
//! In: an engine, assumptions under which it has no model. Out: a [`Core`]. First the engine's own core is taken as
//! the new assumptions, repeatedly (Zhang, Malik 2003). Then deletion: assumptions are left out one by one, and each
//! without which there is still no model is dropped for good (Chinneck, Dravnieks 1991; with the engine's core at
//! each step as in Marques-Silva 2010).

use super::{EngineAnswer, SatEngine};
use crate::encode::Lit;
use crate::shared::{Budget, Stop};

/// Assumptions that cannot hold together, in the given order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Core {
    pub lits: Vec<Lit>,
    /// Proven: without any one of them there is a model.
    pub minimal: bool,
    /// Calls of the engine.
    pub calls: u64,
}

/// Rounds of taking the engine's core as the new assumptions; later rounds gain little.
const MOST_ROUNDS: usize = 8;

/// Shrinks `assumptions` from the end; `None` if there is a model under them. If the budget ends midway, the core may
/// not be minimal; [`Stop`] only if the first call was not answered.
pub fn core(engine: &mut dyn SatEngine, assumptions: &[Lit], budget: &Budget) -> Result<Option<Core>, Stop> {
    let mut lits = match engine.solve(assumptions, budget) {
        EngineAnswer::Sat => return Ok(None),
        EngineAnswer::Unknown(stop) => return Err(stop),
        EngineAnswer::Unsat => blamed(engine, assumptions),
    };
    let mut calls = 1;
    for _ in 1..MOST_ROUNDS {
        calls += 1;
        match engine.solve(&lits, budget) {
            EngineAnswer::Unsat => {}
            _ => return Ok(Some(Core { lits, minimal: false, calls })),
        }
        let fewer = blamed(engine, &lits);
        let same = fewer.len() == lits.len();
        lits = fewer;
        if same {
            break;
        }
    }
    // the assumptions at `open..` are proven necessary
    let mut open = lits.len();
    while open > 0 {
        open -= 1;
        let left = lits.remove(open);
        calls += 1;
        match engine.solve(&lits, budget) {
            EngineAnswer::Sat => lits.insert(open, left),
            EngineAnswer::Unsat => {
                let before = blamed(engine, &lits[..open]).len();
                lits = blamed(engine, &lits);
                open = before;
            }
            EngineAnswer::Unknown(_) => {
                lits.insert(open, left);
                return Ok(Some(Core { lits, minimal: false, calls }));
            }
        }
    }
    Ok(Some(Core { lits, minimal: true, calls }))
}

fn blamed(engine: &mut dyn SatEngine, lits: &[Lit]) -> Vec<Lit> {
    lits.iter().copied().filter(|lit| engine.failed(*lit)).collect()
}
