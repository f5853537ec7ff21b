//! A seed tried: what differs, made as small as it goes.

use super::command::{Asked, Question};
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
    /// Seeds and ways whose time was over before the answer was known.
    pub unfinished: Vec<(u64, String)>,
    pub faults: usize,
    /// Why models were refused.
    pub reasons: BTreeSet<String>,
}

impl Tally {
    #[allow(dead_code)] // the bench has a tally a thread
    pub fn add(&mut self, other: Tally) {
        self.models += other.models;
        self.large += other.large;
        self.refused += other.refused;
        self.impossible += other.impossible;
        self.ways += other.ways;
        self.unfinished.extend(other.unfinished);
        self.faults += other.faults;
        self.reasons.extend(other.reasons);
    }
}

/// Tries the model of a seed.
pub fn try_model(seed: u64, wanted: Wanted, tally: &mut Tally) -> Result<(), Box<Fault>> {
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
            Err(Wrong::Unfinished) => tally.unfinished.push((seed, format!("{way:?}"))),
            Err(Wrong::Refused(why)) => {
                tally.refused += 1;
                tally.reasons.insert(why);
                return Ok(());
            }
            Err(Wrong::Differs(why)) => {
                tally.faults += 1;
                let (model, why) = smaller(model, why, &way);
                return Err(Box::new(Fault { seed, way: format!("{way:?}"), model, why }));
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

/// A solution that is left out and one that is none are told, whoever is asked.
#[allow(dead_code)] // of the test alone
pub fn wrong_answers_are_told() {
    let mut told = 0;
    for seed in 0..60 {
        let model = Model { aim: None, ..generate::model(seed, Some(Kind::Cells)) };
        let Some(right) = solutions(&model, MOST_TRIED).filter(|found| found.all.len() > 1) else { continue };
        let mut dice = Dice::new(seed);
        let asked = Asked { question: Question::List, arguments: Vec::new() };
        for who in [Way::quick(false).who, Way::random(&mut dice, right.all.len()).who, Who::Program(asked)] {
            let way = Way { presolve: true, who };
            let mut wrong = right.clone();
            match dice.coin() {
                true => drop(wrong.all.pop_first()),
                false => {
                    let mut values = right.all.first().cloned().expect("one");
                    values[0] = super::value::Value::Int(99);
                    wrong.all.insert(values);
                }
            }
            match judge(&model, &wrong, &way) {
                Err(Wrong::Differs(_)) => told += 1,
                Err(Wrong::Large) => {}
                other => panic!("{other:?}: {way:?}\n{}", model.source()),
            }
        }
    }
    assert!(told > 50, "{told}");
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "seed {}, {}:", self.seed, self.way)?;
        writeln!(f, "{}", self.why)?;
        f.write_str(&self.model.source())
    }
}
