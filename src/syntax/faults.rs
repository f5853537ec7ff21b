//! Failures as messages: what was found, what was wanted, how to mend it.
//!
//! In: a [`Fail`] and what the [`Context`](super::input::Context) noted. Out: a [`Diagnostic`]. What people type who
//! come from other languages gets a message of its own. Knows the tokens, not the productions.

use super::input::{Fail, In, word};
use super::items::starts_item;
use super::tokens::{EXPR_WORDS, ITEM_WORDS};
use super::wants::{Want, Wants};
use crate::diag::{Code, Diagnostic};
use crate::shared::Span;

/// Tokens of other languages: what stands there, what is said, what helps. Longer ones first.
const FOREIGN: &[(&str, &str, &str)] = &[
    ("===", "`===` is no operator", "equality is written `=`"),
    ("!==", "`!==` is no operator", "inequality is written `!=`"),
    ("<=>", "`<=>` is no operator", "equivalence is written `<->`"),
    ("==", "`==` is no operator", "equality is written `=`"),
    ("=>", "`=>` is no operator", "implication is written `->`"),
    ("=<", "`=<` is no operator", "less or equal is written `<=`"),
    ("<>", "`<>` is no operator", "inequality is written `!=`"),
    ("&&", "`&&` is no operator", "write `and`"),
    ("||", "`||` is no operator", "write `or`; lists are joined with `++`"),
    ("/\\", "`/\\` is no operator", "write `and`"),
    ("\\/", "`\\/` is no operator", "write `or`"),
    ("**", "`**` is no operator", "write a power as a product, `a * a`"),
    ("//", "`//` is no operator", "`/` divides and rounds down; a comment starts with `#`"),
    ("+=", "`+=` is no operator", "names do not change; collect values with `sum(…)` or `[… for …]`"),
    (":=", "`:=` is no operator", "write `=`"),
    ("&", "`&` is no operator", "write `and`"),
    ("|", "`|` is no operator", "write `or`, or `count(…)` for a size; a generator has `if` instead"),
    ("!", "`!` is no operator", "write `not`, or `!=` for inequality"),
    ("~", "`~` is no operator", "write `not`"),
    ("^", "`^` is no operator", "write `xor`, or `a * a` for a square"),
    ("'", "strings are written in double quotes", "write `\"…\"`"),
    ("`", "strings are written in double quotes", "write `\"…\"`"),
    ("“", "a typographic quotation mark", "type a plain `\"`"),
    ("”", "a typographic quotation mark", "type a plain `\"`"),
    ("„", "a typographic quotation mark", "type a plain `\"`"),
    ("≤", "`≤` is no operator", "write `<=`"),
    ("≥", "`≥` is no operator", "write `>=`"),
    ("≠", "`≠` is no operator", "write `!=`"),
    ("∧", "`∧` is no operator", "write `and`"),
    ("∨", "`∨` is no operator", "write `or`"),
    ("¬", "`¬` is no operator", "write `not`"),
    ("→", "`→` is no operator", "write `->`"),
    ("∈", "`∈` is no operator", "write `in`"),
    ("−", "a typographic minus", "type a plain `-`"),
    (";", "items and statements do not end with `;`", "leave it out: an item ends where the next one starts"),
    ("?", "`?` cannot stand here", "a conditional reads `if c then a else b`"),
    ("@", "`@` has no meaning", "files are given on the command line, `-D name=@file`"),
    ("\\", "`\\` has no meaning outside strings", "an item may go over several lines as it is"),
    ("\u{feff}", "a byte order mark inside the text", "remove the invisible character U+FEFF"),
    ("\u{a0}", "a no-break space (U+00A0)", "type a plain space"),
    ("\u{200b}", "a zero width space (U+200B)", "remove the invisible character"),
];

