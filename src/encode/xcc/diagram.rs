//! Constraints as reduced layered decision diagrams over choices, asserted as options.
//!
//! In: choices, a deterministic step function, and the accepted end states. Out: items and options.
//!
//! Exploration builds the diagram from its start; reduction then works from its end. Only states remain that are
//! reachable and can lead to acceptance, and equal states are merged. If there are few paths, each is an option of
//! one primary item (tuples). Otherwise every level is a primary item, and coloured items pass the state from level
//! to level (a chain). One assignment has one path, so solutions stay one to one. If a state does not depend on the
//! choice, options omit it.

use super::choice::{Encoder, digits};
use super::cover::{Entry, ItemId};
use crate::encode::cnf::EncodeError;
use rustc_hash::FxHashMap;
use std::hash::Hash;

/// No successor.
const DEAD: u32 = u32::MAX;
/// Longer tuples become chains.
const LONGEST_TUPLE: usize = 64;
/// Larger diagrams are encoded by clauses.
const MOST_EDGES: usize = 1_000_000;

/// The nodes of a level: by letter the node of the next level.
type Level = Vec<Box<[u32]>>;

/// The reachable states, level by level, before the acceptance of the end states is known.
pub(super) struct Explored<S> {
    scope: Vec<usize>,
    levels: Vec<Level>,
    pub ends: Vec<S>,
}

impl Encoder<'_> {
    /// Explores all letters of the choices in `scope`, level by level. `step(level, state, letter)` is the next
    /// state, if there is one.
    pub fn explore<S: Clone + Eq + Hash>(
        &mut self,
        scope: Vec<usize>,
        start: S,
        mut step: impl FnMut(usize, &S, usize) -> Option<S>,
    ) -> Result<Explored<S>, EncodeError> {
        let mut levels = Vec::with_capacity(scope.len());
        let mut states = vec![start];
        let mut edges = 0;
        for (level, choice) in scope.iter().enumerate() {
            let letters = self.letters(*choice);
            edges += letters * states.len();
            if edges > MOST_EDGES {
                return Err(EncodeError::TooLarge(format!("a diagram over {} terms", scope.len())));
            }
            self.step(letters * states.len())?;
            let mut known: FxHashMap<S, u32> = FxHashMap::default();
            let mut next = Vec::new();
            let mut nodes = Vec::with_capacity(states.len());
            for state in &states {
                let ways = (0..letters).map(|letter| match step(level, state, letter) {
                    None => DEAD,
                    Some(to) => *known.entry(to.clone()).or_insert_with(|| {
                        next.push(to);
                        next.len() as u32 - 1
                    }),
                });
                nodes.push(ways.collect());
            }
            levels.push(nodes);
            states = next;
        }
        Ok(Explored { scope, levels, ends: states })
    }

    /// Asserts that the explored diagram ends in an accepted state.
    pub fn assert_automaton<S>(
        &mut self,
        explored: Explored<S>,
        accepts: impl Fn(&S) -> bool,
    ) -> Result<(), EncodeError> {
        let Explored { scope, levels, ends } = explored;
        let ends = ends.iter().map(|end| if accepts(end) { 0 } else { DEAD }).collect();
        self.assert_levels(scope, levels, ends)
    }

    /// A new choice for the value of the end state; a constant if the value is always the same.
    pub fn result<S>(
        &mut self,
        explored: Explored<S>,
        value: impl Fn(&S) -> i64,
    ) -> Result<super::choice::Column, EncodeError> {
        let Explored { mut scope, mut levels, ends } = explored;
        let results: Vec<i64> = ends.iter().map(value).collect();
        let mut values = results.clone();
        values.sort_unstable();
        values.dedup();
        if let [value] = values[..] {
            return Ok(self.constant(value));
        }
        let letters = values.len();
        let nodes = results.iter().map(|value| {
            let mut ways = vec![DEAD; letters].into_boxed_slice();
            if let Ok(letter) = values.binary_search(value) {
                ways[letter] = 0;
            }
            ways
        });
        levels.push(nodes.collect());
        let choice = self.add_choice(values.into());
        scope.push(choice);
        self.assert_levels(scope, levels, vec![0])?;
        Ok(super::choice::Column { choice, values: self.choices[choice].values.clone() })
    }

    fn assert_levels(
        &mut self,
        scope: Vec<usize>,
        levels: Vec<Level>,
        ends: Vec<u32>,
    ) -> Result<(), EncodeError> {
        let Some((scope, levels)) = reduce(scope, levels, ends) else {
            self.contradiction = true;
            return Ok(());
        };
        if levels.is_empty() {
            return Ok(());
        }
        for (choice, level) in scope.iter().zip(&levels) {
            if level.iter().all(|node| !is_idle(node)) {
                self.choices[*choice].covered = true;
            }
        }
        let few = scope.len() <= LONGEST_TUPLE && paths(&levels) <= self.options.tuples;
        if few { self.assert_tuples(&scope, &levels) } else { self.assert_chain(&scope, &levels) }
    }

    fn assert_tuples(&mut self, scope: &[usize], levels: &[Level]) -> Result<(), EncodeError> {
        let base = self.base.clone();
        let primary = self.item(&base, "", Some((1, 1)));
        let mut path = vec![Entry::plain(primary)];
        self.tuples_from(scope, levels, 0, &mut path)
    }

    fn tuples_from(
        &mut self,
        scope: &[usize],
        levels: &[Level],
        node: u32,
        path: &mut Vec<Entry>,
    ) -> Result<(), EncodeError> {
        let Some((choice, rest)) = scope.split_first() else {
            self.step(path.len())?;
            self.cover.add_option(path);
            return Ok(());
        };
        let ways = &levels[0][node as usize];
        if is_idle(ways) {
            return self.tuples_from(rest, &levels[1..], ways[0], path);
        }
        for (letter, to) in ways.iter().enumerate().filter(|(_, to)| **to != DEAD) {
            let length = path.len();
            self.push_letter(*choice, letter, path)?;
            // a choice may occur twice on a path: then with the same letter
            let fits = settle(path, length);
            if fits {
                self.tuples_from(rest, &levels[1..], *to, path)?;
            }
            path.truncate(length);
        }
        Ok(())
    }

    fn assert_chain(&mut self, scope: &[usize], levels: &[Level]) -> Result<(), EncodeError> {
        let base = self.base.clone();
        let mut before: Vec<ItemId> = Vec::new();
        let mut entries = Vec::new();
        for (at, (choice, level)) in scope.iter().zip(levels).enumerate() {
            let primary = self.item(&base, &format!(".{}", at + 1), Some((1, 1)));
            let states = levels.get(at + 1).map_or(1, Vec::len);
            let after = match states {
                1 => Vec::new(),
                n => self.coloured_items(&format!("{base}/{}", at + 1), n)?,
            };
            for (node, ways) in level.iter().enumerate() {
                let idle = is_idle(ways);
                let letters = if idle { 1 } else { ways.len() };
                for (letter, to) in ways.iter().enumerate().take(letters).filter(|(_, to)| **to != DEAD) {
                    entries.clear();
                    entries.push(Entry::plain(primary));
                    digits(node, &before, &mut entries);
                    if !idle {
                        self.push_letter(*choice, letter, &mut entries)?;
                    }
                    digits(*to as usize, &after, &mut entries);
                    self.step(entries.len())?;
                    self.cover.add_option(&entries);
                }
            }
            before = after;
        }
        Ok(())
    }
}

