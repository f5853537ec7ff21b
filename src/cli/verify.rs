//! `rebus verify`: is a given answer a solution?

use super::args::{EncodingArgs, Format, LimitArgs, ModelArgs, OutputArgs};
use super::backbone::{disagree, why_fault};
use super::load::{Loaded, MOST_TEXT};
use super::reasons::Reasons;
use super::session::{self, End};
use super::show::Printer;
use super::{Failure, Outcome, all_with_sources, load, report, with_sources};
use crate::decode::{MOST_BROKEN, NoSolution, Solution};
use crate::diag::{Code, Diagnostic};
use crate::eval::{Eval, Given, stop_diagnostic};
use crate::files;
use crate::import;
use crate::model::{Asserted, Bool, Instance};
use crate::render::{self, Data, Style};
use crate::why::{self, Effort, Verdict};
use std::path::PathBuf;

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
    #[command(flatten)]
    form: OutputArgs,
    #[command(flatten)]
    encoding: EncodingArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// What is to be said of an answer.
enum Finding {
    Correct,
    /// These rules are broken, each by itself.
    Broken(Reasons),
    /// What is drawn breaks no rule by itself, but no solution is drawn so.
    Clash(Reasons),
    /// No solution is drawn like this; the drawing tells no values.
    Unlike,
    /// These have no value.
    Missing(Vec<String>),
}

/// Solutions whose drawings are compared with one that tells no values.
const MOST_COMPARED: u64 = 16;

pub fn run(args: &Args) -> Outcome {
    args.form.only(&[Format::Text, Format::Json, Format::Svg, Format::Html], "verify")?;
    let mut model = args.model.clone();
    let Some(answer) = model.data.pop() else {
        return Err(Diagnostic::error(Code::Usage, "which answer shall be checked?")
            .help("the last file is the answer: `rebus verify MODEL DATA ANSWER`")
            .into());
    };
    let mut loaded = load::load(&model)?;
    let text = files::read_text(&PathBuf::from(&answer), MOST_TEXT)?;
    let name = answer.display().to_string();
    let file = loaded.sources.add(&name, &text);
    let board = import::answer(&text, file).transpose().map_err(with_sources(&loaded.sources))?;
    let (file, text) = match board {
        Some(items) => (loaded.sources.add(format!("{name} (imported)"), &items), items),
        None => (file, text),
    };
    let budget = args.limits.budget();
    let mut eval = Eval::new(&loaded.program, &budget);
    eval.declare_all().map_err(all_with_sources(&loaded.sources))?;
    let given = eval.given_values(file, &text).map_err(all_with_sources(&loaded.sources))?;
    let found = find(&mut eval, given, &text, &loaded, &args.encoding)?;
    let mut printer = Printer::new(&args.form);
    printer.know(&args.model.model, &mut eval)?;
    tell(&found, &mut printer, args.form.format)?;
    printer.write_picture()?;
    printer.flush()?;
    report(&eval.warnings, &loaded.sources);
    Ok(if matches!(found, Finding::Correct) { 0 } else { 5 })
}

fn find(
    eval: &mut Eval<'_>,
    given: Given,
    text: &str,
    loaded: &Loaded,
    encoding: &EncodingArgs,
) -> Result<Finding, Failure> {
    let (sources, without) = (&loaded.sources, &loaded.without);
    let Given { positions, missing, drawn, unread } = given;
    let mut named = Vec::new();
    if let Some(whole) = positions.iter().copied().collect::<Option<Vec<u32>>>() {
        match Solution::verify(eval, &whole, without) {
            Ok(_) => {
                // the entries are a solution; what is drawn between them has to fit it
                let mut meaning = eval.model.under(&whole, eval.budget);
                let mut fits = true;
                for term in drawn.iter().flatten() {
                    fits &= meaning.holds(*term).map_err(stop_diagnostic)?;
                }
                return Ok(if fits { Finding::Correct } else { Finding::Unlike });
            }
            Err(NoSolution::Fault(fault)) => return Err(with_sources(sources)(fault)),
            Err(NoSolution::Broken(rules)) => named = rules,
        }
    }
    let all = 0..eval.program.rules.len();
    let (beside, whole) = (drawn.as_deref().unwrap_or_default(), drawn.is_some());
    if let Err(faults) = eval.ground_rules(all, without) {
        // what cannot be ground can be checked all the same
        return match named.is_empty() {
            true => Err(all_with_sources(sources)(faults)),
            false => Ok(Finding::Broken(Reasons::named(named, sources))),
        };
    }
    if let Some(fault) = unread {
        return drawn_alike(eval, fault, text, loaded, encoding);
    }
    let options = encoding.options();
    let many = eval.model.rules.len();
    let engine = move || session::quick_engine(many, 0);
    let budget = eval.budget;
    let broken = why::broken(&mut eval.model, &positions, beside, MOST_BROKEN, options, &engine, budget);
    let broken = match broken {
        Ok(broken) => broken,
        // what was found before the time was over is so
        Err(why::Fault::Stop(stop)) if named.is_empty() => return Err(stop_diagnostic(stop).into()),
        Err(why::Fault::Stop(_)) => Vec::new(),
        Err(fault) => return Err(with_sources(sources)(why_fault(fault, eval))),
    };
    if !broken.is_empty() {
        return Ok(Finding::Broken(Reasons::of(&broken, &[], &positions, eval, sources)?));
    }
    match (named.is_empty(), whole) {
        (false, _) => Ok(Finding::Broken(Reasons::named(named, sources))),
        (true, true) => drawn_solution(eval, &positions, missing, beside, text, loaded, encoding),
        (true, false) => Ok(Finding::Missing(missing)),
    }
}

