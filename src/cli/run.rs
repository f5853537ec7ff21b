//! `rebus run`: one solver on one file, its answer in the competitions' form.

use super::args::LimitArgs;
use super::{Outcome, solvers};
use crate::encode::Target;
use crate::files::{self, Output};
use crate::solve::external::{Extras, run_command};
use crate::solve::find::Places;
use std::io::Write;
use std::path::PathBuf;

/// Run one solver on one formula within limits: a step of a Makefile
#[derive(clap::Args, Debug)]
#[command(after_help = "EXAMPLES:
  rebus run kissat formula.cnf -o formula.kissat --timeout 60
  rebus run 'mysolver --fast {in} {out}' formula.cnf")]
pub struct Args {
    /// A solver's name (see `rebus solvers`), or a command with `{in}` and `{out}`
    solver: String,
    /// The formula, packed or not
    file: PathBuf,
    /// Where the answer goes; standard output if left out
    #[arg(short, value_name = "FILE")]
    output: Option<PathBuf>,
    #[arg(long, value_name = "N")]
    seed: Option<u32>,
    /// A table of further solvers
    #[arg(long, value_name = "FILE")]
    solvers: Option<PathBuf>,
    #[command(flatten)]
    limits: LimitArgs,
}

pub fn run(args: &Args) -> Outcome {
    let table = solvers::table(args.solvers.as_ref())?;
    let solver = table.named_or_typed(&args.solver, Target::Cnf)?;
    let budget = args.limits.budget();
    let extras = Extras { seed: args.seed, ..Extras::default() };
    let mut answer = Vec::new();
    run_command(&solver, &Places::from_env(), &args.file, extras, &budget, &mut answer)?;
    let path = args.output.clone().unwrap_or_else(|| PathBuf::from("-"));
    let mut output = Output::create(&path)?;
    let name = output.name().to_string();
    output.write_all(&answer).map_err(|error| files::WriteFault::of(&name, &error))?;
    output.commit()?;
    Ok(0)
}
