//! `--each`: one model, many instances, a result each, in order.
//!
//! What does not depend on the instance is grounded and encoded once; the instance's own rules are posted as assumptions of one
//! incremental engine. Where variables themselves depend on it, everything is done anew. With `--jobs` or `--results` the
//! instances are cut into pieces, whose sizes do not depend on the number of threads: nor do the answers.

use super::load::{self, Faulty, Loaded, MOST_READ};
use super::many::{self, Prints, ResultLine, Results, Tell};
use super::session;
use super::show::Printer;
use super::solve::Args;
use super::{Failure, Outcome, all_with_sources, report, with_sources};
use crate::decode::{Decoded, Solution, positions};
use crate::diag::{Code, Diagnostic, Sources};
use crate::encode::{Counted, Lit, cnf};
use crate::eval::{Eval, GlobalId};
use crate::files;
use crate::render::{Shown, Status};
use crate::shared::{Budget, Span, from_json};
use crate::solve::embedded::{self, Cutting, SatEngine};
use rustc_hash::FxHashSet;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

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
    let load = || -> Result<Loaded, Failure> {
        let mut loaded = load::load_later(&args.model, &names)?;
        let place = loaded.sources.add(format!("--each {instances}"), instances);
        if let Some(name) = name {
            loaded
                .program
                .parameter(name, Span::new(place, 0, name.len()))
                .map_err(with_sources(&loaded.sources))?;
        }
        Ok(loaded)
    };
    let loaded = load()?;
    let mut teller = Teller { printer: Printer::new(&args.form), worst: 0, told: 0 };
    teller.printer.entitle(&args.model.model);
    if !args.many.is_wanted() {
        one_by_one(args, loaded, name, &list, &mut |event| teller.tell(event).map(drop))?;
    } else {
        spread(args, &load, &loaded, name, &list, &mut teller)?;
    }
    teller.printer.write_picture()?;
    teller.printer.flush()?;
    Ok(teller.worst)
}

