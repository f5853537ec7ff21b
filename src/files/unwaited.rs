//! Input with blocking reads, where nothing else is possible.

use crate::shared::Stop;
use std::io::{self, Read};

/// The stop that an error contains, if any.
pub(super) fn stop_of(_: &io::Error) -> Option<Stop> {
    None
}

/// A file or standard input.
pub(super) struct Waited(Box<dyn Read>);

impl Waited {
    pub(super) fn new(file: impl Read + 'static) -> Waited {
        Waited(Box::new(file))
    }

    pub(super) fn stdin() -> io::Result<Waited> {
        Ok(Waited::new(io::stdin()))
    }
}

impl Read for Waited {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read(buffer)
    }
}
