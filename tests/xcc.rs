//! The exact-cover engine finds just what brute force finds, whatever the options of the search; and known counts.

#[path = "common/dice.rs"]
mod dice;

use dice::Dice;
use rebus::shared::{Budget, Limits, Stop};
use rebus::solve::xcc::{Engine, Halt, Kind, Next, Options, PLAIN, Problem};
use std::time::Duration;

/// A small problem with colours, and with bounds if `multi`.
fn random_problem(random: &mut Dice, multi: bool) -> Problem {
    let mut problem = Problem::new();
    let primaries = 1 + random.below(5) as u32;
    let secondaries = random.below(4) as u32;
    // secondary items may be declared between primary ones when no text is involved
    let mut kinds: Vec<bool> = (0..primaries + secondaries).map(|i| i < primaries).collect();
    for at in (1..kinds.len()).rev() {
        kinds.swap(at, random.below(at + 1));
    }
    for (i, primary) in kinds.iter().enumerate() {
        let name = format!("{}{i}", if random.below(4) == 0 { "#" } else { "i" });
        if !primary {
            problem.secondary(name).unwrap();
        } else if multi && random.below(2) == 0 {
            let hi = 1 + random.below(4) as u32;
            problem.primary(name, random.below(hi as usize + 1) as u32, hi).unwrap();
        } else {
            problem.primary(name, 1, 1).unwrap();
        }
    }
    let colours = [PLAIN, problem.colour("red"), problem.colour("green")];
    for _ in 0..random.below(14) {
        let mut entries = Vec::new();
        for (item, primary) in (0..).zip(&kinds) {
            if random.below(5) < 2 {
                entries.push((item, if *primary { PLAIN } else { colours[random.below(3)] }));
            }
        }
        if random.below(2) == 0 {
            entries.reverse();
        }
        // one without a primary item is refused
        let _ = problem.option(&entries);
    }
    problem
}

/// All solutions, each a sorted list of options, by trying every set of options.
fn brute_force(problem: &Problem) -> Vec<Vec<u32>> {
    let options = problem.options();
    let fits = |set: u32| {
        let chosen: Vec<usize> = (0..options).filter(|option| set >> option & 1 != 0).collect();
        (0..problem.items() as u32).all(|item| {
            let colours: Vec<u32> = chosen
                .iter()
                .flat_map(|option| problem.entries_of(*option))
                .filter(|entry| entry.item == item)
                .map(|entry| entry.colour)
                .collect();
            match problem.kind(item) {
                Kind::Primary { lo, hi } => (lo..=hi).contains(&(colours.len() as u32)),
                Kind::Secondary => {
                    colours.len() < 2 || colours[0] != PLAIN && colours.iter().all(|c| *c == colours[0])
                }
            }
        })
    };
    let members = |set: u32| (0..options as u32).filter(|option| set >> option & 1 != 0).collect();
    let mut found: Vec<Vec<u32>> = (0..1u32 << options).filter(|set| fits(*set)).map(members).collect();
    found.sort();
    found
}

fn all_solutions(problem: &Problem, engine: &mut Engine) -> Vec<Vec<u32>> {
    let budget = Budget::unlimited();
    let mut found = Vec::new();
    loop {
        match engine.next(&budget) {
            Next::Solution(chosen) => {
                for choice in chosen {
                    assert!(problem.kind(choice.item).is_primary());
                    let entries = problem.entries_of(choice.option as usize);
                    assert!(entries.iter().any(|entry| entry.item == choice.item));
                    assert!((1..=choice.n).contains(&choice.k));
                }
                let mut options: Vec<u32> = chosen.iter().map(|choice| choice.option).collect();
                options.sort_unstable();
                found.push(options);
            }
            Next::Exhausted => break,
            Next::Stopped(stop) => panic!("{stop:?}"),
        }
        assert!((0.0..=1.0).contains(&engine.progress()));
    }
    found.sort();
    found
}

