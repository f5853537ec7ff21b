//! Model → formula + symbol map.
//!
//! In: a model and what presolve fixed. Out: a [`Formula`] for one target.
//!
//! An encoder walks over the model and emits clauses into a [`Sink`]; it never stores them. It runs twice: into a
//! [`CountingSink`] for the header, then into the writing sink. Both runs make the same calls, so the numbering is
//! the same.
//!
//! The numbering is stable: named variables first, in declaration order, values ascending; then auxiliary variables.
//! Knows nothing of syntax, of language values, of solvers.

mod annotate;
mod bytes;
pub mod cnf;
pub mod cuts;
pub mod dimacs;
mod formula;
pub mod opb;
mod runs;
pub mod symbols;
pub mod wcnf;
pub mod xcc;

pub use formula::{EmitError, Form, Formula, Given, Labels, ShowLine, Size, Target, measure};

use crate::model::Cmp;
use crate::shared::{Budget, Stop};

/// A DIMACS literal: a variable number from 1, negative if negated.
pub type Lit = i32;

/// Receives the clauses that an encoder emits.
///
/// Only annotated output (`--annotate`) uses `comment`s; other sinks ignore them.
pub trait Sink {
    /// A disjunction. No literal occurs twice, or together with its negation.
    fn clause(&mut self, lits: &[Lit]);

    /// At most one of `lits`, pairwise: `n(n-1)/2` binary clauses. An implementation may be faster than clause by
    /// clause, but it keeps this order: (1,2), (1,3), …, (2,3), ….
    fn pairwise(&mut self, lits: &[Lit]) {
        for (i, a) in lits.iter().enumerate() {
            for b in &lits[i + 1..] {
                self.clause(&[-a, -b]);
            }
        }
    }

    /// The receiver of linear constraints, if this sink needs no clauses for them.
    fn linear(&mut self) -> Option<&mut dyn Linear> {
        None
    }

    /// Does this sink take the objective, as weighted literals?
    fn takes_objective(&self) -> bool {
        false
    }

    /// Does this sink use [`Sink::comment`]s?
    fn annotated(&self) -> bool {
        false
    }

    fn comment(&mut self, _text: &str) {}

    /// Must the encoder stop (a write failed, a limit was reached)?
    fn stopped(&self) -> bool {
        false
    }
}

/// Receives linear constraints without turning them into clauses.
pub trait Linear {
    /// `Σ coef · lit ⋈ bound`: at least one literal, all positive, none twice, no coefficient 0.
    fn constraint(&mut self, terms: &[(i64, Lit)], cmp: Cmp, bound: i64);
}

/// `Σ coef · lit + constant`: literals positive and ascending, no coefficient 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Weighted {
    pub terms: Vec<(i64, Lit)>,
    pub constant: i64,
    /// Lower bound of the value under every assignment that gives each variable a value; `hi` is the upper bound.
    pub lo: i64,
    pub hi: i64,
}

impl Weighted {
    /// The value if exactly the literals `on` are true; `on` is ascending.
    pub fn value(&self, on: &[Lit]) -> i64 {
        let counts = |lit: &Lit| on.binary_search(lit).is_ok();
        self.constant + self.terms.iter().filter(|(_, lit)| counts(lit)).map(|(coef, _)| coef).sum::<i64>()
    }
}

/// Counts clauses and literals.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct CountingSink {
    pub clauses: u64,
    pub literals: u64,
}

impl Sink for CountingSink {
    fn clause(&mut self, lits: &[Lit]) {
        self.clauses += 1;
        self.literals += lits.len() as u64;
    }

    fn pairwise(&mut self, lits: &[Lit]) {
        let n = lits.len() as u64;
        let pairs = n * n.saturating_sub(1) / 2;
        self.clauses += pairs;
        self.literals += 2 * pairs;
    }
}

/// Stores all clauses, for tests and for engines that need them at once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ClauseList {
    pub clauses: Vec<Vec<Lit>>,
}

impl Sink for ClauseList {
    fn clause(&mut self, lits: &[Lit]) {
        self.clauses.push(lits.to_vec());
    }
}

/// Clauses between two checks of the budget: the inner sink may be slow, for example a solver.
const LOOK_EVERY: u64 = 4096;

/// Passes clauses on to another sink until the budget is used up.
pub struct Counted<'s> {
    sink: &'s mut dyn Sink,
    clauses: u64,
    budget: &'s Budget,
    stop: Option<Stop>,
}

impl<'s> Counted<'s> {
    pub fn new(sink: &'s mut dyn Sink, budget: &'s Budget) -> Counted<'s> {
        Counted { sink, clauses: 0, budget, stop: None }
    }

    /// The number of clauses, or the reason why the sink stopped.
    pub fn clauses(self) -> Result<u64, Stop> {
        self.stop.map_or(Ok(self.clauses), Err)
    }
}

impl Sink for Counted<'_> {
    fn clause(&mut self, lits: &[Lit]) {
        if self.stopped() {
            return;
        }
        self.clauses += 1;
        self.sink.clause(lits);
        let limit = self.budget.limits().clauses;
        if self.clauses > limit {
            self.stop = Some(Stop::Clauses { limit });
        } else if self.clauses.is_multiple_of(LOOK_EVERY) {
            self.stop = self.budget.check().err();
        }
    }

    fn stopped(&self) -> bool {
        self.stop.is_some()
    }
}
