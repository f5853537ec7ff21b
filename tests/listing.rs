//! Many solutions: listed by the embedded engines, and by solvers, played by shell scripts, that list them in one run or
//! not; cut off in every way, what was written is whole.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::Duration;
use tempfile::TempDir;

/// 2^20 solutions.
const FREE: &str = "var x[20] : bool\nshow x\n";

/// A folder with a model, and a solver that is a script; `listing` if it is asked for all models.
fn stage(model: &str, script: &str, listing: bool) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("m.rebus"), model).expect("written");
    let fake = folder.path().join("fake");
    // so many models of 20 variables, those of the numbers that awk counts up to
    let models = r#"models() { awk -v n="$1" 'BEGIN { for (i = 0; i < n; i++) { s = "v"; k = i
        for (b = 1; b <= 20; b++) { s = s " " (k % 2 ? b : -b); k = int(k / 2) }
        print "s SATISFIABLE"; print s " 0" } }'; }"#;
    let log = format!("echo run >> '{}'", folder.path().join("log").display());
    fs::write(&fake, format!("#!/bin/bash\n{models}\n{log}\n{script}\n")).expect("written");
    fs::set_permissions(&fake, fs::Permissions::from_mode(0o755)).expect("executable");
    let all = if listing { "all = ['--all']\n" } else { "" };
    let table = format!(
        "[[solver]]\nname = 'fake'\ncommand = '{}'\nargs = ['{{in}}']\nformat = 'cnf'\noutput = 'picosat'\n{all}",
        fake.display()
    );
    fs::write(folder.path().join("table.toml"), table).expect("written");
    folder
}

const FAKE: [&str; 4] = ["--solvers", "table.toml", "--solver", "fake"];

fn command(folder: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rebus"));
    // what a killed one leaves behind goes with the folder
    command.current_dir(folder).env("TMPDIR", folder).args(args);
    command
}

fn rebus(folder: &TempDir, args: &[&str]) -> Output {
    command(folder.path(), args).output().expect("runs")
}

fn asked(folder: &TempDir, args: &[&str]) -> Output {
    rebus(folder, &[args, &FAKE[..]].concat())
}

fn runs(folder: &TempDir) -> usize {
    fs::read_to_string(folder.path().join("log")).expect("a run").lines().count()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The rows of a table, every one whole: as many entries as the head has.
#[track_caller]
fn rows(csv: &[u8]) -> usize {
    let csv = text(csv);
    assert!(csv.is_empty() || csv.ends_with('\n'), "the last line is cut off: {:?}", csv.lines().last());
    let mut lines = csv.lines();
    let width = lines.next().map_or(0, |head| head.split(',').count());
    lines.inspect(|line| assert_eq!(line.split(',').count(), width, "{line}")).count()
}

#[test]
fn one_run_lists_all() {
    let folder =
        stage(FREE, "[ \"$1\" = --all ] || exit 9; models 70000; echo 's SOLUTIONS 70000'; exit 20", true);
    let output = asked(&folder, &["count", "m.rebus", "-f", "json"]);
    assert_eq!(
        text(&output.stdout),
        "{\"solutions\": 70000, \"complete\": true, \"exact\": true, \"engine\": \"fake\", \
         \"method\": \"listing\", \"checked\": \"all\"}\n",
        "{}",
        text(&output.stderr)
    );
    assert_eq!(rows(&asked(&folder, &["solve", "m.rebus", "--all", "-f", "csv"]).stdout), 70000);
    assert_eq!(runs(&folder), 2);
}

#[test]
fn a_list_is_shown_as_it_comes() {
    // the rest takes a minute
    let folder = stage(FREE, "models 1000; exec sleep 60", true);
    let output = asked(&folder, &["solve", "m.rebus", "--limit", "500", "-f", "csv"]);
    assert_eq!((rows(&output.stdout), output.status.code()), (500, Some(0)), "{}", text(&output.stderr));
    let output = asked(&folder, &["solve", "m.rebus", "--all", "-f", "csv", "--timeout", "3"]);
    assert_eq!((rows(&output.stdout), output.status.code()), (1000, Some(4)), "{}", text(&output.stderr));
}

#[test]
fn nobody_reads_on() {
    let folder = stage(FREE, "models 1000000000", true);
    for engine in ["--solvers table.toml --solver fake", "--to cnf", "--to xcc"] {
        for form in ["csv", "json"] {
            let line = format!(
                "'{}' solve m.rebus --all -f {form} {engine} | head -100",
                env!("CARGO_BIN_EXE_rebus")
            );
            let output =
                Command::new("bash").args(["-c", &line]).current_dir(folder.path()).output().expect("runs");
            assert_eq!(text(&output.stdout).lines().count(), 100, "{engine} {form}");
            assert_eq!(text(&output.stderr), "", "{engine} {form}");
        }
    }
}

/// Kilobytes that a process has held at most.
#[cfg(target_os = "linux")]
fn peak(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).expect("it runs");
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).expect("its peak");
    line.trim().trim_end_matches(" kB").parse().expect("a number")
}

