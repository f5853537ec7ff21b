//! Larger things than the random models have: groups of many literals, and domains told in binary.

use super::random::Gen;
use super::{assert_rule, judge_clauses, linear, options, reduction, solutions, with_seed};
use crate::dice::Dice;
use rebus::encode::cnf::{IntEncoding, Options, SumEncoding};
use rebus::model::{Atom, Bool, Domain, Int, Model, Objective, Overflow, Term, VarId};

fn booleans(model: &mut Model, n: usize) -> Vec<Bool> {
    (0..n)
        .map(|_| {
            let var = model.add_var(Domain::Bool);
            model.arena.var_bool(var)
        })
        .collect()
}

/// Judges with and without a reduction.
fn judge_both(what: &str, seed: u64, model: &Model, options: Options, rng: &mut Dice) {
    let wanted = solutions(model);
    with_seed(&what, seed, model, options, || {
        judge_clauses(model, &|_, _| true, options, &wanted);
        let live = reduction(model, &wanted, rng);
        judge_clauses(model, &|var, at| live[var.0 as usize][at as usize], options, &wanted);
    });
}

/// Counts of up to 12 literals, some repeated through an equal term, asserted and negated.
#[test]
fn counts_of_many() {
    for seed in 0..400 {
        let mut rng = Dice::new(seed);
        let mut model = Model::default();
        let mut parts = booleans(&mut model, rng.below(7) + 5);
        if rng.one_in(3) {
            // terms that share their literal with a part, or with its negation
            let part = rng.pick(&parts);
            let other = rng.pick(&parts);
            let (both, either) = (model.arena.and2(part, other), model.arena.or2(part, other));
            parts.push(model.arena.and2(both, either));
            parts.push(both);
        }
        let terms: Vec<Term> = parts
            .iter()
            .map(|part| Term { coef: if rng.one_in(6) { -1 } else { 1 }, atom: Atom::Bool(*part) })
            .collect();
        let bound = rng.pick(&[1, 1, 1, 2, 3, 4, 6]);
        let equal = rng.one_in(2);
        let rule = if equal { model.arena.eq(terms, bound) } else { model.arena.le(terms, bound) };
        let rule = rule.unwrap();
        let rule = if rng.one_in(4) { !rule } else { rule };
        assert_rule(&mut model, rule);
        let options = options(&mut rng);
        judge_both("a count", seed, &model, options, &mut rng);
    }
}

/// Variables of 7 to 20 values: all at-most-one encodings, and differences by order.
#[test]
fn domains_of_many() {
    for seed in 0..400 {
        let mut rng = Dice::new(seed + 77);
        let mut model = Model::default();
        let n = rng.range(2, 3);
        let most = if n == 2 { 40 } else { 12 };
        let ints: Vec<Int> = (0..n)
            .map(|_| {
                let (lo, step) = (rng.range(-9, 3), rng.pick(&[1, 1, 1, 2, 3]));
                let size = rng.range(7, most);
                let var = model.add_var(Domain::Ints((0..size).map(|i| lo + i * step).collect()));
                model.var_int(var)
            })
            .collect();
        let mut generator = Gen { rng, model };
        let rule = match generator.rng.below(3) {
            0 => generator.model.arena.distinct(&ints),
            1 => generator.rule(super::Kind::Difference).unwrap_or(Bool::TRUE),
            _ => generator.bool(1).unwrap_or(Bool::TRUE),
        };
        let Gen { mut rng, mut model } = generator;
        assert_rule(&mut model, rule);
        let options = options(&mut rng);
        judge_both("many values", seed, &model, options, &mut rng);
    }
}

