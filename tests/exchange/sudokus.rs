//! Sudokus of f-puzzles and SudokuPad, nonograms of webpbn.

use crate::data;
use crate::harness::{board, import, solutions};

/// The board of the catalogue as f-puzzles has it, as JSON and as a link.
#[test]
fn constraints_of_f_puzzles() {
    let shipped = include_str!("../../examples/sudoku/sudoku-constraints-1.clues");
    let expected = solutions("sudoku-constraints", shipped, 2).unwrap();
    for text in [data("f-puzzles.json"), data("f-puzzles.link")] {
        let imported = import(&text).unwrap();
        assert_eq!(imported.genre, "sudoku-constraints");
        assert!(imported.clues.starts_with("# Small\n# Somebody\nbox = (2, 3)\n"), "{}", imported.clues);
        assert_eq!(solutions(imported.genre, &imported.clues, 2).unwrap(), expected);
    }
    assert_eq!(expected.len(), 1);
}

fn puzzle(grid: &str, rest: &str) -> String {
    format!("{{\"size\": 4, \"grid\": [{grid}]{rest}}}")
}

const EMPTY: &str = "[{},{},{},{}],[{},{},{},{}],[{},{},{},{}],[{},{},{},{}]";

#[test]
fn plain_sudokus_of_f_puzzles() {
    let given = EMPTY.replacen("{}", "{\"value\": 3, \"given\": true}", 1);
    let imported = import(&puzzle(&given, ", \"antiknight\": false, \"thermometer\": []")).unwrap();
    assert_eq!((imported.genre, imported.clues.lines().nth(2)), ("sudoku", Some("3 . . .")));
    let rooms: Vec<String> = (0..16)
        .map(|at| format!("{{\"region\": {}}}", [0, 0, 0, 1, 0, 1, 1, 1, 2, 2, 2, 3, 2, 3, 3, 3][at]))
        .collect();
    let rows: Vec<String> = rooms.chunks(4).map(|row| format!("[{}]", row.join(","))).collect();
    let imported = import(&puzzle(&rows.join(","), "")).unwrap();
    assert_eq!(imported.genre, "jigsaw-sudoku");
    assert!(imported.clues.contains("aaab\nabbb\ncccd\ncddd"), "{}", imported.clues);
    let imported = import(&puzzle(&rows.join(","), ", \"antiking\": true, \"diagonal-\": true")).unwrap();
    assert_eq!(imported.genre, "sudoku-constraints");
    for part in ["box = (1, 4)", "antiking = true", "([(1, 1), (2, 2), (3, 3), (4, 4)], none)"] {
        assert!(imported.clues.contains(part), "{}", imported.clues);
    }
    assert!(board(imported.genre, &imported.clues).is_ok());
}

#[test]
fn what_is_not_supported_is_named() {
    for (rest, message) in [
        (", \"regionsumline\": [{\"lines\": [[\"R1C1\"]]}]", "`regionsumline` of f-puzzles is not supported"),
        (", \"negative\": [\"xv\"]", "`negative` of f-puzzles is not supported"),
        (", \"odd\": [{\"cell\": \"R5C1\"}]", "`R5C1` is no cell"),
        (", \"odd\": [{}]", "`` is no cell"),
        (", \"killercage\": [{\"cells\": []}]", "a constraint has no cells"),
        (", \"arrow\": [{\"cells\": [\"R1C1\", \"R1C2\"], \"lines\": []}]", "two digits"),
        (", \"littlekillersum\": [{\"cell\": \"R0C1\", \"direction\": \"UL\", \"value\": 3}]", "looks away"),
    ] {
        let fault = import(&puzzle(EMPTY, rest)).unwrap_err();
        assert!(fault.message.contains(message), "{rest}: {}", fault.message);
    }
    let short = import("{\"size\": 4, \"grid\": [[{}]]}").unwrap_err();
    assert!(short.message.contains("`grid` has not 4 rows"), "{}", short.message);
    let link = import("https://www.f-puzzles.com/?load=AAAA").unwrap_err();
    assert!(link.message.contains("cannot be unpacked"), "{}", link.message);
}

