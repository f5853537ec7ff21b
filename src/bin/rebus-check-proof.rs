//! Checks a proof that a formula has no model: `rebus-check-proof FORMULA PROOF`.
//!
//! FORMULA is in DIMACS format, PROOF in LRAT's text format. Prints `s VERIFIED` and exits with 0 if each step of the
//! proof follows, up to the empty clause. Otherwise prints the reason and exits with 1, or with 2 if it cannot
//! decide.

use rebus::certify::lrat::{Fault, check};
use std::fs::File;
use std::io::BufReader;
use std::process::ExitCode;

fn main() -> ExitCode {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [formula, proof] = &args[..] else {
        eprintln!("usage: rebus-check-proof FORMULA PROOF");
        return ExitCode::from(2);
    };
    let open = |path: &String| {
        File::open(path).map(BufReader::new).map_err(|error| Fault::Unreadable(format!("`{path}`: {error}")))
    };
    let checked = open(formula).and_then(|formula| check(formula, open(proof)?, &mut || true));
    match checked {
        Ok(()) => {
            println!("s VERIFIED");
            ExitCode::SUCCESS
        }
        Err(Fault::Wrong(why)) => {
            println!("c {why}\ns NOT VERIFIED");
            ExitCode::from(1)
        }
        Err(why) => {
            eprintln!("rebus-check-proof: {why}");
            ExitCode::from(2)
        }
    }
}
