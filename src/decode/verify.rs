//! Values → a verified solution.
//!
//! Only this module makes a [`Solution`]: its values have been checked against every rule of the source. Knows
//! nothing of formulas and solvers.

use crate::diag::{Diagnostic, stop_diagnostic};
use crate::eval::{Eval, Named, Without};
use crate::render::{Data, Drawing};

/// Values that satisfy every rule, with drawings and printed lines.
#[derive(Clone, Debug)]
pub struct Solution {
    positions: Vec<u32>,
    drawings: Vec<Drawing>,
    values: Vec<(String, Data)>,
    objective: Option<i64>,
}

/// Why values are no solution.
#[derive(Clone, Debug)]
pub enum NoSolution {
    /// Violated rule instances.
    Broken(Vec<Named>),
    Fault(Diagnostic),
}

impl From<Diagnostic> for NoSolution {
    fn from(fault: Diagnostic) -> NoSolution {
        NoSolution::Fault(fault)
    }
}

/// Upper bound on the violated instances named.
pub const MOST_BROKEN: usize = 20;

impl Solution {
    /// Evaluates every rule of the source with the variables bound to values. Afterwards the variables are unbound
    /// again.
    pub fn verify(eval: &mut Eval<'_>, positions: &[u32], without: &Without) -> Result<Solution, NoSolution> {
        eval.bind_all(positions);
        let result = Solution::checked(eval, positions, |eval| eval.check_rules(without, MOST_BROKEN));
        eval.unbind();
        result
    }

    /// The same check on the ground rules, for later solutions of one enumeration.
    pub fn verify_ground(eval: &mut Eval<'_>, positions: &[u32]) -> Result<Solution, NoSolution> {
        let broken = eval.model.broken_within(positions, eval.budget).map_err(stop_diagnostic)?;
        let named = broken.map(|at| eval.model.rules[at].instance).map(|instance| eval.instance(instance));
        eval.bind_all(positions);
        let result = Solution::checked(eval, positions, |_| Ok(named.into_iter().collect()));
        eval.unbind();
        result
    }

    fn checked(
        eval: &mut Eval<'_>,
        positions: &[u32],
        broken: impl FnOnce(&mut Eval<'_>) -> Result<Vec<Named>, Diagnostic>,
    ) -> Result<Solution, NoSolution> {
        let broken = broken(eval)?;
        if !broken.is_empty() {
            return Err(NoSolution::Broken(broken));
        }
        let objective = eval.objective_value()?;
        let (drawings, values) = (eval.drawings()?, eval.values()?);
        Ok(Solution { positions: positions.to_vec(), drawings, values, objective })
    }

    /// A domain position for every variable.
    pub fn positions(&self) -> &[u32] {
        &self.positions
    }

    pub fn drawings(&self) -> &[Drawing] {
        &self.drawings
    }

    pub fn values(&self) -> &[(String, Data)] {
        &self.values
    }

    /// Computed by the evaluator, not taken from a solver.
    pub fn objective(&self) -> Option<i64> {
        self.objective
    }
}
