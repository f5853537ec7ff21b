//! Conditions and numbers of single variables: arithmetic, lists, words, choices, and what is undefined.

use super::expr::Expr;
use super::maker::Maker;
use super::value::Value;
use super::words::{Regex, Run};

const MEMBERS: [Value; 3] = [Value::Member(0, "u"), Value::Member(1, "v"), Value::Member(2, "w")];
const COMPARED: [&str; 7] = ["=", "=", "!=", "<", "<=", ">", ">="];

/// What expressions are made of, by kind.
#[derive(Clone, Debug, Default)]
pub struct Leaves {
    pub numbers: Vec<Expr>,
    /// Numbers or none.
    pub optional: Vec<Expr>,
    pub truths: Vec<Expr>,
    pub members: Vec<Expr>,
    pub pairs: Vec<Expr>,
    pub texts: Vec<Expr>,
}

impl Leaves {
    /// All variables of a model.
    pub fn of(maker: &Maker) -> Leaves {
        let mut leaves = Leaves::default();
        for (at, var) in maker.model.vars.iter().enumerate() {
            let leaf = Expr::Var(at, var.name.clone());
            let none = var.domain.contains(&Value::None);
            match var.domain.iter().find(|value| **value != Value::None) {
                Some(Value::Int(_)) if none => leaves.optional.push(leaf),
                Some(Value::Int(_)) => leaves.numbers.push(leaf),
                Some(Value::Bool(_)) => leaves.truths.push(leaf),
                Some(Value::Member(..)) => leaves.members.push(leaf),
                Some(Value::Pair(..)) => leaves.pairs.push(leaf),
                Some(Value::Text(_)) => leaves.texts.push(leaf),
                _ => {}
            }
        }
        if !maker.model.params.is_empty() {
            leaves.numbers.push(Expr::Param);
        }
        leaves
    }
}

impl Maker {
    /// Declares some variables of all kinds.
    pub fn scalar_variables(&mut self, most: usize) {
        let ints = |list: &[i64]| list.iter().map(|n| Value::Int(*n)).collect::<Vec<Value>>();
        let mut kinds: Vec<(&str, Vec<Value>)> = vec![
            ("x", ints(&[0, 1, 2, 3])),
            ("y", ints(&[-2, 0, 1, 5])),
            ("z", ints(&[1, 2, 3, 4, 5])),
            ("a", vec![Value::Bool(false), Value::Bool(true)]),
            ("b", vec![Value::Bool(false), Value::Bool(true)]),
            ("o", vec![Value::Int(1), Value::Int(2), Value::Int(3), Value::None]),
            ("e", MEMBERS.to_vec()),
            ("f", vec![MEMBERS[2], MEMBERS[0], Value::None]),
            ("q", vec![Value::Pair(0, 1), Value::Pair(2, 2), Value::Pair(1, 2)]),
            ("s", vec![Value::Text("a"), Value::Text("b"), Value::None]),
        ];
        self.dice.shuffle(&mut kinds);
        kinds.truncate(2 + self.dice.below(most - 1));
        self.model.head.push("enum E { u, v, w }".into());
        for (name, domain) in &kinds {
            self.variable(name, domain);
        }
    }

    fn leaf(&mut self, leaves: &[Expr]) -> Expr {
        leaves[self.dice.below(leaves.len())].clone()
    }

