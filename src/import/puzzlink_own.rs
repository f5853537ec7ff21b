//! Parts of puzz.link bodies that occur in one genre only.

use super::board::{Board, Grid, Item};
use super::codes::{BINARY, Code, NUMBER10, NUMBER16, around_runs, base36, cannot, number, with_runs};
use super::reader::{Read, Reader};
use super::steps::{Frame, Place};

// ---- sudoku: the shape of its boxes follows from the size

pub(super) fn read_boxes(reader: &mut Reader<'_>, board: &mut Board) -> Read<()> {
    let (rows, columns) = board.size;
    let Some((height, width)) = box_shape(rows).filter(|_| rows == columns) else {
        return Err(reader.here(format!("there is no sudoku of {rows} rows and {columns} columns")));
    };
    if (height, width) != (3, 3) {
        board.set("box", Item::Value(format!("({height}, {width})")));
    }
    Ok(())
}

/// Rows and columns of a box: as square as possible, and no higher than wide.
pub(super) fn box_shape(n: usize) -> Option<(usize, usize)> {
    let height = (1..=n).rev().find(|height| height * height <= n && n.is_multiple_of(*height))?;
    (height > 1 || n == 1).then_some((height, n / height))
}

pub(super) fn write_boxes(board: &Board) -> Result<String, String> {
    let shape: Vec<usize> =
        board.get("box").map_or(Vec::new(), Item::entries).iter().flat_map(|n| n.parse()).collect();
    match shape[..] {
        [height, width] if height > width => Err("this form has no boxes higher than wide".into()),
        _ => Ok(String::new()),
    }
}

// ---- tapa: run lengths

/// Tapa clues of two to four numbers: how many numbers, the offset of their code, and the base of its digits.
const TAPA: [(usize, usize, usize); 3] = [(2, 360, 6), (3, 396, 4), (4, 460, 2)];

/// Run lengths `3`, `1,?`, `1,1,1`; g to z: 1 to 20 empty entries.
pub(super) const TAPA_CLUES: Code = Code {
    read: |reader, length| {
        around_runs(reader, length, 'g', |entries, reader| {
            if reader.eat('.') {
                entries.push("?");
            } else if reader.eat('9') {
                entries.push("1,1,1,1");
            } else if reader.peek().is_some_and(|c| c.is_ascii_digit()) {
                entries.push(reader.digit(10)?.to_string());
            } else {
                let start = reader.clone();
                let code = reader.digits(2, 36)?;
                let known = TAPA.iter().rev().find(|(_, first, _)| code >= *first);
                let (count, first, base) = known.ok_or_else(|| reader.since(&start, "this is no clue"))?;
                let mut left = code - first;
                let mut numbers = Vec::new();
                for _ in 0..*count {
                    let number = left % base;
                    left /= base;
                    numbers.push(if number == 0 { "?".to_owned() } else { number.to_string() });
                }
                if left > 0 {
                    return Err(reader.since(&start, "this is no clue"));
                }
                numbers.reverse();
                entries.push(numbers.join(","));
            }
            Ok(())
        })
    },
    write: |entries| {
        with_runs(entries, 'g', |entry| {
            if entry == "1,1,1,1" {
                return Ok("9".into());
            }
            let numbers: Vec<&str> = entry.split(',').collect();
            if let [one] = numbers[..] {
                return Ok(if one == "?" { ".".into() } else { number(one)?.to_string() });
            }
            let known = TAPA.iter().find(|(count, _, _)| *count == numbers.len());
            let Some((_, first, base)) = known else { return cannot(entry) };
            let mut code = 0;
            for one in &numbers {
                let digit = if *one == "?" { 0 } else { number(one)? };
                if digit >= *base {
                    return cannot(entry);
                }
                code = code * base + digit;
            }
            let code = first + code;
            Ok([base36(code / 36), base36(code % 36)].iter().collect())
        })
    },
};

// ---- swslither: digits, 5 for a sheep, 6 for a wolf

const ANIMALS: [(&str, &str); 2] = [("5", "S"), ("6", "W")];

pub(super) fn read_animals(reader: &mut Reader<'_>, board: &mut Board) -> Read<()> {
    let (rows, columns) = board.size;
    let entries = (NUMBER10.read)(reader, rows * columns)?;
    set_animals(board, entries);
    Ok(())
}

