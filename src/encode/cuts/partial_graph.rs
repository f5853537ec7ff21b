//! A graph under a partial assignment: the sure graph (surely present vertices and edges) and the possible graph (all
//! that are not excluded).
//!
//! In: a [`Lazy`] constraint and the values of literals. Out: components, spanning forests, and separators.

use super::{ALWAYS, Lazy};
use crate::encode::Lit;
use std::cell::RefCell;
use std::collections::VecDeque;

/// A graph whose vertices and edges are present (`Some(true)`), absent (`Some(false)`), or undecided.
pub(super) struct PartialGraph<'l, V> {
    pub lazy: &'l Lazy,
    value: V,
    /// Per vertex; an end of a present edge is present, even if the literal of the vertex is unassigned.
    pub there: Vec<Option<bool>>,
    /// Per vertex: the literal that states its presence: its own, or that of a present edge if its own is unassigned.
    pub present: Vec<Lit>,
    /// Per edge; an edge with an absent end is absent.
    pub joined: Vec<Option<bool>>,
    /// Maps that are used again: one of all vertices for each component would be quadratic.
    spare: RefCell<Vec<Marks>>,
}

/// A map from vertices (or components) to numbers, emptied in constant time.
#[derive(Default)]
pub(super) struct Marks {
    /// Per key: the round in which it got its value, and the value.
    entries: Vec<(u32, usize)>,
    round: u32,
}

impl Marks {
    pub fn get(&self, key: usize) -> Option<usize> {
        let (round, value) = self.entries[key];
        (round == self.round).then_some(value)
    }

    pub fn has(&self, key: usize) -> bool {
        self.get(key).is_some()
    }

    pub fn set(&mut self, key: usize, value: usize) {
        self.entries[key] = (self.round, value);
    }

    /// Gives a key the value 0; had it none?
    pub fn add(&mut self, key: usize) -> bool {
        let is_new = !self.has(key);
        self.set(key, 0);
        is_new
    }
}

/// The connected components of the sure or the possible graph.
pub(super) struct Components {
    /// Per vertex: its component, if the graph contains it.
    pub of: Vec<Option<usize>>,
    /// The vertices, component by component, in breadth-first order, each with its tree edge.
    order: Vec<(usize, Option<usize>)>,
    /// Per component: its start in `order`.
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

/// The breadth-first spanning forest of components.
pub(super) struct Tree {
    /// Per vertex, except the roots: its parent, and the edge to it.
    above: Vec<Option<(usize, usize)>>,
    depth: Vec<usize>,
}

impl Tree {
    /// Is this a tree edge?
    pub fn has(&self, edge: usize, ends: [usize; 2]) -> bool {
        ends.iter().any(|end| self.above[*end].is_some_and(|(_, by)| by == edge))
    }
}

impl<'l, V: FnMut(Lit) -> Option<bool>> PartialGraph<'l, V> {
    /// **Lemma (ends).** The formula implies that both ends of a present edge are present (see [`crate::certify::Graph`]).
    /// So where an edge is known to be present, its ends are, before unit propagation finds it, and a cut that needs
    /// the presence of an end may state the presence of the edge in its place.
    pub fn new(lazy: &'l Lazy, value: V) -> Self {
        let present = lazy.there.clone();
        let mut shape = PartialGraph {
            lazy,
            value,
            there: Vec::new(),
            present,
            joined: Vec::new(),
            spare: RefCell::default(),
        };
        shape.there = lazy.there.iter().map(|lit| shape.value(*lit)).collect();
        shape.joined = lazy
            .edges
            .iter()
            .map(|([a, b], lit)| match (shape.there[*a], shape.there[*b]) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                _ => shape.value(*lit),
            })
            .collect();
        let present_edges = lazy.edges.iter().zip(&shape.joined).filter(|(_, joined)| **joined == Some(true));
        for (end, lit) in present_edges.flat_map(|((ends, lit), _)| ends.map(|end| (end, *lit))) {
            if shape.there[end].is_none() {
                shape.there[end] = Some(true);
                shape.present[end] = lit;
            }
        }
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

impl<V> PartialGraph<'_, V> {
    /// An empty map.
    pub fn marks(&self) -> Marks {
        let mut marks = self.spare.borrow_mut().pop().unwrap_or_default();
        marks.entries.resize(self.there.len(), (0, 0));
        marks.round += 1;
        marks
    }

