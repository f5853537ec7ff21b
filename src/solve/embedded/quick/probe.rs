//! Failed-literal probing: facts found elsewhere are derived again, each by propagation from its negation, where that
//! is possible.

use super::{Quick, index};
use crate::encode::Lit;
use crate::shared::{Budget, Stop};

/// A fact may depend on another that comes later in the list.
const MOST_PASSES: usize = 4;

impl Quick {
    /// At the root: adds each of `lits` whose negation is refuted by propagation.
    pub(super) fn probe_all(&mut self, lits: &[Lit], budget: &Budget) -> Result<(), Stop> {
        if let Some(highest) = lits.iter().map(|lit| lit.unsigned_abs()).max() {
            super::SatEngine::reserve(self, highest);
        }
        if !self.settle() {
            return Ok(());
        }
        for _ in 0..MOST_PASSES {
            let before = self.trail.len();
            for lit in lits.iter().map(|lit| index(*lit)) {
                budget.step(1)?;
                if !self.is_open(lit) {
                    continue;
                }
                budget.check()?;
                self.levels.push(self.trail.len() as u32);
                self.assign(lit ^ 1, super::Reason::None);
                // no limit on theory propagation here
                let credit = std::mem::replace(&mut self.theory.credit, usize::MAX / 2);
                let refuted = self.propagate_all();
                self.theory.credit = credit;
                refuted.into_iter().for_each(|conflict| self.rests_on(conflict));
                self.jump(0);
                if self.inconsistent {
                    return Ok(());
                }
                if refuted.is_some() {
                    if self.is_open(lit) {
                        self.assign(lit, super::Reason::None);
                    }
                    if !self.settle() {
                        return Ok(());
                    }
                }
            }
            if self.trail.len() == before {
                break;
            }
        }
        Ok(())
    }

    /// Propagates at the root; false on a contradiction.
    fn settle(&mut self) -> bool {
        if !self.inconsistent
            && let Some(conflict) = self.propagate_all()
        {
            self.rests_on(conflict);
            self.inconsistent = true;
        }
        self.floor = 0;
        !self.inconsistent
    }
}
