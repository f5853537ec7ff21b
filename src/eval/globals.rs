//! The values of global names. Each is evaluated once, at its first use.

use super::fault::{Fault, Res};
use super::ir::{GlobalId, GlobalKind};
use super::run::Eval;
use super::value::Value;
use crate::diag::{Code, Diagnostic};
use crate::shared::Span;

/// The state of a global name's value.
#[derive(Clone, Debug)]
pub(super) enum Slot {
    Unset,
    Busy,
    Done(Value),
}

impl Eval<'_> {
    /// The value of a global name, if it is already evaluated.
    pub(super) fn ready(&self, id: GlobalId) -> Option<&Value> {
        match &self.globals[id.0 as usize] {
            Slot::Done(value) => Some(value),
            _ => None,
        }
    }

    /// Another evaluator of the same program, which has the parameters' values of this one but for one of them.
    pub(super) fn with_param(&self, changed: Option<(GlobalId, Value)>) -> Self {
        let mut other = Eval::new(self.program, self.budget);
        for (at, global) in self.program.globals.iter().enumerate() {
            if let (GlobalKind::Param(_), Slot::Done(_)) = (&global.kind, &self.globals[at]) {
                other.globals[at] = self.globals[at].clone();
            }
        }
        if let Some((id, value)) = changed {
            other.globals[id.0 as usize] = Slot::Done(value);
        }
        other
    }

    /// The value of a global name.
    pub fn global(&mut self, id: GlobalId, span: Span) -> Res<Value> {
        match &self.globals[id.0 as usize] {
            Slot::Done(value) => return Ok(value.clone()),
            Slot::Busy => {
                let global = &self.program.globals[id.0 as usize];
                return Err(Box::new(Fault::Error(
                    Diagnostic::error(
                        Code::RecursionTooDeep,
                        format!("`{}` is defined by itself", global.name),
                    )
                    .at(span, "")
                    .at(global.span, "defined here"),
                )));
            }
            Slot::Unset => {}
        }
        self.globals[id.0 as usize] = Slot::Busy;
        let program = self.program;
        let global = &program.globals[id.0 as usize];
        // the value belongs to the name: conditions around its first use must not leak into it
        let pending = std::mem::take(&mut self.pending);
        let result = match &global.kind {
            GlobalKind::Let(body) => self.hold(|this| this.body(body)),
            GlobalKind::Param(param) => self.param(id, global, param),
            GlobalKind::Var(var) => self.declare(id, global, var),
        };
        self.pending = pending;
        match result {
            Ok(value) => {
                self.globals[id.0 as usize] = Slot::Done(value.clone());
                Ok(value)
            }
            Err(fault) => {
                self.globals[id.0 as usize] = Slot::Unset;
                Err(fault)
            }
        }
    }
}