/// Digits of a board as clues and animals.
pub(super) fn set_animals(board: &mut Board, entries: Vec<String>) {
    let (rows, columns) = board.size;
    let (mut clue, mut animal) = (Grid::new(rows, columns), Grid::new(rows, columns));
    for (at, entry) in entries.into_iter().enumerate() {
        match ANIMALS.iter().find(|(digit, _)| *digit == entry) {
            Some((_, name)) => animal.entries[at] = (*name).into(),
            None => clue.entries[at] = if entry == "?" { String::new() } else { entry },
        }
    }
    board.set("clue", Item::Words(clue));
    board.set("animal", Item::Letters(animal));
}

pub(super) fn write_animals(board: &Board) -> Result<String, String> {
    let mut entries = board.grid("clue").ok_or("there is no `clue`")?.entries.clone();
    for (entry, animal) in entries.iter_mut().zip(board.grid("animal").iter().flat_map(|grid| &grid.entries))
    {
        match ANIMALS.iter().find(|(_, name)| name == animal) {
            Some(_) if !entry.is_empty() => {
                return Err("this form has no cell with a digit and an animal".into());
            }
            Some((digit, _)) => *entry = (*digit).into(),
            None => {}
        }
    }
    (NUMBER10.write)(&entries)
}

// ---- galaxies: cells outside the board

pub(super) fn read_holes(reader: &mut Reader<'_>, board: &mut Board) -> Read<()> {
    let (rows, columns) = board.size;
    let holes = (BINARY.read)(reader, rows * columns)?;
    let mut points = board.grid("clue").cloned().unwrap_or_else(|| Grid::new(2 * rows - 1, 2 * columns - 1));
    for at in (0..holes.len()).filter(|at| !holes[*at].is_empty()) {
        points.set(2 * (at / columns), 2 * (at % columns), "#");
    }
    board.set("clue", Item::Letters(points));
    Ok(())
}

pub(super) fn write_holes(board: &Board) -> Result<String, String> {
    let (rows, columns) = board.size;
    let points = board.grid("clue").ok_or("there is no `clue`")?;
    let hole = |at: usize| points.at(2 * (at / columns), 2 * (at % columns)) == "#";
    let holes: Vec<String> =
        (0..rows * columns).map(|at| if hole(at) { "1".into() } else { "".into() }).collect();
    if holes.iter().all(String::is_empty) { Ok(String::new()) } else { (BINARY.write)(&holes) }
}

// ---- kakuro: two numbers for each black cell, then those of the rim

const RIM: Frame = Frame::TopLeft;

/// 0-9, a-j for 10 to 19, A-Z for 20 to 45; 0 and `-` are no number.
fn read_total(reader: &mut Reader<'_>) -> Read<String> {
    let start = reader.clone();
    let number = match reader.next() {
        Some(c @ ('0'..='9' | 'a'..='j')) => c.to_digit(36),
        Some(c @ 'A'..='Z') => c.to_digit(36).map(|digit| digit + 10),
        Some('-') => Some(0),
        _ => None,
    };
    match number {
        Some(0) => Ok(String::new()),
        Some(number) => Ok(number.to_string()),
        None => Err(start.here("a sum was expected")),
    }
}

fn write_total(text: &str) -> Result<char, String> {
    let number = if text.is_empty() { 0 } else { text.parse().or_else(|_| cannot(text))? };
    match number {
        0..=19 => Ok(char::from_digit(number, 36).unwrap_or('0')),
        20..=45 => Ok(char::from_digit(number - 10, 36).unwrap_or('0').to_ascii_uppercase()),
        _ => cannot(text),
    }
}

