//! The meaning of operators, on known values and on terms.
//!
//! Booleans are returned as model terms (`Bool::TRUE` and `FALSE` where known), so one path serves grounding,
//! verifying and drawing. If an operation is undefined for some values of a variable, it pushes the condition
//! under which it is defined (`Eval::require`). The smallest boolean expression around it takes up these
//! conditions.

use super::fault::{Res, error, mismatch, undefined, undefined_with, unknown};
use super::run::Eval;
use super::value::{Choice, Value};
use crate::diag::Code;
use crate::model::{Atom, Bool, Int, Overflow, Term};
use crate::shared::Span;
use std::rc::Rc;

/// A number, known or not.
#[derive(Clone, Copy, Debug)]
pub enum Num {
    Known(i64),
    Unknown(Int),
}

impl Num {
    pub fn value(self) -> Value {
        match self {
            Num::Known(i) => Value::Int(i),
            Num::Unknown(term) => Value::Number(term),
        }
    }
}

/// A linear sum under construction.
#[derive(Default)]
pub struct Sum {
    pub terms: Vec<Term>,
    pub constant: i64,
}

impl Eval<'_> {
    pub fn overflow<T>(&self, span: Span) -> Res<T> {
        error(Code::NumberTooLarge, span, "the number (or its bounds) would leave 64 bits")
    }

    pub(super) fn fits<T>(&self, span: Span, result: Result<T, Overflow>) -> Res<T> {
        match result {
            Ok(value) => Ok(value),
            Err(Overflow) => self.overflow(span),
        }
    }

    /// An integer term as a value: known where it is a constant.
    pub fn number(&self, term: Int) -> Value {
        match self.model.arena.as_const(term) {
            Some(known) => Value::Int(known),
            None => Value::Number(term),
        }
    }

    pub fn int_term(&mut self, num: Num) -> Int {
        match num {
            Num::Known(i) => self.model.arena.constant(i),
            Num::Unknown(term) => term,
        }
    }

    /// Converts to a boolean; `none` is undefined here.
    pub fn to_bool(&mut self, value: &Value, span: Span) -> Res<Bool> {
        match value {
            Value::Bool(known) => Ok(Bool::constant(*known)),
            Value::Truth(term) => Ok(*term),
            Value::Choice(choice) => {
                let mut yes = Vec::new();
                let mut missing = Vec::new();
                for (cond, arm) in &choice.arms {
                    match arm {
                        Value::None => missing.push(*cond),
                        arm => {
                            let arm = self.to_bool(arm, span)?;
                            yes.push(self.model.arena.and2(*cond, arm));
                        }
                    }
                }
                self.require_none_of(missing, choice.arms.is_empty());
                Ok(self.model.arena.or(yes))
            }
            Value::Held(_) => {
                let value = self.used(value.clone())?;
                self.to_bool(&value, span)
            }
            Value::None => undefined(Code::TypeMismatch, span, "a boolean is wanted here, this is none"),
            other => {
                let message = format!("a boolean is wanted here, this is {}", other.kind());
                let help = match other {
                    Value::Int(_) | Value::Number(_) => {
                        "compare it: `n > 0`; of a list, `count(e > 0 for e in values(x))` counts, `sum(x)` adds"
                    }
                    Value::Map(_) => {
                        "compare its entries: `for p in keys(x): x[p] = 1`, `count(e = 1 for e in values(x))`"
                    }
                    _ => "a condition is a comparison, such as `x[p] = 1`, or a boolean",
                };
                mismatch(span, message, help)
            }
        }
    }

    /// Undefined where one of `conds` holds, or always if `never`.
    fn require_none_of(&mut self, conds: Vec<Bool>, never: bool) {
        if never {
            self.require(Bool::FALSE);
        } else if !conds.is_empty() {
            let some = self.model.arena.or(conds);
            self.require(!some);
        }
    }

    /// Converts to a number; booleans count 0 and 1.
    pub fn to_num(&mut self, value: &Value, span: Span) -> Res<Num> {
        match value {
            Value::Int(i) => Ok(Num::Known(*i)),
            Value::Bool(b) => Ok(Num::Known(i64::from(*b))),
            Value::Number(term) => Ok(Num::Unknown(*term)),
            Value::Truth(term) => {
                let sum = self.model.arena.sum(vec![Term { coef: 1, atom: Atom::Bool(*term) }], 0);
                self.fits(span, sum).map(Num::Unknown)
            }
            Value::Choice(choice) => {
                let mut arms = Vec::new();
                let mut missing = Vec::new();
                for (cond, arm) in &choice.arms {
                    match arm {
                        Value::None => missing.push(*cond),
                        arm => {
                            let num = self.to_num(arm, span)?;
                            arms.push((*cond, self.int_term(num)));
                        }
                    }
                }
                self.require_none_of(missing.clone(), arms.is_empty());
                let Some(first) = arms.first().copied() else { return Ok(Num::Known(0)) };
                arms.extend(missing.into_iter().map(|cond| (cond, first.1)));
                let term = self.model.arena.select(&arms);
                Ok(match self.model.arena.as_const(term) {
                    Some(known) => Num::Known(known),
                    None => Num::Unknown(term),
                })
            }
            Value::Held(_) => {
                let value = self.used(value.clone())?;
                self.to_num(&value, span)
            }
            Value::None => {
                let help = "`for (i, k) in givens(clue): …` visits the entries that have a value; for one entry, \
                            `if clue[i] = none then … else …`";
                undefined_with(Code::TypeMismatch, span, "a number is wanted here, this is none", help)
            }
            other => {
                let help = match other {
                    Value::List(_) | Value::Map(_) => {
                        "take an entry, `x[p]`, or all entries together: `sum(x)`"
                    }
                    Value::Str(_) => "`int(text)` is the number that a string writes",
                    Value::Member(_) => "a map gives members numbers: `{water: 0, ship: 1}[x]`",
                    _ => "numbers and booleans are counted with",
                };
                mismatch(span, format!("a number is wanted here, this is {}", other.kind()), help)
            }
        }
    }

    /// Converts to a known number (a size, a bound of a range).
    pub fn to_known(&mut self, value: &Value, span: Span, what: &str) -> Res<i64> {
        match self.to_num(value, span)? {
            Num::Known(i) => Ok(i),
            Num::Unknown(_) => unknown(span, format!("{what} must be known before solving")),
        }
    }

    /// Adds `coef · value` to a sum. For tuples see `add`.
    pub fn add_to(&mut self, sum: &mut Sum, coef: i64, value: &Value, span: Span) -> Res<()> {
        match value {
            Value::Truth(term) => sum.terms.push(Term { coef, atom: Atom::Bool(*term) }),
            value => match self.to_num(value, span)? {
                Num::Known(i) => {
                    let product = i.checked_mul(coef).and_then(|product| sum.constant.checked_add(product));
                    match product {
                        Some(constant) => sum.constant = constant,
                        None => return self.overflow(span),
                    }
                }
                Num::Unknown(term) => sum.terms.push(Term { coef, atom: Atom::Int(term) }),
            },
        }
        Ok(())
    }

    pub fn sum_value(&mut self, sum: Sum, span: Span) -> Res<Value> {
        if sum.terms.is_empty() {
            return Ok(Value::Int(sum.constant));
        }
        let term = self.model.arena.sum(sum.terms, sum.constant);
        let term = self.fits(span, term)?;
        Ok(self.number(term))
    }

    /// `a + b` or `a - b`, of numbers or of tuples.
    pub fn add(&mut self, a: &Value, b: &Value, minus: bool, span: Span) -> Res<Value> {
        match (a, b) {
            (Value::Int(x), Value::Int(y)) => {
                match if minus { x.checked_sub(*y) } else { x.checked_add(*y) } {
                    Some(sum) => Ok(Value::Int(sum)),
                    None => self.overflow(span),
                }
            }
            (Value::Held(_), _) | (_, Value::Held(_)) => {
                let (a, b) = (self.used(a.clone())?, self.used(b.clone())?);
                self.add(&a, &b, minus, span)
            }
            (Value::Tuple(x), Value::Tuple(y)) => {
                if x.len() != y.len() {
                    return error(
                        Code::TypeMismatch,
                        span,
                        format!("tuples of {} and {} parts cannot be added", x.len(), y.len()),
                    );
                }
                if let ([Value::Int(a), Value::Int(b)], [Value::Int(c), Value::Int(d)]) = (&x[..], &y[..]) {
                    let parts = if minus {
                        a.checked_sub(*c).zip(b.checked_sub(*d))
                    } else {
                        a.checked_add(*c).zip(b.checked_add(*d))
                    };
                    return match parts {
                        Some((r, c)) => Ok(Value::cell(r, c)),
                        None => self.overflow(span),
                    };
                }
                self.walked(x.len() as u64)?;
                self.room_for(x.len())?;
                let parts: Res<Vec<Value>> =
                    x.iter().zip(y.iter()).map(|(p, q)| self.add(p, q, minus, span)).collect();
                Ok(Value::tuple(parts?))
            }
            (Value::Tuple(_), other) | (other, Value::Tuple(_)) => {
                error(Code::TypeMismatch, span, format!("a tuple and {} cannot be added", other.kind()))
            }
            (Value::Str(_), Value::Str(_)) => {
                mismatch(span, "strings cannot be added", "join them: `\"{a}{b}\"`, or `a ++ b` for lists")
            }
            (Value::List(_), Value::List(_)) => {
                mismatch(span, "lists cannot be added", "`a ++ b` joins them")
            }
            (a, b) => {
                let mut sum = Sum::default();
                self.add_to(&mut sum, 1, a, span)?;
                self.add_to(&mut sum, if minus { -1 } else { 1 }, b, span)?;
                self.sum_value(sum, span)
            }
        }
    }

    pub fn mul(&mut self, a: &Value, b: &Value, span: Span) -> Res<Value> {
        match (a, b) {
            (Value::Int(x), Value::Int(y)) => match x.checked_mul(*y) {
                Some(product) => Ok(Value::Int(product)),
                None => self.overflow(span),
            },
            (Value::Held(_), _) | (_, Value::Held(_)) => {
                let (a, b) = (self.used(a.clone())?, self.used(b.clone())?);
                self.mul(&a, &b, span)
            }
            (Value::Tuple(_), Value::Tuple(_)) => {
                error(Code::TypeMismatch, span, "two tuples cannot be multiplied")
            }
            (Value::Tuple(parts), k) | (k, Value::Tuple(parts)) => {
                self.walked(parts.len() as u64)?;
                self.room_for(parts.len())?;
                let parts: Res<Vec<Value>> = parts.iter().map(|part| self.mul(part, k, span)).collect();
                Ok(Value::tuple(parts?))
            }
            (a, b) => match (self.to_num(a, span)?, self.to_num(b, span)?) {
                (Num::Known(x), Num::Known(y)) => self.mul(&Value::Int(x), &Value::Int(y), span),
                (Num::Known(coef), Num::Unknown(term)) | (Num::Unknown(term), Num::Known(coef)) => self
                    .sum_value(Sum { terms: vec![Term { coef, atom: Atom::Int(term) }], constant: 0 }, span),
                (Num::Unknown(x), Num::Unknown(y)) => {
                    let product = self.model.arena.mul(x, y);
                    let product = self.fits(span, product)?;
                    Ok(self.number(product))
                }
            },
        }
    }

    /// Floor division (`quotient`) or its remainder.
    pub fn divide(&mut self, a: &Value, b: &Value, quotient: bool, span: Span) -> Res<Value> {
        let (x, y) = (self.to_num(a, span)?, self.to_num(b, span)?);
        match (x, y) {
            (_, Num::Known(0)) => undefined(Code::DivisionByZero, span, "division by zero"),
            (Num::Known(x), Num::Known(y)) => {
                let result =
                    if quotient { crate::model::floor_div(x, y) } else { crate::model::floor_mod(x, y) };
                result.map_or_else(|| self.overflow(span), |result| Ok(Value::Int(result)))
            }
            (x, y) => {
                let (x, y) = (self.int_term(x), self.int_term(y));
                let (lo, hi) = self.model.arena.bounds(y);
                if lo <= 0 && hi >= 0 {
                    let zero = self.model.eq(vec![Term { coef: 1, atom: Atom::Int(y) }], 0);
                    let zero = self.fits(span, zero)?;
                    self.require(!zero);
                }
                let result =
                    if quotient { self.model.arena.div(x, y) } else { self.model.arena.modulo(x, y) };
                let result = self.fits(span, result)?;
                Ok(self.number(result))
            }
        }
    }

    pub fn negate(&mut self, a: &Value, span: Span) -> Res<Value> {
        self.mul(a, &Value::Int(-1), span)
    }

    /// The value `arms[i].1` where `arms[i].0` holds. The conditions exclude each other and one holds. Only
    /// the chosen arm must be defined.
    pub fn choose(&mut self, arms: Vec<(Bool, Value)>, span: Span) -> Res<Value> {
        let mut live: Vec<(Bool, Value)> = Vec::with_capacity(arms.len());
        for (cond, value) in arms {
            match cond {
                Bool::FALSE => {}
                Bool::TRUE => return Ok(value),
                cond => match live.iter_mut().find(|arm| arm.1 == value) {
                    Some(arm) => arm.0 = self.model.arena.or2(arm.0, cond),
                    None => live.push((cond, value)),
                },
            }
        }
        if live.len() == 1 {
            return Ok(live.remove(0).1);
        }
        if live.iter().any(|arm| matches!(arm.1, Value::Held(_))) {
            return self.hold(|this| {
                let mut used = Vec::with_capacity(live.len());
                for (cond, value) in live {
                    if let Some(value) = this.arm(cond, |this| this.used(value))? {
                        used.push((cond, value));
                    }
                }
                this.choose(used, span)
            });
        }
        let all = |test: fn(&Value) -> bool| live.iter().all(|arm| test(&arm.1));
        if live.is_empty() {
            return Ok(Value::Choice(Rc::new(Choice { arms: live, var: None })));
        }
        if all(|value| matches!(value, Value::Bool(_) | Value::Truth(_))) {
            let mut parts = Vec::with_capacity(live.len());
            for (cond, value) in &live {
                let value = self.to_bool(value, span)?;
                parts.push(self.model.arena.and2(*cond, value));
            }
            return Ok(Value::truth(self.model.arena.or(parts)));
        }
        if all(|value| matches!(value, Value::Int(_) | Value::Number(_))) {
            let mut parts = Vec::with_capacity(live.len());
            for (cond, value) in &live {
                let num = self.to_num(value, span)?;
                parts.push((*cond, self.int_term(num)));
            }
            let term = self.model.arena.select(&parts);
            return Ok(self.number(term));
        }
        match equally_long(&live) {
            Some(n) if !all(Value::is_known) => self.choose_items(&live, n, span),
            _ => Ok(self.choice(live)),
        }
    }

    /// The choice between lists, or tuples, of `n` items each, item by item.
    fn choose_items(&mut self, live: &[(Bool, Value)], n: usize, span: Span) -> Res<Value> {
        let mut parts = Vec::with_capacity(n);
        self.walked((n * live.len()) as u64)?;
        self.room_for(n * live.len())?;
        for at in 0..n {
            let item = |value: &Value| value.items().map_or(Value::None, |items| items[at].clone());
            let arms = live.iter().map(|(cond, value)| (*cond, item(value))).collect();
            parts.push(self.choose(arms, span)?);
        }
        Ok(match &live[0].1 {
            Value::Tuple(_) => Value::tuple(parts),
            _ => Value::list(parts),
        })
    }

    /// A choice whose arms are no choices themselves, and known if they are boolean.
    fn choice(&mut self, live: Vec<(Bool, Value)>) -> Value {
        let mut flat: Vec<(Bool, Value)> = Vec::with_capacity(live.len());
        for (cond, value) in live {
            match value {
                Value::Choice(inner) => {
                    for (inner_cond, value) in &inner.arms {
                        let both = self.model.arena.and2(cond, *inner_cond);
                        flat.push((both, value.clone()));
                    }
                }
                Value::Truth(term) => {
                    for (truth, known) in [(term, true), (!term, false)] {
                        let both = self.model.arena.and2(cond, truth);
                        flat.push((both, Value::Bool(known)));
                    }
                }
                value => flat.push((cond, value)),
            }
        }
        Value::Choice(Rc::new(Choice { arms: flat, var: None }))
    }

    /// Converts to a list: a list, a tuple, or the values of an array.
    pub fn to_list(&mut self, value: &Value, span: Span) -> Res<Rc<[Value]>> {
        match value {
            Value::List(list) | Value::Tuple(list) => {
                self.gone_through(list.len())?;
                Ok(list.clone())
            }
            Value::Map(map) => {
                self.gone_through(map.values.len())?;
                Ok(map.values.clone().into())
            }
            Value::Choice(choice)
                if choice.arms.is_empty() || choice.arms.iter().any(|arm| listed(&arm.1)) =>
            {
                unknown(span, "a list must be known before solving")
            }
            Value::Held(_) => {
                let value = self.used(value.clone())?;
                self.to_list(&value, span)
            }
            other => {
                let message = format!("a list is wanted here, this is {}", self.kinds_of(other));
                mismatch(span, message, "`[a, b]`, `1..9`, a tuple, and an array for its values are lists")
            }
        }
    }
}

fn listed(value: &Value) -> bool {
    matches!(value, Value::List(_) | Value::Tuple(_) | Value::Map(_))
}

/// The number of items, if all arms are lists, or all are tuples, of the same length.
fn equally_long(arms: &[(Bool, Value)]) -> Option<usize> {
    let all = |test: fn(&Value) -> bool| arms.iter().all(|arm| test(&arm.1));
    let same = all(|value| matches!(value, Value::Tuple(_))) || all(|value| matches!(value, Value::List(_)));
    let n = arms[0].1.items()?.len();
    (same && arms.iter().all(|arm| arm.1.items().is_some_and(|items| items.len() == n))).then_some(n)
}
