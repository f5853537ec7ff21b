//! The engine: solutions one at a time, within a budget.
//!
//! In: a problem. Out: solutions, each a list of options in the order of choice; or their number. Iterative: depth
//! uses heap memory, which the budget limits, and no stack. After a stop the search can continue with another budget.

use super::dance::Dance;
use super::memo::Memo;
use super::problem::{Item, PLAIN, Problem};
use super::saved::Saved;
use crate::shared::{Budget, Stop};

/// How to search.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options {
    /// Shuffles the order of ties and of options; 0 keeps the order of the problem.
    pub seed: u64,
    /// Primary items whose names begin with `#` are decided before others with more than one option.
    pub sharp: bool,
}

/// An option of a solution.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chosen {
    /// Its number in the problem, from 0.
    pub option: u32,
    /// The item that was branched on.
    pub item: Item,
    /// It was the `k`th of `n` alternatives.
    pub k: u32,
    pub n: u32,
}

/// What [`Engine::next`] found.
#[derive(Debug)]
pub enum Next<'a> {
    Solution(&'a [Chosen]),
    /// There is no further solution.
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
    /// The given limit was reached, or a `u128` overflowed.
    Limit,
    Stop(Stop),
}

/// A search for the solutions of a problem.
#[derive(Debug)]
pub struct Engine {
    pub(super) dance: Dance,
    multi: bool,
    coloured: bool,
    /// Does the search continue from this state? If not, it backtracks.
    pub(super) alive: bool,
    pub(super) chosen: Vec<Choice>,
    pub(super) frames: Vec<Frame>,
    /// The alternatives of all open decisions.
    pub(super) ways: Vec<u32>,
    /// For each open decision, the lengths, the bounds (with multiplicities) and the bits of possible options.
    saved_lens: Saved<u32>,
    saved_highs: Saved<u32>,
    saved_bits: Saved<u64>,
    /// May a decision be closed when its last option is tried?
    pub(super) tail: bool,
    /// The option that was dropped last, if none was chosen since.
    pub(super) left: Option<Choice>,
    solution: Vec<Chosen>,
    pub(super) counted: u128,
    memo: Option<Memo>,
    nodes: u64,
    /// The work of a node besides removals: copying and choosing.
    effort: u64,
    /// The work already reported to the budget.
    accounted: u64,
}

/// Work between two checks of the budget.
const LOOK_EVERY: u64 = 1 << 10;

/// A chosen option, and the item it was chosen for.
#[derive(Clone, Copy, Debug)]
pub(super) struct Choice {
    pub option: u32,
    pub item: u32,
    pub k: u32,
    pub n: u32,
}

/// An open decision.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    /// The number of earlier choices.
    pub depth: u32,
    pub item: u32,
    /// The next option to try, among the alternatives `begin..end`.
    pub begin: u32,
    pub next: u32,
    pub end: u32,
}

impl Engine {
    pub fn new(problem: &Problem, options: &Options) -> Engine {
        let coloured =
            (0..problem.options()).any(|o| problem.entries_of(o).iter().any(|entry| entry.colour != PLAIN));
        let dance = Dance::new(problem, options);
        let effort = 1 + (dance.lens.len() + 2 * dance.possible.len()) as u64 / 16;
        Engine {
            dance,
            multi: problem.has_multiplicities(),
            coloured,
            alive: true,
            chosen: Vec::new(),
            frames: Vec::new(),
            ways: Vec::new(),
            saved_lens: Saved::default(),
            saved_highs: Saved::default(),
            saved_bits: Saved::default(),
            tail: true,
            left: None,
            solution: Vec::new(),
            counted: 0,
            memo: None,
            nodes: 0,
            effort,
            accounted: 0,
        }
    }

