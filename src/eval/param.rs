//! Parameters: the sources of their values, and the check of single values against their domains.

use super::arrays::Shape;
use super::domain::{Allowed, Kind};
use super::fault::{Fault, Res};
use super::globals::Slot;
use super::ir::{Global, GlobalId, GlobalKind, ParamIr, Supply};
use super::run::Eval;
use super::value::{Keys, Map, Value};
use crate::diag::{Code, Diagnostic};
use crate::shared::{FileId, Span};
use std::rc::Rc;

impl Eval<'_> {
    pub(super) fn supply(&self, id: GlobalId) -> Option<Rc<Supply>> {
        let program = self.program;
        self.supplied
            .get(&id)
            .or_else(|| program.supplies.get(&id))
            .or_else(|| program.defaults.get(&id))
            .cloned()
    }

    /// Gives a parameter a new text, as `-D` does, and discards all values that depend on it.
    pub fn supply_text(&mut self, name: &str, file: FileId, text: &str) -> Result<(), Diagnostic> {
        let at = Span::new(file, 0, text.len());
        let id = self.program.parameter(name, at)?;
        self.supply_with(id, Supply::Raw { text: text.into(), at });
        Ok(())
    }

    /// Gives a parameter a new JSON value, and discards all values that depend on it.
    pub fn supply_json(&mut self, name: &str, value: serde_json::Value, at: Span) -> Result<(), Diagnostic> {
        let id = self.program.parameter(name, at)?;
        self.supply_with(id, Supply::Json { value, at });
        Ok(())
    }

    pub(super) fn supply_with(&mut self, id: GlobalId, supply: Supply) {
        self.supplied.insert(id, Rc::new(supply));
        self.places.remove(&id);
        for affected in self.program.affected([id]) {
            self.globals[affected.0 as usize] = Slot::Unset;
        }
    }

    /// Evaluates every parameter, so that unused data are checked too. Reports all faults at once.
    pub fn check_params(&mut self) -> Result<(), Vec<Diagnostic>> {
        let mut faults = Vec::new();
        let program = self.program;
        for (at, global) in program.globals.iter().enumerate() {
            if let GlobalKind::Param(_) = global.kind
                && let Err(fault) = self.global(GlobalId(at as u32), global.span)
            {
                let fault = fault.into_diagnostic();
                if !faults.contains(&fault) {
                    faults.push(fault);
                }
            }
        }
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }

    /// Every parameter with its value, in the order of the model. Reports all faults at once.
    pub fn param_values(&mut self) -> Result<Vec<(Rc<str>, Value)>, Vec<Diagnostic>> {
        self.check_params()?;
        let program = self.program;
        let ready = program.globals.iter().enumerate().filter_map(|(at, global)| {
            let GlobalKind::Param(_) = global.kind else { return None };
            Some((global.name.clone(), self.ready(GlobalId(at as u32))?.clone()))
        });
        Ok(ready.collect())
    }

    /// The value of a parameter.
    pub(super) fn param(&mut self, id: GlobalId, global: &Global, param: &ParamIr) -> Res<Value> {
        self.frame(param.slots, |this| {
            let Some(supply) = this.supply(id) else {
                return this.size_from_data(id, global);
            };
            if param.dims.is_empty() {
                return this.scalar(global, param, &supply);
            }
            this.array(id, global, param, &supply)
        })
    }

    /// Evaluates the expression of a `-D` text.
    pub(super) fn parsed(&mut self, text: &str, at: Span) -> Res<Value> {
        match self.program.expression(at.file, text) {
            Ok(body) => {
                // a body lives as long as its evaluation
                self.body(&body)
            }
            Err(mut faults) => Err(Box::new(Fault::Error(faults.swap_remove(0)))),
        }
    }

    fn scalar(&mut self, global: &Global, param: &ParamIr, supply: &Supply) -> Res<Value> {
        let allowed = self.allowed(param)?;
        let (value, at) = match supply {
            Supply::Literal { text, at } => (self.scalar_text(&allowed, text), *at),
            Supply::Raw { text, at } => {
                let trimmed = text.trim();
                let value = match &allowed.kind {
                    Kind::Text | Kind::Word => self.scalar_text(&allowed, text),
                    Kind::Values { numbers: false, .. } if allowed.entry(trimmed).is_some() => {
                        allowed.entry(trimmed).unwrap_or(Value::None)
                    }
                    Kind::Int | Kind::Bool | Kind::Values { .. }
                        if allowed.entry(trimmed).is_some_and(|v| v != Value::None) =>
                    {
                        allowed.entry(trimmed).unwrap_or(Value::None)
                    }
                    _ => self.parsed(text, *at)?,
                };
                (value, *at)
            }
            Supply::Value(body) => (self.body(body)?, body.node.span),
            Supply::Json { value, at } => (self.json_value(&allowed, value), *at),
        };
        let value = match (value, &allowed.kind) {
            (Value::Tuple(items), Kind::List) => Value::List(items),
            (value, _) => value,
        };
        if !value.is_known() {
            return super::fault::unknown(
                at,
                format!("the parameter `{}` must be known before solving", global.name),
            );
        }
        if !allowed.has(&value) {
            return self.outside(global, param, &allowed, &value, at, None);
        }
        Ok(value)
    }

    fn scalar_text(&mut self, allowed: &Allowed, text: &Rc<str>) -> Value {
        match &allowed.kind {
            Kind::Any | Kind::Text | Kind::Word | Kind::List => Value::Str(text.clone()),
            _ => allowed.entry(text).unwrap_or_else(|| Value::Str(text.clone())),
        }
    }

    pub(super) fn outside<T>(
        &self,
        global: &Global,
        param: &ParamIr,
        allowed: &Allowed,
        value: &Value,
        at: Span,
        key: Option<&Value>,
    ) -> Res<T> {
        let entry = key.map(|key| format!("[{}]", self.text_of(key).trim_matches(['(', ')']).to_owned()));
        let mut fault = Diagnostic::error(
            Code::OutsideDomain,
            format!("`{}{}` may not be {}", global.name, entry.unwrap_or_default(), self.literal_of(value)),
        )
        .at(at, "");
        if let Some(span) = param.domain_span {
            fault = fault.at(span, "the allowed values");
        }
        fault = fault.help(format!("expected {}", allowed.expected(self)));
        if let (Kind::Text | Kind::Word, Value::Int(n)) = (&allowed.kind, value) {
            fault = fault.help(format!("a text stands in quotes: `\"{n}\"`"));
        }
        Err(fault.into())
    }

    fn array(&mut self, id: GlobalId, global: &Global, param: &ParamIr, supply: &Supply) -> Res<Value> {
        let list = self.index_keys(&param.dims, &mut |_, _| Ok(()))?;
        let keys = Rc::new(Keys::new(list));
        let mut sizes = Vec::with_capacity(param.dims.len());
        for dim in &param.dims {
            sizes.push(self.dimension_items(dim)?.len());
        }
        let allowed = self.allowed(param)?;
        let shape = Shape { global, param, allowed: &allowed, keys: &keys, sizes: &sizes };
        let read = self.read(&shape, supply);
        let (mut values, places) =
            read.map_err(|fault| Box::new(self.with_origin_of_sizes(id, param, *fault)))?;
        for left_out in self.left_out.iter().filter(|entry| entry.param == id) {
            values[left_out.at] = Value::None;
        }
        self.places.insert(id, places);
        Ok(Value::Map(Rc::new(Map::new(keys, values))))
    }
}
