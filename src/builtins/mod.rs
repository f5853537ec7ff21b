//! The built-in names: one table of signature, documentation, an example, and implementation.
//!
//! To add one, add a row to the table of its file (sorted by name). The reference page, "did you mean" and
//! the test of its example use the table. Functions that the language can express itself are in
//! `std/*.rebus`.

mod aggregates;
mod cells;
mod drawing;
mod graphs;
mod lines;
mod lists;
mod nets;
mod regex;
mod regions;
mod shapes;
mod values;

pub use nets::Nets;

use crate::eval::{Eval, Res, Value};
use crate::shared::Span;

/// A built-in function.
pub struct Builtin {
    pub name: &'static str,
    /// As in the documentation: optional parameters in brackets, `…` for any number.
    pub signature: &'static str,
    pub doc: &'static str,
    /// An expression and its value as text.
    pub example: (&'static str, &'static str),
    /// Is the result a boolean, so that an undefined part makes it false?
    pub returns_bool: bool,
    arity: (usize, usize),
    pub run: fn(&mut Eval<'_>, &[Value], Span) -> Res<Value>,
}

impl std::fmt::Debug for Builtin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl Builtin {
    /// The least and the largest number of arguments.
    pub fn arity(&self) -> (usize, usize) {
        self.arity
    }

    /// Does it read every entry of its lists, if only their kinds? Then all entries must be defined before.
    /// The other built-ins pass entries on, read only keys, or convert entry by entry to numbers or booleans.
    pub fn takes_whole_lists(&self) -> bool {
        matches!(
            self.name,
            "area"
                | "distinct"
                | "divided"
                | "given"
                | "givens"
                | "increasing"
                | "join"
                | "lex_less"
                | "matches"
                | "max"
                | "min"
                | "product"
                | "sorted"
                | "sum"
                | "text"
                | "unique"
        )
    }
}

/// The tables by chapter of the reference.
pub const CHAPTERS: &[(&str, &[Builtin])] = &[
    ("Aggregates", aggregates::TABLE),
    ("Values", values::TABLE),
    ("Lists", lists::TABLE),
    ("Cells", cells::TABLE),
    ("Shapes", shapes::TABLE),
    ("Lines of cells", lines::TABLE),
    ("Graphs", graphs::TABLE),
    ("Regions", regions::TABLE),
    ("Drawing", drawing::TABLE),
];

/// The library written in the language: module name and text.
pub const STD_MODULES: &[(&str, &str)] =
    &[("edges", include_str!("std/edges.rebus")), ("drawing", include_str!("std/drawing.rebus"))];

pub fn find(name: &str) -> Option<&'static Builtin> {
    CHAPTERS.iter().flat_map(|(_, table)| table.iter()).find(|builtin| builtin.name == name)
}

pub fn names() -> impl Iterator<Item = &'static str> {
    CHAPTERS.iter().flat_map(|(_, table)| table.iter()).map(|builtin| builtin.name)
}

/// Names of constant values: the directions.
pub const CONSTANTS: &[(&str, &str, &[(i64, i64)])] = &[
    ("compass", "up, right, down, left", &[(-1, 0), (0, 1), (1, 0), (0, -1)]),
    (
        "compass8",
        "clockwise from up",
        &[(-1, 0), (-1, 1), (0, 1), (1, 1), (1, 0), (1, -1), (0, -1), (-1, -1)],
    ),
];

pub fn constant(name: &str) -> Option<Value> {
    let (_, _, cells) = CONSTANTS.iter().find(|(constant, _, _)| *constant == name)?;
    Some(Value::list(cells.iter().map(|(r, c)| Value::cell(*r, *c)).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_sorted_and_names_unique() {
        for (chapter, table) in CHAPTERS {
            let names: Vec<&str> = table.iter().map(|builtin| builtin.name).collect();
            assert!(names.is_sorted(), "{chapter}: {names:?}");
        }
        let mut all: Vec<&str> = names().collect();
        all.sort_unstable();
        let n = all.len();
        all.dedup();
        assert_eq!(n, all.len());
    }
}
