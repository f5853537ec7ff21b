//! Solvers that misbehave in every way we could think of, played by shell scripts.

use rebus::diag::Code;
use rebus::encode::Target;
use rebus::shared::{Budget, Limits, Stop};
use rebus::solve::Verdict;
use rebus::solve::find::{Places, installed};
use rebus::solve::process::Ended;
use rebus::solve::solver_run::{Extras, SolverRun, run_command, solve_file};
use rebus::solve::table::{Solver, SolverTable};
use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// Satisfied by 1, -2, 3 alone.
const FORMULA: &str = "p cnf 3 3\n1 0\n-1 -2 0\n2 3 0\n";

/// A folder with a formula and a fake solver.
struct Stage {
    folder: TempDir,
}

impl Stage {
    fn new(script: &str) -> Stage {
        let stage = Stage { folder: TempDir::new().unwrap() };
        stage.write("in.cnf", FORMULA);
        let fake = stage.write("fake", &format!("#!/bin/sh\n{script}\n"));
        fs::set_permissions(&fake, fs::Permissions::from_mode(0o755)).unwrap();
        stage
    }

    fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    fn write(&self, name: &str, text: &str) -> PathBuf {
        fs::write(self.path(name), text).unwrap();
        self.path(name)
    }

    fn run(&self, args: &str, budget: &Budget) -> SolverRun {
        let command = format!("'{}' {args}", self.path("fake").display());
        let solver = Solver::typed(&command, Target::Cnf).unwrap();
        solve_file(&solver, &Places::default(), &self.path("in.cnf"), Extras::default(), budget).unwrap()
    }
}

fn seconds(seconds: f64) -> Budget {
    Budget::new(Limits { time: Some(Duration::from_secs_f64(seconds)), ..Limits::default() })
}

fn verdict(script: &str) -> Verdict {
    let args = if script.contains("$2") { "{in} {out}" } else { "{in}" };
    Stage::new(script).run(args, &seconds(20.0)).verdict
}

#[track_caller]
fn satisfiable(script: &str) {
    match verdict(script) {
        Verdict::Satisfiable { models, complete: false, optimal: false } => {
            let positive: Vec<i32> = models[0].iter().copied().filter(|lit| *lit > 0).collect();
            assert_eq!(positive, [1, 3]);
        }
        other => panic!("{other:?}"),
    }
}

#[track_caller]
fn fails(script: &str, reason: &str) {
    match verdict(script) {
        Verdict::Failed(why) => assert!(why.contains(reason), "{why} from {script}"),
        other => panic!("{other:?} from {script}"),
    }
}

#[test]
fn good_answers_in_odd_forms() {
    satisfiable("echo 's SATISFIABLE'; echo 'v 1 -2 3 0'; exit 10");
    satisfiable("echo 'v 1 -2'; echo 'c between'; echo 'v 3 0'; echo 's SATISFIABLE'; exit 10");
    satisfiable("printf 's SATISFIABLE\\r\\nv 1 -2\\r\\nv 3 0\\r\\n'");
    satisfiable("printf 's SATISFIABLE\\nv 1 -2 3 0'");
    satisfiable("printf 's SATISFIABLE\\nv 1 -2 3\\n'");
    satisfiable("printf 'v 1 3 0\\ns SATISFIABLE'");
    satisfiable("printf '\\033[1G\\033[Ks SATISFIABLE: in.cnf\\nv 1 3 0\\n'; exit 42");
    satisfiable("echo 'SAT' > $2; echo '1 -2 3 0' >> $2");
    satisfiable("echo 's SATISFIABLE'; echo 'v 1 -2 3 0'; exec >&-; sleep 0.2; exit 10");
    satisfiable("echo 'noise'; echo 'noise' >&2; echo 's SATISFIABLE'; echo 'v 1 -2 3 0'; exit 10");
    assert_eq!(verdict("echo 's UNSATISFIABLE'; exit 20"), Verdict::Unsatisfiable);
    assert_eq!(verdict("echo UNSAT > $2; exit 20"), Verdict::Unsatisfiable);
    assert!(matches!(verdict("echo 's UNKNOWN'"), Verdict::Unknown(_)));
    assert!(matches!(verdict("echo 'c UNKNOWN'"), Verdict::Unknown(_)));
}

