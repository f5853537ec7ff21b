//! Decision diagrams of sums and counts (Abío et al., JAIR 45, 2012; multi-valued as in Bofill et al., 2020).

use super::EncodeError;
use super::card::Wanted;
use super::encoder::{Ctx, FALSE, TRUE, deeper};
use super::sum::{Item, Sum};
use crate::encode::Lit;
use crate::model::{Atom, Bool, Cmp, Term};
use std::rc::Rc;

/// How much of a node's definition is wanted.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sides {
    /// The node implies its meaning; enough for asserted equalities, where a chain of true nodes determines all.
    Half,
    Full,
}

/// A reduced ordered decision diagram of a sum over one-hot items. Node `(level, rest)`: the items from `level` on come
/// to (at most) `rest`.
struct Diagram {
    items: Rc<Vec<Item>>,
    /// Per level the sums that the items from there on can have, ascending.
    suffix: Vec<Vec<i64>>,
    cmp: Cmp,
    id: u32,
    sides: Sides,
}

impl Diagram {
    fn new(ctx: &mut Ctx<'_>, terms: &[Term], sum: &Sum, sides: Sides) -> Diagram {
        let next = ctx.enc.sums.len() as u32;
        let id = *ctx.enc.sums.entry(terms.to_vec()).or_insert(next);
        let kind = match (sum.cmp, sides) {
            (Cmp::Le, _) => 0,
            (Cmp::Eq, Sides::Full) => 1,
            (Cmp::Eq, Sides::Half) => 2,
        };
        Diagram::of(sum.items.clone(), sum.cmp, id * 3 + kind, sides)
    }

    fn of(items: Vec<Item>, cmp: Cmp, id: u32, sides: Sides) -> Diagram {
        let mut suffix = vec![vec![0i64]];
        for item in items.iter().rev() {
            let below = &suffix[suffix.len() - 1];
            let mut next: Vec<i64> = below
                .iter()
                .flat_map(|sum| item.iter().map(move |(value, _)| sum.wrapping_add(*value)))
                .collect();
            next.sort_unstable();
            next.dedup();
            suffix.push(next);
        }
        suffix.reverse();
        Diagram { items: Rc::new(items), suffix, cmp, id, sides }
    }

    /// Can the sum hold at all?
    fn holds(&self, bound: i64) -> bool {
        match self.cmp {
            Cmp::Eq => self.suffix[0].binary_search(&bound).is_ok(),
            Cmp::Le => self.suffix[0].first().is_some_and(|least| *least <= bound),
        }
    }

    /// The literal of a node.
    fn node(&mut self, ctx: &mut Ctx<'_>, level: usize, rest: i64) -> Result<Lit, EncodeError> {
        let sums = &self.suffix[level];
        let rest = match self.cmp {
            Cmp::Eq if sums.binary_search(&rest).is_err() => return Ok(FALSE),
            Cmp::Eq => rest,
            Cmp::Le => match sums.partition_point(|sum| *sum <= rest) {
                0 => return Ok(FALSE),
                n if n == sums.len() => return Ok(TRUE),
                // equal functions share one node: rest is a sum that can be had
                n => sums[n - 1],
            },
        };
        if level == self.items.len() || (self.cmp == Cmp::Eq && sums.len() == 1) {
            return Ok(TRUE);
        }
        let key = (self.id, level as u32, rest);
        if let Some(known) = ctx.enc.nodes.get(&key) {
            return Ok(*known);
        }
        let node = ctx.fresh()?;
        ctx.enc.nodes.insert(key, node);
        deeper(|| self.node_clauses(ctx, node, level, rest))?;
        Ok(node)
    }

    /// What ties a node to the nodes below it.
    fn node_clauses(
        &mut self,
        ctx: &mut Ctx<'_>,
        node: Lit,
        level: usize,
        rest: i64,
    ) -> Result<(), EncodeError> {
        if level == self.items.len() {
            return Ok(());
        }
        ctx.step(1)?;
        let items = self.items.clone();
        for (value, lit) in &items[level] {
            let below = match rest.checked_sub(*value) {
                Some(rest) => self.node(ctx, level + 1, rest)?,
                None if *value < 0 && self.cmp == Cmp::Le => TRUE,
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

impl Ctx<'_> {
    /// The sum must hold.
    pub(super) fn assert_diagram(&mut self, terms: &[Term], sum: &Sum) -> Result<(), EncodeError> {
        let sides = if sum.cmp == Cmp::Eq { Sides::Half } else { Sides::Full };
        let mut diagram = Diagram::new(self, terms, sum, sides);
        if !diagram.holds(sum.bound) {
            self.clause(&[]);
            return Ok(());
        }
        diagram.node_clauses(self, TRUE, 0, sum.bound)
    }

    /// The literal of a sum, defined both ways.
    pub(super) fn diagram_literal(&mut self, terms: &[Term], sum: &Sum) -> Result<Lit, EncodeError> {
        let mut diagram = Diagram::new(self, terms, sum, Sides::Full);
        if !diagram.holds(sum.bound) {
            return Ok(FALSE);
        }
        diagram.node(self, 0, sum.bound)
    }

    /// A counter as a decision diagram over booleans: asserted (`None`) or as a literal.
    pub(super) fn count_diagram(
        &mut self,
        lits: &[Lit],
        wanted: Wanted,
        k: i64,
        asserted: bool,
    ) -> Result<Lit, EncodeError> {
        let items: Vec<Item> = lits.iter().map(|lit| vec![(0, -lit), (1, *lit)]).collect();
        let (cmp, sides, kind) = match (wanted, asserted) {
            (Wanted::Exactly, true) => (Cmp::Eq, Sides::Half, 2),
            (Wanted::Exactly, false) => (Cmp::Eq, Sides::Full, 1),
            (Wanted::AtMost, _) => (Cmp::Le, Sides::Full, 0),
        };
        let key: Vec<Term> = lits
            .iter()
            // literals as atoms of a key of its own: no term has the coefficient 0
            .map(|lit| Term { coef: i64::from(*lit) << 1, atom: Atom::Bool(Bool::TRUE) })
            .collect();
        let next = self.enc.sums.len() as u32;
        let id = *self.enc.sums.entry(key).or_insert(next);
        let mut diagram = Diagram::of(items, cmp, id * 3 + kind, sides);
        if !diagram.holds(k) {
            return Ok(FALSE);
        }
        if asserted {
            diagram.node_clauses(self, TRUE, 0, k)?;
            return Ok(TRUE);
        }
        diagram.node(self, 0, k)
    }
}
