//! Answers with a certificate: a proof that there are no others, or none better, which can be checked independently.
//!
//! In: a ground model. Out: its answers, and files: a formula (the clauses of the model without presolve, the cuts of
//! its graphs, and a blocking clause for each answer), the graphs, the cuts with their graphs, and a proof that the
//! formula has no model. The engine searches as it does without a certificate.

use super::answers::{Answers, End, Next, Search, collect, unfinished};
use super::certificate_files::Files;
use super::certificate_files::{formula, graphs};
use super::cuts::Cuts;
use super::embedded::{Embedded, engine_for, read_model};
use super::formula_file::FormulaFile;
use super::listener::Progress;
use super::place::Place;
use super::proof::{Plan, Proof};
use super::question::Question;
use super::stages::presolved;
use super::{Encoding, Failure};
use crate::diag::{Code, Diagnostic};
use crate::encode::symbols;
use crate::encode::{Counted, Form, Lit, Target};
use crate::eval::Eval;
use crate::model::VarId;
use crate::shared::Stop;
use crate::solve::Verdict;
use crate::solve::embedded::{Cutting, Enumerator, Keep, Next as Found, SatEngine};
use crate::solve::refute::refute;
use std::collections::BTreeSet;

/// The answers and, at the end of the search, a certificate that there are no others.
pub fn certified<'q>(
    question: &Question<'q>,
    plan: &'q Plan<'q>,
    eval: &mut Eval<'_>,
) -> Result<Box<dyn Answers + 'q>, Failure> {
    Ok(match eval.model.objective {
        None => Box::new(Certified::new(question, plan, eval, None, question.most)?),
        Some(_) => {
            let answers = Embedded::new(eval, question.encoding, question.seed, question.most)?;
            Box::new(Best { question: *question, plan, answers, best: None, found: 0 })
        }
    })
}

fn disagreement(what: &str) -> Failure {
    Diagnostic::error(Code::SolverFailed, format!("the engine found {what}")).into()
}

/// With an objective: finds the best answer as usual, then certifies that no answer is better; or, if all best
/// answers were requested, that no other is as good.
struct Best<'q> {
    question: Question<'q>,
    plan: &'q Plan<'q>,
    answers: Embedded,
    best: Option<i128>,
    found: u64,
}

impl Answers for Best<'_> {
    fn next(&mut self, eval: &mut Eval<'_>) -> Result<Next, Failure> {
        let next = self.answers.next(eval)?;
        if let (Next::Answer(positions), Some(objective)) = (&next, eval.model.objective) {
            self.best = Some(eval.model.cost(objective, positions, eval.budget)?);
            self.found += 1;
        }
        Ok(next)
    }

    fn finish(&mut self, eval: &mut Eval<'_>, end: End) -> Result<Search, Failure> {
        let mut search = self.answers.finish(eval, end)?;
        let (bound, expected) = match (self.best, search.end) {
            (None, End::Exhausted) => (None, 0),
            (Some(cost), End::Exhausted) => (Some(cost), self.found),
            (Some(cost), End::Enough) if search.optimal => (Some(cost - 1), 0),
            _ => return Ok(search),
        };
        let mut again = Certified::new(&self.question, self.plan, eval, bound, u64::MAX)?;
        let progress = Progress::start(self.question.listener, "certifying");
        let again = collect(&mut again, eval, u64::MAX, &progress, &mut |_, _| Ok(true))?;
        match again.end {
            End::Exhausted if again.found == expected => search.proof = again.proof,
            End::Exhausted => {
                let found = again.found;
                return Err(disagreement(&format!(
                    "{expected} solutions this good or better, and then {found}"
                )));
            }
            end => search.end = end,
        }
        Ok(search)
    }
}

/// A search from the clauses of the model alone that keeps everything a proof needs.
struct Certified<'q> {
    question: Question<'q>,
    plan: &'q Plan<'q>,
    file: FormulaFile,
    engine: Cutting<Box<dyn SatEngine>>,
    enumerator: Enumerator,
    /// The blocking clauses of the answers so far.
    excluded: Vec<Vec<Lit>>,
}

