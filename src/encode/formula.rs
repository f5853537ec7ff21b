//! The interface between a model and its target formats.
//!
//! In: a [`Given`]. Out: a [`Formula`], which knows its size and can be written any number of times. A target
//! consists of a variant of [`Target`], an implementation of [`Formula`] in its own module, and an arm of
//! [`measure`]. Commands use only these interfaces and name no target.

use super::annotate::Annotated;
use super::cnf::{self, Emission, EncodeError, Options};
use super::dimacs::Cnf;
use super::opb::Opb;
use super::symbols::WordLiteral;
use super::wcnf::{Wcnf, WcnfForm};
use super::xcc::{self, Xcc};
use super::{Lit, Sink};
use crate::files::Comments;
use crate::model::{Instance, Model, VarId};
use crate::shared::Budget;
use std::io::{self, Write};
use std::path::Path;

/// A kind of formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Deserialize)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
#[serde(rename_all = "lowercase")]
pub enum Target {
    Cnf,
    Wcnf,
    Opb,
    Xcc,
}

impl Target {
    pub const ALL: [Target; 4] = [Target::Cnf, Target::Wcnf, Target::Opb, Target::Xcc];

    /// The name in `--to`, in a map, and as the suffix of a file.
    pub fn name(self) -> &'static str {
        match self {
            Target::Cnf => "cnf",
            Target::Wcnf => "wcnf",
            Target::Opb => "opb",
            Target::Xcc => "xcc",
        }
    }

    /// Does a formula of this kind contain the objective?
    pub fn has_objective(self) -> bool {
        matches!(self, Target::Wcnf | Target::Opb)
    }

    /// The target of a file, by its suffix; a further suffix `.gz` is ignored.
    pub fn of_file(path: &Path) -> Option<Target> {
        let packed = path.extension().is_some_and(|suffix| suffix == "gz");
        let plain = if packed { Path::new(path.file_stem()?) } else { path };
        match plain.extension()?.to_str()? {
            "dimacs" => Some(Target::Cnf),
            suffix => Target::ALL.into_iter().find(|target| target.name() == suffix),
        }
    }

    /// The comment syntax.
    pub fn comments(self) -> Comments {
        match self {
            Target::Cnf | Target::Wcnf => Comments::Cnf,
            Target::Opb => Comments::Opb,
            Target::Xcc => Comments::Xcc,
        }
    }

    /// The prefix of a comment line with user text.
    pub fn comment(self) -> &'static str {
        match self.comments() {
            Comments::Cnf => "c : ",
            Comments::Opb => "* : ",
            Comments::Xcc => "| : ",
        }
    }
}

/// The comment lines of a CNF that state the projection of models.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum ShowLine {
    /// `c p show …`, as model counters read it.
    #[default]
    Show,
    /// `c ind …`, as older ones do.
    Ind,
    /// `c p show …` behind `c t pmc`, which names the task as the Model Counting Competition does.
    Pmc,
}

/// Options for the text of a formula; each target reads its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Form {
    pub show: ShowLine,
    /// May the literals of an OPB formula be negated, `~x1`?
    pub tilde: bool,
    pub wcnf: WcnfForm,
    pub xcc: xcc::Options,
    /// Must an exact cover respect the limits of the program that its dialect is named after?
    pub fits: bool,
}

/// Readable names of variables and rules.
#[derive(Clone, Copy)]
pub struct Labels<'a> {
    pub var: &'a dyn Fn(VarId) -> String,
    pub rule: &'a dyn Fn(Instance) -> String,
}

/// The input of a formula.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    pub model: &'a Model,
    /// Is the value at this position of the domain still possible?
    pub allows: &'a dyn Fn(VarId, u32) -> bool,
    pub options: Options,
    pub form: Form,
    /// Instead of optimizing, allow only answers of this cost: the value of the objective, negated if it is maximized.
    pub cost: Option<i128>,
    /// For targets that write names.
    pub labels: &'a Labels<'a>,
    /// The names of literals, for annotated formulas.
    pub names: Option<&'a dyn Fn(Lit) -> String>,
    pub budget: &'a Budget,
}

impl Given<'_> {
    /// Emits the rows of the model; annotated with `names`, and with the labels of the rules from `label`.
    pub fn encode(
        &self,
        sink: &mut dyn Sink,
        label: Option<&dyn Fn(Instance) -> String>,
    ) -> Result<Emission, EncodeError> {
        let label = label.unwrap_or(&|_| String::new());
        let encode = |sink: &mut dyn Sink| {
            cnf::encode(self.model, self.allows, self.options, self.budget, sink, label)
        };
        let (mut encoder, mut emission) = match self.names {
            Some(names) => encode(&mut Annotated::new(sink, names))?,
            None => encode(sink)?,
        };
        // targets with linear constraints assert the cost in their own form
        if let (Some(objective), Some(cost), None) = (self.model.objective, self.cost, sink.linear()) {
            let mut ctx = encoder.with(self.model, sink, self.budget);
            let cheap = ctx.cost_at_most(objective, cost)?;
            ctx.clause(&[cheap]);
            emission.variables = encoder.variables() as u32;
        }
        Ok(emission)
    }
}

/// Why a formula was not written.
#[derive(Debug)]
pub enum EmitError {
    Encode(EncodeError),
    Write(io::Error),
}

impl From<EncodeError> for EmitError {
    fn from(error: EncodeError) -> EmitError {
        EmitError::Encode(error)
    }
}

impl From<io::Error> for EmitError {
    fn from(error: io::Error) -> EmitError {
        EmitError::Write(error)
    }
}

/// A kind of component of a formula, in the plural, and the number of these.
pub type Size = (&'static str, u64);

/// A formula for one target, with known size.
pub trait Formula {
    fn target(&self) -> Target;

    /// The dialect of the target's format, as in a map.
    fn dialect(&self) -> &str;

    /// The literals of the variables and of answers.
    fn emission(&self) -> &Emission;

    /// The number of clauses, constraints or options.
    fn rows(&self) -> u64;

    /// The number of each kind of component.
    fn sizes(&self) -> Vec<Size>;

    /// Can clauses be added?
    fn takes_clauses(&self) -> bool;

    /// The words that make literals true, for targets whose answers are not lists of literals.
    fn word_literals(&self) -> Vec<WordLiteral> {
        Vec::new()
    }

    /// A warning for the user.
    fn warning(&self) -> Option<String> {
        None
    }

    /// Writes the formula: the header, the comment lines `preface` at the position that the format requires, the
    /// rows, and at the end the clauses `further`, which block answers. With a `label` the formula is annotated: the
    /// label names the rule instance of the rows that follow.
    ///
    /// Precondition: `given` is the one that was measured, except for [`Given::cost`].
    fn write(
        &self,
        given: &Given<'_>,
        preface: &str,
        label: Option<&dyn Fn(Instance) -> String>,
        further: &[Vec<Lit>],
        out: &mut dyn Write,
    ) -> Result<(), EmitError>;
}

/// Measures the formula for a target.
pub fn measure(target: Target, given: &Given<'_>) -> Result<Box<dyn Formula>, EncodeError> {
    Ok(match target {
        Target::Cnf => Box::new(Cnf::measure(given)?),
        Target::Opb => Box::new(Opb::measure(given)?),
        Target::Wcnf => Box::new(Wcnf::measure(given)?),
        Target::Xcc => Box::new(Xcc::measure(given)?),
    })
}
