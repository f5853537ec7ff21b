//! Reading: files, standard input, gz.
//!
//! In: a path (`-` is standard input) and a limit in bytes. Out: bytes or text. Input in gz format is expanded,
//! whatever its name; at most the limit is in memory.

use super::reason;
use super::waited::{Waited, stop_of};
use crate::diag::{Code, Diagnostic, stop_diagnostic};
use flate2::bufread::GzDecoder;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read};
use std::path::{Path, PathBuf};

const BLOCK: usize = 1 << 16;

fn unreadable(name: &str, why: impl std::fmt::Display) -> Diagnostic {
    Diagnostic::error(Code::UnreadableFile, format!("`{name}` cannot be read: {why}"))
}

/// The diagnostic for an error of a reader; `name` is for the message.
pub fn read_fault(name: &str, error: &io::Error) -> Diagnostic {
    match stop_of(error) {
        Some(stop) => stop_diagnostic(stop).note(format!("`{name}` was being read")),
        None => unreadable(name, reason(error)),
    }
}

/// The name of a path in messages.
fn name_of(path: &Path) -> String {
    if path == Path::new("-") { "standard input".to_owned() } else { path.display().to_string() }
}

/// Opens a file or standard input and expands it if it is gz.
///
/// Faults in the gz data are errors of the reader; [`read_bytes`] turns them into diagnostics.
pub fn open(path: &Path) -> Result<Box<dyn BufRead>, Diagnostic> {
    let name = name_of(path);
    let mut source: Box<dyn BufRead> = if path == Path::new("-") {
        let input = Waited::stdin().map_err(|error| read_fault(&name, &error))?;
        Box::new(BufReader::with_capacity(BLOCK, input))
    } else {
        let file = File::open(path).map_err(|error| read_fault(&name, &error))?;
        if file.metadata().is_ok_and(|data| data.is_dir()) {
            return Err(unreadable(&name, "it is a folder"));
        }
        Box::new(BufReader::with_capacity(BLOCK, Waited::new(file)))
    };
    // A pipe may deliver its first byte alone, so read until both bytes are there.
    let mut start = Vec::new();
    source.by_ref().take(2).read_to_end(&mut start).map_err(|error| read_fault(&name, &error))?;
    let packed = start == MAGIC;
    let named = path.extension().is_some_and(|suffix| suffix.eq_ignore_ascii_case("gz"));
    if named && !packed {
        let why = if start.is_empty() {
            "it is empty, not gz data"
        } else {
            "it is named .gz, but holds no gz data"
        };
        return Err(unreadable(&name, why));
    }
    let whole = BufReader::with_capacity(BLOCK, io::Cursor::new(start).chain(source));
    Ok(if packed {
        Box::new(BufReader::with_capacity(BLOCK, Members::new(Box::new(whole))))
    } else {
        Box::new(whole)
    })
}

/// Reads a file or standard input, expanded, of at most `limit` bytes.
pub fn read_bytes(path: &Path, limit: u64) -> Result<Vec<u8>, Diagnostic> {
    let name = name_of(path);
    let mut bytes = Vec::new();
    let mut source = open(path)?.take(limit.saturating_add(1));
    source.read_to_end(&mut bytes).map_err(|error| read_fault(&name, &error))?;
    if bytes.len() as u64 > limit {
        let message = format!("`{name}` holds more than {limit} bytes, the limit for a file that is read");
        return Err(Diagnostic::error(Code::LimitExceeded, message));
    }
    Ok(bytes)
}

/// Reads a text in UTF-8; a byte order mark stays where it is.
pub fn read_text(path: &Path, limit: u64) -> Result<String, Diagnostic> {
    text_of(&name_of(path), read_bytes(path, limit)?)
}

