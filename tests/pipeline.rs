//! `examples/pipeline` and `examples/snakemake`: many boards, several solvers, a table.
#![cfg(unix)]

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::SystemTime;

/// A copy of the example, so that nothing is made in the catalogue.
struct Copy(tempfile::TempDir);

impl Copy {
    fn new() -> Copy {
        let folder = tempfile::tempdir().expect("a folder");
        for example in ["pipeline", "snakemake"] {
            copy(&Path::new("examples").join(example), &folder.path().join(example));
        }
        for model in ["sudoku", "nonogram", "jigsaw-sudoku"] {
            copy(&Path::new("examples").join(model), &folder.path().join(model));
        }
        Copy(folder)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join("pipeline").join(name)
    }

    fn script(&self, name: &str, text: &str) {
        let path = self.path(name);
        std::fs::write(&path, text).expect("written");
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).expect("ours");
    }

    fn make(&self, args: &[&str]) -> Output {
        let rebus = assert_cmd::cargo::cargo_bin("rebus");
        let output = Command::new("make")
            .current_dir(self.path(""))
            .env_remove("MAKEFLAGS")
            .arg(format!("REBUS={}", rebus.display()))
            .args(args)
            .output()
            .expect("make is installed");
        assert!(
            output.status.code().is_some_and(|code| code < 2),
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        output
    }

    /// Runs make; the words of the table without the seconds.
    fn table(&self, args: &[&str]) -> Vec<Vec<String>> {
        let output = self.make(args);
        assert!(output.status.success());
        let printed = String::from_utf8(output.stdout).expect("text");
        let (_, table) = printed.split_once("board ").expect("a table");
        let row = |line: &str| {
            line.split_whitespace().filter(|w| w.parse::<f64>().is_err()).map(String::from).collect()
        };
        format!("board {table}").lines().map(row).collect()
    }

    /// Every file that was made, with its time.
    fn made(&self) -> Vec<(PathBuf, SystemTime)> {
        let mut files = Vec::new();
        list(&self.path("build"), &mut files);
        files.sort();
        files
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("a folder");
    for entry in std::fs::read_dir(from).expect("in the example") {
        let entry = entry.expect("a file");
        let target = to.join(entry.file_name());
        match entry.file_type().expect("known").is_dir() {
            true if ["build", "hand", ".snakemake"].iter().any(|made| entry.file_name() == *made) => {}
            true => copy(&entry.path(), &target),
            false => drop(std::fs::copy(entry.path(), target).expect("copied")),
        }
    }
}

fn list(folder: &Path, files: &mut Vec<(PathBuf, SystemTime)>) {
    for entry in std::fs::read_dir(folder).expect("made").flatten() {
        let data = entry.metadata().expect("there");
        match data.is_dir() {
            true => list(&entry.path(), files),
            false => files.push((entry.path(), data.modified().expect("a time"))),
        }
    }
}

/// Those of the known solvers that are here.
fn installed() -> Vec<&'static str> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let here = |program: &str| std::env::split_paths(&path).any(|folder| folder.join(program).is_file());
    [
        ("kissat", "kissat"),
        ("minisat", "minisat"),
        ("cadical", "cadical"),
        ("cryptominisat", "cryptominisat5"),
        ("glucose", "glucose"),
        ("picosat", "picosat"),
    ]
    .into_iter()
    .filter(|(_, program)| here(program))
    .map(|(name, _)| name)
    .collect()
}

#[test]
fn a_table_of_all_that_is_here() {
    let copy = Copy::new();
    copy.script("crash", "#!/bin/sh\nkill -SEGV $$\n");
    copy.script("liar", "#!/bin/sh\necho s SATISFIABLE\necho v 1 2 3 0\nexit 10\n");
    copy.script("denier", "#!/bin/sh\necho s UNSATISFIABLE\nexit 20\n");
    let names = [&["embedded"][..], &installed(), &["broken", "liar", "denier", "absent"]].concat();
    let solvers = format!("SOLVERS={}", names.join(" "));
    let args = [
        "-j2",
        &solvers,
        "COMMAND_broken=./crash {in}",
        "COMMAND_liar=./liar {in}",
        "COMMAND_denier=./denier {in}",
        "COMMAND_absent=./there-is-none {in}",
    ];
    let table = copy.table(&args);
    assert_eq!(table[0][1..], names);
    assert_eq!(table.len(), 6);
    for row in &table[1..] {
        let none = row[0] == "sudoku/none";
        for (name, word) in names.iter().zip(&row[1..]) {
            let expected = match *name {
                "broken" | "liar" => "failed",
                "absent" => "missing",
                "denier" => "none",
                _ if none => "none",
                _ => "solved",
            };
            assert_eq!(word, expected, "{} {name}", row[0]);
        }
        assert_eq!(row[names.len() + 1..].join(" "), if none { "" } else { "they disagree" });
    }
    let drawn = std::fs::read_to_string(copy.path("build/nonogram/duck.embedded.txt")).expect("drawn");
    assert_eq!(drawn, std::fs::read_to_string("examples/nonogram/nonogram-duck.solution").expect("known"));
    let log = std::fs::read_to_string(copy.path("build/sudoku/hard-1.broken.answer.log")).expect("kept");
    assert!(log.contains("signal"), "{log}");
}

