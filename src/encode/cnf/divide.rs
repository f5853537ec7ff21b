//! Division of binary numbers.
//!
//! In: dividend and divisor. Out: floor quotient and remainder, both determined by the operands.
//!
//! Restoring division of the absolute values, from the highest bit down, then the signs (Ercegovac and Lang, Digital
//! Arithmetic, 2004, chapter 5). If the operands are fixed, unit propagation fixes every bit.

use super::EncodeError;
use super::bits::{WIDEST, bit, trim, within};
use super::emitter::Emitter;
use super::encoder::{FALSE, TRUE};
use crate::encode::Lit;
use crate::model::Int;
use std::rc::Rc;

/// Quotient and remainder.
pub(super) type Division = (Vec<Lit>, Vec<Lit>);

impl Emitter<'_> {
    /// Floor quotient and remainder of two terms, cached; both 0 if the divisor is 0.
    pub(super) fn division(&mut self, a: Int, b: Int) -> Result<Rc<Division>, EncodeError> {
        if let Some(known) = self.enc.divisions.get(&(a, b)) {
            return Ok(known.clone());
        }
        self.chose("division", "restoring");
        let (x, y) = (self.bits_of(a)?, self.bits_of(b)?);
        let division = Rc::new(self.divide(&x, &y)?);
        self.enc.divisions.insert((a, b), division.clone());
        Ok(division)
    }

    fn divide(&mut self, x: &[Lit], y: &[Lit]) -> Result<Division, EncodeError> {
        let (x_sign, y_sign) = (bit(x, WIDEST), bit(y, WIDEST));
        let (size, by) = (self.negated_where(x_sign, x)?, self.negated_where(y_sign, y)?);
        let (quotient, rest) = self.divide_sizes(&size, &by)?;
        // round down, not towards 0: subtract one if the signs differ and the remainder is not 0
        let differ = -self.iff_lit(x_sign, y_sign)?;
        let exact = self.bits_equal(&rest, 0)?;
        let below = self.and_lit([differ, -exact])?;
        let whole = self.and_lit([differ, exact])?;
        let flipped = self.flipped_where(differ, &quotient)?;
        let quotient = self.add_carry(&flipped, &[FALSE], whole)?;
        let short = self.minus(&rest)?;
        let short = self.add_carry(&by, &short, FALSE)?;
        let rest = self.pick(below, &short, &rest)?;
        let rest = self.negated_where(y_sign, &rest)?;
        let nonzero = -self.bits_equal(y, 0)?;
        let mut masked = |bits: Vec<Lit>| -> Result<Vec<Lit>, EncodeError> {
            let bits: Result<Vec<Lit>, _> = bits.iter().map(|lit| self.and_lit([nonzero, *lit])).collect();
            Ok(trim(bits?))
        };
        Ok((masked(quotient)?, masked(rest)?))
    }

    /// Divides nonnegative numbers. If the divisor is 0, the result is arbitrary but determined.
    fn divide_sizes(&mut self, x: &[Lit], y: &[Lit]) -> Result<Division, EncodeError> {
        let minus: Vec<Lit> = y.iter().map(|lit| -lit).collect();
        let mut quotient = vec![FALSE; x.len() + 1];
        let mut rest = vec![FALSE];
        for at in (0..x.len()).rev() {
            rest.insert(0, x[at]);
            let room = self.add_carry(&rest, &minus, TRUE)?;
            let fits = -bit(&room, WIDEST);
            quotient[at] = fits;
            // the remainder is less than the divisor
            let largest = (1i128 << (y.len() - 1).min(126)) - 1;
            rest = within(self.pick(fits, &room, &rest)?, 0, largest);
        }
        Ok((trim(quotient), rest))
    }

    /// `if cond then -bits else bits`.
    fn negated_where(&mut self, cond: Lit, bits: &[Lit]) -> Result<Vec<Lit>, EncodeError> {
        let flipped = self.flipped_where(cond, bits)?;
        self.add_carry(&flipped, &[FALSE], cond)
    }

    fn flipped_where(&mut self, cond: Lit, bits: &[Lit]) -> Result<Vec<Lit>, EncodeError> {
        bits.iter().map(|lit| self.xor_lit(cond, *lit)).collect()
    }
}
