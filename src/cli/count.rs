//! `rebus count`: the number of solutions and nothing else.

use super::args::{EncodingArgs, LimitArgs, ModelArgs, SolverArgs};
use super::external::{self, Question};
use super::session::{self, End};
use super::{Outcome, load, report};
use crate::decode::Solution;
use crate::eval::{Eval, stop_diagnostic};
use std::io::Write;

/// Print the number of solutions
#[derive(clap::Args, Debug)]
#[command(after_help = "EXAMPLES:
  rebus count queens -D n=6
  rebus count futoshiki futoshiki-5.clues --limit 10     prints >=10 when there are more")]
pub struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// Stop at N; prints `>=N` when there are more
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    #[command(flatten)]
    solver: SolverArgs,
    #[command(flatten)]
    encoding: EncodingArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

pub fn run(args: &Args) -> Outcome {
    let loaded = load::load(&args.model)?;
    let budget = args.limits.budget();
    let mut eval = session::start(&loaded, &budget)?;
    let most = args.limit.map_or(u64::MAX, |limit| limit.saturating_add(1));
    let mut first = true;
    let without = &loaded.without;
    let question = Question { solver: &args.solver, encoding: &args.encoding, seed: 0, most, keep: None };
    let mut check = |eval: &mut Eval<'_>, positions: &[u32]| {
        if std::mem::take(&mut first) {
            Solution::verify(eval, positions, without).map_err(session::broken)?;
        } else if let Some(at) = eval.model.broken(positions) {
            let instance = eval.model.rules[at].instance;
            let named = eval.instance(instance);
            return Err(session::broken(crate::decode::NoSolution::Broken(vec![named])));
        }
        Ok(true)
    };
    let search = external::ask(&question, &loaded, &mut eval, &mut check)?;
    let mut out = std::io::stdout();
    match (search.end, args.limit) {
        (End::Stopped(stop), _) => {
            writeln!(out, ">={}", search.found)?;
            report(&[stop_diagnostic(stop)], &loaded.sources);
            return Ok(4);
        }
        (End::GaveUp, _) => {
            writeln!(out, ">={}", search.found)?;
            return Ok(4);
        }
        (_, Some(limit)) if search.found > limit => writeln!(out, ">={limit}")?,
        _ => writeln!(out, "{}", search.found)?,
    }
    Ok(0)
}
