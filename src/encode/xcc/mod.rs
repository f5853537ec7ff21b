//! Model → exact cover with colours.
//!
//! In: a [`Model`] and what presolve left. Out: a [`Cover`] whose solutions correspond one to one to those of the model,
//! and for every literal of a named variable the words that tell it.
//!
//! Every variable is a [`choice`](choice::Choice) of one of its values. Where a constraint is one of covering (`distinct`, at
//! most one, cardinalities, `<`), the values themselves carry its items; anything else is a diagram over choices, posted as
//! tuples or as a chain of steps with coloured states. What is too large for a diagram goes through its clauses.
//!
//! Knows nothing of syntax, of language values, of solvers.

mod answer;
mod assert;
mod choice;
mod clauses;
mod cover;
mod define;
mod diagram;
mod reduce;
mod structure;
mod text;
mod words;

pub use cover::{COLOURS, Cover, Entry, Item, ItemId, Name};
pub use text::Xcc;
pub use words::Word;

use super::cnf::EncodeError;
use super::symbols::Encoding;
use super::{Labels, Lit};
use crate::model::{Instance, Model, VarId};
use crate::shared::Budget;
use choice::Encoder;

/// For which program.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Dialect {
    /// No colours
    Dlx1,
    /// Colours
    #[default]
    Dlx2,
    /// Colours and multiplicities
    Dlx3,
    /// Colours and multiplicities, in the form of miniexact
    Miniexact,
}

impl Dialect {
    pub fn multiplicities(self) -> bool {
        matches!(self, Dialect::Dlx3 | Dialect::Miniexact)
    }
}

/// How `x < y` is told by items: Knuth, TAOCP 7.2.2.1, exercise 390.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Less {
    /// x has the items up to its value, y those from its value on
    Items,
    /// The same along the paths of a Fenwick tree: O(log n) items
    #[default]
    ItemsLog,
    /// Items coloured by either side, shared by all that x is less than
    Colours,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    pub dialect: Dialect,
    pub less: Less,
    /// A constraint with so many assignments at most is evaluated for each; with more it is taken apart.
    pub rows: usize,
    /// A constraint of so many tuples at most has an option each; with more it is a chain. Tuples propagate better than a chain and
    /// are not larger by much up to some hundred.
    pub tuples: u64,
    /// Is what is certain taken out?
    pub reduce: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { dialect: Dialect::default(), less: Less::default(), rows: 1024, tuples: 500, reduce: true }
    }
}

/// What an encoding came to.
#[derive(Clone, Debug, Default)]
pub struct Emission {
    pub cover: Cover,
    /// Per model variable, in order; all direct.
    pub encodings: Vec<Encoding>,
    /// The highest number of a named variable's literal.
    pub named: u32,
    /// The highest number of a literal: those above `named` tell answers that are no variables.
    pub last: u32,
    /// Literals that tell answers apart.
    pub answer: Vec<Lit>,
    /// Per literal that may be true the words that tell it.
    pub words: Vec<Word>,
    /// From which option on, from 0, options are of which instance, until those of the variables.
    pub starts: Vec<(usize, Instance)>,
}

/// Conditions on single values are gone through so often at most.
const MOST_ROUNDS: usize = 16;

/// Encodes the whole model. `allows` says which values are still possible.
pub fn encode(
    model: &Model,
    allows: &dyn Fn(VarId, u32) -> bool,
    options: Options,
    budget: &Budget,
    labels: &Labels<'_>,
) -> Result<Emission, EncodeError> {
    let (encodings, named) = numbering(model)?;
    let mut encoder = Encoder::new(model, allows, options, budget, labels);
    // what one condition says of a value may be news to another
    for _ in 0..MOST_ROUNDS {
        let before = encoder.width();
        for rule in &model.rules {
            if encoder.contradiction {
                return encoder.finish(encodings, named);
            }
            encoder.narrow(rule.what)?;
        }
        if encoder.width() == before {
            break;
        }
    }
    for rule in &model.rules {
        encoder.begin(rule.instance);
        encoder.assert(rule.what)?;
    }
    encoder.answers(&encodings, named)?;
    encoder.finish(encodings, named)
}

/// Literals as in every other target: variables in order, values ascending.
fn numbering(model: &Model) -> Result<(Vec<Encoding>, u32), EncodeError> {
    use crate::model::Domain;
    let mut encodings = Vec::with_capacity(model.vars.len());
    let mut next: i64 = 1;
    for domain in &model.vars {
        let first = next as Lit;
        next += match domain {
            Domain::Bool => 1,
            other => other.size() as i64,
        };
        if next > i64::from(Lit::MAX) {
            return Err(EncodeError::TooLarge("more than 2^31 named literals".into()));
        }
        encodings.push(match domain {
            Domain::Bool => Encoding::Bool(first),
            other => Encoding::Direct { first, size: other.size() as u32 },
        });
    }
    Ok((encodings, next as u32 - 1))
}
