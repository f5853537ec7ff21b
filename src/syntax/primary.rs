//! Operands: literals, names, calls, brackets of all kinds, and the parts of an index.
//!
//! In: a place. Out: an [`Expr`] (or its parts). Lists of integer literals take a fast path.

use super::ast::{Args, BinaryOp, Expr, ExprKind, IndexPart, Name, Number};
use super::expr::{expr, node, sum};
use super::gens::gens;
use super::input::{In, R};
use super::text::{picture, raw, text};
use super::tokens::{bracket, close, integer, name, numbers, parts, symbol};
use super::wants::Want;
use crate::shared::Span;
use nom::Parser;
use nom::combinator::map;
use nom::sequence::separated_pair;

/// A literal, a name, a call or something in brackets.
pub(super) fn primary(i: In) -> R<Expr> {
    let start = i.at();
    let (i, kind) = match i.first() {
        Some(b'0'..=b'9') => map(integer, ExprKind::Int).parse(i),
        Some(b'"') if i.starts("\"\"\"") => picture(i),
        Some(b'"') => map(text, ExprKind::Text).parse(i),
        Some(b'r') if i.second() == Some(b'"') => map(raw, ExprKind::Raw).parse(i),
        Some(b'(') => return bracketed(i),
        Some(b'[') => list(i),
        Some(b'{') => map_of(i),
        _ => match i.word() {
            "true" => Ok((i.eat(4), ExprKind::Bool(true))),
            "false" => Ok((i.eat(5), ExprKind::Bool(false))),
            "none" => Ok((i.eat(4), ExprKind::None)),
            "" => i.want(Want::Expr),
            // `xor` is an operator, and before `(` an aggregate
            "xor" if i.eat(3).first() == Some(b'(') => {
                let name = Name { text: "xor".into(), span: i.span_of(3) };
                call(i.eat(3), name)
            }
            word if super::tokens::is_reserved(word) => i.want(Want::Expr),
            _ => reference(i),
        },
    }?;
    Ok((i, node(i.span_from(start), kind)))
}

/// A number, a name or a list of numbers, if a comma or a closing bracket follows directly. The operator
/// levels would give the same in a dozen more steps: this is for speed.
pub(super) fn alone(i: In) -> Option<(In, Expr)> {
    let (behind, kind) = match i.first()? {
        b'0'..=b'9' => {
            let digits = i.rest.bytes().take(19).take_while(u8::is_ascii_digit).count();
            let closed = matches!(i.rest.as_bytes().get(digits), Some(b',' | b')' | b']'));
            let value = if digits < 19 && closed { i.rest[..digits].parse().ok()? } else { return None };
            (i.eat(digits), ExprKind::Int(value))
        }
        b'[' => numbers(i).map(|(behind, numbers)| (behind, ExprKind::Numbers(numbers)))?,
        b'a'..=b'z' | b'A'..=b'Z' => {
            let word = i.word();
            let closed = matches!(i.rest.as_bytes().get(word.len()), Some(b',' | b')' | b']'));
            if !closed || super::tokens::is_reserved(word) {
                return None;
            }
            (i.eat(word.len()), ExprKind::Name(i.intern(word)))
        }
        _ => return None,
    };
    if !matches!(behind.first(), Some(b',' | b')' | b']')) {
        return None;
    }
    behind.note(Want::Operator);
    Some((behind, node(behind.span_from(i.at()), kind)))
}

/// A name, or a call if `(` follows.
pub(super) fn reference(i: In) -> R<ExprKind> {
    let (i, name) = name(i)?;
    if i.first() != Some(b'(') {
        return Ok((i, ExprKind::Name(name.text)));
    }
    call(i, name)
}

/// `(args)` after a name.
fn call<'s>(i: In<'s>, name: Name) -> R<'s, ExprKind> {
    i.cx.called.set((name.span.start, i.at()));
    let (i, args) = arguments(i)?;
    Ok((i, ExprKind::Call { name, args }))
}

/// `(a, b)` or `(e for gens, more)`
pub(super) fn arguments(i: In) -> R<Args> {
    let open = i.at();
    let (i, _) = symbol(Want::Open)(i)?;
    if i.starts(")") {
        return Ok((i.eat(1), Args::List(Vec::new())));
    }
    let (i, first) = expr(i)?;
    if i.at_word("for") {
        let (i, gens) = gens(i.eat(3))?;
        let (i, more) = more(i, open, Want::Close, Vec::new(), expr)?;
        return Ok((i, Args::For { value: first, gens, more }));
    }
    i.note(Want::For);
    more(i, open, Want::Close, vec![first], expr).map(|(i, args)| (i, Args::List(args)))
}

/// The rest of a list after its first part: `, part, …` up to the closing bracket.
fn more<'s, T>(
    i: In<'s>,
    open: u32,
    end: Want,
    first: Vec<T>,
    part: impl Fn(In<'s>) -> R<'s, T>,
) -> R<'s, Vec<T>> {
    if i.first() == Some(b',') {
        return parts(i.eat(1), open, end, first, part);
    }
    i.note(Want::Comma);
    close(open, end)(i).map(|(i, _)| (i, first))
}

