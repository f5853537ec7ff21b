//! `rebus xcc`: the embedded engine as a stand-alone exact cover solver.

use super::args::{LimitArgs, Switch};
use super::terminal::{self, Terminal};
use super::{Outcome, report, say};
use crate::diag::Sources;
use crate::diag::stop_diagnostic;
use crate::files;
use crate::run::xcc::{Chosen, Count, Engine, Halt, Next, Options, PLAIN, Problem, Unread, read};
use crate::run::{Failure, Faulty, Progress};
use crate::shared::{Budget, Stop, harmless};
use std::io::{self, BufWriter, IsTerminal, Write};
use std::path::PathBuf;

/// Solve an exact-cover problem in Knuth's DLX format with the embedded engine
#[derive(clap::Args, Debug)]
#[command(after_help = "EXAMPLES:
  rebus xcc queens.dlx               every solution, as dlx2 prints them; how many, on standard error
  rebus xcc --count < dominoes.dlx   their number alone
  rebus xcc --limit 2 sudoku.dlx     is there a second one?

The format is that of Knuth's dlx1, dlx2 (colours) and dlx3 (multiplicities); names and colours may be of any length.
Exit codes: 0 the search is complete or the limit was reached, 1 a fault in the input, 4 out of time or memory.")]
pub struct Args {
    /// The problem, packed or not; standard input if it is missing or `-`
    #[arg(default_value = "-", hide_default_value = true)]
    file: PathBuf,
    /// Print the number of solutions and nothing else
    #[arg(long, conflicts_with = "every")]
    count: bool,
    /// Stop after N solutions
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    limit: Option<u64>,
    /// Print every Nth solution only
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    every: u64,
    /// Break ties and try options in an order shuffled by N
    #[arg(long, default_value_t, value_name = "N")]
    seed: u64,
    /// Decide items whose names begin with `#` first
    #[arg(long)]
    sharp: bool,
    /// Drop options that would leave an item without any, before the search
    #[arg(long, value_enum, default_value = "on", value_name = "on|off")]
    presolve: Switch,
    #[command(flatten)]
    pub limits: LimitArgs,
}

/// Options that presolve may examine: it must not cost more than most searches.
const PRESOLVE_WORK: u64 = 1 << 22;
/// Work between two progress reports.
const SLICE: u64 = 1 << 22;
/// Bytes for memoized counts.
const MEMORY: u64 = 1 << 28;

pub fn run(args: &Args) -> Outcome {
    let budget = args.limits.budget();
    let mut sources = Sources::default();
    let name = match args.file.as_os_str() == "-" {
        true => "standard input".to_owned(),
        false => args.file.display().to_string(),
    };
    let (problem, warnings) = match read(files::open(&args.file)?, &name, &mut sources, &budget) {
        Ok(read) => read,
        Err(Unread::Faults(faults)) => return Err(Failure::Faults(Faulty { sources, faults })),
        Err(Unread::Stopped(stop)) => return Err(stop.into()),
    };
    report(&warnings, &sources);
    let primaries = (0..problem.items() as u32).filter(|item| problem.kind(*item).is_primary()).count();
    eprint(format_args!(
        "({} options, {primaries}+{} items, {} entries successfully read)",
        problem.options(),
        problem.items() - primaries,
        problem.entries() + problem.options(),
    ));
    let mut run = Run {
        engine: Engine::new(&problem, &Options { seed: args.seed, sharp: args.sharp }),
        progress: Progress::start(&Terminal, "searching"),
        budget,
    };
    if args.presolve == Switch::On
        && let Err(stop) = run.engine.reduce(&run.budget, PRESOLVE_WORK)
    {
        return Ok(run.stopped(0, stop));
    }
    if args.count { run.count(args.limit) } else { run.list(&problem, args) }
}

/// A search in progress.
struct Run {
    engine: Engine,
    progress: Progress<'static>,
    budget: Budget,
}

