//! A drawing read back: what the model shows, as text, becomes conditions on its variables.
//!
//! What can be read is one `show` of entries, in boxes, frames and loops: the condition is that every entry is as it is
//! drawn, every line and, round regions to be found, every wall. A text in another layout than ours tells its entries alone.

use super::draw::nothing_drawn;
use super::fault::{Fault, Res, fault};
use super::ir::{Kind, Node};
use super::picture::{self, Cut};
use super::run::Eval;
use super::value::Value;
use crate::diag::{Code, Diagnostic};
use crate::model::{Asserted, Bool, Instance};
use crate::render::{self, Drawing, Key, Places, Style};
use crate::shared::{FileId, Span};
use rustc_hash::FxHashMap;

/// What a drawing says.
pub(super) struct Drawn {
    pub terms: Vec<Bool>,
    /// Are there entries or lines that say nothing?
    pub gaps: bool,
}

/// An entry of the model and its place.
type Shown = (Key, Value);

/// What the model shows, taken apart.
#[derive(Default)]
struct Parts {
    entries: Vec<Shown>,
    /// The edges of a loop.
    edges: FxHashMap<(Key, Key), Value>,
    /// The regions of a frame.
    regions: FxHashMap<Key, Value>,
}

/// A text with the entries where they stand, and what is drawn between them.
struct Found<'t> {
    entries: Vec<picture::Entry<'t>>,
    /// Is this edge or wall drawn, and where in the text?
    edges: Vec<((Key, Key), Mark)>,
    walls: Vec<((Key, Key), Mark)>,
}

/// A character of a line: is it drawn, if known, and its offset.
type Mark = (Option<bool>, usize);

/// Readings of a drawing, the first one that fits is taken.
const CUTS: [Cut; 4] = [Cut::Either, Cut::Framed, Cut::Words, Cut::FramedWords];

/// Why a drawing is not read.
pub(super) enum Unread {
    /// The model shows what tells no values.
    Model(Diagnostic),
    /// This text is none of the model's drawings.
    Text(Diagnostic),
}

