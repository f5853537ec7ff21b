//! Presolve: propagates the rules of a model to a fixpoint, without search.
//!
//! In: a [`Model`]. Out: [`Presolved`]: the domains that are left, or the rule instances that contradict each other.
//!
//! Invariants: a value is removed only if no solution has it; a conflict is reported only if there is no solution.
//! Every change is on the trail with its cause, so that a conflict can be traced to rule instances. Steps are
//! counted. Between two calls of [`Propagator::propagate`] the queues are empty, or a stop was reported.
//!
//! Knows nothing of encodings or solvers.

mod distinct;
mod explain;
mod graph;
mod ints;
mod line;
mod queue;
mod revise;
mod state;

use super::{Domain, Instance, Model, VarId};
use crate::shared::{Budget, Stop};
pub use queue::Propagator;

/// A summary of a variable's current domain; one bit set for all variables holds the values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct VarState {
    /// The first of its words.
    first: u32,
    count: u32,
    /// The smallest and the largest allowed position.
    low: u32,
    high: u32,
}

impl VarState {
    /// The number of allowed values.
    pub fn count(&self) -> usize {
        self.count as usize
    }

    /// The smallest allowed position.
    pub fn low(&self) -> u32 {
        self.low
    }

    /// The largest allowed position.
    pub fn high(&self) -> u32 {
        self.high
    }

    /// The only allowed position.
    pub fn fixed(&self) -> Option<u32> {
        (self.count == 1).then_some(self.low)
    }
}

/// The domains after propagation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Presolved {
    /// Indexed by [`VarId`].
    pub domains: Vec<VarState>,
    words: Vec<u64>,
    /// Asserted instances that contradict each other, if there is a conflict.
    pub contradiction: Option<Vec<Instance>>,
}

impl Presolved {
    /// All values allowed.
    pub fn nothing(model: &Model) -> Presolved {
        let mut words = Vec::new();
        let domains = model.vars.iter().map(|domain| open(domain, &mut words)).collect();
        Presolved { domains, words, contradiction: None }
    }

    pub fn allows(&self, var: VarId, position: u32) -> bool {
        let first = self.domains[var.0 as usize].first;
        self.words[(first + position / 64) as usize] >> (position % 64) & 1 == 1
    }

    /// The only allowed position.
    pub fn fixed(&self, var: VarId) -> Option<u32> {
        self.domains[var.0 as usize].fixed()
    }

    /// The number of allowed values.
    pub fn size(&self, var: VarId) -> usize {
        self.domains[var.0 as usize].count()
    }

    /// The allowed positions, ascending.
    pub fn positions(&self, var: VarId) -> impl Iterator<Item = u32> + '_ {
        let state = self.domains[var.0 as usize];
        let range = if state.count == 0 { 0..0 } else { state.low..state.high + 1 };
        range.filter(move |position| self.allows(var, *position))
    }
}

/// Appends the words of a variable with all values allowed.
fn open(domain: &Domain, words: &mut Vec<u64>) -> VarState {
    let size = domain.size() as u32;
    let first = words.len() as u32;
    words.extend((0..size.div_ceil(64)).map(|word| full_word(size, word)));
    VarState { first, count: size, low: 0, high: size.saturating_sub(1) }
}

/// The bits of the `word`-th word of a domain of `size` values, all allowed.
fn full_word(size: u32, word: u32) -> u64 {
    match size - word * 64 {
        left if left >= 64 => u64::MAX,
        left => (1 << left) - 1,
    }
}

/// Propagates the rules to a fixpoint.
pub fn presolve(model: &Model, budget: &Budget) -> Result<Presolved, Stop> {
    Ok(Propagator::new(model, budget)?.into_presolved())
}

/// The target of a change on the trail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Target {
    /// A word of allowed values.
    Word(u32),
    /// The truth of a boolean node.
    Bool(u32),
    /// The bounds of an integer node.
    Low(u32),
    High(u32),
}

/// The cause of a change.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cause {
    /// The assertion with this index.
    Rule(u32),
    /// The propagation between this node and its operands.
    Bool(u32),
    Int(u32),
}

/// The limit for numbers of nodes, words and rules, because of the tag bits.
const MOST: usize = 1 << 30;

impl Target {
    fn pack(self) -> u32 {
        match self {
            Target::Word(i) => i << 2,
            Target::Bool(i) => i << 2 | 1,
            Target::Low(i) => i << 2 | 2,
            Target::High(i) => i << 2 | 3,
        }
    }

    fn unpack(packed: u32) -> Target {
        let index = packed >> 2;
        match packed & 3 {
            0 => Target::Word(index),
            1 => Target::Bool(index),
            2 => Target::Low(index),
            _ => Target::High(index),
        }
    }
}

impl Cause {
    fn pack(self) -> u32 {
        match self {
            Cause::Rule(i) => i << 2,
            Cause::Bool(i) => i << 2 | 1,
            Cause::Int(i) => i << 2 | 2,
        }
    }

    fn unpack(packed: u32) -> Cause {
        let index = packed >> 2;
        match packed & 3 {
            0 => Cause::Rule(index),
            1 => Cause::Bool(index),
            _ => Cause::Int(index),
        }
    }
}

/// A conflict: facts that contradict each other.
#[derive(Clone, Copy, Debug)]
enum Conflict {
    /// A node would get the opposite of its truth.
    Value { node: u32, cause: Cause },
    /// A variable would lose its last value.
    Empty { var: VarId, cause: Cause },
    /// This true `Is` node requires a removed value.
    Gone { node: u32 },
    /// A lower bound would exceed the upper one.
    Bound { int: u32, raised: bool, cause: Cause },
    /// The current operands violate a constraint.
    Broken { cause: Cause },
}

/// Why propagation ended early.
#[derive(Clone, Copy, Debug)]
enum Halt {
    Stop(Stop),
    Conflict(Conflict),
}

impl From<Stop> for Halt {
    fn from(stop: Stop) -> Halt {
        Halt::Stop(stop)
    }
}

type Step = Result<(), Halt>;

fn conflict<T>(conflict: Conflict) -> Result<T, Halt> {
    Err(Halt::Conflict(conflict))
}

/// The truth of a boolean node.
type Truth = u8;
const UNKNOWN: Truth = 0;
const YES: Truth = 1;
const NO: Truth = 2;

fn truth(value: bool) -> Truth {
    if value { YES } else { NO }
}

/// A change, with the old value.
#[derive(Clone, Copy, Debug)]
struct Entry {
    target: u32,
    cause: u32,
    old: u64,
}
