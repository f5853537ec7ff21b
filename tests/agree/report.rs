//! A seed tried: what differs, made as small as it goes.

use super::command::Asked;
use super::engines::{Way, Who, Wrong, judge};
use super::generate::{self, Kind};
use super::maker::MOST_TRIED;
use super::model::{Model, Solutions};
use crate::dice::Dice;
use std::collections::BTreeSet;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Solutions beyond which a model takes longer than it is worth.
const MOST_SOLUTIONS: usize = 4000;
/// Solutions up to which parts of them are looked at.
const SOME_SOLUTIONS: usize = 200;

/// A model on which a way is wrong.
pub struct Fault {
    seed: u64,
    way: String,
    model: Model,
    why: String,
}

/// What is to be tried of each model.
#[derive(Clone, Copy, Debug)]
pub struct Wanted {
    pub kind: Option<Kind>,
    /// Ways besides our own engine with cuts.
    pub further: usize,
    /// One model of so many is asked of the program, one with an aim always.
    pub program: Option<usize>,
}

/// What came of the models so far.
#[derive(Debug, Default)]
pub struct Tally {
    pub models: usize,
    /// Too many values would have to be tried.
    pub large: usize,
    pub refused: usize,
    /// Without solutions.
    pub impossible: usize,
    pub ways: usize,
    /// Why models were refused.
    pub reasons: BTreeSet<String>,
}

/// Tries the model of a seed.
pub fn try_model(seed: u64, wanted: Wanted, tally: &mut Tally) -> Result<(), Fault> {
    let model = generate::model(seed, wanted.kind);
    let mut dice = Dice::new(!seed);
    tally.models += 1;
    let plain = Model { aim: None, ..model.clone() };
    let Some(all) = solutions(&plain, MOST_TRIED) else {
        tally.large += 1;
        return Ok(());
    };
    tally.impossible += usize::from(all.all.is_empty());
    let number = plain.answers(&all.all).len();
    let mut ways = vec![Way::quick(dice.coin())];
    if all.all.len() <= SOME_SOLUTIONS {
        ways.push(Way::parts(&mut dice));
    }
    ways.extend((0..wanted.further).map(|_| Way::random(&mut dice, number)));
    if let Some(one_in) = wanted.program
        && number <= SOME_SOLUTIONS
        && (model.aim.is_some() || dice.one_in(one_in))
    {
        let Some(best) = solutions(&model, MOST_TRIED) else { return Ok(()) };
        let asked = Asked::random(&mut dice, &model, model.answers(&best.all).len());
        ways.push(Way { presolve: true, who: Who::Program(asked) });
    }
    for way in ways {
        tally.ways += 1;
        match asked(&model, &way) {
            Ok(()) => {}
            Err(Wrong::Large) => tally.ways -= 1,
            Err(Wrong::Refused(why)) => {
                tally.refused += 1;
                tally.reasons.insert(why);
                return Ok(());
            }
            Err(Wrong::Differs(why)) => {
                let (model, why) = smaller(model, why, &way);
                return Err(Fault { seed, way: format!("{way:?}"), model, why });
            }
        }
    }
    Ok(())
}

fn solutions(model: &Model, most: usize) -> Option<Solutions> {
    model.solutions(model.param(), most).filter(|found| found.all.len() <= MOST_SOLUTIONS)
}

/// What is wrong with a way; only the program is asked for the best.
fn asked(model: &Model, way: &Way) -> Result<(), Wrong> {
    let plain;
    let model = match way.who {
        Who::Program(_) => model,
        _ => {
            plain = Model { aim: None, ..model.clone() };
            &plain
        }
    };
    let Some(expected) = solutions(model, 8 * MOST_TRIED) else { return Err(Wrong::Large) };
    catch_unwind(AssertUnwindSafe(|| judge(model, &expected, way))).unwrap_or_else(|panic| {
        let why = panic.downcast_ref::<String>().cloned();
        let why = why.or_else(|| panic.downcast_ref::<&str>().map(|why| (*why).to_owned()));
        Err(Wrong::Differs(format!("panics: {}", why.unwrap_or_default())))
    })
}

/// Leaves out rules, and what else can be spared, as long as the way is still wrong.
fn smaller(mut model: Model, mut why: String, way: &Way) -> (Model, String) {
    let mut try_less = |model: &mut Model, less: Model| match asked(&less, way) {
        Err(Wrong::Differs(other)) => {
            (*model, why) = (less, other);
            true
        }
        _ => false,
    };
    let less = Model { aim: None, ..model.clone() };
    try_less(&mut model, less);
    let less = Model { answer: Vec::new(), ..model.clone() };
    try_less(&mut model, less);
    let mut at = 0;
    while at < model.rules.len() {
        let mut less = model.clone();
        less.rules.remove(at);
        if !try_less(&mut model, less) {
            at += 1;
        }
    }
    (model, why)
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "seed {}, {}:", self.seed, self.way)?;
        writeln!(f, "{}", self.why)?;
        f.write_str(&self.model.source())
    }
}
