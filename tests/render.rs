//! Drawings built by hand must look as the pictures in `tests/render/`.

use rebus::render::{Data, Drawing, Entry, Key, Note, Status, Style};
use rebus::render::{Marks, marked};
use rebus::render::{csv_header, csv_row, solution_line, status_line, text};
use std::fs;
use std::path::Path;

const ASCII: Style = Style { ascii: true };
const FINE: Style = Style { ascii: false };

fn entry(text: &str) -> Entry {
    Entry { text: text.to_owned(), number: text.parse::<i64>().is_ok() }
}

fn grid<'a>(rows: impl IntoIterator<Item = Vec<&'a str>>) -> Drawing {
    let rows = (1..).zip(rows);
    Drawing::Grid(
        rows.flat_map(|(r, row)| (1..).zip(row).map(move |(c, text)| ((r, c), entry(text)))).collect(),
    )
}

/// A grid of entries split at blanks, lines and box lines left out.
fn words(picture: &str) -> Drawing {
    let lines = picture.lines().filter(|line| !line.starts_with("--"));
    grid(lines.map(|line| line.split_whitespace().filter(|word| *word != "|").collect()))
}

/// A grid of one-character entries.
fn letters(picture: &str) -> Drawing {
    grid(picture.lines().map(|line| line.split("").filter(|text| !text.is_empty()).collect()))
}

fn boxed(inner: Drawing, height: i64, width: i64) -> Drawing {
    Drawing::Boxed { inner: Box::new(inner), height, width }
}

fn framed(inner: Drawing, regions: &str) -> Drawing {
    let rows = (1..).zip(regions.split_whitespace());
    let cells =
        rows.flat_map(|(r, line)| (1..).zip(line.chars()).map(move |(c, name)| ((r, c), name as u32)));
    Drawing::Framed {
        inner: Box::new(inner),
        regions: cells.filter(|(_, id)| *id != '.' as u32).collect(),
        walls: Vec::new(),
    }
}

fn looped(inner: Drawing, edges: Vec<(Key, Key, Option<bool>)>) -> Drawing {
    Drawing::Looped { inner: Box::new(inner), edges }
}

/// The entries of a framed picture: every second character of every second line.
fn framed_entries(picture: &str) -> Drawing {
    let lines = picture.lines().skip(1).step_by(2);
    let cells = |line: &str| line.chars().skip(1).step_by(2).map(String::from).collect::<Vec<_>>();
    let rows: Vec<Vec<String>> = lines.map(cells).collect();
    grid(rows.iter().map(|row| row.iter().map(String::as_str).collect()))
}

/// The edges of `line` in a solution as JSON.
fn edges(json: &str) -> Vec<(Key, Key, Option<bool>)> {
    let json: serde_json::Value = serde_json::from_str(json).unwrap();
    let edge = |(key, drawn): (&String, &serde_json::Value)| {
        let numbers: Vec<i64> =
            key.split(|c: char| !c.is_ascii_digit()).filter_map(|number| number.parse().ok()).collect();
        ((numbers[0], numbers[1]), (numbers[2], numbers[3]), drawn.as_bool())
    };
    json["values"]["line"].as_object().unwrap().iter().map(edge).collect()
}

macro_rules! picture {
    ($name:literal) => {
        include_str!(concat!("render/", $name, ".solution"))
    };
}

macro_rules! line {
    ($name:literal) => {
        edges(include_str!(concat!("render/", $name, ".json")))
    };
}

#[track_caller]
fn same(drawing: &Drawing, style: Style, expected: &str) {
    let drawn = text(drawing, style);
    assert!(drawn == expected, "drawn:\n{drawn}\nexpected:\n{expected}");
}

#[track_caller]
fn same_in_both(drawing: &Drawing, expected: &str) {
    same(drawing, ASCII, expected);
    same(drawing, FINE, expected);
}

#[test]
fn entries_without_numbers_stand_side_by_side() {
    for picture in
        [picture!("nonogram-duck"), picture!("battleship-1"), picture!("kakurasu-1"), picture!("pipes-1")]
    {
        same_in_both(&letters(picture), picture);
    }
}

