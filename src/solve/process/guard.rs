//! The guard: a process between rebus and an external program. It ends with either of them and kills all descendants
//! of the program. Linux only: orphans are re-parented to the guard, and the system signals the death of its parent.
//!
//! In: arguments made by [`command`]. Out: the program ends, and the guard ends with the same status. Invariant: when
//! the guard has ended by itself, none of its descendants is alive, even those that left the group or session.

use super::limits;
use crate::shared::ProcessLimits;
use rustix::io::retry_on_intr;
use rustix::process::{
    Pid, Resource, Rlimit, Signal, WaitId, WaitIdOptions, WaitOptions, WaitStatus, getpid, getppid,
    kill_process, kill_process_group, set_child_subreaper, set_parent_process_death_signal, setrlimit, wait,
    waitid, waitpid,
};
use signal_hook::consts::{SIGCHLD, SIGHUP, SIGTERM};
use signal_hook::iterator::Signals;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// The program of this process, even if its file was replaced.
const OURSELVES: &str = "/proc/self/exe";
/// The first argument of a guard.
const NAME: &str = "--guard";
/// A guard reports by this code and this text on standard error that it could not start the program.
const NOT_STARTED: i32 = 126;
const WHY: &str = "rebus: not started: os error ";
/// How long killed processes may take to disappear; a process that waits for a device takes longer.
const BURIAL: Duration = Duration::from_secs(2);
/// Time limit from the end of a program to the end of its guard.
pub const LEAVE: Duration = Duration::from_secs(3);

/// May this program be started as a guard?
static ON: AtomicBool = AtomicBool::new(false);

/// From now on external programs get a guard. This program must call [`main_of_guard`] first.
pub fn guard_all() {
    ON.store(Path::new(OURSELVES).exists(), Ordering::Relaxed);
}

pub fn is_on() -> bool {
    ON.load(Ordering::Relaxed)
}

/// The command that starts a guard for a program; the program's arguments are to be appended.
pub fn command(program: &Path, limits: ProcessLimits) -> Command {
    let number = |limit: Option<u64>| limit.map_or_else(String::new, |limit| limit.to_string());
    let mut command = Command::new(OURSELVES);
    command.arg(NAME).arg(std::process::id().to_string());
    command.arg(number(limits.cpu)).arg(number(limits.memory)).arg(program);
    command
}

/// The error, if the guard could not start its program.
pub fn not_started(code: Option<i32>, stderr: &[u8]) -> Option<io::Error> {
    let text = std::str::from_utf8(stderr).ok().filter(|_| code == Some(NOT_STARTED))?;
    text.strip_prefix(WHY)?.trim_end().parse().ok().map(io::Error::from_raw_os_error)
}

/// If the arguments are those of a guard, does its work and exits with the program's status; else does nothing.
/// `report` prints a line to standard error.
pub fn main_of_guard(report: impl Fn(&str)) {
    let mut args = std::env::args_os().skip(1);
    if args.next().as_deref() != Some(OsStr::new(NAME)) {
        return;
    }
    let mut number = || args.next().and_then(|text| text.to_str()?.parse::<u64>().ok());
    let (parent, cpu, memory) = (number(), number(), number());
    let Some(program) = args.next() else { return };
    let code = match guard(parent, ProcessLimits { cpu, memory }, &program, args.collect()) {
        Ok(status) => end_as(status),
        Err(error) => {
            report(&format!("{WHY}{}", error.raw_os_error().unwrap_or_default()));
            NOT_STARTED
        }
    };
    std::process::exit(code)
}

fn guard(
    parent: Option<u64>,
    limits: ProcessLimits,
    program: &OsStr,
    args: Vec<OsString>,
) -> io::Result<Option<WaitStatus>> {
    let mut signals = Signals::new([SIGCHLD, SIGHUP, SIGTERM])?;
    set_child_subreaper(Some(getpid()))?;
    set_parent_process_death_signal(Some(Signal::HUP))?;
    // the parent may have ended before that
    if getppid().map(|pid| pid.as_raw_nonzero().get() as u64) != parent {
        return Ok(None);
    }
    let mut command = Command::new(program);
    let child = super::started(|| command.args(&args).process_group(0).spawn())?;
    let child = Pid::from_child(&child);
    let kept = limits::started(child, limits);
    while kept.is_ok() {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
        if !matches!(waitid(WaitId::Pid(child), options), Ok(None)) {
            break;
        }
        let heard: Vec<i32> = signals.wait().collect();
        if heard.contains(&SIGHUP) {
            break;
        }
        if heard.contains(&SIGTERM) {
            let _ = kill_process_group(child, Signal::TERM);
        }
    }
    // the number belongs to the group as long as the child is not reaped
    let _ = kill_process_group(child, Signal::KILL);
    let status = retry_on_intr(|| waitpid(Some(child), WaitOptions::empty()));
    bury();
    kept?;
    Ok(status?.map(|(_, status)| status))
}

/// Kills adopted processes, and their children when these are adopted in turn, until none is left.
fn bury() {
    let start = Instant::now();
    while start.elapsed() < BURIAL {
        match wait(WaitOptions::NOHANG) {
            Ok(Some(_)) => {}
            Ok(None) => {
                for child in children() {
                    let _ = kill_process(child, Signal::KILL);
                }
                std::thread::sleep(Duration::from_millis(1));
            }
            Err(_) => return,
        }
    }
}

fn children() -> impl Iterator<Item = Pid> {
    let ours = getpid().as_raw_nonzero().get();
    let processes = fs::read_dir("/proc").into_iter().flatten().flatten();
    processes.filter_map(move |entry| {
        let number: i32 = entry.file_name().to_str()?.parse().ok()?;
        let stat = fs::read(entry.path().join("stat")).ok()?;
        // NUMBER (NAME) STATE PARENT …: a name may contain parentheses
        let behind = stat.iter().rposition(|byte| *byte == b')')?;
        let parent = std::str::from_utf8(&stat[behind + 1..]).ok()?.split_whitespace().nth(1)?;
        (parent.parse() == Ok(ours)).then(|| Pid::from_raw(number))?
    })
}

/// The exit code. If a signal ended the program, this process ends by the same signal.
fn end_as(status: Option<WaitStatus>) -> i32 {
    let Some(status) = status else { return NOT_STARTED };
    if let Some(signal) = status.terminating_signal() {
        // the program has already written a core dump if one is wanted
        let _ = setrlimit(Resource::Core, Rlimit { current: Some(0), maximum: Some(0) });
        let _ = signal_hook::low_level::emulate_default_handler(signal);
        return 128 + signal;
    }
    status.exit_status().unwrap_or(NOT_STARTED)
}
