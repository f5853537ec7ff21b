//! Which values can be equal at all, by their kinds.
//!
//! In: two compared values that are never equal. Out: a fault if this follows from their kinds alone and one
//! of the values is unknown: such a comparison is false in every puzzle, so it is a mistake. Between known
//! values the data may be the cause, so the comparison is just false.

use super::fault::{Res, mismatch};
use super::run::{Eval, Mode};
use super::value::Value;
use crate::shared::Span;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The largest number of kinds in a message.
const NAMED: usize = 3;
const NEVER: &str =
    "they are never equal; compare an entry, or values of one kind (anything may be compared with `none`)";
const ONE_FOR_ALL: &str =
    "they are never equal; compare entries: `count(v = 1 for v in x)`, `all(v = 1 for v in x)`, `x[1] = 1`";

impl Eval<'_> {
    /// A fault if `a = b` is false by the kinds alone and one of the two is unknown.
    pub fn comparable(&self, a: &Value, b: &Value, span: Span) -> Res<()> {
        if self.mode != Mode::Ground || a.is_known() && b.is_known() || can_be_equal(a, b, false) {
            return Ok(());
        }
        let is_text = |value: &Value| matches!(value, Value::Str(_));
        let is_number = |value: &Value| matches!(value, Value::Int(_) | Value::Number(_));
        let is_array = |value: &Value| matches!(value, Value::Map(_) | Value::List(_));
        if is_array(a) && !is_array(b) || is_array(b) && !is_array(a) {
            let (a, b) = (self.kinds_of(a), self.kinds_of(b));
            return mismatch(span, format!("{a} is compared with {b}"), ONE_FOR_ALL);
        }
        let help = match is_text(a) && is_number(b) || is_number(a) && is_text(b) {
            true => "`int(text)` is the number that a string writes, `\"{n}\"` the string of a known number",
            false => NEVER,
        };
        let (a, b) = (self.kinds_of(a), self.kinds_of(b));
        let message = if a == b {
            format!("two values are compared that are both {a}, but of different parts")
        } else {
            format!("{a} is compared with {b}")
        };
        mismatch(span, message, help)
    }

    /// A fault if, by kinds alone, `a` equals no entry of the non-empty list; `what` names both.
    pub fn one_comparable(&self, a: &Value, list: &[Value], what: (&str, &str), span: Span) -> Res<()> {
        if self.mode != Mode::Ground
            || list.is_empty()
            || list.iter().any(|item| can_be_equal(a, item, false))
        {
            return Ok(());
        }
        let (own, kinds) = (self.kinds_of(a), self.kinds_in(list.iter()));
        let (wanted, each) = what;
        let other = if own == kinds { ", of other parts" } else { "" };
        let message = format!("{wanted} {own}, {each} is {kinds}{other}");
        mismatch(span, message, NEVER)
    }

    /// A fault if `a` is a tuple and no entry is, or the other way round, known or not: a cell in a list of
    /// numbers is a mistake.
    pub fn one_shaped(&self, a: &Value, list: &[Value], span: Span) -> Res<()> {
        if self.mode != Mode::Ground || list.is_empty() || list.iter().any(|item| shaped_alike(a, item)) {
            return Ok(());
        }
        let (own, other) = (self.literal_of(a), self.literal_of(&list[0]));
        let message = format!("`{own}` is looked for among values such as `{other}`");
        mismatch(span, message, "a cell is `(row, column)`, an edge is a pair `(p, q)` of cells")
    }

    /// The possible kinds of a value, for messages.
    pub(super) fn kinds_of(&self, value: &Value) -> String {
        let one = |value: &Value| match value {
            Value::Member(member) => {
                format!("a member of `{}`", self.program.enums[member.of as usize].name)
            }
            Value::Tuple(parts) => format!("a tuple of {} parts", parts.len()),
            value => value.kind().to_string(),
        };
        let Value::Choice(choice) = value else { return one(value) };
        match choice.arms.iter().map(|arm| &arm.1).filter(|arm| !matches!(arm, Value::None)) {
            arms if arms.clone().next().is_some() => self.kinds_in(arms),
            _ => value.kind().to_string(),
        }
    }

    fn kinds_in<'v>(&self, values: impl Iterator<Item = &'v Value>) -> String {
        let mut kinds: Vec<String> = Vec::new();
        for value in values {
            let kind = self.kinds_of(value);
            if !kinds.contains(&kind) && kinds.len() < NAMED {
                kinds.push(kind);
            }
        }
        kinds.join(" or ")
    }
}

