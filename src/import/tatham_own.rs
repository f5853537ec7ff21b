//! Descriptions of Simon Tatham's collection that occur in one genre only; those with rooms are in
//! `tatham_rooms`.

use super::board::{Board, Grid, Item};
use super::codes::cannot;
use super::reader::{Read, Reader};
use super::steps::{Frame, Place};
use super::tatham_codes::{CHARACTERS, DECIMALS};

fn grid<'b>(board: &'b Board, name: &str) -> Result<&'b Grid, String> {
    board.grid(name).ok_or_else(|| format!("there is no `{name}`"))
}

// ---- filling: numbers up to 9

pub(super) fn read_top(_: &mut Reader<'_>, board: &mut Board) -> Read<()> {
    board.set("top", Item::number(board_cells(board).min(9)));
    Ok(())
}

fn board_cells(board: &Board) -> usize {
    board.size.0 * board.size.1
}

pub(super) fn write_top(board: &Board) -> Result<String, String> {
    match board.number("top") {
        Some(top) if top == board_cells(board).min(9) => Ok(String::new()),
        _ => Err("this form is for areas of 1 to 9 cells: `top = 9`".into()),
    }
}

// ---- dominosa: one digit for each cell, longer numbers in brackets

pub(super) fn read_dominosa(reader: &mut Reader<'_>, board: &mut Board) -> Read<()> {
    let n = board.size.0;
    let mut grid = Grid::new(n + 1, n + 2);
    for at in 0..grid.entries.len() {
        let start = reader.clone();
        let number = if reader.eat('[') {
            let number = reader.number()?;
            reader.expect(']')?;
            number
        } else {
            reader.digit(10)?
        };
        if number > n {
            return Err(reader.since(&start, format!("the numbers are 0 to {n}")));
        }
        grid.entries[at] = number.to_string();
    }
    board.set("n", Item::number(n));
    board.set("clue", Item::Words(grid));
    Ok(())
}

pub(super) fn write_dominosa(board: &Board) -> Result<String, String> {
    let entry = |entry: &String| if entry.len() > 1 { format!("[{entry}]") } else { entry.clone() };
    Ok(grid(board, "clue")?.entries.iter().map(entry).collect())
}

// ---- unequal: a number and signs for each cell

/// The letter of the description, the direction to the neighbour, the sign between.
const SIGNS: [(char, (isize, isize), &str); 4] =
    [('U', (-1, 0), "^"), ('R', (0, 1), ">"), ('D', (1, 0), "v"), ('L', (0, -1), "<")];
/// Between neighbours whose numbers differ by one.
const BAR: &str = "o";

/// The entry one step from a cell's entry, in a picture with places between cells.
fn between(grid: &Grid, cell: (usize, usize), way: (isize, isize)) -> Option<(usize, usize)> {
    let row = (2 * cell.0).checked_add_signed(way.0).filter(|row| *row < grid.rows)?;
    let column = (2 * cell.1).checked_add_signed(way.1).filter(|column| *column < grid.columns)?;
    Some((row, column))
}

pub(super) fn read_unequal(reader: &mut Reader<'_>, board: &mut Board) -> Read<()> {
    let n = board.size.0;
    if n > 9 {
        return Err(reader.here("`futoshiki` has digits 1 to 9"));
    }
    let adjacent = board.get("_a").is_some();
    board.model = if adjacent { "renzoku" } else { board.model };
    let mut grid = Grid::new(2 * n - 1, 2 * n - 1);
    for at in 0..grid.entries.len() {
        let is_cell = (at / grid.columns) % 2 + (at % grid.columns) % 2 == 0;
        grid.entries[at] = if is_cell { "." } else { " " }.into();
    }
    for cell in (0..n).flat_map(|r| (0..n).map(move |c| (r, c))) {
        let start = reader.clone();
        let number = reader.number()?;
        if number > n {
            return Err(reader.since(&start, format!("the numbers are 1 to {n}")));
        }
        if number > 0 {
            grid.set(2 * cell.0, 2 * cell.1, number.to_string());
        }
        while let Some((_, way, sign)) = SIGNS.iter().find(|(letter, _, _)| reader.peek() == Some(*letter)) {
            let place = between(&grid, cell, *way);
            let (row, column) = place.ok_or_else(|| reader.here("there is no cell on that side"))?;
            grid.set(row, column, if adjacent { BAR } else { *sign });
            reader.next();
        }
        reader.expect(',')?;
    }
    board.set("clue", Item::Letters(grid));
    Ok(())
}

