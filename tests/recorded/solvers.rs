//! Of SAT, pseudo-Boolean and MaxSAT solvers.

use super::{Expected, expected, folder, garbled};
use rebus::encode::{Lit, Target};
use rebus::solve::dimacs::Misfit;
use rebus::solve::output::{Answer, dialect::Dialect, parse};
use rebus::solve::process::{Consume, Ended};
use rebus::solve::{Verdict, check_model};
use std::fs;
use std::io::{BufReader, Read};
use std::path::PathBuf;

/// Recordings whose expected verdict needs knowledge that neither the output nor the exit code has; and why.
const BEYOND: &[(&str, &str)] = &[
    // A result file with bare literals; its status is on standard output. Solver blocks do not use it.
    ("glucose/resultfile", "the model is in one stream and the status in another"),
    // Says nothing but `*** INTERRUPTED ***` on standard error: no answer, which is a failure for us.
    ("cryptominisat5/kill-SIGINT", "the interrupt was not ours"),
    ("minisat+/kill-SIGINT-opt", "the interrupt was not ours"),
    ("minisat+/kill-SIGINT-sat", "the interrupt was not ours"),
    ("minisat+/satlive-off", "told not to print an answer"),
    ("minisat+/cnf", "not asked to solve"),
    // Models one after the other with nothing between them, and models in comments; solver blocks ask for neither.
    ("clasp-opb/n0-quiet0", "where a model ends is for the formula to tell"),
    ("minisat+/all", "models in comments"),
    // Was told to write a simplified formula and not to solve: no answer, which is a failure for us.
    ("minisat/dimacs-out", "not asked to solve"),
];

struct Recording {
    expected: Expected,
    name: String,
    dialect: Dialect,
    base: PathBuf,
    answer: Vec<u8>,
    stderr: Vec<u8>,
    ended: Ended,
}

fn recordings() -> Vec<Recording> {
    let rows: Vec<Expected> = expected("solver-samples");
    assert!(rows.len() > 500);
    rows.into_iter().map(recording).collect()
}

fn recording(expected: Expected) -> Recording {
    let Expected { solver, case, .. } = &expected;
    let base = folder("solver-samples").join(solver).join(case);
    let read = |suffix: &str| fs::read(base.with_extension(suffix)).unwrap_or_default();
    let command = String::from_utf8(read("cmd")).unwrap();
    let dialect = match solver.as_str() {
        "clasp" | "clasp-opb" if command.contains("--outf=2") => "clasp-json",
        "clasp-opb" if command.contains("--quiet=0 --models=0") => "clasp",
        "clasp-opb" | "clasp-wcnf" => "clasp-pb",
        "sat4j-pb" | "sat4j-maxsat" => "sat4j",
        "rc2" if command.contains("--vnew") => "digits",
        "cryptominisat5" => "cryptominisat",
        "clasp" | "minisat" | "picosat" | "sat4j" | "z3" => solver,
        _ => "competition",
    };
    let in_file = solver == "minisat" || fs::exists(base.with_extension("result")).unwrap();
    let code = String::from_utf8(read("rc")).unwrap();
    let ended = match code.trim().strip_prefix("signal ") {
        Some(signal) => Ended::Signal(signal.split(' ').next().unwrap().parse().unwrap()),
        None => Ended::Exit(code.trim().parse().unwrap()),
    };
    Recording {
        name: format!("{solver}/{case}"),
        dialect: Dialect::named(dialect).unwrap(),
        answer: read(if in_file { "result" } else { "out" }),
        stderr: read("err"),
        ended,
        base,
        expected,
    }
}

impl Recording {
    fn decode(&self, answer: &[u8], piece: usize) -> Verdict {
        let mut output = Answer::new(self.dialect);
        answer.chunks(piece).for_each(|piece| output.feed(piece));
        output.finish(Some(self.ended), &self.stderr)
    }

    /// As when only the output was kept, and nobody knows of which solver.
    fn decode_alone(&self, answer: &[u8]) -> Verdict {
        parse(Dialect::named("any").unwrap(), answer, None, b"").unwrap()
    }

    /// The formula, if we can read it as a solver would have.
    fn formula(&self) -> Option<Vec<u8>> {
        let bytes = fs::read(self.base.with_extension("in")).ok()?;
        match bytes.as_slice() {
            [0x1f, 0x8b, ..] => {
                let mut text = Vec::new();
                flate2::read::GzDecoder::new(bytes.as_slice()).read_to_end(&mut text).ok()?;
                Some(text)
            }
            // The compressed inputs are all the same formula.
            [b'B', b'Z', b'h', ..] | [0xfd, b'7', b'z', ..] => Some(b"p cnf 1 1\n1 0\n".to_vec()),
            _ => Some(bytes),
        }
    }

