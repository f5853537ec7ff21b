//! Drawing: decorations around a grid of entries.

use super::Builtin;
use super::lists::size;
use crate::eval::{Res, Value, unknown};
use crate::render::Drawing;
use std::rc::Rc;

pub(super) const TABLE: &[Builtin] = &[
    Builtin {
        name: "boxed",
        signature: "boxed(d, (h, w))",
        doc: "A drawing with lines between boxes of h rows and w columns.",
        example: ("boxed({(1, c): c for c in 1..4}, (1, 2))", "drawing"),
        returns_bool: false,
        arity: (2, 2),
        run: |eval, args, span| {
            let inner = Box::new(eval.drawing(&args[0], span)?);
            let (height, width) = size(&args[1], span)?;
            drawn(Drawing::Boxed { inner, height, width })
        },
    },
    Builtin {
        name: "framed",
        signature: "framed(d, region) or framed(d, wall)",
        doc: "A drawing with walls between cells of different regions; over edges, with the true ones as walls.",
        example: ("framed({(1, c): c for c in 1..4}, {(1, c): c / 3 for c in 1..4})", "drawing"),
        returns_bool: false,
        arity: (2, 2),
        run: |eval, args, span| {
            let inner = Box::new(eval.drawing(&args[0], span)?);
            let (regions, walls) = eval.frame_lines(&args[1], span)?;
            drawn(Drawing::Framed { inner, regions, walls })
        },
    },
    Builtin {
        name: "looped",
        signature: "looped(line, d)",
        doc: "A drawing with the edges of a line: round the entries, or through them when all points of the edges are keys of d.",
        example: ("looped({e: true for e in edges(1, 1)}, {(1, 1): 3})", "drawing"),
        returns_bool: false,
        arity: (2, 2),
        run: |eval, args, span| {
            let inner = Box::new(eval.drawing(&args[1], span)?);
            let edges = eval.loop_edges(&args[0], span)?;
            drawn(Drawing::Looped { inner, edges })
        },
    },
    Builtin {
        name: "noted",
        signature: "noted(d, notes)",
        doc: "A drawing with clues in its pictures: in cells, beside the board, or between two cells where the key is a pair; text is as without them.",
        example: ("noted({(1, c): c for c in 1..2}, {((1, 1), (1, 2)): \"<\"})", "drawing"),
        returns_bool: false,
        arity: (2, 2),
        run: |eval, args, span| {
            let inner = Box::new(eval.drawing(&args[0], span)?);
            let notes = eval.notes(&args[1], span)?;
            drawn(Drawing::Noted { inner, notes })
        },
    },
    Builtin {
        name: "super",
        signature: "super(k)",
        doc: "A number in superscript digits.",
        example: ("super(12)", "¹²"),
        returns_bool: false,
        arity: (1, 1),
        run: |eval, args, span| {
            if !args[0].is_known() {
                return unknown(span, "a text must be known before solving");
            }
            let text = eval.text(&args[0])?;
            let raised = text.chars().map(|c| match c {
                '0'..='9' => ['⁰', '¹', '²', '³', '⁴', '⁵', '⁶', '⁷', '⁸', '⁹'][c as usize - '0' as usize],
                '-' => '⁻',
                c => c,
            });
            Ok(Value::text(&raised.collect::<String>()))
        },
    },
    Builtin {
        name: "tinted",
        signature: "tinted(d, a)",
        doc: "A drawing whose pictures have grounds of one colour where an array has one value; text is as without them.",
        example: ("tinted({(1, c): c for c in 1..4}, {(1, c): c % 2 for c in 1..4})", "drawing"),
        returns_bool: false,
        arity: (2, 2),
        run: |eval, args, span| {
            let inner = Box::new(eval.drawing(&args[0], span)?);
            let notes = eval.tints(&args[1], span)?;
            drawn(Drawing::Noted { inner, notes })
        },
    },
];

fn drawn(drawing: Drawing) -> Res<Value> {
    Ok(Value::Drawing(Rc::new(drawing)))
}