/// Words of other languages that start an item there.
const FOREIGN_ITEMS: &[(&str, &str)] = &[
    ("constraint", "a condition is a `rule`: `rule \"label\": …`"),
    ("solve", "solving is asked for on the command line; an objective is `minimize e` or `maximize e`"),
    ("output", "a drawing is `show e`"),
    ("print", "a drawing is `show e`"),
    ("include", "other files are read with `import \"file.rebus\"`"),
    ("from", "other files are read with `import \"file.rebus\"`"),
    ("function", "a function is `def name(a, b) = e`"),
    ("predicate", "a function is `def name(a, b) = e`"),
    ("array", "an array of variables is `var x[h, w] : 1..9`, of known values `param a[h, w] : 1..9`"),
    ("set", "a list is `let name = [1, 2, 3]`"),
    ("int", "write `param n : int` for a known number, `var x : 1..9` for one to be found"),
    ("bool", "write `var b : bool`"),
    ("const", "a name for a value is `let name = e`"),
    ("assert", "a condition is a `rule`: `rule \"label\": …`"),
    ("if", "a condition is a `rule`: `rule \"label\": if c then a else b`"),
    ("for", "a condition is a `rule`: `rule \"label\": for p in S: …`"),
    ("not", "a condition is a `rule`: `rule \"label\": not …`"),
];

/// The message for a failure.
pub(super) fn report(whole: In, text: &str, fail: Fail) -> Diagnostic {
    if let Some(said) = fail.said {
        return match fail.help {
            Some(help) => said.help(help),
            None => *said,
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

/// A message about something that another language has here.
fn foreign(here: In, text: &str, wants: Wants) -> Option<Diagnostic> {
    let say = |span: Span, message: &str, help: &str| {
        Some(Diagnostic::error(Code::Syntax, message).at(span, "").help(help))
    };
    let item = wants.has(Want::Item) || wants.has(Want::NextItem);
    if let Some((_, help)) = FOREIGN_ITEMS.iter().find(|(word, _)| item && here.word() == *word) {
        let word = here.word();
        return say(here.span_of(word.len()), &format!("`{word}` does not start an item"), help);
    }
    if let Some((name, generator)) = wrong_call(here, text) {
        let help = match name {
            "forall" => "write `for p in S: …`, or `all(… for p in S)`".to_string(),
            "exists" => "write `any(… for p in S)`".to_string(),
            _ => format!("the generators follow the value: `{name}(… for p in S)`"),
        };
        return say(generator, "generators in front of their value", &help);
    }
    if let Some(comment) = commented_operator(here, text) {
        let help = "`#` starts a comment; comparisons are written `=`, `!=`, `<`, `<=` for unknowns too";
        return say(comment, "an operator that starts with `#` is a comment", help);
    }
    if here.word() == "elif" || here.word() == "elseif" {
        return say(here.span_of(here.word().len()), "`elif` is no word of the language", "write `else if`");
    }
    if here.word() == "if" && wants.has(Want::Operator) {
        return say(
            here.span_of(2),
            "`if` cannot follow a value here",
            "a conditional reads `if c then a else b`",
        );
    }
    if here.word() == "not" && wants.has(Want::Expr) {
        let help = "`not` binds looser than arithmetic; put it in brackets: `(not a)`";
        return say(here.span_of(3), "`not` cannot be an operand here", help);
    }
    if here.word() == "for" && wants.has(Want::Expr) || here.word() == "if" && wants.has(Want::Expr) {
        let word = here.word();
        let help = format!("put it in brackets: `({word} …)`");
        return say(here.span_of(word.len()), &format!("`{word}` cannot be an operand here"), &help);
    }
    let (token, message, help) = FOREIGN.iter().find(|(token, ..)| here.starts(token))?;
    say(here.span_of(token.len()), message, help)
}

/// `forall(p in S)(e)`, `sum(i in S)(e)`: the name and the place of the generators.
fn wrong_call<'t>(here: In, text: &'t str) -> Option<(&'t str, Span)> {
    let (start, open) = here.cx.called.get();
    let name = word(text.get(start as usize..)?);
    if name.is_empty() || open >= here.at() {
        return None;
    }
    let between = &text[open as usize..here.at() as usize];
    let second = here.starts("(") && between.trim_end().ends_with(')') && between.contains(" in ");
    let python = matches!(name, "forall" | "exists") && !between.contains(')');
    (second || python).then(|| (name, here.cx.span(open, open + between.trim_end().len() as u32)))
}

/// A comment such as `#= b` on the way to this place.
fn commented_operator(here: In, text: &str) -> Option<Span> {
    let before = &text[..here.at() as usize];
    let line = before.trim_end().rfind('\n').map_or(0, |at| at + 1);
    let comment = line + before[line..].find("#")?;
    let operator = ["#=", "#\\=", "#<", "#>", "#/\\", "#\\/"];
    operator
        .iter()
        .any(|operator| before[comment..].starts_with(operator))
        .then(|| here.cx.span(comment as u32, comment as u32 + 2))
}

/// What stands at a place: its length and a description.
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
