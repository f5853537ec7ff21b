//! Lists of cells: neighbours, rays, groups, edges.

use super::Builtin;
use super::lists::{array, cells_of};
use crate::diag::Code;
use crate::eval::{Eval, Keys, Map, Res, Value, error, unknown};
use crate::shared::Span;
use rustc_hash::FxHashMap;
use std::collections::BTreeSet;
use std::rc::Rc;

const FOUR: [(i64, i64); 4] = [(-1, 0), (0, 1), (1, 0), (0, -1)];
const EIGHT: [(i64, i64); 8] = [(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)];

pub(super) const TABLE: &[Builtin] = &[
    Builtin {
        name: "adjacent",
        signature: "adjacent(a, p)",
        doc: "The cells of an array (or cell list) beside p, clockwise from the upper one.",
        example: ("adjacent({(r, c): 0 for r in 1..2, c in 1..3}, (1, 1))", "[(1, 2), (2, 1)]"),
        returns_bool: false,
        arity: (2, 2),
        run: |eval, args, span| steps(eval, args, span, &FOUR),
    },
    Builtin {
        name: "around",
        signature: "around(a, p)",
        doc: "The cells of an array (or cell list) about p, also diagonally, clockwise from the upper one.",
        example: ("around({(r, c): 0 for r in 1..2, c in 1..3}, (1, 1))", "[(1, 2), (2, 2), (2, 1)]"),
        returns_bool: false,
        arity: (2, 2),
        run: |eval, args, span| steps(eval, args, span, &EIGHT),
    },
    Builtin {
        name: "border",
        signature: "border(p)",
        doc: "The four edges round the cell p: above, right, below, left.",
        example: (
            "border((1, 1))",
            "[((1, 1), (1, 2)), ((1, 2), (2, 2)), ((2, 1), (2, 2)), ((1, 1), (2, 1))]",
        ),
        returns_bool: false,
        arity: (1, 1),
        run: |eval, args, span| {
            let (r, c) = cell(&args[0], span)?;
            let Some((below, right)) = moved((r, c), (1, 1)) else { return eval.overflow(span) };
            let corners = [
                ((r, c), (r, right)),
                ((r, right), (below, right)),
                ((below, c), (below, right)),
                ((r, c), (below, c)),
            ];
            Ok(Value::list(corners.into_iter().map(|(p, q)| edge(p, q)).collect()))
        },
    },
    Builtin {
        name: "cells",
        signature: "cells(a)",
        doc: "The cells of an array: its keys, in order.",
        example: ("cells({(r, c): 0 for r in 1..1, c in 1..2})", "[(1, 1), (1, 2)]"),
        returns_bool: false,
        arity: (1, 1),
        run: |_, args, span| match &args[0] {
            Value::Map(map) => Ok(Value::List(map.keys.list.clone())),
            Value::List(list) => Ok(Value::List(list.clone())),
            other => error(Code::TypeMismatch, span, format!("`cells` is of an array, not {}", other.kind())),
        },
    },
    Builtin {
        name: "edges",
        signature: "edges(a) or edges(h, w)",
        doc: "The edges (p, q) between neighbouring cells of an array or cell list, by first cell, right before down; with two \
              numbers the edges round h × w cells, between the points (1..h+1, 1..w+1).",
        example: ("edges(1, 1)", "[((1, 1), (1, 2)), ((1, 1), (2, 1)), ((1, 2), (2, 2)), ((2, 1), (2, 2))]"),
        returns_bool: false,
        arity: (1, 2),
        run: edges,
    },
    Builtin {
        name: "group",
        signature: "group(a, p)",
        doc: "The cells whose (known) value equals that of p, p among them.",
        example: ("group({1: \"x\", 2: \"y\", 3: \"x\"}, 1)", "[1, 3]"),
        returns_bool: false,
        arity: (2, 2),
        run: |eval, args, span| {
            let groups = groups(eval, &args[0], span)?;
            let Value::Map(map) = &args[0] else { return Ok(Value::list(Vec::new())) };
            let Some(value) = map.get(&args[1]) else {
                let key = eval.text_of(&args[1]);
                return error(Code::IndexOutOfRange, span, format!("there is no entry `{key}`"));
            };
            Ok(groups.get(value).cloned().unwrap_or_else(|| Value::list(Vec::new())))
        },
    },
    Builtin {
        name: "groups",
        signature: "groups(a)",
        doc: "The cells of each (known) value: an array from value to cells; `none` has no group.",
        example: ("groups({1: \"x\", 2: \"y\", 3: \"x\"})", "{x: [1, 3], y: [2]}"),
        returns_bool: false,
        arity: (1, 1),
        run: |eval, args, span| Ok(Value::Map(groups(eval, &args[0], span)?)),
    },
    Builtin {
        name: "leaps",
        signature: "leaps(a, p, (i, j))",
        doc: "The cells of an array (or cell list) that a leaper of i by j reaches from p, in reading order.",
        example: ("leaps({(r, c): 0 for r in 1..2, c in 1..3}, (1, 1), (1, 2))", "[(2, 3)]"),
        returns_bool: false,
        arity: (3, 3),
        run: |eval, args, span| {
            let (i, j) = cell(&args[2], span)?;
            // no cell is as far away as the least integer, so its missing negation does not matter
            let ways = |i: i64| [Some(i), i.checked_neg()].into_iter().flatten();
            let all = ways(i).flat_map(|i| ways(j).flat_map(move |j| [(i, j), (j, i)]));
            let leaps: BTreeSet<(i64, i64)> = all.collect();
            let leaps: Vec<(i64, i64)> = leaps.into_iter().collect();
            steps(eval, &args[..2], span, &leaps)
        },
    },
    Builtin {
        name: "pieces",
        signature: "pieces(a)",
        doc: "The connected groups of cells of equal (known) value, by first cell; `none` is in no group.",
        example: ("pieces({(1, 1): 1, (1, 2): 2, (1, 3): 1})", "[[(1, 1)], [(1, 2)], [(1, 3)]]"),
        returns_bool: false,
        arity: (1, 1),
        run: pieces,
    },
    Builtin {
        name: "ray",
        signature: "ray(a, p, d)",
        doc: "The cells p + d, p + 2d, … while they exist; p may lie outside.",
        example: ("ray({(r, c): 0 for r in 1..2, c in 1..3}, (1, 0), (0, 1))", "[(1, 1), (1, 2), (1, 3)]"),
        returns_bool: false,
        arity: (3, 3),
        run: |eval, args, span| {
            let keys = keys_of(eval, &args[0], span)?;
            let d = cell(&args[2], span)?;
            Ok(Value::list(ray(eval, &keys, cell(&args[1], span)?, d, span)?))
        },
    },
    Builtin {
        name: "rays",
        signature: "rays(a, p)",
        doc: "The four rays from p: up, right, down, left.",
        example: ("rays({(r, c): 0 for r in 1..2, c in 1..3}, (1, 2))", "[[], [(1, 3)], [(2, 2)], [(1, 1)]]"),
        returns_bool: false,
        arity: (2, 2),
        run: |eval, args, span| {
            let keys = keys_of(eval, &args[0], span)?;
            let p = cell(&args[1], span)?;
            let mut rays = Vec::with_capacity(4);
            for d in FOUR {
                rays.push(Value::list(ray(eval, &keys, p, d, span)?));
            }
            Ok(Value::list(rays))
        },
    },
];

