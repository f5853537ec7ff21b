//! Propagation of all-different: fixed values leave the other domains, and hidden singles.

use super::super::{Atom, Bool, Domain, Int, IntNode, Term, VarId};
use super::{Cause, Conflict, Propagator, Step, YES, conflict};

/// The largest range of values for a bit table; or 64 per part, if that is more.
const MOST_WIDTH: i128 = 1 << 16;

/// A part of a `Distinct`.
#[derive(Clone, Copy, Debug)]
pub(super) enum View {
    /// `var + add`.
    Var(VarId, i64),
    Other(Int),
}

/// A bit set of integers from `base` on.
struct Table {
    base: i64,
    words: Vec<u64>,
}

impl Table {
    fn new(base: i64, width: usize) -> Table {
        Table { base, words: vec![0; width.div_ceil(64)] }
    }

    fn has(&self, value: i64) -> bool {
        match usize::try_from(i128::from(value) - i128::from(self.base)) {
            Ok(at) => self.words.get(at / 64).is_some_and(|word| word >> (at % 64) & 1 == 1),
            Err(_) => false,
        }
    }

    /// Adds a value within the table; returns whether it was there.
    fn add(&mut self, value: i64) -> bool {
        let at = (value - self.base) as usize;
        let old = self.words[at / 64] >> (at % 64) & 1 == 1;
        self.words[at / 64] |= 1 << (at % 64);
        old
    }

    /// The 64 bits from `value` on.
    fn window(&self, value: i64) -> u64 {
        let at = value - self.base;
        let (index, shift) = (at.div_euclid(64), at.rem_euclid(64) as u32);
        let word = |index: i64| {
            usize::try_from(index).ok().and_then(|index| self.words.get(index)).copied().unwrap_or(0)
        };
        match shift {
            0 => word(index),
            shift => word(index) >> shift | word(index + 1) << (64 - shift),
        }
    }
}

/// The values that occur in at least one part, and in at least two.
struct Tally {
    once: Table,
    twice: Table,
}

impl Tally {
    fn add(&mut self, value: i64) {
        if self.once.add(value) {
            self.twice.add(value);
        }
    }

    /// Adds those of the 64 values from `value` on whose bits are set. Precondition: these are within the table.
    fn add_window(&mut self, value: i64, bits: u64) {
        let at = value - self.once.base;
        let (index, shift) = (at.div_euclid(64), at.rem_euclid(64) as u32);
        let high = if shift == 0 { 0 } else { bits >> (64 - shift) };
        for (index, bits) in [(index, bits << shift), (index + 1, high)] {
            if bits != 0 {
                let index = index as usize;
                self.twice.words[index] |= self.once.words[index] & bits;
                self.once.words[index] |= bits;
            }
        }
    }
}

impl<'a> Propagator<'a> {
    pub(super) fn view(&self, part: Int) -> View {
        let arena = &self.model.arena;
        match arena.int_node(part) {
            IntNode::Var(var) => View::Var(var, 0),
            IntNode::Linear { terms: &[Term { coef: 1, atom: Atom::Int(inner) }], constant } => {
                match arena.int_node(inner) {
                    IntNode::Var(var) => View::Var(var, constant),
                    _ => View::Other(part),
                }
            }
            _ => View::Other(part),
        }
    }

    /// The smallest value of a domain without gaps.
    fn dense(&self, var: VarId) -> Option<i64> {
        match self.model.domain(var) {
            Domain::Ints(list) => {
                let (first, last) = (*list.first()?, *list.last()?);
                (i128::from(last) - i128::from(first) == list.len() as i128 - 1).then_some(first)
            }
            _ => Some(0),
        }
    }

    pub(super) fn value_of(&self, var: VarId, position: u32) -> i64 {
        match self.model.domain(var) {
            Domain::Ints(list) => list[position as usize],
            _ => i64::from(position),
        }
    }

    pub(super) fn view_bounds(&self, view: View) -> (i64, i64) {
        match view {
            View::Other(int) => self.bounds_of(int),
            // the constructor of `var + add` checked that it fits into 64 bits
            View::Var(var, add) => {
                let state = self.state(var);
                match self.model.domain(var).size() {
                    0 => (add, add),
                    _ => (self.value_of(var, state.low) + add, self.value_of(var, state.high) + add),
                }
            }
        }
    }

    pub(super) fn revise_distinct(&mut self, node: Bool, parts: &[Int]) -> Step {
        let cause = Cause::Bool(node.index() as u32);
        self.budget.step(parts.len() as u64)?;
        let views: Vec<(View, (i64, i64))> = parts
            .iter()
            .map(|part| {
                let view = self.view(*part);
                (view, self.view_bounds(view))
            })
            .collect();
        let low = views.iter().map(|(_, bounds)| bounds.0).fold(i64::MAX, i64::min);
        let high = views.iter().map(|(_, bounds)| bounds.1).fold(i64::MIN, i64::max);
        let width = i128::from(high) - i128::from(low) + 1;
        if width > MOST_WIDTH.max(64 * parts.len() as i128) {
            return self.distinct_wide(node, &views);
        }
        let mut taken = Table::new(low, width as usize);
        let mut count = 0;
        for (_, (a, b)) in &views {
            if a == b {
                count += 1;
                if taken.add(*a) {
                    return self.repeated(node);
                }
            }
        }
        if self.truth_of(node) != YES {
            return if count == parts.len() { self.assign(node, true, cause) } else { Ok(()) };
        }
        if count > 0 {
            for (view, (a, b)) in &views {
                if a != b {
                    self.drop_taken(*view, &taken, cause)?;
                }
            }
        }
        if width < parts.len() as i128 {
            return conflict(Conflict::Broken { cause });
        }
        if count < parts.len() { self.hidden_singles(&views, low, width as usize, cause) } else { Ok(()) }
    }

