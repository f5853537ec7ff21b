//! Locates solvers on this machine.
//!
//! In: a [`Solver`] and the environment. Out: the path of its program. Relative entries of search paths are skipped:
//! the current folder may hold untrusted files. Starts no program, except that [`installed`] asks each program for
//! its version.

use super::output::{Consume, Ended};
use super::process::{Job, run};
use super::table::{Solver, SolverTable};
use crate::encode::Target;
use crate::shared::{Budget, Limits};
use std::env;
use std::ffi::{OsStr, OsString};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Time limit for a program to print its version.
const VERSION_TIME: Duration = Duration::from_secs(5);

/// The environment variables that matter here.
#[derive(Clone, Debug, Default)]
pub struct Places {
    /// `REBUS_SOLVER_PATH`, then `PATH`, then the folder of wheels with programs in `VIRTUAL_ENV`.
    folders: Vec<PathBuf>,
    /// `REBUS_SOLVER_NAME`, with that name.
    programs: Vec<(String, OsString)>,
}

impl Places {
    pub fn from_env() -> Places {
        Places::new(env::vars_os())
    }

    /// From variables and their values, which tests choose.
    pub fn new(vars: impl IntoIterator<Item = (OsString, OsString)>) -> Places {
        let (mut own, mut path, mut venv) = (OsString::new(), OsString::new(), None);
        let mut programs = Vec::new();
        for (name, value) in vars {
            match name.to_str() {
                Some("REBUS_SOLVER_PATH") => own = value,
                Some("PATH") => path = value,
                Some("VIRTUAL_ENV") => venv = Some(PathBuf::from(value)),
                Some(name) if name.starts_with("REBUS_SOLVER_") => programs.push((name.to_owned(), value)),
                _ => {}
            }
        }
        let split = |list: &OsStr| env::split_paths(list).collect::<Vec<_>>();
        let mut folders = split(&own);
        folders.extend(split(&path));
        folders.extend(venv.as_deref().map(wheel_folders).unwrap_or_default());
        folders.retain(|folder| folder.is_absolute());
        Places { folders, programs }
    }

    /// The program of a solver, if it and all files it needs exist.
    pub fn find(&self, solver: &Solver) -> Option<PathBuf> {
        if !solver.needs.iter().all(|path| Path::new(path).exists()) {
            return None;
        }
        self.program(&solver.variable(), &solver.command)
    }

    /// The program that an environment variable names, else the program called `command`.
    pub fn program(&self, variable: &str, command: &str) -> Option<PathBuf> {
        if let Some((_, path)) =
            self.programs.iter().find(|(name, path)| name == variable && !path.is_empty())
        {
            return executable(PathBuf::from(path));
        }
        if command.contains('/') {
            return executable(PathBuf::from(command));
        }
        self.folders.iter().find_map(|folder| executable(folder.join(command)))
    }
}

/// The user's own table of solvers: `rebus/solvers.toml` in the configuration folder. `None` if there is no such
/// folder.
pub fn user_table(env: impl Fn(&str) -> Option<OsString>) -> Option<PathBuf> {
    let absolute = |name: &str| env(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = absolute("XDG_CONFIG_HOME").or_else(|| absolute("HOME").map(|home| home.join(".config")))?;
    Some(folder.join("rebus").join("solvers.toml"))
}

/// `lib/python*/site-packages/sage_wheels/bin`: some wheels install programs there, outside the search path.
fn wheel_folders(venv: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(venv.join("lib")).into_iter().flatten().flatten();
    let mut folders: Vec<PathBuf> = entries
        .filter(|entry| entry.file_name().to_string_lossy().starts_with("python"))
        .map(|entry| entry.path().join("site-packages/sage_wheels/bin"))
        .collect();
    folders.sort();
    folders
}

/// The absolute path, if it is an executable file.
fn executable(path: PathBuf) -> Option<PathBuf> {
    let meta = std::fs::metadata(&path).ok()?;
    let runs = meta.is_file() && meta.permissions().mode() & 0o111 != 0;
    if runs { std::path::absolute(path).ok() } else { None }
}

/// A solver on this machine.
#[derive(Clone, Debug)]
pub struct Installed {
    pub name: String,
    pub reads: Target,
    /// `None` if it is not installed.
    pub path: Option<PathBuf>,
    /// Its version, if it prints one.
    pub version: Option<String>,
}

/// Locates every solver of a table, and asks the installed ones for their versions.
pub fn installed(table: &SolverTable, places: &Places) -> Vec<Installed> {
    table
        .iter()
        .map(|solver| {
            let path = places.find(solver);
            let version = path.as_deref().and_then(|path| version(solver, path));
            Installed { name: solver.name.clone(), reads: solver.format, path, version }
        })
        .collect()
}

/// The version that a program prints: the first line with a digit, without the words around the version.
pub fn version(solver: &Solver, program: &Path) -> Option<String> {
    if solver.version.is_empty() {
        return None;
    }
    let args = solver.version.iter().map(OsString::from).collect();
    let job = Job { program: program.to_owned(), args, stdin: None, folder: Some(env::temp_dir()) };
    let budget = Budget::new(Limits { time: Some(VERSION_TIME), ..Limits::default() });
    let finished = run(&job, Head::default(), &budget).ok()?;
    if !matches!(finished.ended, Ended::Exit(_)) {
        return None;
    }
    let text = String::from_utf8_lossy(&finished.output.bytes).into_owned();
    let line = text.lines().find(|line| line.contains(|c: char| c.is_ascii_digit()))?;
    let plain: String = line.chars().filter(|c| !c.is_control()).take(60).collect();
    // `c CryptoMiniSat version 5.11.4`, `Z3 version 4.8.12 - 64 bit`: the first word that starts with a digit is the
    // version.
    let starts = |word: &&str| word.starts_with(|c: char| c.is_ascii_digit());
    Some(plain.split_whitespace().find(starts).unwrap_or(plain.trim()).to_owned())
}

/// Keeps the first bytes of an output.
#[derive(Debug, Default)]
struct Head {
    bytes: Vec<u8>,
}

impl Consume for Head {
    fn feed(&mut self, bytes: &[u8]) {
        let room = 4096_usize.saturating_sub(self.bytes.len());
        self.bytes.extend(&bytes[..room.min(bytes.len())]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_users_table_is_in_the_configuration_folder() {
        let table = |xdg: &str, home: &str| {
            let (xdg, home) = (xdg.to_owned(), home.to_owned());
            user_table(move |name| match name {
                "XDG_CONFIG_HOME" if !xdg.is_empty() => Some(xdg.clone().into()),
                "HOME" if !home.is_empty() => Some(home.clone().into()),
                _ => None,
            })
        };
        assert_eq!(table("/x", "/h"), Some("/x/rebus/solvers.toml".into()));
        assert_eq!(table("", "/h"), Some("/h/.config/rebus/solvers.toml".into()));
        // A relative path would mean the current folder.
        assert_eq!(table("x", ""), None);
        assert_eq!(table(".", "."), None);
    }

    #[test]
    fn relative_entries_of_paths_are_skipped() {
        let places = Places::new([
            ("PATH".into(), ":.:bin:/usr/bin".into()),
            ("REBUS_SOLVER_PATH".into(), "x:/y".into()),
        ]);
        assert_eq!(places.folders, [PathBuf::from("/y"), PathBuf::from("/usr/bin")]);
    }
}
