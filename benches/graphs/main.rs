//! How long loops, islands and areas take: two solutions asked of boards that have one, so each is solved and proven unique.
//!
//! Every measurement is a process of its own that reads the board. CPU seconds, one run a board, the programs one after the
//! other on each. Rivals are measured where they are named (see [`RIVALS`]); without any, only rebus is. Needs Linux.
//!
//! `cargo bench --bench graphs`; with a name it measures only that genre.

use rebus::import::recognise_argument;
use rebus::shared::FileId;
use std::ffi::{OsStr, OsString};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// A process ends after so many CPU seconds.
const LIMIT: f64 = 30.0;
/// Parts of a second in which Linux counts.
const TICKS: f64 = 100.0;

struct Genre {
    /// Of the catalogue; our rules for clingo are in a file of this name.
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

/// A board as a file of the catalogue's.
struct Board<'a> {
    genre: &'a str,
    clues: &'a str,
    file: PathBuf,
}

/// Another program that is asked for two solutions, or whether there is one alone.
struct Rival {
    name: &'static str,
    /// Names it in the environment.
    variable: &'static str,
    command: fn(&OsStr, &Board) -> Command,
    /// What it prints of a board with one solution.
    alone: &'static str,
}

const RIVALS: [Rival; 3] = [
    // clingo on the rules in this folder and the board as facts
    Rival {
        name: "clingo",
        variable: "REBUS_CLINGO",
        command: |clingo, board| {
            let facts = written(board.file.with_extension("lp"), &facts(board.genre, board.clues));
            let mut command = Command::new(clingo);
            command.args(["2", "--quiet"]).arg(here(&format!("{}.lp", board.genre))).arg(facts);
            command
        },
        alone: "Models       : 1\n",
    },
    // clingo on the program that a copy of noqx writes for the board, with the options that noqx sets; not the writing of it
    Rival {
        name: "noqx",
        variable: "REBUS_NOQX",
        command: |folder, board| {
            let mut writer = Command::new("python3");
            writer.arg(here("noqx.py")).arg(folder).arg(board.genre).arg(&board.file);
            let program = writer.stderr(Stdio::inherit()).output().expect("Python runs").stdout;
            let program = String::from_utf8(program).expect("it is text");
            let mut command = Command::new(std::env::var_os("REBUS_CLINGO").unwrap_or("clingo".into()));
            command.args(["2", "--quiet", "--trans-ext=dynamic", "--eq=1"]);
            command.arg(written(board.file.with_extension("noqx.lp"), &program));
            command
        },
        alone: "Models       : 1\n",
    },
    // cspuz_core's `run_solver`: it looks for what all solutions agree on, of one alone with the same two questions
    Rival {
        name: "cspuz_core",
        variable: "REBUS_CSPUZ",
        command: |program, board| {
            let mut export = Command::new(env!("CARGO_BIN_EXE_rebus"));
            export.args(["export", "--form", "puzzlink", board.genre]).arg(&board.file);
            let url = String::from_utf8(export.output().expect("rebus runs").stdout).expect("it is text");
            let mut command = Command::new(program);
            // an older name of masyu
            command.arg(url.trim_end().replace("?mashu/", "?masyu/"));
            command
        },
        alone: "Answer Status: Unique\n",
    },
];

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if !arguments.iter().any(|argument| argument == "--bench") {
        println!("only measured by `cargo bench`");
        return;
    }
    let wanted = arguments.iter().find(|argument| !argument.starts_with('-'));
    let rivals: Vec<(&Rival, OsString)> =
        RIVALS.iter().filter_map(|rival| Some((rival, std::env::var_os(rival.variable)?))).collect();
    for rival in RIVALS.iter().filter(|rival| std::env::var_os(rival.variable).is_none()) {
        println!("{} is left out: {} does not name it", rival.name, rival.variable);
    }
    let folder = tempfile::tempdir().expect("a temporary folder");
    for genre in GENRES.iter().filter(|genre| wanted.is_none_or(|wanted| genre.name.contains(wanted))) {
        let mut ours = Vec::new();
        let mut theirs: Vec<Vec<f64>> = vec![Vec::new(); rivals.len()];
        for (at, text) in genre.boards.lines().enumerate() {
            let importer = recognise_argument(text).expect("a board of a known form");
            let clues = importer.convert(text, FileId(0)).expect("a board in order").clues;
            let file = written(folder.path().join(format!("{}{at}.clues", genre.name)), &clues);
            let board = Board { genre: genre.name, clues: &clues, file };
            let mut command = Command::new(env!("CARGO_BIN_EXE_rebus"));
            command
                .args(["solve", genre.name, "--limit", "2", "--format", "csv", "--stats"])
                .arg(&board.file);
            ours.push(run(&command, "solutions                1\n"));
            print!("{} {:>2}  rebus {:.2}", genre.what, at + 1, ours[at]);
            for ((rival, named), theirs) in rivals.iter().zip(&mut theirs) {
                theirs.push(run(&(rival.command)(named, &board), rival.alone));
                let slower = if ours[at] > theirs[at] { " < rebus" } else { "" };
                print!("  {} {:.2}{slower}", rival.name, theirs[at]);
            }
            println!();
        }
        println!("{}, {} boards\n  {:<10}  {}", genre.what, ours.len(), "rebus", told(&ours));
        for ((rival, _), theirs) in rivals.iter().zip(&theirs) {
            print!("  {:<10}  {}", rival.name, told(theirs));
            let finished = |(ours, theirs): (&f64, &f64)| theirs.is_finite().then_some((*ours, *theirs));
            let pairs: Vec<(f64, f64)> = ours.iter().zip(theirs).filter_map(finished).collect();
            let sums = pairs.iter().fold((0.0, 0.0), |sums, pair| (sums.0 + pair.0, sums.1 + pair.1));
            print!("  unfinished {}", ours.len() - pairs.len());
            print!("  rebus slower on {}", pairs.iter().filter(|(ours, theirs)| ours > theirs).count());
            println!("  sums over finished ones 1 : {:.1}", sums.1 / sums.0);
        }
    }
}

/// Median, maximum and sum.
fn told(seconds: &[f64]) -> String {
    let mut sorted = seconds.to_vec();
    sorted.sort_by(f64::total_cmp);
    let (middle, most) = (sorted[sorted.len() / 2], sorted[sorted.len() - 1]);
    format!("median {middle:.2} most {most:.2} sum {:.2}", seconds.iter().sum::<f64>())
}

/// A file of this folder.
fn here(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("benches/graphs").join(name)
}

fn written(path: PathBuf, text: &str) -> PathBuf {
    std::fs::write(&path, text).expect("the disk has room");
    path
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

/// CPU seconds of a process, user and system; infinitely many if the limit ended it. It must print `wanted`.
fn run(command: &Command, wanted: &str) -> f64 {
    let mut limited = Command::new("sh");
    limited.args(["-c", &format!("ulimit -t {LIMIT}; exec \"$0\" \"$@\"")]);
    limited.arg(command.get_program()).args(command.get_args());
    let mut child = limited.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program runs");
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
    let seconds = ticks / TICKS;
    if said.contains(wanted) {
        return seconds;
    }
    assert!(seconds > LIMIT - 1.0, "{command:?} finds one solution: {said}");
    f64::INFINITY
}
