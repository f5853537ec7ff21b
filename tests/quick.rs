//! Our own engine where small formulas do not lead it: many questions in a row, listings of thousands of conflicts, graphs of which
//! most is given, and the cuts that its conclusions rest on.

#[path = "common/dice.rs"]
mod dice;

use dice::Dice;
use rebus::encode::Lit;
use rebus::encode::cuts::{ALWAYS, Lazy, Want};
use rebus::shared::Budget;
use rebus::solve::embedded::{Cutting, EngineAnswer, Enumerator, Keep, Next, Quick, SatEngine, engine};
use std::collections::BTreeSet;
use std::rc::Rc;

fn random_lit(dice: &mut Dice, vars: usize) -> Lit {
    (1 + dice.below(vars) as Lit) * if dice.coin() { 1 } else { -1 }
}

/// Clauses of three different variables.
fn three(dice: &mut Dice, vars: usize, clauses: usize) -> Vec<Vec<Lit>> {
    let mut formula: Vec<Vec<Lit>> = Vec::new();
    while formula.len() < clauses {
        let clause: Vec<Lit> = (0..3).map(|_| random_lit(dice, vars)).collect();
        if clause.iter().map(|lit| lit.abs()).collect::<BTreeSet<_>>().len() == 3 {
            formula.push(clause);
        }
    }
    formula
}

fn emit(engine: &mut dyn SatEngine, clauses: &[Vec<Lit>]) {
    clauses.iter().for_each(|clause| engine.clause(clause));
}

/// Nothing that was learned under some assumptions is left under others, and those that are blamed cannot hold together.
#[test]
fn many_assumptions_in_a_row() {
    let mut dice = Dice::new(1);
    let budget = Budget::unlimited();
    let (mut possible, mut blamed) = (0, 0);
    for round in 0..40 {
        let vars = 20 + 10 * (round % 10);
        let clauses = three(&mut dice, vars, vars * 37 / 10);
        let (mut quick, mut other) = (Quick::new(round as u32 % 2), engine(0));
        emit(&mut quick, &clauses);
        emit(&mut *other, &clauses);
        for _ in 0..40 {
            let mut assumed: Vec<Lit> = (0..dice.below(14)).map(|_| random_lit(&mut dice, vars)).collect();
            if !dice.one_in(4) {
                // none against another
                assumed = assumed.iter().copied().filter(|lit| !assumed.contains(&-lit)).collect();
            }
            let answer = quick.solve(&assumed, &budget);
            assert_eq!(answer, other.solve(&assumed, &budget), "round {round}: {assumed:?}");
            if answer == EngineAnswer::Sat {
                possible += 1;
                assert!(clauses.iter().all(|clause| clause.iter().any(|lit| quick.value(*lit))));
                assert!(assumed.iter().all(|lit| quick.value(*lit)));
                continue;
            }
            let core: Vec<Lit> = assumed.iter().copied().filter(|lit| quick.failed(*lit)).collect();
            assert_eq!(
                other.solve(&core, &budget),
                EngineAnswer::Unsat,
                "round {round}: {core:?} of {assumed:?}"
            );
            blamed += usize::from(core.len() < assumed.len());
        }
    }
    assert!(possible > 300 && blamed > 100, "{possible} {blamed}");
}

fn listed(engine: &mut dyn SatEngine, answer: &[Lit]) -> BTreeSet<Vec<bool>> {
    let mut enumerator = Enumerator::new(answer.to_vec(), &[]);
    let mut found = BTreeSet::new();
    while enumerator.next(engine, &Budget::unlimited()) == Next::Answer {
        assert!(found.insert(enumerator.last().to_vec()), "an answer twice");
    }
    found
}