pub(super) fn write_unequal(board: &Board) -> Result<String, String> {
    let n = board.size.0;
    let grid = grid(board, "clue")?;
    let adjacent = board.model == "renzoku";
    let mut text = String::new();
    for cell in (0..n).flat_map(|r| (0..n).map(move |c| (r, c))) {
        let number = grid.at(2 * cell.0, 2 * cell.1);
        text.push_str(if number.parse::<u8>().is_ok() { number } else { "0" });
        for (letter, way, sign) in SIGNS {
            let wanted = if adjacent { BAR } else { sign };
            if between(grid, cell, way).is_some_and(|(row, column)| grid.at(row, column) == wanted) {
                text.push(letter);
            }
        }
        text.push(',');
    }
    Ok(text)
}

// ---- towers: known towers, if any

pub(super) fn read_towers(reader: &mut Reader<'_>, board: &mut Board) -> Read<()> {
    if reader.eat(',') {
        let (rows, columns, places) = Place::Inside(Frame::Round).of(board.size);
        let entries = (DECIMALS.read)(reader, places.len())?;
        let grid = board.grid_mut("clue", rows, columns);
        for (at, entry) in places.into_iter().zip(entries) {
            grid.entries[at] = entry;
        }
    }
    Ok(())
}

pub(super) fn write_towers(board: &Board) -> Result<String, String> {
    let grid = grid(board, "clue")?;
    let (_, _, places) = Place::Inside(Frame::Round).of(board.size);
    let entries: Vec<String> = places.into_iter().map(|at| grid.entries[at].clone()).collect();
    if entries.iter().all(String::is_empty) {
        return Ok(String::new());
    }
    Ok(format!(",{}", (DECIMALS.write)(&entries)?))
}

// ---- pattern: runs of columns, then of rows

pub(super) fn read_pattern(reader: &mut Reader<'_>, board: &mut Board) -> Read<()> {
    let (rows, columns) = board.size;
    let mut lines = Vec::new();
    for line in 0..rows + columns {
        if line > 0 {
            reader.expect('/')?;
        }
        let mut runs = Vec::new();
        while reader.peek().is_some_and(|c| c.is_ascii_digit()) {
            runs.push(Item::number(reader.number()?));
            reader.eat('.');
        }
        lines.push(Item::List(runs));
    }
    board.set("across", Item::List(lines.split_off(columns)));
    board.set("down", Item::List(lines));
    Ok(())
}

pub(super) fn write_pattern(board: &Board) -> Result<String, String> {
    let mut lines = Vec::new();
    for name in ["down", "across"] {
        for line in board.get(name).map_or(&[][..], Item::items) {
            let runs = line.entries();
            if let Some(odd) = runs.iter().find(|run| run.parse::<usize>().is_err()) {
                return cannot(odd);
            }
            lines.push(runs.into_iter().filter(|run| run != "0").collect::<Vec<_>>().join("."));
        }
    }
    Ok(lines.join("/"))
}

// ---- magnets: counts of plus above and to the left, of minus below and to the right, then halves of dominoes

/// The places of an outside line, in the order of the description.
fn magnet_lines((rows, columns): (usize, usize)) -> [Vec<(usize, usize)>; 4] {
    [
        (1..=columns).map(|c| (0, c)).collect(),
        (1..=rows).map(|r| (r, 0)).collect(),
        (1..=columns).map(|c| (rows + 1, c)).collect(),
        (1..=rows).map(|r| (r, columns + 1)).collect(),
    ]
}

pub(super) fn read_magnets(reader: &mut Reader<'_>, board: &mut Board) -> Read<()> {
    let (rows, columns) = board.size;
    let mut grid = Grid::new(rows + 2, columns + 2);
    for line in magnet_lines(board.size) {
        for (row, column) in line {
            if !reader.eat('.') {
                grid.set(row, column, reader.digit(36)?.to_string());
            }
        }
        reader.expect(',')?;
    }
    for (row, column) in (1..=rows).flat_map(|r| (1..=columns).map(move |c| (r, c))) {
        let half = reader.peek().filter(|c| "LRTB*".contains(*c));
        let other = |r: usize, c: usize| grid.at(r, c);
        let fits = match half {
            Some('R') => other(row, column - 1) == "L",
            Some('B') => other(row - 1, column) == "T",
            Some('L') => column < columns,
            Some('T') => row < rows,
            _ => half.is_some(),
        };
        // the second half of an earlier cell's domino
        let open = other(row, column - 1) == "L" && half != Some('R')
            || other(row - 1, column) == "T" && half != Some('B');
        let Some(half) = half.filter(|_| fits && !open) else {
            return Err(reader.here("a half of a domino was expected that fits the others"));
        };
        reader.next();
        grid.set(row, column, half);
    }
    board.set("clue", Item::Words(grid));
    Ok(())
}