#[test]
fn the_formula_arrives() {
    let cat = "grep -q '^-1 -2 0$' || exit 1; echo 's SATISFIABLE'; echo 'v 1 -2 3 0'";
    let stage = Stage::new(cat);
    assert!(matches!(stage.run("", &seconds(20.0)).verdict, Verdict::Satisfiable { .. }));
    satisfiable(&format!("cat \"$1\" | ({cat})"));
    // Standard input is empty if it is not asked for.
    satisfiable("cat; echo 's SATISFIABLE'; echo 'v 1 -2 3 0'");
    satisfiable("[ $LC_ALL = C ] && echo 's SATISFIABLE'; echo 'v 1 -2 3 0'");
}

#[test]
fn packed_formulas_are_unpacked() {
    let stage = Stage::new("grep -q '^-1 -2 0$' \"$1\" || exit 1; echo 's SATISFIABLE'; echo 'v 1 -2 3 0'");
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut gz, FORMULA.as_bytes()).unwrap();
    fs::write(stage.path("in.cnf"), gz.finish().unwrap()).unwrap();
    assert!(matches!(stage.run("{in}", &seconds(20.0)).verdict, Verdict::Satisfiable { .. }));
}

#[test]
fn false_answers_fail() {
    fails("echo 's SATISFIABLE'; echo 'v 1 2 3 0'; exit 10", "the clause on line 3 is not satisfied");
    fails("echo 's SATISFIABLE'; echo 'v 1'; exit 10", "the clause on line 4 is not satisfied");
    fails("echo 's SATISFIABLE'; exit 10", "no model");
    fails("echo 's SATISFIABLE'; printf 'v 1 -2 3'; exit 10", "cut off");
    fails("echo 's SATISFIABLE'; echo 'v 1 -1 -2 3 0'; exit 10", "variable 1 occurs twice");
    fails("echo 's SATISFIABLE'; echo 'v 1 -2 3x 0'; exit 10", "`3x` in a model");
    fails("echo 's SATISFIABLE'; echo 'v 1 -2 99999999999 0'", "`99999999999` in a model");
    fails("echo 's SATISFIABLE'; echo 's UNSATISFIABLE'; exit 10", "both answers");
    fails("echo 's UNSATISFIABLE'; echo 'v 1 -2 3 0'; exit 20", "both answers");
    fails("echo 's SATISFIABLE'; echo 'v 1 -2 3 0'; exit 20", "code 20");
    fails("echo 's UNSATISFIABLE'; exit 10", "code 10");
    fails("echo 's UNSATISFIABLE'; exit 1", "code 1");
    fails("echo 's UNSATISFIABLE'; kill -SEGV $$", "signal 11");
    fails("echo 's SATIS'; exit 10", "status `SATIS`");
    fails("echo 'v 1 -2 3 0'; exit 10", "no status line");
    fails("head -c 100000 /dev/urandom", "");
    fails("exit 10", "no answer");
    fails("exit 20", "no answer");
    fails("echo 'cannot open file' >&2; exit 3", "code 3; it said: cannot open file");
    fails("kill -SEGV $$", "signal 11");
    fails("echo SAT > $2; echo '1 -2' >> $2; exit 10", "cut off");
    fails(": > $2; exit 10", "no answer");
    fails(": $2; exit 10", "no answer");
}

#[test]
fn a_missing_solver_is_a_diagnostic() {
    let stage = Stage::new("");
    let formula = stage.path("in.cnf");
    let budget = Budget::unlimited();
    let run = |solver: &Solver, formula: &Path| {
        solve_file(solver, &Places::default(), formula, Extras::default(), &budget).unwrap_err()
    };
    let table = SolverTable::built_in();
    let fault = run(table.get("kissat", None).unwrap(), &formula);
    assert_eq!(fault.code, Code::SolverMissing);
    assert_eq!(fault.help, ["set REBUS_SOLVER_KISSAT to the program"]);
    let command = Solver::typed("/nowhere/at/all {in}", Target::Cnf).unwrap();
    assert_eq!(run(&command, &formula).code, Code::SolverMissing);
    // Some solvers take a folder for a satisfiable formula.
    let fake = Solver::typed(&format!("'{}' {{in}}", stage.path("fake").display()), Target::Cnf).unwrap();
    assert_eq!(run(&fake, stage.folder.path()).code, Code::UnreadableFile);
    assert_eq!(run(&fake, &stage.path("none.cnf")).code, Code::UnreadableFile);
    // A program that is none.
    fs::write(stage.path("fake"), [0x7f, b'E', b'L', b'F', 0, 1]).unwrap();
    assert_eq!(run(&fake, &formula).code, Code::SolverFailed);
}

