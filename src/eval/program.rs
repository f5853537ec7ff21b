//! A loaded program: model, imports and data, resolved. It can be queried, and parameters can be given to it
//! later.
//!
//! Texts come through a [`Loader`], so files, the catalogue and a symbol map all serve. `load` makes the
//! program. Nothing is evaluated here.

use super::ir::*;
use super::resolve::Resolver;
use super::scope::{Meaning, Named, Scope};
use super::supplies::supply_of;
use super::uses::{Found, found};
use crate::diag::{Code, Diagnostic};
use crate::shared::{FileId, Span, nearest};
use crate::syntax::ast::{self, Sense};
use crate::syntax::parse_expr;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Gives the text of an import.
pub trait Loader {
    /// `path` as written, `from` the name of the importing source. Returns the name of the source (the same
    /// for the same file) and its text.
    fn import(&mut self, from: &str, path: &str) -> Result<(String, String), Diagnostic>;
}

/// A loader for texts that import nothing.
pub struct NoImports;

impl Loader for NoImports {
    fn import(&mut self, _from: &str, path: &str) -> Result<(String, String), Diagnostic> {
        Err(Diagnostic::error(Code::ImportNotAllowed, format!("`{path}` cannot be imported here")))
    }
}

/// A source of parameter values; later inputs win.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Input {
    /// `name = value` items.
    Data(FileId),
    /// One JSON object with a key for each parameter.
    Json(FileId),
    /// `-D name=text`, registered as a source. The source's name is `-D ` and the parameter's name.
    Define(FileId),
}

/// The parameters that may have no value when a program is loaded: they get one later, or nothing asks for it.
#[derive(Clone, Copy, Debug)]
pub enum Later<'a> {
    Named(&'a [String]),
    Any,
}

impl Later<'_> {
    /// Every parameter needs its value.
    pub const NONE: Later<'static> = Later::Named(&[]);
}

/// A loaded program, with everything that evaluation needs.
#[derive(Debug, Default)]
pub struct Program {
    pub globals: Vec<Global>,
    pub defs: Vec<Def>,
    pub enums: Vec<EnumIr>,
    pub rules: Vec<Rule>,
    pub shows: Vec<Body>,
    pub answers: Option<Vec<Body>>,
    pub objective: Option<(Sense, Body)>,
    /// The supply of each parameter: the last one wins.
    pub supplies: FxHashMap<GlobalId, Rc<Supply>>,
    pub defaults: FxHashMap<GlobalId, Rc<Supply>>,
    /// All globals that a global depends on; below, the same for each rule and each `show`.
    pub global_deps: Vec<FxHashSet<GlobalId>>,
    pub rule_deps: Vec<FxHashSet<GlobalId>>,
    pub show_deps: Vec<FxHashSet<GlobalId>>,
    pub(super) scopes: Scopes,
}

#[derive(Debug, Default)]
pub(super) struct Scopes {
    pub(super) model: Scope,
    pub(super) std: Scope,
}

impl Program {
    /// Does the file belong to the library that comes with rebus?
    pub(super) fn in_library(&self, file: FileId) -> bool {
        self.scopes.std.names.values().any(|named| named.span.file == file)
    }

    /// Gives a parameter its value: `text` as for `-D`, registered as `file`.
    pub(super) fn define(&mut self, name: &str, file: FileId, text: &str) -> Result<GlobalId, Diagnostic> {
        let at = Span::new(file, 0, text.len());
        let id = self.parameter(name, at)?;
        self.supplies.insert(id, Rc::new(Supply::Raw { text: text.into(), at }));
        Ok(id)
    }

    /// The names in a text of `-D`, if it is an expression.
    pub(super) fn mentions(&self, file: FileId, text: &str) -> Found {
        let Ok(expr) = parse_expr(file, text) else { return Found::default() };
        let mut resolver = Resolver::new(&self.scopes.model, &self.scopes.std);
        resolver.body(&expr);
        found(&resolver)
    }

    /// Gives a parameter a JSON value.
    pub(super) fn define_json(
        &mut self,
        name: &str,
        value: serde_json::Value,
        at: Span,
    ) -> Result<(), Diagnostic> {
        let id = self.parameter(name, at)?;
        self.supplies.insert(id, Rc::new(Supply::Json { value, at }));
        Ok(())
    }

