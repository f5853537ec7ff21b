//! What all solutions share; and helpers for questions to `why`.

use super::embedded::quick_engine;
use super::failure::encode_fault;
use super::listener::Progress;
use super::question::Question;
use super::stages::presolved;
use super::{Failure, answers, optimum};
use crate::decode::Solution;
use crate::diag::{Code, Diagnostic};
use crate::eval::{Eval, stop_diagnostic};
use crate::model::Bool;
use crate::why::{self, Common};

/// What all solutions share that also satisfy `beside`.
pub fn shared(
    eval: &Eval<'_>,
    beside: &[Bool],
    question: &Question<'_>,
) -> Result<Option<Common>, why::Fault> {
    let progress = Progress::start(question.listener, "looking for a solution");
    let known = presolved(eval, question.encoding).map_err(why::Fault::Stop)?;
    if known.contradiction.is_some() {
        return Ok(None);
    }
    let mut report = |open: usize| progress.say(&format!("{open} values to be decided"));
    let allows = |var, position| known.allows(var, position);
    let mut engine = quick_engine(eval.model.rules.len(), question.seed);
    let options = question.encoding.options;
    why::common(&eval.model, &allows, beside, options, &mut *engine, eval.budget, &mut report)
}

/// The condition that a solution is as good as the best; `None` without an objective.
pub fn as_good_as(eval: &mut Eval<'_>, best: &Solution) -> Result<Option<Bool>, Diagnostic> {
    let (Some(objective), Some(value)) = (eval.model.objective, best.objective()) else {
        return Ok(None);
    };
    optimum::cost_at_most(eval, objective, objective.cost(value)).map(Some)
}

/// The diagnostic for a question to `why` that failed.
pub fn why_fault(fault: why::Fault, eval: &Eval<'_>) -> Diagnostic {
    match fault {
        why::Fault::Stop(stop) => stop_diagnostic(stop),
        why::Fault::Encode(error) => encode_fault(error),
        why::Fault::Model(var) => answers::no_value(eval, "the engine's model", var),
    }
}

/// Two equivalent questions got different answers.
pub fn disagree() -> Failure {
    Diagnostic::error(Code::SolverFailed, "the engine found no solution, and then one")
        .help(format!("please report it: rebus {}, the model and its data", env!("CARGO_PKG_VERSION")))
        .into()
}
