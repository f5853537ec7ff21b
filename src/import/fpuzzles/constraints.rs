//! Converts a constraint of f-puzzles to lists of `sudoku-constraints`.
//!
//! In: the JSON of one constraint. Out: parts of the lists of the [`Reader`]. A constraint that cannot be
//! converted exactly is a fault: an unknown constraint, an unreadable value.

use super::{Cell, Fault, Item, Object, Reader, cell_item, cells_item, list, number, tuple, wrong};
use serde_json::Value;

impl Reader {
    fn is_inside(&self, (row, column): (isize, isize)) -> bool {
        let inside = |at: isize| (1..=self.n as isize).contains(&at);
        inside(row) && inside(column)
    }

    /// The cells from a cell on in one direction, without the cell itself.
    fn ray(&self, from: Cell, way: (isize, isize)) -> Vec<Cell> {
        let step = |(row, column): (isize, isize)| (row + way.0, column + way.1);
        let first = step((from.0 as isize, from.1 as isize));
        let all = std::iter::successors(Some(first), |cell| Some(step(*cell)));
        all.take_while(|cell| self.is_inside(*cell))
            .map(|(row, column)| (row as usize, column as usize))
            .collect()
    }

    fn neighbours(&self, cell: Cell) -> Vec<Cell> {
        let ways = [(-1, 0), (0, 1), (1, 0), (0, -1)];
        ways.iter().filter_map(|way| self.ray(cell, *way).first().copied()).collect()
    }

    /// One constraint of f-puzzles; called for each entry of its list.
    pub(super) fn constraint(&mut self, name: &str, one: &Object) -> Result<(), Fault> {
        let given = one.get("value");
        // an empty field counts as absent
        let blank = given
            .is_none_or(|given| given.is_null() || given.as_str().is_some_and(|text| text.trim().is_empty()));
        let value = number(given);
        let is_number = blank || value.is_some() || name == "xv";
        if let (Some(given), false) = (given, is_number) {
            return Err(wrong(format!("the value {given} of a constraint `{name}` is no number")));
        }
        let lines = || -> Result<Vec<Vec<Cell>>, Fault> {
            let cells = |line: &Value| self.cells(Some(line));
            list(one.get("lines")).iter().map(cells).collect()
        };
        match name {
            "killercage" => self.group(&self.cells(one.get("cells"))?, value),
            "extraregion" => self.group(&self.cells(one.get("cells"))?, None),
            "thermometer" | "betweenline" => {
                for line in lines()? {
                    self.add(if name == "thermometer" { "thermo" } else { "between" }, cells_item(&line));
                }
            }
            "renban" => {
                for line in lines()? {
                    self.add("renban", cells_item(&without_repeats(line)));
                }
            }
            "whispers" => {
                for line in lines()? {
                    match value {
                        None => self.add("whisper", cells_item(&line)),
                        Some(least) => line.windows(2).for_each(|pair| {
                            let parts = [cell_item(pair[0]), cell_item(pair[1]), Item::number(least)];
                            self.add("apart", tuple(&parts));
                        }),
                    }
                }
            }
            "arrow" => self.arrow(list(one.get("cells")), lines()?)?,
            "palindrome" => {
                for line in lines()? {
                    for i in 0..line.len() / 2 {
                        self.same(line[i], line[line.len() - 1 - i]);
                    }
                }
            }
            "clone" => {
                let (cells, clones) = (self.cells(one.get("cells"))?, self.cells(one.get("cloneCells"))?);
                cells.iter().zip(clones).for_each(|(cell, clone)| self.same(*cell, clone));
            }
            "odd" | "even" => {
                let cell = self.cell(one.get("cell").unwrap_or(&Value::Null), false)?;
                self.add("parity", tuple(&[cell_item(cell), Item::number(usize::from(name == "odd"))]));
            }
            "difference" | "ratio" => {
                let [a, b] = self.pair(one.get("cells"))?;
                let (list, usual) = if name == "ratio" { ("ratio", 2) } else { ("difference", 1) };
                self.add(list, tuple(&[cell_item(a), cell_item(b), Item::number(value.unwrap_or(usual))]));
            }
            "xv" => {
                let sum = match given.and_then(Value::as_str).map(str::trim) {
                    Some("X" | "x") => 10,
                    Some("V" | "v") => 5,
                    _ if blank => return Ok(()),
                    _ => return Err(wrong("a sign `xv` is `X` or `V`")),
                };
                let pair = self.pair(one.get("cells"))?;
                self.add("total", tuple(&[cells_item(&pair), Item::number(sum)]));
            }
            "quadruple" => {
                let digits: Option<Vec<Item>> = list(one.get("values"))
                    .iter()
                    .map(|digit| number(Some(digit)).map(Item::number))
                    .collect();
                let digits = digits.ok_or_else(|| wrong("the values of a quadruple are digits"))?;
                self.add(
                    "quadruple",
                    tuple(&[cells_item(&self.cells(one.get("cells"))?), Item::List(digits)]),
                );
            }
            "littlekillersum" | "sandwichsum" | "xsum" | "skyscraper" => self.outside(name, one, value)?,
            _ => return Err(wrong(format!("the constraint `{name}` of f-puzzles is not supported"))),
        }
        Ok(())
    }

