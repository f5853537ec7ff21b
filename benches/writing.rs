//! How long writing large formulas takes, and how much memory: encoder and sink against a bare loop.
//!
//! Every measurement is a process of its own (this program again, with the measurement's name), so that its peak of memory
//! is its own. Times are CPU seconds, user and system: clock times say little on a busy machine.
//!
//! `cargo bench --bench writing`; with a name it measures only that.

use cpu_time::ProcessTime;
use rebus::encode::Lit;
use rebus::encode::cnf::{self, Amo, Options};
use rebus::encode::dimacs::DimacsSink;
use rebus::model::{Asserted, Atom, Bool, Domain, Instance, Int, Model, Term};
use rebus::shared::Budget;
use std::io::Write;
use std::process::Command;

const NAMES: [&str; 5] =
    ["sudoku-49-pairwise", "sudoku-49-bare", "queens-200-pairwise", "queens-200-bare", "sudoku-100-auto"];

fn main() {
    let named: Vec<String> = std::env::args().skip(1).filter(|arg| !arg.starts_with('-')).collect();
    if let [name] = &named[..] {
        return measure(name);
    }
    for name in NAMES {
        // alternating runs, so that a change of the machine's pace meets both rivals
        let program = std::env::current_exe().expect("a running program has a path");
        let status = Command::new(program).arg(name).status().expect("this program runs again");
        assert!(status.success(), "{name} failed");
    }
}

fn measure(name: &str) {
    let path = std::env::temp_dir().join(format!("rebus-{name}-{}.cnf", std::process::id()));
    let file = std::fs::File::create(&path).expect("a file in the temporary directory");
    let (model, options) = match name {
        "sudoku-49-pairwise" => (sudoku(7), Options { amo: Amo::Pairwise, ..Options::default() }),
        "queens-200-pairwise" => (queens(200), Options { amo: Amo::Pairwise, ..Options::default() }),
        "sudoku-100-auto" => (sudoku(10), Options::default()),
        _ => (Model::default(), Options::default()),
    };
    let built = ProcessTime::now();
    match name {
        "sudoku-49-bare" => bare(file, 49 * 49 * 49, &sudoku_groups(7), &[]),
        "queens-200-bare" => {
            let (exactly, at_most) = queens_groups(200);
            bare(file, 200 * 200, &exactly, &at_most);
        }
        _ => written(file, &model, options),
    }
    let used = built.elapsed().as_secs_f64();
    let bytes = std::fs::metadata(&path).map_or(0, |file| file.len());
    println!("{name:<20} {used:6.2} CPU s {:8.1} MB written {:6.1} MB peak", bytes as f64 / 1e6, peak());
    std::fs::remove_file(&path).expect("the file was just written");
}

/// Counts for the header, then writes.
fn written(file: std::fs::File, model: &Model, options: Options) {
    let budget = Budget::unlimited();
    let start = ProcessTime::now();
    let (counted, emission) = cnf::measure(model, &|_, _| true, options, &budget).expect("it can be encoded");
    let counting = start.elapsed().as_secs_f64();
    let mut sink = DimacsSink::new(file, false);
    sink.header(emission.variables, counted.clauses);
    cnf::encode(model, &|_, _| true, options, &budget, &mut sink, &|_| String::new()).expect("as counted");
    assert_eq!(sink.clauses(), counted.clauses);
    sink.finish().expect("the disk has room");
    println!("  {} variables, {} clauses, counted in {counting:.2}", emission.variables, counted.clauses);
}

/// The rival: formats every literal anew, through a buffer of the same size.
fn bare(mut file: std::fs::File, variables: Lit, exactly: &[Vec<Lit>], at_most: &[Vec<Lit>]) {
    const CHUNK: usize = 64 << 10;
    let pairs = |groups: &[Vec<Lit>]| groups.iter().map(|g| g.len() * (g.len() - 1) / 2).sum::<usize>();
    let clauses = pairs(exactly) + exactly.len() + pairs(at_most);
    let mut buffer: Vec<u8> = Vec::with_capacity(CHUNK + 64);
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
    println!("  {variables} variables, {clauses} clauses");
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