pub(super) fn write_magnets(board: &Board) -> Result<String, String> {
    let (rows, columns) = board.size;
    let grid = grid(board, "clue")?;
    let mut text = String::new();
    for line in magnet_lines(board.size) {
        for (row, column) in line {
            let entry = grid.at(row, column);
            match entry.parse().ok().and_then(|number| char::from_digit(number, 36)) {
                Some(digit) => text.push(digit),
                None if entry.is_empty() => text.push('.'),
                None => return cannot(entry),
            }
        }
        text.push(',');
    }
    let cells = (1..=rows).flat_map(|r| (1..=columns).map(move |c| (r, c)));
    Ok(cells.fold(text, |text, (row, column)| text + grid.at(row, column)))
}

// ---- signpost: an arrow for each cell, a number before it if given

const ARROWS: &str = "↑↗→↘↓↙←↖";

pub(super) fn read_signpost(reader: &mut Reader<'_>, board: &mut Board) -> Read<()> {
    let (rows, columns) = board.size;
    let (mut arrows, mut clues) = (Grid::new(rows, columns), Grid::new(rows, columns));
    for at in 0..rows * columns {
        let start = reader.clone();
        if reader.peek().is_some_and(|c| c.is_ascii_digit()) {
            clues.entries[at] = reader.number()?.to_string();
        }
        let way = reader.next().and_then(|c| (c as usize).checked_sub('a' as usize));
        let arrow = way.and_then(|way| ARROWS.chars().nth(way));
        let arrow = arrow.ok_or_else(|| start.here("a direction, a to h, was expected"))?;
        // the last cell's arrow has no meaning
        let last = clues.entries[at].parse() == Ok(rows * columns);
        arrows.entries[at] = if last { String::new() } else { arrow.to_string() };
    }
    board.set("arrow", Item::Letters(arrows));
    board.set("clue", Item::Words(clues));
    Ok(())
}

pub(super) fn write_signpost(board: &Board) -> Result<String, String> {
    let (arrows, clues) = (grid(board, "arrow")?, grid(board, "clue")?);
    let mut text = String::new();
    for (arrow, clue) in arrows.entries.iter().zip(&clues.entries) {
        let way = ARROWS.chars().position(|c| arrow.starts_with(c)).unwrap_or(0);
        text.push_str(clue);
        text.push(char::from(b'a' + way as u8));
    }
    Ok(text)
}

// ---- net and tracks: pipes by their open sides, right 1, up 2, left 4, down 8

const TILES: &str = ".╺╹┗╸━┛┻╻┏┃┣┓┳┫╋";

fn tile(sides: usize) -> String {
    TILES.chars().nth(sides).map_or_else(String::new, String::from)
}

fn sides(tile: &str) -> Option<char> {
    let sides = TILES.chars().position(|c| tile.starts_with(c))?;
    char::from_digit(sides as u32, 16)
}

pub(super) fn read_net(reader: &mut Reader<'_>, board: &mut Board) -> Read<()> {
    let (rows, columns) = board.size;
    if board.flag("wrap") && rows.min(columns) < 3 {
        return Err(reader.here("a board that wraps has three rows and columns at least"));
    }
    let mut grid = Grid::new(rows, columns);
    for at in 0..rows * columns {
        let start = reader.clone();
        grid.entries[at] = match reader.digit(16)? {
            sides @ 1..15 => tile(sides),
            _ => return Err(start.here("a tile has one to three open sides")),
        };
        if matches!(reader.peek(), Some('v' | 'h')) {
            return Err(reader.here("`pipes` has no walls"));
        }
    }
    board.set("clue", Item::Letters(grid));
    Ok(())
}

pub(super) fn write_net(board: &Board) -> Result<String, String> {
    grid(board, "clue")?.entries.iter().map(|tile| sides(tile).ok_or_else(|| tile.clone())).collect()
}

