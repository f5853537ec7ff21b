//! Atomic writing: a file appears complete or not at all.
//!
//! In: a path and bytes. Out: a file that appears under its name when it is complete. Until then it has no name, or a
//! temporary one in the same folder, which is removed on failure. Standard output, pipes and devices are written
//! directly.

use super::fault::{WriteFault, unwritable};
use super::part::Part;
use super::stdout::Stdout;
use crate::diag::{Code, Diagnostic};
use flate2::write::GzEncoder;
use flate2::{Compression, GzBuilder};
use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use tempfile::TempPath;

const BLOCK: usize = 1 << 16;
/// For formulas, higher levels compress little better and take far more time.
const LEVEL: u32 = 3;

/// An output in progress. Dropped without [`Output::commit`], it leaves nothing behind.
pub struct Output {
    name: String,
    bytes: Bytes,
}

enum Bytes {
    Plain(BufWriter<Target>),
    Packed(Box<GzEncoder<BufWriter<Target>>>),
}

enum Target {
    /// A file that gets its name at the end.
    Whole {
        part: Part,
        path: PathBuf,
    },
    Direct(File),
    Stdout(Stdout),
    Stderr(io::Stderr),
}

impl Output {
    /// Starts an output. `-` is standard output; a name that ends in `.gz` is compressed.
    pub fn create(path: &Path) -> Result<Output, WriteFault> {
        let name =
            if path == Path::new("-") { "standard output".to_owned() } else { path.display().to_string() };
        let target = target(path, &name)?;
        let writer = BufWriter::with_capacity(BLOCK, target);
        let packed = path.extension().is_some_and(|suffix| suffix.eq_ignore_ascii_case("gz"));
        let bytes = if packed {
            // The header has no name, time or system: the same bytes everywhere.
            let header = GzBuilder::new().mtime(0).operating_system(255);
            Bytes::Packed(Box::new(header.write(writer, Compression::new(LEVEL))))
        } else {
            Bytes::Plain(writer)
        };
        Ok(Output { name, bytes })
    }

    /// The name for messages.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Completes the output and puts the file in place.
    pub fn commit(self) -> Result<(), WriteFault> {
        let (name, target) = self.complete()?;
        place(&name, target)
    }

    fn is_whole(&self) -> bool {
        let writer = match &self.bytes {
            Bytes::Plain(writer) => writer,
            Bytes::Packed(packed) => packed.get_ref(),
        };
        matches!(writer.get_ref(), Target::Whole { .. })
    }

    /// Flushes all buffers.
    fn complete(self) -> Result<(String, Target), WriteFault> {
        let name = self.name;
        let writer = match self.bytes {
            Bytes::Plain(writer) => writer,
            Bytes::Packed(packed) => packed.finish().map_err(|error| WriteFault::of(&name, &error))?,
        };
        let mut target = writer.into_inner().map_err(|failed| WriteFault::of(&name, failed.error()))?;
        target.flush().map_err(|error| WriteFault::of(&name, &error))?;
        Ok((name, target))
    }
}

/// Puts several files in place, in order. None appears before all are complete. If one cannot be placed, those before
/// it are removed and the old files restored.
pub fn commit_in_order(outputs: Vec<Output>) -> Result<(), WriteFault> {
    let mut complete = Vec::new();
    for output in outputs {
        complete.push(if output.is_whole() { Ok(output.complete()?) } else { Err(output) });
    }
    let mut placed: Vec<Placed> = Vec::new();
    for output in complete {
        let (done, one) = match output {
            Ok((name, target)) => {
                let one = match &target {
                    Target::Whole { path, .. } => Some(Placed::before(path)),
                    _ => None,
                };
                (place(&name, target), one)
            }
            Err(direct) => (direct.commit(), None),
        };
        if let Err(fault) = done {
            one.into_iter().for_each(Placed::restore);
            for one in placed.into_iter().rev() {
                let _ = fs::remove_file(&one.path);
                one.restore();
            }
            return Err(fault);
        }
        placed.extend(one);
    }
    Ok(())
}

/// A file that got its name.
struct Placed {
    path: PathBuf,
    /// The file that had the name before, under a temporary one; removed when this is dropped.
    older: Option<TempPath>,
}

impl Placed {
    fn before(path: &Path) -> Placed {
        let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let keep = |how: fn(&Path, &Path) -> io::Result<()>| {
            tempfile::Builder::new()
                .prefix(".rebus-")
                .suffix(".older")
                .make_in(folder, |other| how(path, other))
                .ok()
        };
        // without hard links, the old file is renamed, and its name is briefly missing
        let is_there = path.is_file();
        let older =
            is_there.then(|| keep(|a, b| fs::hard_link(a, b)).or_else(|| keep(|a, b| fs::rename(a, b))));
        Placed { path: path.to_owned(), older: older.flatten().map(|kept| kept.into_temp_path()) }
    }

    /// Restores the old name, unless another file has it.
    fn restore(self) {
        if let Some(older) = self.older.filter(|_| !self.path.exists()) {
            // if that fails, the old file keeps its temporary name
            let _ = older.persist(&self.path).map_err(|failed| failed.path.keep());
        }
    }
}

/// Names a complete file.
fn place(name: &str, target: Target) -> Result<(), WriteFault> {
    let Target::Whole { part, path } = target else { return Ok(()) };
    // No fsync: atomicity covers the end of the process or a full disk, not a system crash, and formulas are large.
    part.place(&path).map_err(|error| WriteFault::of(name, &error))
}

