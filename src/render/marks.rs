//! Some entries of a drawing marked: `[5]`.

use super::drawing::{Drawing, Entry, Key};
use rustc_hash::FxHashSet;

/// What is marked, as the kinds of drawings name it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Of grids.
    pub cells: FxHashSet<Key>,
    /// Of rows, from 0.
    pub places: FxHashSet<usize>,
    /// Of tables.
    pub keys: FxHashSet<String>,
    /// Of loops.
    pub edges: FxHashSet<(Key, Key)>,
}

/// The drawing with brackets round the marked entries; edges that are not determined are drawn only where they are marked.
/// `None` if it has none of them.
pub fn marked(drawing: &Drawing, marks: &Marks) -> Option<Drawing> {
    Some(match drawing {
        Drawing::Text(_) => return None,
        Drawing::Row(entries) => {
            let marked = |at: usize| marks.places.contains(&at);
            let texts = entries.iter().enumerate().map(|(at, entry)| (marked(at), entry));
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
            Drawing::Boxed { inner: marked(inner, marks)?.into(), height: *height, width: *width }
        }
        Drawing::Framed { inner, regions } => {
            Drawing::Framed { inner: marked(inner, marks)?.into(), regions: regions.clone() }
        }
        Drawing::Looped { inner, edges } => {
            let cells = marked(inner, marks);
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

fn bracketed(entries: Vec<(bool, &Entry)>) -> Option<Vec<Entry>> {
    entries.iter().any(|(marked, _)| *marked).then(|| {
        let draw = |(marked, entry): &(bool, &Entry)| {
            let text = if *marked { format!("[{}]", entry.text) } else { format!(" {} ", entry.text) };
            Entry { text, number: entry.number }
        };
        entries.iter().map(draw).collect()
    })
}
