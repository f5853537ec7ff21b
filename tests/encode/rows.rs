//! Linear constraints, kept and judged: all their models by plain backtracking with bounds.
//!
//! Independent of the crate's own readers on purpose: it judges what the encoder wrote.

use rebus::encode::{Linear, Lit, Sink};
use rebus::model::Cmp;
use std::collections::HashSet;

/// `Σ coef · variable ≥ bound`, large coefficients first.
pub struct Row {
    terms: Vec<(i64, Lit)>,
    bound: i64,
}

/// Keeps what an encoder emits.
#[derive(Default)]
pub struct Rows {
    pub rows: Vec<Row>,
}

impl Rows {
    fn at_least(&mut self, terms: &[(i64, Lit)], sign: i64, bound: i64) {
        let mut seen = HashSet::new();
        assert!(!terms.is_empty());
        for (coef, lit) in terms {
            assert!(*coef != 0 && *lit > 0 && seen.insert(*lit), "{terms:?}");
        }
        let mut terms: Vec<(i64, Lit)> = terms.iter().map(|(coef, lit)| (sign * coef, *lit)).collect();
        terms.sort_by_key(|(coef, _)| -coef.abs());
        self.rows.push(Row { terms, bound });
    }
}

impl Sink for Rows {
    fn clause(&mut self, lits: &[Lit]) {
        let negative = lits.iter().filter(|lit| **lit < 0).count() as i64;
        let terms = lits.iter().map(|lit| (i64::from(lit.signum()), lit.abs())).collect();
        self.rows.push(Row { terms, bound: 1 - negative });
    }

    fn linear(&mut self) -> Option<&mut dyn Linear> {
        Some(self)
    }

    fn takes_objective(&self) -> bool {
        true
    }
}

impl Linear for Rows {
    fn constraint(&mut self, terms: &[(i64, Lit)], cmp: Cmp, bound: i64) {
        self.at_least(terms, -1, -bound);
        if cmp == Cmp::Eq {
            self.at_least(terms, 1, bound);
        }
    }
}

/// Calls `found` with every assignment of the variables `1..=variables` (index 0 unused) that keeps all rows.
pub fn models(variables: usize, rows: &[Row], found: &mut dyn FnMut(&[bool])) {
    let mut uses = vec![Vec::new(); variables + 1];
    for (at, row) in rows.iter().enumerate() {
        row.terms.iter().for_each(|(coef, lit)| uses[*lit as usize].push((at, *coef)));
    }
    // what a row can reach at most, less its bound
    let slack =
        rows.iter().map(|row| row.terms.iter().map(|(coef, _)| coef.max(&0)).sum::<i64>() - row.bound);
    let mut search =
        Search { rows, uses, slack: slack.collect(), values: vec![None; variables + 1], trail: Vec::new() };
    if (0..rows.len()).all(|row| search.look(row)) && search.propagate(0) {
        search.branch(found);
    }
}

struct Search<'a> {
    rows: &'a [Row],
    uses: Vec<Vec<(usize, i64)>>,
    slack: Vec<i64>,
    values: Vec<Option<bool>>,
    trail: Vec<usize>,
}

impl Search<'_> {
    fn set(&mut self, variable: usize, value: bool) {
        self.values[variable] = Some(value);
        self.trail.push(variable);
        for (row, coef) in &self.uses[variable] {
            if (*coef > 0) != value {
                self.slack[*row] -= coef.abs();
            }
        }
    }

    fn undo(&mut self, height: usize) {
        while self.trail.len() > height {
            let variable = self.trail.pop().expect("higher");
            let value = self.values[variable].take().expect("set");
            for (row, coef) in &self.uses[variable] {
                if (*coef > 0) != value {
                    self.slack[*row] += coef.abs();
                }
            }
        }
    }

    /// Sets what a row forces; false if it cannot be kept.
    fn look(&mut self, row: usize) -> bool {
        if self.slack[row] < 0 {
            return false;
        }
        let slack = self.slack[row];
        let large = self.rows[row].terms.iter().take_while(|(coef, _)| coef.abs() > slack);
        for (coef, lit) in large {
            if self.values[*lit as usize].is_none() {
                self.set(*lit as usize, *coef > 0);
            }
        }
        true
    }

    fn propagate(&mut self, mut done: usize) -> bool {
        while done < self.trail.len() {
            let variable = self.trail[done];
            done += 1;
            if !(0..self.uses[variable].len()).all(|at| self.look(self.uses[variable][at].0)) {
                return false;
            }
        }
        true
    }

    fn branch(&mut self, found: &mut dyn FnMut(&[bool])) {
        let Some(open) = (1..self.values.len()).find(|at| self.values[*at].is_none()) else {
            let values: Vec<bool> = self.values.iter().map(|value| *value == Some(true)).collect();
            return found(&values);
        };
        for value in [false, true] {
            let height = self.trail.len();
            self.set(open, value);
            if self.propagate(height) {
                self.branch(found);
            }
            self.undo(height);
        }
    }
}

#[test]
fn counts_by_hand() {
    let count = |variables, rows: &[(&[(i64, Lit)], i64)]| {
        let rows: Vec<Row> =
            rows.iter().map(|(terms, bound)| Row { terms: terms.to_vec(), bound: *bound }).collect();
        let mut n = 0;
        models(variables, &rows, &mut |_| n += 1);
        n
    };
    assert_eq!(count(3, &[]), 8);
    assert_eq!(count(3, &[(&[(1, 1), (1, 2), (1, 3)], 2)]), 4);
    assert_eq!(count(3, &[(&[(2, 1), (-1, 2), (1, 3)], 2)]), 3);
    assert_eq!(count(2, &[(&[(1, 1)], 2)]), 0);
    assert_eq!(count(1, &[(&[], 1)]), 0);
}
