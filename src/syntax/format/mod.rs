//! The canonical layout of a model or data file: the output of `rebus fmt`.
//!
//! In: a text without faults. Out: the same tokens in a layout of at most 100 columns. Invariants: the result
//! parses to the same tree; formatting it again changes nothing; strings, pictures, numbers, comments and
//! brackets stay as written. Only three things change: the space between them, empty lines between items, and
//! a comma before a closing bracket. The layout depends on the tokens alone, with one exception: a list that
//! the author aligned in columns stays a table.

mod cursor;
mod doc;
mod exprs;
mod items;

use super::ast::File;
use super::printer::print_file;
use super::recover::parse_file;
use crate::diag::{Code, Diagnostic, Severity};
use crate::shared::FileId;
use cursor::Cursor;

/// The formatted text, or the faults of a text that does not parse.
pub fn format_file(id: FileId, text: &str) -> Result<String, Vec<Diagnostic>> {
    let (file, faults) = parse_file(id, text);
    if faults.iter().any(|fault| fault.severity == Severity::Error) {
        return Err(faults);
    }
    let formatted = layout(&file, text);
    let (again, _) = parse_file(id, formatted.as_deref().unwrap_or(""));
    match formatted {
        Some(formatted) if print_file(&file) == print_file(&again) => Ok(formatted),
        _ => {
            let message = "the text cannot be formatted without a change of its meaning";
            Err(vec![
                Diagnostic::error(Code::Syntax, message).help("this is a fault of rebus; please report it"),
            ])
        }
    }
}

/// `None` if tree and text do not agree.
fn layout(file: &File, text: &str) -> Option<String> {
    let mut cursor = Cursor::new(text);
    let mut out = String::with_capacity(text.len());
    for item in &file.items {
        comments(&mut cursor, &mut out);
        out.push_str(&items::item(&mut cursor, item));
        out.push('\n');
    }
    comments(&mut cursor, &mut out);
    if cursor.lost || !cursor.ahead().is_empty() {
        return None;
    }
    out.truncate(out.trim_end_matches('\n').len());
    out.push_str(if out.is_empty() { "" } else { "\n" });
    // A file keeps its line ends; mixed ones become plain, except in pictures.
    let ends = text.matches('\n').count();
    let crlf = ends > 0 && text.matches("\r\n").count() == ends;
    Some(if crlf { out.replace("\r\n", "\n").replace('\n', "\r\n") } else { out })
}

/// The comments between items, with an empty line where there was at least one.
fn comments(cursor: &mut Cursor, out: &mut String) {
    let (comments, empty) = cursor.comments();
    for (empty, comment) in comments {
        out.push_str(if empty && !out.is_empty() { "\n" } else { "" });
        out.push_str(comment);
        out.push('\n');
    }
    out.push_str(if empty && !out.is_empty() { "\n" } else { "" });
}
