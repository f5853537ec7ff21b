//! Puzzles of other people's collections, solved by the command: answers, numbers of answers, contradictions.

use assert_cmd::Command;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

fn rebus(args: &[&str]) -> Command {
    let mut command = Command::cargo_bin("rebus").expect("built with the tests");
    command.args(args);
    command
}

/// What a command prints that must end with this code.
fn told(args: &[&str], code: i32) -> String {
    let assert = rebus(args).assert().code(code);
    String::from_utf8(assert.get_output().stdout.clone()).expect("text")
}

fn read(path: impl AsRef<Path>) -> String {
    std::fs::read_to_string(path).expect("a file of the collection")
}

fn json(line: &str) -> serde_json::Value {
    serde_json::from_str(line).expect("a line of JSON")
}

/// The digits of the table `x`, row by row.
fn digits(line: &str) -> String {
    let value = json(line);
    let rows = value["values"]["x"].as_array().expect("a solution");
    rows.iter().flat_map(|row| row.as_array().expect("a row")).map(ToString::to_string).collect()
}

#[test]
fn sudokus() {
    for name in ["seventeen", "hard", "mixed"] {
        let known = read(format!("tests/data/sudoku/{name}.txt"));
        let (mut puzzles, mut answers) = (String::new(), Vec::new());
        for line in known.lines() {
            let (puzzle, answer) = line.split_once(' ').expect("a puzzle and its answer");
            writeln!(puzzles, "{puzzle}").expect("a string grows");
            answers.push(answer);
        }
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("puzzles.txt");
        std::fs::write(&file, puzzles).expect("written");
        let printed =
            told(&["solve", "sudoku", "--each", &format!("clue={}", file.display()), "-f", "json"], 0);
        let found: Vec<String> = printed.lines().map(digits).collect();
        assert_eq!(found, answers, "{name}");
    }
}

#[test]
fn each_alone_and_unique() {
    for name in ["seventeen", "hard", "mixed"] {
        for line in read(format!("tests/data/sudoku/{name}.txt")).lines().step_by(3) {
            let (puzzle, answer) = line.split_once(' ').expect("a puzzle and its answer");
            let clue = format!("clue={puzzle}");
            let printed = told(&["solve", "sudoku", "-D", &clue, "--unique", "-f", "json"], 0);
            assert_eq!(digits(printed.lines().next().expect("a solution")), answer, "{name} {puzzle}");
        }
    }
}

#[test]
fn sudoku_counts() {
    for line in read("tests/data/sudoku/counts.txt").lines() {
        let [puzzle, "count", count] = line.split(' ').collect::<Vec<_>>()[..] else {
            panic!("{line}");
        };
        assert_eq!(
            told(&["count", "sudoku", "-D", &format!("clue={puzzle}")], 0).trim_end(),
            count,
            "{puzzle}"
        );
    }
}

/// Every layout is one row, column and room after the other, so a filling is checked by hand here.
#[test]
fn jigsaw_layouts() {
    let clue = format!("clue={}", ".".repeat(81));
    for line in read("tests/data/jigsaw/layouts.tsv").lines() {
        let (rooms, expected) = line.split_once('\t').expect("a layout and its kind");
        let room = format!("room={rooms}");
        let satisfiable = expected == "sat";
        let printed =
            told(&["solve", "jigsaw-sudoku", "-D", "n=9", "-D", &room, "-D", &clue, "-f", "json"], 0);
        let status = json(printed.lines().last().expect("a status"))["status"].clone();
        assert_eq!(status, if satisfiable { "satisfiable" } else { "unsatisfiable" }, "{line}");
        if satisfiable {
            let found = digits(printed.lines().next().expect("a solution"));
            let house = |inside: &dyn Fn(usize) -> bool| {
                let mut seen: Vec<char> =
                    found.chars().enumerate().filter(|(at, _)| inside(*at)).map(|(_, digit)| digit).collect();
                seen.sort_unstable();
                seen.into_iter().collect::<String>()
            };
            for i in 0..9 {
                let name = rooms.as_bytes()[i * 9];
                assert_eq!(house(&|at| at / 9 == i), "123456789", "{line}");
                assert_eq!(house(&|at| at % 9 == i), "123456789", "{line}");
                assert_eq!(house(&|at| rooms.as_bytes()[at] == name), "123456789", "{line}");
            }
        }
    }
}

fn nonograms() -> Vec<PathBuf> {
    let mut found: Vec<PathBuf> = std::fs::read_dir("tests/data/nonogram")
        .expect("the collection")
        .map(|entry| entry.expect("a file").path())
        .filter(|path| path.extension().is_some_and(|suffix| suffix == "non"))
        .collect();
    found.sort();
    assert!(found.len() >= 7);
    found
}

/// The value of a `.non` file's item, without quotes.
fn item<'t>(text: &'t str, name: &str) -> Option<&'t str> {
    text.lines().find_map(|line| Some(line.strip_prefix(name)?.strip_prefix(' ')?.trim().trim_matches('"')))
}

/// The lengths below the line `name`.
fn lengths(text: &str, name: &str) -> Vec<Vec<usize>> {
    let below = text.lines().map(str::trim).skip_while(|line| *line != name).skip(1);
    let numbers = |line: &str| -> Vec<usize> {
        line.split(',').map(|n| n.trim().parse().expect("a length")).filter(|n| *n > 0).collect()
    };
    below.take_while(|line| line.starts_with(|c: char| c.is_ascii_digit())).map(numbers).collect()
}

fn runs(line: impl Iterator<Item = bool>) -> Vec<usize> {
    let line: Vec<bool> = line.collect();
    line.split(|shaded| !shaded).map(<[bool]>::len).filter(|n| *n > 0).collect()
}

