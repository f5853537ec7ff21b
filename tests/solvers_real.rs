//! The real solvers and model counters, as far as they are here. `.ci/solvers` installs them; with `REBUS_REQUIRE_SOLVERS=1` a missing one
//! is a failure.

use rebus::encode::Target;
use rebus::shared::{Budget, Limits, Stop};
use rebus::solve::Verdict;
use rebus::solve::find::{Places, installed};
use rebus::solve::output::{Listed, dialect::Dialect, parse};
use rebus::solve::process::Ended;
use rebus::solve::solver_run::{Extras, Listing, run_command, solve_file};
use rebus::solve::table::{Solver, SolverTable};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Not asked for by `REBUS_REQUIRE_SOLVERS`: one wants a Java machine, the others are built by their users.
const OPTIONAL: &[&str] =
    &["sat4j", "approxmc", "roundingsat", "dlx1", "dlx2", "dlx3", "ssmcc", "ssxcc", "xccdc"];

/// Runs a check with every solver of clauses that is here.
fn each_solver(check: impl Fn(&Solver, &Places, &Path)) {
    each(|solver| solver.format == Target::Cnf && !solver.counts(), check);
}

/// Runs a check with every solver for a kind of formula that is here.
fn each_reader(target: Target, check: impl Fn(&Solver, &Places, &Path)) {
    each(|solver| solver.format == target, check);
}

fn each(wanted: impl Fn(&Solver) -> bool, check: impl Fn(&Solver, &Places, &Path)) {
    let table = SolverTable::built_in();
    let places = Places::from_env();
    let mut skipped = Vec::new();
    for solver in table.iter().filter(|solver| wanted(solver)) {
        if places.find(solver).is_none() {
            skipped.push(solver.name.as_str());
            continue;
        }
        let folder = TempDir::new().unwrap();
        check(solver, &places, folder.path());
    }
    if !skipped.is_empty() {
        println!("skipped, not found: {}", skipped.join(", "));
    }
    if std::env::var_os("REBUS_REQUIRE_SOLVERS").is_some_and(|value| value == "1") {
        skipped.retain(|name| !OPTIONAL.contains(name));
        assert_eq!(skipped, [] as [&str; 0], "these solvers are missing");
    }
}

fn write(folder: &Path, name: &str, clauses: &[Vec<i32>]) -> PathBuf {
    let vars = clauses.iter().flatten().map(|lit| lit.abs()).max().unwrap_or(0);
    let mut text = format!("p cnf {vars} {}\n", clauses.len());
    for clause in clauses {
        clause.iter().for_each(|lit| write!(text, "{lit} ").unwrap());
        text.push_str("0\n");
    }
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path
}

/// A 9×9 sudoku with the given clues, row by row.
fn sudoku(clues: &str) -> Vec<Vec<i32>> {
    let var = |r: usize, c: usize, v: usize| (81 * r + 9 * c + v + 1) as i32;
    let mut clauses = Vec::new();
    for a in 0..9 {
        for b in 0..9 {
            let groups: [Vec<i32>; 4] = [
                (0..9).map(|k| var(a, b, k)).collect(),
                (0..9).map(|k| var(a, k, b)).collect(),
                (0..9).map(|k| var(k, a, b)).collect(),
                (0..9).map(|k| var(a / 3 * 3 + k / 3, a % 3 * 3 + k % 3, b)).collect(),
            ];
            for group in groups {
                for (i, x) in group.iter().enumerate() {
                    clauses.extend(group[i + 1..].iter().map(|y| vec![-x, -y]));
                }
                clauses.push(group);
            }
        }
    }
    for (cell, clue) in clues.bytes().enumerate().filter(|(_, clue)| *clue != b'.') {
        clauses.push(vec![var(cell / 9, cell % 9, (clue - b'1').into())]);
    }
    clauses
}

/// `n + 1` pigeons in `n` holes.
fn pigeons(n: i32) -> Vec<Vec<i32>> {
    let mut clauses: Vec<Vec<i32>> =
        (0..=n).map(|pigeon| (1..=n).map(|hole| pigeon * n + hole).collect()).collect();
    for hole in 1..=n {
        for a in 0..=n {
            clauses.extend((a + 1..=n).map(|b| vec![-(a * n + hole), -(b * n + hole)]));
        }
    }
    clauses
}

