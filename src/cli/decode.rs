//! `rebus decode`: any solver's output back to a drawing, by the map alone.

use super::args::{LimitArgs, OutputArgs};
use super::emit::told_domain;
use super::show::Printer;
use super::{Failure, Outcome, all_with_sources, load, say, session, with_sources};
use crate::decode::Solution;
use crate::diag::{Code, Diagnostic};
use crate::encode::symbols::{self, SymbolMap, WordTable};
use crate::encode::{Lit, Target};
use crate::eval::{Eval, VarArray, stop_diagnostic};
use crate::files;
use crate::model::VarId;
use crate::render::Status;
use crate::shared::Budget;
use crate::solve::output::dialect::{DIALECTS, Dialect, Lists, Shape};
use crate::solve::output::{Unread, parse_within};
use crate::solve::{Cover, Verdict, check_model};
use crate::syntax::ast::Sense;
use clap::builder::PossibleValuesParser;
use std::cmp::Ordering;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Turn any solver's output back into values, verified and drawn
#[derive(clap::Args, Debug)]
#[command(after_help = "EXAMPLES:
  kissat k.cnf | rebus decode k.cnf.map
  minisat k.cnf k.out ; rebus decode k.cnf.map k.out
  rebus decode k.cnf.map k.out --formula k.cnf -f json")]
pub struct Args {
    /// The symbol map, or a formula that carries one
    map: PathBuf,
    /// What the solver printed; standard input if left out
    output: Option<PathBuf>,
    /// Check that the map is of this formula, and the model against its clauses
    #[arg(long, value_name = "FILE")]
    formula: Option<PathBuf>,
    /// The solver whose habits the output has; found out if left out
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(dialects()))]
    dialect: Option<String>,
    #[command(flatten)]
    form: OutputArgs,
    /// Exit with 10 for satisfiable, 20 for unsatisfiable
    #[arg(long)]
    exit_code: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// Those that print answers.
fn dialects() -> impl Iterator<Item = &'static str> {
    let answers = DIALECTS.iter().filter(|dialect| !matches!(dialect.shape, Shape::Count { .. }));
    answers.map(|dialect| dialect.name)
}

pub fn run(args: &Args) -> Outcome {
    let name = args.map.display().to_string();
    let budget = args.limits.budget();
    // what is held of a map takes several times its room
    let limit = load::MOST_READ.min(budget.limits().memory / 32);
    let map = symbols::load(&name, &mut *files::open(&args.map)?, limit)?;
    if let Some(formula) = &args.formula {
        let digest = files::digest(&mut *files::open(formula)?, map.target.comments())
            .map_err(|error| files::read_fault(&formula.display().to_string(), &error))?;
        if digest != map.digest {
            let message = format!("`{name}` is not the map of `{}`", formula.display());
            return Err(Diagnostic::error(Code::MapMismatch, message)
                .note("their digests differ: the formula was changed, or compiled again with other data")
                .into());
        }
    }
    let (verdict, lacks) = verdict(args, &map, &budget)?;
    let loaded = load::load_map(map.texts.clone())?;
    let mut eval = Eval::new(&loaded.program, &budget);
    match args.form.format.is_picture() {
        true => session::ground(&mut eval, &loaded.without).map_err(all_with_sources(&loaded.sources))?,
        false => eval.declare_all().map_err(all_with_sources(&loaded.sources))?,
    }
    let same = |array: &VarArray| {
        (0..array.len()).all(|at| {
            let symbol = &map.symbols[array.first.0 as usize + at];
            let var = VarId(array.first.0 + at as u32);
            eval.model.domain(var).size() == symbol.encoding.size() as usize
                && eval.entry_name(array, at) == symbol.name
                && told_domain(&eval, var, array.domain(at)) == *symbol.domain
        })
    };
    if eval.model.vars.len() != map.symbols.len() || !eval.vars.iter().all(same) {
        return Err(Diagnostic::error(
            Code::MapMismatch,
            "the map names other variables, or other values of them, than its model has",
        )
        .into());
    }
    let mut printer = Printer::new(&args.form);
    printer.know(&name, &mut eval)?;
    match verdict {
        Verdict::Satisfiable { models, complete, optimal } => {
            let maximize = loaded.program.objective.as_ref().map(|(sense, _)| *sense == Sense::Maximize);
            let cost = |solution: &Solution| {
                let value = solution.objective().map(i128::from);
                value.map(|value| if maximize == Some(true) { -value } else { value })
            };
            // with an objective those than which none is better
            let mut best: Vec<Solution> = Vec::new();
            let mut seen = BTreeSet::new();
            for model in &models {
                if let Some(formula) = &args.formula {
                    let fit = fits(map.target, formula, model);
                    // what was not read to its end tells nothing
                    budget.check().map_err(stop_diagnostic)?;
                    fit?;
                }
                let positions = map.positions(model).map_err(|why| {
                    Diagnostic::error(
                        Code::SolverFailed,
                        format!("the output is no answer to this formula: {why}"),
                    )
                })?;
                let solution = Solution::verify(&mut eval, &positions, &loaded.without)
                    .map_err(session::broken)
                    .map_err(with_sources(&loaded.sources))?;
                let order = best.first().map_or(Ordering::Equal, |best| cost(&solution).cmp(&cost(best)));
                if order.is_lt() {
                    best.clear();
                    seen.clear();
                }
                if order.is_gt() || !seen.insert(map.answer_of(model)) {
                    continue;
                }
                match maximize {
                    Some(_) => best.push(solution),
                    None => printer.solution(&solution)?,
                }
            }
            best.iter().try_for_each(|solution| printer.solution(solution))?;
            let objective = best.first().and_then(Solution::objective);
            // the solver's word, as "unsatisfiable" is: of a formula with an objective, or that it has listed all covers
            let proven = objective.is_some()
                && match map.target {
                    Target::Cnf => false,
                    Target::Opb | Target::Wcnf => optimal,
                    Target::Xcc => complete,
                };
            let status = if proven { Status::Optimal } else { Status::Satisfiable };
            printer.status(status, complete, objective)?;
            if map.target == Target::Xcc && !complete {
                let what = if objective.is_some() { "none is better" } else { "these are all" };
                say(&format!("whether {what} is not known: {}", lacks.unwrap_or_default()));
                return Ok(4);
            }
            Ok(if args.exit_code { 10 } else { 0 })
        }
        Verdict::Unsatisfiable => {
            printer.status(Status::Unsatisfiable, true, None)?;
            if args.formula.is_none() {
                say("the solver says so; which formula it was given is not checked (`--formula FILE`)");
            }
            Ok(if args.exit_code { 20 } else { 0 })
        }
        Verdict::Unknown(why) => {
            printer.status(Status::Unknown, false, None)?;
            say(&format!("no answer: {why}"));
            Ok(4)
        }
        Verdict::Counted(count) => {
            let message = format!("this says that there are {} models, and none of them", count.number);
            Err(Diagnostic::error(Code::SolverFailed, message).into())
        }
        Verdict::Covered { .. } => {
            let message = format!("this is an answer to a problem of exact cover, not to `{name}`");
            Err(Diagnostic::error(Code::SolverFailed, message).into())
        }
        Verdict::Failed(why) => {
            Err(Diagnostic::error(Code::SolverFailed, format!("this is no answer of a solver: {why}")).into())
        }
    }
}

