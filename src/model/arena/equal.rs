//! Recognizes conditions that compare different terms with one common term.
//!
//! In: conditions. Out: the terms that they compare with the common one. `{q: a[q] = a[p] for q in keys(a)}` is a
//! different array for each p. Once its conditions are recognized as "equals `a[p]`", all these arrays share one
//! graph, whose edges join neighbours with equal values.

use super::{Arena, Atom, Bool, BoolNode, Cmp, Int, Overflow, Term};
use crate::model::{Domain, Model, VarId};

/// One side of an equality.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    Bool(Bool),
    Int(Int),
    /// The position of a variable's value; `Position` is a constant position.
    Var(VarId),
    Position(u32),
}

impl Model {
    /// The term that each condition compares with a term common to all conditions; an inner `None` means that the
    /// condition is false. `None` if there is no common term.
    pub fn compared(&mut self, conds: &[Bool]) -> Option<Vec<Option<Side>>> {
        let first = conds.iter().find(|cond| cond.as_constant().is_none())?;
        let candidates: Vec<Side> = self.readings(*first).into_iter().map(|(common, _)| common).collect();
        candidates
            .into_iter()
            .find_map(|common| conds.iter().map(|cond| self.other_side(*cond, common)).collect())
    }

    /// The x such that `cond` is "x equals `common`".
    fn other_side(&mut self, cond: Bool, common: Side) -> Option<Option<Side>> {
        match (cond, common) {
            (Bool::TRUE, _) => Some(Some(common)),
            (Bool::FALSE, Side::Bool(common)) => Some(Some(Side::Bool(!common))),
            (Bool::FALSE, _) => Some(None),
            _ => self
                .readings(cond)
                .into_iter()
                .find(|reading| reading.0 == common)
                .map(|reading| Some(reading.1)),
        }
    }

    /// All interpretations of a condition as an equality.
    fn readings(&mut self, cond: Bool) -> Vec<(Side, Side)> {
        let both = |a: Side, b: Side| vec![(a, b), (b, a)];
        match (self.arena.bool_node(cond), cond.is_negated()) {
            (BoolNode::Iff(a, b), negated) => {
                let sign = |term: Bool| Side::Bool(if negated { !term } else { term });
                vec![(Side::Bool(a), sign(b)), (Side::Bool(b), sign(a))]
            }
            (BoolNode::Linear { terms, cmp: Cmp::Eq, bound }, false) => match *terms {
                [Term { coef: 1, atom: Atom::Int(a) }, Term { coef: -1, atom: Atom::Int(b) }]
                    if bound == 0 =>
                {
                    both(Side::Int(a), Side::Int(b))
                }
                [Term { coef: 1, atom: Atom::Int(a) }] => {
                    let known = self.arena.constant(bound);
                    vec![(Side::Int(a), Side::Int(known))]
                }
                _ => Vec::new(),
            },
            (BoolNode::Is(var, position), false) => match self.domain(var) {
                Domain::Ints(values) => {
                    let value = values[position as usize];
                    let known = self.arena.constant(value);
                    vec![(Side::Int(self.var_int(var)), Side::Int(known))]
                }
                _ => vec![(Side::Var(var), Side::Position(position))],
            },
            (BoolNode::And(parts), true) => match self.equal_positions(parts) {
                Some((a, b)) => both(Side::Var(a), Side::Var(b)),
                None => Vec::new(),
            },
            (BoolNode::Var(_), negated) => {
                vec![(Side::Bool(cond.positive()), Side::Bool(Bool::constant(!negated)))]
            }
            _ => Vec::new(),
        }
    }

    /// The two variables x and y, if the negated parts are "x and y both have position i" for every position i.
    fn equal_positions(&self, parts: &[Bool]) -> Option<(VarId, VarId)> {
        let pair = |part: &Bool| match (self.arena.bool_node(*part), part.is_negated()) {
            (BoolNode::And(&[a, b]), true) => match (self.arena.literal(a)?, self.arena.literal(b)?) {
                ((x, i), (y, j)) if i == j => Some((x.min(y), x.max(y), i)),
                _ => None,
            },
            _ => None,
        };
        let (x, y, _) = pair(parts.first()?)?;
        let size = self.domain(x).size();
        let mut seen = vec![false; size];
        for part in parts {
            let (a, b, position) = pair(part)?;
            if (a, b) != (x, y) || std::mem::replace(seen.get_mut(position as usize)?, true) {
                return None;
            }
        }
        (size == self.domain(y).size() && seen.into_iter().all(|seen| seen)).then_some((x, y))
    }

    /// `a = b`, for sides from one call of [`Model::compared`].
    pub fn same(&mut self, a: Side, b: Side) -> Result<Bool, Overflow> {
        match (a, b) {
            (Side::Bool(a), Side::Bool(b)) => Ok(self.arena.iff(a, b)),
            (Side::Int(a), Side::Int(b)) => {
                self.eq(vec![Term { coef: 1, atom: Atom::Int(a) }, Term { coef: -1, atom: Atom::Int(b) }], 0)
            }
            (Side::Position(i), Side::Position(j)) => Ok(Bool::constant(i == j)),
            (Side::Var(var), Side::Position(i)) | (Side::Position(i), Side::Var(var)) => {
                Ok(self.arena.is(var, i))
            }
            (Side::Var(x), Side::Var(y)) if x == y => Ok(Bool::TRUE),
            (Side::Var(x), Side::Var(y)) => {
                let both = (0..self.domain(x).size() as u32).map(|position| {
                    let (a, b) = (self.arena.is(x, position), self.arena.is(y, position));
                    self.arena.and2(a, b)
                });
                let both: Vec<Bool> = both.collect();
                Ok(self.arena.or(both))
            }
            // `compared` returns sides of one kind only
            _ => Ok(Bool::FALSE),
        }
    }
}

impl Arena {
    fn literal(&self, term: Bool) -> Option<(VarId, u32)> {
        match (self.bool_node(term), term.is_negated()) {
            (BoolNode::Is(var, position), false) => Some((var, position)),
            _ => None,
        }
    }
}
