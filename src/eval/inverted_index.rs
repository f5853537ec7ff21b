//! Inverted indexes of lists: which entries contain a value, for `for x in list if v in x`, and which have a
//! value as a part, for `for x in list if x[k] = v`, with many values `v`.
//!
//! Models ask for the edges at a point, the shapes over a cell or the cells of a row. Testing every entry
//! takes time quadratic in the size of the board. A list that lives on is inverted once instead. Only entries
//! whose guard is false without a fault are skipped, so the generated combinations stay the same.

use super::ir::{Gen, Kind, Node, Part, Pat};
use super::run::Eval;
use super::value::Value;
use crate::syntax::ast::CompareOp;
use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::ops::ControlFlow;
use std::rc::Rc;

/// In a list of at most this length, every entry is tested.
const SHORT: usize = 8;
/// The largest number of indexed lists.
const LISTS: usize = 1 << 12;
/// The largest depth of tuples that are compared by an index.
const DEPTH: u32 = 4;

/// What is looked up: the entry or a part of it (counted from 0), and whether it contains the value or equals
/// it.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct Wanted {
    part: Option<usize>,
    member: bool,
}

/// For each value, the positions of the entries that contain it or have it as a part, ascending.
#[derive(Default)]
struct Inverted {
    places: FxHashMap<Value, Rc<[u32]>>,
    /// The one sort of all values there: to compare with another sort may be a fault.
    sort: u32,
    /// The number of parts of every entry, if it is the same.
    parts: Option<usize>,
}

type ByAddress<K, T> = FxHashMap<(*const Value, K), (Rc<[Value]>, Option<T>)>;

/// What is known of lists, by their address. The list is kept, so its address is not reused.
#[derive(Default)]
pub(super) struct Lists {
    /// `None`: some value there is unknown, or its comparison may be a fault.
    inverted: ByAddress<Wanted, Inverted>,
    /// The shape of every entry, if it is the same.
    shapes: ByAddress<(), Shape>,
}

/// The shape of a value: a known integer is `None`, a tuple of n of them `Some(n)`.
type Shape = Option<usize>;

/// A generator: its pattern and its list.
#[derive(Clone, Copy)]
struct Source<'g> {
    pattern: &'g Pat,
    items: &'g Rc<[Value]>,
}

impl Eval<'_> {
    /// The positions of the entries that can pass the guards behind a generator: one of them is `v in x` or
    /// `x = v`, where x is the entry or a part of it, v is already evaluated, and no guard before it can be a
    /// fault. `None`: every entry must be tested.
    pub(super) fn candidates(
        &mut self,
        pattern: &Pat,
        items: &Rc<[Value]>,
        rest: &[Gen],
    ) -> Option<Rc<[u32]>> {
        // The caller holds the list twice. A list with no other owner is dropped after this.
        if items.len() <= SHORT || Rc::strong_count(items) <= 2 {
            return None;
        }
        let source = Source { pattern, items };
        let found = rest.iter().try_for_each(|guard| match guard {
            Gen::If(guard) => self.search(guard, source),
            _ => ControlFlow::Break(None),
        });
        let ControlFlow::Break(Some((wanted, value))) = found else { return None };
        let value = self.quick_known(value)?;
        let sort = sort_of(&value, wanted.member)?;
        let inverted =
            found_once(&mut self.derived.inverted.inverted, items, wanted, || invert(items, wanted))?;
        if let Pat::Tuple(parts, _) = pattern
            && inverted.parts != Some(parts.len())
        {
            return None;
        }
        match inverted.places.get(&value) {
            Some(places) => Some(places.clone()),
            // a cell in a list of numbers is a fault; the guard reports it
            None if sort != inverted.sort => None,
            None => Some(Rc::default()),
        }
    }

    /// The first guard in a conjunction that an index can answer; nothing, if one before it may be a fault.
    fn search<'g>(&mut self, guard: &'g Node, source: Source<'_>) -> ControlFlow<Option<(Wanted, &'g Node)>> {
        if let Kind::And(parts) = &guard.kind {
            return parts.iter().try_for_each(|part| self.search(part, source));
        }
        let Kind::Compare(first, rest) = &guard.kind else { return ControlFlow::Break(None) };
        let [(op, second)] = &rest[..] else { return ControlFlow::Break(None) };
        let wanted = |node, other, member| {
            let part = place_in(node, source.pattern)?;
            independent(other, source.pattern).then_some((Wanted { part, member }, other))
        };
        let found = match op {
            CompareOp::In => wanted(second, first, true),
            CompareOp::Eq => wanted(first, second, false).or_else(|| wanted(second, first, false)),
            _ => None,
        };
        if found.is_some() {
            return ControlFlow::Break(found);
        }
        // integers, and tuples of as many integers, are compared without a fault
        match (op, self.shape_for(first, source)) {
            (CompareOp::In, _) | (_, None) => ControlFlow::Break(None),
            (_, shape) if shape == self.shape_for(second, source) => ControlFlow::Continue(()),
            _ => ControlFlow::Break(None),
        }
    }

    /// The shape of the node's value for every entry of the list.
    fn shape_for(&mut self, node: &Node, source: Source<'_>) -> Option<Shape> {
        let Some(part) = place_in(node, source.pattern) else {
            let free = independent(node, source.pattern);
            return free.then(|| self.quick_known(node)).flatten().as_ref().and_then(shape_of);
        };
        let shape = *found_once(&mut self.derived.inverted.shapes, source.items, (), || {
            let shape = source.items.first().and_then(shape_of)?;
            source.items.iter().all(|item| shape_of(item) == Some(shape)).then_some(shape)
        })?;
        match part {
            Some(part) => (part < shape?).then_some(None),
            None => Some(shape),
        }
    }
}