/// `(e)` groups, `(a, b)` is a tuple.
pub(super) fn bracketed(i: In) -> R<Expr> {
    let start = i.at();
    if i.eat(1).starts(")") {
        return i.fault(1, "empty brackets are no value", "write `none`, `[]` or `{}`");
    }
    let (i, mut values) = bracket(i, expr)?;
    // A grouping keeps the span of its content: this distinguishes `x[(1..3)]` from `x[1..3]`.
    let whole =
        if values.len() == 1 { values.remove(0) } else { node(i.span_from(start), ExprKind::Tuple(values)) };
    Ok((i, whole))
}

/// `[a, b]` or `[e for gens]`
pub(super) fn list(i: In) -> R<ExprKind> {
    let open = i.at();
    if let Some((rest, numbers)) = numbers(i) {
        return Ok((rest, ExprKind::Numbers(numbers)));
    }
    let (i, _) = symbol(Want::Index)(i)?;
    if i.starts("]") {
        return Ok((i.eat(1), ExprKind::List(Vec::new())));
    }
    let (i, first) = expr(i)?;
    if i.at_word("for") {
        let (i, gens) = gens(i.eat(3))?;
        let (i, _) = close(open, Want::CloseIndex)(i)?;
        return Ok((i, ExprKind::ListFor { value: first, gens }));
    }
    i.note(Want::For);
    let (i, values) = more(i, open, Want::CloseIndex, vec![first], expr)?;
    // The fast path gives up on numbers in brackets and very long ones, but the tree must be the same.
    let kind = match values.iter().map(literal).collect() {
        Some(numbers) => ExprKind::Numbers(numbers),
        None => ExprKind::List(values),
    };
    Ok((i, kind))
}

fn literal(value: &Expr) -> Option<Number> {
    let Span { start, end, .. } = value.span;
    let value = match &*value.kind {
        ExprKind::Int(value) => *value,
        ExprKind::Negate(operand) => match &*operand.kind {
            ExprKind::Int(value) => value.checked_neg()?,
            _ => return None,
        },
        _ => return None,
    };
    Some(Number { value, start, end })
}

/// `{k: v, …}` or `{k: e for gens}`
pub(super) fn map_of(i: In) -> R<ExprKind> {
    let open = i.at();
    let (i, _) = symbol(Want::Brace)(i)?;
    if i.starts("}") {
        return Ok((i.eat(1), ExprKind::Map(Vec::new())));
    }
    let (i, first) = entry(i)?;
    if i.at_word("for") {
        let (i, gens) = gens(i.eat(3))?;
        let (i, _) = close(open, Want::CloseBrace)(i)?;
        let (key, value) = first;
        return Ok((i, ExprKind::MapFor { key, value, gens }));
    }
    i.note(Want::For);
    more(i, open, Want::CloseBrace, vec![first], entry).map(|(i, entries)| (i, ExprKind::Map(entries)))
}

/// `key: value`
pub(super) fn entry(i: In) -> R<(Expr, Expr)> {
    separated_pair(expr, symbol(Want::KeyColon), expr).parse(i)
}

/// `[part, …]` after a value.
pub(super) fn index(i: In) -> R<Vec<IndexPart>> {
    let open = i.at();
    let (i, _) = symbol(Want::Index)(i)?;
    let (i, first) = index_part(i)?;
    more(i, open, Want::CloseIndex, vec![first], index_part)
}

/// `*`, `i..j`, `i..`, `..j`, `..` or an expression.
pub(super) fn index_part(i: In) -> R<IndexPart> {
    let start = i.at();
    if i.first() == Some(b'*') {
        return Ok((i.eat(1), IndexPart::All(i.span_of(1))));
    }
    if i.starts("..") {
        let i = i.eat(2);
        if ends_part(i) {
            return Ok((i, IndexPart::Part { from: None, to: None, span: i.span_from(start) }));
        }
        let (i, to) = sum(i)?;
        return Ok((i, IndexPart::Part { from: None, to: Some(to), span: i.span_from(start) }));
    }
    let (rest, mut key) = expr(i)?;
    // In its own brackets it is a list of keys.
    let grouped = key.span.start != start;
    if rest.starts("..") && ends_part(rest.eat(2)) {
        if !grouped && !is_sum(&key) {
            return rest.fault(2, "only a sum can stand before `..`", "put what is before `..` in brackets");
        }
        let i = rest.eat(2);
        return Ok((i, IndexPart::Part { from: Some(key), to: None, span: i.span_from(start) }));
    }
    if !grouped && matches!(*key.kind, ExprKind::Binary { op: BinaryOp::Range, .. }) {
        let span = key.span;
        if let ExprKind::Binary { left, right, .. } = std::mem::replace(&mut *key.kind, ExprKind::None) {
            return Ok((rest, IndexPart::Part { from: Some(left), to: Some(right), span }));
        }
    }
    Ok((rest, IndexPart::At(key)))
}

fn ends_part(i: In) -> bool {
    matches!(i.first(), Some(b']' | b','))
}

fn is_sum(key: &Expr) -> bool {
    match &*key.kind {
        ExprKind::Binary { op, .. } => {
            matches!(op, BinaryOp::Add | BinaryOp::Sub | BinaryOp::Mul | BinaryOp::Div | BinaryOp::Mod)
        }
        ExprKind::Compare { .. } | ExprKind::Not(_) | ExprKind::For { .. } | ExprKind::If { .. } => false,
        _ => true,
    }
}
