//! puzz.link (pzpr): URLs `https://puzz.link/p?slither/10/10/BODY`, those of related sites, or
//! `TYPE/WIDTH/HEIGHT/BODY` alone.
//!
//! A row of [`ROWS`] describes the body for one genre. All types of the site are known by name
//! (`puzzlink.tsv`), so the fault for a type without a model names it.

use super::board::Board;
use super::codes::{ARROW16, BASE36, BINARY, CASTLE, CIRCLE, DOTS, FOUR, NUMBER10, NUMBER16, TREE};
use super::reader::{Read, Reader};
use super::steps::{self, Field, Frame, Place, REFUSED, Step};
use super::{Fault, Imported, Importer, fault};
use super::{puzzlink_own as own, puzzlink_rooms as in_rooms};
use crate::catalogue;
use Frame::{Bare, Round, TopLeft};
use Place::{Corners, Inside, Outside, Points};
use Step::{Cells, Number, Optional, Own, RoomNumbers, Rooms};
use std::ops::Range;

pub(super) const IMPORTER: Importer =
    Importer { name: "puzzlink", about: "a puzz.link URL (`TYPE/WIDTH/HEIGHT/BODY`)", recognise, convert };

/// A genre.
pub(super) struct Row {
    pub model: &'static str,
    /// The type on the site.
    kind: &'static str,
    /// A letter before the size, and the parameter that it sets; `None`: it does not affect the rules.
    pub flags: &'static [(char, Option<(&'static str, &'static str)>)],
    pub steps: &'static [Step],
}

const CELLS: Place = Inside(Bare);
type Names = &'static [(&'static str, &'static str)];

/// A clue of unknown value is dropped.
const UNKNOWN: Names = &[("?", "")];
const NO_UNKNOWN: Names = &[("?", REFUSED)];
const STONES: Names = &[("1", "o"), ("2", "x")];

