//! Lists: from numbers, from lists, and from the rows, columns and boxes of arrays.

use super::Builtin;
use super::cells::moved;
use crate::diag::Code;
use crate::eval::{Eval, Map, Res, Value, error, sort_by, unknown};
use crate::shared::Span;
use std::collections::BTreeMap;

pub(super) const TABLE: &[Builtin] = &[
    Builtin {
        name: "boxes",
        signature: "boxes(a, (h, w))",
        doc: "The values of an array in boxes of h rows and w columns, from the first row and column; a list a box.",
        example: (
            "boxes({(r, c): 10 * r + c for r in 1..2, c in 1..4}, (2, 2))",
            "[[11, 12, 21, 22], [13, 14, 23, 24]]",
        ),
        returns_bool: false,
        arity: (2, 2),
        run: |eval, args, span| {
            let (height, width) = size(&args[1], span)?;
            let map = array(&args[0], span)?;
            eval.gone_through(map.values.len())?;
            let cells = cells_of(map, span)?;
            let (row, column) =
                (cells.iter().map(|c| c.0).min().unwrap_or(1), cells.iter().map(|c| c.1).min().unwrap_or(1));
            let mut boxes: BTreeMap<(u64, u64), Vec<Value>> = BTreeMap::new();
            for ((r, c), value) in cells.iter().zip(&map.values) {
                let at = (r.abs_diff(row) / height as u64, c.abs_diff(column) / width as u64);
                boxes.entry(at).or_default().push(value.clone());
            }
            Ok(Value::list(boxes.into_values().map(Value::list).collect()))
        },
    },
    Builtin {
        name: "columns",
        signature: "columns(a)",
        doc: "The values of an array, a list a column.",
        example: ("columns({(r, c): 10 * r + c for r in 1..2, c in 1..2})", "[[11, 21], [12, 22]]"),
        returns_bool: false,
        arity: (1, 1),
        run: |eval, args, span| grouped(eval, &args[0], span, |(_, c)| c),
    },
    Builtin {
        name: "concat",
        signature: "concat(lists)",
        doc: "The entries of all the lists, in one list.",
        example: ("concat([[1, 2], [3]])", "[1, 2, 3]"),
        returns_bool: false,
        arity: (1, 1),
        run: |eval, args, span| {
            let mut all = Vec::new();
            for list in eval.to_list(&args[0], span)?.iter() {
                eval.extend(&mut all, list, span)?;
            }
            Ok(Value::list(all))
        },
    },
    Builtin {
        name: "diagonals",
        signature: "diagonals(a)",
        doc: "The values of an array along its diagonals, both ways, every length; a list a diagonal.",
        example: (
            "diagonals({(r, c): 10 * r + c for r in 1..2, c in 1..2})",
            "[[21], [11, 22], [12], [11], [12, 21], [22]]",
        ),
        returns_bool: false,
        arity: (1, 1),
        run: |eval, args, span| {
            let down = grouped(eval, &args[0], span, |(r, c)| c - r)?;
            let up = grouped(eval, &args[0], span, |(r, c)| r + c)?;
            let (down, up) = (eval.to_list(&down, span)?, eval.to_list(&up, span)?);
            Ok(Value::list(down.iter().chain(up.iter()).cloned().collect()))
        },
    },
    Builtin {
        name: "enumerate",
        signature: "enumerate(list)",
        doc: "The pairs (number, entry), numbers from 1.",
        example: ("enumerate([\"a\", \"b\"])", "[(1, a), (2, b)]"),
        returns_bool: false,
        arity: (1, 1),
        run: |eval, args, span| {
            let list = eval.to_list(&args[0], span)?;
            let pairs = list
                .iter()
                .enumerate()
                .map(|(at, item)| Value::pair(Value::Int(at as i64 + 1), item.clone()));
            Ok(Value::list(pairs.collect()))
        },
    },
    Builtin {
        name: "range",
        signature: "range(a, b, [step])",
        doc: "The numbers from a to b, b included, in steps.",
        example: ("range(1, 7, 3)", "[1, 4, 7]"),
        returns_bool: false,
        arity: (2, 3),
        run: |eval, args, span| {
            let from = eval.to_known(&args[0], span, "the start of a range")?;
            let to = eval.to_known(&args[1], span, "the end of a range")?;
            let step = match args.get(2) {
                Some(step) => eval.to_known(step, span, "the step of a range")?,
                None => 1,
            };
            if step == 0 {
                return error(Code::BadArgument, span, "the step of a range is 0");
            }
            let numbers = (i128::from(to) - i128::from(from)) / i128::from(step) + 1;
            eval.room_for(usize::try_from(numbers.max(0)).unwrap_or(usize::MAX))?;
            let mut items = Vec::new();
            let mut at = from;
            while (step > 0 && at <= to) || (step < 0 && at >= to) {
                items.push(Value::Int(at));
                eval.budget.step(1)?;
                match at.checked_add(step) {
                    Some(next) => at = next,
                    None => break,
                }
            }
            Ok(Value::list(items))
        },
    },
    Builtin {
        name: "reversed",
        signature: "reversed(list)",
        doc: "The list backwards.",
        example: ("reversed([1, 2, 3])", "[3, 2, 1]"),
        returns_bool: false,
        arity: (1, 1),
        run: |eval, args, span| match &args[0] {
            Value::Str(text) => {
                eval.gone_through(text.len())?;
                Ok(Value::text(&text.chars().rev().collect::<String>()))
            }
            value => Ok(Value::list(eval.to_list(value, span)?.iter().rev().cloned().collect())),
        },
    },
    Builtin {
        name: "rows",
        signature: "rows(a)",
        doc: "The values of an array, a list a row.",
        example: ("rows({(r, c): 10 * r + c for r in 1..2, c in 1..2})", "[[11, 12], [21, 22]]"),
        returns_bool: false,
        arity: (1, 1),
        run: |eval, args, span| grouped(eval, &args[0], span, |(r, _)| r),
    },
    Builtin {
        name: "sorted",
        signature: "sorted(list)",
        doc: "The known entries in ascending order.",
        example: ("sorted([3, 1, 2])", "[1, 2, 3]"),
        returns_bool: false,
        arity: (1, 1),
        run: |eval, args, span| {
            let list = eval.to_list(&args[0], span)?;
            if !list.iter().all(Value::is_known) {
                return unknown(span, "what is sorted must be known before solving");
            }
            for pair in list.windows(2) {
                // reports values without an order
                eval.less(&pair[0], &pair[1], false, span)?;
            }
            let mut items = list.to_vec();
            sort_by(&mut items, |a, b| eval.walked(1).map(|()| a.cmp(b)))?;
            Ok(Value::list(items))
        },
    },
    Builtin {
        name: "transpose",
        signature: "transpose(lists)",
        doc: "Lists of equal length with rows and columns exchanged; of an array: its keys exchanged.",
        example: ("transpose([[1, 2], [3, 4]])", "[[1, 3], [2, 4]]"),
        returns_bool: false,
        arity: (1, 1),
        run: transpose,
    },
    Builtin {
        name: "unique",
        signature: "unique(list)",
        doc: "The known entries, each once, in the order they first come.",
        example: ("unique([2, 1, 2])", "[2, 1]"),
        returns_bool: false,
        arity: (1, 1),
        run: |eval, args, span| {
            let list = eval.to_list(&args[0], span)?;
            if !list.iter().all(Value::is_known) {
                return unknown(span, "what `unique` looks at must be known before solving");
            }
            let mut seen = rustc_hash::FxHashSet::default();
            let mut items = Vec::new();
            for item in list.iter() {
                eval.walked(1)?;
                if seen.insert(item.clone()) {
                    items.push(item.clone());
                }
            }
            Ok(Value::list(items))
        },
    },
    Builtin {
        name: "windows",
        signature: "windows(a, (h, w))",
        doc: "The values of an array in every whole window of h rows and w columns; a list a window.",
        example: (
            "windows({(r, c): 10 * r + c for r in 1..2, c in 1..3}, (2, 2))",
            "[[11, 12, 21, 22], [12, 13, 22, 23]]",
        ),
        returns_bool: false,
        arity: (2, 2),
        run: |eval, args, span| {
            let (height, width) = size(&args[1], span)?;
            let map = array(&args[0], span)?;
            eval.gone_through(map.values.len())?;
            let mut windows = Vec::new();
            // no window is larger than the array
            let cells = height.saturating_mul(width).min(map.values.len() as i64) as usize;
            for (r, c) in cells_of(map, span)? {
                eval.walked(cells as u64)?;
                eval.room_for(cells)?;
                let inside = (0..height).flat_map(|i| (0..width).map(move |j| (i, j)));
                let value = |step| moved((r, c), step).and_then(|(r, c)| map.get(&Value::cell(r, c)));
                let values: Option<Vec<Value>> = inside.map(|step| value(step).cloned()).collect();
                windows.extend(values.map(Value::list));
            }
            Ok(Value::list(windows))
        },
    },
    Builtin {
        name: "zip",
        signature: "zip(list, list, …)",
        doc: "Tuples of the first entries, the second entries, …; as many as the shortest list has.",
        example: ("zip([1, 2], [\"a\", \"b\"])", "[(1, a), (2, b)]"),
        returns_bool: false,
        arity: (2, usize::MAX),
        run: |eval, args, span| {
            let lists: Res<Vec<_>> = args.iter().map(|arg| eval.to_list(arg, span)).collect();
            let lists = lists?;
            let n = lists.iter().map(|list| list.len()).min().unwrap_or(0);
            Ok(Value::list(
                (0..n).map(|at| Value::tuple(lists.iter().map(|list| list[at].clone()).collect())).collect(),
            ))
        },
    },
];

