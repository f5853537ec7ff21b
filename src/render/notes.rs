//! Clues that only pictures show, by position: in a cell, between two, beside the board.
//!
//! In: the layers of a drawing and its [`Canvas`]. Out: notes by place, walls on the canvas. A note more than one
//! cell away from the board is dropped, so that no key can enlarge the picture.

use super::canvas::Canvas;
use super::cells::DISC;
use super::drawing::{Drawing, Key, Note, TINTS};
use super::text::harmless;
use rustc_hash::FxHashMap;
use unicode_width::UnicodeWidthStr;

/// The width of a character of a clue at the margin, and the height of a line.
const CHARACTER: usize = 11;
pub(super) const LEADING: usize = 20;
/// The gap between the board and a clue at its margin.
pub(super) const GAP: usize = 8;

/// The sides of a board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Side {
    Top,
    Right,
    Bottom,
    Left,
}

#[derive(Default)]
pub(super) struct Notes {
    pub cells: FxHashMap<(usize, usize), Vec<String>>,
    pub tints: FxHashMap<(usize, usize), u8>,
    /// Distance down and across from the upper left corner, in half cells.
    pub between: Vec<((usize, usize), String)>,
    /// Beside a row or column.
    pub margin: Vec<(Side, usize, String)>,
    /// The number of rows and columns.
    size: (usize, usize),
}

impl Notes {
    /// The notes of all layers. A bar between two cells becomes a wall of the canvas.
    pub fn of(drawing: &Drawing, canvas: &mut Canvas) -> Notes {
        let mut found = Notes { size: (canvas.height(), canvas.width()), ..Notes::default() };
        for layer in drawing.layers() {
            let Drawing::Noted { notes, .. } = layer else { continue };
            for (p, q, note) in notes {
                let text = match note {
                    Note::Text(text) => text,
                    Note::Tint(tint) => {
                        found.tints.extend(canvas.cell(*p).map(|cell| (cell, *tint % TINTS)));
                        continue;
                    }
                };
                let text = harmless(text.trim_matches(' '), false);
                if text.is_empty() || text == "." {
                    continue;
                }
                if text == "|" && beside(*p, *q) {
                    canvas.wall(*p, *q);
                } else {
                    found.add(*p, *q, text, canvas);
                }
            }
        }
        found
    }

    fn add(&mut self, p: Key, q: Key, text: String, canvas: &Canvas) {
        let (height, width) = self.size;
        // Relative to the first cell.
        let place = |key: Key| {
            let (r, c) = (key.0.checked_sub(canvas.origin.0)?, key.1.checked_sub(canvas.origin.1)?);
            (r >= -1 && c >= -1 && r <= height as i64 && c <= width as i64).then_some((r, c))
        };
        let (Some(p), Some(q)) = (place(p), place(q)) else { return };
        let row = usize::try_from(p.0).ok().filter(|r| *r < height);
        let column = usize::try_from(p.1).ok().filter(|c| *c < width);
        if p != q {
            let middle = (usize::try_from(p.0 + q.0 + 1), usize::try_from(p.1 + q.1 + 1));
            if let (Ok(down), Ok(across)) = middle
                && down <= 2 * height
                && across <= 2 * width
            {
                self.between.push(((down, across), text));
            }
            return;
        }
        match (row, column) {
            (Some(r), Some(c)) => self.cells.entry((r, c)).or_default().push(text),
            (Some(r), None) => {
                self.margin.push((if p.1 < 0 { Side::Left } else { Side::Right }, r, text));
            }
            (None, Some(c)) => {
                self.margin.push((if p.0 < 0 { Side::Top } else { Side::Bottom }, c, text));
            }
            (None, None) => {}
        }
    }

    /// The space that a side needs, 0 without clues there.
    pub fn room(&self, side: Side) -> usize {
        let texts = self.margin.iter().filter(|(at, ..)| *at == side).map(|(_, _, text)| text);
        let size = |text: &String| match side {
            Side::Left | Side::Right => CHARACTER * text.width(),
            Side::Top | Side::Bottom => LEADING * text.split(' ').count(),
        };
        let margin = texts.map(size).max().map_or(0, |most| most + GAP);
        let edge = match side {
            Side::Top => self.between.iter().any(|((down, _), _)| *down == 0),
            Side::Left => self.between.iter().any(|((_, across), _)| *across == 0),
            Side::Bottom => self.between.iter().any(|((down, _), _)| *down == 2 * self.size.0),
            Side::Right => self.between.iter().any(|((_, across), _)| *across == 2 * self.size.1),
        };
        margin.max(if edge { DISC } else { 0 })
    }
}

fn beside(p: Key, q: Key) -> bool {
    matches!((p.0.abs_diff(q.0), p.1.abs_diff(q.1)), (0, 1) | (1, 0))
}
