//! Verdict + symbol map → values, and values → a verified solution.
//!
//! In: literals reported as true, encodings. Out: a position for every variable. The input is untrusted: a variable
//! with no value, or with two, is a fault.

mod verify;

pub use verify::{MOST_BROKEN, NoSolution, Solution};

use crate::encode::Lit;
use crate::encode::symbols::Encoding;

/// A domain position for every variable, in declaration order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded(pub Vec<u32>);

/// Decodes the positions; the error is the number of a variable with no value, or two.
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