pub(super) fn read_tracks(reader: &mut Reader<'_>, board: &mut Board) -> Read<()> {
    let (rows, columns) = board.size;
    let (height, width, places) = Place::Inside(Frame::Round).of(board.size);
    let mut grid = Grid::new(height, width);
    let entries = (CHARACTERS.read)(reader, places.len())?;
    for (at, entry) in places.into_iter().zip(entries).filter(|(_, entry)| !entry.is_empty()) {
        let sides = usize::from_str_radix(&entry, 16).ok().filter(|sides| sides.count_ones() == 2);
        grid.entries[at] = tile(sides.ok_or_else(|| reader.here(format!("`{entry}` is no track")))?);
    }
    let start = reader.clone();
    let mut stations = 0;
    let tops = (1..=columns).map(|c| ((0, c), (rows + 1, c), "B"));
    for ((row, column), station, name) in tops.chain((1..=rows).map(|r| ((r, columns + 1), (r, 0), "A"))) {
        reader.expect(',')?;
        if reader.eat('S') {
            stations += if name == "A" { 1 } else { 16 };
            grid.set(station.0, station.1, name);
        }
        grid.set(row, column, reader.number()?.to_string());
    }
    if stations != 17 {
        return Err(reader.since(&start, "one row and one column have an `S`"));
    }
    board.set("clue", Item::Words(grid));
    Ok(())
}

pub(super) fn write_tracks(board: &Board) -> Result<String, String> {
    let (rows, columns) = board.size;
    let grid = grid(board, "clue")?;
    let (_, _, places) = Place::Inside(Frame::Round).of(board.size);
    let side = |at: usize| sides(&grid.entries[at]).map_or(String::new(), |c| c.to_ascii_uppercase().into());
    let entries: Vec<String> = places.into_iter().map(side).collect();
    let mut text = (CHARACTERS.write)(&entries)?;
    let tops = (1..=columns).map(|c| ((0, c), (rows + 1, c), "B"));
    for ((row, column), station, name) in tops.chain((1..=rows).map(|r| ((r, columns + 1), (r, 0), "A"))) {
        text.push_str(if grid.at(station.0, station.1) == name { ",S" } else { "," });
        text.push_str(grid.at(row, column));
    }
    Ok(text)
}

// ---- undead: the number of each monster, mirrors, visible counts clockwise from the upper left

/// The outside places, clockwise.
fn round((rows, columns): (usize, usize)) -> impl Iterator<Item = (usize, usize)> {
    let top = (1..=columns).map(|c| (0, c));
    let right = (1..=rows).map(move |r| (r, columns + 1));
    let bottom = (1..=columns).rev().map(move |c| (rows + 1, c));
    top.chain(right).chain(bottom).chain((1..=rows).rev().map(|r| (r, 0)))
}

const MONSTERS: [&str; 3] = ["ghosts", "vampires", "zombies"];

pub(super) fn read_undead(reader: &mut Reader<'_>, board: &mut Board) -> Read<()> {
    for name in MONSTERS {
        let number = reader.number()?;
        board.set(name, Item::number(number));
        reader.expect(',')?;
    }
    let (height, width, places) = Place::Inside(Frame::Round).of(board.size);
    let mut grid = Grid::new(height, width);
    let start = reader.clone();
    for (at, entry) in places.iter().zip((CHARACTERS.read)(reader, places.len())?) {
        grid.entries[*at] = match entry.as_str() {
            "" => String::new(),
            "L" => "\\".into(),
            "R" => "/".into(),
            _ => return Err(reader.since(&start, "a mirror is `L` or `R`")),
        };
    }
    for (row, column) in round(board.size) {
        reader.expect(',')?;
        grid.set(row, column, reader.number()?.to_string());
    }
    board.set("clue", Item::Words(grid));
    Ok(())
}

pub(super) fn write_undead(board: &Board) -> Result<String, String> {
    let grid = grid(board, "clue")?;
    let counts = MONSTERS.map(|name| format!("{},", board.value(name).unwrap_or("0")));
    let (_, _, places) = Place::Inside(Frame::Round).of(board.size);
    let mirror = |at: usize| match grid.entries[at].as_str() {
        "\\" => "L".to_owned(),
        "/" => "R".to_owned(),
        _ => String::new(),
    };
    let cells = (CHARACTERS.write)(&places.into_iter().map(mirror).collect::<Vec<_>>())?;
    let mut text = counts.concat() + &cells;
    for (row, column) in round(board.size) {
        let seen = grid.at(row, column);
        if seen.is_empty() {
            return Err("this form has a number at every place outside".into());
        }
        text.push_str(&format!(",{seen}"));
    }
    Ok(text)
}
