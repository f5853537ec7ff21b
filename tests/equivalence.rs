//! What a model means is one thing: checking the source, the ground rules and every encoding agree on every assignment.

#[path = "equivalence/cover.rs"]
mod cover;
#[path = "common/dice.rs"]
mod dice;
#[path = "equivalence/judge.rs"]
mod judge;
#[path = "equivalence/random.rs"]
mod random;
#[path = "encode/rows.rs"]
mod rows;

use judge::{CHOICES, Wrong, judge};

/// Declarations, and conditions over them.
const CONDITIONS: &[(&str, &[&str])] = &[
    (
        "var a : bool\nvar b : bool\nvar c : bool",
        &[
            "all([a, b, c])",
            "any([a, not b, c])",
            "xor([a, b, c])",
            "xor([a, a, b])",
            "a xor b xor c",
            "a -> b -> c",
            "a <-> b <-> c",
            "a or b and not c",
            "a = b",
            "a != not b",
            "a = true",
            "(a, b) = (b, c)",
            "[a, b] != [c, true]",
            "count([a, b, c]) = 2",
            "count([a, a, b]) >= 2",
            "count([a, not a, b]) = 1",
            "count(q for q in [a, b, c]) != 1",
            "1 <= count([a, b, c]) < 3",
            "sum([a, b, c]) = 1",
            "sum([a, a, c]) <= 2",
            "a + b + c > 1",
            "int(a) + 2 * int(b) - int(c) = 1",
            "product([a, b]) = 1",
            "distinct([a, b])",
            "distinct([a, b, c])",
            "leading([a, b, c]) = 2",
            "leading([a, b, a, c]) >= 1",
            "leading([not a, b]) = count([c])",
            "runs([a, b, c], [1, 1])",
            "runs([a, b, c], [2])",
            "runs([a, b, c], [0])",
            "runs([a, b, c], [])",
            "runs([a, b, c], [\"?\"])",
            "runs([a, b, c, a], [\"?\", \"?\"])",
            "runs([a, b, c], [\"*\"])",
            "runs([a, b, c, true], [\"*\", 1])",
            "runs([a, b, a, c, b], [1, \"*\"])",
            "runs([a, b, c, false, a], [\"?\", \"*\", 1])",
            "runs([a, a, b, b], [2])",
            "runs([a, not a, b], [1])",
            "runs([a, b, c], [4])",
            "runs([a, b, c], [0, 1, 0, 1])",
            "matches([a, b, c], \"1*0+\")",
            "matches([a, not b, c, a], \"(01|1)*\")",
            "matches([a, a, b], \"0*1\")",
            "matches([a, true, b], r\"1{2,3}\")",
            "matches([a, b], \"x\")",
            "lex_less([a, b], [b, c]) or a",
            "first([a, b])",
            "last([a, b])",
            "a in [b, c]",
            "a in [b, not b]",
            "[a, b] in [[true, false], [false, c]]",
            "(if a then b else c)",
            "(if a then b else not b)",
            "count([if a then b else c, b]) = 1",
            "(if a then 1 else 2) = (if b then 2 else 1)",
            "where({1: a, 2: b}, true)[1]",
            "all(for_all for for_all in [a, b])",
            "any(a and q for q in [b, c])",
            "(for q in [a, b]: q or c)",
            "(for q in [a, b]: q -> c)",
            "[a, b, c][1 + int(a)]",
            "[a, b][1 + int(a) + int(b)]",
            "(a, b)[2 - int(c)]",
            "any([[a, b][1 + int(a) + int(b)], c])",
            "count([[a, b][int(a) + int(b)], c]) = 1",
            "all([[true, true][int(a) + int(b)], c])",
            "xor([[a, true][int(b) + int(c)], a])",
        ],
    ),
    (
        "var x : 0..3\nvar y : 0..3\nvar z : [-2, 0, 1, 5]",
        &[
            "int(x < 2) = 0",
            "(x <= 1) + 0 * y = 0",
            "x = y",
            "x != y",
            "x < y",
            "x <= z",
            "x > 1 and y >= z",
            "0 <= x < y <= 3",
            "x = y = z",
            "x < y > z",
            "x != y != z",
            "x + y = 3",
            "x + y + z = 4",
            "x - y = z",
            "2 * x - 3 * y <= z",
            "x + x = y",
            "x - x = 0",
            "x = x",
            "x < x",
            "x + x - 2 * x = z",
            "-x = z",
            "x * y = 6",
            "x * x = z",
            "x * x + y * y = z * z",
            "x * y * z = 0",
            "x / 2 = 1",
            "x / -2 = -1",
            "z / 2 = y",
            "z % 3 = x",
            "z % -3 = -x",
            "x / y = 1",
            "x % y = 1",
            "x / y >= 0",
            "x / y != 1",
            "6 / x = y",
            "6 % z = x",
            "x / z < y",
            "x / x = 1",
            "(x / y) * y + x % y = x",
            "abs(z) = x",
            "abs(x - y) = 1",
            "abs(-x) >= 2",
            "min([x, y, z]) = 0",
            "max([x, y, z]) = 3",
            "min(x, y) = max(y, z)",
            "max([x, x]) = x",
            "min(x, 2) < max(1, z)",
            "sum([x, y, z]) = 5",
            "sum([x, x, y]) = 4",
            "sum(k * q for (k, q) in enumerate([x, y])) >= 6",
            "product([x, y]) = 2",
            "product([x, x, y]) < 4",
            "distinct([x, y, z])",
            "distinct([x, x])",
            "distinct([x, y, 1])",
            "distinct([x, y + 1, 2])",
            "distinct([])",
            "distinct([(x, y), (y, x)])",
            "distinct([[x], [y]])",
            "first([x, y]) = last([y, x])",
            "x in [1, 3]",
            "x in 1..2",
            "x in [y, z]",
            "x in []",
            "x in [1, 2, 0, 3]",
            "z in [0, 1, 2, 4, 5, 8, 9, 10, 11, 12]",
            "x + y in [0, 5, 6]",
            "(x, y) in [(0, 1), (1, 2), (3, 3)]",
            "(x, y) in [(0, z), (1, 2)]",
            "(x, x) in [(0, 1), (2, 2)]",
            "(x, (y, z)) in [(1, (2, 5)), (0, (0, 0))]",
            "not x in 2..3",
            "(x, y) = (1, 2)",
            "(x, y) != (y, x)",
            "(x, y) < (y, z)",
            "(x, y) <= (y, x)",
            "[x, y] = [y, 2]",
            "lex_less([x, y], [y, z])",
            "lex_less([x], [x, y])",
            "lex_less([x, y], [x])",
            "lex_less([x, x], [y, y])",
            "increasing([x, y, z])",
            "increasing([x, x])",
            "increasing([x])",
            "increasing([0, x, y])",
            "matches([x, y], \"[01]2|3.\")",
            "matches([x, 10, y], \"0*A[^1]\")",
            "matches([x, x], \"12|22\")",
            "[4, 7, 9][x] = 7",
            "[4, 7, 9][x] != 7",
            "[4, 7, 9][x] > y + 4",
            "[x, y, z][x] = y",
            "[x, y][z] = 0",
            "{0: 1, 5: x}[z] = y",
            "{(0, 1): 4, (1, 2): 5}[x, y] = 4",
            "{(0, 1): 4, (1, 2): z}[(x, y)] != 4",
            "[true, false, true][x]",
            "[x > 1, y > 1][z]",
            "[[1, 2], [3, 0]][x, y] = z",
            "[[1, 2], [3, 0]][x][y] >= 1",
            "[[x, 2], [3, y]][x] = [1, 2]",
            "any([[true, true][x], y = 3])",
            "count([[true, y = 1][x], y = 3, true]) = 2",
            "any([x / y = 1, y = 0])",
            "count([x / y = 1, y = 0]) = 1",
            "any(10 / q > 4 for q in [x, y])",
            "distinct(6 / q for q in [x, y])",
            "increasing(6 / q for q in [x, y])",
            "distinct([6 / x, y])",
            "min([6 / x, y]) = 2",
            "max(6 / q for q in [x, y]) = 6",
            "sum([6 / x, y]) = 4",
            "abs(6 / z) = y",
            "6 / x in [2, 3]",
            "(6 / x, y) in [(2, 1), (3, 0)]",
            "(if x = 0 then 0 else 6 / x) = y",
            "(if x > y then x else y) = max(x, y)",
            "(if x > y then x - y else y - x) = 2",
            "(if y > 0 then x / y else z) = 1",
            "(if x = y then 6 / x else 6 / y) >= 3",
            "(if x > 1 then (y, z) else (x, x)) = (0, 0)",
            "(if x > 1 then [y, z] else [x, x]) = [1, 1]",
            "(if x > 1 then \"a\" else \"b\") = \"a\"",
            "(if x > 1 then \"a\" else none) != none",
            "given(if x > 1 then y else none)",
            "(if x > 1 then y else none) > 1",
            "(if x > 1 then y else none) = 1",
            "(if x > 1 then y > 1 else y / x = 1)",
            "get({1: x}, 1, y) = 2",
            "get({1: x}, 2, y) = 2",
            "count(q = 1 for q in [x, y, z]) = 1",
            "count([x = 1, x = 1, y = 1]) = 2",
            "count([x = 1, x != 1]) = 1",
            "sum([x = 1, y]) = 3",
            "(x = 1) + (y = 2) = z",
            "all([x < y, y / x = 2])",
            "xor([x = 1, y = 1, z = 1])",
            "where({1: x, 2: y}, 2)[x]",
            "where({1: 6 / x, 2: y}, 2)[2]",
            "(for m in [6 / x, y]: m > 2)",
            "(for q in [1, 2], m = 6 / x: m > q)",
            "leading([x > 0, y > 0, z > 0]) = y",
            "runs([x > 0, y > 0, z > 0], [1, 1])",
            "(x = 1 -> y / x = 2) and (y > z or x / y = 1)",
            "not x / y = 1 and not x / y != 1",
            "x * [1, 2, 3][y] = z + 1",
            "[1, 2, 3][x] + [1, 2, 3][y] = 4",
            "[[1, 2, 3][x], y][z] = 1",
            "x / (y / z) = 0",
            "x % (y - z) = y / x",
        ],
    ),
    (
        "enum E { u, v, w }\nvar e : E\nvar f : E\nvar g : [u, w]\nvar i : 0..4",
        &[
            "e = f",
            "e != g",
            "e = u",
            "e in [u, w]",
            "e in [f, g]",
            "distinct([e, f, g])",
            "distinct([e, e])",
            "distinct([e, f])",
            "(e, f) = (f, g)",
            "(e, f) in [(u, v), (w, w)]",
            "e < f",
            "e <= g",
            "u < e <= w",
            "increasing([e, f])",
            "lex_less([e, f], [f, g])",
            "{u: 1, v: 2, w: 3}[e] = i",
            "{u: 1, w: 3}[e] = i",
            "{u: 1, w: 3}[e] != 1",
            "[e, f, g][i] = u",
            "[e, f, g][i] != u",
            "[u, v, w][i] = e",
            "{(u, u): 1, (v, w): 2}[e, f] = 1",
            "{u: true, w: false}[e]",
            "count(q = u for q in [e, f, g]) = 2",
            "(if i > 2 then e else f) = g",
            "(if e = u then i else 2) = 2",
            "(if e = u then f else none) = none",
            "e = none",
            "given(e)",
            "matches([e, f], \"x?\")",
            "first([e, f]) = last([f, g])",
            "count(k for k in [e = u, f = u, g = u]) = i",
            "(e, i) in [(u, 1), (v, 2), (v, 3)]",
            "(e, i) < (f, 2)",
        ],
    ),
    (
        "var o : (1..3)?\nvar p : (1..3)?\nvar m : [1, 2, \"a\", none]\nvar t : [true, false, none]\nvar s : [\"a\", \"b\"]",
        &[
            "given(o)",
            "not given(o) and given(p)",
            "o = p",
            "o != p",
            "o = none",
            "o = 2",
            "o > 1",
            "o <= p",
            "o + p = 4",
            "o + 1 != 3",
            "abs(o) = 2",
            "-o = -1",
            "o * p >= 3",
            "6 / o = p",
            "o / p = 1",
            "sum([o, p]) = 3",
            "product([o, p]) = 3",
            "min([o, p]) = 1",
            "max(o, p) = 2",
            "count([o = 1, p = none]) = 1",
            "distinct([o, p])",
            "distinct([o, p, 1])",
            "distinct([m, o])",
            "increasing([o, p])",
            "lex_less([o, p], [p, o])",
            "o in [1, none]",
            "o in [p, 3]",
            "m in [1, \"a\"]",
            "m = \"a\"",
            "m = 1",
            "m = o",
            "m = s",
            "m != none",
            "[5, 6, 7][o] = 6",
            "[5, 6, 7][o] != 6",
            "[5, 6][o] > 5",
            "[true, false][o]",
            "any([[true, false][o], p = 1])",
            "{\"a\": 1, \"b\": 2}[s] = o",
            "{\"a\": 1}[s] = o",
            "{1: 1, \"a\": 2}[m] = o",
            "[o, p][o] = p",
            "[o, p][1] = none",
            "matches([s, s], \"a+|b+\")",
            "matches([o, p], r\"[.]1|22\")",
            "matches([m, s], \"1a|aa|[.]b\")",
            "t",
            "t = true",
            "t != none",
            "t and o = 1",
            "count([t, o = 1]) = 1",
            "any([t, o = 1])",
            "all([t, o = 1])",
            "xor([t, t])",
            "sum([t, 1]) = 2",
            "runs([t, true], [2])",
            "leading([t, true]) = 2",
            "(if t then 1 else 2) = o",
            "(if given(o) then o else 0) = 2",
            "(if given(o) then o + 1 else 0) in [0, 3]",
            "(given(o) -> o = 2)",
            "(if o = 1 then p else m) = 2",
            "(o, p) = (1, none)",
            "(o, p) in [(1, 2), (none, 3), (p, o)]",
            "(o, 1) < (p, 2)",
            "[o, p] = [p, 2]",
            "where({1: o, 2: p}, none)[1]",
            "\"a\" in s",
            "s in \"xa\"",
            "s = \"a\"",
            "count(q = none for q in [o, p, m]) = 2",
        ],
    ),
    (
        "var x[2, 2] : 1..2\nvar on[3] : bool\nvar i : 0..3\nvar j : 0..2",
        &[
            "distinct(x)",
            "sum(x) = 6",
            "max(x) < 3",
            "sum(x[1, *]) = sum(x[*, 2])",
            "x[i, j] = 2",
            "x[i, 1] != 2",
            "x[1, i] < x[j, 1]",
            "x[(i, j)] = x[(j, i)]",
            "on[i]",
            "on[i] and on[j]",
            "any(on[[i, j]])",
            "count(on[[i, j, i]]) = 2",
            "count(on) = i",
            "all(on[k] for k in [i, j])",
            "leading(on) = j",
            "count(x[k, k] = 2 for k in [1, i]) = 2",
            "rows(x)[i] = [1, 2]",
            "distinct(rows(x))",
            "x[i + 1, j] >= 2",
            "[1, 2] in rows(x)",
            "matches(x[1, *], \"12*\")",
            "lex_less(x[1, *], x[2, *])",
            "increasing(x[*, 1])",
            "(i, j) in cells(x)",
            "x = [1, 2, 2, i]",
            "where(x, 2)[i, j]",
            "on = [true, i > 1, false]",
        ],
    ),
];

