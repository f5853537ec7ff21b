//! The CNF encoder against brute force: every model of the clauses is a solution, every solution has exactly
//! one model.

#[path = "../common/dice.rs"]
mod dice;
mod enumerate;
mod linear;
mod long;
mod random;
mod rows;
mod sizes;
mod why;
mod wide;

use dice::Dice;
use random::{Gen, KINDS, Kind};
use rebus::encode::cnf::{
    self, Amo, Card, Emission, EncodeError, GraphEncoding, IntEncoding, Line, Options, SumEncoding,
};
use rebus::encode::symbols::Encoding;
use rebus::encode::{ClauseList, Lit};
use rebus::model::{Answer, Asserted, Bool, Instance, Model, Objective, VarId};
use rebus::shared::Budget;
use std::collections::{BTreeSet, HashSet};

const INTS: [IntEncoding; 4] = [IntEncoding::Auto, IntEncoding::Direct, IntEncoding::Order, IntEncoding::Log];
const AMOS: [Amo; 5] = [Amo::Auto, Amo::Pairwise, Amo::Ladder, Amo::Product, Amo::Commander];
const CARDS: [Card; 5] = [Card::Auto, Card::Naive, Card::Sequential, Card::Totalizer, Card::Bdd];
const SUMS: [SumEncoding; 5] =
    [SumEncoding::Auto, SumEncoding::Table, SumEncoding::Order, SumEncoding::Dd, SumEncoding::Adder];
const LINES: [Line; 3] = [Line::Auto, Line::Starts, Line::Automaton];

fn options(rng: &mut Dice) -> Options {
    Options {
        int: rng.pick(&INTS),
        amo: rng.pick(&AMOS),
        card: rng.pick(&CARDS),
        sum: rng.pick(&SUMS),
        line: rng.pick(&LINES),
        graph: GraphEncoding::Auto,
    }
}

fn assert_rule(model: &mut Model, what: Bool) {
    let instance = Instance { rule: model.rules.len() as u32, ordinal: 0 };
    model.rules.push(Asserted { what, instance });
}

/// Every assignment that keeps all rules.
fn solutions(model: &Model) -> BTreeSet<Vec<u32>> {
    let mut found = BTreeSet::new();
    let sizes: Vec<u32> = model.vars.iter().map(|domain| domain.size() as u32).collect();
    if sizes.contains(&0) {
        return found;
    }
    let mut values = vec![0u32; sizes.len()];
    loop {
        if model.broken(&values).is_none() {
            found.insert(values.clone());
        }
        let Some(at) = (0..sizes.len()).rev().find(|at| values[*at] + 1 < sizes[*at]) else { return found };
        values[at] += 1;
        values[at + 1..].fill(0);
    }
}

/// The position a variable's literals tell.
fn position(encoding: Encoding, values: &[bool]) -> u32 {
    let at = |lit: Lit| values[lit as usize];
    match encoding {
        Encoding::Bool(lit) => u32::from(at(lit)),
        Encoding::Direct { first, size } => {
            let on: Vec<u32> = (0..size).filter(|i| at(first + *i as Lit)).collect();
            assert_eq!(on.len(), 1, "a direct variable with the values {on:?}");
            on[0]
        }
        Encoding::Order { first, size } => {
            let below = (0..size - 1).filter(|i| !at(first + *i as Lit)).count() as u32;
            assert!((0..size - 1).all(|i| at(first + i as Lit) == (i >= below)), "an order with holes");
            below
        }
        Encoding::Binary { first, bits, size } => {
            let position = (0..bits).map(|bit| u32::from(at(first + bit as Lit)) << bit).sum();
            assert!(position < size, "a binary number out of its domain");
            position
        }
    }
}

/// What every list of clauses promises.
fn promises(list: &ClauseList, emission: &Emission) {
    for clause in &list.clauses {
        let mut seen = HashSet::new();
        for lit in clause {
            assert!(*lit != 0 && lit.unsigned_abs() <= emission.variables, "literal {lit} in {clause:?}");
            assert!(seen.insert(lit.abs()), "a variable twice in {clause:?}");
        }
    }
}

fn encode(
    model: &Model,
    allows: &dyn Fn(VarId, u32) -> bool,
    options: Options,
) -> Result<(ClauseList, Emission), EncodeError> {
    let mut list = ClauseList::default();
    let budget = Budget::unlimited();
    let (_, emission) = cnf::encode(model, allows, options, &budget, &mut list, &|_| String::new())?;
    Ok((list, emission))
}

/// Encodes into clauses, and compares the models with the solutions.
fn judge_clauses(
    model: &Model,
    allows: &dyn Fn(VarId, u32) -> bool,
    options: Options,
    wanted: &BTreeSet<Vec<u32>>,
) {
    let (list, emission) = encode(model, allows, options).unwrap();
    compare(&list, &emission, wanted);
}

/// Into clauses, into linear constraints, and with some of the choices that make clauses of these.
fn judge(model: &Model, allows: &dyn Fn(VarId, u32) -> bool, options: Options, wanted: &BTreeSet<Vec<u32>>) {
    judge_clauses(model, allows, options, wanted);
    let whole = Options { amo: Amo::Auto, card: Card::Auto, sum: SumEncoding::Auto, ..options };
    linear::judge(model, allows, whole, wanted);
    linear::judge(model, allows, options, wanted);
}

/// Enumerates and decodes: each solution has exactly one model, and nothing else has one. Says how many
/// answers are told apart.
fn compare(list: &ClauseList, emission: &Emission, wanted: &BTreeSet<Vec<u32>>) -> usize {
    promises(list, emission);
    let mut models = |found: &mut dyn FnMut(&[bool])| {
        enumerate::models(emission.variables as usize, &list.clauses, found);
    };
    compare_models(&mut models, emission, wanted)
}

