//! What operators mean, on known values and on terms alike.
//!
//! Booleans are returned as model terms (`Bool::TRUE` and `FALSE` where known), so one path serves grounding,
//! verifying and drawing. An operation that is undefined where a variable takes some value pushes the condition
//! under which it is defined (`Eval::require`); the smallest boolean expression around it takes them up.

use super::fault::{Res, error, fault, undefined, unknown};
use super::run::Eval;
use super::value::{Choice, Value};
use crate::diag::Code;
use crate::model::{Atom, Bool, Int, Overflow, Term};
use crate::shared::Span;
use std::cmp::Ordering;
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

    fn fits<T>(&self, span: Span, result: Result<T, Overflow>) -> Res<T> {
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

    /// A boolean is wanted.
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
            Value::None => undefined(Code::TypeMismatch, span, "a boolean is wanted here, this is none"),
            other => {
                error(Code::TypeMismatch, span, format!("a boolean is wanted here, this is {}", other.kind()))
            }
        }
    }

    /// Undefined where one of `conds` holds (or always).
    fn require_none_of(&mut self, conds: Vec<Bool>, never: bool) {
        if never {
            self.require(Bool::FALSE);
        } else if !conds.is_empty() {
            let some = self.model.arena.or(conds);
            self.require(!some);
        }
    }

    /// A number is wanted; booleans count 0 and 1.
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
            Value::None => undefined(Code::TypeMismatch, span, "a number is wanted here, this is none"),
            other => {
                error(Code::TypeMismatch, span, format!("a number is wanted here, this is {}", other.kind()))
            }
        }
    }

    /// A known number is wanted (a size, a bound of a range).
    pub fn to_known(&mut self, value: &Value, span: Span, what: &str) -> Res<i64> {
        match self.to_num(value, span)? {
            Num::Known(i) => Ok(i),
            Num::Unknown(_) => unknown(span, format!("{what} must be known before solving")),
        }
    }

    /// Adds `coef · value` to a sum; tuples are added by `add`.
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

    /// `a + b` or `a - b`, of numbers or of tuples alike.
    pub fn add(&mut self, a: &Value, b: &Value, minus: bool, span: Span) -> Res<Value> {
        match (a, b) {
            (Value::Int(x), Value::Int(y)) => {
                match if minus { x.checked_sub(*y) } else { x.checked_add(*y) } {
                    Some(sum) => Ok(Value::Int(sum)),
                    None => self.overflow(span),
                }
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
                let parts: Res<Vec<Value>> =
                    x.iter().zip(y.iter()).map(|(p, q)| self.add(p, q, minus, span)).collect();
                Ok(Value::tuple(parts?))
            }
            (Value::Tuple(_), other) | (other, Value::Tuple(_)) => {
                error(Code::TypeMismatch, span, format!("a tuple and {} cannot be added", other.kind()))
            }
            (Value::Str(_), Value::Str(_)) => {
                let message = "strings cannot be added";
                Err(Box::new(super::fault::Fault::Error(
                    crate::diag::Diagnostic::error(Code::TypeMismatch, message)
                        .at(span, "")
                        .help("join them: `\"{a}{b}\"`, or `a ++ b` for lists"),
                )))
            }
            (Value::List(_), Value::List(_)) => Err(Box::new(super::fault::Fault::Error(
                crate::diag::Diagnostic::error(Code::TypeMismatch, "lists cannot be added")
                    .at(span, "")
                    .help("`a ++ b` joins them"),
            ))),
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
            (Value::Tuple(_), Value::Tuple(_)) => {
                error(Code::TypeMismatch, span, "two tuples cannot be multiplied")
            }
            (Value::Tuple(parts), k) | (k, Value::Tuple(parts)) => {
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

    // ---- comparison ----

    /// `Σ ⋈ 0` for a difference of two numbers.
    pub fn num_eq(&mut self, a: Num, b: Num, span: Span) -> Res<Bool> {
        if let (Num::Known(x), Num::Known(y)) = (a, b) {
            return Ok(Bool::constant(x == y));
        }
        let (terms, bound) = self.difference(a, b, span)?;
        let result = self.model.eq(terms, bound);
        self.fits(span, result)
    }

    pub fn num_le(&mut self, a: Num, b: Num, strict: bool, span: Span) -> Res<Bool> {
        if let (Num::Known(x), Num::Known(y)) = (a, b) {
            return Ok(Bool::constant(if strict { x < y } else { x <= y }));
        }
        let (terms, bound) = self.difference(a, b, span)?;
        let Some(bound) = bound.checked_sub(i64::from(strict)) else { return self.overflow(span) };
        let result = self.model.arena.le(terms, bound);
        self.fits(span, result)
    }

    /// `a - b` as terms, compared with a bound.
    fn difference(&mut self, a: Num, b: Num, span: Span) -> Res<(Vec<Term>, i64)> {
        let mut terms = Vec::with_capacity(2);
        let mut bound = 0i64;
        for (num, coef) in [(a, 1i64), (b, -1)] {
            match num {
                Num::Known(i) => match i.checked_mul(-coef).and_then(|i| bound.checked_add(i)) {
                    Some(sum) => bound = sum,
                    None => return self.overflow(span),
                },
                Num::Unknown(term) => terms.push(Term { coef, atom: Atom::Int(term) }),
            }
        }
        Ok((terms, bound))
    }

    /// `a = b`.
    pub fn equal(&mut self, a: &Value, b: &Value, span: Span) -> Res<Bool> {
        use Value as V;
        match (a, b) {
            (V::Int(x), V::Int(y)) => Ok(Bool::constant(x == y)),
            (V::Number(_), V::Int(_) | V::Number(_)) | (V::Int(_), V::Number(_)) => {
                let (a, b) = (self.to_num(a, span)?, self.to_num(b, span)?);
                self.num_eq(a, b, span)
            }
            (V::Choice(choice), other) | (other, V::Choice(choice)) => self.choice_equal(choice, other, span),
            (V::Tuple(x), V::Tuple(y)) | (V::List(x), V::List(y)) => self.all_equal(x, y, span),
            (V::Map(x), V::Map(y)) => self.all_equal(&x.values, &y.values, span),
            (V::List(x), V::Map(y)) | (V::Map(y), V::List(x)) => self.all_equal(x, &y.values, span),
            (V::Bool(_) | V::Truth(_), V::Bool(_) | V::Truth(_)) => {
                let (a, b) = (self.to_bool(a, span)?, self.to_bool(b, span)?);
                Ok(self.model.arena.iff(a, b))
            }
            (V::Member(x), V::Member(y)) if x.of != y.of => {
                let (x, y) = (self.text_of(a), self.text_of(b));
                error(Code::TypeMismatch, span, format!("`{x}` and `{y}` are members of different enums"))
            }
            (V::Bool(_) | V::Truth(_), V::Int(_) | V::Number(_))
            | (V::Int(_) | V::Number(_), V::Bool(_) | V::Truth(_)) => {
                Err(Box::new(super::fault::Fault::Error(
                    crate::diag::Diagnostic::error(Code::TypeMismatch, "a boolean is compared with a number")
                        .at(span, "")
                        .help("`int(b)` is 1 where b is true, 0 otherwise"),
                )))
            }
            (V::List(_) | V::Map(_), V::Tuple(_)) | (V::Tuple(_), V::List(_) | V::Map(_)) => {
                error(Code::TypeMismatch, span, "a list is compared with a tuple")
            }
            (V::None, _) | (_, V::None) => Ok(Bool::constant(matches!((a, b), (V::None, V::None)))),
            (V::Number(_) | V::Truth(_), other) | (other, V::Number(_) | V::Truth(_)) => error(
                Code::TypeMismatch,
                span,
                format!("an unknown number or boolean is compared with {}", other.kind()),
            ),
            _ => Ok(Bool::constant(a == b)),
        }
    }

    fn all_equal(&mut self, x: &[Value], y: &[Value], span: Span) -> Res<Bool> {
        if x.len() != y.len() {
            return Ok(Bool::FALSE);
        }
        let mut parts = Vec::new();
        for (p, q) in x.iter().zip(y) {
            match self.equal(p, q, span)? {
                Bool::FALSE => return Ok(Bool::FALSE),
                Bool::TRUE => {}
                part => parts.push(part),
            }
        }
        Ok(self.model.arena.and(parts))
    }

    fn choice_equal(&mut self, choice: &Rc<Choice>, other: &Value, span: Span) -> Res<Bool> {
        if let Value::Choice(second) = other
            && Rc::ptr_eq(choice, second)
        {
            return Ok(Bool::TRUE);
        }
        let mut parts = Vec::new();
        for (cond, arm) in &choice.arms {
            let same = self.equal(arm, other, span)?;
            parts.push(self.model.arena.and2(*cond, same));
        }
        Ok(self.model.arena.or(parts))
    }

    /// `a < b` (strict) or `a <= b`.
    pub fn less(&mut self, a: &Value, b: &Value, strict: bool, span: Span) -> Res<Bool> {
        use Value as V;
        match (a, b) {
            (V::Int(x), V::Int(y)) => Ok(Bool::constant(if strict { x < y } else { x <= y })),
            (V::Str(x), V::Str(y)) => Ok(Bool::constant(ordered(x.cmp(y), strict))),
            (V::Member(x), V::Member(y)) if x.of == y.of => Ok(Bool::constant(ordered(x.cmp(y), strict))),
            (V::Bool(_) | V::Truth(_), V::Bool(_) | V::Truth(_)) => {
                let (a, b) = (self.to_bool(a, span)?, self.to_bool(b, span)?);
                Ok(if strict { self.model.arena.and2(!a, b) } else { self.model.arena.implies(a, b) })
            }
            (V::Tuple(x), V::Tuple(y)) | (V::List(x), V::List(y)) => {
                if a.is_known() && b.is_known() && same_kinds(x, y) {
                    return Ok(Bool::constant(ordered(x.cmp(y), strict)));
                }
                self.lexicographic(x, y, strict, span)
            }
            (V::Number(_) | V::Int(_), V::Number(_) | V::Int(_)) => {
                let (a, b) = (self.to_num(a, span)?, self.to_num(b, span)?);
                self.num_le(a, b, strict, span)
            }
            (V::Choice(x), other) => {
                let mut parts = Vec::new();
                for (cond, arm) in &x.arms {
                    if matches!(arm, V::None) {
                        self.require(!*cond);
                        continue;
                    }
                    let less = self.less(arm, other, strict, span)?;
                    parts.push(self.model.arena.and2(*cond, less));
                }
                Ok(self.model.arena.or(parts))
            }
            (other, V::Choice(_)) => {
                // a < b is not (b <= a)
                let reverse = self.less(b, other, !strict, span)?;
                Ok(!reverse)
            }
            (V::None, _) | (_, V::None) => {
                undefined(Code::TypeMismatch, span, "none has no order; is the entry given? (`if given(…)`)")
            }
            _ => error(Code::TypeMismatch, span, format!("{} and {} have no order", a.kind(), b.kind())),
        }
    }

    /// Lexicographic order of two lists of terms, shorter first.
    pub fn lexicographic(&mut self, x: &[Value], y: &[Value], strict: bool, span: Span) -> Res<Bool> {
        let n = x.len().min(y.len());
        let mut result = Bool::constant(ordered(x.len().cmp(&y.len()), strict));
        for at in (0..n).rev() {
            let less = self.less(&x[at], &y[at], true, span)?;
            let equal = self.equal(&x[at], &y[at], span)?;
            let rest = self.model.arena.and2(equal, result);
            result = self.model.arena.or2(less, rest);
        }
        Ok(result)
    }

    /// `a in b`.
    pub fn contains(&mut self, a: &Value, b: &Value, span: Span) -> Res<Bool> {
        match b {
            Value::Str(whole) => match a {
                Value::Str(part) => Ok(Bool::constant(whole.contains(&**part))),
                Value::Choice(choice) => {
                    let mut parts = Vec::new();
                    for (cond, arm) in &choice.arms {
                        let inside = self.contains(arm, b, span)?;
                        parts.push(self.model.arena.and2(*cond, inside));
                    }
                    Ok(self.model.arena.or(parts))
                }
                _ => Ok(Bool::FALSE),
            },
            Value::List(list) | Value::Tuple(list) => self.member_of(a, list, span),
            Value::Choice(choice) => {
                let mut parts = Vec::new();
                for (cond, whole) in &choice.arms {
                    if let Some(inside) = self.arm(*cond, |this| this.contains(a, whole, span))? {
                        parts.push(self.model.arena.and2(*cond, inside));
                    }
                }
                Ok(self.model.arena.or(parts))
            }
            Value::Map(_) => Err(Box::new(super::fault::Fault::Error(
                crate::diag::Diagnostic::error(Code::TypeMismatch, "`in` an array: its keys or its values?")
                    .at(span, "")
                    .help("write `in keys(a)` or `in values(a)`"),
            ))),
            other => error(Code::TypeMismatch, span, format!("`in` wants a list, this is {}", other.kind())),
        }
    }

    fn member_of(&mut self, a: &Value, list: &Rc<[Value]>, span: Span) -> Res<Bool> {
        if a.is_known() {
            if list.len() <= 8 {
                if list.iter().all(Value::is_known) {
                    return Ok(Bool::constant(list.contains(a)));
                }
            } else if let Some(keys) = self.hashed(list) {
                return Ok(Bool::constant(keys.contains(a)));
            }
        }
        if let Value::Number(term) = a
            && let Some(result) = self.in_intervals(*term, list, span)?
        {
            return Ok(result);
        }
        let mut parts = Vec::with_capacity(list.len());
        for item in list.iter() {
            match self.equal(a, item, span)? {
                Bool::TRUE => return Ok(Bool::TRUE),
                part => parts.push(part),
            }
        }
        Ok(self.model.arena.or(parts))
    }

    /// An unknown number in a list of known ones: by intervals.
    fn in_intervals(&mut self, term: Int, list: &[Value], span: Span) -> Res<Option<Bool>> {
        let ints: Option<Vec<i64>> = list
            .iter()
            .map(|item| match item {
                Value::Int(i) => Some(*i),
                _ => None,
            })
            .collect();
        let Some(mut ints) = ints else { return Ok(None) };
        ints.sort_unstable();
        ints.dedup();
        let mut parts = Vec::new();
        let mut at = 0;
        while at < ints.len() {
            let mut end = at;
            while end + 1 < ints.len() && ints[end + 1] == ints[end] + 1 {
                end += 1;
            }
            let (lo, hi) = (Num::Known(ints[at]), Num::Known(ints[end]));
            let part = if at == end {
                self.num_eq(Num::Unknown(term), lo, span)?
            } else {
                let above = self.num_le(lo, Num::Unknown(term), false, span)?;
                let below = self.num_le(Num::Unknown(term), hi, false, span)?;
                self.model.arena.and2(above, below)
            };
            parts.push(part);
            at = end + 1;
        }
        Ok(Some(self.model.arena.or(parts)))
    }

    // ---- choosing ----

    /// The value that is `arms[i].1` where `arms[i].0` holds; conditions exclude each other and one holds.
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
        let lists = |value: &Value| match value {
            Value::List(items) => Some(items.len()),
            Value::Tuple(items) => Some(items.len()),
            _ => None,
        };
        if let Some(n) = lists(&live[0].1)
            && (all(|value| matches!(value, Value::Tuple(_))) || all(|value| matches!(value, Value::List(_))))
            && live.iter().all(|arm| lists(&arm.1) == Some(n))
            && !live.iter().all(|arm| arm.1.is_known())
        {
            let items = |value: &Value| match value {
                Value::List(items) | Value::Tuple(items) => items.clone(),
                _ => Rc::from([]),
            };
            let mut parts = Vec::with_capacity(n);
            for at in 0..n {
                let arms = live.iter().map(|(cond, value)| (*cond, items(value)[at].clone())).collect();
                parts.push(self.choose(arms, span)?);
            }
            return Ok(match &live[0].1 {
                Value::Tuple(_) => Value::tuple(parts),
                _ => Value::list(parts),
            });
        }
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
        Ok(Value::Choice(Rc::new(Choice { arms: flat, var: None })))
    }

    /// A list is wanted: a list, a tuple, or an array's values.
    pub fn to_list(&mut self, value: &Value, span: Span) -> Res<Rc<[Value]>> {
        match value {
            Value::List(list) | Value::Tuple(list) => Ok(list.clone()),
            Value::Map(map) => Ok(map.values.clone().into()),
            Value::Choice(_) => unknown(span, "a list must be known before solving"),
            other => Err(fault(
                Code::TypeMismatch,
                span,
                format!("a list is wanted here, this is {}", other.kind()),
            )),
        }
    }
}

fn ordered(order: Ordering, strict: bool) -> bool {
    if strict { order == Ordering::Less } else { order != Ordering::Greater }
}

/// Are the parts of two tuples of the same kinds, so that their order means something?
fn same_kinds(x: &[Value], y: &[Value]) -> bool {
    x.iter().zip(y).all(|(a, b)| match (a, b) {
        (Value::Int(_), Value::Int(_)) | (Value::Str(_), Value::Str(_)) => true,
        (Value::Tuple(a), Value::Tuple(b)) => same_kinds(a, b),
        _ => false,
    })
}
