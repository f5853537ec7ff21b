//! DIMACS CNF: a reader that returns one clause at a time, and a check of models against a formula.
//!
//! In: bytes of a formula in any of the dialects in use (clauses over several lines, several clauses a line, comments
//! anywhere, tabs, carriage returns, the `%` trailer of SATLIB, no header, wrong counts). Out: clauses with the line
//! where each begins. One clause is in memory at a time. A file that is truncated or has another format is an error
//! with a line, because a wrong answer would be worse.

use crate::encode::Lit;
use std::fmt;
use std::io::{self, BufRead};

/// Why a formula cannot be read.
#[derive(Debug)]
pub enum DimacsError {
    /// The text is malformed; lines count from 1.
    Malformed {
        line: u64,
        message: String,
    },
    Unreadable(io::Error),
}

impl fmt::Display for DimacsError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DimacsError::Malformed { line, message } => write!(f, "line {line}: {message}"),
            DimacsError::Unreadable(error) => write!(f, "{error}"),
        }
    }
}

impl std::error::Error for DimacsError {}

impl From<io::Error> for DimacsError {
    fn from(error: io::Error) -> DimacsError {
        DimacsError::Unreadable(error)
    }
}

/// The counts of a `p cnf` line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    pub vars: u64,
    pub clauses: u64,
}

/// Reads clauses from a formula.
pub struct Reader<R> {
    input: R,
    line: u64,
    /// Only blanks have been read on this line.
    line_start: bool,
    token: Vec<u8>,
    header: Option<Header>,
    clauses: u64,
    highest: u32,
    ended: bool,
}

/// Upper bound on the length of a token: longer ones are not numbers.
const LONGEST_TOKEN: usize = 32;

enum Token {
    /// The line of the token, and whether it is the first token there.
    Text {
        line: u64,
        first: bool,
    },
    End,
}

impl<R: BufRead> Reader<R> {
    pub fn new(input: R) -> Reader<R> {
        Reader {
            input,
            line: 1,
            line_start: true,
            token: Vec::new(),
            header: None,
            clauses: 0,
            highest: 0,
            ended: false,
        }
    }

    /// The counts of the header, if it was read.
    pub fn header(&self) -> Option<Header> {
        self.header
    }

    /// The highest variable read.
    pub fn highest(&self) -> u32 {
        self.highest
    }

    /// Differences between the header and the clauses; call this after the last clause.
    pub fn warnings(&self) -> Vec<String> {
        let Some(header) = self.header else { return vec!["there is no header".to_owned()] };
        let mut warnings = Vec::new();
        if u64::from(self.highest) > header.vars {
            warnings
                .push(format!("the header says {} variables, but there is {}", header.vars, self.highest));
        }
        if self.clauses != header.clauses {
            warnings
                .push(format!("the header says {} clauses, but there are {}", header.clauses, self.clauses));
        }
        warnings
    }

    /// Reads the next clause into `clause`, unchanged; returns the line where it begins, or `None` at the end.
    pub fn next(&mut self, clause: &mut Vec<Lit>) -> Result<Option<u64>, DimacsError> {
        clause.clear();
        let mut began = None;
        while !self.ended {
            let Token::Text { line, first } = self.token()? else {
                self.ended = true;
                break;
            };
            match self.token.as_slice() {
                [b'c', ..] if first => self.skip_line()?,
                b"c" => self.skip_line()?,
                b"p" if first => self.read_header(line)?,
                // Old SATLIB files end `%`, `0` and an empty line.
                [b'%', ..] if first => self.ended = true,
                _ => match self.literal(line)? {
                    0 => {
                        self.clauses += 1;
                        return Ok(Some(began.unwrap_or(line)));
                    }
                    lit => {
                        self.highest = self.highest.max(lit.unsigned_abs());
                        began.get_or_insert(line);
                        clause.push(lit);
                    }
                },
            }
        }
        match began {
            Some(line) => malformed(line, "this clause has no closing 0; is the file complete?"),
            None if self.clauses == 0 && self.header.is_none() => {
                malformed(self.line, "there is no header and no clause; is this a CNF file?")
            }
            None => Ok(None),
        }
    }

    fn literal(&self, line: u64) -> Result<Lit, DimacsError> {
        let text = String::from_utf8_lossy(&self.token);
        match text.parse::<Lit>() {
            Ok(Lit::MIN) => malformed(line, "the literal -2147483648 is out of range"),
            Ok(lit) => Ok(lit),
            Err(_) if self.token[0] == b'x' => {
                malformed(line, format!("XOR clauses are not known here: `{text}`"))
            }
            Err(error) => match error.kind() {
                std::num::IntErrorKind::PosOverflow | std::num::IntErrorKind::NegOverflow => {
                    malformed(line, format!("the literal `{text}` is out of range"))
                }
                _ => malformed(line, format!("expected a literal or 0, found `{}`", text.escape_debug())),
            },
        }
    }

