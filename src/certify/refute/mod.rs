//! Is there a graph that satisfies its constraints and in which given literals are false?
//!
//! First, rules derive necessary conclusions; a contradiction means that there is no such graph. The rules are
//! applied to a fixpoint. "Surely connected" means connected by edges that join for sure, "possibly connected" by
//! edges that may join.
//!
//! - *Ends.* Both ends of a joining edge are present; an absent vertex has no joining edge.
//! - *Alike.* Every edge between two surely connected vertices joins. If one edge between two surely connected sets
//!   does not join them, none does.
//! - *Connected*, *reaches.* A vertex is absent if it is not possibly connected to a present vertex (to a root that
//!   may be present).
//! - *Acyclic.* An edge between vertices that are surely connected without it does not join.
//! - *Size.* Surely connected vertices have the same size. It is at least their number, at most the number of
//!   vertices possibly connected with them, and allowed by all their literals. An edge does not join if no size is
//!   left for both sides together.
//! - *Room.* A component of n vertices contains no vertex whose shortest path needs more than n vertices, and none
//!   whose surely connected set does not fit; at least n vertices remain.
//! - *Count.* If as many vertices are present as there may be, all others are absent; if as many may be present as there
//!   must be, all of them are. If all present vertices are connected, the room of the largest number holds for all.
//! - *Packing.* In a set of vertices that no edge leaves, the number of vertices in components of n is a multiple of
//!   n.
//!
//! If there is no contradiction and few literals are open, all their values are tried.

mod sizes;

use super::{ALWAYS, Fault, Graph, Lit, Want};

/// Upper bound on the open literals for trying all values.
const MOST_TRIED: usize = 24;
/// Upper bound on the cases tried then.
const MOST_CASES: u64 = 200_000;

/// The rules derived a contradiction.
struct Contradiction;

type Step = Result<(), Contradiction>;

/// Checks clauses about one graph.
pub struct Checker<'g> {
    graph: &'g Graph,
    /// Per vertex its edges, each with its other end.
    beside: Vec<Vec<(usize, usize)>>,
    /// Per variable, from 1: its value.
    values: Vec<Option<bool>>,
    /// The variables of vertices and edges; their values determine all sizes.
    vars: Vec<usize>,
    has_sizes: bool,
    is_alike: bool,
}

/// The known values of a graph.
struct Known<'c, 'g> {
    checker: &'c Checker<'g>,
    there: Vec<Option<bool>>,
    joins: Vec<Option<bool>>,
    /// Per vertex and size, from 0 on: may its component have this size? None is larger than listed; `None` if
    /// nothing is known.
    sizes: Vec<Option<Vec<bool>>>,
    changed: bool,
}

/// A partition of the vertices into connected sets.
struct Parts {
    /// Per vertex: the number of its set.
    of: Vec<usize>,
    members: Vec<Vec<usize>>,
}

