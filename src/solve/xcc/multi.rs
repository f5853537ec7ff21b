//! The search when items may be covered more or less often than once (MCC).
//!
//! A decision is an option: to take it, or to drop it for good. An item that must be covered `low` times yet and has
//! `len` options has degree `len - low + 1`, the number of ways its first option can be chosen; of the least degree are
//! preferred, in this order: less slack, more options, leftmost. An item that needs nothing and has no option is out.

use super::dance::{CURRENT, DONE};
use super::engine::{Choice, Engine, Frame};
use crate::shared::{Budget, Stop};
use std::ops::Range;

/// An item to decide and its degree, smaller being better.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Candidate {
    degree: u32,
    slack: u32,
    /// `u32::MAX` less the number of options.
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
                    self.frames.push(Frame { depth, place: 0, begin: 0, end: 0 });
                }
                self.alive = degree > 0 && self.take_first(item, degree);
            } else {
                let Some(Frame { depth, .. }) = self.frames.last().copied() else { return Ok(false) };
                self.restore();
                self.close();
                let left = self.chosen[depth as usize];
                self.chosen.truncate(depth as usize);
                self.left = Some(left);
                self.alive = self.drop_option(left.node);
            }
        }
    }

    /// An item that is known to need all its options.
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
        let dance = &self.dance;
        let candidates = items.filter_map(|item| {
            let len = dance.lens[item];
            let low = dance.low(item as u32);
            (len & DONE == 0 && (len > 0 || low > 0)).then(|| Candidate {
                degree: (len + 1).saturating_sub(low),
                slack: dance.slacks[item].min(dance.highs[item]),
                lack: u32::MAX - len,
                item: item as u32,
            })
        });
        candidates.min()
    }

    /// Takes the first option of an item; false if that leaves too little for some primary item.
    fn take_first(&mut self, item: u32, degree: u32) -> bool {
        let node = self.dance.node_at(self.dance.begin(item));
        // One choice after the other at the same item are one branching.
        let (k, n) = match self.left.take() {
            Some(left) if self.dance.item_of(left.node) == item => (left.k + 1, left.n),
            _ => (1, degree),
        };
        self.chosen.push(Choice { node, k, n });
        self.include(node)
    }

    /// Covers the items of a possible option; false if that leaves too little for some primary item.
    pub(super) fn include(&mut self, node: u32) -> bool {
        let dance = &mut self.dance;
        let mut at = node;
        loop {
            let item = dance.item_of(at);
            if !dance.is_done(item) {
                dance.take_out(at);
                if dance.is_primary(item) {
                    dance.highs[item as usize] -= 1;
                    if dance.highs[item as usize] == 0 {
                        dance.lens[item as usize] |= CURRENT;
                    }
                }
            }
            at = dance.next(at);
            if at == node {
                break;
            }
        }
        loop {
            let item = dance.item_of(at);
            if !dance.is_done(item) {
                if !dance.is_primary(item) || dance.highs[item as usize] == 0 {
                    dance.lens[item as usize] |= DONE;
                    if !dance.hide::<true, true>(item, dance.colour_of(at)) {
                        return false;
                    }
                } else if dance.lens[item as usize] == dance.low(item) {
                    dance.forced.push(item);
                }
            }
            at = dance.next(at);
            if at == node {
                return true;
            }
        }
    }

    /// Takes a possible option away, given by the node of a primary item; false if that leaves too little for some
    /// primary item.
    pub(super) fn drop_option(&mut self, node: u32) -> bool {
        let dance = &mut self.dance;
        let item = dance.item_of(node);
        let low = dance.low(item);
        if dance.lens[item as usize] <= low {
            return false;
        }
        dance.take_out(node);
        if dance.lens[item as usize] == low {
            dance.forced.push(item);
        }
        dance.remove::<true, true>(node)
    }
}
