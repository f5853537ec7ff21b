//! All diagnostics: a name, the exit code, and the meaning.
//!
//! To add one: a row here (sorted by name), the place that emits it, and a file `tests/errors/NAME.rebus` (or
//! `NAME-….…`) that triggers it. `grammar/errors.md` is generated from here.

macro_rules! codes {
    ($($variant:ident $name:literal $exit:literal $meaning:literal,)*) => {
        /// A kind of fault.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum Code { $($variant,)* }

        /// All codes, sorted by name.
        pub const CODES: &[Code] = &[$(Code::$variant,)*];

        impl Code {
            /// As printed in brackets after `error`.
            pub fn name(self) -> &'static str {
                match self { $(Code::$variant => $name,)* }
            }

            /// The exit code of a run that ends with this fault (0: a warning).
            pub fn exit(self) -> u8 {
                match self { $(Code::$variant => $exit,)* }
            }

            /// The meaning in one or two sentences.
            pub fn meaning(self) -> &'static str {
                match self { $(Code::$variant => $meaning,)* }
            }
        }
    };
}

codes! {
    ArgumentCount "argument-count" 1 "A function was given too few or too many arguments.",
    BadArgument "bad-argument" 1 "An argument of a built-in is of the right type but outside what it accepts.",
    ClashingRules "clashing-rules" 1 "Two rule instances or givens contradict each other, so there is no solution.",
    DivisionByZero "division-by-zero" 1 "A known number was divided by a known zero.",
    DuplicateName "duplicate-name" 1 "A name was defined twice in one scope.",
    EmptyDomain "empty-domain" 0 "A variable has no allowed value, so there is no solution.",
    FalseRule "false-rule" 1 "A rule is false for every answer, so there is no solution: a warning of `solve`, a fault for `check`.",
    GraphPlace "graph-place" 1 "A graph constraint that depends on a variable stands inside another term, not as a condition of a rule.",
    ImportNotAllowed "import-not-allowed" 1 "An import leaves the model's folder, or is no regular file.",
    IndexOutOfRange "index-out-of-range" 1 "An index that does not depend on a variable is no key of what it indexes.",
    InvalidText "invalid-text" 1 "A file is not UTF-8 text.",
    LimitExceeded "limit-exceeded" 4 "A limit of the run (time, memory, steps, clauses, file size) was reached.",
    MapMismatch "map-mismatch" 1 "A symbol map does not belong to the formula, is damaged, or is of another version.",
    MissingParameter "missing-parameter" 1 "A parameter has no default and was not supplied.",
    NumberTooLarge "number-too-large" 1 "A number, or the bounds of a term, leave 64 bits.",
    OutsideDomain "outside-domain" 1 "A supplied value is not in the domain of its parameter.",
    Picture "picture" 1 "A picture has an entry, a line or a size that does not fit its array.",
    ProofRejected "proof-rejected" 5 "A checker does not accept a proof.",
    RecursionTooDeep "recursion-too-deep" 1 "A function calls itself deeper than allowed, or a text nests too deep.",
    RuleBroken "rule-broken" 3 "An answer breaks a rule of the model.",
    SolverFailed "solver-failed" 3 "A solver crashed, printed no usable answer, or answered wrongly.",
    SolverMissing "solver-missing" 3 "A solver is not installed or not known.",
    Syntax "syntax" 1 "The text does not follow the grammar.",
    TypeMismatch "type-mismatch" 1 "A value is of another type than the operation wants.",
    UndefinedTerm "undefined-term" 1 "A value is undefined and no boolean expression stands around it.",
    UnknownDependence "unknown-dependence" 1 "A value must be known before solving but depends on a variable.",
    UnknownLabel "unknown-label" 2 "A label of `--without` names no rule.",
    UnknownName "unknown-name" 1 "A name is not defined.",
    UnknownParameter "unknown-parameter" 1 "Data supply a parameter that the model does not have.",
    UnreadableFile "unreadable-file" 1 "A file cannot be read.",
    Unwritable "unwritable" 1 "An output cannot be written.",
    Usage "usage" 2 "The command line is wrong.",
}

impl std::fmt::Display for Code {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sorted_and_unique() {
        let names: Vec<&str> = CODES.iter().map(|code| code.name()).collect();
        let mut sorted = names.clone();
        sorted.sort_unstable();
        sorted.dedup();
        assert_eq!(names, sorted);
    }
}
