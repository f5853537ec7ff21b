//! The first stages of a run: ground, presolve.

use super::listener::{Listener, Progress};
use super::load::Loaded;
use super::{Encoding, Failure};
use crate::diag::{Code, Diagnostic};
use crate::encode::cnf::{self, Emission};
use crate::eval::{Eval, Without, stop_diagnostic};
use crate::model::presolve::{Presolved, presolve};
use crate::model::{Instance, VarId};
use crate::shared::{Budget, Stop, nearest};

/// Grounds the whole program.
pub fn ground(
    eval: &mut Eval<'_>,
    without: &Without,
    listener: &dyn Listener,
) -> Result<(), Vec<Diagnostic>> {
    let _progress = Progress::start(listener, "grounding");
    eval.check_params()?;
    eval.declare_all()?;
    eval.ground_rules(0..eval.program.rules.len(), without)?;
    if let Some(label) = eval.unknown_labels(without).first() {
        return Err(vec![unknown_label(eval, label)]);
    }
    eval.ground_outputs().map_err(|fault| vec![fault])?;
    let faults = eval.show_faults();
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

/// Grounds a loaded model and reports its warnings: the first step of every question for solutions.
pub fn start<'l>(
    loaded: &'l Loaded,
    budget: &'l Budget,
    listener: &dyn Listener,
) -> Result<Eval<'l>, Failure> {
    let mut eval = Eval::new(&loaded.program, budget);
    ground(&mut eval, &loaded.without, listener)?;
    listener.warn(&eval.warnings, &loaded.sources);
    Ok(eval)
}

/// The diagnostic for a label of `--without` that no rule has.
fn unknown_label(eval: &Eval<'_>, label: &str) -> Diagnostic {
    let fault = Diagnostic::error(Code::UnknownLabel, format!("no rule is labelled `{label}`"));
    let mut labels: Vec<&str> = eval.program.rules.iter().map(|rule| &*rule.label).collect();
    labels.retain(|label| !label.is_empty());
    labels.dedup();
    match nearest(label, labels.iter().copied()) {
        Some(near) => fault.help(format!("did you mean `{near}`?")),
        None if labels.is_empty() => fault.note("the model has no labels"),
        None => fault.note(format!("it has `{}`", labels.join("`, `"))),
    }
}

/// The facts known before the search.
pub fn presolved(eval: &Eval<'_>, encoding: &Encoding) -> Result<Presolved, Stop> {
    match encoding.presolve.unwrap_or(true) {
        true => presolve(&eval.model, eval.budget),
        false => Ok(Presolved::nothing(&eval.model)),
    }
}

/// The sizes of a formula that is not written.
pub struct Measured {
    pub emission: Emission,
    pub clauses: u64,
    /// Variables of the model whose values presolve fixes.
    pub fixed: usize,
}

/// Presolves and measures clauses; the inner error is a set of rules that presolve found contradictory.
pub fn measured(eval: &Eval<'_>, encoding: &Encoding) -> Result<Result<Measured, Vec<Instance>>, Failure> {
    let known = presolved(eval, encoding)?;
    if let Some(clash) = known.contradiction {
        return Ok(Err(clash));
    }
    let allows = |var, position| known.allows(var, position);
    let (counted, emission) = cnf::measure(&eval.model, &allows, encoding.options, eval.budget)?;
    let limit = eval.budget.limits().clauses;
    if counted.clauses > limit {
        let fault = stop_diagnostic(Stop::Clauses { limit }).note(format!("there are {}", counted.clauses));
        return Err(fault.into());
    }
    let vars = (0..eval.model.vars.len()).map(|at| VarId(at as u32));
    let fixed = vars.filter(|var| known.fixed(*var).is_some()).count();
    Ok(Ok(Measured { emission, clauses: counted.clauses, fixed }))
}
