//! The automaton of a list of blocks (runs of a nonogram line).
//!
//! In: blocks, and the length of the line. Out: a deterministic [`Automaton`]; letter 0 is off, 1 is on. Subset
//! construction over places in the list.

use crate::model::{Automaton, Block};
use crate::shared::{Budget, Stop};
use std::collections::{BTreeMap, BTreeSet};

/// A place in the list of blocks: in block `block` after `seen` of its cells, or before the block if `seen` is 0.
#[derive(Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
struct Place {
    block: usize,
    seen: u32,
    /// In a run that `"*"` matches.
    free: bool,
}

type Places = BTreeSet<Place>;

/// The nondeterministic automaton of a list of blocks for a line of `n` cells.
struct Machine<'b> {
    blocks: &'b [Block],
    n: usize,
}

impl Machine<'_> {
    /// Adds the places after each `"*"` that matches no run.
    fn close(&self, places: Places) -> Places {
        let mut all = places.clone();
        for place in places.into_iter().filter(|place| place.seen == 0 && !place.free) {
            let stars =
                self.blocks[place.block..].iter().take_while(|block| **block == Block::AnyRuns).count();
            all.extend((1..=stars).map(|more| Place { block: place.block + more, seen: 0, free: false }));
        }
        all
    }

    fn start(&self) -> Places {
        self.close(BTreeSet::from([Place { block: 0, seen: 0, free: false }]))
    }

    fn step(&self, places: &Places, on: bool) -> Places {
        self.close(places.iter().filter_map(|place| self.step_of(place, on)).collect())
    }

    fn step_of(&self, place: &Place, on: bool) -> Option<Place> {
        let (at, seen) = (place.block, place.seen);
        match (on, place.free, self.blocks.get(at)) {
            // a run of "*" ends; the "*" may match more runs
            (false, true, _) => Some(Place { block: at, seen: 0, free: false }),
            (true, true, _) => Some(place.clone()),
            (false, false, _) if seen == 0 => Some(place.clone()),
            (false, false, _) => self.is_full(place).then_some(Place { block: at + 1, seen: 0, free: false }),
            (true, false, Some(Block::Length(length))) => {
                let has_room = seen < *length && *length as usize <= self.n;
                has_room.then_some(Place { block: at, seen: seen + 1, free: false })
            }
            (true, false, Some(Block::AnyLength)) => Some(Place { block: at, seen: 1, free: false }),
            (true, false, Some(Block::AnyRuns)) => Some(Place { block: at, seen: 0, free: true }),
            (true, false, None) => None,
        }
    }

    /// Can the block end here?
    fn is_full(&self, place: &Place) -> bool {
        match self.blocks.get(place.block) {
            Some(Block::Length(length)) => place.seen == *length,
            Some(Block::AnyLength) => place.seen > 0,
            Some(Block::AnyRuns) | None => place.free,
        }
    }

    fn accepts(&self, place: &Place) -> bool {
        let has_begun = place.free || place.seen > 0;
        let after = place.block + usize::from(has_begun);
        (!has_begun || self.is_full(place))
            && self.blocks[after.min(self.blocks.len())..].iter().all(|block| *block == Block::AnyRuns)
    }
}

/// The deterministic automaton of a list of blocks over `n` cells.
pub(super) fn runs_machine(blocks: &[Block], n: usize, budget: &Budget) -> Result<Automaton, Stop> {
    let machine = Machine { blocks, n };
    let start = machine.start();
    let mut numbers = BTreeMap::from([(start.clone(), 0)]);
    let mut states = vec![start];
    let (mut next, mut accepting) = (Vec::new(), Vec::new());
    while let Some(state) = states.get(accepting.len()) {
        accepting.push(state.iter().any(|place| machine.accepts(place)));
        for to in [false, true].map(|on| machine.step(state, on)) {
            budget.step(to.len() as u64 + 1)?;
            let number = match numbers.get(&to) {
                Some(number) => *number,
                None => {
                    // each set is stored twice, and B-tree nodes are only partly full
                    budget.charge((to.len() * 4 * size_of::<Place>() + 256) as u64)?;
                    let number = states.len() as u32;
                    numbers.insert(to.clone(), number);
                    states.push(to);
                    number
                }
            };
            next.push(number);
        }
    }
    Ok(Automaton { symbols: 2, start: 0, accepting, next })
}
