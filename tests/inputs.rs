//! Bad input of every kind: the table of `docs/inputs.md`, a case for each row.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

const LATIN: &str = r#"param clue[3, 3] : (1..3)?
var x[3, 3] : 1..3
rule "given {p}": for (p, v) in givens(clue): x[p] = v
rule "row {r}": for r in 1..3: distinct(x[r, *])
rule "column {c}": for c in 1..3: distinct(x[*, c])
show x
"#;

struct Desk(TempDir);

impl Desk {
    fn new() -> Desk {
        let desk = Desk(TempDir::new().expect("a folder"));
        desk.put("latin.rebus", LATIN).put("board.clues", "clue = \"\"\"1..\n...\n...\"\"\"\n")
    }

    fn put(self, name: &str, text: impl AsRef<[u8]>) -> Desk {
        let path = self.0.path().join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, text).expect("a file");
        self
    }

    fn run(&self, args: &[&str]) -> Output {
        self.command(args).output().expect("rebus runs")
    }

    fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rebus"));
        command.current_dir(self.0.path()).args(args).stdin(Stdio::null());
        command
    }

    fn shell(&self, script: &str) -> Output {
        let mut command = Command::new("bash");
        command.current_dir(self.0.path()).env("REBUS", env!("CARGO_BIN_EXE_rebus")).args(["-c", script]);
        command.output().expect("bash runs")
    }
}

/// Runs with so many megabytes of address space.
fn within(desk: &Desk, megabytes: u32, args: &str) -> Output {
    // macOS has no such limit; the input is refused there as well
    desk.shell(&format!("ulimit -v {} 2> /dev/null; \"$REBUS\" {args}", megabytes << 10))
}

fn check(model: &str) -> Output {
    Desk::new().put("m.rebus", model).run(&["check", "m.rebus"])
}

fn import(path: &str, prepare: impl FnOnce(&Path)) -> Output {
    let desk = Desk::new().put("out.rebus", "let a = 1").put("in/m.rebus", format!("import \"{path}\""));
    prepare(&desk.0.path().join("in"));
    desk.run(&["check", "in/m.rebus"])
}

fn solver(script: &str) -> Output {
    let desk = Desk::new().put("fake", format!("#!/bin/sh\n{script}\n"));
    fs::set_permissions(desk.0.path().join("fake"), fs::Permissions::from_mode(0o755)).expect("permissions");
    let fake = format!("{} {{in}}", desk.0.path().join("fake").display());
    desk.run(&["solve", "latin.rebus", "board.clues", "--solver", &fake, "--timeout", "1"])
}

/// A run whose proof is given to a program of ours, or to none.
fn checker(script: Option<&str>) -> Output {
    let desk = Desk::new().put("bin/drat-trim", format!("#!/bin/sh\n{}\n", script.unwrap_or_default()));
    let bin = desk.0.path().join("bin");
    let mode = if script.is_some() { 0o755 } else { 0o644 };
    fs::set_permissions(bin.join("drat-trim"), fs::Permissions::from_mode(mode)).expect("permissions");
    let mut command =
        desk.command(&["solve", "latin.rebus", "board.clues", "--all", "--check-proof", "--proof", "p.drat"]);
    command.env("REBUS_SOLVER_PATH", &bin).env("PATH", "/usr/bin:/bin").env_remove("VIRTUAL_ENV");
    command.env("REBUS_SOLVER_RATE", "/no/rate").output().expect("rebus runs")
}

fn compiled() -> Desk {
    let desk = Desk::new();
    assert!(desk.run(&["compile", "latin.rebus", "board.clues", "-o", "k.cnf"]).status.success());
    desk.put("answer", "s UNSATISFIABLE\n")
}

