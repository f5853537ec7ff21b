//! How many vertices are there, of a graph that is connected: all are where the first ones can reach.
//!
//! **Lemma.** Let there be `most` vertices at most, and let everything that is there be connected. Then a component of what is sure is
//! part of one of `most` vertices at most, which has all that is there. So by the lemma on room (see `size_reach`) nothing outside a set as
//! there is there, if there are `least` vertices at least the set has as many, and if it has fewer without some, one of these is there.
//!
//! Without a vertex that is sure only numbers are left: of more than `most` vertices one is not there, and one of those beyond which
//! fewer than `least` are left is.

use super::MOST_COMPONENTS;
use super::partial_graph::PartialGraph;
use super::size::Sizes;
use crate::encode::Lit;

/// Components that are looked at as where all begins.
const MOST_BEGINNINGS: usize = 4;

impl<'l, V: FnMut(Lit) -> Option<bool>> PartialGraph<'l, V> {
    /// What follows of there being so many vertices, at least and at most.
    pub fn amount(&mut self, bounds: [usize; 2], is_connected: bool, cuts: &mut Vec<Vec<Lit>>) {
        let [least, most] = bounds;
        let of = |what: Option<bool>| -> Vec<usize> {
            (0..self.there.len()).filter(|at| self.there[*at] == what).collect()
        };
        let (sure, open, absent) = (of(Some(true)), of(None), of(Some(false)));
        let lit = |at: &usize| self.lazy.there[*at];
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

    /// What the components that are sure can reach.
    fn beginnings(&mut self, bounds: [usize; 2], cuts: &mut Vec<Vec<Lit>>) {
        let sizes = self.without_sizes();
        for component in 0..sizes.sure.len().min(MOST_BEGINNINGS) {
            let joined = sizes.sure.vertices(component);
            let mut premise = Vec::new();
            if joined.len() == 1 {
                Self::unless(&mut premise, self.lazy.there[joined[0].0]);
            }
            self.reach(component, bounds, premise, &sizes, true, cuts);
        }
    }

    /// As of a graph that tells none.
    fn without_sizes(&self) -> Sizes<'l> {
        let (sure, possible) = (self.sure(), self.possible());
        let tree = self.tree(&sure);
        Sizes { about: vec![Vec::new(); self.there.len()], sure, possible, tree, alike: self.is_alike() }
    }
}
