//! Other people's puzzle files.

use rebus::diag::{Code, Diagnostic, Sources};
use rebus::import::{Imported, recognise};

fn import(name: &str, text: &str) -> Result<Imported, Box<(Diagnostic, String)>> {
    let mut sources = Sources::default();
    let file = sources.add(name, text);
    let importer = recognise(text, name).unwrap_or_else(|| panic!("{name} is not recognised"));
    importer.convert(text, file).map_err(|diagnostic| {
        let place = sources.place(diagnostic.labels[0].0);
        Box::new((diagnostic, place))
    })
}

#[track_caller]
fn refused(name: &str, text: &str, message: &str, place: &str) {
    let (diagnostic, found) = *import(name, text).unwrap_err();
    assert_eq!(diagnostic.code, Code::Syntax);
    assert!(diagnostic.message.contains(message), "{}", diagnostic.message);
    assert_eq!(found, place);
}

#[test]
fn a_nonogram() {
    let text = include_str!("data/nonogram/webpbn-26167.non");
    let expected = "\
# catalogue webpbn.com #26167
# Bloop Bloop
# by Michael Terry
# © 2015 Michael Terry
# license CC-BY-SA-4.0
across = [[3, 2], [3], [2, 2], [4], [4], [2, 2], [4, 1], [4, 2], [2, 2], [1]]
down = [[3], [3, 2], [2, 4], [4], [2], [2], [4], [1, 4], [1, 2, 2], [4]]
";
    let imported = import("webpbn-26167.non", text).unwrap();
    assert_eq!((imported.genre, imported.clues.as_str()), ("nonogram", expected));
    assert_eq!(import("x", &text.replace('\n', "\r\n")).unwrap().clues, expected);
}

/// The lists of a data file, read by another program's rules.
fn lists(clues: &str, name: &str) -> Vec<Vec<u32>> {
    let start = clues.find(&format!("{name} = ")).unwrap() + name.len() + 3;
    let end = clues[start..].find("]]").unwrap() + start + 2;
    serde_json::from_str(&clues[start..end]).unwrap()
}

#[test]
fn all_nonograms() {
    let mut count = 0;
    for entry in std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/nonogram")).unwrap() {
        let path = entry.unwrap().path();
        let name = path.file_name().unwrap().to_str().unwrap();
        if !name.ends_with(".non") {
            continue;
        }
        let text = std::fs::read_to_string(&path).unwrap();
        let clues = import(name, &text).unwrap().clues;
        let (across, down) = (lists(&clues, "across"), lists(&clues, "down"));
        let size = |key: &str| {
            let line = text.lines().find(|line| line.starts_with(key)).unwrap();
            line[key.len()..].trim().parse::<usize>().unwrap()
        };
        assert_eq!((across.len(), down.len()), (size("height"), size("width")), "{name}");
        // Rows and columns count the same cells.
        let cells = |runs: &[Vec<u32>]| runs.iter().flatten().sum::<u32>();
        assert_eq!(cells(&across), cells(&down), "{name}");
        assert!(clues.lines().all(|line| line.chars().count() <= 100), "{name}");
        assert!(clues.contains("# license CC-BY"), "{name}");
        count += 1;
    }
    assert_eq!(count, 7);
}

