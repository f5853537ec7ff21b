//! Texts with a fault, and what is said about them.

use rebus::diag::{Code, Diagnostic, Severity, Sources};
use rebus::syntax::parse_file;

/// The faults of a text as `line:column message; help`.
fn faults(text: &str) -> (Vec<Diagnostic>, Vec<String>) {
    let mut sources = Sources::default();
    let id = sources.add("text", text);
    let (_, faults) = parse_file(id, text);
    let shown = faults.iter().map(|fault| {
        let (line, column) = sources.line_column(fault.labels[0].0);
        format!("{line}:{column} {}; {}", fault.message, fault.help.join("; "))
    });
    let shown = shown.collect();
    (faults, shown)
}

/// Text, place, a part of the message or help.
const SYNTAX: &[(&str, &str, &str)] = &[
    // Operators of other languages.
    ("rule: a == b", "1:9", "equality is written `=`"),
    ("param n == 3", "1:9", "equality is written `=`"),
    ("rule: a !== b", "1:9", "inequality is written `!=`"),
    ("rule: a <> b", "1:9", "inequality is written `!=`"),
    ("rule: a => b", "1:9", "implication is written `->`"),
    ("rule: a <=> b", "1:9", "equivalence is written `<->`"),
    ("rule: a =< b", "1:9", "less or equal is written `<=`"),
    ("rule: a && b", "1:9", "write `and`"),
    ("rule: a || b", "1:9", "write `or`"),
    ("rule: a /\\ b", "1:9", "write `and`"),
    ("rule: !a", "1:7", "write `not`"),
    ("rule: ¬a", "1:7", "write `not`"),
    ("let a = x ** 2", "1:11", "a power as a product"),
    ("let a = x // 2", "1:11", "rounds down"),
    ("let a = x ? 1 : 2", "1:11", "if c then a else b"),
    ("let a = x.y", "1:10", "`a[i]`"),
    ("let a = [x | x in S]", "1:12", "generators follow `for`"),
    ("rule: a not in b", "1:9", "not a in b"),
    ("let s = 'abc'", "1:9", "double quotes"),
    ("let s = “abc”", "1:9", "type a plain"),
    ("let a =\u{a0}3", "1:8", "plain space"),
    ("let a = 3;", "1:10", "leave it out"),
    ("enum A { x; y }", "1:11", "separated by `,`"),
    // Words of other languages.
    ("rule: forall(i in S)(x[i] > 0)", "1:13", "all(… for p in S)"),
    ("rule: forall i in S: x[i]", "1:7", "for p in S: …"),
    ("rule: exists(i in S, j in T)(x[i] > 0)", "1:13", "any(… for p in S)"),
    ("rule: sum(i in S)(x[i]) = 3", "1:10", "sum(… for p in S)"),
    ("constraint x > 3", "1:1", "`rule \"label\": …`"),
    ("include \"x.mzn\"", "1:1", "import"),
    ("minimise x", "1:1", "write `minimize`"),
    ("Rule: x", "1:1", "write `rule`"),
    ("parma n", "1:1", "write `param`"),
    ("let a = if c then b elif d then e else f", "1:21", "write `else if`"),
    ("let a = x if b else c", "1:11", "if c then a else b"),
    ("let a = x for p in S", "1:11", "[e for p in S]"),
    ("def f(x): x + 1", "1:9", "def name(a, b) = e"),
    ("def f x = 3", "1:7", "def name(a, b) = e"),
    ("var x : {1..n}", "1:14", "a list is written `[1, 2]`"),
    ("let a = {1, 2}", "1:11", "a list is written `[1, 2]`"),
    // Numbers and strings.
    ("let a = 1.5", "1:9", "whole"),
    ("let a = 1_000", "1:9", "digits"),
    ("let a = 2x", "1:9", "2 * x"),
    ("rule \"abc: x\nshow x", "1:6", "no closing quote"),
    ("let a = r\"abc\nshow x", "1:9", "no closing quote"),
    ("let p = \"\"\"\nabc", "1:9", "the picture is not closed"),
    ("p = \"\"\"\nabc\nq = \"\"\"\nab\n\"\"\"", "1:5", "the picture is not closed"),
    ("let a = \"[0-9]{3}\"", "1:15", "r\"…\""),
    ("let a = \"{1,2}\"", "1:10", "r\"…\""),
    ("let a = \"{}\"", "1:10", "r\"…\""),
    ("let a = \"x}\"", "1:11", "write `}}`"),
    ("let a = \"\\d\"", "1:10", "unknown escape `\\d`"),
    ("let a = \"{x + }\"", "1:15", "write `{{`"),
    ("let a = \"{x\"", "1:12", "`}`"),
    ("import \"{x}\"", "1:10", "cannot hold an expression"),
    ("let a = \u{7}3", "1:9", "bell"),
    ("let a = \"\0\"", "1:10", "null"),
    // Brackets.
    ("let a = (1 + [2, 3)\nshow x", "1:19", "`,` or `]`, found `)`"),
    ("let a = (1 + 2\nshow x", "1:9", "this `(` is not closed"),
    ("let a = sum(x for x in S\nrule: a", "1:12", "this `(` is not closed"),
    ("let a = x[1", "1:10", "this `[` is not closed"),
    ("let a = {1: 2", "1:9", "this `{` is not closed"),
    ("let a = [1, 2\n 3]", "2:2", "`,` or `]`, found `3`"),
    ("let a = 3)", "1:10", "closes no bracket"),
    ("let a = (1,)", "1:11", "at least two parts"),
    ("def f((a,)) = 1", "1:9", "at least two parts"),
    ("let a = ()", "1:9", "no value"),
    // Something is missing.
    ("rule \"x\": for p in S x[p]", "1:22", "end with `:`"),
    ("rule: if a then b\nshow x", "2:1", "both branches"),
    ("let a = if x b else c", "1:14", "if c then a else b"),
    ("rule a > 3", "1:6", "rule \"label\": condition"),
    ("var x[n, n]", "1:12", "need a domain"),
    ("let a = x and\nshow x", "2:1", "expected an expression, found the item `show`"),
    ("let a = b c", "1:11", "expected an operator or the next item, found `c`"),
    ("let a = [p for p = 3]", "1:18", "`p in list`"),
    ("let a = [p for 3 in S]", "1:16", "a pattern"),
    ("import sudoku", "1:8", "import std.loops"),
    ("foo", "1:1", "expected an item"),
    ("let", "1:4", "expected a name, found the end of the text"),
    // Something is in the wrong place.
    ("var x : 1..9 = 3", "1:14", "rule: x = 3"),
    ("param clue : 1..9 ++ [\"#\"]", "1:19", "in brackets"),
    ("let in = 3", "1:5", "word of the language"),
    ("let a = _", "1:9", "not used"),
    ("let a = 1 + not b", "1:13", "(not …)"),
    ("let a = 1 + for p in S: x", "1:13", "(for …)"),
    ("let a = 1..2..3", "1:13", "two ends"),
    ("let a = [1..]", "1:11", "two ends"),
    ("let a = x[1 = 2..]", "1:16", "only a sum"),
    ("let a = f(x)(y)", "1:13", "expected an operator or the next item"),
];

