//! Work spread over threads, and told in order.
//!
//! In: pieces of work by number. Out: their events in the order of the numbers, whoever was first. Invariants: so much work is
//! handed out ahead of what was told that memory stays bounded; the first error ends all.

use super::Failure;
use crate::diag::{Code, Diagnostic};
use std::collections::BTreeMap;
use std::sync::{Mutex, mpsc};
use std::thread;

/// Takes an event of a piece of work; an error ends the piece.
pub type Tell<'t, E> = dyn FnMut(E) -> Result<(), Failure> + 't;

enum Message<E> {
    Event(usize, E),
    Done(usize, Result<(), Failure>),
}

/// Does the pieces of work 0 to `count` - 1 on `jobs` threads, each with a state of its own, and gives their events to
/// `take` as if one had been done after the other. The first error ends all.
pub fn in_order<S, E: Send>(
    count: usize,
    jobs: usize,
    state: &(dyn Fn() -> Result<S, Failure> + Sync),
    work: &(dyn Fn(&mut S, usize, &mut Tell<'_, E>) -> Result<(), Failure> + Sync),
    take: &mut Tell<'_, E>,
) -> Result<(), Failure> {
    let jobs = jobs.min(count);
    let (give, wanted) = mpsc::channel::<usize>();
    let wanted = Mutex::new(wanted);
    let (send, messages) = mpsc::channel();
    let worker = |send: mpsc::Sender<Message<E>>| {
        let mut own = None;
        loop {
            let next = wanted.lock().unwrap_or_else(|poisoned| poisoned.into_inner()).recv();
            let Ok(at) = next else { return };
            let mut tell = |event| send.send(Message::Event(at, event)).map_err(|_| Failure::ClosedPipe);
            let done = match &mut own {
                Some(own) => work(own, at, &mut tell),
                none => state().and_then(|new| work(none.insert(new), at, &mut tell)),
            };
            if send.send(Message::Done(at, done)).is_err() {
                return;
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..jobs {
            let send = send.clone();
            let worker = &worker;
            // terms are walked by recursion
            let spawned = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || worker(send));
            spawned.map_err(|error| {
                Diagnostic::error(Code::SolverFailed, format!("no thread can be started: {error}"))
            })?;
        }
        drop(send);
        // moved in, so that all threads end when this does, however it does
        let (give, messages) = (give, messages);
        let mut given = 0;
        let mut waiting: BTreeMap<usize, (Vec<E>, Option<Result<(), Failure>>)> = BTreeMap::new();
        for current in 0..count {
            while given < count && given < current + AHEAD * jobs {
                let _ = give.send(given);
                given += 1;
            }
            let (events, mut done) = waiting.remove(&current).unwrap_or_default();
            events.into_iter().try_for_each(&mut *take)?;
            while done.is_none() {
                let ended = |_| Diagnostic::error(Code::SolverFailed, "a thread ended before its work did");
                match messages.recv().map_err(ended)? {
                    Message::Event(at, event) if at == current => take(event)?,
                    Message::Event(at, event) => waiting.entry(at).or_default().0.push(event),
                    Message::Done(at, result) if at == current => done = Some(result),
                    Message::Done(at, result) => waiting.entry(at).or_default().1 = Some(result),
                }
            }
            done.unwrap_or(Ok(()))?;
        }
        Ok(())
    })
}

/// Pieces of work handed out for each thread before the first of them is told.
const AHEAD: usize = 4;

/// Bytes of stack of a thread, as the first one has.
const STACK: usize = 8 << 20;
