//! A small CDCL engine for many short searches: under assumptions over one formula, or for all its models.
//!
//! Conflict-driven clause learning with watched literals, as in MiniSat (Eén, Sörensson 2003), with three differences
//! that pay off where a search takes microseconds:
//!
//! - All assumptions are assigned at once, on level 1, and propagated like units; a restart goes back to that level
//!   and not to the root. Clauses learned under assumptions omit them and are dropped with them: clauses stay short
//!   and few. Clauses learned without assumptions stay.
//! - Binary clauses, the majority in most puzzles, are lists of implied literals.
//! - To find the next model, the engine flips the last decision and continues from there (Gebser, Kaufmann, Neumann,
//!   Schaub 2007), without a blocking clause. Memory does not grow with the number of models. The projected literals
//!   are decided first, so that each projection is found once.
//!
//! No preprocessing and no inprocessing: for a formula that takes seconds, [`super::engine`] is better.

mod analyze;
mod heap;
mod learned;
mod probe;
mod search;
mod theory;

use super::{EngineAnswer, Keep, SatEngine};
use crate::encode::cuts::{Cut, Lazy};
use crate::encode::{Lit, Sink};
use crate::shared::{Budget, Stop};
use heap::Heap;
use std::rc::Rc;

/// A literal as an index: twice the variable (from 0), plus 1 if negated.
type Index = u32;

fn index(lit: Lit) -> Index {
    2 * (lit.unsigned_abs() - 1) + u32::from(lit < 0)
}

/// The reason of an assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reason {
    /// A decision, an assumption, a flipped decision or a unit.
    None,
    /// A binary clause of it and this false literal.
    Binary(Index),
    /// A clause with it as the first literal.
    Clause(u32),
}

/// A clause that watches a literal, and a blocker: if that literal is true, the clause need not be visited.
#[derive(Clone, Copy, Debug)]
struct Watch {
    clause: u32,
    other: Index,
}

/// A clause whose literals are all false.
#[derive(Clone, Copy, Debug)]
enum Conflict {
    Binary(Index, Index),
    Clause(u32),
}

/// The small CDCL engine.
#[derive(Debug)]
pub struct Quick {
    /// By literal: 1 true, -1 false, 0 unassigned.
    values: Vec<i8>,
    /// By literal: the literals it implies by binary clauses.
    implied: Vec<Vec<Index>>,
    /// By literal: the clauses to visit when it becomes false.
    watches: Vec<Vec<Watch>>,
    /// Binary clauses were added, perhaps duplicates.
    unsorted: bool,
    /// Clauses of three literals and more: length, literals, length, literals, …; learned ones follow `learned_from`.
    arena: Vec<u32>,
    learned_from: usize,
    /// Learned clauses by position, with the number of levels they span.
    learned: Vec<learned::Learned>,
    most_learned: usize,
    level: Vec<u32>,
    reason: Vec<Reason>,
    /// The saved phase.
    phase: Vec<bool>,
    heap: Heap,
    /// True literals in order of assignment.
    trail: Vec<Index>,
    /// The position on the trail where each level begins.
    levels: Vec<u32>,
    propagated: usize,
    /// A unit or an empty clause contradicts the others.
    inconsistent: bool,
    /// The level of the assumptions: 1, or 0 without any.
    base: u32,
    /// The lowest level that backjumps may reach; above `base` once a model was found.
    floor: u32,
    /// The answer literals, if models are being enumerated.
    answer: Option<Vec<Index>>,
    assumed: Vec<Index>,
    /// Were the assumptions assigned?
    begun: bool,
    /// Lazy constraints.
    theory: theory::Theory,
    /// Does the trail hold a model?
    found: bool,
    failed: Vec<Index>,
    conflicts: u64,
    seen: Vec<bool>,
    scratch: analyze::Scratch,
}

impl Quick {
    /// The seed decides the initial order of the variables, before any has activity.
    pub fn new(seed: u32) -> Quick {
        Quick {
            values: Vec::new(),
            implied: Vec::new(),
            watches: Vec::new(),
            unsorted: false,
            arena: Vec::new(),
            learned_from: 0,
            learned: Vec::new(),
            most_learned: 2000,
            level: Vec::new(),
            reason: Vec::new(),
            phase: Vec::new(),
            heap: Heap::new(seed),
            trail: Vec::new(),
            levels: Vec::new(),
            propagated: 0,
            inconsistent: false,
            base: 0,
            floor: 0,
            answer: None,
            assumed: Vec::new(),
            begun: false,
            theory: theory::Theory::default(),
            found: false,
            failed: Vec::new(),
            conflicts: 0,
            seen: Vec::new(),
            scratch: analyze::Scratch::default(),
        }
    }

