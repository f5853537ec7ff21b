//! Inverted indexes of lists: which entries contain a value, for `for x in list if v in x` with many values
//! `v`.
//!
//! Models ask for the edges at a point or the shapes over a cell. Testing every entry takes time quadratic in
//! the size of the board. A list that lives on is inverted once instead. Only entries whose guard is false
//! without a fault are skipped, so the generated combinations stay the same.

use super::ir::{Gen, Kind, Node, Part};
use super::run::Eval;
use super::value::Value;
use crate::syntax::ast::CompareOp;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// In a list of at most this length, every entry is tested.
const SHORT: usize = 8;
/// The largest number of indexed lists.
const LISTS: usize = 1 << 12;

/// For each value, the positions of the entries that contain it, ascending.
#[derive(Default)]
struct Inverted {
    places: FxHashMap<Value, Rc<[u32]>>,
    /// Are all contained values tuples (true), or none of them?
    tuples: bool,
}

/// Indexes by address of the list and by the part of its entries that is searched. The list is kept, so its
/// address is not reused; `None`: a part of it is unknown or no list.
#[derive(Default)]
pub(super) struct Lists(FxHashMap<(*const Value, Option<usize>), (Rc<[Value]>, Option<Rc<Inverted>>)>);

impl Eval<'_> {
    /// The positions of the entries that can pass the guards behind the generator of `slot`. The first guard
    /// must be `v in x` or `v in x[k]`, where x is the entry and v is already evaluated. `None`: every entry
    /// must be tested.
    pub(super) fn candidates(&mut self, slot: u32, items: &Rc<[Value]>, rest: &[Gen]) -> Option<Rc<[u32]>> {
        // The caller holds the list twice. A list with no other owner is dropped after this.
        if items.len() <= SHORT || Rc::strong_count(items) <= 2 {
            return None;
        }
        let (value, part) = membership(rest.first()?, slot)?;
        let value = self.quick_value(value).filter(|value| value.is_known())?.clone();
        let at = (items.as_ptr(), part);
        if !self.inverted.0.contains_key(&at) {
            if self.inverted.0.len() >= LISTS {
                self.inverted.0.clear();
            }
            let inverted = invert(items, part).map(Rc::new);
            self.inverted.0.insert(at, (items.clone(), inverted));
        }
        let inverted = self.inverted.0[&at].1.as_ref()?;
        match inverted.places.get(&value) {
            Some(places) => Some(places.clone()),
            // a cell in a list of numbers is a fault; the guard reports it
            None if matches!(value, Value::Tuple(_)) != inverted.tuples => None,
            None => Some(Rc::default()),
        }
    }
}

/// If the guard begins with `v in x` or `v in x[k]`, where x is in `slot` and v is not: the left side, and k
/// counted from 0.
fn membership(guard: &Gen, slot: u32) -> Option<(&Node, Option<usize>)> {
    let Gen::If(guard) = guard else { return None };
    let mut cond = guard;
    while let Kind::And(parts) = &cond.kind {
        cond = &parts[0];
    }
    let Kind::Compare(value, rest) = &cond.kind else { return None };
    let [(CompareOp::In, whole)] = &rest[..] else { return None };
    let is_entry = |node: &Node| matches!(node.kind, Kind::Local(local) if local == slot);
    let part = match &whole.kind {
        Kind::Index(base, parts) if is_entry(base) => match &parts[..] {
            [Part::At(Node { kind: Kind::Const(Value::Int(k)), .. })] => {
                Some(usize::try_from(k.checked_sub(1)?).ok()?)
            }
            _ => return None,
        },
        _ if is_entry(whole) => None,
        _ => return None,
    };
    (!is_entry(value)).then_some((value, part))
}

/// Inverts a list. `None` also if some members are tuples and others are not: for the guard these are two
/// kinds.
fn invert(items: &[Value], part: Option<usize>) -> Option<Inverted> {
    let mut places: FxHashMap<&Value, Vec<u32>> = FxHashMap::default();
    let mut tuples = None;
    for (at, item) in items.iter().enumerate() {
        let at = u32::try_from(at).ok()?;
        let whole = match part {
            Some(k) => members(item)?.get(k)?,
            None => item,
        };
        for member in members(whole)?.iter() {
            let tuple = matches!(member, Value::Tuple(_));
            if !member.is_known() || *tuples.get_or_insert(tuple) != tuple {
                return None;
            }
            let places = places.entry(member).or_default();
            if places.last() != Some(&at) {
                places.push(at);
            }
        }
    }
    let places = places.into_iter().map(|(member, places)| (member.clone(), places.into())).collect();
    Some(Inverted { places, tuples: tuples.unwrap_or(false) })
}

fn members(value: &Value) -> Option<&[Value]> {
    match value {
        Value::List(items) | Value::Tuple(items) => Some(items),
        _ => None,
    }
}
