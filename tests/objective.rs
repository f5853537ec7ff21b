//! Objectives: proven optima, and the best that was found when the time is over.

#[path = "common/dice.rs"]
mod dice;
#[path = "objective/random.rs"]
mod random;

use std::path::Path;
use std::process::{Command, Output};

/// Several are best.
const KNAPSACK: &str = include_str!("data/objective/knapsack.rebus");

const MAGIC: &str = include_str!("data/objective/magic.rebus");

/// Answers are told apart by what is no variable, and no rule is there.
const ANSWER: &str = "var x, y : 0..3
answer x + y
minimize abs(x + y - 3)
show x
";

const NONE: &str = "var x, y : 0..3
rule: x + y > 6
minimize x
";

fn rebus(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rebus")).current_dir(folder).args(args).output().expect("runs")
}

fn with_model(text: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("m.rebus"), text).expect("written");
    folder
}

/// A Golomb ruler: marks whose differences all differ.
const GOLOMB: &str = "param n = 5
var mark[n] : 0..n*n*n
rule: mark[1] = 0
rule: increasing(mark)
rule: distinct(mark[j] - mark[i] for i in 1..n, j in 1..n if i < j)
minimize mark[n]
show mark
";

#[test]
fn the_optimum_is_proven() {
    let folder = with_model(GOLOMB);
    let output = rebus(folder.path(), &["solve", "m.rebus", "-f", "json", "--all"]);
    let text = String::from_utf8(output.stdout).expect("text");
    assert_eq!(output.status.code(), Some(0), "{text}");
    assert!(text.ends_with("\"complete\": true, \"objective\": 11}\n"), "{text}");
    assert!(text.contains("\"status\": \"optimal\""), "{text}");
    // 0 1 4 9 11, 0 2 7 8 11 and their mirror images
    assert_eq!(text.matches("\"solution\"").count(), 4, "{text}");
}

#[test]
fn maximize_too() {
    let folder = with_model("var x, y : 0..9\nrule: x + 2 * y <= 12\nmaximize x + 3 * y\n");
    let output = rebus(folder.path(), &["solve", "m.rebus", "-f", "json"]);
    let text = String::from_utf8(output.stdout).expect("text");
    assert!(text.contains("\"values\": {\"x\": 0, \"y\": 6}, \"objective\": 18"), "{text}");
}

/// Sizes of areas that no rule speaks of: bounds of the objective come after the formula, and mean what they say.
#[test]
fn an_objective_of_areas_ends() {
    for (rules, aim, optima) in [
        ("var on[3, 3] : bool\nrule: area(on, (2, 1)) = 3", "maximize area(on, (1, 1))", "20"),
        ("var line[edges(2, 2)] : bool\nrule: area(line, (2, 1)) = 3", "maximize area(line, (1, 1))", "6"),
        ("var on[3, 3] : bool\nrule: on[1, 1]", "minimize sum(area(on, p) for p in [(1, 1), (3, 3)])", "32"),
        (
            "var wall[edges(2, 2)] : bool\nrule: partition(wall)\nrule: region(wall, (2, 1)) = 3",
            "maximize region(wall, (1, 1))",
            "2",
        ),
    ] {
        let folder = with_model(&format!("{rules}\n{aim}\n"));
        for graph in ["auto", "distance", "cuts"] {
            let counted = rebus(folder.path(), &["count", "m.rebus", "--graph", graph, "--timeout", "60"]);
            let told = String::from_utf8_lossy(&counted.stderr);
            assert_eq!(
                String::from_utf8_lossy(&counted.stdout).trim(),
                optima,
                "{rules} {aim} {graph}: {told}"
            );
        }
    }
}

#[test]
fn time_over_shows_the_best_so_far() {
    let folder = with_model(GOLOMB);
    let output = rebus(folder.path(), &["solve", "m.rebus", "-D", "n=13", "--timeout", "4", "-f", "json"]);
    let (text, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(4), "{text}{said}");
    assert!(!text.contains("optimal") && !text.contains("\"complete\": true"), "{text}");
    assert!(said.contains("limit-exceeded"), "{said}");
}

