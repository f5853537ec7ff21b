//! Undirected graphs whose vertices and edges are conditions, and properties of these graphs.
//!
//! [`Graph::components`] and [`Components::has`] define the meaning of a property: union-find (Tarjan, JACM 22, 1975)
//! over the present vertices and edges.

use super::Bool;

/// Vertices and edges, each under a condition. All constraints over a graph share it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Graph {
    /// Per vertex: the condition "it is present".
    pub vertices: Vec<Bool>,
    /// Two vertices, and the condition "an edge joins them"; it implies that both vertices are present.
    pub edges: Vec<(u32, u32, Bool)>,
    /// Do edges mean equality of their ends? Then an edge is present if other edges connect its ends.
    pub alike: bool,
    /// Do absent edges matter too, because they may part components? See [`Property::Partition`].
    pub parted: bool,
    /// Per vertex: a unique place in the plane, if all edges join places one step apart in a row or a column.
    pub places: Option<Vec<Place>>,
}

/// A row and a column.
pub type Place = (i64, i64);

/// A graph of an arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GraphId(pub(super) u32);

/// A property of the present part of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Property<'a> {
    /// At most one component.
    Connected,
    /// At most one component, and no cycle.
    Tree,
    /// No cycle.
    Acyclic,
    /// Each component contains one of these vertices.
    Reaches(&'a [u32]),
    /// Every edge between two vertices of one component is present: the absent edges part the graph into regions.
    Partition,
}

/// The connected components of the present part of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components {
    /// Per vertex: the number of its component; `None` if it is absent.
    pub of: Vec<Option<u32>>,
    /// Per component, in the order of their first vertices: the number of its vertices.
    pub sizes: Vec<u32>,
    /// Does the graph have a cycle?
    pub has_ring: bool,
    /// Is there an absent edge between two vertices of one component?
    pub has_gap: bool,
}

impl Graph {
    /// The components of the vertices and edges whose conditions satisfy `holds`.
    pub fn components(&self, holds: impl Fn(Bool) -> bool) -> Components {
        let mut parents: Vec<u32> = (0..self.vertices.len() as u32).collect();
        let mut has_ring = false;
        for (a, b, _) in self.edges.iter().filter(|edge| holds(edge.2)) {
            let (a, b) = (root(&mut parents, *a), root(&mut parents, *b));
            has_ring |= a == b;
            // the first vertex stays the root
            parents[a.max(b) as usize] = a.min(b);
        }
        let mut of: Vec<Option<u32>> = vec![None; self.vertices.len()];
        let mut sizes = Vec::new();
        for (at, vertex) in self.vertices.iter().enumerate() {
            if holds(*vertex) {
                let root = root(&mut parents, at as u32) as usize;
                let component = *of[root].get_or_insert_with(|| {
                    sizes.push(0);
                    sizes.len() as u32 - 1
                });
                of[at] = Some(component);
                sizes[component as usize] += 1;
            }
        }
        let is_gap = |(a, b, joined): &(u32, u32, Bool)| {
            let of_a = of[*a as usize];
            of_a.is_some() && of_a == of[*b as usize] && !holds(*joined)
        };
        let has_gap = self.edges.iter().any(is_gap);
        Components { of, sizes, has_ring, has_gap }
    }

    /// Are all conditions constants?
    pub fn is_known(&self) -> bool {
        let known = |term: &Bool| term.as_constant().is_some();
        self.vertices.iter().all(known) && self.edges.iter().all(|edge| known(&edge.2))
    }

    /// The vertices with their places; empty if there are no places.
    pub fn placed(&self) -> impl Iterator<Item = (Place, Bool)> + '_ {
        self.places.iter().flatten().copied().zip(self.vertices.iter().copied())
    }

    /// All conditions.
    pub fn conditions(&self) -> impl Iterator<Item = Bool> + '_ {
        self.vertices.iter().copied().chain(self.edges.iter().map(|edge| edge.2))
    }
}

/// The root of a vertex, with path halving.
fn root(parents: &mut [u32], mut at: u32) -> u32 {
    while parents[at as usize] != at {
        let above = parents[parents[at as usize] as usize];
        parents[at as usize] = above;
        at = above;
    }
    at
}

impl Components {
    pub fn has(&self, property: Property<'_>) -> bool {
        match property {
            Property::Connected => self.sizes.len() <= 1,
            Property::Tree => self.sizes.len() <= 1 && !self.has_ring,
            Property::Acyclic => !self.has_ring,
            Property::Partition => !self.has_gap,
            Property::Reaches(roots) => {
                let mut reached = vec![false; self.sizes.len()];
                for component in roots.iter().filter_map(|at| self.of[*at as usize]) {
                    reached[component as usize] = true;
                }
                reached.into_iter().all(|reached| reached)
            }
        }
    }

    /// The size of the component of a vertex; 0 if the vertex is absent.
    pub fn area(&self, vertex: u32) -> u32 {
        self.of[vertex as usize].map_or(0, |component| self.sizes[component as usize])
    }
}
