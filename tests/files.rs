//! Reading within limits and writing whole or not at all.

use flate2::Compression;
use flate2::write::GzEncoder;
use rebus::diag::{Code, Diagnostic};
use rebus::files::{self, Comments, Digesting, Output, WriteFault};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut packed = GzEncoder::new(Vec::new(), Compression::fast());
    packed.write_all(bytes).unwrap();
    packed.finish().unwrap()
}

struct Folder(tempfile::TempDir);

impl Folder {
    fn new() -> Folder {
        Folder(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, bytes: impl AsRef<[u8]>) -> PathBuf {
        fs::write(self.path(name), bytes).unwrap();
        self.path(name)
    }

    fn names(&self) -> Vec<String> {
        let entries = fs::read_dir(self.0.path()).unwrap();
        let mut names: Vec<String> =
            entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

fn read(path: &Path) -> Result<String, Diagnostic> {
    files::read_text(path, 1000)
}

#[track_caller]
fn refused<T: std::fmt::Debug>(result: Result<T, Diagnostic>, code: Code, part: &str) {
    let diagnostic = result.unwrap_err();
    assert_eq!(diagnostic.code, code, "{}", diagnostic.message);
    assert!(diagnostic.message.contains(part), "{}", diagnostic.message);
}

#[test]
fn texts_are_read_as_they_are() {
    let folder = Folder::new();
    assert_eq!(read(&folder.file("a", "\u{feff}a\r\nb")).unwrap(), "\u{feff}a\r\nb");
    assert_eq!(read(&folder.file("empty", "")).unwrap(), "");
    assert_eq!(read(&folder.file("one", "x")).unwrap(), "x");
    refused(read(&folder.path("none")), Code::UnreadableFile, "none` cannot be read: No such file");
    refused(read(folder.0.path()), Code::UnreadableFile, "it is a folder");
}

#[test]
fn bytes_that_are_no_text_are_shown_their_place() {
    let folder = Folder::new();
    let fault = read(&folder.file("a", b"ab\ncd\xffe"));
    refused(fault, Code::InvalidText, "byte 0xff in line 2, 5 bytes from the start");
    let fault = read(&folder.file("a", b"\xff\xfea\0")).unwrap_err();
    assert!(fault.help[0].contains("UTF-16"));
}

#[test]
fn the_limit_is_named() {
    let folder = Folder::new();
    let full = folder.file("full", "x".repeat(1000));
    assert_eq!(read(&full).unwrap().len(), 1000);
    let over = folder.file("over", "x".repeat(1001));
    refused(read(&over), Code::LimitExceeded, "more than 1000 bytes");
    let bomb = folder.file("bomb.gz", gz(&vec![b'x'; 50_000_000]));
    refused(read(&bomb), Code::LimitExceeded, "more than 1000 bytes");
    if Path::new("/dev/zero").exists() {
        refused(read(Path::new("/dev/zero")), Code::LimitExceeded, "more than 1000 bytes");
    }
}

#[test]
fn gz_is_expanded_whatever_its_name() {
    let folder = Folder::new();
    assert_eq!(read(&folder.file("a.gz", gz(b"hello"))).unwrap(), "hello");
    assert_eq!(read(&folder.file("a.rebus", gz(b"hello"))).unwrap(), "hello");
    let two = [gz(b"hello "), gz(b""), gz(b"world")].concat();
    assert_eq!(read(&folder.file("two.gz", &two)).unwrap(), "hello world");
    let padded = [two, vec![0; 512]].concat();
    assert_eq!(read(&folder.file("padded.gz", padded)).unwrap(), "hello world");
}

#[test]
fn damaged_gz_is_refused() {
    let folder = Folder::new();
    let whole = gz("hello world, hello world, hello".as_bytes());
    for length in 2..whole.len() {
        let cut = folder.file("cut.gz", &whole[..length]);
        refused(read(&cut), Code::UnreadableFile, "gz data end too early");
    }
    refused(read(&folder.file("b.gz", "")), Code::UnreadableFile, "empty, not gz data");
    refused(read(&folder.file("b.gz", "plain")), Code::UnreadableFile, "holds no gz data");
    let mut flipped = whole.clone();
    flipped[whole.len() - 6] ^= 1;
    refused(read(&folder.file("b.gz", flipped)), Code::UnreadableFile, "damaged");
    let tail = [whole, b"tail".to_vec()].concat();
    refused(read(&folder.file("b.gz", tail)), Code::UnreadableFile, "something else follows");
}

#[cfg(unix)]
#[test]
fn imports_stay_in_the_folder() {
    use std::os::unix::fs::symlink;
    let outside = Folder::new();
    let secret = outside.file("secret", "x");
    let folder = Folder::new();
    fs::create_dir(folder.path("sub")).unwrap();
    let inner = folder.file("sub/inner.rebus", "x");
    symlink(&inner, folder.path("link")).unwrap();
    symlink(&secret, folder.path("out")).unwrap();
    symlink(outside.0.path(), folder.path("away")).unwrap();
    symlink("/dev/zero", folder.path("zero")).unwrap();
    symlink("loop", folder.path("loop")).unwrap();
    let contained = |name: &str| files::contained(folder.0.path(), name);

    let inner = inner.canonicalize().unwrap();
    assert_eq!(contained("sub/inner.rebus").unwrap(), inner);
    assert_eq!(contained("sub/../sub/inner.rebus").unwrap(), inner);
    assert_eq!(contained("link").unwrap(), inner);
    for name in ["out", "away/secret", "zero", "..", "../x", "sub/../../x"] {
        refused(contained(name), Code::ImportNotAllowed, "leaves the model's folder");
    }
    refused(
        contained(secret.to_str().unwrap()),
        Code::ImportNotAllowed,
        "only paths from the model's folder",
    );
    refused(contained("sub"), Code::ImportNotAllowed, "a folder");
    refused(contained(""), Code::ImportNotAllowed, "a folder");
    refused(contained("none"), Code::UnreadableFile, "No such file");
    refused(contained("loop"), Code::UnreadableFile, "");
    refused(contained("a\0b"), Code::UnreadableFile, "");
    let piped = Command::new("mkfifo").arg(folder.path("pipe")).status();
    if piped.is_ok_and(|status| status.success()) {
        refused(contained("pipe"), Code::ImportNotAllowed, "no regular file");
    }
}

#[test]
fn a_file_appears_when_it_is_complete() {
    let folder = Folder::new();
    let path = folder.path("f");
    let mut output = Output::create(&path).unwrap();
    output.write_all(&[b'x'; 200_000]).unwrap();
    assert!(!path.exists());
    output.commit().unwrap();
    assert_eq!(fs::read(&path).unwrap(), vec![b'x'; 200_000]);

    let mut output = Output::create(&path).unwrap();
    output.write_all(b"other").unwrap();
    drop(output);
    assert_eq!(fs::metadata(&path).unwrap().len(), 200_000);
    assert_eq!(folder.names(), ["f"]);
}

#[test]
fn packed_files_hold_no_name_and_no_time() {
    let folder = Folder::new();
    let text = b"p cnf 3 1\n1 2 -3 0\n".repeat(5000);
    for name in ["a.gz", "b.gz"] {
        let mut output = Output::create(&folder.path(name)).unwrap();
        text.chunks(7).for_each(|part| output.write_all(part).unwrap());
        output.commit().unwrap();
    }
    let packed = fs::read(folder.path("a.gz")).unwrap();
    assert_eq!(packed, fs::read(folder.path("b.gz")).unwrap());
    assert_eq!(packed[3..8], [0; 5]);
    assert_eq!(packed[9], 255);
    assert_eq!(files::read_bytes(&folder.path("a.gz"), 1 << 20).unwrap(), text);
}

#[cfg(unix)]
#[test]
fn permissions_are_those_of_any_new_file() {
    use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
    let folder = Folder::new();
    let plain = folder.file("plain", "x");
    let path = folder.path("new");
    Output::create(&path).unwrap().commit().unwrap();
    assert_eq!(fs::metadata(&path).unwrap().mode(), fs::metadata(&plain).unwrap().mode());

    fs::set_permissions(&plain, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("plain", folder.path("link")).unwrap();
    let mut output = Output::create(&folder.path("link")).unwrap();
    output.write_all(b"through").unwrap();
    output.commit().unwrap();
    assert_eq!(fs::read(&plain).unwrap(), b"through");
    assert_eq!(fs::metadata(&plain).unwrap().mode() & 0o777, 0o640);
    assert!(fs::symlink_metadata(folder.path("link")).unwrap().is_symlink());
}

#[track_caller]
fn unwritable(fault: WriteFault, part: &str) {
    let WriteFault::Fault(diagnostic) = fault else { panic!("{fault:?}") };
    refused::<()>(Err(diagnostic), Code::Unwritable, part);
}

#[test]
fn what_is_no_file_is_told() {
    let folder = Folder::new();
    unwritable(Output::create(folder.0.path()).err().unwrap(), "it is a folder");
    unwritable(Output::create(&folder.path("none/f")).err().unwrap(), "there is no folder");
    if Path::new("/dev/full").exists() {
        let mut output = Output::create(Path::new("/dev/full")).unwrap();
        output.write_all(b"x").unwrap();
        unwritable(output.commit().unwrap_err(), "`/dev/full` cannot be written: No space left");
        let mut output = Output::create(Path::new("/dev/null")).unwrap();
        output.write_all(b"x").unwrap();
        output.commit().unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}

#[test]
fn several_files_appear_in_order_or_none() {
    let folder = Folder::new();
    let start = |name: &str| Output::create(&folder.path(name)).unwrap();
    files::commit_in_order(vec![start("map"), start("formula")]).unwrap();
    assert_eq!(folder.names(), ["formula", "map"]);
    if Path::new("/dev/full").exists() {
        let mut full = Output::create(Path::new("/dev/full")).unwrap();
        full.write_all(b"x").unwrap();
        let fault = files::commit_in_order(vec![start("other"), full]).unwrap_err();
        unwritable(fault, "No space left");
        assert_eq!(folder.names(), ["formula", "map"]);
    }
}

/// What cannot be placed takes back what stood before it, and leaves the older file where that had replaced one.
#[test]
fn a_file_that_was_replaced_comes_back() {
    let folder = Folder::new();
    let start = |name: &str, text: &str| {
        let mut output = Output::create(&folder.path(name)).unwrap();
        output.write_all(text.as_bytes()).unwrap();
        output
    };
    folder.file("map", "older");
    let outputs = vec![start("map", "newer"), start("also", "new"), start("formula", "new")];
    // a folder of that name is made meanwhile
    fs::create_dir(folder.path("formula")).unwrap();
    fs::write(folder.path("formula").join("inside"), "").unwrap();
    assert!(files::commit_in_order(outputs).is_err());
    assert_eq!(fs::read_to_string(folder.path("map")).unwrap(), "older");
    assert_eq!(folder.names(), ["formula", "map"]);
    fs::remove_dir_all(folder.path("formula")).unwrap();
    files::commit_in_order(vec![start("map", "newer"), start("formula", "new")]).unwrap();
    assert_eq!(fs::read_to_string(folder.path("map")).unwrap(), "newer");
    assert_eq!(folder.names(), ["formula", "map"]);
    if Path::new("/dev/full").exists() {
        let mut full = Output::create(Path::new("/dev/full")).unwrap();
        full.write_all(b"x").unwrap();
        assert!(files::commit_in_order(vec![start("map", "newest"), full]).is_err());
        assert_eq!(fs::read_to_string(folder.path("map")).unwrap(), "newer");
        assert_eq!(folder.names(), ["formula", "map"]);
    }
}

/// Runs another test of this file as a process of its own, below a shell command in which `$0` is it.
#[cfg(unix)]
fn child(shell: &str, test: &str, folder: &Folder) -> String {
    let output = Command::new("sh")
        .args(["-c", shell, std::env::current_exe().unwrap().to_str().unwrap()])
        .arg(test)
        .env("REBUS_TEST_FOLDER", folder.0.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    String::from_utf8_lossy(&output.stderr).into_owned()
}

#[cfg(unix)]
fn child_folder() -> Option<PathBuf> {
    std::env::var_os("REBUS_TEST_FOLDER").map(PathBuf::from)
}

/// The process that fills a disk.
#[cfg(unix)]
#[test]
fn writes_much() {
    let Some(folder) = child_folder() else { return };
    let mut output = Output::create(&folder.join("big")).unwrap();
    let name = output.name().to_owned();
    let done = output.write_all(&vec![b'x'; 1 << 20]).map_err(|error| WriteFault::of(&name, &error));
    let fault = done.and_then(|()| output.commit()).unwrap_err();
    eprintln!("{fault:?}");
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_nothing_behind() {
    let folder = Folder::new();
    folder.file("big", "old");
    let told =
        child("trap '' XFSZ; ulimit -f 16; exec \"$0\" --exact \"$1\" --nocapture", "writes_much", &folder);
    assert!(told.contains("Unwritable") && told.contains("File too large"), "{told}");
    assert_eq!(folder.names(), ["big"]);
    assert_eq!(fs::read(folder.path("big")).unwrap(), b"old");
}

/// The process whose reader goes away.
#[cfg(unix)]
#[test]
fn writes_to_a_pipe() {
    if child_folder().is_none() {
        return;
    }
    for name in ["-", "/dev/stdout"] {
        let mut output = Output::create(Path::new(name)).unwrap();
        let done = output.write_all(&vec![b'x'; 1 << 20]).map_err(|error| WriteFault::of(name, &error));
        eprintln!("{:?}", done.and_then(|()| output.commit()).unwrap_err());
    }
}

#[cfg(unix)]
#[test]
fn a_closed_pipe_is_no_fault() {
    let told = child(
        "\"$0\" --exact \"$1\" --nocapture | head -c 10 >/dev/null",
        "writes_to_a_pipe",
        &Folder::new(),
    );
    assert_eq!(told.lines().filter(|line| *line == "ClosedPipe").count(), 2, "{told}");
}

fn digest(text: &str, comments: Comments) -> u128 {
    files::digest(&mut text.as_bytes(), comments).unwrap()
}

#[test]
fn digests_leave_comments_out() {
    let bare = "p cnf 3 2\n1 -2 0\n3 0\n";
    let commented = "c first\nc\np cnf 3 2\nc p cnf 7 7\n1 -2 0\nc c\n3 0\nc last";
    assert_eq!(digest(bare, Comments::Cnf), digest(commented, Comments::Cnf));
    assert_eq!(digest(bare, Comments::Cnf), xxhash_rust::xxh3::xxh3_128(bare.as_bytes()));
    assert_ne!(digest(bare, Comments::Cnf), digest(commented, Comments::Opb));
    assert_eq!(digest("* x\n+1 x1 >= 1 ;\n", Comments::Opb), digest("+1 x1 >= 1 ;\n", Comments::Opb));
    assert_eq!(digest("| x\na b | c\na\n", Comments::Xcc), digest("a b | c\na\n", Comments::Xcc));
}

#[test]
fn digests_do_not_depend_on_the_blocks() {
    let text = "c one c\np cnf 3 2\nc c two\n1 -2 0\n\nc\nc\n3 0\ncc\n".repeat(9000);
    let expected = digest(&text, Comments::Cnf);
    for size in [1, 2, 3, 7, 4096, 65_535, 65_536, 65_537, 1 << 20] {
        let mut source = std::io::BufReader::with_capacity(size, text.as_bytes());
        assert_eq!(files::digest(&mut source, Comments::Cnf).unwrap(), expected, "blocks of {size}");
        let mut writer = Digesting::new(Vec::new(), Comments::Cnf);
        text.as_bytes().chunks(size).for_each(|block| writer.write_all(block).unwrap());
        let (bytes, digest) = writer.finish().unwrap();
        assert!(digest == expected && bytes == text.as_bytes(), "writes of {size}");
    }
}
