//! Regions between walls: a division of a graph, told by edges.
//!
//! In: an array of booleans over edges; a true edge is a wall. Out: the condition that walls stand between different
//! regions only, and the sizes of regions. Both are terms over one graph, whose edges are those without a wall.

use super::Builtin;
use super::graphs::{Chosen, area_at};
use super::lists::array;
use super::nets::{Areas, Net};
use crate::diag::{Code, Diagnostic};
use crate::eval::{Eval, Res, Value};
use crate::model::{Bool, Graph, Property};
use crate::shared::Span;
use std::rc::Rc;

pub(super) const TABLE: &[Builtin] = &[
    Builtin {
        name: "partition",
        signature: "partition(wall, [edges])",
        doc: "Do the walls, true edges, part the points into regions: does every wall stand between two of them? The points of a region hang \
              together by edges without a wall.",
        example: (r#"partition({("a", "b"): true, ("b", "c"): false, ("a", "c"): false})"#, "false"),
        returns_bool: true,
        arity: (1, 2),
        run: |eval, args, span| {
            let walls = Walls::read(eval, &args[0], args.get(1), "partition", span)?;
            let term = eval.model.arena.graph_is(walls.graph(), Property::Partition);
            eval.graph_term(term, "partition", span)
        },
    },
    Builtin {
        name: "region",
        signature: "region(wall, p, [edges])",
        doc: "The number of points that hang together with p by edges without a wall, a true edge; p is one of them.",
        example: (r#"region({("a", "b"): true, ("b", "c"): false}, "c")"#, "2"),
        returns_bool: false,
        arity: (2, 3),
        run: region,
    },
];

/// Edges that may be walls.
struct Walls {
    net: Rc<Net>,
    /// Per edge: the condition "it is a wall".
    on: Vec<Bool>,
}

impl Walls {
    fn read(eval: &mut Eval<'_>, value: &Value, edges: Option<&Value>, name: &str, span: Span) -> Res<Walls> {
        let Chosen { net, on } = Chosen::read(eval, value, edges, span)?;
        if !net.over_edges && !on.is_empty() {
            let message = format!("`{name}` is of walls: an array of booleans over edges `(p, q)`");
            return Err(Diagnostic::error(Code::TypeMismatch, message)
                .at(span, "these keys are no edges")
                .help("`var wall[edges(a)] : bool` has an entry for each two neighbouring cells of a")
                .into());
        }
        Ok(Walls { net, on })
    }

    /// Every point is present, and an edge without a wall joins its ends.
    fn graph(&self) -> Graph {
        let edges = self.net.pairs.iter().zip(&self.on).map(|((a, b), wall)| (*a, *b, !*wall)).collect();
        Graph { vertices: vec![Bool::TRUE; self.net.points.len()], edges, parted: true, ..Graph::default() }
    }
}

fn region(eval: &mut Eval<'_>, args: &[Value], span: Span) -> Res<Value> {
    let Value::Map(map) = &args[0] else {
        return array(&args[0], span).map(|_| Value::None);
    };
    let areas = match eval.derived.nets.areas(map, args.get(2), true) {
        Some(known) => known,
        None => {
            let walls = Walls::read(eval, &args[0], args.get(2), "region", span)?;
            let at = (0..walls.net.points.len() as u32).map(Some).collect();
            let areas = Rc::new(Areas::new(eval, walls.net.clone(), walls.graph(), at));
            eval.derived.nets.keep(map, args.get(2), true, areas.clone());
            areas
        }
    };
    area_at(eval, &areas, &args[1], 1, span)
}
