//! Formulas as other programs read them: a reader of its own looks at what `rebus compile` wrote.

use assert_cmd::Command;
use std::io::Read;
use std::path::PathBuf;

fn rebus(args: &[&str]) -> Vec<u8> {
    let assert = Command::cargo_bin("rebus").expect("built with the tests").args(args).assert().success();
    assert.get_output().stdout.clone()
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().expect("a folder"))
    }

    fn path(&self, name: &str) -> String {
        self.0.path().join(name).display().to_string()
    }

    fn bytes(&self, name: &str) -> Vec<u8> {
        std::fs::read(self.path(name)).expect("written")
    }

    fn text(&self, name: &str) -> String {
        String::from_utf8(self.bytes(name)).expect("text")
    }

    fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(self.0.path()).expect("there");
        let mut names: Vec<String> =
            entries.map(|entry| entry.expect("a file").file_name().into_string().expect("text")).collect();
        names.sort();
        names
    }
}

/// A formula, strictly read: comments, one header, clauses of one line each.
struct Dimacs {
    variables: i64,
    clauses: Vec<Vec<i64>>,
    shown: Vec<i64>,
    comments: Vec<String>,
}

fn dimacs(text: &str) -> Dimacs {
    let mut read = Dimacs { variables: -1, clauses: Vec::new(), shown: Vec::new(), comments: Vec::new() };
    let mut announced = 0;
    assert!(text.ends_with('\n'));
    for line in text.lines() {
        let numbers = |from: &str| -> Vec<i64> {
            let mut numbers: Vec<i64> = from
                .split(' ')
                .map(|word| {
                    let number: i64 = word.parse().unwrap_or_else(|_| panic!("{line:?}"));
                    assert_eq!(number.to_string(), word, "{line}");
                    number
                })
                .collect();
            assert_eq!(numbers.pop(), Some(0), "{line}");
            assert!(!numbers.contains(&0), "{line}");
            numbers
        };
        if let Some(shown) = line.strip_prefix("c p show ").or_else(|| line.strip_prefix("c ind ")) {
            read.shown.extend(numbers(shown));
        } else if line == "c" || line.starts_with("c ") {
            read.comments.push(line.to_string());
        } else if let Some(sizes) = line.strip_prefix("p cnf ") {
            assert_eq!(read.variables, -1, "two headers");
            let (variables, clauses) = sizes.split_once(' ').expect("two sizes");
            read.variables = variables.parse().expect("a number");
            announced = clauses.parse().expect("a number");
        } else {
            assert!(read.variables >= 0, "a clause before the header");
            let clause = numbers(line);
            for (at, lit) in clause.iter().enumerate() {
                assert!(lit.abs() <= read.variables, "{line}");
                let rest = &clause[at + 1..];
                assert!(!rest.contains(lit) && !rest.contains(&-lit), "{line}: a literal twice");
            }
            read.clauses.push(clause);
        }
    }
    assert_eq!(read.clauses.len(), announced, "clauses announced");
    read
}

/// What a map says of its formula, as far as it is looked at here.
struct Map {
    variables: i64,
    clauses: usize,
    exact: bool,
    /// Name, literals, number of values.
    symbols: Vec<(String, Vec<i64>, usize)>,
    answer: Vec<i64>,
}

fn range(text: &str) -> Vec<i64> {
    let number = |text: &str| -> i64 { text.parse().expect("a literal") };
    match text.split_once("..") {
        _ if text == "-" => Vec::new(),
        Some((first, last)) => (number(first)..=number(last)).collect(),
        None => vec![number(text)],
    }
}

fn map(text: &str) -> Map {
    let mut read = Map { variables: -1, clauses: 0, exact: false, symbols: Vec::new(), answer: Vec::new() };
    assert!(text.starts_with("rebus map 1\n"));
    for line in text.lines().take_while(|line| !line.starts_with("text ")) {
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            ["variables", n] => read.variables = n.parse().expect("a number"),
            ["clauses", n] => read.clauses = n.parse().expect("a number"),
            ["models", "=", "solutions"] => read.exact = true,
            ["var", name, "bool", lit] => read.symbols.push((name.into(), range(lit), 2)),
            ["var", name, kind, lits, ref values @ ..] => {
                let (lits, size) = (range(lits), values.len());
                let expected = match kind {
                    "direct" => size,
                    "order" => size - 1,
                    "binary" => (0..).find(|bits| 1 << bits >= size).expect("some"),
                    other => panic!("{other}"),
                };
                assert_eq!(lits.len(), expected, "{line}");
                read.symbols.push((name.into(), lits, size));
            }
            ["answer", ref runs @ ..] => read.answer = runs.iter().flat_map(|run| range(run)).collect(),
            _ => {}
        }
    }
    read
}

