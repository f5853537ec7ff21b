//! How long writing large formulas takes, and how much memory: encoder and sink against a bare loop.
//!
//! Every measurement is a process of its own (this program again, with the measurement's name), so that its
//! peak of memory is its own. Times are CPU seconds, user and system: clock times say little on a busy
//! machine.
//!
//! `cargo bench --bench writing`; with a name it measures only that.

use cpu_time::ProcessTime;
use rebus::encode::Lit;
use rebus::encode::cnf::{self, Amo, Options};
use rebus::encode::dimacs::DimacsSink;
use rebus::model::{Asserted, Atom, Bool, Domain, Instance, Int, Model, Term};
use rebus::shared::Budget;
use std::fs::File;
use std::io::Write;
use std::process::Command;

const SUDOKU_49: &str = "sudoku-49-pairwise";
const SUDOKU_49_BARE: &str = "sudoku-49-bare";
const QUEENS_200: &str = "queens-200-pairwise";
const QUEENS_200_BARE: &str = "queens-200-bare";
const SUDOKU_100: &str = "sudoku-100-auto";

/// Each is measured so often; the median counts.
const ROUNDS: usize = 3;

/// CPU seconds, megabytes written, megabytes held at most; variables and clauses.
#[derive(Clone, Copy)]
struct Measured {
    seconds: f64,
    written: f64,
    peak: f64,
    variables: u32,
    clauses: u64,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    if let [name] = &arguments[..]
        && !name.starts_with('-')
    {
        return measure(name);
    }
    if !arguments.iter().any(|argument| argument == "--bench") {
        println!("only measured by `cargo bench`");
        return;
    }
    let names = [SUDOKU_49, SUDOKU_49_BARE, QUEENS_200, QUEENS_200_BARE, SUDOKU_100];
    // round by round, so that a change of the machine's pace meets both rivals
    let mut rounds: Vec<Vec<Measured>> = vec![Vec::new(); names.len()];
    for _ in 0..ROUNDS {
        names.iter().zip(&mut rounds).for_each(|(name, rounds)| rounds.push(run(name)));
    }
    let medians: Vec<Measured> = rounds
        .iter_mut()
        .map(|rounds| {
            rounds.sort_by(|a, b| a.seconds.total_cmp(&b.seconds));
            rounds[ROUNDS / 2]
        })
        .collect();
    for (name, of) in names.iter().zip(&medians) {
        println!(
            "{name:<20} {:5.2} CPU s {:7.1} MB written {:6.1} MB peak {:9} variables {:10} clauses",
            of.seconds, of.written, of.peak, of.variables, of.clauses
        );
    }
    for at in [0, 2] {
        assert_eq!(medians[at].clauses, medians[at + 1].clauses, "rivals write the same");
        let ratio = medians[at].seconds / medians[at + 1].seconds;
        println!("{} takes {ratio:.2} of the time of {}", names[at], names[at + 1]);
    }
}

/// One measurement in a process of its own.
fn run(name: &str) -> Measured {
    let program = std::env::current_exe().expect("a running program has a path");
    let output = Command::new(program).arg(name).output().expect("this program runs again");
    let text = String::from_utf8_lossy(&output.stdout);
    let words: Vec<&str> = text.split_whitespace().collect();
    let [seconds, written, peak, variables, clauses] = words[..] else {
        panic!("{name} failed: {}", String::from_utf8_lossy(&output.stderr));
    };
    let number = |word: &str| word.parse::<f64>().expect("a number");
    Measured {
        seconds: number(seconds),
        written: number(written),
        peak: number(peak),
        variables: number(variables) as u32,
        clauses: number(clauses) as u64,
    }
}

fn measure(name: &str) {
    let path = std::env::temp_dir().join(format!("rebus-{name}-{}.cnf", std::process::id()));
    let file = std::fs::File::create(&path).expect("a file in the temporary directory");
    let pairwise = Options { amo: Amo::Pairwise, ..Options::default() };
    let measured = |model: &Model, options| {
        let start = ProcessTime::now();
        let size = written(&file, model, options);
        (size, start.elapsed())
    };
    let ((variables, clauses), time) = match name {
        SUDOKU_49 => measured(&sudoku(7), pairwise),
        QUEENS_200 => measured(&queens(200), pairwise),
        SUDOKU_100 => measured(&sudoku(10), Options::default()),
        SUDOKU_49_BARE | QUEENS_200_BARE => {
            let (variables, (exactly, at_most)) = match name {
                SUDOKU_49_BARE => (49 * 49 * 49, (sudoku_groups(7), Vec::new())),
                _ => (200 * 200, queens_groups(200)),
            };
            let start = ProcessTime::now();
            let clauses = bare(&file, variables, &exactly, &at_most);
            ((variables, clauses), start.elapsed())
        }
        _ => panic!("no measurement is called {name}"),
    };
    let bytes = std::fs::metadata(&path).expect("the file is there").len();
    println!("{} {} {} {variables} {clauses}", time.as_secs_f64(), bytes as f64 / 1e6, peak());
    std::fs::remove_file(&path).expect("the file was just written");
}

/// Counts for the header, then writes.
fn written(file: &File, model: &Model, options: Options) -> (u32, u64) {
    let budget = Budget::unlimited();
    let (counted, emission) = cnf::measure(model, &|_, _| true, options, &budget).expect("it can be encoded");
    let mut sink = DimacsSink::new(file, false);
    sink.header(emission.variables, counted.clauses);
    cnf::encode(model, &|_, _| true, options, &budget, &mut sink, &|_| String::new()).expect("as counted");
    assert_eq!(sink.clauses(), counted.clauses);
    sink.finish().expect("the disk has room");
    (emission.variables, counted.clauses)
}

