//! Shapes: pictures or lists of cells, rotated and placed.

use super::Builtin;
use super::cells::keys_of;
use crate::diag::Code;
use crate::eval::{Eval, Res, Value, error};
use crate::shared::Span;

pub(super) const TABLE: &[Builtin] = &[
    Builtin {
        name: "placements",
        signature: "placements(shape, cells)",
        doc: "Every way to lay the shape, as it is turned, on cells of a list or array; each a list of cells.",
        example: ("placements([\"##\"], [(1, 1), (1, 2), (1, 3)])", "[[(1, 1), (1, 2)], [(1, 2), (1, 3)]]"),
        returns_bool: false,
        arity: (2, 2),
        run: placements,
    },
    Builtin {
        name: "rotations",
        signature: "rotations(shape)",
        doc: "The distinct rotations of a picture (a list of strings, space and `.` empty) or cell list, in any \
              dimension, each a sorted cell list normalised to (1, 1).",
        example: ("len(rotations([\"##.\", \".##\"]))", "2"),
        returns_bool: false,
        arity: (1, 1),
        run: |eval, args, span| turned(eval, &args[0], span, false),
    },
    Builtin {
        name: "turns",
        signature: "turns(shape)",
        doc: "The distinct rotations and reflections of a picture (a list of strings, space and `.` empty) or cell list, in \
              any dimension, each a sorted cell list normalised to (1, 1).",
        example: ("turns([\"##\"])", "[[(1, 1), (1, 2)], [(1, 1), (2, 1)]]"),
        returns_bool: false,
        arity: (1, 1),
        run: |eval, args, span| turned(eval, &args[0], span, true),
    },
];

type Cells = Vec<Vec<i64>>;

/// A picture or cell list as coordinates.
fn shape(eval: &mut Eval<'_>, value: &Value, span: Span) -> Res<Cells> {
    let list = match value {
        Value::Str(text) => text.lines().map(Value::text).collect(),
        value => eval.to_list(value, span)?,
    };
    let mut cells: Cells = Vec::new();
    for (row, item) in list.iter().enumerate() {
        match item {
            Value::Str(line) => {
                let filled = line.chars().enumerate().filter(|(_, c)| !matches!(c, ' ' | '.'));
                cells.extend(filled.map(|(column, _)| vec![row as i64 + 1, column as i64 + 1]));
            }
            Value::Tuple(parts) => {
                let mut cell = Vec::with_capacity(parts.len());
                for part in parts.iter() {
                    cell.push(eval.to_known(part, span, "a cell of a shape")?);
                }
                cells.push(cell);
            }
            other => {
                return error(
                    Code::TypeMismatch,
                    span,
                    format!("a shape is a list of strings or of cells, not of {}", other.kind()),
                );
            }
        }
    }
    if cells.windows(2).any(|pair| pair[0].len() != pair[1].len()) {
        return error(Code::BadArgument, span, "the cells of a shape have different dimensions");
    }
    if cells.iter().flatten().any(|i| i.unsigned_abs() > MOST_FAR) {
        return error(Code::BadArgument, span, format!("a cell of a shape lies farther out than {MOST_FAR}"));
    }
    Ok(cells)
}

/// The largest coordinate: rotated and moved shapes must stay within 64 bits.
const MOST_FAR: u64 = 1 << 60;

fn normal(mut cells: Cells) -> Cells {
    let dims = cells.first().map_or(0, Vec::len);
    for axis in 0..dims {
        let low = cells.iter().map(|cell| cell[axis]).min().unwrap_or(1);
        cells.iter_mut().for_each(|cell| cell[axis] -= low - 1);
    }
    cells.sort();
    cells.dedup();
    cells
}

fn cell_list(cells: &Cells) -> Value {
    Value::list(
        cells.iter().map(|cell| Value::tuple(cell.iter().map(|i| Value::Int(*i)).collect())).collect(),
    )
}

fn turned(eval: &mut Eval<'_>, value: &Value, span: Span, mirrored: bool) -> Res<Value> {
    let cells = shape(eval, value, span)?;
    let dims = cells.first().map_or(0, Vec::len);
    if dims > 5 {
        return error(Code::BadArgument, span, "shapes of more than five dimensions are not turned");
    }
    let mut found: Vec<Cells> = Vec::new();
    for (permutation, odd) in permutations(dims) {
        for signs in 0..1u32 << dims {
            if !mirrored && odd != (signs.count_ones() % 2 == 1) {
                continue;
            }
            eval.budget.step((cells.len() * (found.len() + 1)) as u64)?;
            eval.budget.charge((cells.len() * (2 * dims + 6) * 16) as u64)?;
            let moved = cells.iter().map(|cell| {
                let axis = |(at, from): (usize, &usize)| {
                    if signs >> at & 1 == 1 { -cell[*from] } else { cell[*from] }
                };
                permutation.iter().enumerate().map(axis).collect()
            });
            let moved = normal(moved.collect());
            if !found.contains(&moved) {
                found.push(moved);
            }
        }
    }
    Ok(Value::list(found.iter().map(cell_list).collect()))
}

/// All permutations of `0..n`, each with its parity (true: odd).
fn permutations(n: usize) -> Vec<(Vec<usize>, bool)> {
    let mut all = vec![(Vec::new(), false)];
    for k in 0..n {
        // inserting k at `at` moves it past the k - at entries behind it
        all = all
            .into_iter()
            .flat_map(|(list, odd)| {
                (0..=k).rev().map(move |at| {
                    let mut list = list.clone();
                    list.insert(at, k);
                    (list, odd != ((k - at) % 2 == 1))
                })
            })
            .collect();
    }
    all
}

fn placements(eval: &mut Eval<'_>, args: &[Value], span: Span) -> Res<Value> {
    let cells = shape(eval, &args[0], span)?;
    let keys = keys_of(eval, &args[1], span)?;
    let Some(first) = cells.first() else {
        return error(Code::BadArgument, span, "the shape has no cell");
    };
    let mut found = Vec::new();
    for anchor in keys.list.clone().iter() {
        eval.budget.step(cells.len() as u64)?;
        eval.budget.charge((cells.len() * (first.len() + 2) * size_of::<Value>()) as u64)?;
        let mut at = Vec::with_capacity(first.len());
        match anchor {
            Value::Tuple(parts) if parts.len() == first.len() => {
                for part in parts.iter() {
                    at.push(eval.to_known(part, span, "a cell")?);
                }
            }
            _ => return error(Code::TypeMismatch, span, "the cells have other dimensions than the shape"),
        }
        let spot: Option<Vec<Value>> = cells
            .iter()
            .map(|cell| {
                let moved =
                    cell.iter().zip(first).zip(&at).map(|((x, origin), base)| Value::Int(x - origin + base));
                let key = Value::tuple(moved.collect());
                keys.contains(&key).then_some(key)
            })
            .collect();
        found.extend(spot.map(Value::list));
    }
    Ok(Value::list(found))
}
