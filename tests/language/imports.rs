//! Imports: whose names hide whose, whose drawings count, what is defined twice.

use super::{prints, run};

const PART: &str = "def f(n) = n + k\nlet k = 10\nshow \"part\"\nvar y : 1..2\nanswer y\n";

#[test]
fn own_names_hide_imported_ones_and_imports_keep_their_own() {
    let model = "import \"part.rebus\"\nlet k = 1\nshow \"<{k} {f(1)}>\"";
    let out = prints(&[("m.rebus", model), ("part.rebus", PART)], &["solve", "m.rebus"]);
    assert!(out.contains("<1 11>"), "{out}");
}

#[test]
fn own_shows_answers_and_objectives_replace_imported_ones() {
    let files = |model| [("m.rebus", model), ("part.rebus", PART)];
    let own = "import \"part.rebus\"\nvar z : 1..3\nanswer z\nshow \"own\"";
    let out = prints(&files(own), &["solve", "m.rebus"]);
    assert!(out.contains("own") && !out.contains("part"), "{out}");
    assert_eq!(prints(&files(own), &["count", "m.rebus"]), "3\n");
    let theirs = "import \"part.rebus\"\nvar z : 1..3";
    let out = prints(&files(theirs), &["solve", "m.rebus"]);
    assert!(out.contains("part"), "{out}");
    assert_eq!(prints(&files(theirs), &["count", "m.rebus"]), "2\n");
    let part = ("part.rebus", "var y : 1..5\nmaximize y\nshow \"<{y}>\"");
    let out = prints(&[("m.rebus", "import \"part.rebus\"\nminimize y"), part], &["solve", "m.rebus"]);
    assert!(out.contains("<1>"), "{out}");
}

#[test]
fn an_import_is_read_once() {
    let files = [
        ("m.rebus", "import \"a.rebus\"\nimport \"b.rebus\"\nshow \"<{u + v}>\""),
        ("a.rebus", "import \"c.rebus\"\nlet u = w"),
        ("b.rebus", "import \"c.rebus\"\nlet v = w"),
        ("c.rebus", "let w = 2\nvar one : bool"),
    ];
    assert!(prints(&files, &["solve", "m.rebus"]).contains("<4>"));
    assert_eq!(prints(&files, &["count", "m.rebus"]), "2\n");
    let files = [
        ("m.rebus", "import \"a.rebus\"\nimport \"b.rebus\""),
        files[1],
        files[2],
        ("c.rebus", "let w = 2\nshow \"once\""),
    ];
    assert_eq!(prints(&files, &["solve", "m.rebus"]).matches("once").count(), 1);
}

#[test]
fn files_that_import_each_other_end() {
    let files =
        [("m.rebus", "import \"n.rebus\"\nlet a = 1"), ("n.rebus", "import \"m.rebus\"\nshow \"<{a}>\"")];
    assert!(prints(&files, &["solve", "m.rebus"]).contains("<1>"));
}

#[test]
fn a_name_of_two_imports_is_a_fault() {
    let files = [
        ("m.rebus", "import \"a.rebus\"\nimport \"b.rebus\"\nshow k"),
        ("a.rebus", "let k = 1"),
        ("b.rebus", "let k = 2"),
    ];
    let (_, err, code) = run(&files, &["check", "m.rebus"]);
    assert_eq!(code, 1);
    assert!(err.contains("[duplicate-name]") && err.contains("`k`"), "{err}");
    assert!(err.contains("a.rebus:1:5") && err.contains("b.rebus:1:5"), "{err}");
}

#[test]
fn a_name_twice_in_a_file_is_a_fault() {
    let (_, err, code) = run(&[("m.rebus", "let k = 1\nvar k : 1..2\n")], &["check", "m.rebus"]);
    assert_eq!(code, 1);
    assert!(err.contains("[duplicate-name]") && err.contains("m.rebus:2:5"), "{err}");
}

#[test]
fn own_names_hide_built_in_ones_but_before_a_bracket_only_a_def_does() {
    let model = "let sum = 3\nlet max = [7, 8]\nshow \"<{sum} {sum([1, 1])} {max([1, 2])}>\"";
    assert!(prints(&[("m.rebus", model)], &["solve", "m.rebus"]).contains("<3 2 2>"));
    let model = "def sum(a) = 0\nshow \"<{sum([1, 1])}>\"";
    assert!(prints(&[("m.rebus", model)], &["solve", "m.rebus"]).contains("<0>"));
}

#[test]
fn imported_parameters_take_data() {
    let files = [("m.rebus", "import \"part.rebus\""), ("part.rebus", "param n\nshow \"<{n}>\"")];
    assert!(prints(&files, &["solve", "m.rebus", "-D", "n=6"]).contains("<6>"));
}
