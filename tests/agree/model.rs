//! Models: source text on one side, all solutions by trying on the other.

use super::expr::{Env, Expr};
use super::value::{Value, listed};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::rc::Rc;

#[derive(Clone, Debug, Default)]
pub struct Model {
    /// Items that declare: in their order, which is that of the variables.
    pub head: Vec<String>,
    pub vars: Vec<Variable>,
    pub rules: Vec<Rule>,
    pub aim: Option<Aim>,
    /// What the parameter `k` may be, if there is one; the first is its default.
    pub params: Vec<i64>,
    /// Variables that tell answers apart; all of them if there are none.
    pub answer: Vec<usize>,
}

#[derive(Clone, Debug)]
pub struct Variable {
    pub name: Rc<str>,
    pub domain: Rc<[Value]>,
}

#[derive(Clone, Debug)]
pub struct Rule {
    /// What stands behind `rule`.
    pub text: String,
    /// What it comes to: all of this holds.
    pub parts: Vec<Expr>,
}

#[derive(Clone, Debug)]
pub struct Aim {
    pub maximize: bool,
    pub what: Expr,
}

/// What trying found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Solutions {
    /// A value for every variable; with an aim the best.
    pub all: BTreeSet<Vec<Value>>,
    pub best: Option<i64>,
}

impl Rule {
    pub fn of(what: Expr) -> Rule {
        Rule { text: what.to_string(), parts: vec![what] }
    }
}

impl Model {
    pub fn source(&self) -> String {
        let mut text = String::new();
        if let Some(k) = self.params.first() {
            let _ = writeln!(text, "param k = {k}");
        }
        for item in &self.head {
            let _ = writeln!(text, "{item}");
        }
        for (at, rule) in self.rules.iter().enumerate() {
            let _ = writeln!(text, "rule \"{}\": {}", at + 1, rule.text);
        }
        if let Some(Aim { maximize, what }) = &self.aim {
            let _ = writeln!(text, "{} {what}", if *maximize { "maximize" } else { "minimize" });
        }
        if !self.answer.is_empty() {
            let _ = writeln!(text, "answer {}", listed(self.answer.iter().map(|at| &*self.vars[*at].name)));
        }
        text
    }

    pub fn param(&self) -> i64 {
        self.params.first().copied().unwrap_or(0)
    }

    /// All solutions, by trying every value of one variable after the other; a rule is looked at as soon as all its variables
    /// have values. `None` if more than `most` values were tried.
    pub fn solutions(&self, param: i64, most: usize) -> Option<Solutions> {
        let mut checks: Vec<Vec<&Expr>> = vec![Vec::new(); self.vars.len() + 1];
        for part in self.rules.iter().flat_map(|rule| &rule.parts) {
            let mut level = 0;
            part.variables(&mut |at| level = level.max(at + 1));
            checks[level].push(part);
        }
        let mut found = BTreeSet::new();
        let mut left = most;
        let mut values = Vec::with_capacity(self.vars.len());
        self.search(&checks, param, &mut values, &mut left, &mut found)?;
        let Some(aim) = &self.aim else { return Some(Solutions { all: found, best: None }) };
        let worth = |values: &[Value]| match aim.what.value(Env { values, param }) {
            Some(Value::Int(worth)) => worth,
            other => panic!("an aim without value: {other:?}"),
        };
        let all_worth = found.iter().map(|values| worth(values));
        let best = if aim.maximize { all_worth.max() } else { all_worth.min() };
        let all = found.iter().filter(|values| Some(worth(values)) == best).cloned().collect();
        Some(Solutions { all, best })
    }

    fn search(
        &self,
        checks: &[Vec<&Expr>],
        param: i64,
        values: &mut Vec<Value>,
        left: &mut usize,
        found: &mut BTreeSet<Vec<Value>>,
    ) -> Option<()> {
        *left = left.checked_sub(1)?;
        let env = Env { values, param };
        if !checks[values.len()].iter().all(|check| check.holds(env)) {
            return Some(());
        }
        let Some(var) = self.vars.get(values.len()) else {
            found.insert(values.clone());
            return Some(());
        };
        for value in var.domain.iter() {
            values.push(*value);
            self.search(checks, param, values, left, found)?;
            values.pop();
        }
        Some(())
    }

    /// The answers that solutions come to.
    pub fn answers(&self, solutions: &BTreeSet<Vec<Value>>) -> BTreeSet<Vec<Value>> {
        if self.answer.is_empty() {
            return solutions.clone();
        }
        solutions.iter().map(|values| self.answer.iter().map(|at| values[*at]).collect()).collect()
    }
}
