//! The catalogue as a table: of each model how long it is, how many real puzzles it solves, and how fast.
//!
//! The puzzles are the boards of `examples/` and those of `tests/data` that are the catalogue's: game IDs of Simon Tatham's
//! collection, URLs and board files of puzz.link. Each is solved in this process, a second solution is looked for, and what
//! is found is checked from the source. Times are CPU seconds of all that; the limit is 20 seconds by the clock.
//!
//! `cargo bench --bench catalogue` prints the table in Markdown, with `-- --sizes` another one: what the first board of
//! each model becomes as a formula of each kind, and the fastest solver on the path; with a name, that model alone.

// the tests need more of it
#[allow(dead_code)]
#[path = "../tests/exchange/harness.rs"]
mod harness;

use cpu_time::ProcessTime;
use harness::{granted, import, solutions_within, verify};
use rebus::catalogue::{self, Shipped};
use rebus::diag::Sources;
use rebus::encode::Target;
use rebus::shared::{Budget, Limits};
use rebus::solve::find::{Installed, Places, installed};
use rebus::solve::table::SolverTable;
use rebus::syntax::format_file;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::{Duration, Instant};

const LIMIT: Duration = Duration::from_secs(20);

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if !arguments.iter().any(|argument| argument == "--bench") {
        println!("only measured by `cargo bench`");
        return;
    }
    let name = arguments.iter().find(|argument| !argument.starts_with('-'));
    let wanted = |model: &Shipped| name.is_none_or(|name| catalogue::canonical(name) == model.name);
    let models: Vec<Shipped> = catalogue::models().filter(wanted).collect();
    if arguments.iter().any(|argument| argument == "--sizes") { sizes(&models) } else { times(&models) }
}

/// A puzzle: what it is called, and its data.
struct Puzzle {
    name: String,
    clues: String,
}

/// The boards that a model is shipped with; one without data needs none, or its puzzle is in the model.
fn shipped(model: &Shipped) -> Vec<Puzzle> {
    let mut puzzles: Vec<Puzzle> = model
        .boards()
        .filter_map(|name| {
            let text = catalogue::file(&format!("{}/{name}", model.folder()))?;
            let clues = rebus::import::recognise(text, name)
                .map_or_else(|| Some(text.to_owned()), |_| import(text).ok().map(|imported| imported.clues));
            Some(Puzzle { name: name.trim_end_matches(".clues").to_owned(), clues: clues? })
        })
        .collect();
    if puzzles.is_empty() {
        puzzles.push(Puzzle { name: model.name.to_owned(), clues: String::new() });
    }
    puzzles
}

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data")
}

fn lines(path: PathBuf) -> Vec<String> {
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines().map(String::from).collect()
}

/// Puzzles of others by the model that they are for.
fn others() -> BTreeMap<&'static str, Vec<Puzzle>> {
    let mut texts: Vec<(String, String)> = Vec::new();
    let mut programs: Vec<String> = std::fs::read_dir(data().join("tatham"))
        .expect("the corpus")
        .filter_map(|file| file.ok()?.file_name().to_str()?.strip_suffix(".txt").map(String::from))
        .filter(|name| !name.contains('.'))
        .collect();
    programs.sort();
    for program in programs {
        let ids = lines(data().join(format!("tatham/{program}.txt")));
        texts.extend(
            (1..).zip(ids).map(|(line, id)| (format!("{program} {line}"), format!("{program}:{id}"))),
        );
    }
    for (file, of) in [
        ("puzzlink", (|row: &[&str]| row[2].to_owned()) as fn(&[&str]) -> String),
        ("pzpr", |row| format!("{}/{}", row[0], row[1])),
    ] {
        let rows = lines(data().join(format!("{file}/urls.tsv")));
        texts.extend(
            (1..)
                .zip(rows)
                .map(|(line, row)| (format!("{file} {line}"), of(&row.split('\t').collect::<Vec<_>>()))),
        );
    }
    let mut found: BTreeMap<&str, Vec<Puzzle>> = BTreeMap::new();
    for (name, text) in texts {
        if let Ok(imported) = import(&text) {
            let clues = imported.clues + granted(&name);
            found.entry(imported.genre).or_default().push(Puzzle { name, clues });
        }
    }
    found
}

