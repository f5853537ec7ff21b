//! Pairs of entries that a guard relates by their parts: the same pairs, in the same order, or the same fault,
//! however they are found.

use super::dice::Dice;
use super::run;

struct Random(Dice);

impl Random {
    /// Entries of one shape, with here and there one of another.
    fn list(&mut self) -> String {
        let shape = self.0.below(9);
        let odd = self.0.below(5);
        let mut entries = Vec::new();
        for _ in 0..9 + self.0.below(8) {
            let (a, b) = (self.0.below(4), self.0.below(4));
            entries.push(match shape {
                0..=3 => format!("({a}, {b})"),
                4 => format!("(({a}, {b}), ({b}, {}))", self.0.below(3)),
                5 => format!("({}, {})", self.0.pick(&["red", "blue"]), b),
                6 => format!("(\"w{a}\", {b})"),
                7 => format!("[{a}, {b}, {}]", self.0.below(2)),
                _ => format!("({a}, {})", self.0.pick(&["none", "1", "(1, 2)", "x", "6 / x"])),
            });
        }
        if odd == 0 {
            const ODD: [&str; 16] = [
                "7",
                "none",
                "(1, 2, 3, 4)",
                "[]",
                "[1, 2]",
                "(1, 2)",
                "(1, 2, 3)",
                "(true, 2)",
                "(1, false)",
                "(x, 1)",
                "(6 / x, 1)",
                "([1], 1)",
                "(red, big)",
                "(big, 1)",
                "\"ab\"",
                "(none, 1)",
            ];
            let at = self.0.below(entries.len() + 1);
            entries.insert(at, self.0.pick(&ODD).into());
        }
        format!("[{}]", entries.join(", "))
    }

    /// Two operands, mostly of one kind.
    fn operands(&mut self) -> [&'static str; 2] {
        const NUMBERS: [&str; 17] = [
            "Q1",
            "Q1",
            "Q1",
            "Q2",
            "Q2",
            "P1",
            "P1",
            "P2",
            "P2",
            "1",
            "P1 + 1",
            "Q1 + 1",
            "abs(P1 - Q1)",
            "one(P)",
            "twice(P1)",
            "second(Q)",
            "m[P1 + 1]",
        ];
        const OTHERS: [&str; 10] =
            ["Q", "Q", "P", "Q1", "P1", "(P1, P2)", "(P2, 1)", "(Q1, Q2)", "red", "none"];
        match self.0.below(6) {
            0 => [self.0.pick(&NUMBERS), self.0.pick(&OTHERS)],
            1 => [self.0.pick(&OTHERS), self.0.pick(&OTHERS)],
            _ => [self.0.pick(&NUMBERS), self.0.pick(&NUMBERS)],
        }
    }

    fn condition(&mut self) -> String {
        let [a, b] = self.operands();
        match self.0.below(14) {
            0 => "near(P, Q)".into(),
            1 => "not (P1 = Q1)".into(),
            2 => "P < Q".into(),
            3 => "(P1 = Q1 or P2 = Q2)".into(),
            4 => format!("{a} in Q"),
            5 => format!("{a} in Q2"),
            6 => format!("{a} = {b} = P2"),
            7 | 8 => format!("{a} {} {b}", self.0.pick(&["!=", "<", "<=", ">", ">="])),
            _ => format!("{a} = {b}"),
        }
    }
}

/// The guard with the names written out; a `plain` one has no operand that a short cut knows.
fn written(guard: &str, patterns: bool, plain: bool) -> String {
    let names = match patterns {
        true => {
            [("P1", "p1"), ("P2", "p2"), ("Q1", "q1"), ("Q2", "q2"), ("P", "(p1, p2)"), ("Q", "(q1, q2)")]
        }
        false => [("P1", "p[1]"), ("P2", "p[2]"), ("Q1", "q[1]"), ("Q2", "q[2]"), ("P", "p"), ("Q", "q")],
    };
    names.iter().fold(guard.to_string(), |text, (name, meant)| match plain {
        true => text.replace(name, &format!("(if yes then {meant} else 0)")),
        false => text.replace(name, meant),
    })
}

