//! Descriptions of Simon Tatham's collection with rooms: solo (jigsaw and killer), keen, map.

use super::board::{Board, Grid, Item};
use super::codes::cannot;
use super::reader::{Read, Reader};
use super::rooms::{Joined, firsts, letters};
use super::tatham_codes::{CHARACTERS, DECIMALS};

/// Pairs of neighbours: across the vertical borders row by row, then across the horizontal ones column by column.
fn borders(n: usize) -> Vec<(usize, usize)> {
    let vertical = (0..n).flat_map(|r| (1..n).map(move |c| (n * r + c - 1, n * r + c)));
    let horizontal = (0..n).flat_map(|c| (1..n).map(move |r| (n * (r - 1) + c, n * r + c)));
    vertical.chain(horizontal).collect()
}

/// `_`, a to y: this number of non-borders, from 0, before a border; z: 25 non-borders; a number repeats the
/// letter before it. A last border is past the end of the board.
fn read_edges(reader: &mut Reader<'_>, n: usize) -> Read<Grid> {
    let borders = borders(n);
    let mut joined = Joined::new(n * n);
    let mut at = 0;
    while let Some(c) = reader.peek().filter(|c| matches!(c, '_' | 'a'..='z')) {
        let start = reader.clone();
        reader.next();
        let run = if c == '_' { 0 } else { c as usize - 'a' as usize + 1 };
        let repeats = if reader.peek().is_some_and(|c| c.is_ascii_digit()) { reader.number()? } else { 1 };
        for _ in 0..repeats {
            for _ in 0..run.min(25) {
                let pair =
                    borders.get(at).ok_or_else(|| start.here("these are more borders than the board has"))?;
                joined.join(pair.0, pair.1);
                at += 1;
            }
            at += usize::from(run < 26);
            if at > borders.len() + 1 {
                return Err(start.here("these are more borders than the board has"));
            }
        }
    }
    if at != borders.len() + 1 {
        return Err(reader.here("more borders were expected"));
    }
    Ok(letters(&joined.rooms(), n))
}

fn write_edges(room: &Grid, repeated: bool) -> String {
    let mut text = Vec::new();
    let mut run = 0;
    let differ = |(a, b): &(usize, usize)| room.entries[*a] != room.entries[*b];
    for border in borders(room.columns).iter().map(differ).chain([true]) {
        if !border {
            run += 1;
            continue;
        }
        while run > 25 {
            text.push('z');
            run -= 25;
        }
        text.push(if run == 0 { '_' } else { char::from(b'a' + run - 1) });
        run = 0;
    }
    if !repeated {
        return text.into_iter().collect();
    }
    text.chunk_by(|a, b| a == b)
        .map(|same| match same.len() {
            1 | 2 => same.iter().collect(),
            count => format!("{}{count}", same[0]),
        })
        .collect()
}

fn grid<'b>(board: &'b Board, name: &str) -> Result<&'b Grid, String> {
    board.grid(name).ok_or_else(|| format!("there is no `{name}`"))
}

// ---- solo

pub(super) fn read_solo(reader: &mut Reader<'_>, board: &mut Board) -> Read<()> {
    // `2x3` is boxes of two rows and three columns
    let (width, height) = board.size;
    let has = |letter: &str| board.get(letter).is_some();
    let (jigsaw, diagonals, killer) = (has("_j"), has("_x"), has("_k"));
    board.model = match (jigsaw, diagonals, killer) {
        (false, false, false) => "sudoku",
        (true, false, false) => "jigsaw-sudoku",
        (false, true, false) => "sudoku-variants",
        (false, false, true) => "killer-sudoku",
        _ => return Err(reader.here("no model has rooms, diagonals and cages at once")),
    };
    let n = if jigsaw { height } else { width * height };
    if n > 36 {
        return Err(reader.here("a sudoku has 36 rows at most"));
    }
    board.size = (n, n);
    if !jigsaw && (height, width) != (3, 3) {
        board.set("box", Item::Value(format!("({height}, {width})")));
    }
    if diagonals {
        board.set("diagonal", Item::Value("true".into()));
    }
    let clue = Grid { rows: n, columns: n, entries: (DECIMALS.read)(reader, n * n)? };
    if jigsaw {
        reader.expect(',')?;
        board.set("room", Item::Letters(read_edges(reader, n)?));
    }
    if !killer || clue.entries.iter().any(|entry| !entry.is_empty()) {
        board.set("clue", Item::Words(clue));
    }
    if killer {
        reader.expect(',')?;
        board.set("cage", Item::Letters(read_edges(reader, n)?));
        reader.expect(',')?;
        let entries = (DECIMALS.read)(reader, n * n)?;
        board.set("total", Item::Words(Grid { rows: n, columns: n, entries }));
    }
    Ok(())
}

