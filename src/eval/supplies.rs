//! Loading, third part: attaches data files, JSON and `-D` texts to parameters, and finds parameters without
//! a value.
//!
//! A text is kept as it is. It is read against the parameter's domain when the value is needed.

use super::ir::*;
use super::load::Load;
use super::program::{Input, Later};
use super::resolve::Resolver;
use super::scope::Scope;
use super::uses::{Found, found};
use crate::diag::{Code, Diagnostic, Sources};
use crate::shared::{FileId, Span, from_json};
use crate::syntax::ast::{self, ExprKind, ItemKind, TextPart};
use crate::syntax::parse_file;
use rustc_hash::FxHashSet;
use std::rc::Rc;

impl Load {
    pub(super) fn input(&mut self, sources: &Sources, input: Input) {
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
                            let (supply, found) =
                                supply_of(value, &scopes.model, &scopes.std, &mut self.faults);
                            self.program.scopes = scopes;
                            self.uses.globals.entry(id.0).or_default().add(&found);
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
                match self.program.define(&name, file, &source.text) {
                    Ok(id) => {
                        let found = self.program.mentions(file, &source.text);
                        self.uses.globals.entry(id.0).or_default().add(&found);
                    }
                    Err(fault) => self.faults.push(fault),
                }
            }
        }
    }

    fn json(&mut self, sources: &Sources, file: FileId) {
        let text = sources.get(file).text.trim_start_matches('\u{feff}');
        let span = Span::new(file, 0, sources.get(file).text.len().min(1));
        match from_json(text) {
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
                    Diagnostic::error(Code::Syntax, not_json(&error)).at(Span::new(file, at, at + 1), ""),
                );
            }
        }
    }

    /// Reports all parameters without a value at once.
    pub(super) fn unsupplied(&mut self, later: Later<'_>) {
        let Later::Named(later) = later else { return };
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
        // do not report sizes that will come from an array that is missing itself
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

/// The supply of an assignment or default: a literal string is read against the parameter's domain.
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

fn not_json(error: &serde_json::Error) -> String {
    let what = if error.is_data() { "this JSON cannot be taken" } else { "this is no JSON" };
    format!("{what}: {error}")
}
