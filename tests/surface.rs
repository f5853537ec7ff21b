//! What the library shows to others, line by line, so that a change of it is seen: `tests/surface.txt`.
//! `REBUS_BLESS=1 cargo test --test surface` writes it anew; a line that goes or changes wants a new major version.

use std::fs;
use std::path::Path;

/// The public items of a file: every line that begins with `pub`, to the end of its signature; the variants of enums.
fn items(text: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut lines = text.lines();
    let mut inside_enum = false;
    let mut owner = String::new();
    while let Some(line) = lines.next() {
        let trimmed = line.trim();
        if let Some(rest) = line.strip_prefix("impl") {
            owner = rest.trim_end_matches(['{', ' ']).trim().to_owned();
        }
        if line == "}" {
            (inside_enum, owner) = (false, String::new());
        }
        if inside_enum && trimmed.starts_with(char::is_uppercase) {
            found.push(format!("    {trimmed}"));
        }
        if !trimmed.starts_with("pub ") || trimmed.starts_with("pub use") || trimmed.starts_with("pub mod") {
            continue;
        }
        let mut signature = trimmed.to_owned();
        while !signature.ends_with(['{', ';', ',', '}'])
            || signature.matches('(').count() > signature.matches(')').count()
        {
            let Some(next) = lines.next() else { break };
            signature.push(' ');
            signature.push_str(next.trim());
        }
        inside_enum |= trimmed.starts_with("pub enum");
        let signature =
            signature.trim_end_matches(['{', ' ', ';', ',']).replace("( ", "(").replace(", )", ")");
        let indent = if line.starts_with(' ') { "    " } else { "" };
        match owner.is_empty() || !signature.contains("fn ") {
            true => found.push(format!("{indent}{signature}")),
            false => found.push(format!("{indent}[{owner}] {signature}")),
        }
    }
    found
}

#[test]
fn what_is_shown_is_what_was_agreed() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let read = |path: &str| fs::read_to_string(root.join(path)).expect("a text");
    let library = read("src/lib.rs");
    let start = library.find("pub use puzzle::{").expect("what is shown");
    let names: String = library[start..].lines().map(str::trim).collect::<Vec<_>>().join(" ");
    let mut surface = names.split_once(';').expect("an end").0.to_owned() + "\n";
    for file in
        ["mod", "builder", "answers", "formula", "drawing", "error", "fields", "catalogue", "exchange"]
    {
        surface.push_str(&format!("\n# {file}\n"));
        for item in items(&read(&format!("src/puzzle/{file}.rs"))) {
            surface.push_str(&item);
            surface.push('\n');
        }
    }
    let agreed = root.join("tests/surface.txt");
    if std::env::var_os("REBUS_BLESS").is_some() {
        fs::write(&agreed, &surface).expect("written");
    }
    let known = fs::read_to_string(&agreed).expect("tests/surface.txt");
    assert!(
        known == surface,
        "the library shows something else; `REBUS_BLESS=1 cargo test --test surface` writes it anew:\n{surface}"
    );
}

#[test]
fn modules_of_the_program_are_hidden() {
    let library = include_str!("../src/lib.rs");
    let mut before = "";
    for line in library.lines() {
        if line.starts_with("pub mod ") && line.ends_with(';') {
            assert_eq!(before, "#[doc(hidden)]", "{line}");
        }
        before = line;
    }
}
