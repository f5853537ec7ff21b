//! The evaluator: walks the resolved tree over values and terms.
//!
//! One evaluator serves three uses ([`Mode`]). It grounds: variables are terms. It verifies: variables are
//! bound, and an undefined operation makes the smallest boolean expression around it false. It draws.

use super::fault::{Res, unknown};
use super::globals::Slot;
use super::ir::*;
use super::ops::{Num, Sum};
use super::program::Program;
use super::query::GivenEntry;
use super::value::{Keys, Map, Value};
use super::vars::VarArray;
use super::walk::take_walked;
use crate::builtins::Nets;
use crate::diag::Diagnostic;
use crate::model::{Bool, Model};
use crate::shared::{Budget, Span, leave, with_stack};
use crate::syntax::ast::CompareOp;
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// How variables are evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mode {
    /// Terms.
    Ground,
    /// Known values, for all variables.
    Bound,
    /// Known values where determined, terms elsewhere: for drawings of partial assignments.
    Partial,
}

/// The maximal depth of function calls.
pub const MAX_DEPTH: u32 = 10_000;

/// What was computed from known lists and arrays, by their address. Each is kept with its result, so its address is not
/// reused.
#[derive(Default)]
pub struct Derived {
    hashed: FxHashMap<*const Value, (Rc<[Value]>, Option<Rc<Keys>>)>,
    pub(super) inverted: super::inverted_index::Lists,
    /// Groups of equal cells.
    pub groups: FxHashMap<*const Map, (Rc<Map>, Rc<Map>)>,
    /// The neighbour relations of arrays' keys.
    pub nets: Nets,
}

pub struct Eval<'p> {
    pub program: &'p Program,
    pub budget: &'p Budget,
    pub mode: Mode,
    pub model: Model,
    pub(super) globals: Vec<Slot>,
    /// Declared variable arrays, in declaration order.
    pub vars: Vec<VarArray>,
    pub warnings: Vec<Diagnostic>,
    /// Values given to parameters after loading.
    pub(super) supplied: FxHashMap<GlobalId, Rc<Supply>>,
    /// Given entries to ignore.
    pub left_out: Vec<GivenEntry>,
    /// The places of a picture's entries, by parameter and key position.
    pub(super) places: FxHashMap<GlobalId, Vec<Span>>,
    pub(super) stack: Vec<Value>,
    pub(super) base: usize,
    pub(super) depth: u32,
    /// Conditions under which everything evaluated since the last boolean expression is defined.
    pub(super) pending: Vec<Bool>,
    pub derived: Derived,
    /// Graph constraints at their calls.
    pub(super) graph_terms: Vec<super::place::Called>,
    /// Labels of instances that `--without` dropped.
    pub(super) labels_met: FxHashSet<String>,
    /// Arrays whose data are being read to infer a size.
    pub(super) sizing: Vec<GlobalId>,
    /// Sizes taken from data, and the array whose data they are taken from.
    pub(super) sized_from: FxHashMap<GlobalId, GlobalId>,
    pub(super) asked: super::compare::Evaluated,
}

impl Drop for Eval<'_> {
    fn drop(&mut self) {
        leave(&mut self.model);
        leave(&mut self.globals);
        leave(&mut self.vars);
        leave(&mut self.derived.hashed);
        leave(&mut self.stack);
    }
}