fn seconds(seconds: u64) -> Budget {
    Budget::new(Limits { time: Some(Duration::from_secs(seconds)), ..Limits::default() })
}

fn solve(solver: &Solver, places: &Places, formula: &Path) -> Verdict {
    solve_file(solver, places, formula, Extras::default(), &seconds(60)).unwrap().verdict
}

const CLUES: &str = "....5..8...6..91.....2....4.17.......3..4....6....73....1....5..6...39..9..8....2";
const SOLUTION: &str = "123456789456789123798231564217365498539148276684927315341692857862573941975814632";

#[test]
fn satisfiable() {
    each_solver(|solver, places, folder| {
        let formula = write(folder, "in.cnf", &sudoku(CLUES));
        let verdict = solve(solver, places, &formula);
        let Verdict::Satisfiable { models, .. } = verdict else { panic!("{}: {verdict:?}", solver.name) };
        let mut cells = vec!['.'; 81];
        for lit in models[0].iter().filter(|lit| **lit > 0) {
            cells[(lit - 1) as usize / 9] = char::from(b'1' + ((lit - 1) % 9) as u8);
        }
        assert_eq!(cells.iter().collect::<String>(), SOLUTION, "{}", solver.name);
    });
}

#[test]
fn unsatisfiable() {
    each_solver(|solver, places, folder| {
        let formula = write(folder, "in.cnf", &pigeons(5));
        assert_eq!(solve(solver, places, &formula), Verdict::Unsatisfiable, "{}", solver.name);
        let formula = write(folder, "empty.cnf", &[vec![1], vec![]]);
        assert_eq!(solve(solver, places, &formula), Verdict::Unsatisfiable, "{}", solver.name);
    });
}

#[test]
fn formulas_at_the_edge() {
    each_solver(|solver, places, folder| {
        for (name, clauses) in
            [("none.cnf", vec![]), ("one.cnf", vec![vec![-1]]), ("-dash.cnf", vec![vec![7, 3]])]
        {
            let formula = write(folder, name, &clauses);
            let verdict = solve(solver, places, &formula);
            assert!(matches!(verdict, Verdict::Satisfiable { .. }), "{} {name}: {verdict:?}", solver.name);
        }
    });
}

#[test]
fn packed_formulas() {
    each_solver(|solver, places, folder| {
        let plain = write(folder, "in.cnf", &pigeons(4));
        let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut gz, &fs::read(plain).unwrap()).unwrap();
        let formula = folder.join("in.cnf.gz");
        fs::write(&formula, gz.finish().unwrap()).unwrap();
        assert_eq!(solve(solver, places, &formula), Verdict::Unsatisfiable, "{}", solver.name);
    });
}

#[test]
fn broken_formulas_are_no_answer() {
    each_solver(|solver, places, folder| {
        // What is left of a satisfiable formula without a model in the part that most can read.
        let formula = folder.join("in.cnf");
        fs::write(&formula, "p cnf 3 3\n1 2 0\n-1 three 0\n-2 -3 0\n").unwrap();
        let verdict = solve(solver, places, &formula);
        assert!(matches!(verdict, Verdict::Failed(_)), "{}: {verdict:?}", solver.name);
    });
}

#[test]
fn a_limit_ends_them() {
    each_solver(|solver, places, folder| {
        let formula = write(folder, "in.cnf", &pigeons(16));
        let start = Instant::now();
        let run = solve_file(solver, places, &formula, Extras::default(), &seconds(1)).unwrap();
        assert!(matches!(run.verdict, Verdict::Unknown(_)), "{}: {:?}", solver.name, run.verdict);
        assert!(matches!(run.ended, Ended::Stopped(Stop::Time) | Ended::Exit(_)), "{}", solver.name);
        assert!(start.elapsed() < Duration::from_secs(5), "{}", solver.name);
    });
}

