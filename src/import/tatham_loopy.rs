//! loopy: slitherlink on squares, and on other tilings as lists of tiles.
//!
//! Tiles, and the corners of a tile, are in the order of the program (`grid.c`). So a side has the number
//! there that it gets here by visiting tile after tile.

use super::board::{Board, Grid, Item};
use super::codes::cannot;
use super::reader::{MOST_CELLS, Read, Reader};
use super::tatham_codes::CHARACTERS;
use std::collections::HashMap;

/// Corners by number.
type Tile = Vec<usize>;

/// A tiling: its number in the collection, how many tiles it has, and the tiles.
struct Tiling {
    number: usize,
    /// The text before the clues.
    version: &'static str,
    count: fn(usize, usize) -> usize,
    make: fn(&mut Points, usize, usize),
}

const TILINGS: [Tiling; 3] = [
    Tiling {
        number: 1,
        version: "0_",
        // at an odd height, the first and last tile of the last row would be attached on one side only
        count: |w, h| h * (2 * w + 1) - if h % 2 == 1 { 2 } else { 0 },
        make: triangles,
    },
    Tiling { number: 2, version: "", count: |w, h| w * h, make: honeycomb },
    Tiling { number: 3, version: "", count: |w, h| 3 * w * h - w - h, make: snub_square },
];

/// Numbers points in order of occurrence.
#[derive(Default)]
struct Points {
    known: HashMap<(i64, i64), usize>,
    tiles: Vec<Tile>,
}

impl Points {
    fn tile(&mut self, corners: &[(i64, i64)]) {
        let mut tile = Vec::with_capacity(corners.len());
        for corner in corners {
            let next = self.known.len() + 1;
            tile.push(*self.known.entry(*corner).or_insert(next));
        }
        self.tiles.push(tile);
    }
}

/// Lengths whose ratio is about √3: they only have to distinguish points.
const A: i64 = 15;
const B: i64 = 26;

fn triangles(points: &mut Points, width: usize, height: usize) {
    for y in 0..height as i64 {
        let (low, high) = if y % 2 == 1 { (y * B, (y + 1) * B) } else { ((y + 1) * B, y * B) };
        let triangle = |points: &mut Points, left: i64, base: i64, tip: i64, turned: bool| {
            let (first, second, third) = ((left, base), (left + A, tip), (left + 2 * A, base));
            points.tile(&if turned { [first, third, second] } else { [first, second, third] });
        };
        for x in 0..=width as i64 {
            let ear = height % 2 == 1 && y == height as i64 - 1 && (x == 0 || x == width as i64);
            if !ear {
                triangle(points, 2 * x * A, low, high, y % 2 == 1);
            }
        }
        for x in 0..width as i64 {
            triangle(points, (2 * x + 1) * A, high, low, y % 2 == 0);
        }
    }
}

fn honeycomb(points: &mut Points, width: usize, height: usize) {
    for (y, x) in cells(width, height) {
        let (x0, y0) = (3 * A * x, 2 * B * y + if x % 2 == 1 { B } else { 0 });
        let around = [(-A, -B), (A, -B), (2 * A, 0), (A, B), (-A, B), (-2 * A, 0)];
        points.tile(&around.map(|(dx, dy)| (x0 + dx, y0 + dy)));
    }
}

fn snub_square(points: &mut Points, width: usize, height: usize) {
    for (y, x) in cells(width, height) {
        let (x0, y0) = ((A + B) * x, (A + B) * y);
        let odd = (x + y) % 2 == 1;
        let mut tile = |corners: &[(i64, i64)]| {
            let corners: Vec<_> = corners.iter().map(|(dx, dy)| (x0 + dx, y0 + dy)).collect();
            points.tile(&corners);
        };
        match odd {
            true => tile(&[(A, 0), (A + B, A), (B, A + B), (0, B)]),
            false => tile(&[(B, 0), (A + B, B), (A, A + B), (0, A)]),
        }
        if x > 0 {
            match odd {
                true => tile(&[(A, 0), (0, B), (-A, 0)]),
                false => tile(&[(0, A), (A, A + B), (-A, A + B)]),
            }
        }
        if y > 0 {
            match odd {
                true => tile(&[(A, 0), (A + B, -A), (A + B, A)]),
                false => tile(&[(0, -A), (B, 0), (0, A)]),
            }
        }
    }
}

fn cells(width: usize, height: usize) -> impl Iterator<Item = (i64, i64)> {
    (0..height as i64).flat_map(move |y| (0..width as i64).map(move |x| (y, x)))
}

impl Tiling {
    fn tiles(&self, width: usize, height: usize) -> Vec<Tile> {
        let mut points = Points::default();
        (self.make)(&mut points, width, height);
        points.tiles
    }
}

pub(super) fn read(reader: &mut Reader<'_>, board: &mut Board) -> Read<()> {
    let (rows, columns) = board.size;
    let number = board.number("_t").unwrap_or(0);
    if number == 0 {
        let entries = (CHARACTERS.read)(reader, rows * columns)?;
        board.set("clue", Item::Words(Grid { rows, columns, entries }));
        return Ok(());
    }
    let Some(tiling) = TILINGS.iter().find(|tiling| tiling.number == number) else {
        return Err(reader.here("known are the tilings 0 squares, 1 triangles, 2 hexagons, 3 snub square"));
    };
    for c in tiling.version.chars() {
        reader.expect(c)?;
    }
    if rows * columns > MOST_CELLS / 8 {
        return Err(reader.here("the board is too large"));
    }
    let tiles = tiling.tiles(columns, rows);
    board.model = "loopy-tiles";
    let clue = (CHARACTERS.read)(reader, tiles.len())?;
    let list = |tile: &Tile| Item::List(tile.iter().map(Item::number).collect());
    board.set("tile", Item::List(tiles.iter().map(list).collect()));
    board.set("clue", Item::numbers(&clue));
    Ok(())
}

pub(super) fn write(board: &Board) -> Result<String, String> {
    if board.model == "slitherlink" {
        if board.flag("full") {
            return Err("this form has no loop through every point".into());
        }
        return (CHARACTERS.write)(&board.grid("clue").ok_or("there is no `clue`")?.entries);
    }
    let clue = board.get("clue").map_or(Vec::new(), Item::entries);
    if let Some(long) = clue.iter().find(|entry| entry.len() > 1) {
        return cannot(long);
    }
    Ok(format!("{}{}", shape(board)?.0.version, (CHARACTERS.write)(&clue)?))
}

pub(super) fn params(board: &Board) -> Result<String, String> {
    if board.model == "slitherlink" {
        return Ok(format!("{}x{}t0", board.size.1, board.size.0));
    }
    let (tiling, width, height) = shape(board)?;
    Ok(format!("{width}x{height}t{}", tiling.number))
}

/// The tiling with these tiles.
fn shape(board: &Board) -> Result<(&'static Tiling, usize, usize), String> {
    let numbers = |tile: &Item| tile.entries().iter().map(|corner| corner.parse().unwrap_or(0)).collect();
    let tiles: Vec<Tile> = board.get("tile").map_or(&[][..], Item::items).iter().map(numbers).collect();
    for width in 1..=tiles.len() {
        for height in 1..=tiles.len() / width + 2 {
            for tiling in &TILINGS {
                if (tiling.count)(width, height) == tiles.len() && tiling.tiles(width, height) == tiles {
                    return Ok((tiling, width, height));
                }
            }
        }
    }
    Err("the collection has no such tiling".into())
}
