//! What every room may use: places in source texts, the one budget of a run, texts made fit to be shown.
//!
//! Knows nothing of the language, of formulas or of solvers.

mod budget;
mod json;
mod span;
mod text;

pub use budget::{Budget, Limits, ProcessLimits, Stop};
pub use json::from_json;
pub use span::{FileId, Span};
pub use text::harmless;