    fn target(&self) -> Target {
        match self.name.split_once('/') {
            Some(("clasp-opb" | "highs" | "minisat+" | "sat4j-pb" | "scip", _)) => Target::Opb,
            Some(("clasp-wcnf" | "rc2" | "sat4j-maxsat", _)) => Target::Wcnf,
            _ => Target::Cnf,
        }
    }

    /// Does a model satisfy the formula? A formula that is none has no opinion.
    fn fits(&self, model: &[Lit]) -> bool {
        let Some(formula) = self.formula() else { return true };
        let checked = check_model(self.target(), BufReader::new(formula.as_slice()), model);
        !matches!(checked, Err(Misfit::Clause { .. } | Misfit::Constraint { .. }))
    }

    /// As the driver sees it: models are checked before they count.
    fn checked(&self, verdict: Verdict) -> Verdict {
        match verdict {
            Verdict::Satisfiable { models, .. } if !models.iter().all(|model| self.fits(model)) => {
                Verdict::Failed("a wrong model".to_owned())
            }
            other => other,
        }
    }
}

fn summary(verdict: &Verdict) -> String {
    match verdict {
        Verdict::Satisfiable { models, complete, optimal } => {
            format!("sat, models {}, complete {complete}, optimal {optimal}", models.len())
        }
        Verdict::Covered { .. } => "covers".to_owned(),
        Verdict::Counted(count) => format!("count {}", count.number),
        Verdict::Unsatisfiable => "unsat".to_owned(),
        Verdict::Unknown(_) => "unknown".to_owned(),
        Verdict::Failed(_) => "failed".to_owned(),
    }
}

#[test]
fn every_recording_is_understood() {
    let mut faults = Vec::new();
    for recording in recordings() {
        if !recording.expected.detectable || BEYOND.iter().any(|(name, _)| *name == recording.name) {
            continue;
        }
        let expected = match recording.expected.verdict.as_str() {
            "sat" => {
                format!(
                    "sat, models {}, complete {}, optimal false",
                    recording.expected.models, recording.expected.complete
                )
            }
            optimal if optimal.starts_with("optimal:") => {
                format!("sat, models {}, complete false, optimal true", recording.expected.models)
            }
            other => other.to_owned(),
        };
        for piece in [usize::MAX, 1] {
            let verdict = recording.decode(&recording.answer, piece);
            let checked = recording.checked(verdict.clone());
            if summary(&checked) != expected {
                faults.push(format!(
                    "{}: {expected} expected, found {checked:?} from {verdict:?}",
                    recording.name
                ));
                break;
            }
        }
    }
    assert!(faults.is_empty(), "{} faults\n{}", faults.len(), faults.join("\n"));
}

/// A definite answer that the formula contradicts.
fn is_false(recording: &Recording, verdict: &Verdict) -> bool {
    match verdict {
        Verdict::Unsatisfiable => recording.expected.truth == "sat",
        Verdict::Satisfiable { models, .. } => {
            recording.expected.truth == "unsat"
                && recording.formula().is_some()
                && models.iter().any(|model| recording.fits(model))
        }
        Verdict::Covered { .. } | Verdict::Counted(_) | Verdict::Unknown(_) | Verdict::Failed(_) => false,
    }
}

#[track_caller]
fn never_false(damage: impl Fn(&Recording, &mut dyn FnMut(&[u8], &str))) {
    type Decode = fn(&Recording, &[u8]) -> Verdict;
    let decoders: [Decode; 2] = [
        |recording, bytes| recording.decode(bytes, usize::MAX),
        |recording, bytes| recording.decode_alone(bytes),
    ];
    for decode in decoders {
        let mut definite = 0;
        for recording in recordings() {
            // Wrong, and undetectably so, as it is.
            if is_false(&recording, &decode(&recording, &recording.answer)) {
                continue;
            }
            damage(&recording, &mut |bytes, how| {
                let verdict = recording.checked(decode(&recording, bytes));
                definite +=
                    usize::from(matches!(verdict, Verdict::Satisfiable { .. } | Verdict::Unsatisfiable));
                assert!(!is_false(&recording, &verdict), "{} {how}: {verdict:?}", recording.name);
            });
        }
        // The damage is not such that nothing is ever understood.
        assert!(definite > 100);
    }
}

#[test]
fn cut_off_anywhere_an_output_is_no_false_answer() {
    never_false(|recording, check| {
        let length = recording.answer.len();
        let step = 1 + length / 400;
        let near_end = length.saturating_sub(100);
        for cut in (0..near_end).step_by(step).chain(near_end..length) {
            check(&recording.answer[..cut], &format!("cut at {cut}"));
        }
    });
}

#[test]
fn garbled_an_output_is_no_false_answer() {
    never_false(|recording, check| garbled(&recording.answer, b" \n\r-svc", check));
}
