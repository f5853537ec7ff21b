//! `--each`: one model, many instances, one result each, in order.
//!
//! With `--jobs` or `--results` the instances are split into pieces. The sizes of the pieces, and so the answers, do
//! not depend on the number of threads.

use super::args::OutputArgs;
use super::many::{check_signal, print_table};
use super::show::{Printer, only_name};
use super::solve::Args;
use super::terminal::Terminal;
use super::{Outcome, report, watchdog};
use crate::eval::Later;
use crate::files;
use crate::render::Status;
use crate::run::instances::{Event, Instance, InstanceEnd, Instances, Lines, Only};
use crate::run::load::load_later;
use crate::run::results::{FAILED, Prints, ResultLine, Results};
use crate::run::threads::{Emit, in_order};
use crate::run::{Failure, Loaded, Question};
use crate::shared::{Budget, Span};

pub fn run(args: &Args, instances: &str) -> Outcome {
    let lines = Lines::read(instances)?;
    let (name, list, names) = (lines.name(), lines.list(), lines.names());
    let load = || -> Result<Loaded, Failure> {
        let mut loaded = load_later(&args.model.texts(), Later::Named(&names))?;
        let place = loaded.sources.add(format!("--each {instances}"), instances);
        if let Some(name) = name {
            let span = Span::new(place, 0, name.len());
            let known = loaded.program.parameter(name, span);
            known.map_err(|fault| Failure::from(fault).within(&loaded.sources))?;
        }
        Ok(loaded)
    };
    let loaded = watchdog::loading(load)?;
    let mut reporter = Reporter { printer: Printer::new(&args.form), worst: 0, done: 0, unique: args.unique };
    reporter.printer.entitle(&args.model.model);
    match args.many.is_wanted() {
        false => one_by_one(args, &loaded, name, &list, &mut reporter)?,
        true => spread(args, &load, &loaded, name, &list, &mut reporter)?,
    }
    reporter.printer.write_picture()?;
    reporter.printer.flush()?;
    Ok(reporter.worst)
}

/// Solves instances one after the other and passes their events to `emit`.
fn ask(
    args: &Args,
    loaded: &Loaded,
    name: Option<&str>,
    budget: &Budget,
    list: &[Instance<'_>],
    emit: &mut Emit<'_, Event>,
) -> Result<(), Failure> {
    let encoding = args.encoding.encoding();
    let question = Question { seed: args.seed, ..Question::new(loaded, &encoding, args.most(), &Terminal) };
    let (unique, pictures) = (args.unique, args.form.format.is_picture());
    let own_limits = args.many.is_wanted();
    let asked = Instances { question, unique, pictures, name, budget, own_limits };
    let mut done = 0;
    while done < list.len() {
        match own_limits {
            true => budget.restart(),
            false => budget.check()?,
        }
        done += asked.batch(&list[done..], emit)?;
    }
    Ok(())
}

/// All instances, one after the other.
fn one_by_one(
    args: &Args,
    loaded: &Loaded,
    name: Option<&str>,
    list: &[Instance<'_>],
    reporter: &mut Reporter,
) -> Result<(), Failure> {
    let budget = args.limits.budget();
    ask(args, loaded, name, &budget, list, &mut |event| reporter.report(event).map(drop))
}

const VERSION: &str = env!("CARGO_PKG_VERSION");

/// The number of pieces that a list is split into, and the most instances in one.
const PIECES: usize = 256;
const MOST_IN_PIECE: usize = 64;

/// Solves instances in several threads, with a result line for each.
fn spread(
    args: &Args,
    load: &(dyn Fn() -> Result<Loaded, Failure> + Sync),
    loaded: &Loaded,
    name: Option<&str>,
    list: &[Instance<'_>],
    reporter: &mut Reporter,
) -> Result<(), Failure> {
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
        file.map(|path| Results::open(Some(path), &wanted, prints(&args.form), &Terminal)).transpose()?;
    let todo = results.as_ref().map_or_else(|| (0..list.len()).collect(), Results::todo);
    let pieces: Vec<&[usize]> = todo.chunks((list.len() / PIECES).clamp(1, MOST_IN_PIECE)).collect();
    let work = |loaded: &mut Loaded, at: usize, emit: &mut Emit<'_, Event>| {
        let piece: Vec<Instance> = pieces[at].iter().map(|at| list[*at]).collect();
        ask(args, loaded, name, &args.limits.budget_of_thread(), &piece, emit)
    };
    let mut left = todo.iter();
    let mut take = |event| {
        check_signal()?;
        if let (Some(end), Some(results)) = (reporter.report(event)?, &mut results)
            && let Some(at) = left.next()
        {
            let (instance, digest) = wanted[*at].clone();
            reporter.printer.flush()?;
            results.put(*at, line(end, instance, digest))?;
        }
        Ok(())
    };
    in_order(pieces.len(), args.many.jobs(), load, &work, &mut take)?;
    if let Some(results) = &mut results {
        reporter.printer.write_picture()?;
        reporter.printer.flush()?;
        print_table(&results.finish()?);
    }
    Ok(())
}

/// The result line of an instance.
fn line(end: InstanceEnd, instance: String, digest: String) -> ResultLine {
    let limit = end.faults.iter().any(|fault| fault.code.exit() == 4);
    let status = match end.status {
        None if limit => Status::Unknown.name(),
        status => {
            let only = end.only.as_ref().map(only_name);
            only.or_else(|| status.map(Status::name)).unwrap_or(FAILED)
        }
    };
    let differ = match end.only {
        Some(Only::No(differ)) => Some(differ),
        _ => None,
    };
    ResultLine {
        instance,
        status: status.into(),
        seconds: end.elapsed.as_secs_f64(),
        variables: end.sizes.map(|(variables, _)| variables),
        clauses: end.sizes.map(|(_, clauses)| clauses),
        solver: "embedded".into(),
        version: Some(VERSION.into()),
        digest,
        differ,
        error: end.faults.first().map(|fault| fault.message.clone()),
    }
}

/// Prints events, and keeps the worst exit code.
struct Reporter {
    printer: Printer,
    worst: u8,
    /// The number of finished instances.
    done: usize,
    /// Must solutions be unique?
    unique: bool,
}

impl Reporter {
    /// Prints an event; returns it if it is the end of an instance.
    fn report(&mut self, event: Event) -> Result<Option<InstanceEnd>, Failure> {
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
        self.done += 1;
        let code = match end.status {
            None => report(&end.faults, &end.sources),
            Some(Status::Unknown) => 4,
            // the uniqueness check failed
            Some(Status::Unsatisfiable) if self.unique => 5,
            Some(_) if matches!(end.only, Some(Only::No(_))) => 5,
            Some(_) => 0,
        };
        self.worst = self.worst.max(code);
        match (end.status.unwrap_or(Status::Unknown), &end.only) {
            (status, Some(only)) => self.printer.instance_only(self.done, status, only)?,
            (status @ (Status::Unsatisfiable | Status::Unknown), None) => {
                self.printer.instance(self.done, status)?;
            }
            (Status::Satisfiable | Status::Optimal, None) => {}
        }
        self.printer.restart();
        Ok(Some(end))
    }
}

/// The output besides result lines.
fn prints(form: &OutputArgs) -> Prints {
    if form.format.is_picture() { Prints::Last } else { Prints::First }
}
