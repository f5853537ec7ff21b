//! Verdict + symbol map → values, and values → a verified solution.
//!
//! In: literals said to be true, encodings. Out: a position for every variable. What is read here comes from strangers, so
//! nothing is taken for granted: two values for one variable, or none, is a fault.

mod verify;

pub use verify::{NoSolution, Solution};

use crate::encode::Lit;
use crate::encode::symbols::Encoding;

/// A domain position for every variable, in declaration order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decoded(pub Vec<u32>);

/// Reads the positions; the fault names the variable by its number.
pub fn positions(encodings: &[Encoding], mut is_true: impl FnMut(Lit) -> bool) -> Result<Decoded, usize> {
    let mut positions = Vec::with_capacity(encodings.len());
    for (at, encoding) in encodings.iter().enumerate() {
        positions.push(position(encoding, &mut is_true).ok_or(at)?);
    }
    Ok(Decoded(positions))
}

fn position(encoding: &Encoding, is_true: &mut dyn FnMut(Lit) -> bool) -> Option<u32> {
    match *encoding {
        Encoding::Bool(lit) => Some(u32::from(is_true(lit))),
        Encoding::Direct { first, size } => {
            let mut found = (0..size).filter(|i| is_true(first + *i as Lit));
            let position = found.next()?;
            found.next().is_none().then_some(position)
        }
        Encoding::Order { first, size } => {
            let below =
                (0..size.saturating_sub(1)).take_while(|i| !is_true(first + *i as Lit)).count() as u32;
            // once "at most i" is true it stays true
            (below + 1..size.saturating_sub(1)).all(|i| is_true(first + i as Lit)).then_some(below)
        }
        Encoding::Binary { first, bits, size } => {
            let position = (0..bits).map(|bit| u32::from(is_true(first + bit as Lit)) << bit).sum();
            (position < size).then_some(position)
        }
    }
}