/// So many conflicts that what was learned is thrown away again and again, in the middle of a listing.
#[test]
fn listings_of_thousands_of_conflicts() {
    for round in 0..12 {
        let mut dice = Dice::new(round);
        let vars = 100 + 10 * (round as usize % 4);
        let clauses = three(&mut dice, vars, vars * 4);
        let answer: Vec<Lit> = (1..=12 + 4 * (round as Lit % 2)).collect();
        let (mut quick, mut other) = (Quick::new(round as u32), engine(0));
        emit(&mut quick, &clauses);
        emit(&mut *other, &clauses);
        assert_eq!(listed(&mut quick, &answer), listed(&mut *other, &answer), "round {round}");
    }
}

/// A graph of which few parts are open, what is wanted of it, and clauses.
struct Case {
    there: Vec<Lit>,
    edges: Vec<([usize; 2], Lit)>,
    wants: Vec<Want>,
    clauses: Vec<Vec<Lit>>,
    vars: usize,
}

fn random_case(dice: &mut Dice) -> Case {
    let vars = 2 + dice.below(7);
    let n = 4 + dice.below(30);
    // a literal may stand for several parts
    let some = |dice: &mut Dice, open: usize| match dice.below(10) {
        at if at < open => random_lit(dice, vars),
        _ if dice.one_in(30) => -ALWAYS,
        _ => ALWAYS,
    };
    let open = dice.below(4);
    let there: Vec<Lit> = (0..n).map(|_| some(dice, open)).collect();
    let mut edges = Vec::new();
    for b in 1..n {
        // mostly a tree
        let a = if dice.coin() { b - 1 } else { dice.below(b) };
        if !dice.one_in(25) {
            edges.push(([a, b], some(dice, 2)));
        }
    }
    for _ in 0..dice.below(4) {
        let (a, b) = (dice.below(n), dice.below(n));
        if a != b {
            edges.push(([a, b], random_lit(dice, vars)));
        }
    }
    let wants = match dice.below(5) {
        0 => vec![Want::Acyclic],
        1 => vec![Want::Connected],
        2 => vec![Want::Connected, Want::Acyclic],
        3 => vec![Want::Reaches((0..n).filter(|_| dice.one_in(4)).collect())],
        _ => vec![Want::Alike],
    };
    let clauses = (0..dice.below(5)).map(|_| (0..3).map(|_| random_lit(dice, vars)).collect());
    let mut clauses: Vec<Vec<Lit>> = clauses.collect();
    // an edge has both its ends, as the formula of a graph says
    for ([a, b], lit) in &edges {
        for end in [there[*a], there[*b]] {
            let told = [-*lit, end].into_iter().filter(|lit| *lit != -ALWAYS);
            clauses.push(told.collect());
        }
    }
    clauses.retain(|clause| !clause.iter().any(|lit| *lit == ALWAYS || clause.contains(&-lit)));
    for clause in &mut clauses {
        clause.sort_unstable();
        clause.dedup();
    }
    Case { there, edges, wants, clauses, vars }
}

impl Case {
    fn holds(&self, model: u32) -> bool {
        let on = |lit: Lit| match lit.unsigned_abs() {
            var if var == ALWAYS.unsigned_abs() => lit > 0,
            var => (model >> (var - 1) & 1 == 1) == (lit > 0),
        };
        let mut of: Vec<Option<usize>> =
            self.there.iter().enumerate().map(|(v, lit)| on(*lit).then_some(v)).collect();
        let joined = |of: &[Option<usize>]| -> Vec<[usize; 2]> {
            let edges =
                self.edges.iter().filter(|([a, b], lit)| on(*lit) && of[*a].is_some() && of[*b].is_some());
            edges.map(|edge| edge.0).collect()
        };
        let edges = joined(&of);
        let mut has_ring = false;
        for [a, b] in &edges {
            let (one, other) = (of[*a], of[*b]);
            has_ring |= one == other;
            of.iter_mut().filter(|at| **at == other).for_each(|at| *at = one);
        }
        let parts: BTreeSet<usize> = of.iter().flatten().copied().collect();
        self.clauses.iter().all(|clause| clause.iter().any(|lit| on(*lit)))
            && self.wants.iter().all(|want| match want {
                Want::Acyclic => !has_ring,
                Want::Connected => parts.len() <= 1,
                Want::Reaches(roots) => {
                    parts.iter().all(|part| roots.iter().any(|root| of[*root] == Some(*part)))
                }
                Want::Alike => {
                    self.edges.iter().all(|([a, b], lit)| of[*a].is_none() || of[*a] != of[*b] || on(*lit))
                }
                Want::Count { least, most } => (*least..=*most).contains(&of.iter().flatten().count()),
                Want::Size { .. } => unreachable!("none is wanted here"),
            })
    }
}

