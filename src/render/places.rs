//! Where the parts of a drawing with walls or lines stand in its text, so that the text can be read back.
//!
//! In: a drawing of which the lines alone may be unknown. Out: lines and columns of characters, as [`Canvas::draw`] sets
//! them before it leaves a margin out. Knows nothing of what the lines mean.

use super::canvas::{BOX, Canvas, FRAME, Marks, arms, through};
use super::drawing::{Drawing, Key};
use super::text::{Style, placed};
use rustc_hash::FxHashSet;
use std::ops::Range;

/// A line of the text and a character in it.
pub type Place = (usize, usize);

/// Where things stand. What shares its place with something else is left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// How many lines the text has.
    pub lines: usize,
    /// The largest margin that may be missing.
    pub margin: usize,
    /// The line of each entry and its columns.
    pub entries: Vec<(Key, usize, Range<usize>)>,
    /// The edges of loops.
    pub edges: Vec<((Key, Key), Place)>,
    /// The walls between neighbours.
    pub walls: Vec<((Key, Key), Place)>,
    /// Do lines lead from entry to entry?
    pub through: bool,
}

/// Lines and columns of a text, before a margin is left out: nothing is asked about a border that is not drawn.
struct Raster {
    lines: usize,
    /// Columns from one corner to the next.
    step: usize,
    room: usize,
    size: usize,
    /// Lines and columns that are not drawn.
    top: usize,
    left: usize,
}

impl Raster {
    /// `None` if no entries make lines between two borders as long as the longest one is.
    fn of(canvas: &Canvas, style: Style, longest: usize) -> Option<Raster> {
        let ((room, size), border) = (canvas.spacing(style), canvas.border());
        // what is not known yet may come out wider than its dot
        let (room, size) = match border.left && border.right {
            true => (size..=longest)
                .map(|size| (canvas.room(size, style), size))
                .find(|(room, size)| (size + 2 * room + 1) * canvas.width() + 1 == longest)?,
            false => (room, size),
        };
        let outside = |bare: bool| usize::from(bare);
        let (top, left) = (outside(!border.top), outside(!border.left));
        let lines = 2 * canvas.height() + 1 - top - outside(!border.bottom);
        Some(Raster { lines, step: size + 2 * room + 1, room, size, top, left })
    }

    /// The line of entries of a row.
    fn row(&self, r: usize) -> usize {
        2 * r + 1 - self.top
    }

    /// The line above it.
    fn rule(&self, r: usize) -> usize {
        (2 * r).saturating_sub(self.top)
    }

    /// The column of the corners before a column of cells.
    fn corner(&self, c: usize) -> usize {
        (c * self.step).saturating_sub(self.left)
    }

    /// The columns of its entries.
    fn field(&self, c: usize) -> Range<usize> {
        let end = c * self.step + 1 + self.room + self.size - self.left;
        end - self.size..end
    }
}

/// Is this a character of lines?
pub fn is_line(c: char) -> bool {
    arms(c).is_some() || matches!(c, '-' | '|')
}

/// The places of a drawing's text, the longest line of which has so many characters; `None` where it has
/// neither walls nor lines, or others.
pub fn places(drawing: &Drawing, style: Style, longest: usize) -> Option<Places> {
    let lines: Vec<&Drawing> =
        drawing.layers().filter(|layer| !matches!(layer, Drawing::Noted { .. })).collect();
    // boxes alone are set in another way
    if !lines.iter().any(|layer| matches!(layer, Drawing::Framed { .. } | Drawing::Looped { .. })) {
        return None;
    }
    let canvas = Canvas::of(drawing)?;
    let cells = placed(drawing)?;
    let keys: FxHashSet<Key> = cells.iter().map(|(key, _)| *key).collect();
    let grid = Raster::of(&canvas, style, longest)?;
    let mut places = Places { lines: grid.lines, margin: grid.step, ..Places::default() };
    for (key, _) in &cells {
        let (r, c) = canvas.cell(*key)?;
        places.entries.push((*key, grid.row(r), grid.field(c)));
    }
    let at = |key: Key| canvas.inside(canvas.origin, key);
    let free = |marks: Marks| marks & (FRAME | BOX) == 0;
    if let [Drawing::Framed { regions, .. }, _] = lines[..] {
        let known: FxHashSet<Key> = regions.iter().map(|(key, _)| *key).collect();
        for (key, _) in regions {
            for next in [(key.0, key.1.saturating_add(1)), (key.0.saturating_add(1), key.1)] {
                let Some((r, c)) = at(next).filter(|_| known.contains(&next)) else { continue };
                let beside = (grid.row(r), grid.corner(c));
                let below = (grid.rule(r), grid.corner(c) + 1);
                places.walls.push(((*key, next), if next.0 == key.0 { beside } else { below }));
            }
        }
    }
    for layer in lines {
        let Drawing::Looped { edges, .. } = layer else { continue };
        places.through = through(edges, &keys);
        for (p, q, _) in edges {
            let (Some(from), Some(to)) = (at(*p.min(q)), at(*p.max(q))) else { continue };
            let across = from.0 == to.0;
            if from.0.abs_diff(to.0) + from.1.abs_diff(to.1) != 1 {
                continue;
            }
            let (place, wall) = match (places.through, across) {
                (true, true) => ((grid.row(from.0), grid.corner(to.1)), canvas.left[to.0][to.1]),
                (true, false) => ((grid.rule(to.0), grid.field(from.1).end - 1), canvas.above[to.0][to.1]),
                (false, true) => ((grid.rule(from.0), grid.corner(from.1) + 1), canvas.above[from.0][from.1]),
                (false, false) => ((grid.row(from.0), grid.corner(from.1)), canvas.left[from.0][from.1]),
            };
            if free(wall) {
                places.edges.push(((*p, *q), place));
            }
        }
    }
    Some(places)
}
