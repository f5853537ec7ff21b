//! Cuts of small random graphs against every assignment: none excludes what keeps the demands, and of what breaks them each whole
//! assignment is excluded.

#[path = "common/dice.rs"]
mod dice;

use dice::Dice;
use rebus::certify::{self, Fault, refute::Checker};
use rebus::encode::Lit;
use rebus::encode::cuts::{ALWAYS, Cut, Lazy, Want};

/// A graph, and what is wanted of it.
struct Case {
    there: Vec<Lit>,
    edges: Vec<([usize; 2], Lit)>,
    demands: Vec<Want>,
    /// Literals of a number: "just i" and "i and more", from 0 on; numbers that are variables alone.
    numbers: Vec<[Vec<Lit>; 2]>,
    vars: usize,
}

fn literal(vars: &mut usize) -> Lit {
    *vars += 1;
    *vars as Lit
}

fn constant(holds: bool) -> Lit {
    if holds { ALWAYS } else { -ALWAYS }
}

/// A chain with short cuts, some of it joined for sure, and a component of known size: its room depends on which ways are short.
fn tight_case(dice: &mut Dice) -> Case {
    let n = 6 + dice.below(4);
    let mut vars = 0;
    let mut edges = Vec::new();
    for at in 0..n - 1 {
        let is_sure = vars >= 5 || dice.below(3) == 0;
        edges.push(([at, at + 1], if is_sure { ALWAYS } else { literal(&mut vars) }));
    }
    for _ in 0..2 + dice.below(3) {
        let a = dice.below(n - 2);
        edges.push(([a, a + 2 + dice.below((n - a - 2).min(3))], literal(&mut vars)));
    }
    if dice.below(3) == 0 {
        dice.shuffle(&mut edges);
    }
    let mut demands = Vec::new();
    for _ in 0..1 + dice.below(2) {
        let size = 2 + dice.below(n - 2);
        let [is, at_least] =
            [0, 1].map(|more| (0..n + 2).map(|i| constant(i == size || (more > 0 && i < size))).collect());
        demands.push(Want::Size { vertex: dice.below(n), is, at_least });
    }
    Case { there: vec![ALWAYS; n], edges, demands, numbers: Vec::new(), vars }
}

