//! Output of SAT, pseudo-Boolean and MaxSAT solvers: `c`, `s`, `o` and `v` lines, and the variants in use.
//!
//! In: bytes, in pieces of any size. Out: status words and models; `verdict` draws the conclusion. The parser tolerates harmless variants (`v` before `s`,
//! several models, a missing closing 0, carriage returns, escape sequences, lines of any length). It is strict where
//! an answer could be false. Memory grows only with the models that are kept.

mod verdict;

use super::dialect::{Dialect, Shape};
use super::text::{literal, lossy};
use super::{Answers, Consume, Listed};
use crate::encode::Lit;
use rustc_hash::FxHashSet;
use std::sync::mpsc::SyncSender;
use xxhash_rust::xxh3::xxh3_128;

/// Upper bound on the literals kept in all models; more is a failure.
const MOST_LITERALS: usize = 1 << 28;
/// Upper bound on the status lines; more is a failure.
const MOST_WORDS: usize = 1 << 16;
/// Bytes kept of a line that is not a model: a status word, a message.
const HEAD: usize = 160;

/// An incremental parser of a SAT solver's output.
#[derive(Debug)]
pub struct SatOutput {
    dialect: Dialect,
    escape: Escape,
    line: Line,
    /// The first bytes of a line that is not a model; in a model line, of the current token.
    head: Vec<u8>,
    words: Vec<Word>,
    models: Answers<Vec<Lit>>,
    literals: usize,
    /// The number of variables of the formula, if known: literals of other variables are dropped, and repeated models
    /// too.
    variables: Option<u64>,
    seen: FxHashSet<u128>,
    /// The model that is being read.
    open: Option<Vec<Lit>>,
    /// The output ended within a model.
    cut: bool,
    /// `SAT` stood alone on a line: literals follow without a `v`.
    bare: bool,
    /// Literals of lines without a `v`: glucose's result file, if there is nothing else.
    alone: Vec<Lit>,
    /// How many such lines have ended, each with a 0.
    lines_alone: usize,
    /// clasp's `c Models : 4`, if these are all.
    counted: Option<usize>,
    garbage: Option<String>,
    /// The first unrecognised line, to be shown if there is no answer.
    odd: Option<String>,
    /// A comment reported that there is no answer.
    gave_up: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Escape {
    None,
    /// After ESC.
    Begun,
    /// Within `ESC [ … letter`.
    Sequence,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Line {
    Start,
    /// One letter was read that may be a line type.
    Letter(u8),
    Comment,
    Status,
    Values,
    /// Literals without a `v`.
    Alone,
    Other,
}

/// A status.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Word {
    Satisfiable,
    Unsatisfiable,
    Optimum,
    Unknown,
    /// `s SOLUTIONS n`.
    Solutions(usize),
    Strange(String),
}

impl Word {
    fn parse(text: &str) -> Word {
        // splr adds a reason in parentheses, a colon and the name of the file.
        match text.split([':', '(']).next().unwrap_or("").trim() {
            "SATISFIABLE" | "SAT" => Word::Satisfiable,
            "UNSATISFIABLE" | "UNSAT" => Word::Unsatisfiable,
            "OPTIMUM FOUND" => Word::Optimum,
            "UNKNOWN" | "INDETERMINATE" | "INDET" | "UNSUPPORTED" | "timeout" => Word::Unknown,
            other => match other.strip_prefix("SOLUTIONS ").and_then(|n| n.trim().parse().ok()) {
                Some(n) => Word::Solutions(n),
                None => Word::Strange(text.trim().to_owned()),
            },
        }
    }
}

impl Consume for SatOutput {
    fn feed(&mut self, bytes: &[u8]) {
        let mut rest = bytes;
        while let [byte, after @ ..] = rest {
            if self.line == Line::Comment && *byte != b'\n' {
                // Comments are the bulk of a verbose output.
                let end = rest.iter().position(|byte| *byte == b'\n').unwrap_or(rest.len());
                let kept = end.min(HEAD.saturating_sub(self.head.len()));
                self.head.extend(&rest[..kept]);
                rest = &rest[end..];
            } else {
                self.byte(*byte);
                rest = after;
            }
        }
    }
}

impl SatOutput {
    pub fn new(dialect: Dialect, to: Option<SyncSender<Listed>>) -> SatOutput {
        SatOutput {
            dialect,
            escape: Escape::None,
            line: Line::Start,
            head: Vec::new(),
            words: Vec::new(),
            models: Answers::new(to),
            literals: 0,
            variables: None,
            seen: FxHashSet::default(),
            open: None,
            cut: false,
            bare: false,
            alone: Vec::new(),
            lines_alone: 0,
            counted: None,
            garbage: None,
            odd: None,
            gave_up: false,
        }
    }

