//! Verdict + symbol map → values, and values → a verified solution.
//!
//! In: literals said to be true, encodings. Out: a position for every variable. What is read here comes from strangers, so
//! nothing is taken for granted: two values for one variable, or none, is a fault.

mod verify;

pub use verify::{MOST_BROKEN, NoSolution, Solution};

use crate::encode::Lit;
use crate::encode::symbols::Encoding;

/// A domain position for every variable, in declaration order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded(pub Vec<u32>);

/// Reads the positions; the fault names the variable by its number.
pub fn positions(encodings: &[Encoding], mut is_true: impl FnMut(Lit) -> bool) -> Result<Decoded, usize> {
    let mut positions = Vec::with_capacity(encodings.len());
    let mut on = Vec::new();
    for (at, encoding) in encodings.iter().enumerate() {
        let (first, count) = encoding.literals();
        on.clear();
        on.extend((0..count).filter(|i| is_true(first + *i as Lit)));
        positions.push(encoding.position(&on).map_err(|_| at)?);
    }
    Ok(Decoded(positions))
}
