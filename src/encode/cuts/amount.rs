//! Cuts for a bounded number of present vertices; if the graph must also be connected, for what these can reach.
//!
//! **Lemma.** Let `least` to `most` vertices be present, and let all present vertices be connected. Then the component of a
//! surely present vertex contains all of them, so it has `least` to `most` vertices, and the lemma on room (see `size_reach`)
//! holds for it: every vertex outside the set A is absent, A has at least `least` vertices, and if A has fewer without a set of
//! vertices V, one of V is present.
//!
//! **Lemma (counting).** In a graph that need not be connected, or without a surely present vertex: of any `most` + 1 vertices
//! one is absent; if all but k vertices are absent and k is at most `least`, the k vertices are present.

use super::MOST_COMPONENTS;
use super::partial_graph::PartialGraph;
use super::size::Sizes;
use crate::encode::Lit;

/// Sure components from which cuts are derived, at most.
const MOST_BEGINNINGS: usize = 4;

impl<'l, V: FnMut(Lit) -> Option<bool>> PartialGraph<'l, V> {
    /// The cuts for a least and a greatest number of present vertices.
    pub fn amount(&mut self, bounds: [usize; 2], is_connected: bool, cuts: &mut Vec<Vec<Lit>>) {
        let [least, most] = bounds;
        let of = |what: Option<bool>| -> Vec<usize> {
            (0..self.there.len()).filter(|at| self.there[*at] == what).collect()
        };
        let (sure, open, absent) = (of(Some(true)), of(None), of(Some(false)));
        let lit = |at: &usize| self.present[*at];
        if sure.len() >= most {
            let all: Vec<Lit> = sure.iter().map(|at| -lit(at)).collect();
            let full = |more: Option<Lit>| {
                let mut clause = Vec::new();
                all.iter()
                    .take(most + 1)
                    .copied()
                    .chain(more)
                    .for_each(|lit| Self::unless(&mut clause, -lit));
                clause
            };
            match sure.len() > most {
                true => cuts.push(full(None)),
                false => cuts.extend(open.iter().take(MOST_COMPONENTS).map(|at| full(Some(-lit(at))))),
            }
            return;
        }
        if is_connected && !sure.is_empty() {
            return self.beginnings(bounds, cuts);
        }
        let needed = if sure.len() + open.len() == least { &open[..] } else { &[] };
        let mut few = |needed: Option<&usize>| {
            let mut clause = Vec::new();
            absent.iter().chain(needed).for_each(|at| Self::unless(&mut clause, -lit(at)));
            cuts.push(clause);
        };
        if sure.len() + open.len() < least {
            few(None);
        }
        needed.iter().take(MOST_COMPONENTS).for_each(|at| few(Some(at)));
    }

    /// The cuts for the component of each sure component.
    fn beginnings(&mut self, bounds: [usize; 2], cuts: &mut Vec<Vec<Lit>>) {
        let sizes = self.without_sizes();
        for component in 0..sizes.sure.len().min(MOST_BEGINNINGS) {
            let joined = sizes.sure.vertices(component);
            let mut premise = Vec::new();
            if joined.len() == 1 {
                Self::unless(&mut premise, self.present[joined[0].0]);
            }
            self.reach(component, bounds, premise, &sizes, true, cuts);
        }
    }

    /// The sizes of a graph in which none is stated.
    fn without_sizes(&self) -> Sizes<'l> {
        let (sure, possible) = (self.sure(), self.possible());
        let tree = self.tree(&sure);
        Sizes { about: vec![Vec::new(); self.there.len()], sure, possible, tree, alike: self.is_alike() }
    }
}
