//! `rebus import`: puzzles in other formats as data files.

use super::Outcome;
use crate::diag::{Code, Diagnostic, Sources};
use crate::files::{self, Output};
use crate::import;
use crate::run::Failure;
use crate::run::load::MOST_TEXT;
use std::io::Write;
use std::path::PathBuf;

/// Turn a puzzle in another format into a data file
#[derive(clap::Args, Debug)]
#[command(after_help = "EXAMPLES:
  rebus import picture.non -o picture.clues && rebus solve nonogram picture.clues
  rebus import 'https://puzz.link/p?sudoku/4/4/g1k23k3g'
  rebus import 'mosaic:3x3:4a2b32b'
  echo 53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79 | rebus import -")]
pub struct Args {
    /// The puzzle: a puzz.link URL, a game ID of Simon Tatham's collection, or a file (`.non`, webpbn XML, pzprv3, f-puzzles or
    /// SudokuPad JSON, a sudoku line, `.sdk`, `.ss`); `-` is standard input
    source: PathBuf,
    /// Where to write the data; standard output if left out
    #[arg(short, value_name = "FILE")]
    output: Option<PathBuf>,
}

const FORMS: &str = "in place of a file stand `https://puzz.link/p?TYPE/WIDTH/HEIGHT/BODY` or a game ID `PROGRAM:SIZE:DESCRIPTION`";

pub fn run(args: &Args) -> Outcome {
    let name = args.source.display().to_string();
    let given = import::recognise_argument(&name).filter(|_| !args.source.exists());
    let text = match given {
        Some(_) => name.clone(),
        None => files::read_text(&args.source, MOST_TEXT).map_err(|fault| fault.help(FORMS))?,
    };
    let mut sources = Sources::default();
    let shown = given.map_or(name.as_str(), |importer| importer.name);
    let file = sources.add(shown, &text);
    let Some(importer) = given.or_else(|| import::recognise(&text, &name)) else {
        let known: Vec<&str> = import::IMPORTERS.iter().map(|importer| importer.about).collect();
        return Err(Diagnostic::error(Code::Syntax, format!("`{name}` is in no format that is known"))
            .note(format!("known are: {}", known.join("; ")))
            .into());
    };
    let imported = importer.convert(&text, file).map_err(|fault| Failure::from(fault).within(&sources))?;
    let path = args.output.clone().unwrap_or_else(|| PathBuf::from("-"));
    files::apart([path.as_path()], std::slice::from_ref(&args.source))?;
    let mut output = Output::create(&path)?;
    let name = output.name().to_string();
    output.write_all(imported.clues.as_bytes()).map_err(|error| files::WriteFault::of(&name, &error))?;
    output.commit()?;
    Ok(0)
}
