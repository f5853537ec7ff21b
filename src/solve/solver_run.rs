//! Runs one solver on one formula.
//!
//! In: a [`Solver`], a formula in a file, a budget. Out: a [`Verdict`] whose models satisfy the formula, or a
//! diagnostic if the solver is not installed. The solver's files are in a folder that is removed afterwards, however
//! the run ended.

use super::checker::ProofForm;
use super::dimacs::Misfit;
use super::find::{Places, version};
use super::output::{Answer, Consume, Ended, Listed, parse};
use super::process::{Finished, Job, run};
use super::table::Solver;
use super::template::fill;
use super::temporary::Folder;
use super::{Count, Cover, Verdict, check_model};
use crate::diag::{Code, Diagnostic};
use crate::encode::{Lit, Target};
use crate::shared::{Budget, Stop};
use flate2::read::MultiGzDecoder;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Upper bound on the bytes of an unpacked formula on disk.
const MOST_UNPACKED: u64 = 1 << 36;

/// Optional inputs of a solver besides the formula.
#[derive(Clone, Copy, Debug, Default)]
pub struct Extras<'a> {
    pub seed: Option<u32>,
    /// Where to write a proof, in the format of its suffix.
    pub proof: Option<&'a Path>,
    /// The number of answers wanted from a solver that lists them.
    pub limit: Option<u64>,
    /// The receiver of answers while they arrive, unchecked; they are not in the verdict then.
    pub listing: Option<&'a SyncSender<Listed>>,
}

/// A run of a solver.
#[derive(Debug)]
pub struct SolverRun {
    pub verdict: Verdict,
    pub program: PathBuf,
    pub ended: Ended,
    pub elapsed: Duration,
}

/// Runs a solver on a formula, packed or not, and checks the models against the formula.
pub fn solve_file(
    solver: &Solver,
    places: &Places,
    formula: &Path,
    extras: Extras<'_>,
    budget: &Budget,
) -> Result<SolverRun, Diagnostic> {
    let program = places.find(solver).ok_or_else(|| missing(solver))?;
    if let Some(form) = extras.proof.map(ProofForm::of)
        && solver.proof_args(form).is_empty()
    {
        let name = form.name().to_uppercase();
        let message = format!("rebus does not know how to get a {name} proof from `{}`", solver.name);
        return Err(Diagnostic::error(Code::Usage, message));
    }
    if extras.seed.is_some() && solver.seed.is_empty() {
        let message = format!("rebus does not know how to give a seed to `{}`", solver.name);
        return Err(Diagnostic::error(Code::Usage, message));
    }
    let unreadable = |error: io::Error| {
        Diagnostic::error(Code::UnreadableFile, format!("`{}` cannot be read: {error}", formula.display()))
    };
    let failed = |error: io::Error| cannot_run(solver, &error);
    // Some solvers would read a folder or an empty pipe as a satisfiable formula.
    if !std::fs::metadata(formula).map_err(unreadable)?.is_file() {
        return Err(unreadable(io::Error::other("it is not a regular file")));
    }
    let best_alone;
    let solver = match solver.format == Target::Opb && has_objective(formula).map_err(unreadable)? {
        false => solver,
        true => {
            // the answers on the way to the best one are not wanted
            best_alone = Solver { limit: Vec::new(), all: Vec::new(), ..solver.clone() };
            &best_alone
        }
    };
    let folder = Folder::new().map_err(failed)?;
    let given = match given_file(solver, formula, folder.path(), budget).map_err(unreadable)? {
        Ok(given) => given,
        Err(stop) => {
            let verdict = Verdict::Unknown("the solver was not started in time".to_owned());
            return Ok(SolverRun { verdict, program, ended: Ended::Stopped(stop), elapsed: Duration::ZERO });
        }
    };
    let answer = folder.path().join("answer");
    let job = Job {
        program: program.clone(),
        args: arguments(solver, &given, &answer, extras, budget),
        stdin: solver.reads_stdin().then_some(given),
        folder: (!solver.typed).then(|| folder.path().to_owned()),
    };
    let (verdict, ended, elapsed) = if solver.writes_file() {
        let Finished { ended, stderr, elapsed, .. } = run(&job, Ignore, budget).map_err(failed)?;
        let verdict = match File::open(&answer) {
            Ok(file) => parse(solver.output, file, Some(ended), &stderr).map_err(failed)?,
            Err(_) => Answer::new(solver.output).finish(Some(ended), &stderr),
        };
        (verdict, ended, elapsed)
    } else {
        let answer = Answer::listing(solver.output, extras.listing.cloned());
        let finished = run(&job, answer, budget).map_err(failed)?;
        (finished.output.finish(Some(finished.ended), &finished.stderr), finished.ended, finished.elapsed)
    };
    if solver.format == Target::Xcc
        && (extras.limit, ended) == (Some(1), Ended::Exit(UNSATISFIABLE))
        && matches!(verdict, Verdict::Unknown(_))
        && !solver.all.is_empty()
    {
        // the solver prints that there is no solution only if it lists all of them
        return solve_file(solver, places, formula, Extras { limit: None, ..extras }, budget);
    }
    let verdict = checked(verdict, solver.format, formula);
    Ok(SolverRun { verdict, program, ended, elapsed })
}

