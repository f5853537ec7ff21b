//! The texts of a run, so that a [`Span`] can be shown.

use crate::shared::{FileId, Span};

/// A registered text.
#[derive(Clone, Debug)]
pub struct Source {
    /// The name for users: a path as given, `-D clue`, `standard input`.
    pub name: String,
    pub text: String,
    /// The number of the text's first line: for a long file, only an excerpt may be kept.
    pub first_line: usize,
}

/// All texts of a run, in reading order.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    all: Vec<Source>,
}

impl Sources {
    pub fn add(&mut self, name: impl Into<String>, text: impl Into<String>) -> FileId {
        self.add_excerpt(name, text, 1)
    }

    /// Adds lines of a file from `first_line` on.
    pub fn add_excerpt(
        &mut self,
        name: impl Into<String>,
        text: impl Into<String>,
        first_line: usize,
    ) -> FileId {
        self.all.push(Source { name: name.into(), text: text.into(), first_line });
        FileId(self.all.len() as u32 - 1)
    }

    /// Replaces the last text: for many instances that are handled one at a time.
    pub fn replace_last(&mut self, name: String, text: &str) -> FileId {
        self.all.pop();
        self.add(name, text)
    }

    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    pub fn get(&self, file: FileId) -> &Source {
        &self.all[file.0 as usize]
    }

    pub fn text(&self, span: Span) -> &str {
        let text = &self.get(span.file).text;
        text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// Line and column, both from 1; the column counts characters.
    pub fn line_column(&self, span: Span) -> (usize, usize) {
        let Source { text, first_line, .. } = self.get(span.file);
        let mut start = (span.start as usize).min(text.len());
        while !text.is_char_boundary(start) {
            start -= 1;
        }
        let before = &text[..start];
        let line = before.matches('\n').count() + first_line;
        let column = before.rsplit('\n').next().unwrap_or("").chars().count() + 1;
        (line, column)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Source> {
        self.all.iter()
    }

    /// `name:line:column` of a place.
    pub fn place(&self, span: Span) -> String {
        let (line, column) = self.line_column(span);
        format!("{}:{line}:{column}", self.get(span.file).name)
    }
}
