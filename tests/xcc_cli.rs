//! `rebus xcc` as a user meets it.

use assert_cmd::Command;
use rebus::solve::Verdict;
use rebus::solve::output::{dialect::Dialect, parse};
use rebus::solve::process::Ended;
use std::fs;
use std::io::{Read, Write};
use std::process::Stdio;

const TOY: &str =
    "| two cells must agree on the colour of w\na b | w z\na w:r\na w:g z:1\nb w:g z:1\nb w:r z:2\nb z\n";

/// `n` independent choices between two: 2ⁿ solutions, of which a memory of counts finds the number at once.
fn choices(n: usize) -> String {
    let names: Vec<String> = (0..n).map(|item| format!("i{item}")).collect();
    let options: String = names.iter().map(|name| format!("{name}\n{name}\n")).collect();
    format!("{}\n{options}", names.join(" "))
}

/// Exit code, standard output, standard error.
fn xcc(args: &[&str], input: impl Into<Vec<u8>>) -> (i32, String, String) {
    let output =
        Command::cargo_bin("rebus").unwrap().arg("xcc").args(args).write_stdin(input).output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

#[test]
fn solutions_are_printed_as_dlx2_does() {
    let (code, out, err) = xcc(&[], TOY);
    let expected = "1:
 a w:r (1 of 2)
 b w:r z:2 (1 of 2)
2:
 a w:r (1 of 2)
 b z (2 of 2)
3:
 a w:g z:1 (2 of 2)
 b w:g z:1 (1 of 1)
";
    assert_eq!((code, out.as_str()), (0, expected));
    assert!(err.contains("(5 options, 2+2 items, 18 entries successfully read)"), "{err}");
    assert!(err.contains("Altogether 3 solutions, "), "{err}");
    // the items of an option begin with the one that was decided
    let (_, out, _) = xcc(&[], "x a b\na b x\n");
    assert_eq!(out, "1:\n x a b (1 of 1)\n");
    let (code, out, err) = xcc(&[], "a\n");
    assert_eq!((code, out.as_str()), (0, ""));
    assert!(err.contains("Altogether 0 solutions"), "{err}");
}

/// How many solutions a reader of dlx2's output finds, and whether it takes them for all.
fn read_back(code: i32, out: &str, err: &str) -> (usize, bool) {
    let dialect = Dialect::named("dlx").unwrap();
    match parse(dialect, out.as_bytes(), Some(Ended::Exit(code)), err.as_bytes()).unwrap() {
        Verdict::Covered { covers, complete, .. } => (covers.len(), complete),
        Verdict::Unsatisfiable => (0, true),
        verdict => panic!("{verdict:?}"),
    }
}

#[test]
fn what_is_printed_is_read_back() {
    for (args, input, found) in
        [(&[][..], TOY, (3, true)), (&["--every", "2"], TOY, (1, false)), (&[], "a\n", (0, true))]
    {
        let (code, out, err) = xcc(args, input);
        assert_eq!(read_back(code, &out, &err), found, "{args:?}");
    }
    let (code, out, err) = xcc(&["--timeout", "0.2"], choices(60));
    assert_eq!(code, 4);
    assert!(err.contains("TIMEOUT!\nAltogether "), "{err}");
    let (found, complete) = read_back(0, &out, &err);
    assert!(found > 0 && !complete);
}

#[test]
fn counts_stand_alone_on_standard_output() {
    assert_eq!(xcc(&["--count"], TOY).1, "3\n");
    assert_eq!(xcc(&["--count", "--limit", "3"], TOY).1, "3\n");
    assert_eq!(xcc(&["--count", "--limit", "2"], TOY).1, ">=2\n");
    assert_eq!(xcc(&["--count"], choices(60)).1, format!("{}\n", 1_u64 << 60));
    let (code, out, _) = xcc(&["--count"], choices(200));
    assert_eq!((code, &out[..2]), (4, ">="));
    // colours forbid remembering
    let coloured = format!("{}\ni0 x:1\n", choices(60).replacen('\n', " | x\n", 1));
    let (code, out, _) = xcc(&["--count", "--timeout", "0.2"], coloured);
    assert_eq!((code, &out[..2]), (4, ">="));
}

#[test]
fn the_order_of_search_changes_no_solution() {
    let sorted = |args: &[&str]| {
        let (code, out, _) = xcc(args, TOY);
        assert_eq!(code, 0);
        let mut options: Vec<String> =
            out.lines().map(|line| line.split(" (").next().unwrap().to_owned()).collect();
        options.sort();
        options.len()
    };
    let lines = sorted(&[]);
    for args in [&["--seed", "3"][..], &["--presolve", "off"], &["--sharp"], &["--seed", "9", "--sharp"]] {
        assert_eq!(sorted(args), lines, "{args:?}");
        assert_eq!(xcc(args, TOY), xcc(args, TOY));
    }
}

#[test]
fn faults_and_usage() {
    let (code, out, err) = xcc(&[], "a b\na c\n");
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(err.contains("no item is called `c`") && err.contains("standard input:2:3"), "{err}");
    assert_eq!(xcc(&["nowhere.dlx"], "").0, 1);
    for args in
        [&["--limit", "0"][..], &["--every", "0"], &["--count", "--every", "2"], &["--presolve", "no"]]
    {
        assert_eq!(xcc(args, TOY).0, 2, "{args:?}");
    }
    let (code, _, err) = xcc(&[], "a | x\nx:1\na x\n");
    assert_eq!(code, 0);
    assert!(err.contains("option ignored") && err.contains("Altogether 1 solution,"), "{err}");
}

#[test]
fn packed_files_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("toy.dlx.gz");
    let mut packed = flate2::write::GzEncoder::new(fs::File::create(&path).unwrap(), Default::default());
    packed.write_all(TOY.as_bytes()).unwrap();
    packed.finish().unwrap();
    assert_eq!(xcc(&["--count", path.to_str().unwrap()], "").1, "3\n");
}

