//! Sums and counts too long to try every assignment: a few assignments each, with all named literals given. A
//! formula has one model then if the rules hold, and none if not.

use super::{assert_rule, encode, enumerate, judge, promises, solutions, with_seed};
use crate::dice::Dice;
use rebus::encode::Lit;
use rebus::encode::cnf::{Card, IntEncoding, Options, SumEncoding};
use rebus::encode::symbols::Encoding;
use rebus::model::{Atom, Bool, Domain, Int, Model, Overflow, Term};

/// The literals that say so.
fn named(encoding: Encoding, position: u32) -> Vec<Lit> {
    let signed = |first: Lit, n: u32, on: &dyn Fn(u32) -> bool| -> Vec<Lit> {
        (0..n).map(|i| if on(i) { first + i as Lit } else { -(first + i as Lit) }).collect()
    };
    match encoding {
        Encoding::Bool(lit) => signed(lit, 1, &|_| position == 1),
        Encoding::Direct { first, size } => signed(first, size, &|i| i == position),
        Encoding::Order { first, size } => signed(first, size - 1, &|i| position <= i),
        Encoding::Binary { first, bits, .. } => signed(first, bits, &|i| position >> i & 1 == 1),
    }
}

/// Judges the assignments, of which some keep the rules and some do not.
fn judge_some(model: &Model, options: Options, assignments: &[Vec<u32>]) {
    let (list, emission) = encode(model, &|_, _| true, options).unwrap();
    promises(&list, &emission);
    assert!(list.clauses.len() < 2_000_000, "{} clauses", list.clauses.len());
    for values in assignments {
        let mut clauses = list.clauses.clone();
        for (encoding, value) in emission.encodings.iter().zip(values) {
            clauses.extend(named(*encoding, *value).into_iter().map(|lit| vec![lit]));
        }
        let mut models = 0;
        enumerate::models(emission.variables as usize, &clauses, &mut |_| models += 1);
        assert_eq!(models, usize::from(model.broken(values).is_none()), "{values:?}");
    }
}

fn assignments(model: &Model, rng: &mut Dice, n: usize) -> Vec<Vec<u32>> {
    let one = |rng: &mut Dice| model.vars.iter().map(|domain| rng.below(domain.size()) as u32).collect();
    (0..n).map(|_| one(rng)).collect()
}

/// A rule `int ⋈ bound`, with a bound that the first assignment meets or just misses.
fn near(model: &mut Model, rng: &mut Dice, int: Int, values: &[u32]) -> Result<Bool, Overflow> {
    let bound = model.value(int, values) - rng.pick(&[0, 0, 1]);
    let term = vec![Term { coef: 1, atom: Atom::Int(int) }];
    let rule = if rng.one_in(2) { model.eq(term, bound)? } else { model.arena.le(term, bound)? };
    Ok(if rng.one_in(3) { !rule } else { rule })
}

/// A sum of 30 to 90 terms: diagrams of it are too large, or its partial sums would widen one bit a term.
#[test]
fn sums_of_many_terms() {
    for seed in 0..40 {
        let mut rng = Dice::new(seed);
        let mut model = Model::default();
        let mut terms = Vec::new();
        let scale = rng.pick(&[1, 1, 1000, 1 << 40]);
        for _ in 0..rng.range(30, 90) {
            let coef = rng.range(-9, 20) * scale + rng.range(0, scale - 1);
            let atom = if rng.one_in(2) {
                let var = model.add_var(Domain::Bool);
                Atom::Bool(model.arena.var_bool(var))
            } else {
                let (lo, step, size) = (rng.range(-9, 9), rng.range(1, 3), rng.range(2, 12));
                let var = model.add_var(Domain::Ints((0..size).map(|i| lo + i * step).collect()));
                Atom::Int(model.var_int(var))
            };
            terms.push(Term { coef, atom });
        }
        let sum = model.arena.sum(terms, rng.range(-9, 9)).unwrap();
        let assignments = assignments(&model, &mut rng, 6);
        let int = match rng.below(3) {
            0 if scale == 1 => model.arena.mul(sum, sum).unwrap(),
            1 => model.arena.abs(sum).unwrap(),
            _ => sum,
        };
        let rule = near(&mut model, &mut rng, int, &assignments[0]).unwrap();
        assert_rule(&mut model, rule);
        let sum = rng.pick(&[SumEncoding::Auto, SumEncoding::Adder]);
        let options = Options { sum, ..Options::default() };
        with_seed(&"a long sum", seed, &model, options, || judge_some(&model, options, &assignments));
    }
}

/// Differences of two variables with too many values to be told one by one, and what just meets or misses them.
#[test]
fn differences_of_thousands() {
    for seed in 0..48 {
        let mut rng = Dice::new(seed);
        let mut model = Model::default();
        let ints: Vec<Int> = (0..2)
            .map(|_| {
                let (lo, step) = (rng.range(-3000, 10), rng.pick(&[1, 1, 3]));
                let size = rng.range(4200, 4900);
                let var = model.add_var(Domain::Ints((0..size).map(|i| lo + i * step).collect()));
                model.var_int(var)
            })
            .collect();
        let sign = rng.pick(&[1, -1]);
        let terms: Vec<Term> = (ints.iter().zip([sign, -sign]))
            .map(|(int, coef)| Term { coef, atom: Atom::Int(*int) })
            .collect();
        let difference = model.arena.sum(terms.clone(), 0).unwrap();
        let mut assignments = assignments(&model, &mut rng, 3);
        // one that differs by as much as the first, and its neighbours
        for more in [0, 1, 2] {
            let mut values = assignments[0].clone();
            values[1] = (values[1] + more).min(model.vars[1].size() as u32 - 1);
            assignments.push(values);
        }
        let bound = model.value(difference, &assignments[0]) - rng.pick(&[0, 0, 1]);
        let equal = rng.one_in(2);
        let rule = if equal { model.eq(terms, bound) } else { model.arena.le(terms, bound) }.unwrap();
        let rule = if rng.one_in(2) { !rule } else { rule };
        let rule = if rng.one_in(3) {
            let few = model.arena.le(vec![Term { coef: 1, atom: Atom::Int(ints[0]) }], 100).unwrap();
            model.arena.iff(rule, few)
        } else {
            rule
        };
        assert_rule(&mut model, rule);
        let int = rng.pick(&[IntEncoding::Auto, IntEncoding::Log]);
        let options = Options { int, ..Options::default() };
        with_seed(&"a wide difference", seed, &model, options, || judge_some(&model, options, &assignments));
    }
}

