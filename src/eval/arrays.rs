//! Reads arrays from data: pictures, nested lists, maps and JSON. Every entry is checked against the domain.

use super::domain::{Allowed, Kind};
use super::fault::{Fault, Res, error};
use super::ir::{Global, ParamIr, Supply};
use super::picture::{self, Cut};
use super::run::Eval;
use super::value::{Keys, Map, Value};
use crate::diag::{Code, Diagnostic};
use crate::render::Data;
use crate::shared::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The shape and domain that an array is read against.
pub(super) struct Shape<'a> {
    pub(super) global: &'a Global,
    pub(super) param: &'a ParamIr,
    pub(super) allowed: &'a Allowed,
    pub(super) keys: &'a Rc<Keys>,
    pub(super) sizes: &'a [usize],
}

impl Eval<'_> {
    /// Reads one value for each key, in the order of the keys; a single value where `scalar`.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn read_array(
        &mut self,
        global: &Global,
        param: &ParamIr,
        allowed: &Allowed,
        keys: &Rc<Keys>,
        sizes: &[usize],
        supply: &Supply,
        scalar: bool,
    ) -> Res<Vec<Value>> {
        let shape = Shape { global, param, allowed, keys, sizes };
        if !scalar {
            return Ok(self.read(&shape, supply)?.0);
        }
        let (value, at) = match supply {
            Supply::Literal { text, at } | Supply::Raw { text, at } => (Value::Str(text.clone()), *at),
            Supply::Value(body) => (self.body(body)?, body.node.span),
            Supply::Json { value, at } => (self.json_value(allowed, value), *at),
        };
        let key = Value::Int(1);
        Ok(vec![self.checked(&shape, value, &key, at)?])
    }

    pub(super) fn read(&mut self, shape: &Shape<'_>, supply: &Supply) -> Res<(Vec<Value>, Vec<Span>)> {
        Ok(match supply {
            Supply::Literal { text, at } => self.picture(shape, text, *at)?,
            Supply::Raw { text, at } => {
                if text.trim_start().starts_with(['[', '{', '"']) {
                    let value = self.parsed(text, *at)?;
                    (self.entries(shape, &value, *at)?, Vec::new())
                } else {
                    self.picture(shape, text, *at)?
                }
            }
            Supply::Value(body) => {
                let value = self.body(body)?;
                (self.entries(shape, &value, body.node.span)?, Vec::new())
            }
            Supply::Json { value, at } => match value {
                serde_json::Value::String(text) => {
                    let at = Span { end: at.start, ..*at };
                    (self.picture(shape, text, at)?.0, Vec::new())
                }
                serde_json::Value::Object(object) => (self.json_object(shape, object, *at)?, Vec::new()),
                value => {
                    let value = self.json_value(shape.allowed, value);
                    (self.entries(shape, &value, *at)?, Vec::new())
                }
            },
        })
    }

    /// Reads a picture. The reading that takes every character comes first, then the one that skips frames.
    fn picture(&mut self, shape: &Shape<'_>, text: &str, at: Span) -> Res<(Vec<Value>, Vec<Span>)> {
        self.budget.step(text.len() as u64)?;
        let cuts = shape.allowed.cuts();
        let mut first_fault = None;
        let mut last_fault = None;
        for (i, cut) in cuts.iter().enumerate() {
            match self.read_picture(shape, text, at, *cut) {
                Ok(found) => {
                    self.warn_of_picture(shape, &found.0, text, at);
                    return Ok(found);
                }
                Err(fault) if matches!(*fault, Fault::Stop(_)) => return Err(fault),
                Err(fault) if i == 0 => first_fault = Some(fault),
                Err(fault) => last_fault = Some(fault),
            }
        }
        // with frame characters in the text, the second reading was intended
        let framed = text.chars().any(picture::is_frame);
        Err(if framed { last_fault.or(first_fault) } else { first_fault }
            .unwrap_or_else(|| super::fault::fault(Code::Picture, at, "no picture")))
    }

    /// What a picture most likely means otherwise than it is read.
    fn warn_of_picture(&mut self, shape: &Shape<'_>, values: &[Value], text: &str, at: Span) {
        let name = &shape.global.name;
        let has = |word: &str| text.split_whitespace().any(|entry| entry == word);
        let (message, help) = match (&shape.allowed.kind, shape.sizes) {
            (Kind::Text, [_, width]) if *width > 2 && spaced(values, *width) => (
                format!("every second column of the picture of `{name}` is blank: each blank is an entry"),
                format!("entries that blanks separate are words: `: word` instead of `: text` for `{name}`"),
            ),
            (Kind::Word, _) if shape.allowed.optional && has("?") && has(".") => (
                format!("`?` in the picture of `{name}` is none, just as `.` is"),
                "write `.` for none; if `?` is a clue, give it another sign that the model reads".to_owned(),
            ),
            _ => return,
        };
        self.warnings.push(Diagnostic::warning(Code::Picture, message).at(at, "").help(help));
    }

    fn read_picture(
        &self,
        shape: &Shape<'_>,
        text: &str,
        at: Span,
        cut: Cut,
    ) -> Res<(Vec<Value>, Vec<Span>)> {
        let rows = picture::rows(text, cut, self.budget)?;
        let total: usize = rows.iter().map(Vec::len).sum();
        let place = |entry: &picture::Entry<'_>| {
            if at.end <= at.start {
                return at;
            }
            let start = at.start + entry.at as u32;
            Span { file: at.file, start, end: start + entry.text.len() as u32 }
        };
        let whole = Span { end: at.end.max(at.start), ..at };
        let name = &shape.global.name;
        let wanted: usize = shape.sizes.iter().product();
        // all rows in one line, of the right length or close to it
        let one_line = match shape.sizes {
            [height, width] => rows.len() == 1 && (total == wanted || *height > 1 && total > *width),
            _ => false,
        };
        if let ([height, width], false) = (shape.sizes, one_line) {
            if rows.len() != *height {
                let extra = rows.get(*height).and_then(|row| row.first()).map(&place);
                return Err(Diagnostic::error(
                    Code::Picture,
                    format!("the picture of `{name}` has {}, {height} expected", count(rows.len(), "row")),
                )
                .at(extra.unwrap_or(whole), if extra.is_some() { "the first row too many" } else { "" })
                .help(format!("`{name}` has {height} rows of {width} entries"))
                .into());
            }
            if let Some((line, row)) = rows.iter().enumerate().find(|(_, row)| row.len() != *width) {
                let (first, last) = (row.first().map(&place), row.last().map(&place));
                let span = first.zip(last).map_or(whole, |(first, last)| Span { end: last.end, ..first });
                return Err(Diagnostic::error(
                    Code::Picture,
                    format!(
                        "row {} of the picture of `{name}` has {}, {width} expected",
                        line + 1,
                        count(row.len(), "entry")
                    ),
                )
                .at(span, "")
                .help(entry_help(cut))
                .into());
            }
        } else if total != wanted {
            return Err(Diagnostic::error(
                Code::Picture,
                format!("the picture of `{name}` has {}, {wanted} expected", count(total, "entry")),
            )
            .at(whole, "")
            .help(entry_help(cut))
            .into());
        }
        let mut values = Vec::with_capacity(total);
        let mut places = Vec::with_capacity(total);
        for (line, row) in rows.iter().enumerate() {
            for (column, entry) in row.iter().enumerate() {
                let Some(value) = shape.allowed.entry(entry.text) else {
                    return Err(Diagnostic::error(
                        Code::Picture,
                        format!("`{}` is no entry of `{name}`", entry.text),
                    )
                    .at(place(entry), format!("row {}, entry {}", line + 1, column + 1))
                    .help(format!("expected {}", shape.allowed.expected(self)))
                    .into());
                };
                values.push(value);
                places.push(place(entry));
            }
        }
        Ok((values, places))
    }

    /// The values of an array from a list (nested for several dimensions), a map, or a string that is a
    /// picture.
    fn entries(&mut self, shape: &Shape<'_>, value: &Value, at: Span) -> Res<Vec<Value>> {
        match value {
            Value::Str(text) => {
                let nowhere = Span { end: at.start, ..at };
                Ok(self.picture(shape, text, nowhere)?.0)
            }
            Value::Map(map) => {
                let mut values = vec![None; shape.keys.len()];
                // keys may be given as text, as in JSON
                let mut texts: Option<FxHashMap<String, usize>> = None;
                for (key, value) in map.iter() {
                    let mut place = shape.keys.position(key);
                    if let (None, Value::Str(text)) = (place, key) {
                        let texts = texts.get_or_insert_with(|| {
                            let keys = shape.keys.list.iter().enumerate();
                            keys.map(|(at, key)| (self.name_text(key), at)).collect()
                        });
                        place = texts.get(&**text).copied();
                    }
                    let Some(place) = place else {
                        let text = self.literal_of(key);
                        return error(
                            Code::IndexOutOfRange,
                            at,
                            format!("`{}` has no entry `{text}`", shape.global.name),
                        );
                    };
                    values[place] = Some(value.clone());
                }
                let keys = shape.keys.list.clone();
                let values =
                    values.into_iter().map(|value| value.unwrap_or_else(|| shape.allowed.left_out()));
                values.zip(keys.iter()).map(|(value, key)| self.checked(shape, value, key, at)).collect()
            }
            Value::List(list) | Value::Tuple(list) => {
                let mut flat = Vec::new();
                let grid = shape.nested(list);
                let sizes = grid.as_ref().map_or(shape.sizes, |grid| &grid[..]);
                self.flatten(shape, list, sizes, at, &mut flat)?;
                let keys = shape.keys.list.clone();
                flat.into_iter()
                    .zip(keys.iter())
                    .map(|(value, key)| self.checked(shape, value, key, at))
                    .collect()
            }
            other => error(
                Code::TypeMismatch,
                at,
                format!(
                    "`{}` is an array: a picture, a list or a map is wanted, not {}",
                    shape.global.name,
                    other.kind()
                ),
            ),
        }
    }

    fn flatten(
        &self,
        shape: &Shape<'_>,
        list: &[Value],
        sizes: &[usize],
        at: Span,
        flat: &mut Vec<Value>,
    ) -> Res<()> {
        let name = &shape.global.name;
        let (wanted, rest) = match sizes {
            [] => return error(Code::TypeMismatch, at, format!("the list for `{name}` nests too deep")),
            [first, rest @ ..] => (*first, rest),
        };
        if list.len() != wanted {
            return error(
                Code::Picture,
                at,
                format!("the list for `{name}` has {}, {wanted} expected", count(list.len(), "entry")),
            );
        }
        if rest.is_empty() {
            self.budget.entries(flat.len() + list.len())?;
            flat.extend_from_slice(list);
            return Ok(());
        }
        for item in list {
            match item {
                Value::List(inner) | Value::Tuple(inner) => self.flatten(shape, inner, rest, at, flat)?,
                other => {
                    return error(
                        Code::TypeMismatch,
                        at,
                        format!("the list for `{name}` must be nested: a list a row, not {}", other.kind()),
                    );
                }
            }
        }
        Ok(())
    }

    pub(super) fn checked(&mut self, shape: &Shape<'_>, value: Value, key: &Value, at: Span) -> Res<Value> {
        if !value.is_known() {
            return super::fault::unknown(
                at,
                format!("the parameter `{}` must be known before solving", shape.global.name),
            );
        }
        let value = match (value, &shape.allowed.kind) {
            (Value::Tuple(items), Kind::List) => Value::List(items),
            (Value::Str(text), Kind::Values { .. } | Kind::Bool | Kind::Int) => {
                shape.allowed.entry(&text).unwrap_or(Value::Str(text))
            }
            // JSON has no tuples, and its maps have only text keys
            (value @ (Value::List(_) | Value::Map(_)), Kind::Values { .. }) => {
                let written = if shape.allowed.has(&value) { None } else { Some(self.data(&value)) };
                written.and_then(|data| shape.allowed.written(&data)).unwrap_or(value)
            }
            (value, _) => value,
        };
        if shape.allowed.has(&value) {
            return Ok(value);
        }
        self.outside(shape.global, shape.param, shape.allowed, &value, at, Some(key))
    }

    pub(super) fn json_value(&self, allowed: &Allowed, value: &serde_json::Value) -> Value {
        match value {
            serde_json::Value::Null => Value::None,
            serde_json::Value::Bool(b) => Value::Bool(*b),
            serde_json::Value::Number(n) => {
                n.as_i64().map_or_else(|| Value::text(&n.to_string()), Value::Int)
            }
            serde_json::Value::String(s) => match &allowed.kind {
                // the name of a member, even if the glyph of another member looks the same
                Kind::Values { by_text, .. } => allowed
                    .written(&Data::Text(s.clone()))
                    .or_else(|| by_text.get(s.as_str()).cloned())
                    .unwrap_or_else(|| Value::text(s)),
                _ => Value::text(s),
            },
            serde_json::Value::Array(items) => {
                Value::list(items.iter().map(|item| self.json_value(allowed, item)).collect())
            }
            serde_json::Value::Object(object) => {
                let (keys, values): (Vec<Value>, Vec<Value>) = object
                    .iter()
                    .map(|(key, value)| (Value::text(key), self.json_value(allowed, value)))
                    .unzip();
                Value::Map(Rc::new(Map::new(Rc::new(Keys::new(keys.into())), values)))
            }
        }
    }

    /// Reads a JSON object. Its keys are the text of index values: `(1, 2)`, `english`, `3`.
    fn json_object(
        &mut self,
        shape: &Shape<'_>,
        object: &serde_json::Map<String, serde_json::Value>,
        at: Span,
    ) -> Res<Vec<Value>> {
        let texts: Vec<String> = shape.keys.list.iter().map(|key| self.name_text(key)).collect();
        let known: FxHashSet<&str> = texts.iter().map(String::as_str).collect();
        if let Some(odd) = object.keys().find(|key| !known.contains(key.as_str())) {
            return error(Code::IndexOutOfRange, at, format!("`{}` has no entry `{odd}`", shape.global.name));
        }
        let mut values = Vec::with_capacity(texts.len());
        for (key, text) in shape.keys.list.clone().iter().zip(&texts) {
            let value = match object.get(text) {
                Some(value) => self.json_value(shape.allowed, value),
                None => shape.allowed.left_out(),
            };
            values.push(self.checked(shape, value, key, at)?);
        }
        Ok(values)
    }
}