impl<'g> Checker<'g> {
    pub fn new(graph: &'g Graph) -> Checker<'g> {
        let mut beside = vec![Vec::new(); graph.vertices.len()];
        for (at, (a, b, _)) in graph.edges.iter().enumerate() {
            beside[*a].push((at, *b));
            beside[*b].push((at, *a));
        }
        let of_sizes = graph.wants.iter().flat_map(|want| match want {
            Want::Size { is, at_least, .. } => [&is[..], &at_least[..]],
            _ => [&[][..]; 2],
        });
        let var = |lit: Lit| lit.unsigned_abs() as usize;
        let edges = graph.edges.iter().map(|edge| edge.2);
        let shape = graph.vertices.iter().copied().chain(edges);
        let mut vars: Vec<usize> = shape.map(var).filter(|var| *var != ALWAYS as usize).collect();
        vars.sort_unstable();
        vars.dedup();
        let all = of_sizes.flatten().map(|lit| var(*lit)).filter(|var| *var != ALWAYS as usize);
        let last = all.chain(vars.last().copied()).max();
        let values = vec![None; last.map_or(0, |last| last + 1)];
        let has_sizes = graph.wants.iter().any(|want| matches!(want, Want::Size { .. }));
        let is_alike = graph.wants.contains(&Want::Alike);
        Checker { graph, beside, values, vars, has_sizes, is_alike }
    }

    /// Does the clause follow from the constraints?
    pub fn check(&mut self, clause: &[Lit]) -> Result<(), Fault> {
        let mut facts = Vec::with_capacity(clause.len());
        for lit in clause {
            match *lit {
                ALWAYS => return Ok(()),
                lit if lit == -ALWAYS => {}
                lit => facts.push(-lit),
            }
        }
        let holds_always = facts.iter().any(|fact| facts.contains(&-fact));
        if holds_always {
            return Ok(());
        }
        facts.iter().for_each(|fact| self.set(*fact, Some(true)));
        let result = self.refute();
        facts.iter().for_each(|fact| self.set(*fact, None));
        result
    }

    fn set(&mut self, lit: Lit, value: Option<bool>) {
        let var = lit.unsigned_abs() as usize;
        if var < self.values.len() {
            self.values[var] = value.map(|value| value == (lit > 0));
        }
    }

    fn value(&self, lit: Lit) -> Option<bool> {
        match lit {
            ALWAYS => Some(true),
            _ if lit == -ALWAYS => Some(false),
            _ => self.values[lit.unsigned_abs() as usize].map(|value| value == (lit > 0)),
        }
    }

    fn refute(&mut self) -> Result<(), Fault> {
        if Known::new(self).contradiction() {
            return Ok(());
        }
        let open: Vec<usize> = self.vars.iter().copied().filter(|var| self.values[*var].is_none()).collect();
        if open.len() > MOST_TRIED {
            return Err(Fault::Unknown);
        }
        let mut cases = 0;
        let found = self.complete(&open, &mut cases);
        open.iter().for_each(|var| self.values[*var] = None);
        match found {
            Some(found) => Err(Fault::Wrong(found)),
            None if cases >= MOST_CASES => Err(Fault::Unknown),
            None => Ok(()),
        }
    }

    /// Tries all values of the open variables: the true literals of a graph that satisfies the constraints, if there
    /// is one.
    fn complete(&mut self, open: &[usize], cases: &mut u64) -> Option<Vec<Lit>> {
        *cases += 1;
        if *cases >= MOST_CASES || Known::new(self).contradiction() {
            return None;
        }
        let Some((var, rest)) = open.split_first() else {
            return self.with_sizes();
        };
        for value in [true, false] {
            self.values[*var] = Some(value);
            if let Some(found) = self.complete(rest, cases) {
                return Some(found);
            }
        }
        self.values[*var] = None;
        None
    }

    /// With vertices and edges decided: all true literals, including those of the resulting sizes; `None` on a
    /// contradiction.
    fn with_sizes(&self) -> Option<Vec<Lit>> {
        let known = Known::new(self);
        let sure = known.sure();
        let mut values = self.values.clone();
        let mut agree = |lit: Lit, holds: bool| match lit {
            ALWAYS => holds,
            _ if lit == -ALWAYS => !holds,
            _ => {
                *values[lit.unsigned_abs() as usize].get_or_insert(holds == (lit > 0)) == (holds == (lit > 0))
            }
        };
        for want in &self.graph.wants {
            let Want::Size { vertex, is, at_least } = want else { continue };
            let is_there = known.there[*vertex] == Some(true);
            let size = if is_there { sure.members[sure.of[*vertex]].len() } else { 0 };
            let fits = is.iter().enumerate().all(|(i, lit)| agree(*lit, i == size))
                && at_least.iter().enumerate().all(|(i, lit)| agree(*lit, i <= size))
                && size < is.len().min(at_least.len());
            if !fits {
                return None;
            }
        }
        let lits = values.iter().enumerate().filter(|(_, value)| **value == Some(true));
        Some(lits.map(|(var, _)| var as Lit).collect())
    }
}

impl<'c, 'g> Known<'c, 'g> {
    fn new(checker: &'c Checker<'g>) -> Self {
        let graph = checker.graph;
        let n = graph.vertices.len();
        let mut known = Known {
            there: graph.vertices.iter().map(|lit| checker.value(*lit)).collect(),
            joins: graph.edges.iter().map(|edge| checker.value(edge.2)).collect(),
            sizes: vec![None; n],
            changed: false,
            checker,
        };
        for want in &graph.wants {
            let Want::Size { vertex, is, at_least } = want else { continue };
            let value = |lits: &[Lit], i: usize| checker.value(lits.get(i).copied().unwrap_or(-ALWAYS));
            let is_fixed = (0..is.len()).find(|i| value(is, *i) == Some(true));
            let least = (0..at_least.len()).rev().find(|i| value(at_least, *i) == Some(true)).unwrap_or(0);
            let beyond =
                (0..at_least.len()).find(|i| value(at_least, *i) == Some(false)).unwrap_or(usize::MAX);
            let may_be = |size: usize| {
                (least..beyond).contains(&size)
                    && value(is, size) != Some(false)
                    && is_fixed.is_none_or(|fixed| fixed == size)
            };
            let allowed =
                (0..is.len().min(at_least.len())).map(|size| may_be(size) && known.allows(*vertex, size));
            let allowed: Vec<bool> = allowed.collect();
            known.sizes[*vertex] = Some(allowed);
        }
        known
    }

    /// Do the rules derive a contradiction?
    fn contradiction(mut self) -> bool {
        loop {
            self.changed = false;
            if self.draw().is_err() {
                return true;
            }
            if !self.changed {
                return false;
            }
        }
    }

