//! Integer terms: constructors that fold constants and keep bounds.

use super::{Arena, Atom, Bool, Int, IntNode, Op, Overflow, Pool, Term, floor_div, floor_mod};
use crate::model::VarId;

impl Arena {
    pub fn constant(&mut self, value: i64) -> Int {
        self.int(Op::Const, 0, 0, value, Pool::Nothing, (value, value))
    }

    pub fn as_const(&self, term: Int) -> Option<i64> {
        match self.int_node(term) {
            IntNode::Const(value) => Some(value),
            _ => None,
        }
    }

    /// See [`super::Model::var_int`], which knows the bounds.
    pub(in crate::model) fn var_int(&mut self, var: VarId, lo: i64, hi: i64) -> Int {
        self.int(Op::IVar, var.0, 0, 0, Pool::Nothing, (lo, hi))
    }

    /// `Σ terms + constant`.
    pub fn sum(&mut self, terms: Vec<Term>, constant: i64) -> Result<Int, Overflow> {
        let (terms, more) = self.normal(terms)?;
        let constant = constant.checked_add(more).ok_or(Overflow)?;
        let bounds = self.sum_bounds(&terms, constant)?;
        match terms[..] {
            [] => Ok(self.constant(constant)),
            [Term { coef: 1, atom: Atom::Int(int) }] if constant == 0 => Ok(int),
            _ => Ok(self.int(Op::Sum, 0, terms.len() as u32, constant, Pool::Terms(&terms), bounds)),
        }
    }

    pub fn mul(&mut self, a: Int, b: Int) -> Result<Int, Overflow> {
        match (self.as_const(a), self.as_const(b)) {
            (Some(coef), _) => return self.sum(vec![Term { coef, atom: Atom::Int(b) }], 0),
            (_, Some(coef)) => return self.sum(vec![Term { coef, atom: Atom::Int(a) }], 0),
            _ => {}
        }
        let ((al, ah), (bl, bh)) = (self.bounds(a), self.bounds(b));
        let mut corners = [0i64; 4];
        for (corner, (x, y)) in corners.iter_mut().zip([(al, bl), (al, bh), (ah, bl), (ah, bh)]) {
            *corner = x.checked_mul(y).ok_or(Overflow)?;
        }
        let mut lo = corners.iter().copied().min().unwrap_or(0);
        let hi = corners.iter().copied().max().unwrap_or(0);
        if a == b {
            lo = lo.max(0);
        }
        let (a, b) = (a.min(b), a.max(b));
        Ok(self.int(Op::Mul, a.0, b.0, 0, Pool::Nothing, (lo, hi)))
    }

    /// Floor division. The caller ensures that the divisor is not 0 if the value matters.
    pub fn div(&mut self, a: Int, b: Int) -> Result<Int, Overflow> {
        if let (Some(x), Some(y)) = (self.as_const(a), self.as_const(b)) {
            let value = floor_div(x, y).ok_or(Overflow)?;
            return Ok(self.constant(value));
        }
        if self.as_const(b) == Some(1) {
            return Ok(a);
        }
        let (lo, hi) = self.bounds(a);
        let reach = lo.checked_neg().ok_or(Overflow)?.max(hi).max(0);
        let bounds = match self.bounds(b) {
            (bl, _) if bl > 0 => {
                (if lo < 0 { lo } else { 0 }.min(lo), hi.max(0).max(if hi < 0 { -1 } else { 0 }))
            }
            _ => (-reach, reach),
        };
        Ok(self.int(Op::Div, a.0, b.0, 0, Pool::Nothing, bounds))
    }

    pub fn modulo(&mut self, a: Int, b: Int) -> Result<Int, Overflow> {
        if let (Some(x), Some(y)) = (self.as_const(a), self.as_const(b)) {
            return Ok(self.constant(floor_mod(x, y).ok_or(Overflow)?));
        }
        let (bl, bh) = self.bounds(b);
        let reach = bl.checked_neg().ok_or(Overflow)?.max(bh).max(1);
        let bounds = (if bl < 0 { 1 - reach } else { 0 }, if bh > 0 { reach - 1 } else { 0 });
        Ok(self.int(Op::Mod, a.0, b.0, 0, Pool::Nothing, bounds))
    }

    /// The smallest; `parts` is not empty.
    pub fn min(&mut self, parts: &[Int]) -> Int {
        self.extreme(Op::Min, parts)
    }

    /// The largest; `parts` is not empty.
    pub fn max(&mut self, parts: &[Int]) -> Int {
        self.extreme(Op::Max, parts)
    }

    fn extreme(&mut self, op: Op, parts: &[Int]) -> Int {
        assert!(!parts.is_empty(), "min and max of nothing are refused by the evaluator");
        let mut list: Vec<Int> = parts.to_vec();
        list.sort_unstable();
        list.dedup();
        if let [one] = list[..] {
            return one;
        }
        let fold = |f: fn(i64, i64) -> i64, pick: fn((i64, i64)) -> i64| {
            list.iter().map(|part| pick(self.bounds[part.index()])).reduce(f).unwrap_or(0)
        };
        let bounds = match op {
            Op::Min => (fold(i64::min, |b| b.0), fold(i64::min, |b| b.1)),
            _ => (fold(i64::max, |b| b.0), fold(i64::max, |b| b.1)),
        };
        if bounds.0 == bounds.1 {
            return self.constant(bounds.0);
        }
        self.int(op, 0, list.len() as u32, 0, Pool::Ints(&list), bounds)
    }

    pub fn abs(&mut self, a: Int) -> Result<Int, Overflow> {
        let (lo, hi) = self.bounds(a);
        if lo >= 0 {
            return Ok(a);
        }
        let minus = lo.checked_neg().ok_or(Overflow)?;
        let bounds = (if hi < 0 { -hi } else { 0 }, minus.max(hi));
        if hi <= 0 {
            return self.sum(vec![Term { coef: -1, atom: Atom::Int(a) }], 0);
        }
        Ok(self.int(Op::Abs, a.0, 0, 0, Pool::Nothing, bounds))
    }

    /// The value of the arm whose condition holds. Precondition: exactly one condition holds.
    pub fn select(&mut self, arms: &[(Bool, Int)]) -> Int {
        let live: Vec<(Bool, Int)> = arms.iter().copied().filter(|arm| arm.0 != Bool::FALSE).collect();
        assert!(!live.is_empty(), "a selection needs an arm");
        if let Some((_, value)) = live.iter().find(|arm| arm.0 == Bool::TRUE) {
            return *value;
        }
        let mut merged: Vec<(Bool, Int)> = Vec::new();
        let mut sorted = live;
        sorted.sort_unstable_by_key(|arm| (arm.1, arm.0));
        for (cond, value) in sorted {
            match merged.last_mut() {
                Some(last) if last.1 == value => last.0 = self.or2(last.0, cond),
                _ => merged.push((cond, value)),
            }
        }
        if let [(_, value)] = merged[..] {
            return value;
        }
        let lo = merged.iter().map(|arm| self.bounds(arm.1).0).min().unwrap_or(0);
        let hi = merged.iter().map(|arm| self.bounds(arm.1).1).max().unwrap_or(0);
        self.int(Op::Select, 0, merged.len() as u32, 0, Pool::Arms(&merged), (lo, hi))
    }
}
