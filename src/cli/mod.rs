//! The command line: one file for each command, without any logic of its own. Only this module prints.
//!
//! Results go to standard output, everything else to standard error.

mod args;
mod check;
mod compile;
mod completions;
mod count;
mod decode;
mod deduce;
mod each;
mod explain;
mod export;
mod fmt;
mod import;
mod interrupt;
mod man;
mod many;
mod models;
mod proof;
mod reasons;
mod run;
mod sat;
mod show;
mod solve;
mod solvers;
mod terminal;
mod verify;
mod watchdog;
mod web;
mod xcc;

pub use watchdog::{LOOK, Watchdog};

use crate::diag::{Diagnostic, Severity, Sources, render};
use crate::files::{self, WriteFault};
use crate::run::{Failure, Faulty};
use crate::shared::{Limits, harmless};
use clap::{Parser, Subcommand};
use std::io::{self, IsTerminal, Write};
use std::sync::OnceLock;

/// Logic puzzles, compiled: every answer checked and drawn.
#[derive(Parser, Debug)]
#[command(name = "rebus", version, about, max_term_width = 120)]
#[command(after_help = "EXAMPLES:
  rebus solve sudoku -D clue=53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79
  rebus compile knightdoku knightdoku-1.clues -o k.cnf
  kissat k.cnf | rebus decode k.cnf.map

Exit codes: 0 a definite answer, 1 a fault in the model or data, 2 usage, 3 a solver failed or is missing,
4 no answer within the limits, 5 the answer to the question asked is no.")]
struct Cli {
    #[command(subcommand)]
    command: Command,
    /// Colours in messages; `auto`: where a person reads them and NO_COLOR is not set
    #[arg(long, value_enum, default_value = "auto", global = true, value_name = "auto|always|never")]
    color: Color,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
enum Color {
    Auto,
    Always,
    Never,
}

/// The value of `--color`, for all messages of the run.
static COLOR: OnceLock<Color> = OnceLock::new();

#[derive(Subcommand, Debug)]
enum Command {
    Solve(solve::Args),
    Compile(compile::Args),
    Decode(decode::Args),
    Count(count::Args),
    Run(run::Args),
    Sat(sat::Args),
    Xcc(xcc::Args),
    Check(check::Args),
    Fmt(fmt::Args),
    Explain(explain::Args),
    Deduce(deduce::Args),
    Verify(verify::Args),
    Import(import::Args),
    Export(export::Args),
    Solvers(solvers::Args),
    Models(models::Args),
    Web(web::Args),
    Completions(completions::Args),
    #[command(hide = true)]
    Man(man::Args),
}

impl Command {
    fn limits(&self) -> Option<&args::LimitArgs> {
        Some(match self {
            Command::Solve(args) => &args.limits,
            Command::Compile(args) => &args.limits,
            Command::Decode(args) => &args.limits,
            Command::Count(args) => &args.limits,
            Command::Run(args) => &args.limits,
            Command::Sat(args) => &args.limits,
            Command::Xcc(args) => &args.limits,
            Command::Check(args) => &args.limits,
            Command::Explain(args) => &args.limits,
            Command::Deduce(args) => &args.limits,
            Command::Verify(args) => &args.limits,
            Command::Export(args) => &args.limits,
            Command::Fmt(_)
            | Command::Import(_)
            | Command::Solvers(_)
            | Command::Models(_)
            | Command::Web(_)
            | Command::Completions(_)
            | Command::Man(_) => return None,
        })
    }
}

/// The result of a command: an exit code, or a failure.
pub type Outcome = Result<u8, Failure>;

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Failure {
        WriteFault::of("standard output", &error).into()
    }
}

/// If this process was started as a guard, acts as the guard and does not return.
pub fn guard() {
    crate::run::solvers::main_of_guard(|text| drop(writeln!(io::stderr(), "{text}")));
}

/// Runs the command line of this process; returns its exit code.
pub fn main() -> u8 {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            if error.use_stderr() {
                // arguments may contain anything; if standard error is closed, the exit code suffices
                let said = harmless(&error.render().to_string(), &['\n', '\t']);
                let _ = io::stderr().write_all(said.as_bytes());
                return 2;
            }
            let printed = files::check_stdout().map_err(Failure::from);
            return ended(printed.and_then(|()| Ok(error.print().map(|()| 0)?)));
        }
    };
    COLOR.get_or_init(|| cli.color);
    interrupt::listen(watchdog::most_addresses().is_some());
    files::stopped_by(watchdog::stopped);
    crate::run::solvers::guard_all();
    watchdog::start(cli.command.limits().map_or_else(Limits::default, args::LimitArgs::limits));
    let outcome = match cli.command {
        Command::Solve(args) => match &args.each {
            Some(instances) => each::run(&args, instances),
            None => solve::run(&args),
        },
        Command::Compile(args) => compile::run(&args),
        Command::Decode(args) => decode::run(&args),
        Command::Count(args) => count::run(&args),
        Command::Run(args) => run::run(&args),
        Command::Sat(args) => sat::run(&args),
        Command::Xcc(args) => xcc::run(&args),
        Command::Check(args) => check::run(&args),
        Command::Fmt(args) => fmt::run(&args),
        Command::Explain(args) => explain::run(&args),
        Command::Deduce(args) => deduce::run(&args),
        Command::Verify(args) => verify::run(&args),
        Command::Import(args) => import::run(&args),
        Command::Export(args) => export::run(&args),
        Command::Solvers(args) => solvers::run(&args),
        Command::Models(args) => models::run(&args),
        Command::Web(args) => web::run(&args),
        Command::Completions(args) => completions::run(&args),
        Command::Man(args) => man::run(&args),
    };
    let code = ended(outcome);
    interrupt::take_course();
    code
}

/// The exit code of a command, after all its output is written.
fn ended(outcome: Outcome) -> u8 {
    match outcome.and_then(|code| Ok(files::finish_stdout().map(|()| code)?)) {
        Ok(code) => code,
        Err(Failure::ClosedPipe) => 0,
        Err(Failure::Faults(Faulty { sources, faults })) => report(&faults, &sources),
    }
}

/// Prints faults to standard error; returns the exit code.
fn report(faults: &[Diagnostic], sources: &Sources) -> u8 {
    let colour = match COLOR.get() {
        Some(Color::Always) => true,
        Some(Color::Never) => false,
        _ => io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()),
    };
    let mut err = io::stderr().lock();
    for fault in faults {
        // if standard error is closed, the exit code suffices
        let _ = writeln!(err, "{}", render(fault, sources, colour));
    }
    faults
        .iter()
        .filter(|fault| fault.severity == Severity::Error)
        .map(|fault| fault.code.exit())
        .max()
        .unwrap_or(0)
}

/// Prints a remark to standard error.
fn say(text: &str) {
    let _ = writeln!(io::stderr(), "rebus: {}", harmless(text, &[]));
}
