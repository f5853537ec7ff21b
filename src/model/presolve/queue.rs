//! The propagator: event queue and propagation order.
//!
//! In: assertions. Out: current domains, truths of terms, or a contradiction. Changes become events; events queue the
//! nodes that use the changed term.

use super::super::{Asserted, Bool, BoolNode, Instance, Int, IntNode, Model, Use, VarId};
use super::graph::{Counts, counts};
use super::{Cause, Entry, Halt, MOST, Presolved, Step, Target, Truth, UNKNOWN, VarState, YES};
use crate::shared::{Budget, Stop};
use rustc_hash::FxHashMap;
use std::collections::VecDeque;

/// A change whose users are not queued yet.
#[derive(Clone, Copy, Debug)]
pub(super) enum Event {
    Bool(u32),
    Var(VarId),
    Int(Int),
}

/// A set of small numbers.
#[derive(Clone, Debug)]
pub(super) struct Flags(Vec<u64>);

impl Flags {
    fn new(size: usize) -> Flags {
        Flags(vec![0; size.div_ceil(64)])
    }

    /// Sets the flag and returns what it was.
    pub(super) fn replace(&mut self, index: usize, value: bool) -> bool {
        let (word, bit) = (&mut self.0[index / 64], 1 << (index % 64));
        let old = *word & bit != 0;
        if value {
            *word |= bit
        } else {
            *word &= !bit
        }
        old
    }
}

/// Lists of numbers, one after the other.
#[derive(Clone, Debug, Default)]
pub(super) struct Lists {
    ends: Vec<u32>,
    items: Vec<u32>,
}

impl Lists {
    pub(super) fn range(&self, index: usize) -> std::ops::Range<usize> {
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        start..self.ends[index] as usize
    }

    pub(super) fn item(&self, at: usize) -> u32 {
        self.items[at]
    }
}

/// A user of a node: its index, then a bit "uses the negation", then a bit "is an integer node".
const USER_NEGATED: u32 = 2;
const USER_INT: u32 = 1;

/// The users of each node and variable.
#[derive(Clone, Debug, Default)]
pub(super) struct Users {
    bools: Lists,
    ints: Lists,
    /// Per variable: its boolean nodes.
    pub(super) literals: Lists,
    /// Per variable: one more than its integer node, or 0.
    int_of: Vec<u32>,
}

/// Propagates assertions.
///
/// [`Propagator::propagate`] adds assertions; [`Propagator::pop`] retracts them with all their consequences.
#[derive(Clone, Debug)]
pub struct Propagator<'a> {
    pub(super) model: &'a Model,
    pub(super) budget: &'a Budget,
    pub(super) vars: Vec<VarState>,
    pub(super) words: Vec<u64>,
    pub(super) values: Vec<Truth>,
    pub(super) bounds: Vec<(i64, i64)>,
    /// Per conjunction: two watched parts that were not true when last visited.
    pub(super) hints: Vec<[u32; 2]>,
    /// Upper bounds on the number of true literals in sets of literals.
    pub(super) counts: Counts,
    /// Built at the first change of a variable or an integer node.
    pub(super) users: Option<Users>,
    pub(super) trail: Vec<Entry>,
    pub(super) asserted: Vec<Instance>,
    levels: Vec<(usize, usize, Option<Vec<Instance>>)>,
    pub(super) events: VecDeque<Event>,
    pub(super) dirty_vars: Flags,
    pub(super) dirty_ints: Flags,
    pub(super) moves: FxHashMap<u32, u32>,
    /// Nodes to propagate again, as user numbers; the costly ones are in `late`.
    soon: VecDeque<u32>,
    late: VecDeque<u32>,
    queued_bools: Flags,
    queued_ints: Flags,
    contradiction: Option<Vec<Instance>>,
}

