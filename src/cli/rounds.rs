//! Solving with a stranger: the formula in a file, the models read back, and what is added to it for the next round: clauses
//! that exclude the answers so far, and those that tell what the formula leaves out.

use super::args::Switch;
use super::certificate::{self, Cuts};
use super::emit::Emit;
use super::external::Question;
use super::load::Loaded;
use super::progress::Progress;
use super::proof::Files;
use super::session::{End, How, Search, TOLD, Take};
use super::{Failure, with_sources};
use crate::decode::{Decoded, positions};
use crate::diag::{Code, Diagnostic};
use crate::encode::symbols::WordTable;
use crate::encode::wcnf::WcnfForm;
use crate::encode::{Form, Lit, Target, symbols};
use crate::eval::{Eval, stop_diagnostic};
use crate::files::{Output, WriteFault};
use crate::shared::Budget;
use crate::solve::Verdict;
use crate::solve::external::{Extras, fits, solve_listing};
use crate::solve::find::Places;
use crate::solve::output::Listed;
use crate::solve::table::Solver;
use crate::solve::temporary::Folder;
use rustc_hash::FxHashSet;
use std::io::Write;
use std::path::Path;
use xxhash_rust::xxh3::xxh3_128;

/// The answers that a solver prints are for `each`, as they come, until that wants no further.
fn ask(
    solver: &Solver,
    formula: &Path,
    extras: Extras<'_>,
    budget: &Budget,
    each: &mut dyn FnMut(Listed) -> bool,
) -> Result<Verdict, Diagnostic> {
    let verdict = solve_listing(solver, &Places::from_env(), formula, extras, budget, each)?.verdict;
    match &verdict {
        Verdict::Satisfiable { models, .. } => {
            models.iter().all(|model| each(Listed::Model(model.clone())));
        }
        Verdict::Covered { covers, .. } => {
            covers.iter().all(|cover| each(Listed::Cover(cover.clone())));
        }
        _ => {}
    }
    Ok(verdict)
}

