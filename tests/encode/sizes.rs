//! How much is written for known puzzles, and what is promised about numbers.

use super::{assert_rule, encode, promises};
use rebus::encode::cnf::{self, Amo, Card, IntEncoding, Line, Options};
use rebus::encode::dimacs::DimacsSink;
use rebus::encode::{CountingSink, Lit};
use rebus::model::{Atom, Block, Bool, Domain, Int, Model, Runs, Term, VarId};
use rebus::shared::Budget;

fn count(parts: &[Bool]) -> Vec<Term> {
    parts.iter().map(|part| Term { coef: 1, atom: Atom::Bool(*part) }).collect()
}

fn size(model: &Model, options: Options) -> (u32, u64) {
    let (sink, emission) = cnf::measure(model, &|_, _| true, options, &Budget::unlimited()).unwrap();
    let (list, same) = encode(model, &|_, _| true, options).unwrap();
    promises(&list, &same);
    let literals = list.clauses.iter().map(|clause| clause.len() as u64).sum();
    assert_eq!(sink, CountingSink { clauses: list.clauses.len() as u64, literals });
    assert_eq!(emission.variables, same.variables);
    (emission.variables, sink.clauses)
}

#[test]
fn exactly_3_of_9() {
    let mut model = Model::default();
    let vars: Vec<VarId> = (0..9).map(|_| model.add_var(Domain::Bool)).collect();
    let parts: Vec<Bool> = vars.iter().map(|var| model.arena.var_bool(*var)).collect();
    let rule = model.arena.eq(count(&parts), 3).unwrap();
    assert_rule(&mut model, rule);
    let with = |card| size(&model, Options { card, ..Options::default() });
    assert_eq!(with(Card::Naive), (9, 162));
    assert_eq!(with(Card::Auto), with(Card::Bdd));
    let (variables, clauses) = with(Card::Bdd);
    assert!(variables <= 9 + 27 && clauses <= 53, "{variables} variables, {clauses} clauses");
}

/// Board 1 of Nacin's article: clues are knights that say how many knights they attack.
const KNIGHTDOKU: [&str; 9] = [
    "........0",
    ".2.......",
    "...3.....",
    ".14......",
    ".6..4..0.",
    "......32.",
    ".....5...",
    ".......2.",
    "0........",
];

fn knightdoku() -> Model {
    let mut model = Model::default();
    let knights: Vec<Bool> = (0..81)
        .map(|_| {
            let var = model.add_var(Domain::Bool);
            model.arena.var_bool(var)
        })
        .collect();
    let mut houses: Vec<Vec<Bool>> = Vec::new();
    for i in 0..9 {
        houses.push((0..9).map(|j| knights[9 * i + j]).collect());
        houses.push((0..9).map(|j| knights[9 * j + i]).collect());
        let corner = i / 3 * 27 + i % 3 * 3;
        houses.push((0..9).map(|j| knights[corner + j / 3 * 9 + j % 3]).collect());
    }
    for house in houses {
        let rule = model.arena.eq(count(&house), 3).unwrap();
        assert_rule(&mut model, rule);
    }
    for (r, row) in KNIGHTDOKU.iter().enumerate() {
        for (c, clue) in row.bytes().enumerate().filter(|(_, clue)| *clue != b'.') {
            let leaps = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];
            let attacked: Vec<Bool> = leaps
                .iter()
                .map(|(dr, dc)| (r as i32 + dr, c as i32 + dc))
                .filter(|(r, c)| (0..9).contains(r) && (0..9).contains(c))
                .map(|(r, c)| knights[(9 * r + c) as usize])
                .collect();
            let attacks = model.arena.eq(count(&attacked), i64::from(clue - b'0')).unwrap();
            let rule = model.arena.and2(knights[9 * r + c], attacks);
            assert_rule(&mut model, rule);
        }
    }
    model
}

#[test]
fn knightdoku_board_1() {
    let model = knightdoku();
    assert_eq!(size(&model, Options { card: Card::Naive, ..Options::default() }), (81, 4979));
    let (variables, clauses) = size(&model, Options::default());
    assert!(variables <= 1000 && clauses <= 1800, "{variables} variables, {clauses} clauses");
}

/// send + more = money as one equation over 8 digits, all different.
fn money() -> Model {
    let mut model = Model::default();
    let letters = "sendmory";
    let ints: Vec<Int> = letters
        .bytes()
        .map(|letter| {
            let least = if letter == b's' || letter == b'm' { 1 } else { 0 };
            let var = model.add_var(Domain::Ints((least..10).collect()));
            model.var_int(var)
        })
        .collect();
    let mut terms = Vec::new();
    for (word, sign) in [("send", 1), ("more", 1), ("money", -1)] {
        let mut weight = sign;
        for letter in word.bytes().rev() {
            let at = letters.bytes().position(|other| other == letter).unwrap();
            terms.push(Term { coef: weight, atom: Atom::Int(ints[at]) });
            weight *= 10;
        }
    }
    let equation = model.arena.eq(terms, 0).unwrap();
    let different = model.arena.distinct(&ints);
    assert_rule(&mut model, different);
    assert_rule(&mut model, equation);
    model
}

#[test]
fn money_as_one_equation() {
    let (variables, clauses) = size(&money(), Options::default());
    assert!(clauses <= 14_000, "{variables} variables, {clauses} clauses");
}

