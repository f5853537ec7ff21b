//! Declares decision variables, and binds them to values.

use super::fault::{Res, error, unknown};
use super::globals::Slot;
use super::ir::{Dim, DomainIr, Global, GlobalId, VarIr};
use super::run::{Eval, Mode};
use super::text::SHORT;
use super::value::{Choice, Keys, Map, Value};
use crate::diag::{Code, Diagnostic};
use crate::model::{Domain, VarId};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// Bytes of an index key: a value, and for a tuple its parts.
const KEY_BYTES: u64 = 96;

/// A declared variable or array of variables.
#[derive(Clone, Debug)]
pub struct VarArray {
    pub id: GlobalId,
    pub name: Rc<str>,
    /// `None` for a single variable.
    pub keys: Option<Rc<Keys>>,
    /// The first of its variables. The others follow in the order of the keys, row-major.
    pub first: VarId,
    /// The values of each variable, in the order of its positions; one shared list if all are equal.
    pub domains: Domains,
}

#[derive(Clone, Debug)]
pub enum Domains {
    Same(Rc<[Value]>),
    Each(Vec<Rc<[Value]>>),
}

impl VarArray {
    pub fn len(&self) -> usize {
        self.keys.as_ref().map_or(1, |keys| keys.len())
    }

    pub fn domain(&self, at: usize) -> &Rc<[Value]> {
        match &self.domains {
            Domains::Same(domain) => domain,
            Domains::Each(domains) => &domains[at],
        }
    }
}

