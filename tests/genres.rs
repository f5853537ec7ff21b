//! Models whose rules speak of graphs or of pieces, on small boards: the number of solutions against every choice of lines and
//! cells, by checkers that share nothing with the models.

#[path = "common/dice.rs"]
mod dice;
#[path = "genres/loops.rs"]
mod loops;
#[path = "genres/plain.rs"]
mod plain;
#[path = "genres/shaded.rs"]
mod shaded;

use plain::*;
use std::collections::{BTreeMap, BTreeSet};

fn bridges(islands: &BTreeMap<Cell, String>) -> usize {
    let mut spans: Vec<Edge> = Vec::new();
    for p in islands.keys() {
        for (dr, dc) in [(0, 1), (1, 0)] {
            let far = (1..9).map(|k| (p.0 + k * dr, p.1 + k * dc)).find(|q| islands.contains_key(q));
            spans.extend(far.map(|q| (*p, q)));
        }
    }
    let crosses = |(a, b): Edge, (c, d): Edge| {
        a.0 == b.0 && c.1 == d.1 && a.1 < c.1 && c.1 < b.1 && c.0 < a.0 && a.0 < d.0
    };
    let places: Vec<Cell> = islands.keys().copied().collect();
    let mut found = 0;
    for code in 0..3usize.pow(spans.len() as u32) {
        let weight: Vec<usize> = (0..spans.len()).map(|at| code / 3usize.pow(at as u32) % 3).collect();
        let used: Vec<Edge> = (0..spans.len()).filter(|at| weight[*at] > 0).map(|at| spans[at]).collect();
        let sum = |p: &Cell| -> usize {
            (0..spans.len()).filter(|at| spans[*at].0 == *p || spans[*at].1 == *p).map(|at| weight[at]).sum()
        };
        let told = islands.iter().all(|(p, clue)| clue == "?" || clue.parse() == Ok(sum(p)));
        let crossed = used.iter().any(|a| used.iter().any(|b| crosses(*a, *b)));
        found += usize::from(told && !crossed && parts(&places, &used).len() <= 1);
    }
    found
}

#[test]
fn hashi() {
    compare("hashi", 16, |dice| {
        let mut islands = BTreeMap::new();
        for p in cells(3, 3) {
            if dice.below(5) < 3 {
                islands.insert(p, dice.pick(&["?", "?", "?", "2", "3"]).to_owned());
            }
        }
        (sized(3, 3, &islands), bridges(&islands))
    });
    // one that nobody reaches, one alone, and none
    for islands in [
        &[((0, 0), "1"), ((0, 2), "1"), ((2, 1), "?")][..],
        &[((0, 0), "?"), ((2, 1), "?")],
        &[((1, 1), "?")],
        &[((1, 1), "1")],
    ] {
        let islands = islands.iter().map(|(p, clue)| (*p, (*clue).to_owned())).collect();
        assert_eq!(count("hashi", &sized(3, 3, &islands)), bridges(&islands), "{islands:?}");
    }
}

/// All turns and reflections of cells, pushed into the corner.
fn turns(shape: &BTreeSet<Cell>) -> BTreeSet<BTreeSet<Cell>> {
    let pushed = |cells: Vec<Cell>| -> BTreeSet<Cell> {
        let low = cells.iter().fold((99, 99), |low, p| (low.0.min(p.0), low.1.min(p.1)));
        cells.iter().map(|p| (p.0 - low.0, p.1 - low.1)).collect()
    };
    let turned = |turn: usize| {
        let turn = move |&(r, c): &Cell| {
            let (r, c) = if turn & 1 == 1 { (c, r) } else { (r, c) };
            (if turn & 2 == 2 { -r } else { r }, if turn & 4 == 4 { -c } else { c })
        };
        pushed(shape.iter().map(turn).collect())
    };
    (0..8).map(turned).collect()
}

