//! The output of exact-cover solvers: Knuth's dlx1, dlx2, dlx3, dlx5, ssxcc, ssmcc and xccdc, and miniexact.
//!
//! In: bytes, in pieces of any size, of standard output alone or with standard error in between. Out: solutions as they
//! come, each a list of options, each a list of words (`item` or `item:colour`), and a [`CoverVerdict`]. A number and a
//! colon alone on a line begin a solution, lines that begin with a blank are its options, whatever else is ends it. Of
//! miniexact, an option ends with `;` and a blank line ends a solution. "Complete" and "no solution" need the line of
//! totals, which tells how many there are; these programs exit 0 after a time-out too. Whether a solution covers what it
//! should is for the caller to check: the last one of a broken run may have lost options. Memory grows with the
//! solutions that nobody took.

use crate::solve::process::{Consume, Ended};

/// The options of a solution, each the words of its items.
pub type Cover = Vec<Vec<Vec<u8>>>;

/// Bytes of solutions held; more is a failure.
const MOST_BYTES: usize = 1 << 30;
/// Bytes kept of a line that is no option.
const HEAD: usize = 160;

/// What to believe of an output, beside the solutions it lists.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CoverVerdict {
    /// Some were listed. Of a minimising solver the last is the best; `optimal` if it said so.
    Found { complete: bool, optimal: bool },
    /// There is none.
    Unsatisfiable,
    /// No answer within the limits.
    Unknown(String),
    /// The run broke, or the output contradicts itself; with what was seen.
    Failed(String),
}

/// Reads the output of an exact-cover solver as it comes.
#[derive(Debug, Default)]
pub struct CoverOutput {
    line: Vec<u8>,
    /// The solution that is being read, and its number.
    open: Option<Cover>,
    number: u64,
    /// Solutions that nobody took yet.
    done: Vec<Cover>,
    listed: u64,
    bytes: usize,
    /// Options end with `;`.
    miniexact: bool,
    /// Behind the last option there was `(k of n)`.
    ranked: bool,
    total: Option<u64>,
    timeout: bool,
    optimal: bool,
    cut: bool,
    garbage: Option<String>,
    /// The first line that is none of ours, to be shown if there is no answer.
    odd: Option<String>,
}

impl Consume for CoverOutput {
    fn feed(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let Some(end) = memchr::memchr(b'\n', rest) {
            self.keep(&rest[..end]);
            self.end_line();
            rest = &rest[end + 1..];
        }
        self.keep(rest);
    }
}

impl CoverOutput {
    pub fn new() -> CoverOutput {
        CoverOutput::default()
    }

    /// The solutions that were read since the last call.
    pub fn take(&mut self) -> Vec<Cover> {
        self.bytes = 0;
        std::mem::take(&mut self.done)
    }

    fn keep(&mut self, bytes: &[u8]) {
        self.bytes += bytes.len();
        if self.bytes > MOST_BYTES {
            self.garbage(format!("more than {MOST_BYTES} bytes of solutions"));
            return;
        }
        self.line.extend_from_slice(bytes);
    }

    fn garbage(&mut self, what: String) {
        self.garbage.get_or_insert(what);
    }

    fn end_line(&mut self) {
        let mut line = std::mem::take(&mut self.line);
        let text = line.strip_suffix(b"\r").unwrap_or(&line);
        self.whole_line(text);
        if self.open.is_none() && self.done.is_empty() {
            self.bytes = 0;
        }
        // Keeps the allocation.
        line.clear();
        self.line = line;
    }

    fn whole_line(&mut self, text: &[u8]) {
        if let Some(number) = header(text) {
            self.close();
            if number <= self.number {
                self.garbage(format!("solution {number} behind solution {}", self.number));
            }
            self.number = number;
            self.open = Some(Cover::new());
            self.ranked = false;
        } else if self.number == 0 && text.ends_with(b";") && !text.starts_with(b" ") {
            self.miniexact = true;
            let words = words(&text[..text.len() - 1]);
            self.option(words);
        } else if self.miniexact && text.is_empty() {
            self.close();
        } else if text.starts_with(b" ") && self.open.is_some() && !self.miniexact {
            self.listed_option(text);
        } else {
            if !self.miniexact {
                self.close();
            }
            self.note(text);
        }
    }

    /// A line that begins with a blank, in a solution.
    fn listed_option(&mut self, text: &[u8]) {
        let (text, ranked) = without_rank(text);
        let words = words(text);
        let progress = matches!(&words[..], [after, _, mems, ..] if after == b"after" && mems == b"mems:");
        let first = self.open.as_ref().is_some_and(|cover| cover.is_empty()) && !self.ranked;
        if progress || (!ranked && !first && self.ranked) {
            // Of standard error.
            return self.close();
        }
        self.ranked |= ranked;
        // dlx3 tells of items that need no more options.
        if !(ranked && words.len() == 2 && words[0] == b"null") {
            self.option(words);
        }
    }

    fn option(&mut self, words: Vec<Vec<u8>>) {
        if words.is_empty() || words.iter().any(|word| word.starts_with(b":")) {
            self.garbage("an option without items".to_owned());
        }
        self.open.get_or_insert_default().push(words);
    }

    fn close(&mut self) {
        if let Some(cover) = self.open.take() {
            self.listed += 1;
            self.done.push(cover);
        }
    }