#[test]
fn people_are_told_the_value() {
    let folder = with_model(GOLOMB);
    let output = rebus(folder.path(), &["solve", "m.rebus"]);
    let (text, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(said.contains("the optimum is 11") && !text.contains("optimum"), "{text}{said}");
    // of clauses nobody knows
    assert!(rebus(folder.path(), &["compile", "m.rebus", "-o", "m.cnf"]).status.success());
    std::fs::write(folder.path().join("m.out"), rebus(folder.path(), &["sat", "m.cnf"]).stdout)
        .expect("written");
    let output = rebus(folder.path(), &["decode", "m.cnf.map", "m.out"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("may not be the optimum") && !said.contains("the optimum is"), "{said}");
}

/// The status line, and the values of all solutions in order.
#[track_caller]
fn optima(output: Output) -> (String, Vec<String>) {
    let (text, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{text}{said}");
    let mut lines: Vec<&str> = text.lines().collect();
    let status = lines.pop().expect("a status").to_owned();
    let values = |line: &&str| line.split_once("\"values\"").expect("values").1.to_owned();
    let mut values: Vec<String> = lines.iter().map(values).collect();
    values.sort();
    (status, values)
}

/// Bound after bound, by covers and by solvers that know no objective.
#[test]
fn optima_are_the_same_without_costs() {
    let solvers = String::from_utf8(rebus(Path::new("."), &["solvers"]).stdout).expect("text");
    let is_here = |name: &str| {
        solvers
            .lines()
            .any(|line| line.split_whitespace().next() == Some(name) && !line.ends_with("not installed"))
    };
    let mut ways = vec![vec!["--to", "xcc"]];
    let names = ["minisat", "dlx2", "miniexact"];
    ways.extend(names.into_iter().filter(|name| is_here(name)).map(|name| vec!["--solver", name]));
    let golomb = GOLOMB.replace("n = 5", "n = 4").replace("n*n*n", "n*n");
    for model in [KNAPSACK, &golomb, MAGIC, ANSWER, NONE] {
        let folder = with_model(model);
        let ask = |command: &[&str], way: &[&str]| {
            rebus(folder.path(), &[&command[..1], &["m.rebus"], &command[1..], way].concat())
        };
        let (status, values) = optima(ask(&["solve", "--all", "-f", "json"], &[]));
        let count = ask(&["count"], &[]).stdout;
        assert_eq!(String::from_utf8_lossy(&count).trim(), values.len().to_string());
        // miniexact leaves colours out where it prints the covers of a magic square
        for way in ways.iter().filter(|way| model != MAGIC || way[1] != "miniexact") {
            let found = optima(ask(&["solve", "--all", "-f", "json"], way));
            assert_eq!(found.0, status, "{way:?}: {model}");
            if model != ANSWER {
                assert_eq!(found.1, values, "{way:?}: {model}");
            }
            assert_eq!(ask(&["count"], way).stdout, count, "{way:?}: {model}");
            let one = optima(ask(&["solve", "-f", "json"], way));
            assert_eq!((one.0.contains("optimal"), one.1.len()), (!values.is_empty(), values.len().min(1)));
        }
    }
}

/// The file holds all covers; of a complete list of them the best are shown.
#[test]
fn decode_tells_the_best_of_all_covers() {
    let folder = with_model(KNAPSACK);
    let output = rebus(folder.path(), &["compile", "m.rebus", "-o", "m.xcc"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success() && said.contains("the objective is not in the formula"), "{said}");
    let text = std::fs::read_to_string(folder.path().join("m.xcc")).expect("a cover");
    assert!(text.contains("| the objective is not in this formula"), "{text}");
    let solved = rebus(folder.path(), &["xcc", "m.xcc"]);
    let decode = |printed: &[u8]| {
        std::fs::write(folder.path().join("out"), printed).expect("written");
        rebus(folder.path(), &["decode", "m.xcc.map", "out", "-f", "json"])
    };
    let best = optima(rebus(folder.path(), &["solve", "m.rebus", "--all", "-f", "json"]));
    assert_eq!(optima(decode(&[&*solved.stdout, &*solved.stderr].concat())), best);
    // without the totals there may be a better one
    let open = decode(&solved.stdout);
    let text = String::from_utf8_lossy(&open.stdout);
    let status = text.lines().last().expect("a status");
    assert_eq!(open.status.code(), Some(4));
    assert!(
        status.contains("\"status\": \"satisfiable\"") && status.contains("\"complete\": false"),
        "{status}"
    );
    assert!(String::from_utf8_lossy(&open.stderr).contains("whether none is better is not known"));
}

/// Is a solver of this name and kind installed?
fn is_here(name: &str, format: &str) -> bool {
    let solvers = String::from_utf8(rebus(Path::new("."), &["solvers"]).stdout).expect("text");
    solvers.lines().any(|line| {
        let mut words = line.split_whitespace();
        (words.next(), words.next()) == (Some(name), Some(format)) && !line.ends_with("not installed")
    })
}

/// The objective that the status tells, and the solutions; the status is right.
#[track_caller]
fn told(output: &Output, why: &str) -> (Option<i64>, Vec<random::Assignment>) {
    let (text, said) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(0), "{why}\n{text}{said}");
    let json = |line: &str| serde_json::from_str::<serde_json::Value>(line).expect("JSON");
    let lines: Vec<serde_json::Value> = text.lines().map(json).collect();
    let (status, solutions) = lines.split_last().expect("a status");
    let objective = status["objective"].as_i64();
    let right = if objective.is_some() { "optimal" } else { "unsatisfiable" };
    assert_eq!(status["status"], right, "{why}\n{text}");
    let solutions = solutions.iter().map(|line| {
        assert_eq!(line["objective"].as_i64(), objective, "{why}\n{text}");
        let values = &line["values"];
        let mut b =
            values["b"].as_array().expect("rows").iter().flat_map(|row| row.as_array().expect("a row"));
        random::Assignment {
            b: std::array::from_fn(|_| b.next().and_then(|entry| entry.as_bool()).expect("a boolean")),
            x: values["x"].as_i64().expect("a number"),
            y: values["y"].as_i64().expect("a number"),
        }
    });
    (objective, solutions.collect())
}

fn way<'a>(way: &[&'a str]) -> Vec<&'a str> {
    [&["solve", "m.rebus", "-f", "json"], way].concat()
}

