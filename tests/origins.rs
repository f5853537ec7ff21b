//! The puzzles that the language was made for: each solved and drawn by its command.

use assert_cmd::Command;

/// What a command prints that must end well.
fn told(args: &[&str]) -> String {
    let assert = Command::cargo_bin("rebus").expect("built with the tests").args(args).assert().success();
    String::from_utf8(assert.get_output().stdout.clone()).expect("text")
}

fn known(path: &str) -> String {
    std::fs::read_to_string(format!("examples/{path}")).expect("in the catalogue")
}

/// Model, board, solution; every one has just one solution.
const DRAWN: &[(&str, &str, &str)] = &[
    ("knightdoku", "knightdoku-1.clues", "knightdoku/knightdoku-1.solution"),
    ("knightdoku", "knightdoku-2.clues", "knightdoku/knightdoku-2.solution"),
    ("sudoku", "sudoku-1.clues", "sudoku/sudoku-1.solution"),
    ("battleship", "battleship-1.clues", "battleship/battleship-1.solution"),
    ("nonogram", "nonogram-duck.clues", "nonogram/nonogram-duck.solution"),
];

#[test]
fn drawn_as_known() {
    for (model, board, solution) in DRAWN {
        let drawing = known(solution);
        assert_eq!(told(&["solve", model, board, "--all"]), drawing, "{board}");
        assert_eq!(told(&["solve", model, board, "--unique"]), format!("{drawing}unique\n"), "{board}");
        // the files themselves say the same as the catalogue in the program
        let path = format!("examples/{model}/{model}.rebus");
        let data = format!("examples/{model}/{board}");
        assert_eq!(told(&["solve", &path, &data]), drawing, "{board}");
        let values = known(&solution.replace(".solution", ".json"));
        let printed = told(&["solve", model, board, "-f", "json"]);
        assert_eq!(printed.lines().next().expect("a solution"), values.trim_end(), "{board}");
    }
}

#[test]
fn formula() {
    assert_eq!(told(&["solve", "formula", "--all"]), known("formula/formula.solution"));
    assert_eq!(told(&["solve", "formula"]), "x1 = true, x2 = true, x3 = true\n");
}

#[test]
fn the_two_rows() {
    let printed = told(&["solve", "row", "--all"]);
    let mut rows: Vec<&str> = printed.split("\n\n").map(str::trim_end).collect();
    rows.sort_unstable();
    assert_eq!(rows, ["2 3 4 1", "4 3 2 1"]);
    assert_eq!(told(&["count", "row"]), "2\n");
}

#[test]
fn sudoku_has_its_lines() {
    let clue = "clue=53..7....6..195....98....6.8...6...34..8.3..17...2...6.6....28....419..5....8..79";
    let printed = told(&["solve", "sudoku", "-D", clue]);
    let lines: Vec<&str> = printed.lines().collect();
    assert_eq!(lines.len(), 11);
    assert_eq!(lines[0], "5 3 4 | 6 7 8 | 9 1 2");
    assert_eq!((lines[3], lines[7]), ("------+-------+------", "------+-------+------"));
}

/// Strong and weak clues together leave twelve squares; each is a Latin square that keeps the signs.
#[test]
fn futoshiki() {
    let board = known("futoshiki/futoshiki-5.clues");
    let picture: Vec<Vec<char>> = board
        .lines()
        .skip_while(|line| !line.contains("\"\"\""))
        .skip(1)
        .take_while(|line| !line.contains("\"\"\""))
        .map(|line| format!("{line:9}").chars().collect())
        .collect();
    assert!(picture.len() == 9 && picture.iter().all(|row| row.len() == 9), "{picture:?}");
    let printed = told(&["solve", "futoshiki", "futoshiki-5.clues", "--all"]);
    let mut squares: Vec<&str> = printed.split("\n\n").collect();
    assert_eq!(squares.len(), 12);
    for square in &squares {
        let x: Vec<Vec<u32>> = square
            .lines()
            .map(|line| line.split(' ').map(|word| word.parse().expect("a number")).collect())
            .collect();
        for i in 0..5 {
            for mut line in [x[i].clone(), x.iter().map(|row| row[i]).collect()] {
                line.sort_unstable();
                assert_eq!(line, [1, 2, 3, 4, 5], "{square}");
            }
        }
        for (r, row) in picture.iter().enumerate() {
            for (c, sign) in row.iter().enumerate() {
                let holds = match sign {
                    '<' => x[r / 2][c / 2] < x[r / 2][c / 2 + 1],
                    '>' => x[r / 2][c / 2] > x[r / 2][c / 2 + 1],
                    '^' => x[r / 2][c / 2] < x[r / 2 + 1][c / 2],
                    'v' => x[r / 2][c / 2] > x[r / 2 + 1][c / 2],
                    digit => digit.to_digit(10).is_none_or(|digit| x[r / 2][c / 2] == digit),
                };
                assert!(holds, "{square}: {sign} in row {}, column {}", r + 1, c + 1);
            }
        }
    }
    squares.sort_unstable();
    squares.dedup();
    assert_eq!(squares.len(), 12);
    assert_eq!(told(&["count", "futoshiki", "futoshiki-5.clues"]), "12\n");
}
