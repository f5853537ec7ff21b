//! Undefined expressions (a division by 0, an entry outside an array): the smallest boolean expression around
//! one is false (relational semantics: Frisch and Stuckey, CP 2009).
//!
//! While terms are made, a definedness condition waits until that boolean expression is complete. The value
//! of a name, an argument or a list entry keeps its own condition with it ([`Held`]). The condition counts
//! where the value is used, as if its expression stood there.

use super::fault::{Fault, Res, undefined};
use super::ir::Node;
use super::run::{Eval, Mode};
use super::value::{Choice, Held, Map, Value};
use crate::diag::Code;
use crate::model::presolve::presolve;
use crate::model::{Asserted, Bool, Instance};
use crate::shared::Span;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The largest number of assignments tried for one condition.
const MOST_TRIED: u32 = 1 << 14;

/// Parts visited before visits are noted, as in `walk`.
const NOTED_AFTER: usize = 1 << 10;

/// Completed parts, by address: where they are defined, and their completed value if anything in them was
/// held. The part itself is kept, so its address is not reused.
#[derive(Default)]
struct Whole {
    count: usize,
    parts: FxHashMap<usize, (Bool, Option<Value>, Value)>,
}

impl Eval<'_> {
    /// Records that the current expression is defined only where `cond` holds.
    pub fn require(&mut self, cond: Bool) {
        if cond != Bool::TRUE {
            self.pending.push(cond);
        }
    }

    /// Runs `inside` as a boolean expression: takes up pending definedness conditions.
    pub fn boolean(&mut self, inside: impl FnOnce(&mut Self) -> Res<Bool>) -> Res<Bool> {
        let mark = self.pending.len();
        match inside(self) {
            Ok(result) if self.pending.len() == mark => Ok(result),
            Ok(result) => {
                let conds: Vec<Bool> = self.pending.drain(mark..).chain([result]).collect();
                Ok(self.model.arena.and(conds))
            }
            Err(fault) if self.mode != Mode::Ground && matches!(*fault, Fault::Undefined(_)) => {
                self.pending.truncate(mark);
                Ok(Bool::FALSE)
            }
            Err(fault) => Err(fault),
        }
    }

    /// Runs `inside` for an entry: its definedness conditions stay with the value.
    pub(super) fn hold(&mut self, inside: impl FnOnce(&mut Self) -> Res<Value>) -> Res<Value> {
        let mark = self.pending.len();
        match inside(self).and_then(|value| self.used(value)) {
            Ok(value) if self.pending.len() == mark => Ok(value),
            Ok(value) => {
                let required = self.required_since(mark);
                Ok(match self.model.arena.and(required) {
                    Bool::TRUE => value,
                    defined => Value::Held(Rc::new(Held::Where(defined, value))),
                })
            }
            Err(fault) => {
                self.pending.truncate(mark);
                match *fault {
                    Fault::Undefined(_) if self.mode != Mode::Ground => {
                        Ok(Value::Held(Rc::new(Held::Fault(*fault))))
                    }
                    _ => Err(fault),
                }
            }
        }
    }

    /// The value of a name or an argument: even a fault counts only where the name is used.
    pub(super) fn hold_all(&mut self, node: &Node) -> Res<Value> {
        match self.hold(|this| this.eval(node)) {
            Err(fault) if fault.may_wait() => Ok(Value::Held(Rc::new(Held::Fault(*fault)))),
            result => result,
        }
    }

    /// Resolves a held value at its use.
    pub(super) fn used(&mut self, value: Value) -> Res<Value> {
        let mut value = value;
        while let Value::Held(held) = &value {
            value = match &**held {
                Held::Where(defined, value) => {
                    self.require(*defined);
                    value.clone()
                }
                Held::Fault(fault) => return Err(Box::new(fault.clone())),
            };
        }
        Ok(value)
    }

    /// The value with all its parts resolved.
    pub fn complete(&mut self, value: &Value) -> Res<Value> {
        let back = value.holds_back();
        self.walked(0)?;
        if !back {
            return Ok(value.clone());
        }
        let whole = self.completed(value, &mut Whole::default())?;
        Ok(whole.unwrap_or_else(|| value.clone()))
    }

    /// `None`: nothing in it is held.
    fn completed(&mut self, value: &Value, known: &mut Whole) -> Res<Option<Value>> {
        let (at, len) = match value {
            Value::Held(_) => {
                let value = self.used(value.clone())?;
                let whole = self.completed(&value, known)?;
                return Ok(Some(whole.unwrap_or(value)));
            }
            Value::Tuple(parts) | Value::List(parts) => (parts.as_ptr() as usize, parts.len()),
            Value::Map(map) => (Rc::as_ptr(map) as usize, map.values.len()),
            Value::Choice(choice) => (Rc::as_ptr(choice) as usize, choice.arms.len()),
            _ => return Ok(None),
        };
        if let Some((defined, whole, _)) = known.parts.get(&at) {
            self.require(*defined);
            return Ok(whole.clone());
        }
        self.walked(len as u64 + 1)?;
        known.count += len + 1;
        let mark = self.pending.len();
        let whole = match value {
            Value::Tuple(parts) => self.completed_all(parts, known)?.map(Value::tuple),
            Value::List(parts) => self.completed_all(parts, known)?.map(Value::list),
            Value::Map(map) => self
                .completed_all(&map.values, known)?
                .map(|values| Value::Map(Rc::new(Map::new(map.keys.clone(), values)))),
            Value::Choice(choice) => self.completed_arms(choice, known)?,
            _ => None,
        };
        if known.count > NOTED_AFTER {
            let required = self.required_since(mark);
            let defined = self.model.arena.and(required);
            self.require(defined);
            known.parts.insert(at, (defined, whole.clone(), value.clone()));
        }
        Ok(whole)
    }

    fn completed_all(&mut self, values: &[Value], known: &mut Whole) -> Res<Option<Vec<Value>>> {
        let mut whole: Option<Vec<Value>> = None;
        for (at, value) in values.iter().enumerate() {
            if let Some(value) = self.completed(value, known)? {
                if whole.is_none() {
                    self.room_for(values.len())?;
                }
                whole.get_or_insert_with(|| values.to_vec())[at] = value;
            }
        }
        Ok(whole)
    }

    fn completed_arms(&mut self, choice: &Choice, known: &mut Whole) -> Res<Option<Value>> {
        let mut arms = Vec::with_capacity(choice.arms.len());
        let mut same = true;
        for (cond, arm) in &choice.arms {
            match self.arm(*cond, |this| this.completed(arm, known))? {
                Some(None) => arms.push((*cond, arm.clone())),
                Some(Some(whole)) => {
                    same = false;
                    arms.push((*cond, whole));
                }
                None => same = false,
            }
        }
        Ok(if same { None } else { Some(Value::Choice(Rc::new(Choice { arms, var: None }))) })
    }

    /// After a value that is no boolean: a pending definedness condition is a fault, unless it always holds.
    pub fn settle(&mut self, mark: usize, span: Span) -> Res<()> {
        let mut required = self.required_since(mark);
        required.sort_unstable();
        required.dedup();
        for cond in required {
            if !self.always(cond)? {
                return undefined(
                    Code::UndefinedTerm,
                    span,
                    "this value may be undefined, and no comparison stands around it",
                );
            }
        }
        Ok(())
    }

    /// Does a condition hold for all values of the variables, whatever the rules are? False also if this is
    /// not found out: a few assignments are tried one by one; for many, propagation must refute the negation.
    fn always(&mut self, cond: Bool) -> Res<bool> {
        let vars = self.model.touched(cond);
        let sizes: Vec<u32> = vars.iter().map(|var| self.model.domain(*var).size() as u32).collect();
        let product = sizes.iter().try_fold(1u32, |product, size| product.checked_mul(*size));
        let Some(product @ 0..=MOST_TRIED) = product else {
            let contrary = Asserted { what: !cond, instance: Instance::BOUND };
            let rules = std::mem::replace(&mut self.model.rules, vec![contrary]);
            let known = presolve(&self.model, self.budget);
            self.model.rules = rules;
            return Ok(known?.contradiction.is_some());
        };
        let mut positions = vec![0; self.model.vars.len()];
        for mut number in 0..product {
            self.budget.step(1)?;
            for (var, size) in vars.iter().zip(&sizes) {
                positions[var.0 as usize] = number % size;
                number /= size;
            }
            if !self.model.holds(cond, &positions) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    pub fn pending_mark(&self) -> usize {
        self.pending.len()
    }

    /// Takes the conditions pushed since `mark`.
    pub(super) fn required_since(&mut self, mark: usize) -> Vec<Bool> {
        self.pending.drain(mark..).collect()
    }

    /// Runs `inside` for the case that `cond` holds: its conditions matter only there.
    pub(super) fn branch<T>(&mut self, cond: Bool, inside: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        let mark = self.pending.len();
        let result = inside(self);
        for required in self.required_since(mark) {
            let weaker = self.model.arena.implies(cond, required);
            self.require(weaker);
        }
        result
    }

    /// The value of an arm that is chosen where `cond` holds; `None` if it is undefined in any case.
    pub(super) fn arm<T>(&mut self, cond: Bool, inside: impl FnOnce(&mut Self) -> Res<T>) -> Res<Option<T>> {
        match self.branch(cond, inside) {
            Err(fault) if matches!(*fault, Fault::Undefined(_)) => {
                self.require(!cond);
                Ok(None)
            }
            result => result.map(Some),
        }
    }

    pub(super) fn forget_pending(&mut self, mark: usize) {
        self.pending.truncate(mark);
    }
}
