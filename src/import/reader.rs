//! A cursor over one-line formats: every fault has its place.

use super::{Fault, fault};

/// The largest number of cells of a board: a short text can claim any size.
pub(super) const MOST_CELLS: usize = 1 << 16;

/// Reads characters of `text` from `at` on, up to `end`.
#[derive(Clone, Debug)]
pub(super) struct Reader<'a> {
    text: &'a str,
    at: usize,
    end: usize,
}

pub(super) type Read<T> = Result<T, Fault>;

impl<'a> Reader<'a> {
    /// Reads `text[at..end]`.
    pub fn new(text: &'a str, at: usize, end: usize) -> Reader<'a> {
        Reader { text, at, end }
    }

    pub fn rest(&self) -> &'a str {
        &self.text[self.at..self.end]
    }

    pub fn is_done(&self) -> bool {
        self.at == self.end
    }

    pub fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub fn next(&mut self) -> Option<char> {
        let c = self.peek()?;
        self.at += c.len_utf8();
        Some(c)
    }

    /// Skips `c` if it comes next.
    pub fn eat(&mut self, c: char) -> bool {
        let found = self.peek() == Some(c);
        if found {
            self.at += c.len_utf8();
        }
        found
    }

    pub fn expect(&mut self, c: char) -> Read<()> {
        if self.eat(c) { Ok(()) } else { Err(self.here(format!("`{c}` was expected"))) }
    }

    /// The text before `c` or the end; skips `c` too.
    pub fn until(&mut self, c: char) -> &'a str {
        let part = self.rest().split(c).next().unwrap_or("");
        self.at += part.len();
        self.eat(c);
        part
    }

    /// The characters that satisfy `is`.
    pub fn take_while(&mut self, is: impl Fn(char) -> bool) -> &'a str {
        let rest = self.rest();
        let length = rest.find(|c| !is(c)).unwrap_or(rest.len());
        self.at += length;
        &rest[..length]
    }

    /// A decimal number.
    pub fn number(&mut self) -> Read<usize> {
        let start = self.clone();
        let digits = self.take_while(|c| c.is_ascii_digit());
        match digits.parse() {
            Ok(number) if digits.len() <= 6 => Ok(number),
            _ if digits.is_empty() => Err(start.here("a number was expected")),
            _ => Err(start.here(format!("`{digits}` is too large"))),
        }
    }

    /// A decimal number; `what` names it in messages.
    pub fn measure(&mut self, what: &str) -> Read<usize> {
        self.number().map_err(|fault| Fault { message: format!("{}: {what}", fault.message), ..fault })
    }

    /// `count` digits of base 36 or less as one number.
    pub fn digits(&mut self, count: usize, base: u32) -> Read<usize> {
        let mut number = 0;
        for _ in 0..count {
            number = number * base as usize + self.digit(base)?;
        }
        Ok(number)
    }

    pub fn digit(&mut self, base: u32) -> Read<usize> {
        let digit = self.peek().and_then(|c| c.to_digit(base));
        let digit = digit.ok_or_else(|| self.here(format!("a digit of base {base} was expected")))?;
        self.next();
        Ok(digit as usize)
    }

    /// A fault at the next character.
    pub fn here(&self, message: impl Into<String>) -> Fault {
        let length = self.peek().map_or(0, char::len_utf8);
        fault(message, self.at..self.at + length, if length == 0 { "the end" } else { "here" })
    }

    /// A fault at everything read since `start`.
    pub fn since(&self, start: &Reader<'_>, message: impl Into<String>) -> Fault {
        fault(message, start.at..self.at.max(start.at), "here")
    }

    pub fn finish(&self) -> Read<()> {
        if self.is_done() {
            return Ok(());
        }
        Err(fault("the board is full, but more follows", self.at..self.end, "this is left over"))
    }

    /// Checks the size of a board that was read since `start`.
    pub fn size(&self, start: &Reader<'_>, rows: usize, columns: usize) -> Read<(usize, usize)> {
        if rows == 0 || columns == 0 {
            return Err(self.since(start, "a board has at least one row and one column"));
        }
        if rows.saturating_mul(columns) > MOST_CELLS {
            return Err(self.since(start, format!("a board may have {MOST_CELLS} cells at most")));
        }
        Ok((rows, columns))
    }
}
