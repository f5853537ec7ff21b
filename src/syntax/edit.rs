//! Texts whose items are listed or replaced, and otherwise stay as they are.

use super::ast::ItemKind;
use super::recover::parse_file;
use crate::shared::FileId;

/// The text of a data file with `name = value`: in place of the last item of that name, else at the end.
pub fn with_item(file: FileId, text: &str, name: &str, value: &str) -> String {
    let (tree, _) = parse_file(file, text);
    let old = tree.items.iter().rev().find_map(|item| match &item.kind {
        ItemKind::Assign { name: known, value } if &*known.text == name => {
            Some(value.span.start as usize..value.span.end as usize)
        }
        _ => None,
    });
    match old {
        Some(old) => format!("{}{value}{}", &text[..old.start], &text[old.end..]),
        None => {
            let gap = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
            format!("{text}{gap}{name} = {value}\n")
        }
    }
}

/// The functions that a text defines: name, head, and the comment before.
pub fn library_names(text: &str) -> Vec<(String, String, String)> {
    let mut found = Vec::new();
    let mut comment = String::new();
    for line in text.lines() {
        if let Some(more) = line.strip_prefix('#') {
            comment.push_str(if comment.is_empty() { "" } else { " " });
            comment.push_str(more.trim());
        } else {
            if let Some(head) = line.strip_prefix("def ").and_then(|rest| rest.split_once(" =")) {
                let name = head.0.split('(').next().unwrap_or_default();
                found.push((name.to_owned(), head.0.to_owned(), comment.clone()));
            }
            comment.clear();
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diag::Sources;

    #[test]
    fn items_are_replaced() {
        let replaced = |text: &str, name: &str, value: &str| {
            let mut sources = Sources::default();
            let file = sources.add("data", text);
            with_item(file, text, name, value)
        };
        assert_eq!(replaced("", "n", "3"), "n = 3\n");
        assert_eq!(replaced("# a\nm = 1", "n", "3"), "# a\nm = 1\nn = 3\n");
        assert_eq!(replaced("n = 4  # four\nm = [1]\n", "n", "3"), "n = 3  # four\nm = [1]\n");
        assert_eq!(replaced("c = \"\"\"\n1 2\n\"\"\"\nn = 1\n", "c", "[2]"), "c = [2]\nn = 1\n");
        assert_eq!(replaced("n = 1\nn = 2\n", "n", "3"), "n = 1\nn = 3\n");
        // a text that does not parse loses nothing
        assert_eq!(replaced("c = (\nn = 2\n", "m", "3"), "c = (\nn = 2\nm = 3\n");
    }

    #[test]
    fn names_of_the_library() {
        let names = library_names("# one\n# two\ndef f(a, (b, c)) = a\n\n# lost\n\ndef g() = 1\n");
        let g = ("g".to_owned(), "g()".to_owned(), String::new());
        assert_eq!(names, [("f".into(), "f(a, (b, c))".into(), "one two".into()), g]);
    }
}
