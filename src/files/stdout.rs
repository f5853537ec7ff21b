//! Standard output that loses no error.
//!
//! In: bytes. Out: the same on standard output, or an error. Invariant: an error that a caller ignores (dropping a
//! buffer reports none) is stored until the end of the run.

use super::fault::WriteFault;
use rustix::io::fcntl_getfd;
use std::io::{self, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

const NAME: &str = "standard output";

/// Standard output was closed at the start: output would be lost.
static CLOSED: AtomicBool = AtomicBool::new(false);
/// The first error.
static FAULT: Mutex<Option<WriteFault>> = Mutex::new(None);

/// Records whether standard output is closed, before the runtime opens `/dev/null` in its place.
pub extern "C" fn look_at_stdout() {
    CLOSED.store(fcntl_getfd(io::stdout()).is_err(), Ordering::Relaxed);
}

/// Standard output.
#[derive(Clone, Copy, Debug)]
pub struct Stdout;

impl Write for Stdout {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        remembered(open().and_then(|()| io::stdout().write(bytes)))
    }

    fn flush(&mut self) -> io::Result<()> {
        remembered(io::stdout().flush())
    }
}

fn open() -> io::Result<()> {
    match CLOSED.load(Ordering::Relaxed) {
        true => Err(io::Error::other("it is closed")),
        false => Ok(()),
    }
}

fn remembered<T>(done: io::Result<T>) -> io::Result<T> {
    if let Err(error) = &done
        && error.kind() != io::ErrorKind::Interrupted
    {
        let mut fault = FAULT.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        fault.get_or_insert_with(|| WriteFault::of(NAME, error));
    }
    done
}

/// Flushes; returns the first error of the run, even if it was reported before.
pub fn finish_stdout() -> Result<(), WriteFault> {
    let _ = Stdout.flush();
    match FAULT.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take() {
        Some(fault) => Err(fault),
        None => Ok(()),
    }
}

/// Call this before another library prints, `--help` for example: fails if standard output cannot be written.
pub fn check_stdout() -> Result<(), WriteFault> {
    remembered(open()).map_err(|error| WriteFault::of(NAME, &error))
}
