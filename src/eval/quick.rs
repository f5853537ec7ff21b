//! Short cuts for guards: comparisons of known small integers and tuples, their parts and calls, without
//! building values or frames.
//!
//! A short cut returns either exactly the result of `run`, or nothing; then `run` evaluates. Overflow,
//! unknowns and everything undefined are left to `run`.

use super::ir::{DefId, Kind, Node, Part, Pat};
use super::run::{Eval, MAX_DEPTH};
use super::value::Value;
use crate::syntax::ast::CompareOp;
use std::cmp::Ordering;

/// The largest depth of a short cut.
const DEPTH: u32 = 4;
/// The largest depth of calls: where a short cut fails, their bodies are evaluated again.
const CALLS: u32 = 2;
/// The largest number of slots of a called function.
const SLOTS: usize = 8;

/// One place of evaluation: the names there have these values.
#[derive(Clone, Copy)]
struct Quick<'s, 'p> {
    eval: &'s Eval<'p>,
    names: Names<'s>,
    /// So many calls may still be nested.
    calls: u32,
}

#[derive(Clone, Copy)]
enum Names<'s> {
    /// The current frame.
    Frame(&'s [Value]),
    /// The slots of a called function; none: not a parameter.
    Parameters(&'s [Option<&'s Value>; SLOTS]),
}

impl<'p> Eval<'p> {
    #[inline]
    fn quick(&self) -> Quick<'_, 'p> {
        Quick { eval: self, names: Names::Frame(&self.stack[self.base..]), calls: CALLS }
    }

    #[inline]
    pub(super) fn quick_bool(&self, node: &Node) -> Option<bool> {
        self.quick().bool(node)
    }

    #[inline]
    pub(super) fn quick_compare(&self, first: &Node, rest: &[(CompareOp, Node)]) -> Option<bool> {
        self.quick().compare(first, rest)
    }

    /// A value that is already evaluated. It may be held.
    #[inline]
    pub(super) fn quick_value<'s>(&'s self, node: &'s Node) -> Option<&'s Value> {
        self.quick().value(node, DEPTH)
    }

    /// The value of a node, if a short cut finds it and it is known.
    pub(super) fn quick_known(&self, node: &Node) -> Option<Value> {
        self.quick().known(node)
    }

    /// Unpacks a tuple of the caller's frame into plain slots of the called frame at `base`.
    pub(super) fn unpack(&mut self, parts: &[Pat], from: usize, base: usize) -> bool {
        let items = match &self.stack[from] {
            Value::Tuple(items) if items.len() == parts.len() => items.clone(),
            _ => return false,
        };
        if !parts.iter().all(|part| matches!(part, Pat::Slot(_) | Pat::Ignore)) {
            return false;
        }
        for (part, item) in parts.iter().zip(items.iter()) {
            if let Pat::Slot(slot) = part {
                self.stack[base + *slot as usize] = item.clone();
            }
        }
        true
    }
}

