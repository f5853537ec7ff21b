//! Lazy graph constraints: cuts, that is clauses generated during the search.
//!
//! In: a [`Lazy`] constraint and a partial assignment. Out: [`Cut`]s. The constraint implies each of them, and at
//! most one literal of a cut is not false: a cut is a conflict or propagates. A total assignment yields no cut if and
//! only if it satisfies the constraint.
//!
//! Connectivity cuts are minimal separators (Fischetti et al., Math. Prog. Computation 9, 2017). Cycle cuts exclude a
//! cycle. Size cuts state required edges, separators, and the vertices that a component cannot reach or must contain.
//!
//! Knows nothing of models or of the meaning of vertices.

mod amount;
mod connectivity;
mod cycle;
mod equality;
mod packing;
mod partial_graph;
mod size;
mod size_reach;

use super::Lit;
use crate::certify::Graph;
pub use crate::certify::{ALWAYS, Want};
use partial_graph::PartialGraph;

/// The most components that get cuts in one call.
const MOST_COMPONENTS: usize = 64;

/// A clause that a lazy graph constraint implies.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    /// The rule of the cut: `connected`, `acyclic`, `reaches`, `alike`, `count`, `size` or `packing`.
    pub rule: &'static str,
    /// Ascending, none twice.
    pub lits: Vec<Lit>,
}

/// A graph in literals, and the properties it must have.
#[derive(Clone, Debug)]
pub struct Lazy {
    /// Per vertex: the literal of "it is present".
    there: Vec<Lit>,
    /// Edges between different vertices: ends, and the literal of the edge. An edge is present only if the literal and
    /// both ends are true.
    edges: Vec<([usize; 2], Lit)>,
    /// Per vertex: its edges, each with the other end.
    beside: Vec<Vec<(usize, usize)>>,
    /// The properties. Lists of size literals reach to the largest possible component size plus one.
    pub wants: Vec<Want>,
}

impl Lazy {
    /// A graph without properties yet. `there`: the literal of each vertex; `edges`: ends and literal of each edge.
    pub fn new(there: Vec<Lit>, edges: Vec<([usize; 2], Lit)>) -> Lazy {
        let mut beside = vec![Vec::new(); there.len()];
        for (at, ([a, b], _)) in edges.iter().enumerate() {
            beside[*a].push((at, *b));
            beside[*b].push((at, *a));
        }
        Lazy { there, edges, beside, wants: Vec::new() }
    }

    /// The graph in the form that the cut checker reads.
    pub fn graph(&self) -> Graph {
        let edges = self.edges.iter().map(|([a, b], lit)| (*a, *b, *lit));
        Graph { vertices: self.there.clone(), edges: edges.collect(), wants: self.wants.clone() }
    }

    /// The number of vertices and edges that may be present.
    pub fn size(&self, mut value: impl FnMut(Lit) -> Option<bool>) -> usize {
        let edges = self.edges.iter().map(|edge| edge.1);
        let all = self.there.iter().copied().chain(edges);
        all.filter(|lit| lit.abs() == ALWAYS && *lit > 0 || lit.abs() != ALWAYS && value(*lit) != Some(false))
            .count()
    }

    /// All literals that the constraint depends on.
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

    /// Adds the cuts for a partial assignment: clauses that the constraint implies, with at most one literal that is
    /// not false. `value` returns `None` for an unassigned literal.
    pub fn cuts(&self, value: impl FnMut(Lit) -> Option<bool>, cuts: &mut Vec<Cut>) {
        let mut shape = PartialGraph::new(self, value);
        let mut clauses = Vec::new();
        let mut keep = |rule: &'static str, clauses: &mut Vec<Vec<Lit>>| {
            for mut lits in clauses.drain(..) {
                lits.retain(|lit| *lit != -ALWAYS);
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
            shape.packing(&sizes, &mut clauses);
            keep("packing", &mut clauses);
        }
    }
}
