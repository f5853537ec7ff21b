//! Connected sets of points of the plane that have no point in common do not cross.
//!
//! **Lemma.** Let A and B be sets of points without a common one, each connected along edges of a graph that is drawn in the plane without
//! crossings. On a walk around a face of it no points of A, B, A and B follow on one another, in this order, whatever lies between. *Proof.* A
//! way from the first point of A to the second, within A, becomes a closed curve by a line through the face, close to the walk. The two points
//! of B lie on different sides of it, for the walk passes from one side of that line to the other. B is connected, so it
//! crosses the curve; in the face there is no point of B, and the way holds points of A alone (Jordan's curve theorem). If the
//! two points of A are one, which the walk passes twice, the line alone is the curve. ∎
//!
//! The graph may be in several pieces: the walk is around one piece, the line keeps close to it. Edges may be missing from it that no set can use.
//! So there are no chequered squares, and around the rim of a board with two colours they change twice at most. All this
//! follows from the rules; a search that looks at one set alone finds it late.

use super::EncodeError;
use super::emitter::Emitter;
use super::encoder::FALSE;
use crate::encode::Lit;
use crate::model::{Bool, BoolNode, Graph, Place, Property};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

/// Sets that are told of one another. Clues come to dozens of sets of which each keeps to a corner; little follows from their
/// pairs, which are many.
const MOST_SETS: usize = 3;

/// To the right, up, to the left, down: each a quarter turn to the left of the one before.
const STEPS: [Place; 4] = [(0, 1), (-1, 0), (0, -1), (1, 0)];

impl Emitter<'_> {
    /// What follows where the rules want several graphs in the plane to be connected.
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

    /// Graphs in the plane that the rules want connected.
    fn drawn(&self) -> Vec<Rc<Graph>> {
        let arena = &self.model.arena;
        let mut drawn = BTreeSet::new();
        let mut open: Vec<Bool> = self.model.rules.iter().map(|rule| rule.what).collect();
        // parts of many conjunctions are looked at once
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

    /// Is it plain that no place has a vertex of both?
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

    /// Of points around a face none of the first set, the second, the first and the second follow on one another.
    fn assert_no_crossing(&mut self, around: &[[Lit; 2]]) -> Result<(), EncodeError> {
        for (one, other) in [(0, 1), (1, 0)] {
            if let [a, b, c, d] = around {
                self.clause(&[-a[one], -b[other], -c[one], -d[other]]);
                continue;
            }
            // was there a point of the one so far; then one of the other; then again of the one?
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

/// The faces of what graphs are drawn on, each as the points on a walk around it, which it lies to the left of; those of three
/// steps and fewer are left out.
fn faces(graphs: &[&Graph]) -> Vec<Vec<Place>> {
    let beyond = |(r, c): Place, step: usize| {
        let (down, right) = STEPS[step];
        (r.wrapping_add(down), c.wrapping_add(right))
    };
    // per place: the steps from it that are yet to be walked
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
            // to the left if there is a way, else ahead, to the right, or back
            let turns = [1, 0, 3, 2].map(|turn| (step + turn) % 4);
            step = turns.into_iter().find(|step| joined[&place][*step]).unwrap_or(turns[3]);
        }
        if face.len() > 3 {
            faces.push(face);
        }
    }
    faces
}
