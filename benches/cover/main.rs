//! How long counting solutions one by one takes: the exact-cover engine against Knuth's programs.
//!
//! Every measurement is a process of its own that reads the text and visits every solution; of rebus it is this program again.
//! Times are CPU seconds, medians; the rivals run one after the other in every round. A rival is named by a variable,
//! `REBUS_DLX2`, `REBUS_DLX3`, `REBUS_SSXCC` and `REBUS_XCCDC`; one that is not named is left out. Needs Linux.
//!
//! `cargo bench --bench cover`; with a name it measures only that problem.

mod problems;

use rebus::diag::Sources;
use rebus::shared::Budget;
use rebus::solve::xcc::{Engine, Next, Options, read};
use std::fs::File;
use std::io::{BufReader, Read};
use std::path::Path;
use std::process::{Command, Stdio};

/// Each is measured so often; the median counts.
const ROUNDS: usize = 5;
/// Knuth's programs give up after so many accesses to memory, about 10 seconds.
const MOST_MEMS: &str = "T20000000000";
/// As `rebus xcc` has it.
const PRESOLVE_WORK: u64 = 1 << 22;

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [mode, path] = &arguments[..]
        && mode == "ours"
    {
        return println!("{}", count(path));
    }
    if !arguments.iter().any(|argument| argument == "--bench") {
        println!("only measured by `cargo bench`");
        return;
    }
    let hard = include_str!("../../tests/data/sudoku/hard.txt").lines().filter(|line| line.len() >= 81);
    let sudokus: Vec<String> = hard.map(problems::sudoku).collect();
    let all = [
        ("pentominoes 6x10", vec![problems::pentominoes(6, 10)]),
        ("queens 14", vec![problems::queens(14)]),
        ("langford 12", vec![problems::langford(12)]),
        ("futoshiki 8x8", vec![problems::futoshiki(8, 50, 9, 1)]),
        ("futoshiki 9x9", vec![problems::futoshiki(9, 60, 13, 4)]),
        ("hard sudokus", sudokus),
        ("three a line 6x6", vec![problems::three_a_line(6)]),
    ];
    let wanted = arguments.iter().find(|argument| !argument.starts_with('-'));
    let ours = std::env::current_exe().expect("a running program has a path");
    let mut rivals = vec![("rebus", ours.into_os_string())];
    for (name, variable) in
        [("dlx2", "REBUS_DLX2"), ("dlx3", "REBUS_DLX3"), ("ssxcc", "REBUS_SSXCC"), ("xccdc", "REBUS_XCCDC")]
    {
        match std::env::var_os(variable) {
            Some(path) => rivals.push((name, path)),
            None => println!("{name} is left out: {variable} names no program"),
        }
    }
    for (name, texts) in all.iter().filter(|(name, _)| wanted.is_none_or(|wanted| name.contains(wanted))) {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let paths: Vec<_> = (0..texts.len()).map(|at| folder.path().join(format!("{at}.dlx"))).collect();
        for (path, text) in paths.iter().zip(texts) {
            std::fs::write(path, text).expect("the disk has room");
        }
        let mut rounds: Vec<Vec<(f64, Option<u64>)>> = vec![Vec::new(); rivals.len()];
        for _ in 0..ROUNDS {
            for ((_, program), rounds) in rivals.iter().zip(&mut rounds) {
                let runs = paths.iter().map(|path| run(Command::new(program), path));
                let sum = |(seconds, found): (f64, Option<u64>), (more, of): (f64, Option<u64>)| {
                    (seconds + more, found.zip(of).map(|(found, of)| found + of))
                };
                rounds.push(runs.fold((0.0, Some(0)), sum));
            }
        }
        print!("{name:<18}");
        let mut known = None;
        for ((rival, _), rounds) in rivals.iter().zip(&mut rounds) {
            rounds.sort_by(|a, b| a.0.total_cmp(&b.0));
            let (seconds, found) = rounds[ROUNDS / 2];
            match found {
                Some(found) => {
                    assert_eq!(*known.get_or_insert(found), found, "{rival} finds as many solutions");
                    print!(" {rival} {seconds:.3}");
                }
                None => print!(" {rival} -"),
            }
        }
        println!("  ({} solutions)", known.unwrap_or(0));
    }
}

fn count(path: &str) -> u64 {
    let budget = Budget::unlimited();
    let file = BufReader::new(File::open(path).expect("the problem is there"));
    let (problem, _) = read(file, path, &mut Sources::default(), &budget).expect("the problem is in order");
    let mut engine = Engine::new(&problem, &Options::default());
    engine.reduce(&budget, PRESOLVE_WORK).expect("no budget is set");
    let mut found = 0;
    while let Next::Solution(_) = engine.next(&budget) {
        found += 1;
    }
    found
}

/// CPU seconds of a process, and how many solutions it found if it came to an end and could read the problem.
fn run(mut command: Command, path: &Path) -> (f64, Option<u64>) {
    let ours = std::env::current_exe().is_ok_and(|own| command.get_program() == own);
    match ours {
        true => command.arg("ours").arg(path),
        false => command.arg(MOST_MEMS).stdin(File::open(path).expect("the problem is there")),
    };
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().expect("the program runs");
    let mut said = String::new();
    child.stdout.take().expect("it is piped").read_to_string(&mut said).expect("it is text");
    child.stderr.take().expect("it is piped").read_to_string(&mut said).expect("it is text");
    // An ended process keeps its books until it is waited for.
    let books =
        |file: &str| std::fs::read_to_string(format!("/proc/{}/{file}", child.id())).unwrap_or_default();
    while !books("stat").contains(") Z ") {
        std::thread::yield_now();
    }
    let nanoseconds: f64 =
        books("schedstat").split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(f64::NAN);
    child.wait().expect("it ended");
    let number = match ours {
        true => said.trim().parse().ok(),
        false if said.contains("TIMEOUT!") => None,
        false => said.split_once("Altogether ").and_then(|(_, rest)| rest.split(' ').next()?.parse().ok()),
    };
    (nanoseconds / 1e9, number)
}
