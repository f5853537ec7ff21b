//! Cuts for acyclic graphs: excludes an edge whose ends are already connected.

use super::MOST_COMPONENTS;
use super::partial_graph::PartialGraph;
use crate::encode::Lit;

/// **Lemma.** A path and another edge between its ends form a cycle. So if a spanning tree of present edges has a path
/// between the ends of a non-tree edge, at least one edge of the cycle is absent. The clause states this.
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
