//! `rebus web`: the page in a browser, for browsers that open no files.
//!
//! In: the folder that `make web` builds. Serves its files on the loopback interface: GET and HEAD alone, nothing outside the
//! folder, no request larger than a few kilobytes.

use super::Outcome;
use super::interrupt;
use crate::diag::{Code, Diagnostic};
use crate::files;
use std::fs;
use std::io::{self, ErrorKind, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

/// Serve the page that `make web` builds, to this machine alone
#[derive(clap::Args, Debug)]
#[command(after_help = "EXAMPLES:
  make web && rebus web            then open the address that is printed
  rebus web --port 0               at a port that is free

The page also opens without a server: target/web/index.html. No data leave the machine either way.")]
pub struct Args {
    /// The folder of the page
    #[arg(default_value = "target/web")]
    folder: PathBuf,
    /// The port; 0: one that is free
    #[arg(long, default_value_t = 8111)]
    port: u16,
}

/// The longest head of a request, in bytes.
const MOST_HEAD: usize = 8 << 10;
/// How long a browser may take to ask, and to read.
const PATIENCE: Duration = Duration::from_secs(10);
/// Requests at once; more have to wait.
const MOST_AT_ONCE: usize = 16;

/// Types of files by their suffix; others are not served.
const TYPES: &[(&str, &str)] = &[
    ("html", "text/html; charset=utf-8"),
    ("js", "text/javascript; charset=utf-8"),
    ("css", "text/css; charset=utf-8"),
    ("svg", "image/svg+xml"),
];

pub fn run(args: &Args) -> Outcome {
    let folder = args.folder.canonicalize().ok().filter(|folder| folder.join("index.html").is_file());
    let Some(folder) = folder else {
        let message = format!("`{}` holds no page", args.folder.display());
        let fault = Diagnostic::error(Code::UnreadableFile, message);
        return Err(fault.help("`make web` in the sources of rebus builds it").into());
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, args.port));
    let opened = listener.and_then(|listener| {
        listener.set_nonblocking(true)?;
        Ok((listener.local_addr()?.port(), listener))
    });
    let (port, listener) = opened.map_err(|error| {
        let message = format!("port {} cannot be had: {error}", args.port);
        Diagnostic::error(Code::Usage, message).help("`--port 0` takes one that is free")
    })?;
    let mut out = files::Stdout;
    writeln!(out, "http://127.0.0.1:{port}/")?;
    out.flush()?;
    let (open, cancelled) = (AtomicUsize::new(0), interrupt::cancelled());
    std::thread::scope(|scope| {
        while !cancelled.load(Ordering::Relaxed) {
            let asked =
                if open.load(Ordering::Relaxed) < MOST_AT_ONCE { listener.accept().ok() } else { None };
            let Some((stream, _)) = asked else {
                std::thread::sleep(Duration::from_millis(20));
                continue;
            };
            open.fetch_add(1, Ordering::Relaxed);
            let (folder, open) = (&folder, &open);
            let answered = move || {
                // a browser that goes away loses nothing but its answer
                let _ = answer(stream, folder);
                open.fetch_sub(1, Ordering::Relaxed);
            };
            if std::thread::Builder::new().spawn_scoped(scope, answered).is_err() {
                open.fetch_sub(1, Ordering::Relaxed);
            }
        }
    });
    Ok(0)
}

/// Answers one request, and closes the connection.
fn answer(mut stream: TcpStream, folder: &Path) -> io::Result<()> {
    stream.set_nonblocking(false)?;
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let head = head(&mut stream)?;
    let mut words = head.lines().next().unwrap_or("").split(' ');
    let (method, target) = (words.next().unwrap_or(""), words.next().unwrap_or(""));
    let (status, kind, body) = match (method, found(folder, target)) {
        ("GET" | "HEAD", Some((kind, body))) => ("200 OK", kind, body),
        ("GET" | "HEAD", None) => ("404 Not Found", "text/plain", b"there is no such file\n".to_vec()),
        _ => ("405 Method Not Allowed", "text/plain", b"GET and HEAD alone\n".to_vec()),
    };
    let length = body.len();
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\
         Cache-Control: no-cache\r\nX-Content-Type-Options: nosniff\r\n\r\n"
    )?;
    if method != "HEAD" {
        stream.write_all(&body)?;
    }
    stream.flush()
}

/// The head of a request, up to its empty line.
fn head(stream: &mut TcpStream) -> io::Result<String> {
    let mut head = Vec::new();
    let mut block = [0; 1024];
    while !head.windows(4).any(|end| end == b"\r\n\r\n") {
        let read = stream.read(&mut block)?;
        if read == 0 || head.len() > MOST_HEAD {
            return Err(ErrorKind::InvalidData.into());
        }
        head.extend_from_slice(&block[..read]);
    }
    Ok(String::from_utf8_lossy(&head).into_owned())
}

/// The type and bytes of the file that a request names; only names of plain letters are looked up.
fn found(folder: &Path, target: &str) -> Option<(&'static str, Vec<u8>)> {
    let path = target.split(['?', '#']).next()?.strip_prefix('/')?;
    let path = if path.is_empty() { "index.html" } else { path };
    let plain = |part: &str| {
        !part.starts_with('.')
            && !part.is_empty()
            && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
    };
    let suffix = path.rsplit('.').next()?;
    let (_, kind) = TYPES.iter().find(|(known, _)| *known == suffix)?;
    let file = path.split('/').all(plain).then(|| folder.join(path))?;
    // a link may not lead out of the folder
    let file = file.canonicalize().ok().filter(|file| file.starts_with(folder) && file.is_file())?;
    Some((kind, fs::read(file).ok()?))
}
