//! The syntax room from outside.

use rebus::diag::{Sources, render};
use rebus::syntax::{parse_file, print_file};
use std::path::{Path, PathBuf};

fn models() -> Vec<(PathBuf, String)> {
    let mut found = Vec::new();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    for folder in std::fs::read_dir(examples).unwrap() {
        for file in std::fs::read_dir(folder.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|ext| ext == "rebus" || ext == "clues") {
                let text = std::fs::read_to_string(&path).unwrap();
                found.push((path, text));
            }
        }
    }
    found.sort();
    assert!(found.len() > 100, "the examples are here");
    found
}

#[track_caller]
fn parse(text: &str) -> rebus::syntax::ast::File {
    let mut sources = Sources::default();
    let id = sources.add("text", text);
    let (file, faults) = parse_file(id, text);
    let shown: Vec<String> = faults.iter().map(|fault| render(fault, &sources, false)).collect();
    assert!(faults.is_empty(), "{text}\n{}", shown.join("\n"));
    file
}

/// The tree as text, without places.
fn shape(file: &rebus::syntax::ast::File) -> String {
    let mut out = String::new();
    let debug = format!("{:?}", file.items);
    let mut rest = debug.as_str();
    while let Some(at) = rest.find(|c: char| c.is_ascii_digit()) {
        let digits = rest[at..].find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len() - at);
        out.push_str(&rest[..at]);
        if !["start: ", "end: "].iter().any(|word| rest[..at].ends_with(word)) {
            out.push_str(&rest[at..at + digits]);
        }
        rest = &rest[at + digits..];
    }
    out + rest
}

#[test]
fn printing_and_reading_give_the_same_tree() {
    for (path, text) in models() {
        let tree = parse(&text);
        let printed = print_file(&tree);
        let again = parse(&printed);
        assert_eq!(shape(&tree), shape(&again), "{}\n{printed}", path.display());
        assert_eq!(printed, print_file(&again));
    }
}