/// The data that injects, and where it may stand in a formula.
fn injection() -> Output {
    let model = "param t : text\nvar x : 1..2\nrule \"--elim=0\\n1 0 {t}\": x = 1\nshow t\n";
    let desk = Desk::new().put("m.rebus", model);
    let t = "t=\u{1b}[31mred\nc p show 1 0\n1 0\np cnf 1 1";
    let output = desk.run(&["compile", "m.rebus", "-D", t, "-o", "k.cnf", "--annotate"]);
    let formula = fs::read_to_string(desk.0.path().join("k.cnf")).expect("a formula");
    assert!(!formula.contains('\u{1b}'));
    assert!(formula.contains("c : --elim=0") && formula.contains("c : c p show 1 0"), "{formula}");
    for line in formula.lines().filter(|line| line.contains("elim") || line.contains("[31m")) {
        assert!(line.starts_with("c : "), "{line:?} carries a user's text");
    }
    assert_eq!(formula.lines().filter(|line| line.starts_with("c p show")).count(), 1);
    assert_eq!(formula.lines().filter(|line| line.starts_with("p cnf")).count(), 1);
    for form in ["text", "json", "csv"] {
        let output = desk.run(&["solve", "m.rebus", "-D", t, "-f", form]);
        assert!(output.status.success() && !output.stdout.contains(&0x1b), "{form}");
    }
    output
}

