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
    assert_eq!(rebus(&["count", UNEQUAL]), (0, "1\n".into(), String::new()));
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
