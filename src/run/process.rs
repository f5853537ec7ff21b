//! Answers from an external solver, which reads the formula from a file.
//!
//! In: a ground model, a solver. Out: its answers; if the formula has the objective, the best ones. A solver that
//! lists its models runs once. Any other runs again for each further answer, with blocking clauses for the answers so
//! far and cuts for the constraints that the formula omits.

use super::Failure;
use super::answers::{Answers, End, How, Next, Search, read, unfinished};
use super::certificate_files as certificate;
use super::certificate_files::Files;
use super::cuts::Cuts;
use super::formula_file::{FormulaFile, put};
use super::listener::Listener;
use super::load::Loaded;
use super::place::Place;
use super::proof::{Plan, Proof};
use super::question::Question;
use crate::diag::{Code, Diagnostic};
use crate::encode::symbols::WordTable;
use crate::encode::wcnf::WcnfForm;
use crate::encode::{Form, Lit, Target};
use crate::eval::Eval;
use crate::files::WriteFault;
use crate::solve::Verdict;
use crate::solve::find::Places;
use crate::solve::output::Listed;
use crate::solve::solver_run::{Extras, Listing, fits};
use crate::solve::table::Solver;
use rustc_hash::FxHashSet;
use std::io::Write;
use std::path::{Path, PathBuf};
use xxhash_rust::xxh3::xxh3_128;

/// A search with an external solver.
pub struct Process<'q> {
    loaded: &'q Loaded,
    listener: &'q dyn Listener,
    solver: Solver,
    seed: u32,
    most: u64,
    keep: bool,
    /// The plan of the proof, and the file that the solver writes.
    proof: Option<(&'q Plan<'q>, PathBuf)>,
    place: Place<'q>,
    formula: PathBuf,
    file: FormulaFile,
    words: WordTable<Box<str>>,
    /// Do all answers come in one run?
    lists: bool,
    /// The limit of answers for one run, if the solver supports one.
    limit: Option<u64>,
    /// Cuts that exclude models violating omitted constraints.
    cuts: Cuts,
    /// The blocking clauses.
    excluded: Vec<Vec<Lit>>,
    /// Digests of the answers so far: different models may be the same answer.
    seen: FxHashSet<u128>,
    found: u64,
    optimal: bool,
    run: Option<Run>,
    over: Option<End>,
    proven: Option<Proof>,
}

/// One run of the solver.
struct Run {
    listing: Listing,
    /// The digest of the formula.
    digest: u128,
    models: u64,
    /// With an objective, the last model, which is the best.
    best: Option<Vec<Lit>>,
    /// Did two models agree on all answer literals?
    repeats: bool,
}

