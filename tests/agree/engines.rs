//! A model through the embedded engines: formulas made in every way, and asked in every way.

use super::command::Asked;
use super::model::{Model, Solutions};
use super::parts::Formula;
use super::value::Value;
use crate::cover;
use crate::dice::Dice;
use crate::rows::{self, Rows};
use rebus::decode::positions;
use rebus::diag::{Diagnostic, Sources};
use rebus::encode::cnf::{self, Amo, Card, GraphEncoding, IntEncoding, Line, Options, SumEncoding};
use rebus::encode::{ClauseList, Lit, xcc};
use rebus::eval::{Eval, NoImports, Program, Without};
use rebus::model::VarId;
use rebus::model::presolve::{Presolved, presolve};
use rebus::shared::{Budget, Limits};
use rebus::solve::embedded::{Cutting, Enumerator, Next, Quick, SatEngine, engine};
use std::collections::BTreeSet;
use std::time::Duration;

/// How a model is put, and who is asked.
#[derive(Clone, Debug)]
pub struct Way {
    pub presolve: bool,
    pub who: Who,
}

#[derive(Clone, Debug)]
pub enum Who {
    /// The engine of our own, or the strongest; what the formula leaves out is told in cuts.
    Clauses {
        quick: bool,
        options: Options,
    },
    /// The strongest engine; then cuts of parts of its models, drawn with this seed.
    Parts(Options, u64),
    Cover(xcc::Options),
    /// The program, in a process of its own.
    Program(Asked),
    /// Linear constraints, judged by plain backtracking.
    Rows(Options),
}

/// Why there is no verdict.
#[derive(Debug)]
pub enum Wrong {
    /// The model is not one that can be asked.
    Refused(String),
    /// The formula is larger than plain backtracking is for.
    Large,
    /// The time was over before the answer was known.
    Unfinished,
    Differs(String),
}

/// Answers beyond which only the engine is asked that lists them without blocking clauses, and no cover.
const MANY: usize = 200;

/// Variables of linear constraints that plain backtracking takes on.
const MOST_VARIABLES: u32 = 70;

/// Answers beyond which no formula is made whose models outnumber them.
const FEW: usize = 40;

impl Way {
    /// The way that finds faults in cuts.
    pub fn parts(dice: &mut Dice) -> Way {
        let options = Options { int: IntEncoding::Direct, ..Options::default().lazily() };
        Way { presolve: dice.coin(), who: Who::Parts(options, dice.next()) }
    }

    pub fn quick(presolve: bool) -> Way {
        Way { presolve, who: Who::Clauses { quick: true, options: Options::default().lazily() } }
    }

    /// A way for a model with so many answers.
    pub fn random(dice: &mut Dice, answers: usize) -> Way {
        let mut options = options(dice);
        if options.graph == GraphEncoding::Tree && answers > FEW {
            options.graph = GraphEncoding::Cuts;
        }
        let who = match dice.below(8) {
            0 | 1 if answers <= MANY => Who::Cover(dice.pick(&cover::CHOICES)),
            2 if answers <= MANY => {
                let graph = GraphEncoding::Distance;
                Who::Rows(Options {
                    amo: Amo::Auto,
                    card: Card::Auto,
                    sum: SumEncoding::Auto,
                    graph,
                    ..options
                })
            }
            3 if answers <= MANY => {
                Who::Parts(Options { graph: GraphEncoding::Cuts, ..options }, dice.next())
            }
            at => Who::Clauses { quick: answers > MANY || at < 5, options },
        };
        Way { presolve: dice.coin(), who }
    }
}

fn options(dice: &mut Dice) -> Options {
    let graph = [GraphEncoding::Auto, GraphEncoding::Cuts, GraphEncoding::Tree, GraphEncoding::Distance];
    Options {
        int: dice.pick(&[IntEncoding::Auto, IntEncoding::Direct, IntEncoding::Order, IntEncoding::Log]),
        amo: dice.pick(&[Amo::Auto, Amo::Pairwise, Amo::Ladder, Amo::Product, Amo::Commander]),
        card: dice.pick(&[Card::Auto, Card::Naive, Card::Sequential, Card::Totalizer, Card::Bdd]),
        sum: dice.pick(&[
            SumEncoding::Auto,
            SumEncoding::Table,
            SumEncoding::Order,
            SumEncoding::Dd,
            SumEncoding::Adder,
        ]),
        line: dice.pick(&[Line::Auto, Line::Starts, Line::Automaton]),
        graph: dice.pick(&graph),
    }
}

