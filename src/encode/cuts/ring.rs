//! Rings: an edge within what is joined already goes.

use super::MOST_COMPONENTS;
use super::shape::Shape;

impl<V> Shape<'_, V> {
    pub fn acyclic(&self, cuts: &mut Vec<Vec<crate::encode::Lit>>) {
        let components = self.sure();
        let mut above: Vec<Option<(usize, usize)>> = vec![None; self.there.len()];
        let mut depth = vec![0; self.there.len()];
        let mut tree = vec![false; self.joined.len()];
        for component in 0..components.len() {
            for (vertex, by) in components.vertices(component) {
                if let Some(edge) = by {
                    let [a, b] = self.lazy.edges[*edge].0;
                    let parent = if a == *vertex { b } else { a };
                    above[*vertex] = Some((parent, *edge));
                    depth[*vertex] = depth[parent] + 1;
                    tree[*edge] = true;
                }
            }
        }
        let closes = |edge: &usize| {
            let [a, b] = self.lazy.edges[*edge].0;
            let within = components.of[a].is_some() && components.of[a] == components.of[b];
            within && self.joined[*edge] != Some(false) && !tree[*edge]
        };
        for edge in (0..self.joined.len()).filter(closes).take(MOST_COMPONENTS) {
            let mut clause = Vec::new();
            Self::unless(&mut clause, self.lazy.edges[edge].1);
            let [mut a, mut b] = self.lazy.edges[edge].0;
            while a != b {
                if depth[a] < depth[b] {
                    std::mem::swap(&mut a, &mut b);
                }
                let Some((parent, edge)) = above[a] else { break };
                Self::unless(&mut clause, self.lazy.edges[edge].1);
                a = parent;
            }
            clause.sort_unstable();
            clause.dedup();
            cuts.push(clause);
        }
    }
}
