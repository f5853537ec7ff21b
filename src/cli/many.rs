//! Many instances: spread over threads, told in order, a result line each, which a later run need not find again.
//!
//! In: what is wanted, work by number. Out: events in the order of the numbers, whoever was first; a file of JSON lines
//! and a table. Invariants: results that are in the file are whole lines; a file that holds anything else is left alone; so
//! much work is handed out ahead of what was told that memory stays bounded. Knows nothing of models or solvers.

use super::args::OutputArgs;
use super::load::MOST_READ;
use super::{Failure, watchdog};
use crate::diag::{Code, Diagnostic};
use crate::eval::stop_diagnostic;
use crate::files::{self, Output, WriteFault};
use crate::shared::{Stop, harmless};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, mpsc};
use std::thread;

/// How the work is spread and kept.
#[derive(clap::Args, Debug)]
pub struct ManyArgs {
    /// Instances at a time; as many as there are processors if left out
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    /// Results as JSON lines; instances that are there with the same texts and options are skipped
    #[arg(long, value_name = "FILE.jsonl")]
    pub results: Option<PathBuf>,
}

impl ManyArgs {
    pub fn is_wanted(&self) -> bool {
        self.jobs.is_some() || self.results.is_some()
    }

    pub fn jobs(&self) -> usize {
        let processors = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        self.jobs.unwrap_or_else(processors).get()
    }
}

impl Prints {
    /// Of solutions in this form.
    pub fn of(form: &OutputArgs) -> Prints {
        if form.format.is_picture() { Prints::Last } else { Prints::First }
    }
}

/// What became of an instance.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResultLine {
    pub instance: String,
    /// `satisfiable`, `optimal`, `unique`, `not unique`, `unsatisfiable`, `unknown` or `failed`.
    pub status: String,
    pub seconds: f64,
    /// Of the formula, where known.
    pub variables: Option<u64>,
    pub clauses: Option<u64>,
    pub solver: String,
    pub version: Option<String>,
    /// Of model, data and options.
    pub digest: String,
    /// Where a second solution differs from the first, if that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub differ: Option<Vec<String>>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

pub const FAILED: &str = "failed";

/// Result lines of a run, and of those before it.
pub struct Results {
    /// A line for each instance that is done.
    lines: Vec<Option<ResultLine>>,
    skipped: usize,
    name: String,
    file: Option<File>,
    /// What is written anew in order at the end, if a line came late.
    whole: Option<PathBuf>,
    prints: Prints,
    /// The instances whose lines wait for the picture.
    waiting: Vec<usize>,
}

/// What a run prints besides the lines. A line says that an instance need not be done again, so it comes after all else.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prints {
    Nothing,
    /// Each instance, before its line.
    First,
    /// One picture of all, at the end.
    Last,
}

impl Results {
    /// Opens the file, or standard output, for instances with these names and digests. What failed is tried again.
    pub fn open(path: Option<&Path>, wanted: &[Key], prints: Prints) -> Result<Results, Failure> {
        let mut results = Results {
            lines: vec![None; wanted.len()],
            skipped: 0,
            name: path.map_or("standard output".into(), |path| path.display().to_string()),
            file: None,
            whole: None,
            prints,
            waiting: Vec::new(),
        };
        let Some(path) = path else { return Ok(results) };
        let there = match std::fs::metadata(path) {
            Ok(data) => Some(data.is_file()),
            Err(error) if error.kind() == io::ErrorKind::NotFound => None,
            // what is there may be results of hours
            Err(error) => return Err(WriteFault::of(&results.name, &error).into()),
        };
        if there == Some(true) {
            let (known, last) = read(path)?;
            for (line, key) in results.lines.iter_mut().zip(wanted) {
                *line = known.get(key).filter(|line| line.status != FAILED).cloned();
            }
            results.skipped = results.lines.iter().flatten().count();
            let next =
                last.and_then(|last| wanted.iter().position(|key| *key == last)).map_or(0, |at| at + 1);
            if prints == Prints::First && results.lines.get(next).is_some_and(Option::is_none) {
                // that run may have ended between the two
                super::say(&format!("an earlier run may have printed `{}` already", wanted[next].0));
            }
        }
        if there != Some(false) {
            // without what was cut off or is of other instances
            results.write_whole(path)?;
            results.whole = Some(path.to_owned());
        }
        let opened = OpenOptions::new().append(true).open(path);
        results.file = Some(opened.map_err(|error| WriteFault::of(&results.name, &error))?);
        Ok(results)
    }

