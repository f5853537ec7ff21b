//! Loading, second part: resolves the items of units in their scopes.
//!
//! `load` has already resolved the meaning of names. Here each declaration, rule and output becomes nodes of
//! the program.

use super::ir::*;
use super::load::{Load, Unit};
use super::resolve::Resolver;
use super::scope::{Meaning, Named, Scope};
use super::supplies::supply_of;
use super::uses::{Uses, found};
use super::value::Value;
use crate::diag::{Code, Diagnostic};
use crate::shared::nearest;
use crate::syntax::ast::{self, ItemKind, Name};
use std::rc::Rc;

impl Load {
    pub(super) fn item(&mut self, unit: &Unit, item: &ast::Item, std_scope: &Scope, uses: &mut Uses) {
        let scopes = [&unit.scope, std_scope];
        let mut resolver = Resolver::new(&unit.scope, std_scope);
        let id_of = |name: &Name| match unit.own.get(&name.text) {
            Some(Named { meaning: Meaning::Global(id), span }) if *span == name.span => Some(*id),
            _ => None,
        };
        match &item.kind {
            ItemKind::Let { name, value } => {
                let body = resolver.body(value);
                if let Some(id) = id_of(name) {
                    self.program.globals[id.0 as usize].kind = GlobalKind::Let(body);
                    uses.globals.insert(id.0, found(&resolver));
                }
            }
            ItemKind::Def { name, params, body } => {
                let params = params.iter().map(|pattern| resolver.pattern(pattern)).collect();
                let body = resolver.body(body);
                if let Some(Named { meaning: Meaning::Def(id), span }) = unit.own.get(&name.text)
                    && *span == name.span
                {
                    let def = &mut self.program.defs[id.0 as usize];
                    (def.params, def.body) = (params, body);
                    uses.defs.insert(id.0, found(&resolver));
                }
            }
            ItemKind::Param { names, domain, default } => {
                for declared in names {
                    let id = id_of(&declared.name);
                    self.param(id, declared, domain.as_ref(), default.as_ref(), scopes, uses);
                }
            }
            ItemKind::Var { names, domain } => {
                for declared in names {
                    self.var(id_of(&declared.name), declared, domain, scopes, uses);
                }
            }
            ItemKind::Rule { label, body } => {
                let rule = resolver.rule(item.span, label.as_ref(), body);
                uses.rules.push(found(&resolver));
                self.program.rules.push(rule);
            }
            ItemKind::Assign { name, value } => {
                let target = match unit.scope.get(&name.text) {
                    Some(Named { meaning: Meaning::Global(id), .. }) => Some(*id),
                    _ => None,
                };
                let (supply, more) = supply_of(value, &unit.scope, std_scope, &mut self.faults);
                match target {
                    Some(id) if self.is_param(id) => {
                        uses.globals.entry(id.0).or_default().add(&more);
                        self.program.supplies.insert(id, Rc::new(supply));
                    }
                    _ => self.unknown_parameter(&unit.scope, name),
                }
            }
            _ => {}
        }
        self.faults.append(&mut resolver.faults);
    }

    /// One name of a `param` item; `id` is `None` if another item has taken the name.
    fn param(
        &mut self,
        id: Option<GlobalId>,
        declared: &ast::Declared,
        domain: Option<&ast::Domain>,
        default: Option<&ast::Expr>,
        [scope, std_scope]: [&Scope; 2],
        uses: &mut Uses,
    ) {
        let mut resolver = Resolver::new(scope, std_scope);
        let dims = resolver.dims(&declared.index);
        let sized_by = resolver.uses.clone();
        let domain_ir = domain.map(|domain| resolver.domain(domain));
        let Some(id) = id else { return };
        uses.globals.insert(id.0, found(&resolver));
        self.program.globals[id.0 as usize].kind = GlobalKind::Param(ParamIr {
            dims,
            domain: domain_ir,
            optional: domain.is_some_and(|domain| domain.optional),
            domain_span: domain.map(|domain| domain.span),
            slots: resolver.slots(),
            sized_by,
        });
        if let Some(value) = default {
            let (supply, more) = supply_of(value, scope, std_scope, &mut self.faults);
            uses.globals.entry(id.0).or_default().add(&more);
            self.program.defaults.insert(id, Rc::new(supply));
        }
        self.faults.append(&mut resolver.faults);
    }