impl Shape<'_> {
    /// Rows and columns of an index of cells if the list has one list for each row, as values are written.
    fn nested(&self, list: &[Value]) -> Option<[usize; 2]> {
        let Some((1, height, 1, width)) = self.keys.grid() else { return None };
        let (height, width) = (usize::try_from(height).ok()?, usize::try_from(width).ok()?);
        let row = |item: &Value| matches!(item, Value::List(row) | Value::Tuple(row) if row.len() == width);
        (list.len() == height && list.iter().all(row)).then_some([height, width])
    }
}

fn count(n: usize, what: &str) -> String {
    match (n, what) {
        (1, what) => format!("1 {what}"),
        (n, "entry") => format!("{n} entries"),
        (n, what) => format!("{n} {what}s"),
    }
}

/// Is each second column blank, and no other entry?
fn spaced(values: &[Value], width: usize) -> bool {
    let blank = |value: &Value| matches!(value, Value::Str(text) if &**text == " ");
    values.iter().enumerate().all(|(at, value)| blank(value) == (at % width % 2 == 1))
}

fn entry_help(cut: Cut) -> &'static str {
    match cut {
        Cut::Characters => "every character is an entry here, spaces too",
        Cut::Words | Cut::FramedWords => "entries are separated by white space",
        Cut::Either | Cut::Framed => {
            "entries are separated by white space, or one character each in a line without any"
        }
    }
}
