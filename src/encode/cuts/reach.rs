//! What a component of a known size can reach: there is room for the rest of it, and what it cannot do without belongs to it.
//!
//! **Lemma (room).** Let S be vertices that edges join, in a component C of n vertices at most, and A ⊇ S a set of vertices with a
//! number d for each, 0 in S, such that
//!
//! 1. an edge between vertices of A that may be there raises d by one at most, and
//! 2. for every edge that leads from a in A to b outside A: it is not there, or b is not, or the component of b has not n
//!    vertices, or b is joined to m vertices outside A, itself among them, with |S| + d(a) + m > n.
//!
//! Then C ⊆ A, and so |A| ≥ |C|. *Proof.* Else a shortest way in C leads from S through A to some a and by an edge to b outside A. It
//! has d(a) vertices between S and b at least, by 1, and none of them is among the m of 2. So C has |S| + d(a) + m vertices at
//! least (with m = 1 where nothing more is known of b), which are more than n. ∎
//!
//! A flood finds such a set: d is the distance from S. If the set is smaller than C is at least, the clause says that one of the facts that
//! bound it is wrong. If it is so without some vertices, C holds one of these.
//!
//! Cut vertices by depth-first search (Hopcroft, Tarjan, CACM 16, 1973); they only propose what to leave out, and a flood without it
//! decides.

use super::shape::Shape;
use super::sized::Sizes;
use crate::encode::Lit;

/// A component of `n` vertices at most.
struct Wanted<'s, 'l> {
    n: usize,
    least: usize,
    sizes: &'s Sizes<'l>,
    /// What of it is sure.
    component: usize,
    /// How many vertices these are.
    count: usize,
    /// Literals that are false while its size is known and these vertices are joined.
    premise: Vec<Lit>,
}

/// The set A of the lemma.
struct Flood {
    /// Nearest first.
    found: Vec<usize>,
    /// Per vertex its distance d from what is sure; `None` outside.
    distance: Vec<Option<usize>>,
    /// Did room alone bound it anywhere? If not, distances do not matter.
    is_tight: bool,
}

impl<'l, V: FnMut(Lit) -> Option<bool>> Shape<'l, V> {
    /// What follows for a component of so many vertices, at least and at most, of which fewer are sure; `premise` are literals that
    /// are false while that is so. Is it `alone`, nothing else is there.
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
        let outside = |at: &usize| self.there[*at] != Some(false) && flood.distance[*at].is_none();
        let outside: Vec<usize> = (0..self.there.len()).filter(outside).filter(|_| alone).collect();
        if flood.found.len() < least || !outside.is_empty() {
            let mut clause = wanted.premise.clone();
            self.bounds(&wanted, &flood, &[], &mut clause);
            if flood.found.len() < least {
                cuts.push(clause);
                return;
            }
            cuts.extend(outside.into_iter().map(|at| {
                let mut clause = clause.clone();
                Self::unless(&mut clause, self.lazy.there[at]);
                clause
            }));
        }
        for needed in self.needed(&wanted, &flood.found) {
            let rest = self.flood(&wanted, &needed);
            if rest.found.len() >= least {
                continue;
            }
            let sizes = needed.iter().flat_map(|vertex| &sizes.about[*vertex]);
            let same = sizes.map(|size| size.is(n)).find(|lit| self.value(*lit).is_none());
            let told = match same {
                // of any of them, and so of all that are joined
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
            if let Some(told) = told {
                let mut clause = wanted.premise.clone();
                clause.extend(told);
                self.bounds(&wanted, &rest, &needed, &mut clause);
                cuts.push(clause);
            }
        }
    }

    /// If only one edge, or only edges between the same vertices for sure, may lead to vertices, the clause that says that one
    /// does.
    ///
    /// The component holds one of `to`, so a first edge leads there from `rest`. All such edges are in the clause, but for those
    /// between vertices that are joined to the ends of the first open one: where edges say that vertices are alike, these are
    /// there only together with it.
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

