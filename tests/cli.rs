//! The command line as a whole: help and its examples, exit codes, signals, files that are kept.

use std::fs;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

const SUDOKU: &str = "clue=53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";

fn rebus(folder: &TempDir, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rebus"));
    command.current_dir(folder.path()).args(args).stdin(Stdio::null());
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn ran(folder: &TempDir, args: &[&str]) -> Output {
    rebus(folder, args).output().expect("rebus runs")
}

#[test]
fn keep_holds_what_the_embedded_engine_was_given() {
    let folder = TempDir::new().expect("a folder");
    let output = ran(&folder, &["solve", "sudoku", "-D", SUDOKU, "--keep", "kept"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let answer = ran(&folder, &["sat", "kept/formula.cnf"]);
    assert_eq!(answer.status.code(), Some(10));
    fs::write(folder.path().join("answer"), answer.stdout).expect("a file");
    let map = ["decode", "kept/formula.cnf.map", "answer", "--formula", "kept/formula.cnf"];
    let decoded = ran(&folder, &map);
    assert_eq!(text(&decoded.stdout), text(&output.stdout));
}

#[test]
fn an_interrupt_is_heard_while_standard_input_is_read() {
    let folder = TempDir::new().expect("a folder");
    let mut child = rebus(&folder, &["solve", "sudoku", "-D", "clue=@-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("rebus runs");
    // the input stays open: without the signal the run would wait for ever
    let input = child.stdin.take();
    std::thread::sleep(Duration::from_millis(300));
    let pid = child.id().to_string();
    assert!(Command::new("kill").args(["-INT", &pid]).status().expect("kill").success());
    let start = Instant::now();
    let status = loop {
        match child.try_wait().expect("a child") {
            Some(status) => break Some(status),
            None if start.elapsed() > Duration::from_secs(30) => break None,
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    drop(input);
    let ended = status.or_else(|| {
        child.kill().expect("a child");
        child.wait().ok()
    });
    use std::os::unix::process::ExitStatusExt;
    assert_eq!(ended.and_then(|status| status.signal()), Some(2));
}

#[test]
fn messages_without_a_place_have_no_bar() {
    let folder = TempDir::new().expect("a folder");
    let told = text(&ran(&folder, &["solve", "sudokuu"]).stderr);
    assert!(told.starts_with("error[unknown-name]"), "{told}");
    assert!(told.lines().all(|line| line.trim() != "|"), "{told}");
}

#[test]
fn colours_as_asked_for() {
    let folder = TempDir::new().expect("a folder");
    let coloured =
        |args: &[&str]| ran(&folder, &[&["solve", "sudokuu"], args].concat()).stderr.contains(&0x1b);
    assert!(!coloured(&[]));
    assert!(!coloured(&["--color", "auto"]));
    assert!(!coloured(&["--color", "never"]));
    assert!(coloured(&["--color", "always"]));
}

#[test]
fn models_are_listed_with_their_whole_sentence() {
    let folder = TempDir::new().expect("a folder");
    let listed = text(&ran(&folder, &["models"]).stdout);
    let line = listed.lines().find(|line| line.starts_with("knightdoku ")).expect("knightdoku");
    assert!(line.ends_with("a clue is a knight and says how many knights it attacks."), "{line}");
}

#[test]
fn dependencies_are_named_as_the_model_is() {
    let folder = TempDir::new().expect("a folder");
    fs::create_dir(folder.path().join("in")).expect("a folder");
    fs::write(folder.path().join("in/m.rebus"), "import \"part.rebus\"\n").expect("a file");
    fs::write(folder.path().join("in/part.rebus"), "var x : bool\n").expect("a file");
    let absolute = folder.path().join("in/m.rebus").display().to_string();
    for (model, start) in [("in/m.rebus", "in/"), (&absolute, absolute.trim_end_matches("m.rebus"))] {
        let output = ran(&folder, &["compile", model, "-o", "k.cnf", "--deps", "k.d"]);
        assert!(output.status.success(), "{}", text(&output.stderr));
        let rule = fs::read_to_string(folder.path().join("k.d")).expect("a rule");
        assert_eq!(rule.lines().next(), Some(format!("k.cnf: {start}m.rebus {start}part.rebus").as_str()));
    }
}

#[test]
fn an_object_need_not_name_what_another_does() {
    let folder = TempDir::new().expect("a folder");
    let model = "param n, m = 2\nparam k\nvar x : 0..9\nrule: x = n * m + k\nshow x\n";
    fs::write(folder.path().join("m.rebus"), model).expect("a file");
    let lines =
        "{\"n\": 1}\n{\"n\": 2, \"k\": 1}\n{\"k\": 3, \"n\": 1, \"m\": 1}\n{\"n\": 1, \"o\": 1, \"k\": 1}\n";
    fs::write(folder.path().join("l.jsonl"), lines).expect("a file");
    let output = ran(&folder, &["solve", "m.rebus", "--each", "l.jsonl", "-f", "csv"]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(text(&output.stdout).lines().collect::<Vec<_>>(), ["x", "5", "4"]);
    let told = text(&output.stderr);
    assert!(told.contains("no value for the parameter `k`") && told.contains("no parameter `o`"), "{told}");
}
