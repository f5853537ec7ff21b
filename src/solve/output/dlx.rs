//! Output of an exact cover solver: Knuth's DLX programs and variants of them, and miniexact.
//!
//! In: bytes, in pieces of any size; standard output alone, or mixed with standard error (`2>&1`). Out: a [`Verdict`]
//! with covers. Solutions are on standard output; only standard error reports whether they are all (`Altogether 3
//! solutions`). If that line is missing, the verdict never claims completeness, and an output without a solution is
//! no answer. Memory grows only with the covers that are kept.

use super::dialect::{Dialect, Lists};
use super::text::{first_line, lossy};
use super::{Answers, Listed};
use super::{Consume, Ended};
use crate::solve::{Cover, Verdict};
use std::sync::mpsc::SyncSender;

/// Upper bound on the words, options and covers kept in all; more is a failure.
const MOST_WORDS: usize = 1 << 24;
/// Upper bound on the bytes of a line; no valid option is longer.
const MOST_LINE: usize = 1 << 24;

/// Why a total of miniexact may mean nothing: if it is called for another kind of problem, it ignores parts of the
/// input.
const MINIEXACT: &str = "miniexact's total depends on how it was called: with `-m` for `--dialect miniexact`, with \
                         `-c -D` for `dlx2`; the output does not tell";

/// An incremental parser of an exact cover solver's output.
#[derive(Debug)]
pub struct DlxOutput {
    dialect: Dialect,
    line: Vec<u8>,
    covers: Answers<Cover>,
    words: usize,
    /// The solution that is being read.
    open: Option<Cover>,
    /// The number of the last solution, as printed: with `m10` only every tenth is printed.
    number: u64,
    /// `Altogether N solutions`, or miniexact's `Found N solutions!`.
    total: Option<u64>,
    /// The total is miniexact's: its meaning depends on the options of the call.
    found: bool,
    timeout: bool,
    /// `The optimum cost is $6`.
    optimum: bool,
    garbage: Option<String>,
    /// The first unrecognised line, to be shown if there is no answer.
    odd: Option<String>,
}

impl Consume for DlxOutput {
    fn feed(&mut self, bytes: &[u8]) {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            if self.line.len() + piece.len() > MOST_LINE {
                self.garbage("a line that is too long");
                self.line.clear();
            } else {
                self.line.extend_from_slice(piece);
            }
            if piece.ends_with(b"\n") {
                let mut line = std::mem::take(&mut self.line);
                self.line(lossy(&line).trim_end());
                line.clear();
                self.line = line;
            }
        }
    }
}

impl DlxOutput {
    pub fn new(dialect: Dialect, to: Option<SyncSender<Listed>>) -> DlxOutput {
        DlxOutput {
            dialect,
            line: Vec::new(),
            covers: Answers::new(to),
            words: 0,
            open: None,
            number: 0,
            total: None,
            found: false,
            timeout: false,
            optimum: false,
            garbage: None,
            odd: None,
        }
    }

    /// Bytes in use, approximately.
    pub fn held(&self) -> u64 {
        48 * self.words as u64 + self.line.capacity() as u64
    }

    fn garbage(&mut self, what: &str) {
        self.garbage.get_or_insert_with(|| what.to_owned());
    }

    fn line(&mut self, line: &str) {
        if let Some(options) = line.strip_prefix(' ') {
            if self.open.is_some() && !is_progress(line) {
                self.option(options);
            }
            return;
        }
        if let Some(option) = line.strip_suffix(';') {
            // miniexact: a solution is its options and an empty line
            self.open.get_or_insert_default();
            return self.option(option);
        }
        // a solution ends where something else begins
        self.end_cover();
        if let Some(number) = header(line) {
            if number <= self.number {
                self.garbage("solutions whose numbers do not ascend");
            }
            self.number = number;
            self.words += 1;
            if self.words <= MOST_WORDS {
                self.open = Some(Cover::new());
            }
        } else if let Some(total) = total(line) {
            self.found = line.starts_with("Found");
            if self.total.replace(total).is_some() {
                self.garbage("two totals");
            }
        } else if line == "TIMEOUT!" {
            self.timeout = true;
        } else if line.starts_with("The optimum cost is $") {
            self.optimum = true;
        } else if line.ends_with('!') {
            // a complaint about the input; a line with the place follows, `12: …`
            let small = line.starts_with("Too many") || line.contains(" overflow");
            let why = if small { ": the program was built for smaller problems" } else { "" };
            self.garbage(&format!("the complaint `{line}`{why}"));
        } else if !line.is_empty() && !line.starts_with('(') {
            self.odd.get_or_insert_with(|| line.to_owned());
        }
    }

    /// An option of the open solution; `null NAME` of dlx3 means that an item needs no more options.
    fn option(&mut self, text: &str) {
        let words: Vec<Box<str>> = bare(text).split_ascii_whitespace().map(Box::from).collect();
        // an option without words counts too
        self.words += words.len() + 1;
        if self.words > MOST_WORDS {
            self.garbage("too many options");
        } else if words.iter().any(|word| word.contains(char::is_control)) {
            self.garbage("a control character in an option");
        } else if words.first().is_some_and(|word| **word != *"null") {
            self.open.get_or_insert_default().push(words);
        }
    }

    fn end_cover(&mut self) {
        let Some(cover) = self.open.take() else { return };
        if !self.covers.are_kept() {
            self.words = 0;
        }
        self.covers.push(cover, Listed::Cover);
    }

