//! Errors with faults as values.

use crate::diag::{self, Diagnostic, Sources, render};
use crate::run::{Failure, Faulty};
use std::fmt;

/// Why there is no result: one fault or several.
///
/// Its `Display` is the output of the command line: each fault with its place, the underlined text and a proposal.
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
    /// A name in the list of `grammar/errors.md`, such as `unknown-name`.
    pub code: &'static str,
    /// Does it end the question?
    pub severity: Severity,
    /// What is wrong.
    pub message: String,
    /// Where; the first one is the main one.
    pub places: Vec<Place>,
    /// Further information.
    pub notes: Vec<String>,
    /// How to fix it.
    pub help: Vec<String>,
}

/// The severity of a fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    /// It ends the question.
    Error,
    /// It does not end the question.
    Warning,
}

/// A span of a text.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The name of the text.
    pub source: String,
    /// The range of bytes.
    pub bytes: std::ops::Range<usize>,
    /// The line in which it begins, from 1.
    pub line: usize,
    /// The character in that line, from 1.
    pub column: usize,
    /// A short description of the place; may be empty.
    pub label: String,
}

impl Error {
    /// The faults, in order of discovery.
    pub fn faults(&self) -> &[Fault] {
        &self.faults
    }

    /// Did a limit, or a [`crate::Canceller`], end the question?
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
        // the message of `unwrap` should be readable
        write!(f, "\n{}", self.text)
    }
}

impl std::error::Error for Error {}
