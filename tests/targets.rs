//! Pseudo-Boolean and MaxSAT formulas, as strict readers of their own see them, and solved by whoever is here.

#[path = "encode/rows.rs"]
mod rows;

use rebus::encode::{Linear, Sink};
use rebus::model::Cmp;
use rows::Rows;
use std::path::Path;
use std::process::{Command, Output};

/// For models that need more than one board's rules.
const KNAPSACK: &str = include_str!("data/objective/knapsack.rebus");

/// Marks whose differences all differ.
const GOLOMB: &str = "param n = 4
var mark[n] : 0..n*n
rule: mark[1] = 0
rule: increasing(mark)
rule: distinct(mark[j] - mark[i] for i in 1..n, j in 1..n if i < j)
minimize mark[n]
show mark
";

const MAGIC: &str = include_str!("data/objective/magic.rebus");

fn rebus(folder: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_rebus")).current_dir(folder).args(args).output().expect("runs")
}

/// What a command that ends well prints, and what it says besides.
#[track_caller]
fn told(folder: &Path, args: &[&str]) -> (String, String) {
    let output = rebus(folder, args);
    let (out, err) = (String::from_utf8(output.stdout).unwrap(), String::from_utf8(output.stderr).unwrap());
    assert_eq!(output.status.code(), Some(0), "{args:?}: {out}{err}");
    (out, err)
}

fn folder(model: &str) -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("m.rebus"), model).expect("written");
    folder
}

/// `Σ coef · literal`, a negated literal as a negative number.
type Terms = Vec<(i64, i64)>;

/// A formula in the competitions' format, strictly read.
#[derive(Debug, Default)]
struct Opb {
    variables: i64,
    minimum: Option<Terms>,
    /// Terms, whether it is an equality, bound.
    rows: Vec<(Terms, bool, i64)>,
}

fn terms(text: &str, variables: i64) -> Terms {
    let words: Vec<&str> = text.split(' ').collect();
    assert!(words.len().is_multiple_of(2), "{text:?}");
    let mut terms = Terms::new();
    for pair in words.chunks(2) {
        let coef: i64 = pair[0].parse().expect("a coefficient");
        assert_eq!(format!("{coef:+}"), pair[0]);
        let (sign, name) = pair[1].strip_prefix('~').map_or((1, pair[1]), |name| (-1, name));
        let number: i64 = name.strip_prefix('x').expect("a variable").parse().expect("a number");
        assert!(number >= 1 && number <= variables, "{text}");
        assert!(terms.iter().all(|(_, other)| other.abs() != number), "a variable twice: {text}");
        terms.push((coef, sign * number));
    }
    terms
}

fn opb(text: &str) -> Opb {
    let mut lines = text.lines();
    assert!(text.ends_with('\n') && !text.contains('\t') && !text.contains('\r'));
    let counts: Vec<&str> = lines.next().expect("a first line").split(' ').collect();
    let ["*", "#variable=", variables, "#constraint=", rows] = counts[..] else { panic!("{counts:?}") };
    let more: Vec<&str> = lines.next().expect("a second line").split(' ').collect();
    let ["*", "#equal=", equalities, "intsize=", bits] = more[..] else { panic!("{more:?}") };
    let mut read = Opb { variables: variables.parse().expect("a number"), ..Opb::default() };
    let mut body = false;
    let mut widest = 0;
    for line in lines {
        if let Some(comment) = line.strip_prefix('*') {
            assert!(!body && (comment.is_empty() || comment.starts_with(' ')), "{line}");
            continue;
        }
        let line = line.strip_suffix(" ;").unwrap_or_else(|| panic!("{line}"));
        if let Some(minimum) = line.strip_prefix("min: ") {
            assert!(!body, "an objective among the constraints");
            let minimum = terms(minimum, read.variables);
            widest = widest.max(minimum.iter().map(|(coef, _)| coef.abs()).sum());
            read.minimum = Some(minimum);
        } else {
            let (left, equality, bound) = match line.split_once(" >= ") {
                Some((left, bound)) => (left, false, bound),
                None => line.split_once(" = ").map(|(left, bound)| (left, true, bound)).expect("a relation"),
            };
            let row = terms(left, read.variables);
            widest = widest.max(row.iter().map(|(coef, _)| coef.abs()).sum());
            read.rows.push((row, equality, bound.parse().expect("a number")));
        }
        body = true;
    }
    assert_eq!(read.rows.len().to_string(), rows);
    assert_eq!(read.rows.iter().filter(|row| row.1).count().to_string(), equalities);
    assert_eq!((i64::BITS - widest.leading_zeros()).to_string(), bits);
    read
}

