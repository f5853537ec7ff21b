//! A checker of LRAT proofs: is a formula unsatisfiable?
//!
//! In: a formula in DIMACS format and a proof in LRAT's text format (Cruz-Filipe, Heule, Hunt, Kaufmann,
//! Schneider-Kamp, CADE 2017), line by line. Out: whether each step follows from the clauses that it names, up to the
//! empty clause.
//!
//! **Lemma.** Assume that all literals of a step's clause are false. Take the clauses that the step names, in order.
//! If each but the last has exactly one literal that is not false, which is then assigned true, and all literals of
//! the last are false, then the step's clause follows from the named clauses. So every clause that is ever stored
//! follows from the formula, whatever is deleted; if the empty clause is among them, the formula has no model.
//!
//! Steps that do not follow but preserve satisfiability (RAT: with negative hints) are not supported; a proof with
//! such a step is rejected.

use super::Lit;
use std::collections::HashMap;
use std::fmt;
use std::io::BufRead;

/// Lines between two calls of `goes_on`.
const LOOK: usize = 1024;
/// Upper bound on the variables; each takes two bytes.
const MOST_VARIABLES: u32 = 1 << 28;

/// Why a proof is not accepted.
#[derive(Debug, PartialEq, Eq)]
pub enum Fault {
    /// A file does not have the expected format.
    Unreadable(String),
    /// The proof is not valid.
    Wrong(String),
    /// `goes_on` returned false.
    Stopped,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Unreadable(why) | Fault::Wrong(why) => f.write_str(why),
            Fault::Stopped => f.write_str("the time is over"),
        }
    }
}

/// Does the proof show that the formula has no model? `goes_on` is called now and then.
pub fn check(
    formula: impl BufRead,
    proof: impl BufRead,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<(), Fault> {
    let mut checker = Checker::default();
    let mut formula_reader = Reader::default();
    each_line(formula, "formula", goes_on, &mut |line| {
        formula_reader.read(line, &mut checker).map_err(Fault::Unreadable).map(|()| true)
    })?;
    formula_reader.end().map_err(Fault::Unreadable)?;
    each_line(proof, "proof", goes_on, &mut |line| {
        if !checker.refuted {
            checker.step(line)?;
        }
        Ok(!checker.refuted)
    })?;
    match checker.refuted {
        true => Ok(()),
        false => Err(Fault::Wrong("the proof ends before the empty clause".to_owned())),
    }
}

/// Passes lines on, as long as more are wanted; faults get the line number.
fn each_line(
    mut text: impl BufRead,
    what: &str,
    goes_on: &mut dyn FnMut() -> bool,
    take: &mut dyn FnMut(&str) -> Result<bool, Fault>,
) -> Result<(), Fault> {
    let mut line = String::new();
    for number in 1.. {
        if number % LOOK == 0 && !goes_on() {
            return Err(Fault::Stopped);
        }
        line.clear();
        let place = |why: String| format!("line {number} of the {what}: {why}");
        match text.read_line(&mut line) {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) => return Err(Fault::Unreadable(place(error.to_string()))),
        }
        let more = take(&line).map_err(|fault| match fault {
            Fault::Unreadable(why) => Fault::Unreadable(place(why)),
            Fault::Wrong(why) => Fault::Wrong(place(why)),
            Fault::Stopped => Fault::Stopped,
        })?;
        if !more {
            break;
        }
    }
    Ok(())
}

/// The state of reading a formula.
#[derive(Default)]
struct Reader {
    /// The numbers of variables and clauses in the header.
    header: Option<[u64; 2]>,
    count: u64,
    clause: Vec<Lit>,
}

impl Reader {
    fn read(&mut self, line: &str, checker: &mut Checker) -> Result<(), String> {
        if line.starts_with('c') {
            return Ok(());
        }
        let mut words = line.split_ascii_whitespace();
        let Some([vars, clauses]) = self.header else {
            let counts = match (words.next(), words.next(), words.next(), words.next(), words.next()) {
                (Some("p"), Some("cnf"), Some(vars), Some(clauses), None) => {
                    [number(vars)?, number(clauses)?]
                }
                _ => return Err("`p cnf VARIABLES CLAUSES` expected".to_owned()),
            };
            self.header = Some(counts);
            return Ok(());
        };
        for word in words {
            match literal(word)? {
                0 => {
                    self.count += 1;
                    checker.keep(self.count, std::mem::take(&mut self.clause));
                }
                lit if u64::from(lit.unsigned_abs()) > vars => {
                    return Err(format!("there are {vars} variables, `{lit}` is none of them"));
                }
                lit => self.clause.push(lit),
            }
        }
        match self.count > clauses {
            true => Err(format!("more than {clauses} clauses")),
            false => Ok(()),
        }
    }

