//! `explain` and `deduce` by the command: what they say, against what `solve` finds.

use assert_cmd::Command;
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

fn rebus(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("rebus").expect("built with the tests");
    command.args(args);
    command
}

/// Standard output and standard error of a command that must end with this code.
fn run(args: &[&str], code: i32) -> (String, String) {
    let output = rebus(args).assert().code(code).get_output().clone();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("text");
    (text(output.stdout), text(output.stderr))
}

fn told(args: &[&str]) -> String {
    run(args, 0).0
}

fn json(args: &[&str]) -> Value {
    serde_json::from_str(&told(&[args, &["-f", "json"]].concat())).expect("one object")
}

/// The texts of a list.
fn texts(list: &Value) -> Vec<&str> {
    list.as_array().expect("a list").iter().map(|item| item.as_str().expect("a text")).collect()
}

/// A file in a folder of its own.
fn file(folder: &tempfile::TempDir, name: &str, text: &str) -> String {
    let path = folder.path().join(name);
    std::fs::write(&path, text).expect("written");
    path.display().to_string()
}

#[test]
fn rules_that_clash() {
    let text = told(&["explain", "row", "-D", "clue=.33."]);
    assert_eq!(
        text,
        "\
no solution: these 3 cannot hold together
  all different  row/row.rebus:6:1
  clue at 2      row/row.rebus:7:1, -D clue:1:2
  clue at 3      row/row.rebus:7:1, -D clue:1:3

[·] [3] [3] [·]

None of them can be spared.
"
    );
    let clash = json(&["explain", "row", "-D", "clue=.33."]);
    assert_eq!(clash["status"], "unsatisfiable");
    assert_eq!(clash["minimal"], true);
    assert_eq!(clash["rules"][1]["label"], "clue at 2");
    assert_eq!(texts(&clash["rules"][1]["entries"]), ["x[2]"]);
}

/// Without any one of the rules told, and without all that are not told, there is a solution.
#[test]
fn told_rules_are_needed() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = file(
        &folder,
        "order.rebus",
        "var x[5] : 1..5\n\
         rule \"up at {i}\": for i in 1..4: x[i] < x[i + 1]\n\
         rule \"last\": x[5] <= 4\n\
         rule \"even at {i}\": for i in [1, 3, 5]: x[i] % 2 = 0\n\
         rule \"sum\": sum(x) >= 8\n",
    );
    let clash = json(&["explain", &model]);
    let rules: Vec<String> = clash["rules"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|rule| rule["label"].as_str().expect("a label").into())
        .collect();
    assert_eq!(clash["minimal"], true);
    // two steps up from an even number to an even number are at least two each
    assert!((2..=5).contains(&rules.len()), "{rules:?}");
    let mut all: Vec<String> = (1..=4).map(|i| format!("up at {i}")).collect();
    all.extend([1, 3, 5].map(|i| format!("even at {i}")));
    all.extend(["last".to_string(), "sum".into()]);
    let with = |kept: &dyn Fn(&String) -> bool| {
        let mut args = vec!["solve".to_string(), model.clone(), "-f".into(), "json".into()];
        for label in all.iter().filter(|label| !kept(label)) {
            args.extend(["--without".to_string(), label.clone()]);
        }
        told(&args.iter().map(String::as_str).collect::<Vec<_>>()).contains("\"unsatisfiable\"")
    };
    assert!(with(&|label| rules.contains(label)), "{rules:?} can hold");
    for left in &rules {
        assert!(!with(&|label| rules.contains(label) && label != left), "{left} is not needed");
    }
}

#[test]
fn no_rule_is_needed() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = file(&folder, "empty.rebus", "var x : 5..4\nvar y : 1..2\nrule: y = 1\n");
    let (text, faults) = run(&["explain", &model], 0);
    assert_eq!(text, "no solution, whatever the rules: a variable has no value\n");
    assert!(faults.contains("warning[empty-domain]"), "{faults}");
    let model = file(&folder, "never.rebus", "var x : 1..2\nrule \"never\": x > 7\n");
    let text = told(&["explain", &model]);
    assert!(text.starts_with("no solution: this rule cannot hold\n  never  "), "{text}");
}

