//! `rebus deduce`: the values common to all solutions.

use super::args::{EncodingArgs, Format, LimitArgs, ModelArgs, OutputArgs};
use super::show::Printer;
use super::terminal::Terminal;
use super::{Failure, Outcome, report};
use crate::eval::{Eval, stop_diagnostic};
use crate::render::{self, Data};
use crate::run::{Deduced, Loaded, Question, VarId, stages};
use crate::shared::Stop;
use crate::why::{self, Common};

/// Draw what every solution agrees on
#[derive(clap::Args, Debug)]
#[command(after_help = "EXAMPLES:
  rebus deduce row                              `·` where solutions differ
  rebus deduce sudoku board.clues --values      and which values are still possible there
  rebus deduce sudoku board.clues -f json
  rebus deduce sudoku board.clues -f svg > known.svg

Exit code 4 if the limits ended the search: what is drawn is so all the same, but more may be determined.")]
pub struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// For each entry that is open, the values it has in some solution and those that are ruled out
    #[arg(long)]
    values: bool,
    #[command(flatten)]
    form: OutputArgs,
    #[command(flatten)]
    encoding: EncodingArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

pub fn run(args: &Args) -> Outcome {
    args.form.only(&[Format::Text, Format::Json, Format::Svg, Format::Html], "deduce")?;
    let loaded = args.model.load()?;
    deduce(args, &loaded).map_err(|failure| failure.within(&loaded.sources))
}

fn deduce(args: &Args, loaded: &Loaded) -> Outcome {
    let budget = args.limits.budget();
    let mut eval = stages::start(loaded, &budget, &Terminal)?;
    let encoding = args.encoding.encoding();
    let question = Question::new(loaded, &encoding, 1, &Terminal);
    let deduced = crate::run::deduce(&mut eval, &question)?;
    let mut printer = Printer::new(&args.form);
    if !matches!(deduced, Deduced::Unknown(_)) {
        printer.know(&args.model.model, &mut eval)?;
    }
    let shared = match deduced {
        Deduced::Common(shared) => shared,
        Deduced::Impossible => {
            end(&mut printer, args, "unsatisfiable", true)?;
            return Ok(0);
        }
        Deduced::Unknown(stop) => {
            end(&mut printer, args, "unknown", false)?;
            report(&[stop_diagnostic(stop)], &loaded.sources);
            return Ok(4);
        }
    };
    match args.form.format {
        Format::Json => printer.line(&render::json(&told(&shared, &eval)))?,
        _ => {
            let positions: Vec<Option<u32>> = shared.entries.iter().map(|entry| entry.fixed).collect();
            let drawings = eval.drawn_with(&positions)?;
            printer.draw(&drawings)?;
            let fixed = shared.entries.iter().filter(|entry| entry.fixed.is_some()).count();
            printer.remark(&format!("{fixed} of {} determined", shared.entries.len()))?;
            if args.values {
                for (var, entry) in shared.entries.iter().enumerate() {
                    if entry.fixed.is_none() {
                        printer.remark(&values(VarId(var as u32), entry, &eval))?;
                    }
                }
            }
        }
    }
    printer.write_picture()?;
    printer.flush()?;
    if shared.complete {
        return Ok(0);
    }
    report(&[stop_diagnostic(budget.check().err().unwrap_or(Stop::Time))], &loaded.sources);
    Ok(4)
}

/// Prints the status when there is nothing to draw.
fn end(printer: &mut Printer, args: &Args, status: &str, complete: bool) -> Result<(), Failure> {
    match args.form.format {
        Format::Json => printer.line(&format!("{{\"status\": \"{status}\", \"complete\": {complete}}}"))?,
        _ => printer.remark(status)?,
    }
    printer.write_picture()?;
    printer.flush()
}

/// `x[1, 2]: 3, 4 possible; 1, 2 ruled out`.
fn values(var: VarId, entry: &why::Entry, eval: &Eval<'_>) -> String {
    let name = eval.var_name(var);
    let Some(possible) = &entry.possible else { return format!("{name}: too many values to tell") };
    let list = |wanted: bool| {
        let all = 0..eval.model.domain(var).size() as u32;
        let some = all.filter(|position| possible.contains(position) == wanted);
        some.map(|position| eval.value_text(var, position)).collect::<Vec<_>>().join(", ")
    };
    match list(false).as_str() {
        "" => format!("{name}: {} possible", list(true)),
        out => format!("{name}: {} possible; {out} ruled out", list(true)),
    }
}

fn told(shared: &Common, eval: &Eval<'_>) -> Data {
    let (mut determined, mut open) = (Vec::new(), Vec::new());
    for (var, entry) in shared.entries.iter().enumerate() {
        let var = VarId(var as u32);
        let data = |position: &u32| eval.value_data(var, *position);
        match (&entry.fixed, &entry.possible) {
            (Some(position), _) => determined.push((eval.var_name(var), data(position))),
            (None, Some(possible)) => {
                open.push((eval.var_name(var), Data::List(possible.iter().map(data).collect())));
            }
            (None, None) => open.push((eval.var_name(var), Data::None)),
        }
    }
    Data::Object(vec![
        ("status".into(), Data::Text("satisfiable".into())),
        ("complete".into(), Data::Bool(shared.complete)),
        ("determined".into(), Data::Object(determined)),
        ("open".into(), Data::Object(open)),
    ])
}
