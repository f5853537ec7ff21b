//! The variables of a term.

use super::{Bool, IntNode, Model, Use, VarId};
use rustc_hash::FxHashSet;

impl Model {
    /// The variables that occur in a term, ascending.
    pub fn touched(&self, term: Bool) -> Vec<VarId> {
        let mut found: FxHashSet<VarId> = FxHashSet::default();
        let (mut bools, mut ints) = (vec![term.positive()], Vec::new());
        let (mut seen_bools, mut seen_ints) = (FxHashSet::default(), FxHashSet::default());
        loop {
            let mut open: Vec<Use> = Vec::new();
            if let Some(term) = bools.pop() {
                self.arena.operands(term, |used| open.push(used));
            } else if let Some(int) = ints.pop() {
                if let IntNode::Var(var) = self.arena.int_node(int) {
                    found.insert(var);
                }
                self.arena.int_operands(int, |used| open.push(used));
            } else {
                break;
            }
            for used in open {
                match used {
                    Use::Bool(part) if seen_bools.insert(part.positive()) => bools.push(part.positive()),
                    Use::Int(part) if seen_ints.insert(part) => ints.push(part),
                    Use::Literal(var) => drop(found.insert(var)),
                    Use::Bool(_) | Use::Int(_) => {}
                }
            }
        }
        let mut found: Vec<VarId> = found.into_iter().collect();
        found.sort_unstable();
        found
    }
}
