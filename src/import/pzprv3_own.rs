//! Lines of pzprv3 board files that occur in one genre only.

use super::board::{Grid, Item};
use super::fault;
use super::puzzlink_own::{piece, set_animals, sets_of_statues};
use super::pzprv3::{File, number};
use super::reader::Read;
use super::rooms::{self, Joined, firsts};

/// A cell in model syntax.
fn cell((row, column): (usize, usize)) -> String {
    format!("({row}, {column})")
}

/// Joins neighbours that are both chosen; returns the cells of each piece.
fn pieces(size: (usize, usize), chosen: &[bool]) -> Vec<Vec<usize>> {
    let (vertical, horizontal) = rooms::borders(size);
    let mut joined = Joined::new(chosen.len());
    for (a, b) in vertical.into_iter().chain(horizontal).filter(|(a, b)| chosen[*a] && chosen[*b]) {
        joined.join(a, b);
    }
    let mut found: Vec<Vec<usize>> = Vec::new();
    for (at, piece) in joined.rooms().into_iter().enumerate() {
        found.resize_with(found.len().max(piece + 1), Vec::new);
        found[piece].push(at);
    }
    found.retain(|piece| chosen[piece[0]]);
    found
}

// ---- galaxies

pub(super) fn dots(file: &mut File<'_>) -> Read<()> {
    let (rows, columns) = file.board.size;
    let mut grid = Grid::new(2 * rows - 1, 2 * columns - 1);
    for row in 0..grid.rows {
        let (line, at) = file.line()?;
        if line.chars().count() != grid.columns {
            return Err(fault(format!("{} points were expected", grid.columns), at, "in this line"));
        }
        for (column, c) in line.chars().enumerate() {
            let entry = match c {
                'X' => "#",
                '1'..='9' => "o",
                _ => "",
            };
            grid.set(row, column, entry);
        }
    }
    file.board.set("clue", Item::Letters(grid));
    Ok(())
}

/// The dot of each area is the centre of its bounding box.
pub(super) fn galaxies(file: &mut File<'_>) -> Read<()> {
    let areas = file.rooms()?;
    let columns = file.board.size.1;
    let holes: Vec<bool> = {
        let points = file.board.grid("clue");
        let hole =
            |at: usize| points.is_some_and(|grid| grid.at(2 * (at / columns), 2 * (at % columns)) == "#");
        (0..areas.len()).map(hole).collect()
    };
    let mut spans = vec![(usize::MAX, usize::MAX, 0, 0); areas.len()];
    for (at, area) in areas.iter().enumerate() {
        let ((row, column), span) = (file.cell(at), &mut spans[*area]);
        *span = (span.0.min(row), span.1.min(column), span.2.max(row), span.3.max(column));
    }
    let known = |dot: &(usize, usize)| {
        file.board.grid("clue").is_some_and(|grid| grid.at(dot.0 - 2, dot.1 - 2) == "o")
    };
    let mut entries = Vec::new();
    for at in (0..areas.len()).filter(|at| !holes[*at]) {
        let (top, left, bottom, right) = spans[areas[at]];
        let dot = (top + bottom, left + right);
        if known(&dot) {
            entries.push(format!("{}: {}", cell(file.cell(at)), cell(dot)));
        }
    }
    file.answer.push_str(&format!("dot = {{{}}}\n", entries.join(", ")));
    Ok(())
}

// ---- kakuro

/// A cell reads `across,down`; the outer ones have one number, 0 for none.
pub(super) fn kakuro(file: &mut File<'_>) -> Read<()> {
    let (rows, columns) = file.board.size;
    let mut grid = Grid::new(rows + 1, columns + 1);
    let given =
        |token: &str| if matches!(token, "0" | "-1" | ".") { String::new() } else { token.to_owned() };
    for (i, (token, at)) in file.tokens(rows + 1, columns + 1)?.into_iter().enumerate() {
        let (row, column) = (i / (columns + 1), i % (columns + 1));
        let (down, across) = match token.split_once(',') {
            Some((across, down)) => (given(down), given(across)),
            None if row == 0 => (given(token), String::new()),
            None if column == 0 => (String::new(), given(token)),
            None if token == "." => continue,
            None => return Err(fault(format!("`{token}` is no black cell"), at, "this entry")),
        };
        for part in [&down, &across] {
            if !part.is_empty() {
                number(part, at.clone())?;
            }
        }
        grid.entries[i] = format!("{down}\\{across}");
    }
    file.board.set("clue", Item::Words(grid));
    Ok(())
}

