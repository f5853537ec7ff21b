//! Every kind of diagnostic has a model that triggers it: `tests/errors/CODE[-detail].rebus`.
//!
//! The first line says what is expected: `# CODE PLACE WORDS`, the place of the main label as `line:column` (of the model;
//! `clues:…` of the data beside it, `define:…` of a `-D`, `-` for none), words of the message. Beside the model may
//! stand `.clues` (data) and `.args` (further arguments).

use rebus::diag::{CODES, Code};
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// Faults that only other commands than `check` meet; the table of `docs/inputs.md` has cases for them.
const ELSEWHERE: &[Code] = &[
    Code::InvalidText,
    Code::MapMismatch,
    Code::ProofRejected,
    Code::RuleBroken,
    Code::SolverFailed,
    Code::SolverMissing,
    Code::Unwritable,
];

fn models() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/errors");
    let mut models: Vec<PathBuf> = std::fs::read_dir(folder)
        .expect("the folder of cases")
        .map(|entry| entry.expect("an entry").path())
        .filter(|path| path.extension().is_some_and(|suffix| suffix == "rebus"))
        .collect();
    models.sort();
    models
}

fn check(model: &Path) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rebus"));
    command.current_dir(model.parent().expect("a folder")).arg("check");
    command.arg(model.file_name().expect("a name")).stdin(Stdio::null());
    let clues = model.with_extension("clues");
    if clues.exists() {
        command.arg(clues.file_name().expect("a name"));
    }
    if let Ok(args) = std::fs::read_to_string(model.with_extension("args")) {
        command.args(args.split_whitespace());
    }
    command.output().expect("rebus runs")
}

/// Code, message and place (`file:line:column`) of the first diagnostic.
fn first(stderr: &str) -> Option<(&str, &str, Option<&str>)> {
    let mut lines = stderr.lines();
    let head = lines.next()?;
    let (_, rest) = head.split_once('[')?;
    let (code, message) = rest.split_once("]: ")?;
    let own = lines.take_while(|line| !line.starts_with(char::is_alphabetic));
    let place = own.filter_map(|line| line.trim_start().strip_prefix("--> ")).next();
    Some((code, message, place))
}

#[test]
fn each_case_is_told_as_it_says() {
    let mut wrong = Vec::new();
    for model in models() {
        let text = std::fs::read_to_string(&model).expect("a model");
        let head = text.lines().next().unwrap_or("");
        let mut parts = head.trim_start_matches("# ").splitn(3, ' ');
        let (code, place, words) = (
            parts.next().unwrap_or(""),
            parts.next().unwrap_or(""),
            parts.next().unwrap_or("says no words of the message"),
        );
        let file = model.file_name().expect("a name").to_string_lossy();
        let expected = match place.split_once(':') {
            None => None,
            Some(("clues", place)) => Some(format!("{}:{place}", file.replace(".rebus", ".clues"))),
            Some(("define", place)) => {
                let args = std::fs::read_to_string(model.with_extension("args")).expect("arguments");
                let name = args.split_whitespace().find_map(|arg| arg.split_once('=')).expect("a -D").0;
                Some(format!("-D {name}:{place}"))
            }
            Some(_) => Some(format!("{file}:{place}")),
        };
        let known = CODES.iter().find(|known| known.name() == code);
        let output = check(&model);
        let stderr = String::from_utf8(output.stderr).expect("UTF-8");
        let found = first(&stderr);
        let right = found.is_some_and(|(found, message, place)| {
            found == code && message.contains(words) && place == expected.as_deref()
        });
        let exit = known.map(|code| i32::from(code.exit()));
        if !right || output.status.code() != exit || !file.starts_with(code) {
            wrong.push(format!("{file}: {head}\nexit {:?}, wanted {exit:?}\n{stderr}", output.status.code()));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn every_code_has_a_case() {
    let cases: Vec<String> = models()
        .iter()
        .map(|model| model.file_stem().expect("a name").to_string_lossy().into_owned())
        .collect();
    let table = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/inputs.md"))
        .expect("docs/inputs.md");
    for code in CODES {
        let name = code.name();
        if ELSEWHERE.contains(code) {
            assert!(table.contains(&format!("`{name}`")), "docs/inputs.md has no row for `{name}`");
        } else {
            let named = |case: &String| case == name || case.starts_with(&format!("{name}-"));
            assert!(cases.iter().any(named), "tests/errors has no case for `{name}`");
        }
    }
}
