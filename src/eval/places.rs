//! Where entries of parameters and variables are drawn: nothing in a model says it, so it is tried out.
//!
//! In: [`Field`]s. Out: the same with places. A few entries get another value; where the drawing then differs is their
//! place, and the others follow: keys that are cells lie as far from their cell as those that were tried, numbered
//! ones at equal steps. Entries that change nothing in the drawing belong to the cells of their keys. Knows nothing of
//! rules: they need not be ground.

use super::fields::{Field, FieldEntry};
use super::ir::GlobalKind;
use super::run::Eval;
use super::value::Value;
use crate::diag::Diagnostic;
use crate::model::VarId;
use crate::render::{Drawing, Spot, between, spots};
use crate::shared::{FileId, Span};
use rustc_hash::FxHashMap;
use std::rc::Rc;

type Drawn = Vec<FxHashMap<Spot, String>>;

/// An entry's place is at most so far from the cell or edge of its key.
const MOST_OFF: u64 = 3;

/// Values that are tried for entries of an open domain.
const TRIED: [&str; 4] = ["8", "<", "Z", "[7, 8]"];

/// Tries at most so many values of one entry.
const MOST_TRIED: usize = 4;

fn drawn(drawings: Result<Vec<Drawing>, Diagnostic>) -> Option<Drawn> {
    Some(drawings.ok()?.iter().map(spots).collect())
}

/// The places at which two drawings differ.
fn differing(one: &Drawn, other: &Drawn) -> Vec<(usize, Spot)> {
    let mut found = Vec::new();
    for (at, (one, other)) in one.iter().zip(other).enumerate() {
        found.extend(
            one.iter().filter(|(spot, text)| other.get(spot) != Some(text)).map(|(spot, _)| (at, *spot)),
        );
        found.extend(other.keys().filter(|spot| !one.contains_key(spot)).map(|spot| (at, *spot)));
    }
    found.sort_unstable();
    found
}

/// The place of a key on boards whose cells have it.
fn natural(key: &Value) -> Option<Spot> {
    match (key.as_cell(), key.as_edge()) {
        (Some(cell), _) => between(cell, cell),
        (_, Some((a, b))) => between(a, b),
        _ => None,
    }
}

/// The place of a key in a grid that is twice as fine: its cells are the cells and what lies between them.
fn fine(near: Spot) -> Spot {
    (near.0 / 2 + 1, near.1 / 2 + 1)
}

/// Among places that differ the one that belongs to a key.
fn chosen(differ: &[(usize, Spot)], key: &Value) -> Option<(usize, Spot)> {
    let Some(near) = natural(key) else {
        return match differ {
            [only] => Some(*only),
            _ => None,
        };
    };
    let apart = |spot: &Spot, near: Spot| spot.0.abs_diff(near.0).max(spot.1.abs_diff(near.1));
    let off = |(_, spot): &(usize, Spot)| apart(spot, near).min(apart(spot, fine(near)).saturating_add(1));
    let near = differ.iter().copied().filter(|place| off(place) <= MOST_OFF);
    near.min_by_key(|place| (off(place), *place))
}

/// Sets the places of all entries from those that were tried, by position.
fn spread(field: &mut Field, keys: &[Value], tried: &[(usize, (usize, Spot))]) {
    let Some((_, (drawing, _))) = tried.first().copied() else { return };
    if tried.iter().any(|(_, place)| place.0 != drawing) {
        return;
    }
    let natural: Option<Vec<Spot>> = keys.iter().map(natural).collect();
    if let Some(natural) = natural {
        let finer: Vec<Spot> = natural.iter().copied().map(fine).collect();
        for near in [natural, finer] {
            let off = |(at, (_, spot)): &(usize, (usize, Spot))| (spot.0 - near[*at].0, spot.1 - near[*at].1);
            // one that was tried may have changed more than itself
            let votes = |off_by: Spot| tried.iter().filter(|one| off(one) == off_by).count();
            let all = tried.iter().map(off).find(|one| 2 * votes(*one) > tried.len());
            if let Some(all) = all {
                for (entry, near) in field.entries.iter_mut().zip(near) {
                    entry.place = Some((drawing, (near.0 + all.0, near.1 + all.1)));
                }
                return;
            }
        }
        return;
    }
    let (first, last) = (tried[0], tried[tried.len() - 1]);
    let steps = last.0 as i64 - first.0 as i64;
    let along = |from: i64, to: i64, at: usize| match steps {
        0 => Some(from),
        steps => {
            let way = (to - from).checked_mul(at as i64 - first.0 as i64)?;
            (way % steps == 0).then(|| from + way / steps)
        }
    };
    let place = |at: usize| {
        let (from, to) = (first.1.1, last.1.1);
        Some((along(from.0, to.0, at)?, along(from.1, to.1, at)?))
    };
    if tried.iter().any(|(at, (_, spot))| place(*at) != Some(*spot)) || steps == 0 && keys.len() > 1 {
        return;
    }
    for (at, entry) in field.entries.iter_mut().enumerate() {
        entry.place = place(at).map(|spot| (drawing, spot));
    }
}

