//! Drawings as data.

/// A place on a drawing: a cell or a point, by row and column in the model's numbering.
pub type Key = (i64, i64);

/// One entry of a grid or list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The text as drawn; `·` for an undetermined entry.
    pub text: String,
    /// Is the entry a number? Then its whole grid is aligned with spaces.
    pub number: bool,
}

/// A picture, nested from the inside out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Drawing {
    /// One line of plain text.
    Text(String),
    /// One row of entries.
    Row(Vec<Entry>),
    /// Entries by place; other places are empty.
    Grid(Vec<(Key, Entry)>),
    /// Entries whose keys are not cells, drawn one a line: `key = entry`.
    Table(Vec<(String, Entry)>),
    /// `boxed(d, (h, w))`: lines between boxes of `h` × `w` cells, from the first row and column on.
    Boxed { inner: Box<Drawing>, height: i64, width: i64 },
    /// `framed(d, region)`: walls between neighbouring cells of different regions and round the whole; a cell without
    /// a region has no walls of its own. Equal regions have equal numbers. `framed(d, wall)`: all cells are one region,
    /// and these pairs of neighbours have a wall between them.
    Framed { inner: Box<Drawing>, regions: Vec<(Key, u32)>, walls: Vec<(Key, Key)> },
    /// `looped(line, d)`: edges round the cells (points `(r, c)` to `(r+1, c+1)` are the corners of cell `(r, c)`),
    /// or through them if all points of the edges are keys of `d`. The flag: is the edge drawn? `None` if
    /// undetermined.
    Looped { inner: Box<Drawing>, edges: Vec<(Key, Key, Option<bool>)> },
    /// `noted(d, notes)` and `tinted(d, a)`: parts that only pictures show. Each note is in the middle between two
    /// cells, which may be the same, or beside the board.
    Noted { inner: Box<Drawing>, notes: Vec<(Key, Key, Note)> },
}

/// A part that only pictures show.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    Text(String),
    /// The background of a cell, one of `0..TINTS` colours.
    Tint(u8),
}

/// The number of distinguishable background colours.
pub const TINTS: u8 = 8;

impl Drawing {
    /// The drawing inside the outermost layer; `None` for the entries themselves.
    pub fn inner(&self) -> Option<&Drawing> {
        match self {
            Drawing::Text(_) | Drawing::Row(_) | Drawing::Grid(_) | Drawing::Table(_) => None,
            Drawing::Boxed { inner, .. }
            | Drawing::Framed { inner, .. }
            | Drawing::Looped { inner, .. }
            | Drawing::Noted { inner, .. } => Some(inner),
        }
    }

    /// The same board with entries and lines that are not determined.
    pub fn veiled(self) -> Drawing {
        let open = |entry: Entry| Entry { text: "·".into(), ..entry };
        match self {
            Drawing::Text(_) => Drawing::Text("·".into()),
            Drawing::Row(entries) => Drawing::Row(entries.into_iter().map(open).collect()),
            Drawing::Grid(entries) => {
                Drawing::Grid(entries.into_iter().map(|(key, entry)| (key, open(entry))).collect())
            }
            Drawing::Table(entries) => {
                Drawing::Table(entries.into_iter().map(|(key, entry)| (key, open(entry))).collect())
            }
            Drawing::Boxed { inner, height, width } => {
                Drawing::Boxed { inner: inner.veiled().into(), height, width }
            }
            Drawing::Framed { inner, .. } => inner.veiled(),
            Drawing::Looped { inner, edges } => {
                let edges = edges.into_iter().map(|(a, b, _)| (a, b, None)).collect();
                Drawing::Looped { inner: inner.veiled().into(), edges }
            }
            Drawing::Noted { inner, notes } => Drawing::Noted { inner: inner.veiled().into(), notes },
        }
    }

    /// The layers, outermost first, and the entries last.
    pub(super) fn layers(&self) -> impl Iterator<Item = &Drawing> {
        std::iter::successors(Some(self), |layer| layer.inner())
    }
}
