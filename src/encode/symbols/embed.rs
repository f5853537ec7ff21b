//! Embeds texts in the comment lines of a formula, and extracts them.

use super::fields::is_unsafe;
use std::fmt::Write;

/// The most bytes of a comment line: some solvers have a fixed buffer.
const LONGEST: usize = 990;

/// The start of a continuation line.
pub(super) const CONTINUED: &str = "+ ";

/// A text as comment lines, each below 1,000 bytes and starting with `prefix`, which ends in a blank (`c : `).
///
/// A long line continues in a line that starts with `+ `. Control characters except tabs are escaped as `\u{1b}`. The
/// prefix keeps user text out of the positions where a solver expects an option or a pragma.
pub fn comment_lines(prefix: &str, text: &str) -> String {
    let mut lines = String::new();
    for line in text.split_terminator('\n') {
        let mut current = prefix.to_owned();
        for c in line.chars() {
            let mut piece = String::new();
            if c != '\t' && is_unsafe(c) {
                let _ = write!(piece, "\\u{{{:x}}}", c as u32);
            } else {
                piece.push(c);
            }
            if current.len() + piece.len() > LONGEST {
                lines.push_str(&current);
                lines.push('\n');
                current = format!("{prefix}{CONTINUED}");
            }
            current.push_str(&piece);
        }
        let bare = current.len() == prefix.len();
        lines.push_str(if bare { current.trim_end() } else { &current });
        lines.push('\n');
    }
    lines
}

/// The prefix and the embedded text of a comment line.
pub(super) fn carried(line: &str) -> Option<(&str, &str)> {
    let marked = |text: &str| text == ":" || text.starts_with(": ");
    let (start, rest) = line.split_at_checked(2)?;
    let carries = matches!(start, "c " | "* " | "| ") && marked(rest);
    carries.then(|| (&line[..3], rest.get(2..).unwrap_or("")))
}
