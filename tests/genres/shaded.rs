//! Genres whose answer is a set of shaded cells: every set of a small board, judged by the rule's words.

use crate::dice::Dice;
use crate::plain::*;
use std::collections::BTreeMap;

/// A board, and a set of its cells.
struct Board {
    h: i32,
    w: i32,
    room: BTreeMap<Cell, char>,
    clue: BTreeMap<Cell, String>,
}

#[derive(Clone, Copy)]
struct Shade<'b> {
    board: &'b Board,
    mask: u32,
}

impl Shade<'_> {
    fn on(self, p: Cell) -> bool {
        self.exists(p) && self.mask >> (p.0 * self.board.w + p.1) & 1 == 1
    }

    fn off(self, p: Cell) -> bool {
        self.exists(p) && !self.on(p)
    }

    fn exists(self, (r, c): Cell) -> bool {
        (0..self.board.h).contains(&r) && (0..self.board.w).contains(&c)
    }

    fn all(self) -> Vec<Cell> {
        cells(self.board.h, self.board.w)
    }

    fn shaded(self) -> Vec<Cell> {
        self.all().into_iter().filter(|p| self.on(*p)).collect()
    }

    fn white(self) -> Vec<Cell> {
        self.all().into_iter().filter(|p| self.off(*p)).collect()
    }

    /// The shaded cells of a room.
    fn of_room(self, room: char) -> Vec<Cell> {
        self.shaded().into_iter().filter(|p| self.board.room[p] == room).collect()
    }

    fn near(self, p: Cell) -> Vec<Cell> {
        self.all().into_iter().filter(|q| beside(p, *q)).collect()
    }

    /// Does no shaded cell touch another one?
    fn apart(self) -> bool {
        edges(&self.shaded()).is_empty()
    }

    /// The numbers of shaded cells in all squares of 2×2.
    fn squares(self) -> Vec<usize> {
        let square = |(r, c): Cell| [(r, c), (r, c + 1), (r + 1, c), (r + 1, c + 1)];
        let whole = self.all().into_iter().map(square).filter(|four| four.iter().all(|p| self.exists(*p)));
        whole.map(|four| four.iter().filter(|p| self.on(**p)).count()).collect()
    }

    /// Is every one of these areas a full rectangle?
    fn rectangles(self, cells: &[Cell], square: bool) -> bool {
        parts(cells, &edges(cells)).iter().all(|part| {
            let (rows, columns): (Vec<i32>, Vec<i32>) = part.iter().copied().unzip();
            let side = |list: &[i32]| list.iter().max().unwrap() - list.iter().min().unwrap() + 1;
            let (h, w) = (side(&rows), side(&columns));
            h * w == part.len() as i32 && (!square || h == w)
        })
    }

    fn rooms(self) -> Vec<char> {
        let mut rooms: Vec<char> = self.board.room.values().copied().collect();
        rooms.sort_unstable();
        rooms.dedup();
        rooms
    }

    /// Neighbours in different rooms.
    fn walls(self) -> Vec<Edge> {
        let differ = |(p, q): &Edge| self.board.room[p] != self.board.room[q];
        edges(&self.all()).into_iter().filter(differ).collect()
    }
}