impl Eval<'_> {
    /// The conditions under which the model is drawn as `text`.
    pub(super) fn read_drawing(&mut self, file: FileId, text: &str) -> Result<Drawn, Unread> {
        let whole = Span::new(file, 0, text.len());
        let program = self.program;
        let [show] = &program.shows[..] else {
            let message = "a drawing is read of a model that shows one thing alone";
            return Err(Unread::Model(fault_at(whole, message)));
        };
        let mark = self.pending_mark();
        let parts = self.frame(show.slots, |this| {
            let mut parts = Parts::default();
            this.take_apart(&show.node, &mut parts)?;
            Ok(parts)
        });
        let required = self.required_since(mark);
        let mut parts = parts.map_err(|fault| match *fault {
            Fault::Stop(_) => Unread::Text(fault.into_diagnostic()),
            _ => Unread::Model(
                fault_at(whole, "drawings of this model cannot be read")
                    .note(fault.into_diagnostic().message),
            ),
        })?;
        parts.entries.sort_by_key(|(key, _)| *key);
        self.conditions(file, text, &parts, required).map_err(Unread::Text)
    }

    fn conditions(
        &mut self,
        file: FileId,
        text: &str,
        parts: &Parts,
        required: Vec<Bool>,
    ) -> Result<Drawn, Diagnostic> {
        let found = match self.in_places(text, parts)? {
            Some(found) => found,
            None => Found { entries: self.in_rows(file, text, parts)?, edges: Vec::new(), walls: Vec::new() },
        };
        let mut drawn = Drawn { terms: required, gaps: false };
        for ((_, value), entry) in parts.entries.iter().zip(&found.entries) {
            let at = Span::new(file, entry.at, entry.at + entry.text.len());
            match self.drawn_as(value, entry.text, at).map_err(|fault| fault.into_diagnostic())? {
                Bool::TRUE => {}
                Bool::FALSE if nothing_drawn(entry.text) => drawn.gaps = true,
                Bool::FALSE => {
                    let message = format!("`{}` cannot stand here", entry.text);
                    let mut fault = fault_at(at, message);
                    if value.is_known() {
                        fault = fault.help(format!("the puzzle has `{}` there", self.draw_entry(value).text));
                    }
                    return Err(fault);
                }
                term => drawn.terms.push(term),
            }
        }
        for (marks, walls) in [(&found.edges, false), (&found.walls, true)] {
            // without any line nothing was drawn yet
            let open = !marks.is_empty() && marks.iter().all(|(_, (is, _))| *is != Some(true));
            drawn.gaps |= open || marks.iter().any(|(_, (is, _))| is.is_none());
            for ((p, q), (is, at)) in marks.iter().filter(|_| !open) {
                let at = Span::new(file, *at, *at);
                let (Some(is), Some(line)) = (*is, self.line_between(parts, walls, *p, *q, at)?) else {
                    continue;
                };
                match if is { line } else { !line } {
                    Bool::TRUE => {}
                    // the frame of the puzzle's own regions is not the answer's business
                    Bool::FALSE if walls => {}
                    Bool::FALSE => {
                        let what = if is { "no line can stand" } else { "a line is missing" };
                        return Err(fault_at(at, format!("{what} between {p:?} and {q:?}")));
                    }
                    term => drawn.terms.push(term),
                }
            }
        }
        Ok(drawn)
    }

    /// When is there a line, or a wall, between two places?
    fn line_between(
        &mut self,
        parts: &Parts,
        wall: bool,
        p: Key,
        q: Key,
        at: Span,
    ) -> Result<Option<Bool>, Diagnostic> {
        if wall {
            let Some((a, b)) = parts.regions.get(&p).zip(parts.regions.get(&q)) else { return Ok(None) };
            return Ok(Some(!self.equal(a, b, at).map_err(|fault| fault.into_diagnostic())?));
        }
        Ok(match parts.edges.get(&(p, q)) {
            Some(Value::Truth(term)) => Some(*term),
            Some(Value::Bool(known)) => Some(Bool::constant(*known)),
            _ => None,
        })
    }

    /// The entries of a text that has nothing but entries, frames and lines.
    fn in_rows<'t>(
        &self,
        file: FileId,
        text: &'t str,
        parts: &Parts,
    ) -> Result<Vec<picture::Entry<'t>>, Diagnostic> {
        let rows: Vec<&[Shown]> = parts.entries.chunk_by(|(a, _), (b, _)| a.0 == b.0).collect();
        let fits = |found: &Vec<Vec<picture::Entry<'_>>>| {
            found.len() == rows.len()
                && found.iter().zip(&rows).all(|(row, wanted)| row.len() == wanted.len())
        };
        for cut in CUTS {
            let mut read = picture::rows(text, cut, self.budget).map_err(super::fault::stop_diagnostic)?;
            read.retain(|row| !row.is_empty());
            if !fits(&read) {
                // corners of cells that no line passes
                read.retain(|row| row.iter().any(|entry| entry.text != "·"));
            }
            if fits(&read) {
                return Ok(read.into_iter().flatten().collect());
            }
        }
        let (height, width) = (rows.len(), rows.iter().map(|row| row.len()).max().unwrap_or(0));
        let message = format!("the model shows {height} rows of {width} entries, this drawing has others");
        Err(fault_at(Span::new(file, 0, text.len()), message))
    }

    /// A text that is laid out as the model's drawing is.
    fn in_places<'t>(&mut self, text: &'t str, parts: &Parts) -> Result<Option<Found<'t>>, Diagnostic> {
        let mut bare = self.drawn_with(&vec![None; self.model.vars.len()])?;
        let Some(mut bare) = bare.pop() else { return Ok(None) };
        close(&mut bare, &parts.entries);
        let mut lines: Vec<Vec<(usize, char)>> = Vec::new();
        for line in text.split_inclusive('\n') {
            let start = line.as_ptr() as usize - text.as_ptr() as usize;
            lines.push(line.trim_end().char_indices().map(|(at, c)| (start + at, c)).collect());
        }
        while lines.last().is_some_and(Vec::is_empty) {
            lines.pop();
        }
        lines.drain(..lines.iter().position(|line| !line.is_empty()).unwrap_or(0));
        let longest = lines.iter().map(Vec::len).max().unwrap_or(0);
        for ascii in [false, true] {
            let Some(places) = render::places(&bare, Style { ascii }, longest) else { continue };
            if places.lines != lines.len() {
                continue;
            }
            let known: Vec<Option<String>> = parts
                .entries
                .iter()
                .map(|(_, value)| value.is_known().then(|| self.draw_entry(value).text))
                .collect();
            let found = (0..=places.margin).find_map(|margin| read(text, &lines, &places, margin, &known));
            if found.is_some() {
                return Ok(found);
            }
        }
        Ok(None)
    }

    /// The positions that conditions alone give variables.
    pub(super) fn positions_of(&mut self, terms: &[Bool]) -> Vec<Option<u32>> {
        let posted = std::mem::take(&mut self.model.rules);
        let instance = Instance { rule: 0, ordinal: 0 };
        self.model.rules.extend(terms.iter().map(|what| Asserted { what: *what, instance }));
        let positions = self.model.given();
        self.model.rules = posted;
        positions
    }

    /// What stands in boxes, frames and loops, and these.
    fn take_apart(&mut self, node: &Node, parts: &mut Parts) -> Res<()> {
        if let Kind::Builtin(builtin, args) = &node.kind {
            match (builtin.name, &args[..]) {
                ("boxed" | "noted" | "tinted", [drawing, _]) => return self.take_apart(drawing, parts),
                ("framed", [drawing, regions]) => {
                    let mark = self.pending_mark();
                    match self.eval(regions).and_then(|regions| self.complete(&regions)) {
                        Ok(Value::Map(map)) => {
                            let cells =
                                map.iter().filter_map(|(key, value)| Some((key.as_cell()?, value.clone())));
                            parts.regions = cells.filter(|(_, value)| *value != Value::None).collect();
                        }
                        Ok(_) => {}
                        Err(fault) if matches!(*fault, Fault::Stop(_)) => return Err(fault),
                        // then its walls say nothing
                        Err(_) => self.forget_pending(mark),
                    }
                    return self.take_apart(drawing, parts);
                }
                ("looped", [line, drawing]) => {
                    let line = self.eval(line)?;
                    if let Value::Map(map) = self.complete(&line)? {
                        let edges =
                            map.iter().filter_map(|(key, value)| Some((key.as_edge()?, value.clone())));
                        parts.edges = edges.collect();
                    }
                    return self.take_apart(drawing, parts);
                }
                _ => {}
            }
        }
        let value = self.eval(node)?;
        let value = self.complete(&value)?;
        parts.entries = self.shown_entries(&value, node.span)?;
        Ok(())
    }

    fn shown_entries(&mut self, value: &Value, span: Span) -> Res<Vec<Shown>> {
        let mut entries = Vec::new();
        match value {
            Value::Map(map) => {
                for (key, value) in map.iter() {
                    let key = match key {
                        Value::Int(column) => Some((1, *column)),
                        key => key.as_cell(),
                    };
                    let Some(key) = key else { return no_array(span) };
                    entries.push((key, value.clone()));
                }
            }
            Value::List(items) => entries.extend((1..).map(|at| (1, at)).zip(items.iter().cloned())),
            _ => return no_array(span),
        }
        Ok(entries)
    }

    /// When is the value drawn as this text?
    fn drawn_as(&mut self, value: &Value, text: &str, at: Span) -> Res<Bool> {
        Ok(match value {
            Value::Truth(term) => match text {
                "#" => *term,
                "." => !*term,
                _ => Bool::FALSE,
            },
            Value::Number(_) => match text.parse() {
                Ok(number) => self.equal(value, &Value::Int(number), at)?,
                Err(_) => Bool::FALSE,
            },
            Value::Choice(choice) => {
                let mut parts = Vec::with_capacity(choice.arms.len());
                for (cond, arm) in &choice.arms {
                    let same = self.drawn_as(arm, text, at)?;
                    parts.push(self.model.arena.and2(*cond, same));
                }
                self.model.arena.or(parts)
            }
            known => Bool::constant(self.draw_entry(known).text == text),
        })
    }
}