    fn read_header(&mut self, line: u64) -> Result<(), DimacsError> {
        if self.header.is_some() {
            return malformed(line, "a second header; are these two files in one?");
        }
        if self.clauses > 0 {
            return malformed(line, "the header comes after a clause");
        }
        let format = match self.token()? {
            Token::Text { line: at, .. } if at == line => String::from_utf8_lossy(&self.token).into_owned(),
            _ => String::new(),
        };
        if format != "cnf" {
            return malformed(line, format!("expected `p cnf`, found `p {}`", format.escape_debug()));
        }
        let vars = self.number(line, "variables")?;
        let clauses = self.number(line, "clauses")?;
        self.header = Some(Header { vars, clauses });
        Ok(())
    }

    fn number(&mut self, line: u64, name: &str) -> Result<u64, DimacsError> {
        if let Token::Text { line: at, .. } = self.token()?
            && at == line
            && let Ok(number) = String::from_utf8_lossy(&self.token).parse()
        {
            return Ok(number);
        }
        malformed(line, format!("the header has no number of {name}"))
    }

    /// Reads the next token into `self.token`, at most its first [`LONGEST_TOKEN`] bytes.
    fn token(&mut self) -> Result<Token, DimacsError> {
        self.token.clear();
        let mut first = self.line_start;
        loop {
            let buffer = self.input.fill_buf()?;
            if buffer.is_empty() {
                self.line_start = first && self.token.is_empty();
                return Ok(if self.token.is_empty() {
                    Token::End
                } else {
                    Token::Text { line: self.line, first }
                });
            }
            let mut used = 0;
            for byte in buffer {
                if byte.is_ascii_whitespace() {
                    if !self.token.is_empty() {
                        // The blank stays unread, so that `skip_line` still sees the end of the line.
                        self.input.consume(used);
                        self.line_start = false;
                        return Ok(Token::Text { line: self.line, first });
                    }
                    if *byte == b'\n' {
                        self.line += 1;
                        first = true;
                    }
                } else if self.token.len() < LONGEST_TOKEN {
                    self.token.push(*byte);
                }
                used += 1;
            }
            self.input.consume(used);
        }
    }

    /// Skips to the end of this line; the newline stays unread.
    fn skip_line(&mut self) -> Result<(), DimacsError> {
        loop {
            let buffer = self.input.fill_buf()?;
            let end = buffer.iter().position(|byte| *byte == b'\n');
            let used = end.unwrap_or(buffer.len());
            let done = end.is_some() || buffer.is_empty();
            self.input.consume(used);
            if done {
                return Ok(());
            }
        }
    }
}

pub(super) fn malformed<T>(line: u64, message: impl Into<String>) -> Result<T, DimacsError> {
    Err(DimacsError::Malformed { line, message: message.into() })
}

/// Why a model does not satisfy a formula.
#[derive(Debug)]
pub enum Misfit {
    /// The clause that begins on this line is false.
    Clause { line: u64 },
    /// The linear constraint that begins on this line is false.
    Constraint { line: u64 },
    /// The formula cannot be read.
    Formula(DimacsError),
}

impl fmt::Display for Misfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Misfit::Clause { line } => write!(f, "the clause on line {line} is not satisfied"),
            Misfit::Constraint { line } => write!(f, "the constraint on line {line} is not satisfied"),
            Misfit::Formula(error) => write!(f, "the formula cannot be read: {error}"),
        }
    }
}

/// The values in a model. Only true variables are stored, in memory proportional to the model: the numbers in it may
/// be arbitrarily large.
pub(super) enum Truth {
    Bits(Vec<bool>),
    Sorted(Vec<u32>),
}

impl Truth {
    pub fn new(model: &[Lit]) -> Truth {
        let mut positive: Vec<u32> =
            model.iter().filter(|lit| **lit > 0).map(|lit| lit.unsigned_abs()).collect();
        positive.sort_unstable();
        if positive.last().is_some_and(|last| (*last as usize) >= 64 * (positive.len() + 1024)) {
            return Truth::Sorted(positive);
        }
        let mut bits = vec![false; positive.last().map_or(0, |last| *last as usize + 1)];
        positive.iter().for_each(|var| bits[*var as usize] = true);
        Truth::Bits(bits)
    }

    /// A variable that is not mentioned is false.
    pub fn holds(&self, lit: Lit) -> bool {
        let var = lit.unsigned_abs();
        let is_true = match self {
            Truth::Bits(bits) => bits.get(var as usize).copied().unwrap_or(false),
            Truth::Sorted(positive) => positive.binary_search(&var).is_ok(),
        };
        is_true == (lit > 0)
    }
}

