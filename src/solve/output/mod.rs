//! Parsers of solver output.
//!
//! In: the bytes of a solver's output, its dialect, how the process ended. Out: a [`Verdict`]. There is one file for
//! each family of formats. Knows nothing of the formula: the caller checks whether a model satisfies it.

mod count;
pub mod dialect;
mod dlx;
mod json;
mod sat;
mod text;

use super::{Cover, Verdict};
use crate::encode::Lit;
use crate::shared::{Budget, Stop};
use dialect::{Dialect, Shape};
use std::io::{self, Read};
use std::sync::mpsc::SyncSender;

/// A consumer of a process's standard output, piece by piece.
pub trait Consume: Send + 'static {
    fn feed(&mut self, bytes: &[u8]);
}

/// How a process ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By itself, with this code.
    Exit(i32),
    /// By a signal that rebus did not send.
    Signal(i32),
    /// The budget ended, and rebus killed the process.
    Stopped(Stop),
}

/// An incremental parser of an output.
#[derive(Debug)]
pub enum Answer {
    Lines(sat::SatOutput),
    Json(json::JsonOutput),
    Covers(dlx::DlxOutput),
    Count(count::CountOutput),
}

/// A model, or an exact cover.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Listed {
    Model(Vec<Lit>),
    Cover(Cover),
}

/// Answers parsed so far: kept, or sent to a receiver, which may be slow and may have hung up.
#[derive(Debug)]
pub(super) struct Answers<T> {
    kept: Vec<T>,
    count: usize,
    to: Option<SyncSender<Listed>>,
}

impl<T> Answers<T> {
    fn new(to: Option<SyncSender<Listed>>) -> Answers<T> {
        Answers { kept: Vec::new(), count: 0, to }
    }

    fn push(&mut self, answer: T, listed: impl FnOnce(T) -> Listed) {
        self.count += 1;
        match &self.to {
            // if the receiver hung up, further answers are dropped until the process ends
            Some(to) => drop(to.send(listed(answer))),
            None => self.kept.push(answer),
        }
    }

    fn are_kept(&self) -> bool {
        self.to.is_none()
    }
}

impl Answer {
    pub fn new(dialect: Dialect) -> Answer {
        Answer::listing(dialect, None)
    }

    /// Sends answers to `to` as they come, except those of a JSON document; they are not in the verdict then.
    pub fn listing(dialect: Dialect, to: Option<SyncSender<Listed>>) -> Answer {
        match dialect.shape {
            Shape::Lines | Shape::Digits => Answer::Lines(sat::SatOutput::new(dialect, to)),
            Shape::Json => Answer::Json(json::JsonOutput::new(dialect)),
            Shape::Covers => Answer::Covers(dlx::DlxOutput::new(dialect, to)),
            Shape::Count { exact } => Answer::Count(count::CountOutput::new(dialect, exact)),
        }
    }

    /// For the output of a formula with that many variables: drops literals of other variables, and repeated models.
    pub fn only(self, variables: u64) -> Answer {
        match self {
            Answer::Lines(lines) => Answer::Lines(lines.only(variables)),
            other => other,
        }
    }

    /// Bytes in use, approximately.
    fn held(&self) -> u64 {
        match self {
            Answer::Lines(lines) => lines.held(),
            Answer::Json(json) => json.held(),
            Answer::Covers(covers) => covers.held(),
            Answer::Count(_) => 0,
        }
    }

    /// The verdict after the end of the output. `ended` is `None` if it is unknown how the process ended (a file was
    /// read).
    pub fn finish(self, ended: Option<Ended>, stderr: &[u8]) -> Verdict {
        match self {
            Answer::Lines(lines) => lines.finish(ended, stderr),
            Answer::Json(json) => json.finish(ended),
            Answer::Covers(covers) => covers.finish(ended, stderr),
            Answer::Count(count) => count.finish(ended, stderr),
        }
    }
}

impl Consume for Answer {
    fn feed(&mut self, bytes: &[u8]) {
        match self {
            Answer::Lines(lines) => lines.feed(bytes),
            Answer::Json(json) => json.feed(bytes),
            Answer::Covers(covers) => covers.feed(bytes),
            Answer::Count(count) => count.feed(bytes),
        }
    }
}

/// Why an output was not read to its end.
#[derive(Debug)]
pub enum Unread {
    Io(io::Error),
    Stopped(Stop),
}

/// The dialect of an output of an unknown solver, by its first bytes: lines, or clasp's JSON.
fn recognised(dialect: Dialect, bytes: &[u8]) -> Dialect {
    let json = Dialect::named("clasp-json").filter(|_| bytes.trim_ascii_start().starts_with(b"{"));
    json.filter(|_| dialect.is_unknown()).unwrap_or(dialect)
}

/// Parses a whole output. `ended` is `None` if it is unknown how the process ended.
pub fn parse(
    dialect: Dialect,
    reader: impl Read,
    ended: Option<Ended>,
    stderr: &[u8],
) -> io::Result<Verdict> {
    parse_within(dialect, None, reader, ended, stderr, &Budget::unlimited()).map_err(|unread| match unread {
        Unread::Io(error) => error,
        Unread::Stopped(_) => io::ErrorKind::OutOfMemory.into(),
    })
}

/// Like [`parse`], within a budget; `variables` is the number of variables of the formula, if known.
pub fn parse_within(
    dialect: Dialect,
    variables: Option<u64>,
    mut reader: impl Read,
    ended: Option<Ended>,
    stderr: &[u8],
    budget: &Budget,
) -> Result<Verdict, Unread> {
    let new = |dialect: Dialect| match variables {
        Some(variables) => Answer::new(dialect).only(variables),
        None => Answer::new(dialect),
    };
    let mut answer: Option<Answer> = None;
    let mut buffer = vec![0; 1 << 16];
    loop {
        let held = answer.as_ref().map_or(0, Answer::held);
        budget.check().and_then(|()| budget.hold(held)).map_err(Unread::Stopped)?;
        match reader.read(&mut buffer) {
            Ok(0) => return Ok(answer.unwrap_or_else(|| new(dialect)).finish(ended, stderr)),
            Ok(read) => {
                let bytes = &buffer[..read];
                answer.get_or_insert_with(|| new(recognised(dialect, bytes))).feed(bytes);
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(Unread::Io(error)),
        }
    }
}
