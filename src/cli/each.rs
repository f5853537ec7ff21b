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
use crate::diag::{Code, Diagnostic};
use crate::encode::{Lit, cnf};
use crate::eval::{Eval, GlobalId};
use crate::files;
use crate::render::Status;
use crate::shared::{Budget, FileId, Span};
use crate::solve::embedded::{self, SatEngine};
use rustc_hash::FxHashSet;
use std::path::Path;

/// Where instances come from.
enum Lines {
    /// Values of one parameter, as for `-D`.
    Values { name: String, text: String },
    /// JSON objects.
    Objects { text: String },
}

pub fn run(args: &Args, instances: &str) -> Outcome {
    let lines = lines(instances)?;
    let (name, text) = match &lines {
        Lines::Values { name, text } => (Some(name.clone()), text),
        Lines::Objects { text } => (None, text),
    };
    let list: Vec<&str> =
        text.lines().filter(|line| !line.trim().is_empty() && !line.starts_with('#')).collect();
    let Some(first) = list.first() else {
        return Ok(0);
    };
    // the first instance is given to the loader, so that nothing is missing
    let mut model = args.model.clone();
    if let Some(name) = &name {
        model.defines.push(format!("{name}={first}"));
    } else {
        model.defines.extend(object_defines(first)?);
    }
    let mut loaded = load::load(&model)?;
    let budget = args.limits.budget();
    let mut printer = Printer::new(&args.form);
    let mut worst = 0;
    let mut at = 0;
    while at < list.len() {
        let (done, code) = batch(args, &mut loaded, &budget, name.as_deref(), &list[at..], &mut printer)?;
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
            Ok(Lines::Values { name: name.into(), text: files::read_text(Path::new(path), MOST_READ)? })
        }
        _ if instances.trim_end_matches(".gz").ends_with(".jsonl") => {
            Ok(Lines::Objects { text: files::read_text(Path::new(instances), MOST_READ)? })
        }
        _ => Err(Diagnostic::error(Code::Usage, format!("`--each {instances}` tells no instances"))
            .help("write `--each NAME=FILE` (a line a value) or `--each FILE.jsonl` (a line an object)")
            .into()),
    }
}

fn object_defines(line: &str) -> Result<Vec<String>, Failure> {
    let object = object(line)?;
    // placeholders of the right names; the values follow as JSON
    Ok(object.keys().map(|name| format!("{name}=0")).collect())
}

fn object(line: &str) -> Result<serde_json::Map<String, serde_json::Value>, Failure> {
    match serde_json::from_str(line) {
        Ok(serde_json::Value::Object(object)) => Ok(object),
        Ok(_) => Err(Diagnostic::error(Code::Syntax, "an instance is one JSON object a line").into()),
        Err(error) => Err(Diagnostic::error(Code::Syntax, format!("this line is no JSON: {error}")).into()),
    }
}

/// Gives the program the parameters of one instance; which ones changed.
fn supply(loaded: &mut Loaded, name: Option<&str>, line: &str) -> Result<Vec<GlobalId>, Failure> {
    let file = loaded.sources.add(name.map_or("an instance".to_string(), |name| format!("-D {name}")), line);
    let span = Span::new(file, 0, line.len());
    match name {
        Some(name) => {
            let id = loaded.program.define(name, file, line);
            let id = id.map_err(|faults| Faulty { sources: loaded.sources.clone(), faults })?;
            Ok(vec![id])
        }
        None => {
            let mut ids = Vec::new();
            for (name, value) in object(line)? {
                let id = loaded.program.define_json(&name, file, value, span);
                ids.push(
                    id.map_err(|fault| Faulty { sources: loaded.sources.clone(), faults: vec![fault] })?,
                );
            }
            Ok(ids)
        }
    }
}

/// Terms of a batch before it starts anew, so that memory stays bounded.
const MOST_TERMS: usize = 4_000_000;

/// Solves instances from one grounding; how many were done, and the worst exit code.
fn batch(
    args: &Args,
    loaded: &mut Loaded,
    budget: &Budget,
    name: Option<&str>,
    list: &[&str],
    printer: &mut Printer,
) -> Result<(usize, u8), Failure> {
    let changed = supply(loaded, name, list[0])?;
    let depends = |deps: &FxHashSet<GlobalId>| changed.iter().any(|id| deps.contains(id));
    let program = &loaded.program;
    let vars_depend = program.var_ids().any(|id| depends(&program.global_deps[id.0 as usize]));
    if vars_depend || program.objective.is_some() || args.most() != 1 {
        return alone(args, loaded, budget, printer).map(|code| (1, code));
    }
    let own: Vec<usize> = (0..program.rules.len()).filter(|at| depends(&program.rule_deps[*at])).collect();
    let common: Vec<usize> = (0..program.rules.len()).filter(|at| !own.contains(at)).collect();
    shared(args, loaded, budget, name, list, printer, &common, &own)
}

/// One instance from beginning to end.
fn alone(args: &Args, loaded: &Loaded, budget: &Budget, printer: &mut Printer) -> Result<u8, Failure> {
    let mut eval = Eval::new(&loaded.program, budget);
    session::ground(&mut eval, &loaded.without).map_err(all_with_sources(&loaded.sources))?;
    report(&eval.warnings, &loaded.sources);
    printer.restart();
    let mut failure = None;
    let mut number = 0;
    let search =
        session::search(&mut eval, &args.encoding, args.seed, args.most(), &mut |eval, positions| {
            number += 1;
            let solution = session::verified(eval, positions, &loaded.without, number == 1)?;
            failure = printer.solution(&solution).err();
            Ok(failure.is_none())
        })
        .map_err(with_sources(&loaded.sources))?;
    if let Some(failure) = failure {
        return Err(failure);
    }
    Ok(match (search.found, search.end) {
        (0, session::End::Exhausted) => status(printer, Status::Unsatisfiable)?,
        (_, session::End::Stopped(_)) => status(printer, Status::Unknown)?.max(4),
        _ => 0,
    })
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
    list: &[&str],
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
    let mut worst = 0;
    for (at, line) in list.iter().enumerate() {
        if at > 0 && eval.model.arena.bool_count() > MOST_TERMS {
            return Ok((at, worst));
        }
        budget.check().map_err(crate::eval::stop_diagnostic)?;
        let file: FileId =
            sources.replace_last(name.map_or("an instance".into(), |name| format!("-D {name}")), line);
        let supplied = match name {
            Some(name) => eval.supply_text(name, file, line).map_err(|fault| vec![fault]),
            None => {
                let span = Span::new(file, 0, line.len());
                object(line)?.into_iter().try_for_each(|(name, value)| {
                    eval.supply_json(&name, value, span).map_err(|fault| vec![fault])
                })
            }
        };
        let grounded = supplied.and_then(|()| eval.ground_rules(own.iter().copied(), without));
        printer.restart();
        if let Err(faults) = grounded {
            // a fault of one instance is told, and the others go on
            worst = worst.max(report(&faults, sources));
            eval.model.rules.truncate(mark);
            status(printer, Status::Unknown)?;
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
