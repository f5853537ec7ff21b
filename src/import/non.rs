//! `.non`: nonograms in the format of Steven Simpson's solver and the nonogram database.
//!
//! Keywords with a value (`title "…"`, `width 10`), then `rows` and `columns`, each followed by a line of run
//! lengths for each row or column. The `goal` is dropped: it is the solution.

use super::{Board, Fault, Imported, Importer, Item, comment, fault, has_suffix, lines};
use std::ops::Range;

pub(super) const IMPORTER: Importer =
    Importer { name: "non", about: "a nonogram (.non)", recognise, convert };

fn recognise(text: &str, file_name: &str) -> bool {
    let has = |word: &str| lines(text).any(|(_, line)| line.trim() == word);
    has_suffix(file_name, &["non"]) || (has("rows") && has("columns"))
}

#[derive(Default)]
struct Section {
    heading: Option<Range<usize>>,
    runs: Vec<Vec<u32>>,
    /// The place of each line of runs.
    places: Vec<Range<usize>>,
}

fn convert(text: &str) -> Result<Imported, Fault> {
    let mut comments = String::new();
    let (mut rows, mut columns) = (Section::default(), Section::default());
    let (mut height, mut width) = (None, None);
    let mut current: Option<&mut Section> = None;
    for (start, line) in lines(text) {
        let at = start..start + line.len();
        let (key, value) = line.trim().split_once(char::is_whitespace).unwrap_or((line.trim(), ""));
        let value = value.trim();
        match key {
            "" => (),
            _ if key.starts_with('#') => comments.push_str(&comment(line.trim().trim_start_matches('#'))),
            _ if key.starts_with(|c: char| c.is_ascii_digit()) => match &mut current {
                Some(section) => {
                    section.runs.push(lengths(line, at.clone())?);
                    section.places.push(at);
                }
                None => return Err(fault("run lengths stand before `rows` and `columns`", at, "these")),
            },
            "rows" => current = Some(begin(&mut rows, at)?),
            "columns" => current = Some(begin(&mut columns, at)?),
            "height" => height = Some((size(value, &at)?, at)),
            "width" => width = Some((size(value, &at)?, at)),
            "goal" => current = None,
            "color" | "colour" => {
                return Err(fault("coloured nonograms cannot be imported", at, "a colour"));
            }
            _ => {
                let value = value.trim_matches('"');
                let named = matches!(key, "title" | "copyright");
                comments.push_str(&comment(&if named { value.to_owned() } else { format!("{key} {value}") }));
                current = None;
            }
        }
    }
    check(&rows, height, "rows", "height")?;
    check(&columns, width, "columns", "width")?;
    fit(&rows, columns.runs.len())?;
    fit(&columns, rows.runs.len())?;
    let mut board = Board::new("nonogram", (rows.runs.len(), columns.runs.len()));
    board.set("across", list(&rows.runs));
    board.set("down", list(&columns.runs));
    let imported = Imported::of(&board);
    Ok(Imported { clues: comments + &imported.clues, ..imported })
}

fn begin(section: &mut Section, at: Range<usize>) -> Result<&mut Section, Fault> {
    if section.heading.is_some() {
        return Err(fault("a second list of this kind", at, "one was there before"));
    }
    section.heading = Some(at);
    Ok(section)
}

fn size(value: &str, at: &Range<usize>) -> Result<usize, Fault> {
    value.parse().map_err(|_| fault(format!("`{value}` is no size"), at.clone(), "a number was expected"))
}

fn lengths(line: &str, at: Range<usize>) -> Result<Vec<u32>, Fault> {
    let parts = line.split([',', ' ', '\t']).filter(|part| !part.is_empty());
    let length = |part: &str| part.parse().map_err(|_| format!("`{part}` is no run length"));
    let lengths = parts.map(length).collect::<Result<_, _>>();
    lengths.map_err(|message| fault(message, at, "numbers between commas were expected"))
}

fn check(section: &Section, size: Option<(usize, Range<usize>)>, what: &str, key: &str) -> Result<(), Fault> {
    let Some(heading) = &section.heading else {
        return Err(fault(format!("there is no `{what}`"), 0..0, ""));
    };
    match (section.runs.len(), size) {
        (0, _) => Err(fault(format!("no run lengths follow `{what}`"), heading.clone(), "here")),
        (count, Some((size, at))) if size != count => {
            Err(fault(format!("{key} is {size}, but `{what}` lists {count}"), at, "this size"))
        }
        _ => Ok(()),
    }
}

/// Do the runs of every line fit, with gaps between them?
fn fit(section: &Section, cells: usize) -> Result<(), Fault> {
    for (runs, at) in section.runs.iter().zip(&section.places) {
        let needed =
            runs.iter().map(|run| u64::from(*run)).sum::<u64>() + runs.len().saturating_sub(1) as u64;
        if needed > cells as u64 {
            let message = format!("these runs need {needed} cells, but their line has {cells}");
            return Err(fault(message, at.clone(), "too long"));
        }
    }
    Ok(())
}

fn list(runs: &[Vec<u32>]) -> Item {
    Item::List(runs.iter().map(|line| Item::List(line.iter().map(Item::number).collect())).collect())
}

/// Writes a nonogram; all its runs must be known.
pub(super) fn export(board: &Board) -> Result<String, String> {
    let lines = |name: &str| -> Result<Vec<String>, String> {
        let line = |line: &Item| match line.entries() {
            runs if runs.is_empty() => Ok("0".to_owned()),
            runs if runs.iter().all(|run| run.parse::<u32>().is_ok()) => Ok(runs.join(",")),
            _ => Err("this form has no run that is not told".to_owned()),
        };
        board.get(name).map_or(&[][..], Item::items).iter().map(line).collect()
    };
    if board.model != "nonogram" {
        return Err("only nonograms have run lengths".into());
    }
    let (rows, columns) = (lines("across")?, lines("down")?);
    let (height, width) = (rows.len(), columns.len());
    let (rows, columns) = (rows.join("\n"), columns.join("\n"));
    Ok(format!("width {width}\nheight {height}\n\nrows\n{rows}\n\ncolumns\n{columns}"))
}
