//! Sizes by counting: vertices in components of n are a multiple of n, and together no more than there are.

use super::MOST_COMPONENTS;
use super::shape::Shape;
use super::sized::Sizes;
use crate::encode::Lit;
use std::collections::BTreeMap;

impl<'l, V: FnMut(Lit) -> Option<bool>> Shape<'l, V> {
    pub fn counted(&mut self, sizes: &Sizes<'l>, cuts: &mut Vec<Vec<Lit>>) {
        let before = cuts.len();
        let all: Vec<usize> = (0..self.there.len()).collect();
        for component in 0..sizes.possible.len() {
            let vertices = sizes.possible.vertices(component);
            // by size: literals of vertices in components of this size
            let mut known: BTreeMap<usize, Vec<Lit>> = BTreeMap::new();
            for size in vertices.iter().filter_map(|(vertex, _)| sizes.about[*vertex].first()) {
                let least = self.least(size.at_least);
                if least > 0 && self.value(size.is(least)) == Some(true) {
                    known.entry(least).or_default().push(size.is(least));
                }
            }
            let total: usize = known.iter().map(|(n, lits)| lits.len().next_multiple_of(*n)).sum();
            let mut told = Vec::new();
            self.ways_out(vertices, &all, None, &mut told);
            // so many more vertices than there are, by all that is known or without sizes that are not needed
            let tell = |mut over: usize, spared: Option<usize>, clause: &mut Vec<Lit>| {
                for (n, lits) in known.iter().rev().filter(|(n, _)| Some(**n) != spared) {
                    let room = lits.len().next_multiple_of(*n);
                    match over > room {
                        true => over -= room,
                        false => lits[..=room - n].iter().for_each(|lit| Self::unless(clause, *lit)),
                    }
                }
            };
            if total > vertices.len() {
                tell(total - vertices.len(), None, &mut told);
                cuts.push(told);
                continue;
            }
            let slack = vertices.len() - total;
            for size in vertices.iter().flat_map(|(vertex, _)| &sizes.about[*vertex]) {
                for (n, is) in size.is.iter().enumerate().skip(slack + 1) {
                    let lits = known.get(&n).map_or(&[][..], |lits| lits);
                    if self.value(*is).is_none() && lits.len().is_multiple_of(n) {
                        let mut clause = told.clone();
                        clause.push(-is);
                        lits.iter().for_each(|lit| Self::unless(&mut clause, *lit));
                        tell(n - slack, Some(n), &mut clause);
                        cuts.push(clause);
                    }
                }
                if cuts.len() - before >= MOST_COMPONENTS {
                    return;
                }
            }
        }
    }
}
