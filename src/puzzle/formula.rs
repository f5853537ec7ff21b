//! Formulas for other solvers, and what these print.

use super::answers::Solution;
use super::{Asked, Error, Puzzle};
use crate::diag::{Code, Diagnostic, Sources};
use crate::encode::{ClauseList, Counted};
use crate::eval::Eval;
use crate::run::load::load_map;
use crate::run::{self, Decoding, Failure, FormulaFile, Output, Silent, stages};
use crate::shared::Budget;
use std::rc::Rc;

pub use crate::encode::Target;

/// A formula and its symbol map.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct FormulaText {
    /// As a solver reads it.
    pub text: String,
    /// What [`decode`] needs, and the command line: it holds the model and its data too.
    pub map: String,
    /// How many variables the formula has.
    pub variables: u32,
    /// Clauses, constraints or options.
    pub rows: u64,
}

impl Puzzle {
    /// The formula of a kind, with its symbol map.
    ///
    /// ```
    /// use rebus::{Puzzle, Target};
    ///
    /// let queens = Puzzle::load("queens", &[("n", "4")])?;
    /// let formula = queens.formula(Target::Cnf)?;
    /// assert!(formula.text.contains("p cnf 16 "));
    /// // what kissat prints for it
    /// let printed = "s SATISFIABLE\nv -1 2 -3 -4 -5 -6 -7 8 9 -10 -11 -12 -13 -14 15 -16 0\n";
    /// let decoded = rebus::decode(&formula.map, printed)?;
    /// assert_eq!(decoded.solutions.len(), 1);
    /// # Ok::<(), rebus::Error>(())
    /// ```
    ///
    /// # Errors
    /// Faults of the model, or a formula of this kind that would be too large.
    pub fn formula(&self, target: Target) -> Result<FormulaText, Error> {
        let Asked { mut eval, .. } = self.begin()?;
        self.with_texts(|| {
            let form = run::Form { xcc: self.encoding.cover(Default::default()), ..run::Form::default() };
            let mut file = FormulaFile::new(&mut eval, target, &self.encoding, form, None, &*self.listener)?;
            let mut bytes = Vec::new();
            let digest = file.write(&mut eval, &mut bytes, "the formula", "", false, &[])?;
            Ok(FormulaText {
                text: String::from_utf8_lossy(&bytes).into_owned(),
                map: file.map_text(&eval, digest, &self.loaded),
                variables: file.formula.emission().variables,
                rows: file.formula.rows(),
            })
        })
    }

    /// The clauses of the CNF formula, for a SAT solver that takes lists of numbers.
    ///
    /// # Errors
    /// As for [`Puzzle::formula`].
    pub fn clauses(&self) -> Result<Vec<Vec<i32>>, Error> {
        let Asked { mut eval, .. } = self.begin()?;
        self.with_texts(|| {
            let form = run::Form::default();
            let file = FormulaFile::new(&mut eval, Target::Cnf, &self.encoding, form, None, &*self.listener)?;
            let mut list = ClauseList::default();
            file.clauses(&eval, &mut Counted::new(&mut list, &self.budget))?;
            Ok(list.clauses)
        })
    }
}

/// What a solver's output says.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Decoded {
    /// Each has been checked against the rules. With an objective: the best ones.
    pub solutions: Vec<Solution>,
    /// By the solver's word: are these all, or, without any, is there none? With an objective: is nothing better?
    pub complete: bool,
}

/// Turns what any solver printed for a formula into solutions, by the formula's symbol map alone.
///
/// # Errors
/// A map that is damaged; an output that is no answer, or of another formula; a model that breaks a rule; an answer "unknown".
pub fn decode(map: &str, output: &str) -> Result<Decoded, Error> {
    let budget = Budget::unlimited();
    let mut sources = Sources::default();
    let mut decoded = || -> Result<Decoded, Failure> {
        let map = run::read_map("the map", &mut map.as_bytes(), map.len() as u64)?;
        let output = Output::read(output.as_bytes(), "the output", &map, None, &budget)?;
        let loaded = load_map(map.texts.clone())?;
        sources = loaded.sources.clone();
        let mut eval = Eval::new(&loaded.program, &budget);
        stages::ground(&mut eval, &loaded.without, &Silent)?;
        run::check_map(&map, &eval)?;
        let known = Rc::new(eval.drawn_before()?);
        let mut solutions = Vec::new();
        let said =
            run::decode(output, &map, &loaded, &mut eval, "the map", &mut |_| Ok(()), &mut |_, inner| {
                solutions.push(Solution { inner, known: known.clone(), title: "solution".into() });
                Ok(true)
            })?;
        match said {
            Decoding::Solutions { status, complete, .. } => {
                let proven = complete || status == crate::render::Status::Optimal;
                Ok(Decoded { solutions, complete: proven })
            }
            Decoding::Unsatisfiable => Ok(Decoded { solutions, complete: true }),
            Decoding::Unknown(why) => Err(Diagnostic::error(Code::LimitExceeded, why).into()),
        }
    };
    decoded().map_err(|failure| Error::of(failure.within(&sources)))
}
