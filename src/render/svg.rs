//! Drawings as SVG.
//!
//! In: drawings as they are [`Shown`]. Out: one self-contained `svg` element: the style is inside, no font, script or
//! file is external, and it is readable on light and dark backgrounds. Drawings are one below the other. Text from
//! users is escaped. Knows nothing of the origin of a drawing.

use super::board::Board;
use super::canvas::Canvas;
use super::drawing::{Drawing, Key};
use super::known::Shown;
use super::notes::Notes;
use super::text::{Style, escaped, text, titled};
use std::fmt::Write;
use unicode_width::UnicodeWidthChar;

/// The rim round a drawing, as wide as its thickest lines.
pub(super) const RIM: usize = 6;
const LINE: usize = 24;
/// Longer lines of text are wrapped.
const COLUMNS: usize = 80;

/// The style of the parts of a drawing. Each colour is written out: not every SVG viewer supports variables.
pub const STYLE: &str = include_str!("style.css");

/// Where the cells of a drawing are in its picture, in the units of its `viewBox`.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Area {
    /// The number of the drawing, from 0.
    pub drawing: usize,
    /// The upper left corner of the first cell.
    pub x: usize,
    /// See `x`.
    pub y: usize,
    /// The size of a cell.
    pub width: usize,
    /// See `width`.
    pub height: usize,
    /// The number of rows and columns.
    pub rows: usize,
    /// See `rows`.
    pub columns: usize,
    /// The row and column of the first cell, in the model's numbering.
    pub first: Key,
}

/// Drawings as one element. `name` distinguishes it from others on a page and is not displayed; `title` is for screen
/// readers.
pub fn svg(shown: &Shown, name: &str, title: &str, style: bool) -> String {
    picture(shown, name, title, style).0
}

/// The same, and where its cells are.
pub fn picture(shown: &Shown, name: &str, title: &str, style: bool) -> (String, Vec<Area>) {
    let mut body = String::new();
    let mut areas = Vec::new();
    let (mut width, mut height) = (0, 0);
    let mut said = String::new();
    for (at, drawing) in shown.drawings.iter().enumerate() {
        said.push_str(&text(drawing, Style { ascii: true }));
        let is_text = |at: usize| matches!(shown.drawings[at], Drawing::Text(_));
        height += if at > 0 && !(is_text(at) && is_text(at - 1)) { LINE / 2 } else { 0 };
        let part = match Canvas::of(drawing) {
            Some(mut canvas) => {
                if let Some(spots) = shown.marked.get(at) {
                    canvas.spot(spots);
                }
                let notes = Notes::of(drawing, &mut canvas);
                let board = Board::new(&canvas, &notes, shown, at);
                areas.push(board.area(height));
                board.draw()
            }
            None => lines(drawing),
        };
        let _ = writeln!(body, "<g transform=\"translate(0 {height})\">\n{}</g>", part.body);
        width = width.max(part.width);
        height += part.height;
    }
    let style = if style { format!("<style>{STYLE}</style>\n") } else { String::new() };
    let element = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"rebus\" role=\"img\" \
         aria-labelledby=\"{name}-title\" aria-describedby=\"{name}-desc\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
         height=\"{height}\" style=\"max-width:100%;height:auto\">\n\
         <title id=\"{name}-title\">{}</title>\n<desc id=\"{name}-desc\">{}</desc>\n{style}\
         <rect class=\"paper\" width=\"{width}\" height=\"{height}\"/>\n{body}</svg>\n",
        titled(title),
        escaped(said.trim_end_matches('\n')),
    );
    (element, areas)
}

pub(super) struct Part {
    pub body: String,
    pub width: usize,
    pub height: usize,
}

/// Text and tables, line by line.
fn lines(drawing: &Drawing) -> Part {
    let mut part = Part { body: String::new(), width: 2 * RIM, height: 0 };
    let text = text(drawing, Style::default()).replace('\t', "    ");
    for line in text.lines().flat_map(wrapped) {
        let y = part.height + LINE * 3 / 4;
        let _ = writeln!(
            part.body,
            "<text class=\"plain\" xml:space=\"preserve\" font-size=\"16\" x=\"{RIM}\" y=\"{y}\">{}</text>",
            escaped(line)
        );
        part.width = part.width.max(2 * RIM + advance(line));
        part.height += LINE;
    }
    part.height += RIM / 2;
    part
}

/// Upper bound on the width of a line of text, in font size 16 or bold 14; fonts differ.
pub(super) fn advance(line: &str) -> usize {
    let wide = |c: char| if c.is_uppercase() { 15 } else { 10 * c.width().unwrap_or(0) };
    line.chars().map(wide).sum()
}

/// A line in pieces of at most [`COLUMNS`], broken after a blank if there is one.
fn wrapped(line: &str) -> Vec<&str> {
    let mut pieces = Vec::new();
    let mut rest = line;
    loop {
        let mut wide = 0;
        let mut blank = None;
        let cut = rest.char_indices().find_map(|(at, c)| {
            wide += c.width().unwrap_or(0);
            let over = wide > COLUMNS;
            blank = if c == ' ' && !over { Some(at + 1) } else { blank };
            over.then_some(at)
        });
        let Some(cut) = cut.map(|at| blank.unwrap_or(at)) else { break };
        let (piece, more) = rest.split_at(cut);
        pieces.push(piece);
        rest = more;
    }
    pieces.push(rest);
    pieces
}
