//! Where graph constraints are allowed: as conjuncts of rules, nowhere inside other terms.
//!
//! An encoding states that a graph is connected; none encodes the negation. The check works on terms, so a
//! constraint may pass through `let`, `def`, `and`, `for` and anything known.

use super::fault::Res;
use super::run::{Eval, Mode};
use super::value::Value;
use crate::diag::{Code, Diagnostic};
use crate::model::{Answer, Bool, BoolNode, Looked};
use crate::shared::Span;

/// A graph constraint at its call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Called {
    term: Bool,
    name: &'static str,
    span: Span,
}

impl Eval<'_> {
    /// The value of a graph constraint.
    pub fn graph_term(&mut self, term: Bool, name: &'static str, span: Span) -> Res<Value> {
        if term.as_constant().is_none() && self.mode != Mode::Partial {
            self.graph_terms.push(Called { term, name, span });
        }
        Ok(Value::truth(term))
    }

    /// Rules asserted since `from` that contain a graph constraint at a forbidden place.
    pub(super) fn misplaced_in_rules(&mut self, from: usize) -> Vec<Diagnostic> {
        let mut faults = Vec::new();
        if self.graph_terms.is_empty() {
            return faults;
        }
        let mut clean = Looked::default();
        for at in from..self.model.rules.len() {
            let rule = self.model.rules[at];
            if let Some(term) = self.misplaced(rule.what, &mut clean) {
                let place = self.program.rules[rule.instance.rule as usize].span;
                let fault = self.misplaced_fault(term, place);
                if !faults.contains(&fault) {
                    faults.push(fault);
                }
                clean = Looked::default();
            }
        }
        faults
    }

    /// A graph constraint in the objective or in the answer.
    pub(super) fn misplaced_in_outputs(&self) -> Result<(), Diagnostic> {
        if self.graph_terms.is_empty() {
            return Ok(());
        }
        let (arena, mut clean) = (&self.model.arena, Looked::default());
        if let (Some(objective), Some((_, body))) = (&self.model.objective, &self.program.objective)
            && let Some(term) = arena.graph_below_int(objective.value, &mut clean)
        {
            return Err(self.misplaced_fault(term, body.node.span));
        }
        let found = self.model.answer.iter().flatten().find_map(|answer| match answer {
            Answer::Bool(term) => arena.graph_below(*term, &mut clean),
            Answer::Int(int) => arena.graph_below_int(*int, &mut clean),
            Answer::Var(_) => None,
        });
        match (found, self.program.answers.iter().flatten().next()) {
            (Some(term), Some(body)) => Err(self.misplaced_fault(term, body.node.span)),
            _ => Ok(()),
        }
    }

    /// A graph constraint in `what` that is no conjunct of it.
    fn misplaced(&self, what: Bool, clean: &mut Looked) -> Option<Bool> {
        let mut open = vec![what];
        while let Some(term) = open.pop() {
            match (self.model.arena.bool_node(term), term.is_negated()) {
                (BoolNode::And(parts), false) => open.extend_from_slice(parts),
                (BoolNode::Graph(graph, _), false) => {
                    for inner in self.model.arena.graph(graph).conditions() {
                        if let Some(found) = self.model.arena.graph_below(inner, clean) {
                            return Some(found);
                        }
                    }
                }
                _ => {
                    if let Some(found) = self.model.arena.graph_below(term, clean) {
                        return Some(found);
                    }
                }
            }
        }
        None
    }

    fn misplaced_fault(&self, term: Bool, place: Span) -> Diagnostic {
        let is = |called: &&Called| {
            called.term == term
                || matches!(self.model.arena.bool_node(called.term),
                    BoolNode::And(parts) if !called.term.is_negated() && parts.contains(&term))
        };
        let (name, span) = self
            .graph_terms
            .iter()
            .find(is)
            .map_or(("connected", place), |called| (called.name, called.span));
        Diagnostic::error(
            Code::GraphPlace,
            format!("`{name}` can only be a condition of a rule, this one is part of another term"),
        )
        .at(span, "depends on a variable")
        .help("let it stand for itself, below `for`, `and`, `all` or a known `->`; `area` is a number and may stand anywhere")
    }
}
