//! Graph constraints by every encoding: known counts, and small boards against every assignment.

#[path = "equivalence/cover.rs"]
mod cover;
#[path = "common/dice.rs"]
mod dice;
#[path = "encode/enumerate.rs"]
mod enumerate;
#[path = "equivalence/judge.rs"]
mod judge;
#[path = "encode/rows.rs"]
mod rows;

use dice::Dice;
use judge::{CHOICES, Wrong, judge};
use rebus::diag::{Diagnostic, Sources};
use rebus::encode::ClauseList;
use rebus::encode::cnf::{self, Emission, GraphEncoding, Options};
use rebus::eval::{Eval, NoImports, Program, Without};
use rebus::model::presolve::presolve;
use rebus::shared::Budget;
use rebus::solve::embedded::{Cutting, Enumerator, Next, Quick, SatEngine, engine};

/// The formula of a model.
fn formula(source: &str, graph: GraphEncoding) -> (ClauseList, Emission) {
    let mut sources = Sources::default();
    let file = sources.add("m.rebus", source);
    let told = |faults: Vec<Diagnostic>| faults.iter().map(|f| f.message.clone()).collect::<String>();
    let program = Program::load(&mut sources, &mut NoImports, file, &[]).map_err(told).expect("it loads");
    let budget = Budget::unlimited();
    let mut eval = Eval::new(&program, &budget);
    eval.declare_all().map_err(told).expect("variables");
    eval.ground_rules(0..program.rules.len(), &Without::default()).map_err(told).expect("rules");
    let presolved = presolve(&eval.model, &budget).expect("no limit");
    let allows = |var, position| presolved.allows(var, position);
    let options = Options { graph, ..Options::default() };
    let mut list = ClauseList::default();
    let (_, emission) =
        cnf::encode(&eval.model, &allows, options, &budget, &mut list, &|_| String::new()).expect("small");
    (list, emission)
}

/// The number of solutions: by distances the number of models, auxiliaries and all; by parents the number of answers.
fn assert_count(source: &str, expected: usize, graphs: &[GraphEncoding]) {
    for graph in graphs {
        let (list, emission) = formula(source, *graph);
        let mut found = 0;
        if *graph == GraphEncoding::Cuts {
            assert!(!emission.is_determined());
            assert_eq!(with_cuts(Box::new(Quick::new(0)), &list, &emission), expected, "{graph:?}: {source}");
            // a blocking clause an answer
            if expected < 1000 {
                assert_eq!(with_cuts(engine(0), &list, &emission), expected, "{graph:?}: {source}");
            }
            continue;
        }
        if *graph == GraphEncoding::Distance {
            assert!(emission.is_determined());
            enumerate::models(emission.variables as usize, &list.clauses, &mut |_| found += 1);
        } else {
            assert!(!emission.is_determined());
            let mut engine = engine(0);
            list.clauses.iter().for_each(|clause| rebus::encode::Sink::clause(&mut *engine, clause));
            let mut enumerator = Enumerator::new(emission.answer.clone(), &[]);
            while enumerator.next(&mut *engine, &Budget::unlimited()) == Next::Answer {
                found += 1;
            }
        }
        assert_eq!(found, expected, "{graph:?}: {source}");
    }
}

/// The number of answers of an engine that is told what its models break.
fn with_cuts(mut engine: Box<dyn SatEngine>, list: &ClauseList, emission: &Emission) -> usize {
    list.clauses.iter().for_each(|clause| engine.clause(clause));
    let mut cutting = Cutting::new(&mut *engine, &emission.lazy);
    let mut enumerator = Enumerator::new(emission.answer.clone(), &[]);
    let mut found = 0;
    while enumerator.next(&mut cutting, &Budget::unlimited()) == Next::Answer {
        found += 1;
    }
    found
}

const BOTH: &[GraphEncoding] = &[GraphEncoding::Distance, GraphEncoding::Tree, GraphEncoding::Cuts];
const EXACT: &[GraphEncoding] = &[GraphEncoding::Distance, GraphEncoding::Cuts];

