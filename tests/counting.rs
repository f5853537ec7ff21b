//! Counting: which engine counts, what is said of it, and model counters, played by shell scripts.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::{Command, Output};
use tempfile::TempDir;

fn rebus(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rebus")).current_dir(folder).args(args).output().expect("runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A folder with a model counter, exact or not, that is a script.
fn counter(output: &str, script: &str) -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let fake = folder.path().join("fake");
    fs::write(&fake, format!("#!/bin/sh\n{script}\n")).expect("written");
    fs::set_permissions(&fake, fs::Permissions::from_mode(0o755)).expect("executable");
    let table = format!(
        "[[solver]]\nname = 'fake'\ncommand = '{}'\nargs = ['{{in}}']\nformat = 'cnf'\noutput = '{output}'\n",
        fake.display()
    );
    fs::write(folder.path().join("table.toml"), table).expect("written");
    folder
}

const FAKE: [&str; 4] = ["--solvers", "table.toml", "--solver", "fake"];

/// What `count` makes of a counter's script: standard output and exit code, what was said.
fn counted(output: &str, script: &str, further: &[&str]) -> (String, Option<i32>, String) {
    let folder = counter(output, script);
    let output = rebus(folder.path(), &[&["count", "queens", "-D", "n=6"], &FAKE[..], further].concat());
    (text(&output.stdout), output.status.code(), text(&output.stderr))
}

#[track_caller]
fn counts(script: &str, number: &str) {
    let (out, code, said) = counted("count", script, &[]);
    assert_eq!((out.trim_end(), code), (number, Some(0)), "{said}");
    assert!(said.contains("counted by `fake`, model counter; nothing of it was checked"), "{said}");
}

#[track_caller]
fn fails(script: &str, why: &str) {
    let (out, code, said) = counted("count", script, &[]);
    assert_eq!((out.as_str(), code), ("", Some(3)), "{said}");
    assert!(said.contains(why), "{said} from {script}");
}

#[test]
fn counters_are_believed_where_all_fits() {
    counts("printf 'c s type pmc\\ns SATISFIABLE\\nc s exact arb int 4\\n'", "4");
    counts(
        "printf 'c o hello\\r\\ns SATISFIABLE\\r\\nc s log10-estimate 0.6\\r\\nc s exact arb int 4\\r\\n'; exit 10",
        "4",
    );
    counts("printf 's pmc 4\\n'", "4");
    counts("printf 's UNSATISFIABLE\\nc s exact arb int 0\\n'; exit 20", "0");
    counts("printf 's UNSATISFIABLE\\n'", "0");
    let huge = "9".repeat(5000);
    counts(&format!("printf 's SATISFIABLE\\nc s exact arb int {huge}\\n'"), &huge);
    // the task, what is counted, and as many variables as there are
    let asked = r#"grep -q '^c t pmc$' $1 && grep -q '^c p show 1 2 .*0$' $1 && grep -q '^p cnf' $1 && "#;
    counts(&format!("{asked} printf 's SATISFIABLE\\nc s exact arb int 4\\n'"), "4");
}

#[test]
fn counters_that_lie_or_break_are_not_believed() {
    fails("exit 0", "the solver gave no count");
    fails("echo 'cannot open it' >&2; exit 3", "it ended with code 3; it said: cannot open it");
    fails("printf 's SATISFIABLE\\nc s exact arb int 4\\n'; exit 1", "it ended with code 1");
    fails("printf 's SATISFIABLE\\nc s exact arb int 4\\n'; kill -SEGV $$", "signal 11");
    fails("printf 's SATISFIABLE\\nc s exact arb int 4'", "the output is cut off");
    fails("printf 's SATISFIABLE\\n'", "no count");
    fails("printf 's SATISFIABLE\\nc s exact arb int 0\\n'", "contradicts itself");
    fails("printf 's UNSATISFIABLE\\nc s exact arb int 4\\n'", "contradicts itself");
    fails("printf 's SATISFIABLE\\ns UNSATISFIABLE\\n'", "contradicts itself");
    fails("printf 'c s exact arb int 4\\nc s exact arb int 5\\ns SATISFIABLE\\n'", "two numbers");
    fails("printf 's SATISFIABLE\\nc s exact arb int -4\\n'", "`-4` for a number");
    fails("printf 's SATISFIABLE\\nc s exact arb int 04\\n'", "`04` for a number");
    fails("printf 's SATISFIABLE\\nc s exact arb int 4e3\\n'", "`4e3` for a number");
    fails("printf 's SATISFIABLE\\nc s exact double prec-sci 4e3\\n'", "no whole one");
    fails("printf 's SATISFIABLE\\nc s type wmc\\nc s exact arb int 4\\n'", "another task, `wmc`");
    fails("printf 's SATISFYING\\n'", "the status `s SATISFYING`");
    fails(
        "printf 's SATISFIABLE\\nc s exact arb int '; head -c 2000000 /dev/zero | tr '\\0' 9; echo",
        "a line of more",
    );
    fails("head -c 300000 /dev/urandom | tr -d '\\0'", "");
}