    /// Applies every rule once.
    fn draw(&mut self) -> Step {
        self.ends()?;
        if self.checker.is_alike {
            self.alike()?;
        }
        for want in &self.checker.graph.wants {
            match want {
                Want::Connected => self.connected()?,
                Want::Acyclic => self.acyclic()?,
                Want::Reaches(roots) => self.reaches(roots)?,
                Want::Count { least, most } => self.count(*least, *most)?,
                Want::Size { .. } | Want::Alike => {}
            }
        }
        if self.checker.has_sizes {
            self.sizes()?;
        }
        Ok(())
    }

    fn set_there(&mut self, vertex: usize, value: bool) -> Step {
        self.changed |= self.there[vertex].is_none();
        match self.there[vertex].replace(value) {
            Some(before) if before != value => Err(Contradiction),
            _ => Ok(()),
        }
    }

    fn set_joins(&mut self, edge: usize, value: bool) -> Step {
        self.changed |= self.joins[edge].is_none();
        match self.joins[edge].replace(value) {
            Some(before) if before != value => Err(Contradiction),
            _ => Ok(()),
        }
    }

    fn ends(&mut self) -> Step {
        for (at, (a, b, _)) in self.checker.graph.edges.iter().enumerate() {
            if self.joins[at] == Some(true) {
                self.set_there(*a, true)?;
                self.set_there(*b, true)?;
            } else if self.there[*a] == Some(false) || self.there[*b] == Some(false) {
                self.set_joins(at, false)?;
            }
        }
        Ok(())
    }

    /// The sets connected by edges whose value satisfies `counts`; a single vertex is a set too.
    fn parts(&self, counts: impl Fn(Option<bool>) -> bool) -> Parts {
        let n = self.there.len();
        let mut parts = Parts { of: vec![usize::MAX; n], members: Vec::new() };
        for start in 0..n {
            if parts.of[start] != usize::MAX {
                continue;
            }
            let part = parts.members.len();
            let mut members = vec![start];
            parts.of[start] = part;
            let mut next = 0;
            while let Some(at) = members.get(next).copied() {
                next += 1;
                for (edge, other) in &self.checker.beside[at] {
                    if counts(self.joins[*edge]) && parts.of[*other] == usize::MAX {
                        parts.of[*other] = part;
                        members.push(*other);
                    }
                }
            }
            parts.members.push(members);
        }
        parts
    }

    fn sure(&self) -> Parts {
        self.parts(|joins| joins == Some(true))
    }

    fn possible(&self) -> Parts {
        self.parts(|joins| joins != Some(false))
    }

    fn alike(&mut self) -> Step {
        let sure = self.sure();
        let pair = |a: usize, b: usize| (sure.of[a].min(sure.of[b]), sure.of[a].max(sure.of[b]));
        let edges = &self.checker.graph.edges;
        let mut apart: Vec<(usize, usize)> = Vec::new();
        for (at, (a, b, _)) in edges.iter().enumerate() {
            if sure.of[*a] == sure.of[*b] {
                self.set_joins(at, true)?;
            } else if self.joins[at] == Some(false) && self.are_there(*a, *b) {
                apart.push(pair(*a, *b));
            }
        }
        apart.sort_unstable();
        for (at, (a, b, _)) in edges.iter().enumerate() {
            if self.joins[at].is_none() && apart.binary_search(&pair(*a, *b)).is_ok() {
                self.set_joins(at, false)?;
            }
        }
        Ok(())
    }

    fn are_there(&self, a: usize, b: usize) -> bool {
        self.there[a] == Some(true) && self.there[b] == Some(true)
    }

    fn connected(&mut self) -> Step {
        let Some(sure) = (0..self.there.len()).find(|at| self.there[*at] == Some(true)) else {
            return Ok(());
        };
        self.reaches(&[sure])
    }

    fn reaches(&mut self, roots: &[usize]) -> Step {
        let possible = self.possible();
        let mut reached = vec![false; possible.members.len()];
        for root in roots.iter().filter(|root| self.there[**root] != Some(false)) {
            reached[possible.of[*root]] = true;
        }
        for vertex in 0..self.there.len() {
            if !reached[possible.of[vertex]] {
                self.set_there(vertex, false)?;
            }
        }
        Ok(())
    }

    fn acyclic(&mut self) -> Step {
        let sure = self.sure();
        // a set that is a tree has one edge less than vertices
        let mut edges_of = vec![0; sure.members.len()];
        for (at, (a, b, _)) in self.checker.graph.edges.iter().enumerate() {
            if sure.of[*a] != sure.of[*b] {
                continue;
            }
            match self.joins[at] {
                Some(true) => edges_of[sure.of[*a]] += 1,
                _ => self.set_joins(at, false)?,
            }
        }
        let has_ring = sure.members.iter().zip(edges_of).any(|(members, edges)| edges >= members.len());
        if has_ring { Err(Contradiction) } else { Ok(()) }
    }
}
