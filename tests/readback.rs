//! What is written is read back: `verify` accepts what `solve` writes for every board of the catalogue, in every form, and refuses
//! it with one entry changed.

#[path = "catalogue/boards.rs"]
mod boards;

use boards::{Board, boards, faults, rebus};
use serde_json::{Map, Value};
use std::path::Path;

/// What is said of an answer: the exit code and the first line.
fn verdict(board: &Board, folder: &Path, form: &str, text: &str) -> (i32, String) {
    let path = folder.join(format!("{}-{form}", board.name));
    std::fs::write(&path, text).expect("written");
    let (code, out, err) =
        rebus(&[&["verify"][..], &board.args(), &[path.to_str().expect("UTF-8")]].concat());
    (code, format!("{out}{err}").lines().next().unwrap_or("").to_owned())
}

/// An answer is right, and wrong when changed.
fn judged(board: &Board, folder: &Path, form: &str, right: &str, wrong: Option<String>) -> Vec<String> {
    let mut faults = Vec::new();
    let (code, line) = verdict(board, folder, form, right);
    if (code, line.as_str()) != (0, "correct") {
        faults.push(format!("{form}: {code}, {line}\n{right}"));
    }
    let Some(wrong) = wrong else {
        faults.push(format!("{form}: nothing to change"));
        return faults;
    };
    let (code, line) = verdict(board, folder, form, &wrong);
    if code != 5 || !line.starts_with("wrong") {
        faults.push(format!("{form}, changed: {code}, {line}\n{wrong}"));
    }
    faults
}

/// Entries of a drawing: what is no blank and no line, by the character where a line has no blanks.
fn entries(drawing: &str) -> Vec<(usize, &str)> {
    let line =
        |c: char| c.is_whitespace() || matches!(c, '-' | '|' | '+' | '=' | '\u{2500}'..='\u{257f}' | '·');
    let mut found = Vec::new();
    let mut start = 0;
    for row in drawing.split_inclusive('\n') {
        let mut from = None;
        let apart = !row.trim().contains(' ');
        for (at, c) in row.char_indices() {
            match from {
                _ if line(c) => from = None,
                Some(_) if !apart => {}
                _ => from = Some(at),
            }
            if let Some(from) = from {
                let entry = &row[from..at + c.len_utf8()];
                match found.last_mut() {
                    Some((last, text)) if *last == start + from => *text = entry,
                    _ => found.push((start + from, entry)),
                }
            }
        }
        start += row.len();
    }
    found
}

/// The drawing with one entry in the place of another of the same width; else with a line less.
fn redrawn(drawing: &str) -> Option<String> {
    let entries = entries(drawing);
    let wide = |text: &str| text.chars().count();
    // from the end: what comes first may be a clue, which it is too easy to see
    for (at, entry) in entries.iter().rev() {
        let other = entries.iter().find(|(_, other)| other != entry && wide(other) == wide(entry));
        if let Some((_, other)) = other {
            return Some([&drawing[..*at], other, &drawing[at + entry.len()..]].concat());
        }
    }
    let (at, sign) = drawing.char_indices().find(|(_, c)| matches!(c, '━' | '─' | '-'))?;
    Some([&drawing[..at], " ", &drawing[at + sign.len_utf8()..]].concat())
}

/// Single values, with the way there.
fn leaves<'v>(value: &'v Value, pointer: &str, found: &mut Vec<(String, &'v Value)>) {
    let escaped = |key: &str| key.replace('~', "~0").replace('/', "~1");
    match value {
        Value::Array(items) => {
            items.iter().enumerate().for_each(|(at, item)| leaves(item, &format!("{pointer}/{at}"), found));
        }
        Value::Object(items) => {
            items.iter().for_each(|(key, item)| leaves(item, &format!("{pointer}/{}", escaped(key)), found));
        }
        value => found.push((pointer.to_owned(), value)),
    }
}

/// The values with one of them changed: another truth, or a value that stands elsewhere in the same array.
fn revalued(values: &Map<String, Value>) -> Vec<Map<String, Value>> {
    let mut changed = Vec::new();
    for name in values.keys() {
        let mut found = Vec::new();
        leaves(&values[name], "", &mut found);
        for (pointer, leaf) in found.iter().rev().take(8) {
            let other = match leaf {
                Value::Bool(is) => Some(Value::Bool(!is)),
                leaf => found
                    .iter()
                    .map(|(_, other)| *other)
                    .find(|other| other != leaf && !other.is_null())
                    .cloned(),
            };
            if let Some(other) = other {
                let mut values = values.clone();
                *values[name].pointer_mut(pointer).expect("a leaf") = other;
                changed.push(values);
            }
        }
    }
    changed
}

/// A value as data write it.
fn literal(value: &Value) -> String {
    let list = |parts: Vec<String>, [open, close]: [&str; 2]| format!("{open}{}{close}", parts.join(", "));
    match value {
        Value::Null => "none".into(),
        Value::Array(items) => list(items.iter().map(literal).collect(), ["[", "]"]),
        Value::Object(items) => {
            let plain = |key: &str| key.chars().all(|c| c.is_ascii_digit() || "()[], -".contains(c));
            let key = |key: &str| if plain(key) { key.to_owned() } else { Value::from(key).to_string() };
            list(
                items.iter().map(|(at, value)| format!("{}: {}", key(at), literal(value))).collect(),
                ["{", "}"],
            )
        }
        value => value.to_string(),
    }
}

fn items(values: &Map<String, Value>) -> String {
    values.iter().map(|(name, value)| format!("{name} = {}\n", literal(value))).collect()
}

fn json(values: &Map<String, Value>) -> String {
    serde_json::json!({"solution": 1, "values": values}).to_string()
}

fn read_back(board: &Board, folder: &Path) -> Vec<String> {
    let solve = |more: &[&str]| rebus(&[&["solve"][..], &board.args(), more].concat()).1;
    let mut faults = Vec::new();
    for (form, more) in [("text", &[][..]), ("ascii", &["--ascii"])] {
        let drawing = solve(more);
        faults.extend(judged(board, folder, form, &drawing, redrawn(&drawing)));
    }
    let told = solve(&["-f", "json"]);
    let line: Value = serde_json::from_str(told.lines().next().unwrap_or("")).expect("JSON");
    let values = line["values"].as_object().expect("values");
    // a value that may not stand in its place is a fault of the file; another one is wrong
    let changed = revalued(values);
    let wrong = changed.iter().find(|values| verdict(board, folder, "try", &json(values)).0 != 1);
    faults.extend(judged(board, folder, "json", &told, wrong.map(json)));
    faults.extend(judged(board, folder, "data", &items(values), wrong.map(items)));
    faults
}

#[test]
fn what_solve_writes_is_read_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let boards = boards();
    assert!(boards.len() > 130, "{} boards", boards.len());
    let faults = faults(&boards, |board| read_back(board, folder.path()));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
