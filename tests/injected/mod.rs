//! A run of the program in which one system call fails: the answer is the same, or there is a fault that says so, and nothing is
//! left that is neither whole nor what was there.
//!
//! `strace` makes the n-th call of a name fail (in every thread and process that comes so far) and tells whether it did.

mod scenarios;

use scenarios::{COMMANDS, FILES, MODELS, OTHERS};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, ExitStatus, Stdio};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

const REBUS: &str = env!("CARGO_BIN_EXE_rebus");

/// A command line with its model.
#[derive(Clone, Debug)]
pub struct Scenario {
    before: Option<String>,
    pub line: String,
}

pub fn scenarios() -> Vec<Scenario> {
    let of_models = COMMANDS.iter().flat_map(|line| MODELS.map(|model| line.replace('@', model)));
    let lines = of_models.chain(OTHERS.iter().map(|line| line.to_string()));
    let split = |line: String| match line.split_once("; ") {
        Some((before, line)) => Scenario { before: Some(before.into()), line: line.into() },
        None => Scenario { before: None, line },
    };
    lines.map(split).collect()
}

/// A system call that fails: its name, which of them, counted by thread, and how.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Injection {
    pub call: String,
    pub at: usize,
    pub error: &'static str,
}

/// What a run did.
struct Ran {
    status: ExitStatus,
    out: String,
    err: String,
    files: BTreeMap<String, Vec<u8>>,
    /// What is left in the folder for temporary files.
    left: Vec<String>,
    log: String,
    late: bool,
}

/// How long a run may take on a machine that is busy with other things; without a fault it takes less than a second.
const LATE: Duration = Duration::from_secs(90);

/// Calls whose errors tell of a program that is wrong, or that are none.
const NEVER_FAIL: &[&str] = &[
    "arch_prctl",
    "exit",
    "exit_group",
    "futex",
    "getegid",
    "geteuid",
    "getgid",
    "getpid",
    "getppid",
    "gettid",
    "getuid",
    "munmap",
    "prlimit64",
    "restart_syscall",
    "rseq",
    "rt_sigaction",
    "rt_sigprocmask",
    "rt_sigreturn",
    "sched_yield",
    "set_robust_list",
    "set_tid_address",
    "sigaltstack",
    "sendto",
    "clock_gettime",
    "umask",
];

/// How a call fails where the system has no room for it.
fn errors(call: &str) -> &'static [&'static str] {
    match call {
        "write" | "pwrite64" | "writev" | "copy_file_range" | "sendfile" => &["ENOSPC", "EIO", "EINTR"],
        "read" | "pread64" | "readv" => &["EIO", "EINTR"],
        "ftruncate" | "link" | "linkat" | "mkdir" | "mkdirat" | "rename" | "renameat" | "renameat2" => {
            &["ENOSPC", "EACCES"]
        }
        "open" | "openat" | "openat2" => &["EMFILE", "EACCES", "ENOSPC"],
        "pipe2" | "dup" | "dup2" | "dup3" | "fcntl" | "socketpair" | "pidfd_open" => &["EMFILE"],
        "mmap" | "mremap" | "mprotect" | "brk" | "madvise" | "execve" => &["ENOMEM"],
        "clone" | "clone3" | "fork" | "vfork" => &["EAGAIN"],
        "poll" | "ppoll" | "wait4" | "waitid" => &["EINTR", "ENOMEM"],
        "clock_nanosleep" | "nanosleep" => &["EINTR"],
        "unlink" | "unlinkat" | "rmdir" | "chmod" | "fchmod" | "kill" | "access" => &["EACCES"],
        "getrandom" => &["ENOSYS"],
        "flock" => &["ENOLCK"],
        _ => &["EIO"],
    }
}

/// Without its first word a command line is that of a shell.
fn words(line: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let mut quoted = false;
    for c in line.chars() {
        match c {
            '\'' => quoted = !quoted,
            ' ' if !quoted => words.push(String::new()),
            c => words.last_mut().expect("a word").push(c),
        }
    }
    words.retain(|word| !word.is_empty());
    words
}

