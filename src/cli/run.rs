//! `rebus run`: one solver on one file, with its answer in the format of the competitions; or on many files, with a
//! result line each.

use super::Outcome;
use super::args::LimitArgs;
use super::many::{ManyArgs, check_signal, print_table};
use super::terminal::Terminal;
use crate::diag::{Code, Diagnostic};
use crate::files::{self, Output, WriteFault};
use crate::render::Status;
use crate::run::results::{FAILED, Prints, ResultLine, Results};
use crate::run::solvers::{
    Extras, Places, Solver, Verdict, missing, note_unkept_limits, run_command, solve_file, table, version,
    write_answer,
};
use crate::run::threads::{Emit, in_order};
use crate::run::{Failure, Target};
use std::collections::BTreeSet;
use std::io::{BufRead, Read, Write};
use std::path::{Path, PathBuf};

/// Run one solver on formulas within limits: a step of a Makefile
#[derive(clap::Args, Debug)]
#[command(after_help = "EXAMPLES:
  rebus run kissat formula.cnf -o formula.kissat --timeout 60
  rebus run 'mysolver --fast {in} {out}' formula.cnf
  rebus run kissat formulas/ --timeout 60 --results kissat.jsonl      a line a formula; again, it does what is left

Of several formulas each has the limits for itself, and those that fail make the exit code 3.")]
pub struct Args {
    /// A solver's name (see `rebus solvers`), or a command with `{in}` and `{out}`
    solver: String,
    /// Formulas, packed or not; of a folder all that the solver reads
    #[arg(required = true, value_name = "FILE|FOLDER")]
    files: Vec<PathBuf>,
    /// Where the answer goes, standard output if left out; of several formulas a folder for FILE.answer
    #[arg(short, value_name = "FILE|FOLDER")]
    output: Option<PathBuf>,
    #[command(flatten)]
    many: ManyArgs,
    #[arg(long, value_name = "N")]
    seed: Option<u32>,
    /// A table of further solvers
    #[arg(long, value_name = "FILE")]
    solvers: Option<PathBuf>,
    #[command(flatten)]
    pub limits: LimitArgs,
}

pub fn run(args: &Args) -> Outcome {
    let table = table(args.solvers.as_ref())?;
    // clap requires at least one
    let first = args.files.first().map_or(Path::new("-"), PathBuf::as_path);
    let solver = table.named_or_typed(&args.solver, Target::of_file(first))?;
    note_unkept_limits(args.limits.budget().limits(), &Terminal);
    let extras = Extras { seed: args.seed, ..Extras::default() };
    match args.files.as_slice() {
        [file] if !file.is_dir() && !args.many.is_wanted() => one(args, &solver, file, extras),
        _ => several(args, &solver, extras),
    }
}

fn one(args: &Args, solver: &Solver, file: &Path, extras: Extras<'_>) -> Outcome {
    files::apart(args.output.as_deref(), &[file.to_owned()])?;
    let mut answer = Vec::new();
    run_command(solver, &Places::from_env(), file, extras, &args.limits.budget(), &mut answer)?;
    put(args.output.as_deref().unwrap_or(Path::new("-")), &answer)?;
    Ok(0)
}

fn put(path: &Path, answer: &[u8]) -> Result<(), Failure> {
    if path != Path::new("-") {
        // an interrupted run must not replace an answer
        check_signal()?;
    }
    let mut output = Output::create(path)?;
    let name = output.name().to_string();
    output.write_all(answer).map_err(|error| WriteFault::of(&name, &error))?;
    Ok(output.commit()?)
}

/// A formula, and what is known before it is solved.
struct Formula {
    path: PathBuf,
    digest: Result<u128, Diagnostic>,
}

fn several(args: &Args, solver: &Solver, extras: Extras<'_>) -> Outcome {
    let places = Places::from_env();
    let program = places.find(solver).ok_or_else(|| missing(solver))?;
    let version = version(solver, &program);
    let command = format!("{solver:?}");
    let options = format!("{version:?} {:?} {:?}", args.seed, args.limits);
    let formulas = formulas(&args.files, solver.format)?;
    let wanted: Vec<(String, String)> = formulas
        .iter()
        .map(|formula| {
            let digest = formula.digest.as_ref().map_or(String::new(), u128::to_string);
            let digest = files::fingerprint([&*command, &options, &digest]);
            (formula.path.display().to_string(), format!("{digest:032x}"))
        })
        .collect();
    if let Some(folder) = &args.output {
        let mut names = BTreeSet::new();
        if let Some(twice) = formulas.iter().find(|formula| !names.insert(formula.path.file_name())) {
            let message =
                format!("two formulas would have their answer in `{}`", answer_name(&twice.path).display());
            return Err(Diagnostic::error(Code::Usage, message)
                .help("leave `-o` out, or give each a name of its own")
                .into());
        }
        std::fs::create_dir_all(folder).map_err(|error| {
            Diagnostic::error(Code::Unwritable, format!("`{}` cannot be made: {error}", folder.display()))
        })?;
    }
    let mut results = Results::open(args.many.results.as_deref(), &wanted, Prints::Nothing, &Terminal)?;
    let todo = results.todo();
    let work = |_: &mut (), at: usize, emit: &mut Emit<'_, ResultLine>| {
        let at = todo[at];
        let (instance, digest) = wanted[at].clone();
        let mut line = ResultLine {
            instance,
            status: FAILED.into(),
            seconds: 0.0,
            variables: None,
            clauses: None,
            solver: solver.name.clone(),
            version: version.clone(),
            digest,
            differ: None,
            error: None,
        };
        match solved(args, solver, &places, &formulas[at], extras, &mut line) {
            Ok(()) => {}
            Err(Failure::Faults(faulty)) => {
                line.error = faulty.faults.first().map(|fault| fault.message.clone());
            }
            Err(failure) => return Err(failure),
        }
        emit(line)
    };
    let mut failed = false;
    let mut left = todo.iter();
    let mut take = |line: ResultLine| {
        check_signal()?;
        failed |= line.status == FAILED;
        match left.next() {
            Some(at) => results.put(*at, line),
            None => Ok(()),
        }
    };
    in_order(todo.len(), args.many.jobs(), &|| Ok(()), &work, &mut take)?;
    print_table(&results.finish()?);
    Ok(if failed { Code::SolverFailed.exit() } else { 0 })
}

