//! Skips freeing memory when the process is about to end.
//!
//! Freeing millions of small pieces one by one takes seconds; the system frees them all at once.

use std::sync::OnceLock;

static ENDING: OnceLock<fn() -> bool> = OnceLock::new();

/// Sets the function that tests whether the process is about to end; only the first call has an effect.
pub fn ending_by(is_ending: fn() -> bool) {
    ENDING.get_or_init(|| is_ending);
}

/// Is the process about to end?
pub fn ending() -> bool {
    ENDING.get().is_some_and(|is_ending| is_ending())
}

/// Leaks a value if the process is about to end.
pub fn leave<T: Default>(thing: &mut T) {
    if ending() {
        std::mem::forget(std::mem::take(thing));
    }
}