pub(super) fn kakuro_numbers(file: &mut File<'_>) -> Read<()> {
    let (rows, columns) = file.board.size;
    let mut entries = Vec::new();
    for (i, (token, at)) in file.tokens(rows, columns)?.into_iter().enumerate() {
        if token != "." {
            let place = (i / columns + 2, i % columns + 2);
            entries.push(format!("{}: {}", cell(place), number(token, at)?));
        }
    }
    file.answer.push_str(&format!("x = {{{}}}\n", entries.join(", ")));
    Ok(())
}

// ---- numberlink

/// Numbers as letters, A for 1, after a line that states whether the paths pass all cells.
pub(super) fn pairs(file: &mut File<'_>) -> Read<()> {
    let (rows, columns) = file.board.size;
    let mut tokens = Vec::new();
    let (line, at) = file.line()?;
    let all = line.trim() == "passallcell";
    if line.trim().contains("pass") && !all {
        return Err(fault("`numberlink` passes all cells", at, "a variant"));
    }
    let rows_left = if all {
        rows
    } else {
        tokens.extend(line.split_ascii_whitespace().map(|token| (token, at.clone())));
        rows - 1
    };
    tokens.extend(file.tokens(rows_left, columns)?);
    if tokens.len() != rows * columns {
        return Err(fault(format!("{columns} entries were expected"), at, "in this line"));
    }
    let mut grid = Grid::new(rows, columns);
    for (i, (token, at)) in tokens.into_iter().enumerate() {
        let mut letters = token.bytes();
        grid.entries[i] = match (letters.next(), letters.next()) {
            (Some(b'.'), None) => String::new(),
            (Some(letter @ b'A'..=b'Z'), None) => (letter - b'A' + 1).to_string(),
            _ => number(token, at)?.to_string(),
        };
    }
    file.board.set("clue", Item::Words(grid));
    Ok(())
}

pub(super) fn paths(file: &mut File<'_>) -> Read<()> {
    let size = file.board.size;
    let (vertical, horizontal) = rooms::borders(size);
    let drawn = file.borders(size)?;
    let mut joined = Joined::new(size.0 * size.1);
    let mut chosen = Vec::new();
    for ((a, b), drawn) in vertical.into_iter().zip(drawn.0).chain(horizontal.into_iter().zip(drawn.1)) {
        if drawn {
            joined.join(a, b);
            chosen.push(format!("({}, {})", cell(file.cell(a)), cell(file.cell(b))));
        }
    }
    file.answer_set("line", "edges(clue)", &chosen);
    // a path has the number of one of its ends
    let paths = joined.rooms();
    let mut grid = Grid::new(size.0, size.1);
    if let Some(clue) = file.board.grid("clue") {
        for (at, path) in paths.iter().enumerate() {
            let end = (0..paths.len()).find(|end| paths[*end] == *path && !clue.entries[*end].is_empty());
            let own = if clue.entries[at].is_empty() { end } else { Some(at) };
            grid.entries[at] = own.map_or_else(String::new, |end| clue.entries[end].clone());
        }
    }
    file.answer_grid("x", &Item::Words(grid));
    Ok(())
}

// ---- nurikabe, tapa: clue and answer in one