impl<'q> Process<'q> {
    pub fn new(
        question: &Question<'q>,
        solver: &Solver,
        eval: &mut Eval<'_>,
    ) -> Result<Process<'q>, Failure> {
        if question.proof.is_some() && solver.format != Target::Cnf {
            let message = format!("a proof is about a CNF formula, `{}` reads another kind", solver.name);
            return Err(Diagnostic::error(Code::Usage, message).into());
        }
        let place = Place::of(question.keep)?;
        let formula = place.path().join(format!("formula.{}", solver.format.name()));
        let dialect = solver.dialect;
        // limits of programs related to Knuth's vary, and they report an excess themselves
        let fits = solver.name == dialect.name();
        let wcnf = if solver.old { WcnfForm::Old } else { WcnfForm::New };
        let form = Form { wcnf, xcc: question.encoding.cover(dialect), fits, ..Form::default() };
        let mut encoding = match solver.lists() {
            true => question.encoding.clone(),
            false => question.encoding.one_by_one(),
        };
        if question.proof.is_some() {
            // without presolve, whose facts the proof would have to assume
            encoding.presolve.get_or_insert(false);
        }
        let file = FormulaFile::new(eval, solver.format, &encoding, form, None, question.listener)?;
        let most = question.most;
        // several solutions may be the same answer
        let distinct = most == 1 || eval.model.answer.is_none();
        // several models may be the same answer: listing all of them may take too long
        let whole = file.is_exact(eval) || !file.formula.takes_clauses();
        let limit = match solver.lists() && !whole {
            true => Some(1),
            false => (most < u64::MAX && distinct).then_some(most),
        };
        Ok(Process {
            loaded: question.loaded,
            listener: question.listener,
            solver: solver.clone(),
            seed: question.seed,
            most,
            keep: question.keep.is_some(),
            proof: question.proof.map(|plan| (plan, plan.file(place.path()))),
            words: WordTable::of(&file.formula.word_literals()),
            lists: solver.lists() && whole && most > 1,
            limit,
            cuts: Cuts::new(&file.formula.emission().lazy),
            excluded: Vec::new(),
            seen: FxHashSet::default(),
            found: 0,
            optimal: false,
            run: None,
            over: None,
            proven: None,
            place,
            formula,
            file,
        })
    }

    /// Starts the solver on the formula with its cuts and blocking clauses.
    fn start(&mut self, eval: &mut Eval<'_>) -> Result<Run, Failure> {
        let digest = certificate::formula(&mut self.file, eval, &self.formula, &self.cuts, &self.excluded)?;
        if self.found == 0 && self.keep {
            let mut map = self.formula.clone().into_os_string();
            map.push(".map");
            self.file.put_map(eval, digest, self.loaded, Path::new(&map))?;
        }
        let proof = self.proof.as_ref().map(|(_, file)| file.as_path());
        if let Some(file) = proof {
            // it belongs to an earlier formula
            let _ = std::fs::remove_file(file);
        }
        let seed = (self.seed != 0).then_some(self.seed);
        let extras = Extras { seed, proof, limit: self.limit, listing: None };
        let listing = Listing::start(&self.solver, &Places::from_env(), &self.formula, extras, eval.budget)?;
        Ok(Run { listing, digest, models: 0, best: None, repeats: false })
    }

    /// The answer of a listed model; `None` if it is not an answer, or a repeated one.
    fn take(&mut self, run: &mut Run, listed: Listed, eval: &Eval<'_>) -> Result<Option<Vec<u32>>, Failure> {
        let mut model = match listed {
            Listed::Model(model) => model,
            Listed::Cover(cover) => self.words.literals(cover.iter().map(Vec::as_slice), eval.budget)?,
        };
        run.models += 1;
        if self.keep {
            keep_answer(&model, &self.place.path().join("answer"))?;
        }
        let objective = eval.model.objective.is_some();
        if run.models == 1 || objective {
            // later models are only checked against the rules
            let fits = fits(self.solver.format, &self.formula, &model);
            fits.map_err(|misfit| self.failed(&format!("failed: the model is wrong: {misfit}")))?;
        }
        if objective {
            run.best = Some(model);
            return Ok(None);
        }
        model.retain(|lit| *lit > 0);
        model.sort_unstable();
        self.answer(run, &model, eval)
    }

    /// The best of a run's models; `optimal` is the solver's claim.
    fn best(
        &mut self,
        run: &mut Run,
        model: &[Lit],
        optimal: bool,
        eval: &Eval<'_>,
    ) -> Result<Option<Vec<u32>>, Failure> {
        let mut on: Vec<Lit> = model.iter().copied().filter(|lit| *lit > 0).collect();
        on.sort_unstable();
        // some solvers do not claim optimality for a cost that cannot be lower
        let cost = self.file.formula.emission().cost.as_ref();
        let least = cost.is_none_or(|cost| cost.value(&on) <= cost.lo);
        let first = self.file.cost.is_none();
        if first {
            self.optimal = optimal || least;
        }
        let answer = self.answer(run, &on, eval)?;
        if first && !self.optimal {
            // the best model that the solver found, without a proof of optimality
            self.over.get_or_insert(unfinished(eval));
        }
        Ok(answer)
    }

    /// The answer of a model, given by its true literals, ascending; `None` if it is not an answer, or a repeated
    /// one.
    fn answer(&mut self, run: &mut Run, on: &[Lit], eval: &Eval<'_>) -> Result<Option<Vec<u32>>, Failure> {
        let is_true = |lit: Lit| on.binary_search(&lit.abs()).is_ok() == (lit > 0);
        let emission = self.file.formula.emission();
        let values = read(&emission.encodings, eval, &format!("`{}`", self.solver.name), is_true)?;
        if self.cuts.learn(is_true) {
            return Ok(None);
        }
        let clause: Vec<Lit> =
            emission.answer.iter().map(|lit| if is_true(*lit) { -lit } else { *lit }).collect();
        let bytes: Vec<u8> = clause.iter().flat_map(|lit| lit.to_le_bytes()).collect();
        if !self.seen.insert(xxh3_128(&bytes)) {
            run.repeats = true;
            return Ok(None);
        }
        if let Some(objective) = eval.model.objective {
            let cost = eval.model.cost(objective, &values, eval.budget)?;
            if self.file.cost.is_some_and(|best| cost > best) {
                self.over = Some(End::Exhausted);
                return Ok(None);
            }
            self.file.cost.get_or_insert(cost);
        }
        if !self.lists {
            self.excluded.push(clause);
        }
        self.found += 1;
        if !self.lists {
            let (name, found) = (&self.solver.name, self.found);
            self.listener.progress(Some(&format!("solving with `{name}`: {found} solutions")));
        }
        Ok(Some(values))
    }

    /// Evaluates the end of a run, which may yield an answer. Then the search is over or needs another run.
    fn ended(&mut self, mut run: Run, eval: &mut Eval<'_>) -> Result<Option<Vec<u32>>, Failure> {
        let digest = run.digest;
        let (complete, optimal) = match run.listing.finish()?.verdict {
            Verdict::Satisfiable { complete, optimal, .. } | Verdict::Covered { complete, optimal, .. } => {
                (complete, optimal)
            }
            Verdict::Unsatisfiable => {
                if let Some((plan, file)) = &self.proof {
                    let graphs = certificate::graphs(
                        &self.file,
                        eval,
                        digest,
                        self.loaded,
                        &self.formula,
                        &self.cuts,
                    )?;
                    let files = Files { formula: self.formula.clone(), proof: file.clone(), graphs };
                    self.proven = Some(plan.settle(&files, eval.budget, self.listener)?);
                }
                self.over = Some(End::Exhausted);
                return Ok(None);
            }
            Verdict::Unknown(why) => {
                self.listener.note(&format!("`{}` gave no answer: {why}", self.solver.name));
                self.over = Some(unfinished(eval));
                return Ok(None);
            }
            Verdict::Counted(_) => return Err(self.failed("answered to something else").into()),
            Verdict::Failed(why) => return Err(self.failed(&format!("failed: {why}")).into()),
        };
        if run.models == 0 {
            // it may have been stopped while it printed a model
            let stop = eval.budget.check().err().ok_or_else(|| self.failed("gave no model"))?;
            self.over = Some(End::Stopped(stop));
            return Ok(None);
        }
        let answer = match run.best.take() {
            Some(best) => self.best(&mut run, &best, optimal, eval)?,
            None => None,
        };
        if self.over.is_none() {
            self.over = self.after(&run, complete, eval);
        }
        Ok(answer)
    }

    /// Is the search over after a run that gave models?
    fn after(&self, run: &Run, complete: bool, eval: &Eval<'_>) -> Option<End> {
        let formula = &self.file.formula;
        // models that agree on all answer literals are a fault of the solver, and others may be missing
        let repeats = run.repeats && self.file.is_exact(eval);
        let believed = complete && self.lists && !repeats;
        let one = self.found > 0 && formula.emission().answer.is_empty();
        if believed && eval.model.objective.is_none() || one {
            return Some(End::Exhausted);
        }
        let name = &self.solver.name;
        if repeats {
            self.listener.note(&format!("`{name}` gave the same solution twice"));
        } else if complete && !self.solver.lists() && !formula.takes_clauses() && self.found < self.most {
            self.listener
                .note("whether these are all is not known; `--lists` says that the command lists all");
        }
        if self.lists || !formula.takes_clauses() {
            return Some(unfinished(eval));
        }
        if self.found == 1 && self.most > 1 {
            self.listener.note(&format!(
                "`{name}` is run again for each further solution, those before it excluded by clauses; `--limit` ends it"
            ));
        }
        None
    }

    fn failed(&self, what: &str) -> Diagnostic {
        Diagnostic::error(Code::SolverFailed, format!("`{}` {what}", self.solver.name))
    }
}