impl<'a> Propagator<'a> {
    /// A propagator with the model's rules asserted and propagated.
    pub fn new(model: &'a Model, budget: &'a Budget) -> Result<Propagator<'a>, Stop> {
        let mut propagator = Propagator::blank(model, budget)?;
        propagator.propagate(&model.rules)?;
        Ok(propagator)
    }

    /// A propagator without assertions.
    pub fn blank(model: &'a Model, budget: &'a Budget) -> Result<Propagator<'a>, Stop> {
        let arena = &model.arena;
        let (bools, ints) = (arena.bool_count(), arena.int_count());
        let Presolved { domains: vars, words, .. } = Presolved::nothing(model);
        budget.step((bools + ints + words.len()) as u64 / 64)?;
        let mut values = vec![UNKNOWN; bools];
        values[Bool::TRUE.index()] = YES;
        Ok(Propagator {
            model,
            budget,
            values,
            bounds: (0..ints).map(|index| arena.bounds(Int::at(index))).collect(),
            hints: vec![[0; 2]; bools],
            counts: counts(arena),
            users: None,
            trail: Vec::new(),
            asserted: Vec::new(),
            levels: Vec::new(),
            events: VecDeque::new(),
            dirty_vars: Flags::new(vars.len()),
            dirty_ints: Flags::new(ints),
            moves: FxHashMap::default(),
            soon: VecDeque::new(),
            late: VecDeque::new(),
            queued_bools: Flags::new(bools),
            queued_ints: Flags::new(ints),
            contradiction: None,
            vars,
            words,
        })
    }

    /// Adds assertions and propagates to a fixpoint; false if there is a contradiction, new or old.
    ///
    /// A model that exceeds `MOST` does not propagate. Until the first change of a variable or an integer node,
    /// changes do not reach the users of a node.
    pub fn propagate(&mut self, extra: &[Asserted]) -> Result<bool, Stop> {
        let sizes =
            [self.values.len(), self.bounds.len(), self.words.len(), self.asserted.len() + extra.len()];
        if sizes.iter().any(|size| *size >= MOST) {
            return Ok(true);
        }
        if self.contradiction.is_none() {
            self.moves.clear();
            let done = self.assert_all(extra).and_then(|()| self.drain());
            self.settle(done)?;
        }
        Ok(self.contradiction.is_none())
    }

    fn settle(&mut self, done: Step) -> Result<(), Stop> {
        match done {
            Ok(()) => {}
            Err(Halt::Stop(stop)) => return Err(stop),
            Err(Halt::Conflict(conflict)) => {
                self.contradiction = Some(self.explain_conflict(conflict));
                self.forget_queues();
            }
        }
        Ok(())
    }

    /// Instances that contradict each other, after a conflict.
    pub fn contradiction(&self) -> Option<&[Instance]> {
        self.contradiction.as_deref()
    }

    /// The truth of a term, if propagation determined it.
    pub fn truth(&self, term: Bool) -> Option<bool> {
        match self.truth_of(term) {
            UNKNOWN => None,
            value => Some(value == YES),
        }
    }

    pub fn presolved(&self) -> Presolved {
        Presolved {
            domains: self.vars.clone(),
            words: self.words.clone(),
            contradiction: self.contradiction.clone(),
        }
    }

    pub fn into_presolved(self) -> Presolved {
        Presolved { domains: self.vars, words: self.words, contradiction: self.contradiction }
    }

    /// Opens a level for [`Propagator::pop`].
    pub fn push(&mut self) -> Result<(), Stop> {
        if self.users.is_none() && self.contradiction.is_none() {
            // notify users of earlier changes now: consequences derived inside the level would be lost by `pop`
            let done = self.ready().and_then(|()| self.drain());
            self.settle(done)?;
        }
        self.levels.push((self.trail.len(), self.asserted.len(), self.contradiction.clone()));
        Ok(())
    }

    /// Undoes everything since the last `push`.
    pub fn pop(&mut self) {
        let Some((trail, asserted, contradiction)) = self.levels.pop() else { return };
        for at in (trail..self.trail.len()).rev() {
            self.swap(at);
        }
        self.trail.truncate(trail);
        self.asserted.truncate(asserted);
        self.contradiction = contradiction;
        self.forget_queues();
    }

    fn forget_queues(&mut self) {
        for event in self.events.drain(..) {
            match event {
                Event::Bool(_) => {}
                Event::Var(var) => {
                    self.dirty_vars.replace(var.0 as usize, false);
                }
                Event::Int(int) => {
                    self.dirty_ints.replace(int.index(), false);
                }
            }
        }
        for user in self.soon.drain(..).chain(self.late.drain(..)) {
            let flags = if user & USER_INT == 0 { &mut self.queued_bools } else { &mut self.queued_ints };
            flags.replace((user >> 2) as usize, false);
        }
    }

    fn assert_all(&mut self, extra: &[Asserted]) -> Step {
        self.asserted.reserve(extra.len());
        self.trail.reserve(extra.len());
        for rule in extra {
            self.budget.step(1)?;
            self.asserted.push(rule.instance);
            self.assign(rule.what, true, Cause::Rule(self.asserted.len() as u32 - 1))?;
        }
        Ok(())
    }

    /// Propagates until both queues are empty.
    fn drain(&mut self) -> Step {
        loop {
            self.budget.step(1)?;
            match self.events.pop_front() {
                Some(Event::Bool(node)) => {
                    self.queue_bool(node);
                    self.notify_users_of_bool(node)?;
                    continue;
                }
                Some(Event::Var(var)) => {
                    self.dirty_vars.replace(var.0 as usize, false);
                    self.ready()?;
                    self.notify_users_of_var(var)?;
                    continue;
                }
                Some(Event::Int(int)) => {
                    self.dirty_ints.replace(int.index(), false);
                    self.ready()?;
                    self.queue_int(int.index() as u32);
                    self.notify_users_of_int(int);
                    continue;
                }
                None => {}
            }
            let Some(user) = self.soon.pop_front().or_else(|| self.late.pop_front()) else { return Ok(()) };
            let index = (user >> 2) as usize;
            if user & USER_INT == 0 {
                self.queued_bools.replace(index, false);
                self.revise_bool(Bool::at(index))?;
            } else {
                self.queued_ints.replace(index, false);
                self.revise_int(Int::at(index))?;
            }
        }
    }

    pub(super) fn queue_bool(&mut self, node: u32) {
        let queue = match self.model.arena.bool_node(Bool::at(node as usize)) {
            BoolNode::True | BoolNode::Var(_) | BoolNode::Is(..) => return,
            BoolNode::Distinct(_) | BoolNode::Runs(_) | BoolNode::Regular(_) | BoolNode::Graph(..) => {
                &mut self.late
            }
            _ => &mut self.soon,
        };
        if !self.queued_bools.replace(node as usize, true) {
            queue.push_back(node << 2);
        }
    }

    fn queue_int(&mut self, int: u32) {
        if !self.queued_ints.replace(int as usize, true) {
            self.soon.push_back(int << 2 | USER_INT);
        }
    }

    fn notify_users_of_bool(&mut self, node: u32) -> Step {
        let Some(users) = &self.users else { return Ok(()) };
        let range = users.bools.range(node as usize);
        let value = self.values[node as usize];
        for at in range {
            let Some(users) = &self.users else { return Ok(()) };
            let user = users.bools.item(at);
            self.budget.step(1)?;
            let index = user >> 2;
            if user & USER_INT != 0 {
                self.queue_int(index);
                continue;
            }
            let term = Bool::at(index as usize);
            match self.model.arena.bool_node(term) {
                BoolNode::And(parts) => {
                    let holds = (value == YES) != (user & USER_NEGATED != 0);
                    self.part_known(term, parts, holds)?;
                }
                _ => self.queue_bool(index),
            }
        }
        Ok(())
    }

    fn notify_users_of_var(&mut self, var: VarId) -> Step {
        let Some(users) = &self.users else { return Ok(()) };
        let (range, int) = (users.literals.range(var.0 as usize), users.int_of[var.0 as usize]);
        let fixed = self.state(var).fixed();
        self.budget.step(range.len() as u64)?;
        for at in range {
            let Some(users) = &self.users else { return Ok(()) };
            let node = users.literals.item(at);
            if self.values[node as usize] != UNKNOWN {
                continue;
            }
            let term = Bool::at(node as usize);
            let position = match self.model.arena.bool_node(term) {
                BoolNode::Is(_, position) => position,
                _ => 1,
            };
            if !self.allows(var, position) {
                self.assign(term, false, Cause::Bool(node))?;
            } else if fixed == Some(position) {
                self.assign(term, true, Cause::Bool(node))?;
            }
        }
        if int > 0 {
            self.notify_users_of_int(Int::at(int as usize - 1));
        }
        Ok(())
    }

    fn notify_users_of_int(&mut self, int: Int) {
        let Some(users) = &self.users else { return };
        let range = users.ints.range(int.index());
        for at in range {
            let Some(users) = &self.users else { return };
            let user = users.ints.item(at);
            if user & USER_INT == 0 { self.queue_bool(user >> 2) } else { self.queue_int(user >> 2) }
        }
    }

    /// Builds the user lists, and notifies the users of all changes on the trail.
    fn ready(&mut self) -> Step {
        if self.users.is_some() {
            return Ok(());
        }
        let users = Users::new(self.model, self.budget)?;
        self.users = Some(users);
        for at in 0..self.trail.len() {
            if let Target::Bool(node) = Target::unpack(self.trail[at].target) {
                self.notify_users_of_bool(node)?;
            }
        }
        Ok(())
    }
}

