//! Propagation of asserted graph constraints: a vertex that cannot be joined to a root is absent.
//!
//! **Lemma.** Let R be the roots, and let every present vertex be joined to one of them. If no path of possible
//! vertices and edges leads from R to a vertex, the vertex is absent. Let at most m vertices be present. If every
//! such path to a vertex has more than m vertices, including both ends, the vertex is absent: otherwise all vertices
//! of one of these paths would be present.
//!
//! If a graph is connected, a vertex that is surely present is the root.

use super::super::{Arena, Atom, Bool, BoolNode, Cmp, Graph, GraphId, Property};
use super::{Cause, NO, Propagator, Step, YES};
use rustc_hash::FxHashMap;

/// By sorted literals: linear nodes that bound the number of true literals, each with its bound.
pub(super) type Counts = FxHashMap<Vec<Bool>, Vec<(Bool, i64)>>;

/// All bounds on numbers of literals in the model; used for the numbers of vertices.
pub(super) fn counts(arena: &Arena) -> Counts {
    let mut counts = Counts::default();
    if !arena.has_graphs() {
        return counts;
    }
    for node in (0..arena.bool_count()).map(Bool::at) {
        let BoolNode::Linear { terms, cmp, bound } = arena.bool_node(node) else { continue };
        let literal = |term: &super::super::Term| match (term.coef, term.atom) {
            (1, Atom::Bool(part)) => Some(part),
            (-1, Atom::Bool(part)) => Some(!part),
            _ => None,
        };
        let Some(mut literals) = terms.iter().map(literal).collect::<Option<Vec<Bool>>>() else { continue };
        // -b is (not b) - 1
        let negative = terms.iter().filter(|term| term.coef < 0).count() as i64;
        let Some(most) = bound.checked_add(negative) else { continue };
        literals.sort_unstable();
        if cmp == Cmp::Eq {
            let mut others: Vec<Bool> = literals.iter().map(|literal| !*literal).collect();
            others.sort_unstable();
            let left = (others.len() as i64).saturating_sub(most);
            counts.entry(others).or_default().push((node, left));
        }
        counts.entry(literals).or_default().push((node, most));
    }
    counts
}

impl Propagator<'_> {
    pub(super) fn revise_graph(&mut self, node: Bool, id: GraphId, property: Property<'_>) -> Step {
        if self.truth_of(node) != YES {
            return Ok(());
        }
        let graph = self.model.arena.graph(id).clone();
        let sure = graph.vertices.iter().position(|vertex| self.truth_of(*vertex) == YES);
        let roots: Vec<u32> = match (property, sure) {
            (Property::Reaches(roots), _) => roots.to_vec(),
            (Property::Connected | Property::Tree, Some(sure)) => vec![sure as u32],
            _ => return Ok(()),
        };
        self.budget.step((graph.vertices.len() + graph.edges.len()) as u64)?;
        let most = self.most_vertices(&graph).map(|(_, most)| most);
        let reached = self.reached(&graph, &roots, most);
        let cause = Cause::Bool(node.index() as u32);
        for (vertex, _) in graph.vertices.iter().zip(reached).filter(|(_, reached)| !reached) {
            self.assign(*vertex, false, cause)?;
        }
        Ok(())
    }

    /// The best known upper bound on the present vertices, with the true linear node that states it.
    pub(super) fn most_vertices(&self, graph: &Graph) -> Option<(Bool, i64)> {
        if self.counts.is_empty() {
            return None;
        }
        let mut literals = graph.vertices.clone();
        literals.retain(|vertex| vertex.as_constant().is_none());
        literals.sort_unstable();
        let constant = graph.vertices.iter().filter(|vertex| **vertex == Bool::TRUE).count() as i64;
        let nodes = self.counts.get(&literals)?.iter().filter(|(node, _)| self.truth_of(*node) == YES);
        nodes.min_by_key(|(_, most)| *most).map(|(node, most)| (*node, most.saturating_add(constant)))
    }

    /// Per vertex: can a path of at most `most` vertices join it to a root?
    fn reached(&self, graph: &Graph, roots: &[u32], most: Option<i64>) -> Vec<bool> {
        let possible = |vertex: u32| self.truth_of(graph.vertices[vertex as usize]) != NO;
        let mut beside = vec![Vec::new(); graph.vertices.len()];
        for (a, b, _) in graph.edges.iter().filter(|edge| self.truth_of(edge.2) != NO) {
            beside[*a as usize].push(*b);
            beside[*b as usize].push(*a);
        }
        let mut reached = vec![false; graph.vertices.len()];
        let mut shell: Vec<u32> = roots.iter().copied().filter(|root| possible(*root)).collect();
        shell.iter().for_each(|root| reached[*root as usize] = true);
        let mut size = 1;
        while !shell.is_empty() && most.is_none_or(|most| size < most) {
            let mut next = Vec::new();
            for other in shell.iter().flat_map(|at| &beside[*at as usize]) {
                if possible(*other) && !std::mem::replace(&mut reached[*other as usize], true) {
                    next.push(*other);
                }
            }
            shell = next;
            size += 1;
        }
        reached
    }
}