/// A list of 100,000 takes what one of 10,000 does, whoever makes it, in every form.
#[cfg(target_os = "linux")]
#[test]
fn memory_does_not_grow_with_the_list() {
    use std::io::{BufRead, BufReader};
    let folder = stage(FREE, "models 100000; echo 's SOLUTIONS 100000'", true);
    let graph = "var b[4, 5] : bool\nrule: acyclic({(p, q): b[p] and b[q] for (p, q) in edges(b) if p = q})\nshow b\n";
    fs::write(folder.path().join("graph.rebus"), graph).expect("written");
    let forms = ["text", "json", "csv"];
    let embedded = forms.map(|form| (vec!["solve", "m.rebus", "-f", form], form));
    let others = [
        ([&["solve", "m.rebus", "-f", "json"], &FAKE[..]].concat(), "json"),
        (vec!["solve", "graph.rebus", "-f", "json"], "json"),
    ];
    for (args, form) in embedded.into_iter().chain(others) {
        let mut listing = command(folder.path(), &[&args[..], &["--limit", "100000"]].concat());
        let mut listing = listing.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("runs");
        let lines = BufReader::new(listing.stdout.take().expect("a pipe")).lines();
        let (mut early, mut late, mut count) = (0, 0, 0);
        let solutions = lines.map(|line| line.expect("text")).filter(|line| !line.is_empty());
        for _ in solutions {
            count += 1;
            match count {
                10_000 => early = peak(listing.id()),
                // before the last that a pipe may hold
                98_000 => late = peak(listing.id()),
                _ => {}
            }
        }
        assert!(listing.wait().expect("it ends").success(), "{args:?}");
        assert!((100_000..=100_001).contains(&count), "{args:?}: {count} lines in the form {form}");
        // of another solver's answers a digest of 16 bytes each is kept, to see repeats
        assert!(early > 0 && late < early + 6000, "{args:?}: {early} kB, then {late} kB");
    }
}

#[test]
fn lists_that_lie_or_break() {
    let code = |script: &str| {
        let folder = stage("var x[20] : bool\nrule: not (x[1] and x[2])\n", script, true);
        let output = asked(&folder, &["solve", "m.rebus", "--all", "-f", "csv"]);
        (rows(&output.stdout), output.status.code(), text(&output.stderr))
    };
    // the fourth breaks the rule
    let (shown, exit, said) = code("models 100; echo 's SOLUTIONS 100'; exit 20");
    assert_eq!((shown, exit), (3, Some(3)), "{said}");
    // the same once more: of what it counted three may be missing
    let (shown, exit, said) = code("models 3; models 3; echo 's SOLUTIONS 6'; exit 20");
    assert_eq!((shown, exit), (3, Some(4)), "{said}");
    assert!(said.contains("the same solution twice"), "{said}");
    // what was cut off is none, and what was whole stays
    let (shown, exit, said) = code("models 3; printf 's SATISFIABLE\\nv 1 -2'; kill -SEGV $$");
    assert_eq!((shown, exit), (3, Some(3)), "{said}");
    // fewer than it says
    let (shown, exit, said) = code("models 3; echo 's SOLUTIONS 4'; exit 20");
    assert_eq!((shown, exit), (3, Some(3)), "{said}");
    // all that it knows, which need not be all
    let (shown, exit, said) = code("models 3; exit 10");
    assert_eq!((shown, exit), (3, Some(4)), "{said}");
}

