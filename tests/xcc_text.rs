//! Knuth's format in, what his programs print out: recordings of the real ones.
//!
//! `dlx-samples/README.md` explains the files.

use rebus::diag::{Sources, render};
use rebus::shared::Budget;
use rebus::solve::output::dlx::{Cover, CoverOutput, CoverVerdict};
use rebus::solve::process::{Consume, Ended};
use rebus::solve::xcc::{Engine, Kind, Next, Options, PLAIN, Problem, Unread, read};
use std::collections::HashMap;
use std::fs;
use std::path::{Path, PathBuf};

struct Recording {
    name: String,
    truth: String,
    verdict: String,
    models: usize,
    complete: String,
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
    let [solver, case, truth, verdict, models, complete, _, detectable] =
        row.split('\t').collect::<Vec<_>>()[..]
    else {
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
        verdict: verdict.to_owned(),
        models: models.parse().unwrap(),
        complete: complete.to_owned(),
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

fn option_words(problem: &Problem, option: usize) -> Vec<Vec<u8>> {
    let word = |item, colour| match colour {
        PLAIN => problem.name(item).to_vec(),
        colour => [problem.name(item), b":", problem.colour_name(colour)].concat(),
    };
    problem.entries_of(option).iter().map(|entry| word(entry.item, entry.colour)).collect()
}

/// Is this a solution? A caller knows its problem.
fn covers(problem: &Problem, cover: &Cover) -> bool {
    let mut known: Vec<Vec<Vec<u8>>> = (0..problem.options()).map(|at| option_words(problem, at)).collect();
    known.iter_mut().for_each(|option| option.sort());
    let mut uses: HashMap<u32, Vec<&[u8]>> = HashMap::new();
    for option in &normal(cover.clone()) {
        if !known.contains(option) {
            return false;
        }
    }
    for word in cover.iter().flatten() {
        let (name, colour) = match word.iter().position(|byte| *byte == b':') {
            Some(at) => (&word[..at], &word[at + 1..]),
            None => (&word[..], &[][..]),
        };
        uses.entry(problem.find(name).unwrap()).or_default().push(colour);
    }
    (0..problem.items() as u32).all(|item| {
        let uses = uses.get(&item).map_or(&[][..], Vec::as_slice);
        match problem.kind(item) {
            Kind::Primary { lo, hi } => (lo..=hi).contains(&(uses.len() as u32)),
            Kind::Secondary => {
                uses.len() < 2 || !uses[0].is_empty() && uses.iter().all(|colour| *colour == uses[0])
            }
        }
    })
}

impl Recording {
    fn decode(
        &self,
        out: &[u8],
        err: &[u8],
        ended: Option<Ended>,
        piece: usize,
    ) -> (Vec<Cover>, CoverVerdict) {
        let mut output = CoverOutput::new();
        let mut found = Vec::new();
        for piece in out.chunks(piece) {
            output.feed(piece);
            found.extend(output.take());
        }
        let (rest, verdict) = output.finish(ended, err, None);
        found.extend(rest);
        (found, verdict)
    }

    /// As a caller sees it: a listing with a wrong solution is no answer.
    fn checked(&self, (found, verdict): (Vec<Cover>, CoverVerdict)) -> String {
        let wrong = || match problem_of(&self.input) {
            Ok(problem) => !found.iter().all(|cover| covers(&problem, cover)),
            Err(_) => true,
        };
        match verdict {
            CoverVerdict::Found { .. } if wrong() => "failed".to_owned(),
            CoverVerdict::Found { optimal: true, .. } => format!("optimal, models {}", found.len()),
            CoverVerdict::Found { complete, .. } => {
                format!("sat, models {}, complete {complete}", found.len())
            }
            CoverVerdict::Unsatisfiable => "unsat".to_owned(),
            CoverVerdict::Unknown(_) => "unknown".to_owned(),
            CoverVerdict::Failed(_) => "failed".to_owned(),
        }
    }

    fn expected(&self) -> String {
        match self.verdict.as_str() {
            "sat" => format!("sat, models {}, complete {}", self.models, self.complete == "yes"),
            optimal if optimal.starts_with("optimal:") => format!("optimal, models {}", self.models),
            other => other.to_owned(),
        }
    }
}

#[test]
fn every_recording_is_understood() {
    for recording in recordings().iter().filter(|recording| recording.detectable) {
        let Recording { name, out, err, code, .. } = recording;
        for piece in [1 << 20, 1] {
            let verdict = recording.decode(out, err, Some(Ended::Exit(*code)), piece);
            assert_eq!(recording.checked(verdict), recording.expected(), "{name}");
        }
        // in one stream, as `2>&1` has it, and nobody saw the process end
        for whole in [[&out[..], err].concat(), [&err[..], out].concat()] {
            let verdict = recording.decode(&whole, b"", None, 1 << 20);
            assert_eq!(recording.checked(verdict), recording.expected(), "{name}, one stream");
        }
    }
}

/// An answer that the problem contradicts.
fn is_false(recording: &Recording, verdict: &str, all: usize) -> bool {
    match verdict {
        "unsat" => recording.truth != "unsat",
        sat if sat.starts_with("sat") => {
            recording.truth != "sat"
                || sat.ends_with("true") && sat != format!("sat, models {all}, complete true")
        }
        _ => false,
    }
}

/// The number of solutions that are listed if all are.
fn all_of(recording: &Recording) -> usize {
    problem_of(&recording.input).map_or(0, |problem| solutions(&problem, &Options::default(), false).len())
}

#[test]
fn cut_off_anywhere_an_output_is_no_false_answer() {
    for recording in recordings().iter().filter(|recording| recording.detectable) {
        let all = all_of(recording);
        let Recording { name, out, err, code, .. } = recording;
        let step = 1 + out.len() / 300;
        for cut in (0..out.len()).step_by(step) {
            for (err, ended) in [(&err[..], Some(Ended::Exit(*code))), (b"", None)] {
                let verdict = recording.checked(recording.decode(&out[..cut], err, ended, 1 << 20));
                assert!(!is_false(recording, &verdict, all), "{name} cut at {cut}: {verdict}");
            }
        }
        let whole = [&out[..], err].concat();
        for cut in (0..whole.len()).step_by(1 + whole.len() / 300) {
            let verdict = recording.checked(recording.decode(&whole[..cut], b"", None, 1 << 20));
            assert!(!is_false(recording, &verdict, all), "{name} cut at {cut} of one stream: {verdict}");
        }
    }
}

#[test]
fn garbled_an_output_is_no_false_answer() {
    let mut seed = 0x2545_f491_4f6c_dd1d_u64;
    let mut random = |n: usize| {
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        (seed % n as u64) as usize
    };
    let mut understood = 0;
    for recording in recordings().iter().filter(|recording| recording.detectable) {
        // a number alone has nothing to be checked against
        if recording.out.is_empty() {
            continue;
        }
        let all = all_of(recording);
        for round in 0..40 {
            let mut bytes = recording.out.clone();
            for _ in 0..1 + round % 3 {
                let at = random(bytes.len());
                bytes[at] = match random(4) {
                    0 => b'0' + random(10) as u8,
                    1 => b" \n\r():;"[random(7)],
                    _ => random(256) as u8,
                };
            }
            let ended = Some(Ended::Exit(recording.code));
            let verdict = recording.checked(recording.decode(&bytes, &recording.err, ended, 1 << 20));
            assert!(!is_false(recording, &verdict, all), "{} in round {round}: {verdict}", recording.name);
            understood += usize::from(verdict.starts_with("sat"));
        }
    }
    assert!(understood > 100, "the damage is such that nothing is understood");
}

#[test]
fn the_limit_asked_for_is_not_all() {
    let mut output = CoverOutput::new();
    output.feed(b"1:\n a (1 of 1)\nAltogether 1 solution, 1 nodes.\n");
    let (found, verdict) = output.finish(Some(Ended::Exit(0)), b"", Some(1));
    assert_eq!((found.len(), verdict), (1, CoverVerdict::Found { complete: false, optimal: false }));
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
        let (found, verdict) = recording.decode(&recording.out, &recording.err, ended, 1 << 20);
        if !matches!(verdict, CoverVerdict::Found { .. } | CoverVerdict::Unsatisfiable) {
            continue;
        }
        let mut found: Vec<Cover> = found.into_iter().map(normal).collect();
        found.sort();
        for (seed, presolve) in [(0, false), (0, true), (5, true)] {
            let ours = solutions(&problem, &Options { seed, sharp: false }, presolve);
            if verdict == (CoverVerdict::Found { complete: true, optimal: false }) && recording.detectable {
                assert_eq!(ours, found, "{name}");
            } else {
                assert!(found.iter().all(|cover| ours.contains(cover)), "{name}");
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
    assert_eq!(option_words(&problem, 1)[1], "x:rød".as_bytes());
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
