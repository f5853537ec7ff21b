//! The verdict on a whole output of a SAT solver.
//!
//! In: the status words and models that were read, how the process ended, its standard error. Out: a [`Verdict`]. An
//! answer needs a status line, "satisfiable" needs a model that was not truncated, "unsatisfiable" needs a clean end
//! of the process.

use super::super::Ended;
use super::super::dialect::Lists;
use super::super::text::first_line;
use super::{SatOutput, Word};
use crate::solve::Verdict;

/// What the status lines claim.
struct Claims {
    found: bool,
    optimal: bool,
    unsatisfiable: bool,
    /// No further model exists, if the words, the exit code and the number of models are right.
    exhausted: bool,
    /// The solver reports by itself whether the list of models is complete.
    reported: bool,
}

impl SatOutput {
    /// The verdict after the end of the output. `ended` is `None` if it is unknown how the process ended (a file was
    /// read).
    pub fn finish(mut self, ended: Option<Ended>, stderr: &[u8]) -> Verdict {
        self.end_output();
        self.take_result_file();
        self.verdict(ended, stderr).unwrap_or_else(Verdict::Failed)
    }

    /// Takes a single line of literals, without any status, for a model: glucose's result file.
    fn take_result_file(&mut self) {
        let nothing_else =
            self.words.is_empty() && self.models.count == 0 && self.open.is_none() && !self.cut;
        if self.lines_alone == 1 && nothing_else && self.odd.is_none() && !self.gave_up {
            self.words.push(Word::Satisfiable);
            self.open = Some(std::mem::take(&mut self.alone));
            self.end_model();
        }
    }

    /// An error is what is wrong with the output.
    fn verdict(self, ended: Option<Ended>, stderr: &[u8]) -> Result<Verdict, String> {
        if let Some(what) = self.garbage {
            return Err(format!("the output has {what}"));
        }
        if let Some(Word::Strange(word)) = self.words.iter().find(|word| matches!(word, Word::Strange(_))) {
            return Err(format!("the output has the status `{word}`"));
        }
        let claims = self.claims(ended)?;
        if self.dialect.clean_stderr && stderr.iter().any(|byte| !byte.is_ascii_whitespace()) {
            return Err(format!("the solver complained: {}", first_line(stderr)));
        }
        match ended {
            Some(Ended::Signal(signal)) => return Err(format!("the solver was ended by signal {signal}")),
            Some(Ended::Stopped(_)) if !claims.found || self.models.count == 0 => {
                return Ok(Verdict::Unknown("the solver was stopped".to_owned()));
            }
            Some(Ended::Exit(code)) if claims.unsatisfiable && !self.dialect.unsat_exits.contains(&code) => {
                return Err(format!("the solver said unsatisfiable but ended with code {code}"));
            }
            // A model that satisfies the formula is accepted with any exit code but 20, which contradicts it.
            Some(Ended::Exit(20)) if claims.found && !claims.exhausted => {
                return Err("the solver said satisfiable but ended with code 20".to_owned());
            }
            _ => {}
        }
        match claims {
            Claims { unsatisfiable: true, .. } => Ok(Verdict::Unsatisfiable),
            Claims { found: true, .. } => self.satisfiable(&claims, ended),
            _ => self.no_answer(ended, stderr),
        }
    }

    fn claims(&self, ended: Option<Ended>) -> Result<Claims, String> {
        let dialect = self.dialect;
        let has = |word: Word| self.words.contains(&word);
        let (optimal, unsatisfiable) = (has(Word::Optimum), has(Word::Unsatisfiable));
        let found = has(Word::Satisfiable) || optimal;
        let announced = self.words.iter().find_map(|word| match word {
            Word::Solutions(n) => Some(*n),
            _ => None,
        });
        let lists = dialect.lists != Lists::No;
        let counted = self.counted == Some(self.models.count);
        let exhausted = match (announced, ended) {
            (Some(n), _) if lists && n == self.models.count => true,
            (Some(_), _) => return Err("the output has a wrong number of solutions".to_owned()),
            (None, Some(Ended::Exit(code))) if dialect.exit_bits => code <= 31 && code & 20 == 20,
            (None, _) => counted || unsatisfiable && self.words.last() == Some(&Word::Unsatisfiable) && lists,
        };
        let some = self.models.count > 0;
        if unsatisfiable && (found || some) && !(exhausted && found && some && !self.cut) {
            return Err("the output has both answers".to_owned());
        }
        Ok(Claims {
            found,
            optimal,
            unsatisfiable: unsatisfiable && !found || announced == Some(0),
            exhausted,
            reported: announced.is_some() || counted || dialect.lists != Lists::Perhaps,
        })
    }

    fn satisfiable(self, claims: &Claims, ended: Option<Ended>) -> Result<Verdict, String> {
        let Claims { optimal, exhausted, reported, .. } = *claims;
        match (self.models.count, self.cut) {
            (0, true) => Err("the model is cut off".to_owned()),
            (0, false) => Err("the solver said satisfiable but printed no model".to_owned()),
            (_, cut) => {
                // Only one of the optimal models is printed.
                let stopped = matches!(ended, Some(Ended::Stopped(_)));
                let complete = exhausted && reported && !cut && !optimal && !stopped;
                Ok(Verdict::Satisfiable { models: self.models.kept, complete, optimal })
            }
        }
    }

    fn no_answer(&self, ended: Option<Ended>, stderr: &[u8]) -> Result<Verdict, String> {
        let code = match ended {
            Some(Ended::Exit(code)) => Some(code),
            _ => None,
        };
        if (self.words.contains(&Word::Unknown) || self.gave_up)
            && code.is_none_or(|code| self.dialect.unknown_exits.contains(&code))
        {
            return Ok(Verdict::Unknown("the solver gave up".to_owned()));
        }
        let mut what = match self.models.count {
            0 => "the solver gave no answer".to_owned(),
            _ => "the solver printed a model but no status line".to_owned(),
        };
        if let Some(code) = code.filter(|code| *code != 0) {
            what.push_str(&format!("; it ended with code {code}"));
        }
        match (&self.odd, first_line(stderr)) {
            (Some(odd), _) => what.push_str(&format!("; it said: {odd}")),
            (None, line) if !line.is_empty() => what.push_str(&format!("; it said: {line}")),
            (None, _) => {}
        }
        Err(what)
    }
}
