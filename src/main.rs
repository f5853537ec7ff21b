//! The command line program; everything is in the library.

use rebus::cli;
use std::process::ExitCode;
use std::sync::mpsc::{RecvTimeoutError, channel};

/// The evaluator and the parser recurse; the pages of a stack cost nothing until they are touched.
const STACKS: [usize; 3] = [1 << 30, 256 << 20, 32 << 20];

fn main() -> ExitCode {
    for size in STACKS {
        let (send, done) = channel();
        let work = move || {
            // whoever waits is there until it has come
            let _ = send.send(cli::main());
        };
        let worker = std::thread::Builder::new().name("rebus".into()).stack_size(size).spawn(work);
        if worker.is_ok() {
            let mut watchdog = cli::Watchdog::default();
            loop {
                match done.recv_timeout(cli::LOOK) {
                    Ok(code) => return ExitCode::from(code),
                    Err(RecvTimeoutError::Timeout) => watchdog.look(),
                    Err(RecvTimeoutError::Disconnected) => return ExitCode::from(101),
                }
            }
        }
    }
    ExitCode::from(cli::main())
}
