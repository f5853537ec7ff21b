//! The content of cells, and the clues between and beside them, as SVG.
//!
//! In: entries and notes as text. Out: elements, by layer. A note equal to its cell's text marks that text as given.
//! Any other note is in the middle of a cell without text, else small in its corner.

use super::board::{Board, CELL};
use super::notes::{GAP, LEADING, Notes, Side};
use super::shapes::{Place, less, shade, shape};
use super::signs::{Reading, Sign, lines, split_raised};
use super::text::escaped;
use std::fmt::Write;

/// The radius of a circle in a cell, and between cells.
const CIRCLE: usize = 14;
const DOT: usize = 6;
/// The radius of the background of a text between cells.
pub(super) const DISC: usize = 9;
/// The visible width of a mark round a shaded cell.
const MARK: usize = 6;
/// Sizes of text in corners, between cells, and beside the board.
const SMALL: usize = 11;
const LONE: usize = 16;
const MIDDLE: usize = 13;
const MARGIN: usize = 17;

#[derive(Default)]
pub(super) struct Layers {
    pub shades: String,
    pub shapes: String,
    pub between: String,
    texts: String,
}

impl Layers {
    fn shape(&mut self, sign: Sign, class: &str, place: Place) {
        let layer = if sign == Sign::Shade { &mut self.shades } else { &mut self.shapes };
        layer.push_str(&shape(sign, class, place));
    }

    pub fn texts(&mut self) -> String {
        std::mem::take(&mut self.texts)
    }
}

/// The radius of circles in cells: that of circles between cells, if there are any.
pub(super) fn radius(notes: &Notes) -> usize {
    let small = notes.between.iter().any(|(_, text)| is_circle(Reading::BETWEEN.sign(text).0));
    if small { DOT } else { CIRCLE }
}

fn is_circle(sign: Sign) -> bool {
    matches!(sign, Sign::Ring | Sign::Disc)
}