/// Models with their data, and the named variables in order: the first and the last, and how many.
const MODELS: &[(&[&str], &str, &str, usize)] = &[
    (&["row"], "x[1]", "x[4]", 4),
    (&["formula"], "x1", "x3", 3),
    (&["sudoku", "sudoku-1.clues"], "x[1,1]", "x[9,9]", 81),
    (&["knightdoku", "knightdoku-2.clues"], "knight[1,1]", "knight[9,9]", 81),
    (&["futoshiki", "futoshiki-5.clues"], "x[1,1]", "x[5,5]", 25),
    (&["nonogram", "nonogram-duck.clues"], "shade[1,1]", "shade[9,8]", 72),
    (&["magnets", "magnets-1.clues"], "pole[1,1]", "", 0),
    (&["einstein"], "at[brit]", "", 0),
    (&["queens", "-D", "n=6"], "queen[1,1]", "queen[6,6]", 36),
];

#[test]
fn formulas_and_maps() {
    for (model, first, last, count) in MODELS {
        for encoding in ["direct", "order", "log", "auto"] {
            for presolve in ["on", "off"] {
                let folder = Folder::new();
                let out = folder.path("f.cnf");
                let options = ["-o", &out, "--int", encoding, "--presolve", presolve];
                rebus(&[&["compile"], *model, &options].concat());
                let what = format!("{model:?} {encoding} {presolve}");
                assert_eq!(folder.files(), ["f.cnf", "f.cnf.map"], "{what}");
                let formula = dimacs(&folder.text("f.cnf"));
                let map = map(&folder.text("f.cnf.map"));
                assert_eq!(
                    (map.variables, map.clauses),
                    (formula.variables, formula.clauses.len()),
                    "{what}"
                );
                assert!(map.exact, "{what}");

                // named variables first, without gaps, in the order declared
                let named: Vec<i64> = map.symbols.iter().flat_map(|(_, lits, _)| lits.clone()).collect();
                assert_eq!(named, (1..=named.len() as i64).collect::<Vec<_>>(), "{what}");
                assert!(named.len() as i64 <= formula.variables, "{what}");
                assert_eq!(map.symbols[0].0, *first, "{what}");
                if *count > 0 {
                    assert_eq!(map.symbols.len(), *count, "{what}");
                    assert_eq!(map.symbols[count - 1].0, *last, "{what}");
                }
                // the literals to project on are those of the named variables
                assert_eq!(formula.shown, named, "{what}");
                assert_eq!(map.answer, named, "{what}");
                // no auxiliary is announced that no clause holds
                for auxiliary in named.len() as i64 + 1..=formula.variables {
                    let holds = |clause: &Vec<i64>| clause.iter().any(|lit| lit.abs() == auxiliary);
                    assert!(formula.clauses.iter().any(holds), "{what}: {auxiliary} is in no clause");
                }
            }
        }
    }
}

#[test]
fn the_same_bytes() {
    for (model, ..) in MODELS {
        let folder = Folder::new();
        let compile = |name: &str, options: &[&str]| {
            rebus(&[&["compile"], *model, &["-o", &folder.path(name)], options].concat());
        };
        compile("a.cnf", &[]);
        let formula = folder.bytes("a.cnf");
        // again
        compile("b.cnf", &[]);
        assert_eq!(folder.bytes("b.cnf"), formula);
        assert_eq!(folder.bytes("b.cnf.map"), folder.bytes("a.cnf.map"));
        // packed, twice
        compile("c.cnf.gz", &[]);
        compile("d.cnf.gz", &[]);
        assert_eq!(folder.bytes("c.cnf.gz"), folder.bytes("d.cnf.gz"));
        let mut unpacked = Vec::new();
        let packed = folder.bytes("c.cnf.gz");
        flate2::read::GzDecoder::new(&packed[..]).read_to_end(&mut unpacked).expect("gz");
        assert_eq!(unpacked, formula);
        assert_eq!(folder.bytes("c.cnf.gz.map"), folder.bytes("a.cnf.map"));
        // on standard output
        assert_eq!(rebus(&[&["compile"], *model, &["-o", "-", "--no-map"]].concat()), formula);
        let beside = folder.path("e.map");
        assert_eq!(rebus(&[&["compile"], *model, &["-o", "-", "--map", &beside]].concat()), formula);
        assert_eq!(folder.bytes("e.map"), folder.bytes("a.cnf.map"));
        // with the map inside: comment lines in front, then the same
        compile("g.cnf", &["--embed-map"]);
        let embedded = folder.text("g.cnf");
        let rest = embedded.strip_suffix(&folder.text("a.cnf")).expect("ends with the formula");
        let inside: String =
            rest.lines().map(|line| line.strip_prefix("c : ").unwrap_or("").to_string() + "\n").collect();
        assert_eq!(inside.trim_end(), folder.text("a.cnf.map").trim_end());
        // without a map
        compile("h.cnf", &["--no-map"]);
        assert_eq!(folder.bytes("h.cnf"), formula);
        let maps: Vec<String> = folder.files().into_iter().filter(|name| name.ends_with(".map")).collect();
        assert_eq!(maps, ["a.cnf.map", "b.cnf.map", "c.cnf.gz.map", "d.cnf.gz.map", "e.map"]);
    }
}

