//! The symbol map: which literals encode which values of which variables.
//!
//! In: the encodings of the variables, and the source texts. Out: a self-contained text; and, from this text and the
//! model of a solver, the values of the variables. One writer and one reader serve all targets; `grammar/formats.md`
//! specifies the format. Knows nothing of the language: a value is a position in a domain, with a text.

mod domain;
mod embed;
mod fields;
mod read;
mod rules;
mod words;
mod write;

pub use domain::Domain;
pub use embed::comment_lines;
pub use read::{kind, load, read};
pub use words::WordTable;
pub use write::write;

use super::{Lit, Target};
use crate::certify::Graph;
use std::sync::Arc;

/// The encoding of a named variable. The literals of one variable are consecutive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// One literal, true for true.
    Bool(Lit),
    /// `size` literals from `first` on, one per domain position; exactly one is true.
    Direct { first: Lit, size: u32 },
    /// `size - 1` literals from `first` on; the i-th (from 0) means "the position is at most i".
    Order { first: Lit, size: u32 },
    /// `bits` literals from `first` on, lowest first: the position in the domain as a binary number.
    Binary { first: Lit, bits: u32, size: u32 },
}

impl Encoding {
    /// The first literal and the number of literals.
    pub fn literals(&self) -> (Lit, u32) {
        match *self {
            Encoding::Bool(lit) => (lit, 1),
            Encoding::Direct { first, size } => (first, size),
            Encoding::Order { first, size } => (first, size.saturating_sub(1)),
            Encoding::Binary { first, bits, .. } => (first, bits),
        }
    }

    /// The number of values.
    pub fn size(&self) -> u32 {
        match *self {
            Encoding::Bool(_) => 2,
            Encoding::Direct { size, .. } | Encoding::Order { size, .. } | Encoding::Binary { size, .. } => {
                size
            }
        }
    }
}

/// Why literals encode no value of a variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misread {
    NoValue,
    TwoValues(u32, u32),
    /// At most this position, but not at most a greater one.
    NotMonotone(u32),
    /// A binary number beyond the domain.
    Beyond(u64),
}

impl Encoding {
    /// The position, if exactly the literals `on` are true (ascending, counted from the first one).
    pub fn position(&self, on: &[u32]) -> Result<u32, Misread> {
        match *self {
            Encoding::Bool(_) => Ok(on.len() as u32),
            Encoding::Direct { .. } => match *on {
                [position] => Ok(position),
                [] => Err(Misread::NoValue),
                [one, other, ..] => Err(Misread::TwoValues(one, other)),
            },
            Encoding::Order { size: 0, .. } => Err(Misread::NoValue),
            // "at most i" implies "at most i + 1"
            Encoding::Order { size, .. } => match on.first() {
                None => Ok(size - 1),
                Some(first) if on.len() as u32 == size - 1 - first => Ok(*first),
                Some(first) => Err(Misread::NotMonotone(*first)),
            },
            Encoding::Binary { size, .. } => {
                let number = on.iter().fold(0u64, |number, bit| number | 1u64.checked_shl(*bit).unwrap_or(0));
                match u32::try_from(number) {
                    Ok(position) if position < size => Ok(position),
                    _ => Err(Misread::Beyond(number)),
                }
            }
        }
    }
}

/// A named variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// As the language prints it, `x[1, 2]`.
    pub name: String,
    pub domain: Arc<Domain>,
    pub encoding: Encoding,
}

/// Consecutive auxiliary variables.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Block {
    pub first: Lit,
    pub last: Lit,
    /// Do the named variables determine them?
    pub determined: bool,
    /// Their purpose; may be empty.
    pub label: String,
}

/// The literal is true if and only if a chosen option contains all these words; without words it is always true.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WordLiteral {
    pub lit: Lit,
    pub words: Vec<String>,
}

/// The role of a text in a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Model,
    Import,
    Data,
    /// The value of `-D NAME=…`; the name stands for the path.
    Define,
    /// A label of `--without`.
    Without,
}

impl Role {
    pub const ALL: [Role; 5] = [Role::Model, Role::Import, Role::Data, Role::Define, Role::Without];