/// What a row's input leads to, and words that standard error must hold.
fn case(row: &str) -> Option<(Output, &'static [&'static str])> {
    Some(match row {
        "several syntax faults in one file" => {
            (check("var x : 1..3\nrule: x = = 2\nlet = 3\nshow x\n"), &["m.rebus:2:11", "m.rebus:3:5"])
        }
        "an unknown name: the nearest one is proposed" => {
            (check("var house : 1..2\nrule: hause = 1\n"), &["did you mean `house`", "m.rebus:2:7"])
        }
        "a value of the wrong type" => (check("var b : bool\nrule: b = 1\n"), &["m.rebus:2:7"]),
        "a picture with a row too many" => {
            (check("param c[1, 2] : 1..2\nc = \"\"\"12\n21\"\"\"\n"), &["2 rows, 1 expected", "m.rebus:3:1"])
        }
        "a picture row of the wrong length" => (
            check("param c[2, 2] : 1..2\nc = \"\"\"12\n211\"\"\"\n"),
            &["row 2", "2 expected", "m.rebus:3:1"],
        ),
        "a board in one line, an entry short" => {
            let line = format!("clue={}", ".".repeat(80));
            (Desk::new().run(&["solve", "sudoku", "-D", &line]), &["80 entries, 81 expected"])
        }
        "a value outside its domain, used or not" => (check("param n : 1..9\nn = 12\n"), &["expected"]),
        "missing parameters, all at once" => (check("param n, m : int\n"), &["`n`, `m`"]),
        "a parameter that the model does not have" => {
            (Desk::new().run(&["check", "latin.rebus", "-D", "cleu=1"]), &["did you mean `clue`"])
        }
        "an index out of range" => (check("let a = [1]\nshow a[2]\n"), &["m.rebus:2:6"]),
        "an index of booleans out of range in a drawing" => {
            let desk = Desk::new().put("m.rebus", "var x[3] : bool\nshow x[4]\n");
            (desk.run(&["solve", "m.rebus"]), &["m.rebus:2:6"])
        }
        "division by zero" => (check("show 1 / 0\n"), &["m.rebus:1:6"]),
        "integer overflow of known numbers" => (check("show 9223372036854775807 + 1\n"), &["64 bits"]),
        "integer overflow of the bounds of a term" => {
            (check("var x : [1, 4611686018427387904]\nrule: x * 4 = 8\n"), &["64 bits"])
        }
        "a function that calls itself without end" => (check("def f(n) = f(n + 1)\nshow f(1)\n"), &["`f`"]),
        "a `let` defined by itself" => (check("let a = a + 1\nshow a\n"), &["`a`"]),
        "recursion 1,000 deep" => {
            (check("def f(n) = if n = 0 then 0 else 1 + f(n - 1)\nvar x : 1..2000\nrule: x = f(1000)\n"), &[])
        }
        "100,000 nested parentheses" => {
            let n = 100_000;
            (check(&format!("show {}1{}\n", "(".repeat(n), ")".repeat(n))), &["nests"])
        }
        "an `else if` chain of 1,000" => {
            let arms: String = (1..1000).map(|i| format!(" else if n = {i} then {i}")).collect();
            let model = format!("let n = 999\nvar x : 0..999\nrule: x = if n = 0 then 0{arms} else 1\n");
            (check(&model), &[])
        }
        "a list of 20,000 numbers whose length is a parameter" => {
            let list = vec!["12345678"; 20_000].join(",");
            (check(&format!("param n : int\nparam c[n] : int\nc = [{list}]\nshow n\n")), &[])
        }
        "a data file above the limit of 16 MiB" => {
            let desk = Desk::new();
            let file = fs::File::create(desk.0.path().join("big.clues")).expect("a file");
            file.set_len(200 << 20).expect("room");
            (within(&desk, 128, "check latin.rebus big.clues"), &["16777216 bytes"])
        }
        "a picture of more entries than the limit" => {
            let text = format!("c = \"\"\"\n{}\"\"\"\n", format!("{}\n", ".".repeat(3000)).repeat(3000));
            let desk =
                Desk::new().put("m.rebus", "param h, w\nparam c[h, w] : (0..9)?\n").put("b.clues", text);
            (within(&desk, 1024, "check m.rebus b.clues"), &["4194304 entries"])
        }
        "a picture that its longest line pads beyond the limit" => {
            let text = format!("t = \"\"\"\n{}{}\n\"\"\"\n", "x\n".repeat(60_000), "y".repeat(1_000_000));
            let desk = Desk::new().put("m.rebus", "param h, w\nparam t[h, w] : text\n").put("b.clues", text);
            (within(&desk, 1024, "check m.rebus b.clues"), &["4194304 entries"])
        }
        "a list of more entries than the limit" => {
            let text = format!("{{\"c\": [{}1]}}", "1,".repeat(1 << 22));
            let desk = Desk::new().put("m.rebus", "param n\nparam c[n] : int\n").put("b.json", text);
            (within(&desk, 1024, "check m.rebus b.json"), &["4194304 entries"])
        }
        "bytes that are not UTF-8" => (
            Desk::new().put("b.clues", b"clue = \xff").run(&["check", "latin.rebus", "b.clues"]),
            &["line 1"],
        ),
        "a byte order mark and CRLF: accepted, places right" => {
            (check("\u{feff}var x : 1..3\r\nrule: x = y\r\n"), &["m.rebus:2:11"])
        }
        "an output in a folder that is not there" => {
            (Desk::new().run(&["compile", "latin.rebus", "board.clues", "-o", "no/k.cnf"]), &["no/k.cnf"])
        }
        "a full disk (formula)" => {
            let args =
                ["compile", "latin.rebus", "board.clues", "-o", "/dev/full", "--no-map", "--to", "cnf"];
            (Desk::new().run(&args), &["/dev/full"])
        }
        "a full disk (standard output)" => {
            (Desk::new().shell("\"$REBUS\" solve latin.rebus board.clues > /dev/full"), &["standard output"])
        }
        "a pipe closed by its reader" => {
            let desk = Desk::new().put("many.rebus", "var a[12] : bool\nshow a\n");
            let script = "set -o pipefail; \"$REBUS\" solve many.rebus --all | head -1";
            let output = desk.shell(script);
            assert!(output.stderr.is_empty());
            (output, &[])
        }
        "truncated gz data" => {
            let desk = Desk::new().put("b.clues.gz", b"\x1f\x8b\x08\0\0\0\0\0\0\x03K");
            (desk.run(&["check", "latin.rebus", "b.clues.gz"]), &["too early"])
        }
        "a file named `.gz` that is none" => (
            Desk::new().put("b.clues.gz", "clue").run(&["check", "latin.rebus", "b.clues.gz"]),
            &["no gz data"],
        ),
        "the map of another formula (`decode --formula`)" => {
            let desk = compiled().put("other.cnf", "p cnf 1 1\n1 0\n");
            (desk.run(&["decode", "k.cnf.map", "answer", "--formula", "other.cnf"]), &["digests differ"])
        }
        "a damaged map" => {
            let desk = compiled();
            let map = fs::read_to_string(desk.0.path().join("k.cnf.map")).expect("a map");
            let desk = desk.put("k.map", map.replace("x[p] = v", "x[p] = 1"));
            (desk.run(&["decode", "k.map", "answer"]), &["damaged"])
        }
        "escape sequences in a model" => (check("show \"\u{1b}[31m\"\n"), &["U+001B"]),
        "escape sequences and comment injection in data and labels" => (injection(), &[]),
        "an import through `..`" => (import("../out.rebus", |_| ()), &["folder", "in/m.rebus:1:8"]),
        "an absolute import" => (import("/etc/passwd", |_| ()), &["folder"]),
        "an import through a symbolic link out" => (
            import("l.rebus", |at| symlink("../out.rebus", at.join("l.rebus")).expect("a link")),
            &["leaves"],
        ),
        "an import of a folder" => {
            (import("d.rebus", |at| fs::create_dir(at.join("d.rebus")).expect("a folder")), &["a folder"])
        }
        "an import of a FIFO" => {
            let make = |at: &Path| {
                assert!(Command::new("mkfifo").arg(at.join("f.rebus")).status().expect("mkfifo").success());
            };
            (import("f.rebus", make), &["regular file"])
        }
        "a solver's path that leads nowhere" => {
            let output = Desk::new().run(&["solve", "latin.rebus", "board.clues", "--solver", "./no/solver"]);
            assert!(!String::from_utf8_lossy(&output.stderr).contains("REBUS_SOLVER"));
            (output, &["no program `./no/solver`"])
        }
        "a solver that is missing" => {
            (Desk::new().run(&["solve", "latin.rebus", "board.clues", "--solver", "nosuch"]), &["nosuch"])
        }
        "a solver that crashes" => (solver("kill -SEGV $$"), &["signal 11"]),
        "a solver that hangs, with a child" => (solver("sleep 60 & sleep 60"), &["time limit"]),
        "a solver that prints half a model" => (solver("echo s SATISFIABLE; echo v 1 -2"), &[]),
        "a solver that prints a wrong model" => (solver("echo s SATISFIABLE; echo v -1 -2 -3 0"), &["wrong"]),
        "a solver that is satisfied but has no model" => (solver("echo s SATISFIABLE"), &["no model"]),
        "a solver with both answers" => (solver("echo s SATISFIABLE; echo s UNSATISFIABLE"), &[]),
        "a solver that prints garbage" => (solver("printf 'hello\\033[31m\\377'"), &["no answer"]),
        "a solver that gives up" => (solver("echo s UNKNOWN"), &["gave up"]),
        "a checker that does not accept a proof" => (checker(Some("echo s NOT VERIFIED")), &["`drat-trim`"]),
        "a checker that says nothing" => (checker(Some("true")), &["said nothing"]),
        "a checker that is missing" => (checker(None), &["drat-trim, rate"]),
        "an answer with gaps that breaks a rule already (`verify`)" => {
            let desk =
                Desk::new().put("a.json", "{\"x\": [[1, 1, null], [null, null, null], [null, null, null]]}");
            let output = desk.run(&["verify", "latin.rebus", "board.clues", "a.json"]);
            assert!(String::from_utf8_lossy(&output.stdout).starts_with("wrong\n  row 1 "));
            let desk = desk.put("b.json", "{\"x\": [[1, 2, null], [2, null, null], [null, null, null]]}");
            let gaps = desk.run(&["verify", "latin.rebus", "board.clues", "b.json"]);
            assert!(String::from_utf8_lossy(&gaps.stdout).starts_with("incomplete: x[1, 3], x[2, 2]"));
            (output, &[])
        }
        "an answer that breaks a rule (`verify`)" => {
            let desk = Desk::new().put("a.clues", "x = \"\"\"123\n231\n311\"\"\"\n");
            (desk.run(&["verify", "latin.rebus", "board.clues", "a.clues"]), &[])
        }
        "an answer that breaks a rule (`decode`)" => {
            let desk = compiled().put("all-one", "s SATISFIABLE\nv 1 4 7 10 13 16 19 22 25 0\n");
            (desk.run(&["decode", "k.cnf.map", "all-one"]), &["row 1"])
        }
        "two equal givens in a row: both places, both rule instances" => {
            let desk = Desk::new().put("b.clues", "clue = \"\"\"1.1\n...\n...\"\"\"\n");
            let wanted =
                &["given (1, 1): b.clues:1:11", "given (1, 3): b.clues:1:13", "row 1"] as &'static [&str];
            (desk.run(&["check", "latin.rebus", "b.clues"]), wanted)
        }
        "a label of `--without` that no rule has" => {
            (Desk::new().run(&["check", "latin.rebus", "board.clues", "--without", "rwo {r}"]), &["row {r}"])
        }
        _ => return None,
    })
}