#[test]
fn numbers_and_words_are_aligned() {
    let pictures = [
        picture!("hidato-1"),
        picture!("minesweeper-1"),
        picture!("cave-1"),
        picture!("choco-banana-1"),
        picture!("tapa-1"),
        picture!("magnets-1"),
    ];
    for picture in pictures {
        same_in_both(&words(picture), picture);
    }
    let (answer, houses) = picture!("einstein").split_once('\n').unwrap();
    same_in_both(&words(houses), houses);
    same_in_both(&Drawing::Text(answer.to_owned()), &format!("{answer}\n"));
}

#[test]
fn a_list_is_a_row() {
    let row = |text: &str| Drawing::Row(text.split_whitespace().map(entry).collect());
    same_in_both(&row(picture!("langford")), picture!("langford"));
    same_in_both(&row("# . # #"), "#.##\n");
    same_in_both(&row("1 10 3"), " 1 10  3\n");
    same_in_both(&row("· 2 · 1"), "· 2 · 1\n");
    same_in_both(&boxed(row("# . # #"), 1, 2), "#.|##\n");
}

#[test]
fn boxes() {
    same_in_both(&boxed(words(picture!("sudoku-1")), 3, 3), picture!("sudoku-1"));
    same_in_both(&boxed(words(picture!("sudoku-variants-1")), 2, 2), picture!("sudoku-variants-1"));
    same_in_both(&boxed(words(picture!("knightdoku-1")), 3, 3), picture!("knightdoku-1"));
    same_in_both(&boxed(letters("#..#\n.##.\n####"), 2, 3), "#..|#\n.##|.\n---+-\n###|#\n");
    same_in_both(&boxed(letters("#."), 0, -1), "#.\n");
}

#[test]
fn places_that_are_no_key_are_empty() {
    let sparse = Drawing::Grid(vec![((0, 1), entry("3")), ((1, 0), entry("2")), ((1, 1), entry("#"))]);
    same_in_both(&sparse, "  3\n2 #\n");
    let far = Drawing::Grid(vec![((1, i64::MIN), entry("3")), ((i64::MAX, 2), entry("2"))]);
    same_in_both(&far, "(1, -9223372036854775808) = 3\n(9223372036854775807, 2) = 2\n");
    same_in_both(&Drawing::Grid(Vec::new()), "");
    same_in_both(&framed(Drawing::Grid(Vec::new()), ""), "");
}

#[test]
fn keys_that_are_no_cells_are_a_table() {
    let table = Drawing::Table(vec![("brit".into(), entry("3")), ("dane".into(), entry("\x1b[2J"))]);
    same_in_both(&table, "brit = 3\ndane = ␛[2J\n");
}

#[test]
fn frames_in_plain_characters() {
    let heyawake = "aabbcc ddbbee fffgee fffghh iijjkk iijjkk";
    let starbattle = "AAABBB ABBBCC ADDEEC FFDDEC FEEEEC FCCCCC";
    let jigsaw = "aabbbbbcc aaddddbcc aaeeedbbc aaedddbcc aeedfggcc eehhffggg ehhffiggi hhfffiggi hhhfiiiii";
    for (picture, regions) in [
        (picture!("heyawake-1"), heyawake),
        (picture!("starbattle-1"), starbattle),
        (picture!("jigsaw-sudoku-1"), jigsaw),
    ] {
        same(&framed(framed_entries(picture), regions), ASCII, picture);
    }
}

const CAGES: &str =
    "abbcdeefg ahhcdiffg jkkliimno jpqllrmno spqttruuv swxyyzABv CwxDDzABE CFGHHIIJE FFGKKKJJJ";

#[test]
fn frames_over_boxes() {
    let picture = picture!("killer-sudoku-1");
    let drawing = framed(boxed(framed_entries(picture), 3, 3), CAGES);
    same(&drawing, ASCII, picture);
    let other_way_round = boxed(framed(framed_entries(picture), CAGES), 3, 3);
    same(&other_way_round, ASCII, picture);
    assert_eq!(text(&drawing, FINE), text(&other_way_round, FINE));
}