    /// The name in a map.
    pub fn name(self) -> &'static str {
        match self {
            Role::Model => "model",
            Role::Import => "import",
            Role::Data => "data",
            Role::Define => "define",
            Role::Without => "without",
        }
    }
}

/// A source text of the formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Text {
    pub role: Role,
    /// Relative to the model's folder.
    pub path: String,
    pub text: String,
}

/// A symbol map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SymbolMap {
    /// `rebus 0.1.0`
    pub tool: String,
    pub target: Target,
    pub dialect: String,
    /// Of the uncompressed formula without its comment lines.
    pub digest: u128,
    pub variables: u64,
    pub clauses: u64,
    /// Has the formula as many models as the puzzle has solutions?
    pub exact: bool,
    /// In declaration order.
    pub symbols: Vec<Symbol>,
    pub blocks: Vec<Block>,
    /// Literals that distinguish answers, as runs from first to last; see [`runs`].
    pub answer: Vec<(Lit, Lit)>,
    /// For exact covers: the literals that the words of the chosen options make true.
    pub word_literals: Vec<WordLiteral>,
    /// Graphs whose constraints are lazy: the formula does not enforce them.
    pub graphs: Vec<Graph>,
    pub texts: Vec<Text>,
}

/// Groups literals into runs of consecutive ones.
pub fn runs(lits: &[Lit]) -> Vec<(Lit, Lit)> {
    let mut runs: Vec<(Lit, Lit)> = Vec::new();
    for &lit in lits {
        match runs.last_mut() {
            Some((first, last)) if *first > 0 && last.checked_add(1) == Some(lit) => *last = lit,
            _ => runs.push((lit, lit)),
        }
    }
    runs
}

impl SymbolMap {
    /// The answer literals that are true in a solver's model, ascending.
    pub fn answer_of(&self, model: &[Lit]) -> Vec<Lit> {
        let mut runs = self.answer.clone();
        runs.sort_unstable();
        let mut lits: Vec<Lit> = model.iter().copied().filter(|lit| *lit > 0).collect();
        lits.sort_unstable();
        lits.dedup();
        let mut runs = runs.into_iter().peekable();
        let mut end = 0;
        lits.retain(|lit| {
            while let Some((_, last)) = runs.next_if(|run| run.0 <= *lit) {
                end = last.max(end);
            }
            *lit <= end
        });
        lits
    }

    /// The values of a solver's model: per variable the position in its domain. A missing literal is false. Errors name
    /// the variable.
    pub fn positions(&self, model: &[Lit]) -> Result<Vec<u32>, String> {
        let mut positive: Vec<Lit> = model.iter().copied().filter(|lit| *lit > 0).collect();
        positive.sort_unstable();
        positive.dedup();
        for lit in model.iter().filter(|lit| **lit < 0) {
            if positive.binary_search(&lit.wrapping_neg()).is_ok() {
                return Err(format!("literal {} is said to be both true and false", lit.unsigned_abs()));
            }
        }
        self.symbols.iter().map(|symbol| position(symbol, &positive)).collect()
    }
}

fn position(symbol: &Symbol, positive: &[Lit]) -> Result<u32, String> {
    let (first, count) = symbol.encoding.literals();
    // The true literals of this variable, counted from its first one.
    let start = positive.partition_point(|lit| *lit < first);
    let offset = |lit: &Lit| (i64::from(*lit) - i64::from(first)) as u64;
    let end = start + positive[start..].partition_point(|lit| offset(lit) < u64::from(count));
    let on: Vec<u32> = positive[start..end].iter().map(|lit| offset(lit) as u32).collect();

    let name = &symbol.name;
    let value =
        |position: u32| symbol.domain.text(position).unwrap_or_else(|| format!("value {}", position + 1));
    symbol.encoding.position(&on).map_err(|misread| match misread {
        Misread::NoValue => format!("{name} has no value"),
        Misread::TwoValues(one, other) => {
            format!("{name} has two values, {} and {}", value(one), value(other))
        }
        Misread::NotMonotone(first) => {
            format!("{name} is at most {} but not below a greater value", value(first))
        }
        Misread::Beyond(number) => {
            format!("{name} has position {number}, but only {} values", symbol.encoding.size())
        }
    })
}