/// Reads entries that are `#` (shaded), `+`, `.`, or clues. Returns which cells are shaded.
fn mixed(file: &mut File<'_>, clue: fn(&str) -> Option<String>) -> Read<Vec<bool>> {
    let (rows, columns) = file.board.size;
    let mut grid = Grid::new(rows, columns);
    let mut shaded = Vec::new();
    for (i, (token, at)) in file.tokens(rows, columns)?.into_iter().enumerate() {
        shaded.push(token == "#");
        if !matches!(token, "#" | "+" | ".") {
            let given =
                clue(token).ok_or_else(|| fault(format!("`{token}` is no clue"), at, "this entry"))?;
            grid.entries[i] = given;
        }
    }
    file.board.set("clue", Item::Words(grid));
    Ok(shaded)
}

pub(super) fn islands(file: &mut File<'_>) -> Read<()> {
    let shaded = mixed(file, |token| match token {
        "-" => Some("?".into()),
        _ => token.parse::<u16>().ok().map(|number| number.to_string()),
    })?;
    let white: Vec<bool> = shaded.iter().map(|shaded| !shaded).collect();
    let clue = file.board.grid("clue").cloned().unwrap_or_else(|| Grid::new(0, 0));
    let given: Vec<usize> = (0..clue.entries.len()).filter(|at| !clue.entries[*at].is_empty()).collect();
    let mut entries: Vec<String> = Vec::new();
    for island in pieces(file.board.size, &white) {
        // an island without a number is connected with no number, so any root will do
        let root = island.iter().find(|at| given.contains(at)).or(given.first());
        if let Some(root) = root {
            let root = cell(file.cell(*root));
            entries.extend(island.iter().map(|at| format!("{}: {root}", cell(file.cell(*at)))));
        }
    }
    let sea = (0..shaded.len()).filter(|at| shaded[*at]).map(|at| format!("{}: none", cell(file.cell(at))));
    entries.extend(sea);
    file.answer.push_str(&format!("island = {{{}}}\n", entries.join(", ")));
    Ok(())
}

pub(super) fn tapa(file: &mut File<'_>) -> Read<()> {
    let shaded = mixed(file, |token| {
        let numbers: Vec<&str> = token.split(',').collect();
        let known = numbers.iter().all(|n| *n == "-" || n.parse::<u8>().is_ok_and(|n| n <= 8));
        let given = if numbers.len() > 1 { token.replace('-', "?") } else { token.to_owned() };
        known.then_some(given)
    })?;
    answer_shade(file, "shade", &shaded);
    Ok(())
}

fn answer_shade(file: &mut File<'_>, name: &str, shaded: &[bool]) {
    let (rows, columns) = file.board.size;
    let entries = shaded.iter().map(|shaded| if *shaded { "#" } else { "" }.to_owned()).collect();
    file.answer_grid(name, &Item::Letters(Grid { rows, columns, entries }));
}

// ---- shakashaka

pub(super) fn triangles(file: &mut File<'_>) -> Read<()> {
    let (rows, columns) = file.board.size;
    let mut grid = Grid::new(rows, columns);
    let clue = file.board.grid("clue").cloned();
    for (i, (token, _)) in file.tokens(rows, columns)?.into_iter().enumerate() {
        let black = clue.as_ref().is_some_and(|clue| !clue.entries[i].is_empty());
        grid.entries[i] = match token {
            _ if black => "#",
            "2" => "◣",
            "3" => "◢",
            "4" => "◥",
            "5" => "◤",
            _ => "",
        }
        .to_owned();
    }
    file.answer_grid("x", &Item::Letters(grid));
    Ok(())
}

// ---- skyscrapers, snake: a frame around the cells

pub(super) fn towers(file: &mut File<'_>) -> Read<()> {
    let (rows, columns) = file.board.size;
    let (mut clue, mut towers) = (Grid::new(rows + 2, columns + 2), Grid::new(rows, columns));
    for (i, (token, at)) in file.tokens(rows + 2, columns + 2)?.into_iter().enumerate() {
        let token = token.split('[').next().unwrap_or(token);
        if matches!(token, "." | "") {
            continue;
        }
        let given = token.strip_prefix('q');
        let entry = number(given.unwrap_or(token), at)?.to_string();
        let (row, column) = (i / (columns + 2), i % (columns + 2));
        let inside = (1..=rows).contains(&row) && (1..=columns).contains(&column);
        if inside {
            towers.set(row - 1, column - 1, entry.clone());
        }
        if !inside || given.is_some() {
            clue.entries[i] = entry;
        }
    }
    file.board.set("clue", Item::Words(clue));
    file.answer_grid("x", &Item::Words(towers));
    Ok(())
}