    fn arrow(&mut self, circle: &[Value], lines: Vec<Vec<Cell>>) -> Result<(), Fault> {
        let circle = match circle {
            [] => None,
            [circle] => Some(self.cell(circle, false)?),
            _ => return Err(wrong("an arrow whose sum has two digits is not supported")),
        };
        // a line begins in the circle
        for mut line in lines.into_iter().filter(|line| line.len() > 1) {
            line[0] = circle.unwrap_or(line[0]);
            self.add("arrow", cells_item(&line));
        }
        Ok(())
    }

    /// A clue outside the board, for the line of cells that it looks at.
    fn outside(&mut self, name: &str, one: &Object, value: Option<usize>) -> Result<(), Fault> {
        let from = self.cell(one.get("cell").unwrap_or(&Value::Null), true)?;
        let list = match name {
            "littlekillersum" => "total",
            "sandwichsum" => "sandwich",
            "xsum" => "xsum",
            _ => "skyscraper",
        };
        let way = match one.get("direction").and_then(Value::as_str) {
            Some("UL") => (-1, -1),
            Some("UR") => (-1, 1),
            Some("DL") => (1, -1),
            Some("DR") => (1, 1),
            _ => match from {
                (0, _) => (1, 0),
                (_, 0) => (0, 1),
                (row, _) if row > self.n => (-1, 0),
                _ => (0, -1),
            },
        };
        let line = self.ray(from, way);
        if line.is_empty() {
            return Err(wrong(format!("a constraint `{name}` looks away from the board")));
        }
        // without a number there is no constraint, and no digits sum to 0
        if let Some(value) = value.filter(|value| *value > 0 || name != "littlekillersum") {
            self.add(list, tuple(&[cells_item(&line), Item::number(value)]));
        }
        Ok(())
    }

    /// Cells that are less than their neighbours, or greater; two such cells are not compared with each
    /// other.
    pub(super) fn extremes(&mut self, name: &str, ones: &[Value]) -> Result<(), Fault> {
        let cell = |one: &Value| self.cell(one.get("cell").unwrap_or(&Value::Null), false);
        let cells: Vec<Cell> = ones.iter().map(cell).collect::<Result<_, _>>()?;
        for cell in &cells {
            for other in self.neighbours(*cell).into_iter().filter(|other| !cells.contains(other)) {
                let line = if name == "minimum" { [*cell, other] } else { [other, *cell] };
                self.add("thermo", cells_item(&line));
            }
        }
        Ok(())
    }

    fn same(&mut self, a: Cell, b: Cell) {
        self.add("same", tuple(&[cell_item(a), cell_item(b)]));
    }
}

/// The cells of a line, each once: a ring returns to its first cell.
fn without_repeats(mut line: Vec<Cell>) -> Vec<Cell> {
    let mut seen = Vec::new();
    line.retain(|cell| {
        let is_new = !seen.contains(cell);
        seen.push(*cell);
        is_new
    });
    line
}
