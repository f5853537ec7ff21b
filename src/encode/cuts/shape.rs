//! What the values so far make of a graph: what is there for sure, what may be.

use super::{ALWAYS, Lazy};
use crate::encode::Lit;
use std::collections::VecDeque;

/// A graph whose parts are there (`Some(true)`), are not, or may be.
pub(super) struct Shape<'l, V> {
    pub lazy: &'l Lazy,
    value: V,
    /// Per vertex.
    pub there: Vec<Option<bool>>,
    /// Per edge; those that may join have ends that may be there.
    pub joined: Vec<Option<bool>>,
}

/// Vertices in the order in which searches find them, each with the edge it was found by, component by component.
pub(super) struct Components {
    /// Per vertex its component; none where it is not there.
    pub of: Vec<Option<usize>>,
    order: Vec<(usize, Option<usize>)>,
    /// Per component: where it begins in the order.
    starts: Vec<usize>,
}

impl Components {
    pub fn len(&self) -> usize {
        self.starts.len()
    }

    pub fn vertices(&self, component: usize) -> &[(usize, Option<usize>)] {
        let end = self.starts.get(component + 1).copied().unwrap_or(self.order.len());
        &self.order[self.starts[component]..end]
    }
}

/// The edges by which searches found the vertices of components.
pub(super) struct Tree {
    /// Per vertex, unless its component begins there: the vertex before it, and the edge from there.
    above: Vec<Option<(usize, usize)>>,
    depth: Vec<usize>,
}

impl Tree {
    /// Was one end of an edge found by it from the other?
    pub fn has(&self, edge: usize, ends: [usize; 2]) -> bool {
        ends.iter().any(|end| self.above[*end].is_some_and(|(_, by)| by == edge))
    }
}

impl<'l, V: FnMut(Lit) -> Option<bool>> Shape<'l, V> {
    pub fn new(lazy: &'l Lazy, value: V) -> Self {
        let mut shape = Shape { lazy, value, there: Vec::new(), joined: Vec::new() };
        shape.there = lazy.there.iter().map(|lit| shape.value(*lit)).collect();
        shape.joined = lazy
            .edges
            .iter()
            .map(|([a, b], lit)| match (shape.there[*a], shape.there[*b]) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                _ => shape.value(*lit),
            })
            .collect();
        shape
    }

    pub fn value(&mut self, lit: Lit) -> Option<bool> {
        match lit {
            ALWAYS => Some(true),
            _ if lit == -ALWAYS => Some(false),
            _ => (self.value)(lit),
        }
    }
}

