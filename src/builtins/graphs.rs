//! Graph constraints: names of the language that a later version gives their meaning.

use super::Builtin;
use crate::diag::{Code, Diagnostic};
use crate::eval::{Eval, Res, Value};
use crate::shared::Span;

pub(super) const TABLE: &[Builtin] = &[
    Builtin {
        name: "acyclic",
        signature: "acyclic(line)",
        doc: "Do the chosen edges hold no ring? Comes in a later version.",
        example: ("", ""),
        returns_bool: false,
        arity: (1, 2),
        run: later,
    },
    Builtin {
        name: "area",
        signature: "area(b, p)",
        doc: "The number of cells of the component of true cells (or of equal values) that holds p. Comes in a later version.",
        example: ("", ""),
        returns_bool: false,
        arity: (2, 3),
        run: later,
    },
    Builtin {
        name: "connected",
        signature: "connected(b, [edges])",
        doc: "Do the true cells form one component? None is fine. Comes in a later version.",
        example: ("", ""),
        returns_bool: false,
        arity: (1, 2),
        run: later,
    },
    Builtin {
        name: "divided",
        signature: "divided(label)",
        doc: "Are the cells of each label connected? `none` is exempt. Comes in a later version.",
        example: ("", ""),
        returns_bool: false,
        arity: (1, 2),
        run: later,
    },
    Builtin {
        name: "loop",
        signature: "loop(line)",
        doc: "Do the chosen edges form exactly one closed loop? Comes in a later version.",
        example: ("", ""),
        returns_bool: false,
        arity: (1, 2),
        run: later,
    },
    Builtin {
        name: "path",
        signature: "path(line, a, b)",
        doc: "Do the chosen edges form one path with the ends a and b? Comes in a later version.",
        example: ("", ""),
        returns_bool: false,
        arity: (3, 4),
        run: later,
    },
    Builtin {
        name: "reaches",
        signature: "reaches(b, from)",
        doc: "Is every true cell joined through true cells to one of `from`? Comes in a later version.",
        example: ("", ""),
        returns_bool: false,
        arity: (2, 3),
        run: later,
    },
    Builtin {
        name: "tree",
        signature: "tree(line)",
        doc: "Are the chosen edges connected and without a ring? Comes in a later version.",
        example: ("", ""),
        returns_bool: false,
        arity: (1, 2),
        run: later,
    },
];

fn later(_: &mut Eval<'_>, _: &[Value], span: Span) -> Res<Value> {
    Err(Diagnostic::error(Code::NotYet, "this version has no graph constraints yet")
        .at(span, "comes in a later version")
        .note("connected, loop, path, tree, acyclic, divided, reaches and area are reserved for it")
        .into())
}
