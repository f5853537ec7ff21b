//! Naming changes nothing: an expression that has a name, is an argument, or is an entry that is picked means what it means where
//! it stands, and an undefined one counts only where it is used.
//!
//! Random models and the same models written otherwise have the same solutions, by the ground rules, by the check from the source,
//! by the engines, and by a meaning told anew. `kinds` is the table of what can be compared, and of what is nonsense.

#[path = "equivalence/cover.rs"]
mod cover;
#[path = "common/dice.rs"]
mod dice;
#[path = "equivalence/judge.rs"]
mod judge;
#[path = "meaning/kinds.rs"]
mod kinds;
#[path = "encode/rows.rs"]
mod rows;
#[path = "meaning/tree.rs"]
mod tree;

use dice::Dice;
use judge::{CHOICES, Wrong, judge};
use rebus::diag::{Diagnostic, Sources};
use rebus::eval::{Eval, NoImports, Program, Without};
use rebus::shared::Budget;
use std::collections::BTreeSet;
use tree::{VARS, Value, condition};

type Solutions = BTreeSet<Vec<u32>>;

/// The code and message of the first fault of a model that is refused, else its solutions. The ground rules and the check
/// from the source must agree on every assignment.
fn solutions(source: &str) -> Result<Solutions, String> {
    let told = |faults: Vec<Diagnostic>| format!("{}: {}", faults[0].code, faults[0].message);
    let mut sources = Sources::default();
    let file = sources.add("m.rebus", source);
    let program = Program::load(&mut sources, &mut NoImports, file, &[]).map_err(told)?;
    let budget = Budget::unlimited();
    let mut eval = Eval::new(&program, &budget);
    eval.declare_all().map_err(told)?;
    eval.ground_rules(0..program.rules.len(), &Without::default()).map_err(told)?;
    let sizes: Vec<u32> = eval.model.vars.iter().map(|domain| domain.size() as u32).collect();
    let mut found = BTreeSet::new();
    for values in assignments(&sizes) {
        let ground = eval.model.broken(&values).is_none();
        eval.bind_all(&values);
        let broken = eval.check_rules(&Without::default(), 1);
        eval.unbind();
        let bound = broken.map(|broken| broken.is_empty()).map_err(|fault| fault.message);
        assert_eq!(Ok(ground), bound, "ground and checked at {values:?}:\n{source}");
        if ground {
            found.insert(values);
        }
    }
    Ok(found)
}

fn assignments(sizes: &[u32]) -> Vec<Vec<u32>> {
    sizes.iter().fold(vec![Vec::new()], |all, size| {
        let longer = |head: &Vec<u32>| {
            let head = head.clone();
            (0..*size).map(move |value| head.iter().copied().chain([value]).collect())
        };
        all.iter().flat_map(longer).collect()
    })
}

/// The variables that a text names, by number.
fn named(text: &str) -> Vec<usize> {
    let words: BTreeSet<&str> = text.split(|c: char| !c.is_ascii_alphanumeric()).collect();
    (0..VARS.len()).filter(|at| words.contains(VARS[*at].0)).collect()
}

fn declared(vars: &[usize]) -> String {
    vars.iter().map(|at| format!("var {} : {}\n", VARS[*at].0, VARS[*at].1)).collect()
}

#[test]
fn written_otherwise_is_the_same() {
    let (mut compared, mut refused, mut some) = (0, 0, 0);
    for seed in 0..4000u64 {
        let rng = &mut Dice::new(seed);
        let tree = condition(rng, 1 + (seed % 3) as u32);
        let mut items = Vec::new();
        let otherwise = tree.rewritten(rng, true, &mut items);
        let vars = named(&format!("{} {otherwise}", items.join(" ")));
        // a rule's own conjuncts are rules of their own: each is looked at, whatever the others are
        let plain = format!("{}rule: {} or false\n", declared(&vars), tree.plain());
        let other = format!("{}{}\nrule: {otherwise} or false\n", declared(&vars), items.join("\n"));
        match (solutions(&plain), solutions(&other)) {
            (Ok(first), Ok(second)) => {
                let sizes: Vec<u32> = vars.iter().map(|at| VARS[*at].2.len() as u32).collect();
                let meant: Solutions = assignments(&sizes)
                    .into_iter()
                    .filter(|positions| tree.holds(&valued(&vars, positions)))
                    .collect();
                assert_eq!(first, meant, "{seed}: what it means:\n{plain}");
                assert_eq!(first, second, "{seed}: written otherwise:\n{plain}\n{other}");
                compared += 1;
                some += usize::from(!first.is_empty());
            }
            // of two faults either may be told first
            (Err(_), Err(_)) => refused += 1,
            (first, second) => panic!("{seed}: {first:?}, {second:?}:\n{plain}\n{other}"),
        }
    }
    assert!(compared > 3000 && some > 2000 && refused > 50, "{compared}, {some}, {refused}");
}

