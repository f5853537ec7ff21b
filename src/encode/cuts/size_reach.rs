//! Cuts for components of a known size: a component must have room to grow to its size, and it contains the vertices
//! that it needs for that.
//!
//! **Lemma (room).** Let S be a set of vertices joined by present edges, in a component C of at most n vertices. Let A ⊇ S
//! be a set of vertices with a number d for each, 0 in S, such that
//!
//! 1. a possible edge between vertices of A raises d by at most one, and
//! 2. for every edge from a in A to b outside A: the edge is absent, or b is absent, or C has exactly n vertices and the
//!    component of b does not, or b is joined to m vertices outside A, including b, with |S| + d(a) + m > n.
//!
//! Then C ⊆ A, and so |A| ≥ |C|. *Proof.* Otherwise a shortest path in C leads from S through A to some a, and by an edge to
//! b outside A. By 1 it has at least d(a) vertices between S and b, and none of them is among the m of 2. So C has at
//! least |S| + d(a) + m vertices (with m = 1 if nothing more is known of b), which is more than n. ∎
//!
//! A breadth-first search (flood) finds such a set: d is the distance from S. If the set is smaller than the least size of C,
//! the clause states that one of the facts that bound it is wrong. If it is so without a set of vertices V, then C contains one
//! of V.
//!
//! Depth-first search proposes cut vertices for V (Hopcroft, Tarjan, CACM 16, 1973); a flood without V decides.

use super::partial_graph::{Marks, PartialGraph};
use super::size::Sizes;
use crate::encode::Lit;

/// A component of `least` to `n` vertices. If vertices have sizes, it has exactly `n`.
struct Wanted<'s, 'l> {
    n: usize,
    least: usize,
    sizes: &'s Sizes<'l>,
    /// Its component in the sure graph.
    component: usize,
    /// The number of vertices of that.
    count: usize,
    /// The negations of the facts: the bounds hold, and these vertices are joined.
    premise: Vec<Lit>,
}

/// The set A of the lemma.
struct Flood {
    /// Nearest first.
    found: Vec<usize>,
    /// Per vertex of A: its distance d from S.
    distance: Marks,
    /// Did the limit n alone stop the search anywhere? If not, distances do not matter.
    is_tight: bool,
}

impl<'l, V: FnMut(Lit) -> Option<bool>> PartialGraph<'l, V> {
    /// The cuts for a component with a least and a greatest number of vertices, more than its part in the sure graph has. The
    /// literals of `premise` are false while that holds. If it is `alone`, nothing else is present.
    pub fn reach(
        &mut self,
        component: usize,
        [least, n]: [usize; 2],
        mut premise: Vec<Lit>,
        sizes: &Sizes<'l>,
        alone: bool,
        cuts: &mut Vec<Vec<Lit>>,
    ) {
        let joined = sizes.sure.vertices(component);
        for edge in joined.iter().filter_map(|(_, by)| *by) {
            Self::unless(&mut premise, self.lazy.edges[edge].1);
        }
        let wanted = Wanted { n, least, sizes, component, count: joined.len(), premise };
        let flood = self.flood(&wanted, &[]);
        let outside = |at: &usize| self.there[*at] != Some(false) && !flood.distance.has(*at);
        let all = if alone { self.there.len() } else { 0 };
        let outside: Vec<usize> = (0..all).filter(outside).collect();
        if flood.found.len() < least || !outside.is_empty() {
            let mut clause = wanted.premise.clone();
            self.bounds(&wanted, &flood, &[], &mut clause);
            if flood.found.len() < least {
                cuts.push(clause);
                return self.give_back(flood.distance);
            }
            cuts.extend(outside.into_iter().map(|at| {
                let mut clause = clause.clone();
                Self::unless(&mut clause, self.present[at]);
                clause
            }));
        }
        for needed in self.needed(&wanted, &flood.found) {
            let rest = self.flood(&wanted, &needed);
            if rest.found.len() >= least {
                self.give_back(rest.distance);
                continue;
            }
            let sizes = needed.iter().flat_map(|vertex| &sizes.about[*vertex]);
            let same = sizes.map(|size| size.is(n)).find(|lit| self.value(*lit).is_none());
            let contained = match same {
                // the size of one vertex is the size of all vertices joined to it
                Some(lit) => {
                    let mut clause = vec![lit];
                    let joined = self.search(needed[0], None, self.there.len());
                    let edges = joined.into_iter().filter_map(|(_, by)| by);
                    edges.for_each(|edge| Self::unless(&mut clause, self.lazy.edges[edge].1));
                    Some(clause)
                }
                None if self.there[needed[0]].is_none() => Some(vec![self.lazy.there[needed[0]]]),
                None => self.only_way(&wanted, &rest.found, &needed),
            };
            if let Some(contained) = contained {
                let mut clause = wanted.premise.clone();
                clause.extend(contained);
                self.bounds(&wanted, &rest, &needed, &mut clause);
                cuts.push(clause);
            }
            self.give_back(rest.distance);
        }
        self.give_back(flood.distance);
    }

