//! Game IDs of Simon Tatham's Portable Puzzle Collection: `loopy:10x10t0:DESCRIPTION`, with the name of the
//! program or of the model first.
//!
//! A row of [`ROWS`] describes for one genre the letters of its parameters and the parts of its description.

use super::board::{Board, Item};
use super::codes::BASE36;
use super::reader::{Read, Reader};
use super::steps::{self, Field, Frame, Place, Step};
use super::tatham_codes::{BITS, CHARACTERS, COMMAS, DECIMALS, DOTS, SLASHES, TO_THE_LAST, TREES};
use super::{Fault, Imported, Importer, fault};
use super::{tatham_loopy as loopy, tatham_mines as mines, tatham_own as own, tatham_rooms as in_rooms};
use crate::catalogue;
use Frame::{Bare, Round, TopLeft};
use Place::{Corners, Inside, Outside, Points};
use Step::{Cells, Own};
use std::ops::Range;

pub(super) const IMPORTER: Importer = Importer {
    name: "tatham",
    about: "a game ID of Simon Tatham's collection (`PROGRAM:SIZE:DESCRIPTION`)",
    recognise,
    convert,
};

/// A genre.
struct Row {
    model: &'static str,
    letters: &'static [Letter],
    steps: &'static [Step],
}

/// The meaning of a letter after the size.
struct Letter {
    letter: char,
    sets: Sets,
}