#[test]
fn statue_park() {
    const SHAPES: [&[&str]; 9] = [
        &["##"],
        &["#", "#"],
        &["##."],
        &["#"],
        &["##", "#."],
        &[".#", "##"],
        &["###"],
        &["#", "#", "#"],
        &["##", "##"],
    ];
    let named = |shape: &[&str]| -> BTreeSet<BTreeSet<Cell>> {
        let rows = (0..).zip(shape.iter());
        let cells = rows
            .flat_map(|(r, row)| (0..).zip(row.chars()).filter(|(_, c)| *c == '#').map(move |(c, _)| (r, c)));
        turns(&cells.collect())
    };
    let all = cells(3, 3);
    let sides = edges(&all);
    let inside = |cells: &[Cell]| -> Vec<Edge> {
        sides.iter().filter(|(p, q)| cells.contains(p) && cells.contains(q)).copied().collect()
    };
    let brute = |statues: &[&[&str]], clues: &BTreeMap<Cell, String>| {
        let mut wanted: Vec<_> = statues.iter().map(|shape| named(shape)).collect();
        wanted.sort();
        let fits = |shaded: &Vec<Cell>| {
            let rest: Vec<Cell> = all.iter().filter(|p| !shaded.contains(p)).copied().collect();
            let mut found: Vec<_> = parts(shaded, &inside(shaded)).iter().map(turns).collect();
            found.sort();
            found == wanted
                && parts(&rest, &inside(&rest)).len() <= 1
                && clues.iter().all(|(p, clue)| shaded.contains(p) == (clue == "x"))
        };
        subsets(&all).filter(fits).count()
    };
    let defines = |statues: &[&[&str]], clues: &BTreeMap<Cell, String>| {
        let mut defines = sized(3, 3, clues);
        defines.push(("statues", format!("{statues:?}")));
        defines
    };
    compare("statue-park", 16, |dice| {
        let statues: Vec<&[&str]> = (0..1 + dice.below(2)).map(|_| dice.pick(&SHAPES)).collect();
        let mut clues = BTreeMap::new();
        clues.insert((dice.below(3) as i32, dice.below(3) as i32), dice.pick(&["o", "x"]).to_owned());
        (defines(&statues, &clues), brute(&statues, &clues))
    });
    // the same shape twice, as it is and turned
    for statues in [
        &[SHAPES[0], SHAPES[0]][..],
        &[SHAPES[0], SHAPES[1]],
        &[SHAPES[2], SHAPES[1]],
        &[SHAPES[6], SHAPES[7]],
        &[SHAPES[4], SHAPES[5]],
        &[SHAPES[3], SHAPES[3], SHAPES[1]],
    ] {
        let none = BTreeMap::new();
        assert_eq!(count("statue-park", &defines(statues, &none)), brute(statues, &none), "{statues:?}");
    }
    assert_eq!(brute(&[SHAPES[0], SHAPES[1]], &BTreeMap::new()), 8);
}

#[test]
fn slitherlink() {
    let points = cells(3, 3);
    let all = edges(&points);
    compare("slitherlink", 10, |dice| {
        let clues: BTreeMap<Cell, String> = cells(2, 2)
            .into_iter()
            .filter_map(|p| Some((p, dice.pick(&[None, None, Some(2), Some(1), Some(3)])?.to_string())))
            .collect();
        let sides = |(r, c): Cell, line: &[Edge]| {
            let around = [
                ((r, c), (r, c + 1)),
                ((r, c), (r + 1, c)),
                ((r, c + 1), (r + 1, c + 1)),
                ((r + 1, c), (r + 1, c + 1)),
            ];
            line.iter().filter(|edge| around.contains(edge)).count()
        };
        let fits = |line: &Vec<Edge>| {
            !line.is_empty()
                && one_loop(line)
                && clues.iter().all(|(p, clue)| clue.parse() == Ok(sides(*p, line)))
        };
        (sized(2, 2, &clues), subsets(&all).filter(fits).count())
    });
}

