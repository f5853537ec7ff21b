//! Domain consistency before the search: drops options that would leave some item with too few options.
//!
//! Stronger than Knuth's DLX-PRE: each option is tried alone, together with the choices it forces. Dropping an option
//! may make others impossible, so this repeats until a fixpoint, or until the allowed work is done.

use super::engine::Engine;
use crate::shared::{Budget, Stop};

impl Engine {
    /// Drops options that are in no solution; returns how many. Call this before the search begins. It examines about
    /// `work` options at most.
    pub fn reduce(&mut self, budget: &Budget, work: u64) -> Result<usize, Stop> {
        let limit = self.dance.work.saturating_add(work);
        let options = self.dance.options();
        let highs = self.dance.highs.clone();
        let mut dropped = 0;
        // Options tried since the last dropped one.
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

    /// Makes forced choices; false if they lead to a dead end.
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
