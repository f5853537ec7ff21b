//! Propagation of boolean nodes: from the operands to the node, and back.

use super::super::{Block, Bool, BoolNode, Cmp, Regular, Runs, Term};
use super::line::{Choices, MOST_CELLS, RunsAutomaton, Word, supported};
use super::{Cause, Conflict, NO, Propagator, Step, UNKNOWN, YES, conflict};

impl<'a> Propagator<'a> {
    pub(super) fn revise_bool(&mut self, node: Bool) -> Step {
        let cause = Cause::Bool(node.index() as u32);
        match self.model.arena.bool_node(node) {
            BoolNode::True | BoolNode::Var(_) | BoolNode::Is(..) => Ok(()),
            BoolNode::And(parts) => {
                if self.truth_of(node) == YES {
                    self.budget.step(parts.len() as u64)?;
                    return parts.iter().try_for_each(|part| self.assign(*part, true, cause));
                }
                self.count_parts(node, parts)
            }
            BoolNode::Iff(a, b) => {
                let (x, y, same) = (self.truth_of(a), self.truth_of(b), self.truth_of(node));
                match (x, y, same) {
                    (UNKNOWN, UNKNOWN, _) => Ok(()),
                    (UNKNOWN, _, UNKNOWN) | (_, UNKNOWN, UNKNOWN) => Ok(()),
                    (UNKNOWN, y, same) => self.assign(a, (y == YES) == (same == YES), cause),
                    (x, UNKNOWN, same) => self.assign(b, (x == YES) == (same == YES), cause),
                    (x, y, _) => self.assign(node, x == y, cause),
                }
            }
            BoolNode::Linear { terms, cmp, bound } => self.revise_linear(node, terms, cmp, bound),
            BoolNode::Distinct(parts) => self.revise_distinct(node, parts),
            BoolNode::Runs(runs) => self.revise_runs(node, runs),
            BoolNode::Regular(regular) => self.revise_regular(node, regular),
            BoolNode::Graph(graph, property) => self.revise_graph(node, graph, property),
        }
    }

    /// Propagates a conjunction after one of its parts became known.
    pub(super) fn part_known(&mut self, node: Bool, parts: &[Bool], holds: bool) -> Step {
        let value = self.truth_of(node);
        match (holds, value) {
            (false, UNKNOWN) => self.assign(node, false, Cause::Bool(node.index() as u32)),
            (true, UNKNOWN | NO) => self.count_parts(node, parts),
            _ => Ok(()),
        }
    }

    /// Unit propagation for a conjunction that is false or unknown: is at most one part left that is not true? The
    /// hints work like two watched literals; each search continues where the last one ended.
    fn count_parts(&mut self, node: Bool, parts: &[Bool]) -> Step {
        let cause = Cause::Bool(node.index() as u32);
        let value = self.truth_of(node);
        let [first, second] = self.hints[node.index()];
        let (one, two) = (self.truth_of(parts[first as usize]), self.truth_of(parts[second as usize]));
        match value {
            UNKNOWN if one == UNKNOWN => return Ok(()),
            NO if one == NO || two == NO => return Ok(()),
            NO if first != second && one == UNKNOWN && two == UNKNOWN => return Ok(()),
            _ => {}
        }
        let wanted = if value == NO { 2 } else { 1 };
        let mut left: [Option<usize>; 2] = [None; 2];
        let mut found = 0;
        for offset in 0..parts.len() {
            let at = (first as usize + offset) % parts.len();
            match self.truth_of(parts[at]) {
                YES => {}
                NO => {
                    self.hints[node.index()] = [at as u32; 2];
                    return match value {
                        NO => Ok(()),
                        _ => self.assign(node, false, cause),
                    };
                }
                _ => {
                    left[found] = Some(at);
                    found += 1;
                    if found == wanted {
                        break;
                    }
                }
            }
        }
        self.budget.step(parts.len() as u64 / 8 + 1)?;
        match left {
            [Some(one), two] => {
                self.hints[node.index()] = [one as u32, two.unwrap_or(one) as u32];
                match (value, two) {
                    (NO, None) => self.assign(parts[one], false, cause),
                    _ => Ok(()),
                }
            }
            [None, _] => self.assign(node, true, cause),
        }
    }

    fn revise_linear(&mut self, node: Bool, terms: &[Term], cmp: Cmp, bound: i64) -> Step {
        let cause = Cause::Bool(node.index() as u32);
        self.budget.step(terms.len() as u64)?;
        let bound = i128::from(bound);
        let value = self.truth_of(node);
        match (cmp, value) {
            (Cmp::Le, YES) => self.squeeze(terms, None, Some(bound), cause),
            (Cmp::Le, NO) => self.squeeze(terms, Some(bound + 1), None, cause),
            (Cmp::Le, _) => {
                let (low, high) = self.sum_bounds(terms);
                match (high <= bound, low > bound) {
                    (true, _) => self.assign(node, true, cause),
                    (_, true) => self.assign(node, false, cause),
                    _ => Ok(()),
                }
            }
            (Cmp::Eq, YES) => {
                self.squeeze(terms, Some(bound), Some(bound), cause)?;
                match terms {
                    [a, b] => self.match_pair(*a, *b, bound, cause),
                    _ => Ok(()),
                }
            }
            (Cmp::Eq, _) => {
                let (low, high) = self.sum_bounds(terms);
                if bound < low || bound > high {
                    return self.assign(node, false, cause);
                }
                if low == high {
                    return self.assign(node, true, cause);
                }
                let Some((open, needed)) = self.needed_value(terms, bound) else { return Ok(()) };
                match needed.and_then(|needed| i64::try_from(needed).ok()) {
                    Some(needed) if value == NO => self.exclude_atom(open.atom, needed, cause),
                    Some(needed) if self.may_be(open.atom, needed) => Ok(()),
                    _ => self.assign(node, false, cause),
                }
            }
        }
    }

