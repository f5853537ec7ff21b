//! Parameters: where their values come from, sizes taken from data, checks against domains.

use super::domain::{Allowed, Kind};
use super::fault::{Fault, Res, error};
use super::ir::{Global, GlobalId, GlobalKind, ParamIr, Supply};
use super::picture::{self, Cut};
use super::run::{Eval, Slot};
use super::value::{Keys, Map, Value};
use crate::diag::{Code, Diagnostic};
use crate::shared::{FileId, Span};
use std::rc::Rc;

/// Sizes that are tried one by one when an index's size is looked for.
const MOST_TRIED: i64 = 256;

impl Eval<'_> {
    fn supply(&self, id: GlobalId) -> Option<Rc<Supply>> {
        let program = self.program;
        self.supplied
            .get(&id)
            .or_else(|| program.supplies.get(&id))
            .or_else(|| program.defaults.get(&id))
            .cloned()
    }

    /// Gives a parameter another text, as `-D` does, and forgets what depended on it.
    pub fn supply_text(&mut self, name: &str, file: FileId, text: &str) -> Result<(), Diagnostic> {
        let at = Span::new(file, 0, text.len());
        let id = self.program.parameter(name, at)?;
        self.supply_with(id, Supply::Raw { text: text.into(), at });
        Ok(())
    }

    /// Gives a parameter another JSON value, and forgets what depended on it.
    pub fn supply_json(&mut self, name: &str, value: serde_json::Value, at: Span) -> Result<(), Diagnostic> {
        let id = self.program.parameter(name, at)?;
        self.supply_with(id, Supply::Json { value, at });
        Ok(())
    }

    fn supply_with(&mut self, id: GlobalId, supply: Supply) {
        self.supplied.insert(id, Rc::new(supply));
        self.places.remove(&id);
        for at in 0..self.globals.len() {
            if at == id.0 as usize || self.program.global_deps[at].contains(&id) {
                self.globals[at] = Slot::Unset;
            }
        }
    }

    /// Evaluates every parameter, so that data that nothing uses are checked too; all faults at once.
    pub fn check_params(&mut self) -> Result<(), Vec<Diagnostic>> {
        let mut faults = Vec::new();
        let program = self.program;
        for (at, global) in program.globals.iter().enumerate() {
            if let GlobalKind::Param(_) = global.kind
                && let Err(fault) = self.global(GlobalId(at as u32), global.span)
            {
                let fault = fault.into_diagnostic();
                if !faults.contains(&fault) {
                    faults.push(fault);
                }
            }
        }
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }

    /// The value of a parameter.
    pub(super) fn param(&mut self, id: GlobalId, global: &Global, param: &ParamIr) -> Res<Value> {
        self.frame(param.slots, |this| {
            let Some(supply) = this.supply(id) else {
                return this.size_from_data(id, global);
            };
            if param.dims.is_empty() {
                return this.scalar(global, param, &supply);
            }
            this.array(id, global, param, &supply)
        })
    }

    /// The expression of a `-D` text.
    fn parsed(&mut self, text: &str, at: Span) -> Res<Value> {
        match self.program.expression(at.file, text) {
            Ok(body) => {
                // a body lives as long as it is evaluated
                self.body(&body)
            }
            Err(mut faults) => Err(Box::new(Fault::Error(faults.swap_remove(0)))),
        }
    }

    fn scalar(&mut self, global: &Global, param: &ParamIr, supply: &Supply) -> Res<Value> {
        let allowed = self.allowed(param)?;
        let (value, at) = match supply {
            Supply::Literal { text, at } => (self.scalar_text(&allowed, text), *at),
            Supply::Raw { text, at } => {
                let trimmed = text.trim();
                let value = match &allowed.kind {
                    Kind::Text | Kind::Word => self.scalar_text(&allowed, text),
                    Kind::Values { numbers: false, .. } if allowed.entry(trimmed).is_some() => {
                        allowed.entry(trimmed).unwrap_or(Value::None)
                    }
                    Kind::Int | Kind::Bool | Kind::Values { .. }
                        if allowed.entry(trimmed).is_some_and(|v| v != Value::None) =>
                    {
                        allowed.entry(trimmed).unwrap_or(Value::None)
                    }
                    _ => self.parsed(text, *at)?,
                };
                (value, *at)
            }
            Supply::Value(body) => (self.body(body)?, body.node.span),
            Supply::Json { value, at } => (self.json_value(&allowed, value), *at),
        };
        let value = match (value, &allowed.kind) {
            (Value::Tuple(items), Kind::List) => Value::List(items),
            (value, _) => value,
        };
        if !value.is_known() {
            return super::fault::unknown(
                at,
                format!("the parameter `{}` must be known before solving", global.name),
            );
        }
        if !allowed.has(&value) {
            return self.outside(global, param, &allowed, &value, at, None);
        }
        Ok(value)
    }

    fn scalar_text(&mut self, allowed: &Allowed, text: &Rc<str>) -> Value {
        match &allowed.kind {
            Kind::Any | Kind::Text | Kind::Word | Kind::List => Value::Str(text.clone()),
            _ => allowed.entry(text).unwrap_or_else(|| Value::Str(text.clone())),
        }
    }

    fn outside<T>(
        &self,
        global: &Global,
        param: &ParamIr,
        allowed: &Allowed,
        value: &Value,
        at: Span,
        key: Option<&Value>,
    ) -> Res<T> {
        let entry = key.map(|key| format!("[{}]", self.text_of(key).trim_matches(['(', ')']).to_owned()));
        let mut fault = Diagnostic::error(
            Code::OutsideDomain,
            format!("`{}{}` may not be {}", global.name, entry.unwrap_or_default(), self.literal_of(value)),
        )
        .at(at, "");
        if let Some(span) = param.domain_span {
            fault = fault.at(span, "the allowed values");
        }
        Err(fault.help(format!("expected {}", allowed.expected(self))).into())
    }

    fn array(&mut self, id: GlobalId, global: &Global, param: &ParamIr, supply: &Supply) -> Res<Value> {
        let list = self.index_keys(&param.dims, &mut |_, _| Ok(()))?;
        let keys = Rc::new(Keys::new(list));
        let mut sizes = Vec::with_capacity(param.dims.len());
        for dim in &param.dims {
            sizes.push(self.dimension_items(dim)?.len());
        }
        let allowed = self.allowed(param)?;
        let shape = Shape { global, param, allowed: &allowed, keys: &keys, sizes: &sizes };
        let (values, places) = self.read(&shape, supply)?;
        self.places.insert(id, places);
        Ok(Value::Map(Rc::new(Map::new(keys, values))))
    }

    /// Values for keys, in the keys' order, read from what is supplied; a single value where `scalar`.
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

    fn read(&mut self, shape: &Shape<'_>, supply: &Supply) -> Res<(Vec<Value>, Vec<Span>)> {
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

    /// Reads a picture: the reading that takes every character, else the one that skips frames.
    fn picture(&mut self, shape: &Shape<'_>, text: &str, at: Span) -> Res<(Vec<Value>, Vec<Span>)> {
        self.budget.step(text.len() as u64)?;
        let cuts = shape.allowed.cuts();
        let mut first_fault = None;
        let mut last_fault = None;
        for (i, cut) in cuts.iter().enumerate() {
            match self.read_picture(shape, text, at, *cut) {
                Ok(found) => return Ok(found),
                Err(fault) if i == 0 => first_fault = Some(fault),
                Err(fault) => last_fault = Some(fault),
            }
        }
        // with frame characters in the text the second reading is what was meant
        let framed = text.chars().any(picture::is_frame);
        Err(if framed { last_fault.or(first_fault) } else { first_fault }
            .unwrap_or_else(|| super::fault::fault(Code::Picture, at, "no picture")))
    }

    fn read_picture(
        &self,
        shape: &Shape<'_>,
        text: &str,
        at: Span,
        cut: Cut,
    ) -> Res<(Vec<Value>, Vec<Span>)> {
        let rows = picture::rows(text, cut);
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
        let one_line = rows.len() == 1 && total == wanted;
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

    /// An array's values from a list (nested for several dimensions), a map, or a string as a picture.
    fn entries(&mut self, shape: &Shape<'_>, value: &Value, at: Span) -> Res<Vec<Value>> {
        match value {
            Value::Str(text) => {
                let nowhere = Span { end: at.start, ..at };
                Ok(self.picture(shape, text, nowhere)?.0)
            }
            Value::Map(map) => {
                for key in map.keys.list.iter() {
                    if !shape.keys.contains(key) {
                        let text = self.literal_of(key);
                        return error(
                            Code::IndexOutOfRange,
                            at,
                            format!("`{}` has no entry `{text}`", shape.global.name),
                        );
                    }
                }
                let mut values = Vec::with_capacity(shape.keys.len());
                for key in shape.keys.list.iter() {
                    let value = map.get(key).cloned().unwrap_or(Value::None);
                    values.push(self.checked(shape, value, key, at)?);
                }
                Ok(values)
            }
            Value::List(list) | Value::Tuple(list) => {
                let mut flat = Vec::with_capacity(shape.keys.len());
                self.flatten(shape, list, shape.sizes, at, &mut flat)?;
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

    fn checked(&mut self, shape: &Shape<'_>, value: Value, key: &Value, at: Span) -> Res<Value> {
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
            (value, _) => value,
        };
        if shape.allowed.has(&value) {
            return Ok(value);
        }
        self.outside(shape.global, shape.param, shape.allowed, &value, at, Some(key))
    }

    fn json_value(&self, allowed: &Allowed, value: &serde_json::Value) -> Value {
        match value {
            serde_json::Value::Null => Value::None,
            serde_json::Value::Bool(b) => Value::Bool(*b),
            serde_json::Value::Number(n) => {
                n.as_i64().map_or_else(|| Value::text(&n.to_string()), Value::Int)
            }
            serde_json::Value::String(s) => match &allowed.kind {
                Kind::Values { by_text, .. } => {
                    by_text.get(s.as_str()).cloned().unwrap_or_else(|| Value::text(s))
                }
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

    /// Object keys are the index's text: `(1, 2)`, `english`, `3`.
    fn json_object(
        &mut self,
        shape: &Shape<'_>,
        object: &serde_json::Map<String, serde_json::Value>,
        at: Span,
    ) -> Res<Vec<Value>> {
        let texts: Vec<String> = shape.keys.list.iter().map(|key| self.name_text(key)).collect();
        if let Some(odd) = object.keys().find(|key| !texts.contains(key)) {
            return error(Code::IndexOutOfRange, at, format!("`{}` has no entry `{odd}`", shape.global.name));
        }
        let mut values = Vec::with_capacity(texts.len());
        for (key, text) in shape.keys.list.clone().iter().zip(&texts) {
            let value = object.get(text).map_or(Value::None, |value| self.json_value(shape.allowed, value));
            values.push(self.checked(shape, value, key, at)?);
        }
        Ok(values)
    }

    // ---- sizes ----

    /// A number without value that arrays' indices use: taken from the data of those arrays.
    fn size_from_data(&mut self, id: GlobalId, global: &Global) -> Res<Value> {
        let program = self.program;
        let mut found: Option<(i64, Span, Rc<str>)> = None;
        for (at, other) in program.globals.iter().enumerate() {
            let GlobalKind::Param(param) = &other.kind else { continue };
            let other_id = GlobalId(at as u32);
            if !param.sized_by.contains(&id) || self.sizing.contains(&other_id) {
                continue;
            }
            let Some(supply) = self.supply(other_id) else { continue };
            self.sizing.push(other_id);
            let size = self.size_of(id, param, &supply);
            self.sizing.pop();
            let Some(size) = size? else { continue };
            match &found {
                Some((known, span, name)) if *known != size => {
                    return Err(Diagnostic::error(
                        Code::Picture,
                        format!("`{}` is {known} by `{name}` and {size} by `{}`", global.name, other.name),
                    )
                    .at(other.span, "")
                    .at(*span, "")
                    .help("the sizes of the two must agree")
                    .into());
                }
                Some(_) => {}
                None => found = Some((size, other.span, other.name.clone())),
            }
        }
        match found {
            Some((size, _, _)) => Ok(Value::Int(size)),
            None => Err(Diagnostic::error(
                Code::MissingParameter,
                format!("no value for the parameter `{}`", global.name),
            )
            .at(global.span, "")
            .help(format!(
                "it can be told: `-D {}=…`, or come from a picture or list whose index uses it",
                global.name
            ))
            .into()),
        }
    }

    /// The value of `id` that fits one array's data; `None` where the data tell no size.
    fn size_of(&mut self, id: GlobalId, param: &ParamIr, supply: &Supply) -> Res<Option<i64>> {
        let n = param.dims.len();
        let shapes: Vec<Vec<usize>> = match supply {
            Supply::Literal { text, .. } => picture_shapes(param, text, n),
            Supply::Raw { text, at } => {
                if text.trim_start().starts_with(['[', '{', '"']) {
                    let value = self.parsed(text, *at)?;
                    value_shape(&value, n).into_iter().collect()
                } else {
                    picture_shapes(param, text, n)
                }
            }
            Supply::Value(body) => {
                let value = self.body(body)?;
                match &value {
                    Value::Str(text) => picture_shapes(param, text, n),
                    value => value_shape(value, n).into_iter().collect(),
                }
            }
            Supply::Json { value, .. } => match value {
                serde_json::Value::String(text) => picture_shapes(param, text, n),
                value => {
                    let any = Allowed { kind: Kind::Any, optional: true };
                    value_shape(&self.json_value(&any, value), n).into_iter().collect()
                }
            },
        };
        let mut fallback = None;
        for shape in shapes {
            let size = self.fitting(id, param, &shape)?;
            if size.is_some() {
                // a reading is believed when it fits the whole index, or no later reading does
                if self.fits_index(id, size, param, &shape)? {
                    return Ok(size);
                }
                fallback = fallback.or(size);
            }
        }
        Ok(fallback)
    }

    /// The least size with which the dimension that `id` governs has the observed length.
    fn fitting(&mut self, id: GlobalId, param: &ParamIr, shape: &[usize]) -> Res<Option<i64>> {
        let total: usize = shape.iter().product();
        let one_line = shape.len() > 1 && shape[0] == 1;
        let limit = shape.iter().copied().max().unwrap_or(0) as i64 + 2;
        if one_line && param.dims.len() > 1 && param.sized_by.iter().all(|other| *other == id) {
            for size in 0..=limit {
                if let Some(lengths) = self.lengths(id, size, param)?
                    && lengths.iter().all(Option::is_some)
                    && lengths.iter().flatten().product::<usize>() == total
                {
                    return Ok(Some(size));
                }
                // a product of two grows faster than its root is looked for
                if size > MOST_TRIED && size.saturating_mul(size) > limit.saturating_mul(16) {
                    break;
                }
            }
            return Ok(None);
        }
        let Some(low) = self.lengths(id, 0, param)? else { return Ok(None) };
        // an index is nearly always `n`, `n ± 1`, `n ± 2` or about `2 * n`: large sizes are guessed, not counted up to
        let sizes: Vec<i64> = if limit <= MOST_TRIED {
            (0..=limit).collect()
        } else {
            let near = |seen: i64| (seen - 4..=seen + 4).chain(seen / 2 - 2..=seen / 2 + 2);
            let mut sizes: Vec<i64> = shape.iter().flat_map(|seen| near(*seen as i64)).collect();
            sizes.retain(|size| (0..=limit).contains(size));
            sizes.extend(0..=MOST_TRIED);
            sizes.sort_unstable();
            sizes.dedup();
            sizes
        };
        for size in sizes {
            let Some(lengths) = self.lengths(id, size, param)? else { return Ok(None) };
            let Some(other) = self.lengths(id, size + 1, param)? else { return Ok(None) };
            for (at, length) in lengths.iter().enumerate() {
                let governs = other[at] != lengths[at] || low[at] != lengths[at];
                if governs && *length == shape.get(at).copied() && length.is_some() {
                    return Ok(Some(size));
                }
            }
        }
        Ok(None)
    }

    fn fits_index(&mut self, id: GlobalId, size: Option<i64>, param: &ParamIr, shape: &[usize]) -> Res<bool> {
        let Some(size) = size else { return Ok(false) };
        let Some(lengths) = self.lengths(id, size, param)? else { return Ok(false) };
        let total: usize = shape.iter().product();
        let product: Option<usize> = lengths.iter().copied().product();
        Ok(lengths.iter().zip(shape).all(|(length, seen)| length.is_none_or(|length| length == *seen))
            || product == Some(total))
    }

    /// The lengths of the dimensions if `id` were `size`; `None` for one that other unknown sizes govern.
    fn lengths(&mut self, id: GlobalId, size: i64, param: &ParamIr) -> Res<Option<Vec<Option<usize>>>> {
        let saved = std::mem::replace(&mut self.globals[id.0 as usize], Slot::Done(Value::Int(size)));
        let mut lengths = Vec::with_capacity(param.dims.len());
        let mut stop = None;
        for dim in &param.dims {
            match self.dimension_items(dim) {
                Ok(items) => lengths.push(Some(items.len())),
                Err(fault) => {
                    if let Fault::Stop(reason) = *fault {
                        stop = Some(reason);
                    }
                    lengths.push(None);
                }
            }
        }
        self.globals[id.0 as usize] = saved;
        for at in 0..self.globals.len() {
            if self.program.global_deps[at].contains(&id) && matches!(self.globals[at], Slot::Done(_)) {
                self.globals[at] = Slot::Unset;
            }
        }
        match stop {
            Some(reason) => Err(reason.into()),
            None => Ok(Some(lengths)),
        }
    }
}

struct Shape<'a> {
    global: &'a Global,
    param: &'a ParamIr,
    allowed: &'a Allowed,
    keys: &'a Rc<Keys>,
    sizes: &'a [usize],
}

/// Rows and columns of the possible readings of a picture, the first reading first.
fn picture_shapes(param: &ParamIr, text: &str, dims: usize) -> Vec<Vec<usize>> {
    use super::ir::DomainIr;
    let cuts: &[Cut] = match &param.domain {
        Some(DomainIr::Text) => &[Cut::Characters],
        Some(DomainIr::Word) => &[Cut::Words, Cut::FramedWords],
        _ => &[Cut::Either, Cut::Framed],
    };
    let mut shapes = Vec::new();
    let framed =
        text.lines().any(|line| !line.trim().is_empty() && line.trim().chars().all(picture::is_frame))
            || text.contains('|');
    for cut in if framed && cuts.len() > 1 { [cuts[1], cuts[0]] } else { [cuts[0], cuts[cuts.len() - 1]] } {
        let rows = picture::rows(text, cut);
        let total: usize = rows.iter().map(Vec::len).sum();
        match dims {
            1 => shapes.push(vec![total]),
            _ => {
                let width = rows.first().map_or(0, Vec::len);
                shapes.push(vec![rows.len(), width]);
            }
        }
    }
    // a ragged reading loses against a rectangular one
    let ragged = |cut: Cut| {
        let rows = picture::rows(text, cut);
        rows.windows(2).any(|pair| pair[0].len() != pair[1].len())
    };
    if cuts.len() > 1 && dims > 1 {
        let order = if framed { [cuts[1], cuts[0]] } else { [cuts[0], cuts[1]] };
        if ragged(order[0]) && !ragged(order[1]) {
            shapes.reverse();
        }
    }
    shapes
}

/// The lengths of nested lists.
fn value_shape(value: &Value, dims: usize) -> Option<Vec<usize>> {
    let mut shape = Vec::new();
    let mut at = value.clone();
    for _ in 0..dims {
        let items = match &at {
            Value::List(items) | Value::Tuple(items) => items.clone(),
            _ => return None,
        };
        shape.push(items.len());
        match items.first() {
            Some(first) => at = first.clone(),
            None => break,
        }
    }
    (shape.len() == dims).then_some(shape)
}

fn count(n: usize, what: &str) -> String {
    match (n, what) {
        (1, what) => format!("1 {what}"),
        (n, "entry") => format!("{n} entries"),
        (n, what) => format!("{n} {what}s"),
    }
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
