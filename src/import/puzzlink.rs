//! puzz.link (pzpr): URLs `https://puzz.link/p?slither/10/10/BODY`, those of its kin, or `TYPE/WIDTH/HEIGHT/BODY` alone.
//!
//! A row of [`ROWS`] a genre says what its body consists of. All types of the site are known by name (`puzzlink.tsv`), so
//! that one without a model is named.

use super::board::Board;
use super::codes::{ARROW16, BASE36, BINARY, CIRCLE, DOTS, FOUR, NUMBER16, TAPA_CLUES, TREE};
use super::puzzlink_own as own;
use super::reader::{Read, Reader};
use super::steps::{self, Field, Frame, Place, REFUSED, Step};
use super::{Fault, Imported, Importer};
use crate::catalogue;
use Frame::{Bare, Round, TopLeft};
use Place::{Corners, Inside, Outside, Points};
use Step::{Cells, Number, Own, RoomNumbers, Rooms, Told};

pub(super) const IMPORTER: Importer =
    Importer { name: "puzzlink", about: "a puzz.link URL", recognise, convert };

/// A genre.
pub(super) struct Row {
    pub model: &'static str,
    /// Its type on the site.
    kind: &'static str,
    /// A letter before the size, and the parameter that it sets; none: it says nothing of the rules.
    pub flags: &'static [(char, Option<(&'static str, &'static str)>)],
    pub steps: &'static [Step],
}

const CELLS: Place = Inside(Bare);
type Names = &'static [(&'static str, &'static str)];

/// A clue that is not told says nothing.
const UNTOLD: Names = &[("?", "")];
const NO_UNTOLD: Names = &[("?", REFUSED)];
const STONES: Names = &[("1", "o"), ("2", "x")];

const fn field(place: Place, code: super::codes::Code, names: Names) -> Field {
    Field { param: "clue", place, code, names }
}

const fn row(model: &'static str, kind: &'static str, steps: &'static [Step]) -> Row {
    Row { model, kind, flags: &[], steps }
}

const fn flagged(
    model: &'static str,
    kind: &'static str,
    flags: &'static [(char, Option<(&'static str, &'static str)>)],
    steps: &'static [Step],
) -> Row {
    Row { model, kind, flags, steps }
}

