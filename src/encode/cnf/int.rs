//! Integer terms as literals: `= v` and `≥ v`, made when wanted, each defined both ways.
//!
//! Direct and order encoding with channelling: Walsh, SAT v CSP, CP 2000; Crawford and Baker 1994 (order).
//! Binary terms are in `bits`.

use super::EncodeError;
use super::encoder::{Ctx, FALSE, TRUE};
use crate::encode::Lit;
use crate::encode::symbols::Encoding;
use crate::model::{Atom, Cmp, Domain, Int, IntNode, Term, VarId, floor_div, floor_mod};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Terms with more values than this are told in binary only.
pub const MOST_VALUES: usize = 4096;

/// A term's possible values, ascending, each with the literal that says so; exactly one is true.
#[derive(Debug)]
pub struct View {
    pub values: Vec<i64>,
    pub lits: Vec<Lit>,
}

/// An operation on two values; `None` where the result leaves 64 bits.
type Arithmetic = fn(i64, i64) -> Option<i64>;

impl View {
    pub fn eq(&self, value: i64) -> Lit {
        self.values.binary_search(&value).map_or(FALSE, |at| self.lits[at])
    }

    pub fn iter(&self) -> impl Iterator<Item = (i64, Lit)> + '_ {
        self.values.iter().copied().zip(self.lits.iter().copied())
    }

    fn constant(value: i64) -> View {
        View { values: vec![value], lits: vec![TRUE] }
    }
}

