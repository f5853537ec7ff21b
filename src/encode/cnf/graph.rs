//! Graphs: every vertex that is there has a parent one level nearer to a root, up to the root.
//!
//! Levels are binary numbers with room for the longest path there can be, so no bound loses solutions. With `distance`
//! they are the breadth-first distances from a determined root (two joined vertices then differ by one level at most),
//! so all auxiliaries are determined; with `tree` any parents will do.

use super::bits::within;
use super::card::Wanted;
use super::emitter::Emitter;
use super::encoder::{FALSE, TRUE};
use super::{EncodeError, GraphEncoding};
use crate::encode::Lit;
use crate::model::{Bool, Graph, GraphId, Property};
use std::rc::Rc;

/// A graph in literals.
pub(super) struct Net {
    pub there: Vec<Lit>,
    /// Without rings of one edge.
    pub edges: Vec<Edge>,
    /// Edges from a vertex to itself.
    pub rings: Vec<Lit>,
    /// Per vertex: its number in the largest component there can be, and the size of that.
    pub places: Vec<(u32, u32)>,
}

pub(super) struct Edge {
    pub ends: [usize; 2],
    pub joined: Lit,
}

/// Per edge: is its first end the parent of the second, and the other way round?
type Parents = Vec<[Lit; 2]>;

impl Net {
    /// Per vertex those that an edge may join to it.
    fn beside(&self) -> Vec<Vec<usize>> {
        let mut beside = vec![Vec::new(); self.there.len()];
        for Edge { ends: [a, b], .. } in &self.edges {
            beside[*a].push(*b);
            beside[*b].push(*a);
        }
        beside
    }

    /// Per vertex the literals of its possible parents, with the parents.
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
    /// The graph must be so.
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
            Property::Acyclic if exact => self.forest(&net)?.1,
            // any levels along which edges lead up to at most one parent
            Property::Acyclic => self.levels(&net, None)?,
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

    /// Are all auxiliaries to be determined?
    fn exact(&mut self) -> bool {
        let exact = self.enc.options.graph != GraphEncoding::Tree;
        self.enc.wrote_graph(if exact { GraphEncoding::Distance } else { GraphEncoding::Tree });
        exact
    }

    pub(super) fn net(&mut self, id: GraphId) -> Result<Net, EncodeError> {
        let graph = self.model.arena.graph(id).clone();
        let mut net = Net { there: Vec::new(), edges: Vec::new(), rings: Vec::new(), places: Vec::new() };
        // what presolve leaves possible
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

    /// Per vertex: is it the first that is there? One that surely is there will do as well.
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

    /// Every vertex that is there and no root has a parent one level below its own; a root has level 0 and no parent.
    /// Without `roots` no vertex needs a parent.
    fn levels(&mut self, net: &Net, roots: Option<&[Lit]>) -> Result<Parents, EncodeError> {
        let exact = self.exact();
        let mut levels = Vec::with_capacity(net.there.len());
        let mut above = Vec::with_capacity(net.there.len());
        for (at, there) in net.there.iter().enumerate() {
            let root = roots.map_or(FALSE, |roots| roots[at]);
            // two levels apart must not be one apart again, so there are two bits at least
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
                    // next to a root is its child
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

    /// One root a component: the first vertex, where all is to be determined. Every vertex knows the number of its root.
    fn forest(&mut self, net: &Net) -> Result<(Vec<Lit>, Parents), EncodeError> {
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
                    // below its own place: at most `place - 1`
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
        Ok((roots, parents))
    }

    /// Are more than half of the areas asked for? Then one forest that counts them all is the smaller formula.
    pub(super) fn areas_are_shared(&mut self, id: GraphId) -> bool {
        let arena = &self.model.arena;
        let shared = || arena.areas_of(id) > arena.graph(id).vertices.len() / 2;
        *self.enc.shared_areas.entry(id).or_insert_with(shared)
    }

    /// The size of the component of each vertex, 0 where it is not there: the vertices below each vertex of a forest
    /// are counted, and the root's count is everyone's.
    pub(super) fn areas(&mut self, id: GraphId) -> Result<Rc<Vec<Vec<Lit>>>, EncodeError> {
        if let Some(known) = self.enc.areas.get(&id) {
            return Ok(known.clone());
        }
        let net = self.net(id)?;
        let exact = self.exact();
        self.chose("area", if exact { "distances" } else { "parents" });
        let (roots, mut parents) = self.forest(&net)?;
        let mut chosen: Vec<Lit> = vec![FALSE; net.there.len()];
        for (edge, lits) in net.edges.iter().zip(&mut parents) {
            // of several parents the first counts
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
            self.equal_if(&[roots[at]], &counts[at], &areas[at]);
            // a number without sign
            areas[at].push(FALSE);
        }
        let areas = Rc::new(areas);
        self.enc.areas.insert(id, areas.clone());
        Ok(areas)
    }

    /// The component of a vertex has this size: the vertices of the component are among those so near, each reached
    /// from the vertex, none left out, and they are so many.
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
        let mut inside = Net { there: vec![TRUE], edges: Vec::new(), rings: Vec::new(), places: Vec::new() };
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
        // the component has no room for longer ways
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

    /// The number one above, and whether it has no room.
    fn successor(&mut self, number: &[Lit]) -> Result<(Vec<Lit>, Lit), EncodeError> {
        let mut carry = TRUE;
        let mut next = Vec::with_capacity(number.len());
        for bit in number {
            next.push(self.xor_lit(*bit, carry)?);
            carry = self.and_lit([*bit, carry])?;
        }
        Ok((next, carry))
    }

    /// Numbers without sign are equal where all of `conds` hold.
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

/// The bits of a number.
fn width(number: u32) -> usize {
    (u32::BITS - number.leading_zeros()) as usize
}
