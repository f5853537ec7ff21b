//! Evaluates `show` to drawings, and variables to values for JSON and CSV.

use super::fault::{Fault, Res, error};
use super::ir::{GlobalId, GlobalKind, ParamIr};
use super::run::{Eval, Mode};
use super::value::{Keys, Map, Value};
use crate::diag::{Code, Diagnostic, stop_diagnostic};
use crate::render::{Drawing, Entry, Key, Known, Note, TINTS};
use crate::shared::{Span, Stop};
use rustc_hash::{FxHashMap, FxHashSet};

impl Eval<'_> {
    /// The drawings of the model's `show` items. Without any, each variable is drawn.
    pub fn drawings(&mut self) -> Result<Vec<Drawing>, Diagnostic> {
        let program = self.program;
        let mut drawings = Vec::new();
        for body in &program.shows {
            let span = body.node.span;
            let drawn = self.body(body).and_then(|value| self.drawing(&value, span));
            match drawn {
                Ok(drawing) => drawings.push(drawing),
                Err(fault) if self.mode == Mode::Partial && !matches!(*fault, Fault::Stop(_)) => {
                    drawings.push(Drawing::Text("·".into()));
                }
                Err(fault) => return Err(fault.into_diagnostic()),
            }
        }
        if program.shows.is_empty() {
            for id in program.var_ids() {
                let global = &program.globals[id.0 as usize];
                let value = self.global(id, global.span).map_err(|fault| fault.into_diagnostic())?;
                if let Value::Map(_) = &value {
                    drawings.push(Drawing::Text(format!("{}:", global.name)));
                    drawings
                        .push(self.drawing(&value, global.span).map_err(|fault| fault.into_diagnostic())?);
                } else {
                    let text = format!(
                        "{} = {}",
                        global.name,
                        self.draw_entry(&value).map_err(stop_diagnostic)?.text
                    );
                    drawings.push(Drawing::Text(text));
                }
            }
        }
        Ok(drawings)
    }

    /// The part of the drawings that is known before solving. The rules must be ground.
    pub fn drawn_before(&mut self) -> Result<Known, Diagnostic> {
        let bare = self.drawn_with(&vec![None; self.model.vars.len()])?;
        let forced = self.model.given();
        let forced = self.drawn_with(&forced)?;
        let mut clued = FxHashSet::default();
        for (at, global) in self.program.globals.iter().enumerate() {
            if let GlobalKind::Param(ParamIr { optional: true, .. }) = global.kind
                && let Some(Value::Map(map)) = self.ready(GlobalId(at as u32))
            {
                let given = map.iter().filter(|(_, value)| **value != Value::None);
                clued.extend(given.filter_map(|(key, _)| match key {
                    Value::Int(column) => Some((1, *column)),
                    key => key.as_cell(),
                }));
            }
        }
        let keys = self.vars.iter().filter_map(|array| array.keys.as_ref());
        let cells = keys.flat_map(|keys| keys.list.iter()).filter_map(Value::as_cell);
        let board = cells.fold(None, |board: Option<(Key, Key)>, (r, c)| {
            let (low, high) = board.unwrap_or(((r, c), (r, c)));
            Some(((low.0.min(r), low.1.min(c)), (high.0.max(r), high.1.max(c))))
        });
        Ok(Known { bare, forced, clued, board })
    }

    /// The drawings of the puzzle without any known variable, see [`Eval::drawn_veiled`].
    pub fn drawn_open(&mut self) -> Result<Vec<Drawing>, Diagnostic> {
        self.drawn_veiled(&vec![None; self.model.vars.len()])
    }

    /// The drawings with some variables bound to positions. What can only be drawn when every variable is known has its
    /// board nevertheless, with entries that are not determined.
    pub fn drawn_veiled(&mut self, positions: &[Option<u32>]) -> Result<Vec<Drawing>, Diagnostic> {
        let mut drawings = self.drawn_with(positions)?;
        let undrawn = |drawing: &Drawing| matches!(drawing, Drawing::Text(text) if text == "·");
        if drawings.iter().any(undrawn) {
            let first: Vec<Option<u32>> = positions.iter().map(|position| position.or(Some(0))).collect();
            // a value that no rule allows may have no drawing
            if let Ok(whole) = self.drawn_with(&first) {
                for (drawing, whole) in drawings.iter_mut().zip(whole) {
                    if undrawn(drawing) && !matches!(whole, Drawing::Text(_)) {
                        *drawing = whole.veiled();
                    }
                }
            }
        }
        Ok(drawings)
    }

    /// The drawings with some variables bound to positions. Afterwards all variables are terms again.
    pub fn drawn_with(&mut self, positions: &[Option<u32>]) -> Result<Vec<Drawing>, Diagnostic> {
        self.bind_some(positions);
        let drawings = self.drawings();
        self.unbind();
        drawings
    }

    /// Faults of the `show` items that do not depend on the values of variables.
    pub fn show_faults(&mut self) -> Vec<Diagnostic> {
        let program = self.program;
        let mut faults = Vec::new();
        let mark = self.pending_mark();
        for body in &program.shows {
            let span = body.node.span;
            let drawn = self.body(body).and_then(|value| self.drawing(&value, span));
            self.forget_pending(mark);
            match drawn {
                Err(fault) if !matches!(*fault, Fault::Unknown(_)) => faults.push(fault.into_diagnostic()),
                _ => {}
            }
        }
        faults
    }

    /// A drawn value must be defined. While some variables are unknown, an undefined part is drawn as `·`.
    fn shown(&mut self, value: &Value) -> Res<Value> {
        if self.mode == Mode::Partial { Ok(value.clone()) } else { self.complete(value) }
    }

    /// A value as a drawing.
    pub fn drawing(&mut self, value: &Value, span: Span) -> Res<Drawing> {
        Ok(match &self.shown(value)? {
            Value::Drawing(drawing) => (**drawing).clone(),
            Value::Map(map) => self.array_drawing(map)?,
            Value::List(items) if items.iter().any(|item| matches!(item, Value::List(_))) => {
                let mut entries = Vec::new();
                for (row, item) in items.iter().enumerate() {
                    let parts = self.to_list(item, span)?;
                    for (column, part) in parts.iter().enumerate() {
                        self.grow(&mut entries)?;
                        entries.push(((row as i64 + 1, column as i64 + 1), self.draw_entry(part)?));
                    }
                }
                Drawing::Grid(entries)
            }
            Value::List(items) => Drawing::Row(self.entries_of(items)?),
            value => Drawing::Text(self.draw_entry(value)?.text),
        })
    }

    fn array_drawing(&self, map: &Map) -> Result<Drawing, Stop> {
        let cells: Option<Vec<Key>> = map.keys.list.iter().map(Value::as_cell).collect();
        let entries = self.entries_of(&map.values)?;
        if let Some(cells) = cells {
            return Ok(Drawing::Grid(cells.into_iter().zip(entries).collect()));
        }
        if map.keys.list.iter().all(|key| matches!(key, Value::Int(_))) {
            return Ok(Drawing::Row(entries));
        }
        let keys: Result<Vec<String>, Stop> = map.keys.list.iter().map(|key| self.text(key)).collect();
        Ok(Drawing::Table(keys?.into_iter().zip(entries).collect()))
    }

    fn entries_of(&self, values: &[Value]) -> Result<Vec<Entry>, Stop> {
        self.budget.charge_for::<[Entry; 2]>(values.len())?;
        values.iter().map(|value| self.draw_entry(value)).collect()
    }

    pub(super) fn draw_entry(&self, value: &Value) -> Result<Entry, Stop> {
        let (text, number) = match value {
            Value::Bool(true) => ("#".to_string(), false),
            Value::Bool(false) | Value::None => (".".into(), false),
            Value::Int(i) => (i.to_string(), true),
            value if !value.is_known() => ("·".into(), false),
            value => (self.text(value)?, false),
        };
        Ok(Entry { text, number })
    }

    /// The regions of `framed`: equal values have equal numbers; `none` is in no region.
    pub fn regions(&mut self, value: &Value, span: Span) -> Res<Vec<(Key, u32)>> {
        let Value::Map(map) = &self.shown(value)? else {
            return error(Code::TypeMismatch, span, format!("regions are an array, not {}", value.kind()));
        };
        let mut numbers: FxHashMap<Value, u32> = FxHashMap::default();
        let mut regions = Vec::new();
        for (key, value) in map.iter() {
            let Some(cell) = key.as_cell() else {
                return error(Code::TypeMismatch, span, "regions are told for cells `(row, column)`");
            };
            if matches!(value, Value::None) || !value.is_known() {
                continue;
            }
            self.walked(1)?;
            let next = numbers.len() as u32;
            regions.push((cell, *numbers.entry(value.clone()).or_insert(next)));
        }
        Ok(regions)
    }

    /// The regions of `framed`, or walls; cells on the sides of walls are of one region.
    pub fn frame_lines(&mut self, value: &Value, span: Span) -> Res<(Vec<(Key, u32)>, Vec<(Key, Key)>)> {
        let edges = match &self.shown(value)? {
            Value::Map(map) if !map.keys.list.is_empty() => {
                let edge = |(key, value): (&Value, &Value)| Some((key.as_edge()?, value.clone()));
                map.iter().map(edge).collect::<Option<Vec<_>>>()
            }
            _ => None,
        };
        let Some(edges) = edges else { return Ok((self.regions(value, span)?, Vec::new())) };
        self.walked(edges.len() as u64)?;
        let mut cells: Vec<Key> = edges.iter().flat_map(|((p, q), _)| [*p, *q]).collect();
        cells.sort_unstable();
        cells.dedup();
        let walls = edges.into_iter().filter(|(_, value)| *value == Value::Bool(true));
        Ok((cells.into_iter().map(|cell| (cell, 0)).collect(), walls.map(|(edge, _)| edge).collect()))
    }

    /// The edges of `looped`.
    pub fn loop_edges(&mut self, value: &Value, span: Span) -> Res<Vec<(Key, Key, Option<bool>)>> {
        let Value::Map(map) = &self.shown(value)? else {
            return error(
                Code::TypeMismatch,
                span,
                format!("a loop is an array over edges, not {}", value.kind()),
            );
        };
        let mut edges = Vec::new();
        for (key, value) in map.iter() {
            let Some((a, b)) = key.as_edge() else {
                return error(
                    Code::TypeMismatch,
                    span,
                    "a loop is an array over edges `(p, q)` of points `(row, column)`",
                );
            };
            let drawn = match value {
                Value::Bool(drawn) => Some(*drawn),
                _ => None,
            };
            edges.push((a, b, drawn));
        }
        Ok(edges)
    }

    /// The tints of `tinted`: a number always has the same one; other values take tints in order of
    /// occurrence.
    pub fn tints(&mut self, value: &Value, span: Span) -> Res<Vec<(Key, Key, Note)>> {
        let regions = self.regions(value, span)?;
        let mut numbers: FxHashMap<Key, i64> = FxHashMap::default();
        if let Value::Map(map) = value {
            numbers.extend(map.iter().filter_map(|(key, value)| match value {
                Value::Int(number) => Some((key.as_cell()?, *number)),
                _ => None,
            }));
        }
        let tint = |(cell, region): (Key, u32)| {
            let number = numbers.get(&cell).copied().unwrap_or(region.into());
            (cell, cell, Note::Tint(number.rem_euclid(TINTS.into()) as u8))
        };
        Ok(regions.into_iter().map(tint).collect())
    }

    /// The notes of `noted`; `none` and unknown values give no note.
    pub fn notes(&mut self, value: &Value, span: Span) -> Res<Vec<(Key, Key, Note)>> {
        let Value::Map(map) = &self.shown(value)? else {
            return error(Code::TypeMismatch, span, format!("notes are an array, not {}", value.kind()));
        };
        let mut notes = Vec::new();
        for (key, value) in map.iter() {
            let Some((a, b)) = key.as_cell().map(|cell| (cell, cell)).or_else(|| key.as_edge()) else {
                return error(
                    Code::TypeMismatch,
                    span,
                    "notes are told for cells `(row, column)` and for pairs of cells `(p, q)`",
                );
            };
            if !value.is_known() {
                continue;
            }
            let text = match value {
                Value::None | Value::Bool(false) => continue,
                Value::List(items) => {
                    let texts: Vec<String> =
                        self.entries_of(items)?.into_iter().map(|entry| entry.text).collect();
                    self.budget.charge(texts.iter().map(|text| text.len() as u64 + 1).sum())?;
                    texts.join(" ")
                }
                value => self.draw_entry(value)?.text,
            };
            notes.push((a, b, Note::Text(text)));
        }
        Ok(notes)
    }

    /// All variables by name, for JSON and CSV.
    pub fn values(&mut self) -> Result<Vec<(String, Data)>, Diagnostic> {
        let program = self.program;
        let mut values = Vec::new();
        for array in self.vars.clone() {
            let global = &program.globals[array.id.0 as usize];
            let value = self.global(array.id, global.span).map_err(|fault| fault.into_diagnostic())?;
            values.push((array.name.to_string(), self.data(&value)));
        }
        Ok(values)
    }

    pub(super) fn data(&self, value: &Value) -> Data {
        match value {
            Value::None => Data::None,
            Value::Bool(b) => Data::Bool(*b),
            Value::Int(i) => Data::Int(*i),
            Value::Tuple(items) | Value::List(items) => {
                Data::List(items.iter().map(|item| self.data(item)).collect())
            }
            Value::Map(map) => self.map_data(map),
            value => Data::Text(self.name_text(value)),
        }
    }

    fn map_data(&self, map: &Map) -> Data {
        if map.keys.is_one_to_n() {
            return Data::List(map.values.iter().map(|value| self.data(value)).collect());
        }
        if let Some(rows) = nested(&map.keys, &map.values) {
            let row = |row: &[Value]| Data::List(row.iter().map(|value| self.data(value)).collect());
            return Data::List(rows.into_iter().map(row).collect());
        }
        Data::Object(map.iter().map(|(key, value)| (self.name_text(key), self.data(value))).collect())
    }
}

pub use crate::render::Data;

/// Is this how an unknown entry is drawn, or how people write one?
pub(super) fn nothing_drawn(text: &str) -> bool {
    matches!(text, "·" | "." | "_" | "?" | "")
}

/// The rows of an array over `1..h` × `1..w`.
fn nested<'v>(keys: &Keys, values: &'v [Value]) -> Option<Vec<&'v [Value]>> {
    match keys.grid() {
        Some((1, _, 1, columns)) => Some(values.chunks(columns as usize).collect()),
        _ => None,
    }
}
