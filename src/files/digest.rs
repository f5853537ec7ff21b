//! The digest of a formula: XXH3, 128 bits, over its bytes without comment lines.
//!
//! In: bytes to be written to a file, or read back. Out: the same bytes, and the digest. Comment lines, with their
//! newlines, are not hashed: adding or removing comments does not invalidate a map.

use std::io::{self, BufRead, Write};
use xxhash_rust::xxh3::Xxh3;

/// The byte that starts a comment line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Comments {
    /// `c`: CNF, WCNF.
    Cnf,
    /// `*`: OPB.
    Opb,
    /// `|`: exact cover.
    Xcc,
}

impl Comments {
    /// The byte itself.
    pub fn start(self) -> u8 {
        match self {
            Comments::Cnf => b'c',
            Comments::Opb => b'*',
            Comments::Xcc => b'|',
        }
    }
}

/// Hashes everything but comment lines.
struct Filter {
    hash: Xxh3,
    start: u8,
    at: At,
}

#[derive(Clone, Copy, PartialEq)]
enum At {
    LineStart,
    Line,
    Comment,
}

impl Filter {
    fn new(comments: Comments) -> Filter {
        Filter { hash: Xxh3::new(), start: comments.start(), at: At::LineStart }
    }

    fn update(&mut self, mut block: &[u8]) {
        while !block.is_empty() {
            if self.at == At::Comment {
                match memchr::memchr(b'\n', block) {
                    Some(end) => (self.at, block) = (At::LineStart, &block[end + 1..]),
                    None => return,
                }
                continue;
            }
            let end = self.next_comment(block);
            let (counts, rest) = block.split_at(end);
            self.hash.update(counts);
            self.at = match (rest, counts.last()) {
                ([_, ..], _) => At::Comment,
                ([], Some(b'\n')) => At::LineStart,
                ([], _) => At::Line,
            };
            block = rest;
        }
    }

    /// The position of the first comment line in a block. The start byte is rare, so the search is for it and not for
    /// lines.
    fn next_comment(&self, block: &[u8]) -> usize {
        let starts = |at: &usize| if *at == 0 { self.at == At::LineStart } else { block[at - 1] == b'\n' };
        memchr::memchr_iter(self.start, block).find(starts).unwrap_or(block.len())
    }
}

/// A writer that passes bytes on and hashes them; small writes are buffered.
pub struct Digesting<W: Write> {
    inner: W,
    filter: Filter,
    gathered: Vec<u8>,
}

const BLOCK: usize = 1 << 16;

impl<W: Write> Digesting<W> {
    pub fn new(inner: W, comments: Comments) -> Digesting<W> {
        Digesting { inner, filter: Filter::new(comments), gathered: Vec::with_capacity(BLOCK) }
    }

    fn pass_on(&mut self) -> io::Result<()> {
        self.filter.update(&self.gathered);
        let passed = self.inner.write_all(&self.gathered);
        self.gathered.clear();
        passed
    }

    /// The inner writer and the digest of all written bytes.
    pub fn finish(mut self) -> io::Result<(W, u128)> {
        self.pass_on()?;
        Ok((self.inner, self.filter.hash.digest128()))
    }
}

impl<W: Write> Write for Digesting<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.gathered.len() + bytes.len() > BLOCK {
            self.pass_on()?;
        }
        if bytes.len() >= BLOCK {
            self.inner.write_all(bytes)?;
            self.filter.update(bytes);
        } else {
            self.gathered.extend_from_slice(bytes);
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pass_on()?;
        self.inner.flush()
    }
}

/// One digest of several texts; their boundaries count.
pub fn fingerprint<'t>(texts: impl IntoIterator<Item = &'t str>) -> u128 {
    let mut hash = Xxh3::new();
    for text in texts {
        hash.update(&(text.len() as u64).to_le_bytes());
        hash.update(text.as_bytes());
    }
    hash.digest128()
}

/// The digest of a formula from a reader.
pub fn digest(source: &mut dyn BufRead, comments: Comments) -> io::Result<u128> {
    let mut filter = Filter::new(comments);
    loop {
        let block = source.fill_buf()?;
        let count = block.len();
        if count == 0 {
            return Ok(filter.hash.digest128());
        }
        filter.update(block);
        source.consume(count);
    }
}
