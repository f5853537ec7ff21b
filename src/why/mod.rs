//! Why a model has the solutions it has: rules that clash, and what all solutions share.
//!
//! In: a ground [`crate::model::Model`]. Out: positions in [`crate::model::Model::rules`], values of variables. Asks an
//! embedded engine many short questions. Knows nothing of syntax, texts and drawings.

mod clash;

pub use clash::{Clash, Effort, clash};
