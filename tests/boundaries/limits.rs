//! `--timeout`, `--max-memory`, `--max-cpu` and `ulimit -v` hold in every phase, and end with a message.

use super::{Desk, ends, told};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::fs;
use std::io::Write;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

/// More than any of this takes where others use the machine too.
const SOON: Duration = Duration::from_secs(30);

/// Runs a model with limits; it must end soon.
#[track_caller]
fn limited(model: &str, args: &str) -> Output {
    let desk = Desk::new().put("m.rebus", model);
    let start = Instant::now();
    let args: Vec<&str> = args.split(' ').collect();
    let output = desk.run(&args);
    assert!(start.elapsed() < SOON, "{:?}: {model}", start.elapsed());
    output
}

/// `NAME0` … `NAME60`, each a pair of the one before: a value of 2⁶¹ leaves in sixty lines.
fn tower(name: &str, open: &str, close: &str) -> String {
    let lines: String =
        (1..=60).map(|i| format!("let {name}{i} = {open}{name}{j}, {name}{j}{close}\n", j = i - 1)).collect();
    format!("let {name}0 = {open}1, 1{close}\n{lines}")
}

#[test]
fn values_that_share_parts_are_gone_through_once() {
    let lists = tower("c", "[", "]") + &tower("d", "[", "]");
    let towers = tower("a", "(", ")") + &tower("b", "(", ")") + &lists + "var x : bool\n";
    for (rule, says) in [
        ("rule: a60 = a60\nshow x", "."),
        ("rule: a60 = b60\nshow x", "."),
        ("rule: c60 = d60 and c60 = c60\nshow x", "."),
        ("rule: a60 != b60\nshow x", "unsatisfiable"),
        ("rule: a60 <= b60 and not a60 < b60\nshow x", "."),
        ("rule: c60 <= d60 and not c60 < d60\nshow x", "."),
        ("rule: (a60, x) = (b60, true)\nshow x", "#"),
        ("rule: [a60, 1] < [b60, 2]\nshow x", "."),
        ("let m = {a60: 1, b59: 2}\nshow m[b60]", "1"),
        ("let m = {(c60, i): i for i in 1..50}\nshow m[(d60, 7)]", "7"),
        ("rule: distinct([a60, b59, a58])\nshow x", "."),
        ("rule: distinct([a60, b60])\nshow x", "unsatisfiable"),
        ("rule: distinct([(a60, i) for i in 1..30])\nshow x", "."),
        ("show len(sorted([a60, b60, a60]))", "3"),
        ("show len(unique([a60, b60, a59]))", "2"),
        ("show len(keys(groups({(1, 1): a60, (1, 2): b60})))", "1"),
        ("show framed({(1, 1): 1}, {(1, 1): a60})", "1"),
        ("rule: b60 in [1, a60]\nshow x", "."),
        ("rule: b60 in [(i, a60) for i in 1..20]\nshow x", "unsatisfiable"),
        ("rule: [if x then a60 else b60] = [b60]\nshow x", "."),
    ] {
        ends(&limited(&format!("{towers}{rule}\n"), "solve m.rebus"), 0, says);
    }
    for rule in [
        "show a60",
        "show [a60]",
        "show {1: a60}",
        "show {(1, 1): c60}",
        "show text(a60)",
        "show \"{c60}\"",
        "show join([1, a60], \", \")",
        "show noted({(1, 1): 1}, {(1, 1): [c60]})",
        "let s = a60 + b60\nshow s[1][1][1]",
        "let s = 2 * a60\nshow s[1][1][1]",
        "var z[[a60]] : bool",
        "var z in [a60, b59]",
        "rule \"{a60}\": x and not x",
        "rule: a60 = (if x then a59 else b60)",
    ] {
        let output = limited(&format!("{towers}{rule}\n"), "solve m.rebus --timeout 2 --max-memory 300");
        assert!(matches!(output.status.code(), Some(0 | 1 | 4)), "{rule}: {}", told(&output));
        assert!(told(&output).len() < 20_000, "{rule}");
    }
}

