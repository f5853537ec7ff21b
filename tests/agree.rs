//! Random models as source text, each through every engine, against trying every assignment.

#[path = "agree/mod.rs"]
mod agree;
#[path = "equivalence/cover.rs"]
mod cover;
#[path = "common/dice.rs"]
mod dice;
#[path = "encode/rows.rs"]
mod rows;

use agree::{Tally, try_model};

#[test]
fn graphs() {
    let from: u64 = std::env::var("AGREE_FROM").map_or(0, |text| text.parse().expect("a number"));
    let count: u64 = std::env::var("AGREE_COUNT").map_or(300, |text| text.parse().expect("a number"));
    let mut tally = Tally::default();
    let mut faults = Vec::new();
    for seed in from..from + count {
        let t = std::time::Instant::now();
        faults.extend(
            try_model(seed, std::env::var("AGREE_FURTHER").map_or(2, |t| t.parse().unwrap()), &mut tally)
                .err()
                .map(|fault| fault.to_string())
                .inspect(|f| eprintln!("{f}")),
        );
        if t.elapsed().as_millis() > 1500 {
            eprintln!("SLOW {seed} {:?}", t.elapsed());
        }
    }
    eprintln!("{tally:?}");
    assert!(faults.is_empty(), "{} wrong:\n{}", faults.len(), faults.join("\n"));
}

#[test]
fn show() {
    let from: u64 = std::env::var("AGREE_FROM").map_or(0, |text| text.parse().expect("a number"));
    for seed in from..from + 12 {
        eprintln!("-- {seed}\n{}", agree::text(seed));
    }
}
