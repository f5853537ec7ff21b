//! Values and keys of arrays, as source text and as data.

use std::fmt;

/// What a variable may be. The order is that of the language within one kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Value {
    None,
    Bool(bool),
    Int(i64),
    Pair(i64, i64),
    Text(&'static str),
    /// A member of an enum: its place and its name.
    Member(u8, &'static str),
}

impl Value {
    /// As a number; a boolean is one.
    pub fn number(self) -> Option<i64> {
        match self {
            Value::Int(number) => Some(number),
            Value::Bool(truth) => Some(truth.into()),
            _ => None,
        }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::None => f.write_str("none"),
            Value::Bool(truth) => write!(f, "{truth}"),
            Value::Int(number) => write!(f, "{number}"),
            Value::Pair(a, b) => write!(f, "({a}, {b})"),
            Value::Text(text) => write!(f, "\"{text}\""),
            Value::Member(_, name) => f.write_str(name),
        }
    }
}

/// A key of an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    One(Value),
    Edge(Value, Value),
}

impl Key {
    /// As it stands in an index.
    pub fn index(self) -> String {
        match self {
            Key::One(Value::Pair(r, c)) => format!("{r}, {c}"),
            Key::One(value) => value.to_string(),
            Key::Edge(p, q) => format!("{p}, {q}"),
        }
    }
}

impl fmt::Display for Key {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Key::One(value) => value.fmt(f),
            Key::Edge(..) => write!(f, "({})", self.index()),
        }
    }
}

/// `a, b, c`
pub fn listed<T: ToString>(items: impl IntoIterator<Item = T>) -> String {
    items.into_iter().map(|item| item.to_string()).collect::<Vec<_>>().join(", ")
}

/// A domain as it is declared.
pub fn domain(values: &[Value]) -> String {
    let numbers: Vec<i64> =
        values.iter().filter_map(|v| if let Value::Int(n) = v { Some(*n) } else { None }).collect();
    let rising = numbers.len() > 1 && numbers.windows(2).all(|pair| pair[0] + 1 == pair[1]);
    let rest = values.len() - numbers.len();
    match (numbers.first(), numbers.last()) {
        (Some(low), Some(high)) if rising && rest == 0 => format!("{low}..{high}"),
        (Some(low), Some(high)) if rising && rest == 1 && values.last() == Some(&Value::None) => {
            format!("({low}..{high})?")
        }
        _ if values == [Value::Bool(false), Value::Bool(true)] => "bool".into(),
        _ => format!("[{}]", listed(values)),
    }
}
