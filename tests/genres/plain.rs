//! Boards as plain sets of cells and edges, and what `rebus count` says of one: for checkers that share nothing with the
//! models.

use crate::dice::Dice;
use std::collections::{BTreeMap, BTreeSet};
use std::process::Command;

pub type Cell = (i32, i32);
pub type Edge = (Cell, Cell);

pub fn cells(h: i32, w: i32) -> Vec<Cell> {
    (0..h).flat_map(|r| (0..w).map(move |c| (r, c))).collect()
}

/// Neighbours along a side, each pair once.
pub fn edges(cells: &[Cell]) -> Vec<Edge> {
    let next = |(r, c): &Cell| [((*r, *c), (*r, c + 1)), ((*r, *c), (r + 1, *c))];
    cells.iter().flat_map(next).filter(|(_, q)| cells.contains(q)).collect()
}

pub fn chosen<T: Copy>(list: &[T], mask: u32) -> Vec<T> {
    (0..list.len()).filter(|at| mask >> at & 1 == 1).map(|at| list[at]).collect()
}

pub fn subsets<T: Copy>(list: &[T]) -> impl Iterator<Item = Vec<T>> {
    (0..1u32 << list.len()).map(|mask| chosen(list, mask))
}

pub fn ways(p: Cell, edges: &[Edge]) -> Vec<Cell> {
    let other = |(a, b): &Edge| {
        if *a == p {
            Some(*b)
        } else if *b == p {
            Some(*a)
        } else {
            None
        }
    };
    edges.iter().filter_map(other).collect()
}

pub fn touched(edges: &[Edge]) -> BTreeSet<Cell> {
    edges.iter().flat_map(|(a, b)| [*a, *b]).collect()
}

/// Which cells hang together.
pub fn parts(cells: &[Cell], edges: &[Edge]) -> Vec<BTreeSet<Cell>> {
    let mut found: Vec<BTreeSet<Cell>> = Vec::new();
    for start in cells {
        if found.iter().any(|part| part.contains(start)) {
            continue;
        }
        let (mut part, mut open) = (BTreeSet::from([*start]), vec![*start]);
        while let Some(p) = open.pop() {
            open.extend(ways(p, edges).into_iter().filter(|q| part.insert(*q)));
        }
        found.push(part);
    }
    found
}

pub fn one_loop(edges: &[Edge]) -> bool {
    let points: Vec<Cell> = touched(edges).into_iter().collect();
    points.iter().all(|p| ways(*p, edges).len() == 2) && parts(&points, edges).len() == 1
}

pub fn straight(p: Cell, line: &[Edge]) -> bool {
    matches!(ways(p, line)[..], [a, b] if a.0 == b.0 || a.1 == b.1)
}

pub fn bent(p: Cell, line: &[Edge]) -> bool {
    ways(p, line).len() == 2 && !straight(p, line)
}

/// What `rebus count` prints.
pub fn count(model: &str, defines: &[(&str, String)]) -> usize {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rebus"));
    command.args(["count", model]);
    for (name, value) in defines {
        command.args(["-D", &format!("{name}={value}")]);
    }
    let output = command.output().expect("rebus runs");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    let faults = String::from_utf8_lossy(&output.stderr).into_owned();
    text.trim().parse().unwrap_or_else(|_| panic!("{model} {defines:?}\n{text}{faults}"))
}

/// A picture of words.
pub fn picture(h: i32, w: i32, entries: &BTreeMap<Cell, String>) -> String {
    let entry = |p| entries.get(&p).map_or(".", |text| text);
    let row = |r| (0..w).map(|c| entry((r, c))).collect::<Vec<_>>().join(" ");
    (0..h).map(row).collect::<Vec<_>>().join("\n")
}

pub fn sized(h: i32, w: i32, entries: &BTreeMap<Cell, String>) -> Vec<(&'static str, String)> {
    vec![("h", h.to_string()), ("w", w.to_string()), ("clue", picture(h, w, entries))]
}

/// Compares so many random boards; some must have solutions, else nothing is compared.
pub fn compare(
    model: &str,
    boards: usize,
    mut board: impl FnMut(&mut Dice) -> (Vec<(&'static str, String)>, usize),
) {
    let mut dice = Dice::new(1);
    let mut some = 0;
    for _ in 0..boards {
        let (defines, expected) = board(&mut dice);
        assert_eq!(count(model, &defines), expected, "{model} {defines:?}");
        some += usize::from(expected > 0);
    }
    assert!(some * 4 >= boards, "{some} of {boards} boards of {model} have solutions");
}

/// Rooms of some cells each, by letters.
pub fn rooms(dice: &mut Dice, h: i32, w: i32) -> BTreeMap<Cell, char> {
    let all = cells(h, w);
    let mut room = BTreeMap::new();
    for letter in 'a'.. {
        let open: Vec<Cell> = all.iter().copied().filter(|p| !room.contains_key(p)).collect();
        if open.is_empty() {
            break;
        }
        let mut own = vec![dice.pick(&open)];
        for _ in 0..1 + dice.below(4) {
            let near: Vec<Cell> = open
                .iter()
                .copied()
                .filter(|p| !own.contains(p) && own.iter().any(|q| beside(*p, *q)))
                .collect();
            if !near.is_empty() {
                own.push(dice.pick(&near));
            }
        }
        room.extend(own.into_iter().map(|p| (p, letter)));
    }
    room
}

/// Do two cells share a side?
pub fn beside(p: Cell, q: Cell) -> bool {
    (p.0 - q.0).abs() + (p.1 - q.1).abs() == 1
}

/// Do all these cells hang together? None do.
pub fn connected(cells: &[Cell]) -> bool {
    parts(cells, &edges(cells)).len() <= 1
}
