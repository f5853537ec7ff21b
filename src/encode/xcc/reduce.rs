//! What is certain of a cover, taken out of it before it is written.
//!
//! Options that an item cannot do without are taken, with all that they cover and exclude; options that would leave some item
//! too few are dropped (as Knuth's DLX-PRE does), until nothing changes or the work allowed is done. Every solution of what is
//! left is one of the whole with the taken options, and the other way round.

use super::cover::{Cover, Entry, ItemId};
use super::words::Uses;
use crate::encode::cnf::EncodeError;
use crate::shared::Budget;

/// Looks at items of options that dropping may take.
const MOST_WORK: u64 = 1 << 25;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Open,
    Taken,
    Dropped,
}

/// What became of an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    Open,
    /// Covered as often as it may be.
    Closed,
    /// A secondary one that has this colour.
    Coloured(u8),
}

/// A cover that was reduced, and what became of its options and items.
pub(super) struct Reduced {
    pub cover: Cover,
    states: Vec<State>,
    /// By old option, how many open ones come before it.
    before: Vec<usize>,
    fates: Vec<Fate>,
    /// By old item the new one.
    items: Vec<Option<ItemId>>,
}

/// What became of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Became {
    Certain,
    Impossible,
    /// It is this one now.
    Option(usize),
}

impl Reduced {
    pub fn option(&self, old: usize) -> Became {
        match self.states[old] {
            State::Taken => Became::Certain,
            State::Dropped => Became::Impossible,
            State::Open => Became::Option(self.before[old]),
        }
    }

    /// How many options are left of those before the old one.
    pub fn place(&self, old: usize) -> usize {
        self.before[old]
    }

    /// What is left to be looked for of these entries; `None` where they cannot be together.
    pub fn entries(&self, old: &[Entry]) -> Option<Vec<Entry>> {
        let mut left = Vec::with_capacity(old.len());
        for entry in old {
            match (self.fates[entry.item as usize], self.items[entry.item as usize]) {
                (Fate::Coloured(colour), _) if colour == entry.colour => {}
                (Fate::Open, Some(item)) => left.push(Entry { item, ..*entry }),
                _ => return None,
            }
        }
        Some(left)
    }
}

struct Reducer<'a> {
    cover: &'a Cover,
    uses: Uses,
    states: Vec<State>,
    fates: Vec<Fate>,
    /// By item, in how many more chosen options it must and may be; of secondary ones nothing.
    bounds: Vec<(u32, u32)>,
    /// By item, how many open options have it.
    open: Vec<u32>,
    /// Items all of whose open options are needed.
    tight: Vec<ItemId>,
    work: u64,
    /// By option, the last trial that excluded it; by item, how many options the trial excludes.
    stamps: Vec<u32>,
    lost: Vec<u32>,
}

/// Reduces a cover; `None` where it has no solution.
pub(super) fn reduce(cover: &Cover, budget: &Budget) -> Result<Option<Reduced>, EncodeError> {
    let uses = Uses::of(cover);
    let items = cover.items.len();
    let mut reducer = Reducer {
        cover,
        states: vec![State::Open; cover.option_count()],
        fates: vec![Fate::Open; items],
        bounds: cover.items.iter().map(|item| item.bounds.unwrap_or((0, 0))).collect(),
        open: (0..items).map(|item| uses.of_item(item as ItemId).len() as u32).collect(),
        uses,
        tight: Vec::new(),
        work: 0,
        stamps: vec![0; cover.option_count()],
        lost: vec![0; items],
    };
    for item in 0..items {
        if !reducer.check(item as ItemId) {
            return Ok(None);
        }
    }
    if !reducer.settle() || !reducer.drop_impossible(budget)? {
        return Ok(None);
    }
    Ok(Some(reducer.finish()))
}

