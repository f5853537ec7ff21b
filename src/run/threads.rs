//! Work spread over threads, with events in order.
//!
//! In: pieces of work by number. Out: their events in the order of the numbers, whichever piece finished first.
//! Invariants: the work handed out ahead is limited, so memory stays bounded; the first error ends all.

use super::Failure;
use crate::diag::{Code, Diagnostic};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, mpsc};
use std::thread;

/// Emits an event of a piece of work; an error ends the piece.
pub type Emit<'t, E> = dyn FnMut(E) -> Result<(), Failure> + 't;

enum Message<E> {
    Event(usize, E),
    Done(usize, Result<(), Failure>),
}

/// Does the pieces of work 0 to `count` - 1 on `jobs` threads, each with its own state, and passes their events to
/// `take` as if the pieces were done one after the other. The first error ends all.
pub fn in_order<S, E: Send>(
    count: usize,
    jobs: usize,
    state: &(dyn Fn() -> Result<S, Failure> + Sync),
    work: &(dyn Fn(&mut S, usize, &mut Emit<'_, E>) -> Result<(), Failure> + Sync),
    take: &mut Emit<'_, E>,
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
            let mut emit = |event| send.send(Message::Event(at, event)).map_err(|_| Failure::ClosedPipe);
            // a piece that panics is over too: whoever waits for its end must not wait for ever
            let done = catch_unwind(AssertUnwindSafe(|| match &mut own {
                Some(own) => work(own, at, &mut emit),
                none => state().and_then(|new| work(none.insert(new), at, &mut emit)),
            }));
            let done = done.unwrap_or_else(|_| Err(ended_early().into()));
            if send.send(Message::Done(at, done)).is_err() {
                return;
            }
        }
    };
    thread::scope(|scope| {
        for _ in 0..jobs {
            let send = send.clone();
            let worker = &worker;
            // terms are traversed recursively
            let spawned = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, move || worker(send));
            spawned.map_err(|error| {
                Diagnostic::error(Code::SolverFailed, format!("no thread can be started: {error}"))
            })?;
        }
        drop(send);
        // moved in, so that all threads end when this scope does, on every path
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
                match messages.recv().map_err(|_| ended_early())? {
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

fn ended_early() -> Diagnostic {
    Diagnostic::error(Code::SolverFailed, "a thread ended before its work did")
}

/// Pieces of work handed out ahead for each thread.
const AHEAD: usize = 4;

/// Bytes of stack of each thread, as for the main thread.
const STACK: usize = 8 << 20;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_that_panics_ends_all() {
        for jobs in 1..4 {
            let mut taken = Vec::new();
            let work = |_: &mut (), at: usize, emit: &mut Emit<'_, usize>| {
                emit(at)?;
                assert!(at != 2, "this piece panics");
                Ok(())
            };
            let done = in_order(9, jobs, &|| Ok(()), &work, &mut |at| {
                taken.push(at);
                Ok(())
            });
            assert!(done.is_err());
            assert_eq!(taken, [0, 1, 2]);
        }
    }
}
