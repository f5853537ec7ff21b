//! `rebus count`: the number of solutions, and how it was found.

use super::args::{EncodingArgs, LimitArgs, ModelArgs, SolverArgs};
use super::proof::{self, ProofArgs};
use super::terminal::Terminal;
use super::{Outcome, report, say};
use crate::eval::stop_diagnostic;
use crate::files;
use crate::render;
use crate::run::{CheckedSolutions, End, Engine, Loaded, Number, Question, Target, stages};
use std::io::Write;

/// Print the number of solutions
#[derive(clap::Args, Debug)]
#[command(after_help = "EXAMPLES:
  rebus count queens -D n=6
  rebus count futoshiki futoshiki-5.clues --limit 10     prints >=10 when there are more
  rebus count queens -D n=6 --check-proof                certified: these, and no others
  rebus count queens -D n=8 --solver ganak               a model counter's word, which is not checked

Who counts: of a puzzle that is an exact cover without further conditions the embedded engine for these, which remembers what
it counted; of others an embedded SAT search, which goes on from one solution to the next and checks each. A solver that is
named counts by itself if it is a model counter; else its solutions are taken one by one and checked. An estimate is printed
as ~N. Standard error, and `-f json`, say who it was.")]
pub struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// Stop at N; prints `>=N` when there are more
    #[arg(long, value_name = "N")]
    limit: Option<u64>,
    /// The form of the result: a number, or a JSON object with what is known of it
    #[arg(short, long, value_enum, default_value = "text", value_name = "FORM")]
    format: Form,
    #[command(flatten)]
    solver: SolverArgs,
    #[command(flatten)]
    proof: ProofArgs,
    #[command(flatten)]
    encoding: EncodingArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Form {
    Text,
    Json,
}

pub fn run(args: &Args) -> Outcome {
    let loaded = args.model.load()?;
    count(args, &loaded).map_err(|failure| failure.within(&loaded.sources))
}

fn count(args: &Args, loaded: &Loaded) -> Outcome {
    let budget = args.limits.budget();
    let mut eval = stages::start(loaded, &budget, &Terminal)?;
    let plan = args.proof.plan(&args.solver, &loaded.files)?;
    let solver = args.solver.wish().chosen(&Terminal)?;
    let encoding = args.encoding.encoding();
    // one more shows whether there are more
    let most = args.limit.map_or(u64::MAX, |limit| limit.saturating_add(1));
    let question = Question {
        engine: Engine::of(solver.as_ref(), args.solver.to),
        proof: plan.as_ref(),
        ..Question::new(loaded, &encoding, most, &Terminal)
    };
    // a proof needs a list of solutions
    let covers = plan.is_none() && args.solver.to.is_none_or(|target| target == Target::Xcc);
    let number = crate::run::count(&mut eval, &question, covers)?;
    print(number, plan.is_some(), args, loaded)
}

fn print(number: Number, proof_wanted: bool, args: &Args, loaded: &Loaded) -> Outcome {
    // without a limit, `Enough` means that the counter overflowed
    let whole = matches!((number.end, args.limit), (End::Exhausted, _) | (End::Enough, Some(_)));
    let (digits, over) = number.up_to(args.limit);
    let more = over || !whole;
    let engine = number.by.as_deref().unwrap_or("embedded");
    let proof = number.proof.as_ref().map(|proof| format!(r#", "proof": {}"#, render::json(&proof.data())));
    let mut out = files::Stdout;
    match (args.format, more, number.exact) {
        (Form::Json, ..) => writeln!(
            out,
            r#"{{"solutions": {}, "complete": {}, "exact": {}, "engine": {}, "method": "{}", "checked": "{}"{}}}"#,
            digits,
            !more,
            number.exact,
            serde_json::Value::from(engine),
            number.method,
            number.checked.name(),
            proof.unwrap_or_default(),
        )?,
        (_, true, _) => writeln!(out, ">={}", digits)?,
        (_, false, true) => writeln!(out, "{}", digits)?,
        (_, false, false) => writeln!(out, "~{}", digits)?,
    }
    let estimated = if number.exact { "counted" } else { "estimated" };
    say(&format!("{estimated} by `{engine}`, {}; {}", number.method, sentence(number.checked)));
    if proof_wanted {
        let verdict = proof::verdict(number.proof.as_ref(), number.digits != "0", number.optimal, number.end);
        match verdict {
            Ok(Some(verified)) => say(&verified),
            Ok(None) => {}
            Err(fault) => return Ok(report(&[fault], &loaded.sources)),
        }
    }
    match number.end {
        End::Stopped(stop) => {
            report(&[stop_diagnostic(stop)], &loaded.sources);
            Ok(4)
        }
        End::GaveUp => Ok(4),
        End::Enough if args.limit.is_none() => {
            say("there are more solutions than can be counted");
            Ok(4)
        }
        _ => Ok(0),
    }
}

fn sentence(checked: CheckedSolutions) -> &'static str {
    match checked {
        CheckedSolutions::All => "every solution was checked",
        CheckedSolutions::First => "the first solution was checked",
        CheckedSolutions::None => "nothing of it was checked",
        CheckedSolutions::Nothing => "there was no solution to check",
    }
}
