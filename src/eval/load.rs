//! Loading: units are read, their items numbered, names given scopes, everything resolved, data attached.
//!
//! Faults are collected over all stages, so that several are told in one run.

use super::ir::*;
use super::program::{Input, Loader, NoImports, Program, Scopes};
use super::resolve::Resolver;
use super::scope::{Meaning, Named, Scope, nearest};
use super::uses::{Found, Uses, found};
use super::value::{Member, Value};
use crate::builtins;
use crate::diag::{Code, Diagnostic, Sources};
use crate::shared::{FileId, Span};
use crate::syntax::ast::{self, ExprKind, ItemKind, Name, TextPart};
use crate::syntax::parse_file;
use rustc_hash::FxHashSet;
use std::rc::Rc;

struct Unit {
    name: String,
    tree: ast::File,
    imports: Vec<(usize, Span)>,
    own: Scope,
    scope: Scope,
    ordered: bool,
}

impl Program {
    /// Loads a model with its imports and data.
    pub fn load(
        sources: &mut Sources,
        loader: &mut dyn Loader,
        model: FileId,
        inputs: &[Input],
    ) -> Result<Program, Vec<Diagnostic>> {
        Program::load_later(sources, loader, model, inputs, &[])
    }

    /// As [`Program::load`]; the parameters `later` are given to the evaluator, so they may be missing here.
    pub fn load_later(
        sources: &mut Sources,
        loader: &mut dyn Loader,
        model: FileId,
        inputs: &[Input],
        later: &[String],
    ) -> Result<Program, Vec<Diagnostic>> {
        let mut load = Load { faults: Vec::new(), program: Program::default(), units: Vec::new() };
        load.read(sources, loader, model);
        if load.faults.iter().any(|fault| fault.code == Code::Syntax) && load.units.is_empty() {
            return Err(load.faults);
        }
        let std = load.std(sources);
        load.order(0);
        load.scopes(0, &mut Vec::new());
        let std_scope = load.units[std].scope.clone();
        let broken = !load.faults.is_empty();
        load.resolve_all(&std_scope, broken);
        load.program.scopes = Scopes { model: load.units[0].scope.clone(), std: std_scope };
        for input in inputs {
            load.input(sources, *input);
        }
        load.unsupplied(later);
        if load.faults.is_empty() { Ok(load.program) } else { Err(load.faults) }
    }
}

struct Load {
    faults: Vec<Diagnostic>,
    program: Program,
    units: Vec<Unit>,
}

impl Load {
    /// Parses a file and what it imports; returns the unit's number.
    fn read(&mut self, sources: &mut Sources, loader: &mut dyn Loader, file: FileId) -> usize {
        let source = sources.get(file);
        let name = source.name.clone();
        let (tree, faults) = parse_file(file, &source.text);
        self.faults.extend(faults);
        let at = self.units.len();
        self.units.push(Unit {
            name: name.clone(),
            tree: ast::File::default(),
            imports: Vec::new(),
            own: Scope::default(),
            scope: Scope::default(),
            ordered: false,
        });
        let mut imports = Vec::new();
        for item in &tree.items {
            match &item.kind {
                ItemKind::Import(ast::ImportPath::File { path, span }) => match loader.import(&name, path) {
                    Ok((import_name, text)) => {
                        let known = self.units.iter().position(|unit| unit.name == import_name);
                        let unit = known.unwrap_or_else(|| {
                            let file = sources.add(import_name, text);
                            self.read(sources, loader, file)
                        });
                        imports.push((unit, item.span));
                    }
                    Err(fault) => self.faults.push(fault.at(*span, "")),
                },
                ItemKind::Import(ast::ImportPath::Std { name })
                    if !builtins::STD_MODULES.iter().any(|(module, _)| *module == &*name.text) =>
                {
                    let modules: Vec<&str> =
                        builtins::STD_MODULES.iter().map(|(module, _)| *module).collect();
                    self.faults.push(
                        Diagnostic::error(Code::UnknownName, format!("there is no `std.{}`", name.text))
                            .at(name.span, "")
                            .note(format!("the library has {}", modules.join(", "))),
                    );
                }
                _ => {}
            }
        }
        self.units[at].tree = tree;
        self.units[at].imports = imports;
        at
    }

    /// The shipped library, always visible behind a model's own names.
    fn std(&mut self, sources: &mut Sources) -> usize {
        let text: String = builtins::STD_MODULES.iter().map(|(_, text)| *text).collect::<Vec<_>>().join("\n");
        let file = sources.add("std", text);
        let at = self.read(sources, &mut NoImports, file);
        self.order(at);
        self.units[at].scope = self.units[at].own.clone();
        at
    }

