//! Explains a conflict. In: the conflict and the trail. Out: the asserted instances that imply it.
//!
//! The explanation walks the trail backwards and undoes it on the way, so that each change is explained by the facts
//! just before it; afterwards it restores the trail. It explains only changes that the conflict depends on.

use super::super::{Atom, Bool, BoolNode, Cmp, Instance, Int, IntNode, Term, VarId};
use super::distinct::View;
use super::{Cause, Conflict, NO, Propagator, Target, Truth, UNKNOWN, YES};
use rustc_hash::{FxHashMap, FxHashSet};

/// The facts that still need an explanation.
#[derive(Default)]
struct Facts {
    /// Lost values by word.
    lost: FxHashMap<u32, u64>,
    bools: FxHashSet<u32>,
    lows: FxHashSet<u32>,
    highs: FxHashSet<u32>,
    /// The result: indices of assertions.
    rules: Vec<u32>,
}

impl Facts {
    fn is_empty(&self) -> bool {
        self.lost.is_empty() && self.bools.is_empty() && self.lows.is_empty() && self.highs.is_empty()
    }

    /// Removes and returns those of the values `gone` of a word that need an explanation.
    fn take(&mut self, word: u32, gone: u64) -> u64 {
        let Some(bits) = self.lost.get_mut(&word) else { return 0 };
        let taken = *bits & gone;
        *bits &= !taken;
        if *bits == 0 {
            self.lost.remove(&word);
        }
        taken
    }
}

/// A change to explain: its target, the removed values of a word, and the new truth of a node.
#[derive(Clone, Copy)]
struct Change {
    target: Option<Target>,
    bits: u64,
    value: Truth,
}

/// The bounds of operands that a consequence depends on.
#[derive(Clone, Copy, PartialEq)]
enum Side {
    /// The lower bound.
    Low,
    High,
    Both,
}

impl<'a> Propagator<'a> {
    pub(super) fn explain_conflict(&mut self, conflict: Conflict) -> Vec<Instance> {
        let mut facts = Facts::default();
        let whole = |target| Change { target, bits: 0, value: UNKNOWN };
        match conflict {
            Conflict::Value { node, cause } => {
                self.need_bool(&mut facts, node);
                let value = YES + NO - self.values[node as usize];
                self.explain(&mut facts, cause, Change { target: Some(Target::Bool(node)), bits: 0, value });
            }
            Conflict::Empty { var, cause } => {
                self.need_var(&mut facts, var);
                for word in self.words_of(var) {
                    let bits = self.words[word as usize];
                    if bits != 0 {
                        self.explain(&mut facts, cause, Change { bits, ..whole(Some(Target::Word(word))) });
                    }
                }
            }
            Conflict::Gone { node } => {
                self.need_bool(&mut facts, node);
                if let BoolNode::Is(var, position) = self.model.arena.bool_node(Bool::at(node as usize)) {
                    self.need_position(&mut facts, var, position);
                }
            }
            Conflict::Bound { int, raised, cause } => {
                let target = if raised { Target::Low(int) } else { Target::High(int) };
                self.need_int(&mut facts, Int::at(int as usize), if raised { Side::High } else { Side::Low });
                self.explain(&mut facts, cause, whole(Some(target)));
            }
            Conflict::Broken { cause } => self.explain(&mut facts, cause, whole(None)),
        }
        let end = self.trail.len();
        let mut at = end;
        while at > 0 && !facts.is_empty() {
            at -= 1;
            self.swap(at);
            self.explain_entry(&mut facts, at);
        }
        (at..end).for_each(|at| self.swap(at));
        let mut instances: Vec<Instance> =
            facts.rules.iter().map(|rule| self.asserted[*rule as usize]).collect();
        instances.sort_unstable();
        instances.dedup();
        instances
    }

    /// Explains a change just undone, if it is needed.
    fn explain_entry(&self, facts: &mut Facts, at: usize) {
        let entry = self.trail[at];
        let target = Target::unpack(entry.target);
        let change = Change { target: Some(target), bits: 0, value: UNKNOWN };
        let change = match target {
            Target::Word(word) => {
                let bits = facts.take(word, self.words[word as usize] & !entry.old);
                (bits != 0).then_some(Change { bits, ..change })
            }
            Target::Bool(node) => {
                facts.bools.remove(&node).then_some(Change { value: entry.old as Truth, ..change })
            }
            Target::Low(int) => facts.lows.remove(&int).then_some(change),
            Target::High(int) => facts.highs.remove(&int).then_some(change),
        };
        if let Some(change) = change {
            self.explain(facts, Cause::unpack(entry.cause), change);
        }
    }

    // ---- facts that need an explanation ----

    fn need_bool(&self, facts: &mut Facts, node: u32) {
        if node != 0 && self.values[node as usize] != UNKNOWN {
            facts.bools.insert(node);
        }
    }

