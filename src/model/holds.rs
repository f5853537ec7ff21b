//! The evaluator of the ground model: the meaning of each constraint, independent of every encoding.
//!
//! In: a model and an assignment. Out: values of terms, and the components of graphs. Terms share parts, and a model
//! may use the area of each cell of a graph, so an evaluation caches values once it has visited many terms. Every
//! visited term costs one step of the budget.

use super::arena::{floor_div, floor_mod};
use super::graph::{Components, GraphId};
use super::{Atom, Block, Bool, BoolNode, Cmp, Domain, Int, IntNode, Model, Regular, Runs, Term, VarId};
use crate::shared::{Budget, Stop};
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A value for every variable, as its position in the domain (booleans: 0 false, 1 true).
pub type Assignment = [u32];

/// The number of terms visited before caching starts: most rules are smaller.
const KEPT_AFTER: u32 = 1 << 10;

/// Evaluates the terms of a model under one assignment.
pub struct Meaning<'a> {
    model: &'a Model,
    values: &'a Assignment,
    budget: &'a Budget,
    looked_at: u32,
    bools: FxHashMap<Bool, bool>,
    ints: FxHashMap<Int, i64>,
    graphs: FxHashMap<GraphId, Rc<Components>>,
}

impl Model {
    pub fn under<'a>(&'a self, values: &'a Assignment, budget: &'a Budget) -> Meaning<'a> {
        Meaning {
            model: self,
            values,
            budget,
            looked_at: 0,
            bools: FxHashMap::default(),
            ints: FxHashMap::default(),
            graphs: FxHashMap::default(),
        }
    }

    /// The first rule that the assignment violates, as an index into [`Model::rules`].
    pub fn broken_within(&self, values: &Assignment, budget: &Budget) -> Result<Option<usize>, Stop> {
        let mut meaning = self.under(values, budget);
        for (at, rule) in self.rules.iter().enumerate() {
            if !meaning.holds(rule.what)? {
                return Ok(Some(at));
            }
        }
        Ok(None)
    }

    /// [`Model::broken_within`] without limits.
    pub fn broken(&self, values: &Assignment) -> Option<usize> {
        self.broken_within(values, &Budget::unlimited()).unwrap_or(Some(0))
    }

    /// Is `term` true under the assignment? Without limits.
    pub fn holds(&self, term: Bool, values: &Assignment) -> bool {
        self.under(values, &Budget::unlimited()).holds(term).unwrap_or(false)
    }

    /// The value of an integer term under the assignment, without limits.
    pub fn value(&self, term: Int, values: &Assignment) -> i64 {
        self.under(values, &Budget::unlimited()).value(term).unwrap_or(0)
    }
}