/// What literals of a model weigh.
fn weight(terms: &Terms, model: &[bool]) -> i64 {
    let on = |lit: i64| model[lit.unsigned_abs() as usize] == (lit > 0);
    terms.iter().filter(|(_, lit)| on(*lit)).map(|(coef, _)| coef).sum()
}

impl Opb {
    /// What every assignment that keeps all rows costs.
    fn costs(&self) -> Vec<i64> {
        let mut rows = Rows::default();
        for (terms, equality, bound) in &self.rows {
            // a negated literal is one less the literal; at least so much is at most so much less
            let sign = if *equality { 1 } else { -1 };
            let negated: i64 = terms.iter().filter(|(_, lit)| *lit < 0).map(|(coef, _)| coef).sum();
            let plain: Vec<(i64, i32)> =
                terms.iter().map(|(coef, lit)| (sign * coef * lit.signum(), lit.abs() as i32)).collect();
            let cmp = if *equality { Cmp::Eq } else { Cmp::Le };
            rows.constraint(&plain, cmp, sign * (bound - negated));
        }
        let mut costs = Vec::new();
        rows::models(self.variables as usize, &rows.rows, &mut |model| {
            costs.push(self.minimum.as_ref().map_or(0, |terms| weight(terms, model)));
        });
        costs.sort_unstable();
        costs
    }
}

/// Hard clauses, and soft ones with their weights; either form.
struct Wcnf {
    hard: Vec<Vec<i64>>,
    soft: Vec<(i64, Vec<i64>)>,
}

fn wcnf(text: &str) -> Wcnf {
    let mut read = Wcnf { hard: Vec::new(), soft: Vec::new() };
    let mut header: Option<[i64; 3]> = None;
    for line in text.lines().filter(|line| *line != "c" && !line.starts_with("c ")) {
        let words: Vec<&str> = line.split(' ').collect();
        if let ["p", "wcnf", sizes @ ..] = &words[..] {
            assert!(header.is_none() && read.hard.is_empty());
            let sizes: Vec<i64> = sizes.iter().map(|size| size.parse().expect("a size")).collect();
            header = Some(sizes.try_into().expect("three sizes"));
            continue;
        }
        let [weight, lits @ .., "0"] = &words[..] else { panic!("{line}") };
        let lits: Vec<i64> = lits.iter().map(|lit| lit.parse().expect("a literal")).collect();
        assert!(
            !lits.contains(&0) && header.is_none_or(|[most, ..]| lits.iter().all(|lit| lit.abs() <= most))
        );
        match (weight.parse::<i64>(), header) {
            (Ok(weight), Some([.., top])) if weight == top => read.hard.push(lits),
            (Ok(weight), _) => read.soft.push((weight, lits)),
            (Err(_), None) if *weight == "h" => read.hard.push(lits),
            _ => panic!("{line}"),
        }
    }
    if let Some([_, rows, top]) = header {
        assert_eq!((read.hard.len() + read.soft.len()) as i64, rows);
        assert!(read.soft.iter().map(|(weight, _)| weight).sum::<i64>() < top);
    }
    read
}