pub(super) fn read_kakuro(reader: &mut Reader<'_>, board: &mut Board) -> Read<()> {
    let (rows, columns) = board.size;
    let (height, width, places) = Place::Inside(RIM).of(board.size);
    let mut grid = Grid::new(height, width);
    let mut next = 0;
    while next < places.len() && !reader.is_done() {
        if let Some(c) = reader.peek().filter(|c| ('k'..='z').contains(c)) {
            reader.next();
            next += c as usize - 'k' as usize + 1;
            continue;
        }
        grid.entries[places[next]] = if reader.eat('.') {
            "\\".to_owned()
        } else {
            let down = read_total(reader)?;
            format!("{down}\\{}", read_total(reader)?)
        };
        next += 1;
    }
    grid.set(0, 0, "\\");
    for column in 1..=columns {
        let open = grid.at(1, column).is_empty();
        let down = if open { read_total(reader)? } else { String::new() };
        grid.set(0, column, format!("{down}\\"));
    }
    for row in 1..=rows {
        let open = grid.at(row, 1).is_empty();
        let across = if open { read_total(reader)? } else { String::new() };
        grid.set(row, 0, format!("\\{across}"));
    }
    board.set("clue", Item::Words(grid));
    Ok(())
}

pub(super) fn write_kakuro(board: &Board) -> Result<String, String> {
    let grid = board.grid("clue").ok_or("there is no `clue`")?;
    // the outer row and column contain the clues
    let (rows, columns) = (grid.rows.saturating_sub(1), grid.columns.saturating_sub(1));
    let totals = |entry: &str| entry.split_once('\\').map(|(d, a)| (d.to_owned(), a.to_owned()));
    let mut text = String::new();
    let mut run = 0;
    for (row, column) in (1..=rows).flat_map(|r| (1..=columns).map(move |c| (r, c))) {
        let entry = grid.at(row, column);
        run += u8::from(entry.is_empty());
        if run > 0 && (!entry.is_empty() || run == 16) {
            text.push(char::from(b'k' + run - 1));
            run = 0;
        }
        match totals(entry) {
            _ if entry.is_empty() => {}
            Some((down, across)) if down.is_empty() && across.is_empty() => text.push('.'),
            Some((down, across)) => text.extend([write_total(&down)?, write_total(&across)?]),
            None => return cannot(entry),
        }
    }
    if run > 0 {
        text.push(char::from(b'k' + run - 1));
    }
    let rim = |row: usize, column: usize| totals(grid.at(row, column)).ok_or("the outer cells must be black");
    for column in (1..=columns).filter(|c| grid.at(1, *c).is_empty()) {
        text.push(write_total(&rim(0, column)?.0)?);
    }
    for row in (1..=rows).filter(|r| grid.at(*r, 1).is_empty()) {
        text.push(write_total(&rim(row, 0)?.1)?);
    }
    Ok(text)
}

// ---- nonogram: for each line half as many slots as cells, the last run first

fn slots((rows, columns): (usize, usize)) -> (usize, usize) {
    (rows.div_ceil(2), columns.div_ceil(2))
}

pub(super) fn read_runs(reader: &mut Reader<'_>, board: &mut Board) -> Read<()> {
    let (rows, columns) = board.size;
    let (down, across) = slots(board.size);
    let entries = (NUMBER16.read)(reader, columns * down + rows * across)?;
    let (top, left) = entries.split_at(columns * down);
    let line = |slots: &[String]| {
        let given = slots.iter().rev().filter(|run| !run.is_empty());
        let value = |run: &String| Item::Value(if run == "?" { "\"?\"".into() } else { run.clone() });
        let runs: Vec<Item> = given.map(value).filter(|run| *run != Item::number(0)).collect();
        // a line without any number is unconstrained; 0 is an empty line
        let blank = slots.iter().all(String::is_empty);
        Item::List(if blank { vec![Item::Value("\"*\"".into())] } else { runs })
    };
    board.set("across", Item::List(left.chunks(across).map(line).collect()));
    board.set("down", Item::List(top.chunks(down).map(line).collect()));
    Ok(())
}

pub(super) fn write_runs(board: &Board) -> Result<String, String> {
    let (down, across) = slots(board.size);
    let mut entries = Vec::new();
    for (name, slots) in [("down", down), ("across", across)] {
        for line in board.get(name).map_or(&[][..], Item::items) {
            let mut runs = line.entries();
            if runs.is_empty() {
                runs.push("0".into());
            }
            if runs == ["*"] {
                runs.clear();
            }
            if runs.len() > slots {
                return Err("this form has no line of so many runs".into());
            }
            runs.reverse();
            runs.resize(slots, String::new());
            entries.extend(runs);
        }
    }
    (NUMBER16.write)(&entries)
}

// ---- numbers of shaded cells: battleship, tilepaint