#[test]
fn damaged_nonograms() {
    let good = "width 2\nheight 1\nrows\n2\ncolumns\n1\n1\n";
    assert_eq!(import("a.non", good).unwrap().clues, "across = [[2]]\ndown = [[1], [1]]\n");
    let with = |old: &str, new: &str| good.replacen(old, new, 1);
    refused("a.non", &with("width 2", "width 3"), "width is 3, but `columns` lists 2", "a.non:1:1");
    refused("a.non", &with("width 2", "width x"), "`x` is no size", "a.non:1:1");
    refused("a.non", &with("\n2\n", "\n2,a\n"), "`a` is no run length", "a.non:4:1");
    refused("a.non", &with("\n2\n", "\n99999999999\n"), "`99999999999` is no run length", "a.non:4:1");
    refused("a.non", &with("\n2\n", "\n1,1\n"), "need 3 cells, but their line has 2", "a.non:4:1");
    refused("a.non", &with("columns\n1", "columns\n2"), "need 2 cells, but their line has 1", "a.non:6:1");
    refused("a.non", &with("rows\n", ""), "run lengths stand before", "a.non:3:1");
    refused("a.non", &with("columns\n1\n1\n", ""), "there is no `columns`", "a.non:1:1");
    refused("a.non", &with("\n1\n1\n", "\n"), "no run lengths follow `columns`", "a.non:5:1");
    refused("a.non", &with("columns", "rows"), "a second list", "a.non:5:1");
    refused("a.non", &with("rows", "color a red\nrows"), "coloured nonograms", "a.non:3:1");
    refused("a.non", "", "there is no `rows`", "a.non:1:1");
}

const CLUE: &str = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
const EXPECTED: &str = "clue = \"\"\"
53..7....
6..195...
.98....6.
8...6...3
4..8.3..1
7...2...6
.6....28.
...419..5
....8..79
\"\"\"
";

#[test]
fn sudokus_of_81_characters() {
    for empty in ['.', '0', '*', '_', '?', ' '] {
        let line = CLUE.replace('.', &empty.to_string());
        let imported = import("x", &line).unwrap();
        assert_eq!((imported.genre, imported.clues.as_str()), ("sudoku", EXPECTED));
        assert_eq!(import("x", &format!("{line}\r\n")).unwrap().clues, EXPECTED);
    }
    let solved = format!("{CLUE} count 1\n");
    assert_eq!(import("x", &solved).unwrap().clues, EXPECTED);
    refused("x.sdm", &format!("{CLUE}\n{CLUE}\n"), "more than one sudoku", "x.sdm:2:1");
}

fn rows() -> Vec<&'static str> {
    (0..9).map(|r| &CLUE[9 * r..9 * r + 9]).collect()
}

#[test]
fn sudokus_of_nine_lines() {
    let plain = rows().join("\n");
    assert_eq!(import("x", &plain).unwrap().clues, EXPECTED);
    let sdk = format!("\u{feff}#A Ann Author\n#D\n#CA puzzle\n[Puzzle]\n{plain}\n[State]\n{plain}\n");
    let expected = format!("# Ann Author\n# D\n# CA puzzle\n{EXPECTED}");
    assert_eq!(import("x.sdk", &sdk).unwrap().clues, expected);

    let framed: Vec<String> =
        rows().iter().map(|r| format!("|{}|{}|{}|", &r[..3], &r[3..6], &r[6..])).collect();
    let bands: Vec<String> = framed.chunks(3).map(|band| band.join("\n")).collect();
    let ss = format!("*-----------*\n{}\n*-----------*\n", bands.join("\n|---+---+---|\n"));
    assert_eq!(import("x.ss", &ss).unwrap().clues, EXPECTED);
    assert_eq!(import("x", &ss).unwrap().clues, EXPECTED);
    let spread: String = ss.chars().flat_map(|c| [c, ' ']).filter(|c| *c != '*').collect();
    let spread: Vec<&str> = spread.lines().map(str::trim).collect();
    assert_eq!(import("x", &spread.join("\n")).unwrap().clues, EXPECTED);
}

#[test]
fn damaged_sudokus() {
    let plain = rows().join("\n") + "\n";
    refused("x.sdk", &plain.replace("6..195...", "6..1x5..."), "no row of a sudoku", "x.sdk:2:1");
    refused("x.sdk", &plain.replace("6..195...", "6..195.."), "no row of a sudoku", "x.sdk:2:1");
    refused("x.sdk", &plain[10..], "but there are 8", "x.sdk:1:1");
    refused("x.sdk", &(plain.clone() + "1........\n"), "nine rows", "x.sdk:10:1");
    assert!(recognise("var x[9, 9] : 1..9\n", "x.rebus").is_none());
    assert!(recognise("", "x").is_none());
}
