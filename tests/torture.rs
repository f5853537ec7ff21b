//! The program with solvers that fight it, in surroundings that do: nothing is left behind, and the answer is right or a fault.
#![cfg(target_os = "linux")]

#[path = "torture/heard.rs"]
mod heard;

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
        self.no_process_is_left();
    }

    /// Waits until so many processes have told their numbers.
    fn wait_for_started(&self, number: usize) {
        let start = Instant::now();
        while fs::read_to_string(self.path("started")).unwrap_or_default().lines().count() < number {
            assert!(start.elapsed() < Duration::from_secs(30), "the solver does not start");
            std::thread::sleep(Duration::from_millis(10));
        }
    }

    #[track_caller]
    fn no_process_is_left(&self) {
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
    let runs: [&[&str]; 4] = [
        &["run", "kissat", "in.cnf"],
        &["run", "kissat", "in.cnf", "in.cnf", "--jobs", "2", "--results", "r.jsonl"],
        &["solve", "queens", "-D", "n=6", "--solver", "kissat", "--keep", "kept"],
        // the checker is the fake
        &["solve", "row", "--all", "--check-proof=drat-trim"],
    ];
    for signal in [2, 15, 1] {
        for args in runs {
            let stage = Stage::new("trap '' TERM INT HUP; sleep 1000 & echo $! >> \"${0%/*}/started\"; wait");
            let mut command = stage.command(env!("CARGO_BIN_EXE_rebus"));
            command.env("REBUS_SOLVER_DRAT_TRIM", stage.path("fake")).env("REBUS_SOLVER_RATE", "/no/rate");
            let child = command.args(args).spawn().expect("rebus runs");
            stage.wait_for_started(2);
            let kill = Command::new("kill").args([format!("-{signal}"), child.id().to_string()]).status();
            assert!(kill.expect("kill").success());
            let output = child.wait_with_output().expect("it ends");
            assert_eq!(output.status.signal(), Some(signal), "{args:?}: {}", text(&output.stderr));
            stage.nothing_is_left();
            // what was cut off is no result
            assert_eq!(fs::read_to_string(stage.path("r.jsonl")).unwrap_or_default(), "");
        }
    }
}

/// Killed itself, rebus takes along what it started; the next run removes the folder that is left.
#[test]
fn nothing_outlives_a_kill() {
    let child = "sleep 1000 & echo $! >> \"${0%/*}/started\"; wait";
    let far = "setsid sh -c 'echo $$ >> \"$1\"; exec sleep 1000' sh \"${0%/*}/started\"; wait";
    let deaf = "trap '' TERM INT HUP; sleep 1000 & echo $! >> \"${0%/*}/started\"; wait; wait";
    let runs: [&[&str]; 3] = [
        &["run", "kissat", "in.cnf"],
        &["run", "kissat", "in.cnf", "in.cnf", "--jobs", "2", "--results", "r.jsonl"],
        &["solve", "queens", "-D", "n=6", "--solver", "kissat"],
    ];
    for script in [child, far, deaf] {
        for args in runs {
            let stage = Stage::new(script);
            let mut killed =
                stage.command(env!("CARGO_BIN_EXE_rebus")).args(args).spawn().expect("rebus runs");
            stage.wait_for_started(2 * if args.contains(&"2") { 2 } else { 1 });
            killed.kill().expect("ours");
            killed.wait().expect("it ends");
            stage.no_process_is_left();
            let next =
                stage.command(env!("CARGO_BIN_EXE_rebus")).args(["run", "echo s UNKNOWN", "in.cnf"]).output();
            ends(&next.expect("rebus runs"), 0, "s UNKNOWN");
            stage.nothing_is_left();
        }
    }
}

