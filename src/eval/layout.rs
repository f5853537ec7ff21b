//! Cuts a text at the places of a layout.
//!
//! In: a text, the possible layouts of a drawing ([`Places`]), and what is known of its entries. Out: the
//! entries, and the characters between them, for the best-fitting layout. Knows nothing of variables.

use super::picture::Entry;
use crate::render::{self, Places, Slot, State};
use unicode_width::UnicodeWidthChar;

/// What is known of an entry before it is read.
pub(super) struct Expected {
    /// Its text, if it depends on no variable.
    pub known: Option<String>,
    /// Can it be drawn as blank?
    pub blank: bool,
}

/// A text in terminal columns.
pub(super) struct Lines<'t> {
    text: &'t str,
    /// For every column the bytes of its character. A wide character has no bytes in its second column.
    lines: Vec<Vec<(usize, usize, char)>>,
    /// Where each line ends.
    ends: Vec<usize>,
}

/// Entries as they occur in a text, and the characters between them: the position of a slot in
/// [`Places::slots`], its character, an offset.
pub(super) struct Laid<'t> {
    pub entries: Vec<Entry<'t>>,
    pub slots: Vec<(char, usize)>,
    /// How many parts are as expected.
    pub score: usize,
}

impl<'t> Lines<'t> {
    pub fn of(text: &'t str) -> Lines<'t> {
        let (mut lines, mut ends) = (Vec::new(), Vec::new());
        for line in text.split_inclusive('\n') {
            let start = line.as_ptr() as usize - text.as_ptr() as usize;
            let line = line.trim_end();
            let mut columns = Vec::with_capacity(line.len());
            for (at, c) in line.char_indices() {
                let (from, to) = (start + at, start + at + c.len_utf8());
                match c.width().unwrap_or(0) {
                    0 => {
                        // a combining character: it belongs to the column before it
                        if let Some((_, end, _)) = columns.last_mut() {
                            *end = to;
                        }
                    }
                    width => {
                        columns.push((from, to, c));
                        columns.extend((1..width).map(|_| (to, to, c)));
                    }
                }
            }
            lines.push(columns);
            ends.push(start + line.len());
        }
        Lines { text, lines, ends }
    }

    pub fn longest(&self) -> usize {
        self.lines.iter().map(Vec::len).max().unwrap_or(0)
    }

    /// The layout that agrees best with what is known, and its reading. Blank lines around the text do not
    /// count. If `loose`, a few entries may be missing.
    pub fn read(&self, layouts: &[Places], expected: &[Expected], loose: bool) -> Option<(usize, Laid<'t>)> {
        let blank = |line: &Vec<_>| line.is_empty();
        let before = self.lines.iter().take_while(|line| blank(line)).count();
        let filled = self.lines.iter().rposition(|line| !blank(line)).map_or(0, |last| last + 1 - before);
        let mut best: Option<(usize, Laid<'t>)> = None;
        for (at, places) in layouts.iter().enumerate() {
            // a drawing may itself begin or end with blank lines
            let Some(missing) = places.lines.checked_sub(filled) else { continue };
            for above in 0..=missing {
                let first = before as isize - above as isize;
                let Some(laid) = self.cut(places, first, expected, loose) else { continue };
                if best.as_ref().is_none_or(|(_, best)| laid.score > best.score) {
                    best = Some((at, laid));
                }
            }
        }
        best
    }

    /// Cuts the text at these places, from a line on; `None` if a fixed character differs or too many entries
    /// are missing.
    fn cut(&self, places: &Places, first: isize, expected: &[Expected], loose: bool) -> Option<Laid<'t>> {
        let line = |line: usize| usize::try_from(line as isize + first).ok();
        let char_at = |at: usize, column: usize| {
            self.lines.get(line(at)?)?.get(column.checked_sub(places.margin)?).copied()
        };
        let end = |at: usize| line(at).and_then(|at| self.ends.get(at)).copied().unwrap_or(self.text.len());
        if places.entries.len() != expected.len() {
            return None;
        }
        let stands = |((at, column), sign): &((usize, usize), char)| {
            char_at(*at, *column).map_or(' ', |(_, _, c)| c) == *sign
        };
        if !places.fixed.iter().all(stands) {
            return None;
        }
        let mut missing = 0;
        let mut laid = Laid { entries: Vec::with_capacity(expected.len()), slots: Vec::new(), score: 0 };
        for ((_, at, columns), expected) in places.entries.iter().zip(expected) {
            let mut field: Vec<_> = columns.clone().filter_map(|column| char_at(*at, column)).collect();
            // a line of the drawing may run through the entry's field up to the entry
            let lead = |c: char| c == ' ' || places.through && render::is_line(c);
            let start = field.iter().position(|(_, _, c)| !lead(*c)).unwrap_or(field.len().saturating_sub(1));
            field.drain(..start);
            let from = field.first().map_or(end(*at), |(from, _, _)| *from);
            let to = field.last().map_or(from, |(_, to, _)| *to);
            let text = self.text.get(from..to)?.trim_matches(' ');
            missing += usize::from(text.is_empty() && !expected.blank);
            laid.score += usize::from(expected.known.as_deref().is_some_and(|known| known == text));
            laid.score += usize::from(!text.is_empty());
            laid.entries.push(Entry { text, at: from });
        }
        if missing > if loose { expected.len() / 4 } else { 0 } {
            return None;
        }
        for slot in &places.slots {
            let (at, column) = slot.place;
            let (sign, from) = char_at(at, column).map_or((' ', end(at)), |(from, _, c)| (c, from));
            laid.score += usize::from(slot.looks.iter().any(|(_, look)| *look == sign));
            laid.slots.push((sign, from));
        }
        Some(laid)
    }
}

/// The states that the character may stand for; `None` if it leaves the state open.
pub(super) fn states(slot: &Slot, sign: char) -> Option<Vec<State>> {
    let same: Vec<State> =
        slot.looks.iter().filter(|(_, look)| *look == sign).map(|(state, _)| *state).collect();
    if !same.is_empty() {
        return Some(same);
    }
    if matches!(sign, '?' | '╌' | '╎') {
        return None;
    }
    // lines of another style are lines too
    let drawn = |state: &State| (*state != State::default()) == (sign != ' ');
    Some(slot.looks.iter().map(|(state, _)| *state).filter(drawn).collect())
}