impl Run {
    fn list(&mut self, problem: &Problem, args: &Args) -> Outcome {
        // names may contain control sequences of a terminal
        let terminal = io::stdout().is_terminal();
        let mut out = BufWriter::new(files::Stdout);
        let mut found = 0;
        let mut text = Vec::new();
        let mut slice = self.budget.slice(SLICE);
        while args.limit != Some(found) {
            match self.engine.next(&slice) {
                Next::Exhausted => break,
                Next::Stopped(stop) => {
                    if let Some(stop) = self.over(stop, u128::from(found)) {
                        return Ok(self.stopped(u128::from(found), stop));
                    }
                    slice = self.budget.slice(SLICE);
                }
                Next::Solution(chosen) => {
                    found += 1;
                    if found % args.every == 0 {
                        text.clear();
                        solution(&mut text, problem, found, chosen);
                        if terminal {
                            text = harmless(&String::from_utf8_lossy(&text), &['\n']).into_bytes();
                        }
                        // the reader may be waiting for the next solution
                        out.write_all(&text)?;
                        out.flush()?;
                    }
                }
            }
        }
        self.totals(u128::from(found));
        Ok(0)
    }

    fn count(&mut self, limit: Option<u64>) -> Outcome {
        // one more shows whether there are more
        let most = limit.map_or(u128::MAX, |limit| u128::from(limit) + 1);
        let memory = self.budget.limits().memory.min(MEMORY) as usize;
        loop {
            let Count { solutions, stopped } = self.engine.count(&self.budget.slice(SLICE), most, memory);
            let mut out = files::Stdout;
            match (stopped, limit) {
                (None, _) => {
                    writeln!(out, "{solutions}")?;
                    return Ok(0);
                }
                (Some(Halt::Limit), Some(limit)) => {
                    writeln!(out, ">={limit}")?;
                    return Ok(0);
                }
                (Some(Halt::Limit), None) => {
                    writeln!(out, ">={solutions}")?;
                    say("there are more solutions than can be counted");
                    return Ok(4);
                }
                (Some(Halt::Stop(stop)), _) => {
                    if let Some(stop) = self.over(stop, solutions) {
                        writeln!(out, ">={solutions}")?;
                        return Ok(self.stopped(solutions, stop));
                    }
                }
            }
        }
    }

    /// Reports progress; returns why the search must end, unless only a slice of the budget ended.
    fn over(&self, stop: Stop, found: u128) -> Option<Stop> {
        let share = 100.0 * self.engine.progress();
        self.progress.say(&format!("searching: {found} solutions, about {share:.2} % searched"));
        match stop {
            Stop::Steps { .. } => self.budget.check().err(),
            stop => Some(stop),
        }
    }

    /// Reports a search that is not complete; returns the exit code.
    fn stopped(&self, found: u128, stop: Stop) -> u8 {
        terminal::clear();
        eprint(format_args!("TIMEOUT!"));
        if !matches!(stop, Stop::Time | Stop::Cancelled) {
            report(&[stop_diagnostic(stop)], &Sources::default());
        }
        self.totals(found);
        4
    }

    fn totals(&self, found: u128) {
        terminal::clear();
        let plural = if found == 1 { "" } else { "s" };
        eprint(format_args!("Altogether {found} solution{plural}, {} nodes.", self.engine.nodes()));
    }
}

/// Prints a line on standard error in the format of dlx2.
fn eprint(line: std::fmt::Arguments<'_>) {
    // a closed standard error changes nothing
    let _ = writeln!(io::stderr(), "{line}");
}

/// Prints a solution in the format of dlx2: the items of an option begin with the item that was branched on.
fn solution(text: &mut Vec<u8>, problem: &Problem, number: u64, chosen: &[Chosen]) {
    text.extend(format!("{number}:\n").bytes());
    for Chosen { option, item, k, n } in chosen {
        let entries = problem.entries_of(*option as usize);
        let at = entries.iter().position(|entry| entry.item == *item).unwrap_or(0);
        let (before, from) = entries.split_at(at);
        for entry in from.iter().chain(before) {
            text.push(b' ');
            text.extend_from_slice(problem.name(entry.item));
            if entry.colour != PLAIN {
                text.push(b':');
                text.extend_from_slice(problem.colour_name(entry.colour));
            }
        }
        text.extend(format!(" ({k} of {n})\n").bytes());
    }
}
