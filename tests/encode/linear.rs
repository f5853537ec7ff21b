//! The encoder's linear constraints against brute force.

use super::rows::{Rows, models};
use super::{compare_models, decoded};
use rebus::encode::Lit;
use rebus::encode::cnf::{self, Options};
use rebus::model::{Model, VarId};
use rebus::shared::Budget;
use std::collections::BTreeSet;

/// Encodes into linear constraints, and compares their models with the solutions; of an objective also the cost.
pub fn judge(
    model: &Model,
    allows: &dyn Fn(VarId, u32) -> bool,
    options: Options,
    wanted: &BTreeSet<Vec<u32>>,
) {
    let mut kept = Rows::default();
    let budget = Budget::unlimited();
    let (_, emission) = cnf::encode(model, allows, options, &budget, &mut kept, &|_| String::new()).unwrap();
    compare_models(&mut |found| models(emission.variables as usize, &kept.rows, found), &emission, wanted);
    let (Some(cost), Some(objective)) = (&emission.cost, model.objective) else { return };
    models(emission.variables as usize, &kept.rows, &mut |values| {
        let on = |lit: Lit| i64::from(values[lit as usize]);
        let told = cost.constant + cost.terms.iter().map(|(coef, lit)| coef * on(*lit)).sum::<i64>();
        let value = model.value(objective.value, &decoded(&emission, values));
        assert_eq!(told, if objective.maximize { -value } else { value });
        assert!(told >= cost.lo && told <= cost.hi);
    });
}
