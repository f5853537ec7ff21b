//! What each constraint means: the truth of a term under an assignment, independent of every encoding.

use super::arena::{floor_div, floor_mod};
use super::{Atom, Block, Bool, BoolNode, Cmp, Domain, Int, IntNode, Model, Regular, Runs, Term, VarId};

/// A value for every variable, as its position in the domain (booleans: 0 false, 1 true).
pub type Assignment = [u32];

impl Model {
    /// The first rule that the assignment breaks, as its position in [`Model::rules`].
    pub fn broken(&self, values: &Assignment) -> Option<usize> {
        self.rules.iter().position(|rule| !self.holds(rule.what, values))
    }

    /// Is `term` true under the assignment?
    pub fn holds(&self, term: Bool, values: &Assignment) -> bool {
        self.positive_holds(term, values) != term.is_negated()
    }

    fn positive_holds(&self, term: Bool, values: &Assignment) -> bool {
        match self.arena.bool_node(term) {
            BoolNode::True => true,
            BoolNode::Var(var) => values[var.0 as usize] == 1,
            BoolNode::Is(var, position) => values[var.0 as usize] == position,
            BoolNode::And(parts) => parts.iter().all(|part| self.holds(*part, values)),
            BoolNode::Iff(a, b) => self.holds(a, values) == self.holds(b, values),
            BoolNode::Linear { terms, cmp, bound } => {
                let sum = self.sum(terms, values);
                match cmp {
                    Cmp::Le => sum <= i128::from(bound),
                    Cmp::Eq => sum == i128::from(bound),
                }
            }
            BoolNode::Distinct(parts) => {
                let mut seen: Vec<i64> = parts.iter().map(|part| self.value(*part, values)).collect();
                seen.sort_unstable();
                seen.windows(2).all(|pair| pair[0] != pair[1])
            }
            BoolNode::Runs(runs) => self.runs_hold(runs, values),
            BoolNode::Regular(regular) => self.regular_holds(regular, values),
            BoolNode::Graph(graph, property) => self.components(graph, values).has(property),
        }
    }

    fn sum(&self, terms: &[Term], values: &Assignment) -> i128 {
        let atom = |atom: Atom| match atom {
            Atom::Bool(b) => i128::from(self.holds(b, values)),
            Atom::Int(int) => i128::from(self.value(int, values)),
        };
        terms.iter().map(|term| i128::from(term.coef) * atom(term.atom)).sum()
    }

    /// The value of an integer term under the assignment.
    pub fn value(&self, term: Int, values: &Assignment) -> i64 {
        match self.arena.int_node(term) {
            IntNode::Const(k) => k,
            IntNode::Var(var) => self.var_value(var, values),
            IntNode::Linear { terms, constant } => (self.sum(terms, values) + i128::from(constant)) as i64,
            IntNode::Mul(a, b) => self.value(a, values).wrapping_mul(self.value(b, values)),
            IntNode::Div(a, b) => floor_div(self.value(a, values), self.value(b, values)).unwrap_or(0),
            IntNode::Mod(a, b) => floor_mod(self.value(a, values), self.value(b, values)).unwrap_or(0),
            IntNode::Min(parts) => parts.iter().map(|part| self.value(*part, values)).min().unwrap_or(0),
            IntNode::Max(parts) => parts.iter().map(|part| self.value(*part, values)).max().unwrap_or(0),
            IntNode::Abs(a) => self.value(a, values).wrapping_abs(),
            IntNode::Select(arms) => {
                let arm = arms.iter().find(|(cond, _)| self.holds(*cond, values));
                arm.map_or(0, |(_, value)| self.value(*value, values))
            }
            IntNode::Area(graph, vertex) => self.components(graph, values).area(vertex).into(),
        }
    }

    fn var_value(&self, var: VarId, values: &Assignment) -> i64 {
        let position = values[var.0 as usize];
        match self.domain(var) {
            Domain::Ints(list) => list[position as usize],
            _ => i64::from(position),
        }
    }

    /// Do the cells form the wanted runs under the assignment?
    pub fn runs_hold(&self, runs: &Runs, values: &Assignment) -> bool {
        let mut found: Vec<u32> = Vec::new();
        let mut inside = false;
        for cell in &runs.cells {
            let on = self.holds(*cell, values);
            match (on, inside, found.last_mut()) {
                (true, true, Some(last)) => *last += 1,
                (true, _, _) => found.push(1),
                _ => {}
            }
            inside = on;
        }
        fits(&found, &runs.blocks)
    }

    /// Is the word accepted under the assignment?
    pub fn regular_holds(&self, regular: &Regular, values: &Assignment) -> bool {
        let automaton = &regular.automaton;
        let mut state = automaton.start;
        for position in &regular.word {
            let Some((_, symbol)) = position.iter().find(|(cond, _)| self.holds(*cond, values)) else {
                return false;
            };
            state = automaton.next[(state * automaton.symbols + symbol) as usize];
        }
        automaton.accepting[state as usize]
    }
}

/// Do the found run lengths fit the wanted blocks, in order and in full?
fn fits(found: &[u32], blocks: &[Block]) -> bool {
    let Some((block, rest)) = blocks.split_first() else { return found.is_empty() };
    match (block, found.split_first()) {
        (Block::AnyRuns, _) => (0..=found.len()).any(|skip| fits(&found[skip..], rest)),
        (Block::AnyLength, Some((_, others))) => fits(others, rest),
        (Block::Length(wanted), Some((first, others))) => wanted == first && fits(others, rest),
        (_, None) => false,
    }
}
