//! The fuzz targets on changed texts, bounded and seeded; `benches/fuzz` goes on for hours.

#[path = "../fuzz/deep.rs"]
mod deep;
#[path = "common/dice.rs"]
mod dice;
#[path = "fuzz/mod.rs"]
mod engine;
#[path = "../fuzz/targets.rs"]
mod targets;

use engine::{Fuzz, quiet, seeds};

/// Inputs of each target: as many as take a few seconds.
fn inputs(target: &str) -> u64 {
    match target {
        "model" | "board" => 2000,
        "stored" | "each" | "link" => 4000,
        _ => 8000,
    }
}

#[test]
fn changed_texts_come_back() {
    quiet();
    let mut faults = Vec::new();
    for (name, target) in targets::TARGETS.into_iter().chain(deep::TARGETS) {
        let mut fuzz = Fuzz::new(name, target, seeds::of(name), 1);
        let first = fuzz.ways();
        (0..inputs(name)).for_each(|_| fuzz.step());
        println!("{name}: {} inputs, {} ways, {first} of them the seeds'", fuzz.tried, fuzz.ways());
        assert!(fuzz.ways() > 4, "{name} goes only {} ways", fuzz.ways());
        let told = |fault: &engine::Fault| {
            format!("{name}: {}\n{}", fault.why, String::from_utf8_lossy(&fault.input))
        };
        faults.extend(fuzz.faults.iter().map(told));
    }
    assert!(faults.is_empty(), "{}", faults.join("\n\n"));
}

/// Inputs that went wrong once, in folders by target.
#[test]
fn found_inputs_come_back() {
    let mut cases = 0;
    for (name, target) in targets::TARGETS.into_iter().chain(deep::TARGETS) {
        let Ok(folder) = std::fs::read_dir(format!("tests/fuzz-cases/{name}")) else { continue };
        for case in folder {
            target(&std::fs::read(case.expect("a case").path()).expect("readable"));
            cases += 1;
        }
    }
    assert!(cases > 0, "the cases are gone");
}

/// What is packed for the links is what the reader unpacks.
#[test]
fn packed_texts_are_unpacked() {
    let whole = std::fs::read_to_string("tests/data/f-puzzles.json").expect("a puzzle");
    let packed = format!("https://www.f-puzzles.com/?load={}", deep::pack(&whole));
    let plain = rebus::import::recognise(&whole, "p.json").expect("known");
    let mut sources = rebus::diag::Sources::default();
    let file = sources.add("p", &whole);
    let expected = plain.convert(&whole, file).expect("a puzzle");
    let link = rebus::import::recognise_argument(&packed).expect("a link");
    assert_eq!(link.convert(&packed, file).expect("the same puzzle"), expected);
}
