//! Puzzles of others on the command line.

use assert_cmd::Command;

/// Exit code, standard output, standard error.
fn rebus(args: &[&str]) -> (i32, String, String) {
    let output = Command::cargo_bin("rebus").unwrap().args(args).output().unwrap();
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap();
    (output.status.code().unwrap(), text(&output.stdout), text(&output.stderr))
}

const UNEQUAL: &str = "unequal:4:0,0,0,0,0U,0L,0,0,0,0,0,0,2,0L,0,0U,";

#[test]
fn a_puzzle_in_place_of_a_model() {
    let (code, out, _) = rebus(&["count", UNEQUAL]);
    assert_eq!((code, out.as_str()), (0, "1\n"));
    let (code, out, _) = rebus(&["solve", UNEQUAL]);
    assert_eq!((code, out.as_str()), (0, "1 2 4 3\n3 4 2 1\n4 1 3 2\n2 3 1 4\n"));
    let (code, out, _) = rebus(&["solve", "https://puzz.link/p?sudoku/4/4/g1k23k3g"]);
    assert_eq!((code, out.lines().count()), (0, 5));
    // a model's other name
    let (code, out, _) = rebus(&["solve", "solo", "sudoku-1"]);
    assert_eq!((code, out.lines().next()), (0, Some("5 3 4 | 6 7 8 | 9 1 2")));
}

#[test]
fn import_and_export() {
    let (code, out, _) = rebus(&["import", "mosaic:3x3:4a2b32b"]);
    assert_eq!((code, out.as_str()), (0, "clue = \"\"\"\n4 . 2\n. . 3\n2 . .\n\"\"\"\n"));
    let (code, out, _) = rebus(&["export", UNEQUAL, "--form", "tatham"]);
    assert_eq!((code, out), (0, format!("{UNEQUAL}\n")));
    let (code, out, _) = rebus(&["export", "sudoku", "sudoku-1", "--form", "lines"]);
    let line = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79\n";
    assert_eq!((code, out.as_str()), (0, line));
    // nothing where there is no number, not a number that is not told
    let (code, out, _) = rebus(&["export", "slitherlink", "slitherlink-1", "--form", "puzzlink"]);
    assert_eq!((code, out.as_str()), (0, "https://puzz.link/p?slither/5/5/dldc3100di\n"));
    let (code, _, err) = rebus(&["export", "sudoku", "sudoku-variants-1", "--form", "lines"]);
    assert_ne!(code, 0);
    assert!(!err.is_empty());
    let (code, _, err) = rebus(&["export", "mosaic", "mosaic-1", "--form", "puzzlink"]);
    assert_eq!(code, 2);
    assert!(err.contains("puzz.link has no `mosaic`"), "{err}");
}

#[test]
fn faults_have_a_place() {
    let (code, _, err) = rebus(&["solve", "https://puzz.link/p?aqre/6/6/8a41dd1t0re00g300g"]);
    assert_eq!(code, 1);
    assert!(err.contains("puzz.link's genre `aqre` is Aqre; it is not in the catalogue"), "{err}");
    let (_, _, err) = rebus(&["solve", "akari/9999/9999/a"]);
    assert!(err.contains("65536 cells at most"), "{err}");
    let (_, _, err) = rebus(&["solve", "lightup:3x3:xyz"]);
    assert!(err.contains("more entries than the board has"), "{err}");
    let (_, _, err) = rebus(&["solve", "twiddle:3x3n2:1,2"]);
    assert!(err.contains("played move by move"), "{err}");
}

#[test]
fn a_drawn_board_is_verified() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let clues = "pzprv3/mines/2/2/1 . /. . /";
    let good = file("good.txt", &format!("{clues}. # /+ + /"));
    let bad = file("bad.txt", &format!("{clues}. # /# + /").replace('/', "\n"));
    assert_eq!(rebus(&["verify", "mines", &good, &good]), (0, "correct\n".into(), String::new()));
    let (code, out, _) = rebus(&["verify", "minesweeper", &good, &bad]);
    assert_eq!(code, 5);
    assert!(out.starts_with("wrong\n  clue at (1, 1)"), "{out}");
}

/// Boards of the catalogue by name, with the arguments that solve them and the drawing that is theirs.
fn drawings() -> Vec<(String, Vec<String>, String)> {
    let mut found = Vec::new();
    let examples = format!("{}/examples", env!("CARGO_MANIFEST_DIR"));
    for folder in std::fs::read_dir(examples).unwrap() {
        let Ok(files) = std::fs::read_dir(folder.unwrap().path()) else { continue };
        for path in files
            .map(|file| file.unwrap().path())
            .filter(|path| path.extension().is_some_and(|e| e == "solution"))
        {
            let name = path.file_stem().unwrap().to_str().unwrap().to_owned();
            let args = match path.with_extension("clues").exists() {
                true => vec![name.rsplit_once('-').unwrap().0.to_owned(), format!("{name}.clues")],
                false => vec![name.clone()],
            };
            found.push((name, args, path.to_str().unwrap().to_owned()));
        }
    }
    found.sort();
    found
}