fn cannot_run(solver: &Solver, error: &io::Error) -> Diagnostic {
    Diagnostic::error(Code::SolverFailed, format!("`{}` cannot be run: {error}", solver.name))
}

/// The competitions' exit code for "unsatisfiable".
const UNSATISFIABLE: i32 = 20;

/// How many answers a solver may be ahead of their consumer.
const AHEAD: usize = 64;
/// How often the budget is checked while no answer arrives.
const LOOK: Duration = Duration::from_millis(20);

/// A running solver that lists answers one by one. The solver waits for the consumer, so memory does not grow with
/// the number of answers. Dropping this ends the solver.
pub struct Listing {
    listed: Option<Receiver<Listed>>,
    /// Answers that came with the verdict, in reverse order.
    rest: Vec<Listed>,
    enough: Arc<AtomicBool>,
    run: Option<JoinHandle<Result<SolverRun, Diagnostic>>>,
    verdict: Option<Result<SolverRun, Diagnostic>>,
}

impl Listing {
    /// Starts the solver; see [`solve_file`] for the parameters. An error if no thread can be started.
    pub fn start(
        solver: &Solver,
        places: &Places,
        formula: &Path,
        extras: Extras<'_>,
        budget: &Budget,
    ) -> Result<Listing, Diagnostic> {
        let (to, listed) = sync_channel(AHEAD);
        let enough = Arc::new(AtomicBool::new(false));
        let inner = budget.slice(u64::MAX).cancelled_by(enough.clone());
        let (own, places, formula) = (solver.clone(), places.clone(), formula.to_owned());
        let (seed, limit, proof) = (extras.seed, extras.limit, extras.proof.map(Path::to_owned));
        let run = thread::Builder::new().spawn(move || {
            let extras = Extras { seed, limit, proof: proof.as_deref(), listing: Some(&to) };
            solve_file(&own, &places, &formula, extras, &inner)
        });
        let run = run.map_err(|error| cannot_run(solver, &error))?;
        Ok(Listing { listed: Some(listed), rest: Vec::new(), enough, run: Some(run), verdict: None })
    }

    /// The next answer, unchecked; `None` when there are no more, or the budget has ended.
    pub fn next(&mut self, budget: &Budget) -> Option<Listed> {
        while let Some(listed) = &self.listed {
            match listed.recv_timeout(LOOK) {
                Ok(answer) => return Some(answer),
                Err(RecvTimeoutError::Timeout) if budget.check().is_ok() => {}
                Err(_) => self.end(),
            }
            if budget.check().is_err() {
                self.end();
            }
        }
        self.rest.pop()
    }

    /// Ends the solver if it still runs; the answers of its verdict remain.
    fn end(&mut self) {
        self.enough.store(true, Ordering::Relaxed);
        self.listed = None;
        let Some(run) = self.run.take() else { return };
        let done = run.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        self.rest = match done.as_ref().map(|done| &done.verdict) {
            Ok(Verdict::Satisfiable { models, .. }) => models.iter().cloned().map(Listed::Model).collect(),
            Ok(Verdict::Covered { covers, .. }) => covers.iter().cloned().map(Listed::Cover).collect(),
            _ => Vec::new(),
        };
        self.rest.reverse();
        self.verdict = Some(done);
    }

    /// The result of the run; answers that were not yet listed are lost.
    pub fn finish(&mut self) -> Result<SolverRun, Diagnostic> {
        self.end();
        let lost = || Diagnostic::error(Code::SolverFailed, "the end of the solver was told already");
        self.verdict.take().unwrap_or_else(|| Err(lost()))
    }
}