    /// Two parts have the same value.
    fn repeated(&mut self, node: Bool) -> Step {
        let cause = Cause::Bool(node.index() as u32);
        match self.truth_of(node) {
            YES => conflict(Conflict::Broken { cause }),
            _ => self.assign(node, false, cause),
        }
    }

    fn drop_taken(&mut self, view: View, taken: &Table, cause: Cause) -> Step {
        let (var, add) = match view {
            View::Var(var, add) => (var, add),
            View::Other(int) => {
                let (low, high) = self.bounds_of(int);
                if taken.has(low) {
                    self.exclude(int, low, cause)?;
                }
                return if taken.has(high) { self.exclude(int, high, cause) } else { Ok(()) };
            }
        };
        let state = self.state(var);
        if let Some(first) = self.dense(var) {
            for index in state.low / 64..=state.high / 64 {
                let gone = taken.window(first + add + i64::from(index) * 64);
                self.mask_word(var, state.first + index, !gone, cause)?;
            }
            return Ok(());
        }
        for position in state.low..=state.high {
            if self.allows(var, position) && taken.has(self.value_of(var, position) + add) {
                self.drop_value(var, position, cause)?;
            }
        }
        Ok(())
    }

    /// Hidden singles. If there are as many values left as parts, every value must occur: a value that is possible in
    /// only one part is fixed there.
    fn hidden_singles(&mut self, views: &[(View, (i64, i64))], low: i64, width: usize, cause: Cause) -> Step {
        let mut tally = Tally { once: Table::new(low, width), twice: Table::new(low, width) };
        for (view, _) in views {
            let View::Var(var, add) = *view else { return Ok(()) };
            let state = self.state(var);
            self.budget.step(u64::from(state.high - state.low) / 64 + 1)?;
            if let Some(first) = self.dense(var) {
                for index in state.low / 64..=state.high / 64 {
                    let bits = self.words[(state.first + index) as usize];
                    let skip = bits.trailing_zeros() % 64;
                    tally.add_window(first + add + i64::from(index) * 64 + i64::from(skip), bits >> skip);
                }
                continue;
            }
            for position in state.low..=state.high {
                if self.allows(var, position) {
                    tally.add(self.value_of(var, position) + add);
                }
            }
        }
        let left: usize = tally.once.words.iter().map(|word| word.count_ones() as usize).sum();
        if left < views.len() {
            return conflict(Conflict::Broken { cause });
        }
        if left > views.len() {
            return Ok(());
        }
        let mut single = tally.once;
        single.words.iter_mut().zip(&tally.twice.words).for_each(|(once, twice)| *once &= !twice);
        if single.words.iter().all(|word| *word == 0) {
            return Ok(());
        }
        for (view, _) in views {
            let View::Var(var, add) = *view else { continue };
            let state = self.state(var);
            if state.count() == 1 {
                continue;
            }
            let found = (state.low..=state.high).find(|position| {
                self.allows(var, *position) && single.has(self.value_of(var, *position) + add)
            });
            if let Some(position) = found {
                self.keep(var, position, cause)?;
            }
        }
        Ok(())
    }

    /// The case without a table: removes each fixed value from every other part.
    fn distinct_wide(&mut self, node: Bool, views: &[(View, (i64, i64))]) -> Step {
        let cause = Cause::Bool(node.index() as u32);
        let mut taken: Vec<i64> =
            views.iter().filter(|(_, bounds)| bounds.0 == bounds.1).map(|(_, bounds)| bounds.0).collect();
        taken.sort_unstable();
        if taken.windows(2).any(|pair| pair[0] == pair[1]) {
            return self.repeated(node);
        }
        if self.truth_of(node) != YES {
            return if taken.len() == views.len() { self.assign(node, true, cause) } else { Ok(()) };
        }
        self.budget.step((views.len() * taken.len()) as u64)?;
        for (view, (a, b)) in views.iter().filter(|(_, bounds)| bounds.0 != bounds.1) {
            for value in taken.iter().filter(|value| (*a..=*b).contains(*value)) {
                match *view {
                    View::Other(int) => self.exclude(int, *value, cause)?,
                    View::Var(var, add) => {
                        if let Some(position) = self.position(var, value - add) {
                            self.drop_value(var, position, cause)?;
                        }
                    }
                }
            }
        }
        Ok(())
    }
}
