//! A given answer: values for the variables, read like data.

use super::domain::{Allowed, Kind};
use super::fault::Res;
use super::ir::{DomainIr, Global, GlobalKind, ParamIr, Supply};
use super::read_drawing::{ReadDrawing, Unread};
use super::run::Eval;
use super::value::{Keys, Value};
use super::vars::VarArray;
use crate::diag::{Code, Diagnostic};
use crate::model::VarId;
use crate::render::{self, Drawing, Style};
use crate::shared::{FileId, Span, from_json};
use crate::syntax::ast::ItemKind;
use crate::syntax::parse_file;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// An answer after reading.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Given {
    /// A domain position for every variable; `None` for one without a value.
    pub positions: Vec<Option<u32>>,
    /// Names of variables without a value, only the first few.
    pub missing: Vec<String>,
    /// The conditions read from a drawing. Some may fix no variable's value.
    pub drawn: Option<ReadDrawing>,
    /// Why the answer, which may be a drawing, gives no values.
    pub unread: Option<Diagnostic>,
}

/// Does a line begin with `name =`?
fn is_item(line: &str) -> bool {
    let name = |part: &str| {
        part.starts_with(char::is_alphabetic) && part.chars().all(|c| c.is_alphanumeric() || c == '_')
    };
    line.split_once('=').is_some_and(|(before, _)| name(before.trim()))
}

/// The largest number of missing entries in a message.
const MOST_NAMED: usize = 5;

