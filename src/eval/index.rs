//! Indexing: one entry, several entries, slices, parts, and the element constraint.

use super::fault::{Fault, Res, error, mismatch, undefined, undefined_with, unknown};
use super::ir::Part;
use super::ops::Num;
use super::run::{Eval, Mode};
use super::value::{Held, Value};
use crate::diag::Code;
use crate::model::{Bool, IntNode};
use crate::shared::Span;
use rustc_hash::FxHashSet;

/// An evaluated part of an index.
enum Wanted {
    Key(Value),
    All,
    Slice(Option<i64>, Option<i64>),
}

impl Eval<'_> {
    /// `base[…]`. The entry may be held ([`super::value::Held`]): it must be defined only where it is used.
    pub(super) fn index(&mut self, base: Value, parts: &[Part], span: Span) -> Res<Value> {
        if let [Part::At(node)] = parts {
            let key = self.eval(node)?;
            return self.entry_at(&base, &key, span);
        }
        let mut wanted = Vec::with_capacity(parts.len());
        for part in parts {
            wanted.push(match part {
                Part::At(node) => Wanted::Key(self.eval(node)?),
                Part::All => Wanted::All,
                Part::Slice(from, to) => {
                    let from = from.as_ref().map(|node| self.known(node, "the end of a part")).transpose()?;
                    let to = to.as_ref().map(|node| self.known(node, "the end of a part")).transpose()?;
                    Wanted::Slice(from, to)
                }
            });
        }
        if let [Wanted::Slice(from, to)] = wanted[..] {
            return self.part_of(&base, from, to, span);
        }
        if wanted.iter().all(|part| matches!(part, Wanted::Key(_))) {
            let key = wanted
                .into_iter()
                .map(|part| match part {
                    Wanted::Key(key) => key,
                    _ => Value::None,
                })
                .collect();
            return self.entry_at(&base, &Value::tuple(key), span);
        }
        self.slice(&base, &wanted, span)
    }

    /// `base[key]`.
    pub fn entry_at(&mut self, base: &Value, key: &Value, span: Span) -> Res<Value> {
        if key.holds_back() && !matches!(key, Value::List(_)) {
            let key = self.complete(key)?;
            return self.entry_at(base, &key, span);
        }
        match self.entry_of(base, key, span) {
            // a boolean entry is itself the smallest boolean expression: it is false where the entry does not
            // exist
            Err(fault)
                if self.mode != Mode::Ground
                    && matches!(*fault, Fault::Undefined(_))
                    && self.of_booleans(base) == Bool::TRUE =>
            {
                Ok(Value::Bool(false))
            }
            result => result,
        }
    }

    /// Several entries, each looked up separately.
    fn entries_at(&mut self, base: &Value, keys: &[Value], span: Span) -> Res<Value> {
        self.walked(keys.len() as u64 + 1)?;
        self.room_for(keys.len())?;
        let entry = |key| self.hold(|this| this.entry_at(base, key, span));
        keys.iter().map(entry).collect::<Res<_>>().map(Value::List)
    }

    /// The condition that every entry is a boolean and that there is an entry.
    fn of_booleans(&mut self, base: &Value) -> Bool {
        match base {
            Value::Map(map) => self.all_booleans(&map.values),
            Value::List(items) | Value::Tuple(items) => self.all_booleans(items),
            _ => Bool::FALSE,
        }
    }

    fn all_booleans(&mut self, values: &[Value]) -> Bool {
        let known = |value: &Value| matches!(value, Value::Bool(_) | Value::Truth(_));
        match values {
            [] => Bool::FALSE,
            values if values.iter().all(known) => Bool::TRUE,
            values => {
                let parts: Vec<Bool> = values.iter().map(|value| self.is_boolean(value)).collect();
                self.model.arena.and(parts)
            }
        }
    }

    fn is_boolean(&mut self, value: &Value) -> Bool {
        match value {
            Value::Choice(choice) => {
                let mut parts = Vec::with_capacity(choice.arms.len());
                for (cond, arm) in &choice.arms {
                    let arm = self.is_boolean(arm);
                    parts.push(self.model.arena.and2(*cond, arm));
                }
                self.model.arena.or(parts)
            }
            Value::Held(held) => match &**held {
                Held::Where(defined, value) => {
                    let inner = self.is_boolean(value);
                    self.model.arena.and2(*defined, inner)
                }
                Held::Fault(_) => Bool::FALSE,
            },
            value => Bool::constant(matches!(value, Value::Bool(_) | Value::Truth(_))),
        }
    }

    fn entry_of(&mut self, base: &Value, key: &Value, span: Span) -> Res<Value> {
        match base {
            Value::Map(map) => match (map.get(key), key) {
                (Some(value), _) => Ok(value.clone()),
                (None, Value::List(list)) => self.entries_at(base, list, span),
                (None, key) if !key.is_known() => {
                    let keys = map.keys.list.clone();
                    self.element(&keys, &map.values, key, span)
                }
                (None, Value::None) => undefined(Code::TypeMismatch, span, "none is no index"),
                (None, key) => {
                    let text = self.text_of(key);
                    no_key(&text, key_help(key, map.keys.list.first()), span)
                }
            },
            Value::List(list) | Value::Tuple(list) => self.item_of(base, list, key, span),
            Value::Str(text) => self.letter_of(text, key, span),
            Value::Choice(choice) => {
                let mut arms = Vec::with_capacity(choice.arms.len());
                for (cond, arm) in &choice.arms {
                    if matches!(arm, Value::None) {
                        self.require(!*cond);
                        continue;
                    }
                    match self.branch(*cond, |this| this.entry_at(arm, key, span)) {
                        Ok(entry) => arms.push((*cond, entry)),
                        Err(fault) if matches!(*fault, Fault::Undefined(_)) => {
                            let missing = self.missing(*cond, arm);
                            arms.extend(missing);
                        }
                        Err(fault) => return Err(fault),
                    }
                }
                self.choose(arms, span)
            }
            Value::None => undefined(Code::TypeMismatch, span, "none has no entries"),
            other => error(Code::TypeMismatch, span, format!("{} cannot be indexed", other.kind())),
        }
    }

    /// An entry of `base`, which is the list or tuple `list`. A tuple as key leads into nested lists.
    fn item_of(&mut self, base: &Value, list: &[Value], key: &Value, span: Span) -> Res<Value> {
        let is_number = |arm: &Value| matches!(arm, Value::Int(_) | Value::Number(_) | Value::None);
        match key {
            Value::Int(i) => Ok(list[position(*i, list.len(), span)?].clone()),
            Value::List(keys) => self.entries_at(base, keys, span),
            Value::None => undefined(Code::TypeMismatch, span, "none is no index"),
            Value::Number(_) => self.element_of(list, key, span),
            Value::Choice(choice) if choice.arms.iter().all(|arm| is_number(&arm.1)) => {
                self.element_of(list, key, span)
            }
            Value::Tuple(parts) if parts.len() > 1 => {
                let inner = self.entry_at(base, &parts[0], span)?;
                let inner = self.used(inner)?;
                let rest = if parts.len() == 2 { parts[1].clone() } else { Value::Tuple(parts[1..].into()) };
                self.entry_at(&inner, &rest, span)
            }
            other => mismatch(
                span,
                format!("a list is indexed by a number, not {}", other.kind()),
                "the first is 1",
            ),
        }
    }

    fn letter_of(&mut self, text: &str, key: &Value, span: Span) -> Res<Value> {
        if matches!(key, Value::Bool(_) | Value::Truth(_)) {
            return mismatch(span, "a string is indexed by a number, not a boolean", "the first is 1");
        }
        let Num::Known(i) = self.to_num(key, span)? else {
            return unknown(span, "an index into a string must be known before solving");
        };
        let at = position(i, text.chars().count(), span)?;
        let found: String = text.chars().skip(at).take(1).collect();
        Ok(Value::Str(found.into()))
    }

    /// An entry of a list at an unknown number (or `none`).
    fn element_of(&mut self, list: &[Value], key: &Value, span: Span) -> Res<Value> {
        let keys: Vec<Value> = (1..=list.len() as i64).map(Value::Int).collect();
        self.element(&keys, list, key, span)
    }

    /// The element constraint: `values` at an unknown key.
    fn element(&mut self, keys: &[Value], values: &[Value], key: &Value, span: Span) -> Res<Value> {
        let mut arms: Vec<(Bool, Value)> = Vec::with_capacity(keys.len() + 1);
        for (candidate, value) in keys.iter().zip(values) {
            let cond = self.same(key, candidate, span)?;
            if cond != Bool::FALSE {
                arms.push((cond, value.clone()));
            }
        }
        if arms.is_empty() {
            self.one_comparable(key, keys, ("the index is", "every key"), span)?;
        }
        let inside = match self.possible(key, keys.len()) {
            Some(possible) if is_within(&possible, keys) => Bool::TRUE,
            _ => self.model.arena.or(arms.iter().map(|arm| arm.0).collect::<Vec<_>>()),
        };
        let booleans = self.all_booleans(values);
        match arms.first().cloned() {
            _ if booleans != Bool::FALSE => {
                let known = self.model.arena.or2(inside, booleans);
                self.require(known);
                arms.push((!inside, Value::Bool(false)));
            }
            Some((_, value)) => {
                self.require(inside);
                arms.push((!inside, value));
            }
            None => self.require(inside),
        }
        self.choose(arms, span)
    }

    /// Where `cond` holds, `base` has no such entry: the result is undefined, or false if the entries are
    /// booleans.
    fn missing(&mut self, cond: Bool, base: &Value) -> Option<(Bool, Value)> {
        let booleans = self.of_booleans(base);
        let known = self.model.arena.implies(cond, booleans);
        self.require(known);
        (booleans != Bool::FALSE).then_some((cond, Value::Bool(false)))
    }

    /// A superset of the values that an unknown key can have, by the domains of its variables; `None` if
    /// there are more than `most`.
    fn possible(&self, key: &Value, most: usize) -> Option<Vec<Value>> {
        let values: Vec<Value> = match key {
            known if known.is_known() => vec![known.clone()],
            Value::Number(int) => match self.model.arena.int_node(*int) {
                IntNode::Var(var) => {
                    self.model.ints(var).iter().take(most + 1).map(|i| Value::Int(*i)).collect()
                }
                _ => {
                    let (lo, hi) = self.model.arena.bounds(*int);
                    (lo..=hi).take(most + 1).map(Value::Int).collect()
                }
            },
            Value::Choice(choice) => {
                let mut values = Vec::new();
                for (_, arm) in &choice.arms {
                    values.extend(self.possible(arm, most)?);
                }
                values
            }
            Value::Tuple(parts) => {
                let mut tuples = vec![Vec::new()];
                for part in parts.iter() {
                    let values = self.possible(part, most)?;
                    if tuples.len().checked_mul(values.len())? > most {
                        return None;
                    }
                    let longer = |tuple: &Vec<Value>| {
                        let values = values.clone();
                        let tuple = tuple.clone();
                        values.into_iter().map(move |value| [&tuple[..], &[value]].concat())
                    };
                    tuples = tuples.iter().flat_map(longer).collect();
                }
                tuples.into_iter().map(|tuple| Value::Tuple(tuple.into())).collect()
            }
            _ => return None,
        };
        (values.len() <= most).then_some(values)
    }

    /// `base[from..to]`: a substring of a string, entries of a list by position, entries of a one-dimensional
    /// array by key.
    fn part_of(&mut self, base: &Value, from: Option<i64>, to: Option<i64>, span: Span) -> Res<Value> {
        match base {
            Value::Str(text) => {
                let count = text.chars().count();
                let (skip, take) = clamp(from, to, count);
                Ok(Value::Str(text.chars().skip(skip).take(take).collect::<String>().into()))
            }
            Value::List(list) | Value::Tuple(list) => {
                let (skip, take) = clamp(from, to, list.len());
                Ok(Value::List(list[skip..skip + take].into()))
            }
            Value::Map(map) => {
                let mut items = Vec::new();
                for (key, value) in map.iter() {
                    match key {
                        Value::Int(i) => {
                            if from.is_none_or(|from| from <= *i) && to.is_none_or(|to| *i <= to) {
                                items.push(value.clone());
                            }
                        }
                        _ => {
                            return error(
                                Code::TypeMismatch,
                                span,
                                "parts are taken of arrays with one dimension of numbers",
                            );
                        }
                    }
                }
                Ok(Value::list(items))
            }
            other => error(Code::TypeMismatch, span, format!("no part can be taken of {}", other.kind())),
        }
    }

    /// `x[r, *]`, `x[1..2, c]`: the entries with matching keys, as a list.
    fn slice(&mut self, base: &Value, wanted: &[Wanted], span: Span) -> Res<Value> {
        let Value::Map(map) = base else {
            return error(
                Code::TypeMismatch,
                span,
                format!("only arrays can be sliced, this is {}", base.kind()),
            );
        };
        for part in wanted {
            if let Wanted::Key(key) = part
                && !key.is_known()
            {
                return unknown(span, "an index beside `*` must be known before solving");
            }
        }
        if let (Some((row, rows, column, columns)), [a, b]) = (map.keys.grid(), wanted)
            && let (Some(rs), Some(cs)) = (span_of(a, row, rows), span_of(b, column, columns))
        {
            if rs.is_empty() && matches!(a, Wanted::Key(_)) || cs.is_empty() && matches!(b, Wanted::Key(_)) {
                return no_key("…, *", ABSENT, span);
            }
            let mut items = Vec::with_capacity((rs.clone().count()) * (cs.clone().count()));
            for r in rs {
                for c in cs.clone() {
                    items.push(map.values[((r - row) * columns + (c - column)) as usize].clone());
                }
            }
            return Ok(Value::list(items));
        }
        let mut items = Vec::new();
        for (key, value) in map.iter() {
            let Value::Tuple(parts) = key else {
                if let ([Wanted::All], _) = (wanted, key) {
                    items.push(value.clone());
                    continue;
                }
                return error(Code::TypeMismatch, span, "this array has one dimension");
            };
            if parts.len() != wanted.len() {
                return error(
                    Code::TypeMismatch,
                    span,
                    format!("this array has {} dimensions, the index {}", parts.len(), wanted.len()),
                );
            }
            let fits = parts.iter().zip(wanted).all(|(part, wanted)| match (wanted, part) {
                (Wanted::All, _) => true,
                (Wanted::Key(key), part) => key == part,
                (Wanted::Slice(from, to), Value::Int(i)) => {
                    from.is_none_or(|from| from <= *i) && to.is_none_or(|to| *i <= to)
                }
                _ => false,
            });
            if fits {
                items.push(value.clone());
            }
        }
        Ok(Value::list(items))
    }
}

