//! The search when every primary item is covered exactly once (XCC).
//!
//! A decision is an item and the options that cover it. All of them leave the sets of their other items at once, when the
//! decision is opened; what remains a choice is which of them takes its other items away from the rest.

use super::dance::{CURRENT, DONE};
use super::engine::{Choice, Engine, Frame};
use super::problem::PLAIN;
use crate::shared::{Budget, Stop};

/// Where a search stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Position {
    Solution,
    DeadEnd,
    /// An item with at least two options is to be decided.
    Open(u32),
}

impl Engine {
    pub(super) fn advance_exact(&mut self, budget: &Budget) -> Result<bool, Stop> {
        loop {
            if self.alive {
                match self.descend_exact(budget)? {
                    Position::Solution => {
                        self.alive = false;
                        return Ok(true);
                    }
                    Position::DeadEnd => self.alive = false,
                    Position::Open(item) => {
                        self.open(item, budget)?;
                        self.alive = self.try_next();
                    }
                }
            } else if self.frames.is_empty() {
                return Ok(false);
            } else {
                self.alive = self.try_next();
            }
        }
    }

    /// Makes forced moves until there is something to decide.
    pub(super) fn descend_exact(&mut self, budget: &Budget) -> Result<Position, Stop> {
        loop {
            self.account(budget)?;
            let item = match self.next_forced() {
                Some(item) => item,
                None => {
                    let (item, len) = self.shortest();
                    match len {
                        0 => return Ok(Position::DeadEnd),
                        1 => item,
                        DONE.. => return Ok(Position::Solution),
                        _ => return Ok(Position::Open(item)),
                    }
                }
            };
            let node = self.cover(item);
            if !self.choose(node, 1, 1) {
                return Ok(Position::DeadEnd);
            }
        }
    }

    fn next_forced(&mut self) -> Option<u32> {
        while let Some(item) = self.dance.forced.pop() {
            if !self.dance.is_done(item) {
                return Some(item);
            }
        }
        None
    }

    /// The leftmost of the items with the fewest options, and how many these are; preferred items come before others
    /// unless those have one at most. [`DONE`] or more if there is no item left.
    fn shortest(&self) -> (u32, u32) {
        let preferred = self.dance.preferred;
        let (first, rest) = self.dance.lens[..self.dance.primaries].split_at(preferred);
        let before = leftmost_least(first);
        let (item, len) = leftmost_least(rest);
        match before {
            (item, found) if found < DONE && (found <= 1 || len > 1) => (item, found),
            _ => (item + preferred as u32, len),
        }
    }

    /// Takes the options of an item out of all other sets; the first of them.
    fn cover(&mut self, item: u32) -> u32 {
        let dance = &mut self.dance;
        dance.lens[item as usize] |= DONE;
        dance.hide::<false, false>(item, PLAIN);
        dance.node_at(dance.begin(item))
    }

    pub(super) fn open(&mut self, item: u32, budget: &Budget) -> Result<(), Stop> {
        self.make_room(budget)?;
        let len = self.dance.lens[item as usize];
        self.cover(item);
        self.save();
        let begin = self.dance.begin(item);
        self.frames.push(Frame { place: begin, begin, end: begin + len, depth: self.chosen.len() as u32 });
        Ok(())
    }

    /// Tries the next option of the last decision; false if it fails, or if the decision has none left and is closed.
    pub(super) fn try_next(&mut self) -> bool {
        let frame = self.frames.last_mut().expect("a decision is open");
        let Frame { place, begin, end, depth } = *frame;
        if place == end {
            self.close();
            return false;
        }
        frame.place += 1;
        self.chosen.truncate(depth as usize);
        if place > begin {
            self.restore();
        }
        if place + 1 == end && self.tail {
            // Nothing comes back here.
            self.close();
        }
        self.choose(self.dance.node_at(place), place - begin + 1, end - begin)
    }

    /// Chooses an option whose node's item is covered already; false if that leaves nothing for some primary item.
    fn choose(&mut self, node: u32, k: u32, n: u32) -> bool {
        self.chosen.push(Choice { node, k, n });
        let dance = &mut self.dance;
        let mut at = dance.next(node);
        while at != node {
            let item = dance.item_of(at);
            dance.lens[item as usize] |= CURRENT;
            at = dance.next(at);
        }
        at = dance.next(node);
        while at != node {
            let item = dance.item_of(at);
            if !dance.is_done(item) {
                dance.lens[item as usize] |= DONE;
                if !dance.hide::<true, false>(item, dance.colour_of(at)) {
                    return false;
                }
            }
            at = dance.next(at);
        }
        true
    }
}

/// Index and value of the first of the least lengths; [`u32::MAX`] if there are none.
fn leftmost_least(lens: &[u32]) -> (u32, u32) {
    let least = lens.iter().map(|len| *len as i32).min().map_or(u32::MAX, |len| len as u32);
    (lens.iter().position(|len| *len == least).unwrap_or(0) as u32, least)
}
