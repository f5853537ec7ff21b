//! Faults of evaluation.

use crate::diag::{Code, Diagnostic, stop_diagnostic};
use crate::shared::{Span, Stop};

#[derive(Clone, Debug)]
pub enum Fault {
    /// Undefined. If variables are involved, the smallest boolean expression around it is false; otherwise it
    /// is an error.
    Undefined(Diagnostic),
    /// A known value is required, but this one depends on a variable.
    Unknown(Diagnostic),
    Error(Diagnostic),
    Stop(Stop),
}

pub type Res<T> = Result<T, Box<Fault>>;

impl From<Stop> for Box<Fault> {
    #[cold]
    fn from(stop: Stop) -> Box<Fault> {
        Box::new(Fault::Stop(stop))
    }
}

impl From<Diagnostic> for Box<Fault> {
    #[cold]
    fn from(diagnostic: Diagnostic) -> Box<Fault> {
        Box::new(Fault::Error(diagnostic))
    }
}

impl Fault {
    /// Can the fault be deferred until the faulty value is used? An exceeded limit cannot.
    pub(super) fn may_wait(&self) -> bool {
        match self {
            Fault::Stop(_) => false,
            Fault::Undefined(fault) | Fault::Unknown(fault) | Fault::Error(fault) => {
                fault.code != Code::RecursionTooDeep
            }
        }
    }

    /// The fault as a diagnostic.
    pub fn into_diagnostic(self) -> Diagnostic {
        match self {
            Fault::Undefined(diagnostic) | Fault::Unknown(diagnostic) | Fault::Error(diagnostic) => {
                diagnostic
            }
            Fault::Stop(stop) => stop_diagnostic(stop),
        }
    }
}

#[cold]
pub fn error<T>(code: Code, span: Span, message: impl Into<String>) -> Res<T> {
    Err(fault(code, span, message))
}

#[cold]
pub fn fault(code: Code, span: Span, message: impl Into<String>) -> Box<Fault> {
    Box::new(Fault::Error(Diagnostic::error(code, message).at(span, "")))
}

/// A value of the wrong kind, with help on how to fix it.
#[cold]
pub fn mismatch<T>(span: Span, message: impl Into<String>, help: &str) -> Res<T> {
    Err(Diagnostic::error(Code::TypeMismatch, message).at(span, "").help(help).into())
}

#[cold]
pub fn undefined<T>(code: Code, span: Span, message: impl Into<String>) -> Res<T> {
    Err(Box::new(Fault::Undefined(Diagnostic::error(code, message).at(span, ""))))
}

/// The same with help on how to fix it.
#[cold]
pub fn undefined_with<T>(code: Code, span: Span, message: impl Into<String>, help: &str) -> Res<T> {
    Err(Box::new(Fault::Undefined(Diagnostic::error(code, message).at(span, "").help(help))))
}

#[cold]
pub fn unknown<T>(span: Span, what: impl Into<String>) -> Res<T> {
    Err(Box::new(Fault::Unknown(
        Diagnostic::error(Code::UnknownDependence, what).at(span, "depends on a variable"),
    )))
}