impl Meaning<'_> {
    /// Is `term` true?
    pub fn holds(&mut self, term: Bool) -> Result<bool, Stop> {
        let positive = term.positive();
        let held = match self.bools.get(&positive) {
            Some(held) => *held,
            None => {
                self.budget.step(1)?;
                let held = self.positive_holds(positive)?;
                self.looked_at = self.looked_at.saturating_add(1);
                if self.looked_at > KEPT_AFTER {
                    self.bools.insert(positive, held);
                }
                held
            }
        };
        Ok(held != term.is_negated())
    }

    fn positive_holds(&mut self, term: Bool) -> Result<bool, Stop> {
        let model = self.model;
        Ok(match model.arena.bool_node(term) {
            BoolNode::True => true,
            BoolNode::Var(var) => self.values[var.0 as usize] == 1,
            BoolNode::Is(var, position) => self.values[var.0 as usize] == position,
            BoolNode::And(parts) => {
                for part in parts {
                    if !self.holds(*part)? {
                        return Ok(false);
                    }
                }
                true
            }
            BoolNode::Iff(a, b) => self.holds(a)? == self.holds(b)?,
            BoolNode::Linear { terms, cmp, bound } => {
                let sum = self.sum(terms)?;
                match cmp {
                    Cmp::Le => sum <= i128::from(bound),
                    Cmp::Eq => sum == i128::from(bound),
                }
            }
            BoolNode::Distinct(parts) => {
                let mut seen = Vec::with_capacity(parts.len());
                for part in parts {
                    seen.push(self.value(*part)?);
                }
                seen.sort_unstable();
                seen.windows(2).all(|pair| pair[0] != pair[1])
            }
            BoolNode::Runs(runs) => self.runs_hold(runs)?,
            BoolNode::Regular(regular) => self.regular_holds(regular)?,
            BoolNode::Graph(graph, property) => self.components(graph)?.has(property),
        })
    }

    fn sum(&mut self, terms: &[Term]) -> Result<i128, Stop> {
        let mut sum = 0;
        for term in terms {
            let value = match term.atom {
                Atom::Bool(b) => i128::from(self.holds(b)?),
                Atom::Int(int) => i128::from(self.value(int)?),
            };
            sum += i128::from(term.coef) * value;
        }
        Ok(sum)
    }

    /// The value of an integer term.
    pub fn value(&mut self, term: Int) -> Result<i64, Stop> {
        if let Some(value) = self.ints.get(&term) {
            return Ok(*value);
        }
        self.budget.step(1)?;
        let model = self.model;
        let value = match model.arena.int_node(term) {
            IntNode::Const(k) => k,
            IntNode::Var(var) => self.var_value(var),
            IntNode::Linear { terms, constant } => (self.sum(terms)? + i128::from(constant)) as i64,
            IntNode::Mul(a, b) => self.value(a)?.wrapping_mul(self.value(b)?),
            IntNode::Div(a, b) => floor_div(self.value(a)?, self.value(b)?).unwrap_or(0),
            IntNode::Mod(a, b) => floor_mod(self.value(a)?, self.value(b)?).unwrap_or(0),
            IntNode::Min(parts) => self.best(parts, |best, value| value < best)?,
            IntNode::Max(parts) => self.best(parts, |best, value| value > best)?,
            IntNode::Abs(a) => self.value(a)?.wrapping_abs(),
            IntNode::Select(arms) => {
                let mut value = 0;
                for (cond, arm) in arms {
                    if self.holds(*cond)? {
                        value = self.value(*arm)?;
                        break;
                    }
                }
                value
            }
            IntNode::Area(graph, vertex) => self.components(graph)?.area(vertex).into(),
        };
        self.looked_at = self.looked_at.saturating_add(1);
        if self.looked_at > KEPT_AFTER {
            self.ints.insert(term, value);
        }
        Ok(value)
    }

    fn best(&mut self, parts: &[Int], better: impl Fn(i64, i64) -> bool) -> Result<i64, Stop> {
        let mut best = None;
        for part in parts {
            let value = self.value(*part)?;
            if best.is_none_or(|best| better(best, value)) {
                best = Some(value);
            }
        }
        Ok(best.unwrap_or(0))
    }

    fn var_value(&self, var: VarId) -> i64 {
        let position = self.values[var.0 as usize];
        match self.model.domain(var) {
            Domain::Ints(list) => list[position as usize],
            _ => i64::from(position),
        }
    }

    /// The components of a graph.
    pub fn components(&mut self, graph: GraphId) -> Result<Rc<Components>, Stop> {
        if let Some(known) = self.graphs.get(&graph) {
            return Ok(known.clone());
        }
        let whole = self.model.arena.graph(graph);
        let mut there = FxHashMap::default();
        for cond in whole.conditions() {
            there.insert(cond, self.holds(cond)?);
        }
        let components = Rc::new(whole.components(|term| there.get(&term) == Some(&true)));
        self.graphs.insert(graph, components.clone());
        Ok(components)
    }

    /// Do the cells form the wanted runs?
    pub fn runs_hold(&mut self, runs: &Runs) -> Result<bool, Stop> {
        let mut found: Vec<u32> = Vec::new();
        let mut inside = false;
        for cell in &runs.cells {
            let on = self.holds(*cell)?;
            match (on, inside, found.last_mut()) {
                (true, true, Some(last)) => *last += 1,
                (true, _, _) => found.push(1),
                _ => {}
            }
            inside = on;
        }
        fits(&found, &runs.blocks, self.budget)
    }

    /// Is the word accepted?
    pub fn regular_holds(&mut self, regular: &Regular) -> Result<bool, Stop> {
        let automaton = &regular.automaton;
        let mut state = automaton.start;
        for position in &regular.word {
            let mut letter = None;
            for (cond, symbol) in position {
                if self.holds(*cond)? {
                    letter = Some(symbol);
                    break;
                }
            }
            let Some(symbol) = letter else { return Ok(false) };
            state = automaton.next[(state * automaton.symbols + symbol) as usize];
        }
        Ok(automaton.accepting[state as usize])
    }
}

/// Do the run lengths match the blocks, in order and completely? Dynamic programming: after each block, `taken[n]` is
/// true if the blocks so far can match the first `n` runs.
fn fits(found: &[u32], blocks: &[Block], budget: &Budget) -> Result<bool, Stop> {
    let mut taken = vec![false; found.len() + 1];
    taken[0] = true;
    for block in blocks {
        budget.step(taken.len() as u64)?;
        match block {
            Block::AnyRuns => {
                let first = taken.iter().position(|taken| *taken).unwrap_or(taken.len());
                taken[first..].fill(true);
            }
            Block::AnyLength | Block::Length(_) => {
                for at in (0..found.len()).rev() {
                    let fit = match block {
                        Block::Length(wanted) => found[at] == *wanted,
                        _ => true,
                    };
                    taken[at + 1] = taken[at] && fit;
                }
                taken[0] = false;
            }
        }
    }
    Ok(taken[found.len()])
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The definition, as a recursive function.
    fn meant(found: &[u32], blocks: &[Block]) -> bool {
        let Some((block, rest)) = blocks.split_first() else { return found.is_empty() };
        match (block, found.split_first()) {
            (Block::AnyRuns, _) => (0..=found.len()).any(|skip| meant(&found[skip..], rest)),
            (Block::AnyLength, Some((_, others))) => meant(others, rest),
            (Block::Length(wanted), Some((first, others))) => wanted == first && meant(others, rest),
            (_, None) => false,
        }
    }

    #[test]
    fn runs_fit_as_defined() {
        let kinds = [Block::AnyRuns, Block::AnyLength, Block::Length(1), Block::Length(2)];
        let budget = Budget::unlimited();
        let mut both = [0, 0];
        for length in 0..5u32 {
            for number in 0..4usize.pow(length) {
                let blocks: Vec<Block> = (0..length).map(|at| kinds[number / 4usize.pow(at) % 4]).collect();
                for runs in 0..5u32 {
                    for bits in 0..1u32 << runs {
                        let found: Vec<u32> = (0..runs).map(|at| 1 + (bits >> at & 1)).collect();
                        let fit = fits(&found, &blocks, &budget).expect("no limit");
                        assert_eq!(fit, meant(&found, &blocks), "{found:?} {blocks:?}");
                        both[usize::from(fit)] += 1;
                    }
                }
            }
        }
        assert!(both[0] > 1000 && both[1] > 1000, "{both:?}");
    }
}
