//! The database of learned clauses.

use super::{Index, Quick, Reason};

/// A learned clause.
#[derive(Clone, Copy, Debug)]
pub struct Learned {
    pub clause: u32,
    /// The number of decision levels it spans; clauses with few levels are worth keeping (Audemard, Simon 2009).
    pub levels: u32,
    /// The number of its cut, if it is a kept cut; else [`NO_CUT`].
    pub cut: u32,
}

pub const NO_CUT: u32 = u32::MAX;

impl Quick {
    /// Adds a clause of the formula, of at least three literals, before the learned ones.
    pub(super) fn add_clause(&mut self, lits: &[Index]) {
        if !self.learned.is_empty() {
            // Learned clauses remain valid, but clauses of the formula must come first in the arena.
            self.forget();
        }
        let clause = self.store(lits);
        self.learned_from = self.arena.len();
        self.watch(clause);
    }

    pub(super) fn store(&mut self, lits: &[Index]) -> u32 {
        let clause = u32::try_from(self.arena.len()).expect("clauses of 16 GiB at most");
        self.arena.push(lits.len() as u32);
        self.arena.extend(lits);
        clause
    }

    /// Drops all learned clauses. None of them may be the reason of a literal that stays assigned.
    pub(super) fn forget(&mut self) {
        if self.learned.is_empty() {
            return;
        }
        let from = self.learned_from;
        self.arena.truncate(from);
        self.learned.clear();
        for watches in &mut self.watches {
            watches.retain(|watch| (watch.clause as usize) < from);
        }
    }

    /// Drops the worse half of the learned clauses, except current reasons. During an enumeration the limit does not
    /// grow: otherwise late models would take much longer than early ones. Each search still terminates, because
    /// restarts become rarer.
    pub(super) fn reduce(&mut self) {
        let listing = self.answer.is_some();
        let few = if listing { 0 } else { 2 };
        let mut kept = std::mem::take(&mut self.learned);
        kept.sort_by_key(|learned| (learned.levels, learned.clause));
        let half = kept.len() / 2;
        let mut rank = 0;
        kept.retain(|learned| {
            rank += 1;
            let first = self.arena[learned.clause as usize + 1];
            let is_reason =
                self.is_true(first) && self.reason[first as usize / 2] == Reason::Clause(learned.clause);
            rank <= half || learned.levels <= few || is_reason
        });
        kept.sort_by_key(|learned| learned.clause);
        let from = self.learned_from;
        for watches in &mut self.watches {
            watches.retain(|watch| (watch.clause as usize) < from);
        }
        let old = self.arena.split_off(from);
        for learned in &mut kept {
            let at = learned.clause as usize - from;
            let clause = self.store(&old[at + 1..at + 1 + old[at] as usize]);
            let first = self.arena[clause as usize + 1] as usize;
            if self.values[first] > 0 && self.reason[first / 2] == Reason::Clause(learned.clause) {
                self.reason[first / 2] = Reason::Clause(clause);
            }
            learned.clause = clause;
            // The watched literals stay the first two, so the watch invariant still holds.
            if self.literals(clause).len() > 1 {
                self.watch(clause);
            }
        }
        self.learned = kept;
        if !listing {
            self.most_learned += self.most_learned / 10;
        }
    }
}
