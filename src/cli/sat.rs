//! `rebus sat`: the embedded engine as a stand-alone SAT solver.

use super::Outcome;
use super::args::LimitArgs;
use crate::diag::{Code, Diagnostic};
use crate::files;
use crate::run::{Failure, SatError, sat};
use std::io::Write;
use std::path::PathBuf;

/// Solve a DIMACS file with the embedded engine, as any SAT solver does
#[derive(clap::Args, Debug)]
#[command(after_help = "EXAMPLES:
  rebus sat formula.cnf          prints `s SATISFIABLE` and `v` lines; exit code 10, 20 or 0
  rebus sat - < formula.cnf.gz")]
pub struct Args {
    /// The formula, packed or not; `-` is standard input
    file: PathBuf,
    #[arg(long, default_value_t, value_name = "N")]
    seed: u32,
    #[command(flatten)]
    pub limits: LimitArgs,
}

pub fn run(args: &Args) -> Outcome {
    let budget = args.limits.budget();
    let unknown = || -> Outcome {
        writeln!(files::Stdout, "s UNKNOWN")?;
        Ok(0)
    };
    let input = match files::open(&args.file) {
        Err(_) if budget.check().is_err() => return unknown(),
        input => input?,
    };
    match sat(input, &mut files::Stdout, args.seed, &budget) {
        Ok(code) => Ok(code),
        // the time was over during reading
        Err(SatError::Formula(_)) if budget.check().is_err() => unknown(),
        Err(SatError::Output(error)) => Err(error.into()),
        Err(error) => {
            let message = format!("{}: {error}", args.file.display());
            Err(Failure::from(Diagnostic::error(Code::UnreadableFile, message)))
        }
    }
}
