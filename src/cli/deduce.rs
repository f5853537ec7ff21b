//! `rebus deduce`: what every solution agrees on.

use super::args::{EncodingArgs, Format, LimitArgs, ModelArgs, OutputArgs};
use super::backbone::{as_good_as, shared, why_fault};
use super::session::{self, End};
use super::show::Printer;
use super::{Failure, Outcome, all_with_sources, load, report, with_sources};
use crate::eval::{Eval, stop_diagnostic};
use crate::model::VarId;
use crate::render::{self, Data};
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
    let loaded = load::load(&args.model)?;
    let budget = args.limits.budget();
    let mut eval = Eval::new(&loaded.program, &budget);
    session::ground(&mut eval, &loaded.without).map_err(all_with_sources(&loaded.sources))?;
    report(&eval.warnings, &loaded.sources);
    let mut beside = Vec::new();
    if eval.model.objective.is_some() {
        let mut best = None;
        let search = session::search(&mut eval, &args.encoding, 0, 1, &mut |eval, positions| {
            best = Some(session::verified(eval, positions, &loaded.without, true)?);
            Ok(false)
        })
        .map_err(with_sources(&loaded.sources))?;
        match (search.end, best) {
            (End::Stopped(stop), _) => return unknown(args, stop, &loaded),
            (_, Some(best)) => beside.extend(as_good_as(&mut eval, &best)?),
            (_, None) => {}
        }
    }
    let shared = match shared(&eval, &beside, &args.encoding) {
        Ok(shared) => shared,
        Err(why::Fault::Stop(stop)) => return unknown(args, stop, &loaded),
        Err(fault) => return Err(with_sources(&loaded.sources)(why_fault(fault, &eval))),
    };
    let mut printer = Printer::new(&args.form);
    printer.know(&args.model.model, &mut eval)?;
    let Some(shared) = shared else {
        end(&mut printer, args, "unsatisfiable", true)?;
        return Ok(0);
    };
    match args.form.format {
        Format::Json => printer.line(&render::json(&told(&shared, &eval)))?,
        _ => {
            let positions: Vec<Option<u32>> = shared.entries.iter().map(|entry| entry.fixed).collect();
            let drawings = eval.drawn_with(&positions).map_err(with_sources(&loaded.sources))?;
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

/// Says that there is nothing to draw.
fn end(printer: &mut Printer, args: &Args, status: &str, complete: bool) -> Result<(), Failure> {
    match args.form.format {
        Format::Json => printer.line(&format!("{{\"status\": \"{status}\", \"complete\": {complete}}}"))?,
        _ => printer.remark(status)?,
    }
    printer.write_picture()?;
    printer.flush()
}

fn unknown(args: &Args, stop: Stop, loaded: &load::Loaded) -> Outcome {
    end(&mut Printer::new(&args.form), args, "unknown", false)?;
    report(&[stop_diagnostic(stop)], &loaded.sources);
    Ok(4)
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
