//! Compares every engine with brute force on small random formulas, and checks that budgets are kept.

use super::*;
use crate::encode::cuts::{ALWAYS, Want};
use crate::shared::Limits;
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

fn engines() -> Vec<Box<dyn SatEngine>> {
    vec![
        #[cfg(feature = "cadical")]
        Box::new(Cadical::new(0)),
        #[cfg(feature = "cadical")]
        Box::new(Cadical::quick(7)),
        #[cfg(feature = "batsat")]
        Box::new(Batsat::new(0)),
        Box::new(Quick::new(0)),
        Box::new(Quick::new(3)),
    ]
}

struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % n
    }

    /// Clauses of one to three different variables out of `vars`.
    fn formula(&mut self, vars: u32, clauses: u64) -> Vec<Vec<Lit>> {
        (0..clauses)
            .map(|_| {
                let mut clause: Vec<Lit> = Vec::new();
                let size = if self.below(12) == 0 { 1 } else { 2 + self.below(2) };
                while (clause.len() as u64) < size {
                    let var = 1 + self.below(vars.into()) as Lit;
                    if clause.iter().all(|lit| lit.abs() != var) {
                        clause.push(if self.below(2) == 0 { var } else { -var });
                    }
                }
                clause
            })
            .collect()
    }
}

fn true_in(model: u32, lit: Lit) -> bool {
    (model >> (lit.unsigned_abs() - 1) & 1 == 1) == (lit > 0)
}

fn models(vars: u32, clauses: &[Vec<Lit>]) -> Vec<u32> {
    (0..1 << vars)
        .filter(|m| clauses.iter().all(|clause| clause.iter().any(|lit| true_in(*m, *lit))))
        .collect()
}

fn emit(engine: &mut dyn SatEngine, clauses: &[Vec<Lit>]) {
    for clause in clauses {
        engine.clause(clause);
    }
}

/// `n + 1` pigeons in `n` holes.
fn pigeons(engine: &mut dyn SatEngine, n: Lit) {
    for pigeon in 0..=n {
        engine.clause(&(1..=n).map(|hole| pigeon * n + hole).collect::<Vec<_>>());
    }
    for hole in 1..=n {
        engine.pairwise(&(0..=n).map(|pigeon| pigeon * n + hole).collect::<Vec<_>>());
    }
}

#[test]
fn agrees_with_brute_force() {
    let mut random = Random(0x9e37_79b9);
    let budget = Budget::unlimited();
    for round in 0..300 {
        let vars = 3 + round % 7;
        let clauses = random.formula(vars, 4 + round as u64 % 30);
        let all = models(vars, &clauses);
        for mut engine in engines() {
            emit(&mut *engine, &clauses);
            engine.reserve(vars);
            for _ in 0..4 {
                let assumed: Vec<Lit> = random.formula(vars, 1).remove(0);
                let possible = all.iter().any(|m| assumed.iter().all(|lit| true_in(*m, *lit)));
                match engine.solve(&assumed, &budget) {
                    EngineAnswer::Sat => {
                        assert!(possible);
                        let model = (0..vars).map(|v| u32::from(engine.value(v as Lit + 1)) << v).sum();
                        assert!(all.contains(&model));
                        assert!(assumed.iter().all(|lit| engine.value(*lit) && !engine.value(-*lit)));
                    }
                    EngineAnswer::Unsat => {
                        assert!(!possible);
                        let core: Vec<Lit> =
                            assumed.iter().copied().filter(|lit| engine.failed(*lit)).collect();
                        assert!(!all.iter().any(|m| core.iter().all(|lit| true_in(*m, *lit))));
                    }
                    EngineAnswer::Unknown(stop) => panic!("{stop:?}"),
                }
            }
        }
    }
}

#[test]
fn unseen_variables_are_false() {
    for mut engine in engines() {
        engine.clause(&[2]);
        assert_eq!(engine.solve(&[], &Budget::unlimited()), EngineAnswer::Sat);
        assert!(engine.value(2) && !engine.value(77) && engine.value(-77));
        assert_eq!(engine.fresh(), 3);
    }
}

/// A graph literal that is in no clause must not become a guard, nor be false by default.
#[test]
fn graphs_may_have_variables_of_their_own() {
    for mut engine in engines() {
        emit(&mut *engine, &[vec![1], vec![2], vec![3]]);
        let edges = vec![([0, 1], 4), ([1, 2], 2), ([0, 2], 3)];
        let mut lazy = Lazy::new(vec![ALWAYS; 3], edges);
        lazy.wants.push(Want::Acyclic);
        let mut cutting = Cutting::new(&mut *engine, &Rc::from([lazy]));
        let mut enumerator = Enumerator::new(vec![1], &[]);
        assert_eq!(enumerator.next(&mut cutting, &Budget::unlimited()), Next::Answer);
        assert!(!cutting.value(4));
        assert_eq!(enumerator.next(&mut cutting, &Budget::unlimited()), Next::Exhausted);
    }
}

