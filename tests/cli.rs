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

#[test]
fn an_estimate_is_what_compile_writes() {
    let folder = TempDir::new().expect("a folder");
    for target in ["cnf", "wcnf", "opb", "xcc"] {
        let estimate = ran(&folder, &["check", "queens", "-D", "n=6", "--estimate", "--to", target]);
        let compiled = ran(&folder, &["compile", "queens", "-D", "n=6", "--to", target, "-o", "formula"]);
        assert_eq!(estimate.status.code(), compiled.status.code(), "{target}");
        if !compiled.status.success() {
            assert_eq!(estimate.stderr, compiled.stderr);
            continue;
        }
        let map = fs::read_to_string(folder.path().join("formula.map")).expect("a map");
        let size = fs::metadata(folder.path().join("formula")).expect("a file").len();
        let told = text(&estimate.stdout);
        let number = |name: &str| -> u64 {
            let line = told.lines().find_map(|line| line.trim().strip_prefix(name)).expect("a line");
            line.trim().parse().expect("a number")
        };
        assert_eq!(number("bytes"), size, "{told}");
        for name in ["variables", "rows"] {
            let mapped = if name == "rows" { "clauses" } else { name };
            let line = format!("{mapped} {}", number(name));
            assert!(map.lines().any(|other| other == line), "{told}{map}");
        }
    }
    // too big is told before anything is formed
    let output = ran(&folder, &["check", "queens", "--estimate", "--max-clauses", "10"]);
    assert_eq!(output.status.code(), Some(4), "{}", text(&output.stderr));
}

/// The folder that the examples of `--help` are run in: every file they name.
fn shelf() -> TempDir {
    let folder = TempDir::new().expect("a folder");
    let root = std::path::Path::new(env!("CARGO_MANIFEST_DIR"));
    fs::create_dir(folder.path().join("examples")).expect("a folder");
    for (from, to) in [
        ("examples/sudoku/sudoku.rebus", "sudoku.rebus"),
        ("examples/sudoku/sudoku.rebus", "model.rebus"),
        ("examples/sudoku/sudoku.rebus", "examples/sudoku.rebus"),
        ("examples/sudoku/sudoku-1.clues", "board.clues"),
        ("tests/data/nonogram/gnonograms-gnome.non", "picture.non"),
    ] {
        fs::copy(root.join(from), folder.path().join(to)).expect("a copy");
    }
    let line = SUDOKU.trim_start_matches("clue=");
    let texts = [
        ("boards.txt", format!("{line}\n{line}\n")),
        ("my-solvers.toml", "[[solver]]\nname = \"mine\"\ncommand = \"mine\"\nargs = [\"{in}\"]\nformat = \"cnf\"\noutput = \"competition\"\n".into()),
    ];
    for (name, text) in texts {
        fs::write(folder.path().join(name), text).expect("a file");
    }
    let script = "rebus compile knightdoku knightdoku-1.clues -o k.cnf && { rebus sat k.cnf > k.out; cp k.cnf formula.cnf; mkdir formulas; cp k.cnf formulas; }
        rebus compile knightdoku knightdoku-1.clues -o formula.cnf.gz
        rebus compile queens -D n=6 --to xcc -o queens.dlx && { cp queens.dlx dominoes.dlx; cp queens.dlx sudoku.dlx; }
        { echo 'x = \"\"\"'; rebus solve sudoku board.clues; echo '\"\"\"'; } > answer.clues";
    let made = shell(&folder, script);
    assert!(made.status.success(), "{}", text(&made.stderr));
    folder
}

/// Runs a line as a person would, `rebus` and the solvers found by name.
fn shell(folder: &TempDir, script: &str) -> Output {
    let own = std::path::Path::new(env!("CARGO_BIN_EXE_rebus")).parent().expect("a folder").to_path_buf();
    let solvers = std::env::var_os("REBUS_SOLVER_PATH").unwrap_or_default();
    let path = std::env::var_os("PATH").unwrap_or_default();
    let all = std::iter::once(own).chain(std::env::split_paths(&solvers)).chain(std::env::split_paths(&path));
    let mut command = Command::new("bash");
    command.env("PATH", std::env::join_paths(all.collect::<Vec<_>>()).expect("a path"));
    command.current_dir(folder.path()).args(["-c", script]).stdin(Stdio::null()).output().expect("bash runs")
}

/// The commands that `rebus --help` lists.
fn commands(folder: &TempDir) -> Vec<String> {
    let help = text(&ran(folder, &["--help"]).stdout);
    let listed =
        help.lines().skip_while(|line| *line != "Commands:").skip(1).take_while(|line| !line.is_empty());
    let names = listed.filter_map(|line| line.split_whitespace().next());
    names.filter(|name| *name != "help").map(String::from).collect()
}

