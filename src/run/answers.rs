//! Answers of a ground model, one after the other, from any engine or solver.
//!
//! In: an implementation of [`Answers`]. Out: the answers that a caller took, and a [`Search`] that records how the
//! search ended. Invariants: each answer is given once; a search that ends with `Exhausted` has given all of them;
//! every [`Solution`] is verified.

use super::Failure;
use super::listener::Progress;
#[cfg(feature = "process")]
use super::proof::Proof;
use crate::decode::{Decoded, NoSolution, Solution, positions};
use crate::diag::{Code, Diagnostic};
use crate::encode::cnf::{Choice, Emission};
use crate::encode::symbols::Encoding;
use crate::encode::{Lit, Size};
use crate::eval::{Eval, Named, Without};
use crate::shared::Stop;

/// The result of looking for the next answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// A domain position for every variable.
    Answer(Vec<u32>),
    Over(End),
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// There are no further answers.
    Exhausted,
    /// The requested number of answers was found.
    Enough,
    Stopped(Stop),
    /// The solver itself gave up.
    GaveUp,
}

/// A source of answers: with an objective the best ones, else all that satisfy the rules. They are not verified yet.
pub trait Answers {
    /// Looks for a new answer. `eval` holds the ground model that the search was started with.
    fn next(&mut self, eval: &mut Eval<'_>) -> Result<Next, Failure>;

    /// Called once, at the end of the search: does the remaining work, such as a proof, and reports how the search
    /// went. The caller fills in the number of answers, and the end unless that remaining work changed it.
    fn finish(&mut self, eval: &mut Eval<'_>, end: End) -> Result<Search, Failure>;
}

/// Why a search that is not complete has ended.
#[cfg(feature = "process")]
pub fn unfinished(eval: &Eval<'_>) -> End {
    eval.budget.check().map_or_else(End::Stopped, |()| End::GaveUp)
}

/// How a search went.
pub struct Search {
    /// Answers that were taken.
    pub found: u64,
    pub end: End,
    /// With an objective: proven that nothing is better.
    pub optimal: bool,
    pub how: How,
    /// The solver, if it was not an embedded engine.
    pub by: Option<String>,
    /// Variables of the formula, and how many of them encode variables of the model.
    pub variables: u32,
    pub named: u32,
    /// The sizes of the formula.
    pub sizes: Vec<Size>,
    /// The encodings that were chosen.
    pub choices: Vec<Choice>,
    /// A proof that there are no further answers, if one was requested.
    #[cfg(feature = "process")]
    pub proof: Option<Proof>,
}

impl Search {
    /// A search in a formula, with its end; the rest is unknown.
    pub fn new(emission: &Emission, sizes: Vec<Size>, end: End) -> Search {
        Search {
            found: 0,
            end,
            optimal: false,
            how: How::Blocking,
            by: None,
            variables: emission.variables,
            named: emission.named,
            sizes,
            choices: emission.choices.clone(),
            #[cfg(feature = "process")]
            proof: None,
        }
    }

    /// Did it end before it was complete?
    pub fn was_cut_short(&self) -> bool {
        matches!(self.end, End::Stopped(_) | End::GaveUp)
    }
}

/// How repeated answers are prevented.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// By an exact cover search.
    Cover,
    /// By a SAT search that continues from one model to the next.
    Backtracking,
    /// By blocking clauses.
    Blocking,
    /// By an external solver that lists all answers.
    Listing,
}

impl How {
    pub fn name(self) -> &'static str {
        match self {
            How::Cover => "exact cover",
            How::Backtracking => "backtracking",
            How::Blocking => "blocking clauses",
            How::Listing => "listing",
        }
    }
}

/// Consumes an answer, a position for every variable; returns whether another is wanted.
pub type Take<'t> = dyn FnMut(&mut Eval<'_>, &[u32]) -> Result<bool, Failure> + 't;

/// Answers between two progress reports.
const REPORT_EVERY: u64 = 64;

/// Passes answers to `take` until it returns false, `most` were found, or there are no more.
pub fn collect(
    answers: &mut dyn Answers,
    eval: &mut Eval<'_>,
    most: u64,
    progress: &Progress<'_>,
    take: &mut Take<'_>,
) -> Result<Search, Failure> {
    let mut found = 0;
    let end = loop {
        let positions = match answers.next(eval)? {
            Next::Over(end) => break end,
            Next::Answer(positions) => positions,
        };
        found += 1;
        if found % REPORT_EVERY == 0 {
            progress.say(&format!("{found} solutions"));
        }
        if !take(eval, &positions)? || found >= most {
            break End::Enough;
        }
    };
    Ok(Search { found, ..answers.finish(eval, end)? })
}

/// Consumes a solution; returns whether another is wanted.
pub type TakeSolution<'t> = dyn FnMut(&mut Eval<'_>, Solution) -> Result<bool, Failure> + 't;

/// Like [`collect`], with every answer verified: the first one from the source, later ones on the ground rules.
pub fn solutions(
    answers: &mut dyn Answers,
    eval: &mut Eval<'_>,
    most: u64,
    without: &Without,
    progress: &Progress<'_>,
    take: &mut TakeSolution<'_>,
) -> Result<Search, Failure> {
    let mut first = true;
    collect(answers, eval, most, progress, &mut |eval, positions| {
        let solution = verified(eval, positions, without, std::mem::take(&mut first))?;
        take(eval, solution)
    })
}

/// Verifies an answer: the first one of a run from the source, later ones on the ground rules.
pub fn verified(
    eval: &mut Eval<'_>,
    positions: &[u32],
    without: &Without,
    first: bool,
) -> Result<Solution, Diagnostic> {
    let result = match first {
        true => Solution::verify(eval, positions, without),
        false => Solution::verify_ground(eval, positions),
    };
    result.map_err(broken)
}

/// Do the values satisfy all ground rules? The same check as [`verified`], without a drawing.
pub fn check_ground(eval: &mut Eval<'_>, positions: &[u32]) -> Result<(), Failure> {
    match eval.model.broken_within(positions, eval.budget)? {
        None => Ok(()),
        Some(at) => {
            let named = eval.instance(eval.model.rules[at].instance);
            Err(broken(NoSolution::Broken(vec![named])).into())
        }
    }
}

/// The diagnostic for an answer that is not a solution.
pub fn broken(no: NoSolution) -> Diagnostic {
    match no {
        NoSolution::Fault(fault) => fault,
        NoSolution::Broken(rules) => {
            let mut fault = Diagnostic::error(Code::RuleBroken, "the answer breaks a rule of the model");
            for Named { label, span, .. } in &rules {
                let label = if label.is_empty() { "this rule".to_string() } else { label.clone() };
                fault = fault.at(*span, format!("broken: {label}"));
            }
            fault
        }
    }
}

/// Decodes the true literals into positions; `who` names the engine or solver for messages.
pub fn read(
    encodings: &[Encoding],
    eval: &Eval<'_>,
    who: &str,
    is_true: impl FnMut(Lit) -> bool,
) -> Result<Vec<u32>, Diagnostic> {
    match positions(encodings, is_true) {
        Ok(Decoded(values)) => Ok(values),
        Err(var) => Err(no_value(eval, who, var)),
    }
}

/// The diagnostic for a model that gives a variable no value, or two.
pub fn no_value(eval: &Eval<'_>, who: &str, var: usize) -> Diagnostic {
    let name = eval.var_name(crate::model::VarId(var as u32));
    Diagnostic::error(Code::SolverFailed, format!("{who} gives {name} no value, or two"))
}
