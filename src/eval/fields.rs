//! Parameters and variables as a person fills them in: names of entries, allowed values, current values as text; and
//! new values as items of a data file.
//!
//! In: a program with its data, and texts of entries. Out: [`Field`]s, or the right sides of `name = value`. Every
//! printed value is read back as the same value. Knows nothing of boards; `places` finds where a field is drawn.

use super::domain::{Allowed, Kind};
use super::fault::{Fault, Res};
use super::ir::{Global, GlobalId, GlobalKind, ParamIr, Supply};
use super::run::Eval;
use super::value::{Keys, Map, Value};
use crate::diag::{Code, Diagnostic};
use crate::render::Spot;
use crate::shared::{FileId, Span};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A parameter or a variable of the model.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Field {
    /// Its name.
    pub name: String,
    /// The kind of its values: `values`, `bool`, `int`, `text`, `word`, `list` or `any`.
    pub kind: &'static str,
    /// May an entry have no value?
    pub optional: bool,
    /// Has it several entries?
    pub array: bool,
    /// Rows and columns, if its entries form a grid.
    pub grid: Option<(usize, usize)>,
    /// Is there no value, or none that can be read? Then there are no entries.
    pub missing: bool,
    /// Lists of values that entries may have, as text, in the order of their positions.
    pub choices: Vec<Vec<String>>,
    /// The entries in the order of their keys.
    pub entries: Vec<FieldEntry>,
}

/// An entry of a parameter or variable.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct FieldEntry {
    /// Its name in model syntax: `clue[1, 2]`.
    pub name: String,
    /// Its value as text, empty for none.
    pub text: String,
    /// The number of its list of [`Field::choices`].
    pub choices: usize,
    /// The number of the drawing that shows it, and the place there.
    pub place: Option<(usize, Spot)>,
}

/// A new text for an entry.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    /// The name of the parameter.
    pub parameter: &'a str,
    /// The number of the entry, 0 for a single value.
    pub entry: usize,
    /// The text, as in a picture; empty for none.
    pub text: &'a str,
    /// The source of the text.
    pub file: FileId,
}

/// Longer lists of values are not offered.
const MOST_CHOICES: usize = 512;

