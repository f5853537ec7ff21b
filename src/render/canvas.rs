//! The canvas on which frames, boxes and loops are combined: cells, walls between them, lines through them.
//!
//! In: a nested [`Drawing`] with cells. Out: lines of text, in plain or box-drawing characters. Every edge of the
//! lattice of cell corners has a set of walls, and every pair of neighbouring cells has at most one line. So drawings
//! nest in any order; characters are chosen last. Knows nothing of the meaning of the lines.

use super::drawing::{Drawing, Key};
use super::marks::Spots;
use super::text::{Style, extent, pad, placed, spread};
use rustc_hash::FxHashSet;
use unicode_width::UnicodeWidthStr;

/// The marks on an edge between two corners, or on the way from one cell to the next: a set of these flags.
pub(super) type Marks = u8;
pub(super) const FRAME: Marks = 1;
pub(super) const BOX: Marks = 2;
pub(super) const LOOP: Marks = 4;
/// An edge of a loop that is undetermined.
pub(super) const MAYBE: Marks = 8;
/// A marked edge, independent of other flags; only in pictures.
pub(super) const SPOT: Marks = 16;
/// A wall that is only in pictures.
pub(super) const WALL: Marks = 32;

/// The width of a terminal.
const COLUMNS: usize = 80;

/// A drawing with cells at `0..height` × `0..width`.
pub(super) struct Canvas {
    pub texts: Vec<Vec<Option<String>>>,
    /// Marks of the edge above cell `(r, c)`; one row more than there are cells.
    pub above: Vec<Vec<Marks>>,
    /// Marks of the edge left of cell `(r, c)`; one column more than there are cells.
    pub left: Vec<Vec<Marks>>,
    /// Marks of the way from cell `(r, c)` to the right.
    pub right: Vec<Vec<Marks>>,
    /// Marks of the way from cell `(r, c)` downwards.
    pub down: Vec<Vec<Marks>>,
    /// Corners that are drawn even if no line meets them.
    pub points: FxHashSet<(usize, usize)>,
    /// The key of the cell at `(0, 0)`.
    pub origin: Key,
    /// The union of all marks on edges.
    pub walls: Marks,
}

#[derive(Clone, Copy)]
pub(super) struct Border {
    pub top: bool,
    pub bottom: bool,
    pub left: bool,
    pub right: bool,
}

impl Canvas {
    /// `None` for a drawing without cells, or with cells too far apart.
    pub fn of(drawing: &Drawing) -> Option<Canvas> {
        let entries = placed(drawing)?;
        let keys: FxHashSet<Key> = entries.iter().map(|(key, _)| *key).collect();
        let mut corners: Vec<Key> = Vec::new();
        for layer in drawing.layers() {
            if let Drawing::Looped { edges, .. } = layer
                && !through(edges, &keys)
            {
                corners.extend(edges.iter().flat_map(|(p, q, _)| [*p, *q]));
            }
        }
        // The last row and column of corners have no cells beyond them.
        let (rows, columns) = extent(entries.iter().map(|(key, _)| *key))?;
        let (rows, columns) = match extent(corners.iter().copied()) {
            Some((down, across)) => {
                let first = (rows.start.min(down.start), columns.start.min(across.start));
                let last = (rows.end.max(down.end - 1), columns.end.max(across.end - 1));
                extent([first, (last.0 - 1, last.1 - 1)].into_iter())?
            }
            None if corners.is_empty() => (rows, columns),
            None => return None,
        };
        let height = usize::try_from(rows.end - rows.start).ok()?;
        let width = usize::try_from(columns.end - columns.start).ok()?;
        let mut canvas = Canvas {
            texts: spread(&entries, &rows, &columns),
            above: vec![vec![0; width]; height + 1],
            left: vec![vec![0; width + 1]; height],
            right: vec![vec![0; width]; height],
            down: vec![vec![0; width]; height],
            points: FxHashSet::default(),
            origin: (rows.start, columns.start),
            walls: 0,
        };
        let origin = canvas.origin;
        for layer in drawing.layers() {
            match layer {
                Drawing::Boxed { height, width, .. } => canvas.boxes(*height, *width),
                Drawing::Framed { regions, walls, .. } => {
                    canvas.frames(origin, regions);
                    canvas.walls_between(origin, walls);
                }
                Drawing::Looped { edges, .. } if through(edges, &keys) => canvas.ways(origin, edges),
                Drawing::Looped { edges, .. } => canvas.rounds(origin, edges),
                _ => (),
            }
        }
        let edges = canvas.above.iter().chain(&canvas.left).flatten();
        canvas.walls = edges.fold(0, |all, marks| all | marks);
        if canvas.walls & BOX != 0 && canvas.walls & FRAME != 0 {
            canvas.close_boxes();
        }
        Some(canvas)
    }

