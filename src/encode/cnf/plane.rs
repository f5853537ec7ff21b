//! Redundant clauses for disjoint connected vertex sets of a plane graph: they do not cross.
//!
//! In: the rules that require connected graphs with places. Out: clauses about the vertices around each face.
//!
//! **Lemma.** Let A and B be disjoint sets of vertices of a plane graph (drawn without crossings), and let each set be
//! connected along edges of the graph. Then the walk around a face never visits vertices of A, B, A and B in this
//! order, with any vertices in between. *Proof.* Suppose it does. A path within A joins the two vertices of A. Close it
//! to a curve with a line through the face, close to the walk. The two vertices of B lie on different sides of the
//! curve, because the walk passes from one side of that line to the other. B is connected, so a path of B crosses the
//! curve (Jordan curve theorem). But the face contains no vertex of B, and the path contains only vertices of A. If the
//! two vertices of A are the same one, visited twice, then the line alone is the curve. ∎
//!
//! The graph may have several components: the walk goes around one component, and the line stays close to it. Edges
//! that no set can use may be missing. The lemma forbids chequered squares, and two colours alternate at most twice
//! around the rim of a board. All this follows from the rules, but a search that considers one set at a time finds it
//! late.

use super::EncodeError;
use super::emitter::Emitter;
use super::encoder::FALSE;
use crate::encode::Lit;
use crate::model::{Bool, BoolNode, Graph, Place, Property};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// The most sets for these clauses. A board may have one set per clue: dozens of small sets with many pairs, and the
/// pairs imply little.
const MOST_SETS: usize = 3;

/// Right, up, left, down: each step is a quarter turn to the left of the one before.
const STEPS: [Place; 4] = [(0, 1), (-1, 0), (0, -1), (1, 0)];

impl Emitter<'_> {
    /// Emits the redundant clauses if the rules require several plane graphs to be connected.
    pub(super) fn assert_uncrossed(&mut self) -> Result<(), EncodeError> {
        let graphs = self.drawn();
        if graphs.len() > MOST_SETS {
            return Ok(());
        }
        let pairs = graphs.iter().enumerate().flat_map(|(i, b)| graphs[..i].iter().map(move |a| (a, b)));
        for (a, b) in pairs {
            if !self.are_apart(a, b) {
                continue;
            }
            self.chose("graphs apart", "faces");
            let sets = [self.places(a)?, self.places(b)?];
            let faces = faces(&[a, b]);
            self.step(faces.iter().map(|face| face.len() as u64).sum())?;
            for face in faces {
                let there = |place: &Place| [0, 1].map(|set| sets[set].get(place).copied().unwrap_or(FALSE));
                let around: Vec<[Lit; 2]> = face.iter().map(there).collect();
                self.assert_no_crossing(&around)?;
            }
        }
        Ok(())
    }

    /// The plane graphs that the rules require to be connected.
    fn drawn(&self) -> Vec<Rc<Graph>> {
        let arena = &self.model.arena;
        let mut drawn = BTreeSet::new();
        let mut open: Vec<Bool> = self.model.rules.iter().map(|rule| rule.what).collect();
        // conjunctions may share parts: visit each once
        let mut seen = FxHashSet::default();
        while let Some(term) = open.pop() {
            if !seen.insert(term) {
                continue;
            }
            match (arena.bool_node(term), term.is_negated()) {
                (BoolNode::And(parts), false) => open.extend(parts),
                (BoolNode::Graph(id, Property::Connected | Property::Tree), false)
                    if arena.graph(id).places.is_some() =>
                {
                    drawn.insert(id);
                }
                _ => {}
            }
        }
        drawn.into_iter().map(|id| arena.graph(id).clone()).collect()
    }

    /// Is it evident that no place has a present vertex of both graphs?
    fn are_apart(&self, a: &Graph, b: &Graph) -> bool {
        let node = |term: Bool| (self.model.arena.bool_node(term), term.is_negated());
        let apart = |a: Bool, b: Bool| match (node(a), node(b)) {
            ((BoolNode::Is(x, i), false), (BoolNode::Is(y, j), false)) => x == y && i != j,
            _ => a == !b || a == Bool::FALSE || b == Bool::FALSE,
        };
        let own: FxHashMap<Place, Bool> = a.placed().collect();
        b.placed().all(|(place, other)| own.get(&place).is_none_or(|one| apart(*one, other)))
    }

    fn places(&mut self, graph: &Graph) -> Result<FxHashMap<Place, Lit>, EncodeError> {
        graph.placed().map(|(place, vertex)| Ok((place, self.literal(vertex)?))).collect()
    }

    /// Asserts the lemma for one face: the sets never alternate as first, second, first, second around it.
    fn assert_no_crossing(&mut self, around: &[[Lit; 2]]) -> Result<(), EncodeError> {
        for (one, other) in [(0, 1), (1, 0)] {
            if let [a, b, c, d] = around {
                self.clause(&[-a[one], -b[other], -c[one], -d[other]]);
                continue;
            }
            // seen so far: a vertex of `one`; then one of `other`; then again one of `one`
            let mut seen = [FALSE; 3];
            for point in around {
                self.clause(&[-seen[2], -point[other]]);
                for (at, set) in [(2, one), (1, other)] {
                    let next = self.and_lit([seen[at - 1], point[set]])?;
                    seen[at] = self.or_lit([seen[at], next])?;
                }
                seen[0] = self.or_lit([seen[0], point[one]])?;
            }
        }
        Ok(())
    }
}

/// The faces of the union of the graphs. A face is the list of places on the walk around it, with the face to the left;
/// faces of at most three steps are omitted.
fn faces(graphs: &[&Graph]) -> Vec<Vec<Place>> {
    let beyond = |(r, c): Place, step: usize| {
        let (down, right) = STEPS[step];
        (r.wrapping_add(down), c.wrapping_add(right))
    };
    // per place: the steps along edges
    let mut joined: BTreeMap<Place, [bool; 4]> = BTreeMap::new();
    for graph in graphs {
        let Some(places) = &graph.places else { continue };
        for (a, b, _) in &graph.edges {
            for (from, to) in [(*a, *b), (*b, *a)] {
                let (from, to) = (places[from as usize], places[to as usize]);
                let Some(step) = (0..4).find(|step| beyond(from, *step) == to) else { continue };
                joined.entry(from).or_default()[step] = true;
            }
        }
    }
    let mut open: Vec<(Place, usize)> = Vec::new();
    for (place, steps) in joined.iter().rev() {
        open.extend((0..4).filter(|step| steps[*step]).map(|step| (*place, step)));
    }
    let mut left = joined.clone();
    let mut faces = Vec::new();
    for (mut place, mut step) in open.into_iter().rev() {
        let mut face = Vec::new();
        while std::mem::replace(&mut left.entry(place).or_default()[step], false) {
            face.push(place);
            place = beyond(place, step);
            // turn left if there is an edge, else go ahead, right, or back
            let turns = [1, 0, 3, 2].map(|turn| (step + turn) % 4);
            step = turns.into_iter().find(|step| joined[&place][*step]).unwrap_or(turns[3]);
        }
        if face.len() > 3 {
            faces.push(face);
        }
    }
    faces
}