impl<'q> Certified<'q> {
    /// A search for answers; with a bound, for those whose cost is at most the bound.
    fn new(
        question: &Question<'q>,
        plan: &'q Plan<'q>,
        eval: &mut Eval<'_>,
        cost: Option<i128>,
        most: u64,
    ) -> Result<Certified<'q>, Failure> {
        let budget = eval.budget;
        // without presolve, whose facts the proof would have to assume; graphs become cuts by default, as without a
        // certificate
        let mut encoding = question.encoding.lazily();
        encoding.presolve.get_or_insert(false);
        let mut engine = engine_for(eval, most, question.seed);
        let file = FormulaFile::new(eval, Target::Cnf, &encoding, Form::default(), cost, question.listener)?;
        file.clauses(eval, &mut Counted::new(&mut *engine, budget))?;
        let emission = file.formula.emission();
        let mut engine = Cutting::new(engine, &emission.lazy);
        engine.keep_cuts(Keep::Used);
        if encoding.presolve == Some(false) {
            let facts = facts(eval, question.encoding, &emission.encodings)?;
            engine.probe(&facts, budget)?;
        }
        let enumerator = Enumerator::new(emission.answer.clone(), &[]);
        Ok(Certified { question: *question, plan, file, engine, enumerator, excluded: Vec::new() })
    }

    /// Refutes the formula with its cuts and blocking clauses, and writes the files to their places.
    fn prove(&mut self, eval: &mut Eval<'_>) -> Result<Result<Proof, End>, Failure> {
        let listener = self.question.listener;
        let _progress = Progress::start(listener, "proving");
        let mut cuts = Cuts::new(&self.file.formula.emission().lazy);
        cuts.add(self.engine.take_cuts());
        let place = Place::of(self.question.keep)?;
        let folder = place.path();
        let budget = eval.budget;
        let (path, proof) = (folder.join("formula.cnf"), self.plan.file(folder));
        loop {
            let digest = formula(&mut self.file, eval, &path, &cuts, &self.excluded)?;
            match refute(&path, Some(&proof), self.question.seed, budget)? {
                Verdict::Unsatisfiable => {
                    let graphs = graphs(&self.file, eval, digest, self.question.loaded, &path, &cuts)?;
                    let files = Files { formula: path, proof, graphs };
                    return Ok(Ok(self.plan.settle(&files, budget, listener)?));
                }
                // the formula may need a cut that the search did not: learn it from the model
                Verdict::Satisfiable { models, .. } if learned(&mut cuts, &models) => {}
                Verdict::Unknown(_) => return Ok(Err(unfinished(eval))),
                _ => return Err(disagreement("no further solution, and then one")),
            }
        }
    }
}

impl Answers for Certified<'_> {
    fn next(&mut self, eval: &mut Eval<'_>) -> Result<Next, Failure> {
        match self.enumerator.next(&mut self.engine, eval.budget) {
            Found::Exhausted => Ok(Next::Over(End::Exhausted)),
            Found::Stopped(stop) => Ok(Next::Over(End::Stopped(stop))),
            Found::Answer => {
                let emission = self.file.formula.emission();
                let answer = emission.answer.iter().zip(self.enumerator.last());
                self.excluded.push(answer.map(|(lit, holds)| if *holds { -lit } else { *lit }).collect());
                Ok(Next::Answer(read_model(emission, eval, &mut self.engine)?))
            }
        }
    }

    fn finish(&mut self, eval: &mut Eval<'_>, end: End) -> Result<Search, Failure> {
        let formula = &self.file.formula;
        let search = Search::new(formula.emission(), formula.sizes(), end);
        if end != End::Exhausted {
            return Ok(search);
        }
        Ok(match self.prove(eval)? {
            Ok(proof) => Search { proof: Some(proof), ..search },
            Err(end) => Search { end, ..search },
        })
    }
}

/// The facts of presolve, as literals: the search derives them again, with reasons that are in the certificate.
fn facts(eval: &Eval<'_>, encoding: &Encoding, encodings: &[symbols::Encoding]) -> Result<Vec<Lit>, Stop> {
    let known = presolved(eval, encoding)?;
    let mut facts = Vec::new();
    if known.contradiction.is_some() {
        return Ok(facts);
    }
    for (at, encoding) in encodings.iter().enumerate() {
        let allows = |position: u32| known.allows(VarId(at as u32), position);
        match *encoding {
            symbols::Encoding::Bool(lit) => {
                facts.extend((!allows(0)).then_some(lit));
                facts.extend((!allows(1)).then_some(-lit));
            }
            symbols::Encoding::Direct { first, size } => {
                let gone = (0..size).filter(|position| !allows(*position));
                facts.extend(gone.map(|position| -(first + position as Lit)));
            }
            symbols::Encoding::Order { first, size } => {
                // below the least value, and up to the greatest
                let least = (0..size).find(|position| allows(*position)).unwrap_or(0);
                let greatest = (0..size).rev().find(|position| allows(*position)).unwrap_or(size);
                facts.extend((least > 0).then(|| -(first + least as Lit - 1)));
                facts.extend((greatest + 1 < size).then(|| first + greatest as Lit));
            }
            symbols::Encoding::Binary { .. } => {}
        }
    }
    Ok(facts)
}

/// Learns cuts from models that violate graph constraints; false if there is nothing to learn.
fn learned(cuts: &mut Cuts, models: &[Vec<Lit>]) -> bool {
    let mut any = false;
    for model in models {
        let on: BTreeSet<Lit> = model.iter().copied().filter(|lit| *lit > 0).collect();
        any |= cuts.learn(|lit| on.contains(&lit.abs()) == (lit > 0));
    }
    any
}
