//! Genres whose answer is one loop through cells: every loop of a small board, judged by the rule's words.

use crate::dice::Dice;
use crate::plain::*;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Mutex;

/// A board, and a loop on it.
struct Board {
    h: i32,
    w: i32,
    room: BTreeMap<Cell, char>,
    clue: BTreeMap<Cell, String>,
}

const SIZES: [(i32, i32); 5] = [(3, 4), (3, 4), (3, 3), (2, 5), (2, 2)];

/// Every loop on a board of this size.
fn every_loop(h: i32, w: i32) -> Vec<Vec<Edge>> {
    static KNOWN: Mutex<BTreeMap<(i32, i32), Vec<Vec<Edge>>>> = Mutex::new(BTreeMap::new());
    let mut known = KNOWN.lock().expect("no test panics with it");
    let found = known.entry((h, w)).or_insert_with(|| {
        let all = edges(&cells(h, w));
        // a way of two cells at each is cheap to see
        let even = |mask: &u32| {
            let mut degree: BTreeMap<Cell, u32> = BTreeMap::new();
            for (p, q) in chosen(&all, *mask) {
                *degree.entry(p).or_default() += 1;
                *degree.entry(q).or_default() += 1;
            }
            degree.values().all(|ways| *ways == 2)
        };
        let lines = (0..1u32 << all.len()).filter(even).map(|mask| chosen(&all, mask));
        lines.filter(|line| one_loop(line)).collect()
    });
    found.clone()
}

/// Those that pass these cells alone.
fn loops(h: i32, w: i32, open: &[Cell]) -> Vec<Vec<Edge>> {
    let mut every = every_loop(h, w);
    every.retain(|line| touched(line).iter().all(|p| open.contains(p)));
    every
}

/// One of them, if there is one.
fn any<T: Clone>(dice: &mut Dice, list: &[T]) -> Option<T> {
    (!list.is_empty()).then(|| list[dice.below(list.len())].clone())
}

impl Board {
    fn all(&self) -> Vec<Cell> {
        cells(self.h, self.w)
    }

    fn rooms(&self) -> BTreeSet<char> {
        self.room.values().copied().collect()
    }

    fn of_room(&self, room: char) -> Vec<Cell> {
        self.all().into_iter().filter(|p| self.room[p] == room).collect()
    }

    /// How often a loop crosses the walls of a room.
    fn crossings(&self, line: &[Edge], room: char) -> usize {
        line.iter().filter(|(p, q)| (self.room[p] == room) != (self.room[q] == room)).count()
    }

    fn walls(&self) -> Vec<Edge> {
        edges(&self.all()).into_iter().filter(|(p, q)| self.room[p] != self.room[q]).collect()
    }

    /// Is the clue of each cell, as far as it has one, this?
    fn says(&self, right: impl Fn(Cell) -> usize) -> bool {
        self.clue.iter().all(|(p, text)| text == "?" || *text == right(*p).to_string())
    }
}

/// Is a cell that a loop does not pass inside it? A ray to the left crosses it an odd number of times.
fn inside(p: Cell, line: &[Edge]) -> bool {
    let crossed = |(a, b): &&Edge| a.1 == b.1 && a.1 < p.1 && a.0.min(b.0) == p.0;
    line.iter().filter(crossed).count() % 2 == 1
}

/// The lengths of the straight pieces of a loop at a cell, up and down, then left and right.
fn pieces(p: Cell, line: &[Edge]) -> [usize; 2] {
    let has = |a: Cell, b: Cell| line.contains(&(a.min(b), a.max(b)));
    let reach = |(dr, dc): Cell| {
        (0..)
            .take_while(|k| has((p.0 + k * dr, p.1 + k * dc), (p.0 + (k + 1) * dr, p.1 + (k + 1) * dc)))
            .count()
    };
    [reach((-1, 0)) + reach((1, 0)), reach((0, -1)) + reach((0, 1))]
}

