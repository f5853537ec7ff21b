//! Sudokus: a line of 81 characters, or nine lines with or without a frame (`.sdk`, `.ss`).
//!
//! An empty cell is `0`, `.`, `*`, `_`, `?` or a blank. Lines such as `#A author` become comments.

use super::{Board, Fault, Imported, Importer, comment, fault, has_suffix, lines};

pub(super) const IMPORTER: Importer =
    Importer { name: "sudoku", about: "a sudoku (81 characters, .sdk, .ss)", recognise, convert };

fn recognise(text: &str, file_name: &str) -> bool {
    has_suffix(file_name, &["sdk", "ss", "sdm"]) || convert(text).is_ok()
}

const SIZE: usize = 9;

fn convert(text: &str) -> Result<Imported, Fault> {
    let mut comments = String::new();
    let mut cells = String::new();
    let mut whole = 0;
    for (start, line) in lines(text.strip_prefix('\u{feff}').unwrap_or(text)) {
        // The offset does not count a byte order mark.
        let start = start + if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let at = start..start + line.len();
        if let Some(rest) = line.strip_prefix('#') {
            // The blank distinguishes `#A Author` from `#ADRIAN`.
            let (key, value) = rest.split_once(char::is_whitespace).unwrap_or(("", rest));
            comments.push_str(&comment(if key.len() == 1 { value } else { rest }));
            continue;
        }
        if line.starts_with('[') {
            // `[Puzzle]` has the puzzle; the sections after it are the state of a game.
            if cells.is_empty() { continue } else { break }
        }
        if let Some(given) = single(line) {
            whole += 1;
            if whole > 1 || !cells.is_empty() {
                let more = Fault {
                    help: Some(
                        "`rebus solve sudoku --each clue=FILE` solves all lines of such a file".to_owned(),
                    ),
                    ..fault("this is more than one sudoku", at, "another one")
                };
                return Err(more);
            }
            cells = given;
            continue;
        }
        let rule = !line.contains(|c: char| c.is_ascii_digit()) && line.contains('-');
        if rule || line.trim().is_empty() {
            continue;
        }
        let row = row(line).ok_or_else(|| {
            fault("this is no row of a sudoku", at.clone(), "nine digits or empty cells were expected")
        })?;
        if cells.len() == SIZE * SIZE {
            return Err(fault("a sudoku has nine rows", at, "one too many"));
        }
        cells.push_str(&row);
    }
    if cells.len() < SIZE * SIZE {
        let rows = cells.len() / SIZE;
        return Err(fault(format!("a sudoku has nine rows, but there are {rows}"), 0..0, ""));
    }
    let rows: String = (0..SIZE).map(|r| format!("{}\n", &cells[r * SIZE..(r + 1) * SIZE])).collect();
    Ok(Imported { genre: "sudoku", clues: format!("{comments}clue = \"\"\"\n{rows}\"\"\"\n"), answer: None })
}

/// All cells of a line that contains a whole sudoku, with other text after it or not.
fn single(line: &str) -> Option<String> {
    let whole = |text: &str| cells(text).filter(|cells| cells.len() == SIZE * SIZE);
    whole(line).or_else(|| whole(line.split_whitespace().next()?))
}

/// The cells of a row, without frame and blanks between entries.
fn row(line: &str) -> Option<String> {
    let bare: String = line.chars().filter(|c| !matches!(c, '|' | '!' | ':')).collect();
    let row = |text: &str| cells(text).filter(|cells| cells.len() == SIZE);
    row(&bare).or_else(|| row(&bare.split_whitespace().collect::<String>()))
}

/// Digits, and `.` for every sign of an empty cell; ASCII only.
fn cells(text: &str) -> Option<String> {
    let cell = |c: char| match c {
        '1'..='9' => Some(c),
        '0' | '.' | '*' | '_' | '?' | ' ' => Some('.'),
        _ => None,
    };
    text.chars().map(cell).collect()
}

/// All cells in one line of 81 characters.
pub(super) fn export(board: &Board) -> Result<String, String> {
    let clue = board.grid("clue").filter(|grid| board.model == "sudoku" && grid.entries.len() == SIZE * SIZE);
    let clue = clue.ok_or("only sudokus of nine rows have a line")?;
    Ok(clue.entries.iter().map(|entry| if entry.is_empty() { "." } else { entry }).collect())
}