impl<V> Shape<'_, V> {
    /// The components of what may be there.
    pub fn possible(&self) -> Components {
        self.components(|there| there != Some(false))
    }

    /// The components of what is there for sure.
    pub fn sure(&self) -> Components {
        self.components(|there| there == Some(true))
    }

    fn components(&self, counts: impl Fn(Option<bool>) -> bool) -> Components {
        let mut found =
            Components { of: vec![None; self.there.len()], order: Vec::new(), starts: Vec::new() };
        for vertex in 0..self.there.len() {
            if !counts(self.there[vertex]) || found.of[vertex].is_some() {
                continue;
            }
            let component = found.starts.len();
            let mut next = found.order.len();
            found.starts.push(next);
            found.of[vertex] = Some(component);
            found.order.push((vertex, None));
            while let Some((at, _)) = found.order.get(next).copied() {
                next += 1;
                for (edge, other) in &self.lazy.beside[at] {
                    if counts(self.joined[*edge]) && found.of[*other].is_none() {
                        found.of[*other] = Some(component);
                        found.order.push((*other, Some(*edge)));
                    }
                }
            }
        }
        found
    }

    pub fn tree(&self, components: &Components) -> Tree {
        let mut tree = Tree { above: vec![None; self.there.len()], depth: vec![0; self.there.len()] };
        for (vertex, by) in &components.order {
            if let Some(edge) = by {
                let [a, b] = self.lazy.edges[*edge].0;
                let parent = if a == *vertex { b } else { a };
                tree.above[*vertex] = Some((parent, *edge));
                tree.depth[*vertex] = tree.depth[parent] + 1;
            }
        }
        tree
    }

    /// Unless the edges of the way between two vertices of one component are there.
    pub fn unless_way(&self, tree: &Tree, [mut a, mut b]: [usize; 2], clause: &mut Vec<Lit>) {
        while a != b {
            if tree.depth[a] < tree.depth[b] {
                std::mem::swap(&mut a, &mut b);
            }
            let Some((parent, edge)) = tree.above[a] else { return };
            Self::unless(clause, self.lazy.edges[edge].1);
            a = parent;
        }
    }

    /// The vertices that are joined to one for sure, or by the edge `also`: nearest first, `most` at most; each with the edge it
    /// was found by.
    pub fn search(&self, from: usize, also: Option<usize>, most: usize) -> Vec<(usize, Option<usize>)> {
        let mut seen = vec![false; self.there.len()];
        seen[from] = true;
        let mut found = vec![(from, None)];
        let mut next = 0;
        while let Some((at, _)) = found.get(next).copied() {
            next += 1;
            for (edge, other) in &self.lazy.beside[at] {
                let joined = self.joined[*edge] == Some(true) || also == Some(*edge);
                if found.len() < most && joined && !std::mem::replace(&mut seen[*other], true) {
                    found.push((*other, Some(*edge)));
                }
            }
        }
        found
    }

    /// Adds the negation, which is false; nothing where the literal always holds.
    pub fn unless(clause: &mut Vec<Lit>, lit: Lit) {
        if lit != ALWAYS {
            clause.push(-lit);
        }
    }

    /// Adds to a clause what could lead from these vertices to one of `targets`: another vertex beside them that is not there, or
    /// is `via`; or an edge to one that may be there.
    ///
    /// **Lemma (separator).** Let X be vertices, none of them a target, and B the vertices outside X that have an edge from X
    /// and are not there, or are `via`. Let Y be the vertices outside X from which a way leads to a target past X and, behind its
    /// first vertex, past B. If a way leads from X to a target, one of these holds: a vertex of B ∩ Y is there; or an edge from X to a
    /// vertex of Y \ B joins. *Proof.* Behind its last vertex in X the way goes on as y1, y2, … to a target. If one of y2, y3, …
    /// is in B, take the last of those: it is in Y, and there. Else y1 is in Y; if it is in B, it is there, and if not, the edge to it
    /// joins. ∎
    ///
    /// So these literals, behind "there is no such way" put as literals, make a clause that follows. (Fischetti et al., Math. Prog.
    /// Computation 9, 2017, have the case without `via`.)
    pub fn ways_out(
        &self,
        vertices: &[(usize, Option<usize>)],
        targets: &[usize],
        via: Option<usize>,
        clause: &mut Vec<Lit>,
    ) {
        let mut inside = vec![false; self.there.len()];
        vertices.iter().for_each(|(vertex, _)| inside[*vertex] = true);
        let mut beside = vec![false; self.there.len()];
        for (vertex, _) in vertices {
            for (_, other) in &self.lazy.beside[*vertex] {
                beside[*other] |= self.there[*other] == Some(false) || via == Some(*other);
            }
        }
        // what the targets are joined to, if everything else were there
        let mut behind = vec![false; self.there.len()];
        let mut open: VecDeque<usize> = VecDeque::new();
        for target in targets.iter().filter(|target| !inside[**target]) {
            behind[*target] = true;
            open.push_back(*target);
        }
        while let Some(vertex) = open.pop_front() {
            // the vertices are reached through these, not they through them
            if beside[vertex] {
                continue;
            }
            for (_, other) in &self.lazy.beside[vertex] {
                if !inside[*other] && !std::mem::replace(&mut behind[*other], true) {
                    open.push_back(*other);
                }
            }
        }
        for (vertex, _) in vertices {
            for (edge, other) in &self.lazy.beside[*vertex] {
                if inside[*other] || !behind[*other] {
                    continue;
                }
                clause.push(if beside[*other] { self.lazy.there[*other] } else { self.lazy.edges[*edge].1 });
            }
        }
    }
}