/// A folder that only looks like ours, or is that of a run that lives, stays.
#[test]
fn what_is_not_ours_is_not_swept() {
    let stage = Stage::new("sleep 1000");
    let mut living = stage
        .command(env!("CARGO_BIN_EXE_rebus"))
        .args(["run", "kissat", "in.cnf"])
        .spawn()
        .expect("rebus runs");
    stage.wait_for_started(1);
    fs::create_dir(stage.path("tmp/rebus-run-mine")).expect("a folder");
    fs::write(stage.path("tmp/rebus-run-mine/notes"), "mine").expect("a file");
    let there = || fs::read_dir(stage.path("tmp")).expect("a folder").count();
    assert_eq!(there(), 2);
    ends(&stage.rebus(&["run", "echo s UNKNOWN", "in.cnf"]), 0, "s UNKNOWN");
    assert_eq!(there(), 2);
    fs::write(stage.path("tmp/rebus-run-mine/.rebus-lock"), "").expect("a file");
    fs::set_permissions(stage.path("tmp/rebus-run-mine"), fs::Permissions::from_mode(0o777)).expect("ours");
    ends(&stage.rebus(&["run", "echo s UNKNOWN", "in.cnf"]), 0, "s UNKNOWN");
    assert_eq!(there(), 2, "others may have written there");
    Command::new("kill").arg(living.id().to_string()).status().expect("kill");
    living.wait().expect("it ends");
    assert_eq!(there(), 1);
    fs::remove_dir_all(stage.path("tmp/rebus-run-mine")).expect("a folder");
    stage.nothing_is_left();
}

/// What left its session, its parent and its group is found.
#[test]
fn what_left_its_session_ends_with_its_solver() {
    for leave in ["setsid sh -c", "setsid setsid sh -c", "(setsid nohup sh -c", "nohup setsid -f sh -c"] {
        let close = if leave.starts_with('(') { " &)" } else { " &" };
        let script =
            "'trap \"\" TERM HUP INT; echo $$ >> \"$1\"; (sleep 1000 & echo $! >> \"$1\"; wait); sleep 1000'";
        for (end, code) in [(ANSWER, 0), ("kill -KILL $$", 3), ("sleep 1000", 0)] {
            let stage = Stage::new(&format!(
                "{leave} {script} sh \"${{0%/*}}/started\" >/dev/null 2>&1 </dev/null{close}\n\
                 while [ $(wc -l < \"${{0%/*}}/started\") -lt 3 ]; do sleep 0.01; done\n{end}"
            ));
            let output = stage.rebus(&["run", "kissat", "in.cnf", "--timeout", "2"]);
            assert_eq!(output.status.code(), Some(code), "{leave}, {end}: {}", text(&output.stderr));
            stage.nothing_is_left();
        }
    }
}

/// A program that cannot be started is told from one that fails.
#[test]
fn programs_that_cannot_be_started() {
    let stage = Stage::new(ANSWER);
    for (fake, says) in
        [("#!/no/such/shell\n", "cannot be run: No such file"), ("\u{7f}ELF", "cannot be run: Exec format")]
    {
        fs::write(stage.path("fake"), fake).expect("a file");
        ends(&stage.rebus(&["run", "kissat", "in.cnf"]), 3, says);
        stage.nothing_is_left();
    }
    // one that ends with the code of our own
    let stage = Stage::new("echo hello >&2; exit 126");
    ends(&stage.rebus(&["run", "kissat", "in.cnf"]), 3, "code 126; it said: hello");
}

