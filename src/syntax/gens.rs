//! Generators and patterns: `(p, k) in givens(x) if k > 0, m = f(p)`.
//!
//! In: a place after `for`. Out: the generators; the first is always a `pattern in list`. They end at a comma
//! with neither a generator nor a guard after it, so `sum(e for p in S, other)` has a second argument.

use super::ast::{Gen, Pattern, PatternKind};
use super::expr::expr;
use super::input::{In, R, skip_blanks, word};
use super::tokens::{bracket, is_reserved, keyword, name, symbol};
use super::wants::Want;
use nom::Parser;
use nom::combinator::map;
use nom::sequence::{pair, preceded, terminated};

/// `source {guard} {"," (generator | guard) {guard}}`
pub(super) fn gens(i: In) -> R<Vec<Gen>> {
    let (mut i, first) = source(i)?;
    let mut gens = vec![first];
    loop {
        while i.at_word("if") {
            let (rest, condition) = guard(i)?;
            gens.push(condition);
            i = rest;
        }
        i.note(Want::Guard);
        i.note(Want::Comma);
        if i.first() != Some(b',') {
            return Ok((i, gens));
        }
        let behind = i.eat(1);
        let (rest, next) = if behind.at_word("if") {
            match late_guard(behind)? {
                Some(found) => found,
                None => return Ok((i, gens)),
            }
        } else if binds(behind).is_some() {
            generator(behind)?
        } else {
            return Ok((i, gens));
        };
        gens.push(next);
        i = rest;
    }
}

/// A guard after a comma; `None` if it begins a conditional, which is another argument.
fn late_guard<'s>(i: In<'s>) -> Result<Option<(In<'s>, Gen)>, nom::Err<super::input::Fail>> {
    let (rest, condition) = guard(i)?;
    if rest.at_word("then")
        && let Gen::If(condition) = condition
    {
        i.cx.conditionals.borrow_mut().insert(i.at(), (rest.at(), rest.end, condition));
        return Ok(None);
    }
    Ok(Some((rest, condition)))
}

/// `source | local`
pub(super) fn generator(i: In) -> R<Gen> {
    if binds(i) == Some(Binding::Is) { local(i) } else { source(i) }
}

/// `p in list`
pub(super) fn source(i: In) -> R<Gen> {
    map(pair(terminated(pattern, keyword(Want::In)), expr), |(pattern, list)| Gen::In { pattern, list })
        .parse(i)
}

/// `p = value`
pub(super) fn local(i: In) -> R<Gen> {
    map(pair(terminated(pattern, symbol(Want::Equal)), expr), |(pattern, value)| Gen::Let { pattern, value })
        .parse(i)
}

/// `if condition`
pub(super) fn guard(i: In) -> R<Gen> {
    map(preceded(keyword(Want::Guard), expr), Gen::If).parse(i)
}

/// `_`, `name` or `(p, q)`
pub(super) fn pattern(i: In) -> R<Pattern> {
    let start = i.at();
    if i.at_word("_") {
        return Ok((i.eat(1), Pattern { span: i.span_of(1), kind: PatternKind::Ignore }));
    }
    if i.first() == Some(b'(') {
        let (rest, mut patterns) = i.deeper(|i| bracket(i, pattern))?;
        if patterns.len() == 1 {
            return Ok((rest, patterns.remove(0)));
        }
        return Ok((rest, Pattern { span: rest.span_from(start), kind: PatternKind::Tuple(patterns) }));
    }
    if i.word().is_empty() {
        return i.want(Want::Pattern);
    }
    map(name, |name| Pattern { span: name.span, kind: PatternKind::Name(name.text) }).parse(i)
}

/// The continuation of a pattern.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Binding {
    /// `p in …`
    In,
    /// `p = …`
    Is,
}

/// Does a pattern follow, with `in` or `=` after it? Only looks ahead: an expression may start like a
/// pattern.
pub(super) fn binds(i: In) -> Option<Binding> {
    let mut rest = i.rest;
    let mut open = 0usize;
    'pattern: loop {
        if rest.starts_with('(') {
            open += 1;
            rest = skip_blanks(&rest[1..]);
            continue;
        }
        let name = word(rest);
        if name.is_empty() || is_reserved(name) {
            return None;
        }
        rest = skip_blanks(&rest[name.len()..]);
        loop {
            if open == 0 {
                break 'pattern;
            }
            let comma = rest.starts_with(',');
            if !comma && !rest.starts_with(')') {
                return None;
            }
            rest = skip_blanks(&rest[1..]);
            if !comma {
                open -= 1;
            } else if !rest.starts_with(')') {
                break;
            }
        }
    }
    if word(rest) == "in" {
        return Some(Binding::In);
    }
    (rest.starts_with('=') && !rest.starts_with("==") && !rest.starts_with("=>")).then_some(Binding::Is)
}
