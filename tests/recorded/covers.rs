//! Of exact-cover solvers.

use super::{Expected, expected, folder, garbled};
use rebus::solve::output::{Answer, dialect::Dialect, parse};
use rebus::solve::process::{Consume, Ended};
use rebus::solve::{Cover, Verdict};
use std::collections::BTreeSet;
use std::fs;

struct Recording {
    expected: Expected,
    dialect: Dialect,
    options: BTreeSet<Vec<String>>,
    out: Vec<u8>,
    err: Vec<u8>,
    exit: i32,
}

/// Those that can be understood.
fn recordings() -> Vec<Recording> {
    let rows: Vec<Expected> = expected("dlx-samples");
    assert!(rows.len() > 80);
    rows.into_iter().filter(|row| row.detectable).map(recording).collect()
}

fn recording(expected: Expected) -> Recording {
    let read =
        |suffix: &str| fs::read(folder("dlx-samples").join(format!("{}.{suffix}", expected.case))).unwrap();
    let input = read("xcc");
    let code = String::from_utf8(read("rc")).unwrap();
    let dialect = if expected.solver == "miniexact" { "miniexact" } else { "dlx" };
    Recording {
        dialect: Dialect::named(dialect).unwrap(),
        // the line of the items among them does no harm
        options: String::from_utf8_lossy(&input)
            .lines()
            .map(|line| sorted(line.split_whitespace()))
            .collect(),
        out: read("out"),
        err: read("err"),
        exit: code.trim().parse().unwrap(),
        expected,
    }
}

fn sorted<'w>(words: impl Iterator<Item = &'w str>) -> Vec<String> {
    let mut words: Vec<String> = words.map(str::to_owned).collect();
    words.sort_unstable();
    words
}

impl Recording {
    fn read(&self, out: &[u8], piece: usize) -> Verdict {
        let mut answer = Answer::new(self.dialect);
        out.chunks(piece).for_each(|piece| answer.feed(piece));
        answer.finish(Some(Ended::Exit(self.exit)), &self.err)
    }

    /// Is every option one of the input?
    fn fits(&self, cover: &Cover) -> bool {
        cover.iter().all(|option| self.options.contains(&sorted(option.iter().map(|word| &**word))))
    }

    fn summary(&self) -> String {
        let Expected { verdict, models, complete, .. } = &self.expected;
        match verdict.as_str() {
            "sat" => format!("covers {models}, complete {complete}, optimal false"),
            // the last is the best
            optimal if optimal.starts_with("optimal:") => "covers 1, complete false, optimal true".to_owned(),
            other => other.to_owned(),
        }
    }
}

fn summary(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Covered { covers, complete, optimal, .. } => {
            format!("covers {}, complete {complete}, optimal {optimal}", covers.len())
        }
        Verdict::Counted(count) => format!("count {}", count.number),
        Verdict::Unsatisfiable => "unsat".to_owned(),
        Verdict::Unknown(_) => "unknown".to_owned(),
        Verdict::Failed(_) => "failed".to_owned(),
        Verdict::Satisfiable { .. } => "literals".to_owned(),
    }
}

#[test]
fn every_recording_is_understood() {
    for recording in &recordings() {
        for piece in [usize::MAX, 1, 7] {
            let verdict = recording.read(&recording.out, piece);
            assert_eq!(summary(&verdict), recording.summary(), "{}: {verdict:?}", recording.expected.case);
            if let Verdict::Covered { covers, .. } = verdict {
                assert!(
                    covers.iter().all(|cover| recording.fits(cover)),
                    "{}: {covers:?}",
                    recording.expected.case
                );
            }
        }
    }
}

#[test]
fn standard_error_may_be_mixed_in() {
    let mut understood = 0;
    for recording in &recordings() {
        // as `2>&1` into a file does it: reports between solutions, totals behind them
        let err = String::from_utf8_lossy(&recording.err);
        let (before, after): (Vec<&str>, Vec<&str>) =
            err.split_inclusive('\n').partition(|line| !line.starts_with("Altogether"));
        let mixed = [before.concat().as_bytes(), &recording.out, after.concat().as_bytes()].concat();
        let verdict = parse(Dialect::named("dlx").unwrap(), mixed.as_slice(), None, b"").unwrap();
        // how it was called only its caller knows
        let expected = match recording.dialect.name {
            "miniexact" => {
                recording.summary().replace("complete true", "complete false").replace("unsat", "unknown")
            }
            _ => recording.summary(),
        };
        assert_eq!(summary(&verdict), expected, "{}: {verdict:?}", recording.expected.case);
        understood += usize::from(recording.expected.verdict != "failed");
    }
    assert!(understood > 40);
}

