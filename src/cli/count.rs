//! `rebus count`: the number of solutions and nothing else.

use super::args::{EncodingArgs, LimitArgs, ModelArgs, SolverArgs};
use super::external::{self, Question};
use super::session::{self, End};
use super::{Outcome, cover, load, report, with_sources};
use crate::decode::Solution;
use crate::encode::Target;
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
    let question =
        Question { solver: &args.solver, encoding: &args.encoding, seed: 0, most, keep: None, proof: None };
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
    let plain = args.solver.solver.is_none() && matches!(args.solver.to, None | Some(Target::Xcc));
    let counted = match plain {
        true => cover::count(&mut eval, &args.encoding, most, &mut check)
            .map_err(with_sources(&loaded.sources))?,
        false => None,
    };
    if let Some((found, end)) = counted {
        return told(found, end, args.limit, &loaded);
    }
    let search = external::ask(&question, &loaded, &mut eval, &mut check)?;
    told(u128::from(search.found), search.end, args.limit, &loaded)
}

fn told(found: u128, end: End, limit: Option<u64>, loaded: &load::Loaded) -> Outcome {
    let mut out = std::io::stdout();
    match (end, limit) {
        (End::Stopped(stop), _) => {
            writeln!(out, ">={}", found)?;
            report(&[stop_diagnostic(stop)], &loaded.sources);
            return Ok(4);
        }
        (End::GaveUp, _) => {
            writeln!(out, ">={}", found)?;
            return Ok(4);
        }
        (_, Some(limit)) if found > u128::from(limit) => writeln!(out, ">={limit}")?,
        _ => writeln!(out, "{}", found)?,
    }
    Ok(0)
}
