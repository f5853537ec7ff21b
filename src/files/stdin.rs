//! Standard input, given up when the run is cancelled.
//!
//! The system starts a read anew that a signal interrupts; so input is waited for with a look at the flag now and then.

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

static CANCELLED: OnceLock<Arc<AtomicBool>> = OnceLock::new();

/// The flag that ends every wait for standard input; the first one that is given counts.
pub fn cancelled_by(flag: Arc<AtomicBool>) {
    CANCELLED.get_or_init(|| flag);
}

/// Between two looks at the flag.
const WAIT: Timespec = Timespec { tv_sec: 0, tv_nsec: 100_000_000 };

pub(super) struct Stdin(File);

impl Stdin {
    pub(super) fn new() -> io::Result<Stdin> {
        Ok(Stdin(File::from(io::stdin().as_fd().try_clone_to_owned()?)))
    }
}

impl Read for Stdin {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if CANCELLED.get().is_some_and(|flag| flag.load(Ordering::Relaxed)) {
                return Err(io::Error::other("the run was interrupted"));
            }
            match poll(&mut [PollFd::new(&self.0, PollFlags::IN)], Some(&WAIT)) {
                Ok(0) | Err(Errno::INTR) => {}
                Ok(_) => return self.0.read(buffer),
                Err(error) => return Err(error.into()),
            }
        }
    }
}
