//! Questions about a puzzle, and their answers.

use super::{Error, Form, Ground, Picture, Puzzle, called, cut_short};
use crate::decode;
use crate::diag::{Code, Diagnostic};
use crate::eval::{Eval, Without};
use crate::render::{self, Data, Known};
use crate::run::{self, Answers, Deduced, End, Failure, Finding, Judge, Next, Reasons, Wanted, verified};
use std::rc::Rc;

/// A solution: values that satisfy every rule of the model.
#[derive(Clone)]
pub struct Solution {
    pub(super) inner: decode::Solution,
    pub(super) known: Rc<Known>,
    pub(super) title: Rc<str>,
}

impl Solution {
    /// The variables and the shown expressions, in order of declaration; arrays are lists of lists.
    pub fn values(&self) -> &[(String, Data)] {
        self.inner.values()
    }

    /// A value by name.
    pub fn get(&self, name: &str) -> Option<&Data> {
        self.values().iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    /// The value of the objective, if the model has one.
    pub fn objective(&self) -> Option<i64> {
        self.inner.objective()
    }

    /// Draws the solution as the model's `show` items define.
    pub fn draw(&self, form: Form) -> String {
        form.draw(&self.known, self.inner.drawings(), &self.title)
    }

    /// The solution as a picture for a page.
    pub fn picture(&self) -> Picture {
        Picture::of(&self.known, self.inner.drawings(), &self.title)
    }

    /// Two solutions as pictures, with marks where they differ.
    pub fn pictures_with(&self, other: &Solution) -> [Picture; 2] {
        let drawings = [self.inner.drawings(), other.inner.drawings()];
        let mut pictures = Picture::several(&self.known, &drawings, &self.title).into_iter();
        std::array::from_fn(|_| pictures.next().expect("a picture for each drawing"))
    }

    /// For each variable, the position of its value among the choices of [`Puzzle::fields`].
    pub fn positions(&self) -> &[u32] {
        self.inner.positions()
    }

    /// The names of the entries in which another solution differs.
    pub fn differs_from(&self, other: &Solution) -> Vec<String> {
        render::differences(self.values(), other.values())
    }
}

impl std::fmt::Debug for Solution {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_map().entries(self.values().iter().map(|(name, value)| (name, value))).finish()
    }
}

/// Solutions, found one by one; see [`Puzzle::solutions`].
pub struct Solutions<'p> {
    puzzle: &'p Puzzle,
    eval: Ground<'p>,
    known: Rc<Known>,
    answers: Box<dyn Answers + 'p>,
    without: &'p Without,
    first: bool,
    over: bool,
}

impl Solutions<'_> {
    fn look(&mut self) -> Result<Option<Solution>, Error> {
        let (eval, answers) = (&mut self.eval, &mut self.answers);
        let (first, without) = (self.first, self.without);
        let found = self.puzzle.with_texts(|| match answers.next(eval)? {
            Next::Over(end) => cut_short(end).map(|()| None),
            Next::Answer(positions) => Ok(Some(verified(eval, &positions, without, first)?)),
        })?;
        self.first = false;
        Ok(found.map(|solution| self.puzzle.solution(solution, &self.known)))
    }
}

impl Iterator for Solutions<'_> {
    type Item = Result<Solution, Error>;

    fn next(&mut self) -> Option<Result<Solution, Error>> {
        if self.over {
            return None;
        }
        let found = self.look().transpose();
        self.over = !matches!(found, Some(Ok(_)));
        found
    }
}

/// The result of a uniqueness check.
#[derive(Clone, Debug)]
pub enum Uniqueness {
    /// There is no solution.
    None,
    /// There is exactly one.
    Unique(Solution),
    /// There are these two, and perhaps more.
    Several(Solution, Solution),
}

/// A number of solutions.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Count {
    /// Decimal digits: the number may exceed every integer type.
    pub number: String,
    /// Is this the number of all solutions? False if a limit ended the count.
    pub complete: bool,
    /// False for an estimate of an external program.
    pub exact: bool,
}

/// The best solution.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Optimum {
    /// It satisfies every rule.
    pub solution: Solution,
    /// Proven: nothing is better. If false, a limit ended the search.
    pub proven: bool,
}