/// Compares boards with rooms; `clues` places them, seeing one of the loops.
fn judged(
    model: &str,
    clues: impl Fn(&mut Dice, &Board, &[Edge]) -> BTreeMap<Cell, String>,
    right: impl Fn(&Board, &[Edge]) -> bool,
) {
    compare(model, 18, |dice| {
        let (h, w) = dice.pick(&SIZES);
        let mut board = Board { h, w, room: rooms(dice, h, w), clue: BTreeMap::new() };
        let every = every_loop(h, w);
        // boards with rooms that no loop passes as wanted say nothing
        for _ in 0..60 {
            board.clue.clear();
            if every.iter().any(|line| right(&board, line)) {
                break;
            }
            board.room = rooms(dice, h, w);
        }
        let good: Vec<Vec<Edge>> = every.iter().filter(|line| right(&board, line)).cloned().collect();
        let seen = any(dice, &good).unwrap_or_default();
        // most boards have a solution
        for _ in 0..40 {
            board.clue = clues(dice, &board, &seen);
            if every.iter().any(|line| right(&board, line)) {
                break;
            }
        }
        let found = every.iter().filter(|line| right(&board, line)).count();
        let row = |r: i32| (0..w).map(|c| board.room[&(r, c)]).collect::<String>();
        let mut defines = vec![("room", (0..h).map(row).collect::<Vec<_>>().join("\n"))];
        if !board.clue.is_empty() || matches!(model, "dotchi-loop" | "moon-or-sun") {
            defines.push(("clue", picture(h, w, &board.clue)));
        }
        (defines, found)
    });
}

/// Clues at some cells, as they are right, or one less.
fn some(dice: &mut Dice, board: &Board, right: impl Fn(Cell) -> usize) -> BTreeMap<Cell, String> {
    let mut found = BTreeMap::new();
    for p in board.all() {
        if dice.below(4) == 0 {
            let number = right(p);
            let wrong = usize::from(dice.below(12) == 0 && number > 1);
            found.insert(p, (number - wrong).to_string());
        }
    }
    found
}

fn passed(board: &Board, line: &[Edge], p: Cell) -> usize {
    let on = touched(line);
    board.of_room(board.room[&p]).iter().filter(|q| on.contains(q)).count()
}

fn turns(board: &Board, line: &[Edge], p: Cell) -> usize {
    board.of_room(board.room[&p]).into_iter().filter(|q| bent(*q, line)).count()
}

#[test]
fn country_road() {
    judged(
        "country-road",
        |dice, board, line| {
            let mut clues = some(dice, board, |p| passed(board, line, p));
            clues.retain(|_, text| text != "0");
            clues
        },
        |board, line| {
            let on = touched(line);
            board.rooms().into_iter().all(|room| {
                board.of_room(room).iter().any(|p| on.contains(p)) && board.crossings(line, room) <= 2
            }) && board.walls().iter().all(|(p, q)| on.contains(p) || on.contains(q))
                && board.says(|p| passed(board, line, p))
        },
    );
}

#[test]
fn detour() {
    judged(
        "detour",
        |dice, board, line| some(dice, board, |p| turns(board, line, p)),
        |board, line| touched(line).len() == board.all().len() && board.says(|p| turns(board, line, p)),
    );
}

#[test]
fn all_or_nothing() {
    judged(
        "all-or-nothing",
        |_, _, _| BTreeMap::new(),
        |board, line| {
            let on = touched(line);
            let used = |room: char| board.of_room(room).iter().any(|p| on.contains(p));
            board.rooms().into_iter().all(|room| {
                !used(room)
                    || board.of_room(room).iter().all(|p| on.contains(p)) && board.crossings(line, room) <= 2
            }) && board.walls().iter().all(|(p, q)| used(board.room[p]) || used(board.room[q]))
        },
    );
}

#[test]
fn double_back() {
    judged(
        "double-back",
        |_, _, _| BTreeMap::new(),
        |board, line| {
            touched(line).len() == board.all().len()
                && board.rooms().into_iter().all(|room| board.crossings(line, room) == 4)
        },
    );
}

