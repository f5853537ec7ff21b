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
