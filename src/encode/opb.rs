//! Pseudo-Boolean formulas in the format of the competitions (OPB).
//!
//! In: clauses and linear constraints from an encoder. Out: bytes that every OPB reader accepts: the first line has
//! only the two counts; one constraint per line; only `>=` and `=`; every coefficient has a sign; no negated literals
//! unless requested (`c ~x` is `c - c x`). The fields of newer versions are on the second line, a comment for older
//! readers.

use super::bytes::Bytes;
use super::cnf::{Emission, EncodeError};
use super::symbols::comment_lines;
use super::{EmitError, Formula, Given, Linear, Lit, Sink, Size, Target, Weighted};
use crate::model::{Cmp, Instance};
use std::io::{self, Write};

/// Some solvers reject numbers from this one on.
const LARGE: u64 = 1 << 31;

/// Collects the numbers for the header.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Counts {
    rows: u64,
    equalities: u64,
    /// The largest absolute value of a number.
    largest: u64,
    /// The largest sum of absolute coefficients in a row.
    widest: u64,
}

impl Counts {
    fn row(&mut self, coefs: impl Iterator<Item = i64>, bound: i64) {
        let mut sum = 0u64;
        for size in coefs.map(i64::unsigned_abs) {
            sum = sum.saturating_add(size);
            self.largest = self.largest.max(size);
        }
        self.largest = self.largest.max(bound.unsigned_abs());
        self.widest = self.widest.max(sum);
    }
}

impl Sink for Counts {
    fn clause(&mut self, lits: &[Lit]) {
        self.rows += 1;
        self.widest = self.widest.max(lits.len().max(1) as u64);
    }

    fn linear(&mut self) -> Option<&mut dyn Linear> {
        Some(self)
    }

    fn takes_objective(&self) -> bool {
        true
    }
}

impl Linear for Counts {
    fn constraint(&mut self, terms: &[(i64, Lit)], cmp: Cmp, bound: i64) {
        self.rows += 1;
        self.equalities += u64::from(cmp == Cmp::Eq);
        self.row(terms.iter().map(|(coef, _)| *coef), bound);
    }
}

/// Writes constraints.
struct OpbSink<W: Write> {
    bytes: Bytes<W>,
    /// May literals be negated?
    tilde: bool,
    annotated: bool,
}

impl<W: Write> OpbSink<W> {
    fn term(&mut self, coef: i64, lit: Lit) {
        match coef {
            1 => self.bytes.short(b"+1 "),
            -1 => self.bytes.short(b"-1 "),
            _ => self.bytes.text(&format!("{coef:+} ")),
        }
        self.bytes.short(if lit < 0 { b"~x" } else { b"x" });
        self.bytes.number(lit.abs());
    }

    /// `Σ terms ≥ bound`.
    fn at_least(&mut self, terms: impl Iterator<Item = (i64, Lit)>, mut bound: i64) {
        for (coef, lit) in terms {
            match coef {
                ..0 if self.tilde => {
                    bound -= coef;
                    self.term(-coef, -lit);
                }
                _ => self.term(coef, lit),
            }
        }
        self.bytes.text(&format!(">= {bound} ;\n"));
    }

    fn equal(&mut self, terms: &[(i64, Lit)], bound: i128) {
        terms.iter().for_each(|(coef, lit)| self.term(*coef, *lit));
        self.bytes.text(&format!("= {bound} ;\n"));
    }

    /// The cost, without its constant.
    fn minimum(&mut self, cost: &Weighted) {
        self.bytes.text("min: ");
        cost.terms.iter().for_each(|(coef, lit)| self.term(*coef, *lit));
        self.bytes.text(";\n");
    }
}

