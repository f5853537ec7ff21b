//! Why a model has the solutions it has: rules that clash, rules that an answer breaks, and what all solutions share.
//!
//! In: a ground [`crate::model::Model`]. Out: positions in [`crate::model::Model::rules`], positions of values. Asks an
//! embedded engine many short questions. Knows nothing of syntax, texts and drawings.

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
