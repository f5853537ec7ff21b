//! Theory propagation of graph constraints: when unit propagation reaches its fixpoint, the constraints are asked for
//! cuts.

use super::learned::{Learned, NO_CUT};
use super::{Conflict, Index, Quick, Reason, index};
use crate::encode::Lit;
use crate::encode::cuts::{Cut, Lazy};
use crate::solve::embedded::Keep;
use rustc_hash::FxHashSet;
use std::rc::Rc;

/// Vertices and edges that may be examined for each assigned literal. The value 8 is near the best for both extremes:
/// loops, where a few checks of whole models suffice, and islands, which need many checks of partial assignments.
const WORTH: usize = 8;

/// The lazy constraints, and which of them need a check.
#[derive(Debug, Default)]
pub struct Theory {
    lazy: Rc<[Lazy]>,
    /// By variable: the constraints it occurs in.
    about: Vec<Vec<u32>>,
    /// By constraint: has one of its literals been assigned or unassigned since its last check?
    changed: Vec<bool>,
    /// By constraint: the vertices and edges that were possible at the last check on the lowest level.
    sizes: Vec<usize>,
    /// Literals of the trail before this position were recorded in `changed`.
    pub seen: usize,
    /// The cuts found, if they are to be kept.
    pub kept: Option<Kept>,
    /// [`WORTH`] per assigned literal, minus the cost of the checks of partial assignments.
    pub credit: usize,
}

/// Kept cuts, each with the number of its constraint, and whether a conclusion depends on it.
#[derive(Debug)]
pub struct Kept {
    which: Keep,
    cuts: Vec<(usize, Cut, bool)>,
    /// The position of the first cut of the latest check.
    latest: usize,
}

impl Kept {
    pub fn new(which: Keep) -> Kept {
        Kept { which, cuts: Vec::new(), latest: 0 }
    }

    /// Removes and returns the cuts to be kept.
    pub fn take(&mut self) -> Vec<(usize, Cut)> {
        let cuts = std::mem::take(&mut self.cuts);
        cuts.into_iter().filter(|(_, _, used)| *used).map(|(at, cut, _)| (at, cut)).collect()
    }
}

impl Theory {
    pub fn new(lazy: Rc<[Lazy]>) -> Theory {
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
        Theory { changed: vec![true; lazy.len()], sizes, lazy, about, seen: 0, kept: None, credit: 0 }
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
    /// Unit and theory propagation up to a fixpoint.
    pub(super) fn propagate_all(&mut self) -> Option<Conflict> {
        loop {
            if let Some(conflict) = self.propagate() {
                return Some(conflict);
            }
            let cuts = self.cuts();
            if cuts.is_empty() {
                return None;
            }
            if let Some(conflict) = self.apply_cuts(&cuts) {
                return Some(conflict);
            }
        }
    }

    /// The cuts of the first changed constraint that yields any.
    fn cuts(&mut self) -> Vec<Cut> {
        let mut theory = std::mem::take(&mut self.theory);
        for lit in &self.trail[theory.seen..] {
            theory.change(*lit);
        }
        theory.credit += WORTH * (self.trail.len() - theory.seen);
        theory.seen = self.trail.len();
        let whole = self.trail.len() == self.level.len();
        let value = |lit: Lit| match self.values.get(index(lit) as usize) {
            Some(0) | None => None,
            Some(value) => Some(*value > 0),
        };
        let mut cuts = Vec::new();
        for (at, (lazy, changed)) in theory.lazy.iter().zip(&mut theory.changed).enumerate() {
            let cost = if whole || self.depth() <= self.base { 0 } else { theory.sizes[at] };
            if *changed && cuts.is_empty() && cost <= theory.credit {
                *changed = false;
                theory.credit -= cost;
                lazy.cuts(value, &mut cuts);
                if self.depth() <= self.base {
                    theory.sizes[at] = lazy.size(value);
                }
                if let Some(kept) = &mut theory.kept {
                    kept.latest = kept.cuts.len();
                    let used = kept.which == Keep::All;
                    kept.cuts.extend(cuts.iter().map(|cut: &Cut| (at, cut.clone(), used)));
                }
            }
        }
        self.theory = theory;
        cuts
    }

    /// Adds cuts as clauses. Asserts the literal of a unit cut; if some cuts are false, jumps back to the lowest
    /// level where one is.
    fn apply_cuts(&mut self, cuts: &[Cut]) -> Option<Conflict> {
        let mut lowest: Option<(u32, u32)> = None;
        for (number, cut) in cuts.iter().enumerate() {
            let number = self.theory.kept.as_ref().map_or(NO_CUT, |kept| (kept.latest + number) as u32);
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
                // not violated by the current assignment: useful later
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
        // the cut rules out every model below this level, whatever is decided above
        self.floor = self.floor.min(level);
        Some(Conflict::Clause(place))
    }

    /// Records that a conclusion depends on a clause, if cuts are kept.
    pub(super) fn uses(&mut self, clause: u32) {
        if self.theory.kept.is_some()
            && (clause as usize) >= self.learned_from
            && let Ok(at) = self.learned.binary_search_by_key(&clause, |learned| learned.clause)
        {
            self.mark_used(self.learned[at].cut);
        }
    }

    fn mark_used(&mut self, number: u32) {
        if let Some((_, _, used)) =
            self.theory.kept.as_mut().and_then(|kept| kept.cuts.get_mut(number as usize))
        {
            *used = true;
        }
    }

    /// Records all clauses that led to a conflict from which nothing is learned.
    pub(super) fn rests_on(&mut self, conflict: Conflict) {
        if self.theory.kept.is_none() {
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
