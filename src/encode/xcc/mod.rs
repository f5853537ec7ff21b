//! Model → exact cover with colours.
//!
//! In: a [`Model`] and the domains after presolve. Out: a [`Cover`] whose solutions correspond one to one to those of
//! the model, and for every literal of a named variable the words that encode it.
//!
//! Every variable is a choice (`choice::Choice`) of one of its values. For covering constraints (`distinct`,
//! at-most-one, cardinalities, `<`), the options of the values contain the items of the constraint. Any other
//! constraint becomes a decision diagram over choices, as tuples or as a chain of steps with coloured states. A
//! constraint that is too large for a diagram is encoded by its clauses.
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

/// The dialect, named after the program that reads it.
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

/// The encoding of `x < y` by items: Knuth, TAOCP 7.2.2.1, exercise 390.
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
    /// A constraint with at most this many assignments is tabulated; one with more is decomposed.
    pub rows: usize,
    /// A constraint with at most this many tuples has one option per tuple; one with more becomes a chain. Tuples
    /// propagate more than a chain, and up to some hundred they are not much larger.
    pub tuples: u64,
    /// Remove forced and impossible options?
    pub reduce: bool,
}

impl Default for Options {
    fn default() -> Options {
        Options { dialect: Dialect::default(), less: Less::default(), rows: 1024, tuples: 500, reduce: true }
    }
}

/// The result of encoding a model.
#[derive(Clone, Debug, Default)]
pub struct Emission {
    pub cover: Cover,
    /// Per model variable, in order; all direct.
    pub encodings: Vec<Encoding>,
    /// The highest number of a named variable's literal.
    pub named: u32,
    /// The highest number of a literal: literals above `named` encode answers that are no variables.
    pub last: u32,
    /// Literals that distinguish answers.
    pub answer: Vec<Lit>,
    /// For each literal that may be true: the words that make it true.
    pub words: Vec<Word>,
    /// The first option of each instance, from 0. The options of the variables follow at the end.
    pub starts: Vec<(usize, Instance)>,
}

/// The most rounds of propagating conditions on single variables.
const MOST_ROUNDS: usize = 16;

/// Encodes the whole model. `allows` is true for the values that presolve left in the domains.
pub fn encode(
    model: &Model,
    allows: &dyn Fn(VarId, u32) -> bool,
    options: Options,
    budget: &Budget,
    labels: &Labels<'_>,
) -> Result<Emission, EncodeError> {
    let (encodings, named) = numbering(model)?;
    let mut encoder = Encoder::new(model, allows, options, budget, labels);
    // iterate: removing a value may make another condition remove more
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

/// Numbers the literals as in the other targets: variables in order, values ascending.
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