impl Wcnf {
    /// The weight of what is broken, for every assignment that keeps the hard clauses.
    fn costs(&self, variables: usize) -> Vec<i64> {
        let mut rows = Rows::default();
        for clause in &self.hard {
            rows.clause(&clause.iter().map(|lit| *lit as i32).collect::<Vec<_>>());
        }
        let mut costs = Vec::new();
        rows::models(variables, &rows.rows, &mut |model| {
            let broken =
                |clause: &Vec<i64>| clause.iter().all(|lit| model[lit.unsigned_abs() as usize] != (*lit > 0));
            costs.push(self.soft.iter().filter(|(_, clause)| broken(clause)).map(|soft| soft.0).sum());
        });
        costs.sort_unstable();
        costs
    }
}

fn written(folder: &Path, name: &str, args: &[&str]) -> String {
    let all = [&["compile", "m.rebus", "-o", name], args].concat();
    told(folder, &all);
    std::fs::read_to_string(folder.join(name)).expect("text")
}

#[test]
fn knightdoku_is_its_own_formula() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("k.opb");
    told(folder.path(), &["compile", "knightdoku", "knightdoku-1.clues", "--presolve", "off", "-o", "k.opb"]);
    let read = opb(&std::fs::read_to_string(path).unwrap());
    // 27 houses, 13 clues: each a knight, and the number that it attacks
    assert_eq!((read.variables, read.rows.len()), (81, 53));
}

#[test]
fn the_sum_of_a_cryptarithm_is_one_equality() {
    let folder = tempfile::tempdir().unwrap();
    told(folder.path(), &["compile", "money", "--presolve", "off", "-o", "m.opb"]);
    let read = opb(&std::fs::read_to_string(folder.path().join("m.opb")).unwrap());
    assert_eq!(read.variables, 80, "no auxiliary");
    let wide = read.rows.iter().filter(|(terms, ..)| terms.iter().any(|(coef, _)| coef.abs() > 9));
    assert_eq!(wide.map(|row| row.1).collect::<Vec<_>>(), [true]);
}

#[test]
fn every_board_of_the_catalogue_is_a_formula() {
    let folder = tempfile::tempdir().unwrap();
    let examples = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut formulas = 0;
    for genre in std::fs::read_dir(examples).unwrap() {
        let genre = genre.unwrap().file_name().into_string().unwrap();
        let board = format!("{genre}-1.clues");
        let compile = |name: &str| {
            rebus(folder.path(), &["compile", &genre, &board, "--no-map", "-o", name]).status.success()
        };
        if compile("f.cnf") {
            formulas += 1;
            assert!(compile("f.opb"), "{genre}");
            opb(&std::fs::read_to_string(folder.path().join("f.opb")).unwrap());
        }
    }
    assert!(formulas > 20, "{formulas}");
}

/// Costs and models of small formulas, by trying all assignments.
#[test]
fn costs_are_what_the_objective_is() {
    let folder = folder(
        "var a, b, c : 0..3\nvar q : bool\nrule: a + 2 * b - c <= 4\nrule: q <-> a + c >= 3\n\
         maximize 3 * a - 5 * b + c * 2 - 4 + int(q)\n",
    );
    let mut best = None;
    let mut solutions = 0;
    for a in 0..4 {
        for b in 0..4 {
            for c in 0..4 {
                if a + 2 * b - c <= 4 {
                    solutions += 1;
                    best = best.max(Some(3 * a - 5 * b + 2 * c - 4 + i64::from(a + c >= 3)));
                }
            }
        }
    }
    for extra in [&[] as &[&str], &["--tilde"], &["--int", "order"], &["--int", "log", "--presolve", "off"]] {
        let pseudo = opb(&written(folder.path(), "m.opb", extra));
        let weighted = wcnf(&written(folder.path(), "m.wcnf", extra));
        let old = wcnf(&written(folder.path(), "old.wcnf", &[extra, &["--wcnf", "old"]].concat()));
        let costs = pseudo.costs();
        assert_eq!(costs.len(), solutions, "{extra:?}");
        let map = std::fs::read_to_string(folder.path().join("m.wcnf.map")).unwrap();
        let variables = map.lines().find_map(|line| line.strip_prefix("variables ")).unwrap();
        let broken = weighted.costs(variables.parse().unwrap());
        assert_eq!(broken, old.costs(variables.parse().unwrap()));
        // both run from the best to the worst in the same steps
        let steps = |costs: &[i64]| -> Vec<i64> { costs.iter().map(|cost| cost - costs[0]).collect() };
        assert_eq!(steps(&costs), steps(&broken));
        let text = std::fs::read_to_string(folder.path().join("m.wcnf")).unwrap();
        let constant =
            text.lines().find_map(|line| line.strip_prefix("c cost = weight of what is broken + "));
        let constant: i64 = constant.expect("a constant").parse().unwrap();
        assert_eq!(Some(-(broken[0] + constant)), best, "{extra:?}");
    }
}

