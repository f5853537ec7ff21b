//! The embedded engine as a stand-alone solver: reads DIMACS, prints the output format of the SAT competitions.

use super::dimacs::{DimacsError, Reader};
use super::embedded::{EngineAnswer, engine};
use crate::encode::Lit;
use crate::shared::{Budget, Stop};
use rustc_hash::FxHashMap;
use std::fmt;
use std::io::{self, BufRead, Write};

/// Columns of a model line.
const WIDTH: usize = 78;
/// Upper bound on unused variables that get a value because the header counts them.
const MOST_UNUSED: u64 = 1 << 24;

/// Why `rebus sat` could not answer.
#[derive(Debug)]
pub enum SatError {
    Formula(DimacsError),
    Output(io::Error),
}

impl fmt::Display for SatError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SatError::Formula(error) => write!(f, "the formula cannot be read: {error}"),
            SatError::Output(error) => write!(f, "the answer cannot be written: {error}"),
        }
    }
}

impl std::error::Error for SatError {}

impl From<DimacsError> for SatError {
    fn from(error: DimacsError) -> SatError {
        SatError::Formula(error)
    }
}

impl From<io::Error> for SatError {
    fn from(error: io::Error) -> SatError {
        SatError::Output(error)
    }
}

/// Solves a formula and prints the answer; the exit code: 10 satisfiable, 20 unsatisfiable, 0 unknown.
pub fn sat(input: impl BufRead, out: &mut dyn Write, seed: u32, budget: &Budget) -> Result<u8, SatError> {
    let mut engine = engine(seed);
    let mut reader = Reader::new(input);
    let mut numbers = Numbers::default();
    let mut clause = Vec::new();
    let mut stop = None;
    while reader.next(&mut clause)?.is_some() {
        if let Err(reason) = budget.step(clause.len() as u64 + 1) {
            stop = Some(reason);
            break;
        }
        // The engines require clauses without repeated literals and without tautologies.
        clause.sort_unstable_by_key(|lit| (lit.unsigned_abs(), *lit));
        clause.dedup();
        if !clause.windows(2).any(|pair| pair[0] == -pair[1]) {
            clause.iter_mut().for_each(|lit| *lit = numbers.inner(*lit));
            engine.clause(&clause);
        }
    }
    let answer = match stop {
        Some(stop) => EngineAnswer::Unknown(stop),
        None => {
            for warning in reader.warnings() {
                writeln!(out, "c warning: {warning}")?;
            }
            engine.solve(&[], budget)
        }
    };
    let code = match answer {
        EngineAnswer::Sat => {
            writeln!(out, "s SATISFIABLE")?;
            let unused = reader.header().map_or(0, |header| header.vars);
            let last = match unused {
                0..=MOST_UNUSED => reader.highest().max(unused as u32),
                _ => reader.highest(),
            };
            let few = u64::from(last) <= MOST_UNUSED.max(2 * numbers.len());
            let vars: Box<dyn Iterator<Item = u32>> =
                if few { Box::new(1..=last) } else { Box::new(numbers.sorted().into_iter()) };
            model(
                out,
                vars.map(|var| {
                    let var = var as Lit;
                    let holds = numbers.known(var).is_some_and(|inner| engine.value(inner));
                    if holds { var } else { -var }
                }),
            )?;
            10
        }
        EngineAnswer::Unsat => {
            writeln!(out, "s UNSATISFIABLE")?;
            20
        }
        EngineAnswer::Unknown(stop) => {
            let why = match stop {
                Stop::Time => "time limit",
                Stop::Cancelled => "interrupted",
                _ => "a limit was reached",
            };
            writeln!(out, "c {why}\ns UNKNOWN")?;
            0
        }
    };
    out.flush()?;
    Ok(code)
}

/// Writes a model as `v` lines that end with 0.
pub fn model(out: &mut dyn Write, lits: impl IntoIterator<Item = Lit>) -> io::Result<()> {
    let mut line = String::from("v");
    let mut number = itoa::Buffer::new();
    for lit in lits.into_iter().chain([0]) {
        let text = number.format(lit);
        if line.len() + 1 + text.len() > WIDTH {
            writeln!(out, "{line}")?;
            line.truncate(1);
        }
        line.push(' ');
        line.push_str(text);
    }
    writeln!(out, "{line}")
}

