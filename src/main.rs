//! The command line program; all code is in the library.

use rebus::cli;
use std::process::ExitCode;
use std::sync::mpsc::{RecvTimeoutError, channel};

/// Stack sizes to try: the evaluator and the parser recurse. Stack pages cost nothing until they are touched.
const STACKS: [usize; 3] = [1 << 30, 256 << 20, 32 << 20];

/// Before `main`, the runtime opens `/dev/null` in place of a closed stream. A program is often started with
/// `/dev/null` itself, which then looks the same. So standard output is checked before the runtime starts;
/// nothing else runs at that point.
#[used]
#[cfg_attr(not(target_vendor = "apple"), unsafe(link_section = ".init_array"))]
#[cfg_attr(target_vendor = "apple", unsafe(link_section = "__DATA,__mod_init_func"))]
static BEFORE_ALL: extern "C" fn() = rebus::files::look_at_stdout;

fn main() -> ExitCode {
    rebus::cli::guard();
    for size in STACKS {
        let (send, done) = channel();
        let work = move || {
            // the receiver waits until the result has arrived
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
