//! Classifies the parts of a drawing: given, found, outside the board, and different among several drawings.
//!
//! In: drawings made before the search, the cells that the data mention, and the range of the variables. Out: sets of
//! places. Knows nothing of models.

use super::canvas::through;
use super::drawing::{Drawing, Key};
use super::marks::Spots;
use super::text::placed;
use rustc_hash::{FxHashMap, FxHashSet};

/// The context of a drawing.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// The drawings without any known variable.
    pub bare: Vec<Drawing>,
    /// The drawings with those variables known that a single rule fixes.
    pub forced: Vec<Drawing>,
    /// The cells for which optional arrays of the data have a value.
    pub clued: FxHashSet<Key>,
    /// The first and the last row and column that hold variables.
    pub board: Option<(Key, Key)>,
}

/// Drawings as they are shown: each with the places of given entries, and its marks.
#[derive(Clone, Debug, Default)]
pub struct Shown {
    pub drawings: Vec<Drawing>,
    pub given: Vec<FxHashSet<Key>>,
    pub marked: Vec<Spots>,
    pub board: Option<(Key, Key)>,
}

impl Shown {
    /// Text without drawings.
    pub fn text(text: &str) -> Shown {
        let drawings = vec![Drawing::Text(text.to_owned())];
        Shown { drawings, given: vec![FxHashSet::default()], marked: vec![Spots::default()], board: None }
    }

    /// Several as one, each below the one before.
    pub fn below(parts: Vec<Shown>) -> Shown {
        let mut whole = Shown::default();
        for part in parts {
            whole.drawings.extend(part.drawings);
            whole.given.extend(part.given);
            whole.marked.extend(part.marked);
            whole.board = part.board.or(whole.board);
        }
        whole
    }
}

impl Known {
    /// Drawings with marks.
    pub fn marked(&self, drawings: Vec<(Drawing, Spots)>) -> Shown {
        let given = drawings.iter().enumerate().map(|(at, (drawing, _))| self.given(at, drawing)).collect();
        let (drawings, marked) = drawings.into_iter().unzip();
        Shown { drawings, given, marked, board: self.board }
    }

    /// Solutions side by side, with marks where they differ.
    pub fn shown(&self, solutions: &[&[Drawing]]) -> Vec<Shown> {
        let differ = differences(solutions);
        let shown =
            |drawings: &&[Drawing]| self.marked(drawings.iter().cloned().zip(differ.clone()).collect());
        solutions.iter().map(shown).collect()
    }

    /// An entry is given if no variable affects it, or if a single rule fixes it and the data mention its cell.
    fn given(&self, at: usize, drawing: &Drawing) -> FxHashSet<Key> {
        let [bare, forced] = [&self.bare, &self.forced].map(|drawings| drawings.get(at).map(texts));
        let is_given = |key: &Key, text: &str| {
            let has = |drawing: &Option<FxHashMap<Key, &str>>| {
                drawing.as_ref().is_some_and(|texts| texts.get(key).is_some_and(|known| *known == text))
            };
            has(&bare) || self.clued.contains(key) && has(&forced)
        };
        texts(drawing).into_iter().filter(|(key, text)| is_given(key, text)).map(|(key, _)| key).collect()
    }
}

fn texts(drawing: &Drawing) -> FxHashMap<Key, &str> {
    let entries = placed(drawing).unwrap_or_default();
    entries.into_iter().map(|(key, entry)| (key, entry.text.as_str())).collect()
}

/// The edges of a drawing's loops and the walls of its frames, with their state. Walls lie between corners: corner
/// `(r, c)` is the upper left of cell `(r, c)`.
fn lines(drawing: &Drawing) -> FxHashMap<(Key, Key, bool), Option<bool>> {
    let keys: FxHashSet<Key> = texts(drawing).into_keys().collect();
    let mut lines = FxHashMap::default();
    for layer in drawing.layers() {
        match layer {
            Drawing::Framed { regions, walls, .. } => {
                let region: FxHashMap<Key, u32> = regions.iter().copied().collect();
                for ((r, c), own) in regions {
                    let corner = (r.saturating_add(1), c.saturating_add(1));
                    // the wall to a neighbour starts at the corner with the neighbour's key
                    for next in [(*r, corner.1), (corner.0, *c)] {
                        let wall = region.get(&next).is_some_and(|other| other != own);
                        lines.insert((next, corner, false), Some(wall));
                    }
                }
                for (p, (r, c)) in walls.iter().map(|(p, q)| (*p.min(q), *p.max(q))) {
                    // the wall runs along the side of the second cell that is nearer to the first
                    let end = if p.0 == r { (r.saturating_add(1), c) } else { (r, c.saturating_add(1)) };
                    lines.insert(((r, c), end, false), Some(true));
                }
            }
            Drawing::Looped { edges, .. } => {
                let through = through(edges, &keys);
                lines.extend(edges.iter().map(|(a, b, drawn)| ((*a, *b, through), *drawn)));
            }
            _ => {}
        }
    }
    lines
}

/// For each drawing, the places in which not all solutions agree.
fn differences(solutions: &[&[Drawing]]) -> Vec<Spots> {
    let Some((first, others)) = solutions.split_first() else { return Vec::new() };
    let of = |(at, drawing): (usize, &Drawing)| {
        let others: Vec<&Drawing> = others.iter().filter_map(|other| other.get(at)).collect();
        let (mine, theirs) = (texts(drawing), others.iter().map(|other| texts(other)).collect::<Vec<_>>());
        let differs = |key: &Key, text: &&str| theirs.iter().any(|other| other.get(key) != Some(text));
        let cells = mine.iter().filter(|(key, text)| differs(key, text)).map(|(key, _)| *key);
        let mut spots = Spots { cells: cells.collect(), ..Spots::default() };
        let (mine, theirs) = (lines(drawing), others.iter().map(|other| lines(other)).collect::<Vec<_>>());
        for ((a, b, through), drawn) in &mine {
            if theirs.iter().any(|other| other.get(&(*a, *b, *through)) != Some(drawn)) {
                spots.edge((*a, *b), *through);
            }
        }
        spots
    };
    first.iter().enumerate().map(of).collect()
}
