//! Rules that cannot hold together and form a minimal set.
//!
//! Every rule is encoded under its own selector literal, and all selectors are assumed. Starting from one minimal
//! set, further ones are searched: the rules are tried in several orders, and the smallest set found is kept. It need
//! not be a smallest set: finding one is harder by a level of the polynomial hierarchy (Liberatore 2005).

use super::Fault;
use crate::decode::{Decoded, positions};
use crate::encode::Lit;
use crate::encode::cnf::{Options, encode_switched};
use crate::model::{Bool, Model};
use crate::shared::Budget;
use crate::solve::embedded::{Core, SatEngine, core};
use rustc_hash::FxHashMap;

/// Rules that cannot hold together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Clash {
    /// Positions in [`Model::rules`], ascending.
    pub rules: Vec<usize>,
    /// Proven: without any one of them the others can hold.
    pub minimal: bool,
}

/// Can rules hold together?
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Clash(Clash),
    /// They can: a position for every variable.
    Holds(Vec<u32>),
}

/// The effort to find a smaller set once there is one; counted in calls, so that the same model gives the same set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    pub orders: u32,
    /// Calls of the engine after which no further order is tried.
    pub calls: u64,
}

impl Default for Effort {
    fn default() -> Effort {
        Effort { orders: 64, calls: 4000 }
    }
}

/// Steps that may be spent on a smaller set, however soon the first was found.
const LEAST_WORK: u64 = 1 << 16;

/// Finds a small minimal set among the rules at the positions `among` that cannot hold where all of `beside` does, or values
/// with which they hold. `tell` hears how many rules the smallest set has so far.
///
/// If the budget ends midway, the result is the smallest set so far; it is an error only if there is none yet.
#[allow(clippy::too_many_arguments)]
pub fn clash(
    model: &Model,
    among: &[usize],
    beside: &[Bool],
    options: Options,
    engine: &mut dyn SatEngine,
    effort: Effort,
    budget: &Budget,
    report: &mut dyn FnMut(usize),
) -> Result<Verdict, Fault> {
    let terms: Vec<Bool> = among.iter().map(|rule| model.rules[*rule].what).collect();
    let (mut encoder, selectors) = encode_switched(model, &terms, options.whole(), budget, engine)?;
    let mut ctx = encoder.with(model, engine, budget);
    for term in beside {
        ctx.assert(*term)?;
    }
    let rule_of: FxHashMap<Lit, usize> =
        selectors.iter().zip(among).map(|(selector, rule)| (*selector, *rule)).collect();
    // rules with many variables are left out first: rules with few are easier to follow
    let mut order: Vec<(usize, Lit)> = terms
        .iter()
        .zip(&selectors)
        .map(|(term, selector)| (model.touched(*term).len(), *selector))
        .collect();
    order.sort_by_key(|(width, _)| *width);
    let mut order: Vec<Lit> = order.into_iter().map(|(_, selector)| selector).collect();
    let mut best: Option<Core> = None;
    let mut calls = 0;
    let whole = budget.slice(u64::MAX);
    let mut allowed = None;
    let mut random = 0x9e37_79b9_7f4a_7c15;
    for _ in 0..effort.orders.max(1) {
        let found = match (core(engine, &order, allowed.as_ref().unwrap_or(&whole)), &best) {
            (Ok(Some(found)), _) => found,
            (Ok(None), _) => {
                let values = positions(&encoder.encodings, |lit| engine.value(lit));
                return values.map(|Decoded(values)| Verdict::Holds(values)).map_err(Fault::Model);
            }
            (Err(stop), None) => return Err(Fault::Stop(stop)),
            (Err(_), Some(_)) => break,
        };
        calls += found.calls;
        let better = |best: &Core| found.minimal && (!best.minimal || found.lits.len() < best.lits.len());
        if best.as_ref().is_none_or(better) {
            report(found.lits.len());
            best = Some(found);
        }
        // a smaller set is worth as much work as the first
        allowed.get_or_insert_with(|| budget.slice(whole.steps().max(LEAST_WORK)));
        // one rule, or none, is as few as can be
        let done = best.as_ref().is_some_and(|best| best.minimal && best.lits.len() < 2);
        if done || calls >= effort.calls {
            break;
        }
        shuffle(&mut order, &mut random);
    }
    let (lits, minimal) = best.map_or((order, false), |core| (core.lits, core.minimal));
    let mut rules: Vec<usize> = lits.iter().map(|selector| rule_of[selector]).collect();
    rules.sort_unstable();
    Ok(Verdict::Clash(Clash { rules, minimal }))
}

/// Shuffles by the method of Fisher and Yates, with Marsaglia's xorshift.
fn shuffle(list: &mut [Lit], state: &mut u64) {
    for at in (1..list.len()).rev() {
        *state ^= *state << 13;
        *state ^= *state >> 7;
        *state ^= *state << 17;
        list.swap(at, (*state >> 20) as usize % (at + 1));
    }
}
