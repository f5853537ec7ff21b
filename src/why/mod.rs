//! Explanations of a model: rules that clash, rules that an answer violates, and what all solutions share.
//!
//! In: a ground [`crate::model::Model`]. Out: positions in [`crate::model::Model::rules`], positions of values. Makes
//! many short calls to an embedded engine. Knows nothing of syntax, texts and drawings.

mod broken;
mod clash;
mod common;

pub use broken::broken;
pub use clash::{Clash, Effort, Verdict, clash};
pub use common::{Common, Entry, common};

use crate::encode::cnf::EncodeError;
use crate::shared::Stop;

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    Stop(Stop),
    Encode(EncodeError),
    /// The engine's model gives this variable no value, or two.
    Model(usize),
}

impl From<EncodeError> for Fault {
    fn from(error: EncodeError) -> Fault {
        match error {
            EncodeError::Stop(stop) => Fault::Stop(stop),
            error => Fault::Encode(error),
        }
    }
}
