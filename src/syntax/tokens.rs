//! Tokens: symbols, words, names, numbers and lists in brackets.
//!
//! In: a place. Out: the place after the token and its trailing blanks. Knows nothing of the grammar above
//! it, except for the reserved words.

use super::ast::{Name, Number};
use super::input::{In, R, skip_blanks};
use super::wants::Want;
use crate::diag::{Code, Diagnostic};
use crate::shared::Span;

/// Words that start an item.
pub const ITEM_WORDS: [&str; 11] =
    ["param", "let", "def", "enum", "var", "rule", "minimize", "maximize", "answer", "show", "import"];

/// Words of expressions.
pub const EXPR_WORDS: [&str; 12] =
    ["for", "in", "if", "then", "else", "and", "or", "xor", "not", "true", "false", "none"];

/// A word that cannot be a name.
pub(super) fn is_reserved(word: &str) -> bool {
    // No reserved word is longer: the length alone rules out most names.
    word.len() <= 8 && (EXPR_WORDS.contains(&word) || ITEM_WORDS.contains(&word))
}

/// A symbol such as `(` or `:`.
pub(super) fn symbol<'s>(want: Want) -> impl Fn(In<'s>) -> R<'s, Span> {
    move |i| {
        let token = want.token();
        // `==` is one (wrong) token, so that its own message is reported.
        if i.starts(token) && !(want == Want::Equal && i.second() == Some(b'=')) {
            Ok((i.eat(token.len()), i.span_of(token.len())))
        } else {
            i.want(want)
        }
    }
}

/// A word such as `then`.
pub(super) fn keyword<'s>(want: Want) -> impl Fn(In<'s>) -> R<'s, Span> {
    move |i| {
        let token = want.token();
        if i.at_word(token) { Ok((i.eat(token.len()), i.span_of(token.len()))) } else { i.want(want) }
    }
}

/// Closes the bracket that was opened at `open`.
pub(super) fn close<'s>(open: u32, want: Want) -> impl Fn(In<'s>) -> R<'s, Span> {
    move |i| {
        symbol(want)(i).map_err(|error| {
            error.map(|mut fail| {
                fail.opened = Some((open, want));
                fail
            })
        })
    }
}

/// `part, part, …` with an optional last comma, up to the closing bracket.
pub(super) fn parts<'s, T>(
    mut i: In<'s>,
    open: u32,
    end: Want,
    mut parts: Vec<T>,
    part: impl Fn(In<'s>) -> R<'s, T>,
) -> R<'s, Vec<T>> {
    loop {
        if i.starts(end.token()) {
            return Ok((i.eat(end.token().len()), parts));
        }
        let (rest, one) = part(i)?;
        parts.push(one);
        i = rest;
        if !i.starts(",") {
            i.note(Want::Comma);
            return close(open, end)(i).map(|(i, _)| (i, parts));
        }
        i = i.eat(1);
    }
}

/// `(part)` or `(part, part, …)`: one part is a grouping; `(part,)` is a fault.
pub(super) fn bracket<'s, T>(i: In<'s>, part: impl Fn(In<'s>) -> R<'s, T>) -> R<'s, Vec<T>> {
    let open = i.at();
    let (rest, first) = part(i.eat(1))?;
    if !rest.starts(",") {
        rest.note(Want::Comma);
        return close(open, Want::Close)(rest).map(|(rest, _)| (rest, vec![first]));
    }
    let behind = rest.eat(1);
    if behind.starts(")") {
        let help = "brackets round one value only group it; for a list of one write `[…]`";
        return rest.fault(1, "a tuple has at least two parts", help);
    }
    parts(behind, open, Want::Close, vec![first], part)
}

