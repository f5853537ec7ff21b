//! Loading, first part: reads the units, numbers their items and builds their scopes. Then it resolves all
//! items (`items`) and attaches the data (`supplies`).
//!
//! Faults are collected over all stages, so one run reports several.

use super::ir::*;
use super::program::{Input, Later, Loader, NoImports, Program, Scopes};
use super::scope::{Meaning, Named, Scope};
use super::uses::{Found, Uses};
use super::value::{Member, Value};
use crate::builtins;
use crate::diag::{Code, Diagnostic, Sources};
use crate::shared::{FileId, Span};
use crate::syntax::ast::{self, ItemKind, Name};
use crate::syntax::parse_file;
use rustc_hash::FxHashMap;
use std::path::Path;
use std::rc::Rc;

pub(super) struct Unit {
    pub(super) name: String,
    pub(super) tree: ast::File,
    pub(super) imports: Vec<(usize, Span)>,
    pub(super) own: Scope,
    pub(super) scope: Scope,
    pub(super) ordered: bool,
}

impl Program {
    /// Loads a model with its imports and data.
    pub fn load(
        sources: &mut Sources,
        loader: &mut dyn Loader,
        model: FileId,
        inputs: &[Input],
    ) -> Result<Program, Vec<Diagnostic>> {
        Program::load_later(sources, loader, model, inputs, Later::NONE)
    }

    /// As [`Program::load`], but the parameters in `later` may be missing.
    pub fn load_later(
        sources: &mut Sources,
        loader: &mut dyn Loader,
        model: FileId,
        inputs: &[Input],
        later: Later<'_>,
    ) -> Result<Program, Vec<Diagnostic>> {
        let mut load = Load {
            held: 0,
            faults: Vec::new(),
            program: Program::default(),
            units: Vec::new(),
            uses: Uses::default(),
        };
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
        load.disambiguate();
        load.program.scopes = Scopes { model: load.units[0].scope.clone(), std: std_scope };
        for input in inputs {
            load.input(sources, *input);
        }
        load.close_uses();
        load.unsupplied(later);
        load.report_names_once();
        if load.faults.is_empty() { Ok(load.program) } else { Err(load.faults) }
    }
}

/// The largest number of names in the scopes of all units: every import holds its names once more.
const MOST_NAMES: usize = 1 << 22;

/// The largest total size of the transitive dependency sets of all definitions.
const MOST_DEPENDENCES: usize = 1 << 24;

pub(super) struct Load {
    /// Names in scopes.
    held: usize,
    pub(super) faults: Vec<Diagnostic>,
    pub(super) program: Program,
    pub(super) units: Vec<Unit>,
    /// What items and data mention.
    pub(super) uses: Uses,
}

impl Load {
    /// One fault an unknown name, with all its places.
    fn report_names_once(&mut self) {
        let mut merged: Vec<Diagnostic> = Vec::with_capacity(self.faults.len());
        for fault in std::mem::take(&mut self.faults) {
            let alike = |known: &&mut Diagnostic| {
                fault.code == Code::UnknownName && known.message == fault.message && known.help == fault.help
            };
            match merged.iter_mut().find(alike) {
                Some(known) => known.labels.extend(fault.labels),
                None => merged.push(fault),
            }
        }
        self.faults = merged;
    }

    /// Parses a file and its imports; returns the unit's number.
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
                    // an import that failed has no unit; its span identifies it
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

