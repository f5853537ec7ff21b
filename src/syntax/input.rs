//! Input and output of parser functions: a place in the text, a result, a failure.
//!
//! In: the text of one file. Out: [`In`], a copyable place that every parser function advances, and [`Fail`]
//! for text that it could not parse. A parser reports an unexpected token with [`In::want`]. The [`Context`]
//! keeps the furthest such place and all expectations there, even if a loop or an alternative discards the
//! failure itself. Invariants: `rest` starts at a token, never at white space; `end` is the end of the
//! previous token. Knows no productions.

use super::ast::{Expr, Number};
use super::foreign::commented_operator;
use super::wants::{Want, Wants};
use crate::diag::{Code, Diagnostic};
use crate::shared::{FileId, Span};
use nom::error::{ErrorKind, ParseError};
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::rc::Rc;

/// The maximal nesting of brackets, `for`, `if`, `not` and the like.
pub const MAX_NESTING: u32 = 2_000;

/// The state of one parse: the file and collected information.
pub(super) struct Context {
    file: FileId,
    len: usize,
    depth: Cell<u32>,
    /// The furthest place with an unmet expectation, and the expectations there.
    furthest: Cell<(u32, Wants)>,
    /// Interned names: names occur often.
    names: RefCell<FxHashSet<Rc<str>>>,
    /// Offsets of comments that may be intended as operators.
    pub commented: RefCell<BTreeSet<u32>>,
    /// A buffer for lists of numbers.
    pub numbers: Cell<Vec<Number>>,
    /// The start of the last call and of its bracket, for a message.
    pub called: Cell<(u32, u32)>,
    /// Conditions of `if`s that were parsed as guards but are conditionals, by offset, with the place to
    /// continue (offset and end of the last token). So nothing is parsed twice.
    pub conditionals: RefCell<FxHashMap<u32, (u32, u32, Expr)>>,
}

impl Context {
    pub fn new(file: FileId, text: &str) -> Context {
        Context {
            file,
            len: text.len(),
            depth: Cell::new(0),
            furthest: Cell::new((0, Wants::NONE)),
            names: RefCell::default(),
            commented: RefCell::default(),
            numbers: Cell::default(),
            called: Cell::new((0, 0)),
            conditionals: RefCell::default(),
        }
    }

    pub fn furthest(&self) -> (u32, Wants) {
        self.furthest.get()
    }

    /// Clears the expectations: another item starts.
    pub fn forget(&self) {
        self.furthest.set((0, Wants::NONE));
    }

    pub fn span(&self, start: u32, end: u32) -> Span {
        Span { file: self.file, start, end }
    }
}

/// A place in the text, before a token.
#[derive(Clone, Copy)]
pub(super) struct In<'s> {
    pub rest: &'s str,
    /// The end of the previous token.
    pub end: u32,
    pub cx: &'s Context,
}

pub(super) type R<'s, T> = nom::IResult<In<'s>, T, Fail>;

/// Why a parser function failed.
pub(super) struct Fail {
    pub at: u32,
    /// A bracket that should be closed here.
    pub opened: Option<(u32, Want)>,
    /// The whole message, if more is known than the expected tokens.
    pub diagnostic: Option<Box<Diagnostic>>,
    pub help: Option<&'static str>,
}

impl Fail {
    pub fn at(at: u32) -> Fail {
        Fail { at, opened: None, diagnostic: None, help: None }
    }
}

impl<'s> ParseError<In<'s>> for Fail {
    fn from_error_kind(i: In<'s>, _: ErrorKind) -> Fail {
        Fail::at(i.at())
    }

    fn append(_: In<'s>, _: ErrorKind, other: Fail) -> Fail {
        other
    }

    fn or(self, other: Fail) -> Fail {
        if other.at > self.at { other } else { self }
    }
}

