//! A formula and its symbol map, as they are written.
//!
//! In: a ground model and choices. Out: a formula, written any number of times, each time with the further clauses of
//! that call; its symbol map.

use super::listener::Listener;
use super::load::Loaded;
use super::stages::presolved;
use super::{Encoding, Failure};
use crate::encode::cnf::{EncodeError, GraphEncoding, Options};
use crate::encode::cuts::Lazy;
use crate::encode::symbols::{self, Block, Domain, Symbol, SymbolMap, Text, comment_lines, runs};
use crate::encode::{EmitError, Form, Formula, Given, Labels, Lit, Sink, Target, measure};
use crate::eval::{Domains, Eval, Value, VarArray, stop_diagnostic};
#[cfg(feature = "process")]
use crate::files::Output;
use crate::files::{Digesting, WriteFault};
use crate::model::presolve::Presolved;
use crate::model::{self, Instance, VarId};
use crate::render::{self, Style};
use crate::shared::Stop;
use rustc_hash::FxHashMap;
use std::io::{self, Write};
use std::mem;
#[cfg(feature = "process")]
use std::path::Path;
use std::sync::Arc;

/// A formula to be written. Every method needs the `eval` that it was made with.
pub struct FormulaFile {
    pub formula: Box<dyn Formula>,
    /// See [`Given::cost`].
    pub cost: Option<i128>,
    known: Presolved,
    options: Options,
    form: Form,
    names: Names,
}

/// Names of variables and rules, for formats that can hold names.
#[derive(Default)]
pub struct Names {
    vars: Vec<String>,
    rules: FxHashMap<Instance, String>,
}

impl Names {
    pub fn of(eval: &mut Eval<'_>) -> Names {
        let mut vars = Vec::with_capacity(eval.model.vars.len());
        for array in &eval.vars {
            vars.extend((0..array.len()).map(|at| eval.entry_name(array, at)));
        }
        Names { vars, rules: eval.labels() }
    }

    /// Calls `call` with the names.
    pub fn with<T>(&self, call: impl FnOnce(&Labels<'_>) -> T) -> T {
        let var = |var: VarId| self.vars.get(var.0 as usize).cloned().unwrap_or_default();
        let rule = |instance: Instance| self.rules.get(&instance).cloned().unwrap_or_default();
        call(&Labels { var: &var, rule: &rule })
    }
}

impl FormulaFile {
    /// Presolves and measures. With a `cost`, the formula allows only answers of this cost, see [`Given::cost`].
    pub fn new(
        eval: &mut Eval<'_>,
        target: Target,
        encoding: &Encoding,
        form: Form,
        cost: Option<i128>,
        listener: &dyn Listener,
    ) -> Result<FormulaFile, Failure> {
        let known = presolved(eval, encoding)?;
        let options = encoding.options;
        let names = if target == Target::Xcc { Names::of(eval) } else { Names::default() };
        let formula =
            with_given(eval, &known, &names, (options, form, cost), |given| measure(target, given))?;
        let limit = eval.budget.limits().clauses;
        if formula.rows() > limit {
            let fault = stop_diagnostic(Stop::Clauses { limit });
            return Err(fault.note(format!("there are {}", formula.rows())).into());
        }
        if let Some(warning) = formula.warning() {
            listener.note(&warning);
        }
        Ok(FormulaFile { formula, cost, known, options, form, names })
    }

    /// Adds the clauses of the formula to an engine.
    pub fn clauses(&self, eval: &Eval<'_>, sink: &mut dyn Sink) -> Result<(), Failure> {
        let choices = (self.options, self.form, self.cost);
        with_given(eval, &self.known, &self.names, choices, |given| given.encode(sink, None))?;
        Ok(())
    }

    /// Writes the formula, with the comment lines `carried` before it and the clauses `further` after it. Returns the
    /// digest.
    pub fn write(
        &mut self,
        eval: &mut Eval<'_>,
        out: &mut dyn Write,
        name: &str,
        carried: &str,
        annotate: bool,
        further: &[Vec<Lit>],
    ) -> Result<u128, Failure> {
        let fault = |error: io::Error| Failure::from(WriteFault::of(name, &error));
        let mut out = Digesting::new(out, self.formula.target().comments());
        let preface = format!("{carried}{}", self.preface(eval)?);
        if annotate && self.names.rules.is_empty() {
            self.names = Names::of(eval);
        }
        let label = |instance: Instance| self.names.rules.get(&instance).cloned().unwrap_or_default();
        let label = annotate.then_some(&label as &dyn Fn(Instance) -> String);
        let name_of = |lit: Lit| self.literal_name(eval, lit);
        let names = annotate.then_some(&name_of as &dyn Fn(Lit) -> String);
        let choices = (self.options, self.form, self.cost);
        let written = with_given(eval, &self.known, &self.names, choices, |given| {
            self.formula.write(&Given { names, ..*given }, &preface, label, further, &mut out)
        });
        match written {
            Ok(()) => {}
            Err(EmitError::Write(error)) => return Err(fault(error)),
            Err(EmitError::Encode(EncodeError::Stop(Stop::Cancelled))) => return Err(Failure::ClosedPipe),
            Err(EmitError::Encode(error)) => return Err(error.into()),
        }
        let (_, digest) = out.finish().map_err(fault)?;
        Ok(digest)
    }

