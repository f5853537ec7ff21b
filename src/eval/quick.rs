//! Short cuts for guards: comparisons of known small integers, without building values.
//!
//! A short cut returns either exactly the result of `run`, or nothing; then `run` evaluates. Overflow,
//! unknowns and everything undefined are left to `run`.

use super::ir::{Kind, Node, Pat};
use super::run::Eval;
use super::value::Value;
use crate::syntax::ast::CompareOp;
use std::cmp::Ordering;

/// The largest depth of a short cut.
const DEPTH: u32 = 4;

impl Eval<'_> {
    #[inline]
    pub(super) fn quick_bool(&self, node: &Node) -> Option<bool> {
        match &node.kind {
            Kind::Compare(first, rest) => self.quick_compare(first, rest),
            Kind::And(parts) => self.quick_parts(parts, false),
            Kind::Or(parts) => self.quick_parts(parts, true),
            _ => None,
        }
    }

    /// A conjunction or disjunction, up to the part that decides it.
    fn quick_parts(&self, parts: &[Node], decides: bool) -> Option<bool> {
        for part in parts {
            if self.quick_bool(part)? == decides {
                return Some(decides);
            }
        }
        Some(!decides)
    }

    #[inline]
    pub(super) fn quick_compare(&self, first: &Node, rest: &[(CompareOp, Node)]) -> Option<bool> {
        let [(op, second)] = rest else { return None };
        let test: fn(Ordering) -> bool = match op {
            CompareOp::Eq => Ordering::is_eq,
            CompareOp::Ne => Ordering::is_ne,
            CompareOp::Lt => Ordering::is_lt,
            CompareOp::Le => Ordering::is_le,
            CompareOp::Gt => Ordering::is_gt,
            CompareOp::Ge => Ordering::is_ge,
            CompareOp::In => return None,
        };
        self.quick_order(first, second).map(test)
    }

    fn quick_order(&self, a: &Node, b: &Node) -> Option<Ordering> {
        if let (Some(a), Some(b)) = (self.quick_value(a), self.quick_value(b)) {
            return known_order(a, b);
        }
        if let (Kind::Tuple(xs), Kind::Tuple(ys)) = (&a.kind, &b.kind) {
            if xs.len() != ys.len() {
                return None;
            }
            let mut order = Ordering::Equal;
            for (x, y) in xs.iter().zip(ys) {
                let (x, y) = (self.quick_int(x, DEPTH)?, self.quick_int(y, DEPTH)?);
                order = order.then(x.cmp(&y));
            }
            return Some(order);
        }
        let x = self.quick_int(a, DEPTH)?;
        Some(x.cmp(&self.quick_int(b, DEPTH)?))
    }

    /// A value that is already evaluated.
    #[inline]
    pub(super) fn quick_value<'s>(&'s self, node: &'s Node) -> Option<&'s Value> {
        match &node.kind {
            Kind::Local(slot) => Some(&self.stack[self.base + *slot as usize]),
            Kind::Const(value) => Some(value),
            Kind::Global(id) => self.ready(*id),
            _ => None,
        }
    }

    fn quick_int(&self, node: &Node, depth: u32) -> Option<i64> {
        if let Some(value) = self.quick_value(node) {
            return match value {
                Value::Int(i) => Some(*i),
                _ => None,
            };
        }
        if depth == 0 {
            return None;
        }
        match &node.kind {
            Kind::Add(parts) => {
                let mut total = 0i64;
                for (minus, part) in parts {
                    let value = self.quick_int(part, depth - 1)?;
                    total = if *minus { total.checked_sub(value)? } else { total.checked_add(value)? };
                }
                Some(total)
            }
            Kind::Mul(pair) => {
                self.quick_int(&pair.0, depth - 1)?.checked_mul(self.quick_int(&pair.1, depth - 1)?)
            }
            Kind::Builtin(builtin, args)
                if builtin.name.len() == 3 && builtin.name == "abs" && args.len() == 1 =>
            {
                self.quick_int(&args[0], depth - 1)?.checked_abs()
            }
            _ => None,
        }
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

fn known_order(a: &Value, b: &Value) -> Option<Ordering> {
    match (a, b) {
        (Value::Int(x), Value::Int(y)) => Some(x.cmp(y)),
        (Value::Tuple(x), Value::Tuple(y)) if x.len() == y.len() => {
            let mut order = Ordering::Equal;
            for (x, y) in x.iter().zip(y.iter()) {
                let (Value::Int(x), Value::Int(y)) = (x, y) else { return None };
                order = order.then(x.cmp(y));
            }
            Some(order)
        }
        _ => None,
    }
}