/// A cell is its clue, + 4 if shaded, + 8 if marked as empty.
pub(super) fn snake(file: &mut File<'_>) -> Read<()> {
    let (rows, columns) = file.board.size;
    let mut clue = Grid::new(rows + 1, columns + 1);
    let mut shaded = Vec::new();
    for (i, (token, at)) in file.tokens(rows + 1, columns + 1)?.into_iter().enumerate() {
        let given = if token == "." { None } else { Some(number(token.trim_start_matches('c'), at)?) };
        if i > columns && i % (columns + 1) > 0 {
            let bits = given.unwrap_or(0);
            shaded.push(bits & 4 != 0);
            clue.entries[i] = ["", "x", "o", ""][bits & 3].to_owned();
        } else if let Some(given) = given {
            clue.entries[i] = given.to_string();
        }
    }
    file.board.set("clue", Item::Words(clue));
    answer_shade(file, "shade", &shaded);
    Ok(())
}

// ---- slitherlink: lines along the borders, those of the board too

pub(super) fn animals(file: &mut File<'_>) -> Read<()> {
    let entries = file.clues(file.board.size, &[])?.entries;
    set_animals(&mut file.board, entries);
    Ok(())
}

pub(super) fn fences(file: &mut File<'_>) -> Read<()> {
    let (rows, columns) = file.board.size;
    let mut chosen = Vec::new();
    let drawn = |token: &str| token == "1";
    // newer files have the colours of cells first
    if file.next_has(columns) {
        file.tokens(rows, columns)?;
    }
    for (i, (token, _)) in file.tokens(rows, columns + 1)?.into_iter().enumerate() {
        let (row, column) = (i / (columns + 1) + 1, i % (columns + 1) + 1);
        if drawn(token) {
            chosen.push(format!("({}, {})", cell((row, column)), cell((row + 1, column))));
        }
    }
    for (i, (token, _)) in file.tokens(rows + 1, columns)?.into_iter().enumerate() {
        let (row, column) = (i / columns + 1, i % columns + 1);
        if drawn(token) {
            chosen.push(format!("({}, {})", cell((row, column)), cell((row, column + 1))));
        }
    }
    file.answer_set("line", "edges(h, w)", &chosen);
    Ok(())
}

// ---- statue park

/// A letter for a set, or a count and this number of pieces.
pub(super) fn statues(file: &mut File<'_>) -> Read<()> {
    let (line, at) = file.line()?;
    let mut texts: Vec<String> = Vec::new();
    match sets_of_statues(line.trim()) {
        Some(set) => texts.extend(set.iter().map(|text| (*text).to_owned())),
        None => {
            for _ in 0..number(line.trim(), at.clone())? {
                texts.push(file.line()?.0.trim().to_owned());
            }
        }
    }
    let mut statues = Vec::new();
    for text in texts {
        let rows = piece(&text).ok_or_else(|| fault(format!("`{text}` is no piece"), at.clone(), "these"))?;
        statues.push(Item::List(rows.iter().map(|row| Item::Value(format!("\"{row}\""))).collect()));
    }
    file.board.set("statues", Item::List(statues));
    Ok(())
}

pub(super) fn placed(file: &mut File<'_>) -> Read<()> {
    let (rows, columns) = file.board.size;
    let tokens = file.tokens(rows, columns)?;
    let shaded: Vec<bool> = tokens.iter().map(|(token, _)| *token == "#").collect();
    let spot = |piece: &Vec<usize>| {
        let cells: Vec<String> = piece.iter().map(|at| cell(file.cell(*at))).collect();
        format!("[{}]", cells.join(", "))
    };
    let spots: Vec<String> = pieces(file.board.size, &shaded).iter().map(spot).collect();
    file.answer.push_str(&format!("put = {{t: t[2] in [{}] for t in spots}}\n", spots.join(", ")));
    Ok(())
}

