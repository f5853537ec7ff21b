//! Labels: filled in, told by `verify` and `check`, dropped by `--without`.

use super::{prints, run};

/// The labels that `verify` says an answer breaks.
fn broken(model: &str, answer: &str) -> Vec<String> {
    let files = [("m.rebus", model), ("a.clues", answer)];
    let (out, err, code) = run(&files, &["verify", "m.rebus", "a.clues", "-f", "json"]);
    assert_eq!(code, 5, "{out}{err}");
    let told: serde_json::Value = serde_json::from_str(&out).expect("JSON");
    let rules = told["rules"].as_array().expect("rules");
    rules.iter().map(|rule| rule["label"].as_str().expect("a label").to_owned()).collect()
}

const LATIN: &str = r#"var x[2, 2] : 1..2
rule "row {r}": for r in 1..2: distinct(x[r, *])
rule "column {c}": for c in 1..2: distinct(x[*, c])
rule "corner": x[1, 1] = 1
"#;

#[test]
fn names_are_filled_in() {
    assert_eq!(broken(LATIN, "x = \"1122\""), ["row 1", "row 2"]);
    assert_eq!(broken(LATIN, "x = \"2121\""), ["column 1", "column 2", "corner"]);
    let pairs = r#"var x[3] : 1..9
rule "{p} with {q}, {p + q}": for p in 1..3, q in 1..3 if p < q: x[p] != x[q]"#;
    assert_eq!(broken(pairs, "x = [1, 2, 1]"), ["1 with 3, 4"]);
    let kinds = r#"enum Hue { red "r", blue }
var x[2, 2] : bool
rule "{h} {p} {s} {b}": for h in Hue, p in cells(x), s in ["one"], b in [true]: x[p] or h = blue"#;
    let told = broken(kinds, "x = \"#.##\"");
    assert_eq!(told, ["r (1, 2) one true"]);
}

#[test]
fn a_name_of_another_conjunct_is_an_ellipsis() {
    let model = r#"var x[2] : 1..3
rule "of {i} and {j}": (for i in 1..2: x[i] > 1) and (for j in 1..2: x[j] < 3)"#;
    assert_eq!(broken(model, "x = [1, 3]"), ["of 1 and …", "of … and 2"]);
}

#[test]
fn an_unknown_is_written_as_the_model_writes_it() {
    let model = r#"var x[2], y : 1..3
rule "{x[i]} over {y}": for i in 1..2: x[i] > y"#;
    let (_, err, code) =
        run(&[("m.rebus", &(model.to_string() + "\nrule: x[1] = 1"))], &["check", "m.rebus"]);
    assert_eq!(code, 1);
    assert!(err.contains("x[1] over y"), "{err}");
}

#[test]
fn an_unknown_name_in_a_label_is_a_fault() {
    let (_, err, code) = run(&[("m.rebus", "var x : 1..2\nrule \"of {k}\": x = 1")], &["check", "m.rebus"]);
    assert_eq!(code, 1);
    assert!(err.contains("[unknown-name]") && err.contains("m.rebus:2:11"), "{err}");
}

#[test]
fn without_drops_a_rule_by_its_label_as_written() {
    let count = |without: &[&str]| {
        let mut args = vec!["count", "m.rebus"];
        without.iter().for_each(|label| args.extend(["--without", label]));
        prints(&[("m.rebus", LATIN)], &args).trim().to_string()
    };
    assert_eq!(count(&[]), "1");
    assert_eq!(count(&["corner"]), "2");
    assert_eq!(count(&["row {r}", "corner"]), "4");
    assert_eq!(count(&["row {r}", "column {c}", "corner"]), "16");
}

#[test]
fn without_drops_one_instance_as_printed() {
    let count = |without: &[&str]| {
        let mut args = vec!["count", "m.rebus"];
        without.iter().for_each(|label| args.extend(["--without", label]));
        prints(&[("m.rebus", LATIN)], &args).trim().to_string()
    };
    // without row 1: x[1,1] = 1 and both columns, row 2
    assert_eq!(count(&["row 1"]), "1");
    assert_eq!(count(&["row 1", "row 2"]), "2");
    assert_eq!(count(&["row 1", "column {c}"]), "4");
    let (_, err, code) = run(&[("m.rebus", LATIN)], &["count", "m.rebus", "--without", "row 3"]);
    assert_eq!(code, 2);
    assert!(err.contains("[unknown-label]") && err.contains("row {r}"), "{err}");
}

#[test]
fn what_was_dropped_stays_dropped_behind_a_map() {
    let files = [("m.rebus", LATIN), ("answer", "s SATISFIABLE\nv 1 4 5 8 0\n")];
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("written");
    }
    let rebus = |args: &[&str]| {
        let mut command = assert_cmd::Command::cargo_bin("rebus").expect("built");
        command.current_dir(folder.path()).args(args).output().expect("runs")
    };
    // 1 2 / 1 2: the columns are broken
    assert!(rebus(&["compile", "m.rebus", "-o", "a.cnf"]).status.success());
    assert_eq!(rebus(&["decode", "a.cnf.map", "answer"]).status.code(), Some(3));
    assert!(rebus(&["compile", "m.rebus", "--without", "column {c}", "-o", "b.cnf"]).status.success());
    assert_eq!(rebus(&["decode", "b.cnf.map", "answer"]).status.code(), Some(0));
}
