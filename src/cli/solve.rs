//! `rebus solve`: compile, solve, decode, verify, draw.

use super::args::{EncodingArgs, LimitArgs, ModelArgs, OutputArgs, SolverArgs};
use super::many::ManyArgs;
use super::proof::{self, ProofArgs};
use super::show::{Printer, only_text};
use super::terminal::Terminal;
use super::{Outcome, report, say};
use crate::decode::Solution;
use crate::diag::{Code, Diagnostic, Sources};
use crate::eval::{Eval, stop_diagnostic};
use crate::render::{self, Status};
use crate::run::instances::Only;
use crate::run::{End, Engine, Loaded, Question, Search, stages};
use crate::shared::Budget;
use std::path::PathBuf;

/// Solve a puzzle and draw it
#[derive(clap::Args, Debug)]
#[command(after_help = "EXAMPLES:
  rebus solve sudoku -D clue=53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
  rebus solve knightdoku knightdoku-1.clues --unique
  rebus solve row --all
  rebus solve sudoku board.clues --unique --check-proof    certified by a checker, not believed
  rebus solve model.rebus board.clues --unique --proof p.drat
  rebus solve model.rebus board.clues --solver kissat --timeout 60
  rebus solve sudoku --each clue=boards.txt -f json        a line a board
  rebus solve sudoku --each clue=boards.txt --results boards.jsonl --timeout 10 > boards.txt.solved
  rebus solve row --all -f html > row.html                 a page that marks where they differ
  rebus solve sudoku --each clue=boards.txt --unique       of each board whether its solution is the only one
  rebus solve sudoku --each clue=boards.txt -f html > boards.html

With `--jobs` or `--results` the instances of `--each` are solved several at a time and `--timeout` holds for each.")]
pub struct Args {
    #[command(flatten)]
    pub model: ModelArgs,
    /// All solutions
    #[arg(long, conflicts_with_all = ["limit", "unique"])]
    pub all: bool,
    /// At most N solutions
    #[arg(long, value_name = "N", conflicts_with = "unique")]
    pub limit: Option<u64>,
    /// Is there just one solution? If not, shows where a second differs (exit code 5)
    #[arg(long)]
    pub unique: bool,
    #[command(flatten)]
    pub solver: SolverArgs,
    #[command(flatten)]
    pub proof: ProofArgs,
    /// Keep formula, map and the answer of the solver that was named in a folder
    #[arg(long, value_name = "DIR")]
    pub keep: Option<PathBuf>,
    /// Many instances: NAME=FILE, a line a value as for -D, or FILE.jsonl, a line an object
    #[arg(long, value_name = "NAME=FILE", conflicts_with_all = ["solver", "to", "keep", "proof", "check_proof"])]
    pub each: Option<String>,
    #[command(flatten)]
    pub many: ManyArgs,
    /// Sizes, encodings and times on standard error
    #[arg(long)]
    pub stats: bool,
    #[arg(long, default_value_t, value_name = "N")]
    pub seed: u32,
    /// Exit with 10 for satisfiable, 20 for unsatisfiable
    #[arg(long)]
    pub exit_code: bool,
    #[command(flatten)]
    pub form: OutputArgs,
    #[command(flatten)]
    pub encoding: EncodingArgs,
    #[command(flatten)]
    pub limits: LimitArgs,
}

impl Args {
    /// Upper bound on the number of solutions.
    pub fn most(&self) -> u64 {
        match (self.all, self.unique, self.limit) {
            (true, ..) => u64::MAX,
            (_, true, _) => 2,
            (_, _, Some(limit)) => limit,
            _ => 1,
        }
    }
}

pub fn run(args: &Args) -> Outcome {
    if args.many.is_wanted() {
        let fault = Diagnostic::error(Code::Usage, "`--jobs` and `--results` are for many instances");
        return Err(fault.help("add `--each`").into());
    }
    let loaded = args.model.load()?;
    solve(args, &loaded).map_err(|failure| failure.within(&loaded.sources))
}

