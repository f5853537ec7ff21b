//! Messages for the user while a run goes on.

use crate::diag::{Diagnostic, Sources};

/// Receives messages of a run; by default they are ignored. A run may use several threads.
pub trait Listener: Sync {
    /// Faults that do not end the run.
    fn warn(&self, _warnings: &[Diagnostic], _sources: &Sources) {}

    /// A remark beside the results.
    fn note(&self, _text: &str) {}

    /// The current activity; `None` when it ends.
    fn progress(&self, _what: Option<&str>) {}
}

/// Ignores all messages.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Listener for Silent {}

/// A long activity, reported to a listener until this is dropped.
pub struct Progress<'l> {
    listener: &'l dyn Listener,
}

impl<'l> Progress<'l> {
    pub fn start(listener: &'l dyn Listener, what: &str) -> Progress<'l> {
        listener.progress(Some(what));
        Progress { listener }
    }

    pub fn say(&self, what: &str) {
        self.listener.progress(Some(what));
    }
}

impl Drop for Progress<'_> {
    fn drop(&mut self) {
        self.listener.progress(None);
    }
}
