//! Documents with choices of line breaks (P. Wadler, "A prettier printer", 2003; filling as in prettier).
//!
//! In: a tree of [`Node`]s, built by their numbers. Out: lines of at most [`WIDTH`] columns where the choices
//! allow it. A line ends after a trailing comment; apart from that, comments do not affect the layout, which
//! makes it idempotent. Nothing recurses: a document nests as deep as its source text. Knows nothing of the
//! language.

use unicode_width::UnicodeWidthStr;

/// Columns of a line.
pub const WIDTH: usize = 100;
/// A part that starts to the right of this column is not aligned but moved to the next line.
const ALIGNED: usize = 24;
/// Trailing comments start in one of these columns, so that those of adjacent lines are aligned.
const COMMENTS: [usize; 5] = [47, 59, 71, 83, 95];
const STEP: usize = 2;
const BLANKS: &str =
    "                                                                                                    ";

/// The number of a node.
pub type Id = u32;

#[derive(Clone, Debug)]
pub enum Node<'s> {
    /// Text without a line break.
    Text(&'s str),
    /// Text of several lines, unchanged.
    Verbatim(&'s str),
    /// A blank, or a line break if the whole does not fit.
    Line,
    /// A line break.
    Hard,
    /// A trailing comment.
    Tail(&'s str),
    /// A comment on a line of its own.
    Above(&'s str),
    Seq(Vec<Id>),
    /// On one line if it fits.
    Group(Id),
    /// On one line, even if it does not fit.
    Flat(Id),
    /// Its next lines are indented.
    Nest(Id),
    /// Its next lines start in its first column.
    Align(Id),
    /// Its next lines start in its first column, or indented from the start of this line.
    Hang(Id),
    /// Starts on the line after its bracket if it could only hang.
    Block(Id),
    /// Starts on the next line, indented from the start of this line.
    Below(Id),
    /// As many parts on a line as fit.
    Fill(Vec<Id>),
}

/// The cost of a layout: first the columns beyond the width, then the lines.
pub type Cost = (usize, usize);

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    Flat,
    Break,
}

/// A node to print, from its part `next` on.
#[derive(Clone, Copy)]
struct Frame {
    id: Id,
    next: usize,
    mode: Mode,
    indent: usize,
}

/// All nodes of a text.
#[derive(Default)]
pub struct Docs<'s> {
    nodes: Vec<Node<'s>>,
}

impl<'s> Docs<'s> {
    pub fn add(&mut self, node: Node<'s>) -> Id {
        self.nodes.push(node);
        (self.nodes.len() - 1) as Id
    }

    pub fn text(&mut self, text: &'s str) -> Id {
        self.add(Node::Text(text))
    }

    pub fn seq(&mut self, parts: impl Into<Vec<Id>>) -> Id {
        self.add(Node::Seq(parts.into()))
    }

    /// `n` blanks, at most [`WIDTH`].
    pub fn blanks(&mut self, n: usize) -> Id {
        self.text(&BLANKS[..n.min(WIDTH)])
    }

    /// The columns of a node on one line; `None` if it needs several lines, or is wider than a line.
    pub fn flat_width(&self, id: Id) -> Option<usize> {
        let frame = Frame { id, next: 0, mode: Mode::Flat, indent: 0 };
        self.room_left(WIDTH, frame, &[], false).map(|left| WIDTH - left)
    }

    /// Prints a node.
    pub fn print(&self, id: Id) -> (String, Cost) {
        let mut printer =
            Printer { docs: self, out: String::new(), tails: Vec::new(), column: 0, start: 0, cost: (0, 1) };
        printer.run(id);
        printer.flush();
        printer.overflow();
        (printer.out, printer.cost)
    }

    /// The rest of `room` columns after `first` and the nodes of `rest` up to the next possible line break;
    /// `None` if they do not fit. `pending`: a comment waits for the end of the line.
    fn room_left(&self, mut room: usize, first: Frame, rest: &[Frame], mut pending: bool) -> Option<usize> {
        let mut stack = vec![first];
        let mut behind = rest.len();
        loop {
            let Some(frame) = stack.pop() else {
                if behind == 0 {
                    return Some(room);
                }
                behind -= 1;
                stack.push(rest[behind]);
                continue;
            };
            let Frame { id, next, mode, .. } = frame;
            match &self.nodes[id as usize] {
                Node::Text(text) if pending && ends_line(text) => return None,
                Node::Text(text) => room = room.checked_sub(text.width())?,
                Node::Verbatim(text) if mode == Mode::Break => {
                    return room.checked_sub(text.lines().next().unwrap_or("").width());
                }
                Node::Line | Node::Hard | Node::Below(_) | Node::Above(_) if mode == Mode::Break => {
                    return Some(room);
                }
                Node::Verbatim(_) | Node::Hard | Node::Below(_) | Node::Above(_) => return None,
                Node::Line if pending => return None,
                Node::Line => room = room.checked_sub(1)?,
                Node::Tail(_) => pending = true,
                Node::Flat(inner) => {
                    stack.push(Frame { id: *inner, next: 0, mode: Mode::Flat, ..frame });
                }
                // The nodes after it may break where they can, a group too.
                Node::Group(inner)
                | Node::Nest(inner)
                | Node::Align(inner)
                | Node::Hang(inner)
                | Node::Block(inner) => stack.push(Frame { id: *inner, next: 0, ..frame }),
                Node::Seq(parts) => {
                    if let Some(part) = parts.get(next) {
                        stack.push(Frame { next: next + 1, ..frame });
                        stack.push(Frame { id: *part, next: 0, ..frame });
                    }
                }
                Node::Fill(parts) => {
                    if let Some(part) = parts.get(next) {
                        if next > 0 && mode == Mode::Break {
                            return Some(room);
                        }
                        if next > 0 {
                            room = if pending { None } else { room.checked_sub(1) }?;
                        }
                        stack.push(Frame { next: next + 1, ..frame });
                        stack.push(Frame { id: *part, next: 0, ..frame });
                    }
                }
            }
        }
    }
}

/// Does a comment before this text end its line? A comma may still come before the comment.
fn ends_line(text: &str) -> bool {
    text != ","
}

struct Printer<'d, 's> {
    docs: &'d Docs<'s>,
    out: String,
    /// Comments that wait for the end of the line.
    tails: Vec<&'s str>,
    column: usize,
    /// The indentation of this line; it is written together with the first text.
    start: usize,
    cost: Cost,
}

impl<'s> Printer<'_, 's> {
    fn run(&mut self, id: Id) {
        let mut stack = vec![Frame { id, next: 0, mode: Mode::Break, indent: 0 }];
        while let Some(frame) = stack.pop() {
            let inner = |id: Id| Frame { id, next: 0, ..frame };
            match &self.docs.nodes[frame.id as usize] {
                Node::Text(text) if text.starts_with(' ') => {
                    if self.tails.is_empty() && !self.is_at_start() {
                        self.write(text);
                    }
                }
                Node::Text(text) => {
                    if ends_line(text) {
                        self.end_comment(frame.indent);
                    }
                    self.write(text);
                }
                Node::Verbatim(text) => {
                    self.end_comment(frame.indent);
                    let first = text.lines().next().unwrap_or("");
                    self.write(first);
                    self.out.push_str(&text[first.len()..]);
                    self.cost.1 += text.matches('\n').count();
                    if let Some(last) = text.rfind('\n') {
                        self.column = text[last + 1..].width();
                    }
                }
                Node::Line if frame.mode == Mode::Flat => self.blank(),
                Node::Line | Node::Hard => self.newline(frame.indent),
                Node::Tail(text) => self.tails.push(text),
                Node::Above(text) => {
                    // A comment at the start of a line keeps its indentation.
                    let indent = if self.is_at_start() { self.start } else { frame.indent };
                    self.newline(indent);
                    self.tails.push(text);
                    self.newline(indent);
                }
                Node::Seq(parts) => {
                    if let Some(part) = parts.get(frame.next) {
                        stack.push(Frame { next: frame.next + 1, ..frame });
                        stack.push(inner(*part));
                    }
                }
                Node::Group(id) => {
                    let flat = Frame { mode: Mode::Flat, ..inner(*id) };
                    stack.push(if self.fits(flat, &stack) { flat } else { inner(*id) });
                }
                Node::Flat(id) => {
                    let flat = Frame { mode: Mode::Flat, ..inner(*id) };
                    // A node that needs several lines is not allowed here.
                    let fits = self.tails.is_empty() && self.docs.flat_width(*id).is_some();
                    self.cost.0 += usize::from(!fits);
                    stack.push(flat);
                }
                Node::Nest(id) => stack.push(Frame { indent: frame.indent + STEP, ..inner(*id) }),
                Node::Align(id) => stack.push(Frame { indent: self.column, ..inner(*id) }),
                Node::Hang(id) | Node::Block(id) if self.column <= ALIGNED || frame.mode == Mode::Flat => {
                    stack.push(Frame { indent: self.column, ..inner(*id) });
                }
                Node::Hang(id) => stack.push(Frame { indent: self.start + STEP, ..inner(*id) }),
                Node::Block(id) | Node::Below(id) => {
                    let indent = self.start + STEP;
                    self.newline(indent);
                    stack.push(Frame { indent, ..inner(*id) });
                }
                Node::Fill(parts) => {
                    let Some(part) = parts.get(frame.next) else { continue };
                    stack.push(Frame { next: frame.next + 1, ..frame });
                    let flat = Frame { mode: Mode::Flat, ..inner(*part) };
                    if frame.next > 0 {
                        self.column += 1;
                        let fits = self.tails.is_empty() && self.fits(flat, &stack);
                        self.column -= 1;
                        if fits || frame.mode == Mode::Flat {
                            self.blank();
                        } else {
                            self.newline(frame.indent);
                        }
                    }
                    stack.push(if self.fits(flat, &stack) { flat } else { inner(*part) });
                }
            }
        }
    }

    /// Does a node fit on the rest of the line? If it does, its parts are not checked again.
    fn fits(&self, flat: Frame, rest: &[Frame]) -> bool {
        rest.last().is_some_and(|around| around.mode == Mode::Flat)
            || WIDTH
                .checked_sub(self.column)
                .and_then(|room| self.docs.room_left(room, flat, rest, !self.tails.is_empty()))
                .is_some()
    }

    fn write(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        if self.is_at_start() {
            self.out.extend(std::iter::repeat_n(' ', self.start));
        }
        self.out.push_str(text);
        self.column += text.width();
    }

    fn is_at_start(&self) -> bool {
        self.out.is_empty() || self.out.ends_with('\n')
    }

    /// A blank between two things on a line.
    fn blank(&mut self) {
        if !self.is_at_start() {
            self.write(" ");
        }
    }

    /// Breaks the line if a comment waits: only a comma may come between a token and its comment.
    fn end_comment(&mut self, indent: usize) {
        if !self.tails.is_empty() {
            self.newline(indent);
        }
    }

    fn newline(&mut self, indent: usize) {
        self.flush();
        self.overflow();
        if !self.is_at_start() {
            self.out.push('\n');
            self.cost.1 += 1;
        }
        (self.column, self.start) = (indent, indent);
    }

    fn overflow(&mut self) {
        self.cost.0 += self.column.saturating_sub(WIDTH);
    }

    /// Writes the waiting comments as one (several only if a comma was between them).
    fn flush(&mut self) {
        if self.tails.is_empty() {
            return;
        }
        let code = self.column;
        let comment = std::mem::take(&mut self.tails).join(" ");
        if !self.is_at_start() {
            let fits = |stop: &usize| *stop >= code + STEP && stop + comment.width() <= WIDTH;
            let stop = COMMENTS.into_iter().find(fits).unwrap_or(code + STEP);
            self.write(&BLANKS[..(stop - code).min(WIDTH)]);
        }
        self.write(&comment);
        self.column = code;
    }
}
