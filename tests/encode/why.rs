//! Rules under switches, the clashes they show, and what solutions share, against brute force.

use super::random::{Gen, KINDS};
use super::{assert_rule, options, reduction, solutions, with_seed};
use rebus::encode::Lit;
use rebus::encode::cnf::{Options, encode_switched};
use rebus::model::{Atom, Bool, Domain, Model, Term, VarId};
use rebus::shared::Budget;
use rebus::solve::embedded::{self, EngineAnswer, Quick, SatEngine};
use rebus::why::{Effort, Entry, Verdict, clash, common};
use std::collections::BTreeSet;

/// A model of 2 to 6 rules that speak of the same few variables, and what to do with them.
fn models(seeds: std::ops::Range<u64>, mut each: impl FnMut(u64, Gen)) {
    for seed in seeds {
        let mut generator = Gen::new(seed + 9_000_000);
        for _ in 0..generator.rng.range(2, 6) {
            let kind = generator.rng.pick(&KINDS);
            if let Ok(rule) = generator.rule(kind) {
                assert_rule(&mut generator.model, rule);
            }
        }
        each(seed, generator);
    }
}

fn engines() -> [Box<dyn SatEngine>; 2] {
    [embedded::engine(0), Box::new(Quick::new(0))]
}

/// The solutions of some of the rules.
fn solutions_of(model: &Model, rules: impl IntoIterator<Item = usize>) -> BTreeSet<Vec<u32>> {
    let mut some = model.clone();
    some.rules = rules.into_iter().map(|rule| model.rules[rule]).collect();
    solutions(&some)
}

/// Every choice of rules has a model just where it has a solution, whatever definitions the rules share.
#[test]
fn rules_hold_where_their_switches_do() {
    models(0..1500, |seed, Gen { mut rng, model }| {
        let options = options(&mut rng);
        with_seed(&"switches", seed, &model, options, || {
            for mut engine in engines() {
                let budget = Budget::unlimited();
                let terms: Vec<Bool> = model.rules.iter().map(|rule| rule.what).collect();
                let (_, switches) = encode_switched(&model, &terms, options, &budget, &mut *engine).unwrap();
                for chosen in 0..1usize << terms.len() {
                    let on = |at: &usize| chosen >> at & 1 == 1;
                    let wanted = solutions_of(&model, (0..terms.len()).filter(on));
                    let assumed: Vec<Lit> = (0..terms.len()).filter(on).map(|at| switches[at]).collect();
                    let answer = engine.solve(&assumed, &budget);
                    assert_eq!(answer == EngineAnswer::Sat, !wanted.is_empty(), "rules {chosen:b}");
                }
            }
        });
    });
}

#[test]
fn clashes_are_minimal() {
    let mut found = 0;
    models(0..4000, |seed, mut generator| {
        let beside = match generator.bool(1) {
            Ok(term) if generator.rng.one_in(3) => vec![term],
            _ => Vec::new(),
        };
        let Gen { mut rng, model } = generator;
        let options = options(&mut rng);
        let can_hold = |rules: &mut dyn Iterator<Item = usize>| {
            let left = solutions_of(&model, rules);
            left.iter().any(|values| beside.iter().all(|term| model.holds(*term, values)))
        };
        let all: Vec<usize> = (0..model.rules.len()).collect();
        with_seed(&"a clash", seed, &model, options, || {
            for mut engine in engines() {
                let (effort, budget) = (Effort { orders: 3, calls: 100 }, Budget::unlimited());
                let verdict =
                    clash(&model, &all, &beside, options, &mut *engine, effort, &budget, &mut |_| {})
                        .unwrap();
                let clash = match verdict {
                    Verdict::Clash(clash) => clash,
                    Verdict::Holds(values) => {
                        assert_eq!(model.broken(&values), None);
                        assert!(beside.iter().all(|term| model.holds(*term, &values)));
                        continue;
                    }
                };
                assert!(clash.minimal);
                assert!(!can_hold(&mut clash.rules.iter().copied()), "{:?} hold", clash.rules);
                for left in &clash.rules {
                    let mut others = clash.rules.iter().copied().filter(|rule| rule != left);
                    assert!(can_hold(&mut others), "{:?} clash without {left}", clash.rules);
                }
                found += 1;
            }
        });
    });
    assert!(found > 1000, "{found} clashes are few");
}

#[test]
fn what_solutions_share() {
    let mut found = 0;
    models(20_000..24_000, |seed, mut generator| {
        let beside = match generator.bool(1) {
            Ok(term) if generator.rng.one_in(3) => vec![term],
            _ => Vec::new(),
        };
        // two rules leave more solutions than six
        generator.model.rules.truncate(2);
        let Gen { mut rng, model } = generator;
        let options = options(&mut rng);
        let mut wanted = solutions(&model);
        wanted.retain(|values| beside.iter().all(|term| model.holds(*term, values)));
        let live = reduction(&model, &wanted, &mut rng);
        with_seed(&"what is shared", seed, &model, options, || {
            for mut engine in engines() {
                let allows = |var: VarId, at: u32| wanted.is_empty() || live[var.0 as usize][at as usize];
                let budget = Budget::unlimited();
                let shared =
                    common(&model, &allows, &beside, options, &mut *engine, &budget, &mut |_| {}).unwrap();
                assert_eq!(shared.is_none(), wanted.is_empty());
                let Some(shared) = shared else { continue };
                assert!(shared.complete);
                for (var, entry) in shared.entries.iter().enumerate() {
                    let values: BTreeSet<u32> = wanted.iter().map(|values| values[var]).collect();
                    let values: Vec<u32> = values.into_iter().collect();
                    let fixed = if let [only] = values[..] { Some(only) } else { None };
                    assert_eq!(*entry, Entry { fixed, possible: Some(values) });
                }
                found += 1;
            }
        });
    });
    assert!(found > 2000, "{found} models with solutions are few");
}

/// A domain too wide to be looked through is told in binary: whether it is fixed is found out all the same.
#[test]
fn wide_domains() {
    for (rule, fixed) in [(712, Some(712)), (-1, None)] {
        let mut model = Model::default();
        let var = model.add_var(Domain::Ints((0..1000).collect()));
        let int = model.var_int(var);
        let terms = vec![Term { coef: 1, atom: Atom::Int(int) }];
        let rule = if rule < 0 { model.arena.le(terms, 999) } else { model.eq(terms, rule) }.unwrap();
        assert_rule(&mut model, rule);
        for mut engine in engines() {
            let budget = Budget::unlimited();
            let shared =
                common(&model, &|_, _| true, &[], Options::default(), &mut *engine, &budget, &mut |_| {});
            let shared = shared.unwrap().expect("there is a solution");
            assert_eq!(shared.entries, [Entry { fixed, possible: None }]);
        }
    }
}
