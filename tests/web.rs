//! `rebus web`: what is served, and what is not.

use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};

/// A server that ends with the test.
struct Served {
    child: Child,
    port: u16,
}

impl Served {
    fn new(folder: &Path) -> Served {
        let mut command = Command::new(env!("CARGO_BIN_EXE_rebus"));
        command.arg("web").arg(folder).args(["--port", "0"]).stdout(Stdio::piped());
        let mut child = command.spawn().expect("rebus runs");
        let mut line = String::new();
        let out = child.stdout.take().expect("piped");
        BufReader::new(out).read_line(&mut line).expect("an address");
        let port = line.trim().trim_end_matches('/').rsplit(':').next().and_then(|port| port.parse().ok());
        Served { child, port: port.unwrap_or_else(|| panic!("{line}")) }
    }

    /// The answer to bytes; empty if the connection was closed without one.
    fn says(&self, request: &[u8]) -> String {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("it listens");
        stream.write_all(request).expect("written");
        let _ = stream.shutdown(std::net::Shutdown::Write);
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn get(&self, path: &str) -> String {
        self.says(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n").as_bytes())
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn page() -> tempfile::TempDir {
    let above = tempfile::tempdir().expect("a folder");
    let folder = above.path().join("web");
    fs::create_dir_all(folder.join("pictures")).expect("made");
    fs::write(folder.join("index.html"), "<p>page").expect("written");
    fs::write(folder.join("page.js"), "1").expect("written");
    fs::write(folder.join("pictures/a-b.svg"), "<svg/>").expect("written");
    fs::write(folder.join(".hidden.js"), "no").expect("written");
    fs::write(folder.join("notes.txt"), "no").expect("written");
    fs::write(above.path().join("secret.js"), "no").expect("written");
    above
}

#[test]
fn files_of_the_folder_are_served() {
    let above = page();
    let served = Served::new(&above.path().join("web"));
    for (path, kind, body) in [
        ("/", "text/html; charset=utf-8", "<p>page"),
        ("/index.html?x=1", "text/html; charset=utf-8", "<p>page"),
        ("/page.js", "text/javascript; charset=utf-8", "1"),
        ("/pictures/a-b.svg", "image/svg+xml", "<svg/>"),
    ] {
        let answer = served.get(path);
        assert!(answer.starts_with("HTTP/1.1 200 OK\r\n"), "{path}: {answer}");
        assert!(answer.contains(&format!("Content-Type: {kind}\r\n")), "{path}: {answer}");
        assert!(answer.ends_with(&format!("\r\n\r\n{body}")), "{path}: {answer}");
    }
    let head = served.says(b"HEAD /page.js HTTP/1.1\r\n\r\n");
    assert!(head.contains("Content-Length: 1\r\n") && head.ends_with("\r\n\r\n"), "{head}");
}

#[test]
fn nothing_else_is_served() {
    let above = page();
    let folder = above.path().join("web");
    #[cfg(unix)]
    std::os::unix::fs::symlink(above.path().join("secret.js"), folder.join("link.js")).expect("a link");
    let served = Served::new(&folder);
    for path in [
        "/../secret.js",
        "/pictures/../../secret.js",
        "/%2e%2e/secret.js",
        "//secret.js",
        "/.hidden.js",
        "/notes.txt",
        "/link.js",
        "/pictures",
        "/pictures/",
        "/absent.js",
        "secret.js",
        "http://localhost/page.js",
        "/page.js%00",
    ] {
        let answer = served.get(path);
        assert!(answer.starts_with("HTTP/1.1 404 Not Found\r\n"), "{path}: {answer}");
    }
    let posted = served.says(b"POST /page.js HTTP/1.1\r\nContent-Length: 0\r\n\r\n");
    assert!(posted.starts_with("HTTP/1.1 405 "), "{posted}");
    for request in [&b""[..], b"GET", b"\xff\xfe\r\n\r\n", &[b'a'; 100_000]] {
        let answer = served.says(request);
        assert!(!answer.contains("200 OK"), "{answer}");
    }
    // it goes on after all that, and while somebody says nothing
    let silent = TcpStream::connect(("127.0.0.1", served.port)).expect("it listens");
    assert!(served.get("/").ends_with("<p>page"));
    drop(silent);
}

#[test]
fn a_folder_without_a_page_is_a_fault() {
    let folder = tempfile::tempdir().expect("a folder");
    let output = Command::new(env!("CARGO_BIN_EXE_rebus")).arg("web").arg(folder.path()).output();
    let output = output.expect("rebus runs");
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(message.contains("holds no page") && message.contains("`make web`"), "{message}");
}
