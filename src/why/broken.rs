//! Rules that an answer breaks, also one with gaps.

use super::Fault;
use crate::encode::cnf::{Options, encode_switched};
use crate::model::{Bool, Domain, Model, VarId};
use crate::shared::Budget;
use crate::solve::embedded::{EngineAnswer, SatEngine};

/// The rules, as positions in [`Model::rules`] and at most `most`, that cannot hold with these domain positions of the
/// variables and where all of `beside` holds, whatever the variables without a position are. Each rule is looked at
/// alone: together they may rule out more.
pub fn broken(
    model: &mut Model,
    positions: &[Option<u32>],
    beside: &[Bool],
    most: usize,
    options: Options,
    engine: &mut dyn SatEngine,
    budget: &Budget,
) -> Result<Vec<usize>, Fault> {
    let filled: Vec<u32> = positions.iter().map(|position| position.unwrap_or(0)).collect();
    let (mut broken, mut open) = (Vec::new(), Vec::new());
    for (at, rule) in model.rules.iter().enumerate() {
        budget.check().map_err(Fault::Stop)?;
        let vars = model.touched(rule.what);
        if vars.iter().any(|var| positions[var.0 as usize].is_none()) {
            open.push(at);
        } else if !model.holds(rule.what, &filled) {
            broken.push(at);
        }
    }
    if !open.is_empty() && broken.len() < most {
        broken.extend(impossible(model, &open, positions, beside, most - broken.len(), options, engine, budget)?);
        broken.sort_unstable();
    }
    broken.truncate(most);
    Ok(broken)
}

/// Those of `open` that no values of the open variables keep.
fn impossible(
    model: &mut Model,
    open: &[usize],
    positions: &[Option<u32>],
    beside: &[Bool],
    most: usize,
    options: Options,
    engine: &mut dyn SatEngine,
    budget: &Budget,
) -> Result<Vec<usize>, Fault> {
    let known: Vec<Bool> = (0..)
        .zip(positions)
        .filter_map(|(var, position)| position.map(|position| (VarId(var), position)))
        .map(|(var, position)| match model.domain(var) {
            Domain::Bool if position == 0 => !model.arena.var_bool(var),
            Domain::Bool => model.arena.var_bool(var),
            _ => model.arena.is(var, position),
        })
        .collect();
    let terms: Vec<Bool> = open.iter().map(|rule| model.rules[*rule].what).collect();
    let (mut encoder, switches) = encode_switched(model, &terms, options.whole(), budget, engine)?;
    let mut ctx = encoder.with(model, engine, budget);
    for term in known.iter().chain(beside) {
        ctx.assert(*term)?;
    }
    let mut found = Vec::new();
    for (rule, switch) in open.iter().zip(switches) {
        match engine.solve(&[switch], budget) {
            EngineAnswer::Sat => {}
            EngineAnswer::Unsat => found.push(*rule),
            EngineAnswer::Unknown(stop) => return Err(Fault::Stop(stop)),
        }
        if found.len() == most {
            break;
        }
    }
    Ok(found)
}
