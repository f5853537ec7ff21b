//! Entries of a list that hold a value: what the guard lets through is the same however it is found.

use super::dice::Dice;
use super::{run, shows};

#[test]
fn the_guard_lets_through_what_it_does_on_lists_made_anew() {
    const VALUES: [&str; 8] = ["0", "1", "2", "(1, 2)", "(1, 1)", "\"a\"", "none", "[1]"];
    for seed in 0..20 {
        let mut dice = Dice::new(seed);
        let mut entries = Vec::new();
        for _ in 0..9 + dice.below(20) {
            let members: Vec<&str> = (0..dice.below(12)).map(|_| dice.pick(&VALUES)).collect();
            entries.push(format!("({seed}, [{}])", members.join(", ")));
        }
        let out = shows(&format!(
            "let pairs = [{}]
            let lists = [x[2] for x in pairs]
            let values = [{}]
            let same = [f = g for v in values, (f, g) in [
              ([x for x in lists if v in x], [x for x in lists if v in [y for y in x]]),
              ([x for x in pairs if v in x[2]], [x for x in pairs if v in [y for y in x[2]]]),
              ([x for x in lists if v in x and len(x) > 3],
               [x for x in lists if len(x) > 3 and v in [y for y in x]])]]
            show \"<{{all(same)}} {{len(same)}}>\"",
            entries.join(", "),
            VALUES.join(", "),
        ));
        assert!(out.contains("<true 24>"), "{seed}: {out}");
    }
}

#[test]
fn an_entry_that_is_no_list_is_still_a_fault() {
    for (list, said) in [
        ("[[i] for i in 1..20] ++ [7]", "`in` wants a list, this is a number"),
        ("[[i] for i in 1..20] ++ [[x]]", "a condition of a generator must be known"),
    ] {
        let model = format!("var x : 1..3\nlet l = {list}\nrule: count(x = e[1] for e in l if 2 in e) = 1");
        let (_, err, code) = run(&[("m.rebus", &model)], &["check", "m.rebus"]);
        assert!(code != 0 && err.contains(said), "{list}: {err}");
    }
}

#[test]
fn text_holds_its_parts() {
    let out = shows(
        "let words = [\"w{i}\" for i in 1..20]\nlet part = \"1\"\nshow \"<{len([w for w in words if part in w])}>\"",
    );
    assert!(out.contains("<11>"), "{out}");
}
