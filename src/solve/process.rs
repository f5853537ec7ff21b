//! Runs an external program: one subprocess within limits, its output read while it runs.
//!
//! In: a command, a reader of its standard output, a budget. Out: how the process ended, the result of the reader,
//! the last bytes of standard error. Invariants: the process leads a process group of its own, and no process of that
//! group is alive when [`run`] returns, on every path. With a guard, no descendant of the process is alive either,
//! even if rebus itself is killed. Memory does not grow with the output beyond what the reader keeps. The process is
//! reaped. Knows nothing of solvers or of the meaning of the output.

use crate::shared::{Budget, Leftover, ProcessLimits, Registered, Stop};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions, kill_process_group, waitid};
use std::collections::VecDeque;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read};
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::path::PathBuf;
use std::process::{Child, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::{Duration, Instant};

#[cfg(any(target_os = "linux", target_os = "android"))]
#[path = "process/guard.rs"]
mod guard;
#[cfg(not(any(target_os = "linux", target_os = "android")))]
#[path = "process/unguarded.rs"]
mod guard;
#[cfg(any(target_os = "linux", target_os = "android"))]
#[path = "process/prlimit.rs"]
mod limits;
#[cfg(not(any(target_os = "linux", target_os = "android")))]
#[path = "process/ulimit.rs"]
mod limits;
// the code for other systems is tested on all systems
#[cfg(test)]
#[path = "process/ulimit.rs"]
mod ulimit;

pub use super::output::{Consume, Ended};
pub use guard::{guard_all, main_of_guard};
pub use limits::KEEPS_MEMORY;

/// How long a process may take to end after the request to end; a Java virtual machine needs most of it.
const GRACE: Duration = Duration::from_millis(1500);
/// How often the budget is checked while nothing else happens.
const LOOK: Duration = Duration::from_millis(20);
/// How long a pipe may stay open after the group is dead: a process that left the group may still hold it.
const DRAIN: Duration = Duration::from_secs(1);
/// Seconds of processor time between the signal of the soft limit and the kill of the hard limit.
const CPU_GRACE: u64 = 2;
const STDERR_KEPT: usize = 4096;
/// Upper bound on the bytes that are in a pipe or being read from it.
const MOST_IN_PIPE: u64 = (1 << 20) + (1 << 16);

/// A command to run.
#[derive(Clone, Debug)]
pub struct Job {
    pub program: PathBuf,
    pub args: Vec<OsString>,
    /// The file for standard input, which is empty otherwise.
    pub stdin: Option<PathBuf>,
    /// Its working folder; the current folder if `None`.
    pub folder: Option<PathBuf>,
}

/// A process that ran.
#[derive(Debug)]
pub struct Finished<T> {
    pub ended: Ended,
    pub output: T,
    /// The last bytes of standard error.
    pub stderr: Vec<u8>,
    pub elapsed: Duration,
}

/// Runs a command until it ends or the budget does. `Err` if it could not be started or its output not be read.
pub fn run<T: Consume>(job: &Job, output: T, budget: &Budget) -> io::Result<Finished<T>> {
    let start = Instant::now();
    let limits = budget.limits().process;
    let child = spawn(job, limits)?;
    let pid = Pid::from_child(&child);
    let registered = Leftover::Group(pid.as_raw_nonzero().get()).register();
    let mut group = Group { child, reaped: false, _registered: registered };
    if !guard::is_on() {
        limits::started(pid, limits)?;
    }
    let stdout = Reader::start(group.child.stdout.take(), output)?;
    let stderr = Reader::start(group.child.stderr.take(), Tail::default())?;
    let (send, exits) = channel();
    thread::Builder::new().spawn(move || {
        // Without reaping: the number of the group cannot be reused until the rest of the group was killed.
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
        while matches!(waitid(WaitId::Pid(pid), options), Err(Errno::INTR)) {}
        let _ = send.send(());
    })?;
    let stop = wait(&exits, budget, None).err();
    if stop.is_some() {
        group.signal(Signal::TERM);
        let _ = wait(&exits, budget, Some(Instant::now() + GRACE));
    }
    let status = group.end()?;
    let elapsed = start.elapsed();
    let output = stdout.finish();
    // the last bytes of standard error may be missing
    let (Tail { bytes }, _) = stderr.finish();
    let bytes: Vec<u8> = bytes.into();
    if guard::is_on()
        && let Some(error) = guard::not_started(status.code(), &bytes)
    {
        return Err(error);
    }
    let output = match output {
        (output, None) => output,
        // a truncated answer could be read as another answer
        (_, Some(error)) => return Err(error),
    };
    let ended = match (stop, status.code(), status.signal()) {
        (Some(stop), ..) => Ended::Stopped(stop),
        (None, None, Some(signal)) if limits.cpu.is_some() && signal == Signal::XCPU.as_raw() => {
            Ended::Stopped(Stop::Time)
        }
        (None, Some(code), _) => Ended::Exit(code),
        (None, None, signal) => Ended::Signal(signal.unwrap_or(0)),
    };
    Ok(Finished { ended, output, stderr: bytes, elapsed })
}

fn spawn(job: &Job, limits: ProcessLimits) -> io::Result<Child> {
    let mut command = match guard::is_on() {
        true => guard::command(&job.program, limits),
        false => limits::command(&job.program, limits),
    };
    command.args(&job.args).env("LC_ALL", "C").process_group(0);
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    if let Some(folder) = &job.folder {
        command.current_dir(folder);
    }
    started(|| {
        command.stdin(match &job.stdin {
            Some(path) => Stdio::from(File::open(path)?),
            None => Stdio::null(),
        });
        command.spawn()
    })
}

fn started(mut spawn: impl FnMut() -> io::Result<Child>) -> io::Result<Child> {
    let mut tries = 0;
    loop {
        match spawn() {
            // A program that was written a moment ago may still be open in a process that was forked meanwhile.
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy && tries < 20 => {
                tries += 1;
                thread::sleep(Duration::from_millis(10));
            }
            result => return result,
        }
    }
}

/// Waits for the exit until the budget ends, or until `until` regardless of the budget.
fn wait(exits: &Receiver<()>, budget: &Budget, until: Option<Instant>) -> Result<(), Stop> {
    loop {
        let left = match until {
            Some(until) => until.saturating_duration_since(Instant::now()),
            None => budget.remaining().unwrap_or(LOOK),
        };
        match exits.recv_timeout(left.min(LOOK)) {
            Ok(()) | Err(RecvTimeoutError::Disconnected) => return Ok(()),
            Err(RecvTimeoutError::Timeout) => match until {
                Some(until) if Instant::now() >= until => return Err(Stop::Time),
                Some(_) => {}
                None => budget.check()?,
            },
        }
    }
}

/// A process and its group; killed and reaped when this is dropped.
struct Group {
    child: Child,
    reaped: bool,
    _registered: Registered,
}

impl Group {
    fn pid(&self) -> Pid {
        Pid::from_child(&self.child)
    }

    fn signal(&self, signal: Signal) {
        // Fails only if the group is gone.
        let _ = kill_process_group(self.pid(), signal);
    }

    /// Kills the rest of the group and reaps the process.
    fn end(&mut self) -> io::Result<ExitStatus> {
        if guard::is_on() {
            // the guard also kills processes outside the group, and then ends
            self.signal(Signal::HUP);
            let late = Instant::now() + guard::LEAVE;
            let options = WaitIdOptions::EXITED | WaitIdOptions::NOHANG | WaitIdOptions::NOWAIT;
            while matches!(waitid(WaitId::Pid(self.pid()), options), Ok(None) | Err(Errno::INTR))
                && Instant::now() < late
            {
                thread::sleep(Duration::from_millis(1));
            }
        }
        self.signal(Signal::KILL);
        let status = self.child.wait();
        self.reaped = true;
        status
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        if !self.reaped {
            let _ = self.end();
        }
    }
}

/// A thread that feeds a pipe to a consumer; the consumer can be taken back even if the pipe never ends.
struct Reader<T> {
    consumer: Arc<Mutex<Option<T>>>,
    /// Number of bytes read.
    bytes: Arc<AtomicU64>,
    /// The error that ended the thread; `None` if the pipe ended.
    done: Receiver<Option<io::Error>>,
}

impl<T: Consume> Reader<T> {
    fn start(pipe: Option<impl Read + Send + 'static>, consumer: T) -> io::Result<Reader<T>> {
        let consumer = Arc::new(Mutex::new(Some(consumer)));
        let (send, done) = channel();
        let shared = consumer.clone();
        let bytes = Arc::new(AtomicU64::new(0));
        let counted = bytes.clone();
        thread::Builder::new().spawn(move || {
            let Some(mut pipe) = pipe else { return };
            let mut buffer = vec![0; 1 << 16];
            let ended = loop {
                let read = match pipe.read(&mut buffer) {
                    Ok(0) => break None,
                    Ok(read) => read,
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                    Err(error) => break Some(error),
                };
                counted.fetch_add(read as u64, Ordering::Relaxed);
                match shared.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).as_mut() {
                    Some(consumer) => consumer.feed(&buffer[..read]),
                    None => break None,
                }
            };
            let _ = send.send(ended);
        })?;
        Ok(Reader { consumer, bytes, done })
    }

    /// The consumer, and the error if it did not get the whole output.
    fn finish(self) -> (T, Option<io::Error>) {
        // A consumer may take long for the bytes that are there. More bytes than a pipe holds come from a process
        // that left the group.
        let start = self.bytes.load(Ordering::Relaxed);
        let (mut before, mut since) = (start, Instant::now());
        let error = loop {
            match self.done.recv_timeout(LOOK) {
                Ok(ended) => break ended,
                Err(RecvTimeoutError::Disconnected) => break None,
                Err(RecvTimeoutError::Timeout) => {}
            }
            let bytes = self.bytes.load(Ordering::Relaxed);
            if bytes != before || self.consumer.try_lock().is_err() {
                (before, since) = (bytes, Instant::now());
            }
            if since.elapsed() >= DRAIN || bytes - start > MOST_IN_PIPE {
                break None;
            }
        };
        let mut consumer = self.consumer.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
        (consumer.take().expect("only `finish` takes the consumer, once"), error)
    }
}

/// Keeps the last bytes.
#[derive(Default)]
struct Tail {
    bytes: VecDeque<u8>,
}

impl Consume for Tail {
    fn feed(&mut self, bytes: &[u8]) {
        let bytes = &bytes[bytes.len().saturating_sub(STDERR_KEPT)..];
        let excess = (self.bytes.len() + bytes.len()).saturating_sub(STDERR_KEPT);
        self.bytes.drain(..excess);
        self.bytes.extend(bytes);
    }
}
