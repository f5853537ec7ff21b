//! Recursion without stack overflow.

/// More stack than one step of any recursion uses.
const RED_ZONE: usize = 128 << 10;
const CHUNK: usize = 2 << 20;

/// Stack of one question: for a text that is read, ground and decoded in recursions of bounded depth.
const AMPLE: usize = 64 << 20;

/// Runs `call` on a stack of its own if less than a quarter of that is left on the caller's: for the library, which
/// is called from threads of any size. Panics if the system has no room for it; pages cost nothing until they are
/// touched.
pub fn with_ample_stack<T>(call: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(AMPLE / 4, AMPLE, call)
}

/// Runs one more level of a recursion, with more stack if little is left. Where the depth of a recursion follows from
/// a text (nested brackets, functions that call themselves, terms within terms), its step is wrapped in this: the
/// library is called from threads with small stacks.
#[inline]
pub fn with_stack<T>(level: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(RED_ZONE, CHUNK, level)
}
