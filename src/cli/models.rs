//! `rebus models`: the catalogue.

use super::Outcome;
use crate::catalogue;
use crate::diag::{Code, Diagnostic};
use crate::files;
use std::io::Write;

/// List the models of the catalogue, or print one or its boards
#[derive(clap::Args, Debug)]
#[command(after_help = "EXAMPLES:
  rebus models               name, number of boards, what it is, other names
  rebus models sudoku        the model's text, to be read or copied
  rebus models sudoku-1      the data of one of its boards
  rebus models sudoku --board 2
                             the data of its second board")]
pub struct Args {
    /// A model to print, or one of its boards
    name: Option<String>,
    /// Print a board of the model: its number or name
    #[arg(long, requires = "name")]
    board: Option<String>,
}

pub fn run(args: &Args) -> Outcome {
    let mut out = files::Stdout;
    if let Some(name) = &args.name {
        let board = if args.board.is_none() { catalogue::board(name) } else { None };
        if let Some((_, board)) = board {
            out.write_all(board.as_bytes())?;
            return Ok(0);
        }
        let Some(model) = catalogue::model(name) else {
            let names: Vec<&str> = catalogue::models().map(|model| model.name).collect();
            let mut fault =
                Diagnostic::error(Code::UnknownName, format!("there is no model `{name}` in the catalogue"));
            if let Some(near) = crate::shared::nearest(name, names.into_iter()) {
                fault = fault.help(format!("did you mean `{near}`?"));
            }
            return Err(fault.into());
        };
        if let Some(board) = &args.board {
            out.write_all(board_of(model, board)?.as_bytes())?;
            return Ok(0);
        }
        out.write_all(model.text.as_bytes())?;
        out.flush()?;
        let _ = writeln!(std::io::stderr(), "{}", boards(model));
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

/// The names of a model's boards, in a line.
fn boards(model: catalogue::Shipped) -> String {
    let names: Vec<&str> =
        model.boards().map(|board| board.strip_suffix(".clues").unwrap_or(board)).collect();
    match names.first() {
        None => format!("{} has no boards", model.name),
        Some(first) => {
            format!("boards: {}; solve one: `rebus solve {} {first}`", names.join(", "), model.name)
        }
    }
}

/// The data of a board, by its number from 1 or its name.
fn board_of(model: catalogue::Shipped, wanted: &str) -> Result<&'static str, Diagnostic> {
    let number = wanted.parse::<usize>().ok().and_then(|number| number.checked_sub(1));
    let file = match number {
        Some(at) => model.boards().nth(at),
        None => model
            .boards()
            .find(|board| board.strip_suffix(".clues").unwrap_or(board) == wanted.trim_end_matches(".clues")),
    };
    let text = file.and_then(catalogue::board).map(|(_, text)| text);
    text.ok_or_else(|| {
        Diagnostic::error(Code::UnknownName, format!("`{}` has no board `{wanted}`", model.name))
            .help(boards(model))
    })
}