fn is_within(values: &[Value], keys: &[Value]) -> bool {
    let keys: FxHashSet<&Value> = keys.iter().collect();
    values.iter().all(|value| keys.contains(value))
}

/// The numbers that a part selects in one dimension; `None` if the part is no number.
fn span_of(part: &Wanted, lo: i64, count: i64) -> Option<std::ops::RangeInclusive<i64>> {
    let hi = lo + (count - 1);
    match part {
        Wanted::All => Some(lo..=hi),
        Wanted::Key(Value::Int(i)) if (lo..=hi).contains(i) => Some(*i..=*i),
        Wanted::Key(Value::Int(_)) =>
        {
            #[allow(clippy::reversed_empty_ranges)]
            Some(1..=0)
        }
        Wanted::Key(_) => None,
        Wanted::Slice(from, to) => Some(from.unwrap_or(lo).max(lo)..=to.unwrap_or(hi).min(hi)),
    }
}

/// How many entries of `len` to skip and how many to take for `from..to` (from 1, ends included).
fn clamp(from: Option<i64>, to: Option<i64>, len: usize) -> (usize, usize) {
    let skip = from.map_or(0, |from| from.saturating_sub(1).clamp(0, len as i64) as usize);
    let end = to.map_or(len, |to| to.clamp(0, len as i64) as usize);
    (skip, end.saturating_sub(skip))
}

