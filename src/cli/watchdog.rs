//! The watchdog: enforces the limits of the whole process, and ends it if nothing else does.
//!
//! Every phase checks its budget and ends in order, usually within milliseconds. If a phase does not end within
//! [`GRACE`] after a signal or a limit, the process ends here: first child processes are killed, then temporary files
//! and folders removed, then a message is printed. Memory of all phases is measured here: exceeding the limit cancels
//! the run, exceeding it by far ends the process.

use super::interrupt;
use crate::diag::{Sources, render, stop_diagnostic};
use crate::shared::{Clock, Leftover, Limits, Meter, Stop, ending_by};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Resource, Signal, getrlimit, kill_process_group};
use rustix::time::{ClockId, clock_gettime};
use signal_hook::low_level;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::AsFd;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// How long a run may take to end by itself.
const GRACE: Duration = Duration::from_secs(2);
/// The same while texts are read and parsed: nothing is written yet, and a parser asks no budget.
const GRACE_OF_LOADING: Duration = Duration::from_millis(300);
/// Interval between two checks.
pub const LOOK: Duration = Duration::from_millis(50);

struct Watch {
    limits: Limits,
    clock: Arc<Clock>,
    /// Is there one clock for the run, and not one for each instance?
    timed: AtomicBool,
}

static WATCH: OnceLock<Watch> = OnceLock::new();
static LOADING: AtomicBool = AtomicBool::new(false);

/// Calls what reads and parses texts; a limit that passes meanwhile ends the process sooner than later on.
pub fn loading<T>(call: impl FnOnce() -> T) -> T {
    LOADING.store(true, Ordering::Relaxed);
    let loaded = call();
    LOADING.store(false, Ordering::Relaxed);
    loaded
}

/// Starts the clock; called once, before anything is read.
pub fn start(limits: Limits) {
    // memory used at startup does not count for the run
    BASE.store(Memory::now().map_or(0, |memory| memory.held), Ordering::Relaxed);
    ending_by(ending);
    WATCH.get_or_init(|| Watch {
        limits,
        clock: Arc::new(Clock::start(METER)),
        timed: AtomicBool::new(true),
    });
}

/// The clock of the run.
pub fn clock() -> Arc<Clock> {
    WATCH.get().map_or_else(|| Arc::new(Clock::start(METER)), |watch| watch.clock.clone())
}

/// From now on the limits of time apply to each instance separately.
pub fn untimed() {
    if let Some(watch) = WATCH.get() {
        watch.timed.store(false, Ordering::Relaxed);
    }
}

/// The reason why the run must end now, if any.
pub fn stopped() -> Option<Stop> {
    let watch = WATCH.get()?;
    if interrupt::cancelled().load(Ordering::Relaxed) {
        return Some(match interrupt::full().load(Ordering::Relaxed) {
            true => Stop::Memory { limit: watch.limits.memory },
            false => Stop::Cancelled,
        });
    }
    watch.over(Duration::ZERO)
}

/// Must the whole run end now?
fn ending() -> bool {
    stopped().is_some() && WATCH.get().is_some_and(|watch| !watch.clock.was_restarted())
}

impl Watch {
    /// The limit of time that has passed by more than `grace`, if any.
    fn over(&self, grace: Duration) -> Option<Stop> {
        let passed = |limit: Option<Duration>, used: &dyn Fn() -> Duration| {
            limit.is_some_and(|limit| used() >= limit.saturating_add(grace))
        };
        if !self.timed.load(Ordering::Relaxed) {
            None
        } else if passed(self.limits.time, &|| self.clock.elapsed()) {
            Some(Stop::Time)
        } else if passed(self.limits.cpu, &|| self.clock.processor(METER)) {
            Some(Stop::Cpu)
        } else {
            None
        }
    }
}

// ---- resource use ----

/// Measures the process.
pub const METER: Meter = Meter { processor: || spent(ClockId::ProcessCPUTime), free };
/// Measures one thread of several.
pub const METER_OF_THREAD: Meter = Meter { processor: || spent(ClockId::ThreadCPUTime), free };

fn spent(clock: ClockId) -> Duration {
    let time = clock_gettime(clock);
    Duration::new(u64::try_from(time.tv_sec).unwrap_or(0), u32::try_from(time.tv_nsec).unwrap_or(0))
}

/// Bytes in use when the run began.
static BASE: AtomicU64 = AtomicU64::new(0);