#[test]
fn seeds_and_proofs() {
    each_solver(|solver, places, folder| {
        let formula = write(folder, "in.cnf", &pigeons(4));
        let proof = folder.join("proof");
        let extras = Extras {
            seed: (!solver.seed.is_empty()).then_some(42),
            proof: (!solver.proof.is_empty()).then_some(proof.as_path()),
            ..Extras::default()
        };
        let run = solve_file(solver, places, &formula, extras, &seconds(60)).unwrap();
        assert_eq!(run.verdict, Verdict::Unsatisfiable, "{}", solver.name);
        if extras.proof.is_some() {
            let text = fs::read_to_string(&proof).unwrap();
            let numbers = text.split_whitespace().filter(|word| *word != "d");
            assert!(numbers.map(str::parse::<i32>).all(|lit| lit.is_ok()) && text.ends_with("0\n"), "{text}");
        }
    });
}

#[test]
fn the_run_command() {
    each_solver(|solver, places, folder| {
        let formula = write(folder, "in.cnf", &[vec![1], vec![-2]]);
        let mut out = Vec::new();
        run_command(solver, places, &formula, Extras::default(), &seconds(60), &mut out).unwrap();
        let text = String::from_utf8(out).unwrap();
        assert!(text.starts_with(&format!("c solver {}", solver.name)), "{text}");
        assert!(text.ends_with("s SATISFIABLE\nv 1 -2 0\n"), "{text}");
    });
}

#[test]
fn those_that_list_list_all() {
    each(Solver::lists, |solver, places, folder| {
        let formula = folder.join("in");
        // 1 or 2, and 4 is free
        let text = match solver.format {
            Target::Xcc => "a b c\na\na b\nb\nc\nc b\n",
            _ => "p cnf 4 2\n1 2 0\n-3 0\n",
        };
        fs::write(&formula, text).unwrap();
        let list = |limit: Option<u64>, most: usize| {
            let mut all = BTreeSet::new();
            let extras = Extras { limit, ..Extras::default() };
            let budget = seconds(60);
            let mut listing = Listing::start(solver, places, &formula, extras, &budget).unwrap();
            while let Some(listed) = listing.next(&budget) {
                all.insert(match listed {
                    Listed::Model(mut model) => {
                        model.sort_by_key(|lit| lit.abs());
                        format!("{model:?}")
                    }
                    Listed::Cover(mut cover) => {
                        cover.iter_mut().for_each(|option| option.sort());
                        cover.sort();
                        format!("{cover:?}")
                    }
                });
                if all.len() >= most {
                    break;
                }
            }
            (all.len(), listing.finish().unwrap().verdict)
        };
        let number = if solver.format == Target::Xcc { 3 } else { 6 };
        let (found, verdict) = list(None, usize::MAX);
        assert_eq!(found, number, "{}", solver.name);
        let complete = matches!(
            verdict,
            Verdict::Satisfiable { complete: true, .. } | Verdict::Covered { complete: true, .. }
        );
        assert!(complete, "{}: {verdict:?}", solver.name);
        assert_eq!(list(None, 2).0, 2, "{}", solver.name);
        let (found, verdict) = list(Some(2), usize::MAX);
        assert!(found >= 2, "{}: {found} {verdict:?}", solver.name);
    });
}

#[test]
fn model_counters() {
    let count = |solver: &Solver, places: &Places, formula: &Path| match solve(solver, places, formula) {
        Verdict::Counted(count) => count,
        other => panic!("{}: {other:?}", solver.name),
    };
    each(Solver::counts, |solver, places, folder| {
        let formula = folder.join("in.cnf");
        // 1, 2 and 3 in 6 ways, whatever else holds
        fs::write(&formula, "c t pmc\nc p show 1 2 0\nc p show 3 0\np cnf 5 2\n1 2 0\n-4 5 3 0\n").unwrap();
        let found = count(solver, places, &formula);
        assert_eq!((found.number.as_str(), found.unprojected), ("6", false), "{}", solver.name);
        let exact = solver.name != "approxmc";
        assert_eq!(found.exact, exact, "{}", solver.name);
        fs::write(&formula, "c t pmc\nc p show 1 2 0\np cnf 2 3\n1 2 0\n-1 0\n-2 0\n").unwrap();
        assert_eq!(count(solver, places, &formula).number, "0", "{}", solver.name);
        fs::write(&formula, "c t pmc\nc p show 0\np cnf 2 1\n1 2 0\n").unwrap();
        assert_eq!(count(solver, places, &formula).number, "1", "{}", solver.name);
        // 2^199 * 3 / 2
        let shown: Vec<String> = (1..=200).map(|var| var.to_string()).collect();
        let text = format!("c t pmc\nc p show {} 0\np cnf 200 1\n1 2 0\n", shown.join(" "));
        fs::write(&formula, text).unwrap();
        if exact {
            let huge = "1205203533194242706656471569255871951891652245337094626476032";
            assert_eq!(count(solver, places, &formula).number, huge);
        }
    });
}

