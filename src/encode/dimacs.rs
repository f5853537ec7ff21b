//! DIMACS: clauses as text.
//!
//! In: clauses from an encoder. Out: bytes. A pairwise at-most-one group formats each literal only once.

use super::bytes::{Bytes, Text, text};
use super::cnf::{Emission, EncodeError};
use super::{CountingSink, EmitError, Formula, Given, Lit, ShowLine, Sink, Size, Target};
use crate::model::Instance;
use std::io::{self, Write};

/// A formula in conjunctive normal form.
pub struct Cnf {
    counted: CountingSink,
    emission: Emission,
}

impl Cnf {
    pub fn measure(given: &Given<'_>) -> Result<Cnf, EncodeError> {
        let mut counted = CountingSink::default();
        let emission = given.encode(&mut counted, None)?;
        Ok(Cnf { counted, emission })
    }
}

impl Formula for Cnf {
    fn target(&self) -> Target {
        Target::Cnf
    }

    fn dialect(&self) -> &str {
        "dimacs"
    }

    fn emission(&self) -> &Emission {
        &self.emission
    }

    fn rows(&self) -> u64 {
        self.counted.clauses
    }

    fn sizes(&self) -> Vec<Size> {
        vec![("clauses", self.rows())]
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
        let mut sink = DimacsSink::new(out, label.is_some());
        sink.lines(preface);
        sink.lines(&projection(&self.emission, given.form.show));
        sink.header(self.emission.variables, self.counted.clauses + further.len() as u64);
        let encoded = given.encode(&mut sink, label);
        further.iter().for_each(|clause| sink.clause(clause));
        sink.finish()?;
        encoded?;
        Ok(())
    }
}

/// The lines that state the projection of models.
fn projection(emission: &Emission, show: ShowLine) -> String {
    let word = match show {
        ShowLine::Show | ShowLine::Pmc => "c p show",
        ShowLine::Ind => "c ind",
    };
    let mut lines = if show == ShowLine::Pmc { "c t pmc\n".to_owned() } else { String::new() };
    if emission.answer.is_empty() && emission.variables > 0 {
        lines.push_str(&format!("{word} 0\n"));
    }
    for chunk in emission.answer.chunks(100) {
        lines.push_str(word);
        chunk.iter().for_each(|lit| lines.push_str(&format!(" {lit}")));
        lines.push_str(" 0\n");
    }
    lines
}

/// Writes clauses in DIMACS form, and counts them.
pub struct DimacsSink<W: Write> {
    bytes: Bytes<W>,
    clauses: u64,
    annotated: bool,
    /// The negated literals of a pairwise group, each as the first and as the second literal of a clause.
    texts: Vec<[Text; 2]>,
}

impl<W: Write> DimacsSink<W> {
    /// `annotated`: write comments?
    pub fn new(out: W, annotated: bool) -> DimacsSink<W> {
        DimacsSink { bytes: Bytes::new(out), clauses: 0, annotated, texts: Vec::new() }
    }

    /// Writes whole lines of any kind.
    pub fn lines(&mut self, text: &str) {
        self.bytes.text(text);
    }

    /// Writes `p cnf …`; must precede the first clause.
    pub fn header(&mut self, variables: u32, clauses: u64) {
        self.bytes.text(&format!("p cnf {variables} {clauses}\n"));
    }

    /// The number of clauses written.
    pub fn clauses(&self) -> u64 {
        self.clauses
    }

    /// Writes the rest of the buffer; returns the first error of all writes.
    pub fn finish(self) -> io::Result<()> {
        self.bytes.finish()
    }
}

impl<W: Write> Sink for DimacsSink<W> {
    fn clause(&mut self, lits: &[Lit]) {
        self.clauses += 1;
        lits.iter().for_each(|lit| self.bytes.number(*lit));
        self.bytes.short(b"0\n");
    }

    fn pairwise(&mut self, lits: &[Lit]) {
        let mut texts = std::mem::take(&mut self.texts);
        texts.clear();
        texts.extend(lits.iter().map(|lit| [text(-lit, b" "), text(-lit, b" 0\n")]));
        for (i, [first, _]) in texts.iter().enumerate() {
            texts[i + 1..].iter().for_each(|[_, second]| self.bytes.pair(first, second));
        }
        let n = lits.len() as u64;
        self.clauses += n * n.saturating_sub(1) / 2;
        self.texts = texts;
    }

    fn annotated(&self) -> bool {
        self.annotated
    }

    fn comment(&mut self, text: &str) {
        self.bytes.text(&super::symbols::comment_lines("c : ", text));
    }

    fn stopped(&self) -> bool {
        self.bytes.failed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn written(emit: impl Fn(&mut DimacsSink<&mut Vec<u8>>)) -> String {
        let mut bytes = Vec::new();
        let mut sink = DimacsSink::new(&mut bytes, true);
        emit(&mut sink);
        sink.finish().unwrap();
        String::from_utf8(bytes).unwrap()
    }

    #[test]
    fn numbers_as_the_standard_writes_them() {
        let mut power = 1i64;
        let mut lits = Vec::new();
        while power <= i64::from(Lit::MAX) {
            lits.extend([power - 1, power, power + 1, 5 * power].map(|n| n.min(i64::from(Lit::MAX)) as Lit));
            power *= 10;
        }
        lits.push(Lit::MAX);
        for lit in lits.into_iter().flat_map(|lit| [lit, -lit]) {
            assert_eq!(written(|sink| sink.clause(&[lit])), format!("{lit} 0\n"));
        }
    }

    #[test]
    fn pairs_are_the_clauses_that_the_trait_promises() {
        let lits: Vec<Lit> = (1..400).map(|i| if i % 3 == 0 { -i } else { i * 5_000_000 }).collect();
        let pairs = written(|sink| sink.pairwise(&lits));
        let clauses = written(|sink| {
            for (i, a) in lits.iter().enumerate() {
                lits[i + 1..].iter().for_each(|b| sink.clause(&[-a, -b]));
            }
        });
        assert_eq!(pairs, clauses);
    }

    #[test]
    fn header_comments_and_the_empty_clause() {
        let text = written(|sink| {
            sink.lines("c a note\n");
            sink.header(3, 2);
            sink.comment("row 1\nof two");
            sink.clause(&[1, -3]);
            sink.clause(&[]);
            assert_eq!(sink.clauses(), 2);
        });
        assert_eq!(text, "c a note\np cnf 3 2\nc : row 1\nc : of two\n1 -3 0\n0\n");
    }

    #[test]
    fn an_error_is_kept() {
        struct Full;
        impl Write for Full {
            fn write(&mut self, _: &[u8]) -> io::Result<usize> {
                Err(io::Error::other("disk full"))
            }
            fn flush(&mut self) -> io::Result<()> {
                Ok(())
            }
        }
        let mut sink = DimacsSink::new(Full, false);
        let lits: Vec<Lit> = (1..300).collect();
        sink.pairwise(&lits);
        assert!(sink.stopped());
        assert_eq!(sink.finish().unwrap_err().to_string(), "disk full");
    }
}