/// An assumption may have a variable that is in no clause.
#[test]
fn assumptions_are_not_taken_for_guards() {
    for mut engine in engines() {
        let mut enumerator = Enumerator::new(vec![1], &[-2]);
        let mut found = 0;
        while enumerator.next(&mut *engine, &Budget::unlimited()) == Next::Answer {
            assert!(engine.value(-2));
            found += 1;
        }
        assert_eq!(found, 2);
    }
}

#[test]
fn the_empty_clause_is_unsatisfiable() {
    for mut engine in engines() {
        engine.clause(&[]);
        assert_eq!(engine.solve(&[], &Budget::unlimited()), EngineAnswer::Unsat);
        assert_eq!(engine.solve(&[1], &Budget::unlimited()), EngineAnswer::Unsat);
        assert!(!engine.failed(1));
    }
}

#[test]
fn enumerates_each_projection_once() {
    let mut random = Random(0xdead_beef);
    let budget = Budget::unlimited();
    for round in 0..60 {
        let vars = 4 + round % 9;
        let clauses = random.formula(vars, round as u64 % 12);
        let answer: Vec<Lit> = (1..=vars as Lit).filter(|_| random.below(4) > 0).collect();
        let assumed: Vec<Lit> = if round % 3 == 0 { vec![1] } else { Vec::new() };
        let project = |m: &u32| answer.iter().map(|lit| true_in(*m, *lit)).collect::<Vec<bool>>();
        let holds = |m: &&u32| assumed.iter().all(|lit| true_in(**m, *lit));
        let expected: BTreeSet<_> = models(vars, &clauses).iter().filter(holds).map(project).collect();
        for mut engine in engines() {
            emit(&mut *engine, &clauses);
            engine.reserve(vars);
            let mut enumerator = Enumerator::new(answer.clone(), &assumed);
            let mut found = BTreeSet::new();
            while enumerator.next(&mut *engine, &budget) == Next::Answer {
                assert!(found.insert(enumerator.last().to_vec()));
            }
            assert_eq!(enumerator.next(&mut *engine, &budget), Next::Exhausted);
            assert_eq!(found, expected);
        }
    }
}

#[test]
fn enumerates_thousands() {
    for mut engine in engines() {
        // Two exactly-one choices among 64 variables, and a variable that follows from them.
        for base in [0, 64] {
            let group: Vec<Lit> = (1..=64).map(|i| base + i).collect();
            engine.clause(&group);
            engine.pairwise(&group);
        }
        let mut enumerator = Enumerator::new((1..=128).collect(), &[]);
        let mut count = 0;
        while enumerator.next(&mut *engine, &Budget::unlimited()) == Next::Answer {
            count += 1;
        }
        assert_eq!(count, 64 * 64);
    }
}

/// The number of true variables among `1..=n`, bounded by a chain of "at least" literals.
struct TrueOnes {
    n: usize,
    /// `at_least[k]`: more than k of them are true.
    at_least: Vec<Lit>,
    seen: Vec<i128>,
}

impl Objective<()> for TrueOnes {
    fn cost(&mut self, engine: &mut dyn SatEngine) -> Result<i128, ()> {
        let cost = (1..=self.n as Lit).filter(|lit| engine.value(*lit)).count() as i128;
        self.seen.push(cost);
        Ok(cost)
    }

    fn at_most(&mut self, engine: &mut dyn SatEngine, bound: i128) -> Result<Lit, ()> {
        if bound < 0 {
            let never = engine.fresh();
            engine.clause(&[-never]);
            return Ok(never);
        }
        Ok(-self.at_least[bound as usize])
    }
}

#[test]
fn minimizes_to_the_proven_optimum() {
    let mut random = Random(0xabcd);
    for round in 0..60 {
        let vars = 3 + round % 8;
        let clauses = random.formula(vars, 2 + round as u64 % 20);
        let best = models(vars, &clauses).iter().map(|m| i128::from(m.count_ones())).min();
        for mut engine in engines() {
            emit(&mut *engine, &clauses);
            engine.reserve(vars);
            let n = vars as usize;
            let mut row: Vec<Lit> = Vec::new();
            for x in 1..=vars as Lit {
                let next: Vec<Lit> = (0..n).map(|_| engine.fresh()).collect();
                for k in 0..n {
                    if let Some(before) = row.get(k) {
                        engine.clause(&[-before, next[k]]);
                    }
                    match k.checked_sub(1) {
                        None => engine.clause(&[-x, next[0]]),
                        Some(k1) if !row.is_empty() => engine.clause(&[-x, -row[k1], next[k]]),
                        Some(_) => {}
                    }
                }
                row = next;
            }
            let mut objective = TrueOnes { n, at_least: row, seen: Vec::new() };
            let optimum = minimize(&mut *engine, &[], &mut objective, &Budget::unlimited());
            assert_eq!(optimum, Ok(best.map_or(Optimum::Unsatisfiable, Optimum::Optimal)));
            assert!(objective.seen.is_sorted_by(|a, b| a > b));
        }
    }
}

