//! The structure of a short text, step by step. One row of a table describes both reading and writing.

use super::board::{Board, Item};
use super::codes::{Code, NUMBER16};
use super::reader::{Read, Reader};
use super::rooms;

/// One part of a text.
pub(super) enum Step {
    /// Entries of the picture of a parameter.
    Cells(Field),
    /// The same, omitted if all entries are empty.
    Optional(Field),
    /// Borders between rooms, as the picture `room`.
    Rooms,
    /// One number for each room in order of their first cells, in the picture `clue`.
    RoomNumbers,
    /// A number before `/`.
    Number(&'static str),
    /// Anything else.
    Own(fn(&mut Reader<'_>, &mut Board) -> Read<()>, fn(&Board) -> Result<String, String>),
}

/// Entries of one parameter in one code.
pub(super) struct Field {
    pub param: &'static str,
    pub place: Place,
    pub code: Code,
    /// Entries that differ in code and picture: (code, picture).
    pub names: &'static [(&'static str, &'static str)],
}

/// The picture's name for a code entry that no model of the genre supports.
pub(super) const REFUSED: &str = "!";

/// Additional rows and columns around the cells, in the picture of a parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Frame {
    Bare,
    /// Above and to the left.
    TopLeft,
    /// On all sides.
    Round,
}

/// A subset of a picture's entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Place {
    /// The cells inside the frame.
    Inside(Frame),
    /// The entries around them: above, below, left, right, as far as the frame has them.
    Outside(Frame),
    /// The corners of cells.
    Corners,
    /// Cells, borders between them and inner corners.
    Points,
}

impl Place {
    /// Rows and columns of the picture for a board of this size, and the positions of the entries.
    pub fn of(self, (rows, columns): (usize, usize)) -> (usize, usize, Vec<usize>) {
        let all = |rows: usize, columns: usize| (rows, columns, (0..rows * columns).collect());
        let (frame, inside) = match self {
            Place::Corners => return all(rows + 1, columns + 1),
            Place::Points => return all(2 * rows - 1, 2 * columns - 1),
            Place::Inside(frame) => (frame, true),
            Place::Outside(frame) => (frame, false),
        };
        let (before, around) = match frame {
            Frame::Bare => (0, 0),
            Frame::TopLeft => (1, 1),
            Frame::Round => (1, 2),
        };
        let (height, width) = (rows + around, columns + around);
        let cell = |r: usize, c: usize| r * width + c;
        let mut entries = Vec::new();
        if inside {
            entries.extend((0..rows).flat_map(|r| (0..columns).map(move |c| (r, c))));
            let entries = entries.into_iter().map(|(r, c)| cell(r + before, c + before)).collect();
            return (height, width, entries);
        }
        if frame != Frame::Bare {
            entries.extend((0..columns).map(|c| (0, c + 1)));
            entries.extend((0..columns).filter(|_| around == 2).map(|c| (rows + 1, c + 1)));
            entries.extend((0..rows).map(|r| (r + 1, 0)));
            entries.extend((0..rows).filter(|_| around == 2).map(|r| (r + 1, columns + 1)));
        }
        (height, width, entries.into_iter().map(|(r, c)| cell(r, c)).collect())
    }
}

impl Field {
    fn read(&self, reader: &mut Reader<'_>, board: &mut Board) -> Read<()> {
        let (rows, columns, places) = self.place.of(board.size);
        let entries = (self.code.read)(reader, places.len())?;
        let dense = self.place == Place::Points;
        let model = board.model;
        let grid = board.grid_mut(self.param, rows, columns);
        for (at, entry) in places.into_iter().zip(entries) {
            let name = self.names.iter().find(|(code, _)| *code == entry);
            if name.is_some_and(|(_, picture)| *picture == REFUSED) {
                return Err(reader.here(format!("`{}` has no clue `{entry}`", model)));
            }
            grid.entries[at] = name.map_or(entry, |(_, picture)| (*picture).to_owned());
        }
        if dense {
            let grid = grid.clone();
            board.set(self.param, Item::Letters(grid));
        }
        Ok(())
    }