#[test]
fn each_fault_has_its_message() {
    for (text, place, word) in SYNTAX {
        let (found, shown) = faults(text);
        let Some(first) = shown.first() else { panic!("no fault in {text}") };
        assert_eq!((found[0].code, found[0].severity), (Code::Syntax, Severity::Error), "{text}");
        assert!(first.starts_with(&format!("{place} ")), "{text}: {first} is not at {place}");
        assert!(first.contains(word), "{text}: {first} does not say {word}");
    }
}

#[test]
fn numbers_have_64_bits() {
    for text in
        ["let a = 9223372036854775808", "let a = -9223372036854775809", "a = [1, 99999999999999999999]"]
    {
        assert_eq!(faults(text).0[0].code, Code::NumberTooLarge, "{text}");
    }
    let file = super::parse("a = [1000000000000000000, -9223372036854775808, 9223372036854775807]");
    super::same_after_printing(&file);
    super::same_after_printing(&super::parse("a = [(1), - 2, --9223372036854775808]"));
}

#[test]
fn reading_goes_on_at_the_next_item() {
    let text =
        "show x\nlet a = = 3\n  + 4\nlet b = 3 3\nlet ok = 1\nc = ]\nrule \"q: x\n  show (\nvar\nshow d";
    let places: Vec<String> =
        faults(text).1.iter().map(|fault| fault.split(' ').next().unwrap().to_string()).collect();
    assert_eq!(places, ["2:9", "4:11", "6:5", "7:6", "9:1", "10:1"]);
}

#[test]
fn an_operator_that_is_a_comment_is_warned_of() {
    let (found, shown) = faults("rule: x #= 3\nshow x   #=== heading\nlet a = \"#= 3\" # = 4");
    assert_eq!(shown.len(), 1);
    assert_eq!(found[0].severity, Severity::Warning);
    assert!(shown[0].starts_with("1:9 "));
}

#[test]
fn an_open_bracket_is_shown() {
    let (found, _) = faults("rule: a\nlet b = f(1, [2, 3\nshow x");
    assert_eq!(found[0].labels.len(), 2);
    assert_eq!(found[0].labels[0].0.start, 21);
}
