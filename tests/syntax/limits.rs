//! Deep, long and broken texts: no overflow, no panic, no waiting.

use rebus::diag::Code;
use rebus::shared::FileId;
use rebus::syntax::{MAX_NESTING, parse_expr, parse_file, print_expr};
use std::time::{Duration, Instant};

#[track_caller]
fn within<T>(limit: Duration, f: impl FnOnce() -> T) -> T {
    let start = Instant::now();
    let result = f();
    assert!(start.elapsed() < limit, "took {:?}", start.elapsed());
    result
}

const SECONDS: Duration = Duration::from_secs(10);

/// Something that nests: what opens and closes a level.
const NESTS: &[(&str, &str)] = &[
    ("(", ")"),
    ("[", "]"),
    ("(1, ", ")"),
    ("{1: ", "}"),
    ("f(", ")"),
    ("x[", "]"),
    ("\"{", "}\""),
    ("-", ""),
    ("not ", ""),
    ("1 + (", ")"),
    ("if a then ", " else b"),
    ("if a then b else (", ")"),
    ("for p in S: ", ""),
    ("a -> for p in S: ", ""),
    ("[x for p in ", "]"),
    ("f(x for p in S, if ", ")"),
    ("f(x for p in S, if ", " then 1 else 2)"),
    ("f(x for p in S, if c then ", " else 2)"),
];

#[test]
fn nesting_has_a_limit_and_what_is_below_it_is_read() {
    for (open, close) in NESTS {
        let nested = |n: usize| format!("{}x{}", open.repeat(n), close.repeat(n));
        let fits = nested(MAX_NESTING as usize / 2 - 1);
        match within(SECONDS, || parse_expr(FileId(0), &fits)) {
            Ok(value) => assert!(!print_expr(&value).is_empty()),
            Err(faults) => panic!("{open}: {}", faults[0].message),
        }
        let faults = within(SECONDS, || parse_expr(FileId(0), &nested(100_000))).unwrap_err();
        assert_eq!(faults[0].code, Code::RecursionTooDeep, "{open}");
    }
    let pattern = format!("def f({}p{}) = 1", "(".repeat(100_000), ")".repeat(100_000));
    let (_, faults) = within(SECONDS, || parse_file(FileId(0), &pattern));
    assert_eq!(faults[0].code, Code::RecursionTooDeep);
}

#[test]
fn chains_may_be_long() {
    for link in ["and", "or", "<->", "->", "+", "*", "++", "=", "and not", "in"] {
        let text = format!("x{}", format!(" {link} x").repeat(50_000));
        let value = within(SECONDS, || parse_expr(FileId(0), &text)).unwrap();
        assert_eq!(within(SECONDS, || print_expr(&value)), text);
    }
    let text = format!("{}c", "if a then b else ".repeat(50_000));
    let value = within(SECONDS, || parse_expr(FileId(0), &text)).unwrap();
    assert_eq!(print_expr(&value), text);
    let text = format!("x{}", "[1]".repeat(50_000));
    assert_eq!(print_expr(&parse_expr(FileId(0), &text).unwrap()), text);
}

#[test]
fn large_data_are_read_fast() {
    let rows = format!("a = [{}]", format!("[{}], ", "12, ".repeat(1_000)).repeat(2_000));
    let (file, faults) = within(SECONDS, || parse_file(FileId(0), &rows));
    assert!(faults.is_empty() && file.items.len() == 1);
    let picture = format!("a = \"\"\"\n{}\"\"\"", "1 . 2 . 3\n".repeat(1_000_000));
    assert!(within(SECONDS, || parse_file(FileId(0), &picture)).1.is_empty());
}

#[test]
fn many_faults_are_counted() {
    let (file, faults) = within(SECONDS, || parse_file(FileId(0), &"let a = 3 3\n".repeat(50_000)));
    assert_eq!(file.items.len(), 50_000);
    assert_eq!(faults.len(), 21);
    assert_eq!(faults[20].message, "49980 more faults are not shown");
}

/// Cuts and gaps at every byte of every model: any outcome is right, as long as there is one.
#[test]
fn damaged_models_end() {
    let catalogue = super::catalogue();
    let (first, second) = catalogue.split_at(catalogue.len() / 2);
    within(Duration::from_secs(120), || {
        std::thread::scope(|scope| {
            for part in [first, second] {
                scope.spawn(|| part.iter().for_each(|(_, text)| damage(text)));
            }
        });
    });
}

fn damage(text: &str) {
    for at in (0..text.len()).filter(|at| text.is_char_boundary(*at)) {
        let next = at + text[at..].chars().next().map_or(0, char::len_utf8);
        parse_file(FileId(0), &text[..at]);
        parse_file(FileId(0), &format!("{}{}", &text[..at], &text[next..]));
    }
}