fn set_totals(board: &mut Board, down: &[String], across: &[String]) {
    board.set("across", Item::numbers(across));
    board.set("down", Item::numbers(down));
}

fn totals(board: &Board) -> Vec<String> {
    ["down", "across"].iter().flat_map(|name| board.get(name).map_or(Vec::new(), Item::entries)).collect()
}

pub(super) fn read_totals(reader: &mut Reader<'_>, board: &mut Board) -> Read<()> {
    let (rows, columns) = board.size;
    let entries = (NUMBER16.read)(reader, rows + columns)?;
    set_totals(board, &entries[..columns], &entries[columns..]);
    Ok(())
}

pub(super) fn write_totals(board: &Board) -> Result<String, String> {
    (NUMBER16.write)(&totals(board))
}

pub(super) fn read_lines(reader: &mut Reader<'_>, board: &mut Board) -> Read<()> {
    let (rows, columns) = board.size;
    let mut cells = 0;
    while cells < rows * columns && !reader.is_done() {
        match reader.peek() {
            Some(c @ 'g'..='z') => cells += c as usize - 'g' as usize + 1,
            _ => return Err(reader.here("`tilepaint` has no clues inside the board")),
        }
        reader.next();
    }
    let mut entries = Vec::new();
    for _ in 0..rows + columns {
        let digits = if reader.eat('-') { 2 } else { 1 };
        let given = !reader.is_done() && !reader.eat('.');
        entries.push(if given { reader.digits(digits, 16)?.to_string() } else { String::new() });
    }
    set_totals(board, &entries[..columns], &entries[columns..]);
    Ok(())
}

pub(super) fn write_lines(board: &Board) -> Result<String, String> {
    let mut text = (NUMBER16.write)(&vec![String::new(); board.size.0 * board.size.1])?;
    for total in totals(board) {
        let number: usize = if total.is_empty() { 0 } else { total.parse().or_else(|_| cannot(&total))? };
        match (total.as_str(), number) {
            ("", _) => text.push('.'),
            (_, 0..16) => text.push_str(&format!("{number:x}")),
            (_, 16..256) => text.push_str(&format!("-{number:x}")),
            _ => return cannot(&total),
        }
    }
    Ok(text)
}

// ---- pieces: width, height, then five cells in a digit of base 32

const TETROMINOES: &[&str] = &["14u", "23bg", "22u", "23f", "23eg"];
const PENTOMINOES: &[&str] =
    &["337k", "15v", "24as", "24bo", "23fg", "337i", "23rg", "334u", "335s", "33bk", "24bk", "337o"];
const TWO_TETROMINOES: &[&str] = &["14u", "14u", "23bg", "23bg", "22u", "22u", "23f", "23f", "23eg", "23eg"];
const FLEET3: &[&str] = &["11g", "11g", "11g", "21o", "21o", "31s"];
const FLEET4: &[&str] = &["11g", "11g", "11g", "11g", "21o", "21o", "21o", "31s", "31s", "41u"];
const FLEET5: &[&str] = &[
    "11g", "11g", "11g", "11g", "11g", "21o", "21o", "21o", "21o", "31s", "31s", "31s", "41u", "41u", "51v",
];

/// Standard sets of pieces with their letters, by genre.
const STATUE_SETS: &[(char, &[&str])] =
    &[('p', PENTOMINOES), ('t', TETROMINOES), ('d', TWO_TETROMINOES), ('z', &[])];
const FLEETS: &[(char, &[&str])] =
    &[('c', FLEET3), ('d', FLEET4), ('e', FLEET5), ('t', TETROMINOES), ('p', PENTOMINOES), ('z', &[])];

/// The set of statues for a letter.
pub(super) fn sets_of_statues(letter: &str) -> Option<&'static [&'static str]> {
    STATUE_SETS.iter().find(|(known, _)| letter.chars().eq([*known])).map(|(_, set)| *set)
}

/// Rows of `#` and `.`.
type Piece = Vec<String>;

pub(super) fn piece(text: &str) -> Option<Piece> {
    let mut digits = text.chars();
    let (width, height) = (digits.next()?.to_digit(36)? as usize, digits.next()?.to_digit(36)? as usize);
    let mut cells = Vec::new();
    for digit in digits {
        let digit = digit.to_digit(32)?;
        cells.extend((0..5).map(|i| digit & (16 >> i) != 0));
    }
    cells.resize(width * height, false);
    let glyph = |cell: &bool| if *cell { '#' } else { '.' };
    (width > 0 && height > 0)
        .then(|| cells.chunks(width).map(|row| row.iter().map(glyph).collect()).collect())
}

