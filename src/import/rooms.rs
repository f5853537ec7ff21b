//! Rooms: the borders between cells ↔ one letter for each room.

use super::board::{Board, Grid};
use super::reader::{Read, Reader};

/// Cells joined where there is no border. Each cell has the number of its room; rooms are numbered by their
/// first cell.
pub(super) struct Joined {
    parents: Vec<usize>,
}

impl Joined {
    pub fn new(cells: usize) -> Joined {
        Joined { parents: (0..cells).collect() }
    }

    fn root(&mut self, mut cell: usize) -> usize {
        while self.parents[cell] != cell {
            self.parents[cell] = self.parents[self.parents[cell]];
            cell = self.parents[cell];
        }
        cell
    }

    pub fn join(&mut self, a: usize, b: usize) {
        let (a, b) = (self.root(a), self.root(b));
        // the first cell is the root, because rooms are numbered by it
        self.parents[a.max(b)] = a.min(b);
    }

    pub fn rooms(mut self) -> Vec<usize> {
        let roots: Vec<usize> = (0..self.parents.len()).map(|cell| self.root(cell)).collect();
        let mut numbers = vec![usize::MAX; roots.len()];
        let mut next = 0;
        for (cell, root) in roots.iter().enumerate() {
            if cell == *root {
                numbers[cell] = next;
                next += 1;
            }
        }
        roots.into_iter().map(|root| numbers[root]).collect()
    }
}

/// The letter of a room: letters of the alphabets first, then other single glyphs.
fn letter(room: usize) -> char {
    let known = ('a'..='z').chain('A'..='Z').chain('0'..='9').chain('α'..='ω').chain('а'..='я');
    // CJK ideographs: with those of the second plane as many as a board may have rooms
    let rare = ('\u{4e00}'..='\u{9fff}').chain('\u{20000}'..='\u{2b738}');
    known.chain(rare).nth(room).unwrap_or('?')
}

/// A picture of rooms.
pub(super) fn letters(rooms: &[usize], columns: usize) -> Grid {
    let mut names: Vec<char> = Vec::new();
    for room in rooms {
        while names.len() <= *room {
            names.push(letter(names.len()));
        }
    }
    let entries = rooms.iter().map(|room| names[*room].to_string()).collect();
    Grid { rows: rooms.len() / columns, columns, entries }
}

/// The picture of the rooms of a board.
pub(super) fn of(board: &Board) -> Result<&Grid, String> {
    board.grid("room").ok_or_else(|| "there is no `room`".to_owned())
}

/// The first cell of every room, in reading order.
pub(super) fn firsts(room: Option<&Grid>) -> Vec<usize> {
    let mut seen = std::collections::HashSet::new();
    let entries = room.map_or(&[][..], |grid| &grid.entries);
    (0..entries.len()).filter(|at| seen.insert(&entries[*at])).collect()
}

/// The pairs of cells on both sides of vertical borders row by row, then of horizontal ones row by row.
pub(super) fn borders((rows, columns): (usize, usize)) -> (Vec<(usize, usize)>, Vec<(usize, usize)>) {
    let cell = move |r: usize, c: usize| r * columns + c;
    let vertical = (0..rows).flat_map(|r| (1..columns).map(move |c| (cell(r, c - 1), cell(r, c))));
    let horizontal = (1..rows).flat_map(|r| (0..columns).map(move |c| (cell(r - 1, c), cell(r, c))));
    (vertical.collect(), horizontal.collect())
}

/// The pairs of cells without a border between them, five in a digit of base 32: vertical borders, then
/// horizontal ones (pzpr). Without any digit there is no border.
pub(super) fn read_gaps(reader: &mut Reader<'_>, size: (usize, usize)) -> Read<Vec<(usize, usize)>> {
    let mut gaps = Vec::new();
    let (vertical, horizontal) = borders(size);
    let is_bare = reader.is_done();
    for side in [vertical, horizontal] {
        for five in side.chunks(5) {
            let digit = if is_bare { 0 } else { reader.digit(32)? };
            let open = five.iter().enumerate().filter(|(i, _)| digit & (16 >> i) == 0);
            gaps.extend(open.map(|(_, pair)| *pair));
        }
    }
    Ok(gaps)
}

/// The room number of every cell.
pub(super) fn read_borders(reader: &mut Reader<'_>, size: (usize, usize)) -> Read<Vec<usize>> {
    let mut joined = Joined::new(size.0 * size.1);
    read_gaps(reader, size)?.into_iter().for_each(|(a, b)| joined.join(a, b));
    Ok(joined.rooms())
}

pub(super) fn write_borders(room: &Grid) -> String {
    let (vertical, horizontal) = borders((room.rows, room.columns));
    let differ = |(a, b): &(usize, usize)| room.entries[*a] != room.entries[*b];
    let mut text = String::new();
    for side in [vertical, horizontal] {
        for five in side.chunks(5) {
            let digit: u32 =
                five.iter().enumerate().map(|(i, pair)| u32::from(differ(pair)) << (4 - i)).sum();
            text.extend(char::from_digit(digit, 32));
        }
    }
    text
}
