//! Sizes of components: what is joined for sure is no larger than wanted, what may be joined no smaller.

use super::shape::{Components, Shape};
use super::{ALWAYS, Demand};
use crate::encode::Lit;

/// Cuts of sizes that one component is given at one time.
const MOST_SIZED: usize = 4;

/// The size of one vertex's component in literals, see [`Demand::Size`].
#[derive(Clone, Copy)]
struct Size<'l> {
    vertex: usize,
    is: &'l [Lit],
    at_least: &'l [Lit],
}

impl Size<'_> {
    fn is(&self, n: usize) -> Lit {
        self.is.get(n).copied().unwrap_or(-ALWAYS)
    }

    fn at_least(&self, n: usize) -> Lit {
        self.at_least.get(n).copied().unwrap_or(-ALWAYS)
    }
}

type Vertices = [(usize, Option<usize>)];

impl<V: FnMut(Lit) -> Option<bool>> Shape<'_, V> {
    pub fn sizes(&mut self, cuts: &mut Vec<Vec<Lit>>) {
        let size = |demand| match demand {
            &Demand::Size { vertex, ref is, ref at_least } => Some(Size { vertex, is, at_least }),
            _ => None,
        };
        let sizes: Vec<Size> = self.lazy.demands.iter().filter_map(size).collect();
        if sizes.is_empty() {
            return;
        }
        let mut about = vec![Vec::new(); self.there.len()];
        sizes.iter().for_each(|size| about[size.vertex].push(*size));
        let (sure, possible) = (self.sure(), self.possible());
        for component in 0..sure.len() {
            let before = cuts.len();
            let sizes = sure.vertices(component).iter().flat_map(|(vertex, _)| &about[*vertex]);
            for size in sizes {
                if cuts.len() - before < MOST_SIZED {
                    self.size(size, &about, &sure, &possible, cuts);
                }
            }
        }
    }

    /// What follows of the size of a vertex's component.
    fn size(
        &mut self,
        size: &Size,
        about: &[Vec<Size>],
        sure: &Components,
        possible: &Components,
        cuts: &mut Vec<Vec<Lit>>,
    ) {
        let Size { vertex, at_least, .. } = *size;
        let vertices = |components: &Components| -> Vec<(usize, Option<usize>)> {
            components.of[vertex].map_or(Vec::new(), |at| components.vertices(at).to_vec())
        };
        let least = at_least.iter().rposition(|lit| self.value(*lit) == Some(true)).unwrap_or(0);
        let most = at_least.iter().rposition(|lit| self.value(*lit) != Some(false)).unwrap_or(0);
        let (joined, room) = (vertices(sure), vertices(possible));
        if joined.len() > least {
            cuts.push(self.too_many(vertex, None, joined.len().min(most + 1), size));
        }
        if room.len() < most {
            cuts.push(self.too_few(&room, size.at_least(room.len() + 1)));
        }
        if joined.len() > most || room.len() < least {
            return;
        }
        let mut open = Vec::new();
        for (from, _) in &joined {
            for (edge, other) in &self.lazy.beside[*from] {
                if self.joined[*edge].is_none() && sure.of[*other] != sure.of[vertex] {
                    open.push(*edge);
                    let more = sure.of[*other].map_or(1, |component| sure.vertices(component).len());
                    if joined.len() + more > most {
                        cuts.push(self.too_many(vertex, Some(*edge), most + 1, size));
                    }
                }
            }
        }
        if let [_] = open[..]
            && joined.len() < least
        {
            // that it is larger may not be known yet, where literals are not told of one another
            let larger = size.at_least(joined.len() + 1);
            let larger = if self.value(larger) == Some(true) { larger } else { size.at_least(least) };
            cuts.push(self.too_few(&joined, larger));
        }
        if least == most && joined.len() < least {
            self.reach(size, least, about, sure, &joined, cuts);
        }
    }

    /// So many vertices are joined, or would be by one edge: the size is as large, or one of what joins them is not there.
    fn too_many(&self, vertex: usize, also: Option<usize>, large: usize, size: &Size) -> Vec<Lit> {
        let mut clause = Vec::new();
        for (_, by) in self.search(vertex, also, large) {
            by.into_iter().for_each(|edge| Self::unless(&mut clause, self.lazy.edges[edge].1));
        }
        clause.extend(Some(size.at_least(large)).filter(|lit| *lit != -ALWAYS));
        clause.sort_unstable();
        clause.dedup();
        clause
    }

    /// There is a way out of these vertices, or the size is not as large.
    fn too_few(&self, vertices: &Vertices, larger: Lit) -> Vec<Lit> {
        let mut clause = Vec::new();
        let all: Vec<usize> = (0..self.there.len()).collect();
        self.ways_out(vertices, &all, None, &mut clause);
        Self::unless(&mut clause, larger);
        clause.sort_unstable();
        clause.dedup();
        clause
    }

    /// A component of `n` vertices, of which `joined` are sure: what of the others it can reach.
    fn reach(
        &mut self,
        size: &Size,
        n: usize,
        about: &[Vec<Size>],
        sure: &Components,
        joined: &Vertices,
        cuts: &mut Vec<Vec<Lit>>,
    ) {
        let whole = self.flood(n, about, sure, joined, None);
        if whole.len() < n {
            let mut clause = self.premise(size, n, joined);
            self.borders(n, about, sure, joined, &whole, None, &mut clause);
            cuts.push(tidy(clause));
            return;
        }
        // only a way to all that it needs
        for vertex in self.needed(n, &whole, joined.len()) {
            let rest = self.flood(n, about, sure, joined, Some(vertex));
            let same = about[vertex].iter().map(|size| size.is(n)).find(|lit| self.value(*lit).is_none());
            let ways: Vec<usize> = rest
                .iter()
                .flat_map(|(from, _)| self.lazy.beside[*from].iter())
                .filter(|(edge, other)| *other == vertex && self.joined[*edge] != Some(false))
                .map(|(edge, _)| *edge)
                .collect();
            let edge = match ways[..] {
                [edge] if self.joined[edge].is_none() => Some(self.lazy.edges[edge].1),
                _ => None,
            };
            for lit in [same, edge].into_iter().flatten() {
                let mut clause = self.premise(size, n, joined);
                self.borders(n, about, sure, joined, &rest, Some(vertex), &mut clause);
                if same != Some(lit) {
                    // every way to it but this one
                    let others = rest.iter().flat_map(|(from, _)| self.lazy.beside[*from].iter());
                    let others = others.filter(|(_, other)| *other == vertex);
                    clause.extend(others.map(|(edge, _)| self.lazy.edges[*edge].1));
                }
                clause.push(lit);
                cuts.push(tidy(clause));
            }
        }
    }

    /// Unless the size is `n` and these vertices are joined.
    fn premise(&mut self, size: &Size, n: usize, joined: &Vertices) -> Vec<Lit> {
        let mut clause = Vec::new();
        if self.value(size.is(n)) == Some(true) {
            Self::unless(&mut clause, size.is(n));
        } else {
            Self::unless(&mut clause, size.at_least(n));
            Self::unless(&mut clause, -size.at_least(n + 1));
        }
        for (_, by) in joined {
            by.iter().for_each(|edge| Self::unless(&mut clause, self.lazy.edges[*edge].1));
        }
        clause
    }

    /// May the component of a vertex be of this size?
    fn may_be(&mut self, vertex: usize, n: usize, about: &[Vec<Size>]) -> bool {
        self.there[vertex] != Some(false)
            && about[vertex].iter().all(|size| self.value(size.is(n)) != Some(false))
    }

    /// What a component of `n` vertices may hold, with how many vertices lie between: those `joined` first, then layer by
    /// layer.
    fn flood(
        &mut self,
        n: usize,
        about: &[Vec<Size>],
        sure: &Components,
        joined: &Vertices,
        without: Option<usize>,
    ) -> Vec<(usize, usize)> {
        let mut seen = vec![false; self.there.len()];
        let mut found = Vec::with_capacity(self.there.len());
        for (vertex, _) in joined {
            seen[*vertex] = true;
            found.push((*vertex, 0));
        }
        if let Some(without) = without {
            seen[without] = true;
        }
        let mut next = 0;
        while let Some((at, steps)) = found.get(next).copied() {
            next += 1;
            for (edge, other) in &self.lazy.beside[at] {
                if self.joined[*edge] != Some(false)
                    && !seen[*other]
                    && steps + self.entering(sure, at, *other) + joined.len() <= n
                    && self.may_be(*other, n, about)
                {
                    seen[*other] = true;
                    found.push((*other, steps + 1));
                }
            }
        }
        found
    }

    /// How many vertices are joined to another besides those joined to one.
    fn entering(&self, sure: &Components, from: usize, to: usize) -> usize {
        match sure.of[to] {
            Some(component) if sure.of[from] != Some(component) => sure.vertices(component).len(),
            _ => 1,
        }
    }

    /// What bounds a flood: what would lead on, were it there.
    fn borders(
        &mut self,
        n: usize,
        about: &[Vec<Size>],
        sure: &Components,
        joined: &Vertices,
        found: &[(usize, usize)],
        without: Option<usize>,
        clause: &mut Vec<Lit>,
    ) {
        let mut inside = vec![false; self.there.len()];
        found.iter().for_each(|(vertex, _)| inside[*vertex] = true);
        for (from, steps) in found {
            if steps + joined.len() >= n {
                continue;
            }
            for (edge, other) in &self.lazy.beside[*from] {
                if inside[*other] || without == Some(*other) {
                    continue;
                }
                if self.there[*other] == Some(false) {
                    clause.push(self.lazy.there[*other]);
                } else if let Some(other) =
                    about[*other].iter().find(|size| self.value(size.is(n)) == Some(false))
                {
                    clause.extend(Some(other.is(n)).filter(|lit| *lit != -ALWAYS));
                } else if self.joined[*edge] == Some(false) {
                    clause.push(self.lazy.edges[*edge].1);
                } else {
                    // it is joined to more than there is room for
                    let room = n - joined.len() - steps;
                    for (_, by) in self.search(*other, None, room + 1) {
                        by.into_iter().for_each(|edge| Self::unless(clause, self.lazy.edges[edge].1));
                    }
                }
            }
        }
    }

    /// Vertices without which too few are left of a flood; not those it begins with.
    fn needed(&self, n: usize, found: &[(usize, usize)], begin: usize) -> Vec<usize> {
        let mut place = vec![usize::MAX; self.there.len()];
        found.iter().enumerate().for_each(|(at, (vertex, _))| place[*vertex] = at.max(begin) + 1 - begin);
        // the vertices it begins with are one, 0
        for (vertex, _) in &found[..begin] {
            place[*vertex] = 0;
        }
        let count = found.len() - begin + 1;
        let vertices = |at: usize| if at == 0 { &found[..begin] } else { &found[begin + at - 1..begin + at] };
        let (mut number, mut low, mut below) = (vec![0; count], vec![usize::MAX; count], vec![1; count]);
        // what is lost without a vertex
        let mut lost = vec![1; count];
        let beside: Vec<Vec<usize>> = (0..count)
            .map(|at| {
                let edges = vertices(at).iter().flat_map(|(vertex, _)| &self.lazy.beside[*vertex]);
                let edges = edges
                    .filter(|(edge, other)| self.joined[*edge] != Some(false) && place[*other] != usize::MAX);
                edges.map(|(_, other)| place[*other]).filter(|other| *other != at).collect()
            })
            .collect();
        let mut open = vec![(0, usize::MAX, 0)];
        let mut found_so_far = 1;
        number[0] = 1;
        low[0] = 1;
        while let Some((at, from, next)) = open.last_mut() {
            let (at, from) = (*at, *from);
            if let Some(other) = beside[at].get(*next).copied() {
                *next += 1;
                if number[other] == 0 {
                    found_so_far += 1;
                    number[other] = found_so_far;
                    low[other] = found_so_far;
                    open.push((other, at, 0));
                } else if other != from {
                    low[at] = low[at].min(number[other]);
                }
                continue;
            }
            open.pop();
            if from != usize::MAX {
                low[from] = low[from].min(low[at]);
                below[from] += below[at];
                if low[at] >= number[from] {
                    lost[from] += below[at];
                }
            }
        }
        (1..count).filter(|at| found.len() - lost[*at] < n).map(|at| found[begin + at - 1].0).collect()
    }
}

fn tidy(mut clause: Vec<Lit>) -> Vec<Lit> {
    clause.sort_unstable();
    clause.dedup();
    clause
}
