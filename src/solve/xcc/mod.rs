//! Exact cover with colours and multiplicities: Knuth's problems XCC and MCC, and an engine for them.
//!
//! In: a [`Problem`], built by calls or read from the text format of Knuth's DLX programs. Out: its solutions one at
//! a time, or their number. A primary item is covered as often as its bounds require. A secondary item is covered at
//! most once, unless all options that cover it agree on its colour. Deterministic: the same problem and seed give the
//! same solutions in the same order; a budget only decides how many. Knows nothing of models or of the meaning of an
//! item.
//!
//! D. E. Knuth, The Art of Computer Programming 4B, section 7.2.2.1, and his programs DLX2, DLX3 and SSXCC: the
//! engine makes decisions in their order, on another representation.

mod dance;
mod engine;
mod exact;
mod memo;
mod multi;
mod names;
mod problem;
mod reduce;
mod rows;
mod saved;
mod text;

pub use engine::{Chosen, Count, Engine, Halt, Next, Options};
pub use problem::{Colour, Entry, Item, Kind, PLAIN, Problem, ProblemFault};
pub use text::{Unread, read};
