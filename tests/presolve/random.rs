//! Random models keep their solutions, asserted at once or level by level.

use super::dice::Dice;
use super::{assert_rules, check, run};
use rebus::model::*;
use rebus::shared::Budget;
use std::rc::Rc;

/// Terms made so far, to build others from.
struct Soup {
    model: Model,
    bools: Vec<Bool>,
    ints: Vec<Int>,
}

fn random_vars(dice: &mut Dice) -> Soup {
    let mut soup = Soup { model: Model::default(), bools: Vec::new(), ints: Vec::new() };
    for _ in 0..dice.below(3) + 1 {
        let var = soup.model.add_var(Domain::Bool);
        soup.bools.push(soup.model.arena.var_bool(var));
    }
    for _ in 0..dice.below(3) + 1 {
        let mut values: Vec<i64> = (0..dice.below(4) + 2).map(|_| dice.range(-3, 5)).collect();
        if dice.coin() {
            let first = values[0];
            values = (first..first + values.len() as i64).collect();
        }
        values.sort_unstable();
        values.dedup();
        let size = values.len();
        let var = soup.model.add_var(Domain::Ints(Rc::from(values)));
        soup.ints.push(soup.model.var_int(var));
        if size > 1 {
            for position in 0..size as u32 {
                soup.bools.push(soup.model.arena.is(var, position));
            }
        }
    }
    if dice.coin() {
        let size = dice.below(3) as u32 + 2;
        let var = soup.model.add_var(Domain::Symbols(size));
        soup.bools.extend((0..size).map(|position| soup.model.arena.is(var, position)));
    }
    soup
}

impl Soup {
    fn bool(&self, dice: &mut Dice) -> Bool {
        let term = self.bools[dice.below(self.bools.len())];
        if dice.coin() { !term } else { term }
    }

    fn int(&self, dice: &mut Dice) -> Int {
        self.ints[dice.below(self.ints.len())]
    }

    fn some_bools(&self, dice: &mut Dice, most: usize) -> Vec<Bool> {
        (0..dice.below(most) + 1).map(|_| self.bool(dice)).collect()
    }

    fn some_ints(&self, dice: &mut Dice, most: usize) -> Vec<Int> {
        (0..dice.below(most) + 1).map(|_| self.int(dice)).collect()
    }

    fn terms(&self, dice: &mut Dice) -> Vec<Term> {
        (0..dice.below(4) + 1)
            .map(|_| {
                let atom = if dice.coin() { Atom::Bool(self.bool(dice)) } else { Atom::Int(self.int(dice)) };
                Term { coef: if dice.coin() { dice.range(-3, 3) } else { 1 }, atom }
            })
            .collect()
    }

    /// Conditions of which exactly one holds.
    fn cases(&mut self, dice: &mut Dice) -> Vec<Bool> {
        let var = VarId(dice.below(self.model.vars.len()) as u32);
        match self.model.domain(var).size() {
            size if size > 1 && *self.model.domain(var) != Domain::Bool => {
                (0..size as u32).map(|position| self.model.arena.is(var, position)).collect()
            }
            _ => {
                let (a, b) = (self.bool(dice), self.bool(dice));
                let arena = &mut self.model.arena;
                vec![arena.and2(a, b), arena.and2(a, !b), !a]
            }
        }
    }

    fn new_bool(&mut self, dice: &mut Dice) -> Bool {
        match dice.below(9) {
            0 => {
                let parts = self.some_bools(dice, 4);
                self.model.arena.and(parts)
            }
            1 => {
                let (a, b) = (self.bool(dice), self.bool(dice));
                self.model.arena.iff(a, b)
            }
            2 | 3 => {
                let terms = self.terms(dice);
                self.model.arena.le(terms, dice.range(-4, 8)).unwrap()
            }
            4 | 5 => {
                let terms = self.terms(dice);
                self.model.eq(terms, dice.range(-4, 8)).unwrap()
            }
            6 => {
                let parts = self.some_ints(dice, 4);
                self.model.arena.distinct(&parts)
            }
            7 => {
                let cells = self.some_bools(dice, 6);
                let blocks = (0..dice.below(4))
                    .map(|_| match dice.below(4) {
                        0 => Block::AnyLength,
                        1 => Block::AnyRuns,
                        _ => Block::Length(dice.below(3) as u32 + 1),
                    })
                    .collect();
                self.model.arena.runs(Runs { cells, blocks })
            }
            _ => {
                let states = dice.below(3) + 1;
                let automaton = Automaton {
                    symbols: 3,
                    start: dice.below(states) as u32,
                    accepting: (0..states).map(|_| dice.coin()).collect(),
                    next: (0..states * 3).map(|_| dice.below(states) as u32).collect(),
                };
                let mut word = Vec::new();
                for _ in 0..dice.below(3) + 1 {
                    let cases = if dice.below(5) == 0 { vec![Bool::TRUE] } else { self.cases(dice) };
                    word.push(cases.into_iter().map(|cond| (cond, dice.below(3) as u32)).collect());
                }
                self.model.arena.regular(Regular { automaton: Rc::new(automaton), word })
            }
        }
    }

