//! `rebus export`: a puzzle of the catalogue in the format of another program.

use super::args::{LimitArgs, ModelArgs};
use super::{Outcome, say};
use crate::diag::{Code, Diagnostic};
use crate::eval::Eval;
use crate::files;
use crate::import::{self, EXPORTERS};
use crate::run::{Failure, Role, load};
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
    let usage = |message: String| Diagnostic::error(Code::Usage, message);
    let Some(model) = loaded.genre else {
        return Err(usage("only puzzles of the catalogue's models have other forms".into())
            .help("`rebus models` lists them")
            .into());
    };
    let Some(exporter) = EXPORTERS.iter().find(|exporter| exporter.name == args.form) else {
        return Err(usage(format!("there is no form `{}`", args.form)).into());
    };
    let budget = args.limits.budget();
    let mut eval = Eval::new(&loaded.program, &budget);
    let board =
        import::board_of(model, &mut eval).map_err(|faults| Failure::from(faults).within(&loaded.sources))?;
    let text = (exporter.write)(&board)
        .map_err(|why| usage(format!("this puzzle cannot be written as `{}`: {why}", args.form)))?;
    // what is read back tells what the form has no place for
    let read = ModelArgs { model: text, data: Vec::new(), defines: Vec::new(), without: Vec::new() };
    let mut lost = Vec::new();
    if let Ok(again) = load(&read.texts())
        && again.genre == Some(model)
        && let Ok(twice) = import::board_of(model, &mut Eval::new(&again.program, &budget))
    {
        let item = |name: &str| format!("{name} = ");
        let told = |name: &str| {
            again.texts.iter().any(|text| {
                text.text.lines().any(|line| line.starts_with(&item(name))) && text.role == Role::Data
            })
        };
        for (name, picture) in board.differing(&twice) {
            if picture && told(name) {
                let message = format!(
                    "this puzzle cannot be written as `{}`: it would be read with another `{name}`",
                    args.form
                );
                return Err(usage(message).into());
            }
            lost.push(name);
        }
    }
    writeln!(files::Stdout, "{}", read.model)?;
    for name in lost {
        say(&format!(
            "`{name}` is not told as it is: read in this form, the puzzle may have other solutions"
        ));
    }
    Ok(0)
}
