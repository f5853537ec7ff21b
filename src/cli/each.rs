//! `--each`: one model, many instances, a result each, in order.
//!
//! What does not depend on the instance is grounded and encoded once; the instance's own rules are posted as assumptions of one
//! incremental engine. Where variables themselves depend on it, everything is done anew.

use super::load::{self, Faulty, Loaded, MOST_READ};
use super::session;
use super::show::Printer;
use super::solve::Args;
use super::{Failure, Outcome, all_with_sources, report, with_sources};
use crate::decode::{Decoded, Solution, positions};
use crate::diag::{Code, Diagnostic, Sources};
use crate::encode::{Lit, cnf};
use crate::eval::{Eval, GlobalId};
use crate::files;
use crate::render::Status;
use crate::shared::{Budget, Span};
use crate::solve::embedded::{self, SatEngine};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::path::Path;

/// Where instances come from.
enum Lines {
    /// Values of one parameter, as for `-D`.
    Values { name: String, path: String, text: String },
    /// JSON objects.
    Objects { path: String, text: String },
}

/// One of them.
#[derive(Clone, Copy)]
struct Instance<'t> {
    text: &'t str,
    path: &'t str,
    line: usize,
}

impl Instance<'_> {
    /// The name of its text in messages.
    fn place(&self) -> String {
        format!("{}, line {}", self.path, self.line)
    }
}

pub fn run(args: &Args, instances: &str) -> Outcome {
    let lines = lines(instances)?;
    let (name, path, text) = match &lines {
        Lines::Values { name, path, text } => (Some(name.as_str()), path, text),
        Lines::Objects { path, text } => (None, path, text),
    };
    let list: Vec<Instance> = (1..)
        .zip(text.lines())
        .filter(|(_, text)| !text.trim().is_empty() && !text.starts_with('#'))
        .map(|(line, text)| Instance { text, path, line })
        .collect();
    let names = match name {
        Some(name) => vec![name.to_string()],
        None => {
            let objects = list.iter().filter_map(|instance| object(instance.text).ok());
            let all: BTreeSet<String> =
                objects.flat_map(|object| object.into_iter().map(|(name, _)| name)).collect();
            all.into_iter().collect()
        }
    };
    let mut loaded = load::load_later(&args.model, &names)?;
    let place = loaded.sources.add(format!("--each {instances}"), instances);
    if let Some(name) = name {
        loaded
            .program
            .parameter(name, Span::new(place, 0, name.len()))
            .map_err(with_sources(&loaded.sources))?;
    }
    let budget = args.limits.budget();
    let mut printer = Printer::new(&args.form);
    let mut worst = 0;
    let mut at = 0;
    while at < list.len() {
        let (done, code) = batch(args, &mut loaded, &budget, name, &list[at..], &mut printer)?;
        worst = worst.max(code);
        at += done;
    }
    printer.flush()?;
    Ok(worst)
}

fn lines(instances: &str) -> Result<Lines, Failure> {
    match instances.split_once('=') {
        Some((name, path)) if !name.contains(['/', '.']) => {
            let path = path.strip_prefix('@').unwrap_or(path);
            let text = files::read_text(Path::new(path), MOST_READ)?;
            Ok(Lines::Values { name: name.into(), path: path.into(), text })
        }
        _ if instances.trim_end_matches(".gz").ends_with(".jsonl") => {
            let text = files::read_text(Path::new(instances), MOST_READ)?;
            Ok(Lines::Objects { path: instances.into(), text })
        }
        _ => Err(Diagnostic::error(Code::Usage, format!("`--each {instances}` tells no instances"))
            .help("write `--each NAME=FILE` (a line a value) or `--each FILE.jsonl` (a line an object)")
            .into()),
    }
}

fn object(line: &str) -> Result<serde_json::Map<String, serde_json::Value>, Diagnostic> {
    match serde_json::from_str(line) {
        Ok(serde_json::Value::Object(object)) => Ok(object),
        Ok(_) => Err(Diagnostic::error(Code::Syntax, "an instance is one JSON object a line")),
        Err(error) => Err(Diagnostic::error(Code::Syntax, format!("this line is no JSON: {error}"))),
    }
}

