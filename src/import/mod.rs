//! Foreign formats → data files, and back.
//!
//! In: a text in another format. Out: the data of a genre of the catalogue, as a person would write them. An
//! importer is a file here and a row in [`IMPORTERS`]; a format that can also be written is a row in
//! [`EXPORTERS`]. Between both is the [`Board`]: parameters as text. Must not know: solving, drawing.
//!
//! Every text is untrusted input: sizes are bounded, and a fault has its place.

mod board;
mod codes;
mod elsewhere;
mod fpuzzles;
mod lz;
mod non;
mod params;
mod puzzlink;
mod puzzlink_own;
mod puzzlink_rooms;
mod pzprv3;
mod pzprv3_own;
mod reader;
mod rooms;
mod steps;
mod sudoku;
mod tatham;
mod tatham_codes;
mod tatham_loopy;
mod tatham_mines;
mod tatham_own;
mod tatham_rooms;
mod webpbn;

pub use board::{Board, Grid, Item};
pub use params::board as board_of;

use crate::diag::{Code, Diagnostic};
use crate::shared::{FileId, Span, nearest};
use crate::syntax::format_file;
use std::ops::Range;

/// The result of an import.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Imported {
    /// The model of the catalogue for the data.
    pub genre: &'static str,
    /// A data file in the form of `rebus fmt`.
    pub clues: String,
    /// The answer in the file, as items for the model's variables.
    pub answer: Option<String>,
}

impl Imported {
    fn of(board: &Board) -> Imported {
        Imported { genre: board.model, clues: board.clues(), answer: None }
    }
}

/// A format.
pub struct Importer {
    pub name: &'static str,
    pub about: &'static str,
    /// Recognises the format by the text and by the name of its file.
    pub recognise: fn(&str, &str) -> bool,
    convert: fn(&str) -> Result<Imported, Fault>,
}

/// All formats; the first that recognises a file reads it.
pub const IMPORTERS: &[Importer] = &[
    non::IMPORTER,
    webpbn::IMPORTER,
    fpuzzles::IMPORTER,
    sudoku::IMPORTER,
    pzprv3::IMPORTER,
    puzzlink::IMPORTER,
    tatham::IMPORTER,
];

/// A format for writing boards.
pub struct Exporter {
    /// The value of `--form`.
    pub name: &'static str,
    /// Writes the board, or returns why it cannot.
    pub write: fn(&Board) -> Result<String, String>,
}

pub const EXPORTERS: &[Exporter] = &[
    Exporter { name: "puzzlink", write: |board| readable(puzzlink::export(board)?, &puzzlink::IMPORTER) },
    Exporter { name: "tatham", write: |board| readable(tatham::export(board)?, &tatham::IMPORTER) },
    Exporter { name: "lines", write: |board| readable(sudoku::export(board)?, &sudoku::IMPORTER) },
    Exporter { name: "non", write: |board| readable(non::export(board)?, &non::IMPORTER) },
];

/// Checks that the importer can read the written text.
fn readable(text: String, importer: &Importer) -> Result<String, String> {
    match (importer.convert)(&text) {
        Ok(_) => Ok(text),
        Err(fault) => Err(format!("it would be read as something wrong: {}", fault.message)),
    }
}

/// The format of a puzzle in an argument, in place of a file.
pub fn recognise_argument(text: &str) -> Option<&'static Importer> {
    [&fpuzzles::LINK, &puzzlink::IMPORTER, &tatham::IMPORTER, &elsewhere::IMPORTER]
        .into_iter()
        .find(|importer| (importer.recognise)(text, ""))
}

/// The format of a file.
pub fn recognise(text: &str, file_name: &str) -> Option<&'static Importer> {
    let mut all = IMPORTERS.iter().chain([&elsewhere::IMPORTER]);
    all.find(|importer| (importer.recognise)(text, file_name))
}

/// The answer in a board file, as items for the model's variables; `None` if the text is no board file.
pub fn answer(text: &str, file: FileId) -> Option<Result<String, Diagnostic>> {
    let importer = Some(&pzprv3::IMPORTER).filter(|importer| (importer.recognise)(text, ""))?;
    Some(importer.convert(text, file).map(|imported| imported.answer.unwrap_or_default()))
}

impl Importer {
    /// Converts a text; `file` is its registered source, for messages.
    pub fn convert(&self, text: &str, file: FileId) -> Result<Imported, Diagnostic> {
        let imported = (self.convert)(text).map_err(|fault| {
            let genre = fault.genre.map_or(String::new(), |genre| format!(", for `{genre}`"));
            let diagnostic = Diagnostic::error(Code::Syntax, fault.message)
                .at(Span::new(file, fault.at.start, fault.at.end), fault.label)
                .note(format!("read as {}{genre}", self.about));
            fault.help.into_iter().fold(diagnostic, Diagnostic::help)
        })?;
        // a text that does not parse is reported when it is loaded
        let clues = format_file(file, &imported.clues).unwrap_or(imported.clues);
        Ok(Imported { clues, ..imported })
    }
}

/// A fault in a text, with its place.
struct Fault {
    message: String,
    at: Range<usize>,
    label: &'static str,
    help: Option<String>,
    /// The model of the text, once it is known.
    genre: Option<&'static str>,
}

impl Fault {
    fn of(self, genre: &'static str) -> Fault {
        Fault { genre: Some(genre), ..self }
    }

    /// Suggests the known name nearest to an unknown one.
    fn near<'n>(self, name: &str, known: impl Iterator<Item = &'n str>) -> Fault {
        let near = nearest(name, known).map(|near| format!("did you mean `{near}`?"));
        Fault { help: near.or(self.help), ..self }
    }
}

fn fault(message: impl Into<String>, at: Range<usize>, label: &'static str) -> Fault {
    Fault { message: message.into(), at, label, help: None, genre: None }
}

/// The lines of a text without their ends, each with its offset.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut start = 0;
    text.split_inclusive('\n').map(move |line| {
        let at = start;
        start += line.len();
        (at, line.trim_end_matches(['\n', '\r']))
    })
}

/// The text as a comment of a data file.
fn comment(text: &str) -> String {
    let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    format!("# {}\n", text.trim())
}

/// Is this a file of one of these kinds?
fn has_suffix(file_name: &str, suffixes: &[&str]) -> bool {
    let suffix = file_name.rsplit_once('.').map_or("", |(_, suffix)| suffix);
    suffixes.iter().any(|known| suffix.eq_ignore_ascii_case(known))
}
