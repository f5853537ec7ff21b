//! The state of the propagator: domains, truths, bounds. Every change goes on the trail.

use super::super::{Atom, Bool, BoolNode, Domain, Int, IntNode, Model, VarId};
use super::queue::Event;
use super::{
    Cause, Conflict, Entry, NO, Propagator, Step, Target, Truth, UNKNOWN, VarState, YES, conflict, full_word,
    truth,
};

/// The most changes of the bounds of one integer node in one propagation. Otherwise two terms could raise each other by
/// one, over and over.
const MOST_MOVES: u32 = 1 << 10;

impl<'a> Propagator<'a> {
    pub(super) fn state(&self, var: VarId) -> VarState {
        self.vars[var.0 as usize]
    }

    pub(super) fn allows(&self, var: VarId, position: u32) -> bool {
        self.words[(self.state(var).first + position / 64) as usize] >> (position % 64) & 1 == 1
    }

    /// The words of a variable.
    pub(super) fn words_of(&self, var: VarId) -> std::ops::Range<u32> {
        let first = self.state(var).first;
        first..first + (self.model.domain(var).size() as u32).div_ceil(64)
    }

    /// The removed values of a word.
    pub(super) fn lost(&self, var: VarId, word: u32) -> u64 {
        let size = self.model.domain(var).size() as u32;
        full_word(size, word - self.state(var).first) & !self.words[word as usize]
    }

    pub(super) fn owner(&self, word: u32) -> VarId {
        // variables without values own no word and share their first word with the next variable
        VarId(self.vars.partition_point(|state| state.first <= word) as u32 - 1)
    }

    pub(super) fn truth_of(&self, term: Bool) -> Truth {
        match (self.values[term.index()], term.is_negated()) {
            (UNKNOWN, _) => UNKNOWN,
            (value, false) => value,
            (value, true) => YES + NO - value,
        }
    }

    pub(super) fn bounds_of(&self, int: Int) -> (i64, i64) {
        match self.model.arena.int_node(int) {
            IntNode::Var(var) => {
                let state = self.state(var);
                match self.model.domain(var) {
                    Domain::Ints(list) if !list.is_empty() => {
                        (list[state.low as usize], list[state.high as usize])
                    }
                    _ => (i64::from(state.low), i64::from(state.high)),
                }
            }
            IntNode::Const(value) => (value, value),
            _ => self.bounds[int.index()],
        }
    }

    pub(super) fn atom_bounds(&self, atom: Atom) -> (i64, i64) {
        match atom {
            Atom::Int(int) => self.bounds_of(int),
            Atom::Bool(term) => match self.truth_of(term) {
                UNKNOWN => (0, 1),
                value => (i64::from(value == YES), i64::from(value == YES)),
            },
        }
    }

    // ---- changes ----

    fn record(&mut self, target: Target, cause: Cause, old: u64) {
        self.trail.push(Entry { target: target.pack(), cause: cause.pack(), old });
    }

    /// Assigns a truth to a term.
    pub(super) fn assign(&mut self, term: Bool, value: bool, cause: Cause) -> Step {
        let wanted = truth(value != term.is_negated());
        let node = term.index() as u32;
        match self.values[node as usize] {
            UNKNOWN => {}
            known if known == wanted => return Ok(()),
            _ => return conflict(Conflict::Value { node, cause }),
        }
        self.values[node as usize] = wanted;
        self.record(Target::Bool(node), cause, u64::from(UNKNOWN));
        match self.users {
            Some(_) => self.events.push_back(Event::Bool(node)),
            // when the user lists are built, the whole trail is replayed
            None => self.queue_bool(node),
        }
        // at once: all givens are assigned before other propagation, which keeps explanations short
        let own = Cause::Bool(node);
        match self.model.arena.bool_node(term) {
            BoolNode::Var(var) => self.keep(var, u32::from(wanted == YES), own),
            BoolNode::Is(var, position) if wanted == YES => {
                if self.allows(var, position) {
                    self.keep(var, position, own)
                } else {
                    conflict(Conflict::Gone { node })
                }
            }
            BoolNode::Is(var, position) => self.drop_value(var, position, own),
            _ => Ok(()),
        }
    }