impl Users {
    fn new(model: &Model, budget: &Budget) -> Result<Users, Stop> {
        let arena = &model.arena;
        let mut users = Users { int_of: vec![0; model.vars.len()], ..Users::default() };
        users.bools.ends = vec![0; arena.bool_count()];
        users.ints.ends = vec![0; arena.int_count()];
        users.literals.ends = vec![0; model.vars.len()];
        let total = |lists: &mut Lists| {
            let mut total = 0u64;
            for end in &mut lists.ends {
                total += u64::from(*end);
                // the start of the list for now; filling moves it to the end
                *end = (total - u64::from(*end)) as u32;
            }
            total
        };
        users.each_use(model, budget, |lists, index, _| lists.ends[index] += 1)?;
        let sizes = [&mut users.bools, &mut users.ints, &mut users.literals].map(total);
        budget.hold(arena.bytes() + sizes.iter().sum::<u64>() * 4 + arena.bool_count() as u64 * 40)?;
        if sizes.iter().any(|size| *size > u64::from(u32::MAX)) {
            return Err(Stop::Memory { limit: budget.limits().memory });
        }
        users.bools.items = vec![0; sizes[0] as usize];
        users.ints.items = vec![0; sizes[1] as usize];
        users.literals.items = vec![0; sizes[2] as usize];
        users.each_use(model, budget, |lists, index, user| {
            let end = &mut lists.ends[index];
            lists.items[*end as usize] = user;
            *end += 1;
        })?;
        Ok(users)
    }

    fn each_use(
        &mut self,
        model: &Model,
        budget: &Budget,
        mut place: impl FnMut(&mut Lists, usize, u32),
    ) -> Result<(), Stop> {
        let arena = &model.arena;
        let mut put = |users: &mut Users, user: u32, used: Use| match used {
            Use::Bool(part) if part.as_constant().is_some() => {}
            Use::Bool(part) => {
                let user = if part.is_negated() { user | USER_NEGATED } else { user };
                place(&mut users.bools, part.index(), user);
            }
            Use::Int(part) => place(&mut users.ints, part.index(), user),
            Use::Literal(var) => place(&mut users.literals, var.0 as usize, user >> 2),
        };
        for index in 0..arena.bool_count() {
            budget.step(1)?;
            arena.operands(Bool::at(index), |used| put(self, (index as u32) << 2, used));
        }
        for index in 0..arena.int_count() {
            budget.step(1)?;
            let int = Int::at(index);
            if let IntNode::Var(var) = arena.int_node(int) {
                self.int_of[var.0 as usize] = index as u32 + 1;
            }
            arena.int_operands(int, |used| put(self, (index as u32) << 2 | USER_INT, used));
        }
        Ok(())
    }
}
