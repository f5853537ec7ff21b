//! What an entry looks like: a shaded cell, a circle, an arrow, pipes, or text.
//!
//! In: the text of an entry. Out: a [`Sign`] and the text that is written beside or in it. Knows nothing of places.

use super::canvas::arms;

/// A shape in a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sign {
    Nothing,
    /// Not determined.
    Open,
    Shade,
    Ring,
    Disc,
    Star,
    /// A square.
    Block,
    /// A line from corner to corner; falling: from the upper left.
    Slant {
        falling: bool,
    },
    /// A triangle that fills the cell's corner: lower?, right?
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
}

/// How the entries of one drawing are to be read: `x` is a black circle beside `o`, and `v` an arrow beside `^`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Reading {
    circles: bool,
    arrows: bool,
}

impl Reading {
    pub fn of<'t>(texts: impl Iterator<Item = &'t str>) -> Reading {
        let mut reading = Reading { circles: true, arrows: false };
        for text in texts {
            reading.arrows |= matches!(text, "^" | "<" | ">");
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
            _ if !rest.is_empty() => (Sign::Nothing, text),
            '·' => (Sign::Open, ""),
            'o' | '○' => (Sign::Ring, ""),
            '●' => (Sign::Disc, ""),
            'x' if self.arrows => (Sign::Block, ""),
            '*' | '★' => (Sign::Star, ""),
            '/' => (Sign::Slant { falling: false }, ""),
            '\\' => (Sign::Slant { falling: true }, ""),
            '◤' => (Sign::Corner { lower: false, right: false }, ""),
            '◥' => (Sign::Corner { lower: false, right: true }, ""),
            '◣' => (Sign::Corner { lower: true, right: false }, ""),
            '◢' => (Sign::Corner { lower: true, right: true }, ""),
            '═' => (Sign::Double { upright: false }, ""),
            '║' => (Sign::Double { upright: true }, ""),
            '^' => (Sign::Arrow(-1, 0), ""),
            'v' if self.arrows => (Sign::Arrow(1, 0), ""),
            '<' => (Sign::Arrow(0, -1), ""),
            '>' => (Sign::Arrow(0, 1), ""),
            c => arms(c).map_or((Sign::Nothing, text), |arms| (Sign::Arms(arms), "")),
        }
    }
}

/// A text and the raised digits at its end, as plain ones.
pub(super) fn raised(text: &str) -> (&str, String) {
    const DIGITS: [char; 11] = ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹', '⁻'];
    let base = text.trim_end_matches(DIGITS);
    let plain = |c: char| match DIGITS.iter().position(|digit| *digit == c) {
        Some(10) | None => '−',
        Some(digit) => (b'0' + digit as u8) as char,
    };
    (base, text[base.len()..].chars().map(plain).collect())
}
