//! A seed tried: what differs, made as small as it goes.

use super::engines::{Way, Wrong, judge};
use super::generate;
use super::maker::MOST_TRIED;
use super::model::Model;
use crate::dice::Dice;
use std::collections::BTreeSet;
use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// A model on which a way is wrong.
pub struct Fault {
    seed: u64,
    way: String,
    model: Model,
    why: String,
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

/// Tries the model of a seed: our own engine with cuts, and `further` other ways.
pub fn try_model(seed: u64, further: usize, tally: &mut Tally) -> Result<(), Fault> {
    let model = generate::model(seed);
    let mut dice = Dice::new(!seed);
    tally.models += 1;
    let Some(expected) = model.solutions(model.param(), MOST_TRIED) else {
        tally.large += 1;
        return Ok(());
    };
    tally.impossible += usize::from(expected.all.is_empty());
    // an aim is asked of the command line
    let model = Model { aim: None, ..model };
    let expected = match expected.best {
        Some(_) => model.solutions(model.param(), MOST_TRIED).expect("as before"),
        None => expected,
    };
    let mut ways = vec![Way::quick(dice.coin())];
    if expected.all.len() <= 200 {
        ways.push(Way::parts(dice.next()));
    }
    ways.extend((0..further).map(|_| Way::random(&mut dice, expected.all.len())));
    for way in ways {
        tally.ways += 1;
        let t = std::time::Instant::now();
        let a = asked(&model, &way);
        if t.elapsed().as_millis() > 1000 {
            eprintln!("SLOW {seed} {:?} {way:?} {} sols", t.elapsed(), expected.all.len());
        }
        match a {
            None => {}
            Some(Wrong::Refused(why)) => {
                tally.refused += 1;
                tally.reasons.insert(why);
                return Ok(());
            }
            Some(Wrong::Differs(_)) => {
                let model = smaller(model, &way);
                let why = match asked(&model, &way) {
                    Some(Wrong::Differs(why)) => why,
                    other => format!("not again: {other:?}"),
                };
                return Err(Fault { seed, way: format!("{way:?}"), model, why });
            }
        }
    }
    Ok(())
}

/// What is wrong with a way.
fn asked(model: &Model, way: &Way) -> Option<Wrong> {
    let expected = model.solutions(model.param(), 8 * MOST_TRIED)?;
    match catch_unwind(AssertUnwindSafe(|| judge(model, &expected.all, way))) {
        Ok(verdict) => verdict.err(),
        Err(panic) => {
            let why = panic.downcast_ref::<String>().cloned();
            let why = why.or_else(|| panic.downcast_ref::<&str>().map(|why| (*why).to_owned()));
            Some(Wrong::Differs(format!("panics: {}", why.unwrap_or_default())))
        }
    }
}

/// Leaves out rules as long as the way is still wrong.
fn smaller(mut model: Model, way: &Way) -> Model {
    let mut at = 0;
    while at < model.rules.len() {
        let mut less = model.clone();
        less.rules.remove(at);
        match asked(&less, way) {
            Some(Wrong::Differs(_)) => model = less,
            _ => at += 1,
        }
    }
    model
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "seed {}, {}:", self.seed, self.way)?;
        writeln!(f, "{}", self.why)?;
        f.write_str(&self.model.source())
    }
}