    /// The scope of each unit: its own names, then those of its imports.
    fn scopes(&mut self, at: usize, under_way: &mut Vec<usize>) {
        if under_way.contains(&at) || !self.units[at].scope.names.is_empty() {
            return;
        }
        under_way.push(at);
        let mut scope = self.units[at].own.clone();
        // a file that imports this one in turn sees this scope
        self.units[at].scope = scope.clone();
        let imports = self.units[at].imports.clone();
        for (import, span) in imports {
            self.scopes(import, under_way);
            let mut imported: Vec<(Rc<str>, Named)> = self.units[import]
                .scope
                .names
                .iter()
                .map(|(name, named)| (name.clone(), named.clone()))
                .collect();
            self.held += imported.len();
            if self.held > MOST_NAMES {
                let message = format!("imports bring more than {MOST_NAMES} names along, the limit");
                self.faults.push(Diagnostic::error(Code::LimitExceeded, message).at(span, ""));
                break;
            }
            imported.sort_by_key(|(_, named)| named.span);
            for (name, named) in imported {
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
            // names that a broken item would have defined are reported as unknown: keep only the certain ones
            let broken_syntax = self.faults.iter().any(|fault| fault.code == Code::Syntax);
            if broken_syntax {
                self.faults.retain(|fault| fault.code != Code::UnknownName);
            }
        }
        self.units = units;
        self.uses = uses;
    }

    /// Gives a variable that another of the same name hides a name of its own, `file.name`: values are listed
    /// by name.
    fn disambiguate(&mut self) {
        let mut taken: FxHashMap<Rc<str>, usize> = FxHashMap::default();
        for id in self.program.var_ids() {
            *taken.entry(self.program.globals[id.0 as usize].name.clone()).or_default() += 1;
        }
        for unit in &self.units {
            let stem = Path::new(&unit.name).file_stem().unwrap_or_default().to_string_lossy();
            let vars = unit.own.names.iter().filter_map(|(name, named)| match named.meaning {
                Meaning::Global(id) => Some((id, name)),
                _ => None,
            });
            let mut vars: Vec<(GlobalId, &Rc<str>)> =
                vars.filter(|(_, name)| taken.get(*name) > Some(&1)).collect();
            vars.sort_unstable();
            for (id, name) in vars {
                let seen = matches!(self.units[0].scope.get(name), Some(Named { meaning: Meaning::Global(seen), .. }) if *seen == id);
                let global = &mut self.program.globals[id.0 as usize];
                if seen || !matches!(global.kind, GlobalKind::Var(_)) {
                    continue;
                }
                let numbered = (2..).map(|n| format!("{stem}.{name}.{n}"));
                let mut names = std::iter::once(format!("{stem}.{name}")).chain(numbered).map(Rc::from);
                if let Some(free) = names.find(|other: &Rc<str>| !taken.contains_key(other)) {
                    taken.insert(free.clone(), 1);
                    global.name = free;
                }
            }
        }
    }

    /// Computes dependencies through functions, lets and data.
    fn close_uses(&mut self) {
        let uses = std::mem::take(&mut self.uses);
        self.dependences(&uses);
    }

    /// The transitive dependencies of each definition, rule and `show`, within the limit.
    fn dependences(&mut self, uses: &Uses) {
        let mut held = 0;
        let mut closures = |all: &mut dyn Iterator<Item = Option<&Found>>| {
            let mut closures = Vec::new();
            for found in all {
                let closure = uses.closure(found);
                held += closure.len();
                if held > MOST_DEPENDENCES {
                    return None;
                }
                closures.push(closure);
            }
            Some(closures)
        };
        let globals = 0..self.program.globals.len() as u32;
        let found = (
            closures(&mut globals.map(|at| uses.globals.get(&at))),
            closures(&mut uses.rules.iter().map(Some)),
            closures(&mut uses.shows.iter().map(Some)),
        );
        let (Some(globals), Some(rules), Some(shows)) = found else {
            let message = format!(
                "the model's definitions build on one another in more than {MOST_DEPENDENCES} ways, the limit"
            );
            return self.faults.push(Diagnostic::error(Code::LimitExceeded, message));
        };
        (self.program.global_deps, self.program.rule_deps, self.program.show_deps) = (globals, rules, shows);
    }
}

/// The order in which the units' items are numbered: each unit after its imports.
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

fn placeholder(span: Span) -> Body {
    Body { slots: u32::MAX, node: Node { span, kind: Kind::Const(Value::None) } }
}