/// Rejects an output that is also an input or another output.
pub fn apart<'p>(outputs: impl IntoIterator<Item = &'p Path>, inputs: &[PathBuf]) -> Result<(), Diagnostic> {
    let inputs: Vec<Identity> = inputs.iter().filter_map(|path| identity(path)).collect();
    let mut taken = Vec::new();
    for path in outputs {
        let Some(identity) = identity(path) else { continue };
        let why = match (inputs.contains(&identity), taken.contains(&identity)) {
            (true, _) => "it is read in this run",
            (_, true) => "another output has this name",
            _ => {
                taken.push(identity);
                continue;
            }
        };
        let message = format!("`{}` is not written: {why}", path.display());
        return Err(Diagnostic::error(Code::Usage, message).help("choose another name"));
    }
    Ok(())
}

/// The identity of a file: system numbers, or its path.
#[derive(PartialEq)]
enum Identity {
    #[cfg(unix)]
    Numbers(u64, u64),
    At(PathBuf),
}

#[cfg(unix)]
fn identity_of(_: &Path, data: &fs::Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt;
    Some(Identity::Numbers(data.dev(), data.ino()))
}

#[cfg(not(unix))]
fn identity_of(path: &Path, _: &fs::Metadata) -> Option<Identity> {
    path.canonicalize().ok().map(Identity::At)
}

/// The identity of a regular file or one that does not exist yet; `None` for streams and devices, which may be
/// shared.
fn identity(path: &Path) -> Option<Identity> {
    if path == Path::new("-") {
        return None;
    }
    match fs::metadata(path) {
        Ok(data) if data.is_file() => identity_of(path, &data),
        Ok(_) => None,
        Err(_) => {
            let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            let folder = folder.unwrap_or(Path::new(".")).canonicalize().ok()?;
            Some(Identity::At(folder.join(path.file_name()?)))
        }
    }
}

fn target(path: &Path, name: &str) -> Result<Target, WriteFault> {
    let fault = |error: io::Error| WriteFault::of(name, &error);
    if path == Path::new("-") {
        return Ok(Target::Stdout(Stdout));
    }
    let path = match resolve(path) {
        Place::Stdout => return Ok(Target::Stdout(Stdout)),
        Place::Stderr => return Ok(Target::Stderr(io::stderr())),
        Place::Descriptor(path) => {
            // Opened again, it would be at its first byte and overwrite existing content.
            return OpenOptions::new().append(true).open(path).map(Target::Direct).map_err(fault);
        }
        Place::Path(path) => path,
    };
    let existing = fs::metadata(&path).ok();
    match &existing {
        Some(data) if data.is_dir() => return Err(WriteFault::Fault(unwritable(name, "it is a folder"))),
        Some(data) if !data.is_file() => {
            return OpenOptions::new().write(true).open(&path).map(Target::Direct).map_err(fault);
        }
        // A file that may not be overwritten must not be replaced either.
        Some(_) => drop(OpenOptions::new().write(true).open(&path).map_err(fault)?),
        None => (),
    }
    let folder = match path.parent() {
        Some(folder) if !folder.as_os_str().is_empty() => folder.to_owned(),
        _ => PathBuf::from("."),
    };
    if !folder.is_dir() {
        let why = format!("there is no folder `{}`", folder.display());
        return Err(WriteFault::Fault(unwritable(name, why)));
    }
    if path.file_name().is_none() {
        return Err(WriteFault::Fault(unwritable(name, "it is no file name")));
    }
    let part = Part::new(&folder, existing.map(|data| data.permissions())).map_err(fault)?;
    Ok(Target::Whole { part, path })
}

enum Place {
    Stdout,
    Stderr,
    /// `/dev/fd/3`
    Descriptor(PathBuf),
    Path(PathBuf),
}

/// Follows links, so that the target of a link is replaced and not the link; stops at names of open descriptors.
fn resolve(path: &Path) -> Place {
    let mut path = path.to_owned();
    // The limit of Linux.
    for _ in 0..40 {
        let text = path.to_string_lossy();
        match text.as_ref() {
            "/dev/stdout" | "/dev/fd/1" | "/proc/self/fd/1" => return Place::Stdout,
            "/dev/stderr" | "/dev/fd/2" | "/proc/self/fd/2" => return Place::Stderr,
            _ if text.starts_with("/dev/fd/") || text.starts_with("/proc/self/fd/") => {
                return Place::Descriptor(path);
            }
            _ => (),
        }
        match fs::read_link(&path) {
            Ok(next) => path = path.parent().map_or(next.clone(), |folder| folder.join(&next)),
            Err(_) => break,
        }
    }
    Place::Path(path)
}

impl Write for Target {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Target::Whole { part, .. } => part.write(bytes),
            Target::Direct(file) => file.write(bytes),
            Target::Stdout(stream) => stream.write(bytes),
            Target::Stderr(stream) => stream.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Target::Whole { part, .. } => part.flush(),
            Target::Direct(file) => file.flush(),
            Target::Stdout(stream) => stream.flush(),
            Target::Stderr(stream) => stream.flush(),
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match &mut self.bytes {
            Bytes::Plain(writer) => writer.write(bytes),
            Bytes::Packed(packed) => packed.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match &mut self.bytes {
            Bytes::Plain(writer) => writer.flush(),
            Bytes::Packed(packed) => packed.flush(),
        }
    }
}
