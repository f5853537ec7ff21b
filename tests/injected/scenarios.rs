//! What is run while a system call fails: every command on three models, with all the files that it reads and writes.

/// Read by the commands below; those that they write are there already, from an earlier run.
pub const FILES: &[(&str, &str)] = &[
    (
        "square.rebus",
        "param n = 3\nparam clue[n, n] : (1..n)? = {}\nvar x[n, n] : 1..n\n\
         rule \"row {r}\": for r in 1..n: distinct(x[r, *])\nrule \"column {c}\": for c in 1..n: distinct(x[*, c])\n\
         rule \"clue\": for (p, k) in givens(clue): x[p] = k\nshow x\n",
    ),
    ("square.clues", "clue = \"\"\"\n1 . .\n. . 2\n. . .\n\"\"\"\n"),
    ("square.cnf", "p cnf 3 3\n1 0\n-1 -2 0\n2 3 0\n"),
    (
        "square.jsonl",
        "{\"clue\": [[1, null, null], [null, 2, null], [null, null, null]]}\n\
         {\"clue\": [[1, 1, null], [null, null, null], [null, null, null]]}\n\
         {\"clue\": [[2, null, null], [null, null, null], [null, null, 1]]}\n",
    ),
    (
        "fence.rebus",
        "import \"room.rebus\"\nvar line[edges(h, w)] : bool\nlet room = {(r, c): inside(line, (r, c)) for r in 1..h, c in 1..w}\n\
         rule \"one fence\": loop(line)\nrule \"inside\": for p in [(1, 1), (h, w)]: room[p]\n\
         minimize count(line)\nshow looped(line, room)\n",
    ),
    ("room.rebus", "param h = 2\nparam w = 2\n"),
    ("fence.clues", "w = 3\n"),
    ("fence.cnf", "p cnf 2 2\n1 2 0\n-1 2 0\n"),
    ("fence.jsonl", "{\"w\": 2}\n{\"h\": 1, \"w\": 1}\n{\"w\": 3}\n"),
    (
        "clash.rebus",
        "param h = 3\nvar at[h + 1, h] : bool\nrule \"home {p}\": for p in 1..h + 1: count(at[p, *]) >= 1\n\
         rule \"one in {k}\": for k in 1..h: count(at[*, k]) <= 1\nshow at\n",
    ),
    ("clash.clues", "h = 4\n"),
    ("clash.cnf", "p cnf 1 2\n1 0\n-1 0\n"),
    ("clash.jsonl", "{\"h\": 1}\n{\"h\": 2}\n{\"h\": 3}\n"),
    ("nonogram.non", "width 3\nheight 2\nrows\n1\n2\ncolumns\n1\n1\n1\n"),
    ("cover.xcc", "a b c d\na c\nb\nb d\nd\n"),
    ("ugly.rebus", "var   x:1..3\nrule:x=2\nshow x\n"),
    // what is there before a run, and is to be replaced
    ("old.cnf", "p cnf 1 1\n1 0\n"),
    ("old.cnf.map", "an older map\n"),
    ("old.clues", "# older data\n"),
    ("old.drat", "an older proof\n"),
    ("old.answer", "s UNKNOWN\n"),
];

pub const MODELS: [&str; 3] = ["square", "fence", "clash"];

/// Command lines: `@` stands for the name of a model, `$` for the program, `<` for a file as standard input. What stands before a
/// `;` is run first, with a shell and without failing calls.
pub const COMMANDS: &[&str] = &[
    "solve @.rebus @.clues",
    "solve @.rebus --all -f json",
    "solve @.rebus --unique -f svg",
    "solve @.rebus @.clues --solver '$ sat {in}'",
    "solve @.rebus --limit 2 --solver '$ sat {in}' --keep kept",
    "solve @.rebus --all --proof old.drat",
    "solve @.rebus --each @.jsonl",
    "solve @.rebus --each @.jsonl --jobs 2 --results results.jsonl",
    "$ solve @.rebus --each @.jsonl --jobs 1 --results results.jsonl; \
     solve @.rebus --each square.jsonl --results results.jsonl -f json",
    "$ solve @.rebus --each @.jsonl --jobs 1 --results results.jsonl; solve @.rebus --each @.jsonl --results results.jsonl",
    "count @.rebus",
    "compile @.rebus @.clues -o old.cnf --deps deps.mk",
    "compile @.rebus -o new.cnf.gz",
    "compile @.rebus -o new.opb --embed-map",
    "compile @.rebus -o - --no-map",
    "$ compile @.rebus -o new.cnf && $ sat new.cnf > made.answer; decode new.cnf.map made.answer --formula new.cnf",
    "$ compile @.rebus -o new.cnf && $ sat new.cnf > made.answer; decode new.cnf.map -f json < made.answer",
    "$ compile @.rebus -o new.cnf; sat new.cnf",
    "$ solve @.rebus > made.txt; verify @.rebus < made.txt",
    "check @.rebus --estimate",
    "deduce @.rebus",
    "explain @.rebus",
    "fmt @.rebus ugly.rebus",
    "run '$ sat {in}' @.cnf -o old.answer",
    "run '$ sat {in}' @.cnf square.cnf --jobs 2 --results results.jsonl -o answers",
    "$ run '$ sat {in}' @.cnf --results results.jsonl; run '$ sat {in}' @.cnf square.cnf --results results.jsonl",
];

/// Commands that read none of the models.
pub const OTHERS: &[&str] = &[
    "import nonogram.non -o old.clues",
    "import nonogram.non",
    "import 'https://puzz.link/p?slither/5/4/.c.2d3a.b1'",
    "export slitherlink slitherlink-1.clues --form puzzlink",
    "models",
    "models sudoku",
    "solvers",
    "fmt - < ugly.rebus",
    "xcc cover.xcc",
    "--help",
];
