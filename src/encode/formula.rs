//! The seam between a model and the kinds of formula it can become.
//!
//! In: a [`Given`]. Out: a [`Formula`], which has measured itself and writes itself as often as wanted. A target is a
//! value of [`Target`], a `Formula` in a room of its own and an arm of [`measure`]; commands know none of them by name.

use super::annotate::Annotated;
use super::cnf::{self, Emission, EncodeError, Options};
use super::dimacs::Cnf;
use super::opb::Opb;
use super::symbols::Told;
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

    /// As in `--to`, in a map, and as the suffix of a file.
    pub fn name(self) -> &'static str {
        match self {
            Target::Cnf => "cnf",
            Target::Wcnf => "wcnf",
            Target::Opb => "opb",
            Target::Xcc => "xcc",
        }
    }

    /// Does a formula of this kind say what the model's objective is?
    pub fn has_objective(self) -> bool {
        matches!(self, Target::Wcnf | Target::Opb)
    }

    /// By the suffix of a file's name, packed or not.
    pub fn of_file(path: &Path) -> Option<Target> {
        let packed = path.extension().is_some_and(|suffix| suffix == "gz");
        let plain = if packed { Path::new(path.file_stem()?) } else { path };
        match plain.extension()?.to_str()? {
            "dimacs" => Some(Target::Cnf),
            suffix => Target::ALL.into_iter().find(|target| target.name() == suffix),
        }
    }

    /// What makes a line a comment.
    pub fn comments(self) -> Comments {
        match self {
            Target::Cnf | Target::Wcnf => Comments::Cnf,
            Target::Opb => Comments::Opb,
            Target::Xcc => Comments::Xcc,
        }
    }

    /// What a comment line that carries somebody's text starts with.
    pub fn comment(self) -> &'static str {
        match self.comments() {
            Comments::Cnf => "c : ",
            Comments::Opb => "* : ",
            Comments::Xcc => "| : ",
        }
    }
}

/// How clauses say what to project models on.
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

/// Choices of how a formula's text is formed; a target reads its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Form {
    pub show: ShowLine,
    /// May the literals of an OPB formula be negated, `~x1`?
    pub tilde: bool,
    pub wcnf: WcnfForm,
    pub xcc: xcc::Options,
    /// Must an exact cover fit into the program that its dialect is called after?
    pub fits: bool,
}

/// What people call variables and rules.
#[derive(Clone, Copy)]
pub struct Labels<'a> {
    pub var: &'a dyn Fn(VarId) -> String,
    pub rule: &'a dyn Fn(Instance) -> String,
}

/// What a formula is made from.
#[derive(Clone, Copy)]
pub struct Given<'a> {
    pub model: &'a Model,
    /// Is the value at this position of the domain still possible?
    pub allows: &'a dyn Fn(VarId, u32) -> bool,
    pub options: Options,
    pub form: Form,
    /// An objective need not be optimised any more: only answers of this cost (the value, negated where it is to be
    /// maximal) are wanted.
    pub cost: Option<i128>,
    /// For targets that name what they write.
    pub labels: &'a Labels<'a>,
    /// What literals say, for reading copies.
    pub names: Option<&'a dyn Fn(Lit) -> String>,
    pub budget: &'a Budget,
}

impl Given<'_> {
    /// Emits the rows of the model; in a reading copy each behind what it says, and rules behind their labels.
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
        // linear constraints say of themselves what an answer costs
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

/// What a formula is made of, in the plural, and how many of them it has.
pub type Size = (&'static str, u64);

/// A formula of one kind, measured.
pub trait Formula {
    fn target(&self) -> Target;

    /// Which variety of the target's format; as in a map.
    fn dialect(&self) -> &str;

    /// Literals of the variables and of answers.
    fn emission(&self) -> &Emission;

    /// The number of clauses, constraints or options.
    fn rows(&self) -> u64;

    /// What it is made of, and how many of each.
    fn sizes(&self) -> Vec<Size>;

    /// Can clauses be added?
    fn takes_clauses(&self) -> bool;

    /// The words that tell literals, where answers are not of literals.
    fn told(&self) -> Vec<Told> {
        Vec::new()
    }

    /// What a user should know of it.
    fn warning(&self) -> Option<String> {
        None
    }

    /// Writes it, with its header, the comment lines `preface` where the format wants them, and at the end the clauses
    /// `further`, which block answers. With a `label`, a reading copy: it names the rule instance of what follows.
    ///
    /// What is given is what was measured, but for [`Given::cost`].
    fn write(
        &self,
        given: &Given<'_>,
        preface: &str,
        label: Option<&dyn Fn(Instance) -> String>,
        further: &[Vec<Lit>],
        out: &mut dyn Write,
    ) -> Result<(), EmitError>;
}

/// Measures the formula of a kind.
pub fn measure(target: Target, given: &Given<'_>) -> Result<Box<dyn Formula>, EncodeError> {
    Ok(match target {
        Target::Cnf => Box::new(Cnf::measure(given)?),
        Target::Opb => Box::new(Opb::measure(given)?),
        Target::Wcnf => Box::new(Wcnf::measure(given)?),
        Target::Xcc => Box::new(Xcc::measure(given)?),
    })
}
