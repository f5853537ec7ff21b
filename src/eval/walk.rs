//! Traversals of values: order, equality, hash, and whether a value is fully known.
//!
//! Lists and tuples share parts: thirty lines of `let b = (a, a)` make a value of a thousand million leaves.
//! So parts with the same address are equal at once, pairs of parts found equal are not compared again,
//! visited parts are not visited again, and a hash covers a bounded number of parts. Visited parts are
//! counted for the budget: the evaluator takes the count ([`take_walked`]) where it counts steps.

use super::value::Value;
use crate::shared::with_stack;
use rustc_hash::FxHashSet;
use std::cell::Cell;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

thread_local! {
    static WALKED: Cell<u64> = const { Cell::new(0) };
}

/// The number of parts of values this thread has visited since the last call.
#[inline]
pub fn take_walked() -> u64 {
    WALKED.replace(0)
}

#[inline]
fn walked(parts: usize) {
    WALKED.set(WALKED.get().wrapping_add(parts as u64));
}

/// Parts visited before visits are noted: most values are smaller.
const NOTED_AFTER: usize = 1 << 10;
/// The largest number of parts in a hash.
const HASHED: usize = 1 << 14;

/// The address of a value's parts, to recognise visited ones.
fn address<T>(parts: &Rc<[T]>) -> usize {
    parts.as_ptr() as usize
}

/// Visited parts.
#[derive(Default)]
struct Seen {
    count: usize,
    parts: FxHashSet<usize>,
}

impl Seen {
    fn all(&mut self, value: &Value, test: &impl Fn(&Value) -> bool) -> bool {
        let (address, count) = match value {
            Value::Tuple(parts) | Value::List(parts) => (address(parts), parts.len()),
            Value::Map(map) => (Rc::as_ptr(map) as usize, map.values.len()),
            Value::Choice(choice) => (Rc::as_ptr(choice) as usize, choice.arms.len()),
            value => return test(value),
        };
        if !test(value) {
            return false;
        }
        self.count += count;
        if self.count > NOTED_AFTER && !self.parts.insert(address) {
            return true;
        }
        match value {
            Value::Tuple(parts) | Value::List(parts) => {
                with_stack(|| parts.iter().all(|part| self.all(part, test)))
            }
            Value::Map(map) => with_stack(|| map.values.iter().all(|part| self.all(part, test))),
            Value::Choice(choice) => with_stack(|| choice.arms.iter().all(|arm| self.all(&arm.1, test))),
            _ => true,
        }
    }
}

/// Pairs of parts that were found equal.
#[derive(Default)]
struct Pairs {
    count: usize,
    equal: FxHashSet<(usize, usize)>,
}

impl Pairs {
    fn compare(&mut self, a: &Value, b: &Value) -> Ordering {
        match (a, b) {
            (Value::Int(a), Value::Int(b)) => a.cmp(b),
            (Value::Tuple(a), Value::Tuple(b)) | (Value::List(a), Value::List(b)) => {
                self.noted((address(a), address(b)), |pairs| pairs.compare_all(a, b))
            }
            (Value::Map(a), Value::Map(b)) => {
                self.noted((Rc::as_ptr(a) as usize, Rc::as_ptr(b) as usize), |pairs| {
                    pairs
                        .compare_all(&a.keys.list, &b.keys.list)
                        .then_with(|| pairs.compare_all(&a.values, &b.values))
                })
            }
            (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
            (Value::Member(a), Value::Member(b)) => a.cmp(b),
            (Value::Str(a), Value::Str(b)) => {
                self.count += a.len().min(b.len()) / 64;
                if Rc::ptr_eq(a, b) { Ordering::Equal } else { a.cmp(b) }
            }
            (Value::Truth(a), Value::Truth(b)) => a.cmp(b),
            (Value::Number(a), Value::Number(b)) => a.cmp(b),
            (Value::Choice(a), Value::Choice(b)) => Rc::as_ptr(a).cmp(&Rc::as_ptr(b)),
            (Value::Drawing(a), Value::Drawing(b)) => Rc::as_ptr(a).cmp(&Rc::as_ptr(b)),
            (Value::Held(a), Value::Held(b)) => Rc::as_ptr(a).cmp(&Rc::as_ptr(b)),
            _ => a.rank().cmp(&b.rank()),
        }
    }

    fn noted(&mut self, pair: (usize, usize), compare: impl FnOnce(&mut Pairs) -> Ordering) -> Ordering {
        if pair.0 == pair.1 || self.equal.contains(&pair) {
            return Ordering::Equal;
        }
        let order = with_stack(|| compare(self));
        if order == Ordering::Equal && self.count > NOTED_AFTER {
            self.equal.insert(pair);
        }
        order
    }

    /// Decided by the first part that differs; a shorter list comes first.
    fn compare_all(&mut self, a: &[Value], b: &[Value]) -> Ordering {
        // empty lists have no distinct address
        for (x, y) in a.iter().zip(b) {
            self.count += 1;
            match self.compare(x, y) {
                Ordering::Equal => {}
                order => return order,
            }
        }
        a.len().cmp(&b.len())
    }

    /// Are the parts of two lists of the same kinds, so that their order has a meaning?
    fn same_kinds(&mut self, x: &[Value], y: &[Value]) -> bool {
        x.iter().zip(y).all(|(a, b)| {
            self.count += 1;
            match (a, b) {
                (Value::Int(_), Value::Int(_)) | (Value::Str(_), Value::Str(_)) => true,
                (Value::Tuple(a), Value::Tuple(b)) => {
                    let pair = (address(a), address(b));
                    self.equal.contains(&pair) || {
                        let same = with_stack(|| self.same_kinds(a, b));
                        if same && self.count > NOTED_AFTER {
                            self.equal.insert(pair);
                        }
                        same
                    }
                }
                _ => false,
            }
        })
    }
}

/// Are the parts of two lists of the same kinds, so that their order has a meaning?
pub(super) fn same_kinds(x: &[Value], y: &[Value]) -> bool {
    let mut pairs = Pairs::default();
    let same = pairs.same_kinds(x, y);
    walked(pairs.count);
    same
}

impl Value {
    /// Does no part of it depend on a variable?
    pub fn is_known(&self) -> bool {
        self.all_parts(|value| {
            !matches!(value, Value::Truth(_) | Value::Number(_) | Value::Choice(_) | Value::Held(_))
        })
    }