impl Eval<'_> {
    /// All parameters of the model, as far as they have values. Numbers of places are not set.
    pub fn parameters(&mut self) -> Result<Vec<Field>, Diagnostic> {
        let program = self.program;
        let mut fields = Vec::new();
        for (at, global) in program.globals.iter().enumerate() {
            if let GlobalKind::Param(param) = &global.kind
                && !program.in_library(global.span.file)
            {
                fields.push(self.parameter_field(GlobalId(at as u32), global, param)?);
            }
        }
        Ok(fields)
    }

    fn parameter_field(
        &mut self,
        id: GlobalId,
        global: &Global,
        param: &ParamIr,
    ) -> Result<Field, Diagnostic> {
        let mut field = Field {
            name: global.name.to_string(),
            kind: "any",
            optional: param.optional,
            array: !param.dims.is_empty(),
            grid: None,
            missing: true,
            choices: vec![Vec::new()],
            entries: Vec::new(),
        };
        let value = self.global(id, global.span);
        let allowed = self.frame(param.slots, |this| this.allowed(param));
        let (value, allowed) = match (value, allowed) {
            (Err(fault), _) | (_, Err(fault)) if matches!(*fault, Fault::Stop(_)) => {
                return Err(fault.into_diagnostic());
            }
            (value, Ok(allowed)) => (value.ok(), allowed),
            _ => return Ok(field),
        };
        field.kind = allowed.kind.name();
        field.choices = vec![self.choices(&allowed)];
        let entry = |name: String, text: String| FieldEntry { name, text, ..FieldEntry::default() };
        match value {
            None => return Ok(field),
            Some(Value::Map(map)) if field.array => {
                field.grid = self.grid_of(param, &map.keys);
                for (key, value) in map.iter() {
                    let name = format!("{}[{}]", global.name, self.index_text(key));
                    field.entries.push(entry(name, self.entry_text(&allowed, value)));
                }
            }
            Some(value) => field.entries.push(entry(field.name.clone(), self.entry_text(&allowed, &value))),
        }
        field.missing = false;
        Ok(field)
    }

    /// All variables of the model, without values. They must be declared.
    pub fn variables(&self) -> Vec<Field> {
        let mut fields = Vec::new();
        for array in &self.vars {
            let mut lists: FxHashMap<*const Value, usize> = FxHashMap::default();
            let mut choices: Vec<Vec<String>> = Vec::new();
            let mut entries = Vec::with_capacity(array.len());
            let mut bools = true;
            for at in 0..array.len() {
                let domain = array.domain(at);
                let list = *lists.entry(domain.as_ptr()).or_insert_with(|| {
                    bools &= domain.iter().all(|value| matches!(value, Value::Bool(_)));
                    let text = |value: &Value| match value {
                        Value::Member(_) => self.text_of(value),
                        value => self.name_text(value),
                    };
                    choices.push(domain.iter().map(text).collect());
                    choices.len() - 1
                });
                let name = self.entry_name(array, at);
                entries.push(FieldEntry { name, choices: list, ..FieldEntry::default() });
            }
            let grid = array.keys.as_ref().and_then(|keys| keys.grid());
            fields.push(Field {
                name: array.name.to_string(),
                kind: if bools { "bool" } else { "values" },
                optional: true,
                array: array.keys.is_some(),
                grid: grid.map(|(_, rows, _, columns)| (rows as usize, columns as usize)),
                missing: false,
                choices,
                entries,
            });
        }
        fields
    }

    fn grid_of(&self, param: &ParamIr, keys: &Keys) -> Option<(usize, usize)> {
        let (_, rows, _, columns) = keys.grid().filter(|_| param.dims.len() == 2)?;
        Some((rows as usize, columns as usize))
    }

    fn choices(&self, allowed: &Allowed) -> Vec<String> {
        match &allowed.kind {
            Kind::Bool => vec!["#".into(), ".".into()],
            Kind::Values { list, .. } if list.len() <= MOST_CHOICES => list
                .iter()
                .filter(|value| !matches!(value, Value::None))
                .map(|value| self.entry_text(allowed, value))
                .collect(),
            _ => Vec::new(),
        }
    }

    /// A value as a person writes it into a picture; in model syntax if a picture could not hold it.
    fn entry_text(&self, allowed: &Allowed, value: &Value) -> String {
        let text = match value {
            Value::None => return String::new(),
            Value::Bool(on) => return if *on { "#".into() } else { ".".into() },
            Value::Str(text) if matches!(allowed.kind, Kind::Text | Kind::Word | Kind::Any) => {
                return text.to_string();
            }
            value => self.text_of(value),
        };
        match allowed.entry(&text) {
            Some(read) if read == *value => text,
            _ => self.name_literal(value),
        }
    }

    /// The items of a data file that change these entries: each a name, and what stands right of `=`. A new size
    /// changes the arrays over it: entries whose keys stay keep their values.
    pub fn entered(&mut self, changes: &[Change<'_>]) -> Result<Vec<(String, String)>, Diagnostic> {
        self.enter(changes).map_err(|fault| fault.into_diagnostic())
    }

    fn enter(&mut self, changes: &[Change<'_>]) -> Res<Vec<(String, String)>> {
        let program = self.program;
        let mut single: Vec<GlobalId> = Vec::new();
        let mut arrays: Vec<GlobalId> = Vec::new();
        let mut known: FxHashMap<GlobalId, Rc<Map>> = FxHashMap::default();
        for change in changes {
            let at = Span::new(change.file, 0, change.text.len());
            let id = program.parameter(change.parameter, at).map_err(Fault::Error)?;
            let is_array = matches!(&program.globals[id.0 as usize].kind, GlobalKind::Param(param) if !param.dims.is_empty());
            if is_array { &mut arrays } else { &mut single }.push(id);
        }
        arrays.extend(program.affected(single.iter().copied()));
        arrays.sort_unstable();
        arrays.dedup();
        arrays.retain(|id| match &program.globals[id.0 as usize].kind {
            GlobalKind::Param(param) => !param.dims.is_empty(),
            _ => false,
        });
        for id in &arrays {
            if self.supply(*id).is_some()
                && let Value::Map(map) = self.global(*id, program.globals[id.0 as usize].span)?
            {
                known.insert(*id, map);
            }
        }
        let mut items = Vec::new();
        for change in changes {
            let at = Span::new(change.file, 0, change.text.len());
            let id = program.parameter(change.parameter, at).map_err(Fault::Error)?;
            let global = &program.globals[id.0 as usize];
            if let GlobalKind::Param(param) = &global.kind
                && param.dims.is_empty()
            {
                let value = self.frame(param.slots, |this| {
                    let allowed = this.allowed(param)?;
                    let value = this.entry_value(&allowed, change.text, at)?;
                    if allowed.has(&value) {
                        Ok(value)
                    } else {
                        this.outside(global, param, &allowed, &value, at, None)
                    }
                })?;
                // a size that the arrays' data tell needs no item
                let told = self.supply(id).is_none() && !arrays.is_empty();
                self.supply_with(id, Supply::Raw { text: self.name_literal(&value).into(), at });
                if !told {
                    items.push((global.name.to_string(), self.name_literal(&value)));
                }
            }
        }
        for id in arrays {
            let global = &program.globals[id.0 as usize];
            let GlobalKind::Param(param) = &global.kind else { continue };
            let old = known.get(&id);
            let text = self.frame(param.slots, |this| this.array_anew(global, param, old, changes))?;
            items.push((global.name.to_string(), text));
        }
        Ok(items)
    }

    /// The text of an array with changes; what was not there before is empty.
    fn array_anew(
        &mut self,
        global: &Global,
        param: &ParamIr,
        old: Option<&Rc<Map>>,
        changes: &[Change<'_>],
    ) -> Res<String> {
        let keys = Keys::new(self.index_keys(&param.dims, &mut |_, _| Ok(()))?);
        let allowed = self.allowed(param)?;
        let blank = allowed.blank();
        let kept = |key: &Value| old.and_then(|old| old.get(key)).filter(|value| allowed.has(value)).cloned();
        let mut values = Vec::with_capacity(keys.len());
        for key in keys.list.iter() {
            values.push(kept(key).or_else(|| blank.clone()).unwrap_or(Value::None));
        }
        for change in changes.iter().filter(|change| change.parameter == &*global.name) {
            let at = Span::new(change.file, 0, change.text.len());
            let value = self.entry_value(&allowed, change.text, at)?;
            let Some(key) = keys.list.get(change.entry) else {
                let message = format!("`{}` has {} entries", global.name, keys.len());
                return Err(Diagnostic::error(Code::IndexOutOfRange, message).at(at, "").into());
            };
            if !allowed.has(&value) {
                return self.outside(global, param, &allowed, &value, at, Some(key));
            }
            values[change.entry] = value;
        }
        Ok(self.array_text(param, &allowed, &keys, &values))
    }

    /// The value of a text for one entry of a parameter, if it may have it.
    pub(super) fn one_value(&mut self, param: &ParamIr, text: &str, at: Span) -> Option<Value> {
        let value = self.frame(param.slots, |this| {
            let allowed = this.allowed(param)?;
            let value = this.entry_value(&allowed, text, at)?;
            Ok(allowed.has(&value).then_some(value))
        });
        value.ok().flatten()
    }

    /// The value of a text that a person enters.
    fn entry_value(&mut self, allowed: &Allowed, text: &str, at: Span) -> Res<Value> {
        let trimmed = text.trim();
        if let (Kind::Text, false) = (&allowed.kind, text.is_empty()) {
            return Ok(Value::text(text));
        }
        if trimmed.is_empty() {
            let blank = if allowed.optional { Some(Value::None) } else { allowed.blank() };
            return Ok(blank.unwrap_or(Value::None));
        }
        if let Some(value) = allowed.entry(trimmed) {
            return Ok(value);
        }
        let value = match allowed.kind {
            // a list may be written as in a picture: `3 1`
            Kind::List if !trimmed.starts_with('[') => {
                let parts: Vec<&str> = trimmed.split([' ', ',']).filter(|part| !part.is_empty()).collect();
                self.parsed(&format!("[{}]", parts.join(", ")), at)?
            }
            _ => self.parsed(trimmed, at)?,
        };
        Ok(match (value, &allowed.kind) {
            (Value::Tuple(items), Kind::List) => Value::List(items),
            (value, _) => value,
        })
    }

    /// The right side of an item: a picture if one holds all values, else a list or a map.
    fn array_text(&self, param: &ParamIr, allowed: &Allowed, keys: &Keys, values: &[Value]) -> String {
        if let Some((rows, columns)) = self.grid_of(param, keys) {
            if let Some(picture) = self.picture_text(allowed, columns, values) {
                return picture;
            }
            if rows > 0 && columns > 0 {
                let lines = values.chunks(columns).map(|row| self.list_text(row));
                return format!("[{}]", lines.collect::<Vec<_>>().join(",\n  "));
            }
        }
        if param.dims.len() == 1 && keys.list.iter().all(|key| matches!(key, Value::Int(_))) {
            return self.list_text(values);
        }
        let entry = |(key, value)| format!("{}: {}", self.name_literal(key), self.name_literal(value));
        let pairs = keys.list.iter().zip(values);
        let given = pairs.filter(|(_, value)| !(param.optional && matches!(value, Value::None)));
        format!("{{{}}}", given.map(entry).collect::<Vec<_>>().join(", "))
    }

    fn list_text(&self, values: &[Value]) -> String {
        let texts: Vec<String> = values.iter().map(|value| self.name_literal(value)).collect();
        format!("[{}]", texts.join(", "))
    }

    fn picture_text(&self, allowed: &Allowed, columns: usize, values: &[Value]) -> Option<String> {
        let together = matches!(allowed.kind, Kind::Text);
        let mut texts = Vec::with_capacity(values.len());
        for value in values {
            let text = match value {
                Value::None => ".".to_owned(),
                value => self.entry_text(allowed, value),
            };
            let parts =
                if together { text.chars().count() != 1 } else { text.chars().any(char::is_whitespace) };
            if text.is_empty() || parts || text.contains('"') || allowed.entry(&text).as_ref() != Some(value)
            {
                return None;
            }
            texts.push(text);
        }
        // a line without blanks is read by characters
        if columns == 1
            && !matches!(allowed.kind, Kind::Word)
            && texts.iter().any(|text| text.chars().count() > 1)
        {
            return None;
        }
        let widest = texts.iter().map(|text| text.chars().count()).max()?;
        let mut picture = String::from("\"\"\"\n");
        for row in texts.chunks(columns.max(1)) {
            for (at, text) in row.iter().enumerate() {
                if !together {
                    picture.push_str(if at > 0 { " " } else { "" });
                    picture.extend(std::iter::repeat_n(' ', widest - text.chars().count()));
                }
                picture.push_str(text);
            }
            picture.push('\n');
        }
        Some(picture + "\"\"\"")
    }
}

impl Allowed {
    /// The value of an entry that nobody filled in.
    fn blank(&self) -> Option<Value> {
        if self.has(&Value::None) {
            return Some(Value::None);
        }
        Some(match &self.kind {
            Kind::Any => Value::None,
            Kind::Bool => Value::Bool(false),
            Kind::Int => Value::Int(0),
            Kind::Text => Value::text(" "),
            Kind::Word => Value::text("A"),
            Kind::List => Value::list(Vec::new()),
            Kind::Values { list, .. } => return list.first().cloned(),
        })
    }
}

impl Kind {
    fn name(&self) -> &'static str {
        match self {
            Kind::Any => "any",
            Kind::Bool => "bool",
            Kind::Int => "int",
            Kind::Text => "text",
            Kind::Word => "word",
            Kind::List => "list",
            Kind::Values { .. } => "values",
        }
    }
}