    fn new_int(&mut self, dice: &mut Dice) -> Int {
        let (a, b) = (self.int(dice), self.int(dice));
        match dice.below(9) {
            0 => self.model.arena.constant(dice.range(-3, 5)),
            1 | 2 => {
                let terms = self.terms(dice);
                self.model.arena.sum(terms, dice.range(-3, 3)).unwrap()
            }
            3 => self.model.arena.mul(a, b).unwrap(),
            4 => self.model.arena.div(a, b).unwrap_or(a),
            5 => self.model.arena.modulo(a, b).unwrap_or(b),
            6 => {
                let parts = self.some_ints(dice, 3);
                if dice.coin() { self.model.arena.min(&parts) } else { self.model.arena.max(&parts) }
            }
            7 => self.model.arena.abs(a).unwrap(),
            _ => {
                let arms: Vec<(Bool, Int)> =
                    self.cases(dice).into_iter().map(|cond| (cond, self.int(dice))).collect();
                self.model.arena.select(&arms)
            }
        }
    }
}

fn random_model(seed: u64) -> Model {
    let mut dice = Dice::new(seed);
    let mut soup = random_vars(&mut dice);
    for _ in 0..dice.below(8) {
        if dice.coin() {
            let int = soup.new_int(&mut dice);
            // the products of products grow out of what brute force is for
            let (low, high) = soup.model.arena.bounds(int);
            if low >= -1000 && high <= 1000 {
                soup.ints.push(int);
            }
        } else {
            let made = soup.new_bool(&mut dice);
            if made.as_constant().is_none() {
                soup.bools.push(made);
            }
        }
    }
    let rules: Vec<Bool> = (0..dice.below(5) + 1)
        .map(|_| {
            let made = if dice.below(3) == 0 { soup.bool(&mut dice) } else { soup.new_bool(&mut dice) };
            if dice.below(4) == 0 { !made } else { made }
        })
        .collect();
    let mut model = soup.model;
    assert_rules(&mut model, &rules);
    model
}

#[test]
fn random_models_keep_their_solutions() {
    let mut clashes = 0;
    for seed in 1..20_000 {
        let model = random_model(seed);
        let result = run(&model);
        check(&model, &result, &format!("seed {seed}"));
        clashes += usize::from(result.contradiction.is_some());
    }
    assert!(clashes > 500, "only {clashes} clashes: too tame a test");
}

/// Asserting rule by rule, with levels taken back in between, ends where asserting all at once does not lose more.
#[test]
fn levels_are_taken_back_in_full() {
    let budget = Budget::unlimited();
    for seed in 1..4_000 {
        let model = random_model(seed);
        let mut propagator = Propagator::blank(&model, &budget).unwrap();
        let (first, rest) = model.rules.split_at(model.rules.len() / 2);
        propagator.propagate(first).unwrap();
        // the first level completes what a start with nothing known may have left out
        propagator.push().unwrap();
        propagator.pop();
        let before = propagator.presolved();
        // a rule or its opposite often clashes, in the middle of things
        let opposite = |rule: &Asserted| Asserted { what: !rule.what, ..*rule };
        for rule in rest.iter().flat_map(|rule| [*rule, opposite(rule)]) {
            propagator.push().unwrap();
            propagator.propagate(&[rule]).unwrap();
            let mut part = model.clone();
            part.rules = first.iter().copied().chain([rule]).collect();
            let result = propagator.presolved();
            check(&part, &result, &format!("seed {seed}, one rule more"));
            let mut other = Propagator::blank(&model, &budget).unwrap();
            other.propagate(first).unwrap();
            other.push().unwrap();
            other.propagate(&[rule]).unwrap();
            assert_eq!(result, other.presolved(), "seed {seed}: another level left something behind");
            propagator.pop();
            assert_eq!(before, propagator.presolved(), "seed {seed}: something stayed behind");
        }
        propagator.propagate(rest).unwrap();
        check(&model, &propagator.presolved(), &format!("seed {seed}, all rules"));
    }
}
