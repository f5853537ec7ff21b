//! rebus: a compiler for logic puzzles. It turns a model in a small language and its data into a formula; solvers
//! find answers; every answer is checked against the rules and drawn.
//!
//! ```
//! use rebus::{Form, Puzzle, Uniqueness};
//!
//! let puzzle = Puzzle::builder("sudoku").data_file("sudoku-1.clues").load()?;
//! match puzzle.unique()? {
//!     Uniqueness::Unique(solution) => println!("{}", solution.draw(Form::Text)),
//!     Uniqueness::Several(first, second) => println!("they differ in {:?}", first.differs_from(&second)),
//!     Uniqueness::None => println!("{:?}", puzzle.explain()?),
//! }
//! # Ok::<(), rebus::Error>(())
//! ```
//!
//! The sources describe the language in `grammar/language.md`, and the formats of formulas and maps in
//! `grammar/formats.md`. The items listed here follow semantic versioning; modules that are not listed belong to the
//! program and its tests, and may change without notice.
//!
//! Features: `cli` is the program; `process` runs external solvers; `cadical` and `batsat` are SAT engines besides
//! the built-in one, which is always there. Without `process`, rebus needs only memory and a clock from the operating
//! system; on `wasm32-unknown-unknown` the host gives the clock, with `set_clock`.

#![warn(missing_docs)]

// used by the program and its tests; tests/architecture.rs checks their dependencies
#[doc(hidden)]
pub mod builtins;
#[doc(hidden)]
pub mod catalogue;
#[doc(hidden)]
pub mod certify;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
#[doc(hidden)]
pub mod decode;
#[doc(hidden)]
pub mod diag;
#[doc(hidden)]
pub mod encode;
#[doc(hidden)]
pub mod eval;
#[doc(hidden)]
pub mod files;
#[doc(hidden)]
pub mod import;
#[doc(hidden)]
pub mod model;
mod puzzle;
#[doc(hidden)]
pub mod render;
#[doc(hidden)]
pub mod run;
#[doc(hidden)]
pub mod shared;
#[doc(hidden)]
pub mod solve;
#[doc(hidden)]
pub mod syntax;
#[doc(hidden)]
pub mod why;

#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
struct Page;

pub use puzzle::{
    Area, Builder, Canceller, Checked, Conflict, Count, Decoded, Deduction, Encodings, Error, Explanation,
    Exported, Fault, Field, FieldEntry, Fields, Form, FormulaText, Imported, Judgement, Model, Name,
    OpenEntry, Optimum, Picture, Place, Puzzle, Reason, Severity, Solution, Solutions, Target, Uniqueness,
    Why, catalogue, decode, format, import, names, reserved_words, with_item,
};
pub use render::Data as Value;
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use shared::set_clock;

/// The options of [`Encodings`]; each defaults to `Auto`, a choice by size.
pub mod encodings {
    pub use crate::encode::cnf::{Amo, Card, GraphEncoding, IntEncoding, Line, SumEncoding};
}
