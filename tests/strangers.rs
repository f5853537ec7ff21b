//! What strangers print and send, as a user meets it: answers that say too much, in forms nobody announced, files that
//! a program could not hold, data and maps written by hand.

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

/// Two of the four positions, so 6 solutions; with `-D k=0` or 4 there is one.
const MODEL: &str = "param k = 2\nvar x[4] : bool\nrule: count(x) = k\nshow x\n";

struct Desk(TempDir);

impl Desk {
    fn new() -> Desk {
        let desk = Desk(TempDir::new().expect("a folder"));
        desk.put("m.rebus", MODEL);
        desk
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn put(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).expect("a file");
    }

    fn get(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect("a file")
    }

    fn run(&self, args: &[&str]) -> Output {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rebus"));
        command.current_dir(self.0.path()).args(args).stdin(Stdio::null()).output().expect("rebus runs")
    }

    /// Ends with this code and says all of this.
    #[track_caller]
    fn ends(&self, args: &[&str], code: i32, says: &[&str]) {
        let output = self.run(args);
        let told = format!("{}{}", text(&output.stdout), text(&output.stderr));
        assert_eq!(output.status.code(), Some(code), "{args:?}: {told}");
        says.iter().for_each(|says| assert!(told.contains(says), "{args:?} does not say {says}: {told}"));
    }

