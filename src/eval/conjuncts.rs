//! Splits rules into conjuncts, each with its label.

use super::ir::*;
use super::resolve::{Resolver, spine};
use super::scope::Meaning;
use crate::shared::Span;
use crate::syntax::ast::{self, Args, BinaryOp, Expr, ExprKind, IndexPart, Pattern, PatternKind, TextPart};
use crate::syntax::print_expr;
use std::rc::Rc;

impl Resolver<'_> {
    pub fn rule(&mut self, span: Span, label: Option<&ast::Text>, body: &Expr) -> Rule {
        collect_names(body, &mut self.elsewhere);
        let written = label.map(label_text).unwrap_or_default();
        let body = self.conjunct(body, label);
        Rule { span, label: written.into(), slots: self.slots, body }
    }

    fn conjunct(&mut self, expr: &Expr, label: Option<&ast::Text>) -> Conjunct {
        let mark = self.locals.len();
        let conjunct = match &*expr.kind {
            ExprKind::For { gens, body } => {
                let gens = self.gens(gens);
                Conjunct::For(gens, Box::new(self.conjunct(body, label)))
            }
            ExprKind::Call { name, args: Args::For { value, gens, more } }
                if &*name.text == "all" && more.is_empty() && self.is_builtin("all") =>
            {
                let gens = self.gens(gens);
                Conjunct::For(gens, Box::new(self.conjunct(value, label)))
            }
            ExprKind::Call { name, args: Args::List(list) }
                if &*name.text == "all" && list.len() == 1 && self.is_builtin("all") =>
            {
                match &*list[0].kind {
                    ExprKind::List(parts) => {
                        Conjunct::And(parts.iter().map(|part| self.conjunct(part, label)).collect())
                    }
                    ExprKind::ListFor { value, gens } => {
                        let gens = self.gens(gens);
                        Conjunct::For(gens, Box::new(self.conjunct(value, label)))
                    }
                    _ => self.leaf(expr, label),
                }
            }
            ExprKind::Binary { op: BinaryOp::And, .. } => {
                let parts = spine(expr, |op| op == BinaryOp::And);
                Conjunct::And(parts.into_iter().map(|(_, part)| self.conjunct(part, label)).collect())
            }
            ExprKind::Binary { op: BinaryOp::Implies, left, right } => {
                let cond = self.expr(left);
                Conjunct::Implies(cond, Box::new(self.conjunct(right, label)))
            }
            _ => self.leaf(expr, label),
        };
        self.leave(mark);
        conjunct
    }

    fn is_builtin(&self, name: &str) -> bool {
        !matches!(self.scope.get(name), Some(named) if matches!(named.meaning, Meaning::Def(_)))
    }

    fn leaf(&mut self, expr: &Expr, label: Option<&ast::Text>) -> Conjunct {
        let node = self.expr(expr);
        let label = label.map(|text| self.text(text, true)).unwrap_or_default();
        Conjunct::Leaf { node, label }
    }

    /// Does the label's expression use a name that is not in scope here but is bound by another conjunct?
    pub(super) fn bound_elsewhere(&self, expr: &Expr) -> bool {
        let mut found = false;
        walk_names(expr, &mut |name| {
            let local = self.locals.iter().any(|(bound, _)| &**bound == name);
            found |= !local && self.elsewhere.iter().any(|other| &**other == name);
        });
        found
    }
}

/// A label as written between its quotes.
fn label_text(text: &ast::Text) -> String {
    text.parts
        .iter()
        .map(|part| match part {
            TextPart::Literal(literal) => literal.to_string(),
            TextPart::Value(expr) => format!("{{{}}}", print_expr(expr)),
        })
        .collect()
}

/// The names that the conjuncts of a rule bind.
fn collect_names(expr: &Expr, names: &mut Vec<Rc<str>>) {
    let gens = |gens: &[ast::Gen], names: &mut Vec<Rc<str>>| {
        for generator in gens {
            if let ast::Gen::In { pattern, .. } | ast::Gen::Let { pattern, .. } = generator {
                pattern_names(pattern, names);
            }
        }
    };
    match &*expr.kind {
        ExprKind::For { gens: list, body } => {
            gens(list, names);
            collect_names(body, names);
        }
        ExprKind::Call { args: Args::For { value, gens: list, .. }, name } if &*name.text == "all" => {
            gens(list, names);
            collect_names(value, names);
        }
        ExprKind::Binary { op: BinaryOp::And, .. } => {
            for (_, part) in spine(expr, |op| op == BinaryOp::And) {
                collect_names(part, names);
            }
        }
        ExprKind::Binary { op: BinaryOp::Implies, right, .. } => collect_names(right, names),
        _ => {}
    }
}

fn pattern_names(pattern: &Pattern, names: &mut Vec<Rc<str>>) {
    match &pattern.kind {
        PatternKind::Ignore => {}
        PatternKind::Name(name) => names.push(name.clone()),
        PatternKind::Tuple(parts) => parts.iter().for_each(|part| pattern_names(part, names)),
    }
}

/// Calls `each` with every plain name an expression mentions (comprehension-bound ones too).
fn walk_names(expr: &Expr, each: &mut dyn FnMut(&str)) {
    match &*expr.kind {
        ExprKind::Name(name) => each(name),
        ExprKind::Tuple(parts) | ExprKind::List(parts) => {
            parts.iter().for_each(|part| walk_names(part, each))
        }
        ExprKind::Not(inner) | ExprKind::Negate(inner) => walk_names(inner, each),
        ExprKind::Binary { left, right, .. } => {
            walk_names(left, each);
            walk_names(right, each);
        }
        ExprKind::Compare { first, rest } => {
            walk_names(first, each);
            rest.iter().for_each(|(_, part)| walk_names(part, each));
        }
        ExprKind::Call { args: Args::List(list), .. } => list.iter().for_each(|part| walk_names(part, each)),
        ExprKind::Index { base, index } => {
            walk_names(base, each);
            for part in index {
                match part {
                    IndexPart::At(part) => walk_names(part, each),
                    IndexPart::All(_) => {}
                    IndexPart::Part { from, to, .. } => {
                        from.iter().chain(to).for_each(|part| walk_names(part, each));
                    }
                }
            }
        }
        ExprKind::If { cond, then, other } => {
            [cond, then, other].into_iter().for_each(|e| walk_names(e, each))
        }
        _ => {}
    }
}
