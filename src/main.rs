//! The command line program; everything is in the library.

use std::process::ExitCode;

/// The evaluator and the parser recurse; the pages of a stack cost nothing until they are touched.
const STACKS: [usize; 3] = [1 << 30, 256 << 20, 32 << 20];

fn main() -> ExitCode {
    rebus::solve::process::main_of_guard();
    for size in STACKS {
        let worker =
            std::thread::Builder::new().name("rebus".into()).stack_size(size).spawn(rebus::cli::main);
        if let Ok(worker) = worker {
            return match worker.join() {
                Ok(code) => ExitCode::from(code),
                Err(_) => ExitCode::from(101),
            };
        }
    }
    ExitCode::from(rebus::cli::main())
}
