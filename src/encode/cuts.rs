//! Graph constraints that are left out of a formula: what is told instead, clause by clause, when a model breaks them.
//!
//! In: a [`Lazy`] and the literals that hold in a model. Out: clauses that follow from the constraint and exclude the model; none
//! if it keeps the constraint. A cut set says that a component has a way out (the separators of Fischetti et al., Math. Prog.
//! Computation 9, 2017: without what lies behind other parts of it), a ring that one of its edges goes, a size what
//! edges or ways out it wants. Knows nothing of models or of what a vertex stands for.

use super::Lit;
use std::collections::VecDeque;

/// A literal that always holds, where a condition is known; its negation never does.
pub const ALWAYS: Lit = Lit::MAX;

/// Components that are given cuts for one model.
const MOST_COMPONENTS: usize = 64;
/// Vertices of one component whose sizes are given cuts for one model.
const MOST_SIZED: usize = 4;

/// A graph in literals, and what is wanted of it.
#[derive(Clone, Debug, Default)]
pub struct Lazy {
    /// Per vertex: is it there?
    pub there: Vec<Lit>,
    /// Edges between different vertices, and whether they join them; they do only where both are there.
    pub edges: Vec<([usize; 2], Lit)>,
    pub demands: Vec<Demand>,
}

/// What is wanted of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Demand {
    /// At most one component.
    Connected,
    /// No ring.
    Acyclic,
    /// Each component holds one of these vertices.
    Reaches(Vec<usize>),
    /// The component of `vertex`, which is there, has just so many vertices that of the literals `at_least`, which say "i
    /// and more" from i = 0 on, the last that holds is that of its size. Beyond the last literal nothing is so large.
    Size { vertex: usize, at_least: Vec<Lit> },
}

/// What a model makes of a graph.
struct Shape<'l> {
    lazy: &'l Lazy,
    /// Per vertex: edges to others, as numbers, and the others.
    beside: Vec<Vec<(usize, usize)>>,
    there: Vec<bool>,
    joined: Vec<bool>,
    /// Per vertex its component, by number.
    of: Vec<Option<usize>>,
    /// In the order in which a search from the first vertex finds them, each with the edge it was found by.
    components: Vec<Vec<(usize, Option<usize>)>>,
}

impl Lazy {
    /// Clauses that exclude the model and follow from the demands.
    pub fn cuts(&self, mut holds: impl FnMut(Lit) -> bool, cuts: &mut Vec<Vec<Lit>>) {
        let mut holds = |lit: Lit| lit == ALWAYS || (lit != -ALWAYS && holds(lit));
        let shape = Shape::new(self, &mut holds);
        for demand in &self.demands {
            match demand {
                Demand::Connected => shape.connected(cuts),
                Demand::Acyclic => shape.acyclic(cuts),
                Demand::Reaches(roots) => shape.reaches(roots, cuts),
                Demand::Size { .. } => {}
            }
        }
        let mut sized = vec![0; shape.components.len()];
        for demand in &self.demands {
            if let Demand::Size { vertex, at_least } = demand
                && let Some(component) = shape.of[*vertex]
                && sized[component] < MOST_SIZED
            {
                let size = at_least.iter().rposition(|lit| holds(*lit)).unwrap_or(0);
                if size != shape.components[component].len() {
                    sized[component] += 1;
                    shape.size(*vertex, at_least, size, cuts);
                }
            }
        }
    }
}

