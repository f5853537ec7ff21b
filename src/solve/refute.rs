//! The embedded engine on a formula in a file, its proof in another.
//!
//! What the proof is about is the file, clause by clause, and not what the engine was otherwise given: so a checker needs to
//! know nothing of us.

use super::Verdict;
use super::checker::ProofForm;
use crate::diag::{Code, Diagnostic};
use crate::shared::Budget;
use std::path::Path;

/// Solves `formula`; where it has no model `proof` is a whole proof of that, in the form its suffix tells.
#[cfg(feature = "cadical")]
pub fn refute(formula: &Path, proof: &Path, seed: u32, budget: &Budget) -> Result<Verdict, Diagnostic> {
    use super::dimacs::Reader;
    use super::embedded::{Cadical, EngineAnswer, SatEngine};
    use crate::encode::{Lit, Sink};
    use std::io::BufReader;

    let unreadable = |error: &dyn std::fmt::Display| {
        Diagnostic::error(Code::UnreadableFile, format!("`{}` cannot be read: {error}", formula.display()))
    };
    let input = std::fs::File::open(formula).map_err(|error| unreadable(&error))?;
    let mut engine = Cadical::proving(seed, proof, ProofForm::of(proof)).ok_or_else(|| {
        Diagnostic::error(Code::Unwritable, format!("no proof can be written to `{}`", proof.display()))
    })?;
    let mut reader = Reader::new(BufReader::new(input));
    let mut clause = Vec::new();
    while reader.next(&mut clause).map_err(|error| unreadable(&error))?.is_some() {
        engine.clause(&clause);
        if let Err(stop) = budget.step(clause.len() as u64 + 1) {
            return Ok(Verdict::Unknown(unknown(stop).into()));
        }
    }
    Ok(match engine.solve(&[], budget) {
        EngineAnswer::Sat => {
            let vars = engine.vars() as Lit;
            let model = (1..=vars).map(|var| if engine.value(var) { var } else { -var }).collect();
            Verdict::Satisfiable { models: vec![model], complete: false, optimal: false }
        }
        EngineAnswer::Unsat => {
            engine.end_proof();
            Verdict::Unsatisfiable
        }
        EngineAnswer::Unknown(stop) => Verdict::Unknown(unknown(stop).into()),
    })
}

#[cfg(feature = "cadical")]
fn unknown(stop: crate::shared::Stop) -> &'static str {
    match stop {
        crate::shared::Stop::Time => "time limit",
        crate::shared::Stop::Cancelled => "interrupted",
        _ => "a limit was reached",
    }
}

/// The engine of this build gives no proofs.
#[cfg(not(feature = "cadical"))]
pub fn refute(_: &Path, _: &Path, _: u32, _: &Budget) -> Result<Verdict, Diagnostic> {
    Err(Diagnostic::error(Code::Usage, "the embedded engine of this build writes no proofs")
        .help("name another: `--solver kissat`"))
}