#[test]
fn pairs_are_the_same_however_they_are_found() {
    let (mut found_some, mut faults) = (0, 0);
    for seed in 0..160 {
        let mut random = Random(Dice::new(seed));
        let (list, other) = (random.list(), random.list());
        let conditions: Vec<String> = (0..1 + random.0.below(3)).map(|_| random.condition()).collect();
        let guard = conditions.join(" and ");
        let same_list = random.0.below(2) == 0;
        let patterns = random.0.below(3) == 0;
        let result = |plain: bool| {
            let (p, q) = if patterns { ("(p1, p2)", "(q1, q2)") } else { ("p", "q") };
            let of = if same_list { "l" } else { "o" };
            let of = if plain { format!("[y for y in {of}]") } else { of.into() };
            let shown = if patterns { "(p1, p2, q1, q2)" } else { "(p, q)" };
            let model = format!(
                "enum Hue {{ red, blue }}\nenum Size {{ big, small }}\nvar x : 1..2\nlet yes = true\nlet k = 2
                let m = [3, 1, 2, 2]\ndef one(p) = p[1]\ndef twice(i) = 2 * i\ndef second((i, j)) = j
                def near(p, q) = p < q and (p[1] = q[1] or abs(p[1] - q[1]) + abs(p[2] - q[2]) = 1)
                let l = {list}\nlet o = {other}
                let found = [{shown} for {p} in l, {q} in {of} if {}]
                rule: len(found) >= 0\nrule: x = 1\nshow \"<{{found}}>\"",
                written(&guard, patterns, plain),
            );
            let (out, err, code) = run(&[("m.rebus", &model)], &["solve", "m.rebus"]);
            let said = err.lines().find(|line| line.starts_with("error")).unwrap_or_default().to_string();
            assert!(code == 0 || !said.is_empty(), "{seed}: {model}\n{err}");
            (out, said, code)
        };
        let (quick, plain) = (result(false), result(true));
        assert_eq!(quick, plain, "{seed}: {guard}, patterns: {patterns}\n{list}\n{other}");
        found_some += usize::from(quick.0.contains("(("));
        faults += usize::from(quick.2 != 0);
    }
    assert!(found_some > 25 && faults > 25, "{found_some} {faults}");
}

#[test]
fn a_fault_of_a_guard_is_one_beside_entries_without_it() {
    for (list, guard, said) in [
        ("[(i, 1) for i in 1..20] ++ [(true, 1)]", "q[1] = 3", "a boolean is compared with a number"),
        ("[(i, 1) for i in 1..20] ++ [3]", "q[1] = 3", "a number cannot be indexed"),
        ("[(i, 1) for i in 1..20] ++ [(1, 1, 1)]", "q[3] = 3", "index 3 is outside 1..2"),
        ("[(i, 1) for i in 1..20] ++ [(x, 1)]", "q[1] = 3", "a condition of a generator must be known"),
        (
            "[(i, 1) for i in 1..20] ++ [(1, x)]",
            "q[2] = 1 and q[1] = 1",
            "a condition of a generator must be",
        ),
        ("[(i, none) for i in 1..20]", "q[2] < 3 and q[1] = 30", "none"),
        ("[(i, 1) for i in 1..20]", "1 / (q[1] - 7) = 1 and q[2] = 30", "division by zero"),
    ] {
        let model = format!("var x : 1..3\nlet l = {list}\nrule: len([q for q in l if {guard}]) >= 0");
        let (_, err, code) = run(&[("m.rebus", &model)], &["check", "m.rebus"]);
        assert!(code != 0 && err.contains(said), "{list} {guard}: {err}");
    }
}
