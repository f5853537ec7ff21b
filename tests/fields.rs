//! Fields of puzzles: what a board editor of any model knows and does. Every board of the catalogue is read entry by
//! entry, and written anew.

use rebus::{Judgement, Puzzle, catalogue, with_item};
use std::collections::BTreeMap;

/// All boards of the catalogue.
fn boards() -> Vec<(&'static str, &'static str, &'static str)> {
    let mut boards = Vec::new();
    for model in catalogue() {
        boards.extend(model.boards.iter().map(|(board, text)| (model.name, *board, *text)));
    }
    assert!(boards.len() > 70, "{}", boards.len());
    boards
}

fn loaded(model: &str, data: &str) -> Puzzle {
    let puzzle = Puzzle::builder(model).data("data", data).load();
    puzzle.unwrap_or_else(|error| panic!("{model}: {error}\n{data}"))
}

fn entered(puzzle: &Puzzle, data: &str, changes: &[(&str, usize, &str)]) -> String {
    let items = puzzle.enter(changes).unwrap_or_else(|error| panic!("{changes:?}: {error}"));
    items.iter().fold(data.to_owned(), |data, (name, value)| with_item(&data, name, value))
}

/// What is read entry by entry is written, and read again the same.
#[test]
fn every_board_is_written_anew() {
    let mut arrays = 0;
    for (model, board, data) in boards() {
        let puzzle = loaded(model, data);
        let fields = puzzle.fields().unwrap_or_else(|error| panic!("{board}: {error}"));
        let mut anew = data.to_owned();
        for field in fields.parameters.iter().filter(|field| field.array) {
            assert!(!field.missing, "{board}: {}", field.name);
            let all: Vec<(&str, usize, &str)> = field
                .entries
                .iter()
                .enumerate()
                .map(|(at, entry)| (&*field.name, at, &*entry.text))
                .collect();
            anew = entered(&puzzle, &anew, &all);
            arrays += 1;
        }
        let again = loaded(model, &anew).fields().unwrap_or_else(|error| panic!("{board}: {error}\n{anew}"));
        assert_eq!(fields.parameters, again.parameters, "{board}\n{anew}");
    }
    assert!(arrays > 70, "{arrays}");
}

/// Each entry that can be chosen can be entered, wherever it stands.
#[test]
fn what_is_offered_is_accepted() {
    let mut tried = 0;
    for (model, board, data) in boards() {
        let puzzle = loaded(model, data);
        let fields = puzzle.fields().expect("read above");
        for field in &fields.parameters {
            let at = field.entries.len() / 2;
            let Some(entry) = field.entries.get(at).filter(|_| field.array) else { continue };
            for choice in &field.choices[entry.choices] {
                let items = puzzle.enter(&[(&field.name, at, choice)]);
                let items = items.unwrap_or_else(|error| panic!("{board}, {}: {error}", entry.name));
                let anew = with_item(data, &items[0].0, &items[0].1);
                let again = Puzzle::builder(model).data("data", &anew).load().expect("it loads");
                let again = again.fields().expect("it has fields");
                let again =
                    again.parameters.iter().find(|other| other.name == field.name).expect("as before");
                assert_eq!(again.entries[at].text, *choice, "{board}, {}", entry.name);
                tried += 1;
            }
        }
    }
    assert!(tried > 500, "{tried}");
}

/// Clues of boards have places on them: all that a person would point at.
#[test]
fn entries_are_found_on_the_board() {
    let mut without: BTreeMap<&str, Vec<String>> = BTreeMap::new();
    for (model, _, data) in boards() {
        let fields = loaded(model, data).fields().expect("read above");
        for field in fields.parameters.iter().filter(|field| field.array && !field.entries.is_empty()) {
            if field.entries.iter().any(|entry| entry.place.is_none()) {
                let names = without.entry(model).or_default();
                if !names.contains(&field.name) {
                    names.push(field.name.clone());
                }
            }
        }
    }
    // what is given for pieces, edges of other nets or groups has none
    let known = ["galaxies", "killer-sudoku", "map-colouring"];
    assert!(without.keys().all(|model| known.contains(model)), "{without:#?}");
}

/// Places of each kind: cells, corners, edges, beside the board.
#[test]
fn places_of_each_kind() {
    let place = |model: &str, board: &str, entry: &str| {
        let puzzle = Puzzle::builder(model).data_file(board).load().expect("a board");
        let fields = puzzle.fields().expect("fields");
        let all = fields.parameters.iter().chain(&fields.variables).flat_map(|field| &field.entries);
        all.into_iter().find(|known| known.name == entry).unwrap_or_else(|| panic!("{entry}")).place
    };
    assert_eq!(place("sudoku", "sudoku-1", "clue[2, 3]"), Some((0, (4, 6))));
    assert_eq!(place("sudoku", "sudoku-1", "x[9, 1]"), Some((0, (18, 2))));
    // a point at the corner of four cells
    assert_eq!(place("gokigen", "gokigen-1", "clue[1, 1]"), Some((0, (1, 1))));
    // above a column, left of a row
    assert_eq!(place("nonogram", "nonogram-2", "across[2]"), Some((0, (4, 0))));
    assert_eq!(place("nonogram", "nonogram-2", "down[2]"), Some((0, (0, 4))));
    // an edge round cells: above the first cell
    assert_eq!(place("slitherlink", "slitherlink-1", "line[(1, 1), (1, 2)]"), Some((0, (1, 2))));
    // an edge from cell to cell
    assert_eq!(place("masyu", "masyu-1", "line[(1, 1), (1, 2)]"), Some((0, (2, 3))));
}

