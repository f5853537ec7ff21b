//! A drawing with cells as SVG: its grid, walls and lines.
//!
//! In: a [`Canvas`] with its [`Notes`]. Out: elements. Layers, lowest first: shaded cells, the grid, shapes, walls,
//! lines, clues between cells, text. Knows nothing of the content of cells; the module `cells` draws that.

use super::canvas::{BOX, Canvas, FRAME, LOOP, MAYBE, Marks, SPOT, WALL};
use super::cells::{Layers, radius};
use super::drawing::Key;
use super::known::Shown;
use super::notes::{Notes, Side};
use super::signs::{Reading, lines};
use super::svg::{Area, Part, RIM, advance};
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// The side of a cell.
pub(super) const CELL: usize = 40;

/// A drawing with cells.
pub(super) struct Board<'d> {
    pub canvas: &'d Canvas,
    pub notes: &'d Notes,
    pub shown: &'d Shown,
    /// The index among the shown drawings.
    pub at: usize,
    pub reading: Reading,
    /// How to read clues in cells.
    pub clues: Reading,
    /// The width of a cell and the size of its text.
    pub width: usize,
    pub font: usize,
    /// Do lines run round the cells? Then there are points instead of a grid.
    dotted: bool,
    /// Space at the margins.
    left: usize,
    top: usize,
    /// The radius of circles.
    pub radius: usize,
    /// Are there clues in corners? Then entries are lower.
    pub corners: bool,
    pub layers: Layers,
}