impl Scenario {
    /// Runs it in a folder of its own, with `strace` told `trace`.
    fn run(&self, trace: &[String]) -> Ran {
        let folder = TempDir::new().expect("a folder");
        let path = |name: &str| folder.path().join(name);
        for name in ["run", "tmp", "bin", "home", "run/answers"] {
            fs::create_dir(path(name)).expect("a folder");
        }
        for (name, text) in FILES {
            fs::write(path("run").join(name), text).expect("a file");
        }
        let around = |command: &mut Command| {
            command.current_dir(path("run")).env_clear().env("TMPDIR", path("tmp")).env("HOME", path("home"));
            command.env("PATH", "/usr/bin:/bin");
        };
        if let Some(before) = &self.before {
            let mut shell = Command::new("sh");
            around(&mut shell);
            let ran = shell.args(["-c", &before.replace('$', REBUS)]).output().expect("a shell");
            assert!(!ran.status.success() || ran.status.code() < Some(6), "{before}: {ran:?}");
        }
        let (line, input) =
            self.line.split_once(" < ").map_or((&*self.line, None), |(line, input)| (line, Some(input)));
        let mut command = Command::new("strace");
        around(&mut command);
        command
            .args(["-f", "-qq", "-E", "PATH=/no/such/folder", "-e", "signal=none", "-o"])
            .arg(path("log"))
            .args(trace)
            .arg(REBUS);
        command.args(words(line).iter().map(|word| word.replace('$', REBUS)));
        command.stdin(
            input.map_or(Stdio::null(), |name| File::open(path("run").join(name)).expect("a file").into()),
        );
        let stream = |name: &str| File::create(path(name)).expect("a file");
        command.stdout(stream("out")).stderr(stream("err"));
        let start = Instant::now();
        let mut child = command.spawn().expect("strace is there");
        let (status, late) = loop {
            match child.try_wait().expect("a child") {
                Some(status) => break (status, false),
                None if start.elapsed() > LATE => {
                    child.kill().expect("ours");
                    break (child.wait().expect("a child"), true);
                }
                None => thread::sleep(Duration::from_millis(2)),
            }
        };
        let read = |name: &str| String::from_utf8_lossy(&fs::read(path(name)).expect("a file")).into_owned();
        let mut files = BTreeMap::new();
        collect(&path("run"), "", &mut files);
        let mut left = BTreeMap::new();
        collect(&path("tmp"), "", &mut left);
        let log = read("log");
        Ran { status, out: read("out"), err: read("err"), files, left: left.into_keys().collect(), log, late }
    }
}

fn collect(folder: &Path, prefix: &str, files: &mut BTreeMap<String, Vec<u8>>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let name = format!("{prefix}{}", entry.file_name().to_string_lossy());
        if entry.path().is_dir() {
            collect(&entry.path(), &format!("{name}/"), files);
            files.insert(name + "/", Vec::new());
        } else {
            files.insert(name, fs::read(entry.path()).expect("a file"));
        }
    }
}

/// What was injected, and what went wrong.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    pub runs: usize,
    pub injected: usize,
    /// Runs whose answer was the same in spite of it.
    pub same: usize,
    pub faults: Vec<String>,
}

impl Tally {
    pub fn add(&mut self, other: Tally) {
        self.runs += other.runs;
        self.injected += other.injected;
        self.same += other.same;
        self.faults.extend(other.faults);
    }
}

/// A scenario as it is when nothing fails.
pub struct Sound {
    scenario: Scenario,
    ran: Ran,
    before: BTreeMap<String, Vec<u8>>,
    /// All that can be injected.
    pub injections: Vec<Injection>,
}

impl Sound {
    pub fn new(scenario: &Scenario) -> Sound {
        let ran = scenario.run(&["-e".into(), "trace=all".into()]);
        assert!(ran.left.is_empty() && !ran.late, "{scenario:?}: {:?}", ran.left);
        let nothing = Scenario { line: "--version".into(), ..scenario.clone() };
        let before = nothing.run(&["-e".into(), "trace=execve".into()]).files;
        let injections = injections(&ran.log);
        Sound { scenario: scenario.clone(), ran, before, injections }
    }

    /// Runs it with a call that fails.
    pub fn try_one(&self, injection: &Injection, tally: &mut Tally) {
        let Injection { call, at, error } = injection;
        let trace = [format!("-etrace={call}"), format!("-einject={call}:error={error}:when={at}")];
        let ran = self.scenario.run(&trace);
        tally.runs += 1;
        if !ran.log.contains("(INJECTED)") {
            return;
        }
        tally.injected += 1;
        let same = ran.status.code() == self.ran.status.code() && ran.out == self.ran.out;
        tally.same += usize::from(same);
        if let Err(why) = self.judge(&ran, injection, same) {
            let Ran { status, out, err, .. } = &ran;
            let cut = |text: &str| text.chars().take(600).collect::<String>();
            tally.faults.push(format!(
                "{why}: rebus {} [{call} {at} {error}]\n  {status}\n  out: {:?}\n  err: {:?}\n  {}",
                self.scenario.line,
                cut(out),
                cut(err),
                ran.log.lines().filter(|line| line.contains("(INJECTED)")).collect::<Vec<_>>().join("\n  ")
            ));
        }
    }

