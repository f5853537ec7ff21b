//! Forms of drawings: text and pictures.

use crate::render::{self, Drawing, Known, Shown, Style};

pub use crate::render::Area;

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

/// A picture for a page: SVG without its style, and where its cells are.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Picture {
    /// The element. Its style is [`Picture::style`], which a page has once.
    pub svg: String,
    /// The boards in it.
    pub areas: Vec<Area>,
}

impl Picture {
    /// The style sheet of all pictures.
    pub fn style() -> &'static str {
        render::STYLE
    }

    pub(super) fn of(known: &Known, drawings: &[Drawing], title: &str) -> Picture {
        Picture::several(known, &[drawings], title).swap_remove(0)
    }

    /// Several drawings of a puzzle, with marks where they differ.
    pub(super) fn several(known: &Known, drawings: &[&[Drawing]], title: &str) -> Vec<Picture> {
        let pictures = known.shown(drawings).into_iter().enumerate().map(|(at, shown)| {
            let name = format!("drawing-{at}");
            let (svg, areas) = render::picture(&Shown::below(vec![shown]), &name, title, false);
            Picture { svg, areas }
        });
        pictures.collect()
    }
}
