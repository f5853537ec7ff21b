//! Syntax of other languages: each habit gets its own message.
//!
//! In: the place of a fault and the expected tokens. Out: a [`Diagnostic`], if the text looks like Python, C
//! or MiniZinc. Knows the tokens, not the productions.

use super::input::{In, word};
use super::tokens::ITEM_WORDS;
use super::wants::{Want, Wants};
use crate::diag::{Code, Diagnostic};
use crate::shared::Span;

/// Tokens of other languages: the token, the message, the help. Longer ones first.
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
    ("|", "`|` is no operator", "write `or`; in a list, generators follow `for`: `[e for p in S]`"),
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
    (
        ";",
        "items and statements do not end with `;`",
        "leave it out: items need no end mark; parts of a list are separated by `,`",
    ),
    ("?", "`?` cannot stand here", "a conditional reads `if c then a else b`"),
    ("@", "`@` has no meaning", "files are given on the command line, `-D name=@file`"),
    ("\\", "`\\` has no meaning outside strings", "an item may go over several lines as it is"),
    ("..", "`..` cannot stand here", "a range has two ends, `1..9`; only in an index one may be left out"),
    (
        ".",
        "`.` has no meaning here",
        "a part of a value is `a[i]`, a function is called `f(a)`, a range is `1..9`",
    ),
    ("\u{feff}", "a byte order mark inside the text", "remove the invisible character U+FEFF"),
    ("\u{a0}", "a no-break space (U+00A0)", "type a plain space"),
    ("\u{200b}", "a zero width space (U+200B)", "remove the invisible character"),
];

/// Operators and generator words of other languages.
const FOREIGN_OPERATORS: &[(&str, &str)] = &[
    ("mod", "the remainder is `a % b`"),
    ("div", "`a / b` divides and rounds down"),
    ("is", "equality is `a = b`, also with `none`; \"is not\" is `!=`"),
    ("isnot", "write `a != b`"),
    ("where", "a condition of a generator is `if`: `for p in S if c`"),
    ("when", "\"a, when c\" is `c -> a`"),
    ("unless", "\"a, unless c\" is `not c -> a`"),
    ("iff", "write `a <-> b`"),
    ("implies", "write `a -> b`"),
    ("otherwise", "write `if c then a else b`"),
];

/// The word that a text ends with, before white space; empty if it ends otherwise.
fn last_word(text: &str) -> &str {
    text.trim_end().rsplit(|c| !super::input::continues_name(c)).next().unwrap_or("")
}

/// Words that start an item in other languages.
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
    ("minimise", "write `minimize`"),
    ("maximise", "write `maximize`"),
    ("return", "the value of a `def` is what stands behind its `=`"),
    ("while", "nothing is repeated in time; a list is `[e for p in S]`, a condition `rule: for p in S: …`"),
    ("if", "a condition is a `rule`: `rule \"label\": if c then a else b`"),
    ("for", "a condition is a `rule`: `rule \"label\": for p in S: …`"),
    ("not", "a condition is a `rule`: `rule \"label\": not …`"),
];

/// A message about syntax of another language at this place.
pub(super) fn foreign(here: In, text: &str, wants: Wants) -> Option<Diagnostic> {
    let say = |length: usize, message: &str, help: &str| {
        Some(Diagnostic::error(Code::Syntax, message).at(here.span_of(length), "").help(help))
    };
    if let Some(fault) = open_picture(here, text) {
        return Some(fault);
    }
    if let Some(fault) = wrong_call(here, text) {
        return Some(fault);
    }
    let word = here.word();
    let before = &text[..here.at() as usize];
    let line_start = before.rsplit('\n').next().is_some_and(|line| line.trim().is_empty());
    let item = wants.has(Want::Item) || wants.has(Want::NextItem) && line_start;
    if let Some((_, help)) = FOREIGN_ITEMS.iter().find(|(foreign, _)| item && word == *foreign) {
        return say(word.len(), &format!("`{word}` does not start an item"), help);
    }
    if item && let Some(near) = ITEM_WORDS.into_iter().find(|near| alike(word, near)) {
        return say(word.len(), &format!("`{word}` does not start an item"), &format!("write `{near}`"));
    }
    if let Some((_, help)) =
        FOREIGN_OPERATORS.iter().find(|(foreign, _)| word == *foreign && wants.has(Want::Operator))
    {
        return say(word.len(), &format!("`{word}` is no operator"), help);
    }
    let line = before.rsplit('\n').next().unwrap_or("");
    let last = last_word(before);
    if matches!(last, "any" | "all" | "sum" | "count") && wants.has(Want::Operator) {
        let help = format!("a function has brackets: `{last}(e for p in S)`");
        return say(word.len().max(1), &format!("`{last}` without its brackets"), &help);
    }
    if wants.has(Want::Expr)
        && here.starts(":")
        && matches!(last, "minimize" | "maximize" | "show" | "answer")
    {
        return say(1, &format!("`{last}` has no colon"), &format!("write `{last} e`"));
    }
    if here.starts(":")
        && wants.has(Want::Operator)
        && let Some((_, text)) = line.split_once("rule:")
        && text.trim().len() > 1
        && text.trim().starts_with('"')
        && text.trim().ends_with('"')
    {
        let help = format!("write `rule {}: …`", text.trim());
        return say(1, "the name of a rule stands before its colon", &help);
    }
    match word {
        "elif" | "elseif" => {
            return say(word.len(), &format!("`{word}` is no word of the language"), "write `else if`");
        }
        "for" | "if" | "not" if wants.has(Want::Expr) => {
            let message = format!("`{word}` cannot be an operand here");
            return say(word.len(), &message, &format!("put it in brackets: `({word} …)`"));
        }
        "if" if wants.has(Want::Operator) => {
            let help = "a conditional reads `if c then a else b`; a condition of a generator stands before the `:`, \
                        `for p in S if c: …`";
            return say(2, "`if` cannot follow a value here", help);
        }
        "for" if wants.has(Want::Operator) && line.contains("for ") => {
            let help = "generators are separated by commas: `for r in 1..3, c in 1..3: …`";
            return say(3, "`for` stands once before all generators", help);
        }
        "for" if wants.has(Want::Operator) => {
            let help = "a list is `[e for p in S]`, a condition `for p in S: e`, a sum `sum(e for p in S)`";
            return say(3, "`for` cannot follow a value here", help);
        }
        _ => {}
    }
    if here.starts_any(&[". ", ".]", ".,"]) && line.contains('[') {
        let help = "in a list, entries are separated by commas and none is `none`: `[8, none, none]`; \
                    in a picture, by blanks: `\"8 . .\"`";
        return say(1, "`.` is no entry of a list", help);
    }
    if wants.has(Want::NextItem) && here.starts_any(&[")", "]", "}"]) {
        let help = "remove it, or open a bracket before";
        return say(1, &format!("`{}` closes no bracket", &here.rest[..1]), help);
    }
    let (token, message, help) = FOREIGN.iter().find(|(token, ..)| here.starts(token))?;
    say(token.len(), message, help)
}

