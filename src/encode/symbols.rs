//! The symbol map: which literals say what value of which variable.
//!
//! One writer and one reader for all targets; the format is specified in `grammar/formats.md`.

use super::Lit;

/// How a named variable is told by literals. Literals of one variable are consecutive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Encoding {
    /// One literal, true for true.
    Bool(Lit),
    /// `size` literals from `first` on, one a domain position; exactly one is true.
    Direct { first: Lit, size: u32 },
    /// `size - 1` literals from `first` on; the i-th (from 0) says "the position is at most i".
    Order { first: Lit, size: u32 },
    /// `bits` literals from `first` on, lowest first: the position in the domain as a binary number.
    Binary { first: Lit, bits: u32, size: u32 },
}