/// Checks that bytes are UTF-8; `name` is for the message.
pub fn text_of(name: &str, bytes: Vec<u8>) -> Result<String, Diagnostic> {
    String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        let bytes = error.as_bytes();
        let line = bytes[..at].iter().filter(|byte| **byte == b'\n').count() + 1;
        let message = format!(
            "`{name}` is not UTF-8 text: byte {:#04x} in line {line}, {at} bytes from the start",
            bytes[at]
        );
        let diagnostic = Diagnostic::error(Code::InvalidText, message);
        match bytes {
            [0xff, 0xfe, ..] | [0xfe, 0xff, ..] => diagnostic.help("it looks like UTF-16; save it as UTF-8"),
            _ => diagnostic,
        }
    })
}

/// The path of an import: with links resolved, a regular file inside `folder`.
pub fn contained(folder: &Path, relative: &str) -> Result<PathBuf, Diagnostic> {
    let refuse = |why: &str| {
        let message = format!("`{relative}` cannot be imported: {why}");
        Diagnostic::error(Code::ImportNotAllowed, message)
    };
    // An empty folder is that of a model named without one.
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    if Path::new(relative).is_absolute() {
        return Err(refuse("only paths from the model's folder are allowed"));
    }
    let base = folder.canonicalize().map_err(|error| unreadable(&name_of(folder), reason(&error)))?;
    // Messages reveal nothing about files outside, not even whether they exist.
    let depth = Path::new(relative).components().try_fold(0u32, |depth, part| match part {
        std::path::Component::ParentDir => depth.checked_sub(1),
        std::path::Component::Normal(_) => Some(depth + 1),
        _ => Some(depth),
    });
    if depth.is_none() {
        return Err(refuse("it leaves the model's folder"));
    }
    let path = base.join(relative).canonicalize().map_err(|error| unreadable(relative, reason(&error)))?;
    if !path.starts_with(&base) {
        return Err(refuse("it leaves the model's folder"));
    }
    let data = fs::metadata(&path).map_err(|error| unreadable(relative, reason(&error)))?;
    if data.is_dir() {
        return Err(refuse("it is a folder"));
    }
    if !data.is_file() {
        return Err(refuse("it is no regular file"));
    }
    Ok(path)
}

const MAGIC: [u8; 2] = [0x1f, 0x8b];

type Packed = Box<dyn BufRead>;

/// Expands consecutive gz members; zeros after the last one are padding.
struct Members {
    state: State,
}

enum State {
    Inside(Box<GzDecoder<Packed>>),
    Ended,
}

impl Members {
    fn new(packed: Packed) -> Members {
        Members { state: State::Inside(Box::new(GzDecoder::new(packed))) }
    }
}

impl Read for Members {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        while let State::Inside(member) = &mut self.state
            && !buffer.is_empty()
        {
            let count = member.read(buffer).map_err(broken)?;
            if count > 0 {
                return Ok(count);
            }
            let State::Inside(member) = std::mem::replace(&mut self.state, State::Ended) else { break };
            if let Some(next) = following(member.into_inner())? {
                self.state = State::Inside(Box::new(GzDecoder::new(next)));
            }
        }
        Ok(0)
    }
}

/// Is there another member?
fn following(mut packed: Packed) -> io::Result<Option<Packed>> {
    let mut padded = false;
    loop {
        let rest = packed.fill_buf()?;
        let zeros = rest.iter().take_while(|byte| **byte == 0).count();
        match rest.get(zeros) {
            None if rest.is_empty() => return Ok(None),
            None => {
                padded = true;
                packed.consume(zeros);
            }
            Some(0x1f) if zeros == 0 && !padded => return Ok(Some(packed)),
            Some(_) => {
                return Err(io::Error::new(io::ErrorKind::InvalidData, "something else follows its gz data"));
            }
        }
    }
}

fn broken(error: io::Error) -> io::Error {
    let why = match error.kind() {
        io::ErrorKind::UnexpectedEof => "its gz data end too early",
        io::ErrorKind::InvalidData | io::ErrorKind::InvalidInput => "its gz data are damaged",
        _ => return error,
    };
    io::Error::new(error.kind(), why)
}