impl Drop for Listing {
    fn drop(&mut self) {
        self.enough.store(true, Ordering::Relaxed);
        self.listed = None;
        if let Some(run) = self.run.take() {
            // the verdict is not needed
            let _ = run.join();
        }
    }
}

/// `rebus run`: a solver's answer in the format of the competitions, with the solver's name. Nothing is written if
/// the solver failed.
pub fn run_command(
    solver: &Solver,
    places: &Places,
    formula: &Path,
    extras: Extras<'_>,
    budget: &Budget,
    out: &mut dyn Write,
) -> Result<(), Diagnostic> {
    let done = solve_file(solver, places, formula, extras, budget)?;
    write_answer(solver, version(solver, &done.program).as_deref(), &done, out)
}

/// The answer of a run in the format of [`run_command`].
pub fn write_answer(
    solver: &Solver,
    version: Option<&str>,
    done: &SolverRun,
    out: &mut dyn Write,
) -> Result<(), Diagnostic> {
    let covers = solver.format == Target::Xcc;
    let write = |out: &mut dyn Write| -> io::Result<()> {
        let mark = if covers { '|' } else { 'c' };
        write!(out, "{mark} solver {}", solver.name)?;
        match version {
            Some(version) => writeln!(out, " {version}")?,
            None => writeln!(out)?,
        }
        writeln!(out, "{mark} seconds {:.2}", done.elapsed.as_secs_f64())?;
        match &done.verdict {
            Verdict::Covered { covers, complete, .. } => write_covers(out, covers, *complete),
            Verdict::Unsatisfiable if covers => write_covers(out, &[], true),
            Verdict::Unknown(why) if covers => writeln!(out, "| {why}\nTIMEOUT!"),
            Verdict::Satisfiable { models, optimal, .. } => {
                writeln!(out, "s {}", if *optimal { "OPTIMUM FOUND" } else { "SATISFIABLE" })?;
                models.iter().try_for_each(|model| super::competition::model(out, model.iter().copied()))
            }
            Verdict::Unsatisfiable => writeln!(out, "s UNSATISFIABLE"),
            Verdict::Counted(count) => write_count(out, count),
            Verdict::Unknown(why) => writeln!(out, "c {why}\ns UNKNOWN"),
            Verdict::Failed(_) => Ok(()),
        }?;
        out.flush()
    };
    if let Verdict::Failed(why) = &done.verdict {
        return Err(Diagnostic::error(Code::SolverFailed, format!("`{}` failed: {why}", solver.name)));
    }
    write(out).map_err(|error| {
        Diagnostic::error(Code::Unwritable, format!("the answer cannot be written: {error}"))
    })
}

/// Solutions in the format of Knuth's programs, followed by their number if these are all.
fn write_covers(out: &mut dyn Write, covers: &[Cover], complete: bool) -> io::Result<()> {
    for (at, cover) in covers.iter().enumerate() {
        writeln!(out, "{}:", at + 1)?;
        cover.iter().try_for_each(|option| writeln!(out, " {}", option.join(" ")))?;
    }
    match covers.len() {
        _ if !complete => Ok(()),
        1 => writeln!(out, "Altogether 1 solution, as told"),
        n => writeln!(out, "Altogether {n} solutions, as told"),
    }
}

/// In the format of the Model Counting Competition.
fn write_count(out: &mut dyn Write, count: &Count) -> io::Result<()> {
    writeln!(out, "s {}SATISFIABLE", if count.number == "0" { "UN" } else { "" })?;
    writeln!(out, "c s type {}", if count.unprojected { "mc" } else { "pmc" })?;
    writeln!(out, "c s {} arb int {}", if count.exact { "exact" } else { "approx" }, count.number)
}

/// A diagnostic for a solver that is not installed.
pub fn missing(solver: &Solver) -> Diagnostic {
    let fault = Diagnostic::error(Code::SolverMissing, format!("the solver `{}` is not here", solver.name));
    if let Some(path) = solver.needs.iter().find(|path| !Path::new(path).exists()) {
        return fault.note(format!("it needs `{path}`"));
    }
    if solver.command.contains('/') {
        return fault.note(format!("there is no program `{}`", solver.command));
    }
    fault
        .note(format!("looked for `{}` in $REBUS_SOLVER_PATH, $PATH and $VIRTUAL_ENV", solver.command))
        .help(format!("set {} to the program", solver.variable()))
}

