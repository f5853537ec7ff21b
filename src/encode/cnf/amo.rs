//! At-most-one constraints.
//!
//! In: literals. Out: clauses, or one linear constraint if the sink takes it.
//!
//! Pairwise; ladder (Gent and Nightingale 2004, both directions); product (Chen 2010) and commander (Klieber
//! and Kwon 2007, groups of three). Product and commander also have the reverse clauses `auxiliary → some literal of
//! its group`, so that auxiliary variables are determined.

use super::emitter::Emitter;
use super::encoder::PLAIN;
use super::{Amo, EncodeError};
use crate::encode::Lit;
use crate::model::Cmp;

impl Emitter<'_> {
    /// Asserts exactly one of the literals, none of which is fixed.
    pub(super) fn exactly_one(&mut self, lits: &[Lit]) -> Result<(), EncodeError> {
        if lits.len() > 1 && self.emits_group(lits, Cmp::Eq)? {
            return Ok(());
        }
        self.clause(lits);
        self.at_most_one(lits)
    }

    /// Emits `Σ lits ⋈ 1` as a linear constraint if the sink and the options allow it.
    fn emits_group(&mut self, lits: &[Lit], cmp: Cmp) -> Result<bool, EncodeError> {
        if self.enc.options.amo != Amo::Auto || !self.takes_linear() {
            return Ok(false);
        }
        let Some(sum) = self.weigh_literals(lits) else { return Ok(false) };
        self.chose(if cmp == Cmp::Eq { "exactly one" } else { "at most one" }, "linear");
        self.emit(&sum, cmp, 1)?;
        Ok(true)
    }

    /// Asserts at most one of the literals, none of which is fixed.
    pub(super) fn at_most_one(&mut self, lits: &[Lit]) -> Result<(), EncodeError> {
        let n = lits.len();
        if n < 2 {
            return Ok(());
        }
        self.step(n as u64)?;
        if self.emits_group(lits, Cmp::Le)? {
            return Ok(());
        }
        if repeats(lits) {
            // a repeated variable: `clause` simplifies
            for (i, a) in lits.iter().enumerate() {
                for b in &lits[i + 1..] {
                    self.clause(&[-a, -b]);
                }
            }
            return Ok(());
        }
        let how = match self.enc.options.amo {
            Amo::Auto if self.enc.pairwise_fits => Amo::Pairwise,
            Amo::Auto => shortest(n).0,
            chosen => chosen,
        };
        let outer = self.charge(PLAIN);
        let emitted = match how {
            Amo::Ladder if n > 3 => {
                self.chose("at most one", "ladder");
                self.ladder(lits)
            }
            Amo::Product if n > 6 => {
                self.chose("at most one", "product");
                self.product(lits)
            }
            Amo::Commander if n > 6 => {
                self.chose("at most one", "commander");
                self.commander(lits)
            }
            _ => {
                self.chose("at most one", "pairwise");
                self.plain_pairwise(lits);
                Ok(())
            }
        };
        self.charge(outer);
        emitted
    }

    /// Ladder: `s_i` is true if and only if one of the first i literals is.
    fn ladder(&mut self, lits: &[Lit]) -> Result<(), EncodeError> {
        let mut before = lits[0];
        for (i, lit) in lits.iter().enumerate().skip(1) {
            self.clause(&[-before, -*lit]);
            if i + 1 < lits.len() {
                let so_far = self.fresh()?;
                self.clause(&[-before, so_far]);
                self.clause(&[-*lit, so_far]);
                self.clause(&[-so_far, before, *lit]);
                before = so_far;
            }
        }
        Ok(())
    }

    /// Product: a literal for each row and column of a near-square table; at most one row and one column.
    fn product(&mut self, lits: &[Lit]) -> Result<(), EncodeError> {
        let n = lits.len();
        let columns = columns(n);
        let rows = n.div_ceil(columns);
        let mut across = Vec::with_capacity(rows);
        let mut down = Vec::with_capacity(columns);
        for _ in 0..rows {
            across.push(self.fresh()?);
        }
        for _ in 0..columns {
            down.push(self.fresh()?);
        }
        for (i, lit) in lits.iter().enumerate() {
            self.plain_clause(&[-lit, across[i / columns]]);
            self.plain_clause(&[-lit, down[i % columns]]);
        }
        let mut group = Vec::with_capacity(columns + 1);
        for (row, aux) in across.iter().enumerate() {
            group.clear();
            group.push(-aux);
            group.extend_from_slice(&lits[row * columns..((row + 1) * columns).min(n)]);
            self.plain_clause(&group);
        }
        for (column, aux) in down.iter().enumerate() {
            group.clear();
            group.push(-aux);
            group.extend(lits.iter().skip(column).step_by(columns));
            self.plain_clause(&group);
        }
        self.at_most_one(&across)?;
        self.at_most_one(&down)
    }

    /// Commander: one auxiliary variable for every three literals; at most one of these is true.
    fn commander(&mut self, lits: &[Lit]) -> Result<(), EncodeError> {
        let mut commanders = Vec::with_capacity(lits.len().div_ceil(3));
        for group in lits.chunks(3) {
            if let [one] = group {
                commanders.push(*one);
                continue;
            }
            let aux = self.fresh()?;
            self.plain_pairwise(group);
            let mut some = vec![-aux];
            some.extend_from_slice(group);
            self.plain_clause(&some);
            for lit in group {
                self.plain_clause(&[-lit, aux]);
            }
            commanders.push(aux);
        }
        self.at_most_one(&commanders)
    }
}

/// Does a variable occur twice?
fn repeats(lits: &[Lit]) -> bool {
    if lits.is_sorted_by(|a, b| a.abs() < b.abs()) {
        return false;
    }
    let mut variables: Vec<Lit> = lits.iter().map(|lit| lit.abs()).collect();
    variables.sort_unstable();
    variables.windows(2).any(|pair| pair[0] == pair[1])
}

/// The smallest encoding for n literals, and its approximate size in half literals; the end of a clause counts as one
/// literal.
fn shortest(n: usize) -> (Amo, usize) {
    let pairwise = (Amo::Pairwise, 5 * n * n.saturating_sub(1) / 2);
    if n <= 6 {
        return pairwise;
    }
    let columns = columns(n);
    let rows = n.div_ceil(columns);
    let product = 10 * n + 4 * n + 3 * (rows + columns) + shortest(rows).1 + shortest(columns).1;
    // a full group: three pairs, three implications, one clause of four
    let commander = 39 * (n / 3) + if n % 3 == 2 { 5 + 10 + 7 } else { 0 } + shortest(n.div_ceil(3)).1;
    [pairwise, (Amo::Product, product), (Amo::Commander, commander)]
        .into_iter()
        .min_by_key(|(_, size)| *size)
        .unwrap_or(pairwise)
}

/// The width of a near-square table of n.
fn columns(n: usize) -> usize {
    (1..).find(|c| c * c >= n).unwrap_or(n)
}
