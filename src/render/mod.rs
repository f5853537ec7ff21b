//! Drawings as text, SVG and HTML, values as JSON and CSV.
//!
//! In: a [`Drawing`] made by evaluating a model's `show`s, with what is [`Known`] of it, or values as [`Data`]. Out: text. Knows nothing of
//! models or solvers.

mod canvas;
pub mod drawing;
mod html;
mod known;
mod marks;
mod places;
mod signs;
mod svg;
mod text;
mod values;

pub use drawing::{Drawing, Entry, Key};
pub use html::{Block, page};
pub use known::{Known, Shown};
pub use marks::{Marks, Spots, marked, spotted};
pub use places::{Places, is_line, places};
pub use svg::svg;
pub use text::{Style, harmless, text};
pub use values::{Data, Status, csv_header, csv_row, differences, json, solution_line, status_line};
