//! `rebus explain --givens`: which given entries a puzzle with one solution can do without.
//!
//! Every answer is had from the source: the puzzle is grounded without the entry and a second solution looked for.

use super::args::EncodingArgs;
use super::progress::Progress;
use super::session::{self, End};
use crate::diag::Diagnostic;
use crate::eval::{Eval, GivenEntry, Without};
use crate::shared::Stop;

/// What was found out about the given entries.
pub struct Givens {
    pub all: Vec<GivenEntry>,
    /// They can go, all of them together.
    pub spare: Vec<GivenEntry>,
    /// How many were tried, in order: whatever else is among these is needed once the spare ones are gone.
    pub tried: usize,
    /// Why the others were not.
    pub stop: Option<Stop>,
}

/// Leaves out one entry after the other of a puzzle that has one solution, for good where it still has just one.
pub fn spare(eval: &Eval<'_>, encoding: &EncodingArgs, without: &Without) -> Result<Givens, Vec<Diagnostic>> {
    let progress = Progress::start("leaving out given entries");
    let all = eval.given_entries();
    let mut givens = Givens { tried: 0, spare: Vec::new(), stop: None, all };
    for entry in givens.all.clone() {
        progress.say(format!("given entries: {} of {} tried", givens.tried, givens.all.len()));
        givens.spare.push(entry);
        let mut fewer = Eval::new(eval.program, eval.budget);
        fewer.left_out = givens.spare.clone();
        session::ground(&mut fewer, without)?;
        let search = session::search(&mut fewer, encoding, 0, 2, &mut |eval, positions| {
            session::verified(eval, positions, without, true).map(|_| true)
        })
        .map_err(|fault| vec![fault])?;
        match (search.end, search.found) {
            (End::Exhausted, 1) => {}
            (End::Stopped(stop), _) => {
                givens.spare.pop();
                givens.stop = Some(stop);
                break;
            }
            _ => drop(givens.spare.pop()),
        }
        givens.tried += 1;
    }
    Ok(givens)
}