#[test]
fn totals_make_an_answer_complete() {
    let read =
        |text: &str| summary(&parse(Dialect::named("dlx").unwrap(), text.as_bytes(), None, b"").unwrap());
    let one = "1:\n a (1 of 1)\n";
    assert_eq!(read(one), "covers 1, complete false, optimal false");
    assert_eq!(
        read(&format!(
            "{one} after 60 mems: 1 sols, 12 0.25\n 1 solutions, 6 mems, and max level 1 so far.\n"
        )),
        "covers 1, complete false, optimal false"
    );
    assert_eq!(
        read(&format!("{one}Altogether 1 solution, 3 mems\n")),
        "covers 1, complete true, optimal false"
    );
    assert_eq!(
        read(&format!("{one}TIMEOUT!\nAltogether 1 solution, 3 mems\n")),
        "covers 1, complete false, optimal false"
    );
    // every second solution was printed
    assert_eq!(
        read(&format!("2{}Altogether 2 solutions, 3 mems\n", &one[1..])),
        "covers 1, complete false, optimal false"
    );
    assert_eq!(read("Altogether 0 solutions, 3 mems\n"), "unsat");
    assert_eq!(read("TIMEOUT!\nAltogether 0 solutions, 3 mems\n"), "unknown");
    assert_eq!(read(""), "unknown");
    assert_eq!(read(&format!("{one}Altogether 0 solutions, 3 mems\n")), "failed");
    assert_eq!(read(&format!("{one}{one}Altogether 2 solutions, 3 mems\n")), "failed");
}

#[test]
fn miniexact_is_understood() {
    let read = |text: &str, exit| {
        let mut answer = Answer::new(Dialect::named("miniexact").unwrap());
        answer.feed(text.as_bytes());
        answer.finish(Some(Ended::Exit(exit)), b"")
    };
    let two = "a w:r;\nb w:r z;\n\na w:s;\nb w:s z:2;\n\n";
    let Verdict::Covered { covers, complete: true, .. } = read(&format!("{two}Found 2 solutions!\n"), 20)
    else {
        panic!()
    };
    let words = |cover: &Cover| cover.iter().map(|option| option.join(" ")).collect::<Vec<_>>();
    assert_eq!(words(&covers[0]), ["a w:r", "b w:r z"]);
    assert_eq!(words(&covers[1]), ["a w:s", "b w:s z:2"]);
    assert_eq!(read("Found 0 solutions!\n", 20), Verdict::Unsatisfiable);
    assert_eq!(summary(&read(two, 10)), "covers 2, complete false, optimal false");
    assert!(matches!(read("", 1), Verdict::Failed(_)));
}

/// Only what was printed may be found, and "all" or "none" only where that was said.
fn check(recording: &Recording, bytes: &[u8], how: &str) {
    let alone = parse(Dialect::named("dlx").unwrap(), bytes, None, b"").unwrap();
    for verdict in [recording.read(bytes, usize::MAX), alone] {
        match verdict {
            Verdict::Unsatisfiable => {
                assert_ne!(recording.expected.truth, "sat", "{} {how}", recording.expected.case)
            }
            Verdict::Covered { complete: true, covers, .. } => {
                assert_eq!(covers.len(), recording.expected.models, "{} {how}", recording.expected.case);
            }
            _ => {}
        }
    }
}

#[test]
fn cut_off_anywhere_an_output_is_no_false_answer() {
    for recording in &recordings() {
        (0..recording.out.len())
            .for_each(|cut| check(recording, &recording.out[..cut], &format!("cut at {cut}")));
    }
}

#[test]
fn garbled_an_output_is_no_false_answer() {
    for recording in &recordings() {
        garbled(&recording.out, b" \n:;()", |bytes, how| check(recording, bytes, how));
    }
}
