//! Undirected graphs whose vertices and edges are conditions, and what is said of them as a whole.
//!
//! [`Graph::components`] is what such a statement means: union-find (Tarjan, JACM 22, 1975) over what is there.

use super::Bool;

/// Vertices and edges, each under a condition. One graph is shared by all that is said of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Graph {
    /// Per vertex: is it there?
    pub vertices: Vec<Bool>,
    /// Two vertices, and whether an edge joins them; it does only where both are there.
    pub edges: Vec<(u32, u32, Bool)>,
    /// Do edges say that two vertices are alike? Then, where others join them, an edge between them is there too.
    pub alike: bool,
    /// Per vertex a place of its own in the plane, if all edges join places one step apart along a row or a column.
    pub places: Option<Vec<Place>>,
}

/// A row and a column.
pub type Place = (i64, i64);

/// A graph of an arena.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct GraphId(pub(super) u32);

/// What a graph can be, told by its vertices and edges that are there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Property<'a> {
    /// At most one component.
    Connected,
    /// At most one component, and no ring.
    Tree,
    /// No ring.
    Acyclic,
    /// Each component holds one of these vertices.
    Reaches(&'a [u32]),
}

/// The components of what is there of a graph.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Components {
    /// Per vertex: the number of its component; `None` where it is not there.
    pub of: Vec<Option<u32>>,
    /// Per component, in the order of their first vertices: how many vertices it has.
    pub sizes: Vec<u32>,
    /// Does an edge join what the edges before it join already?
    pub has_ring: bool,
}

impl Graph {
    /// The components where `holds` says what is there.
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
        Components { of, sizes, has_ring }
    }

    /// Are all conditions constants?
    pub fn is_known(&self) -> bool {
        let known = |term: &Bool| term.as_constant().is_some();
        self.vertices.iter().all(known) && self.edges.iter().all(|edge| known(&edge.2))
    }

    /// Vertices with their places, if they have some.
    pub fn placed(&self) -> impl Iterator<Item = (Place, Bool)> + '_ {
        self.places.iter().flatten().copied().zip(self.vertices.iter().copied())
    }

    /// All conditions.
    pub fn conditions(&self) -> impl Iterator<Item = Bool> + '_ {
        self.vertices.iter().copied().chain(self.edges.iter().map(|edge| edge.2))
    }
}

/// The root of a vertex, paths halved on the way.
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
            Property::Reaches(roots) => {
                let mut reached = vec![false; self.sizes.len()];
                for component in roots.iter().filter_map(|at| self.of[*at as usize]) {
                    reached[component as usize] = true;
                }
                reached.into_iter().all(|reached| reached)
            }
        }
    }

    /// The size of the component of a vertex, 0 where it is not there.
    pub fn area(&self, vertex: u32) -> u32 {
        self.of[vertex as usize].map_or(0, |component| self.sizes[component as usize])
    }
}