/// The last argument of the graph built-ins, whatever other rules of the same array have found out before.
#[test]
fn edges_of_graphs() {
    let declared = "var b[2, 2] : bool\nvar c : bool\nvar k : 1..2\n\
        let e = {1: ((1, 1), (2, 2))}\nlet some = [((1, 1), (2, 2))]\n";
    let calls = [
        "connected(b?)",
        "loop(b?)",
        "path(b, (1, 1), (2, 2)?)",
        "tree(b?)",
        "acyclic(b?)",
        "divided(b?)",
        "reaches(b, [(1, 1)]?)",
        "area(b, (1, 1)?) = 1",
        "area({p: b[p] = b[1, 1] for p in keys(b)}, (1, 1)?) = 1",
    ];
    let wrong = [
        ("e", "type-mismatch"),
        ("1", "type-mismatch"),
        ("k", "type-mismatch"),
        ("c", "type-mismatch"),
        ("\"ab\"", "type-mismatch"),
        ("none", "type-mismatch"),
        ("b", "type-mismatch"),
        ("((1, 1), (2, 2))", "type-mismatch"),
        ("[1, 2]", "type-mismatch"),
        ("[((1, 1), (1, 2)), (1, 1, 1)]", "type-mismatch"),
        ("if c then some else [((1, 1), (1, 2))]", "unknown-dependence"),
        ("if c then some else []", "unknown-dependence"),
        ("if c then some else none", "unknown-dependence"),
        ("[((1, 1), (k, 2))]", "unknown-dependence"),
        ("[((1, 1), (2 / k, 2))]", "unknown-dependence"),
    ];
    let rules = |call: &str| {
        let (alone, edges) = (call.replace('?', ""), call.replace('?', ", some"));
        format!("{declared}rule: {alone}\nrule: {edges}\nrule: {alone}\n")
    };
    for call in calls {
        // the same whether others were looked at before or not
        assert_eq!(solutions(&rules(call)).map(drop), Ok(()), "{call}");
        for (edges, code) in wrong {
            let this = call.replace('?', &format!(", {edges}"));
            for before in [declared.to_string(), rules("area(b, (1, 1)?) = 1"), rules(call)] {
                let told = solutions(&format!("{before}rule: {this}\n"));
                assert!(told.as_ref().is_err_and(|told| told.starts_with(code)), "{this}: {told:?}");
            }
        }
    }
}

/// Values by the number of the variable; a variable that is not named has none.
fn valued(vars: &[usize], positions: &[u32]) -> Vec<Value> {
    let mut values = vec![Value::Undefined; VARS.len()];
    for (at, position) in vars.iter().zip(positions) {
        values[*at] = VARS[*at].2[*position as usize];
    }
    values
}

#[test]
fn engines_agree() {
    for seed in 10_000..10_120u64 {
        let rng = &mut Dice::new(seed);
        let tree = condition(rng, 1 + (seed % 2) as u32);
        let mut items = Vec::new();
        let otherwise = tree.rewritten(rng, true, &mut items);
        let vars = named(&format!("{} {otherwise}", items.join(" ")));
        if vars.len() > 4 {
            continue;
        }
        let other = format!("{}{}\nrule: {otherwise} or false\n", declared(&vars), items.join("\n"));
        let Ok(found) = solutions(&other) else { continue };
        let choice = seed as usize % CHOICES.len();
        match judge(&other, &CHOICES[choice..=choice]) {
            Ok(count) => assert_eq!(count, found.len(), "{other}"),
            Err(Wrong::Refused(how) | Wrong::Differs(how)) => panic!("{how}:\n{other}"),
        }
    }
}