/// An attempt is drawn and judged; a solution's positions are an answer.
#[test]
fn attempts() {
    let puzzle = Puzzle::builder("sudoku").data_file("sudoku-1").load().expect("a board");
    let solution = puzzle.solve().expect("in time").expect("there is one");
    let mut positions: Vec<Option<u32>> = solution.positions().iter().copied().map(Some).collect();
    assert!(matches!(puzzle.judge(&positions), Ok(Judgement::Correct(None))));
    assert_eq!(puzzle.attempt(&positions).expect("drawn").areas, solution.picture().areas);
    let last = positions.pop().expect("81 of them");
    let Ok(Judgement::Incomplete(names)) = puzzle.judge(&positions) else { panic!("one is open") };
    assert_eq!(names, ["x[9, 9]"]);
    positions.push(last.map(|last| (last + 1) % 9));
    let Ok(Judgement::Broken(reasons)) = puzzle.judge(&positions) else { panic!("two are equal") };
    assert!(reasons.iter().all(|reason| reason.entries.contains(&"x[9, 9]".to_owned())), "{reasons:?}");
    // positions that do not exist are open, further ones are nobody's
    assert!(matches!(puzzle.judge(&[Some(99); 100]), Ok(Judgement::Incomplete(_))));
}

/// Sizes change the arrays over them, and keep what still fits.
#[test]
fn sizes() {
    let model = "param n = 2\nparam clue[n, n] : (1..n)?\nvar x[n, n] : 1..n\nshow x\n";
    let puzzle = |data: &str| Puzzle::from_text(model).data("data", data).load().expect("it loads");
    let data = "clue = \"\"\"\n1 2\n. 1\n\"\"\"\n";
    let larger = entered(&puzzle(data), data, &[("n", 0, "3")]);
    assert_eq!(larger, "clue = \"\"\"\n1 2 .\n. 1 .\n. . .\n\"\"\"\nn = 3\n");
    let smaller = entered(&puzzle(&larger), &larger, &[("n", 0, "1")]);
    assert_eq!(smaller, "clue = \"\"\"\n1\n\"\"\"\nn = 1\n");
    // a board from nothing: sizes that only the data tell
    let model =
        "param h, w\nparam room[h, w] : word\nparam n[h] : int?\nvar x[h, w] : bool\nshow framed(x, room)\n";
    let puzzle = Puzzle::from_text(model).incomplete().load().expect("it loads without data");
    assert!(puzzle.fields().expect("some").parameters.iter().all(|field| field.missing));
    let data = entered(&puzzle, "", &[("h", 0, "2"), ("w", 0, "3")]);
    let fields =
        Puzzle::from_text(model).data("data", &data).load().expect("it loads").fields().expect("whole");
    assert_eq!(fields.parameters[2].grid, Some((2, 3)), "{data}");
}

/// Values of every kind, with texts that pictures cannot hold.
#[test]
fn kinds_of_values() {
    let model = "enum Sea { water \"~\", ship }\nparam a[2, 2] : text\nparam b[2] : list\nparam c[2, 1] : (10..30)?\n\
                 param d[\"x\", \"y\"] : Sea?\nparam e[2, 2] : [\"a b\", \"c\"]\nparam f[1..1] : bool\n\
                 param k[2, 2] : [(1, 2), \"c\"]?\nparam m[2, 2, 2] : (0..9)?\nvar v : bool\nshow v\n"
        .replace("d[\"x\", \"y\"]", "d[[\"x\", \"y\"]]");
    let puzzle = Puzzle::from_text(&model).incomplete().load().expect("it loads");
    let changes = [
        ("a", 0, "#"),
        ("a", 3, " "),
        ("b", 1, "3 1"),
        ("c", 0, "12"),
        ("d", 1, "~"),
        ("e", 1, "c"),
        ("f", 0, "#"),
        ("k", 0, "c"),
        ("k", 3, "(1, 2)"),
        ("m", 7, "5"),
    ];
    let data = entered(&puzzle, "", &changes);
    let fields = Puzzle::from_text(&model).data("data", &data).load().expect("it loads").fields();
    let fields = fields.unwrap_or_else(|error| panic!("{error}\n{data}")).parameters;
    for (name, at, text) in changes {
        let field = fields.iter().find(|field| field.name == name).expect("as declared");
        assert!(!field.missing, "{name}\n{data}");
        let shown = if (name, at) == ("b", 1) { "[3, 1]" } else { text };
        assert_eq!(field.entries[at].text, shown, "{name}\n{data}");
    }
}

/// What may not be entered is a fault, not another board.
#[test]
fn wrong_entries() {
    let puzzle = Puzzle::load("row", &[("clue", ".3.1")]).expect("it loads");
    let code = |changes: &[(&str, usize, &str)]| {
        puzzle.enter(changes).err().map(|error| error.faults()[0].code).unwrap_or_default()
    };
    assert_eq!(code(&[("clue", 0, "9")]), "outside-domain");
    assert_eq!(code(&[("clue", 9, "1")]), "index-out-of-range");
    assert_eq!(code(&[("club", 0, "1")]), "unknown-parameter");
    assert_eq!(code(&[("clue", 0, "(")]), "syntax");
    assert_eq!(code(&[("clue", 0, "\u{0}\u{202e}")]), "syntax");
}
