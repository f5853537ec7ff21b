//! The program with solvers that fight it, in surroundings that do: nothing is left behind, and the answer is right or a fault.
#![cfg(target_os = "linux")]

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Satisfied by 1, -2, 3 alone.
const FORMULA: &str = "p cnf 3 3\n1 0\n-1 -2 0\n2 3 0\n";
const ANSWER: &str = "echo 's SATISFIABLE'; echo 'v 1 -2 3 0'; exit 10";

/// A folder with a formula, a fake solver, and a folder for what is temporary.
struct Stage {
    folder: TempDir,
}

impl Stage {
    fn new(script: &str) -> Stage {
        let stage = Stage { folder: TempDir::new().expect("a folder") };
        fs::create_dir(stage.path("tmp")).expect("a folder");
        fs::write(stage.path("in.cnf"), FORMULA).expect("a file");
        // every fake tells its number before it does anything else
        let text = format!(
            "#!/bin/sh\n[ \"$1\" = --version ] && exit\necho $$ >> \"${{0%/*}}/started\"\n{script}\n"
        );
        fs::write(stage.path("fake"), text).expect("a file");
        fs::set_permissions(stage.path("fake"), fs::Permissions::from_mode(0o755)).expect("ours");
        stage
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A command with the program of this stage as solver of that name.
    fn command(&self, program: impl AsRef<OsStr>) -> Command {
        let mut command = Command::new(program);
        command.current_dir(self.folder.path()).env("TMPDIR", self.path("tmp"));
        command.env("REBUS_SOLVER_KISSAT", self.path("fake")).env("REBUS", env!("CARGO_BIN_EXE_rebus"));
        command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    fn rebus(&self, args: &[&str]) -> Output {
        self.command(env!("CARGO_BIN_EXE_rebus")).args(args).output().expect("rebus runs")
    }

    fn shell(&self, script: &str) -> Output {
        self.command("sh").args(["-c", script]).output().expect("sh runs")
    }

    /// Nothing is left: no temporary file, no process that a fake named, not even a zombie.
    #[track_caller]
    fn nothing_is_left(&self) {
        let left: Vec<_> = fs::read_dir(self.path("tmp")).expect("a folder").flatten().collect();
        assert!(left.is_empty(), "{left:?}");
        let started = fs::read_to_string(self.path("started")).unwrap_or_default();
        for process in started.lines() {
            let start = Instant::now();
            // what left its parent is buried by the first process of the system
            while Path::new("/proc").join(process).exists() {
                assert!(start.elapsed() < Duration::from_secs(5), "process {process} is there");
                std::thread::sleep(Duration::from_millis(10));
            }
        }
    }
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[track_caller]
fn ends(output: &Output, code: i32, says: &str) {
    let told = format!("{}{}", text(&output.stdout), text(&output.stderr));
    assert_eq!(output.status.code(), Some(code), "{told}");
    assert!(told.contains(says), "{told}");
}

#[test]
fn processor_time_ends() {
    let busy = Stage::new("while :; do :; done");
    ends(&busy.rebus(&["run", "kissat", "in.cnf", "--max-cpu", "1"]), 0, "s UNKNOWN");
    busy.nothing_is_left();
    // one that goes on is killed
    let deaf = Stage::new("trap '' XCPU; while :; do :; done");
    ends(&deaf.rebus(&["run", "kissat", "in.cnf", "--max-cpu", "1"]), 3, "signal 9");
    deaf.nothing_is_left();
}

#[test]
fn memory_ends() {
    let greedy = Stage::new("sleep 0.3; dd if=/dev/zero of=/dev/null bs=1G count=1 || exit 7");
    ends(&greedy.rebus(&["run", "kissat", "in.cnf", "--max-memory", "200"]), 3, "code 7");
    greedy.nothing_is_left();
    let modest = Stage::new(&format!("sleep 0.3; dd if=/dev/zero of=/dev/null bs=1M count=1; {ANSWER}"));
    ends(&modest.rebus(&["run", "kissat", "in.cnf", "--max-memory", "200"]), 0, "s SATISFIABLE");
}

/// After every way of ending.
#[test]
fn nothing_is_left_however_it_ends() {
    let child = "sleep 1000 & echo $! >> \"${0%/*}/started\";";
    for (script, code) in [
        (ANSWER, 0),
        ("echo 's UNSATISFIABLE'; exit 20", 0),
        ("echo 's SATISFIABLE'; echo 'v 1 2 3 0'", 3),
        ("kill -SEGV $$", 3),
        ("kill -KILL $$", 3),
        ("echo junk > junk; mkdir -p a/b; echo x > a/b/c; exit 1", 3),
        ("chmod 500 .; exit 1", 3),
        ("trap '' TERM INT HUP; sleep 1000", 0),
        ("kill -STOP $$", 0),
    ] {
        for before in ["", child] {
            let stage = Stage::new(&format!("{before} {script}"));
            let output = stage.rebus(&["run", "kissat", "in.cnf", "--timeout", "1"]);
            assert_eq!(output.status.code(), Some(code), "{script}: {}", text(&output.stderr));
            stage.nothing_is_left();
        }
    }
}

#[test]
fn signals_take_everything_along() {
    for signal in [2, 15, 1] {
        for args in [&["in.cnf"][..], &["in.cnf", "in.cnf", "--jobs", "2", "--results", "r.jsonl"]] {
            let stage = Stage::new("trap '' TERM INT HUP; sleep 1000 & echo $! >> \"${0%/*}/started\"; wait");
            let mut command = stage.command(env!("CARGO_BIN_EXE_rebus"));
            let child = command.args(["run", "kissat"]).args(args).spawn().expect("rebus runs");
            let start = Instant::now();
            while fs::read_to_string(stage.path("started")).unwrap_or_default().lines().count() < 2 {
                assert!(start.elapsed() < Duration::from_secs(30), "the solver does not start");
                std::thread::sleep(Duration::from_millis(20));
            }
            let kill = Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status();
            assert!(kill.expect("kill").success());
            let output = child.wait_with_output().expect("it ends");
            assert_eq!(output.status.signal(), Some(signal), "{}", text(&output.stderr));
            stage.nothing_is_left();
            // what was cut off is no result
            assert_eq!(fs::read_to_string(stage.path("r.jsonl")).unwrap_or_default(), "");
        }
    }
}

#[test]
fn a_working_folder_that_cannot_be_written() {
    let stage = Stage::new(ANSWER);
    // not even by the administrator
    let mut command = stage.command(env!("CARGO_BIN_EXE_rebus"));
    command.current_dir("/proc").arg("run").arg("kissat").arg(stage.path("in.cnf"));
    ends(&command.output().expect("rebus runs"), 0, "s SATISFIABLE");
    let typed = format!("'{}' {{in}} {{out}}", stage.path("fake").display());
    let mut command = stage.command(env!("CARGO_BIN_EXE_rebus"));
    command.current_dir("/proc").args(["run", &typed]).arg(stage.path("in.cnf")).args(["-o", "answer"]);
    ends(&command.output().expect("rebus runs"), 3, "no answer");
    let mut command = stage.command(env!("CARGO_BIN_EXE_rebus"));
    command.current_dir("/proc").args(["run", "kissat"]).arg(stage.path("in.cnf")).args(["-o", "answer"]);
    ends(&command.output().expect("rebus runs"), 1, "`answer` cannot be written");
    stage.nothing_is_left();
}

#[test]
fn paths_of_every_kind() {
    let names: [&[u8]; 6] = [
        b"with a blank",
        "R\u{e4}tsel \u{65e5}\u{672c}".as_bytes(),
        b"-x",
        b"it's \"$HOME\" `id` {in}",
        b"a\nb",
        b"\xff\xfe",
    ];
    for name in names {
        let stage = Stage::new(&format!("grep -q '^-1 -2 0$' -- \"$2\" || exit 1; {ANSWER}"));
        let folder = stage.folder.path().join(OsStr::from_bytes(name));
        fs::create_dir(&folder).expect("a folder");
        fs::create_dir(folder.join("tmp")).expect("a folder");
        for file in ["fake", "in.cnf"] {
            fs::copy(stage.path(file), folder.join(file)).expect("a copy");
        }
        let mut command = stage.command(env!("CARGO_BIN_EXE_rebus"));
        command.env("TMPDIR", folder.join("tmp")).env("REBUS_SOLVER_KISSAT", folder.join("fake"));
        command.args(["run", "kissat"]).arg(folder.join("in.cnf")).arg("-o").arg(folder.join("the answer"));
        ends(&command.output().expect("rebus runs"), 0, "");
        let answer = fs::read_to_string(folder.join("the answer")).expect("an answer");
        assert!(answer.ends_with("s SATISFIABLE\nv 1 -2 3 0\n"), "{answer}");
        assert_eq!(fs::read_dir(folder.join("tmp")).expect("a folder").count(), 0);
    }
}

#[test]
fn a_full_disk() {
    let stage = Stage::new(ANSWER);
    for further in ["-o /dev/full", "> /dev/full", "--results /dev/full"] {
        let output = stage.shell(&format!("\"$REBUS\" run kissat in.cnf {further}"));
        ends(&output, 1, "cannot be written: No space left");
        stage.nothing_is_left();
    }
    // no file may grow beyond 512 bytes: the formula does not fit into the temporary folder
    let output = stage.shell("ulimit -f 1; exec \"$REBUS\" solve queens --solver kissat");
    ends(&output, 1, "cannot be written");
    stage.nothing_is_left();
    // no temporary folder at all
    let mut command = stage.command(env!("CARGO_BIN_EXE_rebus"));
    command.env("TMPDIR", stage.path("none")).args(["run", "kissat", "in.cnf"]);
    ends(&command.output().expect("rebus runs"), 3, "cannot be run");
}

#[test]
fn closed_streams() {
    // a descriptor that was closed is the next that is opened: it must not become the solver's
    let stage = Stage::new(&format!("cat > /dev/null; {ANSWER}"));
    ends(&stage.shell("\"$REBUS\" run kissat in.cnf <&-"), 0, "s SATISFIABLE");
    ends(&stage.shell("\"$REBUS\" run kissat in.cnf -o answer <&- >&- 2>&-"), 0, "");
    let answer = fs::read_to_string(stage.path("answer")).expect("an answer");
    assert!(answer.ends_with("s SATISFIABLE\nv 1 -2 3 0\n"), "{answer}");
    // nobody reads: the end of a pipe is no fault
    ends(&stage.shell("\"$REBUS\" run kissat in.cnf in.cnf 2>/dev/null | true"), 0, "");
    ends(&stage.shell("\"$REBUS\" solve queens -D n=4 --solver 'false {in}' <&- 2>&-"), 3, "");
    stage.nothing_is_left();
}