/// Entries that no drawing shows: at their cells, or along a drawing of one row, if a drawing has them all.
fn at_keys(field: &mut Field, keys: &[Value], bare: &Drawn) {
    let spot = |(at, key): (usize, &Value)| match key {
        Value::Int(_) => Some((2, 2 * (at as i64 + 1))),
        key => natural(key),
    };
    let Some(spots) = keys.iter().enumerate().map(spot).collect::<Option<Vec<Spot>>>() else { return };
    let numbered = keys.iter().any(|key| matches!(key, Value::Int(_)));
    let has = |drawing: &FxHashMap<Spot, String>| {
        let on = |key: &Value, spot: &Spot| match key.as_edge() {
            Some((a, b)) => {
                [a, b].iter().all(|end| between(*end, *end).is_some_and(|spot| drawing.contains_key(&spot)))
            }
            None => drawing.contains_key(spot),
        };
        let row = !numbered || drawing.keys().all(|spot| spot.0 == 2);
        row && keys.iter().zip(&spots).all(|(key, spot)| on(key, spot))
    };
    let Some(drawing) = bare.iter().position(has) else { return };
    for (entry, spot) in field.entries.iter_mut().zip(spots) {
        entry.place = Some((drawing, spot));
    }
}

/// The entries that are tried: some at both ends and in the middle.
fn samples(entries: usize) -> Vec<usize> {
    let middle = entries / 2;
    let mut samples = vec![0, 1, middle, middle + 1, entries.saturating_sub(2), entries.saturating_sub(1)];
    samples.retain(|at| *at < entries);
    samples.sort_unstable();
    samples.dedup();
    samples
}

impl Eval<'_> {
    /// Sets the places of variables' entries. All variables must be declared.
    pub fn place_variables(&mut self, fields: &mut [Field]) {
        let open = vec![None; self.model.vars.len()];
        let Some(bare) = drawn(self.drawn_open()) else { return };
        for (number, field) in fields.iter_mut().enumerate() {
            let Some(array) = self.vars.get(number).cloned() else { continue };
            let keys: Vec<Value> = match &array.keys {
                Some(keys) => keys.list.to_vec(),
                None => vec![Value::None],
            };
            let mut tried = Vec::new();
            for at in samples(keys.len()) {
                let var = VarId(array.first.0 + at as u32);
                let values = (0..array.domain(at).len().min(MOST_TRIED)).rev();
                let found = values.filter_map(|value| {
                    let mut positions = open.clone();
                    positions[var.0 as usize] = Some(value as u32);
                    let drawn = drawn(self.drawn_veiled(&positions))?;
                    chosen(&differing(&bare, &drawn), &keys[at])
                });
                tried.extend(found.take(1).map(|place| (at, place)));
            }
            spread(field, &keys, &tried);
            if tried.is_empty() {
                at_keys(field, &keys, &bare);
            }
        }
    }

    /// Sets the places of parameters' entries. `file` is a source for the texts of tried values.
    pub fn place_parameters(&self, fields: &mut [Field], file: FileId) {
        let Some(before) = self.redrawn(None) else { return };
        for field in fields.iter_mut().filter(|field| field.array && !field.missing) {
            let Some(keys) = self.keys_of(&field.name) else { continue };
            let mut tried = Vec::new();
            for at in samples(keys.len()) {
                let texts = self.other_texts(field, &field.entries[at]);
                let found = texts.iter().filter_map(|text| {
                    let after = self.redrawn(Some((&field.name, at, text, file)))?;
                    chosen(&differing(&before, &after), &keys[at])
                });
                tried.extend(found.take(1).map(|place| (at, place)));
            }
            spread(field, &keys, &tried);
            if tried.is_empty() {
                at_keys(field, &keys, &before);
            }
        }
    }

    fn keys_of(&self, name: &str) -> Option<Vec<Value>> {
        match self.ready(self.program.param_named(name)?)? {
            Value::Map(map) => Some(map.keys.list.to_vec()),
            _ => None,
        }
    }

    /// Texts of other values than the one that an entry has.
    fn other_texts(&self, field: &Field, entry: &FieldEntry) -> Vec<String> {
        let listed = &field.choices[entry.choices];
        let all: Vec<&str> = match listed.is_empty() {
            true => TRIED.to_vec(),
            false => listed.iter().rev().map(String::as_str).collect(),
        };
        let mut texts: Vec<String> =
            all.into_iter().filter(|text| *text != entry.text).map(str::to_owned).collect();
        texts.truncate(MOST_TRIED);
        texts
    }

    /// What is drawn with one entry changed and no variable known; `None` if the model does not allow the value.
    fn redrawn(&self, change: Option<(&str, usize, &str, FileId)>) -> Option<Drawn> {
        let changed = match change {
            Some((name, at, text, file)) => {
                let id = self.program.param_named(name)?;
                let Value::Map(map) = self.ready(id)? else { return None };
                let GlobalKind::Param(param) = &self.program.globals[id.0 as usize].kind else { return None };
                let value = self.with_param(None).one_value(param, text, Span::new(file, 0, 0))?;
                let mut map = (**map).clone();
                *map.values.get_mut(at)? = value;
                Some((id, Value::Map(Rc::new(map))))
            }
            None => None,
        };
        let mut eval = self.with_param(changed);
        eval.declare_all().ok()?;
        drawn(eval.drawn_open())
    }
}
