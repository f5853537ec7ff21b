//! Defines terms over several choices as auxiliary choices.
//!
//! In: a term. Out: a [`Column`] over an auxiliary choice that equals the value of the term, defined by a decision
//! diagram over the parts of the term with the value at its end.

use super::choice::{Column, Encoder, map};
use crate::encode::cnf::EncodeError;
use crate::encode::runs::runs_machine;
use crate::model::{
    Atom, Automaton, Bool, BoolNode, Cmp, Int, IntNode, Regular, Runs, Term, floor_div, floor_mod,
};
use std::rc::Rc;

/// A choice and its contribution to a sum, by letter.
pub(super) type Weights = (usize, Vec<i64>);

/// A sum over different choices; see [`Encoder::sum`].
pub(super) struct Sum {
    pub parts: Vec<Weights>,
    pub constant: i64,
}

impl Sum {
    /// Before each part and after the last: the least and the greatest sum of the parts from there on.
    pub fn rests(&self) -> Vec<(i64, i64)> {
        let mut rests = vec![(0, 0)];
        for (_, weights) in self.parts.iter().rev() {
            let (lo, hi) = rests[rests.len() - 1];
            let end = |f: fn(i64, i64) -> i64| weights.iter().copied().reduce(f).unwrap_or(0);
            rests.push((lo + end(i64::min), hi + end(i64::max)));
        }
        rests.reverse();
        rests
    }
}

/// The state of a selection.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Selecting {
    /// The selected arm; `None` before it is known.
    Arm(Option<usize>),
    Value(i64),
}

