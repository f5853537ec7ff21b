//! The boards of the catalogue, and the program run on them.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// A model and what it is given.
pub struct Board {
    pub name: String,
    pub model: PathBuf,
    pub data: Option<PathBuf>,
}

impl Board {
    /// The arguments of a command that speak of it.
    pub fn args(&self) -> Vec<&str> {
        std::iter::once(&self.model).chain(&self.data).map(|path| path.to_str().expect("UTF-8")).collect()
    }
}

/// Every model with each of its boards; a model without any stands alone.
pub fn boards() -> Vec<Board> {
    let entries = |folder: &Path| -> Vec<PathBuf> {
        let Ok(entries) = std::fs::read_dir(folder) else { return Vec::new() };
        entries.map(|entry| entry.expect("a file").path()).collect()
    };
    let mut boards = Vec::new();
    for folder in entries(Path::new("examples")) {
        let files = entries(&folder);
        let with = |suffix: &str| -> Vec<&PathBuf> {
            files.iter().filter(|path| path.extension().is_some_and(|e| e == suffix)).collect()
        };
        for model in with("rebus") {
            let of =
                |path: &&&PathBuf| stem(path).rsplit_once('-').is_some_and(|(base, _)| base == stem(model));
            let clues: Vec<&PathBuf> = with("clues").iter().filter(of).copied().collect();
            let board = |data: Option<&PathBuf>| Board {
                name: stem(data.unwrap_or(model)).to_owned(),
                model: model.clone(),
                data: data.cloned(),
            };
            match clues.is_empty() {
                true => boards.push(board(None)),
                false => boards.extend(clues.into_iter().map(|data| board(Some(data)))),
            }
        }
    }
    boards.sort_by(|a, b| a.name.cmp(&b.name));
    boards
}

fn stem(path: &Path) -> &str {
    path.file_stem().and_then(|stem| stem.to_str()).expect("a name")
}

/// Exit code, standard output and standard error.
pub fn rebus(args: &[&str]) -> (i32, String, String) {
    let output = Command::new(env!("CARGO_BIN_EXE_rebus")).args(args).output().expect("rebus runs");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    (output.status.code().unwrap_or(-1), text(output.stdout), text(output.stderr))
}

/// What is wrong with the boards, two at a time.
pub fn faults(boards: &[Board], of: impl Fn(&Board) -> Vec<String> + Sync) -> Vec<String> {
    let (next, faults) = (AtomicUsize::new(0), Mutex::new(Vec::new()));
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while let Some(board) = boards.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let found = of(board).into_iter().map(|fault| format!("{}: {fault}", board.name));
                    faults.lock().expect("no panic").extend(found);
                }
            });
        }
    });
    faults.into_inner().expect("no panic")
}
