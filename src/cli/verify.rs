//! `rebus verify`: is a given answer a solution?

use super::args::{EncodingArgs, Format, LimitArgs, ModelArgs, OutputArgs};
use super::show::Printer;
use super::terminal::Terminal;
use super::{Outcome, reasons, report};
use crate::diag::{Code, Diagnostic, Sources};
use crate::eval::Eval;
use crate::files;
use crate::import;
use crate::render::{self, Data};
use crate::run::load::MOST_TEXT;
use crate::run::{Failure, Finding, Judge, Loaded, Question};
use crate::shared::FileId;
use std::path::Path;

/// Check a given answer against every rule
#[derive(clap::Args, Debug)]
#[command(after_help = "EXAMPLES:
  rebus verify sudoku board.clues answer.clues       answer.clues: x = \"\"\"…\"\"\"
  rebus solve sudoku board.clues > a.txt ; rebus verify sudoku board.clues a.txt
  rebus solve sudoku board.clues -f json > a.json ; rebus verify sudoku board.clues a.json -f json

The answer holds items as data do, or JSON, or is a board file of puzz.link (pzprv3), or what `rebus solve` draws: there a line
that is not drawn is none, and a `?` in its place leaves it open.

Every rule that is broken is named with its place and the entries it speaks of. Exit code 5 if it is no solution; an answer
with gaps is incomplete, unless a rule is broken whatever stands in them.")]
pub struct Args {
    #[command(flatten)]
    model: ModelArgs,
    /// Check too that no solution has a better value of the objective
    #[arg(long)]
    optimal: bool,
    #[command(flatten)]
    form: OutputArgs,
    #[command(flatten)]
    encoding: EncodingArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

pub fn run(args: &Args) -> Outcome {
    args.form.only(&[Format::Text, Format::Json, Format::Svg, Format::Html], "verify")?;
    let mut model = args.model.clone();
    let Some(answer_path) = model.data.pop() else {
        return Err(Diagnostic::error(Code::Usage, "which answer shall be checked?")
            .help("the last file is the answer: `rebus verify MODEL DATA ANSWER`")
            .into());
    };
    let mut loaded = model.load()?;
    if args.optimal && loaded.program.objective.is_none() {
        return Err(Diagnostic::error(Code::Usage, "`--optimal` is asked of a model without an objective")
            .help("an objective is an item `minimize EXPR` or `maximize EXPR`")
            .into());
    }
    let (file, text) =
        answer(&answer_path, &mut loaded.sources).map_err(|failure| failure.within(&loaded.sources))?;
    judge(args, &loaded, file, &text).map_err(|failure| failure.within(&loaded.sources))
}

/// The text of the answer; a board file of another program is converted to items.
fn answer(path: &Path, sources: &mut Sources) -> Result<(FileId, String), Failure> {
    let text = files::read_text(path, MOST_TEXT)?;
    let name = path.display().to_string();
    let file = sources.add(&name, &text);
    Ok(match import::answer(&text, file).transpose()? {
        Some(items) => (sources.add(format!("{name} (imported)"), &items), items),
        None => (file, text),
    })
}

fn judge(args: &Args, loaded: &Loaded, file: FileId, text: &str) -> Outcome {
    let budget = args.limits.budget();
    let mut eval = Eval::new(&loaded.program, &budget);
    eval.declare_all()?;
    let given = eval.given_values(file, text)?;
    let encoding = args.encoding.encoding();
    let question = Question::new(loaded, &encoding, 1, &Terminal);
    let mut judge = Judge { eval: &mut eval, question, text, ground: false };
    let found = match judge.find(given)? {
        Finding::Correct(Some(cost)) if args.optimal => judge.optimal(cost)?,
        found => found,
    };
    let mut printer = Printer::new(&args.form);
    printer.know(&args.model.model, &mut eval)?;
    tell(&found, args, loaded, &mut printer)?;
    printer.write_picture()?;
    printer.flush()?;
    report(&eval.warnings, &loaded.sources);
    Ok(if matches!(found, Finding::Correct(_)) { 0 } else { 5 })
}

fn tell(found: &Finding, args: &Args, loaded: &Loaded, printer: &mut Printer) -> Result<(), Failure> {
    if args.form.format == Format::Json {
        return printer.line(&render::json(&Data::Object(data(found, args, loaded))));
    }
    match found {
        Finding::Correct(None) => printer.remark("correct"),
        Finding::Correct(Some(cost)) => {
            printer.remark("correct")?;
            printer.remark(&match args.optimal {
                true => format!("the objective is {cost}, the best there is"),
                false => {
                    format!("the objective is {cost}; whether it can be better was not checked (`--optimal`)")
                }
            })
        }
        Finding::NotBest(cost, best) => {
            printer.remark(&format!("not the best: the objective is {cost}, and {best} is possible"))
        }
        Finding::Broken(reasons) => {
            printer.remark("wrong")?;
            reasons::print(reasons, printer, true)
        }
        Finding::Clash(reasons) => {
            printer.remark("wrong: these cannot hold together with what is drawn")?;
            reasons::print(reasons, printer, true)
        }
        Finding::Unlike(why) => {
            printer.remark("wrong: no solution is drawn like this")?;
            match why.as_ref().and_then(|why| place_of(why, loaded)) {
                Some((message, place)) => printer.remark(&format!("  {message}  {place}")),
                None => Ok(()),
            }
        }
        Finding::Missing(names) => {
            let have = if names.len() == 1 { "has" } else { "have" };
            printer.remark(&format!("incomplete: {} {have} no value", names.join(", ")))
        }
    }
}

/// As data for JSON.
fn data(found: &Finding, args: &Args, loaded: &Loaded) -> Vec<(String, Data)> {
    let text = |text: &str| Data::Text(text.to_owned());
    let fields = match found {
        Finding::Correct(None) => vec![("verdict", text("correct"))],
        Finding::Correct(Some(cost)) => {
            let optimal = if args.optimal { Data::Bool(true) } else { Data::None };
            vec![("verdict", text("correct")), ("objective", Data::Int(*cost)), ("optimal", optimal)]
        }
        Finding::NotBest(cost, best) => vec![
            ("verdict", text("not the best")),
            ("objective", Data::Int(*cost)),
            ("optimal", Data::Bool(false)),
            ("better", Data::Int(*best)),
        ],
        Finding::Broken(reasons) => vec![("verdict", text("wrong")), ("rules", reasons::data(reasons))],
        Finding::Clash(reasons) => vec![("verdict", text("wrong")), ("together", reasons::data(reasons))],
        Finding::Unlike(why) => {
            let mut fields = vec![("verdict", text("wrong"))];
            if let Some((message, place)) = why.as_ref().and_then(|why| place_of(why, loaded)) {
                fields.extend([("drawn", text(&message)), ("place", text(&place))]);
            }
            fields
        }
        Finding::Missing(names) => {
            let names = names.iter().map(|name| text(name)).collect();
            vec![("verdict", text("incomplete")), ("missing", Data::List(names))]
        }
    };
    fields.into_iter().map(|(name, value)| (name.to_owned(), value)).collect()
}

/// The first place of a fault, with its message.
fn place_of(fault: &Diagnostic, loaded: &Loaded) -> Option<(String, String)> {
    let (span, _) = fault.labels.first()?;
    Some((fault.message.clone(), loaded.sources.place(*span)))
}
