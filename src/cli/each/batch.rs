//! Instances that share what does not depend on them.
//!
//! In: a loaded model, the next instances of a list. Out: events, an end for each instance that was done. The common rules are
//! ground and encoded once, an instance's own are assumptions of one incremental engine. Where that cannot be (variables,
//! answers or an objective depend on the instance, a graph is its own) an instance is solved alone, as without `--each`.
//! Invariant: a fault of an instance is told as its end, and the others go on; only a limit of the whole run ends it.

use super::{Args, Event, Instance, names, object};
use crate::cli::load::{Faulty, Loaded};
use crate::cli::many::Tell;
use crate::cli::session::{self, End};
use crate::cli::show::Only;
use crate::cli::{Failure, all_with_sources, report, with_sources};
use crate::decode::Solution;
use crate::diag::{Diagnostic, Sources};
use crate::encode::cnf::{self, Emission, Encoder};
use crate::encode::{Counted, Lit};
use crate::eval::{Eval, GlobalId, Program, Without, stop_diagnostic};
use crate::model::Bool;
use crate::render::{self, Data, Status};
use crate::shared::{Budget, Span};
use crate::solve::embedded::{self, Cutting, EngineAnswer, SatEngine};
use std::collections::BTreeSet;
use std::time::Duration;

/// What is the same for all instances.
pub(super) struct Asked<'a> {
    pub args: &'a Args,
    /// The parameter that every line gives a value; without it lines are objects.
    pub name: Option<&'a str>,
    pub budget: &'a Budget,
}

/// Terms of a batch before it starts anew, so that memory stays bounded.
const MOST_TERMS: usize = 4_000_000;

