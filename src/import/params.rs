//! A loaded program → the board of its parameters: the start of an export.
//!
//! The only file of this module that knows values of the language.

use super::board::{Board, Grid, Item};
use crate::diag::{Diagnostic, stop_diagnostic};
use crate::eval::{Eval, Value};
use crate::shared::Stop;

/// The parameters of a program of the catalogue.
pub fn board(model: &'static str, eval: &mut Eval<'_>) -> Result<Board, Vec<Diagnostic>> {
    let mut board = Board::new(model, (0, 0));
    for (name, value) in eval.param_values()? {
        board.set(&name, item(eval, &value).map_err(|stop| vec![stop_diagnostic(stop)])?);
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

fn item(eval: &Eval<'_>, value: &Value) -> Result<Item, Stop> {
    Ok(match value {
        Value::List(items) | Value::Tuple(items) => Item::List(list(eval, items)?),
        Value::Map(map) => match map.keys.grid() {
            Some((_, rows, _, columns)) => {
                let entries: Result<_, Stop> = map.values.iter().map(|value| entry(eval, value)).collect();
                Item::Words(Grid { rows: rows as usize, columns: columns as usize, entries: entries? })
            }
            None => Item::List(list(eval, &map.values)?),
        },
        Value::Str(text) => Item::Value(text.to_string()),
        value => Item::Value(eval.name_literal(value)),
    })
}

fn list(eval: &Eval<'_>, values: &[Value]) -> Result<Vec<Item>, Stop> {
    eval.budget.charge_for::<Item>(values.len())?;
    values.iter().map(|value| item(eval, value)).collect()
}

fn entry(eval: &Eval<'_>, value: &Value) -> Result<String, Stop> {
    match value {
        Value::None => Ok(String::new()),
        value => eval.text(value),
    }
}