const WALLS: Field = field(CELLS, NUMBER10, &[("?", ""), ("7", REFUSED)]);

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
    flagged("aqre", "aqre", &[('b', Some(("apart", "true")))], &[Rooms, RoomNumbers]),
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
    row("castle-wall", "castle", &[Cells(field(CELLS, CASTLE, &[]))]),
    row("cave", "cave", &[Cells(field(CELLS, NUMBER16, &[]))]),
    row("choco-banana", "cbanana", &[Cells(field(CELLS, NUMBER16, UNKNOWN))]),
    row("chocona", "chocona", &[Rooms, RoomNumbers]),
    row("circles-and-squares", "circlesquare", &[Cells(field(CELLS, CIRCLE, STONES))]),
    row("cocktail-lamp", "cocktail", &[Rooms, RoomNumbers]),
    row("cojun", "cojun", &[Rooms, Cells(field(CELLS, NUMBER16, UNKNOWN))]),
    row("context", "context", &[Cells(field(CELLS, NUMBER16, UNKNOWN))]),
    flagged("country-road", "country", &[('e', Some(("empty", "true")))], &[Rooms, RoomNumbers]),
    row("creek", "creek", &[Cells(field(Corners, FOUR, UNKNOWN))]),
    row("detour", "detour", &[Rooms, RoomNumbers]),
    row("dotchi-loop", "dotchi", &[Rooms, Cells(field(CELLS, CIRCLE, STONES))]),
    row("double-back", "doubleback", &[Own(in_rooms::read_holes, in_rooms::write_holes)]),
    flagged(
        "fillomino",
        "fillomino",
        &[('t', Some(("top", "3")))],
        &[Cells(field(CELLS, NUMBER16, UNKNOWN))],
    ),
    row("galaxies", "tentaisho", &[Cells(field(Points, DOTS, &[])), Own(own::read_holes, own::write_holes)]),
    row("geradeweg", "geradeweg", &[Cells(field(CELLS, NUMBER16, &[]))]),
    row("gokigen", "gokigen", &[Cells(field(Corners, FOUR, UNKNOWN))]),
    row("hashi", "hashi", &[Cells(field(CELLS, NUMBER16, &[]))]),
    row("heyawake", "heyawake", &[Rooms, RoomNumbers]),
    row("hitori", "hitori", &[Cells(field(CELLS, BASE36, &[]))]),
    row("kakuro", "kakuro", &[Own(own::read_kakuro, own::write_kakuro)]),
    flagged(
        "koburin",
        "koburin",
        &[('b', None), ('m', Some(("around8", "true"))), ('o', Some(("outside", "true")))],
        &[Cells(field(CELLS, FOUR, &[]))],
    ),
    row("kurochute", "kurochute", &[Cells(field(CELLS, NUMBER16, &[]))]),
    row("kurodoko", "kurodoko", &[Cells(field(CELLS, NUMBER16, &[]))]),
    row("kurotto", "kurotto", &[Cells(field(CELLS, NUMBER16, &[]))]),
    row("lits", "lits", &[Rooms]),
    row("magnets", "magnets", &[Own(in_rooms::read_magnets, in_rooms::write_magnets)]),
    row("makaro", "makaro", &[Own(in_rooms::read_makaro, in_rooms::write_makaro)]),
    flagged("masyu", "mashu", &[('f', Some(("full", "true")))], &[Cells(field(CELLS, CIRCLE, STONES))]),
    row("minesweeper", "mines", &[Cells(field(CELLS, NUMBER16, &[]))]),
    row("moon-or-sun", "moonsun", &[Rooms, Cells(field(CELLS, CIRCLE, &[("1", "m"), ("2", "s")]))]),
    row("nanro", "nanro", &[Rooms, Cells(field(CELLS, NUMBER16, &[]))]),
    row("no-three", "nothree", &[Cells(field(Points, DOTS, &[]))]),
    row("nonogram", "nonogram", &[Own(own::read_runs, own::write_runs)]),
    row("norinori", "norinori", &[Rooms]),
    row("numberlink", "numlin", &[Cells(field(CELLS, NUMBER16, NO_UNKNOWN))]),
    row("nurikabe", "nurikabe", &[Cells(field(CELLS, NUMBER16, &[]))]),
    row("nurimisaki", "nurimisaki", &[Cells(field(CELLS, NUMBER16, &[]))]),
    row("paintarea", "paintarea", &[Rooms, Cells(field(CELLS, NUMBER10, UNKNOWN))]),
    row("palisade", "fivecells", &[Own(in_rooms::read_five, in_rooms::write_five), Cells(WALLS)]),
    row("palisade", "fourcells", &[Own(in_rooms::read_four, in_rooms::write_four), Cells(WALLS)]),
    row("ripple", "ripple", &[Rooms, Cells(field(CELLS, NUMBER16, UNKNOWN))]),
    row("shakashaka", "shakashaka", &[Cells(field(CELLS, FOUR, &[("?", "#")]))]),
    row("shikaku", "shikaku", &[Cells(field(CELLS, NUMBER16, &[]))]),
    row("shimaguni", "shimaguni", &[Rooms, RoomNumbers]),
    row("simpleloop", "simpleloop", &[Cells(Field { param: "wall", ..field(CELLS, BINARY, &[("1", "#")]) })]),
    row(
        "skyscrapers",
        "skyscrapers",
        &[Cells(field(Outside(Round), NUMBER16, UNKNOWN)), Optional(field(Inside(Round), NUMBER16, UNKNOWN))],
    ),
    flagged(
        "slitherlink",
        "slither",
        &[('f', Some(("full", "true")))],
        &[Cells(field(CELLS, FOUR, UNKNOWN))],
    ),
    row("slitherlink-inside", "swslither", &[Own(own::read_animals, own::write_animals)]),
    row(
        "snake",
        "snake",
        &[
            Cells(field(Inside(TopLeft), CIRCLE, &[("1", "x"), ("2", "o")])),
            Cells(field(Outside(TopLeft), NUMBER16, UNKNOWN)),
        ],
    ),
    row("starbattle", "starbattle", &[Number("stars"), Rooms]),
    row(
        "statue-park",
        "statuepark",
        &[Cells(field(CELLS, CIRCLE, STONES)), Own(own::read_statues, own::write_statues)],
    ),
    row(
        "sudoku",
        "sudoku",
        &[Own(own::read_boxes, own::write_boxes), Cells(field(CELLS, NUMBER16, UNKNOWN))],
    ),
    row("suguru", "suguru", &[Rooms, Cells(field(CELLS, NUMBER16, UNKNOWN))]),
    row("tapa", "tapa", &[Cells(field(CELLS, own::TAPA_CLUES, &[("?", "-")]))]),
    row(
        "tents",
        "tents",
        &[
            Cells(field(Outside(TopLeft), NUMBER16, UNKNOWN)),
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
    flagged("yajilin-regions", "yajilin-regions", &[('o', Some(("outside", "true")))], &[Rooms, RoomNumbers]),
    row("yinyang", "yinyang", &[Cells(field(CELLS, CIRCLE, STONES))]),
];

/// The row of a type of the site or of a model under any of its names.
fn row_of(name: &str) -> Option<&'static Row> {
    let model = catalogue::canonical(name);
    ROWS.iter().find(|row| row.kind == name).or_else(|| ROWS.iter().find(|row| row.model == model))
}

/// Types of the site with their names there.
fn known_types() -> impl Iterator<Item = (&'static str, &'static str)> {
    include_str!("puzzlink.tsv").lines().filter_map(|line| line.split_once('\t'))
}

/// Pages of the site and of related sites with the puzzle after these.
const PAGES: [&str; 2] = ["p?", "p.html?"];