impl<'d> Board<'d> {
    pub fn new(canvas: &'d Canvas, notes: &'d Notes, shown: &'d Shown, at: usize) -> Board<'d> {
        let texts = || canvas.texts.iter().flatten().flatten().map(String::as_str);
        let reading = Reading::of(texts());
        let clues = Reading::of(notes.cells.values().flatten().map(String::as_str));
        let rests = || texts().flat_map(|text| lines(reading.sign(text).1));
        let longest = rests().map(|rest| rest.width()).max().unwrap_or(1);
        let (width, font) = match longest {
            0..=2 => (CELL, 22),
            3 => (CELL, 16),
            4 => (CELL, 12),
            5 => (CELL, 10),
            _ => (rests().map(advance).max().unwrap_or(0) + 10, 14),
        };
        let dotted = !canvas.points.is_empty();
        let (left, top) = (RIM + notes.room(Side::Left), RIM + notes.room(Side::Top));
        let corners = notes.cells.iter().any(|((r, c), notes)| {
            let text = canvas.texts[*r][*c].as_deref().unwrap_or("");
            let rest = reading.sign(text).1;
            let more = |note: &String| note != text && note != rest && !clues.sign(note).1.is_empty();
            !rest.is_empty() && notes.iter().any(more)
        });
        let (radius, layers) = (radius(notes), Layers::default());
        Board {
            canvas,
            notes,
            shown,
            at,
            reading,
            clues,
            width,
            font,
            dotted,
            left,
            top,
            radius,
            corners,
            layers,
        }
    }

    pub fn x(&self, column: usize) -> usize {
        self.left + column * self.width
    }

    pub fn y(&self, row: usize) -> usize {
        self.top + row * CELL
    }

    pub fn key(&self, r: usize, c: usize) -> Key {
        (self.canvas.origin.0 + r as i64, self.canvas.origin.1 + c as i64)
    }

    /// Is this cell a clue beside the board: in row or column 0, or after the last one if row or column 0 has clues?
    pub fn is_outside(&self, r: usize, c: usize) -> bool {
        let Some((first, last)) = self.shown.board else { return false };
        let ((row, column), origin) = (self.key(r, c), self.canvas.origin);
        (origin.0 == 0 || origin.1 == 0)
            && (row < first.0.min(1) || column < first.1.min(1) || row > last.0 || column > last.1)
            && (row == 0 || column == 0 || r + 1 == self.canvas.height() || c + 1 == self.canvas.width())
    }

    /// Where the cells are, with the drawing moved down by `above`.
    pub fn area(&self, above: usize) -> Area {
        Area {
            drawing: self.at,
            x: self.x(0),
            y: above + self.y(0),
            width: self.width,
            height: CELL,
            rows: self.canvas.height(),
            columns: self.canvas.width(),
            first: self.canvas.origin,
        }
    }

    pub fn draw(mut self) -> Part {
        let canvas = self.canvas;
        let (height, width) = (canvas.height(), canvas.width());
        let mut cells = vec![vec![false; width]; height];
        for (r, (row, cells)) in canvas.texts.iter().zip(&mut cells).enumerate() {
            for (c, (text, cell)) in row.iter().zip(cells).enumerate() {
                if let Some(text) = text {
                    *cell = !self.is_outside(r, c);
                    self.entry(r, c, text);
                }
            }
        }
        self.clues();
        let mut body = std::mem::take(&mut self.layers.shades);
        let walls = |mark: Marks, not: Marks| move |marks: Marks| marks & mark != 0 && marks & not == 0;
        self.edges(&mut body, "marked-line", &walls(SPOT, 0));
        let inside = |r: usize, c: usize| cells.get(r).and_then(|row| row.get(c)).copied().unwrap_or(false);
        let thin = !self.dotted;
        let above = |r: usize, c: usize| inside(r, c) || r > 0 && inside(r - 1, c);
        let left = |r: usize, c: usize| inside(r, c) || c > 0 && inside(r, c - 1);
        self.path(&mut body, "grid", &|r, c| thin && above(r, c), &|r, c| thin && left(r, c));
        body.push_str(&self.layers.shapes);
        let any =
            |mark: Marks| canvas.above.iter().chain(&canvas.left).flatten().any(|marks| marks & mark != 0);
        // In a board with boxes, regions are cages. The rim of a board is as thick as its thickest walls.
        let (boxed, framed) = (any(BOX), any(FRAME | WALL));
        let rim = match (boxed, framed) {
            (true, _) => "box",
            (false, true) => "frame",
            (false, false) => "rim",
        };
        let (cages, solid) = if boxed { (FRAME, WALL) } else { (0, FRAME | WALL) };
        let walled = [
            ("cage", walls(cages, 0)),
            ("frame", walls(solid, 0)),
            ("box", walls(BOX, 0)),
            ("rim", walls(0, 0)),
        ];
        for (class, is) in walled {
            let ends = |a: bool, b: bool| thin && class == rim && a != b;
            self.path(
                &mut body,
                class,
                &|r, c| is(canvas.above[r][c]) || ends(inside(r, c), r > 0 && inside(r - 1, c)),
                &|r, c| is(canvas.left[r][c]) || ends(inside(r, c), c > 0 && inside(r, c - 1)),
            );
        }
        for (r, c) in self.sorted_points() {
            let _ =
                writeln!(body, "<circle class=\"point\" cx=\"{}\" cy=\"{}\" r=\"2\"/>", self.x(c), self.y(r));
        }
        for (class, is) in [("maybe", walls(MAYBE, LOOP)), ("line", walls(LOOP, 0))] {
            self.edges(&mut body, class, &is);
        }
        body.push_str(&self.layers.between);
        // Lines go below numbers and above circles.
        let passed = canvas.right.iter().chain(&canvas.down).flatten().any(|marks| marks & LOOP != 0);
        let class = if passed { " class=\"passed\"" } else { "" };
        let _ = write!(body, "<g{class}>\n{}</g>\n", self.layers.texts());
        let right = self.x(width) + self.notes.room(Side::Right) + RIM;
        let bottom = self.y(height) + self.notes.room(Side::Bottom) + RIM;
        Part { body, width: right, height: bottom }
    }

    fn sorted_points(&self) -> Vec<(usize, usize)> {
        let mut points: Vec<_> = self.canvas.points.iter().copied().collect();
        points.sort_unstable();
        points
    }

    /// Lines between cells, `above` and `left` of those for which the functions hold; adjacent ones are joined.
    fn path(
        &self,
        body: &mut String,
        class: &str,
        above: &dyn Fn(usize, usize) -> bool,
        left: &dyn Fn(usize, usize) -> bool,
    ) {
        let lines = (self.canvas.height() + 1, self.canvas.width() + 1);
        self.lines(body, class, lines, (0, 0), above, left);
    }

    /// Lines round cells and through them.
    fn edges(&self, body: &mut String, class: &str, is: &dyn Fn(Marks) -> bool) {
        let Canvas { above, left, right, down, .. } = self.canvas;
        self.path(body, class, &|r, c| is(above[r][c]), &|r, c| is(left[r][c]));
        let lines = (self.canvas.height(), self.canvas.width());
        let middle = (CELL / 2, self.width / 2);
        self.lines(body, class, lines, middle, &|r, c| is(right[r][c]), &|r, c| is(down[r][c]));
    }

    /// Lines along rows and columns, in the given numbers, offset down and to the right from the cells.
    fn lines(
        &self,
        body: &mut String,
        class: &str,
        (rows, columns): (usize, usize),
        (below, beside): (usize, usize),
        across: &dyn Fn(usize, usize) -> bool,
        down: &dyn Fn(usize, usize) -> bool,
    ) {
        let x = |c: usize| self.x(c) + beside;
        let y = |r: usize| self.y(r) + below;
        let mut path = String::new();
        for r in 0..rows {
            let run = |from, to| path.push_str(&format!("M{} {}H{}", x(from), y(r), x(to)));
            runs(self.canvas.width(), |c| across(r, c), run);
        }
        for c in 0..columns {
            let run = |from, to| path.push_str(&format!("M{} {}V{}", x(c), y(from), y(to)));
            runs(self.canvas.height(), |r| down(r, c), run);
        }
        if !path.is_empty() {
            let _ = writeln!(body, "<path class=\"{class}\" d=\"{path}\"/>");
        }
    }
}

/// Calls `each` with the ends of every run of positions in `0..n` for which `is` holds.
fn runs(n: usize, is: impl Fn(usize) -> bool, mut each: impl FnMut(usize, usize)) {
    let mut start = None;
    for at in 0..=n {
        match (at < n && is(at), start) {
            (true, None) => start = Some(at),
            (false, Some(from)) => {
                each(from, at);
                start = None;
            }
            _ => {}
        }
    }
}