enum Sets {
    /// The parameter that takes the number after the letter.
    Number(&'static str),
    /// The only number that the model supports.
    Only(usize),
    /// A parameter becomes true.
    Flag(&'static str),
    /// It does not affect the rules.
    Nothing,
    /// The row's own steps use it: `_LETTER` is set, to the number if there is one.
    Own,
}

const fn letter(letter: char, sets: Sets) -> Letter {
    Letter { letter, sets }
}

const CELLS: Place = Inside(Bare);
const ISLANDS: &[(&str, &str)] =
    &[("A", "10"), ("B", "11"), ("C", "12"), ("D", "13"), ("E", "14"), ("F", "15"), ("G", "16")];

const fn field(
    place: Place,
    code: super::codes::Code,
    names: &'static [(&'static str, &'static str)],
) -> Step {
    Cells(Field { param: "clue", place, code, names })
}

const fn row(model: &'static str, letters: &'static [Letter], steps: &'static [Step]) -> Row {
    Row { model, letters, steps }
}

const ROWS: &[Row] = &[
    row("akari", &[], &[field(CELLS, CHARACTERS, &[("B", "#")])]),
    row("binairo", &[letter('u', Sets::Flag("unlike"))], &[field(CELLS, BITS, &[])]),
    row("dominosa", &[], &[Own(own::read_dominosa, own::write_dominosa)]),
    row("fillomino", &[], &[Own(own::read_top, own::write_top), field(CELLS, CHARACTERS, &[])]),
    row("futoshiki", &[letter('a', Sets::Own)], &[Own(own::read_unequal, own::write_unequal)]),
    row("galaxies", &[], &[field(Points, DOTS, &[])]),
    row("gokigen", &[], &[field(Corners, CHARACTERS, &[])]),
    row("hashi", &[letter('m', Sets::Only(2))], &[field(CELLS, CHARACTERS, ISLANDS)]),
    row("hitori", &[], &[field(CELLS, BASE36, &[])]),
    row("kenken", &[letter('m', Sets::Nothing)], &[Own(in_rooms::read_keen, in_rooms::write_keen)]),
    row("kurodoko", &[], &[field(CELLS, DECIMALS, &[])]),
    row("magnets", &[], &[Own(own::read_magnets, own::write_magnets)]),
    row("map-colouring", &[letter('n', Sets::Own)], &[Own(in_rooms::read_map, in_rooms::write_map)]),
    row("masyu", &[], &[field(CELLS, CHARACTERS, &[("B", "x"), ("W", "o")])]),
    row("minesweeper", &[], &[Own(mines::read, mines::write)]),
    row("mosaic", &[], &[field(CELLS, CHARACTERS, &[])]),
    row("nonogram", &[], &[Own(own::read_pattern, own::write_pattern)]),
    row("palisade", &[letter('n', Sets::Number("k"))], &[field(CELLS, TO_THE_LAST, &[])]),
    row("pipes", &[letter('w', Sets::Flag("wrap"))], &[Own(own::read_net, own::write_net)]),
    row("shikaku", &[], &[field(CELLS, DECIMALS, &[])]),
    row("signpost", &[letter('c', Sets::Nothing)], &[Own(own::read_signpost, own::write_signpost)]),
    row("skyscrapers", &[], &[field(Outside(Round), SLASHES, &[]), Own(own::read_towers, own::write_towers)]),
    row("slitherlink", &[letter('t', Sets::Own)], &[Own(loopy::read, loopy::write)]),
    row(
        "sudoku",
        &[letter('j', Sets::Own), letter('x', Sets::Own), letter('k', Sets::Own)],
        &[Own(in_rooms::read_solo, in_rooms::write_solo)],
    ),
    row("tents", &[], &[field(Inside(TopLeft), TREES, &[("1", "T")]), field(Outside(TopLeft), COMMAS, &[])]),
    row("tracks", &[], &[Own(own::read_tracks, own::write_tracks)]),
    row("undead", &[], &[Own(own::read_undead, own::write_undead)]),
];

/// Models whose boards another row writes.
const WRITTEN_AS: &[(&str, &str)] = &[
    ("jigsaw-sudoku", "sudoku"),
    ("killer-sudoku", "sudoku"),
    ("loopy-tiles", "slitherlink"),
    ("renzoku", "futoshiki"),
    ("sudoku-variants", "sudoku"),
];

fn row_of(model: &str) -> Option<&'static Row> {
    let model = WRITTEN_AS.iter().find(|(known, _)| *known == model).map_or(model, |(_, row)| row);
    ROWS.iter().find(|row| row.model == model)
}

/// The programs' names, where they differ from the models'.
const PROGRAMS: &[(&str, &str)] = &[
    ("akari", "lightup"),
    ("binairo", "unruly"),
    ("fillomino", "filling"),
    ("futoshiki", "unequal"),
    ("gokigen", "slant"),
    ("hashi", "bridges"),
    ("hitori", "singles"),
    ("kenken", "keen"),
    ("kurodoko", "range"),
    ("map-colouring", "map"),
    ("masyu", "pearl"),
    ("minesweeper", "mines"),
    ("nonogram", "pattern"),
    ("pipes", "net"),
    ("shikaku", "rect"),
    ("skyscrapers", "towers"),
    ("slitherlink", "loopy"),
    ("sudoku", "solo"),
];

/// Programs of the collection without a possible model.
const NOT_STATIC: &[&str] = &[
    "blackbox", "cube", "fifteen", "flip", "flood", "guess", "inertia", "netslide", "pegs", "samegame",
    "sixteen", "twiddle", "untangle",
];

/// The program's name and the start of the rest: `NAME:…`, or `…/NAME.html#…`, the page of the collection
/// with that game.
fn program(text: &str) -> Option<(Range<usize>, usize)> {
    let lead = text.len() - text.trim_start().len();
    match text.find(PAGE) {
        Some(end) => Some((text[..end].rfind('/').map_or(lead, |slash| slash + 1)..end, end + PAGE.len())),
        None => text.find(':').map(|end| (lead..end, end + 1)),
    }
}

const PAGE: &str = ".html#";

fn recognise(text: &str, _file_name: &str) -> bool {
    let text = text.trim();
    if text.contains(char::is_whitespace) {
        return false;
    }
    let Some((name, rest)) = program(text).map(|(name, rest)| (&text[name], &text[rest..])) else {
        return false;
    };
    let known = row_of(catalogue::canonical(name)).is_some() || NOT_STATIC.contains(&name);
    let named = name.chars().all(|c| c.is_ascii_alphabetic() || c == '-') && !name.is_empty();
    let sized = rest.starts_with(|c: char| c.is_ascii_digit()) && rest.contains(':');
    known || named && sized
}

fn convert(text: &str) -> Result<Imported, Fault> {
    let (at, rest) = program(text).unwrap_or((0..0, 0));
    let name = &text[at.clone()];
    let Some(row) = row_of(catalogue::canonical(name)) else {
        if NOT_STATIC.contains(&name) {
            let message = format!("`{name}` is played move by move; it is not in the catalogue");
            return Err(fault(message, at, "this program"));
        }
        let programs = PROGRAMS.iter().map(|(_, name)| *name).chain(ROWS.iter().map(|row| row.model));
        return Err(
            fault(format!("`{name}` is no genre with game IDs"), at, "this program").near(name, programs)
        );
    };
    let mut reader = Reader::new(text, rest, text.trim_end().len());
    let mut board = Board::new(row.model, (0, 0));
    match body(row, &mut reader, &mut board) {
        Ok(()) => Ok(Imported::of(&board)),
        Err(fault) => Err(fault.of(row.model)),
    }
}

/// Reads the part after the program's name.
fn body(row: &Row, reader: &mut Reader<'_>, board: &mut Board) -> Read<()> {
    params(row, reader, board)?;
    if reader.peek() == Some('#') {
        let seed = reader.here("this is a random seed, of which only the program itself makes a puzzle");
        return Err(Fault { help: Some("its menu has the game ID too, `SIZE:DESCRIPTION`".into()), ..seed });
    }
    reader.expect(':')?;
    steps::read(row.steps, reader, board)?;
    reader.finish()?;
    board.forget_own();
    Ok(())
}

/// `10x8`, `9`, and letters with or without a number.
fn params(row: &Row, reader: &mut Reader<'_>, board: &mut Board) -> Read<()> {
    let start = reader.clone();
    let columns = reader.measure("the board's width")?;
    let rows = if reader.eat('x') { reader.measure("the board's height")? } else { columns };
    board.size = reader.size(&start, rows, columns)?;
    // solo's size is that of a box: its own step makes the board
    while let Some(c) = reader.peek().filter(char::is_ascii_alphabetic) {
        let start = reader.clone();
        reader.next();
        let number = reader.take_while(|c| c.is_ascii_digit());
        if c == 'd' && number.is_empty() {
            // a difficulty
            reader.next();
            continue;
        }
        let known = row.letters.iter().find(|known| known.letter == c);
        let unknown = || Err(reader.since(&start, format!("`{}` has no variant `{c}{number}`", row.model)));
        match known.map(|known| &known.sets) {
            Some(Sets::Number(param)) => board.set(param, Item::Value(number.into())),
            Some(Sets::Only(only)) if number.parse() == Ok(*only) => {}
            Some(Sets::Flag(param)) => board.set(param, Item::Value("true".into())),
            Some(Sets::Nothing) => {}
            Some(Sets::Own) => board.set(&format!("_{c}"), Item::Value(number.into())),
            Some(Sets::Only(_)) | None => return unknown(),
        }
    }
    Ok(())
}

/// The game ID of a board.
pub(super) fn export(board: &Board) -> Result<String, String> {
    let row = row_of(board.model).ok_or_else(|| format!("the collection has no `{}`", board.model))?;
    let name = PROGRAMS.iter().find(|(model, _)| *model == row.model).map_or(row.model, |(_, name)| name);
    let description = steps::write(row.steps, board)?;
    let (rows, columns) = board.size;
    let square = ["dominosa", "futoshiki", "kenken", "skyscrapers", "sudoku"].contains(&row.model);
    let mut params = match () {
        () if row.model == "sudoku" => in_rooms::solo_params(board)?,
        () if square => format!("{rows}"),
        () => format!("{columns}x{rows}"),
    };
    for letter in row.letters {
        let c = letter.letter;
        match letter.sets {
            Sets::Number(param) => {
                let number = board.number(param).ok_or_else(|| format!("`{param}` is no number"))?;
                params.push_str(&format!("{c}{number}"));
            }
            Sets::Only(only) => params.push_str(&format!("{c}{only}")),
            Sets::Flag(param) if board.flag(param) => params.push(c),
            Sets::Flag(_) | Sets::Nothing | Sets::Own => {}
        }
    }
    match board.model {
        "map-colouring" => params.push_str(&format!("n{}", in_rooms::countries(board))),
        "renzoku" => params.push('a'),
        "slitherlink" | "loopy-tiles" => params = loopy::params(board)?,
        _ => {}
    }
    Ok(format!("{name}:{params}:{description}"))
}
