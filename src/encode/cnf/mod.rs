//! Model → conjunctive normal form.
//!
//! In: a [`Model`] and what presolve fixed. Out: clauses into a [`Sink`], and an [`Emission`]. Every auxiliary is
//! determined by the named variables unless the emission says otherwise.

use super::symbols::Encoding;
use super::{Lit, Sink};
use crate::model::{Bool, Int, Model};
use crate::shared::{Budget, Stop};

/// Choices of encodings by name; `Auto` decides by size.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    pub int: IntEncoding,
    pub amo: Amo,
    pub card: Card,
    pub sum: SumEncoding,
    pub line: Line,
}

macro_rules! choice {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
        pub enum $name { $($(#[$vdoc])* $variant,)* #[default] Auto }
    };
}

choice! {
    /// Named integers.
    IntEncoding { Direct, Order, Log, }
}
choice! {
    /// At-most-one.
    Amo { Pairwise, Ladder, Product, Commander, }
}
choice! {
    /// Cardinality.
    Card { Naive, Sequential, Totalizer, Bdd, }
}
choice! {
    /// Linear sums.
    SumEncoding { Table, Order, Dd, Adder, }
}
choice! {
    /// Runs of a line.
    Line { Starts, Automaton, }
}

/// What an encoding came to.
#[derive(Clone, Debug, Default)]
pub struct Emission {
    /// The highest variable number.
    pub variables: u32,
    /// The highest number of a named variable's literal.
    pub named: u32,
    /// Per model variable, in order.
    pub encodings: Vec<Encoding>,
    /// Literals that tell answers apart.
    pub answer: Vec<Lit>,
    /// Is every auxiliary determined by the named variables?
    pub determined: bool,
    /// Lines for `--stats`: constraint, encoding, how often.
    pub choices: Vec<(String, u64)>,
}

/// Why nothing was encoded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EncodeError {
    Stop(Stop),
    /// A term is too large for any encoding; what and how large.
    TooLarge(String),
}
