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

/// Entries of a drawing: what is no blank and, unless `lines`, no line; by the character where a line has no blanks.
fn entries(drawing: &str, lines: bool) -> Vec<(usize, &str)> {
    let line = |c: char| !lines && matches!(c, '-' | '|' | '+' | '=' | '\u{2500}'..='\u{257f}');
    let gap = |c: char| c.is_whitespace() || c == '·' || line(c);
    let mut found = Vec::new();
    let apart = lines || !drawing.lines().any(|row| row.trim().contains(' '));
    for row in drawing.split_inclusive('\n') {
        let start = row.as_ptr() as usize - drawing.as_ptr() as usize;
        let mut from = None;
        for (at, c) in row.char_indices() {
            let end = gap(c) || apart;
            if let (true, Some(from)) = (end, from) {
                found.push((start + from, &row[from..at]));
            }
            from = if gap(c) {
                None
            } else if end {
                Some(at)
            } else {
                from.or(Some(at))
            };
        }
    }
    found
}

/// The drawing with one entry in the place of another of the same width. Of entries that are all alike, as in a loop through
/// empty cells, the lines are taken.
fn redrawn(drawing: &str) -> Option<String> {
    let wide = |text: &str| text.chars().count();
    [false, true].iter().find_map(|lines| {
        let entries = entries(drawing, *lines);
        // from the end: what comes first may be a clue, and those are easy
        entries.iter().rev().find_map(|(at, entry)| {
            let (_, other) =
                entries.iter().find(|(_, other)| other != entry && wide(other) == wide(entry))?;
            Some([&drawing[..*at], other, &drawing[at + entry.len()..]].concat())
        })
    })
}

/// Single values and lists of these, with the way there.
fn leaves<'v>(value: &'v Value, pointer: &str, found: &mut Vec<(String, &'v Value)>) {
    let escaped = |key: &str| key.replace('~', "~0").replace('/', "~1");
    match value {
        Value::Array(items) if items.iter().any(|item| item.is_array() || item.is_boolean()) => {
            items.iter().enumerate().for_each(|(at, item)| leaves(item, &format!("{pointer}/{at}"), found));
        }
        Value::Object(items) => {
            items.iter().for_each(|(key, item)| leaves(item, &format!("{pointer}/{}", escaped(key)), found));
        }
        Value::Array(items) => {
            found.push((pointer.to_owned(), value));
            items.iter().enumerate().for_each(|(at, item)| leaves(item, &format!("{pointer}/{at}"), found));
        }
        value => found.push((pointer.to_owned(), value)),
    }
}