#[test]
fn loops_in_plain_characters() {
    same(&looped(words(SLITHERLINK), line!("slitherlink-1")), ASCII, picture!("slitherlink-1"));
    same(&looped(words(MASYU), line!("masyu-1")), ASCII, picture!("masyu-1"));
    let clues = words(". . . . .\n. . . . .\n# . # <2 .\n. . . . .\n. . . # ^0");
    same(&looped(clues, line!("yajilin-1")), ASCII, picture!("yajilin-1"));
    let clues = words(". . . . .\nx4 . . o4 .\n. o2 . . .\n. . . . .\n. . . . .");
    same(&looped(clues, line!("shingoki-1")), ASCII, picture!("shingoki-1"));
    let cells: Vec<String> = picture!("simpleloop-1")
        .lines()
        .step_by(2)
        .map(|line| line.chars().step_by(2).map(|c| if c == '#' { '#' } else { '.' }).collect())
        .collect();
    same(&looped(letters(&cells.join("\n")), line!("simpleloop-1")), ASCII, picture!("simpleloop-1"));
}

const SLITHERLINK: &str = "3 . . . .\n. . . . 3\n. . 2 . .\n3 1 0 0 3\n. . . . .";
const MASYU: &str = ". . o . x\n. . . . .\no . . . .\n. . x . .\n. . o o .";

/// Every third edge is not determined.
fn partly(mut edges: Vec<(Key, Key, Option<bool>)>) -> Vec<(Key, Key, Option<bool>)> {
    edges.iter_mut().step_by(3).for_each(|edge| edge.2 = None);
    edges
}

#[test]
fn fine_lines() {
    let rooms = "aabbc aabbc ddddc eeddc eeeee";
    let slitherlink = looped(words(SLITHERLINK), line!("slitherlink-1"));
    let open = looped(words(SLITHERLINK), partly(line!("slitherlink-1")));
    let masyu = looped(words(MASYU), line!("masyu-1"));
    let open_masyu = looped(words(MASYU), partly(line!("masyu-1")));
    let shingoki = words(". . . . .\nx4 . . o4 .\n. o2 . . .\n. . . . .\n. . . . .");
    let corner =
        vec![((1, 1), (1, 2), Some(true)), ((1, 2), (2, 2), Some(true)), ((2, 2), (3, 2), Some(false))];
    let cases = [
        ("frame over boxes", framed(boxed(framed_entries(picture!("killer-sudoku-1")), 3, 3), CAGES)),
        (
            "frame",
            framed(framed_entries(picture!("heyawake-1")), "aabbcc ddbbee fffgee fffghh iijjkk iijjkk"),
        ),
        ("cells without a region", framed(words("1 2 3\n4 5 6\n7 8 9"), "aa. abb a..")),
        ("wide entries", framed(words(picture!("tapa-1")), rooms)),
        ("loop round cells", slitherlink),
        ("loop round cells, in part", open),
        ("loop through cells", masyu.clone()),
        ("loop through cells, in part", open_masyu),
        ("loop through wide cells", looped(shingoki, line!("shingoki-1"))),
        ("loop through frame", framed(masyu, rooms)),
        ("loop over boxes", looped(boxed(words("1 2 3\n4 5 6\n7 8 9"), 2, 2), corner)),
    ];
    let drawn: String = cases
        .iter()
        .map(|(name, drawing)| format!("{name}\n{}plain\n{}\n", text(drawing, FINE), text(drawing, ASCII)))
        .collect();
    let expected = include_str!("render/fine.txt");
    assert!(drawn == expected, "drawn:\n{drawn}");
}

/// Drawings that no model makes are still drawn somehow.
#[test]
fn wide_boards_fit_a_terminal() {
    let row = |width: usize| framed(letters(&"a".repeat(width)), &"b".repeat(width));
    let widest =
        |width: usize| text(&row(width), FINE).lines().map(|line| line.chars().count()).max().unwrap();
    assert_eq!((widest(19), widest(20)), (77, 41));
}

