//! `rebus check`: diagnostics and sizes without solving.

use super::args::{EncodingArgs, LimitArgs, ModelArgs};
use super::terminal::Terminal;
use super::{Failure, Outcome};
use crate::diag::{Code, Diagnostic};
use crate::eval::Eval;
use crate::files;
use crate::run::{Encoding, Form, FormulaFile, Loaded, Target, stages};
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
    let loaded = args.model.load()?;
    check(args, &loaded).map_err(|failure| failure.within(&loaded.sources))
}

fn check(args: &Args, loaded: &Loaded) -> Outcome {
    let budget = args.limits.budget();
    let mut eval = stages::start(loaded, &budget, &Terminal)?;
    let encoding = args.encoding.encoding();
    if args.estimate {
        return estimate(args, &encoding, &mut eval);
    }
    let measured = match stages::measured(&eval, &encoding)? {
        Ok(measured) => measured,
        Err(clash) => {
            let mut fault =
                Diagnostic::error(Code::ClashingRules, "these cannot hold together: there is no solution");
            let mut places = String::new();
            for instance in clash {
                let named = eval.instance(instance);
                let label =
                    if named.label.is_empty() { "a rule without label".to_string() } else { named.label };
                for place in &named.data {
                    fault = fault.at(*place, label.clone());
                }
                fault = fault.at(named.span, label.clone());
                let data: Vec<String> = named.data.iter().map(|place| loaded.sources.place(*place)).collect();
                let colon = if data.is_empty() { "" } else { ": " };
                places.push_str(&format!("\n  {label}{colon}{}", data.join(", ")));
            }
            return Err(Failure::from(fault.note(format!("the instances:{places}"))));
        }
    };
    let emission = &measured.emission;
    let mut out = files::Stdout;
    writeln!(out, "variables         {}", eval.model.vars.len())?;
    writeln!(out, "  fixed           {}", measured.fixed)?;
    writeln!(out, "rules             {}", loaded.program.rules.len())?;
    writeln!(out, "  instances       {}", eval.model.rules.len())?;
    writeln!(out, "cnf")?;
    writeln!(
        out,
        "  literals        {} named, {} auxiliary",
        emission.named,
        emission.variables - emission.named
    )?;
    writeln!(out, "  clauses         {}", measured.clauses)?;
    for choice in &emission.choices {
        writeln!(out, "  {}", choice.describe("clause"))?;
    }
    Ok(0)
}

/// Builds the formula as `compile` does, into a writer that only counts: the numbers are exact.
fn estimate(args: &Args, encoding: &Encoding, eval: &mut Eval<'_>) -> Outcome {
    let mut file = FormulaFile::new(eval, args.to, encoding, Form::default(), None, &Terminal)?;
    let mut written = Count(0);
    file.write(eval, &mut written, "the count", "", false, &[])?;
    let mut out = files::Stdout;
    writeln!(out, "{}", args.to.name())?;
    writeln!(out, "  variables       {}", file.formula.emission().variables)?;
    writeln!(out, "  rows            {}", file.formula.rows())?;
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