    /// The numbers of the instances that have no line, ascending.
    pub fn todo(&self) -> Vec<usize> {
        (0..self.lines.len()).filter(|at| self.lines[*at].is_none()).collect()
    }

    pub fn put(&mut self, at: usize, line: ResultLine) -> Result<(), Failure> {
        self.lines[at] = Some(line);
        match self.prints {
            Prints::Last => self.waiting.push(at),
            Prints::Nothing | Prints::First => self.write(at)?,
        }
        Ok(())
    }

    fn write(&mut self, at: usize) -> Result<(), WriteFault> {
        let Some(line) = &self.lines[at] else { return Ok(()) };
        let text = json(line) + "\n";
        match &mut self.file {
            Some(file) => file.write_all(text.as_bytes()),
            None => files::Stdout.write_all(text.as_bytes()),
        }
        .map_err(|error| WriteFault::of(&self.name, &error))
    }

    /// Puts the lines in order, and prints the table to standard error.
    pub fn finish(&mut self) -> Result<(), Failure> {
        std::mem::take(&mut self.waiting).into_iter().try_for_each(|at| self.write(at))?;
        if let Some(path) = &self.whole
            && self.skipped > 0
        {
            self.write_whole(path)?;
        }
        // a closed standard error leaves the lines to tell
        let _ = io::stderr().write_all(self.table().as_bytes());
        Ok(())
    }

    fn write_whole(&self, path: &Path) -> Result<(), Failure> {
        let mut output = Output::create(path)?;
        for line in self.lines.iter().flatten() {
            writeln!(output, "{}", json(line)).map_err(|error| WriteFault::of(&self.name, &error))?;
        }
        Ok(output.commit()?)
    }

    fn table(&self) -> String {
        let mut rows: BTreeMap<&str, (usize, f64, &ResultLine)> = BTreeMap::new();
        for line in self.lines.iter().flatten() {
            let row = rows.entry(&line.status).or_insert((0, 0.0, line));
            row.0 += 1;
            row.1 += line.seconds;
            if line.seconds > row.2.seconds {
                row.2 = line;
            }
        }
        let mut text = format!("{:<14} {:>9} {:>10}  slowest\n", "status", "instances", "seconds");
        for (status, (count, seconds, slowest)) in rows {
            text.push_str(&format!(
                "{status:<14} {count:>9} {seconds:>10.2}  {:.2} {}\n",
                slowest.seconds,
                harmless(&slowest.instance, &[])
            ));
        }
        if self.skipped > 0 {
            text.push_str(&format!("{} of them from an earlier run\n", self.skipped));
        }
        text
    }
}

fn json(line: &ResultLine) -> String {
    let text = serde_json::to_string(line).expect("texts and finite numbers");
    // serde escapes the controls of ASCII only
    let escaped = |c: char| if c.is_control() { format!("\\u{:04x}", c as u32) } else { c.into() };
    if text.contains(char::is_control) { text.chars().map(escaped).collect() } else { text }
}

type Key = (String, String);

