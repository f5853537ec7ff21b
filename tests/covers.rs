//! Exact covers: how large they are, and how many solutions they have.

use assert_cmd::Command;
use std::fs;
use std::path::PathBuf;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// What a command prints on standard output.
fn rebus(args: &[&str]) -> String {
    let output = Command::cargo_bin("rebus").unwrap().current_dir(root()).args(args).output().unwrap();
    assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

/// The lines of a model's cover without comments: the items, then the options.
fn cover(model: &[&str]) -> Vec<String> {
    let text = rebus(&[&["compile", "--to", "xcc", "-o", "-", "--no-map"], model].concat());
    assert!(text.ends_with('\n'));
    text.lines().filter(|line| !line.starts_with('|')).map(str::to_owned).collect()
}

#[test]
fn an_empty_sudoku_is_its_729_options_of_4_items() {
    let lines = cover(&["sudoku", "-D", "clue={}"]);
    assert_eq!(lines.len(), 1 + 729);
    assert_eq!(lines[0].split(' ').count(), 324);
    assert!(lines[1..].iter().all(|line| line.split(' ').count() == 4), "{}", lines[1]);
    assert_eq!(lines[1], "x1,1 r1.1 c1.1 b1.1");
}

#[test]
fn pentominoes_have_an_option_a_placement() {
    assert!(cover(&["pentomino"]).len() < 1 + 2056);
    let lines = cover(&["pentomino", "--presolve", "off"]);
    assert_eq!(lines[0].split(' ').count(), 72);
    assert_eq!(lines.len(), 1 + 2056);
    assert!(lines[1..].iter().all(|line| line.split(' ').count() == 6));
}

#[test]
fn knightdoku_has_an_option_a_cell() {
    for board in ["1", "2"] {
        let board = format!("examples/knightdoku/knightdoku-{board}.clues");
        for presolve in ["on", "off"] {
            let lines = cover(&["knightdoku", &board, "--dialect", "dlx3", "--presolve", presolve]);
            assert!(lines.len() <= 1 + 71, "{presolve}: {}", lines.len());
        }
    }
}

#[test]
fn dlx1_names_the_rule_that_needs_colours() {
    let output = Command::cargo_bin("rebus")
        .unwrap()
        .current_dir(root())
        .args([
            "compile",
            "magic-square",
            "-D",
            "n=3",
            "--to",
            "xcc",
            "--dialect",
            "dlx1",
            "-o",
            "-",
            "--no-map",
        ])
        .output()
        .unwrap();
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(!output.status.success() && told.contains("dlx1 knows no colours"), "{told}");
}

#[test]
fn counts_of_covers_are_known_numbers() {
    assert_eq!(rebus(&["count", "queens", "-D", "n=6"]), "4\n");
    assert_eq!(rebus(&["count", "queens", "--to", "xcc"]), "92\n");
}

/// Two cells that share no line: the value n of both would slip through where items stop at n - 1.
#[test]
fn less_is_less_for_cells_that_share_no_line() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("less.rebus");
    fs::write(&model, "var a : 1..7\nvar b : 1..7\nvar c : 1..7\nrule \"l\": a < b\nrule \"m\": a < c\n")
        .unwrap();
    let path = model.to_str().unwrap();
    for less in ["items", "items-log", "colours"] {
        for presolve in ["on", "off"] {
            let count = rebus(&["count", path, "--to", "xcc", "--less", less, "--presolve", presolve]);
            assert_eq!(count, "91\n", "{less} {presolve}");
        }
    }
}

#[test]
fn a_nonogram_is_solved_as_a_cover() {
    let board = "tests/data/nonogram/webpbn-6.non";
    assert_eq!(rebus(&["solve", "nonogram", board]), rebus(&["solve", "nonogram", board, "--to", "xcc"]));
}

/// Great weights first: what is left of a sum must be within reach of the others, so that there are few states.
#[test]
fn a_long_sum_is_a_narrow_chain() {
    let words = "words=[\"DONALD\", \"GERALD\", \"ROBERT\"]";
    assert!(cover(&["cryptarithm", "-D", words]).len() < 500);
    assert_eq!(rebus(&["count", "cryptarithm", "-D", words, "--to", "xcc"]), "1\n");
}

