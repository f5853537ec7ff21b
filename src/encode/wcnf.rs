//! Weighted clauses for MaxSAT (WCNF): the rules are hard clauses, the objective is soft clauses.
//!
//! In: clauses and a cost from an encoder. Out: bytes, in the format of 2022 (`h` before a hard clause, no header) or
//! the older one. A literal of the cost with a positive weight becomes the soft clause of its negation; with a
//! negative weight, the soft clause of the literal itself. So the cost is the weight of the falsified soft clauses
//! plus a constant, which is in a comment.

use super::bytes::Bytes;
use super::cnf::{Emission, EncodeError};
use super::symbols::comment_lines;
use super::{CountingSink, EmitError, Formula, Given, Lit, Sink, Size, Target, Weighted};
use crate::model::Instance;
use std::io::Write;

/// The form of weighted clauses.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum WcnfForm {
    /// Of the MaxSAT Evaluations from 2022 on.
    #[default]
    New,
    /// With a `p wcnf` line.
    Old,
}

/// Counts clauses and takes the objective.
struct Count(CountingSink);

impl Sink for Count {
    fn clause(&mut self, lits: &[Lit]) {
        self.0.clause(lits);
    }

    fn pairwise(&mut self, lits: &[Lit]) {
        self.0.pairwise(lits);
    }

    fn takes_objective(&self) -> bool {
        true
    }
}

/// Writes hard clauses.
struct WcnfSink<W: Write> {
    bytes: Bytes<W>,
    /// The prefix of a hard clause.
    hard: String,
    annotated: bool,
}

impl<W: Write> Sink for WcnfSink<W> {
    fn clause(&mut self, lits: &[Lit]) {
        self.bytes.short(self.hard.as_bytes());
        lits.iter().for_each(|lit| self.bytes.number(*lit));
        self.bytes.short(b"0\n");
    }

    fn takes_objective(&self) -> bool {
        true
    }

    fn annotated(&self) -> bool {
        self.annotated
    }

    fn comment(&mut self, text: &str) {
        self.bytes.text(&comment_lines(Target::Wcnf.comment(), text));
    }

    fn stopped(&self) -> bool {
        self.bytes.failed()
    }
}

/// A MaxSAT formula.
pub struct Wcnf {
    counted: CountingSink,
    emission: Emission,
    form: WcnfForm,
    /// Soft unit clauses: weight and literal.
    soft: Vec<(u64, Lit)>,
    /// The cost if all soft clauses are satisfied.
    constant: i64,
}

impl Wcnf {
    pub fn measure(given: &Given<'_>) -> Result<Wcnf, EncodeError> {
        let mut count = Count(CountingSink::default());
        let emission = given.encode(&mut count, None)?;
        let (soft, constant) = emission.cost.as_ref().map(soft).unwrap_or_default();
        Ok(Wcnf { counted: count.0, emission, form: given.form.wcnf, soft, constant })
    }
}

/// Soft clauses and constant of a cost: `c · x` costs c if x is true; `-c · x` is `-c` plus a cost of c if x is false.
fn soft(cost: &Weighted) -> (Vec<(u64, Lit)>, i64) {
    let negative: i64 = cost.terms.iter().map(|(coef, _)| *coef.min(&0)).sum();
    let wanted = |(coef, lit): &(i64, Lit)| (coef.unsigned_abs(), if *coef > 0 { -lit } else { *lit });
    (cost.terms.iter().map(wanted).collect(), cost.constant + negative)
}

impl Formula for Wcnf {
    fn target(&self) -> Target {
        Target::Wcnf
    }

    fn dialect(&self) -> &str {
        match self.form {
            WcnfForm::New => "2022",
            WcnfForm::Old => "old",
        }
    }

    fn emission(&self) -> &Emission {
        &self.emission
    }

    fn rows(&self) -> u64 {
        self.counted.clauses + self.soft.len() as u64
    }

    fn sizes(&self) -> Vec<Size> {
        vec![("hard clauses", self.counted.clauses), ("soft clauses", self.soft.len() as u64)]
    }

    fn takes_clauses(&self) -> bool {
        true
    }

    fn write(
        &self,
        given: &Given<'_>,
        preface: &str,
        label: Option<&dyn Fn(Instance) -> String>,
        further: &[Vec<Lit>],
        out: &mut dyn Write,
    ) -> Result<(), EmitError> {
        let (variables, hard_rows, soft) = match given.cost {
            None => (self.emission.variables, self.counted.clauses, &*self.soft),
            // the cost is a hard constraint; count its clauses too
            Some(_) => {
                let mut count = Count(CountingSink::default());
                let emission = given.encode(&mut count, None)?;
                (emission.variables, count.0.clauses, [].as_slice())
            }
        };
        // sums of weights fit into 62 bits, see `cnf::linear`
        let top = 1 + soft.iter().map(|(weight, _)| weight).sum::<u64>();
        let hard = match self.form {
            WcnfForm::New => "h ".to_owned(),
            WcnfForm::Old => format!("{top} "),
        };
        let mut sink = WcnfSink { bytes: Bytes::new(out), hard, annotated: label.is_some() };
        sink.bytes.text(preface);
        if self.emission.cost.is_some() {
            sink.bytes.text(&format!("c cost = weight of what is broken + {}\n", self.constant));
        }
        if self.form == WcnfForm::Old {
            let rows = hard_rows + (soft.len() + further.len()) as u64;
            sink.bytes.text(&format!("p wcnf {variables} {rows} {top}\n"));
        }
        let encoded = given.encode(&mut sink, label);
        further.iter().for_each(|clause| sink.clause(clause));
        for (weight, lit) in soft {
            sink.bytes.text(&format!("{weight} {lit} 0\n"));
        }
        sink.bytes.finish()?;
        encoded?;
        Ok(())
    }
}
