//! The recorded solutions of Tatham's programs as values of the models' variables.

use rebus::eval::Value;
use std::collections::{HashMap, HashSet};

type Cell = (i64, i64);
/// The value of a variable's entry as text; `None` where the program's solution does not say.
pub type Answer = Box<dyn Fn(&str, &Value) -> Option<String>>;

/// A puzzle of a program.
pub struct Puzzle<'a> {
    pub rows: i64,
    pub columns: i64,
    /// What stands behind the size in the parameters.
    pub letters: &'a str,
    pub description: &'a str,
}

impl<'a> Puzzle<'a> {
    pub fn of(id: &'a str) -> Puzzle<'a> {
        let (params, description) = id.split_once(':').unwrap();
        let size = params.find(|c: char| c.is_ascii_alphabetic() && c != 'x').unwrap_or(params.len());
        let (size, letters) = params.split_at(size);
        let mut numbers = size.split('x').filter_map(|n| n.parse().ok());
        let columns = numbers.next().unwrap();
        Puzzle { rows: numbers.next().unwrap_or(columns), columns, letters, description }
    }
}

fn numbers(text: &str) -> Vec<i64> {
    text.split(|c: char| !c.is_ascii_digit()).filter_map(|part| part.parse().ok()).collect()
}

/// The moves `Xa,b` of a solution with that letter, as numbers.
fn moves(solution: &str, letter: &str) -> Vec<Vec<i64>> {
    solution.split(';').filter_map(|part| part.strip_prefix(letter)).map(numbers).collect()
}

/// Cells `x,y` of moves.
fn cells(solution: &str, letter: &str) -> HashSet<Cell> {
    moves(solution, letter).into_iter().map(|m| (m[1] + 1, m[0] + 1)).collect()
}

fn at(key: &Value) -> Cell {
    key.as_cell().expect("a cell")
}

fn pair(key: &Value) -> (Value, Value) {
    match key {
        Value::Tuple(parts) | Value::List(parts) => (parts[0].clone(), parts[1].clone()),
        _ => panic!("no pair"),
    }
}

fn edge(key: &Value) -> (Cell, Cell) {
    let (a, b) = pair(key);
    (at(&a), at(&b))
}

fn yes(is: bool) -> Option<String> {
    Some(is.to_string())
}

/// A value a cell, row by row.
fn by_cell(columns: i64, values: Vec<String>) -> Answer {
    Box::new(move |_, key| {
        let (r, c) = at(key);
        Some(values[((r - 1) * columns + c - 1) as usize].clone())
    })
}

fn chars(text: &str) -> Vec<String> {
    text.chars().map(String::from).collect()
}

fn flags(bits: impl Iterator<Item = bool>) -> Vec<String> {
    bits.map(|bit| bit.to_string()).collect()
}

fn set(name: &'static str, cells: HashSet<Cell>) -> Answer {
    Box::new(move |var, key| if var == name { yes(cells.contains(&at(key))) } else { None })
}

fn hex_bits(text: &str) -> impl Iterator<Item = bool> + '_ {
    text.chars().flat_map(|c| (0..4).map(move |i| c.to_digit(16).unwrap() & (8 >> i) != 0))
}

/// Lines between cells by the sides that are open at their first cell: right 1, down 8.
fn line(sides: HashMap<Cell, i64>) -> Answer {
    Box::new(move |_, key| {
        let (p, q) = edge(key);
        // a line over the seam of a board goes up or left in reading order
        let bit = if q.0 == p.0 { 1 } else { 8 };
        yes(sides.get(&p).is_some_and(|sides| sides & bit != 0))
    })
}

/// Cells joined where `open(p, q)`, numbered by first cell from 1.
fn pieces(rows: i64, columns: i64, open: impl Fn(Cell, Cell) -> bool) -> HashMap<Cell, i64> {
    let mut found = HashMap::new();
    let mut next = 0;
    for start in (1..=rows).flat_map(|r| (1..=columns).map(move |c| (r, c))) {
        if found.contains_key(&start) {
            continue;
        }
        next += 1;
        let mut open_cells = vec![start];
        while let Some((r, c)) = open_cells.pop() {
            if found.insert((r, c), next).is_some() {
                continue;
            }
            for q in [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)] {
                let inside = (1..=rows).contains(&q.0) && (1..=columns).contains(&q.1);
                if inside && !found.contains_key(&q) && open((r, c).min(q), (r, c).max(q)) {
                    open_cells.push(q);
                }
            }
        }
    }
    found
}

/// `y` or `n` after the number of each edge.
fn edge_numbers(solution: &str) -> HashSet<i64> {
    let mut chosen = HashSet::new();
    let mut number = 0;
    for c in solution[1..].chars() {
        match c.to_digit(10) {
            Some(digit) => number = number * 10 + i64::from(digit),
            None => {
                if c == 'y' {
                    chosen.insert(number);
                }
                number = 0;
            }
        }
    }
    chosen
}

