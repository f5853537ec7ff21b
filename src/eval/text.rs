//! Values as text.

use super::fault::{Fault, Res, unknown};
use super::ir::TextNode;
use super::run::{Eval, Mode};
use super::value::Value;
use crate::model::{BoolNode, IntNode};

impl Eval<'_> {
    /// As printed in pictures, labels and `text(e)`: members by their glyph, booleans as words.
    pub fn text_of(&self, value: &Value) -> String {
        let list =
            |items: &[Value]| items.iter().map(|item| self.text_of(item)).collect::<Vec<_>>().join(", ");
        match value {
            Value::None => "none".into(),
            Value::Bool(b) => b.to_string(),
            Value::Int(i) => i.to_string(),
            Value::Member(member) => {
                let (name, glyph) = &self.program.enums[member.of as usize].members[member.index as usize];
                glyph.as_ref().unwrap_or(name).to_string()
            }
            Value::Str(s) => s.to_string(),
            Value::Tuple(items) => format!("({})", list(items)),
            Value::List(items) => format!("[{}]", list(items)),
            Value::Map(map) => {
                let pairs =
                    map.iter().map(|(key, value)| format!("{}: {}", self.text_of(key), self.text_of(value)));
                format!("{{{}}}", pairs.collect::<Vec<_>>().join(", "))
            }
            Value::Truth(_) | Value::Number(_) | Value::Choice(_) => {
                self.name_of(value).unwrap_or_else(|| "·".into())
            }
            Value::Drawing(_) => "drawing".into(),
            Value::Held(_) => "·".into(),
        }
    }

    /// As JSON and symbol maps write it: members by name.
    pub fn name_text(&self, value: &Value) -> String {
        match value {
            Value::Member(member) => {
                self.program.enums[member.of as usize].members[member.index as usize].0.to_string()
            }
            value => self.text_of(value),
        }
    }

    /// As a model would write the value: strings quoted, members by name.
    pub fn literal_of(&self, value: &Value) -> String {
        let list =
            |items: &[Value]| items.iter().map(|item| self.literal_of(item)).collect::<Vec<_>>().join(", ");
        match value {
            Value::Str(s) => format!("\"{}\"", s.replace('\\', "\\\\").replace('"', "\\\"")),
            Value::Member(_) => self.name_text(value),
            Value::Tuple(items) => format!("({})", list(items)),
            Value::List(items) => format!("[{}]", list(items)),
            value => self.text_of(value),
        }
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
        let mut text = String::new();
        for part in parts {
            match part {
                TextNode::Literal(literal) => text.push_str(literal),
                TextNode::Elsewhere => text.push('…'),
                TextNode::Value(node, _) => {
                    let value = match self.eval(node) {
                        Ok(value) if self.mode == Mode::Partial => value,
                        Ok(value) => self.complete(&value)?,
                        Err(fault) if self.mode == Mode::Partial && matches!(*fault, Fault::Unknown(_)) => {
                            text.push('·');
                            continue;
                        }
                        Err(fault) => return Err(fault),
                    };
                    if !value.is_known() {
                        if self.mode == Mode::Partial {
                            text.push('·');
                            continue;
                        }
                        return unknown(node.span, "a text must be known before solving");
                    }
                    let more = self.text_of(&value);
                    self.budget.step(more.len() as u64 / 64)?;
                    self.budget.hold((text.len() + more.len()) as u64)?;
                    text.push_str(&more);
                }
            }
        }
        Ok(text)
    }

    /// A label with what it says filled in; an unknown is written by its name.
    pub(super) fn label_nodes(&mut self, parts: &[TextNode]) -> Res<String> {
        let mut text = String::new();
        let mark = self.pending_mark();
        for part in parts {
            match part {
                TextNode::Literal(literal) => text.push_str(literal),
                TextNode::Elsewhere => text.push('…'),
                TextNode::Value(node, written) => match self.eval(node) {
                    Ok(value) if value.is_known() => text.push_str(&self.text_of(&value)),
                    Ok(value) => match self.name_of(&value) {
                        Some(name) => text.push_str(&name),
                        None => text.push_str(written),
                    },
                    Err(fault) if matches!(*fault, Fault::Stop(_)) => return Err(fault),
                    Err(_) => text.push_str(written),
                },
            }
        }
        // a label asks for nothing
        self.forget_pending(mark);
        Ok(text)
    }
}
