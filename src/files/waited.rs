//! Input whose reads are abandoned when the run must end.
//!
//! The system restarts a read that a signal interrupts, and a pipe may block for ever. So this reader polls its
//! input, and checks in between whether the run goes on.

use crate::shared::Stop;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use std::fs::File;
use std::io::{self, Read};
use std::os::fd::AsFd;
use std::sync::OnceLock;

static STOPPED: OnceLock<fn() -> Option<Stop>> = OnceLock::new();

/// Sets the function that is called before every read and while waiting for input; only the first call has an effect.
pub fn stopped_by(why: fn() -> Option<Stop>) {
    STOPPED.get_or_init(|| why);
}

/// The run must end: an error of a reader.
#[derive(Debug)]
pub struct Stopped(pub Stop);

impl std::fmt::Display for Stopped {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the run was stopped")
    }
}

impl std::error::Error for Stopped {}

/// The stop that an error contains, if any.
pub(super) fn stop_of(error: &io::Error) -> Option<Stop> {
    error.get_ref()?.downcast_ref::<Stopped>().map(|stopped| stopped.0)
}

/// The time between two checks.
const WAIT: Timespec = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };

/// A file, pipe or device.
pub(super) struct Waited(File);

impl Waited {
    pub(super) fn new(file: File) -> Waited {
        Waited(file)
    }

    pub(super) fn stdin() -> io::Result<Waited> {
        Ok(Waited(File::from(io::stdin().as_fd().try_clone_to_owned()?)))
    }
}

impl Read for Waited {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            if let Some(stop) = STOPPED.get().and_then(|why| why()) {
                return Err(io::Error::other(Stopped(stop)));
            }
            match poll(&mut [PollFd::new(&self.0, PollFlags::IN)], Some(&WAIT)) {
                Ok(0) | Err(Errno::INTR) => {}
                Ok(_) => match self.0.read(buffer) {
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    read => return read,
                },
                Err(error) => return Err(error.into()),
            }
        }
    }
}
