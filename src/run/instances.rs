//! Many instances of one model.
//!
//! In: a loaded model, the next instances of a list. Out: events, an end for each instance that was done. The common rules are
//! ground and encoded once, see [`super::assumed`]. Where that cannot be (variables, answers or an objective depend on the
//! instance, a graph is its own) an instance is solved alone. Invariant: a fault of an instance is told as its end, and the
//! others go on; only a limit of the whole run ends it.

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

/// Where instances come from.
pub enum Lines {
    /// Values of one parameter, as for `-D`.
    Values { name: String, path: String, text: String },
    /// JSON objects.
    Objects { path: String, text: String },
}

/// One of them.
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
    /// Reads what `NAME=FILE` or `FILE.jsonl` names.
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

    /// The parameter that every line gives a value; `None` where lines are objects.
    pub fn name(&self) -> Option<&str> {
        match self {
            Lines::Values { name, .. } => Some(name),
            Lines::Objects { .. } => None,
        }
    }

    /// The instances; empty lines and those that begin with `#` are none.
    pub fn list(&self) -> Vec<Instance<'_>> {
        let (Lines::Values { path, text, .. } | Lines::Objects { path, text }) = self;
        (1..)
            .zip(text.lines())
            .filter(|(_, text)| !text.trim().is_empty() && !text.starts_with('#'))
            .map(|(line, text)| Instance { text, path, line })
            .collect()
    }

    /// All parameters that lines give.
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

/// The parameters of an object, if it is one.
fn names(line: &str) -> Option<BTreeSet<String>> {
    object(line).ok().map(|object| object.into_iter().map(|(name, _)| name).collect())
}

/// Is a solution the only one?
pub enum Only {
    Yes,
    /// A second one differs in these entries.
    No(Vec<String>),
}

/// What happens, in order.
pub enum Event {
    Solution(Solution),
    /// A solution as a picture under a caption.
    Drawn(String, Shown),
    /// An instance is done.
    End(InstanceEnd),
}

/// How an instance ended.
pub struct InstanceEnd {
    /// `None`: it failed.
    pub status: Option<Status>,
    /// If that was asked and is known.
    pub only: Option<Only>,
    pub faults: Vec<Diagnostic>,
    pub sources: Sources,
    pub elapsed: Duration,
    /// Variables and clauses of the formula.
    pub sizes: Option<(u64, u64)>,
}

/// Takes an event; an error ends the run.
pub type Tell<'t> = dyn FnMut(Event) -> Result<(), Failure> + 't;

/// What is the same for all instances.
pub struct Instances<'a> {
    /// What is asked of each.
    pub question: Question<'a>,
    /// Is it asked whether a solution is the only one?
    pub unique: bool,
    /// Are solutions wanted as pictures?
    pub pictures: bool,
    /// The parameter that every line gives a value; without it lines are objects.
    pub name: Option<&'a str>,
    pub budget: &'a Budget,
    /// Has each instance the limits for itself?
    pub own_limits: bool,
}

/// Terms of a batch before it starts anew, so that memory stays bounded.
const MOST_TERMS: usize = 4_000_000;

/// One grounding, and the instance that is looked at.
struct Batch<'b, 'e> {
    eval: Eval<'e>,
    sources: Sources,
    /// Rules of the program that depend on the instance.
    own: &'b [usize],
    /// Rules of the model that do not.
    rules: usize,
    /// These in an engine, once that was wanted.
    common: Option<Common>,
}

