//! How the families of solvers differ in what they print and in their exit codes.
//!
//! One row a dialect, sorted by name; solver blocks name them.

/// What may be believed of an output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Dialect {
    pub name: &'static str,
    /// `SAT` or `UNSAT` alone on a line is an answer, and the lines after it are literals (MiniSat's result file).
    pub bare: bool,
    pub lists: Lists,
    /// Exit codes with which "unsatisfiable" is believed; of exact-cover solvers and model counters, with which anything is.
    pub unsat_exits: &'static [i32],
    /// Exit codes with which "unknown" is no sign of a failure.
    pub unknown_exits: &'static [i32],
    /// Does an exit code with the bits of 20 mean that the space was exhausted, models or not?
    pub exit_bits: bool,
    /// Is any text on standard error a failure?
    pub clean_stderr: bool,
    pub shape: Shape,
}

/// May models be followed by "no more models"?
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lists {
    No,
    /// It may list: `s SOLUTIONS n` and `c Models : n` tell, but `s UNSATISFIABLE` behind models may be a fault.
    Perhaps,
    /// `s UNSATISFIABLE` behind models tells as well; of exact covers, miniexact's `Found n solutions!`.
    Yes,
}

/// What an output is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// Status and value lines.
    Lines,
    /// The same, models a digit a variable: `v 0110` (MaxSAT Evaluation 2022).
    Digits,
    /// One JSON document.
    Json,
    /// Exact covers, option by option.
    Covers,
    /// A number of models; an estimate, whatever is printed, unless `exact`.
    Count { exact: bool },
}

/// What most solvers of the competitions do.
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

/// Counters end with 0, or as solvers do.
const COUNTED: &[i32] = &[0, 10, 20];

/// All dialects.
pub const DIALECTS: &[Dialect] = &[
    // For a file that came from some solver.
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
    // Knuth's programs say with code 0 alone that they read their input.
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
    // Ends with code 20 after an enumeration, models or not.
    Dialect { name: "picosat", lists: Lists::Yes, ..COMPETITION },
    // Prints `s UNKNOWN` and exits 0 for a file it cannot read; standard error has the reason. 130 and 143: interrupted.
    Dialect { name: "sat4j", unknown_exits: &[0, 130, 143], clean_stderr: true, ..COMPETITION },
    // Prints an answer for the part it could read of a broken file; standard error has the reason.
    Dialect { name: "z3", clean_stderr: true, ..COMPETITION },
];

impl Dialect {
    /// Nobody says from which solver.
    pub fn is_unknown(&self) -> bool {
        self.name == "any"
    }

    pub fn named(name: &str) -> Option<Dialect> {
        DIALECTS.iter().copied().find(|dialect| dialect.name == name)
    }
}

/// The names of those that print answers, for `decode --dialect`.
pub fn answer_dialects() -> impl Iterator<Item = &'static str> {
    let answers = DIALECTS.iter().filter(|dialect| !matches!(dialect.shape, Shape::Count { .. }));
    answers.map(|dialect| dialect.name)
}