impl Eval<'_> {
    /// Declares all variables, in declaration order.
    pub fn declare_all(&mut self) -> Result<(), Vec<Diagnostic>> {
        let mut faults = Vec::new();
        for id in self.program.var_ids() {
            let span = self.program.globals[id.0 as usize].span;
            if let Err(fault) = self.global(id, span) {
                faults.push(fault.into_diagnostic());
            }
        }
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }

    /// The keys of an index. Runs `each` for each key, with its pattern slots bound.
    pub(super) fn index_keys(
        &mut self,
        dims: &[Dim],
        each: &mut dyn FnMut(&mut Self, &Value) -> Res<()>,
    ) -> Res<Rc<[Value]>> {
        let mut keys = Vec::new();
        self.dimension(dims, &mut Vec::new(), &mut keys, each)?;
        Ok(keys.into())
    }

    fn dimension(
        &mut self,
        dims: &[Dim],
        prefix: &mut Vec<Value>,
        keys: &mut Vec<Value>,
        each: &mut dyn FnMut(&mut Self, &Value) -> Res<()>,
    ) -> Res<()> {
        let Some((dim, rest)) = dims.split_first() else {
            self.walked(1)?;
            self.budget.charge(KEY_BYTES)?;
            let key =
                if prefix.len() == 1 { prefix[0].clone() } else { Value::Tuple(prefix.as_slice().into()) };
            each(self, &key)?;
            keys.push(key);
            return Ok(());
        };
        let items = self.dimension_items(dim)?;
        for item in items.iter() {
            if let Some(pattern) = &dim.pattern {
                self.bind(pattern, item.clone(), dim.keys.span)?;
            }
            prefix.push(item.clone());
            let result = self.dimension(rest, prefix, keys, each);
            prefix.pop();
            result?;
        }
        Ok(())
    }

    /// The keys of one dimension: `n` means `1..n`.
    pub(super) fn dimension_items(&mut self, dim: &Dim) -> Res<Rc<[Value]>> {
        let value = self.eval(&dim.keys)?;
        let span = dim.keys.span;
        match &value {
            Value::Int(n) => {
                if *n > 1 << 28 {
                    return error(Code::NumberTooLarge, span, format!("an index of {n} entries"));
                }
                self.budget.step((*n).max(0) as u64)?;
                self.room_for((*n).max(0) as usize)?;
                Ok((1..=*n).map(Value::Int).collect())
            }
            Value::List(list) | Value::Tuple(list) => {
                if list.iter().all(Value::is_known) {
                    Ok(list.clone())
                } else {
                    unknown(span, "the keys of an index must be known before solving")
                }
            }
            Value::Number(_) | Value::Choice(_) => unknown(span, "a size must be known before solving"),
            Value::Map(_) => Err(Box::new(super::fault::Fault::Error(
                Diagnostic::error(Code::TypeMismatch, "an array as an index: its keys or its values?")
                    .at(span, "")
                    .help("write `keys(a)` or `values(a)`"),
            ))),
            other => error(
                Code::TypeMismatch,
                span,
                format!("an index is a number, range or list, not {}", other.kind()),
            ),
        }
    }

    /// Rejects keys and values of variables with long texts: they occur in names, maps and messages.
    fn nameable(&self, values: &[Value], global: &Global) -> Res<()> {
        self.walked(values.len() as u64)?;
        let Some(long) = values.iter().find(|value| !self.is_short(value)) else { return Ok(()) };
        let message = format!(
            "a key or a value of `{}` takes more than {SHORT} bytes to write, the limit: `{}`",
            global.name,
            self.text_of(long)
        );
        error(Code::LimitExceeded, global.span, message)
    }

    /// Declares the variables of one name and returns its value: terms.
    pub(super) fn declare(&mut self, id: GlobalId, global: &Global, var: &VarIr) -> Res<Value> {
        let dependent = var.dims.iter().any(|dim| dim.pattern.is_some());
        let span = var.domain_span;
        let (keys, domains) = self.frame(var.slots, |this| {
            if var.dims.is_empty() {
                let domain = this.var_domain(var)?;
                return Ok((None, Domains::Same(domain)));
            }
            let same = if dependent { None } else { Some(this.var_domain(var)?) };
            let mut each = Vec::new();
            let mut shared: FxHashMap<Value, Rc<[Value]>> = FxHashMap::default();
            let list = this.index_keys(&var.dims, &mut |this, _| {
                if same.is_none() {
                    let domain = this.var_domain(var)?;
                    let known = shared.entry(Value::List(domain.clone())).or_insert(domain);
                    each.push(known.clone());
                }
                Ok(())
            })?;
            let keys = Keys::within(list, this.budget)?;
            Ok((Some(keys), same.map_or(Domains::Each(each), Domains::Same)))
        })?;
        if let Some(keys) = &keys
            && let Some(at) = keys.repeated()
        {
            let key = self.text_of(&keys.list[at]);
            return error(
                Code::BadArgument,
                global.span,
                format!("the key `{key}` occurs twice in the index of `{}`", global.name),
            );
        }
        if let Some(keys) = &keys {
            self.nameable(&keys.list, global)?;
        }
        let first = VarId(self.model.vars.len() as u32);
        let array = VarArray { id, name: global.name.clone(), keys: keys.map(Rc::new), first, domains };
        let count = array.len();
        let bytes = (self.model.vars.len() + count) as u64 * 64 + self.model.arena.bytes();
        self.budget.hold(bytes)?;
        let mut model_domains: FxHashMap<*const Value, Domain> = FxHashMap::default();
        let mut values = Vec::with_capacity(count);
        for at in 0..count {
            let domain = array.domain(at).clone();
            if !model_domains.contains_key(&domain.as_ptr()) {
                self.nameable(&domain, global)?;
            }
            let model_domain =
                model_domains.entry(domain.as_ptr()).or_insert_with(|| model_domain(&domain)).clone();
            let var = self.model.add_var(model_domain);
            if domain.is_empty() {
                let name = self.entry_name(&array, at);
                self.warnings.push(
                    Diagnostic::warning(
                        Code::EmptyDomain,
                        format!("`{name}` has no allowed value: there is no solution"),
                    )
                    .at(span, ""),
                );
            }
            values.push(self.unknown_value(var, &domain));
        }
        self.vars.push(array.clone());
        Ok(match array.keys {
            None => values.remove(0),
            Some(keys) => Value::Map(Rc::new(Map::new(keys, values))),
        })
    }

    /// A variable as a value: a term, or its only value.
    fn unknown_value(&mut self, var: VarId, domain: &Rc<[Value]>) -> Value {
        if let [only] = &domain[..] {
            return only.clone();
        }
        match self.model.domain(var) {
            Domain::Bool => Value::Truth(self.model.arena.var_bool(var)),
            Domain::Ints(values) if !values.is_empty() => Value::Number(self.model.var_int(var)),
            _ => {
                let arms = domain.iter().enumerate();
                let arms =
                    arms.map(|(at, value)| (self.model.arena.is(var, at as u32), value.clone())).collect();
                Value::Choice(Rc::new(Choice { arms, var: Some(var) }))
            }
        }
    }

    /// The allowed values, in the order of their positions: numbers ascending, `none` last.
    fn var_domain(&mut self, var: &VarIr) -> Res<Rc<[Value]>> {
        let span = var.domain_span;
        let mut list: Vec<Value> = match &var.domain {
            DomainIr::Bool => vec![Value::Bool(false), Value::Bool(true)],
            DomainIr::Values(node) => {
                let value = self.eval(node)?;
                let list = match &value {
                    Value::List(list) => list.clone(),
                    Value::Map(_) | Value::Choice(_) | Value::Number(_) | Value::Truth(_) => {
                        return unknown(span, "a domain is a list of known values");
                    }
                    other => {
                        return error(
                            Code::TypeMismatch,
                            span,
                            format!("a domain is a list of values, not {}", other.kind()),
                        );
                    }
                };
                if !list.iter().all(Value::is_known) {
                    return unknown(span, "a domain must be known before solving");
                }
                if !var.optional
                    && list.iter().is_sorted()
                    && list.iter().all(|v| matches!(v, Value::Int(_)))
                    && list.windows(2).all(|pair| pair[0] != pair[1])
                {
                    return Ok(list);
                }
                list.to_vec()
            }
            _ => return error(Code::TypeMismatch, span, "a variable needs a finite domain"),
        };
        if var.optional {
            list.retain(|value| !matches!(value, Value::None));
            list.push(Value::None);
        }
        if list.iter().all(|value| matches!(value, Value::Int(_))) {
            list.sort();
        }
        let mut seen = rustc_hash::FxHashSet::default();
        for value in &list {
            if !seen.insert(value) {
                let text = self.text_of(value);
                return error(Code::BadArgument, span, format!("`{text}` occurs twice in the domain"));
            }
        }
        Ok(list.into())
    }

    /// Binds all variables to values and discards all dependent values.
    pub fn bind_all(&mut self, positions: &[u32]) {
        self.mode = Mode::Bound;
        let some: Vec<Option<u32>> = positions.iter().copied().map(Some).collect();
        self.set_vars(&some);
    }

    /// Binds the determined variables; the others stay terms. For drawings of partial assignments.
    pub fn bind_some(&mut self, positions: &[Option<u32>]) {
        self.mode = Mode::Partial;
        self.set_vars(positions);
    }

    /// Makes all variables terms again.
    pub fn unbind(&mut self) {
        self.mode = Mode::Ground;
        let none = vec![None; self.model.vars.len()];
        self.set_vars(&none);
    }

    fn set_vars(&mut self, positions: &[Option<u32>]) {
        for at in 0..self.globals.len() {
            if self.program.is_var_dependent(GlobalId(at as u32)) {
                self.globals[at] = Slot::Unset;
            }
        }
        let arrays = std::mem::take(&mut self.vars);
        for array in &arrays {
            let first = array.first.0 as usize;
            let mut values: Vec<Value> = Vec::with_capacity(array.len());
            for at in 0..array.len() {
                let domain = array.domain(at);
                values.push(match positions[first + at] {
                    Some(position) => domain.get(position as usize).cloned().unwrap_or(Value::None),
                    None => self.unknown_value(VarId((first + at) as u32), domain),
                });
            }
            let value = match &array.keys {
                None => values.remove(0),
                Some(keys) => Value::Map(Rc::new(Map::new(keys.clone(), values))),
            };
            self.globals[array.id.0 as usize] = Slot::Done(value);
        }
        self.vars = arrays;
    }

    /// `x[1, 2]`: a variable in model syntax.
    pub fn entry_name(&self, array: &VarArray, at: usize) -> String {
        match &array.keys {
            None => array.name.to_string(),
            Some(keys) => format!("{}[{}]", array.name, self.index_text(&keys.list[at])),
        }
    }

    /// A key as written between brackets.
    pub(super) fn index_text(&self, key: &Value) -> String {
        match key {
            Value::Tuple(parts) => {
                parts.iter().map(|part| self.name_literal(part)).collect::<Vec<_>>().join(", ")
            }
            key => self.name_literal(key),
        }
    }

    pub fn var_name(&self, var: VarId) -> String {
        match self.array_of(var) {
            Some((array, at)) => self.entry_name(array, at),
            None => format!("variable {}", var.0),
        }
    }
}

fn model_domain(domain: &[Value]) -> Domain {
    if let [Value::Bool(false), Value::Bool(true)] = domain {
        return Domain::Bool;
    }
    let ints: Option<Vec<i64>> = domain
        .iter()
        .map(|value| match value {
            Value::Int(i) => Some(*i),
            _ => None,
        })
        .collect();
    match ints {
        Some(ints) => Domain::Ints(ints.into()),
        None => Domain::Symbols(domain.len() as u32),
    }
}