    /// Removes the bits outside `mask` from one word of a variable.
    pub(super) fn mask_word(&mut self, var: VarId, word: u32, mask: u64, cause: Cause) -> Step {
        let old = self.words[word as usize];
        let new = old & mask;
        if new == old {
            return Ok(());
        }
        if self.state(var).count == (old & !mask).count_ones() {
            return conflict(Conflict::Empty { var, cause });
        }
        self.record(Target::Word(word), cause, old);
        self.write_word(var, word, new);
        if !self.dirty_vars.replace(var.0 as usize, true) {
            self.events.push_back(Event::Var(var));
        }
        Ok(())
    }

    /// Writes a word, and updates `count`, `low` and `high`.
    pub(super) fn write_word(&mut self, var: VarId, word: u32, new: u64) {
        let old = std::mem::replace(&mut self.words[word as usize], new);
        let state = &mut self.vars[var.0 as usize];
        state.count = state.count + new.count_ones() - old.count_ones();
        let first = state.first;
        let base = (word - first) * 64;
        let added = new & !old;
        if added != 0 {
            state.low = state.low.min(base + added.trailing_zeros());
            state.high = state.high.max(base + 63 - added.leading_zeros());
        }
        let bit = |position: u32| self.words[(first + position / 64) as usize];
        if old & !new != 0 {
            while bit(state.low) >> (state.low % 64) == 0 {
                state.low = (state.low / 64 + 1) * 64;
            }
            state.low += (bit(state.low) >> (state.low % 64)).trailing_zeros();
            while bit(state.high) << (63 - state.high % 64) == 0 {
                state.high = state.high / 64 * 64 - 1;
            }
            state.high -= (bit(state.high) << (63 - state.high % 64)).leading_zeros();
        }
    }

    /// Removes all values except one; a conflict if that value is not allowed.
    pub(super) fn keep(&mut self, var: VarId, position: u32, cause: Cause) -> Step {
        let first = self.state(var).first;
        if !self.allows(var, position) {
            return conflict(Conflict::Empty { var, cause });
        }
        for word in self.words_of(var) {
            let mask = if word - first == position / 64 { 1 << (position % 64) } else { 0 };
            self.mask_word(var, word, mask, cause)?;
        }
        Ok(())
    }

    pub(super) fn drop_value(&mut self, var: VarId, position: u32, cause: Cause) -> Step {
        let word = self.state(var).first + position / 64;
        self.mask_word(var, word, !(1 << (position % 64)), cause)
    }

    /// Removes all values outside `low..=high` (positions).
    fn drop_outside(&mut self, var: VarId, low: u32, high: u32, cause: Cause) -> Step {
        let state = self.state(var);
        if state.count == 0 {
            return Ok(());
        }
        if low > state.high || high < state.low || low > high {
            return conflict(Conflict::Empty { var, cause });
        }
        if low <= state.low && high >= state.high {
            return Ok(());
        }
        for index in state.low / 64..=state.high / 64 {
            let base = index * 64;
            let mut mask = u64::MAX;
            if low > base {
                mask &= u64::MAX.checked_shl(low - base).unwrap_or(0);
            }
            if high < base + 63 {
                mask &= if high < base { 0 } else { u64::MAX >> (63 - (high - base)) };
            }
            self.mask_word(var, state.first + index, mask, cause)?;
        }
        Ok(())
    }

    /// The position of a value, if the domain contains it.
    pub(super) fn position(&self, var: VarId, value: i64) -> Option<u32> {
        match self.model.domain(var) {
            Domain::Ints(list) => list.binary_search(&value).ok().map(|position| position as u32),
            other => u32::try_from(value).ok().filter(|position| (*position as usize) < other.size()),
        }
    }

