//! Graph constraints that are left out of a formula: what is told instead, clause by clause, as a search needs it.
//!
//! In: a [`Lazy`] and the values of literals so far, not necessarily all. Out: clauses that follow from the constraint and of
//! which all literals but one at most are false: they exclude what was chosen, or tell what follows from it. None comes of a whole
//! model if and only if it keeps the constraint. A cut set says that a component has a way out (the separators of Fischetti et
//! al., Math. Prog. Computation 9, 2017: without what lies behind other parts of it), a ring that one of its edges goes, a size
//! what edges or ways out it wants, what it cannot reach and what it cannot do without; a number of vertices the same. Knows nothing of models or of what a vertex stands for.

mod alike;
mod amount;
mod counted;
mod reach;
mod ring;
mod rooted;
mod shape;
mod sized;

use super::Lit;
use crate::certify::Graph;
pub use crate::certify::{ALWAYS, Want};
use shape::Shape;

/// Components that are given cuts at one time.
const MOST_COMPONENTS: usize = 64;

/// A clause that follows from what is wanted of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// What it was learned from: `connected`, `acyclic`, `reaches`, `alike`, `count`, `size` or `packing`.
    pub rule: &'static str,
    /// In ascending order, none twice.
    pub lits: Vec<Lit>,
}

/// A graph in literals, and what is wanted of it.
#[derive(Clone, Debug)]
pub struct Lazy {
    /// Per vertex: is it there?
    there: Vec<Lit>,
    /// Edges between different vertices, and whether they join them; they do only where both are there.
    edges: Vec<([usize; 2], Lit)>,
    /// Per vertex: edges to others, and the others.
    beside: Vec<Vec<(usize, usize)>>,
    /// Lists of sizes reach as far as components can be large, and one further.
    pub wants: Vec<Want>,
}

impl Lazy {
    /// A graph of which nothing is wanted yet. `there`: per vertex; `edges`: their ends, and the literal that they are there.
    pub fn new(there: Vec<Lit>, edges: Vec<([usize; 2], Lit)>) -> Lazy {
        let mut beside = vec![Vec::new(); there.len()];
        for (at, ([a, b], _)) in edges.iter().enumerate() {
            beside[*a].push((at, *b));
            beside[*b].push((at, *a));
        }
        Lazy { there, edges, beside, wants: Vec::new() }
    }

    /// As the checker of cuts reads it.
    pub fn graph(&self) -> Graph {
        let edges = self.edges.iter().map(|([a, b], lit)| (*a, *b, *lit));
        Graph { vertices: self.there.clone(), edges: edges.collect(), wants: self.wants.clone() }
    }

    /// Vertices and edges that may be there.
    pub fn size(&self, mut value: impl FnMut(Lit) -> Option<bool>) -> usize {
        let edges = self.edges.iter().map(|edge| edge.1);
        let all = self.there.iter().copied().chain(edges);
        all.filter(|lit| lit.abs() == ALWAYS && *lit > 0 || lit.abs() != ALWAYS && value(*lit) != Some(false))
            .count()
    }

    /// The literals that the demands are about.
    pub fn literals(&self) -> impl Iterator<Item = Lit> + '_ {
        let sizes = self.wants.iter().flat_map(|demand| match demand {
            Want::Size { is, at_least, .. } => [&is[..], &at_least[..]],
            _ => [&[][..]; 2],
        });
        let edges = self.edges.iter().map(|edge| edge.1);
        self.there
            .iter()
            .copied()
            .chain(edges)
            .chain(sizes.flatten().copied())
            .filter(|lit| lit.abs() != ALWAYS)
    }

    /// Clauses that follow from the demands and whose literals are false but for one at most; `value` knows the literals
    /// that have values.
    pub fn cuts(&self, value: impl FnMut(Lit) -> Option<bool>, cuts: &mut Vec<Cut>) {
        let mut shape = Shape::new(self, value);
        let mut clauses = Vec::new();
        let mut keep = |rule: &'static str, clauses: &mut Vec<Vec<Lit>>| {
            for mut lits in clauses.drain(..) {
                lits.sort_unstable();
                lits.dedup();
                cuts.push(Cut { rule, lits });
            }
        };
        for demand in &self.wants {
            let rule = match demand {
                Want::Connected => {
                    shape.connected(&mut clauses);
                    "connected"
                }
                Want::Acyclic => {
                    shape.acyclic(&mut clauses);
                    "acyclic"
                }
                Want::Reaches(roots) => {
                    shape.reaches(roots, &mut clauses);
                    "reaches"
                }
                Want::Alike => {
                    shape.alike(&mut clauses);
                    "alike"
                }
                Want::Count { least, most } => {
                    let is_connected = self.wants.contains(&Want::Connected);
                    shape.amount([*least, *most], is_connected, &mut clauses);
                    "count"
                }
                Want::Size { .. } => continue,
            };
            keep(rule, &mut clauses);
        }
        if let Some(sizes) = shape.known_sizes() {
            shape.sizes(&sizes, &mut clauses);
            keep("size", &mut clauses);
            shape.counted(&sizes, &mut clauses);
            keep("packing", &mut clauses);
        }
    }
}
