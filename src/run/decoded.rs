//! Solver output → verified solutions, by a symbol map.
//!
//! In: a map, the model text that it carries, an output. Out: solutions, and what the output claims about further
//! ones. The output is untrusted: every model is verified. The claim that there are no more is not.

use super::Failure;
use super::answers::{TakeSolution, broken};
use super::formula_file::domain_in_map;
use super::load::Loaded;
use crate::decode::Solution;
use crate::diag::{Code, Diagnostic};
use crate::encode::symbols::{SymbolMap, WordTable};
use crate::encode::{Lit, Target};
use crate::eval::{Eval, VarArray};
use crate::files;
use crate::model::VarId;
use crate::render::Status;
use crate::shared::Budget;
use crate::solve::output::dialect::{Dialect, Lists};
use crate::solve::output::{Unread, parse_within};
use crate::solve::{Cover, Verdict};
use crate::syntax::ast::Sense;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::io::Read;

/// The parsed output of a solver.
pub struct Output {
    verdict: Verdict,
    /// Why it is unknown whether an exact cover has more solutions.
    lacks: Option<String>,
}

impl Output {
    /// Parses an output, in the usual format for the map's target or in that of the solver `dialect` names; `name` is
    /// for messages.
    pub fn read(
        source: impl Read,
        name: &str,
        map: &SymbolMap,
        dialect: Option<&str>,
        budget: &Budget,
    ) -> Result<Output, Failure> {
        let by_target = match map.target {
            Target::Xcc => "dlx",
            Target::Cnf | Target::Wcnf | Target::Opb => "any",
        };
        let wanted = dialect.unwrap_or(by_target);
        let Some(mut dialect) = Dialect::named(wanted) else {
            return Err(Diagnostic::error(Code::Usage, format!("there is no dialect `{wanted}`")).into());
        };
        if ["dlx3", "miniexact"].contains(&map.dialect.as_str()) {
            // miniexact misreads multiplicities unless it is called for them
            dialect.lists = Lists::No;
        }
        let read = parse_within(dialect, Some(map.variables), source, None, &[], budget);
        let mut verdict = read.map_err(|unread| match unread {
            Unread::Stopped(stop) => Failure::from(stop),
            Unread::Io(error) => files::read_fault(name, &error).into(),
        })?;
        if map.target != Target::Xcc {
            return Ok(Output { verdict, lacks: None });
        }
        let mut why = None;
        if let Verdict::Covered { covers, complete, lacks, .. } = &mut verdict {
            if !all_differ(covers) {
                // a problem that rebus writes has no repeated options
                *complete = false;
                *lacks = Some("the same solution is there twice".to_owned());
            }
            why = lacks.take();
        }
        let words = WordTable::of(&map.word_literals);
        let verdict = verdict.told_by(|cover| words.literals(cover.iter().map(Vec::as_slice), budget))?;
        Ok(Output { verdict, lacks: why })
    }
}

/// Are all covers different, apart from the order of options and items?
fn all_differ(covers: &[Cover]) -> bool {
    let mut seen = BTreeSet::new();
    covers.iter().all(|cover| {
        let option = |option: &Vec<Box<str>>| -> BTreeSet<Box<str>> { option.iter().cloned().collect() };
        seen.insert(cover.iter().map(option).collect::<BTreeSet<_>>())
    })
}

/// Does the map match the variables that its model declares?
pub fn check_map(map: &SymbolMap, eval: &Eval<'_>) -> Result<(), Diagnostic> {
    let same = |array: &VarArray| {
        (0..array.len()).all(|at| {
            let symbol = &map.symbols[array.first.0 as usize + at];
            let var = VarId(array.first.0 + at as u32);
            eval.model.domain(var).size() == symbol.encoding.size() as usize
                && eval.entry_name(array, at) == symbol.name
                && domain_in_map(eval, var, array.domain(at)) == *symbol.domain
        })
    };
    if eval.model.vars.len() == map.symbols.len() && eval.vars.iter().all(same) {
        return Ok(());
    }
    let message = "the map names other variables, or other values of them, than its model has";
    Err(Diagnostic::error(Code::MapMismatch, message))
}

