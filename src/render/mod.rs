//! Rendering: drawings as text, SVG and HTML, values as JSON and CSV.
//!
//! In: a [`Drawing`], the result of a model's `show` items, with its [`Known`] parts; or values as [`Data`]. Out:
//! text. Knows nothing of models or solvers.

mod board;
mod canvas;
mod cells;
pub mod drawing;
mod html;
mod known;
mod marks;
mod notes;
mod places;
mod shapes;
mod signs;
mod spots;
mod svg;
mod text;
mod values;

pub use canvas::light;
pub use drawing::{Drawing, Entry, Key, Note, TINTS};
pub use html::{Block, page};
pub use known::{Known, Shown};
pub use marks::{Marks, Spots, marked, spotted};
pub use places::{Places, Slot, State, is_line, places};
pub use spots::{Spot, between, spots};
pub use svg::{Area, STYLE, picture, svg};
pub use text::{Style, harmless, plain, text};
pub use values::{Data, Status, csv_header, csv_row, differences, json, solution_line, status_line};
