//! Explanations: why a puzzle has no solution, or several; why an expression has its value; what all solutions share.
//!
//! In: a ground model, a question. Out: the explanation, as values.

use super::Failure;
use super::answers::{End, verified};
use super::backbone::{as_good_as, disagree, shared, why_fault};
use super::embedded::quick_engine;
use super::givens::{Givens, spare};
use super::listener::Progress;
use super::question::Question;
use super::reasons::Reasons;
use super::stages::presolved;
use crate::decode::Solution;
use crate::eval::{Body, Eval, Evaluated};
use crate::model::{Asserted, Bool, Instance, VarId};
use crate::shared::{Budget, Stop};
use crate::why::{self, Clash, Common, Effort, Verdict};

/// What is to be explained.
#[derive(Clone, Copy)]
pub enum Wanted<'a> {
    /// The number of solutions: none, one, several.
    Number,
    /// Which given entries can be removed.
    Value(&'a Body),
    /// Which given entries could go.
    Givens,
}

/// Rules that cannot hold together.
pub struct Conflict {
    /// Proven: without any one of them the others can hold.
    pub minimal: bool,
    pub reasons: Reasons,
}

/// Two solutions.
pub struct Pair {
    pub first: Solution,
    pub second: Solution,
    /// The variables with different values.
    pub differ: Vec<VarId>,
}

/// An explanation.
pub enum Explanation {
    /// There is no solution.
    Impossible(Conflict),
    /// There is exactly one.
    Unique(Solution),
    /// There is exactly one; with the result for the given entries.
    Givens(Givens),
    /// There are several. The entries that vary, and whether the list is complete; `None` if the time was over.
    Several(Pair, Option<(Vec<String>, bool)>),
    /// The expression has this value in every solution.
    Forced(Evaluated, Conflict),
    /// It has this value in the first solution, and another in the second.
    Open(Pair, Evaluated, Evaluated),
    Unknown(End),
}

/// Answers `wanted`.
pub fn explain(
    eval: &mut Eval<'_>,
    question: &Question<'_>,
    wanted: Wanted<'_>,
) -> Result<Explanation, Failure> {
    let known = presolved(eval, question.encoding)?;
    if let Some(clash) = &known.contradiction {
        let rules = eval.model.rules.iter().enumerate();
        let hint: Vec<usize> =
            rules.filter(|(_, rule)| clash.contains(&rule.instance)).map(|(at, _)| at).collect();
        return impossible(eval, question, &hint);
    }
    let most = if matches!(wanted, Wanted::Value(_)) { 1 } else { 2 };
    let mut solutions = Vec::new();
    let search = Question { most, ..*question }.solutions(eval, &mut |_, solution| {
        solutions.push(solution);
        Ok(true)
    })?;
    let mut solutions = solutions.into_iter();
    Ok(match (search.end, solutions.next(), solutions.next(), wanted) {
        (End::Exhausted, None, ..) => return impossible(eval, question, &[]),
        (_, Some(first), _, Wanted::Value(asked)) if search.optimal | eval.model.objective.is_none() => {
            return why(eval, question, asked, first);
        }
        (End::Exhausted, Some(_), None, Wanted::Givens) => Explanation::Givens(spare(eval, question)?),
        (End::Exhausted, Some(only), None, _) => Explanation::Unique(only),
        (_, Some(first), Some(second), _) => {
            let vary = varying(eval, question, &first)?;
            Explanation::Several(Pair::of(first, second), vary)
        }
        _ => Explanation::Unknown(search.end),
    })
}

impl Pair {
    fn of(first: Solution, second: Solution) -> Pair {
        let pairs = first.positions().iter().zip(second.positions()).enumerate();
        let differ = pairs.filter(|(_, (a, b))| a != b).map(|(var, _)| VarId(var as u32)).collect();
        Pair { first, second, differ }
    }
}

/// The explanation for a question to `why` that failed.
fn not_answered(fault: why::Fault, eval: &Eval<'_>) -> Result<Explanation, Failure> {
    match fault {
        why::Fault::Stop(stop) => Ok(Explanation::Unknown(End::Stopped(stop))),
        fault => Err(why_fault(fault, eval).into()),
    }
}

/// Steps that may be spent on a smaller set of rules, however soon the first was found.
const LEAST_WORK: u64 = 1 << 16;

/// The smallest clash found, first among those rules that are known to clash, then among all.
fn clash(
    eval: &Eval<'_>,
    question: &Question<'_>,
    hint: &[usize],
    beside: &[Bool],
) -> Result<Verdict, why::Fault> {
    let progress = Progress::start(question.listener, "looking for rules that clash");
    let (model, options, budget) = (&eval.model, question.encoding.options, eval.budget);
    let mut tell = |rules: usize| progress.say(&format!("{rules} rules clash; are fewer enough?"));
    let mut among = |rules: &[usize], budget: &Budget| {
        let mut engine = quick_engine(model.rules.len(), question.seed);
        why::clash(model, rules, beside, options, &mut *engine, Effort::default(), budget, &mut tell)
    };
    let all: Vec<usize> = (0..model.rules.len()).collect();
    if hint.is_empty() {
        return among(&all, budget);
    }
    let spent = budget.slice(u64::MAX);
    let first = among(hint, &spent)?;
    // a smaller set is worth as much work again
    let second = among(&all, &budget.slice(spent.steps().max(LEAST_WORK)));
    match (first, second) {
        (Verdict::Clash(first), Ok(Verdict::Clash(second)))
            if second.minimal && second.rules.len() < first.rules.len() =>
        {
            Ok(Verdict::Clash(second))
        }
        (first, _) => Ok(first),
    }
}