const ROWS: &[Row] = &[
    row("akari", "akari", &[Cells(field(CELLS, FOUR, &[("?", "#")]))]),
    row(
        "battleship",
        "battleship",
        &[
            Own(own::read_totals, own::write_totals),
            Cells(field(
                CELLS,
                NUMBER16,
                &[
                    ("0", "~"),
                    ("1", "^"),
                    ("2", "v"),
                    ("3", "<"),
                    ("4", ">"),
                    ("5", "x"),
                    ("6", "o"),
                    ("?", REFUSED),
                ],
            )),
            Own(own::read_fleet, own::write_fleet),
        ],
    ),
    row("canal-view", "canal", &[Cells(field(CELLS, NUMBER16, &[]))]),
    row("cave", "cave", &[Cells(field(CELLS, NUMBER16, &[]))]),
    row("choco-banana", "cbanana", &[Cells(field(CELLS, NUMBER16, UNTOLD))]),
    row("cojun", "cojun", &[Rooms, Cells(field(CELLS, NUMBER16, UNTOLD))]),
    row("creek", "creek", &[Cells(field(Corners, FOUR, UNTOLD))]),
    flagged("fillomino", "fillomino", &[('t', Some(("top", "3")))], &[Cells(field(CELLS, NUMBER16, UNTOLD))]),
    row("galaxies", "tentaisho", &[Cells(field(Points, DOTS, &[])), Own(own::read_holes, own::write_holes)]),
    row("gokigen", "gokigen", &[Cells(field(Corners, FOUR, UNTOLD))]),
    row("hashi", "hashi", &[Cells(field(CELLS, NUMBER16, &[]))]),
    row("heyawake", "heyawake", &[Rooms, RoomNumbers]),
    row("hitori", "hitori", &[Cells(field(CELLS, BASE36, &[]))]),
    row("kakuro", "kakuro", &[Own(own::read_kakuro, own::write_kakuro)]),
    row("kurodoko", "kurodoko", &[Cells(field(CELLS, NUMBER16, &[]))]),
    row("lits", "lits", &[Rooms]),
    flagged("masyu", "mashu", &[('f', Some(("full", "true")))], &[Cells(field(CELLS, CIRCLE, STONES))]),
    row("minesweeper", "mines", &[Cells(field(CELLS, NUMBER16, &[]))]),
    row("nonogram", "nonogram", &[Own(own::read_runs, own::write_runs)]),
    row("numberlink", "numlin", &[Cells(field(CELLS, NUMBER16, NO_UNTOLD))]),
    row("nurikabe", "nurikabe", &[Cells(field(CELLS, NUMBER16, &[]))]),
    row("ripple", "ripple", &[Rooms, Cells(field(CELLS, NUMBER16, UNTOLD))]),
    row("shakashaka", "shakashaka", &[Cells(field(CELLS, FOUR, &[("?", "#")]))]),
    row("shikaku", "shikaku", &[Cells(field(CELLS, NUMBER16, &[]))]),
    row("simpleloop", "simpleloop", &[Cells(Field { param: "wall", ..field(CELLS, BINARY, &[("1", "#")]) })]),
    row(
        "skyscrapers",
        "skyscrapers",
        &[Cells(field(Outside(Round), NUMBER16, UNTOLD)), Told(field(Inside(Round), NUMBER16, UNTOLD))],
    ),
    flagged("slitherlink", "slither", &[('f', Some(("full", "true")))], &[Cells(field(CELLS, FOUR, UNTOLD))]),
    row(
        "snake",
        "snake",
        &[
            Cells(field(Inside(TopLeft), CIRCLE, &[("1", "x"), ("2", "o")])),
            Cells(field(Outside(TopLeft), NUMBER16, UNTOLD)),
        ],
    ),
    row("starbattle", "starbattle", &[Number("stars"), Rooms]),
    row(
        "statue-park",
        "statuepark",
        &[Cells(field(CELLS, CIRCLE, STONES)), Own(own::read_statues, own::write_statues)],
    ),
    row("sudoku", "sudoku", &[Own(own::read_boxes, own::write_boxes), Cells(field(CELLS, NUMBER16, UNTOLD))]),
    row("suguru", "suguru", &[Rooms, Cells(field(CELLS, NUMBER16, UNTOLD))]),
    row("tapa", "tapa", &[Cells(field(CELLS, TAPA_CLUES, &[("?", "-")]))]),
    row(
        "tents",
        "tents",
        &[
            Cells(field(Outside(TopLeft), NUMBER16, UNTOLD)),
            Cells(field(Inside(TopLeft), TREE, &[("1", "T")])),
        ],
    ),
    row("tilepaint", "tilepaint", &[Rooms, Own(own::read_lines, own::write_lines)]),
    flagged(
        "yajilin",
        "yajilin",
        &[('b', None), ('o', Some(("outside", "true")))],
        &[Cells(field(CELLS, ARROW16, &[(".?", "#")]))],
    ),
    row("yinyang", "yinyang", &[Cells(field(CELLS, CIRCLE, STONES))]),
];

pub(super) fn row_of(model: &str) -> Option<&'static Row> {
    ROWS.iter().find(|row| row.model == model)
}

/// Types of the site and what they are called there.
fn known_types() -> impl Iterator<Item = (&'static str, &'static str)> {
    include_str!("puzzlink.tsv").lines().filter_map(|line| line.split_once('\t'))
}

/// Where the body starts: behind the `?` of a URL.
fn start(text: &str) -> usize {
    let lead = text.len() - text.trim_start().len();
    let url = text.contains("://") || text.contains("p.html?") || text.contains("/p?");
    text.find('?').filter(|_| url).map_or(lead, |at| at + 1)
}