    /// A line that is no part of a solution.
    fn note(&mut self, text: &[u8]) {
        let text = String::from_utf8_lossy(&text[..text.len().min(HEAD)]);
        let text = text.trim();
        if let Some(total) = totals(text) {
            if self.total.is_some_and(|before| before != total) {
                self.garbage("two different totals".to_owned());
            }
            self.total = Some(total);
        } else if text == "TIMEOUT!" {
            self.timeout = true;
        } else if text.starts_with("The optimum cost") {
            self.optimal = true;
        } else if !text.is_empty() && !text.starts_with('(') {
            self.odd.get_or_insert_with(|| text.to_owned());
        }
    }

    /// What is known now that the output has ended, and the solutions not taken yet.
    ///
    /// `ended` is `None` if nobody knows how (a file was read); `limit` is how many solutions the solver was asked for.
    pub fn finish(
        mut self,
        ended: Option<Ended>,
        stderr: &[u8],
        limit: Option<u64>,
    ) -> (Vec<Cover>, CoverVerdict) {
        self.end_output();
        stderr.split(|byte| *byte == b'\n').for_each(|line| self.note(line));
        let verdict = self.verdict(ended, limit);
        let solutions = if matches!(verdict, CoverVerdict::Found { .. }) { self.done } else { Vec::new() };
        (solutions, verdict)
    }

    fn end_output(&mut self) {
        if self.line.is_empty() {
            return self.close();
        }
        let line = std::mem::take(&mut self.line);
        // Without its end, a line may be cut off, but for those that say where they end.
        if without_rank(&line).1 || line.ends_with(b";") || !line.starts_with(b" ") && header(&line).is_none()
        {
            self.whole_line(&line);
        } else {
            self.cut = true;
            self.open = None;
        }
        self.close();
    }

    fn verdict(&self, ended: Option<Ended>, limit: Option<u64>) -> CoverVerdict {
        if let Some(what) = &self.garbage {
            return CoverVerdict::Failed(format!("the output has {what}"));
        }
        if let Some(total) = self.total
            && (self.listed > total || self.number > total)
        {
            return CoverVerdict::Failed(format!("more solutions are listed than the {total} there are"));
        }
        if let Some(Ended::Signal(signal)) = ended {
            return CoverVerdict::Failed(format!("the solver was ended by signal {signal}"));
        }
        // miniexact: 10 for a solution, 20 when there are no more.
        let clean = match ended {
            None => true,
            Some(Ended::Exit(0)) => !self.miniexact,
            Some(Ended::Exit(20)) => self.number == 0,
            Some(_) => false,
        };
        let exhausted = clean && !self.timeout && !self.cut;
        if self.listed > 0 {
            let complete = exhausted
                && !self.optimal
                && self.total == Some(self.listed)
                && limit.is_none_or(|limit| self.listed < limit);
            return CoverVerdict::Found { complete, optimal: self.optimal && exhausted };
        }
        match (self.total, ended) {
            (_, Some(Ended::Stopped(_))) => CoverVerdict::Unknown("the solver was stopped".to_owned()),
            (_, _) if self.timeout => CoverVerdict::Unknown("the solver ran out of time".to_owned()),
            (Some(0), _) if exhausted => CoverVerdict::Unsatisfiable,
            (Some(total), _) if clean => {
                CoverVerdict::Failed(format!("the solver counted {total} solutions but printed none"))
            }
            _ => CoverVerdict::Failed(self.no_answer(ended)),
        }
    }

    fn no_answer(&self, ended: Option<Ended>) -> String {
        let mut what = "the solver gave no answer".to_owned();
        if let Some(Ended::Exit(code)) = ended
            && code != 0
        {
            what.push_str(&format!("; it ended with code {code}"));
        }
        if let Some(odd) = &self.odd {
            what.push_str(&format!("; it said: {odd}"));
        }
        what
    }
}

/// The number of a line that begins a solution; dlx5 adds the cost.
fn header(text: &[u8]) -> Option<u64> {
    let (number, rest) = text.split_at(text.iter().position(|byte| !byte.is_ascii_digit())?);
    let number = std::str::from_utf8(number).ok()?.parse().ok()?;
    let costs = rest.strip_prefix(b": (total cost $").is_some_and(|rest| rest.ends_with(b")"));
    (number > 0 && (rest == b":" || costs)).then_some(number)
}

/// `Altogether N solutions, …` or `Found N solutions!`.
fn totals(text: &str) -> Option<u64> {
    let rest = text.strip_prefix("Altogether ").or_else(|| text.strip_prefix("Found "))?;
    let (number, rest) = rest.split_once(' ')?;
    rest.starts_with("solution").then(|| number.parse().ok())?
}

/// A line without ` (k of n)` at its end, which dlx5 follows by ` $c [d]`; and whether it had that.
fn without_rank(text: &[u8]) -> (&[u8], bool) {
    let Some(at) = text.windows(2).rposition(|pair| pair == b" (") else { return (text, false) };
    let rest = String::from_utf8_lossy(&text[at + 2..]);
    let number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let ranked = rest.split_once(')').is_some_and(|(rank, behind)| {
        let known = rank == "?" || rank.split_once(" of ").is_some_and(|(k, n)| number(k) && number(n));
        known && (behind.is_empty() || behind.starts_with(" $") && behind.ends_with(']'))
    });
    if ranked { (&text[..at], true) } else { (text, false) }
}

fn words(text: &[u8]) -> Vec<Vec<u8>> {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t'..=b'\r');
    text.split(blank).filter(|word| !word.is_empty()).map(<[u8]>::to_vec).collect()
}
