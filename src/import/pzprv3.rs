//! Board files of puzz.link (pzprv3): the clues, and the player's answer.
//!
//! `pzprv3/TYPE/ROWS/COLUMNS`, then lines of entries, each followed by `/` or a line feed. [`ROWS`] describes
//! the lines of each genre. The answer becomes items for the model's variables, as far as it is drawn: a cell
//! that is neither shaded nor marked is unshaded; an absent number is missing. If a file ends before the
//! lines of a part, as for an untouched board, there are no clues, and that part of the answer is missing.

use super::board::{Board, Grid, Item};
use super::puzzlink;
use super::pzprv3_loops as loops;
use super::pzprv3_own as own;
use super::reader::{MOST_CELLS, Read};
use super::rooms::{self, Joined};
use super::{Fault, Imported, Importer, fault};
use Part::{Clue, Corners, Letters, Numbers, Own, Roomed, Rooms, Shade, Stars};
use std::ops::Range;

pub(super) const IMPORTER: Importer =
    Importer { name: "pzprv3", about: "a board file of puzz.link (pzprv3)", recognise, convert };

/// The content of some lines.
pub(super) enum Part {
    /// Clues of cells; (file, picture) for entries that differ.
    Clue(&'static [(&'static str, &'static str)]),
    /// Clues of the corners of cells.
    Corners,
    /// Borders between rooms.
    Rooms,
    /// The number of rooms, then the room number of each cell.
    Roomed,
    /// The number of stars.
    Stars,
    /// Cells of a boolean variable, true at `#`.
    Shade(&'static str),
    /// Values of a variable; a cell with a clue has the clue's value.
    Numbers(&'static str),
    /// The same with letters in a picture: (file, picture).
    Letters(&'static str, &'static [(&'static str, &'static str)]),
    /// Lines between cells: the variable, and the list of its keys.
    Lines(&'static str, &'static str),
    /// Anything else.
    Own(fn(&mut File<'_>) -> Read<()>),
}

struct Row {
    model: &'static str,
    parts: &'static [Part],
}

const fn row(model: &'static str, parts: &'static [Part]) -> Row {
    Row { model, parts }
}

/// The cells of a loop that passes no clue.
const EDGES_OF_FREE: &str = "edges([p for p in cells(clue) if not given(clue[p])])";

const STONES: &[(&str, &str)] = &[("1", "o"), ("2", "x")];

const ROWS: &[Row] = &[
    row("aqre", &[Roomed, Clue(&[("-", "")]), Shade("shade")]),
    row("castle-wall", &[Own(loops::castle), Part::Lines("line", EDGES_OF_FREE)]),
    row("cave", &[Clue(&[]), Shade("shade")]),
    row("circles-and-squares", &[Clue(STONES), Shade("shade")]),
    row("cocktail-lamp", &[Roomed, Clue(&[("-", "")]), Shade("shade")]),
    row("cojun", &[Rooms, Clue(&[]), Numbers("x")]),
    row("context", &[Clue(&[("-", "")]), Shade("shade")]),
    row("country-road", &[Roomed, Clue(&[("-", "")]), Part::Lines("line", "edges(room)")]),
    row("creek", &[Corners, Shade("shade")]),
    row("double-back", &[Roomed, Own(loops::holes), Part::Lines("line", "edges(open)")]),
    row("galaxies", &[Own(own::dots), Own(own::galaxies)]),
    row("geradeweg", &[Clue(&[]), Part::Lines("line", "edges(clue)")]),
    row("gokigen", &[Corners, Letters("slant", &[("1", "\\"), ("2", "/")])]),
    row("kakuro", &[Own(own::kakuro), Own(own::kakuro_numbers)]),
    row("koburin", &[Clue(&[]), Own(own::passed), Part::Lines("line", "edges(free)")]),
    row("kurochute", &[Clue(&[]), Shade("shade")]),
    row("kurotto", &[Clue(&[]), Shade("shade")]),
    row("masyu", &[Clue(STONES), Part::Lines("line", "edges(clue)")]),
    row("minesweeper", &[Clue(&[]), Shade("mine")]),
    row("nanro", &[Roomed, Clue(&[]), Numbers("x")]),
    row("numberlink", &[Own(own::pairs), Own(own::paths)]),
    row("nurikabe", &[Own(own::islands)]),
    row("nurimisaki", &[Clue(&[]), Shade("shade")]),
    row("paintarea", &[Roomed, Clue(&[("-", "")]), Own(own::painted)]),
    row("shakashaka", &[Clue(&[("5", "#"), ("-", "#")]), Own(own::triangles)]),
    row("skyscrapers", &[Own(own::towers)]),
    row("slitherlink", &[Clue(&[("-", "")]), Own(own::fences)]),
    row("slitherlink-inside", &[Own(own::animals), Own(own::fences)]),
    row("snake", &[Own(own::snake)]),
    row("starbattle", &[Stars, Roomed, Shade("star")]),
    row("statue-park", &[Own(own::statues), Clue(STONES), Own(own::placed)]),
    row("sudoku", &[Own(own::boxes), Clue(&[]), Numbers("x")]),
    row("suguru", &[Rooms, Clue(&[]), Numbers("x")]),
    row("tapa", &[Own(own::tapa)]),
    row("tilepaint", &[Roomed, Own(own::totals), Own(own::painted)]),
    row("yajilin", &[Own(own::arrows), Own(own::passed), Part::Lines("line", "edges(free)")]),
    row("yajilin-regions", &[Roomed, Clue(&[("-", "")]), Shade("shade"), Part::Lines("line", "edges(room)")]),
    row("yinyang", &[Clue(STONES), Letters("stone", STONES)]),
];

/// A file being read.
pub(super) struct File<'a> {
    text: &'a str,
    /// The remaining lines, the next one last.
    lines: Vec<Range<usize>>,
    pub board: Board,
    /// Items for the model's variables.
    pub answer: String,
    /// Did the file end before the lines of a part?
    ended: bool,
}

/// An entry and its place.
pub(super) type Token<'a> = (&'a str, Range<usize>);

impl<'a> File<'a> {
    pub fn line(&mut self) -> Read<(&'a str, Range<usize>)> {
        let end = self.text.len();
        let at = self.lines.pop().ok_or_else(|| {
            let help = Some("a board file has lines for the clues and for the answer".to_owned());
            Fault { help, ..fault("the board file ends early", end..end, "more lines were expected") }
        })?;
        Ok((&self.text[at.clone()], at))
    }

    /// The next line, if it is one letter.
    fn letter(&self) -> Option<char> {
        let letter = self.text[self.lines.last()?.clone()].parse().ok();
        letter.filter(char::is_ascii_alphabetic).filter(|_| self.board.size.1 > 1)
    }

    fn is_done(&self) -> bool {
        self.lines.iter().all(|at| self.text[at.clone()].trim().is_empty())
    }

    /// Does the next line have `count` entries?
    pub fn next_has(&self, count: usize) -> bool {
        self.lines.last().is_some_and(|at| self.text[at.clone()].split_ascii_whitespace().count() == count)
    }

    /// The entries of `rows` lines of `columns` entries; `.` after the end of the file.
    pub fn tokens(&mut self, rows: usize, columns: usize) -> Read<Vec<Token<'a>>> {
        if self.is_done() {
            self.ended = true;
            let end = self.text.len();
            return Ok(vec![(".", end..end); rows * columns]);
        }
        let mut found = Vec::new();
        for _ in 0..rows {
            let (line, at) = self.line()?;
            let before = found.len();
            for token in line.split_ascii_whitespace() {
                let from = at.start + (token.as_ptr() as usize - line.as_ptr() as usize);
                found.push((token, from..from + token.len()));
            }
            let count = found.len() - before;
            if count != columns {
                let message = format!("{columns} entries were expected, but there are {count}");
                return Err(fault(message, at, "in this line"));
            }
        }
        Ok(found)
    }

    /// Clues: `.` is an empty entry, `-` a clue of unknown value.
    pub fn clues(&mut self, (rows, columns): (usize, usize), names: &[(&str, &str)]) -> Read<Grid> {
        let mut grid = Grid::new(rows, columns);
        for (i, (token, at)) in self.tokens(rows, columns)?.into_iter().enumerate() {
            let name = names.iter().find(|(file, _)| *file == token).map(|(_, picture)| *picture);
            grid.entries[i] = match (name, token) {
                (Some(name), _) => name.to_owned(),
                (None, ".") => String::new(),
                (None, "-") => "?".to_owned(),
                (None, _) => number(token, at)?.to_string(),
            };
        }
        Ok(grid)
    }

    /// For each border whether it has a line: between neighbours in a row, then in a column, of a grid of
    /// points.
    pub fn borders(&mut self, (rows, columns): (usize, usize)) -> Read<(Vec<bool>, Vec<bool>)> {
        let drawn =
            |tokens: Vec<Token<'_>>| tokens.iter().map(|(token, _)| matches!(*token, "1" | "2")).collect();
        let beside = drawn(self.tokens(rows, columns - 1)?);
        Ok((beside, drawn(self.tokens(rows - 1, columns)?)))
    }

    /// Cells joined where there is no border.
    pub fn rooms(&mut self) -> Read<Vec<usize>> {
        let (rows, columns) = self.board.size;
        let drawn = self.borders((rows, columns))?;
        let (vertical, horizontal) = rooms::borders((rows, columns));
        let mut joined = Joined::new(rows * columns);
        for (pair, _) in
            vertical.iter().zip(drawn.0).chain(horizontal.iter().zip(drawn.1)).filter(|(_, b)| !b)
        {
            joined.join(pair.0, pair.1);
        }
        Ok(joined.rooms())
    }

    pub fn cell(&self, at: usize) -> (usize, usize) {
        (at / self.board.size.1 + 1, at % self.board.size.1 + 1)
    }

    /// `name = picture`.
    pub fn answer_grid(&mut self, name: &str, item: &Item) {
        self.answer.push_str(&super::board::assignment(name, item));
    }

    /// A boolean variable that is true at some keys, as an expression with the names of the model.
    pub fn answer_set(&mut self, name: &str, keys: &str, chosen: &[String]) {
        self.answer.push_str(&format!("{name} = {{p: p in [{}] for p in {keys}}}\n", chosen.join(", ")));
    }

    /// Lines through cells.
    fn lines_between(&mut self, name: &str, keys: &str) -> Read<()> {
        let size = self.board.size;
        let (vertical, horizontal) = rooms::borders(size);
        let drawn = self.borders(size)?;
        let pairs = vertical.iter().zip(drawn.0).chain(horizontal.iter().zip(drawn.1));
        let edge = |(a, b): &(usize, usize)| format!("({:?}, {:?})", self.cell(*a), self.cell(*b));
        let chosen: Vec<String> = pairs.filter(|(_, drawn)| *drawn).map(|(pair, _)| edge(pair)).collect();
        self.answer_set(name, keys, &chosen);
        Ok(())
    }

    fn part(&mut self, part: &Part) -> Read<()> {
        let (rows, columns) = self.board.size;
        match part {
            Clue(names) => {
                let clues = self.clues((rows, columns), names)?;
                self.board.set("clue", Item::Words(clues));
            }
            Corners => {
                let clues = self.clues((rows + 1, columns + 1), &[("-", "")])?;
                self.board.set("clue", Item::Words(clues));
            }
            Rooms => {
                let rooms = self.rooms()?;
                self.board.set("room", Item::Letters(rooms::letters(&rooms, columns)));
            }
            Roomed => {
                if !self.is_done() {
                    self.line()?;
                }
                let mut numbers = Vec::new();
                for (token, at) in self.tokens(rows, columns)? {
                    numbers.push(if self.ended { 0 } else { number(token, at)? });
                }
                let (vertical, horizontal) = rooms::borders((rows, columns));
                let mut joined = Joined::new(rows * columns);
                for (a, b) in
                    vertical.into_iter().chain(horizontal).filter(|(a, b)| numbers[*a] == numbers[*b])
                {
                    joined.join(a, b);
                }
                self.board.set("room", Item::Letters(rooms::letters(&joined.rooms(), columns)));
            }
            Stars => {
                let (line, at) = self.line()?;
                let stars = number(line.trim(), at)?;
                self.board.set("stars", Item::number(stars));
            }
            Shade(name) => {
                let tokens = self.tokens(rows, columns)?;
                let shaded =
                    tokens.iter().map(|(token, _)| if is_shaded(token) { "#" } else { "" }.to_owned());
                let grid = Grid { rows, columns, entries: shaded.collect() };
                self.answer_grid(name, &Item::Letters(grid));
            }
            Numbers(name) => {
                let mut grid = self.board.grid("clue").cloned().unwrap_or_else(|| Grid::new(rows, columns));
                for (i, (token, at)) in self.tokens(rows, columns)?.into_iter().enumerate() {
                    if !matches!(token, "." | "+" | "-") {
                        grid.entries[i] = number(token, at)?.to_string();
                    }
                }
                self.answer_grid(name, &Item::Words(grid));
            }
            Letters(name, names) => {
                let mut grid = Grid::new(rows, columns);
                let clue =
                    self.board.grid("clue").filter(|clue| (clue.rows, clue.columns) == (rows, columns));
                if let Some(clue) = clue {
                    grid.clone_from(clue);
                }
                for (i, (token, _)) in self.tokens(rows, columns)?.into_iter().enumerate() {
                    if let Some((_, picture)) = names.iter().find(|(file, _)| *file == token) {
                        grid.entries[i] = (*picture).to_owned();
                    }
                }
                self.answer_grid(name, &Item::Letters(grid));
            }
            Part::Lines(name, keys) => self.lines_between(name, keys)?,
            Own(read) => read(self)?,
        }
        Ok(())
    }
}

/// Is a cell of an answer shaded? Two genres write 1.
fn is_shaded(token: &str) -> bool {
    matches!(token, "#" | "1")
}

/// A number of a file.
pub(super) fn number(token: &str, at: Range<usize>) -> Read<usize> {
    let known = token.parse().ok().filter(|n| *n <= MOST_CELLS);
    known.ok_or_else(|| fault(format!("`{token}` is no number that is known here"), at, "this entry"))
}

fn recognise(text: &str, _file_name: &str) -> bool {
    text.trim_start().starts_with("pzprv3")
}

/// The lines of a text; if there are no line feeds, `/` ends a line too.
fn split(text: &str) -> Vec<Range<usize>> {
    let mark = if text.trim_end().contains('\n') { '\n' } else { '/' };
    let mut at = 0;
    let mut lines = Vec::new();
    for line in text.split(mark) {
        lines.push(at..at + line.trim_end().len());
        at += line.len() + 1;
    }
    lines.reverse();
    lines
}

fn convert(text: &str) -> Result<Imported, Fault> {
    let board = Board::new("", (0, 0));
    let mut file = File { text, lines: split(text), board, answer: String::new(), ended: false };
    file.line()?;
    let (kind, kind_at) = file.line()?;
    let url = puzzlink::genre(kind).map_err(|why| why.at(kind_at.clone()))?;
    let model = url.model;
    let Some(row) = ROWS.iter().find(|row| row.model == model) else {
        return Err(fault(format!("board files of {model} are not read"), kind_at, "this genre"));
    };
    body(file, url, row).map_err(|fault| fault.of(model))
}

/// Reads the part after the type.
fn body(mut file: File<'_>, url: &puzzlink::Row, row: &Row) -> Result<Imported, Fault> {
    let model = row.model;
    file.board.model = model;
    let (line, at) = file.line()?;
    let rows = number(line.trim(), at.clone())?;
    let columns = if model == "sudoku" {
        rows
    } else {
        let (line, at) = file.line()?;
        number(line.trim(), at)?
    };
    if rows == 0 || columns == 0 || rows * columns > MOST_CELLS {
        return Err(fault("a board of this size is not read", at, "rows"));
    }
    file.board.size = (rows, columns);
    // a variant is a line with only its letter
    while let Some((_, sets)) = file.letter().and_then(|at| url.flags.iter().find(|(known, _)| *known == at))
    {
        file.lines.pop();
        if let Some((param, value)) = sets {
            file.board.set(param, Item::Value((*value).into()));
        }
    }
    for part in row.parts {
        let before = file.answer.len();
        file.part(part)?;
        if file.ended {
            file.answer.truncate(before);
        }
    }
    Ok(Imported { answer: Some(file.answer), ..Imported::of(&file.board) })
}
