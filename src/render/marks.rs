//! Marked entries of a drawing: `[5]` in text, a background colour in pictures.

use super::canvas::through;
use super::drawing::{Drawing, Entry, Key};
use super::text::placed;
use rustc_hash::FxHashSet;

/// The marks of a picture.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spots {
    pub cells: FxHashSet<Key>,
    /// Edges between corners, round cells.
    pub walls: FxHashSet<(Key, Key)>,
    /// Edges from cell to cell.
    pub ways: FxHashSet<(Key, Key)>,
}

impl Spots {
    /// Adds an edge of a loop, with the drawing's keys.
    pub(super) fn edge(&mut self, edge: (Key, Key), through: bool) {
        if through { &mut self.ways } else { &mut self.walls }.insert(edge);
    }
}

/// The marks, by the keys of each kind of drawing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// In grids.
    pub cells: FxHashSet<Key>,
    /// In rows, from 0.
    pub places: FxHashSet<usize>,
    /// In tables.
    pub keys: FxHashSet<String>,
    /// In loops.
    pub edges: FxHashSet<(Key, Key)>,
}

/// The drawing with brackets round the marked entries; undetermined edges are drawn only where marked. `None` if it
/// has none of the marks.
pub fn marked(drawing: &Drawing, marks: &Marks) -> Option<Drawing> {
    with_marks(drawing, marks, true)
}

/// The same for a picture: the marks are separate from the drawing. Tables still have brackets.
pub fn spotted(drawing: &Drawing, marks: &Marks) -> Option<(Drawing, Spots)> {
    let Some(entries) = placed(drawing) else { return Some((marked(drawing, marks)?, Spots::default())) };
    let drawing = with_marks(drawing, marks, false)?;
    let keys: FxHashSet<Key> = entries.iter().map(|(key, _)| *key).collect();
    let mut spots = Spots::default();
    for layer in drawing.layers() {
        match layer {
            Drawing::Looped { edges, .. } => {
                let through = through(edges, &keys);
                let edges = edges.iter().map(|(a, b, _)| (*a, *b));
                edges.filter(|edge| marks.edges.contains(edge)).for_each(|edge| spots.edge(edge, through));
            }
            Drawing::Row(_) => spots.cells.extend(marks.places.iter().map(|place| (1, *place as i64 + 1))),
            Drawing::Grid(_) => spots.cells.extend(marks.cells.intersection(&keys)),
            _ => {}
        }
    }
    Some((drawing, spots))
}

fn with_marks(drawing: &Drawing, marks: &Marks, brackets: bool) -> Option<Drawing> {
    let marked = |drawing: &Drawing| with_marks(drawing, marks, brackets);
    let bracketed = |entries| bracketed(entries, brackets);
    Some(match drawing {
        Drawing::Text(_) => return None,
        Drawing::Row(entries) => {
            let texts = entries.iter().enumerate().map(|(at, entry)| (marks.places.contains(&at), entry));
            Drawing::Row(bracketed(texts.collect())?)
        }
        Drawing::Grid(entries) => {
            let texts = entries.iter().map(|(key, entry)| (marks.cells.contains(key), entry)).collect();
            let keys = entries.iter().map(|(key, _)| *key);
            Drawing::Grid(keys.zip(bracketed(texts)?).collect())
        }
        Drawing::Table(entries) => {
            let texts = entries.iter().map(|(key, entry)| (marks.keys.contains(key), entry)).collect();
            let keys = entries.iter().map(|(key, _)| key.clone());
            Drawing::Table(keys.zip(bracketed(texts)?).collect())
        }
        Drawing::Boxed { inner, height, width } => {
            Drawing::Boxed { inner: marked(inner)?.into(), height: *height, width: *width }
        }
        Drawing::Framed { inner, regions, walls } => {
            Drawing::Framed { inner: marked(inner)?.into(), regions: regions.clone(), walls: walls.clone() }
        }
        Drawing::Noted { inner, notes } => {
            Drawing::Noted { inner: marked(inner)?.into(), notes: notes.clone() }
        }
        Drawing::Looped { inner, edges } => {
            let cells = marked(inner);
            let is_marked = |a: &Key, b: &Key| marks.edges.contains(&(*a, *b));
            if cells.is_none() && !edges.iter().any(|(a, b, _)| is_marked(a, b)) {
                return None;
            }
            let edge = |(a, b, drawn): &(Key, Key, Option<bool>)| {
                (*a, *b, if is_marked(a, b) { *drawn } else { Some(*drawn == Some(true)) })
            };
            let inner = cells.map_or_else(|| inner.clone(), Box::new);
            Drawing::Looped { inner, edges: edges.iter().map(edge).collect() }
        }
    })
}

/// `None` if no entry is marked.
fn bracketed(entries: Vec<(bool, &Entry)>, brackets: bool) -> Option<Vec<Entry>> {
    entries.iter().any(|(marked, _)| *marked).then(|| {
        let draw = |(marked, entry): &(bool, &Entry)| {
            if !brackets {
                return (*entry).clone();
            }
            let text = if *marked { format!("[{}]", entry.text) } else { format!(" {} ", entry.text) };
            Entry { text, number: entry.number }
        };
        entries.iter().map(draw).collect()
    })
}
