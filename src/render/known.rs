//! What of a drawing is given, what is found, what stands outside the board, and where several drawings differ.
//!
//! In: drawings made before anything was found, the boards of the data, and the place of the variables. Out: sets of
//! places. Knows nothing of models.

use super::drawing::{Drawing, Key};
use super::text::placed;
use rustc_hash::{FxHashMap, FxHashSet};

/// What a drawing is looked at with.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The drawings with no variables known but those that a rule alone gives a value.
    pub drawings: Vec<Drawing>,
    /// The arrays of the data over cells, without what is not given.
    pub data: Vec<Vec<(Key, String)>>,
    /// The first and the last row and column that hold variables.
    pub board: Option<(Key, Key)>,
}

/// A solution as it is shown: its drawings, and of each the places of given entries and of those in which it differs
/// from another solution.
#[derive(Clone, Debug)]
pub struct Shown<'d> {
    pub drawings: Vec<&'d Drawing>,
    pub given: Vec<FxHashSet<Key>>,
    pub differ: Vec<FxHashSet<Key>>,
    pub board: Option<(Key, Key)>,
}

impl Shown<'_> {
    /// Several solutions as one, the next below the last.
    pub fn below(solutions: Vec<Shown<'_>>) -> Shown<'_> {
        let mut whole = Shown { drawings: Vec::new(), given: Vec::new(), differ: Vec::new(), board: None };
        for solution in solutions {
            whole.drawings.extend(solution.drawings);
            whole.given.extend(solution.given);
            whole.differ.extend(solution.differ);
            whole.board = solution.board;
        }
        whole
    }
}

impl Known {
    /// Solutions side by side.
    pub fn shown<'d>(&self, solutions: &[&'d [Drawing]]) -> Vec<Shown<'d>> {
        let differ = differences(solutions);
        let shown = |drawings: &&'d [Drawing]| Shown {
            drawings: drawings.iter().collect(),
            given: drawings.iter().enumerate().map(|(at, drawing)| self.given(at, drawing)).collect(),
            differ: differ.clone(),
            board: self.board,
        };
        solutions.iter().map(shown).collect()
    }

    /// An entry is given where it was there before anything was found, or is what an array of the data over the same cells
    /// has there.
    fn given(&self, at: usize, drawing: &Drawing) -> FxHashSet<Key> {
        let texts = texts(drawing);
        let before = self.drawings.get(at).map(self::texts).unwrap_or_default();
        let mut given: FxHashSet<Key> = FxHashSet::default();
        let data = self.data.iter().map(|board| board.iter().map(|(key, text)| (*key, text.as_str())));
        for (key, text) in before.into_iter().chain(data.flatten()) {
            if texts.get(&key) == Some(&text) {
                given.insert(key);
            }
        }
        given
    }
}

fn texts(drawing: &Drawing) -> FxHashMap<Key, &str> {
    let entries = placed(drawing).unwrap_or_default();
    entries.into_iter().map(|(key, entry)| (key, entry.text.as_str())).collect()
}

/// Of each drawing the places in which not all solutions agree.
fn differences(solutions: &[&[Drawing]]) -> Vec<FxHashSet<Key>> {
    let Some((first, others)) = solutions.split_first() else { return Vec::new() };
    let of = |(at, drawing): (usize, &Drawing)| {
        let texts = texts(drawing);
        let others: Vec<_> = others.iter().filter_map(|other| other.get(at)).map(self::texts).collect();
        texts
            .iter()
            .filter(|(key, text)| others.iter().any(|other| other.get(key) != Some(text)))
            .map(|(key, _)| *key)
            .collect()
    };
    first.iter().enumerate().map(of).collect()
}