// ---- sudoku

pub(super) fn boxes(file: &mut File<'_>) -> Read<()> {
    let n = file.board.size.0;
    let shape = super::puzzlink_own::box_shape(n);
    let shape = shape.ok_or_else(|| fault(format!("there is no sudoku of {n} rows"), 0..0, ""))?;
    if shape != (3, 3) {
        file.board.set("box", Item::Value(cell(shape)));
    }
    Ok(())
}

// ---- tilepaint

pub(super) fn totals(file: &mut File<'_>) -> Read<()> {
    let (rows, columns) = file.board.size;
    let mut entries = Vec::new();
    for (i, (token, at)) in file.tokens(rows + 1, columns + 1)?.into_iter().enumerate() {
        let outside = i <= columns || i % (columns + 1) == 0;
        entries.push(match token {
            "." | "-1" => String::new(),
            _ if outside => number(token, at)?.to_string(),
            _ => return Err(fault("`tilepaint` has no clues inside the board", at, "this one")),
        });
    }
    let across: Vec<String> = entries.iter().step_by(columns + 1).skip(1).cloned().collect();
    file.board.set("across", Item::numbers(&across));
    file.board.set("down", Item::numbers(&entries[1..=columns]));
    Ok(())
}

pub(super) fn painted(file: &mut File<'_>) -> Read<()> {
    let (rows, columns) = file.board.size;
    let tokens = file.tokens(rows, columns)?;
    let room = file.board.grid("room").cloned().unwrap_or_else(|| Grid::new(rows, columns));
    let mut entries = Vec::new();
    for first in firsts(Some(&room)) {
        let shaded = tokens[first].0 == "#";
        let same = |at: &usize| room.entries[*at] == room.entries[first];
        if let Some(odd) = (0..tokens.len()).filter(same).find(|at| (tokens[*at].0 == "#") != shaded) {
            let at = tokens[odd].1.clone();
            return Err(fault(
                "a room is shaded as a whole or not at all",
                at,
                "not as the rest of its room",
            ));
        }
        entries.push(format!("\"{}\": {shaded}", room.entries[first]));
    }
    file.answer.push_str(&format!("paint = {{{}}}\n", entries.join(", ")));
    Ok(())
}

// ---- yajilin

/// A clue is a direction, 0 for none, and a number, `-` for none.
pub(super) fn arrows(file: &mut File<'_>) -> Read<()> {
    let (rows, columns) = file.board.size;
    let mut grid = Grid::new(rows, columns);
    for (i, (token, at)) in file.tokens(rows, columns)?.into_iter().enumerate() {
        if token == "." {
            continue;
        }
        let unknown = || fault(format!("`{token}` is no clue"), at.clone(), "this entry");
        let (way, given) = token.split_once(',').ok_or_else(unknown)?;
        let way = ["", "^", "v", "<", ">"].get(number(way, at.clone())?).copied().ok_or_else(unknown)?;
        let given = if given == "-" { "?".to_owned() } else { number(given, at.clone())?.to_string() };
        if way.is_empty() && given != "?" {
            return Err(fault(format!("the {given} has no arrow: it counts nothing"), at, "this clue"));
        }
        grid.entries[i] = if way.is_empty() { "#".to_owned() } else { format!("{way}{given}") };
    }
    file.board.set("clue", Item::Words(grid));
    Ok(())
}

pub(super) fn passed(file: &mut File<'_>) -> Read<()> {
    let (rows, columns) = file.board.size;
    let tokens = file.tokens(rows, columns)?;
    let shaded = (0..tokens.len()).filter(|at| tokens[*at].0 == "#").map(|at| cell(file.cell(at)));
    let shaded: Vec<String> = shaded.collect();
    file.answer_set("shade", "free", &shaded);
    Ok(())
}
