//! Drawings as SVG.
//!
//! In: drawings as they are [`Shown`]. Out: one `svg` element, with its style in it, that needs no font, script or file from
//! elsewhere and reads well on light and dark grounds. Layers, lowest first: shaded cells, the grid, shapes,
//! walls, lines, text. What came from users is escaped. Knows nothing of where a drawing came from.

use super::canvas::{BOX, Canvas, FRAME, LOOP, MAYBE, Marks, SPOT};
use super::drawing::{Drawing, Key};
use super::known::Shown;
use super::signs::{Reading, Sign, raised};
use super::text::{Style, escaped, text, titled};
use std::fmt::Write;
use unicode_width::UnicodeWidthStr;

/// The side of a cell.
const CELL: usize = 40;
/// Round a drawing, for lines that are as thick as that.
const RIM: usize = 6;
const LINE: usize = 24;

/// Of the parts of a drawing. Each colour stands alone: not every reader of SVG knows variables.
pub(super) const STYLE: &str = "\
.rebus{font-family:'DejaVu Sans','Segoe UI',system-ui,sans-serif}\
.rebus .paper{fill:#fff}\
.rebus .grid{stroke:#b8b8b8;fill:none}\
.rebus .point{fill:#888}\
.rebus .marked{fill:#ffe39b}\
.rebus .marked-line{stroke:#ffe39b;stroke-width:14;fill:none;stroke-linecap:round}\
.rebus .shade{fill:#8ba3c7}\
.rebus .shade.given{fill:#333}\
.rebus .ink{stroke:#1a5fb4;fill:none;stroke-width:3;stroke-linecap:round}\
.rebus .ink.given{stroke:#111}\
.rebus .solid{fill:#1a5fb4;stroke:#1a5fb4;stroke-width:1.5;stroke-linejoin:round}\
.rebus .solid.given{fill:#111;stroke:#111}\
.rebus .ring{fill:#fff;stroke:#1a5fb4;stroke-width:2}\
.rebus .ring.given{stroke:#111}\
.rebus .frame{stroke:#111;stroke-width:3;fill:none;stroke-linecap:square}\
.rebus .box{stroke:#111;stroke-width:3;fill:none;stroke-linecap:square}\
.rebus .cage{stroke:#111;stroke-width:1.5;fill:none;stroke-dasharray:4 3}\
.rebus .rim{stroke:#777;stroke-width:2;fill:none;stroke-linecap:square}\
.rebus .line{stroke:#d0342c;stroke-width:4;fill:none;stroke-linecap:round}\
.rebus .maybe{stroke:#999;stroke-width:2;stroke-dasharray:4 5;fill:none}\
.rebus text{fill:#1a5fb4}\
.rebus text.given{fill:#111;font-weight:600}\
.rebus text.outside{fill:#555;font-weight:400}\
.rebus text.on{fill:#fff}\
.rebus text.plain{fill:#111}\
.rebus .passed text{stroke:#fff;stroke-width:8;stroke-linejoin:round;paint-order:stroke}\
@media (prefers-color-scheme:dark){\
.rebus .paper{fill:#1b1d21}\
.rebus .grid{stroke:#55585e}\
.rebus .point{fill:#888}\
.rebus .marked{fill:#6b5413}\
.rebus .marked-line{stroke:#6b5413}\
.rebus .shade{fill:#4a6591}\
.rebus .shade.given{fill:#c9c9c9}\
.rebus .ink{stroke:#7db4f5}\
.rebus .ink.given{stroke:#eee}\
.rebus .solid{fill:#7db4f5;stroke:#7db4f5}\
.rebus .solid.given{fill:#eee;stroke:#eee}\
.rebus .ring{fill:#1b1d21;stroke:#7db4f5}\
.rebus .ring.given{stroke:#eee}\
.rebus .frame,.rebus .box,.rebus .cage{stroke:#eee}\
.rebus .rim{stroke:#999}\
.rebus .line{stroke:#ff7b72}\
.rebus text{fill:#7db4f5}\
.rebus text.given,.rebus text.plain{fill:#eee}\
.rebus text.outside{fill:#aaa}\
.rebus .passed text{stroke:#1b1d21}\
.rebus text.on{fill:#1b1d21}}";

/// Drawings as one element. `name` tells it from others on a page and is part of no text; `title` is read aloud.
pub fn svg(shown: &Shown, name: &str, title: &str, style: bool) -> String {
    let mut body = String::new();
    let (mut width, mut height) = (0, 0);
    let mut said = String::new();
    for (at, drawing) in shown.drawings.iter().enumerate() {
        said.push_str(&text(drawing, Style { ascii: true }));
        let part = match Canvas::of(drawing) {
            Some(mut canvas) => {
                if let Some(spots) = shown.marked.get(at) {
                    canvas.spot(spots);
                }
                Board::new(&canvas, shown, at).draw()
            }
            None => lines(drawing),
        };
        let is_text = |at: usize| matches!(shown.drawings[at], Drawing::Text(_));
        height += if at > 0 && !(is_text(at) && is_text(at - 1)) { LINE / 2 } else { 0 };
        let _ = writeln!(body, "<g transform=\"translate(0 {height})\">\n{}</g>", part.body);
        width = width.max(part.width);
        height += part.height;
    }
    let style = if style { format!("<style>{STYLE}</style>\n") } else { String::new() };
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"rebus\" role=\"img\" \
         aria-labelledby=\"{name}-title\" aria-describedby=\"{name}-desc\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" style=\"max-width:100%;height:auto\">\n\
         <title id=\"{name}-title\">{}</title>\n<desc id=\"{name}-desc\">{}</desc>\n{style}\
         <rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n{body}</svg>\n",
        titled(title),
        escaped(said.trim_end_matches('\n')),
    )
}

