//! The syntax room from outside: models, faults, places, sizes.

#[path = "common/dice.rs"]
mod dice;
#[path = "syntax/faults.rs"]
mod faults;
#[path = "syntax/format.rs"]
mod format;
#[path = "syntax/grammar.rs"]
mod grammar;
#[path = "syntax/limits.rs"]
mod limits;

use rebus::diag::{Sources, render};
use rebus::shared::FileId;
use rebus::syntax::ast::{ExprKind, File, IndexPart, ItemKind};
use rebus::syntax::{parse_expr, parse_file, print_expr, print_file};
use std::path::{Path, PathBuf};

/// All models and data files of the catalogue.
fn catalogue() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    for folder in std::fs::read_dir(examples).unwrap() {
        for file in std::fs::read_dir(folder.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|extension| extension == "rebus" || extension == "clues") {
                let text = std::fs::read_to_string(&path).unwrap();
                found.push((path, text));
            }
        }
    }
    found.sort();
    assert!(found.len() > 100, "the catalogue is there");
    found
}

#[track_caller]
fn parse(text: &str) -> File {
    let mut sources = Sources::default();
    let id = sources.add("text", text);
    let (file, faults) = parse_file(id, text);
    let shown: Vec<String> = faults.iter().map(|fault| render(fault, &sources, false)).collect();
    assert!(faults.is_empty(), "{text}\n{}", shown.join("\n"));
    file
}

/// The tree as text, without places.
fn shape(file: &File) -> String {
    let debug = format!("{:?}", file.items);
    let mut out = String::new();
    let mut rest = debug.as_str();
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let digits = rest[at..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - at);
        out.push_str(&rest[..at]);
        if !rest[..at].ends_with("start: ") && !rest[..at].ends_with("end: ") {
            out.push_str(&rest[at..at + digits]);
        }
        rest = &rest[at + digits..];
    }
    out + rest
}

#[track_caller]
fn same_after_printing(tree: &File) {
    let printed = print_file(tree);
    let again = parse(&printed);
    assert_eq!(shape(tree), shape(&again), "{printed}");
    assert_eq!(printed, print_file(&again));
}

#[test]
fn models_print_and_read_back() {
    for (_, text) in catalogue() {
        same_after_printing(&parse(&text));
    }
}

/// How an expression is printed: with as few brackets as possible.
#[track_caller]
fn prints(text: &str, printed: &str) {
    match parse_expr(FileId(0), text) {
        Ok(value) => assert_eq!(print_expr(&value), printed),
        Err(faults) => panic!("{text}: {}", faults[0].message),
    }
    if text != printed {
        prints(printed, printed);
    }
}

#[test]
fn brackets_that_mean_nothing_go() {
    prints("((a + b)) - (c * d)", "a + b - c * d");
    prints("a - (b - c)", "a - (b - c)");
    prints("(a -> b) -> (c -> d)", "(a -> b) -> c -> d");
    prints("(not a) = b", "(not a) = b");
    prints("not (a = b)", "not a = b");
    prints("a = (not b)", "a = not b");
    prints("(a = not b) = c", "(a = not b) = c");
    prints("(not a) and (not b)", "not a and not b");
    prints("c -> (for q in S: e)", "c -> for q in S: e");
    prints("(c -> (for q in S: e)) and d", "(c -> for q in S: e) and d");
    prints("c and (for q in S: e) and d", "c and (for q in S: e) and d");
    prints("(if a then b else c) + 1", "(if a then b else c) + 1");
    prints("x != (if m then v else g)", "x != if m then v else g");
    prints("x[(1..3)]", "x[(1..3)]");
    prints("x[(1) .. 3, *, ..k, 2.., ..]", "x[1..3, *, ..k, 2.., ..]");
    prints("x[(r, c)]", "x[(r, c)]");
    prints("- - 5 - -x[1]", "--5 - -x[1]");
    prints("-9223372036854775808", "-9223372036854775808");
    prints("1 <= (x) < y", "1 <= x < y");
    prints("(1 <= x) = y", "(1 <= x) = y");
    prints("(a ++ b) ++ (c..d)", "a ++ b ++ c..d");
    prints("sum(e for p in S, (x = 3))", "sum(e for p in S, (x = 3))");
    prints("sum(e for p in S, if c)", "sum(e for p in S if c)");
    prints("f(e for p in S, if c then 1 else 2)", "f(e for p in S, if c then 1 else 2)");
    prints(
        "\"{if s then \"#\" else \".\"}{ {1: 2}[1] }{{\\n\"",
        "\"{if s then \"#\" else \".\"}{ {1: 2}[1]}{{\\n\"",
    );
    prints("[3, -1,\n 4,]", "[3, -1, 4]");
    prints("[(3), - 1, 9223372036854775807]", "[3, -1, 9223372036854775807]");
    prints("[(p) for (p) in S if (c), (m) = (f(p))]", "[p for p in S if c, m = f(p)]");
    prints("\"\"\"\n1 2\r\n3 4\r\n\"\"\"", "\"\"\"\n1 2\n3 4\n\"\"\"");
}

#[test]
fn comparisons_chain_and_not_reaches_over_them() {
    let value = parse_expr(FileId(0), "not 1 <= x < y and z").unwrap();
    let ExprKind::Binary { left, .. } = &*value.kind else { panic!() };
    let ExprKind::Not(operand) = &*left.kind else { panic!() };
    let ExprKind::Compare { rest, .. } = &*operand.kind else { panic!() };
    assert_eq!(rest.len(), 2);
}

#[test]
fn items_end_where_the_next_one_starts() {
    let file = parse("param n = 3 h = 4 show x\nanswer a, b\nc = {}\nd = d # d = 3\nimport std.loops");
    assert_eq!(file.items.len(), 7);
    assert_eq!(parse("").items.len(), 0);
    assert_eq!(parse("# nothing").items.len(), 0);
}

#[test]
fn parts_in_an_index_are_no_ranges() {
    let value = parse_expr(FileId(0), "x[1..2, (1..2)]").unwrap();
    let ExprKind::Index { index, .. } = &*value.kind else { panic!() };
    assert!(matches!(index[0], IndexPart::Part { .. }));
    assert!(matches!(index[1], IndexPart::At(_)));
}

#[test]
fn places_are_those_of_the_text_as_it_stands() {
    let text = "\u{feff}# ä\r\nlet a = [1, 22]\r\ng = \"\"\"\r\nab\r\ncd\r\n\"\"\"\r\n";
    let file = parse(text);
    assert_eq!(&text[file.items[0].span.start as usize..file.items[0].span.end as usize], "let a = [1, 22]");
    let ItemKind::Let { value, .. } = &file.items[0].kind else { panic!() };
    let ExprKind::Numbers(numbers) = &*value.kind else { panic!() };
    assert_eq!(&text[numbers[1].start as usize..numbers[1].end as usize], "22");
    let ItemKind::Assign { value, .. } = &file.items[1].kind else { panic!() };
    let ExprKind::Picture { text: picture, start } = &*value.kind else { panic!() };
    assert_eq!(&**picture, "ab\ncd");
    assert!(text[*start as usize..].starts_with("ab\r\n"));
}
