//! What solvers print, understood.
//!
//! In: the bytes of a solver's output, its dialect, how the process ended. Out: a [`Verdict`]. A file for each family of
//! formats. Knows nothing of the formula: whether a model satisfies it is for the caller to check.

pub mod dialect;
mod dlx;
mod json;
mod sat;

use super::Verdict;
use super::process::{Consume, Ended};
use dialect::{Dialect, Shape};
use std::io::{self, Read};

/// Reads an output as it comes.
#[derive(Debug)]
pub enum Answer {
    Lines(sat::SatOutput),
    Json(json::JsonOutput),
    Covers(dlx::DlxOutput),
}

impl Answer {
    pub fn new(dialect: Dialect) -> Answer {
        match dialect.shape {
            Shape::Lines => Answer::Lines(sat::SatOutput::new(dialect)),
            Shape::Json => Answer::Json(json::JsonOutput::new(dialect)),
            Shape::Covers => Answer::Covers(dlx::DlxOutput::new(dialect)),
        }
    }

    /// What to believe, now that the output has ended. `ended` is `None` if nobody knows how (a file was read).
    pub fn finish(self, ended: Option<Ended>, stderr: &[u8]) -> Verdict {
        match self {
            Answer::Lines(lines) => lines.finish(ended, stderr),
            Answer::Json(json) => json.finish(ended),
            Answer::Covers(covers) => covers.finish(ended, stderr),
        }
    }
}

impl Consume for Answer {
    fn feed(&mut self, bytes: &[u8]) {
        match self {
            Answer::Lines(lines) => lines.feed(bytes),
            Answer::Json(json) => json.feed(bytes),
            Answer::Covers(covers) => covers.feed(bytes),
        }
    }
}

/// Reads a whole output, of a process that ended as told or of one that nobody saw end.
pub fn parse(
    dialect: Dialect,
    mut reader: impl Read,
    ended: Option<Ended>,
    stderr: &[u8],
) -> io::Result<Verdict> {
    let mut answer = Answer::new(dialect);
    let mut buffer = vec![0; 1 << 16];
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return Ok(answer.finish(ended, stderr)),
            Ok(read) => answer.feed(&buffer[..read]),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
}
