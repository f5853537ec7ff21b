//! Errors of writing.

use super::reason;
use crate::diag::{Code, Diagnostic};
use std::io;

/// Why an output was not written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WriteFault {
    /// The reader has closed the pipe: end quietly.
    ClosedPipe,
    Fault(Diagnostic),
}

impl WriteFault {
    /// The fault for an error of a writer; `name` is for the message.
    pub fn of(name: &str, error: &io::Error) -> WriteFault {
        if error.kind() == io::ErrorKind::BrokenPipe {
            return WriteFault::ClosedPipe;
        }
        WriteFault::Fault(unwritable(name, reason(error)))
    }
}

pub(super) fn unwritable(name: &str, why: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::error(Code::Unwritable, format!("`{name}` cannot be written: {why}"))
}
