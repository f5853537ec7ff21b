//! Output of a model counter, in the format of the Model Counting Competition (2021 and later; `s mc N` of 2020 too).
//!
//! In: bytes, in pieces of any size. Out: a [`Verdict`] with a number of any size. Such a number cannot be checked,
//! so the output must be consistent: complete, from a process that ended without error, with one number and a status
//! that agrees with it. The number is an estimate if the dialect or the output marks it as one.

use super::dialect::Dialect;
use super::text::{first_line, lossy};
use super::{Consume, Ended};
use crate::solve::{Count, Verdict};

/// Upper bound on the bytes of a line, and so on the digits of a number.
const MOST_LINE: usize = 1 << 20;

/// An incremental parser of a model counter's output.
#[derive(Debug)]
pub struct CountOutput {
    dialect: Dialect,
    /// What is known so far, besides the number.
    exact: bool,
    unprojected: bool,
    line: Vec<u8>,
    long: bool,
    number: Option<String>,
    satisfiable: bool,
    unsatisfiable: bool,
    unknown: bool,
    garbage: Option<String>,
    /// The first unrecognised line, to be shown if there is no answer.
    odd: Option<String>,
}

impl Consume for CountOutput {
    fn feed(&mut self, bytes: &[u8]) {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.long |= self.line.len() + piece.len() > MOST_LINE;
            if !self.long {
                self.line.extend_from_slice(piece);
            }
            if piece.ends_with(b"\n") {
                let line = std::mem::take(&mut self.line);
                match std::mem::take(&mut self.long) {
                    true => self.garbage(format!("a line of more than {MOST_LINE} bytes")),
                    false => self.line(&lossy(&line)),
                }
            }
        }
    }
}

impl CountOutput {
    /// `exact`: are numbers exact counts unless the output marks them as estimates?
    pub fn new(dialect: Dialect, exact: bool) -> CountOutput {
        CountOutput {
            dialect,
            exact,
            unprojected: false,
            line: Vec::new(),
            long: false,
            number: None,
            satisfiable: false,
            unsatisfiable: false,
            unknown: false,
            garbage: None,
            odd: None,
        }
    }

    fn garbage(&mut self, what: String) {
        self.garbage.get_or_insert(what);
    }

    fn line(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match *words.as_slice() {
            ["s", "SATISFIABLE"] => self.satisfiable = true,
            ["s", "UNSATISFIABLE"] => self.unsatisfiable = true,
            ["s", "UNKNOWN"] => self.unknown = true,
            ["c", "s", "type", kind] | ["s", kind @ ("mc" | "pmc"), _] => {
                match kind {
                    "pmc" => {}
                    // estimators print this type for projections, too
                    "mc" => self.unprojected |= self.exact,
                    other => self.garbage(format!("the number of another task, `{other}`")),
                }
                if let ["s", _, number] = words[..] {
                    self.number(number);
                }
            }
            ["c", "s", precision @ ("exact" | "approx" | "heuristic"), "arb", "int", number] => {
                self.exact &= precision == "exact";
                self.number(number);
            }
            ["c", "s", "exact" | "approx" | "heuristic", ..] => {
                self.garbage(format!("a number that is no whole one: `{}`", head(line)));
            }
            ["s", ..] => self.garbage(format!("the status `{}`", head(line))),
            [] | ["c", ..] => {}
            _ => {
                self.odd.get_or_insert_with(|| head(line));
            }
        }
    }

    fn number(&mut self, text: &str) {
        let plain = text == "0" || !text.starts_with('0') && text.bytes().all(|byte| byte.is_ascii_digit());
        match &self.number {
            _ if !plain => self.garbage(format!("`{}` for a number", head(text))),
            Some(other) if other != text => self.garbage("two numbers".to_owned()),
            _ => self.number = Some(text.to_owned()),
        }
    }

    /// The verdict after the end of the output.
    pub fn finish(self, ended: Option<Ended>, stderr: &[u8]) -> Verdict {
        if let Some(what) = self.garbage {
            return Verdict::Failed(format!("the output has {what}"));
        }
        let code = match ended {
            Some(Ended::Stopped(_)) => return Verdict::Unknown("the solver was stopped".to_owned()),
            Some(Ended::Signal(signal)) => {
                return Verdict::Failed(format!("the solver was ended by signal {signal}"));
            }
            Some(Ended::Exit(code)) => Some(code),
            None => None,
        };
        if !self.line.is_empty() || self.long {
            return Verdict::Failed("the output is cut off".to_owned());
        }
        let none = self.number.as_deref() == Some("0");
        if self.satisfiable && (self.unsatisfiable || none)
            || self.unsatisfiable && self.number.is_some() && !none
        {
            return Verdict::Failed("the output contradicts itself".to_owned());
        }
        let mut what = match self.number.or(self.unsatisfiable.then(|| "0".to_owned())) {
            _ if self.unknown => return Verdict::Unknown("the solver gave up".to_owned()),
            Some(number) if code.is_none_or(|code| self.dialect.unsat_exits.contains(&code)) => {
                return Verdict::Counted(Count { number, exact: self.exact, unprojected: self.unprojected });
            }
            Some(_) => "the solver counted".to_owned(),
            None => "the solver gave no count".to_owned(),
        };
        if let Some(code) = code.filter(|code| *code != 0) {
            what.push_str(&format!("; it ended with code {code}"));
        }
        let said = self.odd.unwrap_or_else(|| first_line(stderr));
        if !said.is_empty() {
            what.push_str(&format!("; it said: {said}"));
        }
        Verdict::Failed(what)
    }
}

/// The start of a text, short enough for a message.
fn head(text: &str) -> String {
    text.trim().chars().take(80).collect()
}