    pub fn height(&self) -> usize {
        self.texts.len()
    }

    pub fn width(&self) -> usize {
        self.texts[0].len()
    }

    fn boxes(&mut self, height: i64, width: i64) {
        if let Ok(step @ 1..) = usize::try_from(height) {
            for row in (step..self.height()).step_by(step) {
                self.above[row].iter_mut().for_each(|marks| *marks |= BOX);
            }
        }
        if let Ok(step @ 1..) = usize::try_from(width) {
            for column in (step..self.width()).step_by(step) {
                self.left.iter_mut().for_each(|row| row[column] |= BOX);
            }
        }
    }

    /// Makes the frame round a board with boxes part of the boxes.
    fn close_boxes(&mut self) {
        let close = |marks: &mut Marks| *marks |= if *marks & FRAME != 0 { BOX } else { 0 };
        let (height, width) = (self.height(), self.width());
        for row in [0, height] {
            self.above[row].iter_mut().for_each(close);
        }
        for row in &mut self.left {
            close(&mut row[0]);
            close(&mut row[width]);
        }
    }

    fn frames(&mut self, origin: Key, regions: &[(Key, u32)]) {
        let (height, width) = (self.height(), self.width());
        let mut region = vec![vec![None; width]; height];
        for (key, id) in regions {
            let place = self.inside(origin, *key);
            if let Some(cell) = place.and_then(|(r, c)| region.get_mut(r)?.get_mut(c)) {
                *cell = Some(*id);
            }
        }
        let at = |r: usize, c: usize| region.get(r).and_then(|row| row.get(c)).copied().flatten();
        for r in 0..=height {
            for c in 0..=width {
                let here = at(r, c);
                if c < width && here != r.checked_sub(1).and_then(|up| at(up, c)) {
                    self.above[r][c] |= FRAME;
                }
                if r < height && here != c.checked_sub(1).and_then(|before| at(r, before)) {
                    self.left[r][c] |= FRAME;
                }
            }
        }
    }

    fn walls_between(&mut self, origin: Key, walls: &[(Key, Key)]) {
        for (p, q) in walls {
            let (Some(p), Some(q)) = (self.inside(origin, *p), self.inside(origin, *q)) else { continue };
            let (p, q) = (p.min(q), p.max(q));
            match (q.0 - p.0, q.1.abs_diff(p.1)) {
                (0, 1) => self.left[q.0][q.1] |= FRAME,
                (1, 0) => self.above[q.0][q.1] |= FRAME,
                _ => {}
            }
        }
    }

    pub(super) fn inside(&self, origin: Key, key: Key) -> Option<(usize, usize)> {
        let r = usize::try_from(key.0.checked_sub(origin.0)?).ok()?;
        let c = usize::try_from(key.1.checked_sub(origin.1)?).ok()?;
        (r <= self.height() && c <= self.width()).then_some((r, c))
    }

    /// The row and column of a cell.
    pub fn cell(&self, key: Key) -> Option<(usize, usize)> {
        self.inside(self.origin, key).filter(|(r, c)| *r < self.height() && *c < self.width())
    }

    /// Adds edges round the cells.
    fn rounds(&mut self, origin: Key, edges: &[(Key, Key, Option<bool>)]) {
        for (p, q, drawn) in edges {
            let (Some(p), Some(q)) = (self.inside(origin, *p), self.inside(origin, *q)) else { continue };
            self.points.extend([p, q]);
            self.round(p, q, marks(*drawn));
        }
    }

