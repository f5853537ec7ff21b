//! Sudokus of f-puzzles and SudokuPad: their JSON, or a link that contains it compressed (`?load=…`, `fpuz…`,
//! `scl…`).
//!
//! The constraints of f-puzzles become parameters of `sudoku-constraints`. An unsupported constraint is a
//! fault, because the puzzle would be a different one without it. SudokuPad's own form draws lines and
//! symbols without their meaning: only digits, regions and cages are read from it.

mod constraints;

use super::board::{Board, Grid, Item};
use super::lz::decompress;
use super::puzzlink_own::box_shape;
use super::{Fault, Imported, Importer, comment, fault};
use serde_json::{Map, Value};

pub(super) const IMPORTER: Importer =
    Importer { name: "f-puzzles", about: "a sudoku of f-puzzles or SudokuPad", recognise, convert };

/// Only the links: an argument is never JSON.
pub(super) const LINK: Importer = Importer { recognise: |text, _| packed(text).is_some(), ..IMPORTER };

type Object = Map<String, Value>;
type Cell = (usize, usize);

/// The compressed part of a link.
fn packed(text: &str) -> Option<&str> {
    let text = text.trim();
    if text.is_empty() || text.contains(char::is_whitespace) {
        return None;
    }
    if let Some((site, load)) = text.split_once("?load=") {
        return site.contains("f-puzzles").then_some(load);
    }
    for mark in ["fpuz", "scl"] {
        let starts = |at: &usize| text[..*at].ends_with(['/', '=']);
        if text.contains("://")
            && let Some(at) = text.match_indices(mark).map(|(at, _)| at).find(starts)
        {
            // base64 has slashes too, but neither `?` nor `&`
            return text[at + mark.len()..].split(['?', '&']).next();
        }
        if let Some(rest) = text.strip_prefix(mark).filter(|rest| rest.len() > 20) {
            return Some(rest);
        }
    }
    None
}

fn recognise(text: &str, _file_name: &str) -> bool {
    let start: String =
        text.trim_start_matches('\u{feff}').chars().filter(|c| !c.is_whitespace()).take(1 << 12).collect();
    let json = start.starts_with('{') && (start.contains("\"grid\":[[{") || start.contains("\"cells\":[[{"));
    json || packed(text).is_some()
}

/// The converted parts of the foreign sudoku.
struct Reader {
    n: usize,
    /// The parts of each list parameter of the model, in the model's order.
    lists: Vec<(&'static str, Vec<Item>)>,
}

/// A fault without a place: JSON is parsed as a whole.
fn wrong(message: impl Into<String>) -> Fault {
    fault(message, 0..0, "")
}

fn convert(text: &str) -> Result<Imported, Fault> {
    let trimmed = text.trim_start_matches('\u{feff}').trim();
    let unpacked;
    let (json, place) = if trimmed.starts_with('{') {
        (trimmed, trimmed.as_ptr() as usize - text.as_ptr() as usize)
    } else {
        unpacked = unpack(text, packed(trimmed).unwrap_or(""))?;
        (unpacked.as_str(), text.len())
    };
    let value: Value = serde_json::from_str(json).map_err(|error| {
        let line =
            json.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum::<usize>();
        let at = (place + line + error.column().saturating_sub(1)).min(text.len());
        fault(format!("this is no JSON: {error}"), at..at, if place < text.len() { "here" } else { "" })
    })?;
    let puzzle = value.as_object().ok_or_else(|| wrong("a puzzle is a JSON object"))?;
    if puzzle.contains_key("grid") { f_puzzle(puzzle) } else { sudokupad(puzzle) }
}

/// The JSON in a part of the text.
fn unpack(text: &str, part: &str) -> Result<String, Fault> {
    let start = part.as_ptr() as usize - text.as_ptr() as usize;
    let body = part.replace("%2B", "+").replace("%2F", "/").replace("%3D", "=").replace(' ', "+");
    decompress(&body).ok_or_else(|| {
        let message = "the link cannot be unpacked: LZ-string's base64 was expected, all of it";
        fault(message, start..start + part.len(), "the packed puzzle")
    })
}

fn comments(puzzle: &Object) -> String {
    let texts = ["title", "author"].iter().filter_map(|key| puzzle.get(*key)?.as_str());
    texts.filter(|text| !text.trim().is_empty()).map(comment).collect()
}

/// A number, which may be given as text.
fn number(value: Option<&Value>) -> Option<usize> {
    match value? {
        Value::Number(number) => number.as_u64()?.try_into().ok(),
        Value::String(text) => text.trim().parse().ok(),
        _ => None,
    }
}

fn list(value: Option<&Value>) -> &[Value] {
    value.and_then(Value::as_array).map_or(&[], Vec::as_slice)
}

fn cell_item((row, column): Cell) -> Item {
    Item::Value(format!("({row}, {column})"))
}

fn cells_item(cells: &[Cell]) -> Item {
    Item::List(cells.iter().map(|cell| cell_item(*cell)).collect())
}

fn tuple(parts: &[Item]) -> Item {
    let text: Vec<String> = parts.iter().map(Item::print).collect();
    Item::Value(format!("({})", text.join(", ")))
}

impl Reader {
    fn new(n: usize) -> Result<Reader, Fault> {
        if (1..=16).contains(&n) {
            Ok(Reader { n, lists: Vec::new() })
        } else {
            Err(wrong("a sudoku has 1 to 16 rows"))
        }
    }

