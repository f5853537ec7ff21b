//! Many instances of one model.
//!
//! In: a loaded model, the next instances of a list. Out: events, with one end event for each instance. The common
//! rules are ground and encoded once, see `super::assumed`. Where that is impossible (variables, answers or an
//! objective depend on the instance, or a graph belongs to it), an instance is solved alone. Invariant: a fault of an
//! instance is reported as its end, and the others continue; only a limit of the whole run ends the run.

use super::answers::{Search, TakeSolution, solutions};
use super::assumed::{Assumed, Common};
use super::failure::{Failure, Faulty};
use super::listener::Progress;
use super::load::MOST_READ;
use super::question::Question;
use super::stages;
use crate::decode::Solution;
use crate::diag::{Code, Diagnostic, Sources};
use crate::eval::{Eval, GlobalId, Program};
use crate::files;
use crate::render::{self, Data, Shown, Status};
use crate::shared::{Budget, Span, from_json};
use std::collections::BTreeSet;
use std::path::Path;
use std::time::Duration;

/// The source of instances.
pub enum Lines {
    /// Values of one parameter, as for `-D`.
    Values { name: String, path: String, text: String },
    /// JSON objects.
    Objects { path: String, text: String },
}

/// An instance.
#[derive(Clone, Copy)]
pub struct Instance<'t> {
    pub text: &'t str,
    pub path: &'t str,
    pub line: usize,
}

impl Instance<'_> {
    /// The name of its text in messages.
    pub fn place(&self) -> String {
        format!("{}, line {}", self.path, self.line)
    }
}

impl Lines {
    /// Reads the file of `NAME=FILE` or `FILE.jsonl`.
    pub fn read(instances: &str) -> Result<Lines, Failure> {
        match instances.split_once('=') {
            Some((name, path)) if !name.contains(['/', '.']) => {
                let path = path.strip_prefix('@').unwrap_or(path);
                let text = files::read_text(Path::new(path), MOST_READ)?;
                Ok(Lines::Values { name: name.into(), path: path.into(), text })
            }
            _ if instances.trim_end_matches(".gz").ends_with(".jsonl") => {
                let text = files::read_text(Path::new(instances), MOST_READ)?;
                Ok(Lines::Objects { path: instances.into(), text })
            }
            _ => Err(Diagnostic::error(Code::Usage, format!("`--each {instances}` tells no instances"))
                .help("write `--each NAME=FILE` (a line a value) or `--each FILE.jsonl` (a line an object)")
                .into()),
        }
    }

    /// The parameter whose value each line gives; `None` if lines are objects.
    pub fn name(&self) -> Option<&str> {
        match self {
            Lines::Values { name, .. } => Some(name),
            Lines::Objects { .. } => None,
        }
    }

    /// The instances; empty lines and lines that begin with `#` are skipped.
    pub fn list(&self) -> Vec<Instance<'_>> {
        let (Lines::Values { path, text, .. } | Lines::Objects { path, text }) = self;
        (1..)
            .zip(text.lines())
            .filter(|(_, text)| !text.trim().is_empty() && !text.starts_with('#'))
            .map(|(line, text)| Instance { text, path, line })
            .collect()
    }

    /// All parameters that lines set.
    pub fn names(&self) -> Vec<String> {
        let all: BTreeSet<String> = match self {
            Lines::Values { name, .. } => BTreeSet::from([name.clone()]),
            Lines::Objects { .. } => {
                self.list().iter().filter_map(|instance| names(instance.text)).flatten().collect()
            }
        };
        all.into_iter().collect()
    }
}

fn object(line: &str) -> Result<serde_json::Map<String, serde_json::Value>, Diagnostic> {
    match from_json(line) {
        Ok(serde_json::Value::Object(object)) => Ok(object),
        Ok(_) => Err(Diagnostic::error(Code::Syntax, "an instance is one JSON object a line")),
        Err(error) => Err(Diagnostic::error(Code::Syntax, format!("this line is no JSON: {error}"))),
    }
}

