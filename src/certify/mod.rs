//! Checkers of certificates: does a clause follow from the constraints on a graph, and is a formula unsatisfiable?
//!
//! In: graphs in literals, and cuts, as texts ([`text`]) or as data. Out: for each cut whether it follows. A cut
//! follows if no graph that satisfies the constraints makes all its literals false ([`refute`] describes the check).
//! Also in: a formula with its cuts, and a proof. Out: whether the proof shows that there is no model ([`lrat`]).
//!
//! Certificates depend on this module, so it is written to be audited: it uses only the standard library and nothing
//! else of this crate, in particular neither solvers nor the code that learns cuts. The programs `rebus-check-cuts`
//! and `rebus-check-proof` consist of this module alone.

pub mod lrat;
pub mod refute;
pub mod text;

use std::fmt;

/// A literal, as in a DIMACS file.
pub type Lit = i32;

/// A literal that always holds; its negation never does.
pub const ALWAYS: Lit = Lit::MAX;

/// An undirected graph in literals, and the constraints on it. Vertices are numbered from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// Per vertex: the literal that it is present.
    pub vertices: Vec<Lit>,
    /// Two different vertices and the literal that an edge joins them. If it is true, both vertices are present:
    /// clauses of the formula ensure that.
    pub edges: Vec<(usize, usize, Lit)>,
    pub wants: Vec<Want>,
}

/// A constraint on a graph. A component is a maximal connected set of present vertices.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Want {
    /// There is at most one component.
    Connected,
    /// There is no cycle.
    Acyclic,
    /// Each component contains one of these vertices.
    Reaches(Vec<usize>),
    /// The number of present vertices is in this range.
    Count { least: usize, most: usize },
    /// The size of a vertex's component, 0 if the vertex is absent. `is[i]` means that it is i, `at_least[i]` that it
    /// is i or more; beyond the ends of the lists these literals are false.
    Size { vertex: usize, is: Vec<Lit>, at_least: Vec<Lit> },
    /// Every edge between two vertices of one component has a true literal.
    Alike,
}

/// A clause, and the graph it is about, numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    pub graph: usize,
    /// The rule that produced it; informative only, the check does not use it.
    pub rule: String,
    pub lits: Vec<Lit>,
}

/// Why a cut is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Counterexample: a graph that satisfies the constraints and violates the clause, by its true literals.
    Wrong(Vec<Lit>),
    /// The rules of this checker do not show that it follows, and the graph is too large for a complete search.
    Unknown,
    /// There is no such graph.
    NoGraph,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Wrong(_) => write!(f, "does not follow: a graph that is as wanted breaks it"),
            Fault::Unknown => write!(f, "is not seen to follow"),
            Fault::NoGraph => write!(f, "is about a graph that is not there"),
        }
    }
}

/// Checkers for the graphs of a map.
pub struct Checkers<'g>(Vec<refute::Checker<'g>>);

impl<'g> Checkers<'g> {
    pub fn new(graphs: &'g [Graph]) -> Checkers<'g> {
        Checkers(graphs.iter().map(refute::Checker::new).collect())
    }

    /// Does the cut follow from the constraints on its graph?
    pub fn check(&mut self, cut: &Cut) -> Result<(), Fault> {
        self.0.get_mut(cut.graph).ok_or(Fault::NoGraph)?.check(&cut.lits)
    }
}
