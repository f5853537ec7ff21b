//! What can be compared, added, joined, indexed: every operator against every kind of operand, known and unknown.
//!
//! In the tables a dot is a value; a letter is the code of the refusal: T type-mismatch, U unknown-dependence, I index-out-of-range,
//! B bad-argument. Columns are in the order of rows.

use rebus::diag::{Code, Diagnostic, Sources};
use rebus::eval::{Eval, NoImports, Program, Without};
use rebus::shared::Budget;

const DECLARED: &str = "enum E { u, v }\nenum F { g, h }\n\
    var b : bool\nvar n : 1..3\nvar s : [\"a\", \"b\"]\nvar e : E\nvar f : F\nvar at : [(1, 1), (2, 2)]\nvar x[2] : 1..3\n\
    var m : [1, 2, \"a\"]\nvar o : (1..3)?\nvar t : [true, false, none]\n\
    let known = {1: 5, 2: 6}\n";

/// Name in the table, and the operand.
const OPERANDS: &[(&str, &str)] = &[
    ("true", "true"),
    ("bool", "b"),
    ("5", "5"),
    ("number", "n"),
    ("\"a\"", "\"a\""),
    ("string", "s"),
    ("u", "u"),
    ("member", "e"),
    ("g", "g"),
    ("other", "f"),
    ("none", "none"),
    ("(1, 1)", "(1, 1)"),
    ("cell", "at"),
    ("(n, 1)", "(n, 1)"),
    ("triple", "(1, 1, n)"),
    ("[1, 2]", "[1, 2]"),
    ("list", "[n, 2]"),
    ("array", "known"),
    ("vars", "x"),
    ("mixed", "m"),
    ("int?", "o"),
    ("bool?", "t"),
];

fn outcome(rule: &str) -> Result<(), Diagnostic> {
    let source = format!("{DECLARED}rule: {rule}\n");
    let mut sources = Sources::default();
    let file = sources.add("m.rebus", source);
    let first = |faults: Vec<Diagnostic>| faults[0].clone();
    let program = Program::load(&mut sources, &mut NoImports, file, &[]).map_err(first)?;
    let budget = Budget::unlimited();
    let mut eval = Eval::new(&program, &budget);
    eval.declare_all().map_err(first)?;
    eval.ground_rules(0..program.rules.len(), &Without::default()).map_err(first)
}

fn letter(rule: &str) -> char {
    let Err(fault) = outcome(rule) else { return '.' };
    assert!(!fault.labels.is_empty(), "{rule}: a fault without a place: {}", fault.message);
    match fault.code {
        Code::TypeMismatch => 'T',
        Code::UnknownDependence => 'U',
        Code::IndexOutOfRange => 'I',
        Code::BadArgument => 'B',
        code => panic!("{rule}: {code}"),
    }
}

/// A row an operand, a column the other one.
fn table(rule: impl Fn(&str, &str) -> String) -> String {
    let row = |(name, a): &(&str, &str)| {
        let letters: String = OPERANDS.iter().map(|(_, b)| letter(&rule(a, b))).collect();
        format!("{name:8}{letters}\n")
    };
    OPERANDS.iter().map(row).collect()
}

#[track_caller]
fn is_table(what: &str, expected: &str, rule: impl Fn(&str, &str) -> String) {
    let found = table(rule);
    let lines = |text: &str| text.lines().map(|line| line.trim_end().to_string()).collect::<Vec<_>>();
    assert!(lines(&found) == lines(expected.trim_start_matches('\n')), "{what}:\n{found}");
}

#[test]
fn equality() {
    is_table("=", EQUAL, |a, b| format!("{a} = {b}"));
    is_table("!=", EQUAL, |a, b| format!("{a} != {b}"));
    is_table("in pairs", EQUAL, |a, b| format!("({a}, n) = ({b}, n)"));
    is_table("distinct", DISTINCT, |a, b| format!("distinct([{a}, {b}])"));
    is_table("in a list", IN_LIST, |a, b| format!("{a} in [{b}]"));
    is_table("in", IN, |a, b| format!("{a} in {b}"));
}

#[test]
fn order_and_arithmetic() {
    is_table("<", LESS, |a, b| format!("{a} < {b}"));
    is_table("+", ADD, |a, b| format!("{a} + {b} = none"));
    is_table("*", MUL, |a, b| format!("{a} * {b} = none"));
    is_table("/", DIV, |a, b| format!("{a} / {b} = none"));
    is_table("max", MAX, |a, b| format!("max({a}, {b}) = none"));
}

#[test]
fn lists_and_conditions() {
    is_table("++", JOIN, |a, b| format!("len({a} ++ {b}) > 0"));
    is_table("index", INDEX, |a, b| format!("{a}[{b}] = none"));
    is_table("and", AND, |a, b| format!("{a} and {b}"));
    is_table("if", IF, |a, b| format!("(if {a} then {b} else {b}) = none"));
}

#[test]
fn one_operand() {
    let found: String = ONE
        .iter()
        .map(|(rule, _)| {
            let letters: String = OPERANDS.iter().map(|(_, a)| letter(&rule.replace('?', a))).collect();
            format!("    (\"{rule}\", \"{letters}\"),\n")
        })
        .collect();
    let expected: String =
        ONE.iter().map(|(rule, letters)| format!("    (\"{rule}\", \"{letters}\"),\n")).collect();
    assert!(found == expected, "{found}");
}

