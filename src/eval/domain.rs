//! Domains of parameters: the allowed values, and the value of an entry's text.

use super::fault::Res;
use super::ir::{DomainIr, ParamIr};
use super::picture::Cut;
use super::run::Eval;
use super::value::{Keys, Value};
use crate::render::{Data, json};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A parameter's domain, evaluated.
pub struct Allowed {
    pub kind: Kind,
    pub optional: bool,
}

pub enum Kind {
    /// No domain given.
    Any,
    Bool,
    Int,
    Text,
    Word,
    List,
    Values {
        list: Rc<[Value]>,
        keys: Rc<Keys>,
        /// Strings, members and other entries, by their text.
        by_text: FxHashMap<Rc<str>, Value>,
        /// Entries other than numbers, by their JSON text.
        by_json: FxHashMap<String, Value>,
        numbers: bool,
    },
}

impl Eval<'_> {
    pub(super) fn allowed(&mut self, param: &ParamIr) -> Res<Allowed> {
        let kind = match &param.domain {
            None => Kind::Any,
            Some(DomainIr::Bool) => Kind::Bool,
            Some(DomainIr::Int) => Kind::Int,
            Some(DomainIr::Text) => Kind::Text,
            Some(DomainIr::Word) => Kind::Word,
            Some(DomainIr::List) => Kind::List,
            Some(DomainIr::Values(node)) => {
                let value = self.eval(node)?;
                let list = self.to_list(&value, node.span)?;
                self.kind_of(list)
            }
        };
        Ok(Allowed { kind, optional: param.optional })
    }

    /// The domain of these values.
    pub(super) fn kind_of(&self, list: Rc<[Value]>) -> Kind {
        let mut by_text: FxHashMap<Rc<str>, Value> = FxHashMap::default();
        let mut by_json = FxHashMap::default();
        let mut numbers = false;
        for item in list.iter() {
            if !matches!(item, Value::Int(_)) {
                by_json.entry(json(&self.data(item))).or_insert_with(|| item.clone());
            }
            match item {
                Value::Int(_) => numbers = true,
                Value::Member(member) => {
                    let (name, glyph) =
                        &self.program.enums[member.of as usize].members[member.index as usize];
                    for text in glyph.iter().chain([name]) {
                        by_text.entry(text.clone()).or_insert_with(|| item.clone());
                    }
                }
                other => {
                    let text = self.name_text(other);
                    by_text.entry(text.into()).or_insert_with(|| item.clone());
                }
            }
        }
        let keys = Rc::new(Keys::new(list.clone()));
        Kind::Values { list, keys, by_text, by_json, numbers }
    }
}

impl Allowed {
    /// How pictures of this domain are cut into entries: the first reading, then the one that skips frames.
    pub fn cuts(&self) -> &'static [Cut] {
        match self.kind {
            Kind::Text => &[Cut::Characters],
            Kind::Word => &[Cut::Words, Cut::FramedWords],
            _ => &[Cut::Either, Cut::Framed],
        }
    }

    /// Is the value allowed?
    pub fn has(&self, value: &Value) -> bool {
        match (&self.kind, value) {
            (Kind::Values { keys, .. }, value) if keys.contains(value) => true,
            (_, Value::None) => self.optional || matches!(self.kind, Kind::Any),
            (Kind::Any, _) => true,
            (Kind::Bool, Value::Bool(_)) | (Kind::Int, Value::Int(_)) => true,
            (Kind::Text | Kind::Word, Value::Str(_)) => true,
            (Kind::List, Value::List(_) | Value::Tuple(_)) => true,
            _ => false,
        }
    }

    /// The value of an entry that a map leaves out.
    pub fn left_out(&self) -> Value {
        match self.kind {
            Kind::Bool if !self.optional => Value::Bool(false),
            Kind::List if !self.optional => Value::List(Rc::from([])),
            _ => Value::None,
        }
    }

    /// The value with this JSON form.
    pub fn written(&self, data: &Data) -> Option<Value> {
        match &self.kind {
            Kind::Values { by_json, .. } => by_json.get(&json(data)).cloned(),
            _ => None,
        }
    }

    /// The value of an entry with this text.
    pub fn entry(&self, text: &str) -> Option<Value> {
        let value = match &self.kind {
            Kind::Any => number(text).map(Value::Int).or_else(|| Some(Value::text(text))),
            Kind::Bool => match text {
                "#" | "1" => Some(Value::Bool(true)),
                "." | "0" => Some(Value::Bool(false)),
                _ => None,
            },
            Kind::Int => number(text).map(Value::Int),
            Kind::Text | Kind::Word => {
                if self.optional && is_none(text) {
                    return Some(Value::None);
                }
                Some(Value::text(text))
            }
            Kind::List => None,
            Kind::Values { keys, by_text, .. } => by_text
                .get(text)
                .cloned()
                .or_else(|| number(text).map(Value::Int).filter(|value| keys.contains(value))),
        };
        match value {
            Some(value) => Some(value),
            None if self.optional && (is_none(text) || text == "0" && self.has_numbers()) => {
                Some(Value::None)
            }
            None => None,
        }
    }

    fn has_numbers(&self) -> bool {
        matches!(self.kind, Kind::Int | Kind::Values { numbers: true, .. })
    }

    /// The expected values, for messages.
    pub fn expected(&self, eval: &Eval<'_>) -> String {
        let mut text = match &self.kind {
            Kind::Any => "any value".to_string(),
            Kind::Bool => "`#` or `1` for true, `.` or `0` for false".into(),
            Kind::Int => "a number".into(),
            Kind::Text => "a string".into(),
            Kind::Word => "a word".into(),
            Kind::List => "a list".into(),
            Kind::Values { list, .. } => {
                let ints: Vec<i64> =
                    list.iter().filter_map(|v| if let Value::Int(i) = v { Some(*i) } else { None }).collect();
                let contiguous = ints.len() > 2 && ints.windows(2).all(|pair| pair[1] == pair[0] + 1);
                let mut parts: Vec<String> = Vec::new();
                if contiguous {
                    parts.push(format!("{}..{}", ints[0], ints[ints.len() - 1]));
                }
                for value in
                    list.iter().filter(|value| !(contiguous && matches!(value, Value::Int(_)))).take(20)
                {
                    parts.push(match value {
                        Value::Member(_) => format!("`{}`", eval.text_of(value)),
                        value => eval.literal_of(value),
                    });
                }
                if list.len() > 20 + ints.len() {
                    parts.push("…".into());
                }
                if parts.is_empty() { "nothing: the domain is empty".into() } else { parts.join(", ") }
            }
        };
        if self.optional {
            text.push_str(", or `.` for none");
        }
        text
    }
}

/// `.` `_` `*` `?` and blanks.
fn is_none(text: &str) -> bool {
    matches!(text, "." | "_" | "*" | "?") || text.trim().is_empty()
}

/// A number; a single letter counts from `A` = 10.
fn number(text: &str) -> Option<i64> {
    let mut chars = text.chars();
    if let (Some(c), None) = (chars.next(), chars.next())
        && c.is_ascii_alphabetic()
    {
        return Some(i64::from(c.to_ascii_uppercase() as u8 - b'A') + 10);
    }
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}