/// The other parameters of sudoku-variants.
const OTHERS: [&str; 5] = ["antiknight", "thermo", "arrow", "white", "black"];

pub(super) fn write_solo(board: &Board) -> Result<String, String> {
    let n = board.size.0;
    let is_set =
        |name: &&&str| !matches!(board.get(name).map(Item::items), None | Some([])) || board.flag(name);
    if let Some(other) = OTHERS.iter().find(is_set) {
        return Err(format!("this form has no `{other}`"));
    }
    let none = Grid::new(n, n);
    let mut text = (DECIMALS.write)(&board.grid("clue").unwrap_or(&none).entries)?;
    if board.model == "jigsaw-sudoku" {
        text.push_str(&format!(",{}", write_edges(grid(board, "room")?, false)));
    }
    if board.model == "killer-sudoku" {
        let cage = grid(board, "cage")?;
        let totals = (DECIMALS.write)(&in_first(grid(board, "total")?, cage)?)?;
        text.push_str(&format!(",{},{totals}", write_edges(cage, false)));
    }
    Ok(text)
}

pub(super) fn solo_params(board: &Board) -> Result<String, String> {
    let shape = board.get("box").map_or(Vec::new(), Item::entries);
    Ok(match (board.model, &shape[..]) {
        ("jigsaw-sudoku", _) => format!("{}j", board.size.0),
        (model, [height, width]) => {
            let flag = match model {
                "killer-sudoku" => "k",
                "sudoku-variants" if board.flag("diagonal") => "x",
                _ => "",
            };
            format!("{height}x{width}{flag}")
        }
        _ => return Err("`box` is no pair".into()),
    })
}

/// Entries moved to the first cells of their rooms.
fn in_first(entries: &Grid, room: &Grid) -> Result<Vec<String>, String> {
    let mut moved = vec![String::new(); entries.entries.len()];
    let firsts = firsts(Some(room));
    for (at, entry) in entries.entries.iter().enumerate().filter(|(_, entry)| !entry.is_empty()) {
        let first = firsts.iter().find(|first| room.entries[**first] == room.entries[at]);
        let place = first.map(|first| &mut moved[*first]).ok_or("an entry stands in no room")?;
        if !place.is_empty() {
            return Err("this form has one entry a room".into());
        }
        place.clone_from(entry);
    }
    Ok(moved)
}

// ---- keen

const SIGNS: [(char, char); 4] = [('a', '+'), ('m', '*'), ('s', '-'), ('d', '/')];

pub(super) fn read_keen(reader: &mut Reader<'_>, board: &mut Board) -> Read<()> {
    let n = board.size.0;
    let cage = read_edges(reader, n)?;
    reader.expect(',')?;
    let mut goal = Grid::new(n, n);
    for first in firsts(Some(&cage)) {
        let sign = SIGNS.iter().find(|(letter, _)| reader.peek() == Some(*letter));
        let (_, sign) = sign.ok_or_else(|| reader.here("an operation, a, m, s or d, was expected"))?;
        reader.next();
        goal.entries[first] = format!("{}{sign}", reader.number()?);
    }
    board.set("cage", Item::Letters(cage));
    board.set("goal", Item::Words(goal));
    Ok(())
}

