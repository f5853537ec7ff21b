//! Optimisation with formulas that have no objective: a sequence of searches, each bounded to improve on the last
//! answer.
//!
//! In: a function that starts a search for answers of a model, and its objective. Out: the best answers, proven
//! optimal; or the best found when the time was over. The bound is a rule of the model, so no other module has to
//! support it.

use super::Failure;
use super::answers::{Answers, End, Next, Search, check_ground};
use crate::diag::{Code, Diagnostic};
use crate::eval::Eval;
use crate::model::{Asserted, Bool, Instance, Objective};

/// Starts a search for at most this many answers.
pub type Begin<'q> = dyn FnMut(&mut Eval<'_>, u64) -> Result<Box<dyn Answers + 'q>, Failure> + 'q;

/// Finds the best answers by searches without an objective.
pub struct Descent<'q> {
    begin: Box<Begin<'q>>,
    objective: Objective,
    most: u64,
    /// The upper bound on the cost of answers, as a condition.
    bound: Option<Bool>,
    best: Option<(i128, Vec<u32>)>,
    /// The result of the last search.
    last: Option<Search>,
    /// Lists the answers that are as good as the best.
    listing: Option<Box<dyn Answers + 'q>>,
    found: u64,
    over: Option<End>,
}

/// The answers of the searches that `begin` starts; with an objective, only the best.
pub fn best<'q>(
    eval: &mut Eval<'_>,
    most: u64,
    mut begin: Box<Begin<'q>>,
) -> Result<Box<dyn Answers + 'q>, Failure> {
    let Some(objective) = eval.model.objective else { return begin(eval, most) };
    Ok(Box::new(Descent {
        begin,
        objective,
        most,
        bound: None,
        best: None,
        last: None,
        listing: None,
        found: 0,
        over: None,
    }))
}

impl Descent<'_> {
    /// Calls `call` with a model that has the bound as a rule, and no objective.
    fn bounded<T>(
        &mut self,
        eval: &mut Eval<'_>,
        call: impl FnOnce(&mut Self, &mut Eval<'_>) -> Result<T, Failure>,
    ) -> Result<T, Failure> {
        let rules = eval.model.rules.len();
        if let Some(what) = self.bound {
            eval.model.rules.push(Asserted { what, instance: Instance::BOUND });
        }
        eval.model.objective = None;
        let result = call(self, eval);
        eval.model.objective = Some(self.objective);
        eval.model.rules.truncate(rules);
        result
    }

    /// Searches for one answer within the bound.
    fn ask(&mut self, eval: &mut Eval<'_>) -> Result<(Option<Vec<u32>>, Search), Failure> {
        self.bounded(eval, |descent, eval| {
            let mut answers = (descent.begin)(eval, 1)?;
            match answers.next(eval)? {
                Next::Over(end) => Ok((None, answers.finish(eval, end)?)),
                Next::Answer(positions) => {
                    // a solver that violates the bound would be called for ever
                    check_ground(eval, &positions)?;
                    Ok((Some(positions), answers.finish(eval, End::Enough)?))
                }
            }
        })
    }

    /// Lowers the bound as far as possible. Afterwards `listing` lists the best answers, or the search is over.
    fn descend(&mut self, eval: &mut Eval<'_>) -> Result<(), Failure> {
        let search = loop {
            let (answer, search) = self.ask(eval)?;
            let Some(positions) = answer else { break search };
            let cost = eval.model.cost(self.objective, &positions, eval.budget)?;
            self.best = Some((cost, positions));
            self.bound = Some(cost_at_most(eval, self.objective, cost - 1)?);
        };
        let end = search.end;
        self.last = Some(search);
        match &self.best {
            Some((cost, _)) if end == End::Exhausted => {
                self.bound = Some(cost_at_most(eval, self.objective, *cost)?);
                let begun = self.bounded(eval, |descent, eval| (descent.begin)(eval, descent.most))?;
                self.listing = Some(begun);
            }
            _ => self.over = Some(end),
        }
        Ok(())
    }
}

impl Answers for Descent<'_> {
    fn next(&mut self, eval: &mut Eval<'_>) -> Result<Next, Failure> {
        if self.over.is_none() && self.listing.is_none() {
            self.descend(eval)?;
        }
        if let Some(mut listing) = self.listing.take() {
            let next = self.bounded(eval, |_, eval| listing.next(eval));
            self.listing = Some(listing);
            match next? {
                Next::Over(end) => self.over = Some(end),
                answer => {
                    self.found += 1;
                    return Ok(answer);
                }
            }
        }
        // the best is known, but the listing may have had no time to find it again
        match (self.found, &self.best) {
            (0, Some((_, positions))) => {
                self.found = 1;
                Ok(Next::Answer(positions.clone()))
            }
            _ => Ok(Next::Over(self.over.unwrap_or(End::Exhausted))),
        }
    }

    fn finish(&mut self, eval: &mut Eval<'_>, end: End) -> Result<Search, Failure> {
        let Some(last) = self.last.take() else {
            let search = (self.begin)(eval, self.most)?.finish(eval, end)?;
            return Ok(search);
        };
        let Some(mut listing) = self.listing.take() else {
            // while the answer may not be the best, `Enough` is not the end
            return Ok(Search { end: self.over.unwrap_or(end), ..last });
        };
        let search = self.bounded(eval, |_, eval| listing.finish(eval, end))?;
        // the proof that nothing is better, unless there is one that no other answer is as good
        #[cfg(feature = "process")]
        let search = Search { proof: search.proof.or(last.proof), ..search };
        Ok(Search { optimal: true, ..search })
    }
}

/// "The cost is at most `bound`".
pub fn cost_at_most(eval: &mut Eval<'_>, objective: Objective, bound: i128) -> Result<Bool, Diagnostic> {
    let fault = |_| Diagnostic::error(Code::NumberTooLarge, "the objective leaves 64 bits");
    eval.model.cost_at_most(objective, bound).map_err(fault)
}