    fn round(&mut self, p: (usize, usize), q: (usize, usize), marks: Marks) {
        let (p, q) = (p.min(q), p.max(q));
        if p.0 == q.0 {
            (p.1..q.1).for_each(|c| self.above[p.0][c] |= marks);
        } else if p.1 == q.1 {
            (p.0..q.0).for_each(|r| self.left[r][p.1] |= marks);
        }
    }

    /// Adds edges through the cells.
    fn ways(&mut self, origin: Key, edges: &[(Key, Key, Option<bool>)]) {
        for (p, q, drawn) in edges {
            let (Some(p), Some(q)) = (self.inside(origin, *p), self.inside(origin, *q)) else { continue };
            self.way(p, q, marks(*drawn));
        }
    }

    fn way(&mut self, p: (usize, usize), q: (usize, usize), marks: Marks) {
        let (p, q) = (p.min(q), p.max(q));
        if p.0 == q.0 {
            (p.1..q.1).for_each(|c| self.right[p.0][c] |= marks);
        } else if p.1 == q.1 {
            (p.0..q.0).for_each(|r| self.down[r][p.1] |= marks);
        }
    }

    /// Marks edges for a picture.
    pub fn spot(&mut self, spots: &Spots) {
        let origin = self.origin;
        for (p, q) in &spots.walls {
            if let (Some(p), Some(q)) = (self.inside(origin, *p), self.inside(origin, *q)) {
                self.round(p, q, SPOT);
            }
        }
        for (p, q) in &spots.ways {
            if let (Some(p), Some(q)) = (self.inside(origin, *p), self.inside(origin, *q)) {
                self.way(p, q, SPOT);
            }
        }
    }

    /// The blanks beside entries, and the width of the widest entry. There is a blank on both sides if lines are fine
    /// and the terminal has space: otherwise entries would touch the lines, and a cell would be twice as high as
    /// wide.
    pub(super) fn spacing(&self, style: Style) -> (usize, usize) {
        let size = self.texts.iter().flatten().flatten().map(|text| text.width()).max().unwrap_or(1).max(1);
        (self.room(size, style), size)
    }

    /// The blanks on each side of entries of this width.
    pub(super) fn room(&self, size: usize, style: Style) -> usize {
        let fits = (size + 3) * self.width() < COLUMNS;
        usize::from(!style.ascii && fits)
    }

    /// Adds a wall between two adjacent cells, for a picture.
    pub fn wall(&mut self, p: Key, q: Key) {
        let Some((r, c)) = self.inside(self.origin, p.max(q)) else { return };
        let end = if p.0 == q.0 { (r + 1, c) } else { (r, c + 1) };
        if end.0 <= self.height() && end.1 <= self.width() {
            self.round((r, c), end, WALL);
        }
    }

    pub fn draw(&self, style: Style) -> String {
        let pen = Pen { style, walls: self.walls };
        let (room, size) = self.spacing(style);
        let border = self.border();
        let mut lines = Vec::with_capacity(2 * self.height() + 1);
        for r in 0..=self.height() {
            if (r > 0 || border.top) && (r < self.height() || border.bottom) {
                lines.push(self.rule(r, &pen, room, size, border));
            }
            if r < self.height() {
                lines.push(self.row(r, &pen, room, size, border));
            }
        }
        let margin = lines.iter().filter(|line| !line.trim_matches(' ').is_empty());
        let margin = margin.map(|line| line.len() - line.trim_start_matches(' ').len()).min();
        let margin = if border.left { 0 } else { margin.unwrap_or(0) };
        let rest = |line: &String| line.get(margin..).unwrap_or("").trim_end_matches(' ').to_owned() + "\n";
        lines.iter().map(rest).collect()
    }