/// Rules over these variables, each with one that means the same.
const ALIKE: &[(&str, &[(&str, &str)])] = &[
    (
        "var x : 0..3\nvar a : bool\n\
         def two(q) = q = 2\ndef unless(q) = not (q = 2)\ndef seven(q) = 7\ndef pair((p, q)) = p\n\
         let six = 6 / x\nlet list = [6 / x, 2]\nlet pairs = {(r, c): r / x for r in 1..2, c in 1..2}",
        &[
            ("two(6 / x) <-> a", "(6 / x = 2) <-> a"),
            ("two(6 / x) = a", "(6 / x = 2) = a"),
            ("(two(6 / x), a) = (false, true)", "not (6 / x = 2) and a"),
            ("unless(6 / x)", "not (6 / x = 2)"),
            ("unless(6 / x) = a", "(not (6 / x = 2)) = a"),
            ("seven(6 / x) = 7", "true"),
            ("seven(1 / 0) = 7", "true"),
            ("seven([1][2]) = 7", "true"),
            ("seven(1 + \"a\") = 7", "true"),
            ("pair((x, 6 / x)) = 0", "x = 0"),
            ("pair((6 / x, x)) = 3", "6 / x = 3"),
            ("two(six) = a", "(6 / x = 2) = a"),
            ("six = 2", "6 / x = 2"),
            ("not (six = 2)", "not (6 / x = 2)"),
            ("a or six > 1", "a or 6 / x > 1"),
            ("list[2] = 2", "true"),
            ("list[1] = 2", "6 / x = 2"),
            ("list[x] = 2", "x = 2"),
            ("list[x + 1] = 2", "x = 1"),
            ("last(list) = 2", "true"),
            ("sum(list) > 0", "x > 0"),
            ("not (sum(list) > 0)", "x = 0"),
            ("reversed(list)[1] = 2", "true"),
            ("(list ++ [5])[3] = 5", "true"),
            ("len(list) = 2", "true"),
            ("zip(list, list)[2] = (2, 2)", "true"),
            ("2 in list", "x > 0"),
            ("list = [3, 2]", "x = 2"),
            ("list != [3, 1]", "x > 0"),
            ("pairs[2, 1] = 1", "x = 2"),
            ("any(pairs[2, c] = 1 for c in 1..2)", "x = 2"),
            ("rows(pairs)[2][1] = 1", "x = 2"),
            ("(for m in list: m = 2)", "6 / x = 2"),
            ("any(m = 2 for m in list)", "true"),
            ("any(m = 3 for m in list)", "x = 2"),
            ("(for n in 1..2, m = 6 / x: n > 0)", "true"),
            ("count(m > 0 for m in list) = 1", "x = 0"),
            ("get({1: 6 / x, 2: 5}, 2, 0) = 5", "true"),
            ("get({1: 6 / x}, 2, 6 / x) = 2", "6 / x = 2"),
            ("get({1: 5}, 1, 6 / x) = 5", "true"),
            ("where({1: 6 / x, 2: x}, 2)[2]", "x = 2"),
            ("(if a then list else [1, 1])[2] = 2", "a"),
            ("(if a then list else [1, 1])[1] = 1", "not a"),
            ("(if a then 6 / x else 1) = 1", "not a"),
            ("[6 / x, 1][2 - int(a)] = 1", "not a"),
            ("{1: 6 / x, 2: 1}[2 - int(a)] = 1", "not a"),
            ("[[6 / x, 1], [1, 1]][2 - int(a)][2] = 1", "true"),
            ("(a, 6 / x)[1]", "a"),
            ("[x > 0, a][x]", "x = 1 or x = 2 and a"),
            ("[x > 0, a][x] = false", "not ([x > 0, a][x])"),
            ("(if a then [true] else [true, a])[2] = false", "true"),
        ],
    ),
    (
        "var t : [true, false, none]\nvar s : (1..2)?\nvar a : bool\nlet u = t\ndef same(q) = q",
        &[
            ("t", "t = true"),
            ("not t", "t != true"),
            ("same(t)", "t = true"),
            ("any([t, a])", "t != none and (t = true or a)"),
            ("any(q for q in [t, a])", "t = true or a"),
            ("t or a", "t = true or a"),
            ("count([t, a]) = 1", "t != none and (t = true) != a"),
            ("not all([t, a])", "t != true or not a"),
            ("xor([t, a])", "t != none and (t = true) != a"),
            ("leading([a, t]) = 1", "a and t = false"),
            ("runs([a, t], [1])", "t != none and (t = true) != a"),
            ("connected({(1, 1): true, (1, 2): t, (1, 3): a})", "t != none and (t = true or not a)"),
            ("(if t then 1 else 2) = 2", "t != true"),
            ("[t, a][1]", "t = true"),
            ("[t][1] -> a", "t != true or a"),
            ("u <-> a", "(t = true) = a"),
            ("not (s > 1)", "s != 2"),
            ("not (not (s > 1))", "s = 2"),
            ("same(s + 1) = 2", "s = 1"),
            ("same(s) = none", "s = none"),
            ("[s, 1][1] = none", "s = none"),
            ("[4, 5][s] = 5", "s = 2"),
            ("[s + 1, 5][2] = 5", "true"),
            ("[a, true][s] = false", "s = none or s = 1 and not a"),
            ("[t, a][s + 1] = false", "s = 1 and not a or s = 2 and t != none"),
            ("[t, a][3 * int(a)] = false", "t != none"),
        ],
    ),
];

#[test]
fn rules_with_the_same_meaning() {
    let mut wrong = Vec::new();
    for (declarations, rules) in ALIKE {
        for (first, second) in *rules {
            let of = |rule: &str| solutions(&format!("{declarations}\nrule: {rule}\n"));
            let (first_has, second_has) = (of(first), of(second));
            if first_has.is_err() || first_has != second_has {
                wrong.push(format!("{first}: {first_has:?}\n  {second}: {second_has:?}"));
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}
