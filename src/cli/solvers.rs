//! `rebus solvers`: lists which solvers are installed; and the table for the commands that run one.

use super::{Outcome, say};
use crate::files;
use crate::run::solvers::{Places, installed, table};
use crate::run::{OWN_CHECKER, STRONGEST_ENGINE};
use crate::shared::harmless;
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
    writeln!(out, "{:<14} cnf  {:<26} rebus {}", "embedded", STRONGEST_ENGINE, env!("CARGO_PKG_VERSION"))?;
    let places = Places::from_env();
    for solver in installed(&table, &places) {
        let (name, reads) = (solver.name, solver.reads.name());
        let version = solver.version.unwrap_or_default();
        match solver.path {
            Some(path) => writeln!(out, "{name:<14} {reads:<4} {version:<26} {}", shown(&path))?,
            None => writeln!(out, "{name:<14} {reads:<4} not installed")?,
        }
    }
    say("miniexact reads files of `--dialect miniexact` with `-m`, of `--dialect dlx2` with `-c -D`");
    for checker in table.checkers() {
        let kind = format!("checker of {} proofs", checker.proof.name().to_uppercase());
        match places.program(&checker.variable(), &checker.command) {
            Some(path) => writeln!(out, "{:<14}      {kind:<26} {}", checker.name, shown(&path))?,
            None => writeln!(out, "{:<14}      {kind:<26} not installed", checker.name)?,
        }
    }
    writeln!(out, "{:<14}      {:<26} built in", OWN_CHECKER, "checker of LRAT proofs")?;
    Ok(0)
}

fn shown(path: &Path) -> String {
    harmless(&path.display().to_string(), &[])
}