    fn is_true(&self, lit: Index) -> bool {
        self.values[lit as usize] > 0
    }

    fn is_false(&self, lit: Index) -> bool {
        self.values[lit as usize] < 0
    }

    fn is_open(&self, lit: Index) -> bool {
        self.values[lit as usize] == 0
    }

    fn depth(&self) -> u32 {
        self.levels.len() as u32
    }

    /// The literals of the clause at an arena position.
    fn literals(&self, clause: u32) -> &[Index] {
        let at = clause as usize;
        &self.arena[at + 1..at + 1 + self.arena[at] as usize]
    }

    fn watch(&mut self, clause: u32) {
        let [first, second, ..] = *self.literals(clause) else { unreachable!("a clause of two and more") };
        self.watches[first as usize].push(Watch { clause, other: second });
        self.watches[second as usize].push(Watch { clause, other: first });
    }

    fn imply(&mut self, a: Index, b: Index) {
        self.implied[a as usize ^ 1].push(b);
        self.implied[b as usize ^ 1].push(a);
        self.unsorted = true;
    }
}

impl Sink for Quick {
    fn clause(&mut self, lits: &[Lit]) {
        let highest = lits.iter().map(|lit| lit.unsigned_abs()).max().unwrap_or(0);
        self.reserve(highest);
        // Clauses are added at the root: clauses learned under assumptions may not hold without them.
        self.reset();
        let mut clause: Vec<Index> = Vec::with_capacity(lits.len());
        for lit in lits.iter().map(|lit| index(*lit)) {
            if self.is_true(lit) {
                return;
            }
            if self.is_open(lit) {
                clause.push(lit);
            }
        }
        match *clause.as_slice() {
            [] => self.inconsistent = true,
            [unit] => self.assign(unit, Reason::None),
            [a, b] => self.imply(a, b),
            _ => self.add_clause(&clause),
        }
    }
}

impl SatEngine for Quick {
    fn reserve(&mut self, vars: u32) {
        let n = vars as usize;
        if n > self.level.len() {
            self.values.resize(2 * n, 0);
            self.implied.resize_with(2 * n, Vec::new);
            self.watches.resize_with(2 * n, Vec::new);
            self.level.resize(n, 0);
            self.reason.resize(n, Reason::None);
            self.phase.resize(n, true);
            self.seen.resize(n, false);
            self.heap.grow(n);
        }
    }

    fn vars(&self) -> u32 {
        self.level.len() as u32
    }

    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> EngineAnswer {
        self.begin(assumptions, None);
        self.search(budget)
    }

    fn value(&mut self, lit: Lit) -> bool {
        match self.values.get(index(lit) as usize) {
            Some(value) => *value > 0,
            None => lit < 0,
        }
    }

    fn failed(&mut self, lit: Lit) -> bool {
        self.failed.contains(&index(lit))
    }

    fn first_answer(&mut self, answer: &[Lit], assumptions: &[Lit], budget: &Budget) -> Option<EngineAnswer> {
        self.begin(assumptions, Some(answer));
        Some(self.search(budget))
    }

    fn next_answer(&mut self, budget: &Budget) -> Option<EngineAnswer> {
        // An interrupted search continues from its current state.
        if std::mem::take(&mut self.found) && !self.flip_last_decision() {
            return Some(EngineAnswer::Unsat);
        }
        Some(self.search(budget))
    }

    fn attach_lazy(&mut self, lazy: &Rc<[Lazy]>) -> bool {
        if self.theory.is_of(lazy) {
            return true;
        }
        self.reset();
        self.theory = theory::Theory::new(lazy.clone());
        true
    }

    fn probe(&mut self, lits: &[Lit], budget: &Budget) -> Result<(), Stop> {
        self.reset();
        self.probe_all(lits, budget)
    }

    fn keep_cuts(&mut self, which: Keep) {
        self.theory.kept = Some(theory::Kept::new(which));
    }

    fn take_cuts(&mut self) -> Vec<(usize, Cut)> {
        self.theory.kept.as_mut().map(theory::Kept::take).unwrap_or_default()
    }
}
