//! Parts of puzz.link bodies with borders between cells that occur in one genre only.

use super::board::{Board, Grid, Item};
use super::codes::{BINARY, CIRCLE, Code, NUMBER16, around_runs, cannot, number, with_runs};
use super::reader::{Read, Reader};
use super::rooms::{self, Joined};

// ---- fourcells, fivecells: palisade with rooms of 4 or 5 cells

pub(super) fn read_four(_: &mut Reader<'_>, board: &mut Board) -> Read<()> {
    board.set("k", Item::number(4));
    Ok(())
}

pub(super) fn read_five(_: &mut Reader<'_>, board: &mut Board) -> Read<()> {
    board.set("k", Item::number(5));
    Ok(())
}

pub(super) fn write_four(board: &Board) -> Result<String, String> {
    of_size(board, 4)
}

pub(super) fn write_five(board: &Board) -> Result<String, String> {
    of_size(board, 5)
}

fn of_size(board: &Board, size: usize) -> Result<String, String> {
    match board.number("k") {
        Some(k) if k == size => Ok(String::new()),
        _ => Err("this form has rooms of 4 or 5 cells".into()),
    }
}

// ---- makaro: borders, then numbers less one and black cells, `#` or an arrow, in the picture of the rooms

/// Black cells by their digit: a without arrow, then up, down, left, right.
const BLACK: &str = "#^v<>";

const MAKARO: Code = Code {
    read: |reader, length| {
        around_runs(reader, length, 'g', |entries, reader| {
            let black =
                reader.peek().and_then(|c| BLACK.chars().nth((c as usize).wrapping_sub('a' as usize)));
            if let Some(black) = black {
                reader.next();
                entries.push(black);
            } else {
                let digits = if reader.eat('-') { 2 } else { 1 };
                entries.push((reader.digits(digits, 10)? + 1).to_string());
            }
            Ok(())
        })
    },
    write: |entries| {
        with_runs(entries, 'g', |entry| {
            if let Some(black) = BLACK.find(entry) {
                return Ok(char::from(b'a' + black as u8).to_string());
            }
            match number(entry)?.checked_sub(1) {
                Some(n @ 0..10) => Ok(n.to_string()),
                Some(n @ 10..100) => Ok(format!("-{n}")),
                _ => cannot(entry),
            }
        })
    },
};

pub(super) fn read_makaro(reader: &mut Reader<'_>, board: &mut Board) -> Read<()> {
    let (rows, columns) = board.size;
    let mut room = rooms::letters(&rooms::read_borders(reader, board.size)?, columns);
    let mut clue = Grid::new(rows, columns);
    for (at, entry) in (MAKARO.read)(reader, rows * columns)?.into_iter().enumerate() {
        let is_black = !entry.is_empty() && BLACK.contains(&entry);
        let picture = if is_black { &mut room } else { &mut clue };
        if is_black || !entry.is_empty() {
            picture.entries[at] = entry;
        }
    }
    board.set("room", Item::Letters(room));
    board.set("clue", Item::Words(clue));
    Ok(())
}

pub(super) fn write_makaro(board: &Board) -> Result<String, String> {
    let mut room = rooms::of(board)?.clone();
    let mut entries =
        board.grid("clue").map_or(vec![String::new(); room.entries.len()], |g| g.entries.clone());
    for (at, name) in room.entries.iter_mut().enumerate().filter(|(_, name)| BLACK.contains(name.as_str())) {
        // a black cell has borders on all sides, also to the next black cell
        entries[at] = std::mem::replace(name, format!("{at}"));
    }
    Ok(rooms::write_borders(&room) + &(MAKARO.write)(&entries)?)
}

// ---- double-back: borders, then cells that are none, `#` in the picture of the rooms

