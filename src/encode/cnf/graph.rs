//! Graph constraints as clauses: every present vertex except a root has a parent one level nearer to the root.
//!
//! In: a graph and a property, or an area (the size of a vertex's component). Out: clauses, or areas as binary numbers.
//!
//! Levels are binary numbers with room for the longest possible path, so the encoding loses no solutions. With
//! `distance` the levels are breadth-first distances from a determined root: joined vertices differ by at most one
//! level, so all auxiliary variables are determined. With `tree` any valid parents are allowed.

use super::bits::within;
use super::card::Wanted;
use super::emitter::Emitter;
use super::encoder::{FALSE, TRUE};
use super::{EncodeError, GraphEncoding};
use crate::encode::Lit;
use crate::model::{Bool, Graph, GraphId, Property};
use std::rc::Rc;

/// A graph in literals.
#[derive(Default)]
pub(super) struct Net {
    pub there: Vec<Lit>,
    /// Edges between different vertices.
    pub edges: Vec<Edge>,
    /// Loops: edges from a vertex to itself.
    pub rings: Vec<Lit>,
    /// The ends of absent edges that part a component of the possible graph, see [`Property::Partition`].
    pub gaps: Vec<[usize; 2]>,
    /// Per vertex: its number in its component of the possible graph, and the size of that component.
    pub places: Vec<(u32, u32)>,
}

pub(super) struct Edge {
    pub ends: [usize; 2],
    pub joined: Lit,
}

/// Per edge: "the first end is the parent of the second", and "the second end is the parent of the first".
type Parents = Vec<[Lit; 2]>;

/// A spanning forest.
#[derive(Debug)]
pub(super) struct Forest {
    /// Per vertex: "it is a root".
    roots: Vec<Lit>,
    parents: Parents,
    /// Per vertex: the number of its root among the vertices of its component of the possible graph.
    names: Vec<Vec<Lit>>,
}

impl Net {
    /// Per vertex: its neighbours along possible edges.
    fn beside(&self) -> Vec<Vec<usize>> {
        let mut beside = vec![Vec::new(); self.there.len()];
        for Edge { ends: [a, b], .. } in &self.edges {
            beside[*a].push(*b);
            beside[*b].push(*a);
        }
        beside
    }

    /// Per vertex: its possible parents, each with the literal.
    fn above(&self, parents: &Parents) -> Vec<Vec<(Lit, usize)>> {
        let mut above = vec![Vec::new(); self.there.len()];
        for (edge, [first, second]) in self.edges.iter().zip(parents) {
            let [a, b] = edge.ends;
            above[b].push((*first, a));
            above[a].push((*second, b));
        }
        above
    }
}

