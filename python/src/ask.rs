//! Questions in threads of their own.
//!
//! Invariants: the interpreter runs while a question is answered, and its signals are looked at twenty times a second;
//! Ctrl-C cancels the question. A thread owns its puzzle, so nothing of it is shared.

use crate::plain::{Answer, Failed};
use crate::spec::Spec;
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use rebus::{Canceller, Error, Puzzle};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// How often signals are looked at.
const LOOK: Duration = Duration::from_millis(50);

enum Message<T> {
    /// The puzzle is loaded; this ends its question.
    Loaded(Canceller),
    Told(T),
    Failed(Failed),
}

/// Runs in a thread; what it sends is received by [`next`].
fn start<T: Send + 'static>(
    run: impl FnOnce(&SyncSender<Message<T>>) -> Result<(), Error> + Send + 'static,
) -> PyResult<Receiver<Message<T>>> {
    let (sender, receiver) = sync_channel(1);
    let body = move || {
        let ended = catch_unwind(AssertUnwindSafe(|| run(&sender)));
        let failed = match ended {
            Ok(Ok(())) => return,
            Ok(Err(error)) => Failed::of(&error),
            Err(_) => Failed::panic(),
        };
        // nobody may be waiting any more
        let _ = sender.send(Message::Failed(failed));
    };
    thread::Builder::new().spawn(body)?;
    Ok(receiver)
}

/// The next thing that is told; `None` after the last one.
fn next<T: Send>(
    py: Python<'_>,
    receiver: &Mutex<Receiver<Message<T>>>,
    canceller: &Mutex<Option<Canceller>>,
) -> PyResult<Option<T>> {
    loop {
        let wait = || receiver.lock().ok().map(|receiver| receiver.recv_timeout(LOOK));
        let Some(found) = py.detach(wait) else {
            return Err(PyRuntimeError::new_err("another thread that waited here has failed"));
        };
        match found {
            Ok(Message::Loaded(found)) => *canceller.lock().expect("held for a moment") = Some(found),
            Ok(Message::Told(told)) => return Ok(Some(told)),
            Ok(Message::Failed(failed)) => return Err(failed.to_py(py)),
            Err(RecvTimeoutError::Disconnected) => return Ok(None),
            Err(RecvTimeoutError::Timeout) => {
                if let Err(signal) = py.check_signals() {
                    cancel(canceller);
                    return Err(signal);
                }
            }
        }
    }
}

fn cancel(canceller: &Mutex<Option<Canceller>>) {
    if let Ok(Some(canceller)) = canceller.lock().as_deref() {
        canceller.cancel();
    }
}

/// What is called is told.
pub fn call<T: Send + 'static>(
    py: Python<'_>,
    run: impl FnOnce() -> Result<T, Error> + Send + 'static,
) -> PyResult<T> {
    answered(
        py,
        start(move |sender| {
            let _ = sender.send(Message::Told(run()?));
            Ok(())
        })?,
    )
}

/// A question about a puzzle.
pub fn ask<T: Send + 'static>(
    py: Python<'_>,
    spec: &Arc<Spec>,
    question: impl FnOnce(&Puzzle) -> Result<T, Error> + Send + 'static,
) -> PyResult<T> {
    let spec = spec.clone();
    answered(
        py,
        start(move |sender| {
            let puzzle = spec.load()?;
            let _ = sender.send(Message::Loaded(puzzle.canceller()));
            let _ = sender.send(Message::Told(question(&puzzle)?));
            Ok(())
        })?,
    )
}

fn answered<T: Send>(py: Python<'_>, receiver: Receiver<Message<T>>) -> PyResult<T> {
    let told = next(py, &Mutex::new(receiver), &Mutex::new(None))?;
    told.ok_or_else(|| PyRuntimeError::new_err("the question ended without an answer"))
}

/// Solutions as they are found, at most two ahead.
#[pyclass(frozen)]
pub struct Running {
    receiver: Mutex<Receiver<Message<Answer>>>,
    canceller: Mutex<Option<Canceller>>,
}

impl Running {
    pub fn start(py: Python<'_>, spec: &Arc<Spec>) -> PyResult<Running> {
        let spec = spec.clone();
        let _ = py;
        let receiver = start(move |sender| {
            let puzzle = spec.load()?;
            let _ = sender.send(Message::Loaded(puzzle.canceller()));
            for solution in puzzle.solutions()? {
                if sender.send(Message::Told(Answer::of(&solution?))).is_err() {
                    break;
                }
            }
            Ok(())
        })?;
        Ok(Running { receiver: Mutex::new(receiver), canceller: Mutex::new(None) })
    }
}

#[pymethods]
impl Running {
    fn __iter__(slf: PyRef<'_, Self>) -> PyRef<'_, Self> {
        slf
    }

    fn __next__(&self, py: Python<'_>) -> PyResult<Option<Answer>> {
        next(py, &self.receiver, &self.canceller)
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // whoever looks for the next solution stops, even if the puzzle was loaded a moment ago
        if let Ok(receiver) = self.receiver.get_mut() {
            while let Ok(message) = receiver.try_recv() {
                if let Message::Loaded(canceller) = message {
                    canceller.cancel();
                }
            }
        }
        cancel(&self.canceller);
    }
}