#[test]
fn every_command_has_examples_and_they_run() {
    let folder = shelf();
    let commands = commands(&folder);
    assert!(commands.len() > 10, "{commands:?}");
    let mut wrong = Vec::new();
    for command in std::iter::once("").chain(commands.iter().map(String::as_str)) {
        let args: Vec<&str> = [command, "--help"].into_iter().filter(|arg| !arg.is_empty()).collect();
        let help = text(&rebus(&folder, &args).env("COLUMNS", "120").output().expect("rebus runs").stdout);
        let examples = help.lines().skip_while(|line| *line != "EXAMPLES:").skip(1);
        let examples: Vec<&str> = examples.take_while(|line| line.starts_with("  ")).map(str::trim).collect();
        if examples.is_empty() {
            wrong.push(format!("`rebus {command}` has no examples"));
        }
        for example in examples {
            // what it does stands behind it
            let script = example.split("   ").next().unwrap_or_default();
            let output = shell(&folder, script);
            let told = text(&output.stderr);
            let missing = told.contains("[solver-missing]") || told.contains("command not found");
            let right = match command {
                "sat" => output.status.code() == Some(10),
                // the page needs node; tests/web.rs serves one
                "web" => true,
                _ => output.status.success(),
            };
            if !right && !missing {
                wrong.push(format!("{script}: {:?}\n{told}", output.status.code()));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// The exit codes, each for the first reasons of its own.
#[test]
fn exit_codes() {
    let folder = shelf();
    let cases = [
        (0, "rebus solve sudoku board.clues"),
        (0, "rebus count row"),
        (0, "rebus solve row -D 'given=[1, 1, none, none]' || true"),
        (10, "rebus solve sudoku board.clues --exit-code"),
        (
            20,
            "rebus solve sudoku -D clue=55............................................................................... --exit-code",
        ),
        (10, "rebus decode k.cnf.map k.out --exit-code"),
        (20, "echo 's UNSATISFIABLE' | rebus decode k.cnf.map --exit-code"),
        (1, "rebus solve none.rebus"),
        (1, "rebus solve sudoku"),
        (1, "rebus solve sudoku -D clue=12"),
        (2, "rebus solve"),
        (2, "rebus solve sudoku board.clues --all --limit 2"),
        (2, "rebus compile sudoku board.clues -o -"),
        (2, "rebus solve sudoku board.clues --jobs 2"),
        (2, "rebus nosuch"),
        (3, "rebus solve sudoku board.clues --solver nosuch"),
        (3, "rebus solve sudoku board.clues --solver 'false {in}'"),
        (3, "printf 's SATISFIABLE\\nv 1 2 0\\n' | rebus decode k.cnf.map"),
        (4, "rebus solve sudoku board.clues --max-clauses 10"),
        (4, "echo 's UNKNOWN' | rebus decode k.cnf.map"),
        (4, "rebus count queens -D n=12 --timeout 0"),
        (
            5,
            "rebus solve sudoku -D clue=................................................................................. --unique",
        ),
        (
            5,
            "echo 'x = \"12\"' > b.clues; printf 'var x[2] : 1..2\\nrule: x[1] > x[2]\\n' > m.rebus; rebus verify m.rebus b.clues",
        ),
        (5, "printf 'var  x:1..2' > loose.rebus; rebus fmt --check loose.rebus"),
        (10, "rebus sat k.cnf"),
        (20, "printf 'p cnf 1 2\\n1 0\\n-1 0\\n' | rebus sat -"),
        (0, "rebus sat k.cnf --timeout 0"),
        (
            0,
            "printf '#!/bin/sh\\necho s UNKNOWN\\n' > giveup; chmod +x giveup; rebus run './giveup {in}' k.cnf",
        ),
        (0, "rebus --help"),
        (0, "rebus --version"),
    ];
    let wrong: Vec<String> = cases
        .iter()
        .filter_map(|(code, script)| {
            let output = shell(&folder, script);
            let right = output.status.code() == Some(*code);
            (!right).then(|| {
                format!("{script}: {:?}, not {code}\n{}", output.status.code(), text(&output.stderr))
            })
        })
        .collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// A variable that another hides has a name of its own wherever values are told by name.
#[test]
fn hidden_variables_are_told_apart() {
    let folder = tempfile::tempdir().expect("a folder");
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("written");
    write("base.rebus", "var x : 1..2\nrule: x = 1\n");
    write("m.rebus", "import \"base.rebus\"\nvar x : 3..4\nvar y : 1..2\nrule: x = 3\nrule: y = 2\nshow x\n");
    let stdout = |args: &[&str]| String::from_utf8(ran(&folder, args).stdout).expect("text");
    let told = stdout(&["solve", "m.rebus", "-f", "json"]);
    assert!(
        told.starts_with("{\"solution\": 1, \"values\": {\"base.x\": 1, \"x\": 3, \"y\": 2}}\n"),
        "{told}"
    );
    write("s.json", told.lines().next().expect("a solution"));
    assert_eq!(stdout(&["verify", "m.rebus", "s.json"]), "correct\n");
    assert_eq!(stdout(&["solve", "m.rebus", "-f", "csv"]), "base.x,x,y\r\n1,3,2\r\n");
    assert!(ran(&folder, &["compile", "m.rebus", "-o", "m.cnf"]).status.success());
    write("m.out", &stdout(&["sat", "m.cnf"]));
    assert!(
        stdout(&["decode", "m.cnf.map", "m.out", "-f", "json"])
            .starts_with(told.lines().next().expect("one"))
    );
    // nobody sees either of these, and yet they are two
    std::fs::create_dir(folder.path().join("sub")).expect("a folder");
    write("sub/base.rebus", "var x : 5..6\nrule: x = 6\n");
    write("m.rebus", "import \"base.rebus\"\nimport \"sub/base.rebus\"\nparam x = 1\nvar y : 1..1\n");
    let told = stdout(&["solve", "m.rebus", "-f", "json"]);
    assert!(told.contains("{\"base.x\": 1, \"base.x.2\": 6, \"y\": 1}"), "{told}");
}