    /// Which sides have marks? On the others, lines end with the last cell.
    pub(super) fn border(&self) -> Border {
        let (height, width) = (self.height(), self.width());
        let wall = |row: &[Marks]| row.iter().any(|marks| *marks != 0);
        let point = |on: &dyn Fn(&(usize, usize)) -> bool| self.points.iter().any(on);
        Border {
            top: wall(&self.above[0]) || point(&|(r, _)| *r == 0),
            bottom: wall(&self.above[height]) || point(&|(r, _)| *r == height),
            left: self.left.iter().any(|row| row[0] != 0) || point(&|(_, c)| *c == 0),
            right: self.left.iter().any(|row| row[width] != 0) || point(&|(_, c)| *c == width),
        }
    }

    /// The line of corners and walls above row `r`.
    fn rule(&self, r: usize, pen: &Pen, room: usize, size: usize, border: Border) -> String {
        let mut line = String::new();
        for c in 0..=self.width() {
            let wall = |r: Option<usize>, c: Option<usize>, of: &[Vec<Marks>]| {
                r.zip(c).and_then(|(r, c)| of.get(r)?.get(c).copied()).unwrap_or(0)
            };
            let arms = [
                wall(r.checked_sub(1), Some(c), &self.left),
                wall(Some(r), Some(c), &self.above),
                wall(Some(r), Some(c), &self.left),
                wall(Some(r), c.checked_sub(1), &self.above),
            ];
            if (c > 0 || border.left) && (c < self.width() || border.right) {
                line.push(pen.corner(arms, self.points.contains(&(r, c))));
            }
            if c < self.width() {
                let wall = self.above[r][c];
                let way = r.checked_sub(1).map_or(0, |r| self.down[r][c]);
                let across = pen.across(wall);
                (0..room + size - 1).for_each(|_| line.push(across));
                line.push(if way == 0 { across } else { pen.crossing([way, wall, way, wall]) });
                (0..room).for_each(|_| line.push(across));
            }
        }
        line
    }

    /// The line of entries of row `r`.
    fn row(&self, r: usize, pen: &Pen, room: usize, size: usize, border: Border) -> String {
        let mut line = String::new();
        for c in 0..=self.width() {
            let wall = self.left[r][c];
            let way = c.checked_sub(1).map_or(0, |c| self.right[r][c]);
            if (c > 0 || border.left) && (c < self.width() || border.right) {
                line.push(if way == 0 { pen.upright(wall) } else { pen.crossing([wall, way, wall, way]) });
            }
            if c == self.width() {
                break;
            }
            let next = self.right[r][c];
            let up = r.checked_sub(1).map_or(0, |r| self.down[r][c]);
            let entry = self.texts[r][c].as_deref().unwrap_or("");
            // A way through an empty cell is drawn as a line.
            let arms = [up, next, self.down[r][c], way];
            let entry = pen.through(entry, arms).unwrap_or_else(|| entry.to_owned());
            let padded = pad(&entry, room + size);
            let lead = padded.len() - padded.trim_start_matches(' ').len();
            let before = if way == 0 { ' ' } else { pen.across(way) };
            (0..lead).for_each(|_| line.push(before));
            line.push_str(padded.trim_start_matches(' '));
            let after = if next == 0 { ' ' } else { pen.across(next) };
            (0..room).for_each(|_| line.push(after));
        }
        line
    }
}

fn marks(drawn: Option<bool>) -> Marks {
    match drawn {
        Some(true) => LOOP,
        Some(false) => 0,
        None => MAYBE,
    }
}

/// Do the edges lead from cell to cell (and not from corner to corner)?
pub(super) fn through(edges: &[(Key, Key, Option<bool>)], keys: &FxHashSet<Key>) -> bool {
    edges.iter().all(|(p, q, _)| keys.contains(p) && keys.contains(q))
}

/// The weights (0 none, 1 light, 2 heavy) of the arms (up, right, down, left) of a box drawing character.
pub(super) fn arms(joint: char) -> Option<[usize; 4]> {
    let index = JOINTS.chars().position(|c| c == joint).filter(|index| *index > 0)?;
    Some([index / 27, index / 9 % 3, index / 3 % 3, index % 3])
}

/// A line character with all its arms made light; other characters unchanged.
pub fn light(c: char) -> char {
    match (c, arms(c)) {
        ('╍', _) => '─',
        ('╏', _) => '│',
        (c, None) => c,
        (_, Some(arms)) => {
            let index = arms.iter().fold(0, |index, weight| 3 * index + weight.min(&1));
            JOINTS.chars().nth(index).unwrap_or(c)
        }
    }
}

