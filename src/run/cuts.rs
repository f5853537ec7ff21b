//! The cuts that a search has learned about the graphs of a formula.

use crate::encode::Lit;
use crate::encode::cuts::{Cut, Lazy};
use std::collections::BTreeSet;
use std::rc::Rc;

/// Distinct cuts, each with the number of its graph.
pub struct Cuts {
    graphs: Rc<[Lazy]>,
    kept: Vec<(usize, Cut)>,
    known: BTreeSet<(usize, Vec<Lit>)>,
}

impl Cuts {
    pub fn new(graphs: &Rc<[Lazy]>) -> Cuts {
        Cuts { graphs: graphs.clone(), kept: Vec::new(), known: BTreeSet::new() }
    }

    /// Does the formula omit graph constraints?
    pub fn has_graphs(&self) -> bool {
        !self.graphs.is_empty()
    }

    pub fn len(&self) -> usize {
        self.kept.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = &(usize, Cut)> {
        self.kept.iter()
    }

    pub fn add(&mut self, learned: impl IntoIterator<Item = (usize, Cut)>) {
        for (graph, cut) in learned {
            if self.known.insert((graph, cut.lits.clone())) {
                self.kept.push((graph, cut));
            }
        }
    }

    /// Learns cuts from a model that violates graph constraints; false if it violates none.
    pub fn learn(&mut self, is_true: impl Fn(Lit) -> bool) -> bool {
        let mut learned = Vec::new();
        for (at, graph) in self.graphs.iter().enumerate() {
            let mut own = Vec::new();
            graph.cuts(|lit| Some(is_true(lit)), &mut own);
            learned.extend(own.into_iter().map(|cut| (at, cut)));
        }
        let breaks = |(_, cut): &(usize, Cut)| cut.lits.iter().all(|lit| !is_true(*lit));
        debug_assert!(learned.is_empty() || learned.iter().any(breaks), "the model would come again");
        let any = !learned.is_empty();
        self.add(learned);
        any
    }
}
