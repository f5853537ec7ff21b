//! Proofs that there is no solution, or no other: checked by a checker of our own, and by those that are here.

use rebus::certify;
use rebus::encode::Target;
use rebus::shared::{Budget, Limits};
use rebus::solve::check_proof::check;
use rebus::solve::checker::{Checked, Checker, ProofForm};
use rebus::solve::find::Places;
use rebus::solve::table::SolverTable;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::Duration;
use tempfile::TempDir;

const UNIQUE: &str = "clue=53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// No solution, and propagation alone does not find that out.
const NONE: &str = "clue=.....5.8....6.1.43..........1.5........1.6...3.......553.....61........4.........";

/// What is asked, and how the answer ends where it is proven.
const QUESTIONS: [(&[&str], &str); 4] = [
    (&["sudoku", "-D", UNIQUE, "--unique"], "there is no other solution"),
    (&["sudoku", "-D", NONE], "there is no solution"),
    (&["queens", "-D", "n=5", "--all"], "there is no other solution"),
    // an empty clause in the formula
    (&["row", "-D", "clue=11..", "--presolve", "on"], "there is no solution"),
];

fn rebus(folder: &Path, args: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rebus"));
    command.current_dir(folder).args(args).stdin(Stdio::null()).output().expect("rebus runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

fn numbers(line: &str) -> Vec<i64> {
    line.split_whitespace().map(|word| word.parse().expect("a number")).collect()
}

fn clauses(formula: &str) -> Vec<Vec<i64>> {
    let lines = formula.lines().filter(|line| !line.starts_with(['c', 'p']));
    lines.map(|line| numbers(line.strip_suffix(" 0").unwrap_or(line.trim_end_matches('0')))).collect()
}

/// Checks an LRAT proof step by step: each clause must follow from the clauses named by unit propagation, one unit after the
/// other. Says what is wrong.
fn check_lrat(formula: &str, proof: &str) -> Result<(), String> {
    let mut known: BTreeMap<i64, Vec<i64>> = (1..).zip(clauses(formula)).collect();
    for line in proof.lines() {
        let (id, rest) = line.split_once(' ').ok_or("a line without an id")?;
        if let Some(gone) = rest.strip_prefix("d ") {
            numbers(gone).iter().filter(|id| **id != 0).for_each(|id| drop(known.remove(id)));
            continue;
        }
        let step = numbers(rest);
        let mut parts = step.split(|number| *number == 0);
        let (clause, hints) = (parts.next().ok_or("no clause")?, parts.next().ok_or("no hints")?);
        let mut holds: BTreeSet<i64> = clause.iter().map(|lit| -lit).collect();
        let mut refuted = false;
        for hint in hints {
            let hinted = known.get(hint).ok_or_else(|| format!("step {id}: no clause {hint}"))?;
            let open: Vec<i64> = hinted.iter().copied().filter(|lit| !holds.contains(&-lit)).collect();
            match open[..] {
                [] => refuted = true,
                [unit] => drop(holds.insert(unit)),
                _ => return Err(format!("step {id}: clause {hint} is no unit")),
            }
        }
        if !refuted {
            return Err(format!("step {id} does not follow"));
        }
        if clause.is_empty() {
            return Ok(());
        }
        known.insert(id.parse().map_err(|_| "an id that is no number")?, clause.to_vec());
    }
    // a formula with an empty clause needs no step
    known.values().any(Vec::is_empty).then_some(()).ok_or_else(|| "no empty clause".to_owned())
}

#[test]
fn the_embedded_engine_proves_what_it_says() {
    for (question, _) in QUESTIONS {
        let folder = TempDir::new().expect("a folder");
        let output = rebus(folder.path(), &[&["solve", "--proof", "p.lrat"], question].concat());
        assert!(output.status.success(), "{}", text(&output.stderr));
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("a file");
        let (formula, proof) = (read("p.lrat.cnf"), read("p.lrat"));
        assert_eq!(check_lrat(&formula, &proof), Ok(()), "{question:?}");
        // without one of the blocking clauses or of the last rules it proves nothing
        let fewer: Vec<&str> = formula.lines().collect();
        if question.iter().any(|arg| matches!(*arg, "--unique" | "--all")) {
            let fewer = fewer[..fewer.len() - 1].join("\n");
            assert!(check_lrat(&fewer, &proof).is_err(), "{question:?}");
        }
        // the same bytes again
        let again = TempDir::new().expect("a folder");
        rebus(again.path(), &[&["solve", "--proof", "p.lrat"], question].concat());
        assert_eq!(fs::read_to_string(again.path().join("p.lrat")).expect("a proof"), proof);
    }
}

/// The formula refuted for "unique" is the puzzle's, and one clause more: the answer's.
#[test]
fn the_last_clause_excludes_the_answer() {
    let folder = TempDir::new().expect("a folder");
    rebus(folder.path(), &["solve", "sudoku", "-D", UNIQUE, "--unique", "--proof", "p.drat"]);
    rebus(folder.path(), &["compile", "sudoku", "-D", UNIQUE, "--presolve", "off", "-o", "k.cnf"]);
    let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("a file");
    let (refuted, compiled) = (clauses(&read("p.drat.cnf")), clauses(&read("k.cnf")));
    let (last, others) = refuted.split_last().expect("clauses");
    assert_eq!(others, compiled);
    let excluded: Vec<i64> = last.iter().filter(|lit| **lit < 0).map(|lit| -lit).collect();
    assert_eq!((last.len(), excluded.len()), (729, 81));
    // the answer itself is a solution: 5 in the first cell, 9 in the last
    assert!(excluded.contains(&5) && excluded.contains(&729));
}

fn budget() -> Budget {
    Budget::new(Limits { time: Some(Duration::from_secs(60)), ..Limits::default() })
}

/// The checkers that are here; with `REBUS_REQUIRE_SOLVERS=1` `rate` must be.
fn checkers(form: ProofForm) -> Vec<Checker> {
    let table = SolverTable::built_in();
    let places = Places::from_env();
    let here = |checker: &&Checker| {
        checker.proof == form && places.program(&checker.variable(), &checker.command).is_some()
    };
    let found: Vec<Checker> = table.checkers().filter(here).cloned().collect();
    if form == ProofForm::Drat && std::env::var_os("REBUS_REQUIRE_SOLVERS").is_some_and(|value| value == "1")
    {
        assert!(found.iter().any(|checker| checker.name == "rate"), "the checker `rate` is missing");
    }
    found
}

/// Every solver here that gives proofs, and the embedded one, against every checker here.
#[test]
fn checkers_accept_the_proofs_of_all_solvers() {
    for (form, name) in [(ProofForm::Drat, "p.drat"), (ProofForm::Lrat, "p.lrat")] {
        let checkers = checkers(form);
        match checkers.is_empty() {
            true => println!("skipped, no checker of {} proofs is here", form.name()),
            false => accept(form, name, &checkers),
        }
    }
}

fn accept(form: ProofForm, proof: &str, checkers: &[Checker]) {
    let (table, places) = (SolverTable::built_in(), Places::from_env());
    let solvers =
        table.iter().filter(|solver| solver.format == Target::Cnf && !solver.proof_args(form).is_empty());
    let mut names: Vec<&str> =
        solvers.filter(|solver| places.find(solver).is_some()).map(|solver| solver.name.as_str()).collect();
    names.push("embedded");
    for name in names {
        for (question, none) in QUESTIONS {
            let folder = TempDir::new().expect("a folder");
            let mut args = [&["solve", "--proof", proof, "--check-proof"], question].concat();
            if name != "embedded" {
                args.extend(["--solver", name]);
            }
            let output = rebus(folder.path(), &args);
            let told = text(&output.stdout);
            if text(&output.stderr).contains("invalid option '--lrat'") {
                println!("skipped, `{name}` is too old for LRAT proofs");
                continue;
            }
            let last = told.lines().last().unwrap_or_default();
            assert!(last.starts_with("proof verified by ") && last.ends_with(none), "{args:?}: {told}");
            assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
            let [formula, proof] = [&format!("{proof}.cnf"), proof].map(|name| folder.path().join(name));
            for checker in checkers {
                let checked = check(checker, &places, &formula, &proof, &budget()).expect("it runs");
                assert_eq!(checked, Checked::Verified, "{} of {args:?}", checker.name);
            }
        }
    }
}

#[test]
fn checkers_reject_what_proves_nothing() {
    let folder = TempDir::new().expect("a folder");
    rebus(folder.path(), &["solve", "sudoku", "-D", UNIQUE, "--unique", "--proof", "p.drat"]);
    let path = |name: &str| -> PathBuf { folder.path().join(name) };
    let formula = fs::read_to_string(path("p.drat.cnf")).expect("a formula");
    // without the clause that excludes the answer there is a model, and no proof proves anything
    let (open, _) = formula.trim_end().rsplit_once('\n').expect("lines");
    let counts = open.lines().find(|line| line.starts_with("p cnf")).expect("a header");
    let count: u64 = counts.rsplit(' ').next().and_then(|count| count.parse().ok()).expect("a count");
    let fewer = counts.replace(&count.to_string(), &(count - 1).to_string());
    fs::write(path("open.cnf"), open.replace(counts, &fewer) + "\n").expect("written");
    for checker in checkers(ProofForm::Drat) {
        let places = Places::from_env();
        let checked =
            check(&checker, &places, &path("open.cnf"), &path("p.drat"), &budget()).expect("it runs");
        assert!(matches!(checked, Checked::Rejected(_)), "{}: {checked:?}", checker.name);
    }
}

/// A folder with a program called `drat-trim`, for the search path.
fn with_checker(script: &str) -> TempDir {
    use std::os::unix::fs::PermissionsExt;
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("drat-trim");
    fs::write(&path, format!("#!/bin/sh\n{script}\n")).expect("written");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).expect("permissions");
    folder
}

fn rebus_with(checker: &TempDir, args: &[&str]) -> (Option<i32>, String, String) {
    let folder = TempDir::new().expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_rebus"));
    command.current_dir(folder.path()).args(args).env("REBUS_SOLVER_PATH", checker.path());
    let output = command.stdin(Stdio::null()).output().expect("rebus runs");
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

#[test]
fn what_a_checker_says_decides() {
    // the checker is given the formula and a proof with the right suffix
    let yes = with_checker("grep -q 'p cnf 16' \"$1\" && case $2 in *.drat) echo s VERIFIED;; esac");
    let (code, told, _) = rebus_with(&yes, &["solve", "row", "--all", "--check-proof=drat-trim"]);
    assert_eq!(
        (code, told.lines().last()),
        (Some(0), Some("proof verified by drat-trim: there is no other solution"))
    );
    let (code, told, _) =
        rebus_with(&yes, &["solve", "row", "--all", "--check-proof=drat-trim", "-f", "json"]);
    assert_eq!((code, told.lines().count()), (Some(0), 3));
    let (code, _, told) = rebus_with(&yes, &["solve", "row", "--check-proof=drat-trim"]);
    assert_eq!(code, Some(0));
    assert!(told.contains("no proof: what was asked for was found"), "{told}");
    let slow = with_checker("sleep 60");
    let (code, told, fault) =
        rebus_with(&slow, &["solve", "row", "--all", "--check-proof=drat-trim", "--timeout", "3"]);
    assert_eq!(code, Some(4), "{fault}");
    assert!(told.starts_with("4 3 2 1") || told.starts_with("2 3 4 1"), "{told}");
    assert!(fault.contains("while the proof was checked"), "{fault}");
    let (code, _, fault) = rebus_with(
        &with_checker("echo s VERIFIED; kill -KILL $$"),
        &["solve", "row", "--all", "--check-proof=drat-trim"],
    );
    assert_eq!(code, Some(5));
    assert!(fault.contains("error[proof-rejected]") && fault.contains("signal 9"), "{fault}");
}

/// What drat-trim and cake_lpr print, with the exit codes they end with; and what none of them should.
#[test]
fn every_way_to_say_it() {
    let trim = "printf '\\rc parsing input formula with 16 variables and 58 clauses\\n\\rc finished parsing\\n\\rs VERIFIED\\n\\rc verification time: 0.223 seconds\\n'";
    let trivial =
        "printf '\\rc found complementary unit clauses: -1\\n\\rc trivial UNSAT\\ns VERIFIED\\n'; exit 1";
    let open = "printf '\\rc WARNING: RAT check on proof pivot failed\\n\\ns NOT VERIFIED\\n'; exit 1";
    let good = [trim, trivial, "echo s VERIFIED", "echo s VERIFIED UNSAT"];
    let bad = [
        (open, "it says `s NOT VERIFIED`"),
        ("printf 's TIMEOUT\\n'", "it says `s TIMEOUT`"),
        ("printf '\\rs DERIVATION\\n'; exit 1", "it says `s DERIVATION`"),
        ("echo s VERIFIED; exit 2", "it says that it is, but ended with code 2"),
        ("echo s VERIFIED; echo s NOT VERIFIED", "it says `s NOT VERIFIED`"),
        ("echo s VERIFIED >&2", "it ended with code 0 and said nothing"),
        ("echo c s VERIFIED; echo S VERIFIED; printf 's VERIFIED'", "said nothing"),
        ("echo s verified", "it says `s verified`"),
        ("printf '\\377\\000\\033[31ms VERIFIED\\n'", "said nothing"),
        ("printf 's \\033[31mVERIFIED\\n'", "it says `s "),
        ("cat \"$1\" \"$2\"; exit 0", "said nothing"),
        ("echo 'c empty clause not derived at end of proof' >&2", "said nothing"),
        ("echo s VERIFIED; kill -SEGV $$", "signal 11"),
    ];
    let ask = ["solve", "row", "--all", "--check-proof=drat-trim", "-f", "json"];
    for script in good {
        let (code, told, fault) = rebus_with(&with_checker(script), &ask);
        assert_eq!(code, Some(0), "{script}: {fault}");
        assert!(told.contains("\"checker\": \"drat-trim\", \"verdict\": \"verified\"}"), "{script}: {told}");
    }
    for (script, words) in bad {
        let (code, told, fault) = rebus_with(&with_checker(script), &ask);
        assert!(code == Some(5) && fault.contains(words), "{script}: {code:?} {fault}");
        assert!(told.contains("\"checker\": \"drat-trim\", \"verdict\": \"rejected\"}"), "{script}: {told}");
        assert!(!fault.contains('\u{1b}'), "{script}: {fault:?}");
    }
    let (code, told, _) = rebus_with(&with_checker("yes c"), &[&ask[..], &["--timeout", "3"]].concat());
    assert_eq!(code, Some(4));
    assert!(told.contains("\"verdict\": \"unknown\"}"), "{told}");
}

/// The status line tells of the proof what there is to tell.
#[test]
fn a_proof_is_told_in_json() {
    let folder = TempDir::new().expect("a folder");
    for (name, form) in [("p.drat", "drat"), ("p.lrat", "lrat")] {
        for question in [
            &["row", "--unique"][..],
            &["row", "--limit", "1"],
            &["row", "--all"],
            &["row", "-D", "clue=.33."],
        ] {
            let args = [&["solve", "--proof", name, "-f", "json"], question].concat();
            let output = rebus(folder.path(), &args);
            let told = text(&output.stdout);
            let status: serde_json::Value =
                serde_json::from_str(told.lines().last().expect("a status")).expect("JSON");
            if question.iter().any(|arg| matches!(*arg, "--unique" | "--limit")) {
                assert_eq!(status.get("proof"), None, "{question:?}: there is more than one solution");
                continue;
            }
            let bytes = fs::metadata(folder.path().join(name)).expect("a proof").len();
            assert_eq!(status["proof"], serde_json::json!({ "form": form, "bytes": bytes }), "{question:?}");
            fs::remove_file(folder.path().join(name)).expect("ours");
        }
    }
}

/// The engine reads the formula with an eye on the clock.
#[test]
fn the_time_is_over_while_the_formula_is_read() {
    use rebus::solve::{Verdict, refute::refute};
    let folder = TempDir::new().expect("a folder");
    let path = |name: &str| folder.path().join(name);
    fs::write(path("in.cnf"), format!("p cnf 9 900000\n{}", "1 2 3 0\n".repeat(900_000))).expect("written");
    let spent = Budget::new(Limits { time: Some(Duration::ZERO), ..Limits::default() });
    let verdict = refute(&path("in.cnf"), Some(&path("p.drat")), 0, &spent).expect("no fault");
    assert_eq!(verdict, Verdict::Unknown("time limit".into()));
    let cancelled = Budget::unlimited();
    cancelled.cancel_flag().store(true, std::sync::atomic::Ordering::Relaxed);
    let verdict = refute(&path("in.cnf"), None, 0, &cancelled).expect("no fault");
    assert_eq!(verdict, Verdict::Unknown("interrupted".into()));
    // a formula that is broken, and one that is cut off, are faults
    for text in ["p cnf 2 2\n1 2 0\n", "p cnf 2 1\n1 x 0\n", ""] {
        fs::write(path("in.cnf"), text).expect("written");
        refute(&path("in.cnf"), None, 0, &Budget::unlimited()).expect_err(text);
    }
    fs::write(path("in.cnf"), "p cnf 2 2\n1 2 0\n-1 0\n").expect("written");
    let verdict = refute(&path("in.cnf"), None, 0, &Budget::unlimited()).expect("no fault");
    assert_eq!(verdict, Verdict::Satisfiable { models: vec![vec![-1, 2]], complete: false, optimal: false });
}

#[test]
fn faults_of_the_question() {
    let yes = with_checker("echo s VERIFIED");
    let usage = |args: &[&str], words: &str| {
        let (code, _, fault) = rebus_with(&yes, args);
        assert!(code == Some(2) && fault.contains(words), "{args:?}: {code:?} {fault}");
    };
    usage(&["solve", "row", "--proof", "-"], "a proof goes to a file");
    usage(
        &["solve", "row", "--all", "--check-proof", "--solver", "true {in}"],
        "does not know how to get a DRAT proof",
    );
    usage(&["solve", "row", "--each", "clue=x", "--check-proof"], "cannot be used with");
    let (code, _, fault) = rebus_with(&yes, &["solve", "row", "--all", "--proof", "no/p.drat"]);
    assert!(code == Some(1) && fault.contains("error[unwritable]"), "{fault}");
    // that a checker is missing is told before anything is solved
    let all = ["solve", "row", "--all"];
    let (code, told, fault) = rebus_with(&yes, &[&all[..], &["--check-proof=cake_lpr"]].concat());
    if Places::from_env().program("REBUS_SOLVER_CAKE_LPR", "cake_lpr").is_none() {
        assert_eq!((code, told.as_str()), (Some(3), ""));
        assert!(fault.contains("the checker `cake_lpr` is not here"), "{fault}");
    }
    usage(&["solve", "row", "--all", "--check-proof=mine"], "there is no checker of proofs `mine`");
    for (name, file) in [("drat-trim", "p.lrat"), ("rebus-check-proof", "p.drat"), ("rebus-check-proof", "p")]
    {
        let checker = format!("--check-proof={name}");
        usage(&[&all[..], &["--proof", file, &checker]].concat(), "proofs");
    }
    let (code, told, _) = rebus_with(&yes, &[&all[..], &["--check-proof=rebus-check-proof"]].concat());
    assert!(code == Some(0) && told.contains("proof verified by rebus-check-proof"), "{told}");
}

#[test]
fn proofs_may_be_packed() {
    let folder = TempDir::new().expect("a folder");
    let output = rebus(folder.path(), &["solve", "row", "--all", "--proof", "p.lrat.gz"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let unpacked = |name: &str| {
        let file = fs::File::open(folder.path().join(name)).expect("a file");
        let mut text = String::new();
        std::io::Read::read_to_string(&mut flate2::read::GzDecoder::new(file), &mut text).expect("gz");
        text
    };
    assert_eq!(check_lrat(&unpacked("p.lrat.cnf.gz"), &unpacked("p.lrat.gz")), Ok(()));
}

/// Boards of graphs whose rules are left out of the formula and told by cuts.
const GRAPHS: [&str; 6] = ["slitherlink", "nurikabe", "fillomino", "hitori", "galaxies", "yinyang"];

/// A certificate of "unique": the graphs, the cuts, the formula with its cuts, and a proof.
#[test]
fn cuts_are_listed_and_checked() {
    let (mut rejected, mut altered) = (0, 0);
    for genre in GRAPHS {
        let folder = TempDir::new().expect("a folder");
        let board = format!("{genre}-1.clues");
        let output = rebus(folder.path(), &["solve", genre, &board, "--unique", "--proof", "p.lrat"]);
        assert!(output.status.success(), "{genre}: {}", text(&output.stderr));
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("a file");
        let (formula, list) = (read("p.lrat.cnf"), read("p.lrat.cuts"));
        assert_eq!(check_lrat(&formula, &read("p.lrat")), Ok(()), "{genre}");
        let mut command = Command::new(env!("CARGO_BIN_EXE_rebus-check-proof"));
        let output =
            command.current_dir(folder.path()).args(["p.lrat.cnf", "p.lrat"]).output().expect("it runs");
        assert_eq!((output.status.code(), &*text(&output.stdout)), (Some(0), "s VERIFIED\n"), "{genre}");
        let graphs = certify::text::graphs(&read("p.lrat.cnf.map")).expect("graphs");
        let cuts = certify::text::cuts(&list).expect("cuts");
        let mut checkers = certify::Checkers::new(&graphs);
        for cut in &cuts {
            assert_eq!(checkers.check(cut), Ok(()), "{genre}: {cut}");
            // a literal less says more
            for at in 0..cut.lits.len() {
                let mut less = cut.clone();
                less.lits.remove(at);
                altered += 1;
                rejected += u32::from(checkers.check(&less).is_err());
            }
        }
        let check = |list: &str| {
            fs::write(folder.path().join("other.cuts"), list).expect("written");
            let mut command = Command::new(env!("CARGO_BIN_EXE_rebus-check-cuts"));
            command.current_dir(folder.path()).args(["p.lrat.cnf.map", "other.cuts", "p.lrat.cnf"]);
            let output = command.output().expect("it runs");
            (output.status.code(), text(&output.stdout))
        };
        let (code, said) = check(&list);
        assert!(code == Some(0) && said.ends_with("\ns VERIFIED\n"), "{genre}: {said}");
        // any other list is none of this formula
        let lines: Vec<&str> = list.lines().collect();
        for at in 1..lines.len() {
            let mut other = lines.clone();
            let negated = other[at].replacen(" -", " ", 1);
            let without = other.remove(at);
            let changed = [&lines[..at], &[&*negated], &lines[at + 1..]].concat().join("\n");
            for (list, differs) in [(other.join("\n"), true), (changed, negated != without)] {
                if differs && at % 7 == 1 {
                    let (code, said) = check(&(list + "\n"));
                    assert!(code == Some(1) && said.ends_with("\ns NOT VERIFIED\n"), "{genre}: {said}");
                }
            }
        }
    }
    // some say more than they need
    assert!(altered > 500 && rejected * 5 > altered * 4, "{rejected} of {altered}");
}

/// "Nothing is better", "nothing else as good", "these and no others".
#[test]
fn optima_and_counts_are_proven() {
    const MODEL: &str = "var x[3] : 1..4\nvar b[3, 3] : bool\nrule: distinct(x)\nrule: connected(b) and b[1, 1]\n\
                         rule: count(b) = sum(x)\nrule: not b[2, 2]\nanswer x\nminimize x[1] + 2 * x[2] + x[3]\nshow x\n";
    let folder = TempDir::new().expect("a folder");
    fs::write(folder.path().join("m.rebus"), MODEL).expect("written");
    fs::write(folder.path().join("n.rebus"), MODEL.replace("minimize", "maximize")).expect("written");
    for (args, solutions) in [
        (&["solve", "m.rebus"][..], 1),
        (&["solve", "n.rebus"], 1),
        (&["solve", "m.rebus", "--all"], 2),
        (&["solve", "n.rebus", "--all"], 2),
        (&["count", "m.rebus"], 1),
        (&["count", "queens", "-D", "n=5"], 1),
        (&["count", "row", "-D", "clue=11.."], 1),
    ] {
        let output = rebus(folder.path(), &[args, &["--proof", "p.lrat"]].concat());
        assert!(output.status.success(), "{args:?}: {}", text(&output.stderr));
        let shown = text(&output.stdout).split("\n\n").count();
        assert_eq!(shown, solutions, "{args:?}: {}", text(&output.stdout));
        let read = |name: &str| fs::read_to_string(folder.path().join(name)).expect("a file");
        assert_eq!(check_lrat(&read("p.lrat.cnf"), &read("p.lrat")), Ok(()), "{args:?}");
    }
}