impl<'l> Shape<'l> {
    fn new(lazy: &'l Lazy, holds: &mut impl FnMut(Lit) -> bool) -> Shape<'l> {
        let mut beside = vec![Vec::new(); lazy.there.len()];
        for (at, ([a, b], _)) in lazy.edges.iter().enumerate() {
            beside[*a].push((at, *b));
            beside[*b].push((at, *a));
        }
        let there: Vec<bool> = lazy.there.iter().map(|lit| holds(*lit)).collect();
        let joined = lazy.edges.iter().map(|(_, lit)| holds(*lit)).collect();
        let mut shape =
            Shape { lazy, beside, of: vec![None; there.len()], there, joined, components: Vec::new() };
        for vertex in 0..shape.there.len() {
            if shape.there[vertex] && shape.of[vertex].is_none() {
                let found = shape.search(vertex, usize::MAX);
                for (vertex, _) in &found {
                    shape.of[*vertex] = Some(shape.components.len());
                }
                shape.components.push(found);
            }
        }
        shape
    }

    /// The vertices that are joined to one, nearest first, `most` at most; each with the edge it was found by.
    fn search(&self, from: usize, most: usize) -> Vec<(usize, Option<usize>)> {
        let mut seen = vec![false; self.there.len()];
        seen[from] = true;
        let mut found = vec![(from, None)];
        let mut next = 0;
        while let Some((at, _)) = found.get(next).copied() {
            next += 1;
            for (edge, other) in &self.beside[at] {
                if found.len() < most && self.joined[*edge] && !std::mem::replace(&mut seen[*other], true) {
                    found.push((*other, Some(*edge)));
                }
            }
        }
        found
    }

    /// Adds the negation, which is false in the model; nothing where the literal always holds.
    fn unless(clause: &mut Vec<Lit>, lit: Lit) {
        if lit != ALWAYS {
            clause.push(-lit);
        }
    }

    /// A vertex that is there in any case if the component has one, else its first.
    fn anchor(&self, component: usize) -> usize {
        let vertices = &self.components[component];
        let sure = vertices.iter().find(|(vertex, _)| self.lazy.there[*vertex] == ALWAYS);
        sure.unwrap_or(&vertices[0]).0
    }

    fn connected(&self, cuts: &mut Vec<Vec<Lit>>) {
        if self.components.len() < 2 {
            return;
        }
        let is_sure = |component: &usize| self.lazy.there[self.anchor(*component)] == ALWAYS;
        let largest =
            (0..self.components.len()).rev().max_by_key(|at| self.components[*at].len()).unwrap_or(0);
        let target = (0..self.components.len()).find(is_sure).unwrap_or(largest);
        let others = (0..self.components.len()).filter(|at| *at != target).take(MOST_COMPONENTS);
        for component in others {
            for (from, to) in [(component, target), (target, component)] {
                let (start, end) = (self.anchor(from), self.anchor(to));
                let mut clause = Vec::new();
                Self::unless(&mut clause, self.lazy.there[start]);
                Self::unless(&mut clause, self.lazy.there[end]);
                self.ways_out(from, &[end], &mut clause);
                cuts.push(clause);
            }
        }
    }

    fn reaches(&self, roots: &[usize], cuts: &mut Vec<Vec<Lit>>) {
        let mut reached = vec![false; self.components.len()];
        roots.iter().filter_map(|root| self.of[*root]).for_each(|component| reached[component] = true);
        for component in (0..reached.len()).filter(|at| !reached[*at]).take(MOST_COMPONENTS) {
            let mut clause = Vec::new();
            Self::unless(&mut clause, self.lazy.there[self.anchor(component)]);
            self.ways_out(component, roots, &mut clause);
            cuts.push(clause);
        }
    }

    /// What could lead from a component to one of `targets`: another vertex beside it, or an edge to a vertex that is there.
    fn ways_out(&self, component: usize, targets: &[usize], clause: &mut Vec<Lit>) {
        let inside = |vertex: usize| self.of[vertex] == Some(component);
        let mut beside = vec![false; self.there.len()];
        for (vertex, _) in &self.components[component] {
            for (_, other) in &self.beside[*vertex] {
                beside[*other] |= !self.there[*other];
            }
        }
        // what the targets are joined to, if everything else were there
        let mut behind = vec![false; self.there.len()];
        let mut open: VecDeque<usize> = VecDeque::new();
        for target in targets.iter().filter(|target| !inside(**target)) {
            behind[*target] = true;
            open.push_back(*target);
        }
        while let Some(vertex) = open.pop_front() {
            // the component is reached through these, not they through it
            if beside[vertex] {
                continue;
            }
            for (_, other) in &self.beside[vertex] {
                if !inside(*other) && !std::mem::replace(&mut behind[*other], true) {
                    open.push_back(*other);
                }
            }
        }
        for (vertex, _) in &self.components[component] {
            for (edge, other) in &self.beside[*vertex] {
                if inside(*other) || !behind[*other] {
                    continue;
                }
                clause.push(if beside[*other] { self.lazy.there[*other] } else { self.lazy.edges[*edge].1 });
            }
        }
        clause.sort_unstable();
        clause.dedup();
    }

    fn acyclic(&self, cuts: &mut Vec<Vec<Lit>>) {
        let mut above: Vec<Option<(usize, usize)>> = vec![None; self.there.len()];
        let mut depth = vec![0; self.there.len()];
        let mut tree = vec![false; self.joined.len()];
        for component in &self.components {
            for (vertex, by) in component {
                if let Some(edge) = by {
                    let [a, b] = self.lazy.edges[*edge].0;
                    let parent = if a == *vertex { b } else { a };
                    above[*vertex] = Some((parent, *edge));
                    depth[*vertex] = depth[parent] + 1;
                    tree[*edge] = true;
                }
            }
        }
        let closing = (0..self.joined.len()).filter(|edge| self.joined[*edge] && !tree[*edge]);
        for edge in closing.take(MOST_COMPONENTS) {
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

    /// The component of `vertex` is said to have `size` vertices, and has another number of them.
    fn size(&self, vertex: usize, at_least: &[Lit], size: usize, cuts: &mut Vec<Vec<Lit>>) {
        let component = self.of[vertex].unwrap_or(0);
        let literal = |n: usize| at_least.get(n).copied().unwrap_or(-ALWAYS);
        let mut clause = Vec::new();
        if self.components[component].len() > size {
            for (_, by) in self.search(vertex, size + 1) {
                by.into_iter().for_each(|edge| Self::unless(&mut clause, self.lazy.edges[edge].1));
            }
            Self::unless(&mut clause, -literal(size + 1));
        } else {
            let all: Vec<usize> = (0..self.there.len()).collect();
            self.ways_out(component, &all, &mut clause);
            Self::unless(&mut clause, literal(self.components[component].len() + 1));
        }
        clause.sort_unstable();
        clause.dedup();
        cuts.push(clause);
    }
}
