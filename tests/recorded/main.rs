//! What solvers printed once, recorded, must be understood; and damaged, must never become a false answer.
//!
//! `solver-samples/README.md` and `dlx-samples/README.md` explain the files; `expected.tsv` has what a careful reader must conclude.

mod covers;
#[path = "../common/dice.rs"]
mod dice;
mod solvers;

use dice::Dice;
use std::fs;
use std::path::{Path, PathBuf};

/// A row of `expected.tsv`.
struct Expected {
    solver: String,
    case: String,
    /// What is so, whatever the solver says.
    truth: String,
    verdict: String,
    models: usize,
    complete: bool,
    /// Do output and exit code suffice to find it out?
    detectable: bool,
}

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name)
}

fn expected(name: &str) -> Vec<Expected> {
    let table = fs::read_to_string(folder(name).join("expected.tsv")).unwrap();
    let row = |row: &str| {
        let [solver, case, truth, verdict, models, complete, _trap, detectable] =
            row.split('\t').collect::<Vec<_>>()[..]
        else {
            panic!("{row}");
        };
        Expected {
            solver: solver.to_owned(),
            case: case.to_owned(),
            truth: truth.to_owned(),
            verdict: verdict.to_owned(),
            models: models.parse().unwrap(),
            complete: complete == "yes",
            detectable: detectable == "yes",
        }
    };
    table.lines().skip(1).map(row).collect()
}

/// Calls `each` with copies of `bytes` in which one to three are replaced: by digits, by some of `special`, by any.
fn garbled(bytes: &[u8], special: &[u8], mut each: impl FnMut(&[u8], &str)) {
    let mut dice = Dice::new(1);
    let mut random = |n: usize| dice.below(n);
    if bytes.is_empty() {
        return;
    }
    for round in 0..60 {
        let mut copy = bytes.to_vec();
        for _ in 0..1 + round % 3 {
            let at = random(copy.len());
            copy[at] = match random(3) {
                0 => b'0' + random(10) as u8,
                1 => special[random(special.len())],
                _ => random(256) as u8,
            };
        }
        each(&copy, &format!("garbled in round {round}"));
    }
}