/// Is one of the first solutions drawn like this? The drawing tells no values.
fn drawn_alike(
    eval: &mut Eval<'_>,
    fault: Diagnostic,
    text: &str,
    loaded: &Loaded,
    encoding: &EncodingArgs,
) -> Result<Finding, Failure> {
    let mut found = false;
    let search = session::search(eval, encoding, 0, MOST_COMPARED, &mut |eval, values| {
        found = is_drawn(&session::verified(eval, values, &loaded.without, true)?, text);
        Ok(!found)
    });
    match search.map_err(with_sources(&loaded.sources))?.end {
        _ if found => Ok(Finding::Correct),
        End::Exhausted => Ok(Finding::Unlike),
        End::Stopped(stop) => Err(stop_diagnostic(stop).into()),
        End::Enough | End::GaveUp => Err(with_sources(&loaded.sources)(fault)),
    }
}

/// Is the text a drawing of the solution, in either style?
fn is_drawn(solution: &Solution, text: &str) -> bool {
    let lines = |text: &str| -> Vec<String> {
        text.lines().map(|line| line.trim_end().to_owned()).filter(|line| !line.is_empty()).collect()
    };
    let like = |ascii: bool| {
        let drawings = solution.drawings().iter().map(|drawing| render::text(drawing, Style { ascii }));
        lines(&drawings.collect::<String>()) == lines(text)
    };
    like(false) || like(true)
}

/// Is a solution drawn like this? The drawing need not tell what all variables are.
fn drawn_solution(
    eval: &mut Eval<'_>,
    positions: &[Option<u32>],
    missing: Vec<String>,
    drawn: &[Bool],
    text: &str,
    loaded: &Loaded,
    encoding: &EncodingArgs,
) -> Result<Finding, Failure> {
    let mark = eval.model.rules.len();
    let instance = Instance { rule: 0, ordinal: 0 };
    eval.model.rules.extend(drawn.iter().map(|what| Asserted { what: *what, instance }));
    let mut solution = None;
    let search = session::search(eval, encoding, 0, 1, &mut |eval, values| {
        solution = Some(session::verified(eval, values, &loaded.without, true)?);
        Ok(false)
    });
    eval.model.rules.truncate(mark);
    let search = search.map_err(with_sources(&loaded.sources))?;
    if let Some(solution) = solution {
        // what stands in another layout is not read whole: the drawing must be the very same
        return Ok(if is_drawn(&solution, text) { Finding::Correct } else { Finding::Missing(missing) });
    }
    if let End::Stopped(stop) = search.end {
        return Err(stop_diagnostic(stop).into());
    }
    let all: Vec<usize> = (0..mark).collect();
    let mut engine = session::quick_engine(eval.model.rules.len(), 0);
    let (options, effort, budget) = (encoding.options(), Effort::default(), eval.budget);
    match why::clash(&eval.model, &all, drawn, options, &mut *engine, effort, budget, &mut |_| ()) {
        Ok(Verdict::Clash(clash)) => {
            Ok(Finding::Clash(Reasons::of(&clash.rules, &[], positions, eval, &loaded.sources)?))
        }
        Ok(Verdict::Holds(_)) => Err(disagree().into()),
        Err(why::Fault::Stop(stop)) => Err(stop_diagnostic(stop).into()),
        Err(fault) => Err(with_sources(&loaded.sources)(why_fault(fault, eval))),
    }
}

fn tell(found: &Finding, printer: &mut Printer, format: Format) -> Result<(), Failure> {
    if format == Format::Json {
        let (verdict, rules, missing) = match found {
            Finding::Correct => ("correct", Vec::new(), &[][..]),
            Finding::Broken(reasons) => ("wrong", vec![("rules", reasons)], &[][..]),
            Finding::Clash(reasons) => ("wrong", vec![("together", reasons)], &[][..]),
            Finding::Unlike => ("wrong", Vec::new(), &[][..]),
            Finding::Missing(names) => ("incomplete", Vec::new(), &names[..]),
        };
        let mut fields = vec![("verdict".to_owned(), Data::Text(verdict.into()))];
        fields.extend(rules.into_iter().map(|(name, reasons)| (name.to_owned(), reasons.data())));
        if !missing.is_empty() {
            let names = missing.iter().cloned().map(Data::Text).collect();
            fields.push(("missing".to_owned(), Data::List(names)));
        }
        return printer.line(&render::json(&Data::Object(fields)));
    }
    match found {
        Finding::Correct => printer.remark("correct"),
        Finding::Broken(reasons) => {
            printer.remark("wrong")?;
            reasons.print(printer, true)
        }
        Finding::Clash(reasons) => {
            printer.remark("wrong: these cannot hold together with what is drawn")?;
            reasons.print(printer, true)
        }
        Finding::Unlike => printer.remark("wrong: no solution is drawn like this"),
        Finding::Missing(names) => {
            let have = if names.len() == 1 { "has" } else { "have" };
            printer.remark(&format!("incomplete: {} {have} no value", names.join(", ")))
        }
    }
}
