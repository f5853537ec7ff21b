//! Every system call of every command made to fail, as `tests/faults.rs` does with some.
//!
//! `cargo bench --profile dev --bench injected -- --jobs 2`. A fault is printed when it is found. Exit code 1 if there was one.

#[path = "../asked.rs"]
mod asked;
#[path = "../../tests/injected/mod.rs"]
mod injected;

use asked::asked;
use injected::{Sound, Tally, scenarios};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

#[derive(clap::Args, Debug)]
struct Args {
    #[arg(long, default_value_t = 1)]
    jobs: usize,
    /// Only command lines with this text
    #[arg(long, default_value = "")]
    only: String,
    /// Only this call
    #[arg(long)]
    call: Option<String>,
    /// One call of so many
    #[arg(long, default_value_t = 1)]
    every: usize,
}

fn main() -> ExitCode {
    let Some(args) = asked::<Args>() else { return ExitCode::SUCCESS };
    let list: Vec<_> =
        scenarios().into_iter().filter(|scenario| scenario.line.contains(&args.only)).collect();
    let (next, total) = (AtomicUsize::new(0), Mutex::new(Tally::default()));
    std::thread::scope(|scope| {
        for _ in 0..args.jobs {
            scope.spawn(|| {
                while let Some(scenario) = list.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let sound = Sound::new(scenario);
                    let mut tally = Tally::default();
                    let wanted = |call: &str| args.call.as_deref().is_none_or(|only| only == call);
                    for injection in
                        sound.injections.iter().filter(|one| wanted(&one.call)).step_by(args.every)
                    {
                        let known = tally.faults.len();
                        sound.try_one(injection, &mut tally);
                        tally.faults[known..].iter().for_each(|fault| println!("{fault}"));
                    }
                    println!(
                        "{}: {} runs, {} injected, {} as without",
                        scenario.line, tally.runs, tally.injected, tally.same
                    );
                    total.lock().expect("no panic").add(tally);
                }
            });
        }
    });
    let total = total.into_inner().expect("no panic");
    println!(
        "{} runs, {} injected, {} as without, {} faults",
        total.runs,
        total.injected,
        total.same,
        total.faults.len()
    );
    if total.faults.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