    /// Drops literals of variables above this number, and repeated models.
    pub fn only(mut self, variables: u64) -> SatOutput {
        self.variables = Some(variables);
        self
    }

    /// Bytes in use, approximately.
    pub fn held(&self) -> u64 {
        4 * self.literals as u64 + 48 * self.seen.len() as u64
    }

    /// Is the variable not one of the formula's?
    fn is_foreign(&self, variable: u64) -> bool {
        self.variables.is_some_and(|variables| variable > variables)
    }

    fn byte(&mut self, byte: u8) {
        match (self.escape, byte) {
            (Escape::None, 0x1b) => self.escape = Escape::Begun,
            (Escape::None, b'\n' | b'\r') => self.end_line(),
            (Escape::None, _) => self.text(byte),
            // An escape sequence never hides the end of a line.
            (_, b'\n' | b'\r') => {
                self.escape = Escape::None;
                self.end_line();
            }
            (Escape::Begun, b'[') => self.escape = Escape::Sequence,
            (Escape::Begun, _) => self.escape = Escape::None,
            (Escape::Sequence, 0x40..=0x7e) => self.escape = Escape::None,
            (Escape::Sequence, _) => {}
        }
    }

    fn text(&mut self, byte: u8) {
        let blank = byte == b' ' || byte == b'\t';
        match self.line {
            Line::Start if blank => {}
            Line::Start if self.bare => {
                self.line = Line::Values;
                self.value_byte(byte);
            }
            Line::Start if matches!(byte, b'c' | b's' | b'v') => self.line = Line::Letter(byte),
            Line::Start if self.dialect.is_unknown() && (byte == b'-' || byte.is_ascii_digit()) => {
                self.line = Line::Alone;
                self.head.push(byte);
            }
            Line::Start => {
                self.line = Line::Other;
                self.head.push(byte);
            }
            Line::Letter(letter) if blank => self.enter(letter),
            Line::Letter(letter) => {
                self.line = Line::Other;
                self.head.extend([letter, byte]);
            }
            Line::Values => self.value_byte(byte),
            Line::Alone if blank => self.end_alone(),
            Line::Comment | Line::Status | Line::Alone | Line::Other => {
                if self.head.len() < HEAD {
                    self.head.push(byte);
                }
            }
        }
    }

    fn enter(&mut self, letter: u8) {
        self.line = match letter {
            b'c' => Line::Comment,
            b's' => Line::Status,
            _ => {
                self.open.get_or_insert_default();
                Line::Values
            }
        };
    }

    fn value_byte(&mut self, byte: u8) {
        if self.dialect.shape == Shape::Digits {
            return self.digit(byte);
        }
        if byte == b' ' || byte == b'\t' {
            self.end_token();
        } else if self.head.len() < 16 {
            self.head.push(byte);
        }
    }

    /// Reads a value from the format with one digit a variable.
    fn digit(&mut self, byte: u8) {
        let variables = self.variables;
        let model = self.open.get_or_insert_default();
        match byte {
            b' ' | b'\t' => {}
            b'0' | b'1' if variables.is_some_and(|variables| model.len() as u64 >= variables) => {}
            b'0' | b'1' if self.literals < MOST_LITERALS => {
                self.literals += 1;
                let variable = model.len() as Lit + 1;
                model.push(if byte == b'1' { variable } else { -variable });
            }
            _ => self.garbage(format!("`{}` among digits", byte.escape_ascii())),
        }
    }

    /// Ends a token of a line of literals. A line with anything else, or without a 0 at its end, is dropped.
    fn end_alone(&mut self) {
        match literal(&self.head) {
            _ if self.head.is_empty() => {}
            Some(0) if self.lines_alone == 0 => self.lines_alone = 1,
            Some(lit) if self.lines_alone == 0 && lit != 0 && self.literals < MOST_LITERALS => {
                self.literals += 1;
                self.alone.push(lit);
            }
            _ => {
                self.odd.get_or_insert_with(|| lossy(&self.head));
            }
        }
        self.head.clear();
    }

    /// Ends a token of a model line.
    fn end_token(&mut self) {
        if self.head.is_empty() {
            return;
        }
        let token = std::mem::take(&mut self.head);
        match literal(&token) {
            Some(0) => self.end_model(),
            Some(lit) if self.is_foreign(lit.unsigned_abs().into()) => {
                self.open.get_or_insert_default();
            }
            Some(_) if self.garbage.is_some() => {}
            Some(lit) if self.literals < MOST_LITERALS => {
                self.literals += 1;
                let variables = self.variables.unwrap_or(u64::MAX);
                let model = self.open.get_or_insert_default();
                if model.len() as u64 >= variables {
                    self.garbage(format!("a model of more than the formula's {variables} variables"));
                } else {
                    model.push(lit);
                }
            }
            Some(_) => self.garbage(format!("more than {MOST_LITERALS} literals")),
            None => self.garbage(format!("`{}` in a model", lossy(&token))),
        }
        // Keeps the allocation.
        self.head = token;
        self.head.clear();
    }

