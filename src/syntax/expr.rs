//! Expressions: the levels of operators, loosest first.
//!
//! In: a place. Out: an [`Expr`]. Every function here is a production of `grammar/rebus.ebnf`. Loops parse
//! chains of operators, so their length takes no stack; nested constructs go through [`In::deeper`].

use super::ast::{BinaryOp, CompareOp, Expr, ExprKind};
use super::gens::gens;
use super::input::{In, R};
use super::primary::{alone, index, primary};
use super::tokens::{keyword, symbol, too_large};
use super::wants::Want;
use crate::shared::Span;
use nom::Parser;
use nom::sequence::preceded;

pub(super) fn node(span: Span, kind: ExprKind) -> Expr {
    Expr { span, kind: Box::new(kind) }
}

/// An operator at a place, and the place after it.
type Operator<'s> = Option<(BinaryOp, In<'s>)>;

/// `first {operator next}`, left-associative.
fn chain<'s>(
    i: In<'s>,
    first: impl Fn(In<'s>) -> R<'s, Expr>,
    operator: impl Fn(In<'s>) -> Operator<'s>,
    next: impl Fn(In<'s>) -> R<'s, Expr>,
) -> R<'s, Expr> {
    let start = i.at();
    let (mut i, mut left) = first(i)?;
    while let Some((op, behind)) = operator(i) {
        let (rest, right) = next(behind)?;
        left = node(rest.span_from(start), ExprKind::Binary { op, left, right });
        i = rest;
    }
    Ok((i, left))
}

/// The operand after a logical operator or a comparison: the last one may be a `for` or an `if`.
fn last<'s>(operand: impl Fn(In<'s>) -> R<'s, Expr>) -> impl Fn(In<'s>) -> R<'s, Expr> {
    move |i| if i.at_word("for") || i.at_word("if") { tail(i) } else { operand(i) }
}

fn word<'s>(i: In<'s>, word: &str, op: BinaryOp) -> Operator<'s> {
    i.at_word(word).then(|| (op, i.eat(word.len())))
}

fn sign<'s>(i: In<'s>, sign: &str, op: BinaryOp) -> Operator<'s> {
    i.starts(sign).then(|| (op, i.eat(sign.len())))
}

/// Any expression.
pub(super) fn expr(i: In) -> R<Expr> {
    match alone(i) {
        Some(found) => Ok(found),
        None => last(|i| i.deeper(iff))(i),
    }
}

/// The constructs that extend as far as possible.
pub(super) fn tail(i: In) -> R<Expr> {
    i.deeper(|i| if i.at_word("for") { for_all(i) } else { conditional(i) })
}

/// `for gens: e`
pub(super) fn for_all(i: In) -> R<Expr> {
    let start = i.at();
    let (i, gens) = preceded(keyword(Want::For), gens).parse(i)?;
    let (i, body) = preceded(symbol(Want::ForColon), expr).parse(i)?;
    Ok((i, node(i.span_from(start), ExprKind::For { gens, body })))
}

/// `if c then a else b`. A loop parses `else if`: there may be thousands.
pub(super) fn conditional(i: In) -> R<Expr> {
    let mut branches = Vec::new();
    let mut here = i;
    let (end, mut other) = loop {
        let start = here.at();
        let known = here.cx.conditionals.borrow_mut().remove(&start);
        let (rest, cond) = match known {
            Some((at, end, cond)) => (In { rest: &here.rest[(at - start) as usize..], end, ..here }, cond),
            None => preceded(keyword(Want::Guard), expr).parse(here)?,
        };
        let (rest, then) = preceded(keyword(Want::Then), expr).parse(rest)?;
        branches.push((start, cond, then));
        let (rest, _) = keyword(Want::Else)(rest)?;
        if !rest.at_word("if") {
            break expr(rest)?;
        }
        here = rest;
    };
    while let Some((start, cond, then)) = branches.pop() {
        other = node(end.span_from(start), ExprKind::If { cond, then, other });
    }
    Ok((end, other))
}

/// `a <-> b`
pub(super) fn iff(i: In) -> R<Expr> {
    chain(i, implies, |i| sign(i, "<->", BinaryOp::Iff), last(implies))
}

/// `a -> b`, right-associative.
pub(super) fn implies(i: In) -> R<Expr> {
    let start = i.at();
    let (mut i, first) = disjunction(i)?;
    let mut left = Vec::new();
    let mut right = (start, first);
    while let Some((_, behind)) = sign(i, "->", BinaryOp::Implies) {
        let (rest, operand) = last(disjunction)(behind)?;
        left.push(std::mem::replace(&mut right, (behind.at(), operand)));
        i = rest;
    }
    let (_, mut whole) = right;
    while let Some((start, operand)) = left.pop() {
        let op = BinaryOp::Implies;
        whole = node(i.span_from(start), ExprKind::Binary { op, left: operand, right: whole });
    }
    Ok((i, whole))
}

/// `a or b`, `a xor b`
pub(super) fn disjunction(i: In) -> R<Expr> {
    let operator = |i| word(i, "or", BinaryOp::Or).or_else(|| word(i, "xor", BinaryOp::Xor));
    chain(i, conjunction, operator, last(conjunction))
}

/// `a and b`
pub(super) fn conjunction(i: In) -> R<Expr> {
    chain(i, negation, |i| word(i, "and", BinaryOp::And), last(negation))
}

/// `not a`, or a comparison.
pub(super) fn negation(i: In) -> R<Expr> {
    if i.at_word("not") { denial(i) } else { comparison(i) }
}

