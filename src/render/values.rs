//! Values as JSON lines and CSV.
//!
//! In: values as [`Data`]. Out: text for other programs; the same values give the same bytes. Separators are those of
//! Python's `json.dumps`. Knows nothing of domains and index sets.

use super::text::harmless;
use std::fmt::Write;

/// A value as data.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Data {
    None,
    Bool(bool),
    Int(i64),
    Text(String),
    List(Vec<Data>),
    /// Fields in this order.
    Object(Vec<(String, Data)>),
}

/// `{"solution": 1, "values": {…}}` and, with an objective, `"objective": N`; without a newline.
pub fn solution_line(number: u64, values: &[(String, Data)], objective: Option<i64>) -> String {
    let mut line = format!("{{\"solution\": {number}, \"values\": ");
    object(values, &mut line);
    push_objective(objective, &mut line);
    line
}

/// How a run ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    Satisfiable,
    Unsatisfiable,
    Optimal,
    Unknown,
}

impl Status {
    pub fn name(self) -> &'static str {
        match self {
            Status::Satisfiable => "satisfiable",
            Status::Unsatisfiable => "unsatisfiable",
            Status::Optimal => "optimal",
            Status::Unknown => "unknown",
        }
    }
}

/// `{"status": …, "solutions": N, "complete": true|false}`, the fields of `further`, and with an objective
/// `"objective": N`; without a newline.
pub fn status_line(
    status: Status,
    solutions: u64,
    complete: bool,
    objective: Option<i64>,
    further: &[(&str, Data)],
) -> String {
    let name = status.name();
    let mut line = format!("{{\"status\": \"{name}\", \"solutions\": {solutions}, \"complete\": {complete}");
    for (name, data) in further {
        let _ = write!(line, ", \"{name}\": ");
        push(data, &mut line);
    }
    push_objective(objective, &mut line);
    line
}

fn push_objective(objective: Option<i64>, line: &mut String) {
    if let Some(objective) = objective {
        let _ = write!(line, ", \"objective\": {objective}");
    }
    line.push('}');
}

/// A value as JSON.
pub fn json(data: &Data) -> String {
    let mut text = String::new();
    push(data, &mut text);
    text
}

fn push(data: &Data, text: &mut String) {
    match data {
        Data::None => text.push_str("null"),
        Data::Bool(value) => text.push_str(if *value { "true" } else { "false" }),
        Data::Int(value) => text.push_str(itoa::Buffer::new().format(*value)),
        Data::Text(value) => string(value, text),
        Data::List(values) => {
            text.push('[');
            for (i, value) in values.iter().enumerate() {
                text.push_str(if i > 0 { ", " } else { "" });
                push(value, text);
            }
            text.push(']');
        }
        Data::Object(entries) => object(entries, text),
    }
}

fn object(entries: &[(String, Data)], text: &mut String) {
    text.push('{');
    for (i, (key, value)) in entries.iter().enumerate() {
        text.push_str(if i > 0 { ", " } else { "" });
        string(key, text);
        text.push_str(": ");
        push(value, text);
    }
    text.push('}');
}

/// Text beyond ASCII stays readable; control characters, also those above ASCII, are escaped.
fn string(value: &str, text: &mut String) {
    text.push('"');
    for c in value.chars() {
        match c {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            '\t' => text.push_str("\\t"),
            c if c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}') => {
                let _ = write!(text, "\\u{:04x}", c as u32);
            }
            c => text.push(c),
        }
    }
    text.push('"');
}

/// The columns of one solution: one column for each single value, named `x[1, 2]` in arrays.
///
/// Lists are arrays over 1..n; an object's keys are indices as text, `(1, 2)` or `red`.
pub fn csv_header(values: &[(String, Data)]) -> String {
    record(columns(values).into_iter().map(|(name, _)| name))
}

/// One solution, its columns in the order of [`csv_header`].
pub fn csv_row(values: &[(String, Data)]) -> String {
    record(columns(values).into_iter().map(|(_, value)| match value {
        Data::None => String::new(),
        Data::Text(text) => text.split('\n').map(|line| harmless(line, true)).collect::<Vec<_>>().join("\n"),
        other => json(other),
    }))
}

fn columns(values: &[(String, Data)]) -> Vec<(String, &Data)> {
    let mut columns = Vec::new();
    for (name, value) in values {
        spread(name, &mut Vec::new(), value, &mut columns);
    }
    columns
}

fn spread<'a>(name: &str, index: &mut Vec<String>, value: &'a Data, columns: &mut Vec<(String, &'a Data)>) {
    match value {
        Data::List(values) => {
            for (i, value) in values.iter().enumerate() {
                index.push((i + 1).to_string());
                spread(name, index, value, columns);
                index.pop();
            }
        }
        Data::Object(entries) => {
            for (key, value) in entries {
                index.push(in_brackets(key).to_owned());
                spread(name, index, value, columns);
                index.pop();
            }
        }
        _ if index.is_empty() => columns.push((name.to_owned(), value)),
        _ => columns.push((format!("{name}[{}]", index.join(", ")), value)),
    }
}

/// The index in brackets: `x[(1, 2)]` is written `x[1, 2]`.
fn in_brackets(key: &str) -> &str {
    key.strip_prefix('(').and_then(|key| key.strip_suffix(')')).unwrap_or(key)
}

/// A record in the format of RFC 4180, with its line end.
fn record(fields: impl Iterator<Item = String>) -> String {
    let quoted = fields.map(|field| {
        let plain = !field.contains(['"', ',', '\n', '\r']) && field.trim() == field;
        if plain { field } else { format!("\"{}\"", field.replace('"', "\"\"")) }
    });
    quoted.collect::<Vec<_>>().join(",") + "\r\n"
}

/// The names of the entries in which two solutions differ: `x[1, 2]`.
pub fn differences(a: &[(String, Data)], b: &[(String, Data)]) -> Vec<String> {
    fn walk(name: &str, index: &mut Vec<String>, a: &Data, b: &Data, found: &mut Vec<String>) {
        match (a, b) {
            (Data::List(x), Data::List(y)) => {
                for (at, (a, b)) in x.iter().zip(y).enumerate() {
                    index.push((at + 1).to_string());
                    walk(name, index, a, b, found);
                    index.pop();
                }
            }
            (Data::Object(x), Data::Object(y)) => {
                for ((key, a), (_, b)) in x.iter().zip(y) {
                    index.push(in_brackets(key).to_owned());
                    walk(name, index, a, b, found);
                    index.pop();
                }
            }
            (a, b) if a == b => {}
            _ if index.is_empty() => found.push(name.to_string()),
            _ => found.push(format!("{name}[{}]", index.join(", "))),
        }
    }
    let mut found = Vec::new();
    for ((name, a), (_, b)) in a.iter().zip(b) {
        walk(name, &mut Vec::new(), a, b, &mut found);
    }
    found
}