/// Values at both ends of what 64 bits hold, and in the middle: what is taken off a bound leaves them.
#[test]
fn numbers_at_the_ends() {
    let ends = [i64::MIN / 2, i64::MIN / 4, -20, 0, 5, i64::MAX / 4, i64::MAX / 2 - 20];
    for seed in 0..300 {
        let mut rng = Dice::new(seed + 400);
        let mut model = Model::default();
        // more pairs of values than are told one by one
        let most = rng.pick(&[2, 5, 37]);
        let ints: Vec<Int> = (0..if most > 5 { 2 } else { rng.range(1, 3) })
            .map(|_| {
                let mut values: Vec<i64> =
                    (0..rng.range(2, most)).map(|_| rng.pick(&ends) + rng.range(0, 19)).collect();
                values.extend((most > 5).then_some(-60..-27).into_iter().flatten());
                values.sort_unstable();
                values.dedup();
                let var = model.add_var(Domain::Ints(values.into()));
                model.var_int(var)
            })
            .collect();
        let minus = rng.pick(&[-1, -1, 1, -2]);
        let terms: Vec<Term> = (ints.iter().zip([1, minus, 1]))
            .map(|(int, coef)| Term { coef, atom: Atom::Int(*int) })
            .collect();
        // the sum of some values, or a bound that only few sums keep
        let sum: i128 = model.vars.iter().zip(&terms).fold(0, |sum, (domain, term)| {
            let Domain::Ints(values) = domain else { return sum };
            sum + i128::from(values[rng.below(values.len())]) * i128::from(term.coef)
        });
        let Ok(bound) = i64::try_from(sum) else { continue };
        let rule = match rng.below(3) {
            0 => model.eq(terms, bound),
            1 => model.arena.le(terms, bound),
            _ => model.arena.le(terms, i64::MIN + rng.range(0, 30)),
        };
        let Ok(mut rule) = rule else { continue };
        let also = model.arena.is(VarId(0), 0);
        match rng.below(4) {
            0 => rule = !rule,
            1 => rule = model.arena.iff(rule, also),
            2 => rule = model.arena.or2(rule, also),
            _ => {}
        }
        assert_rule(&mut model, rule);
        let int = rng.pick(&super::INTS);
        let sum = rng.pick(&[SumEncoding::Auto, SumEncoding::Table, SumEncoding::Order, SumEncoding::Adder]);
        let options = Options { int, sum, ..Options::default() };
        judge_both("numbers at the ends", seed, &model, options, &mut rng);
    }
}

/// Rules over one wide variable and narrow ones; most assignments break one.
fn wide_rule(model: &mut Model, rng: &mut Dice, ints: &[Int]) -> Result<Bool, Overflow> {
    let (a, b) = (ints[0], ints[1]);
    let int = match rng.below(12) {
        0 => model.arena.mul(a, b)?,
        1 => model.arena.div(a, b)?,
        2 => model.arena.modulo(a, b)?,
        3 => model.arena.mul(a, a)?,
        4 => model.arena.max(&[a, b]),
        5 => model.arena.min(ints),
        6 => {
            let cond = model.arena.is(VarId(1), 0);
            let minus = model.arena.sum(vec![Term { coef: -3, atom: Atom::Int(a) }], 5)?;
            model.arena.select(&[(cond, a), (!cond, minus)])
        }
        7 => return Ok(model.arena.distinct(ints)),
        8 => return wide_order(model, a, b),
        9 => {
            let difference = vec![
                Term { coef: 1, atom: Atom::Int(a) },
                Term { coef: -rng.range(1, 9), atom: Atom::Int(b) },
            ];
            let int = model.arena.sum(difference, -rng.range(0, 90))?;
            model.arena.abs(int)?
        }
        _ => {
            let terms = ints
                .iter()
                .map(|int| Term { coef: rng.pick(&[1, -1, 3, -7, 25]), atom: Atom::Int(*int) })
                .collect();
            model.arena.sum(terms, 0)?
        }
    };
    let values: Vec<u32> = model.vars.iter().map(|domain| rng.below(domain.size()) as u32).collect();
    let bound = model.value(int, &values);
    let term = vec![Term { coef: 1, atom: Atom::Int(int) }];
    if rng.one_in(2) { model.eq(term, bound) } else { model.arena.le(term, bound) }
}

/// `a ≤ b`, or `a = b` where both can be.
fn wide_order(model: &mut Model, a: Int, b: Int) -> Result<Bool, Overflow> {
    let terms = vec![Term { coef: 1, atom: Atom::Int(a) }, Term { coef: -1, atom: Atom::Int(b) }];
    let less = model.arena.le(terms.clone(), -2)?;
    let equal = model.arena.eq(terms, 0)?;
    Ok(model.arena.or2(less, equal))
}

fn wide_models(seeds: std::ops::Range<u64>, widest: i64, choices: &[IntEncoding]) {
    for seed in seeds {
        let mut rng = Dice::new(seed);
        let mut model = Model::default();
        let (lo, step) = (rng.range(-80, 10), rng.pick(&[1, 1, 2]));
        let size = rng.range(widest * 3 / 4, widest);
        let mut values: Vec<i64> = (0..size).map(|i| lo + i * step).collect();
        if rng.one_in(3) {
            values.remove(rng.below(values.len()));
        }
        let wide = model.add_var(Domain::Ints(values.into()));
        let mut ints = vec![model.var_int(wide)];
        for _ in 0..rng.range(1, 2) {
            let (lo, size) = (rng.range(-4, 2), rng.range(2, 6));
            let var = model.add_var(Domain::Ints((lo..lo + size).collect()));
            ints.push(model.var_int(var));
        }
        for _ in 0..rng.range(1, 3) {
            let Ok(rule) = wide_rule(&mut model, &mut rng, &ints) else { continue };
            let rule = if rng.one_in(6) { !rule } else { rule };
            assert_rule(&mut model, rule);
        }
        let int = rng.pick(choices);
        let sum = rng.pick(&[SumEncoding::Auto, SumEncoding::Adder, SumEncoding::Dd, SumEncoding::Order]);
        let options = Options { int, sum, ..Options::default() };
        judge_both("a wide variable", seed, &model, options, &mut rng);
    }
}

