//! Language values: known values, terms over decision variables, and containers of both.
//!
//! `walk` compares, orders and hashes known values. Operations on terms go through `ops`.

use super::fault::Fault;
use super::walk::take_walked;
use crate::model::{Bool, Int, VarId};
use crate::render::Drawing;
use crate::shared::{Budget, Stop};
use rustc_hash::FxHashMap;
use std::convert::Infallible;
use std::rc::Rc;

/// A member of an enum: the enum's number in the program, and the position in the enum.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Member {
    pub of: u32,
    pub index: u32,
}

#[derive(Clone, Debug)]
pub enum Value {
    None,
    Bool(bool),
    Int(i64),
    Member(Member),
    Str(Rc<str>),
    Tuple(Rc<[Value]>),
    List(Rc<[Value]>),
    Map(Rc<Map>),
    /// An unknown boolean.
    Truth(Bool),
    /// An unknown integer.
    Number(Int),
    /// An unknown value of another (or mixed) kind.
    Choice(Rc<Choice>),
    Drawing(Rc<Drawing>),
    /// Not defined everywhere. Names, arguments and entries may be so; `Eval::used` resolves them at their
    /// use.
    Held(Rc<Held>),
}

/// A value whose definedness matters only where it is used.
#[derive(Debug)]
pub enum Held {
    /// Defined where the condition holds; the value itself is not held.
    Where(Bool, Value),
    Fault(Fault),
}

/// Exactly one condition holds, and selects the value beside it. No arms: a variable without values.
#[derive(Debug)]
pub struct Choice {
    pub arms: Vec<(Bool, Value)>,
    /// The variable, if the value is one.
    pub var: Option<VarId>,
}

/// Values by key, in insertion order. An array is a map over its index set.
#[derive(Clone, Debug)]
pub struct Map {
    pub keys: Rc<Keys>,
    pub values: Vec<Value>,
}

/// The distinct known keys of maps and arrays, with a lookup.
#[derive(Debug)]
pub struct Keys {
    pub list: Rc<[Value]>,
    lookup: Lookup,
}

#[derive(Debug)]
enum Lookup {
    /// `lo, lo + 1, …`
    Range {
        lo: i64,
    },
    /// All pairs of two ranges, row-major.
    Grid {
        row: i64,
        rows: i64,
        column: i64,
        columns: i64,
    },
    Hash(FxHashMap<Value, u32>),
}

impl Keys {
    /// The keys in order; a repeated key keeps its first place (see [`Keys::repeated`]).
    pub fn new(list: Rc<[Value]>) -> Keys {
        let lookup = match Lookup::of(&list, |_| Ok::<(), Infallible>(())) {
            Ok(lookup) => lookup,
            Err(never) => match never {},
        };
        Keys { list, lookup }
    }

    /// The same within the budget.
    pub fn within(list: Rc<[Value]>, budget: &Budget) -> Result<Keys, Stop> {
        budget.charge_for::<(Value, u32)>(2 * list.len())?;
        let lookup = Lookup::of(&list, |steps| budget.step(steps + take_walked()))?;
        Ok(Keys { list, lookup })
    }

    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn position(&self, key: &Value) -> Option<usize> {
        match &self.lookup {
            Lookup::Range { lo } => match key {
                Value::Int(i) => {
                    let at = usize::try_from(i.checked_sub(*lo)?).ok()?;
                    (at < self.list.len()).then_some(at)
                }
                _ => None,
            },
            Lookup::Grid { row, rows, column, columns } => match key.as_cell() {
                Some((r, c)) => {
                    let (r, c) = (r.checked_sub(*row)?, c.checked_sub(*column)?);
                    let inside = (0..*rows).contains(&r) && (0..*columns).contains(&c);
                    inside.then(|| (r * columns + c) as usize)
                }
                None => None,
            },
            Lookup::Hash(map) => map.get(key).map(|at| *at as usize),
        }
    }

    pub fn contains(&self, key: &Value) -> bool {
        self.position(key).is_some()
    }

    /// If the keys are the full grid of pairs: first row, rows, first column, columns.
    pub fn grid(&self) -> Option<(i64, i64, i64, i64)> {
        match self.lookup {
            Lookup::Grid { row, rows, column, columns } => Some((row, rows, column, columns)),
            _ => None,
        }
    }

    /// Are they `1..n`?
    pub fn is_one_to_n(&self) -> bool {
        matches!(self.lookup, Lookup::Range { lo: 1 })
    }

    /// The position of the second of two equal keys.
    pub fn repeated(&self) -> Option<usize> {
        match &self.lookup {
            Lookup::Hash(map) if map.len() < self.list.len() => {
                (0..self.list.len()).find(|at| map.get(&self.list[*at]) != Some(&(*at as u32)))
            }
            _ => None,
        }
    }
}