/// Waits for a file that a fake solver writes, and reads a process number from it.
fn process_in(path: &Path) -> i32 {
    fs::read_to_string(path).unwrap().trim().parse().unwrap()
}

fn is_alive(process: i32) -> bool {
    // A zombie that a container's first process has not reaped yet is dead.
    fs::read_to_string(format!("/proc/{process}/stat"))
        .is_ok_and(|stat| !stat.rsplit(')').next().unwrap_or("").trim_start().starts_with('Z'))
}

#[track_caller]
fn dies(process: i32) {
    let start = Instant::now();
    while is_alive(process) {
        assert!(start.elapsed() < Duration::from_secs(5), "process {process} is alive");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_hanging_solver_and_its_children_end_at_the_limit() {
    let stage = Stage::new("sleep 1000 & echo $! > \"$(dirname \"$0\")/child\"; wait");
    let start = Instant::now();
    let run = stage.run("{in}", &seconds(0.5));
    assert_eq!(run.ended, Ended::Stopped(Stop::Time));
    assert!(matches!(run.verdict, Verdict::Unknown(_)));
    assert!(start.elapsed() < Duration::from_secs(3));
    dies(process_in(&stage.path("child")));
}

#[test]
fn a_solver_that_ignores_sigterm_is_killed() {
    let stage = Stage::new(
        "trap '' TERM INT; sh -c \"trap '' TERM; echo \\$\\$ > '$(dirname \"$0\")/child'; sleep 1000\"",
    );
    let start = Instant::now();
    let run = stage.run("{in}", &seconds(0.5));
    assert_eq!(run.ended, Ended::Stopped(Stop::Time));
    assert!(start.elapsed() > Duration::from_millis(1900) && start.elapsed() < Duration::from_secs(5));
    dies(process_in(&stage.path("child")));
}

#[test]
fn children_left_behind_are_killed() {
    // The child holds standard output, so that it never ends by itself.
    let stage = Stage::new(
        "sleep 1000 & echo $! > \"$(dirname \"$0\")/child\"; echo 's SATISFIABLE'; echo 'v 1 -2 3 0'; exit 10",
    );
    let start = Instant::now();
    let run = stage.run("{in}", &Budget::unlimited());
    assert!(matches!(run.verdict, Verdict::Satisfiable { .. }), "{:?}", run.verdict);
    assert!(start.elapsed() < Duration::from_secs(5));
    dies(process_in(&stage.path("child")));
}

#[test]
fn a_child_that_left_the_group_does_not_hang_us() {
    let stage = Stage::new("setsid sleep 4 & echo 's SATISFIABLE'; echo 'v 1 -2 3 0'; exit 10");
    let start = Instant::now();
    let run = stage.run("{in}", &Budget::unlimited());
    assert!(matches!(run.verdict, Verdict::Satisfiable { .. }), "{:?}", run.verdict);
    assert!(start.elapsed() < Duration::from_secs(3));
}

#[test]
fn a_model_printed_after_sigterm_counts() {
    let stage =
        Stage::new("trap 'echo \"s SATISFIABLE\"; echo \"v 1 -2 3 0\"; exit 0' TERM; sleep 1000 & wait $!");
    let run = stage.run("{in}", &seconds(0.3));
    assert_eq!(run.ended, Ended::Stopped(Stop::Time));
    assert!(matches!(run.verdict, Verdict::Satisfiable { complete: false, .. }), "{:?}", run.verdict);
    // But nothing else does.
    let stage = Stage::new("trap 'echo \"s UNSATISFIABLE\"; exit 20' TERM; sleep 1000 & wait $!");
    assert!(matches!(stage.run("{in}", &seconds(0.3)).verdict, Verdict::Unknown(_)));
}

#[test]
fn cancelling_ends_a_solver() {
    let stage = Stage::new("exec sleep 1000");
    let budget = Budget::unlimited();
    let flag = budget.cancel_flag();
    let thread = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(200));
        flag.store(true, Ordering::Relaxed);
    });
    let start = Instant::now();
    assert_eq!(stage.run("{in}", &budget).ended, Ended::Stopped(Stop::Cancelled));
    assert!(start.elapsed() < Duration::from_secs(3));
    thread.join().unwrap();
}

#[test]
fn much_on_both_streams_does_not_block() {
    satisfiable(
        "head -c 3000000 /dev/zero | tr '\\0' x >&2; yes 'c comment' | head -c 3000000; echo; \
         head -c 3000000 /dev/zero | tr '\\0' x >&2; echo 's SATISFIABLE'; echo 'v 1 -2 3 0'; exit 10",
    );
}

