//! Solving with a stranger: the formula in a file, the answer read back, further answers by blocking clauses.

use super::emit::{Formula, ShowLine};
use super::load::Loaded;
use super::session::{End, Search};
use super::solve::Args;
use super::{Failure, solvers, with_sources};
use crate::decode::{Decoded, positions};
use crate::diag::{Code, Diagnostic};
use crate::encode::{Lit, symbols};
use crate::eval::Eval;
use crate::files::{Output, WriteFault};
use crate::shared::Stop;
use crate::solve::Verdict;
use crate::solve::external::{Extras, solve_file};
use crate::solve::find::Places;
use crate::solve::table::Format;
use std::io::Write;
use std::path::Path;

type Take<'t> = dyn FnMut(&mut Eval<'_>, &[u32], u64) -> Result<bool, Diagnostic> + 't;

/// Searches with the solver that was named.
pub fn search(
    args: &Args,
    loaded: &Loaded,
    eval: &mut Eval<'_>,
    take: &mut Take<'_>,
) -> Result<Search, Failure> {
    let table = solvers::table(args.solvers.as_ref())?;
    let solver = table.named_or_typed(args.solver.as_deref().unwrap_or_default(), Format::Cnf)?;
    if eval.program.objective.is_some() {
        return Err(Diagnostic::error(Code::Usage, "an objective is optimised by the embedded engine")
            .help("leave `--solver` out")
            .into());
    }
    let temporary;
    let folder: &Path = match &args.keep {
        Some(folder) => {
            std::fs::create_dir_all(folder).map_err(|error| {
                Diagnostic::error(Code::Unwritable, format!("`{}` cannot be made: {error}", folder.display()))
            })?;
            folder
        }
        None => {
            temporary = tempfile::TempDir::with_prefix("rebus-").map_err(|error| {
                Diagnostic::error(Code::Unwritable, format!("no temporary folder can be made: {error}"))
            })?;
            temporary.path()
        }
    };
    let path = folder.join("formula.cnf");
    let budget = eval.budget;
    let mut blocked: Vec<Vec<Lit>> = Vec::new();
    let mut formula = Formula::new(eval, &args.encoding).map_err(with_sources(&loaded.sources))?;
    let mut search = Search {
        found: 0,
        end: End::Exhausted,
        optimal: false,
        emission: formula.emission.clone(),
        clauses: formula.counted.clauses,
    };
    let extras = Extras { seed: (args.seed != 0).then_some(args.seed), proof: None };
    loop {
        let digest = write(&mut formula, &path, &blocked)?;
        if search.found == 0 && args.keep.is_some() {
            keep_map(&formula, digest, loaded, &folder.join("formula.cnf.map"))?;
        }
        let run = solve_file(&solver, &Places::from_env(), &path, extras, budget)?;
        let models = match run.verdict {
            Verdict::Satisfiable { models, .. } => models,
            Verdict::Unsatisfiable => return Ok(search),
            Verdict::Unknown(why) => {
                super::say(&format!("`{}` gave no answer: {why}", solver.name));
                search.end = End::Stopped(budget.check().err().unwrap_or(Stop::Time));
                return Ok(search);
            }
            Verdict::Failed(why) => {
                return Err(Diagnostic::error(
                    Code::SolverFailed,
                    format!("`{}` failed: {why}", solver.name),
                )
                .into());
            }
        };
        let Some(model) = models.first() else {
            return Err(
                Diagnostic::error(Code::SolverFailed, format!("`{}` gave no model", solver.name)).into()
            );
        };
        if args.keep.is_some() {
            keep_answer(model, &folder.join("answer"))?;
        }
        let mut on: Vec<Lit> = model.iter().copied().filter(|lit| *lit > 0).collect();
        on.sort_unstable();
        let is_true = |lit: Lit| on.binary_search(&lit).is_ok();
        let Ok(Decoded(values)) = positions(&search.emission.encodings, is_true) else {
            let message = format!("`{}` gave a variable no value, or two", solver.name);
            return Err(Diagnostic::error(Code::SolverFailed, message).into());
        };
        search.found += 1;
        let more = take(formula.eval, &values, search.found).map_err(with_sources(&loaded.sources))?;
        if !more || search.found >= args.most() {
            search.end = End::Enough;
            return Ok(search);
        }
        let answer = &search.emission.answer;
        if answer.is_empty() {
            return Ok(search);
        }
        blocked.push(answer.iter().map(|lit| if is_true(*lit) { -lit } else { *lit }).collect());
    }
}

fn write(formula: &mut Formula<'_, '_>, path: &Path, blocked: &[Vec<Lit>]) -> Result<u128, Failure> {
    let mut output = Output::create(path)?;
    let name = output.name().to_string();
    let digest = formula.write(&mut output, &name, ShowLine::Show, false, blocked)?;
    output.commit()?;
    Ok(digest)
}

fn keep_map(formula: &Formula<'_, '_>, digest: u128, loaded: &Loaded, path: &Path) -> Result<(), Failure> {
    let mut output = Output::create(path)?;
    let name = output.name().to_string();
    let map = formula.map(digest, loaded.texts.clone());
    symbols::write(&map, &mut output).map_err(|error| WriteFault::of(&name, &error))?;
    Ok(output.commit()?)
}

fn keep_answer(model: &[Lit], path: &Path) -> Result<(), Failure> {
    let mut output = Output::create(path)?;
    let name = output.name().to_string();
    let mut text = Vec::new();
    let written = writeln!(text, "s SATISFIABLE")
        .and_then(|()| crate::solve::competition::model(&mut text, model.iter().copied()))
        .and_then(|()| output.write_all(&text));
    written.map_err(|error| WriteFault::of(&name, &error))?;
    Ok(output.commit()?)
}