impl<'s> In<'s> {
    /// The start of a text, after a byte order mark and leading blanks.
    pub fn new(text: &'s str, cx: &'s Context) -> In<'s> {
        let rest = text.strip_prefix('\u{feff}').unwrap_or(text);
        In { rest: skip_blanks(rest), end: (text.len() - rest.len()) as u32, cx }
    }

    /// The byte offset of this place.
    pub fn at(self) -> u32 {
        (self.cx.len - self.rest.len()) as u32
    }

    /// Advances over a token of `n` bytes and the blanks and comments after it.
    pub fn eat(self, n: usize) -> In<'s> {
        let behind = &self.rest[n..];
        let rest = skip_blanks(behind);
        let next = In { rest, end: self.at() + n as u32, cx: self.cx };
        if rest.len() < behind.len() {
            self.look_at_comment(behind);
        }
        next
    }

    /// Notes a comment after a token if it may be intended as an operator.
    fn look_at_comment(self, behind: &str) {
        let comment = behind.trim_start_matches(' ');
        if comment.starts_with('#') && commented_operator(comment) {
            self.cx.commented.borrow_mut().insert((self.cx.len - comment.len()) as u32);
        }
    }

    pub fn starts_any(self, texts: &[&str]) -> bool {
        texts.iter().any(|text| self.starts(text))
    }

    pub fn first(self) -> Option<u8> {
        self.rest.as_bytes().first().copied()
    }

    pub fn second(self) -> Option<u8> {
        self.rest.as_bytes().get(1).copied()
    }

    pub fn starts(self, text: &str) -> bool {
        self.rest.starts_with(text)
    }

    /// Is the next token this word?
    pub fn at_word(self, word: &str) -> bool {
        self.starts(word) && !self.rest[word.len()..].starts_with(continues_name)
    }

    /// The word at this place, empty if there is none.
    pub fn word(self) -> &'s str {
        word(self.rest)
    }

    /// From `start` to the end of the last token.
    pub fn span_from(self, start: u32) -> Span {
        self.cx.span(start, self.end.max(start))
    }

    /// The next `n` bytes.
    pub fn span_of(self, n: usize) -> Span {
        self.cx.span(self.at(), self.at() + n as u32)
    }

    /// Notes a token that could follow here.
    pub fn note(self, want: Want) {
        let (at, wants) = self.cx.furthest.get();
        let here = self.at();
        if here > at {
            self.cx.furthest.set((here, Wants::NONE.with(want)));
        } else if here == at {
            self.cx.furthest.set((at, wants.with(want)));
        }
    }

    /// Fails: another token was expected here.
    pub fn want<T>(self, want: Want) -> R<'s, T> {
        self.note(want);
        Err(nom::Err::Error(Fail::at(self.at())))
    }

    /// Fails for good with this message; its first label is the place of the fault.
    pub fn fail_with<T>(self, diagnostic: Diagnostic) -> R<'s, T> {
        Err(nom::Err::Failure(Fail { diagnostic: Some(Box::new(diagnostic)), ..Fail::at(self.at()) }))
    }

    /// A syntax fault with the next `n` bytes underlined.
    pub fn fault<T>(self, n: usize, message: impl Into<String>, help: impl Into<String>) -> R<'s, T> {
        self.fail_with(Diagnostic::error(Code::Syntax, message).at(self.span_of(n), "").help(help))
    }

    /// Runs a parser one nesting level deeper; too deep is a fault, not a stack overflow.
    pub fn deeper<T>(self, parser: impl FnOnce(In<'s>) -> R<'s, T>) -> R<'s, T> {
        let depth = self.cx.depth.get();
        if depth >= MAX_NESTING {
            return self.fail_with(
                Diagnostic::error(Code::RecursionTooDeep, "the text nests too deep")
                    .at(self.span_of(0), "")
                    .note(format!("at most {MAX_NESTING} levels are read"))
                    .help("give inner parts names with `let` or `def`"),
            );
        }
        self.cx.depth.set(depth + 1);
        let result = crate::shared::with_stack(|| parser(self));
        self.cx.depth.set(depth);
        result
    }

    /// The interned copy of a name.
    pub fn intern(self, text: &str) -> Rc<str> {
        let mut names = self.cx.names.borrow_mut();
        if let Some(name) = names.get(text) {
            return name.clone();
        }
        let name: Rc<str> = Rc::from(text);
        names.insert(name.clone());
        name
    }
}

pub(super) fn starts_name(c: char) -> bool {
    c == '_' || c.is_alphabetic()
}

pub(super) fn continues_name(c: char) -> bool {
    c == '_' || c.is_alphanumeric()
}

/// The word a text starts with.
pub(super) fn word(text: &str) -> &str {
    if !text.starts_with(starts_name) {
        return "";
    }
    &text[..text.find(|c| !continues_name(c)).unwrap_or(text.len())]
}

/// Skips blanks and comments. Control characters count as blanks here: they are reported once, for the whole text.
pub(super) fn skip_blanks(text: &str) -> &str {
    let bytes = text.as_bytes();
    let mut at = 0;
    while let Some(byte) = bytes.get(at) {
        match byte {
            0..=b' ' | 0x7f => at += 1,
            b'#' => at += text[at..].find('\n').unwrap_or(text.len() - at),
            _ => break,
        }
    }
    &text[at..]
}
