//! Expressions that look as if they could be undefined and cannot, by domains and guards: as objectives, answers and names they
//! mean what trying all assignments says. What can be undefined is refused.

use std::collections::BTreeSet;
use std::process::{Command, Output};

const MODEL: &str = "let t = [5, 3, 8]
let d = {(p, q): (p * 7 + q * 3) % 5 for p in 1..3, q in 1..3}
let far = {k: k * k for k in [-2, 0, 2, 9]}
var x : 1..3
var z : 0..3
var w : [-2, 0, 2]
var e : [\"a\", 2]
var perm[3] : 1..3
let name = {\"a\": 4, 2: 6}
show x
";

/// The values of the variables.
struct Values {
    x: i64,
    z: i64,
    w: i64,
    e: bool,
    perm: [i64; 3],
}

const T: [i64; 3] = [5, 3, 8];

fn t(i: i64) -> i64 {
    T[i as usize - 1]
}

fn d(p: i64, q: i64) -> i64 {
    (p * 7 + q * 3) % 5
}

/// An expression, and what it means.
type Case = (&'static str, fn(&Values) -> i64);

const DEFINED: &[Case] = &[
    ("t[x]", |v| t(v.x)),
    ("t[x] + 2 * t[perm[2]]", |v| t(v.x) + 2 * t(v.perm[1])),
    ("t[4 - x]", |v| t(4 - v.x)),
    ("t[min(z + 1, 3)]", |v| t((v.z + 1).min(3))),
    ("t[perm[perm[x]]]", |v| t(v.perm[v.perm[v.x as usize - 1] as usize - 1])),
    ("far[w]", |v| v.w * v.w),
    ("name[e] - x", |v| if v.e { 4 } else { 6 } - v.x),
    ("sum(d[perm[i], perm[i + 1]] for i in 1..2)", |v| d(v.perm[0], v.perm[1]) + d(v.perm[1], v.perm[2])),
    ("d[x, perm[x]] * t[x]", |v| d(v.x, v.perm[v.x as usize - 1]) * t(v.x)),
    ("6 / x", |v| 6 / v.x),
    ("7 % (z + 1)", |v| 7 % (v.z + 1)),
    ("6 / (x - 4)", |v| (6_i64).div_euclid(v.x - 4) - i64::from(6 % (v.x - 4) != 0)),
    ("if z > 0 then 6 / z else 0", |v| if v.z > 0 { 6 / v.z } else { 0 }),
    ("if z = 0 then 9 else t[z]", |v| if v.z == 0 { 9 } else { t(v.z) }),
    ("if x != z then 12 / abs(x - z) else -1", |v| if v.x == v.z { -1 } else { 12 / (v.x - v.z).abs() }),
    ("if z < 1 or z > 2 then 0 else (if x = 3 then 6 / (x - z) else t[z])", |v| match (v.z, v.x) {
        (1 | 2, 3) => 6 / (3 - v.z),
        (1 | 2, _) => t(v.z),
        _ => 0,
    }),
    (
        "max([if w = 0 then 0 else 8 / w, t[x]])",
        |v| if v.w == 0 { t(v.x).max(0) } else { t(v.x).max(8 / v.w) },
    ),
];

/// Conditions that a rule adds say nothing here.
const UNDEFINED: &[&str] = &[
    "t[z]",
    "t[x + 1]",
    "t[x] / z",
    "if z > 1 then 1 else 6 / z",
    "if z > 0 then t[x - z] else 1",
    "far[x]",
    "d[x, z]",
    "sum(t[perm[i] - 1] for i in 1..2)",
    "6 % w",
    "if z in 1..2 and x > 1 then t[x - z] else 0",
];

fn rebus(model: &str, args: &[&str]) -> Output {
    let folder = tempfile::tempdir().expect("a folder");
    std::fs::write(folder.path().join("m.rebus"), model).expect("written");
    let mut command = Command::new(env!("CARGO_BIN_EXE_rebus"));
    command
        .current_dir(folder.path())
        .args(&args[..1])
        .arg("m.rebus")
        .args(&args[1..])
        .output()
        .expect("runs")
}

fn all() -> Vec<Values> {
    let perms = [[1, 2, 3], [1, 3, 2], [2, 1, 3], [2, 3, 1], [3, 1, 2], [3, 2, 1]];
    let mut all = Vec::new();
    for perm in perms {
        for at in 0..72 {
            all.push(Values { x: 1 + at % 3, z: at / 3 % 4, w: at / 12 % 3 * 2 - 2, e: at / 36 > 0, perm });
        }
    }
    all
}

#[test]
fn what_cannot_be_undefined_has_a_value() {
    let rule = "rule: distinct(perm)\n";
    for (expr, value) in DEFINED {
        let values: Vec<i64> = all().iter().map(value).collect();
        for (sense, best) in [("minimize", values.iter().min()), ("maximize", values.iter().max())] {
            let best = *best.expect("one");
            for model in [
                format!("{MODEL}{rule}{sense} {expr}\n"),
                format!("{MODEL}{rule}let u = {expr}\n{sense} u\n"),
                format!("{MODEL}{rule}def f(i) = {expr}\n{sense} f(1)\n"),
            ] {
                for way in [&[][..], &["--to", "xcc"]] {
                    let output = rebus(&model, &[&["solve", "-f", "json"], way].concat());
                    let text = String::from_utf8_lossy(&output.stdout);
                    let line = format!("\"objective\": {best}}}\n");
                    assert!(
                        text.ends_with(&line),
                        "{model}{way:?}: {best}, {text}{}",
                        String::from_utf8_lossy(&output.stderr)
                    );
                }
            }
            let optima = values.iter().filter(|value| **value == best).count();
            let count = rebus(&format!("{MODEL}{rule}{sense} {expr}\n"), &["count"]).stdout;
            assert_eq!(String::from_utf8_lossy(&count).trim(), optima.to_string(), "{sense} {expr}");
        }
        let different: BTreeSet<i64> = values.into_iter().collect();
        let count = rebus(&format!("{MODEL}{rule}answer {expr}\n"), &["count"]).stdout;
        assert_eq!(String::from_utf8_lossy(&count).trim(), different.len().to_string(), "answer {expr}");
    }
}

#[test]
fn what_can_be_undefined_is_refused() {
    for expr in UNDEFINED {
        for item in
            [format!("minimize {expr}"), format!("answer x, {expr}"), format!("let u = {expr}\nminimize u")]
        {
            for rule in ["", "rule: z = 1\n"] {
                let output = rebus(&format!("{MODEL}{rule}{item}\n"), &["solve"]);
                let said = String::from_utf8_lossy(&output.stderr);
                assert!(said.contains("error[undefined-term]"), "{rule}{item}: {said}");
                assert_eq!(output.status.code(), Some(1), "{rule}{item}");
            }
        }
    }
}

/// More assignments than are tried one by one: propagation sees through guards, and tables of pairs are looked up.
#[test]
fn wide_domains_too() {
    let model = "let d = {(p, q): p * q % 17 for p in 1..40, q in 1..40}
var p[12] : 1..40
var big : 0..100000
rule: increasing(p)
rule: big > 2
minimize sum(d[p[i], p[i + 1]] for i in 1..11) + (if big > 0 then 200000 / big else 9)
show p
";
    let check = rebus(model, &["check"]);
    assert!(check.status.success(), "{}", String::from_utf8_lossy(&check.stderr));
    let refused = rebus(&model.replace("big > 0", "big >= 0"), &["check"]);
    assert!(String::from_utf8_lossy(&refused.stderr).contains("undefined-term"));
}
