//! The table of solvers: built in, from a user's file, or a command on the command line.
//!
//! In: TOML or a command template. Out: [`Solver`]s, or diagnostics with places. A user's file is never looked up in
//! the current folder or in a model's folder: an untrusted puzzle must not bring a command along. Starts no program.

use super::checker::{Checker, ProofForm};
use super::output::dialect::{DIALECTS, Dialect, Lists, Shape};
use super::template::{placeholders, split};
use crate::diag::{Code, Diagnostic, Sources};
use crate::encode::{Target, xcc};
use crate::shared::{FileId, Span, nearest};
use serde::Deserialize;
use toml::Spanned;

const BUILT_IN: &str = include_str!("solvers.toml");

/// One solver, as `solvers.toml` describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Solver {
    pub name: String,
    pub command: String,
    pub args: Vec<String>,
    pub format: Target,
    pub output: Dialect,
    pub gz: bool,
    /// Does it read the WCNF format from before 2022?
    pub old: bool,
    pub time: Vec<String>,
    pub seed: Vec<String>,
    pub proof: Vec<String>,
    pub lrat: Vec<String>,
    pub version: Vec<String>,
    pub needs: Vec<String>,
    pub limit: Vec<String>,
    pub all: Vec<String>,
    /// The input dialect of an exact cover solver.
    pub dialect: xcc::Dialect,
    /// Is this a command that the user typed? It runs in the current folder, so that its relative paths are valid.
    pub typed: bool,
    /// Did the user state that a typed command lists all answers?
    pub told_to_list: bool,
}

impl Solver {
    /// Does it read the formula from standard input?
    pub fn reads_stdin(&self) -> bool {
        !self.args.iter().any(|arg| arg.contains("{in}"))
    }

    /// Does it list all answers in one run?
    pub fn lists(&self) -> bool {
        !self.all.is_empty() || self.told_to_list || self.format == Target::Xcc && !self.typed
    }

    /// Does it report only the number of models, and no model?
    pub fn counts(&self) -> bool {
        matches!(self.output.shape, Shape::Count { .. })
    }

    /// Does it write the answer to a file?
    pub fn writes_file(&self) -> bool {
        self.args.iter().any(|arg| arg.contains("{out}"))
    }

    /// The key of a solver in the table.
    fn key(&self) -> (&str, &str) {
        (&self.name, self.format.name())
    }

    /// The environment variable that overrides the path of the program.
    pub fn variable(&self) -> String {
        variable(&self.name)
    }

    /// The arguments for a proof in this format; empty if the solver does not support it.
    pub fn proof_args(&self, form: ProofForm) -> &[String] {
        match form {
            ProofForm::Drat => &self.proof,
            ProofForm::Lrat => &self.lrat,
        }
    }

    /// A solver from a command such as `mysolver --fast {in} {out}`: split into arguments at blanks, with `'…'`,
    /// `"…"` and `\` as in a shell; no shell runs it.
    pub fn typed(template: &str, format: Target) -> Result<Solver, Diagnostic> {
        let usage = |message: String| Diagnostic::error(Code::Usage, message);
        let mut words = split(template).map_err(|fault| usage(format!("`--solver {template}`: {fault}")))?;
        if words.is_empty() || words[0].is_empty() {
            return Err(usage("`--solver` needs a name or a command".to_owned()));
        }
        let command = words.remove(0);
        for word in &words {
            if let Some(name) = placeholders(word).find(|name| !matches!(*name, "in" | "out")) {
                return Err(usage(format!("`--solver {template}`: `{{{name}}}` is unknown"))
                    .help("`{in}` stands for the formula, `{out}` for a file with the answer"));
            }
        }
        Ok(Solver {
            name: command.clone(),
            command,
            args: words,
            format,
            output: Dialect::named(if format == Target::Xcc { "dlx" } else { "any" })
                .expect("a row of the table"),
            gz: false,
            old: false,
            time: Vec::new(),
            seed: Vec::new(),
            proof: Vec::new(),
            lrat: Vec::new(),
            version: Vec::new(),
            needs: Vec::new(),
            limit: Vec::new(),
            all: Vec::new(),
            dialect: xcc::Dialect::default(),
            typed: true,
            told_to_list: false,
        })
    }

    /// The same command, marked by the user as one that lists all answers.
    pub fn listing(mut self) -> Solver {
        self.told_to_list = true;
        self.output.lists = Lists::Yes;
        self
    }
}