    /// A condition of at most this depth.
    pub fn condition(&mut self, leaves: &Leaves, depth: u32) -> Expr {
        if depth == 0 {
            return self.simple(leaves);
        }
        let d = depth - 1;
        let conditions = |maker: &mut Maker, n: usize| -> Vec<Expr> {
            (0..n).map(|_| maker.condition(leaves, d)).collect()
        };
        let length = 2 + self.dice.below(3);
        match self.dice.below(24) {
            0 => self.condition(leaves, d).not(),
            1..5 => {
                let op = self.dice.pick(&["and", "or", "xor", "->", "<->"]);
                Expr::infix(op, self.condition(leaves, d), self.condition(leaves, d))
            }
            5..10 => {
                let number = self.operand(leaves, d);
                self.comparison(leaves, number, d)
            }
            10 => Expr::Between(Box::new([0; 3].map(|_| self.number(leaves, d)))),
            11 => Expr::In(Box::new(self.operand(leaves, d)), self.numbers_of(leaves, length, d)),
            12 => Expr::List(self.dice.pick(&["distinct", "increasing"]), self.numbers_of(leaves, length, d)),
            13 => Expr::List(self.dice.pick(&["all", "any", "xor"]), conditions(self, length)),
            14 => Expr::If(Box::new([0; 3].map(|_| self.condition(leaves, d)))),
            15 => {
                let list = conditions(self, length + 1);
                Expr::Runs(list, self.runs())
            }
            16 => {
                let list = conditions(self, length);
                Expr::Matches(list, self.regex(&['0', '1'], 2))
            }
            17 => Expr::LexLess(self.numbers_of(leaves, 2, d), self.numbers_of(leaves, length - 1, d)),
            18 => {
                let list = conditions(self, length);
                self.entry(leaves, list, true)
            }
            19 => {
                let [a, b] = [0; 2].map(|_| self.pair(leaves, d));
                Expr::infix(self.dice.pick(&["=", "!=", "<", "<="]), a, b)
            }
            20 => {
                let pair = self.pair(leaves, d);
                let list = (0..length).map(|_| self.pair(leaves, 0)).collect();
                Expr::In(Box::new(pair), list)
            }
            21 if leaves.members.len() > 1 => {
                let list = (0..length).map(|_| self.leaf(&leaves.members)).collect();
                Expr::List("distinct", list)
            }
            22 => self.weighed(leaves),
            _ => self.simple(leaves),
        }
    }

    /// A condition about one variable or two.
    fn simple(&mut self, leaves: &Leaves) -> Expr {
        let op = self.dice.pick(&["=", "!="]);
        match self.dice.below(7) {
            0 | 1 if !leaves.truths.is_empty() => self.leaf(&leaves.truths),
            2 if !leaves.members.is_empty() => {
                let member = self.leaf(&leaves.members);
                let other = self.member(leaves);
                Expr::infix(op, member, other)
            }
            3 if !leaves.optional.is_empty() => Expr::Call("given", vec![self.leaf(&leaves.optional)]),
            4 if !leaves.texts.is_empty() => {
                let text =
                    self.dice.pick(&[Value::Text("a"), Value::Text("b"), Value::Text("c"), Value::None]);
                Expr::infix(op, self.leaf(&leaves.texts), Expr::Known(text))
            }
            5 if !leaves.optional.is_empty() => {
                let other = self.dice.pick(&[Value::None, Value::Int(2), Value::Int(7)]);
                Expr::infix(op, self.leaf(&leaves.optional), Expr::Known(other))
            }
            _ => {
                let number = self.number(leaves, 0);
                let bound = self.planted_number(&number) + self.dice.range(-1, 1);
                Expr::infix(self.dice.pick(&COMPARED), number, Expr::int(bound))
            }
        }
    }

    /// The number compared with another, or with what it is in the planted assignment.
    pub fn comparison(&mut self, leaves: &Leaves, number: Expr, depth: u32) -> Expr {
        let other = match self.dice.below(3) {
            0 => Expr::int(self.planted_number(&number) + self.dice.range(-1, 1)),
            _ => self.operand(leaves, depth),
        };
        Expr::infix(self.dice.pick(&COMPARED), number, other)
    }

    /// A weighted sum with a bound.
    fn weighed(&mut self, leaves: &Leaves) -> Expr {
        let mut all: Vec<Expr> = leaves.numbers.iter().chain(&leaves.truths).cloned().collect();
        if all.is_empty() {
            return self.simple(leaves);
        }
        self.dice.shuffle(&mut all);
        all.truncate(6);
        let weighed = all.into_iter().map(|leaf| Expr::infix("*", Expr::int(self.dice.range(-3, 4)), leaf));
        let sum = Expr::List("sum", weighed.collect());
        let bound = self.planted_number(&sum) + self.dice.range(-1, 1);
        Expr::infix(self.dice.pick(&COMPARED), sum, Expr::int(bound))
    }

    fn numbers_of(&mut self, leaves: &Leaves, n: usize, depth: u32) -> Vec<Expr> {
        (0..n).map(|_| self.number(leaves, depth)).collect()
    }

    fn pair(&mut self, leaves: &Leaves, depth: u32) -> Expr {
        match self.dice.below(3) {
            0 if !leaves.pairs.is_empty() => self.leaf(&leaves.pairs),
            _ => Expr::Pair(Box::new([0; 2].map(|_| self.number(leaves, depth)))),
        }
    }

    fn member(&mut self, leaves: &Leaves) -> Expr {
        match self.dice.coin() {
            true => self.leaf(&leaves.members),
            false => Expr::Known(self.dice.pick(&MEMBERS)),
        }
    }