#[test]
fn a_contradiction_is_a_row() {
    for model in ["rule: false\n", "var x : 1..2\nrule: x > 2\n", "var b : bool\nrule: b\nrule: not b\n"] {
        let folder = folder(model);
        let read = opb(&written(folder.path(), "m.opb", &[]));
        assert!(read.costs().is_empty(), "{model}: {read:?}");
        let read = wcnf(&written(folder.path(), "m.wcnf", &[]));
        assert!(read.costs(2).is_empty(), "{model}");
    }
}

#[test]
fn large_numbers_are_told() {
    let large = folder("var x, y : bool\nrule: 3000000000 * int(x) + int(y) <= 3000000000\n");
    let (_, said) = told(large.path(), &["compile", "m.rebus", "--presolve", "off", "-o", "m.opb"]);
    assert!(said.contains("numbers up to 3000000000 occur"), "{said}");
    assert_eq!(opb(&std::fs::read_to_string(large.path().join("m.opb")).unwrap()).costs().len(), 3);
    let beyond = folder("var x, y : 0..4000000000000000000\nmaximize x + 2 * y\n");
    let output = rebus(beyond.path(), &["compile", "m.rebus", "-o", "m.opb"]);
    assert_ne!(output.status.code(), Some(0));
}

#[test]
fn nobody_for_it_is_told_with_names() {
    let folder = folder(KNAPSACK);
    for (target, names) in
        [("opb", "clasp, exact, highs, minisat+, roundingsat, sat4j, scip"), ("wcnf", "clasp, rc2, sat4j")]
    {
        let output = Command::new(env!("CARGO_BIN_EXE_rebus"))
            .current_dir(folder.path())
            .env_clear()
            .args(["solve", "m.rebus", "--to", target])
            .output()
            .expect("runs");
        let said = String::from_utf8(output.stderr).unwrap();
        // a Java machine may be found all the same
        assert!(output.status.code() == Some(3) && said.contains(names), "{target}: {said}");
    }
    let output = rebus(folder.path(), &["solve", "m.rebus", "--solver", "kissat", "--to", "opb"]);
    let said = String::from_utf8(output.stderr).unwrap();
    assert!(said.contains("`kissat` does not read opb, but cnf"), "{said}");
}

/// Solvers of linear and of weighted formulas that are here, with what they read.
fn here() -> Vec<[String; 2]> {
    let solvers = String::from_utf8(rebus(Path::new("."), &["solvers"]).stdout).unwrap();
    solvers
        .lines()
        .filter(|line| !line.ends_with("not installed"))
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .filter(|words| words[1] == "opb" || words[1] == "wcnf")
        .map(|words| [words[0], words[1]].map(str::to_owned))
        .collect()
}

/// Puzzles with one solution have one, whoever is asked.
#[test]
fn all_agree_on_puzzles() {
    let folder = tempfile::tempdir().unwrap();
    for puzzle in [&["knightdoku", "knightdoku-1.clues"][..], &["money"]] {
        for [solver, target] in here().iter().filter(|[_, target]| target == "opb") {
            let args = [&["solve"], puzzle, &["--unique", "--solver", solver, "--to", target]].concat();
            let (ours, _) = told(folder.path(), &[&["solve", "--unique"], puzzle].concat());
            assert_eq!(told(folder.path(), &args).0, ours, "{solver}");
        }
    }
}

