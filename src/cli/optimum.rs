//! An objective for those who know none: question after question, each bound to do better than the answer before it.
//!
//! In: somebody who finds solutions of a model, and its objective. Out: the best solutions, proven to be; or the best that was
//! found when the time was over. The bound is a rule of the model, so that nobody else need know of it.

use super::session::{self, End, Search, Take};
use super::{Failure, with_sources};
use crate::decode::NoSolution;
use crate::diag::{Code, Diagnostic, Sources};
use crate::eval::{Eval, stop_diagnostic};
use crate::model::{Asserted, Bool, Instance, Objective};

/// Searches solutions, so many at most.
pub type Ask<'a> = dyn FnMut(&mut Eval<'_>, u64, &mut Take<'_>) -> Result<Search, Failure> + 'a;

/// Searches with `ask`; with an objective those solutions than which none is better.
pub fn search(
    eval: &mut Eval<'_>,
    most: u64,
    sources: &Sources,
    ask: &mut Ask<'_>,
    take: &mut Take<'_>,
) -> Result<Search, Failure> {
    let Some(objective) = eval.model.objective.take() else { return ask(eval, most, take) };
    let result = descend(eval, objective, most, sources, ask, take);
    eval.model.objective = Some(objective);
    eval.model.rules.retain(|rule| rule.instance != Instance::BOUND);
    result
}

fn descend(
    eval: &mut Eval<'_>,
    objective: Objective,
    most: u64,
    sources: &Sources,
    ask: &mut Ask<'_>,
    take: &mut Take<'_>,
) -> Result<Search, Failure> {
    let mut best: Option<(i128, Vec<u32>)> = None;
    loop {
        let mut better = None;
        let mut search = ask(eval, 1, &mut |eval, positions| {
            // a solver that does not keep the bound would be asked for ever
            if let Some(at) = eval.model.broken_within(positions, eval.budget).map_err(stop_diagnostic)? {
                let named = eval.instance(eval.model.rules[at].instance);
                return Err(session::broken(NoSolution::Broken(vec![named])));
            }
            better = Some((
                eval.model.cost(objective, positions, eval.budget).map_err(stop_diagnostic)?,
                positions.to_vec(),
            ));
            Ok(false)
        })?;
        if let Some((cost, positions)) = better {
            best = Some((cost, positions));
            bound(eval, objective, cost - 1).map_err(with_sources(sources))?;
            continue;
        }
        let Some((cost, positions)) = best else { return Ok(search) };
        if search.end == End::Exhausted {
            let proof = search.proof.take();
            bound(eval, objective, cost).map_err(with_sources(sources))?;
            search = ask(eval, most, take)?;
            search.optimal = true;
            // that nothing is better, unless there is one that no other is as good
            search.proof = search.proof.take().or(proof);
        }
        if search.found == 0 {
            search.found = 1;
            take(eval, &positions).map_err(with_sources(sources))?;
        }
        return Ok(search);
    }
}

/// Lets a rule say that the cost is at most `bound`, instead of the one that said so before.
fn bound(eval: &mut Eval<'_>, objective: Objective, bound: i128) -> Result<(), Diagnostic> {
    let what = cost_at_most(eval, objective, bound)?;
    eval.model.rules.retain(|rule| rule.instance != Instance::BOUND);
    eval.model.rules.push(Asserted { what, instance: Instance::BOUND });
    Ok(())
}

/// "The cost is at most `bound`".
pub fn cost_at_most(eval: &mut Eval<'_>, objective: Objective, bound: i128) -> Result<Bool, Diagnostic> {
    let fault = |_| Diagnostic::error(Code::NumberTooLarge, "the objective leaves 64 bits");
    eval.model.cost_at_most(objective, bound).map_err(fault)
}
