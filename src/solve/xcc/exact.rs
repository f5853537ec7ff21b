//! The search when every primary item is covered exactly once (XCC).
//!
//! A decision is an item and the options that cover it. Opening a decision removes all of them at once, since any two
//! are incompatible; choosing one removes its rivals. The item has the fewest options, with ties broken to the left.
//! Items with a single option are decided without looking for others.

use super::dance::DONE;
use super::engine::{Choice, Engine, Frame};
use crate::shared::{Budget, Stop};

/// The state of a search.
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

    /// Makes forced choices until there is a decision to make.
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
            let Some(option) = self.dance.options_of(item).next() else { return Ok(Position::DeadEnd) };
            self.cover(item);
            if !self.choose(Choice { option, item, k: 1, n: 1 }) {
                return Ok(Position::DeadEnd);
            }
        }
    }

    fn next_forced(&mut self) -> Option<u32> {
        while let Some(item) = self.dance.forced.pop() {
            if self.dance.lens[item as usize] < DONE {
                return Some(item);
            }
        }
        None
    }

    /// The leftmost item with the fewest options, and their number; preferred items come before others unless one of
    /// those has at most one option. [`DONE`] or more if no item is left.
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

    /// Covers an item: its options are removed.
    fn cover(&mut self, item: u32) {
        self.dance.lens[item as usize] |= DONE;
        self.dance.hide::<false, false>(item);
    }

    pub(super) fn open(&mut self, item: u32, budget: &Budget) -> Result<(), Stop> {
        self.make_room(budget)?;
        let begin = self.ways.len() as u32;
        self.ways.extend(self.dance.options_of(item));
        let end = self.ways.len() as u32;
        self.cover(item);
        self.save();
        self.frames.push(Frame { depth: self.chosen.len() as u32, item, begin, next: begin, end });
        Ok(())
    }

    /// Tries the next option of the last decision; false if it fails, or if no option is left and the decision is
    /// closed.
    pub(super) fn try_next(&mut self) -> bool {
        let frame = self.frames.last_mut().expect("a decision is open");
        let Frame { depth, item, begin, next, end } = *frame;
        if next == end {
            self.close();
            return false;
        }
        frame.next += 1;
        self.chosen.truncate(depth as usize);
        if next > begin {
            self.restore();
        }
        let option = self.ways[next as usize];
        if next + 1 == end && self.tail {
            // The search never returns to this decision.
            self.close();
        }
        self.choose(Choice { option, item, k: next - begin + 1, n: end - begin })
    }

    /// Chooses an option whose deciding item is already covered; false if some primary item is left without options.
    fn choose(&mut self, choice: Choice) -> bool {
        self.chosen.push(choice);
        let dance = &mut self.dance;
        dance.finish(choice.option);
        dance.hide_rivals(choice.option)
    }
}

/// Index and value of the first minimum; [`u32::MAX`] if there is none.
fn leftmost_least(lens: &[u32]) -> (u32, u32) {
    // In blocks, for SIMD instructions; lengths are small enough for `i32`.
    const BLOCK: usize = 16;
    let least_of = |lens: &[u32]| lens.iter().fold(i32::MAX, |least, len| least.min(*len as i32));
    let (mut best, mut least) = (0, i32::MAX);
    for (at, block) in lens.chunks(BLOCK).enumerate() {
        let found = least_of(block);
        if found < least {
            (best, least) = (at * BLOCK, found);
        }
    }
    let within = lens[best..].iter().position(|len| *len as i32 == least).unwrap_or(0);
    ((best + within) as u32, least as u32)
}
