//! Answers with a certificate: that there are no others, or none better, is not the engine's word but can be checked.
//!
//! In: a ground model. Out: its answers, and files: a formula, made of the clauses of the model as they are before anything is
//! concluded, of cuts of its graphs, and of a clause for each answer that excludes it; the graphs; the cuts, each with its graph; and a
//! proof that the formula has no model. The engine solves as it does without a certificate.

use super::args::{EncodingArgs, Switch};
use super::emit::Emit;
use super::external::Question;
use super::load::Loaded;
use super::progress::Progress;
use super::proof::{Files, Graphs, Plan, Proof};
use super::rounds::{Place, keep_map};
use super::session::{self, End, Search, Take};
use super::{Failure, with_sources};
use crate::certify;
use crate::diag::{Code, Diagnostic};
use crate::encode::cuts::{Cut, Lazy};
use crate::encode::symbols::Encoding;
use crate::encode::{Counted, Form, Lit, Target};
use crate::eval::{Eval, stop_diagnostic};
use crate::files::{Output, WriteFault};
use crate::model::VarId;
use crate::shared::{Budget, Stop};
use crate::solve::Verdict;
use crate::solve::embedded::{Cutting, Enumerator, Keep, Next, SatEngine};
use crate::solve::refute::refute;
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;
use std::rc::Rc;

/// Searches answers with the embedded engine, and certifies that there are no others.
pub fn search(
    question: &Question<'_>,
    plan: &Plan<'_>,
    loaded: &Loaded,
    eval: &mut Eval<'_>,
    take: &mut Take<'_>,
) -> Result<Search, Failure> {
    let run = Run { question, plan, loaded };
    let Some(objective) = eval.model.objective else { return run.certified(eval, None, question.most, take) };
    // the best as always, and then that nothing is better; or, if all of them were wanted, that no other is as good
    let mut best = None;
    let mut found = |eval: &mut Eval<'_>, positions: &[u32]| {
        best = Some(eval.model.cost(objective, positions, eval.budget).map_err(stop_diagnostic)?);
        take(eval, positions)
    };
    let mut search = session::search(eval, question.encoding, question.seed, question.most, &mut found)
        .map_err(with_sources(&loaded.sources))?;
    let (bound, expected) = match (best, search.end) {
        (None, End::Exhausted) => (None, 0),
        (Some(cost), End::Exhausted) => (Some(cost), search.found),
        (Some(cost), End::Enough) if search.optimal => (Some(cost - 1), 0),
        _ => return Ok(search),
    };
    let again = run.certified(eval, bound, u64::MAX, &mut |_, _| Ok(true))?;
    match again.end {
        End::Exhausted if again.found == expected => search.proof = again.proof,
        End::Exhausted => {
            return Err(disagreement(&format!(
                "{expected} solutions this good or better, and then {}",
                again.found
            )));
        }
        end => search.end = end,
    }
    Ok(search)
}

fn disagreement(what: &str) -> Failure {
    Diagnostic::error(Code::SolverFailed, format!("the engine found {what}")).into()
}

/// What is asked, and where files go.
struct Run<'a> {
    question: &'a Question<'a>,
    plan: &'a Plan<'a>,
    loaded: &'a Loaded,
}

