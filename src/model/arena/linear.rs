//! Linear constraints in normal form, so that equivalent ones share a node.

use super::{Arena, Atom, Bool, IntNode, Op, Overflow, Pool, Term};

impl Arena {
    /// `Σ terms ≤ bound`.
    pub fn le(&mut self, terms: Vec<Term>, bound: i64) -> Result<Bool, Overflow> {
        let (terms, constant) = self.normal(terms)?;
        let mut bound = bound.checked_sub(constant).ok_or(Overflow)?;
        let (lo, hi) = self.sum_bounds(&terms, 0)?;
        if hi <= bound {
            return Ok(Bool::TRUE);
        }
        if lo > bound {
            return Ok(Bool::FALSE);
        }
        let mut terms = terms;
        let divisor = divisor(&terms);
        if divisor > 1 {
            terms.iter_mut().for_each(|term| term.coef /= divisor);
            bound = bound.div_euclid(divisor);
        }
        if let [Term { coef, atom: Atom::Bool(b) }] = terms[..] {
            // hi > bound ≥ lo: true if and only if the sum has its smaller value
            return Ok(if coef > 0 { !b } else { b });
        }
        if let [Term { coef: -1, atom: Atom::Int(_) }] = terms[..] {
            // -x ≤ b is not (x ≤ -b - 1): one node for both
            terms[0].coef = 1;
            let bound = bound.checked_neg().and_then(|b| b.checked_sub(1)).ok_or(Overflow)?;
            return Ok(!self.bool(Op::Le, 0, 1, bound, Pool::Terms(&terms)));
        }
        Ok(self.bool(Op::Le, 0, terms.len() as u32, bound, Pool::Terms(&terms)))
    }

    /// `Σ terms = bound`.
    pub fn eq(&mut self, terms: Vec<Term>, bound: i64) -> Result<Bool, Overflow> {
        let (mut terms, constant) = self.normal(terms)?;
        let mut bound = bound.checked_sub(constant).ok_or(Overflow)?;
        let (lo, hi) = self.sum_bounds(&terms, 0)?;
        if bound < lo || bound > hi {
            return Ok(Bool::FALSE);
        }
        if terms.is_empty() {
            return Ok(Bool::constant(bound == 0));
        }
        let divisor = divisor(&terms);
        if bound % divisor != 0 {
            return Ok(Bool::FALSE);
        }
        let sign = if terms[0].coef < 0 { -divisor } else { divisor };
        for term in &mut terms {
            term.coef = term.coef.checked_div(sign).ok_or(Overflow)?;
        }
        bound = bound.checked_div(sign).ok_or(Overflow)?;
        if lo == hi {
            return Ok(Bool::TRUE);
        }
        if let [Term { coef: 1, atom: Atom::Bool(b) }] = terms[..] {
            return Ok(if bound == 1 { b } else { !b });
        }
        Ok(self.bool(Op::Eq, 0, terms.len() as u32, bound, Pool::Terms(&terms)))
    }

    /// Merges equal atoms, inlines `Linear` and `Const` atoms, makes boolean atoms positive, drops coefficients 0.
    /// Returns the terms and the constant.
    pub(super) fn normal(&self, terms: Vec<Term>) -> Result<(Vec<Term>, i64), Overflow> {
        let mut constant = 0i64;
        let mut list: Vec<Term> = Vec::with_capacity(terms.len());
        for Term { coef, atom } in terms {
            match atom {
                Atom::Bool(b) => match b.as_constant() {
                    Some(value) => constant = constant.checked_add(coef * value as i64).ok_or(Overflow)?,
                    None if b.is_negated() => {
                        constant = constant.checked_add(coef).ok_or(Overflow)?;
                        let coef = coef.checked_neg().ok_or(Overflow)?;
                        list.push(Term { coef, atom: Atom::Bool(!b) });
                    }
                    None => list.push(Term { coef, atom }),
                },
                Atom::Int(int) => match self.int_node(int) {
                    IntNode::Const(k) => {
                        let k = k.checked_mul(coef).ok_or(Overflow)?;
                        constant = constant.checked_add(k).ok_or(Overflow)?;
                    }
                    IntNode::Linear { terms, constant: k } => {
                        let k = k.checked_mul(coef).ok_or(Overflow)?;
                        constant = constant.checked_add(k).ok_or(Overflow)?;
                        for inner in terms {
                            let coef = inner.coef.checked_mul(coef).ok_or(Overflow)?;
                            list.push(Term { coef, atom: inner.atom });
                        }
                    }
                    _ => list.push(Term { coef, atom }),
                },
            }
        }
        if !list.is_sorted_by(|x, y| x.atom < y.atom) {
            list.sort_by_key(|term| term.atom);
            let mut out: Vec<Term> = Vec::with_capacity(list.len());
            for term in list {
                match out.last_mut() {
                    Some(last) if last.atom == term.atom => {
                        last.coef = last.coef.checked_add(term.coef).ok_or(Overflow)?;
                    }
                    _ => out.push(term),
                }
            }
            list = out;
        }
        list.retain(|term| term.coef != 0);
        Ok((list, constant))
    }

    pub(super) fn sum_bounds(&self, terms: &[Term], constant: i64) -> Result<(i64, i64), Overflow> {
        let (mut lo, mut hi) = (constant, constant);
        for term in terms {
            let (a, b) = self.atom_bounds(term.atom);
            let (x, y) =
                (a.checked_mul(term.coef).ok_or(Overflow)?, b.checked_mul(term.coef).ok_or(Overflow)?);
            lo = lo.checked_add(x.min(y)).ok_or(Overflow)?;
            hi = hi.checked_add(x.max(y)).ok_or(Overflow)?;
        }
        Ok((lo, hi))
    }
}

fn divisor(terms: &[Term]) -> i64 {
    let gcd = terms.iter().fold(0u64, |g, term| gcd(g, term.coef.unsigned_abs()));
    i64::try_from(gcd).unwrap_or(1).max(1)
}

fn gcd(mut a: u64, mut b: u64) -> u64 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}
