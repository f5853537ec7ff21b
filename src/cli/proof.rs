//! Options for proofs, and messages about the result.

use super::args::SolverArgs;
use super::say;
use crate::diag::{Code, Diagnostic};
use crate::eval::stop_diagnostic;
use crate::run::solvers::Checked;
use crate::run::{End, Failure, Plan, Proof, ProofWanted};
use std::path::PathBuf;

/// What is wanted.
#[derive(clap::Args, Clone, Debug, Default)]
pub struct ProofArgs {
    /// Write a proof that there is no solution, with --unique, --all or `count` no other, of an objective none better; FILE.cnf is the formula it is about. LRAT if
    /// the name ends in `.lrat`, else DRAT
    #[arg(long, value_name = "FILE")]
    pub proof: Option<PathBuf>,
    /// Have that proof checked (exit code 5 if it is no proof): an LRAT proof by `rebus-check-proof`, another by a program made for it; or by
    /// the CHECKER that is named (see `rebus solvers`)
    #[arg(long, value_name = "CHECKER", num_args = 0..=1, require_equals = true)]
    pub check_proof: Option<Option<String>>,
}

impl ProofArgs {
    /// `read`: the files of the puzzle.
    pub fn plan(&self, solver: &SolverArgs, read: &[PathBuf]) -> Result<Option<Plan<'_>>, Failure> {
        let check = self.check_proof.as_ref().map(Option::as_deref);
        let wanted = ProofWanted { file: self.proof.as_deref(), check, embedded: solver.solver.is_none() };
        Plan::new(wanted, solver.solvers.as_ref(), read)
    }
}

/// The result of the requested proof: who verified it, if it was checked and is valid; a fault, if it is not.
pub fn verdict(
    proof: Option<&Proof>,
    any: bool,
    optimal: bool,
    end: End,
) -> Result<Option<String>, Diagnostic> {
    let Some(proof) = proof else {
        say(match end {
            End::Enough => {
                "no proof: what was asked for was found; `--unique` and `--all` ask whether there is more"
            }
            _ => "no proof",
        });
        return Ok(None);
    };
    let claim = match (any, optimal, end) {
        (false, ..) => "there is no solution",
        (_, true, End::Exhausted) => "nothing is better, and nothing else as good",
        (_, true, _) => "nothing is better",
        _ => "there is no other solution",
    };
    match &proof.checked {
        None => Ok(None),
        Some((by, Checked::Verified)) => Ok(Some(format!("proof verified by {by}: {claim}"))),
        Some((by, Checked::Rejected(why))) => {
            let message = format!("the proof is not accepted by `{by}`");
            Err(Diagnostic::error(Code::ProofRejected, message).note(why))
        }
        Some((_, Checked::Stopped(stop))) => Err(stop_diagnostic(*stop).note("while the proof was checked")),
    }
}
