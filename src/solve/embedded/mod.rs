//! SAT engines inside this program, behind one trait.
//!
//! In: clauses (an engine is a [`Sink`]), assumptions, a budget. Out: an [`EngineAnswer`] and, after `Sat`, values.
//! Incremental: clauses may be added between calls, assumptions hold for one call. An engine that was given the same
//! calls gives the same answers, whatever the machine; a budget only decides whether an answer comes.
//! Knows nothing of models or of what a variable stands for.

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

/// What an engine found out about its clauses under the assumptions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EngineAnswer {
    /// There is a model; [`SatEngine::value`] reads it.
    Sat,
    /// There is none; [`SatEngine::failed`] tells which assumptions were to blame.
    Unsat,
    /// The budget ended first.
    Unknown(Stop),
}

/// Which cuts are kept.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Keep {
    All,
    /// Those that a conclusion rests on, as far as the engine knows.
    Used,
}

/// An incremental SAT solver.
pub trait SatEngine: Sink {
    /// Makes room for variables `1..=vars`; clauses may use higher ones all the same.
    fn reserve(&mut self, vars: u32);

    /// The highest variable seen so far, in a clause, an assumption or a reservation.
    fn vars(&self) -> u32;

    /// Looks for a model in which all `assumptions` hold.
    fn solve(&mut self, assumptions: &[Lit], budget: &Budget) -> EngineAnswer;

    /// Is `lit` true in the model? Only between a `Sat` and the next clause or call; a variable the engine never saw
    /// is false.
    fn value(&mut self, lit: Lit) -> bool;

    /// Is this assumption among those that cannot hold together? Only between an `Unsat` and the next clause or call.
    fn failed(&mut self, lit: Lit) -> bool;

    /// Begins an enumeration of models that differ in `answer`, if the engine has a way of its own; `None` if it has
    /// not. For [`Enumerator`], which works with any engine.
    fn first_answer(
        &mut self,
        _answer: &[Lit],
        _assumptions: &[Lit],
        _budget: &Budget,
    ) -> Option<EngineAnswer> {
        None
    }

    /// Goes on with it; nothing else may have been asked of the engine meanwhile but values.
    fn next_answer(&mut self, _budget: &Budget) -> Option<EngineAnswer> {
        None
    }

    /// From here on models keep these constraints too; false if the engine cannot see to it.
    fn attach_lazy(&mut self, _lazy: &Rc<[Lazy]>) -> bool {
        false
    }

    /// Adds those of these literals as facts whose negations are refuted by propagation alone, constraints that are theory
    /// included. The others may follow as well, or not. An engine that finds such facts by itself need do nothing.
    fn probe(&mut self, _lits: &[Lit], _budget: &Budget) -> Result<(), Stop> {
        Ok(())
    }

    /// From here on cuts of constraints that the engine heeds are kept, for [`Self::take_cuts`].
    fn keep_cuts(&mut self, _which: Keep) {}

    /// The cuts that were kept, each with the number of its constraint.
    fn take_cuts(&mut self) -> Vec<(usize, Cut)> {
        Vec::new()
    }

    /// A variable that occurs nowhere yet.
    fn fresh(&mut self) -> Lit {
        let var = self.vars() + 1;
        self.reserve(var);
        var as Lit
    }
}

/// The engine to use for a formula: the strongest there is in this build.
pub fn engine(seed: u32) -> Box<dyn SatEngine> {
    #[cfg(feature = "cadical")]
    return Box::new(Cadical::new(seed));
    #[cfg(not(feature = "cadical"))]
    return Box::new(Quick::new(seed));
}