/// Bounds that are constants, fixed variables, gaps, areas: every way to an optimum finds that of all assignments.
#[test]
fn optima_are_those_of_all_assignments() {
    let others: Vec<[&str; 4]> =
        [["--to", "opb", "--solver", "clasp"], ["--to", "wcnf", "--solver", "clasp"]]
            .into_iter()
            .filter(|way| is_here(way[3], way[1]))
            .collect();
    let rounds = std::env::var("REBUS_ROUNDS").ok().and_then(|n| n.parse().ok()).unwrap_or(40);
    for seed in 1..=rounds {
        let random::Random { text, best } = random::model(&mut dice::Dice::new(seed));
        let folder = with_model(&text);
        let (value, all) = best.map_or((None, Default::default()), |(value, all)| (Some(value), all));
        let ask = |args: &[&str]| rebus(folder.path(), args);
        for args in [
            way(&["--all"]),
            way(&["--all", "--seed", "3", "--presolve", "off"]),
            way(&["--all", "--to", "xcc"]),
        ] {
            let (objective, found) = told(&ask(&args), &format!("{args:?}, seed {seed}:\n{text}"));
            assert_eq!(objective, value, "{args:?}, seed {seed}:\n{text}");
            let different: std::collections::BTreeSet<_> = found.iter().cloned().collect();
            assert!(different == all && found.len() == all.len(), "{args:?}, seed {seed}:\n{text}");
        }
        for args in others.iter().map(|other| way(other)).chain([way(&[])]) {
            let (objective, found) = told(&ask(&args), &format!("{args:?}, seed {seed}:\n{text}"));
            assert_eq!(objective, value, "{args:?}, seed {seed}:\n{text}");
            assert!(
                found.iter().all(|one| all.contains(one)) && found.len() == all.len().min(1),
                "{args:?}:\n{text}"
            );
        }
        for args in [&["count", "m.rebus"][..], &["count", "m.rebus", "--to", "xcc"]] {
            let count = ask(args).stdout;
            assert_eq!(
                String::from_utf8_lossy(&count).trim(),
                all.len().to_string(),
                "{args:?}, seed {seed}:\n{text}"
            );
        }
    }
}

