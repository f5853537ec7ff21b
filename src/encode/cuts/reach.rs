//! What a component of a known size can reach: there is room for the rest of it, and what it cannot do without belongs to it.
//!
//! Layer by layer, so that nothing is reached that lies further away than what is missing; cut vertices by depth-first search
//! (Hopcroft, Tarjan, CACM 16, 1973).

use super::shape::Shape;
use super::sized::{Size, Sizes};
use crate::encode::Lit;

/// A component of `n` vertices.
struct Wanted<'s, 'l> {
    n: usize,
    sizes: &'s Sizes<'l>,
    /// What of it is sure.
    component: usize,
    /// How many vertices these are.
    count: usize,
    /// Literals that are false while its size is known and these vertices are joined.
    premise: Vec<Lit>,
}

impl<'l, V: FnMut(Lit) -> Option<bool>> Shape<'l, V> {
    /// What follows for a component of `n` vertices, more than those sure; `size` tells that it is so large and no larger.
    pub fn reach(
        &mut self,
        component: usize,
        n: usize,
        size: [&Size; 2],
        sizes: &Sizes<'l>,
        cuts: &mut Vec<Vec<Lit>>,
    ) {
        let joined = sizes.sure.vertices(component);
        let mut premise = Vec::new();
        Self::unless(&mut premise, size[0].at_least(n));
        Self::unless(&mut premise, -size[1].at_least(n + 1));
        for edge in joined.iter().filter_map(|(_, by)| *by) {
            Self::unless(&mut premise, self.lazy.edges[edge].1);
        }
        let wanted = Wanted { n, sizes, component, count: joined.len(), premise };
        let found = self.flood(&wanted, &[]);
        if found.len() < n {
            let mut clause = wanted.premise.clone();
            self.borders(&wanted, &found, &[], &mut clause);
            cuts.push(clause);
            return;
        }
        for needed in self.needed(&wanted, &found) {
            let rest = self.flood(&wanted, &needed);
            let sizes = needed.iter().flat_map(|vertex| &sizes.about[*vertex]);
            let same = sizes.map(|size| size.is(n)).find(|lit| self.value(*lit).is_none());
            let way = if same.is_none() { self.only_way(&wanted, &rest, &needed) } else { None };
            let told = same.map(|lit| {
                // of any of them, and so of all that are joined
                let mut clause = vec![lit];
                let edges =
                    self.search(needed[0], None, self.there.len()).into_iter().filter_map(|(_, by)| by);
                edges.for_each(|edge| Self::unless(&mut clause, self.lazy.edges[edge].1));
                clause
            });
            let told = told.or(way);
            if let Some(told) = told {
                let mut clause = wanted.premise.clone();
                clause.extend(told);
                self.borders(&wanted, &rest, &needed, &mut clause);
                cuts.push(clause);
            }
        }
    }

    /// If only one edge, or only edges between the same vertices for sure, may lead to vertices, the clause that says that one
    /// does.
    fn only_way(&self, wanted: &Wanted<'_, 'l>, rest: &[(usize, usize)], to: &[usize]) -> Option<Vec<Lit>> {
        let Sizes { sure, tree, alike, .. } = wanted.sizes;
        let mut clause = Vec::new();
        let mut first: Option<[usize; 2]> = None;
        for (from, _) in rest {
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
                        if !alike || sure.of[a].is_none() || sure.of[a] != sure.of[*from] {
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

    /// What the component may hold, with how many vertices lie between, this one included: those sure, then layer by layer.
    fn flood(&mut self, wanted: &Wanted<'_, 'l>, without: &[usize]) -> Vec<(usize, usize)> {
        let mut seen = vec![false; self.there.len()];
        let mut found = Vec::with_capacity(self.there.len());
        for (vertex, _) in wanted.sizes.sure.vertices(wanted.component) {
            seen[*vertex] = true;
            found.push((*vertex, 0));
        }
        without.iter().for_each(|vertex| seen[*vertex] = true);
        let mut next = 0;
        while let Some((at, steps)) = found.get(next).copied() {
            next += 1;
            for (edge, other) in &self.lazy.beside[at] {
                if self.joined[*edge] != Some(false)
                    && !seen[*other]
                    && wanted.has_room(at, steps, *other)
                    && self.may_be(*other, wanted)
                {
                    seen[*other] = true;
                    found.push((*other, steps + 1));
                }
            }
        }
        found
    }

    fn may_be(&mut self, vertex: usize, wanted: &Wanted<'_, 'l>) -> bool {
        let sizes = &wanted.sizes.about[vertex];
        self.there[vertex] != Some(false)
            && sizes.iter().all(|size| self.value(size.is(wanted.n)) != Some(false))
    }

    /// What bounds a flood: any of this would lead on.
    fn borders(
        &mut self,
        wanted: &Wanted<'_, 'l>,
        found: &[(usize, usize)],
        without: &[usize],
        clause: &mut Vec<Lit>,
    ) {
        let mut inside = vec![false; self.there.len()];
        found.iter().for_each(|(vertex, _)| inside[*vertex] = true);
        without.iter().for_each(|vertex| inside[*vertex] = true);
        for (from, steps) in found.iter().filter(|(_, steps)| wanted.count + steps < wanted.n) {
            for (edge, other) in self.lazy.beside[*from].iter().filter(|(_, other)| !inside[*other]) {
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
                    for (_, by) in self.search(*other, None, wanted.n - wanted.count - steps + 1) {
                        by.into_iter().for_each(|edge| Self::unless(clause, self.lazy.edges[edge].1));
                    }
                }
            }
        }
    }

    /// The vertices without which too few are left of a flood; those that are joined for sure together.
    fn needed(&self, wanted: &Wanted<'_, 'l>, found: &[(usize, usize)]) -> Vec<Vec<usize>> {
        let sure = &wanted.sizes.sure;
        // vertices that are joined are one part, the first is the component
        let mut part: Vec<Option<usize>> = vec![None; self.there.len()];
        let mut of_component: Vec<Option<usize>> = vec![None; sure.len()];
        let mut parts: Vec<Vec<usize>> = Vec::new();
        for (vertex, _) in found {
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
        let is_needed = |(at, _): &(usize, Vec<usize>)| *at > 0 && found.len() - lost[*at] < wanted.n;
        parts.into_iter().enumerate().filter(is_needed).map(|(_, vertices)| vertices).collect()
    }
}

impl Wanted<'_, '_> {
    /// May it, with so many vertices up to one, go on to another and what that is joined to?
    fn has_room(&self, from: usize, steps: usize, to: usize) -> bool {
        let sure = &self.sizes.sure;
        let more = match sure.of[to] {
            Some(component) if sure.of[from] != Some(component) => sure.vertices(component).len(),
            _ => 1,
        };
        self.count + steps + more <= self.n
    }
}
