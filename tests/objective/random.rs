//! Random models with an objective, and what is best by trying all assignments: a meaning of its own, which shares nothing with
//! the program. Bounds of such objectives are constants again and again: what is fixed, gaps, areas, products.

use super::dice::Dice;
use std::collections::BTreeSet;

/// Cells of a board of two rows.
const ROWS: usize = 2;
const COLUMNS: usize = 3;
const CELLS: usize = ROWS * COLUMNS;

const X: [i64; 3] = [-3, 0, 4];
const Y: [i64; 2] = [2, 7];

const DECLARATIONS: &str = "var b[2, 3] : bool\nvar x : [-3, 0, 4]\nvar y : [2, 7]\n";

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Assignment {
    pub b: [bool; CELLS],
    pub x: i64,
    pub y: i64,
}

enum Term {
    Number(i64),
    X,
    Y,
    Cell(usize),
    Count,
    Area(usize),
    Add(Box<[Term; 2]>),
    Less(Box<[Term; 2]>),
    Times(Box<[Term; 2]>),
    Abs(Box<Term>),
    Max(Box<[Term; 2]>),
    If(Condition, Box<[Term; 2]>),
}

enum Condition {
    Cell(usize, bool),
    AtMost(Box<Term>, i64),
    Is(Box<Term>, i64),
}

fn cell(at: usize) -> String {
    format!("b[{}, {}]", at / COLUMNS + 1, at % COLUMNS + 1)
}

/// The cells that hang together with one.
fn area(b: &[bool; CELLS], from: usize) -> i64 {
    let mut found = BTreeSet::new();
    let mut open = vec![from];
    while let Some(at) = open.pop() {
        if b[at] && found.insert(at) {
            let (row, column) = (at / COLUMNS, at % COLUMNS);
            open.extend(
                (0..CELLS).filter(|n| (n / COLUMNS).abs_diff(row) + (n % COLUMNS).abs_diff(column) == 1),
            );
        }
    }
    found.len() as i64
}

impl Term {
    fn random(rng: &mut Dice, depth: u32) -> Term {
        if depth == 0 {
            return match rng.below(7) {
                0 => Term::Number([0, 1, -2, 5][rng.below(4)]),
                1 => Term::X,
                2 => Term::Y,
                3 => Term::Cell(rng.below(CELLS)),
                4 => Term::Count,
                _ => Term::Area(rng.below(CELLS)),
            };
        }
        let d = depth - 1;
        let two = |rng: &mut Dice| Box::new([Term::random(rng, d), Term::random(rng, d)]);
        match rng.below(7) {
            0 => Term::Add(two(rng)),
            1 => Term::Less(two(rng)),
            2 => Term::Times(two(rng)),
            3 => Term::Abs(Box::new(Term::random(rng, d))),
            4 => Term::Max(two(rng)),
            5 => Term::If(Condition::random(rng, d), two(rng)),
            _ => Term::random(rng, 0),
        }
    }

    fn text(&self) -> String {
        match self {
            Term::Number(n) => n.to_string(),
            Term::X => "x".into(),
            Term::Y => "y".into(),
            Term::Cell(at) => format!("int({})", cell(*at)),
            Term::Count => "count(b)".into(),
            Term::Area(at) => format!("area(b, ({}, {}))", at / COLUMNS + 1, at % COLUMNS + 1),
            Term::Add(of) => format!("({} + {})", of[0].text(), of[1].text()),
            Term::Less(of) => format!("({} - {})", of[0].text(), of[1].text()),
            Term::Times(of) => format!("({} * {})", of[0].text(), of[1].text()),
            Term::Abs(of) => format!("abs({})", of.text()),
            Term::Max(of) => format!("max({}, {})", of[0].text(), of[1].text()),
            Term::If(cond, of) => format!("(if {} then {} else {})", cond.text(), of[0].text(), of[1].text()),
        }
    }

    fn value(&self, a: &Assignment) -> i64 {
        match self {
            Term::Number(n) => *n,
            Term::X => a.x,
            Term::Y => a.y,
            Term::Cell(at) => a.b[*at].into(),
            Term::Count => a.b.iter().filter(|b| **b).count() as i64,
            Term::Area(at) => area(&a.b, *at),
            Term::Add(of) => of[0].value(a) + of[1].value(a),
            Term::Less(of) => of[0].value(a) - of[1].value(a),
            Term::Times(of) => of[0].value(a) * of[1].value(a),
            Term::Abs(of) => of.value(a).abs(),
            Term::Max(of) => of[0].value(a).max(of[1].value(a)),
            Term::If(cond, of) => of[usize::from(!cond.holds(a))].value(a),
        }
    }
}

impl Condition {
    fn random(rng: &mut Dice, depth: u32) -> Condition {
        match rng.below(4) {
            0 => Condition::AtMost(Box::new(Term::random(rng, depth)), rng.below(5) as i64 - 1),
            1 => Condition::Is(Box::new(Term::random(rng, depth)), rng.below(5) as i64),
            _ => Condition::Cell(rng.below(CELLS), rng.below(3) > 0),
        }
    }

    fn text(&self) -> String {
        match self {
            Condition::Cell(at, true) => cell(*at),
            Condition::Cell(at, false) => format!("not {}", cell(*at)),
            Condition::AtMost(of, bound) => format!("{} <= {bound}", of.text()),
            Condition::Is(of, value) => format!("{} = {value}", of.text()),
        }
    }

    fn holds(&self, a: &Assignment) -> bool {
        match self {
            Condition::Cell(at, truth) => a.b[*at] == *truth,
            Condition::AtMost(of, bound) => of.value(a) <= *bound,
            Condition::Is(of, value) => of.value(a) == *value,
        }
    }
}

/// A model with an objective.
pub struct Random {
    pub text: String,
    /// What is best, and all that are as good; `None`: no assignment keeps the rules.
    pub best: Option<(i64, BTreeSet<Assignment>)>,
}

pub fn model(rng: &mut Dice) -> Random {
    let rules: Vec<Condition> = (0..rng.below(5)).map(|_| Condition::random(rng, 1)).collect();
    let term = Term::random(rng, 2);
    let maximize = rng.below(2) > 0;
    let mut text = DECLARATIONS.to_owned();
    rules.iter().for_each(|rule| text.push_str(&format!("rule: {}\n", rule.text())));
    text.push_str(&format!("{} {}\n", if maximize { "maximize" } else { "minimize" }, term.text()));
    let mut best: Option<(i64, BTreeSet<Assignment>)> = None;
    for bits in 0..1usize << CELLS {
        for (x, y) in X.into_iter().flat_map(|x| Y.map(|y| (x, y))) {
            let a = Assignment { b: std::array::from_fn(|at| bits >> at & 1 > 0), x, y };
            if !rules.iter().all(|rule| rule.holds(&a)) {
                continue;
            }
            let value = term.value(&a);
            match &mut best {
                Some((so_far, all)) if *so_far == value => drop(all.insert(a)),
                Some((so_far, _)) if (value < *so_far) == maximize => {}
                _ => best = Some((value, BTreeSet::from([a]))),
            }
        }
    }
    Random { text, best }
}
