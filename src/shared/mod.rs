//! For all modules: places in source texts, the one budget of a run, safe display of texts.
//!
//! Knows nothing of the language, of formulas or of solvers.

mod budget;
mod clock;
mod ending;
mod instant;
mod json;
mod leftovers;
mod nearest;
mod span;
mod stack;
mod text;

pub use budget::{Budget, Limits, ProcessLimits, Stop};
pub use clock::{Clock, Lookout, Meter};
pub use ending::{ending, ending_by, leave};
#[cfg(all(target_family = "wasm", target_os = "unknown"))]
pub use instant::set_clock;
pub use json::from_json;
pub use leftovers::{Leftover, Registered};
pub use nearest::nearest;
pub use span::{FileId, Span};
pub use stack::{with_ample_stack, with_stack};
pub use text::harmless;