    fn add(&mut self, name: &'static str, item: Item) {
        match self.lists.iter_mut().find(|(known, _)| *known == name) {
            Some((_, items)) => items.push(item),
            None => self.lists.push((name, vec![item])),
        }
    }

    /// `R1C9`; outside the board only if `outside`.
    fn cell(&self, value: &Value, outside: bool) -> Result<Cell, Fault> {
        let text = value.as_str().unwrap_or("");
        let parts = text.strip_prefix('R').and_then(|rest| rest.split_once('C'));
        let cell = parts.and_then(|(row, column)| Some((row.parse().ok()?, column.parse().ok()?)));
        let (low, high) = if outside { (0, self.n + 1) } else { (1, self.n) };
        let inside = |at: &usize| (low..=high).contains(at);
        let known = cell.filter(|(row, column)| inside(row) && inside(column));
        known.ok_or_else(|| wrong(format!("`{text}` is no cell of a sudoku of {} rows", self.n)))
    }

    fn cells(&self, value: Option<&Value>) -> Result<Vec<Cell>, Fault> {
        let cells: Vec<Cell> =
            list(value).iter().map(|cell| self.cell(cell, false)).collect::<Result<_, _>>()?;
        if cells.is_empty() { Err(wrong("a constraint has no cells")) } else { Ok(cells) }
    }

    fn pair(&self, value: Option<&Value>) -> Result<[Cell; 2], Fault> {
        self.cells(value)?.try_into().map_err(|_| wrong("a sign between cells has two of them"))
    }

    /// Adds cells with distinct digits; a sum of 0 is no sum.
    fn group(&mut self, cells: &[Cell], sum: Option<usize>) {
        let sum = sum.filter(|sum| *sum > 0).map_or(Item::Value("none".into()), Item::number);
        self.add("cage", tuple(&[cells_item(cells), sum]));
    }