#[test]
fn sudokupad_s_own_form() {
    let cells = EMPTY.replacen("{}", "{\"value\": 1}", 1);
    let cages = "[{\"cells\": [[0, 1], [0, 2]], \"value\": 5}, {\"value\": \"title: T\"}]";
    let imported = import(&format!("{{\"cells\": [{cells}], \"cages\": {cages}}}")).unwrap();
    assert_eq!(imported.genre, "sudoku-constraints");
    assert!(imported.clues.contains("cage = [([(1, 2), (1, 3)], 5)]"), "{}", imported.clues);
    let drawn = import(&format!("{{\"cells\": [{cells}], \"lines\": [{{}}]}}")).unwrap_err();
    assert!(drawn.message.contains("`lines` of SudokuPad are drawings"), "{}", drawn.message);
}

const WEBPBN: &str = "<?xml version=\"1.0\"?>
<!DOCTYPE pbn SYSTEM \"https://webpbn.com/pbn-0.3.dtd\">
<puzzleset>
<puzzle type=\"grid\" defaultcolor=\"black\">
<title>L &amp; more</title>
<author>Somebody</author>
<color name=\"white\" char=\".\">fff</color>
<color name=\"black\" char=\"X\">000</color>
<clues type=\"columns\">
<line><count>2</count></line>
<line><count>1</count></line>
</clues>
<clues type=\"rows\">
<line><count>1</count></line>
<line><count>2</count></line>
<line></line>
</clues>
<!-- <clues type=\"rows\"> -->
<solution type=\"goal\"><image>
|X.|
|XX|
|..|
</image></solution>
</puzzle>
</puzzleset>
";

#[test]
fn webpbn() {
    let imported = import(WEBPBN).unwrap();
    assert_eq!(imported.clues, "# L & more\n# Somebody\nacross = [[1], [2], []]\ndown = [[2], [1]]\n");
    for (old, new, message) in [
        ("<count>2", "<count color=\"red\">2", "coloured nonograms"),
        ("<count>2", "<count>x", "`x` is no run length"),
        ("type=\"rows\"", "type=\"diagonals\"", "type `rows` or `columns`"),
        ("</puzzle>", "<puzzle></puzzle>", "more than one puzzle"),
        ("</puzzleset>", "<puzzleset", "a tag is not closed"),
        ("</puzzleset>", "", "`<puzzleset>` is not closed"),
        ("2</count>", "2", "`</line>` does not close the tag before it"),
        ("<line><count>2</count></line>", "<count>2</count>", "stands in no line"),
    ] {
        let fault = import(&WEBPBN.replacen(old, new, 1)).unwrap_err();
        assert!(fault.message.contains(message), "{new}: {}", fault.message);
    }
}

type Square = [[i64; 4]; 4];

/// All sudokus of four rows, with boxes or without.
fn squares(boxes: bool) -> Vec<Square> {
    fn fill(square: &mut Square, at: usize, boxes: bool, all: &mut Vec<Square>) {
        let Some((row, column)) = (at < 16).then_some((at / 4, at % 4)) else { return all.push(*square) };
        for digit in 1..=4 {
            let taken = (0..at).any(|b| {
                let same_box = boxes && (b / 8, b % 4 / 2) == (row / 2, column / 2);
                square[b / 4][b % 4] == digit && (b / 4 == row || b % 4 == column || same_box)
            });
            if !taken {
                square[row][column] = digit;
                fill(square, at + 1, boxes, all);
            }
        }
    }
    let mut all = Vec::new();
    fill(&mut [[0; 4]; 4], 0, boxes, &mut all);
    all
}

fn beside(row: usize, column: usize) -> impl Iterator<Item = (usize, usize)> {
    (0..16usize).map(|at| (at / 4, at % 4)).filter(move |(r, c)| r.abs_diff(row) + c.abs_diff(column) == 1)
}