/// How many board files of a model are accepted, and how many are refused that must be: each of how many.
fn boards(model: &str) -> [(usize, usize); 2] {
    let count = |file: &str, column: usize, correct: bool| {
        let (mut good, mut all) = (0, 0);
        for row in lines(data().join("pzpr").join(file)) {
            let row: Vec<&str> = row.split('\t').collect();
            if catalogue::canonical(row[0]) != model {
                continue;
            }
            all += 1;
            let clean = import(row[column]).is_ok_and(|imported| {
                let answer = imported.answer.as_deref().unwrap_or_default();
                let said = verify(imported.genre, &imported.clues, answer);
                said.is_ok_and(|(broken, missing)| broken.is_empty() && missing.is_empty())
            });
            good += usize::from(clean == correct);
        }
        (good, all)
    };
    [count("solved.tsv", 1, true), count("invalid.tsv", 2, false)]
}

fn times(models: &[Shipped]) {
    let mut others = others();
    println!(
        "| model | lines | puzzles | solved | of them with one solution | boards accepted | refused | median | slowest |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- | --- |");
    for model in models {
        let mut puzzles = shipped(model);
        puzzles.extend(others.remove(model.name).unwrap_or_default());
        let (mut solved, mut single) = (0, 0);
        let mut took: Vec<(f64, &str)> = Vec::new();
        for puzzle in &puzzles {
            let budget = Budget::new(Limits { time: Some(LIMIT), ..Limits::default() });
            let start = ProcessTime::now();
            let found = solutions_within(model.name, &puzzle.clues, 2, &budget);
            let seconds = start.elapsed().as_secs_f64();
            let count = found.map_or(0, |found| found.len());
            solved += usize::from(count > 0);
            single += usize::from(count == 1);
            took.push((seconds, &puzzle.name));
        }
        took.sort_by(|a, b| a.0.total_cmp(&b.0));
        let (median, slowest) = (took[took.len() / 2].0, took[took.len() - 1]);
        let told = boards(model.name)
            .map(|(good, all)| if all == 0 { String::new() } else { format!("{good} of {all}") });
        println!(
            "| {} | {} | {} | {solved} | {single} | {} | {} | {median:.3} | {:.3} {} |",
            model.name,
            length(model),
            puzzles.len(),
            told[0],
            told[1],
            slowest.0,
            slowest.1
        );
    }
}

/// Lines of a model as `rebus fmt` prints it.
fn length(model: &Shipped) -> usize {
    let mut sources = Sources::default();
    let file = sources.add(model.path, model.text);
    format_file(file, model.text).expect("a model of the catalogue").lines().count()
}

fn sizes(models: &[Shipped]) {
    let here = installed(&SolverTable::built_in(), &Places::from_env());
    let targets = [Target::Cnf, Target::Opb, Target::Xcc];
    println!("| puzzle | clauses | | rows | | options | |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for model in models {
        let puzzle = model.boards().next();
        let args: Vec<&str> = [Some(model.name), puzzle].into_iter().flatten().collect();
        let cells = targets.map(|target| {
            let size = size(&args, target).unwrap_or_default();
            let fastest = fastest(&args, target, &here).unwrap_or_default();
            format!("{size} | {fastest}")
        });
        println!("| {} | {} |", args[args.len() - 1].trim_end_matches(".clues"), cells.join(" | "));
    }
}

fn rebus(args: &[&str], more: &[&str]) -> Option<String> {
    let run = Command::new(env!("CARGO_BIN_EXE_rebus")).args([args, more].concat()).output().ok()?;
    run.status.success().then(|| String::from_utf8_lossy(&run.stdout).into_owned())
}

/// Variables and rows.
fn size(args: &[&str], target: Target) -> Option<String> {
    let told =
        rebus(&[&["check"], args].concat(), &["--estimate", "--to", target.name(), "--timeout", "20"])?;
    let number = |name: &str| told.lines().find_map(|line| line.trim().strip_prefix(name)).map(str::trim);
    Some(format!("{} × {}", number("variables")?, number("rows")?))
}

/// The solver that has the first solution first, by the clock and from the start of the process, and its seconds.
fn fastest(args: &[&str], target: Target, here: &[Installed]) -> Option<String> {
    let outside = here.iter().filter(|solver| solver.reads == target && solver.path.is_some());
    let mut names: Vec<Option<&str>> = outside.map(|solver| Some(solver.name.as_str())).collect();
    // the embedded engines read clauses and exact covers
    if target != Target::Opb {
        names.insert(0, None);
    }
    let timed = names.into_iter().filter_map(|name| {
        let solver = name.map_or(Vec::new(), |name| vec!["--solver", name]);
        let start = Instant::now();
        rebus(
            &[&["solve"], args].concat(),
            &[&["--to", target.name(), "--timeout", "20"], &solver[..]].concat(),
        )?;
        Some((start.elapsed().as_secs_f64(), name.unwrap_or("embedded")))
    });
    let (seconds, name) = timed.min_by(|a, b| a.0.total_cmp(&b.0))?;
    Some(format!("{seconds:.2} {name}"))
}