impl Eval<'_> {
    /// Reads `name = value` items (pictures allowed), the JSON line that `-f json` prints, or the drawing of
    /// a model that shows one array.
    pub fn given_values(&mut self, file: FileId, text: &str) -> Result<Given, Vec<Diagnostic>> {
        let supplies = if text.trim_start_matches('\u{feff}').trim_start().starts_with('{') {
            self.json_values(file, text).map_err(|fault| vec![fault])?
        } else if text.lines().any(is_item) || text.trim().is_empty() {
            match self.item_values(file, text) {
                Ok(supplies) => supplies,
                Err(faults) => return self.drawn_items(file, text, faults),
            }
        } else {
            return self.drawn_values(file, text).map_err(|fault| vec![fault]);
        };
        let mut positions = vec![None; self.model.vars.len()];
        let mut missing = Vec::new();
        let mut faults = Vec::new();
        for array in self.vars.clone() {
            let Some(supply) = supplies.get(&*array.name) else {
                missing.push(array.name.to_string());
                continue;
            };
            match self.array_values(&array, supply) {
                Ok(values) => self.place_values(&array, &values, &mut positions, &mut missing, &mut faults),
                Err(fault) => faults.push(fault.into_diagnostic()),
            }
        }
        if !faults.is_empty() {
            return Err(faults);
        }
        missing.truncate(MOST_NAMED);
        Ok(Given { positions, missing, drawn: None, unread: None })
    }

    fn drawn_values(&mut self, file: FileId, text: &str) -> Result<Given, Diagnostic> {
        let (drawn, unread) = match self.read_drawing(file, text) {
            Ok(drawn) => (drawn, None),
            Err(Unread::Model(fault)) => (ReadDrawing::default(), Some(fault)),
            Err(Unread::Text(fault)) => return Err(fault),
        };
        Ok(self.given_drawn(drawn, unread))
    }

    /// Reads a text whose lines begin like items but do not parse as items: it is a drawing if the model
    /// draws such lines.
    fn drawn_items(
        &mut self,
        file: FileId,
        text: &str,
        mut faults: Vec<Diagnostic>,
    ) -> Result<Given, Vec<Diagnostic>> {
        match self.read_drawing(file, text) {
            Ok(drawn) if drawn.own_layout => return Ok(self.given_drawn(drawn, None)),
            Err(Unread::Model(_)) => {}
            _ => return Err(faults),
        }
        let bare = self.drawn_with(&vec![None; self.model.vars.len()]).map_err(|fault| vec![fault])?;
        let words = bare.iter().all(|drawing| matches!(drawing, Drawing::Text(_) | Drawing::Table(_)));
        let lines: usize =
            bare.iter().map(|drawing| render::text(drawing, Style::default()).lines().count()).sum();
        if !words || text.trim_end().lines().count() != lines {
            return Err(faults);
        }
        Ok(self.given_drawn(ReadDrawing::default(), Some(faults.swap_remove(0))))
    }

    fn given_drawn(&mut self, drawn: ReadDrawing, unread: Option<Diagnostic>) -> Given {
        let positions = self.positions_of(&drawn.terms);
        let open = (0..).zip(&positions).filter(|(_, position)| position.is_none());
        let missing = open.take(MOST_NAMED).map(|(var, _)| self.var_name(VarId(var))).collect();
        Given { positions, missing, drawn: unread.is_none().then_some(drawn), unread }
    }

    fn place_values(
        &self,
        array: &VarArray,
        values: &[Value],
        positions: &mut [Option<u32>],
        missing: &mut Vec<String>,
        faults: &mut Vec<Diagnostic>,
    ) {
        for (at, value) in values.iter().enumerate() {
            let found = array.domain(at).iter().position(|allowed| allowed == value);
            match found {
                Some(position) => positions[array.first.0 as usize + at] = Some(position as u32),
                None if matches!(value, Value::None) => missing.push(self.entry_name(array, at)),
                None => faults.push(Diagnostic::error(
                    Code::OutsideDomain,
                    format!("`{}` may not be {}", self.entry_name(array, at), self.literal_of(value)),
                )),
            }
        }
    }

    fn item_values(
        &mut self,
        file: FileId,
        text: &str,
    ) -> Result<FxHashMap<String, Supply>, Vec<Diagnostic>> {
        let (tree, faults) = parse_file(file, text);
        if !faults.is_empty() {
            return Err(faults);
        }
        let mut found = FxHashMap::default();
        for item in &tree.items {
            let ItemKind::Assign { name, value } = &item.kind else {
                return Err(vec![
                    Diagnostic::error(Code::Syntax, "an answer holds only `name = value`").at(item.span, ""),
                ]);
            };
            if !self.vars.iter().any(|array| array.name == name.text) {
                return Err(vec![
                    Diagnostic::error(
                        Code::UnknownName,
                        format!("the model has no variable `{}`", name.text),
                    )
                    .at(name.span, ""),
                ]);
            }
            let supply = self.program.supply(value)?;
            found.insert(name.text.to_string(), supply);
        }
        Ok(found)
    }

    fn json_values(&self, file: FileId, text: &str) -> Result<FxHashMap<String, Supply>, Diagnostic> {
        let line = text.trim_start_matches('\u{feff}').trim_start().lines().next().unwrap_or("");
        let at = Span::new(file, 0, 1);
        let value =
            from_json(line).or_else(|_| from_json(text.trim_start_matches('\u{feff}'))).map_err(|error| {
                Diagnostic::error(Code::Syntax, format!("this is no JSON: {error}")).at(at, "")
            })?;
        let object = value.get("values").unwrap_or(&value);
        let Some(object) = object.as_object() else {
            return Err(Diagnostic::error(Code::Syntax, "an answer in JSON is an object, a key a variable")
                .at(at, ""));
        };
        let mut found = FxHashMap::default();
        for (name, value) in object {
            if !self.vars.iter().any(|array| &*array.name == name) {
                return Err(Diagnostic::error(
                    Code::UnknownName,
                    format!("the model has no variable `{name}`"),
                )
                .at(at, ""));
            }
            found.insert(name.clone(), Supply::Json { value: value.clone(), at });
        }
        Ok(found)
    }

    /// The values of one variable array, `none` where a value is missing. They are read like a parameter with
    /// this domain.
    fn array_values(&mut self, array: &VarArray, supply: &Supply) -> Res<Vec<Value>> {
        let mut all: Vec<Value> = Vec::new();
        let mut seen = rustc_hash::FxHashSet::default();
        for at in 0..array.len() {
            all.extend(array.domain(at).iter().filter(|value| seen.insert((*value).clone())).cloned());
        }
        let is_bool = all.iter().all(|value| matches!(value, Value::Bool(_)));
        let kind = if is_bool { Kind::Bool } else { self.kind_of(all.into()) };
        let allowed = Allowed { kind, optional: true };
        let program = self.program;
        let global: &Global = &program.globals[array.id.0 as usize];
        let GlobalKind::Var(var) = &global.kind else { return Ok(Vec::new()) };
        let (keys, sizes) = match &array.keys {
            Some(keys) => (
                keys.clone(),
                self.frame(var.slots, |this| {
                    var.dims
                        .iter()
                        .map(|dim| this.dimension_items(dim).map(|items| items.len()))
                        .collect::<Res<Vec<_>>>()
                })
                .unwrap_or_else(|_| vec![keys.len()]),
            ),
            None => (Rc::new(Keys::new(Rc::new([Value::Int(1)]))), vec![1]),
        };
        let param = ParamIr {
            dims: Vec::new(),
            domain: Some(DomainIr::Int),
            optional: true,
            domain_span: Some(var.domain_span),
            slots: 0,
            sized_by: Vec::new(),
        };
        self.read_array(global, &param, &allowed, &keys, &sizes, supply, array.keys.is_none())
    }
}