fn solve(args: &Args, loaded: &Loaded) -> Outcome {
    let budget = args.limits.budget();
    let mut eval = stages::start(loaded, &budget, &Terminal)?;
    let grounded = budget.elapsed();
    let mut printer = Printer::new(&args.form);
    printer.know(&args.model.model, &mut eval)?;
    if args.most() == 0 {
        return Ok(0);
    }
    let plan = args.proof.plan(&args.solver, &loaded.files)?;
    let solver = args.solver.wish().chosen(&Terminal)?;
    let encoding = args.encoding.encoding();
    let question = Question {
        engine: Engine::of(solver.as_ref(), args.solver.to),
        seed: args.seed,
        keep: args.keep.as_deref(),
        proof: plan.as_ref(),
        ..Question::new(loaded, &encoding, args.most(), &Terminal)
    };
    let mut solutions: Vec<Solution> = Vec::new();
    let mut objective = None;
    let search = question.solutions(&mut eval, &mut |_, solution| {
        objective = solution.objective();
        match args.unique {
            true => solutions.push(solution),
            false => printer.solution(&solution)?,
        }
        Ok(true)
    })?;
    if args.stats {
        stats(&eval, &search, &budget, grounded);
    }
    if let Some(proof) = &search.proof {
        printer.also("proof", proof.data());
    }
    let code = match args.unique {
        true => unique(args, &loaded.sources, &mut printer, &solutions, &search),
        false => finish(args, loaded, &mut printer, &search, objective),
    }?;
    if plan.is_none() {
        return Ok(code);
    }
    proven(&search, code, &mut printer)
}

/// Prints the result of the proof; returns the exit code that includes it.
fn proven(search: &Search, code: u8, printer: &mut Printer) -> Outcome {
    match proof::verdict(search.proof.as_ref(), search.found > 0, search.optimal, search.end) {
        Ok(Some(verified)) => {
            printer.remark(&verified)?;
            printer.flush()?;
            Ok(code)
        }
        Ok(None) => Ok(code),
        Err(fault) => Ok(report(&[fault], &Sources::default())),
    }
}

/// Prints the status line; returns the exit code.
fn finish(
    args: &Args,
    loaded: &Loaded,
    printer: &mut Printer,
    search: &Search,
    objective: Option<i64>,
) -> Outcome {
    let complete = search.end == End::Exhausted;
    let status = match (search.found, search.end) {
        (0, End::Exhausted) => Status::Unsatisfiable,
        (0, _) => Status::Unknown,
        _ if search.optimal => Status::Optimal,
        _ => Status::Satisfiable,
    };
    printer.status(status, complete, objective)?;
    match search.end {
        End::Stopped(stop) => {
            report(&[stop_diagnostic(stop)], &loaded.sources);
            return Ok(4);
        }
        End::GaveUp => return Ok(4),
        _ => {}
    }
    Ok(match status {
        _ if !args.exit_code => 0,
        Status::Unsatisfiable => 20,
        _ => 10,
    })
}

fn unique(
    args: &Args,
    sources: &Sources,
    printer: &mut Printer,
    solutions: &[Solution],
    search: &Search,
) -> Outcome {
    for solution in solutions {
        printer.solution(solution)?;
    }
    if let [first, second] = solutions {
        let only = Only::No(render::differences(first.values(), second.values()));
        printer.remark(&only_text(&only))?;
        printer.status(Status::Satisfiable, false, None)?;
        return Ok(5);
    }
    if search.was_cut_short() {
        printer.status(
            if solutions.is_empty() { Status::Unknown } else { Status::Satisfiable },
            false,
            None,
        )?;
        if let End::Stopped(stop) = search.end {
            report(&[stop_diagnostic(stop)], sources);
        }
        return Ok(4);
    }
    if solutions.is_empty() {
        printer.status(Status::Unsatisfiable, true, None)?;
        return Ok(5);
    }
    printer.remark(&only_text(&Only::Yes))?;
    printer.status(Status::Satisfiable, true, None)?;
    Ok(if args.exit_code { 10 } else { 0 })
}

fn stats(eval: &Eval<'_>, search: &Search, budget: &Budget, grounded: std::time::Duration) {
    say(&format!("variables of the model   {}", eval.model.vars.len()));
    say(&format!("rule instances           {}", eval.model.rules.len()));
    say(&format!(
        "literals                 {} named, {} auxiliary",
        search.named,
        search.variables - search.named
    ));
    for (what, count) in &search.sizes {
        say(&format!("{what:<24} {count}"));
    }
    let row = if let [("constraints", _)] = search.sizes[..] { "constraint" } else { "clause" };
    for choice in &search.choices {
        say(&format!("encoding                 {}", choice.describe(row)));
    }
    say(&format!("solutions                {}", search.found));
    say(&format!(
        "seconds                  {:.3} grounding, {:.3} in all",
        grounded.as_secs_f64(),
        budget.elapsed().as_secs_f64()
    ));
}