#[test]
fn single_loops() {
    for (n, expected, graphs) in [(2, 13, BOTH), (3, 213, BOTH), (4, 9349, EXACT)] {
        assert_count(&format!("var line[edges({n}, {n})] : bool\nrule: loop(line)"), expected, graphs);
    }
}

#[test]
fn connected_cells() {
    for (n, expected, graphs) in [(3, 218, BOTH), (4, 11506, EXACT)] {
        let source = format!("var b[{n}, {n}] : bool\nrule: connected(b) and any(b)");
        assert_count(&source, expected, graphs);
    }
}

#[test]
fn spanning_trees() {
    for (n, expected, graphs) in [(3, 192, BOTH), (4, 100352, EXACT)] {
        let source = format!(
            "let board = [(r, c) for r in 1..{n}, c in 1..{n}]\nvar line[edges(board)] : bool\n\
             rule: tree(line) and for p in board: on(line, p)"
        );
        assert_count(&source, expected, graphs);
    }
}

#[test]
fn paths_from_corner_to_corner() {
    for (n, expected, graphs) in [(4, 184, BOTH), (5, 8512, EXACT)] {
        let edges = format!("edges({0}, {0})", n - 1);
        let source = format!("var line[{edges}] : bool\nrule: path(line, (1, 1), ({n}, {n}))");
        assert_count(&source, expected, graphs);
    }
}

/// The genres' own rules on small boards, as in the catalogue.
#[test]
fn genres() {
    let fillomino =
        |h, w, top| format!("var x[{h}, {w}] : 1..{top}\nrule: for p in cells(x): area(x, p) = x[p]");
    // counted by flooding every filling
    assert_count(&fillomino(2, 4, 4), 69, BOTH);
    assert_count(&fillomino(3, 3, 4), 178, BOTH);
    let nurikabe = |h, w, clues: &str| {
        format!(
            "let clue = {clues}\nlet board = [(r, c) for r in 1..{h}, c in 1..{w}]\n\
             var island[board] : keys(clue)?\nlet sea = where(island, none)\n\
             rule: for (p, k) in items(clue): island[p] = p and count(where(island, p)) = k\n\
             rule: for (p, q) in edges(board): sea[p] or sea[q] or island[p] = island[q]\n\
             rule: divided(island) and connected(sea)\n\
             rule: for four in windows(sea, (2, 2)): not all(four)"
        )
    };
    // counted by flooding every shading
    assert_count(&nurikabe(3, 3, "{(1, 1): 2, (3, 3): 3}"), 2, BOTH);
    assert_count(&nurikabe(3, 4, "{(1, 2): 3, (3, 4): 2}"), 1, BOTH);
    assert_count(&nurikabe(4, 4, "{(1, 1): 2, (3, 3): 4}"), 2, BOTH);
    // n × n into n pieces of n cells: OEIS A172477
    for (n, expected) in [(2, 2), (3, 10), (4, 117)] {
        let partition = format!(
            "var room[{n}, {n}] : 1..{n}\nlet name = values(room)\n\
             rule: for i in 1..{n} * {n}: name[i] <= max([0] ++ name[..i - 1]) + 1\n\
             rule: for i in 1..{n}: count(where(room, i)) = {n}\nrule: divided(room)"
        );
        assert_count(&partition, expected, BOTH);
        let by_area = partition.replace(
            &format!("for i in 1..{n}: count(where(room, i)) = {n}"),
            &format!("for p in cells(room): area(room, p) = {n}"),
        );
        let by_walls = format!(
            "let board = [(r, c) for r in 1..{n}, c in 1..{n}]\nvar wall[edges(board)] : bool\n\
             rule: partition(wall)\nrule: for p in board: region(wall, p) = {n}"
        );
        assert_count(&by_walls, expected, BOTH);
        assert_ne!(by_area, partition);
        assert_count(&by_area, expected, BOTH);
    }
}

