//! Forms of drawings: text and pictures.

use crate::render::{self, Drawing, Known, Style};

/// The form of a drawing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Form {
    /// Text with box-drawing characters.
    Text,
    /// Text of plain ASCII.
    Ascii,
    /// A picture in which given and found entries look different.
    Svg,
}

impl Form {
    pub(super) fn draw(self, known: &Known, drawings: &[Drawing], title: &str) -> String {
        let text = |ascii: bool| -> String {
            drawings.iter().map(|drawing| render::text(drawing, Style { ascii })).collect()
        };
        match self {
            Form::Text => text(false),
            Form::Ascii => render::plain(&text(true)),
            Form::Svg => {
                let shown = known.shown(&[drawings]);
                render::svg(&render::Shown::below(shown), "drawing", title, true)
            }
        }
    }
}
