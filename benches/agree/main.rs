//! Random models for hours: every engine against trying every assignment, as `tests/agree.rs` does for a minute.
//!
//! `cargo bench --bench agree -- --seed 1000000 --minutes 60 --jobs 2`. A fault is printed when it is found, with what is left of
//! the model when what can be spared is left out; seed and kind make it again. Exit code 1 if there was one.
//! `--profile dev` behind `bench` takes the program as tests do, with its checks.

#[path = "../../tests/agree/mod.rs"]
mod agree;
#[path = "../asked.rs"]
mod asked;
#[path = "../../tests/equivalence/cover.rs"]
mod cover;
#[path = "../../tests/common/dice.rs"]
mod dice;
#[path = "../../tests/encode/rows.rs"]
mod rows;

use agree::{KINDS, Tally, Wanted, try_model};
use asked::asked;
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

#[derive(clap::Args, Debug)]
struct Args {
    /// The first seed; the others follow
    #[arg(long, default_value_t = 1_000_000)]
    seed: u64,
    #[arg(long, default_value_t = 10)]
    minutes: u64,
    /// At most so many models
    #[arg(long, default_value_t = u64::MAX)]
    models: u64,
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// A kind of model by its name, as `town`; all of them if left out
    #[arg(long)]
    kind: Option<String>,
    /// Ways in which each model is asked besides the first
    #[arg(long, default_value_t = 4)]
    further: usize,
    /// One model of so many is asked of the program in a process of its own; 0 is none
    #[arg(long, default_value_t = 10)]
    program: usize,
}

fn main() -> ExitCode {
    let Some(args) = asked::<Args>() else { return ExitCode::SUCCESS };
    let kind = args.kind.as_ref().map(|name| {
        let named = KINDS.into_iter().find(|kind| format!("{kind:?}").eq_ignore_ascii_case(name));
        named.unwrap_or_else(|| panic!("no kind `{name}`; there are {KINDS:?}"))
    });
    let wanted = Wanted { kind, further: args.further, program: (args.program > 0).then_some(args.program) };
    let end = Instant::now() + Duration::from_secs(60 * args.minutes);
    let (next, total) = (AtomicU64::new(0), Mutex::new(Tally::default()));
    std::thread::scope(|scope| {
        for _ in 0..args.jobs {
            scope.spawn(|| {
                let mut tally = Tally::default();
                while Instant::now() < end {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    if at >= args.models {
                        break;
                    }
                    if let Err(fault) = try_model(args.seed.wrapping_add(at), wanted, &mut tally) {
                        println!("{fault}");
                    }
                }
                total.lock().expect("no panic").add(tally);
            });
        }
    });
    let total = total.into_inner().expect("no panic");
    println!("{total:?}");
    if total.faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
