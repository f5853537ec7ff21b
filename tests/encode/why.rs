//! Rules under switches, and the clashes they show, against brute force.

use super::random::{Gen, KINDS};
use super::{assert_rule, options, solutions, with_seed};
use rebus::encode::Lit;
use rebus::encode::cnf::encode_switched;
use rebus::model::{Bool, Model};
use rebus::shared::Budget;
use rebus::solve::embedded::{self, EngineAnswer, Quick, SatEngine};
use rebus::why::{Effort, clash};
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
                let clash =
                    clash(&model, &all, &beside, options, &mut *engine, effort, &budget, &mut |_| {}).unwrap();
                assert_eq!(clash.is_none(), can_hold(&mut all.iter().copied()));
                let Some(clash) = clash else { continue };
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
