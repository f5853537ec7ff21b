//! Decision diagrams of sums and counts (Abío et al., JAIR 45, 2012; multi-valued as in Bofill et al., 2020).
//!
//! In: one-hot items, comparison, bound. Out: clauses that assert the sum, or a literal equivalent to it.

use super::EncodeError;
use super::emitter::Emitter;
use super::encoder::{FALSE, TRUE};
use crate::encode::Lit;
use crate::model::{Cmp, Term};
use crate::shared::with_stack;
use std::rc::Rc;

/// A one-hot group: contributions with their literals, exactly one true.
pub(super) type Item = Vec<(i64, Lit)>;

/// A sum ready to be encoded.
pub(super) struct Sum {
    pub items: Rc<[Item]>,
    /// See [`suffixes`].
    pub suffix: Vec<Vec<i64>>,
    pub cmp: Cmp,
    pub bound: i64,
}

/// Half or full reification of nodes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sides {
    /// The node implies its meaning. This suffices for asserted equalities: the true nodes form a chain that
    /// determines the rest.
    Half,
    Full,
}

/// Diagrams with more edges than this are an error, or an adder replaces them.
pub(super) const MOST_EDGES: usize = 20_000_000;

/// Per level: the possible sums of the items from this level on, ascending. Only sums in the range that the earlier
/// items may leave of the bound are kept, and one more sum at either end. `None` if a diagram would have more than
/// `most` edges, by estimate.
pub(super) fn suffixes(items: &[Item], bound: i64, most: usize) -> Option<Vec<Vec<i64>>> {
    let end = |item: &Item, f: fn(i128, i128) -> i128| {
        item.iter().map(|(value, _)| i128::from(*value)).reduce(f).unwrap_or(0)
    };
    // before each item: the least and largest possible remainder of the bound
    let mut left = vec![(i128::from(bound), i128::from(bound))];
    for item in items {
        let (lo, hi) = left[left.len() - 1];
        left.push((lo - end(item, i128::max), hi - end(item, i128::min)));
    }
    let mut edges = 0;
    let mut suffix = vec![vec![0i64]];
    for (item, (lo, hi)) in items.iter().zip(&left).rev() {
        let below = &suffix[suffix.len() - 1];
        edges += below.len() * item.len();
        if edges > most {
            return None;
        }
        let mut sums: Vec<i64> = Vec::with_capacity(below.len() * item.len());
        for (value, _) in item {
            sums.extend(below.iter().map(|sum| sum.wrapping_add(*value)));
        }
        sums.sort_unstable();
        sums.dedup();
        sums.truncate(sums.partition_point(|sum| i128::from(*sum) <= *hi) + 1);
        let before = sums.partition_point(|sum| i128::from(*sum) < *lo);
        sums.drain(..before.saturating_sub(1));
        suffix.push(sums);
    }
    suffix.reverse();
    Some(suffix)
}

/// A reduced ordered decision diagram of a sum over one-hot items. Node `(level, rest)` means: the items from `level`
/// on have the sum `rest`, or at most `rest`.
struct Diagram<'a> {
    sum: &'a Sum,
    id: u32,
    sides: Sides,
}

impl Diagram<'_> {
    /// `key` identifies the items: two diagrams over the same items share equal nodes.
    fn new<'a>(ctx: &mut Emitter<'_>, key: Vec<Term>, sum: &'a Sum, sides: Sides) -> Diagram<'a> {
        let next = ctx.enc.sums.len() as u32;
        let id = *ctx.enc.sums.entry(key).or_insert(next);
        let kind = match (sum.cmp, sides) {
            (Cmp::Le, _) => 0,
            (Cmp::Eq, Sides::Full) => 1,
            (Cmp::Eq, Sides::Half) => 2,
        };
        Diagram { sum, id: id * 3 + kind, sides }
    }

    /// Is the sum satisfiable?
    fn holds(&self) -> bool {
        let (sums, bound) = (&self.sum.suffix[0], self.sum.bound);
        match self.sum.cmp {
            Cmp::Eq => sums.binary_search(&bound).is_ok(),
            Cmp::Le => sums.first().is_some_and(|least| *least <= bound),
        }
    }

    /// The literal of a node.
    fn node(&self, ctx: &mut Emitter<'_>, level: usize, rest: i64) -> Result<Lit, EncodeError> {
        let cmp = self.sum.cmp;
        let sums = &self.sum.suffix[level];
        let had = match cmp {
            Cmp::Eq if sums.binary_search(&rest).is_err() => return Ok(FALSE),
            Cmp::Eq => rest,
            Cmp::Le => match sums.partition_point(|sum| *sum <= rest) {
                0 => return Ok(FALSE),
                n if n == sums.len() => return Ok(TRUE),
                // equal functions share one node: round `rest` down to a possible sum
                n => sums[n - 1],
            },
        };
        if level == self.sum.items.len() || (cmp == Cmp::Eq && sums.len() == 1) {
            return Ok(TRUE);
        }
        let key = (self.id, level as u32, had);
        if let Some(known) = ctx.enc.nodes.get(&key) {
            return Ok(*known);
        }
        let node = ctx.fresh()?;
        ctx.enc.nodes.insert(key, node);
        with_stack(|| ctx.unconditionally(|ctx| self.node_clauses(ctx, node, level, rest)))?;
        Ok(node)
    }

    /// The clauses that define a node by its child nodes.
    fn node_clauses(
        &self,
        ctx: &mut Emitter<'_>,
        node: Lit,
        level: usize,
        rest: i64,
    ) -> Result<(), EncodeError> {
        if level == self.sum.items.len() {
            return Ok(());
        }
        ctx.step(1)?;
        for (value, lit) in &self.sum.items[level] {
            let below = match rest.checked_sub(*value) {
                Some(rest) => self.node(ctx, level + 1, rest)?,
                None if *value < 0 && self.sum.cmp == Cmp::Le => TRUE,
                None => FALSE,
            };
            ctx.clause(&[-node, -lit, below]);
            if self.sides == Sides::Full && node != TRUE {
                ctx.clause(&[node, -lit, -below]);
            }
        }
        Ok(())
    }
}

impl Emitter<'_> {
    /// Asserts the sum; `key` identifies its items.
    pub(super) fn assert_diagram(&mut self, key: Vec<Term>, sum: &Sum) -> Result<(), EncodeError> {
        let sides = if sum.cmp == Cmp::Eq { Sides::Half } else { Sides::Full };
        let diagram = Diagram::new(self, key, sum, sides);
        if !diagram.holds() {
            self.clause(&[]);
            return Ok(());
        }
        diagram.node_clauses(self, TRUE, 0, sum.bound)
    }

    /// A literal that is equivalent to the sum; `key` identifies its items.
    pub(super) fn diagram_literal(&mut self, key: Vec<Term>, sum: &Sum) -> Result<Lit, EncodeError> {
        let diagram = Diagram::new(self, key, sum, Sides::Full);
        if diagram.holds() { diagram.node(self, 0, sum.bound) } else { Ok(FALSE) }
    }
}
