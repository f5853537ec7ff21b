//! Answers from an embedded SAT engine.
//!
//! In: a ground model. Out: its answers, with an objective the best ones. Graph constraints that the clauses omit are
//! lazy constraints of the engine.

use super::answers::{Answers, End, How, Next, Search, read};
use super::failure::encode_fault;
use super::stages::presolved;
use super::{Encoding, Failure};
use crate::certify;
use crate::diag::{Code, Diagnostic};
use crate::encode::cnf::{self, Emission, Encoder, Options};
use crate::encode::cuts::{Cut, Lazy};
use crate::encode::{Counted, Lit};
use crate::eval::{Eval, stop_diagnostic};
use crate::model::presolve::Presolved;
use crate::model::{Model, Objective};
use crate::shared::Budget;
use crate::solve::embedded::{
    self, Cutting, Enumerator, Keep, Next as Found, Objective as _, Optimum, SatEngine,
};

/// Up to this number of rule instances, `Quick` answers many short questions faster.
const MOST_RULES_OF_QUICK: usize = 20_000;

/// An engine for many short questions about a model with `rules` rule instances.
pub fn quick_engine(rules: usize, seed: u32) -> Box<dyn SatEngine> {
    match rules <= MOST_RULES_OF_QUICK {
        true => Box::new(embedded::Quick::new(seed)),
        false => embedded::engine(seed),
    }
}

/// The engine for `most` answers. One answer: the strongest engine. Many answers: the one that lists them without
/// blocking clauses. Areas and many graphs: the one with theory propagation; for few graphs, cuts from whole models
/// suffice.
pub fn engine_for(eval: &Eval<'_>, most: u64, seed: u32) -> Box<dyn SatEngine> {
    let many = most > 2 && eval.model.objective.is_none();
    match many || eval.model.arena.is_about_graphs() {
        true => quick_engine(eval.model.rules.len(), seed),
        false => embedded::engine(seed),
    }
}

/// Clauses that an engine holds, and the encoder for further clauses of the same model.
pub struct Clauses {
    pub encoder: Encoder,
    pub emission: Emission,
    /// The number of clauses.
    pub number: u64,
}

impl Clauses {
    /// Adds the clauses of a model, with facts of presolve, to an engine.
    pub fn give(
        eval: &Eval<'_>,
        known: &Presolved,
        options: Options,
        engine: &mut dyn SatEngine,
    ) -> Result<Clauses, Failure> {
        let budget = eval.budget;
        let allows = |var, position| known.contradiction.is_some() || known.allows(var, position);
        let mut counted = Counted::new(engine, budget);
        let encoded = cnf::encode(&eval.model, &allows, options, budget, &mut counted, &|_| String::new());
        let number = counted.clauses()?;
        let (encoder, emission) = encoded?;
        Ok(Clauses { encoder, emission, number })
    }
}

/// A search with an embedded engine.
pub struct Embedded {
    engine: Cutting<Box<dyn SatEngine>>,
    clauses: Clauses,
    seed: u32,
    check_cuts: bool,
    state: State,
    /// With an objective: proven that nothing is better.
    optimal: bool,
    how: How,
}

enum State {
    NotBegun,
    Listing(Enumerator),
    Over(End),
}

impl Embedded {
    /// Encodes; `most` is the number of answers wanted.
    pub fn new(eval: &Eval<'_>, encoding: &Encoding, seed: u32, most: u64) -> Result<Embedded, Failure> {
        let known = presolved(eval, encoding)?;
        let mut engine = engine_for(eval, most, seed);
        let clauses = Clauses::give(eval, &known, encoding.options.lazily(), &mut *engine)?;
        let mut engine = Cutting::new(engine, &clauses.emission.lazy);
        if encoding.check_cuts {
            engine.keep_cuts(Keep::All);
        }
        let state = match known.contradiction {
            Some(_) => State::Over(End::Exhausted),
            None => State::NotBegun,
        };
        let check_cuts = encoding.check_cuts;
        Ok(Embedded { engine, clauses, seed, check_cuts, state, optimal: false, how: How::Blocking })
    }

