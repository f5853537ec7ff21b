//! What solvers print, understood.
//!
//! In: the bytes of a solver's output, its dialect, how the process ended. Out: a [`super::Verdict`]. A file for each
//! family of formats. Knows nothing of the formula: whether a model satisfies it is for the caller to check.

pub mod dialect;
pub mod sat;
