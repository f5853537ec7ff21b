//! Rings: an edge within what is joined already goes.

use super::MOST_COMPONENTS;
use super::partial_graph::PartialGraph;
use crate::encode::Lit;

/// **Lemma.** A way and another edge between its ends are a ring. So where a tree of edges that join has a way between the ends of
/// an edge that is none of the tree's, the clause says that one of the way's edges does not join, or this one does not.
impl<V> PartialGraph<'_, V> {
    pub fn acyclic(&self, cuts: &mut Vec<Vec<Lit>>) {
        let components = self.sure();
        let tree = self.tree(&components);
        let closes = |edge: &usize| {
            let [a, b] = self.lazy.edges[*edge].0;
            let within = components.of[a].is_some() && components.of[a] == components.of[b];
            within && self.joined[*edge] != Some(false) && !tree.has(*edge, [a, b])
        };
        for edge in (0..self.joined.len()).filter(closes).take(MOST_COMPONENTS) {
            let mut clause = Vec::new();
            Self::unless(&mut clause, self.lazy.edges[edge].1);
            self.unless_way(&tree, self.lazy.edges[edge].0, &mut clause);
            cuts.push(clause);
        }
    }
}
