//! Damaged models and data: bytes flipped, tokens swapped, lines dropped. Whatever comes out of it, nothing panics and
//! nothing runs without end.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::time::{Duration, Instant};

#[allow(dead_code)]
#[path = "../fuzz/targets.rs"]
mod targets;

#[path = "common/dice.rs"]
mod dice;

use dice::Dice;
use targets::run;

/// Mutants of each file.
const EACH: u64 = 250;
/// No mutant may take longer, on a busy machine and unoptimised; its own budget is a second.
const PATIENCE: Duration = Duration::from_secs(60);

/// Words, numbers and single other characters.
fn tokens(text: &str) -> Vec<&str> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let same = |c: char| c.is_alphanumeric() || c == '_';
        let end = match same(first) {
            true => rest.find(|c| !same(c)).unwrap_or(rest.len()),
            false => first.len_utf8(),
        };
        let (token, more) = rest.split_at(end);
        tokens.push(token);
        rest = more;
    }
    tokens
}

const SPICE: &[&str] = &[
    "0",
    "-1",
    "9223372036854775807",
    "4611686018427387904",
    "none",
    "true",
    "\"\"",
    "\"\"\"",
    "[]",
    "()",
    "{}",
    "..",
    "-",
    "*",
    "/",
    "%",
    "(",
    ")",
    "[",
    "]",
    ",",
    ":",
    "for",
    "if",
    "in",
    "not",
    "let",
    "var",
    "x",
    "n",
    "p",
    "\u{1b}",
    "é",
    "1000",
    "min",
    "first",
    "rows",
    "ray",
    "windows",
    "boxes",
    "placements",
    "turns",
    "matches",
    "runs",
    "inside",
];

fn mutant(text: &str, rng: &mut Dice) -> String {
    match rng.below(4) {
        0 => {
            let mut bytes = text.as_bytes().to_vec();
            for _ in 0..=rng.below(3) {
                let at = rng.below(bytes.len());
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << rng.below(7);
                }
            }
            String::from_utf8_lossy(&bytes).into_owned()
        }
        1 => {
            let mut tokens = tokens(text);
            let (a, b) = (rng.below(tokens.len()), rng.below(tokens.len()));
            if !tokens.is_empty() {
                tokens.swap(a, b);
            }
            tokens.concat()
        }
        2 => {
            let mut tokens = tokens(text);
            for _ in 0..=rng.below(2) {
                let at = rng.below(tokens.len());
                if let Some(token) = tokens.get_mut(at) {
                    *token = SPICE[rng.below(SPICE.len())];
                }
            }
            tokens.concat()
        }
        _ => {
            let mut lines: Vec<&str> = text.lines().collect();
            let at = rng.below(lines.len());
            if !lines.is_empty() {
                lines.remove(at);
            }
            lines.join("\n")
        }
    }
}

fn examples() -> Vec<(PathBuf, Option<PathBuf>)> {
    let mut found = Vec::new();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(root).expect("examples").map(|entry| entry.expect("an entry").path()).collect();
    folders.sort();
    for folder in folders.iter().filter(|folder| folder.is_dir()) {
        let mut files: Vec<PathBuf> = std::fs::read_dir(folder)
            .expect("a genre")
            .map(|entry| entry.expect("an entry").path())
            .collect();
        files.sort();
        let of = |suffix: &str| {
            files.iter().filter(|path| path.extension().is_some_and(|s| s == suffix)).collect::<Vec<_>>()
        };
        for model in of("rebus") {
            let stem = model.file_stem().expect("a name").to_string_lossy().into_owned();
            let boards = of("clues");
            let own = boards.iter().find(|board| {
                board.file_stem().is_some_and(|name| name.to_string_lossy().starts_with(&format!("{stem}-")))
            });
            found.push((model.clone(), own.map(|path| path.to_path_buf())));
        }
    }
    found
}

fn work(next: &AtomicUsize, all: &[(PathBuf, Option<PathBuf>)], tell: &dyn Fn(Option<String>)) {
    loop {
        let at = next.fetch_add(1, Ordering::Relaxed);
        let Some((model_path, data_path)) = all.get(at) else { return };
        let model = std::fs::read_to_string(model_path).expect("a model");
        let data = data_path.as_ref().map(|path| std::fs::read_to_string(path).expect("data"));
        let mut rng = Dice::new(at as u64 + 1);
        for number in 0..EACH {
            let in_data = data.is_some() && number % 3 == 2;
            let (model, data) = match &data {
                Some(data) if in_data => (model.clone(), Some(mutant(data, &mut rng))),
                data => (mutant(&model, &mut rng), data.clone()),
            };
            let shown = format!(
                "{} mutant {number}:\n{model}\n---\n{}",
                model_path.display(),
                data.as_deref().filter(|_| in_data).unwrap_or("")
            );
            let start = Instant::now();
            tell(Some(shown.clone()));
            let result = catch_unwind(AssertUnwindSafe(|| run(&model, data.as_deref())));
            tell(None);
            assert!(result.is_ok(), "panics: {shown}");
            assert!(start.elapsed() < PATIENCE, "takes {:?}: {shown}", start.elapsed());
        }
    }
}

#[test]
fn nothing_panics_or_hangs() {
    let all = examples();
    assert!(all.len() > 50, "the examples are gone");
    let next = std::sync::Arc::new(AtomicUsize::new(0));
    let all = std::sync::Arc::new(all);
    let workers = std::thread::available_parallelism().map_or(2, usize::from).min(8);
    let (send, events) = channel();
    let threads: Vec<_> = (0..workers)
        .map(|worker| {
            let (next, all, send) = (next.clone(), all.clone(), send.clone());
            let builder = std::thread::Builder::new().stack_size(256 << 20);
            let body = move || {
                work(&next, &all, &|what| send.send((worker, what)).expect("somebody listens"));
            };
            builder.spawn(body).expect("a thread")
        })
        .collect();
    drop(send);
    let mut busy: Vec<Option<(Instant, String)>> = vec![None; workers];
    loop {
        match events.recv_timeout(Duration::from_secs(5)) {
            Ok((worker, what)) => busy[worker] = what.map(|what| (Instant::now(), what)),
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {}
        }
        for (since, what) in busy.iter().flatten() {
            assert!(since.elapsed() < PATIENCE, "still running after {PATIENCE:?}: {what}");
        }
    }
    for thread in threads {
        assert!(thread.join().is_ok(), "a mutant fails, see above");
    }
}