#[test]
fn masyu_and_simpleloop() {
    let points = cells(3, 4);
    let all = edges(&points);
    let loops: Vec<Vec<Edge>> = subsets(&all).filter(|line| !line.is_empty() && one_loop(line)).collect();
    compare("masyu", 10, |dice| {
        let mut pearls = BTreeMap::new();
        for _ in 0..1 + dice.below(2) {
            pearls.insert(dice.pick(&points), dice.pick(&["o", "x"]).to_owned());
        }
        let fits = |line: &&Vec<Edge>| {
            pearls.iter().all(|(p, pearl)| match pearl.as_str() {
                "o" => straight(*p, line) && ways(*p, line).iter().any(|q| bent(*q, line)),
                _ => bent(*p, line) && ways(*p, line).iter().all(|q| straight(*q, line)),
            })
        };
        (sized(3, 4, &pearls), loops.iter().filter(fits).count())
    });
    compare("simpleloop", 10, |dice| {
        let walls: BTreeSet<Cell> = dice
            .pick(&[
                &[][..],
                &[(0, 0), (0, 1)],
                &[(1, 1), (1, 2)],
                &[(1, 1)],
                &[(0, 0), (2, 3)],
                &[(0, 3), (1, 3), (2, 3), (0, 2)],
            ])
            .iter()
            .copied()
            .collect();
        let open: BTreeSet<Cell> = points.iter().filter(|p| !walls.contains(p)).copied().collect();
        let fits = |line: &&Vec<Edge>| touched(line) == open;
        let entries = walls.iter().map(|p| (*p, "#".to_owned())).collect();
        let mut defines = sized(3, 4, &entries);
        defines[2].0 = "wall";
        (defines, loops.iter().filter(fits).count())
    });
}

#[test]
fn yajilin() {
    let points = cells(3, 3);
    compare("yajilin", 10, |dice| {
        let (p, arrow) = (dice.pick(&points), dice.pick(&["^", "v", "<", ">"]));
        let number = dice.pick(&["?", "0", "1"]);
        let free: Vec<Cell> = points.iter().filter(|q| **q != p).copied().collect();
        let seen = |q: &Cell| match arrow {
            "^" => q.1 == p.1 && q.0 < p.0,
            "v" => q.1 == p.1 && q.0 > p.0,
            "<" => q.0 == p.0 && q.1 < p.1,
            _ => q.0 == p.0 && q.1 > p.1,
        };
        let sides = edges(&free);
        let fits = |line: &Vec<Edge>| {
            let on = touched(line);
            let shaded: Vec<Cell> = free.iter().filter(|q| !on.contains(q)).copied().collect();
            !line.is_empty()
                && one_loop(line)
                && !sides.iter().any(|(a, b)| shaded.contains(a) && shaded.contains(b))
                && (number == "?" || number.parse() == Ok(shaded.iter().filter(|q| seen(q)).count()))
        };
        let expected = subsets(&sides).filter(fits).count();
        (sized(3, 3, &BTreeMap::from([(p, format!("{arrow}{number}"))])), expected)
    });
}

#[test]
fn pipes() {
    let points = cells(3, 3);
    let all = edges(&points);
    let glyph = |p: Cell, line: &[Edge]| match ways(p, line).len() {
        1 => "╸",
        2 if straight(p, line) => "━",
        2 => "┏",
        3 => "┣",
        _ => ".",
    };
    let trees: Vec<Vec<Edge>> = subsets(&all)
        .filter(|line| line.len() == 8 && parts(&points, line).len() == 1)
        .filter(|line| points.iter().all(|p| glyph(*p, line) != "."))
        .collect();
    compare("pipes", 10, |dice| {
        let tree = &trees[dice.below(trees.len())];
        let tiles: BTreeMap<Cell, String> = points.iter().map(|p| (*p, glyph(*p, tree).to_owned())).collect();
        let fits = |line: &&Vec<Edge>| points.iter().all(|p| glyph(*p, line) == tiles[p]);
        (sized(3, 3, &tiles), trees.iter().filter(fits).count())
    });
}