    /// The next solution. The budget is checked only now and then: use one budget for many calls, or it may never
    /// stop them.
    pub fn next(&mut self, budget: &Budget) -> Next<'_> {
        match self.advance(budget) {
            Ok(false) => Next::Exhausted,
            Err(stop) => Next::Stopped(stop),
            Ok(true) => {
                let dance = &self.dance;
                self.solution.clear();
                self.solution.extend(self.chosen.iter().map(|choice| {
                    let Choice { option, item, k, n } = *choice;
                    Chosen { option: dance.number(option), item: dance.original(item), k, n }
                }));
                Next::Solution(&self.solution)
            }
        }
    }

    fn advance(&mut self, budget: &Budget) -> Result<bool, Stop> {
        if self.multi { self.advance_multi(budget) } else { self.advance_exact(budget) }
    }

    /// Counts the solutions, at most `limit`; continues after a stop. Solutions that [`Engine::next`] returned before
    /// are not counted.
    ///
    /// Without colours and multiplicities, the count for each set of uncovered items is remembered, in at most
    /// `memory` bytes.
    pub fn count(&mut self, budget: &Budget, limit: u128, memory: usize) -> Count {
        if self.nodes == 0 && !self.multi && !self.coloured {
            self.memo = Some(Memo::new(self.dance.lens.len(), memory));
        }
        let stopped = match self.memo.take() {
            Some(mut memo) => {
                let stopped = self.count_remembering(&mut memo, budget, limit);
                self.memo = Some(memo);
                stopped
            }
            None => self.count_each(budget, limit),
        };
        Count { solutions: self.counted, stopped }
    }

    fn count_each(&mut self, budget: &Budget, limit: u128) -> Option<Halt> {
        while self.counted < limit {
            match self.advance(budget) {
                Ok(true) => self.counted += 1,
                Ok(false) => return None,
                Err(stop) => return Some(Halt::Stop(stop)),
            }
        }
        Some(Halt::Limit)
    }

    /// Nodes of the search tree so far.
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// The explored share of the search tree, if all subtrees of a decision had the same size (Knuth).
    pub fn progress(&self) -> f64 {
        let (mut done, mut width) = (0.0, 1.0);
        for choice in &self.chosen {
            width /= f64::from(choice.n);
            done += f64::from(choice.k - 1) * width;
        }
        done + width / 2.0
    }

    pub(super) fn account(&mut self, budget: &Budget) -> Result<(), Stop> {
        self.nodes += 1;
        self.pay(budget)
    }

    /// Reports work to the budget, now and then.
    pub(super) fn pay(&mut self, budget: &Budget) -> Result<(), Stop> {
        self.dance.work += self.effort;
        let spent = self.dance.work - self.accounted;
        if spent < LOOK_EVERY {
            return Ok(());
        }
        self.accounted = self.dance.work;
        budget.step(spent)
    }

    /// Checks the memory limit; call this before [`Engine::save`].
    pub(super) fn make_room(&self, budget: &Budget) -> Result<(), Stop> {
        let saved = self.saved_lens.bytes() + self.saved_highs.bytes() + self.saved_bits.bytes();
        // No state that is saved adds more than this, nor do the alternatives of a decision.
        let Dance { lens, highs, possible, .. } = &self.dance;
        let state = 8 * (lens.len() + highs.len()) + 16 * possible.len();
        let ways = 4 * (self.ways.len() + self.dance.options());
        budget.hold(saved + (state + ways) as u64)
    }

    pub(super) fn save(&mut self) {
        self.saved_lens.save(&self.dance.lens);
        self.saved_bits.save(&self.dance.possible);
        if self.multi {
            self.saved_highs.save(&self.dance.highs);
        }
    }

    /// Restores the state that was saved last.
    pub(super) fn restore(&mut self) {
        self.saved_lens.restore(&mut self.dance.lens);
        self.saved_bits.restore(&mut self.dance.possible);
        if self.multi {
            self.saved_highs.restore(&mut self.dance.highs);
        }
        self.dance.forced.clear();
    }

    /// Removes the last decision and its saved state.
    pub(super) fn close(&mut self) {
        if let Some(frame) = self.frames.pop() {
            self.ways.truncate(frame.begin as usize);
        }
        self.saved_lens.close();
        self.saved_bits.close();
        if self.multi {
            self.saved_highs.close();
        }
    }
}