#[test]
fn why_a_value() {
    let forced = json(&["explain", "row", "--why", "x[2]"]);
    assert_eq!((&forced["status"], &forced["value"]), (&Value::from("forced"), &Value::from(3)));
    assert_eq!(forced["rules"][0]["label"], "clue at 2");
    assert_eq!(forced["rules"].as_array().expect("a list").len(), 1);
    // both: it follows that the other two make 6 together
    let sum = json(&["explain", "row", "--why", "x[1] + x[3]"]);
    assert_eq!((&sum["status"], &sum["value"]), (&Value::from("forced"), &Value::from(6)));
    let labels: Vec<_> = sum["rules"].as_array().expect("a list").iter().map(|rule| &rule["label"]).collect();
    assert_eq!(labels, ["all different", "clue at 2", "clue at 4"]);
    assert!(
        told(&["explain", "row", "--why", "x[2] = 2"]).starts_with("x[2] = 2 is false in every solution")
    );
    assert_eq!(told(&["explain", "row", "--why", "1 + 1"]), "1 + 1 is 2, whatever the rules\n");
    let open = json(&["explain", "row", "--why", "x[1]"]);
    assert_eq!(open["status"], "open");
    let mut values = [&open["value"], &open["other"]].map(|value| value.as_i64().expect("a number"));
    values.sort_unstable();
    assert_eq!(values, [2, 4]);
    assert_ne!(open["solutions"][0], open["solutions"][1]);
}

#[test]
fn faults_of_questions() {
    let (_, fault) = run(&["explain", "row", "--why", "y[1]"], 1);
    assert!(fault.contains("error[unknown-name]") && fault.contains("--why:1:1"), "{fault}");
    let (_, fault) = run(&["explain", "row", "--why", "x"], 1);
    assert!(fault.contains("error[type-mismatch]") && fault.contains("one value is wanted"), "{fault}");
    let (_, fault) = run(&["explain", "row", "--why", "x["], 1);
    assert!(fault.contains("error[syntax]"), "{fault}");
    let (_, fault) = run(&["explain", "row", "--why", "1 / (x[2] - 3)"], 1);
    assert!(fault.contains("in the solution that was found first"), "{fault}");
    for command in ["explain", "deduce"] {
        let (_, fault) = run(&[command, "row", "-f", "csv"], 2);
        assert!(fault.contains("does not write csv"), "{fault}");
        let (text, fault) = run(&[command, "queens", "-D", "n=8", "--timeout", "0"], 4);
        assert!(text.is_empty() || text == "unknown\n", "{text}");
        assert!(fault.contains("error[limit-exceeded]"), "{fault}");
    }
}

#[test]
fn two_solutions() {
    let several = json(&["explain", "row"]);
    assert_eq!(several["status"], "several");
    assert_eq!(texts(&several["differ"]), ["x[1]", "x[3]"]);
    assert_eq!(texts(&several["vary"]), ["x[1]", "x[3]"]);
    assert_eq!(several["complete"], true);
    let text = told(&["explain", "row"]);
    assert!(text.starts_with("two solutions, which differ in x[1], x[3]\n\n["), "{text}");
    assert!(text.ends_with("\n2 of 4 vary: x[1], x[3]\n"), "{text}");
}

/// With an objective, what is asked is asked of the best solutions.
#[test]
fn best_solutions() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = file(
        &folder,
        "best.rebus",
        "var x[3] : 1..9\nrule \"sum\": sum(x) <= 12\nrule \"low\": x[3] <= 4\nmaximize x[1] + 2 * x[3]\n",
    );
    let shared = json(&["deduce", &model]);
    assert_eq!(shared["determined"], serde_json::json!({"x[1]": 7, "x[2]": 1, "x[3]": 4}));
    let why = json(&["explain", &model, "--why", "x[3]"]);
    assert_eq!((&why["status"], &why["value"]), (&Value::from("forced"), &Value::from(4)));
    let labels: Vec<_> = why["rules"].as_array().expect("a list").iter().map(|rule| &rule["label"]).collect();
    assert_eq!(labels, ["sum", "low", "the best value of the objective"]);
    let text = told(&["explain", &model, "--why", "x[3]"]);
    assert!(text.contains("the best value of the objective") && text.contains("best.rebus:4:10"), "{text}");
    let model = file(
        &folder,
        "least.rebus",
        "var x[2] : 1..4\nrule \"differ\": x[1] != x[2]\nminimize x[1] + x[2]\n",
    );
    let several = json(&["explain", &model]);
    assert_eq!(texts(&several["vary"]), ["x[1]", "x[2]"]);
    let why = json(&["explain", &model, "--why", "x[1] <= 2"]);
    assert_eq!((&why["status"], &why["value"]), (&Value::from("forced"), &Value::from(true)));
}

