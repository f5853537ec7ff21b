//! Formats of proofs that a formula has no model, and the programs that check them.

use super::table::variable;
use crate::shared::Stop;
use serde::Deserialize;
use std::path::Path;

/// The format of a proof.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ProofForm {
    /// Clauses learned and dropped (Wetzler, Heule, Hunt, SAT 2014).
    Drat,
    /// DRAT with, for each clause, the clauses that it follows from (Cruz-Filipe et al., CADE 2017).
    Lrat,
}

impl ProofForm {
    /// The format by the suffix of the file: `.lrat`, else DRAT.
    pub fn of(path: &Path) -> ProofForm {
        match path.extension().is_some_and(|suffix| suffix.eq_ignore_ascii_case("lrat")) {
            true => ProofForm::Lrat,
            false => ProofForm::Drat,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            ProofForm::Drat => "drat",
            ProofForm::Lrat => "lrat",
        }
    }
}

/// A program that checks proofs, as `solvers.toml` describes it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Checker {
    pub name: String,
    pub command: String,
    pub args: Vec<String>,
    pub proof: ProofForm,
    /// Exit codes with which "verified" is accepted.
    pub exits: Vec<i32>,
}

impl Checker {
    /// The environment variable that overrides the path of the program.
    pub fn variable(&self) -> String {
        variable(&self.name)
    }
}

/// The result of a checker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Checked {
    Verified,
    /// The proof is not valid, or the checker failed; with the evidence.
    Rejected(String),
    Stopped(Stop),
}
