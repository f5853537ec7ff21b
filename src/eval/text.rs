//! Values as text.
//!
//! A value may be small in memory and long as text, because parts are shared. In results, values are written
//! as far as the budget allows ([`Eval::text`]). In messages they are cut ([`Eval::text_of`],
//! [`Eval::literal_of`]). Keys and values of variables must be short ([`Eval::is_short`]), so they appear in
//! names in full.

use super::fault::{Fault, Res, unknown};
use super::ir::TextNode;
use super::run::{Eval, Mode};
use super::value::Value;
use crate::model::{BoolNode, IntNode};
use crate::shared::{Budget, Stop};
use std::fmt::Write;

/// How values are written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    /// As in pictures, labels and `text(e)`: members by their glyph, booleans as words.
    Shown,
    /// As in JSON and symbol maps: members by name.
    Named,
    /// In model syntax: strings quoted, members by name.
    Literal,
}

impl Style {
    /// The style for the parts of a value.
    fn inside(self) -> Style {
        match self {
            Style::Named => Style::Shown,
            style => style,
        }
    }
}

/// Maximal bytes of a value in a message.
const IN_MESSAGE: usize = 1 << 10;
/// Maximal bytes of a key or value in a name.
pub(super) const SHORT: usize = 1 << 12;

/// Why a text is incomplete.
enum Cut {
    Stop(Stop),
    /// It has reached its maximal length.
    Short,
}

impl From<Stop> for Cut {
    fn from(stop: Stop) -> Cut {
        Cut::Stop(stop)
    }
}

/// A text that grows within the budget.
pub(super) struct Growing<'b> {
    text: String,
    most: usize,
    budget: Option<&'b Budget>,
}

impl<'b> Growing<'b> {
    pub(super) fn new(budget: &'b Budget) -> Growing<'b> {
        Growing { text: String::new(), most: usize::MAX, budget: Some(budget) }
    }

    fn push(&mut self, part: &str) -> Result<(), Cut> {
        if self.text.len() + part.len() > self.most {
            let room = self.most - self.text.len();
            let end = (0..=room).rev().find(|at| part.is_char_boundary(*at)).unwrap_or(0);
            self.text.push_str(&part[..end]);
            return Err(Cut::Short);
        }
        Ok(self.add(part)?)
    }

    pub(super) fn add(&mut self, part: &str) -> Result<(), Stop> {
        let Some(budget) = self.budget else {
            self.text.push_str(part);
            return Ok(());
        };
        budget.step(1 + part.len() as u64 / 64)?;
        if self.text.capacity() - self.text.len() < part.len() {
            let more = part.len().max(self.text.len()).max(32);
            // and a copy of the finished text
            budget.charge(2 * more as u64)?;
            self.text.reserve_exact(more);
        }
        self.text.push_str(part);
        Ok(())
    }

    pub(super) fn done(self) -> String {
        self.text
    }
}

impl Eval<'_> {
    /// The text as in pictures, labels and `text(e)`.
    pub fn text(&self, value: &Value) -> Result<String, Stop> {
        let mut out = Growing::new(self.budget);
        self.add_text(value, &mut out)?;
        Ok(out.done())
    }

    /// The text of a key or value of a variable, as in JSON and symbol maps.
    pub fn name_text(&self, value: &Value) -> String {
        match value {
            Value::Str(text) => text.to_string(),
            value => self.cut(value, Style::Named, 2 * SHORT).0,
        }
    }

    /// A key or a value of a variable in model syntax.
    pub fn name_literal(&self, value: &Value) -> String {
        self.cut(value, Style::Literal, 2 * SHORT).0
    }

    /// Is it short enough to be part of a name?
    pub(super) fn is_short(&self, value: &Value) -> bool {
        match value {
            Value::Int(_) | Value::Bool(_) | Value::Member(_) => true,
            value => value.as_cell().is_some() || !self.cut(value, Style::Literal, SHORT).1,
        }
    }

    /// As [`Eval::text`], for a message.
    pub fn text_of(&self, value: &Value) -> String {
        self.for_message(value, Style::Shown)
    }

    /// As [`Eval::name_literal`], for a message.
    pub fn literal_of(&self, value: &Value) -> String {
        self.for_message(value, Style::Literal)
    }

    fn for_message(&self, value: &Value, style: Style) -> String {
        let (mut text, cut) = self.cut(value, style, IN_MESSAGE);
        if cut {
            text.push('…');
        }
        text
    }

    /// The first `most` bytes, and whether there are more.
    fn cut(&self, value: &Value, style: Style, most: usize) -> (String, bool) {
        let mut out = Growing { text: String::new(), most, budget: None };
        let cut = self.write(value, style, &mut out).is_err();
        (out.done(), cut)
    }

