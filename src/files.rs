//! File input and output: reading within limits, writing atomically.
//!
//! In: paths from the command line or an import. Out: texts, readers and writers, or a [`Diagnostic`] that names the
//! file. Knows nothing of the language and of formulas, except how their comment lines start. A file appears under
//! its name complete, or the old file stays.
//!
//! [`Diagnostic`]: crate::diag::Diagnostic

mod digest;
mod fault;
#[cfg(feature = "process")]
mod part;
mod read;
#[cfg(feature = "process")]
mod stdout;
#[cfg(not(feature = "process"))]
#[path = "files/unwaited.rs"]
mod waited;
#[cfg(feature = "process")]
mod waited;
#[cfg(feature = "process")]
mod write;

pub use digest::{Comments, Digesting, digest, fingerprint};
pub use fault::WriteFault;
pub use read::{contained, open, read_bytes, read_fault, read_text, text_of};
#[cfg(feature = "process")]
pub use stdout::{Stdout, check_stdout, finish_stdout, look_at_stdout};
#[cfg(feature = "process")]
pub use waited::{Stopped, stopped_by};
#[cfg(feature = "process")]
pub use write::{Output, apart, commit_in_order};

/// The system's message, without its error number.
fn reason(error: &std::io::Error) -> String {
    let text = error.to_string();
    text.split(" (os error").next().unwrap_or(&text).to_owned()
}