/// All instances, one after the other.
fn one_by_one(
    args: &Args,
    mut loaded: Loaded,
    name: Option<&str>,
    list: &[Instance<'_>],
    tell: &mut Tell<'_, Event>,
) -> Result<(), Failure> {
    let budget = args.limits.budget();
    let mut at = 0;
    while at < list.len() {
        at += batch(args, &mut loaded, &budget, name, &list[at..], tell)?;
    }
    Ok(())
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Pieces that a list is cut into, and the most instances of one.
const PIECES: usize = 256;
const MOST_IN_PIECE: usize = 64;

/// Instances by several threads, with a result line each.
fn spread(
    args: &Args,
    load: &(dyn Fn() -> Result<Loaded, Failure> + Sync),
    loaded: &Loaded,
    name: Option<&str>,
    list: &[Instance<'_>],
    teller: &mut Teller,
) -> Outcome {
    let given = (&args.model.defines, &args.model.without);
    let options = format!("{:?}", (given, &args.encoding, &args.limits, args.seed, args.most(), VERSION));
    let texts = loaded.texts.iter().map(|text| text.text.as_str());
    let common: Vec<&str> = texts.chain([options.as_str(), name.unwrap_or_default()]).collect();
    let wanted: Vec<(String, String)> = list
        .iter()
        .map(|instance| {
            let digest = files::fingerprint(common.iter().copied().chain([instance.text]));
            (instance.place(), format!("{digest:032x}"))
        })
        .collect();
    let file = args.many.results.as_deref();
    let mut results =
        file.map(|path| Results::open(Some(path), &wanted, Prints::of(&args.form))).transpose()?;
    let todo = results.as_ref().map_or_else(|| (0..list.len()).collect(), Results::todo);
    let pieces: Vec<&[usize]> = todo.chunks((list.len() / PIECES).clamp(1, MOST_IN_PIECE)).collect();
    let work = |loaded: &mut Loaded, at: usize, tell: &mut Tell<'_, Event>| {
        let piece: Vec<Instance> = pieces[at].iter().map(|at| list[*at]).collect();
        let budget = args.limits.budget();
        let mut done = 0;
        while done < piece.len() {
            budget.restart();
            let mut told = 0;
            let mut count = |event: Event| {
                told += usize::from(matches!(event, Event::End { .. }));
                tell(event)
            };
            match batch(args, loaded, &budget, name, &piece[done..], &mut count) {
                Ok(_) => {}
                Err(Failure::Faults(Faulty { sources, faults })) => {
                    count(Event::failed(faults, &sources, budget.elapsed()))?;
                }
                Err(failure) => return Err(failure),
            }
            done += told;
        }
        Ok(())
    };
    let mut left = todo.iter();
    let mut take = |event| {
        many::check_signal()?;
        if let (Some(end), Some(results)) = (teller.tell(event)?, &mut results)
            && let Some(at) = left.next()
        {
            let (instance, digest) = wanted[*at].clone();
            teller.printer.flush()?;
            results.put(*at, end.line(instance, digest))?;
        }
        Ok(())
    };
    many::in_order(pieces.len(), args.many.jobs(), load, &work, &mut take)?;
    if let Some(results) = &mut results {
        teller.printer.write_picture()?;
        teller.printer.flush()?;
        results.finish()?;
    }
    Ok(0)
}

/// What happens, in order.
enum Event {
    Solution(Solution),
    /// A solution as a picture under a caption.
    Drawn(String, Shown),
    /// An instance is done.
    End(End),
}

/// How an instance ended.
struct End {
    /// `None`: it failed.
    status: Option<Status>,
    faults: Vec<Diagnostic>,
    sources: Sources,
    elapsed: Duration,
    /// Variables and clauses of the formula.
    sizes: Option<(u64, u64)>,
}

impl Event {
    /// A solution in the form that is wanted. The rules must be ground.
    fn found(
        args: &Args,
        eval: &mut Eval<'_>,
        solution: Solution,
        instance: Instance<'_>,
    ) -> Result<Event, Diagnostic> {
        if !args.form.format.is_picture() {
            return Ok(Event::Solution(solution));
        }
        let shown = eval.drawn_before()?.shown(&[solution.drawings()]);
        Ok(Event::Drawn(instance.place(), Shown::below(shown)))
    }

    fn ended(status: Status, elapsed: Duration, variables: u32, clauses: u64) -> Event {
        let sizes = Some((variables.into(), clauses));
        Event::End(End {
            status: Some(status),
            faults: Vec::new(),
            sources: Sources::default(),
            elapsed,
            sizes,
        })
    }

    fn failed(faults: Vec<Diagnostic>, sources: &Sources, elapsed: Duration) -> Event {
        Event::End(End { status: None, faults, sources: sources.clone(), elapsed, sizes: None })
    }
}

impl End {
    fn line(self, instance: String, digest: String) -> ResultLine {
        let limit = self.faults.iter().any(|fault| fault.code.exit() == 4);
        let status = match self.status {
            None if limit => Status::Unknown.name(),
            status => status.map_or(many::FAILED, Status::name),
        };
        ResultLine {
            instance,
            status: status.into(),
            seconds: self.elapsed.as_secs_f64(),
            variables: self.sizes.map(|(variables, _)| variables),
            clauses: self.sizes.map(|(_, clauses)| clauses),
            solver: "embedded".into(),
            version: Some(VERSION.into()),
            digest,
            error: self.faults.first().map(|fault| fault.message.clone()),
        }
    }
}

/// Prints what happens, and remembers the worst exit code.
struct Teller {
    printer: Printer,
    worst: u8,
    /// Instances that are done.
    told: usize,
}

impl Teller {
    /// Gives the end of an instance back.
    fn tell(&mut self, event: Event) -> Result<Option<End>, Failure> {
        let end = match event {
            Event::Solution(solution) => {
                self.printer.solution(&solution)?;
                return Ok(None);
            }
            Event::Drawn(caption, shown) => {
                self.printer.figure(caption, shown);
                return Ok(None);
            }
            Event::End(end) => end,
        };
        self.told += 1;
        let code = match end.status {
            None => report(&end.faults, &end.sources),
            Some(Status::Unknown) => 4,
            Some(_) => 0,
        };
        self.worst = self.worst.max(code);
        match end.status.unwrap_or(Status::Unknown) {
            status @ (Status::Unsatisfiable | Status::Unknown) => {
                self.printer.instance(self.told, status)?;
            }
            Status::Satisfiable | Status::Optimal => {}
        }
        self.printer.restart();
        Ok(Some(end))
    }
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
    match from_json(line) {
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

/// Solves instances from one grounding, each with the clock of `budget` from now on where it has one of its own; how many
/// were done.
fn batch(
    args: &Args,
    loaded: &mut Loaded,
    budget: &Budget,
    name: Option<&str>,
    list: &[Instance<'_>],
    tell: &mut Tell<'_, Event>,
) -> Result<usize, Failure> {
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
        let start = budget.elapsed();
        // a fault of one instance is told, and the others go on
        return match alone(args, loaded, budget, name, list[0], tell) {
            Err(Failure::Faults(Faulty { sources, faults })) => {
                tell(Event::failed(faults, &sources, budget.elapsed() - start))?;
                Ok(1)
            }
            done => done.map(|()| 1),
        };
    }
    let own: Vec<usize> = (0..program.rules.len()).filter(|at| depends(&program.rule_deps[*at])).collect();
    let common: Vec<usize> = (0..program.rules.len()).filter(|at| !own.contains(at)).collect();
    shared(args, loaded, budget, name, list, tell, &common, &own)
}

/// One instance from beginning to end.
fn alone(
    args: &Args,
    loaded: &mut Loaded,
    budget: &Budget,
    name: Option<&str>,
    instance: Instance<'_>,
    tell: &mut Tell<'_, Event>,
) -> Result<(), Failure> {
    let start = budget.elapsed();
    let Loaded { sources, program, without, .. } = loaded;
    let mut eval = Eval::new(program, budget);
    let supplied = supply(&mut eval, sources, name, instance);
    supplied.and_then(|()| session::ground(&mut eval, without)).map_err(all_with_sources(sources))?;
    report(&eval.warnings, sources);
    let mut failure = None;
    let mut number = 0;
    let search =
        session::search(&mut eval, &args.encoding, args.seed, args.most(), &mut |eval, positions| {
            number += 1;
            let solution = session::verified(eval, positions, without, number == 1)?;
            failure = tell(Event::found(args, eval, solution, instance)?).err();
            Ok(failure.is_none())
        })
        .map_err(with_sources(sources))?;
    if let Some(failure) = failure {
        return Err(failure);
    }
    let status = match (search.found, search.end) {
        (0, session::End::Exhausted) => Status::Unsatisfiable,
        (_, session::End::Stopped(_)) => Status::Unknown,
        _ if search.optimal => Status::Optimal,
        _ => Status::Satisfiable,
    };
    let clauses = search.sizes.iter().map(|size| size.1).sum();
    tell(Event::ended(status, budget.elapsed() - start, search.emission.variables, clauses))
}

/// All instances that fit one grounding: the common rules are encoded once, each instance's own are assumed.
#[allow(clippy::too_many_arguments)]
fn shared(
    args: &Args,
    loaded: &mut Loaded,
    budget: &Budget,
    name: Option<&str>,
    list: &[Instance<'_>],
    tell: &mut Tell<'_, Event>,
    common: &[usize],
    own: &[usize],
) -> Result<usize, Failure> {
    let mut start = budget.elapsed();
    let Loaded { sources, program, without, .. } = loaded;
    let mut eval = Eval::new(program, budget);
    eval.declare_all().map_err(all_with_sources(sources))?;
    eval.ground_rules(common.iter().copied(), without).map_err(all_with_sources(sources))?;
    eval.ground_outputs().map_err(with_sources(sources))?;
    report(&eval.warnings, sources);
    let mut engine: Box<dyn SatEngine> = Box::new(embedded::Quick::new(args.seed));
    let known = session::presolved(&eval, &args.encoding).map_err(crate::eval::stop_diagnostic)?;
    let allows = |var, position| known.contradiction.is_some() || known.allows(var, position);
    let options = args.encoding.options().lazily();
    let mut counted = Counted::new(&mut *engine, budget);
    let encoded = cnf::encode(&eval.model, &allows, options, budget, &mut counted, &|_| String::new());
    let clauses = counted.clauses().map_err(crate::eval::stop_diagnostic)?;
    let (mut encoder, emission) = encoded.map_err(session::encode_fault)?;
    let mark = eval.model.rules.len();
    let first = names(list[0].text);
    for (at, instance) in list.iter().enumerate() {
        if at > 0 && eval.model.arena.bool_count() > MOST_TERMS {
            return Ok(at);
        }
        if name.is_none() && names(instance.text).is_some_and(|other| Some(other) != first) {
            return Ok(at);
        }
        if at > 0 && args.many.is_wanted() {
            budget.restart();
        }
        budget.check().map_err(crate::eval::stop_diagnostic)?;
        if at > 0 {
            start = budget.elapsed();
        }
        let supplied = supply(&mut eval, sources, name, *instance);
        let grounded = supplied.and_then(|()| eval.ground_rules(own.iter().copied(), without));
        if let Err(faults) = grounded {
            tell(Event::failed(faults, sources, budget.elapsed() - start))?;
            eval.model.rules.truncate(mark);
            continue;
        }
        let assumptions: Option<Vec<Lit>> = {
            let terms: Vec<_> = eval.model.rules[mark..].iter().map(|rule| rule.what).collect();
            let mut ctx = encoder.with(&eval.model, &mut *engine, budget);
            ctx.literals_of(&terms).map_err(session::encode_fault)?
        };
        let assumed = assumptions.as_ref().map_or(0, Vec::len) as u64;
        let answer = match (assumptions, known.contradiction.is_some()) {
            (Some(assumptions), false) => {
                Cutting::new(&mut *engine, &emission.lazy).solve(&assumptions, budget)
            }
            _ => embedded::EngineAnswer::Unsat,
        };
        let status = match answer {
            embedded::EngineAnswer::Sat => {
                let Ok(Decoded(values)) = positions(&emission.encodings, |lit: Lit| engine.value(lit)) else {
                    return Err(Diagnostic::error(Code::SolverFailed, "the engine's model is none").into());
                };
                let solution = Solution::verify(&mut eval, &values, without)
                    .map_err(session::broken)
                    .map_err(with_sources(sources))?;
                let found = Event::found(args, &mut eval, solution, *instance);
                tell(found.map_err(with_sources(sources))?)?;
                Status::Satisfiable
            }
            embedded::EngineAnswer::Unsat => Status::Unsatisfiable,
            embedded::EngineAnswer::Unknown(_) => Status::Unknown,
        };
        tell(Event::ended(status, budget.elapsed() - start, emission.variables, clauses + assumed))?;
        eval.model.rules.truncate(mark);
    }
    Ok(list.len())
}
