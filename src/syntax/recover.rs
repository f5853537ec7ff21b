//! The two entry points, and recovery after a fault.
//!
//! In: a registered text. Out: the parsed items, and all faults. After a fault, the text is skipped up to the
//! next line that starts an item. Something is always skipped, so parsing terminates.

use super::ast::{Expr, File};
use super::expr::expr;
use super::faults::report;
use super::foreign::commented;
use super::input::{Context, Fail, In, skip_blanks};
use super::items::{item, starts_item};
use super::wants::Want;
use crate::diag::{Code, Diagnostic};
use crate::shared::{FileId, Span};

/// Faults beyond this number are only counted.
const MAX_FAULTS: usize = 20;

/// Parses a model or a data file. Returns the parsed items even if there are faults; the faults may include
/// warnings.
pub fn parse_file(file: FileId, text: &str) -> (File, Vec<Diagnostic>) {
    let mut faults = match check_text(file, text) {
        Ok(faults) => faults,
        Err(fault) => return (File::default(), vec![*fault]),
    };
    let context = Context::new(file, text);
    let whole = In::new(text, &context);
    let mut items = Vec::new();
    let mut i = whole;
    let mut more = 0;
    while !i.rest.is_empty() {
        let (start, outcome) = (i.at(), item(i));
        let fail = match outcome {
            Ok((rest, item)) => {
                items.push(item);
                i = rest;
                if i.rest.is_empty() || starts_item(i) {
                    context.forget();
                    continue;
                }
                i.note(Want::NextItem);
                Fail::at(i.at())
            }
            Err(error) => failure(i, error),
        };
        let at = fail.at.max(context.furthest().0).max(start);
        if faults.len() < MAX_FAULTS {
            faults.push(report(whole, text, fail));
        } else {
            more += 1;
        }
        context.forget();
        i = next_item(whole, text, start, at);
    }
    faults.extend(commented_operators(&context));
    if more > 0 {
        faults.push(Diagnostic::error(Code::Syntax, format!("{more} more faults are not shown")));
    }
    (File { items }, faults)
}

/// Parses one expression, such as the value of `-D name=value`.
pub fn parse_expr(file: FileId, text: &str) -> Result<Expr, Vec<Diagnostic>> {
    let faults = check_text(file, text).map_err(|fault| vec![*fault])?;
    let context = Context::new(file, text);
    let whole = In::new(text, &context);
    let fail = match expr(whole) {
        Ok((rest, value)) if rest.rest.is_empty() => {
            return if faults.is_empty() { Ok(value) } else { Err(faults) };
        }
        Ok((rest, _)) => {
            rest.note(Want::Nothing);
            Fail::at(rest.at())
        }
        Err(error) => failure(whole, error),
    };
    Err(faults.into_iter().chain([report(whole, text, fail)]).collect())
}

/// Only warnings: the text may be correct.
fn commented_operators(context: &Context) -> Vec<Diagnostic> {
    let comments = context.commented.borrow();
    comments.iter().take(MAX_FAULTS).map(|at| commented(context.span(*at, *at + 2))).collect()
}

fn failure(i: In, error: nom::Err<Fail>) -> Fail {
    match error {
        nom::Err::Error(fail) | nom::Err::Failure(fail) => fail,
        // Only streaming parsers return this.
        nom::Err::Incomplete(_) => Fail::at(i.at()),
    }
}

/// Faults of the text as a whole: too long for spans, control characters.
fn check_text(file: FileId, text: &str) -> Result<Vec<Diagnostic>, Box<Diagnostic>> {
    if text.len() >= u32::MAX as usize {
        let message = "the text is longer than 4 GiB";
        return Err(Box::new(Diagnostic::error(Code::LimitExceeded, message).at(Span::new(file, 0, 0), "")));
    }
    let control = |byte: &u8| byte.is_ascii_control() && !matches!(byte, b'\n' | b'\t' | b'\r');
    // Most texts have none, and this pass over the whole text is fast.
    if !text.as_bytes().iter().fold(false, |any, byte| any | control(byte)) {
        return Ok(Vec::new());
    }
    let places = text.bytes().enumerate().filter(|(_, byte)| control(byte));
    let fault = |(at, byte)| {
        let message = format!("a control character (U+{byte:04X}{})", control_name(byte));
        Diagnostic::error(Code::Syntax, message)
            .at(Span::new(file, at, at + 1), "")
            .help("remove it; inside strings there are `\\n` and `\\t`")
    };
    Ok(places.take(MAX_FAULTS).map(fault).collect())
}

fn control_name(byte: u8) -> &'static str {
    match byte {
        0 => ", null",
        7 => ", bell",
        8 => ", backspace",
        11 => ", vertical tab",
        12 => ", form feed",
        27 => ", escape",
        127 => ", delete",
        _ => "",
    }
}

/// The next line from `at` on that starts an item: with an item's word, or with `name =` in its first column.
fn next_item<'s>(whole: In<'s>, text: &'s str, start: u32, at: u32) -> In<'s> {
    let mut line = match at > start && text[..at as usize].ends_with('\n') {
        true => at as usize,
        false => text[at as usize..].find('\n').map_or(text.len(), |end| at as usize + end + 1),
    };
    loop {
        let rest = &text[line..];
        let shown = rest.trim_start_matches([' ', '\t', '\r']);
        let i = In { rest: shown, end: line as u32, cx: whole.cx };
        let assignment = shown.len() == rest.len() && starts_item(i);
        if rest.is_empty() || assignment || super::tokens::ITEM_WORDS.contains(&i.word()) {
            return In { rest: skip_blanks(shown), ..i };
        }
        line += rest.find('\n').map_or(rest.len(), |end| end + 1);
    }
}