/// In JSON a value is what it is, not its text.
#[test]
fn values_in_json() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = file(
        &folder,
        "kinds.rebus",
        "enum Sea { water \"~\", ship }\nvar s : Sea\nvar w : [\"ab\", \"c\"]\nvar p : [(1, 2), (2, 1)]\n\
         var o : (1..2)?\nvar b : bool\nrule: s = ship and w = \"ab\" and p = (2, 1) and o = none and not b\n",
    );
    for (asked, value) in [
        ("s", serde_json::json!("ship")),
        ("w", serde_json::json!("ab")),
        ("p", serde_json::json!([2, 1])),
        ("o", serde_json::json!(null)),
        ("b", serde_json::json!(false)),
        ("2 + 3", serde_json::json!(5)),
    ] {
        assert_eq!(json(&["explain", &model, "--why", asked])["value"], value, "{asked}");
    }
}

/// Without the spare givens the puzzle still has one solution, without any other one as well it has more.
#[test]
fn givens_that_can_go() {
    let folder = tempfile::tempdir().expect("a folder");
    let board = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    let found = json(&["explain", "sudoku", "-D", &format!("clue={board}"), "--givens"]);
    assert_eq!((&found["status"], &found["complete"]), (&Value::from("unique"), &Value::from(true)));
    let mut left: Vec<char> = board.chars().collect();
    let mut needed = Vec::new();
    for given in found["givens"].as_array().expect("a list") {
        let entry = given["entry"].as_str().expect("a text");
        let digits: Vec<usize> = entry.chars().filter_map(|c| c.to_digit(10)).map(|d| d as usize).collect();
        let [row, column, value] = digits[..] else { panic!("{entry} is no entry") };
        let at = 9 * row + column - 10;
        assert_eq!(board.as_bytes()[at], b'0' + value as u8);
        assert_eq!(given["place"], format!("-D clue:1:{}", at + 1));
        if given["needed"] == true { needed.push(at) } else { left[at] = '.' }
    }
    assert!(needed.len() < 30 && needed.len() >= 17);
    let unique = |board: &[char], code: i32| {
        let board =
            file(&folder, "board.clues", &format!("clue = \"{}\"\n", board.iter().collect::<String>()));
        run(&["solve", "sudoku", &board, "--unique"], code);
    };
    unique(&left, 0);
    for at in needed {
        let mut fewer = left.clone();
        fewer[at] = '.';
        unique(&fewer, 5);
    }
    // no entry of `clue` may go where none is a given
    assert!(told(&["explain", "queens", "-D", "n=1", "--givens"]).contains("no parameter has entries"));
}

/// The open boards of the collection: what all their solutions share, by listing them.
#[test]
fn boards_with_several_solutions() {
    let boards = std::fs::read_to_string(Path::new("tests/data/sudoku/counts.txt")).expect("the collection");
    for line in boards.lines() {
        let (board, count) = line.split_once(" count ").expect("a board and its number of solutions");
        let clue = format!("clue={board}");
        let shared = json(&["deduce", "sudoku", "-D", &clue]);
        if count == "0" {
            assert_eq!(shared["status"], "unsatisfiable");
            let clash = json(&["explain", "sudoku", "-D", &clue]);
            assert_eq!(
                (&clash["status"], &clash["minimal"]),
                (&Value::from("unsatisfiable"), &Value::from(true))
            );
            continue;
        }
        let mut values: BTreeMap<String, BTreeSet<u64>> = BTreeMap::new();
        for line in told(&["solve", "sudoku", "-D", &clue, "--all", "-f", "json"]).lines() {
            let solution: Value = serde_json::from_str(line).expect("an object a line");
            let Some(rows) = solution["values"]["x"].as_array() else { continue };
            for (r, row) in rows.iter().enumerate() {
                for (c, value) in row.as_array().expect("a row").iter().enumerate() {
                    let value = value.as_u64().expect("a digit");
                    values.entry(format!("x[{}, {}]", r + 1, c + 1)).or_default().insert(value);
                }
            }
        }
        let (mut determined, mut open) = (serde_json::Map::new(), serde_json::Map::new());
        for (name, values) in values {
            let values: Vec<u64> = values.into_iter().collect();
            match values[..] {
                [only] => drop(determined.insert(name, only.into())),
                _ => drop(open.insert(name, values.into())),
            }
        }
        assert_eq!(shared["determined"], Value::Object(determined));
        assert_eq!(shared["open"], Value::Object(open));
        assert_eq!(shared["complete"], true);
    }
}

