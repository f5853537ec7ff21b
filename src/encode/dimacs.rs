//! Clauses as DIMACS text.
//!
//! In: clauses. Out: lines into a writer, through a buffer of 64 KiB; nothing is kept. A fault of the writer is remembered and
//! stops the encoder.

use super::{Lit, Sink};
use std::io::{self, Write};

const BUFFER: usize = 1 << 16;

/// Writes clauses, one a line.
pub struct DimacsSink<W: Write> {
    out: W,
    buffer: Vec<u8>,
    fault: Option<io::Error>,
    /// Texts of one at-most-one group, end to end.
    group: Vec<u8>,
    ends: Vec<usize>,
    annotated: bool,
}

impl<W: Write> DimacsSink<W> {
    pub fn new(out: W) -> DimacsSink<W> {
        let buffer = Vec::with_capacity(BUFFER + 4096);
        DimacsSink { out, buffer, fault: None, group: Vec::new(), ends: Vec::new(), annotated: false }
    }

    /// A copy to be read: comments are written too.
    pub fn annotated(out: W) -> DimacsSink<W> {
        DimacsSink { annotated: true, ..DimacsSink::new(out) }
    }

    fn flush_full(&mut self) {
        if self.buffer.len() >= BUFFER {
            self.flush();
        }
    }

    fn flush(&mut self) {
        if self.fault.is_none()
            && let Err(fault) = self.out.write_all(&self.buffer)
        {
            self.fault = Some(fault);
        }
        self.buffer.clear();
    }

    /// Writes what is left and gives the writer back, or the first fault.
    pub fn finish(mut self) -> io::Result<W> {
        self.flush();
        match self.fault {
            Some(fault) => Err(fault),
            None => Ok(self.out),
        }
    }
}

impl<W: Write> Sink for DimacsSink<W> {
    fn clause(&mut self, lits: &[Lit]) {
        let mut format = itoa::Buffer::new();
        for lit in lits {
            self.buffer.extend_from_slice(format.format(*lit).as_bytes());
            self.buffer.push(b' ');
        }
        self.buffer.extend_from_slice(b"0\n");
        self.flush_full();
    }

    fn pairwise(&mut self, lits: &[Lit]) {
        let mut format = itoa::Buffer::new();
        let mut group = std::mem::take(&mut self.group);
        let mut ends = std::mem::take(&mut self.ends);
        group.clear();
        ends.clear();
        for lit in lits {
            group.extend_from_slice(format.format(-*lit).as_bytes());
            group.push(b' ');
            ends.push(group.len());
        }
        let mut start = 0;
        for (i, end) in ends.iter().enumerate() {
            let mut other = *end;
            for next in &ends[i + 1..] {
                self.buffer.extend_from_slice(&group[start..*end]);
                self.buffer.extend_from_slice(&group[other..*next]);
                self.buffer.extend_from_slice(b"0\n");
                other = *next;
                self.flush_full();
            }
            start = *end;
        }
        (self.group, self.ends) = (group, ends);
    }

    fn annotated(&self) -> bool {
        self.annotated
    }

    fn comment(&mut self, text: &str) {
        let lines = super::symbols::comment_lines("c : ", text);
        self.buffer.extend_from_slice(lines.as_bytes());
        self.flush_full();
    }

    fn stopped(&self) -> bool {
        self.fault.is_some()
    }
}
