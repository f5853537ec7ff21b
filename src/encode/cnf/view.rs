//! Direct views: all values of an integer term, each with a literal that is equivalent to "the term has this value".
//!
//! In: an integer term. Out: a [`View`]; an error if the term has too many values. Products and quotients are encoded
//! by pairs of values, selections arm by arm (support encoding: Gent, Arc consistency in SAT, ECAI 2002), other terms
//! value by value.

use super::EncodeError;
use super::diagram::MOST_EDGES;
use super::emitter::Emitter;
use super::encoder::{FALSE, TRUE};
use super::sum::MANY_EDGES;
use crate::encode::Lit;
use crate::encode::symbols::Encoding;
use crate::model::{Atom, Bool, Domain, Int, IntNode, Term, floor_div, floor_mod};
use std::collections::BTreeMap;
use std::rc::Rc;

/// Terms with more values than this are encoded in binary only.
pub const MOST_VALUES: usize = 4096;
/// So are sums for which (values of the sum) · (values of all its terms) is more than this.
const MOST_LITERALS: usize = 1 << 22;

/// The possible values of a term, ascending, each with its literal; exactly one literal is true.
#[derive(Debug)]
pub struct View {
    pub values: Vec<i64>,
    pub lits: Vec<Lit>,
}

/// An operation on two values; `None` if the result does not fit in 64 bits.
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

impl Emitter<'_> {
    /// All values of a term with their literals; fails with `TooLarge` if there are too many.
    pub(super) fn view(&mut self, int: Int) -> Result<Rc<View>, EncodeError> {
        if let Some(known) = self.enc.views.get(&int) {
            return Ok(known.clone());
        }
        let view = Rc::new(self.unconditionally(|this| this.new_view(int))?);
        self.enc.views.insert(int, view.clone());
        Ok(view)
    }

    /// Like [`Emitter::view`], but `None` if there are too many values.
    pub(super) fn small_view(&mut self, int: Int) -> Result<Option<Rc<View>>, EncodeError> {
        match self.view(int) {
            Ok(view) => Ok(Some(view)),
            Err(EncodeError::TooLarge(_)) => Ok(None),
            Err(stop) => Err(stop),
        }
    }

    pub(super) fn small_views(
        &mut self,
        x: Int,
        y: Int,
    ) -> Result<Option<(Rc<View>, Rc<View>)>, EncodeError> {
        let Some(x) = self.small_view(x)? else { return Ok(None) };
        Ok(self.small_view(y)?.map(|y| (x, y)))
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
            IntNode::Select(arms) => return self.selection(arms),
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

    /// `f(x, y)` from pairs of values: each pair implies its value, and each value implies its supports.
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
                // the result and x = a imply a value of y that supports the result
                let mut support = vec![-lit, -x.lits[i]];
                while at < pairs.len() && pairs[at].0 == i {
                    let j = pairs[at].1;
                    self.clause(&[-x.lits[i], -y.lits[j], lit]);
                    support.push(y.lits[j]);
                    at += 1;
                }
                self.clause(&support);
            }
            // the result excludes the values of x that do not support it
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

    /// The arm whose condition holds gives the value: the condition implies that both views have equal literals.
    fn selection(&mut self, arms: &[(Bool, Int)]) -> Result<View, EncodeError> {
        let mut live: Vec<(Lit, Rc<View>)> = Vec::with_capacity(arms.len());
        for (cond, value) in arms {
            let cond = self.literal(*cond)?;
            match self.enc.norm(cond) {
                FALSE => {}
                cond => live.push((cond, self.view(*value)?)),
            }
        }
        let mut values: Vec<i64> = live.iter().flat_map(|(_, arm)| arm.values.iter().copied()).collect();
        values.sort_unstable();
        values.dedup();
        few(values.len())?;
        self.step((values.len() * live.len()) as u64)?;
        if live.iter().all(|(_, arm)| arm.values.len() == 1) {
            let mut parts: BTreeMap<i64, Vec<Lit>> = BTreeMap::new();
            live.iter().for_each(|(cond, arm)| parts.entry(arm.values[0]).or_default().push(*cond));
            return self.view_of(parts);
        }
        let mut view = View { values: Vec::new(), lits: Vec::new() };
        for value in values {
            let lit = self.fresh()?;
            for (cond, arm) in &live {
                let there = arm.eq(value);
                self.clause(&[-cond, -there, lit]);
                self.clause(&[-cond, there, -lit]);
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

    /// The possible values of a term, each with its `eq_lit`.
    fn view_by_values(&mut self, int: Int) -> Result<View, EncodeError> {
        let values = self.values_of(int)?;
        if let IntNode::Linear { terms, .. } = self.model.arena.int_node(int) {
            if let Some(lits) = self.tied_to_sum(int, &values)? {
                return Ok(View { values, lits });
            }
            // each value becomes a separate sum constraint
            let mut width = 0;
            for term in terms {
                width += match term.atom {
                    Atom::Bool(_) => 2,
                    Atom::Int(inner) => self.view(inner)?.values.len(),
                };
            }
            if values.len() * width > MOST_LITERALS {
                return Err(EncodeError::TooLarge(format!("{} values of a sum", values.len())));
            }
        }
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

    /// A superset of the possible values of a term, ascending.
    fn values_of(&mut self, int: Int) -> Result<Vec<i64>, EncodeError> {
        let model = self.model;
        let mut values = match model.arena.int_node(int) {
            IntNode::Linear { terms, constant } => self.sum_values(terms, constant)?,
            IntNode::Area(..) => {
                let (lo, hi) = model.arena.bounds(int);
                few((hi - lo) as usize + 1)?;
                (lo..=hi).collect()
            }
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
        let mut edges = 0;
        for term in terms {
            let values = match term.atom {
                Atom::Bool(_) => vec![0, 1],
                Atom::Int(int) => self.values_of(int)?,
            };
            edges += sums.len() * values.len();
            if edges > MANY_EDGES {
                return Err(EncodeError::TooLarge(format!("a sum of {} terms", terms.len())));
            }
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
        // each value needs its own walk through the diagram, although the diagrams share nodes
        if edges * sums.len() > MOST_EDGES {
            return Err(EncodeError::TooLarge(format!("a sum of {} terms", terms.len())));
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
