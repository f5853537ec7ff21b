//! The documentation is true: generated pages are fresh, console blocks print what they show, models parse, examples
//! of built-ins evaluate to what the table says.
//!
//! `REBUS_BLESS=1 cargo test --test docs` writes the generated pages and the output of console blocks anew.
//!
//! A fenced block marked `console` is a session: `$ COMMAND` (goes on while a line ends in `\`), then what it prints on
//! standard output; behind `# exit N` a line is an expected exit code other than 0. The blocks of a page run in
//! order, in one empty folder with the catalogue's folder `examples` in it, with this program as `rebus`. A block marked
//! `console needs=kissat` is left out where that program is missing. A block marked `FENCE file=NAME` is
//! written to that file before the next block runs, so that a page can build a model and then use it. Blocks marked
//! `rebus` must parse as a model.

use rebus::builtins::{Builtin, CHAPTERS, CONSTANTS, STD_MODULES};
use rebus::diag::{CODES, Diagnostic, Severity, Sources, render};
use rebus::eval::{Eval, Input, Loader, Program};
use rebus::shared::Budget;
use rebus::solve::find::Places;
use rebus::solve::table::SolverTable;
use std::env;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use tempfile::TempDir;

const GENERATED: &str = "<!-- Generated from the tables of the program: `REBUS_BLESS=1 cargo test --test docs` writes it anew. -->";

fn blessing() -> bool {
    env::var_os("REBUS_BLESS").is_some_and(|value| value == "1")
}

fn root(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

fn fresh(path: &str, text: &str) {
    let full = root(path);
    if blessing() {
        fs::write(&full, text).unwrap();
    }
    let found = fs::read_to_string(&full).unwrap_or_default();
    assert!(found == text, "{path} is not fresh; REBUS_BLESS=1 cargo test --test docs writes it anew");
}

/// Text for a cell of a table.
fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[test]
fn page_of_builtins() {
    let mut page = format!("# Built-in names\n\n{GENERATED}\n");
    page.push_str(
        "\nOptional parameters stand in brackets, `…` is any number of them. An array may stand where a list is wanted; \
         an aggregate takes generators in place of a list: `sum(k for k in 1..9)`. A name that a model defines hides the \
         built-in one.\n",
    );
    for (chapter, table) in CHAPTERS {
        write!(page, "\n## {chapter}\n\n| name | meaning | example |\n| --- | --- | --- |\n").unwrap();
        for builtin in *table {
            let example = match builtin.example {
                ("", _) => String::new(),
                (expr, "drawing") => format!("`{}`", cell(expr)),
                (expr, value) => format!("`{}` is `{}`", cell(expr), cell(value)),
            };
            let (signature, doc) = (cell(builtin.signature), cell(builtin.doc));
            writeln!(page, "| `{signature}` | {doc} | {example} |").unwrap();
        }
    }
    page.push_str("\n## Directions\n\n| name | meaning | value |\n| --- | --- | --- |\n");
    for (name, doc, cells) in CONSTANTS {
        let cells: Vec<String> = cells.iter().map(|(r, c)| format!("({r}, {c})")).collect();
        writeln!(page, "| `{name}` | {doc} | `[{}]` |", cells.join(", ")).unwrap();
    }
    page.push_str("\n## Written in the language\n\nThese need no import; this is what they mean.\n");
    for (name, text) in STD_MODULES {
        write!(page, "\n### std.{name}\n\n```rebus\n{}\n```\n", text.trim_end()).unwrap();
    }
    fresh("grammar/builtins.md", &page);
}

#[test]
fn page_of_errors() {
    let mut page = format!("# Errors and warnings\n\n{GENERATED}\n");
    page.push_str(
        "\nA message starts `error[NAME]` or `warning[NAME]`, shows the place in the model or the data, and often how to \
         go on. The exit code is the largest of all errors of a run; a warning (0 here) changes nothing.\n",
    );
    page.push_str("\n| name | exit code | meaning |\n| --- | --- | --- |\n");
    for code in CODES {
        writeln!(page, "| `{}` | {} | {} |", code.name(), code.exit(), cell(code.meaning())).unwrap();
    }
    fresh("grammar/errors.md", &page);
}

struct NoImports;

impl Loader for NoImports {
    fn import(&mut self, _from: &str, path: &str) -> Result<(String, String), Diagnostic> {
        panic!("an example imports {path}")
    }
}

/// The value of an expression as text.
fn value_of(expr: &str) -> Result<String, String> {
    let mut sources = Sources::default();
    let file = sources.add("example", format!("let e = {expr}"));
    let program = Program::load(&mut sources, &mut NoImports, file, &[] as &[Input]);
    let text = |faults: Vec<Diagnostic>| {
        faults.iter().map(|fault| render(fault, &sources, false)).collect::<Vec<_>>().join("\n")
    };
    let program = program.map_err(&text)?;
    let body = program.expression(file, "e").map_err(&text)?;
    let budget = Budget::unlimited();
    let mut eval = Eval::new(&program, &budget);
    match eval.body(&body) {
        Ok(value) => Ok(eval.text_of(&value)),
        Err(stop) => Err(format!("{stop:?}")),
    }
}

#[test]
fn examples_of_builtins() {
    let examples: Vec<&Builtin> = CHAPTERS
        .iter()
        .flat_map(|(_, table)| table.iter())
        .filter(|builtin| !matches!(builtin.example, ("", _) | (_, "drawing")))
        .collect();
    assert!(examples.len() > 50, "only {} examples", examples.len());
    for builtin in examples {
        let (expr, value) = builtin.example;
        match value_of(expr) {
            Ok(found) => assert_eq!(found, value, "the example of `{}`: {expr}", builtin.name),
            Err(fault) => panic!("the example of `{}`: {expr}\n{fault}", builtin.name),
        }
    }
}

#[test]
fn pictures_in_pages() {
    let mut solve = Command::new(env!("CARGO_BIN_EXE_rebus"));
    let solve =
        solve.args(["solve", "knightdoku", "knightdoku-1.clues", "-f", "svg"]).current_dir(root("examples"));
    let drawn = solve.output().unwrap();
    assert!(drawn.status.success());
    fresh("docs/knightdoku.svg", &String::from_utf8(drawn.stdout).unwrap());
}

/// A fenced block of a page.
struct Block {
    /// What stands behind the opening fence.
    info: String,
    /// Its lines, with the number of the first one, from 0.
    first: usize,
    lines: Vec<String>,
}

impl Block {
    fn is(&self, kind: &str) -> bool {
        self.info.split_whitespace().next() == Some(kind)
    }

    fn attribute(&self, name: &str) -> Option<&str> {
        self.info.split_whitespace().find_map(|word| word.strip_prefix(name)?.strip_prefix('='))
    }

    fn text(&self) -> String {
        self.lines.iter().map(|line| format!("{line}\n")).collect()
    }
}

fn blocks(page: &str) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Block> = None;
    for (at, line) in page.lines().enumerate() {
        match (&mut open, line.strip_prefix("```")) {
            (None, Some(info)) => {
                open = Some(Block { info: info.trim().to_string(), first: at + 1, lines: Vec::new() })
            }
            (Some(_), Some("")) => blocks.extend(open.take()),
            (Some(block), _) => block.lines.push(line.to_string()),
            (None, None) => {}
        }
    }
    assert!(open.is_none(), "a block that is not closed");
    blocks
}

