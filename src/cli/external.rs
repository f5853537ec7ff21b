//! Solving with a stranger: the formula in a file, the answer read back, further answers by blocking clauses.

use super::args::{EncodingArgs, SolverArgs};
use super::emit::Emit;
use super::load::Loaded;
use super::proof::Plan;
use super::session::{self, End, Search, Take};
use super::{Failure, cover, optimum, solvers, with_sources};
use crate::decode::{Decoded, positions};
use crate::diag::{Code, Diagnostic};
use crate::encode::symbols::WordTable;
use crate::encode::wcnf::WcnfForm;
use crate::encode::xcc::Dialect;
use crate::encode::{Form, Lit, Target, symbols};
use crate::eval::{Eval, stop_diagnostic};
use crate::files::{Output, WriteFault};
use crate::shared::Budget;
use crate::solve::Verdict;
use crate::solve::external::{Extras, solve_file};
use crate::solve::find::Places;
use crate::solve::refute::refute;
use crate::solve::table::Solver;
use std::collections::BTreeSet;
use std::io::Write;
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
    if eval.model.objective.is_some() && question.proof.is_some() {
        let message = "a proof is about the rules alone, and here is an objective";
        let fault = Diagnostic::error(Code::Usage, message);
        return Err(fault.help("leave `--proof` and `--check-proof` out").into());
    }
    match solver {
        Some(solver) => {
            solvers::tell_unkept(eval.budget.limits());
            let who = Who::Solver(&solver);
            let mut ask = |eval: &mut Eval<'_>, most: u64, take: &mut Take<'_>| {
                search(&Question { most, ..*question }, &who, loaded, eval, take)
            };
            match who.format().has_objective() {
                true => ask(eval, question.most, take),
                false => optimum::search(eval, question.most, &loaded.sources, &mut ask, take),
            }
        }
        None if question.proof.is_some() => search(question, &Who::Embedded, loaded, eval, take),
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

/// The solver that was named, else the first that is here for the kind of formula; `None` is the embedded engine.
fn chosen(args: &SolverArgs) -> Result<Option<Solver>, Failure> {
    let target = args.to.unwrap_or(Target::Cnf);
    if args.solver.is_none() && matches!(target, Target::Cnf | Target::Xcc) {
        return Ok(None);
    }
    let table = solvers::table(args.solvers.as_ref())?;
    if let Some(name) = &args.solver {
        return Ok(Some(table.named_or_typed(name, args.to)?));
    }
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

/// Who gets the file.
enum Who<'s> {
    /// The embedded engine, for the sake of a proof.
    Embedded,
    Solver(&'s Solver),
}

impl Who<'_> {
    fn name(&self) -> &str {
        match self {
            Who::Embedded => "embedded",
            Who::Solver(solver) => &solver.name,
        }
    }

    fn format(&self) -> Target {
        match self {
            Who::Embedded => Target::Cnf,
            Who::Solver(solver) => solver.format,
        }
    }

    fn wcnf(&self) -> WcnfForm {
        match self {
            Who::Solver(solver) if solver.old => WcnfForm::Old,
            _ => WcnfForm::New,
        }
    }

    /// What it reads of exact covers.
    fn dialect(&self) -> Dialect {
        match self {
            Who::Embedded => Dialect::default(),
            Who::Solver(solver) => solver.dialect,
        }
    }

    fn run(
        &self,
        formula: &Path,
        seed: u32,
        proof: Option<&Path>,
        limit: Option<u64>,
        budget: &Budget,
    ) -> Result<Verdict, Diagnostic> {
        match self {
            Who::Embedded => refute(formula, proof, seed, budget),
            Who::Solver(solver) => {
                let extras = Extras { seed: (seed != 0).then_some(seed), proof, limit };
                Ok(solve_file(solver, &Places::from_env(), formula, extras, budget)?.verdict)
            }
        }
    }
}

fn search(
    question: &Question<'_>,
    who: &Who<'_>,
    loaded: &Loaded,
    eval: &mut Eval<'_>,
    take: &mut Take<'_>,
) -> Result<Search, Failure> {
    if question.proof.is_some() && who.format() != Target::Cnf {
        let message = format!("a proof is about a CNF formula, `{}` reads another kind", who.name());
        return Err(Diagnostic::error(Code::Usage, message).into());
    }
    let temporary;
    let folder: &Path = match question.keep {
        Some(folder) => {
            made(folder)?;
            folder
        }
        None => {
            temporary = tempfile::TempDir::with_prefix("rebus-").map_err(|error| {
                Diagnostic::error(Code::Unwritable, format!("no temporary folder can be made: {error}"))
            })?;
            temporary.path()
        }
    };
    let name = format!("formula.{}", who.format().name());
    let path = folder.join(&name);
    let budget = eval.budget;
    let dialect = who.dialect();
    // kin of Knuth's programs hold more or less, and say themselves what is too much
    let fits = who.name() == dialect.name();
    let form = Form { wcnf: who.wcnf(), xcc: question.encoding.cover(dialect), fits, ..Form::default() };
    let mut emit =
        Emit::new(eval, who.format(), question.encoding, form).map_err(with_sources(&loaded.sources))?;
    let objective = emit.eval.model.objective;
    let mut search = Search {
        found: 0,
        end: End::Exhausted,
        optimal: false,
        emission: emit.formula.emission().clone(),
        sizes: emit.formula.sizes(),
        proof: None,
    };
    // several answers may be the same in what tells them apart
    let limited = question.most == 1 || (question.most < u64::MAX && emit.eval.model.answer.is_none());
    let limit = limited.then_some(question.most);
    let told = emit.formula.told();
    let words = WordTable::of(&told);
    let proof = question.proof.map(|plan| (plan, plan.file(folder)));
    // clauses that exclude answers, and models that break what the formula leaves out
    let mut further: Vec<Vec<Lit>> = Vec::new();
    loop {
        let digest = write(&mut emit, &path, &further)?;
        if search.found == 0 && question.keep.is_some() {
            keep_map(&emit, digest, loaded, &folder.join(name.clone() + ".map"))?;
        }
        let file = proof.as_ref().map(|(_, file)| file.as_path());
        if let Some(file) = file {
            // of an earlier formula
            let _ = std::fs::remove_file(file);
        }
        let verdict = who.run(&path, question.seed, file, limit, budget)?;
        let verdict = match who.format() {
            Target::Xcc => verdict.told_by(|cover| words.literals(cover, budget)).map_err(stop_diagnostic)?,
            _ => verdict,
        };
        let (models, complete, optimal) = match verdict {
            Verdict::Satisfiable { models, complete, optimal } => (models, complete, optimal),
            Verdict::Unsatisfiable => {
                if let Some((plan, file)) = &proof {
                    search.proof = Some(plan.settle(&path, file, budget)?);
                }
                return Ok(search);
            }
            Verdict::Unknown(why) => {
                super::say(&format!("`{}` gave no answer: {why}", who.name()));
                search.end = budget.check().map_or_else(End::Stopped, |()| End::GaveUp);
                return Ok(search);
            }
            Verdict::Covered { .. } => return Err(failed(who, "answered with an exact cover").into()),
            Verdict::Failed(why) => return Err(failed(who, &format!("failed: {why}")).into()),
        };
        // without an objective every model is an answer, with one the last is the best
        let first = if objective.is_some() { models.len().saturating_sub(1) } else { 0 };
        // models may differ in what no answer tells
        let mut seen: BTreeSet<Vec<Lit>> = BTreeSet::new();
        for model in &models[first..] {
            if question.keep.is_some() {
                keep_answer(model, &folder.join("answer"))?;
            }
            let mut on: Vec<Lit> = model.iter().copied().filter(|lit| *lit > 0).collect();
            on.sort_unstable();
            let is_true = |lit: Lit| on.binary_search(&lit).is_ok();
            let Ok(Decoded(values)) = positions(&search.emission.encodings, is_true) else {
                return Err(failed(who, "gave a variable no value, or two").into());
            };
            let before = further.len();
            search.emission.lazy.iter().for_each(|lazy| lazy.cuts(|lit| Some(is_true(lit)), &mut further));
            if further.len() > before {
                continue;
            }
            let answer = &search.emission.answer;
            let clause: Vec<Lit> = answer.iter().map(|lit| if is_true(*lit) { -lit } else { *lit }).collect();
            if !seen.insert(clause.clone()) {
                continue;
            }
            let mut last = false;
            if let Some(objective) = objective {
                let cost = emit.eval.model.cost(objective, &values);
                match emit.cost {
                    Some(best) if cost > best => return Ok(search),
                    Some(_) => {}
                    None => {
                        let constant = search.emission.cost.as_ref().is_none_or(|cost| cost.terms.is_empty());
                        search.optimal = optimal || constant;
                        last = !search.optimal;
                        emit.cost = Some(cost);
                    }
                }
            }
            further.push(clause);
            search.found += 1;
            let more = take(emit.eval, &values).map_err(with_sources(&loaded.sources))?;
            if last {
                // the best that the solver has found, and no proof
                search.end = budget.check().map_or_else(End::Stopped, |()| End::GaveUp);
                return Ok(search);
            }
            if !more || search.found >= question.most {
                search.end = End::Enough;
                return Ok(search);
            }
        }
        if models.is_empty() {
            return Err(failed(who, "gave no model").into());
        }
        if complete && objective.is_none() || (search.found > 0 && search.emission.answer.is_empty()) {
            return Ok(search);
        }
        if !emit.formula.takes_clauses() {
            search.end = End::GaveUp;
            return Ok(search);
        }
    }
}

/// Makes a folder, if it is not there.
fn made(folder: &Path) -> Result<(), Diagnostic> {
    std::fs::create_dir_all(folder).map_err(|error| {
        Diagnostic::error(Code::Unwritable, format!("`{}` cannot be made: {error}", folder.display()))
    })
}

fn failed(who: &Who<'_>, what: &str) -> Diagnostic {
    Diagnostic::error(Code::SolverFailed, format!("`{}` {what}", who.name()))
}

fn write(emit: &mut Emit<'_, '_>, path: &Path, further: &[Vec<Lit>]) -> Result<u128, Failure> {
    let mut output = Output::create(path)?;
    let name = output.name().to_string();
    let digest = emit.write(&mut output, &name, "", false, further)?;
    output.commit()?;
    Ok(digest)
}

fn keep_map(emit: &Emit<'_, '_>, digest: u128, loaded: &Loaded, path: &Path) -> Result<(), Failure> {
    let mut output = Output::create(path)?;
    let name = output.name().to_string();
    let map = emit.map(digest, loaded.texts.clone());
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