/// Each engine lists what keeps the graph. Where nothing does, the cuts that this rests on refute the clauses without the graph.
#[test]
fn graphs_of_which_most_is_given() {
    let budget = Budget::unlimited();
    let (mut some, mut none) = (0, 0);
    for seed in 0..2000 {
        let mut dice = Dice::new(seed);
        let case = random_case(&mut dice);
        let told =
            || format!("seed {seed}: {:?} {:?} {:?} {:?}", case.there, case.edges, case.wants, case.clauses);
        let answer: Vec<Lit> = (1..=case.vars as Lit).filter(|_| dice.below(5) > 0).collect();
        let project =
            |model: u32| answer.iter().map(|lit| model >> (lit - 1) & 1 == 1).collect::<Vec<bool>>();
        let models = (0..1 << case.vars).filter(|model| case.holds(*model));
        let wanted: BTreeSet<Vec<bool>> = models.map(project).collect();
        if wanted.is_empty() {
            none += 1
        } else {
            some += 1
        }
        let mut lazy = Lazy::new(case.there.clone(), case.edges.clone());
        lazy.wants = case.wants.clone();
        let lazy: Rc<[Lazy]> = Rc::from([lazy]);
        let (mut quick, mut other) = (Quick::new(seed as u32 % 3), engine(0));
        for inner in [&mut quick as &mut dyn SatEngine, &mut *other] {
            emit(inner, &case.clauses);
            inner.reserve(case.vars as u32);
            let mut cutting = Cutting::new(inner, &lazy);
            cutting.keep_cuts(Keep::Used);
            if dice.coin() {
                let facts: Vec<Lit> = (1..=case.vars as Lit).flat_map(|var| [var, -var]).collect();
                cutting.probe(&facts, &budget).expect("no limit");
            }
            assert_eq!(listed(&mut cutting, &answer), wanted, "{}", told());
            let cuts = cutting.take_cuts();
            for _ in 0..4 {
                let assumed: Vec<Lit> =
                    (0..1 + dice.below(4)).map(|_| random_lit(&mut dice, case.vars)).collect();
                let keeps = |lits: &[Lit]| {
                    let mut models = (0..1 << case.vars).filter(|model| case.holds(*model));
                    models
                        .any(|model| lits.iter().all(|lit| (model >> (lit.abs() - 1) & 1 == 1) == (*lit > 0)))
                };
                if cutting.solve(&assumed, &budget) == EngineAnswer::Sat {
                    assert!(keeps(&assumed) && assumed.iter().all(|lit| cutting.value(*lit)), "{}", told());
                } else {
                    let core: Vec<Lit> = assumed.iter().copied().filter(|lit| cutting.failed(*lit)).collect();
                    assert!(!keeps(&core), "{}: {core:?} of {assumed:?}", told());
                }
            }
            if !wanted.is_empty() {
                // that there are no further answers may rest on more: the certificate finds it out
                continue;
            }
            let mut judge = engine(0);
            emit(&mut *judge, &case.clauses);
            cuts.iter().for_each(|(_, cut)| judge.clause(&cut.lits));
            assert_eq!(judge.solve(&[], &budget), EngineAnswer::Unsat, "{}: {cuts:?} are too few", told());
        }
    }
    assert!(some > 400 && none > 400, "{some} {none}");
}
