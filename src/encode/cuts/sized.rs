//! Sizes of components: what is joined for sure is no larger than wanted, what may be joined no smaller.

use super::shape::{Components, Shape};
use super::{ALWAYS, Demand};
use crate::encode::Lit;

/// Vertices of one component whose sizes are given cuts at one time.
const MOST_SIZED: usize = 4;

impl<V: FnMut(Lit) -> Option<bool>> Shape<'_, V> {
    pub fn sizes(&mut self, cuts: &mut Vec<Vec<Lit>>) {
        let lazy = self.lazy;
        if !lazy.demands.iter().any(|demand| matches!(demand, Demand::Size { .. })) {
            return;
        }
        let (sure, possible) = (self.sure(), self.possible());
        let mut sized = vec![0; sure.len()];
        for demand in &lazy.demands {
            if let Demand::Size { vertex, at_least } = demand
                && let Some(component) = sure.of[*vertex]
                && sized[component] < MOST_SIZED
            {
                let before = cuts.len();
                self.size(*vertex, at_least, &sure, &possible, cuts);
                sized[component] += cuts.len() - before;
            }
        }
    }

    /// What follows of the size of a vertex's component.
    fn size(
        &mut self,
        vertex: usize,
        at_least: &[Lit],
        sure: &Components,
        possible: &Components,
        cuts: &mut Vec<Vec<Lit>>,
    ) {
        let literal = |n: usize| at_least.get(n).copied().unwrap_or(-ALWAYS);
        let vertices = |components: &Components| -> Vec<(usize, Option<usize>)> {
            components.of[vertex].map_or(Vec::new(), |at| components.vertices(at).to_vec())
        };
        let least = at_least.iter().rposition(|lit| self.value(*lit) == Some(true)).unwrap_or(0);
        let most = at_least.iter().rposition(|lit| self.value(*lit) != Some(false)).unwrap_or(0);
        let (joined, room) = (vertices(sure), vertices(possible));
        if joined.len() > least {
            cuts.push(self.too_many(vertex, None, joined.len().min(most + 1), at_least));
        }
        if room.len() < most {
            cuts.push(self.too_few(&room, literal(room.len() + 1)));
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
                        cuts.push(self.too_many(vertex, Some(*edge), most + 1, at_least));
                    }
                }
            }
        }
        if let [_] = open[..]
            && joined.len() < least
        {
            // that it is larger may not be known yet, where literals are not told of one another
            let larger = literal(joined.len() + 1);
            let larger = if self.value(larger) == Some(true) { larger } else { literal(least) };
            cuts.push(self.too_few(&joined, larger));
        }
    }

    /// So many vertices are joined, or would be by one edge: the size is as large, or one of what joins them is not there.
    fn too_many(&self, vertex: usize, also: Option<usize>, size: usize, at_least: &[Lit]) -> Vec<Lit> {
        let mut clause = Vec::new();
        for (_, by) in self.search(vertex, also, size) {
            by.into_iter().for_each(|edge| Self::unless(&mut clause, self.lazy.edges[edge].1));
        }
        let large = at_least.get(size).copied().unwrap_or(-ALWAYS);
        if large != -ALWAYS {
            clause.push(large);
        }
        clause.sort_unstable();
        clause.dedup();
        clause
    }

    /// There is a way out of these vertices, or the size is not as large.
    fn too_few(&self, vertices: &[(usize, Option<usize>)], larger: Lit) -> Vec<Lit> {
        let mut clause = Vec::new();
        let all: Vec<usize> = (0..self.there.len()).collect();
        self.ways_out(vertices, &all, None, &mut clause);
        Self::unless(&mut clause, larger);
        clause.sort_unstable();
        clause.dedup();
        clause
    }
}