    fn end(&self) -> Result<(), String> {
        match self.header {
            None => Err("the formula has no header".to_owned()),
            Some([_, clauses]) if clauses != self.count => {
                Err(format!("the formula has {} clauses, and says that it has {clauses}", self.count))
            }
            Some(_) if !self.clause.is_empty() => Err("the formula ends in a clause".to_owned()),
            Some(_) => Ok(()),
        }
    }
}

/// The clauses that follow from a formula.
#[derive(Default)]
struct Checker {
    /// By number.
    clauses: HashMap<u64, Vec<Lit>>,
    /// By literal (`2 * variable`, plus 1 if negated): is it assigned true?
    holds: Vec<bool>,
    /// The literals assigned true.
    taken: Vec<usize>,
    /// The empty clause was derived.
    refuted: bool,
}

fn index(lit: Lit) -> usize {
    2 * lit.unsigned_abs() as usize + usize::from(lit < 0)
}

impl Checker {
    fn keep(&mut self, id: u64, clause: Vec<Lit>) {
        self.refuted |= clause.is_empty();
        self.make_room(&clause);
        self.clauses.insert(id, clause);
    }

    fn make_room(&mut self, clause: &[Lit]) {
        let last = clause.iter().map(|lit| index(lit.abs()) + 2).max().unwrap_or(0);
        self.holds.resize(self.holds.len().max(last), false);
    }

    fn take(&mut self, lit: Lit) {
        self.holds[index(lit)] = true;
        self.taken.push(index(lit));
    }

    /// A line of the proof: `NUMBER d NUMBER… 0` deletes clauses; `NUMBER LITERAL… 0 NUMBER… 0` adds a clause, with
    /// the clauses it follows from.
    fn step(&mut self, line: &str) -> Result<(), Fault> {
        let unreadable = Fault::Unreadable;
        let mut words = line.split_ascii_whitespace();
        let Some(first) = words.next() else { return Ok(()) };
        if first == "c" {
            return Ok(());
        }
        let id = number(first).map_err(unreadable)?;
        let words: Vec<&str> = words.collect();
        if let ["d", gone @ .., "0"] = &words[..] {
            for word in gone {
                let gone = number(word).map_err(unreadable)?;
                self.clauses.remove(&gone).ok_or_else(|| missing(gone))?;
            }
            return Ok(());
        }
        let mut halves = words.split(|word| *word == "0");
        let (Some(clause), Some(hints), Some([]), None) =
            (halves.next(), halves.next(), halves.next(), halves.next())
        else {
            return Err(unreadable("literals, 0, numbers of clauses and 0 are expected".to_owned()));
        };
        let clause: Result<Vec<Lit>, String> = clause.iter().map(|word| literal(word)).collect();
        let clause = clause.map_err(unreadable)?;
        if self.clauses.contains_key(&id) {
            return Err(Fault::Wrong(format!("there is a clause {id} already")));
        }
        let follows = self.follows(&clause, hints);
        self.taken.drain(..).for_each(|at| self.holds[at] = false);
        follows?;
        self.keep(id, clause);
        Ok(())
    }

    fn follows(&mut self, clause: &[Lit], hints: &[&str]) -> Result<(), Fault> {
        self.make_room(clause);
        clause.iter().for_each(|lit| self.take(-lit));
        for hint in hints {
            if hint.starts_with('-') {
                return Err(Fault::Wrong("a step of RAT, which this checker does not take".to_owned()));
            }
            let hint = number(hint).map_err(Fault::Unreadable)?;
            let named = self.clauses.get(&hint).ok_or_else(|| missing(hint))?;
            let mut unit = None;
            for lit in named.iter().filter(|lit| !self.holds[index(-**lit)]) {
                if unit.replace(*lit).is_some_and(|other| other != *lit) {
                    return Err(Fault::Wrong(format!("clause {hint} leaves more than one literal")));
                }
            }
            match unit {
                Some(lit) => self.take(lit),
                None => return Ok(()),
            }
        }
        Err(Fault::Wrong("the clause is not seen to follow from those named".to_owned()))
    }
}

fn missing(id: u64) -> Fault {
    Fault::Wrong(format!("there is no clause {id}"))
}

fn number(word: &str) -> Result<u64, String> {
    word.parse().map_err(|_| format!("`{word}` is no number that is expected here"))
}

fn literal(word: &str) -> Result<Lit, String> {
    match word.parse::<Lit>() {
        Ok(lit) if lit.unsigned_abs() <= MOST_VARIABLES => Ok(lit),
        _ => Err(format!("`{word}` is no literal")),
    }
}