/// The ways a condition `C` occurs.
const FORMS: [&str; 6] = [
    "rule: C",
    "rule: not C",
    "var q_ : bool\nrule: C <-> q_",
    "var q_ : bool\nrule: count([C, q_, C]) = 2",
    "var q_, r_ : bool\nrule: if q_ then C else r_",
    "var q_ : bool\nrule: q_ -> not (C and q_)\nrule: any([C, q_])",
];

/// Does the line declare an enum, or a variable that the condition names?
fn declares_used(line: &str, condition: &str) -> bool {
    let Some(declared) = line.strip_prefix("var ") else { return true };
    let name: String = declared.chars().take_while(char::is_ascii_alphanumeric).collect();
    let word = |c: char| c.is_ascii_alphanumeric();
    condition.split(|c| !word(c)).any(|found| found == name)
}

#[test]
fn every_condition_in_every_form() {
    let mut wrong = Vec::new();
    for (declarations, conditions) in CONDITIONS {
        for condition in *conditions {
            // every encoding for every condition, a different one for every form
            for (at, form) in FORMS.iter().enumerate() {
                let declared: Vec<&str> =
                    declarations.lines().filter(|line| declares_used(line, condition)).collect();
                let condition = format!("({condition})");
                let model = format!("{}\n{}", declared.join("\n"), form.replace('C', &condition));
                let choice = at % CHOICES.len();
                match judge(&model, &CHOICES[choice..=choice]) {
                    Ok(_) => {}
                    Err(Wrong::Refused(message)) => {
                        wrong.push(format!("{condition}\n  {form:?}: refused: {message}"));
                    }
                    Err(Wrong::Differs(how)) => wrong.push(format!("{condition}\n  {form:?}: {how}")),
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn random_conditions() {
    let (mut agreed, mut refused) = (0, 0);
    let mut wrong = Vec::new();
    for seed in 0..3000u64 {
        let rng = &mut dice::Dice::new(seed);
        let condition = random::boolean(rng, 1 + (seed % 4) as u32);
        let model = format!("{}rule: {condition}", random::DECLARATIONS);
        let choice = seed as usize % CHOICES.len();
        match judge(&model, &CHOICES[choice..=choice]) {
            Ok(_) => agreed += 1,
            // a division by a known zero, or an entry that is never there
            Err(Wrong::Refused(_)) => refused += 1,
            Err(Wrong::Differs(how)) => wrong.push(format!("{seed}: {condition}\n  {how}")),
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(agreed > 9 * refused, "{agreed} agreed, {refused} refused");
}

#[test]
fn random_answers() {
    let (mut agreed, mut refused) = (0, 0);
    let mut wrong = Vec::new();
    for seed in 0..600u64 {
        let rng = &mut dice::Dice::new(seed);
        let depth = (seed % 3) as u32;
        let (rule, number) = (random::boolean(rng, depth), random::number(rng, depth + 1));
        let (truth, other) = (random::boolean(rng, depth), random::boolean(rng, 0));
        let model = format!("{}rule: {rule}\nanswer {number}, {truth}, {other}\n", random::DECLARATIONS);
        let choice = seed as usize % CHOICES.len();
        match judge(&model, &CHOICES[choice..=choice]) {
            Ok(_) => agreed += 1,
            Err(Wrong::Refused(_)) => refused += 1,
            Err(Wrong::Differs(how)) => wrong.push(format!("{seed}: {model}\n  {how}")),
        }
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    // an answer must have a value everywhere: no division by what may be zero
    assert!(agreed > refused, "{agreed} agreed, {refused} refused");
}
