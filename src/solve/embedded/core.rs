//! Assumptions that cannot hold together, as few as can be had.
//!
//! In: an engine, assumptions under which it has no model. Out: a [`Core`]. First what the engine blames, again and again
//! (Zhang, Malik 2003); then one assumption after the other is left out, and those go for good without which there is still
//! no model (deletion: Chinneck, Dravnieks 1991; with the engine's blame as in Marques-Silva 2010).

use super::{EngineAnswer, SatEngine};
use crate::encode::Lit;
use crate::shared::{Budget, Stop};

/// Assumptions that cannot hold together, in the order given.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Core {
    pub lits: Vec<Lit>,
    /// Proven: without any one of them there is a model.
    pub minimal: bool,
    /// Questions asked of the engine.
    pub calls: u64,
}

/// Rounds of taking what the engine blames for all there is; later ones gain little.
const MOST_ROUNDS: usize = 8;

/// Shrinks `assumptions`, those at the end leaving first; `None` if there is a model under them. A budget that ends
/// midway leaves a core that may not be minimal; [`Stop`] only if nothing is known yet.
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
    // what stands behind `open` is needed
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
