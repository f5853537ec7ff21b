//! The neighbour relation of an array's keys: cells share a side, edges share a point, or a list of pairs
//! gives it.

use super::cells::moved;
use crate::diag::{Code, Diagnostic};
use crate::eval::{Eval, Keys, Map, Res, Value, unknown};
use crate::model::{Bool, Components, Graph, GraphId, Place};
use crate::shared::Span;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// Points and pairs of points. Over cells, the points are the keys of the array and `pairs` the neighbours.
/// Over edges, the keys are pairs of points, and `pairs` has the ends of each key.
#[derive(Debug)]
pub struct Net {
    pub points: Rc<Keys>,
    pub over_edges: bool,
    pub pairs: Vec<(u32, u32)>,
    /// The points as cells, if all pairs are neighbours in a row or a column.
    pub places: Option<Vec<Place>>,
}

/// The component areas of one array.
#[derive(Debug)]
pub struct Areas {
    pub net: Rc<Net>,
    /// The vertex of each point.
    at: Vec<Option<u32>>,
    graph: Sized,
}

#[derive(Debug)]
enum Sized {
    Known(Components),
    Open(GraphId),
}

/// The addresses of an array's keys and of its list of edges.
type Address = (*const (), *const ());

/// Nets by the addresses of their sources, which are kept, so that the addresses are not reused; and the last
/// areas.
#[derive(Debug, Default)]
pub struct Nets {
    nets: FxHashMap<Address, (Rc<Keys>, Option<Value>, Rc<Net>)>,
    last: Option<(Rc<Map>, Option<Value>, bool, Rc<Areas>)>,
}

impl Nets {
    /// The last areas, if they are of this array, and of the regions between its `walls`, or not.
    pub fn areas(&self, map: &Rc<Map>, edges: Option<&Value>, walls: bool) -> Option<Rc<Areas>> {
        let (kept, with, of_walls, areas) = self.last.as_ref()?;
        let same = Rc::ptr_eq(kept, map) && list_address(with.as_ref()) == list_address(edges);
        (same && *of_walls == walls).then(|| areas.clone())
    }

    pub fn keep(&mut self, map: &Rc<Map>, edges: Option<&Value>, walls: bool, areas: Rc<Areas>) {
        self.last = Some((map.clone(), edges.cloned(), walls, areas));
    }
}

impl Areas {
    pub fn new(eval: &mut Eval<'_>, net: Rc<Net>, graph: Graph, at: Vec<Option<u32>>) -> Areas {
        let graph = match graph.is_known() {
            true => Sized::Known(graph.components(|term| term == Bool::TRUE)),
            false => Sized::Open(eval.model.arena.add_graph(graph)),
        };
        Areas { net, at, graph }
    }

    /// The area of the component at a point.
    pub fn at(&self, eval: &mut Eval<'_>, point: usize, span: Span) -> Res<Value> {
        match (self.at[point], &self.graph) {
            (None, _) => Ok(Value::Int(0)),
            (Some(vertex), Sized::Known(components)) => Ok(Value::Int(components.area(vertex).into())),
            (Some(vertex), Sized::Open(graph)) => match eval.model.arena.area(*graph, vertex) {
                Ok(area) => Ok(eval.number(area)),
                Err(_) => eval.overflow(span),
            },
        }
    }
}

impl Net {
    fn new(points: Rc<Keys>, over_edges: bool, pairs: Vec<(u32, u32)>) -> Net {
        let places: Option<Vec<Place>> = points.list.iter().map(Value::as_cell).collect();
        let one_step = |places: &Vec<Place>| {
            pairs.iter().all(|(a, b)| {
                let ((r, c), (i, j)) = (places[*a as usize], places[*b as usize]);
                r.abs_diff(i).saturating_add(c.abs_diff(j)) == 1
            })
        };
        let places = places.filter(one_step);
        Net { points, over_edges, pairs, places }
    }
}

/// The address of a list that [`edge_list`] has accepted.
fn list_address(edges: Option<&Value>) -> *const () {
    match edges {
        Some(Value::List(list)) => list.as_ptr().cast(),
        _ => std::ptr::null(),
    }
}

