//! Expressions: written in the language, and judged by what its pages say, without a line of the program under test.
//!
//! A condition is true or false; any other expression has a value or is undefined, and then the smallest condition around
//! it is false.

use super::graph::{Chosen, Net};
use super::value::{Value, listed};
use super::words::{Regex, Run, are_runs};
use std::fmt;
use std::rc::Rc;

#[derive(Clone, Debug)]
pub enum Expr {
    Known(Value),
    /// The parameter `k`.
    Param,
    /// A variable by its number, and how it is written.
    Var(usize, Rc<str>),
    Not(Box<Expr>),
    Minus(Box<Expr>),
    Infix(&'static str, Box<[Expr; 2]>),
    /// `name(a, b)`
    Call(&'static str, Vec<Expr>),
    /// `name([a, b])`
    List(&'static str, Vec<Expr>),
    If(Box<[Expr; 3]>),
    /// `[a, b][i]` or, with keys that are no places, `{u: a, w: b}[e]`; of conditions it is one.
    Entry {
        keys: Vec<Value>,
        list: Vec<Expr>,
        at: Box<Expr>,
        condition: bool,
    },
    /// `a <= b < c`
    Between(Box<[Expr; 3]>),
    /// `(a, b)`, of numbers
    Pair(Box<[Expr; 2]>),
    In(Box<Expr>, Vec<Expr>),
    Runs(Vec<Expr>, Vec<Run>),
    Matches(Vec<Expr>, Regex),
    LexLess(Vec<Expr>, Vec<Expr>),
    Graph(Rc<Graph>),
}

/// What is asked of an array as a graph.
#[derive(Debug)]
pub struct Graph {
    /// As it is written.
    pub text: String,
    pub net: Rc<Net>,
    pub entries: Vec<Expr>,
    pub ask: Ask,
}

#[derive(Clone, Debug)]
pub enum Ask {
    Connected,
    Acyclic,
    Tree,
    Loop,
    Path([Expr; 2]),
    Reaches(Vec<usize>),
    Divided,
    Area(Expr),
    Partition,
    Region(Expr),
}

/// Values of the variables so far, and of the parameter.
#[derive(Clone, Copy)]
pub struct Env<'v> {
    pub values: &'v [Value],
    pub param: i64,
}

impl Expr {
    pub fn int(number: i64) -> Expr {
        Expr::Known(Value::Int(number))
    }

    pub fn infix(op: &'static str, a: Expr, b: Expr) -> Expr {
        Expr::Infix(op, Box::new([a, b]))
    }

    pub fn not(self) -> Expr {
        Expr::Not(Box::new(self))
    }

    /// Is it true? What is undefined is not.
    pub fn holds(&self, env: Env<'_>) -> bool {
        self.value(env) == Some(Value::Bool(true))
    }

    fn number(&self, env: Env<'_>) -> Option<i64> {
        self.value(env)?.number()
    }

    pub fn value(&self, env: Env<'_>) -> Option<Value> {
        let truth = |truth: bool| Some(Value::Bool(truth));
        match self {
            Expr::Known(value) => Some(*value),
            Expr::Param => Some(Value::Int(env.param)),
            Expr::Var(at, _) => Some(env.values[*at]),
            Expr::Not(part) => truth(!part.holds(env)),
            Expr::Minus(part) => Some(Value::Int(-part.number(env)?)),
            Expr::Infix(op, parts) => infix(op, &parts[0], &parts[1], env),
            Expr::Call(name, parts) | Expr::List(name, parts) => named(name, parts, env),
            Expr::If(parts) => parts[if parts[0].holds(env) { 1 } else { 2 }].value(env),
            Expr::Entry { keys, list, at, condition } => {
                // of the list only the entry that is taken need have a value
                let place = at.value(env).and_then(|at| keys.iter().position(|key| *key == at));
                let found = place.and_then(|place| list[place].value(env));
                if *condition { truth(found == Some(Value::Bool(true))) } else { found }
            }
            Expr::Between(parts) => {
                let parts = [&parts[0], &parts[1], &parts[2]].map(|part| part.number(env));
                truth(matches!(parts, [Some(a), Some(b), Some(c)] if a <= b && b < c))
            }
            Expr::Pair(parts) => Some(Value::Pair(parts[0].number(env)?, parts[1].number(env)?)),
            Expr::In(part, list) => truth(is_in(part, list, env).unwrap_or(false)),
            Expr::Runs(list, runs) => {
                let on: Vec<bool> = list.iter().map(|entry| entry.holds(env)).collect();
                truth(are_runs(&on, runs))
            }
            Expr::Matches(list, regex) => {
                let word: Option<Vec<Value>> = list.iter().map(|entry| entry.value(env)).collect();
                truth(word.is_some_and(|word| regex.matches(&word)))
            }
            Expr::LexLess(a, b) => {
                let values =
                    |list: &[Expr]| list.iter().map(|part| part.value(env)).collect::<Option<Vec<Value>>>();
                truth(matches!((values(a), values(b)), (Some(a), Some(b)) if a < b))
            }
            Expr::Graph(graph) => graph.value(env),
        }
    }

    /// Calls `found` with the number of each variable in it.
    pub fn variables(&self, found: &mut dyn FnMut(usize)) {
        let mut all = |parts: &[Expr]| parts.iter().for_each(|part| part.variables(found));
        match self {
            Expr::Known(_) | Expr::Param => {}
            Expr::Var(at, _) => found(*at),
            Expr::Not(part) | Expr::Minus(part) => part.variables(found),
            Expr::Infix(_, parts) | Expr::Pair(parts) => all(&**parts),
            Expr::If(parts) | Expr::Between(parts) => all(&**parts),
            Expr::Call(_, parts) | Expr::List(_, parts) | Expr::Runs(parts, _) | Expr::Matches(parts, _) => {
                all(parts)
            }
            Expr::Entry { list, at, .. } | Expr::In(at, list) => {
                all(list);
                at.variables(found);
            }
            Expr::LexLess(a, b) => {
                all(a);
                all(b);
            }
            Expr::Graph(graph) => {
                all(&graph.entries);
                match &graph.ask {
                    Ask::Path(ends) => ends.iter().for_each(|end| end.variables(found)),
                    Ask::Area(at) | Ask::Region(at) => at.variables(found),
                    _ => {}
                }
            }
        }
    }
}

fn infix(op: &str, a: &Expr, b: &Expr, env: Env<'_>) -> Option<Value> {
    let truth = |truth: bool| Some(Value::Bool(truth));
    match op {
        "and" => return truth(a.holds(env) && b.holds(env)),
        "or" => return truth(a.holds(env) || b.holds(env)),
        "xor" => return truth(a.holds(env) != b.holds(env)),
        "->" => return truth(!a.holds(env) || b.holds(env)),
        "<->" => return truth(a.holds(env) == b.holds(env)),
        "=" | "!=" | "<" | "<=" | ">" | ">=" => {
            let both = a.value(env).zip(b.value(env));
            return truth(both.is_some_and(|(a, b)| compared(op, a, b)));
        }
        _ => {}
    }
    let (a, b) = (a.number(env)?, b.number(env)?);
    Some(Value::Int(match op {
        "+" => a + b,
        "-" => a - b,
        "*" => a * b,
        "/" | "%" if b == 0 => return None,
        "/" => floored(a, b),
        "%" => a - b * floored(a, b),
        _ => unreachable!("the operator {op}"),
    }))
}

/// The quotient, rounded down.
fn floored(a: i64, b: i64) -> i64 {
    let quotient = a / b;
    if quotient * b != a && (a < 0) != (b < 0) { quotient - 1 } else { quotient }
}

fn compared(op: &str, a: Value, b: Value) -> bool {
    let number = |value: Value| value.number().map_or(value, Value::Int);
    match op {
        "=" => return a == b,
        "!=" => return a != b,
        // what is no value is neither more nor less
        _ if a == Value::None || b == Value::None => return false,
        _ => {}
    }
    let (a, b) = (number(a), number(b));
    match op {
        "<" => a < b,
        "<=" => a <= b,
        ">" => a > b,
        _ => a >= b,
    }
}

fn is_in(part: &Expr, list: &[Expr], env: Env<'_>) -> Option<bool> {
    let part = part.value(env)?;
    let list: Option<Vec<Value>> = list.iter().map(|entry| entry.value(env)).collect();
    Some(list?.contains(&part))
}

/// A built-in function of its parts, or of the list of them.
fn named(name: &str, parts: &[Expr], env: Env<'_>) -> Option<Value> {
    let truth = |truth: bool| Some(Value::Bool(truth));
    let on = || parts.iter().filter(|part| part.holds(env)).count();
    let values = || parts.iter().map(|part| part.value(env)).collect::<Option<Vec<Value>>>();
    let numbers = || parts.iter().map(|part| part.number(env)).collect::<Option<Vec<i64>>>();
    let number = match name {
        "all" => return truth(on() == parts.len()),
        "any" => return truth(on() > 0),
        "xor" => return truth(on() % 2 == 1),
        "given" => return truth(parts[0].value(env).is_some_and(|value| value != Value::None)),
        "distinct" => {
            let values = values();
            let differ = |list: &[Value]| (1..list.len()).all(|at| !list[..at].contains(&list[at]));
            return truth(values.is_some_and(|list| differ(&list)));
        }
        "increasing" => {
            let values = values();
            let rise = |list: &[Value]| list.windows(2).all(|pair| compared("<", pair[0], pair[1]));
            return truth(values.is_some_and(|list| rise(&list)));
        }
        "count" => on() as i64,
        "leading" => parts.iter().take_while(|part| part.holds(env)).count() as i64,
        "int" => i64::from(parts[0].holds(env)),
        "abs" => parts[0].number(env)?.abs(),
        "sum" => numbers()?.iter().sum(),
        "product" => numbers()?.iter().product(),
        "min" => *numbers()?.iter().min()?,
        "max" => *numbers()?.iter().max()?,
        _ => unreachable!("the name {name}"),
    };
    Some(Value::Int(number))
}

impl Graph {
    fn value(&self, env: Env<'_>) -> Option<Value> {
        let values: Option<Vec<Value>> = self.entries.iter().map(|entry| entry.value(env)).collect();
        let values = values?;
        let booleans = values.iter().all(|value| matches!(value, Value::Bool(_)));
        let on = |label: Value| values.iter().map(|value| *value == label).collect::<Vec<bool>>();
        let chosen = match (booleans, &self.ask) {
            (false, Ask::Area(_)) => Chosen::of_values(&self.net, &values),
            (_, Ask::Partition | Ask::Region(_)) => Chosen::between(&self.net, &on(Value::Bool(true))),
            _ => Chosen::of_booleans(&self.net, &on(Value::Bool(true))),
        };
        let place = |end: &Expr| {
            let end = end.value(env)?;
            Some(self.net.points.iter().position(|point| *point == end))
        };
        Some(Value::Bool(match &self.ask {
            Ask::Connected => chosen.is_connected(),
            Ask::Acyclic => chosen.is_acyclic(),
            Ask::Tree => chosen.is_connected() && chosen.is_acyclic(),
            Ask::Loop => chosen.is_loop(),
            Ask::Path([a, b]) => match (place(a)?, place(b)?) {
                (Some(a), Some(b)) => chosen.is_path([a, b]),
                _ => false,
            },
            Ask::Reaches(roots) => chosen.reaches(roots),
            Ask::Divided => values
                .iter()
                .filter(|label| **label != Value::None)
                .all(|label| Chosen::of_booleans(&self.net, &on(*label)).is_connected()),
            Ask::Partition => (0..self.net.edges.len())
                .all(|at| values[at] == Value::Bool(false) || chosen.parts(self.net.edges[at])),
            Ask::Region(at) => return Some(Value::Int(place(at)?.map_or(1, |at| chosen.area(at)) as i64)),
            Ask::Area(at) => return Some(Value::Int(place(at)?.map_or(0, |at| chosen.area(at)) as i64)),
        }))
    }
}

impl fmt::Display for Expr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expr::Known(Value::Int(number)) if *number < 0 => write!(f, "({number})"),
            Expr::Known(value) => value.fmt(f),
            Expr::Param => f.write_str("k"),
            Expr::Var(_, name) => f.write_str(name),
            Expr::Not(part) => write!(f, "(not {part})"),
            Expr::Minus(part) => write!(f, "(-{part})"),
            Expr::Infix(op, parts) => write!(f, "({} {op} {})", parts[0], parts[1]),
            Expr::Call(name, parts) => write!(f, "{name}({})", listed(parts)),
            Expr::List(name, parts) => write!(f, "{name}([{}])", listed(parts)),
            Expr::If(parts) => write!(f, "(if {} then {} else {})", parts[0], parts[1], parts[2]),
            Expr::Entry { keys, list, at, .. } if keys[0] == Value::Int(1) => {
                write!(f, "[{}][{at}]", listed(list))
            }
            Expr::Entry { keys, list, at, .. } => {
                let items = keys.iter().zip(list).map(|(key, item)| format!("{key}: {item}"));
                write!(f, "{{{}}}[{at}]", listed(items))
            }
            Expr::Between(parts) => write!(f, "({} <= {} < {})", parts[0], parts[1], parts[2]),
            Expr::Pair(parts) => write!(f, "({}, {})", parts[0], parts[1]),
            Expr::In(part, list) => write!(f, "({part} in [{}])", listed(list)),
            Expr::Runs(list, runs) => write!(f, "runs([{}], [{}])", listed(list), listed(runs)),
            Expr::Matches(list, regex) => write!(f, "matches([{}], r\"{regex}\")", listed(list)),
            Expr::LexLess(a, b) => write!(f, "lex_less([{}], [{}])", listed(a), listed(b)),
            Expr::Graph(graph) => f.write_str(&graph.text),
        }
    }
}
