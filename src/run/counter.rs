//! Counting with an external program: it reads the formula from a file, and its number is not checked.

use super::formula_file::FormulaFile;
use super::listener::{Listener, Progress};
use super::place::Place;
use super::solvers::note_unkept_limits;
use super::{Encoding, Failure};
use crate::diag::{Code, Diagnostic};
use crate::encode::{Form, ShowLine, Target};
use crate::eval::Eval;
use crate::solve::find::Places;
use crate::solve::solver_run::{Extras, solve_file};
use crate::solve::table::Solver;
use crate::solve::{Count, Verdict};

/// Counts the answers of a model. If the counter gives up, notes the reason and returns `None`.
pub fn count(
    solver: &Solver,
    encoding: &Encoding,
    listener: &dyn Listener,
    eval: &mut Eval<'_>,
) -> Result<Option<Count>, Failure> {
    if eval.model.objective.is_some() {
        let fault =
            Diagnostic::error(Code::Usage, "a model counter counts all that keep the rules, not the best");
        return Err(fault.help("leave `--solver` out").into());
    }
    note_unkept_limits(eval.budget.limits(), listener);
    let progress = Progress::start(listener, "encoding");
    let place = Place::of(None)?;
    let path = place.path().join("formula.cnf");
    let budget = eval.budget;
    let form = Form { show: ShowLine::Pmc, ..Form::default() };
    let mut file = FormulaFile::new(eval, Target::Cnf, encoding, form, None, listener)?;
    if !file.formula.emission().lazy.is_empty() {
        let fault =
            Diagnostic::error(Code::Usage, "`--graph cuts` leaves out what a model counter must know");
        return Err(fault.help("leave it out").into());
    }
    file.put(eval, &path, &[])?;
    progress.say(&format!("counting with `{}`", solver.name));
    let verdict = solve_file(solver, &Places::from_env(), &path, Extras::default(), budget)?.verdict;
    let failed = |what: &str| Diagnostic::error(Code::SolverFailed, format!("`{}` {what}", solver.name));
    match verdict {
        Verdict::Counted(count) if count.unprojected && !file.is_exact(eval) => {
            Err(failed("counted models, of which several may be one solution")
                .help("it must count what `c p show` lists, the answers, as projected counters do")
                .into())
        }
        Verdict::Counted(count) => Ok(Some(count)),
        Verdict::Unknown(why) => {
            listener.note(&format!("`{}` gave no answer: {why}", solver.name));
            Ok(None)
        }
        Verdict::Failed(why) => Err(failed(&format!("failed: {why}")).into()),
        _ => Err(failed("answered to something else").into()),
    }
}
