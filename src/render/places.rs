//! The positions of the parts of a drawing in its text, so that the text can be read back.
//!
//! In: a drawing whose entries and lines may be unknown, and the length of the longest line of a text. Out: the
//! layouts that a text of this width may have: lines and columns of characters, as [`text`](super::text::text) sets
//! them before a margin is removed. There may be several, because the width of an unknown entry is unknown. Knows
//! nothing of the meaning of lines.

use super::canvas::{BOX, Border, Canvas, FRAME, LOOP, Marks, Pen, through};
use super::drawing::{Drawing, Key};
use super::text::{Style, extent, is_plain, placed};
use rustc_hash::{FxHashMap, FxHashSet};
use std::ops::Range;

/// A line of the text and a column in it.
pub type Place = (usize, usize);

/// A layout of a drawing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Places {
    /// The number of lines of the text.
    pub lines: usize,
    /// The number of columns removed at the left.
    pub margin: usize,
    /// The line of each entry and its columns, sorted by keys.
    pub entries: Vec<(Key, usize, Range<usize>)>,
    /// The positions of walls and lines.
    pub slots: Vec<Slot>,
    /// Characters that are always there.
    pub fixed: Vec<(Place, char)>,
    /// Do lines lead from entry to entry?
    pub through: bool,
}

/// The middle between two neighbouring cells. Keys are those of the cells, also outside the board, and of a loop's
/// edges.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    pub place: Place,
    /// The cells on both sides.
    pub cells: (Key, Key),
    /// The edges between corners that lie on it.
    pub around: Vec<(Key, Key)>,
    /// The edges between cells that cross it.
    pub ways: Vec<(Key, Key)>,
    /// All characters that may be drawn there, with their meaning.
    pub looks: Vec<(State, char)>,
}

/// The state between two cells.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct State {
    pub wall: bool,
    pub around: bool,
    pub way: bool,
}

/// Is this a line character?
pub fn is_line(c: char) -> bool {
    super::canvas::arms(c).is_some() || matches!(c, '-' | '|' | '=')
}

/// The layouts of a drawing for a text whose longest line has `longest` columns.
pub fn places(drawing: &Drawing, style: Style, longest: usize) -> Vec<Places> {
    let layers: Vec<&Drawing> =
        drawing.layers().filter(|layer| !matches!(layer, Drawing::Noted { .. })).collect();
    match layers[..] {
        [Drawing::Row(_) | Drawing::Grid(_)] => grids(drawing, None, longest),
        [Drawing::Boxed { height, width, .. }, inner] if is_plain(inner) => {
            grids(drawing, Some((*height, *width)), longest)
        }
        _ => Canvas::of(drawing).map_or_else(Vec::new, |canvas| canvases(&canvas, drawing, style, longest)),
    }
}

/// Layouts of entries without lines.
fn grids(drawing: &Drawing, boxes: Option<(i64, i64)>, longest: usize) -> Vec<Places> {
    let mut keys: Vec<Key> = placed(drawing).into_iter().flatten().map(|(key, _)| key).collect();
    keys.sort_unstable();
    let Some((rows, columns)) = extent(keys.iter().copied()) else { return Vec::new() };
    let (height, width) = ((rows.end - rows.start) as usize, (columns.end - columns.start) as usize);
    let whole = |size: i64| usize::try_from(size).ok().filter(|size| *size > 0).unwrap_or(usize::MAX);
    let (high, wide) = boxes.map_or((usize::MAX, usize::MAX), |(high, wide)| (whole(high), whole(wide)));
    let mut found = Vec::new();
    for (size, gap) in std::iter::once((1, 0)).chain((1..=longest).map(|size| (size, 1))) {
        let column = |c: usize| c * (size + gap) + c / wide * (1 + gap);
        let end = column(width - 1) + size;
        if end < longest {
            continue;
        }
        if end > 2 * longest + 8 {
            break;
        }
        let line = |r: usize| r + r / high;
        let mut places = Places { lines: line(height - 1) + 1, ..Places::default() };
        let mut fields: FxHashSet<Place> = FxHashSet::default();
        for key in &keys {
            let (r, c) = ((key.0 - rows.start) as usize, (key.1 - columns.start) as usize);
            places.entries.push((*key, line(r), column(c)..column(c) + size));
            fields.insert((r, c));
        }
        for r in 0..height {
            for c in 0..width {
                let free = if fields.contains(&(r, c)) { column(c) + size } else { column(c) };
                let next = if c + 1 < width { column(c + 1) } else { end };
                let bar = (c + 1 < width && (c + 1).is_multiple_of(wide)).then(|| next - gap - 1);
                places.fixed.extend((free..next).map(|at| {
                    let sign = if bar == Some(at) { '|' } else { ' ' };
                    ((line(r), at), sign)
                }));
            }
        }
        found.push(places);
    }
    found
}