impl Run<'_> {
    /// Searches answers, of this cost at most if there is one, and certifies that there are no others.
    fn certified(
        &self,
        eval: &mut Eval<'_>,
        cost: Option<i128>,
        most: u64,
        take: &mut Take<'_>,
    ) -> Result<Search, Failure> {
        let sources = &self.loaded.sources;
        let budget = eval.budget;
        let progress = Progress::start("encoding");
        // what presolve finds out would be taken for given; and cuts, unless told otherwise, as without a certificate
        let mut encoding = EncodingArgs {
            graph: self.question.encoding.options().lazily().graph,
            ..self.question.encoding.clone()
        };
        encoding.presolve.get_or_insert(Switch::Off);
        let mut engine = session::engine_for(eval, most, self.question.seed);
        let mut emit = Emit::bounded(eval, Target::Cnf, &encoding, Form::default(), cost)
            .map_err(with_sources(sources))?;
        emit.clauses(&mut Counted::new(&mut *engine, budget)).map_err(with_sources(sources))?;
        let emission = emit.formula.emission().clone();
        let mut search = Search::new(emission.clone(), emit.formula.sizes());
        let mut cutting = Cutting::new(&mut *engine, &emission.lazy);
        cutting.keep_cuts(Keep::Used);
        progress.say("solving".into());
        if encoding.presolve == Some(Switch::Off) {
            let facts =
                facts(emit.eval, self.question.encoding, &emission.encodings).map_err(stop_diagnostic)?;
            cutting.probe(&facts, budget).map_err(stop_diagnostic)?;
        }
        let mut excluded: Vec<Vec<Lit>> = Vec::new();
        let mut enumerator = Enumerator::new(emission.answer.clone(), &[]);
        loop {
            match enumerator.next(&mut cutting, budget) {
                Next::Exhausted => break,
                Next::Stopped(stop) => {
                    search.end = End::Stopped(stop);
                    return Ok(search);
                }
                Next::Answer => {
                    let answer = emission.answer.iter().zip(enumerator.last());
                    excluded.push(answer.map(|(lit, holds)| if *holds { -lit } else { *lit }).collect());
                    let values = session::read(&emission, &mut cutting)?;
                    search.found += 1;
                    let more = take(emit.eval, &values).map_err(with_sources(sources))?;
                    if !more || search.found >= most {
                        search.end = End::Enough;
                        return Ok(search);
                    }
                }
            }
        }
        progress.say("proving".into());
        let mut cuts = Cuts::new(&emission.lazy);
        cuts.add(cutting.take_cuts());
        match self.proven(&mut emit, cuts, &excluded)? {
            Ok(proof) => search.proof = Some(proof),
            Err(end) => search.end = end,
        }
        Ok(search)
    }

    /// Has the formula, with the cuts and the answers excluded, refuted, and puts everything where it is wanted.
    fn proven(
        &self,
        emit: &mut Emit<'_, '_>,
        mut cuts: Cuts,
        excluded: &[Vec<Lit>],
    ) -> Result<Result<Proof, End>, Failure> {
        let place = Place::of(self.question)?;
        let folder = place.path();
        let budget = emit.eval.budget;
        let (path, proof) = (folder.join("formula.cnf"), self.plan.file(folder));
        loop {
            let digest = formula(emit, &path, &cuts, excluded)?;
            match refute(&path, Some(&proof), self.question.seed, budget)? {
                Verdict::Unsatisfiable => {
                    let graphs = graphs(emit, digest, self.loaded, &path, &cuts)?;
                    let files = Files { formula: path, proof, graphs };
                    return Ok(Ok(self.plan.settle(&files, budget)?));
                }
                // the search had reasons of its own for a cut less
                Verdict::Satisfiable { models, .. } if learned(&mut cuts, &models) => {}
                Verdict::Unknown(_) => {
                    return Ok(Err(budget.check().map_or_else(End::Stopped, |()| End::GaveUp)));
                }
                _ => return Err(disagreement("no further solution, and then one")),
            }
        }
    }
}

/// What presolve finds out, in literals: for a search to find it again, by reasons that are in the certificate.
fn facts(eval: &Eval<'_>, encoding: &EncodingArgs, encodings: &[Encoding]) -> Result<Vec<Lit>, Stop> {
    let known = session::presolved(eval, encoding)?;
    let mut facts = Vec::new();
    if known.contradiction.is_some() {
        return Ok(facts);
    }
    for (at, encoding) in encodings.iter().enumerate() {
        let allows = |position: u32| known.allows(VarId(at as u32), position);
        match *encoding {
            Encoding::Bool(lit) => {
                facts.extend((!allows(0)).then_some(lit));
                facts.extend((!allows(1)).then_some(-lit));
            }
            Encoding::Direct { first, size } => {
                let gone = (0..size).filter(|position| !allows(*position));
                facts.extend(gone.map(|position| -(first + position as Lit)));
            }
            Encoding::Order { first, size } => {
                // below the least value, and up to the greatest
                let least = (0..size).find(|position| allows(*position)).unwrap_or(0);
                let greatest = (0..size).rev().find(|position| allows(*position)).unwrap_or(size);
                facts.extend((least > 0).then(|| -(first + least as Lit - 1)));
                facts.extend((greatest + 1 < size).then(|| first + greatest as Lit));
            }
            Encoding::Binary { .. } => {}
        }
    }
    Ok(facts)
}

/// Learns from models that break what is wanted of a graph; false if there is nothing to learn.
fn learned(cuts: &mut Cuts, models: &[Vec<Lit>]) -> bool {
    let mut any = false;
    for model in models {
        let on: BTreeSet<Lit> = model.iter().copied().filter(|lit| *lit > 0).collect();
        any |= cuts.learn(|lit| on.contains(&lit.abs()) == (lit > 0));
    }
    any
}