impl Asked<'_> {
    /// Solves instances from one grounding; how many were done.
    pub fn batch(
        &self,
        loaded: &mut Loaded,
        list: &[Instance<'_>],
        tell: &mut Tell<'_, Event>,
    ) -> Result<usize, Failure> {
        let start = self.budget.elapsed();
        let program = &loaded.program;
        let Some((common, own)) = self.shares(program, &loaded.without, list[0]) else {
            let Loaded { sources, program, without, .. } = loaded;
            let done = self.alone((program, without), sources, list[0], tell);
            return self.told(done, start, tell).map(|()| 1);
        };
        match self.shared(loaded, list, (&common, &own), tell) {
            Ok(done) => Ok(done),
            // before the first instance was looked at
            failed => self.told(failed.map(drop), start, tell).map(|()| 1),
        }
    }

    /// The rules that do not depend on the instance, and its own; `None` if too much else does.
    fn shares(
        &self,
        program: &Program,
        without: &Without,
        instance: Instance<'_>,
    ) -> Option<(Vec<usize>, Vec<usize>)> {
        let one = self.args.most() == 1 || self.args.unique;
        if !one || program.objective.is_some() || program.answers.is_some() || !without.labels.is_empty() {
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
    fn told(
        &self,
        done: Result<(), Failure>,
        start: Duration,
        tell: &mut Tell<'_, Event>,
    ) -> Result<(), Failure> {
        match done {
            Err(Failure::Faults(_)) if !self.args.many.is_wanted() && self.budget.check().is_err() => done,
            Err(Failure::Faults(Faulty { sources, faults })) => {
                tell(Event::failed(faults, &sources, self.budget.elapsed() - start))
            }
            done => done,
        }
    }

    /// Gives the evaluator the parameters of one instance; its text takes the place of the last source.
    fn supply(
        &self,
        eval: &mut Eval<'_>,
        sources: &mut Sources,
        instance: Instance<'_>,
    ) -> Result<(), Vec<Diagnostic>> {
        let file = sources.replace_last(instance.place(), instance.text);
        let span = Span::new(file, 0, instance.text.len());
        match self.name {
            Some(name) => eval.supply_text(name, file, instance.text),
            None => object(instance.text).map_err(|fault| fault.at(span, "")).and_then(|object| {
                object.into_iter().try_for_each(|(name, value)| eval.supply_json(&name, value, span))
            }),
        }
        .map_err(|fault| vec![fault])
    }

    /// One instance from beginning to end.
    fn alone(
        &self,
        (program, without): (&Program, &Without),
        sources: &mut Sources,
        instance: Instance<'_>,
        tell: &mut Tell<'_, Event>,
    ) -> Result<(), Failure> {
        let (args, start) = (self.args, self.budget.elapsed());
        let mut eval = Eval::new(program, self.budget);
        let supplied = self.supply(&mut eval, sources, instance);
        supplied.and_then(|()| session::ground(&mut eval, without)).map_err(all_with_sources(sources))?;
        report(&eval.warnings, sources);
        let mut failure = None;
        let mut found = Found::default();
        let search =
            session::search(&mut eval, &args.encoding, args.seed, args.most(), &mut |eval, positions| {
                let solution = session::verified(eval, positions, without, found.number == 0)?;
                found.note(args, &solution);
                failure = tell(Event::found(args, eval, solution, instance)?).err();
                Ok(failure.is_none())
            })
            .map_err(with_sources(sources))?;
        if let Some(failure) = failure {
            return Err(failure);
        }
        let over = matches!(search.end, End::Stopped(_) | End::GaveUp);
        let status = match found.number {
            _ if over && found.differ.is_none() => Status::Unknown,
            0 => Status::Unsatisfiable,
            _ if search.optimal => Status::Optimal,
            _ => Status::Satisfiable,
        };
        let clauses = search.sizes.iter().map(|size| size.1).sum();
        let sizes = (search.emission.variables.into(), clauses);
        tell(Event::ended(status, found.only(args, status), self.budget.elapsed() - start, sizes))
    }

    /// All instances that fit one grounding. A failure is one of what they share.
    fn shared(
        &self,
        loaded: &mut Loaded,
        list: &[Instance<'_>],
        (common, own): (&[usize], &[usize]),
        tell: &mut Tell<'_, Event>,
    ) -> Result<usize, Failure> {
        let (args, budget) = (self.args, self.budget);
        let mut start = budget.elapsed();
        let Loaded { sources, program, without, .. } = loaded;
        let mut eval = Eval::new(program, budget);
        eval.declare_all().map_err(all_with_sources(sources))?;
        eval.ground_rules(common.iter().copied(), without).map_err(all_with_sources(sources))?;
        eval.ground_outputs().map_err(with_sources(sources))?;
        report(&eval.warnings, sources);
        let mark = eval.model.rules.len();
        let mut formula: Option<Formula> = None;
        let first = names(list[0].text);
        for (at, instance) in list.iter().enumerate() {
            if at > 0 {
                let differs = self.name.is_none() && names(instance.text) != first;
                if differs || eval.model.arena.bool_count() > MOST_TERMS {
                    return Ok(at);
                }
                if args.many.is_wanted() {
                    budget.restart();
                }
                start = budget.elapsed();
            }
            eval.model.rules.truncate(mark);
            let told = eval.warnings.len();
            let grounded = self.ground_own(&mut eval, sources, *instance, own, without);
            report(&eval.warnings[told..], sources);
            if let Err(faults) = grounded {
                self.told(Err(all_with_sources(sources)(faults)), start, tell)?;
                continue;
            }
            let arena = &eval.model.arena;
            if eval.model.rules[mark..].iter().any(|rule| arena.tells_of_graph(rule.what)) {
                // an engine is told of graphs for good, and not of those that came before
                let done = self.alone((program, without), sources, *instance, tell);
                self.told(done, start, tell)?;
                continue;
            }
            let mut solve = || -> Result<(), Failure> {
                let formula = match &mut formula {
                    Some(formula) => formula,
                    none => none.insert(Formula::new(self, &mut eval, mark).map_err(with_sources(sources))?),
                };
                let (positions, over) = formula.solve(self, &eval, mark).map_err(with_sources(sources))?;
                let mut found = Found::default();
                for positions in &positions {
                    let solution = session::verified(&mut eval, positions, without, found.number == 0)
                        .map_err(with_sources(sources))?;
                    found.note(args, &solution);
                    let event = Event::found(args, &mut eval, solution, *instance);
                    tell(event.map_err(with_sources(sources))?)?;
                }
                let status = match found.number {
                    _ if over && found.differ.is_none() => Status::Unknown,
                    0 => Status::Unsatisfiable,
                    _ => Status::Satisfiable,
                };
                let only = found.only(args, status);
                tell(Event::ended(status, only, budget.elapsed() - start, formula.sizes))
            };
            if let Err(failure) = solve() {
                self.told(Err(failure), start, tell)?;
                // what was half told to the engine is forgotten
                return Ok(at + 1);
            }
            if !args.many.is_wanted() && budget.check().is_err() {
                return Ok(at + 1);
            }
        }
        Ok(list.len())
    }

    /// What one instance adds to the common rules.
    fn ground_own(
        &self,
        eval: &mut Eval<'_>,
        sources: &mut Sources,
        instance: Instance<'_>,
        own: &[usize],
        without: &Without,
    ) -> Result<(), Vec<Diagnostic>> {
        self.supply(eval, sources, instance)?;
        eval.check_params()?;
        eval.ground_rules(own.iter().copied(), without)?;
        let faults = eval.show_faults();
        if faults.is_empty() { Ok(()) } else { Err(faults) }
    }
}

/// The solutions of an instance, as far as `--unique` asks for them.
#[derive(Default)]
struct Found {
    number: u64,
    first: Vec<(String, Data)>,
    /// Where the second differs from the first.
    differ: Option<Vec<String>>,
}

impl Found {
    fn note(&mut self, args: &Args, solution: &Solution) {
        self.number += 1;
        match self.number {
            1 if args.unique => self.first = solution.values().to_vec(),
            2 if args.unique => self.differ = Some(render::differences(&self.first, solution.values())),
            _ => {}
        }
    }

    /// Is it the only one? `None` where that was not asked, or cannot be told.
    fn only(self, args: &Args, status: Status) -> Option<Only> {
        match (self.differ, status) {
            (Some(differ), _) => Some(Only::No(differ)),
            (None, Status::Satisfiable | Status::Optimal) if args.unique => Some(Only::Yes),
            _ => None,
        }
    }
}

/// The common rules in an engine.
struct Formula {
    engine: Box<dyn SatEngine>,
    encoder: Encoder,
    emission: Emission,
    contradiction: bool,
    /// Clauses of the common rules.
    clauses: u64,
    /// Variables and clauses, with those of the last instance.
    sizes: (u64, u64),
}

impl Formula {
    /// Encodes the rules before `mark`.
    fn new(asked: &Asked<'_>, eval: &mut Eval<'_>, mark: usize) -> Result<Formula, Diagnostic> {
        let own = eval.model.rules.split_off(mark);
        let formula = Formula::common(asked, eval);
        eval.model.rules.extend(own);
        formula
    }

    fn common(asked: &Asked<'_>, eval: &Eval<'_>) -> Result<Formula, Diagnostic> {
        let (args, budget) = (asked.args, asked.budget);
        let mut engine: Box<dyn SatEngine> = Box::new(embedded::Quick::new(args.seed));
        let known = session::presolved(eval, &args.encoding).map_err(stop_diagnostic)?;
        let contradiction = known.contradiction.is_some();
        let allows = |var, position| contradiction || known.allows(var, position);
        let options = args.encoding.options().lazily();
        let mut counted = Counted::new(&mut *engine, budget);
        let encoded = cnf::encode(&eval.model, &allows, options, budget, &mut counted, &|_| String::new());
        let clauses = counted.clauses().map_err(stop_diagnostic)?;
        let (encoder, emission) = encoded.map_err(session::encode_fault)?;
        let sizes = (emission.variables.into(), clauses);
        Ok(Formula { engine, encoder, emission, contradiction, clauses, sizes })
    }

    /// The positions of one solution in which the rules from `mark` on hold as well, or of two; was the search stopped?
    fn solve(
        &mut self,
        asked: &Asked<'_>,
        eval: &Eval<'_>,
        mark: usize,
    ) -> Result<(Vec<Vec<u32>>, bool), Diagnostic> {
        let (model, budget) = (&eval.model, asked.budget);
        let own: Vec<Bool> = model.rules[mark..].iter().map(|rule| rule.what).collect();
        let mut ctx = self.encoder.with(model, &mut *self.engine, budget);
        let assumptions = ctx.literals_of(&own).map_err(session::encode_fault)?;
        self.sizes.1 = self.clauses + assumptions.as_ref().map_or(0, Vec::len) as u64;
        let mut found = Vec::new();
        let Some(mut assumptions) = assumptions.filter(|_| !self.contradiction) else {
            return Ok((found, false));
        };
        let mut others: Option<Lit> = None;
        let over = loop {
            let answer = Cutting::new(&mut *self.engine, &self.emission.lazy).solve(&assumptions, budget);
            match answer {
                EngineAnswer::Sat => found.push(session::read(&self.emission, &mut *self.engine)?),
                EngineAnswer::Unsat => break false,
                EngineAnswer::Unknown(_) => break true,
            }
            if found.len() as u64 >= asked.args.most() {
                break false;
            }
            let differs = self.emission.answer.iter();
            let differs: Vec<Lit> =
                differs.map(|lit| if self.engine.value(*lit) { -lit } else { *lit }).collect();
            let mut ctx = self.encoder.with(model, &mut *self.engine, budget);
            let other = ctx.fresh().map_err(session::encode_fault)?;
            ctx.clause(&[&[-other], &*differs].concat());
            assumptions.push(other);
            others = Some(other);
        };
        if let Some(other) = others {
            // no other instance is meant
            self.encoder.with(model, &mut *self.engine, budget).clause(&[-other]);
        }
        Ok((found, over))
    }
}
