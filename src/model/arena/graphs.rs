//! Terms over graphs: properties, areas, and the search for them below other terms.

use super::{Arena, Atom, Bool, BoolNode, Int, IntNode, Op, Overflow, Pool, Term, Use};
use crate::model::graph::{Graph, GraphId, Property};
use std::rc::Rc;

/// A model with at most this many graphs (such as a part of a board and its rest), and no areas, is not about graphs.
const FEW_GRAPHS: usize = 2;

impl Arena {
    /// Adds a graph; equal graphs are shared. Drops edges that are never present, unless these part it.
    pub fn add_graph(&mut self, mut graph: Graph) -> GraphId {
        if !graph.parted {
            graph.edges.retain(|edge| edge.2 != Bool::FALSE);
        }
        if let Some(known) = self.graph_ids.get(&graph) {
            return *known;
        }
        let (id, graph) = (GraphId(self.graphs.len() as u32), Rc::new(graph));
        let places = graph.places.as_ref().map_or(0, Vec::len);
        self.graph_bytes += (graph.vertices.len() * 4 + graph.edges.len() * 12 + places * 16) as u64;
        self.graphs.push(graph.clone());
        self.graph_ids.insert(graph, id);
        id
    }

    pub fn has_graphs(&self) -> bool {
        !self.graphs.is_empty()
    }

    /// Is the model mainly about graphs: is some term an area, or are there more than [`FEW_GRAPHS`] graphs?
    pub fn is_about_graphs(&self) -> bool {
        self.graphs.len() > FEW_GRAPHS || self.ints.iter().any(|node| node.op == Op::Area)
    }

    /// The number of vertices of a graph whose area is a term.
    pub fn areas_of(&self, id: GraphId) -> usize {
        self.ints.iter().filter(|node| node.op == Op::Area && node.a == id.0).count()
    }

    pub fn graph(&self, id: GraphId) -> &Rc<Graph> {
        &self.graphs[id.0 as usize]
    }

    /// The condition that a graph has a property. Roots of [`Property::Reaches`] are vertices of the graph.
    pub fn graph_is(&mut self, graph: Graph, property: Property<'_>) -> Bool {
        if graph.is_known() {
            return Bool::constant(graph.components(|term| term == Bool::TRUE).has(property));
        }
        // a cycle in the possible graph?
        let may_ring = || graph.components(|term| term != Bool::FALSE).has_ring;
        let (op, roots): (Op, &[u32]) = match property {
            Property::Connected if graph.vertices.len() < 2 => return Bool::TRUE,
            Property::Connected => (Op::Connected, &[]),
            Property::Tree if !may_ring() => return self.graph_is(graph, Property::Connected),
            Property::Tree => (Op::Tree, &[]),
            Property::Acyclic if !may_ring() => return Bool::TRUE,
            Property::Acyclic => (Op::Acyclic, &[]),
            Property::Reaches(roots) => (Op::Reaches, roots),
            // every edge is the only way between its ends
            Property::Partition if !graph.components(|_| true).has_ring => return Bool::TRUE,
            Property::Partition => (Op::Partition, &[]),
        };
        let mut roots = roots.to_vec();
        roots.sort_unstable();
        roots.dedup();
        let id = self.add_graph(graph);
        self.bool(op, 0, roots.len() as u32, i64::from(id.0), Pool::Roots(&roots))
    }

    /// The size of the component of a vertex; 0 if the vertex is absent.
    pub fn area(&mut self, id: GraphId, vertex: u32) -> Result<Int, Overflow> {
        let graph = self.graph(id).clone();
        let there = graph.vertices[vertex as usize];
        match graph.components(|term| term != Bool::FALSE).area(vertex) {
            0 => Ok(self.constant(0)),
            1 => self.sum(vec![Term { coef: 1, atom: Atom::Bool(there) }], 0),
            most => {
                let bounds = (i64::from(there == Bool::TRUE), i64::from(most));
                Ok(self.int(Op::Area, id.0, vertex, 0, Pool::Nothing, bounds))
            }
        }
    }

    /// A graph constraint that occurs below `term`. `clean` holds nodes visited before without finding one; the
    /// search adds the nodes that it visits. After a hit, `clean` is no longer valid.
    pub fn graph_below(&self, term: Bool, clean: &mut Looked) -> Option<Bool> {
        self.search(Use::Bool(term), clean, false)
    }

    /// Does a graph constraint or an area occur below `term`?
    pub fn tells_of_graph(&self, term: Bool) -> bool {
        self.search(Use::Bool(term), &mut Looked::default(), true).is_some()
    }

    /// Like [`Arena::graph_below`], for an integer term.
    pub fn graph_below_int(&self, int: Int, clean: &mut Looked) -> Option<Bool> {
        self.search(Use::Int(int), clean, false)
    }

    /// The first graph constraint. With `areas` also the first area, returned as `Bool::TRUE`.
    fn search(&self, from: Use, clean: &mut Looked, areas: bool) -> Option<Bool> {
        clean.bools.resize(self.bool_count(), false);
        clean.ints.resize(self.int_count(), false);
        let mut open = vec![from];
        while let Some(used) = open.pop() {
            match used {
                Use::Bool(term) if !std::mem::replace(&mut clean.bools[term.index()], true) => {
                    if let BoolNode::Graph(..) = self.bool_node(term) {
                        return Some(term.positive());
                    }
                    self.operands(term, |used| open.push(used));
                }
                Use::Int(int) if !std::mem::replace(&mut clean.ints[int.index()], true) => {
                    if areas && matches!(self.int_node(int), IntNode::Area(..)) {
                        return Some(Bool::TRUE);
                    }
                    self.int_operands(int, |used| open.push(used));
                }
                _ => {}
            }
        }
        None
    }
}

/// The set of visited nodes.
#[derive(Clone, Debug, Default)]
pub struct Looked {
    bools: Vec<bool>,
    ints: Vec<bool>,
}