/// The given files, and from folders those that hold formulas of the target, sorted by name.
fn formulas(paths: &[PathBuf], target: Target) -> Result<Vec<Formula>, Diagnostic> {
    let mut all = Vec::new();
    for path in paths {
        if !path.is_dir() {
            all.push(path.clone());
            continue;
        }
        let unreadable = |error: std::io::Error| {
            Diagnostic::error(Code::UnreadableFile, format!("`{}` cannot be read: {error}", path.display()))
        };
        let entries: Result<Vec<PathBuf>, _> = std::fs::read_dir(path)
            .map_err(unreadable)?
            .map(|entry| entry.map(|entry| entry.path()))
            .collect();
        let mut inside = entries.map_err(unreadable)?;
        inside.retain(|path| path.is_file() && Target::of_file(path) == Some(target));
        inside.sort();
        if inside.is_empty() {
            let message = format!("`{}` holds no formula `….{}`", path.display(), target.name());
            return Err(Diagnostic::error(Code::UnreadableFile, message));
        }
        all.append(&mut inside);
    }
    let digest = |path: &Path| {
        let mut source = files::open(path)?;
        files::digest(&mut source, target.comments()).map_err(|error| {
            Diagnostic::error(Code::UnreadableFile, format!("`{}` cannot be read: {error}", path.display()))
        })
    };
    Ok(all.into_iter().map(|path| Formula { digest: digest(&path), path }).collect())
}

/// Solves a formula and fills in its line.
fn solved(
    args: &Args,
    solver: &Solver,
    places: &Places,
    formula: &Formula,
    extras: Extras<'_>,
    line: &mut ResultLine,
) -> Result<(), Failure> {
    if let Err(fault) = &formula.digest {
        return Err(fault.clone().into());
    }
    (line.variables, line.clauses) = sizes(&formula.path)?.unzip();
    let budget = args.limits.budget_of_thread();
    let done = solve_file(solver, places, &formula.path, extras, &budget)?;
    line.seconds = done.elapsed.as_secs_f64();
    let status = match &done.verdict {
        Verdict::Satisfiable { optimal: true, .. } | Verdict::Covered { optimal: true, .. } => {
            Status::Optimal
        }
        Verdict::Counted(count) if count.number == "0" => Status::Unsatisfiable,
        Verdict::Satisfiable { .. } | Verdict::Covered { .. } | Verdict::Counted(_) => Status::Satisfiable,
        Verdict::Unsatisfiable => Status::Unsatisfiable,
        Verdict::Unknown(_) => Status::Unknown,
        Verdict::Failed(why) => {
            return Err(Diagnostic::error(Code::SolverFailed, why.clone()).into());
        }
    };
    if let Some(folder) = &args.output {
        let mut answer = Vec::new();
        write_answer(solver, line.version.as_deref(), &done, &mut answer)?;
        put(&folder.join(answer_name(&formula.path)), &answer)?;
    }
    line.status = status.name().into();
    Ok(())
}

fn answer_name(formula: &Path) -> PathBuf {
    let mut name = formula.file_name().unwrap_or_default().to_owned();
    name.push(".answer");
    PathBuf::from(name)
}

/// The bytes at the start of a formula that are searched for its header.
const MOST_HEADER: u64 = 1 << 20;

/// Variables and rows by the header: `p cnf 3 2`, `* #variable= 3 #constraint= 2`.
fn sizes(path: &Path) -> Result<Option<(u64, u64)>, Diagnostic> {
    let mut source = files::open(path)?.take(MOST_HEADER);
    let mut line = Vec::new();
    loop {
        line.clear();
        if !matches!(source.read_until(b'\n', &mut line), Ok(1..)) {
            return Ok(None);
        }
        let text = String::from_utf8_lossy(&line);
        let mut words = text.split_whitespace();
        let start = (words.next(), words.next());
        if matches!(start, (Some("p"), Some(_)) | (Some("*"), Some("#variable="))) {
            let mut numbers = words.filter_map(|word| word.parse().ok());
            return Ok(numbers.next().zip(numbers.next()));
        }
    }
}