    /// Does the formula have as many models as the puzzle has solutions? This holds if auxiliary variables are
    /// determined, and there is neither an `answer` that omits variables nor an objective.
    pub fn is_exact(&self, eval: &Eval<'_>) -> bool {
        let model = &eval.model;
        self.formula.emission().is_determined() && model.answer.is_none() && model.objective.is_none()
    }

    /// A literal in words: `x[1, 2] = 3`, `x[1, 2] != 3`.
    pub fn literal_name(&self, eval: &Eval<'_>, lit: Lit) -> String {
        let encodings = &self.formula.emission().encodings;
        let at = lit.abs();
        let var = encodings.partition_point(|encoding| encoding.literals().0 <= at).checked_sub(1);
        let told = var.and_then(|var| {
            // a variable without literals has the same start as the next one
            let var = (0..=var).rev().find(|var| encodings[*var].literals().1 > 0)?;
            let (first, count) = encodings[var].literals();
            let offset = at.abs_diff(first);
            (offset < count).then_some((var, offset as usize))
        });
        let no = if lit < 0 { "not " } else { "" };
        let Some((var, offset)) = told else { return format!("{no}aux {at}") };
        let arrays = &eval.vars;
        let array = &arrays[arrays.partition_point(|array| array.first.0 as usize <= var) - 1];
        let entry = var - array.first.0 as usize;
        let name = eval.entry_name(array, entry);
        let value = || eval.name_text(&array.domain(entry)[offset]);
        match (encodings[var], lit > 0) {
            (symbols::Encoding::Bool(_), _) => format!("{no}{name}"),
            (symbols::Encoding::Direct { .. }, true) => format!("{name} = {}", value()),
            (symbols::Encoding::Direct { .. }, false) => format!("{name} != {}", value()),
            (symbols::Encoding::Order { .. }, true) => format!("{name} <= {}", value()),
            (symbols::Encoding::Order { .. }, false) => format!("{name} > {}", value()),
            (symbols::Encoding::Binary { .. }, _) => format!("{no}bit {offset} of {name}"),
        }
    }

    /// The comment lines: version, numbering, the puzzle with the known values.
    fn preface(&self, eval: &mut Eval<'_>) -> Result<String, Failure> {
        let target = self.formula.target();
        let theirs = |text: &str| comment_lines(target.comment(), text);
        let mark = char::from(target.comments().start());
        let mut lines = format!("{mark} rebus {}\n{mark}\n", env!("CARGO_PKG_VERSION"));
        let ours = |lines: &mut String, text: &str| lines.push_str(&format!("{mark} {text}\n"));
        ours(
            &mut lines,
            "Named variables come first, in the order declared, keys row by row, values ascending:",
        );
        for array in eval.vars.iter().filter(|array| array.len() > 0) {
            lines.push_str(&theirs(&self.numbering(eval, array)));
        }
        let objective = eval.model.objective.is_some();
        let graphs = self.formula.emission().graphs;
        let projected = eval.model.answer.is_some() || !self.formula.emission().is_determined();
        match (objective, target.has_objective()) {
            (true, true) => ours(&mut lines, "the objective is to be as little as possible"),
            (true, false) => {
                ours(
                    &mut lines,
                    "the objective is not in this formula: its models are all that keep the rules",
                );
            }
            _ => {}
        }
        match graphs {
            None => {}
            Some(GraphEncoding::Tree) => {
                ours(
                    &mut lines,
                    "graphs are told by parents, which are not determined: several models may be one solution",
                );
            }
            Some(GraphEncoding::Cuts) => {
                ours(&mut lines, "graph constraints are left out: solutions = models that keep them, too");
            }
            Some(_) => ours(&mut lines, "graphs are told by distances, which are determined"),
        }
        match (objective, projected) {
            (_, true) => ours(&mut lines, "solutions = models projected to the literals of the answer"),
            (false, _) => ours(&mut lines, "models = solutions"),
            _ => {}
        }
        lines.push_str(&format!("{mark}\n"));
        if self.known.contradiction.is_some() {
            return Ok(lines);
        }
        let known: Vec<Option<u32>> =
            (0..eval.model.vars.len()).map(|at| self.known.fixed(VarId(at as u32))).collect();
        for drawing in eval.drawn_with(&known)? {
            lines.push_str(&theirs(&render::text(&drawing, Style { ascii: false })));
        }
        lines.push_str(&format!("{mark}\n"));
        Ok(lines)
    }