    /// If only one undecided edge, or equivalent undecided edges, lead from `rest` to `to`: the clause that requires
    /// one.
    ///
    /// The component contains one of `to`, so an edge leads there from `rest`. The clause has all such edges, except
    /// those between vertices that are joined to the ends of the first undecided one: if edges mean equality, these
    /// are present only together with it.
    fn only_way(&self, wanted: &Wanted<'_, 'l>, rest: &[usize], to: &[usize]) -> Option<Vec<Lit>> {
        let Sizes { sure, tree, alike, .. } = wanted.sizes;
        let same = |a: usize, b: usize| a == b || (sure.of[a].is_some() && sure.of[a] == sure.of[b]);
        let mut clause = Vec::new();
        let mut first: Option<[usize; 2]> = None;
        for from in rest {
            for (edge, other) in &self.lazy.beside[*from] {
                if !to.contains(other) {
                    continue;
                }
                match (self.joined[*edge], first) {
                    (Some(false), _) => clause.push(self.lazy.edges[*edge].1),
                    (Some(true), _) => return None,
                    (None, None) => {
                        clause.push(self.lazy.edges[*edge].1);
                        first = Some([*from, *other]);
                    }
                    (None, Some([a, b])) => {
                        if !alike || !same(a, *from) || !same(b, *other) {
                            return None;
                        }
                        self.unless_way(tree, [a, *from], &mut clause);
                        self.unless_way(tree, [b, *other], &mut clause);
                    }
                }
            }
        }
        first.map(|_| clause)
    }

    /// The vertices that the component may contain, except `without`: its part in the sure graph, then layer by layer
    /// within the limit n. A component of the sure graph is entered only if there is room for all of it.
    fn flood(&mut self, wanted: &Wanted<'_, 'l>, without: &[usize]) -> Flood {
        let sure = &wanted.sizes.sure;
        let mut distance = self.marks();
        let mut found = Vec::new();
        for (vertex, _) in sure.vertices(wanted.component) {
            distance.set(*vertex, 0);
            found.push(*vertex);
        }
        let mut barred = self.marks();
        without.iter().for_each(|vertex| barred.set(*vertex, 0));
        // components of the sure graph that the flood entered
        let mut entered = self.marks();
        entered.set(wanted.component, 0);
        let mut is_tight = false;
        let mut next = 0;
        while let Some(at) = found.get(next).copied() {
            next += 1;
            let steps = distance.get(at).unwrap_or(0);
            for (edge, other) in &self.lazy.beside[at] {
                if self.joined[*edge] == Some(false)
                    || barred.has(*other)
                    || distance.has(*other)
                    || !self.may_be(*other, wanted)
                {
                    continue;
                }
                let more = match sure.of[*other] {
                    Some(component) if !entered.has(component) => sure.vertices(component).len(),
                    _ => 1,
                };
                if wanted.count + steps + more > wanted.n {
                    is_tight = true;
                    continue;
                }
                sure.of[*other].into_iter().for_each(|component| entered.set(component, 0));
                distance.set(*other, steps + 1);
                found.push(*other);
            }
        }
        [barred, entered].into_iter().for_each(|marks| self.give_back(marks));
        Flood { found, distance, is_tight }
    }

    fn may_be(&mut self, vertex: usize, wanted: &Wanted<'_, 'l>) -> bool {
        let sizes = &wanted.sizes.about[vertex];
        self.there[vertex] != Some(false)
            && sizes.iter().all(|size| self.value(size.is(wanted.n)) != Some(false))
    }