impl<W: Write> Sink for OpbSink<W> {
    fn clause(&mut self, lits: &[Lit]) {
        if lits.is_empty() {
            // most readers reject a row without terms
            return self.bytes.text("+1 x1 >= 2 ;\n");
        }
        let negative = lits.iter().filter(|lit| **lit < 0).count() as i64;
        self.at_least(lits.iter().map(|lit| (lit.signum().into(), lit.abs())), 1 - negative);
    }

    fn linear(&mut self) -> Option<&mut dyn Linear> {
        Some(self)
    }

    fn takes_objective(&self) -> bool {
        true
    }

    fn annotated(&self) -> bool {
        self.annotated
    }

    fn comment(&mut self, text: &str) {
        self.bytes.text(&comment_lines(Target::Opb.comment(), text));
    }

    fn stopped(&self) -> bool {
        self.bytes.failed()
    }
}

impl<W: Write> Linear for OpbSink<W> {
    fn constraint(&mut self, terms: &[(i64, Lit)], cmp: Cmp, bound: i64) {
        match cmp {
            Cmp::Le => self.at_least(terms.iter().map(|(coef, lit)| (-coef, *lit)), -bound),
            Cmp::Eq => self.equal(terms, bound.into()),
        }
    }
}

/// A pseudo-Boolean formula.
pub struct Opb {
    counts: Counts,
    emission: Emission,
}

impl Opb {
    pub fn measure(given: &Given<'_>) -> Result<Opb, EncodeError> {
        let mut counts = Counts::default();
        let emission = given.encode(&mut counts, None)?;
        if let Some(cost) = &emission.cost {
            counts.row(cost.terms.iter().map(|(coef, _)| *coef), 0);
        }
        Ok(Opb { counts, emission })
    }

    /// The header lines.
    fn header(&self, rows: u64, equalities: u64) -> String {
        // a contradiction uses x1 even if there are no variables
        let variables = self.emission.variables.max(u32::from(rows > 0));
        let bits = u64::BITS - self.counts.widest.leading_zeros();
        format!("* #variable= {variables} #constraint= {rows}\n* #equal= {equalities} intsize= {bits}\n")
    }
}

impl Formula for Opb {
    fn target(&self) -> Target {
        Target::Opb
    }

    fn dialect(&self) -> &str {
        "linear"
    }

    fn emission(&self) -> &Emission {
        &self.emission
    }

    fn rows(&self) -> u64 {
        self.counts.rows
    }

    fn sizes(&self) -> Vec<Size> {
        vec![("constraints", self.counts.rows)]
    }

    fn takes_clauses(&self) -> bool {
        true
    }

    fn warning(&self) -> Option<String> {
        let largest = self.counts.largest;
        (largest >= LARGE)
            .then(|| format!("numbers up to {largest} occur; some solvers take none of 2^31 and more"))
    }

    fn write(
        &self,
        given: &Given<'_>,
        preface: &str,
        label: Option<&dyn Fn(Instance) -> String>,
        further: &[Vec<Lit>],
        out: &mut dyn Write,
    ) -> Result<(), EmitError> {
        let tilde = given.form.tilde;
        let mut sink = OpbSink { bytes: Bytes::new(out), tilde, annotated: label.is_some() };
        let cost = self.emission.cost.as_ref().filter(|cost| !cost.terms.is_empty());
        let fixed = cost.zip(given.cost);
        let more = further.len() as u64 + u64::from(fixed.is_some());
        let equalities = self.counts.equalities + u64::from(fixed.is_some());
        sink.bytes.text(&self.header(self.counts.rows + more, equalities));
        sink.bytes.text(preface);
        if let (Some(cost), None) = (cost, given.cost) {
            sink.minimum(cost);
        }
        let encoded = given.encode(&mut sink, label);
        if let Some((cost, wanted)) = fixed {
            sink.equal(&cost.terms, wanted - i128::from(cost.constant));
        }
        further.iter().for_each(|clause| sink.clause(clause));
        let written: io::Result<()> = sink.bytes.finish();
        written?;
        encoded?;
        Ok(())
    }
}
