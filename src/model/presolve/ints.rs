//! Propagation of sums and integer nodes: bounds from the operands to the node, and back.

use super::super::{Atom, Bool, Int, IntNode, Term, VarId, floor_div, floor_mod};
use super::{Cause, Conflict, NO, Propagator, Step, UNKNOWN, YES, conflict};

/// The most values for domain propagation on a sum of two variables.
const MOST_MATCHED: usize = 1 << 12;

fn into_i64(value: i128) -> i64 {
    value.clamp(i128::from(i64::MIN), i128::from(i64::MAX)) as i64
}

fn ceil_div(a: i64, b: i64) -> Option<i64> {
    floor_div(a, b)?.checked_add(i64::from(a.checked_rem(b)? != 0))
}

impl<'a> Propagator<'a> {
    /// Bounds of a sum. The constructors check that they fit into 64 bits, and presolve only tightens them.
    pub(super) fn sum_bounds(&self, terms: &[Term]) -> (i128, i128) {
        terms.iter().fold((0, 0), |(low, high), term| {
            let (a, b) = self.atom_bounds(term.atom);
            let (x, y) = (i128::from(term.coef) * i128::from(a), i128::from(term.coef) * i128::from(b));
            (low + x.min(y), high + x.max(y))
        })
    }

    /// Bounds propagation for `least ≤ Σ terms ≤ most`.
    pub(super) fn squeeze(
        &mut self,
        terms: &[Term],
        least: Option<i128>,
        most: Option<i128>,
        cause: Cause,
    ) -> Step {
        let (low, high) = self.sum_bounds(terms);
        let (up, down) = (most.map(|most| most - low), least.map(|least| high - least));
        if up.is_some_and(|up| up < 0) || down.is_some_and(|down| down < 0) {
            return conflict(Conflict::Broken { cause });
        }
        for term in terms {
            let (a, b) = self.atom_bounds(term.atom);
            let size = i128::from(term.coef).abs();
            let width = (i128::from(b) - i128::from(a)) * size;
            for (room, from_low) in [(up, term.coef > 0), (down, term.coef < 0)] {
                let Some(room) = room.filter(|room| width > *room) else { continue };
                if from_low {
                    self.lower_atom(term.atom, into_i64(i128::from(a) + room / size), cause)?;
                } else {
                    self.raise_atom(term.atom, into_i64(i128::from(b) - room / size), cause)?;
                }
            }
        }
        Ok(())
    }

    fn raise_atom(&mut self, atom: Atom, value: i64, cause: Cause) -> Step {
        match atom {
            Atom::Int(int) => self.raise(int, value, cause),
            Atom::Bool(term) if value > 0 => self.assign(term, true, cause),
            Atom::Bool(_) => Ok(()),
        }
    }

    fn lower_atom(&mut self, atom: Atom, value: i64, cause: Cause) -> Step {
        match atom {
            Atom::Int(int) => self.lower(int, value, cause),
            Atom::Bool(term) if value < 1 => self.assign(term, false, cause),
            Atom::Bool(_) => Ok(()),
        }
    }

    pub(super) fn exclude_atom(&mut self, atom: Atom, value: i64, cause: Cause) -> Step {
        match (atom, value) {
            (Atom::Int(int), _) => self.exclude(int, value, cause),
            (Atom::Bool(term), 0 | 1) => self.assign(term, value == 0, cause),
            _ => Ok(()),
        }
    }

    /// May the atom have this value?
    pub(super) fn may_be(&self, atom: Atom, value: i64) -> bool {
        if let Atom::Int(int) = atom
            && let IntNode::Var(var) = self.model.arena.int_node(int)
        {
            return self.position(var, value).is_some_and(|position| self.allows(var, position));
        }
        let (low, high) = self.atom_bounds(atom);
        (low..=high).contains(&value)
    }

    /// The only unfixed term, and the value that makes the sum `bound`; an inner `None` means that there is no such
    /// value.
    pub(super) fn needed_value(&self, terms: &[Term], bound: i128) -> Option<(Term, Option<i128>)> {
        let mut open = None;
        let mut rest = bound;
        for term in terms {
            match self.atom_bounds(term.atom) {
                (a, b) if a == b => rest -= i128::from(a) * i128::from(term.coef),
                _ if open.is_some() => return None,
                _ => open = Some(*term),
            }
        }
        let open = open?;
        let coef = i128::from(open.coef);
        Some((open, (rest % coef == 0).then_some(rest / coef)))
    }

    fn atom_var(&self, atom: Atom) -> Option<VarId> {
        match atom {
            Atom::Int(int) => match self.model.arena.int_node(int) {
                IntNode::Var(var) => Some(var),
                _ => None,
            },
            Atom::Bool(_) => None,
        }
    }