    /// Finds the best answer first, if there is an objective.
    fn begin(&mut self, eval: &Eval<'_>) -> Result<Option<Next>, Failure> {
        let mut assumptions = Vec::new();
        if let Some(objective) = eval.model.objective {
            let Clauses { encoder, emission, .. } = &mut self.clauses;
            let mut goal = Goal { encoder, eval, objective, emission, best: Vec::new() };
            let over = match embedded::minimize(&mut self.engine, &[], &mut goal, eval.budget)? {
                Optimum::Unsatisfiable => Some((None, End::Exhausted)),
                Optimum::Unknown(stop) => Some((None, End::Stopped(stop))),
                Optimum::Best(_, stop) => Some((Some(std::mem::take(&mut goal.best)), End::Stopped(stop))),
                Optimum::Optimal(cost) => {
                    self.optimal = true;
                    assumptions.push(goal.at_most(&mut self.engine, cost)?);
                    None
                }
            };
            if let Some((best, end)) = over {
                self.state = State::Over(end);
                return Ok(Some(best.map_or(Next::Over(end), Next::Answer)));
            }
        }
        self.state = State::Listing(Enumerator::new(self.clauses.emission.answer.clone(), &assumptions));
        Ok(None)
    }
}

impl Answers for Embedded {
    fn next(&mut self, eval: &mut Eval<'_>) -> Result<Next, Failure> {
        if matches!(self.state, State::NotBegun)
            && let Some(next) = self.begin(eval)?
        {
            return Ok(next);
        }
        let enumerator = match &mut self.state {
            State::Listing(enumerator) => enumerator,
            State::Over(end) => return Ok(Next::Over(*end)),
            State::NotBegun => return Ok(Next::Over(End::Exhausted)),
        };
        let found = enumerator.next(&mut self.engine, eval.budget);
        if enumerator.is_native() {
            self.how = How::Backtracking;
        }
        Ok(match found {
            Found::Exhausted => Next::Over(End::Exhausted),
            Found::Stopped(stop) => Next::Over(End::Stopped(stop)),
            Found::Answer => Next::Answer(read_model(&self.clauses.emission, eval, &mut self.engine)?),
        })
    }

    fn finish(&mut self, eval: &mut Eval<'_>, end: End) -> Result<Search, Failure> {
        if self.check_cuts {
            check_cuts(&self.clauses.emission.lazy, &self.engine.take_cuts(), self.seed, eval.budget)?;
        }
        // while the answer may not be the best, `Enough` is not the end
        let end = if let State::Over(end) = self.state { end } else { end };
        let sizes = vec![("clauses", self.clauses.number)];
        let search = Search::new(&self.clauses.emission, sizes, end);
        Ok(Search { optimal: self.optimal, how: self.how, ..search })
    }
}

/// The positions of the values in an engine's current model.
pub fn read_model(
    emission: &Emission,
    eval: &Eval<'_>,
    engine: &mut dyn SatEngine,
) -> Result<Vec<u32>, Diagnostic> {
    read(&emission.encodings, eval, "the engine's model", |lit| engine.value(lit))
}

/// Checks that each cut follows from its graph; if one does not, rebus has a bug.
fn check_cuts(lazy: &[Lazy], cuts: &[(usize, Cut)], seed: u32, budget: &Budget) -> Result<(), Failure> {
    let graphs: Vec<certify::Graph> = lazy.iter().map(Lazy::graph).collect();
    let mut checkers = certify::Checkers::new(&graphs);
    for (graph, cut) in cuts {
        budget.check()?;
        let cut = certify::Cut { graph: *graph, rule: cut.rule.to_owned(), lits: cut.lits.clone() };
        if let Err(fault) = checkers.check(&cut) {
            let message = format!("what the engine learned about a graph, `{cut}`, {fault}");
            let version = env!("CARGO_PKG_VERSION");
            return Err(Diagnostic::error(Code::SolverFailed, message)
                .note("no answer of this run is to be trusted")
                .help(format!("please report it: rebus {version}, seed {seed}, the model and its data"))
                .into());
        }
    }
    Ok(())
}

/// The objective as a cost to be minimised.
struct Goal<'a, 'p> {
    encoder: &'a mut Encoder,
    eval: &'a Eval<'p>,
    objective: Objective,
    emission: &'a Emission,
    /// The cheapest model so far.
    best: Vec<u32>,
}

impl embedded::Objective<Diagnostic> for Goal<'_, '_> {
    fn cost(&mut self, engine: &mut dyn SatEngine) -> Result<i128, Diagnostic> {
        self.best = read_model(self.emission, self.eval, engine)?;
        let model: &Model = &self.eval.model;
        model.cost(self.objective, &self.best, self.eval.budget).map_err(stop_diagnostic)
    }

    fn at_most(&mut self, engine: &mut dyn SatEngine, bound: i128) -> Result<Lit, Diagnostic> {
        let mut ctx = self.encoder.with(&self.eval.model, engine, self.eval.budget);
        ctx.cost_at_most(self.objective, bound).map_err(encode_fault)
    }
}
