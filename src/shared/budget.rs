//! The one budget of a run: steps, memory and time, shared by evaluator, encoders and engines.
//!
//! A `Budget` is cheap to ask (`step` looks at the clock once in 2¹⁴ steps) and may be cancelled from
//! another thread or a signal handler through [`Budget::cancel_flag`].

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Why a run must end now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The time limit (`--timeout`) has passed.
    Time,
    /// More than the allowed bytes would be held.
    Memory { limit: u64 },
    /// More than the allowed evaluation steps were made.
    Steps { limit: u64 },
    /// More than the allowed clauses would be written (`--max-clauses`).
    Clauses { limit: u64 },
    /// More than the allowed entries of one picture or list of data.
    Entries { limit: u64 },
    /// Somebody asked us to stop (Ctrl-C).
    Cancelled,
}

/// The limits of a run; `Default` is generous.
#[derive(Clone, Debug)]
pub struct Limits {
    pub time: Option<Duration>,
    /// Bytes that terms and tables may hold.
    pub memory: u64,
    pub steps: u64,
    pub clauses: u64,
    /// Entries of one picture or list of data: about 150 bytes each when read.
    pub entries: u64,
    /// What a process of another program may use.
    pub process: ProcessLimits,
}

/// Limits that the system keeps, for each process of another program.
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
    start: Cell<Instant>,
    steps: Cell<u64>,
    next_look: Cell<u64>,
    cancelled: Arc<AtomicBool>,
}

const LOOK_EVERY: u64 = 1 << 14;

impl Budget {
    pub fn new(limits: Limits) -> Budget {
        Budget {
            limits,
            start: Cell::new(Instant::now()),
            steps: Cell::new(0),
            next_look: Cell::new(LOOK_EVERY),
            cancelled: Arc::new(AtomicBool::new(false)),
        }
    }

    /// The same limits, cancelled by a flag that others set.
    pub fn cancelled_by(mut self, flag: Arc<AtomicBool>) -> Budget {
        self.cancelled = flag;
        self
    }

    pub fn unlimited() -> Budget {
        Budget::new(Limits::default())
    }

    pub fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Starts clock and steps anew, for the next of many instances that have the same limits each.
    pub fn restart(&self) {
        self.start.set(Instant::now());
        self.steps.set(0);
        self.next_look.set(LOOK_EVERY);
    }

    /// Set by a signal handler to end the run at its next step.
    pub fn cancel_flag(&self) -> Arc<AtomicBool> {
        self.cancelled.clone()
    }

    /// Counts `n` steps; looks at clock and flag now and then.
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
        if steps > self.limits.steps {
            return Err(Stop::Steps { limit: self.limits.steps });
        }
        self.check()
    }

    /// Looks at clock and flag now.
    pub fn check(&self) -> Result<(), Stop> {
        if self.cancelled.load(Ordering::Relaxed) {
            return Err(Stop::Cancelled);
        }
        match self.limits.time {
            Some(limit) if self.start.get().elapsed() >= limit => Err(Stop::Time),
            _ => Ok(()),
        }
    }

    /// Refuses when `bytes` held would be more than allowed.
    pub fn hold(&self, bytes: u64) -> Result<(), Stop> {
        if bytes > self.limits.memory { Err(Stop::Memory { limit: self.limits.memory }) } else { Ok(()) }
    }

    /// Refuses data of more than the allowed entries.
    pub fn entries(&self, n: usize) -> Result<(), Stop> {
        let limit = self.limits.entries;
        if n as u64 > limit { Err(Stop::Entries { limit }) } else { Ok(()) }
    }

    /// A part of this budget that ends after so many steps: for work that tells of itself in between.
    pub fn slice(&self, steps: u64) -> Budget {
        let limits = Limits { time: self.remaining(), steps, ..self.limits.clone() };
        Budget::new(limits).cancelled_by(self.cancel_flag())
    }

    /// What is left of the time limit; `None` without one.
    pub fn remaining(&self) -> Option<Duration> {
        self.limits.time.map(|limit| limit.saturating_sub(self.start.get().elapsed()))
    }

    pub fn elapsed(&self) -> Duration {
        self.start.get().elapsed()
    }
}