fn random_case(dice: &mut Dice) -> Case {
    if dice.below(4) == 0 {
        return tight_case(dice);
    }
    // long ways round want more vertices, with few edges so that all assignments can be tried
    let is_long = dice.below(2) == 0;
    // that many are there matters where many may be absent
    let is_sparse = is_long && dice.below(3) == 0;
    let n = if is_sparse {
        5 + dice.below(3)
    } else if is_long {
        6 + dice.below(4)
    } else {
        3 + dice.below(3)
    };
    let mut vars = 0;
    let some_absent = if is_sparse {
        3
    } else if is_long || dice.below(3) > 0 {
        0
    } else {
        1
    };
    let there =
        (0..n).map(|_| if dice.below(4) < some_absent { literal(&mut vars) } else { ALWAYS }).collect();
    let mut edges = Vec::new();
    if is_long {
        // a way, and a few other edges
        let mut shuffled: Vec<usize> = (0..n).collect();
        dice.shuffle(&mut shuffled);
        let chords = if is_sparse { dice.below(3) } else { 2 + dice.below(3) };
        let mut pairs: Vec<[usize; 2]> = shuffled.windows(2).map(|pair| [pair[0], pair[1]]).collect();
        pairs.extend((0..chords).map(|_| [dice.below(n), dice.below(n)]));
        for ends in pairs.into_iter().filter(|[a, b]| a != b) {
            let is_free = is_sparse || vars < 9 && dice.below(4) > 0;
            edges.push((ends, if is_free { literal(&mut vars) } else { ALWAYS }));
        }
    }
    for a in (0..n).filter(|_| !is_long) {
        for b in a + 1..n {
            if edges.len() < 7 && dice.below(3) > 0 {
                let lit = match dice.below(24) {
                    0 | 1 => ALWAYS,
                    2 => -ALWAYS,
                    _ => literal(&mut vars),
                };
                edges.push(([a, b], lit));
            }
        }
    }
    let mut demands = Vec::new();
    match dice.below(8) {
        0 => demands.push(Want::Connected),
        1 => demands.push(Want::Acyclic),
        2 => demands.push(Want::Reaches((0..n).filter(|_| dice.below(2) == 0).collect())),
        3 => demands.extend([Want::Connected, Want::Acyclic]),
        at if at < 7 => demands.push(Want::Alike),
        _ => {}
    }
    if is_sparse {
        demands = vec![Want::Connected];
    }
    if is_sparse || dice.below(4) == 0 {
        let least = dice.below(n + 1);
        demands.push(Want::Count {
            least,
            most: if dice.below(2) == 0 { least } else { least + dice.below(n) },
        });
    }
    let mut numbers: Vec<[Vec<Lit>; 2]> = Vec::new();
    let same = 1 + dice.below(n);
    let sized = dice.below(5);
    let most_numbers = if is_sparse {
        0
    } else if is_long {
        1
    } else {
        2
    };
    // some vertices have two sizes
    let vertices: Vec<usize> = (0..n).flat_map(|vertex| vec![vertex; 1 + dice.below(4) / 3]).collect();
    for vertex in vertices {
        let [is, at_least] = match dice.below(6) {
            0 if numbers.len() < most_numbers => {
                let is = (0..=n).map(|_| literal(&mut vars)).chain([-ALWAYS]).collect();
                let at_least = (1..=n).map(|_| literal(&mut vars));
                numbers.push([is, [ALWAYS].into_iter().chain(at_least).chain([-ALWAYS]).collect()]);
                numbers[numbers.len() - 1].clone()
            }
            1 if !numbers.is_empty() => numbers[0].clone(),
            _ if sized == 0 || is_sparse => continue,
            _ => {
                let size = if sized == 1 { 1 + dice.below(n) } else { same };
                [
                    (0..n + 2).map(|i| constant(i == size)).collect(),
                    (0..n + 2).map(|i| constant(i <= size)).collect(),
                ]
            }
        };
        demands.push(Want::Size { vertex, is, at_least });
    }
    Case { there, edges, demands, numbers, vars }
}

fn holds(values: &[bool], lit: Lit) -> bool {
    match lit.unsigned_abs() {
        var if var == ALWAYS.unsigned_abs() => lit > 0,
        var => values[var as usize - 1] == (lit > 0),
    }
}

/// Per vertex that is there the first of its component.
fn components(case: &Case, values: &[bool]) -> Vec<Option<usize>> {
    let mut of: Vec<Option<usize>> =
        case.there.iter().enumerate().map(|(at, lit)| holds(values, *lit).then_some(at)).collect();
    for _ in 0..of.len() {
        for ([a, b], lit) in &case.edges {
            if let (true, Some(one), Some(other)) = (holds(values, *lit), of[*a], of[*b]) {
                (of[*a], of[*b]) = (Some(one.min(other)), Some(one.min(other)));
            }
        }
    }
    of
}

fn size_told(at_least: &[Lit], values: &[bool]) -> usize {
    at_least.iter().filter(|lit| holds(values, **lit)).count() - 1
}

fn keeps(case: &Case, values: &[bool]) -> bool {
    let of = components(case, values);
    let firsts = (0..of.len()).filter(|at| of[*at] == Some(*at));
    let joined =
        case.edges.iter().filter(|([a, b], lit)| holds(values, *lit) && of[*a].is_some() && of[*b].is_some());
    case.demands.iter().all(|demand| match demand {
        Want::Connected => firsts.clone().count() <= 1,
        Want::Acyclic => joined.clone().count() + firsts.clone().count() == of.iter().flatten().count(),
        Want::Reaches(roots) => firsts.clone().all(|first| roots.iter().any(|root| of[*root] == Some(first))),
        Want::Alike => {
            case.edges.iter().all(|([a, b], lit)| of[*a].is_none() || of[*a] != of[*b] || holds(values, *lit))
        }
        Want::Count { least, most } => (*least..=*most).contains(&of.iter().flatten().count()),
        Want::Size { vertex, at_least, .. } => {
            let size = of.iter().filter(|other| other.is_some() && **other == of[*vertex]).count();
            let size = if of[*vertex].is_some() { size } else { 0 };
            size_told(at_least, values) == size
        }
    })
}

