//! String literals: `"…{e}…"`, `r"…"` and pictures.
//!
//! In: a place at a quote. Out: the literal with escapes resolved. A string ends on its line; only pictures
//! span several lines.

use super::ast::{Expr, ExprKind, Text, TextPart};
use super::expr::expr;
use super::input::{Fail, In, R};
use super::tokens::close;
use super::wants::Want;
use crate::diag::{Code, Diagnostic};
use crate::shared::Span;
use std::rc::Rc;

/// `"…{e}…"`
pub(super) fn text(i: In) -> R<Text> {
    if !i.starts("\"") {
        return i.want(Want::Plain);
    }
    let mut parts = Vec::new();
    let mut literal = String::new();
    let mut here = In { rest: &i.rest[1..], ..i };
    loop {
        let plain = here.rest.find(['"', '\\', '{', '}', '\n']).unwrap_or(here.rest.len());
        literal.push_str(&here.rest[..plain]);
        here.rest = &here.rest[plain..];
        match (here.first(), here.second()) {
            (Some(b'"'), _) => {
                if !literal.is_empty() {
                    parts.push(TextPart::Literal(literal.into()));
                }
                let end = i.rest.len() - here.rest.len() + 1;
                return Ok((i.eat(end), Text { span: i.span_of(end), parts }));
            }
            (Some(b'{'), Some(b'{')) | (Some(b'}'), Some(b'}')) => {
                literal.push_str(&here.rest[..1]);
                here.rest = &here.rest[2..];
            }
            (Some(b'{'), _) => {
                if !literal.is_empty() {
                    parts.push(TextPart::Literal(std::mem::take(&mut literal).into()));
                }
                let (rest, value) = hole(here)?;
                parts.push(TextPart::Value(value));
                here = rest;
            }
            (Some(b'}'), _) => {
                return here.fault(
                    1,
                    "a single `}` in a string",
                    "write `}}` for a brace; a value is inserted by one brace on each side, `{p}`",
                );
            }
            (Some(b'\\'), Some(escape)) if escape != b'\n' && escape != b'\r' => {
                literal.push(match escape {
                    b'n' => '\n',
                    b't' => '\t',
                    b'"' => '"',
                    b'\\' => '\\',
                    _ => {
                        let length = 1 + here.rest[1..].chars().next().map_or(0, char::len_utf8);
                        let message = format!("unknown escape `{}`", &here.rest[..length]);
                        let help = "there are `\\n`, `\\t`, `\\\"` and `\\\\`; \
                                    in `r\"…\"` a backslash stands for itself";
                        return here.fault(length, message, help);
                    }
                });
                here.rest = &here.rest[2..];
            }
            _ => return unclosed(i, here),
        }
    }
}

/// `{e}` in a string. After the closing brace the string continues: blanks are not skipped there.
fn hole(i: In) -> R<Expr> {
    let here = i;
    let regex = here.rest[1..].bytes().take_while(|b| matches!(b, b'0'..=b'9' | b',' | b' ')).count();
    if here.rest[1 + regex..].starts_with('}') {
        let found = &here.rest[..regex + 2];
        let message = format!("`{found}` in a string is no expression");
        let help = "for a regular expression write `r\"…\"`, where braces stand for themselves";
        return here.fault(found.len(), message, help);
    }
    let opened = here.at();
    let inside = |error: nom::Err<Fail>| {
        error.map(|mut fail| {
            fail.help = fail.help.or(Some("braces in a string hold an expression; write `{{` for a brace"));
            fail
        })
    };
    let (rest, value) = expr(here.eat(1)).map_err(inside)?;
    close(opened, Want::CloseBrace)(rest).map_err(inside)?;
    Ok((In { rest: &rest.rest[1..], ..rest }, value))
}

fn unclosed<'s, T>(open: In<'s>, end: In<'s>) -> R<'s, T> {
    let line = (end.at() - open.at()) as usize;
    open.fail_with(
        Diagnostic::error(Code::Syntax, "the string has no closing quote on its line")
            .at(open.span_of(line.max(1)), "starts here")
            .help("close it with `\"`; write `\\n` for a new line, or a picture `\"\"\"…\"\"\"` of several lines"),
    )
}

/// `r"…"`
pub(super) fn raw(i: In) -> R<Rc<str>> {
    if !i.starts("r\"") {
        return i.want(Want::Plain);
    }
    let inner = &i.rest[2..];
    match inner.find(['"', '\n']) {
        Some(end) if inner[end..].starts_with('"') => Ok((i.eat(end + 3), Rc::from(&inner[..end]))),
        end => unclosed(i, In { rest: &inner[end.unwrap_or(inner.len())..], ..i }),
    }
}

/// `"""…"""`: raw text without the newline after the opening and the one before the closing quotes.
pub(super) fn picture(i: In) -> R<ExprKind> {
    if !i.starts("\"\"\"") {
        return i.want(Want::Plain);
    }
    let inner = &i.rest[3..];
    let Some(end) = inner.find("\"\"\"") else {
        return i.fail_with(
            Diagnostic::error(Code::Syntax, "the picture is not closed")
                .at(i.span_of(3), "starts here")
                .help("close it with `\"\"\"`"),
        );
    };
    let content = &inner[..end];
    let shown = content.strip_prefix("\r\n").or(content.strip_prefix('\n')).unwrap_or(content);
    let start = i.at() + 3 + (content.len() - shown.len()) as u32;
    let shown = shown.strip_suffix('\n').map_or(shown, |shown| shown.strip_suffix('\r').unwrap_or(shown));
    // Carriage returns occur at line ends only, so columns stay correct without them.
    let text = if shown.contains("\r\n") { shown.replace("\r\n", "\n").into() } else { Rc::from(shown) };
    Ok((i.eat(end + 6), ExprKind::Picture { text, start }))
}

/// A string without holes: a file name, a glyph.
pub(super) fn plain(i: In) -> R<(Rc<str>, Span)> {
    let (rest, label) = label(i)?;
    let mut whole = String::new();
    for part in &label.parts {
        match part {
            TextPart::Literal(literal) => whole.push_str(literal),
            TextPart::Value(value) => {
                return i.fail_with(
                    Diagnostic::error(Code::Syntax, "this string cannot hold an expression")
                        .at(value.span, "")
                        .help("write `{{` and `}}` for braces, or `r\"…\"`"),
                );
            }
        }
    }
    Ok((rest, (whole.into(), label.span)))
}

/// A string on one line, raw or not.
pub(super) fn label(i: In) -> R<Text> {
    if i.starts("r\"") {
        let (rest, literal) = raw(i)?;
        let parts = if literal.is_empty() { Vec::new() } else { vec![TextPart::Literal(literal)] };
        return Ok((rest, Text { span: rest.span_from(i.at()), parts }));
    }
    text(i)
}