/// Declarations; conditions with the number of assignments that a separate program, flooding boards cell by cell, counted.
const CONDITIONS: &[(&str, &[(&str, usize)])] = &[
    (
        "var b[2, 3] : bool",
        &[
            ("connected(b)", 41),
            ("connected(where(b, false))", 41),
            ("tree(b)", 34),
            ("acyclic(b)", 57),
            ("loop(b)", 2),
            ("path(b, (1, 1), (2, 3))", 3),
            ("path(b, (1, 1), (1, 2))", 1),
            ("path(b, (1, 1), (1, 1))", 0),
            ("path(b, (1, 1), (7, 1))", 0),
            ("reaches(b, [(1, 1), (2, 3)])", 39),
            ("reaches(b, [(1, 1), (9, 9), (2, 3)])", 39),
            ("reaches(b, [])", 1),
            ("divided(b)", 32),
            ("area(b, (1, 1)) = 3", 6),
            ("area(b, (1, 2)) <= 2", 41),
            ("area(b, (1, 1)) = area(b, (2, 3))", 26),
            ("area(b, (9, 9)) = 0", 64),
            ("area(b, (1, 1)) > 6", 0),
            ("for p in cells(b): area(b, p) != 2", 48),
            ("area(b, (1, 1)) = 2 or b[2, 3]", 35),
            ("area(where(b, b[1, 2]), (1, 2)) = 4", 16),
            ("area({q: b[q] = b[1, 1] for q in keys(b)}, (1, 1)) != 3", 52),
            ("for p in cells(b): area({q: b[q] = b[p] for q in keys(b)}, p) != 2", 38),
            ("connected(b, [((1, 1), (2, 3)), ((1, 2), (2, 2)), ((1, 1), (1, 2))])", 13),
            ("true -> all([connected(b), tree(b)])", 34),
            ("for p in [(1, 1), (2, 2)]: if true then connected(b) else tree(b)", 41),
        ],
    ),
    (
        "let some = [(1, 1), (1, 2), (2, 1), (3, 1), (3, 2)]\nvar b[some] : bool",
        &[
            ("connected(b)", 16),
            ("tree(b)", 16),
            ("path(b, (1, 2), (3, 2))", 1),
            ("reaches(b, [(2, 1)])", 10),
            ("area(b, (3, 2)) = 2", 4),
        ],
    ),
    (
        "var line[edges(1, 2)] : bool",
        &[
            ("connected(line)", 81),
            ("acyclic(line)", 112),
            ("tree(line)", 67),
            ("loop(line)", 3),
            ("path(line, (1, 1), (2, 3))", 4),
            ("reaches(line, [(1, 1), (2, 2)])", 100),
            ("divided(line)", 60),
            ("area(line, (1, 1)) = 3", 14),
            ("area(line, ((1, 1), (1, 2))) = 2", 8),
            ("loop(line, keys(line))", 3),
        ],
    ),
    (
        "var e[[(\"a\", \"b\"), (\"b\", \"c\"), (\"a\", \"c\"), (\"c\", \"c\"), (\"b\", \"a\")]] : bool",
        &[
            ("connected(e)", 29),
            ("acyclic(e)", 10),
            ("tree(e)", 10),
            ("loop(e)", 4),
            ("path(e, \"a\", \"c\")", 3),
        ],
    ),
    (
        "var wall[edges([(r, c) for r in 1..2, c in 1..3])] : bool",
        &[
            // the divisions of 2 x 3 cells into connected regions; those into regions of one size
            ("partition(wall)", 74),
            ("partition(wall) and for r in 1..2, c in 1..3: region(wall, (r, c)) = 2", 3),
            ("partition(wall) and for r in 1..2, c in 1..3: region(wall, (r, c)) = 3", 3),
            ("partition(wall) and for r in 1..2, c in 1..3: region(wall, (r, c)) = 6", 1),
            ("for r in 1..2, c in 1..3: region(wall, (r, c)) = 1", 1),
            ("partition(wall, keys(wall)) and wall[(1, 1), (1, 2)] and not wall[(2, 1), (2, 2)]", 19),
            ("partition({e: e[1][1] = e[2][1] for e in keys(wall)}) and wall[(1, 1), (1, 2)]", 64),
            ("partition({e: e[1][1] = 1 for e in keys(wall)})", 128),
            ("partition({e: e[1] = (1, 1) or wall[e] for e in keys(wall)})", 96),
            ("region({e: e[1] = (1, 1) or wall[e] for e in keys(wall)}, (1, 1)) = 1", 128),
            ("region(wall, (9, 9)) = 1", 128),
        ],
    ),
    (
        "var wall[[(\"a\", \"b\"), (\"b\", \"c\"), (\"a\", \"c\"), (\"c\", \"c\"), (\"b\", \"a\")]] : bool",
        &[
            ("partition(wall)", 5),
            ("region(wall, \"a\") = 2", 8),
            ("partition(wall) and region(wall, \"a\") = 2", 2),
        ],
    ),
    ("var wall[edges([(1, 1)])] : bool", &[("partition(wall)", 1), ("region(wall, (1, 1)) = 1", 1)]),
    (
        "let ring = [(1, 2), (2, 3), (3, 4), (1, 4)]\nvar wall[ring] : bool",
        &[("partition(wall, ring)", 12), ("region(wall, 1, ring) = 3", 3)],
    ),
    (
        "let ring = [(1, 2), (2, 3), (3, 4), (1, 4)]\nvar on[4] : bool",
        &[
            ("connected(on, ring)", 14),
            ("loop(on, ring ++ [(2, 1), (3, 3), (4, 5)])", 1),
            ("tree(on, ring)", 13),
            ("acyclic(on, ring)", 15),
            ("area(on, 2, ring) = 3", 3),
            ("path(on, 1, 3, ring)", 2),
        ],
    ),
    (
        "var x[2, 3] : 1..3",
        &[
            ("divided(x)", 267),
            ("for p in cells(x): area(x, p) = x[p]", 16),
            ("area(x, (1, 1)) = 2", 180),
            ("area(where(x, x[1, 1]), (1, 1)) = 2", 180),
            ("area(x, (1, 1)) = x[2, 3]", 208),
            ("area(x, (1, 1)) + area(x, (2, 3)) = 5", 120),
            ("for p in cells(x): area(where(x, x[p]), p) <= 2", 300),
        ],
    ),
    (
        "var l[2, 2] : [\"a\", \"b\", none]",
        &[
            ("divided(l)", 67),
            ("area(l, (1, 1)) = 2", 24),
            ("area(where(l, l[1, 2]), (1, 2)) = 2", 24),
            ("for p in cells(l): area({q: l[q] = l[p] for q in keys(l)}, p) <= 2", 54),
        ],
    ),
    (
        "var b[2, 2] : bool\nvar s, t : [(1, 1), (2, 2), (1, 2)]",
        &[("s = t and path(b, s, (2, 1))", 4), ("path(b, s, t)", 8), ("s = t and area(b, s) = 2", 6)],
    ),
    ("var b[2, 2] : bool\nvar s : [(1, 1), (5, 5)]", &[("path(b, s, (2, 1))", 1), ("area(b, s) = 0", 24)]),
    (
        "var t[1, 2] : [true, false, none]",
        &[("connected(t)", 4), ("divided(t)", 9), ("area(t, (1, 1)) = 2", 2), ("reaches(t, [(1, 1)])", 3)],
    ),
    ("var b[edges(1, 1)] : bool\nvar s : [(1, 1), (1, 2), (2, 1), (2, 2)]", &[("path(b, s, (1, 1))", 6)]),
    // what is apart in the plane: a board, boards with one hole and two, one without faces, and others of whose colours some are free
    ("var b[3, 3] : bool", &[("connected(b) and connected(where(b, false))", 108)]),
    (
        "let some = [(r, c) for r in 1..3, c in 1..4 if r != 2 or c = 1 or c = 4]\nvar b[some] : bool",
        &[("connected(b) and connected(where(b, false))", 92)],
    ),
    (
        "let some = [(r, c) for r in 1..3, c in 1..5 if r != 2 or c % 2 = 1]\nvar b[some] : bool",
        &[("divided(b)", 208)],
    ),
    (
        "let some = [(1, 1), (2, 1), (3, 1), (2, 2), (2, 3), (1, 3), (3, 3)]\nvar b[some] : bool",
        &[("divided(b)", 14)],
    ),
    (
        "var x[[(r, c) for r in 1..3, c in 1..3 if (r, c) != (2, 2)]] : 1..3",
        &[("connected(where(x, 1)) and connected(where(x, 3))", 787)],
    ),
    (
        "var x[2, 3] : 1..3",
        &[
            ("connected(where(x, 1)) and connected(where(x, 2))", 351),
            // these share cells, and may well cross
            (
                "connected({p: x[p] <= 2 for p in keys(x)}) and connected({p: x[p] >= 2 for p in keys(x)})",
                383,
            ),
        ],
    ),
];

