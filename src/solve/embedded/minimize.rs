//! The least cost of a model, by a search downwards.
//!
//! In: an engine, an [`Objective`] that can say "cost at most k" as a literal. Out: the optimum, proven, or the best
//! that was found when the budget ended.

use super::{EngineAnswer, SatEngine};
use crate::encode::Lit;
use crate::shared::{Budget, Stop};

/// What is to be minimised.
pub trait Objective {
    /// The cost of the model that the engine holds. Called once for each better model: the place to copy it.
    fn cost(&mut self, engine: &mut dyn SatEngine) -> i64;

    /// A literal that implies "cost ≤ `bound`", adding clauses as needed; `None` if no model can be as cheap.
    fn at_most(&mut self, engine: &mut dyn SatEngine, bound: i64) -> Option<Lit>;
}

/// How a minimisation ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Optimum {
    /// No model is cheaper.
    Optimal(i64),
    /// The cheapest model found before the budget ended.
    Best(i64, Stop),
    Unsatisfiable,
    Unknown(Stop),
}

/// Finds a model of least cost among those in which `assumptions` hold.
pub fn minimize(
    engine: &mut dyn SatEngine,
    assumptions: &[Lit],
    objective: &mut dyn Objective,
    budget: &Budget,
) -> Optimum {
    let mut assumed = assumptions.to_vec();
    let mut best = None;
    loop {
        match (engine.solve(&assumed, budget), best) {
            (EngineAnswer::Sat, _) => {}
            (EngineAnswer::Unsat, None) => return Optimum::Unsatisfiable,
            (EngineAnswer::Unsat, Some(cost)) => return Optimum::Optimal(cost),
            (EngineAnswer::Unknown(stop), None) => return Optimum::Unknown(stop),
            (EngineAnswer::Unknown(stop), Some(cost)) => return Optimum::Best(cost, stop),
        }
        let cost = objective.cost(engine);
        best = Some(cost);
        let bound = cost.checked_sub(1).and_then(|bound| objective.at_most(engine, bound));
        let Some(lit) = bound else { return Optimum::Optimal(cost) };
        assumed.truncate(assumptions.len());
        assumed.push(lit);
    }
}
