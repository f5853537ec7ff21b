//! What is short to send and long to read; sizes and limits.

use super::{Desk, ends, told};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::Write;

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::best());
    packed.write_all(bytes).expect("a vector takes all");
    packed.finish().expect("a vector takes all")
}

#[test]
fn what_is_packed_is_bounded() {
    let bomb = gz(&vec![b'#'; 100 << 20]);
    let desk = Desk::new().put("m.rebus.gz", &bomb).put("m.rebus", "var x : bool\n").put("k.map", &bomb);
    let desk = desk.put("n.rebus", "import \"m.rebus.gz\"\n").put("each.gz", gz(&vec![b'1'; 100 << 20]));
    ends(&desk.within(200, "check m.rebus.gz"), 4, "16777216 bytes");
    ends(&desk.within(200, "check n.rebus"), 4, "16777216 bytes");
    ends(&desk.within(200, "check m.rebus m.rebus.gz"), 4, "16777216 bytes");
    ends(&desk.within(200, "fmt m.rebus.gz"), 4, "16777216 bytes");
    ends(&desk.within(400, "decode k.map m.rebus --max-memory 1000"), 4, "bytes, the limit");
    // many of them
    let many: String = (0..9).map(|i| format!("import \"i{i}.rebus\"\n")).collect();
    let mut desk = desk.put("many.rebus", many);
    let comment = gz(&vec![b'\n'; 15 << 20]);
    for i in 0..9 {
        desk = desk.put(&format!("i{i}.rebus"), &comment);
    }
    ends(&desk.run(&["check", "many.rebus"]), 4, "bytes of them, are over the limit");
    // a formula that a solver wants unpacked
    let desk = desk.put("k.cnf.gz", gz(&[b"p cnf 1 1\n1 0\n".to_vec(), vec![b'\n'; 400 << 20]].concat()));
    let output = desk.run(&["run", "cat {in}", "k.cnf.gz", "--timeout", "0.01"]);
    ends(&output, 0, "s UNKNOWN");
}

#[test]
fn names_of_imports_do_not_multiply() {
    let names: String = (0..50_000).map(|i| format!("let n{i} = 1\n")).collect();
    let mut desk = Desk::new().put("i0.rebus", names).put("m.rebus", "import \"i199.rebus\"\nvar x : bool\n");
    for i in 1..200 {
        desk = desk.put(&format!("i{i}.rebus"), format!("import \"i{}.rebus\"\n", i - 1));
    }
    ends(&desk.within(2000, "check m.rebus"), 4, "names along, the limit");
}

#[test]
fn deep_and_long_texts_are_bounded() {
    let deep = 200_000;
    let nested = "[".repeat(deep) + &"]".repeat(deep);
    let desk = Desk::new().put("m.rebus", "param c[2] : int\nshow c\n");
    let desk =
        desk.put("d.json", format!("{{\"c\": {nested}}}")).put("d.jsonl", format!("{{\"c\": {nested}}}\n"));
    let desk = desk.put("d.clues", format!("c = {nested}\n")).put("lines", format!("{nested}\n"));
    let desk = desk.put("out", format!("{{\"Call\": {nested}, \"Result\": \"SATISFIABLE\"}}"));
    for args in [
        "check m.rebus d.json",
        "check m.rebus d.clues",
        "solve m.rebus --each d.jsonl",
        "solve m.rebus --each c=lines",
    ] {
        ends(&desk.within(2000, args), 1, "error[");
    }
    ends(&desk.run(&["import", "d.json"]), 1, "error[");
    let model = "var x : bool\nshow x\n";
    let desk = desk.put("x.rebus", model);
    ends(&desk.run(&["compile", "x.rebus", "-o", "k.cnf"]), 0, "");
    ends(&desk.run(&["decode", "k.cnf.map", "out", "--dialect", "clasp-json"]), 3, "error[solver-failed]");
    // what doubles with every line
    let doubled = |first: &str, next: &dyn Fn(u32) -> String| {
        let lines: String = (1..64).map(|i| format!("let a{i} = {}\n", next(i - 1))).collect();
        format!("let a0 = {first}\n{lines}show a63\n")
    };
    for model in [
        doubled("\"x\"", &|i| format!("\"{{a{i}}}{{a{i}}}\"")),
        doubled("[1]", &|i| format!("a{i} ++ a{i}")),
        doubled("[1]", &|i| format!("concat([a{i}, a{i}])")),
        doubled("[1]", &|i| format!("[x for x in a{i}, y in 1..2]")),
        "show 1..268435455\n".to_owned(),
    ] {
        let desk = Desk::new().put("m.rebus", &model);
        ends(&desk.within(3000, "solve m.rebus --max-memory 100"), 4, "error[limit-exceeded]");
    }
    // automata, ranges and powers that are short to write
    for model in [
        "var x[3] : 0..1\nrule: matches(x, r\"((0|1){900}){900}\")\n",
        "var x[3] : 0..1\nrule: matches(x, r\"(0|1)*0(0|1){60}\")\n",
        "var x[100000, 100000] : 0..1\n",
        "var x : 0..4000000000\n",
        "let a = [i * j for i in 1..100000, j in 1..100000]\nshow a[1]\n",
    ] {
        let desk = Desk::new().put("m.rebus", model);
        let output = desk.within(4000, "check m.rebus --timeout 5 --max-memory 200");
        assert!(matches!(output.status.code(), Some(0 | 1 | 4)), "{model}: {}", told(&output));
    }
}