impl Lookup {
    fn of<E>(list: &[Value], step: impl Fn(u64) -> Result<(), E>) -> Result<Lookup, E> {
        step(list.len() as u64)?;
        if let Some(simple) = Self::range(list).or_else(|| Self::grid(list)) {
            return Ok(simple);
        }
        let mut map = FxHashMap::with_capacity_and_hasher(list.len(), Default::default());
        for (at, key) in list.iter().enumerate() {
            step(1)?;
            map.entry(key.clone()).or_insert(at as u32);
        }
        Ok(Lookup::Hash(map))
    }

    fn range(list: &[Value]) -> Option<Lookup> {
        let Some(Value::Int(lo)) = list.first() else { return None };
        let ordered = list
            .iter()
            .enumerate()
            .all(|(at, key)| matches!(key, Value::Int(i) if lo.checked_add(at as i64) == Some(*i)));
        ordered.then_some(Lookup::Range { lo: *lo })
    }

    fn grid(list: &[Value]) -> Option<Lookup> {
        let (row, column) = list.first()?.as_cell()?;
        let (last_row, last_column) = list.last()?.as_cell()?;
        let (rows, columns) =
            (last_row.checked_sub(row)?.checked_add(1)?, last_column.checked_sub(column)?.checked_add(1)?);
        if rows < 1 || columns < 1 || rows.checked_mul(columns)? != list.len() as i64 {
            return None;
        }
        let ordered = list.iter().enumerate().all(|(at, key)| {
            key.as_cell() == Some((row + at as i64 / columns, column + at as i64 % columns))
        });
        ordered.then_some(Lookup::Grid { row, rows, column, columns })
    }
}

impl Map {
    pub fn new(keys: Rc<Keys>, values: Vec<Value>) -> Map {
        debug_assert_eq!(keys.len(), values.len());
        Map { keys, values }
    }

    pub fn get(&self, key: &Value) -> Option<&Value> {
        self.keys.position(key).map(|at| &self.values[at])
    }

    pub fn iter(&self) -> impl Iterator<Item = (&Value, &Value)> {
        self.keys.list.iter().zip(&self.values)
    }
}

impl Value {
    pub fn list(items: Vec<Value>) -> Value {
        Value::List(items.into())
    }

    /// The items of a list or a tuple.
    pub fn items(&self) -> Option<&[Value]> {
        match self {
            Value::List(items) | Value::Tuple(items) => Some(items),
            _ => None,
        }
    }

    pub fn tuple(items: Vec<Value>) -> Value {
        Value::Tuple(items.into())
    }

    pub fn pair(a: Value, b: Value) -> Value {
        Value::Tuple(Rc::new([a, b]))
    }

    pub fn cell(r: i64, c: i64) -> Value {
        Value::pair(Value::Int(r), Value::Int(c))
    }

    pub fn text(text: &str) -> Value {
        Value::Str(text.into())
    }

    /// A boolean term, known where it is a constant.
    pub fn truth(term: Bool) -> Value {
        match term.as_constant() {
            Some(known) => Value::Bool(known),
            None => Value::Truth(term),
        }
    }

    /// A pair of integers.
    pub fn as_cell(&self) -> Option<(i64, i64)> {
        match self {
            Value::Tuple(parts) => match parts[..] {
                [Value::Int(r), Value::Int(c)] => Some((r, c)),
                _ => None,
            },
            _ => None,
        }
    }

    /// A pair of cells.
    pub fn as_edge(&self) -> Option<((i64, i64), (i64, i64))> {
        match self {
            Value::Tuple(parts) => match &parts[..] {
                [a, b] => a.as_cell().zip(b.as_cell()),
                _ => None,
            },
            _ => None,
        }
    }

    /// The kind of the value, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::None => "none",
            Value::Bool(_) | Value::Truth(_) => "a boolean",
            Value::Int(_) | Value::Number(_) => "a number",
            Value::Member(_) => "an enum member",
            Value::Str(_) => "a string",
            Value::Tuple(_) => "a tuple",
            Value::List(_) => "a list",
            Value::Map(_) => "an array",
            Value::Choice(_) => "an unknown value",
            Value::Drawing(_) => "a drawing",
            Value::Held(held) => match &**held {
                Held::Where(_, value) => value.kind(),
                Held::Fault(_) => "an undefined value",
            },
        }
    }

    pub(super) fn rank(&self) -> u8 {
        match self {
            Value::None => 0,
            Value::Bool(_) => 1,
            Value::Int(_) => 2,
            Value::Member(_) => 3,
            Value::Str(_) => 4,
            Value::Tuple(_) => 5,
            Value::List(_) => 6,
            Value::Map(_) => 7,
            Value::Truth(_) => 8,
            Value::Number(_) => 9,
            Value::Choice(_) => 10,
            Value::Drawing(_) => 11,
            Value::Held(_) => 12,
        }
    }
}