/// The position in a list of `len` for an index that counts from 1.
fn position(i: i64, len: usize, span: Span) -> Res<usize> {
    match usize::try_from(i).ok().filter(|i| (1..=len).contains(i)) {
        Some(at) => Ok(at - 1),
        None => {
            let message = format!("index {i} is outside 1..{len}");
            match i {
                0 => undefined_with(Code::IndexOutOfRange, span, message, FROM_ONE),
                _ => undefined(Code::IndexOutOfRange, span, message),
            }
        }
    }
}

const FROM_ONE: &str = "counting starts at 1";
const ABSENT: &str = "`get(a, k, otherwise)` gives another value for a missing key";

/// How to mend a missing key of an array whose first key is `first`.
fn key_help(key: &Value, first: Option<&Value>) -> &'static str {
    match (key, first) {
        (Value::Int(_), Some(Value::Tuple(_))) => {
            "an entry has all its indices in one bracket: `x[r, c]`; a row is `x[r, *]`"
        }
        (Value::Int(0), Some(Value::Int(1))) => FROM_ONE,
        _ => ABSENT,
    }
}

/// The fault for a missing key.
fn no_key<T>(key: &str, help: &str, span: Span) -> Res<T> {
    undefined_with(Code::IndexOutOfRange, span, format!("there is no entry `{key}`"), help)
}