    /// What the component may hold, without some vertices: those sure, then layer by layer, no farther than it has room. What is
    /// joined for sure is found together, where there is room for all of it.
    fn flood(&mut self, wanted: &Wanted<'_, 'l>, without: &[usize]) -> Flood {
        let sure = &wanted.sizes.sure;
        let mut distance: Vec<Option<usize>> = vec![None; self.there.len()];
        let mut found = Vec::with_capacity(self.there.len());
        for (vertex, _) in sure.vertices(wanted.component) {
            distance[*vertex] = Some(0);
            found.push(*vertex);
        }
        let mut barred = vec![false; self.there.len()];
        without.iter().for_each(|vertex| barred[*vertex] = true);
        // components that there is room for
        let mut entered = vec![false; sure.len()];
        entered[wanted.component] = true;
        let mut is_tight = false;
        let mut next = 0;
        while let Some(at) = found.get(next).copied() {
            next += 1;
            let steps = distance[at].unwrap_or(0);
            for (edge, other) in &self.lazy.beside[at] {
                if self.joined[*edge] == Some(false)
                    || barred[*other]
                    || distance[*other].is_some()
                    || !self.may_be(*other, wanted)
                {
                    continue;
                }
                let more = match sure.of[*other] {
                    Some(component) if !entered[component] => sure.vertices(component).len(),
                    _ => 1,
                };
                if wanted.count + steps + more > wanted.n {
                    is_tight = true;
                    continue;
                }
                sure.of[*other].into_iter().for_each(|component| entered[component] = true);
                distance[*other] = Some(steps + 1);
                found.push(*other);
            }
        }
        Flood { found, distance, is_tight }
    }

    fn may_be(&mut self, vertex: usize, wanted: &Wanted<'_, 'l>) -> bool {
        let sizes = &wanted.sizes.about[vertex];
        self.there[vertex] != Some(false)
            && sizes.iter().all(|size| self.value(size.is(wanted.n)) != Some(false))
    }

    /// The facts that bound a flood, as the lemma wants them; any of them, if it were wrong, would let it find more.
    fn bounds(&mut self, wanted: &Wanted<'_, 'l>, flood: &Flood, without: &[usize], clause: &mut Vec<Lit>) {
        let mut barred = vec![false; self.there.len()];
        without.iter().for_each(|vertex| barred[*vertex] = true);
        for from in &flood.found {
            let steps = flood.distance[*from].unwrap_or(0);
            let room = wanted.n - wanted.count - steps;
            for (edge, other) in self.lazy.beside[*from].iter().filter(|(_, other)| !barred[*other]) {
                if let Some(farther) = flood.distance[*other] {
                    // a way that is shorter than those there are
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
                    // it is joined to more than there is room for
                    for (_, by) in self.search(*other, None, room + 1) {
                        by.into_iter().for_each(|edge| Self::unless(clause, self.lazy.edges[edge].1));
                    }
                }
            }
        }
    }

    /// The vertices without which too few are left of a flood; those that are joined for sure together.
    fn needed(&self, wanted: &Wanted<'_, 'l>, found: &[usize]) -> Vec<Vec<usize>> {
        let sure = &wanted.sizes.sure;
        // vertices that are joined are one part, the first is the component
        let mut part: Vec<Option<usize>> = vec![None; self.there.len()];
        let mut of_component: Vec<Option<usize>> = vec![None; sure.len()];
        let mut parts: Vec<Vec<usize>> = Vec::new();
        for vertex in found {
            let known = sure.of[*vertex].map(|component| &mut of_component[component]);
            let at = match known {
                Some(known) => *known.get_or_insert(parts.len()),
                None => parts.len(),
            };
            if at == parts.len() {
                parts.push(Vec::new());
            }
            parts[at].push(*vertex);
            part[*vertex] = Some(at);
        }
        let mut beside: Vec<Vec<usize>> = vec![Vec::new(); parts.len()];
        for (at, vertices) in parts.iter().enumerate() {
            for (edge, other) in vertices.iter().flat_map(|vertex| &self.lazy.beside[*vertex]) {
                if let Some(other) = part[*other].filter(|other| *other != at)
                    && self.joined[*edge] != Some(false)
                {
                    beside[at].push(other);
                }
            }
        }
        let (mut number, mut low) = (vec![0; parts.len()], vec![0; parts.len()]);
        // vertices found from each part on, and those of them that are found in no other way
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
