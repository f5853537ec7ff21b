//! The fuzz targets for hours, as `tests/fuzz.rs` runs them for seconds.
//!
//! `cargo bench --profile dev --bench fuzz -- --target board --minutes 60 --seed 7`. A fault is printed when it is found, and its input
//! kept in `--keep FOLDER`. Exit code 1 if there was one.

#[path = "../asked.rs"]
mod asked;
#[path = "../../fuzz/deep.rs"]
mod deep;
#[path = "../../tests/common/dice.rs"]
mod dice;
#[path = "../../tests/fuzz/mod.rs"]
mod engine;
#[path = "../../fuzz/targets.rs"]
mod targets;

use asked::asked;
use engine::{Fuzz, quiet, seeds};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

#[derive(clap::Args, Debug)]
struct Args {
    /// A target by its name; all of them, one after the other, if left out
    #[arg(long)]
    target: Option<String>,
    /// Of each target
    #[arg(long, default_value_t = 10)]
    minutes: u64,
    #[arg(long, default_value_t = 1_000_000)]
    seed: u64,
    /// Where inputs with faults are written
    #[arg(long)]
    keep: Option<PathBuf>,
}

fn main() -> ExitCode {
    let Some(args) = asked::<Args>() else { return ExitCode::SUCCESS };
    quiet();
    let mut sound = true;
    let wanted = |name: &str| args.target.as_deref().is_none_or(|target| target == name);
    for (name, target) in targets::TARGETS.into_iter().chain(deep::TARGETS).filter(|(name, _)| wanted(name)) {
        let end = Instant::now() + Duration::from_secs(60 * args.minutes);
        let mut fuzz = Fuzz::new(name, target, seeds::of(name), args.seed);
        let mut told = 0;
        while Instant::now() < end {
            fuzz.step();
            for fault in &fuzz.faults[told..] {
                println!("{name}: {}\n{}\n", fault.why, String::from_utf8_lossy(&fault.input));
                if let Some(folder) = &args.keep {
                    std::fs::create_dir_all(folder).expect("a folder");
                    std::fs::write(folder.join(format!("{name}-{}-{told}", args.seed)), &fault.input)
                        .expect("a file");
                }
                told += 1;
                sound = false;
            }
        }
        println!(
            "{name}: {} inputs, {} ways, {} faults, the slowest {:.2} s",
            fuzz.tried,
            fuzz.ways(),
            fuzz.faults.len(),
            fuzz.slowest.as_secs_f64()
        );
    }
    if sound { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
