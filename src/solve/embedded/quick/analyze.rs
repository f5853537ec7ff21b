//! Conflict analysis: derives a learned clause from a conflict.

use super::{Conflict, Index, Quick, Reason};

/// Buffers that are reused.
#[derive(Debug, Default)]
pub struct Scratch {
    /// The clause that is being learned; the asserting literal comes first.
    pub clause: Vec<Index>,
    /// Variables whose mark in `seen` is to be cleared.
    marked: Vec<u32>,
    stack: Vec<Index>,
    /// By level: the conflict that last counted it.
    counted: Vec<u64>,
}

impl Quick {
    /// Learns a clause into `scratch.clause`; returns the level to jump back to, and the number of levels the clause
    /// spans. The conflict must be above the floor. Literals up to the base level are omitted: they hold as long as
    /// the clause is kept.
    pub(super) fn analyze(&mut self, conflict: Conflict) -> (u32, u32) {
        let mut scratch = std::mem::take(&mut self.scratch);
        scratch.clause.clear();
        scratch.clause.push(0);
        let mut open = 0;
        match conflict {
            Conflict::Binary(a, b) => {
                self.mark(a, &mut open, &mut scratch);
                self.mark(b, &mut open, &mut scratch);
            }
            Conflict::Clause(clause) => {
                self.uses(clause);
                self.mark_others(clause, 0, &mut open, &mut scratch);
            }
        }
        let mut at = self.trail.len();
        let asserted = loop {
            at -= 1;
            let lit = self.trail[at];
            let var = lit as usize / 2;
            if !self.seen[var] {
                continue;
            }
            open -= 1;
            if open == 0 {
                break lit ^ 1;
            }
            match self.reason[var] {
                Reason::None => unreachable!("the decision of a level comes last"),
                Reason::Binary(other) => self.mark(other, &mut open, &mut scratch),
                Reason::Clause(clause) => {
                    self.uses(clause);
                    self.mark_others(clause, 1, &mut open, &mut scratch);
                }
            }
        };
        scratch.clause[0] = asserted;
        self.minimize(&mut scratch);
        for var in scratch.marked.drain(..) {
            self.seen[var as usize] = false;
        }
        self.heap.decay();
        self.conflicts += 1;
        let jump = self.sort_by_level(&mut scratch.clause);
        let levels = self.count_levels(&mut scratch);
        self.scratch = scratch;
        (jump, levels)
    }

    fn mark_others(&mut self, clause: u32, skip: usize, open: &mut u32, scratch: &mut Scratch) {
        let start = clause as usize + 1;
        let end = start + self.arena[clause as usize] as usize;
        for i in start + skip..end {
            self.mark(self.arena[i], open, scratch);
        }
    }

    fn mark(&mut self, lit: Index, open: &mut u32, scratch: &mut Scratch) {
        let var = lit as usize / 2;
        let level = self.level[var];
        if self.seen[var] || level <= self.base {
            return;
        }
        self.seen[var] = true;
        scratch.marked.push(var as u32);
        self.heap.bump(var as u32);
        if level == self.depth() {
            *open += 1;
        } else {
            scratch.clause.push(lit);
        }
    }

    /// Removes literals that are implied by the negations of others (Sörensson, Biere 2009).
    fn minimize(&mut self, scratch: &mut Scratch) {
        let mut kept = 1;
        for i in 1..scratch.clause.len() {
            let lit = scratch.clause[i];
            if !self.is_redundant(lit, scratch) {
                scratch.clause[kept] = lit;
                kept += 1;
            }
        }
        scratch.clause.truncate(kept);
    }

    fn is_redundant(&mut self, lit: Index, scratch: &mut Scratch) -> bool {
        if self.reason[lit as usize / 2] == Reason::None {
            return false;
        }
        let before = scratch.marked.len();
        scratch.stack.clear();
        scratch.stack.push(lit);
        while let Some(lit) = scratch.stack.pop() {
            let pair;
            let others = match self.reason[lit as usize / 2] {
                Reason::None => unreachable!("only literals with a reason are pushed"),
                Reason::Binary(other) => {
                    pair = [other];
                    &pair[..]
                }
                Reason::Clause(clause) => {
                    self.uses(clause);
                    let start = clause as usize + 1;
                    &self.arena[start + 1..start + self.arena[clause as usize] as usize]
                }
            };
            for other in others {
                let var = *other as usize / 2;
                if self.seen[var] || self.level[var] <= self.base {
                    continue;
                }
                if self.reason[var] == Reason::None {
                    for var in scratch.marked.drain(before..) {
                        self.seen[var as usize] = false;
                    }
                    return false;
                }
                self.seen[var] = true;
                scratch.marked.push(var as u32);
                scratch.stack.push(*other);
            }
        }
        true
    }

    /// Moves a literal of the highest level, apart from the first, to the second place; returns that level, or the
    /// base.
    fn sort_by_level(&self, clause: &mut [Index]) -> u32 {
        let level = |lit: Index| self.level[lit as usize / 2];
        match (1..clause.len()).max_by_key(|i| level(clause[*i])) {
            Some(highest) => {
                clause.swap(1, highest);
                level(clause[1])
            }
            None => self.base,
        }
    }

    fn count_levels(&self, scratch: &mut Scratch) -> u32 {
        scratch.counted.resize(self.levels.len() + 1, 0);
        let mut levels = 0;
        for lit in &scratch.clause {
            let level = self.level[*lit as usize / 2] as usize;
            if scratch.counted[level] != self.conflicts {
                scratch.counted[level] = self.conflicts;
                levels += 1;
            }
        }
        levels
    }

    /// The core of a conflict at the base level. If learned clauses are involved, which omit assumptions, the core is
    /// all assumptions.
    pub(super) fn blame(&mut self, conflict: Conflict, assumptions: &[Index]) {
        let mut queue: Vec<Index> = match conflict {
            Conflict::Binary(a, b) => vec![a, b],
            Conflict::Clause(clause) if (clause as usize) < self.learned_from => {
                self.literals(clause).to_vec()
            }
            Conflict::Clause(_) => {
                self.failed = assumptions.to_vec();
                return;
            }
        };
        self.failed.clear();
        let mut marked = Vec::new();
        let mut learned = false;
        while let Some(lit) = queue.pop() {
            let var = lit as usize / 2;
            if self.seen[var] || self.level[var] == 0 {
                continue;
            }
            self.seen[var] = true;
            marked.push(var);
            match self.reason[var] {
                Reason::None => self.failed.push(lit ^ 1),
                Reason::Binary(other) => queue.push(other),
                Reason::Clause(clause) => {
                    learned |= clause as usize >= self.learned_from;
                    queue.extend(&self.literals(clause)[1..]);
                }
            }
        }
        for var in marked {
            self.seen[var] = false;
        }
        // A unit learned under assumptions has no reason and is not an assumption.
        if learned || self.failed.iter().any(|lit| !assumptions.contains(lit)) {
            self.failed = assumptions.to_vec();
        }
    }
}
