//! What a person may want to know while a run goes on.

use crate::diag::{Diagnostic, Sources};

/// Hears of a run; by default nothing is done with it. Runs may go on in several threads.
pub trait Listener: Sync {
    /// Faults that end nothing.
    fn warn(&self, _warnings: &[Diagnostic], _sources: &Sources) {}

    /// Something to know beside the results.
    fn note(&self, _text: &str) {}

    /// What is being done now; `None` when that is over.
    fn progress(&self, _what: Option<&str>) {}
}

/// Nobody listens.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Listener for Silent {}

/// Long work that a listener hears of until this is dropped.
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
