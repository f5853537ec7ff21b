//! Problems for the bench, as texts that Knuth's programs read.

use std::fmt::Write;

/// Primary items, secondary items, options.
fn text(primary: &[String], secondary: &[String], options: &[Vec<String>]) -> String {
    let mut text = primary.join(" ");
    if !secondary.is_empty() {
        write!(text, " | {}", secondary.join(" ")).expect("a string has room");
    }
    for option in options {
        write!(text, "\n{}", option.join(" ")).expect("a string has room");
    }
    text.push('\n');
    text
}

/// Rows and columns from the middle out, diagonals secondary.
pub fn queens(n: usize) -> String {
    let order: Vec<usize> = (0..n).map(|j| if j % 2 == 1 { (n - 1 - j) / 2 } else { (n + j) / 2 }).collect();
    let primary: Vec<String> = order.iter().flat_map(|k| [format!("r{k}"), format!("c{k}")]).collect();
    let secondary: Vec<String> = (0..2 * n - 1).flat_map(|k| [format!("a{k}"), format!("b{k}")]).collect();
    let place = |i: &usize, j: &usize| {
        vec![format!("r{i}"), format!("c{j}"), format!("a{}", i + j), format!("b{}", i + n - 1 - j)]
    };
    let options: Vec<_> = order.iter().flat_map(|i| order.iter().map(|j| place(i, j))).collect();
    text(&primary, &secondary, &options)
}

/// Both directions.
pub fn langford(n: usize) -> String {
    let numbers = (1..=n).rev().map(|d| d.to_string());
    let primary: Vec<String> = numbers.chain((1..=2 * n).map(|k| format!("s{k}"))).collect();
    let pair = |d: usize, i: usize| vec![d.to_string(), format!("s{i}"), format!("s{}", i + d + 1)];
    let options: Vec<_> = (1..=n).rev().flat_map(|d| (1..2 * n - d).map(move |i| pair(d, i))).collect();
    text(&primary, &[], &options)
}

const PIECES: [&str; 12] = [
    "F .FF/FF./.F.",
    "I IIIII",
    "L L.../LLLL",
    "N NN../.NNN",
    "P PP/PP/P.",
    "T TTT/.T./.T.",
    "U U.U/UUU",
    "V V../V../VVV",
    "W W../WW./.WW",
    "X .X./XXX/.X.",
    "Y .Y../YYYY",
    "Z ZZ./.Z./.ZZ",
];

pub fn pentominoes(rows: i32, columns: i32) -> String {
    let name = |(r, c): (i32, i32)| format!("{r}.{c}");
    let board = || (0..rows).flat_map(|r| (0..columns).map(move |c| (r, c)));
    let mut options = Vec::new();
    for piece in PIECES {
        let (letter, shape) = piece.split_once(' ').expect("a piece has a name");
        let mut cells: Vec<(i32, i32)> = (0..)
            .zip(shape.split('/'))
            .flat_map(|(r, row)| {
                (0..).zip(row.chars()).filter(|(_, sign)| *sign != '.').map(move |(c, _)| (r, c))
            })
            .collect();
        let mut placements = Vec::new();
        for turn in 0..8 {
            cells.iter_mut().for_each(|(r, c)| (*r, *c) = (*c, -*r));
            if turn == 4 {
                cells.iter_mut().for_each(|(r, _)| *r = -*r);
            }
            let top = cells.iter().map(|cell| cell.0).min().expect("five cells");
            let left = cells.iter().map(|cell| cell.1).min().expect("five cells");
            let mut placed: Vec<_> = cells.iter().map(|(r, c)| (r - top, c - left)).collect();
            placed.sort_unstable();
            placements.push(placed);
        }
        placements.sort();
        placements.dedup();
        for placed in placements {
            for (r, c) in board() {
                if placed.iter().all(|(dr, dc)| r + dr < rows && c + dc < columns) {
                    let cells = placed.iter().map(|(dr, dc)| name((r + dr, c + dc)));
                    options.push([letter.to_owned()].into_iter().chain(cells).collect());
                }
            }
        }
    }
    let letters = PIECES.map(|piece| piece[..1].to_owned()).into_iter();
    let primary: Vec<String> = letters.chain(board().map(name)).collect();
    text(&primary, &[], &options)
}

