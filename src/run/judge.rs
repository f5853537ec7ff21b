//! Is a given answer a solution?
//!
//! In: values, or the conditions read from a drawing. Out: a [`Finding`]. Cheap questions come first: are the values
//! a solution; does some solution have this drawing; and only then, which rules are violated.

use super::Failure;
use super::answers::End;
use super::backbone::{disagree, why_fault};
use super::embedded::quick_engine;
use super::optimum;
use super::question::Question;
use super::reasons::Reasons;
use crate::decode::{MOST_BROKEN, NoSolution, Solution};
use crate::diag::Diagnostic;
use crate::eval::{Eval, Given, ReadDrawing};
use crate::model::{Asserted, Bool, Instance};
use crate::render::{self, Style};
use crate::shared::Budget;
use crate::why::{self, Effort, Verdict};

pub enum Finding {
    /// A solution; with an objective, its cost.
    Correct(Option<i64>),
    /// The cost of this solution, and that of a better one.
    NotBest(i64, i64),
    /// Each of these rules is violated by itself.
    Broken(Reasons),
    /// No rule is violated by itself, but no solution agrees with the drawing.
    Clash(Reasons),
    /// No solution has this drawing; with the reason, if a single place shows it.
    Unlike(Option<Diagnostic>),
    /// These have no value.
    Missing(Vec<String>),
}

/// Upper bound on the solutions whose drawings are compared with an incomplete one.
const MOST_COMPARED: u64 = 100;

/// Decisions and conflicts spent to explain an answer that is known to be wrong.
const PATIENCE: u64 = 1 << 17;

/// A given answer, and the state to check it.
pub struct Judge<'j, 'e> {
    pub eval: &'j mut Eval<'e>,
    /// How to search for solutions.
    pub question: Question<'j>,
    /// The text of the answer.
    pub text: &'j str,
    /// Are the rules in the ground model?
    pub ground: bool,
}

impl Judge<'_, '_> {
    pub fn find(&mut self, given: Given) -> Result<Finding, Failure> {
        let loaded = self.question.loaded;
        let Given { positions, missing, drawn, unread } = given;
        let is_drawing = drawn.is_some();
        let drawn = drawn.unwrap_or_default();
        if drawn.wrong.is_some() {
            return Ok(Finding::Unlike(drawn.wrong));
        }
        let mut named = Vec::new();
        if let Some(whole) = positions.iter().copied().collect::<Option<Vec<u32>>>() {
            match Solution::verify(self.eval, &whole, &loaded.without) {
                Ok(solution) => {
                    // the entries are a solution; other marks of the drawing must agree with it
                    let mut meaning = self.eval.model.under(&whole, self.eval.budget);
                    let mut fits = true;
                    for term in &drawn.terms {
                        fits &= meaning.holds(*term)?;
                    }
                    let alike = fits && (!drawn.own_layout || drawn_so(&drawn, &solution, self.text));
                    return Ok(match alike {
                        true => Finding::Correct(solution.objective()),
                        false => Finding::Unlike(None),
                    });
                }
                Err(NoSolution::Fault(fault)) => return Err(fault.into()),
                Err(NoSolution::Broken(rules)) => named = rules,
            }
        }
        if let Err(faults) = self.ground_rules() {
            // a model that cannot be ground can still be checked
            return match named.is_empty() {
                true => Err(faults),
                false => Ok(Finding::Broken(Reasons::named(named, &loaded.sources))),
            };
        }
        let whole = is_drawing && !drawn.gaps;
        if named.is_empty()
            && (whole || unread.is_some())
            && let Some(found) = self.drawn_alike(&drawn, missing.clone(), unread)?
        {
            return Ok(found);
        }
        // from here on a complete answer is known to be wrong; the rest explains why
        let wrong = whole || !named.is_empty();
        let patience = self.eval.budget.slice(PATIENCE);
        let budget = if wrong { &patience } else { self.eval.budget };
        let broken = self.broken(&positions, &drawn.terms, wrong, budget)?;
        let sources = &loaded.sources;
        if !broken.is_empty() {
            return Ok(Finding::Broken(Reasons::of(&broken, &[], &positions, self.eval, sources)?));
        }
        match (named.is_empty(), whole) {
            (false, _) => Ok(Finding::Broken(Reasons::named(named, sources))),
            (true, true) => self.clash(&positions, &drawn.terms, budget),
            (true, false) => Ok(Finding::Missing(missing)),
        }
    }

    fn ground_rules(&mut self) -> Result<(), Failure> {
        if !self.ground {
            let all = 0..self.eval.program.rules.len();
            self.eval.ground_rules(all, &self.question.loaded.without)?;
        }
        self.ground = true;
        Ok(())
    }