/// All assignments in which numbers have values, edges have ends, and what is not there the size 0: clauses of the formula see to
/// that.
fn assignments(case: &Case) -> Vec<Vec<bool>> {
    let n = case.there.len();
    let of_numbers: Vec<usize> = case
        .numbers
        .iter()
        .flat_map(|[is, at_least]| is.iter().chain(at_least))
        .map(|lit| lit.unsigned_abs() as usize)
        .filter(|var| *var <= case.vars)
        .collect();
    let free: Vec<usize> = (1..=case.vars).filter(|var| !of_numbers.contains(var)).collect();
    let mut found = Vec::new();
    for at in 0..(1 << free.len()) * (n + 1).pow(case.numbers.len() as u32) {
        let mut values = vec![false; case.vars];
        free.iter().enumerate().for_each(|(bit, var)| values[var - 1] = at >> bit & 1 == 1);
        let mut rest = at >> free.len();
        for [is, at_least] in &case.numbers {
            let number = rest % (n + 1);
            rest /= n + 1;
            for (i, lit) in is.iter().enumerate().filter(|(_, lit)| **lit != -ALWAYS) {
                values[*lit as usize - 1] = i == number;
            }
            for (i, lit) in at_least.iter().enumerate().filter(|(_, lit)| lit.abs() != ALWAYS) {
                values[*lit as usize - 1] = i <= number;
            }
        }
        let fits = |demand: &Want| match demand {
            Want::Size { vertex, at_least, .. } => {
                (size_told(at_least, &values) > 0) == holds(&values, case.there[*vertex])
            }
            _ => true,
        };
        let ends_there = |([a, b], lit): &([usize; 2], Lit)| {
            !holds(&values, *lit) || [a, b].iter().all(|end| holds(&values, case.there[**end]))
        };
        if case.demands.iter().all(fits) && case.edges.iter().all(ends_there) {
            found.push(values);
        }
    }
    found
}

/// Which variables are known: some, and what follows from those for single vertices, edges and numbers. The formula implies
/// that ends of present edges are present, but unit propagation need not find it: "both are 1 or both are 2" is such an edge.
fn some_known(case: &Case, values: &[bool], dice: &mut Dice) -> Vec<bool> {
    let n = case.there.len();
    let hidden = dice.below(4);
    let of = |lit: Lit| (lit.abs() != ALWAYS).then(|| lit.unsigned_abs() as usize - 1);
    let mut known: Vec<bool> = values.iter().map(|_| dice.below(4) >= hidden).collect();
    let are_ends_found = dice.below(2) == 0;
    for ([a, b], lit) in case.edges.iter().filter(|_| are_ends_found) {
        if of(*lit).is_none_or(|var| known[var]) && holds(values, *lit) {
            [a, b].into_iter().filter_map(|end| of(case.there[*end])).for_each(|var| known[var] = true);
        }
    }
    for [is, at_least] in &case.numbers {
        let size = size_told(at_least, values);
        let mut bounds = [dice.below(size + 1), size + dice.below(n + 1 - size)];
        for demand in &case.demands {
            if let Want::Size { vertex, at_least: own, .. } = demand
                && own == at_least
            {
                let there = case.there[*vertex];
                if of(there).is_none_or(|var| known[var]) {
                    // mostly: literals need not have been told of one another yet
                    if dice.below(4) > 0 {
                        bounds = if holds(values, there) { [bounds[0].max(1), bounds[1]] } else { [0, 0] };
                    }
                } else if bounds[0] > 0 || bounds[1] == 0 {
                    of(there).into_iter().for_each(|var| known[var] = true);
                }
            }
        }
        let [low, high] = bounds;
        for (i, lit) in at_least.iter().enumerate() {
            of(*lit).into_iter().for_each(|var| known[var] = i <= low || i > high);
        }
        for (i, lit) in is.iter().enumerate() {
            let outside = i < low || i > high || (i != size && dice.below(4) == 0);
            of(*lit).into_iter().for_each(|var| known[var] = outside || low == high);
        }
    }
    known
}