fn piece_text(piece: &Piece) -> Result<String, String> {
    let (height, width) = (piece.len(), piece.first().map_or(0, |row| row.chars().count()));
    if height == 0 || width == 0 || height.max(width) > 35 {
        return Err("this form has no piece of that size".into());
    }
    let digit = |size: usize| char::from_digit(size as u32, 36).unwrap_or('0');
    let mut text: String = [digit(width), digit(height)].iter().collect();
    let cells: Vec<bool> =
        piece.iter().flat_map(|row| row.chars().map(|c| !matches!(c, '.' | ' '))).collect();
    for five in cells.chunks(5) {
        let value = five.iter().enumerate().map(|(i, cell)| u32::from(*cell) << (4 - i)).sum();
        text.extend(char::from_digit(value, 32));
    }
    Ok(text.trim_end_matches('0').to_owned())
}

/// `//LETTER`, or `/COUNT/PIECE/PIECE…`.
fn read_pieces(reader: &mut Reader<'_>, sets: &[(char, &[&str])]) -> Read<Vec<Piece>> {
    reader.expect('/')?;
    if reader.eat('/') {
        let start = reader.clone();
        let set = reader.next().and_then(|c| sets.iter().find(|(letter, _)| *letter == c));
        let (_, set) = set.ok_or_else(|| start.here("this letter stands for no set of pieces"))?;
        return Ok(set.iter().filter_map(|text| piece(text)).collect());
    }
    let count = reader.number()?;
    let mut pieces = Vec::new();
    for _ in 0..count {
        reader.expect('/')?;
        let start = reader.clone();
        let text = reader.take_while(|c| c != '/');
        pieces.push(piece(text).ok_or_else(|| reader.since(&start, "this is no piece"))?);
    }
    Ok(pieces)
}

fn write_pieces(pieces: &[Piece], sets: &[(char, &[&str])]) -> Result<String, String> {
    let texts: Vec<String> = pieces.iter().map(piece_text).collect::<Result<_, _>>()?;
    if let Some((letter, _)) = sets.iter().find(|(_, set)| texts == *set) {
        return Ok(format!("//{letter}"));
    }
    Ok(format!("/{}{}", texts.len(), texts.iter().map(|text| format!("/{text}")).collect::<String>()))
}

pub(super) fn read_fleet(reader: &mut Reader<'_>, board: &mut Board) -> Read<()> {
    let start = reader.clone();
    let mut fleet = Vec::new();
    for ship in read_pieces(reader, FLEETS)? {
        let (height, width) = (ship.len(), ship[0].len());
        if height.min(width) != 1 || ship.iter().any(|row| row.contains('.')) {
            return Err(reader.since(&start, "a ship of `battleship` is straight, but here is another piece"));
        }
        fleet.push(Item::number(height * width));
    }
    board.set("fleet", Item::List(fleet));
    Ok(())
}

pub(super) fn write_fleet(board: &Board) -> Result<String, String> {
    let lengths = board.get("fleet").map_or(Vec::new(), Item::entries);
    let ship = |length: &String| Ok(vec!["#".repeat(length.parse().or_else(|_| cannot(length))?)]);
    write_pieces(&lengths.iter().map(ship).collect::<Result<Vec<_>, String>>()?, FLEETS)
}

pub(super) fn read_statues(reader: &mut Reader<'_>, board: &mut Board) -> Read<()> {
    let pieces = read_pieces(reader, STATUE_SETS)?;
    let quoted = |row: &String| Item::Value(format!("\"{row}\""));
    let statue = |piece: &Piece| Item::List(piece.iter().map(quoted).collect());
    board.set("statues", Item::List(pieces.iter().map(statue).collect()));
    Ok(())
}

pub(super) fn write_statues(board: &Board) -> Result<String, String> {
    let statues = board.get("statues").map_or(&[][..], Item::items);
    let pieces: Vec<Piece> = statues.iter().map(Item::entries).collect();
    write_pieces(&pieces, STATUE_SETS)
}