/// The start of the body in the address of such a page.
fn page(text: &str) -> Option<usize> {
    let is_page = |at: usize| text[..at].ends_with('/') || text[..at].trim().is_empty();
    let ends = |page: &str| text.find(page).filter(|at| is_page(*at)).map(|at| at + page.len());
    PAGES.into_iter().find_map(ends)
}

/// The start of the body: after the `?` of a URL.
fn start(text: &str) -> usize {
    let lead = text.len() - text.trim_start().len();
    let other = || text.find('?').filter(|_| text.contains("://")).map(|at| at + 1);
    page(text).or_else(other).unwrap_or(lead)
}

fn recognise(text: &str, _file_name: &str) -> bool {
    let text = text.trim();
    if text.contains(char::is_whitespace) {
        return false;
    }
    if page(text).is_some() {
        return true;
    }
    let mut parts = text[start(text)..].split('/');
    let known = parts.next().is_some_and(is_known);
    let is_number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    let is_flags = |part: &&str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_lowercase());
    let mut parts = parts.peekable();
    parts.next_if(is_flags);
    let width = parts.next().is_some_and(is_number);
    // a file path may start in the same way
    let height = parts.next().map_or(known, is_number);
    width && height && (known || start(text) > 0)
}

fn is_known(kind: &str) -> bool {
    let kind = kind.trim_end_matches("_edit");
    row_of(kind).is_some() || known_types().any(|(known, _)| known == kind)
}

fn convert(text: &str) -> Result<Imported, Fault> {
    let from = start(text);
    let mut reader = Reader::new(text, from, text.trim_end().len());
    let kind = reader.until('/').trim_end_matches("_edit");
    let row = genre(kind).map_err(|why| why.at(from..from + kind.len()))?;
    let mut board = Board::new(row.model, (0, 0));
    match body(row, &mut reader, &mut board) {
        Ok(()) => Ok(Imported::of(&board)),
        Err(fault) => Err(fault.of(row.model)),
    }
}

/// Reads the part after the type.
fn body(row: &Row, reader: &mut Reader<'_>, board: &mut Board) -> Read<()> {
    let start = reader.clone();
    let flags = reader.take_while(|c| c.is_ascii_alphabetic());
    if reader.eat('/') {
        for letter in flags.chars() {
            match row.flags.iter().find(|(known, _)| *known == letter) {
                Some((_, Some((param, value)))) => {
                    board.set(param, super::board::Item::Value((*value).into()))
                }
                Some((_, None)) => {}
                None => {
                    let message =
                        format!("`{letter}` is a variant of {} that is not in the catalogue", row.model);
                    return Err(reader.since(&start, message));
                }
            }
        }
    } else {
        // they were no flags
        *reader = start;
    }
    board.size = size(reader)?;
    steps::read(row.steps, reader, board)?;
    reader.eat('/');
    reader.finish()
}

/// Why a type has no row.
pub(super) struct Unknown<'t> {
    kind: &'t str,
    /// The name on the site.
    name: Option<&'static str>,
}

impl Unknown<'_> {
    /// The fault for a text with this type at `at`.
    pub fn at(self, at: Range<usize>) -> Fault {
        let kind = self.kind;
        let message = match self.name {
            Some(name) => format!("puzz.link's genre `{kind}` is {name}; it is not in the catalogue"),
            None if kind.is_empty() => "the type of a puzzle was expected".to_owned(),
            None => format!("`{kind}` is no genre of puzz.link that is known"),
        };
        let help = Some("`rebus models` lists the catalogue".into());
        let fault = Fault { help, ..fault(message, at, "this genre") };
        match self.name {
            Some(_) => fault,
            None => fault.near(kind, known_types().map(|(known, _)| known)),
        }
    }
}

/// The row of a type of the site.
pub(super) fn genre(kind: &str) -> Result<&'static Row, Unknown<'_>> {
    let name = || known_types().find(|(known, _)| *known == kind).map(|(_, name)| name);
    row_of(kind).ok_or_else(|| Unknown { kind, name: name() })
}

/// Width and height.
fn size(reader: &mut Reader<'_>) -> Read<(usize, usize)> {
    let start = reader.clone();
    let columns = reader.measure("the board's width")?;
    reader.expect('/')?;
    let rows = reader.measure("the board's height")?;
    let size = reader.size(&start, rows, columns)?;
    if !reader.is_done() {
        reader.expect('/')?;
    }
    Ok(size)
}

/// The URL of a board.
pub(super) fn export(board: &Board) -> Result<String, String> {
    let mut why = format!("puzz.link has no `{}`", board.model);
    for row in ROWS.iter().filter(|row| row.model == board.model) {
        match written(row, board) {
            Ok(url) => return Ok(url),
            Err(fault) => why = fault,
        }
    }
    Err(why)
}

fn written(row: &Row, board: &Board) -> Result<String, String> {
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
