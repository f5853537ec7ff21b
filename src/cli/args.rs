//! Arguments that several commands share.

use super::{interrupt, watchdog};
use crate::diag::{Code, Diagnostic};
use crate::run::Less;
use crate::run::Target;
use crate::run::cnf::{Amo, Card, GraphEncoding, IntEncoding, Line, Options, SumEncoding};
use crate::run::load::{DataSource, ModelSource};
use crate::run::solvers::Wish;
use crate::run::{self, Encoding, Faulty, Loaded, Texts};
use crate::shared::{Budget, Clock, Limits, Meter, ProcessLimits};
use clap::{Args, ValueEnum};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// A model and what it is given.
#[derive(Args, Clone, Debug)]
pub struct ModelArgs {
    /// A model: a path (with `/` or a suffix), or a name of the catalogue (see `rebus models`); or a puzzle of its own: a
    /// puzz.link URL or a game ID of Simon Tatham's collection
    pub model: String,
    /// Data files: `name = value` items, JSON, or any format that `rebus import` reads
    pub data: Vec<PathBuf>,
    /// Supplies a parameter: NAME=VALUE, NAME=@FILE or NAME=@- (standard input)
    #[arg(short = 'D', long = "define", value_name = "NAME=VALUE")]
    pub defines: Vec<String>,
    /// Drops a rule: its label as written, or one instance as printed
    #[arg(long, value_name = "LABEL")]
    pub without: Vec<String>,
}

impl ModelArgs {
    /// Reads and parses the texts.
    pub fn load(&self) -> Result<Loaded, Faulty> {
        watchdog::loading(|| run::load(&self.texts()))
    }

    pub fn texts(&self) -> Texts {
        let ModelArgs { model, data, defines, without } = self.clone();
        Texts {
            model: ModelSource::Named(model),
            data: data.into_iter().map(DataSource::File).collect(),
            defines,
            without,
        }
    }
}

/// Which encodings.
#[derive(Args, Clone, Debug)]
pub struct EncodingArgs {
    /// Named integers: one literal a value, one a threshold, or binary
    #[arg(long, value_enum, default_value_t, value_name = "ENCODING")]
    pub int: IntEncoding,
    /// At-most-one
    #[arg(long, value_enum, default_value_t, value_name = "ENCODING")]
    pub amo: Amo,
    /// Cardinalities
    #[arg(long, value_enum, default_value_t, value_name = "ENCODING")]
    pub card: Card,
    /// Linear sums
    #[arg(long, value_enum, default_value_t, value_name = "ENCODING")]
    pub sum: SumEncoding,
    /// Runs of a line
    #[arg(long, value_enum, default_value_t, value_name = "ENCODING")]
    pub line: Line,
    /// Graph constraints
    #[arg(long, value_enum, default_value_t, value_name = "ENCODING")]
    pub graph: GraphEncoding,
    /// In an exact cover, how less is told: by plain items, along the paths of a tree, or by colours
    #[arg(long, value_enum, default_value_t, value_name = "FORM")]
    pub less: Less,
    /// Check every clause that is learned about graphs, and fail if one does not follow (slow)
    #[arg(long)]
    pub check_cuts: bool,
    /// Propagate what is given before encoding; on, unless a proof is wanted
    #[arg(long, value_enum, value_name = "on|off")]
    pub presolve: Option<Switch>,
}

