//! The search when items may be covered more or less often than once (MCC).
//!
//! A decision is an option: to choose it, or to drop it for good. An item that must be covered `low` more times and
//! has `len` options has degree `len - low + 1`, the number of ways its first option can be chosen. Among items of
//! least degree the order is: less slack, more options, leftmost. An item that need not be covered and has no option
//! is skipped.

use super::dance::{DONE, Dance};
use super::engine::{Choice, Engine, Frame};
use crate::shared::{Budget, Stop};
use std::ops::Range;

/// An item to decide and its degree; smaller is better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    degree: u32,
    slack: u32,
    /// `u32::MAX` minus the number of options.
    lack: u32,
    item: u32,
}

impl Engine {
    pub(super) fn advance_multi(&mut self, budget: &Budget) -> Result<bool, Stop> {
        loop {
            if self.alive {
                self.account(budget)?;
                let (item, degree) = match self.tight() {
                    Some(item) => (item, 1),
                    None => match self.least_degree() {
                        Some(best) => (best.item, best.degree),
                        None => {
                            self.alive = false;
                            return Ok(true);
                        }
                    },
                };
                if degree > 1 {
                    self.make_room(budget)?;
                    self.save();
                    let depth = self.chosen.len() as u32;
                    self.frames.push(Frame { depth, item, begin: 0, next: 0, end: 0 });
                }
                self.alive = degree > 0 && self.take_first(item, degree);
            } else {
                let Some(Frame { depth, .. }) = self.frames.last().copied() else { return Ok(false) };
                self.restore();
                self.close();
                let left = self.chosen[depth as usize];
                self.chosen.truncate(depth as usize);
                self.left = Some(left);
                self.alive = self.dance.remove::<true>(left.option);
            }
        }
    }

    /// An item that needs all its options.
    pub(super) fn tight(&mut self) -> Option<u32> {
        while let Some(item) = self.dance.forced.pop() {
            let low = self.dance.low(item);
            if low > 0 && self.dance.lens[item as usize] == low {
                return Some(item);
            }
        }
        None
    }

    fn least_degree(&self) -> Option<Candidate> {
        let preferred = self.dance.preferred;
        let first = self.best_of(0..preferred);
        let rest = self.best_of(preferred..self.dance.primaries);
        match (first, rest) {
            (Some(first), Some(rest)) if rest.degree <= 1 && first.degree > 1 => Some(rest),
            (first, rest) => first.or(rest),
        }
    }

    fn best_of(&self, items: Range<usize>) -> Option<Candidate> {
        let Dance { lens, highs, slacks, .. } = &self.dance;
        let bounds = highs[items.clone()].iter().zip(&slacks[items.clone()]);
        let mut best: Option<Candidate> = None;
        for ((item, len), (high, slack)) in (0..).zip(&lens[items.clone()]).zip(bounds) {
            let low = high.saturating_sub(*slack);
            let degree = (len + 1).saturating_sub(low);
            // This skips most items. An item that is done has a length beyond all others.
            if best.is_some_and(|best| degree > best.degree) || *len >= DONE || *len == 0 && low == 0 {
                continue;
            }
            let slack = *slack.min(high);
            let found = Candidate { degree, slack, lack: u32::MAX - len, item: items.start as u32 + item };
            if best.is_none_or(|best| found < best) {
                best = Some(found);
            }
        }
        best
    }

    /// Chooses the first option of an item; false if some primary item is left with too few options.
    fn take_first(&mut self, item: u32, degree: u32) -> bool {
        let Some(option) = self.dance.options_of(item).next() else { return false };
        // Successive choices at the same item are one branching.
        let (k, n) = match self.left.take() {
            Some(left) if left.item == item => (left.k + 1, left.n),
            _ => (1, degree),
        };
        self.chosen.push(Choice { option, item, k, n });
        self.include(option)
    }

    /// Covers the items of a possible option; false if some primary item is left with too few options.
    pub(super) fn include(&mut self, option: u32) -> bool {
        let dance = &mut self.dance;
        dance.remove::<false>(option);
        dance.spend(option);
        for entry in dance.entries(option) {
            let item = dance.item_at(entry);
            let len = dance.lens[item as usize];
            if len & DONE != 0 {
                if !dance.hide_disagreeing::<true>(entry) {
                    return false;
                }
            } else if len == dance.low(item) {
                dance.forced.push(item);
            }
        }
        true
    }
}