/// The parameters of an object; `None` for other lines.
fn names(line: &str) -> Option<BTreeSet<String>> {
    object(line).ok().map(|object| object.into_iter().map(|(name, _)| name).collect())
}

/// Is a solution the only one?
pub enum Only {
    Yes,
    /// A second one differs in these entries.
    No(Vec<String>),
}

/// The events of a run, in order.
pub enum Event {
    Solution(Solution),
    /// A solution as a picture under a caption.
    Drawn(String, Shown),
    /// An instance is done.
    End(InstanceEnd),
}

/// The result of an instance.
pub struct InstanceEnd {
    /// `None` if it failed.
    pub status: Option<Status>,
    /// If uniqueness was asked and is known.
    pub only: Option<Only>,
    pub faults: Vec<Diagnostic>,
    pub sources: Sources,
    pub elapsed: Duration,
    /// Variables and clauses of the formula.
    pub sizes: Option<(u64, u64)>,
}

/// Consumes an event; an error ends the run.
pub type Emit<'t> = dyn FnMut(Event) -> Result<(), Failure> + 't;

/// The settings common to all instances.
pub struct Instances<'a> {
    /// The question for each instance.
    pub question: Question<'a>,
    /// Must each solution be checked for uniqueness?
    pub unique: bool,
    /// Are pictures of solutions wanted?
    pub pictures: bool,
    /// The parameter whose value each line gives; `None` if lines are objects.
    pub name: Option<&'a str>,
    pub budget: &'a Budget,
    /// Do the limits apply to each instance separately?
    pub own_limits: bool,
}

/// Terms of a batch before a new one is started, so that memory stays bounded.
const MOST_TERMS: usize = 4_000_000;

/// A grounding of the common rules, and the current instance.
struct Batch<'b, 'e> {
    eval: Eval<'e>,
    sources: Sources,
    /// Rules of the program that depend on the instance.
    own: &'b [usize],
    /// The number of rules of the model that do not.
    rules: usize,
    /// These rules in an engine, once it is needed.
    common: Option<Common>,
}