/// Searches answers, round after round.
pub fn search(
    question: &Question<'_>,
    solver: &Solver,
    loaded: &Loaded,
    eval: &mut Eval<'_>,
    take: &mut Take<'_>,
) -> Result<Search, Failure> {
    if question.proof.is_some() && solver.format != Target::Cnf {
        let message = format!("a proof is about a CNF formula, `{}` reads another kind", solver.name);
        return Err(Diagnostic::error(Code::Usage, message).into());
    }
    let place = Place::of(question)?;
    let folder = place.path();
    let name = format!("formula.{}", solver.format.name());
    let path = folder.join(&name);
    let budget = eval.budget;
    let progress = Progress::start(&format!("solving with `{}`", solver.name));
    let dialect = solver.dialect;
    // kin of Knuth's programs hold more or less, and say themselves what is too much
    let fits = solver.name == dialect.name();
    let wcnf = if solver.old { WcnfForm::Old } else { WcnfForm::New };
    let form = Form { wcnf, xcc: question.encoding.cover(dialect), fits, ..Form::default() };
    let mut encoding =
        if solver.lists() { question.encoding.clone() } else { question.encoding.one_by_one() };
    if question.proof.is_some() {
        // what presolve finds out would be taken for given
        encoding.presolve.get_or_insert(Switch::Off);
    }
    let mut emit = Emit::new(eval, solver.format, &encoding, form).map_err(with_sources(&loaded.sources))?;
    let objective = emit.eval.model.objective;
    // several answers may be the same in what tells them apart
    let distinct = question.most == 1 || emit.eval.model.answer.is_none();
    // and models may be the same answer: all of them are more than need be listed
    let whole = emit.is_exact() || !emit.formula.takes_clauses();
    let listing = solver.lists() && whole && question.most > 1;
    let limit = match solver.lists() && !whole {
        true => Some(1),
        false => (question.most < u64::MAX && distinct).then_some(question.most),
    };
    let told = emit.formula.told();
    let words = WordTable::of(&told);
    let proof = question.proof.map(|plan| (plan, plan.file(folder)));
    let mut search = Search {
        how: if listing { How::Listing } else { How::Blocking },
        by: Some(solver.name.clone()),
        ..Search::new(emit.formula.emission().clone(), emit.formula.sizes())
    };
    // what excludes models that break what the formula leaves out, and answers
    let mut cuts = Cuts::new(&search.emission.lazy);
    let mut excluded: Vec<Vec<Lit>> = Vec::new();
    let mut seen: FxHashSet<u128> = FxHashSet::default();
    loop {
        let digest = certificate::formula(&mut emit, &path, &cuts, &excluded)?;
        if search.found == 0 && question.keep.is_some() {
            keep_map(&emit, digest, loaded, &folder.join(name.clone() + ".map"))?;
        }
        let file = proof.as_ref().map(|(_, file)| file.as_path());
        if let Some(file) = file {
            // of an earlier formula
            let _ = std::fs::remove_file(file);
        }
        let mut run = Run {
            question,
            solver,
            loaded,
            formula: &path,
            folder,
            listing,
            progress: &progress,
            take,
            emit: &mut emit,
            search: &mut search,
            cuts: &mut cuts,
            excluded: &mut excluded,
            seen: &mut seen,
            models: 0,
            best: None,
            repeats: false,
            ended: false,
        };
        let mut failure = None;
        let mut each = |listed: Listed| {
            let model = match listed {
                Listed::Model(model) => Ok(model),
                Listed::Cover(cover) => {
                    words.literals(&cover, budget).map_err(|stop| stop_diagnostic(stop).into())
                }
            };
            model.and_then(|model| run.model(model)).unwrap_or_else(|fault| {
                failure = Some(fault);
                false
            })
        };
        let extras =
            Extras { seed: (question.seed != 0).then_some(question.seed), proof: file, limit, listing: None };
        let verdict = ask(solver, &path, extras, budget, &mut each)?;
        if let Some(failure) = failure {
            return Err(failure);
        }
        if run.ended {
            return Ok(search);
        }
        let (complete, optimal) = match verdict {
            Verdict::Satisfiable { complete, optimal, .. } | Verdict::Covered { complete, optimal, .. } => {
                (complete, optimal)
            }
            Verdict::Unsatisfiable => {
                if let Some((plan, file)) = &proof {
                    let graphs = certificate::graphs(&emit, digest, loaded, &path, &cuts)?;
                    let files = Files { formula: path, proof: file.clone(), graphs };
                    search.proof = Some(plan.settle(&files, budget)?);
                }
                return Ok(search);
            }
            Verdict::Unknown(why) => {
                super::say(&format!("`{}` gave no answer: {why}", solver.name));
                search.end = budget.check().map_or_else(End::Stopped, |()| End::GaveUp);
                return Ok(search);
            }
            Verdict::Counted(_) => return Err(failed(solver, "answered to something else").into()),
            Verdict::Failed(why) => return Err(failed(solver, &format!("failed: {why}")).into()),
        };
        if run.models == 0 {
            // it may have been stopped in the middle of one
            let stop = budget.check().err().ok_or_else(|| failed(solver, "gave no model"))?;
            search.end = End::Stopped(stop);
            return Ok(search);
        }
        if let Some(best) = run.best.take() {
            run.best_of_all(&best, optimal)?;
            if run.ended {
                return Ok(search);
            }
        }
        // models that are the same in all that tells them apart are a fault, and others may be missing
        let repeats = run.repeats && emit.is_exact();
        let believed = complete && listing && !repeats;
        if believed && objective.is_none() || (search.found > 0 && search.emission.answer.is_empty()) {
            return Ok(search);
        }
        if repeats {
            super::say(&format!("`{}` gave the same solution twice", solver.name));
        } else if complete && !solver.lists() && !emit.formula.takes_clauses() {
            super::say("whether these are all is not known; `--lists` says that the command lists all");
        }
        if listing || !emit.formula.takes_clauses() {
            search.end = budget.check().map_or_else(End::Stopped, |()| End::GaveUp);
            return Ok(search);
        }
        if search.found == 1 {
            super::say(&format!(
                "`{}` is run again for each further solution, those before it excluded by clauses; `--limit` ends it",
                solver.name
            ));
        }
    }
}

/// A run of a solver, whose models come one by one.
struct Run<'r, 'e, 'p, 't> {
    question: &'r Question<'r>,
    solver: &'r Solver,
    loaded: &'r Loaded,
    formula: &'r Path,
    folder: &'r Path,
    /// Are all models to come in this run?
    listing: bool,
    progress: &'r Progress,
    take: &'r mut Take<'t>,
    emit: &'r mut Emit<'e, 'p>,
    search: &'r mut Search,
    cuts: &'r mut Cuts,
    excluded: &'r mut Vec<Vec<Lit>>,
    /// Digests of the answers so far: models may differ in what no answer tells.
    seen: &'r mut FxHashSet<u128>,
    models: u64,
    /// With an objective, the last model: it is the best.
    best: Option<Vec<Lit>>,
    /// Was a model there twice, in what tells models apart?
    repeats: bool,
    /// Is there nothing more to be asked?
    ended: bool,
}

impl Run<'_, '_, '_, '_> {
    /// Takes a model; is another wanted?
    fn model(&mut self, mut model: Vec<Lit>) -> Result<bool, Failure> {
        self.models += 1;
        if self.question.keep.is_some() {
            keep_answer(&model, &self.folder.join("answer"))?;
        }
        if self.models == 1 || self.emit.eval.model.objective.is_some() {
            // later ones are checked against the rules alone
            let fits = fits(self.solver.format, self.formula, &model);
            fits.map_err(|misfit| failed(self.solver, &format!("failed: the model is wrong: {misfit}")))?;
        }
        if self.emit.eval.model.objective.is_some() {
            self.best = Some(model);
            return Ok(true);
        }
        model.retain(|lit| *lit > 0);
        model.sort_unstable();
        self.answer(&model)
    }

