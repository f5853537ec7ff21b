//! A result line for each of many instances, so that a later run can skip them.
//!
//! In: results of instances. Out: a file of JSON lines and a table. Invariants: the file always holds whole lines; a
//! file with other content is not changed. Knows nothing of models or solvers.

use super::Failure;
use super::listener::Listener;
use super::load::MOST_READ;
use crate::diag::{Code, Diagnostic};
use crate::files::{self, Output, WriteFault};
use crate::shared::harmless;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, HashMap};
use std::fs::{File, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

/// The result of an instance.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ResultLine {
    pub instance: String,
    /// `satisfiable`, `optimal`, `unique`, `not unique`, `unsatisfiable`, `unknown` or `failed`.
    pub status: String,
    pub seconds: f64,
    /// Sizes of the formula, where known.
    pub variables: Option<u64>,
    pub clauses: Option<u64>,
    pub solver: String,
    pub version: Option<String>,
    /// Digest of model, data and options.
    pub digest: String,
    /// The entries in which a second solution differs from the first, if that was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub differ: Option<Vec<String>>,
    /// Why it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

pub const FAILED: &str = "failed";

/// Result lines of this run and earlier ones.
pub struct Results {
    /// A line for each finished instance.
    lines: Vec<Option<ResultLine>>,
    skipped: usize,
    name: String,
    file: Option<File>,
    /// The file to rewrite in order at the end, if a line came out of order.
    whole: Option<PathBuf>,
    prints: Prints,
    /// The instances whose lines wait for the picture.
    waiting: Vec<usize>,
}

/// The other output of a run. A result line marks its instance as finished, so it comes after all other output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prints {
    Nothing,
    /// Each instance, before its line.
    First,
    /// One picture of all, at the end.
    Last,
}

impl Results {
    /// Opens the file, or standard output, for instances with these names and digests. Failed instances are tried
    /// again.
    pub fn open(
        path: Option<&Path>,
        wanted: &[Key],
        prints: Prints,
        listener: &dyn Listener,
    ) -> Result<Results, Failure> {
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
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => None,
            // the file may hold results of hours
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
                // the earlier run may have ended between the output and its line
                listener.note(&format!("an earlier run may have printed `{}` already", wanted[next].0));
            }
        }
        if there != Some(false) {
            // drop a truncated line, and lines of other instances
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

    /// Sorts the lines; returns the table.
    pub fn finish(&mut self) -> Result<String, Failure> {
        std::mem::take(&mut self.waiting).into_iter().try_for_each(|at| self.write(at))?;
        if let Some(path) = &self.whole
            && self.skipped > 0
        {
            self.write_whole(path)?;
        }
        Ok(self.table())
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
    // serde escapes only the control characters of ASCII
    let escaped = |c: char| if c.is_control() { format!("\\u{:04x}", c as u32) } else { c.into() };
    if text.contains(char::is_control) { text.chars().map(escaped).collect() } else { text }
}

type Key = (String, String);

/// The lines of an earlier run by instance and digest, and the last of them. A truncated line at the end is dropped.
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
