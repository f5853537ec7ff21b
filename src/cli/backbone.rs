//! What all solutions share, and what else those commands need that ask `why`.

use super::args::EncodingArgs;
use super::progress::Progress;
use super::{optimum, session};
use crate::decode::Solution;
use crate::diag::{Code, Diagnostic};
use crate::eval::{Eval, stop_diagnostic};
use crate::model::{Bool, VarId};
use crate::why::{self, Common};

/// What all solutions share in which `beside` holds.
pub fn shared(
    eval: &Eval<'_>,
    beside: &[Bool],
    encoding: &EncodingArgs,
) -> Result<Option<Common>, why::Fault> {
    let progress = Progress::start("looking for a solution");
    let known = session::presolved(eval, encoding).map_err(why::Fault::Stop)?;
    if known.contradiction.is_some() {
        return Ok(None);
    }
    let mut tell = |open: usize| progress.say(format!("{open} values to be decided"));
    let allows = |var, position| known.allows(var, position);
    let (options, mut engine) = (encoding.options(), session::quick_engine(eval.model.rules.len(), 0));
    why::common(&eval.model, &allows, beside, options, &mut *engine, eval.budget, &mut tell)
}

/// With an objective, solutions are those that are as good as the best.
pub fn as_good_as(eval: &mut Eval<'_>, best: &Solution) -> Result<Option<Bool>, Diagnostic> {
    let (Some(objective), Some(value)) = (eval.model.objective, best.objective()) else {
        return Ok(None);
    };
    optimum::cost_at_most(eval, objective, objective.cost(value)).map(Some)
}

/// What is to be said of a question that was not answered.
pub fn why_fault(fault: why::Fault, eval: &Eval<'_>) -> Diagnostic {
    match fault {
        why::Fault::Stop(stop) => stop_diagnostic(stop),
        why::Fault::Encode(error) => session::encode_fault(error),
        why::Fault::Model(var) => {
            let name = eval.var_name(VarId(var as u32));
            Diagnostic::error(Code::SolverFailed, format!("the engine's model gives {name} no value, or two"))
        }
    }
}

/// Two ways of asking the same must agree.
pub fn disagree() -> Diagnostic {
    Diagnostic::error(Code::SolverFailed, "the engine found no solution, and then one")
}
