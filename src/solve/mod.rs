//! Solvers: embedded ones, and strangers run as subprocesses.
//!
//! In: a formula (a file, or clauses emitted into an embedded engine). Out: a [`Verdict`]. Never a "satisfiable"
//! without a model, nor an "unsatisfiable" from a broken run. Knows nothing of models, of the language, of drawings.

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

/// What a solver said, as far as it can be believed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Models, each a list of literals said to be true or false; a variable that is not mentioned is false.
    Satisfiable {
        models: Vec<Vec<Lit>>,
        complete: bool,
        optimal: bool,
    },
    /// Exact covers, from a solver of such problems.
    Covered {
        covers: Vec<Cover>,
        complete: bool,
        optimal: bool,
        /// Why it is not known whether there are more.
        lacks: Option<String>,
    },
    /// The number of models, by a counter's word.
    Counted(Count),
    Unsatisfiable,
    /// No answer within the limits, or the solver does not know; with the reason.
    Unknown(String),
    /// The run broke, or the output contradicts itself; with what was seen.
    Failed(String),
}

/// What a model counter said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Count {
    /// Decimal digits, without leading zeros.
    pub number: String,
    /// Else an estimate.
    pub exact: bool,
    /// Did it say that it counted whole models, where a projection may have been wanted?
    pub unprojected: bool,
}

/// The chosen options of an exact cover, each a list of words: an item's name, and `:` and a colour where it has one.
pub type Cover = Vec<Vec<Box<str>>>;

impl Verdict {
    /// The same with the literals that each cover tells.
    pub fn told_by<E>(self, literals: impl Fn(&Cover) -> Result<Vec<Lit>, E>) -> Result<Verdict, E> {
        let Verdict::Covered { covers, complete, optimal, .. } = self else { return Ok(self) };
        let models = covers.iter().map(literals).collect::<Result<_, E>>()?;
        Ok(Verdict::Satisfiable { models, complete, optimal })
    }
}

/// Checks a model against every clause or constraint of a formula, the soft ones left out. Options of an exact cover are
/// for their own reader.
pub fn check_model(target: Target, formula: impl BufRead, model: &[Lit]) -> Result<(), Misfit> {
    match target {
        Target::Cnf => dimacs::check_model(formula, model),
        Target::Wcnf => wcnf::check_model(formula, model),
        Target::Opb => opb::check_model(formula, model),
        Target::Xcc => Ok(()),
    }
}
