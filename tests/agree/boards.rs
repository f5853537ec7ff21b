//! What graphs are made of: towns with names, boards of cells with holes, lines over edges, numbers joined by a list of pairs.

use super::graph::Net;
use super::maker::{Array, Maker};
use super::value::{Key, Value, listed};
use std::rc::Rc;

const TOWNS: [&str; 9] = ["a", "b", "c", "d", "e", "f", "s", "t", "x"];
const SWITCH: [Value; 2] = [Value::Bool(false), Value::Bool(true)];

/// Pairs of `n` points: a way through all of them most of the time, and further ones.
fn pairs(maker: &mut Maker, n: usize, most: usize) -> Vec<[usize; 2]> {
    let dice = &mut maker.dice;
    let mut pairs: Vec<[usize; 2]> = Vec::new();
    let long = dice.coin();
    for b in 1..n {
        // a long way, or a bush
        let a = if long && !dice.one_in(4) { b - 1 } else { dice.below(b) };
        pairs.push([a, b]);
    }
    let want = (n + dice.below(4)).min(most);
    for _ in 0..20 {
        // a detour, or any other way
        let a = dice.below(n);
        let b = if long && dice.coin() { a + 2 + dice.below(2) } else { dice.below(n) };
        if b < n && pairs.len() < want && a < b && !pairs.contains(&[a, b]) {
            pairs.push([a, b]);
        }
    }
    dice.shuffle(&mut pairs);
    pairs.truncate(most);
    pairs
}

impl Maker {
    /// Roads between towns: over edges, with names for points.
    pub fn roads(&mut self, name: &str, most: usize) -> Array {
        let n = if self.dice.one_in(3) { 3 + self.dice.below(3) } else { 6 + self.dice.below(3) };
        let pairs = pairs(self, n, most);
        let mut towns = TOWNS;
        self.dice.shuffle(&mut towns);
        let points: Vec<Value> = towns.iter().take(n).map(|name| Value::Text(name)).collect();
        // only what a road leads to is a point
        let used: Vec<usize> = (0..n).filter(|at| pairs.iter().any(|pair| pair.contains(at))).collect();
        let place = |at: usize| used.iter().position(|other| *other == at).expect("used");
        let edges: Vec<[usize; 2]> = pairs.iter().map(|pair| pair.map(place)).collect();
        let points: Vec<Value> = used.iter().map(|at| points[*at]).collect();
        let keys: Vec<Key> = edges.iter().map(|[a, b]| Key::Edge(points[*a], points[*b])).collect();
        let list = format!("{name}s");
        self.name(&list, &format!("[{}]", listed(&keys)));
        self.array(name, &list, &keys, Net { points, edges, over_edges: true }, &SWITCH)
    }

    /// A line over the edges round h × w cells.
    pub fn line(&mut self, name: &str, h: i64, w: i64) -> Array {
        let mut points = Vec::new();
        (1..=h + 1).for_each(|r| points.extend((1..=w + 1).map(|c| Value::Pair(r, c))));
        let index = format!("edges({h}, {w})");
        self.edges_of(name, &index, points)
    }

    /// The edges between neighbours of a list of cells.
    fn edges_of(&mut self, name: &str, index: &str, points: Vec<Value>) -> Array {
        let edges = sides(&points);
        let keys: Vec<Key> = edges.iter().map(|[a, b]| Key::Edge(points[*a], points[*b])).collect();
        // only cells with neighbours are points
        let alone = |at: &usize| edges.iter().any(|edge| edge.contains(at));
        let kept: Vec<usize> = (0..points.len()).filter(alone).collect();
        let place = |at: usize| kept.iter().position(|other| *other == at).expect("kept");
        let edges = edges.iter().map(|edge| edge.map(place)).collect();
        let points = kept.iter().map(|at| points[*at]).collect();
        self.array(name, index, &keys, Net { points, edges, over_edges: true }, &SWITCH)
    }