    /// Is any part of it held?
    pub fn holds_back(&self) -> bool {
        !self.all_parts(|value| !matches!(value, Value::Held(_)))
    }

    /// Does the test hold for the value and for everything in it?
    fn all_parts(&self, test: impl Fn(&Value) -> bool) -> bool {
        match self {
            Value::Tuple(_) | Value::List(_) | Value::Map(_) | Value::Choice(_) => {
                let mut seen = Seen::default();
                let all = seen.all(self, &test);
                walked(seen.count);
                all
            }
            value => test(value),
        }
    }
}

/// A total order for tables: by kind, then by value. The language's own order (`ops`) rejects some pairs that
/// this accepts.
impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        let mut pairs = Pairs::default();
        let order = pairs.compare(self, other);
        walked(pairs.count);
        order
    }
}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        match (self, other) {
            (Value::Int(a), Value::Int(b)) => a == b,
            (Value::Tuple(a), Value::Tuple(b)) | (Value::List(a), Value::List(b)) => match (&a[..], &b[..]) {
                // a pair of cells
                ([Value::Int(a), Value::Int(b)], [Value::Int(c), Value::Int(d)]) => a == c && b == d,
                (x, y) => x.len() == y.len() && self.cmp(other) == Ordering::Equal,
            },
            _ => self.cmp(other) == Ordering::Equal,
        }
    }
}

impl Eq for Value {}

/// The hash covers a part of the value; equal values have equal hashes.
impl Hash for Value {
    fn hash<H: Hasher>(&self, state: &mut H) {
        let mut left = HASHED;
        self.hash_within(state, &mut left);
        walked(HASHED - left);
    }
}

impl Value {
    fn hash_within<H: Hasher>(&self, state: &mut H, left: &mut usize) {
        match self {
            Value::Int(i) => state.write_u64(*i as u64),
            Value::Bool(b) => state.write_u8(*b as u8 + 2),
            Value::Member(m) => state.write_u64((u64::from(m.of) << 32 | u64::from(m.index)) ^ (1 << 63)),
            Value::Str(s) => {
                s.hash(state);
                *left = left.saturating_sub(s.len() / 64);
            }
            Value::Tuple(parts) | Value::List(parts) => {
                state.write_usize(parts.len());
                hash_all(parts, state, left);
            }
            Value::Map(map) => hash_all(&map.values, state, left),
            Value::Truth(b) => b.hash(state),
            Value::Number(i) => i.hash(state),
            Value::Choice(_) | Value::Drawing(_) | Value::Held(_) | Value::None => {
                state.write_u8(self.rank())
            }
        }
    }
}

/// Hashes a few parts; the first ones leave some of the limit for the others.
fn hash_all<H: Hasher>(parts: &[Value], state: &mut H, left: &mut usize) {
    for (at, part) in parts.iter().enumerate() {
        if *left == 0 {
            return;
        }
        *left -= 1;
        let behind = parts.len() - at;
        if behind <= 8 {
            let mut share = *left / behind;
            let before = share;
            hash_part(part, state, &mut share);
            *left -= before - share;
        } else {
            hash_part(part, state, left);
        }
    }
}

