//! Random models as source text, each through every engine, against trying every assignment. `cargo bench --bench agree` does so
//! for as long as one likes.

#[path = "agree/mod.rs"]
mod agree;
#[path = "equivalence/cover.rs"]
mod cover;
#[path = "common/dice.rs"]
mod dice;
#[path = "encode/rows.rs"]
mod rows;

use agree::{KINDS, Kind, Tally, Wanted, try_model};

/// Models of these kinds, so many of each; `further` ways besides our own engine, and one model of so many by the program.
fn agree(kinds: &[Kind], models: u64, further: usize, program: Option<usize>) {
    let mut tally = Tally::default();
    let mut faults = Vec::new();
    for kind in kinds {
        let wanted = Wanted { kind: Some(*kind), further, program };
        let seeds = 0..models;
        faults.extend(seeds.filter_map(|seed| try_model(seed, wanted, &mut tally).err()));
    }
    let told: Vec<String> = faults.iter().map(ToString::to_string).collect();
    assert!(told.is_empty(), "{} wrong\n{}", told.len(), told.join("\n"));
    // most models say something, and are asked
    assert!(tally.unfinished.is_empty(), "no end: {:?}", tally.unfinished);
    let Tally { models, large, refused, impossible, ways, .. } = tally;
    assert!(4 * (large + refused) < models && 3 * impossible < models && ways > models, "{tally:?}");
}

#[test]
fn towns() {
    agree(&[Kind::Town, Kind::Roads], 800, 1, None);
}

#[test]
fn cells_and_lines() {
    agree(&[Kind::Line, Kind::Cells, Kind::Linked], 300, 2, None);
}

#[test]
fn walls() {
    agree(&[Kind::Walls], 600, 2, None);
}

#[test]
fn labels() {
    agree(&[Kind::Labels], 400, 1, None);
}

#[test]
fn expressions() {
    agree(&[Kind::Scalars, Kind::Mixed], 500, 2, None);
}

/// By the program itself: with aims, parameters, and the solvers that are here.
#[test]
fn programs() {
    agree(&KINDS, 50, 0, Some(2));
}

#[test]
fn what_is_wrong_is_told() {
    agree::wrong_answers_are_told();
}
