//! A drawing with cells as SVG: its grid, walls and lines.
//!
//! In: a [`Canvas`] with its [`Notes`]. Out: elements. Layers, lowest first: shaded cells, the grid, shapes, walls, lines, clues
//! between cells, text. Knows nothing of what stands in the cells; that is `cells`.

use super::canvas::{BOX, Canvas, FRAME, LOOP, MAYBE, Marks, SPOT, WALL};
use super::cells::{Layers, radius};
use super::drawing::Key;
use super::known::Shown;
use super::notes::{Notes, Side};
use super::signs::{Reading, lines};
use super::svg::{Part, RIM, advance};
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// The side of a cell.
pub(super) const CELL: usize = 40;

/// A drawing with cells.
pub(super) struct Board<'d> {
    pub canvas: &'d Canvas,
    pub notes: &'d Notes,
    pub shown: &'d Shown,
    /// Which of the drawings that are shown.
    pub at: usize,
    pub reading: Reading,
    /// How clues in cells are to be read.
    pub clues: Reading,
    /// The size of a cell and of its text.
    pub width: usize,
    pub font: usize,
    /// Do lines go round the cells? Then there are points instead of a grid.
    dotted: bool,
    /// Room at the margins.
    left: usize,
    top: usize,
    /// Of circles.
    pub radius: usize,
    /// Do clues stand in corners? Then entries are lower.
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

    /// Clues round a board: row or column 0, and behind the last one if there is such a first one.
    pub fn is_outside(&self, r: usize, c: usize) -> bool {
        let Some((first, last)) = self.shown.board else { return false };
        let ((row, column), origin) = (self.key(r, c), self.canvas.origin);
        (origin.0 == 0 || origin.1 == 0)
            && (row < first.0.min(1) || column < first.1.min(1) || row > last.0 || column > last.1)
            && (row == 0 || column == 0 || r + 1 == self.canvas.height() || c + 1 == self.canvas.width())
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
        // Regions in a board with boxes are cages in it. A board has a rim, the thickest of its walls.
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
        // A line passes below a number, and over a circle.
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

    /// Lines between cells: `above` and `left` of cells they are drawn where asked for, in one piece where they go on.
    fn path(
        &self,
        body: &mut String,
        class: &str,
        above: &dyn Fn(usize, usize) -> bool,
        left: &dyn Fn(usize, usize) -> bool,
    ) {
        let (height, width) = (self.canvas.height(), self.canvas.width());
        let mut path = String::new();
        for r in 0..=height {
            runs(
                width,
                |c| above(r, c),
                |from, to| {
                    let _ = write!(path, "M{} {}H{}", self.x(from), self.y(r), self.x(to));
                },
            );
        }
        for c in 0..=width {
            runs(
                height,
                |r| left(r, c),
                |from, to| {
                    let _ = write!(path, "M{} {}V{}", self.x(c), self.y(from), self.y(to));
                },
            );
        }
        push_path(body, class, &path);
    }

    /// Lines round cells and through them.
    fn edges(&self, body: &mut String, class: &str, is: &dyn Fn(Marks) -> bool) {
        let (above, left) = (&self.canvas.above, &self.canvas.left);
        self.path(body, class, &|r, c| is(above[r][c]), &|r, c| is(left[r][c]));
        self.ways(body, class, is);
    }

    /// Lines from cell to cell.
    fn ways(&self, body: &mut String, class: &str, is: &dyn Fn(Marks) -> bool) {
        let (height, width) = (self.canvas.height(), self.canvas.width());
        let (half, middle) = (self.width / 2, CELL / 2);
        let mut path = String::new();
        for r in 0..height {
            runs(
                width,
                |c| is(self.canvas.right[r][c]),
                |from, to| {
                    let _ =
                        write!(path, "M{} {}H{}", self.x(from) + half, self.y(r) + middle, self.x(to) + half);
                },
            );
        }
        for c in 0..width {
            runs(
                height,
                |r| is(self.canvas.down[r][c]),
                |from, to| {
                    let _ = write!(
                        path,
                        "M{} {}V{}",
                        self.x(c) + half,
                        self.y(from) + middle,
                        self.y(to) + middle
                    );
                },
            );
        }
        push_path(body, class, &path);
    }
}

/// Calls `each` with the ends of every run of places in `0..n` for which `is` holds.
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

fn push_path(body: &mut String, class: &str, path: &str) {
    if !path.is_empty() {
        let _ = writeln!(body, "<path class=\"{class}\" d=\"{path}\"/>");
    }
}