/// Counts of 20 to 60, near none, near half and near all of them.
#[test]
fn counts_of_very_many() {
    for seed in 0..120 {
        let mut rng = Dice::new(seed);
        let mut model = Model::default();
        let n = rng.range(20, 60);
        let parts: Vec<Bool> = (0..n)
            .map(|_| {
                let var = model.add_var(Domain::Bool);
                model.arena.var_bool(var)
            })
            .collect();
        let k = rng.pick(&[2, 3, n / 2, n - 4, n - 2]);
        let of = |k: i64, rng: &mut Dice| {
            let mut values = vec![0; n as usize];
            while values.iter().sum::<u32>() < k as u32 {
                values[rng.below(n as usize)] = 1;
            }
            values
        };
        let assignments: Vec<Vec<u32>> =
            [k - 1, k, k, k + 1, k + 2].iter().map(|k| of(*k, &mut rng)).collect();
        let terms: Vec<Term> = parts.iter().map(|part| Term { coef: 1, atom: Atom::Bool(*part) }).collect();
        let rule = if rng.one_in(2) { model.arena.eq(terms, k) } else { model.arena.le(terms, k) }.unwrap();
        let rule = if rng.one_in(2) { !rule } else { rule };
        let rule = if rng.one_in(2) {
            let all = model.arena.and(parts);
            model.arena.iff(rule, all)
        } else {
            rule
        };
        assert_rule(&mut model, rule);
        let card = rng.pick(&[Card::Auto, Card::Sequential, Card::Totalizer, Card::Bdd]);
        let options = Options { card, ..Options::default() };
        with_seed(&"a long count", seed, &model, options, || judge_some(&model, options, &assignments));
    }
}

/// So many that only a binary count stays small.
#[test]
fn half_of_two_thousand() {
    let mut model = Model::default();
    let n: u32 = 2000;
    let terms: Vec<Term> = (0..n)
        .map(|_| {
            let var = model.add_var(Domain::Bool);
            Term { coef: 1, atom: Atom::Bool(model.arena.var_bool(var)) }
        })
        .collect();
    let exactly = model.arena.eq(terms.clone(), 1000).unwrap();
    let most = model.arena.le(terms, 999).unwrap();
    let either = model.arena.or2(exactly, most);
    let assignments: Vec<Vec<u32>> =
        [999, 1000, 1001].map(|k| (0..n).map(|i| u32::from(i * 7 % n < k)).collect()).to_vec();
    for rule in [exactly, !exactly, most, either] {
        let mut model = model.clone();
        assert_rule(&mut model, rule);
        judge_some(&model, Options::default(), &assignments);
    }
}

/// "At least two" is small, whatever the size.
#[test]
fn at_least_two_of_many() {
    let mut model = Model::default();
    let terms: Vec<Term> = (0..200)
        .map(|_| {
            let var = model.add_var(Domain::Bool);
            Term { coef: 1, atom: Atom::Bool(model.arena.var_bool(var)) }
        })
        .collect();
    let one = model.arena.le(terms, 1).unwrap();
    assert_rule(&mut model, !one);
    for card in [Card::Auto, Card::Sequential, Card::Totalizer, Card::Bdd] {
        let options = Options { card, ..Options::default() };
        let (list, _) = encode(&model, &|_, _| true, options).unwrap();
        assert!(list.clauses.len() <= 1600, "{card:?}: {} clauses", list.clauses.len());
    }
}

/// Values at the ends of 64 bits, where a negated sum or a sum without its constant is not such a number any more.
#[test]
fn values_at_the_ends() {
    let term = |coef, atom| Term { coef, atom };
    for sum in [SumEncoding::Auto, SumEncoding::Order, SumEncoding::Dd, SumEncoding::Adder] {
        let mut model = Model::default();
        let vars =
            [model.add_var(Domain::Ints([i64::MIN, -1 << 40, 1 << 40].into())), model.add_var(Domain::Bool)];
        let (x, b) = (model.var_int(vars[0]), model.arena.var_bool(vars[1]));
        let most =
            model.arena.le(vec![term(3, Atom::Bool(b)), term(1, Atom::Int(x))], (-1 << 40) - 1).unwrap();
        let shifted = model.arena.sum(vec![term(-1, Atom::Bool(b)), term(1, Atom::Int(x))], 1).unwrap();
        let two = model.arena.constant(2);
        let distinct = model.arena.distinct(&[x, shifted, two]);
        assert_eq!(model.arena.eq(vec![term(-1, Atom::Int(x))], i64::MIN), Err(Overflow));
        for rule in [most, !most, distinct, !distinct] {
            let mut model = model.clone();
            assert_rule(&mut model, rule);
            let wanted = solutions(&model);
            judge(&model, &|_, _| true, Options { sum, ..Options::default() }, &wanted);
        }
    }
}
