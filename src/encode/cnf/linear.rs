//! Linear constraints over literals, for sinks that take them, and objectives.
//!
//! In: integer and boolean terms. Out: a [`Weighted`] sum of literals, constraints in the sink, or a reified
//! constraint.
//!
//! An integer is a weighted sum of its literals: direct literals weigh their values, order literals the steps between
//! values, bits the powers of two. Reification uses two constraints, each with the least sufficient "big M"
//! coefficient.

use super::EncodeError;
use super::emitter::Emitter;
use super::encoder::{FALSE, TRUE};
use crate::encode::symbols::Encoding;
use crate::encode::{Lit, Weighted};
use crate::model::{Atom, Cmp, Int, IntNode, Term, VarId};
use crate::shared::with_stack;

/// A sum before it becomes a [`Weighted`]: arbitrary literals, wider numbers.
#[derive(Default)]
struct Sum {
    terms: Vec<(i128, Lit)>,
    constant: i128,
    /// Least and largest value, from the remaining values of each term.
    lo: i128,
    hi: i128,
    /// A term exceeds the limit and is missing.
    too_wide: bool,
}

impl Sum {
    /// Adds the bounds of a term: `coef` times `lo` to `hi`.
    fn bounded(&mut self, (lo, hi): (i128, i128), coef: i128) {
        let (a, b) = (coef.saturating_mul(lo), coef.saturating_mul(hi));
        self.lo = self.lo.saturating_add(a.min(b));
        self.hi = self.hi.saturating_add(a.max(b));
    }

    /// Adds a one-hot group: the first value becomes a constant, the other literals weigh their difference from it.
    fn one_hot(&mut self, values: impl Iterator<Item = (i64, Lit)>, coef: i128) {
        let values: Vec<(i128, Lit)> = values.map(|(value, lit)| (i128::from(value), lit)).collect();
        let Some((base, _)) = values.first().copied() else { return };
        let ends = values.iter().fold((base, base), |(lo, hi), (v, _)| (lo.min(*v), hi.max(*v)));
        self.bounded(ends, coef);
        self.constant += coef * base;
        self.terms.extend(values.iter().skip(1).map(|(value, lit)| (coef * (value - base), *lit)));
    }
}