impl Reducer<'_> {
    /// Notes an item whose open options are all needed; false where they are too few.
    fn check(&mut self, item: ItemId) -> bool {
        let (least, _) = self.bounds[item as usize];
        let open = self.open[item as usize];
        if least > 0 && open == least {
            self.tight.push(item);
        }
        open >= least
    }

    /// Takes what is certain.
    fn settle(&mut self) -> bool {
        while let Some(item) = self.tight.pop() {
            let (least, _) = self.bounds[item as usize];
            if least == 0 || self.open[item as usize] != least {
                continue;
            }
            for at in self.uses.range(item) {
                let option = self.uses.at(at);
                if self.states[option] == State::Open && !self.take(option) {
                    return false;
                }
            }
        }
        true
    }

    fn take(&mut self, option: usize) -> bool {
        self.states[option] = State::Taken;
        for entry in self.cover.option(option) {
            let item = entry.item as usize;
            self.open[item] -= 1;
            if self.cover.is_primary(entry.item) {
                let (least, most) = &mut self.bounds[item];
                *least = least.saturating_sub(1);
                *most -= 1;
            }
        }
        let cover = self.cover;
        cover.option(option).iter().all(|entry| {
            if self.cover.is_primary(entry.item) && self.bounds[entry.item as usize].1 > 0 {
                return self.check(entry.item);
            }
            self.fates[entry.item as usize] =
                if entry.colour == 0 { Fate::Closed } else { Fate::Coloured(entry.colour) };
            self.uses.range(entry.item).all(|at| {
                let other = self.uses.at(at);
                let agrees = entry.colour != 0 && self.cover.option(other).contains(entry);
                self.states[other] != State::Open || agrees || self.drop_option(other)
            })
        })
    }

    fn drop_option(&mut self, option: usize) -> bool {
        self.states[option] = State::Dropped;
        let cover = self.cover;
        cover.option(option).iter().all(|entry| {
            self.open[entry.item as usize] -= 1;
            self.check(entry.item)
        })
    }

    /// Tries every option alone.
    fn drop_impossible(&mut self, budget: &Budget) -> Result<bool, EncodeError> {
        let mut trial = 0;
        let mut changed = true;
        while std::mem::take(&mut changed) {
            for option in 0..self.states.len() {
                if self.states[option] != State::Open {
                    continue;
                }
                if self.work > MOST_WORK || trial == u32::MAX {
                    return Ok(true);
                }
                trial += 1;
                let before = self.work;
                if !self.is_possible(option, trial) {
                    changed = true;
                    if !self.drop_option(option) || !self.settle() {
                        return Ok(false);
                    }
                }
                budget.step(self.work - before + 1).map_err(EncodeError::Stop)?;
            }
        }
        Ok(true)
    }

    /// Would every item keep enough options?
    fn is_possible(&mut self, option: usize, trial: u32) -> bool {
        let cover = self.cover;
        let own = cover.option(option);
        self.stamps[option] = trial;
        let mut touched: Vec<ItemId> = Vec::new();
        for entry in own {
            let item = entry.item as usize;
            if self.fates[item] != Fate::Open || (cover.is_primary(entry.item) && self.bounds[item].1 > 1) {
                continue;
            }
            for at in self.uses.range(entry.item) {
                let other = self.uses.at(at);
                self.work += 1;
                if self.states[other] != State::Open || self.stamps[other] == trial {
                    continue;
                }
                let entries = cover.option(other);
                self.work += entries.len() as u64;
                if entry.colour != 0 && entries.contains(entry) {
                    continue;
                }
                self.stamps[other] = trial;
                for lost in entries.iter().filter(|lost| self.bounds[lost.item as usize].0 > 0) {
                    if self.lost[lost.item as usize] == 0 {
                        touched.push(lost.item);
                    }
                    self.lost[lost.item as usize] += 1;
                }
            }
        }
        let mut possible = true;
        for item in touched {
            let lost = std::mem::take(&mut self.lost[item as usize]);
            let (least, most) = self.bounds[item as usize];
            let covered = most == 1 && own.iter().any(|entry| entry.item == item);
            possible &= covered || self.open[item as usize] - lost >= least;
        }
        possible
    }

    fn finish(self) -> Reduced {
        let mut cover = Cover::default();
        let mut items = vec![None; self.fates.len()];
        for (at, item) in self.cover.items.iter().enumerate() {
            // a secondary item without colour that one option has excludes nothing
            let useful = match item.bounds {
                Some(_) => self.open[at] > 0,
                None => self.open[at] > 1 || (self.open[at] == 1 && self.is_coloured(at as ItemId)),
            };
            if self.fates[at] == Fate::Open && useful {
                items[at] = Some(cover.add_item(item.name, item.bounds.map(|_| self.bounds[at])));
            }
        }
        let mut before = Vec::with_capacity(self.states.len());
        let mut entries = Vec::new();
        for (at, option) in self.cover.options().enumerate() {
            before.push(cover.option_count());
            if self.states[at] == State::Open {
                entries.clear();
                entries.extend(option.iter().filter_map(|entry| {
                    items[entry.item as usize].map(|item| Entry { item, colour: entry.colour })
                }));
                cover.add_option(&entries);
            }
        }
        before.push(cover.option_count());
        Reduced { cover, states: self.states, before, fates: self.fates, items }
    }

    fn is_coloured(&self, item: ItemId) -> bool {
        self.uses.range(item).any(|at| {
            self.cover.option(self.uses.at(at)).iter().any(|entry| entry.item == item && entry.colour != 0)
        })
    }
}