    /// The best of a run's models, which the solver has proven to be `optimal` or not.
    fn best_of_all(&mut self, model: &[Lit], optimal: bool) -> Result<(), Failure> {
        let mut on: Vec<Lit> = model.iter().copied().filter(|lit| *lit > 0).collect();
        on.sort_unstable();
        // of a cost that cannot be less some solvers do not say that it is the least
        let least = self.search.emission.cost.as_ref().is_none_or(|cost| cost.value(&on) <= cost.lo);
        let first = self.emit.cost.is_none();
        if first {
            self.search.optimal = optimal || least;
        }
        self.answer(&on)?;
        if first && !self.search.optimal {
            // the best that the solver has found, and no proof
            self.ended = true;
            self.search.end = self.emit.eval.budget.check().map_or_else(End::Stopped, |()| End::GaveUp);
        }
        Ok(())
    }

    /// Takes the answer of a model, given by its true literals, ascending; is another wanted?
    fn answer(&mut self, on: &[Lit]) -> Result<bool, Failure> {
        let is_true = |lit: Lit| on.binary_search(&lit.abs()).is_ok() == (lit > 0);
        let Ok(Decoded(values)) = positions(&self.search.emission.encodings, is_true) else {
            return Err(failed(self.solver, "gave a variable no value, or two").into());
        };
        if self.cuts.learn(is_true) {
            return Ok(true);
        }
        let answer = &self.search.emission.answer;
        let clause: Vec<Lit> = answer.iter().map(|lit| if is_true(*lit) { -lit } else { *lit }).collect();
        let bytes: Vec<u8> = clause.iter().flat_map(|lit| lit.to_le_bytes()).collect();
        if !self.seen.insert(xxh3_128(&bytes)) {
            self.repeats = true;
            return Ok(true);
        }
        if let Some(objective) = self.emit.eval.model.objective {
            let cost = {
                let eval = &self.emit.eval;
                eval.model.cost(objective, &values, eval.budget).map_err(stop_diagnostic)?
            };
            if self.emit.cost.is_some_and(|best| cost > best) {
                self.ended = true;
                return Ok(false);
            }
            self.emit.cost.get_or_insert(cost);
        }
        if !self.listing {
            self.excluded.push(clause);
        }
        self.search.found += 1;
        if !self.listing || self.search.found.is_multiple_of(TOLD) {
            let (name, found) = (&self.solver.name, self.search.found);
            self.progress.say(format!("solving with `{name}`: {found} solutions"));
        }
        let more = (self.take)(self.emit.eval, &values).map_err(with_sources(&self.loaded.sources))?;
        if !more || self.search.found >= self.question.most {
            self.ended = true;
            self.search.end = End::Enough;
        }
        Ok(!self.ended)
    }
}

/// Makes a folder, if it is not there.
pub fn made(folder: &Path) -> Result<(), Diagnostic> {
    std::fs::create_dir_all(folder).map_err(|error| {
        Diagnostic::error(Code::Unwritable, format!("`{}` cannot be made: {error}", folder.display()))
    })
}

fn failed(solver: &Solver, what: &str) -> Diagnostic {
    Diagnostic::error(Code::SolverFailed, format!("`{}` {what}", solver.name))
}

/// Where the files of a run are: a folder in which they are kept, or one of ours.
pub enum Place<'q> {
    Kept(&'q Path),
    Temporary(Folder),
}

impl<'q> Place<'q> {
    pub fn of(question: &Question<'q>) -> Result<Place<'q>, Diagnostic> {
        match question.keep {
            Some(folder) => made(folder).map(|()| Place::Kept(folder)),
            None => temporary().map(Place::Temporary),
        }
    }

    pub fn path(&self) -> &Path {
        match self {
            Place::Kept(folder) => folder,
            Place::Temporary(folder) => folder.path(),
        }
    }
}

/// A folder of ours that is gone when this is dropped.
pub fn temporary() -> Result<Folder, Diagnostic> {
    Folder::new().map_err(|error| {
        Diagnostic::error(Code::Unwritable, format!("no temporary folder can be made: {error}"))
    })
}

pub fn write(emit: &mut Emit<'_, '_>, path: &Path, further: &[Vec<Lit>]) -> Result<u128, Failure> {
    let mut output = Output::create(path)?;
    let name = output.name().to_string();
    let digest = emit.write(&mut output, &name, "", false, further)?;
    output.commit()?;
    Ok(digest)
}

pub fn keep_map(emit: &Emit<'_, '_>, digest: u128, loaded: &Loaded, path: &Path) -> Result<(), Failure> {
    let mut output = Output::create(path)?;
    let name = output.name().to_string();
    let map = emit.map(digest, loaded.texts.clone());
    symbols::write(&map, &mut output).map_err(|error| WriteFault::of(&name, &error))?;
    Ok(output.commit()?)
}

fn keep_answer(model: &[Lit], path: &Path) -> Result<(), Failure> {
    let mut output = Output::create(path)?;
    let name = output.name().to_string();
    let mut text = Vec::new();
    let written = writeln!(text, "s SATISFIABLE")
        .and_then(|()| crate::solve::competition::model(&mut text, model.iter().copied()))
        .and_then(|()| output.write_all(&text));
    written.map_err(|error| WriteFault::of(&name, &error))?;
    Ok(output.commit()?)
}
