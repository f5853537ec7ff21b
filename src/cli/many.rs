//! What the commands share that do many things, several at a time.

use super::watchdog;
use crate::run::Failure;
use crate::shared::Stop;
use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::thread;

/// How the work is spread and kept.
#[derive(clap::Args, Debug)]
pub struct ManyArgs {
    /// Instances at a time; as many as there are processors if left out
    #[arg(long, value_name = "N")]
    pub jobs: Option<NonZeroUsize>,
    /// Results as JSON lines; instances that are there with the same texts and options are skipped
    #[arg(long, value_name = "FILE.jsonl")]
    pub results: Option<PathBuf>,
}

impl ManyArgs {
    pub fn is_wanted(&self) -> bool {
        self.jobs.is_some() || self.results.is_some()
    }

    pub fn jobs(&self) -> usize {
        let processors = || thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        self.jobs.unwrap_or_else(processors).get()
    }
}

/// A table for people.
pub fn print_table(table: &str) {
    // a closed standard error leaves the lines to tell
    let _ = io::stderr().write_all(table.as_bytes());
}

/// A signal ends the whole, and what it cut off is no result.
pub fn check_signal() -> Result<(), Failure> {
    match watchdog::stopped() {
        Some(stop @ (Stop::Cancelled | Stop::Memory { .. })) => Err(stop.into()),
        _ => Ok(()),
    }
}
