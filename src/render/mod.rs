//! Drawings as text (and later SVG, HTML), values as JSON and CSV.
//!
//! In: a [`Drawing`] made by evaluating a model's `show`s, or values as [`Data`]. Out: text. Knows nothing of
//! models or solvers.

mod canvas;
pub mod drawing;
mod marks;
mod text;
mod values;

pub use drawing::{Drawing, Entry, Key};
pub use marks::{Marks, marked};
pub use text::{Style, harmless, text};
pub use values::{Data, Status, csv_header, csv_row, json, solution_line, status_line};