    fn need_term(&self, facts: &mut Facts, term: Bool) {
        self.need_bool(facts, term.index() as u32);
    }

    fn need_word(&self, facts: &mut Facts, var: VarId, word: u32, bits: u64) {
        let lost = self.lost(var, word) & bits;
        if lost != 0 {
            *facts.lost.entry(word).or_default() |= lost;
        }
    }

    fn need_position(&self, facts: &mut Facts, var: VarId, position: u32) {
        self.need_word(facts, var, self.state(var).first + position / 64, 1 << (position % 64));
    }

    /// All removed values of a variable.
    fn need_var(&self, facts: &mut Facts, var: VarId) {
        for word in self.words_of(var) {
            self.need_word(facts, var, word, u64::MAX);
        }
    }

    /// The value of a fixed variable: the true literal of this value if there is one, otherwise all removed values.
    fn need_fixed(&self, facts: &mut Facts, var: VarId) {
        if let (Some(users), Some(position)) = (&self.users, self.state(var).fixed()) {
            let node = users.literals.range(var.0 as usize).map(|at| users.literals.item(at)).find(|node| {
                self.values[*node as usize] == YES
                    && self.model.arena.bool_node(Bool::at(*node as usize)) == BoolNode::Is(var, position)
            });
            if let Some(node) = node {
                return self.need_bool(facts, node);
            }
        }
        self.need_var(facts, var);
    }

    fn need_int(&self, facts: &mut Facts, int: Int, side: Side) {
        let index = int.index() as u32;
        match self.model.arena.int_node(int) {
            IntNode::Const(_) => {}
            IntNode::Var(var) if side == Side::Both => self.need_fixed(facts, var),
            IntNode::Var(var) => {
                let state = self.state(var);
                for word in self.words_of(var) {
                    let base = (word - state.first) * 64;
                    let below = match state.low.saturating_sub(base) {
                        0 => 0,
                        count if count >= 64 => u64::MAX,
                        count => (1 << count) - 1,
                    };
                    let upto = match (state.high + 1).saturating_sub(base) {
                        count if count >= 64 => u64::MAX,
                        count => (1 << count) - 1,
                    };
                    let bits = if side == Side::Low { below } else { !upto };
                    self.need_word(facts, var, word, bits);
                }
            }
            _ => {
                let (first, last) = self.model.arena.bounds(int);
                let (low, high) = self.bounds[int.index()];
                if side != Side::High && low > first {
                    facts.lows.insert(index);
                }
                if side != Side::Low && high < last {
                    facts.highs.insert(index);
                }
            }
        }
    }

    /// The bounds of operands that determine this side of a sum, except those of the target variable itself.
    fn need_terms(&self, facts: &mut Facts, terms: &[Term], side: Side, target: Option<Target>) {
        let skip = match target {
            Some(Target::Word(word)) => Some(self.owner(word)),
            _ => None,
        };
        for term in terms {
            let side = match (side, term.coef > 0) {
                (Side::Low, false) => Side::High,
                (Side::High, false) => Side::Low,
                (side, _) => side,
            };
            match term.atom {
                Atom::Bool(part) => {
                    if matches!(
                        (self.truth_of(part), side),
                        (_, Side::Both) | (YES, Side::Low) | (NO, Side::High)
                    ) {
                        self.need_term(facts, part);
                    }
                }
                Atom::Int(int) => match self.model.arena.int_node(int) {
                    IntNode::Var(var) if Some(var) == skip => {}
                    IntNode::Var(var) if side == Side::Both => self.need_fixed(facts, var),
                    _ => self.need_int(facts, int, side),
                },
            }
        }
    }

    // ---- explanations of consequences ----

    fn explain(&self, facts: &mut Facts, cause: Cause, change: Change) {
        match cause {
            Cause::Rule(rule) => facts.rules.push(rule),
            Cause::Bool(node) => self.explain_bool(facts, node, change),
            Cause::Int(int) => self.explain_int(facts, int, change.target),
        }
    }