/// A few thousand clauses take milliseconds.
fn budget() -> Budget {
    Budget::new(Limits { time: Some(Duration::from_secs(60)), ..Limits::default() })
}

/// Are the answers of a model these, asked in this way?
pub fn judge(model: &Model, expected: &Solutions, way: &Way) -> Result<(), Wrong> {
    match &way.who {
        Who::Program(asked) => asked.judge(model, expected),
        _ => embedded(model, &expected.all, way),
    }
}

fn embedded(model: &Model, expected: &BTreeSet<Vec<Value>>, way: &Way) -> Result<(), Wrong> {
    let mut sources = Sources::default();
    let file = sources.add("m.rebus", model.source());
    let refused = |faults: Vec<Diagnostic>| {
        let told: Vec<String> = faults.iter().map(|fault| fault.message.clone()).collect();
        Wrong::Refused(told.join("; "))
    };
    let program = Program::load(&mut sources, &mut NoImports, file, &[]).map_err(refused)?;
    let budget = budget();
    let mut eval = Eval::new(&program, &budget);
    eval.declare_all().map_err(refused)?;
    eval.ground_rules(0..program.rules.len(), &Without::default()).map_err(refused)?;
    eval.ground_outputs().map_err(|fault| refused(vec![fault]))?;
    let known = match way.presolve {
        true => presolve(&eval.model, &budget).expect("no limit"),
        false => Presolved::nothing(&eval.model),
    };
    if known.contradiction.is_some() {
        return compare(model, expected, Vec::new());
    }
    let allows = |var, position| known.allows(var, position);
    let found = match &way.who {
        Who::Clauses { quick, options } => {
            let engine: Box<dyn SatEngine> = if *quick { Box::new(Quick::new(0)) } else { engine(0) };
            clauses(&eval, &allows, engine, *options, &budget)?
        }
        Who::Parts(options, seed) => parts(&eval, &allows, *options, *seed, &budget)?,
        Who::Rows(options) => linear(&eval, &allows, *options, &budget)?,
        Who::Cover(options) => covers(&eval, &allows, *options, &budget)?,
        Who::Program(_) => unreachable!("a process of its own"),
    };
    let values = |positions: Vec<u32>| values(model, &eval, &positions);
    let found: Result<Vec<Vec<Value>>, Wrong> = found.into_iter().map(values).collect();
    match way.who {
        // all solutions, several for one answer
        Who::Rows(_) | Who::Cover(_) => {
            compare(&Model { answer: Vec::new(), ..model.clone() }, expected, found?)
        }
        _ => compare(model, expected, found?),
    }
}

type Allows<'a> = &'a dyn Fn(VarId, u32) -> bool;

fn encode(
    eval: &Eval<'_>,
    allows: Allows<'_>,
    options: Options,
    budget: &Budget,
    sink: &mut dyn rebus::encode::Sink,
) -> Result<cnf::Emission, Wrong> {
    cnf::encode(&eval.model, allows, options, budget, sink, &|_| String::new())
        .map(|(_, emission)| emission)
        .map_err(|error| Wrong::Refused(format!("{error:?}")))
}

/// Positions of all variables, an answer each.
fn clauses(
    eval: &Eval<'_>,
    allows: Allows<'_>,
    mut engine: Box<dyn SatEngine>,
    options: Options,
    budget: &Budget,
) -> Result<Vec<Vec<u32>>, Wrong> {
    let emission = encode(eval, allows, options, budget, &mut *engine)?;
    let models = models(&mut *engine, &emission, budget)?;
    models.iter().map(|model| read(&emission, |lit| model[lit as usize])).collect()
}

/// Values of all variables of the formula, a model each.
fn models(
    engine: &mut dyn SatEngine,
    emission: &cnf::Emission,
    budget: &Budget,
) -> Result<Vec<Vec<bool>>, Wrong> {
    let mut cutting = Cutting::new(engine, &emission.lazy);
    let mut enumerator = Enumerator::new(emission.answer.clone(), &[]);
    let mut found = Vec::new();
    loop {
        match enumerator.next(&mut cutting, budget) {
            Next::Answer => {
                found
                    .push((0..=emission.variables as Lit).map(|lit| lit > 0 && cutting.value(lit)).collect());
            }
            Next::Exhausted => return Ok(found),
            Next::Stopped(_) => return Err(Wrong::Unfinished),
        }
    }
}

