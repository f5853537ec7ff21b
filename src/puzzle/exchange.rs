//! Puzzles in the formats of other programs.

use super::{Error, Puzzle};
use crate::diag::Sources;
use crate::import::{EXPORTERS, recognise, recognise_argument};
use crate::run::{self, Failure};
use crate::shared::with_ample_stack;

/// A puzzle that was in another format.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Imported {
    /// The name of its model in the catalogue.
    pub model: &'static str,
    /// Its data.
    pub data: String,
    /// The answer that came with it, in the format of [`Puzzle::verify`].
    pub answer: Option<String>,
}

/// Reads a puzzle of another program: a link, a game ID, or the text of a file, whose name helps to recognise it.
/// `None` if the text is in no known format.
///
/// # Errors
/// Faults in a text of a known format.
///
/// ```
/// let imported = rebus::import("mosaic:3x3:4a2b32b", "")?.expect("a game ID");
/// assert_eq!(imported.model, "mosaic");
/// assert!(rebus::import("var x : 1..9", "x.rebus")?.is_none());
/// # Ok::<(), rebus::Error>(())
/// ```
pub fn import(text: &str, name: &str) -> Result<Option<Imported>, Error> {
    let Some(importer) = recognise_argument(text.trim()).or_else(|| recognise(text, name)) else {
        return Ok(None);
    };
    let mut sources = Sources::default();
    let file = sources.add(if name.is_empty() { importer.name } else { name }, text);
    let imported = with_ample_stack(|| importer.convert(text, file));
    let imported = imported.map_err(|fault| Error::of(Failure::from(fault).within(&sources)))?;
    Ok(Some(Imported { model: imported.genre, data: imported.clues, answer: imported.answer }))
}

/// A puzzle in the format of another program.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Exported {
    /// The text.
    pub text: String,
    /// Parameters that are not told as they are: read in this form, the puzzle may have other solutions.
    pub lost: Vec<String>,
}

impl Puzzle {
    /// The names of the formats that [`Puzzle::export`] writes.
    pub fn export_forms() -> Vec<&'static str> {
        EXPORTERS.iter().map(|exporter| exporter.name).collect()
    }

    /// The puzzle in the format of another program, such as a link of puzz.link.
    ///
    /// ```
    /// let puzzle = rebus::Puzzle::builder("slitherlink").data_file("slitherlink-1").load()?;
    /// assert!(puzzle.export("puzzlink")?.text.starts_with("https://puzz.link/p?slither/"));
    /// # Ok::<(), rebus::Error>(())
    /// ```
    ///
    /// # Errors
    /// A format that has no place for this puzzle.
    pub fn export(&self, form: &str) -> Result<Exported, Error> {
        self.budget.restart();
        let run::Exported { text, lost } =
            self.with_texts(|| run::export(&self.loaded, form, &self.budget))?;
        Ok(Exported { text, lost })
    }
}
