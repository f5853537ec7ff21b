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
