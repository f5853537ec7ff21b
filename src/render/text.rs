//! Drawings as text.
//!
//! In: a [`Drawing`]. Out: lines, each ending in a newline; lines of a grid have no trailing blanks. Rows, grids and
//! boxed grids look the same in both styles; frames and loops use a [`Canvas`](super::canvas::Canvas). Control
//! characters from users are replaced by visible ones. Knows nothing of the origin of a drawing.

use super::canvas::Canvas;
use super::drawing::{Drawing, Entry, Key};
use super::signs::raised;
use std::ops::Range;
use unicode_width::UnicodeWidthStr;

/// The style of lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Style {
    /// Frames and loops of `+`, `-` and `|` instead of box drawing characters.
    pub ascii: bool,
}

/// Grids with more places than this are drawn as tables: their keys are far apart, so a grid would be mostly empty.
const PLACES: i64 = 1 << 22;

/// Draws as text.
pub fn text(drawing: &Drawing, style: Style) -> String {
    match drawing {
        Drawing::Text(text) => text.split('\n').map(|line| harmless(line, true) + "\n").collect(),
        Drawing::Table(entries) => {
            let line = |(key, entry): &(String, Entry)| {
                let line = format!("{} = {}", harmless(key, false), harmless(&entry.text, false));
                line.trim_end_matches(' ').to_owned() + "\n"
            };
            entries.iter().map(line).collect()
        }
        Drawing::Row(_) | Drawing::Grid(_) => {
            grid(drawing, None).unwrap_or_else(|| far_apart(drawing, style))
        }
        Drawing::Noted { inner, .. } => text(inner, style),
        Drawing::Boxed { inner, height, width } if is_plain(inner) => {
            grid(inner, Some((*height, *width))).unwrap_or_else(|| far_apart(inner, style))
        }
        Drawing::Boxed { inner, .. } | Drawing::Framed { inner, .. } | Drawing::Looped { inner, .. } => {
            match Canvas::of(drawing) {
                Some(canvas) => canvas.draw(style),
                None => text(inner, style),
            }
        }
    }
}

/// The entries inside a drawing, by place; `None` if they have no places.
pub(super) fn placed(drawing: &Drawing) -> Option<Vec<(Key, &Entry)>> {
    match drawing {
        Drawing::Row(entries) => {
            Some((1..).zip(entries).map(|(column, entry)| ((1, column), entry)).collect())
        }
        Drawing::Grid(entries) => Some(entries.iter().map(|(key, entry)| (*key, entry)).collect()),
        Drawing::Text(_) | Drawing::Table(_) => None,
        layer => placed(layer.inner()?),
    }
}

/// Is the drawing without lines?
pub(super) fn is_plain(drawing: &Drawing) -> bool {
    drawing.layers().all(|layer| matches!(layer, Drawing::Noted { .. } | Drawing::Row(_) | Drawing::Grid(_)))
}

/// Rows and columns that contain all `keys`; `None` without keys, or if that is too large.
pub(super) fn extent(keys: impl Iterator<Item = Key>) -> Option<(Range<i64>, Range<i64>)> {
    let (mut low, mut high) = ((i64::MAX, i64::MAX), (i64::MIN, i64::MIN));
    for (row, column) in keys {
        low = (low.0.min(row), low.1.min(column));
        high = (high.0.max(row), high.1.max(column));
    }
    let rows = low.0..high.0.checked_add(1)?;
    let columns = low.1..high.1.checked_add(1)?;
    let height = rows.end.checked_sub(rows.start)?;
    let width = columns.end.checked_sub(columns.start)?;
    let room = height > 0 && width > 0 && height.checked_mul(width)? <= PLACES;
    room.then_some((rows, columns))
}

/// Texts of the places of a grid, row by row; `None` for a place without an entry.
pub(super) fn spread(
    entries: &[(Key, &Entry)],
    rows: &Range<i64>,
    columns: &Range<i64>,
) -> Vec<Vec<Option<String>>> {
    let (height, width) = (rows.end - rows.start, columns.end - columns.start);
    let mut texts = vec![vec![None; width as usize]; height as usize];
    for ((row, column), entry) in entries {
        texts[(row - rows.start) as usize][(column - columns.start) as usize] =
            Some(harmless(&entry.text, false));
    }
    texts
}

