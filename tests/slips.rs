//! Slips of people who know another language, or forgot a word of this one: the message proposes what to write.

use std::io::Write;
use std::process::{Command, Stdio};

/// The model, words of the message, words of its help.
const SLIPS: &[(&str, &str, &str)] = &[
    (
        "var x[3, 3] : 0..1\nrule: for r in 1..3 for c in 1..3: x[r, c] = 1",
        "`for` stands once",
        "1..3, c in 1..3",
    ),
    ("var x[3, 3] : 0..1\nrule: x[1][2] = 1", "no entry `1`", "`x[r, c]`"),
    ("var x : 0..3\nlet n = 2\nrule: for i in 1..3: x = 1 if n > 2", "`if` cannot follow", "for p in S if c"),
    ("var x[3] : 0..3\nrule: count(x) = 2", "a boolean is wanted here, this is a number", "`sum(x)` adds"),
    ("var x[3] : 0..3\nrule: alldifferent(x)", "no function `alldifferent`", "`distinct(list)`"),
    ("var x[3] : 0..3\nrule: all_different(x)", "no function `all_different`", "`distinct(list)`"),
    ("var x[3] : bool\nrule: exactly(2, x)", "no function `exactly`", "`count(list) = n`"),
    ("var x[3] : bool\nrule: at_most(2, x)", "no function `at_most`", "`count(list) <= n`"),
    ("var x[3] : bool\nrule: And(x[1], x[2])", "no function `And`", "`a and b`"),
    (
        "var x[3] : 0..3\nrule: for i in range(3): x[i] = 1",
        "`range` takes 2 to 3 arguments",
        "`range(a, b, [step])`",
    ),
    ("var x : 0..9\nrule: x mod 2 = 0", "`mod` is no operator", "`a % b`"),
    ("var x : 0..9\nrule: x div 2 = 1", "`div` is no operator", "`a / b`"),
    ("var a : bool\nvar b : bool\nrule: a iff b", "`iff` is no operator", "`a <-> b`"),
    ("var a : bool\nvar b : bool\nrule: a implies b", "`implies` is no operator", "`a -> b`"),
    ("var a : bool\nvar b : bool\nrule: a unless b", "`unless` is no operator", "`not c -> a`"),
    ("var x : (0..3)?\nrule: x is none", "`is` is no operator", "`a = b`"),
    ("var x[3] : bool\nrule: any r in 1..3: x[r]", "`any` without its brackets", "`any(e for p in S)`"),
    ("var x[3] : bool\nrule: exists r in 1..3: x[r]", "generators in front", "any("),
    (
        "var x[3] : 0..3\nrule: sum(x[i] for i in 1..3 where i > 1) = 2",
        "`where` is no operator",
        "for p in S if c",
    ),
    ("var x : 0..3\nrule: \"a text\" x = 1", "no parameter `x`", "`rule: x = …`"),
    ("var x : 0..3\nminimize: x", "`minimize` has no colon", "`minimize e`"),
    ("var x : 0..3\nshow: x", "`show` has no colon", "`show e`"),
    (
        "enum A { red, blue }\nenum B { round, square }\nvar x : A\nvar y : B\nrule: x = y",
        "`round` of the enum `B` is compared with `red` of the enum `A`",
        "one enum",
    ),
    (
        "param clue[3] : (1..3)? = [1, none, 2]\nvar x[3] : 0..9\nrule: for i in 1..3: x[i] = clue[i] + 1",
        "this is none",
        "givens(clue)",
    ),
    ("var n : 1..3\nvar x[3] : 0..1\nrule: sum(x[i] for i in 1..n) = 1", "the end of a range", "i <= n -> …"),
    ("var x[3] : 0..1\nrule: for i in 0..2: x[i] = 1", "no entry `0`", "counting starts at 1"),
    ("let l = [4, 5]\nvar x : 0..9\nrule: x = l[0]", "index 0 is outside 1..2", "counting starts at 1"),
    ("var x : 0..3\nrule: x = \"1\"", "a number is compared with a string", "`int(text)`"),
    ("param w[2] : text = [8, none]\nvar x : 0..1", "`w[1]` may not be 8", "in quotes: `\"8\"`"),
    (
        "var x[3] : 0..3\nrule: count(x = 1) = 2",
        "an array is compared with a number",
        "count(v = 1 for v in x)",
    ),
    ("var x[3] : 0..3\nrule: any([1, 2] = x[1])", "is compared with a number", "all(v = 1 for v in x)"),
    ("var x : 0..3\nrule: \"name\": x = 1", "stands before its colon", "`rule \"name\": …`"),
    ("var x[3] : bool\nrule \"{{p}\": for p in 1..3: x[p]", "a single `}`", "one brace on each side, `{p}`"),
    ("var x[h, w] : 0..1\nrule: for r in 1..h: sum(x[r, *]) = 1", "`h` is not defined", "`param h, w`"),
    ("param h\nparam h2 = 2\nvar x[h] : 0..1", "no value for the parameter `h`", "`-D h=…`"),
];