/// Regions that are not known yet have walls all round: only so is every place there.
fn close(drawing: &mut Drawing, entries: &[Shown]) {
    match drawing {
        Drawing::Framed { inner, regions } => {
            if regions.len() < entries.len() {
                *regions = entries.iter().map(|(key, _)| *key).zip(0..).collect();
            }
            close(inner, entries);
        }
        Drawing::Boxed { inner, .. } | Drawing::Looped { inner, .. } | Drawing::Noted { inner, .. } => {
            close(inner, entries);
        }
        _ => {}
    }
}

/// The text at these places, a margin left out; `None` if an entry is not as known.
fn read<'t>(
    text: &'t str,
    lines: &[Vec<(usize, char)>],
    places: &Places,
    margin: usize,
    known: &[Option<String>],
) -> Option<Found<'t>> {
    let char_at = |line: usize, column: usize| lines.get(line)?.get(column.checked_sub(margin)?).copied();
    let mut fields: FxHashMap<Key, picture::Entry<'t>> = FxHashMap::default();
    for (key, line, columns) in &places.entries {
        let mut field = columns.clone().filter_map(|column| char_at(*line, column)).peekable();
        // a line may lead to the entry through its field
        let lead = |c: char| c == ' ' || places.through && render::is_line(c);
        let mut at = field.peek()?.0;
        let mut end = at;
        while let Some((from, c)) = field.next() {
            end = from + c.len_utf8();
            if lead(c) && field.peek().is_some() {
                at = end;
            } else {
                end = field.last().map_or(end, |(last, c)| last + c.len_utf8());
                break;
            }
        }
        fields.insert(*key, picture::Entry { text: &text[at..end], at });
    }
    let mut order: Vec<&Key> = fields.keys().collect();
    order.sort();
    let mut entries = Vec::with_capacity(known.len());
    for (key, known) in order.into_iter().zip(known) {
        let field = &fields[key];
        let passed = places.through && field.text.chars().all(render::is_line);
        let entry = picture::Entry { text: if passed { "." } else { field.text }, at: field.at };
        let same = known.as_ref().is_none_or(|known| *known == entry.text || known.trim().is_empty());
        if !same || entry.text.trim().is_empty() && known.is_none() {
            return None;
        }
        entries.push(entry);
    }
    let mark = |(line, column): (usize, usize)| {
        let end = lines.get(line).and_then(|line| line.last()).map_or(0, |(at, c)| at + c.len_utf8());
        match char_at(line, column) {
            Some((at, '?' | '╌' | '╎')) => (None, at),
            Some((at, c)) => (Some(c != ' '), at),
            None => (Some(false), end),
        }
    };
    let marks =
        |of: &[((Key, Key), (usize, usize))]| of.iter().map(|(pair, place)| (*pair, mark(*place))).collect();
    Some(Found { entries, edges: marks(&places.edges), walls: marks(&places.walls) })
}

fn no_array<T>(span: Span) -> Res<T> {
    Err(fault(Code::TypeMismatch, span, "what it shows is no array of cells"))
}

fn fault_at(at: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Code::Picture, message.into()).at(at, "").help(
        "an answer is `name = value` items, the JSON of `-f json`, a board file, or what `rebus solve` draws",
    )
}
