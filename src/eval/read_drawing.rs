//! Reads a drawing back: a text in the form of the model's `show` becomes conditions on the variables.
//!
//! Supported is one `show` of entries, in boxes, frames and loops that nest in any order. The conditions
//! state that every entry, line and wall is as drawn. From a text in another layout, only the entries are
//! read.

use super::draw::nothing_drawn;
use super::fault::{Fault, Res, fault};
use super::ir::{Kind, Node};
use super::layout::{Expected, Laid, Lines, states};
use super::picture::{self, Cut};
use super::run::Eval;
use super::value::Value;
use crate::diag::{Code, Diagnostic};
use crate::model::{Asserted, Bool, Instance};
use crate::render::{self, Drawing, Key, Places, Slot, State, Style};
use crate::shared::{FileId, Span};
use rustc_hash::{FxHashMap, FxHashSet};

/// The result of reading a drawing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ReadDrawing {
    pub terms: Vec<Bool>,
    /// Are there entries or lines that give no information?
    pub gaps: bool,
    /// Does it have the layout of the model's own drawings?
    pub own_layout: bool,
    /// Do the conditions fix all entries, lines and walls?
    pub whole: bool,
    /// Does the drawing have more than entries?
    pub lines: bool,
    /// A part of the drawing that fits no solution.
    pub wrong: Option<Diagnostic>,
}

/// An entry of the model and its place.
type Shown = (Key, Value);

/// The parts of what the model shows.
#[derive(Default)]
struct Parts {
    entries: Vec<Shown>,
    /// The edges of loops.
    edges: FxHashMap<(Key, Key), Vec<Value>>,
    /// The regions of frames.
    frames: Vec<FxHashMap<Key, Value>>,
    /// The walls of frames, and the cells beside them.
    walls: Vec<(FxHashMap<(Key, Key), Value>, FxHashSet<Key>)>,
    /// Are there regions whose dependence on the variables is unknown?
    vague: bool,
}

impl Parts {
    fn is_unframed(&self) -> bool {
        self.frames.is_empty() && self.walls.is_empty() && !self.vague
    }
}

/// Readings of a drawing in another layout; the first one that fits is taken.
const CUTS: [Cut; 4] = [Cut::Either, Cut::Framed, Cut::Words, Cut::FramedWords];

/// Why a drawing cannot be read.
pub(super) enum Unread {
    /// What the model shows does not determine values.
    Model(Diagnostic),
    /// This text is none of the model's drawings.
    Text(Diagnostic),
}