pub(super) fn write_keen(board: &Board) -> Result<String, String> {
    let cage = grid(board, "cage")?;
    let goals = in_first(grid(board, "goal")?, cage)?;
    let mut text = write_edges(cage, true) + ",";
    for first in firsts(Some(cage)) {
        let goal = &goals[first];
        let known = SIGNS.iter().find(|(_, sign)| goal.ends_with(*sign));
        let Some((letter, sign)) = known else { return cannot(goal) };
        text.push(*letter);
        text.push_str(goal.trim_end_matches(*sign));
    }
    Ok(text)
}

// ---- map: lengths of runs without and with borders in turn, then a colour for each country

/// Pairs of neighbours: across the horizontal borders row by row, then across the vertical ones column by column.
fn map_borders((rows, columns): (usize, usize)) -> Vec<(usize, usize)> {
    let cell = move |r: usize, c: usize| r * columns + c;
    let horizontal = (1..rows).flat_map(|r| (0..columns).map(move |c| (cell(r - 1, c), cell(r, c))));
    let vertical = (1..columns).flat_map(|c| (0..rows).map(move |r| (cell(r, c - 1), cell(r, c))));
    horizontal.chain(vertical).collect()
}

pub(super) fn read_map(reader: &mut Reader<'_>, board: &mut Board) -> Read<()> {
    let (rows, columns) = board.size;
    let borders = map_borders(board.size);
    let mut joined = Joined::new(rows * columns);
    // the first run has no borders, with one extra place before the board
    let (mut at, mut border) = (0, false);
    while let Some(c) = reader.peek().filter(char::is_ascii_lowercase) {
        for _ in 0..(c as usize - 'a' as usize + 1).min(25) {
            if at > borders.len() {
                return Err(reader.here("these are more borders than the board has"));
            }
            if !border && at > 0 {
                joined.join(borders[at - 1].0, borders[at - 1].1);
            }
            at += 1;
        }
        border ^= c != 'z';
        reader.next();
    }
    if at <= borders.len() {
        return Err(reader.here("more borders were expected"));
    }
    let country = letters(&joined.rooms(), columns);
    reader.expect(',')?;
    let firsts = firsts(Some(&country));
    if board.number("_n").is_some_and(|n| n != firsts.len()) {
        return Err(reader.here(format!("the borders make {} countries, not as many as told", firsts.len())));
    }
    let mut clue = Grid::new(rows, columns);
    for (first, colour) in firsts.iter().zip((CHARACTERS.read)(reader, firsts.len())?) {
        clue.entries[*first] = match colour.as_str() {
            "" => colour,
            "0" | "1" | "2" | "3" => (colour.parse::<u8>().unwrap_or(0) + 1).to_string(),
            _ => return Err(reader.here("a colour is 0 to 3")),
        };
    }
    board.set("country", Item::Letters(country));
    board.set("clue", Item::Words(clue));
    Ok(())
}

/// The number of countries.
pub(super) fn countries(board: &Board) -> usize {
    firsts(board.grid("country")).len()
}

pub(super) fn write_map(board: &Board) -> Result<String, String> {
    let country = grid(board, "country")?;
    let mut text = String::new();
    let (mut run, mut before) = (1, false);
    for (a, b) in map_borders(board.size) {
        let border = country.entries[a] != country.entries[b];
        if border == before {
            if run == 25 {
                text.push('z');
                run = 0;
            }
            run += 1;
        } else {
            text.push(char::from(b'a' + run - 1));
            (run, before) = (1, border);
        }
    }
    text.push(char::from(b'a' + run - 1));
    let clue = in_first(grid(board, "clue")?, country)?;
    let mut colours = Vec::new();
    for first in firsts(Some(country)) {
        let colour = &clue[first];
        colours.push(match colour.parse::<u8>() {
            Ok(colour @ 1..=4) => (colour - 1).to_string(),
            _ if colour.is_empty() => String::new(),
            _ => return cannot(colour),
        });
    }
    Ok(format!("{text},{}", (CHARACTERS.write)(&colours)?))
}