pub fn answer(program: &str, puzzle: &Puzzle<'_>, solution: &str) -> Answer {
    let (rows, columns) = (puzzle.rows, puzzle.columns);
    let body = &solution[1..];
    match program {
        "bridges" => {
            let built: HashMap<(Cell, Cell), i64> = moves(solution, "L")
                .into_iter()
                .map(|m| {
                    let (a, b) = ((m[1] + 1, m[0] + 1), (m[3] + 1, m[2] + 1));
                    ((a.min(b), a.max(b)), m[4])
                })
                .collect();
            Box::new(move |_, key| Some(built.get(&edge(key)).copied().unwrap_or(0).to_string()))
        }
        "dominosa" => {
            let width = columns + 2;
            let cell = move |i: i64| (i / width + 1, i % width + 1);
            let laid: HashSet<(Cell, Cell)> =
                moves(solution, "D").into_iter().map(|m| (cell(m[0]), cell(m[1]))).collect();
            Box::new(move |_, key| yes(laid.contains(&edge(key))))
        }
        "filling" | "keen" | "towers" | "unequal" => by_cell(columns, chars(body)),
        "galaxies" => {
            let walls: HashSet<Cell> = moves(solution, "E").into_iter().map(|m| (m[1], m[0])).collect();
            // cell (r, c) is at (2r - 1, 2c - 1) of the lattice
            let wall = move |p: Cell, q: Cell| walls.contains(&(p.0 + q.0 - 1, p.1 + q.1 - 1));
            let found = pieces(rows, columns, |p, q| !wall(p, q));
            Box::new(move |_, key| {
                let piece = found[&at(key)];
                let cells: Vec<Cell> = found.iter().filter(|(_, n)| **n == piece).map(|(p, _)| *p).collect();
                let sum = |of: fn(&Cell) -> i64| {
                    cells.iter().map(of).min().unwrap() + cells.iter().map(of).max().unwrap()
                };
                Some(format!("({}, {})", sum(|p| p.0), sum(|p| p.1)))
            })
        }
        "lightup" => set("lamp", cells(solution, "L")),
        "loopy" if puzzle.letters == "t0" => {
            let mut number = HashMap::new();
            for (r, c) in (1..=rows).flat_map(|r| (1..=columns).map(move |c| (r, c))) {
                let corners = [(r, c), (r, c + 1), (r + 1, c + 1), (r + 1, c)];
                for i in 0..4 {
                    let (a, b) = (corners[i], corners[(i + 1) % 4]);
                    let next = number.len() as i64;
                    number.entry((a.min(b), a.max(b))).or_insert(next);
                }
            }
            let chosen = edge_numbers(solution);
            Box::new(move |_, key| yes(chosen.contains(&number[&edge(key)])))
        }
        "loopy" => {
            // the variable's keys come tile after tile too
            let chosen = edge_numbers(solution);
            let known = std::cell::RefCell::new(HashMap::new());
            Box::new(move |_, key| {
                let mut known = known.borrow_mut();
                let next = known.len() as i64;
                yes(chosen.contains(known.entry(key.clone()).or_insert(next)))
            })
        }
        "magnets" => {
            let mut poles = HashMap::new();
            for part in solution.split(';').filter(|part| part.starts_with(['+', '-', '.'])) {
                let m = numbers(part);
                poles.insert((m[1] + 1, m[0] + 1), part[..1].to_owned());
            }
            Box::new(move |_, key| Some(poles[&at(key)].clone()))
        }
        "map" => {
            let colours: Vec<i64> = {
                let mut moves: Vec<Vec<i64>> = solution[2..].split(';').map(numbers).collect();
                moves.sort_by_key(|m| m[1]);
                moves.into_iter().map(|m| m[0] + 1).collect()
            };
            // countries are letters in the order of their first cells, and so are the keys
            let known = std::cell::RefCell::new(HashMap::new());
            Box::new(move |_, key| {
                let mut known = known.borrow_mut();
                let next = known.len();
                Some(colours[*known.entry(key.clone()).or_insert(next)].to_string())
            })
        }
        "mines" => by_cell(columns, flags(body.chars().filter(|c| *c != '/').map(|c| c == '*'))),
        "mosaic" => by_cell(columns, flags(hex_bits(body))),
        "net" => {
            let turned = |letter: &str| cells(solution, letter);
            let (left, right, round) = (turned("A"), turned("C"), turned("F"));
            let tiles = puzzle.description.chars().filter_map(|c| c.to_digit(16)).zip(0..);
            let sides = tiles
                .map(|(tile, i)| {
                    let p = (i / columns + 1, i % columns + 1);
                    let tile = i64::from(tile);
                    // right 1, up 2, left 4, down 8: a turn to the left is a shift
                    let turn = |by: u32| (tile << by | tile >> (4 - by)) & 15;
                    let tile = match () {
                        () if left.contains(&p) => turn(1),
                        () if right.contains(&p) => turn(3),
                        () if round.contains(&p) => turn(2),
                        () => tile,
                    };
                    (p, tile)
                })
                .collect::<HashMap<Cell, i64>>();
            Box::new(move |_, key| {
                let (p, q) = edge(key);
                yes(sides[&p] & if q.0 == p.0 { 1 } else { 8 } != 0)
            })
        }
        "palisade" => {
            let masks: Vec<i64> = body.bytes().map(|b| i64::from(b) - 64).collect();
            let open = move |p: Cell, q: Cell| {
                let mask = masks[((p.0 - 1) * columns + p.1 - 1) as usize];
                mask & if q.0 == p.0 { 2 } else { 4 } == 0
            };
            Box::new(move |_, key| {
                let (p, q) = edge(key);
                yes(!open(p, q))
            })
        }
        "pattern" => by_cell(columns, flags(body.chars().map(|c| c == '1'))),
        "pearl" => line(moves(solution, "R").into_iter().map(|m| ((m[2] + 1, m[1] + 1), m[0])).collect()),
        "range" => {
            let black = |part: &str| part.strip_prefix('B').map(numbers);
            let parts = solution[1..].split_inclusive(|c: char| c.is_ascii_digit()).collect::<String>();
            let spaced = parts.replace('B', ";B").replace('W', ";W");
            let cells = spaced.split(';').filter_map(black).map(|m| (m[0] + 1, m[1] + 1)).collect();
            set("shade", cells)
        }
        "rect" => {
            let bits: Vec<bool> = body.chars().map(|c| c == '1').collect();
            let open = |p: Cell, q: Cell| {
                let at = match q.0 == p.0 {
                    true => (p.0 - 1) * (columns - 1) + p.1 - 1,
                    false => (columns - 1) * rows + (p.0 - 1) * columns + p.1 - 1,
                };
                !bits[at as usize]
            };
            let found = pieces(rows, columns, open);
            Box::new(move |_, key| {
                let Value::List(cells) = key else { panic!("a plot is a list") };
                let piece = found[&at(&cells[0])];
                let whole = found.values().filter(|n| **n == piece).count() == cells.len();
                yes(whole && cells.iter().all(|p| found[&at(p)] == piece))
            })
        }
        "signpost" => {
            by_cell(columns, body.split(|c: char| c.is_ascii_lowercase()).map(String::from).collect())
        }
        "singles" => set("shade", cells(solution, "B")),
        "slant" => {
            let up = cells(solution, "/");
            Box::new(move |_, key| Some(if up.contains(&at(key)) { "/" } else { "\\" }.to_owned()))
        }
        "solo" => {
            let values: Vec<String> = body.split(',').map(String::from).collect();
            let n = values.len().isqrt() as i64;
            by_cell(n, values)
        }
        "tents" => set("tent", cells(solution, "T")),
        "tracks" => {
            // sides of given tracks are not told
            let told = |way: char| {
                let mut sides: HashSet<(Cell, i64)> = HashSet::new();
                for (letter, bit) in [("R", 1), ("U", 2), ("L", 4), ("D", 8)] {
                    sides.extend(cells(solution, &format!("{way}{letter}")).into_iter().map(|p| (p, bit)));
                }
                sides
            };
            let (track, none) = (told('T'), told('N'));
            Box::new(move |_, key| {
                let (p, q) = edge(key);
                // the way in lies outside, to the left of its cell
                let (bit, back) = if q.0 == p.0 { (1, 4) } else { (8, 2) };
                let is =
                    |sides: &HashSet<(Cell, i64)>| sides.contains(&(p, bit)) || sides.contains(&(q, back));
                match (is(&track), is(&none)) {
                    (false, false) => None,
                    (is, _) => yes(is),
                }
            })
        }
        "undead" => {
            let mut monsters: Vec<String> = Vec::new();
            for part in solution.split(';').skip(1) {
                assert_eq!(numbers(part)[0] as usize, monsters.len());
                monsters.push(part[..1].to_owned());
            }
            let known = std::cell::RefCell::new(HashMap::new());
            Box::new(move |_, key| {
                let mut known = known.borrow_mut();
                let next = known.len();
                Some(monsters[*known.entry(key.clone()).or_insert(next)].clone())
            })
        }
        "unruly" => by_cell(columns, chars(body)),
        _ => panic!("no solutions of {program}"),
    }
}
