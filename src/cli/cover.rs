//! Searching with the embedded engine for exact covers.

use super::args::EncodingArgs;
use super::emit::Names;
use super::progress::Progress;
use super::session::{self, End, Search, Take};
use crate::decode::{Decoded, positions};
use crate::diag::{Code, Diagnostic};
use crate::encode::Lit;
use crate::encode::cnf::{self, EncodeError};
use crate::encode::xcc::{self, Cover, Dialect, Emission, Entry};
use crate::eval::{Eval, stop_diagnostic};
use crate::solve::xcc::{Chosen, Engine, Halt, Next, Options, PLAIN, Problem, ProblemFault};
use rustc_hash::{FxHashMap, FxHashSet};

/// Looks at options that reducing may take before the search.
const REDUCING: u64 = 1 << 24;
/// Bytes in which a count may remember what it counted.
const REMEMBERED: usize = 1 << 28;

/// Searches answers, whatever an objective is; `take` has the positions of every one until it says false.
pub fn search(
    eval: &mut Eval<'_>,
    encoding: &EncodingArgs,
    seed: u32,
    most: u64,
    take: &mut Take<'_>,
) -> Result<Search, Diagnostic> {
    let progress = Progress::start("encoding");
    let emission = encoded(eval, encoding, Dialect::Dlx3)?.map_err(session::encode_fault)?;
    let (mut engine, mut search) = prepared(eval, &emission, seed)?;
    progress.say("solving".into());
    engine.reduce(eval.budget, REDUCING).map_err(stop_diagnostic)?;
    let words = Words::of(&emission);
    // covers may be the same answer; what makes them so is remembered
    let same = eval.model.answer.is_some();
    let mut seen: FxHashSet<Box<[Lit]>> = FxHashSet::default();
    let mut held = 0;
    loop {
        match engine.next(eval.budget) {
            Next::Exhausted => return Ok(search),
            Next::Stopped(stop) => {
                search.end = End::Stopped(stop);
                return Ok(search);
            }
            Next::Solution(chosen) => {
                let on = words.literals(&emission, chosen);
                if same {
                    let tells = |lit: &Lit| emission.answer.binary_search(lit).is_ok();
                    let told: Box<[Lit]> = on.iter().copied().filter(tells).collect();
                    held += 48 + 4 * told.len() as u64;
                    if !seen.insert(told) {
                        continue;
                    }
                    eval.budget.hold(held).map_err(stop_diagnostic)?;
                }
                let values = read(&emission, &on)?;
                search.found += 1;
                if !take(eval, &values)? || search.found >= most {
                    search.end = End::Enough;
                    return Ok(search);
                }
            }
        }
    }
}

/// Counts the answers of a model that is covering and nothing else; `None` for others. The first one is given to `take`.
pub fn count(
    eval: &mut Eval<'_>,
    encoding: &EncodingArgs,
    most: u64,
    take: &mut Take<'_>,
) -> Result<Option<(u128, End)>, Diagnostic> {
    if eval.model.objective.is_some() || eval.model.answer.is_some() {
        return Ok(None);
    }
    let emission = match encoded(eval, encoding, Dialect::Dlx1)? {
        Err(EncodeError::Unfit(_) | EncodeError::TooLarge(_)) => return Ok(None),
        other => other.map_err(session::encode_fault)?,
    };
    let _progress = Progress::start("counting");
    let (mut engine, _) = prepared(eval, &emission, 0)?;
    match engine.next(eval.budget) {
        Next::Exhausted => return Ok(Some((0, End::Exhausted))),
        Next::Stopped(stop) => return Ok(Some((0, End::Stopped(stop)))),
        Next::Solution(chosen) => {
            let on = Words::of(&emission).literals(&emission, chosen);
            let values = read(&emission, &on)?;
            take(eval, &values)?;
        }
    }
    let (mut engine, _) = prepared(eval, &emission, 0)?;
    let count = engine.count(eval.budget, u128::from(most), REMEMBERED);
    let end = match count.stopped {
        None => End::Exhausted,
        Some(Halt::Limit) => End::Enough,
        Some(Halt::Stop(stop)) => End::Stopped(stop),
    };
    Ok(Some((count.solutions, end)))
}

fn encoded(
    eval: &mut Eval<'_>,
    encoding: &EncodingArgs,
    dialect: Dialect,
) -> Result<Result<Emission, EncodeError>, Diagnostic> {
    let known = session::presolved(eval, encoding).map_err(stop_diagnostic)?;
    let allows = |var, position| known.contradiction.is_none() && known.allows(var, position);
    let names = Names::of(eval);
    let options = encoding.cover(dialect);
    Ok(names.with(|labels| xcc::encode(&eval.model, &allows, options, eval.budget, labels)))
}

fn prepared(eval: &Eval<'_>, emission: &Emission, seed: u32) -> Result<(Engine, Search), Diagnostic> {
    let problem = problem(&emission.cover).map_err(|fault| {
        Diagnostic::error(Code::LimitExceeded, format!("the exact cover is too large: {fault}"))
    })?;
    eval.budget.check().map_err(stop_diagnostic)?;
    let engine = Engine::new(&problem, &Options { seed: u64::from(seed), sharp: false });
    let told = cnf::Emission {
        variables: emission.last,
        named: emission.named,
        encodings: emission.encodings.clone(),
        ..cnf::Emission::default()
    };
    let sizes = emission.cover.sizes();
    Ok((engine, Search { found: 0, end: End::Exhausted, optimal: false, emission: told, sizes, proof: None }))
}

fn problem(cover: &Cover) -> Result<Problem, ProblemFault> {
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

/// The literals that options tell.
struct Words {
    always: Vec<Lit>,
    /// By the first entry: the others, and the literal.
    by_entry: FxHashMap<Entry, Vec<(Vec<Entry>, Lit)>>,
}

impl Words {
    fn of(emission: &Emission) -> Words {
        let mut words = Words { always: Vec::new(), by_entry: FxHashMap::default() };
        for word in &emission.words {
            match word.entries.split_first() {
                None => words.always.push(word.lit),
                Some((first, others)) => {
                    words.by_entry.entry(*first).or_default().push((others.to_vec(), word.lit));
                }
            }
        }
        words
    }

    /// What chosen options tell, ascending.
    fn literals(&self, emission: &Emission, chosen: &[Chosen]) -> Vec<Lit> {
        let mut on = self.always.clone();
        for chosen in chosen {
            let option = emission.cover.option(chosen.option as usize);
            for (others, lit) in option.iter().filter_map(|entry| self.by_entry.get(entry)).flatten() {
                if others.iter().all(|other| option.contains(other)) {
                    on.push(*lit);
                }
            }
        }
        on.sort_unstable();
        on.dedup();
        on
    }
}

fn read(emission: &Emission, on: &[Lit]) -> Result<Vec<u32>, Diagnostic> {
    match positions(&emission.encodings, |lit| on.binary_search(&lit).is_ok()) {
        Ok(Decoded(values)) => Ok(values),
        Err(at) => Err(Diagnostic::error(
            Code::SolverFailed,
            format!("the engine's cover gives variable {} no value, or two", at + 1),
        )),
    }
}
