//! The library needs little stack of its caller's thread, however deep a model calls, nests or chains.

use rebus::{Form, Judgement, Puzzle, Target};

/// A quarter of what threads have by default.
const STACK: usize = 512 << 10;

fn solutions(model: String) -> usize {
    let work = move || {
        let puzzle = Puzzle::from_text(&model).load().expect("a model");
        let found: Vec<_> =
            puzzle.solutions().expect("a search").collect::<Result<_, _>>().expect("no limit");
        assert!(puzzle.explain().is_ok() && puzzle.formula(Target::Cnf).is_ok());
        let judged = puzzle.verify(&found[0].draw(Form::Text)).expect("a drawing of ours");
        assert!(matches!(judged, Judgement::Correct(None)), "{judged:?}");
        found.len()
    };
    std::thread::Builder::new().stack_size(STACK).spawn(work).expect("a thread").join().expect("no panic")
}

fn nested(open: &str, inner: &str, close: &str, levels: usize) -> String {
    format!("{}{inner}{}", open.repeat(levels), close.repeat(levels))
}

#[test]
fn functions_that_call_themselves() {
    let count = "def f(n) = if n = 0 then 0 else f(n - 1)\nvar x : 0..2\nrule: x = f(9000)\nshow x\n";
    assert_eq!(solutions(count.to_owned()), 1);
    let sums = "var x[9000] : bool\ndef odd(n) = if n = 0 then false else x[n] xor odd(n - 1)\n\
                rule: for i in 1..8999: x[i] = (i % 2 = 0)\nrule: odd(9000)\nshow x\n";
    assert_eq!(solutions(sums.to_owned()), 1);
    let choices = "var x[2000] : 0..3\ndef f(n) = if n = 0 then 0 else if x[n] = 1 then f(n - 1) else x[n]\n\
                   rule: for i in 1..2000: x[i] = 1 or i = 7\nrule: f(2000) = 3\nshow x\n";
    assert_eq!(solutions(choices.to_owned()), 1);
}

#[test]
fn brackets_in_brackets() {
    for (open, inner, close) in [
        ("not (", "x = 1", ")"),
        ("(", "x = 1", ")"),
        ("[[", "x = 1", "][1]][1]"),
        ("if x = 0 then x = 1 else (", "x = 1", ")"),
        ("(for i in 1..1: ", "x = 1", ")"),
        ("1 = sum([int(", "x = 1", ")])"),
        ("(true and ", "x = 1", ")"),
    ] {
        let levels = if open.len() > 8 { 300 } else { 600 };
        let model = format!("var x : 0..2\nrule: {}\nshow x\n", nested(open, inner, close, levels));
        assert_eq!(solutions(model), 1, "{open}");
    }
}

#[test]
fn values_in_values() {
    for (part, kind) in
        [("(deep(n - 1, a), 0)", "tuple"), ("[deep(n - 1, a)]", "list"), ("{1: deep(n - 1, a)}", "map")]
    {
        let mut model = format!("def deep(n, a) = if n = 0 then a else {part}\nlet a0 = 1\nlet b0 = 1\n");
        for i in 1..=10 {
            model += &format!("let a{i} = deep(9000, a{})\nlet b{i} = deep(9000, b{})\n", i - 1, i - 1);
        }
        model += "var x : bool\nrule: x = (a10 = b10)\nshow x\n";
        assert_eq!(solutions(model), 1, "{kind}");
    }
}