    /// `a + b = bound` over two variables: removes values without support.
    pub(super) fn match_pair(&mut self, a: Term, b: Term, bound: i128, cause: Cause) -> Step {
        let (Some(x), Some(y)) = (self.atom_var(a.atom), self.atom_var(b.atom)) else { return Ok(()) };
        let (few, many) = (self.state(x).count(), self.state(y).count());
        if few.max(many) > MOST_MATCHED || few.min(many) < 2 {
            return Ok(());
        }
        self.budget.step((few + many) as u64)?;
        for (x, a, y, b) in [(x, a.coef, y, b.coef), (y, b.coef, x, a.coef)] {
            let (a, b) = (i128::from(a), i128::from(b));
            for position in self.state(x).low..=self.state(x).high {
                if !self.allows(x, position) {
                    continue;
                }
                let rest = bound - a * i128::from(self.value_of(x, position));
                let partner = if rest % b == 0 { i64::try_from(rest / b).ok() } else { None };
                let partner = partner.and_then(|value| self.position(y, value));
                if !partner.is_some_and(|partner| self.allows(y, partner)) {
                    self.drop_value(x, position, cause)?;
                }
            }
        }
        Ok(())
    }

    fn within(&mut self, int: Int, low: i64, high: i64, cause: Cause) -> Step {
        self.raise(int, low, cause)?;
        self.lower(int, high, cause)
    }

    pub(super) fn revise_int(&mut self, int: Int) -> Step {
        let cause = Cause::Int(int.index() as u32);
        self.budget.step(1)?;
        match self.model.arena.int_node(int) {
            IntNode::Const(_) | IntNode::Var(_) | IntNode::Area(..) => Ok(()),
            IntNode::Linear { terms, constant } => {
                self.budget.step(terms.len() as u64)?;
                let (low, high) = self.sum_bounds(terms);
                let constant = i128::from(constant);
                self.within(int, into_i64(low + constant), into_i64(high + constant), cause)?;
                let (low, high) = self.bounds_of(int);
                let (low, high) = (i128::from(low) - constant, i128::from(high) - constant);
                self.squeeze(terms, Some(low), Some(high), cause)
            }
            IntNode::Mul(a, b) => {
                let ((al, ah), (bl, bh)) = (self.bounds_of(a), self.bounds_of(b));
                let corners = [(al, bl), (al, bh), (ah, bl), (ah, bh)]
                    .map(|(x, y)| into_i64(i128::from(x) * i128::from(y)));
                let low = corners.into_iter().fold(i64::MAX, i64::min);
                let low = if a == b { low.max(0) } else { low };
                self.within(int, low, corners.into_iter().fold(i64::MIN, i64::max), cause)?;
                self.divide(int, a, b, cause)?;
                self.divide(int, b, a, cause)
            }
            IntNode::Div(a, b) => self.revise_div(int, a, b, cause),
            IntNode::Mod(a, b) => self.revise_mod(int, a, b, cause),
            IntNode::Min(parts) => self.revise_extreme(int, parts, true, cause),
            IntNode::Max(parts) => self.revise_extreme(int, parts, false, cause),
            IntNode::Abs(a) => {
                let (low, high) = self.bounds_of(a);
                let least = if low > 0 { low } else { high.saturating_neg().max(0) };
                self.within(int, least, high.max(low.saturating_neg()), cause)?;
                let (least, most) = self.bounds_of(int);
                self.within(a, most.saturating_neg(), most, cause)?;
                let (low, high) = self.bounds_of(a);
                if low > least.saturating_neg() {
                    self.raise(a, least, cause)?;
                }
                if high < least { self.lower(a, least.saturating_neg(), cause) } else { Ok(()) }
            }
            IntNode::Select(arms) => self.revise_select(int, arms, cause),
        }
    }

    /// From `int = a · b`: bounds of `a` from those of `int` and `b`, if the signs are known.
    fn divide(&mut self, int: Int, a: Int, b: Int, cause: Cause) -> Step {
        let ((low, high), (al, _), (bl, bh)) = (self.bounds_of(int), self.bounds_of(a), self.bounds_of(b));
        if bl == bh && bl != 0 {
            let (low, high) = if bl > 0 { (low, high) } else { (high, low) };
            if let (Some(low), Some(high)) = (ceil_div(low, bl), floor_div(high, bl)) {
                return self.within(a, low, high, cause);
            }
        } else if al >= 0
            && bl > 0
            && let (Some(low), Some(high)) = (ceil_div(low, bh), floor_div(high, bl))
        {
            return self.within(a, low.max(al), high, cause);
        }
        Ok(())
    }