/// Layouts with walls and lines.
fn canvases(canvas: &Canvas, drawing: &Drawing, style: Style, longest: usize) -> Vec<Places> {
    let border = canvas.border();
    let cells = placed(drawing).unwrap_or_default();
    let mut keys: Vec<Key> = cells.iter().map(|(key, _)| *key).collect();
    keys.sort_unstable();
    let edges = Edges::of(canvas, drawing, &keys.iter().copied().collect());
    let framed = drawing.layers().any(|layer| matches!(layer, Drawing::Framed { .. }));
    let mut found = Vec::new();
    // for cells without regions, a frame may lack sides
    let borders = (0..if framed { 16u8 } else { 1 }).map(|without| Border {
        top: border.top && without & 1 == 0,
        bottom: border.bottom && without & 2 == 0,
        left: border.left && without & 4 == 0,
        right: border.right && without & 8 == 0,
    });
    for (border, size) in borders.flat_map(|border| (1..=longest).map(move |size| (border, size))) {
        let (top, left) = (usize::from(!border.top), usize::from(!border.left));
        let room = canvas.room(size, style);
        let step = size + 2 * room + 1;
        let end = step * canvas.width() + 1 - left - usize::from(!border.right);
        // no layout is that narrow or that wide
        if end + step < longest || end > 2 * longest + 2 * step {
            continue;
        }
        let field = |c: usize| {
            let end = c * step + 1 + room + size - left;
            end - size..end
        };
        let mut places = Places {
            lines: 2 * canvas.height() + 1 - top - usize::from(!border.bottom),
            through: !edges.right.is_empty() || !edges.down.is_empty(),
            ..Places::default()
        };
        for key in &keys {
            if let Some((r, c)) = canvas.cell(*key) {
                places.entries.push((*key, 2 * r + 1 - top, field(c)));
            }
        }
        for r in 0..=canvas.height() {
            for c in 0..=canvas.width() {
                let above =
                    c < canvas.width() && (r > 0 || border.top) && (r < canvas.height() || border.bottom);
                if above {
                    let place = (2 * r - top, field(c).end - 1);
                    places.slots.extend(slot(canvas, &edges, framed, style, place, (r, c), false));
                }
                let beside =
                    r < canvas.height() && (c > 0 || border.left) && (c < canvas.width() || border.right);
                if beside {
                    let place = (2 * r + 1 - top, c * step - left);
                    places.slots.extend(slot(canvas, &edges, framed, style, place, (r, c), true));
                }
            }
        }
        let most = if border.left { 0 } else { step };
        for margin in (0..=most).filter(|margin| match border.right {
            true => end == longest + margin,
            false => end >= longest + margin,
        }) {
            found.push(Places { margin, ..places.clone() });
        }
    }
    found
}

/// The edges of loops, by position.
#[derive(Default)]
struct Edges {
    above: FxHashMap<Place, Vec<(Key, Key)>>,
    left: FxHashMap<Place, Vec<(Key, Key)>>,
    right: FxHashMap<Place, Vec<(Key, Key)>>,
    down: FxHashMap<Place, Vec<(Key, Key)>>,
}

impl Edges {
    fn of(canvas: &Canvas, drawing: &Drawing, keys: &FxHashSet<Key>) -> Edges {
        let mut found = Edges::default();
        for layer in drawing.layers() {
            let Drawing::Looped { edges, .. } = layer else { continue };
            let through = through(edges, keys);
            for (a, b, _) in edges {
                let at = |key: Key| canvas.inside(canvas.origin, key);
                let (Some(p), Some(q)) = (at(*a.min(b)), at(*a.max(b))) else { continue };
                let (across, upright) = match through {
                    true => (&mut found.right, &mut found.down),
                    false => (&mut found.above, &mut found.left),
                };
                if p.0 == q.0 {
                    (p.1..q.1).for_each(|c| across.entry((p.0, c)).or_default().push((*a, *b)));
                } else if p.1 == q.1 {
                    (p.0..q.0).for_each(|r| upright.entry((r, p.1)).or_default().push((*a, *b)));
                }
            }
        }
        found
    }
}

/// The slot above or left of a cell; `None` if nothing can be drawn there.
fn slot(
    canvas: &Canvas,
    edges: &Edges,
    framed: bool,
    style: Style,
    place: Place,
    (r, c): Place,
    upright: bool,
) -> Option<Slot> {
    let here = if upright { canvas.left[r][c] } else { canvas.above[r][c] };
    let before = if upright { c.checked_sub(1).map(|c| (r, c)) } else { r.checked_sub(1).map(|r| (r, c)) };
    let (around, ways) = if upright { (&edges.left, &edges.right) } else { (&edges.above, &edges.down) };
    let around = around.get(&(r, c)).cloned().unwrap_or_default();
    let ways = before.and_then(|before| ways.get(&before)).cloned().unwrap_or_default();
    let wall = framed && here & FRAME != 0;
    if !wall && around.is_empty() && ways.is_empty() {
        return None;
    }
    let pen = Pen { style, walls: canvas.walls };
    let both = |possible: bool| if possible { &[false, true][..] } else { &[false][..] };
    let mut looks = Vec::new();
    for wall in both(wall) {
        for line in both(!around.is_empty()) {
            for way in both(!ways.is_empty()) {
                let mark = |is: bool, mark: Marks| if is { mark } else { 0 };
                let sides = mark(*wall, FRAME | here & BOX) | mark(*line, LOOP) | here & BOX;
                let across = mark(*way, LOOP);
                let sign = match (upright, across) {
                    (true, 0) => pen.upright(sides),
                    (false, 0) => pen.across(sides),
                    (true, _) => pen.crossing([sides, across, sides, across]),
                    (false, _) => pen.crossing([across, sides, across, sides]),
                };
                looks.push((State { wall: *wall, around: *line, way: *way }, sign));
            }
        }
    }
    let (r, c) = (r as i64 + canvas.origin.0, c as i64 + canvas.origin.1);
    let before = if upright { (r, c.saturating_sub(1)) } else { (r.saturating_sub(1), c) };
    Some(Slot { place, cells: (before, (r, c)), around, ways, looks })
}
