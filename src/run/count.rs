//! The number of solutions, and who counted them.

use super::answers::{End, How, broken, check_ground};
#[cfg(feature = "process")]
use super::counter;
#[cfg(feature = "process")]
use super::proof::Proof;
use super::question::{Engine, Question};
use super::{Failure, cover};
use crate::decode::Solution;
use crate::eval::Eval;

/// Which solutions were verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Checked {
    All,
    First,
    None,
    /// There was no solution to verify.
    Nothing,
}

impl Checked {
    pub fn name(self) -> &'static str {
        match self {
            Checked::All => "all",
            Checked::First => "first",
            Checked::None | Checked::Nothing => "none",
        }
    }
}

/// A number of solutions.
pub struct Number {
    /// Decimal digits.
    pub digits: String,
    pub end: End,
    /// False for an estimate.
    pub exact: bool,
    /// The external program that counted; `None` is rebus itself.
    pub by: Option<String>,
    pub method: &'static str,
    pub checked: Checked,
    /// With an objective: proven that nothing is better.
    pub optimal: bool,
    /// A proof that there are no others, if one was requested.
    #[cfg(feature = "process")]
    pub proof: Option<Proof>,
}

impl Number {
    /// The number as far as `limit`, and whether there are more, where `limit` and one more were looked for.
    pub fn up_to(&self, limit: Option<u64>) -> (String, bool) {
        let over = limit
            .map(|limit| limit.to_string())
            .filter(|limit| self.exact && (self.digits.len(), &self.digits) > (limit.len(), limit));
        match over {
            Some(limit) => (limit, true),
            None => (self.digits.clone(), false),
        }
    }

    fn of(digits: String, end: End, method: &'static str, checked: Checked) -> Number {
        Number {
            checked: if digits == "0" && checked != Checked::None { Checked::Nothing } else { checked },
            digits,
            end,
            exact: true,
            by: None,
            method,
            optimal: false,
            #[cfg(feature = "process")]
            proof: None,
        }
    }
}

/// Counts the solutions of a ground model, at most `question.most`. With `covers`, a pure exact cover puzzle may be
/// counted by the exact cover engine, which verifies only the first solution.
pub fn count(eval: &mut Eval<'_>, question: &Question<'_>, covers: bool) -> Result<Number, Failure> {
    #[cfg(feature = "process")]
    if let Engine::Solver(solver) = question.engine
        && solver.counts()
    {
        let count = counter::count(solver, question.encoding, question.listener, eval)?;
        let end = match &count {
            Some(_) => End::Exhausted,
            None => super::answers::unfinished(eval),
        };
        let (digits, exact) = count.map_or(("0".to_owned(), true), |count| (count.number, count.exact));
        let by = Some(solver.name.clone());
        return Ok(Number { exact, by, ..Number::of(digits, end, "model counter", Checked::None) });
    }
    let without = &question.loaded.without;
    let mut first = true;
    let mut check = |eval: &mut Eval<'_>, positions: &[u32]| {
        match std::mem::take(&mut first) {
            true => drop(Solution::verify(eval, positions, without).map_err(broken)?),
            false => check_ground(eval, positions)?,
        }
        Ok(true)
    };
    if covers && matches!(question.engine, Engine::Sat | Engine::Cover) {
        let most = if question.most == u64::MAX { u128::MAX } else { u128::from(question.most) };
        let counted = cover::count(eval, question.encoding, most, question.listener, &mut check)?;
        if let Some((found, end)) = counted {
            return Ok(Number::of(found.to_string(), end, How::Cover.name(), Checked::First));
        }
    }
    let search = question.answers(eval, &mut check)?;
    Ok(Number {
        by: search.by,
        optimal: search.optimal,
        #[cfg(feature = "process")]
        proof: search.proof,
        ..Number::of(search.found.to_string(), search.end, search.how.name(), Checked::All)
    })
}
