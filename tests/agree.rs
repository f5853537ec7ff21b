//! Random models as source text, each through every engine, against trying every assignment.

#[path = "agree/mod.rs"]
mod agree;
#[path = "equivalence/cover.rs"]
mod cover;
#[path = "common/dice.rs"]
mod dice;
#[path = "encode/rows.rs"]
mod rows;

use agree::{KINDS, Tally, Wanted, try_model};

#[test]
fn graphs() {
    let n =
        |name: &str, other: u64| std::env::var(name).map_or(other, |text| text.parse().expect("a number"));
    let kind = std::env::var("AGREE_KIND").ok().map(|text| KINDS[text.parse::<usize>().expect("")]);
    let mut tally = Tally::default();
    let mut faults = Vec::new();
    let wanted = Wanted {
        kind,
        further: n("AGREE_FURTHER", 2) as usize,
        program: std::env::var("AGREE_PROGRAM").ok().map(|t| t.parse().expect("")),
    };
    for seed in n("AGREE_FROM", 0)..n("AGREE_FROM", 0) + n("AGREE_COUNT", 300) {
        let t = std::time::Instant::now();
        let x = try_model(seed, wanted, &mut tally).err().map(|fault| fault.to_string());
        faults.extend(x.inspect(|f| eprintln!("{f}")));
        if t.elapsed().as_millis() > 1500 {
            eprintln!("SLOW {seed} {:?}", t.elapsed());
        }
    }
    eprintln!("{tally:?}");
    assert!(faults.is_empty(), "{} wrong:\n{}", faults.len(), faults.join("\n"));
}
