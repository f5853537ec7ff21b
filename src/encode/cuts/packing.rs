//! Sizes by counting: vertices in components of n are a multiple of n, and together no more than there are.

use super::MOST_COMPONENTS;
use super::partial_graph::PartialGraph;
use super::size::Sizes;
use crate::encode::Lit;
use std::collections::BTreeMap;

impl<'l, V: FnMut(Lit) -> Option<bool>> PartialGraph<'l, V> {
    /// **Lemma.** Let R be vertices from which no edge leads out. The vertices of R in components of n are a multiple of n. So if
    /// k(n) different vertices of R are known to be in components of n, for several n, then R has at least the sum of k(n), each
    /// rounded up to a multiple of n, vertices.
    ///
    /// If R has fewer, the clause says that a way leads out of R or one of these sizes is wrong. If R has so many that no
    /// component of n is left besides full ones, a vertex of unknown size is in none of n: it would be one vertex more. A vertex may
    /// be said to have several sizes; it is counted once, and only if none of them is known it is one more.
    pub fn counted(&mut self, sizes: &Sizes<'l>, cuts: &mut Vec<Vec<Lit>>) {
        let before = cuts.len();
        let all: Vec<usize> = (0..self.there.len()).collect();
        for component in 0..sizes.possible.len() {
            let vertices = sizes.possible.vertices(component);
            // by size: per vertex in components of this size a literal that says so
            let mut known: BTreeMap<usize, Vec<Lit>> = BTreeMap::new();
            let mut unknown: Vec<usize> = Vec::new();
            for (vertex, _) in vertices {
                match self.size_of(*vertex, sizes) {
                    Some((n, lit)) => known.entry(n).or_default().push(lit),
                    None => unknown.push(*vertex),
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
            for size in unknown.iter().flat_map(|vertex| &sizes.about[*vertex]) {
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

    /// The size of a vertex's component, if it is known to be there and how large, and the literal that says so.
    fn size_of(&mut self, vertex: usize, sizes: &Sizes<'l>) -> Option<(usize, Lit)> {
        sizes.about[vertex].iter().find_map(|size| {
            let n = self.least(size.at_least);
            (n > 0 && self.value(size.is(n)) == Some(true)).then_some((n, size.is(n)))
        })
    }
}
