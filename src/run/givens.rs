//! Which given entries a puzzle with one solution can do without.
//!
//! Every answer is had from the source: the puzzle is grounded without the entry and a second solution looked for.

use super::answers::End;
use super::listener::Progress;
use super::question::Question;
use super::{Failure, stages};
use crate::eval::{Eval, GivenEntry};
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
pub fn spare(eval: &Eval<'_>, question: &Question<'_>) -> Result<Givens, Failure> {
    let listener = question.listener;
    let progress = Progress::start(listener, "leaving out given entries");
    let all = eval.given_entries();
    let mut givens = Givens { tried: 0, spare: Vec::new(), stop: None, all };
    for entry in givens.all.clone() {
        progress.say(&format!("given entries: {} of {} tried", givens.tried, givens.all.len()));
        givens.spare.push(entry);
        let mut fewer = Eval::new(eval.program, eval.budget);
        fewer.left_out = givens.spare.clone();
        stages::ground(&mut fewer, &question.loaded.without, listener)?;
        let two = Question { most: 2, ..*question };
        let search = two.solutions(&mut fewer, &mut |_, _| Ok(true))?;
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