/// Comparisons that are nonsense say how to mend it.
#[test]
fn nonsense_has_a_help() {
    for rule in [
        "x = 1",
        "b = 1",
        "x != n",
        "e = \"u\"",
        "e = 1",
        "s = 1",
        "at = 1",
        "x in 1..2",
        "e in [1, 2]",
        "n in \"12\"",
        "at in [1, 2]",
        "n in [\"a\"]",
        "at = (1, 1, 1)",
        "distinct([e, \"u\"])",
        "{1: 2, 2: 3}[e] = 2",
        "x[at] = 1",
        "[x] = [n]",
        "(x, 1) = (n, 1)",
        "m = e",
        "m = b",
        "where({1: n}, \"a\")[1]",
        "on(x, (1, 1))",
        "on({(1, 1): b, (1, 2): b}, (1, 1))",
        "turned({(1, 1): b, (1, 2): b}, (1, 1))",
        "straight({(1, 1): b, (1, 2): b}, (1, 1))",
        "any(ends({(1, 1): b, (1, 2): b}, (1, 1)))",
        "toward({(1, 1): b, (1, 2): b}, (1, 1), (0, 1))",
        "inside({(1, 1): b, (1, 2): b}, (1, 1))",
        "inside({(r, c): b for r in 1..5, c in 1..5}, (1, 1))",
        "on({(r, c): b for r in 1..5, c in 1..5}, (1, 1))",
        "path({(1, 1): b, (1, 2): b}, 1, 2)",
        "reaches({(1, 1): b, (1, 2): b}, [1])",
        "area({(1, 1): b, (1, 2): b}, 1) = 1",
        "get({(1, 1): b}, ((1, 1), (1, 2)), false)",
    ] {
        let Err(fault) = outcome(rule) else { panic!("{rule}: no fault") };
        assert_eq!(fault.code, Code::TypeMismatch, "{rule}: {}", fault.message);
        assert!(!fault.help.is_empty(), "{rule}: no help: {}", fault.message);
        // in the model, not in the library
        assert_eq!(fault.labels[0].0.file.0, 0, "{rule}: {:?}", fault.labels);
    }
}

/// What the page promises: known values of different kinds are unequal, and a domain may mix kinds.
#[test]
fn kinds_that_mix() {
    for (rule, right) in [
        ("not (\"a\" = 5)", "true"),
        ("5 != u", "true"),
        ("[1, 2] != 5", "true"),
        ("known != none", "true"),
        ("x != none", "true"),
        ("m = n", "m in [1, 2] and n = m"),
        ("m = s", "m = \"a\" and s = \"a\""),
        ("m in [n, \"b\"]", "m = n"),
        ("n in [1, \"a\"]", "n = 1"),
        ("(m, n) in [(1, 1), (\"a\", 2)]", "m = 1 and n = 1 or m = \"a\" and n = 2"),
        ("{1: 5, \"a\": 6}[m] = 6", "m = \"a\""),
        ("distinct([m, o])", "m != o"),
        ("o = none or o = n", "o = none or o = n"),
        ("t = true", "t"),
        ("x = [1, 2]", "x[1] = 1 and x[2] = 2"),
        ("not (x = [1])", "true"),
    ] {
        let words =
            |text: &str| text.split(|c: char| !c.is_alphanumeric()).map(str::to_string).collect::<Vec<_>>();
        let both = words(&format!("{rule} {right}"));
        let used = |line: &&str| !line.starts_with("var ") || both.contains(&words(line)[1]);
        let declared: String = DECLARED.lines().filter(used).map(|line| format!("{line}\n")).collect();
        let of = |rule: &str| crate::solutions(&format!("{declared}rule: {rule}\n"));
        assert_eq!((of(rule).is_ok(), of(rule)), (true, of(right)), "{rule} and {right}");
    }
}

const EQUAL: &str = "";
const DISTINCT: &str = "";
const IN_LIST: &str = "";
const IN: &str = "";
const LESS: &str = "";
const ADD: &str = "";
const MUL: &str = "";
const DIV: &str = "";
const MAX: &str = "";
const JOIN: &str = "";
const INDEX: &str = "";
const AND: &str = "";
const IF: &str = "";

/// The operand for `?`, in the order of the rows.
const ONE: &[(&str, &str)] = &[
    ("not ?", ""),
    ("-? = none", ""),
    ("? -> true", ""),
    ("(for i in ?: true)", ""),
    ("count([?]) = 1", ""),
    ("count(?) = 1", ""),
    ("sum(?) = 1", ""),
    ("sum([?]) = none", ""),
    ("product([?]) = 1", ""),
    ("any([?])", ""),
    ("xor(?)", ""),
    ("distinct(?)", ""),
    ("min(?) = 1", ""),
    ("abs(?) = 1", ""),
    ("len(?) = 1", ""),
    ("len(keys(?)) = 1", ""),
    ("len(values(?)) = 1", ""),
    ("increasing(?)", ""),
    ("leading([?]) = 1", ""),
    ("runs([?], [1])", ""),
    ("given(?)", ""),
    ("int(?) = 1", ""),
    ("text(?) = none", ""),
    ("connected({(1, 1): ?})", ""),
    ("?[1] = none", ""),
    ("?[1..2] = none", ""),
    ("len(1..?) > 0", ""),
    ("get(?, 1, 2) = none", ""),
    ("get({1: 2}, ?, 2) = none", ""),
    ("path({(1, 1): b, (1, 2): b}, ?, (1, 1))", ""),
    ("area({(1, 1): b, (1, 2): b}, ?) = 1", ""),
    ("connected({(1, 1): b, (1, 2): b}, ?)", ""),
];