impl Board<'_> {
    /// How far lines extend into the neighbours: up to the circles there.
    fn reach(&self, r: usize, c: usize) -> [usize; 4] {
        let next = [(r.wrapping_sub(1), c), (r, c + 1), (r + 1, c), (r, c.wrapping_sub(1))];
        next.map(|cell| {
            let mut notes = self.notes.cells.get(&cell).into_iter().flatten();
            let circled = notes.any(|note| is_circle(self.clues.sign(note).0));
            if circled { CELL / 2 - self.radius } else { 0 }
        })
    }

    pub fn entry(&mut self, r: usize, c: usize, text: &str) {
        let key = self.key(r, c);
        let outside = self.is_outside(r, c);
        let (sign, rest) = self.reading.sign(text);
        let reach =
            if matches!(sign, Sign::Arms(_) | Sign::Double { .. }) { self.reach(r, c) } else { [0; 4] };
        let place =
            Place { x: self.x(c), y: self.y(r), width: self.width, height: CELL, radius: self.radius, reach };
        if let Some(tint) = self.notes.tints.get(&(r, c)) {
            self.layers.shades.push_str(&shade(&format!("tint-{tint}"), place));
        }
        let marked = self.shown.marked.get(self.at).is_some_and(|spots| spots.cells.contains(&key));
        if marked {
            self.layers.shades.push_str(&shade("marked", place));
        }
        let notes = self.notes.cells.get(&(r, c)).map_or(&[][..], Vec::as_slice);
        let same = |note: &String| note == text || note == rest;
        let known = self.shown.given.get(self.at).is_some_and(|given| given.contains(&key));
        let given = known || outside || notes.iter().any(|note| note == text);
        // Of a shaded cell with a circle, only the circle is given.
        let circled = notes.iter().any(|note| is_circle(self.clues.sign(note).0));
        let mut ground = (sign, given && !(sign == Sign::Shade && circled));
        let room = if marked && sign == Sign::Shade { place.within(MARK) } else { place };
        // While the entry is unknown, its clue is shown instead.
        if sign != Sign::Open || notes.is_empty() {
            self.layers.shape(sign, if ground.1 { " given" } else { "" }, room);
        }
        let given = given || notes.iter().any(same);
        for note in notes.iter().filter(|note| !same(note)) {
            let (clue, words) = match self.clues.sign(note) {
                (Sign::Slant { falling: true }, _) if sign == Sign::Shade => (Sign::Split, ""),
                read => read,
            };
            self.layers.shape(clue, " given", place);
            if clue == Sign::Shade || is_circle(clue) {
                ground = (clue, true);
            }
            let class = class(ground, false, true);
            if rest.is_empty() && matches!(sign, Sign::Nothing | Sign::Open | Sign::Shade) {
                self.words(words, clue, class, place);
            } else {
                let font = if words.chars().count() == 1 && !is_number(words) { LONE } else { SMALL };
                self.text(words, class, font, "start", (place.x + 3, place.y + font));
            }
        }
        let shape = if is_circle(ground.0) { ground.0 } else { sign };
        self.words(rest, shape, class(ground, outside, given), place);
    }

    /// Text in the middle of a cell, or where its sign leaves space.
    fn words(&mut self, text: &str, sign: Sign, class: &str, place: Place) {
        let (x, y) = place.middle();
        if let (Sign::Split, Some((low, high))) = (sign, text.split_once('\\')) {
            let font = self.font * 3 / 5;
            let lower = (place.x + place.width / 4 + 1, place.y + CELL - 5);
            self.text(low, class, font, "middle", lower);
            let upper = (place.x + place.width * 3 / 4 - 1, place.y + font + 2);
            return self.text(high, class, font, "middle", upper);
        }
        let (x, y, font) = match sign {
            Sign::Disc | Sign::Ring => (x, y, self.font * 3 / 4),
            Sign::Pointer(_, 0) => (x - 5, y, self.font * 5 / 6),
            Sign::Pointer(..) => (x, y + 6, self.font * 5 / 6),
            _ if self.corners => (x, y + 6, self.font * 5 / 6),
            _ => (x, y, self.font),
        };
        let rows = lines(text);
        // Capitals have about 0.72 of the font size.
        let first = y + font * 36 / 100 - font * (rows.len() - 1) / 2;
        for (row, line) in rows.into_iter().zip((first..).step_by(font)) {
            self.text(row, class, font, "middle", (x, line));
        }
    }

    fn text(&mut self, text: &str, class: &str, font: usize, anchor: &str, (x, y): (usize, usize)) {
        if text.is_empty() {
            return;
        }
        let text = typeset(text);
        let (base, high) = split_raised(&text);
        let class = if class.is_empty() { String::new() } else { format!(" class=\"{class}\"") };
        let texts = &mut self.layers.texts;
        let _ = write!(
            texts,
            "<text{class} font-size=\"{font}\" text-anchor=\"{anchor}\" x=\"{x}\" y=\"{y}\">{}",
            escaped(base)
        );
        if !high.is_empty() {
            let (small, up) = (font * 6 / 10, font * 4 / 10);
            let _ = write!(texts, "<tspan font-size=\"{small}\" dy=\"-{up}\">{}</tspan>", escaped(&high));
        }
        texts.push_str("</text>\n");
    }

    /// The clues between cells and at the margins.
    pub fn clues(&mut self) {
        let notes = self.notes;
        for ((down, across), text) in &notes.between {
            let (x, y) = (self.x(0) + across * self.width / 2, self.y(0) + down * CELL / 2);
            let (sign, words) = Reading::BETWEEN.sign(text);
            let corner = down % 2 == 0 && across % 2 == 0;
            let class = match sign {
                Sign::Ring => "ring given",
                Sign::Disc => "disc given",
                _ if corner => "ring given thin",
                _ => "paper",
            };
            let radius = if is_circle(sign) { DOT } else { DISC };
            let between = &mut self.layers.between;
            let _ = writeln!(between, "<circle class=\"{class}\" cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"/>");
            if let Sign::Arrow(down, right) = sign {
                between.push_str(&less(down, right, (x, y)));
            }
            let class = if corner { "white given" } else { "given" };
            self.text(words, class, MIDDLE, "middle", (x, y + MIDDLE * 36 / 100));
        }
        for (side, at, text) in &notes.margin {
            let (row, column) = (self.y(*at) + CELL / 2 + MARGIN * 36 / 100, self.x(*at) + self.width / 2);
            match side {
                Side::Left => self.text(text, "outside", MARGIN, "end", (self.x(0) - GAP, row)),
                Side::Right => {
                    let x = self.x(self.canvas.width()) + GAP;
                    self.text(text, "outside", MARGIN, "start", (x, row));
                }
                Side::Top | Side::Bottom => {
                    let parts = text.split(' ');
                    let first = match side {
                        Side::Top => self.y(0) - GAP - LEADING * (parts.clone().count() - 1),
                        _ => self.y(self.canvas.height()) + LEADING,
                    };
                    for (part, line) in parts.zip((first..).step_by(LEADING)) {
                        self.text(part, "outside", MARGIN, "middle", (column, line));
                    }
                }
            }
        }
    }
}

fn is_number(text: &str) -> bool {
    text.chars().all(|c| c.is_ascii_digit())
}

/// Arithmetic in typeset form: `-3` and `-` with a minus, `12*` with a cross.
fn typeset(text: &str) -> String {
    let sign = |c| match c {
        '-' => '−',
        '*' => '×',
        '/' => '÷',
        c => c,
    };
    match (text.strip_prefix('-'), text.strip_suffix(['-', '*', '/'])) {
        (Some(number), _) if is_number(number) => format!("−{number}"),
        (_, Some(number)) if !number.is_empty() && is_number(number) => text.chars().map(sign).collect(),
        _ => text.to_owned(),
    }
}

/// The class of a text; `ground` is the sign below it and whether that is given.
fn class((ground, known): (Sign, bool), outside: bool, given: bool) -> &'static str {
    match ground {
        Sign::Shade if known => "on",
        Sign::Disc => {
            if known {
                "black given"
            } else {
                "black"
            }
        }
        Sign::Ring => {
            if given {
                "white given"
            } else {
                "white"
            }
        }
        _ if outside => "outside",
        _ if given => "given",
        Sign::Shade => "plain",
        _ => "",
    }
}
