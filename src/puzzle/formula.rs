//! Formulas for external solvers, and decoding of their output.

use super::answers::Solution;
use super::{Error, Puzzle};
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
    /// The text that a solver reads.
    pub text: String,
    /// The input of [`decode`] and of the command line; it contains the model and its data too.
    pub map: String,
    /// The number of variables.
    pub variables: u32,
    /// The number of clauses, constraints or options.
    pub rows: u64,
}

impl Puzzle {
    /// The formula for a target, with its symbol map.
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
        self.formula_text(target, false)
    }

    /// The same with comments: the rule of each row, and the row in names of the model.
    ///
    /// # Errors
    /// As for [`Puzzle::formula`].
    pub fn annotated_formula(&self, target: Target) -> Result<FormulaText, Error> {
        self.formula_text(target, true)
    }

    fn formula_text(&self, target: Target, annotate: bool) -> Result<FormulaText, Error> {
        let mut eval = self.begin()?;
        self.with_texts(|| {
            let form = run::Form { xcc: self.encoding.cover(Default::default()), ..run::Form::default() };
            let mut file = FormulaFile::new(&mut eval, target, &self.encoding, form, None, &*self.listener)?;
            let mut bytes = Vec::new();
            let digest = file.write(&mut eval, &mut bytes, "the formula", "", annotate, &[])?;
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
        let mut eval = self.begin()?;
        self.with_texts(|| {
            let form = run::Form::default();
            let file = FormulaFile::new(&mut eval, Target::Cnf, &self.encoding, form, None, &*self.listener)?;
            let mut list = ClauseList::default();
            file.clauses(&eval, &mut Counted::new(&mut list, &self.budget))?;
            Ok(list.clauses)
        })
    }
}

/// The result of decoding a solver's output.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Decoded {
    /// All are verified against the rules. With an objective, only the best ones.
    pub solutions: Vec<Solution>,
    /// The solver's claim, which is not checked: are these all solutions, or, if there are none, is there none? With
    /// an objective: is nothing better?
    pub complete: bool,
}

/// Decodes the output of any solver into solutions, with the formula's symbol map alone.
///
/// # Errors
/// A damaged map; an output without an answer, or for another formula; a model that violates a rule; an answer
/// "unknown".
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
