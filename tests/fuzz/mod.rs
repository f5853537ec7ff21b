//! Changed texts for the targets of `fuzz/`: what goes a new way through the program is changed further.
//!
//! In: a target, seeds, a number to draw from. Out: how many inputs were tried, and those that panicked, broke what must hold, or took
//! too long. Ways are told apart by what a target notes: codes and texts of messages without numbers and names.
#![allow(dead_code)] // each test takes what it needs

mod mutate;
pub mod seeds;

use crate::dice::Dice;
use crate::targets::noted;
use mutate::mutated;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::panic::{catch_unwind, set_hook};
use std::time::{Duration, Instant};

/// Far above what any input takes within the limits of the targets, on a machine that is busy with other things.
const LATE: Duration = Duration::from_secs(60);
/// New ways are looked for near the last ones too.
const LAST: usize = 32;

thread_local! {
    static PANIC: RefCell<String> = const { RefCell::new(String::new()) };
}

/// An input that went wrong.
pub struct Fault {
    pub why: String,
    pub input: Vec<u8>,
}

pub struct Fuzz {
    pub name: &'static str,
    target: fn(&[u8]),
    pool: Vec<Vec<u8>>,
    ways: BTreeSet<u64>,
    dice: Dice,
    pub tried: u64,
    pub slowest: Duration,
    pub faults: Vec<Fault>,
    known: BTreeSet<String>,
}

/// Panics are told once, by who asks.
pub fn quiet() {
    set_hook(Box::new(|info| {
        let text = text_of(info.payload()).to_owned();
        let place = info.location().map(|place| format!("{}:{}", place.file(), place.line()));
        let text = format!("{} at {}", text, place.unwrap_or_default());
        // one in another thread comes here by its place alone
        eprintln!("panic: {}", text.chars().take(6000).collect::<String>());
        PANIC.with(|panic| *panic.borrow_mut() = text);
    }));
}

impl Fuzz {
    pub fn new(name: &'static str, target: fn(&[u8]), seeds: Vec<Vec<u8>>, seed: u64) -> Fuzz {
        let mut fuzz = Fuzz {
            name,
            target,
            pool: Vec::new(),
            ways: BTreeSet::new(),
            dice: Dice::new(seed),
            tried: 0,
            slowest: Duration::ZERO,
            faults: Vec::new(),
            known: BTreeSet::new(),
        };
        seeds.into_iter().for_each(|seed| {
            fuzz.try_one(&seed);
            fuzz.pool.push(seed);
        });
        fuzz
    }

    pub fn ways(&self) -> usize {
        self.ways.len()
    }

    /// Tries one more input.
    pub fn step(&mut self) {
        let (count, dice) = (self.pool.len(), &mut self.dice);
        let at = if dice.coin() { dice.below(count) } else { count - 1 - dice.below(count.min(LAST)) };
        let other = dice.below(count);
        let input = mutated(&self.pool[at], &self.pool[other], dice);
        if self.try_one(&input) {
            self.pool.push(input);
        }
    }

    /// Is its way new?
    fn try_one(&mut self, input: &[u8]) -> bool {
        self.tried += 1;
        let start = Instant::now();
        let target = self.target;
        let done = catch_unwind(|| target(input));
        let elapsed = start.elapsed();
        self.slowest = self.slowest.max(elapsed);
        let noted = noted();
        let why = match done {
            Err(_) => PANIC.with(RefCell::take),
            Ok(()) if elapsed > LATE => format!("{elapsed:?}"),
            Ok(()) => return self.ways.insert(noted),
        };
        // one input for each place
        let kind = why.rsplit(" at ").next().unwrap_or_default().to_owned();
        if self.known.insert(kind) {
            self.faults.push(Fault { why, input: input.to_vec() });
        }
        false
    }
}

/// What a panic said.
fn text_of(payload: &dyn std::any::Any) -> &str {
    let owned = payload.downcast_ref::<String>().map(String::as_str);
    owned.or_else(|| payload.downcast_ref::<&str>().copied()).unwrap_or("a panic")
}