/// The formula as the solver can read it: the file itself, or an unpacked copy.
fn given_file(
    solver: &Solver,
    formula: &Path,
    folder: &Path,
    budget: &Budget,
) -> io::Result<Result<PathBuf, Stop>> {
    let mut magic = Vec::new();
    File::open(formula)?.take(2).read_to_end(&mut magic)?;
    let packed = magic == [0x1f, 0x8b];
    let named = formula.extension().is_some_and(|suffix| suffix == "gz");
    if packed == named && (!packed || solver.gz && !solver.reads_stdin()) {
        // Absolute, so that a name that begins with `-` is not read as an option.
        return std::path::absolute(formula).map(Ok);
    }
    // some solvers detect the format by the suffix
    let path = folder.join(format!("formula.{}", solver.format.name()));
    let mut out = BufWriter::new(File::create(&path)?);
    let mut unpacked = open_formula(formula)?.take(MOST_UNPACKED);
    // a small packed file may expand to a very large one
    while io::copy(&mut unpacked.by_ref().take(1 << 20), &mut out)? > 0 {
        if let Err(stop) = budget.check() {
            return Ok(Err(stop));
        }
    }
    if unpacked.limit() == 0 {
        return Err(io::Error::other("it is too large when unpacked"));
    }
    out.flush()?;
    Ok(Ok(path))
}

/// A formula's bytes, unpacked if need be.
fn has_objective(formula: &Path) -> io::Result<bool> {
    open_formula(formula).map(super::opb::has_objective)
}

fn open_formula(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let mut file = BufReader::with_capacity(1 << 16, File::open(path)?);
    match file.fill_buf()?.starts_with(&[0x1f, 0x8b]) {
        true => Ok(Box::new(BufReader::with_capacity(1 << 16, MultiGzDecoder::new(file)))),
        false => Ok(Box::new(file)),
    }
}

fn arguments(
    solver: &Solver,
    formula: &Path,
    answer: &Path,
    extras: Extras<'_>,
    budget: &Budget,
) -> Vec<OsString> {
    let mut args = Vec::new();
    if let Some(left) = budget.remaining() {
        // Whole seconds, never less than the limit of rebus itself.
        let seconds =
            left.as_secs().saturating_add(u64::from(left.subsec_nanos() > 0)).clamp(1, i32::MAX as u64);
        args.extend(
            solver.time.iter().map(|arg| OsString::from(arg.replace("{seconds}", &seconds.to_string()))),
        );
    }
    if let Some(seed) = extras.seed {
        args.extend(solver.seed.iter().map(|arg| OsString::from(arg.replace("{seed}", &seed.to_string()))));
    }
    if let Some(limit) = extras.limit {
        args.extend(
            solver.limit.iter().map(|arg| OsString::from(arg.replace("{limit}", &limit.to_string()))),
        );
    }
    if extras.limit.is_none() || extras.limit != Some(1) && solver.limit.is_empty() {
        args.extend(solver.all.iter().map(OsString::from));
    }
    args.extend(solver.args.iter().map(|arg| fill(arg, &[("{in}", formula), ("{out}", answer)])));
    if let Some(proof) = extras.proof {
        let proof = std::path::absolute(proof).unwrap_or_else(|_| proof.to_owned());
        let args_of = solver.proof_args(ProofForm::of(&proof));
        args.extend(args_of.iter().map(|arg| fill(arg, &[("{proof}", &proof)])));
    }
    args
}

/// Does a model satisfy the formula in a file?
pub fn fits(target: Target, formula: &Path, model: &[Lit]) -> Result<(), Misfit> {
    let reader = open_formula(formula).map_err(|error| Misfit::Formula(error.into()))?;
    check_model(target, reader, model)
}

/// Models are accepted only if they satisfy the formula.
fn checked(verdict: Verdict, target: Target, formula: &Path) -> Verdict {
    let Verdict::Satisfiable { models, .. } = &verdict else { return verdict };
    for model in models {
        if let Err(misfit) = fits(target, formula, model) {
            return Verdict::Failed(format!("the model is wrong: {misfit}"));
        }
    }
    verdict
}

/// Ignores the output of a program that writes its answer to a file.
struct Ignore;

impl Consume for Ignore {
    fn feed(&mut self, _: &[u8]) {}
}
