//! Equality, order and membership, for known values and for terms.
//!
//! Results are model terms, as everywhere in `ops`. Comparing kinds that cannot be compared is a fault
//! (`kinds`), except that known values of different kinds are unequal. All parts of both operands must be
//! defined, even if one part decides the result.

use super::fault::{Res, mismatch, undefined};
use super::ops::Num;
use super::run::Eval;
use super::value::{Choice, Value};
use super::walk::same_kinds;
use crate::diag::Code;
use crate::model::{Atom, Bool, Int, Term};
use crate::shared::{Span, with_stack};
use rustc_hash::FxHashMap;
use std::cmp::Ordering;
use std::rc::Rc;

/// The comparisons of two lists.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Question {
    Equal,
    Less,
    AtMost,
}

/// The results for lists already compared within the current comparison.
#[derive(Default)]
pub(super) struct Evaluated {
    depth: u32,
    count: u32,
    answers: FxHashMap<(Question, usize, usize), Bool>,
}

/// Comparisons of lists before results are cached: most comparisons are smaller.
const KEPT_AFTER: u32 = 1 << 8;

impl Eval<'_> {
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
        if a.holds_back() || b.holds_back() {
            let (a, b) = (self.complete(a)?, self.complete(b)?);
            return self.equal_whole(&a, &b, span);
        }
        self.equal_whole(a, b, span)
    }

    fn equal_whole(&mut self, a: &Value, b: &Value, span: Span) -> Res<Bool> {
        let same = self.same(a, b, span)?;
        if same == Bool::FALSE {
            self.comparable(a, b, span)?;
        }
        Ok(same)
    }

    /// `a = b`; false also where the kinds cannot be compared.
    pub(super) fn same(&mut self, a: &Value, b: &Value, span: Span) -> Res<Bool> {
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
                let name = |of: u32| self.program.enums[of as usize].name.clone();
                let (of_a, of_b) = (name(x.of), name(y.of));
                let (a, b) = (self.text_of(a), self.text_of(b));
                let message =
                    format!("`{a}` of the enum `{of_a}` is compared with `{b}` of the enum `{of_b}`");
                mismatch(span, message, "only members of one enum are compared")
            }
            (V::Bool(_) | V::Truth(_), V::Int(_) | V::Number(_))
            | (V::Int(_) | V::Number(_), V::Bool(_) | V::Truth(_)) => {
                let help = "`int(b)` is 1 where b is true, 0 otherwise";
                mismatch(span, "a boolean is compared with a number", help)
            }
            (V::List(_) | V::Map(_), V::Tuple(_)) | (V::Tuple(_), V::List(_) | V::Map(_)) => mismatch(
                span,
                "a list is compared with a tuple",
                "`(…)` is a tuple, `[…]` a list, `x[1, *]` too",
            ),
            (V::None, _) | (_, V::None) => Ok(Bool::constant(matches!((a, b), (V::None, V::None)))),
            _ => Ok(Bool::constant(a == b)),
        }
    }

    fn all_equal(&mut self, x: &[Value], y: &[Value], span: Span) -> Res<Bool> {
        if x.len() != y.len() {
            return Ok(Bool::FALSE);
        }
        if x.as_ptr() == y.as_ptr() {
            return Ok(Bool::TRUE);
        }
        self.once(Question::Equal, x, y, |this| {
            let mut parts = Vec::new();
            for (p, q) in x.iter().zip(y) {
                match this.same(p, q, span)? {
                    Bool::FALSE => return Ok(Bool::FALSE),
                    Bool::TRUE => {}
                    part => parts.push(part),
                }
            }
            Ok(this.model.arena.and(parts))
        })
    }

    /// Compares two lists, at most once within one outer comparison: lists share parts.
    fn once(
        &mut self,
        question: Question,
        x: &[Value],
        y: &[Value],
        answer: impl FnOnce(&mut Self) -> Res<Bool>,
    ) -> Res<Bool> {
        self.walked(x.len().min(y.len()) as u64 + 1)?;
        let key = (question, x.as_ptr() as usize, y.as_ptr() as usize);
        if let Some(known) = self.asked.answers.get(&key) {
            return Ok(*known);
        }
        self.asked.depth += 1;
        self.asked.count += 1;
        let answer = with_stack(|| answer(self));
        self.asked.depth -= 1;
        if self.asked.depth == 0 {
            self.asked.count = 0;
            // from here on, nothing keeps the lists at their addresses
            self.asked.answers.clear();
        } else if let Ok(known) = answer
            && self.asked.count > KEPT_AFTER
        {
            self.asked.answers.insert(key, known);
        }
        answer
    }

    fn choice_equal(&mut self, choice: &Rc<Choice>, other: &Value, span: Span) -> Res<Bool> {
        if let Value::Choice(second) = other
            && Rc::ptr_eq(choice, second)
        {
            return Ok(Bool::TRUE);
        }
        let mut parts = Vec::new();
        for (cond, arm) in &choice.arms {
            let same = self.same(arm, other, span)?;
            parts.push(self.model.arena.and2(*cond, same));
        }
        Ok(self.model.arena.or(parts))
    }

    /// `a < b` (strict) or `a <= b`.
    pub fn less(&mut self, a: &Value, b: &Value, strict: bool, span: Span) -> Res<Bool> {
        if a.holds_back() || b.holds_back() {
            let (a, b) = (self.complete(a)?, self.complete(b)?);
            return self.less_whole(&a, &b, strict, span);
        }
        self.less_whole(a, b, strict, span)
    }

    fn less_whole(&mut self, a: &Value, b: &Value, strict: bool, span: Span) -> Res<Bool> {
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
                    let less = self.less_whole(arm, other, strict, span)?;
                    parts.push(self.model.arena.and2(*cond, less));
                }
                Ok(self.model.arena.or(parts))
            }
            (other, V::Choice(_)) => {
                // a < b is not (b <= a)
                let reverse = self.less_whole(b, other, !strict, span)?;
                Ok(!reverse)
            }
            (V::None, _) | (_, V::None) => {
                undefined(Code::TypeMismatch, span, "none has no order; is the entry given? (`if given(…)`)")
            }
            _ => {
                let message = format!("{} and {} have no order", a.kind(), b.kind());
                mismatch(
                    span,
                    message,
                    "two numbers have one, and two strings, members of one enum, tuples, lists",
                )
            }
        }
    }

    /// Lexicographic order of two lists of terms, shorter first.
    pub fn lexicographic(&mut self, x: &[Value], y: &[Value], strict: bool, span: Span) -> Res<Bool> {
        let question = if strict { Question::Less } else { Question::AtMost };
        self.once(question, x, y, |this| {
            let n = x.len().min(y.len());
            let mut result = Bool::constant(ordered(x.len().cmp(&y.len()), strict));
            for at in (0..n).rev() {
                let less = this.less_whole(&x[at], &y[at], true, span)?;
                let equal = this.equal_whole(&x[at], &y[at], span)?;
                let rest = this.model.arena.and2(equal, result);
                result = this.model.arena.or2(less, rest);
            }
            Ok(result)
        })
    }

    /// `a in b`.
    pub fn contains(&mut self, a: &Value, b: &Value, span: Span) -> Res<Bool> {
        if a.holds_back() {
            let a = self.complete(a)?;
            return self.contains(&a, b, span);
        }
        match b {
            Value::Str(whole) => {
                let mut parts = Vec::new();
                for (cond, arm) in arms_of(a) {
                    if let Value::Str(part) = arm
                        && whole.contains(&**part)
                    {
                        parts.push(cond);
                    }
                }
                let inside = self.model.arena.or(parts);
                if inside == Bool::FALSE {
                    self.comparable(a, b, span)?;
                }
                Ok(inside)
            }
            Value::List(list) => self.member_of(a, list, span),
            Value::Tuple(parts) => {
                let inside = self.member_of(a, parts, span)?;
                if inside == Bool::FALSE {
                    self.one_shaped(a, parts, span)?;
                }
                Ok(inside)
            }
            Value::Choice(choice) => {
                let mut parts = Vec::new();
                for (cond, whole) in &choice.arms {
                    if let Some(inside) = self.arm(*cond, |this| this.contains(a, whole, span))? {
                        parts.push(self.model.arena.and2(*cond, inside));
                    }
                }
                Ok(self.model.arena.or(parts))
            }
            Value::Map(_) => {
                let help = "write `in keys(a)` or `in values(a)`";
                mismatch(span, "`in` an array: its keys or its values?", help)
            }
            Value::None => undefined(Code::TypeMismatch, span, "`in` wants a list, this is none"),
            other => {
                let help = "`v in [1, 3]`, `v in 1..3` and `\"a\" in text` ask whether v is there";
                mismatch(span, format!("`in` wants a list, this is {}", other.kind()), help)
            }
        }
    }

    fn member_of(&mut self, a: &Value, list: &Rc<[Value]>, span: Span) -> Res<Bool> {
        if a.is_known() {
            if list.len() <= 8 {
                if list.iter().all(Value::is_known) {
                    return Ok(Bool::constant(list.contains(a)));
                }
            } else if let Some(keys) = self.hashed(list)? {
                return Ok(Bool::constant(keys.contains(a)));
            }
        }
        if let Value::Number(term) = a
            && let Some(result) = self.in_intervals(*term, list, span)?
        {
            return Ok(result);
        }
        self.walked(list.len() as u64)?;
        let list = match self.complete(&Value::List(list.clone()))? {
            Value::List(whole) => whole,
            _ => list.clone(),
        };
        let mut parts = Vec::with_capacity(list.len());
        for item in list.iter() {
            match self.same(a, item, span)? {
                Bool::TRUE => return Ok(Bool::TRUE),
                part => parts.push(part),
            }
        }
        let inside = self.model.arena.or(parts);
        if inside == Bool::FALSE {
            self.one_comparable(a, &list, ("`in` looks for", "every entry"), span)?;
        }
        Ok(inside)
    }

    /// An unknown number in a list of known numbers: by intervals.
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
}

/// The possible values of a value, each with its condition.
fn arms_of(value: &Value) -> Vec<(Bool, &Value)> {
    match value {
        Value::Choice(choice) => choice.arms.iter().map(|(cond, arm)| (*cond, arm)).collect(),
        value => vec![(Bool::TRUE, value)],
    }
}

fn ordered(order: Ordering, strict: bool) -> bool {
    if strict { order == Ordering::Less } else { order != Ordering::Greater }
}