/// Variables renumbered from 1 in order of occurrence. An engine allocates memory up to the highest variable, and a
/// formula may use the number 2,000,000,000 alone.
#[derive(Default)]
struct Numbers {
    low: Vec<u32>,
    high: FxHashMap<u32, u32>,
    used: u32,
}

impl Numbers {
    const LOW: u32 = 1 << 22;

    fn inner(&mut self, lit: Lit) -> Lit {
        let var = lit.unsigned_abs();
        let place = if var < Numbers::LOW {
            if self.low.len() <= var as usize {
                self.low.resize(var as usize + 1, 0);
            }
            &mut self.low[var as usize]
        } else {
            self.high.entry(var).or_default()
        };
        if *place == 0 {
            self.used += 1;
            *place = self.used;
        }
        *place as Lit * lit.signum()
    }

    fn known(&self, var: Lit) -> Option<Lit> {
        let place = match (var as u32) < Numbers::LOW {
            true => self.low.get(var as usize),
            false => self.high.get(&(var as u32)),
        };
        place.filter(|inner| **inner != 0).map(|inner| *inner as Lit)
    }

    fn len(&self) -> u64 {
        self.used.into()
    }

    /// The variables that occur.
    fn sorted(&self) -> Vec<u32> {
        let low = (0..).zip(&self.low).filter(|(_, inner)| **inner != 0).map(|(var, _)| var);
        let mut vars: Vec<u32> = low.chain(self.high.keys().copied()).collect();
        vars.sort_unstable();
        vars
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::Verdict;
    use crate::solve::dimacs::check_model;
    use crate::solve::output::Ended;
    use crate::solve::output::{dialect::COMPETITION, parse};

    fn run(formula: &str) -> (u8, String) {
        let mut out = Vec::new();
        let code = sat(formula.as_bytes(), &mut out, 0, &Budget::unlimited()).unwrap();
        (code, String::from_utf8(out).unwrap())
    }

    #[test]
    fn answers() {
        assert_eq!(run("p cnf 2 2\n1 0\n-2 0\n"), (10, "s SATISFIABLE\nv 1 -2 0\n".to_owned()));
        assert_eq!(run("p cnf 1 2\n1 0\n-1 0\n"), (20, "s UNSATISFIABLE\n".to_owned()));
        assert_eq!(run("p cnf 0 0\n"), (10, "s SATISFIABLE\nv 0\n".to_owned()));
        assert_eq!(run("p cnf 1 1\n0\n"), (20, "s UNSATISFIABLE\n".to_owned()));
        assert_eq!(run("1 1 -2 0\n2 -2 0 2 0").1, "c warning: there is no header\ns SATISFIABLE\nv 1 2 0\n");
        assert_eq!(run("p cnf 3 1\n2 0\n").1, "s SATISFIABLE\nv -1 2 -3 0\n");
    }

    #[test]
    fn huge_numbers_take_no_memory() {
        let formula = "p cnf 2147483647 2\n2147483647 0\n-2000000000 0\n";
        assert_eq!(run(formula), (10, "s SATISFIABLE\nv -2000000000 2147483647 0\n".to_owned()));
        assert_eq!(run("p cnf 2147483647 1\n-1 0\n").1, "s SATISFIABLE\nv -1 0\n");
    }

    #[test]
    fn models_wrap_and_are_read_back() {
        let formula: String =
            (1..=3000).map(|v| format!("{} 0\n", if v % 3 == 0 { v } else { -v })).collect();
        let (code, text) = run(&formula);
        assert_eq!(code, 10);
        assert!(text.lines().skip(1).all(|line| line.len() <= WIDTH));
        let verdict = parse(COMPETITION, text.as_bytes(), Some(Ended::Exit(10)), b"").unwrap();
        let Verdict::Satisfiable { models, .. } = verdict else { panic!("{verdict:?}") };
        assert_eq!(models[0].len(), 3000);
        check_model(formula.as_bytes(), &models[0]).unwrap();
    }

    #[test]
    fn a_spent_budget_is_unknown() {
        let budget = Budget::unlimited();
        budget.cancel_flag().store(true, std::sync::atomic::Ordering::Relaxed);
        let mut out = Vec::new();
        assert_eq!(sat("1 0\n".as_bytes(), &mut out, 0, &budget).unwrap(), 0);
        assert_eq!(out, b"c warning: there is no header\nc interrupted\ns UNKNOWN\n");
    }
}
