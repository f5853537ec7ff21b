//! webpbn XML: nonograms as <https://webpbn.com> exports them.
//!
//! `puzzleset` / `puzzle` / `clues type="rows"` / `line` / `count`. The solution in the file is dropped.

use super::{Board, Fault, Imported, Importer, Item, comment, fault};
use std::ops::Range;

pub(super) const IMPORTER: Importer =
    Importer { name: "webpbn", about: "a nonogram of webpbn (XML)", recognise, convert };

fn recognise(text: &str, _file_name: &str) -> bool {
    let start = text.trim_start_matches('\u{feff}').trim_start();
    start.starts_with('<') && start.contains("<puzzle") && start.contains("<clues")
}

/// A tag, with the text before it.
struct Tag<'a> {
    before: &'a str,
    name: &'a str,
    attributes: &'a str,
    closing: bool,
    /// `<name/>`
    empty: bool,
    at: Range<usize>,
}

/// The tags of a text, without comments and declarations.
fn tags(text: &str) -> Result<Vec<Tag<'_>>, Fault> {
    let mut found = Vec::new();
    let (mut from, mut at) = (0, 0);
    while let Some(open) = text[at..].find('<').map(|open| at + open) {
        let end_mark = if text[open..].starts_with("<!--") { "-->" } else { ">" };
        let close = text[open..].find(end_mark).map(|close| open + close + end_mark.len());
        let close = close.ok_or_else(|| fault("a tag is not closed", open..open + 1, "this one"))?;
        let inside = &text[open + 1..close - 1];
        at = close;
        if inside.starts_with(['!', '?']) {
            continue;
        }
        let (closing, empty) = (inside.starts_with('/'), inside.ends_with('/'));
        let inside = inside.trim_start_matches('/').trim_end_matches('/');
        let (name, attributes) = inside.split_once(char::is_whitespace).unwrap_or((inside, ""));
        found.push(Tag { before: &text[from..open], name, attributes, closing, empty, at: open..close });
        from = close;
    }
    Ok(found)
}

impl Tag<'_> {
    fn attribute(&self, name: &str) -> Option<&str> {
        let start = self.attributes.find(&format!("{name}=\""))? + name.len() + 2;
        self.attributes[start..].split('"').next()
    }
}

fn unescaped(text: &str) -> String {
    let plain = text.trim().replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    plain.replace("&apos;", "'").replace("&amp;", "&")
}

fn convert(text: &str) -> Result<Imported, Fault> {
    let mut comments = String::new();
    let (mut rows, mut columns): (Vec<Vec<u32>>, Vec<Vec<u32>>) = Default::default();
    let mut current: Option<&mut Vec<Vec<u32>>> = None;
    let mut usual = "black".to_owned();
    let mut puzzles = 0;
    let mut open: Vec<&str> = Vec::new();
    for tag in tags(text)? {
        if !tag.closing {
            open.push(tag.name);
        } else if open.pop() != Some(tag.name) {
            return Err(fault(format!("`</{}>` does not close the tag before it", tag.name), tag.at, "here"));
        }
        if tag.empty {
            open.pop();
        }
        match (tag.name, tag.closing) {
            ("puzzle", false) => {
                puzzles += 1;
                if puzzles > 1 {
                    return Err(fault("this is more than one puzzle", tag.at, "another one"));
                }
                usual = tag.attribute("defaultcolor").unwrap_or("black").to_owned();
            }
            ("title" | "author" | "copyright", true) if !tag.before.trim().is_empty() => {
                comments.push_str(&comment(&unescaped(tag.before)));
            }
            ("clues", false) => {
                current = match tag.attribute("type") {
                    Some("rows") => Some(&mut rows),
                    Some("columns") => Some(&mut columns),
                    _ => return Err(fault("clues are of the type `rows` or `columns`", tag.at, "here")),
                };
            }
            ("clues", true) => current = None,
            ("line", false) => {
                if let Some(lines) = &mut current {
                    lines.push(Vec::new());
                }
            }
            ("count", false) if tag.attribute("color").is_some_and(|color| color != usual) => {
                return Err(fault("coloured nonograms cannot be imported", tag.at, "a colour"));
            }
            ("count", true) => {
                let length = tag.before.trim();
                let number: u32 = length.parse().map_err(|_| {
                    fault(format!("`{length}` is no run length"), tag.at.clone(), "before this")
                })?;
                let line = current.as_mut().and_then(|lines| lines.last_mut());
                let line =
                    line.ok_or_else(|| fault("a run length stands in no line", tag.at, "before this"))?;
                if number > 0 {
                    line.push(number);
                }
            }
            _ => {}
        }
    }
    if let Some(name) = open.pop() {
        return Err(fault(format!("`<{name}>` is not closed"), text.len()..text.len(), "the end"));
    }
    for (lines, name) in [(&rows, "rows"), (&columns, "columns")] {
        if lines.is_empty() {
            return Err(fault(format!("there are no clues of the type `{name}`"), 0..0, ""));
        }
    }
    let mut board = Board::new("nonogram", (rows.len(), columns.len()));
    let list = |lines: &[Vec<u32>]| {
        Item::List(lines.iter().map(|line| Item::List(line.iter().map(Item::number).collect())).collect())
    };
    board.set("across", list(&rows));
    board.set("down", list(&columns));
    let imported = Imported::of(&board);
    Ok(Imported { clues: comments + &imported.clues, ..imported })
}