#[test]
fn notes_are_not_in_text() {
    let note = |inner: Drawing| Drawing::Noted {
        inner: Box::new(inner),
        notes: vec![((1, 1), (1, 2), Note::Text("|".into()))],
    };
    for style in [ASCII, FINE] {
        let grid = || words("1 2\n3 4");
        let layers: [fn(Drawing) -> Drawing; 3] =
            [|inner| inner, |inner| boxed(inner, 1, 1), |inner| framed(inner, "ab\ncc")];
        for layer in layers {
            let without = text(&layer(grid()), style);
            assert_eq!(text(&note(layer(grid())), style), without);
            assert_eq!(text(&layer(note(grid())), style), without);
        }
    }
}

#[test]
fn what_the_models_draw_has_a_likeness_in_ascii() {
    let mut seen = 0;
    for folder in fs::read_dir(Path::new(env!("CARGO_MANIFEST_DIR")).join("examples")).unwrap() {
        for file in fs::read_dir(folder.unwrap().path()).unwrap() {
            let path = file.unwrap().path();
            if path.extension().is_some_and(|suffix| suffix == "solution") {
                let drawn = fs::read_to_string(&path).unwrap();
                let plain = rebus::render::plain(&drawn);
                assert!(plain.is_ascii(), "{}:\n{plain}", path.display());
                assert_eq!(plain.len(), drawn.chars().count());
                seen += usize::from(!drawn.is_ascii());
            }
        }
    }
    assert!(seen > 4, "{seen} have other characters");
    assert_eq!(rebus::render::plain("♞² ┗━ größe"), "N2 L- größe");
}

#[test]
fn marked_entries_stand_in_brackets() {
    let marks = |cells: &[Key]| Marks { cells: cells.iter().copied().collect(), ..Marks::default() };
    let shown = |drawing: &Drawing, marks: &Marks| text(&marked(drawing, marks).expect("a mark"), ASCII);
    let board = boxed(words("1 2 | 3 4"), 2, 2);
    assert_eq!(shown(&board, &marks(&[(1, 2), (1, 3), (7, 7)])), " 1  [2] | [3]  4\n");
    assert_eq!(marked(&board, &marks(&[(7, 7)])), None);
    let row = Drawing::Row(vec![entry("a"), entry("b")]);
    assert_eq!(shown(&row, &Marks { places: [1].into_iter().collect(), ..Marks::default() }), " a  [b]\n");
    let table = Drawing::Table(vec![("x".into(), entry("5")), ("y".into(), entry("6"))]);
    assert_eq!(
        shown(&table, &Marks { keys: ["y".to_owned()].into_iter().collect(), ..Marks::default() }),
        "x =  5\ny = [6]\n"
    );
    assert_eq!(marked(&Drawing::Text("x".into()), &marks(&[(1, 1)])), None);
    // of a loop the marked edges are drawn, as far as they are not known to be absent
    let edges = vec![((1, 1), (1, 2), None), ((1, 2), (1, 3), None), ((2, 1), (2, 2), Some(true))];
    let drawing = looped(words("1 2"), edges.clone());
    let some = Marks { edges: [((1, 2), (1, 3))].into_iter().collect(), ..Marks::default() };
    let Some(Drawing::Looped { edges: drawn, .. }) = marked(&drawing, &some) else { panic!("no loop") };
    let drawn: Vec<Option<bool>> = drawn.into_iter().map(|(_, _, drawn)| drawn).collect();
    assert_eq!(drawn, [Some(false), None, Some(true)]);
    assert_eq!(marked(&drawing, &Marks::default()), None);
}