#[test]
fn others_are_run_again() {
    // a model for each number of blocking clauses
    let script = r#"n=$(grep -vc '^[cp]' "$1"); models $((n + 1)) | tail -2"#;
    let folder = stage(FREE, script, false);
    let output = asked(&folder, &["solve", "m.rebus", "--limit", "7", "-f", "csv"]);
    assert_eq!((rows(&output.stdout), output.status.code()), (7, Some(0)), "{}", text(&output.stderr));
    assert_eq!(runs(&folder), 7);
    assert_eq!(text(&output.stderr).matches("is run again for each further solution").count(), 1);
    let output = asked(&folder, &["count", "m.rebus", "--limit", "3"]);
    assert!(text(&output.stderr).contains("counted by `fake`, blocking clauses"), "{}", text(&output.stderr));
    assert_eq!(text(&output.stdout), ">=3\n");
}

/// Where models may be the same answer, all of them are more than need be listed.
#[test]
fn projections_are_not_listed() {
    let model = "var x, y : bool\nanswer x\n";
    let script = r#"echo 's SATISFIABLE'; case $(grep -vc '^[cp]' "$1") in 0) echo 'v 1 2 0';; *) echo 'v -1 2 0';; esac; exit 10"#;
    let folder = stage(model, script, true);
    let output = asked(&folder, &["solve", "m.rebus", "--limit", "2", "-f", "csv"]);
    assert_eq!(rows(&output.stdout), 2, "{}", text(&output.stderr));
    assert_eq!(runs(&folder), 2);
}

/// A solver that says there is a model, and is stopped before it has printed one, has not failed.
#[test]
fn stopped_before_the_first() {
    for (script, listing) in [("echo 's SATISFIABLE'", false), ("echo 's SATISFIABLE'; printf 'v 1 2'", true)]
    {
        let folder = stage(FREE, &format!("{script}; sleep 60"), listing);
        let output = asked(&folder, &["solve", "m.rebus", "--all", "--timeout", "1"]);
        assert_eq!(output.status.code(), Some(4), "{script}: {}", text(&output.stderr));
        assert_eq!(text(&output.stdout), "unknown\n");
    }
}

#[test]
fn interrupted_anywhere_solutions_are_whole() {
    let folder = stage(FREE, "models 1000000000", true);
    for engine in [&["--to", "cnf"][..], &["--to", "xcc"], &FAKE[..]] {
        for signal in ["INT", "TERM", "KILL"] {
            let path = folder.path().join("out");
            let out = fs::File::create(&path).expect("made");
            let args = [&["solve", "m.rebus", "--all", "-f", "csv"], engine].concat();
            let mut child =
                command(folder.path(), &args).stdout(out).stderr(Stdio::null()).spawn().expect("runs");
            while fs::metadata(&path).expect("there").len() < 20_000 {
                assert_eq!(child.try_wait().expect("a child"), None, "{engine:?}");
                std::thread::sleep(Duration::from_millis(5));
            }
            let id = child.id().to_string();
            assert!(Command::new("kill").args(["-s", signal, &id]).status().expect("runs").success());
            assert!(!child.wait().expect("a child").success(), "{engine:?} {signal}");
            let mut written = fs::read(&path).expect("read");
            if signal == "KILL" {
                // the system itself stops between two pages of what it writes
                written.truncate(written.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1));
            }
            assert!(rows(&written) > 100, "{engine:?} {signal}");
        }
        // a slow machine may get to no solution at first
        let written = ["1", "4", "16", "64"].iter().any(|seconds| {
            let args = [&["solve", "m.rebus", "--all", "-f", "csv", "--timeout", *seconds], engine].concat();
            let output = rebus(&folder, &args);
            assert_eq!(output.status.code(), Some(4), "{engine:?}");
            rows(&output.stdout) > 0
        });
        assert!(written, "{engine:?}");
    }
}
