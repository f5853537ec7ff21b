//! Cuts for edges that mean equality of their ends: the relation is transitive, and the edges between two components
//! are all present or all absent.

use super::MOST_COMPONENTS;
use super::partial_graph::PartialGraph;
use crate::encode::Lit;
use std::collections::BTreeMap;

/// **Lemma.** If a path of present edges connects the ends of an edge, the ends are equal, so the edge is present.
/// Let paths connect a and c, and b and d: if the edge ab is present, a path through it connects c and d, so the edge
/// cd is present.
impl<V> PartialGraph<'_, V> {
    pub fn alike(&self, cuts: &mut Vec<Vec<Lit>>) {
        let components = self.sure();
        let tree = self.tree(&components);
        let found = cuts.len();
        // per pair of components: an absent edge, and the undecided edges
        let mut between: BTreeMap<[usize; 2], (Option<usize>, Vec<usize>)> = BTreeMap::new();
        for (edge, ([a, b], lit)) in self.lazy.edges.iter().enumerate() {
            let (Some(of_a), Some(of_b)) = (components.of[*a], components.of[*b]) else { continue };
            match self.joined[edge] {
                Some(true) => {}
                _ if of_a == of_b => {
                    let mut clause = vec![*lit];
                    self.unless_way(&tree, [*a, *b], &mut clause);
                    cuts.push(clause);
                }
                Some(false) => between.entry([of_a.min(of_b), of_a.max(of_b)]).or_default().0 = Some(edge),
                None => between.entry([of_a.min(of_b), of_a.max(of_b)]).or_default().1.push(edge),
            }
            if cuts.len() - found >= MOST_COMPONENTS {
                return;
            }
        }
        for (apart, open) in between.values() {
            let Some(apart) = apart else { continue };
            for edge in open {
                let (one, other) = (&self.lazy.edges[*edge], &self.lazy.edges[*apart]);
                let mut clause = vec![other.1];
                Self::unless(&mut clause, one.1);
                let [[a, b], [mut c, mut d]] = [one.0, other.0];
                if components.of[a] != components.of[c] {
                    std::mem::swap(&mut c, &mut d);
                }
                self.unless_way(&tree, [a, c], &mut clause);
                self.unless_way(&tree, [b, d], &mut clause);
                cuts.push(clause);
            }
        }
    }
}
