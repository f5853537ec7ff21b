//! `rebus export`: a puzzle of the catalogue in the format of another program.

use super::args::{LimitArgs, ModelArgs};
use super::{Outcome, say};
use crate::files;
use crate::import::EXPORTERS;
use crate::run::export;
use std::io::Write;

/// Write a puzzle of the catalogue as a URL, a game ID, a line or a file
#[derive(clap::Args, Debug)]
#[command(after_help = "EXAMPLES:
  rebus export slitherlink slitherlink-1 --form puzzlink
  rebus export sudoku board.clues --form lines
  rebus export unequal:4:0,0,0,0,0U,0L,0,0,0,0,0,0,2,0L,0,0U, --form tatham")]
pub struct Args {
    #[command(flatten)]
    model: ModelArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
    /// The form
    #[arg(long, value_name = "FORM", value_parser = clap::builder::PossibleValuesParser::new(EXPORTERS.iter().map(|e| e.name)))]
    form: String,
}

pub fn run(args: &Args) -> Outcome {
    let loaded = args.model.load()?;
    let exported = export(&loaded, &args.form, &args.limits.budget())?;
    writeln!(files::Stdout, "{}", exported.text)?;
    for name in exported.lost {
        say(&format!(
            "`{name}` is not told as it is: read in this form, the puzzle may have other solutions"
        ));
    }
    Ok(0)
}