#[track_caller]
fn same_as_brute_force(multi: bool) {
    let mut random = Dice::new(1);
    let mut solvable = 0;
    for round in 0..400 {
        let problem = random_problem(&mut random, multi);
        let expected = brute_force(&problem);
        solvable += usize::from(expected.len() > 1);
        let budget = Budget::unlimited();
        for (seed, sharp, presolve) in
            [(0, false, false), (0, true, true), (7, false, true), (8, true, false)]
        {
            let options = Options { seed, sharp };
            let mut engine = Engine::new(&problem, &options);
            if presolve {
                engine.reduce(&budget, u64::MAX).unwrap();
            }
            assert_eq!(all_solutions(&problem, &mut engine), expected, "round {round}, {options:?}");
            assert!(matches!(engine.next(&budget), Next::Exhausted));
            let mut engine = Engine::new(&problem, &options);
            let count = engine.count(&budget, u128::MAX, 1 << 20);
            assert_eq!((count.solutions, count.stopped), (expected.len() as u128, None), "round {round}");
        }
    }
    assert!(solvable > 60, "only {solvable} problems have several solutions");
}

#[test]
fn colours_agree_with_brute_force() {
    same_as_brute_force(false);
}

#[test]
fn multiplicities_agree_with_brute_force() {
    same_as_brute_force(true);
}

#[test]
fn presolving_drops_no_option_that_is_in_a_solution() {
    let mut random = Dice::new(2);
    let mut dropped = 0;
    for _ in 0..200 {
        let problem = random_problem(&mut random, true);
        let mut used: Vec<u32> = brute_force(&problem).concat();
        used.sort_unstable();
        used.dedup();
        let found =
            Engine::new(&problem, &Options::default()).reduce(&Budget::unlimited(), u64::MAX).unwrap();
        assert!(used.is_empty() || found <= problem.options() - used.len());
        dropped += found;
    }
    assert!(dropped > 100);
}

/// Exactly-once items `0..items`, and options.
fn plain(items: usize, options: impl IntoIterator<Item = Vec<usize>>) -> Problem {
    let mut problem = Problem::new();
    for item in 0..items {
        problem.primary(item.to_string(), 1, 1).unwrap();
    }
    for option in options {
        let entries: Vec<_> = option.iter().map(|item| (*item as u32, PLAIN)).collect();
        problem.option(&entries).unwrap();
    }
    problem
}

fn langford(n: usize) -> Problem {
    let pairs = (1..=n).flat_map(|d| (0..2 * n - d - 1).map(move |at| vec![d - 1, n + at, n + at + d + 1]));
    plain(3 * n, pairs)
}

fn dominoes(rows: usize, columns: usize) -> Problem {
    let across = (0..rows * columns).filter(move |at| at % columns + 1 < columns).map(|at| vec![at, at + 1]);
    let down = (0..(rows - 1) * columns).map(move |at| vec![at, at + columns]);
    plain(rows * columns, across.chain(down))
}

fn queens(n: u32) -> Problem {
    let mut problem = Problem::new();
    (0..2 * n).for_each(|line| assert_eq!(problem.primary(line.to_string(), 1, 1), Ok(line)));
    (2 * n..6 * n).for_each(|diagonal| assert_eq!(problem.secondary(diagonal.to_string()), Ok(diagonal)));
    for (r, c) in (0..n).flat_map(|r| (0..n).map(move |c| (r, c))) {
        let items = [r, n + c, 2 * n + r + c, 5 * n + r - c];
        problem.option(&items.map(|item| (item, PLAIN))).unwrap();
    }
    problem
}

/// The twelve pentominoes on a board.
fn pentominoes(rows: i32, columns: i32) -> Problem {
    let shapes = ["f.FF/FF./.F.", "IIIII", "L.../LLLL", "NN../.NNN", "PP/PP/P.", "TTT/.T./.T."];
    let more = ["U.U/UUU", "V../V../VVV", "W../WW./.WW", ".X./XXX/.X.", ".Y../YYYY", "ZZ./.Z./.ZZ"];
    let mut options = Vec::new();
    for (piece, shape) in shapes.iter().chain(&more).enumerate() {
        let shape = shape.trim_start_matches('f');
        let mut cells: Vec<(i32, i32)> = Vec::new();
        for (r, row) in (0..).zip(shape.split('/')) {
            cells.extend((0..).zip(row.chars()).filter(|(_, sign)| *sign != '.').map(|(c, _)| (r, c)));
        }
        let mut turned = Vec::new();
        for turn in 0..8 {
            cells.iter_mut().for_each(|(r, c)| (*r, *c) = (*c, -*r));
            if turn == 4 {
                cells.iter_mut().for_each(|(r, _)| *r = -*r);
            }
            let (top, left) = (
                cells.iter().map(|cell| cell.0).min().unwrap(),
                cells.iter().map(|cell| cell.1).min().unwrap(),
            );
            let mut placed: Vec<(i32, i32)> = cells.iter().map(|(r, c)| (r - top, c - left)).collect();
            placed.sort_unstable();
            turned.push(placed);
        }
        turned.sort();
        turned.dedup();
        for placed in turned {
            for (r, c) in (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c))) {
                if placed.iter().all(|(dr, dc)| r + dr < rows && c + dc < columns) {
                    let cell = |(dr, dc): &(i32, i32)| 12 + ((r + dr) * columns + c + dc) as usize;
                    options.push([piece].into_iter().chain(placed.iter().map(cell)).collect());
                }
            }
        }
    }
    plain(12 + (rows * columns) as usize, options)
}

