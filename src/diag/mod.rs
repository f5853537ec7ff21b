//! Diagnostics as data, and their only conversion to text.
//!
//! In: faults from any module. Out: a rendering with the source text underlined. No other module prints
//! faults; they return `Diagnostic`s. One run reports several faults.

mod codes;
mod render;
mod sources;

pub use codes::{CODES, Code};
pub use render::render;
pub use sources::{Source, Sources};

use crate::shared::{Span, Stop};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Severity {
    Error,
    Warning,
}

/// One fault: the message, the place, notes, and how to fix it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    pub code: Code,
    pub severity: Severity,
    pub message: String,
    /// Places, the main one first; each with a short label, which may be empty.
    pub labels: Vec<(Span, String)>,
    pub notes: Vec<String>,
    pub help: Vec<String>,
}

impl Diagnostic {
    pub fn error(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic {
            code,
            severity: Severity::Error,
            message: message.into(),
            labels: Vec::new(),
            notes: Vec::new(),
            help: Vec::new(),
        }
    }

    pub fn warning(code: Code, message: impl Into<String>) -> Diagnostic {
        Diagnostic { severity: Severity::Warning, ..Diagnostic::error(code, message) }
    }

    /// Adds a place with its label.
    pub fn at(mut self, span: Span, label: impl Into<String>) -> Diagnostic {
        self.labels.push((span, label.into()));
        self
    }

    pub fn note(mut self, text: impl Into<String>) -> Diagnostic {
        self.notes.push(text.into());
        self
    }

    /// Adds help: how to fix it.
    pub fn help(mut self, text: impl Into<String>) -> Diagnostic {
        self.help.push(text.into());
        self
    }
}

/// An exceeded limit as a diagnostic.
pub fn stop_diagnostic(stop: Stop) -> Diagnostic {
    let (message, help) = match stop {
        Stop::Time => ("the time limit was reached".to_string(), "give more with `--timeout`"),
        Stop::Cpu => ("the limit of processor time was reached".to_string(), "give more with `--max-cpu`"),
        Stop::Memory { limit } => (
            format!("more than {} MB would be needed", limit >> 20),
            "give more with `--max-memory`, or let a guard cut combinations earlier",
        ),
        Stop::Steps { limit } => {
            (format!("more than {limit} steps of evaluation"), "is there a loop without end?")
        }
        Stop::Clauses { limit } => {
            (format!("more than {limit} clauses would be written"), "give more with `--max-clauses`")
        }
        Stop::Entries { limit } => (
            format!("a picture or list of data holds more than {limit} entries, the limit"),
            "is it the right file?",
        ),
        Stop::Cancelled => ("stopped".to_string(), "the run was interrupted"),
    };
    Diagnostic::error(Code::LimitExceeded, message).help(help)
}