pub(super) fn array(value: &Value, span: Span) -> Res<&Map> {
    match value {
        Value::Map(map) => Ok(map),
        other => error(
            Code::TypeMismatch,
            span,
            format!("an array over cells is wanted here, this is {}", other.kind()),
        ),
    }
}

/// The keys of an array as cells.
pub(super) fn cells_of(map: &Map, span: Span) -> Res<Vec<(i64, i64)>> {
    let cells: Option<Vec<(i64, i64)>> = map.keys.list.iter().map(Value::as_cell).collect();
    match cells {
        Some(cells) => Ok(cells),
        None => error(Code::TypeMismatch, span, "an array over cells `(row, column)` is wanted here"),
    }
}

/// `(height, width)`, both at least 1.
pub(super) fn size(value: &Value, span: Span) -> Res<(i64, i64)> {
    match value.as_cell() {
        Some((h, w)) if h >= 1 && w >= 1 => Ok((h, w)),
        _ => error(Code::BadArgument, span, "a size `(height, width)` of positive numbers is wanted here"),
    }
}

fn grouped(eval: &Eval<'_>, value: &Value, span: Span, by: impl Fn((i128, i128)) -> i128) -> Res<Value> {
    let map = array(value, span)?;
    eval.gone_through(map.values.len())?;
    let mut groups: BTreeMap<i128, Vec<Value>> = BTreeMap::new();
    for ((r, c), value) in cells_of(map, span)?.into_iter().zip(&map.values) {
        groups.entry(by((r.into(), c.into()))).or_default().push(value.clone());
    }
    Ok(Value::list(groups.into_values().map(Value::list).collect()))
}