/// The positions of all variables.
fn decoded(emission: &Emission, values: &[bool]) -> Vec<u32> {
    emission.encodings.iter().map(|encoding| position(*encoding, values)).collect()
}

fn compare_models(
    models: &mut dyn FnMut(&mut dyn FnMut(&[bool])),
    emission: &Emission,
    wanted: &BTreeSet<Vec<u32>>,
) -> usize {
    let mut full = 0usize;
    let mut found = BTreeSet::new();
    let mut answers: HashSet<Vec<bool>> = HashSet::new();
    models(&mut |values| {
        full += 1;
        found.insert(decoded(emission, values));
        answers.insert(emission.answer.iter().map(|lit| values[*lit as usize]).collect());
        assert!(full <= wanted.len() + 1000, "far more models than solutions");
    });
    let missing: Vec<&Vec<u32>> = wanted.difference(&found).take(3).collect();
    let wrong: Vec<&Vec<u32>> = found.difference(wanted).take(3).collect();
    assert!(missing.is_empty() && wrong.is_empty(), "missing {missing:?}, wrong {wrong:?}");
    assert_eq!(full, found.len(), "auxiliaries are not determined");
    answers.len()
}

/// A reduction that the rules imply: every value of a solution stays, of the others some.
fn reduction(model: &Model, wanted: &BTreeSet<Vec<u32>>, rng: &mut Dice) -> Vec<Vec<bool>> {
    let mut live: Vec<Vec<bool>> =
        model.vars.iter().map(|domain| (0..domain.size()).map(|_| rng.one_in(3)).collect()).collect();
    for values in wanted {
        values.iter().enumerate().for_each(|(var, value)| live[var][*value as usize] = true);
    }
    live
}

fn describe(model: &Model) -> String {
    let rules: Vec<String> = model.rules.iter().map(|rule| show(model, rule.what)).collect();
    format!("{:?}: {}", model.vars, rules.join("; "))
}

fn show(model: &Model, term: Bool) -> String {
    format!("{}{:?}", if term.is_negated() { "not " } else { "" }, model.arena.bool_node(term))
}

/// A test's run over one seed; says the seed when it panics.
fn with_seed(what: &dyn std::fmt::Debug, seed: u64, model: &Model, options: Options, run: impl FnOnce()) {
    let outcome = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run));
    if let Err(payload) = outcome {
        eprintln!("seed {seed} of {what:?}, {options:?}\n{}", describe(model));
        std::panic::resume_unwind(payload);
    }
}

fn random_models(kind: Kind, seeds: u64) {
    for seed in 0..seeds {
        let mut generator = Gen::new(seed * 31 + kind as u64);
        let Ok(rule) = generator.rule(kind) else { continue };
        assert_rule(&mut generator.model, rule);
        if generator.rng.one_in(3)
            && let Ok(more) = generator.bool(2)
        {
            assert_rule(&mut generator.model, more);
        }
        if let Ok(value) = generator.int(1) {
            generator.model.objective = Some(Objective { maximize: seed % 2 == 0, value });
        }
        let Gen { mut rng, model } = generator;
        let options = options(&mut rng);
        let wanted = solutions(&model);
        with_seed(&kind, seed, &model, options, || {
            judge(&model, &|_, _| true, options, &wanted);
            let live = reduction(&model, &wanted, &mut rng);
            judge(&model, &|var, at| live[var.0 as usize][at as usize], options, &wanted);
        });
    }
}

#[test]
fn every_kind_under_every_choice() {
    for kind in KINDS {
        random_models(kind, 2000);
    }
}

/// Conditions that come after the model: a bound for a number. And the literals that tell answers apart.
#[test]
fn bounds_added_later_and_answers() {
    for seed in 0..3000 {
        let mut generator = Gen::new(seed + 5_000_000);
        let kind = generator.rng.pick(&KINDS);
        let (Ok(rule), Ok(int), Ok(shown)) = (generator.rule(kind), generator.int(2), generator.bool(1))
        else {
            continue;
        };
        assert_rule(&mut generator.model, rule);
        let Gen { mut rng, mut model } = generator;
        model.answer = Some(match rng.below(3) {
            0 => vec![Answer::Var(VarId(0)), Answer::Bool(shown)],
            1 => vec![Answer::Int(int)],
            _ => vec![Answer::Int(int), Answer::Bool(shown)],
        });
        let options = options(&mut rng);
        let (lo, hi) = model.arena.bounds(int);
        let bound = rng.range(lo, hi.min(lo + 60));
        let mut wanted = solutions(&model);
        wanted.retain(|values| model.value(int, values) <= bound);
        let answers: BTreeSet<Vec<i64>> = wanted
            .iter()
            .map(|values| {
                let told = |answer: &Answer| match answer {
                    Answer::Var(var) => i64::from(values[var.0 as usize]),
                    Answer::Bool(term) => i64::from(model.holds(*term, values)),
                    Answer::Int(int) => model.value(*int, values),
                };
                model.answer.iter().flatten().map(told).collect()
            })
            .collect();
        with_seed(&"a bound added later", seed, &model, options, || {
            let mut list = ClauseList::default();
            let budget = Budget::unlimited();
            let allows = |_: VarId, _: u32| true;
            let (mut encoder, mut emission) =
                cnf::encode(&model, &allows, options, &budget, &mut list, &|_| String::new()).unwrap();
            let mut later = encoder.with(&model, &mut list, &budget);
            let lit = later.at_most(int, bound).unwrap();
            later.clause(&[lit]);
            emission.variables = encoder.variables() as u32;
            let told = compare(&list, &emission, &wanted);
            assert_eq!(told, answers.len(), "answers told apart by {:?}", emission.answer);
        });
    }
}