/// The pages with blocks: README and everything in `grammar` and `docs`.
fn pages() -> Vec<PathBuf> {
    let mut pages: Vec<PathBuf> = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].map(root).to_vec();
    for folder in ["grammar", "docs"] {
        let Ok(entries) = fs::read_dir(root(folder)) else { continue };
        pages.extend(
            entries
                .map(|entry| entry.unwrap().path())
                .filter(|path| path.extension().is_some_and(|suffix| suffix == "md")),
        );
    }
    pages.sort();
    pages
}

#[test]
fn models_in_pages_parse() {
    let mut found = 0;
    for path in pages() {
        let page = fs::read_to_string(&path).unwrap();
        for block in blocks(&page).iter().filter(|block| block.is("rebus")) {
            let mut sources = Sources::default();
            let text = block.text();
            let file = sources.add(format!("{} from line {}", path.display(), block.first + 1), &text);
            let (_, faults) = rebus::syntax::parse_file(file, &text);
            let faults: Vec<String> = faults
                .iter()
                .filter(|fault| fault.severity == Severity::Error)
                .map(|fault| render(fault, &sources, false))
                .collect();
            assert!(faults.is_empty(), "{}", faults.join("\n"));
            found += 1;
        }
    }
    assert!(found > 0);
}

/// The folders with programs a session may use: this one first, then where the solvers are.
fn search_path(rebus: &Path) -> std::ffi::OsString {
    let mut folders = vec![rebus.to_path_buf()];
    let places = Places::from_env();
    let table = SolverTable::built_in();
    folders.extend(
        table
            .iter()
            .filter_map(|solver| Some(places.find(solver)?.parent()?.to_path_buf()))
            .collect::<Vec<_>>(),
    );
    let checkers = table.checkers();
    folders.extend(checkers.filter_map(|checker| {
        Some(places.program(&checker.variable(), &checker.command)?.parent()?.to_path_buf())
    }));
    folders.extend(env::split_paths(&env::var_os("PATH").unwrap_or_default()));
    env::join_paths(folders).unwrap()
}

