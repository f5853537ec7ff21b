//! `rebus fmt` as a command: what it writes, what it leaves alone, how it ends.

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

fn fmt(folder: &Path, args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_rebus"))
        .arg("fmt")
        .args(args)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child.wait_with_output().unwrap()
}

fn shown(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

#[test]
fn files_are_written_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::create_dir(at("more")).unwrap();
    fs::write(at("a.rebus"), "param  n=3").unwrap();
    fs::write(at("more/b.clues"), "n=4 # four\n").unwrap();
    fs::write(at("more/c.clues"), "n = 5\n").unwrap();
    fs::write(at("more/d.txt"), "n  =  6").unwrap();

    let check = fmt(folder.path(), &["--check", "."], "");
    assert_eq!(shown(&check.stdout), "./a.rebus\n./more/b.clues\n");
    assert_eq!(check.status.code(), Some(5));
    assert_eq!(fs::read_to_string(at("a.rebus")).unwrap(), "param  n=3");

    let write = fmt(folder.path(), &["a.rebus", "more"], "");
    assert_eq!((write.status.code(), shown(&write.stdout)), (Some(0), String::new()));
    assert_eq!(fs::read_to_string(at("a.rebus")).unwrap(), "param n = 3\n");
    assert_eq!(fs::read_to_string(at("more/d.txt")).unwrap(), "n  =  6");
    let four = format!("{:<47}# four\n", "n = 4");
    assert_eq!(fs::read_to_string(at("more/b.clues")).unwrap(), four);
    assert_eq!(fmt(folder.path(), &["--check", "."], "").status.code(), Some(0));
}

#[test]
fn a_fault_leaves_all_files_alone() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str| folder.path().join(name);
    fs::write(at("a.rebus"), "param  n=3").unwrap();
    fs::write(at("b.rebus"), "param n = (3").unwrap();
    for args in [&["a.rebus", "b.rebus"][..], &["--check", "a.rebus", "b.rebus"]] {
        let run = fmt(folder.path(), args, "");
        assert_eq!(run.status.code(), Some(1));
        let faults = shown(&run.stderr);
        assert!(faults.contains("error[syntax]") && faults.contains("b.rebus:1:"), "{faults}");
        assert_eq!(fs::read_to_string(at("a.rebus")).unwrap(), "param  n=3");
        assert_eq!(fs::read_to_string(at("b.rebus")).unwrap(), "param n = (3");
    }
    let missing = fmt(folder.path(), &["a.rebus", "none.rebus"], "");
    assert_eq!(missing.status.code(), Some(1));
    assert_eq!(fs::read_to_string(at("a.rebus")).unwrap(), "param  n=3");
}

#[test]
fn standard_input_goes_to_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    let run = fmt(folder.path(), &["-"], "x=[1,2]");
    assert_eq!((run.status.code(), shown(&run.stdout)), (Some(0), "x = [1, 2]\n".into()));
    let run = fmt(folder.path(), &["-"], "x = 1\n");
    assert_eq!((run.status.code(), shown(&run.stdout)), (Some(0), "x = 1\n".into()));
    assert_eq!(fmt(folder.path(), &["--check", "-"], "x=1").status.code(), Some(5));
}

#[test]
fn the_catalogue_passes_the_check() {
    let check = fmt(Path::new(env!("CARGO_MANIFEST_DIR")), &["--check", "examples", "src/builtins/std"], "");
    assert_eq!((check.status.code(), shown(&check.stdout)), (Some(0), String::new()));
}