fn sudoku() -> Model {
    let mut model = Model::default();
    let cells: Vec<Int> = (0..81)
        .map(|_| {
            let var = model.add_var(Domain::Ints((1..=9).collect()));
            model.var_int(var)
        })
        .collect();
    for i in 0..9 {
        let row: Vec<Int> = (0..9).map(|j| cells[9 * i + j]).collect();
        let column: Vec<Int> = (0..9).map(|j| cells[9 * j + i]).collect();
        let corner = i / 3 * 27 + i % 3 * 3;
        let block: Vec<Int> = (0..9).map(|j| cells[corner + j / 3 * 9 + j % 3]).collect();
        for house in [row, column, block] {
            let rule = model.arena.distinct(&house);
            assert_rule(&mut model, rule);
        }
    }
    model
}

/// "x[r,c] = v" is 81(r - 1) + 9(c - 1) + v, whatever is fixed and whatever is chosen for the auxiliaries.
#[test]
fn a_sudoku_is_numbered_as_promised() {
    let model = sudoku();
    for amo in [Amo::Auto, Amo::Product, Amo::Ladder] {
        let options = Options { amo, int: IntEncoding::Direct, ..Options::default() };
        for fixed in [false, true] {
            let allows = |var: VarId, position: u32| !fixed || var.0 != 40 || position == 4;
            let (list, emission) = encode(&model, &allows, options).unwrap();
            assert_eq!(emission.named, 729);
            for r in 1..=9i32 {
                for c in 1..=9i32 {
                    let var = VarId((9 * (r - 1) + c - 1) as u32);
                    let rebus::encode::symbols::Encoding::Direct { first, size } =
                        emission.encodings[var.0 as usize]
                    else {
                        panic!("not direct")
                    };
                    assert_eq!((first, size), (81 * (r - 1) + 9 * (c - 1) + 1, 9));
                }
            }
            assert_eq!(list.clauses.contains(&vec![40 * 9 + 5 as Lit]), fixed);
        }
    }
    assert_eq!(size(&model, Options { amo: Amo::Pairwise, ..Options::default() }), (729, 324 * 37));
}

/// A line of paint by numbers: a literal a start, or a literal a state and cell.
#[test]
fn lines_by_starts_and_by_automaton() {
    let mut model = Model::default();
    let vars: Vec<VarId> = (0..25).map(|_| model.add_var(Domain::Bool)).collect();
    let cells: Vec<Bool> = vars.iter().map(|var| model.arena.var_bool(*var)).collect();
    let blocks = [4, 1, 3, 2, 5].map(Block::Length).to_vec();
    let rule = model.arena.runs(Runs { cells, blocks });
    assert_rule(&mut model, rule);
    let with = |line| size(&model, Options { line, ..Options::default() });
    let (starts, automaton) = (with(Line::Starts), with(Line::Automaton));
    assert_eq!(with(Line::Auto), starts);
    assert!(2 * starts.0 < automaton.0 && 2 * starts.1 < automaton.1, "{starts:?} {automaton:?}");
}

#[test]
fn the_same_input_gives_the_same_clauses() {
    for model in [knightdoku(), money(), sudoku()] {
        let first = encode(&model, &|_, _| true, Options::default()).unwrap().0;
        let second = encode(&model, &|_, _| true, Options::default()).unwrap().0;
        assert_eq!(first, second);
    }
}

/// The text of a formula says what the encoder said, and its header the truth.
#[test]
fn a_written_file_reads_back() {
    let budget = Budget::unlimited();
    for model in [knightdoku(), money(), sudoku()] {
        let options = Options::default();
        let (counted, emission) = cnf::measure(&model, &|_, _| true, options, &budget).unwrap();
        let mut bytes = Vec::new();
        let mut sink = DimacsSink::new(&mut bytes, true);
        sink.header(emission.variables, counted.clauses);
        cnf::encode(&model, &|_, _| true, options, &budget, &mut sink, &|at| format!("rule {}", at.rule))
            .unwrap();
        assert_eq!(sink.clauses(), counted.clauses);
        sink.finish().unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let mut lines = text.lines().filter(|line| !line.starts_with("c : "));
        let header = format!("p cnf {} {}", emission.variables, counted.clauses);
        assert_eq!(lines.next(), Some(header.as_str()));
        let read: Vec<Vec<Lit>> = lines
            .map(|line| {
                let mut lits: Vec<Lit> = line.split(' ').map(|word| word.parse().unwrap()).collect();
                assert_eq!(lits.pop(), Some(0));
                lits
            })
            .collect();
        assert_eq!(read, encode(&model, &|_, _| true, options).unwrap().0.clauses);
    }
}

/// Deep terms and long counts do not run out of stack.
#[test]
fn depth_is_no_limit() {
    let mut model = Model::default();
    let vars: Vec<VarId> = (0..20_000).map(|_| model.add_var(Domain::Bool)).collect();
    let parts: Vec<Bool> = vars.iter().map(|var| model.arena.var_bool(*var)).collect();
    let most = model.arena.le(count(&parts), 2).unwrap();
    let chain = parts.iter().copied().reduce(|a, b| model.arena.iff(a, b)).unwrap();
    assert_rule(&mut model, most);
    assert_rule(&mut model, chain);
    let (sink, _) = cnf::measure(&model, &|_, _| true, Options::default(), &Budget::unlimited()).unwrap();
    assert!(sink.clauses > 100_000);
}
