//! Random models, every engine, and trying every assignment: all must agree.
//!
//! In: a seed. Out: nothing, or what differs, with the text of the model. `value`, `graph`, `words`, `expr` and `model` say
//! what a model means and know nothing of the program under test.

mod boards;
mod command;
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

// the test and the bench take of it what each wants
#[allow(unused_imports)]
pub use {
    generate::{KINDS, Kind},
    report::{Tally, Wanted, try_model, wrong_answers_are_told},
};
