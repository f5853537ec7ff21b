//! Seeded random expressions, what they mean, and the many ways to write them.
//!
//! The meaning is told once more here, on trees and with all variables known, straight from the page "Undefined" of
//! `grammar/language.md`: nothing of the evaluator is used.

use super::dice::Dice;

/// The variables: name, domain as written, values.
pub const VARS: &[(&str, &str, &[Value])] = {
    use Value::{Int, None, True};
    &[
        ("x", "0..2", &[Int(0), Int(1), Int(2)]),
        ("y", "[-1, 0, 2]", &[Int(-1), Int(0), Int(2)]),
        ("o", "(1..2)?", &[Int(1), Int(2), None]),
        ("a", "bool", &[True(false), True(true)]),
        ("b", "bool", &[True(false), True(true)]),
        ("t", "[true, false, none]", &[True(true), True(false), None]),
    ]
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value {
    Undefined,
    None,
    Int(i64),
    True(bool),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Op {
    Var(usize),
    Known(i64),
    Truth(bool),
    /// `+ - * / %`
    Arith(&'static str),
    Abs,
    Extreme(&'static str),
    Count,
    Int,
    If,
    /// `[kids but the last][last]`
    Pick,
    /// `{0: first, 2: second}[last]`
    Keyed,
    Compare(&'static str),
    /// `first in [the others]`
    In,
    Distinct,
    Logic(&'static str),
    Not,
    /// `all`, `any`, `xor` of a list.
    Of(&'static str),
}

#[derive(Clone, Debug)]
pub struct Tree {
    op: Op,
    kids: Vec<Tree>,
}

fn leaf(op: Op) -> Tree {
    Tree { op, kids: Vec::new() }
}

pub fn number(rng: &mut Dice, depth: u32) -> Tree {
    if depth == 0 {
        let op = rng.pick(&[Op::Var(0), Op::Var(1), Op::Var(2), Op::Known(0), Op::Known(1), Op::Known(6)]);
        return leaf(op);
    }
    let d = depth - 1;
    let two = |rng: &mut Dice| vec![number(rng, d), number(rng, d)];
    match rng.below(12) {
        0..4 => {
            let op = rng.pick(&["+", "-", "*", "/", "/", "%"]);
            Tree { op: Op::Arith(op), kids: two(rng) }
        }
        4 => Tree { op: Op::Abs, kids: vec![number(rng, d)] },
        5 => {
            let op = rng.pick(&["min", "max"]);
            Tree { op: Op::Extreme(op), kids: two(rng) }
        }
        6 => Tree { op: Op::Count, kids: vec![condition(rng, d), condition(rng, d)] },
        7 => Tree { op: Op::Int, kids: vec![condition(rng, d)] },
        8 => Tree { op: Op::If, kids: vec![condition(rng, d), number(rng, d), number(rng, d)] },
        9 => {
            let key = rng.pick(&[Op::Var(0), Op::Var(1)]);
            let mut kids = two(rng);
            kids.push(leaf(key));
            Tree { op: Op::Keyed, kids }
        }
        _ => Tree { op: Op::Pick, kids: vec![number(rng, d), number(rng, d), number(rng, d)] },
    }
}

/// A condition, or something that may be none or undefined where a condition is wanted.
pub fn condition(rng: &mut Dice, depth: u32) -> Tree {
    if depth == 0 {
        let ops = [Op::Var(3), Op::Var(4), Op::Truth(true), Op::Truth(false), Op::Var(5)];
        return leaf(rng.pick(&ops));
    }
    let d = depth - 1;
    match rng.below(14) {
        0..5 => {
            let op = rng.pick(&["=", "!=", "<", "<=", ">", ">="]);
            Tree { op: Op::Compare(op), kids: vec![number(rng, d), number(rng, d)] }
        }
        5 => {
            let op = rng.pick(&["=", "!="]);
            Tree { op: Op::Compare(op), kids: vec![condition(rng, d), condition(rng, d)] }
        }
        6 => Tree { op: Op::In, kids: vec![number(rng, d), number(rng, d), number(rng, d)] },
        7 => Tree { op: Op::Distinct, kids: vec![number(rng, d), number(rng, d), number(rng, d)] },
        8 | 9 => {
            let op = rng.pick(&["and", "or", "->", "<->", "xor"]);
            Tree { op: Op::Logic(op), kids: vec![condition(rng, d), condition(rng, d)] }
        }
        10 => Tree { op: Op::Not, kids: vec![condition(rng, d)] },
        11 => {
            let op = rng.pick(&["all", "any", "xor"]);
            Tree { op: Op::Of(op), kids: vec![condition(rng, d), condition(rng, d)] }
        }
        12 => {
            let branches = [condition(rng, d), condition(rng, d)];
            Tree { op: Op::If, kids: [condition(rng, d)].into_iter().chain(branches).collect() }
        }
        _ => Tree { op: Op::Pick, kids: vec![condition(rng, d), condition(rng, d), number(rng, d)] },
    }
}

impl Tree {
    fn is_condition(&self) -> bool {
        match self.op {
            Op::Var(at) => at > 2,
            Op::If => self.kids[1].is_condition(),
            Op::Pick => self.kids[0].is_condition(),
            Op::Truth(_) | Op::Compare(_) | Op::In | Op::Distinct | Op::Logic(_) | Op::Not | Op::Of(_) => {
                true
            }
            _ => false,
        }
    }

    /// As a condition: false where it is none or undefined.
    pub fn holds(&self, vars: &[Value]) -> bool {
        self.value(vars) == Value::True(true)
    }

    fn int(&self, vars: &[Value]) -> Option<i64> {
        match self.value(vars) {
            Value::Int(i) => Some(i),
            _ => None,
        }
    }

    fn truth(&self, vars: &[Value]) -> Option<bool> {
        match self.value(vars) {
            Value::True(known) => Some(known),
            _ => None,
        }
    }

    /// Is it true or false, whatever the variables are?
    fn is_total(&self) -> bool {
        match self.op {
            Op::Var(at) => at == 3 || at == 4,
            Op::If => self.kids[1..].iter().all(Tree::is_total),
            Op::Pick => {
                self.kids[..2].iter().all(Tree::is_total) && matches!(self.kids[2].op, Op::Var(0 | 1))
            }
            _ => self.is_condition(),
        }
    }

    /// Does a kid stand where a condition is wanted, if the tree itself does (`wanted`) or not?
    fn wants_condition(&self, kid: usize, wanted: bool) -> bool {
        match self.op {
            Op::Logic(_) | Op::Not => true,
            Op::If => kid == 0 || wanted && self.is_condition(),
            _ => false,
        }
    }

    fn value(&self, vars: &[Value]) -> Value {
        let kids = &self.kids;
        let holds = |at: usize| kids[at].holds(vars);
        let whole = |result: Option<i64>| result.map_or(Value::Undefined, Value::Int);
        let ints = || kids.iter().map(|kid| kid.int(vars)).collect::<Option<Vec<i64>>>();
        let truths = || kids.iter().map(|kid| kid.truth(vars)).collect::<Option<Vec<bool>>>();
        let values = || -> Option<Vec<Value>> {
            let defined = |value: Value| (value != Value::Undefined).then_some(value);
            kids.iter().map(|kid| defined(kid.value(vars))).collect()
        };
        match self.op {
            Op::Var(at) => vars[at],
            Op::Known(i) => Value::Int(i),
            Op::Truth(known) => Value::True(known),
            Op::Arith(op) => whole(ints().and_then(|of| arith(op, of[0], of[1]))),
            Op::Abs => whole(ints().map(|of| of[0].abs())),
            Op::Extreme("min") => whole(ints().map(|of| of[0].min(of[1]))),
            Op::Extreme(_) => whole(ints().map(|of| of[0].max(of[1]))),
            Op::Count => whole(truths().map(|of| i64::from(of[0]) + i64::from(of[1]))),
            Op::Int => whole(truths().map(|of| of[0].into())),
            Op::If => kids[if holds(0) { 1 } else { 2 }].value(vars),
            Op::Pick => match kids[2].value(vars) {
                Value::Int(at @ 1..=2) => kids[at as usize - 1].value(vars),
                Value::Undefined => Value::Undefined,
                // of booleans an entry that is not there is false
                _ if kids[..2].iter().all(|kid| kid.truth(vars).is_some()) => Value::True(false),
                _ => Value::Undefined,
            },
            Op::Keyed => match kids[2].int(vars) {
                Some(0) => kids[0].value(vars),
                Some(2) => kids[1].value(vars),
                _ => Value::Undefined,
            },
            Op::Compare(op) => Value::True(values().is_some_and(|of| match op {
                "=" => of[0] == of[1],
                "!=" => of[0] != of[1],
                op => match (of[0], of[1]) {
                    (Value::Int(p), Value::Int(q)) => match op {
                        "<" => p < q,
                        "<=" => p <= q,
                        ">" => p > q,
                        _ => p >= q,
                    },
                    _ => false,
                },
            })),
            Op::In => Value::True(values().is_some_and(|of| of[1..].contains(&of[0]))),
            Op::Distinct => {
                Value::True(values().is_some_and(|of| of[0] != of[1] && of[0] != of[2] && of[1] != of[2]))
            }
            Op::Logic(op) => Value::True(match op {
                "and" => holds(0) && holds(1),
                "or" => holds(0) || holds(1),
                "->" => !holds(0) || holds(1),
                "<->" => holds(0) == holds(1),
                _ => holds(0) != holds(1),
            }),
            Op::Not => Value::True(!holds(0)),
            Op::Of(op) => Value::True(truths().is_some_and(|of| match op {
                "all" => of[0] && of[1],
                "any" => of[0] || of[1],
                _ => of[0] != of[1],
            })),
        }
    }

    /// As it stands.
    pub fn plain(&self) -> String {
        let kids: Vec<String> = self.kids.iter().map(Tree::plain).collect();
        text(self.op, &kids)
    }

    /// Written otherwise; what it needs comes into `items`. Where no condition is `wanted`, what may be none or undefined is not
    /// made one.
    pub fn rewritten(&self, rng: &mut Dice, wanted: bool, items: &mut Vec<String>) -> String {
        let wanting = |at| self.wants_condition(at, wanted);
        let kids = self.kids.iter().enumerate();
        let kids: Vec<String> = kids.map(|(at, kid)| kid.rewritten(rng, wanting(at), items)).collect();
        let at = items.len();
        if !kids.is_empty() && rng.below(4) == 0 {
            let names: Vec<String> = (0..kids.len()).map(|i| format!("p{i}")).collect();
            items.push(format!("def d{at}({}) = {}", names.join(", "), text(self.op, &names)));
            return format!("d{at}({})", kids.join(", "));
        }
        let plain = text(self.op, &kids);
        let mut with = |item: String, text: String| {
            items.push(item);
            text
        };
        match rng.below(if self.is_total() || wanted && self.is_condition() { 27 } else { 18 }) {
            0 | 1 => with(format!("let l{at} = {plain}"), format!("l{at}")),
            2 => format!("[{plain}][1]"),
            3 => format!("[5 / x, {plain}, 1][2]"),
            4 => format!("(7 % y, {plain})[2]"),
            5 => format!("{{4: {plain}, 5: [1][x]}}[4]"),
            6 => format!("first([{plain}, 5 / x])"),
            7 => format!("(if true then {plain} else 1 / 0)"),
            8 => format!("(if b then {plain} else {plain})"),
            9 => with(format!("def k{at}(q, r) = q"), format!("k{at}({plain}, 1 / 0)")),
            10 => with(format!("def s{at}((q, r)) = q"), format!("s{at}((6 / o, {plain})[[2, 1]])")),
            11 => format!("first(m for i in [1], m = {plain})"),
            12 => format!("get({{1: {plain}}}, 1, 1 / 0)"),
            13 => with(format!("let l{at} = [{plain}, 5 / y]"), format!("l{at}[1]")),
            18 => format!("(not (not {plain}))"),
            19 => format!("({plain} and true)"),
            20 => format!("all([{plain}])"),
            21 => format!("xor([{plain}, false])"),
            22 => format!("(count([{plain}]) = 1)"),
            23 => format!("({plain} <-> true)"),
            24 => format!("(for _ in [1]: {plain})"),
            25 => format!("(not ({plain} -> false))"),
            26 => format!("any(m for m in [{plain}])"),
            _ => plain,
        }
    }
}

fn arith(op: &str, p: i64, q: i64) -> Option<i64> {
    Some(match op {
        "+" => p + q,
        "-" => p - q,
        "*" => p * q,
        _ if q == 0 => return None,
        "/" => (p - (p % q + q) % q) / q,
        _ => p - q * arith("/", p, q)?,
    })
}

fn text(op: Op, kids: &[String]) -> String {
    let list = || kids.join(", ");
    let infix = |op: &str| format!("({} {op} {})", kids[0], kids[1]);
    match op {
        Op::Var(at) => VARS[at].0.into(),
        Op::Known(i) => i.to_string(),
        Op::Truth(known) => known.to_string(),
        Op::Arith(op) | Op::Compare(op) | Op::Logic(op) => infix(op),
        Op::Abs => format!("abs({})", kids[0]),
        Op::Extreme(name) => format!("{name}({})", list()),
        Op::Of(name) => format!("{name}([{}])", list()),
        Op::Count => format!("count([{}])", list()),
        Op::Int => format!("int({})", kids[0]),
        Op::If => format!("(if {} then {} else {})", kids[0], kids[1], kids[2]),
        Op::Pick => format!("[{}, {}][{}]", kids[0], kids[1], kids[2]),
        Op::Keyed => format!("{{0: {}, 2: {}}}[{}]", kids[0], kids[1], kids[2]),
        Op::In => format!("({} in [{}])", kids[0], kids[1..].join(", ")),
        Op::Distinct => format!("distinct([{}])", list()),
        Op::Not => format!("(not {})", kids[0]),
    }
}
