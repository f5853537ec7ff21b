//! How long loops, islands and areas take: two solutions asked of boards that have one, so each is solved and proven unique.
//!
//! Every measurement is a process of its own that reads the board: `rebus solve`, and of clingo the rules in this folder and
//! the board as facts. CPU seconds, one run a board, the programs one after the other on each. `REBUS_CLINGO` names clingo;
//! without it only rebus is measured. Needs Linux.
//!
//! `cargo bench --bench graphs`; with a name it measures only that genre.

use rebus::import::recognise_argument;
use rebus::shared::FileId;
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A board for clingo ends after so many seconds on the clock.
const TIME_LIMIT: &str = "--time-limit=30";
/// Parts of a second in which Linux counts.
const TICKS: f64 = 100.0;

struct Genre {
    /// Of the catalogue; its rules for clingo are in a file of this name.
    name: &'static str,
    what: &'static str,
    /// A board a line.
    boards: &'static str,
}

const GENRES: [Genre; 5] = [
    Genre { name: "slitherlink", what: "slitherlink 30x30", boards: include_str!("slitherlink.txt") },
    Genre { name: "masyu", what: "masyu 20x20", boards: include_str!("masyu.txt") },
    Genre { name: "nurikabe", what: "nurikabe 19x12", boards: include_str!("nurikabe.txt") },
    Genre { name: "fillomino", what: "fillomino 15x15", boards: include_str!("fillomino.txt") },
    Genre { name: "yinyang", what: "yin-yang 22x18", boards: include_str!("yinyang.txt") },
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if !arguments.iter().any(|argument| argument == "--bench") {
        println!("only measured by `cargo bench`");
        return;
    }
    let wanted = arguments.iter().find(|argument| !argument.starts_with('-'));
    let clingo = std::env::var_os("REBUS_CLINGO");
    if clingo.is_none() {
        println!("clingo is left out: REBUS_CLINGO names no program");
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    for genre in GENRES.iter().filter(|genre| wanted.is_none_or(|wanted| genre.name.contains(wanted))) {
        let (mut ours, mut theirs) = (Vec::new(), Vec::new());
        let mut unfinished = 0;
        for (at, board) in genre.boards.lines().enumerate() {
            let importer = recognise_argument(board).expect("a board of a known form");
            let clues = importer.convert(board, FileId(0)).expect("a board in order").clues;
            let place = |suffix: &str| folder.path().join(format!("{}{at}{suffix}", genre.name));
            let data = written(place(".clues"), &clues);
            let mut command = Command::new(env!("CARGO_BIN_EXE_rebus"));
            command.args(["solve", genre.name, "--limit", "2", "--format", "csv"]).arg(data);
            let (seconds, said) = run(command.arg("--stats"));
            assert!(said.contains("solutions                1\n"), "{board} has one solution: {said}");
            ours.push(seconds);
            let Some(clingo) = &clingo else { continue };
            let mut command = Command::new(clingo);
            command.args(["2", "--quiet", TIME_LIMIT]);
            command.arg(rules(genre.name)).arg(written(place(".lp"), &facts(genre.name, &clues)));
            let (seconds, said) = run(&mut command);
            match said.lines().find_map(|line| line.strip_prefix("Models       : ")) {
                Some("1") => theirs.push(seconds),
                Some(other) if other.ends_with('+') => {
                    unfinished += 1;
                    theirs.push(f64::INFINITY);
                }
                _ => panic!("clingo finds one solution of {board}: {said}"),
            }
        }
        print!("{:<18} {:>2} boards  rebus {}", genre.what, ours.len(), told(&ours));
        if clingo.is_some() {
            let slower = ours.iter().zip(&theirs).filter(|(ours, theirs)| ours > theirs).count();
            let finished = |(ours, theirs): (&f64, &f64)| theirs.is_finite().then_some((*ours, *theirs));
            let pairs: Vec<(f64, f64)> = ours.iter().zip(&theirs).filter_map(finished).collect();
            let sums = pairs.iter().fold((0.0, 0.0), |sums, pair| (sums.0 + pair.0, sums.1 + pair.1));
            print!("  clingo {}  unfinished {unfinished}  slower than clingo on {slower}", told(&theirs));
            if !pairs.is_empty() {
                print!("  sums over finished ones 1 : {:.1}", sums.1 / sums.0);
            }
        }
        println!();
    }
}

/// Median, maximum and sum.
fn told(seconds: &[f64]) -> String {
    let mut sorted = seconds.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (middle, most) = (sorted[sorted.len() / 2], sorted[sorted.len() - 1]);
    format!("median {middle:.2} most {most:.2} sum {:.2}", seconds.iter().sum::<f64>())
}

fn written(path: PathBuf, text: &str) -> PathBuf {
    std::fs::write(&path, text).expect("the disk has room");
    path
}

fn rules(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("benches/graphs/{name}.lp"))
}

/// A data file as facts: the size of its picture, its clues by row and column from 0, its parameter `top` as a constant.
fn facts(name: &str, clues: &str) -> String {
    let (before, picture) = clues.split_once("\"\"\"").expect("a picture");
    let rows: Vec<Vec<&str>> = picture
        .trim_end_matches(['"', '\n'])
        .lines()
        .map(|line| line.split_whitespace().collect::<Vec<_>>())
        .filter(|row| !row.is_empty())
        .collect();
    let mut facts = format!("size({}, {}).\n", rows.len(), rows[0].len());
    if let Some(top) = before.lines().find_map(|line| line.strip_prefix("top = ")) {
        facts.push_str(&format!("#const top = {top}.\n"));
    }
    for (r, row) in rows.iter().enumerate() {
        for (c, sign) in row.iter().enumerate() {
            match (name, *sign) {
                (_, ".") => {}
                ("masyu", sign) => {
                    let colour = if sign == "o" { "white" } else { "black" };
                    facts.push_str(&format!("{colour}({r}, {c}).\n"));
                }
                (_, "?") => facts.push_str(&format!("clue({r}, {c}, any).\n")),
                (_, number) => facts.push_str(&format!("clue({r}, {c}, {number}).\n")),
            }
        }
    }
    facts
}

/// CPU seconds of a process, user and system, and what it said.
fn run(command: &mut Command) -> (f64, String) {
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program runs");
    let mut said = String::new();
    child.stdout.take().expect("it is piped").read_to_string(&mut said).expect("it is text");
    child.stderr.take().expect("it is piped").read_to_string(&mut said).expect("it is text");
    // An ended process keeps its books until it is waited for.
    let books = || std::fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap_or_default();
    let books = loop {
        let books = books();
        if books.contains(") Z ") {
            break books;
        }
        std::thread::yield_now();
    };
    let fields: Vec<&str> = books.rsplit(") ").next().unwrap_or_default().split(' ').collect();
    let ticks: f64 = fields[11..13].iter().filter_map(|field| field.parse::<f64>().ok()).sum();
    child.wait().expect("it ended");
    (ticks / TICKS, said)
}
