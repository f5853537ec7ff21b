//! Cuts for component sizes: a component of the sure graph is not larger than its size, a component of the possible
//! graph not smaller.
//!
//! **Lemma.** Let v be a present vertex.
//!
//! - If paths of present edges lead from v to k - 1 other vertices, its component has at least k vertices
//!   ([`PartialGraph::too_many`]).
//! - If no edge leaves a set X that contains v, its component has at most |X| vertices. So if it has more, an edge
//!   leaves X, and one of the literals of [`PartialGraph::ways_out`] to all other vertices holds
//!   ([`PartialGraph::too_few`]).

use super::partial_graph::{Components, PartialGraph, Targets, Tree};
use super::{ALWAYS, Want};
use crate::encode::Lit;

/// The most size cuts for one component in one call.
const MOST_SIZED: usize = 4;

/// The component size of one vertex in literals, see [`Want::Size`].
#[derive(Clone, Copy)]
pub(super) struct Size<'l> {
    vertex: usize,
    pub is: &'l [Lit],
    pub at_least: &'l [Lit],
}

/// All size constraints, and the components of the sure and the possible graph.
pub(super) struct Sizes<'l> {
    /// Per vertex: its size constraints.
    pub about: Vec<Vec<Size<'l>>>,
    pub sure: Components,
    pub possible: Components,
    /// The spanning forest of the sure graph.
    pub tree: Tree,
    /// See [`Want::Alike`].
    pub alike: bool,
}

impl Size<'_> {
    pub fn is(&self, n: usize) -> Lit {
        self.is.get(n).copied().unwrap_or(-ALWAYS)
    }

    pub fn at_least(&self, n: usize) -> Lit {
        self.at_least.get(n).copied().unwrap_or(-ALWAYS)
    }
}

impl<'l, V: FnMut(Lit) -> Option<bool>> PartialGraph<'l, V> {
    /// The size constraints; `None` if there are none.
    pub fn known_sizes(&self) -> Option<Sizes<'l>> {
        if !self.lazy.wants.iter().any(|want| matches!(want, Want::Size { .. })) {
            return None;
        }
        let mut about = vec![Vec::new(); self.there.len()];
        for demand in &self.lazy.wants {
            if let Want::Size { vertex, is, at_least } = demand {
                about[*vertex].push(Size { vertex: *vertex, is, at_least });
            }
        }
        let (sure, possible) = (self.sure(), self.possible());
        let tree = self.tree(&sure);
        Some(Sizes { about, sure, possible, tree, alike: self.is_alike() })
    }

    /// See [`Want::Alike`].
    pub fn is_alike(&self) -> bool {
        self.lazy.wants.contains(&Want::Alike)
    }

    /// The size cuts of all components of the sure graph.
    pub fn sizes(&mut self, sizes: &Sizes<'l>, cuts: &mut Vec<Vec<Lit>>) {
        for component in 0..sizes.sure.len() {
            self.size(component, sizes, cuts);
        }
    }

    /// The lower bound that the literals "i or more" give.
    pub fn least(&mut self, at_least: &[Lit]) -> usize {
        at_least.partition_point(|lit| self.value(*lit) == Some(true)).saturating_sub(1)
    }

    /// The size cuts of one component of the sure graph.
    fn size(&mut self, component: usize, sizes: &Sizes<'l>, cuts: &mut Vec<Vec<Lit>>) {
        let joined = sizes.sure.vertices(component);
        let room = sizes.possible.of[joined[0].0].map_or(&[][..], |at| sizes.possible.vertices(at));
        let before = cuts.len();
        // the tightest lower and upper bound of all size constraints in the component
        let mut bounds: Option<[(usize, Size); 2]> = None;
        for size in joined.iter().flat_map(|(vertex, _)| &sizes.about[*vertex]) {
            let at_least = size.at_least;
            let least = self.least(at_least);
            let most = at_least.partition_point(|lit| self.value(*lit) != Some(false)).saturating_sub(1);
            if joined.len() > least {
                cuts.push(self.too_many(size, None, joined.len().min(most + 1)));
            }
            if room.len() < most {
                cuts.push(self.too_few(room, size.at_least(room.len() + 1)));
            }
            if cuts.len() - before >= MOST_SIZED {
                return;
            }
            let [low, high] = bounds.get_or_insert([(least, *size), (most, *size)]);
            if least > low.0 {
                *low = (least, *size);
            }
            if most < high.0 {
                *high = (most, *size);
            }
        }
        let Some([(least, low), (most, high)]) = bounds else { return };
        if joined.len() > most || room.len() < least {
            return;
        }
        let mut ways = Vec::new();
        for (from, _) in joined {
            for (edge, other) in &self.lazy.beside[*from] {
                if self.joined[*edge].is_none() && sizes.sure.of[*other] != Some(component) {
                    ways.push(*edge);
                    let more = sizes.sure.of[*other].map_or(1, |at| sizes.sure.vertices(at).len());
                    if joined.len() + more > most && cuts.len() - before < MOST_SIZED {
                        cuts.push(self.too_many(&high, Some(*edge), most + 1));
                    }
                }
            }
        }
        if joined.len() >= least {
            return;
        }
        if ways.len() == 1 {
            // "larger" may be unassigned, because no clauses connect the literals of one size
            let larger = low.at_least(joined.len() + 1);
            let larger = if self.value(larger) == Some(true) { larger } else { low.at_least(least) };
            cuts.push(self.too_few(joined, larger));
        } else if least == most {
            let mut premise = Vec::new();
            Self::unless(&mut premise, low.at_least(least));
            Self::unless(&mut premise, -high.at_least(least + 1));
            self.reach(component, [least; 2], premise, sizes, false, cuts);
        }
    }

    /// `large` vertices are joined, with the edge `also` if there is one: the size is at least `large`, or one of the
    /// joining edges is absent.
    fn too_many(&self, size: &Size, also: Option<usize>, large: usize) -> Vec<Lit> {
        let mut clause = Vec::new();
        if large == 1 {
            Self::unless(&mut clause, self.present[size.vertex]);
        }
        for (_, by) in self.search(size.vertex, also, large) {
            by.into_iter().for_each(|edge| Self::unless(&mut clause, self.lazy.edges[edge].1));
        }
        Self::unless(&mut clause, -size.at_least(large));
        clause
    }

    /// An edge leaves these vertices, or `larger` is false.
    fn too_few(&self, vertices: &[(usize, Option<usize>)], larger: Lit) -> Vec<Lit> {
        let mut clause = Vec::new();
        self.ways_out(vertices, Targets::All, None, &mut clause);
        Self::unless(&mut clause, larger);
        clause
    }
}