#[test]
fn an_estimate_is_none_the_less_one() {
    let exact = "printf 's SATISFIABLE\\nc s exact arb int 4\\n'";
    for (output, script) in [
        ("count-approx", exact),
        ("count-approx", "printf 's SATISFIABLE\\ns mc 4\\n'"),
        ("count", "printf 's SATISFIABLE\\nc s approx arb int 4\\n'"),
        ("count", "printf 's SATISFIABLE\\nc s approx arb int 4\\nc s exact arb int 4\\n'"),
    ] {
        let (out, code, said) = counted(output, script, &[]);
        assert_eq!((out.as_str(), code), ("~4\n", Some(0)), "{said}");
        assert!(said.contains("estimated by `fake`"), "{said}");
        let (out, ..) = counted(output, script, &["-f", "json", "--limit", "2"]);
        assert!(out.contains(r#""solutions": 4, "complete": true, "exact": false"#), "{out}");
    }
}

#[test]
fn limits_hold_for_counters() {
    let many = "printf 's SATISFIABLE\\nc s exact arb int 100000000000000000000\\n'";
    assert_eq!(counted("count", many, &["--limit", "99"]).0, ">=99\n");
    assert_eq!(counted("count", many, &["--limit", &u64::MAX.to_string()]).0, format!(">={}\n", u64::MAX));
    let (out, code, said) = counted("count", "sleep 20", &["--timeout", "1"]);
    assert_eq!((out.as_str(), code), (">=0\n", Some(4)), "{said}");
    assert_eq!(counted("count", "echo 's UNKNOWN'", &[]).1, Some(4));
}

#[test]
fn counters_find_nothing() {
    let folder = counter("count", "printf 's SATISFIABLE\\nc s exact arb int 4\\n'");
    let output = rebus(folder.path(), &[&["solve", "queens"], &FAKE[..]].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("`fake` counts solutions, it finds none"));
    let run = |answer: &str| {
        let model = folder.path().join("f.cnf");
        fs::write(&model, "p cnf 1 1\n1 0\n").expect("written");
        rebus(folder.path(), &["run", "--solvers", "table.toml", answer, "f.cnf"])
    };
    let out = text(&run("fake").stdout);
    assert!(out.ends_with("s SATISFIABLE\nc s type pmc\nc s exact arb int 4\n"), "{out}");
}

#[test]
fn what_does_not_project_must_not_count_projections() {
    let script = "printf 's SATISFIABLE\\nc s type mc\\nc s exact arb int 4\\n'";
    counts(script, "4");
    let folder = counter("count", script);
    fs::write(folder.path().join("m.rebus"), "var x, y : bool\nrule: x or y\nanswer x\n").expect("written");
    let output = rebus(folder.path(), &[&["count", "m.rebus"], &FAKE[..]].concat());
    assert_eq!(output.status.code(), Some(3));
    assert!(text(&output.stderr).contains("several may be one solution"), "{}", text(&output.stderr));
    fs::write(folder.path().join("o.rebus"), "var x : 0..3\nmaximize x\n").expect("written");
    let output = rebus(folder.path(), &[&["count", "o.rebus"], &FAKE[..]].concat());
    assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
}

#[test]
fn who_counted_is_said() {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("m.rebus"), "var x[3] : 0..3\nrule: sum(x) = 4\n").expect("written");
    for (args, number, by) in [
        (
            &["queens", "-D", "n=6"][..],
            4,
            "counted by `embedded`, exact cover; the first solution was checked",
        ),
        (&["queens", "-D", "n=6", "--to", "cnf"], 4, "`embedded`, backtracking; every solution was checked"),
        (&["m.rebus"], 12, "`embedded`, backtracking; every solution was checked"),
        (&["queens", "-D", "n=3"], 0, "counted by `embedded`, exact cover; there was no solution to check"),
        (&["row", "-D", "clue=1..1"], 0, "there was no solution to check"),
        (&["m.rebus", "--limit", "1"], 1, "`embedded`, blocking clauses; every solution was checked"),
    ] {
        let output = rebus(folder.path(), &[&["count"], args].concat());
        let number = if args.contains(&"--limit") { format!(">={number}\n") } else { format!("{number}\n") };
        assert_eq!(text(&output.stdout), number);
        assert!(text(&output.stderr).contains(by), "{}", text(&output.stderr));
    }
    let output = rebus(folder.path(), &["count", "m.rebus", "-f", "json"]);
    assert_eq!(
        text(&output.stdout),
        "{\"solutions\": 12, \"complete\": true, \"exact\": true, \"engine\": \"embedded\", \
         \"method\": \"backtracking\", \"checked\": \"all\"}\n"
    );
}

#[test]
fn counts_beyond_64_bits_are_exact() {
    let folder = tempfile::tempdir().expect("a folder");
    let dominoes = "let box = [(r, c) for r in 1..14, c in 1..14]
let spots = [spot for t in turns([\"##\"]), spot in placements(t, box)]
var put[spots] : bool
rule: for p in box: count(put[t] for t in spots if p in t) = 1
";
    fs::write(folder.path().join("dominoes.rebus"), dominoes).expect("written");
    let output = rebus(folder.path(), &["count", "dominoes.rebus"]);
    assert_eq!(text(&output.stdout), "112202208776036178000000\n", "{}", text(&output.stderr));
}
