//! Graph constraints on the true cells, or the chosen edges, of an array.
//!
//! Arrays become graphs whose vertices and edges are conditions. A property of a single vertex (its number of
//! edges) becomes ordinary terms; a property of the whole graph becomes a graph term. If everything is known,
//! the result is computed.

use super::Builtin;
use super::lists::array;
use super::nets::{Areas, Net, net};
use crate::diag::{Code, Diagnostic};
use crate::eval::{Eval, Map, Res, Value, can_be_equal, error, unknown};
use crate::model::{Arena, Atom, Bool, Graph, Property, Term};
use crate::shared::Span;
use std::collections::BTreeSet;
use std::rc::Rc;

pub(super) const TABLE: &[Builtin] = &[
    Builtin {
        name: "acyclic",
        signature: "acyclic(line, [edges])",
        doc: "Do the chosen edges (or true cells) hold no ring?",
        example: (r#"acyclic({("a", "b"): true, ("b", "c"): true, ("a", "c"): false})"#, "true"),
        returns_bool: true,
        arity: (1, 2),
        run: |eval, args, span| whole(eval, args, "acyclic", Property::Acyclic, span),
    },
    Builtin {
        name: "area",
        signature: "area(b, p, [edges])",
        doc: "The number of cells of the component of true cells that holds p, 0 where `b[p]` is false or p is no key; of other \
              values, of the component of equal ones. Over edges: the number of points of the component of chosen edges that holds \
              the point p.",
        example: ("area({(1, 1): 2, (1, 2): 2, (1, 3): 3}, (1, 1))", "2"),
        returns_bool: false,
        arity: (2, 3),
        run: area,
    },
    Builtin {
        name: "connected",
        signature: "connected(b, [edges])",
        doc: "Do the true cells (or the chosen edges, joined at their points) form one component? None is fine. Cells are neighbours along \
              a side; `edges`, pairs of keys, say otherwise.",
        example: ("connected({(1, 1): true, (1, 2): false, (1, 3): true})", "false"),
        returns_bool: true,
        arity: (1, 2),
        run: |eval, args, span| whole(eval, args, "connected", Property::Connected, span),
    },
    Builtin {
        name: "divided",
        signature: "divided(label, [edges])",
        doc: "Are the cells of each label connected? `none` is exempt.",
        example: ("divided({(1, 1): \"x\", (1, 2): \"y\", (1, 3): \"x\"})", "false"),
        returns_bool: true,
        arity: (1, 2),
        run: divided,
    },
    Builtin {
        name: "loop",
        signature: "loop(line, [edges])",
        doc: "Do the chosen edges (or true cells) form exactly one closed loop?",
        example: ("loop({e: true for e in edges(1, 1)})", "true"),
        returns_bool: true,
        arity: (1, 2),
        run: |eval, args, span| {
            let chosen = Chosen::read(eval, &args[0], args.get(1), span)?;
            let mut parts = chosen.degrees(eval, &[]);
            parts.push(eval.model.arena.or(chosen.on.iter().copied()));
            chosen.with(eval, parts, "loop", span)
        },
    },
    Builtin {
        name: "path",
        signature: "path(line, a, b, [edges])",
        doc: "Do the chosen edges (or true cells) form one path with the ends a and b? False if a = b.",
        example: (r#"path({("a", "b"): true, ("b", "c"): true}, "a", "c")"#, "true"),
        returns_bool: true,
        arity: (3, 4),
        run: path,
    },
    Builtin {
        name: "reaches",
        signature: "reaches(b, from, [edges])",
        doc: "Is every true cell joined through true cells to one of `from`? Over edges `from` are points.",
        example: ("reaches({(1, 1): true, (1, 2): true, (1, 3): false}, [(1, 1), (1, 3)])", "true"),
        returns_bool: true,
        arity: (2, 3),
        run: |eval, args, span| {
            let chosen = Chosen::read(eval, &args[0], args.get(2), span)?;
            if !args[1].is_known() {
                return unknown(span, "where cells are to reach must be known before solving");
            }
            let points = &chosen.net.points;
            let from = match points.position(&args[1]) {
                Some(at) => vec![at],
                None if fits_one(&args[1], &points.list) => Vec::new(),
                None => {
                    let list = eval.to_list(&args[1], span)?;
                    list.iter().try_for_each(|p| a_point(eval, p, &chosen.net, span))?;
                    list.iter().filter_map(|p| points.position(p)).collect()
                }
            };
            let (graph, at) = chosen.graph(eval);
            let roots: Vec<u32> = from.into_iter().filter_map(|point| at[point]).collect();
            let term = eval.model.arena.graph_is(graph, Property::Reaches(&roots));
            eval.graph_term(term, "reaches", span)
        },
    },
    Builtin {
        name: "tree",
        signature: "tree(line, [edges])",
        doc: "Are the chosen edges (or true cells) connected and without a ring?",
        example: ("tree({e: true for e in edges(1, 1)})", "false"),
        returns_bool: true,
        arity: (1, 2),
        run: |eval, args, span| whole(eval, args, "tree", Property::Tree, span),
    },
];

/// The chosen cells or edges of an array.
pub(super) struct Chosen {
    pub net: Rc<Net>,
    /// The condition for each key of the array.
    pub on: Vec<Bool>,
}

impl Chosen {
    pub fn read(eval: &mut Eval<'_>, value: &Value, edges: Option<&Value>, span: Span) -> Res<Chosen> {
        let map = array(value, span)?;
        let net = net(eval, map, edges, span)?;
        let on: Res<Vec<Bool>> = map.values.iter().map(|entry| eval.to_bool(entry, span)).collect();
        Ok(Chosen { net, on: on? })
    }

    /// The graph of the chosen cells or edges without points that are always false, and the vertex of each
    /// point.
    fn graph(&self, eval: &mut Eval<'_>) -> (Graph, Vec<Option<u32>>) {
        let arena = &mut eval.model.arena;
        let there: Vec<Bool> = match self.net.over_edges {
            false => self.on.clone(),
            true => self.incident().into_iter().map(|edges| arena.or(edges)).collect(),
        };
        let mut graph = Graph::default();
        let mut at = Vec::with_capacity(there.len());
        for point in there {
            at.push((point != Bool::FALSE).then_some(graph.vertices.len() as u32));
            if point != Bool::FALSE {
                graph.vertices.push(point);
            }
        }
        graph.places = self.net.places.as_ref().map(|places| {
            places.iter().zip(&at).filter(|(_, at)| at.is_some()).map(|(place, _)| *place).collect()
        });
        for (edge, (a, b)) in self.net.pairs.iter().enumerate() {
            if let (Some(p), Some(q)) = (at[*a as usize], at[*b as usize]) {
                let joined = match self.net.over_edges {
                    false => arena.and2(self.on[*a as usize], self.on[*b as usize]),
                    true => self.on[edge],
                };
                graph.edges.push((p, q, joined));
            }
        }
        (graph, at)
    }

    /// For each point the conditions of its edges, or of its neighbours.
    fn incident(&self) -> Vec<Vec<Bool>> {
        let mut incident = vec![Vec::new(); self.net.points.len()];
        for (edge, (a, b)) in self.net.pairs.iter().enumerate() {
            let (at_a, at_b) = match self.net.over_edges {
                true => (self.on[edge], self.on[edge]),
                false => (self.on[*b as usize], self.on[*a as usize]),
            };
            incident[*a as usize].push(at_a);
            incident[*b as usize].push(at_b);
        }
        incident
    }

    /// Every chosen point has two edges. Each list of `ends` has a condition for each point: an additional
    /// edge end there.
    fn degrees(&self, eval: &mut Eval<'_>, ends: &[Vec<Bool>]) -> Vec<Bool> {
        let arena = &mut eval.model.arena;
        let mut parts = Vec::new();
        for (point, mut edges) in self.incident().into_iter().enumerate() {
            edges.extend(ends.iter().map(|end| end[point]).filter(|end| *end != Bool::FALSE));
            let there = (!self.net.over_edges).then(|| self.on[point]);
            if let Some(there) = there {
                parts.extend(ends.iter().map(|end| arena.implies(end[point], there)));
                if edges.is_empty() {
                    parts.push(!there);
                }
            }
            for (at, edge) in edges.iter().enumerate() {
                // no edge alone
                let others =
                    edges.iter().enumerate().filter(|(other, _)| *other != at).map(|(_, edge)| *edge);
                let others: Vec<Bool> = others.chain([!there.unwrap_or(*edge)]).collect();
                parts.push(arena.or(others));
            }
            parts.extend(at_most_two(arena, there.unwrap_or(Bool::TRUE), &edges));
        }
        parts
    }

    /// The conjunction of these conditions and of connectivity.
    fn with(&self, eval: &mut Eval<'_>, mut parts: Vec<Bool>, name: &'static str, span: Span) -> Res<Value> {
        let (graph, _) = self.graph(eval);
        parts.push(eval.model.arena.graph_is(graph, Property::Connected));
        let term = eval.model.arena.and(parts);
        eval.graph_term(term, name, span)
    }
}

/// Up to this number of triples, each is excluded by a conjunct of its own.
const FEW_TRIPLES: usize = 120;

/// At most two of the edges hold where `there` holds.
fn at_most_two(arena: &mut Arena, there: Bool, edges: &[Bool]) -> Vec<Bool> {
    let n = edges.len();
    if n * n.saturating_sub(1) * n.saturating_sub(2) / 6 > FEW_TRIPLES {
        let terms = edges.iter().map(|edge| Term { coef: 1, atom: Atom::Bool(*edge) }).collect();
        // coefficients of 1 and a bound of 2 stay far below 64 bits
        return arena.le(terms, 2).map(|few| arena.implies(there, few)).into_iter().collect();
    }
    let mut parts = Vec::new();
    for (i, a) in edges.iter().enumerate() {
        for (j, b) in edges.iter().enumerate().skip(i + 1) {
            for c in &edges[j + 1..] {
                let three = arena.and([there, *a, *b, *c]);
                parts.push(!three);
            }
        }
    }
    parts
}

/// The graph term: the whole graph of the chosen cells or edges has this property.
fn whole(
    eval: &mut Eval<'_>,
    args: &[Value],
    name: &'static str,
    property: Property<'_>,
    span: Span,
) -> Res<Value> {
    let chosen = Chosen::read(eval, &args[0], args.get(1), span)?;
    let (graph, _) = chosen.graph(eval);
    let term = eval.model.arena.graph_is(graph, property);
    eval.graph_term(term, name, span)
}

fn path(eval: &mut Eval<'_>, args: &[Value], span: Span) -> Res<Value> {
    let chosen = Chosen::read(eval, &args[0], args.get(3), span)?;
    let mut ends = Vec::with_capacity(2);
    for end in &args[1..3] {
        a_point(eval, end, &chosen.net, span)?;
        let points = &chosen.net.points.list;
        let at: Res<Vec<Bool>> = points.iter().map(|point| eval.equal(point, end, span)).collect();
        ends.push(at?);
    }
    let mut parts = chosen.degrees(eval, &ends);
    let arena = &mut eval.model.arena;
    parts.extend(ends.iter().map(|end| arena.or(end.iter().copied())).collect::<Vec<_>>());
    for (a, b) in ends[0].iter().zip(&ends[1]) {
        let both = arena.and2(*a, *b);
        parts.push(!both);
    }
    chosen.with(eval, parts, "path", span)
}

/// A fault if a value has another kind than the points of the graph. It need not be one of the points.
fn a_point(eval: &Eval<'_>, value: &Value, net: &Net, span: Span) -> Res<()> {
    let points = &net.points.list;
    if points.is_empty() || fits_one(value, points) {
        return Ok(());
    }
    let (own, like) = (eval.literal_of(value), eval.literal_of(&points[0]));
    let message = format!("a point of the graph is wanted, such as `{like}`; `{own}` is of another kind");
    Err(Diagnostic::error(Code::TypeMismatch, message)
        .at(span, "")
        .help("over cells the points are the keys, over edges the ends of the keys")
        .into())
}

/// Does it have the kind of an entry of the list? `none` never has.
fn fits_one(value: &Value, list: &[Value]) -> bool {
    matches!(value, Value::None) || list.iter().any(|item| can_be_equal(value, item, true))
}

fn divided(eval: &mut Eval<'_>, args: &[Value], span: Span) -> Res<Value> {
    let map = array(&args[0], span)?;
    let net = net(eval, map, args.get(1), span)?;
    let mut labels = BTreeSet::new();
    for label in &map.values {
        collect_labels(eval, label, &mut labels, span)?;
    }
    let mut parts = Vec::with_capacity(labels.len());
    for label in labels {
        let on: Res<Vec<Bool>> = map.values.iter().map(|own| is_label(eval, own, &label, span)).collect();
        let chosen = Chosen { net: net.clone(), on: on? };
        let (graph, _) = chosen.graph(eval);
        parts.push(eval.model.arena.graph_is(graph, Property::Connected));
    }
    let term = eval.model.arena.and(parts);
    eval.graph_term(term, "divided", span)
}

/// The largest number of values of one label.
const MOST_LABELS: i64 = 1 << 16;

/// Collects the possible values of a label, without `none`.
fn collect_labels(eval: &Eval<'_>, label: &Value, found: &mut BTreeSet<Value>, span: Span) -> Res<()> {
    match label {
        Value::None => {}
        Value::Truth(_) => found.extend([Value::Bool(false), Value::Bool(true)]),
        Value::Number(term) => {
            let (lo, hi) = eval.model.arena.bounds(*term);
            if hi.saturating_sub(lo) > MOST_LABELS {
                return error(
                    Code::NumberTooLarge,
                    span,
                    format!("a label between {lo} and {hi}; `divided` looks at every value"),
                );
            }
            found.extend((lo..=hi).map(Value::Int));
        }
        Value::Choice(choice) => {
            for (_, arm) in &choice.arms {
                collect_labels(eval, arm, found, span)?;
            }
        }
        known => {
            found.insert(known.clone());
        }
    }
    Ok(())
}

/// Does a cell have this value? Values of different kinds are different.
fn is_label(eval: &mut Eval<'_>, own: &Value, label: &Value, span: Span) -> Res<Bool> {
    match (own, label) {
        (Value::Number(_), Value::Int(_)) | (Value::Truth(_), Value::Bool(_)) => eval.equal(own, label, span),
        (Value::Choice(choice), label) => {
            let mut parts = Vec::new();
            for (cond, arm) in &choice.arms {
                let same = is_label(eval, arm, label, span)?;
                parts.push(eval.model.arena.and2(*cond, same));
            }
            Ok(eval.model.arena.or(parts))
        }
        (Value::Number(_) | Value::Truth(_), _) => Ok(Bool::FALSE),
        (known, label) => Ok(Bool::constant(known == label)),
    }
}

fn area(eval: &mut Eval<'_>, args: &[Value], span: Span) -> Res<Value> {
    let Value::Map(map) = &args[0] else {
        return array(&args[0], span).map(|_| Value::None);
    };
    let net = net(eval, map, args.get(2), span)?;
    let boolean = |value: &Value| matches!(value, Value::Bool(_) | Value::Truth(_));
    if !map.values.iter().all(boolean) && net.over_edges {
        return error(Code::TypeMismatch, span, "`area` over edges is of booleans: which edges are chosen");
    }
    if args[1].is_known() {
        if let (true, Some(edge)) = (net.over_edges, map.keys.position(&args[1])) {
            // a chosen edge is in the component of its end points
            let on = eval.to_bool(&map.values[edge], span)?;
            let area = areas(eval, map, args.get(2), span)?.at(eval, net.pairs[edge].0 as usize, span)?;
            return eval.choose(vec![(on, area), (!on, Value::Int(0))], span);
        }
        let Some(point) = net.points.position(&args[1]) else {
            // where keys are edges, an edge of the board that is no key is allowed
            if !net.over_edges || !fits_one(&args[1], &map.keys.list) {
                a_point(eval, &args[1], &net, span)?;
            }
            return Ok(Value::Int(0));
        };
        if let Some(area) = area_of_equals(eval, map, &net, point, span)? {
            return Ok(area);
        }
        return areas(eval, map, args.get(2), span)?.at(eval, point, span);
    }
    let areas = areas(eval, map, args.get(2), span)?;
    area_at(eval, &areas, &args[1], 0, span)
}

/// The area at a point that may be unknown; `elsewhere` where it is none of the graph.
pub(super) fn area_at(
    eval: &mut Eval<'_>,
    areas: &Areas,
    at: &Value,
    elsewhere: i64,
    span: Span,
) -> Res<Value> {
    if at.is_known() {
        return match areas.net.points.position(at) {
            Some(point) => areas.at(eval, point, span),
            None => a_point(eval, at, &areas.net, span).map(|()| Value::Int(elsewhere)),
        };
    }
    let mut arms = Vec::with_capacity(areas.net.points.len() + 1);
    for (point, key) in areas.net.points.list.iter().enumerate() {
        let here = eval.equal(key, at, span)?;
        if here != Bool::FALSE {
            arms.push((here, areas.at(eval, point, span)?));
        }
    }
    let none = eval.model.arena.or(arms.iter().map(|arm| arm.0).collect::<Vec<_>>());
    arms.push((!none, Value::Int(elsewhere)));
    eval.choose(arms, span)
}

/// The area of `{q: a[q] = a[p] for q in keys(a)}` at p. The graph joins neighbours with equal values and
/// does not depend on p, so the areas of all cells share it.
fn area_of_equals(
    eval: &mut Eval<'_>,
    map: &Map,
    net: &Rc<Net>,
    point: usize,
    span: Span,
) -> Res<Option<Value>> {
    let truth = |value: &Value| match value {
        Value::Bool(known) => Some(Bool::constant(*known)),
        Value::Truth(term) => Some(*term),
        _ => None,
    };
    let Some(conds) = map.values.iter().map(truth).collect::<Option<Vec<Bool>>>() else { return Ok(None) };
    if net.over_edges || conds[point] != Bool::TRUE {
        return Ok(None);
    }
    let Some(sides) = eval.model.compared(&conds) else { return Ok(None) };
    let mut graph = Graph { vertices: vec![Bool::TRUE; sides.len()], alike: true, ..Graph::default() };
    for (a, b) in &net.pairs {
        if let (Some(one), Some(other)) = (sides[*a as usize], sides[*b as usize]) {
            let Ok(same) = eval.model.same(one, other) else { return eval.overflow(span) };
            graph.edges.push((*a, *b, same));
        }
    }
    let at = (0..sides.len() as u32).map(Some).collect();
    Areas::new(eval, net.clone(), graph, at).at(eval, point, span).map(Some)
}

/// The components of true entries, or of equal entries if not all are booleans.
fn areas(eval: &mut Eval<'_>, map: &Rc<Map>, edges: Option<&Value>, span: Span) -> Res<Rc<Areas>> {
    if let Some(known) = eval.derived.nets.areas(map, edges, false) {
        return Ok(known);
    }
    let net = net(eval, map, edges, span)?;
    let boolean = |value: &Value| matches!(value, Value::Bool(_) | Value::Truth(_));
    let (graph, at) = if map.values.iter().all(boolean) {
        let on: Res<Vec<Bool>> = map.values.iter().map(|entry| eval.to_bool(entry, span)).collect();
        Chosen { net: net.clone(), on: on? }.graph(eval)
    } else {
        // false belongs to no component, in an array of booleans and in others
        let mut graph = Graph { alike: true, ..Graph::default() };
        for value in &map.values {
            let off = is_label(eval, value, &Value::Bool(false), span)?;
            graph.vertices.push(!off);
        }
        for (a, b) in &net.pairs {
            let (one, other) = (&map.values[*a as usize], &map.values[*b as usize]);
            let same = eval.boolean(|eval| eval.equal(one, other, span))?;
            graph.edges.push((*a, *b, eval.model.arena.and2(same, graph.vertices[*a as usize])));
        }
        let at = (0..map.values.len() as u32).map(Some).collect();
        (graph, at)
    };
    let areas = Rc::new(Areas::new(eval, net, graph, at));
    eval.derived.nets.keep(map, edges, false, areas.clone());
    Ok(areas)
}
