//! Reduces a cover: removes forced and impossible options.
//!
//! In: a cover. Out: a smaller cover, and the fate of each option and item. An option that some item requires is taken,
//! and the options that it excludes are dropped. An option that would leave some item too few options is dropped (as in
//! Knuth's DLX-PRE). This repeats until a fixpoint or a work limit. The solutions of the reduced cover, plus the taken
//! options, are exactly the solutions of the whole cover.

use super::cover::{Cover, Entry, ItemId};
use super::words::Uses;
use crate::encode::cnf::EncodeError;
use crate::shared::Budget;

/// The work limit: entries visited by trials.
const MOST_WORK: u64 = 1 << 25;

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum State {
    Open,
    Taken,
    Dropped,
}

/// The fate of an item.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Fate {
    Open,
    /// Covered as often as its upper bound allows.
    Closed,
    /// A secondary item with this colour.
    Coloured(u8),
}

/// A reduced cover, and the fates of the old options and items.
pub(super) struct Reduced {
    pub cover: Cover,
    states: Vec<State>,
    /// By old option: the number of open options before it.
    before: Vec<usize>,
    fates: Vec<Fate>,
    /// By old item: the new item.
    items: Vec<Option<ItemId>>,
}

/// The fate of an option.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Became {
    Certain,
    Impossible,
    /// The new number of an open option.
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

    /// The number of remaining options before the old one.
    pub fn place(&self, old: usize) -> usize {
        self.before[old]
    }

    /// The entries in the reduced cover, without those that always hold; `None` if they cannot hold together.
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
    /// By item: the remaining lower and upper bound of a primary item; (0, 0) for a secondary one.
    bounds: Vec<(u32, u32)>,
    /// By item: the number of its open options.
    open: Vec<u32>,
    /// Items that may require all of their open options.
    tight: Vec<ItemId>,
    work: u64,
    /// By option: the last trial that excluded it. `lost`, by item: the number of its options that the trial excludes.
    stamps: Vec<u32>,
    lost: Vec<u32>,
}

/// Reduces a cover; `None` if it has no solution.
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
    /// Queues an item that requires all its open options; false if they are too few.
    fn check(&mut self, item: ItemId) -> bool {
        let (least, _) = self.bounds[item as usize];
        let open = self.open[item as usize];
        if least > 0 && open == least {
            self.tight.push(item);
        }
        open >= least
    }

    /// Takes all options that tight items require; false on a contradiction.
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

    /// Tests every open option, and drops the impossible ones; false on a contradiction.
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

    /// If this option were taken, would every item keep enough options?
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
            // an uncoloured secondary item with a single option excludes nothing
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