    fn explain_bool(&self, facts: &mut Facts, node: u32, change: Change) {
        let own = change.target == Some(Target::Bool(node));
        if !own {
            self.need_bool(facts, node);
        }
        let other = |part: &&Bool| change.target != Some(Target::Bool(part.index() as u32));
        let value = if own { change.value } else { self.values[node as usize] };
        match self.model.arena.bool_node(Bool::at(node as usize)) {
            BoolNode::True => {}
            BoolNode::Var(_) | BoolNode::Is(..) if !own => {}
            BoolNode::Is(var, position) if value == NO => self.need_position(facts, var, position),
            BoolNode::Var(var) | BoolNode::Is(var, _) => self.need_var(facts, var),
            BoolNode::And(parts) => match parts.iter().find(|part| self.truth_of(**part) == NO) {
                Some(part) if own && value == NO => self.need_term(facts, *part),
                _ if !own && value == YES => {}
                _ => parts.iter().filter(other).for_each(|part| self.need_term(facts, *part)),
            },
            BoolNode::Iff(a, b) => {
                [a, b].iter().filter(other).for_each(|part| self.need_term(facts, *part));
            }
            BoolNode::Linear { terms, cmp, .. } => {
                let side = match (cmp, (value == YES) != own) {
                    (Cmp::Eq, _) => Side::Both,
                    (Cmp::Le, true) => Side::Low,
                    (Cmp::Le, false) => Side::High,
                };
                self.need_terms(facts, terms, side, change.target);
            }
            BoolNode::Distinct(parts) => self.explain_distinct(facts, parts, change),
            BoolNode::Runs(runs) => {
                runs.cells.iter().filter(other).for_each(|cell| self.need_term(facts, *cell));
            }
            BoolNode::Regular(regular) => {
                let conds = regular.word.iter().flatten().map(|(cond, _)| cond);
                conds.filter(other).for_each(|cond| self.need_term(facts, *cond));
            }
            BoolNode::Graph(graph, _) => {
                let graph = self.model.arena.graph(graph);
                graph.conditions().filter(|cond| other(&cond)).for_each(|cond| self.need_term(facts, cond));
                if let Some((count, _)) = self.most_vertices(graph) {
                    self.need_term(facts, count);
                }
            }
        }
    }

    fn explain_distinct(&self, facts: &mut Facts, parts: &[Int], change: Change) {
        let mut taken: FxHashMap<i64, usize> = FxHashMap::default();
        let mut repeated = None;
        for (index, part) in parts.iter().enumerate() {
            let (low, high) = self.view_bounds(self.view(*part));
            if low == high
                && let Some(first) = taken.insert(low, index)
            {
                repeated = repeated.or(Some([first, index]));
            }
        }
        let need_part = |facts: &mut Facts, part: Int| match self.view(part) {
            View::Var(var, _) => self.need_fixed(facts, var),
            View::Other(int) => self.need_int(facts, int, Side::Both),
        };
        let due = match (change.target, repeated) {
            (None | Some(Target::Bool(_)), Some(pair)) => Some(pair.to_vec()),
            (Some(Target::Word(word)), _) => self.takers(parts, &taken, word, change.bits),
            _ => None,
        };
        match due {
            Some(due) => due.into_iter().for_each(|index| need_part(facts, parts[index])),
            None => parts.iter().for_each(|part| need_part(facts, *part)),
        }
    }

    /// The parts that are fixed to the values `bits` of a word; `None` if some value has no such part.
    fn takers(
        &self,
        parts: &[Int],
        taken: &FxHashMap<i64, usize>,
        word: u32,
        bits: u64,
    ) -> Option<Vec<usize>> {
        let var = self.owner(word);
        let base = (word - self.state(var).first) * 64;
        let views: Vec<(usize, i64)> = parts
            .iter()
            .enumerate()
            .filter_map(|(index, part)| match self.view(*part) {
                View::Var(own, add) if own == var => Some((index, add)),
                _ => None,
            })
            .collect();
        let mut found = Vec::new();
        for bit in (0..64).filter(|bit| bits >> bit & 1 == 1) {
            let value = self.value_of(var, base + bit);
            let taker = views
                .iter()
                .find_map(|(index, add)| taken.get(&(value + add)).copied().filter(|taker| taker != index));
            found.push(taker?);
        }
        Some(found)
    }

    fn explain_int(&self, facts: &mut Facts, index: u32, target: Option<Target>) {
        let int = Int::at(index as usize);
        let own = matches!(target, Some(Target::Low(at) | Target::High(at)) if at == index);
        if !own {
            self.need_int(facts, int, Side::Both);
        }
        match self.model.arena.int_node(int) {
            IntNode::Const(_) | IntNode::Var(_) | IntNode::Area(..) => {}
            IntNode::Linear { terms, .. } => {
                let side = match target {
                    Some(Target::Low(at)) if at == index => Side::Low,
                    Some(Target::High(at)) if at == index => Side::High,
                    _ => Side::Both,
                };
                self.need_terms(facts, terms, side, target);
            }
            IntNode::Mul(a, b) | IntNode::Div(a, b) | IntNode::Mod(a, b) => {
                [a, b].into_iter().for_each(|part| self.need_int(facts, part, Side::Both));
            }
            IntNode::Min(parts) | IntNode::Max(parts) => {
                parts.iter().for_each(|part| self.need_int(facts, *part, Side::Both));
            }
            IntNode::Abs(part) => self.need_int(facts, part, Side::Both),
            IntNode::Select(arms) => {
                for (cond, value) in arms {
                    self.need_term(facts, *cond);
                    self.need_int(facts, *value, Side::Both);
                }
            }
        }
    }
}