    /// Does a solution have this drawing? `None` if no solution satisfies the conditions read from it.
    fn drawn_alike(
        &mut self,
        drawn: &ReadDrawing,
        missing: Vec<String>,
        unread: Option<Diagnostic>,
    ) -> Result<Option<Finding>, Failure> {
        // what tells all, or is laid out in another way, is like one solution or like none
        let compared = unread.is_some() || drawn.own_layout && !drawn.whole;
        let whole = drawn.own_layout && drawn.whole;
        let (mut any, mut cost) = (false, None);
        let text = self.text;
        let most = if compared { MOST_COMPARED } else { 1 };
        let mark = self.assume(&drawn.terms);
        let asked = Question { most, ..self.question };
        let search = asked.solutions(self.eval, &mut |_, solution| {
            any = true;
            if drawn_so(drawn, &solution, text) {
                cost = Some(solution.objective());
            }
            Ok(cost.is_none())
        });
        self.eval.model.rules.truncate(mark);
        let end = search?.end;
        match (cost, end, unread) {
            (Some(None), ..) => Ok(Some(Finding::Correct(None))),
            // for the open part of the drawing the best value is assumed
            (Some(Some(cost)), ..) if drawn.whole => {
                Ok(Some(Finding::Correct(Some(self.best(&drawn.terms)?.unwrap_or(cost)))))
            }
            (Some(cost), ..) => Ok(Some(Finding::Correct(cost))),
            (None, End::Stopped(stop), _) => Err(stop.into()),
            (None, End::Exhausted, None) if !any => Ok(None),
            (None, End::Exhausted, _) if compared => Ok(Some(Finding::Unlike(None))),
            (None, ..) if whole => Ok(Some(Finding::Unlike(None))),
            (None, _, Some(fault)) => Err(fault.into()),
            (None, _, None) => Ok(Some(Finding::Missing(missing))),
        }
    }

    /// Adds conditions as rules; returns how many rules there were.
    fn assume(&mut self, terms: &[Bool]) -> usize {
        let mark = self.eval.model.rules.len();
        let instance = Instance::BOUND;
        self.eval.model.rules.extend(terms.iter().map(|what| Asserted { what: *what, instance }));
        mark
    }

    /// The best value of the objective among the solutions that satisfy these conditions; `None` without an
    /// objective.
    fn best(&mut self, terms: &[Bool]) -> Result<Option<i64>, Failure> {
        self.eval.ground_outputs()?;
        let mark = self.assume(terms);
        let mut best = None;
        let one = Question { most: 1, ..self.question };
        let search = one.solutions(self.eval, &mut |_, solution| {
            best = solution.objective();
            Ok(false)
        });
        self.eval.model.rules.truncate(mark);
        match (best, search?.end) {
            (None, End::Stopped(stop)) => Err(stop.into()),
            (best, _) => Ok(best),
        }
    }

    /// Is a solution with this objective value the best one?
    pub fn optimal(&mut self, value: i64) -> Result<Finding, Failure> {
        self.ground_rules()?;
        self.eval.ground_outputs()?;
        let Some(objective) = self.eval.model.objective else { return Ok(Finding::Correct(Some(value))) };
        let bound = optimum::cost_at_most(self.eval, objective, objective.cost(value) - 1)?;
        let best = self.best(&[bound])?;
        Ok(best.map_or(Finding::Correct(Some(value)), |best| Finding::NotBest(value, best)))
    }

    /// The rules that each cannot hold by itself.
    fn broken(
        &mut self,
        positions: &[Option<u32>],
        beside: &[Bool],
        wrong: bool,
        budget: &Budget,
    ) -> Result<Vec<usize>, Failure> {
        let options = self.question.encoding.options;
        let many = self.eval.model.rules.len();
        let engine = move || quick_engine(many, 0);
        let model = &mut self.eval.model;
        match why::broken(model, positions, beside, MOST_BROKEN, options, &engine, budget) {
            Ok(broken) => Ok(broken),
            // it is known to be wrong even without these rules
            Err(why::Fault::Stop(_)) if wrong => Ok(Vec::new()),
            Err(fault) => Err(why_fault(fault, self.eval).into()),
        }
    }

    /// Which rules cannot hold together with the drawing?
    fn clash(
        &mut self,
        positions: &[Option<u32>],
        drawn: &[Bool],
        budget: &Budget,
    ) -> Result<Finding, Failure> {
        let all: Vec<usize> = (0..self.eval.model.rules.len()).collect();
        let mut engine = quick_engine(all.len(), 0);
        let (options, effort) = (self.question.encoding.options, Effort::default());
        let model = &self.eval.model;
        match why::clash(model, &all, drawn, options, &mut *engine, effort, budget, &mut |_| ()) {
            Ok(Verdict::Clash(clash)) => {
                let reasons =
                    Reasons::of(&clash.rules, &[], positions, self.eval, &self.question.loaded.sources)?;
                Ok(Finding::Clash(reasons))
            }
            Ok(Verdict::Holds(_)) => Err(disagree()),
            Err(why::Fault::Stop(_)) => Ok(Finding::Unlike(None)),
            Err(fault) => Err(why_fault(fault, self.eval).into()),
        }
    }
}

/// Is the text a drawing of `solution`, which satisfies the conditions read from it?
fn drawn_so(drawn: &ReadDrawing, solution: &Solution, text: &str) -> bool {
    // corners and line segments are not conditions
    drawn.whole && !drawn.lines || is_drawn(solution, text)
}

/// Is the text a drawing of the solution, in either style? The weight of lines is ignored.
fn is_drawn(solution: &Solution, text: &str) -> bool {
    let lines = |text: &str| -> Vec<String> {
        let lines = text.lines().map(|line| line.trim_end().chars().map(render::light).collect());
        lines.filter(|line: &String| !line.is_empty()).collect()
    };
    let drawn = |style: Style| -> String {
        solution.drawings().iter().map(|drawing| render::text(drawing, style)).collect()
    };
    let wanted = lines(text);
    lines(&drawn(Style { ascii: false })) == wanted
        || lines(&render::plain(&drawn(Style { ascii: true }))) == lines(&render::plain(text))
}