/// The parameters of an object, if it is one.
fn names(line: &str) -> Option<BTreeSet<String>> {
    object(line).ok().map(|object| object.into_iter().map(|(name, _)| name).collect())
}

/// Gives the evaluator the parameters of one instance; its text takes the place of the last source.
fn supply(
    eval: &mut Eval<'_>,
    sources: &mut Sources,
    name: Option<&str>,
    instance: Instance<'_>,
) -> Result<(), Vec<Diagnostic>> {
    let file = sources.replace_last(instance.place(), instance.text);
    let span = Span::new(file, 0, instance.text.len());
    match name {
        Some(name) => eval.supply_text(name, file, instance.text),
        None => object(instance.text).map_err(|fault| fault.at(span, "")).and_then(|object| {
            object.into_iter().try_for_each(|(name, value)| eval.supply_json(&name, value, span))
        }),
    }
    .map_err(|fault| vec![fault])
}

/// Terms of a batch before it starts anew, so that memory stays bounded.
const MOST_TERMS: usize = 4_000_000;

/// Solves instances from one grounding; how many were done, and the worst exit code.
fn batch(
    args: &Args,
    loaded: &mut Loaded,
    budget: &Budget,
    name: Option<&str>,
    list: &[Instance<'_>],
    printer: &mut Printer,
) -> Result<(usize, u8), Failure> {
    let program = &loaded.program;
    let file = loaded.sources.replace_last(list[0].place(), list[0].text);
    let names = name.map_or_else(|| names(list[0].text), |name| Some(BTreeSet::from([name.to_string()])));
    let span = Span::new(file, 0, list[0].text.len());
    // what no instance may give is told when this one is read
    let changed: Vec<GlobalId> =
        names.into_iter().flatten().filter_map(|name| program.parameter(&name, span).ok()).collect();
    let depends = |deps: &FxHashSet<GlobalId>| changed.iter().any(|id| deps.contains(id));
    let vars_depend = program.var_ids().any(|id| depends(&program.global_deps[id.0 as usize]));
    if vars_depend || program.objective.is_some() || args.most() != 1 {
        // a fault of one instance is told, and the others go on
        return match alone(args, loaded, budget, name, list[0], printer) {
            Ok(code) => Ok((1, code)),
            Err(Failure::Faults(Faulty { sources, faults })) => Ok((1, faulty(&faults, &sources, printer)?)),
            Err(failure) => Err(failure),
        };
    }
    let own: Vec<usize> = (0..program.rules.len()).filter(|at| depends(&program.rule_deps[*at])).collect();
    let common: Vec<usize> = (0..program.rules.len()).filter(|at| !own.contains(at)).collect();
    shared(args, loaded, budget, name, list, printer, &common, &own)
}

/// One instance from beginning to end.
fn alone(
    args: &Args,
    loaded: &mut Loaded,
    budget: &Budget,
    name: Option<&str>,
    instance: Instance<'_>,
    printer: &mut Printer,
) -> Result<u8, Failure> {
    let Loaded { sources, program, without, .. } = loaded;
    let mut eval = Eval::new(program, budget);
    let supplied = supply(&mut eval, sources, name, instance);
    supplied.and_then(|()| session::ground(&mut eval, without)).map_err(all_with_sources(sources))?;
    report(&eval.warnings, sources);
    printer.restart();
    let mut failure = None;
    let mut number = 0;
    let search =
        session::search(&mut eval, &args.encoding, args.seed, args.most(), &mut |eval, positions| {
            number += 1;
            let solution = session::verified(eval, positions, without, number == 1)?;
            failure = printer.solution(&solution).err();
            Ok(failure.is_none())
        })
        .map_err(with_sources(sources))?;
    if let Some(failure) = failure {
        return Err(failure);
    }
    Ok(match (search.found, search.end) {
        (0, session::End::Exhausted) => status(printer, Status::Unsatisfiable)?,
        (_, session::End::Stopped(_)) => status(printer, Status::Unknown)?.max(4),
        _ => 0,
    })
}

/// Tells the faults of an instance; the exit code they lead to.
fn faulty(faults: &[Diagnostic], sources: &Sources, printer: &mut Printer) -> Result<u8, Failure> {
    let code = report(faults, sources);
    printer.restart();
    status(printer, Status::Unknown)?;
    Ok(code)
}

fn status(printer: &mut Printer, status: Status) -> Result<u8, Failure> {
    printer.status(status, status != Status::Unknown, None)?;
    Ok(0)
}

/// All instances that fit one grounding: the common rules are encoded once, each instance's own are assumed.
#[allow(clippy::too_many_arguments)]
fn shared(
    args: &Args,
    loaded: &mut Loaded,
    budget: &Budget,
    name: Option<&str>,
    list: &[Instance<'_>],
    printer: &mut Printer,
    common: &[usize],
    own: &[usize],
) -> Result<(usize, u8), Failure> {
    let Loaded { sources, program, without, .. } = loaded;
    let mut eval = Eval::new(program, budget);
    eval.declare_all().map_err(all_with_sources(sources))?;
    eval.ground_rules(common.iter().copied(), without).map_err(all_with_sources(sources))?;
    eval.ground_outputs().map_err(with_sources(sources))?;
    report(&eval.warnings, sources);
    let mut engine: Box<dyn SatEngine> = Box::new(embedded::Quick::new(args.seed));
    let known = session::presolved(&eval, &args.encoding).map_err(crate::eval::stop_diagnostic)?;
    let allows = |var, position| known.contradiction.is_some() || known.allows(var, position);
    let options = args.encoding.options();
    let (mut encoder, emission) =
        cnf::encode(&eval.model, &allows, options, budget, &mut *engine, &|_| String::new())
            .map_err(session::encode_fault)?;
    let mark = eval.model.rules.len();
    let first = names(list[0].text);
    let mut worst = 0;
    for (at, instance) in list.iter().enumerate() {
        if at > 0 && eval.model.arena.bool_count() > MOST_TERMS {
            return Ok((at, worst));
        }
        if name.is_none() && names(instance.text).is_some_and(|other| Some(other) != first) {
            return Ok((at, worst));
        }
        budget.check().map_err(crate::eval::stop_diagnostic)?;
        let supplied = supply(&mut eval, sources, name, *instance);
        let grounded = supplied.and_then(|()| eval.ground_rules(own.iter().copied(), without));
        printer.restart();
        if let Err(faults) = grounded {
            worst = worst.max(faulty(&faults, sources, printer)?);
            eval.model.rules.truncate(mark);
            continue;
        }
        let assumptions: Option<Vec<Lit>> = {
            let terms: Vec<_> = eval.model.rules[mark..].iter().map(|rule| rule.what).collect();
            let mut ctx = encoder.with(&eval.model, &mut *engine, budget);
            ctx.literals_of(&terms).map_err(session::encode_fault)?
        };
        let answer = match (assumptions, known.contradiction.is_some()) {
            (Some(assumptions), false) => engine.solve(&assumptions, budget),
            _ => embedded::EngineAnswer::Unsat,
        };
        match answer {
            embedded::EngineAnswer::Sat => {
                let Ok(Decoded(values)) = positions(&emission.encodings, |lit: Lit| engine.value(lit)) else {
                    return Err(Diagnostic::error(Code::SolverFailed, "the engine's model is none").into());
                };
                let solution = Solution::verify(&mut eval, &values, without)
                    .map_err(session::broken)
                    .map_err(with_sources(sources))?;
                printer.solution(&solution)?;
            }
            embedded::EngineAnswer::Unsat => worst = worst.max(status(printer, Status::Unsatisfiable)?),
            embedded::EngineAnswer::Unknown(_) => {
                status(printer, Status::Unknown)?;
                worst = worst.max(4);
            }
        }
        eval.model.rules.truncate(mark);
    }
    Ok((list.len(), worst))
}