/// Writes the formula, behind its own clauses the cuts and what excludes answers. Its digest.
pub fn formula(
    emit: &mut Emit<'_, '_>,
    path: &Path,
    cuts: &Cuts,
    excluded: &[Vec<Lit>],
) -> Result<u128, Failure> {
    let mut further: Vec<Vec<Lit>> = cuts.kept.iter().map(|(_, cut)| cut.lits.clone()).collect();
    further.extend_from_slice(excluded);
    let mut carried = String::new();
    if emit.formula.target() == Target::Cnf && !further.is_empty() {
        let mut last = 0;
        for (what, count) in [
            ("c clauses of the model: ", emit.formula.rows()),
            (certify::text::CLAUSES, cuts.kept.len() as u64),
            ("c excluded answers: ", excluded.len() as u64),
        ] {
            if count > 0 {
                carried.push_str(&format!("{what}{}..{}\n", last + 1, last + count));
            }
            last += count;
        }
    }
    let mut digest = 0;
    written(path, |out, name| {
        digest = emit.write(out, name, &carried, false, &further)?;
        Ok(())
    })?;
    Ok(digest)
}

/// Writes the graphs of a formula and the list of its cuts beside it, if it leaves constraints out.
pub fn graphs(
    emit: &Emit<'_, '_>,
    digest: u128,
    loaded: &Loaded,
    formula: &Path,
    cuts: &Cuts,
) -> Result<Option<Graphs>, Failure> {
    if cuts.graphs.is_empty() {
        return Ok(None);
    }
    let (map, list) = (formula.with_extension("cnf.map"), formula.with_extension("cuts"));
    keep_map(emit, digest, loaded, &map)?;
    written(&list, |out, name| cuts.list(out).map_err(|error| WriteFault::of(name, &error).into()))?;
    Ok(Some(Graphs { map, cuts: list, count: cuts.kept.len() as u64 }))
}

/// Writes a file, whole or not at all.
fn written(path: &Path, write: impl FnOnce(&mut Output, &str) -> Result<(), Failure>) -> Result<(), Failure> {
    let mut output = Output::create(path)?;
    let name = output.name().to_string();
    write(&mut output, &name)?;
    Ok(output.commit()?)
}

/// The cuts that a search has learned.
pub struct Cuts {
    graphs: Rc<[Lazy]>,
    /// Each with the number of its graph; none twice.
    kept: Vec<(usize, Cut)>,
    known: BTreeSet<(usize, Vec<Lit>)>,
}

impl Cuts {
    pub fn new(graphs: &Rc<[Lazy]>) -> Cuts {
        Cuts { graphs: graphs.clone(), kept: Vec::new(), known: BTreeSet::new() }
    }

    fn add(&mut self, learned: impl IntoIterator<Item = (usize, Cut)>) {
        for (graph, cut) in learned {
            if self.known.insert((graph, cut.lits.clone())) {
                self.kept.push((graph, cut));
            }
        }
    }

    /// Learns from a model that breaks what is wanted of a graph; false if it breaks nothing.
    pub fn learn(&mut self, is_true: impl Fn(Lit) -> bool) -> bool {
        let mut learned = Vec::new();
        for (at, graph) in self.graphs.iter().enumerate() {
            let mut own = Vec::new();
            graph.cuts(|lit| Some(is_true(lit)), &mut own);
            learned.extend(own.into_iter().map(|cut| (at, cut)));
        }
        let breaks = |(_, cut): &(usize, Cut)| cut.lits.iter().all(|lit| !is_true(*lit));
        debug_assert!(learned.is_empty() || learned.iter().any(breaks), "the model would come again");
        let any = !learned.is_empty();
        self.add(learned);
        any
    }

    /// Writes them as `certify::text` reads them.
    fn list(&self, out: &mut dyn Write) -> io::Result<()> {
        writeln!(out, "{}", certify::text::HEAD)?;
        self.kept.iter().try_for_each(|(graph, cut)| {
            let (rule, lits) = (cut.rule.to_owned(), cut.lits.clone());
            writeln!(out, "{}", certify::Cut { graph: *graph, rule, lits })
        })
    }
}

/// Are all cuts of a list seen to follow from the graphs of a map? The first that is not, in words.
pub fn checked(map: &Path, list: &Path, budget: &Budget) -> Result<Result<(), String>, Failure> {
    let read = |path: &Path| {
        std::fs::read_to_string(path).map_err(|error| {
            Diagnostic::error(Code::UnreadableFile, format!("`{}` cannot be read: {error}", path.display()))
        })
    };
    let (graphs, cuts) = (certify::text::graphs(&read(map)?), certify::text::cuts(&read(list)?));
    let (graphs, cuts) = match (graphs, cuts) {
        (Ok(graphs), Ok(cuts)) => (graphs, cuts),
        (Err(fault), _) | (_, Err(fault)) => return Ok(Err(fault)),
    };
    let mut checker = certify::Checkers::new(&graphs);
    for (at, cut) in cuts.iter().enumerate() {
        budget.check().map_err(stop_diagnostic)?;
        if let Err(fault) = checker.check(cut) {
            return Ok(Err(format!("cut {} of graph {}, `{cut}`, {fault}", at + 1, cut.graph + 1)));
        }
    }
    Ok(Ok(()))
}
