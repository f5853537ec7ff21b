//! Deep trees without stack overflow: a drop that does not recurse.
//!
//! Brackets nest at most [`super::MAX_NESTING`] deep, but a chain of operators makes a tree as deep as it is
//! long. Every recursive walk of a tree wraps its step in [`crate::shared::with_stack`].

use super::ast::{Args, Expr, ExprKind, Gen, IndexPart, TextPart};

impl Drop for Expr {
    /// Takes the tree apart in a loop: the default drop would need stack for every level of the tree.
    fn drop(&mut self) {
        if is_leaf(&self.kind) {
            return;
        }
        let mut kinds = vec![std::mem::replace(&mut *self.kind, ExprKind::None)];
        while let Some(mut kind) = kinds.pop() {
            each_child(&mut kind, &mut |child| {
                if !is_leaf(&child.kind) {
                    kinds.push(std::mem::replace(&mut *child.kind, ExprKind::None));
                }
            });
        }
    }
}

fn is_leaf(kind: &ExprKind) -> bool {
    match kind {
        ExprKind::Int(_)
        | ExprKind::Bool(_)
        | ExprKind::None
        | ExprKind::Raw(_)
        | ExprKind::Picture { .. }
        | ExprKind::Numbers(_)
        | ExprKind::Name(_) => true,
        ExprKind::Text(text) => text.parts.iter().all(|part| matches!(part, TextPart::Literal(_))),
        _ => false,
    }
}

fn each_child(kind: &mut ExprKind, f: &mut impl FnMut(&mut Expr)) {
    match kind {
        ExprKind::Int(_)
        | ExprKind::Bool(_)
        | ExprKind::None
        | ExprKind::Raw(_)
        | ExprKind::Picture { .. }
        | ExprKind::Numbers(_)
        | ExprKind::Name(_) => {}
        ExprKind::Text(text) => {
            for part in &mut text.parts {
                if let TextPart::Value(value) = part {
                    f(value);
                }
            }
        }
        ExprKind::Tuple(parts) | ExprKind::List(parts) => parts.iter_mut().for_each(f),
        ExprKind::Map(entries) => entries.iter_mut().for_each(|(key, value)| {
            f(key);
            f(value);
        }),
        ExprKind::ListFor { value, gens } | ExprKind::For { gens, body: value } => {
            f(value);
            each_of_gens(gens, f);
        }
        ExprKind::MapFor { key, value, gens } => {
            f(key);
            f(value);
            each_of_gens(gens, f);
        }
        ExprKind::If { cond, then, other } => [cond, then, other].into_iter().for_each(f),
        ExprKind::Not(operand) | ExprKind::Negate(operand) => f(operand),
        ExprKind::Binary { left, right, .. } => {
            f(left);
            f(right);
        }
        ExprKind::Compare { first, rest } => {
            f(first);
            rest.iter_mut().for_each(|(_, operand)| f(operand));
        }
        ExprKind::Call { args: Args::List(args), .. } => args.iter_mut().for_each(f),
        ExprKind::Call { args: Args::For { value, gens, more }, .. } => {
            f(value);
            each_of_gens(gens, f);
            more.iter_mut().for_each(f);
        }
        ExprKind::Index { base, index } => {
            f(base);
            for part in index {
                match part {
                    IndexPart::At(at) => f(at),
                    IndexPart::All(_) => {}
                    IndexPart::Part { from, to, .. } => from.iter_mut().chain(to).for_each(&mut *f),
                }
            }
        }
    }
}

fn each_of_gens(gens: &mut [Gen], f: &mut impl FnMut(&mut Expr)) {
    for g in gens {
        match g {
            Gen::In { list: value, .. } | Gen::Let { value, .. } | Gen::If(value) => f(value),
        }
    }
}