impl Encoder<'_> {
    /// Defines a term with few assignments by evaluating each.
    pub fn define_by_table(&mut self, atom: Atom, vars: &[u32]) -> Result<Column, EncodeError> {
        let explored = self.tabulate(atom, vars)?;
        self.result(explored, |values| values.1)
    }

    /// All assignments of `vars`, each with the value of the term.
    pub fn tabulate(
        &mut self,
        atom: Atom,
        vars: &[u32],
    ) -> Result<super::diagram::Explored<(Vec<u32>, i64)>, EncodeError> {
        let scope: Vec<usize> = vars.iter().map(|var| *var as usize).collect();
        let lives: Vec<Vec<u32>> = scope.iter().map(|var| self.choices[*var].live.clone()).collect();
        let mut now = self.now.clone();
        let (model, budget) = (self.model, self.budget);
        let mut stopped = None;
        let explored = self.explore(scope.clone(), (Vec::new(), 0), |level, (letters, _), letter| {
            let mut letters: Vec<u32> = letters.clone();
            letters.push(letter as u32);
            if letters.len() < scope.len() {
                return Some((letters, 0));
            }
            debug_assert_eq!(level + 1, scope.len());
            for ((var, live), letter) in scope.iter().zip(&lives).zip(&letters) {
                now[*var] = live[*letter as usize];
            }
            let mut meaning = model.under(&now, budget);
            let value = match atom {
                Atom::Bool(term) => meaning.holds(term).map(i64::from),
                Atom::Int(int) => meaning.value(int),
            };
            match value {
                Ok(value) => Some((Vec::new(), value)),
                Err(stop) => {
                    stopped = Some(stop);
                    None
                }
            }
        });
        match stopped {
            Some(stop) => Err(EncodeError::Stop(stop)),
            None => explored,
        }
    }

    /// Defines a term over many variables by its parts.
    pub fn define(&mut self, atom: Atom) -> Result<Column, EncodeError> {
        let model = self.model;
        match atom {
            Atom::Bool(term) => match model.arena.bool_node(term) {
                BoolNode::And(parts) => {
                    let columns = self.columns(parts)?;
                    let scope = columns.iter().map(|column| column.choice).collect();
                    let explored = self.explore(scope, true, |level, all, letter| {
                        Some(*all && columns[level].values[letter] == 1)
                    })?;
                    self.result(explored, |all| i64::from(*all))
                }
                BoolNode::Iff(a, b) => {
                    let columns = self.columns(&[a, b])?;
                    self.binary(&columns, |a, b| Some(i64::from(a == b)))
                }
                BoolNode::Linear { terms, cmp, bound } => {
                    let sum = self.sum(terms, 0)?;
                    let explored = self.explore_sum(&sum, cmp, bound)?;
                    self.result(explored, |left| i64::from(holds(*left, cmp)))
                }
                BoolNode::Distinct(parts) => self.all_different(parts),
                BoolNode::Runs(runs) => {
                    let (columns, machine) = self.runs(runs)?;
                    let end = self.automaton(&columns, machine)?;
                    self.result(end.0, |state| i64::from(end.1[*state as usize]))
                }
                BoolNode::Regular(regular) => {
                    let (columns, machine) = self.regular(regular)?;
                    let end = self.automaton(&columns, machine)?;
                    self.result(end.0, |state| i64::from(end.1[*state as usize]))
                }
                BoolNode::Graph(..) => Err(EncodeError::TooLarge("a graph".into())),
                BoolNode::True | BoolNode::Var(_) | BoolNode::Is(..) => {
                    unreachable!("a term of one variable at most")
                }
            },
            Atom::Int(int) => self.define_int(int),
        }
    }

    fn define_int(&mut self, int: Int) -> Result<Column, EncodeError> {
        let model = self.model;
        match model.arena.int_node(int) {
            IntNode::Area(..) => Err(EncodeError::TooLarge("an area of a graph".into())),
            IntNode::Const(_) | IntNode::Var(_) => unreachable!("a term of one variable at most"),
            IntNode::Linear { terms, constant } => {
                let sum = self.sum(terms, constant)?;
                if let [(choice, weights)] = &sum.parts[..] {
                    let values = weights.iter().map(|weight| weight + sum.constant).collect();
                    return Ok(Column { choice: *choice, values });
                }
                let scope = sum.parts.iter().map(|part| part.0).collect();
                let explored = self.explore(scope, sum.constant, |level, total, letter| {
                    Some(total + sum.parts[level].1[letter])
                })?;
                self.result(explored, |total| *total)
            }
            IntNode::Abs(inner) => Ok(map(&self.column(Atom::Int(inner))?, i64::wrapping_abs)),
            IntNode::Mul(a, b) => self.arithmetic(a, b, i64::checked_mul),
            IntNode::Div(a, b) => self.arithmetic(a, b, |a, b| Some(floor_div(a, b).unwrap_or(0))),
            IntNode::Mod(a, b) => self.arithmetic(a, b, |a, b| Some(floor_mod(a, b).unwrap_or(0))),
            IntNode::Min(parts) => self.extreme(parts, i64::min),
            IntNode::Max(parts) => self.extreme(parts, i64::max),
            IntNode::Select(arms) => {
                let mut columns = Vec::with_capacity(arms.len());
                for (cond, value) in arms {
                    columns.push((self.column(Atom::Bool(*cond))?, self.column(Atom::Int(*value))?));
                }
                self.select(&columns)
            }
        }
    }

    pub fn columns(&mut self, parts: &[Bool]) -> Result<Vec<Column>, EncodeError> {
        parts.iter().map(|part| self.column(Atom::Bool(*part))).collect()
    }

    fn arithmetic(
        &mut self,
        a: Int,
        b: Int,
        f: impl Fn(i64, i64) -> Option<i64>,
    ) -> Result<Column, EncodeError> {
        let columns = [self.column(Atom::Int(a))?, self.column(Atom::Int(b))?];
        self.binary(&columns, f)
    }

    fn binary(
        &mut self,
        columns: &[Column],
        f: impl Fn(i64, i64) -> Option<i64>,
    ) -> Result<Column, EncodeError> {
        let scope = columns.iter().map(|column| column.choice).collect();
        let mut outside = false;
        let same = columns[0].choice == columns[1].choice;
        let explored = self.explore(scope, (0, 0), |level, (first, by), letter| {
            let value = columns[level].values[letter];
            match level {
                0 => Some((value, if same { letter } else { 0 })),
                // the same choice has the same letter
                _ if same && *by != letter => None,
                _ => match f(*first, value) {
                    Some(result) => Some((result, 0)),
                    None => {
                        outside = true;
                        None
                    }
                },
            }
        })?;
        if outside {
            return Err(EncodeError::TooLarge("a product outside 64 bits".into()));
        }
        self.result(explored, |(result, _)| *result)
    }

    fn extreme(&mut self, parts: &[Int], f: fn(i64, i64) -> i64) -> Result<Column, EncodeError> {
        let mut columns = Vec::with_capacity(parts.len());
        for part in parts {
            columns.push(self.column(Atom::Int(*part))?);
        }
        let scope = columns.iter().map(|column| column.choice).collect();
        let explored = self.explore(scope, None, |level, best: &Option<i64>, letter| {
            let value = columns[level].values[letter];
            Some(Some(best.map_or(value, |best| f(best, value))))
        })?;
        self.result(explored, |best| best.unwrap_or(0))
    }

    fn all_different(&mut self, parts: &[Int]) -> Result<Column, EncodeError> {
        let mut columns = Vec::with_capacity(parts.len());
        for part in parts {
            columns.push(self.column(Atom::Int(*part))?);
        }
        let mut apart = Vec::new();
        for (i, a) in columns.iter().enumerate() {
            for b in &columns[i + 1..] {
                apart.push(self.binary(&[a.clone(), b.clone()], |a, b| Some(i64::from(a != b)))?);
            }
        }
        let scope = apart.iter().map(|column| column.choice).collect();
        let explored =
            self.explore(scope, true, |level, all, letter| Some(*all && apart[level].values[letter] == 1))?;
        self.result(explored, |all| i64::from(*all))
    }

    /// The value of the arm whose condition holds; exactly one does.
    fn select(&mut self, arms: &[(Column, Column)]) -> Result<Column, EncodeError> {
        let selector = match arms {
            [(first, _), rest @ ..] if rest.iter().all(|(cond, _)| cond.choice == first.choice) => {
                Some(first.choice)
            }
            _ => None,
        };
        // if all conditions depend on one choice, it selects the arm; otherwise test the conditions in order
        let mut scope = Vec::new();
        let mut roles = Vec::new();
        if let Some(choice) = selector {
            scope.push(choice);
            roles.push(None);
        }
        for (at, (cond, value)) in arms.iter().enumerate() {
            if selector.is_none() {
                scope.push(cond.choice);
                roles.push(Some((at, true)));
            }
            scope.push(value.choice);
            roles.push(Some((at, false)));
        }
        let explored = self.explore(scope, Selecting::Arm(None), |level, state, letter| {
            Some(match (roles[level], state) {
                (None, _) => Selecting::Arm(arms.iter().position(|(cond, _)| cond.values[letter] == 1)),
                (Some((at, true)), Selecting::Arm(None)) if arms[at].0.values[letter] == 1 => {
                    Selecting::Arm(Some(at))
                }
                (Some((at, false)), Selecting::Arm(Some(arm))) if *arm == at => {
                    Selecting::Value(arms[at].1.values[letter])
                }
                _ => state.clone(),
            })
        })?;
        self.result(explored, |state| match state {
            Selecting::Value(value) => *value,
            Selecting::Arm(_) => 0,
        })
    }

    // ---- sums ----

    /// `Σ terms + constant` with each choice once and no negative weight; fails if a partial sum may exceed 64 bits.
    pub fn sum(&mut self, terms: &[Term], constant: i64) -> Result<Sum, EncodeError> {
        let mut parts: Vec<Weights> = Vec::with_capacity(terms.len());
        let mut places = rustc_hash::FxHashMap::default();
        let mut constant = i128::from(constant);
        let mut reach = constant.abs();
        for Term { coef, atom } in terms {
            let column = self.column(*atom)?;
            let most = column.values.iter().map(|value| value.unsigned_abs()).max().unwrap_or(0);
            reach += i128::from(most) * i128::from(*coef).abs();
            // leave half of the range for differences of two sums
            if reach > i128::from(i64::MAX / 4) {
                return Err(EncodeError::TooLarge("a sum beyond 64 bits".into()));
            }
            if let [value] = column.values[..] {
                constant += i128::from(value) * i128::from(*coef);
                continue;
            }
            let place = *places.entry(column.choice).or_insert_with(|| {
                parts.push((column.choice, vec![0; column.values.len()]));
                parts.len() - 1
            });
            for (weight, value) in parts[place].1.iter_mut().zip(column.values.iter()) {
                *weight += value * coef;
            }
        }
        for (_, weights) in &mut parts {
            let least = weights.iter().copied().min().unwrap_or(0);
            constant += i128::from(least);
            weights.iter_mut().for_each(|weight| *weight -= least);
        }
        parts.retain(|(_, weights)| weights.iter().any(|weight| *weight != 0));
        // great weights first: then few remainders are within reach of the smaller weights
        parts.sort_by_key(|(_, weights)| std::cmp::Reverse(weights.iter().copied().max()));
        Ok(Sum { parts, constant: constant as i64 })
    }

    /// Explores the remainders of `bound`; [`holds`] decides acceptance at the end.
    pub fn explore_sum(
        &mut self,
        sum: &Sum,
        cmp: Cmp,
        bound: i64,
    ) -> Result<super::diagram::Explored<i64>, EncodeError> {
        let rests = sum.rests();
        let start = i128::from(bound) - i128::from(sum.constant);
        // all remainders beyond the range of the parts are equivalent
        let start = start.clamp(-1, i128::from(rests[0].1) + 1) as i64;
        let scope = sum.parts.iter().map(|part| part.0).collect();
        self.explore(scope, start, |level, left, letter| {
            let left = left - sum.parts[level].1[letter];
            let (_, most) = rests[level + 1];
            Some(match cmp {
                // weights are not negative: a negative remainder stays negative
                _ if left < 0 => -1,
                Cmp::Le if left >= most => most,
                Cmp::Eq if left > most => -1,
                _ => left,
            })
        })
    }

    // ---- words ----

    /// The columns of the cells, and the automaton of the blocks.
    pub fn runs(&mut self, runs: &Runs) -> Result<(Vec<Column>, Rc<Automaton>), EncodeError> {
        let columns = self.columns(&runs.cells)?;
        let machine = runs_machine(&runs.blocks, runs.cells.len(), self.budget).map_err(EncodeError::Stop)?;
        Ok((columns, Rc::new(machine)))
    }

    /// The columns of the symbols, and the automaton.
    pub fn regular(&mut self, regular: &Regular) -> Result<(Vec<Column>, Rc<Automaton>), EncodeError> {
        let mut columns = Vec::with_capacity(regular.word.len());
        for position in &regular.word {
            let mut arms = Vec::with_capacity(position.len());
            for (cond, symbol) in position {
                let cond = self.column(Atom::Bool(*cond))?;
                arms.push((cond, self.constant(i64::from(*symbol))));
            }
            columns.push(self.symbol(&arms)?);
        }
        Ok((columns, regular.automaton.clone()))
    }

    /// The symbol of the condition that holds.
    fn symbol(&mut self, arms: &[(Column, Column)]) -> Result<Column, EncodeError> {
        let live: Vec<&(Column, Column)> = arms.iter().filter(|(cond, _)| cond.values.contains(&1)).collect();
        if let [(first, _), rest @ ..] = &live[..]
            && rest.iter().all(|(cond, _)| cond.choice == first.choice)
        {
            let symbol = |letter: usize| {
                live.iter()
                    .find(|(cond, _)| cond.values[letter] == 1)
                    .map_or(0, |(_, symbol)| symbol.values[0])
            };
            let values = (0..first.values.len()).map(symbol).collect();
            return Ok(Column { choice: first.choice, values });
        }
        self.select(arms)
    }

    /// Runs an automaton over columns of symbols; also returns which of its states accept.
    pub fn automaton(
        &mut self,
        columns: &[Column],
        machine: Rc<Automaton>,
    ) -> Result<(super::diagram::Explored<u32>, Vec<bool>), EncodeError> {
        let scope = columns.iter().map(|column| column.choice).collect();
        let explored = self.explore(scope, machine.start, |level, state, letter| {
            let symbol = columns[level].values[letter] as u32;
            Some(machine.step(*state as usize, symbol) as u32)
        })?;
        Ok((explored, machine.accepting.clone()))
    }
}

/// Does a sum hold if this remainder of its bound is left?
pub(super) fn holds(left: i64, cmp: Cmp) -> bool {
    match cmp {
        Cmp::Eq => left == 0,
        Cmp::Le => left >= 0,
    }
}
