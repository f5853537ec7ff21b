//! Why something was not written.

use super::reason;
use crate::diag::{Code, Diagnostic};
use std::io;

/// Why something was not written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WriteFault {
    /// Nobody reads the pipe any more: end quietly.
    ClosedPipe,
    Fault(Diagnostic),
}

impl WriteFault {
    /// What an error of a writer means; `name` is for the message.
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