/// A part has parts itself only now and then: a pair of numbers is hashed without a look at the stack.
fn hash_part<H: Hasher>(part: &Value, state: &mut H, left: &mut usize) {
    match part {
        Value::Tuple(_) | Value::List(_) | Value::Map(_) => with_stack(|| part.hash_within(state, left)),
        _ => part.hash_within(state, left),
    }
}

/// Sorts in ascending order, stably; `compare` may end it with an error.
pub fn sort_by<E>(
    items: &mut Vec<Value>,
    mut compare: impl FnMut(&Value, &Value) -> Result<Ordering, E>,
) -> Result<(), E> {
    // merges runs of doubling length: the standard library's sorts cannot be stopped
    let mut length = 1;
    while length < items.len() {
        let mut merged = Vec::with_capacity(items.len());
        for pair in items.chunks(2 * length) {
            let (mut a, mut b) = pair.split_at(length.min(pair.len()));
            while let ([x, after_x @ ..], [y, after_y @ ..]) = (a, b) {
                if compare(x, y)? == Ordering::Greater {
                    merged.push(y.clone());
                    b = after_y;
                } else {
                    merged.push(x.clone());
                    a = after_x;
                }
            }
            merged.extend_from_slice(a);
            merged.extend_from_slice(b);
        }
        *items = merged;
        length *= 2;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::value::Held;
    use super::*;
    use crate::model::Bool;
    use rustc_hash::FxHasher;

    /// A tower of pairs, each of twice the same value.
    fn tower(height: u32, leaf: i64) -> Value {
        (0..height).fold(Value::Int(leaf), |part, _| Value::pair(part.clone(), part))
    }

    fn hash(value: &Value) -> u64 {
        let mut hasher = FxHasher::default();
        value.hash(&mut hasher);
        hasher.finish()
    }

    #[test]
    fn what_is_shared_is_gone_through_once() {
        let (a, b, c) = (tower(60, 1), tower(60, 1), tower(60, 2));
        take_walked();
        assert!(a == b && a == a.clone() && a != c && a < c && c > b);
        assert!(a.is_known() && hash(&a) == hash(&b));
        assert!(take_walked() < 1 << 17);
        let lists = |leaf| (0..60).fold(Value::Int(leaf), |part, _| Value::list(vec![part.clone(), part]));
        assert!(lists(1) == lists(1) && lists(1) < lists(3));
        let open = (0..60).fold(Value::Number(crate::model::Arena::default().constant(1)), |part, _| {
            Value::pair(part.clone(), part)
        });
        assert!(!open.is_known() && !open.holds_back());
        let held = Value::Held(Rc::new(Held::Where(Bool::FALSE, Value::Int(1))));
        let held = (0..60).fold(held, |part, _| Value::pair(part.clone(), part));
        assert!(held.holds_back() && !held.is_known() && held == held.clone());
    }

    #[test]
    fn hashes_distinguish_values() {
        let deep = tower(60, 1);
        let pairs: FxHashSet<u64> =
            (0..100).map(|i| hash(&Value::pair(deep.clone(), Value::Int(i)))).collect();
        assert_eq!(pairs.len(), 100);
        let cells: FxHashSet<u64> =
            (0..900).map(|i| hash(&Value::list(vec![Value::cell(i / 30, i % 30)]))).collect();
        assert_eq!(cells.len(), 900);
        let long: FxHashSet<u64> = (0..100)
            .map(|last| {
                hash(&Value::list((0..5000).map(|i| Value::Int(if i == 4999 { last } else { 0 })).collect()))
            })
            .collect();
        assert_eq!(long.len(), 100);
    }

    #[test]
    fn sorting_is_stable_and_can_be_stopped() {
        for n in 0..40i64 {
            let mut items: Vec<Value> = (0..n).map(|i| Value::cell(i * 7919 % 5, i)).collect();
            let key = |value: &Value| value.as_cell().expect("a cell").0;
            let mut wanted = items.clone();
            wanted.sort_by_key(key);
            sort_by(&mut items, |a, b| Ok::<_, ()>(key(a).cmp(&key(b)))).expect("no limit");
            assert_eq!(items, wanted);
        }
        let mut left = 10;
        let mut items: Vec<Value> = (0..100).rev().map(Value::Int).collect();
        let stopped = sort_by(&mut items, |a, b| {
            left -= 1;
            if left == 0 { Err(()) } else { Ok(a.cmp(b)) }
        });
        assert_eq!((stopped, left), (Err(()), 0));
    }
}
