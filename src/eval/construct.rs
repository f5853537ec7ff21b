//! Lists, maps, tuples, ranges and quantifiers: expressions that build a value of many parts.
//!
//! In: resolved expressions. Out: values; their parts may be undefined, and are then held until they are used.

use super::call::PAIR;
use super::fault::{Fault, Res, error, unknown};
use super::ir::{Gens, Node};
use super::run::{Eval, Mode};
use super::value::{Choice, Keys, Map, Value};
use crate::diag::{Code, Diagnostic};
use crate::model::Bool;
use crate::shared::Span;
use std::rc::Rc;

/// The most numbers of a range.
const MOST_IN_RANGE: u64 = 1 << 28;

impl Eval<'_> {
    pub(super) fn tuple(&mut self, parts: &[Node]) -> Res<Value> {
        match parts {
            [a, b] => {
                self.budget.charge(PAIR)?;
                Ok(Value::pair(self.part(a)?, self.part(b)?))
            }
            parts => {
                self.room_for(parts.len())?;
                Ok(Value::Tuple(parts.iter().map(|part| self.part(part)).collect::<Res<_>>()?))
            }
        }
    }

    pub(super) fn list(&mut self, parts: &[Node]) -> Res<Value> {
        self.room_for(parts.len())?;
        let items = parts.iter().map(|part| self.entry(part)).collect::<Res<Vec<Value>>>()?;
        Ok(Value::list(items))
    }

    pub(super) fn map(&mut self, pairs: &[(Node, Node)], span: Span) -> Res<Value> {
        let mut items = Vec::with_capacity(pairs.len());
        for (key, value) in pairs {
            items.push((self.key(key)?, self.entry(value)?));
        }
        self.map_of(items, span)
    }

    pub(super) fn map_for(&mut self, key: &Node, value: &Node, gens: &Gens, span: Span) -> Res<Value> {
        let mut items = Vec::new();
        self.generate(gens, &mut |this| {
            let key = this.key(key)?;
            this.grow(&mut items)?;
            items.push((key, this.entry(value)?));
            Ok(true)
        })?;
        self.map_of(items, span)
    }

    fn key(&mut self, key: &Node) -> Res<Value> {
        let value = self.eval(key)?;
        if value.is_known() { Ok(value) } else { unknown(key.span, "a key must be known before solving") }
    }

    /// The conjunction of `body`, up to the first instance that is known to be false.
    pub(super) fn for_all(&mut self, gens: &Gens, body: &Node) -> Res<Value> {
        let mut conjuncts = Vec::new();
        let mut known_false = false;
        self.generate(gens, &mut |this| {
            match this.eval_bool(body)? {
                Bool::TRUE => {}
                Bool::FALSE => known_false = true,
                part => {
                    this.grow(&mut conjuncts)?;
                    conjuncts.push(part);
                }
            }
            Ok(!known_false)
        })?;
        match known_false {
            true => Ok(Value::Bool(false)),
            false => Ok(Value::truth(self.model.arena.and(conjuncts))),
        }
    }

    pub(super) fn concat(&mut self, parts: &[Node]) -> Res<Value> {
        let mut items = Vec::new();
        for part in parts {
            match self.eval(part)? {
                Value::Str(_) => {
                    return Err(Box::new(Fault::Error(
                        Diagnostic::error(Code::TypeMismatch, "`++` joins lists, this is a string")
                            .at(part.span, "")
                            .help("strings are joined by `\"{a}{b}\"`"),
                    )));
                }
                value => self.extend(&mut items, &value, part.span)?,
            }
        }
        Ok(Value::list(items))
    }

    pub(super) fn range(&mut self, first: &Node, last: &Node, span: Span) -> Res<Value> {
        let (a, b) = (self.eval(first)?, self.eval(last)?);
        let (a, b) = (self.range_end(&a, first.span)?, self.range_end(&b, last.span)?);
        let n = if b < a { 0 } else { (b.wrapping_sub(a) as u64).saturating_add(1) };
        if n > MOST_IN_RANGE {
            return error(
                Code::NumberTooLarge,
                span,
                format!("a range of more than {MOST_IN_RANGE} numbers"),
            );
        }
        self.budget.step(n)?;
        self.room_for(n as usize)?;
        Ok(Value::List((a..=b).map(Value::Int).collect()))
    }

    fn range_end(&mut self, value: &Value, span: Span) -> Res<i64> {
        self.to_known(value, span, "the end of a range").map_err(|mut fault| {
            if let Fault::Unknown(diagnostic) = &mut *fault {
                let help = "let the range have known ends, and put the unknown into a condition: \
                            `for i in 1..9: i <= n -> …`, `sum(x[i] * int(i <= n) for i in 1..9)`";
                diagnostic.help.push(help.into());
            }
            fault
        })
    }

    fn part(&mut self, node: &Node) -> Res<Value> {
        match self.quick_value(node) {
            Some(value) if !matches!(value, Value::Held(_)) => Ok(value.clone()),
            _ => self.hold(|this| this.eval(node)),
        }
    }

    /// An entry of a list or map; an entry that is not determined yet is drawn as `·`.
    pub(super) fn entry(&mut self, node: &Node) -> Res<Value> {
        match self.part(node) {
            Err(fault) if self.mode == Mode::Partial && matches!(*fault, Fault::Unknown(_)) => {
                Ok(Value::Choice(Rc::new(Choice { arms: Vec::new(), var: None })))
            }
            result => result,
        }
    }

    fn map_of(&mut self, items: Vec<(Value, Value)>, span: Span) -> Res<Value> {
        let (keys, values): (Vec<Value>, Vec<Value>) = items.into_iter().unzip();
        self.room_for(2 * keys.len())?;
        let keys = Keys::within(keys.into(), self.budget)?;
        if let Some(at) = keys.repeated() {
            let key = self.text_of(&keys.list[at]);
            return error(Code::BadArgument, span, format!("the key `{key}` occurs twice"));
        }
        Ok(Value::Map(Rc::new(Map::new(Rc::new(keys), values))))
    }
}