/// Right-aligns in `width` columns of a terminal.
pub(super) fn pad(text: &str, width: usize) -> String {
    " ".repeat(width.saturating_sub(text.width())) + text
}

fn grid(drawing: &Drawing, boxes: Option<(i64, i64)>) -> Option<String> {
    let entries = placed(drawing)?;
    if entries.is_empty() {
        return Some(String::new());
    }
    let (rows, columns) = extent(entries.iter().map(|(key, _)| *key))?;
    let texts = spread(&entries, &rows, &columns);
    let width = texts.iter().flatten().flatten().map(|text| text.width()).max().unwrap_or(0);
    let spaced = width > 1 || entries.iter().any(|(_, entry)| entry.number);
    let gap = if spaced { " " } else { "" };
    let (box_height, box_width) = boxes.unwrap_or((0, 0));
    let whole = |size: i64| if size > 0 { size as usize } else { usize::MAX };
    let (box_height, box_width) = (whole(box_height), whole(box_width));

    let rule: String = (0..texts[0].len())
        .step_by(box_width.min(texts[0].len()))
        .map(|first| {
            let count = box_width.min(texts[0].len() - first);
            let inner = count * width + (count - 1) * gap.len();
            let last = first + count == texts[0].len();
            let ends = usize::from(first > 0) + usize::from(!last);
            "-".repeat(inner + ends * gap.len())
        })
        .collect::<Vec<_>>()
        .join("+");
    let mut drawn = String::new();
    for (r, row) in texts.iter().enumerate() {
        if r > 0 && r % box_height == 0 {
            drawn.push_str(&rule);
            drawn.push('\n');
        }
        let mut line = String::new();
        for (c, entry) in row.iter().enumerate() {
            if c > 0 {
                line.push_str(gap);
                if c % box_width == 0 {
                    line.push('|');
                    line.push_str(gap);
                }
            }
            line.push_str(&pad(entry.as_deref().unwrap_or(""), width));
        }
        drawn.push_str(line.trim_end_matches(' '));
        drawn.push('\n');
    }
    Some(drawn)
}

/// A grid with distant cells, as a table.
fn far_apart(drawing: &Drawing, style: Style) -> String {
    let entries = placed(drawing).unwrap_or_default();
    let table =
        entries.into_iter().map(|((row, column), entry)| (format!("({row}, {column})"), entry.clone()));
    text(&Drawing::Table(table.collect()), style)
}

/// [`shared::harmless`](crate::shared::harmless); a tab is allowed in running text, but in an entry it would shift
/// its neighbours.
pub fn harmless(text: &str, tabs: bool) -> String {
    crate::shared::harmless(text, if tabs { &['\t'] } else { &[] })
}

/// Signs as ASCII, for terminals and printers without other characters. Signs that occur together stay different, and
/// none becomes a digit, so that a drawing can be read back. Letters of other scripts stay, because no ASCII
/// character resembles them.
pub fn plain(text: &str) -> String {
    let like = |c| match c {
        '─' | '━' | '╌' => '-',
        '│' | '┃' | '╎' => '|',
        '╴' | '╸' => '<',
        '╶' | '╺' => '>',
        '╵' | '╹' => '^',
        '╷' | '╻' => 'v',
        '═' => '=',
        '║' => '"',
        '┌' | '┏' | '╔' => 'r',
        '┐' | '┓' | '╗' => 'q',
        '└' | '┗' | '╚' => 'L',
        '┘' | '┛' | '╝' => 'J',
        '├' | '┣' | '╠' => 'b',
        '┤' | '┫' | '╣' => 'd',
        '┬' | '┳' | '╦' => 'T',
        '┴' | '┻' | '╩' => 'w',
        '◤' => 'F',
        '◥' => 'Y',
        '◣' => 'L',
        '◢' => 'J',
        '\u{2500}'..='\u{257f}' => '+',
        '·' => ':',
        '○' => 'o',
        '●' => 'x',
        '★' => '*',
        '♞' => 'N',
        '♘' => 'n',
        '↑' => '^',
        '→' => '>',
        '↓' => 'v',
        '←' => '<',
        c => raised(c).unwrap_or(c),
    };
    text.chars().map(like).collect()
}

/// Escapes text for content and attributes of markup.
pub(super) fn escaped(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\n' => out.push('\n'),
            // Invalid in XML.
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

/// A user's text, made safe for a title.
pub(super) fn titled(text: &str) -> String {
    escaped(&harmless(text, false))
}
