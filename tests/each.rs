//! `solve --each`: every instance has exactly the answers that its data have without it, whatever it shares with the others.

#[path = "common/dice.rs"]
mod dice;

use dice::Dice;
use serde_json::Value;
use std::collections::BTreeSet;
use std::path::Path;
use std::process::{Command, Output};

fn rebus(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rebus")).current_dir(folder).args(args).output().expect("runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("text")
}

fn with(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    files.iter().for_each(|(name, text)| std::fs::write(folder.path().join(name), text).expect("written"));
    folder
}

fn json(output: &Output) -> Vec<Value> {
    text(&output.stdout).lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// The graph of a rule depends on the instance.
const GRAPH: &str = "param s : 1..3
var b[3, 3] : bool
rule: reaches(b, [(s, s)])
rule: b[s, s] and count(b) = 5
show b
";

#[test]
fn a_graph_of_its_own_is_solved_alone() {
    let folder = with(&[("m.rebus", GRAPH), ("s.txt", "1\n2\n3\n")]);
    let all = json(&rebus(folder.path(), &["solve", "m.rebus", "--each", "s=s.txt", "--all", "-f", "json"]));
    let first = all.iter().filter(|line| line["solution"] == 1);
    assert_eq!((all.len(), first.count()), (21 + 41 + 21, 3));
    let one = rebus(folder.path(), &["solve", "m.rebus", "--each", "s=s.txt", "-f", "json"]);
    assert_eq!((one.status.code(), json(&one).len()), (Some(0), 3));
    // beside a board that shares
    let caves = "..2......\n.........\n";
    let folder = with(&[("c.txt", caves)]);
    let cave = rebus(
        folder.path(),
        &["solve", "cave", "-D", "h=3", "-D", "w=3", "--each", "clue=c.txt", "-f", "json"],
    );
    assert_eq!((cave.status.code(), json(&cave).len()), (Some(0), 2), "{}", text(&cave.stderr));
}

const ROW: &str = "param n
param clue[n] : (1..n)?
var x[n] : 1..n
rule: distinct(x)
rule: for (p, k) in givens(clue): x[p] = k
show x
";

const ROWS: &str = "{\"clue\": [1, null, null]}
{\"clue\": [null, 2]}
{\"clue\": [1, 1]}
{\"clue\": [9]}
[]
{\"clu\": 1}
{\"clue\": [1, 2, null]}
";

#[test]
fn unique_is_said_of_each_line() {
    let folder = with(&[("m.rebus", ROW), ("d.jsonl", ROWS)]);
    let args = ["solve", "m.rebus", "--each", "d.jsonl", "--unique"];
    let output = rebus(folder.path(), &args);
    assert_eq!(output.status.code(), Some(5));
    let expected = "1 3 2\n\n1 2 3\nnot unique: a second solution differs in x[2], x[3]\n\n1 2\nunique\n\
                    unsatisfiable\nunknown\nunknown\nunknown\n\n1 2 3\nunique\n";
    assert_eq!(text(&output.stdout), expected);
    let said = text(&output.stderr);
    for fault in ["d.jsonl, line 4", "d.jsonl, line 5", "d.jsonl, line 6"] {
        assert!(said.contains(fault), "{said}");
    }
    let unique = |output: &Output| -> Vec<Value> {
        json(output)
            .iter()
            .filter(|line| line.get("status").is_some())
            .map(|line| line["unique"].clone())
            .collect()
    };
    let told = rebus(folder.path(), &[&args[..], &["-f", "json"]].concat());
    let expected = serde_json::json!([false, true, null, null, null, null, true]);
    assert_eq!(Value::from(unique(&told)), expected);
    assert_eq!(json(&told)[2]["differ"], serde_json::json!(["x[2]", "x[3]"]));
    let spread = [&args[..], &["-f", "json", "--jobs", "2", "--results", "r.jsonl"]].concat();
    let told_again = rebus(folder.path(), &spread);
    assert_eq!((text(&told_again.stdout), told_again.status.code()), (text(&told.stdout), Some(5)));
    let results = std::fs::read_to_string(folder.path().join("r.jsonl")).expect("results");
    let results: Vec<Value> = results.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    let column: Vec<&str> = results.iter().map(|line| line["status"].as_str().expect("a status")).collect();
    let expected = ["not unique", "unique", "unsatisfiable", "failed", "failed", "failed", "unique"];
    assert_eq!(column, expected);
    assert_eq!(results[0]["differ"], serde_json::json!(["x[2]", "x[3]"]));
    // boards that share a formula
    let boards = "12...\n1234.\n11...\n.....\n";
    let folder = with(&[("m.rebus", &ROW.replace("param n", "param n = 5")), ("b.txt", boards)]);
    let shared =
        rebus(folder.path(), &["solve", "m.rebus", "--each", "clue=b.txt", "--unique", "-f", "json"]);
    assert_eq!(Value::from(unique(&shared)), serde_json::json!([false, true, null, false]));
}

/// What cannot be encoded ends its line alone.
#[test]
fn an_instance_that_fails_spoils_its_line() {
    let model = "param k : int\nvar x : 1..9\nvar y : 1..9\nrule: x * y * k * k > 2\nshow [x, y]\n";
    let lines = "1\n9223372036854775807\n2\nnonsense\n3\n";
    let folder = with(&[("m.rebus", model), ("k.txt", lines)]);
    for further in [&[][..], &["--jobs", "2"], &["--unique"], &["--limit", "2"]] {
        let args = [&["solve", "m.rebus", "--each", "k=k.txt", "-f", "json"], further].concat();
        let output = rebus(folder.path(), &args);
        let failed = json(&output).iter().filter(|line| line["status"] == "unknown").count();
        let first = json(&output).iter().filter(|line| line["solution"] == 1).count();
        assert_eq!((failed, first), (2, 3), "{further:?}: {}", text(&output.stdout));
        let said = text(&output.stderr);
        assert!(said.contains("k.txt, line 4"), "{said}");
    }
}

/// What data say of other parameters, and what only drawings read, is the instance's own too.
#[test]
fn data_that_read_the_parameter_are_its_own() {
    let model = "param s : 1..3\nparam t = 1\nparam mark[3] : (1..9)?\nvar x : 1..9\nrule: x = t\nshow [x, s, mark[s]]\n";
    let files =
        [("m.rebus", model), ("d.clues", "t = 2 * s\nmark = [7, none, 9]\n"), ("s.txt", "1\n2\n3\n4\n")];
    let folder = with(&files);
    for data in [&["d.clues"][..], &["-D", "t=2*s", "-D", "mark=[7, none, 9]"]] {
        let args = [&["solve", "m.rebus", "--each", "s=s.txt"], data].concat();
        let output = rebus(folder.path(), &args);
        assert_eq!(text(&output.stdout), "2 1 7\n\n4 2 .\n\n6 3 9\nunknown\n", "{}", text(&output.stderr));
        assert_eq!(output.status.code(), Some(1));
    }
}

const RULES: &[&str] = &[
    "connected(b)",
    "reaches(b, [(s, 1), (1, s)])",
    "connected({p: b[p] and p != (s, 2) for p in cells(b)})",
    "connected({p: b[p] for p in cells(b) if p != (s, s)})",
    "tree({p: b[p] or p = (s, 1) for p in cells(b)})",
    "acyclic({(p, q): b[p] or b[q] for (p, q) in edges(b) if p != (s, 1)})",
    "loop({(p, q): b[p] and b[q] and p != (k, 1) for (p, q) in edges(b)})",
    "divided({p: if b[p] then s else clue[p] for p in cells(b)})",
    "for (p, v) in givens(clue): area(b, p) = v",
    "for (p, v) in givens(clue): b[p] -> area(b, p) >= v",
    "area(b, (s, 1)) != k",
    "for (p, v) in givens(clue): count(b[q] for q in adjacent(b, p)) <= v",
    "count(b) >= m",
    "count(b) = k or not b[s, 1]",
    "b[s, 1] xor b[1, 2]",
    "y = k -> b[1, 1]",
    "y != s",
    "connected(b) and b[1, 1]",
    "if k = 2 then connected(b) else count(b) = 2",
];

/// A model, and lines of data.
fn random(rng: &mut Dice) -> (String, Vec<String>) {
    let from_lists = rng.below(3) == 0;
    let size = if from_lists { "h, w" } else { "2, 3" };
    let mut model = format!(
        "{}param clue[{size}] : (1..4)? = {{}}\nparam s : 1..2 = 1\nparam k = 2\nparam m = k + s\n\
         var b[{size}] : bool\nvar y : 1..3\nshow b\nshow [y, s, k]\n",
        if from_lists { "param h, w\n" } else { "" }
    );
    if from_lists {
        model = model.replace(" = {}", "");
    }
    for _ in 0..1 + rng.below(4) {
        model.push_str(&format!("rule: {}\n", RULES[rng.below(RULES.len())]));
    }
    let line = |rng: &mut Dice| {
        let mut parts = Vec::new();
        if from_lists || rng.below(2) == 0 {
            let width = if from_lists { 2 + rng.below(2) } else { 3 };
            let entry = |rng: &mut Dice| {
                if rng.below(4) > 0 { "null".into() } else { (1 + rng.below(4)).to_string() }
            };
            let row = |rng: &mut Dice| {
                format!("[{}]", (0..width).map(|_| entry(rng)).collect::<Vec<String>>().join(", "))
            };
            parts.push(format!("\"clue\": [{}, {}]", row(rng), row(rng)));
        }
        if rng.below(4) > 0 {
            // one of them is not allowed
            parts.push(format!("\"s\": {}", 1 + rng.below(9) % 3));
        }
        if rng.below(4) > 0 {
            parts.push(format!("\"k\": {}", 1 + rng.below(4)));
        }
        format!("{{{}}}", parts.join(", "))
    };
    let lines = (0..5).map(|_| line(rng)).collect();
    (model, lines)
}

/// By instance: the solutions, and what was said at the end if something was.
fn instances(output: &Output) -> Vec<(Vec<String>, Option<Value>)> {
    let mut all: Vec<(Vec<String>, Option<Value>)> = Vec::new();
    for line in json(output) {
        if line.get("solution").is_some() {
            match all.last_mut() {
                Some((solutions, None)) if line["solution"] != 1 => {
                    solutions.push(line["values"].to_string())
                }
                _ => all.push((vec![line["values"].to_string()], None)),
            }
            continue;
        }
        match all.last_mut() {
            Some((_, end @ None)) if line["solutions"] != 0 => *end = Some(line),
            _ => all.push((Vec::new(), Some(line))),
        }
    }
    all
}

#[test]
fn instances_have_the_answers_of_their_data_alone() {
    let rounds = std::env::var("REBUS_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(24);
    for seed in 1..=rounds {
        let mut rng = Dice::new(seed);
        let (model, lines) = random(&mut rng);
        let folder = with(&[("m.rebus", &model), ("d.jsonl", &(lines.join("\n") + "\n"))]);
        let path = folder.path();
        let why = format!("seed {seed}\n{model}{}", lines.join("\n"));
        let each = |further: &[&str]| {
            let args = [&["solve", "m.rebus", "--each", "d.jsonl", "-f", "json"], further].concat();
            let output = rebus(path, &args);
            let told = instances(&output);
            assert_eq!(
                told.len(),
                lines.len(),
                "{args:?} {why}\n{}{}",
                text(&output.stdout),
                text(&output.stderr)
            );
            told
        };
        let (one, all, unique, spread) =
            (each(&[]), each(&["--all"]), each(&["--unique"]), each(&["--unique", "--jobs", "2"]));
        for (at, line) in lines.iter().enumerate() {
            std::fs::write(path.join("d.json"), line).expect("written");
            let output = rebus(path, &["solve", "m.rebus", "d.json", "--all", "-f", "json"]);
            let failed = output.status.code() == Some(1);
            assert!(failed || output.status.code() == Some(0), "{why}\n{}", text(&output.stderr));
            let alone: Vec<String> = json(&output)
                .iter()
                .filter(|l| l.get("values").is_some())
                .map(|l| l["values"].to_string())
                .collect();
            let set = |list: &[String]| -> BTreeSet<String> { list.iter().cloned().collect() };
            let why = format!("line {} of {why}", at + 1);
            assert!(all[at].0.len() == alone.len() && set(&all[at].0) == set(&alone), "{why}");
            assert!(
                one[at].0.len() == alone.len().min(1) && set(&one[at].0).is_subset(&set(&alone)),
                "{why}"
            );
            for (told, end) in [&unique[at], &spread[at]] {
                assert!(told.len() == alone.len().min(2) && set(told).len() == told.len(), "{why}");
                assert!(set(told).is_subset(&set(&alone)), "{why}");
                let end = end.as_ref().expect("a status");
                let right = match alone.len() {
                    _ if failed => "unknown",
                    0 => "unsatisfiable",
                    _ => "satisfiable",
                };
                assert_eq!(end["status"], right, "{why}");
                let expected = if alone.is_empty() { Value::Null } else { Value::Bool(alone.len() == 1) };
                assert_eq!(end["unique"], expected, "{why}");
            }
        }
    }
}
