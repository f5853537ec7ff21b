//! Counting with a stranger: the formula in a file, a number read back, which nobody checks.

use super::args::EncodingArgs;
use super::emit::Emit;
use super::load::Loaded;
use super::progress::Progress;
use super::rounds::{temporary, write};
use super::{Failure, with_sources};
use crate::diag::{Code, Diagnostic};
use crate::encode::{Form, ShowLine, Target};
use crate::eval::Eval;
use crate::solve::external::{Extras, solve_file};
use crate::solve::find::Places;
use crate::solve::table::Solver;
use crate::solve::{Count, Verdict};

/// Counts the answers of a model; `None`, with the reason told, if the counter gave up.
pub fn count(
    solver: &Solver,
    encoding: &EncodingArgs,
    loaded: &Loaded,
    eval: &mut Eval<'_>,
) -> Result<Option<Count>, Failure> {
    if eval.model.objective.is_some() {
        let fault =
            Diagnostic::error(Code::Usage, "a model counter counts all that keep the rules, not the best");
        return Err(fault.help("leave `--solver` out").into());
    }
    super::solvers::tell_unkept(eval.budget.limits());
    let progress = Progress::start("encoding");
    let folder = temporary()?;
    let path = folder.path().join("formula.cnf");
    let budget = eval.budget;
    let form = Form { show: ShowLine::Pmc, ..Form::default() };
    let mut emit = Emit::new(eval, Target::Cnf, encoding, form).map_err(with_sources(&loaded.sources))?;
    if !emit.formula.emission().lazy.is_empty() {
        let fault =
            Diagnostic::error(Code::Usage, "`--graph cuts` leaves out what a model counter must know");
        return Err(fault.help("leave it out").into());
    }
    write(&mut emit, &path, &[])?;
    progress.say(format!("counting with `{}`", solver.name));
    let verdict = solve_file(solver, &Places::from_env(), &path, Extras::default(), budget)?.verdict;
    let failed = |what: &str| Diagnostic::error(Code::SolverFailed, format!("`{}` {what}", solver.name));
    match verdict {
        Verdict::Counted(count) if count.unprojected && !emit.is_exact() => {
            Err(failed("counted models, of which several may be one solution")
                .help("it must count what `c p show` lists, the answers, as projected counters do")
                .into())
        }
        Verdict::Counted(count) => Ok(Some(count)),
        Verdict::Unknown(why) => {
            super::say(&format!("`{}` gave no answer: {why}", solver.name));
            Ok(None)
        }
        Verdict::Failed(why) => Err(failed(&format!("failed: {why}")).into()),
        _ => Err(failed("answered to something else").into()),
    }
}
