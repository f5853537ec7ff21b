//! One model, judged every way there is: the source with all variables bound, the ground rules, and the clauses of several
//! encodings and their linear constraints, each against every assignment.

use crate::cover;
use crate::rows::{self, Rows};
use rebus::decode::{Decoded, positions};
use rebus::diag::{Diagnostic, Sources};
use rebus::encode::cnf::{self, Amo, Card, GraphEncoding, IntEncoding, Line, Options, SumEncoding};
use rebus::encode::xcc;
use rebus::eval::{Eval, NoImports, Program, Without};
use rebus::model::presolve::presolve;
use rebus::model::{Answer, Model, VarId};
use rebus::shared::Budget;
use rebus::solve::embedded::{Enumerator, Next, engine};
use std::collections::{BTreeMap, BTreeSet};

/// Each encoding of each kind at least once; the last two after presolve.
pub const CHOICES: [(Options, bool); 5] = [
    (
        Options {
            int: IntEncoding::Direct,
            amo: Amo::Pairwise,
            card: Card::Naive,
            sum: SumEncoding::Table,
            line: Line::Starts,
            graph: GraphEncoding::Distance,
        },
        false,
    ),
    (
        Options {
            int: IntEncoding::Order,
            amo: Amo::Ladder,
            card: Card::Sequential,
            sum: SumEncoding::Order,
            line: Line::Automaton,
            graph: GraphEncoding::Tree,
        },
        false,
    ),
    (
        Options {
            int: IntEncoding::Log,
            amo: Amo::Product,
            card: Card::Totalizer,
            sum: SumEncoding::Dd,
            line: Line::Starts,
            graph: GraphEncoding::Distance,
        },
        false,
    ),
    (
        Options {
            int: IntEncoding::Direct,
            amo: Amo::Commander,
            card: Card::Bdd,
            sum: SumEncoding::Adder,
            line: Line::Automaton,
            graph: GraphEncoding::Tree,
        },
        true,
    ),
    (
        Options {
            int: IntEncoding::Auto,
            amo: Amo::Auto,
            card: Card::Auto,
            sum: SumEncoding::Auto,
            line: Line::Auto,
            graph: GraphEncoding::Auto,
        },
        true,
    ),
];

#[derive(Debug)]
pub enum Wrong {
    /// The model does not load or ground.
    Refused(String),
    /// Two ways disagree.
    Differs(String),
}

fn messages(faults: &[Diagnostic]) -> String {
    faults.iter().map(|fault| fault.message.clone()).collect::<Vec<_>>().join("; ")
}

/// The number of solutions, if all ways agree on them.
pub fn judge(source: &str, choices: &[(Options, bool)]) -> Result<usize, Wrong> {
    let mut sources = Sources::default();
    let file = sources.add("m.rebus", source);
    let refused = |faults: Vec<Diagnostic>| Wrong::Refused(messages(&faults));
    let program = Program::load(&mut sources, &mut NoImports, file, &[]).map_err(refused)?;
    let budget = Budget::unlimited();
    let mut eval = Eval::new(&program, &budget);
    eval.declare_all().map_err(refused)?;
    eval.ground_rules(0..program.rules.len(), &Without::default()).map_err(refused)?;
    eval.ground_outputs().map_err(|fault| refused(vec![fault]))?;
    let sizes: Vec<u32> = eval.model.vars.iter().map(|domain| domain.size() as u32).collect();
    let mut solutions: BTreeSet<Vec<u32>> = BTreeSet::new();
    let mut values = vec![0u32; sizes.len()];
    let mut more = sizes.iter().all(|size| *size > 0);
    while more {
        let ground = eval.model.broken(&values).is_none();
        eval.bind_all(&values);
        let broken = eval.check_rules(&Without::default(), 1);
        eval.unbind();
        let bound = match broken {
            Ok(broken) => broken.is_empty(),
            Err(fault) => {
                return Err(Wrong::Differs(format!("{values:?}: checking fails: {}", fault.message)));
            }
        };
        if ground != bound {
            return Err(Wrong::Differs(format!("{values:?}: ground {ground}, bound {bound}")));
        }
        if bound {
            solutions.insert(values.clone());
        }
        more = false;
        for (value, size) in values.iter_mut().zip(&sizes) {
            *value += 1;
            if *value < *size {
                more = true;
                break;
            }
            *value = 0;
        }
    }
    for (options, first) in choices {
        let presolved = first.then(|| presolve(&eval.model, &budget).expect("no limit"));
        if let Some(presolved) = &presolved {
            if presolved.contradiction.is_some() {
                if !solutions.is_empty() {
                    return Err(Wrong::Differs(format!("presolve says none of {solutions:?}")));
                }
                continue;
            }
            if let Some(lost) = solutions.iter().find(|values| {
                values.iter().enumerate().any(|(var, value)| !presolved.allows(VarId(var as u32), *value))
            }) {
                return Err(Wrong::Differs(format!("presolve loses {lost:?}")));
            }
        }
        let allows = |var, position| presolved.as_ref().is_none_or(|p| p.allows(var, position));
        let mut engine = engine(0);
        let (_, emission) =
            cnf::encode(&eval.model, &allows, *options, &budget, &mut *engine, &|_| String::new())
                .map_err(|error| Wrong::Refused(format!("{error:?}")))?;
        let mut models = Vec::new();
        // over all variables of the formula: an auxiliary that is not determined, as is promised, shows as a second answer
        let last = if emission.is_determined() { emission.variables } else { emission.named };
        let mut enumerator = Enumerator::new((1..=last as i32).collect(), &[]);
        while enumerator.next(&mut *engine, &budget) == Next::Answer {
            models.push(positions(&emission.encodings, |lit| engine.value(lit)).ok());
        }
        agree(&solutions, models, &format!("{options:?}, presolved {first}"))?;

        // as linear constraints, which take the place of three of the choices
        let whole = Options { amo: Amo::Auto, card: Card::Auto, sum: SumEncoding::Auto, ..*options };
        let mut rows = Rows::default();
        let (_, emission) = cnf::encode(&eval.model, &allows, whole, &budget, &mut rows, &|_| String::new())
            .map_err(|error| Wrong::Refused(format!("{error:?}")))?;
        let mut models = Vec::new();
        rows::models(emission.variables as usize, &rows.rows, &mut |values| {
            models.push(positions(&emission.encodings, |lit| values[lit as usize]).ok());
        });
        if !emission.is_determined() {
            models
                .sort_unstable_by(|a, b| a.as_ref().map(|one| &one.0).cmp(&b.as_ref().map(|other| &other.0)));
            models.dedup();
        }
        agree(&solutions, models, &format!("linear, {:?}, presolved {first}", options.int))?;
    }
    // a different form of cover for every model, with and without presolve
    let form = solutions.len() + sizes.len() + source.len();
    let options = cover::CHOICES[form % cover::CHOICES.len()];
    judge_cover(&eval.model, &|_, _| true, options, &solutions)?;
    let options = cover::CHOICES[(form + 2) % cover::CHOICES.len()];
    let known = presolve(&eval.model, &budget).expect("no limit");
    if known.contradiction.is_none() {
        let allows = |var, position| known.allows(var, position);
        judge_cover(&eval.model, &allows, options, &solutions)?;
    }
    Ok(solutions.len())
}

