//! What is drawn: data only.

/// A place on a drawing: a cell or a point, row and column as the model counts them.
pub type Key = (i64, i64);

/// One entry of a grid or list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The text as drawn; `·` for an entry that is not determined.
    pub text: String,
    /// Is the entry a number (it makes its whole grid aligned with spaces)?
    pub number: bool,
}

/// A picture, built from the inside out.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Drawing {
    /// Plain text, a line.
    Text(String),
    /// One row of entries.
    Row(Vec<Entry>),
    /// Entries by place; places that are no key are empty.
    Grid(Vec<(Key, Entry)>),
    /// Keys that are no cells, drawn one a line: `key = entry`.
    Table(Vec<(String, Entry)>),
    /// `boxed(d, (h, w))`: lines between boxes of `h` × `w` cells, from the first row and column on.
    Boxed { inner: Box<Drawing>, height: i64, width: i64 },
    /// `framed(d, region)`: walls between neighbouring cells of different regions and round the whole; a cell
    /// without a region has no walls of its own. Regions are named by numbers, equal where equal.
    Framed { inner: Box<Drawing>, regions: Vec<(Key, u32)> },
    /// `looped(line, d)`: edges round the cells (points `(r, c)` to `(r+1, c+1)` are the corners of cell `(r, c)`), or through
    /// them when all points of the edges are keys of `d`. The flag: is the edge drawn, or `None` if not determined.
    Looped { inner: Box<Drawing>, edges: Vec<(Key, Key, Option<bool>)> },
    /// `noted(d, notes)` and `tinted(d, a)`: what pictures show and text does not. Each note stands in the middle between two
    /// cells, which may be the same, or beside the board.
    Noted { inner: Box<Drawing>, notes: Vec<(Key, Key, Note)> },
}

/// What pictures show besides the entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Note {
    Text(String),
    /// The ground of a cell, in one of `0..TINTS` colours.
    Tint(u8),
}

/// How many grounds can be told apart.
pub const TINTS: u8 = 8;

impl Drawing {
    /// What the outermost layer is round; `None` for the entries themselves.
    pub fn inner(&self) -> Option<&Drawing> {
        match self {
            Drawing::Text(_) | Drawing::Row(_) | Drawing::Grid(_) | Drawing::Table(_) => None,
            Drawing::Boxed { inner, .. }
            | Drawing::Framed { inner, .. }
            | Drawing::Looped { inner, .. }
            | Drawing::Noted { inner, .. } => Some(inner),
        }
    }

    /// The layers, outermost first, and the entries at the bottom.
    pub(super) fn layers(&self) -> impl Iterator<Item = &Drawing> {
        std::iter::successors(Some(self), |layer| layer.inner())
    }
}