/// The net of an array's keys; `edges`, if given, lists the neighbours.
pub fn net(eval: &mut Eval<'_>, map: &Map, edges: Option<&Value>, span: Span) -> Res<Rc<Net>> {
    // first of all: the cache key is the address of the list, and only lists have one
    let listed = edges.map(|edges| edge_list(edges, span)).transpose()?;
    let address: Address = (Rc::as_ptr(&map.keys).cast(), list_address(edges));
    if let Some((_, _, net)) = eval.derived.nets.nets.get(&address) {
        return Ok(net.clone());
    }
    let keys = &map.keys;
    eval.budget.step(keys.len() as u64)?;
    let net = match listed {
        Some(list) => with_edges(keys, &pairs_of(list, span)?),
        None if keys.list.iter().all(|key| key.as_cell().is_some()) => cells(keys),
        None if keys.list.iter().all(is_edge) => {
            let pairs: Vec<_> = keys.list.iter().filter_map(as_pair).collect();
            over_edges(&pairs)
        }
        None => {
            let odd = keys.list.iter().find(|key| key.as_cell().is_none() && !is_edge(key));
            let odd = odd.map(|key| eval.text_of(key)).unwrap_or_default();
            return Err(Diagnostic::error(
                Code::TypeMismatch,
                format!("the key `{odd}` is neither a cell `(row, column)` nor an edge `(p, q)`"),
            )
            .at(span, "")
            .help("say which keys are neighbours: a list of pairs as the last argument")
            .into());
        }
    };
    let net = Rc::new(net);
    // arrays made for a single rule instance would accumulate
    if eval.derived.nets.nets.len() >= 1 << 10 {
        eval.derived.nets.nets.clear();
    }
    eval.derived.nets.nets.insert(address, (keys.clone(), edges.cloned(), net.clone()));
    Ok(net)
}

/// Is it a pair of points? Two integers are a cell instead.
fn is_edge(key: &Value) -> bool {
    let point = |value: &Value| matches!(value, Value::Tuple(_) | Value::Str(_) | Value::Member(_));
    as_pair(key).is_some_and(|(a, b)| point(a) && point(b))
}

fn as_pair(value: &Value) -> Option<(&Value, &Value)> {
    match value {
        Value::Tuple(parts) => match &parts[..] {
            [a, b] => Some((a, b)),
            _ => None,
        },
        _ => None,
    }
}

/// The last argument as a list, with any entries.
fn edge_list(edges: &Value, span: Span) -> Res<&[Value]> {
    match edges {
        Value::List(list) => Ok(list),
        Value::Choice(_) => unknown(span, "edges must be known before solving"),
        other => no_pairs(&format!("this is {}", other.kind()), span),
    }
}

fn pairs_of(list: &[Value], span: Span) -> Res<Vec<(&Value, &Value)>> {
    if !list.iter().all(Value::is_known) {
        return unknown(span, "edges must be known before solving");
    }
    let odd = |item: &&Value| as_pair(item).is_none();
    match list.iter().find(odd) {
        None => Ok(list.iter().filter_map(as_pair).collect()),
        Some(item) => no_pairs(&format!("this list holds {}", item.kind()), span),
    }
}

fn no_pairs<T>(what: &str, span: Span) -> Res<T> {
    let message = format!("a list of edges, pairs `(p, q)`, is wanted last, {what}");
    Err(Diagnostic::error(Code::TypeMismatch, message)
        .at(span, "")
        .help("of an array over edges, `keys(a)` is such a list")
        .into())
}

fn cells(keys: &Rc<Keys>) -> Net {
    let mut pairs = Vec::with_capacity(2 * keys.len());
    for (at, cell) in keys.list.iter().filter_map(Value::as_cell).enumerate() {
        for step in [(0, 1), (1, 0)] {
            let next = moved(cell, step).map(|(r, c)| Value::cell(r, c));
            if let Some(next) = next.and_then(|next| keys.position(&next)) {
                pairs.push((at as u32, next as u32));
            }
        }
    }
    Net::new(keys.clone(), false, pairs)
}

fn over_edges(edges: &[(&Value, &Value)]) -> Net {
    let mut points: Vec<Value> = edges.iter().flat_map(|(a, b)| [(*a).clone(), (*b).clone()]).collect();
    points.sort_unstable();
    points.dedup();
    let points = Rc::new(Keys::new(points.into()));
    let at = |point: &Value| points.position(point).unwrap_or(0) as u32;
    let pairs = edges.iter().map(|(a, b)| (at(a), at(b))).collect();
    Net::new(points, true, pairs)
}

/// The keys are edges of the list, or points that the list joins. Edges with an end that is no key do not
/// count.
fn with_edges(keys: &Rc<Keys>, edges: &[(&Value, &Value)]) -> Net {
    let listed: FxHashSet<(&Value, &Value)> = edges.iter().copied().collect();
    let own: Option<Vec<_>> =
        keys.list.iter().map(|key| as_pair(key).filter(|pair| listed.contains(pair))).collect();
    if let Some(own) = own.filter(|own| !own.is_empty()) {
        return over_edges(&own);
    }
    let mut pairs: Vec<(u32, u32)> = Vec::with_capacity(edges.len());
    for (a, b) in edges {
        if let (Some(a), Some(b)) = (keys.position(a), keys.position(b))
            && a != b
        {
            pairs.push((a.min(b) as u32, a.max(b) as u32));
        }
    }
    pairs.sort_unstable();
    pairs.dedup();
    Net::new(keys.clone(), false, pairs)
}