    /// The literals of an array's variables; it has at least one variable.
    fn numbering(&self, eval: &Eval<'_>, array: &VarArray) -> String {
        let all = &self.formula.emission().encodings[array.first.0 as usize..][..array.len()];
        let name = |i: usize| eval.entry_name(array, i);
        let names = match array.len() {
            1 => name(0),
            n => format!("{} to {}", name(0), name(n - 1)),
        };
        // a variable with a single value may have no literal
        let mut told = all.iter().filter(|encoding| encoding.literals().1 > 0);
        let Some(start) = told.next() else {
            return format!("{names}: no literal, there is one value");
        };
        let (first, _) = start.literals();
        let (last, count) = told.clone().next_back().unwrap_or(start).literals();
        let how = match start {
            _ if told.any(|other| mem::discriminant(other) != mem::discriminant(start)) => "see the map",
            symbols::Encoding::Bool(_) => "a literal",
            symbols::Encoding::Direct { .. } => "a literal a value",
            symbols::Encoding::Order { .. } => "a literal a threshold, `at most the i-th value`",
            symbols::Encoding::Binary { .. } => "the place of the value as a binary number, lowest bit first",
        };
        let is = if array.len() == 1 { "is" } else { "are" };
        match last + count as Lit - 1 {
            end if end == first => format!("{names} {is} {first}: {how}"),
            end => format!("{names} {is} {first} to {end}: {how}"),
        }
    }

    /// The text of the symbol map of the formula with this digest.
    pub fn map_text(&self, eval: &Eval<'_>, digest: u128, loaded: &Loaded) -> String {
        let mut text = Vec::new();
        let map = self.map(eval, digest, loaded.texts.clone());
        symbols::write(&map, &mut text).expect("a vector takes every byte");
        String::from_utf8(text).expect("a map is text")
    }

    /// The symbol map of the formula with this digest.
    pub fn map(&self, eval: &Eval<'_>, digest: u128, texts: Vec<Text>) -> SymbolMap {
        let emission = self.formula.emission();
        let mut symbols = Vec::with_capacity(eval.model.vars.len());
        for array in &eval.vars {
            let domain =
                |at: usize| Arc::new(domain_in_map(eval, VarId(array.first.0 + at as u32), array.domain(at)));
            let shared = match &array.domains {
                Domains::Same(_) if array.len() > 0 => Some(domain(0)),
                _ => None,
            };
            for at in 0..array.len() {
                symbols.push(Symbol {
                    name: eval.entry_name(array, at),
                    domain: shared.clone().unwrap_or_else(|| domain(at)),
                    encoding: emission.encodings[array.first.0 as usize + at],
                });
            }
        }
        let (named, last) = (emission.named as Lit, emission.variables as Lit);
        let auxiliaries =
            Block { first: named + 1, last, determined: emission.is_determined(), label: String::new() };
        SymbolMap {
            tool: format!("rebus {}", env!("CARGO_PKG_VERSION")),
            target: self.formula.target(),
            dialect: self.formula.dialect().into(),
            digest,
            variables: u64::from(emission.variables),
            clauses: self.formula.rows(),
            exact: self.is_exact(eval),
            symbols,
            blocks: if last > named { vec![auxiliaries] } else { Vec::new() },
            answer: runs(&emission.answer),
            word_literals: self.formula.word_literals(),
            graphs: emission.lazy.iter().map(Lazy::graph).collect(),
            texts,
        }
    }
}

#[cfg(feature = "process")]
impl FormulaFile {
    /// Writes the formula with the clauses `further` to a file; returns its digest.
    pub fn put(&mut self, eval: &mut Eval<'_>, path: &Path, further: &[Vec<Lit>]) -> Result<u128, Failure> {
        let mut digest = 0;
        put(path, |out, name| {
            digest = self.write(eval, out, name, "", false, further)?;
            Ok(())
        })?;
        Ok(digest)
    }

    /// Writes the map of the formula with this digest to a file.
    pub fn put_map(
        &self,
        eval: &Eval<'_>,
        digest: u128,
        loaded: &Loaded,
        path: &Path,
    ) -> Result<(), Failure> {
        let map = self.map(eval, digest, loaded.texts.clone());
        put(path, |out, name| symbols::write(&map, out).map_err(|error| WriteFault::of(name, &error).into()))
    }
}

/// Writes a file atomically: complete or not at all.
#[cfg(feature = "process")]
pub fn put(path: &Path, write: impl FnOnce(&mut Output, &str) -> Result<(), Failure>) -> Result<(), Failure> {
    let mut output = Output::create(path)?;
    let name = output.name().to_string();
    write(&mut output, &name)?;
    Ok(output.commit()?)
}

/// The values of a variable in the form of a symbol map.
pub fn domain_in_map(eval: &Eval<'_>, var: VarId, values: &[Value]) -> Domain {
    match eval.model.domain(var) {
        model::Domain::Bool => Domain::bool(),
        model::Domain::Ints(ints) => Domain::ints(ints.iter().copied()),
        model::Domain::Symbols(_) => Domain::new(values.iter().map(|value| eval.name_text(value))),
    }
}

/// Calls `call` with the input of a formula.
fn with_given<T>(
    eval: &Eval<'_>,
    known: &Presolved,
    names: &Names,
    (options, form, cost): (Options, Form, Option<i128>),
    call: impl FnOnce(&Given<'_>) -> T,
) -> T {
    let allows = |var, position| known.contradiction.is_some() || known.allows(var, position);
    names.with(|labels| {
        let (model, budget) = (&eval.model, eval.budget);
        call(&Given { model, allows: &allows, options, form, cost, labels, names: None, budget })
    })
}
