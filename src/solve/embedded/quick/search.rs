//! The search: propagate, learn, jump, decide; and on from one model to the next.

use super::learned::{Learned, NO_CUT};
use super::{Conflict, Index, Quick, Reason, Watch, index};
use crate::encode::Lit;
use crate::shared::Budget;
use crate::solve::embedded::{EngineAnswer, SatEngine};

/// Conflicts before a restart, times Luby's sequence.
const RESTART: u64 = 32;
/// Decisions and conflicts between looks at the budget.
const LOOK: u32 = 256;

impl Quick {
    /// Back to the root, without what was learned under assumptions.
    pub(super) fn reset(&mut self) {
        self.jump(0);
        if self.base > 0 {
            self.forget();
            self.base = 0;
        }
        self.floor = 0;
    }

    /// Takes assumptions, and the literals that tell answers apart if there will be several.
    pub(super) fn begin(&mut self, assumptions: &[Lit], answer: Option<&[Lit]>) {
        self.reset();
        let highest = |lits: &[Lit]| lits.iter().map(|lit| lit.unsigned_abs()).max().unwrap_or(0);
        self.reserve(highest(assumptions).max(highest(answer.unwrap_or(&[]))));
        if answer.is_some() || self.answer.is_some() {
            self.heap.prefer(answer.unwrap_or(&[]).iter().map(|lit| index(*lit) / 2));
        }
        self.answer = answer.map(|lits| lits.iter().map(|lit| index(*lit)).collect());
        self.failed.clear();
        self.assumed.clear();
        self.assumed.extend(assumptions.iter().map(|lit| index(*lit)));
        self.phase.fill(true);
        self.begun = false;
        self.found = false;
        if std::mem::take(&mut self.unsorted) {
            for implied in &mut self.implied {
                implied.sort_unstable();
                implied.dedup();
            }
        }
    }

    /// Assigns the assumptions; false if they cannot hold.
    fn assume(&mut self) -> bool {
        if !self.inconsistent
            && let Some(conflict) = self.propagate()
        {
            self.rests_on(conflict);
            self.inconsistent = true;
        }
        if self.inconsistent {
            return false;
        }
        // What was turned round lies on the base too, and must not be taken for a fact.
        if self.assumed.is_empty() && self.answer.is_none() {
            return true;
        }
        self.base = 1;
        self.floor = 1;
        self.levels.push(self.trail.len() as u32);
        let assumed = std::mem::take(&mut self.assumed);
        let mut possible = true;
        for lit in &assumed {
            if self.is_false(*lit) {
                // Against the formula alone, or against another assumption.
                self.failed = match assumed.contains(&(lit ^ 1)) {
                    true => vec![*lit, lit ^ 1],
                    false => vec![*lit],
                };
                possible = false;
                break;
            }
            if self.is_open(*lit) {
                self.assign(*lit, Reason::None);
            }
        }
        if possible && let Some(conflict) = self.propagate() {
            self.blame(conflict, &assumed);
            possible = false;
        }
        self.assumed = assumed;
        possible
    }

    /// Looks for a model from here.
    pub(super) fn search(&mut self, budget: &Budget) -> EngineAnswer {
        if let Err(stop) = budget.check() {
            return EngineAnswer::Unknown(stop);
        }
        if self.inconsistent {
            return EngineAnswer::Unsat;
        }
        if !self.begun {
            self.begun = true;
            if !self.assume() {
                return EngineAnswer::Unsat;
            }
        }
        let mut restarts = 0;
        let mut until_restart = RESTART;
        let mut until_look = LOOK;
        loop {
            until_look -= 1;
            if until_look == 0 {
                until_look = LOOK;
                if let Err(stop) = budget.check().and_then(|()| budget.step(LOOK.into())) {
                    return EngineAnswer::Unknown(stop);
                }
            }
            let Some(conflict) = self.conclude() else {
                if self.inconsistent {
                    return EngineAnswer::Unsat;
                }
                if until_restart == 0 {
                    restarts += 1;
                    until_restart = RESTART * luby(restarts);
                    self.jump(self.floor);
                    if self.learned.len() > self.most_learned {
                        self.reduce();
                    }
                    continue;
                }
                match self.decide() {
                    Some(lit) => {
                        self.levels.push(self.trail.len() as u32);
                        self.assign(lit, Reason::None);
                    }
                    None => {
                        self.found = true;
                        return EngineAnswer::Sat;
                    }
                }
                continue;
            };
            until_restart = until_restart.saturating_sub(1);
            if self.depth() <= self.floor.max(self.base) {
                self.rests_on(conflict);
            }
            if self.depth() == 0 {
                // a cut may be false by facts alone, under assumptions too: its graph will not be looked at again
                self.inconsistent = true;
                return EngineAnswer::Unsat;
            }
            if self.depth() <= self.base {
                let assumed = std::mem::take(&mut self.assumed);
                self.blame(conflict, &assumed);
                self.assumed = assumed;
                return EngineAnswer::Unsat;
            }
            if self.depth() <= self.floor {
                // Nothing is left on this side of the decision.
                self.turn(self.floor);
                continue;
            }
            let (jump, levels) = self.analyze(conflict);
            self.learn(jump.max(self.floor), levels);
        }
    }

