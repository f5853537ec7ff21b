//! The solvers of a run, and the choice among them.

use super::Failure;
use super::failure::Faulty;
use super::listener::Listener;
use super::load::{MOST_TEXT, has_errors};
use crate::diag::{Code, Diagnostic, Sources};
use crate::encode::Target;
use crate::files;
use crate::shared::Limits;
pub use crate::solve::Verdict;
pub use crate::solve::checker::Checked;
use crate::solve::find::user_table;
pub use crate::solve::find::version;
pub use crate::solve::find::{Places, installed};
use crate::solve::process::KEEPS_MEMORY;
pub use crate::solve::process::{guard_all, main_of_guard};
pub use crate::solve::solver_run::{Extras, missing, run_command, solve_file, write_answer};
pub use crate::solve::table::{Solver, SolverTable};
use std::path::PathBuf;

/// The user's choice of solver, and of the kind of formula.
#[derive(Clone, Debug, Default)]
pub struct Wish {
    /// A name of the table, or a command with `{in}` and `{out}`; `None` means an embedded engine, if one can solve
    /// the formula.
    pub solver: Option<String>,
    /// The command lists all answers.
    pub lists: bool,
    /// A file with further solvers.
    pub table: Option<PathBuf>,
    /// The default is the format that the solver reads.
    pub target: Option<Target>,
}

/// The built-in table, with the user's own from the configuration folder, and that of a file.
pub fn table(file: Option<&PathBuf>) -> Result<SolverTable, Faulty> {
    let mut table = SolverTable::built_in();
    let mut sources = Sources::default();
    let own = user_table(|name| std::env::var_os(name)).filter(|path| path.exists());
    for path in own.iter().chain(file) {
        let text = files::read_text(path, MOST_TEXT)
            .map_err(|fault| Faulty { sources: Sources::default(), faults: vec![fault] })?;
        let file = sources.add(path.display().to_string(), &text);
        let faults = table.add(&text, file);
        if has_errors(&faults) {
            return Err(Faulty { sources, faults });
        }
    }
    Ok(table)
}

impl Wish {
    /// The solver that was named.
    pub fn named(&self) -> Result<Option<Solver>, Failure> {
        let Some(name) = &self.solver else { return Ok(None) };
        let solver = table(self.table.as_ref())?.named_or_typed(name, self.target)?;
        match self.lists {
            false => Ok(Some(solver)),
            true if solver.typed => Ok(Some(solver.listing())),
            true => {
                let message = format!("`--lists` is for a command, and `{name}` is known");
                Err(Diagnostic::error(Code::Usage, message)
                    .help("whether it lists all answers is in the table of solvers")
                    .into())
            }
        }
    }

    /// The named solver, else the first installed one for the kind of formula; `None` means an embedded engine.
    pub fn chosen(&self, listener: &dyn Listener) -> Result<Option<Solver>, Failure> {
        let target = self.target.unwrap_or(Target::Cnf);
        if self.solver.is_none() && matches!(target, Target::Cnf | Target::Xcc) {
            return Ok(None);
        }
        if self.solver.is_some() {
            return self.named();
        }
        let table = table(self.table.as_ref())?;
        let readers: Vec<&Solver> = table.iter().filter(|solver| solver.format == target).collect();
        let places = Places::from_env();
        if let Some(solver) = readers.iter().find(|solver| places.find(solver).is_some()) {
            listener.note(&format!("solving with `{}`", solver.name));
            return Ok(Some((*solver).clone()));
        }
        let names: Vec<&str> = readers.iter().map(|solver| solver.name.as_str()).collect();
        let fault =
            Diagnostic::error(Code::SolverMissing, format!("no solver for {} is here", target.name()));
        Err(match names.as_slice() {
            [] => fault.note("none is known; `--solvers FILE` tells of others"),
            names => fault.note(format!("these would do: {}", names.join(", "))),
        }
        .into())
    }
}

/// Notes which limits of a run this system does not enforce on external programs.
pub fn note_unkept_limits(limits: &Limits, listener: &dyn Listener) {
    if limits.process.memory.is_some() && !KEEPS_MEMORY {
        listener.note(
            "this system does not limit the memory of other programs: `--max-memory` holds for rebus alone",
        );
    }
}
