//! A run: texts in, verified answers out.
//!
//! | step | file | in → out |
//! | --- | --- | --- |
//! | load | `load` | names of texts → program |
//! | ground, presolve | `stages` | program → ground model, facts of presolve |
//! | encode | `FormulaFile` | ground model → formula and symbol map on disk |
//! | ask | `Question` | ground model → an implementation of `Answers` |
//! | collect | `collect`, `solutions` | answers → verified solutions, and how the search ended |
//!
//! Every source of answers implements one trait, `Answers`, and every consumer uses `collect`. Invariants: this
//! module prints nothing; messages for the user go to a `Listener`; a fault is a value.

mod answers;
mod ask;
mod assumed;
mod backbone;
#[cfg(feature = "process")]
mod certificate;
#[cfg(feature = "process")]
mod certificate_files;
mod count;
#[cfg(feature = "process")]
mod counter;
mod cover;
#[cfg(feature = "process")]
mod cuts;
mod decoded;
mod embedded;
mod encoding;
mod explain;
mod export;
mod failure;
mod formula_file;
mod givens;
pub mod instances;
mod judge;
mod levels;
mod listener;
pub mod load;
mod optimum;
#[cfg(feature = "process")]
mod place;
#[cfg(feature = "process")]
mod process;
#[cfg(feature = "process")]
mod proof;
mod question;
mod reasons;
#[cfg(feature = "process")]
pub mod results;
#[cfg(feature = "process")]
pub mod solvers;
pub mod stages;
#[cfg(feature = "process")]
pub mod threads;

pub use answers::{Answers, End, How, Next, Search, Take, TakeSolution, collect, solutions, verified};
pub use count::{Checked as CheckedSolutions, Number, count};
pub use decoded::{Decoding, Output, check_map, decode};
pub use encoding::Encoding;
pub use explain::{Conflict, Deduced, Explanation, Pair, Wanted, deduce, explain};
pub use export::{Exported, export};
pub use failure::{Failure, Faulty};
pub use formula_file::FormulaFile;
pub use givens::Givens;
pub use judge::{Finding, Judge};
pub use levels::check as check_levels;
pub use listener::{Listener, Progress, Silent};
pub use load::{Loaded, Texts, load};
#[cfg(feature = "process")]
pub use proof::{OWN as OWN_CHECKER, Plan, Proof, Wanted as ProofWanted};
pub use question::{Engine, Question};
pub use reasons::{Marked, Reason, Reasons, drawn};

// what commands and callers name of the rooms below
pub use crate::encode::symbols::{Role, SymbolMap, comment_lines, load as read_map};
pub use crate::encode::wcnf::WcnfForm;
pub use crate::encode::xcc::{Dialect, Less};
pub use crate::encode::{Form, ShowLine, Target, cnf};
pub use crate::model::VarId;
pub use crate::solve::competition::{SatError, sat};
pub use crate::solve::embedded::STRONGEST as STRONGEST_ENGINE;
pub use crate::solve::output::dialect::answer_dialects;
pub use crate::solve::{check_model as fits, xcc};
