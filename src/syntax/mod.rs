//! Text → [`ast`], and back.
//!
//! [`parse_file`] parses a model or a data file, [`parse_expr`] a value from the command line. Both are nom
//! parsers: a function takes a place in the text (`In`) and returns the place after the parsed part. Each
//! function has the name of its production in `grammar/rebus.ebnf`. After a fault, parsing continues at the
//! next item, so one run reports several faults. Time is linear in the length of the text, and no text
//! overflows the stack. Nothing is resolved here: this module does not know which names exist.
//! [`format_file`] formats a text.

pub mod ast;
pub mod depth;
mod edit;
mod expr;
mod faults;
mod foreign;
mod format;
mod gens;
mod input;
mod items;
mod primary;
mod printer;
mod recover;
mod text;
mod tokens;
mod wants;

pub use edit::{library_names, with_item};
pub use format::format_file;
pub use input::MAX_NESTING;
pub use printer::{print_expr, print_file};
pub use recover::{parse_expr, parse_file};
pub use tokens::{EXPR_WORDS, ITEM_WORDS};
