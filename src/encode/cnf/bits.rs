//! Log encoding: adders, multipliers and comparisons for terms with too many values for other encodings.
//!
//! In: integer terms and sums. Out: binary numbers as vectors of literals, and literals of comparisons. Numbers are in
//! two's complement, lowest bit first; the last bit is the sign. Full adders have all 14 clauses (both directions), so
//! every auxiliary variable is determined.

use super::EncodeError;
use super::emitter::Emitter;
use super::encoder::{FALSE, TRUE};
use crate::encode::Lit;
use crate::encode::symbols::Encoding;
use crate::model::{Atom, Cmp, Int, IntNode, Term};
use std::rc::Rc;

/// The most bits of a number; wider ones are an error. A term has 64 bits, quotient times divisor twice as many.
pub(super) const WIDEST: usize = 140;

impl Emitter<'_> {
    pub(super) fn assert_bits(&mut self, terms: &[Term], cmp: Cmp, bound: i64) -> Result<(), EncodeError> {
        self.chose("sum", "adder");
        let lit = self.bits_compare(terms, cmp, bound)?;
        self.clause(&[lit]);
        Ok(())
    }

    /// A literal for `Σ terms ⋈ bound`.
    pub(super) fn bits_compare(&mut self, terms: &[Term], cmp: Cmp, bound: i64) -> Result<Lit, EncodeError> {
        let total = self.bits_sum(terms)?;
        match cmp {
            Cmp::Eq => self.bits_equal(&total, bound),
            Cmp::Le => match bound.checked_add(1) {
                Some(above) => Ok(-self.bits_at_least(&total, above)?),
                None => Ok(TRUE),
            },
        }
    }

    /// `Σ terms`, cached: an objective is compared with many bounds.
    fn bits_sum(&mut self, terms: &[Term]) -> Result<Rc<Vec<Lit>>, EncodeError> {
        if let Some(known) = self.enc.totals.get(terms) {
            return Ok(known.clone());
        }
        let total = Rc::new(self.unconditionally(|this| this.new_bits_sum(terms))?);
        self.enc.totals.insert(terms.into(), total.clone());
        Ok(total)
    }

    fn new_bits_sum(&mut self, terms: &[Term]) -> Result<Vec<Lit>, EncodeError> {
        let mut total = vec![FALSE];
        let (mut lo, mut hi) = (0, 0);
        for term in terms {
            let bits = match term.atom {
                Atom::Bool(b) => vec![self.literal(b)?, FALSE],
                Atom::Int(int) => self.bits_of(int)?.to_vec(),
            };
            let ends = self.model.arena.atom_bounds(term.atom);
            let scaled = self.scale(&bits, term.coef, ends)?;
            let (low, high) = times(term.coef.into(), ends);
            (lo, hi) = (lo + low, hi + high);
            total = within(self.add_bits(&total, &scaled)?, lo, hi);
        }
        Ok(total)
    }

    /// `coef · bits`, by shifted additions; `ends` are the least and the largest value of `bits`.
    fn scale(&mut self, bits: &[Lit], coef: i64, ends: (i64, i64)) -> Result<Vec<Lit>, EncodeError> {
        let size = coef.unsigned_abs();
        let mut total = vec![FALSE];
        let mut so_far: i128 = 0;
        for shift in 0..64 {
            if size >> shift & 1 == 1 {
                let mut shifted = vec![FALSE; shift];
                shifted.extend_from_slice(bits);
                so_far += 1 << shift;
                let (lo, hi) = times(so_far, ends);
                total = within(self.add_bits(&total, &shifted)?, lo, hi);
            }
        }
        if coef < 0 { self.minus(&total) } else { Ok(total) }
    }

    /// The number of true `lits` as a binary number, by divide and conquer (Warners, IPL 68, 1998).
    pub(super) fn bits_count(&mut self, lits: &[Lit]) -> Result<Vec<Lit>, EncodeError> {
        if let [] | [_] = lits {
            return Ok(lits.iter().copied().chain([FALSE]).collect());
        }
        let (left, right) = lits.split_at(lits.len() / 2);
        let (left, right) = (self.bits_count(left)?, self.bits_count(right)?);
        Ok(within(self.add_bits(&left, &right)?, 0, lits.len() as i128))
    }

    pub(super) fn minus(&mut self, bits: &[Lit]) -> Result<Vec<Lit>, EncodeError> {
        let flipped: Vec<Lit> = bits.iter().map(|lit| -lit).collect();
        self.add_carry(&flipped, &[FALSE], TRUE)
    }

    pub(super) fn add_bits(&mut self, a: &[Lit], b: &[Lit]) -> Result<Vec<Lit>, EncodeError> {
        self.add_carry(a, b, FALSE)
    }

    pub(super) fn add_carry(
        &mut self,
        a: &[Lit],
        b: &[Lit],
        mut carry: Lit,
    ) -> Result<Vec<Lit>, EncodeError> {
        let width = a.len().max(b.len()) + 1;
        if width > WIDEST {
            return Err(EncodeError::TooLarge("a sum of more than 128 bits".into()));
        }
        self.step(width as u64)?;
        let mut out = Vec::with_capacity(width);
        for at in 0..width {
            let (x, y) = (bit(a, at), bit(b, at));
            let half = self.xor_lit(x, y)?;
            out.push(self.xor_lit(half, carry)?);
            if at + 1 < width {
                carry = self.majority(x, y, carry)?;
            }
        }
        Ok(trim(out))
    }

    pub(super) fn xor_lit(&mut self, a: Lit, b: Lit) -> Result<Lit, EncodeError> {
        Ok(-self.iff_lit(a, b)?)
    }

    fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Result<Lit, EncodeError> {
        let (a, b, c) = (self.enc.norm(a), self.enc.norm(b), self.enc.norm(c));
        for (x, y, z) in [(a, b, c), (b, a, c), (c, a, b)] {
            match x {
                TRUE => return self.or_lit([y, z]),
                FALSE => return self.and_lit([y, z]),
                _ if x == y => return Ok(x),
                _ if x == -y => return Ok(z),
                _ => {}
            }
        }
        let out = self.fresh()?;
        for (x, y) in [(a, b), (a, c), (b, c)] {
            self.clause(&[-x, -y, out]);
            self.clause(&[x, y, -out]);
        }
        Ok(out)
    }

    /// A literal for `bits = value`.
    pub(super) fn bits_equal(&mut self, bits: &[Lit], value: i64) -> Result<Lit, EncodeError> {
        let width = bits.len().max(constant(value).len());
        let lits = (0..width).map(|at| if sign_bit(value, at) { bit(bits, at) } else { -bit(bits, at) });
        self.and_lit(lits.collect::<Vec<_>>())
    }

    /// A literal for `bits ≥ bound`.
    pub(super) fn bits_at_least(&mut self, bits: &[Lit], bound: i64) -> Result<Lit, EncodeError> {
        let width = bits.len().max(constant(bound).len());
        let mut result = TRUE;
        for at in 0..width {
            // the sign bit compares the other way
            let (lit, one) = if at + 1 == width {
                (-bit(bits, at), !sign_bit(bound, at))
            } else {
                (bit(bits, at), sign_bit(bound, at))
            };
            result = if one { self.and_lit([lit, result])? } else { self.or_lit([lit, result])? };
        }
        Ok(result)
    }

    pub(super) fn equal_bits(&mut self, a: &[Lit], b: &[Lit]) -> Result<Lit, EncodeError> {
        let width = a.len().max(b.len());
        let mut same = Vec::with_capacity(width);
        for at in 0..width {
            same.push(self.iff_lit(bit(a, at), bit(b, at))?);
        }
        self.and_lit(same)
    }

    /// A term as a binary number.
    pub(super) fn bits_of(&mut self, int: Int) -> Result<Rc<Vec<Lit>>, EncodeError> {
        if let Some(known) = self.enc.bits.get(&int) {
            return Ok(known.clone());
        }
        let (lo, hi) = self.model.arena.bounds(int);
        let bits = Rc::new(within(self.unconditionally(|this| this.new_bits(int))?, lo.into(), hi.into()));
        self.enc.bits.insert(int, bits.clone());
        Ok(bits)
    }

    fn new_bits(&mut self, int: Int) -> Result<Vec<Lit>, EncodeError> {
        let model = self.model;
        match model.arena.int_node(int) {
            IntNode::Const(k) => Ok(constant(k)),
            IntNode::Var(var) => {
                let values = model.ints(var);
                let Encoding::Binary { first, bits, .. } = self.enc.encodings[var.0 as usize] else {
                    return self.bits_of_view(int);
                };
                let (lo, hi) = (values[0], values[values.len() - 1]);
                if hi.checked_sub(lo) != Some(values.len() as i64 - 1) {
                    return self.bits_of_positions(var, values.to_vec());
                }
                let mut position: Vec<Lit> = (0..bits as Lit).map(|bit| self.enc.norm(first + bit)).collect();
                position.push(FALSE);
                self.add_bits(&position, &constant(lo))
            }
            IntNode::Linear { terms, constant: k } => {
                let sum = self.bits_sum(terms)?;
                self.add_bits(&sum, &constant(k))
            }
            IntNode::Mul(a, b) => {
                let (a, b) = (self.bits_of(a)?, self.bits_of(b)?);
                self.multiply(&a, &b)
            }
            IntNode::Abs(inner) => {
                let inner = self.bits_of(inner)?;
                let minus = self.minus(&inner)?;
                let negative = bit(&inner, WIDEST);
                self.pick(negative, &minus, &inner)
            }
            IntNode::Min(parts) | IntNode::Max(parts) => {
                let largest = matches!(model.arena.int_node(int), IntNode::Max(_));
                let mut best = self.bits_of(parts[0])?.to_vec();
                for part in &parts[1..] {
                    let other = self.bits_of(*part)?;
                    let minus = self.minus(&other)?;
                    let difference = self.add_bits(&best, &minus)?;
                    let less = bit(&difference, WIDEST);
                    best = if largest {
                        self.pick(less, &other, &best)?
                    } else {
                        self.pick(less, &best, &other)?
                    };
                }
                Ok(best)
            }
            IntNode::Select(arms) => {
                let mut out: Vec<Lit> = vec![FALSE];
                for (cond, value) in arms {
                    let cond = self.literal(*cond)?;
                    let value = self.bits_of(*value)?;
                    out = self.pick(cond, &value, &out)?;
                }
                Ok(out)
            }
            IntNode::Area(graph, vertex) => {
                let is_lazy = self.is_area_lazy(graph, vertex);
                match is_lazy.then(|| self.bits_of_view(int)) {
                    None | Some(Err(EncodeError::TooLarge(_))) => {
                        Ok(self.areas(graph)?[vertex as usize].clone())
                    }
                    Some(bits) => bits,
                }
            }
            // pairs of values propagate better
            IntNode::Div(a, b) | IntNode::Mod(a, b) => match self.bits_of_view(int) {
                Err(EncodeError::TooLarge(_)) => {
                    let division = self.division(a, b)?;
                    let (quotient, rest) = &*division;
                    let wanted = matches!(model.arena.int_node(int), IntNode::Div(..));
                    Ok(if wanted { quotient } else { rest }.clone())
                }
                bits => bits,
            },
        }
    }

    /// A one-hot view as a binary number.
    fn bits_of_view(&mut self, int: Int) -> Result<Vec<Lit>, EncodeError> {
        let view = self.view(int)?;
        let mut out = Vec::new();
        let width = view.values.iter().map(|value| constant(*value).len()).max().unwrap_or(1);
        for at in 0..width {
            let lits: Vec<Lit> =
                view.iter().filter(|(value, _)| sign_bit(*value, at)).map(|(_, lit)| lit).collect();
            out.push(self.or_lit(lits)?);
        }
        Ok(trim(out))
    }

    /// The value of a log-encoded variable whose domain has gaps.
    fn bits_of_positions(
        &mut self,
        var: crate::model::VarId,
        values: Vec<i64>,
    ) -> Result<Vec<Lit>, EncodeError> {
        let mut lits = Vec::with_capacity(values.len());
        for position in 0..values.len() {
            lits.push(self.is_lit(var, position as u32)?);
        }
        let width = values.iter().map(|value| constant(*value).len()).max().unwrap_or(1);
        let mut out = Vec::with_capacity(width);
        for at in 0..width {
            let set =
                values.iter().zip(&lits).filter(|(value, _)| sign_bit(**value, at)).map(|(_, lit)| *lit);
            out.push(self.or_lit(set.collect::<Vec<_>>())?);
        }
        Ok(trim(out))
    }

    /// `if cond then a else b`.
    pub(super) fn pick(&mut self, cond: Lit, a: &[Lit], b: &[Lit]) -> Result<Vec<Lit>, EncodeError> {
        let width = a.len().max(b.len());
        let out: Result<Vec<Lit>, _> =
            (0..width).map(|at| self.pick_lit(cond, bit(a, at), bit(b, at))).collect();
        Ok(trim(out?))
    }

    fn pick_lit(&mut self, cond: Lit, a: Lit, b: Lit) -> Result<Lit, EncodeError> {
        let (cond, a, b) = (self.enc.norm(cond), self.enc.norm(a), self.enc.norm(b));
        match (cond, a, b) {
            (TRUE, a, _) => return Ok(a),
            (FALSE, _, b) => return Ok(b),
            (_, a, b) if a == b => return Ok(a),
            (cond, TRUE, b) => return self.or_lit([cond, b]),
            (cond, FALSE, b) => return self.and_lit([-cond, b]),
            (cond, a, TRUE) => return self.or_lit([-cond, a]),
            (cond, a, FALSE) => return self.and_lit([cond, a]),
            (cond, a, b) if a == -b => return self.iff_lit(cond, a),
            _ => {}
        }
        let out = self.fresh()?;
        self.clause(&[-cond, -a, out]);
        self.clause(&[-cond, a, -out]);
        self.clause(&[cond, -b, out]);
        self.clause(&[cond, b, -out]);
        // redundant clauses for more unit propagation
        self.clause(&[-a, -b, out]);
        self.clause(&[a, b, -out]);
        Ok(out)
    }

    fn multiply(&mut self, a: &[Lit], b: &[Lit]) -> Result<Vec<Lit>, EncodeError> {
        let mut total = vec![FALSE];
        for (shift, lit) in b.iter().enumerate() {
            let mut row = vec![FALSE; shift];
            for at in a {
                row.push(self.and_lit([*lit, *at])?);
            }
            // the sign bit of b has a negative weight
            let row = if shift + 1 == b.len() { self.minus(&row)? } else { row };
            total = self.add_bits(&total, &row)?;
        }
        Ok(total)
    }
}