/// Models that draw words, several things, or what no entry of a variable can be read from.
const UNREAD: &[&str] = &[
    "battleship-1",
    "battleship-2",
    "choco-banana-1",
    "cryptarithm-1",
    "einstein",
    "formula",
    "hashi-1",
    "hashi-2",
    "killer-sudoku-1",
    "langford",
    "loopy-tiles-1",
    "loopy-tiles-2",
    "money",
    "stitches-1",
    "zebra",
];

#[test]
fn what_solve_draws_is_verified() {
    let mut unread = Vec::new();
    for (name, args, drawing) in drawings() {
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        let (code, out, err) = rebus(&[&["verify"][..], &args, &[&drawing]].concat());
        match code {
            0 => assert_eq!(out, "correct\n", "{name}"),
            _ => {
                assert!(code == 1 && err.contains("error["), "{name}: {out}{err}");
                unread.push(name);
            }
        }
    }
    assert_eq!(unread, UNREAD);
}

#[test]
fn drawings_with_faults_and_gaps() {
    let folder = tempfile::tempdir().unwrap();
    let file = |text: &str| {
        let path = folder.path().join("drawn.txt");
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let unequal = |text: &str, more: &[&str]| rebus(&[&["verify", UNEQUAL, &file(text)][..], more].concat());
    // frames and characters beside each other are read too
    assert_eq!(unequal("1 2 | 4 3\n3 4 | 2 1\n----+----\n4 1 | 3 2\n2 3 | 1 4\n", &[]).1, "correct\n");
    assert_eq!(unequal("1243\n3421\n4132\n2314", &[]).1, "correct\n");
    let (code, out, _) = unequal("1 2 4 3\n3 4 2 1\n4 1 3 2\n. 3 1 4\n", &[]);
    assert_eq!((code, out.as_str()), (5, "incomplete: x[4, 1] has no value\n"));
    let (code, out, _) = unequal("2 1 4 3\n3 4 2 1\n4 . 3 2\n2 3 1 4\n", &["-f", "json"]);
    let told: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!((code, &told["verdict"]), (5, &"wrong".into()));
    assert_eq!(told["rules"][0]["label"], "column 1", "{out}");
    assert_eq!(told["rules"][0]["entries"].as_array().unwrap().len(), 4);
    assert!(told["rules"][0]["place"].as_str().unwrap().starts_with("futoshiki/futoshiki.rebus:"));
    let (_, out, _) = unequal("1 1 4 3\n3 4 2 1\n4 1 3 2\n2 3 1 4\n", &[]);
    assert!(out.starts_with("wrong\n  row 1"), "{out}");
    assert!(
        out.contains("    x[1, 1], x[1, 2], x[1, 3], x[1, 4]\n") && out.contains("[1] [1] [4] [3]"),
        "{out}"
    );
    let (code, _, err) = unequal("1 2 4 3\n3 4 2 9\n4 1 3 2\n2 3 1 4\n", &[]);
    assert!(code == 1 && err.contains("`9` cannot stand here") && err.contains("drawn.txt:2:7"), "{err}");
    let (code, _, err) = unequal("1 2\n3 4\n", &[]);
    assert!(code == 1 && err.contains("4 rows of 4 entries"), "{err}");
}

/// A drawing that fixes no variable by itself is compared with the solution; one that no solution has is refused with rules.
#[test]
fn lines_of_drawings() {
    let folder = tempfile::tempdir().unwrap();
    let drawn = folder.path().join("drawn.txt");
    let drawn = drawn.to_str().unwrap();
    let board = ["slitherlink", "slitherlink-1.clues"];
    let (_, whole, _) = rebus(&["solve", board[0], board[1]]);
    std::fs::write(drawn, &whole).unwrap();
    assert_eq!(rebus(&["verify", board[0], board[1], drawn]).1, "correct\n");
    std::fs::write(drawn, whole.replacen('━', " ", 1)).unwrap();
    let (code, out, _) = rebus(&["verify", board[0], board[1], drawn]);
    assert!(code == 5 && out.starts_with("incomplete: line["), "{out}");
    let wrong = "#..\n.#.\n..#\n";
    std::fs::write(drawn, wrong).unwrap();
    let clues = folder.path().join("creek.clues");
    std::fs::write(&clues, "clue = \"\"\"\n....\n.4..\n....\n....\n\"\"\"\n").unwrap();
    let (code, out, _) = rebus(&["verify", "creek", clues.to_str().unwrap(), drawn]);
    assert!(code == 5 && out.starts_with("wrong\n") && out.contains("corner (2, 2)"), "{out}");
}