    /// A shell script as a typed command.
    fn typed(&self, script: &str) -> String {
        self.put("script", script);
        format!("sh '{}' {{in}}", self.path("script").display())
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// `rebus sat` as a solver that may say more than it knows.
fn solved(further: &str) -> String {
    format!("'{}' sat \"$1\"\ncode=$?\n{further}", env!("CARGO_BIN_EXE_rebus"))
}

#[test]
fn one_answer_and_a_wrong_word_make_nothing_unique() {
    let desk = Desk::new();
    for wrong in
        ["echo 's UNSATISFIABLE'; exit 20", "echo 's UNSATISFIABLE'; exit 0", "echo 's SOLUTIONS 1'; exit 20"]
    {
        let script = desk.typed(&solved(&format!("[ $code = 20 ] || {{ {wrong}; }}")));
        for args in [
            &["solve", "m.rebus", "--unique"][..],
            &["solve", "m.rebus", "--all", "-f", "json"],
            &["count", "m.rebus"],
            &["count", "m.rebus", "--limit", "5"],
        ] {
            let output = desk.run(&[args, &["--solver", &script]].concat());
            let told = text(&output.stdout);
            assert!(!told.contains("unique\n") || told.contains("not unique"), "{wrong}, {args:?}: {told}");
            assert!(
                told != "1\n" && !told.contains("\"complete\": true,\"solutions\": 1"),
                "{wrong}: {told}"
            );
            // run again with what was found excluded it finds all
            assert!(
                matches!(output.status.code(), Some(0 | 5)),
                "{wrong}, {args:?}: {told}{}",
                text(&output.stderr)
            );
        }
        assert_eq!(text(&desk.run(&["count", "m.rebus", "--solver", &script]).stdout), "6\n", "{wrong}");
    }
    // one that gives the same again is no solver
    let same = desk.typed("echo 's SATISFIABLE'; echo 'v 1 2 -3 -4 0'; echo 's UNSATISFIABLE'; exit 20");
    desk.ends(
        &["solve", "m.rebus", "--unique", "--solver", &same, "--to", "cnf"],
        3,
        &["failed: the model is wrong"],
    );
}

/// The models of `k=2`, of 4 variables each.
const ALL: &str = "for m in '1 2 -3 -4' '1 -2 3 -4' '1 -2 -3 4' '-1 2 3 -4' '-1 2 -3 4' '-1 -2 3 4'; do\n\
    echo 's SATISFIABLE'; echo \"v $m 0\"; done\n";

#[test]
fn a_command_lists_if_it_is_said_so() {
    let desk = Desk::new();
    // a formula of the four alone
    desk.put("m.rebus", "var x[4] : bool\nrule: count(x) = 2\nshow x\n");
    for end in ["echo 's UNSATISFIABLE'; exit 20", "echo 's SOLUTIONS 6'; exit 20"] {
        let _ = fs::remove_file(desk.path("log"));
        let script = desk.typed(&format!("echo run >> '{}'\n{ALL}{end}", desk.path("log").display()));
        let target = ["--to", "opb", "--solver", &script];
        let listed = desk.run(&[&["count", "m.rebus", "--lists", "-f", "json"], &target[..]].concat());
        assert!(
            text(&listed.stdout).contains("\"solutions\": 6, \"complete\": true"),
            "{}",
            text(&listed.stdout)
        );
        assert!(text(&listed.stdout).contains("listing"), "{}", text(&listed.stdout));
        assert_eq!(desk.get("log"), "run\n");
        desk.ends(&[&["solve", "m.rebus", "--unique", "--lists"], &target[..]].concat(), 5, &["not unique"]);
    }
    // too few, and the same twice
    let short = desk.typed("echo 's SATISFIABLE'; echo 'v 1 2 -3 -4 0'; exit 10");
    let output = desk.run(&["count", "m.rebus", "--to", "opb", "--lists", "--solver", &short]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(4), ">=1\n".into()));
    let twice = format!("echo 's SATISFIABLE'; echo 'v 1 2 -3 -4 0'\n{ALL}echo 's UNSATISFIABLE'; exit 20");
    let output = desk.run(&["count", "m.rebus", "--to", "opb", "--lists", "--solver", &desk.typed(&twice)]);
    assert_eq!((output.status.code(), text(&output.stdout)), (Some(4), ">=6\n".into()));
    assert!(text(&output.stderr).contains("the same solution twice"));
    desk.ends(&["count", "m.rebus", "--solver", "kissat", "--lists"], 2, &["`--lists` is for a command"]);
}

#[test]
fn a_command_for_covers_lists_if_it_is_said_so() {
    let desk = Desk::new();
    let script = desk.typed(&format!("'{}' xcc \"$1\" --limit ${{MOST:-99}}", env!("CARGO_BIN_EXE_rebus")));
    let count = ["count", "m.rebus", "--to", "xcc", "--solver", &script];
    desk.ends(&count, 4, &[">=6", "`--lists` says"]);
    desk.ends(&[&count[..], &["--lists"]].concat(), 0, &["6"]);
    desk.ends(&["solve", "m.rebus", "-D", "k=4", "--unique", "--to", "xcc", "--solver", &script], 4, &[]);
    desk.ends(
        &["solve", "m.rebus", "-D", "k=4", "--unique", "--lists", "--to", "xcc", "--solver", &script],
        0,
        &["unique"],
    );
}

/// Every form of an answer, without a word about where it is from.
#[test]
fn answers_are_recognised() {
    let desk = Desk::new();
    desk.ends(&["compile", "m.rebus", "-o", "k.cnf"], 0, &[]);
    desk.ends(&["sat", "k.cnf"], 10, &[]);
    let answer = text(&desk.run(&["sat", "k.cnf"]).stdout);
    let literals: Vec<&str> = answer
        .lines()
        .filter_map(|line| line.strip_prefix("v "))
        .flat_map(|line| line.split_whitespace().filter(|word| *word != "0"))
        .collect();
    let model = literals.join(" ");
    let drawn = text(&desk.run(&["solve", "m.rebus", "--solver", "cat k.out"]).stdout);
    let drawn = if drawn.is_empty() { "#".to_owned() } else { drawn };
    let found = [
        // glucose's and minisat's result files
        format!("{model} 0\n"),
        format!("{model} 0"),
        format!("c a comment\n{model} 0\n"),
        format!("SAT\n{model} 0\n"),
        // minisat with a log
        format!(
            "WARNING: for repeatability, setting FPU to use double precision\n|  Number of variables: 7  |\n\nSAT\n{model} 0\nSATISFIABLE\n"
        ),
        format!("c 1 2 3\nrestarts : 1\nSAT\n{model} 0\n"),
        // clasp's JSON
        format!(
            "{{\"Solver\": \"clasp\", \"Call\": [{{\"Witnesses\": [{{\"Value\": [{}]}}]}}], \"Result\": \"SATISFIABLE\", \"Models\": {{\"Number\": 1, \"More\": \"yes\"}}}}",
            literals.join(",")
        ),
        format!("c clasp\nv {model} 0\ns SATISFIABLE\nc Models         : 1+\n"),
    ];
    for output in found {
        desk.put("k.out", &output);
        desk.ends(&["decode", "k.cnf.map", "k.out", "--formula", "k.cnf"], 0, &[&drawn[..1]]);
        let told = text(&desk.run(&["decode", "k.cnf.map", "k.out", "-f", "json"]).stdout);
        assert!(
            told.contains("\"status\": \"satisfiable\"") && told.contains("\"complete\": false"),
            "{output}: {told}"
        );
    }
    // these are all: said so by count
    for output in [
        format!("v {model} 0\ns SATISFIABLE\nc Models         : 1\nc Calls          : 1\n"),
        format!("s SATISFIABLE\nv {model} 0\ns SOLUTIONS 1\n"),
    ] {
        desk.put("k.out", &output);
        let told = text(&desk.run(&["decode", "k.cnf.map", "k.out", "-f", "json"]).stdout);
        assert!(told.contains("\"complete\": true"), "{output}: {told}");
    }
    // not by a word that may be a fault, and not where they are fewer than counted
    for output in [
        format!("s SATISFIABLE\nv {model} 0\ns UNSATISFIABLE\n"),
        format!("v {model} 0\ns SATISFIABLE\nc Models         : 2\n"),
        format!("v {model} 0\ns SATISFIABLE\nc Models         : 1+\n"),
    ] {
        desk.put("k.out", &output);
        let told = text(&desk.run(&["decode", "k.cnf.map", "k.out", "-f", "json"]).stdout);
        assert!(told.contains("\"complete\": false"), "{output}: {told}");
    }
    for output in ["UNSAT\n", "a log\nUNSAT\n", "{\"Result\": \"UNSATISFIABLE\"}"] {
        desk.put("k.out", output);
        desk.ends(&["decode", "k.cnf.map", "k.out"], 0, &["unsatisfiable"]);
    }
}

#[test]
fn odd_answers_are_refused_by_name() {
    let desk = Desk::new();
    desk.ends(&["compile", "m.rebus", "-o", "k.cnf"], 0, &[]);
    for (output, says) in [
        ("s SATISFIABLE\nv +1 2 0\n", "`+1`"),
        ("s SATISFIABLE\nv 1 00002 0\n", "`00002`"),
        ("s SATISFIABLE\nv 1 -x02 0\n", "`-x02`"),
        ("s SATISFIABLE\nv 1 2,3 0\n", "`2,3`"),
        ("SAT\n1 +2 0\n", "`+2`"),
        ("1 2 -3\n", "no answer"),
        ("1 +2 0\n", "`+2`"),
        ("1 2 0\n3 4 0\n", "`3`"),
        ("p cnf 4 1\n1 2 0\n", "p cnf 4 1"),
        ("1 2 00\n", "`00`"),
        ("{\"Result\": \"SATISFIABLE\"", "no JSON"),
    ] {
        desk.put("k.out", output);
        desk.ends(&["decode", "k.cnf.map", "k.out"], 3, &[says.trim_matches('`')]);
    }
}

#[test]
fn dialects_are_listed_and_proposed() {
    let desk = Desk::new();
    desk.ends(&["decode", "--help"], 0, &["cryptominisat", "clasp-json", "miniexact", "sat4j"]);
    desk.ends(&["decode", "k.map", "--dialect", "minista"], 2, &["minista", "minisat"]);
}

#[test]
fn why_covers_may_not_be_all() {
    let desk = Desk::new();
    desk.ends(&["compile", "m.rebus", "-o", "k.xcc"], 0, &[]);
    let output = desk.run(&["xcc", "k.xcc"]);
    let (all, one) = (text(&output.stdout), text(&desk.run(&["xcc", "k.xcc", "--limit", "1"]).stdout));
    let swapped: String = {
        let (head, options) = one.split_once('\n').expect("a solution");
        let mut lines: Vec<&str> = options.lines().collect();
        lines.reverse();
        format!("{}\n{}\n", head.replace('1', "2"), lines.join("\n"))
    };
    let decode = ["decode", "k.xcc.map", "k.out"];
    desk.put("k.out", &format!("{all}Altogether 6 solutions, 9 mems\n"));
    desk.ends(&[&decode[..], &["-f", "json"]].concat(), 0, &["\"solutions\": 6, \"complete\": true"]);
    for (output, says) in [
        (one.clone(), "are missing"),
        (format!("{one}TIMEOUT!\nAltogether 1 solution, 9 mems\n"), "stopped, `TIMEOUT!`"),
        (format!("TIMEOUT!\n{one}Altogether 1 solution, 9 mems\n"), "stopped, `TIMEOUT!`"),
        (format!("{one}Altogether 5 solutions, 9 mems\n"), "counted 5, and printed 1"),
        (format!("{one}{swapped}Altogether 2 solutions, 9 mems\n"), "the same solution is there twice"),
        (format!("{one}Found 1 solutions!\n"), "depends on how it was called"),
        ("Found 0 solutions!\n".to_owned(), "depends on how it was called"),
    ] {
        desk.put("k.out", &output);
        desk.ends(&decode, 4, &[says]);
    }
    // who says that it was called for this kind of problem is believed, but for multiplicities
    desk.put("k.out", "Found 0 solutions!\n");
    desk.ends(&[&decode[..], &["--dialect", "miniexact"]].concat(), 0, &["unsatisfiable"]);
    for dialect in ["dlx3", "miniexact"] {
        desk.ends(&["compile", "m.rebus", "--dialect", dialect, "-o", "k.xcc"], 0, &[]);
        for further in [&[][..], &["--dialect", "miniexact"]] {
            desk.ends(&[&decode[..], further].concat(), 4, &["unknown"]);
        }
    }
    assert!(desk.get("k.xcc").contains("| For miniexact -m"), "{}", desk.get("k.xcc"));
}

/// dlx3 has a level for each option and for each item that gets no more of them: 499 at most.
#[test]
fn what_a_program_cannot_hold_is_not_written() {
    let desk = Desk::new();
    let clues = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/slitherlink/slitherlink-1.clues");
    let compile = ["compile", "slitherlink", clues, "-o", "s.xcc", "--dialect"];
    desk.ends(
        &[&compile[..], &["dlx3"]].concat(),
        4,
        &["dlx3 holds 499 levels of search, and a solution needs"],
    );
    assert!(!desk.path("s.xcc").exists() && !desk.path("s.xcc.map").exists());
    desk.ends(&[&compile[..], &["dlx2"]].concat(), 0, &[]);
    desk.ends(&[&compile[..], &["miniexact"]].concat(), 0, &[]);
    // n cells, of which each second may be on: as many levels as cells
    desk.put("m.rebus", "param n\nvar x[n] : bool\nrule: for i in 1..n/2: x[2*i - 1] != x[2*i]\nshow x\n");
    for (n, code) in [(900, 0), (1200, 4)] {
        let n = format!("n={n}");
        desk.ends(&["compile", "m.rebus", "-D", &n, "-o", "n.xcc", "--dialect", "dlx3"], code, &[]);
    }
}

#[test]
fn numbers_and_members_of_json_data() {
    let desk = Desk::new();
    for (data, solutions) in [
        ("{\"k\": 4.0}", 1),
        ("{\"k\": 0.2e1}", 6),
        ("{\"k\": -0}", 1),
        ("{\"k\": 30e-1}", 4),
        ("{\"k\": -0.0}", 1),
    ] {
        desk.put("d.json", data);
        desk.ends(&["count", "m.rebus", "d.json"], 0, &[&format!("{solutions}\n")]);
        desk.put("d.jsonl", &format!("{data}\n"));
        desk.ends(&["solve", "m.rebus", "--each", "d.jsonl"], 0, &[]);
    }
    desk.put("m.rebus", "param k : int\nparam c[2] : (0..9)?\nvar x[4] : bool\nrule: count(x) = k\nshow x\n");
    for (data, says) in [
        ("{\"k\": 2.5, \"c\": [1, 2]}", &["2.5"][..]),
        ("{\"k\": 1e300, \"c\": [1, 2]}", &["1e"]),
        ("{\"k\": 18446744073709551615, \"c\": [1, 2]}", &["18446744073709551615"]),
        ("{\"k\": 1,\n \"k\": 2, \"c\": [1, 2]}", &["`k` is there twice", "d.json:2:"]),
        ("{\"k\": 1, \"c\": {\"1\": 1,\n\n \"1\": 2}}", &["`1` is there twice", "d.json:3:"]),
        ("{\"k\": 1, \"c\": [1.5, 2]}", &["1.5"]),
    ] {
        desk.put("d.json", data);
        desk.ends(&["count", "m.rebus", "d.json"], 1, says);
    }
    desk.put("d.json", "{\"k\": 2.0, \"c\": [1.0, -0]}");
    desk.ends(&["count", "m.rebus", "d.json"], 0, &["6\n"]);
    desk.put("v.json", "{\"x\": [true, true, false, false], \"x\": [true, false, false, false]}");
    desk.ends(&["verify", "m.rebus", "d.json", "v.json"], 1, &["`x` is there twice"]);
}
