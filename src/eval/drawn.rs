//! A drawing read back: what the model shows, as text, becomes conditions on its variables.
//!
//! What can be read is one `show` of entries, in boxes, frames and lines, which are passed over: the condition is that
//! every entry is as it is drawn.

use super::draw::nothing_drawn;
use super::fault::{Res, fault};
use super::ir::{Kind, Node};
use super::picture::{self, Cut};
use super::run::Eval;
use super::value::Value;
use crate::diag::{Code, Diagnostic};
use crate::model::{Asserted, Bool, Instance};
use crate::render::Key;
use crate::shared::{FileId, Span};

/// What a drawing says.
pub(super) struct Drawn {
    pub terms: Vec<Bool>,
    /// Are there entries that say nothing?
    pub gaps: bool,
}

/// An entry of the model and its place.
type Shown = (Key, Value);

/// Readings of a drawing, the first one that fits is taken.
const CUTS: [Cut; 4] = [Cut::Either, Cut::Framed, Cut::Words, Cut::FramedWords];

impl Eval<'_> {
    /// The conditions under which the model is drawn as `text`.
    pub(super) fn read_drawing(&mut self, file: FileId, text: &str) -> Result<Drawn, Diagnostic> {
        let whole = Span::new(file, 0, text.len());
        let program = self.program;
        let [show] = &program.shows[..] else {
            let message = "a drawing is read of a model that shows one thing alone";
            return Err(fault_at(whole, message));
        };
        let mark = self.pending_mark();
        let entries = self.frame(show.slots, |this| {
            let value = this.eval(inner(&show.node))?;
            this.shown_entries(&value, show.node.span)
        });
        let required = self.required_since(mark);
        let mut entries = entries.map_err(|fault| {
            let note = fault.into_diagnostic().message;
            fault_at(whole, "drawings of this model cannot be read").note(note)
        })?;
        entries.sort_by_key(|(key, _)| *key);
        let rows: Vec<&[Shown]> = entries.chunk_by(|(a, _), (b, _)| a.0 == b.0).collect();
        let fits = |found: &Vec<Vec<picture::Entry<'_>>>| {
            found.len() == rows.len()
                && found.iter().zip(&rows).all(|(row, wanted)| row.len() == wanted.len())
        };
        let mut found = None;
        for cut in CUTS {
            let mut read = picture::rows(text, cut, self.budget).map_err(super::fault::stop_diagnostic)?;
            read.retain(|row| !row.is_empty());
            if !fits(&read) {
                // corners of cells that no line passes
                read.retain(|row| row.iter().any(|entry| entry.text != "·"));
            }
            if fits(&read) {
                found = Some(read);
                break;
            }
        }
        let Some(found) = found else {
            let (height, width) = (rows.len(), rows.iter().map(|row| row.len()).max().unwrap_or(0));
            let message =
                format!("the model shows {height} rows of {width} entries, this drawing has others");
            return Err(fault_at(whole, message));
        };
        let mut drawn = Drawn { terms: required, gaps: false };
        for ((_, value), entry) in entries.iter().zip(found.iter().flatten()) {
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
        Ok(drawn)
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

/// What stands in boxes, frames and lines.
fn inner(node: &Node) -> &Node {
    match &node.kind {
        Kind::Builtin(builtin, args) => match (builtin.name, &args[..]) {
            ("boxed" | "framed" | "noted" | "tinted", [drawing, _]) | ("looped", [_, drawing]) => {
                inner(drawing)
            }
            _ => node,
        },
        _ => node,
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