/// A name that is no reserved word.
pub(super) fn name(i: In) -> R<Name> {
    let word = i.word();
    if word.is_empty() {
        return i.want(Want::Name);
    }
    if is_reserved(word) || word == "_" {
        i.note(Want::Name);
        let help = match word {
            "_" => "`_` stands for a value that is not used, in generators and parameters only".to_string(),
            _ if ITEM_WORDS.contains(&word) => format!("`{word}` starts an item and cannot be a name"),
            _ => format!("`{word}` is a word of the language; call it something else, such as `{word}_`"),
        };
        return i.fault(word.len(), format!("expected a name, found `{word}`"), help);
    }
    Ok((i.eat(word.len()), Name { text: i.intern(word), span: i.span_of(word.len()) }))
}

/// A whole number without sign.
pub(super) fn integer(i: In) -> R<i64> {
    let digits = i.rest.bytes().take_while(u8::is_ascii_digit).count();
    if digits == 0 {
        return i.want(Want::Expr);
    }
    let after = &i.rest[digits..];
    if let Some(next) = after.chars().next() {
        let tail = after.bytes().skip(1).take_while(u8::is_ascii_digit).count();
        if next == '_' && tail > 0 {
            let help = "digits are written without separators".to_string();
            return i.fault(digits + 1 + tail, "a number holds nothing but digits", help);
        }
        if next == '.' && tail > 0 {
            let help = "all numbers are whole; scale the values, say tenths instead of ones";
            return i.fault(digits + 1 + tail, "numbers with a fraction do not exist", help);
        }
        if super::input::continues_name(next) && !after.starts_with("in ") {
            let word: String = after.chars().take_while(|c| super::input::continues_name(*c)).collect();
            let help =
                format!("write `{} * {word}` for a product; names start with a letter", &i.rest[..digits]);
            return i.fault(digits + word.len(), "a letter stands right behind a number", help);
        }
    }
    match i.rest[..digits].parse() {
        Ok(value) => Ok((i.eat(digits), value)),
        Err(_) => too_large(i, digits),
    }
}

pub(super) fn too_large<T>(i: In, digits: usize) -> R<T> {
    i.fail_with(
        Diagnostic::error(Code::NumberTooLarge, "the number does not fit into 64 bits")
            .at(i.span_of(digits), "")
            .note(format!("numbers go from {} to {}", i64::MIN, i64::MAX)),
    )
}

/// The fast path for data: `[`, integers and commas, `]`. `None` for anything else, including a number that
/// may be too large; then the list is parsed like any other, with its messages.
pub(super) fn numbers(i: In) -> Option<(In, Vec<Number>)> {
    let bytes = i.rest.as_bytes();
    let base = i.at();
    let mut numbers = i.cx.numbers.take();
    numbers.clear();
    let mut at = blanks(i.rest, 1);
    loop {
        let start = at;
        let negative = bytes.get(at) == Some(&b'-');
        at += usize::from(negative);
        let digits = at;
        let mut value: i64 = 0;
        while let Some(digit) = bytes.get(at).filter(|byte| byte.is_ascii_digit()) {
            value = value.wrapping_mul(10).wrapping_add(i64::from(digit - b'0'));
            at += 1;
        }
        if at == digits || at - digits > 18 {
            break;
        }
        let value = if negative { -value } else { value };
        numbers.push(Number { value, start: base + start as u32, end: base + at as u32 });
        at = blanks(i.rest, at);
        if bytes.get(at) == Some(&b',') {
            at = blanks(i.rest, at + 1);
        } else if bytes.get(at) != Some(&b']') {
            break;
        }
        if bytes.get(at) == Some(&b']') {
            // Short lists are copied out of a shared buffer; a long one takes the buffer.
            let own = if numbers.len() < 4096 { numbers.clone() } else { std::mem::take(&mut numbers) };
            i.cx.numbers.set(numbers);
            return Some((i.eat(at + 1), own));
        }
    }
    i.cx.numbers.set(numbers);
    None
}

fn blanks(text: &str, at: usize) -> usize {
    match text.as_bytes().get(at) {
        // Most numbers are separated by one blank.
        Some(b' ') if text.as_bytes().get(at + 1).is_some_and(|byte| byte.is_ascii_digit()) => at + 1,
        Some(0..=b' ' | 0x7f | b'#') => text.len() - skip_blanks(&text[at..]).len(),
        _ => at,
    }
}