#[test]
fn nothing_is_left_in_the_temporary_folder() {
    let stage =
        Stage::new("echo \"$2\" > \"$(dirname \"$0\")/answer-path\"; echo x > \"$2\"; exec sleep 1000");
    stage.run("{in} {out}", &seconds(0.3));
    let answer = PathBuf::from(fs::read_to_string(stage.path("answer-path")).unwrap().trim());
    assert!(answer.is_absolute());
    assert!(!answer.parent().unwrap().exists());
}

#[test]
fn a_solver_of_the_table_runs_in_a_folder_of_its_own() {
    let stage = Stage::new(
        "pwd > \"$(dirname \"$0\")/pwd\"; echo junk > junk; echo 's SATISFIABLE'; echo 'v 1 -2 3 0'",
    );
    let places = Places::new([("REBUS_SOLVER_KISSAT".into(), stage.path("fake").into())]);
    let table = SolverTable::built_in();
    let solver = table.get("kissat", None).unwrap();
    let run = solve_file(solver, &places, &stage.path("in.cnf"), Extras::default(), &seconds(20.0)).unwrap();
    assert!(matches!(run.verdict, Verdict::Satisfiable { .. }));
    assert!(!Path::new(fs::read_to_string(stage.path("pwd")).unwrap().trim()).exists());
}

#[test]
fn limits_and_seeds_are_passed_on() {
    let stage = Stage::new("echo \"$@\" > \"$(dirname \"$0\")/args\"; echo 's UNSATISFIABLE'; exit 20");
    let places = Places::new([("REBUS_SOLVER_KISSAT".into(), stage.path("fake").into())]);
    let table = SolverTable::built_in();
    let extras = Extras { seed: Some(7), proof: Some(Path::new("/tmp/proof")), ..Extras::default() };
    let formula = stage.path("in.cnf");
    solve_file(table.get("kissat", None).unwrap(), &places, &formula, extras, &seconds(20.0)).unwrap();
    let args = fs::read_to_string(stage.path("args")).unwrap();
    let expected = format!("--time=20 --seed=7 -q {} --no-binary /tmp/proof\n", formula.display());
    assert_eq!(args, expected);
}

#[test]
fn the_run_command_writes_an_answer_or_nothing() {
    let run = |script: &str| {
        let stage = Stage::new(script);
        let solver =
            Solver::typed(&format!("'{}' {{in}}", stage.path("fake").display()), Target::Cnf).unwrap();
        let mut out = Vec::new();
        let formula = stage.path("in.cnf");
        let result =
            run_command(&solver, &Places::default(), &formula, Extras::default(), &seconds(20.0), &mut out);
        let text = String::from_utf8(out).unwrap();
        (result, text.lines().skip(2).map(|line| format!("{line}\n")).collect::<String>())
    };
    assert_eq!(run("echo 'v 1 3 0'; echo 's SATISFIABLE'"), (Ok(()), "s SATISFIABLE\nv 1 3 0\n".into()));
    assert_eq!(run("echo 's UNSATISFIABLE'"), (Ok(()), "s UNSATISFIABLE\n".into()));
    assert_eq!(run("echo 's UNKNOWN'"), (Ok(()), "c the solver gave up\ns UNKNOWN\n".into()));
    let (result, text) = run("echo 's SATISFIABLE'");
    assert_eq!((result.unwrap_err().code, text.as_str()), (Code::SolverFailed, ""));
}

#[test]
fn installed_solvers_and_their_versions() {
    let stage = Stage::new("echo 'a banner'; echo 'c Fake solver version 1.2.3-x (2020)'");
    let folder: OsString = stage.folder.path().into();
    let kissat = stage.path("kissat");
    fs::copy(stage.path("fake"), &kissat).unwrap();
    stage.write("minisat", "not executable");
    let list = installed(&SolverTable::built_in(), &Places::new([("REBUS_SOLVER_PATH".into(), folder)]));
    let found: Vec<_> = list.iter().filter(|solver| solver.path.is_some()).collect();
    assert_eq!(found.len(), 1);
    assert_eq!((found[0].name.as_str(), found[0].path.as_ref()), ("kissat", Some(&kissat)));
    assert_eq!(found[0].version.as_deref(), Some("1.2.3-x"));
    assert!(list.len() > 8);
}
