//! Points of the language that are easily got wrong, one by one through the command line.

use assert_cmd::Command;

#[path = "common/dice.rs"]
mod dice;
#[path = "language/holders.rs"]
mod holders;
#[path = "language/imports.rs"]
mod imports;
#[path = "language/joins.rs"]
mod joins;
#[path = "language/labels.rs"]
mod labels;
#[path = "language/supplies.rs"]
mod supplies;

/// Runs the command in a folder with these files: what it printed and its code.
fn run(files: &[(&str, &str)], args: &[&str]) -> (String, String, i32) {
    let folder = tempfile::tempdir().expect("a folder");
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).expect("written");
    }
    let mut command = Command::cargo_bin("rebus").expect("built");
    let output = command.current_dir(folder.path()).args(args).output().expect("runs");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (text(&output.stdout), text(&output.stderr), output.status.code().unwrap_or(-1))
}

/// Standard output of a run that must succeed.
#[track_caller]
fn prints(files: &[(&str, &str)], args: &[&str]) -> String {
    let (out, err, code) = run(files, args);
    assert_eq!(code, 0, "{args:?}: {err}");
    out
}

/// What a model without variables shows.
fn shows(model: &str) -> String {
    let (out, err, _) = run(&[("m.rebus", model)], &["solve", "m.rebus"]);
    assert!(!out.is_empty(), "{model}: {err}");
    out
}

#[track_caller]
fn check(expr: &str, expected: &str) {
    let out = shows(&format!("show \"<{{{expr}}}>\""));
    assert!(out.contains(&format!("<{expected}>")), "{expr}: {out}");
}

#[test]
fn indices_count_from_one() {
    check("[7, 8][1]", "7");
    check("(7, 8)[2]", "8");
    check("len([7, 8, 9][2..])", "2");
}

#[test]
fn tuples_are_vectors() {
    check("(2, 3) + 2 * (0, 1) = (2, 5)", "true");
    check("-(1, 2) = (-1, -2)", "true");
    check("(1, 5) < (2, 0)", "true");
}

#[test]
fn letters_are_numbers_from_ten() {
    let model = "param c[1, 3] : 0..20\nc = \"9Ab\"\nshow \"<{c[1, 1]} {c[1, 2]} {c[1, 3]}>\"";
    assert!(shows(model).contains("<9 10 11>"));
}

#[test]
fn frames_are_skipped() {
    let model = "param c[2, 2] : 0..9\nc = \"\"\"\n+-+-+\n|1|2|\n+-+-+\n|3|4|\n+-+-+\n\"\"\"\nshow \"<{c[1, 2]}{c[2, 1]}>\"";
    assert!(shows(model).contains("<23>"));
}

#[test]
fn sizes_come_from_data() {
    for (index, data, n) in [
        ("n, n", "12\n34", 2),
        ("n, n", "1234", 2),
        ("n + 1, n", "1\n1", 1),
        ("2*n - 1, 2*n - 1", "123\n456\n789", 2),
        ("0..n+1, n", "1\n1\n1", 1),
    ] {
        let model = format!("param n\nparam c[{index}] : 0..9\nc = \"\"\"\n{data}\n\"\"\"\nshow \"<{{n}}>\"");
        assert!(shows(&model).contains(&format!("<{n}>")), "{index}");
    }
    // too many to be counted up to
    for (index, length, n) in
        [("n", 3000, 3000), ("3*n", 3000, 1000), ("n*n", 90_000, 300), ("0..5*n", 5001, 1000)]
    {
        let line = "1".repeat(length);
        let model = format!("param n\nparam c[{index}] : 0..9\nc = \"{line}\"\nshow \"<{{n}}>\"");
        assert!(shows(&model).contains(&format!("<{n}>")), "{index}");
    }
}

#[test]
fn byte_order_mark_and_carriage_returns() {
    let out =
        shows("\u{feff}param c[2, 2] : 0..9\r\nc = \"\"\"\r\n12\r\n34\r\n\"\"\"\r\nshow \"<{c[2, 2]}>\"\r\n");
    assert!(out.contains("<4>"), "{out}");
}