    /// Resolves an expression of data or of `-D` in the model's scope.
    pub fn expression(&self, file: FileId, text: &str) -> Result<Body, Vec<Diagnostic>> {
        let expr = parse_expr(file, text)?;
        let mut resolver = Resolver::new(&self.scopes.model, &self.scopes.std);
        let body = resolver.body(&expr);
        if resolver.faults.is_empty() { Ok(body) } else { Err(resolver.faults) }
    }

    /// The supply from an expression of data or of an answer.
    pub(super) fn supply(&self, expr: &ast::Expr) -> Result<Supply, Vec<Diagnostic>> {
        let mut faults = Vec::new();
        let (supply, _) = supply_of(expr, &self.scopes.model, &self.scopes.std, &mut faults);
        if faults.is_empty() { Ok(supply) } else { Err(faults) }
    }

    /// The parameter with this name, if there is one.
    pub fn param_named(&self, name: &str) -> Option<GlobalId> {
        let Some(Named { meaning: Meaning::Global(id), .. }) = self.scopes.model.get(name) else {
            return None;
        };
        matches!(self.globals[id.0 as usize].kind, GlobalKind::Param(_)).then_some(*id)
    }

    /// The parameter with this name, or a fault at `span`, where it is named.
    pub fn parameter(&self, name: &str, span: Span) -> Result<GlobalId, Diagnostic> {
        let params = || {
            self.globals
                .iter()
                .filter(|global| matches!(global.kind, GlobalKind::Param(_)))
                .map(|global| &*global.name)
        };
        if let Some(id) = self.param_named(name) {
            return Ok(id);
        }
        let mut fault =
            Diagnostic::error(Code::UnknownParameter, format!("the model has no parameter `{name}`"))
                .at(span, "");
        if let Some(Named { meaning: Meaning::Global(id), .. }) = self.scopes.model.get(name) {
            let global = &self.globals[id.0 as usize];
            let help = match global.kind {
                GlobalKind::Let(_) => format!(
                    "the model computes `{name}` with `let`; `param {name} = …` in the model lets data replace it"
                ),
                _ => {
                    format!("`{name}` is found by solving; a rule of the model fixes it: `rule: {name} = …`")
                }
            };
            return Err(fault.at(global.span, "defined here").help(help));
        }
        let mut all: Vec<&str> = params().collect();
        all.sort_unstable();
        fault = match nearest(name, all.iter().copied()) {
            Some(near) => fault.help(format!("did you mean `{near}`?")),
            None if all.is_empty() => fault.note("it has none"),
            None => fault.note(format!("it has {}", all.join(", "))),
        };
        Err(fault)
    }

    /// The globals whose values may change with these parameters: dependent globals, and sizes inferred from
    /// their data.
    pub fn affected(&self, changed: impl IntoIterator<Item = GlobalId>) -> FxHashSet<GlobalId> {
        let mut affected: FxHashSet<GlobalId> = changed.into_iter().collect();
        loop {
            let before = affected.len();
            for (at, global) in self.globals.iter().enumerate() {
                let id = GlobalId(at as u32);
                if let GlobalKind::Param(param) = &global.kind
                    && affected.contains(&id)
                {
                    let inferred = |id: &&GlobalId| {
                        !self.supplies.contains_key(*id)
                            && !self.defaults.contains_key(*id)
                            && matches!(self.globals[id.0 as usize].kind, GlobalKind::Param(_))
                    };
                    affected.extend(param.sized_by.iter().filter(inferred));
                }
                if !self.global_deps[at].is_disjoint(&affected) {
                    affected.insert(id);
                }
            }
            if affected.len() == before {
                return affected;
            }
        }
    }

    /// Does a global depend on decision variables?
    pub fn is_var_dependent(&self, id: GlobalId) -> bool {
        matches!(self.globals[id.0 as usize].kind, GlobalKind::Var(_))
            || self.global_deps[id.0 as usize]
                .iter()
                .any(|dep| matches!(self.globals[dep.0 as usize].kind, GlobalKind::Var(_)))
    }

    /// The variables' globals in declaration order.
    pub fn var_ids(&self) -> impl Iterator<Item = GlobalId> + '_ {
        let ids = self.globals.iter().enumerate();
        ids.filter(|(_, global)| matches!(global.kind, GlobalKind::Var(_))).map(|(at, _)| GlobalId(at as u32))
    }
}