impl Instances<'_> {
    /// Solves instances from one grounding; how many were done.
    pub fn batch(&self, list: &[Instance<'_>], tell: &mut Tell<'_>) -> Result<usize, Failure> {
        let start = self.budget.elapsed();
        let program = &self.question.loaded.program;
        // the last source is the text of an instance
        let mut sources = self.question.loaded.sources.clone();
        let Some((common, own)) = self.shares(program, list[0]) else {
            let done = self.alone(&mut sources, list[0], tell);
            return self.ended(done, start, tell).map(|()| 1);
        };
        match self.ground_common(sources, &common, &own) {
            Ok(mut batch) => self.shared(&mut batch, list, tell),
            Err(failure) => self.ended(Err(failure), start, tell).map(|()| 1),
        }
    }

    /// The rules that do not depend on the instance, and its own; `None` if too much else does.
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
        // a name that is none is told by whoever reads the instance
        let changed: Option<Vec<GlobalId>> = names.iter().map(|name| program.param_named(name)).collect();
        let affected = program.affected(changed?);
        if program.var_ids().any(|id| affected.contains(&id)) {
            return None;
        }
        Some((0..program.rules.len()).partition(|at| program.rule_deps[*at].is_disjoint(&affected)))
    }

    /// What failed is told as the end of its instance, unless it is the whole run that is over.
    fn ended(&self, done: Result<(), Failure>, start: Duration, tell: &mut Tell<'_>) -> Result<(), Failure> {
        match done {
            Err(Failure::Faults(_)) if !self.own_limits && self.budget.check().is_err() => done,
            Err(Failure::Faults(Faulty { sources, faults })) => tell(Event::End(InstanceEnd {
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

    /// Gives the evaluator the parameters of one instance; its text takes the place of the last source.
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

    /// One instance from beginning to end.
    fn alone(
        &self,
        sources: &mut Sources,
        instance: Instance<'_>,
        tell: &mut Tell<'_>,
    ) -> Result<(), Failure> {
        let start = self.budget.elapsed();
        let Question { loaded, listener, .. } = self.question;
        let mut eval = Eval::new(&loaded.program, self.budget);
        let supplied = self.supply(&mut eval, sources, instance).map_err(Failure::from);
        let ground = supplied.and_then(|()| Ok(stages::ground(&mut eval, &loaded.without, listener)?));
        ground.map_err(|failure| failure.within(sources))?;
        listener.warn(&eval.warnings, sources);
        let mut ask = |take: &mut TakeSolution<'_>| self.question.solutions(&mut eval, take);
        self.answered(instance, start, &mut ask, tell).map_err(|failure| failure.within(sources))
    }

    /// Takes the solutions of an instance, and says how it ended.
    fn answered(
        &self,
        instance: Instance<'_>,
        start: Duration,
        ask: &mut dyn FnMut(&mut TakeSolution<'_>) -> Result<Search, Failure>,
        tell: &mut Tell<'_>,
    ) -> Result<(), Failure> {
        let mut first: Option<Vec<(String, Data)>> = None;
        // where the second differs from the first
        let mut differ = None;
        let search = ask(&mut |eval, solution| {
            match &first {
                Some(first) if self.unique => differ = Some(render::differences(first, solution.values())),
                None if self.unique => first = Some(solution.values().to_vec()),
                _ => {}
            }
            tell(match self.pictures {
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
        tell(Event::End(InstanceEnd {
            status: Some(status),
            only,
            faults: Vec::new(),
            sources: Sources::default(),
            elapsed: self.budget.elapsed() - start,
            sizes: Some((search.variables.into(), clauses)),
        }))
    }

    /// What instances share, ground.
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

    /// All instances that fit one grounding; how many were done.
    fn shared(
        &self,
        batch: &mut Batch<'_, '_>,
        list: &[Instance<'_>],
        tell: &mut Tell<'_>,
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
            let done = self.next_of(batch, *instance, start, tell);
            let solved = match done {
                Ok(()) => Ok(()),
                Err(Unsolved::Ground(failure)) => self.ended(Err(failure), start, tell),
                Err(Unsolved::Graph) => {
                    let done = self.alone(&mut batch.sources, *instance, tell);
                    self.ended(done, start, tell)
                }
                Err(Unsolved::Failed(failure)) => {
                    self.ended(Err(failure), start, tell)?;
                    // what was half told to the engine is forgotten
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

    /// The next instance from what is ground.
    fn next_of(
        &self,
        batch: &mut Batch<'_, '_>,
        instance: Instance<'_>,
        start: Duration,
        tell: &mut Tell<'_>,
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
        let done = self.answered(instance, start, &mut ask, tell);
        done.map_err(|failure| Unsolved::Failed(failure.within(sources)))
    }
}

/// Why an instance was not solved from what is ground.
enum Unsolved {
    Ground(Failure),
    /// An engine is told of graphs for good, and not of those that came before.
    Graph,
    Failed(Failure),
}