/// What f-puzzles means by a constraint, said again and tried on all squares.
#[test]
fn constraints_of_f_puzzles_mean_what_they_say() {
    fn apart(s: &Square, excepted: &[[(usize, usize); 2]]) -> bool {
        (0..16).map(|at| (at / 4, at % 4)).all(|(r, c)| {
            beside(r, c).all(|(other, column)| {
                let pair = [(r, c), (other, column)];
                let dot = excepted.contains(&pair) || excepted.contains(&[pair[1], pair[0]]);
                dot || (s[r][c] - s[other][column]).abs() != 1
            })
        })
    }
    fn seen(line: [i64; 4]) -> usize {
        (0..4).filter(|i| line[..*i].iter().all(|before| before < &line[*i])).count()
    }
    type Case<'c> = (bool, &'c str, &'c dyn Fn(&Square) -> bool);
    let cases: &[Case] = &[
        (true, "\"maximum\": [{\"cell\": \"R1C1\"}]", &|s| s[0][0] > s[0][1] && s[0][0] > s[1][0]),
        // neighbours that are maxima too are not compared
        (true, "\"maximum\": [{\"cell\": \"R1C1\"}, {\"cell\": \"R1C2\"}]", &|s| {
            s[0][0] > s[1][0] && s[0][1] > s[1][1] && s[0][1] > s[0][2]
        }),
        (false, "\"minimum\": [{\"cell\": \"R2C2\"}, {\"cell\": \"R2C3\"}, {\"cell\": \"R3C2\"}]", &|s| {
            let all = [(1, 1), (1, 2), (2, 1)];
            all.iter().all(|(r, c)| {
                beside(*r, *c).filter(|other| !all.contains(other)).all(|(or, oc)| s[*r][*c] < s[or][oc])
            })
        }),
        // a maximum beside a minimum is compared
        (true, "\"minimum\": [{\"cell\": \"R1C1\"}], \"maximum\": [{\"cell\": \"R1C2\"}]", &|s| {
            s[0][0] < s[0][1] && s[0][0] < s[1][0] && s[0][1] > s[1][1] && s[0][1] > s[0][2]
        }),
        (false, "\"nonconsecutive\": true", &|s| apart(s, &[])),
        // across a dot consecutive is not forbidden
        (
            false,
            "\"nonconsecutive\": true, \"difference\": [{\"cells\": [\"R1C1\", \"R1C2\"]}, \
             {\"cells\": [\"R3C3\", \"R2C3\"], \"value\": \"1\"}], \"ratio\": [{\"cells\": [\"R4C4\", \"R4C3\"]}]",
            &|s| {
                let ratio = [s[3][3], s[3][2]];
                (s[0][0] - s[0][1]).abs() == 1
                    && (s[2][2] - s[1][2]).abs() == 1
                    && (ratio[0] == 2 * ratio[1] || ratio[1] == 2 * ratio[0])
                    && apart(s, &[[(0, 0), (0, 1)], [(2, 2), (1, 2)], [(3, 3), (3, 2)]])
            },
        ),
        (false, "\"difference\": [{\"cells\": [\"R1C1\", \"R1C2\"], \"value\": \"2\"}]", &|s| {
            (s[0][0] - s[0][1]).abs() == 2
        }),
        (false, "\"ratio\": [{\"cells\": [\"R1C1\", \"R2C1\"], \"value\": \"3\"}]", &|s| {
            s[0][0] == 3 * s[1][0] || s[1][0] == 3 * s[0][0]
        }),
        (true, "\"whispers\": [{\"lines\": [[\"R1C1\", \"R1C2\", \"R2C3\"]]}]", &|s| {
            (s[0][0] - s[0][1]).abs() >= 2 && (s[0][1] - s[1][2]).abs() >= 2
        }),
        (true, "\"whispers\": [{\"lines\": [[\"R1C1\", \"R1C2\", \"R2C3\"]], \"value\": \"3\"}]", &|s| {
            (s[0][0] - s[0][1]).abs() >= 3 && (s[0][1] - s[1][2]).abs() >= 3
        }),
        (true, "\"whispers\": [{\"lines\": [[\"R1C1\", \"R1C2\"]], \"value\": 1}]", &|_| true),
        // a ring
        (false, "\"renban\": [{\"lines\": [[\"R1C1\", \"R1C2\", \"R2C2\", \"R2C1\", \"R1C1\"]]}]", &|s| {
            s[0][0] != s[1][1] && s[0][1] != s[1][0]
        }),
        (true, "\"renban\": [{\"lines\": [[\"R1C2\", \"R1C3\", \"R2C4\"]]}]", &|s| {
            let mut line = [s[0][1], s[0][2], s[1][3]];
            line.sort();
            line[1] == line[0] + 1 && line[2] == line[1] + 1
        }),
        // the line begins in the circle, wherever it says so
        (
            true,
            "\"arrow\": [{\"cells\": [\"R1C1\"], \"lines\": [[\"R1C1\", \"R2C1\", \"R3C2\"], [\"R1C1\"]]}]",
            &|s| s[0][0] == s[1][0] + s[2][1],
        ),
        (
            true,
            "\"betweenline\": [{\"lines\": [[\"R1C1\", \"R1C2\", \"R2C3\", \"R3C3\"], [\"R4C4\", \"R4C3\"]]}]",
            &|s| {
                let (low, high) = (s[0][0].min(s[2][2]), s[0][0].max(s[2][2]));
                [s[0][1], s[1][2]].iter().all(|inner| low < *inner && *inner < high)
            },
        ),
        (true, "\"thermometer\": [{\"lines\": [[\"R1C1\", \"R1C2\", \"R2C3\"]]}]", &|s| {
            s[0][0] < s[0][1] && s[0][1] < s[1][2]
        }),
        (true, "\"palindrome\": [{\"lines\": [[\"R1C1\", \"R2C2\", \"R2C3\", \"R3C4\", \"R4C3\"]]}]", &|s| {
            s[0][0] == s[3][2] && s[1][1] == s[2][3]
        }),
        (
            true,
            "\"clone\": [{\"cells\": [\"R1C1\", \"R1C2\"], \"cloneCells\": [\"R3C2\", \"R3C3\"]}]",
            &|s| s[0][0] == s[2][1] && s[0][1] == s[2][2],
        ),
        (true, "\"odd\": [{\"cell\": \"R1C1\"}], \"even\": [{\"cell\": \"R2C3\"}]", &|s| {
            s[0][0] % 2 == 1 && s[1][2] % 2 == 0
        }),
        (true, "\"killercage\": [{\"cells\": [\"R1C1\", \"R2C1\", \"R3C2\"], \"value\": \"7\"}]", &|s| {
            let cage = [s[0][0], s[1][0], s[2][1]];
            cage.iter().sum::<i64>() == 7 && cage[0] != cage[2] && cage[1] != cage[2]
        }),
        (true, "\"killercage\": [{\"cells\": [\"R1C1\", \"R3C2\"], \"value\": \"\"}]", &|s| {
            s[0][0] != s[2][1]
        }),
        (false, "\"extraregion\": [{\"cells\": [\"R1C1\", \"R2C2\", \"R3C3\", \"R3C4\"]}]", &|s| {
            let region = [s[0][0], s[1][1], s[2][2], s[2][3]];
            (0..4).all(|i| (0..i).all(|j| region[i] != region[j]))
        }),
        (
            true,
            "\"xv\": [{\"cells\": [\"R1C1\", \"R1C2\"], \"value\": \"V\"}, {\"cells\": [\"R3C1\", \"R3C2\"], \"value\": \"\"}]",
            &|s| s[0][0] + s[0][1] == 5,
        ),
        (
            true,
            "\"quadruple\": [{\"cells\": [\"R2C2\", \"R2C3\", \"R3C2\", \"R3C3\"], \"values\": [1, 1, 2]}]",
            &|s| {
                let four = [s[1][1], s[1][2], s[2][1], s[2][2]];
                let times = |digit| four.iter().filter(|d| **d == digit).count();
                times(1) >= 2 && times(2) >= 1
            },
        ),
        (
            true,
            "\"littlekillersum\": [{\"cell\": \"R0C1\", \"direction\": \"DR\", \"value\": \"6\"}]",
            &|s| s[0][1] + s[1][2] + s[2][3] == 6,
        ),
        (
            true,
            "\"sandwichsum\": [{\"cell\": \"R2C0\", \"value\": \"5\"}, {\"cell\": \"R0C1\", \"value\": \"\"}]",
            &|s| {
                let ends = |digit| s[1].iter().position(|d| *d == digit).unwrap();
                let (one, four) = (ends(1), ends(4));
                s[1][one.min(four) + 1..one.max(four)].iter().sum::<i64>() == 5
            },
        ),
        (true, "\"xsum\": [{\"cell\": \"R2C5\", \"value\": \"7\"}]", &|s| {
            let line = [s[1][3], s[1][2], s[1][1], s[1][0]];
            line[..line[0] as usize].iter().sum::<i64>() == 7
        }),
        (true, "\"skyscraper\": [{\"cell\": \"R5C2\", \"value\": \"2\"}]", &|s| {
            seen([s[3][1], s[2][1], s[1][1], s[0][1]]) == 2
        }),
        (true, "\"disjointgroups\": true", &|s| {
            (0..4).all(|place| {
                let cells = [(0, 0), (0, 2), (2, 0), (2, 2)].map(|(r, c)| s[r + place / 2][c + place % 2]);
                (0..4).all(|i| (0..i).all(|j| cells[i] != cells[j]))
            })
        }),
        (true, "\"diagonal+\": true", &|s| (0..4).all(|i| (0..i).all(|j| s[3 - i][i] != s[3 - j][j]))),
        (false, "\"diagonal-\": true", &|s| (0..4).all(|i| (0..i).all(|j| s[i][i] != s[j][j]))),
        (false, "\"antiking\": true", &|s| {
            (0..3).all(|r| (0..3).all(|c| s[r][c] != s[r + 1][c + 1] && s[r][c + 1] != s[r + 1][c]))
        }),
        (false, "\"antiknight\": true", &|s| {
            let cells = || (0..16).map(|at| (at / 4, at % 4));
            let leap = |(r, c): (usize, usize), (or, oc): (usize, usize)| {
                let way = (r.abs_diff(or), c.abs_diff(oc));
                way == (1, 2) || way == (2, 1)
            };
            cells().all(|(r, c)| cells().all(|(or, oc)| !leap((r, c), (or, oc)) || s[r][c] != s[or][oc]))
        }),
    ];
    for (boxes, rest, holds) in cases {
        let row = |r: usize| {
            let cell = |_| if *boxes { "{}".to_owned() } else { format!("{{\"region\": {r}}}") };
            format!("[{}]", (0..4).map(cell).collect::<Vec<_>>().join(","))
        };
        let text = puzzle(&(0..4).map(row).collect::<Vec<_>>().join(","), &format!(", {rest}"));
        let imported = import(&text).unwrap_or_else(|fault| panic!("{rest}: {}", fault.message));
        let found = solutions(imported.genre, &imported.clues, 1000).unwrap();
        let expected = squares(*boxes).iter().filter(|square| holds(square)).count();
        assert_eq!(found.len(), expected, "{rest}:\n{}", imported.clues);
    }
}