/// An answer that is there stays when a run for another is cut off.
#[test]
fn an_answer_outlives_an_interrupted_run() {
    for (args, file) in [
        (&["run", "kissat", "in.cnf", "-o", "answers"][..], "answers"),
        (&["run", "kissat", "in.cnf", "in2.cnf", "-o", "answers", "--jobs", "2"], "answers/in.cnf.answer"),
        (
            &["run", "kissat", "in.cnf", "in2.cnf", "-o", "answers", "--results", "r.jsonl"],
            "answers/in.cnf.answer",
        ),
    ] {
        for signal in ["-INT", "-TERM", "-KILL"] {
            for last in ["", "echo 's UNKNOWN'; exit 0", ANSWER] {
                let stage = Stage::new(&format!("trap \"{last}\" TERM; sleep 1000 & wait; {last}"));
                fs::write(stage.path("in2.cnf"), "p cnf 1 1\n1 0\n").expect("a file");
                let path = stage.path(file);
                fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
                fs::write(&path, "s SATISFIABLE\nv 1 -2 3 0\n").expect("a file");
                let mut run =
                    stage.command(env!("CARGO_BIN_EXE_rebus")).args(args).spawn().expect("rebus runs");
                stage.wait_for_started(1);
                Command::new("kill").arg(signal).arg(run.id().to_string()).status().expect("kill");
                assert!(!run.wait().expect("it ends").success());
                let kept = fs::read_to_string(&path).expect("an answer");
                assert_eq!(kept, "s SATISFIABLE\nv 1 -2 3 0\n", "{args:?} {signal} {last}");
                stage.no_process_is_left();
            }
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

/// Few pigeons take a small formula and a large proof.
const PIGEONS: &str = "var at[8, 7] : bool\nrule: for p in 1..8: count(at[p, *]) >= 1\n\
    rule: for h in 1..7: count(at[*, h]) <= 1\nshow at\n";

#[test]
fn a_disk_too_full_for_a_proof() {
    let stage = Stage::new("echo 's UNSATISFIABLE'; exit 20");
    fs::write(stage.path("m.rebus"), PIGEONS).expect("a file");
    for proof in ["p.drat", "p.lrat"] {
        // the formula fits, the proof does not
        let output = stage.shell(&format!("ulimit -f 64; exec \"$REBUS\" solve m.rebus --proof {proof}"));
        ends(&output, 1, "the proof cannot be written");
        assert!(!stage.path(proof).exists(), "a part of a proof is none");
        stage.nothing_is_left();
        let output = stage.rebus(&["solve", "m.rebus", "--proof", proof]);
        ends(&output, 0, "unsatisfiable");
        assert!(fs::metadata(stage.path(proof)).expect("a proof").len() > 64 << 10);
    }
    // a solver that says so and writes none
    ends(&stage.rebus(&["solve", "m.rebus", "--solver", "kissat", "--proof", "q.drat"]), 3, "no proof");
    assert!(!stage.path("q.drat").exists() && !stage.path("q.drat.cnf").exists());
    stage.nothing_is_left();
}

/// A folder that this user may only read.
#[test]
fn a_read_only_folder() {
    let stage = Stage::new(ANSWER);
    fs::write(stage.path("m.rebus"), "var x : bool\nrule: x\nshow x\n").expect("a file");
    let tmp = fs::Permissions::from_mode(0o777);
    fs::set_permissions(stage.path("tmp"), tmp).expect("ours");
    fs::set_permissions(stage.folder.path(), fs::Permissions::from_mode(0o555)).expect("ours");
    // the administrator may write everywhere, so somebody else tries
    let nobody = "setpriv --reuid=65534 --regid=65534 --clear-groups";
    let may = stage.shell(&format!("if touch t 2>/dev/null; then rm t; {nobody} \"$REBUS\" --version; fi"));
    let who = if may.status.success() && !may.stdout.is_empty() { nobody } else { "" };
    if who.is_empty() && !may.stderr.is_empty() {
        println!("skipped, there is nobody who may not write: {}", text(&may.stderr));
        return;
    }
    for (args, code, says) in [
        ("solve m.rebus", 0, ""),
        ("solve m.rebus --all --solver 'echo s UNSATISFIABLE'", 0, "unsatisfiable"),
        ("compile m.rebus -o - --no-map", 0, "p cnf"),
        ("check m.rebus --estimate", 0, "bytes"),
        ("compile m.rebus -o k.cnf", 1, "`k.cnf` cannot be written: Permission denied"),
        ("solve m.rebus --keep k", 1, "`k` cannot be made"),
        ("solve m.rebus --all --proof p.drat", 1, "cannot be written: Permission denied"),
        ("run 'cat {in}' in.cnf -o answer", 3, "no answer"),
        ("run 'cat {in}' in.cnf --results r.jsonl", 1, "`r.jsonl` cannot be written: Permission denied"),
        ("fmt m.rebus", 0, ""),
    ] {
        ends(&stage.shell(&format!("{who} \"$REBUS\" {args}")), code, says);
        stage.nothing_is_left();
    }
    assert_eq!(fs::read_dir(stage.folder.path()).expect("a folder").count(), 4, "nothing was made");
}

/// Folders, models, proofs and temporary folders with names of every kind, for the embedded engine and for a checker.
#[test]
fn proofs_in_paths_of_every_kind() {
    for name in
        [&b"with a blank"[..], "R\u{e4}tsel \u{65e5}".as_bytes(), b"-x", b"a\nb", b"\xff\xfe", b"{in}{proof}"]
    {
        let stage = Stage::new("grep -q '^p cnf' -- \"$1\" && grep -q '^0$' -- \"$2\" && echo 's VERIFIED'");
        let folder = stage.folder.path().join(OsStr::from_bytes(name));
        fs::create_dir_all(folder.join("tmp")).expect("a folder");
        fs::write(folder.join("m.rebus"), PIGEONS).expect("a file");
        let proof = folder.join(OsStr::from_bytes(&[name, b".drat"].concat()));
        let mut command = Command::new(env!("CARGO_BIN_EXE_rebus"));
        command.current_dir(&folder).env("TMPDIR", folder.join("tmp")).stdin(Stdio::null());
        command.env("REBUS_SOLVER_DRAT_TRIM", stage.path("fake")).env("REBUS_SOLVER_RATE", "/no/rate");
        command.args(["solve", "./m.rebus", "--check-proof", "--proof"]).arg(&proof);
        ends(&command.output().expect("rebus runs"), 0, "proof verified by drat-trim");
        assert!(proof.exists());
        assert_eq!(fs::read_dir(folder.join("tmp")).expect("a folder").count(), 0);
        stage.nothing_is_left();
    }
}

/// Output without end, of every kind that is kept: memory does not grow with it.
#[test]
fn output_without_end() {
    for (line, kind) in [
        ("s UNKNOWN", "in.cnf"),
        ("s SATISFIABLE", "in.cnf"),
        ("v 0", "in.cnf"),
        ("v 1 -2 3 0", "in.cnf"),
        ("timeout", "in.cnf"),
        ("c a comment", "in.cnf"),
        ("hello", "in.cnf"),
        (" ", "in.xcc"),
        (" a", "in.xcc"),
        ("1:", "in.xcc"),
        ("hello", "in.xcc"),
    ] {
        let stage = Stage::new(&format!("yes '{line}'"));
        fs::write(stage.path("in.xcc"), "a\na\n").expect("a file");
        let run = format!("'{}' {{in}}", stage.path("fake").display());
        let script = format!("ulimit -v 3000000; exec \"$REBUS\" run \"{run}\" {kind} --timeout 2");
        let output = stage.shell(&script);
        assert!(
            matches!(output.status.code(), Some(0 | 3)),
            "{line}: {:?} {}",
            output.status,
            text(&output.stderr)
        );
        stage.nothing_is_left();
    }
    // a line that never ends
    for kind in ["in.cnf", "in.xcc"] {
        let stage = Stage::new("tr '\\0' ' ' < /dev/zero");
        fs::write(stage.path("in.xcc"), "a\na\n").expect("a file");
        let run = format!("'{}' {{in}}", stage.path("fake").display());
        let output =
            stage.shell(&format!("ulimit -v 3000000; exec \"$REBUS\" run \"{run}\" {kind} --timeout 2"));
        assert!(matches!(output.status.code(), Some(0 | 3)), "{:?} {}", output.status, text(&output.stderr));
        stage.nothing_is_left();
    }
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