impl<'s> Quick<'s, '_> {
    #[inline]
    fn bool(self, node: &'s Node) -> Option<bool> {
        match &node.kind {
            Kind::Compare(first, rest) => self.compare(first, rest),
            Kind::And(parts) => self.junction(parts, false),
            Kind::Or(parts) => self.junction(parts, true),
            Kind::Not(inner) => self.bool(inner).map(|known| !known),
            Kind::Call(def, args) => self.call(*def, args, |inside, body| inside.bool(body)),
            _ => None,
        }
    }

    /// A conjunction or disjunction, up to the part that decides it.
    fn junction(self, parts: &'s [Node], decides: bool) -> Option<bool> {
        for part in parts {
            if self.bool(part)? == decides {
                return Some(decides);
            }
        }
        Some(!decides)
    }

    /// A chain of comparisons, up to the first false one.
    #[inline]
    fn compare(self, first: &'s Node, rest: &'s [(CompareOp, Node)]) -> Option<bool> {
        let mut left = first;
        for (op, right) in rest {
            let order = self.order(left, right)?;
            let holds = match op {
                CompareOp::Eq => order.is_eq(),
                CompareOp::Ne => order.is_ne(),
                CompareOp::Lt => order.is_lt(),
                CompareOp::Le => order.is_le(),
                CompareOp::Gt => order.is_gt(),
                CompareOp::Ge => order.is_ge(),
                CompareOp::In => return None,
            };
            if !holds {
                return Some(false);
            }
            left = right;
        }
        Some(true)
    }

    fn order(self, a: &'s Node, b: &'s Node) -> Option<Ordering> {
        if let (Kind::Tuple(xs), Kind::Tuple(ys)) = (&a.kind, &b.kind) {
            if xs.len() != ys.len() {
                return None;
            }
            let mut order = Ordering::Equal;
            for (x, y) in xs.iter().zip(ys) {
                order = order.then(self.int(x, DEPTH)?.cmp(&self.int(y, DEPTH)?));
            }
            return Some(order);
        }
        match (self.value(a, DEPTH), self.value(b, DEPTH)) {
            (Some(a), Some(b)) => known_order(a, b, DEPTH),
            (Some(Value::Int(x)), None) => Some(x.cmp(&self.int(b, DEPTH)?)),
            (None, Some(Value::Int(y))) => Some(self.int(a, DEPTH)?.cmp(y)),
            (None, None) => Some(self.int(a, DEPTH)?.cmp(&self.int(b, DEPTH)?)),
            _ => None,
        }
    }

    #[inline(always)]
    fn value(self, node: &'s Node, depth: u32) -> Option<&'s Value> {
        match &node.kind {
            Kind::Local(slot) => match self.names {
                Names::Frame(slots) => slots.get(*slot as usize),
                Names::Parameters(slots) => *slots.get(*slot as usize)?,
            },
            Kind::Const(value) => Some(value),
            Kind::Global(id) => self.eval.ready(*id),
            Kind::Index(base, parts) => match &parts[..] {
                [Part::At(key)] if depth > 0 => self.entry(base, key, depth - 1),
                _ => None,
            },
            _ => None,
        }
    }

    /// `base[key]`, if there is such an entry.
    fn entry(self, base: &'s Node, key: &'s Node, depth: u32) -> Option<&'s Value> {
        match self.value(base, depth)? {
            Value::Tuple(items) | Value::List(items) => {
                let at = match &key.kind {
                    Kind::Const(Value::Int(at)) => *at,
                    _ => self.int(key, depth)?,
                };
                items.get(usize::try_from(at.checked_sub(1)?).ok()?)
            }
            Value::Map(map) => map.get(self.value(key, depth)?),
            _ => None,
        }
    }

    fn known(self, node: &'s Node) -> Option<Value> {
        if let Some(value) = self.value(node, DEPTH) {
            return value.is_known().then(|| value.clone());
        }
        match &node.kind {
            Kind::Tuple(parts) => parts
                .iter()
                .map(|part| self.int(part, DEPTH).map(Value::Int))
                .collect::<Option<_>>()
                .map(Value::Tuple),
            _ => self.int(node, DEPTH).map(Value::Int),
        }
    }

    fn int(self, node: &'s Node, depth: u32) -> Option<i64> {
        if let Some(value) = self.value(node, depth) {
            return match value {
                Value::Int(i) => Some(*i),
                _ => None,
            };
        }
        let depth = depth.checked_sub(1)?;
        match &node.kind {
            Kind::Add(parts) => {
                let mut total = 0i64;
                for (minus, part) in parts {
                    let value = self.int(part, depth)?;
                    total = if *minus { total.checked_sub(value)? } else { total.checked_add(value)? };
                }
                Some(total)
            }
            Kind::Mul(pair) => self.int(&pair.0, depth)?.checked_mul(self.int(&pair.1, depth)?),
            Kind::Builtin(builtin, args)
                if builtin.name.len() == 3 && builtin.name == "abs" && args.len() == 1 =>
            {
                self.int(&args[0], depth)?.checked_abs()
            }
            Kind::Call(def, args) => self.call(*def, args, |inside, body| inside.int(body, depth)),
            _ => None,
        }
    }

    /// Runs `inside` for the body of a function whose arguments are already evaluated.
    fn call<T>(
        self,
        def: DefId,
        args: &'s [Node],
        inside: impl FnOnce(Quick<'_, '_>, &Node) -> Option<T>,
    ) -> Option<T> {
        let def = &self.eval.program.defs[def.0 as usize];
        if args.len() != def.params.len() || self.eval.depth + CALLS > MAX_DEPTH {
            return None;
        }
        let calls = self.calls.checked_sub(1)?;
        self.eval.budget.step(1).ok()?;
        let mut slots = [None; SLOTS];
        for (param, arg) in def.params.iter().zip(args) {
            bind(param, self.value(arg, DEPTH)?, &mut slots)?;
        }
        inside(Quick { names: Names::Parameters(&slots), calls, ..self }, &def.body.node)
    }
}

fn bind<'s>(pattern: &Pat, value: &'s Value, slots: &mut [Option<&'s Value>; SLOTS]) -> Option<()> {
    match (pattern, value) {
        (Pat::Ignore, _) => Some(()),
        (Pat::Slot(slot), value) => {
            *slots.get_mut(*slot as usize)? = Some(value);
            Some(())
        }
        (Pat::Tuple(parts, _), Value::Tuple(items) | Value::List(items)) if parts.len() == items.len() => {
            parts.iter().zip(items.iter()).try_for_each(|(part, item)| bind(part, item, slots))
        }
        _ => None,
    }
}

/// The order of two known integers, or of two tuples of such.
fn known_order(a: &Value, b: &Value, depth: u32) -> Option<Ordering> {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => Some(x.cmp(y)),
        (Value::Tuple(x), Value::Tuple(y)) if x.len() == y.len() => {
            let depth = depth.checked_sub(1)?;
            let mut order = Ordering::Equal;
            for (x, y) in x.iter().zip(y.iter()) {
                let (Value::Int(x), Value::Int(y)) = (x, y) else {
                    order = order.then(known_order(x, y, depth)?);
                    continue;
                };
                order = order.then(x.cmp(y));
            }
            Some(order)
        }
        _ => None,
    }
}
