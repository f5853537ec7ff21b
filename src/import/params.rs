//! A loaded program → the board of its parameters: what an export starts from.
//!
//! The one file of this room that knows values of the language.

use super::board::{Board, Grid, Item};
use crate::diag::Diagnostic;
use crate::eval::{Eval, Value};

/// The parameters of a program of the catalogue.
pub fn board(model: &'static str, eval: &mut Eval<'_>) -> Result<Board, Vec<Diagnostic>> {
    let mut board = Board::new(model, (0, 0));
    for (name, value) in eval.param_values()? {
        board.set(&name, item(eval, &value));
    }
    board.size = size(&board);
    Ok(board)
}

/// Rows and columns of cells.
fn size(board: &Board) -> (usize, usize) {
    let number = |name| board.number(name).or(board.number("n"));
    match (number("h"), number("w")) {
        (Some(rows), Some(columns)) => (rows, columns),
        _ => board.grid("clue").map_or((0, 0), |grid| (grid.rows, grid.columns)),
    }
}

fn item(eval: &Eval<'_>, value: &Value) -> Item {
    match value {
        Value::List(items) | Value::Tuple(items) => Item::List(items.iter().map(|v| item(eval, v)).collect()),
        Value::Map(map) => match map.keys.grid() {
            Some((_, rows, _, columns)) => {
                let entries = map.values.iter().map(|value| entry(eval, value)).collect();
                Item::Words(Grid { rows: rows as usize, columns: columns as usize, entries })
            }
            None => Item::List(map.values.iter().map(|value| item(eval, value)).collect()),
        },
        Value::Str(text) => Item::Value(text.to_string()),
        value => Item::Value(eval.literal_of(value)),
    }
}

fn entry(eval: &Eval<'_>, value: &Value) -> String {
    match value {
        Value::None => String::new(),
        value => eval.text_of(value),
    }
}
