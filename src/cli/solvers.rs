//! `rebus solvers`: which solvers are here; and the table for the commands that run one.

use super::Outcome;
use super::load::{Faulty, MOST_TEXT};
use crate::diag::Sources;
use crate::files;
use crate::shared::{Limits, harmless};
use crate::solve::find::{Places, installed, user_table};
use crate::solve::process::KEEPS_MEMORY;
use crate::solve::table::SolverTable;
use std::io::Write;
use std::path::{Path, PathBuf};

/// List the solvers and proof checkers that rebus knows, and which of them are installed
#[derive(clap::Args, Debug)]
#[command(after_help = "EXAMPLES:
  rebus solvers
  rebus solvers --solvers my-solvers.toml")]
pub struct Args {
    /// A table of further solvers
    #[arg(long, value_name = "FILE")]
    solvers: Option<PathBuf>,
}

pub fn run(args: &Args) -> Outcome {
    let table = table(args.solvers.as_ref())?;
    let mut out = files::Stdout;
    writeln!(out, "{:<14} cnf  {:<26} rebus {}", "embedded", "CaDiCaL", env!("CARGO_PKG_VERSION"))?;
    let places = Places::from_env();
    for solver in installed(&table, &places) {
        let (name, reads) = (solver.name, solver.reads.name());
        let version = solver.version.unwrap_or_default();
        match solver.path {
            Some(path) => writeln!(out, "{name:<14} {reads:<4} {version:<26} {}", shown(&path))?,
            None => writeln!(out, "{name:<14} {reads:<4} not installed")?,
        }
    }
    super::say("miniexact reads files of `--dialect miniexact` with `-m`, of `--dialect dlx2` with `-c -D`");
    for checker in table.checkers() {
        let kind = format!("checker of {} proofs", checker.proof.name().to_uppercase());
        match places.program(&checker.variable(), &checker.command) {
            Some(path) => writeln!(out, "{:<14}      {kind:<26} {}", checker.name, shown(&path))?,
            None => writeln!(out, "{:<14}      {kind:<26} not installed", checker.name)?,
        }
    }
    writeln!(out, "{:<14}      {:<26} built in", super::proof::OWN, "checker of LRAT proofs")?;
    Ok(0)
}

/// Says which limits of a run do not hold for other programs here.
pub fn tell_unkept(limits: &Limits) {
    if limits.process.memory.is_some() && !KEEPS_MEMORY {
        super::say(
            "this system does not limit the memory of other programs: `--max-memory` holds for rebus alone",
        );
    }
}

fn shown(path: &Path) -> String {
    harmless(&path.display().to_string(), &[])
}

/// The built-in table, the user's own from the configuration folder, and one named on the command line.
pub fn table(file: Option<&PathBuf>) -> Result<SolverTable, Faulty> {
    let mut table = SolverTable::built_in();
    let mut sources = Sources::default();
    let own = user_table(|name| std::env::var_os(name)).filter(|path| path.exists());
    for path in own.iter().chain(file) {
        let text = files::read_text(path, MOST_TEXT).map_err(Faulty::plain)?;
        let file = sources.add(path.display().to_string(), &text);
        let faults = table.add(&text, file);
        if super::load::has_errors(&faults) {
            return Err(Faulty { sources, faults });
        }
    }
    Ok(table)
}