#[test]
fn domains_in_binary() {
    wide_models(0..60, 400, &[IntEncoding::Auto, IntEncoding::Log, IntEncoding::Order, IntEncoding::Direct]);
}

/// More values than any table of values holds: only binary arithmetic is left.
#[test]
fn domains_of_thousands() {
    wide_models(1000..1006, 5200, &[IntEncoding::Auto, IntEncoding::Log]);
}

/// Two wide factors: the product goes through binary numbers.
#[test]
fn products_in_binary() {
    let mut model = Model::default();
    let vars: Vec<VarId> = (0..2).map(|_| model.add_var(Domain::Ints((-60..340).collect()))).collect();
    let (a, b) = (model.var_int(vars[0]), model.var_int(vars[1]));
    let product = model.arena.mul(a, b).unwrap();
    let rule = model.eq(vec![Term { coef: 1, atom: Atom::Int(product) }], 391).unwrap();
    assert_rule(&mut model, rule);
    judge_both("a product", 0, &model, Options::default(), &mut Dice::new(1));
}

/// Sums over binary, order and direct literals stay sums.
#[test]
fn wide_sums_as_linear_constraints() {
    for seed in 0..40 {
        let mut rng = Dice::new(seed + 9000);
        let mut model = Model::default();
        let (lo, step) = (rng.range(-80, 10), rng.pick(&[1, 3]));
        let wide = model.add_var(Domain::Ints((0..rng.range(200, 400)).map(|i| lo + i * step).collect()));
        let small = model.add_var(Domain::Ints((-2..rng.range(0, 5)).collect()));
        let (a, b) = (model.var_int(wide), model.var_int(small));
        let coefs = [rng.pick(&[1, -1, 7]), rng.pick(&[1, -3, 40])];
        let terms: Vec<Term> =
            [a, b].iter().zip(coefs).map(|(int, coef)| Term { coef, atom: Atom::Int(*int) }).collect();
        let middle = coefs[0] * (lo + step * rng.range(50, 150));
        let less = model.arena.le(terms.clone(), middle).unwrap();
        let rule = match seed % 3 {
            0 => model.eq(terms, middle).unwrap(),
            1 => less,
            _ => {
                let zero = model.arena.eq(vec![Term { coef: 1, atom: Atom::Int(b) }], 0).unwrap();
                model.arena.iff(less, zero)
            }
        };
        assert_rule(&mut model, rule);
        model.objective = Some(Objective { maximize: rng.one_in(2), value: a });
        let int = rng.pick(&[IntEncoding::Log, IntEncoding::Order, IntEncoding::Direct]);
        let options = Options { int, ..Options::default() };
        let wanted = solutions(&model);
        with_seed(&"a wide sum", seed, &model, options, || {
            linear::judge(&model, &|_, _| true, options, &wanted);
            let live = reduction(&model, &wanted, &mut rng);
            linear::judge(&model, &|var, at| live[var.0 as usize][at as usize], options, &wanted);
        });
    }
}

/// Wide dividends by divisors of either sign, and 0: quotients and remainders go through binary numbers.
#[test]
fn divisions_in_binary() {
    for seed in 0..3 {
        let mut rng = Dice::new(seed);
        let mut model = Model::default();
        let lo = rng.range(-2600, -400);
        let a = model.add_var(Domain::Ints((lo..lo + 2900).collect()));
        let b = model.add_var(Domain::Ints((rng.range(-30, -20)..=rng.range(20, 30)).collect()));
        let (x, y) = (model.var_int(a), model.var_int(b));
        let (quotient, rest) = (model.arena.div(x, y).unwrap(), model.arena.modulo(x, y).unwrap());
        // what some assignment gives, so that there is a solution
        let values = [a, b].map(|var| rng.below(model.domain(var).size()) as u32);
        for (int, slack) in [(quotient, rng.range(0, 1)), (rest, 0)] {
            let bound = model.value(int, &values);
            let term = vec![Term { coef: 1, atom: Atom::Int(int) }];
            let low = model.arena.le(term.clone(), bound - slack - 1).unwrap();
            let high = model.arena.le(term, bound).unwrap();
            let rule = model.arena.and2(!low, high);
            assert_rule(&mut model, rule);
        }
        judge_both("a division", seed, &model, Options::default(), &mut rng);
    }
}