impl Ctx<'_> {
    /// The named literal of a boolean or direct variable at a position.
    pub(super) fn is(&self, var: VarId, position: u32) -> Lit {
        let lit = match self.enc.encodings[var.0 as usize] {
            Encoding::Bool(lit) => lit,
            Encoding::Direct { first, .. } => first + position as Lit,
            Encoding::Order { .. } | Encoding::Binary { .. } => {
                unreachable!("only told by one literal a value")
            }
        };
        self.enc.norm(lit)
    }

    /// A literal for "the variable takes its value at `position`", whatever the encoding.
    pub(super) fn is_lit(&mut self, var: VarId, position: u32) -> Result<Lit, EncodeError> {
        if self.enc.gone.contains(&(var, position)) {
            return Ok(FALSE);
        }
        match self.enc.encodings[var.0 as usize] {
            Encoding::Bool(lit) => Ok(if position == 1 { lit } else { -lit }),
            Encoding::Direct { .. } => Ok(self.is(var, position)),
            Encoding::Order { first, size } => {
                // at most `position`, not at most `position - 1`
                let mut both = Vec::with_capacity(2);
                if position + 1 < size {
                    both.push(first + position as Lit);
                }
                if position > 0 {
                    both.push(-(first + position as Lit - 1));
                }
                self.and_lit(both)
            }
            Encoding::Binary { first, bits, .. } => {
                let lits = (0..bits).map(|bit| {
                    if position >> bit & 1 == 1 { first + bit as Lit } else { -(first + bit as Lit) }
                });
                self.and_lit(lits.collect::<Vec<_>>())
            }
        }
    }

    /// What ties the literals of each variable together.
    pub(super) fn domain_clauses(&mut self, var: VarId) -> Result<(), EncodeError> {
        let size = self.model.domain(var).size();
        if size == 0 {
            self.clause(&[]);
            return Ok(());
        }
        match self.enc.encodings[var.0 as usize] {
            Encoding::Bool(_) => Ok(()),
            Encoding::Direct { first, size } => {
                let lits: Vec<Lit> = (0..size as Lit).map(|i| self.enc.norm(first + i)).collect();
                if lits.contains(&TRUE) {
                    return Ok(());
                }
                let live: Vec<Lit> = lits.into_iter().filter(|lit| *lit != FALSE).collect();
                self.exactly_one(&live)
            }
            Encoding::Order { first, size } => {
                for i in 1..size as Lit - 1 {
                    self.clause(&[-(first + i - 1), first + i]);
                }
                // at most p, and not at most p - 1; at the ends the order literals are fixed already
                for p in 1..size.saturating_sub(1) {
                    if self.enc.gone.contains(&(var, p)) {
                        self.clause(&[-(first + p as Lit), first + p as Lit - 1]);
                    }
                }
                Ok(())
            }
            Encoding::Binary { first, bits, size } => {
                let live = |p: &u32| !self.enc.gone.contains(&(var, *p));
                let (least, most) =
                    ((0..size).find(live).unwrap_or(0), (0..size).rev().find(live).unwrap_or(size - 1));
                let holes: Vec<u32> = (least..most).filter(|p| !live(p)).collect();
                for bit in 0..bits {
                    // no pattern above `most`, none below `least`: the first bit that differs tells
                    for (end, sign) in [(most, -1), (least, 1)] {
                        let on = |b: u32| (end >> b & 1 == 1) == (sign < 0);
                        if !on(bit) {
                            let higher = (bit..bits).filter(|b| *b == bit || on(*b));
                            let clause: Vec<Lit> = higher.map(|b| sign * (first + b as Lit)).collect();
                            self.clause(&clause);
                        }
                    }
                }
                for hole in holes {
                    let other = |b: u32| if hole >> b & 1 == 1 { -1 } else { 1 };
                    let clause: Vec<Lit> = (0..bits).map(|b| other(b) * (first + b as Lit)).collect();
                    self.clause(&clause);
                }
                Ok(())
            }
        }
    }

    /// Literals of "position ≥ p" for p from 1.
    fn order(&mut self, var: VarId) -> Result<Rc<[Lit]>, EncodeError> {
        if let Some(known) = self.enc.orders.get(&var) {
            return Ok(known.clone());
        }
        let size = self.model.domain(var).size() as u32;
        let mut lits = vec![FALSE; size.saturating_sub(1) as usize];
        match self.enc.encodings[var.0 as usize] {
            Encoding::Order { first, .. } => {
                for p in 1..size {
                    lits[p as usize - 1] = -(first + p as Lit - 1);
                }
            }
            Encoding::Bool(_) | Encoding::Binary { .. } => {
                unreachable!("no order literals: a boolean has none, a binary number compares bit by bit")
            }
            Encoding::Direct { .. } => {
                let mut above = FALSE;
                for p in (1..size).rev() {
                    let here = self.is(var, p);
                    above = if p == 1 && self.is(var, 0) != FALSE {
                        -self.is(var, 0)
                    } else {
                        self.or_lit([here, above])?
                    };
                    lits[p as usize - 1] = above;
                }
            }
        }
        let lits: Rc<[Lit]> = lits.into();
        self.enc.orders.insert(var, lits.clone());
        Ok(lits)
    }

    fn binary_at_least(&mut self, first: Lit, bits: u32, bound: u32) -> Result<Lit, EncodeError> {
        let mut result = TRUE;
        for bit in 0..bits {
            let lit = first + bit as Lit;
            result = if bound >> bit & 1 == 1 {
                self.and_lit([lit, result])?
            } else {
                self.or_lit([lit, result])?
            };
        }
        Ok(result)
    }

    /// A literal for `int ≥ bound`.
    pub(super) fn ge_lit(&mut self, int: Int, bound: i64) -> Result<Lit, EncodeError> {
        let (lo, hi) = self.model.arena.bounds(int);
        if bound <= lo {
            return Ok(TRUE);
        }
        if bound > hi {
            return Ok(FALSE);
        }
        let model = self.model;
        match model.arena.int_node(int) {
            IntNode::Const(k) => Ok(if k >= bound { TRUE } else { FALSE }),
            IntNode::Var(var) => {
                let position = model.ints(var).partition_point(|value| *value < bound);
                if let Encoding::Binary { first, bits, .. } = self.enc.encodings[var.0 as usize] {
                    return self.binary_at_least(first, bits, position as u32);
                }
                match position {
                    0 => Ok(TRUE),
                    p => Ok(self.order(var)?.get(p - 1).copied().unwrap_or(FALSE)),
                }
            }
            IntNode::Max(parts) => {
                let lits: Result<Vec<Lit>, EncodeError> =
                    parts.iter().map(|part| self.ge_lit(*part, bound)).collect();
                self.or_lit(lits?)
            }
            IntNode::Min(parts) => {
                let lits: Result<Vec<Lit>, EncodeError> =
                    parts.iter().map(|part| self.ge_lit(*part, bound)).collect();
                self.and_lit(lits?)
            }
            IntNode::Abs(inner) => {
                let above = self.ge_lit(inner, bound)?;
                let below = -self.ge_lit(inner, 1 - bound)?;
                self.or_lit([above, below])
            }
            IntNode::Select(arms) => {
                let mut parts = Vec::with_capacity(arms.len());
                for (cond, value) in arms {
                    let cond = self.literal(*cond)?;
                    let value = self.ge_lit(*value, bound)?;
                    parts.push(self.and_lit([cond, value])?);
                }
                self.or_lit(parts)
            }
            IntNode::Linear { terms, constant } => {
                // Σ + c ≥ b is not (Σ ≤ b - c - 1)
                let Some(bound) = bound.checked_sub(constant).and_then(|b| b.checked_sub(1)) else {
                    return Err(EncodeError::TooLarge("bounds near the end of 64 bits".into()));
                };
                Ok(-self.sum_literal(terms, Cmp::Le, bound)?)
            }
            IntNode::Mul(..) | IntNode::Div(..) | IntNode::Mod(..) => match self.view(int) {
                Ok(view) => {
                    let lits: Vec<Lit> =
                        view.iter().filter(|(value, _)| *value >= bound).map(|(_, lit)| lit).collect();
                    self.or_lit(lits)
                }
                Err(EncodeError::TooLarge(_)) => {
                    let bits = self.bits_of(int)?;
                    self.bits_at_least(&bits, bound)
                }
                Err(stop) => Err(stop),
            },
        }
    }

    /// A literal for `int = value`.
    pub(super) fn eq_lit(&mut self, int: Int, value: i64) -> Result<Lit, EncodeError> {
        let (lo, hi) = self.model.arena.bounds(int);
        if value < lo || value > hi {
            return Ok(FALSE);
        }
        let model = self.model;
        match model.arena.int_node(int) {
            IntNode::Var(var) => match model.ints(var).binary_search(&value) {
                Ok(position) => self.is_lit(var, position as u32),
                Err(_) => Ok(FALSE),
            },
            IntNode::Linear { terms, constant } => {
                let Some(bound) = value.checked_sub(constant) else { return Ok(FALSE) };
                self.sum_literal(terms, Cmp::Eq, bound)
            }
            IntNode::Mul(..) | IntNode::Div(..) | IntNode::Mod(..) => match self.view(int) {
                Ok(view) => Ok(view.eq(value)),
                Err(EncodeError::TooLarge(_)) => {
                    let bits = self.bits_of(int)?;
                    self.bits_equal(&bits, value)
                }
                Err(stop) => Err(stop),
            },
            _ => {
                let above = self.ge_lit(int, value)?;
                let beyond = match value.checked_add(1) {
                    Some(next) => self.ge_lit(int, next)?,
                    None => FALSE,
                };
                self.and_lit([above, -beyond])
            }
        }
    }

    /// All values of a term with their literals; too large a term has none.
    pub(super) fn view(&mut self, int: Int) -> Result<Rc<View>, EncodeError> {
        if let Some(known) = self.enc.views.get(&int) {
            return Ok(known.clone());
        }
        let view = Rc::new(self.new_view(int)?);
        self.enc.views.insert(int, view.clone());
        Ok(view)
    }

    fn new_view(&mut self, int: Int) -> Result<View, EncodeError> {
        let model = self.model;
        let (a, b, f): (Int, Int, Arithmetic) = match model.arena.int_node(int) {
            IntNode::Const(k) => return Ok(View::constant(k)),
            IntNode::Var(var) => {
                let values = match model.domain(var) {
                    Domain::Ints(values) => values.clone(),
                    _ => return Err(EncodeError::TooLarge("a variable without numbers".into())),
                };
                if let Encoding::Binary { .. } = self.enc.encodings[var.0 as usize] {
                    few(values.len())?;
                }
                let mut view = View { values: Vec::new(), lits: Vec::new() };
                for (position, value) in values.iter().enumerate() {
                    let lit = self.is_lit(var, position as u32)?;
                    match self.enc.norm(lit) {
                        FALSE => {}
                        lit => {
                            view.values.push(*value);
                            view.lits.push(lit);
                        }
                    }
                }
                return Ok(view);
            }
            IntNode::Mul(a, b) if a == b => {
                let inner = self.view(a)?;
                let mut parts: BTreeMap<i64, Vec<Lit>> = BTreeMap::new();
                for (x, lit) in inner.iter() {
                    parts.entry(x.wrapping_mul(x)).or_default().push(lit);
                }
                return self.view_of(parts);
            }
            IntNode::Mul(a, b) => (a, b, |x, y| x.checked_mul(y)),
            IntNode::Div(a, b) => (a, b, |x, y| Some(floor_div(x, y).unwrap_or(0))),
            IntNode::Mod(a, b) => (a, b, |x, y| Some(floor_mod(x, y).unwrap_or(0))),
            _ => return self.view_by_values(int),
        };
        let (x, y) = (self.view(a)?, self.view(b)?);
        if x.values.len() * y.values.len() > 1 << 17 {
            return Err(EncodeError::TooLarge(format!(
                "{} × {} pairs of values",
                x.values.len(),
                y.values.len()
            )));
        }
        self.pairs(&x, &y, f)
    }

    /// `f(x, y)` from pairs of values: each pair implies its value, each value is supported.
    fn pairs(&mut self, x: &View, y: &View, f: Arithmetic) -> Result<View, EncodeError> {
        let mut table: BTreeMap<i64, Vec<(usize, usize)>> = BTreeMap::new();
        for (i, a) in x.values.iter().enumerate() {
            for (j, b) in y.values.iter().enumerate() {
                let value =
                    f(*a, *b).ok_or_else(|| EncodeError::TooLarge("a product outside 64 bits".into()))?;
                table.entry(value).or_default().push((i, j));
            }
        }
        few(table.len())?;
        self.step((x.values.len() * y.values.len()) as u64)?;
        let mut view = View { values: Vec::new(), lits: Vec::new() };
        for (value, pairs) in table {
            if x.values.len() * y.values.len() == pairs.len() {
                return Ok(View::constant(value));
            }
            let lit = self.fresh()?;
            let mut at = 0;
            while at < pairs.len() {
                let i = pairs[at].0;
                // lit and x = a leave the values of y that give it
                let mut support = vec![-lit, -x.lits[i]];
                while at < pairs.len() && pairs[at].0 == i {
                    let j = pairs[at].1;
                    self.clause(&[-x.lits[i], -y.lits[j], lit]);
                    support.push(y.lits[j]);
                    at += 1;
                }
                self.clause(&support);
            }
            // lit excludes the values of x that never give it
            let mut possible: Vec<usize> = pairs.iter().map(|pair| pair.0).collect();
            possible.dedup();
            for i in (0..x.values.len()).filter(|i| possible.binary_search(i).is_err()) {
                self.clause(&[-lit, -x.lits[i]]);
            }
            view.values.push(value);
            view.lits.push(lit);
        }
        Ok(view)
    }

    fn view_of(&mut self, parts: BTreeMap<i64, Vec<Lit>>) -> Result<View, EncodeError> {
        let mut view = View { values: Vec::new(), lits: Vec::new() };
        for (value, lits) in parts {
            let lit = self.or_lit(lits)?;
            if lit != FALSE {
                view.values.push(value);
                view.lits.push(lit);
            }
        }
        Ok(view)
    }

    /// The values a term may have, each with `eq_lit`.
    fn view_by_values(&mut self, int: Int) -> Result<View, EncodeError> {
        let values = self.values_of(int)?;
        let mut view = View { values: Vec::new(), lits: Vec::new() };
        for value in values {
            let lit = self.eq_lit(int, value)?;
            match self.enc.norm(lit) {
                FALSE => {}
                lit => {
                    view.values.push(value);
                    view.lits.push(lit);
                }
            }
        }
        Ok(view)
    }

    /// A superset of the values a term may have, ascending.
    fn values_of(&mut self, int: Int) -> Result<Vec<i64>, EncodeError> {
        let model = self.model;
        let mut values = match model.arena.int_node(int) {
            IntNode::Linear { terms, constant } => self.sum_values(terms, constant)?,
            IntNode::Abs(inner) => self.values_of(inner)?.into_iter().map(i64::wrapping_abs).collect(),
            IntNode::Min(parts) | IntNode::Max(parts) => {
                let mut all = Vec::new();
                for part in parts {
                    all.extend(self.values_of(*part)?);
                }
                all
            }
            IntNode::Select(arms) => {
                let mut all = Vec::new();
                for (_, part) in arms {
                    all.extend(self.values_of(*part)?);
                }
                all
            }
            _ => return Ok(self.view(int)?.values.clone()),
        };
        values.sort_unstable();
        values.dedup();
        let (lo, hi) = model.arena.bounds(int);
        values.retain(|value| (lo..=hi).contains(value));
        few(values.len())?;
        Ok(values)
    }

    fn sum_values(&mut self, terms: &[Term], constant: i64) -> Result<Vec<i64>, EncodeError> {
        let mut sums = vec![constant];
        for term in terms {
            let values = match term.atom {
                Atom::Bool(_) => vec![0, 1],
                Atom::Int(int) => self.values_of(int)?,
            };
            let mut next = Vec::with_capacity(sums.len() * values.len());
            for sum in &sums {
                for value in &values {
                    next.push(sum.wrapping_add(value.wrapping_mul(term.coef)));
                }
            }
            next.sort_unstable();
            next.dedup();
            few(next.len())?;
            sums = next;
        }
        Ok(sums)
    }

    /// A literal for `x = y + offset`.
    pub(super) fn equal_views(&mut self, x: &View, y: &View, offset: i64) -> Result<Lit, EncodeError> {
        let common = x.values.iter().any(|value| value.checked_sub(offset).is_some_and(|v| y.eq(v) != FALSE));
        if !common {
            return Ok(FALSE);
        }
        let same = self.fresh()?;
        for (value, lit) in x.iter() {
            let other = value.checked_sub(offset).map_or(FALSE, |value| y.eq(value));
            self.clause(&[-same, -lit, other]);
            self.clause(&[same, -lit, -other]);
        }
        for (value, lit) in y.iter() {
            let other = value.checked_add(offset).map_or(FALSE, |value| x.eq(value));
            self.clause(&[-same, -lit, other]);
        }
        Ok(same)
    }
}

fn few(n: usize) -> Result<(), EncodeError> {
    if n > MOST_VALUES { Err(EncodeError::TooLarge(format!("a term of {n} values"))) } else { Ok(()) }
}
