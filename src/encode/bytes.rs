//! A buffered writer for the text of formulas. For easy puzzles, writing the file takes most of the time.

use std::io::{self, Write};

/// The size of the buffer in bytes.
const CHUNK: usize = 64 << 10;

/// The most bytes of a [`Text`]. The longest number with sign and end is `-2147483647 0\n`, 14 bytes; rounded up so
/// that copies have a fixed size.
pub(super) const TEXT: usize = 16;

/// A short text with padding.
#[derive(Clone, Copy)]
pub(super) struct Text {
    bytes: [u8; TEXT],
    len: usize,
}

/// A buffered writer. It keeps the first write error, and writes nothing after it.
pub(super) struct Bytes<W: Write> {
    out: W,
    /// The first `used` bytes are not written yet.
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

    /// Writes the rest of the buffer; returns the first error of all writes.
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

    /// Appends at most [`TEXT`] bytes.
    #[inline]
    pub fn short(&mut self, text: &[u8]) {
        self.room(text.len());
        self.buffer[self.used..self.used + text.len()].copy_from_slice(text);
        self.used += text.len();
    }

    /// Appends a number and a blank.
    #[inline]
    pub fn number(&mut self, number: i32) {
        self.room(TEXT);
        let to = &mut self.buffer[self.used..self.used + TEXT];
        let len = format(number, to);
        to[len] = b' ';
        self.used += len + 1;
    }

    /// Appends two texts.
    #[inline]
    pub fn pair(&mut self, first: &Text, second: &Text) {
        self.room(2 * TEXT);
        self.copy(first);
        self.copy(second);
    }

    /// Makes room for `n` bytes, at most `CHUNK`.
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

    /// Appends a text. Precondition: there is room for `TEXT` bytes.
    #[inline]
    fn copy(&mut self, text: &Text) {
        let at = self.used;
        self.buffer[at..at + TEXT].copy_from_slice(&text.bytes);
        self.used += text.len;
    }
}

/// The text of a number, followed by `end`.
pub(super) fn text(number: i32, end: &[u8]) -> Text {
    let mut bytes = [0; TEXT];
    let len = format(number, &mut bytes);
    bytes[len..len + end.len()].copy_from_slice(end);
    Text { bytes, len: len + end.len() }
}

/// Writes a number in decimal; returns the number of bytes.
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