/// Are the models just the solutions, each once?
fn agree(solutions: &BTreeSet<Vec<u32>>, models: Vec<Option<Decoded>>, how: &str) -> Result<(), Wrong> {
    let differs = |what: String| Err(Wrong::Differs(format!("{how}: {what}")));
    let mut found: BTreeSet<Vec<u32>> = BTreeSet::new();
    for model in models {
        let Some(Decoded(values)) = model else { return differs("no value for a variable".into()) };
        if !solutions.contains(&values) {
            return differs(format!("{values:?} is none"));
        }
        if !found.insert(values.clone()) {
            return differs(format!("{values:?} twice"));
        }
    }
    match solutions.difference(&found).next() {
        Some(lost) => differs(format!("{lost:?} is lost")),
        None => Ok(()),
    }
}

/// The cover has just these solutions, each once.
fn judge_cover(
    model: &Model,
    allows: &dyn Fn(VarId, u32) -> bool,
    options: xcc::Options,
    solutions_of_model: &BTreeSet<Vec<u32>>,
) -> Result<(), Wrong> {
    let emission =
        cover::emit(model, allows, options).map_err(|error| Wrong::Refused(format!("{error:?}")))?;
    let differs = |how: String| Err(Wrong::Differs(format!("{options:?}: {how}")));
    let found = match cover::solutions(&emission, &Budget::unlimited()) {
        Ok(found) => found,
        Err(cover::Unknown::Stopped) => return differs("no end".into()),
        Err(cover::Unknown::Unreadable(why)) => return differs(why),
    };
    let set: BTreeSet<Vec<u32>> = found.iter().map(|(values, _)| values.clone()).collect();
    if set.len() < found.len() {
        return differs(format!("{} solutions, but {} different ones", found.len(), set.len()));
    }
    if let Some(values) = set.difference(solutions_of_model).next() {
        return differs(format!("{values:?} is none"));
    }
    if let Some(lost) = solutions_of_model.difference(&set).next() {
        return differs(format!("{lost:?} is lost"));
    }
    // the literals tell answers apart just as the values do
    let Some(answers) = &model.answer else { return Ok(()) };
    let mut told: BTreeMap<Vec<i64>, &[i32]> = BTreeMap::new();
    for (values, lits) in &found {
        let value = |answer: &Answer| match *answer {
            Answer::Var(var) => i64::from(values[var.0 as usize]),
            Answer::Bool(term) => i64::from(model.holds(term, values)),
            Answer::Int(int) => model.value(int, values),
        };
        let answer: Vec<i64> = answers.iter().map(value).collect();
        let first = *told.entry(answer.clone()).or_insert(lits);
        if first != lits {
            return differs(format!("the answer {answer:?} is {first:?} and {lits:?}"));
        }
    }
    let different: BTreeSet<&[i32]> = told.values().copied().collect();
    if different.len() < told.len() {
        return differs(format!("two answers are the same: {told:?}"));
    }
    Ok(())
}
