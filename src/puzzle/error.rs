//! Faults as values.

use crate::diag::{self, Diagnostic, Sources, render};
use crate::run::{Failure, Faulty};
use std::fmt;

/// Why there is no result: one fault or several.
///
/// Displayed, it is what the command line prints: each fault with its place, the text underlined and how to mend it.
///
/// ```
/// let error = rebus::Puzzle::from_text("var x : 1..9\nrule: y = 1\n").load().err().expect("y is no name");
/// let fault = &error.faults()[0];
/// assert_eq!((fault.code, fault.places[0].line), ("unknown-name", 2));
/// assert!(error.to_string().contains("model.rebus:2:7"));
/// ```
#[derive(Clone)]
pub struct Error {
    faults: Vec<Fault>,
    text: String,
}

/// One fault.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Fault {
    /// A name of the list in `grammar/errors.md`, such as `unknown-name`.
    pub code: &'static str,
    /// Does it end the question?
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// Where; the first one is the main one.
    pub places: Vec<Place>,
    /// What else is to be known.
    pub notes: Vec<String>,
    /// How to mend it.
    pub help: Vec<String>,
}

/// Does a fault end a question?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// It does.
    Error,
    /// It does not.
    Warning,
}

/// A piece of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The name of the text.
    pub source: String,
    /// The bytes of the piece.
    pub bytes: std::ops::Range<usize>,
    /// The line in which it begins, from 1.
    pub line: usize,
    /// The character in that line, from 1.
    pub column: usize,
    /// A word on what is there; may be empty.
    pub label: String,
}

impl Error {
    /// The faults, in the order found.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// Was it a limit that ended the question, or a [`crate::Canceller`]?
    pub fn is_limit(&self) -> bool {
        self.faults.iter().any(|fault| fault.code == diag::Code::LimitExceeded.name())
    }

    pub(super) fn of(failure: Failure) -> Error {
        match failure {
            Failure::Faults(Faulty { sources, faults }) => {
                let text = faults.iter().map(|fault| render(fault, &sources, false)).collect::<Vec<_>>();
                let faults = faults.iter().map(|fault| Fault::of(fault, &sources)).collect();
                Error { faults, text: text.join("\n") }
            }
            Failure::ClosedPipe => Error { faults: Vec::new(), text: "a pipe was closed".into() },
        }
    }
}

impl Fault {
    pub(super) fn of(fault: &Diagnostic, sources: &Sources) -> Fault {
        let place = |(span, label): &(crate::shared::Span, String)| {
            let (line, column) = sources.line_column(*span);
            Place {
                source: sources.get(span.file).name.clone(),
                bytes: span.start as usize..span.end as usize,
                line,
                column,
                label: label.clone(),
            }
        };
        Fault {
            code: fault.code.name(),
            severity: match fault.severity {
                diag::Severity::Error => Severity::Error,
                diag::Severity::Warning => Severity::Warning,
            },
            message: fault.message.clone(),
            places: fault.labels.iter().map(place).collect(),
            notes: fault.notes.clone(),
            help: fault.help.clone(),
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // whoever unwraps wants to read it
        write!(f, "\n{}", self.text)
    }
}

impl std::error::Error for Error {}