/// Yin-yang without clues, but for squares of one colour: two sets that lie next to one another on a board with a rim and faces.
#[test]
fn two_colours() {
    let source = "var b[4, 4] : bool\nrule: connected(b)\nrule: connected(where(b, false))";
    assert_count(source, 1256, EXACT);
    assert_count(&source.replace("4, 4", "3, 3"), 108, BOTH);
}

#[test]
fn conditions_against_every_assignment() {
    let mut wrong = Vec::new();
    for (declarations, conditions) in CONDITIONS {
        for (condition, expected) in *conditions {
            let model = format!("{declarations}\nrule: {condition}");
            match judge(&model, &CHOICES) {
                Ok(found) if found == *expected => {}
                Ok(found) => wrong.push(format!("{condition}: {found} instead of {expected}")),
                Err(Wrong::Refused(why) | Wrong::Differs(why)) => wrong.push(format!("{condition}: {why}")),
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Two colours, each connected, on boards with holes: which of twelve cells there are is drawn by lot.
#[test]
fn colours_on_boards_with_holes() {
    for seed in 1..=12_u64 {
        // three cells of four
        let lot = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let kept = lot >> 52 | lot >> 40;
        let cells = (0..12).filter(|at| kept >> at & 1 == 1);
        let cells: Vec<String> = cells.map(|at| format!("({}, {})", at / 4 + 1, at % 4 + 1)).collect();
        let model = format!("let some = [{}]\nvar b[some] : bool\nrule: divided(b)", cells.join(", "));
        if let Err(Wrong::Refused(why) | Wrong::Differs(why)) = judge(&model, &CHOICES) {
            panic!("{model}: {why}");
        }
    }
}

/// Two graphs on one board that may share cells, or not; each has cells of its own, and is of any kind.
#[test]
fn two_graphs_on_a_board() {
    for seed in 1..=32 {
        let mut dice = Dice::new(seed);
        let is_bool = dice.coin();
        let size = if is_bool { 9 } else { 7 };
        let (width, hole) = dice.pick(&[(4, None), (3, Some(4)), (3, None)]);
        let cells = (0..3 * width).filter(|at| Some(*at) != hole);
        let mut cells: Vec<String> =
            cells.map(|at| format!("({}, {})", at / width + 1, at % width + 1)).collect();
        while cells.len() > size {
            cells.remove(dice.below(cells.len()));
        }
        let conditions: &[&str] = match is_bool {
            true => &["x[p]", "not x[p]"],
            false => &["x[p] = 1", "x[p] = 2", "x[p] = 3", "x[p] != 1"],
        };
        let graph = |dice: &mut Dice| {
            // the other may run where this one has a hole
            let (has_hole, has_gaps) = (dice.coin(), dice.coin());
            let is_own =
                |cell: &&str, dice: &mut Dice| !(has_hole && *cell == "(2, 2)" || has_gaps && dice.one_in(6));
            let own: Vec<&str> = cells.iter().map(String::as_str).filter(|cell| is_own(cell, dice)).collect();
            let condition = dice.pick(conditions);
            let array = format!("{{p: {condition} for p in [{}]}}", own.join(", "));
            match dice.below(5) {
                0 => format!("tree({array})"),
                1 if own.len() > 1 => format!("reaches({array}, [{}, {}])", dice.pick(&own), dice.pick(&own)),
                _ => format!("connected({array})"),
            }
        };
        let rules = [graph(&mut dice), graph(&mut dice)].map(|graph| format!("rule: {graph}\n")).concat();
        let domain = if is_bool { "bool" } else { "1..3" };
        let model = format!("let some = [{}]\nvar x[some] : {domain}\n{rules}", cells.join(", "));
        if let Err(Wrong::Refused(why) | Wrong::Differs(why)) = judge(&model, &CHOICES) {
            panic!("{model}: {why}");
        }
    }
}

/// However graphs are told, a command says the same.
#[test]
fn commands_agree() {
    let said = |args: &[&str], graph: &str| {
        let mut command = assert_cmd::Command::cargo_bin("rebus").expect("the program");
        command.current_dir(env!("CARGO_MANIFEST_DIR")).args(args).args(["--graph", graph]);
        let output = command.output().expect("it runs");
        assert!(output.status.success(), "{args:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    let folder = tempfile::TempDir::new().expect("a folder");
    let boards = folder.path().join("boards.jsonl");
    let lines = r#"{"h": 3, "w": 3, "clue": "333\n...\n33."}
{"h": 3, "w": 3, "clue": "333\n333\n333"}
"#;
    std::fs::write(&boards, lines).expect("a file");
    let boards = boards.to_str().expect("UTF-8");
    let cases: [&[&str]; 5] = [
        &["solve", "nurikabe", "nurikabe-1.clues", "--unique"],
        &["count", "slitherlink", "-D", "h=2", "-D", "w=3", "-D", "clue=......"],
        &["deduce", "masyu", "masyu-1.clues", "-f", "json"],
        &["explain", "fillomino", "fillomino-1.clues", "--why", "x[1, 1]"],
        &["solve", "slitherlink", "--each", boards, "-f", "json"],
    ];
    for args in cases {
        let first = said(args, "cuts");
        for graph in ["distance", "tree", "auto"] {
            assert_eq!(first, said(args, graph), "{args:?} {graph}");
        }
    }
}

#[test]
fn long_ways_and_several_sizes_of_one_area() {
    let town = r#"let roads = [("s", "x"), ("s", "a"), ("a", "x"), ("s", "b"), ("x", "y"), ("x", "z"), ("y", "z"), ("z", "t")]
        var closed[roads] : bool
        let open = {e: not closed[e] for e in roads}
        rule: open["y", "z"] and open["z", "t"]
        rule: area(open, "s") = 5"#;
    assert_count(town, 3, BOTH);
    let board = |n: u32| {
        format!(
            "let points = [(r, c) for r in 1..3, c in 1..6 if r = 2 or c <= 2]
            let roads = [(p, q) for p in points, q in points if p < q and abs(p[1] - q[1]) + abs(p[2] - q[2]) = 1]
                ++ [((2, 2), (2, 4))]
            var closed[roads] : bool
            let open = {{e: not closed[e] for e in roads}}
            rule: for c in 3..5: open[(2, c), (2, c + 1)]
            rule: area(open, (2, 1)) = {n}"
        )
    };
    for (n, expected) in [(6, 35), (7, 24)] {
        assert_count(&board(n), expected, BOTH);
    }
    let several = |shape: &str, most: u32, at: &str| {
        format!(
            "var l[{shape}] : 1..{most}\nvar n : 0..{most}\nrule: for p in cells(l): area(l, p) = l[p]\n\
             rule: area(l, {at}) = n"
        )
    };
    assert_count(&several("3, 3", 3, "(1, 3)"), 38, BOTH);
    assert_count(&several("1, 7", 4, "(1, 7)"), 17, BOTH);
}

/// Some sizes are left out of the formula, others are written out: what is left out is said.
#[test]
fn areas_left_out_and_written_out() {
    let source = "let bs = [(1, 3), (2, 3), (3, 1), (3, 2), (3, 3), (4, 1), (4, 2), (4, 3), (5, 2), (5, 3)]
        var b[bs] : bool
        var spot : [(2, 3), (3, 3), (3, 2)]
        let white = {p: not b[p] for p in keys(b)}
        rule: area(white, (2, 3)) = 5
        rule: area(white, spot) % 2 = 1";
    assert_count(source, 102, EXACT);
}
