//! The rooms know each other one way, and only some touch the outside world.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// What each room may name, from the ground up.
const KNOWS: &[(&str, &[&str])] = &[
    ("shared", &[]),
    ("diag", &["shared"]),
    ("catalogue", &[]),
    // certificates rest on it
    ("certify", &[]),
    ("bin", &[]),
    ("render", &["shared"]),
    // `files` knows how formulas' comment lines start; its texts and digests know no more of other rooms
    ("files", &["diag", "shared"]),
    ("syntax", &["diag", "shared"]),
    ("model", &["shared"]),
    // the evaluator and its table of names are one stage
    ("builtins", &["diag", "eval", "model", "render", "shared"]),
    ("eval", &["builtins", "diag", "model", "render", "shared", "syntax"]),
    ("import", &["catalogue", "diag", "eval", "shared", "syntax"]),
    ("encode", &["certify", "diag", "files", "model", "shared"]),
    ("solve", &["diag", "encode", "shared"]),
    ("decode", &["diag", "encode", "eval", "render", "shared"]),
    ("why", &["decode", "diag", "encode", "model", "shared", "solve"]),
    (
        "run",
        &[
            "catalogue",
            "certify",
            "decode",
            "diag",
            "encode",
            "eval",
            "files",
            "import",
            "model",
            "render",
            "shared",
            "solve",
            "syntax",
            "why",
        ],
    ),
    // the library shows the catalogue, the names of the language, and other formats as they are
    (
        "puzzle",
        &[
            "builtins",
            "catalogue",
            "decode",
            "diag",
            "encode",
            "eval",
            "import",
            "render",
            "run",
            "shared",
            "solve",
            "syntax",
        ],
    ),
    // what it wants of encoders, solvers and models, `run` gives it
    (
        "cli",
        &[
            "catalogue",
            "decode",
            "diag",
            "eval",
            "files",
            "import",
            "render",
            "run",
            "shared",
            "syntax",
            "why",
        ],
    ),
];

/// Rooms that touch the outside world.
const OUTSIDE: &[&str] = &["bin", "cli", "files", "run", "solve"];

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("src")
}

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files(&path, found);
        } else if path.extension().is_some_and(|suffix| suffix == "rs") {
            found.push(path);
        }
    }
}

/// Every source file with its room and its code, comments and the tests at its end left out.
fn sources() -> Vec<(String, PathBuf, String)> {
    let mut paths = Vec::new();
    files(&source(), &mut paths);
    paths.sort();
    let mut all = Vec::new();
    for path in paths {
        let inside = path.strip_prefix(source()).expect("inside");
        let first = inside.components().next().expect("a name").as_os_str().to_string_lossy();
        let room = first.trim_end_matches(".rs").to_string();
        if room == "main" || room == "lib" || inside.ends_with("tests.rs") {
            continue;
        }
        let text = fs::read_to_string(&path).expect("a text");
        let text = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
        let code = text.lines().filter(|line| !line.trim_start().starts_with("//"));
        all.push((room, inside.to_path_buf(), code.collect::<Vec<_>>().join("\n")));
    }
    all
}

/// The rooms that a text names.
fn named(code: &str) -> BTreeSet<String> {
    let starts = code.match_indices("crate::").map(|(at, word)| at + word.len());
    let word = |at: usize| code[at..].chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
    starts.map(word).filter(|name: &String| !name.is_empty()).collect()
}

/// The program that checks cuts, and what it is made of, use nothing that learns them.
#[test]
fn the_checker_of_cuts_stands_alone() {
    for (room, path, code) in sources().into_iter().filter(|(room, ..)| room == "bin" || room == "certify") {
        let mut uses = code.lines().filter_map(|line| line.trim_start().strip_prefix("use "));
        let own = |used: &str| ["super::", "std::"].iter().any(|start| used.starts_with(start));
        let stray = uses.find(|used| !(own(used) || room == "bin" && used.starts_with("rebus::certify")));
        assert_eq!(stray, None, "{}", path.display());
    }
}

#[test]
fn rooms_know_only_rooms_below_them() {
    let mut wrong = Vec::new();
    let mut rooms = BTreeSet::new();
    for (room, path, code) in sources() {
        let Some((_, allowed)) = KNOWS.iter().find(|(name, _)| *name == room) else {
            wrong.push(format!("{}: a room without a row in this test", path.display()));
            continue;
        };
        for other in named(&code).into_iter().filter(|other| *other != room) {
            if !allowed.contains(&other.as_str()) {
                wrong.push(format!("{}: `{room}` must not know `{other}`", path.display()));
            }
        }
        rooms.insert(room);
    }
    assert!(rooms.len() > 10, "{rooms:?}");
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_some_rooms_touch_the_outside() {
    let ways = ["std::fs", "std::net", "std::process", "std::env", "fs::read", "File::open", "Command::new"];
    let mut wrong = Vec::new();
    for (room, path, code) in sources() {
        let touched = ways.iter().filter(|way| code.contains(**way));
        if !OUTSIDE.contains(&room.as_str()) {
            wrong.extend(touched.map(|way| format!("{}: {way}", path.display())));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn only_the_command_line_prints() {
    let ways = ["println!", "print!", "eprintln!", "eprint!", "dbg!"];
    let handles = ["stdout()", "stderr()"];
    let mut wrong = Vec::new();
    for (room, path, code) in sources() {
        let macros = ways.iter().filter(|way| code.contains(**way));
        let is_program = room == "cli" || room == "bin";
        wrong.extend(macros.filter(|_| !is_program).map(|way| format!("{}: {way}", path.display())));
        // `files` writes what it is given to standard output where that is the name it is given
        let taken = handles.iter().filter(|way| code.contains(**way));
        let may = room == "cli" || room == "files";
        wrong.extend(taken.filter(|_| !may).map(|way| format!("{}: {way}", path.display())));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}