    /// Numbers the items of a unit in declaration order, those of an import where the import stands.
    fn order(&mut self, at: usize) {
        if std::mem::replace(&mut self.units[at].ordered, true) {
            return;
        }
        let tree = std::mem::take(&mut self.units[at].tree);
        let mut own = Scope::default();
        let mut imports = self.units[at].imports.clone().into_iter().peekable();
        for item in &tree.items {
            match &item.kind {
                ItemKind::Import(ast::ImportPath::File { .. }) => {
                    // an import that failed has no unit; the spans tell which one this is
                    if let Some((import, _)) = imports.next_if(|(_, span)| *span == item.span) {
                        self.order(import);
                    }
                }
                ItemKind::Param { names, .. } | ItemKind::Var { names, .. } => {
                    for declared in names {
                        let id = self.global(&declared.name);
                        self.name(&mut own, &declared.name, Meaning::Global(id));
                    }
                }
                ItemKind::Let { name, .. } => {
                    let id = self.global(name);
                    self.name(&mut own, name, Meaning::Global(id));
                }
                ItemKind::Def { name, .. } => {
                    let id = DefId(self.program.defs.len() as u32);
                    self.program.defs.push(Def {
                        name: name.text.clone(),
                        span: name.span,
                        params: Vec::new(),
                        body: placeholder(name.span),
                    });
                    self.name(&mut own, name, Meaning::Def(id));
                }
                ItemKind::Enum { name, members } => {
                    let of = self.program.enums.len() as u32;
                    let all: Vec<Value> =
                        (0..members.len() as u32).map(|index| Value::Member(Member { of, index })).collect();
                    for (member, value) in members.iter().zip(&all) {
                        self.name(&mut own, &member.name, Meaning::Const(value.clone()));
                    }
                    self.name(&mut own, name, Meaning::Const(Value::list(all)));
                    let members = members.iter().map(|member| {
                        (member.name.text.clone(), member.glyph.as_ref().map(|(glyph, _)| glyph.clone()))
                    });
                    self.program.enums.push(EnumIr { name: name.text.clone(), members: members.collect() });
                }
                _ => {}
            }
        }
        self.units[at].tree = tree;
        self.units[at].own = own;
    }

    fn global(&mut self, name: &Name) -> GlobalId {
        let id = GlobalId(self.program.globals.len() as u32);
        self.program.globals.push(Global {
            name: name.text.clone(),
            span: name.span,
            kind: GlobalKind::Let(placeholder(name.span)),
        });
        id
    }

    fn name(&mut self, scope: &mut Scope, name: &Name, meaning: Meaning) {
        if let Some(first) = scope.names.get(&name.text) {
            self.faults.push(
                Diagnostic::error(Code::DuplicateName, format!("`{}` is defined twice", name.text))
                    .at(name.span, "again here")
                    .at(first.span, "first here"),
            );
            return;
        }
        scope.names.insert(name.text.clone(), Named { meaning, span: name.span });
    }

    /// What each unit sees: its own names, then those of its imports.
    fn scopes(&mut self, at: usize, under_way: &mut Vec<usize>) {
        if under_way.contains(&at) || !self.units[at].scope.names.is_empty() {
            return;
        }
        under_way.push(at);
        let mut scope = self.units[at].own.clone();
        // what a file that imports this one in turn sees
        self.units[at].scope = scope.clone();
        let imports = self.units[at].imports.clone();
        for (import, span) in imports {
            self.scopes(import, under_way);
            let mut theirs: Vec<(Rc<str>, Named)> = self.units[import]
                .scope
                .names
                .iter()
                .map(|(name, named)| (name.clone(), named.clone()))
                .collect();
            theirs.sort_by_key(|(_, named)| named.span);
            for (name, named) in theirs {
                if self.units[at].own.names.contains_key(&name) {
                    continue;
                }
                match scope.names.get(&name) {
                    Some(other) if other.span != named.span => self.faults.push(
                        Diagnostic::error(Code::DuplicateName, format!("two imports define `{name}`"))
                            .at(span, "")
                            .at(other.span, "one")
                            .at(named.span, "the other"),
                    ),
                    _ => {
                        scope.names.insert(name, named);
                    }
                }
            }
        }
        under_way.pop();
        self.units[at].scope = scope;
    }

    fn resolve_all(&mut self, std_scope: &Scope, quiet: bool) {
        let units = std::mem::take(&mut self.units);
        let mut uses = Uses::default();
        let order = unit_order(&units);
        for at in order {
            let unit = &units[at];
            for item in &unit.tree.items {
                self.item(unit, item, std_scope, &mut uses);
            }
        }
        self.outputs(&units, std_scope, &mut uses);
        if quiet {
            // names that a broken item would have defined are reported as unknown: only true ones are kept
            let broken_syntax = self.faults.iter().any(|fault| fault.code == Code::Syntax);
            if broken_syntax {
                self.faults.retain(|fault| fault.code != Code::UnknownName);
            }
        }
        self.program.global_deps =
            (0..self.program.globals.len()).map(|at| uses.closure(uses.globals.get(&(at as u32)))).collect();
        self.program.rule_deps = uses.rules.iter().map(|found| uses.closure(Some(found))).collect();
        self.program.show_deps = uses.shows.iter().map(|found| uses.closure(Some(found))).collect();
        self.units = units;
    }