fn recognise(text: &str, _file_name: &str) -> bool {
    let text = text.trim_end();
    if text.trim_start().contains(char::is_whitespace) {
        return false;
    }
    let body = &text[start(text)..];
    let Some((kind, rest)) = body.split_once('/') else { return false };
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let mut parts = rest.split('/').skip_while(|part| !is_number(part));
    let sized = parts.next().is_some() && parts.next().is_some_and(is_number);
    sized && (start(text) > 0 || is_known(kind))
}

fn is_known(kind: &str) -> bool {
    let kind = kind.trim_end_matches("_edit");
    row_of(catalogue::canonical(kind)).is_some() || known_types().any(|(known, _)| known == kind)
}

fn convert(text: &str) -> Result<Imported, Fault> {
    let end = text.trim_end().len();
    let mut reader = Reader::new(text, start(text), end);
    let row = genre(&mut reader)?;
    let mut board = Board::new(row.model, (0, 0));
    let start = reader.clone();
    let flags = reader.take_while(|c| c.is_ascii_alphabetic());
    for letter in flags.chars() {
        match row.flags.iter().find(|(known, _)| *known == letter) {
            Some((_, Some((param, value)))) => board.set(param, super::board::Item::Value((*value).into())),
            Some((_, None)) => {}
            None => {
                let message =
                    format!("`{letter}` is a variant of {} that is not in the catalogue", row.model);
                return Err(reader.since(&start, message));
            }
        }
    }
    if !flags.is_empty() {
        reader.expect('/')?;
    }
    board.size = size(&mut reader)?;
    steps::read(row.steps, &mut reader, &mut board)?;
    reader.eat('/');
    reader.finish()?;
    Ok(Imported::of(&board))
}

/// The row of a type, which is read.
fn genre(reader: &mut Reader<'_>) -> Read<&'static Row> {
    let start = reader.clone();
    let found = genre_of(reader.until('/').trim_end_matches("_edit"));
    let row = found.and_then(|model| row_of(model).ok_or_else(|| format!("URLs of {model} are not read")));
    row.map_err(|message| Fault {
        help: Some("`rebus models` lists the catalogue".into()),
        ..reader.since(&start, message)
    })
}

/// The model of a type of the site.
pub(super) fn genre_of(kind: &str) -> Result<&'static str, String> {
    if let Some(row) = row_of(catalogue::canonical(kind)) {
        return Ok(row.model);
    }
    Err(match known_types().find(|(known, _)| *known == kind) {
        Some((_, name)) => format!("puzz.link's genre `{kind}` is {name}; it is not in the catalogue"),
        None => format!("`{kind}` is no genre of puzz.link that is known"),
    })
}

/// Width and height.
fn size(reader: &mut Reader<'_>) -> Read<(usize, usize)> {
    let start = reader.clone();
    let columns = reader.number()?;
    reader.expect('/')?;
    let rows = reader.number()?;
    let size = reader.size(&start, rows, columns)?;
    if !reader.is_done() {
        reader.expect('/')?;
    }
    Ok(size)
}

/// The URL of a board.
pub(super) fn export(board: &Board) -> Result<String, String> {
    let row = row_of(board.model).ok_or_else(|| format!("puzz.link has no `{}`", board.model))?;
    let is_set = |(param, value): &(&str, &str)| board.value(param) == Some(value);
    let set = row.flags.iter().filter(|(_, sets)| sets.as_ref().is_some_and(is_set));
    let flags: String = set.map(|(letter, _)| *letter).collect();
    let flags = if flags.is_empty() { flags } else { flags + "/" };
    let (rows, columns) = match board.model {
        "kakuro" => (board.size.0.saturating_sub(1), board.size.1.saturating_sub(1)),
        _ => board.size,
    };
    let body = steps::write(row.steps, board)?;
    Ok(format!("https://puzz.link/p?{}/{flags}{columns}/{rows}/{body}", row.kind))
}