/// Do all letters lead to the same node?
fn is_idle(ways: &[u32]) -> bool {
    ways[0] != DEAD && ways.iter().all(|to| *to == ways[0])
}

/// Removes repeated entries from the path; false if two entries contradict each other.
fn settle(path: &mut Vec<Entry>, from: usize) -> bool {
    let mut at = from;
    while at < path.len() {
        let Entry { item, colour } = path[at];
        match path[..from].iter().find(|entry| entry.item == item) {
            None => at += 1,
            Some(entry) if entry.colour == colour => drop(path.remove(at)),
            Some(_) => return false,
        }
    }
    true
}

/// The number of paths; an idle node counts as one edge.
fn paths(levels: &[Level]) -> u64 {
    let mut below: Vec<u64> = vec![1];
    for level in levels.iter().rev() {
        let count = |node: &[u32]| {
            let ways = if is_idle(node) { &node[..1] } else { node };
            ways.iter().filter(|to| **to != DEAD).fold(0u64, |n, to| n.saturating_add(below[*to as usize]))
        };
        below = level.iter().map(|node| count(node)).collect();
    }
    below[0]
}

/// Merges equal nodes, and removes nodes without a path to an end and levels of idle nodes. `ends` maps the last
/// nodes to 0 or [`DEAD`]. `None` if there is no path at all.
fn reduce(scope: Vec<usize>, levels: Vec<Level>, ends: Vec<u32>) -> Option<(Vec<usize>, Vec<Level>)> {
    let mut kept = Vec::new();
    let mut class = ends;
    for (choice, level) in scope.into_iter().zip(levels).rev() {
        let mut known: FxHashMap<Box<[u32]>, u32> = FxHashMap::default();
        let mut nodes: Level = Vec::new();
        class = level
            .into_iter()
            .map(|mut ways| {
                for to in ways.iter_mut().filter(|to| **to != DEAD) {
                    *to = class[*to as usize];
                }
                if ways.iter().all(|to| *to == DEAD) {
                    return DEAD;
                }
                *known.entry(ways).or_insert_with_key(|ways| {
                    nodes.push(ways.clone());
                    nodes.len() as u32 - 1
                })
            })
            .collect();
        if nodes.iter().all(|node| is_idle(node)) {
            for node in class.iter_mut().filter(|node| **node != DEAD) {
                *node = nodes[*node as usize][0];
            }
        } else {
            kept.push((choice, nodes));
        }
    }
    kept.reverse();
    (class[0] != DEAD).then(|| kept.into_iter().unzip())
}