#[test]
fn nonograms_solved_and_imported() {
    let mut largest = 0;
    for path in nonograms() {
        let text = read(&path);
        let name = path.display().to_string();
        let printed = told(&["solve", "nonogram", &name, "--unique", "-f", "json"], 0);
        let value = json(printed.lines().next().expect("a solution"));
        let shade: Vec<Vec<bool>> =
            serde_json::from_value(value["values"]["shade"].clone()).expect("rows of truth values");
        let across: Vec<_> = shade.iter().map(|row| runs(row.iter().copied())).collect();
        let down: Vec<_> = (0..shade[0].len()).map(|at| runs(shade.iter().map(|row| row[at]))).collect();
        assert_eq!(across, lengths(&text, "rows"), "{name}");
        assert_eq!(down, lengths(&text, "columns"), "{name}");
        if let Some(goal) = item(&text, "goal") {
            let found: String = shade.iter().flatten().map(|on| if *on { '1' } else { '0' }).collect();
            assert_eq!(found, goal, "{name}");
        }
        largest = largest.max(shade.len() * shade[0].len());

        // the imported file is the same puzzle
        let folder = tempfile::tempdir().expect("a folder");
        let clues = folder.path().join("picture.clues").display().to_string();
        told(&["import", &name, "-o", &clues], 0);
        assert_eq!(told(&["solve", "nonogram", &clues, "--unique", "-f", "json"], 0), printed, "{name}");
        // and its solution is one
        let answer = folder.path().join("answer.json").display().to_string();
        std::fs::write(&answer, printed.lines().next().expect("a solution")).expect("written");
        assert_eq!(told(&["verify", "nonogram", &name, &answer], 0), "correct\n", "{name}");
    }
    assert!(largest >= 1600, "{largest}");
}

/// The board and the solution of the notebook that this began with, `0` for an empty cell.
const NOTEBOOK: &str = "530070000600195000098000060800060003400803001700020006060000280000419005000080079";
const KNOWN: &str = "534678912672195348198342567859761423426853791713924856961537284287419635345286179";

#[test]
fn known_answer_verified() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path.display().to_string()
    };
    let board = file("board.txt", &format!("{NOTEBOOK}\n"));
    assert_eq!(
        digits(told(&["solve", "sudoku", &board, "-f", "json"], 0).lines().next().expect("one")),
        KNOWN
    );
    let right = file("right.clues", &format!("x = \"\"\"\n{KNOWN}\n\"\"\"\n"));
    assert_eq!(told(&["verify", "sudoku", &board, &right], 0), "correct\n");
    // two entries of the first row exchanged, none of them a clue
    let wrong = KNOWN.replacen("5346789", "5364789", 1);
    let wrong = file("wrong.clues", &format!("x = \"\"\"\n{wrong}\n\"\"\"\n"));
    let printed = told(&["verify", "sudoku", &board, &wrong], 5);
    for expected in ["wrong\n", "  column 3  sudoku/", "  column 4  ", "  box 1     ", "  box 2     "] {
        assert!(printed.contains(expected), "{expected}: {printed}");
    }
    assert!(!printed.contains("  row 1 "), "{printed}");
    // another clue than the board's
    let other = KNOWN.replace('5', "x").replace('3', "5").replace('x', "3");
    let other = file("other.clues", &format!("x = \"\"\"\n{other}\n\"\"\"\n"));
    let printed = told(&["verify", "sudoku", &board, &other], 5);
    assert!(printed.contains("  clue at (1, 1)  sudoku/") && !printed.contains("row"), "{printed}");
    // a gap
    let gap = KNOWN.replacen('5', ".", 1);
    let gap = file("gap.clues", &format!("x = \"\"\"\n{gap}\n\"\"\"\n"));
    assert!(told(&["verify", "sudoku", &board, &gap], 5).starts_with("incomplete: "));
}

/// A fault in one line spoils its own result, is told with its line, and the others go on; nothing of one line
/// reaches the next, though the lines name different parameters.
#[test]
fn each_line_by_itself() {
    let folder = tempfile::tempdir().expect("a folder");
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).expect("written");
        path.display().to_string()
    };
    let model = file(
        "model.rebus",
        "param n = 3\nparam least = 1\nvar x[n] : 1..4\nrule: sum(x) = 4\n\
         rule: for i in 1..n: x[i] >= least\nrule: for i in 2..n: x[i - 1] <= x[i]\nshow x\n",
    );
    let lines = file(
        "lines.jsonl",
        "{\"least\": 1}\n{\"n\": 1}\n# no instance\nnope\n{\"least\": 2, \"n\": 2}\n{\"least\": 2}\n\
         {\"n\": [2]}\n{\"m\": 2}\n{\"n\": 3}\n",
    );
    let assert = rebus(&["solve", &model, "--each", &lines, "-f", "json"]).assert().code(1);
    let output = assert.get_output();
    let printed = String::from_utf8(output.stdout.clone()).expect("text");
    let results: Vec<String> = printed
        .lines()
        .map(|line| match json(line) {
            value if value["values"].is_object() => value["values"]["x"].to_string(),
            value => format!("{} {}", value["status"].as_str().expect("a status"), value["complete"]),
        })
        .collect();
    assert_eq!(
        results,
        [
            "[1,1,2]",
            "[4]",
            "unknown false",
            "[2,2]",
            "unsatisfiable true",
            "unknown false",
            "unknown false",
            "[1,1,2]"
        ]
    );
    let errors = String::from_utf8(output.stderr.clone()).expect("text");
    assert!(errors.contains("lines.jsonl, line 4:1:1"), "{errors}");
    assert!(errors.contains("no parameter `m`"), "{errors}");
}
