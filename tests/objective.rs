//! Objectives: proven optima, and the best that was found when the time is over.

use std::path::Path;
use std::process::{Command, Output};

fn rebus(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rebus")).current_dir(folder).args(args).output().expect("runs")
}

fn with_model(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("m.rebus"), text).expect("written");
    folder
}

/// A Golomb ruler: marks whose differences all differ.
const GOLOMB: &str = "param n = 5
var mark[n] : 0..n*n*n
rule: mark[1] = 0
rule: increasing(mark)
rule: distinct(mark[j] - mark[i] for i in 1..n, j in 1..n if i < j)
minimize mark[n]
show mark
";

#[test]
fn the_optimum_is_proven() {
    let folder = with_model(GOLOMB);
    let output = rebus(folder.path(), &["solve", "m.rebus", "-f", "json", "--all"]);
    let text = String::from_utf8(output.stdout).expect("text");
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.ends_with("\"complete\": true, \"objective\": 11}\n"), "{text}");
    assert!(text.contains("\"status\": \"optimal\""), "{text}");
    // 0 1 4 9 11, 0 2 7 8 11 and their mirror images
    assert_eq!(text.matches("\"solution\"").count(), 4, "{text}");
}

#[test]
fn maximize_too() {
    let folder = with_model("var x, y : 0..9\nrule: x + 2 * y <= 12\nmaximize x + 3 * y\n");
    let output = rebus(folder.path(), &["solve", "m.rebus", "-f", "json"]);
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.contains("\"values\": {\"x\": 0, \"y\": 6}, \"objective\": 18"), "{text}");
}

#[test]
fn time_over_shows_the_best_so_far() {
    let folder = with_model(GOLOMB);
    let output = rebus(folder.path(), &["solve", "m.rebus", "-D", "n=13", "--timeout", "4", "-f", "json"]);
    let (text, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(4), "{text}{said}");
    assert!(!text.contains("optimal") && !text.contains("\"complete\": true"), "{text}");
    assert!(said.contains("limit-exceeded"), "{said}");
}
