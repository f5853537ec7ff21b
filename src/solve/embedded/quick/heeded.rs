//! Graph constraints that are told of while searching: wherever nothing more follows from the clauses, what follows from the
//! graphs is asked for.

use super::learned::{Learned, NO_CUT};
use super::{Conflict, Index, Quick, Reason, index};
use crate::encode::Lit;
use crate::encode::cuts::{Cut, Lazy};
use crate::solve::embedded::Keep;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// Vertices and edges that are looked at for a literal assigned: with 8 neither loops, whose graphs a few looks at whole models
/// settle, nor islands, which want many at parts of them, take much longer than with what suits them best.
const WORTH: usize = 8;

/// The constraints, and which of them need a look.
#[derive(Debug, Default)]
pub struct Heeded {
    lazy: Rc<[Lazy]>,
    /// By variable: the constraints about it.
    about: Vec<Vec<u32>>,
    /// By constraint: was something about it assigned or taken back?
    changed: Vec<bool>,
    /// By constraint: vertices and edges that might be there when it was last looked at with nothing decided.
    sizes: Vec<usize>,
    /// Literals of the trail before this one were looked at.
    pub seen: usize,
    /// Every cut, if they are to be kept.
    pub kept: Option<Kept>,
    /// [`WORTH`] of the literals assigned, less what was looked at besides whole models.
    pub credit: usize,
}

/// Cuts that are kept, each with the number of the constraint it follows from, and whether a conclusion rests on it.
#[derive(Debug)]
pub struct Kept {
    which: Keep,
    cuts: Vec<(usize, Cut, bool)>,
    /// The first of those that were found last.
    latest: usize,
}

impl Kept {
    pub fn new(which: Keep) -> Kept {
        Kept { which, cuts: Vec::new(), latest: 0 }
    }

    /// Takes those that are wanted.
    pub fn take(&mut self) -> Vec<(usize, Cut)> {
        let cuts = std::mem::take(&mut self.cuts);
        cuts.into_iter().filter(|(_, _, used)| *used).map(|(at, cut, _)| (at, cut)).collect()
    }
}

impl Heeded {
    pub fn new(lazy: Rc<[Lazy]>) -> Heeded {
        let mut about: Vec<Vec<u32>> = Vec::new();
        for (at, lazy) in lazy.iter().enumerate() {
            for lit in lazy.literals() {
                let var = index(lit) as usize / 2;
                about.resize_with(about.len().max(var + 1), Vec::new);
                if about[var].last() != Some(&(at as u32)) {
                    about[var].push(at as u32);
                }
            }
        }
        let sizes = lazy.iter().map(|lazy| lazy.size(|_| None)).collect();
        Heeded { changed: vec![true; lazy.len()], sizes, lazy, about, seen: 0, kept: None, credit: 0 }
    }

    pub fn is_of(&self, lazy: &Rc<[Lazy]>) -> bool {
        Rc::ptr_eq(&self.lazy, lazy)
    }

    pub fn change(&mut self, lit: Index) {
        for at in self.about.get(lit as usize / 2).into_iter().flatten() {
            self.changed[*at as usize] = true;
        }
    }
}

impl Quick {
    /// Propagates, the graphs too.
    pub(super) fn conclude(&mut self) -> Option<Conflict> {
        loop {
            if let Some(conflict) = self.propagate() {
                return Some(conflict);
            }
            let cuts = self.cuts();
            if cuts.is_empty() {
                return None;
            }
            if let Some(conflict) = self.heed_cuts(&cuts) {
                return Some(conflict);
            }
        }
    }