/// What is known of a list, found out the first time.
fn found_once<'c, K: Eq + Hash, T>(
    known: &'c mut ByAddress<K, T>,
    items: &Rc<[Value]>,
    key: K,
    find: impl FnOnce() -> Option<T>,
) -> Option<&'c T> {
    let at = (items.as_ptr(), key);
    if known.len() >= LISTS && !known.contains_key(&at) {
        known.clear();
    }
    known.entry(at).or_insert_with(|| (items.clone(), find())).1.as_ref()
}

fn shape_of(value: &Value) -> Option<Shape> {
    match value {
        Value::Int(_) => Some(None),
        Value::Tuple(parts) if parts.iter().all(|part| matches!(part, Value::Int(_))) => {
            Some(Some(parts.len()))
        }
        _ => None,
    }
}

/// Is the node the entry that the pattern binds, or which part of it (counted from 0)?
fn place_in(node: &Node, pattern: &Pat) -> Option<Option<usize>> {
    match (&node.kind, pattern) {
        (Kind::Local(local), Pat::Slot(slot)) if local == slot => Some(None),
        (Kind::Local(local), Pat::Tuple(parts, _)) => {
            let flat = parts.iter().all(|part| matches!(part, Pat::Slot(_) | Pat::Ignore));
            let at = parts.iter().rposition(|part| matches!(part, Pat::Slot(slot) if slot == local));
            at.filter(|_| flat).map(Some)
        }
        (Kind::Index(base, parts), Pat::Slot(_)) => match &parts[..] {
            [Part::At(Node { kind: Kind::Const(Value::Int(k)), .. })]
                if place_in(base, pattern) == Some(None) =>
            {
                usize::try_from(k.checked_sub(1)?).ok().map(Some)
            }
            _ => None,
        },
        _ => None,
    }
}

/// Has the node the same value for every entry? Nodes that no short cut evaluates do not matter.
fn independent(node: &Node, pattern: &Pat) -> bool {
    let all = |nodes: &[Node]| nodes.iter().all(|node| independent(node, pattern));
    match &node.kind {
        Kind::Const(_) | Kind::Global(_) => true,
        Kind::Local(slot) => !binds(pattern, *slot),
        Kind::Index(base, parts) => {
            independent(base, pattern)
                && parts.iter().all(|part| matches!(part, Part::At(key) if independent(key, pattern)))
        }
        Kind::Add(parts) => parts.iter().all(|(_, part)| independent(part, pattern)),
        Kind::Mul(pair) => independent(&pair.0, pattern) && independent(&pair.1, pattern),
        Kind::Tuple(parts) | Kind::Call(_, parts) | Kind::Builtin(_, parts) => all(parts),
        _ => false,
    }
}

fn binds(pattern: &Pat, slot: u32) -> bool {
    match pattern {
        Pat::Ignore => false,
        Pat::Slot(own) => *own == slot,
        Pat::Tuple(parts, _) => parts.iter().any(|part| binds(part, slot)),
    }
}

/// Inverts a list. `None` also if the values there are not all of one sort.
fn invert(items: &[Value], wanted: Wanted) -> Option<Inverted> {
    let mut places: FxHashMap<&Value, Vec<u32>> = FxHashMap::default();
    let mut common = None;
    let mut note = |value, at| {
        let sort = sort_of(value, wanted.member)?;
        if *common.get_or_insert(sort) != sort {
            return None;
        }
        let places = places.entry(value).or_default();
        if places.last() != Some(&at) {
            places.push(at);
        }
        Some(())
    };
    for (at, item) in items.iter().enumerate() {
        let at = u32::try_from(at).ok()?;
        let whole = match wanted.part {
            Some(k) => item.items()?.get(k)?,
            None => item,
        };
        match wanted.member {
            true => whole.items()?.iter().try_for_each(|member| note(member, at))?,
            false => note(whole, at)?,
        }
    }
    let places = places.into_iter().map(|(value, places)| (value.clone(), places.into())).collect();
    let parts = items.first()?.items().map(<[Value]>::len);
    let parts = parts.filter(|_| items.iter().all(|item| item.items().map(<[Value]>::len) == parts));
    Some(Inverted { places, sort: common.unwrap_or(0), parts })
}

/// The sort of a known value: values of one sort are compared without a fault. For `in` it is enough that all
/// are tuples, or none. For `=` a boolean, a list or a part of another sort may be a fault: no sort.
fn sort_of(value: &Value, member: bool) -> Option<u32> {
    match value {
        value if member => value.is_known().then_some(u32::from(matches!(value, Value::Tuple(_)))),
        Value::Member(member) => member.of.checked_add(1),
        value => plain(value, DEPTH).then_some(0),
    }
}

fn plain(value: &Value, depth: u32) -> bool {
    match value {
        Value::None | Value::Int(_) | Value::Str(_) => true,
        Value::Tuple(parts) => depth > 0 && parts.iter().all(|part| plain(part, depth - 1)),
        _ => false,
    }
}
