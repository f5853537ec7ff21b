//! `rebus fmt`: models and data files in canonical form.

use super::Outcome;
use crate::diag::{Code, Diagnostic, Sources};
use crate::files::{self, Output, WriteFault};
use crate::run::load::MOST_TEXT;
use crate::run::{Failure, Faulty};
use crate::shared::harmless;
use crate::syntax::format_file;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Give models and data files their one form; comments and pictures stay as they are
#[derive(clap::Args, Debug)]
#[command(after_help = "EXAMPLES:
  rebus fmt model.rebus board.clues
  rebus fmt --check examples         names what is not in its form; then the exit code is 5
  rebus fmt - < model.rebus          from standard input to standard output")]
pub struct Args {
    /// Files, folders of `.rebus` and `.clues` files, or `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write nothing; name the files that are not in their form (exit code 5)
    #[arg(long)]
    check: bool,
}

pub fn run(args: &Args) -> Outcome {
    let mut paths = Vec::new();
    for path in &args.files {
        collect(path, &mut paths)?;
    }
    let mut sources = Sources::default();
    let mut faults = Vec::new();
    let mut changed = Vec::new();
    for path in paths {
        let text = files::read_text(&path, MOST_TEXT)?;
        let file = sources.add(path.display().to_string(), &text);
        match format_file(file, &text) {
            Ok(formatted) if formatted != text || path == Path::new("-") => {
                changed.push((path, formatted, text));
            }
            Ok(_) => {}
            Err(found) => faults.extend(found),
        }
    }
    if !faults.is_empty() {
        return Err(Failure::Faults(Faulty { sources, faults }));
    }
    if args.check {
        changed.retain(|(_, formatted, text)| formatted != text);
        let mut out = files::Stdout;
        for (path, ..) in &changed {
            writeln!(out, "{}", harmless(&path.display().to_string(), &[]))?;
        }
        return Ok(if changed.is_empty() { 0 } else { 5 });
    }
    for (path, formatted, _) in changed {
        let mut output = Output::create(&path)?;
        let name = output.name().to_string();
        output.write_all(formatted.as_bytes()).map_err(|error| WriteFault::of(&name, &error))?;
        output.commit()?;
    }
    Ok(0)
}

/// The files of a path: the path itself, or all files below a folder, sorted.
fn collect(path: &Path, found: &mut Vec<PathBuf>) -> Result<(), Failure> {
    if !path.is_dir() {
        found.push(path.to_path_buf());
        return Ok(());
    }
    let unreadable = |error| {
        Diagnostic::error(Code::UnreadableFile, format!("`{}` cannot be read: {error}", path.display()))
    };
    let entries = fs::read_dir(path).and_then(Iterator::collect::<io::Result<Vec<_>>>).map_err(unreadable)?;
    let mut paths: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    paths.sort();
    for path in paths {
        let ours = path.extension().is_some_and(|suffix| suffix == "rebus" || suffix == "clues");
        // A linked folder may contain the current one.
        if !path.is_symlink() && (path.is_dir() || ours) {
            collect(&path, found)?;
        }
    }
    Ok(())
}