/// Cells that are in no region, pencil marks that are given, sizes without boxes.
#[test]
fn boards_of_f_puzzles() {
    let count = |grid: &str, rest: &str| {
        let imported = import(&puzzle(grid, rest)).unwrap();
        solutions(imported.genre, &imported.clues, 2000).unwrap().len()
    };
    let all = squares(true);
    let marked = EMPTY.replacen("{}", "{\"givenPencilMarks\": [2, 4], \"value\": 3}", 1);
    assert_eq!(count(&marked, ""), all.iter().filter(|s| s[0][0] % 2 == 0).count());
    let open = EMPTY.replace("{}", "{\"region\": null}");
    assert_eq!(count(&open, ""), squares(false).len());
    let one = open.replacen("{\"region\": null}", "{\"region\": 0}", 4);
    assert_eq!(count(&one, ""), squares(false).len());
    let corner = |s: &&Square| {
        let cells = [s[0][0], s[0][1], s[1][0], s[1][1]];
        (0..4).all(|i| (0..i).all(|j| cells[i] != cells[j]))
    };
    let rows: Vec<&str> = (0..4)
        .map(|r| {
            if r < 2 {
                "[{},{},{\"region\":null},{\"region\":null}]"
            } else {
                "[{\"region\":null},{\"region\":null},{\"region\":null},{\"region\":null}]"
            }
        })
        .collect();
    assert_eq!(count(&rows.join(","), ""), squares(false).iter().filter(corner).count());
    let five = ["[{},{},{},{},{}]"; 5].join(",");
    let imported = import(&format!("{{\"size\": 5, \"grid\": [{five}]}}")).unwrap();
    assert_eq!(imported.genre, "sudoku");
    assert!(imported.clues.contains("box = (1, 5)"), "{}", imported.clues);
    for (rest, message) in [
        (
            "\"killercage\": [{\"cells\": [\"R1C1\"], \"value\": \"?\"}]",
            "the value \"?\" of a constraint `killercage`",
        ),
        ("\"xv\": [{\"cells\": [\"R1C1\", \"R1C2\"], \"value\": \"7\"}]", "is `X` or `V`"),
    ] {
        let fault = import(&puzzle(EMPTY, &format!(", {rest}"))).unwrap_err();
        assert!(fault.message.contains(message), "{rest}: {}", fault.message);
    }
}