/// A file of covers has more than one for an answer.
#[test]
fn covers_of_the_same_answer_are_one() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).into_os_string().into_string().unwrap();
    let (model, formula, map, out) = (path("m.rebus"), path("m.xcc"), path("m.xcc.map"), path("out"));
    let text = "var x, y : 0..4\nvar b : bool\nrule: b -> x < y\nanswer x + y, b\nshow x\n";
    fs::write(&model, text).unwrap();
    // 9 sums where `b` is not, and 1 to 7 where it is
    for way in [&[][..], &["--to", "xcc"], &["--to", "cnf"]] {
        assert_eq!(rebus(&[&["count", &model], way].concat()), "16\n", "{way:?}");
        let all = rebus(&[&["solve", &model, "--all", "-f", "json"], way].concat());
        assert!(all.ends_with("\"solutions\": 16, \"complete\": true}\n"), "{way:?}: {all}");
    }
    rebus(&["compile", &model, "-o", &formula]);
    let solved = Command::cargo_bin("rebus").unwrap().args(["xcc", &formula]).output().unwrap();
    assert!(String::from_utf8_lossy(&solved.stderr).contains("Altogether 35 solutions"));
    fs::write(&out, [solved.stdout, solved.stderr].concat()).unwrap();
    let all = rebus(&["decode", &map, &out, "-f", "json"]);
    assert!(all.ends_with("\"solutions\": 16, \"complete\": true}\n"), "{all}");
}

#[test]
fn clauses_of_what_is_no_cover_are_bounded() {
    let refused = |args: &[&str]| {
        let output = Command::cargo_bin("rebus").unwrap().current_dir(root()).args(args).output().unwrap();
        (output.status.code(), String::from_utf8(output.stderr).unwrap())
    };
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("m.rebus");
    fs::write(&model, "var x[6, 6] : bool\nrule: connected(x)\nrule: count(x) > 3\n").unwrap();
    let model = model.to_str().unwrap();
    for command in [&["solve", model][..], &["compile", model, "-o", "-", "--no-map"]] {
        let most = [command, &["--to", "xcc", "--max-clauses", "200"]].concat();
        let (code, said) = refused(&most);
        assert!(code == Some(4) && said.contains("more than 200 clauses would be written"), "{said}");
        assert_eq!(refused(&[command, &["--to", "xcc"]].concat()).0, Some(0));
    }
}

/// A formula of each kind is told as what it is made of.
#[test]
fn sizes_have_their_names() {
    let folder = tempfile::tempdir().unwrap();
    let model = folder.path().join("m.rebus");
    fs::write(&model, "var x[3] : bool\nrule: count(x) = 2\nmaximize int(x[1])\n").unwrap();
    for (target, unknown, names) in [
        ("cnf", "s UNKNOWN", &["clauses"][..]),
        ("opb", "s UNKNOWN", &["constraints"]),
        ("wcnf", "s UNKNOWN", &["hard clauses", "soft clauses"]),
        ("xcc", "TIMEOUT!", &["primary items", "secondary items", "options"]),
    ] {
        let solver = format!("sh -c 'echo {unknown}' {{in}}");
        let args = ["solve", model.to_str().unwrap(), "--stats", "--to", target, "--solver", &solver];
        let output = Command::cargo_bin("rebus").unwrap().args(args).output().unwrap();
        let said = String::from_utf8(output.stderr).unwrap();
        let told = |name: &str| said.lines().any(|line| line.starts_with(&format!("rebus: {name:<24} ")));
        for name in ["clauses", "constraints", "hard clauses", "soft clauses", "primary items", "options"] {
            assert_eq!(told(name), names.contains(&name), "{target}, {name}: {said}");
        }
    }
}

#[test]
fn the_form_of_miniexact_carries_a_map() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).into_os_string().into_string().unwrap();
    let (formula, out) = (path("q.xcc"), path("out"));
    rebus(&["compile", "queens", "-D", "n=6", "--dialect", "miniexact", "--embed-map", "-o", &formula]);
    let text = fs::read_to_string(&formula).unwrap();
    let lines: Vec<&str> = text.lines().filter(|line| !line.starts_with('|')).collect();
    assert!(lines[0].starts_with("< ") && lines[1].starts_with("[ "), "{}", lines[0]);
    assert!(lines[2..].iter().all(|line| line.ends_with(';')));
    fs::write(&out, "Found 0 solutions!\n").unwrap();
    let decode = ["decode", &formula, &out, "--formula", &formula];
    let output = Command::cargo_bin("rebus").unwrap().args(decode).output().unwrap();
    // whether it was called with -m nobody can tell
    assert_eq!((output.status.code(), output.stdout.as_slice()), (Some(4), &b"unknown\n"[..]));
}
