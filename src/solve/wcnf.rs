//! Weighted clauses (WCNF): checks models against the hard clauses.
//!
//! In: bytes of a formula, one clause a line, in the form of 2022 (`h` before a hard clause) or the older one (a `p
//! wcnf` line with the weight of hard clauses). Any other text is an error with a line.

use super::dimacs::{DimacsError, Misfit, Truth, malformed};
use crate::encode::Lit;
use std::io::{BufRead, Read};

/// Upper bound on the bytes of a line.
const LONGEST_LINE: u64 = 1 << 30;

/// Checks every hard clause of a formula; a variable that `model` does not mention is false.
pub fn check_model(mut formula: impl BufRead, model: &[Lit]) -> Result<(), Misfit> {
    let truth = Truth::new(model);
    // the weight of a hard clause
    let mut top = "h".to_owned();
    let mut text = String::new();
    for line in 1.. {
        text.clear();
        let read = formula.by_ref().take(LONGEST_LINE).read_line(&mut text);
        if read.map_err(|error| Misfit::Formula(error.into()))? == 0 {
            break;
        }
        if !text.ends_with('\n') {
            return malformed(line, "the line has no end; is the file complete?").map_err(Misfit::Formula);
        }
        let mut words = text.split_ascii_whitespace();
        match words.next() {
            None | Some("c") => {}
            Some("p") => match words.collect::<Vec<_>>()[..] {
                ["wcnf", _, _, weight] => top = weight.to_owned(),
                _ => {
                    let fault = malformed(line, "expected `p wcnf VARIABLES CLAUSES TOP`");
                    return fault.map_err(Misfit::Formula);
                }
            },
            Some(weight) => {
                let satisfied = holds(words, line, &truth).map_err(Misfit::Formula)?;
                if weight == top && !satisfied {
                    return Err(Misfit::Clause { line });
                }
            }
        }
    }
    Ok(())
}

/// Is one of the literals, which end with 0, true?
fn holds<'w>(words: impl Iterator<Item = &'w str>, line: u64, truth: &Truth) -> Result<bool, DimacsError> {
    let mut satisfied = false;
    let mut closed = false;
    for word in words {
        match word.parse::<Lit>() {
            Ok(0) if !closed => closed = true,
            Ok(lit) if lit != Lit::MIN && !closed => satisfied |= truth.holds(lit),
            _ => return malformed(line, format!("expected a literal, found `{}`", word.escape_debug())),
        }
    }
    match closed {
        true => Ok(satisfied),
        false => malformed(line, "this clause has no closing 0"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(formula: &str, model: &[Lit]) -> Result<(), String> {
        check_model(formula.as_bytes(), model).map_err(|misfit| misfit.to_string())
    }

    #[test]
    fn hard_clauses_alone_are_checked() {
        let new = "c x\nh 1 2 0\n3 -1 0\nh -2 3 0\n";
        let old = "c x\np wcnf 3 3 9\n9 1 2 0\n3 -1 0\n9 -2 3 0\n";
        for (formula, line) in [(new, 2), (old, 3)] {
            assert_eq!(check(formula, &[1]), Ok(()));
            assert_eq!(check(formula, &[3]), Err(format!("the clause on line {line} is not satisfied")));
            assert_eq!(
                check(formula, &[2]),
                Err(format!("the clause on line {} is not satisfied", line + 2))
            );
        }
    }

    #[test]
    fn faults_have_lines() {
        let fault = |text: &str| check(text, &[]).unwrap_err();
        assert!(fault("h -1 0\nh 1 0").ends_with("line 2: the line has no end; is the file complete?"));
        assert!(fault("h 1\n").ends_with("line 1: this clause has no closing 0"));
        assert!(fault("h 1 0 2\n").ends_with("line 1: expected a literal, found `2`"));
        assert!(fault("p cnf 1 1\n").ends_with("line 1: expected `p wcnf VARIABLES CLAUSES TOP`"));
    }
}