struct Part {
    body: String,
    width: usize,
    height: usize,
}

/// Text and tables, line by line.
fn lines(drawing: &Drawing) -> Part {
    let mut part = Part { body: String::new(), width: 2 * RIM, height: 0 };
    for line in text(drawing, Style::default()).lines() {
        let line = line.replace('\t', "    ");
        let y = part.height + LINE * 3 / 4;
        let _ = writeln!(
            part.body,
            "<text class=\"plain\" xml:space=\"preserve\" font-size=\"16\" x=\"{RIM}\" y=\"{y}\">{}</text>",
            escaped(&line)
        );
        part.width = part.width.max(2 * RIM + 10 * line.width());
        part.height += LINE;
    }
    part.height += RIM / 2;
    part
}

/// A drawing with cells.
struct Board<'d> {
    canvas: &'d Canvas,
    shown: &'d Shown,
    at: usize,
    reading: Reading,
    /// The size of a cell and of its text.
    width: usize,
    font: usize,
    /// Do lines go round the cells? Then there are points instead of a grid.
    dotted: bool,
    layers: Layers,
}

#[derive(Default)]
struct Layers {
    shades: String,
    shapes: String,
    texts: String,
}

impl<'d> Board<'d> {
    fn new(canvas: &'d Canvas, shown: &'d Shown, at: usize) -> Board<'d> {
        let texts = || canvas.texts.iter().flatten().flatten().map(String::as_str);
        let reading = Reading::of(texts());
        let longest = texts().map(|text| reading.sign(text).1.width()).max().unwrap_or(1);
        let (width, font) = match longest {
            0..=2 => (CELL, 22),
            3 => (CELL, 17),
            4 => (CELL, 14),
            5 => (CELL, 12),
            n => (9 * n + 16, 14),
        };
        let dotted = !canvas.points.is_empty();
        Board { canvas, shown, at, reading, width, font, dotted, layers: Layers::default() }
    }

    fn x(&self, column: usize) -> usize {
        RIM + column * self.width
    }

    fn y(&self, row: usize) -> usize {
        RIM + row * CELL
    }

    fn key(&self, r: usize, c: usize) -> Key {
        (self.canvas.origin.0 + r as i64, self.canvas.origin.1 + c as i64)
    }

    /// Clues round a board: row or column 0, and behind the last one if there is such a first one.
    fn is_outside(&self, r: usize, c: usize) -> bool {
        let Some((first, last)) = self.shown.board else { return false };
        let ((row, column), origin) = (self.key(r, c), self.canvas.origin);
        (origin.0 == 0 || origin.1 == 0)
            && (row < first.0.min(1) || column < first.1.min(1) || row > last.0 || column > last.1)
            && (row == 0 || column == 0 || r + 1 == self.canvas.height() || c + 1 == self.canvas.width())
    }

    fn draw(mut self) -> Part {
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
        let (boxed, framed) = (any(BOX), any(FRAME));
        let rim = match (boxed, framed) {
            (true, _) => "box",
            (false, true) => "frame",
            (false, false) => "rim",
        };
        let walled = [
            (if boxed { "cage" } else { "frame" }, walls(FRAME, 0)),
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
        // A line passes below a number, and over a circle.
        let passed = canvas.right.iter().chain(&canvas.down).flatten().any(|marks| marks & LOOP != 0);
        let class = if passed { " class=\"passed\"" } else { "" };
        let _ = write!(body, "<g{class}>\n{}</g>\n", self.layers.texts);
        Part { body, width: 2 * RIM + width * self.width, height: 2 * RIM + height * CELL }
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

    fn entry(&mut self, r: usize, c: usize, text: &str) {
        let key = self.key(r, c);
        let given = self.shown.given.get(self.at).is_some_and(|given| given.contains(&key));
        let outside = self.is_outside(r, c);
        let class = if given || outside { " given" } else { "" };
        let (x, y) = (self.x(c), self.y(r));
        if self.shown.marked.get(self.at).is_some_and(|spots| spots.cells.contains(&key)) {
            let _ = writeln!(
                self.layers.shades,
                "<rect class=\"marked\" x=\"{x}\" y=\"{y}\" width=\"{}\" height=\"{CELL}\"/>",
                self.width
            );
        }
        let (sign, rest) = self.reading.sign(text);
        self.sign(sign, x, y, class);
        if rest.is_empty() {
            return;
        }
        let class = match (sign, outside, given) {
            (Sign::Disc | Sign::Shade, ..) => " class=\"on\"",
            (_, true, _) => " class=\"outside\"",
            (.., true) => " class=\"given\"",
            _ => "",
        };
        let (base, high) = raised(rest);
        let font = if matches!(sign, Sign::Disc | Sign::Ring) { self.font * 3 / 4 } else { self.font };
        // Capitals are about 0.72 of the font high.
        let (middle, line) = (x + self.width / 2, y + CELL / 2 + font * 36 / 100);
        let _ = write!(
            self.layers.texts,
            "<text{class} font-size=\"{font}\" text-anchor=\"middle\" x=\"{middle}\" y=\"{line}\">{}",
            escaped(base)
        );
        if !high.is_empty() {
            let (small, up) = (font * 6 / 10, font * 4 / 10);
            let _ = write!(
                self.layers.texts,
                "<tspan font-size=\"{small}\" dy=\"-{up}\">{}</tspan>",
                escaped(&high)
            );
        }
        self.layers.texts.push_str("</text>\n");
    }

    fn sign(&mut self, sign: Sign, x: usize, y: usize, class: &str) {
        let (w, h) = (self.width, CELL);
        let (cx, cy) = (x + w / 2, y + h / 2);
        let Layers { shades, shapes, .. } = &mut self.layers;
        let _ = match sign {
            Sign::Nothing => Ok(()),
            Sign::Open => writeln!(shapes, "<circle class=\"point\" cx=\"{cx}\" cy=\"{cy}\" r=\"2\"/>"),
            Sign::Shade => {
                writeln!(
                    shades,
                    "<rect class=\"shade{class}\" x=\"{x}\" y=\"{y}\" width=\"{w}\" height=\"{h}\"/>"
                )
            }
            Sign::Ring => {
                writeln!(shapes, "<circle class=\"ring{class}\" cx=\"{cx}\" cy=\"{cy}\" r=\"14\"/>")
            }
            Sign::Disc => {
                writeln!(shapes, "<circle class=\"solid{class}\" cx=\"{cx}\" cy=\"{cy}\" r=\"14\"/>")
            }
            Sign::Block => {
                writeln!(
                    shapes,
                    "<rect class=\"solid{class}\" x=\"{}\" y=\"{}\" width=\"22\" height=\"22\"/>",
                    cx - 11,
                    cy - 11
                )
            }
            Sign::Star => {
                // A five-pointed star, outer radius 14, inner 5.6, the first point up.
                const STAR: [(i32, i32); 10] = [
                    (0, -140),
                    (33, -45),
                    (133, -43),
                    (53, 17),
                    (82, 113),
                    (0, 56),
                    (-82, 113),
                    (-53, 17),
                    (-133, -43),
                    (-33, -45),
                ];
                let points = STAR.map(|(dx, dy)| {
                    format!("{:.1},{:.1}", cx as f64 + f64::from(dx) / 10.0, cy as f64 + f64::from(dy) / 10.0)
                });
                writeln!(shapes, "<polygon class=\"solid{class}\" points=\"{}\"/>", points.join(" "))
            }
            Sign::Slant { falling } => {
                let (from, to) = if falling { (y, y + h) } else { (y + h, y) };
                writeln!(shapes, "<path class=\"ink{class}\" d=\"M{x} {from}L{} {to}\"/>", x + w)
            }
            Sign::Corner { lower, right } => {
                let (row, column) = (y + h * usize::from(lower), x + w * usize::from(right));
                let (other_row, other_column) = (y + h * usize::from(!lower), x + w * usize::from(!right));
                writeln!(
                    shapes,
                    "<polygon class=\"solid{class}\" points=\"{column},{row} {other_column},{row} {column},{other_row}\"/>"
                )
            }
            Sign::Arms(arms) => {
                let ends = [(cx, y), (x + w, cy), (cx, y + h), (x, cy)];
                let path: String = arms
                    .iter()
                    .zip(ends)
                    .filter(|(arm, _)| **arm > 0)
                    .map(|(_, (ex, ey))| format!("M{cx} {cy}L{ex} {ey}"))
                    .collect();
                writeln!(shapes, "<path class=\"ink{class}\" d=\"{path}\"/>")
            }
            Sign::Double { upright } => {
                let path = if upright {
                    format!("M{} {y}v{h}M{} {y}v{h}", cx - 4, cx + 4)
                } else {
                    format!("M{x} {}h{w}M{x} {}h{w}", cy - 4, cy + 4)
                };
                writeln!(shapes, "<path class=\"ink{class}\" d=\"{path}\"/>")
            }
            Sign::Arrow(down, right) => {
                let (cx, cy) = (cx as i32, cy as i32);
                // The tip, and the ends of the side it is over.
                let tip = (cx + 11 * right, cy + 11 * down);
                let back = (cx - 8 * right, cy - 8 * down);
                let (ax, ay) = (back.0 + 11 * down, back.1 + 11 * right);
                let (bx, by) = (back.0 - 11 * down, back.1 - 11 * right);
                writeln!(
                    shapes,
                    "<polygon class=\"solid{class}\" points=\"{},{} {ax},{ay} {bx},{by}\"/>",
                    tip.0, tip.1
                )
            }
        };
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