fn is_there(program: &str, path: &std::ffi::OsStr) -> bool {
    env::split_paths(path).any(|folder| folder.join(program).is_file())
}

/// Runs one session; its lines as they should be.
fn session(block: &Block, folder: &Path, path: &std::ffi::OsStr, place: &str) -> Vec<String> {
    let mut lines = Vec::new();
    let mut at = 0;
    while at < block.lines.len() {
        let line = &block.lines[at];
        let Some(mut command) = line.strip_prefix("$ ").map(str::to_string) else {
            // what an earlier command printed is printed again below
            at += 1;
            continue;
        };
        lines.push(line.clone());
        at += 1;
        while command.ends_with('\\') {
            lines.push(block.lines[at].clone());
            write!(command, "\n{}", block.lines[at]).unwrap();
            at += 1;
        }
        let wanted = command.rsplit_once("# exit ").map_or(0, |(_, code)| code.trim().parse().unwrap());
        let output = Command::new("bash")
            .args(["-c", &command])
            .current_dir(folder)
            .env("PATH", path)
            .env("NO_COLOR", "1")
            // the pages show what `rate` says
            .env("REBUS_SOLVER_DRAT_TRIM", "/no/drat-trim")
            .stdin(Stdio::null())
            .output()
            .expect("bash is there");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(wanted), "{place}: `{command}`\n{errors}");
        let printed = String::from_utf8(output.stdout).expect("text");
        lines.extend(printed.lines().map(|line| line.trim_end().to_string()));
    }
    lines
}

#[test]
fn sessions_in_pages_run() {
    // a folder with nothing but the program, so that `rebus` is this one and `cargo`'s other files stay out of sight
    let bin = TempDir::new().unwrap();
    for (name, program) in [
        ("rebus", env!("CARGO_BIN_EXE_rebus")),
        ("rebus-check-cuts", env!("CARGO_BIN_EXE_rebus-check-cuts")),
        ("rebus-check-proof", env!("CARGO_BIN_EXE_rebus-check-proof")),
    ] {
        std::os::unix::fs::symlink(program, bin.path().join(name)).unwrap();
    }
    let path = search_path(bin.path());
    let mut run = 0;
    let mut skipped = Vec::new();
    for page in pages() {
        let name = page.strip_prefix(root("")).unwrap().display().to_string();
        let text = fs::read_to_string(&page).unwrap();
        let folder = TempDir::new().unwrap();
        std::os::unix::fs::symlink(root("examples"), folder.path().join("examples")).unwrap();
        let mut lines: Vec<String> = text.lines().map(str::to_string).collect();
        let mut changed = 0isize;
        for block in blocks(&text) {
            if let Some(file) = block.attribute("file") {
                fs::write(folder.path().join(file), block.text()).unwrap();
            }
            if !block.is("console") {
                continue;
            }
            if let Some(program) = block.attribute("needs")
                && !is_there(program, &path)
            {
                skipped.push(format!("{name}: {program}"));
                continue;
            }
            let place = format!("{name}, line {}", block.first + 1);
            let now = session(&block, folder.path(), &path, &place);
            run += 1;
            if blessing() {
                let from = block.first.checked_add_signed(changed).unwrap();
                changed += now.len() as isize - block.lines.len() as isize;
                lines.splice(from..from + block.lines.len(), now);
            } else {
                assert!(
                    now == block.lines,
                    "{place} shows\n{}\nbut this is printed:\n{}",
                    block.lines.join("\n"),
                    now.join("\n")
                );
            }
        }
        if blessing() {
            let mut new = lines.join("\n");
            new.push('\n');
            if new != text {
                fs::write(&page, new).unwrap();
            }
        }
    }
    println!("{run} sessions; left out: {skipped:?}");
    assert!(run > 5, "only {run} sessions");
    if env::var_os("REBUS_REQUIRE_SOLVERS").is_some_and(|value| value == "1") {
        assert!(skipped.is_empty(), "programs are missing: {skipped:?}");
    }
}