impl Emitter<'_> {
    pub(super) fn takes_linear(&mut self) -> bool {
        self.sink.linear().is_some()
    }

    /// `Σ terms`; `None` if it does not fit into 64 bits.
    pub(super) fn weigh(&mut self, terms: &[Term]) -> Result<Option<Weighted>, EncodeError> {
        let mut sum = Sum::default();
        self.add_terms(terms, 1, &mut sum)?;
        Ok(self.weighted(sum))
    }

    /// The number of true `lits`.
    pub(super) fn weigh_literals(&self, lits: &[Lit]) -> Option<Weighted> {
        let hi = lits.len() as i128;
        let terms = lits.iter().map(|lit| (1, *lit)).collect();
        self.weighted(Sum { terms, hi, ..Sum::default() })
    }

    fn add_terms(&mut self, terms: &[Term], factor: i128, sum: &mut Sum) -> Result<(), EncodeError> {
        for term in terms {
            let coef = factor.saturating_mul(term.coef.into());
            match term.atom {
                Atom::Bool(b) => {
                    let lit = self.literal(b)?;
                    sum.bounded((0, 1), coef);
                    sum.terms.push((coef, lit));
                }
                Atom::Int(int) => self.add_int(int, coef, sum)?,
            }
        }
        Ok(())
    }

    fn add_int(&mut self, int: Int, coef: i128, sum: &mut Sum) -> Result<(), EncodeError> {
        let model = self.model;
        let (lo, hi) = model.arena.bounds(int);
        if i128::from(lo).abs().max(i128::from(hi).abs()).saturating_mul(coef.saturating_abs()) > MOST {
            sum.too_wide = true;
            return Ok(());
        }
        match model.arena.int_node(int) {
            IntNode::Const(k) => {
                sum.bounded((k.into(), k.into()), coef);
                sum.constant += coef * i128::from(k);
                return Ok(());
            }
            IntNode::Linear { terms, constant } => {
                let constant = i128::from(constant);
                sum.bounded((constant, constant), coef);
                sum.constant += coef * constant;
                return with_stack(|| self.add_terms(terms, coef, sum));
            }
            IntNode::Var(var) if self.add_var(var, coef, sum) => return Ok(()),
            _ => {}
        }
        match self.small_view(int)? {
            Some(view) => sum.one_hot(view.iter(), coef),
            None => {
                let bits = self.bits_of(int)?;
                sum.bounded((lo.into(), hi.into()), coef);
                self.add_bits_of(&bits, coef, sum);
            }
        }
        Ok(())
    }

    /// Adds a binary number in two's complement: the last bit has a negative weight.
    fn add_bits_of(&self, bits: &[Lit], coef: i128, sum: &mut Sum) {
        for (at, lit) in bits.iter().enumerate() {
            let power = 1i128 << at.min(100);
            let sign = if at + 1 == bits.len() { -1 } else { 1 };
            sum.terms.push((coef.saturating_mul(sign * power), *lit));
        }
    }

    /// Adds a variable by its own literals; false if they do not form a weighted sum.
    fn add_var(&mut self, var: VarId, coef: i128, sum: &mut Sum) -> bool {
        let values = self.model.ints(var);
        let left = |at: &usize| !self.enc.gone.contains(&(var, *at as u32));
        match self.enc.encodings[var.0 as usize] {
            Encoding::Bool(_) => false,
            Encoding::Direct { first, .. } => {
                let lits = (0..values.len()).map(|at| self.enc.norm(first + at as Lit));
                sum.one_hot(values.iter().copied().zip(lits).filter(|(_, lit)| *lit != FALSE), coef);
                true
            }
            Encoding::Order { first, .. } => {
                let Some(last) = values.last() else { return false };
                let (Some(lo), Some(hi)) = ((0..values.len()).find(left), (0..values.len()).rev().find(left))
                else {
                    return false;
                };
                sum.bounded((values[lo].into(), values[hi].into()), coef);
                sum.constant += coef * i128::from(*last);
                for (at, pair) in values.windows(2).enumerate() {
                    let step = i128::from(pair[1]) - i128::from(pair[0]);
                    sum.terms.push((-coef * step, first + at as Lit));
                }
                true
            }
            Encoding::Binary { first, bits, .. } => {
                let [base, rest @ ..] = values else { return false };
                let step = rest.first().map_or(1, |next| i128::from(*next) - i128::from(*base));
                let value = |at: usize| i128::from(*base) + step * at as i128;
                if !values.iter().enumerate().all(|(at, v)| i128::from(*v) == value(at)) {
                    return false;
                }
                sum.bounded((value(0), value(values.len() - 1)), coef);
                sum.constant += coef * i128::from(*base);
                sum.terms.extend((0..bits).map(|bit| (coef * (step << bit), first + bit as Lit)));
                true
            }
        }
    }

    /// Normalizes a sum: each variable once, positive, without fixed literals. `None` if it is too large.
    fn weighted(&self, sum: Sum) -> Option<Weighted> {
        let Sum { terms, mut constant, lo, hi, too_wide } = sum;
        let mut plain: Vec<(i128, Lit)> = Vec::with_capacity(terms.len());
        for (coef, lit) in terms {
            match self.enc.norm(lit) {
                FALSE => {}
                TRUE => constant = constant.saturating_add(coef),
                lit if lit < 0 => {
                    constant = constant.saturating_add(coef);
                    plain.push((coef.saturating_neg(), -lit));
                }
                lit => plain.push((coef, lit)),
            }
        }
        plain.sort_unstable_by_key(|(_, lit)| *lit);
        plain.dedup_by(|next, before| {
            let same = next.1 == before.1;
            if same {
                before.0 = before.0.saturating_add(next.0);
            }
            same
        });
        plain.retain(|(coef, _)| *coef != 0);
        let reach = |coefs: &mut dyn Iterator<Item = i128>| coefs.fold(0i128, i128::saturating_add);
        let least = reach(&mut plain.iter().map(|(coef, _)| *coef.min(&0))).saturating_add(constant);
        let most = reach(&mut plain.iter().map(|(coef, _)| *coef.max(&0))).saturating_add(constant);
        if least < -MOST || most > MOST || constant.saturating_abs() > MOST || too_wide {
            return None;
        }
        Some(Weighted {
            terms: plain.into_iter().map(|(coef, lit)| (coef as i64, lit)).collect(),
            constant: constant as i64,
            lo: lo.max(least) as i64,
            hi: hi.min(most) as i64,
        })
    }

    /// A literal for each possible value of a sum, channelled by one equality; `None` if sums are not emitted as linear
    /// constraints.
    pub(super) fn tied_to_sum(&mut self, int: Int, values: &[i64]) -> Result<Option<Vec<Lit>>, EncodeError> {
        let [base, others @ ..] = values else { return Ok(None) };
        let Some(mut sum) = self.whole_sum(&[Term { coef: 1, atom: Atom::Int(int) }])? else {
            return Ok(None);
        };
        let mut lits = Vec::with_capacity(values.len());
        for _ in values {
            lits.push(self.fresh()?);
        }
        self.chose("values of a sum", "linear");
        self.exactly_one(&lits)?;
        // Σ - Σ (value - base) lit = base
        sum.terms.extend(others.iter().zip(&lits[1..]).map(|(value, lit)| (base - value, *lit)));
        self.emit(&sum, Cmp::Eq, *base)?;
        Ok(Some(lits))
    }

    /// Asserts `sum ⋈ bound`. Precondition: the sink takes linear constraints.
    pub(super) fn emit(&mut self, sum: &Weighted, cmp: Cmp, bound: i64) -> Result<(), EncodeError> {
        self.step(sum.terms.len() as u64)?;
        let bound = i128::from(bound) - i128::from(sum.constant);
        let least: i128 = sum.terms.iter().map(|(coef, _)| i128::from(*coef.min(&0))).sum();
        let most: i128 = sum.terms.iter().map(|(coef, _)| i128::from(*coef.max(&0))).sum();
        match (cmp, i64::try_from(bound)) {
            (Cmp::Le, _) if bound >= most => Ok(()),
            (_, Ok(bound)) if i128::from(bound) >= least && i128::from(bound) <= most => {
                if sum.terms.is_empty() {
                    return Ok(());
                }
                self.count_rows(1);
                if let Some(sink) = self.sink.linear() {
                    sink.constraint(&sum.terms, cmp, bound);
                }
                Ok(())
            }
            _ => {
                self.clause(&[]);
                Ok(())
            }
        }
    }

    /// A literal that is equivalent to `sum ⋈ bound`.
    pub(super) fn emit_literal(&mut self, sum: &Weighted, cmp: Cmp, bound: i64) -> Result<Lit, EncodeError> {
        if cmp == Cmp::Le {
            return self.emit_at_most(sum, bound);
        }
        let at_most = self.emit_at_most(sum, bound)?;
        let below = match bound.checked_sub(1) {
            Some(below) => self.emit_at_most(sum, below)?,
            None => FALSE,
        };
        self.and_lit([at_most, -below])
    }

    fn emit_at_most(&mut self, sum: &Weighted, bound: i64) -> Result<Lit, EncodeError> {
        if bound >= sum.hi {
            return Ok(TRUE);
        }
        if bound < sum.lo {
            return Ok(FALSE);
        }
        if let [(coef, lit)] = sum.terms[..] {
            // both values are possible, and exactly one of them satisfies the bound
            return Ok(if coef > 0 { -lit } else { lit });
        }
        // the key omits the constant, so that sums with different constants share literals
        let (lo, hi) = (sum.lo - sum.constant, sum.hi - sum.constant);
        let most = bound - sum.constant;
        let key = (sum.terms.clone().into_boxed_slice(), most);
        if let Some(known) = self.enc.linears.get(&key) {
            return Ok(*known);
        }
        let lit = self.fresh()?;
        // lit: Σ + (hi - most) lit ≤ hi; its negation: -Σ - (most + 1 - lo) lit ≤ -most - 1
        for (sign, coef, bound) in [(1, hi - most, hi), (-1, lo - most - 1, -most - 1)] {
            let terms = sum.terms.iter().map(|(coef, lit)| (sign * coef, *lit));
            let mut tied = Weighted { terms: terms.collect(), constant: 0, lo: 0, hi: 0 };
            tied.terms.push((coef, lit));
            self.emit(&tied, Cmp::Le, bound)?;
        }
        self.enc.linears.insert(key, lit);
        Ok(lit)
    }
}

/// The limit of partial sums: one more bound and one more coefficient still fit into 64 bits.
const MOST: i128 = (i64::MAX / 8) as i128;
