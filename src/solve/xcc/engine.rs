//! The engine: solutions one at a time, within a budget.
//!
//! In: a problem. Out: solutions, each the options in the order of choice; or how many there are. Iterative: depth costs
//! memory, of which the budget allows so much, and no stack. After a stop the search can go on with another budget.

use super::dance::Dance;
use super::memo::Memo;
use super::problem::{PLAIN, Problem};
use crate::shared::{Budget, Stop};

/// How to search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Shuffles the order in which ties are broken and options are tried; 0 keeps the problem's.
    pub seed: u64,
    /// Primary items whose names begin with `#` are decided before others with more than one option.
    pub sharp: bool,
}

/// An option of a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// Its number in the problem, from 0.
    pub option: u32,
    /// Which of its entries, from 0, is the item that was decided.
    pub at: u32,
    /// It was the `k`th of `n` ways to decide.
    pub k: u32,
    pub n: u32,
}

/// What [`Engine::next`] found.
#[derive(Debug)]
pub enum Next<'a> {
    Solution(&'a [Chosen]),
    /// There is no other solution.
    Exhausted,
    Stopped(Stop),
}

/// A number of solutions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Count {
    pub solutions: u128,
    /// Why there may be more; `None` if these are all.
    pub stopped: Option<Halt>,
}

/// Why counting ended early.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// As many as were asked for, or more than a `u128` holds.
    Limit,
    Stop(Stop),
}

/// Searches a problem's solutions.
#[derive(Debug)]
pub struct Engine {
    pub(super) dance: Dance,
    multi: bool,
    coloured: bool,
    /// Is the state one to go on from? Else one to go back from.
    pub(super) alive: bool,
    pub(super) chosen: Vec<Choice>,
    pub(super) frames: Vec<Frame>,
    /// The lengths (and bounds) to which each open decision goes back.
    saved: Vec<u32>,
    /// May a decision be closed when its last option is tried?
    pub(super) tail: bool,
    /// The option that was dropped last, if nothing was chosen since.
    pub(super) left: Option<Choice>,
    solution: Vec<Chosen>,
    nodes: u64,
    accounted: u64,
}

/// An option that was chosen, by the node of the item that was decided.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub node: u32,
    pub k: u32,
    pub n: u32,
}

/// An open decision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// How many choices were made before.
    pub depth: u32,
    /// The next option to try, in the set `begin..end`.
    pub place: u32,
    pub begin: u32,
    pub end: u32,
}

impl Engine {
    pub fn new(problem: &Problem, options: &Options) -> Engine {
        let coloured =
            (0..problem.options()).any(|o| problem.entries_of(o).iter().any(|entry| entry.colour != PLAIN));
        Engine {
            dance: Dance::new(problem, options),
            multi: problem.has_multiplicities(),
            coloured,
            alive: true,
            chosen: Vec::new(),
            frames: Vec::new(),
            saved: Vec::new(),
            tail: true,
            left: None,
            solution: Vec::new(),
            nodes: 0,
            accounted: 0,
        }
    }

    /// The next solution.
    pub fn next(&mut self, budget: &Budget) -> Next<'_> {
        match self.advance(budget) {
            Ok(false) => Next::Exhausted,
            Err(stop) => Next::Stopped(stop),
            Ok(true) => {
                let dance = &self.dance;
                self.solution.clear();
                self.solution.extend(self.chosen.iter().map(|choice| {
                    let (option, at) = dance.option_of(choice.node);
                    Chosen { option, at, k: choice.k, n: choice.n }
                }));
                Next::Solution(&self.solution)
            }
        }
    }

    fn advance(&mut self, budget: &Budget) -> Result<bool, Stop> {
        if self.multi { self.advance_multi(budget) } else { self.advance_exact(budget) }
    }

    /// Counts the solutions that [`Engine::next`] would still give, at most `limit`.
    ///
    /// Without colours and multiplicities, what was counted below a set of uncovered items is remembered, as far as
    /// `memory` bytes allow.
    pub fn count(&mut self, budget: &Budget, limit: u128, memory: usize) -> Count {
        if !self.multi && !self.coloured && self.frames.is_empty() {
            return self.count_remembering(Memo::new(self.dance.lens.len(), memory), budget, limit);
        }
        let mut solutions = 0;
        while solutions < limit {
            match self.advance(budget) {
                Ok(true) => solutions += 1,
                Ok(false) => return Count { solutions, stopped: None },
                Err(stop) => return Count { solutions, stopped: Some(Halt::Stop(stop)) },
            }
        }
        Count { solutions, stopped: Some(Halt::Limit) }
    }

    /// Nodes of the search tree so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The share of the search tree that is done, if every subtree of a decision were as large as the others (Knuth).
    pub fn progress(&self) -> f64 {
        let (mut done, mut width) = (0.0, 1.0);
        for choice in &self.chosen {
            width /= f64::from(choice.n);
            done += f64::from(choice.k - 1) * width;
        }
        done + width / 2.0
    }

    pub(super) fn account(&mut self, budget: &Budget) -> Result<(), Stop> {
        budget.step(1 + self.dance.work - self.accounted + self.dance.lens.len() as u64 / 16)?;
        self.nodes += 1;
        self.accounted = self.dance.work;
        Ok(())
    }

    /// How many words the state of a decision takes.
    fn stride(&self) -> usize {
        self.dance.lens.len() + if self.multi { self.dance.highs.len() } else { 0 }
    }

    /// To be asked before [`Engine::save`].
    pub(super) fn make_room(&self, budget: &Budget) -> Result<(), Stop> {
        budget.hold(4 * (self.saved.len() + self.stride()) as u64)
    }

    pub(super) fn save(&mut self) {
        self.saved.extend_from_slice(&self.dance.lens);
        if self.multi {
            self.saved.extend_from_slice(&self.dance.highs);
        }
    }

    /// Goes back to what was saved last.
    pub(super) fn restore(&mut self) {
        let items = self.dance.lens.len();
        let saved = &self.saved[self.saved.len() - self.stride()..];
        self.dance.lens.copy_from_slice(&saved[..items]);
        if self.multi {
            self.dance.highs.copy_from_slice(&saved[items..]);
        }
        self.dance.forced.clear();
    }

    /// Forgets the last decision and what was saved for it.
    pub(super) fn close(&mut self) {
        self.frames.pop();
        self.saved.truncate(self.saved.len() - self.stride());
    }
}