    fn revise_div(&mut self, int: Int, a: Int, b: Int, cause: Cause) -> Step {
        let ((al, ah), (bl, bh)) = (self.bounds_of(a), self.bounds_of(b));
        if bl == 0 && bh == 0 {
            return self.within(int, 0, 0, cause);
        }
        if bl <= 0 {
            return match (al == ah && bl == bh).then(|| floor_div(al, bl)).flatten() {
                Some(value) => self.within(int, value, value, cause),
                None => Ok(()),
            };
        }
        let corners = [(al, bl), (al, bh), (ah, bl), (ah, bh)].map(|(x, y)| floor_div(x, y).unwrap_or(0));
        let (low, high) =
            (corners.into_iter().fold(i64::MAX, i64::min), corners.into_iter().fold(i64::MIN, i64::max));
        self.within(int, low, high, cause)?;
        if bl == bh {
            let (low, high) = self.bounds_of(int);
            let (b, low, high) = (i128::from(bl), i128::from(low), i128::from(high));
            return self.within(a, into_i64(low * b), into_i64(high * b + b - 1), cause);
        }
        Ok(())
    }

    fn revise_mod(&mut self, int: Int, a: Int, b: Int, cause: Cause) -> Step {
        let ((al, ah), (bl, bh)) = (self.bounds_of(a), self.bounds_of(b));
        if bl != bh {
            return Ok(());
        }
        if bl == 0 {
            return self.within(int, 0, 0, cause);
        }
        // while the quotient is constant, the remainder grows with the dividend
        match (floor_div(al, bl), floor_div(ah, bl), floor_mod(al, bl), floor_mod(ah, bl)) {
            (Some(first), Some(last), Some(low), Some(high)) if first == last => {
                self.within(int, low, high, cause)?;
                let (least, most) = self.bounds_of(int);
                let base = i128::from(first) * i128::from(bl);
                self.within(a, into_i64(base + i128::from(least)), into_i64(base + i128::from(most)), cause)
            }
            _ => match bl > 0 {
                true => self.within(int, 0, bl - 1, cause),
                false => self.within(int, bl + 1, 0, cause),
            },
        }
    }

    fn revise_extreme(&mut self, int: Int, parts: &[Int], smallest: bool, cause: Cause) -> Step {
        self.budget.step(parts.len() as u64)?;
        let fold = |pick: fn((i64, i64)) -> i64| {
            let values = parts.iter().map(|part| pick(self.bounds_of(*part)));
            if smallest { values.min() } else { values.max() }.unwrap_or(0)
        };
        let (low, high) = (fold(|bounds| bounds.0), fold(|bounds| bounds.1));
        self.within(int, low, high, cause)?;
        let (low, high) = self.bounds_of(int);
        // the parts that can be the extreme one
        let mut able = parts.iter().filter(|part| {
            let bounds = self.bounds_of(**part);
            if smallest { bounds.0 <= high } else { bounds.1 >= low }
        });
        let only = match (able.next(), able.next()) {
            (Some(only), None) => Some(*only),
            _ => None,
        };
        for part in parts {
            if smallest { self.raise(*part, low, cause)? } else { self.lower(*part, high, cause)? }
        }
        match only {
            Some(only) => self.within(only, low, high, cause),
            None => Ok(()),
        }
    }

    fn revise_select(&mut self, int: Int, arms: &[(Bool, Int)], cause: Cause) -> Step {
        self.budget.step(arms.len() as u64)?;
        let (low, high) = self.bounds_of(int);
        let mut hull: Option<(i64, i64)> = None;
        let mut open = None;
        let mut count = 0;
        for (cond, value) in arms {
            let (a, b) = self.bounds_of(*value);
            if self.truth_of(*cond) == NO {
                continue;
            }
            if a > high || b < low {
                self.assign(*cond, false, cause)?;
                continue;
            }
            count += 1;
            open = Some((*cond, *value));
            if self.truth_of(*cond) == YES {
                (hull, count) = (Some((a, b)), 1);
                break;
            }
            hull = Some(hull.map_or((a, b), |(x, y)| (x.min(a), y.max(b))));
        }
        let Some((a, b)) = hull else { return conflict(Conflict::Broken { cause }) };
        self.within(int, a, b, cause)?;
        if let (1, Some((cond, value))) = (count, open) {
            if self.truth_of(cond) == UNKNOWN {
                self.assign(cond, true, cause)?;
            }
            let (low, high) = self.bounds_of(int);
            return self.within(value, low, high, cause);
        }
        Ok(())
    }
}