impl EncodingArgs {
    pub fn encoding(&self) -> Encoding {
        let EncodingArgs { int, amo, card, sum, line, graph, less, check_cuts, presolve } = *self;
        Encoding {
            options: Options { int, amo, card, sum, line, graph },
            less,
            check_cuts,
            presolve: presolve.map(|switch| switch == Switch::On),
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Switch {
    On,
    Off,
}

/// Who solves, and as what kind of formula the puzzle is put.
#[derive(Args, Clone, Debug)]
pub struct SolverArgs {
    /// A solver by name (see `rebus solvers`), or a command with `{in}` and `{out}`; embedded if left out
    #[arg(long, value_name = "SOLVER")]
    pub solver: Option<String>,
    /// The command lists all answers, and tells when there are no more; else it is run again for each further one
    #[arg(long, requires = "solver")]
    pub lists: bool,
    /// A table of further solvers
    #[arg(long, value_name = "FILE")]
    pub solvers: Option<PathBuf>,
    /// The kind of formula; by default what the solver reads
    #[arg(long, value_enum, value_name = "TARGET")]
    pub to: Option<Target>,
}

impl SolverArgs {
    pub fn wish(&self) -> Wish {
        let SolverArgs { solver, lists, solvers, to } = self.clone();
        Wish { solver, lists, table: solvers, target: to }
    }
}

/// Limits of a run.
#[derive(Args, Clone, Debug)]
pub struct LimitArgs {
    /// Seconds for everything, grounding too
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// Megabytes held, and of the address space of each process of another solver
    #[arg(long, value_name = "MB")]
    pub max_memory: Option<u64>,
    /// Seconds of processor time, over all threads: ours, and those of each process of another solver
    #[arg(long, value_name = "SECONDS", value_parser = clap::value_parser!(u64).range(1..))]
    pub max_cpu: Option<u64>,
    /// Clauses
    #[arg(long, value_name = "N")]
    pub max_clauses: Option<u64>,
}

impl LimitArgs {
    pub fn limits(&self) -> Limits {
        let default = Limits::default();
        let memory = self.max_memory.map(|mb| mb.saturating_mul(1 << 20));
        Limits {
            time: self.timeout,
            cpu: self.max_cpu.map(Duration::from_secs),
            // a limit of the system applies too
            memory: memory.unwrap_or(default.memory).min(watchdog::most_addresses().unwrap_or(u64::MAX)),
            clauses: self.max_clauses.unwrap_or(default.clauses),
            process: ProcessLimits { cpu: self.max_cpu, memory },
            ..default
        }
    }

    /// The budget of the run, counted from its start.
    pub fn budget(&self) -> Budget {
        self.measured(watchdog::clock(), watchdog::METER)
    }

    /// The budget of one instance, in one of several threads.
    pub fn budget_of_thread(&self) -> Budget {
        watchdog::untimed();
        let meter = watchdog::METER_OF_THREAD;
        self.measured(Arc::new(Clock::start(meter)), meter)
    }

    fn measured(&self, clock: Arc<Clock>, meter: Meter) -> Budget {
        Budget::new(self.limits())
            .cancelled_by(interrupt::cancelled())
            .full_by(interrupt::full())
            .measured_by(clock, meter)
    }
}

fn seconds(text: &str) -> Result<Duration, String> {
    let seconds: f64 = text.parse().map_err(|_| format!("`{text}` is no number of seconds"))?;
    Duration::try_from_secs_f64(seconds).map_err(|_| format!("`{text}` is no number of seconds"))
}

/// How results are told.
#[derive(Args, Clone, Debug)]
pub struct OutputArgs {
    /// The form of results
    #[arg(short, long, value_enum, default_value = "text", value_name = "FORM")]
    pub format: Format,
    /// Draw with plain ASCII characters
    #[arg(long)]
    pub ascii: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Format {
    Text,
    Json,
    Csv,
    Svg,
    Html,
}

impl Format {
    /// Is the output one picture of all results?
    pub fn is_picture(self) -> bool {
        matches!(self, Format::Svg | Format::Html)
    }
}

impl OutputArgs {
    /// For commands that support only some formats.
    pub fn only(&self, forms: &[Format], command: &str) -> Result<(), Diagnostic> {
        if forms.contains(&self.format) {
            return Ok(());
        }
        let name = |format: &Format| {
            format.to_possible_value().map_or_else(String::new, |value| value.get_name().to_owned())
        };
        let known: Vec<String> = forms.iter().map(name).collect();
        let message = format!("`{command}` does not write {}", name(&self.format));
        Err(Diagnostic::error(Code::Usage, message).help(format!("there are: {}", known.join(", "))))
    }
}
