//! Generators: all combinations of the values of their patterns. Each guard is tested as early as possible.

use super::fault::{Fault, Res, error, mismatch};
use super::ir::{Gen, Node, Pat};
use super::run::Eval;
use super::value::{Held, Value};
use crate::diag::{Code, Diagnostic};
use crate::model::Bool;
use crate::shared::Span;
use std::rc::Rc;

impl Eval<'_> {
    /// Charges a list of `entries` entries: a few names can produce any number.
    pub fn room_for(&self, entries: usize) -> Res<()> {
        // the finished list is copied once
        Ok(self.budget.charge_for::<[Value; 2]>(entries)?)
    }

    /// Charges the space of one more entry in a list.
    pub(super) fn grow<T>(&self, items: &mut Vec<T>) -> Res<()> {
        if items.len() == items.capacity() {
            let more = items.len().max(4);
            self.budget.charge_for::<[T; 3]>(more)?;
            items.reserve_exact(more);
        }
        Ok(())
    }

    /// Appends the entries of another list.
    pub fn extend(&mut self, items: &mut Vec<Value>, list: &Value, span: Span) -> Res<()> {
        let more = self.to_list(list, span)?;
        self.budget.step(more.len() as u64)?;
        if items.capacity() - items.len() < more.len() {
            let wanted = more.len().max(items.len());
            self.room_for(wanted)?;
            items.reserve_exact(wanted);
        }
        items.extend_from_slice(&more);
        Ok(())
    }

    pub(super) fn collect(&mut self, value: &Node, gens: &[Gen]) -> Res<Vec<Value>> {
        let mut items = Vec::new();
        self.generate(gens, &mut |this| {
            this.grow(&mut items)?;
            items.push(this.entry(value)?);
            Ok(true)
        })?;
        Ok(items)
    }

    /// Runs `each` for every combination of the generators, until it returns false.
    pub(super) fn generate(
        &mut self,
        gens: &[Gen],
        each: &mut dyn FnMut(&mut Self) -> Res<bool>,
    ) -> Res<bool> {
        let Some((first, rest)) = gens.split_first() else {
            self.walked(1)?;
            return each(self);
        };
        match first {
            Gen::If(cond) => match self.eval_bool(cond)? {
                Bool::TRUE => self.generate(rest, each),
                Bool::FALSE => {
                    self.budget.step(1)?;
                    Ok(true)
                }
                _ => Err(Box::new(Fault::Unknown(
                    Diagnostic::error(Code::UnknownDependence, "a condition of a generator must be known")
                        .at(cond.span, "depends on a variable")
                        .help("to count where something unknown holds, write `count(a and b for …)`; for a rule, `a -> b`"),
                ))),
            },
            Gen::Let(pattern, value) => {
                let named = self.hold_all(value)?;
                self.bind(pattern, named, value.span)?;
                self.generate(rest, each)
            }
            Gen::In(pattern, list) => {
                let value = self.eval(list)?;
                let items = match &value {
                    Value::List(items) | Value::Tuple(items) => items.clone(),
                    Value::Map(_) => {
                        return Err(Box::new(Fault::Error(
                            Diagnostic::error(Code::TypeMismatch, "`in` an array: its keys or its values?")
                                .at(list.span, "")
                                .help("write `in keys(a)`, `in values(a)`, `in items(a)` or `in cells(a)`"),
                        )));
                    }
                    Value::Choice(_) => self.to_list(&value, list.span)?,
                    other => {
                        return mismatch(
                            list.span,
                            format!("`in` wants a list, this is {}", other.kind()),
                            "`for p in [a, b]`, `for k in 1..9` go through a list",
                        );
                    }
                };
                let places = self.candidates(pattern, &items, rest);
                for at in 0..places.as_ref().map_or(items.len(), |places| places.len()) {
                    let at = places.as_ref().map_or(at, |places| places[at] as usize);
                    self.bind(pattern, items[at].clone(), list.span)?;
                    if !self.generate(rest, each)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }

    #[inline]
    pub(super) fn bind(&mut self, pattern: &Pat, value: Value, span: Span) -> Res<()> {
        match pattern {
            Pat::Ignore => Ok(()),
            Pat::Slot(slot) => {
                let at = self.base + *slot as usize;
                self.stack[at] = value;
                Ok(())
            }
            Pat::Tuple(parts, pattern_span) => {
                let items = match &value {
                    Value::Tuple(items) | Value::List(items) => items,
                    // each part is as undefined as the whole
                    Value::Held(held) => {
                        for (at, part) in parts.iter().enumerate() {
                            let item = match &**held {
                                Held::Where(defined, Value::Tuple(items) | Value::List(items))
                                    if items.len() == parts.len() =>
                                {
                                    Value::Held(Rc::new(Held::Where(*defined, items[at].clone())))
                                }
                                Held::Where(_, whole) => return self.bind(pattern, whole.clone(), span),
                                Held::Fault(_) => value.clone(),
                            };
                            self.bind(part, item, span)?;
                        }
                        return Ok(());
                    }
                    other => {
                        return error(
                            Code::TypeMismatch,
                            *pattern_span,
                            format!("this pattern takes a tuple apart, the value is {}", other.kind()),
                        );
                    }
                };
                if items.len() != parts.len() {
                    return Err(Box::new(Fault::Error(
                        Diagnostic::error(
                            Code::TypeMismatch,
                            format!("this pattern has {} parts, the value {}", parts.len(), items.len()),
                        )
                        .at(*pattern_span, "")
                        .at(span, "the value comes from here"),
                    )));
                }
                for (part, item) in parts.iter().zip(items.iter()) {
                    self.bind(part, item.clone(), span)?;
                }
                Ok(())
            }
        }
    }
}
