//! Commands with a system call that fails; `benches/injected` tries every call.
#![cfg(target_os = "linux")]

#[path = "common/dice.rs"]
mod dice;
mod injected;

use dice::Dice;
use injected::{Sound, Tally, scenarios};
use std::collections::BTreeSet;
use std::process::Command;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Injections of each command, each of another call, as few as a minute takes.
const OF_EACH: usize = 8;

/// May a process of ours be traced here?
fn can_trace() -> bool {
    let traced =
        Command::new("strace").args(["-f", "-o", "/dev/null", "-einject=getppid:error=EIO", "true"]).status();
    traced.is_ok_and(|status| status.success())
}

#[test]
fn a_call_that_fails_is_a_fault_or_nothing() {
    if !can_trace() {
        assert!(
            std::env::var_os("REBUS_REQUIRE_SOLVERS").is_none(),
            "strace is missing, or may trace nothing here"
        );
        println!("skipped: strace is missing, or may trace nothing here");
        return;
    }
    let list = scenarios();
    let (next, total) = (AtomicUsize::new(0), Mutex::new(Tally::default()));
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(scenario) = list.get(at) else { break };
            let mut sound = Sound::new(scenario);
            Dice::new(at as u64).shuffle(&mut sound.injections);
            let mut calls = BTreeSet::new();
            let mut tally = Tally::default();
            let others = sound.injections.iter().filter(|one| calls.insert(&one.call));
            others.take(OF_EACH).for_each(|injection| sound.try_one(injection, &mut tally));
            total.lock().expect("no panic").add(tally);
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(work);
        }
    });
    let total = total.into_inner().expect("no panic");
    println!("{} runs, {} injected, {} as without", total.runs, total.injected, total.same);
    assert!(total.injected * 10 > total.runs * 9, "{} of {} were injected", total.injected, total.runs);
    assert!(total.faults.is_empty(), "{}", total.faults.join("\n"));
}