#[test]
fn either_map_decodes() {
    let folder = Folder::new();
    let (plain, inside) = (folder.path("a.cnf.gz"), folder.path("b.cnf.gz"));
    rebus(&["compile", "sudoku", "sudoku-1.clues", "-o", &plain]);
    rebus(&["compile", "sudoku", "sudoku-1.clues", "-o", &inside, "--embed-map"]);
    let answer = Command::cargo_bin("rebus").expect("built").args(["sat", &plain]).assert().code(10);
    let out = folder.path("out");
    std::fs::write(&out, &answer.get_output().stdout).expect("written");
    let known = std::fs::read("examples/sudoku/sudoku-1.solution").expect("in the catalogue");
    let beside = format!("{plain}.map");
    for map in [&beside, &inside] {
        for formula in [&plain, &inside] {
            assert_eq!(rebus(&["decode", map, &out, "--formula", formula]), known);
        }
    }
}

#[test]
fn annotated() {
    let folder = Folder::new();
    let (plain, copy) = (folder.path("a.cnf"), folder.path("b.cnf"));
    rebus(&["compile", "sudoku", "sudoku-1.clues", "-o", &plain]);
    rebus(&["compile", "sudoku", "sudoku-1.clues", "-o", &copy, "--annotate"]);
    let (a, b) = (dimacs(&folder.text("a.cnf")), dimacs(&folder.text("b.cnf")));
    // the same formula, so the same map
    assert_eq!((a.variables, &a.clauses, &a.shown), (b.variables, &b.clauses, &b.shown));
    assert_eq!(folder.bytes("a.cnf.map"), folder.bytes("b.cnf.map"));
    assert!(a.comments.len() < b.comments.len());
    for label in ["c : row 1", "c : column 9", "c : box 5"] {
        assert!(b.comments.iter().any(|comment| comment == label), "{label}");
        assert!(!a.comments.iter().any(|comment| comment == label), "{label}");
    }
}

/// Every clause of a reading copy stands behind what it says, in named literals, and behind its rule and encoding.
#[test]
fn clauses_are_told_in_named_literals() {
    let text = String::from_utf8(rebus(&[
        "compile",
        "sudoku",
        "sudoku-1.clues",
        "-o",
        "-",
        "--no-map",
        "--annotate",
        "--presolve",
        "off",
    ]))
    .expect("text");
    let number = |told: &str| {
        let (sign, told) =
            if told.contains(" != ") { ("-", told.replace(" != ", " = ")) } else { ("", told.into()) };
        let digits: Vec<u32> = told.chars().filter_map(|c| c.to_digit(10)).collect();
        let [r, c, v] = digits[..] else { panic!("{told} is no literal") };
        assert_eq!(told, format!("x[{r}, {c}] = {v}"));
        format!("{sign}{}", 81 * (r - 1) + 9 * (c - 1) + v)
    };
    let lines: Vec<&str> = text.lines().collect();
    let mut clauses = 0;
    for pair in lines.windows(2).filter(|pair| !pair[1].starts_with(['c', 'p'])) {
        let told = pair[0].strip_prefix("c : ").expect("a clause without words");
        let numbers: Vec<String> = told.split(" or ").map(number).chain(["0".into()]).collect();
        assert_eq!(numbers.join(" "), pair[1]);
        clauses += 1;
    }
    assert_eq!(
        text.lines().find(|line| line.starts_with("p cnf")),
        Some(format!("p cnf 729 {clauses}").as_str())
    );
    let at = |line: &str| lines.iter().position(|other| *other == line).expect("a block");
    let row = at("c : row 2");
    assert!(lines[row + 1].starts_with("c : distinct: "), "{}", lines[row + 1]);
    let other = String::from_utf8(rebus(&[
        "compile",
        "queens",
        "-D",
        "n=4",
        "-o",
        "-",
        "--no-map",
        "--annotate",
        "--int",
        "order",
        "--to",
        "opb",
    ]));
    assert!(other.expect("text").contains("* : row 2\n"));
}