/// Do two words differ in one letter, in two swapped neighbours, or in case only?
fn alike(a: &str, b: &str) -> bool {
    if a.eq_ignore_ascii_case(b) {
        return true;
    }
    let (a, b): (Vec<char>, Vec<char>) = (a.chars().collect(), b.chars().collect());
    if a.len() < 3 || a.len().abs_diff(b.len()) > 1 {
        return false;
    }
    let same = a.iter().zip(&b).take_while(|(x, y)| x == y).count();
    let (a, b) = (&a[same..], &b[same..]);
    let tail = |a: &[char], b: &[char], k: usize, n: usize| a.get(k..) == b.get(n..) && a.len() >= k;
    let swapped = a.len() >= 2 && b.len() >= 2 && a[0] == b[1] && a[1] == b[0] && tail(a, b, 2, 2);
    swapped || tail(a, b, 1, 1) || tail(a, b, 1, 0) || tail(a, b, 0, 1)
}

/// `forall(p in S)(e)`, `sum(i in S)(e)`, `forall i in S: e`.
fn wrong_call(here: In, text: &str) -> Option<Diagnostic> {
    let before = text[..here.at() as usize].trim_end();
    let last = last_word(before);
    let (start, open) = here.cx.called.get();
    let (name, span) = if matches!(last, "forall" | "exists") {
        (last, here.cx.span((before.len() - last.len()) as u32, before.len() as u32))
    } else if here.starts("(") && open < here.at() && before.ends_with(')') {
        if !text[open as usize..before.len()].contains(" in ") {
            return None;
        }
        (word(&text[start as usize..]), here.cx.span(open, before.len() as u32))
    } else {
        return None;
    };
    let help = match name {
        "forall" => "write `for p in S: …`, or `all(… for p in S)`".to_string(),
        "exists" => "write `any(… for p in S)`".to_string(),
        _ => format!("the generators follow the value: `{name}(… for p in S)`"),
    };
    Some(Diagnostic::error(Code::Syntax, "generators in front of their value").at(span, "").help(help))
}

/// A picture without closing quotes, which continues to the opening quotes of the next.
fn open_picture(here: In, text: &str) -> Option<Diagnostic> {
    let inside = text[..here.at() as usize].trim_end().strip_suffix("\"\"\"")?;
    let open = inside.rfind("\"\"\"")?;
    let name = inside[open..].rsplit('\n').next()?.trim_end().strip_suffix('=')?.trim_end();
    let assignment = word(name).len() == name.len() && !name.is_empty() && !inside.ends_with('\n');
    let opening = here.cx.span(open as u32, open as u32 + 3);
    assignment.then(|| {
        Diagnostic::error(Code::Syntax, "the picture is not closed")
            .at(opening, "starts here")
            .at(here.cx.span(inside.len() as u32, inside.len() as u32 + 3), "and goes on to here")
            .help("close it with `\"\"\"`")
    })
}

/// Is the text at a `#` a comparison of MiniZinc or Prolog, such as `#= b`? Here it is a comment.
pub(super) fn commented_operator(comment: &str) -> bool {
    let operators = ["#<=>", "#\\=", "#!=", "#<=", "#>=", "#/\\", "#\\/", "#=>", "#=", "#<", "#>"];
    let operator = operators.into_iter().find(|operator| comment.starts_with(operator));
    operator.is_some_and(|operator| {
        let behind = &comment[operator.len()..];
        let operand = behind.trim_start_matches(' ');
        operand.starts_with(|c: char| c.is_alphanumeric() || c == '(' || c == '-')
    })
}

/// The warning for such a comment.
pub(super) fn commented(span: Span) -> Diagnostic {
    Diagnostic::warning(Code::Syntax, "`#` starts a comment, also in front of an operator").at(span, "").help(
        "comparisons of unknowns are written `=`, `!=`, `<` as those of numbers; or put a blank behind `#`",
    )
}
