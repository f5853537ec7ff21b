//! Which entries of a list hold a value: `for x in list if v in x`, asked for one `v` after the other.
//!
//! Models ask so of the edges at a point or the shapes over a cell. Trying all entries takes a time that grows with the
//! square of the board; a list that lives on is turned inside out once instead. Only entries for which the guard is
//! false without a fault are passed over, so what is generated stays the same.

use super::ir::{Gen, Kind, Node, Part};
use super::run::Eval;
use super::value::Value;
use crate::syntax::ast::CompareOp;
use rustc_hash::FxHashMap;
use std::rc::Rc;

/// A shorter list is tried through.
const SHORT: usize = 8;
/// So many lists are remembered at most.
const LISTS: usize = 1 << 12;

/// By value: the places of the entries that hold it, rising.
#[derive(Default)]
struct Holders {
    places: FxHashMap<Value, Rc<[u32]>>,
    /// Are all that are held tuples (true), or none of them?
    tuples: bool,
}

/// By address of the list, and by the part of its entries that is looked into. The list is kept, so the address stays
/// its own; `None`: something in it is not known, or no list.
#[derive(Default)]
pub(super) struct Lists(FxHashMap<(*const Value, Option<usize>), (Rc<[Value]>, Option<Rc<Holders>>)>);

impl Eval<'_> {
    /// The places of the entries that can pass the guards behind a generator of `slot`, where the first of them is
    /// `v in x` or `v in x[k]`, x being the entry and v standing ready; `None`: all are to be tried.
    pub(super) fn holding(&mut self, slot: u32, items: &Rc<[Value]>, rest: &[Gen]) -> Option<Rc<[u32]>> {
        // The caller has the list twice; one that nobody else has is gone after this.
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
            let holders = turned(items, part).map(Rc::new);
            self.inverted.0.insert(at, (items.clone(), holders));
        }
        let holders = self.inverted.0[&at].1.as_ref()?;
        match holders.places.get(&value) {
            Some(places) => Some(places.clone()),
            // a cell among numbers is a fault, which the guard finds
            None if matches!(value, Value::Tuple(_)) != holders.tuples => None,
            None => Some(Rc::default()),
        }
    }
}

/// The left side of `v in x` or `v in x[k]` where the guard begins with one, x being in `slot` and v elsewhere; and k,
/// from 0.
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

/// `None` also where some members are tuples, others not: for the guard they are of two kinds.
fn turned(items: &[Value], part: Option<usize>) -> Option<Holders> {
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
    Some(Holders { places, tuples: tuples.unwrap_or(false) })
}

fn members(value: &Value) -> Option<&[Value]> {
    match value {
        Value::List(items) | Value::Tuple(items) => Some(items),
        _ => None,
    }
}