    fn write(&self, value: &Value, style: Style, out: &mut Growing<'_>) -> Result<(), Cut> {
        match value {
            Value::None => out.push("none"),
            Value::Bool(b) => out.push(if *b { "true" } else { "false" }),
            Value::Int(i) => {
                let mut digits = String::new();
                let _ = write!(digits, "{i}");
                out.push(&digits)
            }
            Value::Member(member) => {
                let (name, glyph) = &self.program.enums[member.of as usize].members[member.index as usize];
                out.push(match style {
                    Style::Shown => glyph.as_ref().unwrap_or(name),
                    Style::Named | Style::Literal => name,
                })
            }
            Value::Str(s) if style == Style::Literal => {
                out.push("\"")?;
                for part in s.split_inclusive(['\\', '"']) {
                    let plain = part.trim_end_matches(['\\', '"']);
                    out.push(plain)?;
                    if plain.len() < part.len() {
                        out.push("\\")?;
                        out.push(&part[plain.len()..])?;
                    }
                }
                out.push("\"")
            }
            Value::Str(s) => out.push(s),
            Value::Tuple(items) => self.write_all(("(", ")"), items, style.inside(), out),
            Value::List(items) => self.write_all(("[", "]"), items, style.inside(), out),
            Value::Map(map) => {
                for (at, (key, value)) in map.iter().enumerate() {
                    out.push(if at == 0 { "{" } else { ", " })?;
                    self.write(key, Style::Shown, out)?;
                    out.push(": ")?;
                    self.write(value, Style::Shown, out)?;
                }
                out.push(if map.keys.len() == 0 { "{}" } else { "}" })
            }
            Value::Truth(_) | Value::Number(_) | Value::Choice(_) => {
                out.push(&self.name_of(value).unwrap_or_else(|| "·".into()))
            }
            Value::Drawing(_) => out.push("drawing"),
            Value::Held(_) => out.push("·"),
        }
    }

    fn write_all(
        &self,
        (open, close): (&str, &str),
        items: &[Value],
        style: Style,
        out: &mut Growing<'_>,
    ) -> Result<(), Cut> {
        out.push(open)?;
        for (at, item) in items.iter().enumerate() {
            if at > 0 {
                out.push(", ")?;
            }
            self.write(item, style, out)?;
        }
        out.push(close)
    }

    /// The name of an unknown that is a variable.
    pub fn name_of(&self, value: &Value) -> Option<String> {
        let var = match value {
            Value::Truth(term) if !term.is_negated() => match self.model.arena.bool_node(*term) {
                BoolNode::Var(var) => Some(var),
                _ => None,
            },
            Value::Number(term) => match self.model.arena.int_node(*term) {
                IntNode::Var(var) => Some(var),
                _ => None,
            },
            Value::Choice(choice) => choice.var,
            _ => None,
        };
        var.map(|var| self.var_name(var))
    }

    pub(super) fn text_nodes(&mut self, parts: &[TextNode]) -> Res<String> {
        let mut text = Growing::new(self.budget);
        for part in parts {
            match part {
                TextNode::Literal(literal) => text.add(literal)?,
                TextNode::Elsewhere => text.add("…")?,
                TextNode::Value(node, _) => {
                    let value = match self.eval(node) {
                        Ok(value) if self.mode == Mode::Partial => value,
                        Ok(value) => self.complete(&value)?,
                        Err(fault) if self.mode == Mode::Partial && matches!(*fault, Fault::Unknown(_)) => {
                            text.add("·")?;
                            continue;
                        }
                        Err(fault) => return Err(fault),
                    };
                    if !value.is_known() {
                        if self.mode == Mode::Partial {
                            text.add("·")?;
                            continue;
                        }
                        return unknown(node.span, "a text must be known before solving");
                    }
                    self.add_text(&value, &mut text)?;
                }
            }
        }
        Ok(text.done())
    }

    /// Adds a value as [`Eval::text`] writes it.
    pub(super) fn add_text(&self, value: &Value, text: &mut Growing<'_>) -> Result<(), Stop> {
        match self.write(value, Style::Shown, text) {
            Err(Cut::Stop(stop)) => Err(stop),
            Ok(()) | Err(Cut::Short) => Ok(()),
        }
    }

    /// The joined texts of known values, with a separator.
    pub fn joined(&self, values: &[Value], between: &str) -> Result<String, Stop> {
        let mut text = Growing::new(self.budget);
        for (at, value) in values.iter().enumerate() {
            if at > 0 {
                text.add(between)?;
            }
            self.add_text(value, &mut text)?;
        }
        Ok(text.done())
    }

    /// A label with its expressions filled in; an unknown is written by its name.
    pub(super) fn label_nodes(&mut self, parts: &[TextNode]) -> Res<String> {
        let mut text = Growing::new(self.budget);
        let mark = self.pending_mark();
        for part in parts {
            match part {
                TextNode::Literal(literal) => text.add(literal)?,
                TextNode::Elsewhere => text.add("…")?,
                TextNode::Value(node, written) => match self.eval(node) {
                    Ok(value) if value.is_known() => self.add_text(&value, &mut text)?,
                    Ok(value) => match self.name_of(&value) {
                        Some(name) => text.add(&name)?,
                        None => text.add(written)?,
                    },
                    Err(fault) if matches!(*fault, Fault::Stop(_)) => return Err(fault),
                    Err(_) => text.add(written)?,
                },
            }
        }
        // a label adds no conditions
        self.forget_pending(mark);
        Ok(text.done())
    }
}