fn transpose(eval: &mut Eval<'_>, args: &[Value], span: Span) -> Res<Value> {
    if let Value::Map(map) = &args[0] {
        eval.gone_through(2 * map.values.len())?;
        let mut pairs: Vec<((i64, i64), Value)> =
            cells_of(map, span)?.into_iter().map(|(r, c)| (c, r)).zip(map.values.iter().cloned()).collect();
        pairs.sort_by_key(|(cell, _)| *cell);
        let (keys, values): (Vec<Value>, Vec<Value>) =
            pairs.into_iter().map(|((r, c), value)| (Value::cell(r, c), value)).unzip();
        let keys = crate::eval::Keys::new(keys.into());
        return Ok(Value::Map(std::rc::Rc::new(Map::new(std::rc::Rc::new(keys), values))));
    }
    let lists: Res<Vec<_>> =
        eval.to_list(&args[0], span)?.iter().map(|list| eval.to_list(list, span)).collect();
    let lists = lists?;
    let n = lists.first().map_or(0, |list| list.len());
    if lists.iter().any(|list| list.len() != n) {
        return error(Code::BadArgument, span, "the lists have different lengths");
    }
    Ok(Value::list(
        (0..n).map(|at| Value::list(lists.iter().map(|list| list[at].clone()).collect())).collect(),
    ))
}
