//! What need not be given back, for the process ends.
//!
//! Millions of small pieces take seconds to give back one by one; the system takes them all at once.

use std::sync::OnceLock;

static ENDING: OnceLock<fn() -> bool> = OnceLock::new();

/// What tells whether the process is about to end; the first one that is given counts.
pub fn ending_by(tells: fn() -> bool) {
    ENDING.get_or_init(|| tells);
}

/// Is the process about to end?
pub fn ending() -> bool {
    ENDING.get().is_some_and(|tells| tells())
}

/// Leaves a thing to the system if the process is about to end.
pub fn leave<T: Default>(thing: &mut T) {
    if ending() {
        std::mem::forget(std::mem::take(thing));
    }
}