#[test]
fn odd_drawings() {
    let mut state = 1u64;
    let mut below = |n: u64| {
        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (state >> 33) % n
    };
    let places = [i64::MIN, -1, 0, 1, 2, 3, 4, 1000, i64::MAX];
    for round in 0..3000 {
        let near = if round % 50 == 0 { 9 } else { 5 };
        let mut key =
            || (places[(2 + below(near - 2)) as usize % 9], places[(2 + below(near - 2)) as usize % 9]);
        let texts = ["", " ", ".", "10", "ab", "界", "\u{3000}x", "\u{a0}", "\n", "a\u{301}"];
        let cells = (0..6).map(|i| (key(), entry(texts[(round + i) % texts.len()]))).collect();
        let mut edges = Vec::new();
        let mut regions = Vec::new();
        for i in 0..6 {
            edges.push((key(), key(), [Some(true), Some(false), None][i % 3]));
            regions.push((key(), i as u32 / 2));
        }
        let mut drawing =
            if round % 7 == 0 { Drawing::Row(vec![entry("1"); 4]) } else { Drawing::Grid(cells) };
        for layer in 0..3 {
            drawing = match (round / 7 + layer) % 4 {
                0 => boxed(drawing, round as i64 % 3, 2),
                1 => {
                    Drawing::Framed { inner: Box::new(drawing), regions: regions.clone(), walls: Vec::new() }
                }
                2 => looped(drawing, edges.clone()),
                _ => drawing,
            };
        }
        for style in [ASCII, FINE] {
            assert!(!text(&drawing, style).contains(" \n"), "{drawing:?}");
        }
    }
    let straight = looped(words("1 2 3"), vec![((2, 1), (2, 4), Some(true))]);
    same(&straight, ASCII, " 1 2 3\n+-+-+-+\n");
}

/// A value of a solution line, read by another JSON reader.
fn data(value: &serde_json::Value) -> Data {
    use serde_json::Value;
    match value {
        Value::Null => Data::None,
        Value::Bool(value) => Data::Bool(*value),
        Value::Number(number) => Data::Int(number.as_i64().unwrap()),
        Value::String(text) => Data::Text(text.clone()),
        Value::Array(values) => Data::List(values.iter().map(data).collect()),
        Value::Object(entries) => {
            Data::Object(entries.iter().map(|(key, value)| (key.clone(), data(value))).collect())
        }
    }
}

fn values(line: &str) -> Vec<(String, Data)> {
    let line: serde_json::Value = serde_json::from_str(line).unwrap();
    let Data::Object(values) = data(&line["values"]) else { panic!("no object") };
    values
}

#[test]
fn solutions_as_json() {
    let lines = [
        include_str!("render/einstein.json"),
        include_str!("render/undead-1.json"),
        include_str!("render/nonogram-duck.json"),
        include_str!("render/langford.json"),
        include_str!("render/formula.json"),
        include_str!("render/slitherlink-1.json"),
    ];
    for line in lines {
        assert_eq!(solution_line(1, &values(line), None) + "\n", line);
    }
    let values = [("a b".to_owned(), Data::None), ("é\"\\".to_owned(), Data::Text("\n\u{1b}\u{9b}♞".into()))];
    let line = solution_line(7, &values, Some(-3));
    assert_eq!(
        line,
        r#"{"solution": 7, "values": {"a b": null, "é\"\\": "\n\u001b\u009b♞"}, "objective": -3}"#
    );
    let read: serde_json::Value = serde_json::from_str(&line).unwrap();
    assert_eq!(read["values"]["é\"\\"], "\n\u{1b}\u{9b}♞");
}

#[test]
fn the_end_of_a_run_as_json() {
    let line = status_line(Status::Unsatisfiable, 0, true, None, &[]);
    assert_eq!(line, r#"{"status": "unsatisfiable", "solutions": 0, "complete": true}"#);
    let line = status_line(Status::Optimal, 2, false, Some(4), &[]);
    assert_eq!(line, r#"{"status": "optimal", "solutions": 2, "complete": false, "objective": 4}"#);
}

#[test]
fn solutions_as_csv() {
    let texts = |texts: &[&str]| Data::List(texts.iter().map(|text| Data::Text((*text).into())).collect());
    let values = [
        ("n".to_owned(), Data::Int(3)),
        ("x".to_owned(), Data::List(vec![texts(&["a", "b,c"]), texts(&["say \"x\"", " "])])),
        (
            "line".to_owned(),
            Data::Object(vec![("((1, 1), (1, 2))".into(), Data::Bool(true)), ("red".into(), Data::None)]),
        ),
    ];
    let header = "n,\"x[1, 1]\",\"x[1, 2]\",\"x[2, 1]\",\"x[2, 2]\",\"line[(1, 1), (1, 2)]\",line[red]\r\n";
    assert_eq!(csv_header(&values), header);
    assert_eq!(csv_row(&values), "3,a,\"b,c\",\"say \"\"x\"\"\",\" \",true,\r\n");
}