/// Values that are short to write and long to hold.
#[test]
fn values_are_asked_for_before_they_are_made() {
    let doubled = |first: &str, next: &str| {
        format!("def f(s, n) = if n = 0 then s else f({next}, n - 1)\nshow len(f({first}, 50))\n")
    };
    let long = "0123456789".repeat(30);
    let thirty =
        format!("def f(s, n) = if n = 0 then s else f(\"{{s}}{{s}}\", n - 1)\nlet t = f(\"{long}\", 17)\n");
    for model in [
        format!("show len(join([i for i in 1..1000000], \"{}\"))", long.repeat(30)),
        format!("{thirty}show len(chars(t))"),
        format!("{thirty}show len(split(t, \"0\"))"),
        format!("{thirty}show [t, t, t, t, t, t, t, t, t, t]"),
        format!("{thirty}show len(join([t, t, t, t, t, t, t, t, t, t], t))"),
        doubled("\"x\"", "\"{s}{s}\""),
        doubled("\"x\"", "join([s, s], s)"),
        doubled("[1]", "s ++ s"),
        doubled("[1]", "concat([s, s, s])"),
        doubled("[1]", "[x for x in s, y in 1..2]"),
        "let a = [[i for i in 1..1000000] for j in 1..1000]\nshow len(a)".into(),
        "let a = [[i, i] for i in 1..100000000]\nshow len(a)".into(),
        "let a = [(i, j, (i, j)) for i in 1..10000, j in 1..10000]\nshow len(a)".into(),
        "let a = {(i, \"{i}\"): [i, i] for i in 1..10000, j in 1..1}\nlet b = [{(i, j): i for j in 1..1000} for i in 1..10000]\nshow len(b)".into(),
        "show len([\"{i} and {i} and {i}\" for i in 1..100000000])".into(),
        "show len(1..200000000)".into(),
        "show len(range(1, 400000000, 2))".into(),
        "show len(range(400000000, 1, -1))".into(),
        "show len(edges(10000, 10000))".into(),
        "let a = {(r, c): 1 for r in 1..600, c in 1..600}\nshow len(windows(a, (200, 200)))".into(),
        "let a = {(r, c): 1 for r in 1..300, c in 1..300}\nlet s = [(r, c) for r in 1..100, c in 1..100]\nshow len(placements(s, a))".into(),
        "var x[3] : 0..1\nrule: matches(x, r\"(((((1{1,99}){1,99}){1,99}){1,99}){1,99})\")".into(),
        "var x[3] : 0..1\nrule: matches(x, r\"(((((0|1){1,99}){1,99})?){99}){99}\")".into(),
        "var x[3] : 0..1\nrule: matches(x, r\"((((((){99}){99}){99}){99}){99}){99}\")".into(),
        "var x[3] : 0..1\nrule: matches(x, r\"(0|1)*0(0|1){60}\")".into(),
    ] {
        // it is not made first and refused then: more than that cannot be had
        let desk = Desk::new().put("m.rebus", &model);
        let output = desk.within(1800, "solve m.rebus --timeout 20 --max-memory 200");
        match model.contains("matches") {
            true => assert!(matches!(output.status.code(), Some(0 | 1 | 4)), "{model}: {}", told(&output)),
            false => ends(&output, 4, "MB would be needed"),
        }
        assert!(!told(&output).contains("memory allocation of"), "{model}: {}", told(&output));
    }
    // a value that is short to hold
    ends(&limited(&doubled("[1]", "[s, s]"), "solve m.rebus --max-memory 200"), 0, "2");
}