/// The rival: formats every literal anew, through a buffer of the same size.
fn bare(mut file: &File, variables: u32, exactly: &[Vec<Lit>], at_most: &[Vec<Lit>]) -> u64 {
    const CHUNK: usize = 64 << 10;
    let pairs = |groups: &[Vec<Lit>]| groups.iter().map(|g| g.len() * (g.len() - 1) / 2).sum::<usize>();
    let clauses = pairs(exactly) + exactly.len() + pairs(at_most);
    let mut buffer: Vec<u8> = Vec::with_capacity(CHUNK + 64);
    buffer.extend_from_slice(format!("p cnf {variables} {clauses}\n").as_bytes());
    let mut number = itoa::Buffer::new();
    let mut clause = |lits: &[Lit]| {
        for lit in lits {
            buffer.extend_from_slice(number.format(*lit).as_bytes());
            buffer.push(b' ');
        }
        buffer.extend_from_slice(b"0\n");
        if buffer.len() >= CHUNK {
            file.write_all(&buffer).expect("the disk has room");
            buffer.clear();
        }
    };
    for group in exactly {
        clause(group);
        for (i, a) in group.iter().enumerate() {
            group[i + 1..].iter().for_each(|b| clause(&[-a, -b]));
        }
    }
    for group in at_most {
        for (i, a) in group.iter().enumerate() {
            group[i + 1..].iter().for_each(|b| clause(&[-a, -b]));
        }
    }
    file.write_all(&buffer).expect("the disk has room");
    clauses as u64
}

/// Rows, columns and blocks of a sudoku with blocks of `n` by `n`, as places of cells.
fn houses(n: usize) -> Vec<Vec<usize>> {
    let side = n * n;
    let mut houses = Vec::new();
    for i in 0..side {
        let corner = i / n * n * side + i % n * n;
        houses.push((0..side).map(|j| side * i + j).collect());
        houses.push((0..side).map(|j| side * j + i).collect());
        houses.push((0..side).map(|j| corner + j / n * side + j % n).collect());
    }
    houses
}

fn sudoku_groups(n: usize) -> Vec<Vec<Lit>> {
    let side = n * n;
    let lit = |cell: usize, value: usize| (cell * side + value + 1) as Lit;
    let mut groups: Vec<Vec<Lit>> =
        (0..side * side).map(|cell| (0..side).map(|value| lit(cell, value)).collect()).collect();
    for house in houses(n) {
        groups.extend((0..side).map(|value| house.iter().map(|cell| lit(*cell, value)).collect()));
    }
    groups
}

fn rule(model: &mut Model, what: Bool) {
    let instance = Instance { rule: 0, ordinal: model.rules.len() as u32 };
    model.rules.push(Asserted { what, instance });
}

fn sudoku(n: usize) -> Model {
    let side = n * n;
    let mut model = Model::default();
    let values: std::rc::Rc<[i64]> = (1..=side as i64).collect();
    let cells: Vec<Int> = (0..side * side)
        .map(|_| {
            let var = model.add_var(Domain::Ints(values.clone()));
            model.var_int(var)
        })
        .collect();
    for house in houses(n) {
        let parts: Vec<Int> = house.iter().map(|cell| cells[*cell]).collect();
        let what = model.arena.distinct(&parts);
        rule(&mut model, what);
    }
    model
}

/// Rows and columns, then diagonals, as places of a board.
fn lines(n: usize) -> (Vec<Vec<usize>>, Vec<Vec<usize>>) {
    let of = |f: &dyn Fn(usize, usize) -> usize, lines: usize| {
        let mut all = vec![Vec::new(); lines];
        (0..n * n).for_each(|cell| all[f(cell / n, cell % n)].push(cell));
        all
    };
    let mut straight = of(&|r, _| r, n);
    straight.extend(of(&|_, c| c, n));
    let mut diagonal = of(&|r, c| r + c, 2 * n - 1);
    diagonal.extend(of(&|r, c| r + n - 1 - c, 2 * n - 1));
    diagonal.retain(|line| line.len() > 1);
    (straight, diagonal)
}

fn queens_groups(n: usize) -> (Vec<Vec<Lit>>, Vec<Vec<Lit>>) {
    let (straight, diagonal) = lines(n);
    let lits = |lines: Vec<Vec<usize>>| {
        lines.iter().map(|line| line.iter().map(|cell| *cell as Lit + 1).collect()).collect()
    };
    (lits(straight), lits(diagonal))
}

fn queens(n: usize) -> Model {
    let mut model = Model::default();
    let queen: Vec<Bool> = (0..n * n)
        .map(|_| {
            let var = model.add_var(Domain::Bool);
            model.arena.var_bool(var)
        })
        .collect();
    let (straight, diagonal) = lines(n);
    let count = |line: &[usize]| -> Vec<Term> {
        line.iter().map(|cell| Term { coef: 1, atom: Atom::Bool(queen[*cell]) }).collect()
    };
    for line in &straight {
        let what = model.arena.eq(count(line), 1).expect("small numbers");
        rule(&mut model, what);
    }
    for line in &diagonal {
        let what = model.arena.le(count(line), 1).expect("small numbers");
        rule(&mut model, what);
    }
    model
}

/// The most memory this process held, in megabytes.
fn peak() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kib: f64 = line.and_then(|line| line.split_whitespace().next()?.parse().ok()).unwrap_or(f64::NAN);
    kib * 1024.0 / 1e6
}
