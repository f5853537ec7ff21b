//! What every room may use: places in source texts and the one budget of a run.
//!
//! Knows nothing of the language, of formulas or of solvers.

mod budget;
mod span;

pub use budget::{Budget, Limits, ProcessLimits, Stop};
pub use span::{FileId, Span};