#[test]
fn exact_covers() {
    each_reader(Target::Xcc, |solver, places, folder| {
        let problem = |name: &str, text: &str| {
            let path = folder.join(name);
            fs::write(&path, text).unwrap();
            path
        };
        let pairs = problem("pairs.xcc", "a b c d\na b\nc d\na c\nb d\na d\n");
        let Verdict::Covered { covers, complete: true, .. } = solve(solver, places, &pairs) else {
            panic!("{}", solver.name)
        };
        let covers: BTreeSet<BTreeSet<BTreeSet<&str>>> = covers
            .iter()
            .map(|cover| cover.iter().map(|option| option.iter().map(|word| &**word).collect()).collect())
            .collect();
        let expected =
            [[["a", "b"], ["c", "d"]], [["a", "c"], ["b", "d"]]].map(|cover| cover.map(BTreeSet::from));
        assert_eq!(covers, expected.map(BTreeSet::from).into(), "{}", solver.name);

        let none = problem("none.xcc", "a b c\na b\nb c\n");
        assert_eq!(solve(solver, places, &none), Verdict::Unsatisfiable, "{}", solver.name);
        let broken = problem("broken.xcc", "a b\na q\n");
        let verdict = solve(solver, places, &broken);
        assert!(matches!(verdict, Verdict::Failed(_)), "{}: {verdict:?}", solver.name);

        let mut out = Vec::new();
        run_command(solver, places, &pairs, Extras::default(), &seconds(60), &mut out).unwrap();
        let again = parse(Dialect::named("dlx").unwrap(), out.as_slice(), None, b"").unwrap();
        assert_eq!(again, solve(solver, places, &pairs), "{}", solver.name);
    });
}

/// What a graph leaves out of a formula is told in rounds.
#[test]
fn graphs() {
    const BOARDS: [&str; 5] = ["slitherlink-2", "masyu-2", "hashi-2", "hitori-2", "fillomino-2"];
    let unique = |board: &str, solver: &Solver, graph: &str| {
        let mut command = assert_cmd::Command::cargo_bin("rebus").unwrap();
        let model = board.trim_end_matches("-2");
        let data = format!("examples/{model}/{board}.clues");
        command.current_dir(env!("CARGO_MANIFEST_DIR")).args(["solve", model, &data, "--unique"]);
        command.args(["--solver", &solver.name, "--graph", graph, "--timeout", "120"]);
        let output = command.output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{board} by {} with {graph}: {stderr}", solver.name);
    };
    each_solver(|solver, _, _| BOARDS.iter().for_each(|board| unique(board, solver, "cuts")));
    each_solver(|solver, _, _| {
        for graph in ["auto", "tree", "distance"] {
            unique("slitherlink-2", solver, graph);
        }
    });
}

#[test]
fn versions() {
    for solver in installed(&SolverTable::built_in(), &Places::from_env()) {
        let table = SolverTable::built_in();
        let known = table.get(&solver.name, Some(solver.reads));
        let asked = known.is_some_and(|solver| !solver.version.is_empty());
        if solver.path.is_some() && asked {
            let version = solver.version.unwrap_or_default();
            assert!(version.contains(|c: char| c.is_ascii_digit()), "{}: {version}", solver.name);
            println!("{} {version}", solver.name);
        }
    }
}
