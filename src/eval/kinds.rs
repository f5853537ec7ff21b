//! Which values can be equal at all, by their kinds.
//!
//! In: two values that were compared, with the answer "never". Out: a fault where that answer hangs on nothing but kinds and
//! something unknown was compared: a comparison that is false whatever the puzzle says is a slip. Between known values it may
//! be the data's doing, and stays false.

use super::fault::{Res, mismatch};
use super::run::{Eval, Mode};
use super::value::Value;
use crate::shared::Span;
use rustc_hash::FxHashMap;

/// So many kinds are named in a message.
const NAMED: usize = 3;
const NEVER: &str =
    "they are never equal; compare an entry, or values of one kind (anything may be compared with `none`)";

impl Eval<'_> {
    /// A fault if `a = b` is false by their kinds alone and one of them is unknown.
    pub fn comparable(&self, a: &Value, b: &Value, span: Span) -> Res<()> {
        if self.mode != Mode::Ground || a.is_known() && b.is_known() || can_be_equal(a, b, false) {
            return Ok(());
        }
        let (a, b) = (self.kinds_of(a), self.kinds_of(b));
        let message = if a == b {
            format!("two values are compared that are both {a}, but of different parts")
        } else {
            format!("{a} is compared with {b}")
        };
        mismatch(span, message, NEVER)
    }

    /// A fault if `a` can be none of the list (which has entries) by kinds alone; `what` names both.
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

    /// A fault if no entry is a tuple where `a` is one, or the other way round, known or not: a cell among numbers is a slip.
    pub fn one_shaped(&self, a: &Value, list: &[Value], span: Span) -> Res<()> {
        if self.mode != Mode::Ground || list.is_empty() || list.iter().any(|item| shaped_alike(a, item, 2)) {
            return Ok(());
        }
        let (own, other) = (self.literal_of(a), self.literal_of(&list[0]));
        let message = format!("`{own}` is looked for among values such as `{other}`");
        mismatch(span, message, "a cell is `(row, column)`, an edge is a pair `(p, q)` of cells")
    }

    /// What a value may be, for messages.
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

/// Can they be equal, as far as kinds tell? Known values stand for themselves, unless they are `chosen` among others by what is
/// unknown.
pub fn can_be_equal(a: &Value, b: &Value, chosen: bool) -> bool {
    Told::default().can(a, b, chosen)
}

/// What is told of pairs of lists: values share parts.
#[derive(Default)]
struct Told(FxHashMap<(usize, usize, bool), bool>);

impl Told {
    fn can(&mut self, a: &Value, b: &Value, chosen: bool) -> bool {
        use Value as V;
        match (a, b) {
            (V::None, V::None) => true,
            (V::None, _) | (_, V::None) => !chosen,
            (V::Choice(choice), other) | (other, V::Choice(choice)) => {
                choice.arms.is_empty() || choice.arms.iter().any(|arm| self.can(&arm.1, other, true))
            }
            (V::Held(_), _) | (_, V::Held(_)) => true,
            (V::Tuple(x), V::Tuple(y)) if x.len() == y.len() => self.all_can(x, y, chosen),
            (V::List(_) | V::Map(_), V::List(_) | V::Map(_)) => match (entries(a), entries(b)) {
                (x, y) if x.len() == y.len() => self.all_can(x, y, chosen),
                // how long lists are is the data's business
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
        let scalars =
            |list: &[Value]| list.iter().all(|item| matches!(item, Value::Int(_) | Value::Number(_)));
        if scalars(x) && scalars(y) {
            return true;
        }
        let pair = (x.as_ptr() as usize, y.as_ptr() as usize, chosen);
        if let Some(known) = self.0.get(&pair) {
            return *known;
        }
        let can = x.iter().zip(y).all(|(p, q)| self.can(p, q, chosen));
        self.0.insert(pair, can);
        can
    }
}

/// Are both tuples, of parts like these, or neither? Edges and cells are told apart, no more.
fn shaped_alike(a: &Value, b: &Value, depth: u32) -> bool {
    match (a, b) {
        (Value::Tuple(x), Value::Tuple(y)) => {
            x.len() == y.len()
                && (depth == 0 || x.iter().zip(y.iter()).all(|(p, q)| shaped_alike(p, q, depth - 1)))
        }
        (Value::Tuple(_), other) | (other, Value::Tuple(_)) => {
            matches!(other, Value::None | Value::Choice(_) | Value::Held(_))
        }
        _ => true,
    }
}

fn entries(value: &Value) -> &[Value] {
    match value {
        Value::List(items) => items,
        Value::Map(map) => &map.values,
        _ => &[],
    }
}