/// The values with one of them changed: another truth, or a value that stands elsewhere.
fn revalued(values: &Map<String, Value>) -> Vec<Map<String, Value>> {
    let mut all = Vec::new();
    values.iter().for_each(|(name, value)| leaves(value, &format!("/{name}"), &mut all));
    let kind = |value: &Value| (value.is_number(), value.is_string(), value.as_array().map(Vec::len));
    let mut changed = Vec::new();
    for (pointer, leaf) in all.iter().rev() {
        let others =
            all.iter().filter(|(_, other)| other != leaf && kind(other) == kind(leaf) && !other.is_null());
        let others = others.take(25).map(|(_, other)| (*other).clone());
        let others: Vec<Value> = match leaf {
            Value::Bool(is) => vec![Value::Bool(!is)],
            _ => others.collect(),
        };
        for other in others {
            let mut values = Value::Object(values.clone());
            *values.pointer_mut(pointer).expect("a leaf") = other;
            changed.extend(values.as_object().cloned());
        }
        if changed.len() > 1000 {
            break;
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
            // keys are of one kind
            let plain = items.keys().all(|key| plain(key));
            let key = |key: &str| if plain { key.to_owned() } else { Value::from(key).to_string() };
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

/// Drawings of every build: with holes, with lines that nest, with entries of any width, with what cannot be read by itself.
const DRAWN: &[&str] = &[
    // the board begins with a hole, and has more
    "let board = [(1, 2), (2, 1), (2, 2), (3, 3)]\nvar x[board] : 1..4\nrule: distinct(x) and x[1, 2] > x[2, 1] > x[2, 2] > x[3, 3]\nshow x\n",
    "let board = [(1, 2), (2, 1), (2, 2), (3, 3)]\nvar x[board] : bool\nrule: count(x) = 1 and x[2, 2]\nshow x\n",
    "let board = [(1, 3), (2, 1), (2, 2), (3, 3)]\nvar x[board] : [\"a\", \"e\", \"bcd\"]\nrule: x[1, 3] = \"bcd\" and x[3, 3] = \"e\" and all(x[2, c] = \"a\" for c in 1..2)\nshow x\n",
    // numbers wider than what is known of them, in boxes
    "var x[4, 4] : 1..16\nrule: for r in 1..4, c in 1..4: x[r, c] = 4 * r + c - 4\nshow boxed(x, (2, 2))\n",
    "let board = [(r, c) for r in 1..3, c in 1..4 if (r, c) != (1, 1)]\nvar x[board] : 8..19\nrule: for (r, c) in board: x[r, c] = 4 * r + c + 3\nshow boxed(x, (2, 2))\n",
    "var x[2, 2] : 8..19\nrule: x[1, 1] = 9 and x[1, 2] = 9 and x[2, 1] = 12 and x[2, 2] = 12\nshow framed(x, x)\n",
    // lines round cells and through them, walls that are found, and both
    "var wall[edges({(r, c): 1 for r in 1..2, c in 1..3})] : bool\nrule: partition(wall) and region(wall, (1, 1)) = 4 and wall[(1, 2), (1, 3)]\nshow framed({(r, c): c for r in 1..2, c in 1..3}, wall)\n",
    // walls within a region, and cells without neighbours
    "let some = [(1, 1), (1, 2), (2, 1), (2, 2), (2, 4)]\nvar wall[edges(some)] : bool\nrule: count(wall) = 1\nshow framed({p: \"o\" for p in some}, wall)\n",
    "let h = 3\nlet w = 3\nvar a[h, w] : 1..2\nvar line[edges(h, w)] : bool\nrule: loop(line) and count(line) = 12\nrule: for p in keys(a): a[p] = if p[1] = 1 then 1 else 2\nshow looped(line, framed(a, a))\n",
    "let h = 3\nlet w = 3\nvar a[h, w] : 1..2\nvar line[edges(h, w)] : bool\nrule: loop(line) and count(line) = 12\nrule: for p in keys(a): a[p] = if p[1] = 1 then 1 else 2\nshow framed(looped(line, {p: \".\" for p in keys(a)}), a)\n",
    "var a[2, 3] : 1..2\nvar line[edges(a)] : bool\nrule: loop(line) and count(line) = 6\nrule: for p in keys(a): a[p] = if p[2] = 3 then 1 else 2\nshow looped(line, framed({p: \".\" for p in keys(a)}, a))\n",
    "var a[2, 4] : 1..2\nrule: for p in keys(a): a[p] = if p[2] = 3 then 1 else 2\nshow boxed(framed({p: \"o\" for p in keys(a)}, a), (1, 2))\n",
    // regions that some cells do not have
    "var a[2, 3] : (1..2)?\nrule: for p in keys(a): a[p] = if p[2] < 3 then none else p[1]\nshow framed({p: \"{p[1]}\" for p in keys(a)}, a)\n",
    // signs of every kind, and blanks
    "var a[1, 6] : chars(\"╸╺╹╻━┃\")\nrule: distinct(a) and for c in 1..6: a[1, c] = \"━╻╸┃╹╺\"[c]\nshow a\n",
    "var a[1, 8] : chars(\"┏┓┗┛┣┫┳┻\")\nrule: for c in 1..8: a[1, c] = \"┻┏┫┓┣┛┳┗\"[c]\nshow a\n",
    "var a[1, 4] : chars(\"◤◥◣◢\")\nrule: for c in 1..4: a[1, c] = \"◢◤◥◣\"[c]\nshow a\n",
    "var x[3] : bool\nrule: x[2] and not x[1] and not x[3]\nshow [if x[i] then \"o\" else \" \" for i in 1..3] ++ [\"#\"]\n",
    // words, several drawings, lists of lists
    "var x, y : 1..9\nrule: x = 3 and y = 4\nshow \"x = {x}, y = {y}\"\n",
    "var x, y : 1..9\nrule: x = 3 and y = 4\nshow \"{x} and {y}\"\nshow [x, y, x + y]\n",
    "var x[4] : 1..4\nrule: increasing(x)\nshow [[x[1], x[2]], [x[3], x[4]]]\n",
    "var p[2] : [(1, 2), (2, 1), (1, 1), (2, 2)]\nrule: p[1] = (2, 1) and p[2] = (1, 2)\nshow p\n",
    // what is drawn hangs on which values stand in a list
    "var x[4] : bool\nrule: x[3] and count(x) = 1\nshow [first([i for i in 1..4 if x[i]]), count(x)]\n",
];

#[test]
fn drawings_of_every_build_are_read_back() {
    let folder = tempfile::tempdir().expect("a folder");
    let boards: Vec<Board> = (1..)
        .zip(DRAWN)
        .map(|(number, text)| {
            let model = folder.path().join(format!("m{number}.rebus"));
            std::fs::write(&model, text).expect("written");
            Board { name: format!("m{number}"), model, data: None }
        })
        .collect();
    let faults = faults(&boards, |board| read_back(board, folder.path()));
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