/// The lines of an earlier run by instance and digest, and the last of these. One that was cut off at the end is none.
fn read(path: &Path) -> Result<(HashMap<Key, ResultLine>, Option<Key>), Failure> {
    let text = files::read_text(path, MOST_READ)?;
    let mut known = HashMap::new();
    let mut last = None;
    for (number, line) in (1..).zip(text.split_inclusive('\n')) {
        let Some(line) = line.strip_suffix('\n') else { break };
        let line: ResultLine = serde_json::from_str(line).map_err(|error| {
            let message = format!("`{}`, line {number} is no result: {error}", path.display());
            Diagnostic::error(Code::Usage, message).help("`--results` takes a new file, or one it wrote")
        })?;
        let key = (line.instance.clone(), line.digest.clone());
        last = Some(key.clone());
        known.insert(key, line);
    }
    Ok((known, last))
}

/// Takes an event of a piece of work; an error ends the piece.
pub type Tell<'t, E> = dyn FnMut(E) -> Result<(), Failure> + 't;

enum Message<E> {
    Event(usize, E),
    Done(usize, Result<(), Failure>),
}

/// Does the pieces of work 0 to `count` - 1 on `jobs` threads, each with a state of its own, and gives their events to
/// `take` as if one had been done after the other. The first error ends all.
pub fn in_order<S, E: Send>(
    count: usize,
    jobs: usize,
    state: &(dyn Fn() -> Result<S, Failure> + Sync),
    work: &(dyn Fn(&mut S, usize, &mut Tell<'_, E>) -> Result<(), Failure> + Sync),
    take: &mut Tell<'_, E>,
) -> Result<(), Failure> {
    let jobs = jobs.min(count);
    let (give, wanted) = mpsc::channel::<usize>();
    let wanted = Mutex::new(wanted);
    let (send, messages) = mpsc::channel();
    let worker = |send: mpsc::Sender<Message<E>>| {
        let mut own = None;
        loop {
            let next = wanted.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).recv();
            let Ok(at) = next else { return };
            let mut tell = |event| send.send(Message::Event(at, event)).map_err(|_| Failure::ClosedPipe);
            let done = match &mut own {
                Some(own) => work(own, at, &mut tell),
                none => state().and_then(|new| work(none.insert(new), at, &mut tell)),
            };
            if send.send(Message::Done(at, done)).is_err() {
                return;
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..jobs {
            let send = send.clone();
            let worker = &worker;
            // terms are walked by recursion
            let spawned = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || worker(send));
            spawned.map_err(|error| {
                Diagnostic::error(Code::SolverFailed, format!("no thread can be started: {error}"))
            })?;
        }
        drop(send);
        // moved in, so that all threads end when this does, however it does
        let (give, messages) = (give, messages);
        let mut given = 0;
        let mut waiting: BTreeMap<usize, (Vec<E>, Option<Result<(), Failure>>)> = BTreeMap::new();
        for current in 0..count {
            while given < count && given < current + AHEAD * jobs {
                let _ = give.send(given);
                given += 1;
            }
            let (events, mut done) = waiting.remove(&current).unwrap_or_default();
            events.into_iter().try_for_each(&mut *take)?;
            while done.is_none() {
                let ended = |_| Diagnostic::error(Code::SolverFailed, "a thread ended before its work did");
                match messages.recv().map_err(ended)? {
                    Message::Event(at, event) if at == current => take(event)?,
                    Message::Event(at, event) => waiting.entry(at).or_default().0.push(event),
                    Message::Done(at, result) if at == current => done = Some(result),
                    Message::Done(at, result) => waiting.entry(at).or_default().1 = Some(result),
                }
            }
            done.unwrap_or(Ok(()))?;
        }
        Ok(())
    })
}

/// Pieces of work handed out for each thread before the first of them is told.
const AHEAD: usize = 4;

/// Bytes of stack of a thread, as the first one has.
const STACK: usize = 8 << 20;

/// A signal ends the whole, and what it cut off is no result.
pub fn check_signal() -> Result<(), Failure> {
    match watchdog::stopped() {
        Some(stop @ (Stop::Cancelled | Stop::Memory { .. })) => Err(stop_diagnostic(stop).into()),
        _ => Ok(()),
    }
}