pub(super) fn read_holes(reader: &mut Reader<'_>, board: &mut Board) -> Read<()> {
    let (rows, columns) = board.size;
    let gaps = rooms::read_gaps(reader, board.size)?;
    let holes = (BINARY.read)(reader, rows * columns)?;
    let is_open = |at: &usize| holes[*at].is_empty();
    let mut joined = Joined::new(rows * columns);
    gaps.iter().filter(|(a, b)| is_open(a) && is_open(b)).for_each(|(a, b)| joined.join(*a, *b));
    // a hole is no room, and takes no letter
    let numbers = joined.rooms();
    let firsts = numbers.iter().enumerate().map(|(at, room)| (at, *room)).filter(|(at, _)| is_open(at));
    let mut open: Vec<usize> = firsts.map(|(_, room)| room).collect();
    open.sort_unstable();
    open.dedup();
    let letters: Vec<usize> = numbers.iter().map(|room| open.binary_search(room).unwrap_or(0)).collect();
    let mut room = rooms::letters(&letters, columns);
    for (at, name) in room.entries.iter_mut().enumerate() {
        if !is_open(&at) {
            *name = "#".to_owned();
        }
    }
    board.set("room", Item::Letters(room));
    Ok(())
}

pub(super) fn write_holes(board: &Board) -> Result<String, String> {
    let room = rooms::of(board)?;
    let holes: Vec<String> =
        room.entries.iter().map(|name| if name == "#" { "1" } else { "" }.to_owned()).collect();
    Ok(rooms::write_borders(room) + &(BINARY.write)(&holes)?)
}

// ---- magnets: the counts of minus and plus poles in each column and row, then borders of dominoes

/// The positions of the numbers in the picture, in the order of the body.
fn poles((rows, columns): (usize, usize)) -> Vec<(usize, usize)> {
    let down = (1..=columns).flat_map(|c| [(rows + 1, c), (0, c)]);
    down.chain((1..=rows).flat_map(|r| [(r, columns + 1), (r, 0)])).collect()
}

pub(super) fn read_magnets(reader: &mut Reader<'_>, board: &mut Board) -> Read<()> {
    let (rows, columns) = board.size;
    let mut grid = Grid::new(rows + 2, columns + 2);
    let places = poles(board.size);
    for ((row, column), entry) in places.iter().zip((NUMBER16.read)(reader, places.len())?) {
        grid.set(*row, *column, if entry == "?" { String::new() } else { entry });
    }
    let start = reader.clone();
    let gaps = rooms::read_gaps(reader, board.size)?;
    let borders = reader.clone();
    let given = (CIRCLE.read)(reader, rows * columns)?;
    if given.iter().any(|pole| !pole.is_empty()) {
        return Err(reader.since(&borders, "`magnets` has no clue inside the board"));
    }
    let holes = (BINARY.read)(reader, rows * columns)?;
    let mut halves: Vec<String> =
        holes.iter().map(|hole| if hole.is_empty() { "" } else { "*" }.into()).collect();
    for (a, b) in gaps.into_iter().filter(|(a, b)| holes[*a].is_empty() && holes[*b].is_empty()) {
        let (first, second) = if b == a + 1 { ("L", "R") } else { ("T", "B") };
        halves[a] += first;
        halves[b] += second;
    }
    if halves.iter().any(|half| half.len() != 1) {
        return Err(borders.since(&start, "`magnets` has dominoes, but here is another piece"));
    }
    for (at, half) in halves.into_iter().enumerate() {
        grid.set(at / columns + 1, at % columns + 1, half);
    }
    board.set("clue", Item::Words(grid));
    Ok(())
}

pub(super) fn write_magnets(board: &Board) -> Result<String, String> {
    let grid = board.grid("clue").ok_or("there is no `clue`")?;
    let (rows, columns) = board.size;
    let numbers: Vec<String> = poles(board.size).into_iter().map(|(r, c)| grid.at(r, c).into()).collect();
    let cells = || (0..rows * columns).map(|at| (at, grid.at(at / columns + 1, at % columns + 1)));
    // a domino has the number of its first half
    let first = |(at, half): (usize, &str)| match half {
        "R" => at.checked_sub(1),
        "B" => at.checked_sub(columns),
        _ => Some(at),
    };
    let firsts = cells().map(|cell| Some(first(cell)?.to_string()));
    let entries = firsts.collect::<Option<_>>().ok_or("half a domino stands alone in `clue`")?;
    let room = Grid { rows, columns, entries };
    let holes: Vec<String> =
        cells().map(|(_, half)| if half == "*" { "1".into() } else { String::new() }).collect();
    let mut text = (NUMBER16.write)(&numbers)? + &rooms::write_borders(&room);
    if holes.iter().any(|hole| !hole.is_empty()) {
        text += &(CIRCLE.write)(&vec![String::new(); rows * columns])?;
        text += &(BINARY.write)(&holes)?;
    }
    Ok(text)
}
