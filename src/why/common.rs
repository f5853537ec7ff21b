//! What all solutions of a model share: for each variable the values it has in some solution.

use super::Fault;
use crate::encode::Lit;
use crate::encode::cnf::{Options, encode};
use crate::model::{Bool, Model, VarId};
use crate::shared::Budget;
use crate::solve::embedded::{Cutting, SatEngine, Truth, backbone};

/// The result for a variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The position it has in every solution.
    pub fixed: Option<u32>,
    /// The positions that are not ruled out, ascending; `None` if the domain is too large to test.
    pub possible: Option<Vec<u32>>,
}

/// What all solutions share.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Common {
    /// By variable.
    pub entries: Vec<Entry>,
    /// If false, the budget ended: the results are correct, but more may be fixed or ruled out.
    pub complete: bool,
}

/// Finds what the solutions that satisfy all of `beside` share; `None` if there is none. `allows` gives the values
/// not excluded beforehand. `report` gets the number of undecided literals.
pub fn common(
    model: &Model,
    allows: &dyn Fn(VarId, u32) -> bool,
    beside: &[Bool],
    options: Options,
    engine: &mut dyn SatEngine,
    budget: &Budget,
    report: &mut dyn FnMut(usize),
) -> Result<Option<Common>, Fault> {
    let quiet = |_| String::new();
    let (mut encoder, _) = encode(model, allows, options.lazily(), budget, engine, &quiet)?;
    let mut ctx = encoder.with(model, engine, budget);
    for term in beside {
        ctx.assert(*term)?;
    }
    let mut lits: Vec<Lit> = Vec::new();
    // by variable: the range of its value literals, or of its bits
    let mut ranges = Vec::with_capacity(model.vars.len());
    for var in 0..model.vars.len() {
        let start = lits.len();
        let values = ctx.value_literals(VarId(var as u32))?;
        match &values {
            Some(values) => lits.extend(values),
            None => lits.extend(ctx.named_literals(VarId(var as u32))),
        }
        ranges.push((values.is_some(), start..lits.len()));
    }
    let lazy = encoder.lazy();
    let truths = match backbone(&mut Cutting::new(engine, &lazy), &lits, budget, report) {
        Ok(Some(truths)) => truths,
        Ok(None) => return Ok(None),
        Err(stop) => return Err(Fault::Stop(stop)),
    };
    let complete = !truths.iter().any(|truth| matches!(truth, Truth::SoFar(_)));
    let entries = ranges.into_iter().map(|(by_value, range)| match by_value {
        true => Entry::of_values(&truths[range]),
        false => Entry { fixed: number(&truths[range]), possible: None },
    });
    Ok(Some(Common { entries: entries.collect(), complete }))
}

impl Entry {
    fn of_values(truths: &[Truth]) -> Entry {
        let possible = (0..truths.len()).filter(|at| truths[*at] != Truth::Always(false));
        let possible: Vec<u32> = possible.map(|at| at as u32).collect();
        let fixed = match possible[..] {
            [only] => Some(only),
            _ => None,
        };
        Entry { fixed, possible: Some(possible) }
    }
}

/// A number in binary whose bits are all known, lowest first.
fn number(bits: &[Truth]) -> Option<u32> {
    bits.iter().rev().try_fold(0, |number, bit| match bit {
        Truth::Always(bit) => Some(number << 1 | u32::from(*bit)),
        _ => None,
    })
}