/// Checks every clause of a formula; a variable that `model` does not mention is false.
pub fn check_model(formula: impl BufRead, model: &[Lit]) -> Result<(), Misfit> {
    let truth = Truth::new(model);
    let mut reader = Reader::new(formula);
    let mut clause = Vec::new();
    while let Some(line) = reader.next(&mut clause).map_err(Misfit::Formula)? {
        if !clause.iter().any(|lit| truth.holds(*lit)) {
            return Err(Misfit::Clause { line });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<(Vec<Vec<Lit>>, Vec<String>), String> {
        // A buffer of 3 bytes, so that every token spans two reads.
        let mut reader = Reader::new(io::BufReader::with_capacity(3, text.as_bytes()));
        let (mut clauses, mut clause) = (Vec::new(), Vec::new());
        while reader.next(&mut clause).map_err(|error| error.to_string())?.is_some() {
            clauses.push(clause.clone());
        }
        Ok((clauses, reader.warnings()))
    }

    #[track_caller]
    fn reads(text: &str, clauses: &[&[Lit]]) {
        let (found, warnings) = read(text).unwrap();
        assert_eq!(found, clauses);
        assert_eq!(warnings, [] as [&str; 0]);
    }

    #[track_caller]
    fn warns(text: &str, warning: &str) {
        assert_eq!(read(text).unwrap().1, [warning]);
    }

    #[track_caller]
    fn rejects(text: &str, message: &str) {
        assert_eq!(read(text).unwrap_err(), message);
    }

    #[test]
    fn dialects() {
        let two: &[&[Lit]] = &[&[1, 2], &[-1, 3]];
        reads("p cnf 3 2\n1 2 0\n-1 3 0\n", two);
        reads("c x\r\np cnf 3 2\r\n1 2 0\r\n-1 3 0\r\n", two);
        reads("p\tcnf\t3\t2\n1\t2\t0\n-1\t3\t0\n", two);
        reads("c\ncno blank\n  p  cnf  3  2 \n 1 2 0 -1 3 0", two);
        reads("p cnf 3 2\n1\n2\nc within\n0 c behind\n-1 3\n0\nc end", two);
        reads("p cnf 3 2\n 1 2 0\n-1 3 0\n%\n0\n\n", two);
        reads("p cnf 0 0\n", &[]);
        reads("p cnf 1 1\n0\n", &[&[]]);
        reads("p cnf 2147483647 1\n2147483647 -2147483647 0", &[&[2147483647, -2147483647]]);
    }

    #[test]
    fn wrong_counts_are_warnings() {
        warns("1 2 0\n", "there is no header");
        warns("p cnf 1 1\n1 2 0\n", "the header says 1 variables, but there is 2");
        warns("p cnf 4294967297 2\n1 2 0\n", "the header says 2 clauses, but there are 1");
    }

    #[test]
    fn faults_have_lines() {
        rejects("", "line 1: there is no header and no clause; is this a CNF file?");
        rejects("c only\n", "line 2: there is no header and no clause; is this a CNF file?");
        rejects("p cnf 3 2\n1 2 0\n-1 3", "line 3: this clause has no closing 0; is the file complete?");
        rejects("p cnf 3 2\n1\n%\n0\n", "line 2: this clause has no closing 0; is the file complete?");
        rejects("p cnf 3 2\n1 y 0\n", "line 2: expected a literal or 0, found `y`");
        rejects("p cnf 3 2\n1 2\u{1b}[31m 0\n", "line 2: expected a literal or 0, found `2\\u{1b}[31m`");
        rejects("p cnf 3 2\nx1 2 0\n", "line 2: XOR clauses are not known here: `x1`");
        rejects("p cnf 3 2\n1 2147483648 0\n", "line 2: the literal `2147483648` is out of range");
        rejects("p cnf 3 2\n-2147483648 0\n", "line 2: the literal -2147483648 is out of range");
        rejects("p wcnf 3 2 9\n", "line 1: expected `p cnf`, found `p wcnf`");
        rejects("p\ncnf 3 2\n", "line 1: expected `p cnf`, found `p `");
        rejects("p cnf 3\n1 0\n", "line 1: the header has no number of clauses");
        rejects("p cnf x 3\n1 0\n", "line 1: the header has no number of variables");
        rejects("p cnf 3 1\n1 2 0\np cnf 3 1\n", "line 3: a second header; are these two files in one?");
        rejects("1 0\np cnf 3 1\n", "line 2: the header comes after a clause");
        rejects(&"9".repeat(100_000), &format!("line 1: the literal `{}` is out of range", "9".repeat(32)));
    }

    #[test]
    fn models_are_checked() {
        let formula = "p cnf 9 3\n1 2 0\n-1\n3 0 -9 0\n";
        let check =
            |model: &[Lit]| check_model(formula.as_bytes(), model).map_err(|misfit| misfit.to_string());
        assert_eq!(check(&[1, -2, 3]), Ok(()));
        assert_eq!(check(&[2]), Ok(()));
        assert_eq!(check(&[2, 2_000_000_000]), Ok(()));
        assert_eq!(check(&[]), Err("the clause on line 2 is not satisfied".to_owned()));
        assert_eq!(check(&[1]), Err("the clause on line 3 is not satisfied".to_owned()));
        assert_eq!(check(&[2, 9]), Err("the clause on line 4 is not satisfied".to_owned()));
    }
}