    /// The board for the simplest model that supports all of it. `regions`: for each cell its region, if any;
    /// absent for the usual boxes.
    fn board(
        mut self,
        clue: Grid,
        regions: Option<Vec<Option<usize>>>,
        flags: &[&'static str],
    ) -> Result<Board, Fault> {
        let n = self.n;
        let plain = self.lists.is_empty() && flags.is_empty();
        let whole: Option<Vec<usize>> =
            regions.as_ref().and_then(|regions| regions.iter().copied().collect());
        let model = match (plain, &regions, &whole) {
            (true, None, _) => "sudoku",
            (true, Some(_), Some(_)) => "jigsaw-sudoku",
            _ => "sudoku-constraints",
        };
        let mut board = Board::new(model, (n, n));
        match (regions, whole) {
            (Some(_), Some(whole)) if plain => {
                board.set("room", Item::Letters(super::rooms::letters(&whole, n)));
            }
            (Some(regions), _) => {
                // boxes of one row add nothing to the rows
                board.set("box", Item::Value(format!("(1, {n})")));
                for region in 0..n {
                    let cells: Vec<Cell> = (0..n * n)
                        .filter(|at| regions[*at] == Some(region))
                        .map(|at| (at / n + 1, at % n + 1))
                        .collect();
                    if !cells.is_empty() {
                        self.group(&cells, None);
                    }
                }
            }
            (None, _) => {
                let shape = boxes(n);
                if shape != (3, 3) {
                    board.set("box", cell_item(shape));
                }
            }
        }
        board.set("clue", Item::Words(clue));
        flags.iter().for_each(|flag| board.set(flag, Item::Value("true".into())));
        for (name, items) in self.lists {
            board.set(name, Item::List(items));
        }
        Ok(board)
    }
}

/// The shape of the usual boxes; for a prime number of rows they are the rows.
fn boxes(n: usize) -> (usize, usize) {
    box_shape(n).unwrap_or((1, n))
}

/// Numbers the regions from 0 in order of occurrence; a cell without a name has none. Each region must have
/// `n` cells.
fn regions(names: &[Option<String>], n: usize) -> Result<Vec<Option<usize>>, Fault> {
    let mut known: Vec<(&String, usize)> = Vec::new();
    let mut numbers = Vec::new();
    for name in names {
        let Some(name) = name else {
            numbers.push(None);
            continue;
        };
        let at = known.iter().position(|(seen, _)| *seen == name).unwrap_or_else(|| {
            known.push((name, 0));
            known.len() - 1
        });
        known[at].1 += 1;
        numbers.push(Some(at));
    }
    match known.iter().find(|(_, count)| *count != n) {
        Some((name, count)) => Err(wrong(format!("the region `{name}` has {count} cells, not {n}"))),
        None => Ok(numbers),
    }
}

/// Keys without an effect on the rules.
const COSMETIC: &[&str] = &[
    "size",
    "title",
    "author",
    "ruleset",
    "grid",
    "solution",
    "text",
    "rectangle",
    "circle",
    "line",
    "cage",
    "highlightConflicts",
    "disabledlogic",
    "truecandidatesoptions",
    "metadata",
    "msgcorrect",
    "successMessage",
];

fn f_puzzle(puzzle: &Object) -> Result<Imported, Fault> {
    let rows = list(puzzle.get("grid"));
    let mut reader = Reader::new(number(puzzle.get("size")).unwrap_or(rows.len()))?;
    let n = reader.n;
    let mut clue = Grid::new(n, n);
    let mut names = vec![None; n * n];
    if rows.len() != n || rows.iter().any(|row| list(Some(row)).len() != n) {
        return Err(wrong(format!("`grid` has not {n} rows of {n} cells")));
    }
    let shape = boxes(n);
    let mut usual = true;
    for (at, cell) in rows.iter().flat_map(|row| list(Some(row))).enumerate() {
        let flag = |key: &str| cell.get(key).and_then(Value::as_bool).unwrap_or(false);
        if let Some(value) = number(cell.get("value")).filter(|_| flag("given")) {
            if !(1..=n).contains(&value) {
                return Err(wrong(format!("`{value}` is no digit of a sudoku of {n} rows")));
            }
            clue.entries[at] = value.to_string();
        }
        let own = (at / n / shape.0) * (n / shape.1) + at % n / shape.1;
        // a cell may belong to no region
        let region = cell.get("region").map_or(Some(own), |region| number(Some(region)));
        usual &= region == Some(own);
        names[at] = region.map(|region| region.to_string());
        let marks = list(cell.get("givenPencilMarks"));
        if !marks.is_empty() && clue.entries[at].is_empty() {
            let digits = marks.iter().map(|mark| number(Some(mark)).map(Item::number));
            let digits: Option<Vec<Item>> = digits.collect();
            let digits = digits.ok_or_else(|| wrong("given pencil marks are digits"))?;
            let place = cell_item((at / n + 1, at % n + 1));
            reader.add("candidates", tuple(&[place, Item::List(digits)]));
        }
    }
    let mut flags = Vec::new();
    for (key, value) in puzzle {
        let is_set = value.as_bool().unwrap_or(false);
        match key.as_str() {
            key if COSMETIC.contains(&key) => {}
            "antiknight" | "antiking" | "nonconsecutive" if is_set => {
                flags
                    .extend(["antiknight", "antiking", "nonconsecutive"].iter().filter(|flag| **flag == key));
            }
            "diagonal+" if is_set => reader.group(&(1..=n).map(|i| (n + 1 - i, i)).collect::<Vec<_>>(), None),
            "diagonal-" if is_set => reader.group(&(1..=n).map(|i| (i, i)).collect::<Vec<_>>(), None),
            "disjointgroups" if is_set && !usual => {
                return Err(wrong("disjoint groups of regions that are no boxes are not supported"));
            }
            "disjointgroups" if is_set => {
                for place in 0..n {
                    let first = (place / shape.1, place % shape.1);
                    let boxes = (0..n).map(|b| (b / (n / shape.1), b % (n / shape.1)));
                    let cells: Vec<Cell> =
                        boxes.map(|(r, c)| (r * shape.0 + first.0 + 1, c * shape.1 + first.1 + 1)).collect();
                    reader.group(&cells, None);
                }
            }
            _ if matches!(value, Value::Null | Value::Bool(false))
                || list(Some(value)).is_empty() && value.is_array() => {}
            name => {
                let ones = value.as_array().filter(|ones| ones.iter().all(Value::is_object));
                let ones = ones.ok_or_else(|| wrong(format!("`{name}` of f-puzzles is not supported")))?;
                if matches!(name, "minimum" | "maximum") {
                    reader.extremes(name, ones)?;
                    continue;
                }
                for one in ones.iter().filter_map(Value::as_object) {
                    reader.constraint(name, one)?;
                }
            }
        }
    }
    let regions = if usual { None } else { Some(regions(&names, n)?) };
    let board = reader.board(clue, regions, &flags)?;
    let imported = Imported::of(&board);
    Ok(Imported { clues: comments(puzzle) + &imported.clues, ..imported })
}

/// SudokuPad's form: cells are pairs of numbers from 0.
fn sudokupad(puzzle: &Object) -> Result<Imported, Fault> {
    let rows = list(puzzle.get("cells"));
    let mut reader = Reader::new(rows.len())?;
    let n = reader.n;
    for drawn in ["lines", "arrows", "overlays", "underlays"] {
        if !list(puzzle.get(drawn)).is_empty() {
            return Err(wrong(format!("`{drawn}` of SudokuPad are drawings that do not say what they mean")));
        }
    }
    let place = |value: &Value| -> Result<Cell, Fault> {
        let parts: Vec<usize> = list(Some(value)).iter().filter_map(|part| number(Some(part))).collect();
        match parts[..] {
            [row, column] if row < n && column < n => Ok((row + 1, column + 1)),
            _ => Err(wrong(format!("{value} is no cell of a sudoku of {n} rows"))),
        }
    };
    let mut clue = Grid::new(n, n);
    for (row, cells) in rows.iter().enumerate() {
        for (column, cell) in list(Some(cells)).iter().enumerate().take(n) {
            if let Some(value) = number(cell.get("value")).filter(|value| (1..=n).contains(value)) {
                clue.set(row, column, value.to_string());
            }
        }
    }
    let mut names = vec![None; n * n];
    for (region, cells) in list(puzzle.get("regions")).iter().enumerate() {
        for cell in list(Some(cells)) {
            let (row, column) = place(cell)?;
            names[(row - 1) * n + column - 1] = Some(region.to_string());
        }
    }
    for cage in list(puzzle.get("cages")) {
        // a cage without cells contains a title
        let cells: Vec<Cell> = list(cage.get("cells")).iter().map(place).collect::<Result<_, _>>()?;
        if !cells.is_empty() {
            reader.group(&cells, number(cage.get("value")));
        }
    }
    let shape = boxes(n);
    let own = |at: usize| ((at / n / shape.0) * (n / shape.1) + at % n / shape.1).to_string();
    let usual = names.iter().all(Option::is_none)
        || (0..n * n).all(|at| (0..at).all(|b| (names[at] == names[b]) == (own(at) == own(b))));
    let regions = if usual { None } else { Some(regions(&names, n)?) };
    let board = reader.board(clue, regions, &[])?;
    let metadata = puzzle.get("metadata").and_then(Value::as_object).unwrap_or(puzzle);
    let imported = Imported::of(&board);
    Ok(Imported { clues: comments(metadata) + &imported.clues, ..imported })
}
