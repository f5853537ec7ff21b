//! Random models, every engine, and trying every assignment: all must agree.
//!
//! In: a seed. Out: nothing, or what differs, with the text of the model. `value`, `graph`, `words`, `expr` and `model` say
//! what a model means and know nothing of the program under test.

mod boards;
mod engines;
mod expr;
mod generate;
mod graph;
mod graphs;
mod maker;
mod model;
mod parts;
mod report;
mod scalars;
mod value;
mod words;

pub use report::{Tally, try_model};
pub fn text(seed: u64) -> String {
    generate::model(seed).source()
}