    fn item(&mut self, unit: &Unit, item: &ast::Item, std_scope: &Scope, uses: &mut Uses) {
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
                    let mut resolver = Resolver::new(&unit.scope, std_scope);
                    let dims = resolver.dims(&declared.index);
                    let sized_by = resolver.uses.clone();
                    let domain_ir = domain.as_ref().map(|domain| resolver.domain(domain));
                    let Some(id) = id_of(&declared.name) else { continue };
                    uses.globals.insert(id.0, found(&resolver));
                    self.program.globals[id.0 as usize].kind = GlobalKind::Param(ParamIr {
                        dims,
                        domain: domain_ir,
                        optional: domain.as_ref().is_some_and(|domain| domain.optional),
                        domain_span: domain.as_ref().map(|domain| domain.span),
                        slots: resolver.slots(),
                        sized_by,
                    });
                    if let Some(value) = default {
                        let (supply, more) = supply_of(value, &unit.scope, std_scope, &mut self.faults);
                        uses.globals.entry(id.0).or_default().add(&more);
                        self.program.defaults.insert(id, Rc::new(supply));
                    }
                    self.faults.append(&mut resolver.faults);
                }
            }
            ItemKind::Var { names, domain } => {
                for declared in names {
                    let mut resolver = Resolver::new(&unit.scope, std_scope);
                    let dims = resolver.dims(&declared.index);
                    let domain_ir = resolver.domain(domain);
                    if matches!(domain_ir, DomainIr::Int | DomainIr::Text | DomainIr::Word | DomainIr::List) {
                        self.faults.push(
                            Diagnostic::error(Code::TypeMismatch, "a variable needs a finite domain")
                                .at(domain.span, "has no end")
                                .help("give the values it may take: `1..9`, `bool`, `[\"a\", \"b\"]`"),
                        );
                    }
                    let Some(id) = id_of(&declared.name) else { continue };
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

    fn is_param(&self, id: GlobalId) -> bool {
        // an own parameter may stand further down: then it is still a placeholder, which no `let` keeps
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
            fault = fault.help(format!("`{}` is no parameter; only parameters are supplied", name.text));
        } else if let Some(near) = nearest(&name.text, names.iter().copied()) {
            fault = fault.help(format!("did you mean `{near}`?"));
        } else if !names.is_empty() {
            fault = fault.note(format!("it has {}", names.join(", ")));
        }
        self.faults.push(fault);
    }

    /// What is shown, answered and optimised: the model's own items of each kind, where it has none those of its imports.
    fn outputs(&mut self, units: &[Unit], std_scope: &Scope, uses: &mut Uses) {
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

    fn input(&mut self, sources: &Sources, input: Input) {
        match input {
            Input::Data(file) => {
                let (tree, faults) = parse_file(file, &sources.get(file).text);
                self.faults.extend(faults);
                for item in &tree.items {
                    let ItemKind::Assign { name, value } = &item.kind else {
                        self.faults.push(
                            Diagnostic::error(Code::Syntax, "a data file holds only `name = value`")
                                .at(item.span, "this is an item of a model")
                                .help("the model comes first, then its data: `rebus solve MODEL DATA`"),
                        );
                        continue;
                    };
                    match self.program.parameter(&name.text, name.span) {
                        Ok(id) => {
                            let scopes = std::mem::take(&mut self.program.scopes);
                            let (supply, _) = supply_of(value, &scopes.model, &scopes.std, &mut self.faults);
                            self.program.scopes = scopes;
                            self.program.supplies.insert(id, Rc::new(supply));
                        }
                        Err(fault) => self.faults.push(fault),
                    }
                }
            }
            Input::Json(file) => self.json(sources, file),
            Input::Define(file) => {
                let source = sources.get(file);
                let name = source.name.strip_prefix("-D ").unwrap_or(&source.name).to_string();
                if let Err(fault) = self.program.define(&name, file, &source.text) {
                    self.faults.push(fault);
                }
            }
        }
    }

    fn json(&mut self, sources: &Sources, file: FileId) {
        let text = sources.get(file).text.trim_start_matches('\u{feff}');
        let span = Span::new(file, 0, sources.get(file).text.len().min(1));
        match serde_json::from_str::<serde_json::Value>(text) {
            Ok(serde_json::Value::Object(object)) => {
                for (name, value) in object {
                    if let Err(fault) = self.program.define_json(&name, value, span) {
                        self.faults.push(fault);
                    }
                }
            }
            Ok(_) => self.faults.push(
                Diagnostic::error(Code::Syntax, "JSON data are one object, a key a parameter").at(span, ""),
            ),
            Err(error) => {
                let line_start: usize =
                    text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
                let at = (line_start + error.column().saturating_sub(1)).min(text.len());
                self.faults.push(
                    Diagnostic::error(Code::Syntax, format!("this is no JSON: {error}"))
                        .at(Span::new(file, at, at + 1), ""),
                );
            }
        }
    }

    /// Names all parameters that get no value, at once.
    fn unsupplied(&mut self, later: &[String]) {
        let program = &self.program;
        let supplied = |id: &GlobalId| {
            program.supplies.contains_key(id)
                || program.defaults.contains_key(id)
                || later.iter().any(|name| **name == *program.globals[id.0 as usize].name)
        };
        let sized: FxHashSet<GlobalId> = program
            .globals
            .iter()
            .enumerate()
            .filter_map(|(at, global)| match &global.kind {
                GlobalKind::Param(param) => Some((GlobalId(at as u32), param)),
                _ => None,
            })
            .filter(|(id, _)| supplied(id))
            .flat_map(|(_, param)| param.sized_by.iter().copied())
            .collect();
        let missing: Vec<&Global> = program
            .globals
            .iter()
            .enumerate()
            .filter(|(at, global)| {
                let id = GlobalId(*at as u32);
                matches!(global.kind, GlobalKind::Param(_)) && !supplied(&id) && !sized.contains(&id)
            })
            .map(|(_, global)| global)
            .collect();
        // sizes that will come from an array that is itself missing are not the user's business
        let needed: Vec<&&Global> = missing
            .iter()
            .filter(|global| {
                !missing.iter().any(|other| match &other.kind {
                    GlobalKind::Param(param) => param
                        .sized_by
                        .iter()
                        .any(|id| std::ptr::eq(&program.globals[id.0 as usize], **global)),
                    _ => false,
                })
            })
            .collect();
        if needed.is_empty() || self.faults.iter().any(|fault| fault.code == Code::Syntax) {
            return;
        }
        let names: Vec<String> = needed.iter().map(|global| format!("`{}`", global.name)).collect();
        let plural = if names.len() == 1 { "" } else { "s" };
        let mut fault = Diagnostic::error(
            Code::MissingParameter,
            format!("no value for the parameter{plural} {}", names.join(", ")),
        );
        for global in &needed {
            fault = fault.at(global.span, "");
        }
        let first = &needed[0].name;
        fault = fault
            .help(format!("give a data file, or `-D {first}=…`, or a line `{first} = …` beside the model"));
        self.faults.push(fault);
    }
}

/// The units whose items of one kind count: the model if it has any, else, import by import, those below it.
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

/// Where the units' items are numbered: model first, imports after (their own order is in their scopes).
fn unit_order(units: &[Unit]) -> Vec<usize> {
    let mut order = Vec::new();
    fn visit(units: &[Unit], at: usize, order: &mut Vec<usize>, seen: &mut Vec<bool>) {
        if std::mem::replace(&mut seen[at], true) {
            return;
        }
        for (import, _) in &units[at].imports {
            visit(units, *import, order, seen);
        }
        order.push(at);
    }
    let mut seen = vec![false; units.len()];
    for at in 0..units.len() {
        visit(units, at, &mut order, &mut seen);
    }
    order
}

/// What an assignment or default supplies: a literal string is read by the parameter's domain.
pub(super) fn supply_of(
    expr: &ast::Expr,
    scope: &Scope,
    std_scope: &Scope,
    faults: &mut Vec<Diagnostic>,
) -> (Supply, Found) {
    let literal = match &*expr.kind {
        ExprKind::Raw(text) => Some((text.clone(), expr.span.start + 2)),
        ExprKind::Picture { text, start } => Some((text.clone(), *start)),
        ExprKind::Text(text) => match &text.parts[..] {
            [] => Some(("".into(), expr.span.start + 1)),
            [TextPart::Literal(literal)] => Some((literal.clone(), expr.span.start + 1)),
            _ => None,
        },
        _ => None,
    };
    if let Some((text, start)) = literal {
        let at = Span { file: expr.span.file, start, end: expr.span.end };
        return (Supply::Literal { text, at }, Found::default());
    }
    let mut resolver = Resolver::new(scope, std_scope);
    let body = resolver.body(expr);
    let found = found(&resolver);
    faults.append(&mut resolver.faults);
    (Supply::Value(body), found)
}

fn placeholder(span: Span) -> Body {
    Body { slots: u32::MAX, node: Node { span, kind: Kind::Const(Value::None) } }
}