    /// One name of a `var` item; `id` is `None` if another item has taken the name.
    fn var(
        &mut self,
        id: Option<GlobalId>,
        declared: &ast::Declared,
        domain: &ast::Domain,
        [scope, std_scope]: [&Scope; 2],
        uses: &mut Uses,
    ) {
        let mut resolver = Resolver::new(scope, std_scope);
        let dims = resolver.dims(&declared.index);
        let domain_ir = resolver.domain(domain);
        if matches!(domain_ir, DomainIr::Int | DomainIr::Text | DomainIr::Word | DomainIr::List) {
            self.faults.push(
                Diagnostic::error(Code::TypeMismatch, "a variable needs a finite domain")
                    .at(domain.span, "has no end")
                    .help("give the values it may take: `1..9`, `bool`, `[\"a\", \"b\"]`"),
            );
        }
        let Some(id) = id else { return };
        uses.globals.insert(id.0, found(&resolver));
        self.program.globals[id.0 as usize].kind = GlobalKind::Var(VarIr {
            dims,
            domain: domain_ir,
            optional: domain.optional,
            domain_span: domain.span,
            slots: resolver.slots(),
        });
        self.faults.append(&mut resolver.faults);
    }

    fn is_param(&self, id: GlobalId) -> bool {
        // a parameter of this file may be declared further down: then it is still a placeholder, which no
        // `let` keeps
        match &self.program.globals[id.0 as usize].kind {
            GlobalKind::Param(_) => true,
            GlobalKind::Let(body) => {
                matches!(body.node.kind, Kind::Const(Value::None)) && body.slots == u32::MAX
            }
            GlobalKind::Var(_) => false,
        }
    }

    fn unknown_parameter(&mut self, scope: &Scope, name: &Name) {
        let mut names: Vec<&str> = scope
            .names
            .iter()
            .filter(|(_, named)| matches!(named.meaning, Meaning::Global(id) if self.is_param(id)))
            .map(|(name, _)| &**name)
            .collect();
        names.sort_unstable();
        let mut fault =
            Diagnostic::error(Code::UnknownParameter, format!("the model has no parameter `{}`", name.text))
                .at(name.span, "");
        if scope.get(&name.text).is_some() {
            fault = fault.help(format!(
                "`{0}` is no parameter, and `{0} = …` alone gives a parameter its value; a condition is `rule: {0} = …`",
                name.text
            ));
        } else if let Some(near) = nearest(&name.text, names.iter().copied()) {
            fault = fault.help(format!("did you mean `{near}`?"));
        } else if !names.is_empty() {
            fault = fault.note(format!("it has {}", names.join(", ")));
        }
        self.faults.push(fault);
    }

    /// Resolves the `show`, answer and objective items. For each kind the model's own items count; if it has
    /// none, those of its imports do.
    pub(super) fn outputs(&mut self, units: &[Unit], std_scope: &Scope, uses: &mut Uses) {
        for at in counting(units, |kind| matches!(kind, ItemKind::Show(_))) {
            for item in &units[at].tree.items {
                let ItemKind::Show(value) = &item.kind else { continue };
                let mut resolver = Resolver::new(&units[at].scope, std_scope);
                self.program.shows.push(resolver.body(value));
                uses.shows.push(found(&resolver));
                self.faults.append(&mut resolver.faults);
            }
        }
        if let Some(at) = counting(units, |kind| matches!(kind, ItemKind::Answer(_))).first() {
            let mut answers = Vec::new();
            for item in &units[*at].tree.items {
                let ItemKind::Answer(values) = &item.kind else { continue };
                for value in values {
                    let mut resolver = Resolver::new(&units[*at].scope, std_scope);
                    answers.push(resolver.body(value));
                    self.faults.append(&mut resolver.faults);
                }
            }
            self.program.answers = Some(answers);
        }
        if let Some(at) = counting(units, |kind| matches!(kind, ItemKind::Objective { .. })).first() {
            let mut first = None;
            for item in &units[*at].tree.items {
                let ItemKind::Objective { sense, value } = &item.kind else { continue };
                if let Some(first) = first.replace(item.span) {
                    self.faults.push(
                        Diagnostic::error(Code::DuplicateName, "a model has at most one objective")
                            .at(item.span, "again here")
                            .at(first, "first here"),
                    );
                }
                let mut resolver = Resolver::new(&units[*at].scope, std_scope);
                self.program.objective = Some((*sense, resolver.body(value)));
                self.faults.append(&mut resolver.faults);
            }
        }
    }
}

/// The units whose items of one kind count: the model if it has any, otherwise the units below each import.
fn counting(units: &[Unit], is: impl Fn(&ItemKind) -> bool) -> Vec<usize> {
    let mut found = Vec::new();
    let mut seen = vec![false; units.len()];
    let mut waiting = vec![0];
    while let Some(at) = waiting.pop() {
        if std::mem::replace(&mut seen[at], true) {
            continue;
        }
        if units[at].tree.items.iter().any(|item| is(&item.kind)) {
            found.push(at);
        } else {
            waiting.extend(units[at].imports.iter().rev().map(|(import, _)| import));
        }
    }
    found
}