    /// The entries in the names of the code.
    fn entries(&self, board: &Board) -> Result<Vec<String>, String> {
        let (rows, columns, places) = self.place.of(board.size);
        let Some(grid) = board.grid(self.param) else { return Ok(vec![String::new(); places.len()]) };
        if (grid.rows, grid.columns) != (rows, columns) {
            return Err(format!("`{}` has another size than the board", self.param));
        }
        let name = |entry: &String| {
            let known = self.names.iter().find(|(_, picture)| picture == entry && !entry.is_empty());
            known.map_or(entry.clone(), |(code, _)| (*code).to_owned())
        };
        Ok(places.into_iter().map(|at| name(&grid.entries[at])).collect())
    }
}

pub(super) fn read(steps: &[Step], reader: &mut Reader<'_>, board: &mut Board) -> Read<()> {
    for step in steps {
        match step {
            Step::Cells(field) | Step::Optional(field) => field.read(reader, board)?,
            Step::Rooms => {
                let room = rooms::read_borders(reader, board.size)?;
                board.set("room", Item::Letters(rooms::letters(&room, board.size.1)));
            }
            Step::RoomNumbers => {
                let firsts = rooms::firsts(board.grid("room"));
                let numbers = (NUMBER16.read)(reader, firsts.len())?;
                let (rows, columns) = board.size;
                let grid = board.grid_mut("clue", rows, columns);
                for (at, number) in firsts.into_iter().zip(numbers) {
                    // a clue of unknown value does not constrain its room
                    grid.entries[at] = if number == "?" { String::new() } else { number };
                }
            }
            Step::Number(param) => {
                let number = reader.measure(&format!("`{param}`"))?;
                board.set(param, Item::number(number));
                reader.expect('/')?;
            }
            Step::Own(read, _) => read(reader, board)?,
        }
    }
    Ok(())
}

pub(super) fn write(steps: &[Step], board: &Board) -> Result<String, String> {
    let mut text = String::new();
    for step in steps {
        match step {
            Step::Cells(field) => text.push_str(&(field.code.write)(&field.entries(board)?)?),
            Step::Optional(field) => {
                let entries = field.entries(board)?;
                if entries.iter().any(|entry| !entry.is_empty()) {
                    text.push_str(&(field.code.write)(&entries)?);
                }
            }
            Step::Rooms => text.push_str(&rooms::write_borders(rooms::of(board)?)),
            Step::RoomNumbers => text.push_str(&(NUMBER16.write)(&room_numbers(board)?)?),
            Step::Number(param) => {
                let number = board.number(param).ok_or_else(|| format!("`{param}` is no number"))?;
                text.push_str(&format!("{number}/"));
            }
            Step::Own(_, write) => text.push_str(&write(board)?),
        }
    }
    comes_back(steps, &text, board)?;
    Ok(text)
}

/// A code may have no sign for an entry, or take two for another: what is written is read as what it was.
fn comes_back(steps: &[Step], text: &str, board: &Board) -> Result<(), String> {
    let mut again = board.clone();
    // a step may want what is read before all of them; whether the whole is read is seen to elsewhere
    let failed = read(steps, &mut Reader::new(text, 0, text.len()), &mut again).is_err();
    let alone = |field: &Field, entry: &String| {
        let text = (field.code.write)(std::slice::from_ref(entry)).unwrap_or_default();
        (field.code.read)(&mut Reader::new(&text, 0, text.len()), 1).is_ok()
    };
    for step in steps {
        match step {
            Step::Cells(field) | Step::Optional(field) => {
                let (entries, found) = (field.entries(board)?, field.entries(&again)?);
                let differs =
                    |(entry, found): &(&String, &String)| entry != found || failed && !alone(field, entry);
                if let Some((entry, _)) = entries.iter().zip(&found).find(differs) {
                    return Err(format!("this form has no entry `{entry}` for `{}`", field.param));
                }
            }
            Step::Rooms if !rooms::of(board)?.has_shape_of(rooms::of(&again)?) => {
                return Err("this form has no room of several pieces".to_owned());
            }
            _ => {}
        }
    }
    Ok(())
}

/// The number of every room, at any of its cells.
fn room_numbers(board: &Board) -> Result<Vec<String>, String> {
    let room = rooms::of(board)?;
    let firsts = rooms::firsts(Some(room));
    let mut numbers = vec![String::new(); firsts.len()];
    let Some(clue) = board.grid("clue") else { return Ok(numbers) };
    for (at, entry) in clue.entries.iter().enumerate().filter(|(_, entry)| !entry.is_empty()) {
        let of = firsts.iter().position(|first| room.entries[*first] == room.entries[at]);
        let number = of.map(|of| &mut numbers[of]).ok_or("a clue stands in no room")?;
        if !number.is_empty() && number != entry {
            return Err("this form has one number a room".to_owned());
        }
        number.clone_from(entry);
    }
    Ok(numbers)
}
