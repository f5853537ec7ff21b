//! Texts to start from: real ones where there are some.

use crate::deep::{BETWEEN, SQUARE};
use rebus::catalogue;
use std::fs;
use std::path::Path;
use std::process::Command;

fn text(path: &str) -> String {
    fs::read_to_string(path).expect("a seed")
}

/// The files of a folder, sorted by name, as far as their name ends so.
fn files(folder: &str, end: &str) -> Vec<Vec<u8>> {
    let mut paths: Vec<_> =
        fs::read_dir(folder).expect("seeds").flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let wanted = |path: &&std::path::PathBuf| path.is_file() && path.to_string_lossy().ends_with(end);
    paths.iter().filter(wanted).map(|path| fs::read(path).expect("a seed")).collect()
}

fn folders(folder: &str) -> Vec<String> {
    let mut paths: Vec<_> =
        fs::read_dir(folder).expect("seeds").flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths.iter().filter(|path| path.is_dir()).map(|path| path.to_string_lossy().into_owned()).collect()
}

/// The last of the columns of a table, one of so many rows.
fn column(path: &str, start: &str, every: usize) -> Vec<Vec<u8>> {
    let last =
        |line: &str| [start.as_bytes(), line.rsplit('\t').next().unwrap_or_default().as_bytes()].concat();
    text(path).lines().step_by(every).map(last).collect()
}

fn rebus(folder: &Path, args: &[&str], input: Option<&Path>) -> Vec<u8> {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rebus"));
    if let Some(input) = input {
        command.stdin(fs::File::open(input).expect("a file"));
    }
    command.current_dir(folder).args(args).output().expect("rebus runs").stdout
}

/// Maps of a model in every kind of formula, each with what solvers print of it.
fn stored() -> Vec<Vec<u8>> {
    let folder = tempfile::tempdir().expect("a folder");
    fs::write(folder.path().join("m.rebus"), SQUARE).expect("a file");
    let mut seeds = Vec::new();
    for (target, further) in [
        ("cnf", ""),
        ("cnf", "--int=order"),
        ("cnf", "--int=binary"),
        ("opb", ""),
        ("wcnf", ""),
        ("xcc", ""),
        ("xcc", "--dialect=dlx3"),
    ] {
        let mut args = vec!["compile", "m.rebus", "--to", target, "-o", "f", "--map", "f.map"];
        args.extend((!further.is_empty()).then_some(further));
        rebus(folder.path(), &args, None);
        let map = fs::read(folder.path().join("f.map")).expect("a map");
        let solver = if target == "xcc" { "xcc" } else { "sat" };
        let output = rebus(folder.path(), &[solver, "f"], None);
        for output in [&output[..], b"s UNSATISFIABLE\n", b"s OPTIMUM FOUND\nv 1 -2 -3 -4 5\nv 0\no 0\n"] {
            seeds.push([&map, BETWEEN.as_bytes(), output].concat());
        }
    }
    seeds
}

/// Data of the catalogue with their genres, and puzzles of other programs.
fn boards() -> Vec<Vec<u8>> {
    let mut seeds: Vec<Vec<u8>> = Vec::new();
    for model in catalogue::models() {
        for board in model.boards() {
            if let Some((path, clues)) = catalogue::board(board)
                && path.ends_with(".clues")
                && clues.len() < 2000
            {
                seeds.push(format!("{}\n{clues}", model.name).into_bytes());
            }
        }
    }
    seeds.extend(puzzles());
    seeds
}

fn puzzles() -> Vec<Vec<u8>> {
    let mut seeds = column("tests/data/puzzlink/urls.tsv", "https://puzz.link/p?", 5);
    seeds.extend(column("tests/data/pzpr/solved.tsv", "", 3));
    for program in files_of("tests/data/tatham") {
        let ids = text(&format!("tests/data/tatham/{program}.txt"));
        seeds.extend(ids.lines().take(3).map(|id| format!("{program}:{id}").into_bytes()));
    }
    seeds.extend(files("tests/data/nonogram", ".non"));
    seeds.push(text("tests/data/f-puzzles.link").into_bytes());
    seeds.extend(text("tests/data/sudoku/mixed.txt").lines().take(2).map(|line| line.as_bytes().to_vec()));
    seeds.retain(|seed| seed.len() < 3000);
    seeds
}