pub(super) fn cell(value: &Value, span: Span) -> Res<(i64, i64)> {
    match value.as_cell() {
        Some(cell) => Ok(cell),
        None => error(
            Code::TypeMismatch,
            span,
            format!("a cell `(row, column)` is wanted here, this is {}", value.kind()),
        ),
    }
}

/// The cell one step further; `None` beyond 64 bits.
pub(super) fn moved(from: (i64, i64), step: (i64, i64)) -> Option<(i64, i64)> {
    from.0.checked_add(step.0).zip(from.1.checked_add(step.1))
}

/// Bytes of an edge in a list.
const EDGE: u64 = 8 * size_of::<Value>() as u64 + 48;

fn edge(p: (i64, i64), q: (i64, i64)) -> Value {
    Value::pair(Value::cell(p.0, p.1), Value::cell(q.0, q.1))
}

/// The keys of an array, or a list of cells as keys.
pub(super) fn keys_of(eval: &mut Eval<'_>, value: &Value, span: Span) -> Res<Rc<Keys>> {
    match value {
        Value::Map(map) => Ok(map.keys.clone()),
        Value::List(list) => match eval.hashed(list)? {
            Some(keys) => Ok(keys),
            None => unknown(span, "cells must be known before solving"),
        },
        other => error(
            Code::TypeMismatch,
            span,
            format!("an array or a list of cells is wanted here, this is {}", other.kind()),
        ),
    }
}

fn steps(eval: &mut Eval<'_>, args: &[Value], span: Span, by: &[(i64, i64)]) -> Res<Value> {
    let keys = keys_of(eval, &args[0], span)?;
    let from = cell(&args[1], span)?;
    let mut found = Vec::with_capacity(by.len());
    for step in by {
        let key = moved(from, *step).map(|(r, c)| Value::cell(r, c));
        found.extend(key.filter(|key| keys.contains(key)));
    }
    Ok(Value::list(found))
}

