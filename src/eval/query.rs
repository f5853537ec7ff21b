//! Questions about a solution: the value of a user's expression, and the places of variables in a drawing.

use super::fault::Fault;
use super::ir::{Body, GlobalId, GlobalKind, ParamIr};
use super::run::Eval;
use super::value::Value;
use super::vars::VarArray;
use crate::diag::{Code, Diagnostic};
use crate::model::{Bool, VarId};
use crate::render::{Data, Marks};
use crate::shared::Span;

/// An expression and the value it has in a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Evaluated {
    /// In model syntax.
    pub value: String,
    /// The same as data, for other programs.
    pub data: Data,
    /// The condition that it has this value.
    pub holds: Bool,
}

/// An entry of a parameter that could be `none` instead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GivenEntry {
    pub param: GlobalId,
    /// The position of its key.
    pub at: usize,
    pub place: Option<Span>,
}

impl Eval<'_> {
    /// The given entries of all arrays whose entries may be `none`, without those left out.
    pub fn given_entries(&self) -> Vec<GivenEntry> {
        let mut entries = Vec::new();
        for (at, global) in self.program.globals.iter().enumerate() {
            let param = GlobalId(at as u32);
            let GlobalKind::Param(ParamIr { optional: true, dims, .. }) = &global.kind else { continue };
            if let Some(Value::Map(map)) = self.ready(param)
                && !dims.is_empty()
            {
                let places = self.places.get(&param);
                let place = |at: usize| places.and_then(|places| places.get(at).copied());
                let given = map.values.iter().enumerate().filter(|(_, value)| **value != Value::None);
                entries.extend(given.map(|(at, _)| GivenEntry { param, at, place: place(at) }));
            }
        }
        entries
    }

    /// `clue[1, 2] = 5`, in data syntax.
    pub fn given_text(&self, entry: GivenEntry) -> String {
        let name = &self.program.globals[entry.param.0 as usize].name;
        match self.ready(entry.param) {
            Some(Value::Map(map)) => {
                let key = self.index_text(&map.keys.list[entry.at]);
                format!("{name}[{key}] = {}", self.literal_of(&map.values[entry.at]))
            }
            _ => name.to_string(),
        }
    }

    /// The places of these entries in drawings.
    pub fn given_marks(&self, entries: &[GivenEntry]) -> Marks {
        let mut marks = Marks::default();
        for entry in entries {
            if let Some(Value::Map(map)) = self.ready(entry.param) {
                self.mark(&map.keys.list[entry.at], entry.at, &mut marks);
            }
        }
        marks
    }

    /// The value of `body` with the variables at `positions`, and the condition that it has this value.
    pub fn asked(&mut self, body: &Body, positions: &[u32]) -> Result<Evaluated, Diagnostic> {
        self.bind_all(positions);
        let value = self.body(body).and_then(|value| self.complete(&value));
        self.unbind();
        let value = value.map_err(|fault| match *fault {
            Fault::Undefined(fault) => fault.note("in the solution that was found first"),
            fault => fault.into_diagnostic(),
        })?;
        if let Value::Map(_) | Value::Drawing(_) = value {
            let what = format!("one value is wanted, this is {}", value.kind());
            return Err(Diagnostic::error(Code::TypeMismatch, what)
                .at(body.node.span, "")
                .help("ask for an entry, such as `x[1, 2]`, or a comparison"));
        }
        let holds = self.boolean(|this| {
            let term = this.body(body)?;
            this.equal(&term, &value, body.node.span)
        });
        let holds = holds.map_err(|fault| fault.into_diagnostic())?;
        Ok(Evaluated { value: self.literal_of(&value), data: self.data(&value), holds })
    }

    /// The value of a variable at a position, in model syntax.
    pub fn value_text(&self, var: VarId, position: u32) -> String {
        self.value_at(var, position).map_or_else(String::new, |value| self.name_literal(value))
    }

    /// The same as data, for other programs.
    pub fn value_data(&self, var: VarId, position: u32) -> Data {
        self.value_at(var, position).map_or(Data::None, |value| self.data(value))
    }

    fn value_at(&self, var: VarId, position: u32) -> Option<&Value> {
        self.array_of(var).and_then(|(array, at)| array.domain(at).get(position as usize))
    }

    /// The places of these variables in drawings.
    pub fn marks(&self, vars: &[VarId]) -> Marks {
        let mut marks = Marks::default();
        for var in vars {
            if let Some((array, at)) = self.array_of(*var)
                && let Some(keys) = &array.keys
            {
                self.mark(&keys.list[at], at, &mut marks);
            }
        }
        marks
    }

    fn mark(&self, key: &Value, at: usize, marks: &mut Marks) {
        match (key, key.as_cell(), key.as_edge()) {
            (_, Some(cell), _) => drop(marks.cells.insert(cell)),
            (_, _, Some(edge)) => drop(marks.edges.insert(edge)),
            (Value::Int(_), ..) => drop(marks.places.insert(at)),
            _ => marks.keys.extend(self.text(key)),
        }
    }

    /// The array of a variable, and its position there.
    pub fn array_of(&self, var: VarId) -> Option<(&VarArray, usize)> {
        let holds = |array: &&VarArray| (array.first.0..array.first.0 + array.len() as u32).contains(&var.0);
        self.vars.iter().find(holds).map(|array| (array, (var.0 - array.first.0) as usize))
    }
}