/// The result of decoding an output.
pub enum Decoding {
    /// Solutions were taken. Are these all, or the best? `lacks`: why that is unknown.
    Solutions {
        status: Status,
        complete: bool,
        objective: Option<i64>,
        lacks: Option<String>,
    },
    Unsatisfiable,
    Unknown(String),
}

/// Passes the solutions of an output to `take`, each once; with an objective only the best. `fits` checks models
/// against the formula; `name` is the map's, for messages.
pub fn decode(
    output: Output,
    map: &SymbolMap,
    loaded: &Loaded,
    eval: &mut Eval<'_>,
    name: &str,
    fits: &mut dyn FnMut(&[Lit]) -> Result<(), Failure>,
    take: &mut TakeSolution<'_>,
) -> Result<Decoding, Failure> {
    let failed = |message: String| Err(Diagnostic::error(Code::SolverFailed, message).into());
    let Output { verdict, lacks } = output;
    match verdict {
        Verdict::Satisfiable { models, complete, optimal } => {
            let mut decoder = Decoder { map, loaded, best: Vec::new(), seen: BTreeSet::new() };
            for model in &models {
                fits(model)?;
                decoder.model(model, eval, take)?;
            }
            let objective = decoder.best.first().and_then(Solution::objective);
            for solution in decoder.best {
                take(eval, solution)?;
            }
            // the solver's claim: optimality, for a formula with an objective, or that it has listed all covers
            let proven = objective.is_some()
                && match map.target {
                    Target::Cnf => false,
                    Target::Opb | Target::Wcnf => optimal,
                    Target::Xcc => complete,
                };
            let status = if proven { Status::Optimal } else { Status::Satisfiable };
            let lacks = (map.target == Target::Xcc && !complete).then(|| {
                let what = if objective.is_some() { "none is better" } else { "these are all" };
                format!("whether {what} is not known: {}", lacks.unwrap_or_default())
            });
            Ok(Decoding::Solutions { status, complete, objective, lacks })
        }
        Verdict::Unsatisfiable => Ok(Decoding::Unsatisfiable),
        Verdict::Unknown(why) => Ok(Decoding::Unknown(why)),
        Verdict::Counted(count) => {
            failed(format!("this says that there are {} models, and none of them", count.number))
        }
        Verdict::Covered { .. } => {
            failed(format!("this is an answer to a problem of exact cover, not to `{name}`"))
        }
        Verdict::Failed(why) => failed(format!("this is no answer of a solver: {why}")),
    }
}

/// Decodes models one after the other.
struct Decoder<'a> {
    map: &'a SymbolMap,
    loaded: &'a Loaded,
    /// With an objective, the best solutions so far.
    best: Vec<Solution>,
    seen: BTreeSet<Vec<Lit>>,
}

impl Decoder<'_> {
    fn model(
        &mut self,
        model: &[Lit],
        eval: &mut Eval<'_>,
        take: &mut TakeSolution<'_>,
    ) -> Result<(), Failure> {
        let positions = self.map.positions(model).map_err(|why| {
            let message = format!("the output is no answer to this formula: {why}");
            Diagnostic::error(Code::SolverFailed, message)
        })?;
        let solution = Solution::verify(eval, &positions, &self.loaded.without).map_err(broken)?;
        let sense = self.loaded.program.objective.as_ref().map(|(sense, _)| *sense);
        let cost = |solution: &Solution| {
            let value = solution.objective().map(i128::from);
            value.map(|value| if sense == Some(Sense::Maximize) { -value } else { value })
        };
        let order = self.best.first().map_or(Ordering::Equal, |best| cost(&solution).cmp(&cost(best)));
        if order.is_lt() {
            self.best.clear();
            self.seen.clear();
        }
        if order.is_gt() || !self.seen.insert(self.map.answer_of(model)) {
            return Ok(());
        }
        match sense {
            Some(_) => self.best.push(solution),
            None => drop(take(eval, solution)?),
        }
        Ok(())
    }
}