/// A model and its data; words of the message, and words of its help or of the label of a place.
const DATA_SLIPS: &[(&str, &str, &str, &str)] = &[
    ("let n = 2\nvar x : 0..n", "n = 3", "no parameter `n`", "`param n = …`"),
    ("param n\nvar x : 0..n", "n = 3\nx = 2", "no parameter `x`", "`rule: x = …`"),
    (
        "param h, w\nparam a[h, w] : 0..9\nparam b[h, w] : 0..9\nvar x : 0..1",
        "a = \"\"\"\n1 2 3\n4 5 6\n\"\"\"\nb = \"\"\"\n1 2\n3 4\n\"\"\"",
        "of `a` has 3 entries",
        "`w` is 2 by the data of this array",
    ),
    (
        "param h, w\nparam a[h, w] : text\nvar x : 0..1",
        "a = \"\"\"\na b c\nd e f\n\"\"\"",
        "every second column",
        "`: word` instead of `: text`",
    ),
    (
        "param h, w\nparam a[h, w] : word?\nvar x : 0..1",
        "a = \"\"\"\n4 ? .\n. . 2\n\"\"\"",
        "`?` in the picture of `a` is none",
        "write `.` for none",
    ),
    ("param w[2] : text\nvar x : 0..1", "w = [8 . .]", "`.` is no entry of a list", "[8, none, none]"),
];

/// Exit code, standard output, standard error.
fn rebus(args: &[&str]) -> (Option<i32>, Vec<u8>, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rebus"));
    let output = command.args(args).stdin(Stdio::null()).output().expect("rebus runs");
    (output.status.code(), output.stdout, String::from_utf8_lossy(&output.stderr).into_owned())
}

/// The same for a command and a model.
fn asked(command: &str, model: &str) -> (Option<i32>, Vec<u8>, String) {
    let mut file = tempfile::Builder::new().suffix(".rebus").tempfile().expect("a file");
    file.write_all(model.as_bytes()).expect("written");
    rebus(&[command, file.path().to_str().expect("a path in UTF-8")])
}

#[test]
fn a_slip_leads_to_the_mend() {
    for (model, words, help) in SLIPS {
        let (code, _, message) = asked("check", model);
        assert_eq!(code, Some(1), "{model}");
        let said = message.lines().filter(|line| line.contains(" = help: ") || line.contains(" = note: "));
        assert!(message.contains(words), "{model}\n{message}");
        assert!(said.into_iter().any(|line| line.contains(help)), "{model}\n{message}");
    }
}

#[test]
fn a_slip_in_data_leads_to_the_mend() {
    let folder = tempfile::tempdir().expect("a folder");
    for (model, data, words, help) in DATA_SLIPS {
        let (models, clues) = (folder.path().join("m.rebus"), folder.path().join("m.clues"));
        std::fs::write(&models, model).expect("written");
        std::fs::write(&clues, data).expect("written");
        let path = |path: &std::path::Path| path.to_str().expect("a path in UTF-8").to_owned();
        let (_, _, message) = rebus(&["check", &path(&models), &path(&clues)]);
        assert!(message.contains(words) && message.contains(help), "{model}\n{data}\n{message}");
    }
}

