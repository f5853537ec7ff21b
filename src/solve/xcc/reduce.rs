//! Domain consistency before the search: options that would leave some item too few options are dropped.
//!
//! What Knuth's DLX-PRE does, and further: each option is tried alone, with what it forces. Dropping one may make others
//! impossible, so this goes on until nothing changes or the work allowed is done.

use super::engine::Engine;
use crate::shared::{Budget, Stop};

impl Engine {
    /// Drops options that are in no solution; returns how many. To be called before the search begins; looks at about
    /// `work` options at most.
    pub fn reduce(&mut self, budget: &Budget, work: u64) -> Result<usize, Stop> {
        let limit = self.dance.work.saturating_add(work);
        let options = self.dance.options();
        let highs = self.dance.highs.clone();
        let mut dropped = 0;
        // Options tried since the last one that was dropped.
        let mut vain = 0;
        self.save();
        for option in (0..options as u32).cycle() {
            if vain == options || self.dance.work >= limit {
                break;
            }
            vain += 1;
            if !self.dance.is_possible(option) {
                continue;
            }
            self.pay(budget)?;
            let possible = self.include(option) && self.follow();
            self.restore();
            self.dance.highs.copy_from_slice(&highs);
            if !possible {
                dropped += 1;
                vain = 0;
                if !self.dance.remove::<true>(option) {
                    self.alive = false;
                    break;
                }
                self.close();
                self.save();
            }
        }
        self.close();
        self.dance.forced.clear();
        Ok(dropped)
    }

    /// Makes forced moves; false if they lead to a dead end.
    fn follow(&mut self) -> bool {
        while let Some(item) = self.tight() {
            let Some(option) = self.dance.options_of(item).next() else { return false };
            if !self.include(option) {
                return false;
            }
        }
        true
    }
}
