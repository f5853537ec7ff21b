//! `rebus xcc`: the embedded engine as an exact-cover solver of its own.

use super::args::{LimitArgs, Switch};
use super::progress::Progress;
use super::{Failure, Faulty, Outcome, report, say, with_sources};
use crate::diag::Sources;
use crate::eval::stop_diagnostic;
use crate::files;
use crate::shared::{Budget, Stop};
use crate::solve::xcc::{Chosen, Engine, Halt, Next, Options, PLAIN, Problem, Unread, read};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::{Path, PathBuf};

/// Solve an exact-cover problem in Knuth's DLX format with the embedded engine
#[derive(clap::Args, Debug)]
#[command(after_help = "EXAMPLES:
  rebus xcc queens.dlx              every solution, as dlx2 prints them; how many, on standard error
  rebus xcc --count < dominoes.dlx  their number alone
  rebus xcc --limit 2 sudoku.dlx    is there a second one?

The format is that of Knuth's dlx1, dlx2 (colours) and dlx3 (multiplicities); names and colours may be of any length.
Exit codes: 0 the search is complete or the limit was reached, 1 a fault in the input, 4 out of time or memory.")]
pub struct Args {
    /// The problem, packed or not; standard input if it is missing or `-`
    #[arg(default_value = "-", hide_default_value = true)]
    file: PathBuf,
    /// Print the number of solutions and nothing else
    #[arg(long, conflicts_with = "every")]
    count: bool,
    /// Stop after N solutions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Print every Nth solution only
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Break ties and try options in an order shuffled by N
    #[arg(long, default_value_t, value_name = "N")]
    seed: u64,
    /// Decide items whose names begin with `#` first
    #[arg(long)]
    sharp: bool,
    /// Drop options that would leave an item without any, before the search
    #[arg(long, value_enum, default_value = "on", value_name = "on|off")]
    presolve: Switch,
    #[command(flatten)]
    limits: LimitArgs,
}

/// Looks at options that presolving may take.
const PRESOLVE_WORK: u64 = 1 << 24;

pub fn run(args: &Args) -> Outcome {
    let budget = args.limits.budget();
    let mut sources = Sources::default();
    let name =
        if args.file == Path::new("-") { "standard input".into() } else { args.file.display().to_string() };
    let (problem, warnings) = match read(files::open(&args.file)?, &name, &mut sources, &budget) {
        Ok(read) => read,
        Err(Unread::Faults(faults)) => return Err(Failure::Faults(Faulty { sources, faults })),
        Err(Unread::Stopped(stop)) => return Err(with_sources(&sources)(stop_diagnostic(stop))),
    };
    report(&warnings, &sources);
    let mut engine = Engine::new(&problem, &Options { seed: args.seed, sharp: args.sharp });
    if args.presolve == Switch::On {
        let n = engine.reduce(&budget, PRESOLVE_WORK);
        say(&format!("{n:?} dropped"));
    }
    if args.count {
        let c = engine.count(&budget, u128::MAX, 1 << 28);
        println!("{c:?} {} nodes", engine.nodes());
    }
    Ok(0)
}