fn read(emission: &cnf::Emission, value: impl FnMut(Lit) -> bool) -> Result<Vec<u32>, Wrong> {
    let read = positions(&emission.encodings, value);
    Ok(read.map_err(|at| Wrong::Differs(format!("no value for variable {at}")))?.0)
}

fn parts(
    eval: &Eval<'_>,
    allows: Allows<'_>,
    options: Options,
    seed: u64,
    budget: &Budget,
) -> Result<Vec<Vec<u32>>, Wrong> {
    let mut list = ClauseList::default();
    let emission = encode(eval, allows, options, budget, &mut list)?;
    let mut engine = engine(0);
    list.clauses.iter().for_each(|clause| engine.clause(clause));
    let models = models(&mut *engine, &emission, budget)?;
    let formula = Formula { clauses: &list.clauses, lazy: &emission.lazy, models: &models };
    match formula.wrong_cut(&mut Dice::new(seed)) {
        Some(why) => Err(Wrong::Differs(why)),
        None => models.iter().map(|model| read(&emission, |lit| model[lit as usize])).collect(),
    }
}

fn linear(
    eval: &Eval<'_>,
    allows: Allows<'_>,
    options: Options,
    budget: &Budget,
) -> Result<Vec<Vec<u32>>, Wrong> {
    let mut rows = Rows::default();
    let emission = encode(eval, allows, options, budget, &mut rows)?;
    if emission.variables > MOST_VARIABLES {
        return Err(Wrong::Large);
    }
    let mut found = BTreeSet::new();
    let mut twice = false;
    rows::models(emission.variables as usize, &rows.rows, &mut |values| {
        let read = positions(&emission.encodings, |lit| values[lit as usize]);
        twice |= !found.insert(read.map(|decoded| decoded.0)) && emission.is_determined();
    });
    if twice {
        return Err(Wrong::Differs("a model twice".into()));
    }
    let read: Result<Vec<Vec<u32>>, usize> = found.into_iter().collect();
    read.map_err(|at| Wrong::Differs(format!("no value for variable {at}")))
}

fn covers(
    eval: &Eval<'_>,
    allows: Allows<'_>,
    options: xcc::Options,
    budget: &Budget,
) -> Result<Vec<Vec<u32>>, Wrong> {
    let emission =
        cover::emit(&eval.model, allows, options).map_err(|error| Wrong::Refused(format!("{error:?}")))?;
    let found = cover::solutions(&emission, budget).map_err(|unknown| match unknown {
        cover::Unknown::Stopped => Wrong::Unfinished,
        cover::Unknown::Unreadable(why) => Wrong::Differs(why),
    })?;
    Ok(found.into_iter().map(|(values, _)| values).collect())
}

/// The values at these positions, by the texts of both.
fn values(model: &Model, eval: &Eval<'_>, positions: &[u32]) -> Result<Vec<Value>, Wrong> {
    let value = |(at, position): (usize, &u32)| {
        let text = eval.value_text(VarId(at as u32), *position);
        let found = model.vars[at].domain.iter().find(|value| value.to_string() == text);
        found.copied().ok_or_else(|| Wrong::Differs(format!("`{}` is `{text}`", model.vars[at].name)))
    };
    positions.iter().enumerate().map(value).collect()
}

/// Are these the answers wanted, each once?
pub fn compare(model: &Model, expected: &BTreeSet<Vec<Value>>, found: Vec<Vec<Value>>) -> Result<(), Wrong> {
    let answers = |solutions: &BTreeSet<Vec<Value>>| model.answers(solutions);
    let number = found.len();
    let set: BTreeSet<Vec<Value>> = found.into_iter().collect();
    let told = |values: &Vec<Value>| {
        let pairs = model.vars.iter().zip(values).map(|(var, value)| format!("{} = {value}", var.name));
        pairs.collect::<Vec<_>>().join(", ")
    };
    let differs = |what: String| {
        Err(Wrong::Differs(format!("{what}; {number} found, {} expected", answers(expected).len())))
    };
    if let Some(values) = set.difference(expected).next() {
        return differs(format!("no solution: {}", told(values)));
    }
    let found = answers(&set);
    if found.len() < number {
        return differs("an answer twice".into());
    }
    let lost =
        expected.iter().find(|values| !answers(&BTreeSet::from([(*values).clone()])).is_subset(&found));
    lost.map_or(Ok(()), |values| differs(format!("missing: {}", told(values))))
}