/// The clauses of all encodings together are the clauses of the formula.
#[test]
fn sizes_of_encodings_add_up() {
    for args in [
        &["check", "sudoku", "sudoku-1.clues", "--presolve", "off"][..],
        &["check", "knightdoku", "knightdoku-1.clues"],
        &["check", "money"],
        &["check", "nonogram", "nonogram-duck.clues", "--amo", "product"],
    ] {
        let text = String::from_utf8(rebus(args)).expect("text");
        let number = |line: &str| {
            let words: Vec<&str> = line.trim_end_matches(')').split(['(', ' ']).collect();
            words[words.len() - 2].parse::<u64>().expect("a number")
        };
        let whole =
            text.lines().find_map(|line| line.trim().strip_prefix("clauses")).expect("clauses").trim();
        let parts: u64 =
            text.lines().filter(|line| line.contains(" clause") && line.ends_with(')')).map(number).sum();
        assert_eq!(parts.to_string(), whole, "{text}");
    }
}

#[test]
fn what_to_project_on() {
    let text = |line: &str| {
        String::from_utf8(rebus(&["compile", "row", "-o", "-", "--no-map", "--show-line", line]))
            .expect("text")
    };
    let (show, ind) = (text("show"), text("ind"));
    assert_eq!(show.replace("c p show ", "c ind "), ind);
    assert_eq!(dimacs(&ind).shown, (1..=16).collect::<Vec<_>>());
}

#[test]
fn dependencies() {
    let folder = Folder::new();
    let write = |name: &str, text: &str| {
        std::fs::write(folder.path(name), text).expect("written");
        folder.path(name)
    };
    write("part.rebus", "def small(x) = x <= 2\n");
    let model = write(
        "a model.rebus",
        "import \"part.rebus\"\nparam k\nvar x : 1..9\nrule: small(x) and x > k\nshow \"{x}\"\n",
    );
    let data = write("data#1.clues", "k = 1\n");
    let (out, deps) = (folder.path("out.cnf"), folder.path("out.d"));
    rebus(&["compile", &model, &data, "-o", &out, "--deps", &deps]);
    let rule = folder.text("out.d");
    let escaped = |path: &str| path.replace(' ', "\\ ").replace('#', "\\#");
    let first = rule.lines().next().expect("a rule");
    assert!(first.starts_with(&format!("{out}:")), "{rule}");
    for path in [&model, &data] {
        assert!(first.contains(&format!(" {}", escaped(path))), "{rule}");
        assert!(rule.contains(&format!("\n{}:\n", escaped(path))), "{rule}");
    }
    let part = PathBuf::from(folder.path("part.rebus")).canonicalize().expect("there");
    assert!(first.contains(&format!(" {}", part.display())) || first.contains("/part.rebus"), "{rule}");
    // a model of the catalogue is no file
    rebus(&["compile", "row", "-o", &out, "--deps", &deps]);
    assert_eq!(folder.text("out.d"), format!("{out}:\n"));
}

/// Arrays that are empty, and variables that have one value and so perhaps no literal.
#[test]
fn next_to_nothing() {
    let folder = Folder::new();
    let model = folder.path("model.rebus");
    let text =
        "param n = 0\nvar a : 3..3\nvar b[2] : 3..3\nvar c[n] : bool\nvar e : bool\nrule: e\nshow \"{a}\"\n";
    std::fs::write(&model, text).expect("written");
    for encoding in ["direct", "order", "log", "auto"] {
        let out = folder.path("f.cnf");
        rebus(&["compile", &model, "-o", &out, "--int", encoding]);
        let formula = dimacs(&folder.text("f.cnf"));
        let map = map(&folder.text("f.cnf.map"));
        assert_eq!(map.symbols.len(), 4);
        assert_eq!(formula.variables, map.symbols.iter().map(|(_, lits, _)| lits.len() as i64).sum::<i64>());
        let answer = Command::cargo_bin("rebus").expect("built").args(["sat", &out]).assert().code(10);
        std::fs::write(folder.path("out"), &answer.get_output().stdout).expect("written");
        assert_eq!(rebus(&["decode", &format!("{out}.map"), &folder.path("out")]), b"3\n");
    }
    let empty = dimacs(
        &String::from_utf8(rebus(&["compile", "queens", "-D", "n=0", "-o", "-", "--no-map"])).expect("text"),
    );
    assert_eq!((empty.variables, empty.clauses.len()), (0, 0));
}

#[test]
fn an_objective_is_said_to_be_missing() {
    let folder = tempfile::tempdir().expect("a folder");
    let model = folder.path().join("m.rebus");
    std::fs::write(&model, "var x[3] : bool\nrule: count(x) >= 1\nminimize count(x)\n").expect("written");
    let formula = folder.path().join("m.cnf");
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_rebus"))
        .args(["compile".as_ref(), model.as_os_str(), "-o".as_ref(), formula.as_os_str()])
        .output()
        .expect("runs");
    assert!(output.status.success());
    let text = std::fs::read_to_string(&formula).expect("a formula");
    assert!(text.contains("c the objective is not in this formula"), "{text}");
    assert!(!text.contains("models = solutions"), "{text}");
}
