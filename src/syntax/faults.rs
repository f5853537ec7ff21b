//! Failures as messages: the found token, the expected ones, and how to fix it.
//!
//! In: a [`Fail`] and the furthest expectations in the [`Context`](super::input::Context). Out: a
//! [`Diagnostic`]. Knows the tokens, not the productions.

use super::foreign::foreign;
use super::input::{Fail, In};
use super::items::starts_item;
use super::tokens::{EXPR_WORDS, ITEM_WORDS};
use super::wants::{Want, Wants};
use crate::diag::{Code, Diagnostic};

/// The message for a failure.
pub(super) fn report(whole: In, text: &str, fail: Fail) -> Diagnostic {
    if let Some(diagnostic) = fail.diagnostic {
        return match fail.help {
            Some(help) => diagnostic.help(help),
            None => *diagnostic,
        };
    }
    let (furthest, wants) = whole.cx.furthest();
    let (at, wants) = if furthest >= fail.at { (furthest, wants) } else { (fail.at, Wants::NONE) };
    let here = In { rest: &text[at as usize..], end: at, cx: whole.cx };
    let opened = fail.opened.filter(|_| at == fail.at);
    let mut diagnostic = match (foreign(here, text, wants), opened) {
        (Some(diagnostic), _) => diagnostic,
        (None, Some((open, bracket))) => unbalanced(here, wants, open, bracket),
        (None, None) => unexpected(here, wants),
    };
    if diagnostic.help.is_empty() {
        diagnostic.help.extend(wants.iter().find_map(Want::help).map(str::to_string));
    }
    diagnostic.help.extend(fail.help.map(str::to_string));
    diagnostic
}

fn unexpected(here: In, wants: Wants) -> Diagnostic {
    let (length, found) = found(here);
    let message = match wants == Wants::NONE {
        true => format!("unexpected {found}"),
        false => format!("expected {}, found {found}", wants.list()),
    };
    Diagnostic::error(Code::Syntax, message).at(here.span_of(length), "")
}

fn unbalanced(here: In, wants: Wants, open: u32, bracket: Want) -> Diagnostic {
    let (length, found) = found(here);
    let opening = here.cx.span(open, open + 1);
    let closing = bracket.token();
    let sign = match bracket {
        Want::Close => "(",
        Want::CloseIndex => "[",
        _ => "{",
    };
    if here.rest.is_empty() || starts_item(here) {
        return Diagnostic::error(Code::Syntax, format!("this `{sign}` is not closed"))
            .at(opening, "opened here")
            .at(here.span_of(length), format!("expected `{closing}` before {found}"));
    }
    Diagnostic::error(Code::Syntax, format!("expected {}, found {found}", wants.list()))
        .at(here.span_of(length), "")
        .at(opening, format!("`{sign}` opened here"))
}

/// The token at a place: its length and a description.
fn found(here: In) -> (usize, String) {
    let word = here.word();
    let Some(c) = here.rest.chars().next() else { return (0, "the end of the text".to_string()) };
    if here.starts("\"\"\"") {
        return (3, "a picture".to_string());
    }
    if c == '"' || here.starts("r\"") {
        return (1, "a string".to_string());
    }
    if c.is_ascii_digit() {
        let digits = here.rest.bytes().take_while(u8::is_ascii_digit).count();
        return (digits, format!("`{}`", &here.rest[..digits.min(24)]));
    }
    if ITEM_WORDS.contains(&word) && starts_item(here) {
        return (word.len(), format!("the item `{word}`"));
    }
    if EXPR_WORDS.contains(&word) {
        return (word.len(), format!("the word `{word}`"));
    }
    if !word.is_empty() {
        let shown: String = word.chars().take(40).collect();
        return (word.len(), format!("`{shown}`"));
    }
    let sign = ["<->", "->", "++", "..", "!=", "<=", ">="].into_iter().find(|sign| here.starts(sign));
    match sign {
        Some(sign) => (sign.len(), format!("`{sign}`")),
        None if c.is_ascii() => (1, format!("`{c}`")),
        None => (c.len_utf8(), format!("`{c}` (U+{:04X})", c as u32)),
    }
}