impl Emitter<'_> {
    /// Asserts a property of a graph.
    pub(super) fn assert_graph(&mut self, id: GraphId, property: Property<'_>) -> Result<(), EncodeError> {
        if self.enc.options.graph == GraphEncoding::Cuts {
            return self.add_lazy_graph(id, property);
        }
        let net = self.net(id)?;
        let what = match property {
            Property::Connected => "connected",
            Property::Tree => "tree",
            Property::Acyclic => "acyclic",
            Property::Reaches(_) => "reaches",
            Property::Partition => return self.assert_partition(id, &net),
        };
        let exact = self.exact();
        self.chose(what, if exact { "distances" } else { "parents" });
        let parents = match property {
            Property::Connected | Property::Tree => {
                let roots = self.first_there(&net)?;
                self.levels(&net, Some(&roots))?
            }
            Property::Reaches(from) => {
                let mut roots = vec![FALSE; net.there.len()];
                from.iter().for_each(|at| roots[*at as usize] = net.there[*at as usize]);
                self.levels(&net, Some(&roots))?
            }
            Property::Acyclic if exact => self.forest(id, &net)?.parents.clone(),
            // any levels such that each vertex has at most one parent
            Property::Acyclic | Property::Partition => self.levels(&net, None)?,
        };
        if matches!(property, Property::Tree | Property::Acyclic) {
            net.rings.iter().for_each(|ring| self.clause(&[-ring]));
            for (edge, [first, second]) in net.edges.iter().zip(&parents) {
                self.clause(&[-edge.joined, *first, *second]);
            }
            for above in net.above(&parents) {
                let above: Vec<Lit> =
                    above.into_iter().map(|(lit, _)| lit).filter(|lit| *lit != FALSE).collect();
                self.at_most_one(&above)?;
            }
        }
        Ok(())
    }

    /// Must all auxiliary variables be determined? Also records the encoding.
    fn exact(&mut self) -> bool {
        let exact = self.enc.options.graph != GraphEncoding::Tree;
        self.enc.wrote_graph(if exact { GraphEncoding::Distance } else { GraphEncoding::Tree });
        exact
    }

    pub(super) fn net(&mut self, id: GraphId) -> Result<Net, EncodeError> {
        let graph = self.model.arena.graph(id).clone();
        let mut net = Net::default();
        // the graph of all vertices and edges that presolve left possible
        let mut possible = Graph::default();
        for vertex in &graph.vertices {
            let lit = self.literal(*vertex)?;
            net.there.push(self.enc.norm(lit));
            possible.vertices.push(Bool::constant(self.enc.norm(lit) != FALSE));
        }
        for (a, b, joined) in &graph.edges {
            let lit = self.literal(*joined)?;
            let joined = self.enc.norm(lit);
            let ends = [*a as usize, *b as usize];
            if joined == FALSE || ends.iter().any(|end| net.there[*end] == FALSE) {
                if graph.parted && ends.iter().all(|end| net.there[*end] != FALSE) {
                    net.gaps.push(ends);
                }
                continue;
            }
            match a == b {
                true => net.rings.push(joined),
                false => {
                    net.edges.push(Edge { ends, joined });
                    possible.edges.push((*a, *b, Bool::TRUE));
                }
            }
        }
        let components = possible.components(|term| term == Bool::TRUE);
        net.gaps.retain(|[a, b]| components.of[*a] == components.of[*b]);
        let mut next = vec![0; components.sizes.len()];
        for of in &components.of {
            net.places.push(of.map_or((0, 0), |component| {
                let place = &mut next[component as usize];
                *place += 1;
                (*place - 1, components.sizes[component as usize])
            }));
        }
        Ok(net)
    }

    /// Per vertex: "it is the root". The root is a vertex that is surely present, or else the first present vertex.
    fn first_there(&mut self, net: &Net) -> Result<Vec<Lit>, EncodeError> {
        let mut roots = vec![FALSE; net.there.len()];
        if let Some(sure) = net.there.iter().position(|lit| *lit == TRUE) {
            roots[sure] = TRUE;
            return Ok(roots);
        }
        let mut before = FALSE;
        for (at, there) in net.there.iter().enumerate() {
            roots[at] = self.and_lit([*there, -before])?;
            before = self.or_lit([before, *there])?;
        }
        Ok(roots)
    }

    /// Every present vertex that is no root has a parent whose level is one less; a root has level 0 and no parent.
    /// Without `roots` no vertex needs a parent.
    fn levels(&mut self, net: &Net, roots: Option<&[Lit]>) -> Result<Parents, EncodeError> {
        let exact = self.exact();
        let mut levels = Vec::with_capacity(net.there.len());
        let mut above = Vec::with_capacity(net.there.len());
        for (at, there) in net.there.iter().enumerate() {
            let root = roots.map_or(FALSE, |roots| roots[at]);
            // at least two bits: modulo 2, one level up and one level down would be the same
            let bits = match net.places[at].1 {
                0 | 1 => 0,
                size => width(size - 1).max(2),
            };
            let level = self.number(bits, &[*there, -root])?;
            above.push(self.successor(&level)?);
            levels.push(level);
        }
        let mut parents = Vec::with_capacity(net.edges.len());
        for edge in &net.edges {
            let mut lits = [FALSE; 2];
            for (way, lit) in lits.iter_mut().enumerate() {
                let (parent, child) = (edge.ends[way], edge.ends[1 - way]);
                let root = roots.map_or(FALSE, |roots| roots[child]);
                if root == TRUE {
                    continue;
                }
                *lit = self.fresh()?;
                self.clause(&[-*lit, edge.joined]);
                self.clause(&[-*lit, -root]);
                let (next, overflow) = &above[parent];
                self.clause(&[-*lit, -*overflow]);
                self.equal_if(&[*lit], next, &levels[child]);
            }
            self.clause(&[-lits[0], -lits[1]]);
            if exact {
                let [a, b] = edge.ends;
                if let Some(roots) = roots {
                    // a neighbour of a root is its child
                    self.clause(&[-edge.joined, -roots[a], roots[b], lits[0]]);
                    self.clause(&[-edge.joined, -roots[b], roots[a], lits[1]]);
                }
                self.equal_if(&[edge.joined, -lits[0], -lits[1]], &levels[a], &levels[b]);
            }
            parents.push(lits);
        }
        if let Some(roots) = roots {
            for (at, above) in net.above(&parents).into_iter().enumerate() {
                let mut clause = vec![-net.there[at], roots[at]];
                clause.extend(above.into_iter().map(|(lit, _)| lit));
                self.clause(&clause);
                // only roots have level 0
                clause.truncate(2);
                clause.extend(&levels[at]);
                self.clause(&clause);
            }
        }
        Ok(parents)
    }

    /// Asserts that absent edges join different components: the numbers of their roots differ.
    fn assert_partition(&mut self, id: GraphId, net: &Net) -> Result<(), EncodeError> {
        let forest = self.forest(id, net)?;
        let exact = self.exact();
        self.chose("partition", if exact { "distances" } else { "parents" });
        self.local_partition(net);
        let open = net.edges.iter().map(|edge| (edge.ends, edge.joined));
        for ([a, b], joined) in open.chain(net.gaps.iter().map(|ends| (*ends, FALSE))) {
            let mut clause = vec![joined, -net.there[a], -net.there[b]];
            for (x, y) in forest.names[a].iter().zip(&forest.names[b]) {
                clause.push(self.xor_lit(*x, *y)?);
            }
            self.clause(&clause);
        }
        Ok(())
    }

    /// A spanning forest with one root per component; in the determined encoding the root is the first vertex. Every
    /// vertex has the number of its root.
    fn forest(&mut self, id: GraphId, net: &Net) -> Result<Rc<Forest>, EncodeError> {
        if let Some(known) = self.enc.forests.get(&id) {
            return Ok(known.clone());
        }
        let exact = self.exact();
        let mut roots = Vec::with_capacity(net.there.len());
        let mut names = Vec::with_capacity(net.there.len());
        for (there, (place, size)) in net.there.iter().zip(&net.places) {
            let name = self.number(if *size == 0 { 0 } else { width(size - 1) }, &[*there])?;
            let root = match (*size, exact && *place == 0) {
                (0, _) => FALSE,
                (1, _) | (_, true) => *there,
                _ => self.fresh()?,
            };
            self.clause(&[-root, *there]);
            for (bit, lit) in name.iter().enumerate() {
                let one = place >> bit & 1 == 1;
                self.clause(&[-root, if one { *lit } else { -lit }]);
                if exact && *place > 0 && (place - 1) >> bit & 1 == 0 {
                    // a vertex that is no root has a root of a lower number: at most `place - 1`
                    let mut clause = vec![-there, root, -lit];
                    clause.extend(
                        (bit + 1..name.len()).filter(|b| (place - 1) >> b & 1 == 1).map(|b| -name[b]),
                    );
                    self.clause(&clause);
                }
            }
            roots.push(root);
            names.push(name);
        }
        for edge in &net.edges {
            let [a, b] = edge.ends;
            self.equal_if(&[edge.joined], &names[a], &names[b]);
        }
        let parents = self.levels(net, Some(&roots))?;
        let forest = Rc::new(Forest { roots, parents, names });
        self.enc.forests.insert(id, forest.clone());
        Ok(forest)
    }

    /// Does the model use more than half of the areas? Then one forest that counts all areas is the smaller formula.
    pub(super) fn areas_are_shared(&mut self, id: GraphId) -> bool {
        let arena = &self.model.arena;
        let shared = || arena.areas_of(id) > arena.graph(id).vertices.len() / 2;
        *self.enc.shared_areas.entry(id).or_insert_with(shared)
    }

    /// The size of the component of each vertex, 0 if the vertex is absent. Each vertex of a forest counts the
    /// vertices of its subtree; the count of the root is the area of all vertices in the component.
    pub(super) fn areas(&mut self, id: GraphId) -> Result<Rc<Vec<Vec<Lit>>>, EncodeError> {
        if let Some(known) = self.enc.areas.get(&id) {
            return Ok(known.clone());
        }
        let net = self.net(id)?;
        let exact = self.exact();
        self.chose("area", if exact { "distances" } else { "parents" });
        let forest = self.forest(id, &net)?;
        let mut parents = forest.parents.clone();
        let mut chosen: Vec<Lit> = vec![FALSE; net.there.len()];
        for (edge, lits) in net.edges.iter().zip(&mut parents) {
            // of several parents only the first counts
            for (way, lit) in lits.iter_mut().enumerate() {
                let child = edge.ends[1 - way];
                let before = std::mem::replace(&mut chosen[child], FALSE);
                chosen[child] = self.or_lit([before, *lit])?;
                *lit = self.and_lit([*lit, -before])?;
            }
        }
        let mut counts = Vec::with_capacity(net.there.len());
        let mut areas = Vec::with_capacity(net.there.len());
        for (there, (_, size)) in net.there.iter().zip(&net.places) {
            let bits = width(*size);
            counts.push(self.number(bits, &[*there])?);
            areas.push(self.number(bits, &[*there])?);
        }
        let mut totals: Vec<Vec<Lit>> = net.there.iter().map(|there| vec![*there, FALSE]).collect();
        for (edge, lits) in net.edges.iter().zip(&parents) {
            for (way, lit) in lits.iter().enumerate() {
                let (parent, child) = (edge.ends[way], edge.ends[1 - way]);
                let mut part = Vec::with_capacity(counts[child].len() + 1);
                for bit in &counts[child] {
                    part.push(self.and_lit([*lit, *bit])?);
                }
                part.push(FALSE);
                let total = self.add_bits(&totals[parent], &part)?;
                totals[parent] = within(total, 0, net.places[parent].1.into());
            }
            let [a, b] = edge.ends;
            self.equal_if(&[edge.joined], &areas[a], &areas[b]);
        }
        for (at, total) in totals.iter().enumerate() {
            self.equal_if(&[], &counts[at], total);
            self.equal_if(&[forest.roots[at]], &counts[at], &areas[at]);
            // a nonnegative number in two's complement
            areas[at].push(FALSE);
        }
        let areas = Rc::new(areas);
        self.enc.areas.insert(id, areas.clone());
        Ok(areas)
    }

    /// Asserts that the component of a vertex has this size. Fresh literals choose the component among the vertices
    /// at a distance less than `size`; each chosen vertex is reachable from the start, no joined vertex is missing,
    /// and `size` vertices are chosen.
    pub(super) fn assert_area(&mut self, id: GraphId, vertex: u32, size: i64) -> Result<(), EncodeError> {
        let net = self.net(id)?;
        let (start, there) = (vertex as usize, net.there[vertex as usize]);
        if size <= 0 {
            self.clause(&[if size < 0 { FALSE } else { -there }]);
            return Ok(());
        }
        let exact = self.exact();
        self.chose("area, known", if exact { "distances" } else { "parents" });
        self.clause(&[there]);
        let mut near: Vec<Option<usize>> = vec![None; net.there.len()];
        near[start] = Some(0);
        let mut inside = Net { there: vec![TRUE], ..Net::default() };
        let beside = net.beside();
        let mut shell = vec![start];
        for _ in 1..size.min(net.there.len() as i64) {
            let mut next = Vec::new();
            for at in shell.iter().flat_map(|at| &beside[*at]) {
                if near[*at].is_none() {
                    near[*at] = Some(inside.there.len());
                    inside.there.push(self.fresh()?);
                    next.push(*at);
                }
            }
            shell = next;
        }
        for edge in &net.edges {
            let lits = edge.ends.map(|end| near[end].map_or(FALSE, |at| inside.there[at]));
            self.clause(&[-edge.joined, -lits[0], lits[1]]);
            self.clause(&[-edge.joined, lits[0], -lits[1]]);
            if let [Some(a), Some(b)] = edge.ends.map(|end| near[end]) {
                let joined = self.and_lit([edge.joined, lits[0]])?;
                inside.edges.push(Edge { ends: [a, b], joined });
            }
        }
        // paths in the component have fewer than `size` edges
        inside.places = (0..inside.there.len() as u32).map(|at| (at, size as u32)).collect();
        let mut roots = vec![FALSE; inside.there.len()];
        roots[0] = TRUE;
        self.levels(&inside, Some(&roots))?;
        self.assert_card(&inside.there[1..], Wanted::Exactly, size - 1)
    }

    /// A fresh number, 0 unless all of `conds` hold.
    fn number(&mut self, bits: usize, conds: &[Lit]) -> Result<Vec<Lit>, EncodeError> {
        if conds.contains(&FALSE) {
            return Ok(vec![FALSE; bits]);
        }
        let mut number = Vec::with_capacity(bits);
        for _ in 0..bits {
            let bit = self.fresh()?;
            conds.iter().for_each(|cond| self.clause(&[-bit, *cond]));
            number.push(bit);
        }
        Ok(number)
    }

    /// The number plus one, and its overflow.
    fn successor(&mut self, number: &[Lit]) -> Result<(Vec<Lit>, Lit), EncodeError> {
        let mut carry = TRUE;
        let mut next = Vec::with_capacity(number.len());
        for bit in number {
            next.push(self.xor_lit(*bit, carry)?);
            carry = self.and_lit([*bit, carry])?;
        }
        Ok((next, carry))
    }

    /// Asserts that unsigned numbers are equal if all of `conds` hold.
    fn equal_if(&mut self, conds: &[Lit], a: &[Lit], b: &[Lit]) {
        let mut clause: Vec<Lit> = conds.iter().map(|cond| -cond).collect();
        let n = clause.len();
        for at in 0..a.len().max(b.len()) {
            let (x, y) = (a.get(at).copied().unwrap_or(FALSE), b.get(at).copied().unwrap_or(FALSE));
            for sign in [1, -1] {
                clause.truncate(n);
                clause.extend([sign * x, -sign * y]);
                self.clause(&clause);
            }
        }
    }
}

/// The number of bits of a number.
fn width(number: u32) -> usize {
    (u32::BITS - number.leading_zeros()) as usize
}