#[test]
fn every_row_is_as_the_table_says() {
    let table = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/inputs.md"))
        .expect("docs/inputs.md");
    let rows = table.lines().filter(|line| line.starts_with("| ")).skip(2);
    let mut wrong = Vec::new();
    let mut count = 0;
    for line in rows {
        let cells: Vec<&str> = line.trim_matches('|').split(" | ").map(str::trim).collect();
        let [row, code, exit] = cells[..] else { panic!("a row with other than three cells: {line}") };
        count += 1;
        let Some((output, words)) = case(row) else {
            wrong.push(format!("no case for: {row}"));
            continue;
        };
        let stderr = String::from_utf8_lossy(&output.stderr);
        let code = code.trim_matches('`');
        let told = match code {
            "none" => !stderr.contains("error["),
            code => stderr.contains(&format!("[{code}]")),
        };
        let exits = output.status.code() == exit.parse().ok();
        let says = words.iter().all(|word| stderr.contains(word));
        let clean = !output.stderr.contains(&0x1b) && !output.stdout.contains(&0x1b);
        if !(told && exits && says && clean) {
            wrong.push(format!("{line}\nexit {:?}, wanted words {words:?}\n{stderr}", output.status.code()));
        }
    }
    assert!(count > 40, "the table is gone");
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

/// Numbers at the ends of 64 bits, wherever an expression takes one: an answer or a message, in no time.
#[test]
fn the_ends_of_64_bits() {
    let (least, most) = ("(-9223372036854775807 - 1)", "9223372036854775807");
    for (expr, shown) in [
        ("[1, 2, 3][m..]", " 1  2  3"),
        ("[1, 2, 3][..m]", ""),
        ("[1, 2, 3][k..]", ""),
        ("[1, 2, 3][m..k]", " 1  2  3"),
        ("\"abc\"[m..2]", "ab"),
        ("\"abc\"[k..m]", ""),
        ("{(k, k): 7, (k, 1): 8}[k, *]", "7 8"),
        ("{(m, k): 7}[m, *]", "7"),
        ("{m: 5, k: 6}[m..k]", "5 6"),
        ("len(leaps({(m, m): 1}, (m, m), (m, m)))", "0"),
        ("len(leaps({(0, 0): 1, (m, m): 1}, (0, 0), (m, m)))", "1"),
        ("len(edges(5, -1))", "0"),
        ("len(edges(k - 1, m))", "0"),
    ] {
        let model = format!("let m = {least}\nlet k = {most}\nshow {expr}\n");
        let output = solved(&model);
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert_eq!(words(&String::from_utf8_lossy(&output.stdout)), words(shown), "{expr}: {output:?}");
    }
    for expr in
        ["rotations([(m, k), (0, 0)])", "turns([(0, k), (m, 1)])", "-m", "abs(m)", "m / -1", "2 * (m, k)"]
    {
        let output = solved(&format!("let m = {least}\nlet k = {most}\nshow {expr}\n"));
        assert_eq!(output.status.code(), Some(1), "{expr}: {output:?}");
    }
}

fn solved(model: &str) -> std::process::Output {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("m.rebus"), model).expect("written");
    let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_rebus"));
    command.current_dir(folder.path()).args(["solve", "m.rebus"]).output().expect("runs")
}
