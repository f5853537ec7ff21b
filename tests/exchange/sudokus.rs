//! Sudokus of f-puzzles and SudokuPad, nonograms of webpbn.

use crate::data;
use crate::harness::{board, import, solutions};

/// The board of the catalogue as f-puzzles has it, as JSON and as a link.
#[test]
fn constraints_of_f_puzzles() {
    let shipped = include_str!("../../examples/sudoku/sudoku-constraints-1.clues");
    let expected = solutions("sudoku-constraints", shipped, 2).unwrap();
    for text in [data("f-puzzles.json"), data("f-puzzles.link")] {
        let imported = import(&text).unwrap();
        assert_eq!(imported.genre, "sudoku-constraints");
        assert!(imported.clues.starts_with("# Small\n# Somebody\nbox = (2, 3)\n"), "{}", imported.clues);
        assert_eq!(solutions(imported.genre, &imported.clues, 2).unwrap(), expected);
    }
    assert_eq!(expected.len(), 1);
}

fn puzzle(grid: &str, rest: &str) -> String {
    format!("{{\"size\": 4, \"grid\": [{grid}]{rest}}}")
}

const EMPTY: &str = "[{},{},{},{}],[{},{},{},{}],[{},{},{},{}],[{},{},{},{}]";

#[test]
fn plain_sudokus_of_f_puzzles() {
    let given = EMPTY.replacen("{}", "{\"value\": 3, \"given\": true}", 1);
    let imported = import(&puzzle(&given, ", \"antiknight\": false, \"thermometer\": []")).unwrap();
    assert_eq!((imported.genre, imported.clues.lines().nth(2)), ("sudoku", Some("3 . . .")));
    let rooms: Vec<String> = (0..16)
        .map(|at| format!("{{\"region\": {}}}", [0, 0, 0, 1, 0, 1, 1, 1, 2, 2, 2, 3, 2, 3, 3, 3][at]))
        .collect();
    let rows: Vec<String> = rooms.chunks(4).map(|row| format!("[{}]", row.join(","))).collect();
    let imported = import(&puzzle(&rows.join(","), "")).unwrap();
    assert_eq!(imported.genre, "jigsaw-sudoku");
    assert!(imported.clues.contains("aaab\nabbb\ncccd\ncddd"), "{}", imported.clues);
    let imported = import(&puzzle(&rows.join(","), ", \"antiking\": true, \"diagonal-\": true")).unwrap();
    assert_eq!(imported.genre, "sudoku-constraints");
    for part in ["box = (1, 4)", "antiking = true", "([(1, 1), (2, 2), (3, 3), (4, 4)], none)"] {
        assert!(imported.clues.contains(part), "{}", imported.clues);
    }
    assert!(board(imported.genre, &imported.clues).is_ok());
}

#[test]
fn what_is_not_supported_is_named() {
    for (rest, message) in [
        (", \"regionsumline\": [{\"lines\": [[\"R1C1\"]]}]", "`regionsumline` of f-puzzles is not supported"),
        (", \"negative\": [\"xv\"]", "`negative` of f-puzzles is not supported"),
        (", \"odd\": [{\"cell\": \"R5C1\"}]", "`R5C1` is no cell"),
        (", \"odd\": [{}]", "`` is no cell"),
        (", \"killercage\": [{\"cells\": []}]", "a constraint has no cells"),
        (", \"arrow\": [{\"cells\": [\"R1C1\", \"R1C2\"], \"lines\": []}]", "two digits"),
        (", \"littlekillersum\": [{\"cell\": \"R0C1\", \"direction\": \"UL\", \"value\": 3}]", "looks away"),
    ] {
        let fault = import(&puzzle(EMPTY, rest)).unwrap_err();
        assert!(fault.message.contains(message), "{rest}: {}", fault.message);
    }
    let short = import("{\"size\": 4, \"grid\": [[{}]]}").unwrap_err();
    assert!(short.message.contains("`grid` has not 4 rows"), "{}", short.message);
    let link = import("https://www.f-puzzles.com/?load=AAAA").unwrap_err();
    assert!(link.message.contains("cannot be unpacked"), "{}", link.message);
}

#[test]
fn sudokupad_s_own_form() {
    let cells = EMPTY.replacen("{}", "{\"value\": 1}", 1);
    let cages = "[{\"cells\": [[0, 1], [0, 2]], \"value\": 5}, {\"value\": \"title: T\"}]";
    let imported = import(&format!("{{\"cells\": [{cells}], \"cages\": {cages}}}")).unwrap();
    assert_eq!(imported.genre, "sudoku-constraints");
    assert!(imported.clues.contains("cage = [([(1, 2), (1, 3)], 5)]"), "{}", imported.clues);
    let drawn = import(&format!("{{\"cells\": [{cells}], \"lines\": [{{}}]}}")).unwrap_err();
    assert!(drawn.message.contains("`lines` of SudokuPad are drawings"), "{}", drawn.message);
}

const WEBPBN: &str = "<?xml version=\"1.0\"?>
<!DOCTYPE pbn SYSTEM \"https://webpbn.com/pbn-0.3.dtd\">
<puzzleset>
<puzzle type=\"grid\" defaultcolor=\"black\">
<title>L &amp; more</title>
<author>Somebody</author>
<color name=\"white\" char=\".\">fff</color>
<color name=\"black\" char=\"X\">000</color>
<clues type=\"columns\">
<line><count>2</count></line>
<line><count>1</count></line>
</clues>
<clues type=\"rows\">
<line><count>1</count></line>
<line><count>2</count></line>
<line></line>
</clues>
<!-- <clues type=\"rows\"> -->
<solution type=\"goal\"><image>
|X.|
|XX|
|..|
</image></solution>
</puzzle>
</puzzleset>
";

#[test]
fn webpbn() {
    let imported = import(WEBPBN).unwrap();
    assert_eq!(imported.clues, "# L & more\n# Somebody\nacross = [[1], [2], []]\ndown = [[2], [1]]\n");
    for (old, new, message) in [
        ("<count>2", "<count color=\"red\">2", "coloured nonograms"),
        ("<count>2", "<count>x", "`x` is no run length"),
        ("type=\"rows\"", "type=\"diagonals\"", "type `rows` or `columns`"),
        ("</puzzle>", "<puzzle></puzzle>", "more than one puzzle"),
        ("</puzzleset>", "<puzzleset", "a tag is not closed"),
        ("</puzzleset>", "", "`<puzzleset>` is not closed"),
        ("2</count>", "2", "`</line>` does not close the tag before it"),
        ("<line><count>2</count></line>", "<count>2</count>", "stands in no line"),
    ] {
        let fault = import(&WEBPBN.replacen(old, new, 1)).unwrap_err();
        assert!(fault.message.contains(message), "{new}: {}", fault.message);
    }
}
