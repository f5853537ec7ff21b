//! Literals for comparisons of an integer term with a constant: `= v` and `≥ v`, created on demand.
//!
//! In: an integer term and a constant. Out: a literal that is equivalent to the comparison; and the domain clauses of
//! the variables. Direct and order encoding with channelling: Walsh, SAT v CSP, CP 2000; Crawford and Baker 1994
//! (order). `bits` has the binary terms, `view` all values of a term at once.

use super::EncodeError;
use super::emitter::Emitter;
use super::encoder::{FALSE, TRUE};
use crate::encode::Lit;
use crate::encode::symbols::Encoding;
use crate::model::{Cmp, GraphId, Int, IntNode, VarId};
use std::rc::Rc;

impl Emitter<'_> {
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

    /// A literal for "the variable has its value at `position`", for every encoding.
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

    /// The clauses that allow exactly the values of a variable's domain.
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
                // not (at most p, and not at most p - 1); at the ends the order literals are fixed already
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
                    // no number above `most`, none below `least`: one clause for each bit that may differ first
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
                match bound.checked_sub(constant).and_then(|b| b.checked_sub(1)) {
                    Some(most) => Ok(-self.sum_literal(terms, Cmp::Le, most)?),
                    None => {
                        let bits = self.bits_of(int)?;
                        self.bits_at_least(&bits, bound)
                    }
                }
            }
            IntNode::Area(graph, vertex) => match self.area_literal(graph, vertex, bound, true)? {
                Some(lit) => Ok(lit),
                None => {
                    let bits = self.bits_of(int)?;
                    self.bits_at_least(&bits, bound)
                }
            },
            IntNode::Mul(..) | IntNode::Div(..) | IntNode::Mod(..) => match self.small_view(int)? {
                Some(view) => {
                    let lits: Vec<Lit> =
                        view.iter().filter(|(value, _)| *value >= bound).map(|(_, lit)| lit).collect();
                    self.or_lit(lits)
                }
                None => {
                    let bits = self.bits_of(int)?;
                    self.bits_at_least(&bits, bound)
                }
            },
        }
    }

    /// A literal for `area = value` or `area ≥ value`, if graph constraints are lazy.
    fn area_literal(
        &mut self,
        graph: GraphId,
        vertex: u32,
        value: i64,
        at_least: bool,
    ) -> Result<Option<Lit>, EncodeError> {
        if !self.is_area_lazy(graph, vertex) {
            return Ok(None);
        }
        let area = self.lazy_area(graph, vertex)?;
        let beyond = |at: i64| if at < 0 && at_least { TRUE } else { FALSE };
        let lit = usize::try_from(value).ok().and_then(|at| area[usize::from(at_least)].get(at).copied());
        Ok(Some(lit.unwrap_or(beyond(value))))
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
                let Some(bound) = value.checked_sub(constant) else {
                    let bits = self.bits_of(int)?;
                    return self.bits_equal(&bits, value);
                };
                self.sum_literal(terms, Cmp::Eq, bound)
            }
            IntNode::Area(graph, vertex) => match self.area_literal(graph, vertex, value, false)? {
                Some(lit) => Ok(lit),
                None => {
                    let bits = self.bits_of(int)?;
                    self.bits_equal(&bits, value)
                }
            },
            IntNode::Mul(..) | IntNode::Div(..) | IntNode::Mod(..) | IntNode::Select(_) => {
                match self.small_view(int)? {
                    Some(view) => Ok(view.eq(value)),
                    None => {
                        let bits = self.bits_of(int)?;
                        self.bits_equal(&bits, value)
                    }
                }
            }
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
}