/// `not a`: binds looser than comparisons.
pub(super) fn denial(i: In) -> R<Expr> {
    let start = i.at();
    if !i.at_word("not") {
        return i.want(Want::Expr);
    }
    let (i, operand) = i.eat(3).deeper(last(negation))?;
    Ok((i, node(i.span_from(start), ExprKind::Not(operand))))
}

/// `a = b`, `1 <= x < y`
pub(super) fn comparison(i: In) -> R<Expr> {
    let start = i.at();
    let (mut i, first) = concatenation(i)?;
    let mut rest = Vec::new();
    while let (behind, Some(op)) = comparer(i)? {
        let (next, right) = last(|i| if i.at_word("not") { denial(i) } else { concatenation(i) })(behind)?;
        rest.push((op, right));
        i = next;
    }
    let whole = match rest.is_empty() {
        true => first,
        false => node(i.span_from(start), ExprKind::Compare { first, rest }),
    };
    Ok((i, whole))
}

/// The comparison operator at a place. The operators of other languages (`==`, `<>`, `=>`) are none: they get
/// their own messages.
fn comparer<'s>(i: In<'s>) -> R<'s, Option<CompareOp>> {
    let (op, length) = match (i.first(), i.second()) {
        (Some(b'='), Some(b'=' | b'>' | b'<')) => return Ok((i, None)),
        (Some(b'='), _) => (CompareOp::Eq, 1),
        (Some(b'!'), Some(b'=')) if !i.starts("!==") => (CompareOp::Ne, 2),
        (Some(b'<'), Some(b'=')) if !i.starts("<=>") => (CompareOp::Le, 2),
        (Some(b'<'), Some(b'>')) => return Ok((i, None)),
        (Some(b'<'), _) if !i.starts("<->") && !i.starts("<=>") => (CompareOp::Lt, 1),
        (Some(b'>'), Some(b'=')) => (CompareOp::Ge, 2),
        (Some(b'>'), _) => (CompareOp::Gt, 1),
        (Some(b'i'), _) if i.at_word("in") => (CompareOp::In, 2),
        (Some(b'n'), _) if i.at_word("not") && i.eat(3).at_word("in") => {
            let length = (i.eat(3).at() - i.at() + 2) as usize;
            return i.fault(length, "`not in` is no operator", "put `not` in front: `not a in b`");
        }
        _ => return Ok((i, None)),
    };
    Ok((i.eat(length), Some(op)))
}

/// `a ++ b`
pub(super) fn concatenation(i: In) -> R<Expr> {
    chain(i, range, |i| sign(i, "++", BinaryOp::Concat), range)
}

/// `a..b`. In an index an end may be missing; `index_part` parses that form.
pub(super) fn range(i: In) -> R<Expr> {
    let start = i.at();
    let (i, left) = sum(i)?;
    match sign(i, "..", BinaryOp::Range) {
        Some((op, behind)) if !matches!(behind.first(), Some(b']' | b',')) => {
            let (i, right) = sum(behind)?;
            Ok((i, node(i.span_from(start), ExprKind::Binary { op, left, right })))
        }
        _ => Ok((i, left)),
    }
}

/// `a + b`, `a - b`
pub(super) fn sum(i: In) -> R<Expr> {
    chain(i, product, adder, product)
}

fn adder<'s>(i: In<'s>) -> Operator<'s> {
    match (i.first()?, i.second()) {
        (b'+', Some(b'+' | b'=')) | (b'-', Some(b'>' | b'=')) => None,
        (b'+', _) => Some((BinaryOp::Add, i.eat(1))),
        (b'-', _) => Some((BinaryOp::Sub, i.eat(1))),
        _ => None,
    }
}

/// `a * b`, `a / b`, `a % b`
pub(super) fn product(i: In) -> R<Expr> {
    chain(i, unary, multiplier, unary)
}

fn multiplier<'s>(i: In<'s>) -> Operator<'s> {
    match (i.first()?, i.second()) {
        (b'*', Some(b'*')) | (b'/', Some(b'/' | b'\\')) => None,
        (b'*', _) => Some((BinaryOp::Mul, i.eat(1))),
        (b'/', _) => Some((BinaryOp::Div, i.eat(1))),
        (b'%', _) => Some((BinaryOp::Mod, i.eat(1))),
        _ => None,
    }
}

/// `-a`
pub(super) fn unary(i: In) -> R<Expr> {
    if i.first() != Some(b'-') || i.second() == Some(b'>') {
        return postfix(i);
    }
    let start = i.at();
    let behind = i.eat(1);
    let digits = behind.rest.bytes().take_while(u8::is_ascii_digit).count();
    // The least integer has no positive counterpart, so its sign is parsed with it.
    if digits >= 19 && behind.rest[..digits].parse::<i64>().is_err() {
        if behind.rest[..digits].trim_start_matches('0') != "9223372036854775808" {
            return too_large(behind, digits);
        }
        let i = behind.eat(digits);
        return Ok((i, node(i.span_from(start), ExprKind::Int(i64::MIN))));
    }
    let (i, operand) = behind.deeper(unary)?;
    Ok((i, node(i.span_from(start), ExprKind::Negate(operand))))
}

/// `a[i][j]…`
pub(super) fn postfix(i: In) -> R<Expr> {
    let start = i.at();
    let (mut i, mut base) = primary(i)?;
    while i.first() == Some(b'[') {
        let (rest, index) = index(i)?;
        base = node(rest.span_from(start), ExprKind::Index { base, index });
        i = rest;
    }
    i.note(Want::Operator);
    Ok((i, base))
}
