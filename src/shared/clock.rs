//! The start of a run, and its usage since. A [`Meter`] measures the usage, because this module makes no
//! system calls.
//!
//! Invariants: every thread may read a clock; a restarted clock counts from the restart.

use super::budget::Limits;
use super::instant::Instant;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

/// Functions that measure usage. By default they measure nothing.
#[derive(Clone, Copy, Debug)]
pub struct Meter {
    /// Processor time so far, of the process or of the calling thread.
    pub processor: fn() -> Duration,
    /// The bytes that may still be allocated under this limit; `None` if the system does not report it.
    pub free: fn(u64) -> Option<u64>,
}

impl Default for Meter {
    fn default() -> Meter {
        Meter { processor: || Duration::ZERO, free: |_| None }
    }
}

/// The start of a run.
#[derive(Debug)]
pub struct Clock {
    base: Instant,
    /// Nanoseconds from `base` to the start.
    start: AtomicU64,
    /// Nanoseconds of processor time at the start.
    processor: AtomicU64,
    /// Was the clock restarted, for one instance after the other?
    restarted: AtomicBool,
}

fn nanoseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}

impl Clock {
    pub fn start(meter: Meter) -> Clock {
        let processor = AtomicU64::new(nanoseconds((meter.processor)()));
        Clock { base: Instant::now(), start: AtomicU64::new(0), processor, restarted: AtomicBool::new(false) }
    }

    /// Restarts the clock.
    pub fn restart(&self, meter: Meter) {
        self.restarted.store(true, Ordering::Relaxed);
        self.start.store(nanoseconds(self.base.elapsed()), Ordering::Relaxed);
        self.processor.store(nanoseconds((meter.processor)()), Ordering::Relaxed);
    }

    pub fn was_restarted(&self) -> bool {
        self.restarted.load(Ordering::Relaxed)
    }

    pub fn elapsed(&self) -> Duration {
        self.base.elapsed().saturating_sub(Duration::from_nanos(self.start.load(Ordering::Relaxed)))
    }

    /// Processor time since the start.
    pub fn processor(&self, meter: Meter) -> Duration {
        (meter.processor)().saturating_sub(Duration::from_nanos(self.processor.load(Ordering::Relaxed)))
    }
}

/// Shows when a budget is over, for code that cannot hold the budget: engines, and other threads.
#[derive(Clone, Debug, Default)]
pub struct Lookout {
    cancelled: Arc<AtomicBool>,
    deadline: Option<Instant>,
    processor: Option<(fn() -> Duration, Duration)>,
}

impl Lookout {
    pub(super) fn new(clock: &Clock, limits: &Limits, meter: Meter, cancelled: Arc<AtomicBool>) -> Lookout {
        // a deadline beyond the range of `Instant` is no deadline
        let left = limits.time.map(|limit| limit.saturating_sub(clock.elapsed()));
        let deadline = left.and_then(|left| Instant::now().checked_add(left));
        let start = Duration::from_nanos(clock.processor.load(Ordering::Relaxed));
        let processor = limits.cpu.map(|limit| (meter.processor, start.saturating_add(limit)));
        Lookout { cancelled, deadline, processor }
    }

    pub fn is_over(&self) -> bool {
        self.cancelled.load(Ordering::Relaxed)
            || self.deadline.is_some_and(|deadline| Instant::now() >= deadline)
            || self.processor.is_some_and(|(processor, end)| processor() >= end)
    }
}