#[test]
fn nothing_twice_and_all_that_changed() {
    let copy = Copy::new();
    let args = ["-j2", "SOLVERS=embedded broken", "COMMAND_broken=false {in}"];
    copy.table(&args);
    let first = copy.made();
    copy.table(&args);
    assert_eq!(copy.made(), first, "the second run made something");
    assert_eq!(copy.make(&[&["-q", "build/table.txt"], &args[..]].concat()).status.code(), Some(0));

    // a column left out: only the table is new
    assert_eq!(copy.table(&["SOLVERS=embedded"])[0], ["board", "embedded"]);
    let changed = |after: &[(PathBuf, SystemTime)], before: &[(PathBuf, SystemTime)]| -> Vec<String> {
        let new = after.iter().filter(|file| !before.contains(file));
        new.map(|(path, _)| path.strip_prefix(copy.path("build")).expect("made").display().to_string())
            .collect()
    };
    assert_eq!(changed(&copy.made(), &first), ["table.txt", "wanted"]);

    // a model that changed, known from the dependency files: its formulas and what follows from them
    copy.table(&args);
    let before = copy.made();
    let model = copy.0.path().join("nonogram/nonogram.rebus");
    let text = std::fs::read_to_string(&model).expect("the model");
    std::fs::write(&model, format!("{text}# changed\n")).expect("written");
    copy.table(&args);
    let new = changed(&copy.made(), &before);
    assert!(new.contains(&"nonogram/duck.cnf.gz".to_string()), "{new:?}");
    assert!(new.iter().all(|name| name.starts_with("nonogram/") || name == "table.txt"), "{new:?}");

    // what has no answer is tried again
    copy.make(&["retry"]);
    let table = copy.table(&["-j2", "SOLVERS=embedded broken", "COMMAND_broken=$(REBUS) sat {in}"]);
    assert_eq!(table[1], ["jigsaw-sudoku/1", "solved", "solved"]);

    copy.make(&["clean"]);
    assert!(!copy.path("build").exists());
}

#[test]
fn by_hand() {
    let copy = Copy::new();
    let printed = copy.make(&["-f", "by-hand.mk"]);
    let printed = String::from_utf8(printed.stdout).expect("text");
    assert!(printed.ends_with("9 7 5 | 8 1 4 | 6 3 2\n"), "{printed}");
    if installed().contains(&"cadical") {
        std::fs::remove_dir_all(copy.path("hand")).expect("made");
        let again = copy.make(&["-f", "by-hand.mk", "SOLVER=cadical -q"]);
        assert!(again.stdout.ends_with(b"9 7 5 | 8 1 4 | 6 3 2\n"));
    }
}

/// The same table by Snakemake, with the executor of this machine.
#[test]
fn by_snakemake() {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let Some(snakemake) = std::env::split_paths(&path).map(|at| at.join("snakemake")).find(|at| at.is_file())
    else {
        eprintln!("skipped: snakemake is not installed");
        return;
    };
    let copy = Copy::new();
    let rebus = assert_cmd::cargo::cargo_bin("rebus");
    let run = |further: &str| {
        let output = Command::new(&snakemake)
            .current_dir(copy.0.path().join("snakemake"))
            .env("XDG_CACHE_HOME", copy.0.path().join("cache"))
            .args(["--cores", "2", "--config"])
            .arg(format!("rebus={}", rebus.display()))
            .args(["solvers=embedded broken", further, "commands={\"broken\": \"false {in}\"}"])
            .output()
            .expect("snakemake runs");
        let told = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success(), "{told}");
        told
    };
    run("timeout=60");
    let table = std::fs::read_to_string(copy.0.path().join("snakemake/build/table.tsv")).expect("a table");
    let rows: Vec<Vec<&str>> = table.lines().map(|line| line.split('\t').collect()).collect();
    assert_eq!((rows.len(), &rows[0][..]), (11, &["board", "solver", "status", "seconds"][..]));
    for row in &rows[1..] {
        let status = match (row[0], row[1]) {
            (_, "broken") => "failed",
            ("sudoku/none", _) => "none",
            _ => "solved",
        };
        assert_eq!(row[2], status, "{row:?}");
    }
    assert!(run("timeout=60").contains("Nothing to be done"));
}
