//! The look of an entry: a shaded cell, a circle, an arrow, pipes, or text.
//!
//! In: the text of an entry. Out: a [`Sign`] and the text beside or in it. Knows nothing of places.

use super::canvas::arms;

/// A shape in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Nothing,
    /// Undetermined.
    Open,
    Shade,
    Ring,
    Disc,
    Star,
    /// A square, and a disc, in the ink of clues.
    Block,
    Round,
    /// Water.
    Wave,
    /// A line from corner to corner; falling: from the upper left.
    Slant {
        falling: bool,
    },
    /// A triangle that fills a corner of the cell: lower?, right?
    Corner {
        lower: bool,
        right: bool,
    },
    /// Lines from the middle, as in a box drawing character: up, right, down, left.
    Arms([usize; 4]),
    /// Two lines side by side.
    Double {
        upright: bool,
    },
    /// A triangle that points: rows down, columns to the right.
    Arrow(i32, i32),
    /// An arrow beside a number.
    Pointer(i32, i32),
    /// A cell divided from its upper left to its lower right, with a number on either side.
    Split,
}

/// How to read the entries of one drawing: `x` is a black circle if there is an `o`, and `v` an arrow if there is a
/// `^`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    circles: bool,
    arrows: bool,
}

impl Reading {
    /// For clues between cells.
    pub const BETWEEN: Reading = Reading { circles: true, arrows: true };

    pub fn of<'t>(texts: impl Iterator<Item = &'t str>) -> Reading {
        let mut reading = Reading { circles: true, arrows: false };
        for text in texts {
            reading.arrows |= text.starts_with(['^', '<', '>']);
            let circle = text.starts_with(['o', 'x']) && text[1..].chars().all(|c| c.is_ascii_digit());
            reading.circles &= circle || matches!(text, "." | "" | "·" | "#" | " ");
        }
        reading
    }

    /// The shape of an entry and the rest of its text.
    pub fn sign<'t>(&self, text: &'t str) -> (Sign, &'t str) {
        let text = text.trim_matches(' ');
        let mut chars = text.chars();
        let Some(first) = chars.next() else { return (Sign::Nothing, "") };
        let rest = chars.as_str();
        let number = rest.chars().all(|c| c.is_ascii_digit());
        match first {
            '.' if number => (Sign::Nothing, rest),
            '#' if number => (Sign::Shade, rest),
            'o' if self.circles && number => (Sign::Ring, rest),
            'x' if self.circles && number => (Sign::Disc, rest),
            '^' | '<' | '>' | 'v' if self.arrows && number && !rest.is_empty() => {
                let (down, right) = direction(first);
                (Sign::Pointer(down, right), rest)
            }
            _ if is_split(text) => (Sign::Split, text),
            _ if !rest.is_empty() => (Sign::Nothing, text),
            '·' => (Sign::Open, ""),
            // a one-cell ship, if there are parts of other ships
            'o' if self.arrows => (Sign::Round, ""),
            'o' | '○' => (Sign::Ring, ""),
            '●' => (Sign::Disc, ""),
            'x' if self.arrows => (Sign::Block, ""),
            '*' | '★' => (Sign::Star, ""),
            '~' => (Sign::Wave, ""),
            '/' => (Sign::Slant { falling: false }, ""),
            '\\' => (Sign::Slant { falling: true }, ""),
            '◤' => (Sign::Corner { lower: false, right: false }, ""),
            '◥' => (Sign::Corner { lower: false, right: true }, ""),
            '◣' => (Sign::Corner { lower: true, right: false }, ""),
            '◢' => (Sign::Corner { lower: true, right: true }, ""),
            '═' => (Sign::Double { upright: false }, ""),
            '║' => (Sign::Double { upright: true }, ""),
            '^' | '<' | '>' => {
                let (down, right) = direction(first);
                (Sign::Arrow(down, right), "")
            }
            'v' if self.arrows => (Sign::Arrow(1, 0), ""),
            c => arms(c).map_or((Sign::Nothing, text), |arms| (Sign::Arms(arms), "")),
        }
    }
}

fn direction(arrow: char) -> (i32, i32) {
    match arrow {
        '^' => (-1, 0),
        '<' => (0, -1),
        '>' => (0, 1),
        _ => (1, 0),
    }
}

/// A number on one side of a backslash, or on both.
fn is_split(text: &str) -> bool {
    let parts = text.split_once('\\');
    text.len() > 1
        && parts.is_some_and(|(low, high)| low.chars().chain(high.chars()).all(|c| c.is_ascii_digit()))
}

/// A list that is too long for one line, in two lines.
pub(super) fn lines(text: &str) -> Vec<&str> {
    let middle = text.len() / 2;
    let commas = text.match_indices(',').map(|(at, _)| at);
    match commas.min_by_key(|at| at.abs_diff(middle)) {
        Some(at) if text.chars().count() > 3 => vec![&text[..at], &text[at + 1..]],
        _ => vec![text],
    }
}

/// A raised digit or sign as a plain one.
pub(super) fn raised(c: char) -> Option<char> {
    const RAISED: [char; 11] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹', '⁻'];
    RAISED.iter().position(|raised| *raised == c).map(|at| b"0123456789-"[at] as char)
}

/// A text and the raised digits at its end, as plain ones.
pub(super) fn split_raised(text: &str) -> (&str, String) {
    let base = text.trim_end_matches(|c| raised(c).is_some());
    (base, text[base.len()..].chars().filter_map(raised).map(|c| if c == '-' { '−' } else { c }).collect())
}
