//! Runs an external proof checker.
//!
//! In: a formula and a proof in files, a [`Checker`] of the table. Out: [`Checked`]. A proof is accepted only if the
//! checker prints the line `s VERIFIED`; an exit code or empty output is never enough.

use super::checker::{Checked, Checker};
use super::find::Places;
use super::output::{Consume, Ended};
use super::process::{Job, run};
use super::template::fill;
use super::temporary::Folder;
use crate::diag::{Code, Diagnostic};
use crate::shared::Budget;
use std::io;
use std::path::Path;

/// Checks with `checker` that `proof` shows that `formula` has no model.
pub fn check(
    checker: &Checker,
    places: &Places,
    formula: &Path,
    proof: &Path,
    budget: &Budget,
) -> Result<Checked, Diagnostic> {
    let failed = |error: io::Error| {
        Diagnostic::error(Code::SolverFailed, format!("`{}` cannot be run: {error}", checker.name))
    };
    let program = places.program(&checker.variable(), &checker.command);
    let program = program.ok_or_else(|| {
        Diagnostic::error(Code::SolverMissing, format!("the checker `{}` is not here", checker.name))
    })?;
    let folder = Folder::new().map_err(failed)?;
    // some checkers detect the format by the suffix
    let named = folder.path().join("proof").with_extension(checker.proof.name());
    let proof = std::path::absolute(proof).map_err(failed)?;
    std::os::unix::fs::symlink(proof, &named).map_err(failed)?;
    let formula = std::path::absolute(formula).map_err(failed)?;
    let args = checker.args.iter().map(|arg| fill(arg, &[("{in}", &formula), ("{proof}", &named)]));
    let job = Job { program, args: args.collect(), stdin: None, folder: Some(folder.path().to_path_buf()) };
    let finished = run(&job, ProofOutput::default(), budget).map_err(failed)?;
    let printed = finished.output;
    Ok(match finished.ended {
        Ended::Stopped(stop) => Checked::Stopped(stop),
        Ended::Signal(signal) => Checked::Rejected(format!("it was ended by signal {signal}")),
        Ended::Exit(code) => match (printed.other, printed.verified) {
            (Some(other), _) => Checked::Rejected(format!("it says `{other}`")),
            (None, true) if checker.exits.contains(&code) => Checked::Verified,
            (None, true) => Checked::Rejected(format!("it says that it is, but ended with code {code}")),
            (None, false) => Checked::Rejected(format!("it ended with code {code} and said nothing")),
        },
    })
}

/// Bytes kept of each line.
const LONGEST: usize = 64;

/// Searches the checker's output for `s VERIFIED`.
#[derive(Debug, Default)]
struct ProofOutput {
    /// The current line, cut at [`LONGEST`].
    line: Vec<u8>,
    verified: bool,
    /// The first other `s` line.
    other: Option<String>,
}

impl Consume for ProofOutput {
    fn feed(&mut self, bytes: &[u8]) {
        for byte in bytes {
            match byte {
                // drat-trim goes back to the start of the line for its verdict
                b'\n' | b'\r' => {
                    let whole = self.line.len() < LONGEST;
                    match self.line.trim_ascii_end() {
                        b"s VERIFIED" | b"s VERIFIED UNSAT" if whole => self.verified = true,
                        other if other.starts_with(b"s ") && self.other.is_none() => {
                            self.other = Some(String::from_utf8_lossy(other).into_owned());
                        }
                        _ => {}
                    }
                    self.line.clear();
                }
                _ if self.line.len() < LONGEST => self.line.push(*byte),
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solve::checker::ProofForm;

    #[test]
    fn only_its_own_line_verifies() {
        let said = |text: &str| {
            let mut said = ProofOutput::default();
            text.bytes().for_each(|byte| said.feed(&[byte]));
            said.verified && said.other.is_none()
        };
        assert!(said("c reading\ns VERIFIED\nc done\n"));
        assert!(said("s VERIFIED UNSAT\r\n"));
        assert!(said("\rs VERIFIED\n\rc verification time: 0.1 seconds\n"));
        let padded = format!("s VERIFIED{}NOT\n", " ".repeat(LONGEST));
        for text in [
            "",
            &padded,
            "c s VERIFIED\n",
            "s NOT VERIFIED\n",
            "s VERIFIED",
            "s VERIFIED?\n",
            "s VERIFIED\ns NOT VERIFIED\n",
        ] {
            assert!(!said(text), "{text}");
        }
    }

    #[test]
    fn the_suffix_tells_the_form() {
        assert_eq!(ProofForm::of(Path::new("a/p.LRAT")), ProofForm::Lrat);
        assert_eq!(ProofForm::of(Path::new("lrat")), ProofForm::Drat);
        assert_eq!(ProofForm::of(Path::new("p.drat")), ProofForm::Drat);
    }
}