/// The environment variable that overrides the program called `name` in the table.
pub(super) fn variable(name: &str) -> String {
    let letter = |c: char| if c.is_ascii_alphanumeric() { c.to_ascii_uppercase() } else { '_' };
    format!("REBUS_SOLVER_{}", name.chars().map(letter).collect::<String>())
}

/// All solvers and checkers known in a run, sorted by name, solvers then by format. A program that reads several
/// formats has one entry for each.
#[derive(Clone, Debug)]
pub struct SolverTable {
    solvers: Vec<Solver>,
    checkers: Vec<Checker>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    solver: Vec<Block>,
    #[serde(default)]
    checker: Vec<CheckerBlock>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CheckerBlock {
    name: Spanned<String>,
    command: Spanned<String>,
    args: Vec<Spanned<String>>,
    proof: ProofForm,
    #[serde(default = "clean_exit")]
    exits: Vec<i32>,
}

fn clean_exit() -> Vec<i32> {
    vec![0]
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Block {
    name: Spanned<String>,
    command: Spanned<String>,
    args: Vec<Spanned<String>>,
    format: Target,
    output: Spanned<String>,
    #[serde(default)]
    gz: bool,
    #[serde(default)]
    old: bool,
    #[serde(default)]
    time: Vec<Spanned<String>>,
    #[serde(default)]
    seed: Vec<Spanned<String>>,
    #[serde(default)]
    proof: Vec<Spanned<String>>,
    #[serde(default)]
    lrat: Vec<Spanned<String>>,
    #[serde(default)]
    version: Vec<Spanned<String>>,
    #[serde(default)]
    needs: Vec<Spanned<String>>,
    #[serde(default)]
    limit: Vec<Spanned<String>>,
    #[serde(default)]
    all: Vec<Spanned<String>>,
    #[serde(default)]
    dialect: xcc::Dialect,
}

impl SolverTable {
    /// The built-in solvers.
    pub fn built_in() -> SolverTable {
        let mut table = SolverTable { solvers: Vec::new(), checkers: Vec::new() };
        let mut sources = Sources::default();
        let file = sources.add("solvers.toml", BUILT_IN);
        let faults = table.add(BUILT_IN, file);
        assert!(faults.is_empty(), "the table of solvers is broken: {faults:?}");
        table
    }

    /// Adds the blocks of a user's file, which replace blocks of the same name and format. If there are faults,
    /// nothing is added.
    pub fn add(&mut self, text: &str, file: FileId) -> Vec<Diagnostic> {
        let blocks = match toml::from_str::<File>(text) {
            Ok(blocks) => blocks,
            Err(error) => {
                let fault = Diagnostic::error(Code::Syntax, error.message().trim().to_owned());
                return vec![match error.span() {
                    Some(range) => fault.at(Span::new(file, range.start, range.end), ""),
                    None => fault,
                }];
            }
        };
        let mut faults = Vec::new();
        let mut added: Vec<Solver> = Vec::new();
        for block in blocks.solver {
            if let Some(solver) = check(block, file, &added, &mut faults) {
                added.push(solver);
            }
        }
        let mut checkers: Vec<Checker> = Vec::new();
        for block in blocks.checker {
            let there = |name: &str| checkers.iter().any(|other| other.name == name);
            let groups: Groups<'_> = &[(&block.args, &["in", "proof"])];
            faults.extend(check_texts(file, "checker", &block.name, &block.command, there, groups));
            checkers.push(Checker {
                name: block.name.into_inner(),
                command: block.command.into_inner(),
                args: strings(block.args),
                proof: block.proof,
                exits: block.exits,
            });
        }
        if faults.is_empty() {
            self.checkers.retain(|checker| checkers.iter().all(|new| new.name != checker.name));
            self.checkers.extend(checkers);
            self.checkers.sort_by(|a, b| a.name.cmp(&b.name));
            self.solvers.retain(|solver| added.iter().all(|new| new.key() != solver.key()));
            self.solvers.extend(added);
            self.solvers.sort_by(|a, b| a.key().cmp(&b.key()));
        }
        faults
    }

    pub fn iter(&self) -> impl Iterator<Item = &Solver> {
        self.solvers.iter()
    }

    pub fn checkers(&self) -> impl Iterator<Item = &Checker> {
        self.checkers.iter()
    }

    /// The solver of this name for a format; without a format, for any, clauses first.
    pub fn get(&self, name: &str, format: Option<Target>) -> Option<&Solver> {
        let named = || self.solvers.iter().filter(|solver| solver.name == name);
        let reads = |format: Target| named().find(|solver| solver.format == format);
        match format {
            Some(format) => reads(format),
            None => reads(Target::Cnf).or_else(|| named().next()),
        }
    }

    /// The solver that `--solver` names: an entry of the table, or a command if the text has a blank, a brace or a
    /// slash. It must read `format`; without a format, a command reads clauses.
    pub fn named_or_typed(&self, text: &str, format: Option<Target>) -> Result<Solver, Diagnostic> {
        if let Some(solver) = self.get(text, format) {
            return Ok(solver.clone());
        }
        if text.contains([' ', '\t', '{', '/']) {
            return Solver::typed(text, format.unwrap_or(Target::Cnf));
        }
        if let (Some(wanted), Some(other)) = (format, self.get(text, None)) {
            let message = format!("`{text}` does not read {}, but {}", wanted.name(), other.format.name());
            return Err(Diagnostic::error(Code::Usage, message));
        }
        let mut names: Vec<&str> = self.iter().map(|solver| solver.name.as_str()).collect();
        names.dedup();
        let mut fault = Diagnostic::error(Code::SolverMissing, format!("no solver is called `{text}`"));
        if let Some(near) = nearest(text, names.iter().copied()) {
            fault = fault.help(format!("did you mean `{near}`?"));
        }
        Err(fault
            .note(format!("known solvers: {}", names.join(", ")))
            .help("a command is told from a name by its arguments: `--solver 'mysolver {in}'`; `rebus solvers` lists what is installed"))
    }
}

/// Lists of arguments, each with the placeholders allowed in it.
type Groups<'a> = &'a [(&'a [Spanned<String>], &'a [&'a str])];

/// Checks that TOML itself cannot make, common to solvers and checkers.
fn check_texts(
    file: FileId,
    what: &str,
    name: &Spanned<String>,
    command: &Spanned<String>,
    there: impl Fn(&str) -> bool,
    groups: Groups<'_>,
) -> Vec<Diagnostic> {
    let mut faults = Vec::new();
    let mut fault = |text: &Spanned<String>, message: String, label: &str| {
        faults.push(misfit(file, text, message, label));
    };
    let text = name.get_ref();
    let plain = |c: char| c.is_ascii_alphanumeric() || "+-_.".contains(c);
    if text.is_empty() || !text.chars().all(plain) {
        fault(name, format!("`{text}` is no name for a {what}"), "letters, digits and `+-_.` only");
    } else if there(text) {
        fault(name, format!("the {what} `{text}` is there twice"), "");
    }
    let program = command.get_ref();
    if program.trim().is_empty() {
        fault(command, "the command is empty".to_owned(), "");
    } else if program.contains('/') && !program.starts_with('/') {
        // relative to the current folder, which may hold untrusted files
        fault(command, "the path of the command is relative".to_owned(), "a name, or a path from `/` on");
    }
    for (args, allowed) in groups {
        for arg in *args {
            if let Some(name) = placeholders(arg.get_ref()).find(|name| !allowed.contains(name)) {
                fault(arg, format!("`{{{name}}}` stands for nothing here"), "");
            }
        }
    }
    faults
}

fn misfit(file: FileId, text: &Spanned<String>, message: String, label: &str) -> Diagnostic {
    let range = text.span();
    Diagnostic::error(Code::Syntax, message).at(Span::new(file, range.start, range.end), label)
}

fn strings(args: Vec<Spanned<String>>) -> Vec<String> {
    args.into_iter().map(Spanned::into_inner).collect()
}

fn check(block: Block, file: FileId, before: &[Solver], faults: &mut Vec<Diagnostic>) -> Option<Solver> {
    let found = faults.len();
    let format = block.format;
    let there = |name: &str| before.iter().any(|solver| solver.name == name && solver.format == format);
    let groups: Groups<'_> = &[
        (&block.args, &["in", "out"]),
        (&block.time, &["seconds"]),
        (&block.seed, &["seed"]),
        (&block.proof, &["proof"]),
        (&block.lrat, &["proof"]),
        (&block.version, &[]),
        (&block.needs, &[]),
        (&block.limit, &["limit"]),
        (&block.all, &[]),
    ];
    faults.extend(check_texts(file, "solver", &block.name, &block.command, there, groups));
    let output = Dialect::named(block.output.get_ref());
    if output.is_none() {
        let names: Vec<&str> = DIALECTS.iter().map(|dialect| dialect.name).collect();
        let message = format!("the output dialect `{}` is unknown", block.output.get_ref());
        faults.push(misfit(file, &block.output, message, &format!("one of {}", names.join(", "))));
    }
    if faults.len() > found {
        return None;
    }
    Some(Solver {
        name: block.name.into_inner(),
        command: block.command.into_inner(),
        args: strings(block.args),
        format: block.format,
        output: output?,
        gz: block.gz,
        old: block.old,
        time: strings(block.time),
        seed: strings(block.seed),
        proof: strings(block.proof),
        lrat: strings(block.lrat),
        version: strings(block.version),
        needs: strings(block.needs),
        limit: strings(block.limit),
        all: strings(block.all),
        dialect: block.dialect,
        typed: false,
        told_to_list: false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn built_in_blocks_are_sorted() {
        let names: Vec<(String, &str)> = toml::from_str::<File>(BUILT_IN)
            .unwrap()
            .solver
            .into_iter()
            .map(|block| (block.name.into_inner(), block.format.name()))
            .collect();
        assert!(names.is_sorted(), "{names:?}");
        assert_eq!(SolverTable::built_in().iter().count(), names.len());
    }

    #[track_caller]
    fn rejects(text: &str, message: &str, underlined: &str) {
        let mut sources = Sources::default();
        let file = sources.add("solvers.toml", text);
        let mut table = SolverTable::built_in();
        let faults = table.add(text, file);
        assert_eq!(faults[0].message, message);
        assert_eq!(sources.text(faults[0].labels[0].0), underlined);
        assert_eq!(table.iter().count(), SolverTable::built_in().iter().count());
    }

    const GOOD: &str =
        "[[solver]]\nname = 'x'\ncommand = 'x'\nargs = ['{in}']\nformat = 'cnf'\noutput = 'any'\n";

    #[test]
    fn faults_in_a_users_file_have_places() {
        rejects(
            &GOOD.replace("args", "arg"),
            "unknown field `arg`, expected one of `name`, `command`, `args`, `format`, `output`, `gz`, `old`, `time`, `seed`, `proof`, `lrat`, `version`, `needs`, `limit`, `all`, `dialect`",
            "arg",
        );
        rejects(&GOOD.replace("output = 'any'", ""), "missing field `output`", "[[solver]]");
        rejects(&GOOD.replace("'any'", "'all'"), "the output dialect `all` is unknown", "'all'");
        rejects(
            &GOOD.replace("'cnf'", "'smt'"),
            "unknown variant `smt`, expected one of `cnf`, `wcnf`, `opb`, `xcc`",
            "'smt'",
        );
        rejects(&GOOD.replace("{in}", "{inn}"), "`{inn}` stands for nothing here", "'{inn}'");
        rejects(
            &GOOD.replace("command = 'x'", "command = './x'"),
            "the path of the command is relative",
            "'./x'",
        );
        rejects(&GOOD.replace("name = 'x'", "name = 'a b'"), "`a b` is no name for a solver", "'a b'");
        rejects(&format!("{GOOD}{GOOD}"), "the solver `x` is there twice", "'x'");
        rejects(&format!("{GOOD}needs"), "key with no value, expected `=`", "");
    }

    #[test]
    fn a_users_block_replaces_ours() {
        let mut table = SolverTable::built_in();
        assert_eq!(table.add(&GOOD.replace("name = 'x'", "name = 'kissat'"), FileId(0)), []);
        assert_eq!(table.get("kissat", None).unwrap().command, "x");
        assert_eq!(table.iter().count(), SolverTable::built_in().iter().count());
    }

    #[test]
    fn names_and_commands() {
        let table = SolverTable::built_in();
        let solver = table.named_or_typed("./mine --x {in} {out}", Some(Target::Cnf)).unwrap();
        assert_eq!((solver.command.as_str(), solver.args.len()), ("./mine", 3));
        assert!(solver.typed && solver.writes_file() && !solver.reads_stdin());
        assert!(table.named_or_typed("./mine", Some(Target::Cnf)).unwrap().reads_stdin());
        assert!(!table.named_or_typed("kissat", Some(Target::Cnf)).unwrap().typed);
        assert_eq!(table.named_or_typed("kisat", Some(Target::Cnf)).unwrap_err().code, Code::SolverMissing);
        assert_eq!(table.named_or_typed("a {ni}", Some(Target::Cnf)).unwrap_err().code, Code::Usage);
        assert_eq!(table.named_or_typed("a 'b", Some(Target::Cnf)).unwrap_err().code, Code::Usage);
        assert_eq!(table.get("cryptominisat", None).unwrap().variable(), "REBUS_SOLVER_CRYPTOMINISAT");
    }
}