#[test]
fn runs_are_checked_in_a_moment() {
    let stars = |k: u32, blocks: &str, cells: u32| {
        format!(
            "param k = {k}\nvar b[{cells}] : bool\nrule: not runs(b, {blocks})\nrule: for i in 1..{}: b[i] = (i % 2 = 1)\nshow b\n",
            cells - 3
        )
    };
    for (k, blocks, cells) in [
        (20, "[\"*\" for i in 1..k] ++ [3]", 41),
        (60, "[\"*\" for i in 1..k] ++ [3]", 41),
        (15, "concat([[\"*\", 1] for i in 1..k]) ++ [3]", 61),
        (15, "concat([[\"*\", \"?\"] for i in 1..k]) ++ [3]", 61),
        (12, "[\"?\"] ++ concat([[1, \"*\"] for i in 1..k]) ++ [3, \"*\", 1]", 71),
    ] {
        for args in ["solve m.rebus --timeout 6", "solve m.rebus --to xcc --timeout 6"] {
            let output = limited(&stars(k, blocks, cells), args);
            ends(&output, 0, "#.#.#");
        }
    }
    // known cells, checked where they stand
    let known = "let b = [i % 2 = 1 for i in 1..199]\nvar x : bool\nrule: x = runs(b, [if i % 2 = 0 then 1 else \"*\" for i in 1..80] ++ [3])\nshow x\n";
    ends(&limited(known, "solve m.rebus --timeout 6"), 0, ".");
    // as many states as subsets: at the limit
    let subsets = "var b[200] : bool\nrule: runs(b, [\"*\", 3] ++ [\"?\" for i in 1..40])\nshow b\n";
    let output = limited(subsets, "solve m.rebus --timeout 2 --max-memory 500");
    assert!(matches!(output.status.code(), Some(0 | 4)), "{}", told(&output));
}

/// Each phase has its own loops.
#[test]
fn time_ends_every_phase() {
    for (model, args) in [
        ("var x[300, 300] : 1..5\nrule: for p in cells(x): area(x, p) = x[p]\n", "solve m.rebus"),
        ("var x[1000] : 1..1000\nrule: for i in 1..1000: x[x[i]] = i\n", "solve m.rebus"),
        ("var x[1000] : 0..1000\nrule: sum(x[i] * x[i] for i in 1..1000) = 1000000\n", "solve m.rebus"),
        (
            "var x[1000000] : 0..9\nrule: sum(x[i] * x[i] for i in 1..1000000) = 1000000\n",
            "check m.rebus --estimate",
        ),
        ("var x[3000] : 1..3000\nrule: distinct(x)\n", "solve m.rebus"),
        ("var x[400, 400] : bool\nrule: connected(x)\nrule: count(x) = 80000\n", "solve m.rebus"),
        (
            "var x[12] : 1..11\nrule: for i in 1..12, j in 1..12 if i < j: x[i] != x[j]\n",
            "count m.rebus --to cnf",
        ),
        ("var x[40] : bool\nshow x\n", "count m.rebus --to cnf"),
        ("rule: for i in 1..100000, j in 1..100000: i + j > 0\nvar x : bool\n", "check m.rebus"),
    ] {
        let output = limited(model, &format!("{args} --timeout 1"));
        assert!(matches!(output.status.code(), Some(0 | 4)), "{model}: {}", told(&output));
    }
}

#[test]
fn processor_time_ends_what_is_ours() {
    let pigeons = "var x[13] : 1..12\nrule: for i in 1..13, j in 1..13 if i < j: x[i] != x[j]\nshow x\n";
    let free = "var x[40] : bool\nrule: count(x) = 20\nshow x\n";
    let loops = "var x : bool\nrule: for i in 1..100000, j in 1..100000: i + j > 0\n";
    for (model, args) in [
        (pigeons, "solve m.rebus --presolve off"),
        (free, "count m.rebus --to cnf"),
        (free, "count m.rebus"),
        (loops, "check m.rebus"),
        (loops, "solve m.rebus"),
    ] {
        let output = limited(model, &format!("{args} --max-cpu 1"));
        if model == loops || model == pigeons {
            ends(&output, 4, "processor time");
        } else {
            assert!(matches!(output.status.code(), Some(0 | 4)), "{args}: {}", told(&output));
        }
    }
}

