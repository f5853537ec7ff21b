//! Text of formulas on its way out, through a buffer of our own: the time of an easy puzzle is the time of its file.

use std::io::{self, Write};

/// Bytes gathered before they are written.
const CHUNK: usize = 64 << 10;

/// The longest number with its sign and what follows it (`-2147483647 0\n` has 14 bytes) and a little, so that a text
/// is copied whole.
pub(super) const TEXT: usize = 16;

/// A short text, copied with its padding.
#[derive(Clone, Copy)]
pub(super) struct Text {
    bytes: [u8; TEXT],
    len: usize,
}

/// A buffer before a writer. A failed write is remembered and ends the writing.
pub(super) struct Bytes<W: Write> {
    out: W,
    /// The first `used` bytes wait to be written.
    buffer: Box<[u8]>,
    used: usize,
    error: Option<io::Error>,
}

impl<W: Write> Bytes<W> {
    pub fn new(out: W) -> Bytes<W> {
        Bytes { out, buffer: vec![0; CHUNK].into_boxed_slice(), used: 0, error: None }
    }

    /// Did a write fail?
    pub fn failed(&self) -> bool {
        self.error.is_some()
    }

    /// Writes what waits; the first error of all writes.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush();
        match self.error {
            Some(error) => Err(error),
            None => self.out.flush(),
        }
    }

    pub fn text(&mut self, text: &str) {
        for part in text.as_bytes().chunks(CHUNK) {
            self.room(part.len());
            self.buffer[self.used..self.used + part.len()].copy_from_slice(part);
            self.used += part.len();
        }
    }

    /// At most [`TEXT`] bytes.
    #[inline]
    pub fn short(&mut self, text: &[u8]) {
        self.room(text.len());
        self.buffer[self.used..self.used + text.len()].copy_from_slice(text);
        self.used += text.len();
    }

    /// A number and a blank.
    #[inline]
    pub fn number(&mut self, number: i32) {
        self.room(TEXT);
        let to = &mut self.buffer[self.used..self.used + TEXT];
        let len = format(number, to);
        to[len] = b' ';
        self.used += len + 1;
    }

    /// Two texts.
    #[inline]
    pub fn pair(&mut self, first: &Text, second: &Text) {
        self.room(2 * TEXT);
        self.copy(first);
        self.copy(second);
    }

    /// Makes room for `n` bytes, at most a chunk.
    #[inline]
    fn room(&mut self, n: usize) {
        if self.used + n > CHUNK {
            self.flush();
        }
    }

    #[cold]
    fn flush(&mut self) {
        if self.error.is_none() {
            self.error = self.out.write_all(&self.buffer[..self.used]).err();
        }
        self.used = 0;
    }

    /// Appends a text; the caller made room.
    #[inline]
    fn copy(&mut self, text: &Text) {
        let at = self.used;
        self.buffer[at..at + TEXT].copy_from_slice(&text.bytes);
        self.used += text.len;
    }
}

/// A number with what follows it.
pub(super) fn text(number: i32, end: &[u8]) -> Text {
    let mut bytes = [0; TEXT];
    let len = format(number, &mut bytes);
    bytes[len..len + end.len()].copy_from_slice(end);
    Text { bytes, len: len + end.len() }
}

/// Writes the decimal digits of a number, and says how many bytes they are.
#[inline]
fn format(number: i32, to: &mut [u8]) -> usize {
    let mut rest = number.unsigned_abs();
    let mut len = digits(rest);
    if number < 0 {
        to[0] = b'-';
        len += 1;
    }
    let mut at = len;
    while rest >= 100 {
        at -= 2;
        to[at..at + 2].copy_from_slice(&PAIRS[(rest % 100) as usize]);
        rest /= 100;
    }
    if rest >= 10 {
        to[at - 2..at].copy_from_slice(&PAIRS[rest as usize]);
    } else {
        to[at - 1] = b'0' + rest as u8;
    }
    len
}

fn digits(n: u32) -> usize {
    n.checked_ilog10().map_or(1, |log| log as usize + 1)
}

/// The numbers below 100, two digits each.
const PAIRS: [[u8; 2]; 100] = {
    let mut pairs = [[0; 2]; 100];
    let mut n = 0;
    while n < 100 {
        pairs[n] = [b'0' + (n / 10) as u8, b'0' + (n % 10) as u8];
        n += 1;
    }
    pairs
};