    fn revise_runs(&mut self, node: Bool, runs: &Runs) -> Step {
        let cause = Cause::Bool(node.index() as u32);
        let (cells, states) = (&runs.cells, RunsAutomaton::size(&runs.blocks));
        let work = states.saturating_mul(cells.len() + 1);
        if work > MOST_CELLS {
            return self.runs_by_count(node, runs);
        }
        let value = self.truth_of(node);
        let unknown = cells.iter().filter(|cell| self.truth_of(**cell) == UNKNOWN).count();
        if value == NO && unknown > 1 {
            return Ok(());
        }
        self.budget.step(work as u64 / 4 + 1)?;
        let mut choices = Choices::default();
        let mut owners = Vec::new();
        for cell in cells {
            let known = self.truth_of(*cell);
            for (symbol, opposite) in [(0, YES), (1, NO)] {
                if known != opposite {
                    choices.symbols.push(symbol);
                    owners.push((*cell, symbol == 1));
                }
            }
            choices.ends.push(choices.symbols.len());
        }
        let automaton = RunsAutomaton::new(&runs.blocks);
        match (supported(&automaton, &choices), value) {
            (None, YES) => conflict(Conflict::Broken { cause }),
            (None, _) => self.assign(node, false, cause),
            (Some(good), YES) => owners
                .into_iter()
                .zip(good)
                .filter(|(_, good)| !good)
                .try_for_each(|((cell, on), _)| self.assign(cell, !on, cause)),
            (Some(_), _) if unknown == 0 => self.assign(node, true, cause),
            (Some(good), NO) => {
                // the only unknown cell must violate the constraint: it gets the value without support
                let open = cells.iter().position(|cell| self.truth_of(*cell) == UNKNOWN).unwrap_or(0);
                let off = choices.range(open).start;
                match (good[off], good[off + 1]) {
                    (true, true) => conflict(Conflict::Broken { cause }),
                    (off, _) => self.assign(cells[open], off, cause),
                }
            }
            (Some(_), _) => Ok(()),
        }
    }

    /// The case of lines too long for a table: only checks that the blocks fit into the line.
    fn runs_by_count(&mut self, node: Bool, runs: &Runs) -> Step {
        let least = runs.blocks.iter().fold((0u64, 0u64), |(sum, count), block| match block {
            Block::Length(length) => (sum + u64::from(*length), count + 1),
            Block::AnyLength => (sum + 1, count + 1),
            Block::AnyRuns => (sum, count),
        });
        if least.0 + least.1.saturating_sub(1) > runs.cells.len() as u64 {
            return self.assign(node, false, Cause::Bool(node.index() as u32));
        }
        Ok(())
    }

    fn revise_regular(&mut self, node: Bool, regular: &Regular) -> Step {
        let cause = Cause::Bool(node.index() as u32);
        let value = self.truth_of(node);
        let mut choices = Choices::default();
        let mut owners = Vec::new();
        for position in &regular.word {
            let sure = position.iter().find(|(cond, _)| self.truth_of(*cond) == YES);
            let possible = position.iter().filter(|(cond, _)| self.truth_of(*cond) != NO);
            for (cond, symbol) in sure.into_iter().chain(possible.filter(|_| sure.is_none())) {
                choices.symbols.push(*symbol);
                owners.push(*cond);
            }
            choices.ends.push(choices.symbols.len());
        }
        let work = (choices.symbols.len() + 1).saturating_mul(regular.automaton.accepting.len());
        if work > MOST_CELLS {
            return Ok(());
        }
        self.budget.step(work as u64 / 4 + 1)?;
        let good = supported(&Word { automaton: &regular.automaton, wanted: value != NO }, &choices);
        let Some(good) = good else {
            return match value {
                UNKNOWN => self.assign(node, false, cause),
                _ => conflict(Conflict::Broken { cause }),
            };
        };
        if value == UNKNOWN {
            let known = (0..choices.ends.len()).all(|position| choices.range(position).len() == 1);
            return if known { self.assign(node, true, cause) } else { Ok(()) };
        }
        for position in 0..choices.ends.len() {
            let range = choices.range(position);
            for choice in range.clone().filter(|choice| !good[*choice]) {
                self.assign(owners[choice], false, cause)?;
            }
            let mut left = range.filter(|choice| good[*choice]);
            if let (Some(only), None) = (left.next(), left.next()) {
                self.assign(owners[only], true, cause)?;
            }
        }
        Ok(())
    }
}
