//! Asserts boolean terms: as covering constraints if possible, otherwise as decision diagrams, otherwise by clauses.

use super::choice::{Column, Encoder};
use super::define::holds;
use crate::encode::cnf::EncodeError;
use crate::model::{Atom, Bool, BoolNode, Cmp, Int, Term};

impl Encoder<'_> {
    /// `term` must hold.
    pub fn assert(&mut self, term: Bool) -> Result<(), EncodeError> {
        if self.contradiction {
            return Ok(());
        }
        self.step(1)?;
        match (self.model.arena.bool_node(term), term.is_negated()) {
            (BoolNode::And(parts), false) => parts.iter().try_for_each(|part| self.assert(*part)),
            _ => match self.assert_whole(term) {
                Err(EncodeError::TooLarge(_)) => self.assert_by_clauses(term),
                other => other,
            },
        }
    }

    fn assert_whole(&mut self, term: Bool) -> Result<(), EncodeError> {
        let model = self.model;
        let scope = self.scope(Atom::Bool(term));
        if scope.as_ref().is_some_and(|scope| scope.len() < 2) {
            return self.assert_column(Atom::Bool(term));
        }
        let node = (model.arena.bool_node(term), term.is_negated());
        let structural = match node {
            (BoolNode::And(parts), true) => {
                let broken: Vec<Bool> = parts.iter().map(|part| !*part).collect();
                let columns = self.columns(&broken)?;
                self.at_least_one(&columns)?;
                true
            }
            (BoolNode::Linear { terms, cmp, bound }, false) => self.linear(terms, cmp, bound)?,
            (BoolNode::Linear { terms, cmp: Cmp::Le, bound }, true) => match above(terms, bound) {
                Some((terms, bound)) => self.linear(&terms, Cmp::Le, bound)?,
                None => false,
            },
            (BoolNode::Linear { terms, cmp: Cmp::Eq, bound }, true) => self.unequal(terms, bound)?,
            (BoolNode::Distinct(parts), false) => self.distinct(parts)?,
            _ => false,
        };
        if structural {
            return Ok(());
        }
        if let Some(vars) = scope.filter(|vars| self.is_small(vars)) {
            let explored = self.tabulate(Atom::Bool(term), &vars)?;
            return self.assert_automaton(explored, |(_, value)| *value == 1);
        }
        match node {
            (BoolNode::Iff(a, b), negated) => {
                let columns = self.columns(&[a, b])?;
                let scope = columns.iter().map(|column| column.choice).collect();
                let explored =
                    self.explore(scope, 0, |level, sum, letter| Some(sum + columns[level].values[letter]))?;
                self.assert_automaton(explored, |sum| (*sum == 1) == negated)
            }
            (BoolNode::Linear { terms, cmp, bound }, negated) => {
                let sum = self.sum(terms, 0)?;
                let explored = self.explore_sum(&sum, cmp, bound)?;
                self.assert_automaton(explored, |left| holds(*left, cmp) != negated)
            }
            (BoolNode::Runs(runs), negated) => {
                let (columns, machine) = self.runs(runs)?;
                let (explored, accepting) = self.automaton(&columns, machine)?;
                self.assert_automaton(explored, |state| accepting[*state as usize] != negated)
            }
            (BoolNode::Regular(regular), negated) => {
                let (columns, machine) = self.regular(regular)?;
                let (explored, accepting) = self.automaton(&columns, machine)?;
                self.assert_automaton(explored, |state| accepting[*state as usize] != negated)
            }
            _ => self.assert_column(Atom::Bool(term)),
        }
    }

    /// Asserts that the choice of a boolean term has a letter that makes the term true.
    fn assert_column(&mut self, atom: Atom) -> Result<(), EncodeError> {
        let Column { choice, values } = self.column(atom)?;
        let explored = self.explore(vec![choice], false, |_, _, letter| Some(values[letter] == 1))?;
        self.assert_automaton(explored, |holds| *holds)
    }

    /// Asserts that at least one of the columns is 1.
    pub fn at_least_one(&mut self, columns: &[Column]) -> Result<(), EncodeError> {
        let mut parts: Vec<(usize, Vec<bool>)> = Vec::with_capacity(columns.len());
        for column in columns {
            let marks = column.values.iter().map(|value| *value == 1);
            match parts.iter_mut().find(|(choice, _)| *choice == column.choice) {
                Some((_, known)) => known.iter_mut().zip(marks).for_each(|(known, mark)| *known |= mark),
                None => parts.push((column.choice, marks.collect())),
            }
        }
        if parts.iter().any(|(_, marks)| marks.iter().all(|mark| *mark)) {
            return Ok(());
        }
        parts.retain(|(_, marks)| marks.contains(&true));
        if self.count(&parts, 1, parts.len() as i64)? {
            return Ok(());
        }
        let scope = parts.iter().map(|part| part.0).collect();
        let explored =
            self.explore(scope, false, |level, met, letter| Some(*met || parts[level].1[letter]))?;
        self.assert_automaton(explored, |met| *met)
    }

    /// Asserts `Σ terms ⋈ bound` if it is a count or an order; false if it is neither.
    fn linear(&mut self, terms: &[Term], cmp: Cmp, bound: i64) -> Result<bool, EncodeError> {
        let sum = self.sum(terms, 0)?;
        let Some(bound) = bound.checked_sub(sum.constant) else { return Ok(false) };
        let most = sum.rests()[0].1;
        if bound < 0 || (cmp == Cmp::Eq && bound > most) {
            self.contradiction = true;
            return Ok(true);
        }
        if cmp == Cmp::Le && bound >= most {
            return Ok(true);
        }
        let unit = |weights: &[i64]| weights.iter().all(|weight| matches!(weight, 0 | 1));
        if sum.parts.iter().all(|(_, weights)| unit(weights)) {
            let counted: Vec<(usize, Vec<bool>)> = sum
                .parts
                .iter()
                .map(|(choice, weights)| (*choice, weights.iter().map(|weight| *weight == 1).collect()))
                .collect();
            let least = if cmp == Cmp::Eq { bound } else { 0 };
            if self.count(&counted, least, bound)? {
                return Ok(true);
            }
        }
        match (&sum.parts[..], cmp) {
            ([x, y], Cmp::Le) => {
                self.order(x, y, bound)?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    /// Asserts `Σ terms ≠ bound` over two choices: an at-most-one constraint for each pair of values with that sum.
    /// False for any other sum.
    fn unequal(&mut self, terms: &[Term], bound: i64) -> Result<bool, EncodeError> {
        let sum = self.sum(terms, 0)?;
        let Some(bound) = bound.checked_sub(sum.constant) else { return Ok(false) };
        let [(x, xs), (y, ys)] = &sum.parts[..] else { return Ok(false) };
        let values = xs.iter().map(|value| (*value, *x)).chain(ys.iter().map(|value| (bound - value, *y)));
        let mut values: Vec<(i64, usize)> = values.collect();
        values.sort_unstable();
        values.dedup();
        for pair in values.windows(2).filter(|pair| pair[0].0 == pair[1].0) {
            let value = pair[0].0;
            let group: Vec<(usize, usize)> =
                letters(*x, xs, value).chain(letters(*y, ys, bound - value)).collect();
            self.at_most_one(&group, value);
        }
        Ok(true)
    }

    /// Each value at most once; exactly once if there are as many values as terms.
    fn distinct(&mut self, parts: &[Int]) -> Result<bool, EncodeError> {
        let mut columns = Vec::with_capacity(parts.len());
        for part in parts {
            columns.push(self.column(Atom::Int(*part))?);
        }
        let mut groups: std::collections::BTreeMap<i64, Vec<(usize, usize)>> = Default::default();
        for Column { choice, values } in &columns {
            for (letter, value) in values.iter().enumerate() {
                groups.entry(*value).or_default().push((*choice, letter));
            }
        }
        if groups.len() < parts.len() {
            self.contradiction = true;
            return Ok(true);
        }
        // two functions of one choice: their difference is a condition on that choice
        for (i, a) in columns.iter().enumerate() {
            for b in columns[i + 1..].iter().filter(|b| b.choice == a.choice) {
                let explored = self.explore(vec![a.choice], false, |_, _, letter| {
                    Some(a.values[letter] != b.values[letter])
                })?;
                self.assert_automaton(explored, |differ| *differ)?;
            }
        }
        let exactly = groups.len() == parts.len();
        for (value, group) in &groups {
            self.step(group.len())?;
            if exactly {
                self.exactly_one(group, *value);
            } else {
                self.at_most_one(group, *value);
            }
        }
        Ok(true)
    }
}

/// The letters with this weight.
fn letters(choice: usize, weights: &[i64], value: i64) -> impl Iterator<Item = (usize, usize)> {
    weights
        .iter()
        .enumerate()
        .filter(move |(_, weight)| **weight == value)
        .map(move |(letter, _)| (choice, letter))
}

/// `Σ > b` as `-Σ ≤ -b - 1`.
fn above(terms: &[Term], bound: i64) -> Option<(Vec<Term>, i64)> {
    let minus: Option<Vec<Term>> =
        terms.iter().map(|t| t.coef.checked_neg().map(|coef| Term { coef, atom: t.atom })).collect();
    minus.zip(bound.checked_neg().and_then(|bound| bound.checked_sub(1)))
}