    fn judge(&self, ran: &Ran, injection: &Injection, same: bool) -> Result<(), String> {
        let sound = &self.ran;
        let fail = |why: &str| Err(why.to_string());
        if ran.late {
            return fail("no end");
        }
        // the library of the language itself ends a program whose threads get no stack for signals, or whose folders do not close
        if ["alternative stack", "during closedir"].iter().any(|part| ran.err.contains(part)) {
            return Ok(());
        }
        if ran.err.contains("panicked") || ran.err.contains("internal error") {
            return fail("a panic");
        }
        let Some(code) = ran.status.code() else {
            return Err(format!("signal {:?}", ran.status.signal()));
        };
        for (name, bytes) in &ran.files {
            let mut known = [&self.before, &sound.files].into_iter().filter_map(|files| files.get(name));
            // an older file beside its successor is one that cannot be removed
            let older = name.ends_with(".older") && injection.call == "unlink";
            if !known.any(|known| known == bytes) && !older && !is_whole(name, bytes) {
                return Err(format!("`{name}` is neither what was there nor whole"));
            }
        }
        for name in self.before.keys() {
            if !ran.files.contains_key(name) {
                return Err(format!("`{name}` is gone"));
            }
        }
        let removes = ["unlink", "unlinkat", "rmdir", "getdents64"].contains(&&*injection.call);
        if !ran.left.is_empty() && !removes {
            return Err(format!("{:?} left", ran.left));
        }
        if same {
            // of several commands a file is missing, and the code says nothing
            let lost = sound.files.iter().find(|(name, bytes)| match ran.files.get(*name) {
                Some(found) => found != *bytes && !is_whole(name, found),
                None => true,
            });
            return lost
                .map_or(Ok(()), |(name, _)| Err(format!("`{name}` is not written, and nothing says so")));
        }
        if Some(code) == sound.status.code() && code != 1 && code != 3 {
            return fail("another output, and the same exit code");
        }
        if !(1..=4).contains(&code) {
            return Err(format!("exit code {code}"));
        }
        if ran.out.contains("unsatisfiable") && !sound.out.contains("unsatisfiable") {
            return fail("a wrong answer");
        }
        if !sound.out.starts_with(&ran.out)
            && ran.out.lines().any(|line| !line.contains("unknown") && !sound.out.contains(line))
        {
            return fail("another output");
        }
        let said = [
            "`",
            "standard output",
            "standard input",
            "temporary",
            "memory",
            "the proof",
            "thread",
            "failed  ",
        ];
        if ran.err.trim().is_empty() && injection.call != "write" {
            return fail("no message");
        }
        if !ran.err.trim().is_empty() && !said.iter().any(|part| ran.err.contains(part)) {
            return fail("a message without a place");
        }
        Ok(())
    }
}

/// Is a file with times in it, or one of those that come one after the other, whole? Of results the last line may be cut off, as
/// their reader knows.
fn is_whole(name: &str, bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes);
    let result =
        |line: &str| !line.ends_with('\n') || line.starts_with("{\"instance\":") && line.ends_with("}\n");
    match name.rsplit('.').next() {
        Some("jsonl") => text.split_inclusive('\n').all(result),
        Some("cnf") if name.starts_with("kept/") => {
            let header = text.lines().find_map(|line| line.strip_prefix("p cnf "));
            let clauses = header.and_then(|header| header.split(' ').nth(1)?.parse().ok());
            let clause = |line: &&str| line.ends_with(" 0") && !line.starts_with('c') || *line == "0";
            Some(text.lines().filter(clause).count()) == clauses && text.ends_with('\n')
        }
        Some("answer" | "kept/answer") => {
            let last = text.lines().last().unwrap_or_default();
            text.ends_with('\n') && (last.ends_with(" 0") || last.starts_with("s "))
        }
        Some("map") if name.starts_with("kept/") => {
            text.lines().last().is_some_and(|last| last.starts_with("end "))
        }
        _ => false,
    }
}

/// The calls of a log, each with the most that one thread made. What the loader of programs does before the first thread is
/// the program is left out, and so is what never fails.
fn injections(log: &str) -> Vec<Injection> {
    let mut main = None;
    let mut ours = false;
    let mut loader: BTreeMap<&str, usize> = BTreeMap::new();
    let mut counts: BTreeMap<(&str, &str), usize> = BTreeMap::new();
    for line in log.lines() {
        let Some((thread, rest)) = line.split_once(' ') else { continue };
        let Some((call, _)) = rest.trim_start().split_once('(') else { continue };
        if !call.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_') {
            continue;
        }
        let main = *main.get_or_insert(thread);
        // the first thing that the program itself does
        ours |= call == "fcntl" && rest.contains("(1, F_GETFD");
        if thread == main && !ours {
            *loader.entry(call).or_default() += 1;
        }
        *counts.entry((call, thread)).or_default() += 1;
    }
    assert!(ours, "the start of the program is not in the log");
    let mut most: BTreeMap<&str, usize> = BTreeMap::new();
    for ((call, _), count) in counts {
        let known = most.entry(call).or_default();
        *known = count.max(*known);
    }
    let mut all = Vec::new();
    for (call, count) in most {
        if NEVER_FAIL.contains(&call) {
            continue;
        }
        for at in loader.get(call).copied().unwrap_or(0) + 1..=count {
            all.extend(errors(call).iter().map(|error| Injection { call: call.into(), at, error }));
        }
    }
    all
}
