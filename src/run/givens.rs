//! Given entries that can be removed from a puzzle with one solution.
//!
//! Each test starts from the source: the puzzle is ground without the entry, and a second solution is searched.

use super::answers::End;
use super::listener::Progress;
use super::question::Question;
use super::{Failure, stages};
use crate::eval::{Eval, GivenEntry};
use crate::shared::Stop;

/// The result for the given entries.
pub struct Givens {
    pub all: Vec<GivenEntry>,
    /// They can be removed, all together.
    pub spare: Vec<GivenEntry>,
    /// How many were tried, in order; those of them that are not spare are needed once the spare ones are removed.
    pub tried: usize,
    /// Why the others were not tried.
    pub stop: Option<Stop>,
}

/// Tries to remove each entry of a puzzle that has one solution; an entry stays removed if the solution is still
/// unique.
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