    /// The verdict after the end of the output. `ended` is `None` if it is unknown how the process ended (a file was
    /// read).
    pub fn finish(mut self, ended: Option<Ended>, stderr: &[u8]) -> Verdict {
        // a line without an end may be truncated, and so the solution it belongs to
        if !self.line.is_empty() {
            self.open = None;
        }
        self.end_cover();
        for line in lossy(stderr).lines() {
            self.line(line.trim_end());
        }
        if let Some(what) = self.garbage {
            return Verdict::Failed(format!("the output has {what}"));
        }
        let found = self.covers.count as u64;
        if self.total.is_some_and(|total| total < found.max(self.number)) {
            return Verdict::Failed("the output has more solutions than it says".to_owned());
        }
        match ended {
            Some(Ended::Signal(signal)) => {
                return Verdict::Failed(format!("the solver was ended by signal {signal}"));
            }
            Some(Ended::Exit(code)) if !self.dialect.unsat_exits.contains(&code) => {
                let said = self.odd.as_deref().filter(|_| stderr.is_empty()).map(str::to_owned);
                let said = said.unwrap_or_else(|| first_complaint(stderr));
                return Verdict::Failed(format!("the solver ended with code {code}; it said: {said}"));
            }
            _ => {}
        }
        let stopped = self.timeout || matches!(ended, Some(Ended::Stopped(_)));
        let lacks = match self.total {
            _ if self.timeout => Some("the solver was stopped, `TIMEOUT!`".to_owned()),
            _ if stopped => Some("the solver was stopped".to_owned()),
            None => Some("the solver's totals, on standard error, are missing (`2>&1`)".to_owned()),
            Some(total) if total != found => Some(format!("the solver counted {total}, and printed {found}")),
            Some(_) if self.found && self.dialect.lists != Lists::Yes => Some(MINIEXACT.to_owned()),
            Some(_) => None,
        };
        match (self.total, found) {
            (Some(0), 0) => match lacks {
                None => Verdict::Unsatisfiable,
                Some(why) => Verdict::Unknown(why),
            },
            (_, 0) if stopped => Verdict::Unknown("the solver was stopped".to_owned()),
            (Some(total), 0) => {
                let solutions = if total == 1 { "1 solution" } else { &format!("{total} solutions") };
                Verdict::Failed(format!("the solver counted {solutions} but printed none"))
            }
            (None, 0) => match self.odd {
                Some(odd) => Verdict::Failed(format!("the solver gave no answer; it said: {odd}")),
                None => Verdict::Unknown(
                    "there is no solution, and without the solver's totals, on standard error, nobody knows \
                     whether it searched to the end (`2>&1`)"
                        .to_owned(),
                ),
            },
            _ => Verdict::Covered {
                // each printed cost is better than those before it
                covers: match self.optimum && self.covers.are_kept() {
                    true => self.covers.kept.split_off(found as usize - 1),
                    false => self.covers.kept,
                },
                complete: lacks.is_none() && !self.optimum,
                optimal: self.optimum && !stopped,
                lacks,
            },
        }
    }
}

/// The number of `3:`, or of `3: (total cost $7)`.
fn header(line: &str) -> Option<u64> {
    let (number, rest) = line.split_once(':')?;
    let plain = number.bytes().all(|byte| byte.is_ascii_digit());
    if !plain || !(rest.is_empty() || rest.starts_with(" (total cost $")) {
        return None;
    }
    number.parse().ok().filter(|number| *number > 0)
}

/// The number of `Altogether 3 solutions, …`, `Altogether 1 solution, …` or `Found 3 solutions!`.
fn total(line: &str) -> Option<u64> {
    let rest = line.strip_prefix("Altogether ").or_else(|| line.strip_prefix("Found "))?;
    let (number, rest) = rest.split_once(" solution")?;
    let whole = matches!(rest.trim_start_matches('s'), "!") || rest.trim_start_matches('s').starts_with(", ");
    number.parse().ok().filter(|_| whole)
}

/// ` after 60 mems: 0 sols, …` and ` 2 solutions, 212 mems, and max level …`, on standard error.
fn is_progress(line: &str) -> bool {
    let mut words = line.split_ascii_whitespace();
    let (first, second, third) = (words.next(), words.next(), words.next());
    let number = |word: Option<&str>| word.is_some_and(|word| word.parse::<u64>().is_ok());
    match first {
        Some("after") => number(second) && third == Some("mems:"),
        _ => number(first) && matches!(second, Some("solutions," | "solution,")) && number(third),
    }
}

/// An option without ` (2 of 3)`, ` (?)` and the text that dlx5 appends, ` $4 [0]`.
fn bare(text: &str) -> &str {
    let Some((option, tail)) = text.rsplit_once(" (") else { return text };
    let Some((inner, behind)) = tail.split_once(')') else { return text };
    let counted = inner == "?"
        || inner.split_once(" of ").is_some_and(|(k, n)| {
            [k, n].iter().all(|word| !word.is_empty() && word.bytes().all(|byte| byte.is_ascii_digit()))
        });
    match counted && (behind.is_empty() || behind.starts_with(" $")) {
        true => option,
        false => text,
    }
}

/// The first line of standard error that is not a progress report.
fn first_complaint(stderr: &[u8]) -> String {
    let text = lossy(stderr);
    let complaint = text.lines().map(str::trim).find(|line| !line.is_empty() && !line.starts_with('('));
    complaint.map_or_else(|| first_line(stderr), str::to_owned)
}