impl<'p> Eval<'p> {
    pub fn new(program: &'p Program, budget: &'p Budget) -> Eval<'p> {
        Eval {
            program,
            budget,
            mode: Mode::Ground,
            model: Model::default(),
            globals: vec![Slot::Unset; program.globals.len()],
            vars: Vec::new(),
            warnings: Vec::new(),
            supplied: FxHashMap::default(),
            left_out: Vec::new(),
            places: FxHashMap::default(),
            stack: Vec::new(),
            base: 0,
            depth: 0,
            pending: Vec::new(),
            derived: Derived::default(),
            graph_terms: Vec::new(),
            labels_met: FxHashSet::default(),
            sizing: Vec::new(),
            sized_from: FxHashMap::default(),
            asked: Default::default(),
        }
    }

    /// Drops all values. They may be nested deeply, and drop in a recursion.
    pub fn drop_values(&mut self) {
        self.globals.clear();
        self.stack.clear();
        self.derived = Derived::default();
    }

    /// The list as hashed keys; `None` where an item depends on a variable.
    pub fn hashed(&mut self, list: &Rc<[Value]>) -> Res<Option<Rc<Keys>>> {
        let address = list.as_ptr();
        if let Some((_, keys)) = self.derived.hashed.get(&address)
            && !list.is_empty()
        {
            return Ok(keys.clone());
        }
        if self.derived.hashed.len() > 1 << 16 {
            self.derived.hashed.clear();
        }
        let keys = match list.iter().all(Value::is_known) {
            true => Some(Rc::new(Keys::within(list.clone(), self.budget)?)),
            false => None,
        };
        self.derived.hashed.insert(address, (list.clone(), keys.clone()));
        Ok(keys)
    }

    /// Counts steps, and the parts of values that were visited.
    pub fn walked(&self, steps: u64) -> Res<()> {
        Ok(self.budget.step(steps + take_walked())?)
    }

    /// Evaluates an expression in its own frame.
    pub fn body(&mut self, body: &Body) -> Res<Value> {
        self.frame(body.slots, |this| this.eval(&body.node))
    }

    /// Runs `inside` with `slots` fresh slots.
    pub(super) fn frame<T>(&mut self, slots: u32, inside: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        let base = self.stack.len();
        let saved = std::mem::replace(&mut self.base, base);
        self.stack.resize(base + slots as usize, Value::None);
        let result = inside(self);
        self.stack.truncate(base);
        self.base = saved;
        result
    }

    /// The value of an expression. It is never held itself; its entries may be.
    pub fn eval(&mut self, node: &Node) -> Res<Value> {
        match &node.kind {
            Kind::Const(_) | Kind::Local(_) => self.operation(node),
            _ => with_stack(|| self.operation(node)),
        }
    }

    fn operation(&mut self, node: &Node) -> Res<Value> {
        let span = node.span;
        match &node.kind {
            Kind::Const(value) => Ok(value.clone()),
            Kind::Local(slot) => {
                let value = self.stack[self.base + *slot as usize].clone();
                self.used(value)
            }
            Kind::Global(id) => {
                let value = self.global(*id, span)?;
                self.used(value)
            }
            Kind::Index(base, parts) => {
                if let Some(entry) = self.quick_value(node) {
                    let entry = entry.clone();
                    return self.used(entry);
                }
                let base_value = self.eval(base)?;
                let entry = self.index(base_value, parts, span)?;
                self.used(entry)
            }
            Kind::Call(def, args) => self.call(*def, args, span),
            Kind::Builtin(builtin, args) => self.builtin(builtin, args, span),
            Kind::BuiltinFor(builtin, parts) => self.aggregate(builtin, &parts.0, &parts.1, &parts.2, span),
            Kind::If(parts) => self.conditional(parts),
            Kind::Compare(first, rest) => match self.quick_compare(first, rest) {
                Some(known) => Ok(Value::Bool(known)),
                None => self.compare(first, rest),
            },
            Kind::Negate(inner) => {
                let value = self.eval(inner)?;
                self.negate(&value, span)
            }
            Kind::Add(parts) => self.sum_of(parts, span),
            Kind::Mul(pair) => {
                let (a, b) = (self.eval(&pair.0)?, self.eval(&pair.1)?);
                self.mul(&a, &b, span)
            }
            Kind::Div(pair) => {
                let (a, b) = (self.eval(&pair.0)?, self.eval(&pair.1)?);
                self.divide(&a, &b, true, span)
            }
            Kind::Mod(pair) => {
                let (a, b) = (self.eval(&pair.0)?, self.eval(&pair.1)?);
                self.divide(&a, &b, false, span)
            }
            Kind::Not(inner) => Ok(Value::truth(!self.eval_bool(inner)?)),
            Kind::And(parts) => Ok(Value::truth(self.junction(parts, false)?)),
            Kind::Or(parts) => Ok(Value::truth(self.junction(parts, true)?)),
            Kind::Implies(pair) => match self.eval_bool(&pair.0)? {
                Bool::FALSE => Ok(Value::Bool(true)),
                cond => {
                    let then = self.eval_bool(&pair.1)?;
                    Ok(Value::truth(self.model.arena.implies(cond, then)))
                }
            },
            Kind::Iff(pair) => {
                let (a, b) = (self.eval_bool(&pair.0)?, self.eval_bool(&pair.1)?);
                Ok(Value::truth(self.model.arena.iff(a, b)))
            }
            Kind::Xor(pair) => {
                let (a, b) = (self.eval_bool(&pair.0)?, self.eval_bool(&pair.1)?);
                Ok(Value::truth(self.model.arena.xor(a, b)))
            }
            Kind::For(parts) => self.for_all(&parts.0, &parts.1),
            Kind::Tuple(parts) => self.tuple(parts),
            Kind::List(parts) => self.list(parts),
            Kind::ListFor(parts) => Ok(Value::list(self.collect(&parts.0, &parts.1)?)),
            Kind::Map(pairs) => self.map(pairs, span),
            Kind::MapFor(parts) => self.map_for(&parts.0, &parts.1, &parts.2, span),
            Kind::Concat(parts) => self.concat(parts),
            Kind::Range(pair) => self.range(&pair.0, &pair.1, span),
            Kind::Text(parts) => Ok(Value::Str(self.text_nodes(parts)?.into())),
        }
    }

    /// Evaluates `node` to a boolean.
    pub fn eval_bool(&mut self, node: &Node) -> Res<Bool> {
        if let Some(known) = self.quick_bool(node) {
            return Ok(Bool::constant(known));
        }
        self.boolean(|this| match this.eval(node)? {
            Value::Bool(known) => Ok(Bool::constant(known)),
            Value::Truth(term) => Ok(term),
            value => this.to_bool(&value, node.span),
        })
    }

    /// A disjunction (`decides` is true) or conjunction, up to the known part that decides it.
    fn junction(&mut self, parts: &[Node], decides: bool) -> Res<Bool> {
        let mut unknown = Vec::new();
        for part in parts {
            let part = self.eval_bool(part)?;
            match part.as_constant() {
                Some(known) if known == decides => return Ok(part),
                Some(_) => {}
                None => unknown.push(part),
            }
        }
        Ok(if decides { self.model.arena.or(unknown) } else { self.model.arena.and(unknown) })
    }

    fn conditional(&mut self, first: &[Node; 3]) -> Res<Value> {
        let mut parts = first;
        loop {
            match self.eval_bool(&parts[0])? {
                Bool::TRUE => return self.eval(&parts[1]),
                Bool::FALSE => match &parts[2].kind {
                    Kind::If(next) => parts = next,
                    _ => return self.eval(&parts[2]),
                },
                cond => {
                    let span = parts[0].span.to(parts[2].span);
                    let then = self.branch(cond, |this| this.eval(&parts[1]))?;
                    let other = self.branch(!cond, |this| this.eval(&parts[2]))?;
                    if self.mode == Mode::Partial
                        && !matches!((&then, &other), (Value::Bool(_) | Value::Truth(_), _))
                        && then != other
                    {
                        return unknown(parts[0].span, "not determined");
                    }
                    return self.choose(vec![(cond, then), (!cond, other)], span);
                }
            }
        }
    }

    fn sum_of(&mut self, parts: &[(bool, Node)], span: Span) -> Res<Value> {
        let first = self.eval(&parts[0].1)?;
        if let [_, (minus, second)] = parts {
            let second = self.eval(second)?;
            return self.add(&first, &second, *minus, span);
        }
        if matches!(first, Value::Tuple(_) | Value::Str(_) | Value::List(_)) {
            let mut total = first;
            for (minus, part) in &parts[1..] {
                let value = self.eval(part)?;
                total = self.add(&total, &value, *minus, span)?;
            }
            return Ok(total);
        }
        let mut sum = Sum::default();
        self.add_to(&mut sum, 1, &first, parts[0].1.span)?;
        for (minus, part) in &parts[1..] {
            let value = self.eval(part)?;
            self.add_to(&mut sum, if *minus { -1 } else { 1 }, &value, part.span)?;
        }
        self.sum_value(sum, span)
    }

    fn compare(&mut self, first: &Node, rest: &[(CompareOp, Node)]) -> Res<Value> {
        let result = self.boolean(|this| {
            let mut left = this.eval(first)?;
            let mut left_span = first.span;
            let mut conjuncts = Bool::TRUE;
            for (op, node) in rest {
                let right = this.eval(node)?;
                let span = if left_span.file == node.span.file { left_span.to(node.span) } else { node.span };
                let part = match op {
                    CompareOp::Eq => this.equal(&left, &right, span)?,
                    CompareOp::Ne => !this.equal(&left, &right, span)?,
                    CompareOp::Lt => this.less(&left, &right, true, span)?,
                    CompareOp::Le => this.less(&left, &right, false, span)?,
                    CompareOp::Gt => this.less(&right, &left, true, span)?,
                    CompareOp::Ge => this.less(&right, &left, false, span)?,
                    CompareOp::In => this.contains(&left, &right, span)?,
                };
                if part == Bool::FALSE {
                    return Ok(Bool::FALSE);
                }
                conjuncts = this.model.arena.and2(conjuncts, part);
                (left, left_span) = (right, node.span);
            }
            Ok(conjuncts)
        })?;
        Ok(Value::truth(result))
    }

    /// Evaluates `node` to a known number.
    pub(super) fn known(&mut self, node: &Node, what: &str) -> Res<i64> {
        let value = self.eval(node)?;
        match self.to_num(&value, node.span)? {
            Num::Known(i) => Ok(i),
            Num::Unknown(_) => unknown(node.span, format!("{what} must be known before solving")),
        }
    }
}