#[test]
fn numberlink() {
    let points = cells(3, 3);
    let all = edges(&points);
    let ends = |line: &[Edge]| points.iter().filter(|p| ways(**p, line).len() == 1).count();
    let pairs: Vec<Vec<Edge>> = subsets(&all)
        .filter(|line| points.iter().all(|p| matches!(ways(*p, line).len(), 1 | 2)))
        .filter(|line| line.len() == 7 && ends(line) == 4 && parts(&points, line).len() == 2)
        .collect();
    compare("numberlink", 10, |dice| {
        let hidden = &pairs[dice.below(pairs.len())];
        let mut clues: BTreeMap<Cell, String> = BTreeMap::new();
        for (part, number) in parts(&points, hidden).iter().zip(["1", "2"]) {
            let ends = part.iter().filter(|p| ways(**p, hidden).len() == 1);
            clues.extend(ends.map(|p| (*p, number.to_owned())));
        }
        let fits = |line: &Vec<Edge>| {
            points.iter().all(|p| ways(*p, line).len() == if clues.contains_key(p) { 1 } else { 2 })
                && parts(&points, line).iter().all(|part| {
                    let ends: Vec<&String> = part.iter().filter_map(|p| clues.get(p)).collect();
                    matches!(ends[..], [a, b] if a == b)
                })
        };
        (sized(3, 3, &clues), subsets(&all).filter(fits).count())
    });
}

#[test]
fn gokigen() {
    let board = cells(2, 3);
    compare("gokigen", 10, |dice| {
        let diagonals = |falling: &[Cell]| -> Vec<Edge> {
            let line = |&(r, c): &Cell| match falling.contains(&(r, c)) {
                true => ((r, c), (r + 1, c + 1)),
                false => ((r, c + 1), (r + 1, c)),
            };
            board.iter().map(line).collect()
        };
        let hidden = diagonals(&chosen(&board, dice.below(64) as u32));
        let clues: BTreeMap<Cell, String> = cells(3, 4)
            .into_iter()
            .filter(|_| dice.below(3) == 0)
            .map(|p| (p, ways(p, &hidden).len().to_string()))
            .collect();
        let fits = |falling: &Vec<Cell>| {
            let line = diagonals(falling);
            let points: Vec<Cell> = touched(&line).into_iter().collect();
            // a forest has an edge less than points in each of its parts
            line.len() + parts(&points, &line).len() == points.len()
                && clues.iter().all(|(p, clue)| clue.parse() == Ok(ways(*p, &line).len()))
        };
        let mut defines = sized(3, 4, &clues);
        (defines[0].1, defines[1].1) = ("2".into(), "3".into());
        (defines, subsets(&board).filter(fits).count())
    });
}

#[test]
fn tracks() {
    // the board is 1..3 by 1..3; A lies at its left, B below
    let board: Vec<Cell> = cells(4, 4).into_iter().filter(|p| p.0 > 0 && p.1 > 0).collect();
    compare("tracks", 10, |dice| {
        let (a, b) = ((1 + dice.below(3) as i32, 0), (4, 1 + dice.below(3) as i32));
        let mut all = edges(&board);
        all.extend([(a, (a.0, 1)), ((3, b.1), b)]);
        let tracks: Vec<BTreeSet<Cell>> = subsets(&all)
            .filter(|line| {
                let points: Vec<Cell> = touched(line).into_iter().collect();
                ways(a, line).len() == 1
                    && ways(b, line).len() == 1
                    && points.iter().all(|p| *p == a || *p == b || ways(*p, line).len() == 2)
                    && parts(&points, line).len() == 1
            })
            .map(|line| touched(&line))
            .collect();
        let hidden = &tracks[dice.below(tracks.len())];
        let row = |r: i32, track: &BTreeSet<Cell>| track.iter().filter(|p| p.0 == r && p.1 > 0).count();
        let (r, told) = (1 + dice.below(3) as i32, dice.below(2));
        let number = row(r, hidden) + told;
        let clues = BTreeMap::from([(a, "A".to_owned()), (b, "B".to_owned()), ((r, 4), number.to_string())]);
        let mut defines = sized(5, 5, &clues);
        (defines[0].1, defines[1].1) = ("3".into(), "3".into());
        (defines, tracks.iter().filter(|track| row(r, track) == number).count())
    });
}
