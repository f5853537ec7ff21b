//! clasp's JSON (`--outf=2`): one document with the result and all models.
//!
//! The whole document is kept, up to a limit, because it cannot be parsed before its end.

use super::dialect::Dialect;
use super::{Consume, Ended};
use crate::encode::Lit;
use crate::solve::Verdict;
use serde::Deserialize;

/// Upper bound on the bytes of a document; a longer one is a failure.
const MOST_BYTES: usize = 1 << 28;

/// Collects a JSON document.
#[derive(Debug)]
pub struct JsonOutput {
    dialect: Dialect,
    text: Vec<u8>,
    too_long: bool,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Document {
    #[serde(default)]
    call: Vec<Call>,
    result: String,
    models: Option<Models>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Call {
    #[serde(default)]
    witnesses: Vec<Witness>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Witness {
    value: Vec<Lit>,
}

#[derive(Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Models {
    more: String,
}

impl Consume for JsonOutput {
    fn feed(&mut self, bytes: &[u8]) {
        self.too_long |= self.text.len() + bytes.len() > MOST_BYTES;
        if !self.too_long {
            self.text.extend(bytes);
        }
    }
}

impl JsonOutput {
    pub fn new(dialect: Dialect) -> JsonOutput {
        JsonOutput { dialect, text: Vec::new(), too_long: false }
    }

    /// Bytes in use, approximately, now and after parsing.
    pub fn held(&self) -> u64 {
        3 * self.text.capacity() as u64
    }

    /// As for the line formats; a truncated document gives no answer.
    pub fn finish(self, ended: Option<Ended>) -> Verdict {
        let stopped = match ended {
            Some(Ended::Signal(signal)) => {
                return Verdict::Failed(format!("the solver was ended by signal {signal}"));
            }
            Some(Ended::Stopped(_)) => true,
            _ => false,
        };
        if self.too_long {
            return Verdict::Failed(format!("the output is longer than {MOST_BYTES} bytes"));
        }
        let document: Document = match serde_json::from_slice(&self.text) {
            Ok(document) => document,
            Err(_) if stopped => return Verdict::Unknown("the solver was stopped".to_owned()),
            Err(error) => return Verdict::Failed(format!("the output is no JSON answer: {error}")),
        };
        let models: Vec<Vec<Lit>> =
            document.call.into_iter().flat_map(|call| call.witnesses).map(|witness| witness.value).collect();
        let allowed = |codes: &[i32]| !matches!(ended, Some(Ended::Exit(code)) if !codes.contains(&code));
        match document.result.as_str() {
            "SATISFIABLE" | "OPTIMUM FOUND"
                if models.iter().flatten().any(|lit| matches!(*lit, 0 | Lit::MIN)) =>
            {
                Verdict::Failed("a model has a 0".to_owned())
            }
            "SATISFIABLE" | "OPTIMUM FOUND" if !models.is_empty() => Verdict::Satisfiable {
                complete: !stopped
                    && document.result == "SATISFIABLE"
                    && document.models.is_some_and(|models| models.more == "no"),
                optimal: document.result == "OPTIMUM FOUND",
                models,
            },
            "SATISFIABLE" | "OPTIMUM FOUND" => {
                Verdict::Failed("the solver said satisfiable but printed no model".to_owned())
            }
            _ if stopped => Verdict::Unknown("the solver was stopped".to_owned()),
            "UNSATISFIABLE" if models.is_empty() && allowed(self.dialect.unsat_exits) => {
                Verdict::Unsatisfiable
            }
            "UNKNOWN" if allowed(self.dialect.unknown_exits) => {
                Verdict::Unknown("the solver gave up".to_owned())
            }
            other => Verdict::Failed(format!("the result `{other}` does not fit the rest")),
        }
    }
}
