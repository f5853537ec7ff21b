//! Graphs, judged by simple search: what the pages of the language say of them, and nothing else.

use super::value::Value;

/// What may hang together.
#[derive(Debug)]
pub struct Net {
    pub points: Vec<Value>,
    pub edges: Vec<[usize; 2]>,
    /// Does an array choose edges, not points?
    pub over_edges: bool,
}

/// A graph with everything known.
pub struct Chosen {
    there: Vec<bool>,
    edges: Vec<[usize; 2]>,
    /// Per point the first one of its component.
    first: Vec<usize>,
}

impl Chosen {
    fn new(there: Vec<bool>, edges: Vec<[usize; 2]>) -> Chosen {
        let mut first: Vec<usize> = (0..there.len()).collect();
        let mut changed = true;
        while changed {
            changed = false;
            for [a, b] in &edges {
                let least = first[*a].min(first[*b]);
                changed |= first[*a] != least || first[*b] != least;
                (first[*a], first[*b]) = (least, least);
            }
        }
        Chosen { there, edges, first }
    }

    /// Of booleans, an entry per point or per edge.
    pub fn of_booleans(net: &Net, on: &[bool]) -> Chosen {
        if net.over_edges {
            let edges: Vec<[usize; 2]> =
                net.edges.iter().zip(on).filter(|(_, on)| **on).map(|(edge, _)| *edge).collect();
            let there = (0..net.points.len()).map(|at| edges.iter().any(|edge| edge.contains(&at))).collect();
            return Chosen::new(there, edges);
        }
        let edges = net.edges.iter().filter(|[a, b]| on[*a] && on[*b]).copied().collect();
        Chosen::new(on.to_vec(), edges)
    }

    /// Of walls, an entry per edge: without a wall its ends hang together, and every point is there.
    pub fn between(net: &Net, wall: &[bool]) -> Chosen {
        let open = net.edges.iter().zip(wall).filter(|(_, wall)| !**wall).map(|(edge, _)| *edge);
        Chosen::new(vec![true; net.points.len()], open.collect())
    }

    /// Are the ends of an edge in different components?
    pub fn parts(&self, [a, b]: [usize; 2]) -> bool {
        self.first[a] != self.first[b]
    }

    /// Of values, an entry per point: equal ones hang together, false ones are not there.
    pub fn of_values(net: &Net, values: &[Value]) -> Chosen {
        let there: Vec<bool> = values.iter().map(|value| *value != Value::Bool(false)).collect();
        let edges = net.edges.iter().filter(|[a, b]| there[*a] && values[*a] == values[*b]);
        let edges = edges.copied().collect();
        Chosen::new(there, edges)
    }

    fn points(&self) -> impl Iterator<Item = usize> + '_ {
        (0..self.there.len()).filter(|at| self.there[*at])
    }

    fn components(&self) -> usize {
        self.points().filter(|at| self.first[*at] == *at).count()
    }

    fn degree(&self, point: usize) -> usize {
        self.edges.iter().flatten().filter(|end| **end == point).count()
    }

    pub fn is_connected(&self) -> bool {
        self.components() <= 1
    }

    pub fn is_acyclic(&self) -> bool {
        self.edges.len() + self.components() == self.points().count()
    }

    pub fn is_loop(&self) -> bool {
        self.components() == 1 && self.points().all(|at| self.degree(at) == 2)
    }

    pub fn is_path(&self, ends: [usize; 2]) -> bool {
        let degree = |at| if ends.contains(&at) { 1 } else { 2 };
        let whole = self.components() == 1 && self.points().all(|at| self.degree(at) == degree(at));
        whole && ends[0] != ends[1] && ends.iter().all(|end| self.there[*end])
    }

    pub fn reaches(&self, roots: &[usize]) -> bool {
        let root =
            |at: usize| roots.iter().any(|root| self.there[*root] && self.first[*root] == self.first[at]);
        self.points().all(root)
    }

    pub fn area(&self, point: usize) -> usize {
        let same = self.points().filter(|at| self.first[*at] == self.first[point]).count();
        if self.there[point] { same } else { 0 }
    }
}
