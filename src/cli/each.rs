//! `--each`: one model, many instances, a result each, in order.
//!
//! What instances share is grounded and encoded once, see [`batch`]. With `--jobs` or `--results` they are cut into pieces, whose
//! sizes do not depend on the number of threads: nor do the answers.

mod batch;

use super::load::{self, Loaded, MOST_READ};
use super::many::{self, Prints, ResultLine, Results, Tell};
use super::show::{Only, Printer};
use super::solve::Args;
use super::{Failure, Outcome, report, with_sources};
use crate::decode::Solution;
use crate::diag::{Code, Diagnostic, Sources};
use crate::eval::{Eval, stop_diagnostic};
use crate::files;
use crate::render::{Shown, Status};
use crate::shared::{Span, from_json};
use batch::Asked;
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
    let mut teller = Teller { printer: Printer::new(&args.form), worst: 0, told: 0, unique: args.unique };
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
    let asked = Asked { args, name, budget: &budget };
    while at < list.len() {
        budget.check().map_err(stop_diagnostic)?;
        at += asked.batch(&mut loaded, &list[at..], tell)?;
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
    let options = format!(
        "{:?}",
        (given, &args.encoding, &args.limits, args.seed, (args.most(), args.unique), VERSION)
    );
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
        let budget = args.limits.budget_of_thread();
        let asked = Asked { args, name, budget: &budget };
        let mut done = 0;
        while done < piece.len() {
            budget.restart();
            done += asked.batch(loaded, &piece[done..], tell)?;
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
    /// If that was asked and is known.
    only: Option<Only>,
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

    fn ended(status: Status, only: Option<Only>, elapsed: Duration, sizes: (u64, u64)) -> Event {
        Event::End(End {
            status: Some(status),
            only,
            faults: Vec::new(),
            sources: Sources::default(),
            elapsed,
            sizes: Some(sizes),
        })
    }

    fn failed(faults: Vec<Diagnostic>, sources: &Sources, elapsed: Duration) -> Event {
        Event::End(End { status: None, only: None, faults, sources: sources.clone(), elapsed, sizes: None })
    }
}

impl End {
    fn line(self, instance: String, digest: String) -> ResultLine {
        let limit = self.faults.iter().any(|fault| fault.code.exit() == 4);
        let status = match self.status {
            None if limit => Status::Unknown.name(),
            status => {
                let only = self.only.as_ref().map(Only::name);
                only.or_else(|| status.map(Status::name)).unwrap_or(many::FAILED)
            }
        };
        let differ = match self.only {
            Some(Only::No(differ)) => Some(differ),
            _ => None,
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
            differ,
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
    /// Is it asked whether solutions are the only ones?
    unique: bool,
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
            // the answer to the question is no
            Some(Status::Unsatisfiable) if self.unique => 5,
            Some(_) if matches!(end.only, Some(Only::No(_))) => 5,
            Some(_) => 0,
        };
        self.worst = self.worst.max(code);
        match (end.status.unwrap_or(Status::Unknown), &end.only) {
            (status, Some(only)) => self.printer.instance_only(self.told, status, only)?,
            (status @ (Status::Unsatisfiable | Status::Unknown), None) => {
                self.printer.instance(self.told, status)?;
            }
            (Status::Satisfiable | Status::Optimal, None) => {}
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
