//! What each propagator finds out by itself.

use super::dice::Dice;
use super::{assert_rules, bool_vars, check, each_assignment, numbers, rule, run};
use rebus::model::*;
use rebus::shared::Budget;
use std::rc::Rc;

fn int_var(model: &mut Model, low: i64, high: i64) -> (VarId, Int) {
    let var = model.add_var(Domain::Ints((low..=high).collect()));
    (var, model.var_int(var))
}

fn term(coef: i64, int: Int) -> Term {
    Term { coef, atom: Atom::Int(int) }
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
