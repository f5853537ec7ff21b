//! Pictures: text in rows and entries.
//!
//! This module finds only the shape: the position of each entry. The meaning of an entry depends on the
//! domain (`domain`).

use crate::shared::{Budget, Stop};

/// One entry as it occurs.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry<'t> {
    pub text: &'t str,
    /// Byte offset in the picture.
    pub at: usize,
}

/// How a picture is cut into entries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cut {
    /// Every character is an entry, spaces too; short lines are padded.
    Characters,
    /// At white space.
    Words,
    /// At white space if a line has any, else one entry a character.
    Either,
    /// As `Either`, but frame characters are skipped; a line of frame characters alone is no row.
    Framed,
    /// As `Words`, but frame characters are skipped.
    FramedWords,
}

/// `|` `+` `-` `=` and box drawing.
pub fn is_frame(c: char) -> bool {
    matches!(c, '|' | '+' | '-' | '=' | '\u{2500}'..='\u{257f}')
}

/// The rows of a picture, with no more entries than the budget allows.
pub fn rows<'t>(text: &'t str, cut: Cut, budget: &Budget) -> Result<Vec<Vec<Entry<'t>>>, Stop> {
    let mut rows = Vec::new();
    let mut at = 0;
    let mut total = 0;
    for line in text.split('\n') {
        let start = at;
        at += line.len() + 1;
        let line = line.strip_suffix('\r').unwrap_or(line);
        let row = match cut {
            Cut::Characters => characters(line, start, budget)?,
            Cut::Words => words(line, start, false),
            Cut::FramedWords => words(line, start, true),
            Cut::Either if has_space(line) => words(line, start, false),
            Cut::Either => characters(line, start, budget)?,
            Cut::Framed if has_space(line) => words(line, start, true),
            Cut::Framed => {
                let mut row = characters(line, start, budget)?;
                row.retain(|entry| !entry.text.chars().all(is_frame));
                row
            }
        };
        let skipped = matches!(cut, Cut::Framed | Cut::FramedWords);
        if skipped && row.is_empty() && !line.trim().is_empty() {
            continue;
        }
        total += row.len();
        budget.entries(total)?;
        rows.push(row);
    }
    if cut == Cut::Characters {
        let width = rows.iter().map(Vec::len).max().unwrap_or(0);
        budget.entries(width.saturating_mul(rows.len()))?;
        pad(&mut rows, width, text.len());
    } else {
        // blank lines above and below are no rows
        while rows.last().is_some_and(Vec::is_empty) {
            rows.pop();
        }
        let first = rows.iter().position(|row| !row.is_empty()).unwrap_or(0);
        rows.drain(..first);
    }
    Ok(rows)
}

fn has_space(line: &str) -> bool {
    line.trim().contains(char::is_whitespace)
}

fn characters<'t>(line: &'t str, start: usize, budget: &Budget) -> Result<Vec<Entry<'t>>, Stop> {
    // no character takes more than four bytes
    budget.entries(line.len() / 4)?;
    let entries = line.char_indices();
    Ok(entries.map(|(at, c)| Entry { text: &line[at..at + c.len_utf8()], at: start + at }).collect())
}

fn words(line: &str, start: usize, skip_frames: bool) -> Vec<Entry<'_>> {
    let mut row = Vec::new();
    let mut begin = None;
    let gap = |c: char| c.is_whitespace() || (skip_frames && is_frame(c));
    for (at, c) in line.char_indices().chain([(line.len(), ' ')]) {
        match (gap(c), begin) {
            (true, Some(from)) => {
                row.push(Entry { text: &line[from..at], at: start + from });
                begin = None;
            }
            (false, None) => begin = Some(at),
            _ => {}
        }
    }
    row
}

fn pad(rows: &mut [Vec<Entry<'_>>], width: usize, end: usize) {
    for row in rows {
        let at = row.last().map_or(end, |last| last.at + last.text.len());
        while row.len() < width {
            row.push(Entry { text: " ", at });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(text: &str, cut: Cut) -> Vec<Vec<&str>> {
        let rows = rows(text, cut, &Budget::unlimited()).expect("few entries");
        rows.into_iter().map(|row| row.into_iter().map(|entry| entry.text).collect()).collect()
    }

    #[test]
    fn either() {
        assert_eq!(texts("12\n.3", Cut::Either), [["1", "2"], [".", "3"]]);
        assert_eq!(texts("12 3\n. 4", Cut::Either), [["12", "3"], [".", "4"]]);
    }

    #[test]
    fn framed() {
        assert_eq!(texts("1 2 | 3\n----+--\n. . | 4", Cut::Framed), [["1", "2", "3"], [".", ".", "4"]]);
        assert_eq!(texts("12|3\n--+-\n..|4", Cut::Framed), [["1", "2", "3"], [".", ".", "4"]]);
    }

    #[test]
    fn characters_are_padded() {
        assert_eq!(texts("a b\nc", Cut::Characters), [["a", " ", "b"], ["c", " ", " "]]);
    }

    #[test]
    fn places() {
        let found = rows("5 x\r\n7 8", Cut::Either, &Budget::unlimited()).expect("few entries");
        assert_eq!(found[1][1].at, 7);
    }
}