/// A model, a board, a link or a solver in the wrong place, or by a wrong name.
#[test]
fn a_slip_in_arguments_leads_to_the_mend() {
    let folder = tempfile::tempdir().expect("a folder");
    let board = folder.path().join("sudoku-1.clues");
    std::fs::write(&board, include_str!("../examples/sudoku/sudoku-1.clues")).expect("written");
    let board = board.to_str().expect("a path in UTF-8");
    let slips: &[(&[&str], &str)] = &[
        (&["solve", board], "the model stands before it: `rebus solve sudoku "),
        (&["solve", "sudoku"], "one of its boards, sudoku-1, sudoku-2: `rebus solve sudoku sudoku-1`"),
        (&["solve", "sudoku", "sudoku-1", "--solver", "minsat"], "did you mean `minisat`?"),
        (&["solve", "sudoku", "sudoku-1", "--solver", "minisat {input}"], "`{in}` stands for the formula"),
        (&["models", "sudoku", "--board", "9"], "boards: sudoku-1, sudoku-2"),
    ];
    for (arguments, help) in slips {
        let (code, _, message) = rebus(arguments);
        assert!(matches!(code, Some(1..=3)), "{arguments:?}: {code:?}");
        assert!(message.contains(help), "{arguments:?}\n{message}");
    }
    // a link is data as a file is
    let link = "https://puzz.link/p?nurikabe/5/5/g2zj4k";
    let alone = rebus(&["solve", link]);
    assert_eq!(alone, rebus(&["solve", "nurikabe", link]));
}

#[test]
fn what_the_messages_propose_is_right() {
    let models = [
        "var x[3] : 0..1\nvar n : 1..3\nrule: for i in 1..3: i <= n -> x[i] = 1\nrule: sum(x[i] * int(i <= n) for i in 1..3) = 2",
        "var x[2, 2] : 0..2\nrule: count(e > 0 for e in values(x)) = 1\nrule: for p in keys(x): x[p] <= 1\nrule: x[1, 2] = 1",
        "param clue[3] : (1..3)? = [1, none, 2]\nvar x[3] : 0..9\nrule: for (i, k) in givens(clue): x[i] = k + 1\n\
         rule: for i in 1..3: x[i] = if clue[i] = none then 7 else clue[i] + 1",
        "param a[2, 2] : bool = {}\nparam b[3] : bool = {2: true}\nvar x[3] : bool\nrule: for i in 1..3: x[i] = (b[i] and not a[1, 1])",
        "var x : 0..9\nvar b : bool\nrule: x % 2 = 1\nrule: x / 2 = int(\"3\")\nrule: b <-> x > 3",
    ];
    for model in models {
        let (code, number, message) = asked("count", model);
        assert_eq!(code, Some(0), "{model}\n{message}");
        assert_ne!(number, b"0\n", "{model}");
    }
}

#[test]
fn names_of_the_catalogue() {
    for command in ["solve", "models"] {
        for (slip, meant) in [("sudko", "sudoku"), ("slitherlnk", "slitherlink"), ("quens", "queens")] {
            let (code, _, message) = rebus(&[command, slip]);
            assert_eq!(code, Some(1), "{command} {slip}");
            assert!(message.contains(&format!("did you mean `{meant}`?")), "{message}");
        }
    }
    let board = include_bytes!("../examples/knightdoku/knightdoku-1.clues");
    for name in ["knightdoku-1.clues", "knightdoku-1"] {
        assert_eq!(rebus(&["models", name]), (Some(0), board.to_vec(), String::new()), "{name}");
    }
    for wanted in ["1", "knightdoku-1", "knightdoku-1.clues"] {
        assert_eq!(rebus(&["models", "knightdoku", "--board", wanted]).1, board, "{wanted}");
    }
    let (_, text, boards) = rebus(&["models", "knightdoku"]);
    assert_eq!(text, include_bytes!("../examples/knightdoku/knightdoku.rebus"));
    assert!(boards.contains("boards: knightdoku-1"), "{boards}");
}
