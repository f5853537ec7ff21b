//! Lazy graph constraints: records them for an engine that adds cuts, and emits only local necessary clauses.
//!
//! In: a graph and a property, or the equation of an area. Out: a [`Lazy`] constraint in the encoder, and clauses about
//! single vertices.

use super::emitter::Emitter;
use super::encoder::{FALSE, TRUE};
use super::graph::{Edge, Net};
use super::{EncodeError, GraphEncoding};
use crate::encode::Lit;
use crate::encode::cuts::{Lazy, Want};
use crate::model::{Atom, Bool, BoolNode, Cmp, GraphId, Int, IntNode, Property, Term};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// The largest count that cuts handle: clauses about more vertices are too long to prune much.
const MOST_COUNTED: i64 = 32;
/// The most edges of a vertex for clauses about the short cycles through it.
const MOST_BESIDE: usize = 8;

impl Emitter<'_> {
    /// Records a property of a graph as a lazy constraint.
    pub(super) fn add_lazy_graph(&mut self, id: GraphId, property: Property<'_>) -> Result<(), EncodeError> {
        let net = self.lazy_net(id)?;
        let mut demands = Vec::new();
        if matches!(property, Property::Connected | Property::Tree) {
            demands.push(Want::Connected);
        }
        if matches!(property, Property::Acyclic | Property::Tree) {
            net.rings.iter().for_each(|ring| self.clause(&[-ring]));
            demands.push(Want::Acyclic);
        }
        if property == Property::Partition {
            self.local_partition(&net);
            demands.push(Want::Alike);
        }
        let mut roots = vec![false; net.there.len()];
        if let Property::Reaches(from) = property {
            from.iter().for_each(|at| roots[*at as usize] = true);
            demands.push(Want::Reaches(from.iter().map(|at| *at as usize).collect()));
        }
        // an isolated vertex is connected neither to a vertex that is surely present nor to a root
        let sure = net.there.iter().position(|lit| *lit == TRUE);
        let wanted = |at: usize| match property {
            Property::Connected | Property::Tree => sure.is_some_and(|sure| sure != at),
            Property::Reaches(_) => !roots[at],
            Property::Acyclic | Property::Partition => false,
        };
        for (at, ways) in net.ways().into_iter().enumerate().filter(|(at, _)| wanted(*at)) {
            let mut clause = vec![-net.there[at]];
            clause.extend(ways);
            self.clause(&clause);
        }
        self.demand(id, &net, demands);
        Ok(())
    }

    /// The clauses of a partition about single edges and short cycles: an edge is present if the other edges of a cycle are.
    pub(super) fn local_partition(&mut self, net: &Net) {
        net.rings.iter().for_each(|ring| self.clause(&[*ring]));
        let gaps = net.gaps.iter().map(|ends| (*ends, FALSE));
        let edges: Vec<([usize; 2], Lit)> =
            net.edges.iter().map(|edge| (edge.ends, edge.joined)).chain(gaps).collect();
        let mut beside: Vec<Vec<(usize, Lit)>> = vec![Vec::new(); net.there.len()];
        for Edge { ends: [a, b], joined } in &net.edges {
            beside[*a].push((*b, *joined));
            beside[*b].push((*a, *joined));
        }
        for ([a, b], joined) in edges {
            if a == b {
                self.clause(&[joined]);
            }
            if [a, b].iter().any(|end| beside[*end].len() > MOST_BESIDE) {
                continue;
            }
            for (c, first) in &beside[a] {
                for (d, second) in beside[*c].iter().filter(|(d, _)| *c != b && *d != a) {
                    if *d == b {
                        self.clause(&[joined, -first, -second]);
                    }
                    for (_, third) in beside[*d].iter().filter(|(e, _)| *d != b && *e == b) {
                        self.clause(&[joined, -first, -second, -third]);
                    }
                }
            }
        }
    }

    /// Records `area = x + constant` or `area = constant` as a lazy constraint; returns false for any other sum, or if
    /// graph constraints are not lazy.
    pub(super) fn add_lazy_area_sum(&mut self, terms: &[Term], bound: i64) -> Result<bool, EncodeError> {
        if self.enc.options.graph != GraphEncoding::Cuts {
            return Ok(false);
        }
        let model = self.model;
        let area = |term: &Term| match term.atom {
            Atom::Int(int) => match model.arena.int_node(int) {
                IntNode::Area(graph, vertex) => Some((graph, vertex)),
                _ => None,
            },
            Atom::Bool(_) => None,
        };
        // c·area + d·x = b with c = ±1 and d = -c
        let (at, x, offset) = match *terms {
            [one] if one.coef == 1 => (area(&one), None, Some(bound)),
            [a, b] if a.coef.abs() == 1 && a.coef == -b.coef => match (area(&a), area(&b), a.atom, b.atom) {
                (Some(at), None, _, Atom::Int(x)) => (Some(at), Some(x), bound.checked_mul(a.coef)),
                (None, Some(at), Atom::Int(x), _) => (Some(at), Some(x), bound.checked_mul(b.coef)),
                _ => return Ok(false),
            },
            _ => return Ok(false),
        };
        let (Some((graph, vertex)), Some(offset)) = (at, offset) else { return Ok(false) };
        self.add_lazy_area(graph, vertex as usize, x, offset)?;
        Ok(true)
    }

    /// Records a bound on the number of vertices of a connected graph that has a given vertex; false if the count is none such.
    pub(super) fn add_lazy_count(
        &mut self,
        terms: &[Term],
        cmp: Cmp,
        bound: i64,
    ) -> Result<bool, EncodeError> {
        if self.enc.options.graph != GraphEncoding::Cuts || !(1..=MOST_COUNTED).contains(&bound) {
            return Ok(false);
        }
        let literal = |term: &Term| match (term.coef, term.atom) {
            (1, Atom::Bool(part)) => Some(part),
            _ => None,
        };
        let Some(mut literals) = terms.iter().map(literal).collect::<Option<Vec<Bool>>>() else {
            return Ok(false);
        };
        literals.sort_unstable();
        let Some(id) = self.countable().get(&literals).copied() else { return Ok(false) };
        let net = self.lazy_net(id)?;
        let vertices = &self.model.arena.graph(id).vertices;
        let most = bound as usize + vertices.iter().filter(|vertex| **vertex == Bool::TRUE).count();
        let least = if cmp == Cmp::Eq { most } else { 0 };
        self.demand(id, &net, [Want::Count { least, most }]);
        Ok(true)
    }

    /// The graphs that must be connected and have a given vertex, by their vertices that are not constant, sorted.
    fn countable(&mut self) -> Rc<FxHashMap<Vec<Bool>, GraphId>> {
        if let Some(known) = &self.enc.countable {
            return known.clone();
        }
        let (model, given) = (self.model, self.model.given());
        let is_given = |vertex: Bool| match (model.arena.bool_node(vertex), vertex.is_negated()) {
            (BoolNode::True, negated) => !negated,
            (BoolNode::Var(var), negated) => given[var.0 as usize] == Some(u32::from(!negated)),
            (BoolNode::Is(var, position), false) => given[var.0 as usize] == Some(position),
            _ => false,
        };
        let mut found = FxHashMap::default();
        let mut open: Vec<Bool> = model.rules.iter().map(|rule| rule.what).collect();
        while let Some(term) = open.pop() {
            match (model.arena.bool_node(term), term.is_negated()) {
                (BoolNode::And(parts), false) => open.extend_from_slice(parts),
                (BoolNode::Graph(id, Property::Connected | Property::Tree), false) => {
                    let vertices = &model.arena.graph(id).vertices;
                    if vertices.iter().any(|vertex| is_given(*vertex)) {
                        let mut literals = vertices.clone();
                        literals.retain(|vertex| vertex.as_constant().is_none());
                        literals.sort_unstable();
                        found.insert(literals, id);
                    }
                }
                _ => {}
            }
        }
        self.enc.countable.insert(Rc::new(found)).clone()
    }

    /// The area of a vertex is `x + offset`, or just `offset` if there is no `x`.
    fn add_lazy_area(
        &mut self,
        id: GraphId,
        vertex: usize,
        x: Option<Int>,
        offset: i64,
    ) -> Result<(), EncodeError> {
        let net = self.lazy_net(id)?;
        let most = net.places[vertex].1 as usize;
        let (mut is, mut at_least) = (Vec::with_capacity(most + 2), Vec::with_capacity(most + 2));
        for n in 0..=most as i64 + 1 {
            let [same, more] = match (x, n.checked_sub(offset)) {
                (Some(x), Some(value)) => [self.eq_lit(x, value)?, self.ge_lit(x, value)?],
                (Some(_), None) => [FALSE; 2],
                (None, _) => [n == offset, n <= offset].map(|holds| if holds { TRUE } else { FALSE }),
            };
            is.push(self.enc.norm(same));
            at_least.push(self.enc.norm(more));
        }
        self.demand_area(id, &net, vertex, [is, at_least]);
        Ok(())
    }

    /// Is the meaning of an area's literals left to cuts? Of a bound that comes after the formula, such as an objective's, it
    /// is only if the area was there before.
    pub(super) fn is_area_lazy(&self, id: GraphId, vertex: u32) -> bool {
        self.enc.options.graph == GraphEncoding::Cuts
            && (!self.enc.handed_over || self.enc.lazy_areas.contains_key(&(id, vertex)))
    }

    /// The literals of an area, "it is i" and "it is i or more" from 0 on, recorded as a lazy constraint.
    pub(super) fn lazy_area(&mut self, id: GraphId, vertex: u32) -> Result<Rc<[Vec<Lit>; 2]>, EncodeError> {
        if let Some(known) = self.enc.lazy_areas.get(&(id, vertex)) {
            return Ok(known.clone());
        }
        let net = self.lazy_net(id)?;
        let most = net.places[vertex as usize].1 as usize;
        let mut at_least = vec![TRUE];
        for n in 0..most {
            let more = self.fresh()?;
            self.clause(&[-more, at_least[n]]);
            at_least.push(more);
        }
        at_least.push(FALSE);
        let mut is = Vec::with_capacity(most + 2);
        for n in 0..=most {
            is.push(self.and_lit([at_least[n], -at_least[n + 1]])?);
        }
        is.push(FALSE);
        let area = Rc::new([is, at_least]);
        self.demand_area(id, &net, vertex as usize, (*area).clone());
        self.enc.lazy_areas.insert((id, vertex), area.clone());
        Ok(area)
    }

    /// Records the size of a vertex's component in literals, and emits its local clauses.
    fn demand_area(&mut self, id: GraphId, net: &Net, vertex: usize, [mut is, mut at_least]: [Vec<Lit>; 2]) {
        let most = at_least.len() - 2;
        let there = net.there[vertex];
        self.clause(&[at_least[0]]);
        self.clause(&[-at_least[most + 1]]);
        self.clause(&[-there, at_least[1]]);
        self.clause(&[there, -at_least[1]]);
        let ways = net.ways().swap_remove(vertex);
        let mut clause = vec![-at_least[2.min(most + 1)]];
        clause.extend(&ways);
        self.clause(&clause);
        for (i, edge) in net.edges.iter().filter(|edge| edge.ends.contains(&vertex)).enumerate() {
            self.clause(&[-edge.joined, at_least[2]]);
            for other in net.edges.iter().filter(|edge| edge.ends.contains(&vertex)).skip(i + 1) {
                if other.ends.iter().any(|end| *end != vertex && edge.ends.contains(end)) {
                    continue;
                }
                self.clause(&[-edge.joined, -other.joined, at_least.get(3).copied().unwrap_or(FALSE)]);
            }
        }
        // beyond the ends of the lists literals are false
        let last = at_least.iter().rposition(|lit| *lit != FALSE).unwrap_or(0);
        is.truncate(last + 2);
        at_least.truncate(last + 2);
        self.demand(id, net, [Want::Size { vertex, is, at_least }]);
    }

    /// The graph in literals, for a lazy constraint.
    fn lazy_net(&mut self, id: GraphId) -> Result<Net, EncodeError> {
        self.chose("graph", "cuts");
        self.enc.wrote_graph(GraphEncoding::Cuts);
        self.net(id)
    }

    /// Adds demands to the lazy constraint of a graph.
    fn demand(&mut self, id: GraphId, net: &Net, demands: impl IntoIterator<Item = Want>) {
        let lazy = self.enc.lazy.entry(id).or_insert_with(|| {
            let edges = net.edges.iter().map(|edge| (edge.ends, edge.joined));
            let gaps = net.gaps.iter().filter(|[a, b]| a != b).map(|ends| (*ends, FALSE));
            let mut lazy = Lazy::new(net.there.clone(), edges.chain(gaps).collect());
            lazy.wants.extend(self.model.arena.graph(id).alike.then_some(Want::Alike));
            lazy
        });
        lazy.wants.extend(demands);
    }
}

impl Net {
    /// Per vertex: the literals of its edges.
    fn ways(&self) -> Vec<Vec<Lit>> {
        let mut ways = vec![Vec::new(); self.there.len()];
        for edge in &self.edges {
            edge.ends.iter().for_each(|end| ways[*end].push(edge.joined));
        }
        ways
    }
}
