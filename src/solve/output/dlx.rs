//! The output of a solver of exact covers: Knuth's DLX1, DLX2, DLX3, SSXCC, SSMCC, XCCDC, and miniexact.
//!
//! In: bytes of standard output, or of both streams together, in pieces of any size, and the words that tell literals.
//! Out: a [`Verdict`]. Solutions are lines of options below a line with their number (miniexact: up to an empty line); that the
//! search is complete is told by a total that says as many. Memory grows with the literals that the solutions tell.

use crate::encode::Lit;
use crate::encode::symbols::Told;
use crate::solve::Verdict;
use crate::solve::process::{Consume, Ended};
use std::collections::HashMap;

/// Literals of solutions kept in all; more is a failure.
const MOST_LITERALS: usize = 1 << 28;
/// Bytes of a line; Knuth's programs read no longer ones.
const LONGEST_LINE: usize = 1 << 20;

/// The literals that words tell.
#[derive(Clone, Debug, Default)]
struct Words {
    always: Vec<Lit>,
    /// By the first word: the others, and the literal.
    by_word: HashMap<String, Vec<(Vec<String>, Lit)>>,
}

impl Words {
    fn of(told: &[Told]) -> Words {
        let mut words = Words::default();
        for Told { lit, words: all } in told {
            match all.split_first() {
                None => words.always.push(*lit),
                Some((first, others)) => {
                    words.by_word.entry(first.clone()).or_default().push((others.to_vec(), *lit));
                }
            }
        }
        words
    }

    /// Adds what an option tells.
    fn tell(&self, option: &[&str], lits: &mut Vec<Lit>) {
        for (others, lit) in option.iter().filter_map(|word| self.by_word.get(*word)).flatten() {
            if others.iter().all(|other| option.contains(&other.as_str())) {
                lits.push(*lit);
            }
        }
    }
}

/// Reads the output as it comes.
#[derive(Debug)]
pub struct DlxOutput {
    words: Words,
    line: Vec<u8>,
    too_long: bool,
    models: Vec<Vec<Lit>>,
    literals: usize,
    open: Option<Vec<Lit>>,
    /// Has the open solution an option, or a word that it needs no more?
    begun: bool,
    /// How many solutions there are, says the program.
    total: Option<u64>,
    timeout: bool,
    /// The last line that looks like a message of failure.
    complaint: Option<String>,
}

impl Consume for DlxOutput {
    fn feed(&mut self, bytes: &[u8]) {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            let (text, ends) = match part.split_last() {
                Some((b'\n', text)) => (text, true),
                _ => (part, false),
            };
            if self.line.len() + text.len() > LONGEST_LINE {
                self.too_long = true;
            } else {
                self.line.extend_from_slice(text);
            }
            if ends {
                self.end_line();
            }
        }
    }
}

impl DlxOutput {
    pub fn new(told: &[Told]) -> DlxOutput {
        DlxOutput {
            words: Words::of(told),
            line: Vec::new(),
            too_long: false,
            models: Vec::new(),
            literals: 0,
            open: None,
            begun: false,
            total: None,
            timeout: false,
            complaint: None,
        }
    }

    fn end_line(&mut self) {
        let bytes = std::mem::take(&mut self.line);
        let text = String::from_utf8_lossy(&bytes);
        let line = text.trim_end();
        // the place of a fault is a number, too
        if is_number(line) && self.complaint.is_none() {
            self.close();
            self.begin();
        } else if let Some(option) = line.strip_prefix(' ').filter(|_| self.open.is_some()) {
            self.option(counted(option));
        } else if let Some(option) = line.strip_suffix(';').filter(|_| !text.starts_with(' ')) {
            // miniexact has no line before a solution
            if self.open.is_none() {
                self.begin();
            }
            self.option(option);
        } else {
            self.close();
            self.remark(line);
        }
    }

    fn begin(&mut self) {
        self.literals += self.words.always.len();
        self.open = Some(self.words.always.clone());
        self.begun = false;
    }

    fn option(&mut self, text: &str) {
        self.begun = true;
        let words: Vec<&str> = text.split_ascii_whitespace().collect();
        // dlx3 says of an item that it needs no more options
        if words.first() == Some(&"null") {
            return;
        }
        if let Some(open) = &mut self.open {
            let before = open.len();
            self.words.tell(&words, open);
            self.literals += open.len() - before;
        }
    }

    fn close(&mut self) {
        if let Some(mut model) = self.open.take()
            && self.begun
            && self.literals <= MOST_LITERALS
        {
            model.sort_unstable();
            model.dedup();
            self.models.push(model);
        }
    }

    fn remark(&mut self, line: &str) {
        let number = |start: &str, end: &str| -> Option<u64> {
            line.strip_prefix(start)?.split_once(end)?.0.parse().ok()
        };
        if let Some(total) = number("Altogether ", " solution").or_else(|| number("Found ", " solutions!")) {
            self.total = Some(total);
        } else if line == "TIMEOUT!" {
            self.timeout = true;
        } else if line.ends_with('!') || line.contains("ERROR") || line.starts_with("Usage") {
            self.complaint = Some(line.chars().take(160).collect());
        }
    }

    /// What to believe, now that the output has ended; `ended` is `None` if nobody saw it end.
    pub fn finish(mut self, ended: Option<Ended>, stderr: &[u8]) -> Verdict {
        if !self.line.is_empty() {
            self.end_line();
        }
        self.close();
        self.feed(stderr);
        if !self.line.is_empty() {
            self.end_line();
        }
        if self.too_long || self.literals > MOST_LITERALS {
            return Verdict::Failed("the output is too large".into());
        }
        let models = self.models;
        let all = self.total == Some(models.len() as u64) && !self.timeout;
        match (ended, self.total) {
            _ if !models.is_empty() => Verdict::Satisfiable { models, complete: all, optimal: false },
            (_, Some(0)) if !self.timeout => Verdict::Unsatisfiable,
            (_, _) if self.timeout => Verdict::Unknown("its limit of memory accesses was reached".into()),
            (_, Some(n)) => {
                Verdict::Failed(format!("it found {n} solutions but printed none: it needs `m1`"))
            }
            // miniexact without a solution
            (Some(Ended::Exit(20)), None) => Verdict::Unsatisfiable,
            (Some(Ended::Stopped(_)), None) => Verdict::Unknown("it was stopped".into()),
            (None, None) if self.complaint.is_none() => Verdict::Unknown(
                "no solution and no total; Knuth's programs print the total on standard error (`2>&1`)"
                    .into(),
            ),
            (_, None) => Verdict::Failed(self.complaint.unwrap_or_else(|| "no answer".into())),
        }
    }
}

/// `12:`, with a cost behind it or not.
fn is_number(line: &str) -> bool {
    let Some((number, rest)) = line.split_once(':') else { return false };
    let digits = !number.is_empty() && number.bytes().all(|byte| byte.is_ascii_digit());
    digits && (rest.is_empty() || rest.starts_with(" (total cost"))
}

/// An option without ` (k of n)` at its end.
fn counted(option: &str) -> &str {
    match option.rsplit_once(" (") {
        Some((words, count)) if count.ends_with(')') && (count.contains(" of ") || count == "?)") => words,
        _ => option,
    }
}
