//! `rebus decode`: any solver's output back to a drawing, by the map alone.

use super::args::{LimitArgs, OutputArgs};
use super::show::Printer;
use super::{Failure, Outcome, all_with_sources, load, say, session, with_sources};
use crate::decode::Solution;
use crate::diag::{Code, Diagnostic};
use crate::encode::symbols::{self, Symbol, SymbolMap, WordTable};
use crate::encode::{Lit, Target};
use crate::eval::{Eval, stop_diagnostic};
use crate::files;
use crate::model::VarId;
use crate::render::Status;
use crate::shared::Budget;
use crate::solve::output::{Answer, Unread, dialect::Dialect, parse_within};
use crate::solve::{Verdict, check_model};
use crate::syntax::ast::Sense;
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
    #[arg(long, value_name = "NAME")]
    dialect: Option<String>,
    #[command(flatten)]
    form: OutputArgs,
    /// Exit with 10 for satisfiable, 20 for unsatisfiable
    #[arg(long)]
    exit_code: bool,
    #[command(flatten)]
    pub limits: LimitArgs,
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
    let verdict = verdict(args, &map, &budget)?;
    let loaded = load::load_map(map.texts.clone())?;
    let mut eval = Eval::new(&loaded.program, &budget);
    match args.form.format.is_picture() {
        true => session::ground(&mut eval, &loaded.without).map_err(all_with_sources(&loaded.sources))?,
        false => eval.declare_all().map_err(all_with_sources(&loaded.sources))?,
    }
    let same = |(at, symbol): (u32, &Symbol)| {
        let var = VarId(at);
        eval.model.domain(var).size() == symbol.encoding.size() as usize && eval.var_name(var) == symbol.name
    };
    if eval.model.vars.len() != map.symbols.len() || !(0..).zip(&map.symbols).all(same) {
        return Err(
            Diagnostic::error(Code::MapMismatch, "the map names other variables than its model has").into()
        );
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
                say(&format!(
                    "whether {what} is not known: the solver's totals, on standard error, are missing (`2>&1`)"
                ));
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

/// What the output says, read as solvers of the map's target write.
fn verdict(args: &Args, map: &SymbolMap, budget: &Budget) -> Result<Verdict, Failure> {
    let name = args.dialect.as_deref().unwrap_or(match map.target {
        Target::Xcc => "dlx",
        Target::Cnf | Target::Wcnf | Target::Opb => "any",
    });
    let Some(dialect) = Dialect::named(name) else {
        return Err(Diagnostic::error(Code::Usage, format!("no dialect is called `{name}`")).into());
    };
    let path = args.output.clone().unwrap_or_else(|| PathBuf::from("-"));
    let words = WordTable::of(&map.told);
    let answer = Answer::new(dialect).only(map.variables);
    let verdict =
        parse_within(answer, files::open(&path)?, None, &[], budget).map_err(|unread| match unread {
            Unread::Stopped(stop) => stop_diagnostic(stop),
            Unread::Io(error) => files::read_fault(&path.display().to_string(), &error),
        })?;
    Ok(match map.target {
        Target::Xcc => verdict.told_by(|cover| words.literals(cover, budget)).map_err(stop_diagnostic)?,
        _ => verdict,
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