/// What all solutions share.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Deduction {
    /// Entries that have the same value in every solution, by name.
    pub fixed: Vec<(String, Data)>,
    /// All other entries.
    pub open: Vec<OpenEntry>,
    /// If false, a limit ended the search: the result is correct, but more entries may be fixed.
    pub complete: bool,
    /// For each variable, the position of its fixed value among the choices of [`Puzzle::fields`].
    pub positions: Vec<Option<u32>>,
    drawings: Vec<render::Drawing>,
    known: Rc<Known>,
    title: Rc<str>,
}

/// An entry with different values in different solutions.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct OpenEntry {
    /// In the syntax of a model: `x[1, 2]`.
    pub name: String,
    /// The values that are not ruled out; `None` if the domain is too large to test.
    pub possible: Option<Vec<Data>>,
}

impl Deduction {
    /// The puzzle with the fixed entries as a picture for a page.
    pub fn picture(&self) -> Picture {
        Picture::of(&self.known, &self.drawings, &self.title)
    }

    /// Draws the puzzle with the fixed entries.
    pub fn draw(&self, form: Form) -> String {
        form.draw(&self.known, &self.drawings, &self.title)
    }
}

/// A rule that is part of an explanation.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Reason {
    /// Its label, with values inserted.
    pub label: String,
    /// `file:line:column` of the rule.
    pub place: String,
    /// The places of the data it reads.
    pub data: Vec<String>,
    /// The entries it mentions.
    pub entries: Vec<String>,
}

/// Rules that cannot hold together.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Conflict {
    /// The rules.
    pub reasons: Vec<Reason>,
    /// Proven: without any one of them the others can hold.
    pub minimal: bool,
}

impl Conflict {
    fn of(conflict: run::Conflict) -> Conflict {
        Conflict { minimal: conflict.minimal, reasons: reasons(conflict.reasons) }
    }
}

fn reasons(reasons: Reasons) -> Vec<Reason> {
    let reason = |reason: run::Reason| {
        let run::Reason { label, place, data, entries } = reason;
        Reason { label, place, data, entries }
    };
    reasons.reasons.into_iter().map(reason).collect()
}

/// Why a puzzle has no, one or several solutions.
#[derive(Clone, Debug)]
pub enum Explanation {
    /// There is none, because these rules cannot hold together.
    Impossible(Conflict),
    /// There is exactly one.
    Unique(Solution),
    /// There are several.
    Several {
        /// One of them.
        first: Solution,
        /// Another.
        second: Solution,
        /// The entries that differ among all solutions, if they were found in time.
        vary: Option<Vec<String>>,
    },
}

/// Why an expression has a value.
#[derive(Clone, Debug)]
pub enum Why {
    /// It has this value in every solution, because of these rules.
    Forced(Data, Conflict),
    /// It has the first value in one solution, and the second in another.
    Open(Data, Data),
    /// There is no solution.
    Impossible(Conflict),
}

/// The result of checking an answer.
#[derive(Clone, Debug)]
pub enum Judgement {
    /// It is a solution; with an objective, its cost.
    Correct(Option<i64>),
    /// It violates these rules.
    Broken(Vec<Reason>),
    /// No solution has this drawing.
    Unlike,
    /// These entries have no value, and no rule is violated yet.
    Incomplete(Vec<String>),
}