    /// Adds the negations of the facts that bound a flood, as the lemma requires.
    fn bounds(&mut self, wanted: &Wanted<'_, 'l>, flood: &Flood, without: &[usize], clause: &mut Vec<Lit>) {
        for from in &flood.found {
            let steps = flood.distance.get(*from).unwrap_or(0);
            let room = wanted.n - wanted.count - steps;
            for (edge, other) in self.lazy.beside[*from].iter().filter(|(_, other)| !without.contains(other))
            {
                if let Some(farther) = flood.distance.get(*other) {
                    // the edge would shorten the distance
                    if flood.is_tight && farther > steps + 1 {
                        Self::unless(clause, -self.lazy.edges[*edge].1);
                    }
                    continue;
                }
                if room == 0 && flood.is_tight {
                    continue;
                }
                let mut sizes = wanted.sizes.about[*other].iter().map(|size| size.is(wanted.n));
                let other_size = sizes.find(|lit| self.value(*lit) == Some(false));
                if self.there[*other] == Some(false) {
                    Self::unless(clause, -self.lazy.there[*other]);
                } else if let Some(lit) = other_size {
                    Self::unless(clause, -lit);
                } else if self.joined[*edge] == Some(false) {
                    Self::unless(clause, -self.lazy.edges[*edge].1);
                } else {
                    // there is no room for all vertices joined to it
                    for (_, by) in self.search(*other, None, room + 1) {
                        by.into_iter().for_each(|edge| Self::unless(clause, self.lazy.edges[edge].1));
                    }
                }
            }
        }
    }

    /// Sets of vertices without which the flood may have too few vertices; vertices joined in the sure graph form one
    /// set.
    fn needed(&self, wanted: &Wanted<'_, 'l>, found: &[usize]) -> Vec<Vec<usize>> {
        let sure = &wanted.sizes.sure;
        // contract the sure graph: joined vertices are one part; the first part is the component
        let (mut part, mut of_component) = (self.marks(), self.marks());
        let mut parts: Vec<Vec<usize>> = Vec::new();
        for vertex in found {
            let known = sure.of[*vertex].and_then(|component| of_component.get(component));
            let at = known.unwrap_or(parts.len());
            if at == parts.len() {
                parts.push(Vec::new());
                sure.of[*vertex].into_iter().for_each(|component| of_component.set(component, at));
            }
            parts[at].push(*vertex);
            part.set(*vertex, at);
        }
        let mut beside: Vec<Vec<usize>> = vec![Vec::new(); parts.len()];
        for (at, vertices) in parts.iter().enumerate() {
            for (edge, other) in vertices.iter().flat_map(|vertex| &self.lazy.beside[*vertex]) {
                if let Some(other) = part.get(*other).filter(|other| *other != at)
                    && self.joined[*edge] != Some(false)
                {
                    beside[at].push(other);
                }
            }
        }
        [part, of_component].into_iter().for_each(|marks| self.give_back(marks));
        let (mut number, mut low) = (vec![0; parts.len()], vec![0; parts.len()]);
        // per part: the vertices in its subtree, and those that are lost without it
        let mut below: Vec<usize> = parts.iter().map(Vec::len).collect();
        let mut lost = below.clone();
        let mut last = 0;
        let mut open = vec![(0, 0)];
        while let Some((at, next)) = open.last_mut() {
            let at = *at;
            if *next == 0 {
                last += 1;
                (number[at], low[at]) = (last, last);
            }
            if let Some(other) = beside[at].get(*next).copied() {
                *next += 1;
                if number[other] == 0 {
                    open.push((other, 0));
                } else {
                    low[at] = low[at].min(number[other]);
                }
                continue;
            }
            open.pop();
            if let Some((from, _)) = open.last() {
                low[*from] = low[*from].min(low[at]);
                below[*from] += below[at];
                if low[at] >= number[*from] {
                    lost[*from] += below[at];
                }
            }
        }
        let is_needed = |(at, _): &(usize, Vec<usize>)| *at > 0 && found.len() - lost[*at] < wanted.least;
        parts.into_iter().enumerate().filter(is_needed).map(|(_, vertices)| vertices).collect()
    }
}