/// What the output says, read as solvers of the map's target write; and why exact covers may not be all.
fn verdict(args: &Args, map: &SymbolMap, budget: &Budget) -> Result<(Verdict, Option<String>), Failure> {
    let name = args.dialect.as_deref().unwrap_or(match map.target {
        Target::Xcc => "dlx",
        Target::Cnf | Target::Wcnf | Target::Opb => "any",
    });
    let mut dialect = Dialect::named(name).expect("one of those that are offered");
    if ["dlx3", "miniexact"].contains(&map.dialect.as_str()) {
        // it takes multiplicities for something else, unless it is called for them
        dialect.lists = Lists::No;
    }
    let path = args.output.clone().unwrap_or_else(|| PathBuf::from("-"));
    let words = WordTable::of(&map.told);
    let read = parse_within(dialect, Some(map.variables), files::open(&path)?, None, &[], budget);
    let mut verdict = read.map_err(|unread| match unread {
        Unread::Stopped(stop) => stop_diagnostic(stop),
        Unread::Io(error) => files::read_fault(&path.display().to_string(), &error),
    })?;
    if map.target != Target::Xcc {
        return Ok((verdict, None));
    }
    let mut why = None;
    if let Verdict::Covered { covers, complete, lacks, .. } = &mut verdict {
        if !all_differ(covers) {
            // no option of ours is there twice
            *complete = false;
            *lacks = Some("the same solution is there twice".to_owned());
        }
        why = lacks.take();
    }
    let verdict = verdict.told_by(|cover| words.literals(cover, budget)).map_err(stop_diagnostic)?;
    Ok((verdict, why))
}

/// Are there no two that are the same, whatever the order of options and their items?
fn all_differ(covers: &[Cover]) -> bool {
    let mut seen = BTreeSet::new();
    covers.iter().all(|cover| {
        let option = |option: &Vec<Box<str>>| -> BTreeSet<Box<str>> { option.iter().cloned().collect() };
        seen.insert(cover.iter().map(option).collect::<BTreeSet<_>>())
    })
}

/// Does the model keep what the formula says?
fn fits(target: Target, formula: &Path, model: &[Lit]) -> Result<(), Failure> {
    check_model(target, files::open(formula)?, model).map_err(|misfit| {
        Diagnostic::error(
            Code::SolverFailed,
            format!("the model does not fit `{}`: {misfit}", formula.display()),
        )
        .into()
    })
}
