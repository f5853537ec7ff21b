//! What a drawing has at each place: in cells, between them, on corners, beside the board.
//!
//! In: a drawing. Out: its parts by [`Spot`]. Two drawings of one model show by their difference where an entry of the
//! data, or a variable, is drawn. Knows nothing of models.

use super::canvas::through;
use super::drawing::{Drawing, Key, Note};
use super::text::placed;
use rustc_hash::{FxHashMap, FxHashSet};
use std::fmt::Write;

/// A place in half cells: the middle of the cell `(r, c)` is `(2 * r, 2 * c)`, its upper left corner one less both
/// ways.
pub type Spot = (i64, i64);

/// The middle of two cells, which may be the same.
pub fn between(a: Key, b: Key) -> Option<Spot> {
    Some((a.0.checked_add(b.0)?, a.1.checked_add(b.1)?))
}

/// What is drawn at each place. Only for comparison: the form of the texts has no further meaning.
pub fn spots(drawing: &Drawing) -> FxHashMap<Spot, String> {
    let mut found: FxHashMap<Spot, String> = FxHashMap::default();
    let mut add = |spot: Option<Spot>, kind: char, what: &dyn std::fmt::Display| {
        if let Some(spot) = spot {
            let _ = writeln!(found.entry(spot).or_default(), "{kind}{what}");
        }
    };
    let entries = placed(drawing).unwrap_or_default();
    for (key, entry) in &entries {
        add(between(*key, *key), '=', &entry.text);
    }
    let keys: FxHashSet<Key> = entries.iter().map(|(key, _)| *key).collect();
    for layer in drawing.layers() {
        match layer {
            Drawing::Framed { regions, .. } => {
                // a region is told by its first cell and its size, however it is numbered
                let mut told: FxHashMap<u32, (Key, usize)> = FxHashMap::default();
                for (key, region) in regions {
                    let (first, size) = told.entry(*region).or_insert((*key, 0));
                    *first = (*first).min(*key);
                    *size += 1;
                }
                for (key, region) in regions {
                    let ((r, c), size) = told[region];
                    add(between(*key, *key), 'r', &format_args!("{r} {c} {size}"));
                }
            }
            Drawing::Looped { edges, .. } => {
                let through = through(edges, &keys);
                for (a, b, drawn) in edges {
                    let middle = between(*a, *b).and_then(|(down, across)| match through {
                        true => Some((down, across)),
                        false => Some((down.checked_sub(1)?, across.checked_sub(1)?)),
                    });
                    add(
                        middle,
                        'l',
                        &match drawn {
                            Some(drawn) => u8::from(*drawn),
                            None => 2,
                        },
                    );
                }
            }
            Drawing::Noted { notes, .. } => {
                for (a, b, note) in notes {
                    match note {
                        Note::Text(text) => add(between(*a, *b), 'n', text),
                        Note::Tint(tint) => add(between(*a, *b), 't', tint),
                    }
                }
            }
            _ => {}
        }
    }
    found
}