/// As the solver writes it; it is built by its users.
#[test]
fn roundingsat_is_understood() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder(
        "var x[3] : bool\nrule: count(x) >= 2\nminimize 2 * int(x[1]) + 3 * int(x[2]) + int(x[3])\nshow x\n",
    );
    let fake = folder.path().join("roundingsat");
    let script = r#"#!/bin/sh
[ "$1" = --print-sol=1 ] && [ -f "$2" ] || exit 1
echo 'c RoundingSat 2'
if grep -q '^min:' "$2"; then
    printf 'o 5\no 3\nd total solve time 0.01 s\ns OPTIMUM FOUND\nv x1 -x2 x3 \n'; exit 30
fi
echo 's UNSATISFIABLE'; exit 20
"#;
    std::fs::write(&fake, script).unwrap();
    std::fs::set_permissions(&fake, std::fs::Permissions::from_mode(0o755)).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_rebus"))
        .current_dir(folder.path())
        .env("REBUS_SOLVER_ROUNDINGSAT", &fake)
        .args(["solve", "m.rebus", "--solver", "roundingsat", "--all", "-f", "json"])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.ends_with("{\"status\": \"optimal\", \"solutions\": 1, \"complete\": true, \"objective\": 3}\n"),
        "{text}"
    );
}

/// Optimum and number of optima are the same, whoever is asked in whatever form.
#[test]
fn all_agree_on_optima() {
    let here = here();
    if std::env::var_os("REBUS_REQUIRE_SOLVERS").is_some_and(|value| value == "1") {
        for wanted in
            [["clasp", "opb"], ["exact", "opb"], ["minisat+", "opb"], ["clasp", "wcnf"], ["rc2", "wcnf"]]
        {
            assert!(here.contains(&wanted.map(str::to_owned)), "{wanted:?} is missing");
        }
    }
    for model in [KNAPSACK, GOLOMB, MAGIC] {
        let folder = folder(model);
        let answer = |extra: &[&str]| {
            let (all, _) =
                told(folder.path(), &[&["solve", "m.rebus", "--all", "-f", "json"], extra].concat());
            let (count, _) = told(folder.path(), &[&["count", "m.rebus"], extra].concat());
            let mut lines: Vec<String> = all.lines().map(|line| line.to_owned()).collect();
            let status = lines.pop().expect("a status");
            assert!(
                status.contains("\"status\": \"optimal\"") && status.contains("\"complete\": true"),
                "{status}"
            );
            let mut values: Vec<String> = lines
                .iter()
                .map(|line| line.split_once("\"values\"").expect("values").1.to_owned())
                .collect();
            values.sort();
            assert_eq!(count.trim(), values.len().to_string());
            (values, status)
        };
        let ours = answer(&[]);
        for [solver, target] in &here {
            assert_eq!(answer(&["--solver", solver, "--to", target]), ours, "{solver} {target}");
        }
    }
}

/// By hand: the formula to a solver, its answer back.
#[test]
fn answers_come_back() {
    let folder = folder(KNAPSACK);
    written(folder.path(), "m.opb", &["--presolve", "off"]);
    let decode = |answer: &str| {
        std::fs::write(folder.path().join("out"), answer).unwrap();
        rebus(folder.path(), &["decode", "m.opb.map", "out", "--formula", "m.opb", "-f", "json"])
    };
    // nothing is taken: of three literals an item the first
    let none: Vec<String> = (0..8).map(|item| format!("x{}", 3 * item + 1)).collect();
    let output = decode(&format!("o 0\ns OPTIMUM FOUND\nv {}\n", none.join(" ")));
    let out = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success() && out.contains("[0, 0, 0, 0, 0, 0, 0, 0]"), "{out}");
    assert!(out.contains("\"status\": \"optimal\"") && out.contains("\"objective\": 0"), "{out}");
    // an item with two values, or too heavy
    let heavy: Vec<String> = (0..8).map(|item| format!("x{}", 3 * item + 3)).collect();
    for wrong in ["x1 x2", &heavy.join(" ")] {
        assert_eq!(decode(&format!("s SATISFIABLE\nv {wrong}\n")).status.code(), Some(3), "{wrong}");
    }
}
