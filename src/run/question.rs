//! What is wanted of whom.

use super::Encoding;
use super::listener::Listener;
use super::load::Loaded;
#[cfg(feature = "process")]
use super::proof::Plan;
use crate::encode::Target;
use crate::solve::table::Solver;
#[cfg(feature = "process")]
use std::path::Path;

/// The source of answers.
#[derive(Clone, Copy)]
pub enum Engine<'q> {
    /// An embedded SAT engine.
    Sat,
    /// The embedded engine for exact covers.
    Cover,
    /// An external solver.
    Solver(&'q Solver),
}

/// The parameters of a search.
#[derive(Clone, Copy)]
pub struct Question<'q> {
    pub loaded: &'q Loaded,
    pub engine: Engine<'q>,
    pub encoding: &'q Encoding,
    pub seed: u32,
    /// Upper bound on the number of answers.
    pub most: u64,
    /// The folder where formula, map and answer are kept.
    #[cfg(feature = "process")]
    pub keep: Option<&'q Path>,
    /// For a proof that there are no further answers.
    #[cfg(feature = "process")]
    pub proof: Option<&'q Plan<'q>>,
    pub listener: &'q dyn Listener,
}

impl<'q> Question<'q> {
    /// A question to the embedded engines for `most` answers, no matter which.
    pub fn new(
        loaded: &'q Loaded,
        encoding: &'q Encoding,
        most: u64,
        listener: &'q dyn Listener,
    ) -> Question<'q> {
        Question {
            loaded,
            engine: Engine::Sat,
            encoding,
            seed: 0,
            most,
            #[cfg(feature = "process")]
            keep: None,
            #[cfg(feature = "process")]
            proof: None,
            listener,
        }
    }
}

impl<'q> Engine<'q> {
    /// The solver, if there is one; else the embedded engine for formulas of this kind.
    pub fn of(solver: Option<&'q Solver>, target: Option<Target>) -> Engine<'q> {
        match (solver, target) {
            (Some(solver), _) => Engine::Solver(solver),
            (None, Some(Target::Xcc)) => Engine::Cover,
            (None, _) => Engine::Sat,
        }
    }
}