#[test]
fn a_closed_pipe_ends_quietly() {
    let mut child = std::process::Command::new(assert_cmd::cargo::cargo_bin("rebus"))
        .arg("xcc")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(choices(60).as_bytes()).unwrap();
    let mut out = child.stdout.take().unwrap();
    out.read_exact(&mut [0; 2]).unwrap();
    drop(out);
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let err = String::from_utf8(output.stderr).unwrap();
    assert_eq!(err.lines().count(), 1, "{err}");
}

/// Solutions are on standard output, and whether they are all is on standard error.
#[test]
fn a_puzzle_by_way_of_a_file_and_a_solver() {
    let folder = tempfile::tempdir().unwrap();
    let rebus = |args: &[&str]| {
        Command::cargo_bin("rebus").unwrap().current_dir(&folder).args(args).output().unwrap()
    };
    assert!(rebus(&["compile", "queens", "-D", "n=6", "--to", "xcc", "-o", "q.xcc"]).status.success());
    let solved = rebus(&["xcc", "q.xcc"]);
    let decoded = |text: &[u8]| {
        fs::write(folder.path().join("q.out"), text).unwrap();
        let output = rebus(&["decode", "q.xcc.map", "q.out", "-f", "json"]);
        let told = String::from_utf8(output.stdout).unwrap();
        (output.status.code().unwrap(), told.lines().last().unwrap_or_default().to_owned())
    };
    let both = [&*solved.stdout, &*solved.stderr].concat();
    assert_eq!(decoded(&both), (0, r#"{"status": "satisfiable", "solutions": 4, "complete": true}"#.into()));
    let alone = decoded(&solved.stdout);
    assert_eq!(alone, (4, r#"{"status": "satisfiable", "solutions": 4, "complete": false}"#.into()));
    assert_eq!(decoded(b""), (4, r#"{"status": "unknown", "solutions": 0, "complete": false}"#.into()));
    assert_eq!(decoded(b"nonsense\n").0, 3);
}