/// How a genre is tried.
struct Genre {
    model: &'static str,
    rooms: bool,
    /// May a clue be `?`: something is there, its number is not told?
    unknown: bool,
    /// Is every clue told that there is?
    all_told: bool,
    /// The rules that speak of no clue.
    rules: fn(Shade<'_>) -> bool,
    /// The right clue at a cell; `None` where none may stand.
    clue: fn(Shade<'_>, Cell) -> Option<i32>,
}

const PLAIN: Genre = Genre {
    model: "",
    rooms: false,
    unknown: false,
    all_told: false,
    rules: |_| true,
    clue: |shade, p| Some(shade.of_room(shade.board.room[&p]).len() as i32),
};

const SIZES: [(i32, i32); 6] = [(3, 4), (3, 4), (3, 3), (2, 5), (1, 5), (1, 1)];

/// What each cell says, or does not say, is what is there.
fn told(genre: &Genre, shade: Shade<'_>) -> bool {
    shade.all().into_iter().all(|p| {
        match (shade.board.clue.get(&p).map(String::as_str), (genre.clue)(shade, p)) {
            (None, right) => !genre.all_told || right.is_none(),
            (Some(_), None) => false,
            (Some("?"), Some(_)) => true,
            (Some(text), Some(right)) => text == right.to_string(),
        }
    })
}

fn judged(genre: &Genre) {
    compare(genre.model, 18, |dice| {
        let (h, w) = dice.pick(&SIZES);
        let mut board = Board { h, w, room: BTreeMap::new(), clue: BTreeMap::new() };
        let mut good = Vec::new();
        // rooms that no set of cells fits say nothing
        for _ in 0..60 {
            let all = || cells(h, w).into_iter();
            board.room = if genre.rooms { rooms(dice, h, w) } else { all().map(|p| (p, 'a')).collect() };
            let fits = |mask: &u32| (genre.rules)(Shade { board: &board, mask: *mask });
            good = (0..1 << (h * w)).filter(fits).collect();
            if !good.is_empty() {
                break;
            }
        }
        board.clue = clues(genre, dice, &board, &good);
        let found = good.iter().filter(|mask| told(genre, Shade { board: &board, mask: **mask })).count();
        let mut defines = vec![("clue", picture(h, w, &board.clue))];
        if genre.rooms {
            let row = |r: i32| (0..w).map(|c| board.room[&(r, c)]).collect::<String>();
            defines.push(("room", (0..h).map(row).collect::<Vec<_>>().join("\n")));
        }
        if genre.model == "norinori" {
            defines.remove(0);
        }
        (defines, found)
    });
}

/// Clues of some answer, most of them right.
fn clues(genre: &Genre, dice: &mut Dice, board: &Board, good: &[u32]) -> BTreeMap<Cell, String> {
    let mut found = BTreeMap::new();
    if good.is_empty() {
        return found;
    }
    let answer = Shade { board, mask: dice.pick(good) };
    for p in answer.all() {
        let Some(right) = (genre.clue)(answer, p) else { continue };
        if genre.all_told || dice.below(4) == 0 {
            let wrong = dice.below(12) == 0 && right > 1;
            let hidden = genre.unknown && dice.below(3) == 0;
            found.insert(p, if hidden { "?".into() } else { (right - i32::from(wrong)).to_string() });
        }
    }
    found
}

#[test]
fn aqre() {
    judged(&Genre {
        model: "aqre",
        rooms: true,
        rules: |shade| {
            let run = |(r, c): Cell, (dr, dc): Cell| {
                let four = (0..4).map(|k| (r + k * dr, c + k * dc)).collect::<Vec<_>>();
                four.iter().all(|p| shade.on(*p)) || four.iter().all(|p| shade.off(*p))
            };
            connected(&shade.shaded()) && !shade.all().into_iter().any(|p| run(p, (0, 1)) || run(p, (1, 0)))
        },
        ..PLAIN
    });
}

#[test]
fn chocona() {
    let rules = |shade: Shade<'_>| shade.rectangles(&shade.shaded(), false);
    judged(&Genre { model: "chocona", rooms: true, rules, ..PLAIN });
}

#[test]
fn cocktail_lamp() {
    judged(&Genre {
        model: "cocktail-lamp",
        rooms: true,
        rules: |shade| {
            let shaded = shade.shaded();
            let touches = |p: &Cell, q: &Cell| (p.0 - q.0).abs() <= 1 && (p.1 - q.1).abs() <= 1;
            let mut corners = Vec::new();
            for (at, p) in shaded.iter().enumerate() {
                corners.extend(shaded[..at].iter().filter(|q| touches(p, q)).map(|q| (*p, *q)));
            }
            parts(&shaded, &corners).len() <= 1
                && !shade.squares().contains(&4)
                && shade.rooms().into_iter().all(|room| connected(&shade.of_room(room)))
                && !shade.walls().iter().any(|(p, q)| shade.on(*p) && shade.on(*q))
        },
        ..PLAIN
    });
}

#[test]
fn context() {
    judged(&Genre {
        model: "context",
        rules: |shade| shade.apart() && connected(&shade.white()),
        clue: |shade, (r, c)| {
            let around: &[Cell] = match shade.on((r, c)) {
                true => &[(-1, -1), (-1, 1), (1, -1), (1, 1)],
                false => &[(-1, 0), (1, 0), (0, -1), (0, 1)],
            };
            Some(around.iter().filter(|(dr, dc)| shade.on((r + dr, c + dc))).count() as i32)
        },
        ..PLAIN
    });
}

#[test]
fn kurochute() {
    // a number says that just one of the cells so far away is shaded: a cell may bear several numbers, so each is tried
    compare("kurochute", 18, |dice| {
        let (h, w) = dice.pick(&SIZES);
        let mut board = Board { h, w, room: BTreeMap::new(), clue: BTreeMap::new() };
        for p in cells(h, w) {
            if dice.below(5) == 0 {
                board.clue.insert(p, dice.pick(&["1", "1", "2", "?"]).to_owned());
            }
        }
        let good = |mask: &u32| {
            let shade = Shade { board: &board, mask: *mask };
            let right = |(p, text): (&Cell, &String)| {
                let Ok(k) = text.parse::<i32>() else { return true };
                let far = [(p.0 - k, p.1), (p.0 + k, p.1), (p.0, p.1 - k), (p.0, p.1 + k)];
                far.iter().filter(|q| shade.on(**q)).count() == 1
            };
            !board.clue.keys().any(|p| shade.on(*p))
                && shade.apart()
                && board.clue.iter().all(right)
                && connected(&shade.white())
        };
        let found = (0..1u32 << (h * w)).filter(good).count();
        (vec![("clue", picture(h, w, &board.clue))], found)
    });
}

#[test]
fn kurotto() {
    judged(&Genre {
        model: "kurotto",
        unknown: true,
        clue: |shade, p| {
            let shaded = shade.shaded();
            let areas = parts(&shaded, &edges(&shaded));
            let touching = areas.iter().filter(|area| area.iter().any(|q| beside(p, *q)));
            shade.off(p).then(|| touching.map(|area| area.len() as i32).sum())
        },
        ..PLAIN
    });
}

/// The numbers of a nanro follow from the cells that have one.
#[test]
fn nanro() {
    judged(&Genre {
        model: "nanro",
        rooms: true,
        unknown: true,
        rules: |shade| {
            connected(&shade.shaded())
                && !shade.squares().contains(&4)
                && shade.rooms().into_iter().all(|room| !shade.of_room(room).is_empty())
                && !shade.walls().into_iter().any(|(p, q)| {
                    shade.on(p)
                        && shade.on(q)
                        && shade.of_room(shade.board.room[&p]).len()
                            == shade.of_room(shade.board.room[&q]).len()
                })
        },
        clue: |shade, p| shade.on(p).then(|| shade.of_room(shade.board.room[&p]).len() as i32),
        ..PLAIN
    });
}

#[test]
fn no_three() {
    compare("no-three", 18, |dice| {
        let (h, w) = dice.pick(&SIZES);
        let board = Board { h, w, room: BTreeMap::new(), clue: BTreeMap::new() };
        let rules = |mask: &u32| {
            let shade = Shade { board: &board, mask: *mask };
            let even = |p: Cell, d: Cell| [0, 1, 2].iter().all(|k| shade.on((p.0 + k * d.0, p.1 + k * d.1)));
            let steps: Vec<Cell> = (1..5).flat_map(|k| [(0, k), (k, 0)]).collect();
            shade.apart()
                && !shade.shaded().into_iter().any(|p| steps.iter().any(|d| even(p, *d)))
                && connected(&shade.white())
        };
        let good: Vec<u32> = (0..1u32 << (h * w)).filter(rules).collect();
        // a dot in half cells: it belongs to the one, two or four cells that it lies on
        let touched = |mask: u32, (y, x): Cell| {
            let shade = Shade { board: &board, mask };
            let on = shade.shaded();
            on.iter().filter(|(r, c)| (2 * r - y).abs() <= 1 && (2 * c - x).abs() <= 1).count()
        };
        let answer = dice.pick(&good);
        let mut dots = BTreeMap::new();
        for y in 0..2 * h - 1 {
            for x in 0..2 * w - 1 {
                if touched(answer, (y, x)) == 1 && dice.below(4) == 0 {
                    dots.insert((y, x), "o".to_owned());
                }
            }
        }
        let found = good.iter().filter(|mask| dots.keys().all(|dot| touched(**mask, *dot) == 1)).count();
        (vec![("clue", picture(2 * h - 1, 2 * w - 1, &dots))], found)
    });
}

#[test]
fn norinori() {
    judged(&Genre {
        model: "norinori",
        rooms: true,
        rules: |shade| {
            shade.rooms().into_iter().all(|room| shade.of_room(room).len() == 2)
                && shade
                    .shaded()
                    .into_iter()
                    .all(|p| shade.near(p).into_iter().filter(|q| shade.on(*q)).count() == 1)
        },
        clue: |_, _| None,
        ..PLAIN
    });
}

#[test]
fn nurimisaki() {
    judged(&Genre {
        model: "nurimisaki",
        unknown: true,
        all_told: true,
        rules: |shade| connected(&shade.white()) && shade.squares().iter().all(|on| (1..4).contains(on)),
        clue: |shade, p| {
            let ways: Vec<Cell> = shade.near(p).into_iter().filter(|q| shade.off(*q)).collect();
            let [way] = ways[..] else { return None };
            let (dr, dc) = (way.0 - p.0, way.1 - p.1);
            shade.off(p).then(|| (0..).take_while(|k| shade.off((p.0 + k * dr, p.1 + k * dc))).count() as i32)
        },
        ..PLAIN
    });
}

#[test]
fn paintarea() {
    judged(&Genre {
        model: "paintarea",
        rooms: true,
        rules: |shade| {
            let whole = |room: char| {
                let on = shade.of_room(room).len();
                on == 0 || on == shade.board.room.values().filter(|other| **other == room).count()
            };
            shade.rooms().into_iter().all(whole)
                && shade.squares().iter().all(|on| (1..4).contains(on))
                && connected(&shade.shaded())
        },
        clue: |shade, p| Some(shade.near(p).into_iter().filter(|q| shade.on(*q)).count() as i32),
        ..PLAIN
    });
}

#[test]
fn shimaguni() {
    judged(&Genre {
        model: "shimaguni",
        rooms: true,
        rules: |shade| {
            let size = |p: Cell| shade.of_room(shade.board.room[&p]).len();
            shade
                .rooms()
                .into_iter()
                .all(|room| !shade.of_room(room).is_empty() && connected(&shade.of_room(room)))
                && !shade.walls().into_iter().any(|(p, q)| shade.on(p) && shade.on(q) || size(p) == size(q))
        },
        ..PLAIN
    });
}

#[test]
fn circles_and_squares() {
    compare("circles-and-squares", 18, |dice| {
        let (h, w) = dice.pick(&SIZES);
        let board = Board { h, w, room: BTreeMap::new(), clue: BTreeMap::new() };
        let rules = |mask: &u32| {
            let shade = Shade { board: &board, mask: *mask };
            !shade.squares().contains(&4)
                && connected(&shade.shaded())
                && shade.rectangles(&shade.white(), true)
        };
        let good: Vec<u32> = (0..1u32 << (h * w)).filter(rules).collect();
        let mut circles = BTreeMap::new();
        for p in cells(h, w) {
            if dice.below(8) == 0 {
                circles.insert(p, dice.pick(&["o", "x"]).to_owned());
            }
        }
        let fits = |mask: &&u32| {
            let shade = Shade { board: &board, mask: **mask };
            circles.iter().all(|(p, colour)| shade.on(*p) == (colour == "x"))
        };
        (vec![("clue", picture(h, w, &circles))], good.iter().filter(fits).count())
    });
}