    /// Adds the clause that was learned, and draws its consequence.
    fn learn(&mut self, jump: u32, levels: u32) {
        self.jump(jump);
        let clause = std::mem::take(&mut self.scratch.clause);
        let asserted = clause[0];
        let reason = match clause.len() {
            1 => Reason::None,
            _ => {
                let place = self.store(&clause);
                self.learned.push(Learned { clause: place, levels, cut: NO_CUT });
                self.watch(place);
                Reason::Clause(place)
            }
        };
        self.scratch.clause = clause;
        self.assign(asserted, reason);
    }

    /// The open variable to branch on, with the value to try first.
    fn decide(&mut self) -> Option<Index> {
        if self.trail.len() == self.level.len() {
            // Without this, every model would cost emptying the heap and filling it again.
            return None;
        }
        loop {
            let var = self.heap.pop()?;
            if self.is_open(2 * var) {
                return Some(2 * var + u32::from(!self.phase[var as usize]));
            }
        }
    }

    /// Turns the last decision on a literal of the answer round, so that the answer will be another; false if there is
    /// none.
    pub(super) fn turn_last_decision(&mut self) -> bool {
        let Some(answer) = &self.answer else { return false };
        for lit in answer {
            self.seen[*lit as usize / 2] = true;
        }
        // Literals of the answer are decided before all others.
        let decided = &self.levels[self.base as usize..];
        let count = decided.iter().take_while(|at| self.seen[self.trail[**at as usize] as usize / 2]).count();
        for lit in answer {
            self.seen[*lit as usize / 2] = false;
        }
        if count > 0 {
            self.turn(self.base + count as u32);
        }
        count > 0
    }

    /// Turns the decision of a level round: it is false from here on, one level below.
    fn turn(&mut self, level: u32) {
        let decision = self.trail[self.levels[level as usize - 1] as usize];
        self.jump(level - 1);
        self.floor = level - 1;
        self.assign(decision ^ 1, Reason::None);
    }

    pub(super) fn assign(&mut self, lit: Index, reason: Reason) {
        self.values[lit as usize] = 1;
        self.values[lit as usize ^ 1] = -1;
        self.level[lit as usize / 2] = self.depth();
        self.reason[lit as usize / 2] = reason;
        self.trail.push(lit);
        if let Reason::Clause(clause) = reason
            && self.depth() <= self.base
        {
            // what holds from here on is left out of what is learned
            self.uses(clause);
        }
    }

    /// Takes everything above a level back.
    pub(super) fn jump(&mut self, level: u32) {
        if self.depth() <= level {
            return;
        }
        let from = self.levels[level as usize] as usize;
        for i in from..self.trail.len() {
            let lit = self.trail[i];
            self.values[lit as usize] = 0;
            self.values[lit as usize ^ 1] = 0;
            self.phase[lit as usize / 2] = lit & 1 == 0;
            self.heap.insert(lit / 2);
            if i < self.heeded.seen {
                self.heeded.change(lit);
            }
        }
        self.heeded.seen = self.heeded.seen.min(from);
        self.trail.truncate(from);
        self.levels.truncate(level as usize);
        self.propagated = from;
    }

    pub(super) fn propagate(&mut self) -> Option<Conflict> {
        while let Some(lit) = self.trail.get(self.propagated).copied() {
            self.propagated += 1;
            let false_one = lit ^ 1;
            let implied = std::mem::take(&mut self.implied[lit as usize]);
            let mut conflict = None;
            for other in &implied {
                match self.values[*other as usize] {
                    0 => self.assign(*other, Reason::Binary(false_one)),
                    1 => {}
                    _ => {
                        conflict = Some(Conflict::Binary(*other, false_one));
                        break;
                    }
                }
            }
            self.implied[lit as usize] = implied;
            conflict = conflict.or_else(|| self.visit(false_one));
            if conflict.is_some() {
                return conflict;
            }
        }
        None
    }

    /// Looks at the clauses that watch a literal that has become false.
    fn visit(&mut self, false_one: Index) -> Option<Conflict> {
        let mut watches = std::mem::take(&mut self.watches[false_one as usize]);
        let mut conflict = None;
        let mut kept = 0;
        let mut next = 0;
        'clauses: while next < watches.len() {
            let watch = watches[next];
            next += 1;
            if self.is_true(watch.other) {
                watches[kept] = watch;
                kept += 1;
                continue;
            }
            let at = watch.clause as usize;
            let end = at + 1 + self.arena[at] as usize;
            let lits = &mut self.arena[at + 1..end];
            if lits[0] == false_one {
                lits.swap(0, 1);
            }
            let first = lits[0];
            let moved = Watch { clause: watch.clause, other: first };
            if self.values[first as usize] <= 0 {
                let (head, tail) = lits.split_at_mut(2);
                if let Some(lit) = tail.iter_mut().find(|lit| self.values[**lit as usize] >= 0) {
                    std::mem::swap(&mut head[1], lit);
                    self.watches[head[1] as usize].push(moved);
                    continue 'clauses;
                }
                if self.values[first as usize] < 0 {
                    conflict = Some(Conflict::Clause(watch.clause));
                    // The rest is kept as it is.
                    watches.copy_within(next - 1.., kept);
                    kept += watches.len() - (next - 1);
                    break;
                }
                self.assign(first, Reason::Clause(watch.clause));
            }
            watches[kept] = moved;
            kept += 1;
        }
        watches.truncate(kept);
        self.watches[false_one as usize] = watches;
        conflict
    }
}

/// Luby's sequence: 1, 1, 2, 1, 1, 2, 4, ….
fn luby(i: u64) -> u64 {
    let size = (i + 1).next_power_of_two();
    if i + 1 == size { size / 2 } else { luby(i + 1 - size / 2) }
}