#[test]
fn dotchi_loop() {
    judged(
        "dotchi-loop",
        |dice, board, line| {
            let on = touched(line);
            let mut clues = BTreeMap::new();
            for p in board.all() {
                if dice.below(3) == 0 {
                    let white = if dice.below(8) == 0 { dice.coin() } else { on.contains(&p) };
                    clues.insert(p, if white { "o" } else { "x" }.to_owned());
                }
            }
            clues
        },
        |board, line| {
            let on = touched(line);
            let of = |room: char, colour: &'static str| {
                board
                    .of_room(room)
                    .into_iter()
                    .filter(move |p| board.clue.get(p).is_some_and(|text| text == colour))
            };
            board.rooms().into_iter().all(|room| {
                of(room, "x").all(|p| !on.contains(&p))
                    && (of(room, "o").all(|p| bent(p, line)) || of(room, "o").all(|p| straight(p, line)))
            })
        },
    );
}

#[test]
fn moon_or_sun() {
    // a loop that passes every room once meets as many rooms as it crosses walls
    judged(
        "moon-or-sun",
        |dice, board, line| {
            let on = touched(line);
            let mut clues = BTreeMap::new();
            let kinds: BTreeMap<char, bool> =
                board.rooms().into_iter().map(|room| (room, dice.coin())).collect();
            for p in board.all() {
                if dice.below(2) == 0 {
                    let moon = kinds[&board.room[&p]] == on.contains(&p);
                    clues.insert(p, if moon { "m" } else { "s" }.to_owned());
                }
            }
            clues.entry((0, 0)).or_insert_with(|| "m".to_owned());
            clues.entry((0, 0)).or_insert_with(|| "m".to_owned());
            clues
        },
        |board, line| {
            if board.clue.is_empty() {
                // rooms are chosen before clues
                return board.rooms().into_iter().all(|room| board.crossings(line, room) == 2);
            }
            let on = touched(line);
            let kind = |room: char| {
                let cells = board.of_room(room);
                let marks = |sign: &str| -> Vec<bool> {
                    let marked = cells.iter().filter(|p| board.clue.get(p).is_some_and(|text| text == sign));
                    marked.map(|p| on.contains(p)).collect()
                };
                let (moons, suns) = (marks("m"), marks("s"));
                let only = |yes: &[bool], no: &[bool]| {
                    !yes.is_empty() && yes.iter().all(|on| *on) && !no.contains(&true)
                };
                match (only(&moons, &suns), only(&suns, &moons)) {
                    (true, _) => Some(true),
                    (_, true) => Some(false),
                    _ => None,
                }
            };
            board.rooms().into_iter().all(|room| board.crossings(line, room) <= 2 && kind(room).is_some())
                && line.iter().all(|(p, q)| {
                    board.room[p] == board.room[q] || kind(board.room[p]) != kind(board.room[q])
                })
        },
    );
}

#[test]
fn geradeweg() {
    compare("geradeweg", 18, |dice| {
        let (h, w) = dice.pick(&SIZES);
        let every = every_loop(h, w);
        let seen = any(dice, &every).expect("there are loops");
        let mut circles = BTreeMap::new();
        for p in touched(&seen) {
            if dice.below(3) == 0 {
                let length = pieces(p, &seen).into_iter().max().unwrap();
                circles.insert(p, if dice.below(3) == 0 { "?".into() } else { length.to_string() });
            }
        }
        let right = |line: &&Vec<Edge>| {
            circles.iter().all(|(p, text): (&Cell, &String)| {
                let lengths: Vec<usize> = pieces(*p, line).into_iter().filter(|length| *length > 0).collect();
                !lengths.is_empty()
                    && lengths
                        .iter()
                        .all(|length| *length == lengths[0] && (text == "?" || *text == length.to_string()))
            })
        };
        (vec![("clue", picture(h, w, &circles))], every.iter().filter(right).count())
    });
}

