//! The ground model: decision variables and constraints over them.
//!
//! In: `eval` builds it while grounding. Out: presolve and encoders read it; [`Model::holds`] defines the meaning of
//! each constraint, independent of every encoding.
//!
//! Invariants: operands come before the node that uses them; equal nodes are shared; `TRUE`/`FALSE` never occur
//! inside another node; variables are numbered in declaration order, keys row-major.
//!
//! Knows nothing of syntax, of language values, of literals or clauses.

mod arena;
mod graph;
mod holds;
pub mod presolve;
mod touched;

pub use arena::{
    Arena, Atom, Bool, BoolNode, Cmp, Int, IntNode, Looked, Overflow, Term, Use, floor_div, floor_mod,
};
pub use graph::{Components, Graph, GraphId, Place, Property};
pub use holds::{Assignment, Meaning};
pub use presolve::{Presolved, Propagator, VarState, presolve};

use crate::shared::{Budget, Stop};
use std::rc::Rc;

/// A decision variable, numbered from 0 in declaration order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct VarId(pub u32);

/// The possible values of a variable. A position in the domain identifies a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Domain {
    /// Position 0 is false, 1 is true.
    Bool,
    /// Distinct integers, ascending.
    Ints(Rc<[i64]>),
    /// The number of values, if they are not all integers: only equality is defined.
    Symbols(u32),
}

impl Domain {
    /// The number of values.
    pub fn size(&self) -> usize {
        match self {
            Domain::Bool => 2,
            Domain::Ints(values) => values.len(),
            Domain::Symbols(n) => *n as usize,
        }
    }
}

/// A ground instance of a rule: the `ordinal`-th instance (from 0) of the `rule`-th rule item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Instance {
    pub rule: u32,
    pub ordinal: u32,
}

impl Instance {
    /// A bound on the objective, which belongs to no rule item.
    pub const BOUND: Instance = Instance { rule: u32::MAX, ordinal: 0 };
}

/// An asserted condition and its rule instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Asserted {
    pub what: Bool,
    pub instance: Instance,
}

/// An entry of a nonogram clue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Block {
    /// A run of this many cells (at least 1).
    Length(u32),
    /// `"?"`: a run of unknown length.
    AnyLength,
    /// `"*"`: any runs, or none.
    AnyRuns,
}

/// `runs(cells, blocks)`: the true cells form these runs, in order, with at least one false cell between two.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Runs {
    pub cells: Vec<Bool>,
    pub blocks: Vec<Block>,
}

/// `matches`: an automaton accepts a word of unknown symbols.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Regular {
    pub automaton: Rc<Automaton>,
    /// Per position: the possible symbols, each under a condition; exactly one condition holds. Symbols of one
    /// position may repeat. The condition of a known symbol is `Bool::TRUE`.
    pub word: Vec<Vec<(Bool, u32)>>,
}

/// A complete deterministic automaton over symbols `0..symbols`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Automaton {
    pub symbols: u32,
    pub start: u32,
    pub accepting: Vec<bool>,
    /// `next[state * symbols + symbol]`.
    pub next: Vec<u32>,
}

impl Automaton {
    /// The state after `symbol`.
    pub fn step(&self, state: usize, symbol: u32) -> usize {
        self.next[state * self.symbols as usize + symbol as usize] as usize
    }
}

/// A term whose value distinguishes two solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    Var(VarId),
    Bool(Bool),
    Int(Int),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Objective {
    pub maximize: bool,
    pub value: Int,
}

impl Objective {
    /// The cost of a value, which is to be minimized: the value, negated if the objective is maximized. 128 bits,
    /// because the least number has no negation in 64 bits.
    pub fn cost(self, value: i64) -> i128 {
        if self.maximize { -i128::from(value) } else { value.into() }
    }