    /// A map is no longer needed.
    pub fn give_back(&self, marks: Marks) {
        self.spare.borrow_mut().push(marks);
    }

    /// The components of the possible graph.
    pub fn possible(&self) -> Components {
        self.components(|there| there != Some(false))
    }

    /// The components of the sure graph.
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

    /// Adds the negated edges of the tree path between two vertices of one component.
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

    /// Breadth-first search in the sure graph plus the edge `also`, for at most `most` vertices; each has its tree
    /// edge.
    pub fn search(&self, from: usize, also: Option<usize>, most: usize) -> Vec<(usize, Option<usize>)> {
        let mut seen = self.marks();
        seen.set(from, 0);
        let mut found = vec![(from, None)];
        let mut next = 0;
        while let Some((at, _)) = found.get(next).copied() {
            next += 1;
            for (edge, other) in &self.lazy.beside[at] {
                let joined = self.joined[*edge] == Some(true) || also == Some(*edge);
                if found.len() < most && joined && seen.add(*other) {
                    found.push((*other, Some(*edge)));
                }
            }
        }
        self.give_back(seen);
        found
    }

    /// Adds the negation of a true literal; nothing for `ALWAYS`.
    pub fn unless(clause: &mut Vec<Lit>, lit: Lit) {
        if lit != ALWAYS {
            clause.push(-lit);
        }
    }

    /// Adds the literals of a separator between `vertices` and `targets`: neighbours that are absent or `via`, and
    /// edges to other neighbours.
    ///
    /// **Lemma (separator).** Let X be a set of vertices without a target. Let B be the vertices outside X that have
    /// an edge from X and are absent or `via`. Let Y be the vertices outside X from which a path leads to a target
    /// that avoids X and, after its first vertex, B. If a path of present edges leads from X to a target, then a
    /// vertex of B ∩ Y is present, or an edge from X to a vertex of Y \ B is present. *Proof.* After its last vertex
    /// in X the path continues as y1, y2, … to a target. If one of y2, y3, … is in B, take the last such vertex: it
    /// is in Y, and present. Otherwise y1 is in Y. If y1 is in B, it is present; if not, the edge to it is present. ∎
    ///
    /// So "no path leads from X to a target, or one of these literals holds" is a valid clause. (Fischetti et al.,
    /// Math. Prog. Computation 9, 2017, have the case without `via`.)
    pub fn ways_out(
        &self,
        vertices: &[(usize, Option<usize>)],
        targets: Targets<'_>,
        via: Option<usize>,
        clause: &mut Vec<Lit>,
    ) {
        let (mut inside, mut beside, mut behind) = (self.marks(), self.marks(), self.marks());
        vertices.iter().for_each(|(vertex, _)| inside.set(*vertex, 0));
        let others =
            || vertices.iter().flat_map(|(vertex, _)| &self.lazy.beside[*vertex]).map(|(_, other)| *other);
        for other in others().filter(|other| self.there[*other] == Some(false) || via == Some(*other)) {
            beside.set(other, 0);
        }
        // Y: search backwards from the targets
        let mut open: VecDeque<usize> = VecDeque::new();
        match targets {
            Targets::All => others().for_each(|other| behind.set(other, 0)),
            Targets::These(targets) => {
                for target in targets.iter().filter(|target| !inside.has(**target)) {
                    behind.set(*target, 0);
                    open.push_back(*target);
                }
            }
        }
        while let Some(vertex) = open.pop_front() {
            // a vertex of B can only be the first vertex of a path
            if beside.has(vertex) {
                continue;
            }
            for (_, other) in &self.lazy.beside[vertex] {
                if !inside.has(*other) && behind.add(*other) {
                    open.push_back(*other);
                }
            }
        }
        for (vertex, _) in vertices {
            for (edge, other) in &self.lazy.beside[*vertex] {
                if inside.has(*other) || !behind.has(*other) {
                    continue;
                }
                clause.push(if beside.has(*other) {
                    self.lazy.there[*other]
                } else {
                    self.lazy.edges[*edge].1
                });
            }
        }
        [inside, beside, behind].into_iter().for_each(|marks| self.give_back(marks));
    }
}

/// Where a path out of a set of vertices leads.
#[derive(Clone, Copy)]
pub(super) enum Targets<'t> {
    /// To any vertex outside.
    All,
    These(&'t [usize]),
}
