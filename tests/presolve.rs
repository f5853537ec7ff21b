//! Presolve against brute force: it keeps every solution, and what it calls a clash is one.

#[path = "common/dice.rs"]
mod dice;

use dice::Dice;
use rebus::model::{
    Asserted, Atom, Automaton, Block, Bool, Domain, Graph, Instance, Int, Model, Presolved, Propagator,
    Property, Regular, Runs, Term, VarId, presolve,
};
use rebus::shared::Budget;
use std::rc::Rc;

fn rule(number: u32, what: Bool) -> Asserted {
    Asserted { what, instance: Instance { rule: number, ordinal: 0 } }
}

fn assert_rules(model: &mut Model, rules: &[Bool]) {
    model.rules = rules.iter().enumerate().map(|(number, what)| rule(number as u32, *what)).collect();
}

fn run(model: &Model) -> Presolved {
    presolve(model, &Budget::unlimited()).unwrap()
}

fn numbers(result: &Presolved) -> Option<Vec<u32>> {
    result.contradiction.as_ref().map(|list| list.iter().map(|instance| instance.rule).collect())
}

fn each_assignment(model: &Model, mut visit: impl FnMut(&[u32])) {
    let sizes: Vec<u32> = model.vars.iter().map(|domain| domain.size() as u32).collect();
    let mut values = vec![0u32; sizes.len()];
    loop {
        visit(&values);
        let Some(at) = (0..sizes.len()).find(|at| values[*at] + 1 < sizes[*at]) else { return };
        values[at] += 1;
        values[..at].fill(0);
    }
}

// ---- random models ----

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

