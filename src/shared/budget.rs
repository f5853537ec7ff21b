//! The one budget of a run: steps, memory and time, shared by evaluator, encoders and engines.
//!
//! A `Budget` is cheap to check (`step` looks at the clock once in 2¹⁴ steps). Another thread or a signal
//! handler may cancel it through [`Budget::cancel_flag`]. Code that allocates something large charges it
//! first ([`Budget::charge`]); code that traverses something large counts steps. A [`Meter`] measures the
//! usage of the process.

use super::clock::{Clock, Lookout, Meter};
use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Why a run must end now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The time limit (`--timeout`) has passed.
    Time,
    /// The limit of processor time (`--max-cpu`) has passed.
    Cpu,
    /// The process would hold more bytes than allowed.
    Memory { limit: u64 },
    /// The evaluator made more steps than allowed.
    Steps { limit: u64 },
    /// The formula would have more clauses than allowed (`--max-clauses`).
    Clauses { limit: u64 },
    /// One picture or list of data has more entries than allowed.
    Entries { limit: u64 },
    /// Cancelled from outside (Ctrl-C).
    Cancelled,
}

/// The limits of a run; `Default` is generous.
#[derive(Clone, Debug)]
pub struct Limits {
    pub time: Option<Duration>,
    /// Processor time.
    pub cpu: Option<Duration>,
    /// Bytes that the process may hold.
    pub memory: u64,
    pub steps: u64,
    pub clauses: u64,
    /// Entries of one picture or list of data: about 150 bytes each when read.
    pub entries: u64,
    /// Limits for an external process.
    pub process: ProcessLimits,
}

/// Limits that the system enforces for each external process.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ProcessLimits {
    /// Seconds of processor time, over all its threads.
    pub cpu: Option<u64>,
    /// Bytes of address space.
    pub memory: Option<u64>,
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            time: None,
            cpu: None,
            memory: 8 << 30,
            steps: 1 << 40,
            clauses: u32::MAX as u64,
            entries: 1 << 22,
            process: ProcessLimits::default(),
        }
    }
}

/// Counts what a run uses against its [`Limits`].
#[derive(Debug)]
pub struct Budget {
    limits: Limits,
    clock: Arc<Clock>,
    meter: Meter,
    steps: Cell<u64>,
    next_look: Cell<u64>,
    /// Bytes charged since memory was last measured.
    charged: Cell<u64>,
    /// Bytes that may be charged until memory is measured again.
    room: Cell<u64>,
    cancelled: Arc<AtomicBool>,
    /// Was it cancelled because too much memory is used?
    full: Arc<AtomicBool>,
}

const LOOK_EVERY: u64 = 1 << 14;

/// The most bytes charged between two measurements; a measurement also finds allocations that were not
/// charged.
const MEASURE_EVERY: u64 = 64 << 20;

impl Budget {
    pub fn new(limits: Limits) -> Budget {
        Budget {
            limits,
            clock: Arc::new(Clock::start(Meter::default())),
            meter: Meter::default(),
            steps: Cell::new(0),
            next_look: Cell::new(LOOK_EVERY),
            charged: Cell::new(0),
            room: Cell::new(0),
            cancelled: Arc::default(),
            full: Arc::default(),
        }
    }

    /// The same limits, cancelled by an external flag.
    pub fn cancelled_by(mut self, flag: Arc<AtomicBool>) -> Budget {
        self.cancelled = flag;
        self
    }

    /// The same limits; if `flag` is set too, it was cancelled because too much memory is used.
    pub fn full_by(mut self, flag: Arc<AtomicBool>) -> Budget {
        self.full = flag;
        self
    }

    /// The same limits with another clock and meter.
    pub fn measured_by(mut self, clock: Arc<Clock>, meter: Meter) -> Budget {
        (self.clock, self.meter) = (clock, meter);
        self
    }

    pub fn unlimited() -> Budget {
        Budget::new(Limits::default())
    }

    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Restarts clock and steps, for the next of many instances with the same limits each.
    pub fn restart(&self) {
        self.clock.restart(self.meter);
        self.steps.set(0);
        self.next_look.set(LOOK_EVERY);
    }

    /// Set by a signal handler to end the run at its next step.
    pub fn cancel_flag(&self) -> Arc<AtomicBool> {
        self.cancelled.clone()
    }

    /// Counts `n` steps; checks clock and flag from time to time.
    #[inline]
    pub fn step(&self, n: u64) -> Result<(), Stop> {
        let steps = self.steps.get() + n;
        self.steps.set(steps);
        if steps >= self.next_look.get() { self.look() } else { Ok(()) }
    }

    #[cold]
    fn look(&self) -> Result<(), Stop> {
        let steps = self.steps.get();
        self.next_look.set(steps + LOOK_EVERY);
        let over = match steps > self.limits.steps {
            true => Err(Stop::Steps { limit: self.limits.steps }),
            false => self.check(),
        };
        if over.is_err() {
            // a caller that ignored the stop gets it again at the next step
            self.next_look.set(steps);
        }
        over
    }

