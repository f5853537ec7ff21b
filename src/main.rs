//! The command line program; everything is in the library.

use rebus::cli;
use std::process::ExitCode;
use std::sync::mpsc::{RecvTimeoutError, channel};

/// The evaluator and the parser recurse; the pages of a stack cost nothing until they are touched.
const STACKS: [usize; 3] = [1 << 30, 256 << 20, 32 << 20];

/// Before `main` the run time opens `/dev/null` in the place of a stream that is closed, and programs are often given a
/// `/dev/null` that looks the same. So this is looked at before the run time does, and that is all that is done then.
#[used]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
static BEFORE_ALL: extern "C" fn() = rebus::files::look_at_stdout;

fn main() -> ExitCode {
    rebus::cli::guard();
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
