//! Knuth's format is read, and solved as his programs solve it: recordings of the real ones.
//!
//! `dlx-samples/README.md` explains the files.

use rebus::diag::{Sources, render};
use rebus::shared::Budget;
use rebus::solve::Verdict;
use rebus::solve::output::{dialect::Dialect, parse};
use rebus::solve::process::Ended;
use rebus::solve::xcc::{Engine, Kind, Next, Options, PLAIN, Problem, Unread, read};
use std::fs;
use std::path::{Path, PathBuf};

struct Recording {
    name: String,
    truth: String,
    detectable: bool,
    input: Vec<u8>,
    out: Vec<u8>,
    err: Vec<u8>,
    code: i32,
}

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/dlx-samples")
}

fn recordings() -> Vec<Recording> {
    let table = fs::read_to_string(folder().join("expected.tsv")).unwrap();
    let recordings: Vec<Recording> = table.lines().skip(1).map(recording).collect();
    assert!(recordings.len() > 90);
    recordings
}

fn recording(row: &str) -> Recording {
    let [solver, case, truth, _, _, _, _, detectable] = row.split('\t').collect::<Vec<_>>()[..] else {
        panic!("{row}");
    };
    let read = |suffix: &str| fs::read(folder().join(format!("{case}.{suffix}"))).unwrap();
    let text = |suffix: &str| String::from_utf8(read(suffix)).unwrap().trim().to_owned();
    let mut input = read("xcc");
    if solver == "dlx5" {
        // costs choose among the solutions, which are the same without them
        let text = String::from_utf8(input).unwrap();
        let words =
            |line: &str| line.split(' ').filter(|word| !word.starts_with('|')).collect::<Vec<_>>().join(" ");
        input = text.lines().flat_map(|line| [words(line), "\n".to_owned()]).collect::<String>().into_bytes();
    }
    Recording {
        name: case.to_owned(),
        truth: truth.to_owned(),
        detectable: detectable == "yes",
        input,
        out: read("out"),
        err: read("err"),
        code: text("rc").parse().unwrap(),
    }
}

fn problem_of(text: &[u8]) -> Result<Problem, String> {
    let mut sources = Sources::default();
    let budget = Budget::unlimited();
    match read(text, "input", &mut sources, &budget) {
        Ok((problem, _)) => Ok(problem),
        Err(Unread::Faults(faults)) => {
            Err(faults.iter().map(|fault| render(fault, &sources, false)).collect::<Vec<_>>().join("\n"))
        }
        Err(Unread::Stopped(stop)) => panic!("{stop:?}"),
    }
}

/// A solution's options, each its words.
type Cover = Vec<Vec<String>>;

/// Options as sorted words, sorted: what two programs must agree on.
fn normal(mut cover: Cover) -> Cover {
    cover.iter_mut().for_each(|option| option.sort());
    cover.sort();
    cover
}

fn solutions(problem: &Problem, options: &Options, presolve: bool) -> Vec<Cover> {
    let budget = Budget::unlimited();
    let mut engine = Engine::new(problem, options);
    if presolve {
        engine.reduce(&budget, u64::MAX).unwrap();
    }
    let mut found = Vec::new();
    loop {
        match engine.next(&budget) {
            Next::Solution(chosen) => found.push(normal(
                chosen.iter().map(|choice| option_words(problem, choice.option as usize)).collect(),
            )),
            Next::Exhausted => break,
            Next::Stopped(stop) => panic!("{stop:?}"),
        }
    }
    found.sort();
    found
}

fn option_words(problem: &Problem, option: usize) -> Vec<String> {
    let word = |item, colour| match colour {
        PLAIN => problem.name(item).to_vec(),
        colour => [problem.name(item), b":", problem.colour_name(colour)].concat(),
    };
    let text = |bytes: Vec<u8>| String::from_utf8_lossy(&bytes).into_owned();
    problem.entries_of(option).iter().map(|entry| text(word(entry.item, entry.colour))).collect()
}

/// Faults of Knuth's programs that are none here: names and colours of any length, a last line without its end,
/// multiplicities everywhere, solutions of any size.
const ACCEPTED: &[&str] = &[
    "err-color-two-chars",
    "err-color-utf8",
    "err-dlx3-too-long-prefix",
    "err-dlx3-too-many-levels",
    "err-multiplicity-in-dlx2",
    "err-name9-in-items",
    "err-name9-in-option",
    "err-no-final-newline-items",
    "err-no-final-newline-option",
];