impl Puzzle {
    /// The solutions, each once, found on demand. If a limit ends the search, the last item is an error; without an
    /// error, these were all. With an objective, only the best ones.
    ///
    /// # Errors
    /// Faults of the model that appear when it is ground or encoded.
    ///
    /// ```
    /// let queens = rebus::Puzzle::load("queens", &[("n", "20")])?;
    /// let first: Vec<_> = queens.solutions()?.take(3).collect::<Result<_, _>>()?;
    /// assert!(!first[0].differs_from(&first[1]).is_empty());
    /// # Ok::<(), rebus::Error>(())
    /// ```
    pub fn solutions(&self) -> Result<Solutions<'_>, Error> {
        self.search(u64::MAX)
    }

    fn search(&self, most: u64) -> Result<Solutions<'_>, Error> {
        let (mut eval, known) = self.begin_drawn()?;
        let answers = self.with_texts(|| self.question(most).begin(&mut eval))?;
        let without = &self.loaded.without;
        Ok(Solutions { puzzle: self, eval, known, answers, without, first: true, over: false })
    }

    /// A solution, if there is one.
    ///
    /// # Errors
    /// As for [`Puzzle::solutions`]; or if a limit ended the search.
    pub fn solve(&self) -> Result<Option<Solution>, Error> {
        self.search(1)?.next().transpose()
    }

    /// Is there exactly one solution?
    ///
    /// # Errors
    /// As for [`Puzzle::solve`].
    ///
    /// ```
    /// use rebus::{Puzzle, Uniqueness};
    ///
    /// let row = Puzzle::load("row", &[])?;
    /// assert!(matches!(row.unique()?, Uniqueness::Several(..)));
    /// # Ok::<(), rebus::Error>(())
    /// ```
    pub fn unique(&self) -> Result<Uniqueness, Error> {
        let mut solutions = self.search(2)?;
        let first = solutions.next().transpose()?;
        let second = if first.is_some() { solutions.next().transpose()? } else { None };
        Ok(match (first, second) {
            (None, _) => Uniqueness::None,
            (Some(only), None) => Uniqueness::Unique(only),
            (Some(first), Some(second)) => Uniqueness::Several(first, second),
        })
    }

    /// The number of solutions, at most `limit`.
    ///
    /// # Errors
    /// Faults of the model. When a limit of the puzzle ends the count, the result is the number so far, with
    /// `complete` false.
    pub fn count(&self, limit: Option<u64>) -> Result<Count, Error> {
        let mut eval = self.begin()?;
        // one more shows whether there are more
        let most = limit.map_or(u64::MAX, |limit| limit.saturating_add(1));
        let counted = self.with_texts(|| run::count(&mut eval, &self.question(most), true))?;
        let (number, more) = counted.up_to(limit);
        Ok(Count { number, complete: counted.end == End::Exhausted && !more, exact: counted.exact })
    }

    /// The best solution of a model with an objective; `None` if there is no solution.
    ///
    /// # Errors
    /// As for [`Puzzle::solve`]; or if the model has no objective.
    pub fn optimum(&self) -> Result<Option<Optimum>, Error> {
        if self.loaded.program.objective.is_none() {
            let fault = Diagnostic::error(Code::Usage, "the model has no objective");
            let fault = fault.help("an objective is an item `minimize EXPR` or `maximize EXPR`");
            return Err(Error::of(fault.into()));
        }
        let (mut eval, known) = self.begin_drawn()?;
        let mut best = None;
        let search = self.with_texts(|| {
            self.question(1).solutions(&mut eval, &mut |_, solution| {
                best = Some(solution);
                Ok(false)
            })
        })?;
        match best {
            Some(best) => Ok(Some(Optimum { solution: self.solution(best, &known), proven: search.optimal })),
            None => self.with_texts(|| cut_short(search.end)).map(|()| None),
        }
    }

    /// What all solutions share; `None` if there is none.
    ///
    /// # Errors
    /// As for [`Puzzle::solve`].
    ///
    /// ```
    /// let row = rebus::Puzzle::load("row", &[])?;
    /// let known = row.deduce()?.expect("it has solutions");
    /// assert!(known.complete && !known.open.is_empty());
    /// # Ok::<(), rebus::Error>(())
    /// ```
    pub fn deduce(&self) -> Result<Option<Deduction>, Error> {
        let (mut eval, known) = self.begin_drawn()?;
        self.with_texts(|| {
            let common = match run::deduce(&mut eval, &self.question(1))? {
                Deduced::Common(common) => common,
                Deduced::Impossible => return Ok(None),
                Deduced::Unknown(stop) => return Err(stop.into()),
            };
            let positions: Vec<Option<u32>> = common.entries.iter().map(|entry| entry.fixed).collect();
            let drawings = eval.drawn_with(&positions)?;
            let (mut fixed, mut open) = (Vec::new(), Vec::new());
            for (var, entry) in (0..).map(run::VarId).zip(&common.entries) {
                let value = |position: &u32| eval.value_data(var, *position);
                let name = eval.var_name(var);
                match &entry.fixed {
                    Some(position) => fixed.push((name, value(position))),
                    None => {
                        let possible =
                            entry.possible.as_ref().map(|possible| possible.iter().map(value).collect());
                        open.push(OpenEntry { name, possible });
                    }
                }
            }
            let (complete, title) = (common.complete, self.title.clone());
            Ok(Some(Deduction { fixed, open, complete, positions, drawings, known, title }))
        })
    }

    /// Why there is no solution; or that there is exactly one, or several.
    ///
    /// # Errors
    /// As for [`Puzzle::solve`].
    pub fn explain(&self) -> Result<Explanation, Error> {
        let (mut eval, known) = self.begin_drawn()?;
        self.with_texts(|| match run::explain(&mut eval, &self.question(2), Wanted::Number)? {
            run::Explanation::Impossible(conflict) => Ok(Explanation::Impossible(Conflict::of(conflict))),
            run::Explanation::Unique(only) => Ok(Explanation::Unique(self.solution(only, &known))),
            run::Explanation::Several(pair, vary) => Ok(Explanation::Several {
                first: self.solution(pair.first, &known),
                second: self.solution(pair.second, &known),
                vary: vary.filter(|(_, complete)| *complete).map(|(names, _)| names),
            }),
            run::Explanation::Unknown(end) => Err(no_answer(end)),
            _ => Err(no_answer(End::GaveUp)),
        })
    }

    /// Why an expression of the model, such as `x[3, 4]`, has its value.
    ///
    /// # Errors
    /// As for [`Puzzle::solve`]; or a fault in the expression.
    pub fn why(&self, expression: &str) -> Result<Why, Error> {
        let mut eval = self.begin()?;
        let mut sources = self.loaded.sources.clone();
        let file = sources.add("the expression", expression);
        let mut asked = || -> Result<Why, Failure> {
            let body = self.loaded.program.expression(file, expression)?;
            match run::explain(&mut eval, &self.question(1), Wanted::Value(&body))? {
                run::Explanation::Impossible(conflict) => Ok(Why::Impossible(Conflict::of(conflict))),
                run::Explanation::Forced(asked, conflict) => {
                    Ok(Why::Forced(asked.data, Conflict::of(conflict)))
                }
                run::Explanation::Open(_, asked, other) => Ok(Why::Open(asked.data, other.data)),
                run::Explanation::Unknown(end) => Err(no_answer(end)),
                _ => Err(no_answer(End::GaveUp)),
            }
        };
        asked().map_err(|failure| Error::of(failure.within(&sources)))
    }

    /// Is an answer a solution? The answer is a text in the format of data, JSON, or a drawing.
    ///
    /// # Errors
    /// A text in another format, or a limit.
    ///
    /// ```
    /// use rebus::{Form, Judgement, Puzzle};
    ///
    /// let queens = Puzzle::load("queens", &[("n", "6")])?;
    /// let drawn = queens.solve()?.expect("there is one").draw(Form::Text);
    /// assert!(matches!(queens.verify(&drawn)?, Judgement::Correct(None)));
    /// # Ok::<(), rebus::Error>(())
    /// ```
    pub fn verify(&self, answer: &str) -> Result<Judgement, Error> {
        self.budget.restart();
        let mut sources = self.loaded.sources.clone();
        let file = sources.add("the answer", answer);
        called(&sources, || {
            let mut eval = Eval::new(&self.loaded.program, &self.budget);
            eval.declare_all()?;
            let given = eval.given_values(file, answer)?;
            let question = self.question(1);
            let mut judge = Judge { eval: &mut eval, question, text: answer, ground: false };
            Ok(judgement(judge.find(given)?))
        })
    }
}

pub(super) fn judgement(finding: Finding) -> Judgement {
    match finding {
        Finding::Correct(cost) => Judgement::Correct(cost),
        Finding::NotBest(cost, _) => Judgement::Correct(Some(cost)),
        Finding::Broken(found) | Finding::Clash(found) => Judgement::Broken(reasons(found)),
        Finding::Unlike(_) => Judgement::Unlike,
        Finding::Missing(names) => Judgement::Incomplete(names),
    }
}

/// A failure for a question without an answer.
fn no_answer(end: End) -> Failure {
    match cut_short(end) {
        Err(failure) => failure,
        Ok(()) => Diagnostic::error(Code::SolverFailed, "the question was not answered").into(),
    }
}
