//! Linear sums: `Σ terms ⋈ bound`, asserted or reified.
//!
//! In: terms, comparison, bound. Out: clauses or linear constraints; or one literal. Items are one-hot groups (the
//! possible contributions of a term), so that an encoding treats a variable of n values as one item and not as n
//! weights. Cardinalities go to `card`, binary adders to `bits`.

use super::card::Wanted;
use super::diagram::{Item, MOST_EDGES, Sum, suffixes};
use super::emitter::Emitter;
use super::encoder::{FALSE, TRUE};
use super::{EncodeError, SumEncoding};
use crate::encode::{Lit, Weighted};
use crate::model::{Atom, Bool, Cmp, Int, Term};

/// Above this many edges `Auto` uses an adder: it propagates less than a diagram but stays small.
pub(super) const MANY_EDGES: usize = 500_000;

impl Emitter<'_> {
    /// Asserts the sum.
    pub(super) fn assert_sum(&mut self, terms: &[Term], cmp: Cmp, bound: i64) -> Result<(), EncodeError> {
        if let [Term { coef: 1, atom: Atom::Int(_) }] = terms
            && (cmp == Cmp::Eq || !self.takes_linear())
        {
            let lit = self.sum_literal(terms, cmp, bound)?;
            self.clause(&[lit]);
            return Ok(());
        }
        if let Some(sum) = self.whole_sum(terms)? {
            self.chose("sum", "linear");
            return self.emit(&sum, cmp, bound);
        }
        if let Some((x, y)) = difference(terms) {
            return self.assert_difference(x, y, cmp, bound);
        }
        if let Some((lits, k)) = self.cardinality(terms, bound)? {
            return match cmp {
                Cmp::Eq => self.assert_card(&lits, Wanted::Exactly, k),
                Cmp::Le => self.assert_card(&lits, Wanted::AtMost, k),
            };
        }
        let Some(sum) = self.sum(terms, cmp, bound)? else { return self.assert_bits(terms, cmp, bound) };
        let how = self.how(&sum);
        match how {
            SumEncoding::Table => {
                self.chose("sum", "table");
                self.table(&sum)
            }
            SumEncoding::Adder => self.assert_bits(terms, cmp, bound),
            SumEncoding::Order if cmp == Cmp::Eq => {
                self.chose("sum", "order");
                let lit = self.order_equal(terms, bound)?;
                self.clause(&[lit]);
                Ok(())
            }
            _ => {
                self.chose("sum", if how == SumEncoding::Order { "order" } else { "dd" });
                self.assert_diagram(terms.to_vec(), &sum)
            }
        }
    }

    /// The weighted sum, if it is emitted as a linear constraint. Counts are excluded: they have their own option.
    pub(super) fn whole_sum(&mut self, terms: &[Term]) -> Result<Option<Weighted>, EncodeError> {
        let count = |term: &Term| matches!(term, Term { coef: 1 | -1, atom: Atom::Bool(_) });
        if self.enc.options.sum != SumEncoding::Auto || !self.takes_linear() || terms.iter().all(count) {
            return Ok(None);
        }
        self.weigh(terms)
    }

    /// Asserts `Σ terms ≠ bound`; `term` is the negated equality.
    pub(super) fn assert_not_equal(
        &mut self,
        terms: &[Term],
        bound: i64,
        term: Bool,
    ) -> Result<(), EncodeError> {
        if difference(terms).is_some() {
            return self.not_equal(terms, bound);
        }
        let lit = self.literal(term)?;
        self.clause(&[lit]);
        Ok(())
    }

    /// Asserts `x - y ≠ bound`: one clause for each common value.
    pub(super) fn not_equal(&mut self, terms: &[Term], bound: i64) -> Result<(), EncodeError> {
        let Some((x, y)) = difference(terms) else { return Ok(()) };
        match self.small_views(x, y)? {
            Some((x, y)) => {
                self.chose("x ≠ y", "conflicts");
                for (value, lit) in x.iter() {
                    let other = value.checked_sub(bound).map_or(FALSE, |value| y.eq(value));
                    if other != FALSE {
                        self.clause(&[-lit, -other]);
                    }
                }
                Ok(())
            }
            None => {
                let lit = self.bits_compare(terms, Cmp::Eq, bound)?;
                self.clause(&[-lit]);
                Ok(())
            }
        }
    }

    fn assert_difference(&mut self, x: Int, y: Int, cmp: Cmp, bound: i64) -> Result<(), EncodeError> {
        let Some((xv, yv)) = self.small_views(x, y)? else {
            let terms = [Term { coef: 1, atom: Atom::Int(x) }, Term { coef: -1, atom: Atom::Int(y) }];
            return self.assert_bits(&terms, cmp, bound);
        };
        self.step((xv.values.len() + yv.values.len()) as u64)?;
        match cmp {
            Cmp::Eq => {
                self.chose("x = y", "supports");
                for (value, lit) in xv.iter() {
                    let other = value.checked_sub(bound).map_or(FALSE, |value| yv.eq(value));
                    self.clause(&[-lit, other]);
                }
                for (value, lit) in yv.iter() {
                    let other = value.checked_add(bound).map_or(FALSE, |value| xv.eq(value));
                    self.clause(&[-lit, other]);
                }
            }
            Cmp::Le if xv.values.len() * yv.values.len() <= 1024 => {
                self.chose("x ≤ y", "supports");
                // x = a implies y ≥ a - bound; y = b implies x ≤ b + bound
                for (value, lit) in xv.iter() {
                    let least = i128::from(value) - i128::from(bound);
                    let mut clause: Vec<Lit> =
                        yv.iter().filter(|(v, _)| i128::from(*v) >= least).map(|(_, l)| l).collect();
                    if clause.len() < yv.values.len() {
                        clause.push(-lit);
                        self.clause(&clause);
                    }
                }
                for (value, lit) in yv.iter() {
                    let most = i128::from(value) + i128::from(bound);
                    let mut clause: Vec<Lit> =
                        xv.iter().filter(|(v, _)| i128::from(*v) <= most).map(|(_, l)| l).collect();
                    if clause.len() < xv.values.len() {
                        clause.push(-lit);
                        self.clause(&clause);
                    }
                }
            }
            Cmp::Le => {
                self.chose("x ≤ y", "order");
                for (value, lit) in xv.iter() {
                    let at_least = self.at_least_lit(y, i128::from(value) - i128::from(bound))?;
                    self.clause(&[-lit, at_least]);
                }
            }
        }
        Ok(())
    }

    /// A literal that is equivalent to `Σ terms ⋈ bound`.
    pub(super) fn sum_literal(&mut self, terms: &[Term], cmp: Cmp, bound: i64) -> Result<Lit, EncodeError> {
        if let [Term { coef: 1, atom: Atom::Int(int) }] = terms {
            return match cmp {
                Cmp::Eq => self.eq_lit(*int, bound),
                Cmp::Le => match bound.checked_add(1) {
                    Some(above) => Ok(-self.ge_lit(*int, above)?),
                    None => Ok(TRUE),
                },
            };
        }
        if cmp == Cmp::Le
            && let Some(sum) = self.whole_sum(terms)?
        {
            self.chose("sum, reified", "linear");
            return self.emit_literal(&sum, cmp, bound);
        }
        if let Some((x, y)) = difference(terms) {
            return self.difference_literal(terms, x, y, cmp, bound);
        }
        if let Some(sum) = self.whole_sum(terms)? {
            self.chose("sum, reified", "linear");
            return self.emit_literal(&sum, cmp, bound);
        }
        if let Some((lits, k)) = self.cardinality(terms, bound)? {
            return match cmp {
                Cmp::Eq => self.card_literal(&lits, Wanted::Exactly, k),
                Cmp::Le => self.card_literal(&lits, Wanted::AtMost, k),
            };
        }
        let Some(sum) = self.sum(terms, cmp, bound)? else { return self.bits_compare(terms, cmp, bound) };
        match self.enc.options.sum {
            SumEncoding::Adder => self.bits_compare(terms, cmp, bound),
            SumEncoding::Order if cmp == Cmp::Eq => {
                self.chose("sum, reified", "order");
                self.order_equal(terms, bound)
            }
            _ => {
                self.chose("sum, reified", "dd");
                self.diagram_literal(terms.to_vec(), &sum)
            }
        }
    }

    fn difference_literal(
        &mut self,
        terms: &[Term],
        x: Int,
        y: Int,
        cmp: Cmp,
        bound: i64,
    ) -> Result<Lit, EncodeError> {
        let Some((xv, yv)) = self.small_views(x, y)? else { return self.bits_compare(terms, cmp, bound) };
        if cmp == Cmp::Eq {
            return self.equal_views(&xv, &yv, bound);
        }
        let less = self.fresh()?;
        for (value, lit) in xv.iter() {
            // x = a implies (less ↔ y ≥ a - bound)
            let at_least = self.at_least_lit(y, i128::from(value) - i128::from(bound))?;
            self.clause(&[-less, -lit, at_least]);
            self.clause(&[less, -lit, -at_least]);
        }
        Ok(less)
    }

    /// A literal for `int ≥ least`; `least` may exceed 64 bits.
    fn at_least_lit(&mut self, int: Int, least: i128) -> Result<Lit, EncodeError> {
        match i64::try_from(least) {
            Ok(least) => self.ge_lit(int, least),
            Err(_) => Ok(if least > 0 { FALSE } else { TRUE }),
        }
    }

    /// A literal for `Σ terms = bound`: at most `bound`, and not at most `bound - 1`.
    fn order_equal(&mut self, terms: &[Term], bound: i64) -> Result<Lit, EncodeError> {
        let at_most = self.sum_literal(terms, Cmp::Le, bound)?;
        let below = match bound.checked_sub(1) {
            Some(below) => self.sum_literal(terms, Cmp::Le, below)?,
            None => FALSE,
        };
        self.and_lit([at_most, -below])
    }

    /// The one-hot items of a sum; constants move into the bound. `None` if a term is too large.
    fn sum(&mut self, terms: &[Term], cmp: Cmp, bound: i64) -> Result<Option<Sum>, EncodeError> {
        let mut bound = i128::from(bound);
        let mut items: Vec<Item> = Vec::with_capacity(terms.len());
        // all partial sums must fit into 64 bits; only adders are wider
        let mut reach = bound.abs();
        for term in terms {
            let (lo, hi) = self.model.arena.atom_bounds(term.atom);
            reach += i128::from(term.coef).abs() * i128::from(lo).abs().max(i128::from(hi).abs());
            if reach > i128::from(i64::MAX) {
                return Ok(None);
            }
            let item: Item = match term.atom {
                Atom::Bool(b) => {
                    let lit = self.literal(b)?;
                    match self.enc.norm(lit) {
                        TRUE => vec![(term.coef, TRUE)],
                        FALSE => vec![(0, TRUE)],
                        lit => vec![(0, -lit), (term.coef, lit)],
                    }
                }
                Atom::Int(int) => match self.small_view(int)? {
                    Some(view) => view.iter().map(|(value, lit)| (value * term.coef, lit)).collect(),
                    None => return Ok(None),
                },
            };
            match item[..] {
                [(value, _)] => bound -= i128::from(value),
                _ => items.push(item),
            }
        }
        let Ok(bound) = i64::try_from(bound) else { return Ok(None) };
        // wide items first: then the remaining sums are few
        items.sort_by_key(|item| {
            std::cmp::Reverse(item.iter().map(|(value, _)| value.unsigned_abs()).max().unwrap_or(0))
        });
        let most = if self.enc.options.sum == SumEncoding::Auto { MANY_EDGES } else { MOST_EDGES };
        Ok(suffixes(&items, bound, most).map(|suffix| Sum { items: items.into(), suffix, cmp, bound }))
    }

    fn how(&self, sum: &Sum) -> SumEncoding {
        match self.enc.options.sum {
            SumEncoding::Auto => {
                let short = sum.items.len() <= 3 && sum.items.iter().map(Vec::len).product::<usize>() <= 1000;
                if short { SumEncoding::Table } else { SumEncoding::Dd }
            }
            SumEncoding::Table => {
                let tuples = sum.items.iter().try_fold(1usize, |n, item| n.checked_mul(item.len()));
                if tuples.is_some_and(|tuples| tuples <= 100_000) {
                    SumEncoding::Table
                } else {
                    SumEncoding::Dd
                }
            }
            chosen => chosen,
        }
    }

    /// One clause for every tuple of all items but the last: the tuple implies that the last item has a fitting value.
    fn table(&mut self, sum: &Sum) -> Result<(), EncodeError> {
        let Some((last, others)) = sum.items.split_last() else {
            let holds = match sum.cmp {
                Cmp::Eq => sum.bound == 0,
                Cmp::Le => sum.bound >= 0,
            };
            if !holds {
                self.clause(&[]);
            }
            return Ok(());
        };
        let mut at = vec![0usize; others.len()];
        loop {
            self.step(1)?;
            let rest = others
                .iter()
                .zip(&at)
                .fold(i128::from(sum.bound), |rest, (item, i)| rest - i128::from(item[*i].0));
            let mut clause: Vec<Lit> = others.iter().zip(&at).map(|(item, i)| -item[*i].1).collect();
            let fits = |value: i64| match sum.cmp {
                Cmp::Eq => i128::from(value) == rest,
                Cmp::Le => i128::from(value) <= rest,
            };
            if !last.iter().all(|(value, _)| fits(*value)) {
                clause.extend(last.iter().filter(|(value, _)| fits(*value)).map(|(_, lit)| *lit));
                self.clause(&clause);
            }
            let Some(next) = (0..at.len()).rev().find(|i| at[*i] + 1 < others[*i].len()) else {
                return Ok(());
            };
            at[next] += 1;
            at[next + 1..].fill(0);
        }
    }
}

/// `x` and `y`, if the terms are `x - y`.
fn difference(terms: &[Term]) -> Option<(Int, Int)> {
    match terms {
        [Term { coef: 1, atom: Atom::Int(x) }, Term { coef: -1, atom: Atom::Int(y) }] => Some((*x, *y)),
        [Term { coef: -1, atom: Atom::Int(y) }, Term { coef: 1, atom: Atom::Int(x) }] => Some((*x, *y)),
        _ => None,
    }
}