    /// Checks clock and flag now.
    pub fn check(&self) -> Result<(), Stop> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Err(match self.full.load(Ordering::Relaxed) {
                true => Stop::Memory { limit: self.limits.memory },
                false => Stop::Cancelled,
            });
        }
        if self.limits.time.is_some_and(|limit| self.clock.elapsed() >= limit) {
            return Err(Stop::Time);
        }
        match self.limits.cpu {
            Some(limit) if self.clock.processor(self.meter) >= limit => Err(Stop::Cpu),
            _ => Ok(()),
        }
    }

    /// Fails if `bytes` held are more than allowed.
    pub fn hold(&self, bytes: u64) -> Result<(), Stop> {
        if bytes > self.limits.memory { Err(Stop::Memory { limit: self.limits.memory }) } else { Ok(()) }
    }

    /// Charges bytes before they are allocated. Freed bytes need not be reported: the memory of the process
    /// is measured, if the system supports it.
    #[inline]
    pub fn charge(&self, bytes: u64) -> Result<(), Stop> {
        let charged = self.charged.get().saturating_add(bytes);
        self.charged.set(charged);
        if charged > self.room.get() { self.measure(bytes) } else { Ok(()) }
    }

    /// Charges the space for this number of entries of a type.
    #[inline]
    pub fn charge_for<T>(&self, entries: usize) -> Result<(), Stop> {
        self.charge((entries as u64).saturating_mul(size_of::<T>() as u64))
    }

    #[cold]
    fn measure(&self, bytes: u64) -> Result<(), Stop> {
        let free = match (self.meter.free)(self.limits.memory) {
            Some(free) => free,
            None => self.limits.memory,
        };
        if bytes > free {
            return Err(Stop::Memory { limit: self.limits.memory });
        }
        self.charged.set(bytes);
        self.room.set(free.min(bytes.saturating_add(MEASURE_EVERY)));
        self.check()
    }

    /// Fails if data have more entries than allowed.
    pub fn entries(&self, n: usize) -> Result<(), Stop> {
        let limit = self.limits.entries;
        if n as u64 > limit { Err(Stop::Entries { limit }) } else { Ok(()) }
    }

    /// A part of this budget that ends after this number of steps: for work that reports progress in between.
    pub fn slice(&self, steps: u64) -> Budget {
        let limits = Limits { steps, ..self.limits.clone() };
        Budget::new(limits)
            .cancelled_by(self.cancel_flag())
            .full_by(self.full.clone())
            .measured_by(self.clock.clone(), self.meter)
    }

    /// The clock and the flag, for code that cannot hold the budget.
    pub fn lookout(&self) -> Lookout {
        Lookout::new(&self.clock, &self.limits, self.meter, self.cancel_flag())
    }

    /// The steps that were counted so far: the same in every run.
    pub fn steps(&self) -> u64 {
        self.steps.get()
    }

    /// The rest of the time limit; `None` without one.
    pub fn remaining(&self) -> Option<Duration> {
        self.limits.time.map(|limit| limit.saturating_sub(self.clock.elapsed()))
    }

    pub fn elapsed(&self) -> Duration {
        self.clock.elapsed()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::AtomicU64;

    #[test]
    fn memory_is_measured_and_charged() {
        // tests in other threads change the shared count, so this test has its own
        static HELD: AtomicU64 = AtomicU64::new(0);
        let free = |limit: u64| Some(limit.saturating_sub(HELD.load(Ordering::Relaxed)));
        let meter = Meter { free, ..Meter::default() };
        let limits = Limits { memory: 1 << 30, ..Limits::default() };
        let budget = Budget::new(limits).measured_by(Arc::new(Clock::start(meter)), meter);
        let full = Err(Stop::Memory { limit: 1 << 30 });
        assert_eq!(budget.charge((1 << 30) + 1), full);
        assert_eq!(budget.charge(1 << 20), Ok(()));
        // freed bytes do not count
        for _ in 0..10_000 {
            assert_eq!(budget.charge(1 << 20), Ok(()));
        }
        // and bytes still held do
        let mut made = 0;
        while budget.charge(1 << 20).is_ok() {
            made += 1;
            HELD.fetch_add(1 << 20, Ordering::Relaxed);
        }
        assert!((1000..=1024).contains(&made), "{made}");
        assert_eq!(budget.charge_for::<u64>(usize::MAX), full);
    }

    #[test]
    fn an_ignored_stop_is_returned_again() {
        let budget = Budget::unlimited();
        budget.cancel_flag().store(true, Ordering::Relaxed);
        let stops = (0..LOOK_EVERY + 10).filter(|_| budget.step(1).is_err()).count();
        assert_eq!(stops, 11);
        let slice = budget.slice(5);
        assert_eq!((slice.step(4), slice.check()), (Ok(()), Err(Stop::Cancelled)));
    }

    #[test]
    fn processor_time_is_a_limit() {
        let meter = Meter { processor: || Duration::from_secs(7), ..Meter::default() };
        let cpu = |seconds| Limits { cpu: Some(Duration::from_secs(seconds)), ..Limits::default() };
        let started = Arc::new(Clock::start(Meter::default()));
        let over = Budget::new(cpu(7)).measured_by(started.clone(), meter);
        assert_eq!((over.check(), over.lookout().is_over()), (Err(Stop::Cpu), true));
        let more = Budget::new(cpu(8)).measured_by(started, meter);
        assert_eq!((more.check(), more.lookout().is_over()), (Ok(()), false));
        // from a restart on
        over.restart();
        assert_eq!((over.check(), over.lookout().is_over()), (Ok(()), false));
    }
}
