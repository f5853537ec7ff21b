//! Cuts for connectivity: every component contains a root. Excludes vertices that cannot reach a root, and propagates
//! cut vertices and bridges.
//!
//! **Lemma.** Let X be a set of vertices without a root. If a vertex of X is present, its component contains a root,
//! so a path leads from X to a root, and one of the literals of [`PartialGraph::ways_out`] holds. If the whole graph
//! must be connected, any present vertex can be the root. The clauses are valid for every X; the searches only find
//! useful X: components of the possible graph, and the vertices behind a cut vertex or a bridge.
//!
//! Cut vertices and bridges by depth-first search (Hopcroft, Tarjan, CACM 16, 1973).

use super::partial_graph::{Components, PartialGraph, Targets};
use super::{ALWAYS, MOST_COMPONENTS};
use crate::encode::Lit;

/// A depth-first search in the possible graph, from the roots; an unreached vertex has the number 0.
struct Walk {
    /// Per vertex: its discovery number, from 1.
    number: Vec<usize>,
    /// Per vertex: the lowest discovery number among its subtree and the neighbours of its subtree; 0 if the subtree
    /// contains a root.
    low: Vec<usize>,
    /// Per vertex: a vertex in its subtree that is surely present.
    sure: Vec<Option<usize>>,
    /// The vertices in discovery order, each with its tree edge.
    order: Vec<(usize, Option<usize>)>,
    /// Per vertex: the end of its subtree in `order`.
    end: Vec<usize>,
}

impl<V> PartialGraph<'_, V> {
    pub fn connected(&self, cuts: &mut Vec<Vec<Lit>>) {
        let components = self.possible();
        let sure = |at: &usize| self.there[*at] == Some(true);
        let Some(first) = (0..self.there.len()).find(sure) else { return };
        let known = self.lazy.there.iter().position(|lit| *lit == ALWAYS);
        // if no vertex is always present, anchor in the largest component
        let size = |at: &usize| components.of[*at].map_or(0, |at| components.vertices(at).len());
        let anchor = known.unwrap_or_else(|| {
            let sizes = (first..self.there.len()).filter(sure);
            sizes.rev().max_by_key(size).unwrap_or(first)
        });
        let mut premise = Vec::new();
        Self::unless(&mut premise, self.present[anchor]);
        let found = cuts.len();
        self.rooted(&[anchor], &premise, &components, cuts);
        // separators around the component of the anchor
        for component in (0..components.len()).filter(|at| Some(*at) != components.of[anchor]) {
            if cuts.len() - found >= 2 * MOST_COMPONENTS {
                break;
            }
            if let Some((other, _)) = components.vertices(component).iter().find(|(at, _)| sure(at)) {
                let mut clause = premise.clone();
                Self::unless(&mut clause, self.present[*other]);
                let own = components.of[anchor].map_or(&[][..], |at| components.vertices(at));
                self.ways_out(own, Targets::These(&[*other]), None, &mut clause);
                cuts.push(clause);
            }
        }
    }

    pub fn reaches(&self, roots: &[usize], cuts: &mut Vec<Vec<Lit>>) {
        self.rooted(roots, &[], &self.possible(), cuts);
    }

    /// Cuts for "every present vertex reaches one of `roots`", under the condition that all literals of `premise` are
    /// false.
    fn rooted(&self, roots: &[usize], premise: &[Lit], components: &Components, cuts: &mut Vec<Vec<Lit>>) {
        let mut reached = vec![false; components.len()];
        roots.iter().filter_map(|root| components.of[*root]).for_each(|component| reached[component] = true);
        let mut broken = false;
        for component in (0..components.len()).filter(|at| !reached[*at]).take(MOST_COMPONENTS) {
            let vertices = components.vertices(component);
            let sure = vertices.iter().find(|(at, _)| self.there[*at] == Some(true));
            broken |= sure.is_some();
            let mut ways = Vec::new();
            self.ways_out(vertices, Targets::These(roots), None, &mut ways);
            for (vertex, _) in sure.map_or(vertices, std::slice::from_ref) {
                let mut clause = premise.to_vec();
                Self::unless(&mut clause, self.present[*vertex]);
                clause.extend(&ways);
                cuts.push(clause);
            }
        }
        if broken {
            return;
        }
        let walk = self.walk(roots);
        for (child, by) in &walk.order {
            let (Some(edge), Some(sure)) = (*by, walk.sure[*child]) else { continue };
            let [a, b] = self.lazy.edges[edge].0;
            let parent = if a == *child { b } else { a };
            let needs_vertex = walk.low[*child] >= walk.number[parent] && self.there[parent].is_none();
            let needs_edge = walk.low[*child] > walk.number[parent] && self.joined[edge].is_none();
            let below = &walk.order[walk.number[*child] - 1..walk.end[*child]];
            for (needed, via) in [(needs_vertex, Some(parent)), (needs_edge, None)] {
                if needed {
                    let mut clause = premise.to_vec();
                    Self::unless(&mut clause, self.present[sure]);
                    self.ways_out(below, Targets::These(roots), via, &mut clause);
                    cuts.push(clause);
                }
            }
        }
    }

    fn walk(&self, roots: &[usize]) -> Walk {
        let n = self.there.len();
        let mut walk = Walk {
            number: vec![0; n],
            low: vec![usize::MAX; n],
            sure: vec![None; n],
            order: Vec::new(),
            end: vec![0; n],
        };
        roots.iter().for_each(|root| walk.low[*root] = 0);
        // the stack: vertices, each with the index of its next edge
        let mut open: Vec<(usize, usize)> = Vec::new();
        for root in roots {
            if self.there[*root] == Some(false) || walk.number[*root] > 0 {
                continue;
            }
            walk.find(*root, None, self.there[*root]);
            open.push((*root, 0));
            while let Some((at, next)) = open.last_mut() {
                let Some((edge, other)) = self.lazy.beside[*at].get(*next).copied() else {
                    let (at, by) = (*at, walk.order[walk.number[*at] - 1].1);
                    walk.end[at] = walk.order.len();
                    open.pop();
                    if let (Some((above, _)), Some(_)) = (open.last(), by) {
                        walk.low[*above] = walk.low[*above].min(walk.low[at]);
                        walk.sure[*above] = walk.sure[*above].or(walk.sure[at]);
                    }
                    continue;
                };
                *next += 1;
                let (at, came_by) = (*at, walk.order[walk.number[*at] - 1].1);
                if self.joined[edge] == Some(false) || came_by == Some(edge) {
                    continue;
                }
                if walk.number[other] > 0 {
                    walk.low[at] = walk.low[at].min(walk.number[other]);
                } else {
                    walk.find(other, Some(edge), self.there[other]);
                    open.push((other, 0));
                }
            }
        }
        walk
    }
}

impl Walk {
    fn find(&mut self, vertex: usize, by: Option<usize>, there: Option<bool>) {
        self.order.push((vertex, by));
        self.number[vertex] = self.order.len();
        self.low[vertex] = self.low[vertex].min(self.order.len());
        self.sure[vertex] = (there == Some(true)).then_some(vertex);
    }
}
