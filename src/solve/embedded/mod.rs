//! Embedded SAT engines behind one trait.
//!
//! In: clauses (an engine is a [`Sink`]), assumptions, a budget. Out: an [`EngineAnswer`] and, after `Sat`, values.
//! Engines are incremental: clauses may be added between calls, assumptions hold for one call. The same calls give
//! the same answers on every machine; a budget only decides whether there is an answer. Knows nothing of models of
//! the language or of the meaning of a variable.

mod backbone;
#[cfg(feature = "batsat")]
mod batsat;
#[cfg(feature = "cadical")]
mod cadical;
mod core;
mod cutting;
mod enumerate;
mod minimize;
mod quick;
#[cfg(test)]
mod tests;

pub use backbone::{Truth, backbone};
#[cfg(feature = "batsat")]
pub use batsat::Batsat;
#[cfg(feature = "cadical")]
pub use cadical::Cadical;
pub use core::{Core, core};
pub use cutting::Cutting;
pub use enumerate::{Enumerator, Next};
pub use minimize::{Objective, Optimum, minimize};
pub use quick::Quick;

use crate::encode::cuts::{Cut, Lazy};
use crate::encode::{Lit, Sink};
use crate::shared::{Budget, Stop};
use std::rc::Rc;

/// The result of a search under assumptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineAnswer {
    /// There is a model; [`SatEngine::value`] reads it.
    Sat,
    /// There is none; [`SatEngine::failed`] returns which assumptions are in the core.
    Unsat,
    /// The budget ended first.
    Unknown(Stop),
}

/// Which cuts to keep.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    All,
    /// Those that a derived clause or fact depends on, as far as the engine knows.
    Used,
}

/// An incremental SAT solver.
pub trait SatEngine: Sink {
    /// Allocates variables `1..=vars`; clauses may still use higher ones.
    fn reserve(&mut self, vars: u32);

    /// The highest variable seen so far, in a clause, an assumption or a reservation.
    fn vars(&self) -> u32;

    /// Looks for a model in which all `assumptions` hold.
    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> EngineAnswer;

    /// Is `lit` true in the model? Valid only between a `Sat` and the next clause or call. A variable that the engine
    /// never saw is false.
    fn value(&mut self, lit: Lit) -> bool;

    /// Is this assumption in the core? Valid only between an `Unsat` and the next clause or call.
    fn failed(&mut self, lit: Lit) -> bool;

    /// Starts an enumeration of models that differ in `answer`, if the engine supports it; else `None`. Called by
    /// [`Enumerator`], which works with any engine.
    fn first_answer(
        &mut self,
        _answer: &[Lit],
        _assumptions: &[Lit],
        _budget: &Budget,
    ) -> Option<EngineAnswer> {
        None
    }

    /// The next model of the enumeration. Since the last answer, only values may have been read from the engine.
    fn next_answer(&mut self, _budget: &Budget) -> Option<EngineAnswer> {
        None
    }

    /// Adds lazy constraints, which all further models satisfy; false if the engine does not support them.
    fn attach_lazy(&mut self, _lazy: &Rc<[Lazy]>) -> bool {
        false
    }

    /// Failed-literal probing: adds each of `lits` as a fact whose negation is refuted by propagation, theory
    /// propagation included. The result need not be complete. An engine with probing of its own need do nothing.
    fn probe(&mut self, _lits: &[Lit], _budget: &Budget) -> Result<(), Stop> {
        Ok(())
    }

    /// From now on the engine keeps cuts of its lazy constraints, for [`Self::take_cuts`].
    fn keep_cuts(&mut self, _which: Keep) {}

    /// The kept cuts, each with the number of its constraint.
    fn take_cuts(&mut self) -> Vec<(usize, Cut)> {
        Vec::new()
    }

    /// A new variable.
    fn fresh(&mut self) -> Lit {
        let var = self.vars() + 1;
        self.reserve(var);
        var as Lit
    }
}

/// The name of the strongest engine in this build.
pub const STRONGEST: &str = if cfg!(feature = "cadical") { "CaDiCaL" } else { "own engine" };

/// The engine for one formula: the strongest in this build.
pub fn engine(seed: u32) -> Box<dyn SatEngine> {
    #[cfg(feature = "cadical")]
    return Box::new(Cadical::new(seed));
    #[cfg(not(feature = "cadical"))]
    return Box::new(Quick::new(seed));
}
