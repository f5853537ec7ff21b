//! Drawings as text (and later SVG, HTML), values as JSON and CSV.
//!
//! In: a [`Drawing`] made by evaluating a model's `show`s. Out: text. Knows nothing of models or solvers.

mod canvas;
pub mod drawing;
mod text;

pub use drawing::{Drawing, Entry, Key};
pub use text::{Style, harmless, text};