/// The explanation that there is no solution.
fn impossible(eval: &mut Eval<'_>, question: &Question<'_>, hint: &[usize]) -> Result<Explanation, Failure> {
    match clash(eval, question, hint, &[]) {
        Ok(Verdict::Clash(clash)) => Ok(Explanation::Impossible(conflict(eval, question, &clash, &[])?)),
        Ok(Verdict::Holds(_)) => Err(disagree()),
        Err(fault) => not_answered(fault, eval),
    }
}

/// The rules of a clash, drawn on the given puzzle.
fn conflict(
    eval: &mut Eval<'_>,
    question: &Question<'_>,
    clash: &Clash,
    beside: &[VarId],
) -> Result<Conflict, Failure> {
    let given = eval.model.given();
    let reasons = Reasons::of(&clash.rules, beside, &given, eval, &question.loaded.sources)?;
    Ok(Conflict { minimal: clash.minimal, reasons })
}

/// The names of the entries that vary, and whether the list is complete; `None` if the time was over.
fn varying(
    eval: &mut Eval<'_>,
    question: &Question<'_>,
    first: &Solution,
) -> Result<Option<(Vec<String>, bool)>, Failure> {
    let beside: Vec<Bool> = as_good_as(eval, first)?.into_iter().collect();
    let shared = match shared(eval, &beside, question) {
        Ok(Some(shared)) => shared,
        Ok(None) => return Err(disagree()),
        Err(why::Fault::Stop(_)) => return Ok(None),
        Err(fault) => return Err(why_fault(fault, eval).into()),
    };
    let vary = (0..).zip(&shared.entries).filter(|(_, entry)| entry.fixed.is_none());
    let names = vary.map(|(var, _)| eval.var_name(VarId(var))).collect();
    Ok(Some((names, shared.complete)))
}

/// Why an expression has the value it has in `first`; or a solution with another value.
fn why(
    eval: &mut Eval<'_>,
    question: &Question<'_>,
    asked: &Body,
    first: Solution,
) -> Result<Explanation, Failure> {
    let value = eval.asked(asked, first.positions())?;
    // that solutions are as good as the best counts as one more rule
    let best = as_good_as(eval, &first)?;
    let best = best.map(|what| Asserted { what, instance: Instance::BOUND });
    let rules = eval.model.rules.len();
    eval.model.rules.extend(best);
    let answer = why_among(eval, question, asked, first, value);
    eval.model.rules.truncate(rules);
    answer
}

fn why_among(
    eval: &mut Eval<'_>,
    question: &Question<'_>,
    asked: &Body,
    first: Solution,
    value: Evaluated,
) -> Result<Explanation, Failure> {
    match clash(eval, question, &[], &[!value.holds]) {
        Ok(Verdict::Clash(clash)) => {
            let marks = eval.model.touched(value.holds);
            Ok(Explanation::Forced(value, conflict(eval, question, &clash, &marks)?))
        }
        Ok(Verdict::Holds(positions)) => {
            let second = verified(eval, &positions, &question.loaded.without, true)?;
            let other = eval.asked(asked, &positions)?;
            Ok(Explanation::Open(Pair::of(first, second), value, other))
        }
        Err(fault) => not_answered(fault, eval),
    }
}

/// The result of [`deduce`].
pub enum Deduced {
    /// There is none.
    Impossible,
    Common(Common),
    Unknown(Stop),
}

/// Finds what all solutions share; with an objective, all best solutions.
pub fn deduce(eval: &mut Eval<'_>, question: &Question<'_>) -> Result<Deduced, Failure> {
    let mut beside = Vec::new();
    if eval.model.objective.is_some() {
        let mut best = None;
        let search = Question { most: 1, ..*question }.solutions(eval, &mut |_, solution| {
            best = Some(solution);
            Ok(false)
        })?;
        match (search.end, best) {
            (End::Stopped(stop), _) => return Ok(Deduced::Unknown(stop)),
            (_, Some(best)) => beside.extend(as_good_as(eval, &best)?),
            (_, None) => {}
        }
    }
    match shared(eval, &beside, question) {
        Ok(Some(shared)) => Ok(Deduced::Common(shared)),
        Ok(None) => Ok(Deduced::Impossible),
        Err(why::Fault::Stop(stop)) => Ok(Deduced::Unknown(stop)),
        Err(fault) => Err(why_fault(fault, eval).into()),
    }
}