#[test]
fn values_ruled_out() {
    assert_eq!(
        told(&["deduce", "row", "--values"]),
        "\
· 3 · 1
2 of 4 determined
x[1]: 2, 4 possible; 1, 3 ruled out
x[3]: 2, 4 possible; 1, 3 ruled out
"
    );
    assert_eq!(told(&["deduce", "row", "-D", "clue=[1, 1, none, none]"]), "unsatisfiable\n");
    let folder = tempfile::tempdir().expect("a folder");
    let model = file(&folder, "wide.rebus", "var x : 0..999\nvar b : bool\nrule: b -> x > 5\n");
    let text = told(&["deduce", &model, "--values"]);
    assert!(text.ends_with("x: too many values to tell\nb: false, true possible\n"), "{text}");
}

/// Rules that an answer with gaps breaks, against all ways to fill the gaps.
#[test]
fn rules_broken_whatever_is_missing() {
    use rebus::encode::cnf::Options;
    use rebus::eval::{Eval, NoImports, Program, Without};
    use rebus::solve::embedded::Quick;
    let text = "var x[4] : 1..3\nvar b[3] : bool\nvar s : [\"u\", \"v\"]\n\
                rule: for i in 1..3: b[i] -> x[i] < x[i + 1]\n\
                rule: distinct(x[1..3])\n\
                rule: sum(x) = 8\n\
                rule: count(b) = 2 or s = \"u\"\n\
                rule: acyclic({((1, i), (1, i + 1)): b[i] for i in 1..3})\n\
                rule: connected({(1, i): b[i] for i in 1..3})\n\
                rule: (x[1] * x[2]) % 2 = 0\n";
    let mut sources = rebus::diag::Sources::default();
    let file = sources.add("model", text);
    let program = Program::load(&mut sources, &mut NoImports, file, &[]).expect("no fault");
    let budget = rebus::shared::Budget::unlimited();
    let mut eval = Eval::new(&program, &budget);
    eval.declare_all().expect("no fault");
    eval.ground_rules(0..program.rules.len(), &Without::default()).expect("no fault");
    let sizes: Vec<u32> = eval.model.vars.iter().map(|domain| domain.size() as u32).collect();
    let mut state = 7_u32;
    let mut random = |below: u32| {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        (state >> 16) % below
    };
    let mut counts = [0; 2];
    for _ in 0..60 {
        let given: Vec<Option<u32>> =
            sizes.iter().map(|size| (random(3) > 0).then(|| random(*size))).collect();
        let mut can = vec![false; eval.model.rules.len()];
        let all: u32 = sizes.iter().product();
        for mut number in 0..all {
            let values: Vec<u32> = sizes
                .iter()
                .map(|size| {
                    let digit = number % size;
                    number /= size;
                    digit
                })
                .collect();
            if values.iter().zip(&given).all(|(value, given)| given.is_none_or(|given| given == *value)) {
                for (can, rule) in can.iter_mut().zip(&eval.model.rules) {
                    *can |= eval.model.holds(rule.what, &values);
                }
            }
        }
        let expected: Vec<usize> = (0..can.len()).filter(|rule| !can[*rule]).collect();
        let (options, engine) = (Options::default(), || Box::new(Quick::new(0)) as _);
        let found = rebus::why::broken(&mut eval.model, &given, &[], usize::MAX, options, &engine, &budget);
        assert_eq!(found.as_ref(), Ok(&expected), "{given:?}");
        counts[usize::from(expected.is_empty())] += 1;
    }
    assert!(counts.iter().all(|count| *count > 5), "{counts:?}");
}

/// Three rules clash at a glance; whether two would do cannot be found out in hours, and is not tried for longer than the three took.
#[test]
fn a_smaller_set_is_looked_for_as_long_as_the_first_took() {
    let board = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/heyawake/impossible.clues");
    let found = json(&["explain", "heyawake", board]);
    assert_eq!((&found["status"], &found["minimal"]), (&Value::from("unsatisfiable"), &Value::from(true)));
    assert_eq!(found["rules"].as_array().map(Vec::len), Some(3));
}
