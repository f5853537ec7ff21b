//! Answers from the embedded exact cover engine.
//!
//! In: a ground model. Out: its answers, ignoring any objective; or, for a pure exact cover model, their number.

use super::answers::{Answers, End, How, Next, Search, Take, read};
use super::formula_file::Names;
use super::listener::{Listener, Progress};
use super::stages::presolved;
use super::{Encoding, Failure};
use crate::diag::{Code, Diagnostic};
use crate::encode::Lit;
use crate::encode::cnf::{self, EncodeError};
use crate::encode::symbols::WordTable;
use crate::encode::xcc::{self, Dialect, Emission, Entry};
use crate::eval::Eval;
use crate::shared::{Budget, Stop};
use crate::solve::xcc::{Chosen, Count, Engine, Halt, Next as Found, Options, PLAIN, Problem, ProblemFault};
use rustc_hash::FxHashSet;

/// Options that domain consistency may examine before the search.
const REDUCING: u64 = 1 << 24;
/// Bytes for the memoization of a count.
const REMEMBERED: usize = 1 << 28;

/// Work between two progress reports.
const SLICE: u64 = 1 << 22;

/// An exact cover search.
pub struct Cover {
    engine: Engine,
    emission: Emission,
    words: WordTable<Entry>,
    /// Covers may be the same answer; what makes them so is remembered.
    seen: Option<FxHashSet<Box<[Lit]>>>,
    /// Bytes that these take.
    held: u64,
}

impl Cover {
    pub fn new(eval: &mut Eval<'_>, encoding: &Encoding, seed: u32) -> Result<Cover, Failure> {
        let emission = encoded(eval, encoding, Dialect::Dlx3)??;
        let mut engine = engine(eval, &emission, seed)?;
        engine.reduce(eval.budget, REDUCING)?;
        let words = table(&emission);
        let seen = eval.model.answer.is_some().then(FxHashSet::default);
        Ok(Cover { engine, emission, words, seen, held: 0 })
    }
}

impl Answers for Cover {
    fn next(&mut self, eval: &mut Eval<'_>) -> Result<Next, Failure> {
        loop {
            let chosen = match self.engine.next(eval.budget) {
                Found::Exhausted => return Ok(Next::Over(End::Exhausted)),
                Found::Stopped(stop) => return Ok(Next::Over(End::Stopped(stop))),
                Found::Solution(chosen) => chosen,
            };
            let on = literals(&self.words, &self.emission, chosen, eval.budget)?;
            if let Some(seen) = &mut self.seen {
                let tells = |lit: &Lit| self.emission.answer.binary_search(lit).is_ok();
                let told: Box<[Lit]> = on.iter().copied().filter(tells).collect();
                self.held += 48 + 4 * told.len() as u64;
                if !seen.insert(told) {
                    continue;
                }
                eval.budget.hold(self.held)?;
            }
            return Ok(Next::Answer(values(&self.emission, eval, &on)?));
        }
    }

    fn finish(&mut self, _: &mut Eval<'_>, end: End) -> Result<Search, Failure> {
        let emission = &self.emission;
        let told =
            cnf::Emission { variables: emission.last, named: emission.named, ..cnf::Emission::default() };
        Ok(Search { how: How::Cover, ..Search::new(&told, emission.cover.sizes(), end) })
    }
}

/// Counts the answers of a pure exact cover model; `None` for other models. `take` gets the first one.
pub fn count(
    eval: &mut Eval<'_>,
    encoding: &Encoding,
    most: u128,
    listener: &dyn Listener,
    take: &mut Take<'_>,
) -> Result<Option<(u128, End)>, Failure> {
    if eval.model.objective.is_some() || eval.model.answer.is_some() {
        return Ok(None);
    }
    let emission = match encoded(eval, encoding, Dialect::Dlx1)? {
        Err(EncodeError::Unfit(_) | EncodeError::TooLarge(_)) => return Ok(None),
        other => other?,
    };
    let progress = Progress::start(listener, "counting");
    match engine(eval, &emission, 0)?.next(eval.budget) {
        Found::Exhausted => return Ok(Some((0, End::Exhausted))),
        Found::Stopped(stop) => return Ok(Some((0, End::Stopped(stop)))),
        Found::Solution(chosen) => {
            let on = literals(&table(&emission), &emission, chosen, eval.budget)?;
            let values = values(&emission, eval, &on)?;
            take(eval, &values)?;
        }
    }
    let mut counter = engine(eval, &emission, 0)?;
    loop {
        let Count { solutions, stopped } = counter.count(&eval.budget.slice(SLICE), most, REMEMBERED);
        let end = match stopped {
            None => End::Exhausted,
            Some(Halt::Limit) => End::Enough,
            Some(Halt::Stop(Stop::Steps { .. })) if eval.budget.check().is_ok() => {
                let share = 100.0 * counter.progress();
                progress.say(&format!("counting: {solutions} solutions, about {share:.2} % searched"));
                continue;
            }
            Some(Halt::Stop(stop)) => End::Stopped(eval.budget.check().err().unwrap_or(stop)),
        };
        return Ok(Some((solutions, end)));
    }
}

fn encoded(
    eval: &mut Eval<'_>,
    encoding: &Encoding,
    dialect: Dialect,
) -> Result<Result<Emission, EncodeError>, Stop> {
    let known = presolved(eval, encoding)?;
    let allows = |var, position| known.contradiction.is_none() && known.allows(var, position);
    let names = Names::of(eval);
    let options = encoding.cover(dialect);
    Ok(names.with(|labels| xcc::encode(&eval.model, &allows, options, eval.budget, labels)))
}

fn engine(eval: &Eval<'_>, emission: &Emission, seed: u32) -> Result<Engine, Failure> {
    let problem = problem(&emission.cover).map_err(|fault| {
        Diagnostic::error(Code::LimitExceeded, format!("the exact cover is too large: {fault}"))
    })?;
    eval.budget.check()?;
    Ok(Engine::new(&problem, &Options { seed: u64::from(seed), sharp: false }))
}

fn problem(cover: &xcc::Cover) -> Result<Problem, ProblemFault> {
    let mut problem = Problem::new();
    for item in &cover.items {
        match item.bounds {
            Some((lo, hi)) => problem.primary(item.name.as_str(), lo, hi)?,
            None => problem.secondary(item.name.as_str())?,
        };
    }
    let mut entries = Vec::new();
    for option in cover.options() {
        entries.clear();
        for entry in option {
            let colour = if entry.colour == 0 { PLAIN } else { problem.colour([entry.colour]) };
            entries.push((entry.item, colour));
        }
        problem.option(&entries)?;
    }
    Ok(problem)
}

fn table(emission: &Emission) -> WordTable<Entry> {
    WordTable::new(emission.words.iter().map(|word| (word.entries.clone(), word.lit)))
}

/// The literals that chosen options make true, ascending.
fn literals(
    table: &WordTable<Entry>,
    emission: &Emission,
    chosen: &[Chosen],
    budget: &Budget,
) -> Result<Vec<Lit>, Stop> {
    table.literals(chosen.iter().map(|chosen| emission.cover.option(chosen.option as usize)), budget)
}

fn values(emission: &Emission, eval: &Eval<'_>, on: &[Lit]) -> Result<Vec<u32>, Diagnostic> {
    read(&emission.encodings, eval, "the engine's cover", |lit| on.binary_search(&lit).is_ok())
}