/// A map of a model of so many booleans, and a place for what a solver says.
fn mapped(variables: u32) -> Desk {
    let model = format!("var x[{variables}] : bool\nrule: any(x)\nshow x\n");
    let desk = Desk::new().put("m.rebus", model);
    ends(&desk.run(&["compile", "m.rebus", "-o", "k.cnf"]), 0, "");
    desk
}

#[test]
fn decode_keeps_its_limits_while_it_reads() {
    let desk = mapped(24);
    let decode =
        |args: &str, feed: &mut dyn FnMut(&mut dyn Write) -> std::io::Result<()>| -> (Output, Duration) {
            let start = Instant::now();
            let args: Vec<&str> = args.split(' ').collect();
            let mut command = desk.command(&args);
            command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
            let mut child = command.spawn().expect("rebus runs");
            let mut input = child.stdin.take().expect("a pipe");
            // it may have ended
            let _ = feed(&mut input);
            drop(input);
            let output = child.wait_with_output().expect("it ends");
            (output, start.elapsed())
        };
    // a pipe that says nothing, and one that says nothing of use, for ever
    let mut silent = |_: &mut dyn Write| -> std::io::Result<()> {
        std::thread::sleep(Duration::from_secs(5));
        Ok(())
    };
    let (output, took) = decode("decode k.cnf.map --timeout 1", &mut silent);
    ends(&output, 4, "the time limit was reached");
    assert!(took < SOON, "{took:?}");
    for line in ["c nothing\n", "v 1 -2 3", "\n", "{\"Call\": [", "x"] {
        let block = line.repeat(4096);
        let mut feed = |pipe: &mut dyn Write| -> std::io::Result<()> {
            loop {
                pipe.write_all(block.as_bytes())?;
            }
        };
        let (output, took) = decode("decode k.cnf.map --timeout 1", &mut feed);
        assert!(matches!(output.status.code(), Some(3 | 4)), "{line}: {}", told(&output));
        assert!(took < SOON, "{line}: {took:?}");
    }
    // one model again and again, of the formula and of no formula
    let model: String = (1..=24).map(|lit| format!("{lit} ")).collect();
    for (lines, code) in [
        (format!("s SATISFIABLE\nv {model}0\n").repeat(500), 0),
        (format!("v {model}{}0\n", "99999 ".repeat(200)).repeat(60), 0),
    ] {
        let mut feed = |pipe: &mut dyn Write| -> std::io::Result<()> {
            pipe.write_all(b"s SATISFIABLE\n")?;
            (0..1500).try_for_each(|_| pipe.write_all(lines.as_bytes()))
        };
        let (output, _) = decode("decode k.cnf.map --max-memory 60", &mut feed);
        ends(&output, code, "#");
    }
    // very many models
    let mut feed = |pipe: &mut dyn Write| -> std::io::Result<()> {
        pipe.write_all(b"s SATISFIABLE\n")?;
        for model in 1..1_000_000u32 {
            let lits: String = (0..24)
                .map(|at| format!("{}{} ", if model >> at & 1 == 1 { "" } else { "-" }, at + 1))
                .collect();
            pipe.write_all(format!("v {lits}0\n").as_bytes())?;
        }
        Ok(())
    };
    let (output, _) = decode("decode k.cnf.map --max-memory 40", &mut feed);
    ends(&output, 4, "MB would be needed");
    // small ones that unpack to much
    for (name, block) in [("a", "v 1 -2 3 -4 5 "), ("b", "c a comment\n"), ("c", "\n")] {
        let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
        let block = block.repeat(1 << 16);
        for _ in 0..(400 << 20) / block.len() {
            packed.write_all(block.as_bytes()).expect("a vector takes all");
        }
        let name = format!("{name}.gz");
        fs::write(desk.path(&name), packed.finish().expect("a vector takes all")).expect("a file");
        let (output, took) =
            decode(&format!("decode k.cnf.map {name} --timeout 1 --max-memory 60"), &mut |_| Ok(()));
        assert!(matches!(output.status.code(), Some(3 | 4)), "{name}: {}", told(&output));
        assert!(took < SOON, "{name}: {took:?}");
        ends(&decode(&format!("decode k.cnf.map {name} --timeout 0.05"), &mut |_| Ok(())).0, 4, "time limit");
    }
}

