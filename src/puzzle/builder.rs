//! The description of a puzzle: its texts and the options for solving it.

use super::{Error, Puzzle};
use crate::eval::Later;
use crate::run::load::{DataSource, ModelSource, Texts};
#[cfg(feature = "process")]
use crate::run::solvers::Wish;
use crate::run::{self, Encoding, Failure, Listener, Silent, cnf};
use crate::shared::{Budget, Limits, with_ample_stack};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Describes a puzzle step by step; [`Builder::load`] loads it.
///
/// ```
/// use rebus::Puzzle;
/// use std::time::Duration;
///
/// let puzzle = Puzzle::builder("queens").value("n", "6").timeout(Duration::from_secs(10)).load()?;
/// assert_eq!(puzzle.count(None)?.number, "4");
/// # Ok::<(), rebus::Error>(())
/// ```
#[must_use = "nothing is loaded yet"]
pub struct Builder {
    texts: Texts,
    title: String,
    encoding: Encoding,
    limits: Limits,
    seed: u32,
    cover: bool,
    #[cfg(feature = "process")]
    wish: Wish,
    listener: Box<dyn Listener>,
    incomplete: bool,
}

impl Builder {
    pub(super) fn named(model: &str) -> Builder {
        Builder::of(ModelSource::Named(model.to_owned()), model)
    }

    pub(super) fn text(text: &str) -> Builder {
        let name = "model.rebus".to_owned();
        Builder::of(ModelSource::Text { name, text: text.to_owned(), imports: Vec::new() }, "puzzle")
    }

    fn of(model: ModelSource, title: &str) -> Builder {
        Builder {
            texts: Texts { model, data: Vec::new(), defines: Vec::new(), without: Vec::new() },
            title: title.to_owned(),
            encoding: Encoding::default(),
            limits: Limits::default(),
            seed: 0,
            cover: false,
            #[cfg(feature = "process")]
            wish: Wish::default(),
            listener: Box::new(Silent),
            incomplete: false,
        }
    }

    /// A text that the model imports, by the path in its `import`. Only for a model given as text.
    pub fn import(mut self, path: &str, text: &str) -> Builder {
        if let ModelSource::Text { imports, .. } = &mut self.texts.model {
            imports.push((path.to_owned(), text.to_owned()));
        }
        self
    }

    /// The value of a parameter, in the syntax of `-D`: a picture may be one line, a string has no quotes.
    pub fn value(mut self, parameter: &str, value: &str) -> Builder {
        self.texts.defines.push(format!("{parameter}={value}"));
        self
    }

    /// Data: items `name = value`, JSON if the name ends in `.json`, or any format that `rebus import` reads.
    pub fn data(mut self, name: &str, text: &str) -> Builder {
        self.texts.data.push(DataSource::Text { name: name.to_owned(), text: text.to_owned() });
        self
    }

    /// A data file, or a board of the catalogue.
    pub fn data_file(mut self, path: impl AsRef<Path>) -> Builder {
        self.texts.data.push(DataSource::File(path.as_ref().to_owned()));
        self
    }

    /// Drops a rule by its label.
    pub fn without(mut self, label: &str) -> Builder {
        self.texts.without.push(label.to_owned());
        self
    }

    /// The time limit for each question; unlimited by default.
    pub fn timeout(mut self, limit: Duration) -> Builder {
        self.limits.time = Some(limit);
        self
    }

    /// The limit of evaluation steps for each question.
    pub fn max_steps(mut self, steps: u64) -> Builder {
        self.limits.steps = steps;
        self
    }

    /// The limit of clauses in a formula.
    pub fn max_clauses(mut self, clauses: u64) -> Builder {
        self.limits.clauses = clauses;
        self
    }

    /// The seed of the search: it determines which solution comes first.
    pub fn seed(mut self, seed: u32) -> Builder {
        self.seed = seed;
        self
    }

    /// Solves with the exact cover engine.
    pub fn exact_cover(mut self) -> Builder {
        self.cover = true;
        self
    }

    /// Solves with an external solver: a name of the table of solvers, such as `kissat`, or a command with `{in}` and
    /// `{out}`.
    #[cfg(feature = "process")]
    pub fn solver(mut self, name: &str) -> Builder {
        self.wish.solver = Some(name.to_owned());
        self
    }

    /// The encodings of constraints.
    pub fn encodings(mut self, encodings: Encodings) -> Builder {
        self.encoding.options = encodings;
        self
    }

    /// Propagates the given values before encoding; on by default.
    pub fn presolve(mut self, on: bool) -> Builder {
        self.encoding.presolve = Some(on);
        self
    }

    /// Loads the puzzle also if parameters have no value: [`Puzzle::fields`] tells which, [`Puzzle::enter`] gives them
    /// one. Other questions then end with that fault.
    pub fn incomplete(mut self) -> Builder {
        self.incomplete = true;
        self
    }

    /// Sets a function to call when a new activity starts, or a long one progresses.
    pub fn on_progress(mut self, call: impl Fn(&str) + Sync + 'static) -> Builder {
        self.listener = Box::new(OnProgress(call));
        self
    }

    /// Loads the model and its data.
    ///
    /// # Errors
    /// Faults in the texts, a file that cannot be read, an unknown solver.
    pub fn load(self) -> Result<Puzzle, Error> {
        let later = if self.incomplete { Later::Any } else { Later::NONE };
        let loaded = with_ample_stack(|| run::load::load_later(&self.texts, later))
            .map_err(|faulty| Error::of(Failure::Faults(faulty)))?;
        #[cfg(feature = "process")]
        let solver = self.wish.chosen(&*self.listener).map_err(Error::of)?;
        #[cfg(not(feature = "process"))]
        let solver = None;
        Ok(Puzzle {
            loaded,
            encoding: self.encoding,
            seed: self.seed,
            cover: self.cover,
            solver,
            listener: self.listener,
            budget: Budget::new(self.limits),
            title: self.title.into(),
        })
    }
}

/// The encodings of integers, at-most-one, cardinalities, sums, lines and graphs.
pub type Encodings = cnf::Options;

struct OnProgress<F>(F);

impl<F: Fn(&str) + Sync> Listener for OnProgress<F> {
    fn progress(&self, what: Option<&str>) {
        if let Some(what) = what {
            (self.0)(what);
        }
    }
}

/// Cancels the current question of a puzzle, and every later one until [`Canceller::reset`].
#[derive(Clone, Debug)]
pub struct Canceller {
    pub(super) flag: Arc<AtomicBool>,
}

impl Canceller {
    /// From now on every question ends with an error for which [`Error::is_limit`] holds.
    pub fn cancel(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    /// Allows questions again.
    pub fn reset(&self) {
        self.flag.store(false, Ordering::Relaxed);
    }
}
