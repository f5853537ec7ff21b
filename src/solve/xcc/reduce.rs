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
        let (mut lens, mut highs) = (self.dance.lens.clone(), self.dance.highs.clone());
        let mut dropped = 0;
        // Options tried since the last one that was dropped.
        let mut vain = 0;
        for option in (0..options).cycle() {
            if vain == options || self.dance.work >= limit {
                break;
            }
            vain += 1;
            let node = self.dance.primary_node(option);
            if !self.dance.is_possible(node) {
                continue;
            }
            self.account(budget)?;
            self.dance.work += lens.len() as u64 / 8;
            let possible = self.include(node) && self.follow();
            self.dance.lens.copy_from_slice(&lens);
            self.dance.highs.copy_from_slice(&highs);
            if !possible {
                dropped += 1;
                vain = 0;
                if !self.drop_option(node) {
                    self.alive = false;
                    break;
                }
                lens.copy_from_slice(&self.dance.lens);
                highs.copy_from_slice(&self.dance.highs);
            }
            self.dance.forced.clear();
        }
        self.dance.forced.clear();
        Ok(dropped)
    }

    /// Makes forced moves; false if they lead to a dead end.
    fn follow(&mut self) -> bool {
        while let Some(item) = self.tight() {
            let node = self.dance.node_at(self.dance.begin(item));
            if !self.include(node) {
                return false;
            }
        }
        true
    }
}
