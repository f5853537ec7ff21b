//! Dialects: how families of solvers differ in output and exit codes.
//!
//! One row a dialect, sorted by name; solver entries name them.

/// How to interpret an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    pub name: &'static str,
    /// `SAT` or `UNSAT` alone on a line is an answer, and the lines after it are literals (MiniSat's result file).
    pub bare: bool,
    pub lists: Lists,
    /// Exit codes with which "unsatisfiable" is accepted; of exact cover solvers and model counters, with which any
    /// answer is.
    pub unsat_exits: &'static [i32],
    /// Exit codes with which "unknown" is not a failure.
    pub unknown_exits: &'static [i32],
    /// Does an exit code with the bits of 20 mean that the search space was exhausted, with or without models?
    pub exit_bits: bool,
    /// Is any text on standard error a failure?
    pub clean_stderr: bool,
    pub shape: Shape,
}

/// May models be followed by "no more models"?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lists {
    No,
    /// It may list: `s SOLUTIONS n` and `c Models : n` are accepted, but `s UNSATISFIABLE` after models may be a
    /// fault.
    Perhaps,
    /// `s UNSATISFIABLE` after models is accepted as well; of exact covers, miniexact's `Found n solutions!`.
    Yes,
}

/// The format of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Status and value lines.
    Lines,
    /// The same, models with one digit a variable: `v 0110` (MaxSAT Evaluation 2022).
    Digits,
    /// One JSON document.
    Json,
    /// Exact covers, option by option.
    Covers,
    /// A number of models; always an estimate unless `exact`.
    Count { exact: bool },
}

/// The convention of the competitions, which most solvers follow.
pub const COMPETITION: Dialect = Dialect {
    name: "competition",
    bare: false,
    lists: Lists::No,
    unsat_exits: &[20, 0],
    unknown_exits: &[0],
    exit_bits: false,
    clean_stderr: false,
    shape: Shape::Lines,
};

/// Counters exit with 0, or with the codes of solvers.
const COUNTED: &[i32] = &[0, 10, 20];

/// All dialects.
pub const DIALECTS: &[Dialect] = &[
    // For an output of an unknown solver.
    Dialect { name: "any", bare: true, lists: Lists::Perhaps, ..COMPETITION },
    // 1: interrupted, 10: a model, 20: exhausted, in sums. After an interrupt its "unsatisfiable" may be wrong.
    Dialect { name: "clasp", unsat_exits: &[20], unknown_exits: &[0, 1], exit_bits: true, ..COMPETITION },
    Dialect {
        name: "clasp-json",
        unsat_exits: &[20],
        unknown_exits: &[0, 1],
        exit_bits: true,
        shape: Shape::Json,
        ..COMPETITION
    },
    // Of MaxSAT it shows the last model only, however many it found.
    Dialect { name: "clasp-pb", unsat_exits: &[20], unknown_exits: &[0, 1], ..COMPETITION },
    COMPETITION,
    Dialect { name: "count", unsat_exits: COUNTED, shape: Shape::Count { exact: true }, ..COMPETITION },
    Dialect {
        name: "count-approx",
        unsat_exits: COUNTED,
        shape: Shape::Count { exact: false },
        ..COMPETITION
    },
    Dialect { name: "cryptominisat", lists: Lists::Yes, unknown_exits: &[15], ..COMPETITION },
    Dialect { name: "digits", shape: Shape::Digits, ..COMPETITION },
    // Knuth's programs exit with code 0 exactly if they could read their input.
    Dialect { name: "dlx", unsat_exits: &[0], shape: Shape::Covers, ..COMPETITION },
    // 10: a solution, 20: there are no further ones.
    Dialect {
        name: "miniexact",
        lists: Lists::Yes,
        unsat_exits: &[10, 20],
        shape: Shape::Covers,
        ..COMPETITION
    },
    Dialect { name: "minisat", bare: true, ..COMPETITION },
    // Exits with code 20 after an enumeration, with or without models.
    Dialect { name: "picosat", lists: Lists::Yes, ..COMPETITION },
    // Prints `s UNKNOWN` and exits 0 for a file it cannot read; standard error has the reason. 130 and 143: interrupted.
    Dialect { name: "sat4j", unknown_exits: &[0, 130, 143], clean_stderr: true, ..COMPETITION },
    // Prints an answer for the part it could read of a broken file; standard error has the reason.
    Dialect { name: "z3", clean_stderr: true, ..COMPETITION },
];

impl Dialect {
    /// Is the solver unknown?
    pub fn is_unknown(&self) -> bool {
        self.name == "any"
    }

    pub fn named(name: &str) -> Option<Dialect> {
        DIALECTS.iter().copied().find(|dialect| dialect.name == name)
    }
}

/// The names of the dialects with answers, for `decode --dialect`.
pub fn answer_dialects() -> impl Iterator<Item = &'static str> {
    let answers = DIALECTS.iter().filter(|dialect| !matches!(dialect.shape, Shape::Count { .. }));
    answers.map(|dialect| dialect.name)
}