/// Programs of a collection.
fn files_of(folder: &str) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .expect("seeds")
        .flatten()
        .filter_map(|entry| Some(entry.file_name().to_str()?.strip_suffix(".txt")?.to_owned()))
        .filter(|name| !name.contains('.'))
        .collect();
    names.sort();
    names
}

pub fn of(target: &str) -> Vec<Vec<u8>> {
    match target {
        "model" => ["sudoku", "battleship", "futoshiki", "cryptarithm"]
            .map(|name| text(&format!("examples/{name}/{name}.rebus")).into_bytes())
            .to_vec(),
        "data" => {
            vec![b"c = \"\"\"\n+-+\n|12A|\n...\n0*3\n\"\"\"\nd = \"xv\"\nt = [\"ab\", \"cd\"]\n".to_vec()]
        }
        "map" => files("tests/symbols", ".map"),
        "stored" => stored(),
        "formula" => vec![
            b"c x\np cnf 3 2\n1 -2 0\n3\n-1 0\n".to_vec(),
            b"p wcnf 3 3 9\n9 1 2 0\n1 -1 0\n".to_vec(),
            b"h 1 2 0\n3 -1 0\n".to_vec(),
            b"* #variable= 3 #constraint= 1\nmin: +1 x1 -2 x2 ;\n+1 x1 +2 ~x2 >= 1 ;\n".to_vec(),
            b"| x\na 2|b 1:2|c | d e\na d:A e\nb c\nb d:B\nc\n".to_vec(),
        ],
        "puzzle" => puzzles(),
        "board" => boards(),
        "link" => {
            let mut seeds = files("tests/data", ".json");
            seeds.push(
                br#"{"size": 4, "grid": [[{"value": 1}, {}, {}, {}]], "cage": [{"cells": ["R1C1"], "value": 3}]}"#.to_vec(),
            );
            seeds.push(
                br#"{"cells":[[{},{"value":"2"},{},{}],[{},{},{},{}],[{},{},{},{}],[{},{},{},{}]],"regions":[[[0,0],[0,1],[1,0],[1,1]]],"cages":[{"cells":[[0,0],[0,1]],"value":"5"}]}"#.to_vec(),
            );
            seeds
        }
        "each" => vec![
            b"{\"n\": 3, \"clue\": [[1, null, null], [null, 2, null], [null, null, 3]]}\n{\"title\": \"a\", \"b\": false}\n".to_vec(),
            b"{\"list\": [1, [2, \"x\"]], \"e\": \"x\", \"t\": [\"ab\", \"cd\"]}\n{\"clue\": \"12\\n..\", \"any\": {}}\n".to_vec(),
            b"n=3\nclue=12..\ntitle=some text\nway=w\nlist=[1, 2]\n".to_vec(),
            b"e=v\nb=false\nt=ab cd\nclue=[[1, 2], [none, 3]]\nany=(1, 2)\nroom=\"\"\"##\n#.\"\"\"\n".to_vec(),
            b"{\"h\": 2, \"w\": 3, \"room\": [[true, false, true], [false, true, false]]}\nroom=##/#.\n".to_vec(),
        ],
        _ => {
            let mut seeds = vec![
                b"1:\n a b:X (1 of 2)\n c (2 of 2)\n2: (total cost $7)\n null a\nAltogether 2 solutions, 3 mems\n".to_vec(),
                b"a b;\nc;\n\nFound 1 solutions!\n".to_vec(),
            ];
            for folder in folders("tests/solver-samples") {
                seeds.extend(files(&folder, ".out").into_iter().filter(|output| output.len() < 4000).step_by(3));
            }
            seeds.extend(files("tests/dlx-samples", ".out").into_iter().filter(|output| output.len() < 4000));
            seeds
        }
    }
}
