//! Drawings as text (and later SVG, HTML), values as JSON and CSV.
//!
//! In: a [`Drawing`] made by evaluating a model's `show`s. Out: text. Knows nothing of models or solvers.

pub mod drawing;

pub use drawing::{Drawing, Entry, Key};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Data {
    None,
    Bool(bool),
    Int(i64),
    Text(String),
    List(Vec<Data>),
    Object(Vec<(String, Data)>),
}