#[test]
fn what_they_solve_is_solved_alike() {
    let mut compared = 0;
    for recording in recordings() {
        let Recording { name, input, .. } = &recording;
        let problem = match problem_of(input) {
            Ok(problem) => problem,
            Err(fault) => {
                assert!(recording.truth == "malformed" || name.starts_with("err-"), "{name}: {fault}");
                continue;
            }
        };
        // dlx1 knows no colours, miniexact refuses comments
        let stricter = name.starts_with("err-dlx1") || name.starts_with("err-miniexact");
        if recording.truth == "malformed" && !stricter {
            assert!(ACCEPTED.contains(&&**name), "{name} should be refused");
            continue;
        }
        let ended = Some(Ended::Exit(recording.code));
        let dialect = Dialect::named("dlx").unwrap();
        let (covers, all) = match parse(dialect, &recording.out[..], ended, &recording.err).unwrap() {
            Verdict::Covered { covers, complete, .. } => (covers, complete && recording.detectable),
            Verdict::Unsatisfiable => (Vec::new(), true),
            _ => continue,
        };
        let words = |option: &Vec<Box<str>>| option.iter().map(|word| word.to_string()).collect();
        let mut found: Vec<Cover> =
            covers.iter().map(|cover| normal(cover.iter().map(words).collect())).collect();
        found.sort();
        for (seed, presolve) in [(0, false), (0, true), (5, true)] {
            let ours = solutions(&problem, &Options { seed, sharp: false }, presolve);
            match all {
                true => assert_eq!(ours, found, "{name}"),
                false => assert!(found.iter().all(|cover| ours.contains(cover)), "{name}"),
            }
        }
        compared += 1;
    }
    assert!(compared > 45, "only {compared} compared");
}

#[track_caller]
fn refuses(text: &str, message: &str, place: &str) {
    let fault = problem_of(text.as_bytes()).unwrap_err();
    assert!(fault.contains(message) && fault.contains(place), "{fault}");
    assert!(fault.contains("help:"), "{fault}");
}

#[test]
fn faults_have_places_and_say_how_to_mend_them() {
    refuses("", "has no items", "");
    refuses("| only\n\n  | comments\n", "has no items", "");
    refuses("a b a\n", "the item `a` was named before", "input:1:5");
    refuses("a | x | y\n", "a second `|`", "input:1:7");
    refuses("a|x\n", "`a` is no bound", "input:1:1");
    refuses("a | x y|z\n", "a secondary item cannot have bounds", "input:1:7");
    refuses("a:1 b\n", "`:` in the name of an item", "input:1:2");
    refuses("1:a b\n", "a lower bound without an upper one", "input:1:2");
    refuses("2|a|b\n", "`|` in the name of an item", "input:1:4");
    refuses("2| a\n", "bounds without the name of an item", "input:1:1");
    refuses("x|a\n", "`x` is no bound", "input:1:1");
    refuses("2:x|a\n", "`2:x` is no bound", "input:1:1");
    refuses("a b 0|c\n", "the upper bound is zero", "input:1:5");
    refuses("3:2|a b\n", "the lower bound is above the upper one", "input:1:1");
    refuses("a b | x\n\n| note\na c\n", "no item is called `c`", "input:4:3");
    refuses("a b\na | b\n", "no item is called `|`", "input:2:3");
    refuses("a b | x\nb a x b\n", "the option has this item twice", "input:2:7");
    refuses("a | x\na x:1 x:2\n", "the option has this item twice", "input:2:7");
    refuses("a | x\na:1 x\n", "a primary item cannot have a colour", "input:2:1");
    refuses("a | x\na :1\n", "a colour without an item", "input:2:3");
    refuses("a b\na |3\n", "no item is called `|3`", "costs");
    refuses("a | x\na x:\n", "a colour is missing", "input:2:3");
    // several at once, in bytes that are no UTF-8
    let fault = problem_of(b"a \xe9\nb\n\xe9 c\na \xe9 d\n").unwrap_err();
    assert!(["input:2:1", "input:3:3", "input:4:5"].iter().all(|place| fault.contains(place)), "{fault}");
    // but not without end
    let fault = problem_of(["a\n".to_owned(), "b\n".repeat(1000)].concat().as_bytes()).unwrap_err();
    assert_eq!(fault.matches("no item is called").count(), 10);
}

#[test]
fn beyond_the_originals() {
    let problem =
        problem_of("2:3|second-item third |x\n\nsecond-item third x:rød\r\nsecond-item x:rød\nx".as_bytes());
    let problem = problem.unwrap();
    assert_eq!((problem.items(), problem.options()), (3, 2));
    assert_eq!(problem.kind(0), Kind::Primary { lo: 2, hi: 3 });
    assert_eq!(option_words(&problem, 1)[1], "x:rød");
    let found = solutions(&problem, &Options::default(), true);
    assert_eq!(found.len(), 1);
}

#[test]
fn options_without_primary_items_are_ignored_with_a_warning() {
    let mut sources = Sources::default();
    let text = ["a | x\n".to_owned(), "x\n".repeat(40), "a x\n".to_owned()].concat();
    let (problem, warnings) = read(text.as_bytes(), "input", &mut sources, &Budget::unlimited()).unwrap();
    assert_eq!((problem.options(), warnings.len()), (1, 11));
    let text = render(&warnings[1], &sources, false);
    assert!(text.contains("option ignored") && text.contains("input:3:1"), "{text}");
    assert!(render(&warnings[10], &sources, false).contains("40 options"), "{warnings:?}");
}