#[test]
fn puzzles_of_others_are_bounded() {
    let mut puzzles = vec![
        "https://puzz.link/p?slither/99999/99999/".to_owned(),
        "https://puzz.link/p?nonogram/999999999999999999999/9/".to_owned(),
        format!("https://puzz.link/p?slither/300/300/{}", "z".repeat(100_000)),
        "100000x100000:a".to_owned(),
        "99999x99999n4:z".to_owned(),
        format!("pzprv3/slither/100000/100000/{}", ". ".repeat(9)),
        format!("https://f-puzzles.com/?load={}", "A".repeat(100_000)),
    ];
    puzzles.push(format!("9x9:{}", "z".repeat(1 << 20)));
    for puzzle in puzzles {
        let desk = Desk::new().put("puzzle", &puzzle);
        let output = desk.within(2000, "import puzzle");
        assert!(matches!(output.status.code(), Some(0 | 1)), "{}: {}", &puzzle[..40], told(&output));
    }
}

/// What the estimate says is what is written; what is over a limit leaves nothing.
#[test]
fn sizes_are_told_before_and_limits_hold() {
    for target in ["cnf", "wcnf", "opb", "xcc"] {
        let desk = Desk::new();
        let output = desk.run(&["check", "queens", "-D", "n=8", "--estimate", "--to", target]);
        ends(&output, 0, "bytes");
        let text = told(&output);
        let number = |key: &str| -> u64 {
            let line = text.lines().find(|line| line.trim_start().starts_with(key)).expect("a line");
            line.split_whitespace().last().and_then(|word| word.parse().ok()).expect("a number")
        };
        assert_eq!(fs::read_dir(desk.0.path()).expect("a folder").count(), 0);
        let file = format!("k.{target}");
        ends(&desk.run(&["compile", "queens", "-D", "n=8", "-o", &file]), 0, "");
        assert_eq!(fs::metadata(desk.path(&file)).expect("a file").len(), number("bytes"), "{target}");
        let most = (number("rows") - 1).to_string();
        for file in ["l.", "l.gz."] {
            let file = format!("{file}{target}");
            let output = desk.run(&["compile", "queens", "-D", "n=8", "-o", &file, "--max-clauses", &most]);
            ends(&output, 4, "give more with `--max-clauses`");
            let output = desk.run(&["compile", "queens", "-D", "n=200", "-o", &file, "--max-memory", "1"]);
            ends(&output, 4, "error[limit-exceeded]");
            let output = desk.run(&[
                "check",
                "queens",
                "-D",
                "n=200",
                "--estimate",
                "--to",
                target,
                "--max-memory",
                "1",
            ]);
            ends(&output, 4, "error[limit-exceeded]");
            assert!(!desk.path(&file).exists() && !desk.path(&format!("{file}.map")).exists());
        }
        assert_eq!(fs::read_dir(desk.0.path()).expect("a folder").count(), 2, "{target}");
    }
    // limits hold for every way to a formula
    let desk = Desk::new();
    for args in [
        "solve queens -D n=8",
        "count queens -D n=8 --to cnf",
        "solve queens -D n=8 --all --proof p",
        "explain queens -D n=8",
        "check queens -D n=8",
    ] {
        let args: Vec<&str> = args.split(' ').chain(["--max-clauses", "10"]).collect();
        ends(&desk.run(&args), 4, "give more with `--max-clauses`");
    }
    assert_eq!(fs::read_dir(desk.0.path()).expect("a folder").count(), 0);
}
