//! Answers of a ground model, one after the other, whoever finds them.
//!
//! In: an implementation of [`Answers`]. Out: what a caller took, and a [`Search`] that tells how it ended. Invariants: an answer
//! is given once; a search that says `Exhausted` has given all of them; what is called a solution has been verified.

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

/// What the next look for an answer gave.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Next {
    /// A position in its domain for every variable.
    Answer(Vec<u32>),
    Over(End),
}

/// Why a search ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// There are no further answers.
    Exhausted,
    /// As many as wanted were found.
    Enough,
    Stopped(Stop),
    /// The solver itself said that it knows no answer.
    GaveUp,
}

/// Finds answers: with an objective the best ones, else all that keep the rules. Nobody has verified them yet.
pub trait Answers {
    /// Looks for an answer that was not given yet. `eval` holds the ground model that the search was begun with.
    fn next(&mut self, eval: &mut Eval<'_>) -> Result<Next, Failure>;

    /// Called once, when the search is over: what is left to be done, such as a proof, and how the search went. The numbers of
    /// answers and the end are for the caller to fill in, unless that changes the end.
    fn finish(&mut self, eval: &mut Eval<'_>, end: End) -> Result<Search, Failure>;
}

/// Why a search that is not complete has ended.
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
    /// Variables of the formula, and how many of them are of the model's.
    pub variables: u32,
    pub named: u32,
    /// What the formula is made of.
    pub sizes: Vec<Size>,
    /// What was encoded how.
    pub choices: Vec<Choice>,
    /// That there are no further answers, if a proof was wanted.
    #[cfg(feature = "process")]
    pub proof: Option<Proof>,
}

impl Search {
    /// A search in a formula, of which nothing is known but that it ended.
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

    /// Was it ended before it was complete?
    pub fn was_cut_short(&self) -> bool {
        matches!(self.end, End::Stopped(_) | End::GaveUp)
    }
}

/// How answers are kept from coming again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// By a search for exact covers.
    Cover,
    /// By a SAT search that goes on from one to the next.
    Backtracking,
    /// By clauses that exclude them.
    Blocking,
    /// By a solver of others, that lists them itself.
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

/// Takes an answer, a position for every variable; is another wanted?
pub type Take<'t> = dyn FnMut(&mut Eval<'_>, &[u32]) -> Result<bool, Failure> + 't;

/// Answers between two reports of progress.
const REPORT_EVERY: u64 = 64;

/// Gives answers to `take` until it wants no further, `most` were found, or there are no more.
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

/// Takes a solution; is another wanted?
pub type TakeSolution<'t> = dyn FnMut(&mut Eval<'_>, Solution) -> Result<bool, Failure> + 't;

/// [`collect`], every answer verified: the first one from the source, further ones on the ground rules.
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

/// The first solution of a run is checked from the source, later ones on the ground rules.
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

/// Are all ground rules kept? The same as [`verified`] without making a drawing.
pub fn check_ground(eval: &mut Eval<'_>, positions: &[u32]) -> Result<(), Failure> {
    match eval.model.broken_within(positions, eval.budget)? {
        None => Ok(()),
        Some(at) => {
            let named = eval.instance(eval.model.rules[at].instance);
            Err(broken(NoSolution::Broken(vec![named])).into())
        }
    }
}

/// A solution that is none, as a fault.
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

/// The positions of the values that the true literals say; `who` said it.
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

/// A model that is none.
pub fn no_value(eval: &Eval<'_>, who: &str, var: usize) -> Diagnostic {
    let name = eval.var_name(crate::model::VarId(var as u32));
    Diagnostic::error(Code::SolverFailed, format!("{who} gives {name} no value, or two"))
}