/// Memory of this process as the system reports it, in bytes.
struct Memory {
    /// In use, without memory that is backed by files.
    held: u64,
    /// Size of the address space.
    addresses: u64,
}

impl Memory {
    /// Allocates nothing: it may be called when little memory is left. `None` if the system does not report it.
    fn now() -> Option<Memory> {
        let mut buffer = [0; 4096];
        let mut file = File::open("/proc/self/status").ok()?;
        let read = file.read(&mut buffer).ok()?;
        let text = &buffer[..read];
        let kilobytes = |name: &[u8]| -> Option<u64> {
            let line = text.split(|byte| *byte == b'\n').find(|line| line.starts_with(name))?;
            let digits = line.iter().filter(|byte| byte.is_ascii_digit());
            Some(digits.fold(0u64, |number, digit| number.saturating_mul(10) + u64::from(digit - b'0')))
        };
        Some(Memory {
            held: kilobytes(b"RssAnon:").or_else(|| kilobytes(b"VmRSS:"))?.saturating_mul(1 << 10),
            addresses: kilobytes(b"VmSize:")?.saturating_mul(1 << 10),
        })
    }

    fn of_run(&self) -> u64 {
        self.held.saturating_sub(BASE.load(Ordering::Relaxed))
    }
}

/// The limit of the address space (`ulimit -v`).
pub fn most_addresses() -> Option<u64> {
    let limits = [Resource::As, Resource::Data].map(|resource| getrlimit(resource).current);
    limits.into_iter().flatten().min()
}

fn free(limit: u64) -> Option<u64> {
    let memory = Memory::now()?;
    let addresses = most_addresses().map_or(u64::MAX, |most| most.saturating_sub(memory.addresses));
    Some(limit.saturating_sub(memory.of_run()).min(addresses))
}

// ---- the end ----

/// The state between checks.
#[derive(Default)]
pub struct Watchdog {
    signal: Option<Instant>,
    memory: Option<Instant>,
}

impl Watchdog {
    /// Checks signals and limits; does not return if the process must end.
    pub fn look(&mut self) {
        let grace = if LOADING.load(Ordering::Relaxed) { GRACE_OF_LOADING } else { GRACE };
        let late = |since: &Option<Instant>| since.is_some_and(|since| since.elapsed() >= grace);
        if let Some(signal) = interrupt::signal() {
            self.signal.get_or_insert_with(Instant::now);
            if late(&self.signal) {
                end(None, Some(signal));
            }
        }
        let Some(watch) = WATCH.get() else { return };
        if let Some(stop) = watch.over(grace) {
            end(Some(stop), None);
        }
        // without a limit from the user, the memory of engines is not limited
        let Some(limit) = watch.limits.process.memory else { return };
        let held = Memory::now().map_or(0, |memory| memory.of_run());
        if held > limit {
            interrupt::full().store(true, Ordering::Relaxed);
            interrupt::cancelled().store(true, Ordering::Relaxed);
            self.memory.get_or_insert_with(Instant::now);
            if late(&self.memory) || held > limit.saturating_add(limit / 4) {
                end(Some(Stop::Memory { limit }), None);
            }
        }
    }
}

/// Ends the process, regardless of its other threads; never waits for a lock that they may hold.
fn end(stop: Option<Stop>, signal: Option<i32>) -> ! {
    for left in Leftover::all() {
        let _ = match left {
            Leftover::Group(number) => match Pid::from_raw(number) {
                Some(pid) => kill_process_group(pid, Signal::KILL).map_err(io::Error::from),
                None => Ok(()),
            },
            Leftover::File(path) => fs::remove_file(path),
            Leftover::Folder(path) => fs::remove_dir_all(path),
        };
    }
    if let Some(stop) = stop {
        let fault = stop_diagnostic(stop).note("what was going on did not end by itself");
        print_now(&format!("{}\n", render(&fault, &Sources::default(), false)));
    }
    if let Some(signal) = signal {
        let _ = low_level::emulate_default_handler(signal);
    }
    low_level::exit(interrupt::LIMIT_EXCEEDED)
}

/// Writes to standard error, if that does not block.
fn print_now(text: &str) {
    let Ok(error) = io::stderr().as_fd().try_clone_to_owned() else { return };
    let now = Timespec { tv_sec: 0, tv_nsec: 0 };
    if poll(&mut [PollFd::new(&error, PollFlags::OUT)], Some(&now)) == Ok(1) {
        let _ = File::from(error).write_all(text.as_bytes());
    }
}
