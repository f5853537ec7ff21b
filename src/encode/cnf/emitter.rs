//! Emits clauses into a sink, and charges each row to its encoding.
//!
//! In: clauses from all encodings. Out: the same clauses, simplified, in the sink. Constants, repeated literals and
//! tautologies never reach the sink. An [`Emitter`] borrows encoder, model and sink for one call.

use super::EncodeError;
use super::encoder::{Chosen, Encoder, FALSE, TRUE};
use crate::encode::{Lit, Sink};
use crate::model::Model;
use crate::shared::{Budget, Stop};
use rustc_hash::FxHashSet;

/// One call's view of encoder, model and sink.
pub struct Emitter<'a> {
    pub enc: &'a mut Encoder,
    pub model: &'a Model,
    pub sink: &'a mut dyn Sink,
    pub budget: &'a Budget,
    /// Everything asserted holds if this literal is true; `TRUE` means unconditionally.
    pub(super) switch: Lit,
    scratch: Vec<Lit>,
}

impl Encoder {
    /// Borrows the encoder for one call.
    pub fn with<'a>(
        &'a mut self,
        model: &'a Model,
        sink: &'a mut dyn Sink,
        budget: &'a Budget,
    ) -> Emitter<'a> {
        Emitter { enc: self, model, sink, budget, switch: TRUE, scratch: Vec::new() }
    }
}

impl Emitter<'_> {
    /// A fresh auxiliary variable.
    pub fn fresh(&mut self) -> Result<Lit, EncodeError> {
        if self.enc.last >= Lit::MAX - 2 {
            return Err(EncodeError::TooLarge("more than 2^31 literals".into()));
        }
        self.step(1)?;
        self.enc.last += 1;
        Ok(self.enc.last)
    }

    /// Records the choice of an encoding for a constraint, and charges rows to it from now on.
    pub fn chose(&mut self, what: &'static str, how: &'static str) {
        if self.sink.annotated() && self.enc.current != (what, how) {
            self.sink.comment(&format!("{what}: {how}"));
        }
        self.charge((what, how));
        self.enc.choices.entry((what, how)).or_default().times += 1;
    }

    /// Charges rows to another encoding from now on; returns the previous one.
    pub(super) fn charge(&mut self, chosen: Chosen) -> Chosen {
        let before = std::mem::replace(&mut self.enc.current, chosen);
        let emitted = std::mem::take(&mut self.enc.emitted);
        if emitted > 0 {
            self.enc.choices.entry(before).or_default().rows += emitted;
        }
        before
    }

    /// Charges `n` emitted rows.
    pub(super) fn count_rows(&mut self, n: u64) {
        self.enc.emitted += n;
    }

    /// Checks the limits; encoders call it once for each constraint or node.
    pub fn step(&mut self, n: u64) -> Result<(), EncodeError> {
        if self.sink.stopped() {
            return Err(EncodeError::Stop(Stop::Cancelled));
        }
        self.budget.step(n).map_err(EncodeError::Stop)
    }

    /// Emits a clause after removing constants and repeated literals; drops a tautology.
    pub fn clause(&mut self, lits: &[Lit]) {
        let mut out = std::mem::take(&mut self.scratch);
        out.clear();
        for lit in lits {
            match self.enc.norm(*lit) {
                TRUE => {
                    self.scratch = out;
                    return;
                }
                FALSE => {}
                lit => out.push(lit),
            }
        }
        if out.len() > 1 && !self.plain(&mut out) {
            self.scratch = out;
            return;
        }
        self.plain_clause(&out);
        self.scratch = out;
    }

    /// Emits a clause that has no constants, no repeated literals, and is no tautology.
    pub(super) fn plain_clause(&mut self, lits: &[Lit]) {
        self.count_rows(1);
        // an exhausted budget fails again at the next step
        let _ = self.budget.step(1 + lits.len() as u64 / 8);
        if self.switch == TRUE {
            self.sink.clause(lits);
        } else {
            let switched: Vec<Lit> = lits.iter().copied().chain([-self.switch]).collect();
            self.sink.clause(&switched);
        }
    }

    /// At most one of `lits`, pairwise. `lits` has no constants, no repeated variables.
    pub(super) fn plain_pairwise(&mut self, lits: &[Lit]) {
        if self.switch == TRUE {
            let n = lits.len() as u64;
            self.count_rows(n * n.saturating_sub(1) / 2);
            let _ = self.budget.step(n * n / 2);
            return self.sink.pairwise(lits);
        }
        for (i, a) in lits.iter().enumerate() {
            for b in &lits[i + 1..] {
                self.plain_clause(&[-a, -b]);
            }
        }
    }

    /// Emits a definition that other constraints may reuse: it holds independently of the current switch.
    pub(super) fn unconditionally<T>(&mut self, make: impl FnOnce(&mut Self) -> T) -> T {
        let switch = std::mem::replace(&mut self.switch, TRUE);
        let current = self.enc.current;
        let made = make(self);
        self.charge(current);
        self.switch = switch;
        made
    }

    /// Removes repeated literals; returns false for a tautology.
    fn plain(&self, lits: &mut Vec<Lit>) -> bool {
        if lits.is_sorted_by(|a, b| a.abs() < b.abs()) {
            return true;
        }
        if lits.len() <= 8 {
            let mut at = 1;
            while at < lits.len() {
                let lit = lits[at];
                if lits[..at].contains(&-lit) {
                    return false;
                }
                if lits[..at].contains(&lit) {
                    lits.remove(at);
                } else {
                    at += 1;
                }
            }
            return true;
        }
        let mut sorted = lits.clone();
        sorted.sort_unstable_by_key(|lit| (lit.unsigned_abs(), *lit));
        let repeated = sorted.windows(2).any(|pair| pair[0] == pair[1]);
        if sorted.windows(2).any(|pair| pair[0] == -pair[1]) {
            return false;
        }
        if repeated {
            let mut seen = FxHashSet::default();
            lits.retain(|lit| seen.insert(*lit));
        }
        true
    }
}
