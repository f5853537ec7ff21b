//! Traverses the text of a file token by token, with its comments.
//!
//! In: a text that was parsed without fault, and the expected next token from its tree. Out: nodes of tokens,
//! each with the comments before it and the one after it on its line. A token that differs from the tree sets
//! [`Cursor::lost`]; nothing is dropped silently. Knows nothing of the layout.

use super::doc::{Docs, Id, Node};
use crate::shared::Span;
use crate::syntax::input::skip_blanks;

pub struct Cursor<'s> {
    pub docs: Docs<'s>,
    text: &'s str,
    at: usize,
    /// Do tree and text disagree?
    pub lost: bool,
}

impl<'s> Cursor<'s> {
    pub fn new(text: &'s str) -> Cursor<'s> {
        let at = if text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        Cursor { docs: Docs::default(), text, at, lost: false }
    }

    /// The start of the next token.
    pub fn next(&self) -> usize {
        self.text.len() - skip_blanks(&self.text[self.at..]).len()
    }

    /// The rest of the text, from the next token on.
    pub fn ahead(&self) -> &'s str {
        &self.text[self.next()..]
    }

    pub fn starts(&self, token: &str) -> bool {
        self.ahead().starts_with(token)
    }

    /// The blanks and comments between the last token and the next.
    pub fn between(&self) -> &'s str {
        &self.text[self.at..self.next()]
    }

    /// The next token, which must be this one.
    pub fn token(&mut self, token: &str) -> Id {
        if !self.starts(token) {
            self.lost = true;
            return self.docs.seq([]);
        }
        self.bytes(token.len())
    }

    /// The next token, which must end where the span does.
    pub fn span(&mut self, span: Span) -> Id {
        let length = (span.end as usize).checked_sub(self.next());
        match length.filter(|length| self.ahead().is_char_boundary(*length)) {
            Some(length) => self.bytes(length),
            None => {
                self.lost = true;
                self.docs.seq([])
            }
        }
    }

    /// Drops a token, such as a comma before a closing bracket, and keeps its comments.
    pub fn drop(&mut self, token: &str) -> Id {
        let mut parts = Vec::new();
        if self.starts(token) {
            parts = self.above();
            self.at += token.len();
            parts.extend(self.tail());
        }
        self.docs.seq(parts)
    }

    fn bytes(&mut self, length: usize) -> Id {
        let mut parts = self.above();
        let token = &self.text[self.at..self.at + length];
        self.at += length;
        let node = if token.contains('\n') { Node::Verbatim(token) } else { Node::Text(token) };
        parts.push(self.docs.add(node));
        parts.extend(self.tail());
        if parts.len() == 1 { parts[0] } else { self.docs.seq(parts) }
    }

    /// The comments before the next token.
    fn above(&mut self) -> Vec<Id> {
        let (comments, _) = self.comments();
        comments.into_iter().map(|(_, text)| self.docs.add(Node::Above(text))).collect()
    }

    /// Moves to the next token over comments on lines of their own. Returns the comments, each with whether
    /// an empty line precedes it, and whether one precedes the token.
    pub fn comments(&mut self) -> (Vec<(bool, &'s str)>, bool) {
        // One line end belongs to the token or comment before.
        let empty = |blanks: &str| blanks.matches('\n').count() > 1;
        let mut found = Vec::new();
        let mut rest = self.between();
        self.at = self.next();
        while let Some(start) = rest.find('#') {
            let end = rest[start..].find('\n').map_or(rest.len(), |end| start + end);
            found.push((empty(&rest[..start]), rest[start..end].trim_end()));
            rest = &rest[end..];
        }
        (found, empty(rest))
    }

    /// The comment after the last token on its line.
    fn tail(&mut self) -> Option<Id> {
        let rest = &self.text[self.at..];
        let blanks = rest.bytes().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        if !rest[blanks..].starts_with('#') {
            return None;
        }
        let end = rest.find('\n').unwrap_or(rest.len());
        self.at += end;
        Some(self.docs.add(Node::Tail(rest[blanks..end].trim_end())))
    }
}