    /// Cells of a board, some of them maybe missing; `most` of them at most.
    fn some_cells(&mut self, most: usize) -> (Vec<Value>, Option<(i64, i64)>) {
        let (h, w) =
            self.dice.pick(&[(1, 4), (1, 6), (2, 2), (2, 3), (2, 4), (3, 3), (3, 4), (2, 5), (3, 5)]);
        let (h, w) = if self.dice.coin() { (h, w) } else { (w, h) };
        let mut cells = Vec::new();
        (1..=h).for_each(|r| cells.extend((1..=w).map(|c| Value::Pair(r, c))));
        if cells.len() <= most && !self.dice.one_in(3) {
            return (cells, Some((h, w)));
        }
        // a hole in the middle where there is one, others anywhere
        if h == 3 && w >= 3 && self.dice.coin() {
            cells.retain(|cell| *cell != Value::Pair(2, 2));
        }
        let holes = (cells.len().saturating_sub(most)).max(self.dice.below(3));
        for _ in 0..holes.min(cells.len() - 2) {
            cells.remove(self.dice.below(cells.len()));
        }
        (cells, None)
    }

    /// An array over the cells of a board.
    pub fn board(&mut self, name: &str, most: usize, values: &[Value]) -> Array {
        let (cells, whole) = self.some_cells(most);
        let keys: Vec<Key> = cells.iter().map(|cell| Key::One(*cell)).collect();
        let net = Net { edges: sides(&cells), points: cells, over_edges: false };
        let index = match whole {
            Some((h, w)) => format!("{h}, {w}"),
            None => {
                let list = format!("{name}s");
                self.name(&list, &format!("[{}]", listed(&keys)));
                list
            }
        };
        self.array(name, &index, &keys, net, values)
    }

    /// A line through the cells of a board with holes.
    pub fn line_through(&mut self, name: &str, most: usize) -> Array {
        let (mut cells, _) = self.some_cells(9);
        while sides(&cells).len() > most || sides(&cells).is_empty() {
            match sides(&cells).is_empty() {
                true => cells = vec![Value::Pair(1, 1), Value::Pair(1, 2), Value::Pair(2, 2)],
                false => drop(cells.remove(self.dice.below(cells.len()))),
            }
        }
        let list = format!("{name}s");
        self.name(&list, &format!("[{}]", listed(&cells)));
        self.edges_of(name, &format!("edges({list})"), cells)
    }

    /// Entries of numbers or towns, and a list that says which hang together.
    pub fn linked(&mut self, name: &str, most: usize, values: &[Value]) -> Array {
        let n = 2 + self.dice.below(most - 1);
        let edges = pairs(self, n, 2 * n);
        let numbered = self.dice.coin();
        let points: Vec<Value> = match numbered {
            true => (1..=n as i64).map(Value::Int).collect(),
            false => TOWNS[..n].iter().map(|name| Value::Text(name)).collect(),
        };
        let links = format!("{name}_links");
        let list = edges.iter().map(|[a, b]| format!("({}, {})", points[*a], points[*b]));
        let list = format!("[{}]", listed(list));
        self.name(&links, &list);
        let keys: Vec<Key> = points.iter().map(|point| Key::One(*point)).collect();
        let index = if numbered { n.to_string() } else { format!("[{}]", listed(&points)) };
        let mut array = self.array(name, &index, &keys, Net { points, edges, over_edges: false }, values);
        array.links = Some(Rc::from(links));
        array
    }
}

/// Neighbours along a side, by first cell, right before down.
fn sides(cells: &[Value]) -> Vec<[usize; 2]> {
    let mut sides = Vec::new();
    for (at, cell) in cells.iter().enumerate() {
        let Value::Pair(r, c) = cell else { unreachable!("a cell") };
        for next in [Value::Pair(*r, c + 1), Value::Pair(r + 1, *c)] {
            sides.extend(cells.iter().position(|other| *other == next).map(|other| [at, other]));
        }
    }
    sides
}