    /// What follows from the first of the changed constraints of which something follows.
    fn cuts(&mut self) -> Vec<Cut> {
        let mut heeded = std::mem::take(&mut self.heeded);
        for lit in &self.trail[heeded.seen..] {
            heeded.change(*lit);
        }
        heeded.credit += WORTH * (self.trail.len() - heeded.seen);
        heeded.seen = self.trail.len();
        let whole = self.trail.len() == self.level.len();
        let value = |lit: Lit| match self.values.get(index(lit) as usize) {
            Some(0) | None => None,
            Some(value) => Some(*value > 0),
        };
        let mut cuts = Vec::new();
        for (at, (lazy, changed)) in heeded.lazy.iter().zip(&mut heeded.changed).enumerate() {
            let cost = if whole || self.depth() <= self.base { 0 } else { heeded.sizes[at] };
            if *changed && cuts.is_empty() && cost <= heeded.credit {
                *changed = false;
                heeded.credit -= cost;
                lazy.cuts(value, &mut cuts);
                if self.depth() <= self.base {
                    heeded.sizes[at] = lazy.size(value);
                }
                if let Some(kept) = &mut heeded.kept {
                    kept.latest = kept.cuts.len();
                    let used = kept.which == Keep::All;
                    kept.cuts.extend(cuts.iter().map(|cut: &Cut| (at, cut.clone(), used)));
                }
            }
        }
        self.heeded = heeded;
        cuts
    }

    /// Takes clauses up, draws the consequence of one that leaves a literal open; where one is false, goes back to where it is just so.
    fn heed_cuts(&mut self, cuts: &[Cut]) -> Option<Conflict> {
        let mut lowest: Option<(u32, u32)> = None;
        for (number, cut) in cuts.iter().enumerate() {
            let number = self.heeded.kept.as_ref().map_or(NO_CUT, |kept| (kept.latest + number) as u32);
            let mut clause: Vec<Index> = cut.lits.iter().map(|lit| index(*lit)).collect();
            let level = |lit: Index| if self.is_false(lit) { self.level[lit as usize / 2] } else { u32::MAX };
            clause.sort_unstable_by_key(|lit| (std::cmp::Reverse(level(*lit)), *lit));
            let Some(highest) = clause.first().copied() else {
                self.inconsistent = true;
                self.mark_used(number);
                return None;
            };
            if clause.iter().any(|lit| self.is_true(*lit)) {
                continue;
            }
            let mut levels: Vec<u32> = clause.iter().map(|lit| level(*lit)).collect();
            levels.dedup();
            let place = self.store(&clause);
            self.learned.push(Learned { clause: place, levels: levels.len() as u32, cut: number });
            if clause.len() > 1 {
                self.watch(place);
            }
            if clause.get(1).is_some_and(|lit| self.is_open(*lit)) {
                // one that says more than what was looked at: of help later
                continue;
            }
            if self.is_open(highest) {
                self.assign(highest, Reason::Clause(place));
            } else {
                let level = self.level[highest as usize / 2];
                lowest = Some(lowest.map_or((level, place), |known| known.min((level, place))));
            }
        }
        let (level, place) = lowest?;
        self.jump(level);
        // whatever else is decided up to there, nothing below it is a model
        self.floor = self.floor.min(level);
        Some(Conflict::Clause(place))
    }

    /// Notes that a conclusion rests on a clause, if cuts are kept.
    pub(super) fn uses(&mut self, clause: u32) {
        if self.heeded.kept.is_some()
            && (clause as usize) >= self.learned_from
            && let Ok(at) = self.learned.binary_search_by_key(&clause, |learned| learned.clause)
        {
            self.mark_used(self.learned[at].cut);
        }
    }

    fn mark_used(&mut self, number: u32) {
        if let Some((_, _, used)) =
            self.heeded.kept.as_mut().and_then(|kept| kept.cuts.get_mut(number as usize))
        {
            *used = true;
        }
    }

    /// Notes the same of a conflict of which nothing is learned, and of all that led to it.
    pub(super) fn rests_on(&mut self, conflict: Conflict) {
        if self.heeded.kept.is_none() {
            return;
        }
        let mut open: Vec<Index> = match conflict {
            Conflict::Binary(a, b) => vec![a, b],
            Conflict::Clause(clause) => {
                self.uses(clause);
                self.literals(clause).to_vec()
            }
        };
        let mut seen: FxHashSet<Index> = open.iter().map(|lit| lit / 2).collect();
        while let Some(lit) = open.pop() {
            let others = match self.reason[lit as usize / 2] {
                Reason::None => continue,
                Reason::Binary(other) => vec![other],
                Reason::Clause(clause) => {
                    self.uses(clause);
                    self.literals(clause)[1..].to_vec()
                }
            };
            open.extend(others.into_iter().filter(|other| seen.insert(other / 2)));
        }
    }
}