    fn end_model(&mut self) {
        // after a result file, log lines may follow
        self.bare &= !self.dialect.is_unknown();
        let model = self.open.take().unwrap_or_default();
        let mut vars: Vec<u32> = model.iter().map(|lit| lit.unsigned_abs()).collect();
        if !vars.is_sorted_by(|a, b| a < b) {
            vars.sort_unstable();
            if let Some(pair) = vars.windows(2).find(|pair| pair[0] == pair[1]) {
                self.garbage(format!("variable {} occurs twice in a model", pair[0]));
            }
        }
        if !self.models.are_kept() {
            self.literals = 0;
        }
        if self.variables.is_some() {
            let bytes: Vec<u8> = model.iter().flat_map(|lit| lit.to_le_bytes()).collect();
            if !self.seen.insert(xxh3_128(&bytes)) {
                self.literals -= model.len();
                self.models.count += 1;
                return;
            }
        }
        // an empty model counts too
        self.literals += 32;
        match self.literals < MOST_LITERALS {
            true => self.models.push(model, Listed::Model),
            false => self.garbage(format!("more than {MOST_LITERALS} literals")),
        }
    }

    fn garbage(&mut self, what: String) {
        self.garbage.get_or_insert(what);
    }

    fn end_line(&mut self) {
        if let Line::Letter(letter) = self.line {
            self.enter(letter);
        }
        match self.line {
            Line::Values => self.end_token(),
            Line::Status => {
                let word = Word::parse(&lossy(&self.head));
                self.end_answer();
                if self.words.last() == Some(&word) {
                    // a status for each of very many models
                } else if self.words.len() < MOST_WORDS {
                    self.words.push(word);
                } else {
                    self.garbage(format!("more than {MOST_WORDS} status lines"));
                }
            }
            // objective line: a model before it is complete
            Line::Other if self.head.starts_with(b"o ") => self.end_answer(),
            Line::Comment => self.comment(),
            Line::Alone => {
                self.end_alone();
                if self.lines_alone == 0 {
                    self.odd.get_or_insert_with(|| "a line of numbers".to_owned());
                }
            }
            Line::Other => self.other(),
            Line::Start | Line::Letter(_) => {}
        }
        self.head.clear();
        self.line = Line::Start;
    }

    fn comment(&mut self) {
        let text = lossy(&self.head);
        self.gave_up |= text.trim() == "UNKNOWN";
        let perhaps_clasp = self.dialect.is_unknown() || self.dialect.exit_bits;
        if perhaps_clasp && text.trim().starts_with("Answer:") {
            // of a pseudo-Boolean formula nothing else parts its models
            self.end_answer();
        }
        // clasp, `Models : 4`, and `4+` if there may be more
        if let Some(number) =
            text.trim().strip_prefix("Models").and_then(|rest| rest.trim().strip_prefix(':'))
            && perhaps_clasp
        {
            self.counted = number.trim().parse().ok();
        }
    }

    /// A line without a known prefix.
    fn other(&mut self) {
        let text = lossy(&self.head);
        let text = text.trim();
        // the output of an unknown solver may begin with its log
        let first = self.odd.is_none() || self.dialect.is_unknown();
        let bare = self.dialect.bare && self.words.is_empty() && first;
        match text {
            "SAT" | "UNSAT" | "INDET" if bare => {
                self.bare = text == "SAT";
                self.words.push(Word::parse(text));
            }
            "timeout" if self.words.len() < MOST_WORDS => self.words.push(Word::Unknown),
            _ => {
                self.odd.get_or_insert_with(|| text.to_owned());
            }
        }
    }

    /// A status line ends a model that had no closing 0.
    fn end_answer(&mut self) {
        if self.open.is_some() {
            self.end_model();
        }
    }

    fn end_output(&mut self) {
        if self.line == Line::Values {
            // A closing 0 is complete without an end of line; of another number further digits may be missing.
            if self.head == b"0" {
                self.end_token();
            } else {
                self.cut = true;
                self.open = None;
            }
        } else {
            self.end_line();
        }
        match self.open {
            // A result file is one line that ends with 0.
            Some(_) if self.bare => self.cut = true,
            Some(_) => self.end_model(),
            None => {}
        }
    }
}