/// A bit, with sign extension above the width.
pub(super) fn bit(bits: &[Lit], at: usize) -> Lit {
    bits.get(at).or(bits.last()).copied().unwrap_or(FALSE)
}

fn sign_bit(value: i64, at: usize) -> bool {
    value >> at.min(63) & 1 == 1
}

fn constant(value: i64) -> Vec<Lit> {
    let bits = (0..65).map(|at| if sign_bit(value, at) { TRUE } else { FALSE }).collect();
    trim(bits)
}

/// Least and largest of `coef · value`.
fn times(coef: i128, (lo, hi): (i64, i64)) -> (i128, i128) {
    let (a, b) = (coef * i128::from(lo), coef * i128::from(hi));
    (a.min(b), a.max(b))
}

/// Removes the bits that a number from `lo` to `hi` does not need, and sets the sign if the bounds determine it.
/// Otherwise sums of many terms would grow by one bit with each addition.
pub(super) fn within(mut bits: Vec<Lit>, lo: i128, hi: i128) -> Vec<Lit> {
    let width = |end: i128| (i128::BITS - (end ^ (end >> 127)).leading_zeros()) as usize + 1;
    bits.truncate(width(lo).max(width(hi)));
    if let Some(sign) = bits.last_mut() {
        match (lo >= 0, hi < 0) {
            (true, _) => *sign = FALSE,
            (_, true) => *sign = TRUE,
            _ => {}
        }
    }
    trim(bits)
}

/// Drops repeated sign bits.
pub(super) fn trim(mut bits: Vec<Lit>) -> Vec<Lit> {
    while let [.., a, b] = bits[..]
        && a == b
    {
        bits.pop();
    }
    bits
}