/// The items of givens and all options in conflict with them are left out.
pub fn sudoku(clues: &str) -> String {
    let items = |r: usize, c: usize, v: usize| {
        [format!("p{r}{c}"), format!("r{r}{v}"), format!("c{c}{v}"), format!("b{}{v}", r / 3 * 3 + c / 3)]
    };
    let given = |(at, sign): (usize, char)| {
        Some(items(at / 9, at % 9, sign.to_digit(10).filter(|v| *v > 0)? as usize))
    };
    let covered: Vec<String> = clues.chars().take(81).enumerate().filter_map(given).flatten().collect();
    let cells = (0..81).map(|at| format!("p{}{}", at / 9, at % 9));
    let lines = ["r", "c", "b"]
        .into_iter()
        .flat_map(|kind| (0..81).map(move |k| format!("{kind}{}{}", k / 9, k % 9 + 1)));
    let primary: Vec<String> = cells.chain(lines).filter(|item| !covered.contains(item)).collect();
    let all = (0..729).map(|k| items(k / 81, k / 9 % 9, k % 9 + 1).to_vec());
    let options: Vec<_> = all.filter(|option| !option.iter().any(|item| covered.contains(item))).collect();
    text(&primary, &[], &options)
}

/// A latin square with `less` neighbours in order and `given` cells, nothing worked out before: each order is a group of
/// secondary items along the paths of a Fenwick tree, so that the smaller value's path meets those of values up to it.
pub fn futoshiki(n: usize, less: usize, given: usize, seed: u64) -> String {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut shuffle = |items: &mut Vec<(usize, usize)>| {
        for end in (1..items.len()).rev() {
            state ^= state << 13;
            state ^= state >> 7;
            state ^= state << 17;
            items.swap(end, (state % (end as u64 + 1)) as usize);
        }
    };
    let mut shuffled = |n: usize| {
        let mut items: Vec<(usize, usize)> = (0..n).map(|k| (k, 0)).collect();
        shuffle(&mut items);
        items.into_iter().map(|item| item.0).collect::<Vec<_>>()
    };
    let (rows, columns, values) = (shuffled(n), shuffled(n), shuffled(n));
    let value = |cell: usize| values[(rows[cell / n] + columns[cell % n]) % n] + 1;
    let across = (0..n * n).filter(|cell| cell % n + 1 < n).map(|cell| (cell, cell + 1));
    let pairs: Vec<(usize, usize)> = across.chain((0..n * (n - 1)).map(|cell| (cell, cell + n))).collect();
    let order: Vec<(usize, usize)> = shuffled(pairs.len())[..less]
        .iter()
        .map(|at| {
            if value(pairs[*at].0) < value(pairs[*at].1) { pairs[*at] } else { (pairs[*at].1, pairs[*at].0) }
        })
        .collect();
    let given = &shuffled(n * n)[..given];
    let mut options = Vec::new();
    for cell in 0..n * n {
        for v in (1..=n).filter(|v| !given.contains(&cell) || *v == value(cell)) {
            let mut option =
                vec![format!("p{cell}"), format!("r{}.{v}", cell / n), format!("c{}.{v}", cell % n)];
            for (k, (small, large)) in order.iter().enumerate() {
                let mut at = v;
                while cell == *small && at > 0 {
                    option.push(format!("s{k}.{at}"));
                    at &= at - 1;
                }
                while cell == *large && at <= n {
                    option.push(format!("s{k}.{at}"));
                    at += at & at.wrapping_neg();
                }
            }
            options.push(option);
        }
    }
    let lines = ["r", "c"]
        .into_iter()
        .flat_map(|kind| (0..n).flat_map(move |k| (1..=n).map(move |v| format!("{kind}{k}.{v}"))));
    let primary: Vec<String> = (0..n * n).map(|cell| format!("p{cell}")).chain(lines).collect();
    let secondary: Vec<String> =
        (0..less).flat_map(|k| (1..=n).map(move |at| format!("s{k}.{at}"))).collect();
    text(&primary, &secondary, &options)
}

/// Three cells in every row and column of a board.
pub fn three_a_line(n: usize) -> String {
    let primary: Vec<String> = (0..n).flat_map(|k| [format!("3|r{k}"), format!("3|c{k}")]).collect();
    let options: Vec<_> =
        (0..n * n).map(|cell| vec![format!("r{}", cell / n), format!("c{}", cell % n)]).collect();
    text(&primary, &[], &options)
}
