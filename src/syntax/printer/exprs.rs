//! Expressions as text, with no more brackets than the grammar needs.
//!
//! In: an expression and its context ([`Level`]). Out: text that parses to the same tree. Recursion grows the
//! stack as needed: a chain of operators is as deep as it is long.

use super::pattern;
use crate::shared::with_stack;
use crate::syntax::ast::{Args, BinaryOp, CompareOp, Expr, ExprKind, Gen, IndexPart, Text, TextPart};
use std::fmt::Write;

/// Binding strength of an expression, loosest first: the operator levels of the grammar.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::syntax) enum Level {
    /// `for`, `if`
    Open,
    Iff,
    Implies,
    Disjunction,
    Conjunction,
    Negation,
    Comparison,
    Concatenation,
    Range,
    Sum,
    Product,
    Unary,
    Postfix,
}

impl Level {
    fn tighter(self) -> Level {
        match self {
            Level::Open => Level::Iff,
            Level::Iff => Level::Implies,
            Level::Implies => Level::Disjunction,
            Level::Disjunction => Level::Conjunction,
            Level::Conjunction => Level::Negation,
            Level::Negation => Level::Comparison,
            Level::Comparison => Level::Concatenation,
            Level::Concatenation => Level::Range,
            Level::Range => Level::Sum,
            Level::Sum => Level::Product,
            Level::Product => Level::Unary,
            Level::Unary | Level::Postfix => Level::Postfix,
        }
    }
}

/// The level of an operator, and its text.
pub(in crate::syntax) fn binary(op: BinaryOp) -> (Level, &'static str) {
    match op {
        BinaryOp::Iff => (Level::Iff, " <-> "),
        BinaryOp::Implies => (Level::Implies, " -> "),
        BinaryOp::Or => (Level::Disjunction, " or "),
        BinaryOp::Xor => (Level::Disjunction, " xor "),
        BinaryOp::And => (Level::Conjunction, " and "),
        BinaryOp::Concat => (Level::Concatenation, " ++ "),
        BinaryOp::Range => (Level::Range, ".."),
        BinaryOp::Add => (Level::Sum, " + "),
        BinaryOp::Sub => (Level::Sum, " - "),
        BinaryOp::Mul => (Level::Product, " * "),
        BinaryOp::Div => (Level::Product, " / "),
        BinaryOp::Mod => (Level::Product, " % "),
    }
}

fn level(kind: &ExprKind) -> Level {
    match kind {
        ExprKind::For { .. } | ExprKind::If { .. } => Level::Open,
        ExprKind::Binary { op, .. } => binary(*op).0,
        ExprKind::Not(_) => Level::Negation,
        ExprKind::Compare { .. } => Level::Comparison,
        ExprKind::Negate(_) => Level::Unary,
        ExprKind::Int(value) if *value < 0 => Level::Unary,
        _ => Level::Postfix,
    }
}

/// An expression that nothing can follow: in brackets of some kind, or at the end of an item.
pub(super) fn open(out: &mut String, value: &Expr) {
    expr(out, value, Level::Open, true);
}

pub(super) fn bracketed(out: &mut String, value: &Expr) {
    out.push('(');
    open(out, value);
    out.push(')');
}

/// An expression in a context that needs binding strength of at least `min`. `end`: no operator follows that
/// a `for`, `if` or `not` at the end of this expression would take.
pub(super) fn expr(out: &mut String, value: &Expr, min: Level, end: bool) {
    let level = level(&value.kind);
    if level < min || level == Level::Open && !end {
        return bracketed(out, value);
    }
    with_stack(|| unbracketed(out, value, end));
}

/// The operand after a logical operator or a comparison: the last one may be a `for`, `if` or `not`.
fn last_operand(out: &mut String, value: &Expr, min: Level, end: bool) {
    let min = match &*value.kind {
        ExprKind::For { .. } | ExprKind::If { .. } => Level::Open,
        ExprKind::Not(_) => min.min(Level::Negation),
        _ => min,
    };
    expr(out, value, min, end);
}