/// Chooses the characters.
pub(super) struct Pen {
    pub style: Style,
    /// All marks of the drawing: a second kind of wall must look different.
    pub walls: Marks,
}

/// Box drawing characters by the weight (none, light, heavy) of the arms up, right, down, left: base 3, up first.
const JOINTS: &str =
    concat!(" ╴╸╷┐┑╻┒┓╶─╾┌┬┭┎┰┱╺╼━┍┮┯┏┲┳", "╵┘┙│┤┥╽┧┪└┴┵├┼┽┟╁╅┕┶┷┝┾┿┢╆╈", "╹┚┛╿┦┩┃┨┫┖┸┹┞╀╃┠╂╉┗┺┻┡╄╇┣╊╋",);

impl Pen {
    /// 0 none, 1 light, 2 heavy.
    fn weight(&self, marks: Marks) -> usize {
        let boxes = marks & BOX != 0 && self.walls & FRAME != 0;
        match marks {
            0 => 0,
            marks if marks & LOOP != 0 || boxes => 2,
            _ => 1,
        }
    }

    fn joint(&self, arms: [Marks; 4]) -> char {
        let index = arms.iter().fold(0, |index, marks| 3 * index + self.weight(*marks));
        JOINTS.chars().nth(index).unwrap_or(' ')
    }

    /// Must this wall look different from the other ones of the drawing?
    fn second(&self, marks: Marks) -> bool {
        let others = self.walls & (FRAME | BOX);
        match marks {
            marks if marks & LOOP != 0 => others != 0,
            marks if marks & FRAME == 0 => marks & BOX != 0 && self.walls & FRAME != 0,
            _ => false,
        }
    }

    pub fn across(&self, marks: Marks) -> char {
        match (marks, self.style.ascii) {
            (0, _) => ' ',
            (MAYBE, true) => '?',
            (MAYBE, false) => '╌',
            (marks, true) => {
                if self.second(marks) {
                    '='
                } else {
                    '-'
                }
            }
            (marks, false) if self.second(marks) && marks & LOOP == 0 => '╍',
            (marks, false) => self.joint([0, marks, 0, marks]),
        }
    }

    pub fn upright(&self, marks: Marks) -> char {
        match (marks, self.style.ascii) {
            (0, _) => ' ',
            (MAYBE, true) => '?',
            (MAYBE, false) => '╎',
            (marks, true) => {
                if self.second(marks) {
                    '#'
                } else {
                    '|'
                }
            }
            (marks, false) if self.second(marks) && marks & LOOP == 0 => '╏',
            (marks, false) => self.joint([marks, 0, marks, 0]),
        }
    }

    /// A corner: `arms` up, right, down, left.
    fn corner(&self, arms: [Marks; 4], point: bool) -> char {
        let certain = arms.map(|marks| if marks == MAYBE { 0 } else { marks });
        match (certain == [0; 4], self.style.ascii) {
            (false, true) => '+',
            (false, false) => self.joint(certain),
            (true, ascii) => match (point || arms != [0; 4], ascii) {
                (false, _) => ' ',
                (true, true) => '+',
                (true, false) => '·',
            },
        }
    }

    /// The character where a way crosses a wall, or between two cells without a wall.
    pub fn crossing(&self, arms: [Marks; 4]) -> char {
        match arms {
            [up, 0, _, 0] => self.upright(up),
            [0, right, 0, _] => self.across(right),
            _ if self.style.ascii => '+',
            _ => self.joint(arms.map(|marks| if marks == MAYBE { FRAME } else { marks })),
        }
    }

    /// The text of an empty cell with ways through it.
    fn through(&self, entry: &str, arms: [Marks; 4]) -> Option<String> {
        let passed =
            !self.style.ascii && matches!(entry, "." | " " | "") && arms.iter().any(|m| m & LOOP != 0);
        let certain = arms.map(|marks| marks & LOOP);
        passed.then(|| self.joint(certain).to_string())
    }
}