    /// A number or, where it is asked at once for arithmetic, maybe none.
    fn operand(&mut self, leaves: &Leaves, depth: u32) -> Expr {
        match self.dice.below(6) {
            0 if !leaves.optional.is_empty() => self.leaf(&leaves.optional),
            _ => self.number(leaves, depth),
        }
    }

    /// An entry of a list at an unknown place, or of a map at a member.
    fn entry(&mut self, leaves: &Leaves, list: Vec<Expr>, condition: bool) -> Expr {
        let (keys, at) = match self.dice.below(3) {
            0 if !leaves.members.is_empty() => (MEMBERS.to_vec(), self.leaf(&leaves.members)),
            _ if leaves.numbers.is_empty() => return list[0].clone(),
            _ => {
                let at = self.leaf(&leaves.numbers);
                let at = if self.dice.coin() { at } else { Expr::infix("+", at, Expr::int(1)) };
                ((1..=list.len() as i64).map(Value::Int).collect(), at)
            }
        };
        let mut list = list;
        list.truncate(keys.len());
        let keys = keys[..list.len()].to_vec();
        Expr::Entry { keys, list, at: Box::new(at), condition }
    }

    /// A number of at most this depth.
    pub fn number(&mut self, leaves: &Leaves, depth: u32) -> Expr {
        if depth == 0 || leaves.numbers.is_empty() {
            return match self.dice.below(4) {
                0 => Expr::int(self.dice.range(-1, 3)),
                _ if leaves.numbers.is_empty() => Expr::int(self.dice.range(0, 3)),
                _ => self.leaf(&leaves.numbers),
            };
        }
        let d = depth - 1;
        let length = 2 + self.dice.below(2);
        let conditions =
            |maker: &mut Maker| -> Vec<Expr> { (0..=length).map(|_| maker.condition(leaves, d)).collect() };
        match self.dice.below(15) {
            0..4 => {
                let op = self.dice.pick(&["+", "-", "*"]);
                Expr::infix(op, self.operand(leaves, d), self.operand(leaves, d))
            }
            4 | 5 => {
                let divisor = match self.dice.below(3) {
                    0 => Expr::int(self.dice.pick(&[2, 3, -2])),
                    1 => self.leaf(&leaves.numbers),
                    _ => Expr::infix("-", self.leaf(&leaves.numbers), self.number(leaves, 0)),
                };
                Expr::infix(self.dice.pick(&["/", "%"]), self.operand(leaves, d), divisor)
            }
            6 => Expr::Call("abs", vec![self.operand(leaves, d)]),
            7 => Expr::Minus(Box::new(self.operand(leaves, d))),
            8 | 9 => {
                let name = self.dice.pick(&["min", "max", "sum", "product"]);
                let mut list = self.numbers_of(leaves, length, d);
                list[0] = self.operand(leaves, d);
                if self.dice.coin() && matches!(name, "min" | "max") {
                    Expr::Call(name, list)
                } else {
                    Expr::List(name, list)
                }
            }
            10 => Expr::List(self.dice.pick(&["count", "count", "leading", "sum"]), conditions(self)),
            11 => {
                let condition = self.condition(leaves, d);
                Expr::If(Box::new([condition, self.number(leaves, d), self.number(leaves, d)]))
            }
            12 | 13 => {
                let list = self.numbers_of(leaves, 3, d);
                self.entry(leaves, list, false)
            }
            _ => Expr::Call("int", vec![self.condition(leaves, d)]),
        }
    }

    fn runs(&mut self) -> Vec<Run> {
        let n = self.dice.below(4);
        (0..n)
            .map(|_| self.dice.pick(&[Run::Of(1), Run::Of(1), Run::Of(2), Run::Some, Run::Any, Run::Of(0)]))
            .collect()
    }

    fn regex(&mut self, signs: &[char], depth: u32) -> Regex {
        if depth == 0 {
            return match self.dice.below(5) {
                0 => Regex::Dot,
                1 => Regex::Except(self.dice.pick(signs)),
                _ => Regex::Sign(self.dice.pick(signs)),
            };
        }
        let n = 2 + self.dice.below(2);
        let parts: Vec<Regex> = (0..n).map(|_| self.regex(signs, depth - 1)).collect();
        match self.dice.below(4) {
            0 => Regex::Or(parts),
            1 | 2 => Regex::Then(parts),
            _ => Regex::Repeated(Box::new(Regex::Then(parts)), self.dice.pick(&['*', '+', '?'])),
        }
    }
}