fn unbracketed(out: &mut String, value: &Expr, end: bool) {
    match &*value.kind {
        ExprKind::Int(value) => {
            let _ = write!(out, "{value}");
        }
        ExprKind::Bool(value) => {
            let _ = write!(out, "{value}");
        }
        ExprKind::None => out.push_str("none"),
        ExprKind::Text(value) => text(out, value),
        ExprKind::Raw(value) => {
            let _ = write!(out, "r\"{value}\"");
        }
        ExprKind::Picture { text, .. } => {
            let _ = write!(out, "\"\"\"\n{text}\n\"\"\"");
        }
        ExprKind::Name(name) => out.push_str(name),
        ExprKind::Tuple(parts) => {
            out.push('(');
            separated(out, parts, open);
            out.push(')');
        }
        ExprKind::List(parts) => {
            out.push('[');
            separated(out, parts, open);
            out.push(']');
        }
        ExprKind::Numbers(numbers) => {
            out.push('[');
            separated(out, numbers, |out, number| {
                let _ = write!(out, "{}", number.value);
            });
            out.push(']');
        }
        ExprKind::Map(entries) => {
            out.push('{');
            separated(out, entries, |out, (key, value)| entry(out, key, value));
            out.push('}');
        }
        ExprKind::ListFor { value, gens } => {
            out.push('[');
            open(out, value);
            out.push_str(" for ");
            print_gens(out, gens);
            out.push(']');
        }
        ExprKind::MapFor { key, value, gens } => {
            out.push('{');
            entry(out, key, value);
            out.push_str(" for ");
            print_gens(out, gens);
            out.push('}');
        }
        ExprKind::For { gens, body } => {
            out.push_str("for ");
            print_gens(out, gens);
            out.push_str(": ");
            open(out, body);
        }
        ExprKind::If { .. } => conditional(out, value),
        ExprKind::Not(operand) => {
            out.push_str("not ");
            last_operand(out, operand, Level::Negation, end);
        }
        ExprKind::Negate(operand) => negation(out, operand),
        ExprKind::Binary { op, left, right } => operation(out, *op, left, right, end),
        ExprKind::Compare { first, rest } => {
            expr(out, first, Level::Concatenation, false);
            for (k, (op, operand)) in rest.iter().enumerate() {
                out.push_str(compare(*op));
                if k + 1 == rest.len() {
                    last_operand(out, operand, Level::Concatenation, end);
                } else {
                    expr(out, operand, Level::Concatenation, false);
                }
            }
        }
        ExprKind::Call { name, args } => {
            out.push_str(&name.text);
            out.push('(');
            arguments(out, args);
            out.push(')');
        }
        ExprKind::Index { base, index } => {
            expr(out, base, Level::Postfix, false);
            out.push('[');
            separated(out, index, index_part);
            out.push(']');
        }
    }
}

/// A loop, because `else if` chains may be long.
fn conditional(out: &mut String, mut value: &Expr) {
    while let ExprKind::If { cond, then, other } = &*value.kind {
        out.push_str("if ");
        open(out, cond);
        out.push_str(" then ");
        open(out, then);
        out.push_str(" else ");
        value = other;
    }
    open(out, value);
}

fn negation(out: &mut String, operand: &Expr) {
    out.push('-');
    // `-5` from the tree's `Int(-5)` would parse as two signs, and the least integer as one token.
    match &*operand.kind {
        ExprKind::Int(value) if *value < 0 => bracketed(out, operand),
        _ => expr(out, operand, Level::Unary, false),
    }
}

fn operation(out: &mut String, op: BinaryOp, left: &Expr, right: &Expr, end: bool) {
    let (level, sign) = binary(op);
    let (left_min, right_min) = match op {
        BinaryOp::Implies => (level.tighter(), level),
        BinaryOp::Range => (level.tighter(), level.tighter()),
        _ => (level, level.tighter()),
    };
    expr(out, left, left_min, false);
    out.push_str(sign);
    match level < Level::Negation {
        true => last_operand(out, right, right_min, end),
        false => expr(out, right, right_min, end),
    }
}

