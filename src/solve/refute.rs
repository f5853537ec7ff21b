//! Runs the embedded engine on a formula in a file and writes its proof to another file.
//!
//! The proof is about the clauses of the file, in their order. So a checker needs nothing but the two files.

use super::Verdict;
use crate::diag::{Code, Diagnostic};
use crate::shared::Budget;
use std::path::Path;
#[cfg(feature = "cadical")]
use {
    super::checker::ProofForm,
    std::fs::File,
    std::io::{self, BufRead, BufReader},
};

/// Solves `formula`. If it has no model, `proof` (where given) holds a complete proof, in the format of its suffix.
#[cfg(feature = "cadical")]
pub fn refute(
    formula: &Path,
    proof: Option<&Path>,
    seed: u32,
    budget: &Budget,
) -> Result<Verdict, Diagnostic> {
    use super::embedded::{Cadical, EngineAnswer, SatEngine};
    use crate::encode::Lit;

    let mut engine = match proof {
        Some(proof) => Cadical::proving(seed, proof, ProofForm::of(proof))
            .map_err(|error| unwritten(&error.to_string()))?,
        None => Cadical::new(seed),
    };
    let read = engine.read(formula, budget).map_err(|fault| {
        Diagnostic::error(Code::UnreadableFile, format!("`{}` cannot be read: {fault}", formula.display()))
    })?;
    if let Err(stop) = read {
        return Ok(Verdict::Unknown(unknown(stop).into()));
    }
    Ok(match engine.solve(&[], budget) {
        EngineAnswer::Sat => {
            let vars = engine.vars() as Lit;
            let model = (1..=vars).map(|var| if engine.value(var) { var } else { -var }).collect();
            Verdict::Satisfiable { models: vec![model], complete: false, optimal: false }
        }
        EngineAnswer::Unsat => {
            engine.end_proof();
            // the engine does not report a full disk
            let whole = proof.is_none_or(|proof| is_whole(proof, ProofForm::of(proof)).unwrap_or(false));
            if !whole {
                return Err(unwritten("it ends before its last step; is the disk full?"));
            }
            Verdict::Unsatisfiable
        }
        EngineAnswer::Unknown(stop) => Verdict::Unknown(unknown(stop).into()),
    })
}

#[cfg(feature = "cadical")]
fn unwritten(why: &str) -> Diagnostic {
    Diagnostic::error(Code::Unwritable, format!("the proof cannot be written: {why}"))
}

/// Does the proof end with the empty clause?
#[cfg(feature = "cadical")]
fn is_whole(proof: &Path, form: ProofForm) -> io::Result<bool> {
    let mut lines = BufReader::new(File::open(proof)?);
    let mut line = Vec::new();
    while lines.read_until(b'\n', &mut line)? > 0 {
        let mut words = line.strip_suffix(b"\n").unwrap_or_default().split(|byte| *byte == b' ');
        let first = match form {
            ProofForm::Drat => words.next(),
            // after the number of the step
            ProofForm::Lrat => words.nth(1),
        };
        if first == Some(b"0") {
            return Ok(true);
        }
        line.clear();
    }
    Ok(false)
}

#[cfg(feature = "cadical")]
fn unknown(stop: crate::shared::Stop) -> &'static str {
    match stop {
        crate::shared::Stop::Time => "time limit",
        crate::shared::Stop::Cancelled => "interrupted",
        _ => "a limit was reached",
    }
}

/// The engine of this build writes no proofs.
#[cfg(not(feature = "cadical"))]
pub fn refute(_: &Path, _: Option<&Path>, _: u32, _: &Budget) -> Result<Verdict, Diagnostic> {
    Err(Diagnostic::error(Code::Usage, "the embedded engine of this build writes no proofs")
        .help("name another: `--solver kissat`"))
}
