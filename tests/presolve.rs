//! Presolve against brute force: it keeps every solution, and what it calls a clash is one.

#[path = "common/dice.rs"]
mod dice;
#[path = "presolve/graphs.rs"]
mod graphs;
#[path = "presolve/propagators.rs"]
mod propagators;
#[path = "presolve/random.rs"]
mod random;

use rebus::model::{Asserted, Bool, Domain, Instance, Model, Presolved, VarId, presolve};
use rebus::shared::Budget;

fn rule(number: u32, what: Bool) -> Asserted {
    Asserted { what, instance: Instance { rule: number, ordinal: 0 } }
}

fn assert_rules(model: &mut Model, rules: &[Bool]) {
    model.rules = rules.iter().enumerate().map(|(number, what)| rule(number as u32, *what)).collect();
}

fn run(model: &Model) -> Presolved {
    presolve(model, &Budget::unlimited()).unwrap()
}

fn numbers(result: &Presolved) -> Option<Vec<u32>> {
    result.contradiction.as_ref().map(|list| list.iter().map(|instance| instance.rule).collect())
}

fn each_assignment(model: &Model, mut visit: impl FnMut(&[u32])) {
    let sizes: Vec<u32> = model.vars.iter().map(|domain| domain.size() as u32).collect();
    let mut values = vec![0u32; sizes.len()];
    loop {
        visit(&values);
        let Some(at) = (0..sizes.len()).find(|at| values[*at] + 1 < sizes[*at]) else { return };
        values[at] += 1;
        values[..at].fill(0);
    }
}

fn bool_vars(model: &mut Model, count: usize) -> Vec<Bool> {
    (0..count)
        .map(|_| {
            let var = model.add_var(Domain::Bool);
            model.arena.var_bool(var)
        })
        .collect()
}

/// Checks a result against all assignments.
fn check(model: &Model, result: &Presolved, what: &str) {
    each_assignment(model, |values| {
        if let Some(instances) = &result.contradiction {
            assert!(!instances.is_empty(), "{what}: a clash of nothing");
            let all = model.rules.iter().filter(|rule| instances.contains(&rule.instance));
            let hold = all.clone().all(|rule| model.holds(rule.what, values));
            assert!(!hold, "{what}: {instances:?} hold under {values:?}");
        } else if model.broken(values).is_none() {
            for (var, position) in values.iter().enumerate() {
                assert!(
                    result.allows(VarId(var as u32), *position),
                    "{what}: variable {var} lost {position} of the solution {values:?}"
                );
            }
        }
    });
}
