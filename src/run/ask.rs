//! From a question to whoever answers it: an embedded engine, or another solver.

use super::Failure;
use super::answers::{Answers, Search, Take, TakeSolution, collect, solutions};
#[cfg(feature = "process")]
use super::certificate;
use super::cover::Cover;
use super::embedded::Embedded;
#[cfg(feature = "process")]
use super::formula_file::FormulaFile;
use super::listener::Progress;
use super::optimum;
#[cfg(feature = "process")]
use super::place::made;
#[cfg(feature = "process")]
use super::process::Process;
use super::question::{Engine, Question};
#[cfg(feature = "process")]
use super::solvers::note_unkept_limits;
use crate::diag::{Code, Diagnostic};
#[cfg(feature = "process")]
use crate::encode::{Form, Target};
use crate::eval::Eval;

impl<'q> Question<'q> {
    /// Begins the search in a ground model.
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

    /// Gives answers to `take`, which verifies them.
    pub fn answers(self, eval: &mut Eval<'_>, take: &mut Take<'_>) -> Result<Search, Failure> {
        let mut answers = self.begin(eval)?;
        let progress = Progress::start(self.listener, &self.solving());
        collect(&mut *answers, eval, self.most, &progress, take)
    }

    /// Gives verified solutions to `take`.
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
