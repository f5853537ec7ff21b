//! The catalogue and the language, as values: for editors and lists of puzzles.

use super::Error;
use crate::builtins::{CHAPTERS, CONSTANTS, STD_MODULES};
use crate::catalogue::{self as shipped};
use crate::diag::Sources;
use crate::run::{Failure, Faulty};
use crate::shared::with_ample_stack;
use crate::syntax::{EXPR_WORDS, ITEM_WORDS, format_file, library_names};

/// A model of the catalogue.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Model {
    /// Its name: an argument of [`crate::Puzzle::builder`].
    pub name: &'static str,
    /// What it is, in one sentence.
    pub about: String,
    /// Its names elsewhere.
    pub aliases: Vec<&'static str>,
    /// The text.
    pub text: &'static str,
    /// The file names of its boards, and their texts.
    pub boards: Vec<(&'static str, &'static str)>,
}

/// All models of the catalogue, by name.
///
/// ```
/// let catalogue = rebus::catalogue();
/// let hashi = catalogue.iter().find(|model| model.aliases.contains(&"bridges")).expect("it is there");
/// assert_eq!((hashi.name, hashi.boards[0].0), ("hashi", "hashi-1.clues"));
/// ```
pub fn catalogue() -> Vec<Model> {
    let model = |model: shipped::Shipped| Model {
        name: model.name,
        about: model.about(),
        aliases: model.aliases().collect(),
        text: model.text,
        boards: model.boards().filter_map(|board| Some((board, shipped::board(board)?.1))).collect(),
    };
    shipped::models().map(model).collect()
}

/// The reserved words of the language: those that begin items, then those of expressions.
pub fn reserved_words() -> Vec<&'static str> {
    ITEM_WORDS.into_iter().chain(EXPR_WORDS).collect()
}

/// A name that every model knows.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Name {
    /// The name.
    pub name: String,
    /// The chapter of the reference.
    pub chapter: String,
    /// As it is called.
    pub signature: String,
    /// What it means.
    pub about: String,
    /// An expression, and its value as text; empty without an example.
    pub example: (&'static str, &'static str),
}

/// All names that every model knows: built-ins, directions, and the library that is written in the language.
///
/// ```
/// let names = rebus::names();
/// let distinct = names.iter().find(|name| name.name == "distinct").expect("it is built in");
/// assert_eq!(distinct.about, "Are all entries different?");
/// ```
pub fn names() -> Vec<Name> {
    let mut names = Vec::new();
    for (chapter, table) in CHAPTERS {
        names.extend(table.iter().map(|builtin| Name {
            name: builtin.name.into(),
            chapter: (*chapter).into(),
            signature: builtin.signature.into(),
            about: builtin.doc.into(),
            example: builtin.example,
        }));
    }
    names.extend(CONSTANTS.iter().map(|(name, doc, _)| Name {
        name: (*name).into(),
        chapter: "Directions".into(),
        signature: (*name).into(),
        about: (*doc).into(),
        example: ("", ""),
    }));
    for (module, text) in STD_MODULES {
        names.extend(library_names(text).into_iter().map(|(name, signature, about)| Name {
            name,
            chapter: format!("std.{module}"),
            signature,
            about,
            example: ("", ""),
        }));
    }
    names
}

/// The text of a model or of data in its one form, as `rebus fmt` writes it.
///
/// # Errors
/// Faults in a text that does not parse.
///
/// ```
/// assert_eq!(rebus::format("var   x:1..9").expect("it parses"), "var x : 1..9\n");
/// ```
pub fn format(text: &str) -> Result<String, Error> {
    let mut sources = Sources::default();
    let file = sources.add("the text", text);
    with_ample_stack(|| format_file(file, text))
        .map_err(|faults| Error::of(Failure::Faults(Faulty { sources, faults })))
}