#[track_caller]
fn counts(problem: &Problem, solutions: u128) {
    let budget = Budget::unlimited();
    for memory in [0, 1 << 26] {
        let count = Engine::new(problem, &Options::default()).count(&budget, u128::MAX, memory);
        assert_eq!((count.solutions, count.stopped), (solutions, None));
    }
}

#[test]
fn known_numbers() {
    counts(&queens(8), 92);
    counts(&langford(8), 300);
    counts(&dominoes(6, 6), 6728);
    counts(&pentominoes(3, 20), 8);
    counts(&plain(0, []), 1);
    counts(&plain(1, []), 0);
}

#[test]
fn what_was_counted_is_remembered() {
    let mut engine = Engine::new(&dominoes(12, 12), &Options::default());
    assert_eq!(engine.count(&Budget::unlimited(), u128::MAX, 1 << 26).solutions, 53_060_477_521_960_000);
    assert!(engine.nodes() < 200_000);
    let mut engine = Engine::new(&dominoes(12, 12), &Options::default());
    let count = engine.count(&Budget::unlimited(), 1000, 1 << 26);
    assert_eq!((count.solutions, count.stopped), (1000, Some(Halt::Limit)));
}

#[test]
fn numbers_too_large_are_lower_bounds() {
    // 200 independent choices between two
    let problem = plain(200, (0..200).flat_map(|item| [vec![item], vec![item]]));
    let count = Engine::new(&problem, &Options::default()).count(&Budget::unlimited(), u128::MAX, 1 << 26);
    assert!(count.solutions > 1 << 120);
    assert_eq!(count.stopped, Some(Halt::Limit));
}

/// Stops after some work, to go on from there.
fn a_little() -> Budget {
    Budget::new(Limits { steps: 0, ..Limits::default() })
}

#[test]
fn a_stopped_search_goes_on_where_it_was() {
    let problem = queens(10);
    let mut engine = Engine::new(&problem, &Options::default());
    let (mut found, mut stops) = (0, 0);
    loop {
        match engine.next(&a_little()) {
            Next::Solution(_) => found += 1,
            Next::Exhausted => break,
            Next::Stopped(stop) => {
                assert!(matches!(stop, Stop::Steps { .. }));
                stops += 1;
            }
        }
    }
    // a budget of its own for each solution stops nothing
    assert_eq!((found, stops), (724, 0));
    for (problem, solutions) in [(queens(11), 2680), (dominoes(10, 10), 258_584_046_368)] {
        let mut engine = Engine::new(&problem, &Options::default());
        let (mut before, mut stops) = (0, 0);
        let count = loop {
            let count = engine.count(&a_little(), u128::MAX, 1 << 26);
            assert!(count.solutions >= before);
            before = count.solutions;
            match count.stopped {
                Some(Halt::Stop(_)) => stops += 1,
                halt => break (count.solutions, halt),
            }
        };
        assert_eq!(count, (solutions, None));
        assert!(stops > 3, "only {stops} stops");
    }
}

#[test]
fn limits_end_the_search() {
    let budget = Budget::new(Limits { time: Some(Duration::ZERO), ..Limits::default() });
    let count = Engine::new(&langford(12), &Options::default()).count(&budget, u128::MAX, 0);
    assert_eq!(count.stopped, Some(Halt::Stop(Stop::Time)));
    let budget = Budget::new(Limits { memory: 1 << 10, ..Limits::default() });
    let count = Engine::new(&queens(12), &Options::default()).count(&budget, u128::MAX, 0);
    assert!(matches!(count.stopped, Some(Halt::Stop(Stop::Memory { .. }))));
}
