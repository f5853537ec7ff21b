//! Lines of pzprv3 board files that occur in one genre of loops only.

use super::board::{Grid, Item};
use super::fault;
use super::pzprv3::{File, number};
use super::reader::Read;

/// Signs of colours and directions by their number.
const COLOURS: &str = "gox";
const WAYS: &str = ".^v<>";

/// Clues of a castle wall: a direction, a number (`-` for none) and a colour, as `3,0,2`.
pub(super) fn castle(file: &mut File<'_>) -> Read<()> {
    let (rows, columns) = file.board.size;
    let mut grid = Grid::new(rows, columns);
    for (i, (token, at)) in file.tokens(rows, columns)?.into_iter().enumerate() {
        if token == "." {
            continue;
        }
        let odd = || fault(format!("`{token}` is no clue"), at.clone(), "a direction, a number and a colour");
        let parts: Vec<&str> = token.split(',').collect();
        let [way, count, colour] = parts[..] else { return Err(odd()) };
        let sign =
            |signs: &str, text: &str| text.parse().ok().and_then(|n| signs.chars().nth(n)).ok_or_else(odd);
        let colour = sign(COLOURS, colour)?;
        grid.entries[i] = match count {
            "-" => colour.to_string(),
            _ => format!("{colour}{}{}", sign(WAYS, way)?, number(count, at.clone())?),
        };
    }
    file.board.set("clue", Item::Words(grid));
    Ok(())
}

/// Cells that are none: `*`, in the picture of the rooms.
pub(super) fn holes(file: &mut File<'_>) -> Read<()> {
    let (rows, columns) = file.board.size;
    let tokens = file.tokens(rows, columns)?;
    let Some(mut room) = file.board.grid("room").cloned() else { return Ok(()) };
    for (entry, (token, _)) in room.entries.iter_mut().zip(tokens) {
        if token == "*" {
            *entry = "#".to_owned();
        }
    }
    file.board.set("room", Item::Letters(room));
    Ok(())
}
