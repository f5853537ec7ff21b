//! Boards that a person fills in: parameters and variables with their places, new values, attempts at an answer.

use super::answers::judgement;
use super::drawing::Picture;
use super::{Error, Fault, Judgement, Puzzle};
use crate::diag::Sources;
use crate::eval::{Change, Eval, Given};
use crate::run::{Judge, VarId};
use crate::shared::with_ample_stack;
use crate::syntax;

pub use crate::eval::{Field, FieldEntry};

/// The fields of a puzzle.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Fields {
    /// What is given, in the order of the model.
    pub parameters: Vec<Field>,
    /// What is to be found. All their entries, in this order, are the positions of an attempt. None while parameters
    /// have no value.
    pub variables: Vec<Field>,
}

/// A puzzle that was ground.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Checked {
    /// Faults that do not prevent an answer.
    pub warnings: Vec<Fault>,
    /// The puzzle as given.
    pub picture: Picture,
    /// Has it an aim?
    pub objective: bool,
}

impl Puzzle {
    /// Finds all faults that appear before solving, and draws the puzzle as given.
    ///
    /// # Errors
    /// Faults of the model or its data.
    pub fn check(&self) -> Result<Checked, Error> {
        let (mut eval, known) = self.begin_drawn()?;
        let forced = self.with_texts(|| {
            let given = eval.model.given();
            Ok(eval.drawn_veiled(&given)?)
        })?;
        let warnings = eval.warnings.iter().map(|fault| Fault::of(fault, &self.loaded.sources)).collect();
        let picture = Picture::of(&known, &forced, &self.title);
        Ok(Checked { warnings, picture, objective: self.loaded.program.objective.is_some() })
    }

    /// The parameters and variables, with the places where they are drawn: what a board editor of any model needs.
    ///
    /// ```
    /// let puzzle = rebus::Puzzle::load("row", &[("clue", ".3.1")])?;
    /// let clue = &puzzle.fields()?.parameters[0];
    /// assert_eq!(clue.choices, [["1", "2", "3", "4"]]);
    /// assert_eq!((&*clue.entries[1].name, &*clue.entries[1].text), ("clue[2]", "3"));
    /// assert_eq!(clue.entries[1].place, Some((0, (2, 4))));
    /// # Ok::<(), rebus::Error>(())
    /// ```
    ///
    /// # Errors
    /// A limit. Parameters and variables with faults have no entries; [`Puzzle::check`] tells the faults.
    pub fn fields(&self) -> Result<Fields, Error> {
        self.budget.restart();
        let mut sources = self.loaded.sources.clone();
        let file = sources.add("an entry", "");
        self.with_texts(|| {
            let mut eval = Eval::new(&self.loaded.program, &self.budget);
            let mut parameters = eval.parameters()?;
            if parameters.iter().any(|field| field.missing) {
                return Ok(Fields { parameters, variables: Vec::new() });
            }
            eval.place_parameters(&mut parameters, file);
            let mut variables = Vec::new();
            if eval.declare_all().is_ok() {
                variables = eval.variables();
                eval.place_variables(&mut variables);
            }
            Ok(Fields { parameters, variables })
        })
    }

    /// The items of a data file that change entries of parameters: each a name, and what stands right of `=`. A change
    /// is a parameter, the number of an entry, and its new text, empty for none. A new size changes the arrays over
    /// it; entries whose keys stay keep their values.
    ///
    /// ```
    /// let puzzle = rebus::Puzzle::load("row", &[("clue", ".3.1")])?;
    /// let items = puzzle.enter(&[("clue", 0, "2")])?;
    /// assert_eq!(items, [("clue".to_owned(), "[2, 3, none, 1]".to_owned())]);
    /// # Ok::<(), rebus::Error>(())
    /// ```
    ///
    /// # Errors
    /// A value that the parameter may not have.
    pub fn enter(&self, changes: &[(&str, usize, &str)]) -> Result<Vec<(String, String)>, Error> {
        self.budget.restart();
        let mut sources = self.loaded.sources.clone();
        let mut listed = Vec::with_capacity(changes.len());
        for (parameter, entry, text) in changes {
            let file = sources.add("the entry", *text);
            listed.push(Change { parameter, entry: *entry, text, file });
        }
        with_ample_stack(|| Eval::new(&self.loaded.program, &self.budget).entered(&listed))
            .map_err(|fault| Error::of(crate::run::Failure::from(fault).within(&sources)))
    }

    /// Draws an attempt at an answer: for each variable a position among its choices, or `None` while it is open.
    ///
    /// # Errors
    /// Faults of the model; positions of another model.
    pub fn attempt(&self, positions: &[Option<u32>]) -> Result<Picture, Error> {
        let (mut eval, known) = self.begin_drawn()?;
        let positions = self.whole(&eval, positions);
        let drawings = self.with_texts(|| Ok(eval.drawn_veiled(&positions)?))?;
        Ok(Picture::of(&known, &drawings, &self.title))
    }

    /// Is an attempt a solution?
    ///
    /// # Errors
    /// As for [`Puzzle::verify`].
    pub fn judge(&self, positions: &[Option<u32>]) -> Result<Judgement, Error> {
        let mut eval = self.begin()?;
        let positions = self.whole(&eval, positions);
        self.with_texts(|| {
            let open = (0..).zip(&positions).filter(|(_, position)| position.is_none());
            let missing = open.map(|(var, _)| eval.var_name(VarId(var))).collect();
            let given = Given { positions: positions.clone(), missing, drawn: None, unread: None };
            let question = self.question(1);
            let mut judge = Judge { eval: &mut eval, question, text: "", ground: true };
            Ok(judgement(judge.find(given)?))
        })
    }

    /// A position for each variable; positions that do not exist are open.
    fn whole(&self, eval: &Eval<'_>, positions: &[Option<u32>]) -> Vec<Option<u32>> {
        let mut whole = vec![None; eval.model.vars.len()];
        let of = eval.vars.iter().flat_map(|array| (0..array.len()).map(|at| array.domain(at).len()));
        for ((whole, position), size) in whole.iter_mut().zip(positions).zip(of) {
            *whole = position.filter(|position| (*position as usize) < size);
        }
        whole
    }
}

/// The text of a data file with `name = value`: in place of the last item of that name, else at its end.
///
/// ```
/// assert_eq!(rebus::with_item("n = 4  # small\n", "n", "9"), "n = 9  # small\n");
/// ```
pub fn with_item(data: &str, name: &str, value: &str) -> String {
    let mut sources = Sources::default();
    let file = sources.add("the data", data);
    with_ample_stack(|| syntax::with_item(file, data, name, value))
}
