//! `rebus verify`: is a given answer a solution?

use super::args::{LimitArgs, ModelArgs};
use super::load::MOST_TEXT;
use super::{Outcome, all_with_sources, load, report, with_sources};
use crate::decode::{MOST_BROKEN, NoSolution, Solution};
use crate::diag::{Code, Diagnostic};
use crate::eval::{Eval, Given};
use crate::files;
use crate::import;
use crate::shared::harmless;
use std::io::Write;
use std::path::PathBuf;

/// Check a given answer against every rule
#[derive(clap::Args, Debug)]
#[command(after_help = "EXAMPLES:
  rebus verify sudoku board.clues answer.clues       answer.clues: x = \"\"\"…\"\"\"
  rebus solve sudoku board.clues -f json > a.json ; rebus verify sudoku board.clues a.json

The answer may be a board file of puzz.link (pzprv3) too.

Exit code 5 if it is no solution; an answer with gaps is incomplete, unless what is there breaks a rule already.")]
pub struct Args {
    #[command(flatten)]
    model: ModelArgs,
    #[command(flatten)]
    limits: LimitArgs,
}

pub fn run(args: &Args) -> Outcome {
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
    let drawn = import::answer(&text, file).transpose().map_err(with_sources(&loaded.sources))?;
    let (file, text) = match drawn {
        Some(drawn) => (loaded.sources.add(format!("{name} (imported)"), &drawn), drawn),
        None => (file, text),
    };
    let budget = args.limits.budget();
    let mut eval = Eval::new(&loaded.program, &budget);
    eval.declare_all().map_err(all_with_sources(&loaded.sources))?;
    let given = eval.given_values(file, &text).map_err(all_with_sources(&loaded.sources))?;
    let mut out = std::io::stdout().lock();
    let Given { positions, missing } = given;
    let broken = match positions.iter().copied().collect::<Option<Vec<u32>>>() {
        Some(whole) => match Solution::verify(&mut eval, &whole, &loaded.without) {
            Ok(_) => {
                writeln!(out, "correct")?;
                return Ok(0);
            }
            Err(NoSolution::Fault(fault)) => return Err(with_sources(&loaded.sources)(fault)),
            Err(NoSolution::Broken(rules)) => rules,
        },
        None => {
            // what is there may break a rule already
            eval.bind_some(&positions);
            eval.check_rules(&loaded.without, MOST_BROKEN).map_err(with_sources(&loaded.sources))?
        }
    };
    if broken.is_empty() {
        let have = if missing.len() == 1 { "has" } else { "have" };
        writeln!(out, "incomplete: {} {have} no value", missing.join(", "))?;
        return Ok(5);
    }
    writeln!(out, "wrong")?;
    for rule in &broken {
        let label = if rule.label.is_empty() { "a rule without label" } else { &rule.label };
        let place = loaded.sources.place(rule.span);
        writeln!(out, "  {}", harmless(&format!("{label}  ({place})"), &[]))?;
    }
    report(&eval.warnings, &loaded.sources);
    Ok(5)
}
