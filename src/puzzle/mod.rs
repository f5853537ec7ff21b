//! The library: a puzzle is loaded once and answers any number of questions.
//!
//! In: names or texts of a model and its data. Out: solutions, formulas, explanations, drawings, all as values; every
//! solution has been checked against the rules. The library prints nothing and has no global state. [`crate`]
//! re-exports this module.

mod answers;
mod builder;
mod catalogue;
mod drawing;
mod error;
mod exchange;
mod fields;
mod formula;

pub use answers::{
    Conflict, Count, Deduction, Explanation, Judgement, OpenEntry, Optimum, Reason, Solution, Solutions,
    Uniqueness, Why,
};
pub use builder::{Builder, Canceller, Encodings};
pub use catalogue::{Model, Name, catalogue, format, names, reserved_words};
pub use drawing::{Area, Form, Picture};
pub use error::{Error, Fault, Place, Severity};
pub use exchange::{Exported, Imported, import};
pub use fields::{Checked, Field, FieldEntry, Fields, with_item};
pub use formula::{Decoded, FormulaText, Target, decode};

use crate::diag::Sources;
use crate::eval::Eval;
use crate::render::Known;
use crate::run::{self, Encoding, Engine, Failure, Listener, Loaded, Question, stages};
use crate::shared::{Budget, with_ample_stack};
use crate::solve::table::Solver;
use std::ops::{Deref, DerefMut};
use std::rc::Rc;

/// A loaded model with its data.
///
/// Each question restarts the clock of the limits. A puzzle belongs to one thread; a [`Canceller`] may go to other
/// threads.
///
/// ```
/// use rebus::Puzzle;
///
/// let grid = "53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
/// let puzzle = Puzzle::load("sudoku", &[("clue", grid)])?;
/// for solution in puzzle.solutions()? {
///     println!("{}", solution?.draw(rebus::Form::Text));
/// }
/// # Ok::<(), rebus::Error>(())
/// ```
pub struct Puzzle {
    loaded: Loaded,
    encoding: Encoding,
    seed: u32,
    /// Use the exact cover engine instead of a SAT engine.
    cover: bool,
    solver: Option<Solver>,
    listener: Box<dyn Listener>,
    budget: Budget,
    title: Rc<str>,
}

impl Puzzle {
    /// Loads a model with values of its parameters.
    ///
    /// `model` is a model as on the command line: a name of the catalogue (`"sudoku"`), a path with `/` or a suffix,
    /// a URL of puzz.link or a game ID. `values` are pairs of a parameter's name and its value, in the syntax of
    /// `-D`. For all other options see [`Puzzle::builder`].
    ///
    /// # Errors
    /// Faults in the model or the values, or a file that cannot be read.
    pub fn load(model: &str, values: &[(&str, &str)]) -> Result<Puzzle, Error> {
        let builder = Puzzle::builder(model);
        values.iter().fold(builder, |builder, (name, value)| builder.value(name, value)).load()
    }

    /// Starts the description of a puzzle by the name of its model, see [`Puzzle::load`].
    pub fn builder(model: &str) -> Builder {
        Builder::named(model)
    }

    /// Starts the description of a puzzle by the text of its model.
    ///
    /// ```
    /// use rebus::Puzzle;
    ///
    /// let puzzle = Puzzle::from_text("var x : 1..9\nrule: x * x = 49\nshow x\n").load()?;
    /// let solution = puzzle.solve()?.expect("7 is one");
    /// assert_eq!(solution.get("x"), Some(&rebus::Value::Int(7)));
    /// # Ok::<(), rebus::Error>(())
    /// ```
    pub fn from_text(text: &str) -> Builder {
        Builder::text(text)
    }

    /// A handle that cancels the current question, from any thread.
    pub fn canceller(&self) -> Canceller {
        Canceller { flag: self.budget.cancel_flag() }
    }

    /// Draws the puzzle as given, without a solution.
    ///
    /// ```
    /// let puzzle = rebus::Puzzle::load("row", &[("clue", ".3.1")])?;
    /// assert_eq!(puzzle.draw(rebus::Form::Text)?, "· 3 · 1\n");
    /// assert!(puzzle.draw(rebus::Form::Svg)?.starts_with("<svg"));
    /// # Ok::<(), rebus::Error>(())
    /// ```
    ///
    /// # Errors
    /// Faults of the model that appear when it is ground.
    pub fn draw(&self, form: Form) -> Result<String, Error> {
        let (_, known) = self.begin_drawn()?;
        Ok(form.draw(&known, &known.forced, &self.title))
    }

    fn question(&self, most: u64) -> Question<'_> {
        let engine = match (&self.solver, self.cover) {
            (Some(solver), _) => Engine::Solver(solver),
            (None, true) => Engine::Cover,
            (None, false) => Engine::Sat,
        };
        let question = Question::new(&self.loaded, &self.encoding, most, &*self.listener);
        Question { engine, seed: self.seed, ..question }
    }

    /// Grounds the model for a new question.
    fn begin(&self) -> Result<Ground<'_>, Error> {
        self.budget.restart();
        self.with_texts(|| stages::start(&self.loaded, &self.budget, &*self.listener)).map(Ground)
    }

    /// The same for a question whose answer may be drawn; with the known parts of its drawings.
    fn begin_drawn(&self) -> Result<(Ground<'_>, Rc<Known>), Error> {
        let mut eval = self.begin()?;
        let known = self.with_texts(|| Ok(eval.drawn_before()?))?;
        Ok((eval, Rc::new(known)))
    }

    /// Calls; a failure as an error that knows the texts it points into.
    fn with_texts<T>(&self, call: impl FnOnce() -> Result<T, Failure>) -> Result<T, Error> {
        called(&self.loaded.sources, call)
    }

    fn solution(&self, solution: crate::decode::Solution, known: &Rc<Known>) -> Solution {
        Solution { inner: solution, known: known.clone(), title: self.title.clone() }
    }
}

/// Calls, whatever stack the caller's thread has; a failure as an error that knows the texts it points into.
fn called<T>(sources: &Sources, call: impl FnOnce() -> Result<T, Failure>) -> Result<T, Error> {
    with_ample_stack(call).map_err(|failure| Error::of(failure.within(sources)))
}

/// The ground model of a question. Its values drop on a stack that suffices, as they were made on one.
struct Ground<'p>(Eval<'p>);

impl Drop for Ground<'_> {
    fn drop(&mut self) {
        with_ample_stack(|| self.0.drop_values());
    }
}

impl<'p> Deref for Ground<'p> {
    type Target = Eval<'p>;

    fn deref(&self) -> &Eval<'p> {
        &self.0
    }
}

impl<'p> DerefMut for Ground<'p> {
    fn deref_mut(&mut self) -> &mut Eval<'p> {
        &mut self.0
    }
}

/// An error if the search was cut short.
fn cut_short(end: run::End) -> Result<(), Failure> {
    match end {
        run::End::Stopped(stop) => Err(stop.into()),
        run::End::GaveUp => {
            use crate::diag::{Code, Diagnostic};
            let message = "the solver gave no answer to the whole question";
            Err(Diagnostic::error(Code::LimitExceeded, message).into())
        }
        run::End::Exhausted | run::End::Enough => Ok(()),
    }
}
