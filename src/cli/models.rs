//! `rebus models`: the catalogue.

use super::Outcome;
use crate::catalogue;
use crate::diag::{Code, Diagnostic};
use crate::files;
use std::io::Write;

/// List the models of the catalogue, or print one
#[derive(clap::Args, Debug)]
#[command(after_help = "EXAMPLES:
  rebus models               name, number of boards, what it is, other names
  rebus models sudoku        the model's text, to be read or copied
  rebus models sudoku-1      the data of one of its boards")]
pub struct Args {
    /// A model to print, or one of its boards
    name: Option<String>,
}

pub fn run(args: &Args) -> Outcome {
    let mut out = files::Stdout;
    if let Some(name) = &args.name {
        if let Some((_, board)) = catalogue::board(name) {
            out.write_all(board.as_bytes())?;
            return Ok(0);
        }
        let Some(model) = catalogue::model(name) else {
            let names: Vec<&str> = catalogue::models().map(|model| model.name).collect();
            let mut fault =
                Diagnostic::error(Code::UnknownName, format!("there is no model `{name}` in the catalogue"));
            if let Some(near) = crate::eval::nearest(name, names.into_iter()) {
                fault = fault.help(format!("did you mean `{near}`?"));
            }
            return Err(fault.into());
        };
        out.write_all(model.text.as_bytes())?;
        return Ok(0);
    }
    for model in catalogue::models() {
        let boards = model.boards().count();
        let aliases: Vec<&str> = model.aliases().collect();
        let aliases = if aliases.is_empty() { String::new() } else { format!(" [{}]", aliases.join(", ")) };
        writeln!(out, "{:<20} {:>3}  {}{aliases}", model.name, boards, model.about())?;
    }
    Ok(0)
}
