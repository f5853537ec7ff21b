//! Text → [`ast`], and back.
//!
//! [`parse_file`] reads a model or a data file, [`parse_expr`] a value from the command line. Both are nom parsers:
//! a function takes a place in the text (`In`) and gives the place behind what it read; each is named after
//! its production in `grammar/rebus.ebnf`. After a fault reading goes on at the next item, so that one run reports
//! several. Time is linear in the length of the text, and no text overflows the stack. Nothing is resolved here: the
//! room does not know which names exist. [`format_file`] gives a text its one form.

pub mod ast;
pub mod depth;
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

pub use format::format_file;
pub use input::MAX_NESTING;
pub use printer::{print_expr, print_file};
pub use recover::{parse_expr, parse_file};
pub use tokens::{EXPR_WORDS, ITEM_WORDS};
