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

#[test]
fn two_operands() {
    let mut wrong = String::new();
    for (form, expected) in TWO.iter().flat_map(|(forms, table)| forms.iter().map(move |form| (form, table)))
    {
        let found = table(|a, b| form.replace('?', a).replace('@', b));
        let lines = |text: &str| text.lines().map(|line| line.trim().to_string()).collect::<Vec<_>>();
        if lines(&found) != lines(expected.trim()) {
            let found: String = found.lines().map(|line| format!("{line}\n")).collect();
            wrong.push_str(&format!("    (\n        \"{form}\",\n        \"\n{found}\",\n    ),\n"));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
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

/// One operand for `?`, the other for `@`.
const TWO: &[(&[&str], &str)] = &[
    (
        &["? = @", "? != @", "(?, n) = (@, n)"],
        r#"
true    ..TT.T.T.T..TTT.T.TTT.
bool    ..TTTTTTTT.TTTTTTTTTT.
5       TT...T.T.T..TTT.T.T..T
number  TT..TTTTTT.TTTTTTTT..T
"a"     .T.T...T.T..TTT.T.T.TT
string  TTTT..TTTT.TTTTTTTT.TT
u       .T.T.T..TT..TTT.T.TTTT
member  TTTTTT..TT.TTTTTTTTTTT
g       .T.T.TTT....TTT.T.TTTT
other   TTTTTTTT...TTTTTTTTTTT
none    ......................
(1, 1)  .T.T.T.T.T....TTTTTTTT
cell    TTTTTTTTTT....TTTTTTTT
(n, 1)  TTTTTTTTTT....TTTTTTTT
triple  TTTTTTTTTT.TTT.TTTTTTT
[1, 2]  .T.T.T.T.T.TTTT....TTT
list    TTTTTTTTTT.TTTT....TTT
array   .T.T.T.T.T.TTTT....TTT
vars    TTTTTTTTTT.TTTT....TTT
mixed   TT....TTTT.TTTTTTTT..T
int?    TT..TTTTTT.TTTTTTTT..T
bool?   ..TTTTTTTT.TTTTTTTTTT.
"#,
    ),
    (
        &["distinct([?, @])", "? in [@]"],
        r#"
true    ...T.T.T.T..TTT.T.TTT.
bool    ..TTTTTTTT.TTTTTTTTTT.
5       .T...T.T.T..TTT.T.T..T
number  TT..TTTTTT.TTTTTTTT..T
"a"     .T.T...T.T..TTT.T.T.TT
string  TTTT..TTTT.TTTTTTTT.TT
u       .T.T.T...T..TTT.T.TTTT
member  TTTTTT..TT.TTTTTTTTTTT
g       .T.T.T.T....TTT.T.TTTT
other   TTTTTTTT...TTTTTTTTTTT
none    ......................
(1, 1)  .T.T.T.T.T....T.T.TTTT
cell    TTTTTTTTTT....TTTTTTTT
(n, 1)  TTTTTTTTTT....TTTTTTTT
triple  TTTTTTTTTT.TTT.TTTTTTT
[1, 2]  .T.T.T.T.T..TTT....TTT
list    TTTTTTTTTT.TTTT....TTT
array   .T.T.T.T.T..TTT....TTT
vars    TTTTTTTTTT.TTTT....TTT
mixed   TT....TTTT.TTTTTTTT..T
int?    TT..TTTTTT.TTTTTTTT..T
bool?   ..TTTTTTTT.TTTTTTTTTT.
"#,
    ),
    (
        &["? in @"],
        r#"
true    TTTT..TTTTT..TT.TTTTTT
bool    TTTTTTTTTTTTTTTTTTTTTT
5       TTTT..TTTTT......TTTTT
number  TTTTTTTTTTT......TTTTT
"a"     TTTT..TTTTT......TTTTT
string  TTTT..TTTTTTTTTTTTTTTT
u       TTTT..TTTTT......TTTTT
member  TTTTTTTTTTTTTTTTTTTTTT
g       TTTT..TTTTT......TTTTT
other   TTTTTTTTTTTTTTTTTTTTTT
none    TTTT..TTTTT......TTTTT
(1, 1)  TTTT..TTTTTTTTT..TTTTT
cell    TTTTTTTTTTTTTTTTTTTTTT
(n, 1)  TTTTTTTTTTTTTTTTTTTTTT
triple  TTTTTTTTTTTTTTTTTTTTTT
[1, 2]  TTTT..TTTTT......TTTTT
list    TTTTTTTTTTTTTTTTTTTTTT
array   TTTT..TTTTT......TTTTT
vars    TTTTTTTTTTTTTTTTTTTTTT
mixed   TTTT..TTTTT......TTTTT
int?    TTTTTTTTTTT......TTTTT
bool?   TTTTTTTTTTTTTTTTTTTTTT
"#,
    ),
    (
        &["? < @"],
        r#"
true    ..TTTTTTTTTTTTTTTTTTT.
bool    ..TTTTTTTTTTTTTTTTTTT.
5       TT..TTTTTTTTTTTTTTTT.T
number  TT..TTTTTTTTTTTTTTTT.T
"a"     TTTT..TTTTTTTTTTTTTTTT
string  TTTT..TTTTTTTTTTTTTTTT
u       TTTTTT..TTTTTTTTTTTTTT
member  TTTTTT..TTTTTTTTTTTTTT
g       TTTTTTTT..TTTTTTTTTTTT
other   TTTTTTTT..TTTTTTTTTTTT
none    TTTTTTTTTTTTTTTTTTTTTT
(1, 1)  TTTTTTTTTTT....TTTTTTT
cell    TTTTTTTTTTT....TTTTTTT
(n, 1)  TTTTTTTTTTT....TTTTTTT
triple  TTTTTTTTTTT....TTTTTTT
[1, 2]  TTTTTTTTTTTTTTT..TTTTT
list    TTTTTTTTTTTTTTT..TTTTT
array   TTTTTTTTTTTTTTTTTTTTTT
vars    TTTTTTTTTTTTTTTTTTTTTT
mixed   TTTTTTTTTTTTTTTTTTTTTT
int?    TT..TTTTTTTTTTTTTTTT.T
bool?   ..TTTTTTTTTTTTTTTTTTT.
"#,
    ),
    (
        &["? + @ = none"],
        r#"
true    ....TTTTTTTTTTTTTTTT..
bool    ....TTTTTTTTTTTTTTTT..
5       ....TTTTTTTTTTTTTTTT..
number  ....TTTTTTTTTTTTTTTT..
"a"     TTTTTTTTTTTTTTTTTTTTTT
string  TTTTTTTTTTTTTTTTTTTTTT
u       TTTTTTTTTTTTTTTTTTTTTT
member  TTTTTTTTTTTTTTTTTTTTTT
g       TTTTTTTTTTTTTTTTTTTTTT
other   TTTTTTTTTTTTTTTTTTTTTT
none    TTTTTTTTTTTTTTTTTTTTTT
(1, 1)  TTTTTTTTTTT.T.TTTTTTTT
cell    TTTTTTTTTTTTTTTTTTTTTT
(n, 1)  TTTTTTTTTTT.T.TTTTTTTT
triple  TTTTTTTTTTTTTT.TTTTTTT
[1, 2]  TTTTTTTTTTTTTTTTTTTTTT
list    TTTTTTTTTTTTTTTTTTTTTT
array   TTTTTTTTTTTTTTTTTTTTTT
vars    TTTTTTTTTTTTTTTTTTTTTT
mixed   TTTTTTTTTTTTTTTTTTTTTT
int?    ....TTTTTTTTTTTTTTTT..
bool?   ....TTTTTTTTTTTTTTTT..
"#,
    ),
    (
        &["? * @ = none"],
        r#"
true    ....TTTTTTT.T..TTTTT..
bool    ....TTTTTTT.T..TTTTT..
5       ....TTTTTTT.T..TTTTT..
number  ....TTTTTTT.T..TTTTT..
"a"     TTTTTTTTTTTTTTTTTTTTTT
string  TTTTTTTTTTTTTTTTTTTTTT
u       TTTTTTTTTTTTTTTTTTTTTT
member  TTTTTTTTTTTTTTTTTTTTTT
g       TTTTTTTTTTTTTTTTTTTTTT
other   TTTTTTTTTTTTTTTTTTTTTT
none    TTTTTTTTTTTTTTTTTTTTTT
(1, 1)  ....TTTTTTTTTTTTTTTT..
cell    TTTTTTTTTTTTTTTTTTTTTT
(n, 1)  ....TTTTTTTTTTTTTTTT..
triple  ....TTTTTTTTTTTTTTTT..
[1, 2]  TTTTTTTTTTTTTTTTTTTTTT
list    TTTTTTTTTTTTTTTTTTTTTT
array   TTTTTTTTTTTTTTTTTTTTTT
vars    TTTTTTTTTTTTTTTTTTTTTT
mixed   TTTTTTTTTTTTTTTTTTTTTT
int?    ....TTTTTTT.T..TTTTT..
bool?   ....TTTTTTT.T..TTTTT..
"#,
    ),
    (
        &["? / @ = none"],
        r#"
true    ....TTTTTTTTTTTTTTTT..
bool    ....TTTTTTTTTTTTTTTT..
5       ....TTTTTTTTTTTTTTTT..
number  ....TTTTTTTTTTTTTTTT..
"a"     TTTTTTTTTTTTTTTTTTTTTT
string  TTTTTTTTTTTTTTTTTTTTTT
u       TTTTTTTTTTTTTTTTTTTTTT
member  TTTTTTTTTTTTTTTTTTTTTT
g       TTTTTTTTTTTTTTTTTTTTTT
other   TTTTTTTTTTTTTTTTTTTTTT
none    TTTTTTTTTTTTTTTTTTTTTT
(1, 1)  TTTTTTTTTTTTTTTTTTTTTT
cell    TTTTTTTTTTTTTTTTTTTTTT
(n, 1)  TTTTTTTTTTTTTTTTTTTTTT
triple  TTTTTTTTTTTTTTTTTTTTTT
[1, 2]  TTTTTTTTTTTTTTTTTTTTTT
list    TTTTTTTTTTTTTTTTTTTTTT
array   TTTTTTTTTTTTTTTTTTTTTT
vars    TTTTTTTTTTTTTTTTTTTTTT
mixed   TTTTTTTTTTTTTTTTTTTTTT
int?    ....TTTTTTTTTTTTTTTT..
bool?   ....TTTTTTTTTTTTTTTT..
"#,
    ),
    (
        &["max(?, @) = none"],
        r#"
true    TTTTTTTTTTTTTTTTTTTTTT
bool    TTTTTTTTTTTTTTTTTTTTTT
5       TT..TTTTTTTTTTTTTTTT.T
number  TT..TTTTTTTTTTTTTTTT.T
"a"     TTTTTTTTTTTTTTTTTTTTTT
string  TTTTTTTTTTTTTTTTTTTTTT
u       TTTTTTTTTTTTTTTTTTTTTT
member  TTTTTTTTTTTTTTTTTTTTTT
g       TTTTTTTTTTTTTTTTTTTTTT
other   TTTTTTTTTTTTTTTTTTTTTT
none    TTTTTTTTTTTTTTTTTTTTTT
(1, 1)  TTTTTTTTTTTTTTTTTTTTTT
cell    TTTTTTTTTTTTTTTTTTTTTT
(n, 1)  TTTTTTTTTTTTTTTTTTTTTT
triple  TTTTTTTTTTTTTTTTTTTTTT
[1, 2]  TTTTTTTTTTTTTTTTTTTTTT
list    TTTTTTTTTTTTTTTTTTTTTT
array   TTTTTTTTTTTTTTTTTTTTTT
vars    TTTTTTTTTTTTTTTTTTTTTT
mixed   TTTTTTTTTTTTTTTTTTTTTT
int?    TT..TTTTTTTTTTTTTTTT.T
bool?   TTTTTTTTTTTTTTTTTTTTTT
"#,
    ),
    (
        &["len(? ++ @) > 0"],
        r#"
true    TTTTTTTTTTTTTTTTTTTTTT
bool    TTTTTTTTTTTTTTTTTTTTTT
5       TTTTTTTTTTTTTTTTTTTTTT
number  TTTTTTTTTTTTTTTTTTTTTT
"a"     TTTTTTTTTTTTTTTTTTTTTT
string  TTTTTTTTTTTTTTTTTTTTTT
u       TTTTTTTTTTTTTTTTTTTTTT
member  TTTTTTTTTTTTTTTTTTTTTT
g       TTTTTTTTTTTTTTTTTTTTTT
other   TTTTTTTTTTTTTTTTTTTTTT
none    TTTTTTTTTTTTTTTTTTTTTT
(1, 1)  TTTTTTTTTTT.U......TTT
cell    UUUUUUUUUUUUUUUUUUUUUU
(n, 1)  TTTTTTTTTTT.U......TTT
triple  TTTTTTTTTTT.U......TTT
[1, 2]  TTTTTTTTTTT.U......TTT
list    TTTTTTTTTTT.U......TTT
array   TTTTTTTTTTT.U......TTT
vars    TTTTTTTTTTT.U......TTT
mixed   TTTTTTTTTTTTTTTTTTTTTT
int?    TTTTTTTTTTTTTTTTTTTTTT
bool?   TTTTTTTTTTTTTTTTTTTTTT
"#,
    ),
    (
        &["?[@] = none"],
        r#"
true    TTTTTTTTTTTTTTTTTTTTTT
bool    TTTTTTTTTTTTTTTTTTTTTT
5       TTTTTTTTTTTTTTTTTTTTTT
number  TTTTTTTTTTTTTTTTTTTTTT
"a"     TTIUTTTTTTTTTTTTTTTTUU
string  TT.UTTTTTT.TTTTTTTTTUU
u       TTTTTTTTTTTTTTTTTTTTTT
member  TTTTTTTTTTTTTTTTTTTTTT
g       TTTTTTTTTTTTTTTTTTTTTT
other   TTTTTTTTTTTTTTTTTTTTTT
none    TTTTTTTTTTTTTTTTTTTTTT
(1, 1)  TTI.TTTTTTTTTTT..TTT.T
cell    TT..TTTTTT.TTTT..TTT.T
(n, 1)  TTI.TTTTTTTTTTT..TTT.T
triple  TTI.TTTTTTTTTTT..TTT.T
[1, 2]  TTI.TTTTTTTTTTT..TTT.T
list    TTI.TTTTTTTTTTT..TTT.T
array   ITI.ITITITTITTT..IT..T
vars    ITI.ITITITTITTT..IT..T
mixed   TTTTTTTTTTTTTTTTTTTTTT
int?    TTTTTTTTTTTTTTTTTTTTTT
bool?   TTTTTTTTTTTTTTTTTTTTTT
"#,
    ),
];

/// The operand for `?`, in the order of the rows.
const ONE: &[(&str, &str)] = &[
    ("? and true", "..TTTTTTTTTTTTTTTTTTT."),
    ("b or ?", "..TTTTTTTTTTTTTTTTTTT."),
    ("(if ? then 1 else 2) = 1", "..TTTTTTTTTTTTTTTTTTT."),
    ("not ?", "..TTTTTTTTTTTTTTTTTTT."),
    ("-? = none", "....TTTTTTT.T..TTTTT.."),
    ("? -> true", "..TTTTTTTTTTTTTTTTTTT."),
    ("(for i in ?: true)", "TTTTTTTTTTT.U....TTTTT"),
    ("count([?]) = 1", "..TTTTTTTTTTTTTTTTTTT."),
    ("count(?) = 1", "TTTTTTTTTTTTUTTTTTTTTT"),
    ("sum(?) = 1", "TTTTTTTTTTT.U......TTT"),
    ("sum([?]) = none", "....TTTTTTT.T..TTTTT.."),
    ("product([?]) = 1", "....TTTTTTT.TTTTTTTT.."),
    ("any([?])", "..TTTTTTTTTTTTTTTTTTT."),
    ("xor(?)", "TTTTTTTTTTTTUTTTTTTTTT"),
    ("distinct(?)", "TTTTTTTTTTT.U......TTT"),
    ("min(?) = 1", "TTTTTTTTTTT.U......TTT"),
    ("abs(?) = 1", "....TTTTTTTTTTTTTTTT.."),
    ("len(?) = 1", "TTTT.TTTTTT.T......TTT"),
    ("len(keys(?)) = 1", "TTTTTTTTTTT.T......TTT"),
    ("len(values(?)) = 1", "TTTTTTTTTTT.U......TTT"),
    ("increasing(?)", "TTTTTTTTTTT.U......TTT"),
    ("leading([?]) = 1", "..TTTTTTTTTTTTTTTTTTT."),
    ("runs([?], [1])", "..TTTTTTTTTTTTTTTTTTT."),
    ("given(?)", "......................"),
    ("int(?) = 1", "....BTTTTTTTTTTTTTTT.."),
    ("text(?) = none", ".U.U.U.U.U..UUU.U.UUUU"),
    ("connected({(1, 1): ?})", "..TTTTTTTTTTTTTTTTTTT."),
    ("?[1] = none", "TTTT..TTTTT........TTT"),
    ("?[1..2] = none", "TTTT.TTTTTT.T......TTT"),
    ("len(1..?) > 0", ".U.UTTTTTTTTTTTTTTTTUU"),
    ("get(?, 1, 2) = none", "TTTTTTTTTTT.T......TTT"),
    ("get({1: 2}, ?, 2) = none", ".U.U.U.U.U.TUUU.U.UUUU"),
    ("path({(1, 1): b, (1, 2): b}, ?, (1, 1))", "TTTTTTTTTT....TTTTTTTT"),
    ("area({(1, 1): b, (1, 2): b}, ?) = 1", "TTTTTTTTTT....TTTTTTTT"),
    ("connected({(1, 1): b, (1, 2): b}, ?)", "TTTTTUTUTUTTUTTTUTTUUU"),
];
