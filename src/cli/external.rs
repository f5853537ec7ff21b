//! Who is asked: the embedded engines, or a solver that was named or is here.

use super::args::{EncodingArgs, SolverArgs};
use super::emit::Emit;
use super::load::Loaded;
use super::proof::Plan;
use super::rounds::{self, keep_map, made, write};
use super::session::{self, Search, Take};
use super::{Failure, certificate, cover, optimum, solvers, with_sources};
use crate::diag::{Code, Diagnostic};
use crate::encode::{Form, Target};
use crate::eval::Eval;
use crate::solve::find::Places;
use crate::solve::table::Solver;
use std::path::Path;

/// What is wanted of whom.
pub struct Question<'a> {
    pub solver: &'a SolverArgs,
    pub encoding: &'a EncodingArgs,
    pub seed: u32,
    /// So many answers at most.
    pub most: u64,
    /// Where formula, map and answer are kept.
    pub keep: Option<&'a Path>,
    /// A proof that there are no further answers.
    pub proof: Option<&'a Plan<'a>>,
}

/// Searches with the embedded engine or with the solver that was named.
pub fn ask(
    question: &Question<'_>,
    loaded: &Loaded,
    eval: &mut Eval<'_>,
    take: &mut Take<'_>,
) -> Result<Search, Failure> {
    let solver = chosen(question.solver)?;
    if let (None, Some(plan)) = (&solver, question.proof) {
        return certificate::search(question, plan, loaded, eval, take);
    }
    match solver {
        Some(solver) if solver.counts() => {
            let message = format!("`{}` counts solutions, it finds none", solver.name);
            let help = format!("`rebus count … --solver {}`", solver.name);
            Err(Diagnostic::error(Code::Usage, message).help(help).into())
        }
        Some(solver) => {
            solvers::tell_unkept(eval.budget.limits());
            let mut ask = |eval: &mut Eval<'_>, most: u64, take: &mut Take<'_>| {
                rounds::search(&Question { most, ..*question }, &solver, loaded, eval, take)
            };
            match solver.format.has_objective() {
                true => ask(eval, question.most, take),
                false => optimum::search(eval, question.most, &loaded.sources, &mut ask, take),
            }
        }
        None if question.solver.to == Some(Target::Xcc) => {
            let mut ask = |eval: &mut Eval<'_>, most: u64, take: &mut Take<'_>| {
                cover::search(eval, question.encoding, question.seed, most, take)
                    .map_err(with_sources(&loaded.sources))
            };
            optimum::search(eval, question.most, &loaded.sources, &mut ask, take)
        }
        None => {
            if let Some(folder) = question.keep {
                let mut emit = Emit::new(eval, Target::Cnf, question.encoding, Form::default())
                    .map_err(with_sources(&loaded.sources))?;
                made(folder)?;
                let path = folder.join("formula.cnf");
                let digest = write(&mut emit, &path, &[])?;
                keep_map(&emit, digest, loaded, &folder.join("formula.cnf.map"))?;
            }
            session::search(eval, question.encoding, question.seed, question.most, take)
                .map_err(with_sources(&loaded.sources))
        }
    }
}

/// The solver that was named.
pub fn named(args: &SolverArgs) -> Result<Option<Solver>, Failure> {
    let Some(name) = &args.solver else { return Ok(None) };
    let solver = solvers::table(args.solvers.as_ref())?.named_or_typed(name, args.to)?;
    match args.lists {
        false => Ok(Some(solver)),
        true if solver.typed => Ok(Some(solver.listing())),
        true => {
            Err(Diagnostic::error(Code::Usage, format!("`--lists` is for a command, and `{name}` is known"))
                .help("whether it lists all answers is in the table of solvers")
                .into())
        }
    }
}

/// The solver that was named, else the first that is here for the kind of formula; `None` is the embedded engine.
fn chosen(args: &SolverArgs) -> Result<Option<Solver>, Failure> {
    let target = args.to.unwrap_or(Target::Cnf);
    if args.solver.is_none() && matches!(target, Target::Cnf | Target::Xcc) {
        return Ok(None);
    }
    if args.solver.is_some() {
        return named(args);
    }
    let table = solvers::table(args.solvers.as_ref())?;
    let readers: Vec<&Solver> = table.iter().filter(|solver| solver.format == target).collect();
    let places = Places::from_env();
    if let Some(solver) = readers.iter().find(|solver| places.find(solver).is_some()) {
        super::say(&format!("solving with `{}`", solver.name));
        return Ok(Some((*solver).clone()));
    }
    let names: Vec<&str> = readers.iter().map(|solver| solver.name.as_str()).collect();
    let fault = Diagnostic::error(Code::SolverMissing, format!("no solver for {} is here", target.name()));
    Err(match names.as_slice() {
        [] => fault.note("none is known; `--solvers FILE` tells of others"),
        names => fault.note(format!("these would do: {}", names.join(", "))),
    }
    .into())
}
