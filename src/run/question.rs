//! The choice of an engine: an embedded one, or an external solver.

use super::answers::{Answers, Search, Take, TakeSolution, collect, solutions};
#[cfg(feature = "process")]
use super::certificate;
use super::cover::Cover;
use super::embedded::Embedded;
#[cfg(feature = "process")]
use super::formula_file::FormulaFile;
use super::listener::{Listener, Progress};
use super::load::Loaded;
use super::optimum;
#[cfg(feature = "process")]
use super::process::{Process, made};
#[cfg(feature = "process")]
use super::proof::Plan;
#[cfg(feature = "process")]
use super::solvers::note_unkept_limits;
use super::{Encoding, Failure};
use crate::diag::{Code, Diagnostic};
#[cfg(feature = "process")]
use crate::encode::Form;
use crate::encode::Target;
use crate::eval::Eval;
use crate::solve::table::Solver;
#[cfg(feature = "process")]
use std::path::Path;

/// The source of answers.
#[derive(Clone, Copy)]
pub enum Engine<'q> {
    /// An embedded SAT engine.
    Sat,
    /// The embedded engine for exact covers.
    Cover,
    /// An external solver.
    Solver(&'q Solver),
}

/// The parameters of a search.
#[derive(Clone, Copy)]
pub struct Question<'q> {
    pub loaded: &'q Loaded,
    pub engine: Engine<'q>,
    pub encoding: &'q Encoding,
    pub seed: u32,
    /// Upper bound on the number of answers.
    pub most: u64,
    /// The folder where formula, map and answer are kept.
    #[cfg(feature = "process")]
    pub keep: Option<&'q Path>,
    /// For a proof that there are no further answers.
    #[cfg(feature = "process")]
    pub proof: Option<&'q Plan<'q>>,
    pub listener: &'q dyn Listener,
}

impl<'q> Question<'q> {
    /// A question to the embedded engines for `most` answers, no matter which.
    pub fn new(
        loaded: &'q Loaded,
        encoding: &'q Encoding,
        most: u64,
        listener: &'q dyn Listener,
    ) -> Question<'q> {
        Question {
            loaded,
            engine: Engine::Sat,
            encoding,
            seed: 0,
            most,
            #[cfg(feature = "process")]
            keep: None,
            #[cfg(feature = "process")]
            proof: None,
            listener,
        }
    }

    /// Starts the search in a ground model.
    pub fn begin(self, eval: &mut Eval<'_>) -> Result<Box<dyn Answers + 'q>, Failure> {
        let _progress = Progress::start(self.listener, "encoding");
        match self.engine {
            #[cfg(feature = "process")]
            Engine::Sat if self.proof.is_some() => {
                let plan = self.proof.expect("there is one");
                certificate::certified(&self, plan, eval)
            }
            Engine::Sat => {
                #[cfg(feature = "process")]
                self.keep_formula(eval)?;
                Ok(Box::new(Embedded::new(eval, self.encoding, self.seed, self.most)?))
            }
            Engine::Cover => {
                let (encoding, seed) = (self.encoding, self.seed);
                let begin = move |eval: &mut Eval<'_>, _| -> Result<Box<dyn Answers + 'q>, Failure> {
                    Ok(Box::new(Cover::new(eval, encoding, seed)?))
                };
                optimum::best(eval, self.most, Box::new(begin))
            }
            #[cfg(feature = "process")]
            Engine::Solver(solver) if solver.counts() => {
                let message = format!("`{}` counts solutions, it finds none", solver.name);
                let help = format!("`rebus count … --solver {}`", solver.name);
                Err(Diagnostic::error(Code::Usage, message).help(help).into())
            }
            #[cfg(feature = "process")]
            Engine::Solver(solver) => {
                note_unkept_limits(eval.budget.limits(), self.listener);
                let begin = move |eval: &mut Eval<'_>, most| -> Result<Box<dyn Answers + 'q>, Failure> {
                    Ok(Box::new(Process::new(&Question { most, ..self }, solver, eval)?))
                };
                match solver.format.has_objective() {
                    true => begin(eval, self.most),
                    false => optimum::best(eval, self.most, Box::new(begin)),
                }
            }
            #[cfg(not(feature = "process"))]
            Engine::Solver(solver) => {
                let message = format!("`{}` is another program, and this build runs none", solver.name);
                Err(Diagnostic::error(Code::SolverMissing, message).into())
            }
        }
    }

    /// Passes answers to `take`, which must verify them.
    pub fn answers(self, eval: &mut Eval<'_>, take: &mut Take<'_>) -> Result<Search, Failure> {
        let mut answers = self.begin(eval)?;
        let progress = Progress::start(self.listener, &self.solving());
        collect(&mut *answers, eval, self.most, &progress, take)
    }

    /// Passes verified solutions to `take`.
    pub fn solutions(self, eval: &mut Eval<'_>, take: &mut TakeSolution<'_>) -> Result<Search, Failure> {
        let mut answers = self.begin(eval)?;
        let progress = Progress::start(self.listener, &self.solving());
        solutions(&mut *answers, eval, self.most, &self.loaded.without, &progress, take)
    }

    fn solving(&self) -> String {
        match self.engine {
            Engine::Solver(solver) => format!("solving with `{}`", solver.name),
            _ => "solving".to_owned(),
        }
    }

    #[cfg(feature = "process")]
    fn keep_formula(&self, eval: &mut Eval<'_>) -> Result<(), Failure> {
        let Some(folder) = self.keep else { return Ok(()) };
        let mut file =
            FormulaFile::new(eval, Target::Cnf, self.encoding, Form::default(), None, self.listener)?;
        made(folder)?;
        let digest = file.put(eval, &folder.join("formula.cnf"), &[])?;
        file.put_map(eval, digest, self.loaded, &folder.join("formula.cnf.map"))
    }
}

impl<'q> Engine<'q> {
    /// The solver, if there is one; else the embedded engine for formulas of this kind.
    pub fn of(solver: Option<&'q Solver>, target: Option<Target>) -> Engine<'q> {
        match (solver, target) {
            (Some(solver), _) => Engine::Solver(solver),
            (None, Some(Target::Xcc)) => Engine::Cover,
            (None, _) => Engine::Sat,
        }
    }
}