impl Instances<'_> {
    /// Solves instances with one grounding; returns how many were done.
    pub fn batch(&self, list: &[Instance<'_>], emit: &mut Emit<'_>) -> Result<usize, Failure> {
        let start = self.budget.elapsed();
        let program = &self.question.loaded.program;
        // the last source is the text of an instance
        let mut sources = self.question.loaded.sources.clone();
        let Some((common, own)) = self.shares(program, list[0]) else {
            let done = self.alone(&mut sources, list[0], emit);
            return self.ended(done, start, emit).map(|()| 1);
        };
        match self.ground_common(sources, &common, &own) {
            Ok(mut batch) => self.shared(&mut batch, list, emit),
            Err(failure) => self.ended(Err(failure), start, emit).map(|()| 1),
        }
    }

    /// The common rules, and those of the instance; `None` if more than rules depends on the instance.
    fn shares(&self, program: &Program, instance: Instance<'_>) -> Option<(Vec<usize>, Vec<usize>)> {
        let one = self.question.most == 1 || self.unique;
        let labels = &self.question.loaded.without.labels;
        if !one || program.objective.is_some() || program.answers.is_some() || !labels.is_empty() {
            return None;
        }
        let names = match self.name {
            Some(name) => BTreeSet::from([name.to_string()]),
            None => names(instance.text)?,
        };
        // an unknown name is reported when the instance is read
        let changed: Option<Vec<GlobalId>> = names.iter().map(|name| program.param_named(name)).collect();
        let affected = program.affected(changed?);
        if program.var_ids().any(|id| affected.contains(&id)) {
            return None;
        }
        Some((0..program.rules.len()).partition(|at| program.rule_deps[*at].is_disjoint(&affected)))
    }

    /// Reports a failure as the end of its instance, unless a limit of the whole run was reached.
    fn ended(&self, done: Result<(), Failure>, start: Duration, emit: &mut Emit<'_>) -> Result<(), Failure> {
        match done {
            Err(Failure::Faults(_)) if !self.own_limits && self.budget.check().is_err() => done,
            Err(Failure::Faults(Faulty { sources, faults })) => emit(Event::End(InstanceEnd {
                status: None,
                only: None,
                faults,
                sources,
                elapsed: self.budget.elapsed() - start,
                sizes: None,
            })),
            done => done,
        }
    }

    /// Sets the parameters of an instance in the evaluator; its text replaces the last source.
    fn supply(
        &self,
        eval: &mut Eval<'_>,
        sources: &mut Sources,
        instance: Instance<'_>,
    ) -> Result<(), Diagnostic> {
        let file = sources.replace_last(instance.place(), instance.text);
        let span = Span::new(file, 0, instance.text.len());
        match self.name {
            Some(name) => eval.supply_text(name, file, instance.text),
            None => object(instance.text).map_err(|fault| fault.at(span, "")).and_then(|object| {
                object.into_iter().try_for_each(|(name, value)| eval.supply_json(&name, value, span))
            }),
        }
    }

    /// Solves an instance separately, from loading to its end.
    fn alone(
        &self,
        sources: &mut Sources,
        instance: Instance<'_>,
        emit: &mut Emit<'_>,
    ) -> Result<(), Failure> {
        let start = self.budget.elapsed();
        let Question { loaded, listener, .. } = self.question;
        let mut eval = Eval::new(&loaded.program, self.budget);
        let supplied = self.supply(&mut eval, sources, instance).map_err(Failure::from);
        let ground = supplied.and_then(|()| Ok(stages::ground(&mut eval, &loaded.without, listener)?));
        ground.map_err(|failure| failure.within(sources))?;
        listener.warn(&eval.warnings, sources);
        let mut ask = |take: &mut TakeSolution<'_>| self.question.solutions(&mut eval, take);
        self.answered(instance, start, &mut ask, emit).map_err(|failure| failure.within(sources))
    }

    /// Emits the solutions of an instance, and its end.
    fn answered(
        &self,
        instance: Instance<'_>,
        start: Duration,
        ask: &mut dyn FnMut(&mut TakeSolution<'_>) -> Result<Search, Failure>,
        emit: &mut Emit<'_>,
    ) -> Result<(), Failure> {
        let mut first: Option<Vec<(String, Data)>> = None;
        // the entries in which the second solution differs from the first
        let mut differ = None;
        let search = ask(&mut |eval, solution| {
            match &first {
                Some(first) if self.unique => differ = Some(render::differences(first, solution.values())),
                None if self.unique => first = Some(solution.values().to_vec()),
                _ => {}
            }
            emit(match self.pictures {
                false => Event::Solution(solution),
                true => {
                    let shown = eval.drawn_before()?.shown(&[solution.drawings()]);
                    Event::Drawn(instance.place(), Shown::below(shown))
                }
            })?;
            Ok(true)
        })?;
        let status = match search.found {
            _ if search.was_cut_short() && differ.is_none() => Status::Unknown,
            0 => Status::Unsatisfiable,
            _ if search.optimal => Status::Optimal,
            _ => Status::Satisfiable,
        };
        let only = match (differ, status) {
            (Some(differ), _) => Some(Only::No(differ)),
            (None, Status::Satisfiable | Status::Optimal) if self.unique => Some(Only::Yes),
            _ => None,
        };
        let clauses = search.sizes.iter().map(|size| size.1).sum();
        emit(Event::End(InstanceEnd {
            status: Some(status),
            only,
            faults: Vec::new(),
            sources: Sources::default(),
            elapsed: self.budget.elapsed() - start,
            sizes: Some((search.variables.into(), clauses)),
        }))
    }

    /// Grounds the common rules.
    fn ground_common<'b>(
        &'b self,
        sources: Sources,
        common: &[usize],
        own: &'b [usize],
    ) -> Result<Batch<'b, 'b>, Failure> {
        let Question { loaded, listener, .. } = self.question;
        let mut eval = Eval::new(&loaded.program, self.budget);
        let mut ground = || -> Result<(), Failure> {
            eval.declare_all()?;
            eval.ground_rules(common.iter().copied(), &loaded.without)?;
            Ok(eval.ground_outputs()?)
        };
        ground().map_err(|failure| failure.within(&sources))?;
        listener.warn(&eval.warnings, &sources);
        let rules = eval.model.rules.len();
        Ok(Batch { eval, sources, own, rules, common: None })
    }

    /// Solves all instances that fit one grounding; returns how many were done.
    fn shared(
        &self,
        batch: &mut Batch<'_, '_>,
        list: &[Instance<'_>],
        emit: &mut Emit<'_>,
    ) -> Result<usize, Failure> {
        let first = names(list[0].text);
        for (at, instance) in list.iter().enumerate() {
            if at > 0 {
                let differs = self.name.is_none() && names(instance.text) != first;
                if differs || batch.eval.model.arena.bool_count() > MOST_TERMS {
                    return Ok(at);
                }
                if self.own_limits {
                    self.budget.restart();
                }
            }
            let start = self.budget.elapsed();
            let done = self.next_of(batch, *instance, start, emit);
            let solved = match done {
                Ok(()) => Ok(()),
                Err(Unsolved::Ground(failure)) => self.ended(Err(failure), start, emit),
                Err(Unsolved::Graph) => {
                    let done = self.alone(&mut batch.sources, *instance, emit);
                    self.ended(done, start, emit)
                }
                Err(Unsolved::Failed(failure)) => {
                    self.ended(Err(failure), start, emit)?;
                    // the engine may hold half of an instance, so the batch is dropped
                    return Ok(at + 1);
                }
            };
            solved?;
            if !self.own_limits && self.budget.check().is_err() {
                return Ok(at + 1);
            }
        }
        Ok(list.len())
    }

    /// Solves the next instance on the common grounding.
    fn next_of(
        &self,
        batch: &mut Batch<'_, '_>,
        instance: Instance<'_>,
        start: Duration,
        emit: &mut Emit<'_>,
    ) -> Result<(), Unsolved> {
        let Batch { eval, sources, own, rules, common } = batch;
        let Question { loaded, listener, most, .. } = self.question;
        eval.model.rules.truncate(*rules);
        let warned = eval.warnings.len();
        let mut ground = || -> Result<(), Failure> {
            self.supply(eval, sources, instance)?;
            eval.check_params()?;
            eval.ground_rules(own.iter().copied(), &loaded.without)?;
            let faults = eval.show_faults();
            if faults.is_empty() { Ok(()) } else { Err(faults.into()) }
        };
        let grounded = ground();
        listener.warn(&eval.warnings[warned..], sources);
        grounded.map_err(|failure| Unsolved::Ground(failure.within(sources)))?;
        let arena = &eval.model.arena;
        if eval.model.rules[*rules..].iter().any(|rule| arena.tells_of_graph(rule.what)) {
            return Err(Unsolved::Graph);
        }
        let mut ask = |take: &mut TakeSolution<'_>| {
            if common.is_none() {
                *common = Some(Common::new(&self.question, eval, *rules)?);
            }
            let progress = Progress::start(listener, "solving");
            let common = common.as_mut().expect("it was made");
            solutions(&mut Assumed::new(common, eval)?, eval, most, &loaded.without, &progress, take)
        };
        let done = self.answered(instance, start, &mut ask, emit);
        done.map_err(|failure| Unsolved::Failed(failure.within(sources)))
    }
}

/// Why an instance could not be solved on the common grounding.
enum Unsolved {
    Ground(Failure),
    /// A graph is new: an engine cannot drop graphs, so those of an instance must not be attached.
    Graph,
    Failed(Failure),
}
