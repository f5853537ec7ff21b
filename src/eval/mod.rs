//! The one evaluator: it grounds models, verifies solutions and draws them.
//!
//! In: texts ([`Program::load`]). Out: a ground [`crate::model::Model`] (grounding), violated rule instances
//! (verifying), [`crate::render::Drawing`]s (drawing). Expressions with known parts fold to values, others
//! become terms.
//!
//! Must not know: encodings, literals, solvers.

mod arrays;
mod call;
mod compare;
mod conjuncts;
mod construct;
mod domain;
mod draw;
mod fault;
mod fields;
mod generate;
mod given;
mod globals;
mod ground;
mod index;
mod inverted_index;
mod ir;
mod items;
mod kinds;
mod layout;
mod load;
mod ops;
mod param;
mod picture;
mod place;
mod places;
mod program;
mod query;
mod quick;
mod read_drawing;
mod resolve;
mod run;
mod scope;
mod sizes;
mod supplies;
mod text;
mod undefined;
mod uses;
mod value;
mod vars;
mod walk;

pub use crate::diag::stop_diagnostic;
pub use fault::{Fault, Res, error, undefined, unknown};
pub use fields::{Change, Field, FieldEntry};
pub use given::Given;
pub use ground::{Named, Without};
pub use ir::{Body, GlobalId};
pub use kinds::can_be_equal;
pub use ops::{Num, Sum};
pub use program::{Input, Later, Loader, NoImports, Program};
pub use query::{Evaluated, GivenEntry};
pub use read_drawing::ReadDrawing;
pub use run::{Eval, Mode};
pub use value::{Choice, Keys, Map, Member, Value};
pub use vars::{Domains, VarArray};
pub use walk::sort_by;
