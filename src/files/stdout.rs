//! Standard output, where nothing is lost without a word.
//!
//! In: bytes. Out: the same on standard output, or an error. Invariant: an error that somebody swallowed (a buffer that
//! is dropped tells none) is remembered for the end of the run.

use super::fault::WriteFault;
use rustix::io::fcntl_getfd;
use std::io::{self, Write};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

const NAME: &str = "standard output";

/// Nobody opened it: what is written would go nowhere.
static CLOSED: AtomicBool = AtomicBool::new(false);
/// The first error.
static FAULT: Mutex<Option<WriteFault>> = Mutex::new(None);

/// Sees whether standard output is closed, before the run time of the program opens `/dev/null` in its place.
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

/// Writes what is held back; the first error that there was, whoever heard of it.
pub fn finish_stdout() -> Result<(), WriteFault> {
    let _ = Stdout.flush();
    match FAULT.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).take() {
        Some(fault) => Err(fault),
        None => Ok(()),
    }
}

/// A text that somebody else prints, `--help` say, is to be printed.
pub fn check_stdout() -> Result<(), WriteFault> {
    remembered(open()).map_err(|error| WriteFault::of(NAME, &error))
}