/// Checks a result against all assignments.
fn check(model: &Model, result: &Presolved, what: &str) {
    each_assignment(model, |values| {
        if let Some(instances) = &result.contradiction {
            assert!(!instances.is_empty(), "{what}: a clash of nothing");
            let all = model.rules.iter().filter(|rule| instances.contains(&rule.instance));
            let hold = all.clone().all(|rule| model.holds(rule.what, values));
            assert!(!hold, "{what}: {instances:?} hold under {values:?}");
        } else if model.broken(values).is_none() {
            for (var, position) in values.iter().enumerate() {
                assert!(
                    result.allows(VarId(var as u32), *position),
                    "{what}: variable {var} lost {position} of the solution {values:?}"
                );
            }
        }
    });
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
fn graphs_keep_their_solutions() {
    for seed in 0..1_200 {
        let mut dice = Dice::new(seed);
        let mut model = Model::default();
        let bools = bool_vars(&mut model, 7);
        let literal = |dice: &mut Dice| match dice.below(9) {
            7 => Bool::TRUE,
            8 => !bools[0],
            at => bools[at],
        };
        let mut graph = Graph::default();
        for _ in 0..dice.below(4) + 4 {
            graph.vertices.push(literal(&mut dice));
        }
        let n = graph.vertices.len();
        for _ in 0..n + dice.below(4) {
            let (a, b) = (dice.below(n), dice.below(n));
            let joined = model.arena.and2(graph.vertices[a], graph.vertices[b]);
            graph.edges.push((a as u32, b as u32, joined));
        }
        let roots = [dice.below(n) as u32, dice.below(n) as u32];
        let property = [Property::Connected, Property::Tree, Property::Reaches(&roots)][dice.below(3)];
        // of those that are there, or of those that are not
        let counted = dice.pick(&[1, 1, -1]);
        let count = |vertex: &Bool| {
            let part = if counted > 0 { *vertex } else { !*vertex };
            Term { coef: 1, atom: Atom::Bool(part) }
        };
        let there: Vec<Term> = graph.vertices.iter().map(count).collect();
        let size = if counted > 0 { dice.range(1, 4) } else { n as i64 - dice.range(1, 4) };
        let count = if dice.coin() { model.arena.le(there, size) } else { model.arena.eq(there, size) };
        let whole = model.arena.graph_is(graph.clone(), property);
        let sure = graph.vertices[dice.below(n)];
        let also = literal(&mut dice);
        assert_rules(&mut model, &[count.unwrap(), whole, sure, also]);
        let result = run(&model);
        check(&model, &result, &format!("graph {seed}"));
    }
}

#[test]
fn what_lies_too_far_from_a_root_is_not_there() {
    let mut model = Model::default();
    let vertices = bool_vars(&mut model, 6);
    let mut graph = Graph { vertices: vertices.clone(), ..Graph::default() };
    for (a, b) in [(0, 1), (1, 2), (2, 3), (4, 5)] {
        let joined = model.arena.and2(vertices[a], vertices[b]);
        graph.edges.push((a as u32, b as u32, joined));
    }
    let there = vertices.iter().map(|vertex| Term { coef: 1, atom: Atom::Bool(*vertex) }).collect();
    let few = model.arena.le(there, 3).unwrap();
    let whole = model.arena.graph_is(graph, Property::Connected);
    assert_rules(&mut model, &[vertices[0], whole]);
    let fixed = |model: &Model| (0..6).map(|var| run(model).fixed(VarId(var))).collect::<Vec<_>>();
    assert_eq!(fixed(&model), [Some(1), None, None, None, Some(0), Some(0)]);
    assert_rules(&mut model, &[vertices[0], whole, few]);
    assert_eq!(fixed(&model), [Some(1), None, None, Some(0), Some(0), Some(0)]);
    assert_rules(&mut model, &[vertices[0], whole, few, vertices[3]]);
    assert_eq!(numbers(&run(&model)), Some(vec![0, 1, 2, 3]));
}

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

// ---- single propagators ----

fn int_var(model: &mut Model, low: i64, high: i64) -> (VarId, Int) {
    let var = model.add_var(Domain::Ints((low..=high).collect()));
    (var, model.var_int(var))
}

fn term(coef: i64, int: Int) -> Term {
    Term { coef, atom: Atom::Int(int) }
}

fn bool_vars(model: &mut Model, count: usize) -> Vec<Bool> {
    (0..count)
        .map(|_| {
            let var = model.add_var(Domain::Bool);
            model.arena.var_bool(var)
        })
        .collect()
}

/// A sudoku of `box_size²` rows; 0 is an open cell. Rules: rows, columns, boxes, then the givens in order.
fn sudoku(box_size: usize, givens: &[u32]) -> Model {
    let n = box_size * box_size;
    let mut model = Model::default();
    let values: Rc<[i64]> = (1..=n as i64).collect();
    let cells: Vec<Int> = (0..n * n)
        .map(|_| {
            let var = model.add_var(Domain::Ints(values.clone()));
            model.var_int(var)
        })
        .collect();
    let mut rules = Vec::new();
    for unit in 0..3 {
        for i in 0..n {
            let parts: Vec<Int> = (0..n)
                .map(|j| match unit {
                    0 => cells[i * n + j],
                    1 => cells[j * n + i],
                    _ => {
                        let row = i / box_size * box_size + j / box_size;
                        cells[row * n + i % box_size * box_size + j % box_size]
                    }
                })
                .collect();
            rules.push(model.arena.distinct(&parts));
        }
    }
    for (cell, given) in givens.iter().enumerate().filter(|(_, given)| **given > 0) {
        rules.push(model.arena.is(VarId(cell as u32), given - 1));
    }
    assert_rules(&mut model, &rules);
    model
}

const EASY: &str = "\
    530070000600195000098000060800060003400803001700020006060000280000419005000080079";

fn digits(text: &str) -> Vec<u32> {
    text.chars().filter_map(|c| c.to_digit(10)).collect()
}

#[test]
fn easy_sudoku_is_solved() {
    let model = sudoku(3, &digits(EASY));
    let result = run(&model);
    assert_eq!(result.contradiction, None);
    let values: Vec<u32> = (0..81).map(|cell| result.fixed(VarId(cell)).expect("all fixed")).collect();
    assert_eq!(model.broken(&values), None);
    let first: Vec<u32> = values[..9].iter().map(|position| position + 1).collect();
    assert_eq!(first, [5, 3, 4, 6, 7, 8, 9, 1, 2]);
}

#[test]
fn one_propagator_serves_many_sets_of_givens() {
    let givens = digits(EASY);
    let (bare, full) = (sudoku(3, &[]), sudoku(3, &givens));
    let budget = Budget::unlimited();
    // the terms of the givens are in `full`'s arena only; its first 27 rules are those of `bare`
    let mut propagator = Propagator::blank(&full, &budget).unwrap();
    assert!(propagator.propagate(&full.rules[..bare.rules.len()]).unwrap());
    for _ in 0..2 {
        propagator.push().unwrap();
        assert!(propagator.propagate(&full.rules[bare.rules.len()..]).unwrap());
        assert!((0..81).all(|cell| propagator.presolved().fixed(VarId(cell)).is_some()));
        propagator.pop();
        assert!((0..81).all(|cell| propagator.presolved().size(VarId(cell)) == 9));
    }
}

#[test]
fn two_givens_that_clash_are_named() {
    let mut givens = digits(EASY);
    givens[2] = 5;
    let result = run(&sudoku(3, &givens));
    // the first row, its 5, the other 5
    assert_eq!(numbers(&result), Some(vec![0, 27, 29]));

    let mut model = sudoku(3, &digits(EASY));
    let (five, seven) = (model.arena.is(VarId(2), 4), model.arena.is(VarId(2), 6));
    let count = model.rules.len() as u32;
    model.rules.push(rule(count, five));
    model.rules.push(rule(count + 1, seven));
    assert_eq!(numbers(&run(&model)), Some(vec![count, count + 1]));
}

#[test]
fn a_false_rule_is_a_clash_of_its_own() {
    let mut model = Model::default();
    let a = bool_vars(&mut model, 1)[0];
    assert_rules(&mut model, &[a, Bool::FALSE]);
    assert_eq!(numbers(&run(&model)), Some(vec![1]));
}

#[test]
fn hidden_singles_are_found() {
    let mut model = Model::default();
    let vars: Vec<(VarId, Int)> = (0..4).map(|_| int_var(&mut model, 0, 3)).collect();
    let parts: Vec<Int> = vars.iter().map(|(_, int)| *int).collect();
    let mut rules = vec![model.arena.distinct(&parts)];
    for (var, _) in &vars[1..] {
        rules.push(!model.arena.is(*var, 2));
    }
    assert_rules(&mut model, &rules);
    assert_eq!(run(&model).fixed(vars[0].0), Some(2));
}

#[test]
fn shifted_parts_of_distinct_are_seen_through() {
    let mut model = Model::default();
    let vars: Vec<(VarId, Int)> = (0..3).map(|_| int_var(&mut model, 0, 100)).collect();
    let parts: Vec<Int> = vars
        .iter()
        .enumerate()
        .map(|(shift, (_, int))| model.arena.sum(vec![term(1, *int)], 50 * shift as i64).unwrap())
        .collect();
    let all = model.arena.distinct(&parts);
    let given = model.arena.is(vars[1].0, 30);
    assert_rules(&mut model, &[all, given]);
    let result = run(&model);
    assert!(!result.allows(vars[0].0, 80));
    assert_eq!(result.size(vars[0].0), 100);
    assert_eq!(result.size(vars[2].0), 101, "no value of the third is 80 - 100");
}

/// Domains of several words that begin anywhere, with and without gaps: each loses just what is taken.
#[test]
fn taken_values_go_from_wide_domains() {
    for seed in 1..500 {
        let mut dice = Dice::new(seed);
        let mut model = Model::default();
        let mut parts = Vec::new();
        let mut domains = Vec::new();
        // near one another, or too far apart for a table
        let step = dice.pick(&[1, 1, 1_000]);
        for _ in 0..6 {
            let (low, add) = (dice.range(-90, 90), dice.range(-90, 90) * step);
            let gap = if dice.coin() { i64::MAX } else { dice.range(1, 150) };
            let values = (0..dice.range(100, 200)).filter(|v| *v != gap).map(|v| (low + v) * step);
            let values: Vec<i64> = values.collect();
            let var = model.add_var(Domain::Ints(Rc::from(values.clone())));
            let int = model.var_int(var);
            parts.push(model.arena.sum(vec![term(1, int)], add).unwrap());
            domains.push(values.iter().map(|value| value + add).collect::<Vec<i64>>());
        }
        let mut rules = vec![model.arena.distinct(&parts)];
        let mut taken = Vec::new();
        for (var, domain) in domains[..3].iter().enumerate() {
            let position = dice.below(domain.len());
            rules.push(model.arena.is(VarId(var as u32), position as u32));
            taken.push(domain[position]);
        }
        assert_rules(&mut model, &rules);
        let result = run(&model);
        taken.sort_unstable();
        if taken.windows(2).any(|pair| pair[0] == pair[1]) {
            assert!(result.contradiction.is_some(), "seed {seed}");
            continue;
        }
        for (var, domain) in domains.iter().enumerate().skip(3) {
            for (position, value) in domain.iter().enumerate() {
                let allowed = result.allows(VarId(var as u32), position as u32);
                assert_eq!(allowed, !taken.contains(value), "seed {seed}, variable {var}, {value}");
            }
        }
    }
}

/// Bounds cut domains of several words where they say, with and without gaps.
#[test]
fn bounds_cut_wide_domains() {
    for seed in 1..600 {
        let mut dice = Dice::new(seed);
        let mut model = Model::default();
        let low = dice.range(-90, 90);
        let all_but = dice.pick(&[1_000, 7, 64]);
        let values = (0..dice.range(60, 260)).filter(|v| v % all_but != all_but - 1).map(|v| low + v);
        let values: Vec<i64> = values.collect();
        let var = model.add_var(Domain::Ints(Rc::from(values.clone())));
        let x = model.var_int(var);
        let (a, b) = (dice.range(0, 260) + low - 2, dice.range(0, 260) + low - 2);
        let at_most = model.arena.le(vec![term(1, x)], a.max(b)).unwrap();
        let below = model.arena.le(vec![term(1, x)], a.min(b) - 1).unwrap();
        assert_rules(&mut model, &[at_most, !below]);
        let result = run(&model);
        let kept: Vec<u32> = (0..values.len() as u32)
            .filter(|at| (a.min(b)..=a.max(b)).contains(&values[*at as usize]))
            .collect();
        assert_eq!(result.contradiction.is_some(), kept.is_empty(), "seed {seed}");
        if !kept.is_empty() {
            assert_eq!(result.positions(var).collect::<Vec<_>>(), kept, "seed {seed}");
        }
    }
}

/// Parts of one variable, shifted: what goes may be due to another part of its own.
#[test]
fn variables_may_be_parts_twice() {
    let mut clashes = 0;
    for seed in 1..6_000 {
        let mut dice = Dice::new(seed);
        let mut model = Model::default();
        let n = 2 + dice.below(3);
        let vars: Vec<(VarId, Int)> = (0..n)
            .map(|_| {
                let low = dice.range(0, 2);
                let high = low + dice.range(1, 4);
                int_var(&mut model, low, high)
            })
            .collect();
        let parts: Vec<Int> = (0..3 + dice.below(3))
            .map(|_| {
                let (_, int) = vars[dice.below(n)];
                model.arena.sum(vec![term(1, int)], dice.range(0, 4)).unwrap()
            })
            .collect();
        let distinct = model.arena.distinct(&parts);
        let mut rules = vec![distinct];
        for _ in 0..1 + dice.below(5) {
            let (var, int) = vars[dice.below(n)];
            let position = dice.below(model.domain(var).size()) as u32;
            let is = model.arena.is(var, position);
            let most = model.arena.le(vec![term(1, int)], dice.range(0, 5)).unwrap();
            rules.push(dice.pick(&[is, !is, !is, most, !most]));
        }
        dice.shuffle(&mut rules);
        assert_rules(&mut model, &rules);
        let result = run(&model);
        check(&model, &result, &format!("seed {seed}"));
        clashes += usize::from(result.contradiction.is_some());
    }
    assert!(clashes > 500, "only {clashes} clashes");
}

/// As many values as parts, more than fit in a word; the part that is fixed begins lower, so that the words of
/// the others are not aligned with the smallest value.
#[test]
fn hidden_singles_are_found_in_wide_domains() {
    for wanted in [0, 1, 60, 61, 62, 63, 64, 65, 124, 125, 127, 128, 129] {
        let mut model = Model::default();
        let (low, low_int) = int_var(&mut model, 4, 6);
        let vars: Vec<(VarId, Int)> = (0..130).map(|_| int_var(&mut model, 7, 136)).collect();
        let parts: Vec<Int> = vars.iter().map(|(_, int)| *int).chain([low_int]).collect();
        let mut rules = vec![model.arena.distinct(&parts), model.arena.is(low, 0)];
        for (var, _) in &vars[1..] {
            rules.push(!model.arena.is(*var, wanted));
        }
        assert_rules(&mut model, &rules);
        let result = run(&model);
        assert_eq!(result.fixed(vars[0].0), Some(wanted));
        assert_eq!(result.size(vars[1].0), 129);
    }
}

#[test]
fn equal_up_to_a_constant_keeps_gaps() {
    let mut model = Model::default();
    let ((x, a), (y, b)) = (int_var(&mut model, 0, 9), int_var(&mut model, 0, 9));
    let equal = model.eq(vec![term(1, a), term(-1, b)], 2).unwrap();
    let gap = model.arena.is(x, 5);
    assert_rules(&mut model, &[equal, !gap]);
    let result = run(&model);
    assert_eq!(result.positions(x).collect::<Vec<_>>(), [2, 3, 4, 6, 7, 8, 9]);
    assert_eq!(result.positions(y).collect::<Vec<_>>(), [0, 1, 2, 4, 5, 6, 7]);
}

#[test]
fn runs_force_cells() {
    let mut model = Model::default();
    let cells = bool_vars(&mut model, 10);
    let blocks = vec![Block::Length(4), Block::Length(3)];
    let line = model.arena.runs(Runs { cells, blocks });
    assert_rules(&mut model, &[line]);
    let result = run(&model);
    let forced: Vec<u32> = (0..10).filter(|cell| result.fixed(VarId(*cell)) == Some(1)).collect();
    assert_eq!(forced, [2, 3, 7]);
}

/// Lines are solved in full: what is left of a cell is what some solution has there.
#[test]
fn lines_keep_only_what_occurs() {
    for seed in 1..3_000 {
        let mut dice = Dice::new(seed);
        let mut model = Model::default();
        let cells = bool_vars(&mut model, 8);
        let blocks = (0..dice.below(4))
            .map(|_| match dice.below(5) {
                0 => Block::AnyLength,
                1 => Block::AnyRuns,
                _ => Block::Length(dice.below(3) as u32 + 1),
            })
            .collect();
        let line = model.arena.runs(Runs { cells: cells.clone(), blocks });
        let mut rules = vec![line];
        for cell in cells {
            match dice.below(5) {
                0 => rules.push(cell),
                1 => rules.push(!cell),
                _ => {}
            }
        }
        assert_rules(&mut model, &rules);
        let result = run(&model);
        let mut seen = [[false; 2]; 8];
        each_assignment(&model, |values| {
            if model.broken(values).is_none() {
                values.iter().zip(&mut seen).for_each(|(value, seen)| seen[*value as usize] = true);
            }
        });
        if seen[0] == [false; 2] {
            check(&model, &result, &format!("seed {seed}"));
            assert!(result.contradiction.is_some(), "seed {seed}: an impossible line");
            continue;
        }
        for (cell, seen) in seen.iter().enumerate() {
            let allowed = [0, 1].map(|position| result.allows(VarId(cell as u32), position));
            assert_eq!(allowed, *seen, "seed {seed}, cell {cell}");
        }
    }
}

#[test]
fn counts_and_clauses_are_propagated() {
    let mut model = Model::default();
    let cells = bool_vars(&mut model, 5);
    let ones: Vec<Term> = cells.iter().map(|cell| Term { coef: 1, atom: Atom::Bool(*cell) }).collect();
    let two = model.eq(ones, 2).unwrap();
    let either = model.arena.or([cells[0], cells[1]]);
    assert_rules(&mut model, &[two, either, !cells[1], cells[4]]);
    let result = run(&model);
    let values: Vec<Option<u32>> = (0..5).map(|cell| result.fixed(VarId(cell))).collect();
    assert_eq!(values, [Some(1), Some(0), Some(0), Some(0), Some(1)]);
}

#[test]
fn terms_that_push_each_other_up_come_to_an_end() {
    let mut model = Model::default();
    let (_, x) = int_var(&mut model, 0, 1_000);
    let (_, y) = int_var(&mut model, 0, 1_000);
    let (xx, yy) = (model.arena.mul(x, x).unwrap(), model.arena.mul(y, y).unwrap());
    let (big, huge) = (model.arena.mul(xx, xx).unwrap(), model.arena.mul(yy, yy).unwrap());
    let less = model.arena.le(vec![term(1, big), term(-1, huge)], -1).unwrap();
    let more = model.arena.le(vec![term(1, huge), term(-1, big)], -1).unwrap();
    assert_rules(&mut model, &[less, more]);
    run(&model);
}

#[test]
fn steps_are_counted() {
    let limits = rebus::shared::Limits { steps: 1, ..Default::default() };
    assert!(presolve(&sudoku(10, &patterned(10)), &Budget::new(limits)).is_err());
}

/// A filled grid with holes, where every hole can be told from its row, column and box.
fn patterned(box_size: usize) -> Vec<u32> {
    let n = box_size * box_size;
    let mut dice = Dice::new(7);
    (0..n * n)
        .map(|cell| {
            let (row, column) = (cell / n, cell % n);
            let value = (row % box_size * box_size + row / box_size + column) % n;
            if dice.below(10) < 3 { 0 } else { value as u32 + 1 }
        })
        .collect()
}

#[test]
fn a_sudoku_of_ten_thousand_cells() {
    let model = sudoku(10, &patterned(10));
    let start = std::time::Instant::now();
    let result = run(&model);
    println!("100 × 100: {:?}", start.elapsed());
    assert_eq!(result.contradiction, None);
    let open = (0..10_000).filter(|cell| result.fixed(VarId(*cell)).is_none()).count();
    assert!(open < 1_000, "{open} cells are open");
}