fn ray(eval: &Eval<'_>, keys: &Keys, p: (i64, i64), d: (i64, i64), span: Span) -> Res<Vec<Value>> {
    if d == (0, 0) {
        return error(Code::BadArgument, span, "a ray in the direction (0, 0) has no end");
    }
    let mut found = Vec::new();
    let mut at = p;
    while let Some(next) = moved(at, d) {
        at = next;
        let key = Value::cell(at.0, at.1);
        if !keys.contains(&key) {
            break;
        }
        eval.budget.step(1)?;
        eval.budget.charge(EDGE)?;
        found.push(key);
    }
    Ok(found)
}

fn edges(eval: &mut Eval<'_>, args: &[Value], span: Span) -> Res<Value> {
    let mut found = Vec::new();
    if let [h, w] = args {
        let h = eval.to_known(h, span, "a size")?;
        let w = eval.to_known(w, span, "a size")?;
        let Some((rows, columns)) = moved((h, w), (1, 1)) else { return eval.overflow(span) };
        let rows = if columns < 1 { 0 } else { rows };
        for r in 1..=rows {
            for c in 1..=columns {
                eval.budget.step(1)?;
                eval.budget.charge(2 * EDGE)?;
                if c <= w {
                    found.push(edge((r, c), (r, c + 1)));
                }
                if r <= h {
                    found.push(edge((r, c), (r + 1, c)));
                }
            }
        }
        return Ok(Value::list(found));
    }
    let keys = keys_of(eval, &args[0], span)?;
    eval.gone_through(6 * keys.len())?;
    let mut cells: Vec<(i64, i64)> = Vec::with_capacity(keys.len());
    for key in keys.list.iter() {
        cells.push(cell(key, span)?);
    }
    cells.sort_unstable();
    for p in cells {
        for step in [(0, 1), (1, 0)] {
            let next = moved(p, step).filter(|(r, c)| keys.contains(&Value::cell(*r, *c)));
            found.extend(next.map(|q| edge(p, q)));
        }
    }
    Ok(Value::list(found))
}

/// The cells of each value, cached by array.
fn groups(eval: &mut Eval<'_>, value: &Value, span: Span) -> Res<Rc<Map>> {
    let Value::Map(map) = value else {
        return error(Code::TypeMismatch, span, format!("an array is wanted here, this is {}", value.kind()));
    };
    if let Some((_, groups)) = eval.derived.groups.get(&Rc::as_ptr(map)) {
        return Ok(groups.clone());
    }
    if !value.is_known() {
        return unknown(
            span,
            "the values that form groups must be known before solving; `divided` and `area` are for unknown ones",
        );
    }
    eval.gone_through(map.values.len())?;
    let mut order: Vec<Value> = Vec::new();
    let mut found: FxHashMap<Value, Vec<Value>> = FxHashMap::default();
    for (key, value) in map.iter().filter(|(_, value)| !matches!(value, Value::None)) {
        eval.walked(1)?;
        let cells = found.entry(value.clone()).or_default();
        if cells.is_empty() {
            order.push(value.clone());
        }
        cells.push(key.clone());
    }
    let values = order.iter().map(|value| Value::list(found.remove(value).unwrap_or_default())).collect();
    let groups = Rc::new(Map::new(Rc::new(Keys::new(order.into())), values));
    eval.derived.groups.insert(Rc::as_ptr(map), (map.clone(), groups.clone()));
    Ok(groups)
}

fn pieces(eval: &mut Eval<'_>, args: &[Value], span: Span) -> Res<Value> {
    let map = array(&args[0], span)?;
    if !args[0].is_known() {
        return unknown(span, "the values that form pieces must be known before solving");
    }
    eval.gone_through(map.values.len())?;
    let cells = cells_of(map, span)?;
    let mut seen = vec![false; cells.len()];
    let mut pieces = Vec::new();
    for start in 0..cells.len() {
        if seen[start] || matches!(map.values[start], Value::None) {
            continue;
        }
        let mut piece = vec![start];
        seen[start] = true;
        let mut at = 0;
        while at < piece.len() {
            eval.budget.step(1)?;
            for step in FOUR {
                if let Some((r, c)) = moved(cells[piece[at]], step)
                    && let Some(next) = map.keys.position(&Value::cell(r, c))
                    && !seen[next]
                    && map.values[next] == map.values[start]
                {
                    seen[next] = true;
                    piece.push(next);
                }
            }
            at += 1;
        }
        piece.sort_unstable();
        pieces.push(Value::list(piece.into_iter().map(|at| map.keys.list[at].clone()).collect()));
    }
    Ok(Value::list(pieces))
}
