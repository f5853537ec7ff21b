//! The operands of nodes.

use super::{Arena, Atom, Bool, BoolNode, Int, IntNode, Term};
use crate::model::{GraphId, VarId};

/// An operand of a node; `Literal` is a variable used directly by a boolean node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    Bool(Bool),
    Int(Int),
    Literal(VarId),
}

impl Arena {
    pub fn operands(&self, term: Bool, mut found: impl FnMut(Use)) {
        match self.bool_node(term) {
            BoolNode::True => {}
            BoolNode::Var(var) | BoolNode::Is(var, _) => found(Use::Literal(var)),
            BoolNode::And(parts) => parts.iter().for_each(|part| found(Use::Bool(*part))),
            BoolNode::Iff(a, b) => [a, b].into_iter().for_each(|part| found(Use::Bool(part))),
            BoolNode::Linear { terms, .. } => term_uses(terms, found),
            BoolNode::Distinct(parts) => parts.iter().for_each(|part| found(Use::Int(*part))),
            BoolNode::Runs(runs) => runs.cells.iter().for_each(|cell| found(Use::Bool(*cell))),
            BoolNode::Regular(regular) => {
                regular.word.iter().flatten().for_each(|(cond, _)| found(Use::Bool(*cond)));
            }
            BoolNode::Graph(graph, _) => self.graph_uses(graph, found),
        }
    }

    pub fn int_operands(&self, int: Int, mut found: impl FnMut(Use)) {
        match self.int_node(int) {
            IntNode::Const(_) | IntNode::Var(_) => {}
            IntNode::Linear { terms, .. } => term_uses(terms, found),
            IntNode::Mul(a, b) | IntNode::Div(a, b) | IntNode::Mod(a, b) => {
                [a, b].into_iter().for_each(|part| found(Use::Int(part)));
            }
            IntNode::Min(parts) | IntNode::Max(parts) => parts.iter().for_each(|part| found(Use::Int(*part))),
            IntNode::Abs(part) => found(Use::Int(part)),
            IntNode::Select(arms) => {
                for (cond, value) in arms {
                    found(Use::Bool(*cond));
                    found(Use::Int(*value));
                }
            }
            IntNode::Area(graph, _) => self.graph_uses(graph, found),
        }
    }

    fn graph_uses(&self, graph: GraphId, mut found: impl FnMut(Use)) {
        self.graph(graph).conditions().for_each(|term| found(Use::Bool(term)));
    }
}

fn term_uses(terms: &[Term], mut found: impl FnMut(Use)) {
    for term in terms {
        found(match term.atom {
            Atom::Bool(part) => Use::Bool(part),
            Atom::Int(part) => Use::Int(part),
        });
    }
}