/// At the ends of 64 bits a cost has no negation, and no number is less.
#[test]
fn optima_at_the_ends_of_64_bits() {
    let least = "-9223372036854775807 - 1";
    let domains: [(String, [i64; 2]); 4] = [
        (format!("[{least}, -9223372036854775807]"), [i64::MIN, i64::MIN + 1]),
        ("[9223372036854775806, 9223372036854775807]".into(), [i64::MAX - 1, i64::MAX]),
        (format!("[{least}, 0, 9223372036854775807]"), [i64::MIN, i64::MAX]),
        (format!("[{least}]"), [i64::MIN, i64::MIN]),
    ];
    for (domain, best) in domains {
        for (sense, best) in ["minimize", "maximize"].into_iter().zip(best) {
            let folder = with_model(&format!("var x : {domain}\n{sense} x\nshow x\n"));
            for way in [&[][..], &["--to", "xcc"]] {
                let output = rebus(folder.path(), &[&["solve", "m.rebus", "--all"], way].concat());
                let text = String::from_utf8_lossy(&output.stdout);
                assert_eq!(text.trim(), best.to_string(), "{sense} {domain} {way:?}: {output:?}");
            }
        }
    }
}

/// What `verify` says of an answer.
fn verified(model: &str, answer: &str, more: &[&str]) -> (Option<i32>, String) {
    let folder = with_model(model);
    std::fs::write(folder.path().join("answer"), answer).expect("written");
    let output = rebus(folder.path(), &[&["verify", "m.rebus", "answer"], more].concat());
    let text = |bytes| String::from_utf8(bytes).expect("text");
    (output.status.code(), text(output.stdout) + &text(output.stderr))
}

#[test]
fn an_answer_may_be_correct_and_not_the_best() {
    let best = "0 1 4 9 11\n";
    let worse = "0 1 3 7 12\n";
    for answer in [best, "mark = [0, 1, 4, 9, 11]\n"] {
        let (code, text) = verified(GOLOMB, answer, &[]);
        assert!(code == Some(0) && text.starts_with("correct\nthe objective is 11; "), "{text}");
        assert!(text.contains("not checked"), "{text}");
        let (code, text) = verified(GOLOMB, answer, &["--optimal"]);
        assert_eq!((code, text.as_str()), (Some(0), "correct\nthe objective is 11, the best there is\n"));
    }
    for answer in [worse, "{\"mark\": [0, 1, 3, 7, 12]}"] {
        let (code, text) = verified(GOLOMB, answer, &[]);
        assert!(code == Some(0) && text.starts_with("correct\nthe objective is 12; "), "{text}");
        let (code, text) = verified(GOLOMB, answer, &["--optimal"]);
        assert_eq!(
            (code, text.as_str()),
            (Some(5), "not the best: the objective is 12, and 11 is possible\n")
        );
    }
    let (code, text) = verified(GOLOMB, worse, &["--optimal", "-f", "json"]);
    assert_eq!(code, Some(5));
    let told: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(
        (&told["objective"], &told["optimal"], &told["better"]),
        (&12.into(), &false.into(), &11.into())
    );
    // to be as large as possible; what is wrong is wrong, and not asked for more
    let (code, text) = verified(KNAPSACK, "2 0 0 0 0 0 0 0\n", &["--optimal"]);
    assert!(code == Some(5) && text.starts_with("wrong\n"), "{text}");
    let (code, text) = verified(KNAPSACK, "1 0 0 0 0 0 0 0\n", &["--optimal"]);
    assert!(code == Some(5) && text.starts_with("not the best: the objective is 4, and "), "{text}");
    let (code, text) = verified("var x : 1..3\n", "x = 1\n", &["--optimal"]);
    assert!(code == Some(2) && text.contains("without an objective"), "{text}");
}

/// What a drawing leaves open is as good as can be.
#[test]
fn a_drawing_that_does_not_tell_the_objective() {
    let model = "var x, y, z : 0..3\nrule: x + y + z > 4\nminimize y + 2 * z\nshow [x]\n";
    let (code, text) = verified(model, "2\n", &["--optimal"]);
    assert_eq!((code, text.as_str()), (Some(5), "not the best: the objective is 3, and 2 is possible\n"));
}
