//! `rebus count`: the number of solutions, and how it was found.

use super::args::{EncodingArgs, LimitArgs, ModelArgs, SolverArgs};
use super::external::{self, Question};
use super::proof::{Plan, ProofArgs};
use super::session::{self, End, How};
use super::{Outcome, counter, cover, load, report, say, with_sources};
use crate::decode::Solution;
use crate::diag::Diagnostic;
use crate::encode::Target;
use crate::eval::{Eval, stop_diagnostic};
use crate::files;
use crate::render;
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

/// Which solutions were checked against the rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Checked {
    All,
    First,
    None,
    /// There was none to check.
    Nothing,
}

/// A number of solutions, and whose word it is.
struct Told {
    /// Decimal digits.
    number: String,
    end: End,
    exact: bool,
    engine: String,
    method: &'static str,
    checked: Checked,
    /// What became of a proof that there are no others: as JSON; and in words, or the fault.
    proof: Option<String>,
    proven: Result<Option<String>, Diagnostic>,
}

pub fn run(args: &Args) -> Outcome {
    let loaded = load::load(&args.model)?;
    let budget = args.limits.budget();
    let mut eval = session::start(&loaded, &budget)?;
    let plan = args.proof.plan(&args.solver, &loaded.files)?;
    let told = count(args, plan.as_ref(), &loaded, &mut eval)?;
    told.print(args, &loaded)
}

fn count(
    args: &Args,
    plan: Option<&Plan<'_>>,
    loaded: &load::Loaded,
    eval: &mut Eval<'_>,
) -> Result<Told, super::Failure> {
    if let Some(solver) = external::named(&args.solver)?.filter(|solver| solver.counts()) {
        let count = counter::count(&solver, &args.encoding, loaded, eval)?;
        let end = match &count {
            Some(_) => End::Exhausted,
            None => eval.budget.check().map_or_else(End::Stopped, |()| End::GaveUp),
        };
        let (number, exact) = count.map_or(("0".to_owned(), true), |count| (count.number, count.exact));
        let (engine, checked) = (solver.name, Checked::None);
        let (method, proof, proven) = ("model counter", None, Ok(None));
        return Ok(Told { number, end, exact, engine, method, checked, proof, proven });
    }
    let without = &loaded.without;
    let mut first = true;
    let mut check = |eval: &mut Eval<'_>, positions: &[u32]| {
        if std::mem::take(&mut first) {
            Solution::verify(eval, positions, without).map_err(session::broken)?;
        } else if let Some(at) = eval.model.broken_within(positions, eval.budget).map_err(stop_diagnostic)? {
            let instance = eval.model.rules[at].instance;
            let named = eval.instance(instance);
            return Err(session::broken(crate::decode::NoSolution::Broken(vec![named])));
        }
        Ok(true)
    };
    let embedded = "embedded".to_owned();
    // a proof is of a list of solutions
    let may_cover = args.solver.solver.is_none() && plan.is_none();
    if may_cover && matches!(args.solver.to, None | Some(Target::Xcc)) {
        // one more tells whether there are more
        let most = args.limit.map_or(u128::MAX, |limit| u128::from(limit) + 1);
        let counted =
            cover::count(eval, &args.encoding, most, &mut check).map_err(with_sources(&loaded.sources))?;
        if let Some((found, end)) = counted {
            let (number, method, checked) = (found.to_string(), How::Cover.name(), Checked::First);
            let (engine, proof, proven) = (embedded, None, Ok(None));
            return Ok(Told { number, end, exact: true, engine, method, checked, proof, proven });
        }
    }
    let most = args.limit.map_or(u64::MAX, |limit| limit.saturating_add(1));
    let question =
        Question { solver: &args.solver, encoding: &args.encoding, seed: 0, most, keep: None, proof: plan };
    let search = external::ask(&question, loaded, eval, &mut check)?;
    let proven = if plan.is_some() { search.verdict() } else { Ok(None) };
    let proof = search.proof.as_ref().map(|proof| render::json(&proof.data()));
    let (number, method) = (search.found.to_string(), search.how.name());
    let engine = search.by.unwrap_or(embedded);
    let checked = Checked::All;
    Ok(Told { number, end: search.end, exact: true, engine, method, checked, proof, proven })
}

impl Told {
    fn print(mut self, args: &Args, loaded: &load::Loaded) -> Outcome {
        if self.number == "0" && self.checked != Checked::None {
            self.checked = Checked::Nothing;
        }
        // without a limit an engine has enough when it can count no further
        let more = match (self.end, args.limit) {
            (End::Exhausted, Some(limit)) | (End::Enough, Some(limit)) if self.exceeds(limit) => {
                self.number = limit.to_string();
                true
            }
            (End::Exhausted, _) | (End::Enough, Some(_)) => false,
            _ => true,
        };
        let mut out = files::Stdout;
        match (args.format, more, self.exact) {
            (Form::Json, ..) => writeln!(
                out,
                r#"{{"solutions": {}, "complete": {}, "exact": {}, "engine": {}, "method": "{}", "checked": "{}"{}}}"#,
                self.number,
                !more,
                self.exact,
                serde_json::Value::from(self.engine.as_str()),
                self.method,
                self.checked.name(),
                self.proof.as_ref().map(|proof| format!(r#", "proof": {proof}"#)).unwrap_or_default(),
            )?,
            (_, true, _) => writeln!(out, ">={}", self.number)?,
            (_, false, true) => writeln!(out, "{}", self.number)?,
            (_, false, false) => writeln!(out, "~{}", self.number)?,
        }
        let estimated = if self.exact { "counted" } else { "estimated" };
        let checked = self.checked.sentence();
        say(&format!("{estimated} by `{}`, {}; {checked}", self.engine, self.method));
        match &self.proven {
            Ok(Some(verified)) => say(verified),
            Ok(None) => {}
            Err(fault) => return Ok(report(std::slice::from_ref(fault), &loaded.sources)),
        }
        match self.end {
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

    /// Is an exact number greater than `limit`?
    fn exceeds(&self, limit: u64) -> bool {
        let limit = limit.to_string();
        self.exact && (self.number.len(), &self.number) > (limit.len(), &limit)
    }
}

impl Checked {
    fn name(self) -> &'static str {
        match self {
            Checked::All => "all",
            Checked::First => "first",
            Checked::None | Checked::Nothing => "none",
        }
    }

    fn sentence(self) -> &'static str {
        match self {
            Checked::All => "every solution was checked",
            Checked::First => "the first solution was checked",
            Checked::None => "nothing of it was checked",
            Checked::Nothing => "there was no solution to check",
        }
    }
}