/// As it is read back: literals at the end of sizes that are never true are not written.
fn trimmed(graph: &certify::Graph) -> certify::Graph {
    let mut graph = graph.clone();
    for want in &mut graph.wants {
        if let certify::Want::Size { is, at_least, .. } = want {
            for lits in [is, at_least] {
                let last = lits.iter().rposition(|lit| *lit != -ALWAYS);
                lits.truncate(last.map_or(0, |last| last + 1));
            }
        }
    }
    graph
}

#[test]
fn cuts_against_every_assignment() {
    let mut dice = Dice::new(1);
    let (mut kept, mut broken, mut cut) = (0, 0, 0);
    let (mut followed, mut refused) = (0, 0);
    for number in 0..1200 {
        let case = random_case(&mut dice);
        let mut lazy = Lazy::new(case.there.clone(), case.edges.clone());
        lazy.wants = case.demands.clone();
        let all = assignments(&case);
        let (good, bad): (Vec<_>, Vec<_>) = all.iter().partition(|values| keeps(&case, values));
        let told = || format!("case {number}: {:?} {:?} {:?}", case.there, case.edges, case.demands);
        let graph = lazy.graph();
        assert_eq!(certify::text::graphs(&graph.to_string()).as_deref(), Ok(&[trimmed(&graph)][..]));
        let mut checker = Checker::new(&graph);
        for _ in 0..20 {
            // of literals of the graph, as they come
            let clause: Vec<Lit> = (0..2 + dice.below(4))
                .filter(|_| case.vars > 0)
                .map(|_| (1 + dice.below(case.vars) as Lit) * if dice.below(2) == 0 { 1 } else { -1 })
                .collect();
            let follows = good.iter().all(|good| clause.iter().any(|lit| holds(good, *lit)));
            match checker.check(&clause) {
                Ok(()) => assert!(follows, "{}: {clause:?} is accepted", told()),
                // it does not know how literals of numbers hang together
                Err(Fault::Wrong(_)) => {
                    assert!(!follows || !case.numbers.is_empty(), "{}: {clause:?}", told())
                }
                Err(fault) => panic!("{}: {clause:?}: {fault}", told()),
            }
            if follows { followed += 1 } else { refused += 1 }
        }
        for (values, keeps) in good.iter().map(|v| (v, true)).chain(bad.iter().map(|v| (v, false))) {
            if dice.below(1 + all.len() / 300) > 0 {
                continue;
            }
            let mut cuts = Vec::new();
            lazy.cuts(|lit| Some(holds(values, lit)), &mut cuts);
            let excludes = |cut: &Cut| cut.lits.iter().all(|lit| !holds(values, *lit));
            assert_eq!(cuts.is_empty(), keeps, "{}: {values:?} {cuts:?}", told());
            assert!(keeps || cuts.iter().any(excludes), "{}: {values:?} {cuts:?}", told());
            if keeps { kept += 1 } else { broken += 1 }
        }
        for _ in 0..60 {
            let values = &all[dice.below(all.len())];
            let known = some_known(&case, values, &mut dice);
            let value = |lit: Lit| known[lit.unsigned_abs() as usize - 1].then(|| holds(values, lit));
            let mut cuts = Vec::new();
            lazy.cuts(value, &mut cuts);
            for Cut { lits: clause, .. } in &cuts {
                let open = clause.iter().filter(|lit| value(**lit) != Some(false)).count();
                assert!(open <= 1, "{}: {values:?} {known:?} {clause:?}", told());
                let wrong = good.iter().find(|good| !clause.iter().any(|lit| holds(good, *lit)));
                assert!(wrong.is_none(), "{}: {clause:?} excludes {wrong:?}", told());
                let checked = checker.check(clause);
                assert_eq!(checked, Ok(()), "{}: {clause:?} is not seen to follow", told());
            }
            cut += cuts.len();
        }
    }
    assert!(followed > 1000 && refused > 1000, "{followed} {refused}");
    assert!(kept > 1000 && broken > 10_000 && cut > 10_000, "{kept} {broken} {cut}");
}