#[test]
fn castle_wall() {
    compare("castle-wall", 18, |dice| {
        let (h, w) = dice.pick(&SIZES);
        let mut clue: BTreeMap<Cell, (char, char, usize)> = BTreeMap::new();
        for p in cells(h, w) {
            if dice.below(6) == 0 {
                clue.insert(
                    p,
                    (dice.pick(&['o', 'x', 'g', 'x']), dice.pick(&['^', 'v', '<', '>', '.']), dice.below(3)),
                );
            }
        }
        let open: Vec<Cell> = cells(h, w).into_iter().filter(|p| !clue.contains_key(p)).collect();
        let right = |line: &Vec<Edge>| {
            clue.iter().all(|(p, (colour, way, number))| {
                let along = |(a, b): &&Edge| match way {
                    '^' => a.1 == p.1 && b.1 == p.1 && a.0.max(b.0) < p.0,
                    'v' => a.1 == p.1 && b.1 == p.1 && a.0.min(b.0) > p.0,
                    '<' => a.0 == p.0 && b.0 == p.0 && a.1.max(b.1) < p.1,
                    _ => a.0 == p.0 && b.0 == p.0 && a.1.min(b.1) > p.1,
                };
                (*colour == 'g' || inside(*p, line) == (*colour == 'o'))
                    && (*way == '.' || line.iter().filter(along).count() == *number)
            })
        };
        let found = loops(h, w, &open).iter().filter(|line| right(line)).count();
        let text = |(p, (colour, way, number)): (&Cell, &(char, char, usize))| {
            (*p, if *way == '.' { colour.to_string() } else { format!("{colour}{way}{number}") })
        };
        (vec![("clue", picture(h, w, &clue.iter().map(text).collect()))], found)
    });
}

/// The cells that a loop leaves are shaded: they must not touch, nor, if so wanted, lie inside.
fn left(open: &[Cell], line: &[Edge], outside: bool) -> Option<Vec<Cell>> {
    let on = touched(line);
    let shaded: Vec<Cell> = open.iter().copied().filter(|p| !on.contains(p)).collect();
    let right = edges(&shaded).is_empty() && !(outside && shaded.iter().any(|p| inside(*p, line)));
    right.then_some(shaded)
}

#[test]
fn yajilin_regions() {
    compare("yajilin-regions", 18, |dice| {
        let (h, w) = dice.pick(&SIZES);
        let board = Board { h, w, room: rooms(dice, h, w), clue: BTreeMap::new() };
        let outside = dice.below(3) == 0;
        let every = every_loop(h, w);
        let good: Vec<Vec<Cell>> =
            every.iter().filter_map(|line| left(&board.all(), line, outside)).collect();
        let shaded =
            |shaded: &Vec<Cell>, p: Cell| shaded.iter().filter(|q| board.room[q] == board.room[&p]).count();
        let mut clues = BTreeMap::new();
        if let Some(seen) = any(dice, &good) {
            clues = some(dice, &board, |p| shaded(&seen, p));
        }
        let right = |found: &&Vec<Cell>| clues.iter().all(|(p, text)| *text == shaded(found, *p).to_string());
        let row = |r: i32| (0..w).map(|c| board.room[&(r, c)]).collect::<String>();
        let defines = vec![
            ("room", (0..h).map(row).collect::<Vec<_>>().join("\n")),
            ("clue", picture(h, w, &clues)),
            ("outside", outside.to_string()),
        ];
        (defines, good.iter().filter(right).count())
    });
}

#[test]
fn koburin() {
    compare("koburin", 18, |dice| {
        let (h, w) = dice.pick(&SIZES);
        let (around, outside) = (dice.below(3) == 0, dice.below(3) == 0);
        let mut numbers: BTreeMap<Cell, String> = BTreeMap::new();
        for p in cells(h, w) {
            if dice.below(7) == 0 {
                numbers.insert(p, dice.pick(&["?", "0", "1", "2"]).to_owned());
            }
        }
        let open: Vec<Cell> = cells(h, w).into_iter().filter(|p| !numbers.contains_key(p)).collect();
        let right = |shaded: &Vec<Cell>| {
            numbers.iter().all(|(p, text)| {
                let near = |q: &&Cell| {
                    let (dr, dc) = ((p.0 - q.0).abs(), (p.1 - q.1).abs());
                    if around { dr.max(dc) == 1 } else { dr + dc == 1 }
                };
                text == "?" || *text == shaded.iter().filter(near).count().to_string()
            })
        };
        let lines = loops(h, w, &open);
        let found =
            lines.iter().filter_map(|line| left(&open, line, outside)).filter(|shaded| right(shaded)).count();
        let defines = vec![
            ("clue", picture(h, w, &numbers)),
            ("around8", around.to_string()),
            ("outside", outside.to_string()),
        ];
        (defines, found)
    });
}
