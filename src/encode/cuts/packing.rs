//! Cuts for component sizes by counting: the vertices in components of size n are a multiple of n, and all of them must
//! fit into the available vertices.

use super::MOST_COMPONENTS;
use super::partial_graph::{PartialGraph, Targets};
use super::size::Sizes;
use crate::encode::Lit;
use std::collections::BTreeMap;

impl<'l, V: FnMut(Lit) -> Option<bool>> PartialGraph<'l, V> {
    /// **Lemma.** Let R be a set of vertices that no edge leaves. The number of vertices of R in components of size n
    /// is a multiple of n. For several n, let k(n) different vertices of R be known to lie in components of size n.
    /// Then R has at least Σ ⌈k(n)/n⌉·n vertices.
    ///
    /// If R has fewer, the clause states: an edge leaves R, or one of these sizes is wrong. If k(n) is a multiple of
    /// n and R has no room for another component of size n, then no vertex of unknown size lies in one, because it
    /// would start a new component. A vertex may have several size constraints: it counts once, and it is of unknown
    /// size only if none of them is known.
    pub fn packing(&mut self, sizes: &Sizes<'l>, cuts: &mut Vec<Vec<Lit>>) {
        let before = cuts.len();
        for component in 0..sizes.possible.len() {
            let vertices = sizes.possible.vertices(component);
            // per size n: for each vertex in a component of size n, the literal that states it
            let mut known: BTreeMap<usize, Vec<Lit>> = BTreeMap::new();
            let mut unknown: Vec<usize> = Vec::new();
            for (vertex, _) in vertices {
                match self.size_of(*vertex, sizes) {
                    Some((n, lit)) => known.entry(n).or_default().push(lit),
                    None => unknown.push(*vertex),
                }
            }
            let total: usize = known.iter().map(|(n, lits)| lits.len().next_multiple_of(*n)).sum();
            let mut exits = Vec::new();
            self.ways_out(vertices, Targets::All, None, &mut exits);
            // explains that `over` vertices are too many; omits the size `spared` and facts that are not needed
            let explain = |mut over: usize, spared: Option<usize>, clause: &mut Vec<Lit>| {
                for (n, lits) in known.iter().rev().filter(|(n, _)| Some(**n) != spared) {
                    let room = lits.len().next_multiple_of(*n);
                    match over > room {
                        true => over -= room,
                        false => lits[..=room - n].iter().for_each(|lit| Self::unless(clause, *lit)),
                    }
                }
            };
            if total > vertices.len() {
                explain(total - vertices.len(), None, &mut exits);
                cuts.push(exits);
                continue;
            }
            let slack = vertices.len() - total;
            for size in unknown.iter().flat_map(|vertex| &sizes.about[*vertex]) {
                for (n, is) in size.is.iter().enumerate().skip(slack + 1) {
                    let lits = known.get(&n).map_or(&[][..], |lits| lits);
                    if self.value(*is).is_none() && lits.len().is_multiple_of(n) {
                        let mut clause = exits.clone();
                        clause.push(-is);
                        lits.iter().for_each(|lit| Self::unless(&mut clause, *lit));
                        explain(n - slack, Some(n), &mut clause);
                        cuts.push(clause);
                    }
                }
                if cuts.len() - before >= MOST_COMPONENTS {
                    return;
                }
            }
        }
    }

    /// The component size of a vertex and the literal that states it, if the vertex is present and the size is known.
    fn size_of(&mut self, vertex: usize, sizes: &Sizes<'l>) -> Option<(usize, Lit)> {
        sizes.about[vertex].iter().find_map(|size| {
            let n = self.least(size.at_least);
            (n > 0 && self.value(size.is(n)) == Some(true)).then_some((n, size.is(n)))
        })
    }
}
