//! Checkers of certificates: does a clause follow from what is wanted of a graph, and has a formula no model?
//!
//! In: graphs in literals, and cuts, as texts ([`text`]) or as data. Out: for each cut whether it follows. A cut follows if its
//! negation, taken as facts, cannot be completed to a graph as it is wanted ([`refute`] says how that is found out). And: a formula
//! with its cuts, and a proof. Out: whether the proof shows that there is no model ([`lrat`]).
//!
//! Certificates rest on this room, so it is written to be read: it uses nothing else of this crate, above all nothing of what learns
//! cuts or solves, and only the standard library. The programs `rebus-check-cuts` and `rebus-check-proof` are this room and nothing more.

pub mod lrat;
pub mod refute;
pub mod text;

use std::fmt;

/// A literal, as in a DIMACS file.
pub type Lit = i32;

/// A literal that always holds; its negation never does.
pub const ALWAYS: Lit = Lit::MAX;

/// An undirected graph in literals, and what is wanted of it. Vertices are numbered from 0.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Graph {
    /// Per vertex: is it there?
    pub vertices: Vec<Lit>,
    /// Two different vertices and a literal: does an edge join them? Where it is true both are there: clauses of the formula say so.
    pub edges: Vec<(usize, usize, Lit)>,
    pub wants: Vec<Want>,
}

/// What is wanted of a graph. A component is a largest set of vertices that are there and hang together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Want {
    /// There is one component at most.
    Connected,
    /// There is no ring.
    Acyclic,
    /// Each component holds one of these vertices.
    Reaches(Vec<usize>),
    /// So many vertices are there.
    Count { least: usize, most: usize },
    /// The component of a vertex has a size, 0 where the vertex is not there. `is[i]` says that it is i, `at_least[i]` that it is i
    /// or more; beyond their ends these literals are false.
    Size { vertex: usize, is: Vec<Lit>, at_least: Vec<Lit> },
    /// Where two vertices of a component have an edge between them, its literal is true.
    Alike,
}

/// A clause, and the graph it is about, numbered from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cut {
    pub graph: usize,
    /// The rule it was learned by; for the reader, the check does not rest on it.
    pub rule: String,
    pub lits: Vec<Lit>,
}

/// Why a cut is not accepted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// A graph that is as wanted breaks the clause: the literals that are true in it.
    Wrong(Vec<Lit>),
    /// It may follow, but not by the rules of this checker, and the graph is too large to try all.
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

    /// Does the cut follow from what is wanted of its graph?
    pub fn check(&mut self, cut: &Cut) -> Result<(), Fault> {
        self.0.get_mut(cut.graph).ok_or(Fault::NoGraph)?.check(&cut.lits)
    }
}