impl Eval<'_> {
    /// The conditions under which the model is drawn as `text`.
    pub(super) fn read_drawing(&mut self, file: FileId, text: &str) -> Result<ReadDrawing, Unread> {
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
        let mut drawn = ReadDrawing { terms: required, whole: true, ..ReadDrawing::default() };
        // a reading with missing entries is tried only if nothing else fits
        let mut placed = self.in_places(text, &parts, false).map_err(Unread::Text)?;
        let mut rows = Vec::new();
        if placed.is_none() {
            match self.in_rows(file, text, &parts) {
                Ok(found) => rows = found,
                Err(fault) => {
                    placed = self.in_places(text, &parts, true).map_err(Unread::Text)?;
                    if placed.is_none() {
                        return Err(Unread::Text(fault));
                    }
                }
            }
        }
        let read = match placed {
            Some((places, laid)) => {
                drawn.own_layout = true;
                drawn.lines = !places.slots.is_empty();
                let read = self.entries_drawn(file, text, &parts, &places, &laid.entries, &mut drawn);
                read.and_then(|()| self.lines_drawn(file, &parts, &places.slots, &laid, &mut drawn))
            }
            None => {
                drawn.whole = parts.edges.is_empty() && parts.is_unframed();
                self.entries_drawn(file, text, &parts, &Places::default(), &rows, &mut drawn)
            }
        };
        read.map(|()| drawn).map_err(Unread::Text)
    }

    /// Adds the conditions that entries are as drawn.
    fn entries_drawn(
        &mut self,
        file: FileId,
        text: &str,
        parts: &Parts,
        places: &Places,
        entries: &[picture::Entry<'_>],
        drawn: &mut ReadDrawing,
    ) -> Result<(), Diagnostic> {
        let ascii = text.is_ascii();
        let nothing = |text: &str| nothing_drawn(text) || ascii && text == ":";
        for ((_, value), entry) in parts.entries.iter().zip(entries) {
            let at = Span::new(file, entry.at, entry.at + entry.text.len());
            drawn.whole &= !is_vague(value);
            // a line through an empty cell is drawn in its place
            let passed = places.through && entry.text.chars().all(render::is_line);
            let texts = if passed { &[entry.text, ".", ""][..] } else { &[entry.text][..] };
            let mut any = Vec::with_capacity(texts.len());
            for text in texts {
                any.push(self.drawn_as(value, text, ascii, at).map_err(|fault| fault.into_diagnostic())?);
            }
            match self.model.arena.or(any) {
                Bool::TRUE => {}
                Bool::FALSE if value.is_known() => {
                    let known = self.draw_entry(value).map_err(super::stop_diagnostic)?.text;
                    if !(nothing(entry.text) && nothing_drawn(&known)) {
                        let message = format!("`{}` stands where the puzzle has `{known}`", entry.text);
                        drawn.wrong.get_or_insert(fault_at(at, message));
                    }
                }
                Bool::FALSE if nothing(entry.text) => drawn.gaps = true,
                Bool::FALSE => {
                    let fault = fault_at(at, format!("`{}` cannot stand here", entry.text));
                    // an entry that is possible elsewhere is wrong here; one that is possible nowhere means
                    // that this is no drawing
                    if !self.stands_somewhere(parts, entry.text, ascii, at)? {
                        return Err(fault);
                    }
                    drawn.wrong.get_or_insert(fault);
                }
                term => drawn.terms.push(term),
            }
        }
        Ok(())
    }

    /// Can an entry be drawn as this text?
    fn stands_somewhere(
        &mut self,
        parts: &Parts,
        text: &str,
        ascii: bool,
        at: Span,
    ) -> Result<bool, Diagnostic> {
        for (_, value) in &parts.entries {
            let same = self.drawn_as(value, text, ascii, at).map_err(|fault| fault.into_diagnostic())?;
            if same != Bool::FALSE {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Adds the conditions that walls and lines are as drawn.
    fn lines_drawn(
        &mut self,
        file: FileId,
        parts: &Parts,
        slots: &[Slot],
        laid: &Laid<'_>,
        drawn: &mut ReadDrawing,
    ) -> Result<(), Diagnostic> {
        let states: Vec<Option<Vec<State>>> =
            slots.iter().zip(&laid.slots).map(|(slot, (sign, _))| states(slot, *sign)).collect();
        // without any line, nothing is drawn yet
        let line = |states: &Option<Vec<State>>| {
            states.as_ref().is_some_and(|states| states.iter().all(|state| state.around || state.way))
        };
        let open = !parts.edges.is_empty() && !states.iter().any(line);
        drawn.gaps |= open;
        for ((slot, states), (sign, at)) in slots.iter().zip(states).zip(&laid.slots) {
            let Some(states) = states else {
                drawn.gaps = true;
                continue;
            };
            let at = Span::new(file, *at, *at);
            let wall = self.is_wall(parts, slot, at)?;
            drawn.whole &= wall.is_some();
            let [around, way] = [&slot.around, &slot.ways].map(|edges| {
                let values = edges.iter().flat_map(|edge| parts.edges.get(edge).into_iter().flatten());
                let terms = values.filter_map(|value| match value {
                    Value::Truth(term) => Some(*term),
                    Value::Bool(known) => Some(Bool::constant(*known)),
                    _ => None,
                });
                self.model.arena.or(terms.collect::<Vec<_>>())
            });
            let mut any = Vec::with_capacity(states.len());
            for state in states {
                let mut all = Vec::with_capacity(3);
                all.extend(wall.map(|wall| if state.wall { wall } else { !wall }));
                if !open {
                    all.push(if state.around { around } else { !around });
                    all.push(if state.way { way } else { !way });
                }
                any.push(self.model.arena.and(all));
            }
            match self.model.arena.or(any) {
                Bool::TRUE => {}
                // the frame of the puzzle's own regions does not depend on the answer
                Bool::FALSE if slot.around.is_empty() && slot.ways.is_empty() => {}
                Bool::FALSE => {
                    let message = match sign {
                        ' ' => "a line is missing".to_owned(),
                        sign => format!("`{sign}` cannot stand here"),
                    };
                    drawn.wrong.get_or_insert(fault_at(at, message));
                }
                term => drawn.terms.push(term),
            }
        }
        Ok(())
    }

    /// The condition that there is a wall; `None` if it is unknown.
    fn is_wall(&mut self, parts: &Parts, slot: &Slot, at: Span) -> Result<Option<Bool>, Diagnostic> {
        if parts.vague {
            return Ok(None);
        }
        let mut walls = Vec::with_capacity(parts.frames.len());
        for regions in &parts.frames {
            let [a, b] = [slot.cells.0, slot.cells.1].map(|key| regions.get(&key).unwrap_or(&Value::None));
            walls.push(!self.equal(a, b, at).map_err(|fault| fault.into_diagnostic())?);
        }
        for (edges, cells) in &parts.walls {
            let (a, b) = slot.cells;
            walls.push(match edges.get(&(a, b)).or_else(|| edges.get(&(b, a))) {
                Some(wall) => self.to_bool(wall, at).map_err(|fault| fault.into_diagnostic())?,
                None => Bool::constant(cells.contains(&a) != cells.contains(&b)),
            });
        }
        Ok(Some(self.model.arena.or(walls)))
    }

    /// Reads a text in the layout of the model's own drawing.
    fn in_places<'t>(
        &mut self,
        text: &'t str,
        parts: &Parts,
        loose: bool,
    ) -> Result<Option<(Places, Laid<'t>)>, Diagnostic> {
        let mut bare = self.drawn_with(&vec![None; self.model.vars.len()])?;
        let Some(mut bare) = bare.pop() else { return Ok(None) };
        close(&mut bare, &parts.entries);
        let lines = Lines::of(text);
        let mut expected = Vec::with_capacity(parts.entries.len());
        for (_, value) in &parts.entries {
            let known = match value.is_known() {
                true => {
                    let entry = self.draw_entry(value).map_err(super::stop_diagnostic)?;
                    let text = render::harmless(&entry.text, false);
                    Some(if text.trim_matches(' ').is_empty() { String::new() } else { text })
                }
                false => None,
            };
            let nowhere = Span::new(FileId(0), 0, 0);
            let blank = match &known {
                Some(known) => known.is_empty(),
                None => {
                    self.drawn_as(value, "", false, nowhere).map_err(|f| f.into_diagnostic())? != Bool::FALSE
                }
            };
            expected.push(Expected { known, blank });
        }
        let mut best: Option<(Places, Laid<'t>)> = None;
        for ascii in [false, true] {
            let mut layouts = render::places(&bare, Style { ascii }, lines.longest());
            if ascii {
                let plain = |text: String| render::plain(&text);
                expected.iter_mut().for_each(|entry| entry.known = entry.known.take().map(plain));
            }
            if let Some((at, laid)) = lines.read(&layouts, &expected, loose)
                && best.as_ref().is_none_or(|(_, best)| laid.score > best.score)
            {
                best = Some((layouts.swap_remove(at), laid));
            }
        }
        Ok(best)
    }

    /// Reads the entries of a text that has only entries, frames and lines.
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
            let mut read = picture::rows(text, cut, self.budget).map_err(super::stop_diagnostic)?;
            read.retain(|row| !row.is_empty());
            if !fits(&read) {
                // corners of cells without a line through them
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

    /// The positions of variables that the conditions alone fix.
    pub(super) fn positions_of(&mut self, terms: &[Bool]) -> Vec<Option<u32>> {
        let posted = std::mem::take(&mut self.model.rules);
        let instance = Instance { rule: 0, ordinal: 0 };
        self.model.rules.extend(terms.iter().map(|what| Asserted { what: *what, instance }));
        let positions = self.model.given();
        self.model.rules = posted;
        positions
    }

    /// Collects the entries inside boxes, frames and loops, and these themselves.
    fn take_apart(&mut self, node: &Node, parts: &mut Parts) -> Res<()> {
        if let Kind::Builtin(builtin, args) = &node.kind {
            match (builtin.name, &args[..]) {
                ("boxed" | "noted" | "tinted", [drawing, _]) => return self.take_apart(drawing, parts),
                ("framed", [drawing, regions]) => {
                    let mark = self.pending_mark();
                    match self.eval(regions).and_then(|regions| self.complete(&regions)) {
                        Ok(Value::Map(map)) if map.iter().all(|(key, _)| key.as_edge().is_some()) => {
                            let edge = |(key, value): (&Value, &Value)| Some((key.as_edge()?, value.clone()));
                            let edges: FxHashMap<(Key, Key), Value> = map.iter().filter_map(edge).collect();
                            let cells = edges.keys().flat_map(|(p, q)| [*p, *q]).collect();
                            parts.walls.push((edges, cells));
                        }
                        Ok(Value::Map(map)) => {
                            let cells =
                                map.iter().filter_map(|(key, value)| Some((key.as_cell()?, value.clone())));
                            parts.frames.push(cells.collect());
                        }
                        Ok(_) => {}
                        Err(fault) if matches!(*fault, Fault::Stop(_)) => return Err(fault),
                        // then its walls give no information
                        Err(_) => {
                            self.forget_pending(mark);
                            parts.vague = true;
                        }
                    }
                    return self.take_apart(drawing, parts);
                }
                ("looped", [line, drawing]) => {
                    let line = self.eval(line)?;
                    if let Value::Map(map) = self.complete(&line)? {
                        for (key, value) in map.iter() {
                            if let Some(edge) = key.as_edge() {
                                parts.edges.entry(edge).or_default().push(value.clone());
                            }
                        }
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
            Value::List(items) if items.iter().any(|item| matches!(item, Value::List(_))) => {
                for (row, item) in (1..).zip(items.iter()) {
                    let parts = self.to_list(item, span)?;
                    entries.extend((1..).map(|column| (row, column)).zip(parts.iter().cloned()));
                }
            }
            Value::List(items) => entries.extend((1..).map(|at| (1, at)).zip(items.iter().cloned())),
            _ => return no_array(span),
        }
        Ok(entries)
    }

    /// The condition that the value is drawn as this text; if the text is pure ASCII, its signs may be ASCII
    /// replacements.
    fn drawn_as(&mut self, value: &Value, text: &str, ascii: bool, at: Span) -> Res<Bool> {
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
                    let same = self.drawn_as(arm, text, ascii, at)?;
                    parts.push(self.model.arena.and2(*cond, same));
                }
                self.model.arena.or(parts)
            }
            vague if !vague.is_known() => Bool::TRUE,
            known => {
                let drawn = render::harmless(&self.draw_entry(known)?.text, false);
                let drawn = drawn.trim_matches(' ');
                Bool::constant(drawn == text || ascii && render::plain(drawn) == text)
            }
        })
    }
}

/// Gives regions that are not known yet walls on all sides: only then every place for a wall exists.
fn close(drawing: &mut Drawing, entries: &[Shown]) {
    match drawing {
        Drawing::Framed { inner, regions, walls } => {
            if regions.len() < entries.len() || !walls.is_empty() || regions.iter().all(|(_, id)| *id == 0) {
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

/// Does the text hide which part is unknown, such as the entries of a tuple?
fn is_vague(value: &Value) -> bool {
    match value {
        Value::Truth(_) | Value::Number(_) => false,
        Value::Choice(choice) => choice.arms.iter().any(|(_, arm)| is_vague(arm)),
        value => !value.is_known(),
    }
}

fn no_array<T>(span: Span) -> Res<T> {
    Err(fault(Code::TypeMismatch, span, "what it shows is no array of cells"))
}

fn fault_at(at: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::error(Code::Picture, message.into()).at(at, "").help(
        "an answer is `name = value` items, the JSON of `-f json`, a board file, or what `rebus solve` draws",
    )
}