#[test]
fn a_time_limit_ends_a_search() {
    for mut engine in engines() {
        pigeons(&mut *engine, 14);
        let start = Instant::now();
        let budget = Budget::new(Limits { time: Some(Duration::from_millis(200)), ..Limits::default() });
        assert_eq!(engine.solve(&[], &budget), EngineAnswer::Unknown(Stop::Time));
        assert!(start.elapsed() < Duration::from_secs(5));
        assert_eq!(engine.solve(&[], &budget), EngineAnswer::Unknown(Stop::Time));
    }
}

#[test]
fn another_thread_ends_a_search() {
    for mut engine in engines() {
        pigeons(&mut *engine, 14);
        let budget = Budget::unlimited();
        let flag = budget.cancel_flag();
        let thread = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            flag.store(true, std::sync::atomic::Ordering::Relaxed);
        });
        assert_eq!(engine.solve(&[], &budget), EngineAnswer::Unknown(Stop::Cancelled));
        thread.join().unwrap();
    }
}

/// Clauses of three different variables out of `vars`.
fn three(random: &mut Random, vars: u64, clauses: usize) -> Vec<Vec<Lit>> {
    let mut formula = Vec::new();
    while formula.len() < clauses {
        let mut clause: Vec<Lit> = (0..3).map(|_| 1 + random.below(vars) as Lit).collect();
        clause.sort_unstable();
        clause.dedup();
        if clause.len() == 3 {
            clause.iter_mut().for_each(|lit| *lit *= 1 - 2 * random.below(2) as Lit);
            formula.push(clause);
        }
    }
    formula
}

#[test]
fn engines_agree_on_formulas_that_take_thousands_of_conflicts() {
    let mut random = Random(0x1234_5678);
    let budget = Budget::unlimited();
    for round in 0..8 {
        let vars = 120 + 5 * round;
        // About as many are satisfiable as not.
        let mut clauses = three(&mut random, vars, (vars as f64 * 4.2) as usize);
        let mut engines = engines();
        engines.iter_mut().for_each(|engine| emit(&mut **engine, &clauses));
        for step in 0..6 {
            let assumed: Vec<Lit> = three(&mut random, vars, 1)[0][..step % 3].to_vec();
            let mut answers = Vec::new();
            for engine in &mut engines {
                let answer = engine.solve(&assumed, &budget);
                if answer == EngineAnswer::Sat {
                    assert!(assumed.iter().all(|lit| engine.value(*lit)));
                    assert!(clauses.iter().all(|clause| clause.iter().any(|lit| engine.value(*lit))));
                }
                answers.push(answer);
            }
            assert!(answers.windows(2).all(|pair| pair[0] == pair[1]), "{answers:?}");
            let more = three(&mut random, vars, 3);
            engines.iter_mut().for_each(|engine| emit(&mut **engine, &more));
            clauses.extend(more);
        }
    }
}

#[test]
fn enumerations_agree_and_go_on_after_a_stop() {
    let mut random = Random(0xfeed);
    for round in 0..8 {
        let clauses = three(&mut random, 30, 100 + round);
        let answer: Vec<Lit> = (1..=if round % 2 == 0 { 30 } else { 12 }).collect();
        let mut all = Vec::new();
        for mut engine in engines() {
            emit(&mut *engine, &clauses);
            let budget = Budget::unlimited();
            let stop = budget.cancel_flag();
            let mut enumerator = Enumerator::new(answer.clone(), &[]);
            let mut found = BTreeSet::new();
            loop {
                let stopped = found.len() % 5 == 2;
                stop.store(stopped, std::sync::atomic::Ordering::Relaxed);
                if stopped {
                    assert_ne!(enumerator.next(&mut *engine, &budget), Next::Answer);
                    stop.store(false, std::sync::atomic::Ordering::Relaxed);
                }
                match enumerator.next(&mut *engine, &budget) {
                    Next::Answer => {
                        assert!(clauses.iter().all(|clause| clause.iter().any(|lit| engine.value(*lit))));
                        assert!(found.insert(enumerator.last().to_vec()));
                    }
                    Next::Exhausted => break,
                    Next::Stopped(stop) => panic!("{stop:?}"),
                }
            }
            // The engine is still usable.
            engine.clause(&[1]);
            let rest = engine.solve(&[-2], &budget) == EngineAnswer::Sat;
            assert_eq!(rest, found.iter().any(|answer| answer[0] && !answer[1]));
            all.push(found);
        }
        assert!(all.windows(2).all(|pair| pair[0] == pair[1]));
    }
}

/// An objective that fails on the second model.
struct Unreadable(u32);

impl Objective<&'static str> for Unreadable {
    fn cost(&mut self, _: &mut dyn SatEngine) -> Result<i128, &'static str> {
        self.0 += 1;
        if self.0 > 1 { Err("unreadable") } else { Ok(5) }
    }

    fn at_most(&mut self, _: &mut dyn SatEngine, _: i128) -> Result<Lit, &'static str> {
        Ok(1)
    }
}

#[test]
fn a_model_that_cannot_be_read_is_no_optimum() {
    for mut engine in engines() {
        engine.reserve(2);
        let optimum = minimize(&mut *engine, &[], &mut Unreadable(0), &Budget::unlimited());
        assert_eq!(optimum, Err("unreadable"));
    }
}