/// Can they be equal, by kinds? Two known values always can, unless an unknown has `chosen` one of them: then
/// the kinds decide.
pub fn can_be_equal(a: &Value, b: &Value, chosen: bool) -> bool {
    Pairs::default().can_be_equal(a, b, chosen)
}

/// Are both tuples with equally shaped parts, or neither a tuple?
fn shaped_alike(a: &Value, b: &Value) -> bool {
    Pairs::default().shaped_alike(a, b)
}

/// Parts visited before results are noted, as in `walk`: values share parts.
const NOTED_AFTER: usize = 1 << 10;

/// The identity of a value within one walk: its kind, and the address of its parts or else of the value
/// itself.
type Place = (u8, usize);

fn place(value: &Value) -> Place {
    let at = match value {
        Value::Tuple(parts) | Value::List(parts) => parts.as_ptr() as usize,
        Value::Map(map) => Rc::as_ptr(map) as usize,
        Value::Choice(choice) => Rc::as_ptr(choice) as usize,
        value => std::ptr::from_ref(value) as usize,
    };
    (value.rank(), at)
}

/// Visited pairs of values, with their results.
#[derive(Default)]
struct Pairs {
    count: usize,
    answers: FxHashMap<(Place, Place, bool), bool>,
}

impl Pairs {
    fn noted(
        &mut self,
        (a, b): (&Value, &Value),
        chosen: bool,
        answer: impl FnOnce(&mut Pairs) -> bool,
    ) -> bool {
        self.count += 1;
        if self.count < NOTED_AFTER {
            return answer(self);
        }
        let key = (place(a), place(b), chosen);
        if let Some(known) = self.answers.get(&key) {
            return *known;
        }
        let answer = answer(self);
        self.answers.insert(key, answer);
        answer
    }

    fn can_be_equal(&mut self, a: &Value, b: &Value, chosen: bool) -> bool {
        use Value as V;
        match (a, b) {
            (V::None, V::None) => true,
            (V::None, _) | (_, V::None) => !chosen,
            (V::Choice(choice), other) | (other, V::Choice(choice)) => self.noted((a, b), chosen, |pairs| {
                choice.arms.is_empty()
                    || choice.arms.iter().any(|arm| pairs.can_be_equal(&arm.1, other, true))
            }),
            (V::Held(_), _) | (_, V::Held(_)) => true,
            (V::Tuple(x), V::Tuple(y)) if x.len() == y.len() => {
                self.noted((a, b), chosen, |pairs| pairs.all_can(x, y, chosen))
            }
            (V::List(_) | V::Map(_), V::List(_) | V::Map(_)) => match (entries(a), entries(b)) {
                (x, y) if x.len() == y.len() => {
                    self.noted((a, b), chosen, |pairs| pairs.all_can(x, y, chosen))
                }
                // the length of lists depends on the data
                _ => true,
            },
            (V::Member(x), V::Member(y)) if x.of == y.of => true,
            (V::Bool(_) | V::Truth(_), V::Bool(_) | V::Truth(_))
            | (V::Int(_) | V::Number(_), V::Int(_) | V::Number(_))
            | (V::Str(_), V::Str(_))
            | (V::Drawing(_), V::Drawing(_)) => true,
            _ => !chosen && a.is_known() && b.is_known(),
        }
    }

    fn all_can(&mut self, x: &[Value], y: &[Value], chosen: bool) -> bool {
        x.iter().zip(y).all(|(p, q)| self.can_be_equal(p, q, chosen))
    }

    fn shaped_alike(&mut self, a: &Value, b: &Value) -> bool {
        match (a, b) {
            (Value::Tuple(x), Value::Tuple(y)) => self.noted((a, b), false, |pairs| {
                x.len() == y.len() && x.iter().zip(y.iter()).all(|(p, q)| pairs.shaped_alike(p, q))
            }),
            (Value::Tuple(_), other) | (other, Value::Tuple(_)) => {
                matches!(other, Value::None | Value::Choice(_) | Value::Held(_))
            }
            _ => true,
        }
    }
}

fn entries(value: &Value) -> &[Value] {
    match value {
        Value::List(items) => items,
        Value::Map(map) => &map.values,
        _ => &[],
    }
}