impl Answers for Process<'_> {
    fn next(&mut self, eval: &mut Eval<'_>) -> Result<Next, Failure> {
        loop {
            let mut run = match self.run.take() {
                Some(run) => run,
                None => match self.over {
                    Some(end) => return Ok(Next::Over(end)),
                    None => self.start(eval)?,
                },
            };
            let answer = match run.listing.next(eval.budget) {
                Some(listed) => {
                    let answer = self.take(&mut run, listed, eval)?;
                    if self.over.is_none() {
                        self.run = Some(run);
                    }
                    answer
                }
                None => self.ended(run, eval)?,
            };
            if let Some(answer) = answer {
                return Ok(Next::Answer(answer));
            }
        }
    }

    fn finish(&mut self, eval: &mut Eval<'_>, end: End) -> Result<Search, Failure> {
        self.run = None;
        // while the answer may not be the best, `Enough` is not the end
        let unproven = eval.model.objective.is_some() && !self.optimal;
        let end = self.over.filter(|_| unproven).unwrap_or(end);
        let formula = &self.file.formula;
        Ok(Search {
            optimal: self.optimal,
            how: if self.lists { How::Listing } else { How::Blocking },
            by: Some(self.solver.name.clone()),
            proof: self.proven.take(),
            ..Search::new(formula.emission(), formula.sizes(), end)
        })
    }
}

fn keep_answer(model: &[Lit], path: &Path) -> Result<(), Failure> {
    let mut text = b"s SATISFIABLE\n".to_vec();
    crate::solve::competition::model(&mut text, model.iter().copied()).expect("a vector takes every byte");
    put(path, |out, name| out.write_all(&text).map_err(|error| WriteFault::of(name, &error).into()))
}
