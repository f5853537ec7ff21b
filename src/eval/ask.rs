//! Questions about a solution: an expression of the user's, and which places of a drawing variables have.

use super::fault::Fault;
use super::ir::Body;
use super::run::Eval;
use super::value::Value;
use super::vars::VarArray;
use crate::diag::{Code, Diagnostic};
use crate::model::{Bool, VarId};
use crate::render::{Data, Marks};

/// An expression and the value it has in a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Asked {
    /// As a model writes it.
    pub value: String,
    /// It has this value.
    pub holds: Bool,
}

impl Eval<'_> {
    /// The value of `body` with the variables at `positions`, and the condition that it has this value.
    pub fn asked(&mut self, body: &Body, positions: &[u32]) -> Result<Asked, Diagnostic> {
        self.bind_all(positions);
        let value = self.body(body);
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
        Ok(Asked { value: self.literal_of(&value), holds })
    }

    /// The value of a variable at a position, as a model writes it.
    pub fn value_text(&self, var: VarId, position: u32) -> String {
        self.value_at(var, position).map_or_else(String::new, |value| self.literal_of(value))
    }

    /// The same for other programs.
    pub fn value_data(&self, var: VarId, position: u32) -> Data {
        self.value_at(var, position).map_or(Data::None, |value| self.data(value))
    }

    fn value_at(&self, var: VarId, position: u32) -> Option<&Value> {
        self.array_of(var).and_then(|(array, at)| array.domain(at).get(position as usize))
    }

    /// Where drawings have the variables.
    pub fn marks(&self, vars: &[VarId]) -> Marks {
        let mut marks = Marks::default();
        for var in vars {
            if let Some((array, at)) = self.array_of(*var)
                && let Some(keys) = &array.keys
            {
                let key = &keys.list[at];
                match (key, key.as_cell(), key.as_edge()) {
                    (_, Some(cell), _) => drop(marks.cells.insert(cell)),
                    (_, _, Some(edge)) => drop(marks.edges.insert(edge)),
                    (Value::Int(_), ..) => drop(marks.places.insert(at)),
                    _ => drop(marks.keys.insert(self.text_of(key))),
                }
            }
        }
        marks
    }

    /// The array of a variable, and its place there.
    pub fn array_of(&self, var: VarId) -> Option<(&VarArray, usize)> {
        let holds = |array: &&VarArray| (array.first.0..array.first.0 + array.len() as u32).contains(&var.0);
        self.vars.iter().find(holds).map(|array| (array, (var.0 - array.first.0) as usize))
    }
}