pub(in crate::syntax) fn compare(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Eq => " = ",
        CompareOp::Ne => " != ",
        CompareOp::Lt => " < ",
        CompareOp::Le => " <= ",
        CompareOp::Gt => " > ",
        CompareOp::Ge => " >= ",
        CompareOp::In => " in ",
    }
}

fn entry(out: &mut String, key: &Expr, value: &Expr) {
    open(out, key);
    out.push_str(": ");
    open(out, value);
}

fn arguments(out: &mut String, args: &Args) {
    match args {
        Args::List(args) => separated(out, args, open),
        Args::For { value, gens, more } => {
            open(out, value);
            out.push_str(" for ");
            print_gens(out, gens);
            for (k, argument) in more.iter().enumerate() {
                out.push_str(", ");
                match k {
                    0 => unlike_a_generator(out, argument),
                    _ => open(out, argument),
                }
            }
        }
    }
}

/// An expression at a place where `x in y`, `x = y` and `if …` would parse as a generator.
pub(super) fn unlike_a_generator(out: &mut String, value: &Expr) {
    match level(&value.kind) {
        Level::Iff | Level::Implies | Level::Disjunction | Level::Conjunction | Level::Comparison => {
            bracketed(out, value);
        }
        _ => open(out, value),
    }
}

fn print_gens(out: &mut String, gens: &[Gen]) {
    for (k, g) in gens.iter().enumerate() {
        match g {
            Gen::If(_) => out.push(' '),
            _ if k > 0 => out.push_str(", "),
            _ => {}
        }
        match g {
            Gen::In { pattern: p, list } => {
                pattern(out, p);
                out.push_str(" in ");
                open(out, list);
            }
            Gen::Let { pattern: p, value } => {
                pattern(out, p);
                equals(out, value);
            }
            Gen::If(condition) => {
                out.push_str("if ");
                open(out, condition);
            }
        }
    }
}

fn index_part(out: &mut String, part: &IndexPart) {
    match part {
        IndexPart::All(_) => out.push('*'),
        IndexPart::At(key) if matches!(*key.kind, ExprKind::Binary { op: BinaryOp::Range, .. }) => {
            bracketed(out, key);
        }
        IndexPart::At(key) => open(out, key),
        IndexPart::Part { from, to, .. } => {
            if let Some(from) = from {
                expr(out, from, Level::Sum, false);
            }
            out.push_str("..");
            if let Some(to) = to {
                expr(out, to, Level::Sum, false);
            }
        }
    }
}

pub(super) fn text(out: &mut String, text: &Text) {
    out.push('"');
    for part in &text.parts {
        match part {
            TextPart::Literal(part) => literal(out, part),
            TextPart::Value(value) => {
                out.push('{');
                let start = out.len();
                match &*value.kind {
                    ExprKind::Int(_) => bracketed(out, value),
                    _ => open(out, value),
                }
                // `{{` would be a literal brace.
                if out[start..].starts_with('{') {
                    out.insert(start, ' ');
                }
                out.push('}');
            }
        }
    }
    out.push('"');
}

pub(super) fn literal(out: &mut String, text: &str) {
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\t' => out.push_str("\\t"),
            '{' => out.push_str("{{"),
            '}' => out.push_str("}}"),
            c => out.push(c),
        }
    }
}

pub(super) fn equals(out: &mut String, value: &Expr) {
    out.push_str(" = ");
    open(out, value);
}

pub(super) fn separated<T>(out: &mut String, parts: &[T], print: impl Fn(&mut String, &T)) {
    for (k, part) in parts.iter().enumerate() {
        if k > 0 {
            out.push_str(", ");
        }
        print(out, part);
    }
}
