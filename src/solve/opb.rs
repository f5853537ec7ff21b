//! Pseudo-Boolean formulas (OPB): checks models against each constraint.
//!
//! In: bytes of a formula in the format of the competitions, with common extensions: negated literals, products,
//! `<=`, a missing sign, constraints over several lines. One constraint is in memory at a time. Any other text is an
//! error with a line.

use super::dimacs::{DimacsError, Misfit, Truth, malformed};
use crate::encode::Lit;
use std::io::BufRead;

/// Upper bound on the length of a token: no valid one is longer.
const LONGEST_TOKEN: usize = 64;
/// Upper bound on the tokens of a constraint.
const MOST_TOKENS: usize = 1 << 26;

/// Checks every constraint of a formula; a variable that `model` does not mention is false.
pub fn check_model(formula: impl BufRead, model: &[Lit]) -> Result<(), Misfit> {
    let truth = Truth::new(model);
    let mut reader = Reader { input: formula, line: 1 };
    let mut tokens = Vec::new();
    while let Some(line) = reader.next(&mut tokens).map_err(Misfit::Formula)? {
        let objective = matches!(tokens.first().map(String::as_str), Some("min:" | "max:"));
        if !objective && !holds(&tokens, line, &truth).map_err(Misfit::Formula)? {
            return Err(Misfit::Constraint { line });
        }
    }
    Ok(())
}

/// Does a formula begin with an objective? That one cannot be read is for others to say.
pub fn has_objective(formula: impl BufRead) -> bool {
    let mut reader = Reader { input: formula, line: 1 };
    let mut tokens = Vec::new();
    let first = reader.next(&mut tokens);
    first.is_ok() && matches!(tokens.first().map(String::as_str), Some("min:" | "max:"))
}

struct Reader<R> {
    input: R,
    line: u64,
}

impl<R: BufRead> Reader<R> {
    /// Reads the tokens up to the next `;`; returns the line where they begin.
    fn next(&mut self, tokens: &mut Vec<String>) -> Result<Option<u64>, DimacsError> {
        tokens.clear();
        let mut began = None;
        let mut token = String::new();
        let mut comment = false;
        let mut line_start = true;
        loop {
            let block = self.input.fill_buf()?;
            if block.is_empty() {
                if began.is_some() {
                    return malformed(self.line, "this constraint has no closing `;`; is the file complete?");
                }
                return Ok(None);
            }
            for (at, byte) in block.iter().enumerate() {
                match byte {
                    b'\n' => {
                        self.line += 1;
                        comment = false;
                        line_start = true;
                    }
                    _ if comment => continue,
                    b'*' if line_start && began.is_none() => {
                        comment = true;
                        continue;
                    }
                    byte if byte.is_ascii_whitespace() => {}
                    b';' => {
                        tokens.extend((!token.is_empty()).then_some(token));
                        let line = began.unwrap_or(self.line);
                        self.input.consume(at + 1);
                        return Ok(Some(line));
                    }
                    byte => {
                        line_start = false;
                        began.get_or_insert(self.line);
                        if token.len() == LONGEST_TOKEN || tokens.len() == MOST_TOKENS {
                            return malformed(self.line, "this is too long to be a constraint");
                        }
                        token.push(char::from(*byte));
                        continue;
                    }
                }
                if !token.is_empty() {
                    tokens.push(std::mem::take(&mut token));
                }
            }
            let used = block.len();
            self.input.consume(used);
        }
    }
}

/// Is `coef literals … ⋈ bound` true?
fn holds(tokens: &[String], line: u64, truth: &Truth) -> Result<bool, DimacsError> {
    let wide = || malformed(line, "a number leaves 128 bits");
    let mut sum: i128 = 0;
    let mut at = 0;
    while let Some(token) = tokens.get(at) {
        if let "=" | ">=" | "<=" = token.as_str() {
            let [bound] = &tokens[at + 1..] else {
                return malformed(line, format!("expected one number behind `{token}`"));
            };
            let Ok(bound) = bound.parse::<i128>() else {
                return malformed(line, format!("expected a number, found `{}`", bound.escape_debug()));
            };
            return Ok(match token.as_str() {
                "=" => sum == bound,
                ">=" => sum >= bound,
                _ => sum <= bound,
            });
        }
        let Ok(coef) = token.parse::<i128>() else {
            return malformed(line, format!("expected a coefficient, found `{}`", token.escape_debug()));
        };
        at += 1;
        let first = at;
        let mut product = true;
        while let Some(lit) = tokens.get(at).and_then(|token| literal(token)) {
            product &= truth.holds(lit);
            at += 1;
        }
        if at == first {
            return malformed(line, "a coefficient without a variable");
        }
        if product {
            let Some(next) = sum.checked_add(coef) else { return wide() };
            sum = next;
        }
    }
    malformed(line, "expected `>=` or `=`")
}

/// `x3`, or `~x3`.
fn literal(token: &str) -> Option<Lit> {
    let (sign, name) = token.strip_prefix('~').map_or((1, token), |name| (-1, name));
    let number: Lit = name.strip_prefix('x')?.parse().ok()?;
    (number > 0).then_some(sign * number)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(formula: &str, model: &[Lit]) -> Result<(), String> {
        // a buffer of 3 bytes, so that every token spans two reads
        let reader = std::io::BufReader::with_capacity(3, formula.as_bytes());
        check_model(reader, model).map_err(|misfit| misfit.to_string())
    }

    #[test]
    fn models_are_checked() {
        let formula = "* #variable= 3 #constraint= 3\n* a ; b\nmin: +1 x1 ;\n+1 x1 +2 x2 -1 x3 >= 1 ;\n\
                       1 ~x1 +1 x3\n = 1 ;\n-3 x1 x2 <= -0;\n";
        assert_eq!(check(formula, &[2]), Ok(()));
        assert_eq!(check(formula, &[1, 3]), Err("the constraint on line 4 is not satisfied".to_owned()));
        assert_eq!(check(formula, &[1, 2, 3]), Ok(()));
        assert_eq!(check(formula, &[1, 2]), Err("the constraint on line 5 is not satisfied".to_owned()));
        assert_eq!(check("* #variable= 0 #constraint= 0\n", &[]), Ok(()));
        assert_eq!(
            check("+1 x1 >= 2 ;\n", &[1]),
            Err("the constraint on line 1 is not satisfied".to_owned())
        );
    }

    #[test]
    fn faults_have_lines() {
        let fault = |text: &str| check(text, &[]).unwrap_err();
        let cut =
            "the formula cannot be read: line 2: this constraint has no closing `;`; is the file complete?";
        assert_eq!(fault("+1 x1 >= 0 ;\n+1 x2 >="), cut);
        assert!(fault("x1 >= 1 ;").ends_with("line 1: expected a coefficient, found `x1`"));
        assert!(fault("+1 >= 1 ;").ends_with("line 1: a coefficient without a variable"));
        assert!(fault("+1 x1 ;").ends_with("line 1: expected `>=` or `=`"));
        assert!(fault("+1 x1 >= y ;").ends_with("line 1: expected a number, found `y`"));
        assert!(fault(&"9".repeat(100)).ends_with("line 1: this is too long to be a constraint"));
        let most = i128::MAX;
        assert!(fault(&format!("{most} ~x1 1 ~x2 >= 1 ;")).ends_with("a number leaves 128 bits"));
    }
}