    /// The number `n` such that "the cost is at most `bound`" is equivalent to `value ≤ n`, or to its negation if the
    /// objective is maximized. `None`: no value is at most `n`.
    pub fn most(self, bound: i128) -> Option<i64> {
        let most = if self.maximize { -bound - 1 } else { bound }.min(i64::MAX.into());
        i64::try_from(most).ok()
    }
}

/// A ground model: the complete input of an encoder.
#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Indexed by [`VarId`].
    pub vars: Vec<Domain>,
    pub arena: Arena,
    pub rules: Vec<Asserted>,
    pub objective: Option<Objective>,
    /// `None`: all variables.
    pub answer: Option<Vec<Answer>>,
}

impl Model {
    pub fn domain(&self, var: VarId) -> &Domain {
        &self.vars[var.0 as usize]
    }

    /// The values of an integer variable; empty for others.
    pub fn ints(&self, var: VarId) -> &[i64] {
        match self.domain(var) {
            Domain::Ints(values) => values,
            _ => &[],
        }
    }

    /// The givens of the puzzle: per variable, the position that a single rule fixes.
    pub fn given(&self) -> Vec<Option<u32>> {
        let mut given = vec![None; self.vars.len()];
        let mut open: Vec<Bool> = self.rules.iter().rev().map(|rule| rule.what).collect();
        while let Some(term) = open.pop() {
            let (var, position) = match (self.arena.bool_node(term), term.is_negated()) {
                (BoolNode::And(parts), false) => {
                    open.extend_from_slice(parts);
                    continue;
                }
                (BoolNode::Var(var), negated) => (var, u32::from(!negated)),
                (BoolNode::Is(var, position), false) => (var, position),
                _ => continue,
            };
            given[var.0 as usize].get_or_insert(position);
        }
        given
    }

    /// The cost of an assignment; see [`Objective::cost`].
    pub fn cost(&self, objective: Objective, positions: &[u32], budget: &Budget) -> Result<i128, Stop> {
        Ok(objective.cost(self.under(positions, budget).value(objective.value)?))
    }

    /// The condition "the cost is at most `bound`"; see [`Objective::cost`].
    pub fn cost_at_most(&mut self, objective: Objective, bound: i128) -> Result<Bool, Overflow> {
        let at_most = match objective.most(bound) {
            Some(most) => self.arena.le(vec![Term { coef: 1, atom: Atom::Int(objective.value) }], most)?,
            None => Bool::FALSE,
        };
        Ok(if objective.maximize { !at_most } else { at_most })
    }

    /// Declares a variable and gives it the next number.
    pub fn add_var(&mut self, domain: Domain) -> VarId {
        self.vars.push(domain);
        VarId(self.vars.len() as u32 - 1)
    }

    /// `Σ terms = bound`; for a single variable this is [`BoolNode::Is`].
    pub fn eq(&mut self, terms: Vec<Term>, bound: i64) -> Result<Bool, Overflow> {
        let equal = self.arena.eq(terms, bound)?;
        let BoolNode::Linear { terms: &[Term { coef: 1, atom: Atom::Int(int) }], cmp: Cmp::Eq, bound } =
            self.arena.bool_node(equal)
        else {
            return Ok(equal);
        };
        let IntNode::Var(var) = self.arena.int_node(int) else { return Ok(equal) };
        let is = match self.ints(var).binary_search(&bound) {
            Ok(position) => self.arena.is(var, position as u32),
            Err(_) => Bool::FALSE,
        };
        // for a boolean term, `eq` may return its negation
        Ok(if equal.is_negated() { !is } else { is })
    }

    /// The integer of a variable with an `Ints` domain.
    pub fn var_int(&mut self, var: VarId) -> Int {
        let (lo, hi) = match self.domain(var) {
            Domain::Ints(values) => {
                (values.first().copied().unwrap_or(0), values.last().copied().unwrap_or(0))
            }
            _ => (0, 1),
        };
        self.arena.var_int(var, lo, hi)
    }
}