    /// `int ≥ value`.
    pub(super) fn raise(&mut self, int: Int, value: i64, cause: Cause) -> Step {
        let (low, high) = self.bounds_of(int);
        if value <= low {
            return Ok(());
        }
        if let IntNode::Var(var) = self.model.arena.int_node(int) {
            let from = self.model.rank(var, value);
            return self.drop_outside(var, from, u32::MAX, cause);
        }
        let index = int.index() as u32;
        if value > high {
            return conflict(Conflict::Bound { int: index, raised: true, cause });
        }
        self.move_bound(int, Target::Low(index), low, cause, |bounds| bounds.0 = value);
        Ok(())
    }

    /// `int ≤ value`.
    pub(super) fn lower(&mut self, int: Int, value: i64, cause: Cause) -> Step {
        let (low, high) = self.bounds_of(int);
        if value >= high {
            return Ok(());
        }
        if let IntNode::Var(var) = self.model.arena.int_node(int) {
            let upto = value.checked_add(1).map_or(u32::MAX, |next| self.model.rank(var, next));
            return match upto {
                0 => self.drop_outside(var, 1, 0, cause),
                upto => self.drop_outside(var, 0, upto - 1, cause),
            };
        }
        let index = int.index() as u32;
        if value < low {
            return conflict(Conflict::Bound { int: index, raised: false, cause });
        }
        self.move_bound(int, Target::High(index), high, cause, |bounds| bounds.1 = value);
        Ok(())
    }

    fn move_bound(
        &mut self,
        int: Int,
        target: Target,
        old: i64,
        cause: Cause,
        change: impl FnOnce(&mut (i64, i64)),
    ) {
        let moves = self.moves.entry(int.index() as u32).or_default();
        *moves += 1;
        if *moves > MOST_MOVES {
            return;
        }
        change(&mut self.bounds[int.index()]);
        self.record(target, cause, old as u64);
        if !self.dirty_ints.replace(int.index(), true) {
            self.events.push_back(Event::Int(int));
        }
    }

    /// `int ≠ value`.
    pub(super) fn exclude(&mut self, int: Int, value: i64, cause: Cause) -> Step {
        if let IntNode::Var(var) = self.model.arena.int_node(int) {
            return match self.position(var, value) {
                Some(position) => self.drop_value(var, position, cause),
                None => Ok(()),
            };
        }
        let (low, high) = self.bounds_of(int);
        match (value == low, value == high) {
            (true, true) => conflict(Conflict::Broken { cause }),
            (true, false) => self.raise(int, value + 1, cause),
            (false, true) => self.lower(int, value - 1, cause),
            (false, false) => Ok(()),
        }
    }

    /// Swaps the old value of a trail entry with the current one; a second call reverses it.
    pub(super) fn swap(&mut self, at: usize) {
        let Entry { target, old, .. } = self.trail[at];
        let now = match Target::unpack(target) {
            Target::Word(word) => {
                let now = self.words[word as usize];
                self.write_word(self.owner(word), word, old);
                now
            }
            Target::Bool(node) => u64::from(std::mem::replace(&mut self.values[node as usize], old as Truth)),
            Target::Low(int) => std::mem::replace(&mut self.bounds[int as usize].0, old as i64) as u64,
            Target::High(int) => std::mem::replace(&mut self.bounds[int as usize].1, old as i64) as u64,
        };
        self.trail[at].old = now;
    }
}

impl Model {
    /// The number of values below `value`.
    fn rank(&self, var: VarId, value: i64) -> u32 {
        match self.domain(var) {
            Domain::Ints(list) => list.partition_point(|known| *known < value) as u32,
            other => u32::try_from(value.max(0)).unwrap_or(u32::MAX).min(other.size() as u32),
        }
    }
}
