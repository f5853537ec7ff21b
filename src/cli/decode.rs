//! `rebus decode`: turns the output of any solver back into a drawing, with the symbol map alone.

use super::args::{LimitArgs, OutputArgs};
use super::show::Printer;
use super::terminal::Terminal;
use super::{Failure, Outcome, say, watchdog};
use crate::diag::{Code, Diagnostic};
use crate::eval::Eval;
use crate::files;
use crate::render::Status;
use crate::run::load::{MOST_READ, load_map};
use crate::run::{
    Decoding, Loaded, Output, SymbolMap, answer_dialects, check_map, decode, fits, read_map, stages,
};
use crate::shared::Budget;
use clap::builder::PossibleValuesParser;
use std::path::PathBuf;

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
    #[arg(long, value_name = "NAME", value_parser = PossibleValuesParser::new(answer_dialects()))]
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
    // a map takes several times its size in memory
    let limit = MOST_READ.min(budget.limits().memory / 32);
    let map = read_map(&name, &mut *files::open(&args.map)?, limit)?;
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
    let path = args.output.clone().unwrap_or_else(|| PathBuf::from("-"));
    let printed = path.display().to_string();
    let output = Output::read(files::open(&path)?, &printed, &map, args.dialect.as_deref(), &budget)?;
    let loaded = watchdog::loading(|| load_map(map.texts.clone()))?;
    let done = decoded(args, &name, output, &map, &loaded, &budget);
    done.map_err(|failure| failure.within(&loaded.sources))
}

fn decoded(
    args: &Args,
    name: &str,
    output: Output,
    map: &SymbolMap,
    loaded: &Loaded,
    budget: &Budget,
) -> Outcome {
    let mut eval = Eval::new(&loaded.program, budget);
    match args.form.format.is_picture() {
        true => stages::ground(&mut eval, &loaded.without, &Terminal)?,
        false => eval.declare_all()?,
    }
    check_map(map, &eval)?;
    let mut printer = Printer::new(&args.form);
    printer.know(name, &mut eval)?;
    let mut fit = |model: &[i32]| -> Result<(), Failure> {
        let Some(formula) = &args.formula else { return Ok(()) };
        let fit = fits(map.target, files::open(formula)?, model);
        // a check that was stopped has no result
        budget.check()?;
        fit.map_err(|misfit| {
            let message = format!("the model does not fit `{}`: {misfit}", formula.display());
            Diagnostic::error(Code::SolverFailed, message).into()
        })
    };
    let said = decode(output, map, loaded, &mut eval, name, &mut fit, &mut |_, solution| {
        printer.solution(&solution)?;
        Ok(true)
    })?;
    match said {
        Decoding::Solutions { status, complete, objective, lacks } => {
            printer.status(status, complete, objective)?;
            if let Some(lacks) = lacks {
                say(&lacks);
                return Ok(4);
            }
            Ok(if args.exit_code { 10 } else { 0 })
        }
        Decoding::Unsatisfiable => {
            printer.status(Status::Unsatisfiable, true, None)?;
            if args.formula.is_none() {
                say("the solver says so; which formula it was given is not checked (`--formula FILE`)");
            }
            Ok(if args.exit_code { 20 } else { 0 })
        }
        Decoding::Unknown(why) => {
            printer.status(Status::Unknown, false, None)?;
            say(&format!("no answer: {why}"));
            Ok(4)
        }
    }
}
