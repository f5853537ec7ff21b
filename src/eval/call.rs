//! Calls of the model's functions, of built-ins, and of built-ins over a comprehension.

use super::fault::{Fault, Res, undefined};
use super::ir::{DefId, Gen, Kind, Node, Pat};
use super::run::{Eval, MAX_DEPTH};
use super::value::Value;
use crate::builtins::Builtin;
use crate::diag::{Code, Diagnostic};
use crate::model::Bool;
use crate::shared::Span;

/// Bytes of a tuple of two.
pub(super) const PAIR: u64 = 16 + 2 * size_of::<Value>() as u64;
/// So few entries are not charged to the budget.
const FEW: usize = 64;

impl Eval<'_> {
    pub(super) fn call(&mut self, def: DefId, args: &[Node], span: Span) -> Res<Value> {
        self.called(def, args, span).map_err(|mut fault| {
            // the fault is in the model, not in the library
            if let Fault::Undefined(diagnostic) | Fault::Unknown(diagnostic) | Fault::Error(diagnostic) =
                &mut *fault
                && diagnostic.labels.first().is_some_and(|(place, _)| self.program.in_library(place.file))
                && !self.program.in_library(span.file)
            {
                let name = &self.program.defs[def.0 as usize].name;
                diagnostic.labels.insert(0, (span, format!("`{name}` of the library cannot take this")));
            }
            fault
        })
    }

    fn called(&mut self, def: DefId, args: &[Node], span: Span) -> Res<Value> {
        let program = self.program;
        let def = &program.defs[def.0 as usize];
        if args.len() != def.params.len() {
            return Err(Box::new(Fault::Error(
                Diagnostic::error(
                    Code::ArgumentCount,
                    format!("`{}` takes {} arguments, {} given", def.name, def.params.len(), args.len()),
                )
                .at(span, "")
                .at(def.span, "defined here"),
            )));
        }
        if self.depth >= MAX_DEPTH {
            return Err(Box::new(Fault::Error(
                Diagnostic::error(
                    Code::RecursionTooDeep,
                    format!("`{}` calls itself more than {MAX_DEPTH} deep", def.name),
                )
                .at(span, "")
                .at(def.span, "defined here")
                .help("does the recursion end? Its condition must be known"),
            )));
        }
        self.budget.step(1)?;
        let base = self.stack.len();
        self.stack.resize(base + def.body.slots as usize, Value::None);
        for (param, arg) in def.params.iter().zip(args) {
            if let (Pat::Tuple(parts, _), Kind::Local(from)) = (param, &arg.kind)
                && self.unpack(parts, self.base + *from as usize, base)
            {
                continue;
            }
            let value = self.hold_all(arg)?;
            match param {
                Pat::Slot(slot) => self.stack[base + *slot as usize] = value,
                param => {
                    let saved = std::mem::replace(&mut self.base, base);
                    let bound = self.bind(param, value, arg.span);
                    self.base = saved;
                    bound?;
                }
            }
        }
        let saved = std::mem::replace(&mut self.base, base);
        self.depth += 1;
        let result = self.eval(&def.body.node);
        self.depth -= 1;
        self.base = saved;
        self.stack.truncate(base);
        result
    }

    pub(super) fn builtin(&mut self, builtin: &Builtin, args: &[Node], span: Span) -> Res<Value> {
        if builtin.returns_bool {
            let result = self.boolean(|this| {
                let args = this.arguments(builtin, args, 0)?;
                let value = (builtin.run)(this, &args, span)?;
                this.to_bool(&value, span)
            })?;
            return Ok(Value::truth(result));
        }
        let args = self.arguments(builtin, args, 0)?;
        let value = (builtin.run)(self, &args, span)?;
        self.used(value)
    }

    /// The values of the arguments from number `first` on.
    fn arguments(&mut self, builtin: &Builtin, args: &[Node], first: usize) -> Res<Vec<Value>> {
        let mut values = Vec::with_capacity(args.len());
        for (at, node) in (first..).zip(args) {
            values.push(match builtin.name {
                // as with `if`: `get` is a short form of it
                "get" if at == 2 => self.hold_all(node)?,
                _ => {
                    let value = self.eval(node)?;
                    self.argument(builtin, value)?
                }
            });
        }
        Ok(values)
    }

    fn argument(&mut self, builtin: &Builtin, value: Value) -> Res<Value> {
        if builtin.takes_whole_lists() { self.complete(&value) } else { Ok(value) }
    }

    /// Counts the entries that a built-in goes through, and charges a pair and a list slot for each of them.
    /// A built-in that allocates more charges the rest itself.
    pub fn gone_through(&self, entries: usize) -> Res<()> {
        self.walked(entries as u64 + 1)?;
        if entries > FEW {
            let bytes = PAIR + 2 * size_of::<Value>() as u64;
            self.budget.charge((entries as u64).saturating_mul(bytes))?;
        }
        Ok(())
    }

    pub(super) fn aggregate(
        &mut self,
        builtin: &Builtin,
        value: &Node,
        gens: &[Gen],
        more: &[Node],
        span: Span,
    ) -> Res<Value> {
        if builtin.returns_bool {
            let result = self.boolean(|this| {
                let value = this.aggregate_inside(builtin, value, gens, more, span)?;
                this.to_bool(&value, span)
            })?;
            return Ok(Value::truth(result));
        }
        self.aggregate_inside(builtin, value, gens, more, span)
    }

    fn aggregate_inside(
        &mut self,
        builtin: &Builtin,
        value: &Node,
        gens: &[Gen],
        more: &[Node],
        span: Span,
    ) -> Res<Value> {
        match builtin.name {
            "any" | "all" => {
                let stop = builtin.name == "any";
                let mut parts = Vec::new();
                let finished = self.generate(gens, &mut |this| {
                    let part = this.eval_bool(value)?;
                    if part == Bool::constant(stop) {
                        return Ok(false);
                    }
                    if part != Bool::constant(!stop) {
                        parts.push(part);
                    }
                    Ok(true)
                })?;
                if !finished {
                    return Ok(Value::Bool(stop));
                }
                let term = if stop { self.model.arena.or(parts) } else { self.model.arena.and(parts) };
                Ok(Value::truth(term))
            }
            "first" => {
                let mut found = None;
                self.generate(gens, &mut |this| {
                    found = Some(this.eval(value)?);
                    Ok(false)
                })?;
                match found {
                    Some(value) => Ok(value),
                    None => undefined(Code::BadArgument, span, "`first` of nothing"),
                }
            }
            _ => {
                let items = Value::list(self.collect(value, gens)?);
                let mut args = vec![self.argument(builtin, items)?];
                args.extend(self.arguments(builtin, more, 1)?);
                let value = (builtin.run)(self, &args, span)?;
                self.used(value)
            }
        }
    }
}
