//! Answers of many instances from one formula: the common rules are encoded once, the rules of an instance are
//! assumptions.
//!
//! In: a ground model whose first rules are the common ones. Out: for each instance, its answers. Graph constraints
//! must be among the common rules, because an engine cannot drop them.

use super::Failure;
use super::answers::{Answers, End, Next, Search};
use super::embedded::{Clauses, read_model};
use super::question::Question;
use super::stages::presolved;
use crate::encode::Lit;
use crate::eval::Eval;
use crate::model::Bool;
use crate::solve::embedded::{Cutting, EngineAnswer, Quick, SatEngine};

/// The common rules, encoded in an engine.
pub struct Common {
    engine: Cutting<Box<dyn SatEngine>>,
    clauses: Clauses,
    contradiction: bool,
    /// The number of common rules.
    rules: usize,
}

impl Common {
    /// Encodes the first `rules` rules.
    pub fn new(question: &Question<'_>, eval: &mut Eval<'_>, rules: usize) -> Result<Common, Failure> {
        let own = eval.model.rules.split_off(rules);
        let common = Common::encoded(question, eval);
        eval.model.rules.extend(own);
        common
    }

    fn encoded(question: &Question<'_>, eval: &Eval<'_>) -> Result<Common, Failure> {
        let mut engine: Box<dyn SatEngine> = Box::new(Quick::new(question.seed));
        let known = presolved(eval, question.encoding)?;
        let contradiction = known.contradiction.is_some();
        let clauses = Clauses::give(eval, &known, question.encoding.options.lazily(), &mut *engine)?;
        let engine = Cutting::new(engine, &clauses.emission.lazy);
        Ok(Common { engine, clauses, contradiction, rules: eval.model.rules.len() })
    }
}

/// The answers that also satisfy the other rules of the model.
pub struct Assumed<'c> {
    common: &'c mut Common,
    /// `None` if they are contradictory.
    assumptions: Option<Vec<Lit>>,
    /// The guard of the blocking clauses.
    guard: Option<Lit>,
    /// Was the engine's current model already returned?
    given: bool,
}

impl<'c> Assumed<'c> {
    pub fn new(common: &'c mut Common, eval: &Eval<'_>) -> Result<Assumed<'c>, Failure> {
        let own: Vec<Bool> = eval.model.rules[common.rules..].iter().map(|rule| rule.what).collect();
        let encoder = &mut common.clauses.encoder;
        let assumptions = encoder.with(&eval.model, &mut common.engine, eval.budget).literals_of(&own)?;
        let assumptions = assumptions.filter(|_| !common.contradiction);
        Ok(Assumed { common, assumptions, guard: None, given: false })
    }

    /// Excludes the last answer.
    fn exclude(&mut self, eval: &Eval<'_>) -> Result<(), Failure> {
        let Common { engine, clauses, .. } = &mut *self.common;
        let mut clause: Vec<Lit> = Vec::with_capacity(clauses.emission.answer.len() + 1);
        for lit in &clauses.emission.answer {
            clause.push(if engine.value(*lit) { -lit } else { *lit });
        }
        let mut ctx = clauses.encoder.with(&eval.model, engine, eval.budget);
        let guard = match self.guard {
            Some(guard) => guard,
            None => {
                let guard = ctx.fresh()?;
                self.assumptions.get_or_insert_default().push(guard);
                *self.guard.insert(guard)
            }
        };
        clause.push(-guard);
        ctx.clause(&clause);
        Ok(())
    }
}

impl Answers for Assumed<'_> {
    fn next(&mut self, eval: &mut Eval<'_>) -> Result<Next, Failure> {
        if std::mem::take(&mut self.given) {
            self.exclude(eval)?;
        }
        let Some(assumptions) = &self.assumptions else { return Ok(Next::Over(End::Exhausted)) };
        let Common { engine, clauses, .. } = &mut *self.common;
        Ok(match engine.solve(assumptions, eval.budget) {
            EngineAnswer::Unsat => Next::Over(End::Exhausted),
            EngineAnswer::Unknown(stop) => Next::Over(End::Stopped(stop)),
            EngineAnswer::Sat => {
                self.given = true;
                Next::Answer(read_model(&clauses.emission, eval, engine)?)
            }
        })
    }

    fn finish(&mut self, eval: &mut Eval<'_>, end: End) -> Result<Search, Failure> {
        let Common { engine, clauses, .. } = &mut *self.common;
        if let Some(guard) = self.guard {
            // later instances are not affected
            clauses.encoder.with(&eval.model, engine, eval.budget).clause(&[-guard]);
        }
        let own = self.assumptions.as_ref().map_or(0, Vec::len) as u64;
        Ok(Search::new(&clauses.emission, vec![("clauses", clauses.number + own)], end))
    }
}
