//! Minimisation by a descending search: each model bounds the cost of the next.
//!
//! In: an engine, an [`Objective`] that encodes "cost ≤ k" as a literal. Out: the proven optimum, or the best model
//! found before the budget ended.

use super::{EngineAnswer, SatEngine};
use crate::encode::Lit;
use crate::shared::{Budget, Stop};

/// The cost to be minimised.
pub trait Objective<Fault> {
    /// The cost of the engine's current model. Called once for each better model, which the implementation may copy.
    fn cost(&mut self, engine: &mut dyn SatEngine) -> Result<i128, Fault>;

    /// A literal that implies "cost ≤ `bound`", adding clauses as needed; it is a variable of the engine, possibly
    /// negated.
    fn at_most(&mut self, engine: &mut dyn SatEngine, bound: i128) -> Result<Lit, Fault>;
}

/// The result of a minimisation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Optimum {
    /// No model is cheaper.
    Optimal(i128),
    /// The cheapest model found before the budget ended.
    Best(i128, Stop),
    Unsatisfiable,
    Unknown(Stop),
}

/// Finds a model of least cost among those that satisfy `assumptions`.
pub fn minimize<Fault>(
    engine: &mut dyn SatEngine,
    assumptions: &[Lit],
    objective: &mut dyn Objective<Fault>,
    budget: &Budget,
) -> Result<Optimum, Fault> {
    let mut assumed = assumptions.to_vec();
    let mut best = None;
    loop {
        match (engine.solve(&assumed, budget), best) {
            (EngineAnswer::Sat, _) => {}
            (EngineAnswer::Unsat, None) => return Ok(Optimum::Unsatisfiable),
            (EngineAnswer::Unsat, Some(cost)) => return Ok(Optimum::Optimal(cost)),
            (EngineAnswer::Unknown(stop), None) => return Ok(Optimum::Unknown(stop)),
            (EngineAnswer::Unknown(stop), Some(cost)) => return Ok(Optimum::Best(cost, stop)),
        }
        let cost = objective.cost(engine)?;
        best = Some(cost);
        let lit = objective.at_most(engine, cost - 1)?;
        assumed.truncate(assumptions.len());
        assumed.push(lit);
    }
}