/// A pipe that nobody writes to is waited for in the system, where nothing is looked at.
#[test]
fn what_does_not_end_by_itself_is_ended() {
    let desk = Desk::new().put("m.rebus", "param t : text\nvar x : bool\nshow t\n");
    let made = Command::new("mkfifo").arg(desk.path("pipe")).status().expect("mkfifo runs");
    assert!(made.success());
    for args in
        ["check m.rebus pipe --timeout 1", "solve m.rebus -D t=@pipe --timeout 1", "decode pipe --timeout 1"]
    {
        let start = Instant::now();
        let args: Vec<&str> = args.split(' ').collect();
        ends(&desk.run(&args), 4, "did not end by itself");
        assert!(start.elapsed() < SOON, "{args:?}");
    }
    // SIGTERM, SIGINT
    for (signal, number) in [("TERM", 15), ("INT", 2)] {
        use std::os::unix::process::ExitStatusExt;
        let start = Instant::now();
        let mut child = desk.command(&["check", "m.rebus", "pipe"]).spawn().expect("rebus runs");
        std::thread::sleep(Duration::from_millis(500));
        let sent =
            Command::new("kill").args(["-s", signal, &child.id().to_string()]).status().expect("kill runs");
        assert!(sent.success());
        let status = child.wait().expect("it ends");
        assert_eq!(status.signal(), Some(number));
        assert!(start.elapsed() < SOON);
    }
    // a file that has begun is gone
    let desk = desk.put("big.rebus", "var x[60] : 1..60\nrule: distinct(x)\n");
    let output = desk.run(&["compile", "big.rebus", "-o", "k.cnf", "--map", "pipe", "--timeout", "1"]);
    assert_eq!(output.status.code(), Some(4), "{}", told(&output));
    let left: Vec<_> =
        fs::read_dir(desk.path("")).expect("a folder").flatten().map(|entry| entry.file_name()).collect();
    assert!(left.iter().all(|name| !name.to_string_lossy().contains(".part")), "{left:?}");
}

/// What the system allows is a limit as others are.
#[test]
fn limits_of_the_system_end_with_a_message() {
    let lists = "let a = [[i for i in 1..1000000] for j in 1..1000]\nvar x : bool\nrule: x or len(a) = 1\n";
    let strings = "let a = [\"{i} and {i} and {i} and {i}\" for i in 1..30000000]\nvar x : bool\nrule: x or len(a) = 1\n";
    let values = "var x[2000] : 1..2000\nrule: distinct(x)\n";
    let sums = "var x[2000] : 0..2000\nrule: sum(x[i] * x[i] for i in 1..2000) = 1000000\n";
    for model in [lists, strings, values, sums] {
        for megabytes in [300, 600, 1500] {
            let desk = Desk::new().put("m.rebus", model);
            let output = desk.within(megabytes, "solve m.rebus --timeout 20");
            ends(&output, 4, "");
            let told = told(&output);
            assert!(
                ["MB would be needed", "time limit", "memory allocation of", "bad_alloc"]
                    .iter()
                    .any(|way| told.contains(way)),
                "{model}: {told}"
            );
        }
    }
}

/// What is solved in little memory does not ask for more at its end.
#[test]
fn a_small_puzzle_in_little_memory() {
    let mut solved = 0;
    for megabytes in (12..=120).step_by(6) {
        let output = Desk::new().within(megabytes, "solve row --timeout 20");
        let told = told(&output);
        assert!(!told.contains("panicked"), "{megabytes} MB: {told}");
        if told.contains("4 3 2 1") {
            assert_eq!(output.status.code(), Some(0), "{megabytes} MB: {told}");
            solved += 1;
        }
    }
    assert!(solved > 5, "{solved}");
}
