//! Solvers: embedded engines, and external solvers run as subprocesses.
//!
//! In: a formula (a file, or clauses emitted into an embedded engine). Out: a [`Verdict`]. There is never a
//! "satisfiable" without a model, nor an "unsatisfiable" from a failed run. Knows nothing of models of the language
//! or of drawings.

#[cfg(feature = "process")]
pub mod check_proof;
pub mod checker;
pub mod competition;
pub mod dimacs;
pub mod embedded;
#[cfg(feature = "process")]
pub mod find;
pub mod opb;
pub mod output;
#[cfg(feature = "process")]
pub mod process;
#[cfg(feature = "process")]
pub mod refute;
#[cfg(feature = "process")]
pub mod solver_run;
pub mod table;
mod template;
#[cfg(feature = "process")]
pub mod temporary;
pub mod wcnf;
pub mod xcc;

use crate::encode::{Lit, Target};
use dimacs::Misfit;
use std::io::BufRead;

/// The result of a solver run, as far as it can be trusted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Models, each a list of literals that the solver reports as true or false; a variable that is not mentioned is
    /// false.
    Satisfiable {
        models: Vec<Vec<Lit>>,
        complete: bool,
        optimal: bool,
    },
    /// Exact covers, from an exact cover solver.
    Covered {
        covers: Vec<Cover>,
        complete: bool,
        optimal: bool,
        /// Why it is not known whether there are more.
        lacks: Option<String>,
    },
    /// The number of models that a counter reports; it is not checked.
    Counted(Count),
    Unsatisfiable,
    /// No answer within the limits, or the solver gave up; with the reason.
    Unknown(String),
    /// The run failed, or the output contradicts itself; with the evidence.
    Failed(String),
}

/// The result of a model counter.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// Decimal digits, without leading zeros.
    pub number: String,
    /// False for an estimate.
    pub exact: bool,
    /// Did the counter report that it counted full models, although a projection may have been requested?
    pub unprojected: bool,
}

/// The chosen options of an exact cover, each a list of words: an item's name, and `:` and a colour where it has one.
pub type Cover = Vec<Vec<Box<str>>>;

impl Verdict {
    /// The same verdict, with the covers translated into literals.
    pub fn told_by<E>(self, literals: impl Fn(&Cover) -> Result<Vec<Lit>, E>) -> Result<Verdict, E> {
        let Verdict::Covered { covers, complete, optimal, .. } = self else { return Ok(self) };
        let models = covers.iter().map(literals).collect::<Result<_, E>>()?;
        Ok(Verdict::Satisfiable { models, complete, optimal })
    }
}

/// Checks a model against every clause or constraint of a formula, except soft ones. Covers are checked by the module
/// that decodes options.
pub fn check_model(target: Target, formula: impl BufRead, model: &[Lit]) -> Result<(), Misfit> {
    match target {
        Target::Cnf => dimacs::check_model(formula, model),
        Target::Wcnf => wcnf::check_model(formula, model),
        Target::Opb => opb::check_model(formula, model),
        Target::Xcc => Ok(()),
    }
}
