//! `rebus check`: diagnostics and sizes without solving.

use super::args::{EncodingArgs, LimitArgs, ModelArgs};
use super::emit::Emit;
use super::load::Loaded;
use super::{Outcome, load, session, with_sources};
use crate::diag::{Code, Diagnostic};
use crate::encode::{Form, Target, cnf};
use crate::eval::{Eval, stop_diagnostic};
use crate::files;
use crate::shared::Stop;
use std::io::{self, Write};

/// Check a model and its data without solving: faults, sizes, contradictions
#[derive(clap::Args, Debug)]
#[command(after_help = "EXAMPLES:
  rebus check model.rebus board.clues
  rebus check sudoku board.clues      also finds givens that contradict each other
  rebus check queens -D n=50 --estimate        how big `compile` would make the file")]
pub struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// Variables, rows and bytes of the formula that `compile` would write; nothing is written
    #[arg(long)]
    estimate: bool,
    /// The kind of formula that is estimated
    #[arg(long, value_enum, requires = "estimate", default_value = "cnf", value_name = "TARGET")]
    to: Target,
    #[command(flatten)]
    encoding: EncodingArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

pub fn run(args: &Args) -> Outcome {
    let loaded = load::load(&args.model)?;
    let budget = args.limits.budget();
    let mut eval = session::start(&loaded, &budget)?;
    if args.estimate {
        return estimate(args, &loaded, &mut eval);
    }
    let known = session::presolved(&eval, &args.encoding).map_err(stop_diagnostic)?;
    if let Some(clash) = &known.contradiction {
        let mut fault =
            Diagnostic::error(Code::ClashingRules, "these cannot hold together: there is no solution");
        let mut places = String::new();
        for instance in clash {
            let named = eval.instance(*instance);
            let label = if named.label.is_empty() { "a rule without label".to_string() } else { named.label };
            for place in &named.data {
                fault = fault.at(*place, label.clone());
            }
            fault = fault.at(named.span, label.clone());
            let data: Vec<String> = named.data.iter().map(|place| loaded.sources.place(*place)).collect();
            places.push_str(&format!(
                "\n  {label}{}{}",
                if data.is_empty() { "" } else { ": " },
                data.join(", ")
            ));
        }
        return Err(with_sources(&loaded.sources)(fault.note(format!("the instances:{places}"))));
    }
    let allows = |var, position| known.allows(var, position);
    let (counted, emission) = cnf::measure(&eval.model, &allows, args.encoding.options(), &budget)
        .map_err(session::encode_fault)
        .map_err(with_sources(&loaded.sources))?;
    let limit = budget.limits().clauses;
    if counted.clauses > limit {
        let fault = stop_diagnostic(Stop::Clauses { limit }).note(format!("there are {}", counted.clauses));
        return Err(fault.into());
    }
    let mut out = files::Stdout;
    let fixed = (0..eval.model.vars.len())
        .filter(|at| known.fixed(crate::model::VarId(*at as u32)).is_some())
        .count();
    writeln!(out, "variables         {}", eval.model.vars.len())?;
    writeln!(out, "  fixed           {fixed}")?;
    writeln!(out, "rules             {}", loaded.program.rules.len())?;
    writeln!(out, "  instances       {}", eval.model.rules.len())?;
    writeln!(out, "cnf")?;
    writeln!(
        out,
        "  literals        {} named, {} auxiliary",
        emission.named,
        emission.variables - emission.named
    )?;
    writeln!(out, "  clauses         {}", counted.clauses)?;
    for choice in &emission.choices {
        writeln!(out, "  {}", choice.told("clause"))?;
    }
    Ok(0)
}

/// Forms the formula as `compile` does, into a writer that only counts: the numbers are exact.
fn estimate(args: &Args, loaded: &Loaded, eval: &mut Eval<'_>) -> Outcome {
    let mut emit =
        Emit::new(eval, args.to, &args.encoding, Form::default()).map_err(with_sources(&loaded.sources))?;
    let mut written = Count(0);
    emit.write(&mut written, "the count", "", false, &[])?;
    let mut out = files::Stdout;
    writeln!(out, "{}", args.to.name())?;
    writeln!(out, "  variables       {}", emit.formula.emission().variables)?;
    writeln!(out, "  rows            {}", emit.formula.rows())?;
    writeln!(out, "  bytes           {}", written.0)?;
    Ok(0)
}

/// Counts bytes.
struct Count(u64);

impl Write for Count {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
